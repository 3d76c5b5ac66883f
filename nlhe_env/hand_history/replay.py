"""Playing a written hand again, by the rules of the environment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from nlhe_env.errors import IllegalActionError
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import Game
from nlhe_env.game.table import NOBODY
from nlhe_env.hand_history.chip_table import ChipTable
from nlhe_env.hand_history.record import CALL, FOLD, Hand, action_event


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

    The last record is that of a hand that has been paid, unless the hand is broken off.

    Raises:
        HandError: An action is not possible, or the hand does not end as it is written.
    """
    n = len(hand.stacks)
    game = Game(
        mode="cash",
        starting_stack=hand.stacks,
        blinds=BlindSchedule.of((hand.small_blind, hand.big_blind, hand.ante)),
        betting=hand.betting,
    )
    env = ChipTable(n, game)
    known = {f"player_{i}": cards for i, cards in enumerate(hand.hole_cards) if cards}
    env.reset(
        seed=0,  # of the cards that nobody knows
        options={
            "button": n - 1,
            "stacks": hand.stacks,
            "hole_cards": known,
            "board": hand.board,
        },
    )
    tables = env.tables
    n_known = len(hand.board) // 2
    yield Step(tables[0].copy(), None)
    for i, (position, kind, to, board_cards) in enumerate(hand.actions):
        table = tables[0]
        actor = int(table["actor"])
        if actor == NOBODY:
            raise HandError("the hand is over before this action", i)
        if actor != position:
            raise HandError(f"it is the turn of p{actor + 1}, not of p{position + 1}", i)
        if board_cards != table["board_cards"]:
            raise HandError(
                f"{int(table['board_cards'])} cards of the board must lie open here, "
                f"not {board_cards}",
                i,
            )
        action_id = 0 if kind == FOLD else 1 if kind == CALL else to
        if action_id == 1 and kind != CALL:
            action_id = 0  # a raise to one chip has no id of its own, and is never legal
        event = action_event(table, action_id)
        try:
            env.act(action_id)
        except IllegalActionError:
            raise HandError(_why_not(env, kind, to), i) from None
        if tables[0]["actor"] == NOBODY:
            _check_end(hand, tables[0])
        yield Step(tables[0].copy(), event)
    if tables[0]["actor"] == NOBODY:
        _check_end(hand, tables[0])
    elif n_known != tables[0]["board_cards"]:
        raise HandError(
            f"the board has {n_known} cards, but where the hand breaks off there are "
            f"{int(tables[0]['board_cards'])}"
        )


def _check_end(hand: Hand, table: np.void) -> None:
    """Compare the end of a hand with what is written."""
    n_known, n_dealt = len(hand.board) // 2, int(table["board_cards"])
    if n_known != n_dealt:
        raise HandError(f"the hand ends with {n_dealt} cards on the board, not {n_known}")
    for position, cards in enumerate(hand.hole_cards):
        if table["shown"][position] and not cards:
            raise HandError(
                f"the cards of p{position + 1}, which go to showdown, are not written down"
            )
    if hand.finishing_stacks is None:
        return
    # Odd chips of a split pot go to whichever winner in other programs.
    odd = 0
    for pot in range(int(table["pots"])):
        winners = int(table["pot_winners"][pot]).bit_count()
        odd += int(table["pot_size"][pot]) % winners
    for position, stack in enumerate(hand.finishing_stacks):
        ours = int(table["stack"][position])
        if abs(ours - stack) > odd:
            raise HandError(
                f"p{position + 1} ends with {ours} chips by the rules, not with {stack}"
            )


def _why_not(env: ChipTable, kind: str, to: int) -> str:
    info = env.infos[env.agent_selection]
    if kind == FOLD:
        return "nobody may fold where there is nothing to call"
    least, most = info["min_raise_to"], info["max_raise_to"]
    if most == 0:
        return f"a raise to {to} is not possible: no raise is"
    return f"a raise must be to {least} .. {most} chips here, not {to}"
