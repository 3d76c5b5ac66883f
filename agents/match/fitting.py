"""Value functions fitted to self-play: a table by street, action, depth and share of the pot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from agents.match.playing import play
from agents.match.schedules import Tournaments
from agents.policy.compiled_player import Player
from agents.variance_reduction.aivat import Aivat, record_of
from agents.variance_reduction.value_functions import ValueFunction, table_of_values
from nlhe_env.arguments import whole_number
from nlhe_env.assessment.estimators.aivat_values import N_CELLS
from nlhe_env.assessment.estimators.estimator import Estimator
from nlhe_env.game.description import Game
from nlhe_env.jit.array_types import F64

PASSES = 3
"""Number of successive fits; each table corrects results for later events in the next fit."""

_DOUBT = 50.0
"""Weight of the regularisation: prior events per cell with a difference of 0."""


@dataclass(frozen=True)
class _Gathering(Aivat):
    """AIVAT with estimators that collect data for fitting."""

    gathered: list[np.void] = field(default_factory=list)

    def estimator(self, n_players: int, *, fits: bool = True) -> Estimator:
        found = super().estimator(n_players, fits=fits)
        self.gathered.append(record_of(found.state))
        return found


def fit_value_function(
    players: Sequence[Player],
    game: Game,
    *,
    hands: int = 300_000,
    seed: int = 1,
    name: str | None = None,
) -> ValueFunction:
    """Fit a value table to self-play of these players.

    Use players similar to the evaluated ones, the same stack depth, and other hands than the
    evaluated match: a value function fitted to the evaluated hands could be biased.

    Args:
        players: One player for each seat of the table.
        game: A cash game.
        hands: Total number of hands over all passes.
        seed: Seed of the cards and decisions, different from that of the match.
        name: Name of the table; default: the players and the number of hands.

    Raises:
        ValueError: An argument is out of range, or AIVAT does not support this game.
    """
    whole_number("hands", hands, least=1000)
    names = "-".join(dict.fromkeys(getattr(player, "name", "player") for player in players))
    table = table_of_values(name or f"self-play-{names}-{hands}", np.zeros(N_CELLS))
    games = -(-hands // PASSES // max(1, game.num_hands or 1))
    for i in range(PASSES):
        gathering = _Gathering(value=table)
        play(players, Tournaments(games, i * games), game, seed=seed, variance_reduction=gathering)
        table = replace(table, numbers=_numbers_of(gathering.gathered))
    return table


def _numbers_of(records: Sequence[np.void]) -> F64:
    """Fitted difference from equity for every cell, nearly 0 with little data.

    Args:
        records: What the estimators of all parts of the play have gathered.
    """
    counts, squares, products = (
        np.sum([record[name] for record in records], axis=0)
        for name in ("counts", "squares", "products")
    )
    total = squares + _DOUBT * squares / np.maximum(counts, 1)
    found: F64 = np.divide(products, total, out=np.zeros(N_CELLS), where=total > 0.0)
    return found
