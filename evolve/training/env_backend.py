"""Games of a run played through the environment: the same results, one ``env.step`` at a time.

A player is a Python object that gets what ``env.last()`` returns and answers with an action, as in
any program that uses the environment; one that an observation does not suffice, since it remembers
what happens, names amounts or has several seats, looks at the environment itself. It shows that
both doors lead to the same game, and how an experiment with players of another kind would look. A
thread takes some twenty times as long as with compiled games, and threads take turns in the
interpreter, so that more of them do not help.
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
    """A player that sees no more than its observation: for the environment, outside code."""

    actions = "sized"

    def __init__(self, player: agents.CompiledPlayer) -> None:
        self.observation = "cards" if player.kind.wants == "table" else player.inputs
        self._player = player

    def begin(self, seed: int, player: int, episode: int) -> None:
        """Takes a seat."""
        self._player.begin(seed, player, episode)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of a legal action."""
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
    """The result of ``agents.play`` for packed players of any kind; see there."""
    repeated = _sit_twice(schedule)
    players = [
        OutsidePlayer(each) if _sees_enough(each) and i not in repeated else each
        for i, each in enumerate(_players(batch))
    ]
    return play_in_environment(
        players, schedule, game, seed=seed, rows=rows, variance_reduction=variance_reduction
    )


def _sees_enough(player: agents.CompiledPlayer) -> bool:
    """Whether an observation and the id of an action are all that it needs."""
    kind = player.kind
    return kind.answers == "sizes" and kind.on_event is None and kind.checks is None


def _sit_twice(schedule: agents.Schedule) -> set[int]:
    """Players with several seats in a game: an object has one seat, with its randomness."""
    if not isinstance(schedule, agents.LineupBlocks):
        return set()
    rows = np.sort(schedule.lineups, axis=1)
    return set(rows[:, 1:][rows[:, 1:] == rows[:, :-1]].tolist())


def _players(batch: agents.PlayerBatch) -> list[agents.CompiledPlayer]:
    """The players of a field."""
    players = []
    for i, row in enumerate(batch.weights):
        kind, sizes = batch.kinds[batch.which[i]], batch.sizes[i]
        if kind is None:
            raise ValueError("the environment plays compiled players only in training")
        # Rows are as long as that of the longest player needs.
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
