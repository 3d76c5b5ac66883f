"""Kernel calls by address, for kernels unknown when the calling loop is compiled.

A kernel that calls another by name contains its code and must be recompiled for every alternative.
By address, kernels with the same signature are interchangeable: a new kernel in a separate file
works with existing compiled loops, and is compiled on first use. Addresses are int64 numbers, which
arrays can hold, valid in one process.

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
from numba.extending import intrinsic, is_jitted

from nlhe_env.jit.compilation import USES_INTERNALS

__all__ = ["NO_FUNCTION", "Signature"]

NO_FUNCTION = 0
"""Null address, for array entries without a kernel."""


class Signature:
    """Argument and result types of interchangeable kernels.

    Args:
        name: Name of the kernels in messages.
        returns: NumPy type of the result, or None.
        **arguments: Example of every argument in order, such as ``np.zeros(1)`` for 1-D float64
            arrays, a record, or a named tuple of these.

    Attributes:
        call: ``call(address, *arguments)`` calls the kernel at an address, in kernels that have it
            as a global variable. The address must not be ``NO_FUNCTION``.
    """

    def __init__(self, name: str, returns: type[np.generic] | None, **arguments: Any) -> None:
        self.name = name
        self.arguments = tuple(arguments)
        self._types = tuple(numba.typeof(example) for example in arguments.values())
        self._returns = types.void if returns is None else numba.from_dtype(np.dtype(returns))
        self._addresses: dict[Any, int] = {}  # keeps the kernels and their code alive
        self._numbers = itertools.count(1)
        self._by_number: dict[int, Callable[..., Any]] = {}
        self.call = self._call_plain if numba.config.DISABLE_JIT else self._make_call()

    def address_of(self, function: Callable[..., Any]) -> int:
        """Address of a kernel, which is compiled for this signature if necessary.

        Raises:
            TypeError: The function is not a ``kernel`` or has another signature.
        """
        if function not in self._addresses:
            self._addresses[function] = self._find(function)
        return self._addresses[function]

    def _find(self, function: Any) -> int:
        if numba.config.DISABLE_JIT:
            number = next(self._numbers)
            self._by_number[number] = function
            return number
        if not (hasattr(function, "entries") if USES_INTERNALS else is_jitted(function)):
            raise TypeError(f"{self.name} must be a kernel; got {function!r}")
        wanted = f"{self.name} takes ({', '.join(self.arguments)}) and returns {self._returns}"
        try:
            function.compile(self._types)
        except (numba.core.errors.NumbaError, TypeError) as error:
            raise TypeError(f"{wanted}; {function.__name__} does not: {error}") from error
        entry = (function.entries if USES_INTERNALS else function.overloads)[self._types]
        if entry.signature.return_type != self._returns:
            raise TypeError(f"{wanted}; {function.__name__} returns {entry.signature.return_type}")
        if USES_INTERNALS:
            return int(entry.address)
        return int(entry.library.get_pointer_to_function(entry.fndesc.llvm_func_name))

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
                # Kernels raise no exceptions, so the status is ignored.
                _, value = context.call_conv.call_function(builder, pointer, result, wanted, passed)
                return context.get_dummy_value() if result == types.void else value

            return result(address, types.Tuple(arguments)), generate

        return call
