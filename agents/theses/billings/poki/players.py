"""Loki and Poki as players, their settings, and the income rates that they use before the flop."""

from __future__ import annotations

import functools
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.spots import N_PARAMETERS, percentiles
from agents.theses.billings.poki.action_frequencies import GENERIC
from agents.theses.billings.poki.formula import LOKI
from agents.theses.billings.poki.predictors import MODELS
from agents.theses.billings.poki.records import MOST_TRIALS, PARAMETERS
from agents.theses.billings.poki.simulation import LOKI_2
from nlhe_env.arguments import one_of
from nlhe_env.assessment.income_rates import MAX_PLAYERS, MIN_PLAYERS, income_rates
from nlhe_env.jit.array_types import F32

FILE = Path(__file__).parents[1] / "data" / "income-rates.npz"
_HANDS = 40_000_000


def make_income_rates(hands: int = _HANDS, seed: int = 0) -> dict[str, F32]:
    """Income rates: winnings by hole-card class if all players call one bet to a showdown.

    Args:
        hands: Number of dealt hands for each number of players.
        seed: Seed of the hands.

    Returns:
        Rates and standard errors in thousandths of a bet, both ``(169, 9)``: 2 to 10 players.
    """
    found = [
        income_rates(n, n_games=hands // n, seed=seed) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)
    ]

    def column(what: str) -> F32:
        return np.stack([getattr(each, what) for each in found], axis=1).astype(np.float32)

    return {"rates": column("rates"), "standard_errors": column("standard_errors")}


@functools.cache
def load_income_rates() -> F32:
    """``(169, 9)`` shipped rates in thousandths of a bet, by class and opponents less one.

    They are those of ``make_income_rates``, which reproduces them in seconds.
    """
    with np.load(FILE, allow_pickle=False) as file:
        rates: F32 = file["rates"]
    rates.setflags(write=False)
    return rates


STYLES = {"tight": 1.0, "moderate": 0.0, "loose": -1.0}
"""Shift of the pre-flop thresholds by style."""
PREFLOP_RULES = ("expert", "call")
_RANGES = {"size": (0.05, 20.0), "all_in_margin": (0.0, 4.0), "trials": (50, MOST_TRIALS)}


@dataclass(frozen=True)
class PokiSettings:
    """Settings of a Loki or Poki player.

    Raises:
        ValueError: A value is out of range or unknown.
    """

    model: str = "generic"
    """Predictor of the opponents' actions, see ``predictors``: ``"generic"``, ``"specific"``,
    ``"network"``, or ``"best"``, the best one so far for each opponent."""
    style: str = "moderate"
    """Pre-flop style: ``"tight"``, ``"moderate"`` or ``"loose"``."""
    bet: float = 0.0
    """Strength at which a hand bets half of the time against the hands that would continue, from 0
    for a fair share of the pot to 1 for a certain winner."""
    raises: float = 0.1
    """Like ``bet``, for raises."""
    reraise: float = 0.3
    """Like ``bet``, for re-raises."""
    ramp: float = 0.1
    """Range of strength over which the betting probability rises from 0 to 1."""
    size: float = 0.75
    """Size of bets and raises in pots; ignored in fixed-limit."""
    bluff: float = 0.3
    """Maximum frequency of profitable bluffs."""
    trap: float = 0.0
    """Maximum frequency of traps (checks and calls instead of bets and raises) before the river,
    reached with a certain winner against one opponent; weaker hands and more opponents make them
    rarer."""
    preflop: str = "expert"
    """Pre-flop play: by the ``"expert"``, or ``"call"`` with every hand, as in post-flop
    hold'em."""
    all_in_margin: float = 0.3
    """Relative extra cost of a call before the river, for future bets."""

    trials: int = 500
    """Maximum number of simulated deals per decision."""

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
    """One of ``PLAYERS``, optionally with other settings."""
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
