"""Machine code on disk, found again by everything that went into it.

Numba's own cache looks only at the file that holds a function, so that an edit in an imported file
leaves stale code behind; it believes every byte that it reads; and it has nowhere to write for a
package that is installed read-only. Here code lies in the user's cache folder:

- one file for each kernel and types of its arguments. Its name is a digest of these, of the
  processor, of the versions of Python, Numba and LLVM, and of the sources of the kernel: its module
  and all modules that this imports, directly or not. Installations of equal content share code, and
  an edit asks for new code only where it can matter. There is no index to get out of step;
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

from nlhe_env.jit.import_closure import import_closure
from nlhe_env.system.cache_folders import cache_folder
from nlhe_env.system.compilation_progress import begin_kernel, clear_line, end_kernel
from nlhe_env.system.files import replacing

_KEPT_FILES = 20_000
"""So many of the files used last stay: several checkouts, and many edits in each."""

_CHECKSUM_BYTES = 32
_VERSIONS = (
    sys.implementation.cache_tag,
    platform.python_version(),
    sys.platform,
    numba.__version__,
    llvmlite.__version__,
)


class KernelCache(NullCache):
    """The cached code of one function, as Numba's dispatchers and C callbacks ask for it."""

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
        """The code for a signature; None if there is none that is sound."""
        target_context.refresh()
        compiled = None
        if self._sources and _is_ready(_folder()):
            key = self._key(sig, target_context.codegen())
            file = self._file(key)
            with contextlib.suppress(Exception):  # whatever damage the checksum does not show
                found, parts = pickle.loads(_read(file))
                if found == key:
                    compiled = CompileResult._rebuild(target_context, *parts)
            if compiled is not None:
                with contextlib.suppress(OSError):  # a cache that can only be read serves as well
                    os.utime(file)
        if compiled is None:
            begin_kernel(self._function)
        else:
            end_kernel()
        return compiled

    def save_overload(self, sig: Any, compiled: Any) -> None:
        """Keep the code for a signature, if that is possible."""
        self._save(sig, compiled)
        end_kernel()

    def _save(self, sig: Any, compiled: Any) -> None:
        if self._sources is None or not _is_ready(_folder()):
            return
        if any(source.has_changed() for source in self._sources):
            return
        if compiled.library.has_dynamic_globals:
            name = self._function.__qualname__
            warnings.warn(f"{name} holds addresses and cannot be kept on disk", stacklevel=2)
            return
        key = self._key(sig, compiled.codegen)
        content = dumps((key, compiled._reduce()))
        file = self._file(key)
        try:
            _make_room(file.parent)
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(file) as opened:
                os.chmod(opened.name, 0o600)
                opened.write(_checksum(content) + content)
        except OSError as error:
            _say_that_it_is_lost(file.parent, error)

    def _key(self, sig: Any, codegen: Any) -> str:
        """All that the code depends on."""
        function = self._function
        sources = hashlib.blake2b(digest_size=16)
        for source in self._sources or ():
            sources.update(f"{source.name} {source.digest} ".encode())
        cells = dumps(tuple(cell.cell_contents for cell in function.__closure__ or ()))
        return repr(
            (
                function.__module__,
                function.__qualname__,
                function.__code__.co_firstlineno,
                sources.hexdigest(),
                str(sig),
                hashlib.blake2b(cells).hexdigest(),
                codegen.magic_tuple(),
                _VERSIONS,
            )
        )

    def _file(self, key: str) -> Path:
        digest = hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
        return _folder() / f"{self._function.__name__.strip('<>')}-{digest}.code"


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
    files = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(folder)]
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
