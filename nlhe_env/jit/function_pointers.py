"""Kernel calls by address, which are unknown when the calling loop is compiled.

A kernel that calls another kernel by name contains its code and must be recompiled for every
alternative. By address, kernels of one signature are interchangeable: a new kernel in a separate
file works with loops compiled earlier, and is compiled only on first use. Addresses are int64
numbers for arrays, valid in one process.

>>> from nlhe_env.jit.compilation import kernel
>>> measure = Signature("a number of a row", np.float64, row=np.zeros(1), scale=1.0)
>>> call_measure = measure.call
>>> @kernel
... def total(row, scale):
...     return row.sum() * scale
>>> @kernel
... def measure_all(addresses, row):
...     found = 0.0
...     for i in range(len(addresses)):
...         found += call_measure(addresses[i], row, 2.0)
...     return found
>>> float(measure_all(np.array([measure.address_of(total)]), np.array([1.0, 2.0])))
6.0
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from nlhe_env.jit.dispatcher import KernelDispatcher

__all__ = ["NO_FUNCTION", "Signature"]

NO_FUNCTION = 0
"""The address of nothing: what arrays hold where there is no kernel to call."""


class Signature:
    """Types of the arguments and of the result of exchangeable kernels.

    Args:
        name: Name of such a kernel, for messages.
        returns: NumPy type of the result, or None.
        **arguments: An example of every argument in order, such as ``np.zeros(1)`` for float64
            arrays of one dimension, or a record; named tuples of these are possible.

    Attributes:
        call: For kernels, where it must be a global of its own: ``call(address, *arguments)``
            calls the kernel at an address. ``NO_FUNCTION`` must not be called.
    """

    def __init__(self, name: str, returns: type[np.generic] | None, **arguments: Any) -> None:
        self.name = name
        self.arguments = tuple(arguments)
        self._types = tuple(numba.typeof(example) for example in arguments.values())
        self._returns = types.void if returns is None else numba.from_dtype(np.dtype(returns))
        self._addresses: dict[Any, int] = {}  # keeps the kernels, and so their code, alive
        self._numbers = itertools.count(1)
        self._by_number: dict[int, Callable[..., Any]] = {}
        self.call = self._call_plain if numba.config.DISABLE_JIT else self._make_call()

    def address_of(self, function: Callable[..., Any]) -> int:
        """The address of a kernel, which is compiled for this signature if it has not been.

        Raises:
            TypeError: It is not a ``kernel``, or takes or returns something else.
        """
        if function not in self._addresses:
            self._addresses[function] = self._find(function)
        return self._addresses[function]

    def _find(self, function: Any) -> int:
        if numba.config.DISABLE_JIT:
            number = next(self._numbers)
            self._by_number[number] = function
            return number
        if not isinstance(function, KernelDispatcher):
            raise TypeError(f"{self.name} must be a kernel; got {function!r}")
        wanted = f"{self.name} takes ({', '.join(self.arguments)}) and returns {self._returns}"
        try:
            function.compile(self._types)
        except (numba.core.errors.NumbaError, TypeError) as error:
            raise TypeError(f"{wanted}; {function.__name__} does not: {error}") from error
        entry = function.entries[self._types]
        if entry.signature.return_type != self._returns:
            raise TypeError(f"{wanted}; {function.__name__} returns {entry.signature.return_type}")
        return entry.address

    def _call_plain(self, address: int, *arguments: Any) -> Any:
        return self._by_number[int(address)](*arguments)

    def _make_call(self) -> Any:
        result, wanted = self._returns, self._types

        @intrinsic  # type: ignore[untyped-decorator]
        def call(_typing: Any, address: Any, *arguments: Any) -> Any:
            if not isinstance(address, types.Integer) or len(arguments) != len(wanted):
                return None

            def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                given = signature.args[1]
                passed = [
                    context.cast(builder, builder.extract_value(values[1], i), given[i], wanted[i])
                    for i in range(len(wanted))
                ]
                form = context.call_conv.get_function_type(result, wanted)
                pointer = builder.inttoptr(values[0], ir.PointerType(form))
                # Kernels raise nothing: the status is not looked at.
                _, value = context.call_conv.call_function(builder, pointer, result, wanted, passed)
                return context.get_dummy_value() if result == types.void else value

            return result(address, types.Tuple(arguments)), generate

        return call
