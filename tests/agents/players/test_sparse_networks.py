"""Sparse networks: what their nodes compute, as players and in the JSON form of neat-python."""

from __future__ import annotations

import json
import random
from types import SimpleNamespace

import numpy as np
import pytest

import agents
import nlhe_env
from agents import NetworkLink, NetworkNode, SparseNetwork
from agents.match.environment import play_in_environment
from nlhe_env import Game

N_INPUTS = 14
ACTIVATIONS = ("sigmoid", "tanh", "relu", "identity")


def random_network(seed, n_inputs=N_INPUTS, n_outputs=5, n_hidden=12):
    """A random acyclic network, with links from outputs and nodes that lead nowhere among them."""
    rng = np.random.default_rng(seed)
    ids = rng.permutation(n_outputs + n_hidden).tolist()  # sources come before targets here
    nodes = tuple(
        NetworkNode(i, *rng.normal(size=1), rng.choice(ACTIVATIONS), rng.uniform(0.5, 2))
        for i in ids
    )
    places = [-1 - i for i in range(n_inputs)] + ids
    pairs = [
        (places[j], ids[i])
        for i in range(len(ids))
        for j in range(n_inputs + i)
        if rng.random() < 0.2
    ]
    links = tuple(NetworkLink(*pair, rng.normal()) for pair in rng.permutation(pairs).tolist())
    return SparseNetwork(n_inputs, n_outputs, nodes, links)


def computed(network, row):
    """The outputs by the definition alone, in double precision."""
    functions = {
        "sigmoid": lambda z: 1 / (1 + np.exp(-5 * z)),
        "tanh": lambda z: np.tanh(2.5 * z),
        "relu": lambda z: max(z, 0),
        "identity": lambda z: z,
    }

    def value(i):
        if i < 0:
            return row[-1 - i]
        node = next(node for node in network.nodes if node.id == i)
        total = sum(link.weight * value(link.source) for link in network.links if link.target == i)
        return functions[node.activation](node.bias + node.response * total)

    return [value(i) for i in range(network.n_outputs)]


@pytest.mark.parametrize("seed", range(8))
def test_outputs_are_those_of_the_definition(seed):
    network = random_network(seed)
    inputs = np.random.default_rng(seed).normal(size=(5, N_INPUTS))
    expected = [computed(network, row) for row in inputs]
    np.testing.assert_allclose(
        agents.network_outputs(network, inputs), expected, rtol=1e-3, atol=1e-4
    )


@pytest.mark.parametrize("seed", range(4))
def test_networks_survive_weights_and_json(seed):
    network = random_network(seed)
    inputs = np.random.default_rng(seed).normal(size=(5, N_INPUTS))
    expected = agents.network_outputs(network, inputs)
    player = agents.SparseNetworkPlayer(network, inputs="features_cash")
    np.testing.assert_array_equal(agents.network_outputs(player.network, inputs), expected)
    again = SparseNetwork.from_json(network.to_json({"fitness": 1.5}))
    assert again == network
    assert json.loads(network.to_json({"fitness": 1.5}))["metadata"] == {"fitness": 1.5}


def test_a_sparse_network_plays_alike_in_both_backends_and_from_its_file(tmp_path):
    player = agents.SparseNetworkPlayer(random_network(3), inputs="features_cash")
    agents.save_player(tmp_path / "net.npz", player)
    loaded = agents.load_player(tmp_path / "net.npz")
    assert isinstance(loaded, agents.SparseNetworkPlayer)
    players = [loaded, agents.make("caller"), agents.make("random")]
    game = Game.cash(num_hands=5)
    compiled = agents.play(players, agents.Blocks(4), game, seed=3)
    stepped = play_in_environment(players, agents.Blocks(4), game, seed=3)
    np.testing.assert_array_equal(compiled.totals, stepped.totals)
    assert compiled.decisions == stepped.decisions


def test_larger_outputs_are_played_more_often():
    nodes = tuple(NetworkNode(i, bias, "identity") for i, bias in enumerate((0.0, 3.0, -2.0, 0, 1)))
    player = agents.SparseNetworkPlayer(
        SparseNetwork(N_INPUTS, 5, nodes, ()), inputs="features_cash"
    )
    env = nlhe_env.raw_env(
        2, mode="cash", actions="sized", observation="features_cash", blinds=(10, 20)
    )
    seats = agents.Lineup(env, dict.fromkeys(env.possible_agents, player))
    env.reset(seed=1)
    assert seats.policy() == pytest.approx([0, 0.75, 0, 0, 0.25])  # negative ones never


def neat_network(seed):
    """A feed-forward network of neat-python, after many mutations of a random genome."""
    neat = pytest.importorskip("neat")
    values = {"num_inputs": 6, "num_outputs": 3, "num_hidden": 2, "feed_forward": True}
    values |= {f"compatibility_{name}_coefficient": 1.0 for name in ("disjoint", "weight")}
    values |= {"conn_add_prob": 0.7, "conn_delete_prob": 0.2, "node_add_prob": 0.5}
    values |= {"node_delete_prob": 0.1, "initial_connection": "full_direct"}
    for name in ("bias", "response", "weight"):
        values |= {f"{name}_init_mean": 0.0, f"{name}_init_stdev": 1.0}
        values |= {f"{name}_min_value": -9.0, f"{name}_max_value": 9.0}
        values |= {f"{name}_mutate_power": 0.5, f"{name}_mutate_rate": 0.5}
        values |= {f"{name}_replace_rate": 0.1, f"{name}_init_type": "gaussian"}
    for name, options in (("activation", ACTIVATIONS), ("aggregation", ("sum",))):
        values |= {f"{name}_default": "random", f"{name}_options": " ".join(options)}
        values |= {f"{name}_mutate_rate": 0.1}
    values |= {"enabled_default": True, "enabled_mutate_rate": 0.1}
    values |= {"enabled_rate_to_true_add": 0.0, "enabled_rate_to_false_add": 0.0}
    config = neat.DefaultGenome.parse_config({key: str(value) for key, value in values.items()})
    config.innovation_tracker = neat.InnovationTracker()
    random.seed(seed)
    genome = neat.DefaultGenome(seed)
    genome.configure_new(config)
    for _ in range(30):
        genome.mutate(config)
    return neat.nn.FeedForwardNetwork.create(genome, SimpleNamespace(genome_config=config))


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore:.*utcnow:DeprecationWarning")
@pytest.mark.parametrize("seed", range(10))
def test_networks_of_neat_python_compute_the_same_here(seed):
    theirs = neat_network(seed)
    neat_export = pytest.importorskip("neat.export")
    ours = SparseNetwork.from_json(neat_export.export_network_json(theirs))
    inputs = np.random.default_rng(seed).normal(size=(20, 6))
    expected = [theirs.activate(row) for row in inputs]
    np.testing.assert_allclose(agents.network_outputs(ours, inputs), expected, rtol=1e-3, atol=1e-4)
    assert neat_export.validate_json(json.loads(ours.to_json()))


@pytest.mark.parametrize(
    ("nodes", "links", "message"),
    [
        ((NetworkNode(0, 0.0),), (NetworkLink(-3, 0, 1.0),), "from an input or a node"),
        ((NetworkNode(0, 0.0),), (NetworkLink(5, 0, 1.0),), "a missing node"),
        ((NetworkNode(1, 0.0),), (), "including the 1 outputs"),
        ((NetworkNode(0, 0.0, "sine"),), (), "activation must be one of"),
        (
            (NetworkNode(0, 0.0), NetworkNode(1, 0.0)),
            (NetworkLink(1, 0, 1.0), NetworkLink(0, 1, 1.0)),
            "form a cycle",
        ),
    ],
)
def test_impossible_networks_are_refused(nodes, links, message):
    with pytest.raises(ValueError, match=message):
        SparseNetwork(2, 1, nodes, links)


def test_impossible_players_and_texts_are_refused():
    with pytest.raises(ValueError, match="14 inputs and 5 outputs; got 3 and 5"):
        agents.SparseNetworkPlayer(random_network(1, n_inputs=3), inputs="features_cash")
    player = agents.SparseNetworkPlayer(random_network(1), inputs="features_cash")
    weights = player.weights.copy()
    weights[0] = 1e6
    with pytest.raises(ValueError, match="do not describe a sparse network"):
        agents.CompiledPlayer("x", player.kind, weights, "features_cash", player.sizes)
    with pytest.raises(ValueError, match="JSON form of neat-python"):
        SparseNetwork.from_json("{}")
    text = random_network(1).to_json().replace('"sum"', '"max"')
    with pytest.raises(ValueError, match="the aggregation of nodes must be sum"):
        SparseNetwork.from_json(text)
