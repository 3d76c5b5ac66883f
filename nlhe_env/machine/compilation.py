"""The decorators behind every compiled kernel.

Kernels must not call each other in a circle: Numba cannot load such code back from disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from nlhe_env.machine.kernel_cache import KernelCache

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Compile a function to machine code without the GIL, cached on disk.

    A kernel cannot allocate memory: without Numba's memory manager nothing counts references to the
    arrays passed along, which would cost as much as the smaller kernels themselves.
    """
    compiled: _Function = _compile(function, memory=False)
    return compiled


def inlined_kernel(function: _Function) -> _Function:
    """The same for small kernels on the way of every decision, put into those that call them.

    Arrays travel as seven numbers each: the call of a kernel with many costs as much as its work.
    """
    compiled: _Function = _compile(function, memory=False, forceinline=True)
    return compiled


def allocating_kernel(function: _Function) -> _Function:
    """The same for code outside the game that needs arrays of its own."""
    compiled: _Function = _compile(function, memory=True)
    return compiled


def _compile(function: Any, *, memory: bool, forceinline: bool = False) -> Any:
    dispatcher = numba.njit(nogil=True, error_model="numpy", forceinline=forceinline, _nrt=memory)(
        function
    )
    if not numba.config.DISABLE_JIT:
        dispatcher._cache = KernelCache(function)
    return dispatcher
