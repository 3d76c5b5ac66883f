"""Hands as they are read, and many of them checked at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from nlhe_env.hand_history.batches import AT_ONCE, Row, pack, play_packed
from nlhe_env.hand_history.errors import HandHistoryError
from nlhe_env.hand_history.record import Hand
from nlhe_env.hand_history.replay import acted


class Draft(NamedTuple):
    """A hand that has been read and not yet played."""

    hand: Hand
    alone: Callable[[], Hand]
    """Plays it by itself, and raises a ``HandHistoryError`` that says what is wrong with it."""
    in_turn: Sequence[Row] | None = None
    """Its actions, if nobody has written down whose they are; see ``batches.pack``."""


Read: TypeAlias = Hand | HandHistoryError
"""A hand that was read, or why one was not."""


def play_drafts(found: Iterable[Draft | Read], *, check: bool) -> Iterator[Read]:
    """What was found, in order, the drafts played by the rules.

    Args:
        found: Drafts, and what needs no playing any more.
        check: Whether hands must end as they are written.
    """
    remaining = iter(found)
    while some := list(islice(remaining, AT_ONCE)):
        drafts = [one for one in some if isinstance(one, Draft)]
        played = iter(_play(drafts, check))
        for one in some:
            yield next(played) if isinstance(one, Draft) else one


def _play(drafts: Sequence[Draft], check: bool) -> list[Read]:
    """The same hands played; those that do not fit, one by one, to find out why."""
    if not drafts:
        return []
    in_turn = [draft.in_turn for draft in drafts]
    packed = pack([draft.hand for draft in drafts], in_turn=in_turn, check=check)
    _, tables, fits = play_packed(packed)
    is_over = tables["actor"] < 0
    rows, starts = packed.actions.tolist(), packed.starts.tolist()
    results: list[Read] = []
    for k, draft in enumerate(drafts):
        if not fits[k] or (draft.in_turn is not None and not is_over[k]):
            try:
                results.append(draft.alone())
            except HandHistoryError as error:
                results.append(error)
        elif draft.in_turn is None:
            results.append(draft.hand)
        else:
            results.append(acted(draft.hand, rows[starts[k] : starts[k + 1]], tables[k]))
    return results
