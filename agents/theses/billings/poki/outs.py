"""Outs: a quick estimate of the probability of drawing ahead with the next card.

Loki's first versions used such a function instead of PPot, which enumerates every opposing holding
and every card (Billings 2006, 2.5.2.2). Here it is used for a thousand holdings at once and in
simulations; a player's own hand is enumerated.
"""

from __future__ import annotations

from nlhe_env.equity.tables.cells import ONE_RANK, SUIT, card_bit
from nlhe_env.jit.array_types import Float, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.bits import popcount, top_bit

_OUTS_OF_FLUSH = 9.0
_OUTS_OF_STRAIGHT = 3.7  # per rank: four, less the average overlap with flush outs
_OUTS_OF_OVERCARD = 2.7  # of three, because the pair may still be behind
_OUTS_OF_LIVE_CARD = 1.6
_OUTS_OF_PAIR = 4.4
_OUTS_OF_POCKET_PAIR = 2.5
_OUTS_OF_TWO_PAIR = 4.0
_OUTS_OF_TRIPS = 7.0


@kernel
def ranks_in(cards: Int) -> Int:
    """Ranks of a set of cards."""
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & SUIT


@kernel
def _makes_straight(ranks: Int) -> Truth:
    ladder = ranks << 1 | ranks >> 12
    return ladder & ladder >> 1 & ladder >> 2 & ladder >> 3 & ladder >> 4 != 0


@kernel
def _straight_ranks(ranks: Int) -> Int:
    """Number of ranks that would complete a straight, for a set without one."""
    ladder = ranks << 1 | ranks >> 12
    n = 0
    # Runs of five with one missing rank, each marked by that rank.
    missing: Int = 0
    for low in range(10):
        gap = 31 << low & ~ladder
        if gap != 0 and gap & gap - 1 == 0:
            missing |= 1 << 13 if gap == 1 else gap
    for rank in range(1, 14):
        n += missing >> rank & 1
    return n


@kernel
def outs_of(hole: Int, board: Int) -> Float:
    """Approximate number of cards that would put a trailing hand ahead.

    Args:
        hole: The two hole cards as a set.
        board: Three or four cards as a set.
    """
    cards = hole | board
    outs = 0.0
    for suit in range(4):
        own = popcount(hole >> 16 * suit & SUIT)
        if own > 0 and popcount(cards >> 16 * suit & SUIT) == 4:
            outs += _OUTS_OF_FLUSH if own == 2 else 0.8 * _OUTS_OF_FLUSH
    ranks, on_board = ranks_in(cards), ranks_in(board)
    if not _makes_straight(ranks):
        # Hands made by the board alone help all players.
        n = _straight_ranks(ranks) - _straight_ranks(on_board)
        if n > 0:
            outs += _OUTS_OF_STRAIGHT * n * (1.0 if outs == 0.0 else 0.75)
    held = ranks_in(hole)
    high = top_bit(held)
    low = held ^ high
    if low == 0:  # a pocket pair
        outs += _OUTS_OF_TRIPS if held & on_board else _OUTS_OF_POCKET_PAIR
        return outs
    paired = held & on_board
    if paired == 0:
        best = top_bit(on_board)
        outs += _OUTS_OF_OVERCARD if high > best else _OUTS_OF_LIVE_CARD
        outs += _OUTS_OF_OVERCARD if low > best else _OUTS_OF_LIVE_CARD
    elif paired == held:
        outs += _OUTS_OF_TWO_PAIR
    elif popcount(board & ONE_RANK * paired) > 1:
        outs += _OUTS_OF_TRIPS
    else:
        outs += _OUTS_OF_PAIR
    return outs


@kernel
def quick_potential(hole_0: Int, hole_1: Int, board: Int, n_board: Int) -> Float:
    """Approximate PPot with the next card, 0..1; 0 on the river.

    Args:
        hole_0: Code of the first hole card.
        hole_1: Code of the second hole card.
        board: The board as a set of cards.
        n_board: 3, 4 or 5 cards.
    """
    if n_board == 5:
        return 0.0
    return min(outs_of(card_bit(hole_0) | card_bit(hole_1), board) / (50.0 - n_board), 1.0)
