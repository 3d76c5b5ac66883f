"""A table as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlhe_env.cards import CARD_NAMES
from nlhe_env.game.table import ALL_IN, EMPTY, FOLDED, NOBODY, STREET_NAMES


def render_table(table: Any, names: Sequence[str]) -> str:
    """Several lines: the blinds, the board and pot, one line a player.

    Everybody's cards are shown: this is the spectator's view.

    Args:
        table: A table record.
        names: Of the players by number.
    """
    seats = int(table["seats"])
    cards = table["cards"].tolist()
    board = " ".join(
        CARD_NAMES[c] for c in cards[2 * seats : 2 * seats + int(table["board_cards"])]
    )
    ante = f" ante {table['ante']}" if table["ante"] else ""
    lines = [
        f"Table {table['number']}, hand {table['hand']}, blinds {table['small_blind']}/"
        f"{table['big_blind']}{ante}",
        f"{STREET_NAMES[table['street']]:<8} board [{board}]  pot {table['pot']}",
    ]
    width = max((len(name) for name in names), default=0)
    for seat in range(seats):
        who = int(table["player"][seat])
        if who == NOBODY:
            continue
        status = int(table["status"][seat])
        hand = " ".join(CARD_NAMES[c] for c in cards[2 * seat : 2 * seat + 2])
        dealt = "--" if status == EMPTY else hand
        marks = [
            "button" if seat == table["button"] else "",
            "folded" if status == FOLDED else "all-in" if status == ALL_IN else "",
            "to act" if seat == table["actor"] else "",
            f"won {table['won'][seat]}" if table["won"][seat] else "",
        ]
        lines.append(
            f"{'>' if seat == table['actor'] else ' '} {names[who]:<{width}}  [{dealt:<5}]  "
            f"stack {table['stack'][seat]:>7}  bet {table['street_bet'][seat]:>6}  "
            + ", ".join(mark for mark in marks if mark)
        )
    return "\n".join(line.rstrip() for line in lines)
