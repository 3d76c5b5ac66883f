"""DIVAT of a played hand of heads-up fixed-limit, street by street: luck and play."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from nlhe_env.arguments import one_of
from nlhe_env.assessment.estimators import divat as kernels
from nlhe_env.assessment.estimators.divat_baseline import (
    FIRST_FOLDS,
    SECOND_FOLDS,
    Baseline,
    bets_worth,
)
from nlhe_env.assessment.estimators.divat_strengths import FINAL, IMMEDIATE, TO_BET, TO_FOLD
from nlhe_env.assessment.estimators.roll_out import roll_out, roll_out_flops
from nlhe_env.game.table import ALL_IN, EMPTY, FIXED_LIMIT, NO_PLAYER, PREFLOP, STREET_NAMES, TABLE
from nlhe_env.jit.array_types import I64
from nlhe_env.jit.compilation import kernel

Form = Literal["aie", "roe"]
"""Equity after a street: all-in equity, or the roll-out by the baseline."""

_AFTER_FLOP = {0: "kK", 1: "bC", 2: "bRc", 3: "bRrC", 4: "bRrRc"}
_BEFORE_FLOP = {1: "SlCk", 2: "SlRc", 3: "SlRrC", 4: "SlRrRc"}


class Strength(NamedTuple):
    """Strength of a hand on a street, against all that the opponent could hold."""

    immediate: float
    """IHR: the share of hands that it beats now, ties half."""
    final: float
    """7cHR: the share of hands that it beats on the river, on average."""
    to_bet: float
    """EHR by which the baseline bets."""
    to_fold: float
    """EHR by which it folds."""


@dataclass(frozen=True)
class StreetDivat:
    """A street; all chips are those of the big blind, the button has as many less.

    Attributes:
        street: Its name.
        pot: Chips at its beginning.
        share: Share of the pot that the big blind's hand wins on average (AIE).
        strengths: Strengths of both hands.
        luck: Chips that the cards of the street have brought (LFAT).
        baseline: Betting of the baseline: ``"kBc"`` is check, bet, call; capitals are the button's.
        baseline_equity: Chips after that.
        equity: Chips after what was done.
    """

    street: str
    pot: int
    share: float
    strengths: tuple[Strength, Strength]
    luck: float
    baseline: str
    baseline_equity: float
    equity: float

    @property
    def divat(self) -> float:
        """Value of the play on the street: the DIVAT difference."""
        return self.equity - self.baseline_equity


@dataclass(frozen=True)
class HandDivat:
    """A hand; all chips are those of the big blind.

    Attributes:
        streets: Streets that were played.
        net: Chips won as the cards fell.
        baseline_net: Chips won if both had followed the baseline (Dcash), with the next cards of
            the deck where the board was not dealt.
    """

    streets: tuple[StreetDivat, ...]
    net: int
    baseline_net: float

    @property
    def divat(self) -> float:
        """Value of the play in the hand: the sum of the DIVAT differences."""
        return sum(street.divat for street in self.streets)

    @property
    def luck(self) -> float:
        """Chips that the cards brought (LFAT), all streets together."""
        return sum(street.luck for street in self.streets)


def hand_divat(
    record: np.void,
    *,
    form: Form = "aie",
    baseline: Baseline | None = None,
    flops: int | None = 200,
    seed: int = 1,
) -> HandDivat:
    """Analysis of a hand of heads-up fixed-limit into luck and play (DIVAT, LFAT, Dcash).

    Args:
        record: A table record after the hand, all cards known, such as the last one of
            ``nlhe_env.hand_history.play_hand``.
        form: Form of the equities: ``"aie"``, all-in, or ``"roe"``, rolled out by the baseline.
        baseline: Its parameters; by default those of the thesis.
        flops: Drawn for a roll-out before the flop; None for all 17,296, which takes seconds.
        seed: Seed of these flops.

    Raises:
        ValueError: It is no record of such a hand, or a player is all-in.
    """
    one_of("form", form, get_args(Form))
    table: Any = np.atleast_1d(record)
    _check(table)
    state = kernels.new_state(baseline)
    dcash = float(_assess(table, state))
    found: Any = kernels.divat_of(state)
    n = int(found["streets"])
    equities = [found["baseline_equity"].copy(), found["equity"].copy()]
    if form == "roe":
        rolled = found.copy()
        for street in range(n):
            _roll(rolled.copy(), street, equities, flops, seed)
    streets = tuple(_street(found, i, *(float(column[i]) for column in equities)) for i in range(n))
    seat = next(
        seat for seat in np.flatnonzero(table["status"][0] != EMPTY) if seat != table["button"][0]
    )
    net = int(table["won"][0, seat] - table["hand_bet"][0, seat])
    return HandDivat(streets, net, dcash)


def _check(table: Any) -> None:
    if table.dtype != TABLE:
        raise ValueError(f"record must be a table record; got an array of {table.dtype}")
    one = table[0]
    if one["actor"] != NO_PLAYER or one["pots"] == 0:
        raise ValueError("record must be of a hand that has been paid: here a player is to act")
    dealt_in = int(np.count_nonzero(one["status"] != EMPTY))
    if one["betting"] != FIXED_LIMIT or dealt_in != 2:
        raise ValueError(
            f"DIVAT is for heads-up fixed-limit; got {dealt_in} players"
            f"{'' if one['betting'] == FIXED_LIMIT else ', another betting'}"
        )
    if (one["status"] == ALL_IN).any() or one["ante"] or one["straddle"] or one["rake"]:
        raise ValueError("DIVAT is for hands without antes, straddle, rake and players all-in")


def _roll(found: Any, street: int, equities: list[Any], flops: int | None, seed: int) -> None:
    """Replace the equities of a street by roll-outs, where neither player folded on it."""
    ends = ((found["baseline_after"], found["baseline_folds"]), (found["after"], found["folds"]))
    each = np.array([after[street] for after, _ in ends], np.int64)
    values = np.zeros(2)
    record = np.atleast_1d(found)
    if street == PREFLOP:
        _roll_flops(_flops(found["cards"].ravel().tolist(), flops, seed), record, each, values)
    else:
        _roll_out(street, record, each, values)
    for column, value, (_, folds) in zip(equities, values, ends, strict=True):
        if folds[street] not in (FIRST_FOLDS, SECOND_FOLDS):
            column[street] = value


def _flops(held: list[int], count: int | None, seed: int) -> I64:
    """All flops, or some that are drawn."""
    left = [card for card in range(52) if card not in held]
    every = np.array(list(combinations(left, 3)))
    if count is None:
        return every
    return np.random.default_rng([seed, *held]).choice(every, count)


def _street(found: Any, i: int, baseline_equity: float, equity: float) -> StreetDivat:
    strengths = found["strength"][i]
    both = tuple(
        Strength(*(float(row[k]) for k in (IMMEDIATE, FINAL, TO_BET, TO_FOLD))) for row in strengths
    )
    return StreetDivat(
        street=STREET_NAMES[i],
        pot=2 * int(found["before"][i]) if i > PREFLOP else 2 * int(found["bet"][0]),
        share=float(found["share"][i]),
        strengths=(both[0], both[1]),
        luck=float(found["luck"][i]),
        baseline=_line(found, i),
        baseline_equity=baseline_equity,
        equity=equity,
    )


def _line(found: Any, i: int) -> str:
    """The betting of the baseline on a street."""
    first, second = (bets_worth(i, row[TO_BET], found) for row in found["strength"][i])
    bets = int(found["baseline_after"][i] - (found["before"][i] if i else 0)) // int(
        found["bet"][i]
    )
    if i == PREFLOP:
        return "SlCrC" if bets == 2 and second < 2 else _BEFORE_FLOP[bets]
    if found["baseline_folds"][i] == FIRST_FOLDS:
        return "kBf"
    if found["baseline_folds"][i] == SECOND_FOLDS:
        return "bF"
    return "kBc" if bets == 1 and first == 0 else _AFTER_FLOP[bets]


@kernel
def _assess(tables, state):
    divat = kernels.assess_hand(tables[0], state)
    return kernels.baseline_result(kernels.counter_at(state.ctypes.data), divat)


@kernel
def _roll_out(street, records, each, values):
    roll_out(street, records[0], each, values)


@kernel
def _roll_flops(flops, records, each, values):
    roll_out_flops(flops, records[0], each, values)
