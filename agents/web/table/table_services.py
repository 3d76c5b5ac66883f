"""Table services besides the game: clock, actions chosen beforehand, chat, buying in."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from agents.web.table.auto_actions import BEFOREHAND, CALL_ANY, Standing
from agents.web.table.chat import Chat, Line
from agents.web.table.clock import Clock
from agents.web.table.game import GameSnapshot, LiveGame
from agents.web.table.participants import Refused
from agents.web.table.setup import GameSetup

WISHES = ("sit out", "beforehand", "buy", "say")
"""Types of messages that are answered here."""


class TableServices:
    """The services of one table.

    Args:
        setup: The game to play.
    """

    def __init__(self, setup: GameSetup) -> None:
        self._setup = setup
        self._clock = Clock(setup.clock, setup.time_bank)
        self._standing = Standing()
        self.chat = Chat()

    def begin_game(self) -> None:
        """Start a new game: all time banks are full."""
        self._clock.begin_game()

    def follow(self, state: GameSnapshot, decides: int | None) -> None:
        """Update the services with the state of the game.

        Args:
            state: The game as it stands.
            decides: The seat of the person who is waited for, if any.
        """
        decision = None if decides is None else (decides, state.turn)
        self._clock.follow(decision, time.monotonic())

    def patience(self, seat: int, hand: int) -> float | None:
        """Seconds until a person's turn is over without a decision; None: there is no limit."""
        if not self.is_asked(seat, hand):
            return 0.0
        return self._clock.left(time.monotonic())

    def is_asked(self, seat: int, hand: int) -> bool:
        """Whether a person decides at his turn, rather than by a choice made beforehand."""
        return not self._standing.acts_at_once(seat, hand)

    def sits_out(self, seat: int) -> bool:
        """Whether the turn of a person needs no waiting."""
        return seat in self._standing.sits_out

    def act_for(self, game: LiveGame) -> None:
        """Take the action that a person has chosen beforehand; else check, or fold to a bet."""
        hand = int(game.snapshot.table["hand"])
        if self._standing.take(game.actor, hand) == CALL_ANY:
            game.call_for_absent()
        else:
            game.act_for_absent()

    def has_acted(self, seat: int) -> None:
        """Record a decision of a person: choices made beforehand are cleared, and he is back."""
        self._standing.choose(seat, 0, None)
        self._standing.sit_out(seat, False)

    def grant(
        self, kind: str, seat: int, message: Mapping[str, Any], state: GameSnapshot, game: LiveGame
    ) -> Line | None:
        """Handle a request of a person.

        Args:
            kind: One of ``WISHES``.
            seat: The person's.
            message: Message from the page.
            state: The game as it stands.
            game: The game.

        Returns:
            The chat line, for all viewers; None for other requests.

        Raises:
            Refused: It cannot be granted.
        """
        if kind == "say":
            return self.chat.say(seat, state.names[seat], message.get("text"), time.monotonic())
        if kind == "sit out":
            self._standing.sit_out(seat, message.get("on") is True)
        elif kind == "beforehand":
            wish = message.get("wish")
            if wish is not None and wish not in BEFOREHAND:
                raise Refused(f"beforehand one may choose to {' or to '.join(BEFOREHAND)}")
            self._standing.choose(seat, int(state.snapshot.table["hand"]), wish)
        else:
            if game.stacks is None:
                raise Refused("chips are put back before every hand here")
            game.stacks.asked.add(seat)
        return None

    def view(self, seat: int | None, state: GameSnapshot) -> dict[str, Any]:
        """Plain values for the page of a person in a seat, or in none."""
        hand = int(state.snapshot.table["hand"])
        return {
            "clock": self._clock.view(time.monotonic()),
            "sits_out": sorted(self._standing.sits_out),
            "beforehand": None if seat is None else self._standing.chosen(seat, hand),
            "buy_in": max(self._setup.stacks) if self._setup.carries else None,
            "bought": list(state.bought),
        }
