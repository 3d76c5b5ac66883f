"""Table services besides the game: clock, automatic actions, chat, rebuys."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from agents.web.table.auto_actions import AUTO_ACTIONS, CALL_ANY, AutoActions
from agents.web.table.chat import Chat, Line
from agents.web.table.clock import Clock
from agents.web.table.game import GameSnapshot, LiveGame
from agents.web.table.participants import Refused
from agents.web.table.setup import GameSetup

SERVICE_REQUESTS = ("sit out", "auto action", "rebuy", "chat")
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
        """Start a new game with full time banks."""
        self._clock.begin_game()

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

    def has_acted(self, seat: int) -> None:
        """Record a decision of a person: automatic actions and sitting out are cleared."""
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
        else:
            if game.stacks is None:
                raise Refused("stacks are reset before every hand at this table")
            game.stacks.rebuys.add(seat)
        return None

    def view(self, seat: int | None, state: GameSnapshot) -> dict[str, Any]:
        """Plain values for the page of a person in a seat, or in none."""
        hand = int(state.snapshot.table["hand"])
        return {
            "clock": self._clock.view(time.monotonic()),
            "sits_out": sorted(self._auto_actions.sits_out),
            "auto_action": None if seat is None else self._auto_actions.chosen(seat, hand),
            "buy_in": max(self._setup.stacks) if self._setup.carries else None,
            "bought": list(state.bought),
        }
