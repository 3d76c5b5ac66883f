"""ASHE 2.1: boards in the trees, default trees and how they are mixed in."""

import numpy as np
import pytest
from helpers import CALL, play
from test_ashe_model import BOARD, SMALL, STACK, node, player, seated

import agents
import nlhe_env
from agents.policy.kinds import make_sizes
from agents.theses.li import tree
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.features import LAMBDAS, write_tree_features
from agents.theses.li.preliminary_session import balanced_boards, fill_default_trees
from agents.theses.li.shape import TEXTURED
from nlhe_env.assessment import board_texture
from nlhe_env.assessment.texture import board_clusters

SHAPE = SMALL._replace(nodes=512, level=TEXTURED)
WITH_DEFAULT = SHAPE._replace(default_nodes=1024)
GAME = nlhe_env.Game.cash(starting_stack=STACK, blinds=(50, 100), num_hands=40)
HANDS = 120


@pytest.fixture(scope="module")
def complete():
    """A player with default trees, filled against itself and another."""
    genes = player(SHAPE).weights
    met = [None, agents.make("ashe-loose-passive")]
    trees = fill_default_trees(genes, WITH_DEFAULT, met, hands=HANDS, game=GAME)
    return ModelPlayer(np.concatenate([genes, trees]), shape=WITH_DEFAULT)


def default_of(one):
    return one.weights[sum(one.shape.parts) :]


def test_boards_are_nodes_by_their_cluster():
    env, seats = seated(player(SHAPE), num_hands=2)
    play(env, CALL, CALL, CALL, CALL)  # the blinds, then the flop
    flop, turn = (board_texture(BOARD[: 2 * n]).cluster for n in (3, 4))
    preflop = [tree.CALL_LABEL, tree.CALL_LABEL]
    assert node(seats, *preflop, tree.CALL_LABEL) is None
    on_flop = [*preflop, tree.FIRST_BOARD + flop]
    on_turn = [*on_flop, tree.CALL_LABEL, tree.CALL_LABEL, tree.FIRST_BOARD + turn]
    assert node(seats, *on_turn) is not None
    play(env, CALL, CALL, CALL, CALL)
    assert node(seats, *on_turn)["f"] == 1


def test_nodes_count_the_opponents_next_action():
    env, seats = seated(player(SHAPE), num_hands=2)
    play(env, CALL, 300, CALL)  # we limp, the opponent raises the pot, we call
    play(env, 450, CALL)  # it bets three quarters of the pot
    memory = seats.work.memory[0]

    def answers(*labels):
        at = 0
        for label in labels:
            at = tree.find_child(memory, at, label)
        return memory[tree.HEAD + at * tree.NODE + tree.NEXT :][: tree.N_NEXT].tolist()

    flop = tree.FIRST_BOARD + board_texture(BOARD[:6]).cluster
    pot = tree.FIRST_BUCKET + 3
    assert answers(tree.CALL_LABEL) == [0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert answers(tree.CALL_LABEL, pot, tree.CALL_LABEL) == [0] * 9
    assert answers(tree.CALL_LABEL, pot, tree.CALL_LABEL, flop) == [0, 0, 0, 0, 1, 0, 0, 0, 0]


def one_node(count, showdowns, folds, strength, answers=(0,) * 9):
    """A tree of a root with this many visits."""
    nodes = np.zeros(tree.count_numbers(2), np.float32)
    nodes[tree.HEAD + tree.COUNT : tree.HEAD + tree.NODE] = [
        count,
        showdowns,
        folds,
        strength,
        *answers,
    ]
    return nodes


def tree_features_of(memory, default, street, min_node_visits=10):
    sizes = make_sizes(*WITH_DEFAULT._replace(min_node_visits=min_node_visits))
    found_features, other = np.zeros((2, 13), np.float32)
    write_tree_features(
        sizes, memory, default, tree.TreePosition(0, 0, 0, 0), street, found_features, other
    )
    return found_features


@pytest.mark.parametrize(("street", "limit"), list(enumerate((50, 20, 10, 5))))
def test_default_trees_lose_weight_with_every_hand(street, limit):
    assert LAMBDAS[street] == limit
    default = one_node(100, 40, 30, 0.6, (30, 60, 0, 0, 0, 10, 0, 0, 0))
    seen = one_node(2, 1, 1, 0.9, (1, 0, 1, 0, 0, 0, 0, 0, 0))
    # By hand: frequency, folds, showdowns, strength; then the next actions.
    of_default = [1 / (1 + np.exp(-10.0)), 31 / 103, 41 / 103, 0.6]
    of_session = [1 / (1 + np.exp(-0.2)), 2 / 5, 2 / 5, (0.85 * 4 + 0.9) / 5]
    share = 2 / limit
    mixed = share * np.array(of_session) + (1 - share) * np.array(of_default)
    found_features = tree_features_of(seen, default, street)
    np.testing.assert_allclose(found_features[:4], mixed, atol=1e-6)
    assert found_features[4] == pytest.approx(share * 0.5 + (1 - share) * 0.3)
    assert found_features[5] == pytest.approx((1 - share) * 0.6)
    often = one_node(limit, 0, limit, 0.0)
    alone = tree_features_of(often, default, street)[1]
    assert alone == pytest.approx((limit + 1) / (limit + 3))


def test_situations_unknown_to_both_trees_use_default_values():
    usual = [0.5, 1 / 3, 1 / 3, 0.85, *[0] * 9]
    rare = one_node(10, 5, 5, 0.1)
    np.testing.assert_allclose(tree_features_of(one_node(0, 0, 0, 0), rare, 0), usual, atol=1e-6)
    assert tree_features_of(one_node(0, 0, 0, 0), rare, 0, min_node_visits=9)[1] == pytest.approx(
        6 / 13
    )


def test_rivers_of_all_clusters_are_equally_likely():
    boards = balanced_boards(1400)
    counts = np.bincount(board_clusters(boards), minlength=7)
    assert abs(counts - 200).max() < 60  # four standard deviations
    assert all(len(set(board)) == 5 for board in boards.tolist())
    np.testing.assert_array_equal(boards, balanced_boards(1400))


def test_preliminary_sessions_fill_both_seats_trees(complete):
    nodes = default_of(complete)
    roots = [nodes[tree.HEAD + i * tree.NODE + tree.COUNT] for i in range(tree.ROOTS)]
    assert sum(roots) == HANDS
    assert min(roots) >= HANDS // 2 - 2
    met = [None, agents.make("ashe-loose-passive")]
    genes = complete.weights[: sum(SHAPE.parts)]
    again = fill_default_trees(genes, WITH_DEFAULT, met, hands=HANDS, game=GAME)
    np.testing.assert_array_equal(nodes, again)


def test_default_trees_are_followed_and_not_changed(complete, tmp_path):
    before = complete.weights.copy()
    agents.save_player(tmp_path / "one.npz", complete)
    again = agents.load_player(tmp_path / "one.npz")
    assert again.shape == WITH_DEFAULT
    others = [agents.make("calling-machine")]
    fast = agents.play([again, *others], agents.Blocks(1), GAME, seed=3)
    slow = agents.play([complete, *others], agents.Blocks(1), GAME, seed=3, record=[])
    assert fast.totals.tolist() == slow.totals.tolist()
    np.testing.assert_array_equal(complete.weights, before)
    env, seats = seated(complete, num_hands=2)
    play(env, CALL, CALL)
    place = tree.present_place(seats.work.memory[0])
    at = tree.find_child(default_of(complete), 0, tree.CALL_LABEL)
    assert place.default_above == tree.find_child(default_of(complete), at, tree.CALL_LABEL)


def test_shapes_must_match_the_ashe_version():
    with pytest.raises(ValueError, match="default_nodes must be 0 or, from level 1 on"):
        ModelPlayer(np.zeros(3), shape=SMALL._replace(default_nodes=64))
    with pytest.raises(ValueError, match="boards must be 1 to 1000 with level 2"):
        ModelPlayer(np.zeros(3), shape=SMALL._replace(level=2))
