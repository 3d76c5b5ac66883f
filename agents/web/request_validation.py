"""Validation of numbers in requests."""

from __future__ import annotations

from typing import Any


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """Integer, possibly given as text, between limits.

    Raises:
        ValueError: The value is not an integer or is outside the limits.
    """
    number = value
    if isinstance(value, str) and value.isdecimal() and value.isascii() and len(value) <= 20:
        number = int(value)
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}")
    return number
