"""A table as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlhe_env.cards import CARD_NAMES
from nlhe_env.render.scene import Seat, read_scene


def render_table(table: Any, names: Sequence[str]) -> str:
    """Table as several lines: blinds, board and pot, and one line per player.

    All players' cards are shown: this is the spectator's view.

    Args:
        table: A table record.
        names: Names of the players by number.
    """
    scene = read_scene(table, names)
    width = max((len(name) for name in names), default=0)
    boards = f"board [{_spaced(scene.board)}]"
    if scene.second_board:
        boards += f" and [{_spaced(scene.second_board)}]"
    rake = f"  rake {scene.rake}" if scene.rake else ""
    lines = [
        scene.title,
        f"{scene.street:<8} {boards}  pot {scene.pot}{rake}",
        *(_line(seat, width) for seat in scene.seats),
    ]
    return "\n".join(lines)


def _line(seat: Seat, width: int) -> str:
    marks = [
        "button" if seat.has_button else "",
        seat.status,
        "to act" if seat.to_act else "",
        f"won {seat.won}" if seat.won else "",
    ]
    line = (
        f"{'>' if seat.to_act else ' '} {seat.name:<{width}}  [{_spaced(seat.cards) or '--':<5}]  "
        f"stack {seat.stack:>7}  bet {seat.bet:>6}  {', '.join(filter(None, marks))}"
    )
    return line.rstrip()


def _spaced(cards: Sequence[int]) -> str:
    return " ".join(CARD_NAMES[card] for card in cards)
