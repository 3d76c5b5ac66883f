"""Pseudo-optimal players for heads-up fixed-limit hold'em.

D. Billings, N. Burch, A. Davidson, R. Holte, J. Schaeffer, T. Schauenberg, D. Szafron,
"Approximating Game-Theoretic Optimal Strategies for Full-scale Poker", IJCAI 2003; D. Billings,
"Algorithms and Assessment in Computer Poker", PhD thesis (University of Alberta, 2006), ch. 3. On
each street the hand is assigned to a bucket; a book holds the strategy for the buckets and bets so
far. If a bucket mixes actions, its weaker hands take the more passive ones.
"""

from __future__ import annotations

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import check_or_fold, hole_class
from agents.policy.view import Parameters, View, offer
from agents.theses.billings.pseudo_optimal.book import (
    MOST_BETS,
    N_ACTIONS,
    HeaderRecord,
    byte_at,
    check_book,
    header_at,
)
from nlhe_env.assessment.potential_kernels import SCRATCH, ScratchRecord, potential
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity, win_or_tie_probability
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.betting import CALLS, FOLDS, RAISES, amount_to_call
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FLOP, PREFLOP, RIVER, TableRecord
from nlhe_env.jit.array_types import F32, AnyArray, Float, Int, Records, Truth
from nlhe_env.jit.compilation import kernel

NO_ENTRY = 0
N_SCRATCH = SCRATCH.itemsize // np.dtype(np.float32).itemsize


@kernel
def strength_and_potential(
    hole_0: Int,
    hole_1: Int,
    board: AnyArray,
    n_board: Int,
    weak: Float,
    tables: StrengthTablesRecord,
    scratch: ScratchRecord,
) -> tuple[Float, Float]:
    """Measures for buckets: equity against a random hand, and PPot with the next card.

    Args:
        hole_0: Code of the first hole card.
        hole_1: Code of the second hole card.
        board: At least ``n_board`` card codes.
        n_board: 3 to 5.
        weak: Equity from which the potential is reported as 0, as it is on the river.
        tables: ``StrengthTables``.
        scratch: A record of dtype ``SCRATCH``.
    """
    strength = np.float32(hand_equity(hole_0, hole_1, board, n_board, 1, tables))
    if n_board == 5 or strength >= weak:
        return strength, 0.0
    _, positive, _ = potential(hole_0, hole_1, board, n_board, 1, None, scratch)
    return strength, positive


@kernel
def find_bucket(
    book: HeaderRecord, street: Int, strength: Float, positive: Float
) -> tuple[Int, Int]:
    """Bucket of a hand and its part of the bucket, counted from the weakest.

    Args:
        book: A record of dtype ``HEADER``.
        street: 0 for the flop.
        strength: Strength from ``strength_and_potential``.
        positive: Potential from ``strength_and_potential``.
    """
    bucket = book.buckets[street] - 1
    if positive < book.potential or strength >= book.weak or book.ordered[street] > bucket:
        bucket = _count_below(book.edges[street], book.ordered[street] - 1, strength)
    return bucket, _count_below(book.within[street, bucket], book.parts - 1, strength)


@kernel
def _count_below(edges: F32, count: Int, strength: Float) -> Int:
    """Number of edges, among the first ``count``, that are not above a strength."""
    found = np.int64(0)
    while found < count and edges[found] <= strength:
        found += 1
    return found


@kernel
def code_of_street(table: TableRecord, street: Int, max_bets: Int) -> Int:
    """Code of the betting of two players on a street.

    It encodes whether the street began with a check (or a call of the big blind), and the number of
    bets, including the big blind, up to ``max_bets``. This is complete, since bets alternate and a
    call ends them.
    """
    calls = table.calls[street, 0] + table.calls[street, 1]
    checked = calls > (table.street > street)
    bets = np.int64(table.raises[street, 0]) + table.raises[street, 1] + (street == PREFLOP)
    return np.int64(checked) * (max_bets + 1) + min(bets, max_bets)


@kernel
def pseudo_optimal_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the book's strategy, without dominated actions."""
    table = view.table
    at, _, part, parts = find_entry(parameters, view)
    if at == NO_ENTRY:
        offer(view, np.int64(CHECK_OR_CALL), 1.0)
    elif table.street == RIVER and _is_unbeatable(table, view.strength_tables):
        _offer_unbeatable(view, at, part, parts)
    else:
        _offer_part(view, at, part, parts)


@kernel
def find_entry(parameters: Parameters, view: View) -> tuple[Int, Int, Int, Int]:
    """Book entry for a decision.

    Returns:
        Its address, or ``NO_ENTRY`` if there are more bets than in the models; the number of the
        bucket (before the flop, the class of the hole cards); the part of the bucket, counted from
        the weakest; and the number of parts.
    """
    table = view.table
    address = parameters.traits.book
    book = header_at(address)
    if table.street == PREFLOP:
        hole = hole_class(table)
        at = address + book.preflop
        at += (code_of_street(table, PREFLOP, MOST_BETS) * N_PREFLOP + hole) * N_ACTIONS
        return at, np.int64(hole), np.int64(0), np.int64(1)
    if table.bets > book.max_bets:
        return np.int64(NO_ENTRY), np.int64(0), np.int64(0), np.int64(1)
    hole_0, hole_1 = hole_cards(table, table.actor)
    board = table.cards[2 * table.seats : 2 * table.seats + 5]
    scratch = view.scratch[:N_SCRATCH].view(SCRATCH)[0]
    codes = 2 * (book.max_bets + 1)
    bucket: Int
    part: Int
    line, hand, bucket, part = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for street in range(FLOP, table.street + 1):
        strength, positive = strength_and_potential(
            hole_0,
            hole_1,
            board,
            street + 2,
            book.weak,
            view.strength_tables,
            scratch,
        )
        bucket, part = find_bucket(book, street - FLOP, strength, positive)
        hand = hand * book.buckets[street - FLOP] + bucket
        line = line * codes + code_of_street(table, street, book.max_bets)
    model = book.model[code_of_street(table, PREFLOP, MOST_BETS)]
    at = address + book.models + model * book.model_size + book.streets[table.street - FLOP]
    at += (line * book.hands[table.street - FLOP] + hand) * N_ACTIONS
    return at, bucket, part, book.parts


@kernel
def chance_in_part(
    fold: Int | Float, call: Int | Float, rise: Int | Float, part: Int, parts: Int, action: Int
) -> Float:
    """Probability of an action in one of a bucket's equal parts.

    The weakest hands fold and the strongest raise, so that the bucket as a whole keeps its
    probabilities (Billings 2006, 3.7.2).
    """
    total = fold + call + rise
    low = total * part / parts
    high = total * (part + 1) / parts
    first = 0.0 if action == FOLDS else (fold if action == CALLS else fold + call)
    last = fold if action == FOLDS else (fold + call if action == CALLS else total)
    return max(0.0, min(high, last) - max(low, first)) * parts / total


@kernel
def read_chances(at: Int, part: Int, parts: Int) -> tuple[Float, Float, Float]:
    """Fold, call and raise probabilities of a part of a bucket, from its book entry."""
    fold = np.float64(byte_at(at + FOLDS).value)
    call = np.float64(byte_at(at + CALLS).value)
    rise = np.float64(byte_at(at + RAISES).value)
    if fold + call + rise == 0.0:  # the book has no entry
        return 0.0, 1.0, 0.0
    return (
        chance_in_part(fold, call, rise, part, parts, FOLDS),
        chance_in_part(fold, call, rise, part, parts, CALLS),
        chance_in_part(fold, call, rise, part, parts, RAISES),
    )


@kernel
def _offer_part(view: View, at: Int, part: Int, parts: Int) -> None:
    fold, call, rise = read_chances(at, part, parts)
    offer(view, check_or_fold(view.table), fold)
    offer(view, np.int64(CHECK_OR_CALL), call)
    offer(view, _raise(view), rise)


@kernel
def _raise(view: View) -> Int:
    """The only legal raise, or a call if there is none."""
    return view.choices.most if view.choices.most > 0 else np.int64(CHECK_OR_CALL)


@kernel
def _is_unbeatable(table: TableRecord, tables: StrengthTablesRecord) -> Truth:
    """Whether no hand beats the actor's on this river."""
    board = table.cards[2 * table.seats : 2 * table.seats + 5]
    hole_0, hole_1 = hole_cards(table, table.actor)
    return win_or_tie_probability(hole_0, hole_1, board, 5, 1, tables) == 1.0


@kernel
def _offer_unbeatable(view: View, at: Int, part: Int, parts: Int) -> None:
    """Offer the actions except dominated ones: folds, and calls that end the betting."""
    fold, call, rise = read_chances(at, part, parts)
    table = view.table
    ends = amount_to_call(table) > 0 or table.calls[RIVER, 0] + table.calls[RIVER, 1] > 0
    passive = fold + call
    if ends:
        rise, passive = rise + passive, 0.0
    offer(view, np.int64(CHECK_OR_CALL), passive)
    offer(view, _raise(view), rise)


def check_table(tables: Records) -> None:
    """Check that pseudo-optimal players can play the game.

    Raises:
        ValueError: The game is not heads-up fixed-limit.
    """
    if (tables["seats"] != 2).any() or (tables["betting"] != FIXED_LIMIT).any():
        raise ValueError(
            "pseudo-optimal players play heads-up fixed-limit only: seat two players in a game "
            'with betting="fixed-limit"'
        )


def _check_player(player: CompiledPlayer) -> None:
    check_book(player.book)


PSEUDO_OPTIMAL = register_kind(
    Kind(
        "pseudo-optimal",
        pseudo_optimal_policy,
        wants="table",
        answers="amounts",
        scratch=N_SCRATCH,
        looks_up=True,
        checks=check_table,
        checks_player=_check_player,
        explained_by="agents.theses.billings.pseudo_optimal.explain",
    )
)
