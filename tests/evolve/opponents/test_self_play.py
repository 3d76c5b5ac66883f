"""Opponents of self-play: a gate on behaviour, fresh random networks, the whole past."""

import numpy as np
import pytest

import nlhe_env
from evolve import seeds
from evolve.genomes.network_kind import NetworkKind, PotSizedNetworkKind
from evolve.opponents.behaviour_probes import BehaviourProbes
from evolve.opponents.policies import OpponentResults
from evolve.opponents.self_play import SelfPlaySettings
from evolve.optimizers.base import NumberOptimizer
from evolve.optimizers.openai_es import OpenAIES
from evolve.training.config import Config
from nlhe_env.kernels import kernel
from nlhe_env.spaces import observations

KIND = NetworkKind(inputs="features_unit", hidden=(2,))
EDGE = 3  # its input


def network(*, edge: float, fold: float) -> np.ndarray:
    """Weights of a network whose first hidden unit recognises good cards, and folds bad ones."""
    to_hidden, to_actions = np.zeros((36, 2)), np.zeros((3, 5))
    to_hidden[EDGE, 0] = edge
    to_actions[0, 0] = -2.0 * fold
    to_actions[2, 0] = fold
    return np.concatenate([to_hidden.ravel(), to_actions.ravel()]).astype(np.float32)


def optimizer_at(weights: np.ndarray) -> NumberOptimizer:
    """An optimizer whose present player is this one."""
    return NumberOptimizer(OpenAIES(weights, population=4, sigma=0.1, seed=1), KIND)


def policy_of(seats=6, **values):
    """A policy whose gate is open, and that keeps every generation."""
    values = {"card_sensitivity_gate": 0.0, "pool_every": 1, **values}
    return SelfPlaySettings(**values).make(KIND, 1, seats=seats, seed=1)


def test_only_players_that_use_cards_are_card_sensitive():
    probes = BehaviourProbes.draw("features_unit", np.random.default_rng(1), count=128, players=6)
    rows = [network(edge=0.0, fold=8.0), network(edge=5.0, fold=8.0), network(edge=5.0, fold=0.0)]
    blind, seeing, careless = probes.moved_by_cards(KIND.of_numbers(np.stack(rows)), KIND.inputs)
    assert blind == careless == 0.0
    assert 0.1 < seeing < 1.0


@kernel
def write_blank(table, players, seat, strength_tables, out):
    out[0] = 1.0


def test_inputs_without_cards_cannot_be_permuted(monkeypatch):
    # Other tests read how many observations there are.
    monkeypatch.setattr(observations, "_observations", dict(observations._observations))
    nlhe_env.register_observation("test-blank", write_blank, [("one", 1, 1, "always 1")])
    probes = BehaviourProbes(np.zeros((4, 1), np.float32), np.ones((4, 5), np.int8))
    with pytest.raises(ValueError, match="have no part 'win_chance' or 'edge'"):
        probes.moved_by_cards(KIND.none(), "test-blank")


def test_the_gate_opens_permanently_once_play_depends_on_cards():
    policy = policy_of(card_sensitivity_gate=0.1)
    blind, seeing = network(edge=0.0, fold=8.0), network(edge=5.0, fold=8.0)
    for generation, weights, opened in [(1, blind, False), (2, seeing, True), (3, blind, True)]:
        optimizer = optimizer_at(weights)
        candidates = optimizer.ask()
        assert (policy.select(candidates, optimizer, generation) is None) == (generation < 3)
        policy.learn(None, optimizer, generation)
        assert policy.opened is opened
    assert len(policy.checkpoints) == 3


def test_seats_are_split_between_random_networks_and_the_past():
    policy = policy_of(random_share=0.5, random_players=4)
    optimizer = optimizer_at(network(edge=5.0, fold=8.0))
    for generation in (1, 2):
        policy.learn(None, optimizer, generation)
    met = policy.select(optimizer.ask(), optimizer, 3)
    np.testing.assert_allclose(met.chances, [0.25, 0.25, *[0.125] * 4])
    again = policy.select(optimizer.ask, optimizer, 3).batch.weights
    np.testing.assert_array_equal(met.batch.weights, again)
    later = policy.select(optimizer.ask, optimizer, 4).batch.weights
    np.testing.assert_array_equal(later[:2], again[:2])
    assert not (later[2:] == again[2:]).any(axis=1).any()
    expected = KIND.first_numbers(seeds.stream_seed(1, seeds.NEWCOMERS, 3, 0))
    np.testing.assert_array_equal(again[2], expected)


def test_unbeaten_past_players_are_met_most():
    values = {"random_share": 0.5, "random_players": 2, "pool_priority": "hard"}
    policy = policy_of(seats=2, **values)
    optimizer = optimizer_at(network(edge=5.0, fold=8.0))
    policy.learn(results([], []), optimizer, 1)
    assert policy.select(optimizer.ask(), optimizer, 2).members.tolist() == [0]
    policy.learn(results([4.0], [4.0]), optimizer, 2)
    met = policy.select(optimizer.ask, optimizer, 3)
    # Five of six games won, a half of one of the newcomer: (1 - x)^2, in a tenth all alike.
    weights = np.square([1 / 6, 1 / 2])
    expected = 0.5 * (0.9 * weights / weights.sum() + 0.1 / 2)
    np.testing.assert_allclose(met.chances, [*expected, 0.25, 0.25])
    policy.learn(results([0.0, 1.0], [2.0, 1.0]), optimizer, 3)
    np.testing.assert_allclose(policy.wins, [0.9 * 4.0, 1.0])
    np.testing.assert_allclose(policy.games, [0.9 * 4.0 + 2.0, 1.0])
    other = policy_of(seats=2, **values)
    other.restore(policy.state())
    np.testing.assert_array_equal(
        other.select(optimizer.ask, optimizer, 4).chances,
        policy.select(optimizer.ask, optimizer, 4).chances,
    )


def test_past_members_may_be_biased_too():
    policy = policy_of(random_share=0.25, random_players=2, biased_share=0.5, biased_players=3)
    optimizer = optimizer_at(network(edge=5.0, fold=8.0))
    policy.learn(None, optimizer, 1)
    met = policy.select(optimizer.ask(), optimizer, 2)
    np.testing.assert_allclose(met.chances, [0.25, *[0.125] * 2, *[0.5 / 3] * 3])
    again = policy.select(optimizer.ask, optimizer, 2).batch.weights
    np.testing.assert_array_equal(met.batch.weights, again)
    checkpoints, bent = again[0], again[3:]
    np.testing.assert_array_equal(bent[:, :-5], np.tile(checkpoints[:-5], (3, 1)))
    assert (bent[:, -5:] != checkpoints[-5:]).all()
    later = policy.select(optimizer.ask, optimizer, 3).batch.weights
    assert (later[3:, -5:] != bent[:, -5:]).all()


def test_a_bias_is_towards_folding_calling_or_raising():
    rows = np.random.default_rng(3).normal(size=(400, KIND.n_weights)).astype(np.float32)
    added = KIND.of_numbers(rows).with_random_bias(3.0, np.random.default_rng(4)).weights - rows
    assert not added[:, :-5].any()
    fold, call, *raises = added[:, -5:].T
    np.testing.assert_allclose(raises[1:], [raises[0]] * 2, atol=1e-6)
    three = np.stack([fold, call, raises[0]])
    np.testing.assert_allclose(three.std(axis=1), 3.0, rtol=0.1)
    assert np.abs(np.corrcoef(three) - np.eye(3)).max() < 0.15


def test_every_second_biased_pot_network_uses_the_published_sizes():
    kind = PotSizedNetworkKind(hidden=(2,))
    rows = np.random.default_rng(5).normal(size=(5, kind.n_weights)).astype(np.float32)
    batch = kind.of_numbers(rows).with_random_bias(0.0, np.random.default_rng(6))
    np.testing.assert_array_equal(batch.weights, rows[[0, 2, 4, 1, 3]])
    kinds = [batch.kinds[i].name for i in batch.which]
    assert kinds == ["pot-sized-network"] * 3 + ["argmax-network"] * 2


def test_opponent_shares_leave_a_non_negative_share_for_the_past():
    with pytest.raises(ValueError, match=r"sum to at most 1; got 0\.6 and 0\.5"):
        SelfPlaySettings(random_share=0.6, biased_share=0.5)


def results(wins, games):
    """Training results of opponents: wins of candidates against each past player."""
    return OpponentResults(None, None, np.array(wins), np.array(games))


def test_a_restored_policy_continues():
    policy, other = (policy_of(card_sensitivity_gate=0.1) for _ in range(2))
    policy.learn(None, optimizer_at(network(edge=5.0, fold=8.0)), 1)
    other.restore(policy.state())
    assert other.describe() == policy.describe()
    np.testing.assert_array_equal(other.checkpoints.weights, policy.checkpoints.weights)


def test_single_candidate_blocks_need_opponents():
    with pytest.raises(ValueError, match="card_sensitivity_gate must be 0 with schedule"):
        Config().with_values(
            optimizer="openai-es", schedule="blocks", opponents="self-play", inputs="features_unit"
        )
