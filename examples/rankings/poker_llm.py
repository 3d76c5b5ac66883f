"""Convert the database of PokerLLM (github.com/edenlum/PokerLLM) to PHH.

Usage: python poker_llm.py results.db HANDS.phhs
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import phh_text

CHIPS = 20_000  # of both players together
SUITS = str.maketrans("♠♥♦♣", "shdc")
CARDS = str.maketrans({"1": "T", "0": None})  # the ten may be written as 10


def convert(database: Path) -> phh_text.Hands:
    """The hands of all sessions, the session as the event."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        opened.row_factory = sqlite3.Row
        for row in opened.execute("SELECT * FROM hand_logs ORDER BY session_id, hand_number"):
            yield read(row)


def read(row: Any) -> dict[str, Any]:
    """Fields of a hand. The button is the small blind and acts first."""
    steps = json.loads(row["actions"])
    sides = {row[f"{side}_name"]: side for side in ("llm1", "llm2")}
    button = steps[0]["player"]
    players = [next(name for name in sides if name != button), button]
    before = steps[0]["game_state"]
    stack = before["player_stack"] + before["player_current_bet"]
    stacks = [CHIPS - stack, stack]
    board = read_cards(row["community_cards"])
    actions = phh_text.deal(read_cards(row[f"{sides[name]}_hole_cards"]) for name in players)
    n_open = 0
    for step in steps:
        n_cards = len(step["game_state"]["community_cards"])
        actions += phh_text.open_board(board, n_open, n_cards)
        n_open = n_cards
        kind = {"fold": "f", "check": "cc", "call": "cc"}.get(step["action"])
        player = f"p{players.index(step['player']) + 1}"
        actions.append(f"{player} {kind or 'cbr ' + str(step['amount'])}")
    won = [row[f"{sides[name]}_winnings"] for name in players]
    return phh_text.hand(
        event=str(row["session_id"]),
        number=row["hand_number"],
        blinds=(50, 100),
        players=players,
        stacks=stacks,
        finishing_stacks=[s + chips for s, chips in zip(stacks, won, strict=True)],
        actions=[*actions, *phh_text.open_board(board, n_open, len(board))],
    )


def read_cards(text: str) -> list[str]:
    """Cards such as ``["10♦", "4♠"]`` as ``Td`` and ``4s``."""
    return [card.translate(SUITS).translate(CARDS) for card in json.loads(text)]


if __name__ == "__main__":
    phh_text.main(convert)
