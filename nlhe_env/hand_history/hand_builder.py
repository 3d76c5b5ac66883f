"""Hands during reading: the lines of each, drafts, and their validation in batches."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple, TypeAlias

from nlhe_env.hand_history.batches import AT_ONCE, ReplayedHands, Row, pack, play_packed
from nlhe_env.hand_history.errors import HandHistoryError
from nlhe_env.hand_history.record import Hand
from nlhe_env.hand_history.replay import acted

_MOST_LINES = 5_000  # of one hand


class HandDraft(NamedTuple):
    """A hand that is read but not yet validated."""

    hand: Hand
    alone: Callable[[], Hand]
    """Plays the hand alone; raises a ``HandHistoryError`` with the reason if it is invalid."""
    in_turn: Sequence[Row] | None = None
    """Its actions, if the text does not name the acting players; see ``batches.pack``."""


Read: TypeAlias = Hand | HandHistoryError
"""A hand, the draft of a hand, or the error of an unreadable hand."""


class Batch:
    """Hands as found in a file; the drafts are played in one kernel call.

    Args:
        found: Drafts, and hands and errors that need no replay.
        check: Whether hands must end as recorded.
    """

    def __init__(self, found: Sequence[HandDraft | Read], *, check: bool) -> None:
        self._found = found
        self._drafts = [one for one in found if isinstance(one, HandDraft)]
        packed = pack(
            [draft.hand for draft in self._drafts],
            in_turn=[draft.in_turn for draft in self._drafts],
            check=check,
        )
        self._played = play_packed(packed)
        self._is_over = self._played.tables["actor"] < 0

    def __len__(self) -> int:
        """Number of hands and errors."""
        return len(self._found)

    def reads(self) -> list[Read]:
        """Hands and errors in order; invalid drafts are played alone to find the reason."""
        played = iter(self._finished())
        return [next(played) if isinstance(one, HandDraft) else one for one in self._found]

    def whole(self) -> tuple[list[Hand], ReplayedHands] | None:
        """The hands, possibly without acting players, and their replays.

        None unless everything found is a draft of a valid, complete hand.
        """
        whole = self._played.fits & self._is_over
        if len(self._drafts) < len(self._found) or not whole.all():
            return None
        return [draft.hand for draft in self._drafts], self._played

    def _finished(self) -> Iterator[Read]:
        packed, tables, fits = self._played
        rows, starts = packed.actions.tolist(), packed.starts.tolist()
        for k, draft in enumerate(self._drafts):
            has_result = draft.in_turn is not None or draft.hand.finishing_stacks is not None
            if not fits[k] or (has_result and not self._is_over[k]):
                try:
                    yield draft.alone()
                except HandHistoryError as error:
                    yield error
            elif draft.in_turn is None:
                yield draft.hand
            else:
                yield acted(draft.hand, rows[starts[k] : starts[k + 1]], tables[k])


def batches(found: Iterable[HandDraft | Read], *, check: bool) -> Iterator[Batch]:
    """Batches of a few hundred hands of a file; see ``Batch``."""
    remaining = iter(found)
    while True:
        with _no_search_for_cycles():
            some = list(islice(remaining, AT_ONCE))
            if not some:
                return
            batch = Batch(some, check=check)
        yield batch


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Pause Python's garbage collector while a batch is read.

    A batch has many small objects and no cycles. They would trigger full collections of the whole
    process every few thousand hands, at a third of the reading time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def chunks(
    numbered: Iterable[tuple[int, str]], starts: Callable[[str], bool]
) -> Iterator[tuple[int, list[str]] | HandHistoryError]:
    """The lines of each hand, with the number of the first; an error for a hand of far too many.

    Args:
        numbered: Lines and their numbers.
        starts: Whether a line begins a hand.
    """
    first_line = 1
    chunk: list[str] = []
    too_long = False
    for number, line in numbered:
        if starts(line):
            if chunk and not too_long:
                yield first_line, chunk
            first_line, chunk, too_long = number, [], False
        if too_long:
            continue
        chunk.append(line)
        if len(chunk) > _MOST_LINES:
            yield HandHistoryError(first_line, f"a hand has at most {_MOST_LINES} lines")
            too_long = True
    if chunk and not too_long:
        yield first_line, chunk
