"""Trees of bets, counted."""

import numpy as np
import pytest

from agents.solvers.public_tree import CHANCE, DECISION, FOLDED, Betting, grow
from nlhe_env.game.table import FIXED_LIMIT


@pytest.mark.parametrize(
    ("max_bets", "continuing", "folded"),
    # D. Billings, "Algorithms and Assessment in Computer Poker", 2006, chapter 3: of 17 and 13
    # ways to bet through a round.
    [(4, 9, 8), (3, 7, 6)],
)
def test_a_round_with_limits_has_the_published_numbers_of_lines(max_bets, continuing, folded):
    betting = Betting((100, 100), (2, 2), pot=4, structure=FIXED_LIMIT, max_bets=max_bets)
    tree = grow(betting, lambda board: (board + 1,))
    first = tree.street == 0
    assert (tree.kind[first] == CHANCE).sum() == continuing
    assert (tree.kind[first] == FOLDED).sum() == folded


def test_with_blinds_the_button_acts_first_and_the_big_blind_is_a_bet():
    betting = Betting((100, 100), (2, 2), blinds=(1, 2), structure=FIXED_LIMIT, max_bets=4)
    tree = grow(betting, lambda board: (board + 1,))
    assert (tree.actor[0], tree.pot[0]) == (1, 3)
    closed = np.flatnonzero((tree.kind == CHANCE) & (tree.street == 0))
    assert sorted(tree.pot[closed]) == [4, 8, 8, 12, 12, 16, 16]
    # Folding at once costs the small blind; on the flop the big blind acts first.
    assert tree.stake[1] == 1
    assert tree.actor[1] == 1
    assert (tree.actor[closed + 1] == 0).all()
    assert (tree.kind[closed + 1] == DECISION).all()
