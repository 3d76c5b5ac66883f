"""Typed wrapper of Numba's intrinsics, kernel functions that generate their own LLVM code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numba.extending
from llvmlite import ir

NumbaType: TypeAlias = Any
"""A type of Numba."""
Builder: TypeAlias = ir.IRBuilder
"""Appends instructions to the code."""
Values: TypeAlias = Sequence[ir.Value]
"""The values of a call's arguments."""
Writer: TypeAlias = Callable[..., Any]
"""Generates the code of a call from context, builder, signature and arguments."""
Intrinsic: TypeAlias = tuple[Any, Writer] | None
"""Signature for the argument types and its code generator; None if unsupported."""


def intrinsic(*, prefer_literal: bool = False) -> Callable[[Callable[..., Intrinsic]], Any]:
    """Decorator of a function from argument types to the code generator of a call.

    Args:
        prefer_literal: Whether the types include the values of constants.
    """
    decorate: Callable[[Callable[..., Intrinsic]], Any] = numba.extending.intrinsic(
        prefer_literal=prefer_literal
    )
    return decorate
