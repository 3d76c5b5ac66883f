"""Table services besides the game: clock, automatic actions, chat, rebuys."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any

from agents.web.table.game import GameSnapshot, LiveGame
from agents.web.table.participants import Refused
from agents.web.table.setup import GameSetup
from agents.web.table.view import dealt_in

SERVICE_REQUESTS = ("sit out", "auto action", "rebuy", "show", "chat")
"""Message types handled here."""


class TableServices:
    """The services of one table.

    Args:
        setup: The game to play.
    """

    def __init__(self, setup: GameSetup) -> None:
        self._setup = setup
        self._clock = Clock(setup.clock, setup.time_bank)
        self._auto_actions = AutoActions()
        self.chat = Chat()

    def begin_game(self) -> None:
        """Start a new game with full time banks and no actions chosen in advance."""
        self._clock.begin_game()
        self._auto_actions.begin_game()

    def update(self, state: GameSnapshot, decides: int | None) -> None:
        """Update the services with the state of the game.

        Args:
            state: Snapshot of the game.
            decides: Seat of the person that the game waits for, if any.
        """
        decision = None if decides is None else (decides, state.turn)
        self._clock.update(decision, time.monotonic())

    def patience(self, seat: int, hand: int) -> float | None:
        """Seconds until a person's turn ends without a decision; None for no limit."""
        if not self.decides_manually(seat, hand):
            return 0.0
        return self._clock.left(time.monotonic())

    def decides_manually(self, seat: int, hand: int) -> bool:
        """Whether a person decides at the turn, without an automatic action."""
        return not self._auto_actions.acts_at_once(seat, hand)

    def sits_out(self, seat: int) -> bool:
        """Whether a person's turn needs no waiting."""
        return seat in self._auto_actions.sits_out

    def act_for(self, game: LiveGame) -> None:
        """Take a person's automatic action; by default check, or fold to a bet."""
        hand = int(game.snapshot.table["hand"])
        if self._auto_actions.take(game.actor, hand) == CALL_ANY:
            game.call_for_absent()
        else:
            game.act_for_absent()

    def clear(self, seat: int) -> None:
        """Clear automatic actions and sitting out: a person has decided, or left the seat."""
        self._auto_actions.choose(seat, 0, None)
        self._auto_actions.sit_out(seat, False)

    def handle(
        self, kind: str, seat: int, message: Mapping[str, Any], state: GameSnapshot, game: LiveGame
    ) -> Line | None:
        """Handle a request of a person.

        Args:
            kind: One of ``SERVICE_REQUESTS``.
            seat: Seat of the person.
            message: Message from the page.
            state: Snapshot of the game.
            game: The game.

        Returns:
            The chat line, for all viewers; None for other requests.

        Raises:
            Refused: The request cannot be granted.
        """
        if kind == "chat":
            return self.chat.say(seat, state.names[seat], message.get("text"), time.monotonic())
        if kind == "sit out":
            self._auto_actions.sit_out(seat, message.get("on") is True)
        elif kind == "auto action":
            action = message.get("action")
            if action is not None and action not in AUTO_ACTIONS:
                raise Refused(f"an action for the next turn is {' or '.join(AUTO_ACTIONS)}")
            self._auto_actions.choose(seat, int(state.snapshot.table["hand"]), action)
        elif kind == "show":
            if not can_show(state, seat) or message.get("turn", state.turn) != state.turn:
                raise Refused("cards can be shown after a hand without a showdown")
            game.show_cards(seat)
        else:
            if game.stacks is None:
                raise Refused("stacks are reset before every hand at this table")
            game.stacks.rebuys.add(seat)
        return None

    def view(self, seat: int | None, state: GameSnapshot, game: LiveGame | None) -> dict[str, Any]:
        """Plain values for the page of a person in a seat, or in none."""
        hand = int(state.snapshot.table["hand"])
        return {
            "clock": self._clock.view(time.monotonic()),
            "sits_out": sorted(self._auto_actions.sits_out),
            "auto_action": None if seat is None else self._auto_actions.chosen(seat, hand),
            "buy_in": max(self._setup.stacks) if self._setup.carries else None,
            "bought": list(state.bought),
            "rebuys": game is not None and game.stacks is not None and seat in game.stacks.rebuys,
            "can_show": seat is not None and can_show(state, seat),
        }


def can_show(state: GameSnapshot, seat: int) -> bool:
    """Whether a person may show cards that the rules keep hidden: after a hand ended by folds."""
    table = state.snapshot.table
    ended = state.snapshot.over and not table["showdown"] and not state.snapshot.open_cards
    return ended and seat in dealt_in(table) and not table["shown"][seat]


CHECK_OR_FOLD, CALL_ANY = "check or fold", "call any"
AUTO_ACTIONS = (CHECK_OR_FOLD, CALL_ANY)


class AutoActions:
    """Automatic actions of the people at a table, valid until used or cancelled.

    A person who sits out checks or folds without delay. An action for the next turn is valid for
    one turn of one hand.
    """

    def __init__(self) -> None:
        self.sits_out: set[int] = set()
        self._chosen: dict[int, tuple[int, str]] = {}

    def begin_game(self) -> None:
        """Cancel the actions chosen for the next turn: hand numbers start again from 0."""
        self._chosen.clear()

    def sit_out(self, seat: int, on: bool) -> None:
        """Set whether a seat sits out."""
        (self.sits_out.add if on else self.sits_out.discard)(seat)

    def choose(self, seat: int, hand: int, action: str | None) -> None:
        """Set the action for the next turn of a hand; None cancels it."""
        if action is None:
            self._chosen.pop(seat, None)
        else:
            self._chosen[seat] = (hand, action)

    def chosen(self, seat: int, hand: int) -> str | None:
        """Automatic action of a seat for its next turn in a hand."""
        chosen_hand, action = self._chosen.get(seat, (hand, None))
        return action if chosen_hand == hand else None

    def acts_at_once(self, seat: int, hand: int) -> bool:
        """Whether a seat's decision is made without waiting."""
        return seat in self.sits_out or self.chosen(seat, hand) is not None

    def take(self, seat: int, hand: int) -> str:
        """Automatic action of a seat at its turn: ``CHECK_OR_FOLD`` or ``CALL_ANY``."""
        action = self.chosen(seat, hand)
        self._chosen.pop(seat, None)
        return CHECK_OR_FOLD if seat in self.sits_out or action is None else action


Line = dict[str, str | int]

_LONGEST = 200
_KEPT = 100
_MOST_LINES, _WHILE_S = 5, 10.0


class Chat:
    """Latest chat lines of a table, for all its viewers."""

    def __init__(self) -> None:
        self.lines: deque[Line] = deque(maxlen=_KEPT)
        """``number``, ``name`` and ``text`` of each, the oldest first."""
        self._count = 0
        self._times: dict[int, deque[float]] = {}

    def say(self, seat: int, name: str, text: object, now: float) -> Line:
        """Add a line.

        Args:
            seat: Seat of the speaker.
            name: Name of the speaker.
            text: Text from the page.
            now: Current time in seconds.

        Raises:
            Refused: The text is invalid, empty, too long, or sent too soon after others.
        """
        shown = " ".join(text.split()) if isinstance(text, str) else ""
        shown = "".join(letter for letter in shown if letter.isprintable())
        if not 1 <= len(shown) <= _LONGEST:
            raise Refused(f"a message has 1 to {_LONGEST} characters")
        times = self._times.setdefault(seat, deque(maxlen=_MOST_LINES))
        if len(times) == _MOST_LINES and now - times[0] < _WHILE_S:
            raise Refused("too many messages: wait a moment")
        times.append(now)
        self._count += 1
        line: Line = {"number": self._count, "name": name, "text": shown}
        self.lines.append(line)
        return line


class Clock:
    """Clock of the player to act; the caller supplies times in seconds.

    Args:
        seconds: Time for a decision; 0 for no limit.
        bank: Extra time for all decisions of a game together.
    """

    def __init__(self, seconds: float, bank: float) -> None:
        self.seconds = seconds
        self._bank = bank
        self._left_in_bank: dict[int, float] = {}
        self._decision: tuple[int, int] | None = None
        self._since = 0.0

    def begin_game(self) -> None:
        """Refill all banks."""
        self._left_in_bank.clear()
        self._decision = None

    def update(self, decision: tuple[int, int] | None, now: float) -> None:
        """Update the clock when a decision begins, continues or ends.

        Args:
            decision: Seat of the person to act and the turn; None if the game is not waiting for a
                person.
            now: Current time in seconds.
        """
        if decision == self._decision or not self.seconds:
            return
        if self._decision is not None:
            seat = self._decision[0]
            overdrawn = max(0.0, now - self._since - self.seconds)
            self._left_in_bank[seat] = max(0.0, self.bank(seat) - overdrawn)
        self._decision, self._since = decision, now

    def bank(self, seat: int) -> float:
        """Time bank of a seat before this decision."""
        return self._left_in_bank.get(seat, self._bank)

    def left(self, now: float) -> float | None:
        """Seconds left, including the bank; None while the clock is stopped."""
        if self._decision is None:
            return None
        return max(0.0, self.seconds + self.bank(self._decision[0]) - (now - self._since))

    def view(self, now: float) -> dict[str, Any] | None:
        """Plain values for pages: seat, remaining time, and the bank's share of it."""
        left = self.left(now)
        if left is None or self._decision is None:
            return None
        seat = self._decision[0]
        return {"seat": seat, "left": round(left, 2), "bank": round(min(left, self.bank(seat)), 2)}
