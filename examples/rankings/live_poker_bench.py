"""Convert the tournaments of LivePokerBench (github.com/TyperOfCode/live-poker-bench) to PHH.

Usage: python live_poker_bench.py FOLDER_OF_TOURNAMENTS HANDS.phhs
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import phh_text

BOARD_CARDS = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}


def convert(folder: Path) -> phh_text.Hands:
    """The hands of all tournaments, the tournament as the event."""
    for tournament in sorted(path.parent for path in folder.glob("*/hands")):
        files = sorted(tournament.glob("hands/*.json"))
        records = [json.loads(path.read_text(encoding="utf-8")) for path in files]
        for record, later in zip(records, [*records[1:], None], strict=True):
            yield read(record, tournament.name, None if later is None else stacks_of(later))


def stacks_of(record: dict[str, Any]) -> dict[int, int]:
    """Chips by seat of the players who are dealt in; others stay in the list of players."""
    dealt = [one for one in record["players"] if str(one["seat"]) in record["hole_cards"]]
    return {one["seat"]: one["stack_start"] for one in dealt}


def read(record: dict[str, Any], event: str, later: dict[int, int] | None) -> dict[str, Any]:
    """Fields of a hand; the chips before the next hand are those after this one."""
    stacks, names = stacks_of(record), {one["seat"]: one["name"] for one in record["players"]}
    seats = sorted(stacks, key=lambda seat: (seat <= record["button_seat"], seat))
    board = record["community_cards"]
    actions = phh_text.deal(record["hole_cards"][str(seat)] for seat in seats)
    n_open = 0
    for step in record["actions"]:
        n_cards = BOARD_CARDS[step["street"]]
        actions += phh_text.open_board(board, n_open, n_cards)
        n_open = n_cards
        kind = {"fold": "f", "check": "cc", "call": "cc"}.get(step["action"])
        actions.append(f"p{seats.index(step['seat']) + 1} {kind or 'cbr ' + str(step['amount'])}")
    return phh_text.hand(
        event=event,
        number=record["hand_number"],
        blinds=(record["blinds"]["small"], record["blinds"]["big"]),
        players=[names[seat] for seat in seats],
        stacks=[stacks[seat] for seat in seats],
        finishing_stacks=None if later is None else [later.get(seat, 0) for seat in seats],
        actions=[*actions, *phh_text.open_board(board, n_open, len(board))],
    )


if __name__ == "__main__":
    phh_text.main(convert)
