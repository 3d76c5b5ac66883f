"""Rules of RLCard's model limit-holdem-rule-v1, as a player for the bench.

It raises pairs, aces and two high cards before the flop, and what became of them later
(https://github.com/datamllab/rlcard, rlcard/models/limitholdem_rule_models.py). The original also
folds where checking is free, which is illegal here.

Usage: nlhe bench examples/bots/rlcard_limit_rule.py --suite limit
"""

from __future__ import annotations

from typing import Any

import agents

HIGH, LOW = set("TJQK"), set("2345")


class RLCardLimitRule(agents.ChipPlayer):
    """Decides by its hole cards, and by the ranks and suits of the board."""

    def decide(self, turn: dict[str, Any]) -> int:
        action, free = self.choose(turn["hole_cards"], turn["board"]), turn["to_call"] == 0
        if action == "call" and free:  # RLCard has no calls of nothing, and bets instead
            action = "raise"
        if action == "raise" and turn["min_raise_to"]:
            return turn["min_raise_to"]
        return agents.CHECK_OR_CALL if action in ("raise", "call") or free else agents.FOLD

    def choose(self, hole_cards: str, board: str) -> str:
        """The action by the rules: raise, call, or fold."""
        first, suit, second, other_suit = hole_cards
        hand, ranks, suits = {first, second}, set(board[0::2]), set(board[1::2])
        if first == second:
            raises = not board or first in ranks
        elif "A" in hand and hand & HIGH:
            raises = not board or bool(ranks & (HIGH | {"A"}))
        elif "A" in hand:
            raises = suit == other_suit and (not board or suit in suits)
        elif board:
            return "fold" if ranks <= LOW else "call"
        else:
            raises = hand <= HIGH
        return "raise" if raises else "fold"
