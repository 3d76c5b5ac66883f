"""One hand as PHH text, for the converters of this folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Hands = Iterable[dict[str, Any]]


def hand(
    *,
    event: str,
    number: int,
    blinds: tuple[int, int],
    players: Sequence[str],
    stacks: Sequence[float],
    finishing_stacks: Sequence[float] | None,
    actions: Sequence[str],
) -> dict[str, Any]:
    """Fields of a no-limit hand.

    Args:
        event: The session to which the hand belongs.
        number: Number of the hand in its session.
        blinds: Small and big blind in chips.
        players: Names from the left of the button on, so that the button is last. Heads-up the
            button is the small blind.
        stacks: Chips of the players before the hand.
        finishing_stacks: Chips after the hand, which the reader checks; None if unknown.
        actions: Actions in PHH notation.
    """
    fields = {
        "variant": "NT",
        "antes": [0] * len(players),
        "blinds_or_straddles": [*blinds, *[0] * (len(players) - 2)],
        "min_bet": blinds[1],
        "starting_stacks": list(stacks),
        "actions": list(actions),
        "event": event,
        "hand": number,
        "players": list(players),
    }
    return fields | ({"finishing_stacks": list(finishing_stacks)} if finishing_stacks else {})


def deal(hole_cards: Iterable[Sequence[str]]) -> list[str]:
    """Actions that deal the players their hole cards."""
    return [f"d dh p{i} {''.join(cards)}" for i, cards in enumerate(hole_cards, 1)]


def open_board(board: Sequence[str], n_open: int, n_cards: int) -> list[str]:
    """Actions that deal the board from ``n_open`` cards to ``n_cards``, street by street."""
    streets = ((0, 3), (3, 4), (4, 5))
    return [f"d db {''.join(board[a:b])}" for a, b in streets if n_open <= a and b <= n_cards]


def write(hands: Hands, target: Path) -> int:
    """Write the hands as a ``.phhs`` file; returns their number."""
    number = 0
    with target.open("w", encoding="utf-8") as file:
        for number, fields in enumerate(hands, 1):
            # Numbers, texts and lists look alike in JSON and TOML.
            lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
            file.write("\n".join([f"[{number}]", *lines, "", ""]))
    return number


def main(convert: Callable[[Path], Hands]) -> None:
    """Convert the source of the first argument to the ``.phhs`` file of the second."""
    source, target = map(Path, sys.argv[1:3])
    print(f"{target}: {write(convert(source), target)} hands")
