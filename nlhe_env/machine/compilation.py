"""The decorator behind every compiled kernel, and the disk cache of compiled code.

Numba keys its own cache on the file that holds a function, so an edit in an imported file leaves
stale machine code behind, and a read-only installation has nowhere to cache. Here the key is a
digest of all sources, and the files lie in the user's cache folder.

Kernels must not call each other in a circle: Numba cannot load such code back
from disk.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    _CacheLocator,
)

from nlhe_env.machine.cache_folders import kernel_cache_folder

_Function = TypeVar("_Function", bound=Callable[..., Any])


@functools.cache
def _source_digest(package: Path) -> str:
    """Digest of all sources that a kernel in ``package`` may depend on."""
    digest = hashlib.blake2b(digest_size=16)
    game = Path(__file__).parents[1]
    for folder in sorted({game, game.with_name("agents"), package}):
        for path in sorted(folder.rglob("*.py")):
            digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


class _Locator(_CacheLocator):
    def __init__(self, py_file: str, line: int) -> None:
        self._py_file = py_file
        self._line = line
        self._package = Path(py_file).parent
        while (self._package.parent / "__init__.py").exists():
            self._package = self._package.parent

    def get_cache_path(self) -> str:
        return str(kernel_cache_folder(self._package))

    def get_source_stamp(self) -> str:
        return _source_digest(self._package)

    def get_disambiguator(self) -> str:
        # Functions of the same name in files of the same name are told apart by their folder.
        folder = hashlib.blake2b(str(Path(self._py_file).parent).encode(), digest_size=3)
        return f"{folder.hexdigest()}-{self._line}"

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator | None:
        if not Path(py_file).is_file():
            return None
        locator = cls(py_file, py_func.__code__.co_firstlineno)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012  (as Numba declares it)


class _KernelCacheFile(IndexDataCacheFile):
    """The files of a kernel, which several processes may write at once.

    Numba numbers the files of machine code. Of two processes that compile a kernel for different
    arguments, one could then store an index that names the file of the other. Here a file is named
    after what it holds: an index that one overwrites for the other only lacks something.
    """

    def save(self, key: Any, data: Any) -> None:
        what = hashlib.blake2b(str(key).encode(), digest_size=8).hexdigest()
        name = f"{Path(self._index_name).stem}.{what}.nbc"
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})


class _KernelCache(FunctionCache):
    _impl_class = _KernelCacheImpl

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _KernelCacheFile(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        compiled = super().load_overload(sig, target_context)
        if compiled is None:
            _say_why_it_takes_time()
        return compiled


@functools.cache
def _say_why_it_takes_time() -> None:
    print(
        "nlhe-env: compiling the game, once after every installation (up to half a minute)",
        file=sys.stderr,
    )


def _compile(function: Any, *, memory: bool) -> Any:
    dispatcher = numba.njit(nogil=True, error_model="numpy", _nrt=memory)(function)
    if not numba.config.DISABLE_JIT:
        with contextlib.suppress(RuntimeError):  # nowhere to write: compile in every process
            dispatcher._cache = _KernelCache(function)
    return dispatcher


def kernel(function: _Function) -> _Function:
    """Compile a function to machine code without the GIL, cached on disk.

    A kernel cannot allocate memory: without Numba's memory manager nothing counts references to the
    arrays passed along, which would cost as much as the smaller kernels themselves.
    """
    compiled: _Function = _compile(function, memory=False)
    return compiled


def allocating_kernel(function: _Function) -> _Function:
    """The same for code outside the game that needs arrays of its own."""
    compiled: _Function = _compile(function, memory=True)
    return compiled
