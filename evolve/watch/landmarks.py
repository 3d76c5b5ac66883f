"""Where known players stand on the map of styles, measured in the game of a run."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

import agents
from agents.play.style import Style
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
"""Who is measured."""

_GAMES = 20
_BLOCKS = 4


class Landmarks:
    """Styles of known players among each other; measured once for every game."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()

    def of(self, game: Game, seats: int) -> Mapping[str, Any]:
        """The style of every known player by name, as ``Style.as_dict`` gives it.

        Args:
            game: What they play.
            seats: At tables of how many.
        """
        key = repr((game, seats))
        with self._lock:
            if key not in self._known:
                self._known[key] = measure_landmarks(game, seats)
            return self._known[key]


def measure_landmarks(game: Game, seats: int, *, seed: int = 1) -> dict[str, Any]:
    """Lets the players meet at tables drawn anew for every round, and tells their styles.

    Args:
        game: What they play.
        seats: At tables of how many.
        seed: Of tables, cards and the players' own randomness.
    """
    rng = seeds.generator(seed, seeds.EVALUATION)
    tables = load_tables()
    counts = np.zeros((len(PLAYERS), N_STYLE_COUNTS), np.int64)
    seats = min(seats, len(PLAYERS))
    for number in range(_GAMES):
        order = rng.permutation(len(PLAYERS))
        for first in range(0, len(order) - seats + 1, seats):
            chosen = order[first : first + seats]
            field = agents.pack([agents.make_compiled(PLAYERS[i]) for i in chosen])
            if game.is_cash:
                cash = agents.play_cash(field, game=game, seed=number, count=1, tables=tables)
                counts[chosen] += cash.style_counts
            else:
                played = agents.play_tournaments(
                    field, game=game, seed=number, count=_BLOCKS, tables=tables
                )
                counts[chosen] += played.style_counts
    return {name: Style.of(row).as_dict() for name, row in zip(PLAYERS, counts, strict=True)}
