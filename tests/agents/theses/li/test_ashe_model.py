"""ASHE 2.0: trees, features, estimators by plain arithmetic, utilities and decisions."""

import numpy as np
import pytest
from helpers import CALL, FOLD, play
from lstm_formulas import PlainNetwork, sigmoid

import agents
import nlhe_env
from agents.policy.view import Parameters, View
from agents.theses.li import tree
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.features import shown_strength
from agents.theses.li.one_step import fold_chance, utility_of_raise, win_chance
from agents.theses.li.shape import ModelShape, count_estimator
from nlhe_env.assessment import board_texture
from nlhe_env.equity import hand_equity

SMALL = ModelShape(2, 3, 4, 1, 64)
STACK = 20_000
CARDS = {"player_0": "AsJd", "player_1": "7c7d"}
BOARD = "QsJsTs2h3d"
PART = SMALL.parts[0]


def player(shape=SMALL, seed=0, spread=0.7):
    rng = np.random.default_rng(seed)
    return ModelPlayer(rng.normal(0, spread, sum(shape.parts)), shape=shape)


def constant(win, folds):
    """A player with constant estimators."""
    genome = np.zeros(sum(SMALL.parts), np.float32)
    n = SMALL.blocks * SMALL.cell
    genome[PART - n - 1] = np.log(folds / (1 - folds))
    genome[2 * PART - n - 1] = np.log(win / (1 - win))
    return ModelPlayer(genome, shape=SMALL)


def seated(one, **arguments):
    env = nlhe_env.raw_env(
        2,
        actions="chips",
        mode="cash",
        starting_stack=STACK,
        blinds=(50, 100),
        infos="full",
        **arguments,
    )
    seats = agents.Lineup(env, {"player_0": one})
    env.reset(seed=1, options={"button": 0, "hole_cards": CARDS, "board": BOARD})
    return env, seats


def node(seats, *labels, root=0):
    """The fields of a node by name; None where there is none."""
    memory, at = seats.work.memory[0], root
    for label in labels:
        at = tree.find_child(memory, at, label)
    if at == tree.UNKNOWN:
        return None
    fields = memory[tree.HEAD + at * tree.NODE :][: tree.NODE]
    names = {"f": tree.COUNT, "showdowns": tree.SHOWDOWNS, "folds": tree.FOLDS}
    return {name: float(fields[i]) for name, i in names.items()} | {
        "strength": float(fields[tree.STRENGTH])
    }


def test_network_sizes_are_published_plus_two_draw_inputs():
    assert count_estimator(50, 10, 50) == 45_500 + 25_101 + 500
    assert ModelShape().parts == (71_101, 71_101)


def test_raises_have_the_published_buckets():
    edges = (0.125, 0.375, 0.75, 1.25, 2.0, 4.0)
    for i, edge in enumerate(edges):
        assert tree.opponent_label(edge) == tree.FIRST_BUCKET + i
        assert tree.opponent_label(edge + 1e-9) == tree.FIRST_BUCKET + i + 1
    assert tree.opponent_label(0.0) == tree.CALL_LABEL
    own = [tree.own_label(size, False) for size in (0.0, 0.5, 1.0, 1.5, 2.0)]
    assert own == [1, 2, 3, 4, 5]
    assert tree.own_label(0.3, True) == tree.ALL_IN_LABEL


def test_trees_learn_how_hands_end():
    env, seats = seated(player(), num_hands=4)
    # Hand 1, on the button: half a pot, a call; checked down.
    play(env, 200, *[CALL] * 7)
    half, call = tree.FIRST_OWN, tree.CALL_LABEL
    seven = hand_equity("7c7d", BOARD)
    expected = {"f": 1, "showdowns": 1, "folds": 0, "strength": pytest.approx(seven, abs=1e-6)}
    assert node(seats) == expected
    assert node(seats, half) == expected
    assert node(seats, half, call) == expected
    assert node(seats, half, call, call, call) == expected
    # Hand 2, in the big blind: the opponent raises the pot, we fold. Only the count changes.
    play(env, 300, FOLD)
    pot = tree.FIRST_BUCKET + 3
    assert node(seats, pot, root=1) == {"f": 1, "showdowns": 0, "folds": 0, "strength": 0}
    # Hand 3, on the button: half a pot again, the opponent folds.
    play(env, 200, FOLD)
    assert node(seats)["f"] == node(seats, half)["f"] == 2
    assert node(seats, half)["folds"] == 1
    assert node(seats, half)["strength"] == pytest.approx(seven, abs=1e-6)
    assert node(seats, half, call)["f"] == 1
    assert node(seats, tree.FIRST_OWN + 1) is None


def test_shown_strengths_are_averaged():
    memory = np.zeros(tree.HEAD + 8 * tree.NODE, np.float32)
    tree.clear_trees(memory)
    for strength in (0.4, 0.9, 0.2):
        tree.begin_path(memory, True)
        tree.go_on(memory, 8, 3)
        tree.learn_from_hand(memory, False, True, strength)
    fields = memory[tree.HEAD + 2 * tree.NODE :]
    assert fields[tree.COUNT] == fields[tree.SHOWDOWNS] == 3
    assert fields[tree.STRENGTH] == pytest.approx(0.5)


def test_full_trees_ignore_new_nodes():
    memory = np.zeros(tree.HEAD + 3 * tree.NODE, np.float32)
    tree.clear_trees(memory)
    tree.begin_path(memory, True)
    tree.go_on(memory, 3, 3)
    assert tree.present_node(memory) == 2
    tree.go_on(memory, 3, 3)
    assert tree.present_node(memory) == tree.UNKNOWN
    tree.go_on(memory, 3, 1)
    tree.learn_from_hand(memory, True, False, 0.0)
    assert memory[tree.HEAD + 2 * tree.NODE + tree.FOLDS] == 1


def test_expected_strength_is_the_default_until_showdowns():
    assert shown_strength(0.0, 0.0) == 0.85
    assert shown_strength(0.4, 2.0) == pytest.approx((0.85 * 3 + 0.4 * 2) / 5)
    assert shown_strength(0.4, 5.0) == pytest.approx(0.4)
    assert shown_strength(0.4, 6.0) == 0.4


NOTHING_KNOWN = (0.5, 1 / 3)


def test_estimators_match_plain_arithmetic():
    one = player()
    env, seats = seated(one)
    folds, wins = (
        PlainNetwork(genes, 11, [SMALL.cell] * SMALL.blocks, SMALL.hidden)
        for genes in np.split(one.weights, 2)
    )

    def chance(network):
        return pytest.approx(sigmoid(network.answers(network.state)[0]), abs=2e-4)

    def draws(board):
        if not board:
            return 0.0306, 0.0480, 0
        texture = board_texture(board)
        return texture.suitedness, texture.connectivity, texture.pairedness

    def fold_inputs(street, board, own, opponent, known=NOTHING_KNOWN):
        return [*known, *draws(board), *np.eye(4)[street], opponent / STACK, own / STACK]

    def see(street, board, own, opponent):
        folds.see(fold_inputs(street, board, own, opponent))
        p = hand_equity("AsJd", board)
        known = (*NOTHING_KNOWN, 1 / 3, 0.85)
        wins.see([*known, *np.eye(4)[street], p, opponent / STACK, own / STACK])

    def views():
        table, work = env.tables[0], seats.work
        return View(table, 0, work.inputs, work.choices[0], None, work.scratch)

    see(0, "", 50, 100)
    for move, state in (
        (300, (0, "", 300, 100)),
        (CALL, (1, BOARD[:6], 300, 300)),
        (400, (1, BOARD[:6], 300, 700)),
    ):
        env.step(move)
        see(*state)
    memory = seats.work.memory[0].copy()
    parameters = seats_parameters(seats)
    assert win_chance(parameters, memory, views()) == chance(wins)
    folds.see(fold_inputs(1, BOARD[:6], 1_400, 700))
    found = fold_chance(parameters, memory, views(), tree.FIRST_OWN, 1_400)
    assert found == chance(folds)
    np.testing.assert_array_equal(memory, seats.work.memory[0])


def seats_parameters(seats):
    arrays = agents.pack_players([seats.players["player_0"]]).arrays
    return Parameters(arrays.traits[0], arrays.weights[0])


@pytest.mark.parametrize(
    ("win", "folds", "expected"),
    [
        # To call are 50 of 100: folding costs 50, the value of calling is (2 win - 1) 100.
        (0.2, 0.01, FOLD),
        (0.3, 0.01, CALL),
        (0.6, 0.001, STACK),  # all-in: as large as can be, against a player that never folds
        (0.3, 0.999, 200),  # of equal gains the least: half of the pot
    ],
)
def test_the_action_with_the_largest_utility_is_played(win, folds, expected):
    _, seats = seated(constant(win, folds))
    utilities = {FOLD: -50.0, CALL: (2 * win - 1) * 100}
    for amount in (200, 300, 400, 500, STACK):
        utilities[amount] = utility_of_raise(win, folds, 100, amount)
    best = max(utilities, key=utilities.get)
    assert best == expected
    assert seats.action() == expected


def test_ashe_calls_folds_or_goes_all_in_against_many_bets():
    # The smallest raise is the best: all-in loses more to the one in a hundred that calls.
    env, seats = seated(constant(0.4, 0.99))
    assert seats.action() == 200
    play(env, 300, 900)  # the big blind makes a 3-bet
    assert seats.action() == STACK


def test_three_seats_and_a_single_node_are_refused():
    with pytest.raises(ValueError, match="ASHE 2 plays heads-up with"):
        agents.play([player()] * 3, agents.Blocks(1), nlhe_env.Game.cash(num_hands=5), seed=1)
    with pytest.raises(ValueError, match="nodes from 2 to 100000"):
        ModelPlayer(np.zeros(3), shape=SMALL._replace(nodes=1))


def test_both_backends_play_the_same():
    game = nlhe_env.Game.cash(starting_stack=STACK, blinds=(50, 100), num_hands=12)
    players = [player(), agents.make("ashe-loose-aggressive")]
    fast = agents.play(players, agents.Blocks(2), game, seed=5)
    slow = agents.play(players, agents.Blocks(2), game, seed=5, record=[])
    assert fast.totals.tolist() == slow.totals.tolist()
    assert fast.totals[0] != 0
