"""Kernels of board texture: probabilities of flushes and straights, features, clusters.

"Any hand" is any two cards not on the board, and the rest of the board is dealt too. So a board of
n cards and ``7 - n`` more cards make seven cards, which may have five of one suit or in sequence.
Ranks and suits of a board are independent here, so small tables suffice: ``TEXTURES``.
"""

from __future__ import annotations

from math import comb
from typing import TypeAlias

import numpy as np

from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import EVERY_SUIT, ONE_RANK, SUIT, card_bit
from nlhe_env.evaluator.ranks import CLASS_SHIFT, STRAIGHT, rank_without_flush
from nlhe_env.jit.array_types import F64, I64, AnyArray, Float, Int, Record, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.bits import popcount

MOST_CLUSTERS = 7
N_FEATURES = 3
PAIREDNESS = 0
SUITEDNESS = 1
CONNECTIVITY = 2

TEXTURES = np.dtype(
    [
        # Chance of a straight by cards on the board and their set of ranks.
        ("straight", np.float64, (6, 1 << 13)),
        # Chance of a flush in one suit by cards on the board and those of the suit among them.
        ("flush", np.float64, (6, 6)),
        # By cards on the board: how many clusters, and their centres.
        ("n_clusters", np.int64, (6,)),
        ("centres", np.float64, (6, MOST_CLUSTERS, N_FEATURES)),
    ],
    align=True,
)
"""Layout of the record of ``nlhe_env.assessment.texture.texture_tables``."""
TexturesRecord: TypeAlias = Record
"""A record of dtype ``TEXTURES``."""


@kernel
def has_straight(ranks: Int) -> Truth:
    """Whether a set of ranks has five in sequence, with the ace high or low."""
    return (
        rank_without_flush(ranks, np.int64(0), np.int64(0), np.int64(0)) >> CLASS_SHIFT == STRAIGHT
    )


@kernel
def rank_set(cards: Int) -> Int:
    """The ranks of a set of cards."""
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & SUIT


@kernel
def suitedness(cards: Int, n_board: Int, textures: TexturesRecord) -> Float:
    """Probability that any hand makes a flush with a board, given as a set."""
    # Seven cards hold one flush at most, so that chances of the suits add up.
    chance = 0.0
    for suit in range(4):
        chance += textures.flush[n_board, popcount(cards >> 16 * suit & SUIT)]
    return chance


@kernel
def write_features(board: AnyArray, n_board: Int, textures: TexturesRecord, out: AnyArray) -> None:
    """Write pairedness, suitedness and connectivity of a board (Li 2018, table 6-1).

    Args:
        board: 1-D integer array of at least ``n_board`` card codes.
        n_board: 0, 3, 4 or 5.
        textures: Record of dtype ``TEXTURES``.
        out: ``(3,)`` float64, all in [0, 1].
    """
    cards = board_set(board, n_board)
    ranks = rank_set(cards)
    out[PAIREDNESS] = min(1.0, 0.5 * (n_board - popcount(ranks)))
    out[SUITEDNESS] = suitedness(cards, n_board, textures)
    out[CONNECTIVITY] = textures.straight[n_board, ranks]


@kernel
def nearest_cluster(features: AnyArray, n_board: Int, textures: TexturesRecord) -> Int:
    """Number of the cluster with the centre nearest to the features of a board."""
    nearest = 0
    least = np.inf
    for cluster in range(textures.n_clusters[n_board]):
        distance = 0.0
        for i in range(N_FEATURES):
            difference = features[i] - textures.centres[n_board, cluster, i]
            distance += difference * difference
        if distance < least:
            least = distance
            nearest = cluster
    return nearest


@kernel
def write_many(boards: I64, textures: TexturesRecord, features: F64, clusters: I64) -> None:
    """Write the features and the cluster of each row of ``boards``, all of its cards."""
    n_board = boards.shape[1]
    for i in range(len(boards)):
        write_features(boards[i], n_board, textures, features[i])
        clusters[i] = nearest_cluster(features[i], n_board, textures)


@kernel
def flush_and_straight(cards: Int, n_board: Int) -> Int:
    """Number of sets of ``7 - n_board`` cards that make both a flush and a straight.

    Args:
        cards: The board as a set.
        n_board: 0, 3, 4 or 5.
    """
    n_more = 7 - n_board
    free = EVERY_SUIT & ~cards
    ranks = rank_set(cards)
    n_ways = 0
    for suit in range(4):
        on_board = cards >> 16 * suit & SUIT
        off_free = free & ~(SUIT << 16 * suit)
        n_off = popcount(off_free)
        for more in range(1 << 13):
            # Five of seven cards are suited: at most two more cards are not.
            n_left = n_more - popcount(more)
            if more & on_board or n_left < 0 or popcount(more | on_board) < 5:
                continue
            held = ranks | more
            if has_straight(held):
                n_ways += 1 if n_left == 0 else n_off if n_left == 1 else n_off * (n_off - 1) >> 1
            elif n_left > 0:
                n_ways += _ways_to_straight(held, off_free, n_left)
    return n_ways


@kernel
def _ways_to_straight(held: Int, free: Int, n_left: Int) -> Int:
    """Number of sets of one or two free cards that make a straight with a set of ranks."""
    n_ways: Int = 0
    for high in range(13):
        n_high = popcount(free >> high & ONE_RANK)
        with_high = held | 1 << high
        if n_left == 1:
            n_ways += n_high * has_straight(with_high)
            continue
        n_ways += (n_high * (n_high - 1) >> 1) * has_straight(with_high)
        for low in range(high):
            if has_straight(with_high | 1 << low):
                n_ways += n_high * popcount(free >> low & ONE_RANK)
    return n_ways


@kernel
def _count_straights(n_board: Int, ways: F64, straight: F64) -> None:
    """Fill the straight probabilities; ``ways`` by number of new ranks and those of the board."""
    for ranks in range(1 << 13):
        n_ranks = popcount(ranks)
        if n_ranks > n_board or 4 * n_ranks < n_board:
            continue
        chance = 0.0
        for more in range(1 << 13):
            n_new = popcount(more)
            if more & ranks == 0 and n_new <= 7 - n_board and has_straight(ranks | more):
                chance += ways[n_ranks, n_new]
        straight[ranks] = chance


@kernel
def count_boards(n_board: Int, counts: I64) -> None:
    """Count all boards by their set of ranks and the sum of the squared numbers of each suit."""
    for a in range(N_CARDS):
        for b in range(a):
            for c in range(b):
                three = card_bit(a) | card_bit(b) | card_bit(c)
                if n_board == 3:
                    _count_board(three, counts)
                    continue
                for d in range(c):
                    four = three | card_bit(d)
                    if n_board == 4:
                        _count_board(four, counts)
                        continue
                    for e in range(d):
                        _count_board(four | card_bit(e), counts)


@kernel
def _count_board(cards: Int, counts: I64) -> None:
    squares = 0
    for suit in range(4):
        n_suited = popcount(cards >> 16 * suit & SUIT)
        squares += n_suited * n_suited
    counts[rank_set(cards), squares] += 1


def straight_chances(n_board: int) -> F64:
    """``(8192,)`` chance of a straight by the ranks of ``n_board`` cards, 0 where impossible."""
    n_more = 7 - n_board
    n_all = comb(N_CARDS - n_board, n_more)
    # The cards that bring j given new ranks and otherwise ranks of the board only: inclusion and
    # exclusion over the new ranks that do not come.
    ways = np.zeros((n_board + 1, 8))
    for n_ranks in range(n_board + 1):
        n_known = 4 * n_ranks - n_board
        for j in range(n_more + 1 if n_known >= 0 else 0):
            ways[n_ranks, j] = sum(
                (-1) ** i * comb(j, i) * comb(4 * (j - i) + n_known, n_more) for i in range(j + 1)
            )
    straight = np.zeros(1 << 13)
    _count_straights(n_board, ways / n_all, straight)
    return straight


def flush_chances(n_board: int) -> F64:
    """``(6,)`` chance of a flush in a suit of which 0 to 5 of ``n_board`` cards are."""
    n_more = 7 - n_board
    chances = np.zeros(6)
    for n_suited in range(n_board + 1):
        n_off = 39 - (n_board - n_suited)
        chances[n_suited] = sum(
            comb(13 - n_suited, n) * comb(n_off, n_more - n)
            for n in range(max(0, 5 - n_suited), n_more + 1)
        ) / comb(N_CARDS - n_board, n_more)
    return chances
