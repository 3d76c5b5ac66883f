"""Tournaments played through the environment: the same results, one ``env.step`` at a time.

Every player is a Python object that gets what ``env.last()`` returns and answers with an action, as
in any program that uses the environment. It shows that both doors lead to the same game, and how an
experiment with players of another kind would look. A thread takes some twenty times as long as with
compiled tournaments, and threads take turns in the interpreter, so that more of them do not help.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import agents
import nlhe_env
from agents.compiled.network import count_weights
from agents.compiled.players import INPUTS, CompiledPlayer
from evolve.training.config import RunConfig


class OutsidePlayer:
    """A player that sees no more than its observation: for the environment, somebody's own code."""

    def __init__(self, player: CompiledPlayer) -> None:
        self._player = player

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of a legal action."""
        return self._player.act(observation, info)


def check_config(config: RunConfig) -> None:
    """Checks that the environment plays the tournaments of a run as compiled ones are played.

    Raises:
        ValueError: Everybody fits at one table, where the environment gives seats by number.
    """
    if config.population <= config.table_size:
        raise ValueError(
            "--door environment needs more players than fit at one table, where it would not "
            f"draw the seats; got population = {config.population} and table_size = "
            f"{config.table_size}"
        )


def play_tournaments(
    field: agents.Field,
    *,
    game: nlhe_env.Game,
    seed: int,
    first: int = 0,
    count: int,
) -> agents.TournamentResults:
    """What ``agents.play_tournaments`` gives for networks, through the environment.

    Args:
        field: Networks that all have the same inputs, more than fit at one table.
        game: Form of the tournament.
        seed: Of cards, seats and decisions.
        first: Number of the first tournament.
        count: How many.
    """
    players = _players(field)
    env = nlhe_env.raw_env(
        len(players),
        game=game,
        observation=players[0].inputs,
        actions="sized",
    )
    seats = {
        agent: OutsidePlayer(player)
        for agent, player in zip(env.possible_agents, players, strict=True)
    }
    env.reset(seed=seed)
    for _ in range(first):  # each reset without a seed goes on to the next episode
        env.reset()
    records, hands, decisions = [], 0, 0
    for episode in range(first, first + count):
        for number, player in enumerate(players):
            player.begin(seed, number, episode)
        if episode > first:
            env.reset()
        _play_on(env, seats)
        records.append(env.players.copy())
        hands += int(env.game_record["hands"][0])
        decisions += int(env.game_record["decisions"][0])
    played = np.stack(records)
    return agents.TournamentResults(
        played["place"],
        hands=hands,
        decisions=decisions,
        hands_won=played["hands_won"],
        chips_won=played["chips_won"],
        showdowns_lost=played["showdowns_lost"],
        chips_lost=played["chips_lost"],
        style_counts=played["style_counts"].sum(axis=0),
    )


def _play_on(env: nlhe_env.raw_env, players: Mapping[str, OutsidePlayer]) -> None:
    """Play an episode that has been reset to its end."""
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            env.step(players[agent].act(observation or {}, info))


def _players(field: agents.Field) -> list[agents.NetworkPlayer]:
    """The networks of a field as players."""
    players = []
    for kind, layers, row in zip(field.inputs, field.sizes, field.weights, strict=True):
        n_inputs, *hidden = layers[: np.count_nonzero(layers) - 1].tolist()
        players.append(
            agents.NetworkPlayer(
                row[: count_weights(n_inputs, hidden)], inputs=INPUTS[kind], hidden=hidden
            )
        )
    return players
