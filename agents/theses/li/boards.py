"""Boards for the look-ahead of ASHE 2.2 and 2.3, and the ranges of 2.3 on them.

Source: Li (PhD thesis, University of Texas at Austin, 2018), sections 7.1, 7.3.1 and 8.2. A board
has five cards: the look-ahead has a sample, or all rivers on the turn. The clusters of its future
flop, turn and river are its path through the trees; at a node the player sees the means over the
boards on its path. Against two cards on a complete board there are 990 holdings; the strongest 25
are the first of nine ranges, the next 25 the second, and so on (``INTERVALS``).

Readings: complete boards are drawn, so that one sample serves all streets. The sample is a function
of the cards that the player sees: the same spot always has the same boards. The number of stronger
holdings gives the position of a holding, so that tied holdings share a range.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.policy.view import View
from agents.theses.li.event_handler import cluster_of
from agents.theses.li.features import N_LOOK, write_look
from agents.theses.li.shape import BOARDS
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit, hole_number
from nlhe_env.equity.tables.lookup import N_RIVERS, hand_equity
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.evaluator import rank_set
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.random_stream import SIMULATIONS, digit, draw
from nlhe_env.game.table import RIVER, TURN
from nlhe_env.jit.array_types import F32, F64, I64, Float, Int
from nlhe_env.jit.compilation import kernel

N_STREETS = 4
PATH, STRENGTH, LOOK = 0, N_STREETS, 2 * N_STREETS
BOARD = LOOK + N_LOOK * N_STREETS
"""Numbers per board: for each street the path so far, the hand strength and the board features."""
BOARD_CARDS = (0, 3, 4, 5)
"""Number of board cards on each street."""
_CLUSTERS = 8
"""Base of path numbers: the clusters of a street, plus one."""

INTERVALS = (0.0, 25.0, 50.0, 100.0, 150.0, 250.0, 350.0, 500.0, 650.0, 990.0)
"""Limits of the nine ranges, as positions among the opponent's 990 holdings, strongest first."""
N_RANGES = 9
_N_BOARD = 5
_BOARDS_DRAWN = 40
_SEED = 8


@kernel
def path_after(path: Int, street: Int, cluster: Int) -> Int:
    """Path extended by a street's cluster."""
    return path + (cluster + 1) * _CLUSTERS ** (street - 1)


@kernel
def write_boards(view: View, sizes: I64, book: Int, boards: F32, deck: F32) -> Int:
    """Write the boards for the look-ahead.

    Args:
        view: View of the table at a decision.
        sizes: Sizes of the player, as in ``ModelShape``.
        book: Address of the board textures.
        boards: ``(BOARD * max(sizes[BOARDS], 46),)`` float32, written.
        deck: ``(52,)`` float32 scratch.

    Returns:
        Number of boards written.
    """
    table, seat = view.table, view.table.actor
    known = table.cards[2 * table.seats : 2 * table.seats + 5]
    low, high = hole_cards(table, seat)
    n_known = table.board_cards
    held = np.int64(1) << low | np.int64(1) << high
    key = np.uint64(min(low, high) * N_CARDS + max(low, high))
    for i in range(n_known):
        held |= np.int64(1) << np.int64(known[i])
        key = key * np.uint64(N_CARDS) + np.uint64(known[i])
        deck[i] = np.float32(known[i])
    left = np.int64(n_known)
    for card in range(N_CARDS):
        if not held >> card & 1:
            deck[left] = np.float32(card)
            left += 1
    n = boards_ahead(sizes, table.street)
    for b in range(n):
        if table.street == TURN:
            _swap(deck, 4, 4 + b)
        elif table.street < TURN:
            _draw_rest(deck, n_known, left, key, b)
        _write_board(view, low, high, book, deck, boards[b * BOARD : (b + 1) * BOARD])
        if table.street == TURN:
            _swap(deck, 4, 4 + b)
    return n


@kernel
def boards_ahead(sizes: I64, street: Int) -> Int:
    """Number of boards for the look-ahead on a street."""
    if street == TURN:
        return np.int64(N_RIVERS)
    return np.int64(1) if street == RIVER else sizes[BOARDS]


@kernel
def _swap(deck: F32, i: Int, j: Int) -> None:
    card = deck[i]
    deck[i] = deck[j]
    deck[j] = card


@kernel
def _draw_rest(deck: F32, n_known: Int, n_deck: Int, key: Int, number: Int) -> None:
    """Draw the remaining cards of a five-card board."""
    word, other = draw(key, SIMULATIONS, number, 0, 0, 0)
    for i in range(n_known, 5):
        if i == n_known + 3:
            word = other
        k, word = digit(word, np.uint64(n_deck - i))
        _swap(deck, i, i + np.int64(k))


@kernel
def _write_board(view: View, low: Int, high: Int, book: Int, cards: F32, board: F32) -> None:
    """Write the numbers of a five-card board, from the current street on."""
    path: Int
    table, path = view.table, np.int64(0)
    for street in range(table.street, N_STREETS):
        n_cards = BOARD_CARDS[street]
        look = board[LOOK + N_LOOK * street : LOOK + N_LOOK * (street + 1)]
        if street > table.street:
            path = path_after(path, street, cluster_of(cards, n_cards, book, look))
        board[PATH + street] = np.float32(path)
        share = hand_equity(low, high, cards, n_cards, 1, view.strength_tables)
        board[STRENGTH + street] = np.float32(share)
        write_look(cards, n_cards, book, look)


@kernel
def count_boards(boards: F32, n: Int, street: Int, path: Int) -> Int:
    """Number of boards on a path up to a street."""
    found = 0
    for b in range(n):
        found += boards[b * BOARD + PATH + street] == path
    return found


@kernel
def mean_of_boards(boards: F32, n: Int, street: Int, path: Int, what: Int) -> Float:
    """Mean of a number over the boards on a path, of which there is at least one."""
    total, found = 0.0, 0
    for b in range(n):
        if boards[b * BOARD + PATH + street] == path:
            at: Int = b * BOARD + what
            total += boards[at]
            found += 1
    return total / found


@kernel
def share_above(beaten_by: Float, low: Float, high: Float) -> Float:
    """Share of a range that beats a hand, given how many holdings beat it; see ``INTERVALS``."""
    return min(max((beaten_by - low) / (high - low), 0.0), 1.0)


@kernel
def win_against_ranges(boards: F32, n: Int, street: Int, path: Int, ranges: F32) -> Float:
    """Probability of winning the showdown, averaged over the boards on a path.

    Li (2018), section 8.2: the share of each range, taken as uniform, that does not beat the hand.
    Reading: half of the tied holdings count as stronger.

    Args:
        boards: Boards from ``write_boards``.
        n: Number of boards.
        street: Last street of the path.
        path: Path of the boards.
        ranges: ``(9,)`` probabilities of the ranges.
    """
    total, found = 0.0, 0
    for b in range(n):
        if boards[b * BOARD + PATH + street] == path:
            beaten_by = INTERVALS[9] * (1.0 - boards[b * BOARD + STRENGTH + RIVER])
            found += 1
            for i in range(9):
                total += ranges[i] * share_above(beaten_by, INTERVALS[i], INTERVALS[i + 1])
    return 1.0 - total / found


def ranges_on(own: Sequence[int], board: Sequence[int]) -> I64:
    """Range of every opposing holding.

    Args:
        own: Codes of the player's hole cards.
        board: Codes of the five board cards.

    Returns:
        ``(1326,)`` range 0 to 8, or -1 for holdings with a known card; cards a > b are at index
        C(a, 2) + b.
    """
    ranks = np.empty(N_HOLES, np.int64)
    _write_ranks(np.array(own, np.int64), np.array(board, np.int64), ranks)
    possible = ranks >= 0
    order = np.sort(ranks[possible])
    stronger = len(order) - np.searchsorted(order, ranks, side="right")
    found = np.searchsorted(INTERVALS[1:-1], stronger, side="right")
    return np.where(possible, found, -1)


def weights_of_holdings(own: Sequence[int], board: Sequence[int], chances: F64) -> F32:
    """Probability of every opposing holding, given the range probabilities.

    Before the river it is a mean over boards: all rivers on the turn, else a sample that is always
    the same for the same cards.

    Args:
        own: Codes of the player's hole cards.
        board: Codes of the board cards, up to five.
        chances: ``(9,)`` probabilities of the ranges.

    Returns:
        ``(1326,)`` weights that sum to 1, in the order of ``ranges_on``.
    """
    missing = _N_BOARD - len(board)
    remaining = np.array([card for card in range(N_CARDS) if card not in (*own, *board)])
    if missing > 1:
        rng = np.random.default_rng((_SEED, *own, *board))
        tails = [rng.choice(remaining, missing, replace=False) for _ in range(_BOARDS_DRAWN)]
    else:
        tails = list(remaining.reshape(-1, 1)) if missing else [remaining[:0]]
    total = np.zeros(N_HOLES)
    for tail in tails:
        ranges = ranges_on(own, [*board, *tail])
        counts = np.bincount(ranges[ranges >= 0], minlength=N_RANGES)
        each = np.divide(chances, counts, out=np.zeros(N_RANGES), where=counts > 0)
        total += np.where(ranges >= 0, each[ranges], 0.0)
    weights: F32 = (total / total.sum()).astype(np.float32)
    return weights


@kernel
def _write_ranks(own: I64, board: I64, ranks: I64) -> None:
    """Write the rank of every holding, -1 for holdings with a known card."""
    held, lies = np.int64(0), np.int64(0)
    for card in own:
        held |= card_bit(card)
    for card in board:
        lies |= card_bit(card)
    for high in range(N_CARDS):
        for low in range(high):
            cards = card_bit(high) | card_bit(low)
            number = hole_number(high, low)
            ranks[number] = -1 if cards & (held | lies) else rank_set(lies | cards)
