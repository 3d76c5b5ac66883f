"""Automatic actions: sitting out, or an action for the next turn."""

from __future__ import annotations

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
