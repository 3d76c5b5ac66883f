"""Environment backend: the games of a run with the same results, one ``env.step`` at a time.

Players are Python objects that act in the environment, as in any program that uses it. This backend
shows that both interfaces play the same game, and is a model for experiments with other kinds of
players. It is about twenty times slower than compiled games, and more threads do not help because
of the GIL.
"""

from __future__ import annotations

import agents
import nlhe_env
from agents.match.environment import play_in_environment
from agents.policy.kinds import count


def play(
    batch: agents.PlayerBatch,
    schedule: agents.Schedule,
    game: nlhe_env.Game,
    *,
    seed: int,
    rows: bool = False,
    variance_reduction: agents.VarianceReduction = "none",
) -> agents.Tally:
    """Equivalent of ``agents.play`` for packed players of any kind."""
    return play_in_environment(
        _players(batch), schedule, game, seed=seed, rows=rows, variance_reduction=variance_reduction
    )


def _players(batch: agents.PlayerBatch) -> list[agents.CompiledPlayer]:
    """The players of a batch."""
    players = []
    for i, row in enumerate(batch.weights):
        kind, sizes = batch.kinds[batch.which[i]], batch.sizes[i]
        if kind is None:
            raise ValueError("training in the environment supports only compiled players")
        # All rows have the length of the longest player's row.
        weights = row if kind.n_weights is None else row[: count(kind.n_weights, sizes)]
        players.append(
            agents.CompiledPlayer(
                kind.name,
                kind,
                weights,
                batch.observations[batch.inputs[i]].name,
                sizes,
                interpretation=agents.ActionInterpretation.of_code(batch.interpretation[i]),
                book=batch.books.get(i),
            )
        )
    return players
