"""Array types used in signatures."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Bool: TypeAlias = npt.NDArray[np.bool_]
F32: TypeAlias = npt.NDArray[np.float32]
F64: TypeAlias = npt.NDArray[np.float64]
I8: TypeAlias = npt.NDArray[np.int8]
I32: TypeAlias = npt.NDArray[np.int32]
I64: TypeAlias = npt.NDArray[np.int64]
U8: TypeAlias = npt.NDArray[np.uint8]
U16: TypeAlias = npt.NDArray[np.uint16]
I16: TypeAlias = npt.NDArray[np.int16]
U32: TypeAlias = npt.NDArray[np.uint32]
U64: TypeAlias = npt.NDArray[np.uint64]
Record: TypeAlias = Any
"""A record; in kernels its fields are attributes."""
Records: TypeAlias = npt.NDArray[Any]
"""A structured array, such as the table records."""

Int: TypeAlias = int | np.integer[Any]
"""An integer in a kernel."""
Float: TypeAlias = float | np.floating[Any]
"""A float in a kernel."""
Truth: TypeAlias = bool | np.bool_
"""A boolean in a kernel."""
LaneValues: TypeAlias = Any
"""A vector of numbers, see ``nlhe_env.numerics``."""
AnyArray: TypeAlias = npt.NDArray[Any]
