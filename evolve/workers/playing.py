"""Schedules of games, played in chunks by many workers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, chain
from typing import NamedTuple

import agents
import nlhe_env
from agents.policy.compiled_player import CompiledPlayer
from evolve.workers.base import Workers
from evolve.workers.chunks import run_chunks
from evolve.workers.threads import thread_workers


@dataclass(frozen=True, eq=False)
class PlayTask:
    """A schedule to play with a player batch.

    Attributes:
        players: Player objects, or a packed batch; compiled players are packed.
        schedule: Lineups of the games.
        game: Game that is played.
        seed: 64-bit seed of cards, seats and decisions.
        variance_reduction: Method of variance reduction, see ``agents.play``.
        play: Function that plays parts of it: ``agents.play`` or an equivalent.
    """

    players: agents.PlayerBatch | Sequence[agents.Player]
    schedule: agents.Schedule
    game: nlhe_env.Game
    seed: int
    play: Callable[..., agents.Tally] = agents.play
    variance_reduction: agents.VarianceReduction | agents.Aivat = "none"

    def __post_init__(self) -> None:
        players = self.players
        if not isinstance(players, agents.PlayerBatch) and all(
            isinstance(player, CompiledPlayer) for player in players
        ):
            object.__setattr__(self, "players", agents.pack_players(players))

    def __len__(self) -> int:
        return len(self.schedule)

    def part(self, first: int, count: int, *, rows: bool = False) -> agents.Tally:
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


class PlayedPart(NamedTuple):
    """Units of one of several plays."""

    number: int
    """Index of the play."""
    first: int
    """First unit in the schedule of the play."""
    tally: agents.Tally


@dataclass(frozen=True, eq=False)
class _Plays:
    """Several plays as one task for workers, with consecutive numbers for all units."""

    numbers: tuple[int, ...]
    plays: tuple[PlayTask, ...]
    rows: bool

    def __call__(self, first: int, count: int) -> list[PlayedPart]:
        ends = list(accumulate(map(len, self.plays)))
        parts = []
        while count > 0:
            i = bisect_right(ends, first)
            play = self.plays[i]
            here = min(count, ends[i] - first)
            begin = first - (ends[i] - len(play))
            parts.append(PlayedPart(self.numbers[i], begin, play.part(begin, here, rows=self.rows)))
            first, count = first + here, count - here
        return parts


def play_all(
    workers: Workers,
    plays: Sequence[PlayTask],
    *,
    rows: bool = False,
    on_progress: Callable[[int], None] | None = None,
    on_parts: Callable[[list[PlayedPart]], None] | None = None,
) -> list[agents.Tally]:
    """Plays several schedules as one, so that no worker idles at the end of one.

    Schedules with players that decide in Python are played last, one after the other, by a thread
    of this process.

    Args:
        workers: Workers for the games; their number changes only the time.
        plays: Games to play.
        rows: Whether to keep the results of every unit.
        on_progress: Called after every chunk with its number of units.
        on_parts: Called before ``on_progress`` with the results of the chunk. After an exception,
            Ctrl-C included, it still gets the finished results.

    Returns:
        The tally of each.
    """
    on_part = None if on_parts is None else lambda _, parts: on_parts(parts)
    groups: tuple[list[int], list[int]] = [], []
    for i, one in enumerate(plays):
        groups[not isinstance(one.players, agents.PlayerBatch)].append(i)
    found: dict[int, list[agents.Tally]] = {}
    with thread_workers(1) as alone:
        for numbers, able in zip(groups, (workers, alone), strict=True):
            if not numbers:
                continue
            task = _Plays(tuple(numbers), tuple(plays[i] for i in numbers), rows)
            total = sum(map(len, task.plays))
            chunks = run_chunks(task, total, workers=able, on_progress=on_progress, on_part=on_part)
            for part in chain.from_iterable(chunks):
                found.setdefault(part.number, []).append(part.tally)
    return [
        reduce(agents.Tally.__add__, found[i]) if i in found else one.part(0, 0, rows=rows)
        for i, one in enumerate(plays)
    ]


def play(
    workers: Workers,
    players: agents.PlayerBatch | Sequence[agents.Player],
    schedule: agents.Schedule,
    game: nlhe_env.Game,
    *,
    seed: int,
    rows: bool = False,
    variance_reduction: agents.VarianceReduction | agents.Aivat = "none",
    on_progress: Callable[[int], None] | None = None,
) -> agents.Tally:
    """``agents.play`` on many workers; for the additional arguments see ``play_all``."""
    whole = PlayTask(players, schedule, game, seed, variance_reduction=variance_reduction)
    return play_all(workers, [whole], rows=rows, on_progress=on_progress)[0]
