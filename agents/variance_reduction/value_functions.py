"""Named value functions of AIVAT, fixed before the hands are played."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nlhe_env.arguments import array, whole_number
from nlhe_env.assessment.estimators.aivat_values import (
    N_NUMBERS,
    VALUE_KERNEL,
    value_by_equity,
    value_by_table,
)
from nlhe_env.jit.array_types import F64
from nlhe_env.system.files import load_npz, replacing

_FORMAT = 1
_DIGITS = 12


@dataclass(frozen=True, eq=False)
class ValueFunction:
    """Immutable value function of hand states: a kernel with numbers.

    Args:
        name: Name for reports.
        kernel: A kernel with the signature ``VALUE_KERNEL``, see ``agents.kernels``.
        numbers: At most 2,048 numbers, stored as a read-only copy.

    Raises:
        ValueError: There are too many numbers, or a number is not finite.
    """

    name: str
    kernel: Callable[..., Any] = field(default=value_by_equity, repr=False)
    numbers: F64 = field(default_factory=lambda: np.zeros(0), repr=False)

    def __post_init__(self) -> None:
        numbers = np.array(self.numbers, np.float64).ravel()
        if len(numbers) > N_NUMBERS or not np.isfinite(numbers).all():
            raise ValueError(
                f"numbers must be at most {N_NUMBERS}, all finite; got {len(numbers)} of which "
                f"{int((~np.isfinite(numbers)).sum())} are not"
            )
        numbers.setflags(write=False)
        object.__setattr__(self, "numbers", numbers)

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change with the kernel's source or any number."""
        source = inspect.getsource(getattr(self.kernel, "py_func", self.kernel))
        content = source.encode() + np.ascontiguousarray(self.numbers, "<f8").tobytes()
        return hashlib.sha256(content).hexdigest()[:_DIGITS]

    def __str__(self) -> str:
        return f"{self.name} ({self.digest})"

    @property
    def address(self) -> int:
        """Address of the kernel, in this process."""
        return VALUE_KERNEL.address_of(self.kernel)

    def save(self, path: str | Path) -> Path:
        """Write a table to a ``.npz`` file, for ``load_value_function``.

        Raises:
            ValueError: The value function is not a table, since files do not hold code.
        """
        if self.kernel is not value_by_table:
            raise ValueError(f"only tables of values can be saved; {self.name} is a kernel")
        target = Path(path)
        with replacing(target, through=True) as file:
            np.savez(file, format=_FORMAT, name=self.name, numbers=self.numbers)
        return target


EQUITY = ValueFunction("equity")
"""Value without further bets: equity in the pot, given all cards."""


def table_of_values(name: str, numbers: F64) -> ValueFunction:
    """Value function from the numbers of a table, see ``fit_value_function``."""
    return ValueFunction(name, value_by_table, numbers)


def load_value_function(path: str | Path) -> ValueFunction:
    """Load a table from ``ValueFunction.save``.

    Raises:
        ValueError: The file is missing or has another format.
    """
    try:
        file = load_npz(Path(path))
        version = whole_number("format", file["format"].item(), least=0)
        name, numbers = str(file["name"]), array("numbers", file["numbers"], (None,))
    except (OSError, KeyError, ValueError, TypeError) as error:
        what = (
            "does not exist" if isinstance(error, FileNotFoundError) else "is not a value function"
        )
        raise ValueError(
            f'{path} {what}: a value function is "equity", or a .npz file written by '
            "ValueFunction.save"
        ) from error
    if version != _FORMAT:
        raise ValueError(f"{path} is of format {version}; this version reads {_FORMAT}")
    return table_of_values(name, numbers)


def as_value_function(value: ValueFunction | str | Path) -> ValueFunction:
    """Value function from a value function, a name or a file.

    Raises:
        ValueError: The name or file is unknown.
    """
    if isinstance(value, ValueFunction):
        return value
    return EQUITY if value == "equity" else load_value_function(value)
