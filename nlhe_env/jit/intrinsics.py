"""Functions of kernels that write their machine code themselves, with types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numba.extending

NumbaType: TypeAlias = Any
"""A type of Numba."""
Writer: TypeAlias = Callable[..., Any]
"""Writes the code of a call: of context, builder, signature and arguments."""
Intrinsic: TypeAlias = tuple[Any, Writer] | None
"""The signature for arguments of some types and its writer; None where there is none."""


def intrinsic(*, prefer_literal: bool = False) -> Callable[[Callable[..., Intrinsic]], Any]:
    """Decorator of a function from the types of the arguments to the code of a call.

    Args:
        prefer_literal: Whether the types say the values of constants.
    """
    decorate: Callable[[Callable[..., Intrinsic]], Any] = numba.extending.intrinsic(
        prefer_literal=prefer_literal
    )
    return decorate
