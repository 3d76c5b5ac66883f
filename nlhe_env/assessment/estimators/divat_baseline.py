"""The DIVAT baseline: betting of two straightforward players with known hands on one street.

Source: D. Billings, "Algorithms and Assessment in Computer Poker", PhD thesis (University of
Alberta, 2006), section 5.3.3 and table 5.1; heads-up fixed-limit with at most four bets a street.
Each player makes as many bets as its hand reaches thresholds, and folds to a bet below a folding
threshold. There is no check-raise, and no player folds after betting or before the flop. Preflop,
the blind counts as the first bet and the button acts first.

The strengths of the two hands are those of section 5.3.1.1. The immediate rank IHR compares a hand
with all others on the current board, before the flop as poker hands of two cards; 7cHR is the mean
rank on the river, which is the equity against a random hand. Bets depend on the better of both;
folds depend on their mean on the flop, and on 7cHR on the turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlhe_env.arguments import number, whole_number
from nlhe_env.equity.tables.cells import EVERY_SUIT, card_bit
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity
from nlhe_env.evaluator import rank_set, rank_sets
from nlhe_env.game.table import FLOP, PREFLOP, RIVER
from nlhe_env.jit.array_types import F64, I64, Float, Int, Record
from nlhe_env.jit.compilation import kernel

FIELDS: list[Any] = [
    ("make", np.float64, (4, 4)),  # by street: strength needed for so many bets
    ("fold_offset", np.float64, (4,)),  # by street: added to the threshold by pot odds
]
"""Fields of a record with the parameters."""

_MOST_SETTINGS = 9
"""The thesis has nine settings, and averages over five."""
NOBODY_FOLDS, FIRST_FOLDS, SECOND_FOLDS = range(3)
"""First is the big blind, who acts first after the flop; second is the button."""

MOST_OPPOSING = 1176
"""Number of hole cards possible after a flop, C(49,2)."""

IMMEDIATE, FINAL, TO_BET, TO_FOLD = range(4)
"""Measures of a hand: IHR, 7cHR, and the effective ranks for bets and folds."""


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """Parameters of the baseline; default: table 5.1.

    Attributes:
        windows: Shares of hands worth a bet, by street; hands worth two to four bets are 5/12, 1/6
            and 1/12 of it. With at most four bets, these are the shares at which the last bet has
            zero value.
        fold_offsets: Offsets, by street, of the folding threshold, which is the bet divided by the
            pot including the bet.

    Raises:
        ValueError: A value is out of range.
    """

    windows: tuple[float, float, float, float] = (0.42, 0.42, 0.42, 0.36)
    fold_offsets: tuple[float, float, float, float] = (0.0, 0.075, 0.1, 0.0)

    def __post_init__(self) -> None:
        for name, least in (("windows", 0.0), ("fold_offsets", -1.0)):
            values = getattr(self, name)
            if len(values) != 4:
                raise ValueError(f"{name} must be one for each of 4 streets; got {values}")
            for value in values:
                number(name, value, least=least, most=1.0)

    @classmethod
    def sweep(cls, count: int = 5) -> tuple[Baseline, ...]:
        """Baselines from loose-aggressive to tight-conservative, with the default in the middle.

        The thesis averages over five such settings (5.3.5) without listing them. Ours change every
        window by up to a fifth, and postflop fold offsets by up to 0.05.

        Args:
            count: Number of baselines, odd and at least 3.

        Raises:
            ValueError: The count is even or below 3.

        >>> [round(one.windows[0], 3) for one in Baseline.sweep()]
        [0.504, 0.462, 0.42, 0.378, 0.336]
        """
        whole_number("count", count, least=3, most=_MOST_SETTINGS)
        if count % 2 == 0:
            raise ValueError(f"count must be odd, with the default in the middle; got {count}")
        usual = cls()
        return tuple(
            cls(
                windows=_by_street(window * (1 - 0.2 * x) for window in usual.windows),
                fold_offsets=_by_street(
                    [0.0, *(offset + 0.05 * x for offset in usual.fold_offsets[1:])]
                ),
            )
            for x in np.linspace(-1, 1, count).tolist()
        )

    @property
    def makes(self) -> tuple[tuple[float, float, float, float], ...]:
        """Strength needed for one to four bets, by street.

        >>> Baseline().makes[0]
        (0.58, 0.825, 0.93, 0.965)
        >>> Baseline().makes[3]
        (0.64, 0.85, 0.94, 0.97)
        """
        return tuple(
            (round(1 - w, 9), round(1 - 5 * w / 12, 9), round(1 - w / 6, 9), round(1 - w / 12, 9))
            for w in self.windows
        )

    def fill(self, record: Any) -> None:
        """Write the parameters into a record that has ``FIELDS``."""
        record["make"] = self.makes
        record["fold_offset"] = self.fold_offsets


@kernel
def derive(
    street: Int, pot: Int, bet: Int, first: F64, second: F64, baseline: Record
) -> tuple[Int, Int]:
    """Betting of the baseline on a street.

    Args:
        street: ``PREFLOP`` .. ``RIVER``.
        pot: Chips at the beginning of the street; not used before the flop.
        bet: Chips of a bet on this street.
        first: Measures of the big blind's hand, see ``write_strengths``.
        second: Measures of the button's hand.
        baseline: Record that has ``FIELDS``.

    Returns:
        Number of matched bets, including the blind, and the player who folded to another bet.
    """
    level_1 = bets_worth(street, first[TO_BET], baseline)
    level_2 = bets_worth(street, second[TO_BET], baseline)
    if street == PREFLOP:
        if level_2 >= 2:
            return _raised(level_1, level_2), NOBODY_FOLDS
        return np.int64(2 if level_1 >= 2 else 1), NOBODY_FOLDS
    threshold = bet / (pot + bet) + baseline.fold_offset[street]
    if level_1 == 0:
        if level_2 == 0:
            return np.int64(0), NOBODY_FOLDS
        if first[TO_FOLD] < threshold:
            return np.int64(0), FIRST_FOLDS
        return np.int64(1), NOBODY_FOLDS
    if level_2 >= 2:
        return _raised(level_1, level_2), NOBODY_FOLDS
    if second[TO_FOLD] < threshold:
        return np.int64(0), SECOND_FOLDS
    return np.int64(1), NOBODY_FOLDS


@kernel
def bets_worth(street: Int, strength: Float, baseline: Record) -> Int:
    """Number of bets for a hand."""
    level = np.int64(0)
    for k in range(4):
        level += np.int64(strength >= baseline.make[street, k])
    return level


@kernel
def _raised(level_1: Int, level_2: Int) -> Int:
    """Bets after the button has raised to the second one."""
    if level_1 < 3:
        return np.int64(2)
    return np.int64(3 if level_2 < 4 else 4)


def _by_street(values: Iterable[float]) -> tuple[float, float, float, float]:
    preflop, flop, turn, river = values
    return preflop, flop, turn, river


@kernel
def write_strengths(
    cards: I64,
    board: I64,
    street: Int,
    tables: StrengthTablesRecord,
    opposing_sets: I64,
    ranks: I64,
    strengths: F64,
) -> None:
    """Write the measures of two hands.

    Args:
        cards: ``(2, 2)`` card codes.
        board: Card codes, at least those open on the street.
        street: ``PREFLOP`` .. ``RIVER``.
        tables: ``StrengthTables``.
        opposing_sets: ``(MOST_OPPOSING,)`` int64, scratch.
        ranks: ``(MOST_OPPOSING,)`` int64, scratch.
        strengths: ``(2, 4)`` float64, filled in.
    """
    n_board = street + 2 if street > PREFLOP else 0
    on_board = np.int64(0)
    for i in range(n_board):
        on_board |= card_bit(board[i])
    n_opposing: Int = 0
    if PREFLOP < street < RIVER:
        n_opposing = _rank_opposing(on_board, opposing_sets, ranks)
    for player in range(2):
        hole_0, hole_1 = cards[player, 0], cards[player, 1]
        strength = strengths[player]
        strength[FINAL] = hand_equity(hole_0, hole_1, board, n_board, 1, tables)
        if street == PREFLOP:
            strength[IMMEDIATE] = rank_of_two(hole_0, hole_1)
        elif street == RIVER:
            strength[IMMEDIATE] = strength[FINAL]
        else:
            own = card_bit(hole_0) | card_bit(hole_1)
            strength[IMMEDIATE] = _rank_now(
                own, on_board, opposing_sets[:n_opposing], ranks[:n_opposing]
            )
        strength[TO_BET] = max(strength[IMMEDIATE], strength[FINAL])
        strength[TO_FOLD] = strength[FINAL]
        if street == FLOP:
            strength[TO_FOLD] = 0.5 * (strength[IMMEDIATE] + strength[FINAL])


@kernel
def rank_of_two(hole_0: Int, hole_1: Int) -> Float:
    """Share of other hole cards beaten as poker hands of two cards, ties half."""
    high = max(hole_0 >> 2, hole_1 >> 2)
    low = min(hole_0 >> 2, hole_1 >> 2)
    if high == low:
        # Every hand without a pair, the lower pairs, and the other pair of this rank.
        return (1225 - (73 - 6 * low) + 0.5) / 1225
    # Lower hands without a pair, from the number of those with the same or lower ranks.
    below = np.int64(0)
    equal = np.int64(0)
    for first in range(13):
        for second in range(first):
            n_first = 4 - np.int64(first == high) - np.int64(first == low)
            n_second = 4 - np.int64(second == high) - np.int64(second == low)
            if first < high or (first == high and second < low):
                below += n_first * n_second
            elif first == high and second == low:
                equal += n_first * n_second
    return (below + 0.5 * equal) / 1225


@kernel
def _rank_opposing(on_board: Int, opposing_sets: I64, ranks: I64) -> Int:
    """Rank the board with all possible hole cards; returns their number."""
    free = EVERY_SUIT & ~on_board
    n = 0
    while free:
        first = free & -free
        free &= free - 1
        remaining = free
        while remaining:
            opposing_sets[n] = on_board | first | remaining & -remaining
            remaining &= remaining - 1
            n += 1
    rank_sets(opposing_sets[:n], ranks[:n])
    return n


@kernel
def _rank_now(own: Int, on_board: Int, opposing_sets: I64, ranks: I64) -> Float:
    """Share of other hole cards beaten on an open board, ties half."""
    rank = rank_set(on_board | own)
    beaten, equal, n = np.int64(0), np.int64(0), np.int64(0)
    for i in range(len(opposing_sets)):
        possible = np.int64(opposing_sets[i] & own == 0)
        beaten += possible & np.int64(ranks[i] < rank)
        equal += possible & np.int64(ranks[i] == rank)
        n += possible
    return (beaten + 0.5 * equal) / n
