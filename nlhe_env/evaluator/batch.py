"""Ranks of arrays of hands, with validation of every card."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from nlhe_env.arguments import whole_number
from nlhe_env.cards import CARD_NAMES
from nlhe_env.evaluator.ranks import rank_lanes
from nlhe_env.jit.array_types import I64, U8, AnyArray, Int, LaneValues, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.lanes import LANES, any_lane, choose, load_columns
from nlhe_env.system.threads import Span, spans, thread_map

_NO_CARD = 255
_LEAST_HANDS = 1 << 19  # half a millisecond of work, enough to pay for a thread


@kernel
def _add_card(
    suits: tuple[LaneValues, LaneValues, LaneValues, LaneValues], card: LaneValues
) -> tuple[LaneValues, LaneValues, LaneValues, LaneValues]:
    """Add one card to the four suits of the hands in all lanes."""
    clubs, diamonds, hearts, spades = suits
    bit = 1 << (card >> 2 & 15)
    suit = card & 3
    return (
        clubs | choose(suit == 0, bit, 0),
        diamonds | choose(suit == 1, bit, 0),
        hearts | choose(suit == 2, bit, 0),
        spades | choose(suit == 3, bit, 0),
    )


@kernel
def _rank_columns(columns: tuple[LaneValues, ...], ranks: I64, first: Int) -> Truth:
    """Rank ``LANES`` hands from one value per card; True if any hand is invalid."""
    none = columns[0] ^ columns[0]
    suits = (none, none, none, none)
    wrong = none != 0
    for card in columns:
        suits = _add_card(suits, card)
        wrong = wrong | (card > 51)
    n_cards = rank_lanes(suits, ranks, first)
    return any_lane(wrong | (n_cards != len(columns)))


@kernel
def _rank_rows(cards: U8, n_cards: Int, ranks: I64) -> Truth:
    """Rank at least ``LANES`` rows of bytes; True if a code is invalid or a card is repeated."""
    last = len(ranks) - LANES
    wrong: Truth = False
    for block in range(0, len(ranks), LANES):
        # The last block overlaps the previous one.
        first = min(block, last)
        if n_cards == 5:
            wrong |= _rank_columns(load_columns(cards, first, 5), ranks, first)
        elif n_cards == 6:
            wrong |= _rank_columns(load_columns(cards, first, 6), ranks, first)
        else:
            wrong |= _rank_columns(load_columns(cards, first, 7), ranks, first)
    return wrong


@kernel
def _narrow(codes: I64, narrowed: U8) -> None:
    """Card codes as bytes; invalid codes become an invalid byte."""
    for i in range(len(codes)):
        code = codes[i]
        narrowed[i] = code if (code >= 0) & (code <= 51) else _NO_CARD


def _rank_slice(hands: AnyArray, ranks: I64) -> bool:
    """Rank some hands; True if a code is invalid or a card is repeated."""
    n, n_cards = hands.shape
    if n < LANES:
        padded = np.empty((LANES, n_cards), hands.dtype)
        padded[:n] = hands
        padded[n:] = hands[0]
        padded_ranks = np.empty(LANES, np.int64)
        wrong = _rank_slice(padded, padded_ranks)
        ranks[:] = padded_ranks[:n]
        return wrong
    codes = np.ascontiguousarray(hands).reshape(-1)
    if codes.itemsize == 1:
        narrowed = codes.view(np.uint8)
    else:
        narrowed = np.empty(codes.size, np.uint8)
        _narrow(codes, narrowed)
    return bool(_rank_rows(narrowed, n_cards, ranks))


def _complain(hands: AnyArray) -> NoReturn:
    """Raise an error that names the first invalid card."""
    in_order = np.sort(hands, axis=1)
    wrong = (in_order[:, 0] < 0) | (in_order[:, -1] > 51)
    wrong |= (in_order[:, 1:] == in_order[:, :-1]).any(axis=1)
    i = int(np.argmax(wrong))
    hand = hands[i].tolist()
    where = f" in row {i}" if len(hands) > 1 else ""
    for code in hand:
        if not 0 <= code <= 51:
            raise ValueError(f"card codes must be in 0..51; got {code}{where}")
    twice = next(code for code in hand if hand.count(code) > 1)
    raise ValueError(f"card {CARD_NAMES[twice]} appears twice{where}")


def evaluate(cards: AnyArray, *, n_threads: int = 1) -> I64:
    """Ranks of many hands at once.

    Bytes (int8 or uint8) in C order are read in place; other arrays are copied first. With a
    thousand hands or more, the call overhead is small.

    Args:
        cards: ``(n, k)`` card codes of any integer dtype, with ``k`` of 5, 6 or 7 cards per hand in
            any order.
        n_threads: Number of threads, at most one per half million hands; ranks do not depend on it.

    Returns:
        ``(n,)`` ranks: a higher rank wins, equal ranks tie. ``CLASS_NAMES[hand_class(rank)]`` is
        the name of the hand.

    Raises:
        ValueError: The shape is not ``(n, 5)``, ``(n, 6)`` or ``(n, 7)``, the dtype is not an
            integer, a code is outside 0..51, a hand has a card twice, or ``n_threads`` is 0.

    >>> from nlhe_env.cards import parse_cards
    >>> from nlhe_env.evaluator import CLASS_NAMES, hand_class
    >>> ranks = evaluate([parse_cards("AsKsQsJsTs2h3d"), parse_cards("AsAdKsKdQsQd2c")])
    >>> [CLASS_NAMES[hand_class(rank)] for rank in ranks]
    ['straight flush', 'two pair']
    """
    hands = np.asarray(cards)
    if hands.ndim != 2 or hands.shape[1] not in (5, 6, 7):
        raise ValueError(f"cards must have shape (n, 5), (n, 6) or (n, 7); got {hands.shape}")
    if hands.dtype.kind not in "iu":
        raise ValueError(f"cards must be integers; got dtype {hands.dtype}")
    whole_number("n_threads", n_threads, least=1)
    if not hands.dtype.isnative:
        hands = hands.astype(hands.dtype.newbyteorder("="))
    n = len(hands)
    ranks = np.empty(n, np.int64)
    n_threads = max(1, min(n_threads, n // _LEAST_HANDS))

    def rank(span: Span) -> bool:
        return _rank_slice(hands[slice(*span)], ranks[slice(*span)])

    if any(list(thread_map(rank, spans(0, n, n_threads), n_threads))):
        _complain(hands)
    return ranks
