"""Hand review: its value to each player at every step, and the causes of changes.

The value of a step is each player's expected result without further bets: its share of the pots
with the known cards, minus its bets; uncalled bets are returned. The result of a hand is therefore
the sum of the effects of cards and actions. Actions are compared in the same way, with raises
called by all players (EVAT in Billings 2006, 5.2.2). Good play with hidden cards also has
losses by this measure, so it does not rate players. Unknown hands are random.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.assessment.estimators.hand_divat import HandDivat, hand_divat
from nlhe_env.equity import hand_equity
from nlhe_env.equity.pot_shares import (
    ANY_HAND,
    shares_of_hands,
    shares_of_pot,
    shares_of_pots,
)
from nlhe_env.game import what_if
from nlhe_env.game.table import ACTIVE, ALL_IN, FOLDED, STREET_NAMES
from nlhe_env.hand_history import rules
from nlhe_env.hand_history.record import Hand
from nlhe_env.hand_history.replay import Step, play_hand


class ReviewedDecision(NamedTuple):
    """A decision with the values of its alternatives."""

    place: int
    """Place of the player in the arrays of the hand."""
    to_call: int
    pot: int
    """Chips, bets of the street included."""
    odds: float
    """Cost of a call as a share of the pot after it: the share of it that a call must win."""
    equity: float | None
    """Equity in all pots without further bets, given the currently known cards; None for an unknown
    hand."""
    random_equity: float | None
    """Equity in the main pot against random hands, as the player could compute it."""
    values: Mapping[str, float]
    """Chips won in the hand by ``"fold"`` (where there is something to call), ``"call"`` or
    ``"check"``, and ``"bet"`` or ``"raise"``, as if there were no more bets after it."""
    raise_to: int
    """The bet or raise considered: the actual one, else the minimum; 0 for none."""
    taken: str
    """The action taken: ``"fold"``, ``"call"``, ``"check"``, ``"bet"`` or ``"raise"``."""

    @property
    def cost(self) -> float:
        """Loss against the best action with open cards, in chips."""
        return max(self.values.values()) - self.values[self.taken]


class ReviewStep(NamedTuple):
    """A step of ``play_hand``, with one number per place."""

    values: tuple[float, ...]
    """Chips won in the hand if there were no more bets; at the end the chips won."""
    equities: tuple[float, ...]
    """Shares of all pots, in the mean over the cards to come; 0 for folded hands."""
    random_equities: tuple[float | None, ...]
    """Share of each known hand that is not folded, against as many hands of any cards."""
    decision: ReviewedDecision | None
    """The decision to be taken, and the action; None at the end."""


class StreetReview(NamedTuple):
    """Cards of a street and their effect, with one number per place."""

    name: str
    board: str
    """All open board cards at that time."""
    equities: tuple[float, ...]
    """Shares of all pots, in the mean over the cards to come; 0 for folded hands."""
    random_equities: tuple[float | None, ...]
    """Share of each known hand that is not folded, against as many hands of any cards."""
    card_gains: tuple[float, ...]
    """Change of value by the cards in chips; 0 for the hole cards."""


class Review(NamedTuple):
    """Review of a hand."""

    steps: tuple[ReviewStep, ...]
    """One step for each of ``play_hand``."""
    streets: tuple[StreetReview, ...]
    """Dealt streets, including those without possible bets."""
    divat: HandDivat | None
    """DIVAT, for heads-up fixed-limit with all cards known."""

    @property
    def net(self) -> tuple[float, ...]:
        """Net chips by place."""
        return self.steps[-1].values

    @property
    def card_gains(self) -> tuple[float, ...]:
        """Value change by board cards in chips, by place."""
        return tuple(
            map(math.fsum, zip(*(street.card_gains for street in self.streets), strict=True))
        )


def review_hand(hand: Hand) -> Review:
    """Review a hand.

    Args:
        hand: A complete or incomplete hand.

    Returns:
        Review of all steps. Shares are exact if all hands in the pot are known, or for one known
        hand against one unknown hand. Otherwise 20,000 deals are sampled with a fixed seed.

    Raises:
        HandError: The hand is invalid.

    >>> from nlhe_env.hand_history import read_hands
    >>> hand = read_hands('''variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [50, 100]
    ... min_bet = 100
    ... starting_stacks = [1000, 1000]
    ... actions = ["d dh p1 QhQc", "d dh p2 AsKd", "p2 cbr 1000", "p1 cc", "p1 sm QhQc",
    ...   "p2 sm AsKd", "d db 2s7h9d", "d db Qd", "d db 3c"]''')[0]
    >>> review = review_hand(hand)
    >>> [round(share, 3) for share in review.streets[0].equities], [*map(round, review.card_gains)]
    ([0.572, 0.428], [857, -857])
    """
    steps = list(play_hand(hand))
    spot = _Spot(hand, steps[0].table)
    nothing = (0.0,) * len(hand.stacks)
    streets = [StreetReview(STREET_NAMES[0], "", spot.equities, spot.random_equities, nothing)]
    reviewed = [
        ReviewStep(spot.values, spot.equities, spot.random_equities, spot.decision(steps, 1))
    ]
    for i, step in enumerate(steps[1:], 1):
        done = spot.after(step.event)
        for n_board in range(3, int(step.table["board_cards"]) + 1):
            if n_board > done.n_board:
                opened = _Spot(hand, done.table, n_board)
                came = _less(opened.values, done.values)
                board, name = hand.board[: 2 * n_board], STREET_NAMES[n_board - 2]
                streets.append(
                    StreetReview(name, board, opened.equities, opened.random_equities, came)
                )
                done = opened
        if step.table["pots"] > 0:  # paid, with odd chips, rake and second board
            won = (step.table["stack"] - step.table["starting_stack"]).tolist()
            values = tuple(map(float, won[: len(nothing)]))
            remaining = zip(streets[-1].card_gains, _less(values, done.values), strict=True)
            streets[-1] = streets[-1]._replace(card_gains=tuple(map(math.fsum, remaining)))
            reviewed.append(ReviewStep(values, done.equities, done.random_equities, None))
        else:
            spot = _Spot(hand, step.table)
            reviewed.append(
                ReviewStep(
                    spot.values, spot.equities, spot.random_equities, spot.decision(steps, i + 1)
                )
            )
    return Review(tuple(reviewed), tuple(streets), _divat(hand, steps[-1].table))


def _divat(hand: Hand, table: np.void) -> HandDivat | None:
    if not all(hand.hole_cards):
        return None
    try:
        return hand_divat(table)
    except ValueError:  # it is another game
        return None


class _Spot:
    """A table with unpaid pots.

    Args:
        hand: The hand.
        table: Its record.
        n_board: Number of board cards to consider; default: the open ones.
    """

    def __init__(self, hand: Hand, table: np.void, n_board: int | None = None) -> None:
        self.table = table
        self.n_board = int(table["board_cards"]) if n_board is None else n_board
        self._hand = hand
        n = len(hand.stacks)
        self._live = [place for place in range(n) if table["status"][place] in (ACTIVE, ALL_IN)]
        self._board = hand.board[: 2 * self.n_board]

    @cached_property
    def equities(self) -> tuple[float, ...]:
        """See ``ReviewStep``."""
        pots, _, _ = _pots(self.table)
        if len(pots) < 2:
            return self._shares_of(self._live)
        return shares_of_pots(pots, self._hand.hole_cards, self._board)

    @cached_property
    def random_equities(self) -> tuple[float | None, ...]:
        """See ``ReviewStep``."""
        return tuple(
            _seen(cards, self._board, len(self._live) - 1)
            if cards and place in self._live and len(self._live) > 1
            else None
            for place, cards in enumerate(self._hand.hole_cards)
        )

    @cached_property
    def values(self) -> tuple[float, ...]:
        """See ``ReviewStep``."""
        table, n = self.table, len(self._hand.stacks)
        values = [float(chips) for chips in (table["stack"] - table["starting_stack"])[:n]]
        pots, uncalled, first = _pots(table)
        values[first] += uncalled
        for size, places in pots:
            for place, share in enumerate(self._shares_of(places)):
                values[place] += share * size
        return tuple(values)

    def _shares_of(self, places: Sequence[int]) -> tuple[float, ...]:
        """Share of every place in a pot that the given places can win."""
        return shares_of_pot(places, self._hand.hole_cards, self._board)

    def after(self, event: Mapping[str, Any] | None) -> _Spot:
        """The table after an action, before any cards are dealt."""
        if event is None:
            return self
        table = _copy(self.table)
        seat = event["seat"]
        if event["action"] == "fold":
            table["status"][seat] = FOLDED
            table["unfolded"] -= 1
        else:
            _put_in(table, seat, event["chips"])
        return _Spot(self._hand, table, self.n_board)

    def decision(self, steps: Sequence[Step], following: int) -> ReviewedDecision | None:
        """The current decision; None if there is none."""
        if following >= len(steps) or steps[following].event is None:
            return None
        table, event = self.table, steps[following].event
        assert event is not None
        if event["seat"] != table["actor"]:  # an absent player has no decision
            return None
        place, pot = event["seat"], int(table["pot"])
        to_call = what_if.amount_to_call(table)
        call = {"seat": place, "action": "call", "chips": to_call}
        values = {"call" if to_call else "check": self.after(call).values[place]}
        if to_call or event["action"] == "fold":
            values = {
                "fold": float(table["stack"][place] - table["starting_stack"][place])
            } | values
        least, _ = rules.raise_range(np.atleast_1d(table), False)
        raise_to = int(event.get("to", least))
        if raise_to:
            values["raise" if table["current_bet"] else "bet"] = self._raised(raise_to).values[
                place
            ]
        return ReviewedDecision(
            place,
            to_call,
            pot,
            to_call / (pot + to_call),
            self.equities[place] if self._hand.hole_cards[place] else None,
            self.random_equities[place],
            values,
            raise_to,
            event["action"],
        )

    def _raised(self, to: int) -> _Spot:
        """The table after all players in the hand have matched a raise as far as possible."""
        table = _copy(self.table)
        for place in self._live:
            _put_in(table, place, min(to - table["street_bet"][place], table["stack"][place]))
        return _Spot(self._hand, table, self.n_board)


def _copy(table: np.void) -> np.void:
    copy: np.void = np.atleast_1d(table).copy()[0]
    return copy


def _put_in(table: np.void, place: int, chips: int) -> None:
    for name in ("street_bet", "hand_bet"):
        table[name][place] += chips
    table["stack"][place] -= chips
    table["pot"] += chips


def _pots(table: np.void) -> tuple[list[tuple[int, tuple[int, ...]]], int, int]:
    """Pots including the street's bets, the uncalled chips, and the place that bet them."""
    copy = _copy(table)
    copy["street_bet"] = 0
    pots = what_if.side_pots(copy)
    uncalled = int(table["pot"]) - sum(size for size, _ in pots)
    bets = table["hand_bet"].copy()
    bets[0 if table["players"] == 2 else 1] -= table["dead_ante"]
    return pots, uncalled, int(np.argmax(bets))


@lru_cache(4096)
def _seen(hand: str, board: str, opponents: int) -> float:
    """Equity of a hand against the given number of random hands."""
    if opponents == 1:
        return hand_equity(hand, board)
    return shares_of_hands((hand, *[ANY_HAND] * opponents), board, "")[0]


def _less(numbers: Sequence[float], subtracted: Sequence[float]) -> tuple[float, ...]:
    return tuple(a - b for a, b in zip(numbers, subtracted, strict=True))
