"""Built-in players on the map of styles, measured in the game of a run."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

import agents
from agents.match.style import Style
from evolve import seeds
from evolve.training.player_compatibility import can_play
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
"""Players to measure in the games that they support."""

_GAMES = 20
_TOURNAMENTS = 4


class Landmarks:
    """Styles of built-in players against each other, measured once per game."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()

    def of(self, game: Game) -> Mapping[str, Any]:
        """Style of every player that supports a game, as from ``measure_landmarks``."""
        with self._lock:
            if repr(game) not in self._known:
                self._known[repr(game)] = measure_landmarks(game)
            return self._known[repr(game)]


def measure_landmarks(game: Game, *, seed: int = 1) -> dict[str, Any]:
    """Styles of the players at tables that are drawn anew in every round.

    Args:
        game: Game to play; players that do not support it are left out.
        seed: Seed of tables, cards and the players' own randomness.

    Returns:
        Result of ``Style.as_dict`` for each of the players, by name.
    """
    seats = game.seats(len(PLAYERS))
    players = {name: agents.make_compiled(name) for name in PLAYERS}
    names = [name for name in PLAYERS if can_play(players[name], game, seats=seats)]
    rng = seeds.generator(seed, seeds.EVALUATION)
    tables = load_tables()
    counts = np.zeros((len(names), N_STYLE_COUNTS), np.int64)
    schedule = agents.Blocks(1) if game.is_cash else agents.Tournaments(_TOURNAMENTS)
    for number in range(_GAMES):
        order = rng.permutation(len(names))
        for first in range(0, len(order) - seats + 1, seats):
            chosen = order[first : first + seats]
            lineup = [players[names[i]] for i in chosen]
            tally = agents.play(lineup, schedule, game, seed=number, tables=tables)
            counts[chosen] += tally.style_counts
    return {name: Style.of(row).as_dict() for name, row in zip(names, counts, strict=True)}
