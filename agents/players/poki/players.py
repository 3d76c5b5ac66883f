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
PREFLOP_RULES = ("expert", "call")
_RANGES = {"size": (0.05, 20.0), "all_in_margin": (0.0, 4.0), "trials": (50, 100_000)}


@dataclass(frozen=True)
class PokiSettings:
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
    trap: float = 0.0
    """Highest frequency of traps before the river, those with a certain winner against one
    opponent: checks and calls in place of bets and raises, which grow rarer with weaker hands and
    more opponents."""
    preflop: str = "expert"
    """Play before the flop: by the ``"expert"``, or ``"call"`` with every hand, as in post-flop
    hold'em."""
    all_in_margin: float = 0.3
    """Factor by which a call before the river costs more than it seems."""

    trials: int = 500
    """Deals that a simulation plays at most for a decision."""

    def __post_init__(self) -> None:
        one_of("model", self.model, MODELS)
        one_of("style", self.style, tuple(STYLES))
        one_of("preflop", self.preflop, PREFLOP_RULES)
        for name, value in asdict(self).items():
            if not isinstance(value, str):
                least, most = _RANGES.get(name, (0.0, 1.0))
                if not (math.isfinite(value) and least <= value <= most):
                    raise ValueError(f"{name} must be in {least:g} .. {most:g}; got {value!r}")


PLAYERS = {
    "loki-1": (LOKI, PokiSettings()),
    "loki-2": (LOKI_2, PokiSettings(model="specific")),
    "poki": (LOKI, PokiSettings(model="best")),
    "poki-sim": (LOKI_2, PokiSettings(model="best")),
}
"""The players by their names in ``agents.make``: kind and settings."""


def alberta_player(name: str, **options: Any) -> CompiledPlayer:
    """One of ``PLAYERS``, maybe with other settings."""
    kind, usual = PLAYERS[name]
    settings = replace(usual, **options)
    numbers = {
        **asdict(settings),
        "model": MODELS.index(settings.model),
        "style": STYLES[settings.style],
        "preflop": PREFLOP_RULES.index(settings.preflop),
    }
    row = np.zeros(N_PARAMETERS, np.float32)
    row[: len(PARAMETERS)] = [numbers[key] for key in PARAMETERS]
    tables = (percentiles(), load_income_rates(), np.array(GENERIC, np.float32))
    weights = np.concatenate([row, *(table.ravel() for table in tables)])
    return CompiledPlayer(name, kind, weights)
