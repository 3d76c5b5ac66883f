"""Trees of bets, counted."""

import numpy as np
import pytest

from agents.solvers import Subgame
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED, Betting, grow
from nlhe_env.game.table import FIXED_LIMIT


@pytest.mark.parametrize(
    ("max_bets", "continuing", "folded"),
    # D. Billings, "Algorithms and Assessment in Computer Poker", 2006, section 3.4.1: of 17 and
    # 13 ways to bet through a round.
    [(4, 9, 8), (3, 7, 6)],
)
def test_a_limit_round_has_the_published_number_of_sequences(max_bets, continuing, folded):
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


def tree_of(**given):
    """The tree from a turn on, with three rivers."""
    rules = Subgame("KsTh7s4d", ("AA", "QQ"), 100, 1000, "pot", **given).rules()
    return grow(rules, lambda board: (1, 2, 3))


def test_a_size_of_the_line_is_added_where_it_was_bet_and_nowhere_else():
    plain, tree = tree_of(), tree_of(line=(0, 33))
    bet = tree.after((0, 33))
    assert bet is not None
    assert plain.after((0, 33)) is None
    assert tree.after((33,)) is None
    assert np.flatnonzero(tree.step == 33).tolist() == [bet]
    # Apart from what follows it, the tree is the plain one.
    kept = np.ones(len(tree.kind), bool)
    kept[bet : tree.end[bet]] = False
    np.testing.assert_array_equal(tree.kind[kept], plain.kind)
    np.testing.assert_array_equal(tree.stake[kept], plain.stake)


def test_a_line_of_sizes_that_the_menu_has_changes_nothing():
    for column, of_line in zip(tree_of(), tree_of(line=(0, 100, 0, 0, 300)), strict=True):
        np.testing.assert_array_equal(column, of_line)


def test_a_line_goes_on_after_any_card():
    tree = tree_of(line=(0, 0, 0, 33))
    on_river = np.flatnonzero((tree.step == 33) & (tree.street == 1))
    assert tree.board[on_river].tolist() == [1, 2, 3]


@pytest.mark.parametrize("line", [(1001,), (100, 101), (0, 0, 1001)])
def test_an_impossible_line_is_refused(line):
    with pytest.raises(ValueError, match="line must be legal actions in turn"):
        tree_of(line=line)


def test_what_follows_the_last_card_is_the_same_for_every_card():
    tree = tree_of()
    decides = tree.kind == DECISION
    rows = np.concatenate([[0], np.cumsum(tree.branches[decides])])
    np.testing.assert_array_equal(tree.row[decides], rows[:-1])
    for node in np.flatnonzero(tree.kind == CHANCE).tolist():
        first, *others = tree.children(node)
        for i, other in enumerate(others, 1):
            here, there = (slice(child, tree.end[child]) for child in (first, other))
            for name in ("kind", "actor", "depth", "branches", "stake", "street", "pot"):
                column = getattr(tree, name)
                np.testing.assert_array_equal(column[here], column[there])
            np.testing.assert_array_equal(tree.end[here] - first, tree.end[there] - other)
            assert set(tree.board[there].tolist()) == {i + 1}
            assert (tree.branch[other], tree.step[other]) == (i, i + 1)
