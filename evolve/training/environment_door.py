"""Tournaments played through the environment: the same results, one ``env.step`` at a time.

Every player is a Python object that gets what ``env.last()`` returns and answers with an action, as
in any program that uses the environment. It shows that both doors lead to the same game, and how an
experiment with players of another kind would look. A thread takes some twenty times as long as with
compiled tournaments, and threads take turns in the interpreter, so that more of them do not help.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

import agents
import nlhe_env
from agents.compiled.network import count_weights
from agents.compiled.players import INPUTS, CompiledPlayer
from evolve.training.config import Config
from evolve.training.tournament_schedule import TournamentSchedule


class OutsidePlayer:
    """A player that sees no more than its observation: for the environment, somebody's own code."""

    def __init__(self, player: CompiledPlayer) -> None:
        self._player = player

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """The id of a legal action."""
        return self._player.act(observation, info)


def check_config(config: Config) -> None:
    """Checks that the environment plays the tournaments of a run as compiled ones are played.

    Raises:
        ValueError: No tournaments are played, or everybody fits at one table, where the environment
            gives seats by number.
    """
    population, table_size = config.optimizer.population, config.game.table_size
    if not isinstance(config.schedule, TournamentSchedule):
        raise ValueError('--door environment needs schedule "tournaments"')
    if population <= table_size:
        raise ValueError(
            "--door environment needs more players than fit at one table, where it would not "
            f"draw the seats; got population = {population} and table_size = {table_size}"
        )


def play(
    field: agents.Field,
    schedule: agents.Tournaments,
    game: nlhe_env.Game,
    *,
    seed: int,
    rows: bool = False,
) -> agents.Tally:
    """What ``agents.play`` gives for tournaments of networks, through the environment.

    Args:
        field: Networks that all have the same inputs, more than fit at one table.
        schedule: The tournaments.
        game: Their form.
        seed: Of cards, seats and decisions.
        rows: Whether to keep what every tournament came to.
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
    for _ in range(schedule.first):  # each reset without a seed goes on to the next episode
        env.reset()
    records, counts = [], []
    for episode in range(schedule.first, schedule.first + schedule.count):
        for number, player in enumerate(players):
            player.begin(seed, number, episode)
        if episode > schedule.first:
            env.reset()
        _play_on(env, seats)
        records.append(env.players.copy())
        counts.append([int(env.game_record[key][0]) for key in ("hands", "decisions")])
    n = len(records)
    played = np.stack(records) if n else np.zeros((0, len(players)), env.players.dtype)
    hands, decisions = np.array(counts, np.int64).reshape(n, 2).T
    styles = np.asarray(played["style_counts"], np.int64)
    points = np.rint(2 * played["place"]).astype(np.int64)  # places are multiples of one half
    tally = agents.Tally.of_points(
        points,
        unit=Fraction(1, 2),
        lower_is_better=True,
        pairs=False,
        hands=int(hands.sum()),
        decisions=int(decisions.sum()),
        style_counts=styles.sum(axis=0),
    )
    if not rows:
        return tally
    gains = {
        key: np.asarray(played[key], np.int64)
        for key in ("hands_won", "chips_won", "showdowns_lost", "chips_lost")
    }
    kept = agents.Rows(points, hands=hands, decisions=decisions, first_style=styles[:, 0], **gains)
    return replace(tally, rows=kept)


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
