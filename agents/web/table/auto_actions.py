"""What people have said beforehand: to sit out, or what to do at their next turn."""

from __future__ import annotations

CHECK_OR_FOLD, CALL_ANY = "check or fold", "call any"
BEFOREHAND = (CHECK_OR_FOLD, CALL_ANY)


class Standing:
    """Wishes of the people at a table that hold until they are used or taken back.

    Who sits out checks and folds at once, and nobody waits for him. What is to be done at the next
    turn holds for one turn of one hand.
    """

    def __init__(self) -> None:
        self.sits_out: set[int] = set()
        self._beforehand: dict[int, tuple[int, str]] = {}

    def sit_out(self, seat: int, on: bool) -> None:
        """Sit out from now on, or come back."""
        (self.sits_out.add if on else self.sits_out.discard)(seat)

    def choose(self, seat: int, hand: int, wish: str | None) -> None:
        """What to do at the next turn of a hand; None takes it back."""
        if wish is None:
            self._beforehand.pop(seat, None)
        else:
            self._beforehand[seat] = (hand, wish)

    def chosen(self, seat: int, hand: int) -> str | None:
        """What a seat has chosen beforehand for its next turn in a hand."""
        of_hand, wish = self._beforehand.get(seat, (hand, None))
        return wish if of_hand == hand else None

    def acts_at_once(self, seat: int, hand: int) -> bool:
        """Whether nobody has to wait for a seat's decision."""
        return seat in self.sits_out or self.chosen(seat, hand) is not None

    def take(self, seat: int, hand: int) -> str:
        """What a seat does whose person does not decide now: ``CHECK_OR_FOLD`` or ``CALL_ANY``."""
        wish = self.chosen(seat, hand)
        self._beforehand.pop(seat, None)
        return CHECK_OR_FOLD if seat in self.sits_out or wish is None else wish
