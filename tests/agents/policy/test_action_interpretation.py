"""Interpretations of the published rules: results of illegal actions and small raises."""

import numpy as np
import pytest
from helpers import assert_equal, deal, genome, play_as

import agents
from agents.match.environment import play_in_environment
from agents.measure.leagues.league import fingerprint
from agents.policy.action_interpretation import ActionInterpretation
from agents.policy.action_probabilities import policy, policy_of_inputs
from nlhe_env import Game
from nlhe_env.game import random_stream as rng
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import bet_sizing
from nlhe_env.spaces.bet_sizing import LARGE, MEDIUM, SMALL

CALL = ActionInterpretation(illegal_action="call")
PRINTED = ActionInterpretation(illegal_action="call", raise_sizes="verbatim")
EVERY = [ActionInterpretation(), CALL, ActionInterpretation(raise_sizes="verbatim"), PRINTED]
POINTS = (0.01, 0.03, 0.06, 0.10, 0.15, 0.20, 0.25, 0.30, 1 / 3, 0.50, 0.75)
N = 40_000


def biased(*outputs: float) -> np.ndarray:
    """A network whose outputs are these sigmoids, whatever it sees."""
    weights = np.zeros(825, np.float32)
    weights[820:] = outputs
    return weights


def test_a_code_maps_to_its_interpretation():
    assert [ActionInterpretation.of_code(one.code) for one in EVERY] == EVERY
    assert [one.code for one in EVERY] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("mask", "becomes"),
    [
        ([1, 1, 1, 1, 1], [0, 1, 2, 3, 4]),
        ([0, 1, 1, 1, 1], [1, 1, 2, 3, 4]),
        ([1, 1, 0, 0, 0], [0, 1, 1, 1, 1]),
        ([0, 1, 0, 0, 0], [1, 1, 1, 1, 1]),
    ],
    ids=["all", "no fold", "no raise", "call alone"],
)
def test_illegal_actions_become_checks_or_calls(mask, becomes):
    batch = agents.pack_players([agents.NetworkPlayer(genome(3), interpretation=CALL)])
    seen = np.random.default_rng(3).random((1, 35)).astype(np.float32)
    outputs = policy_of_inputs(batch, seen, np.ones((1, 5), np.int8))[0, 0]
    found = policy_of_inputs(batch, seen, np.array([mask], np.int8))[0, 0]
    wanted = np.zeros(5)
    np.add.at(wanted, becomes, outputs)
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_an_always_folding_network_plays_like_folder():
    # Outputs of exactly 0 but for the fold: the network is one with the published Folder.
    folds = biased(30.0, -200.0, -200.0, -200.0, -200.0)
    company = [agents.make_compiled(name) for name in ("random", "raiser", "caller") * 2]
    game, schedule = Game.tournament(), agents.Tournaments(30)

    def play(first):
        return agents.play([first, *company], schedule, game, seed=4, rows=True)

    assert_equal(
        play(agents.NetworkPlayer(folds, interpretation=CALL)), play(agents.make_compiled("folder"))
    )


def test_masked_folds_become_raises():
    # Folds at nine in ten, raises else: facing nothing it raises always, or one time in ten.
    weights = biased(2.0, -200.0, -2.0, -200.0, -200.0)
    mask = np.array([[0, 1, 1, 1, 1]], np.int8)
    seen = np.zeros((1, 35), np.float32)
    raises = [
        policy_of_inputs(
            agents.pack_players([agents.NetworkPlayer(weights, interpretation=one)]), seen, mask
        )[0, 0, 2]
        for one in (ActionInterpretation(), CALL)
    ]
    fold = 1 / (1 + np.exp(-2.0))
    assert raises == pytest.approx([1.0, 1.0 - fold], abs=1e-6)


# --- sizes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "shares"),
    [
        (
            SMALL,
            (0.1167, 0.35, 0.7, 0.7279, 0.7623, 0.7953, 0.8265, 0.8552, 0.8728, 0.9405, 0.9869),
        ),
        (MEDIUM, (0, 0, 0.0003, 0.1, 0.4, 0.7, 0.9370, 0.9963, 0.9998, 1, 1)),
        (LARGE, (0, 0, 0, 0, 0, 0, 0.0014, 0.05, 0.1084, 0.3887, 0.7172)),
    ],
)
def test_raise_sizes_have_the_published_distribution(size, shares):
    for point, share in zip(POINTS, shares, strict=True):
        assert bet_sizing.chance_below(size, point) == pytest.approx(share, abs=6e-5)


@kernel
def count_calls(tables, size, n):
    calls = 0
    for i in range(n):
        _, part, place = rng.decision_units(79, 1, i, size, 0)
        calls += bet_sizing.is_a_call(tables[0], size, part, place)
    return calls


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE])
@pytest.mark.parametrize("bet", [20, 60, 150, 500])
def test_raises_become_calls_with_the_computed_probability(bet, size):
    env = deal([1000, 1000, 400])
    if bet > 20:
        play_as(env, (0, bet))
    expected = bet_sizing.chance_of_a_call(env.tables[0], size)
    error = np.sqrt(max(expected * (1 - expected), 1e-4) / N)
    assert abs(count_calls(env.tables, size, N) / N - expected) < 4.5 * error


def test_a_bet_is_never_a_call():
    env = deal([1000, 1000])
    play_as(env, (0, 1), (1, 1))  # to the flop: nothing to call
    assert all(count_calls(env.tables, size, 100) == 0 for size in (SMALL, MEDIUM, LARGE))


def test_policies_count_raises_that_become_calls_as_calls():
    env = deal([1000, 1000, 400])
    play_as(env, (0, 60))
    weights = biased(-200.0, -200.0, 0.0, -200.0, -200.0)  # always a small raise
    batch = agents.pack_players([agents.NetworkPlayer(weights, interpretation=PRINTED)] * 3)
    table = env.tables[0]
    chances = policy(
        batch, int(table["player"][table["actor"]]), table, env.players, batch.work_arrays()
    )
    expected = bet_sizing.chance_of_a_call(table, SMALL)
    assert 0.5 < expected < 0.95
    assert chances == pytest.approx([0, expected, 1 - expected, 0, 0], abs=1e-9)


# --- both backends, files ------------------------------------------------------------------------


class Outside:
    """A network that sees observations and infos only."""

    actions = "sized"

    def __init__(self, player):
        self.observation = player.inputs
        self.begin, self.act = player.begin, player.act


@pytest.mark.parametrize("interpretation", EVERY, ids=lambda one: str(one.code))
def test_every_backend_follows_the_interpretation(interpretation):
    players = [
        agents.NetworkPlayer(
            genome(seed, 0.05), inputs="features_scaled", interpretation=interpretation
        )
        for seed in range(4)
    ]
    game, schedule = Game.tournament(starting_stack=400), agents.Tournaments(3)
    compiled = agents.play(players, schedule, game, seed=5, rows=True)
    assert_equal(play_in_environment(players, schedule, game, seed=5, rows=True), compiled)
    outside = [Outside(player) for player in players]
    assert_equal(agents.play(outside, schedule, game, seed=5, rows=True), compiled)
    if interpretation.code:
        usual = [agents.NetworkPlayer(p.weights, inputs=p.inputs) for p in players]
        assert agents.play(usual, schedule, game, seed=5).decisions != compiled.decisions


@pytest.mark.parametrize("interpretation", EVERY, ids=lambda one: str(one.code))
@pytest.mark.parametrize("name", ["network", "topography", "lstm"])
def test_files_keep_the_interpretation(tmp_path, name, interpretation):
    players = {"topography": "old-start", "lstm": "lstm"}
    player = agents.make(players[name]) if name in players else agents.NetworkPlayer(genome(2))
    usual = fingerprint(player)
    player.interpretation = interpretation
    agents.save_player(tmp_path / "ann.npz", player)
    assert agents.load_player(tmp_path / "ann.npz").interpretation == interpretation
    assert (fingerprint(player) == usual) == (interpretation.code == 0)


def test_unknown_interpretations_are_refused():
    with pytest.raises(ValueError, match='illegal_action must be one of "masked", "call"'):
        ActionInterpretation(illegal_action="fold")
