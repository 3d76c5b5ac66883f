"""Checks that the configurations share: each message names the value and what is allowed."""

from __future__ import annotations

import math
import re
from typing import Any, get_args

from agents.compiled.network import MAX_LAYERS
from nlhe_env import BlindSchedule

LARGEST_SEED = 2**63 - 1  # the largest integer of a TOML file

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_BLINDS = re.compile(r"(\d+)/(\d+)(?:/(\d+))?")


class Checked:
    """A frozen dataclass that checks its values."""

    hidden: tuple[int, ...]

    def _check_name(self, name: object) -> None:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(
                "name must consist of letters, digits, dots, dashes and underscores and begin "
                f"with a letter or digit; got {name!r}"
            )

    def _check_hidden(self) -> None:
        layers: object = self.hidden
        if isinstance(layers, list):  # as TOML has it
            object.__setattr__(self, "hidden", layers := tuple(layers))
        if (
            not isinstance(layers, tuple)
            or not 1 <= len(layers) <= MAX_LAYERS - 2  # inputs and outputs are layers too
            or not all(isinstance(units, int) and units is not True for units in layers)
            or min(layers) < 1
        ):
            raise ValueError(
                "hidden must be the units of one to four hidden layers, whole numbers of at least "
                f"1; got {layers!r}"
            )

    def _yes_or_no(self, key: str) -> None:
        if not isinstance(getattr(self, key), bool):
            raise ValueError(f"{key} must be true or false; got {getattr(self, key)!r}")

    def _whole(self, key: str, least: int, most: int | None = None) -> None:
        value = getattr(self, key)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or value < least or (most is not None and value > most):
            allowed = f"of at least {least}" if most is None else f"in {least}..{most}"
            raise ValueError(f"{key} must be a whole number {allowed}; got {value!r}")

    def _number(self, key: str, least: float, most: float = math.inf) -> None:
        value = getattr(self, key)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not least <= value <= most or math.isinf(value):
            allowed = f"of at least {least:g}" if math.isinf(most) else f"in {least:g}..{most:g}"
            raise ValueError(f"{key} must be a number {allowed}; got {value!r}")

    def _one_of(self, key: str, choices: Any) -> None:
        value, allowed = getattr(self, key), get_args(choices)
        if value not in allowed:
            listed = " or ".join(map(repr, allowed))
            raise ValueError(f"{key} must be {listed}; got {value!r}")


def blind_schedule(text: str) -> BlindSchedule:
    """The blinds that a configuration names.

    Raises:
        ValueError: ``text`` is neither ``"pokerstars"`` nor ``"SB/BB"`` nor ``"SB/BB/ANTE"``.
    """
    if text == "pokerstars":
        return BlindSchedule.pokerstars()
    amounts = _BLINDS.fullmatch(text) if isinstance(text, str) else None
    if amounts is None:
        raise ValueError(
            'blinds must be "pokerstars", or fixed blinds as "SB/BB" or "SB/BB/ANTE" in chips; '
            f"got {text!r}"
        )
    try:
        return BlindSchedule.of(tuple(int(amount) for amount in amounts.groups() if amount))
    except ValueError as error:
        raise ValueError(f"blinds {text!r}: {error}") from error
