"""Schedules with players of any kind, through the environment.

The same games as the kernels play: with compiled players, also behind objects that hide it, the
tallies are the same to the chip. The others get what ``env.last()`` returns. What they need is read
off their attributes: ``observation`` (or ``inputs``, as compiled players have) and ``actions`` name
what ``nlhe_env.env`` calls so; without them a player gets the cards and answers in chips. A player
with a method ``begin(seed, player, episode)`` is told when it takes a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agents.compiled.players import Agent, CompiledPlayer
from agents.outside.chips import CHECK_OR_CALL, FOLD, action_of
from agents.outside.episodes import play_episode
from agents.play.schedules import Blocks, LineUps, Schedule, count_seats, one_table
from agents.play.tally import Tally
from agents.play.units import GAINS, UnitArrays, count_up
from nlhe_env.envs import step_kernels as kernels
from nlhe_env.envs.aec import raw_env
from nlhe_env.game.description import Game, GameArrays
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.game.tournament import DRAWN
from nlhe_env.hand_history import Hand, action_event, hand_of
from nlhe_env.machine.array_types import I64


class NumberedEnv(raw_env):
    """An environment whose next reset begins a given game of a seed."""

    record: Callable[[np.void, list[dict[str, Any]]], None] | None = None
    """Called with the table after every hand and what was done in it."""

    def prepare(self, number: int, decision_number: int, seating: int) -> None:
        """Choose the game.

        Args:
            number: Of the game under the seed, for the cards.
            decision_number: The same for the players' own randomness.
            seating: As ``nlhe_env.game.tournament.start_game`` takes it.
        """
        self._numbers = number, decision_number, seating
        self._done: list[dict[str, Any]] = []

    def start_game(self, arrays: GameArrays, seed: int, episode: int) -> None:
        """Begin the game that was chosen."""
        number, decision_number, seating = self._numbers
        kernels.start_game(*arrays, np.uint64(seed), number, seating)
        arrays.game["decision_tournament"] = decision_number

    def step(self, action: Any) -> None:
        """Do an action, and note it down if hands are recorded."""
        if self.record is not None and action is not None:
            encoding = self.encoding.kind, self.fractions
            what = int(action_of(self.game_record, self.tables, *encoding, action))
            chips_id = {FOLD: 0, CHECK_OR_CALL: 1}.get(what, what)
            self._done.append(action_event(self.table, chips_id))
        super().step(action)

    def hand_over(self) -> None:
        """Hand over what was noted down."""
        if self.record is not None:
            self.record(self.table, self._done)
            self._done = []


def play_in_environment(
    players: Sequence[Agent],
    schedule: Schedule,
    game: Game,
    *,
    seed: int,
    rows: bool = False,
    record: Callable[[Hand], None] | None = None,
) -> Tally:
    """What ``agents.play`` gives, through the environment; see there for the arguments.

    Raises:
        ValueError: Two players need different observations or actions, or the schedule does not fit
            them.
    """
    n = count_seats(schedule, len(players))
    outside = [player for player in players if not isinstance(player, CompiledPlayer)]
    env = NumberedEnv(
        n,
        game=replace(one_table(game, schedule), score="chips"),
        observation=_agreed(outside, ("observation", "inputs"), "cards"),
        actions=_agreed(outside, ("actions",), "chips"),
    )
    units = UnitArrays.new(len(schedule), n)
    styles = np.zeros((len(players), N_STYLE_COUNTS), np.int64)
    rotations = schedule.rotations(n)
    drawn = not isinstance(schedule, Blocks) or schedule.circle == "drawn"
    for i, (number, members) in enumerate(_units(schedule, n)):
        if record is not None:
            env.record = _recorder(record, members)
        for shift in range(rotations):
            seating = DRAWN - shift if drawn else shift
            decision_number = number * rotations + shift
            env.prepare(number, decision_number, seating)
            seated = [players[member] for member in members]
            chips = _play_game(env, seated, seed, decision_number)
            by_place = game.score == "place"
            points = np.rint(2 * env.players["place"]) if by_place else chips
            units.points[i] += points.astype(np.int64)
            for k, name in enumerate(GAINS):
                units.gains[i, k] += env.players[name]
            units.first_style[i] += env.players["style_counts"][0]
            np.add.at(styles, members, env.players["style_counts"])
            units.counts[i] += env.game_record["hands"][0], env.game_record["decisions"][0]
    if isinstance(schedule, Blocks) and schedule.players is not None:
        styles = styles[list(schedule.players)]
    tally = count_up(units, styles, schedule, game)
    return tally if rows else tally.without_rows()


def _units(schedule: Schedule, n: int) -> Iterator[tuple[int, list[int]]]:
    """The number of every unit, and who plays it."""
    if isinstance(schedule, LineUps):
        yield from zip(schedule.blocks.tolist(), schedule.line_ups.tolist(), strict=True)
        return
    chosen = schedule.players if isinstance(schedule, Blocks) else None
    members = list(range(n) if chosen is None else chosen)
    for number in range(schedule.first, schedule.first + len(schedule)):
        yield number, members


def _play_game(env: NumberedEnv, players: Sequence[Agent], seed: int, number: int) -> I64:
    """One game: the chips that everybody wins."""
    for i, player in enumerate(players):
        begin = getattr(player, "begin", None)
        if begin is not None:
            begin(seed, i, number)
    seated = dict(zip(env.possible_agents, players, strict=True))
    won = play_episode(env, seated, seed=seed)
    return np.array([int(chips) for chips in won.values()], np.int64)


def _recorder(
    record: Callable[[Hand], None], members: Sequence[int]
) -> Callable[[np.void, list[dict[str, Any]]], None]:
    names = [f"player_{member}" for member in members]
    return lambda table, events: record(hand_of(table, events, names))


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
