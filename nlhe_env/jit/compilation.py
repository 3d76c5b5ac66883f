"""Decorators for compiled kernels.

The kernel cache and the dispatcher here use internals of Numba that any minor release may change.
With other versions than those that they were tested with, and with ``NLHE_ENV_NJIT=1`` in the
environment, ``njit`` compiles the kernels: with the same results, but slower, and again in every
process.

Kernels must not call each other recursively, because Numba cannot load such code from disk. With
``NUMBA_DISABLE_JIT=1`` in the environment they run as plain Python with the same results.
"""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numba.extending
import numpy as np

_Function = TypeVar("_Function", bound=Callable[..., Any])

TESTED = ("0.68",)
"""Minor versions of Numba whose internals are known."""


def _uses_internals() -> bool:
    if os.environ.get("NLHE_ENV_NJIT", "0") not in ("", "0"):
        return False
    minor = ".".join(numba.__version__.split(".")[:2])
    if minor not in TESTED:
        warnings.warn(
            f"nlhe-env was not tested with Numba {numba.__version__}: every process compiles its "
            "kernels again, which takes minutes. To avoid that: "
            f"pip install 'numba=={TESTED[-1]}.*'",
            stacklevel=2,
        )
    return minor in TESTED


USES_INTERNALS = _uses_internals()
"""Whether kernels are compiled through Numba's internals, and not by its own ``njit``."""


def kernel(function: _Function) -> _Function:
    """Compile a function to machine code without the GIL, cached on disk.

    A kernel cannot allocate memory: it has no reference counting for array arguments, which would
    take as long as the smaller kernels themselves.
    """
    compiled: _Function = _compile(function, memory=False)
    return compiled


def inlined_kernel(function: _Function) -> _Function:
    """Compile a small kernel of a hot path like ``kernel``, inlined into its callers.

    An array is passed as seven numbers, so a call with many arrays takes as long as a small kernel.
    """
    compiled: _Function = _compile(function, memory=False, forceinline=True)
    return compiled


def allocating_kernel(function: _Function) -> _Function:
    """Compile a function like ``kernel``, for code outside the game that allocates arrays."""
    compiled: _Function = _compile(function, memory=True)
    return compiled


def plain_or_compiled(function: _Function) -> _Function:
    """Make a small function that is compiled in kernels and plain Python elsewhere.

    A kernel would have to be compiled or loaded for calls from Python.
    """
    jitable: _Function = numba.extending.register_jitable(function)
    return jitable


def direct_call(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """Machine code of a kernel for arguments with the types of these examples.

    Calls from Python skip Numba's type dispatch, which takes as long as a step of a game. Arguments
    of other types are undefined behaviour.

    >>> double = kernel(lambda number: 2 * number)
    >>> direct_call(double, 0)(21)
    42
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher: Any = function
    code: Callable[..., Any] = dispatcher.compile(tuple(map(numba.typeof, examples)))
    return code


def _compile(function: Any, *, memory: bool, forceinline: bool = False) -> Any:
    if numba.config.DISABLE_JIT:
        return _plain(function)
    options = {
        "nogil": True,
        "boundscheck": None,
        "error_model": "numpy",
        "forceinline": forceinline,
    }
    if not USES_INTERNALS:
        return numba.njit(**options)(function)
    from nlhe_env.jit.dispatcher import KernelDispatcher

    return KernelDispatcher(function, targetoptions={**options, "nopython": True, "_nrt": memory})


def _plain(function: Any) -> Any:
    """A kernel as plain Python, with record fields as attributes as in compiled code."""

    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # integers wrap around without errors
            return function(*map(with_attributes, arguments))

    return run


class _Record(np.void):  # type: ignore[misc]  # declared final, but is not
    """A record with its fields as attributes."""

    def __getattribute__(self, name: str) -> Any:
        fields = super().__getattribute__("dtype").fields
        return self[name] if name in fields else super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def with_attributes(argument: Any) -> Any:
    """Records, arrays of records, or tuples of both, with fields as attributes."""
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        return type(argument)(*map(with_attributes, argument))
    if getattr(argument, "dtype", np.dtype(int)).type is not np.void:
        return argument
    kind = np.dtype((_Record, argument.dtype))
    if isinstance(argument, np.ndarray):
        return argument.view(kind)
    return np.ndarray((1,), kind, argument.data)[0]
