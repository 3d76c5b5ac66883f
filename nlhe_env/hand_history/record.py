"""Record of a hand: seats, stacks, cards and actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.cards import format_cards
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.description import BETTING
from nlhe_env.game.table import BY_BIG_BLIND, EMPTY, FIXED_LIMIT, ON_BUTTON, STREET_NAMES

FOLD, CALL, RAISE = "f", "cc", "cbr"
"""Kinds of actions as in PHH; a check is a call of 0, a bet a raise of 0."""


class Action(NamedTuple):
    """A player's action."""

    position: int
    """Place of the player in the arrays of the hand."""
    kind: str
    """``FOLD``, ``CALL`` or ``RAISE``."""
    to: int = 0
    """Chips put in on this street after a raise."""
    board_cards: int = 0
    """Number of open board cards."""

    @property
    def chips_id(self) -> int:
        """The id with ``actions="chips"``."""
        return {FOLD: 0, CALL: 1}.get(self.kind, max(self.to, 2))  # 2: the last chip, too


@dataclass(frozen=True, kw_only=True)
class Hand:
    """One hand, complete or incomplete.

    All sequences have one entry per player, in dealing order from the left of the button; the
    button is last. Heads-up, the first player is therefore the big blind.

    Attributes:
        stacks: Chips before antes and blinds.
        hole_cards: Such as ``"AsKd"``; ``""`` unless both cards are known.
        board: The dealt board cards.
        second_board: The complete second board of a hand that was run twice.
        actions: Actions in order.
        small_blind: Chips.
        big_blind: Chips.
        ante: Chips per player.
        blinds: Posted chips per player that count as bets, for unusual blinds: straddles, blinds of
            returning players, a missing small blind. Empty for ordinary blinds.
        dead: Chips per player in the pot that are not bets: missed small blinds, or a big-blind
            ante. Empty for none.
        betting: ``"no-limit"``, ``"pot-limit"`` or ``"fixed-limit"``.
        max_bets: Fixed-limit cap on bets and raises per street, including the big blind; 0 for the
            usual cap of four, without a cap heads-up.
        shown: Whether each player showed the hole cards.
        finishing_stacks: Chips after the hand, if known.
        rake: Rake in chips, if known.
        players: Names, possibly empty.
        seats: Seat of each player, from 0.
        seat_count: Number of seats.
        number: Hand number, if known.
        event: Tournament or session of the hand, as the file names it; empty if unknown.
        level: Blind level, if known.
        unit: Chips per unit of the file: 100 for amounts in cents.
        unknown_stacks: Players with unknown stacks, which are set high enough to exclude all-ins;
            ``finishing_stacks`` counts from there. Empty if all stacks are known.
    """

    stacks: tuple[int, ...]
    hole_cards: tuple[str, ...]
    board: str
    actions: tuple[Action, ...]
    small_blind: int
    big_blind: int
    ante: int = 0
    second_board: str = ""
    blinds: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    betting: str = "no-limit"
    max_bets: int = 0
    shown: tuple[bool, ...]
    finishing_stacks: tuple[int, ...] | None = None
    rake: int | None = 0
    players: tuple[str, ...]
    seats: tuple[int, ...]
    seat_count: int
    number: int | None = None
    event: str = ""
    level: int | None = None
    unit: int = 1
    unknown_stacks: tuple[bool, ...] = ()

    @property
    def posted(self) -> tuple[int, ...]:
        """Blind of each player with a sufficient stack."""
        if self.blinds:
            return self.blinds
        n = len(self.stacks)
        if n == 2:
            return self.big_blind, self.small_blind
        return self.small_blind, self.big_blind, *(0,) * (n - 2)

    def seen_by(self, seat: int | None) -> Hand:
        """The hand from a player's view.

        It omits hole cards that were neither shown nor this player's own.

        Args:
            seat: Seat of the player; ``None`` for a spectator.
        """
        cards = tuple(
            own if shown or at == seat else ""
            for own, shown, at in zip(self.hole_cards, self.shown, self.seats, strict=True)
        )
        return replace(self, hole_cards=cards)


def unusual_cap(max_bets: int | None) -> int:
    """The cap of a game in a hand's format: 0 for the usual cap.

    Heads-up, a cap of four and no cap are both usual, since a hand within the cap is also valid
    without it.

    Args:
        max_bets: Cap of a ``Game`` or a table record.
    """
    return max_bets if max_bets and max_bets != USUAL_MAX_BETS else 0


def action_event(table: np.void, action_id: int) -> dict[str, Any]:
    """Describe an action as a dictionary with its name and chips.

    Args:
        table: The record before the action.
        action_id: A legal id in the encoding ``actions="chips"``: 0 fold, 1 check or call, n raise
            to n (2 also where a single chip is left to bet).

    Returns:
        ``seat``, ``street``, ``action`` (``"fold"``, ``"check"``, ``"call"``, ``"bet"`` or
        ``"raise"``), ``chips`` put in, ``all_in``, and ``to`` of a bet or raise.
    """
    seat = int(table["actor"])
    bet, stack = int(table["street_bet"][seat]), int(table["stack"][seat])
    current = int(table["current_bet"])
    chips = 0
    event: dict[str, Any] = {"seat": seat, "street": STREET_NAMES[int(table["street"])]}
    if action_id == 0:
        word = "fold"
    elif action_id == 1:
        chips = min(current - bet, stack)
        word = "call" if chips > 0 else "check"
    else:
        event["to"] = min(action_id, bet + stack)
        chips = event["to"] - bet
        word = "raise" if current > 0 else "bet"
    return {**event, "action": word, "chips": chips, "all_in": 0 < chips == stack}


def hand_of(
    table: np.void,
    events: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    *,
    level: int | None = None,
) -> Hand:
    """Create the record of a paid hand.

    Args:
        table: The table record after the hand.
        events: The actions in order, each as from ``action_event``.
        names: Names of the players by number.
        level: Level of the blinds.
    """
    n_seats = int(table["seats"])
    button = int(table["button"])
    order = [(button + 1 + i) % n_seats for i in range(n_seats)]
    seats = tuple(seat for seat in order if table["status"][seat] != EMPTY)
    cards = table["cards"].tolist()
    actions = []
    for event in events:
        kind = {"fold": FOLD, "check": CALL, "call": CALL}.get(event["action"], RAISE)
        street = STREET_NAMES.index(event["street"])
        position = seats.index(event["seat"])
        actions.append(Action(position, kind, event.get("to", 0), (0, 3, 4, 5)[street]))

    def column(name: str) -> tuple[int, ...]:
        return tuple(int(table[name][seat]) for seat in seats)

    blinds, dead = _odd_posts(table, seats)
    n_board = int(table["board_cards"])
    return Hand(
        stacks=column("starting_stack"),
        hole_cards=tuple(format_cards(cards[2 * seat : 2 * seat + 2]) for seat in seats),
        board=format_cards(cards[2 * n_seats : 2 * n_seats + n_board]),
        second_board=_second_board(table),
        actions=tuple(actions),
        small_blind=int(table["small_blind"]),
        big_blind=int(table["big_blind"]),
        ante=0 if table["ante_by"] == BY_BIG_BLIND else int(table["ante"]),
        blinds=blinds,
        dead=dead,
        betting=BETTING[int(table["betting"])],
        max_bets=unusual_cap(int(table["max_bets"])) if table["betting"] == FIXED_LIMIT else 0,
        shown=tuple(bool(shown) for shown in column("shown")),
        finishing_stacks=column("stack"),
        rake=int(table["rake"]),
        players=tuple(names[player] for player in column("player")),
        seats=seats,
        seat_count=n_seats,
        number=int(table["hand"]) + 1,
        level=level,
    )


def _odd_posts(table: np.void, seats: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Blinds with a straddle, and the ante paid by the big blind; empty for none."""
    n = len(seats)
    big_blind_at = 0 if n == 2 else 1
    blinds, dead = [0] * n, [0] * n
    if table["straddle"] > 0:
        blinds[:2] = int(table["small_blind"]), int(table["big_blind"])
        blinds[-1 if table["straddling"] == ON_BUTTON else 2] = int(table["straddle"])
    dead[big_blind_at] = int(table["dead_ante"])
    return tuple(blinds) if any(blinds) else (), tuple(dead) if any(dead) else ()


def _second_board(table: np.void) -> str:
    """The second board of a hand run twice, including the shared cards."""
    shared = int(table["shared_cards"])
    if shared == 5:
        return ""
    first = 2 * int(table["seats"])
    cards = table["cards"].tolist()
    return format_cards([*cards[first : first + shared], *cards[first + 5 + shared : first + 10]])
