"""Duplicate tables with players of any kind, through the environment.

The same games as the compiled ones: with compiled players, also behind objects that hide it, the
results are the same to the chip. Every player gets what ``env.last()`` returns. What it needs is
read off its attributes: ``observation`` (or ``inputs``, as compiled players have) and ``actions``
name what ``nlhe_env.env`` calls so; without them a player gets the cards and chooses among the five
sized actions. A player with a method ``begin(seed, player, episode)`` is told when it takes a seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import agents
import nlhe_env
from agents.players import Agent, CompiledPlayer
from evolve.league_matches import Match, PlayTables, TableResults
from nlhe_env import kernels
from nlhe_env._types import I64
from nlhe_env.tournament import DRAWN


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
        "observation": _agreed(outside, "observation", ("observation", "inputs"), "cards"),
        "actions": _agreed(outside, "actions", ("actions",), "sized"),
        "betting": settings.betting,
    }
    if settings.cash:
        game = settings.cash_game()
        form |= {"mode": "cash", "starting_stack": game.stack, "blinds": game.blinds}
        form |= {"num_hands": game.session}
    else:
        structure = settings.structure()
        form |= {"starting_stack": structure.starting_stack, "blinds": structure.blinds}

    def play(members: I64, first: int, count: int) -> TableResults:
        n = len(members)
        env = nlhe_env.raw_env(n, **form)
        seated = {f"player_{i}": players[member] for i, member in enumerate(members)}
        points = np.zeros((count, n), np.int64)
        hands = decisions = 0
        for i in range(count):
            for shift in range(n):
                points[i] += _play_game(env, seated, seed, first + i, shift)
                hands += int(env.game["hands"][0])
                decisions += int(env.game["decisions"][0])
        return TableResults(points, hands, decisions)

    return play


def _agreed(
    players: Sequence[Agent], what: str, attributes: tuple[str, ...], otherwise: str
) -> Any:
    """What all these players need."""
    needs = []
    for player in players:
        given = [getattr(player, name) for name in attributes if hasattr(player, name)]
        needs.append((given or [otherwise])[0])
    for need in needs[1:]:
        if need != needs[0]:
            raise ValueError(
                f"players at one table must agree in their {what}; got {needs[0]!r} and {need!r}"
            )
    return needs[0] if needs else otherwise


def _play_game(
    env: nlhe_env.raw_env, players: Mapping[str, Agent], seed: int, number: int, shift: int
) -> I64:
    """One session or tournament of a duplicate table: the points of every player."""
    n = len(players)
    episode = number * n + shift
    env._seed, env._episode = seed, number - 1  # the next reset begins this very episode
    env.reset()
    env.game["decision_tournament"] = episode
    _seat(env, seed, number, shift)
    for i, player in enumerate(players.values()):
        begin = getattr(player, "begin", None)
        if begin is not None:
            begin(seed, i, episode)
    lineup = agents.Lineup(env, players)
    chips = dict.fromkeys(env.possible_agents, 0)
    while env.agents:
        agent = env.agent_selection
        chips[agent] += int(env._cumulative_rewards[agent])
        is_out = env.terminations[agent] or env.truncations[agent]
        env.step(None if is_out else lineup.action())
    if env.config.cash:
        return np.array(list(chips.values()), np.int64)
    return np.asarray(np.rint(2 * env.players["place"]), np.int64)


def _seat(env: nlhe_env.raw_env, seed: int, number: int, shift: int) -> None:
    """Seat the players of a game at its first decision as at a duplicate table.

    Everybody has the same stack and has done nothing yet, so that they can simply change places.
    """
    compiled = env.config.arrays()
    kernels.start_game(*compiled, np.uint64(seed), number, DRAWN - shift)
    env.tables["player"] = compiled.tables["player"]
    env.players["seat"] = compiled.players["seat"]
    env.set_table(env.table.copy())
