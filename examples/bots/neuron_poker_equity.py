"""The equity agent of neuron_poker, by its published rule, as a player for the bench.

It compares its chance to win or tie with two thresholds, and raises more with better hands
(https://github.com/dickreuter/neuron_poker, agents/agent_consider_equity.py). The chance is exact
here, where the original has samples; the thresholds are options there, too.

Usage: nlhe bench examples/bots/neuron_poker_equity.py --suite heads-up six-max
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WIN_CHANCE = 3
FOLD, CALL, HALF_POT, POT, TWO_POTS, ALL_IN = range(6)


class NeuronPokerEquity:
    """Calls from one chance to win or tie, and raises from another."""

    observation = "features_scaled"
    actions = (0.5, 1.0, 2.0)

    def __init__(self, call_from: float = 0.5, bet_from: float = 0.7) -> None:
        self.call_from, self.bet_from = call_from, bet_from

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        chance, legal = observation["observation"][WIN_CHANCE], observation["action_mask"]
        for more, raised in ((0.2, ALL_IN), (0.1, TWO_POTS), (0.0, POT), (-0.1, HALF_POT)):
            if chance > self.bet_from + more and legal[raised]:
                return raised
        return CALL if chance > self.call_from or info["to_call"] == 0 else FOLD
