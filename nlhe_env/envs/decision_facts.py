"""Facts of a decision as numbers, written by a kernel and read by Python, also for its errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlhe_env.arguments import shown
from nlhe_env.game import betting
from nlhe_env.game.table import TableRecord
from nlhe_env.jit.array_types import I8, I64
from nlhe_env.jit.compilation import inlined_kernel
from nlhe_env.spaces.actions import CHIPS, ActionEncoding
from nlhe_env.spaces.bet_sizing import effective_stack

# Indices into the facts. All environments report the first eight, one cache line per table.
PLAYER, HAND, STREET, POT, TO_CALL, MIN_RAISE_TO, MAX_RAISE_TO, BIG_BLIND = range(8)
N_FACTS = 8

# The PettingZoo environment reports more.
TABLE_NUMBER, DECISION_NUMBER, BUTTON, EFFECTIVE_STACK = range(8, 12)
BOARD_CARDS, HOLE_CARD_0, HOLE_CARD_1 = range(12, 15)
FIRST_BOARD_CARD = 15
N_ALL_FACTS = FIRST_BOARD_CARD + 5


@inlined_kernel
def write_facts(table: TableRecord, facts: I64) -> None:
    """Write the decision facts that all environments report."""
    facts[PLAYER] = table.player[table.actor]
    facts[HAND] = table.hand
    facts[STREET] = table.street
    facts[POT] = table.pot
    facts[TO_CALL] = betting.amount_to_call(table)
    facts[MIN_RAISE_TO], facts[MAX_RAISE_TO] = betting.legal_raise(table)
    facts[BIG_BLIND] = table.big_blind


@inlined_kernel
def write_all_facts(table: TableRecord, facts: I64) -> None:
    """Write all decision facts, including the actor's hole cards."""
    write_facts(table, facts)
    seat = table.actor
    facts[TABLE_NUMBER] = table.number
    facts[DECISION_NUMBER] = table.decisions[seat]
    facts[BUTTON] = table.button
    facts[EFFECTIVE_STACK] = effective_stack(table)
    facts[BOARD_CARDS] = table.board_cards
    facts[HOLE_CARD_0] = table.cards[2 * seat]
    facts[HOLE_CARD_1] = table.cards[2 * seat + 1]
    for i in range(table.board_cards):
        facts[FIRST_BOARD_CARD + i] = table.cards[2 * table.seats + i]


def explain_illegal(
    action: int, encoding: ActionEncoding, facts: Sequence[int], mask: I8, *, name: str, player: str
) -> str:
    """Message for an illegal action, with the legal actions and the given one.

    Args:
        action: The given action id.
        encoding: The action encoding.
        facts: Facts of the decision.
        mask: Mask of the decision; not used with actions in chips.
        name: Name of the argument.
        player: Name of the player to act.
    """
    to_call, least, most = facts[TO_CALL], facts[MIN_RAISE_TO], facts[MAX_RAISE_TO]
    if encoding.kind == CHIPS:
        legal = "0 (fold), 1 (check or call)" if to_call else "1 (check)"
        if most == 1:
            legal += ", 2 (all-in with the last chip)"
        elif most:
            legal += f", {least}..{most} (raise to)"
    else:
        ids = np.flatnonzero(mask).tolist()
        legal = ", ".join(f"{i} ({encoding.describe(i)})" for i in ids)
    raises = f"legal raises: to {least}..{most}" if most else "no raise is legal"
    return (
        f"{name} must be a legal id for {player}: {legal}; got {shown(action)}. "
        f"To call: {to_call}, {raises}"
    )
