"""DIVAT analysis of a heads-up fixed-limit hand by street, separating luck and play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from nlhe_env.arguments import one_of, whole_number
from nlhe_env.assessment.estimators import divat as kernels
from nlhe_env.assessment.estimators.divat_baseline import (
    FINAL,
    FIRST_FOLDS,
    IMMEDIATE,
    SECOND_FOLDS,
    TO_BET,
    TO_FOLD,
    Baseline,
    bets_worth,
)
from nlhe_env.assessment.estimators.roll_out import roll_out, roll_out_flops
from nlhe_env.cards import N_CARDS
from nlhe_env.game.table import (
    ALL_IN,
    EMPTY,
    FIXED_LIMIT,
    NO_PLAYER,
    PREFLOP,
    STREET_NAMES,
    TABLE,
    TableRecords,
)
from nlhe_env.jit.array_types import F64, I64, Float, Int
from nlhe_env.jit.compilation import kernel

Form = Literal["aie", "roe"]
"""Equity after a street: all-in equity, or the roll-out by the baseline."""

_AFTER_FLOP = {0: "kK", 1: "bC", 2: "bRc", 3: "bRrC", 4: "bRrRc"}
_BEFORE_FLOP = {1: "SlCk", 2: "SlRc", 3: "SlRrC", 4: "SlRrRc"}


class Strength(NamedTuple):
    """Strength of a hand on a street, against all possible holdings of the opponent."""

    immediate: float
    """IHR: share of hands beaten on the current board, ties half."""
    final: float
    """7cHR: mean share of hands beaten on the river."""
    to_bet: float
    """EHR for the baseline's bets."""
    to_fold: float
    """EHR for the baseline's folds."""


@dataclass(frozen=True)
class StreetDivat:
    """DIVAT of a street in chips of the big blind; the button has the negative values.

    Attributes:
        street: Its name.
        pot: Chips at its beginning.
        share: The big blind's mean share of the pot (AIE).
        strengths: Strengths of both hands.
        luck: Chips gained by the cards of the street (LFAT).
        baseline: Betting of the baseline: ``"kBc"`` is check, bet, call; capitals are the button's.
        baseline_equity: Chips after the baseline's betting.
        equity: Chips after the actual betting.
        error: Standard error of ``divat`` in chips for sampled flops (nan for a single one), else
            0.
    """

    street: str
    pot: int
    share: float
    strengths: tuple[Strength, Strength]
    luck: float
    baseline: str
    baseline_equity: float
    equity: float
    error: float = 0.0

    @property
    def divat(self) -> float:
        """Value of play on the street (DIVAT difference)."""
        return self.equity - self.baseline_equity


@dataclass(frozen=True)
class HandDivat:
    """DIVAT of a hand in chips of the big blind.

    Attributes:
        streets: Played streets.
        net: Actual net chips.
        baseline_net: Net chips if both players follow the baseline (Dcash), with the next cards of
            the deck for an incomplete board.
    """

    streets: tuple[StreetDivat, ...]
    net: int
    baseline_net: float

    @property
    def divat(self) -> float:
        """Value of play in the hand (sum of the DIVAT differences)."""
        return math.fsum(street.divat for street in self.streets)

    @property
    def luck(self) -> float:
        """Chips gained by cards (LFAT), over all streets."""
        return math.fsum(street.luck for street in self.streets)


def hand_divat(
    record: np.void,
    *,
    form: Form = "aie",
    baseline: Baseline | None = None,
    flops: int | None = 200,
    seed: int = 1,
) -> HandDivat:
    """Separate luck and play in a heads-up fixed-limit hand (DIVAT, LFAT, Dcash).

    Args:
        record: A table record after the hand with all cards, such as the last record of
            ``nlhe_env.hand_history.play_hand``.
        form: Form of the equities: ``"aie"`` (all-in) or ``"roe"`` (roll-outs by the baseline).
        baseline: Parameters of the baseline; default: those of the thesis.
        flops: Number of sampled flops for a preflop roll-out, with ``StreetDivat.error`` as their
            standard error; None for all 17,296, which takes seconds.
        seed: Seed of these flops.

    Raises:
        ValueError: The record is not a finished heads-up fixed-limit hand, or a player is all-in.
    """
    one_of("form", form, get_args(Form))
    if flops is not None:
        whole_number("flops", flops, least=1)
    table: Any = np.atleast_1d(record)
    _check(table)
    state = kernels.new_state(baseline)
    dcash = float(_assess(table, state))
    found: Any = kernels.divat_of(state)
    n = int(found["streets"])
    equities = [found["baseline_equity"].copy(), found["equity"].copy()]
    errors = np.zeros(n)
    if form == "roe":
        rolled = found.copy()
        for street in range(n):
            errors[street] = _roll(rolled.copy(), street, equities, flops, seed)
    streets = tuple(
        _street(found, i, *(float(column[i]) for column in (*equities, errors))) for i in range(n)
    )
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
        raise ValueError("record must be of a finished hand; in this one a player is to act")
    dealt_in = int(np.count_nonzero(one["status"] != EMPTY))
    if one["betting"] != FIXED_LIMIT or dealt_in != 2:
        raise ValueError(
            f"DIVAT is for heads-up fixed-limit; got {dealt_in} players"
            f"{'' if one['betting'] == FIXED_LIMIT else ', another betting'}"
        )
    if (one["status"] == ALL_IN).any() or one["ante"] or one["straddle"] or one["rake"]:
        raise ValueError("DIVAT is for hands without antes, straddle, rake or all-in players")


def _roll(found: Any, street: int, equities: list[Any], flops: int | None, seed: int) -> float:
    """Replace the equities of a street by roll-outs, unless a player folded on it.

    Returns:
        Standard error of their difference in chips, 0 for full enumeration.
    """
    ends = ((found["baseline_after"], found["baseline_folds"]), (found["after"], found["folds"]))
    each = np.array([after[street] for after, _ in ends], np.int64)
    record = np.atleast_1d(found)
    error = 0.0
    if street == PREFLOP:
        drawn = _flops(found["cards"].ravel().tolist(), flops, seed)
        rolled = np.zeros((len(drawn), 2))
        _roll_flops(drawn, record, each, rolled)
        values = rolled.mean(axis=0)
        if flops is not None:
            error = math.nan
            if flops > 1:
                error = float(np.diff(rolled).std(ddof=1)) / math.sqrt(flops)
    else:
        values = np.zeros(2)
        _roll_out(street, record, each, values)
    for column, value, (_, folds) in zip(equities, values, ends, strict=True):
        if folds[street] not in (FIRST_FOLDS, SECOND_FOLDS):
            column[street] = value
    return error


def _flops(held: list[int], count: int | None, seed: int) -> I64:
    """All flops, or a random sample."""
    left = [card for card in range(N_CARDS) if card not in held]
    every = np.array(list(combinations(left, 3)))
    if count is None:
        return every
    return np.random.default_rng([seed, *held]).choice(every, count)


def _street(found: Any, i: int, baseline_equity: float, equity: float, error: float) -> StreetDivat:
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
        error=error,
    )


def _line(found: Any, i: int) -> str:
    """Betting of the baseline on a street, as text."""
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
def _assess(tables: TableRecords, state: I64) -> Float:
    divat = kernels.assess_hand(tables[0], state)
    return kernels.baseline_result(kernels.counter_at(state.ctypes.data), divat)


@kernel
def _roll_out(street: Int, records: TableRecords, each: I64, values: F64) -> None:
    roll_out(street, records[0], each, values)


@kernel
def _roll_flops(flops: I64, records: TableRecords, each: I64, rolled: F64) -> None:
    for i in range(len(flops)):
        roll_out_flops(flops[i : i + 1], records[0], each, rolled[i])
