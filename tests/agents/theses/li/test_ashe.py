"""ASHE 1.0: sizes, the network by plain arithmetic, what is forgotten when, its decisions."""

import os
import subprocess
import sys

import numpy as np
import pytest
from helpers import CALL, FOLD, deal, play
from lstm_formulas import PlainNetwork

import agents
import nlhe_env
from agents.players.networks.lstm_blocks import count_block_weights
from agents.theses.li.ashe1 import AshePlayer, AsheShape, aggression_of, count_genes
from evolve.training.config_files import load_preset
from nlhe_env.equity import hand_equity

SMALL = AsheShape(2, 3, 2, 4, 5)
STACK = 20_000
CARDS = {"player_0": "AsJd", "player_1": "7c7d"}
BOARD = "QsJsTs2h3d"


def player(shape=SMALL, seed=0, spread=0.7):
    rng = np.random.default_rng(seed)
    return AshePlayer(rng.normal(0, spread, count_genes(shape)), shape=shape)


def constant(output, **options):
    """A player with constant aggression: all of it is the last bias."""
    genome = np.zeros(count_genes(SMALL), np.float32)
    genome[-SMALL.cells - 1] = np.arctanh(output)
    return AshePlayer(genome, shape=SMALL._replace(**options))


def heads_up(**arguments):
    cards = {0: CARDS["player_0"], 1: CARDS["player_1"]}
    return deal([STACK, STACK], blinds=(50, 100), hole_cards=cards, board=BOARD, **arguments)


def action(env, *seated):
    players = dict(zip(env.possible_agents, seated * (2 // len(seated)), strict=True))
    return agents.Lineup(env, players).action()


def test_network_sizes_are_the_published_ones():
    modules = 10 * count_block_weights(8, 10) + count_block_weights(8, 50)
    assert modules == 7_900 + 11_950
    decision = 150 * 75 + 75 + 75 + 1
    assert (decision, modules + decision) == (11_401, 31_251)
    assert count_genes(AsheShape()) == 31_251 + 150


class Plain(PlainNetwork):
    """The network by NumPy, in float64."""

    def __init__(self, weights, shape):
        self.n_game = shape.game_blocks
        cells = [shape.game_cell] * self.n_game + [shape.opponent_cell] * shape.opponent_blocks
        super().__init__(weights, 8, cells, shape.hidden)

    def begin_hand(self):
        self.state[: self.n_game] = self.fresh(self.first[: self.n_game])

    def see(self, street, strength, opponent, own, odds):
        super().see([*np.eye(4)[street], strength, opponent / STACK, own / STACK, odds])

    @property
    def aggression(self):
        return np.tanh(self.answers(self.state)[0])


def aggression(one, seats):
    hidden = np.zeros(one.shape.hidden, np.float32)
    return aggression_of(one.sizes, one.weights, seats.work.memory[0], hidden)


@pytest.mark.parametrize("shape", [SMALL, AsheShape()])
def test_the_network_matches_plain_arithmetic(shape):
    one = player(shape, spread=0.7 if shape == SMALL else 0.1)
    env = heads_up(num_hands=2)
    seats = agents.Lineup(env, {"player_0": one})
    env.reset(seed=1, options={"button": 0, "hole_cards": CARDS, "board": BOARD})
    plain = Plain(one.weights, shape)
    p = [hand_equity("AsJd", BOARD[:n]) for n in (0, 6, 8)]
    steps = [
        (None, (0, p[0], 100, 50, 50 / 200)),
        (300, (0, p[0], 100, 300, 0)),
        (CALL, (1, p[1], 300, 300, 0)),  # the flop comes with the call
        (400, (1, p[1], 700, 300, 400 / 1_400)),
        (1_200, (1, p[1], 700, 1_500, 0)),
        (CALL, (2, p[2], 1_500, 1_500, 0)),
        (CALL, (2, p[2], 1_500, 1_500, 0)),
    ]
    plain.begin_hand()
    for move, inputs in steps:
        if move is not None:
            env.step(move)
        plain.see(*inputs)
        assert aggression(one, seats) == pytest.approx(plain.aggression, abs=2e-5)
    play(env, 2_000, FOLD)
    plain.see(2, p[2], 1_500, 3_500, 0)
    plain.see(2, p[2], 1_500, 3_500, 0)  # the fold; the game module is reset anyway
    plain.begin_hand()
    env.step(250)
    p = hand_equity(env.infos["player_0"]["hole_cards"], "")
    plain.see(0, p, 50, 100, 0)
    plain.see(0, p, 250, 100, 150 / (150 + 350))
    assert aggression(one, seats) == pytest.approx(plain.aggression, abs=2e-5)


def test_sparse_networks_see_only_own_decisions_and_hand_ends():
    one = player(SMALL._replace(sparse=1))
    env = heads_up(num_hands=2)
    seats = agents.Lineup(env, {"player_0": one})
    env.reset(seed=1, options={"button": 0, "hole_cards": CARDS, "board": BOARD})
    plain = Plain(one.weights, SMALL)
    plain.begin_hand()
    plain.see(0, hand_equity("AsJd", ""), 100, 50, 50 / 200)
    assert aggression(one, seats) == pytest.approx(plain.aggression, abs=2e-5)
    play(env, 300, CALL, 400)
    plain.see(1, hand_equity("AsJd", BOARD[:6]), 700, 300, 400 / 1_400)
    assert aggression(one, seats) == pytest.approx(plain.aggression, abs=2e-5)
    play(env, FOLD, 250)
    plain.see(1, hand_equity("AsJd", BOARD[:6]), 700, 300, 400 / 1_400)
    plain.begin_hand()
    plain.see(0, hand_equity(env.infos["player_0"]["hole_cards"], ""), 250, 100, 150 / 500)
    assert aggression(one, seats) == pytest.approx(plain.aggression, abs=2e-5)


def test_hands_reset_the_game_module_and_sessions_reset_both_modules():
    env = nlhe_env.raw_env(2, actions="chips", mode="cash", num_hands=3)
    one = player()
    seats = agents.Lineup(env, dict.fromkeys(env.possible_agents, one))
    env.reset(seed=1)
    first = seats.work.memory[0].copy()
    n_game = 2 * SMALL.game_blocks * SMALL.game_cell
    played = [first]
    for _ in range(2):
        env.step(0)
        played.append(seats.work.memory[0].copy())
    # Other cards in the same seat: the modules start alike and see other strengths.
    assert (played[2][n_game:] != first[n_game:]).any()
    env.reset(seed=1)
    np.testing.assert_array_equal(seats.work.memory[0], first)


# --- decisions: figure 4-2 at 200 big blinds -----------------------------------------------------


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        (-500, FOLD),
        (49, FOLD),  # 50 are to be called
        (51, CALL),
        (149, CALL),  # less than the call and the least raise of 100
        (151, 250),  # 2 blinds on top of the 50 there: 151 is nearest to 200
        (249, 250),
        (251, 350),
        (19_949, 19_950),
        (19_951, STACK),
    ],
)
def test_aggression_becomes_a_multiple_of_the_big_blind(chips, expected):
    assert action(heads_up(), constant(chips / STACK)) == expected


@pytest.mark.parametrize(
    ("chips", "expected"),
    [(-500, CALL), (99, CALL), (101, 100), (149, 100), (151, 200), (5_000, 5_000)],
)
def test_aggression_without_a_bet_to_call(chips, expected):
    env = heads_up()
    play(env, CALL, CALL)
    assert action(env, constant(chips / STACK)) == expected


def test_a_small_remainder_of_the_stack_goes_all_in():
    env = heads_up()
    play(env, 10_000, CALL)  # 10,000 are left
    assert action(env, constant(10_040 / STACK)) == 10_000
    assert action(env, constant(9_960 / STACK)) == 10_000
    assert action(env, constant(9_940 / STACK)) == 9_900
    env.step(10_000)
    assert action(env, constant(9_990 / STACK)) == FOLD
    assert action(env, constant(10_001 / STACK)) == CALL


def test_a_raise_is_at_least_the_minimum():
    env = heads_up()
    play(env, 300, CALL, 330)  # a bet of 330: the least raise is to 660
    assert action(env, constant(659 / STACK)) == CALL
    assert action(env, constant(661 / STACK)) == 700


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        (149, CALL),  # a quarter of the pot of 600
        (151, 300),
        (449, 300),
        (451, 600),
        (751, 900),
        (1_051, 1_200),
        (10_000, 1_200),
        (10_451, 19_700),  # nearer to all-in than to two pots
    ],
)
def test_adjusted_raises_are_half_pots(chips, expected):
    env = heads_up()
    play(env, 300, CALL)
    assert action(env, constant(chips / STACK, adjusted=1)) == expected


# --- players on disk and wrong ones --------------------------------------------------------------


def test_weights_that_fit_no_shape_are_refused():
    with pytest.raises(ValueError, match="for the kind 'ashe-1'; got shape"):
        AshePlayer(np.zeros(5), shape=SMALL)
    with pytest.raises(ValueError, match="adjusted and sparse 0 or 1"):
        AshePlayer(np.zeros(5), shape=SMALL._replace(sparse=2))
    with pytest.raises(ValueError, match="finite"):
        AshePlayer(np.full(count_genes(SMALL), np.nan), shape=SMALL)


def test_both_backends_play_the_same():
    game = nlhe_env.Game.cash(starting_stack=STACK, blinds=(50, 100), num_hands=8)
    players = [player(spread=1.0), agents.make("random-gambler:every=2")]
    fast = agents.play(players, agents.Blocks(3), game, seed=5)
    slow = agents.play(players, agents.Blocks(3), game, seed=5, record=[])
    assert fast.totals.tolist() == slow.totals.tolist()
    assert fast.totals[0] != 0


def test_players_with_memory_can_be_made_without_compiling(tmp_path):
    making = "import agents; agents.make('ashe-1.0'); agents.make('lstm')"
    made = subprocess.run(
        [sys.executable, "-c", making],
        env={**os.environ, "NLHE_ENV_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stderr == ""


@pytest.mark.parametrize(("version", "seed"), [("2.1", 3), ("2.2", 2), ("2.3", 1)])
def test_later_versions_are_shipped_in_the_small_size(version, seed):
    config, player = load_preset(f"ashe-{version}-small"), agents.make(f"ashe-{version}")
    assert player.origin == {
        "preset": f"ashe-{version}-small",
        "seed": seed,
        "generation": config.generations,
    }
    assert player.shape == config.genomes.shape
    assert player.version == version
    assert agents.describe(f"ashe-{version}").startswith("small size")


@pytest.mark.parametrize("version", ["2.2", "2.3"])
def test_players_that_look_ahead_beat_a_caller(version):
    game = nlhe_env.Game.cash(starting_stack=STACK, blinds=(50, 100), num_hands=500)
    players = [agents.make(f"ashe-{version}"), agents.make("calling-machine")]
    tally = agents.play(players, agents.Blocks(2), game, seed=99, variance_reduction="all-in")
    assert tally.scores[0] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "preset"),
    [
        ("ashe-1.0", "ashe-1.0-fair"),
        ("ashe-1.0-tuned", "ashe-1.0-tuned"),
        ("ashe-1.0-refined", "ashe-1.0-refined"),
        ("ashe-2.0", "ashe-2.0-fair"),
        ("ashe-2.0-tuned", "ashe-2.0-tuned"),
    ],
)
def test_shipped_players_beat_all_their_training_opponents(player, preset):
    config = load_preset(preset)
    game = nlhe_env.Game.cash(starting_stack=STACK, blinds=(50, 100), num_hands=500)
    one = agents.make(player)
    assert one.origin == {"preset": preset, "generation": config.generations}
    assert one.shape == config.genomes.shape
    for opponent in config.opponents.named_later or config.opponents.named:
        players = [one, agents.make(opponent)]
        tally = agents.play(players, agents.Blocks(6), game, seed=99, variance_reduction="all-in")
        assert tally.scores[0] > 3 * tally.errors[0], opponent
