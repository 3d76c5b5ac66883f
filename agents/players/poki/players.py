"""Loki and Poki as players, and their settings."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from agents.players.poki.action_frequencies import GENERIC
from agents.players.poki.formula import LOKI
from agents.players.poki.income import load_income_rates
from agents.players.poki.predictors import MODELS
from agents.players.poki.records import PARAMETERS
from agents.players.poki.simulation import LOKI_2
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.spots import N_PARAMETERS, percentiles
from nlhe_env.arguments import one_of

STYLES = {"tight": 1.0, "moderate": 0.0, "loose": -1.0}
"""Steps by which a style moves the thresholds before the flop."""
_RANGES = {"size": (0.05, 20.0), "all_in_margin": (0.0, 4.0), "trials": (50, 100_000)}


@dataclass(frozen=True)
class Settings:
    """Settings of such a player.

    Raises:
        ValueError: A value is not possible.
    """

    model: str = "generic"
    """Predictor of the opponents' actions, see ``predictors``: ``"generic"``, ``"specific"``,
    ``"network"``, or for each opponent the ``"best"`` so far."""
    style: str = "moderate"
    """Style, by the hands that it plays: ``"tight"``, ``"moderate"``, ``"loose"``."""
    bet: float = 0.0
    """How much better than an even share of what would go on a hand must be to bet half of the
    time; 1 for a certain winner."""
    raises: float = 0.1
    """Like ``bet``, to raise."""
    reraise: float = 0.3
    """Like ``bet``, to raise a raise."""
    ramp: float = 0.1
    """Range of strength over which the chance to bet rises from 0 to 1."""
    size: float = 0.75
    """Bets and raises in pots; in fixed-limit there is but one."""
    bluff: float = 0.3
    """Highest frequency of bluffs where they pay."""
    all_in_margin: float = 0.3
    """Factor by which a call before the river costs more than it seems."""

    trials: int = 500
    """Deals that a simulation plays at most for a decision."""

    def __post_init__(self) -> None:
        one_of("model", self.model, MODELS)
        one_of("style", self.style, tuple(STYLES))
        for name, value in asdict(self).items():
            if not isinstance(value, str):
                least, most = _RANGES.get(name, (0.0, 1.0))
                if not (math.isfinite(value) and least <= value <= most):
                    raise ValueError(f"{name} must be in {least:g} .. {most:g}; got {value!r}")


PLAYERS = {
    "loki-1": ("Loki1", LOKI, Settings()),
    "loki-2": ("Loki2", LOKI_2, Settings(model="specific")),
    "poki": ("Poki", LOKI, Settings(model="best")),
    "poki-sim": ("PokiSim", LOKI_2, Settings(model="best")),
}
"""The players by their names in ``agents.make``: name, kind and settings."""


def alberta_player(which: str, **options: Any) -> CompiledPlayer:
    """One of ``PLAYERS``, maybe with other settings."""
    name, kind, usual = PLAYERS[which]
    settings = replace(usual, **options)
    numbers = {
        **asdict(settings),
        "model": MODELS.index(settings.model),
        "style": STYLES[settings.style],
    }
    row = np.zeros(N_PARAMETERS, np.float32)
    row[: len(PARAMETERS)] = [numbers[name] for name in PARAMETERS]
    tables = (percentiles(), load_income_rates(), np.array(GENERIC, np.float32))
    weights = np.concatenate([row, *(table.ravel() for table in tables)])
    return CompiledPlayer(name, kind, weights)
