"""Sparse networks: what their nodes compute, as players and in the JSON form of neat-python."""

import json
import random
from types import SimpleNamespace

import numpy as np
import pytest

import agents
import nlhe_env
from agents.match.environment import play_in_environment
from agents.players.networks import (
    NetworkLink,
    NetworkNode,
    SparseNetwork,
    SparseNetworkPlayer,
    network_outputs,
)
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
    np.testing.assert_allclose(network_outputs(network, inputs), expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_networks_survive_weights_and_json(seed):
    network = random_network(seed)
    inputs = np.random.default_rng(seed).normal(size=(5, N_INPUTS))
    expected = network_outputs(network, inputs)
    player = SparseNetworkPlayer(network, inputs="features_cash")
    np.testing.assert_array_equal(network_outputs(player.network, inputs), expected)
    again = SparseNetwork.from_json(network.to_json({"fitness": 1.5}))
    assert again == network
    assert json.loads(network.to_json({"fitness": 1.5}))["metadata"] == {"fitness": 1.5}


def test_a_sparse_network_plays_alike_in_both_backends_and_from_its_file(tmp_path):
    player = SparseNetworkPlayer(random_network(3), inputs="features_cash")
    agents.save_player(tmp_path / "net.npz", player)
    loaded = agents.load_player(tmp_path / "net.npz")
    assert isinstance(loaded, SparseNetworkPlayer)
    players = [loaded, agents.make("caller"), agents.make("random")]
    game = Game.cash(num_hands=5)
    compiled = agents.play(players, agents.Blocks(4), game, seed=3)
    stepped = play_in_environment(players, agents.Blocks(4), game, seed=3)
    np.testing.assert_array_equal(compiled.totals, stepped.totals)
    assert compiled.decisions == stepped.decisions


def test_larger_outputs_are_played_more_often():
    nodes = tuple(NetworkNode(i, bias, "identity") for i, bias in enumerate((0.0, 3.0, -2.0, 0, 1)))
    player = SparseNetworkPlayer(SparseNetwork(N_INPUTS, 5, nodes, ()), inputs="features_cash")
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
    np.testing.assert_allclose(network_outputs(ours, inputs), expected, rtol=1e-3, atol=1e-4)
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
        SparseNetworkPlayer(random_network(1, n_inputs=3), inputs="features_cash")
    player = SparseNetworkPlayer(random_network(1), inputs="features_cash")
    weights = player.weights.copy()
    weights[0] = 1e6
    with pytest.raises(ValueError, match="do not describe a sparse network"):
        agents.CompiledPlayer("x", player.kind, weights, "features_cash", player.sizes)
    with pytest.raises(ValueError, match="JSON form of neat-python"):
        SparseNetwork.from_json("{}")
    text = random_network(1).to_json().replace('"sum"', '"max"')
    with pytest.raises(ValueError, match="the aggregation of nodes must be sum"):
        SparseNetwork.from_json(text)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("nodes", 0, "activation", "custom"),
            True,
            "the activation of node 0 is a custom function",
        ),
        (("nodes", 0, "aggregation", "custom"), True, "the aggregation of node 0 is a custom"),
        (("topology", "num_inputs"), 3, "num_inputs is 3, but there are 2 input_keys"),
        (("topology", "num_outputs"), 2, "num_outputs is 2, but there are 1 output_keys"),
        (("topology", "output_keys"), [-1], "the key -1 stands twice"),
        (("nodes", 0, "type"), "hidden", "node 0 is of type hidden, but output by its key"),
        (("nodes", 0, "type"), "input", "node 0 is of type input, but output by its key"),
        (("nodes", 1, "id"), 0, "two nodes have the id 0"),
        (("nodes", 2, "bias"), 0.5, "the input -1 must be passed on unchanged"),
        (("connections", 1, "from"), -1, "two connections lead from -1 to 0"),
        (("connections", 0, "enabled"), "false", "enabled must be true or false; got 'false'"),
    ],
)
def test_fields_that_contradict_the_network_are_named(path, value, message):
    nodes = (NetworkNode(0, 0.5, "relu"), NetworkNode(1, 0.0))
    links = (NetworkLink(-1, 0, 1.0), NetworkLink(-2, 0, 1.0), NetworkLink(1, 0, 1.0))
    document = json.loads(SparseNetwork(2, 1, nodes, links).to_json())
    SparseNetwork.from_json(json.dumps(document))
    *steps, last = path
    at = document
    for step in steps:
        at = at[step]
    at[last] = value
    with pytest.raises(ValueError, match=message):
        SparseNetwork.from_json(json.dumps(document))


NODE = {"id": 0, "type": "output", "bias": 0, "response": 1, "aggregation": {"name": "sum"}}
NODE["activation"] = {"name": "identity"}
JSON = {
    "format_version": "1.0",
    "network_type": "feedforward",
    "topology": {"input_keys": [-1], "output_keys": [0]},
    "nodes": [NODE],
    "connections": [{"from": -1, "to": 0, "weight": 1, "enabled": True}],
}


@pytest.mark.parametrize("value", [10**400, 10**299, "12", None, [1], True, {}, -1.5, float("nan")])
def test_hostile_json_of_networks_is_refused_or_read(value):
    SparseNetwork.from_json(json.dumps(JSON))
    texts = [json.dumps(JSON | {field: value}) for field in JSON]
    texts += [json.dumps(JSON | {"nodes": [NODE | {field: value}]}) for field in NODE]
    link = JSON["connections"][0]
    texts += [json.dumps(JSON | {"connections": [link | {field: value}]}) for field in link]
    texts += [json.dumps(JSON | {"topology": {**JSON["topology"], "input_keys": value}})]
    for text in texts:
        try:
            network = SparseNetwork.from_json(text)
        except ValueError:
            continue
        assert np.isfinite([link.weight for link in network.links]).all()


def test_nesting_and_too_many_links_are_refused():
    with pytest.raises(ValueError, match="nested too deeply"):
        SparseNetwork.from_json("[" * 200_000)
    links = JSON["connections"] * 100_001
    with pytest.raises(ValueError, match="at most 100000 inputs, outputs, nodes and links"):
        SparseNetwork.from_json(json.dumps(JSON | {"connections": links}))


@pytest.mark.parametrize(
    ("weights", "sizes"),
    [
        ([1e9, 3, 0, 1, 0, 1], (10**9, 1, 1, 1)),
        ([1, 3, 0, np.inf, 0, 1], (1, 1, 1, 1)),
        ([1, 3, 0, 2**24, 0, 1], (1, 1, 1, 1)),
        ([np.inf, 3, 0, 1, 0, 1], (1, 1, 1, 1)),
        ([1, 3, 0, 1, 0.5, 1], (1, 1, 1, 1)),
        ([1, 3, 0, 1, 0, 1], (1, 1, 10**9, 1)),
    ],
)
def test_hostile_records_of_networks_are_refused_at_once(weights, sizes):
    with pytest.raises(ValueError, match="do not describe a sparse network"):
        SparseNetwork.from_weights(np.array(weights, np.float32), np.array(sizes))
