"""Players with a book: hands in buckets, bets taken for others, and always a legal answer."""

import numpy as np
import pytest

import agents
import nlhe_env
from agents.players.blueprint import card_buckets, player
from agents.players.blueprint.book import ACTION, CALLS, FOLDS, NODE, read_book, write_book
from agents.players.blueprint.card_buckets import CardBuckets, Steps
from agents.players.blueprint.player import PLACE, WHICH
from nlhe_env.cards import parse_cards
from nlhe_env.equity import load_tables

BUCKETS = (Steps(6, 3), Steps(5, 2), Steps(12, 1))
PLAYERS = {"equilibrium-limit": "fixed-limit", "equilibrium-nolimit": "no-limit"}


@pytest.fixture(scope="module")
def buckets():
    return CardBuckets.of(BUCKETS, load_tables(), samples=20_000)


def bucket(buckets, hole, board):
    street = {0: 0, 3: 1, 4: 2, 5: 3}[len(board) // 2]
    steps = buckets.steps[max(street - 1, 0)]
    return card_buckets.card_bucket(
        *parse_cards(hole),
        np.array(parse_cards(board), np.int64),
        street,
        steps.main,
        steps.within,
        buckets.edges[max(street - 1, 0)],
        load_tables(),
    )


def test_buckets_hold_their_intended_shares_of_hands(buckets):
    assert buckets.counts == (169, 18, 10, 12)
    generator = np.random.default_rng(99)
    cards = generator.permuted(np.tile(np.arange(52), (4_000, 1)), axis=1)[:, :7]
    tables = load_tables()
    found = [
        card_buckets.card_bucket(*hand[:2], hand[2:], 3, 12, 1, buckets.edges[2], tables)
        for hand in cards
    ]
    shares = np.bincount(found, minlength=12) / len(cards)
    assert shares[-1] == pytest.approx(12**-1.5, abs=0.01)  # the best hands are distinguished
    assert shares[0] == pytest.approx(1 - (11 / 12) ** 1.5, abs=0.02)


def test_hands_fall_in_the_bucket_of_their_strength(buckets):
    assert bucket(buckets, "AsAh", "") == 12 * 13 + 12
    assert bucket(buckets, "AsKs", "QsJsTs2h3d") == 11  # the nuts
    assert bucket(buckets, "2c3d", "AsKhQs9h5c") == 0
    # Alike on average, but only the draw becomes very good or very bad.
    draw, pair = bucket(buckets, "9h8h", "Th7h2c"), bucket(buckets, "4c4d", "Th7h2c")
    assert draw // 3 > pair // 3


@pytest.mark.parametrize(
    ("size", "smaller", "larger", "share"),
    [
        (1 / 3, 0.0, 1.0, 0.5),  # between a check and the pot
        (13 / 7, 1.0, 4.0, 0.5),  # (A + B + 2AB) / (A + B + 2)
        (1.0, 1.0, 4.0, 1.0),
        (4.0, 1.0, 4.0, 0.0),
        (0.75, 0.5, 1.0, 3 / 7),
    ],
)
def test_the_pseudo_harmonic_mapping(size, smaller, larger, share):
    assert player.share_of_smaller(size, smaller, larger) == pytest.approx(share)


@pytest.mark.parametrize(
    ("size", "all_in", "read_as"),
    [
        (0.75, False, (2, 3, 3 / 7)),
        (0.5, False, (2, 3, 1.0)),
        (0.1, False, (1, 2, (0.5 - 0.1) / (0.5 * 1.1))),  # a check, or the smallest bet
        (20.0, False, (4, 4, 1.0)),
        (0.75, True, (4, 4, 1.0)),
    ],
)
def test_off_tree_bets_are_read_as_both_neighbours(size, all_in, read_as):
    actions = np.zeros(5, ACTION)
    actions["size"] = (FOLDS, CALLS, 0.5, 1.0, 9.0)
    actions["all_in"][-1] = 1
    node = np.zeros(1, NODE)[0]
    node["count"] = len(actions)
    found = player.neighbours(actions.ctypes.data, node, size, all_in)
    assert found == pytest.approx(read_as)
    assert player.nearest(actions.ctypes.data, node, 0.8, False) == 3
    node["count"] = 2  # neither is a raise
    assert player.neighbours(actions.ctypes.data, node, size, all_in)[0] == -1


@pytest.mark.parametrize("name", PLAYERS)
def test_books_read_back_as_written(name):
    player = agents.make(name)
    again = read_book(write_book(player.sections))
    assert len(again) == len(player.sections) > 0
    for one, other in zip(player.sections, again, strict=True):
        assert (one.betting, one.stack) == (other.betting, other.stack)
        np.testing.assert_array_equal(one.tree.nodes, other.tree.nodes)
        np.testing.assert_array_equal(one.tree.actions, other.tree.actions)
        assert one.buckets.counts == other.buckets.counts
        for mine, theirs in zip(one.chances, other.chances, strict=True):
            np.testing.assert_array_equal(mine, theirs)


def play(name, hands, *, stack=200, players=2, own=1, seed=4, **options):
    """Hands against an opponent that may do anything; yields at every decision of the player."""
    env = nlhe_env.raw_env(
        players,
        starting_stack=stack * 100,
        blinds=(50, 100),
        actions="chips",
        mode="cash",
        num_hands=hands,
        betting=PLAYERS[name],
        **options,
    )
    seats = agents.Lineup(env, {f"player_{i}": agents.make(name) for i in range(own)})
    generator = np.random.default_rng(seed)
    env.reset(seed=seed)
    while not all(env.terminations.values()) and not all(env.truncations.values()):
        if env.agent_selection in seats.players:
            yield env, seats
            env.step(seats.action())
        else:
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            kind = generator.integers(3)  # a fold is one of thousands of ids
            if kind == 0 and len(legal) > 2:
                env.step(int(legal[2 + int((len(legal) - 3) * generator.random() ** 4)]))
            else:
                env.step(int(legal[0] if generator.random() < 0.1 else 1))


@pytest.mark.parametrize("name", PLAYERS)
def test_a_blueprint_player_tracks_its_tree_node_in_its_own_game(name):
    player = agents.make(name)
    decisions = 0
    for env, seats in play(name, 60, own=2):
        who = env.possible_agents.index(env.agent_selection)
        memory = seats.work.memory[who]
        section = player.sections[int(memory[WHICH]) - 1]
        assert section.stack in (0, 200)
        node = section.tree.nodes[int(memory[PLACE]) - 1]
        assert node["count"] > 0
        assert node["street"] == env.table["street"]
        assert node["actor"] == (env.table["actor"] == env.table["button"])
        assert node["pot"] * 100 == pytest.approx(env.table["pot"], abs=2)
        decisions += 1
    assert decisions > 60


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize(("stack", "players"), [(200, 2), (37, 2), (4, 2), (100, 3)])
def test_blueprint_actions_are_legal_against_any_opponent(name, stack, players):
    lost = decisions = 0
    for _, seats in play(name, 150, stack=stack, players=players):  # illegal actions raise
        assert seats.policy().sum() == pytest.approx(1)
        memory = seats.work.memory[0]
        assert (memory[WHICH] > 0) == (players == 2)
        lost += memory[PLACE] == 0
        decisions += 1
    assert decisions > 100
    assert players > 2 or lost < 0.1 * decisions


def test_the_nearest_stack_depth_is_used():
    player = agents.make("equilibrium-nolimit")
    for stack, depth in ((1000, 200), (200, 200), (110, 200), (50, 60), (21, 20), (3, 10)):
        for _, seats in play("equilibrium-nolimit", 1, stack=stack, own=2):
            which = int(seats.work.memory[0][WHICH]) - 1
            assert player.sections[which].stack == depth
