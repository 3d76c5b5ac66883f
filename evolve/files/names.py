"""Prefixed names for arrays of several parts in one file."""

from __future__ import annotations

from collections.abc import Mapping

from nlhe_env.jit.array_types import AnyArray


def prefixed(name: str, arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Arrays of a part, with its name as a prefix."""
    return {f"{name}_{key}": array for key, array in arrays.items()}


def part(name: str, arrays: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
    """Arrays of a part, without the prefix.

    >>> import numpy as np
    >>> part("hall", {"hall_weights": np.arange(2), "seed": np.array(1)})
    {'weights': array([0, 1])}
    """
    begin = f"{name}_"
    return {
        key.removeprefix(begin): array for key, array in arrays.items() if key.startswith(begin)
    }
