"""Pseudo-optimal players: their buckets, what they look up, where they play."""

import numpy as np
import pytest

import agents
import nlhe_env
from agents.theses.billings.pseudo_optimal import hands, models
from agents.theses.billings.pseudo_optimal.book import MOST_BETS, header_at
from agents.theses.billings.pseudo_optimal.bucket_game import BucketGame, Network
from agents.theses.billings.pseudo_optimal.build_book import make_player, solve_model
from agents.theses.billings.pseudo_optimal.models import Lines
from agents.theses.billings.pseudo_optimal.player import (
    chance_in_part,
    code_of_street,
    find_bucket,
    strength_and_potential,
)
from agents.theses.billings.pseudo_optimal.sizes import Sizes
from agents.variance_reduction.aivat_logs import AivatEvaluator
from nlhe_env.assessment.potential_kernels import SCRATCH
from nlhe_env.cards import parse_cards
from nlhe_env.equity import load_tables
from nlhe_env.game.betting import CALLS, FOLDS, RAISES
from nlhe_env.game.table import CHECK_OR_CALL
from nlhe_env.jit.compilation import kernel

LIMIT = nlhe_env.Game.cash(betting="fixed-limit", max_bets=4)
SMALL = Sizes(buckets=3, iterations=5, deals=2_000)


@pytest.fixture(scope="module")
def deals():
    return hands.Deals.at_random(2_000, load_tables())


@pytest.fixture(scope="module")
def player():
    return make_player(2, SMALL)


@kernel
def bucket_of(book, hole, board, n_board, tables, scratch):
    header = header_at(book)
    strength, positive = strength_and_potential(
        hole[0], hole[1], board, n_board, header.weak, tables, scratch[0]
    )
    return find_bucket(header, n_board - 3, strength, positive)


@kernel
def code(tables, street, max_bets):
    return code_of_street(tables[0], street, max_bets)


def test_transition_networks_are_symmetric_probabilities(deals):
    buckets = hands.find_buckets(deals, 5, 2)
    network = hands.network(hands.numbers_of(deals, buckets), deals.outcomes, buckets.counts)
    assert buckets.counts == network.buckets == (5, 5, 4)
    assert network.start.sum() == pytest.approx(1)
    np.testing.assert_array_equal(network.start, network.start.T)
    for step in network.steps:
        total = step.sum(axis=(2, 3))
        assert (np.isclose(total, 1) | (total == 0)).all()
        np.testing.assert_array_equal(step, step.transpose(1, 0, 3, 2))
    np.testing.assert_array_equal(network.outcome, -network.outcome.T)
    above = np.triu_indices(4, 1)
    assert (network.outcome[above] == -1).all()


def test_bucket_shares_match_the_cuts(deals):
    assert hands.cuts(6) == pytest.approx([0.30, 0.50, 0.67, 0.80, 0.92])
    buckets = hands.find_buckets(deals, 7, 1)
    for street, edges in enumerate(buckets.edges):
        below = (deals.strengths[:, :, street].ravel() < edges[:, np.newaxis]).mean(axis=1)
        assert below == pytest.approx(hands.cuts(6), abs=0.02)


@pytest.mark.parametrize(
    ("hole", "board", "is_draw"),
    [
        ("7h6h", "KhTh2c", True),  # a flush draw
        ("7c6d", "8h5sKc", True),  # open-ended
        ("7c6d", "KhTh2c", False),
        ("AhKh", "AdTh2h", False),  # strong already
        ("7h6h", "KhTh2c3d", True),
        ("7h6h", "KhTh2c3d3c", False),
    ],
)
def test_draws_have_their_own_bucket(player, hole, board, is_draw):
    cards = np.array(parse_cards(board))
    scratch = np.zeros(1, SCRATCH)
    found, _ = bucket_of(
        player.book.ctypes.data,
        np.array(parse_cards(hole)),
        cards,
        len(cards),
        load_tables(),
        scratch,
    )
    assert (found == SMALL.buckets - 1) == is_draw


def test_preflop_hands_are_bucketed_by_strength():
    buckets, places = hands.preflop_buckets(6)
    aces, kings, seven_deuce = 14 * 12, 14 * 11, 5
    assert (buckets[aces], buckets[kings], buckets[seven_deuce]) == (5, 5, 0)
    assert places[aces][1] == pytest.approx(1)
    assert places[aces][0] == pytest.approx(places[kings][1])
    assert (places[:, 0] < places[:, 1]).all()


def test_a_split_bucket_follows_the_thesis():
    """Of {0, 0.6, 0.4} the bottom half calls, and the top half raises four times in five."""
    found = [
        [chance_in_part(0, 60, 40, part, 2, action) for action in (FOLDS, CALLS, RAISES)]
        for part in range(2)
    ]
    np.testing.assert_allclose(found, [[0, 1, 0], [0, 0.2, 0.8]], atol=1e-12)


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_splitting_keeps_the_strategy_of_a_bucket(parts):
    weights = (17, 30, 53)
    for action, weight in enumerate(weights):
        chances = [chance_in_part(*weights, part, parts, action) for part in range(parts)]
        assert np.mean(chances) == pytest.approx(weight / 100)


def test_tables_and_trees_give_the_same_betting_history():
    generator = np.random.default_rng(3)
    tree = models.before_turn_ends()
    lines = Lines.of(tree, MOST_BETS)
    env = nlhe_env.raw_env(
        2,
        game=nlhe_env.Game.cash(betting="fixed-limit", max_bets=4, num_hands=200),
        actions="sized",
    )
    env.reset(seed=5)
    hand, node, seen = -1, 0, 0
    while not any(env.terminations.values()):
        table = env.tables[0]
        if table["hand"] != hand:
            hand, node = table["hand"], 0
        if table["street"] < 3 and node is not None:
            street = int(table["street"])
            assert code(env.tables, street, MOST_BETS) == lines.code[node]
            line = 0
            for before in range(street):
                line = line * 10 + code(env.tables, before, MOST_BETS)
            assert line == lines.line[node]
            seen += 1
        mask = env.observe(env.agent_selection)["action_mask"]
        action = int(generator.choice(np.flatnonzero(mask)))
        if node is not None and table["street"] < 3:
            step = {0: -1, 1: CHECK_OR_CALL}.get(action)
            below = tree.children(node)
            after = [
                c for c in below if (tree.step[c] > 0 if step is None else tree.step[c] == step)
            ]
            node = after[0]
            if tree.children(node) and tree.kind[node] == 1:
                node += 1
        env.step(action)
    assert seen > 300


def test_the_same_sizes_are_solved_once(tmp_path, monkeypatch, capsys):
    # The variable of the environment would move the compiled code too.
    monkeypatch.setattr(
        "agents.theses.billings.pseudo_optimal.build_book.cache_folder", lambda: tmp_path
    )
    text = "psopti-0:buckets=3,iterations=2,deals=1000"
    first = agents.make(text)
    assert "solving psopti-0" in capsys.readouterr().err
    again = agents.make(text)
    assert capsys.readouterr().err == ""
    np.testing.assert_array_equal(first.book, again.book)


@pytest.mark.parametrize(
    "options",
    [
        "buckets=2",
        "solver=simplex",
        "buckets=7,solver=program",
        "deals=1000001",
        "iterations=10001",
    ],
)
def test_invalid_sizes_are_refused(options):
    with pytest.raises(ValueError, match=options.partition("=")[0] + "|program"):
        agents.make(f"psopti-0:{options}")


def test_linear_programs_solve_the_models_too():
    even = np.full((2, 2, 2, 2), 0.25)
    network = Network(np.full((2, 2), 0.25), (even, even), np.array([[0.0, -1.0], [1.0, 0.0]]))
    game = BucketGame(models.after_flop(2, 2), network)
    solved = solve_model(game, Sizes(buckets=3, solver="program"))
    assert solved.exploitability == pytest.approx(0, abs=1e-9)


def test_both_backends_play_the_same(player):
    players = [player, agents.make("call-or-raise")]
    kernels = agents.play(players, agents.Blocks(1), LIMIT, seed=4)
    environment = agents.play(players, agents.Blocks(1), LIMIT, seed=4, record=[])
    np.testing.assert_array_equal(kernels.scores, environment.scores)


def test_logs_of_no_limit_hands_are_not_evaluated_for_them(player):
    hands: list = []
    pair = [agents.make("caller"), agents.make("raiser")]
    no_limit = nlhe_env.Game.cash(num_hands=1)
    agents.play(pair, agents.Tournaments(1), no_limit, seed=1, record=hands)
    with pytest.raises(ValueError, match="heads-up fixed-limit only"):
        AivatEvaluator(players={"player_0": player}).evaluate(hands)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["psopti-0", "psopti-1", "psopti-2"])
def test_shipped_players_beat_always_call_and_always_raise(name):
    for other in ("caller", "raiser"):
        players = [agents.make(name), agents.make(other)]
        tally = agents.play(players, agents.Blocks(40), LIMIT, seed=2)
        assert tally.scores[0] > 0
