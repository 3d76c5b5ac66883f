"""Schedules with players of any kind, through the environment.

The same games as the kernels play: with compiled players, also behind objects that hide it, the
tallies are the same to the chip. The others see and answer as they say, see
``agents.outside.own_form``, else they get the cards and answer in chips. A player with a method
``begin(seed, player, episode)`` is told when it takes a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agents.compiled.players import Agent
from agents.outside.chips import CHECK_OR_CALL, FOLD, action_of
from agents.outside.episodes import Lineup, finish_episode
from agents.play.luck import Luck, judging_of
from agents.play.schedules import Blocks, LineUps, Schedule, count_seats, one_table
from agents.play.tally import Tally
from agents.play.units import GAINS, UnitArrays, count_up
from nlhe_env.assessment.luck.judge import Judging, judge_hand
from nlhe_env.envs.aec import raw_env
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.game.tournament import DRAWN
from nlhe_env.hand_history import Hand, action_event, hand_of
from nlhe_env.machine.array_types import I64
from nlhe_env.machine.compilation import kernel


class RecordingEnv(raw_env):
    """An environment that hands over every hand."""

    judging: Judging | None = None
    """Who says what hands were worth without luck."""

    record: Callable[[np.void, list[dict[str, Any]]], None] | None = None
    """Called with the table after every hand and what was done in it."""

    def step(self, action: Any) -> None:
        """Do an action, and note it down if hands are recorded."""
        if self.record is not None and action is not None:
            encoding = self.encoding.kind, self.fractions
            what = int(action_of(self.game_record, self.tables, *encoding, action))
            chips_id = {FOLD: 0, CHECK_OR_CALL: 1}.get(what, what)
            self._done.append(action_event(self.table, chips_id))
        super().step(action)

    def after_hand(self) -> None:
        """Hand over what was noted down, and let the hand be judged."""
        if self.judging is not None:
            _judge(self.game_record, self.tables, self.judging)
        if self.record is not None:
            self.record(self.table, self._done)
        self._done: list[dict[str, Any]] = []

    def begin_episode(self, *arguments: Any, **options: Any) -> None:
        """Forget what was noted down; see ``raw_env``."""
        self._done = []
        super().begin_episode(*arguments, **options)


def play_in_environment(
    players: Sequence[Agent],
    schedule: Schedule,
    game: Game,
    *,
    seed: int,
    rows: bool = False,
    luck: Luck = "none",
    record: Callable[[Hand], None] | None = None,
) -> Tally:
    """What ``agents.play`` gives, through the environment; see there for the arguments.

    Raises:
        ValueError: The schedule does not fit the players.
    """
    n = count_seats(schedule, len(players))
    env = RecordingEnv(n, game=replace(one_table(game, schedule), score="chips"), actions="chips")
    judging = judging_of(luck, game, n)
    judged = luck != "none"
    if judged:
        env.judging = judging
    units = UnitArrays.new(len(schedule), n, judged=judged)
    styles = np.zeros((len(players), N_STYLE_COUNTS), np.int64)
    rotations = schedule.rotations(n)
    drawn = not isinstance(schedule, Blocks) or schedule.circle == "drawn"
    for i, (number, members) in enumerate(_units(schedule, n)):
        if record is not None:
            env.record = _recorder(record, members)
        for shift in range(rotations):
            seating = DRAWN - shift if drawn else shift
            decision_number = number * rotations + shift
            seated = [players[member] for member in members]
            judging.sums[:] = 0
            chips = _play_game(env, seated, seed, number, decision_number, seating)
            by_place = game.score == "place"
            points = np.rint(2 * env.players["place"]) if by_place else chips
            units.points[i] += points.astype(np.int64)
            if judged:
                units.fair[i] += judging.sums
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


def _play_game(
    env: RecordingEnv,
    players: Sequence[Agent],
    seed: int,
    number: int,
    decision_number: int,
    seating: int,
) -> I64:
    """One game: the chips that everybody wins."""
    for i, player in enumerate(players):
        begin = getattr(player, "begin", None)
        if begin is not None:
            begin(seed, i, decision_number)
    lineup = Lineup(env, dict(zip(env.possible_agents, players, strict=True)))
    env.begin_episode(make_seed(seed), number, decisions=decision_number, seating=seating)
    won = finish_episode(env, lineup)
    return np.array([int(chips) for chips in won.values()], np.int64)


def _recorder(
    record: Callable[[Hand], None], members: Sequence[int]
) -> Callable[[np.void, list[dict[str, Any]]], None]:
    names = [f"player_{member}" for member in members]
    return lambda table, events: record(hand_of(table, events, names))


@kernel
def _judge(game, tables, judging):
    """Judge the hand that has just been paid."""
    judge_hand(tables[game[0].table], judging)
