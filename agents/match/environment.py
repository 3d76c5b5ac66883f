"""Schedules with players of any kind, played in the environment.

The games are those of the kernels: with compiled players, even wrapped ones, tallies are equal to
the chip. Other players use their own spaces, see ``agents.external.space_adapter``; by default they
observe the cards and answer in chips. A player's method ``begin(seed, player, episode)`` is called
when it takes a seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agents.external.episodes import Lineup, finish_episode
from agents.external.hand_chances import HandChances
from agents.external.player_lifecycle import describe_failure, reports_of
from agents.external.process import BotReport
from agents.match.schedules import Blocks, LineupBlocks, Schedule, count_seats, one_table
from agents.match.tally import GAINS, Tally, UnitArrays, count_up
from agents.policy.compiled_player import Player
from agents.policy.player_batch import pack_players_of
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.divat import Divat
from agents.variance_reduction.external_probabilities import ObservedLineup
from agents.variance_reduction.methods import VarianceReduction, estimator_of
from nlhe_env.assessment.estimators.estimator import Estimator, estimate_hand
from nlhe_env.envs.aec import raw_env
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.scoring import SCORES, game_points
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.game.table import TableRecords
from nlhe_env.game.tournament import DRAWN
from nlhe_env.hand_history import Record
from nlhe_env.jit.array_types import I64, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION


class _NamedLineup(Lineup):
    """A lineup whose players' own errors have a note that says who failed, and where."""

    def answer(self) -> Any:
        """Answer of the player to act; see ``Lineup.answer``."""
        try:
            return super().answer()
        except (RuntimeError, IllegalActionError):  # they say who it was
            raise
        except Exception as error:
            player = self.players[self._env.agent_selection]
            error.add_note(describe_failure(player, error))
            raise


class _ObservedLineup(_NamedLineup, ObservedLineup):
    """Such a lineup that reports every decision to an estimator."""


class _EstimatedEnv(raw_env):
    """An environment whose hands are passed to an estimator."""

    estimator: Estimator | None = None
    """Estimator of hand results."""

    def after_hand(self) -> None:
        """Pass the hand to the estimator, and record it."""
        if self.estimator is not None:
            _estimate(self.game_record, self.tables, self.estimator)
        super().after_hand()


def play_in_environment(
    players: Sequence[Player],
    schedule: Schedule,
    game: Game,
    *,
    seed: int | None,
    rows: bool = False,
    variance_reduction: VarianceReduction | Aivat | Divat = "none",
    record: Record | None = None,
) -> Tally:
    """Tally of a schedule played in the environment; see ``agents.play`` for the arguments.

    Raises:
        ValueError: The schedule does not fit the players.
        Exception: A player's own error, with a note of its name and the line.
    """
    n = count_seats(schedule, len(players))
    seed = make_seed(seed)  # only once: all games of a block have the same cards
    numbers = list(range(len(players)))  # player numbers in recorded hands
    if isinstance(schedule, Blocks) and schedule.players is not None:
        # From here on, numbers refer to the players of the block, as in the kernels.
        numbers = [int(player) for player in schedule.players]
        players = [players[player] for player in numbers]
        schedule = replace(schedule, players=None)
    one_game = replace(one_table(game, schedule), score="chips")
    env = _EstimatedEnv(n, game=one_game, actions="chips", record=record)
    if isinstance(variance_reduction, Aivat):
        variance_reduction.check_batch(
            pack_players_of(players),
            is_one_table=not isinstance(schedule, LineupBlocks),
            by_hand=[i for i, one in enumerate(players) if isinstance(one, HandChances)],
        )
    estimator = estimator_of(variance_reduction, game, n)
    is_adjusted = variance_reduction != "none"
    if is_adjusted:
        env.estimator = estimator
    units = UnitArrays.new(len(schedule), n, is_adjusted=is_adjusted)
    styles = np.zeros((len(players), N_STYLE_COUNTS), np.int64)
    score = SCORES.index(game.score)
    rotations = schedule.rotations(n)
    drawn = not isinstance(schedule, Blocks) or schedule.seating_order == "random"
    for i, (number, members) in enumerate(_units(schedule, n)):
        env.names = [f"player_{numbers[member]}" for member in members]
        for shift in range(rotations):
            seating = DRAWN - shift if drawn else shift
            decision_number = number * rotations + shift
            seated = [players[member] for member in members]
            estimator.sums[:] = 0
            chips = _play_game(env, seated, seed, number, decision_number, seating, estimator)
            places = env.players["place"].tolist()
            for k, won in enumerate(chips.tolist()):
                units.points[i, k] += round(game_points(score, won, places[k]))
            if is_adjusted:
                units.adjusted[i] += estimator.sums
            for k, name in enumerate(GAINS):
                units.gains[i, k] += env.players[name]
            units.first_style[i] += env.players["style_counts"][0]
            np.add.at(styles, members, env.players["style_counts"])
            units.counts[i] += env.game_record["hands"][0], env.game_record["decisions"][0]
    return count_up(units, styles, schedule, game, rows=rows)


def _units(schedule: Schedule, n: int) -> Iterator[tuple[int, list[int]]]:
    """Number of every unit, with its players' numbers."""
    if isinstance(schedule, LineupBlocks):
        yield from zip(schedule.blocks.tolist(), schedule.lineups.tolist(), strict=True)
        return
    for number in range(schedule.first, schedule.first + len(schedule)):
        yield number, list(range(n))


def _play_game(
    env: raw_env,
    players: Sequence[Player],
    seed: int,
    number: int,
    decision_number: int,
    seating: int,
    estimator: Estimator,
) -> I64:
    """Play one game; returns the chips won by each player."""
    for i, player in enumerate(players):
        begin = getattr(player, "begin", None)
        if begin is not None:
            begin(seed, i, decision_number)
    seated = dict(zip(env.possible_agents, players, strict=True))
    on_event = estimator.decision_hook != NO_FUNCTION
    lineup = _ObservedLineup(env, seated, estimator) if on_event else _NamedLineup(env, seated)
    env.begin_episode(seed, number, decisions=decision_number, seating=seating)
    won = finish_episode(env, lineup)
    for report in reports_of(players):
        if isinstance(report, BotReport):
            report.check_plays()
    return np.array([int(chips) for chips in won.values()], np.int64)


@kernel
def _estimate(game: Records, tables: TableRecords, estimator: Estimator) -> None:
    """Pass the hand just paid to the estimator."""
    estimate_hand(tables[game[0].table], estimator)
