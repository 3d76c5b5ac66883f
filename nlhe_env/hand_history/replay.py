"""Replay of recorded hands by the rules of the environment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.game.betting import CALLS, FOLDS, RAISES
from nlhe_env.game.table import ACTIVE, ALL_IN, MAX_SEATS, NO_PLAYER, STREET_NAMES
from nlhe_env.hand_history import rules
from nlhe_env.hand_history.batches import END, RAKE, Row, pack
from nlhe_env.hand_history.form import check_form
from nlhe_env.hand_history.record import CALL, FOLD, RAISE, Action, Hand, action_event
from nlhe_env.jit.array_types import Int

_KINDS = {FOLDS: FOLD, CALLS: CALL, RAISES: RAISE}


class Step(NamedTuple):
    """A step of a replay."""

    table: np.void
    """Copy of the table record; its players are numbered by their places in the hand's arrays."""
    event: dict[str, Any] | None
    """The action that led here, see ``action_event``; ``None`` for the deal."""


class HandError(ValueError):
    """A hand that is not possible as recorded.

    Attributes:
        action: Index of the invalid action, ``None`` for the hand as a whole.
        hand: Index of the hand among several; 0 for a single hand.
    """

    def __init__(self, problem: str, action: int | None = None, *, hand: int = 0) -> None:
        super().__init__(problem)
        self.action = action
        self.hand = hand


def play_hand(hand: Hand) -> Iterator[Step]:
    """Replay a hand: the deal, then one step per action.

    The last record is paid as recorded, after the rake, unless the hand is incomplete. Unknown
    cards are drawn such that the hand ends as recorded: mucking players lose.

    Raises:
        HandError: The hand or an action is invalid, or the hand does not end as recorded.
    """
    written = _Written(hand)
    attempt = written.play()
    written.open(attempt)
    yield Step(written.table.copy(), None)
    last = len(hand.actions) - 1
    for i, (action, row) in enumerate(zip(hand.actions, written.packed.actions, strict=True)):
        if action.position == written.table["actor"]:
            event = action_event(written.table, action.chips_id)
        else:  # an absent player
            event = _fold_event(action)
        rules.act(written.tables, row)
        if written.table["actor"] == NO_PLAYER and i == last:
            written.settle()
        yield Step(written.table.copy(), event)
    if not hand.actions and written.table["actor"] == NO_PLAYER:
        written.settle()
        yield Step(written.table.copy(), None)


def _fold_event(action: Action) -> dict[str, Any]:
    """Event of a player who folds without a decision, being all-in by a forced bet."""
    street = STREET_NAMES[max(0, action.board_cards - 2)]
    event = {"seat": action.position, "street": street, "action": "fold"}
    return {**event, "chips": 0, "all_in": False}


def check_hand(hand: Hand, collected: Sequence[int] | None = None) -> Hand:
    """Validate a hand by replay, and complete results that the rules determine.

    Args:
        hand: The hand.
        collected: Chips that each player collected from the pots, if known instead of the final
            stacks.

    Returns:
        The hand; with ``collected``, a complete hand gets ``finishing_stacks`` and ``rake``.

    Raises:
        HandError: The hand is not possible.
    """
    written = _Written(hand, collected)
    written.play()
    table = written.table
    if table["actor"] != NO_PLAYER:  # current stacks are not a result
        return (
            hand
            if hand.finishing_stacks is None
            else replace(hand, finishing_stacks=None, rake=None)
        )
    if collected is None:
        return hand
    stacks = tuple(table["stack"][: len(hand.stacks)].tolist())
    return replace(hand, finishing_stacks=stacks, rake=int(table["rake"]))


def take_in_turn(hand: Hand, rows: Sequence[Row]) -> Hand:
    """A hand with actions from a text without acting players.

    Args:
        hand: The hand without actions.
        rows: The actions, see ``batches.pack``.

    Raises:
        HandError: An action is impossible, or the hand is incomplete.
    """
    written = _Written(hand, in_turn=rows)
    written.open(0)
    for number, row in enumerate(written.packed.actions):
        problem = rules.act(written.tables, row)
        if problem != rules.FINE:
            raise HandError(_why_not(written.table, problem, action_of(row.tolist())), number)
    if written.table["actor"] != NO_PLAYER:
        raise HandError("the hand is incomplete")
    return acted(hand, written.packed.actions.tolist(), written.table)


def acted(hand: Hand, rows: Sequence[Row], table: np.void) -> Hand:
    """A hand completed by its actions and the shown hands.

    Args:
        hand: The hand without actions.
        rows: Its actions.
        table: Its table record after the betting.
    """
    shown = [False] * len(hand.stacks)
    if table["unfolded"] > 1:
        status = table["status"].tolist()
        shown = [status[i] in (ACTIVE, ALL_IN) for i in range(len(hand.stacks))]
    return replace(hand, actions=tuple(map(action_of, rows)), shown=tuple(shown))


def action_of(row: Row) -> Action:
    """Action of a hand from a row for kernels."""
    position, kind, to, board_cards = row
    return Action(position, _KINDS[kind], to if kind == RAISES else 0, board_cards)


class _Written:
    """A packed hand with its table record, for replay."""

    def __init__(
        self,
        hand: Hand,
        collected: Sequence[int] | None = None,
        in_turn: Sequence[Row] | None = None,
    ) -> None:
        try:
            check_form(hand, collected)
        except ValueError as error:
            raise HandError(str(error)) from None
        self.hand = hand
        self.packed = pack([hand], collected=collected, in_turn=[in_turn])
        self.tables = self.packed.tables()
        self.returned = np.zeros(MAX_SEATS, np.int64)
        n = len(hand.stacks)
        self._setup = self.packed.setups[0]
        stacks, blinds, dead, self._ends = self.packed.chips[0, :, :n]
        self._opening = rules.Opening(self._setup, stacks, self.packed.cards[0], blinds, dead)
        cards = self.packed.cards[0]
        self._ending = rules.Ending(cards, self._setup[END], self._ends, self._setup[RAKE])
        self._ranks = np.zeros(MAX_SEATS, np.int64)

    @property
    def table(self) -> np.void:
        record: np.void = self.tables[0]
        return record

    def open(self, attempt: int) -> None:
        """Deal and post."""
        rules.open_hand(self.tables, self._opening, np.uint64(attempt))

    def settle(self) -> None:
        """Pay the pots."""
        rules.finish(self.tables, self._opening.dead, self._ending, self.returned, self._ranks)

    def play(self) -> int:
        """Play the hand to the end and check it; returns the number of the matching draw.

        Raises:
            HandError: The hand is not possible.
        """
        if (self._opening.dead >= self._opening.stacks).any():
            raise HandError("a player has posted all chips as dead chips, which cannot be replayed")
        at, problem, attempt = rules.play_out(
            self.tables,
            self._opening,
            self.packed.actions,
            self._ending,
            self.returned,
            self._ranks,
        )
        if at >= 0:
            raise HandError(_why_not(self.table, problem, self.hand.actions[at]), int(at))
        self._check_board()
        if attempt < 0:
            raise HandError(self._why_not_so())
        return int(attempt)

    def _check_board(self) -> None:
        table, n_known = self.table, len(self.hand.board) // 2
        is_over, n_dealt = table["actor"] == NO_PLAYER, int(table["board_cards"])
        if n_known == n_dealt:
            return
        if is_over:
            raise HandError(f"the hand ends with {n_dealt} cards on the board, not {n_known}")
        raise HandError(
            f"the board has {n_known} cards, but {n_dealt} are dealt when the actions end"
        )

    def _why_not_so(self) -> str:
        """Reason why a hand cannot end as recorded."""
        table, hand, end = self.table, self.hand, self._setup[END]
        pots, rake = int(table["won"].sum()), self._setup[RAKE]
        if rake > pots:
            return f"the rake of {rake} is more than the pot of {pots}"
        unknown = [
            position
            for position, cards in enumerate(hand.hole_cards)
            if table["shown"][position] and not cards
        ]
        if unknown and end == rules.BY_THE_RULES:
            return f"the cards of p{unknown[0] + 1} at showdown are unknown, and so is the winner"
        if unknown:
            return "no hole cards of the players who do not show lead to the recorded result"
        after = table["stack"] if end == rules.BY_STACKS else table["won"]
        what = "ends with" if end == rules.BY_STACKS else "wins"
        odd = rules.odd_chips(table)
        for position, chips in enumerate(self._ends.tolist()):
            ours = int(after[position])
            if abs(ours - chips) > odd * bool(table["won"][position]):
                link = "with " if end == rules.BY_STACKS else ""
                return f"p{position + 1} {what} {ours} chips by the rules, not {link}{chips}"
        missing = int(after[: len(hand.stacks)].sum() - self._ends.sum())
        if missing < 0:
            return f"the players receive {-missing} chips more than there are"
        return f"{missing} chips are missing at the end, and the rake is {rake}"


def _why_not(table: np.void, problem: Int, action: Action) -> str:
    """Reason why an action is refused."""
    actor = int(table["actor"])
    if problem == rules.OVER:
        return "the hand is over before this action"
    if problem == rules.TURN:
        return f"it is the turn of p{actor + 1}, not of p{action.position + 1}"
    if problem == rules.BOARD:
        return (
            f"{int(table['board_cards'])} board cards must be dealt here, not {action.board_cards}"
        )
    least, most = rules.raise_range(np.atleast_1d(table), True)
    if most == 0:
        return f"a raise to {action.to} is not possible: no raise is legal here"
    return f"a raise must be to {least} .. {most} chips here, not {action.to}"
