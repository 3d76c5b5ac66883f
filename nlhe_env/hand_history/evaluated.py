"""Results of recorded hands, with all-in equity and DIVAT, for many hands at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlhe_env.assessment.estimators.all_in import estimate_all_in
from nlhe_env.assessment.estimators.divat import assess_hand, baseline_result, counter_at, new_state
from nlhe_env.assessment.estimators.divat_roe import assess_by_roll_outs
from nlhe_env.assessment.estimators.estimator import PARTS
from nlhe_env.assessment.estimators.hand_divat import Form
from nlhe_env.equity.all_in.shares import new_counter
from nlhe_env.game import betting
from nlhe_env.game.betting import FOLDS, RAISES, live_bet
from nlhe_env.game.table import MAX_SEATS, TableRecord, TableRecords, empty_tables
from nlhe_env.hand_history import rules
from nlhe_env.hand_history.batches import (
    SEATS,
    Packed,
    ReplayedHands,
    opening_of,
    pack,
    play_packed,
)
from nlhe_env.hand_history.record import Hand
from nlhe_env.hand_history.replay import HandError, check_hand
from nlhe_env.jit.array_types import F64, I64, Bool, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

_LUCK, _BASELINE, _HINDSIGHT = range(4, 7)  # behind the four streets


class EvaluatedHands(NamedTuple):
    """Results of hands in chips; the first axis is the hand."""

    money: I64
    """``(n, MAX_SEATS)`` chips won, by place in the hand."""
    all_in: F64
    """``(n, MAX_SEATS)`` chips won with all-in pots at their expectation."""
    streets: F64
    """``(n, 4)`` DIVAT of the big blind by street, 0 for unplayed streets; nan if not requested.
    The button has the negative values, here and below."""
    luck: F64
    """``(n,)`` chips gained by the big blind's cards (LFAT)."""
    less_baseline: F64
    """``(n,)`` its result minus the baseline's; nan for an incomplete board."""
    hindsight: F64
    """``(n,)`` the button's hindsight loss minus the big blind's, in chips (EVAT)."""


class BatchEvaluator:
    """Evaluator of hands, a few hundred per kernel call.

    Args:
        form: Form of the equities of DIVAT, see ``nlhe_env.hand_divat``.
    """

    def __init__(self, form: Form = "aie") -> None:
        self._rolls = form == "roe"
        self._state = new_state()
        self._hidden, self._known = (new_counter(knows_folded=knows) for knows in (False, True))
        self._table = empty_tables(1, MAX_SEATS)

    def evaluate(self, hands: Sequence[Hand], divat: Bool) -> EvaluatedHands:
        """Results of a few hundred hands.

        Args:
            hands: Complete hands.
            divat: ``(n,)`` whether to count DIVAT, which needs heads-up fixed-limit and all hole
                cards.

        Raises:
            HandError: A hand is impossible or incomplete; ``hand`` is its index.
        """
        played = play_packed(pack(hands), whole=True)
        for k in np.flatnonzero(~played.fits).tolist():
            raise why_not(hands[k], k)
        return self.evaluate_played(played, divat)

    def evaluate_played(self, played: ReplayedHands, divat: Bool) -> EvaluatedHands:
        """Results of valid hands that have been replayed to the end."""
        packed, tables, _ = played
        n = len(tables)
        adjusted = np.zeros((n, MAX_SEATS), np.int64)
        seated = np.arange(MAX_SEATS) < packed.setups[:, SEATS, None]
        knows_all = np.all(packed.known | ~seated, axis=1)
        _count_all_in(tables, knows_all, self._hidden, self._known, adjusted)
        found = np.full((n, _HINDSIGHT + 1), np.nan)
        if divat.any():
            _assess_all(
                tables,
                divat,
                self._state,
                self._rolls,
                self._table,
                packed,
                found,
            )
        money = tables["won"] - tables["hand_bet"]
        less_baseline = money[:, 0] - found[:, _BASELINE]
        return EvaluatedHands(
            money,
            adjusted / PARTS,
            found[:, :_LUCK],
            found[:, _LUCK],
            np.where(tables["board_cards"] == 5, less_baseline, np.nan),
            found[:, _HINDSIGHT],
        )


def needs_hole_cards(hand: Hand) -> str:
    """Reason why a hand without all hole cards is refused, as the end of a sentence."""
    hidden = [
        (hand.players[place : place + 1] or ("",))[0] or f"p{place + 1}"
        for place, cards in enumerate(hand.hole_cards)
        if not cards
    ]
    return (
        f"needs all hole cards, including folded ones; unknown are those of {' and '.join(hidden)}"
    )


def why_not(hand: Hand, number: int) -> HandError:
    """Error for a hand that cannot be evaluated."""
    problem = "the hand is incomplete"
    try:
        check_hand(hand)
    except HandError as error:
        problem = str(error)
    return HandError(problem, hand=number)


@kernel
def _count_all_in(
    tables: TableRecords, knows_all: Bool, hidden: I64, known: I64, adjusted: I64
) -> None:
    """All-in equity of every hand; unknown cards of folded hands stay in the deck."""
    for k in range(len(tables)):
        estimate_all_in(tables[k], known if knows_all[k] else hidden, adjusted[k])


@kernel
def _given_away(table: TableRecord, share: Float, kind: Int) -> Float:
    """Hindsight loss of the player to act, in chips, with both hands open (EVAT).

    The value of an action is the player's share of the pot without further bets, with raises
    called; the loss is the best action's value minus the actual one's. Good play with hidden cards
    also has losses, so the measure is biased and only for comparison. Source: D. Billings,
    "Algorithms and Assessment in Computer Poker", PhD thesis (University of Alberta, 2006), 5.2.2.

    Args:
        table: Record of a heads-up hand at seats 0, the big blind, and 1.
        share: The big blind's mean share of the pot.
        kind: ``FOLDS``, ``CALLS`` or ``RAISES`` (the smallest raise).
    """
    seat = table.actor
    edge = 2 * (share if seat == 0 else 1 - share) - 1
    mine, call = live_bet(table, seat), max(live_bet(table, 0), live_bet(table, 1))
    value_function = edge * call
    best, done = value_function, value_function
    if mine < call:
        value_function = -1.0 * mine
        best = max(best, value_function)
    if kind == FOLDS:
        done = -1.0 * mine
    least, most = betting.legal_raise(table)
    if most > 0:
        value_function = edge * (mine - table.street_bet[seat] + least)
        best = max(best, value_function)
        if kind == RAISES:
            done = value_function
    return best - done


@kernel
def _assess_all(
    tables: TableRecords,
    chosen: Bool,
    state: I64,
    rolls: Truth,
    table: TableRecords,
    packed: Packed,
    found: F64,
) -> None:
    """Write baseline, luck, hindsight and DIVAT by street of the chosen hands into ``found``."""
    actions, starts = packed.actions, packed.starts
    counter = counter_at(state.ctypes.data)
    for k in range(len(tables)):
        if not chosen[k]:
            continue
        divat = assess_hand(tables[k], state)
        found[k, _BASELINE] = baseline_result(counter, divat)
        luck = 0.0
        for street in range(divat.streets):
            luck += divat.luck[street]
        found[k, _LUCK] = luck
        found[k, _HINDSIGHT] = 0.0
        again = table[0]
        again.seats = 2
        again.betting = tables[k].betting
        again.max_bets = tables[k].max_bets
        rules.open_hand(table, opening_of(packed, k, 2), 0)
        for i in range(starts[k], starts[k + 1]):
            sign = -1.0 if again.actor == 0 else 1.0
            given = _given_away(again, divat.share[again.street], actions[i, rules.KIND])
            found[k, _HINDSIGHT] += sign * given
            rules.act(table, actions[i])
        if rolls:
            assess_by_roll_outs(tables[k], state)
        for street in range(4):
            found[k, street] = 0.0
            if street < divat.streets:
                found[k, street] = divat.equity[street] - divat.baseline_equity[street]
