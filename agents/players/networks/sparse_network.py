"""Sparse feed-forward networks of single nodes and links, in neat-python's JSON format.

Nodes are numbered as in neat-python: inputs -1, -2, ..., outputs 0, 1, ..., then hidden nodes. A
node is ``activation(bias + response * sum of weight * source)``; the activations have neat-python's
slopes, 5 for the sigmoid (4.9 in Stanley and Miikkulainen, 2002, section 4.1) and 2.5 for the
tangent.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agents.players.networks.network import N_OUTPUTS, OUTPUT_SPACE, count_inputs
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION, ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, make_sizes, register_kind
from agents.policy.view import Parameters, View, offer_weights
from nlhe_env.arguments import array, number, one_of
from nlhe_env.jit.array_types import F32, I64, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.numerics.portable_math import sigmoid32, tanh32
from nlhe_env.system.json_text import Types, check_fields, parse_fields

ACTIVATIONS = ("sigmoid", "tanh", "relu", "identity")
"""Activations, in the order of their codes for kernels."""
_SIGMOID, _TANH, _RELU = (ACTIVATIONS.index(name) for name in ("sigmoid", "tanh", "relu"))
_ZERO, _LIMIT = np.float32(0.0), np.float32(60.0)
_SIGMOID_SLOPE, _TANH_SLOPE = np.float32(5.0), np.float32(2.5)

NODE_NUMBERS = 3
"""Length of a node's record before its links: activation, bias, number of links."""
LINK_NUMBERS = 2
"""Length of a link's record: index of its source among inputs and nodes, weight."""

MOST_PARTS = 100_000
"""Maximum number of inputs, outputs, nodes and links of a network each."""

_FORMAT = "1.0"
_FIELDS: dict[str, Types] = {
    "format_version": str,
    "network_type": str,
    "topology": dict,
    "nodes": list,
    "connections": list,
}


class NetworkNode(NamedTuple):
    """An output or hidden node."""

    id: int
    """Outputs 0, 1, ..., then hidden nodes."""
    bias: float
    activation: str = "sigmoid"
    """One of ``ACTIVATIONS``."""
    response: float = 1.0
    """Factor of the weighted sum over the node's links."""


class NetworkLink(NamedTuple):
    """A connection between nodes."""

    source: int
    """An input (-1, -2, ...) or a node."""
    target: int
    """A node."""
    weight: float


@dataclass(frozen=True)
class SparseNetwork:
    """A feed-forward network of single nodes and links.

    Args:
        n_inputs: Number of inputs, with ids -1, -2, ...
        n_outputs: Number of outputs, with ids 0, 1, ...
        nodes: All output nodes, and any hidden nodes.
        links: Links in any order.

    Raises:
        ValueError: An output is missing, a link has an unknown end, an activation is unknown, or
            links form a cycle.

    >>> node, link = NetworkNode(0, -1.0, "identity"), NetworkLink(-1, 0, 2.0)
    >>> network = SparseNetwork(2, 1, (node,), (link,))
    >>> network.to_weights()
    array([ 2.,  3., -1.,  1.,  0.,  2.], dtype=float32)
    """

    n_inputs: int
    n_outputs: int
    nodes: tuple[NetworkNode, ...]
    links: tuple[NetworkLink, ...]

    def __post_init__(self) -> None:
        counts = (self.n_inputs, self.n_outputs, len(self.nodes), len(self.links))
        if max(counts) > MOST_PARTS:
            raise ValueError(
                f"a network has at most {MOST_PARTS} inputs, outputs, nodes and links each; got "
                f"{', '.join(map(str, counts))}"
            )
        ids = {node.id for node in self.nodes}
        if len(ids) < len(self.nodes) or not set(range(self.n_outputs)) <= ids or min(ids) < 0:
            raise ValueError(
                f"nodes must have unique ids, including the {self.n_outputs} outputs from 0; got "
                f"{sorted(node.id for node in self.nodes)}"
            )
        for node in self.nodes:
            one_of("activation", node.activation, ACTIVATIONS)
        for link in self.links:
            if not -self.n_inputs <= link.source or link.target not in ids:
                raise ValueError(f"a link must lead from an input or a node to a node; got {link}")
            if link.source >= 0 and link.source not in ids:
                raise ValueError(f"a link must not come from a missing node; got {link}")
        self.evaluation_order()

    def evaluation_order(self) -> tuple[int, ...]:
        """Ids of the nodes that outputs depend on, in topological order.

        Raises:
            ValueError: Links form a cycle.
        """
        sources: dict[int, list[int]] = {node.id: [] for node in self.nodes}
        for link in self.links:
            if link.source >= 0:
                sources[link.target].append(link.source)
        order: list[int] = []
        finished: dict[int, bool] = {}
        stack = [(i, False) for i in reversed(range(self.n_outputs))]
        while stack:  # depth-first search; a node is finished after all its sources
            node, leaves = stack.pop()
            if leaves:
                finished[node] = True
                order.append(node)
            elif node not in finished:
                finished[node] = False
                stack.append((node, True))
                for source in sorted(sources[node], reverse=True):
                    if finished.get(source) is False:
                        raise ValueError(f"links form a cycle through node {source}")
                    stack.append((source, False))
        return tuple(order)

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Number of inputs, outputs, evaluated nodes and their links."""
        order = set(self.evaluation_order())
        n_links = sum(link.target in order for link in self.links)
        return self.n_inputs, self.n_outputs, len(order), n_links

    def to_weights(self) -> F32:
        """The network as a flat record for kernels.

        It holds the index of every output; then, in order of evaluation, each node's activation,
        bias and number of links, followed by the index of the source and the weight of each link.
        Indices count the inputs first, then the nodes in this order.
        """
        order = self.evaluation_order()
        place = {-1 - i: i for i in range(self.n_inputs)}
        place |= {node: self.n_inputs + i for i, node in enumerate(order)}
        nodes = {node.id: node for node in self.nodes}
        links: dict[int, list[float]] = {node: [] for node in order}
        for link in self.links:
            if link.target in links:
                weight = nodes[link.target].response * link.weight
                links[link.target] += (place[link.source], weight)
        numbers: list[float] = [place[i] for i in range(self.n_outputs)]
        for node in order:
            code = ACTIVATIONS.index(nodes[node].activation)
            numbers += (code, nodes[node].bias, len(links[node]) // LINK_NUMBERS, *links[node])
        return np.array(numbers, np.float32)

    @classmethod
    def from_weights(cls, weights: F32, sizes: I64) -> SparseNetwork:
        """Network from its record; hidden nodes are numbered in order of evaluation.

        Args:
            weights: Record from ``to_weights``.
            sizes: Value of ``sizes``, with optional trailing zeros.

        Raises:
            ValueError: The numbers do not describe a network.
        """
        n_inputs, n_outputs, n_nodes, n_links = (int(n) for n in sizes[:4])
        if n_outputs + NODE_NUMBERS * n_nodes + LINK_NUMBERS * n_links != len(weights):
            raise ValueError(
                f"weights do not describe a sparse network of {n_outputs} outputs, {n_nodes} nodes "
                f"and {n_links} links; got {len(weights)} numbers"
            )
        nodes, links, at = list[NetworkNode](), list[NetworkLink](), n_outputs
        try:
            ids = {_whole(place): i for i, place in enumerate(weights[:n_outputs].tolist())}
            inner = (i for i in range(n_inputs, n_inputs + n_nodes) if i not in ids)
            ids |= {place: n_outputs + i for i, place in enumerate(inner)}
            for k in range(n_nodes):
                code, bias, n = weights[at : at + NODE_NUMBERS].tolist()
                at += NODE_NUMBERS
                node = ids[n_inputs + k]
                nodes.append(NetworkNode(node, bias, ACTIVATIONS[_whole(code)]))
                for _ in range(_whole(n)):
                    source, weight = weights[at : at + LINK_NUMBERS].tolist()
                    at += LINK_NUMBERS
                    if _whole(source) >= n_inputs + k:
                        raise ValueError(f"node {node} comes before one of its sources")
                    place = _whole(source)
                    known = -1 - place if place < n_inputs else ids[place]
                    links.append(NetworkLink(known, node, weight))
            network = cls(n_inputs, n_outputs, tuple(nodes), tuple(links))
        except (IndexError, KeyError, ValueError) as error:
            raise ValueError(f"weights do not describe a sparse network: {error}") from None
        if at != len(weights) or len(links) != n_links:
            raise ValueError(
                f"weights do not describe a sparse network of {n_links} links: {at} of "
                f"{len(weights)} numbers describe {len(links)}"
            )
        return network

    def to_json(self, metadata: Mapping[str, Any] | None = None) -> str:
        """The network in neat-python's JSON format."""
        nodes = [_node_entry(node, self.n_outputs) for node in self.nodes]
        nodes += [_input_entry(-1 - i) for i in range(self.n_inputs)]
        links = [
            {"from": link.source, "to": link.target, "weight": float(link.weight), "enabled": True}
            for link in self.links
        ]
        topology = {
            "num_inputs": self.n_inputs,
            "num_outputs": self.n_outputs,
            "input_keys": [-1 - i for i in range(self.n_inputs)],
            "output_keys": list(range(self.n_outputs)),
        }
        data = {
            "format_version": _FORMAT,
            "network_type": "feedforward",
            "metadata": dict(metadata or {}),
            "topology": topology,
            "nodes": nodes,
            "connections": links,
        }
        return json.dumps(data, indent=2)

    @classmethod
    def from_json(cls, text: str) -> SparseNetwork:
        """Network from neat-python's JSON format.

        Args:
            text: Output of ``neat.export.export_network_json`` for a feed-forward network. Disabled
                links are ignored.

        Raises:
            ValueError: The text has another format, the network is not feed-forward, or it uses
                functions other than sums and ``ACTIVATIONS``.
        """
        try:
            data = parse_fields(text, _FIELDS)
            if (data["format_version"], data["network_type"]) != (_FORMAT, "feedforward"):
                raise ValueError(
                    f"expected a feedforward network of format {_FORMAT}; got a "
                    f"{data['network_type']} one of format {data['format_version']}"
                )
            topology = check_fields(data["topology"], {"input_keys": list, "output_keys": list})
            _check_consistency(data)
            inputs, outputs = topology["input_keys"], topology["output_keys"]
            ids = {key: -1 - i for i, key in enumerate(inputs)}
            ids |= {key: i for i, key in enumerate(outputs)}
            read = [node for node in data["nodes"] if node["type"] != "input"]
            hidden = sorted(node["id"] for node in read if node["id"] not in ids)
            ids |= {key: len(outputs) + i for i, key in enumerate(hidden)}
            nodes = tuple(_read_node(node, ids) for node in read)
            links = tuple(
                NetworkLink(ids[each["from"]], ids[each["to"]], number("weight", each["weight"]))
                for each in data["connections"]
                if each["enabled"]
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a network in the JSON form of neat-python: {error!r}") from None
        except ValueError as error:
            raise ValueError(f"not a network in the JSON form of neat-python: {error}") from None
        network = cls(len(inputs), len(outputs), nodes, links)
        ends = set()
        for link in links:
            if (link.source, link.target) in ends:
                raise ValueError(f"two connections lead from {link.source} to {link.target}")
            ends.add((link.source, link.target))
        return network


def count_weights_of(sizes: I64) -> int:
    """Length of the record of a sparse network with these sizes."""
    _, n_outputs, n_nodes, n_links = (int(n) for n in sizes[:4])
    return n_outputs + NODE_NUMBERS * n_nodes + LINK_NUMBERS * n_links


def _whole(value: float) -> int:
    if not (value >= 0 and value.is_integer()):
        raise ValueError(f"expected a whole number of at least 0; got {value}")
    return int(value)


def _node_entry(node: NetworkNode, n_outputs: int) -> dict[str, Any]:
    return {
        "id": node.id,
        "type": "output" if node.id < n_outputs else "hidden",
        "activation": {"name": node.activation, "custom": False},
        "aggregation": {"name": "sum", "custom": False},
        "bias": float(node.bias),
        "response": float(node.response),
    }


def _input_entry(key: int) -> dict[str, Any]:
    return {
        "id": key,
        "type": "input",
        "activation": {"name": "identity", "custom": False},
        "aggregation": {"name": "none", "custom": False},
        "bias": 0.0,
        "response": 1.0,
    }


def _check_consistency(data: Mapping[str, Any]) -> None:
    """Check that no field contradicts another one."""
    topology = data["topology"]
    kinds = {}
    for kind in ("input", "output"):
        keys = topology[f"{kind}_keys"]
        count = topology.get(f"num_{kind}s", len(keys))
        if len(keys) != count:
            raise ValueError(f"num_{kind}s is {count}, but there are {len(keys)} {kind}_keys")
        for key in keys:
            if key in kinds:
                raise ValueError(f"the key {key} stands twice among input_keys and output_keys")
            kinds[key] = kind
    seen = set()
    for node in data["nodes"]:
        key, kind = node["id"], node["type"]
        if key in seen:
            raise ValueError(f"two nodes have the id {key}")
        seen.add(key)
        if kind != kinds.get(key, "hidden"):
            raise ValueError(
                f"node {key} is of type {kind}, but {kinds.get(key, 'hidden')} by its key"
            )
        if kind == "input" and _input_entry(key) != {**_input_entry(key), **node}:
            raise ValueError(f"the input {key} must be passed on unchanged; got {node}")
    for link in data["connections"]:
        if not isinstance(link["enabled"], bool):
            raise ValueError(f"enabled must be true or false; got {link['enabled']!r}")


def _function(entry: Mapping[str, Any], what: str) -> str:
    """Name of a node's function, which must be one of neat-python's own."""
    name = str(entry[what]["name"])
    if entry[what].get("custom", False) is not False:
        raise ValueError(
            f"the {what} of node {entry['id']} is a custom function, which cannot be read; got "
            f"{name}"
        )
    return name


def _read_node(entry: Mapping[str, Any], ids: Mapping[int, int]) -> NetworkNode:
    aggregation = _function(entry, "aggregation")
    if aggregation != "sum":
        raise ValueError(
            f"the aggregation of nodes must be sum; got {aggregation} for node {entry['id']}"
        )
    activation = one_of("activation", _function(entry, "activation"), ACTIVATIONS)
    bias, response = (number(name, entry[name]) for name in ("bias", "response"))
    return NetworkNode(ids[entry["id"]], bias, activation, response)


@kernel
def _activate(code: Int, total: Float) -> Float:
    """Value of a node, given the code of its activation and its sum."""
    if code == _SIGMOID:
        return sigmoid32(max(-_LIMIT, min(_LIMIT, _SIGMOID_SLOPE * total)))
    if code == _TANH:
        return tanh32(max(-_LIMIT, min(_LIMIT, _TANH_SLOPE * total)))
    if code == _RELU:
        return max(_ZERO, total)
    return total


@kernel
def _forward_sparse(weights: F32, sizes: I64, inputs: F32, values: F32, outputs: F32) -> None:
    """Forward pass of a sparse network, node by node in the order of its record.

    Args:
        weights: Record from ``SparseNetwork.to_weights``; trailing numbers are ignored.
        sizes: Number of inputs, outputs, nodes and links.
        inputs: ``(sizes[0],)`` float32.
        values: ``(sizes[0] + sizes[2],)`` float32 scratch: inputs, then nodes.
        outputs: ``(sizes[1],)`` float32, written.
    """
    n_inputs, n_outputs = sizes[0], sizes[1]
    for i in range(n_inputs):
        values[i] = inputs[i]
    at: Int = np.int64(n_outputs)
    for k in range(sizes[2]):
        total: Any = weights[at + 1]
        n_links = np.int64(weights[at + 2])
        code = np.int64(weights[at])
        at += NODE_NUMBERS
        # Every source has a smaller index, so that its value is already computed.
        for _ in range(n_links):
            total += weights[at + 1] * values[np.int64(weights[at])]
            at += LINK_NUMBERS
        values[n_inputs + k] = _activate(code, total)
    for k in range(n_outputs):
        outputs[k] = values[np.int64(weights[k])]


@kernel
def _sparse_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the five actions, weighted by the outputs of a sparse network."""
    scratch = view.scratch
    outputs = scratch[:OUTPUT_SPACE]
    sizes = parameters.traits.sizes
    _forward_sparse(parameters.weights, sizes, view.inputs, scratch[OUTPUT_SPACE:], outputs)
    offer_weights(view, outputs)


def network_outputs(network: SparseNetwork, inputs: Any) -> F32:
    """Outputs of a network, computed by the kernel used in play.

    Args:
        network: A network with any number of inputs and outputs.
        inputs: ``(n, n_inputs)`` numbers.

    Returns:
        ``(n, n_outputs)`` float32.

    Raises:
        ValueError: The inputs have another shape or are not finite.
    """
    rows = array("inputs", inputs, (None, network.n_inputs), dtype=np.float32)
    weights, sizes = network.to_weights(), make_sizes(*network.sizes)
    values = np.zeros(network.n_inputs + len(network.nodes), np.float32)
    outputs = np.zeros((len(rows), network.n_outputs), np.float32)
    for row, output in zip(rows, outputs, strict=True):
        _forward_sparse(weights, sizes, row, values, output)
    return outputs


class SparseNetworkPlayer(CompiledPlayer):
    """A sparse network with stochastic output, such as one evolved by NEAT.

    Args:
        network: A network with one input for each number of ``inputs`` and five outputs: fold,
            call, small, medium, large raise. Negative outputs count as 0.
        inputs: Observation that the network was trained on, of fixed size.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.
        interpretation: Interpretation of illegal actions.

    Raises:
        ValueError: The network has another number of inputs or outputs, or is not finite.
    """

    def __init__(
        self,
        network: SparseNetwork,
        *,
        inputs: str = "features_scaled",
        name: str = "sparse network",
        origin: Mapping[str, Any] | None = None,
        interpretation: ActionInterpretation = DEFAULT_INTERPRETATION,
    ) -> None:
        weights, sizes = network.to_weights(), make_sizes(*network.sizes)
        super().__init__(name, _SPARSE_NETWORK, weights, inputs, sizes, origin, interpretation)

    @functools.cached_property
    def network(self) -> SparseNetwork:
        """The network, without nodes that no output depends on."""
        return SparseNetwork.from_weights(self.weights, self.sizes)


def _count_scratch(sizes: I64) -> int:
    return OUTPUT_SPACE + int(sizes[0] + sizes[2])


def _check_player(player: CompiledPlayer) -> None:
    n_inputs, n_outputs = (int(n) for n in player.sizes[:2])
    expected = count_inputs(player.inputs), N_OUTPUTS
    if (n_inputs, n_outputs) != expected:
        raise ValueError(
            f"a network for inputs {player.inputs!r} must have {expected[0]} inputs and "
            f"{expected[1]} outputs; got {n_inputs} and {n_outputs}"
        )
    SparseNetwork.from_weights(player.weights, player.sizes)


_SPARSE_NETWORK = register_kind(
    Kind(
        "sparse-network",
        _sparse_policy,
        wants="inputs",
        scratch=_count_scratch,
        n_weights=count_weights_of,
        checks_player=_check_player,
        player_class=SparseNetworkPlayer,
    )
)
