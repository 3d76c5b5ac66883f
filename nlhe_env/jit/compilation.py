"""The decorators behind every compiled kernel.

Kernels must not call each other recursively, since Numba cannot load such code from disk. With
``NUMBA_DISABLE_JIT=1`` in the environment they run as plain Python, with the same results.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numba.extending
import numpy as np

from nlhe_env.jit.dispatcher import KernelDispatcher

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Compile a function to machine code without the GIL, cached on disk.

    A kernel cannot allocate memory: without Numba's memory manager nothing counts references to the
    arrays passed along, which would cost as much as the smaller kernels themselves.
    """
    compiled: _Function = _compile(function, memory=False)
    return compiled


def inlined_kernel(function: _Function) -> _Function:
    """Compile a small kernel of the hot path as ``kernel`` does, inlined into its callers.

    Arrays travel as seven numbers each: the call of a kernel with many costs as much as its work.
    """
    compiled: _Function = _compile(function, memory=False, forceinline=True)
    return compiled


def allocating_kernel(function: _Function) -> _Function:
    """Compile a function as ``kernel`` does, for code outside the game that allocates arrays."""
    compiled: _Function = _compile(function, memory=True)
    return compiled


def plain_or_compiled(function: _Function) -> _Function:
    """Make a small function usable in kernels, where it is compiled, and plain elsewhere.

    A kernel that Python calls would be compiled, or loaded, for that call.
    """
    jitable: _Function = numba.extending.register_jitable(function)
    return jitable


def direct_call(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """The machine code of a kernel for arguments of the types of these examples.

    Called from Python it does not look for the types of its arguments, which takes Numba as long as
    a step of a game: arguments of other types must not be given to it.

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
        "nopython": True,
        "nogil": True,
        "boundscheck": None,
        "error_model": "numpy",
        "forceinline": forceinline,
        "_nrt": memory,
    }
    return KernelDispatcher(function, targetoptions=options)


def _plain(function: Any) -> Any:
    """A kernel as plain Python, where the fields of records are attributes as in compiled code."""

    @functools.wraps(function)
    def run(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # whole numbers wrap around, and nothing is raised
            return function(*map(with_attributes, arguments))

    return run


class _Record(np.void):  # type: ignore[misc]  # said to be final, and is not
    """A record whose fields are attributes."""

    def __getattribute__(self, name: str) -> Any:
        fields = super().__getattribute__("dtype").fields
        return self[name] if name in fields else super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def with_attributes(argument: Any) -> Any:
    """Records, arrays of them and tuples with both, so that fields are attributes."""
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        return type(argument)(*map(with_attributes, argument))
    if getattr(argument, "dtype", np.dtype(int)).type is not np.void:
        return argument
    kind = np.dtype((_Record, argument.dtype))
    if isinstance(argument, np.ndarray):
        return argument.view(kind)
    return np.ndarray((1,), kind, argument.data)[0]
