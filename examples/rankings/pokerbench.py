"""Convert the games of pokerbench (github.com/dantor22/pokerbench) to PHH.

Usage: python pokerbench.py FOLDER_OF_GAMES HANDS.phhs
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import phh_text


def convert(folder: Path) -> phh_text.Hands:
    """The hands of all games of a folder, the game as the event."""
    for path in sorted(folder.rglob("game_*.json")):
        game = json.loads(path.read_text(encoding="utf-8"))
        for record in game["hands"]:
            yield read(record, game["game_id"])


def read(record: dict[str, Any], event: str) -> dict[str, Any]:
    """Fields of a hand."""
    button_first = list(record["pre_hand_stacks"])
    players = [*button_first[1:], button_first[0]]
    stacks = [record["pre_hand_stacks"][name] for name in players]
    gains = {result["player"]: result["net_gain"] for result in record["results"]}
    actions = phh_text.deal(map(short, (record["hole_cards"][name] for name in players)))
    n_open = 0
    for step in record["actions"]:
        if step["type"] == "street_event":
            board = short(step["cards"])
            actions += phh_text.open_board(board, n_open, len(board))
            n_open = len(board)
        elif step["type"] == "player_action":
            player = f"p{players.index(step['player']) + 1}"
            kind = {"fold": "f", "check": "cc", "call": "cc"}.get(step["action"])
            actions.append(f"{player} {kind or 'cbr ' + str(step['amount'])}")
    return phh_text.hand(
        event=event,
        number=record["hand_number"],
        blinds=(50, 100),
        players=players,
        stacks=stacks,
        finishing_stacks=[s + gains[name] for s, name in zip(stacks, players, strict=True)],
        actions=actions,
    )


def short(cards: list[str]) -> list[str]:
    """Cards such as ``NINE OF DIAMONDS (9d)`` as ``9d``."""
    return [card[-3:-1] for card in cards]


if __name__ == "__main__":
    phh_text.main(convert)
