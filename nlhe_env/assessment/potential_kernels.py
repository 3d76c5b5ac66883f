"""Kernels of hand strength and hand potential, by exact enumeration, and of their weights.

Counts do not depend on the weights of opponents' holdings: for every holding they are whether it is
beaten now, and on how many future boards. Weights are applied last, so several opponents with
different ranges need only one count.

On the flop there are 1,081 holdings with 990 run-outs each. The rank of a holding on a run-out
depends on the four cards together, whichever two of them are the holding's: 178,365 sets of four
serve all 1.07 million showdowns. Leaving flushes aside, a rank depends on the ranks of the four
cards only, and those make 1,820 combinations at most; that many hands are evaluated.

A weight table has the relative likelihoods of one player's actions with the 1,326 holdings
(Billings 2006, 2.5.2.4), in [0, 1]: 1 before a hand and 0 for known cards, and multiplied by the
probability of each action taken. It is not normalised. ``Range.table`` is also a weight table.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import EVERY_SUIT, ONE_RANK, SUIT, card_bit, hole_number
from nlhe_env.evaluator import add_rank, rank_of_flush, rank_set, rank_without_flush
from nlhe_env.jit.array_types import F32, F64, AnyArray, Float, Int, Record
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.bits import popcount

AHEAD = 0
TIED = 1
BEHIND = 2

_WIDTH = 48  # one player has not seen 47 cards on the flop

# One count holds wins in its upper half and ties in its lower; both stay below 1,000.
_SHIFT = 16
_WIN = np.int32(1 << _SHIFT)
_TIE = np.int32(1)
_LOSS = np.int32(0)

SCRATCH = np.dtype(
    [
        ("n_unseen", np.int64),
        ("n_runouts", np.int64),  # that each holding meets
        # Cards not seen in ascending order, and where each rank begins among them.
        ("unseen", np.int64, (_WIDTH,)),
        ("first_of_rank", np.int64, (14,)),
        # Of the holding of unseen cards i < j: how it compares now, how often it is beaten later.
        ("now", np.int8, (_WIDTH, _WIDTH)),
        ("later", np.int32, (_WIDTH, _WIDTH)),
        # Own rank with unseen cards i < j on the board; with one card, with i in row 0.
        ("own", np.int32, (_WIDTH, _WIDTH)),
        # Rank of a set of cards by the last one: flushes not seen, and with them.
        ("plain", np.int32, (_WIDTH,)),
        ("flushed", np.int32, (_WIDTH,)),
    ],
    align=True,
)
"""Memory that ``potential`` works in, about 22 kB: ``np.zeros((), SCRATCH)[()]``."""
ScratchRecord: TypeAlias = Record
"""A record of dtype ``SCRATCH``."""


class Transitions(NamedTuple):
    """Weights of showdowns by the current and later state of a hand: ahead, tied or behind.

    The first letter of a name is the current state.
    """

    aa: Float
    at: Float
    ab: Float
    ta: Float
    tt: Float
    tb: Float
    ba: Float
    bt: Float
    bb: Float


@kernel
def _outcome(own: Int, rank: Int) -> Int:
    """One showdown as a count of wins and ties."""
    return _WIN if own > rank else _TIE if own == rank else _LOSS


@kernel
def board_set(board: AnyArray, n_board: Int) -> Int:
    """The first ``n_board`` cards of an array as a set."""
    cards = np.int64(0)
    for i in range(n_board):
        cards |= card_bit(board[i])
    return cards


@kernel
def _weight(weights: AnyArray | None, number: Int) -> Float:
    return 1.0 if weights is None else np.float64(weights[number])


@kernel
def hand_strength(
    hole_0: Int, hole_1: Int, board: AnyArray, n_board: Int, weights: F64 | None
) -> Float:
    """HS: the weighted share of opposing holdings that are beaten now, ties counting one half.

    Args:
        hole_0: A card code.
        hole_1: Another card code, in any order.
        board: 1-D integer array of at least ``n_board`` card codes.
        n_board: 3, 4 or 5 cards of ``board`` that lie open.
        weights: ``(1326,)`` float weights of holdings a > b at C(a,2) + b, ignored for holdings
            with a known card; or None for equal weights.

    Returns:
        float64 in [0, 1]; 0 if no possible holding has any weight.
    """
    table = board_set(board, n_board)
    own = table | card_bit(hole_0) | card_bit(hole_1)
    own_rank = rank_set(own)
    won = 0.0
    total: Float = 0.0
    for high in range(1, N_CARDS):
        with_high = table | card_bit(high)
        if own & card_bit(high):
            continue
        for low in range(high):
            if own & card_bit(low):
                continue
            weight = _weight(weights, (high * (high - 1) >> 1) + low)
            if weight > 0.0:
                rank = rank_set(with_high | card_bit(low))
                total += weight
                won += weight * (np.float64(own_rank > rank) + 0.5 * np.float64(own_rank == rank))
    return won / total if total > 0.0 else 0.0


@kernel
def potential(
    hole_0: Int,
    hole_1: Int,
    board: AnyArray,
    n_board: Int,
    n_cards: Int,
    weights: F64 | None,
    scratch: ScratchRecord,
) -> tuple[Float, Float, Float]:
    """HS, PPot and NPot of hole cards against one opponent (Billings 2006, 2.5.2.1 and 2.5.2.2).

    Args:
        hole_0: A card code.
        hole_1: Another card code, in any order.
        board: 1-D integer array of at least ``n_board`` card codes.
        n_board: 3, 4 or 5 cards of ``board`` that lie open.
        n_cards: Cards to look ahead: 0, 1 or 2, at most ``5 - n_board``.
        weights: As in ``hand_strength``.
        scratch: A record of dtype ``SCRATCH`` with any content. Afterwards ``transitions`` returns
            the weights for other opponents without a new count.

    Returns:
        ``(strength, positive, negative)``, float64 in [0, 1].
    """
    count(hole_0, hole_1, board, n_board, n_cards, scratch)
    return measures(transitions(weights, scratch))


@kernel
def measures(moves: Transitions) -> tuple[Float, Float, Float]:
    """HS, PPot and NPot of a table of transitions."""
    aa, at, ab, ta, tt, tb, ba, bt, bb = moves
    ahead = aa + at + ab
    tied = ta + tt + tb
    behind = ba + bt + bb
    total = ahead + tied + behind
    strength = (ahead + 0.5 * tied) / total if total > 0.0 else 0.0
    # The published listing erroneously adds to the denominators per holding, not per run-out.
    may_gain = behind + 0.5 * tied
    may_lose = ahead + 0.5 * tied
    positive = (ba + 0.5 * (bt + ta)) / may_gain if may_gain > 0.0 else 0.0
    negative = (ab + 0.5 * (tb + at)) / may_lose if may_lose > 0.0 else 0.0
    return strength, positive, negative


@kernel
def transitions(weights: AnyArray | None, scratch: ScratchRecord) -> Transitions:
    """Weighted showdowns of the last ``count`` by current and later state.

    Args:
        weights: As in ``hand_strength``.
        scratch: Record after ``count``.

    Returns:
        Nine float64.
    """
    aa: Float
    at: Float
    ba: Float
    bt: Float
    ta: Float
    tt: Float
    aa = at = ab = ta = tt = tb = ba = bt = bb = 0.0
    for j in range(1, scratch.n_unseen):
        high = scratch.unseen[j]
        first = high * (high - 1) >> 1
        for i in range(j):
            weight = _weight(weights, first + scratch.unseen[i])
            if not weight > 0.0:
                continue
            later = np.int64(scratch.later[i, j])
            n_wins = later >> _SHIFT
            n_ties = later & (1 << _SHIFT) - 1
            wins = weight * n_wins
            ties = weight * n_ties
            losses = weight * (scratch.n_runouts - n_wins - n_ties)
            now = scratch.now[i, j]
            if now == AHEAD:
                aa += wins
                at += ties
                ab += losses
            elif now == TIED:
                ta += wins
                tt += ties
                tb += losses
            else:
                ba += wins
                bt += ties
                bb += losses
    return Transitions(aa, at, ab, ta, tt, tb, ba, bt, bb)


@kernel
def count(
    hole_0: Int, hole_1: Int, board: AnyArray, n_board: Int, n_cards: Int, scratch: ScratchRecord
) -> None:
    """Compare every opposing holding now and on all boards ``n_cards`` later.

    The arguments are those of ``potential``.
    """
    table = board_set(board, n_board)
    hole = card_bit(hole_0) | card_bit(hole_1)
    free = EVERY_SUIT & ~(table | hole)
    n = 0
    for rank in range(13):
        scratch.first_of_rank[rank] = n
        for suit in range(4):
            if free >> (16 * suit + rank) & 1:
                scratch.unseen[n] = 4 * rank + suit
                n += 1
    scratch.first_of_rank[13] = n
    scratch.n_unseen = n
    n_left = n - 2
    scratch.n_runouts = (
        1 if n_cards == 0 else n_left if n_cards == 1 else n_left * (n_left - 1) >> 1
    )

    own_rank = rank_set(table | hole)
    for i in range(n):
        with_card = table | card_bit(scratch.unseen[i])
        for j in range(i + 1, n):
            opposing = rank_set(with_card | card_bit(scratch.unseen[j]))
            now = AHEAD if own_rank > opposing else TIED if own_rank == opposing else BEHIND
            scratch.now[i, j] = now
            scratch.later[i, j] = _LOSS if n_cards > 0 else _outcome(own_rank, opposing)
    if n_cards == 1:
        _count_one(table, hole, scratch)
    elif n_cards == 2:
        _count_two(table, hole, scratch)


@kernel
def _ranks_held(cards: Int) -> tuple[Int, Int, Int, Int]:
    """Ranks held at least once, twice, three and four times in a set of cards."""
    held: tuple[Int, Int, Int, Int] = (np.int64(0), np.int64(0), np.int64(0), np.int64(0))
    for rank in range(13):
        for _ in range(popcount(cards >> rank & ONE_RANK)):
            held = add_rank(held, rank)
    return held


@kernel
def _write_plain(held: tuple[Int, Int, Int, Int], rank: Int, scratch: ScratchRecord) -> None:
    """Write the rank, without flush, of ``held`` and each unseen card of ``rank`` or above."""
    first = scratch.first_of_rank
    for last in range(rank, 13):
        if first[last] < first[last + 1]:
            ones, twos, threes, fours = add_rank(held, last)
            plain = rank_without_flush(ones, twos, threes, fours)
            for i in range(first[last], first[last + 1]):
                scratch.plain[i] = plain


@kernel
def _write_flushed(cards: Int, suit: Int, first: Int, scratch: ScratchRecord) -> None:
    """Write ranks with flushes of a suit of which ``cards`` has four or more, from ``first`` on."""
    suited = cards >> 16 * suit & SUIT
    is_flush = popcount(suited) >= 5
    without = rank_of_flush(suited) if is_flush else np.int64(0)
    for i in range(first, scratch.n_unseen):
        card = scratch.unseen[i]
        if card & 3 == suit:
            scratch.flushed[i] = rank_of_flush(suited | 1 << (card >> 2))
        elif is_flush:
            scratch.flushed[i] = without
        else:
            scratch.flushed[i] = scratch.plain[i]


@kernel
def _four_suited(cards: Int) -> Int:
    """The suit of which ``cards`` has four or more, -1 if there is none."""
    for suit in range(4):
        if popcount(cards >> 16 * suit & SUIT) >= 4:
            return suit
    return -1


@kernel
def _count_one(table: Int, hole: Int, scratch: ScratchRecord) -> None:
    """Count the boards of one more card, over all sets of three unseen cards."""
    n = scratch.n_unseen
    first = scratch.first_of_rank
    unseen = scratch.unseen
    later = scratch.later
    own = scratch.own[0]
    for i in range(n):
        own[i] = rank_set(table | hole | card_bit(unseen[i]))
    held = _ranks_held(table)
    for rank_a in range(13):
        held_a = add_rank(held, rank_a)
        for rank_b in range(rank_a, 13):
            if first[rank_a] == first[rank_a + 1] or first[rank_b] == first[rank_b + 1]:
                continue
            _write_plain(add_rank(held_a, rank_b), rank_b, scratch)
            for a in range(first[rank_a], first[rank_a + 1]):
                for b in range(max(a + 1, first[rank_b]), first[rank_b + 1]):
                    ranks = scratch.plain
                    cards = table | card_bit(unseen[a]) | card_bit(unseen[b])
                    suit = _four_suited(cards)
                    if suit >= 0:
                        _write_flushed(cards, suit, b + 1, scratch)
                        ranks = scratch.flushed
                    ab = np.int32(0)
                    for c in range(b + 1, n):
                        rank = ranks[c]
                        ab += _outcome(own[c], rank)
                        later[a, c] += _outcome(own[b], rank)
                        later[b, c] += _outcome(own[a], rank)
                    later[a, b] += ab


@kernel
def _count_two(table: Int, hole: Int, scratch: ScratchRecord) -> None:
    """Count the boards of two more cards, over all sets of four unseen cards."""
    n = scratch.n_unseen
    first = scratch.first_of_rank
    unseen = scratch.unseen
    own = scratch.own
    for i in range(n):
        with_card = table | hole | card_bit(unseen[i])
        for j in range(i + 1, n):
            own[i, j] = rank_set(with_card | card_bit(unseen[j]))
    held = _ranks_held(table)
    for rank_a in range(13):
        held_a = add_rank(held, rank_a)
        for rank_b in range(rank_a, 13):
            held_b = add_rank(held_a, rank_b)
            for rank_c in range(rank_b, 13):
                _write_plain(add_rank(held_b, rank_c), rank_c, scratch)
                for a in range(first[rank_a], first[rank_a + 1]):
                    for b in range(max(a + 1, first[rank_b]), first[rank_b + 1]):
                        cards = table | card_bit(unseen[a]) | card_bit(unseen[b])
                        for c in range(max(b + 1, first[rank_c]), first[rank_c + 1]):
                            _add_sets(cards | card_bit(unseen[c]), a, b, c, scratch)


@kernel
def _add_sets(cards: Int, a: Int, b: Int, c: Int, scratch: ScratchRecord) -> None:
    """Add the sets of three unseen cards and each one after them, split in all six ways."""
    own = scratch.own
    later = scratch.later
    ranks = scratch.plain
    suit = _four_suited(cards)
    if suit >= 0:
        _write_flushed(cards, suit, c + 1, scratch)
        ranks = scratch.flushed
    own_ab = own[a, b]
    own_ac = own[a, c]
    own_bc = own[b, c]
    ab = np.int32(0)
    ac = np.int32(0)
    bc = np.int32(0)
    for d in range(c + 1, scratch.n_unseen):
        rank = ranks[d]
        ab += _outcome(own[c, d], rank)
        ac += _outcome(own[b, d], rank)
        bc += _outcome(own[a, d], rank)
        later[a, d] += _outcome(own_bc, rank)
        later[b, d] += _outcome(own_ac, rank)
        later[c, d] += _outcome(own_ab, rank)
    later[a, b] += ab
    later[a, c] += ac
    later[b, c] += bc


@kernel
def remove_card(weights: F32, card: Int) -> None:
    """Set the weights of all holdings with a known card to 0, in place."""
    for other in range(N_CARDS):
        if other != card:
            weights[hole_number(card, other)] = 0.0


@kernel
def reweight(weights: F32, chances: F64, floor: Float) -> None:
    """Multiply weights, in place, by each holding's probability of the observed action.

    Args:
        weights: ``(1326,)`` float weights.
        chances: ``(1326,)`` predicted probability of the action for each holding.
        floor: Lower limit of positive weights, so that one surprising action does not exclude a
            holding; 0.0 for none.
    """
    for i in range(len(weights)):
        if weights[i] > 0.0:
            weights[i] = max(weights[i] * chances[i], floor)


@kernel
def rescale(weights: F32) -> None:
    """Divide weights, in place, by the largest, which prevents underflow after many actions."""
    most = 0.0
    for i in range(len(weights)):
        most = max(most, weights[i])
    if most > 0.0:
        for i in range(len(weights)):
            weights[i] /= most
