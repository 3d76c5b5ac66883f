"""Disk cache of compiled kernels, with keys that cover everything the code depends on.

Numba's own cache checks only the file of a function, so an edit in an imported file leaves stale
code; it does not validate the files it reads; and it has no place to write for packages installed
read-only. Here code is stored in the user's cache folder:

- one file for each kernel and signature. Its name is a digest of both, the processor, the versions
  of Python, Numba and LLVM, and the sources of the kernel: its module and all modules imported
  directly or indirectly. Equal installations share code, and an edit recompiles only code that it
  can affect. There is no index that could become inconsistent;
- the LLVM code of a kernel in ``.code``, for its callers, with the file names and checksums of its
  callees. Machine code for calls from Python in ``.entry``, with all its callees;
- a checksum in every file, which is verified first. Damaged code is compiled again;
- a kernel is compiled by one process at a time: the others wait for its file;
- at most 20,000 files, the most recently used.

The code is pickled, and unpickling can execute arbitrary code. So only folders and files are read
that belong to this user and are not writable by others; in a shared cache folder every user has a
folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from nlhe_env.jit.code_library import Entry, EntryCode, KernelCode
from nlhe_env.system.compilation_progress import (
    begin_kernel,
    begin_machine_code,
    clear_line,
    end_kernel,
)
from nlhe_env.system.files import cache_folder, is_ours, replacing

try:
    import fcntl
except ImportError:  # Windows: processes may compile the same kernel
    fcntl = None  # type: ignore[assignment]

_KEPT_FILES = 20_000
"""Number of recently used files to keep, enough for several checkouts with many edits."""

_CLAIMS = "claims.lock"
"""File whose bytes processes lock while they compile."""
_CHECKSUM_BYTES = 32
_VERSIONS = (
    # Free-threaded Python has another memory layout of objects with the same version and tag.
    sys.implementation.cache_tag + getattr(sys, "abiflags", ""),
    platform.python_version(),
    sys.platform,
    numba.__version__,
    llvmlite.__version__,
)

_OURS = Path(__file__).parents[2]
"""Folder of our packages."""

# Parsing syntax trees at every start would take about ten times as long.
_STATEMENT = re.compile(
    r"""(?:^|[;:])[ \t]*
    (?:from[ \t]+(?P<package>\.*[\w.]*)[ \t]*import\b[ \t]*
       (?P<names>\((?:[^)#]|\#.*)*\)|(?:[^\\\n;]|\\\n)+)
    |import[ \t]+(?P<modules>(?:[^\\\n;]|\\\n)+))""",
    re.MULTILINE | re.VERBOSE,
)
_COMMENT = re.compile(r"#.*")


class KernelCache(NullCache):
    """Cached code of one function, for its dispatcher."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Args: function: Function to compile; its code is cached if it is defined in a file."""
        self._function = function
        source = Path(function.__code__.co_filename)
        # Read during the import of the module, because a later edit would not match the running
        # code.
        self._sources = import_closure(source) if source.is_file() else None

    @property
    def cache_path(self) -> str:
        """Folder of compiled code; empty for a function without a file."""
        return str(_folder()) if self._sources else ""

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Sound LLVM code for a signature, or None."""
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
        """Sound machine code for a signature, or None."""
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

    @contextlib.contextmanager
    def claim(self, sig: Any, codegen: Any, kind: str, *, wait: bool = True) -> Iterator[bool]:
        """Hold the right to compile for a signature, which ends with the process at the latest.

        Args:
            sig: The signature.
            codegen: Numba's code generator.
            kind: ``"code"`` or ``"entry"``.
            wait: Whether to wait for another process that holds it.

        Yields:
            Whether the code is still to be compiled by this process.
        """
        folder = _folder()
        if fcntl is None or not self._sources or not _is_ready(folder):
            yield True
            return
        file = self._file(self._key(sig, codegen), kind)
        if file.is_file():
            yield False
            return
        # One byte of the lock file for each kernel. Kernels are never recursive, so that no two
        # processes wait for each other.
        place = int.from_bytes(hashlib.blake2b(file.name.encode(), digest_size=6).digest())
        try:
            locks = _lock_file(folder)
            fcntl.lockf(locks, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, place)
        except OSError:  # held by another process, or no place for locks
            yield wait
            return
        try:
            yield not file.is_file()
        finally:
            fcntl.lockf(locks, fcntl.LOCK_UN, 1, place)

    def begin_entry(self) -> None:
        """Show that machine code is being generated."""
        begin_machine_code(self._function)

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Store the LLVM code for a signature, if possible."""
        code = compiled.library
        if self._can_keep(code) and all(callee.file for callee in code.callees):
            key = self._key(sig, code.codegen)
            file = self._file(key, "code")
            # A file written by another process in the meantime stays, because its other files refer
            # to it.
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
        """Store the machine code for a signature, if possible."""
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
        """Everything that the code depends on."""
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
"""LLVM code of this process that is stored on disk: checksum and code by file."""


def _sound(file: Path, load: Callable[[Path], Any]) -> Any:
    """Content loaded from a file; None if it is missing or unusable."""
    try:
        found = load(file)
    except FileNotFoundError:
        return None
    except Exception:  # damage that the checksum does not reveal
        with contextlib.suppress(OSError):
            file.unlink()  # make room for sound code
        return None
    with contextlib.suppress(OSError):  # a read-only cache works as well
        os.utime(file)
    return found


def _load(file: Path, key: str | None = None, checksum: bytes | None = None) -> CompileResult:
    """LLVM code of a kernel with that of its callees.

    Args:
        file: The file of the code.
        key: Expected key of the code, if known.
        checksum: Expected checksum of the file, if known.

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
    """Write content with its checksum to a file; returns whether that succeeded."""
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
def _digest(sources: tuple[_SourceFile, ...]) -> str:
    """Digest of the names and the content of source files."""
    found = hashlib.blake2b(digest_size=16)
    for source in sources:
        found.update(f"{source.name} {source.digest} ".encode())
    return found.hexdigest()


@functools.cache
def _processor(codegen: Any) -> tuple[Any, ...]:
    """Target processor of the code."""
    return tuple(codegen.magic_tuple())


def take_place(n_places: int) -> bool:
    """Whether this process is now one of at most so many that compile for others."""
    for place in range(n_places):
        with contextlib.suppress(OSError):
            fcntl.lockf(_lock_file(_folder()), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            return True
    return False


def n_stored() -> int:
    """Number of files of compiled code on disk."""
    with contextlib.suppress(OSError):
        return len(os.listdir(_folder()))
    return 0


def _folder() -> Path:
    """The folder of this user's compiled code."""
    user = f"-{os.geteuid()}" if hasattr(os, "geteuid") else ""
    return cache_folder() / f"kernels{user}"


@functools.cache
def _lock_file(folder: Path) -> int:
    """Descriptor of the file of claims, open as long as the process: closing it ends them all."""
    return os.open(folder / _CLAIMS, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@functools.cache
def _is_ready(folder: Path) -> bool:
    """Whether a folder, created if missing, can be used for code."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ours = is_ours(folder.stat())
    except OSError as error:
        _say_that_it_is_lost(folder, error)
        return False
    if not ours:
        _say(f"others can write {folder}: compiled code is neither taken from nor kept there")
    return ours


@functools.cache
def _make_room(folder: Path) -> None:
    """Remove the least recently used files above the limit, once per process."""
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == _CLAIMS:
                continue
            with contextlib.suppress(FileNotFoundError):  # another process has just renamed it
                files.append((entry.stat().st_mtime, entry.path))
    for _, file in sorted(files)[: max(0, len(files) - _KEPT_FILES)]:
        with contextlib.suppress(OSError):  # another process is also removing files
            os.remove(file)


def _read(file: Path) -> bytes:
    """The checked content of a file of code.

    Raises:
        OSError: There is no file.
        ValueError: The file is damaged, or another user may have written it.
    """
    with file.open("rb") as opened:
        if not is_ours(os.fstat(opened.fileno())):
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


class _SourceFile:
    """A source file, as first read.

    Attributes:
        name: Path relative to the folder of its outermost package, with slashes.
        digest: Digest of the content.
        imports: Files of its import statements.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self._path = path
        self._time = self._read_time()
        try:
            content = path.read_bytes()
        except OSError:
            content = b""
        self.name = path.relative_to(root).as_posix()
        self.digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        text = content.decode(errors="replace")
        self.imports = tuple(sorted(set(_imports(text, path, root))))

    def has_changed(self) -> bool:
        """Whether the file was written since."""
        return self._time != self._read_time()

    def _read_time(self) -> int:
        try:
            return self._path.stat().st_mtime_ns
        except OSError:
            return 0


@functools.cache
def import_closure(path: Path) -> tuple[_SourceFile, ...]:
    """The source files that a module's code can depend on: its own and all imported, by name.

    Imports are followed, also inside functions, to modules below the folder of the module's
    outermost package and to our own packages, but not to other libraries. ``from package import
    name`` refers to the module of that name, or to the package if its ``__init__`` defines the
    name. The parent packages of a module imported by its full name are ignored, because its code
    does not depend on their ``__init__``. ``__init__.pyi``, which names the modules of a package's
    public names, counts with ``__init__``.
    """
    found: dict[Path, _SourceFile] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found[file] = _source_file(file)
            waiting += found[file].imports
    return tuple(sorted(found.values(), key=lambda file: file.name))


@functools.cache
def _source_file(path: Path) -> _SourceFile:
    return _SourceFile(path, _root_of(path.parent))


@functools.cache
def _root_of(folder: Path) -> Path:
    """Parent folder of the outermost package of a folder."""
    return _root_of(folder.parent) if _is_file(folder / "__init__.py") else folder


@functools.cache
def _is_file(path: Path) -> bool:
    return path.is_file()


def _imports(text: str, path: Path, root: Path) -> Iterator[Path]:
    for statement in _STATEMENT.finditer(text):
        if statement["modules"] is not None:
            for module in _names(statement["modules"]):
                yield from _file_of(module, root)
            continue
        package = statement["package"]
        if package.startswith("."):
            levels = len(package) - len(package.lstrip("."))
            parts = path.relative_to(root).parts[:-levels]
            package = ".".join((*parts, package.lstrip("."))).strip(".")
        for name in _names(statement["names"]):
            yield from _file_of(f"{package}.{name}", root) or _file_of(package, root)


def _names(names: str) -> list[str]:
    """Modules or attributes of an import statement, without aliases."""
    plain = _COMMENT.sub("", names).strip("() \t\n").replace("\\\n", " ")
    return [name.split()[0] for name in plain.split(",") if name.split()]


@functools.cache
def _file_of(module: str, root: Path) -> tuple[Path, ...]:
    """File of a module by its full name, and its stub, if it is near the importing one or ours."""
    for folder in dict.fromkeys((root, _OURS)):
        base = folder.joinpath(*module.split("."))
        for file in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
            if _is_file(file):
                stub = file.with_suffix(".pyi")
                return (file, stub) if _is_file(stub) else (file,)
    return ()
