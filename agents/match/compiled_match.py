"""Matches of compiled players, prepared once and played by any number of threads.

Threads take the units of the schedule from a counter that they share.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from agents.match.schedules import (
    Blocks,
    LineupBlocks,
    Schedule,
    Tournaments,
    count_seats,
    one_table,
)
from agents.match.tally import Results, Tally, UnitArrays, count_up
from agents.policy.dispatch import play_out
from agents.policy.player_batch import PlayerArrays, PlayerBatch, Seated, copy_player, empty_arrays
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.divat import Divat
from agents.variance_reduction.methods import VarianceReduction, estimator_of
from nlhe_env.equity import StrengthTables
from nlhe_env.game import tournament
from nlhe_env.game.description import Game, GameArrays
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.scoring import SCORES, game_points
from nlhe_env.game.style_counts import N_STYLE_COUNTS, add_style_counts
from nlhe_env.game.tournament import DRAWN
from nlhe_env.jit.array_types import I64, Int, Records
from nlhe_env.jit.atomics import fetch_add
from nlhe_env.jit.compilation import direct_call, kernel
from nlhe_env.jit.function_pointers import NO_FUNCTION

_BEYOND = 2**40
"""More than all units: added to a counter, it stops the threads."""

_HANDS_WON, _CHIPS_WON, _SHOWDOWNS_LOST, _CHIPS_LOST = range(
    4
)  # in the order of `unit_results.GAINS`


_entry: list[Callable[..., int]] = []
"""The machine code of ``_play_units``. Its arguments always have the same types, which Numba would
look up for every call, in 5 ms for some players."""


class _Units(NamedTuple):
    """Units of a schedule for kernels."""

    numbers: I64
    """``(n_units,)`` number of the tournament or block of each unit."""
    lineups: I64
    """``(n_units, n)`` player numbers in the batch; ``(0, n)``: always the whole batch."""
    rotations: int
    """Games per unit: 1 for tournaments, the number of players for blocks."""
    drawn: bool
    """Whether the seating order is random instead of the batch's order."""


class _Table(NamedTuple):
    """What a thread writes to while it plays."""

    arrays: GameArrays
    seated: Seated
    results: Results


class CompiledMatch:
    """Units of a match, prepared for threads.

    Args:
        batch: The players.
        schedule: The units.
        game: The game.
        seed: Seed of cards, seats, buttons and players' random numbers.
        variance_reduction: Method of variance reduction, see ``agents.play``.
        tables: ``nlhe_env.load_tables()``; loaded if needed.
    """

    def __init__(
        self,
        batch: PlayerBatch,
        schedule: Schedule,
        game: Game,
        *,
        seed: int | None,
        variance_reduction: VarianceReduction | Aivat | Divat = "none",
        tables: StrengthTables | None = None,
    ) -> None:
        n = count_seats(schedule, len(batch))
        if isinstance(schedule, Blocks) and schedule.players is not None:
            batch = batch.take(np.array(schedule.players, np.int64))
        self._batch, self._schedule, self._game, self._n = batch, schedule, game, n
        self._arrays = _game_arrays(one_table(game, schedule), n)
        batch.check(self._arrays.tables)
        self._seed = make_seed(seed)
        is_lineups = isinstance(schedule, LineupBlocks)
        if isinstance(variance_reduction, Aivat):
            variance_reduction.check_batch(batch, is_one_table=not is_lineups)
        self._variance_reduction = variance_reduction
        self._strength_tables = batch.strength_tables if tables is None else tables
        self._players = batch.arrays
        self._units = _units_of(schedule, n)
        self.n_units = len(schedule)
        is_adjusted = variance_reduction != "none"
        self._rows = UnitArrays.new(self.n_units, n, is_adjusted=is_adjusted)
        self._free = [self._new_table()]  # checks that the variance reduction fits the game
        self._tables = [*self._free]

    def play(self, counter: I64, begin: int, number: int) -> int:
        """Play units in the calling thread; see ``_play_units`` for arguments and result."""
        try:
            table = self._free.pop()
        except IndexError:
            table = self._new_table()
            self._tables.append(table)
        arrays, seated, results = table
        arguments = arrays, self._units, self._players, seated, results, counter, begin, number
        if not _entry:
            _entry.append(direct_call(_play_units, *arguments))
        return int(_entry[0](*arguments))

    def tally(self, count: int, *, rows: bool) -> Tally:
        """Tally of the first units, which are all that have been played."""
        style_counts = reduce(np.add, (table.results.style_counts for table in self._tables))
        units, schedule = self._rows, self._schedule
        if count < self.n_units:
            units, schedule = units.first(count), schedule.part(0, count)
        return count_up(units, style_counts, schedule, self._game, rows=rows)

    def _new_table(self) -> _Table:
        game, tables, players, levels = self._arrays
        arrays = GameArrays(_copy(game), _copy(tables), _copy(players), levels)
        arrays.game["seed"] = arrays.game["decision_seed"] = self._seed
        at_table = self._players
        if isinstance(self._schedule, LineupBlocks):
            at_table = empty_arrays(at_table, self._n)
        return _Table(
            arrays,
            Seated(at_table, self._strength_tables, self._batch.work_arrays(self._n)),
            Results(
                self._rows._replace(chips=np.zeros(self._n, np.int64)),
                np.zeros((len(self._batch), N_STYLE_COUNTS), np.int64),
                SCORES.index(self._game.score),
                estimator_of(self._variance_reduction, self._game, self._n),
            ),
        )


class SharedUnits:
    """Units of several matches, numbered in order, that threads take one after the other.

    Attributes:
        total: Number of all units.
        played: Units that are finished once all threads have returned: always the first ones.
        failed: Whether a thread raised an exception, so that units are missing.
    """

    def __init__(self, matches: Sequence[CompiledMatch]) -> None:
        self._matches = matches
        self._ends = list(accumulate(match.n_units for match in matches))
        self.total = self.played = self._ends[-1] if matches else 0
        self.failed = False
        self._counter = np.zeros(1, np.int64)

    @property
    def taken(self) -> int:
        """Units that threads have begun so far."""
        return min(self.played, int(self._counter[0]))

    def play(self) -> None:
        """Play units in the calling thread until none is left, or ``stop`` is called."""
        try:
            number = int(fetch_add(self._counter, 1))
            while number < self.total:
                i = bisect_right(self._ends, number)
                match = self._matches[i]
                number = match.play(self._counter, self._ends[i] - match.n_units, number)
        except BaseException:
            self.failed = True
            self.stop()
            raise

    def stop(self) -> None:
        """Let all threads return after their current units."""
        self.played = min(self.played, int(fetch_add(self._counter, _BEYOND)))

    def tallies(self, *, rows: bool) -> list[Tally | None]:
        """Tally of each match, as far as it was played; None if it was not begun."""
        found = []
        for match, end in zip(self._matches, self._ends, strict=True):
            count = min(match.n_units, self.played - (end - match.n_units))
            found.append(match.tally(count, rows=rows) if count > 0 else None)
        return found


def _units_of(schedule: Schedule, n: int) -> _Units:
    rotations = schedule.rotations(n)
    if isinstance(schedule, LineupBlocks):
        blocks, lineups = (
            np.require(each, requirements="W") for each in (schedule.blocks, schedule.lineups)
        )
        return _Units(blocks, lineups, rotations, True)
    numbers = np.arange(schedule.first, schedule.first + len(schedule))
    drawn = isinstance(schedule, Tournaments) or schedule.seating_order == "random"
    return _Units(numbers, np.empty((0, n), np.int64), rotations, drawn)


def _copy(records: Records) -> Records:
    """A copy; NumPy's own goes through the fields, and takes ten times as long."""
    return np.ndarray(records.shape, records.dtype, bytearray(records.tobytes()))


@lru_cache(maxsize=64)
def _game_arrays(game: Game, n: int) -> GameArrays:
    """Arrays of a game, to be copied."""
    return game.arrays(n)


@kernel
def _play_units(
    arrays: GameArrays,
    units: _Units,
    batch: PlayerArrays,
    seated: Seated,
    results: Results,
    counter: I64,
    begin: Int,
    number: Int,
) -> Int:
    """Play units until the shared counter has passed the last one.

    Args:
        arrays: Arrays of a game.
        units: The units of a match.
        batch: The whole player batch.
        seated: The players of a game, with the work arrays of this thread; for lineups, arrays to
            be filled.
        results: Results of the units, added to.
        counter: ``(1,)`` the next number that no thread has taken yet.
        begin: Number of the first of these units.
        number: The first number to play, taken by the caller.

    Returns:
        The first number taken that is beyond these units.
    """
    n = arrays.game[0].players
    by_lineup = len(units.lineups) > 0
    before = -1
    i = number - begin
    while i < len(units.numbers):
        if by_lineup:
            _seat(units.lineups, i, before, batch, seated.batch)
            before = i
        for shift in range(units.rotations):
            _play_game(arrays, units, i, shift, seated, results)
            for seat in range(n):
                player = units.lineups[i, seat] if by_lineup else seat
                add_style_counts(arrays.players[seat], results.style_counts[player])
        i = fetch_add(counter, 1) - begin
    return i + begin


@kernel
def _seat(lineups: I64, i: Int, before: Int, batch: PlayerArrays, seated: PlayerArrays) -> None:
    """Copy the players of lineup ``i`` that differ from lineup ``before`` (-1: none)."""
    for seat in range(lineups.shape[1]):
        player = lineups[i, seat]
        if before < 0 or player != lineups[before, seat]:
            copy_player(batch, player, seated, seat)


@kernel
def _play_game(
    arrays: GameArrays, units: _Units, i: Int, shift: Int, seated: Seated, results: Results
) -> None:
    """Play one game of unit ``i``, with players shifted by ``shift`` seats."""
    game, tables, players, levels = arrays.game[0], arrays.tables, arrays.players, arrays.levels
    rows, estimator = results.units, results.estimator
    game.tournament = units.numbers[i]
    game.decision_tournament = units.numbers[i] * units.rotations + shift
    tournament.start_game(game, tables, players, levels, DRAWN - shift if units.drawn else shift)
    rows.chips.fill(0)
    estimator.sums.fill(0)
    play_out(arrays, seated, rows.chips, estimator)
    for player in range(game.players):
        record = players[player]
        points = game_points(results.score, rows.chips[player], record.place)
        rows.points[i, player] += points
        if estimator.kernel != NO_FUNCTION:
            rows.adjusted[i, player] += estimator.sums[player]
        rows.gains[i, _HANDS_WON, player] += record.hands_won
        rows.gains[i, _CHIPS_WON, player] += record.chips_won
        rows.gains[i, _SHOWDOWNS_LOST, player] += record.showdowns_lost
        rows.gains[i, _CHIPS_LOST, player] += record.chips_lost
    add_style_counts(players[0], rows.first_style[i])
    rows.counts[i, 0] += game.hands
    rows.counts[i, 1] += game.decisions
