"""Duplicate tables with players of any kind, through the environment.

The same games as the compiled ones: with compiled players, also behind objects that hide it, the
results are the same to the chip. The others get what ``env.last()`` returns. What they need is read
off their attributes: ``observation`` (or ``inputs``, as compiled players have) and ``actions`` name
what ``nlhe_env.env`` calls so; without them a player gets the cards and answers in chips. A player
with a method ``begin(seed, player, episode)`` is told when it takes a seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import agents
import nlhe_env
from agents.compiled.players import Agent, CompiledPlayer
from evolve.evaluation.league_matches import Match, PlayTables, TableResults
from nlhe_env.machine.array_types import I64


def outside_tables(players: Sequence[Agent], match: Match) -> PlayTables:
    """Duplicate tables of players of any kind.

    Args:
        players: All players of the match, in the order of its names.
        match: The match.

    Raises:
        ValueError: Two players need different observations or actions.
    """
    settings, seed = match.settings, match.seed
    outside = [player for player in players if not isinstance(player, CompiledPlayer)]
    form: dict[str, Any] = {
        "observation": _agreed(outside, ("observation", "inputs"), "cards"),
        "actions": _agreed(outside, ("actions",), "chips"),
        "game": settings.make_game(),
    }

    def play(members: I64, first: int, count: int) -> TableResults:
        env = nlhe_env.raw_env(len(members), **form)
        seated = {f"player_{i}": players[member] for i, member in enumerate(members)}
        points = np.zeros((count, len(members)), np.int64)
        hands = decisions = 0
        for i in range(count):
            for shift in range(len(members)):
                points[i] += _play_game(env, seated, seed, (first + i, shift))
                hands += int(env.game_record["hands"][0])
                decisions += int(env.game_record["decisions"][0])
        return TableResults(points, hands, decisions)

    return play


def _agreed(players: Sequence[Agent], attributes: tuple[str, ...], otherwise: str) -> Any:
    """What all these players need."""
    needs = []
    for player in players:
        given = [getattr(player, name) for name in attributes if hasattr(player, name)]
        needs.append((given or [otherwise])[0])
    for need in needs[1:]:
        if need != needs[0]:
            raise ValueError(
                f"players at one table must agree in their {attributes[0]}; got {needs[0]!r} and "
                f"{need!r}"
            )
    return needs[0] if needs else otherwise


def _play_game(
    env: nlhe_env.raw_env, players: Mapping[str, Agent], seed: int, rotation: tuple[int, int]
) -> I64:
    """One session or tournament of a duplicate table: the points of every player."""
    for i, player in enumerate(players.values()):
        begin = getattr(player, "begin", None)
        if begin is not None:
            begin(seed, i, rotation[0] * len(players) + rotation[1])
    chips = agents.play_episode(env, players, seed=seed, rotation=rotation)
    if env.game.is_cash:
        return np.array([int(won) for won in chips.values()], np.int64)
    return np.asarray(np.rint(2 * env.players["place"]), np.int64)
