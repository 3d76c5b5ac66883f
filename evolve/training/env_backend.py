"""Environment backend: the games of a run with the same results, one ``env.step`` at a time.

A player is a Python object that maps the result of ``env.last()`` to an action, as in any program
that uses the environment. A player that needs more than the observation, because it has memory,
names amounts or has several seats, reads the environment itself. This backend shows that both
interfaces play the same game, and is a model for experiments with other kinds of players. It is
about twenty times slower than compiled games, and more threads do not help because of the GIL.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import agents
import nlhe_env
from agents.match.environment import play_in_environment
from agents.policy.kinds import count


class OutsidePlayer:
    """A player that sees only its observation."""

    actions = "sized"

    def __init__(self, player: agents.CompiledPlayer) -> None:
        self.observation = "cards" if player.kind.wants == "table" else player.inputs
        self._player = player

    def begin(self, seed: int, player: int, episode: int) -> None:
        """Starts a game in a seat."""
        self._player.begin(seed, player, episode)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Id of a legal action."""
        return self._player.act(observation, info)


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
    repeated = _sit_twice(schedule)
    players = [
        OutsidePlayer(each) if _sees_enough(each) and i not in repeated else each
        for i, each in enumerate(_players(batch))
    ]
    return play_in_environment(
        players, schedule, game, seed=seed, rows=rows, variance_reduction=variance_reduction
    )


def _sees_enough(player: agents.CompiledPlayer) -> bool:
    """Whether a player needs only observations and action ids."""
    kind = player.kind
    return kind.answers == "sizes" and kind.on_event is None and kind.checks is None


def _sit_twice(schedule: agents.Schedule) -> set[int]:
    """Players with several seats in a game; an object, with its random state, has one seat."""
    if not isinstance(schedule, agents.LineupBlocks):
        return set()
    rows = np.sort(schedule.lineups, axis=1)
    return set(rows[:, 1:][rows[:, 1:] == rows[:, :-1]].tolist())


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
