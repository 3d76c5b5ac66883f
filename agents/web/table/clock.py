"""How long people may think: a clock for every decision, and a time bank for the hard ones."""

from __future__ import annotations

from typing import Any


class Clock:
    """Counts the time of whoever decides; times come from the caller, in seconds of any clock.

    Args:
        seconds: For a decision; 0 for as long as one likes.
        bank: For all decisions of a game together, once those are used up.
    """

    def __init__(self, seconds: float, bank: float) -> None:
        self.seconds = seconds
        self._bank = bank
        self._left_in_bank: dict[int, float] = {}
        self._decision: tuple[int, int] | None = None
        self._since = 0.0

    def begin_game(self) -> None:
        """All banks are full again."""
        self._left_in_bank.clear()
        self._decision = None

    def follow(self, decision: tuple[int, int] | None, now: float) -> None:
        """A decision begins, goes on or has been taken.

        Args:
            decision: Seat of the person to act and the turn; None while nobody is waited for.
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
        """What a seat had in its time bank before this decision."""
        return self._left_in_bank.get(seat, self._bank)

    def left(self, now: float) -> float | None:
        """Seconds until time is up, bank included; None while no time is counted."""
        if self._decision is None:
            return None
        return max(0.0, self.seconds + self.bank(self._decision[0]) - (now - self._since))

    def view(self, now: float) -> dict[str, Any] | None:
        """For pages: whose time runs, what is left of it, and how much of that is the bank."""
        left = self.left(now)
        if left is None or self._decision is None:
            return None
        seat = self._decision[0]
        return {"seat": seat, "left": round(left, 2), "bank": round(min(left, self.bank(seat)), 2)}
