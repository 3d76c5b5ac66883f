"""Time limits of people: a clock for every decision, and a time bank."""

from __future__ import annotations

from typing import Any


class Clock:
    """Clock of the player to act; times come from the caller, in seconds of any clock.

    Args:
        seconds: Time for a decision; 0 for no limit.
        bank: Time for all decisions of a game together, once those are used up.
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
        """Update the clock: a decision begins, goes on or has been taken.

        Args:
            decision: Seat of the person to act and the turn; None while the game waits for no
                person.
            now: The time.
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
        """Seconds until time is up, bank included; None while no time is counted."""
        if self._decision is None:
            return None
        return max(0.0, self.seconds + self.bank(self._decision[0]) - (now - self._since))

    def view(self, now: float) -> dict[str, Any] | None:
        """Plain values for pages: whose time runs, the rest of it, and the bank's part of that."""
        left = self.left(now)
        if left is None or self._decision is None:
            return None
        seat = self._decision[0]
        return {"seat": seat, "left": round(left, 2), "bank": round(min(left, self.bank(seat)), 2)}
