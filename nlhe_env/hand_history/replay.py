"""Playing a written hand again, by the rules of the environment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.cards import parse_cards
from nlhe_env.game import what_if
from nlhe_env.game.description import BETTING
from nlhe_env.game.table import ACTIVE, ALL_IN, NOBODY, empty_tables
from nlhe_env.hand_history import rules
from nlhe_env.hand_history.record import CALL, FOLD, RAISE, Action, Hand, action_event
from nlhe_env.machine.array_types import I64, AnyArray, Records

_KINDS = {FOLD: rules.FOLDS, CALL: rules.CALLS}


class Step(NamedTuple):
    """A moment of a hand."""

    table: np.void
    """Copy of the table record; its players are numbered by their places in the hand's arrays."""
    event: dict[str, Any] | None
    """The action that led here, see ``action_event``; ``None`` for the deal."""


class HandError(ValueError):
    """A hand that cannot have been played so.

    Attributes:
        action: Number of the action that is at fault, ``None`` for the hand as a whole.
    """

    def __init__(self, problem: str, action: int | None = None) -> None:
        super().__init__(problem)
        self.action = action


def play_hand(hand: Hand) -> Iterator[Step]:
    """The moments of a hand: the deal, then one after each action.

    The last record is that of a hand that has been paid, unless the hand is broken off. Cards that
    nobody knows are drawn, so that the hand ends as it is written: who mucks loses.

    Raises:
        HandError: An action is not possible, or the hand does not end as it is written.
    """
    written = _Written(hand)
    attempt = written.play()
    written.open(attempt)
    yield Step(written.table.copy(), None)
    for action, row in zip(hand.actions, written.actions, strict=True):
        number = {FOLD: 0, CALL: 1}.get(action.kind, max(action.to, 2))
        event = action_event(written.table, number)
        rules.act(written.tables, row)
        if written.table["actor"] == NOBODY:
            rules.settle(written.tables, written.dead, written.returned, written.ranks)
        yield Step(written.table.copy(), event)
    if not hand.actions and written.table["actor"] == NOBODY:
        rules.settle(written.tables, written.dead, written.returned, written.ranks)
        yield Step(written.table.copy(), None)


def check_hand(hand: Hand, collected: Sequence[int] | None = None) -> Hand:
    """A hand that has been played by the rules, with what follows from them.

    Args:
        hand: Any.
        collected: Chips that everybody got out of the pots, where that is written instead of the
            stacks at the end.

    Returns:
        The hand; where ``collected`` is given, with ``finishing_stacks`` and ``rake``.

    Raises:
        HandError: It is not possible.
    """
    written = _Written(hand, collected)
    written.play()
    table = written.table
    if collected is None or table["actor"] != NOBODY:
        return hand
    odd = rules.odd_chips(table)
    stacks, rake = [], 0
    for stack, won, got, returned in zip(
        table["stack"].tolist(),
        table["won"].tolist(),
        collected,
        written.returned.tolist(),
        strict=False,
    ):
        paid = got if got <= won + odd else got - returned
        stacks.append(stack - won + paid)
        rake += won - paid
    return replace(hand, finishing_stacks=tuple(stacks), rake=rake)


def take_in_turn(hand: Hand, acts: Iterable[tuple[str, int | None, int]]) -> Hand:
    """A hand with actions of which nobody has written down whose they are.

    Args:
        hand: Without actions.
        acts: Kind, chips put in during the whole hand after a raise (``None`` for the largest
            raise, of fixed-limit), and cards of the board that lie open.

    Raises:
        HandError: An action is not possible, or the hand breaks off.
    """
    written = _Written(hand)
    written.open(0)
    table = written.table
    actions: list[Action] = []
    for kind, total, board_cards in acts:
        seat = int(table["actor"])
        to = 0
        if kind == RAISE and seat != NOBODY:
            if total is None:
                to = what_if.raise_range(table)[1]
            else:
                to = total - int(table["hand_bet"][seat] - table["street_bet"][seat])
        action = Action(seat, kind, to, board_cards)
        problem = rules.act(written.tables, _rows([action])[0])
        if problem != rules.FINE:
            raise HandError(_why_not(table, problem, action), len(actions))
        actions.append(action)
    if table["actor"] != NOBODY:
        raise HandError("the hand breaks off")
    claims = (table["status"] == ACTIVE) | (table["status"] == ALL_IN)
    shown = tuple(bool(claim) and table["unfolded"] > 1 for claim in claims[: len(hand.stacks)])
    return replace(hand, actions=tuple(actions), shown=tuple(map(bool, shown)))


def _rows(actions: Iterable[Action]) -> AnyArray:
    """Actions as the kernels take them, ``(n_actions, 4)``."""
    rows = [
        (action.position, _KINDS.get(action.kind, rules.RAISES), action.to, action.board_cards)
        for action in actions
    ]
    return np.array(rows, np.int64).reshape(-1, 4)


class _Written:
    """A hand as the kernels take it."""

    def __init__(self, hand: Hand, collected: Sequence[int] | None = None) -> None:
        n = len(hand.stacks)
        self.hand = hand
        self.tables: Records = empty_tables(1, n, BETTING.index(hand.betting), 0 if n == 2 else 4)
        if hand.second_board:
            self.tables["runs"] = 2
        self.actions = _rows(hand.actions)
        self.dead: I64 = np.array(hand.dead or (0,) * n, np.int64)
        self.returned = np.zeros(n, np.int64)
        self.ranks = np.zeros(10, np.int64)
        self._stacks: I64 = np.array(hand.stacks, np.int64)
        self._blinds: I64 = np.array(hand.posted, np.int64)
        self._setup: I64 = np.array(_setup(hand), np.int64)
        self._known = np.array([bool(cards) for cards in hand.hole_cards])
        self._cards = np.full(52, -1, np.int8)
        for position, cards in enumerate(hand.hole_cards):
            if cards:
                self._cards[2 * position : 2 * position + 2] = parse_cards(cards)
        board = parse_cards(hand.board)
        self._cards[2 * n : 2 * n + len(board)] = board
        for i, card in enumerate(parse_cards(hand.second_board)):
            if card not in board:  # else it is one that both share
                self._cards[2 * n + 5 + i] = card
        if collected is not None:
            self.end, self.chips = rules.BY_WINNERS, np.array(collected, np.int64)
        elif hand.finishing_stacks is not None:
            self.end, self.chips = rules.BY_STACKS, np.array(hand.finishing_stacks, np.int64)
        else:
            self.end, self.chips = rules.BY_THE_RULES, np.zeros(n, np.int64)

    @property
    def table(self) -> np.void:
        record: np.void = self.tables[0]
        return record

    @property
    def _dealt(self) -> tuple[AnyArray, AnyArray, AnyArray, AnyArray, AnyArray]:
        return self._setup, self._stacks, self._cards, self._blinds, self.dead

    def open(self, attempt: int) -> None:
        """Deal and post."""
        rules.open_hand(self.tables, *self._dealt, np.uint64(attempt))

    def play(self) -> int:
        """Play the hand to its end and check it; returns the number of the draw that fits.

        Raises:
            HandError: It is not possible.
        """
        hand = self.hand
        if any(dead >= stack for dead, stack in zip(self.dead, hand.stacks, strict=True)):
            raise HandError(
                "somebody has put all chips in that are no bet; that cannot be replayed"
            )
        at, problem, attempt = rules.play_out(
            self.tables,
            *self._dealt,
            self.actions,
            self._known,
            self.end,
            self.chips,
            -1 if hand.rake is None else hand.rake,
            self.returned,
            self.ranks,
        )
        if at >= 0:
            raise HandError(_why_not(self.table, problem, hand.actions[at]), at)
        self._check_board()
        if attempt < 0:
            raise HandError(self._why_not_so())
        return int(attempt)

    def _check_board(self) -> None:
        table, n_known = self.table, len(self.hand.board) // 2
        is_over, n_dealt = table["actor"] == NOBODY, int(table["board_cards"])
        if n_known == n_dealt:
            return
        if is_over:
            raise HandError(f"the hand ends with {n_dealt} cards on the board, not {n_known}")
        raise HandError(
            f"the board has {n_known} cards, but where the hand breaks off there are {n_dealt}"
        )

    def _why_not_so(self) -> str:
        """Why a hand cannot have ended as it is written."""
        table, hand = self.table, self.hand
        unknown = [
            position
            for position, cards in enumerate(hand.hole_cards)
            if table["shown"][position] and not cards
        ]
        if unknown and self.end == rules.BY_THE_RULES:
            return (
                f"the cards of p{unknown[0] + 1}, which go to showdown, are not written down, nor "
                "who wins"
            )
        if unknown:
            return "no cards of those who show none make the hand end as it is written"
        after = table["stack"] if self.end == rules.BY_STACKS else table["won"]
        what = "ends with" if self.end == rules.BY_STACKS else "wins"
        odd = rules.odd_chips(table)
        for position, chips in enumerate(self.chips.tolist()):
            ours = int(after[position])
            if abs(ours - chips) > odd * bool(table["won"][position]):
                link = "with " if self.end == rules.BY_STACKS else ""
                return f"p{position + 1} {what} {ours} chips by the rules, not {link}{chips}"
        return "the rake is not what is missing"


def _setup(hand: Hand) -> tuple[int, ...]:
    """What ``rules.open_hand`` calls so."""
    usual = (hand.small_blind, hand.big_blind, hand.ante)
    if not hand.blinds:
        return (*usual, NOBODY, hand.big_blind)
    highest = max(hand.blinds)
    if highest > hand.big_blind:  # the last straddle
        last = max(i for i, chips in enumerate(hand.blinds) if chips == highest)
    elif len(hand.blinds) > 2 and hand.blinds[1] == hand.big_blind:
        last = 1
    else:
        last = 0
    return (*usual, last, highest)


def _why_not(table: np.void, problem: int, action: Action) -> str:
    """What is wrong with an action."""
    actor = int(table["actor"])
    if problem == rules.OVER:
        return "the hand is over before this action"
    if problem == rules.TURN:
        return f"it is the turn of p{actor + 1}, not of p{action.position + 1}"
    if problem == rules.BOARD:
        return (
            f"{int(table['board_cards'])} cards of the board must lie open here, "
            f"not {action.board_cards}"
        )
    least, most = what_if.raise_range(table)
    if most == 0:
        return f"a raise to {action.to} is not possible: no raise is"
    return f"a raise must be to {least} .. {most} chips here, not {action.to}"
