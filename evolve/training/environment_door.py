"""Games of a run played through the environment: the same results, one ``env.step`` at a time.

Every player is a Python object that gets what ``env.last()`` returns and answers with an action, as
in any program that uses the environment. It shows that both doors lead to the same game, and how an
experiment with players of another kind would look. A thread takes some twenty times as long as with
compiled games, and threads take turns in the interpreter, so that more of them do not help.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import agents
import nlhe_env
from agents.compiled.network import count_weights_of


class OutsidePlayer:
    """A player that sees no more than its observation: for the environment, somebody's own code."""

    actions = "sized"

    def __init__(self, player: agents.CompiledPlayer) -> None:
        self.observation = player.inputs
        self._player = player

    def begin(self, seed: int, player: int, episode: int) -> None:
        """Takes a seat."""
        self._player.begin(seed, player, episode)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of a legal action."""
        return self._player.act(observation, info)


def play(
    field: agents.Field,
    schedule: agents.Schedule,
    game: nlhe_env.Game,
    *,
    seed: int,
    rows: bool = False,
    luck: agents.Luck = "none",
) -> agents.Tally:
    """What ``agents.play`` gives for networks that all have the same inputs; see there."""
    players = [OutsidePlayer(player) for player in _players(field)]
    return agents.play(players, schedule, game, seed=seed, rows=rows, luck=luck)


def _players(field: agents.Field) -> list[agents.CompiledPlayer]:
    """The networks of a field, of any kind, as players."""
    players = []
    for kind_number, number, sizes, row, code in zip(
        field.which, field.inputs, field.sizes, field.weights, field.readings, strict=True
    ):
        kind = field.kinds[kind_number]
        if kind is None:
            raise ValueError("the environment plays compiled players only in training")
        weights, seen = row[: count_weights_of(sizes)], field.observations[number].name
        readings = agents.Readings.of_code(code)
        players.append(
            agents.CompiledPlayer("network", kind, weights, seen, sizes, readings=readings)
        )
    return players
