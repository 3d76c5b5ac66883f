"""Explanation of a written hand: its worth to each player at every moment, and what changed it.

The worth of a moment is what each player would win if there were no more bets: shares of the pots,
by the cards that are known, less the chips put in; an uncalled bet goes back. So the result of a
hand is the sum of what the cards changed and of what the players did. Actions are compared in the
same way: a raise counts as one that all players call (Billings 2006, chapter 5, has this as EVAT).
Good play against hidden cards gives something away by this measure; it shows what happened, and
does not rate players.

Unknown hands are any two cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.assessment.estimators.hand_divat import HandDivat, hand_divat
from nlhe_env.equity import equities, hand_equity
from nlhe_env.game import what_if
from nlhe_env.game.table import ACTIVE, ALL_IN, FOLDED, STREET_NAMES
from nlhe_env.hand_history import rules
from nlhe_env.hand_history.record import Hand
from nlhe_env.hand_history.replay import Step, play_hand

_ANY_HAND = "*"
_DEALS = 20_000
"""Deals to draw where hands are unknown and there are too many to count."""


class Decision(NamedTuple):
    """Decision of a player, with the worth of its alternatives."""

    place: int
    """Place of the player in the arrays of the hand."""
    to_call: int
    pot: int
    """Chips, bets of the street included."""
    odds: float
    """Cost of a call as a share of the pot after it: the share of it that a call must win."""
    known: float | None
    """Share of the main pot that the hand wins if there are no more bets, by the cards that are
    known now; None if the hand is not known."""
    seen: float | None
    """Share of the main pot as the player could know it: against any hands."""
    worth: Mapping[str, float]
    """Chips won in the hand by ``"fold"`` (where there is something to call), ``"call"`` or
    ``"check"``, and ``"bet"`` or ``"raise"``, as if there were no more bets after it."""
    raise_to: int
    """The bet or raise that is looked at: the one that was made, else the least; 0 for none."""
    taken: str
    """The action taken: ``"fold"``, ``"call"``, ``"check"``, ``"bet"`` or ``"raise"``."""

    @property
    def cost(self) -> float:
        """Chips that another action was worth more, all cards open."""
        return max(self.worth.values()) - self.worth[self.taken]


class Moment(NamedTuple):
    """A step of ``play_hand``; one number for each place of the hand."""

    worth: tuple[float, ...]
    """Chips won in the hand if there were no more bets; at the end the chips won."""
    shares: tuple[float, ...]
    """Shares of the main pot, in the mean over the cards to come; 0 for folded hands."""
    seen: tuple[float | None, ...]
    """Share of each known hand that is not folded, against as many hands of any cards."""
    decision: Decision | None
    """The decision to be taken, and the action; None at the end."""


class Street(NamedTuple):
    """Cards that came, and what they changed; one number for each place of the hand."""

    name: str
    board: str
    """All cards of the board that lay open then."""
    shares: tuple[float, ...]
    """Shares of the main pot, in the mean over the cards to come; 0 for folded hands."""
    seen: tuple[float | None, ...]
    """Share of each known hand that is not folded, against as many hands of any cards."""
    luck: tuple[float, ...]
    """Change of worth by the cards in chips; 0 for the hole cards."""


class Review(NamedTuple):
    """A hand explained."""

    moments: tuple[Moment, ...]
    """One for each step of ``play_hand``."""
    streets: tuple[Street, ...]
    """Streets that were dealt, also where no player could bet any more."""
    divat: HandDivat | None
    """DIVAT, for heads-up fixed-limit with all cards known."""

    @property
    def net(self) -> tuple[float, ...]:
        """Chips won, by place."""
        return self.moments[-1].worth

    @property
    def luck(self) -> tuple[float, ...]:
        """Change of worth by the cards of the board in chips, by place."""
        return tuple(map(sum, zip(*(street.luck for street in self.streets), strict=True)))


def review_hand(hand: Hand) -> Review:
    """Explanation of a hand.

    Args:
        hand: A hand that is over or broken off.

    Returns:
        All of its moments. Shares are exact where all hands in the pot are known, or one is played
        against one that is not; else 20,000 deals are drawn, always the same ones.

    Raises:
        HandError: The hand is not possible.

    >>> from nlhe_env.hand_history import read_hands
    >>> hand = read_hands('''variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [50, 100]
    ... min_bet = 100
    ... starting_stacks = [1000, 1000]
    ... actions = ["d dh p1 QhQc", "d dh p2 AsKd", "p2 cbr 1000", "p1 cc", "p1 sm QhQc",
    ...   "p2 sm AsKd", "d db 2s7h9d", "d db Qd", "d db 3c"]''')[0]
    >>> review = review_hand(hand)
    >>> [round(share, 3) for share in review.streets[0].shares], [*map(round, review.luck)]
    ([0.572, 0.428], [857, -857])
    """
    steps = list(play_hand(hand))
    spot = _Spot(hand, steps[0].table)
    nothing = (0.0,) * len(hand.stacks)
    streets = [Street(STREET_NAMES[0], "", spot.shares, spot.seen, nothing)]
    moments = [Moment(spot.worth, spot.shares, spot.seen, spot.decision(steps, 1))]
    for i, step in enumerate(steps[1:], 1):
        done = spot.after(step.event)
        for n_board in range(3, int(step.table["board_cards"]) + 1):
            if n_board > done.n_board:
                opened = _Spot(hand, done.table, n_board)
                came = _less(opened.worth, done.worth)
                board, name = hand.board[: 2 * n_board], STREET_NAMES[n_board - 2]
                streets.append(Street(name, board, opened.shares, opened.seen, came))
                done = opened
        if step.table["pots"] > 0:  # it is paid: odd chips, the rake, a second board, cards shown
            won = (step.table["stack"] - step.table["starting_stack"]).tolist()
            worth = tuple(map(float, won[: len(nothing)]))
            remaining = zip(streets[-1].luck, _less(worth, done.worth), strict=True)
            streets[-1] = streets[-1]._replace(luck=tuple(map(sum, remaining)))
            moments.append(Moment(worth, done.shares, done.seen, None))
        else:
            spot = _Spot(hand, step.table)
            moments.append(Moment(spot.worth, spot.shares, spot.seen, spot.decision(steps, i + 1)))
    return Review(tuple(moments), tuple(streets), _divat(hand, steps[-1].table))


def _divat(hand: Hand, table: np.void) -> HandDivat | None:
    if not all(hand.hole_cards):
        return None
    try:
        return hand_divat(table)
    except ValueError:  # it is of another game
        return None


class _Spot:
    """A moment whose pots have not been paid.

    Args:
        hand: The hand.
        table: Its record.
        n_board: Cards of the board to look at, if not those that lie open.
    """

    def __init__(self, hand: Hand, table: np.void, n_board: int | None = None) -> None:
        self.table = table
        self.n_board = int(table["board_cards"]) if n_board is None else n_board
        self._hand = hand
        n = len(hand.stacks)
        self._live = [place for place in range(n) if table["status"][place] in (ACTIVE, ALL_IN)]
        self._board = hand.board[: 2 * self.n_board]

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """See ``Moment``."""
        return self._shares_of(self._live)

    @cached_property
    def seen(self) -> tuple[float | None, ...]:
        """See ``Moment``."""
        return tuple(
            _seen(cards, self._board, len(self._live) - 1)
            if cards and place in self._live and len(self._live) > 1
            else None
            for place, cards in enumerate(self._hand.hole_cards)
        )

    @cached_property
    def worth(self) -> tuple[float, ...]:
        """See ``Moment``."""
        table, n = self.table, len(self._hand.stacks)
        worth = [float(chips) for chips in (table["stack"] - table["starting_stack"])[:n]]
        pots, uncalled, first = _pots(table)
        worth[first] += uncalled
        for size, places in pots:
            for place, share in enumerate(self._shares_of(places)):
                worth[place] += share * size
        return tuple(worth)

    def _shares_of(self, places: Sequence[int]) -> tuple[float, ...]:
        """Share of every place in a pot that the given places can win."""
        shares = [0.0] * len(self._hand.stacks)
        held = self._hand.hole_cards
        hands = tuple(held[place] or _ANY_HAND for place in places)
        dead = "".join(cards for place, cards in enumerate(held) if place not in places)
        for place, share in zip(places, _equities(hands, self._board, dead), strict=True):
            shares[place] = share
        return tuple(shares)

    def after(self, event: Mapping[str, Any] | None) -> _Spot:
        """The moment after an action, before a card is dealt."""
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

    def decision(self, steps: Sequence[Step], following: int) -> Decision | None:
        """The decision at this moment, None if there is none."""
        if following >= len(steps) or steps[following].event is None:
            return None
        table, event = self.table, steps[following].event
        assert event is not None
        place, pot = event["seat"], int(table["pot"])
        to_call = what_if.amount_to_call(table)
        call = {"seat": place, "action": "call", "chips": to_call}
        worth = {"call" if to_call else "check": self.after(call).worth[place]}
        if to_call or event["action"] == "fold":
            worth = {"fold": float(table["stack"][place] - table["starting_stack"][place])} | worth
        least, _ = rules.raise_range(np.atleast_1d(table), False)
        raise_to = int(event.get("to", least))
        if raise_to:
            worth["raise" if table["current_bet"] else "bet"] = self._raised(raise_to).worth[place]
        return Decision(
            place,
            to_call,
            pot,
            to_call / (pot + to_call),
            self.shares[place] if self._hand.hole_cards[place] else None,
            self.seen[place],
            worth,
            raise_to,
            event["action"],
        )

    def _raised(self, to: int) -> _Spot:
        """The moment when all players in the hand have matched a raise, as far as they can."""
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
    """Pots with the bets of the street, the uncalled chips, and the place that put these in."""
    copy = _copy(table)
    copy["street_bet"] = 0
    pots = what_if.side_pots(copy)
    uncalled = int(table["pot"]) - sum(size for size, _ in pots)
    return pots, uncalled, int(np.argmax(table["hand_bet"]))


@lru_cache(4096)
def _equities(hands: tuple[str, ...], board: str, dead: str) -> tuple[float, ...]:
    """Shares of a pot, in the mean over the cards to come and unknown hands."""
    if len(hands) == 1:
        return (1.0,)
    unknown = hands.count(_ANY_HAND)
    if unknown == len(hands):
        return (1.0 / unknown,) * unknown
    countable = unknown == 0 or (len(hands) == 2 and board)
    samples = None if countable else _DEALS
    return equities(list(hands), board, dead, samples=samples, threads=1).equity


@lru_cache(4096)
def _seen(hand: str, board: str, opponents: int) -> float:
    """Share of a pot that a hand wins against so many hands of any cards."""
    if opponents == 1:
        return hand_equity(hand, board)
    return _equities((hand, *[_ANY_HAND] * opponents), board, "")[0]


def _less(numbers: Sequence[float], others: Sequence[float]) -> tuple[float, ...]:
    return tuple(a - b for a, b in zip(numbers, others, strict=True))
