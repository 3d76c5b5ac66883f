"""Places of known players on the map of styles, measured in the game of a run."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

import agents
from agents.match.style import Style
from evolve import seeds
from nlhe_env.equity import load_tables
from nlhe_env.game.description import Game
from nlhe_env.game.style_counts import N_STYLE_COUNTS

PLAYERS = (
    "tight-passive",
    "tight-aggressive",
    "loose-passive",
    "loose-aggressive",
    "formula",
    "pot-odds",
    "old-best",
    "caller",
    "raiser",
    "random",
)
"""Players that are measured."""

_GAMES = 20
_TOURNAMENTS = 4


class Landmarks:
    """Styles of known players among each other; measured once for every game."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()

    def of(self, game: Game) -> Mapping[str, Any]:
        """The style of every known player by name, as ``Style.as_dict`` gives it.

        Args:
            game: Game that they play.
        """
        with self._lock:
            if repr(game) not in self._known:
                self._known[repr(game)] = measure_landmarks(game)
            return self._known[repr(game)]


def measure_landmarks(game: Game, *, seed: int = 1) -> dict[str, Any]:
    """Styles of the players at tables drawn anew for every round.

    Args:
        game: Game that they play.
        seed: Seed of tables, cards and the players' own randomness.
    """
    rng = seeds.generator(seed, seeds.EVALUATION)
    tables = load_tables()
    counts = np.zeros((len(PLAYERS), N_STYLE_COUNTS), np.int64)
    seats = game.seats(len(PLAYERS))
    schedule = agents.Blocks(1) if game.is_cash else agents.Tournaments(_TOURNAMENTS)
    for number in range(_GAMES):
        order = rng.permutation(len(PLAYERS))
        for first in range(0, len(order) - seats + 1, seats):
            chosen = order[first : first + seats]
            players = [agents.make_compiled(PLAYERS[i]) for i in chosen]
            tally = agents.play(players, schedule, game, seed=number, tables=tables)
            counts[chosen] += tally.style_counts
    return {name: Style.of(row).as_dict() for name, row in zip(PLAYERS, counts, strict=True)}
