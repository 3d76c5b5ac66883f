"""HS of all holdings at once is that of one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from nlhe_env.assessment.hand_potential import hand_strength
from nlhe_env.assessment.holding_strengths import BLOCKED, HoldingStrengths, find_strengths
from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.equity.calculator.spot import HOLES

BOARDS = ["Jh4c3h", "7s7d7h", "AhKhQh", "2c3d4h5s", "9s9d4h4c", "AhKhQhJhTh", "2c2d2h2s7c"]


@pytest.mark.parametrize("text", BOARDS)
def test_all_holdings_at_once_match_single_ones(text):
    board = np.array(parse_cards(text))
    found = HoldingStrengths.new()
    find_strengths(np.array([0, 1, 2]), 3, found)  # another board before
    find_strengths(board, len(board), found)
    for number in range(0, 1326, 7):
        if set(HOLES[number].tolist()) & set(board.tolist()):
            assert found.strength[number] == BLOCKED
        else:
            one = hand_strength(format_cards(HOLES[number]), text)
            assert found.strength[number] == one, format_cards(HOLES[number])


def test_the_published_example():
    board = parse_cards("Jh4c3h")
    found = HoldingStrengths.new()
    find_strengths(np.array(board), 3, found)
    high, low = sorted(parse_cards("AdQc"), reverse=True)
    assert found.strength[high * (high - 1) // 2 + low] == (628 + 9 / 2) / 1081
