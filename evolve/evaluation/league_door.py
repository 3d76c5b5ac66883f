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
from nlhe_env.envs import step_kernels as kernels
from nlhe_env.game.tournament import DRAWN
from nlhe_env.machine.array_types import I64


class DuplicateEnv(nlhe_env.raw_env):
    """An environment whose next reset begins a given game of a duplicate table."""

    _number = 0
    _shift = 0

    def prepare(self, seed: int, number: int, shift: int) -> None:
        """Chooses the game: everybody sits ``shift`` seats beyond the drawn one."""
        self._seed, self._number, self._shift = seed, number, shift

    @property
    def game_number(self) -> int:
        """Number of the game under the seed, for the players' own randomness."""
        return self._number * len(self.possible_agents) + self._shift

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins the game; see ``prepare`` for its seed."""
        self._episode = self._number - 1  # the next one begins
        super().reset(options=options)
        self.game_record["decision_tournament"] = self.game_number
        # Everybody has the same stack and has done nothing yet, so that they can change places now.
        seated = self.game.arrays(self.num_players)
        kernels.start_game(*seated, self.game_record["seed"][0], self._number, DRAWN - self._shift)
        self.tables["player"] = seated.tables["player"]
        self.players["seat"] = seated.players["seat"]
        self.set_table(self.table.copy())


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
        env = DuplicateEnv(len(members), **form)
        seated = {f"player_{i}": players[member] for i, member in enumerate(members)}
        points = np.zeros((count, len(members)), np.int64)
        hands = decisions = 0
        for i in range(count):
            for shift in range(len(members)):
                env.prepare(seed, first + i, shift)
                points[i] += _play_game(env, seated, seed)
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


def _play_game(env: DuplicateEnv, players: Mapping[str, Agent], seed: int) -> I64:
    """One session or tournament of a duplicate table: the points of every player."""
    for i, player in enumerate(players.values()):
        begin = getattr(player, "begin", None)
        if begin is not None:
            begin(seed, i, env.game_number)
    chips = agents.play_episode(env, players)
    if env.game.is_cash:
        return np.array([int(won) for won in chips.values()], np.int64)
    return np.asarray(np.rint(2 * env.players["place"]), np.int64)
