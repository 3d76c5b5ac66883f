"""Playing schedules: ``agents.play``, and several schedules at once with workers."""

from __future__ import annotations

import math
import os
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from agents.external.player_lifecycle import as_players
from agents.match.compiled_match import CompiledMatch, SharedUnits
from agents.match.environment import play_in_environment
from agents.match.schedules import LineupBlocks, Schedule, Tournaments
from agents.match.tally import Tally
from agents.match.workers.base import CallingThread, ThreadWorkers, Workers
from agents.match.workers.chunks import run_chunks
from agents.players.networks.network import N_WEIGHTS
from agents.players.networks.networks import pack_networks
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import PlayerBatch, pack_players
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.divat import Divat
from agents.variance_reduction.methods import VarianceReduction
from nlhe_env.arguments import shown
from nlhe_env.equity import StrengthTables
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.hand_history import Record
from nlhe_env.jit.compile_ahead import compile_ahead
from nlhe_env.system.threads import Threads

_AT_ONCE = 2**17
"""Maximum number of results that a thread keeps; longer schedules are played in parts."""
_RESULTS_OF_MATCH = 2**10
"""Results whose memory a prepared match takes besides."""
_POLL_S = 0.1
"""Seconds between reports of progress."""
_PART_S = 2.0
"""Seconds of play between finished parts for ``on_parts``."""
_WAITING_SHARE = 0.1
"""Maximum share of time in which threads wait for the last ones to finish a part."""


def play(
    players: PlayerBatch | Sequence[Player | str | os.PathLike[str]],
    schedule: Schedule,
    game: Game,
    *,
    seed: int | None,
    rows: bool = False,
    variance_reduction: VarianceReduction | Aivat | Divat = "none",
    record: Record | None = None,
    tables: StrengthTables | None = None,
    workers: Workers | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Tally:
    """Play a schedule and return its tally.

    Each unit of the schedule depends only on the seed, its number, the game and its players. It can
    be played in any parts on any threads, and the tallies of the parts add up exactly. Kernels play
    compiled players without the GIL. With a Python player or recorded hands, the environment plays
    instead, with the same cards and results, but about twenty times slower.

    Args:
        players: At least two players, as objects, as names for ``make``, or packed.
        schedule: ``Tournaments``, ``Blocks`` or ``LineupBlocks``.
        game: The game; blocks ignore its table size.
        seed: Seed of cards, seats, buttons and players' random numbers; ``None`` is a random seed.
        rows: Keep the results of every unit.
        variance_reduction: ``"none"``; ``"all-in"``: pots with complete betting before the river
            are paid at their exact expected value, with known folded cards; ``"divat"`` (heads-up
            fixed-limit): results minus the DIVAT baseline; ``"divat-roe"``: DIVAT by roll-outs,
            unbiased and slower; or ``"aivat"`` (one table): a value function removes the effect of
            cards and of random choices with known probabilities, see ``Aivat``. Cards and decisions
            are unchanged, and ``Tally.plain`` has the plain results.
        record: Destination of finished hands: the path of a ``.phhs`` file (appended), a function,
            or a list; players are named by their numbers in the player batch.
        tables: ``nlhe_env.load_tables()``; loaded if needed.
        workers: Threads, processes or a cluster for the games of compiled players; their number
            does not affect the result. Default: the calling thread.
        on_progress: Called now and then with the number of units finished since, with ``workers``.

    Raises:
        ValueError: The schedule does not fit the players or a table, the game or the seed is
            invalid, an object is not a player, a player does not support the game, hands of a
            packed field or with workers are recorded, results in big blinds have rising blinds, or
            the variance reduction does not fit the game.

    >>> import agents, nlhe_env
    >>> players = ["caller", "folder", "raiser"]
    >>> tally = agents.play(players, agents.Blocks(100), nlhe_env.Game.cash(), seed=1)
    >>> tally.scores.sum(), tally.hands
    (np.float64(0.0), 6000)
    """
    compile_ahead("play")
    if isinstance(players, (str, os.PathLike)):
        raise ValueError(f"players must be a list of players; got {shown(players)}")
    if not isinstance(schedule, Schedule):
        raise ValueError(
            f"schedule must be Tournaments, Blocks or LineupBlocks, such as Blocks(100); got "
            f"{shown(schedule)}"
        )
    if not isinstance(game, Game):
        raise ValueError(f"game must be a Game, such as Game.cash(); got {shown(game)}")
    if record is not None and workers is not None:
        raise ValueError("to record hands, leave out workers: hands are recorded in order")
    seed = make_seed(seed)  # only once: all parts have the same cards
    if workers is not None:
        seated = players if isinstance(players, PlayerBatch) else as_players(players)
        task = PlayTask(seated, schedule, game, seed, variance_reduction=variance_reduction)
        return play_all(workers, [task], rows=rows, on_progress=on_progress)[0]
    if isinstance(players, PlayerBatch):
        if record is not None:
            raise ValueError("to record hands, give the players themselves, not a packed batch")
        batch = players
    else:
        seated = as_players(players)
        if record is not None or not all(isinstance(each, CompiledPlayer) for each in seated):
            return play_in_environment(
                seated,
                schedule,
                game,
                seed=seed,
                rows=rows,
                variance_reduction=variance_reduction,
                record=record,
            )
        batch = pack_players(seated)
    step = max(1, _AT_ONCE // _results_per_unit(batch, schedule))
    parts = []
    for first in range(0, max(len(schedule), 1), step):
        count = min(step, len(schedule) - first)
        match = CompiledMatch(
            batch,
            schedule if count == len(schedule) else schedule.part(first, count),
            game,
            seed=seed,
            variance_reduction=variance_reduction,
            tables=tables,
        )
        SharedUnits([match]).play()
        parts.append(match.tally(count, rows=rows))
    return reduce(Tally.__add__, parts)


@dataclass(frozen=True, eq=False)
class PlayTask:
    """A schedule to play with a player batch.

    Attributes:
        players: Player objects, or a packed batch; compiled players are packed.
        schedule: Lineups of the games.
        game: Game that is played.
        seed: 64-bit seed of cards, seats and decisions.
        play: Function that plays parts of it: ``agents.play`` or an equivalent.
        variance_reduction: Method of variance reduction, see ``agents.play``.
    """

    players: PlayerBatch | Sequence[Player]
    schedule: Schedule
    game: Game
    seed: int
    play: Callable[..., Tally] = play
    variance_reduction: VarianceReduction | Aivat | Divat = "none"

    def __post_init__(self) -> None:
        players = self.players
        if not isinstance(players, PlayerBatch) and all(
            isinstance(player, CompiledPlayer) for player in players
        ):
            object.__setattr__(self, "players", pack_players(players))

    def __len__(self) -> int:
        return len(self.schedule)

    def part(self, first: int, count: int, *, rows: bool = False) -> Tally:
        """Tally of ``count`` units of the schedule, from unit ``first``."""
        part = self.schedule.part(first, count)
        return self.play(
            self.players,
            part,
            self.game,
            seed=self.seed,
            rows=rows,
            variance_reduction=self.variance_reduction,
        )

    def prepared(self, first: int, count: int) -> CompiledMatch:
        """Units of a play of compiled players, prepared for threads."""
        players, schedule = self.players, self.schedule
        if not isinstance(players, PlayerBatch):
            raise TypeError(f"only players packed in a batch share units; got {players!r}")
        return CompiledMatch(
            players,
            schedule if count == len(schedule) else schedule.part(first, count),
            self.game,
            seed=self.seed,
            variance_reduction=self.variance_reduction,
        )

    @property
    def is_compiled(self) -> bool:
        """Whether threads can share its units inside kernels."""
        return isinstance(self.players, PlayerBatch) and self.play is play


class PlayedPart(NamedTuple):
    """Units of one of several plays."""

    number: int
    """Index of the play."""
    first: int
    """First unit in the schedule of the play."""
    tally: Tally


@dataclass(frozen=True, eq=False)
class _Plays:
    """Several plays as one task for workers, with consecutive numbers for all units.

    Attributes:
        numbers: Index of every play.
        plays: The plays.
        rows: Whether to keep the results of every unit.
        threads_share: Whether the threads of a process share units inside kernels.
    """

    numbers: tuple[int, ...]
    plays: tuple[PlayTask, ...]
    rows: bool
    threads_share: bool

    @cached_property
    def _ends(self) -> list[int]:
        """Number of the unit after the last one of every play."""
        return list(accumulate(len(play.schedule) for play in self.plays))

    def __len__(self) -> int:
        return self._ends[-1]

    def __call__(self, first: int, count: int, threads: int = 1) -> list[PlayedPart]:
        if threads > 1:
            with Threads(threads) as team:
                return self.on_threads(team, first, count)
        return [
            PlayedPart(self.numbers[i], begin, self.plays[i].part(begin, here, rows=self.rows))
            for i, begin, here in self._pieces(first, count)
        ]

    def on_threads(
        self,
        threads: Threads,
        first: int,
        count: int,
        *,
        on_progress: Callable[[int], None] | None = None,
        on_parts: Callable[[list[PlayedPart]], None] | None = None,
    ) -> list[PlayedPart]:
        """Play units with threads that share them; see ``play_all`` for the arguments."""
        found: list[PlayedPart] = []
        end, part_s = first + count, _PART_S if on_parts else math.inf
        while first < end:
            pieces = self._pieces(first, end - first, _AT_ONCE * threads.count)
            units = SharedUnits([self.plays[i].prepared(begin, here) for i, begin, here in pieces])
            n_threads = min(threads.count, units.total)
            futures = [threads.submit(units.play) for _ in range(n_threads)]
            seen = 0
            try:
                seen, waited_s = _watch(units, futures, part_s, on_progress)
                part_s = max(part_s, waited_s / _WAITING_SHARE)
            finally:
                if not units.failed:
                    new = [
                        PlayedPart(self.numbers[i], begin, tally)
                        for (i, begin, _), tally in zip(
                            pieces, units.tallies(rows=self.rows), strict=True
                        )
                        if tally is not None
                    ]
                    found += new
                    if on_parts is not None and new:
                        on_parts(new)
            if on_progress is not None and units.played > seen:
                on_progress(units.played - seen)
            first += units.played
        return found

    def _pieces(self, first: int, count: int, most: int = sys.maxsize) -> list[_Piece]:
        """Consecutive units of all plays by play, with at most so many results."""
        pieces, ends = [], self._ends
        while count > 0 and most > 0:
            i = bisect_right(ends, first)
            play, start = self.plays[i], ends[i - 1] if i else 0
            size = _results_per_unit(play.players, play.schedule)
            here = min(count, ends[i] - first, max(1, most // size))
            pieces.append(_Piece(i, first - start, here))
            first, count = first + here, count - here
            most -= here * size + _RESULTS_OF_MATCH
        return pieces


class _Piece(NamedTuple):
    """Consecutive units of a play."""

    play: int
    first: int
    units: int


def _watch(
    units: SharedUnits,
    futures: Sequence[Future[None]],
    limit_s: float,
    on_progress: Callable[[int], None] | None,
) -> tuple[int, float]:
    """Wait for the threads that play some units, and stop them after ``limit_s``.

    Whatever happens, no thread plays any more at the end.

    Returns:
        Units reported to ``on_progress``, and seconds that the threads took to stop.
    """
    seen, waited_s, end = 0, 0.0, time.monotonic() + limit_s
    try:
        while wait(futures, timeout=_POLL_S).not_done:
            finished = units.taken - len(futures)  # each may still play the last one it took
            if on_progress is not None and finished > seen:
                on_progress(finished - seen)
                seen = finished
            if time.monotonic() > end:
                stopped = time.monotonic()
                units.stop()
                wait(futures)
                waited_s = time.monotonic() - stopped
    finally:
        units.stop()
        wait(futures)
    for future in futures:
        future.result()
    return seen, waited_s


def _results_per_unit(players: PlayerBatch | Sequence[Player | None], schedule: Schedule) -> int:
    if isinstance(schedule, LineupBlocks):
        return schedule.lineups.shape[1]
    return len(players)


def play_all(
    workers: Workers,
    plays: Sequence[PlayTask],
    *,
    rows: bool = False,
    on_progress: Callable[[int], None] | None = None,
    on_parts: Callable[[list[PlayedPart]], None] | None = None,
) -> list[Tally]:
    """Play several schedules as one, so that no worker idles at the end of one.

    Threads share the units of all schedules with compiled players. Schedules with players that
    decide in Python are played last, one after the other, by the calling thread.

    Args:
        workers: Workers for the games; their number changes only the time.
        plays: Games to play.
        rows: Whether to keep the results of every unit.
        on_progress: Called now and then with the number of units finished since.
        on_parts: Called now and then, before ``on_progress``, with the results since. After an
            exception, Ctrl-C included, it still gets the finished results: with threads those of
            all units before the first unfinished one.

    Returns:
        The tally of each.
    """
    groups: dict[tuple[bool, bool], list[int]] = {}
    for i, one in enumerate(plays):
        groups.setdefault((one.is_compiled, isinstance(one.players, PlayerBatch)), []).append(i)
    found: dict[int, list[Tally]] = {}
    for (is_compiled, is_packed), numbers in sorted(groups.items(), reverse=True):
        task = _Plays(tuple(numbers), tuple(plays[i] for i in numbers), rows, is_compiled)
        if is_compiled and isinstance(workers, ThreadWorkers):
            parts = task.on_threads(
                workers.threads, 0, len(task), on_progress=on_progress, on_parts=on_parts
            )
        else:
            chunks = run_chunks(
                task,
                len(task),
                workers=workers if is_packed else CallingThread(),
                on_progress=on_progress,
                on_part=None if on_parts is None else lambda _, parts: on_parts(parts),
            )
            parts = list(chain.from_iterable(chunks))
        for part in parts:
            found.setdefault(part.number, []).append(part.tally)
    return [
        reduce(Tally.__add__, found[i]) if i in found else one.part(0, 0, rows=rows)
        for i, one in enumerate(plays)
    ]


def prepare_game() -> None:
    """Loads the strength tables and compiles the game, outside the timing of a run."""
    networks = pack_networks(np.zeros((2, N_WEIGHTS), np.float32), inputs="features_scaled")
    play(networks, Tournaments(1), Game.tournament(), seed=0)
