"""A bot for the tables of nlhe-env, in Python with the standard library alone.

It calls by pot odds with a rough estimate of its hand, and raises strong hands. Copy the file, and
rewrite ``choose``. See docs/external-bots.md for the messages.

Usage: agents.make("process:python examples/bots/bot.py")
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

RANKS = "23456789TJQKA"


def strength(hole_cards: str, board: str) -> float:
    """Rough hand strength from 0 to 1, by high cards, pairs and suits."""
    high, low = sorted((RANKS.index(hole_cards[i]) for i in (0, 2)), reverse=True)
    value = (2 * high + low) / 50
    if high == low:
        value += 0.35
    if hole_cards[1] == hole_cards[3]:
        value += 0.05
    ranks_on_board = board[0::2]
    value += 0.3 * sum(ranks_on_board.count(rank) for rank in {hole_cards[0], hole_cards[2]})
    if board and value < 0.5:
        value -= 0.15  # the board has missed it
    return max(0.0, min(value, 1.0))


def choose(turn: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Reply to an ``act`` message: fold, check, call, or raise to an amount."""
    to_call, pot = turn["to_call"], turn["pot"]
    value = strength(turn["hole_cards"], turn["board"])
    least, most = turn["min_raise_to"], turn["max_raise_to"]  # 0 if no raise is allowed
    if most and value > 0.7 and chance.random() < 0.7:
        return {"action": "raise", "to": min(max(least, pot), most)}
    if to_call == 0:
        return {"action": "check"}
    if value > to_call / (pot + to_call):
        return {"action": "call"}
    return {"action": "fold"}


def main() -> None:
    chance = random.Random()
    for line in sys.stdin:  # ends when the host goes away
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            answer = {"type": "ready", "name": "Counter"}
        elif kind == "episode_start":
            chance.seed(message["seed"])  # the same decisions for the same seed
            continue
        elif kind == "act":
            answer = {"type": "action", "id": message["id"], **choose(message, chance)}
        elif kind == "bye":
            break
        else:  # hand_start, hand_end, episode_end, and messages of later versions
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
