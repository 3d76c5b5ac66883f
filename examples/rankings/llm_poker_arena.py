"""Convert a session of llm-poker-arena (github.com/JayCheng113/llm-poker-arena) to PHH.

Usage: python llm_poker_arena.py FOLDER_OF_THE_SESSION HANDS.phhs
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import phh_text

BOARD_CARDS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}


def convert(folder: Path) -> phh_text.Hands:
    """The hands of a session; each is an event, since the stacks are reset before it."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    blinds = (meta["session_config"]["sb"], meta["session_config"]["bb"])
    lines = (folder / "canonical_private.jsonl").read_text(encoding="utf-8").splitlines()
    for record in map(json.loads, lines):
        yield read(record, f"{folder.name} {record['hand_id']}", meta["seat_assignment"], blinds)


def read(
    record: dict[str, Any], event: str, names: dict[str, str], blinds: tuple[int, int]
) -> dict[str, Any]:
    """Fields of a hand."""
    seats = sorted(record["starting_stacks"], key=int)
    after_button = seats.index(str(record["button_seat"])) + 1
    seats = seats[after_button:] + seats[:after_button]
    stacks = [record["starting_stacks"][seat] for seat in seats]
    gains = record["result"]["net_pnl"]
    board = record["community"]
    n_open = max(BOARD_CARDS[step["street"]] for step in record["actions"])
    return phh_text.hand(
        event=event,
        number=record["hand_id"],
        blinds=blinds,
        players=[names[seat] for seat in seats],
        stacks=stacks,
        finishing_stacks=[s + gains[seat] for s, seat in zip(stacks, seats, strict=True)],
        actions=[
            *phh_text.deal(record["hole_cards"][seat] for seat in seats),
            *actions_of(record, seats, stacks, blinds),
            *phh_text.open_board(board, n_open, len(board)),
        ],
    )


def actions_of(
    record: dict[str, Any], seats: Sequence[str], stacks: Sequence[int], blinds: tuple[int, int]
) -> list[str]:
    """Actions in PHH notation, with the streets that were opened between them."""
    behind = list(stacks)  # chips before the street
    bets = [*blinds, *[0] * (len(seats) - 2)]
    found, n_open = [], 0
    for step in record["actions"]:
        n_cards = BOARD_CARDS[step["street"]]
        if n_cards > n_open:
            found += phh_text.open_board(record["community"], n_open, n_cards)
            behind, bets = [a - b for a, b in zip(behind, bets, strict=True)], [0] * len(seats)
            n_open = n_cards
        player, highest = seats.index(str(step["seat"])), max(bets)
        # All-in has no amount, and is a call where it does not raise.
        target = behind[player] if step["action_type"] == "all_in" else step["amount"] or highest
        if step["action_type"] == "fold":
            found.append(f"p{player + 1} f")
            continue
        bets[player] = min(target, behind[player])
        found.append(f"p{player + 1} " + (f"cbr {target}" if target > highest else "cc"))
    return found


if __name__ == "__main__":
    phh_text.main(convert)
