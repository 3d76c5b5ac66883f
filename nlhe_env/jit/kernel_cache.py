"""Code on disk, found again by everything that went into it.

Numba's own cache looks only at the file that holds a function, so that an edit in an imported file
leaves stale code behind; it believes every byte that it reads; and it has nowhere to write for a
package that is installed read-only. Here code lies in the user's cache folder:

- one file for each kernel and types of its arguments. Its name is a digest of these, of the
  processor, of the versions of Python, Numba and LLVM, and of the sources of the kernel: its module
  and all modules that this imports, directly or not. Installations of equal content share code, and
  an edit asks for new code only where it can matter. There is no index to get out of step;
- the LLVM code of a kernel in ``.code``, for kernels that call it: it names the files of those that
  it calls itself, and their checksums. The machine code of a kernel that Python calls in
  ``.entry``, with all that it needs;
- in that a checksum, which is verified before anything else. Damaged code is compiled again;
- at most 20,000 files, those used last.

The code is pickled, and unpickling can run anything. So only folders and files are read that belong
to this user and that no other user can write; users of a shared cache folder have a folder each.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from nlhe_env.jit.code_library import Entry, EntryCode, KernelCode
from nlhe_env.jit.import_closure import SourceFile, import_closure
from nlhe_env.system.cache_folders import cache_folder
from nlhe_env.system.compilation_progress import (
    begin_kernel,
    begin_machine_code,
    clear_line,
    end_kernel,
)
from nlhe_env.system.files import replacing

_KEPT_FILES = 20_000
"""So many of the files used last stay: several checkouts, and many edits in each."""

_CHECKSUM_BYTES = 32
_VERSIONS = (
    # Objects of free-threaded Python lie differently in memory; its version and tag are the same.
    sys.implementation.cache_tag + getattr(sys, "abiflags", ""),
    platform.python_version(),
    sys.platform,
    numba.__version__,
    llvmlite.__version__,
)


class KernelCache(NullCache):
    """The cached code of one function, as its dispatcher asks for it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Args: function: What is compiled; its code is kept if it stands in a file."""
        self._function = function
        source = Path(function.__code__.co_filename)
        # Now, while the module is being imported: once edited, the file is not what will run.
        self._sources = import_closure(source) if source.is_file() else None

    @property
    def cache_path(self) -> str:
        """The folder of compiled code; empty for a function that stands in no file."""
        return str(_folder()) if self._sources else ""

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The LLVM code for a signature; None if there is none that is sound."""
        target_context.refresh()
        compiled = None
        if self._sources and _is_ready(_folder()):
            key = self._key(sig, target_context.codegen())
            compiled = _sound(self._file(key, "code"), lambda file: _load(file, key))
        if compiled is None:
            begin_kernel(self._function)
        else:
            end_kernel()
        return compiled

    def load_entry(self, sig: Any, target_context: Any) -> Entry | None:
        """The machine code for a signature; None if there is none that is sound."""
        target_context.refresh()
        entry = None
        if self._sources and _is_ready(_folder()):
            key = self._key(sig, target_context.codegen())
            entry = _sound(
                self._file(key, "entry"), lambda file: _load_entry(file, key, target_context)
            )
        if entry is not None:
            end_kernel()
        return entry

    def begin_entry(self) -> None:
        """Show that machine code is made now."""
        begin_machine_code(self._function)

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Keep the LLVM code for a signature, if that is possible."""
        code = compiled.library
        if self._can_keep(code) and all(callee.file for callee in code.callees):
            key = self._key(sig, code.codegen)
            file = self._file(key, "code")
            # What another process has written meanwhile stays: its other files refer to it.
            if not file.is_file():
                description = compiled.fndesc
                description.typemap = description.calltypes = None  # large, and no longer needed
                callees = [(Path(callee.file).name, callee.checksum) for callee in code.callees]
                parts = (code.name, code.bitcode(), callees, tuple(code._reload_init))
                content = dumps((key, parts, description, compiled.environment, compiled.signature))
                if _write(file, content):
                    code.file, code.checksum = str(file), _checksum(content)
                    _known[str(file)] = (code.checksum, compiled)
        end_kernel()

    def save_entry(self, sig: Any, entry: Entry, compiled: Any) -> None:
        """Keep the machine code for a signature, if that is possible."""
        code = entry.code
        if self._can_keep(code):
            key = self._key(sig, code.codegen)
            description = entry.description
            description.typemap = description.calltypes = None
            environments = compiled._replace(library=code)._find_referenced_environments()
            reload_init = tuple(code._reload_init)
            parts = (code.name, code._get_compiled_object(), code.symbols(), reload_init)
            signature, environment = entry.signature, compiled.environment
            content = dumps((key, parts, description, environment, signature, environments))
            _write(self._file(key, "entry"), content)
        end_kernel()

    def _can_keep(self, code: Any) -> bool:
        if self._sources is None or not _is_ready(_folder()):
            return False
        if any(source.has_changed() for source in self._sources):
            return False
        if code.has_dynamic_globals:
            name = self._function.__qualname__
            warnings.warn(f"{name} holds addresses and cannot be kept on disk", stacklevel=2)
            return False
        return True

    def _key(self, sig: Any, codegen: Any) -> str:
        """All that the code depends on."""
        function = self._function
        cells = dumps(tuple(cell.cell_contents for cell in function.__closure__ or ()))
        return repr(
            (
                function.__module__,
                function.__qualname__,
                function.__code__.co_firstlineno,
                _digest(self._sources or ()),
                str(sig),
                hashlib.blake2b(cells).hexdigest(),
                _processor(codegen),
                _VERSIONS,
            )
        )

    def _file(self, key: str, kind: str) -> Path:
        digest = hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
        return _folder() / f"{self._function.__name__.strip('<>')}-{digest}.{kind}"


_known: dict[str, tuple[bytes, CompileResult]] = {}
"""LLVM code of this process that stands on disk: checksum and code by file."""


def _sound(file: Path, load: Callable[[Path], Any]) -> Any:
    """What is loaded from a file; None if there is none or if it is of no use."""
    try:
        found = load(file)
    except FileNotFoundError:
        return None
    except Exception:  # whatever damage the checksum does not show
        with contextlib.suppress(OSError):
            file.unlink()  # make room for sound code
        return None
    with contextlib.suppress(OSError):  # a cache that can only be read serves as well
        os.utime(file)
    return found


def _load(file: Path, key: str | None = None, checksum: bytes | None = None) -> CompileResult:
    """LLVM code with that of all kernels that it calls.

    Args:
        file: The file of the code.
        key: What the code must have been made of, if that is known.
        checksum: Checksum that the file must have, if that is known.

    Raises:
        OSError: A file is missing.
        ValueError: A file is damaged or not the one that is wanted.
    """
    if str(file) in _known:
        actual, compiled = _known[str(file)]
        if checksum is not None and checksum != actual:
            raise ValueError(f"{file} was written anew")
        return compiled
    content = _read(file)
    actual = _checksum(content)
    found, parts, description, environment, signature = pickle.loads(content)
    if (key is not None and key != found) or (checksum is not None and checksum != actual):
        raise ValueError(f"{file} is other code")
    name, bitcode, references, reload_init = parts
    callees = []
    for callee, callee_checksum in references:
        try:
            callees.append(_load(file.parent / callee, checksum=callee_checksum).library)
        except FileNotFoundError as error:
            raise ValueError(f"{file} lacks {callee}") from error
    for initialize in reload_init:
        initialize()
    target = numba.core.registry.cpu_target
    code = KernelCode.from_bitcode(target.target_context.codegen(), name, bitcode, tuple(callees))
    code.file, code.checksum = str(file), actual
    code._reload_init.update(reload_init)
    compiled = CompileResult(
        typing_context=target.typing_context,
        target_context=target.target_context,
        entry_point=code,
        typing_error=None,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        fndesc=description,
        library=code,
        call_helper=None,
        environment=environment,
        metadata=None,
        reload_init=list(reload_init),
        referenced_envs=(),
    )
    _known[str(file)] = (actual, compiled)
    return compiled


def _load_entry(file: Path, key: str, context: Any) -> Entry:
    """Machine code.

    Raises:
        OSError: A file is missing.
        ValueError: A file is damaged or not the one that is wanted.
    """
    found, parts, description, environment, signature, environments = pickle.loads(_read(file))
    if key != found:
        raise ValueError(f"{file} is other code")
    name, machine_code, symbols, reload_init = parts
    for initialize in reload_init:
        initialize()
    code = EntryCode.from_machine_code(context.codegen(), name, machine_code, symbols)
    call = context.get_executable(code, description, environment)
    for each in environments:
        code.codegen.set_env(each.env_name, each)
    return Entry(call, code, description, signature)


def _write(file: Path, content: bytes) -> bool:
    """Whether content could be kept in a file, with its checksum."""
    try:
        _make_room(file.parent)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(file) as opened:
            os.chmod(opened.name, 0o600)
            opened.write(_checksum(content) + content)
    except OSError as error:
        _say_that_it_is_lost(file.parent, error)
        return False
    return True


@functools.cache
def _digest(sources: tuple[SourceFile, ...]) -> str:
    """Digest of the names and the content of source files."""
    found = hashlib.blake2b(digest_size=16)
    for source in sources:
        found.update(f"{source.name} {source.digest} ".encode())
    return found.hexdigest()


@functools.cache
def _processor(codegen: Any) -> tuple[Any, ...]:
    """The processor that code is made for."""
    return tuple(codegen.magic_tuple())


def _folder() -> Path:
    """The folder of this user's compiled code."""
    user = f"-{os.geteuid()}" if hasattr(os, "geteuid") else ""
    return cache_folder() / f"kernels{user}"


@functools.cache
def _is_ready(folder: Path) -> bool:
    """Whether code can be kept in and taken from a folder, which is made if it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ours = _is_ours(folder.stat())
    except OSError as error:
        _say_that_it_is_lost(folder, error)
        return False
    if not ours:
        _say(f"others can write {folder}: compiled code is neither taken from nor kept there")
    return ours


@functools.cache
def _make_room(folder: Path) -> None:
    """Remove the files that were used longest ago, once a process, where there are too many."""
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):  # another process has just renamed it
                files.append((entry.stat().st_mtime, entry.path))
    for _, file in sorted(files)[: max(0, len(files) - _KEPT_FILES)]:
        with contextlib.suppress(OSError):  # another process makes room as well
            os.remove(file)


def _is_ours(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user, and no other user can write it."""
    if not hasattr(os, "geteuid"):  # Windows: the cache folder lies in the user's profile
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _read(file: Path) -> bytes:
    """The checked content of a file of code.

    Raises:
        OSError: There is none.
        ValueError: It is damaged, or another user may have written it.
    """
    with file.open("rb") as opened:
        if not _is_ours(os.fstat(opened.fileno())):
            raise ValueError(f"others can write {file}")
        content = opened.read()
    checksum, content = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
    if checksum != _checksum(content):
        raise ValueError(f"{file} is damaged")
    return content


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM_BYTES).digest()


@functools.cache
def _say(line: str) -> None:
    clear_line()
    print(f"nlhe-env: {line}", file=sys.stderr)


def _say_that_it_is_lost(folder: Path, error: OSError) -> None:
    _say(f"cannot keep compiled code in {folder} ({error.strerror}): using it from memory")
