"""Schedules of games, played in chunks by many workers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import NamedTuple

import agents
import nlhe_env
from evolve.workers.base import Workers
from evolve.workers.chunks import run_chunks


@dataclass(frozen=True, eq=False)
class Play:
    """Something to play.

    Attributes:
        field: The players.
        schedule: Who meets whom.
        game: What is played.
        seed: 64-bit seed of cards, seats and decisions.
        play: Plays parts of it: ``agents.play``, or another way to the same tallies.
    """

    field: agents.Field
    schedule: agents.Schedule
    game: nlhe_env.Game
    seed: int
    play: Callable[..., agents.Tally] = agents.play

    def __len__(self) -> int:
        return len(self.schedule)

    def part(self, first: int, count: int, *, rows: bool) -> agents.Tally:
        """The tally of ``count`` units, from the one at ``first`` in the schedule."""
        part = self.schedule.part(first, count)
        return self.play(self.field, part, self.game, seed=self.seed, rows=rows)


class Part(NamedTuple):
    """Units of one of several plays."""

    number: int
    """Which of the plays."""
    first: int
    """Where in its schedule they begin."""
    tally: agents.Tally


@dataclass(frozen=True, eq=False)
class _Plays:
    """Several plays, their units numbered one after the other, as a task for workers."""

    plays: tuple[Play, ...]
    rows: bool

    def __call__(self, first: int, count: int) -> list[Part]:
        ends = list(accumulate(map(len, self.plays)))
        parts = []
        while count > 0:
            number = bisect_right(ends, first)
            here = min(count, ends[number] - first)
            play = self.plays[number]
            begin = first - (ends[number] - len(play))
            parts.append(Part(number, begin, play.part(begin, here, rows=self.rows)))
            first, count = first + here, count - here
        return parts


def play_all(
    workers: Workers,
    plays: Sequence[Play],
    *,
    rows: bool = False,
    on_progress: Callable[[int], None] | None = None,
    on_parts: Callable[[list[Part]], None] | None = None,
) -> list[agents.Tally]:
    """Plays several schedules as one, so that no worker waits where one ends.

    Args:
        workers: Who plays; their number changes nothing but the time.
        plays: What to play.
        rows: Whether to keep what every unit came to.
        on_progress: Called after every chunk with the number of units that it finished.
        on_parts: Called before that with what the chunk came to. After an exception, Ctrl-C
            included, it still gets what is finished.

    Returns:
        The tally of each.
    """
    task = _Plays(tuple(plays), rows)
    chunks = run_chunks(
        task,
        sum(map(len, plays)),
        workers=workers,
        on_progress=on_progress,
        on_part=None if on_parts is None else lambda _, parts: on_parts(parts),
    )
    found: dict[int, list[agents.Tally]] = {}
    for number, _, tally in (part for chunk in chunks for part in chunk):
        found.setdefault(number, []).append(tally)
    return [
        reduce(agents.Tally.__add__, found[i]) if i in found else play.part(0, 0, rows=rows)
        for i, play in enumerate(plays)
    ]


def play(
    workers: Workers,
    field: agents.Field,
    schedule: agents.Schedule,
    game: nlhe_env.Game,
    *,
    seed: int,
    rows: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> agents.Tally:
    """``agents.play`` on many workers.

    Args:
        workers: Who plays; their number changes nothing but the time.
        field: The players.
        schedule: Who meets whom.
        game: What is played.
        seed: 64-bit seed of cards, seats and decisions.
        rows: Whether to keep what every unit came to.
        on_progress: Called after every chunk with the number of units that it finished.
    """
    whole = Play(field, schedule, game, seed)
    return play_all(workers, [whole], rows=rows, on_progress=on_progress)[0]
