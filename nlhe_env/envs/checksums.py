"""Checksums and layouts of saved and pickled games.

Kernels trust their records: one number out of range reads foreign memory.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Iterable

import numpy as np

from nlhe_env.jit.array_types import AnyArray

SEAL = "seal"
"""Key of the seal in the state of a pickle."""


def checksum(arrays: Iterable[AnyArray]) -> int:
    """CRC-32 of the concatenated bytes of contiguous arrays."""
    value = 0
    for array in arrays:
        value = zlib.crc32(array.reshape(-1).view(np.uint8).data, value)
    return value


def seal(arrays: Iterable[AnyArray]) -> tuple[int, int]:
    """Layout and checksum of the arrays of a game."""
    kept = list(arrays)
    return _layout_of(kept), checksum(kept)


def check_seal(found: tuple[int, int] | None, arrays: Iterable[AnyArray]) -> None:
    """Verify arrays against their stored layout and checksum.

    Raises:
        ValueError: The arrays were changed, or stored by a version with other records.
    """
    kept = list(arrays)
    if found is None or found[0] != _layout_of(kept):
        raise ValueError("this game was pickled by another version of nlhe-env")
    if found[1] != checksum(kept):
        raise ValueError("this pickled game is damaged")


def _layout_of(arrays: list[AnyArray]) -> int:
    shapes = "".join(str(array.shape) for array in arrays)
    return zlib.crc32(shapes.encode(), _layout(tuple(array.dtype for array in arrays)))


@functools.cache
def _layout(dtypes: tuple[np.dtype[np.void], ...]) -> int:
    return zlib.crc32("".join(map(str, dtypes)).encode())
