"""HonestPlayer of PyPokerEngine's tutorial, by its published rule, as a player for the bench.

It calls if its chance to win or tie is at least an equal share, and never raises
(https://github.com/ishikota/PyPokerEngine, examples/players/honest_player.py). The chance is exact
here, where the original has a thousand samples; the original also folds where checking is free,
which is illegal here.

Usage: nlhe bench examples/bots/pypokerengine_honest.py --suite heads-up six-max
"""

from __future__ import annotations

from typing import Any

import agents
from nlhe_env import win_or_tie_probability


class PyPokerEngineHonest(agents.ChipPlayer):
    """Calls with at least the average hand of the table."""

    def decide(self, turn: dict[str, Any]) -> int:
        opponents = sum(seat is not None for seat in turn["seats"]) - 1  # also those who folded
        chance = win_or_tie_probability(turn["hole_cards"], turn["board"], n_opponents=opponents)
        if turn["to_call"] == 0 or chance >= 1 / (opponents + 1):
            return agents.CHECK_OR_CALL
        return agents.FOLD
