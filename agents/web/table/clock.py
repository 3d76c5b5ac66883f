"""Time limits of people: a clock for every decision, and a time bank."""

from __future__ import annotations

from typing import Any


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
