"""Networks as genome kinds: inputs, hidden layers, initial weights and variation.

The published rules of variation are in ``evolve.genomes.operators``. Options add ideas that the
documents describe or suggest: parents in proportion to their wins (phantom parasite), and parents
from the hall of fame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

import agents
from agents.players.networks import ArgmaxNetworkPlayer, PotSizedNetworkPlayer
from agents.players.networks.argmax_networks import ARGMAX_HIDDEN, ARGMAX_NETWORK, POT_SIZED_NETWORK
from agents.players.networks.network import MAX_LAYERS, count_inputs, count_weights
from agents.policy.action_interpretation import IllegalActionRule, RaiseSizes
from evolve import seeds
from evolve.genomes import operators
from evolve.genomes.base import GenomeKind, Parents, Variation, resolve_init
from evolve.genomes.networks import Networks
from nlhe_env.arguments import number, share
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray

INITS = ("normal", "uniform", "zeros")
_MOST_WEIGHTS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class NetworkVariation(Variation):
    """Weighted means of parents, with noise on some weights."""

    parents_mean: float = 1.5
    """A child has 1 + round(X) parents, X exponential with this mean."""

    mutation_rate: float = 0.1
    """Mutation probability of each weight of a child."""

    mutation_std: float = 0.1
    """Standard deviation of a mutation."""

    mutate_copies: bool = True
    """Mutate the children of a single parent too (the pseudo-code of the thesis), instead of
    copying the parent exactly (the text)."""

    def __post_init__(self) -> None:
        number("parents_mean", self.parents_mean, least=0.0)
        share("mutation_rate", self.mutation_rate)
        number("mutation_std", self.mutation_std, least=0.0, most=1e6)
        if not isinstance(self.mutate_copies, bool):
            raise ValueError(f"mutate_copies must be true or false; got {self.mutate_copies!r}")

    def children(self, parents: Parents[Networks], n: int, *, rng: np.random.Generator) -> Networks:
        """Children of one or more parents each.

        With a single possible parent, every child is that champion plus noise, regardless of
        ``mutate_copies``.
        """
        networks, chances, most = parents.genomes, parents.chances, parents.most
        if chances is not None:
            if not chances.any():  # no player beats another
                chances = np.ones(len(chances))
            most = min(most, int(np.count_nonzero(chances)))
        if self.parents_mean:
            counts = operators.parent_counts(n, mean=self.parents_mean, most=most, rng=rng)
        else:  # one parent each: nothing to draw
            counts = np.ones(n, np.int64)
        if chances is None:
            chosen = operators.choose_parents(counts, len(networks), rng=rng)
        else:
            chosen = operators.choose_parents_by_chance(counts, chances, rng=rng)
        shares = np.ones((n, 1))
        if self.parents_mean:
            shares = operators.draw_shares(counts, chosen.shape[1], rng=rng)
        if parents.hall_chance and parents.hall is not None and len(parents.hall):
            hall = parents.hall
            sizes = len(networks), len(hall)
            chosen = _with_hall_parents(chosen, counts, *sizes, chance=parents.hall_chance, rng=rng)
            networks = Networks.join(networks, hall)
        shares = shares_of_one_shape(networks.hidden, chosen, shares)
        parents.drawn.extend(_places(chosen, shares, len(parents.genomes)))
        crossed = operators.cross(networks.weights, chosen, shares)
        weights = operators.mutate(
            crossed,
            mutation_rate=self.mutation_rate,
            deviation=self.mutation_std,
            rng=rng,
        )
        if not self.mutate_copies and most > 1:
            copies = counts == 1
            weights[copies] = crossed[copies]
        hidden = networks.hidden[chosen[:, 0]]
        bred = replace(networks, weights=weights.astype(np.float32), hidden=hidden)
        bred.weights[~bred.used] = 0.0
        return bred


def shares_of_one_shape(hidden: I64, parents: I64, shares: F64) -> F64:
    """The shares, with 0 for parents of another shape than the first parent.

    Only parents of equal shape are crossed; a child has the shape of its first parent.
    """
    shapes = hidden[parents]
    same = (shapes == shapes[:, :1]).all(axis=2)
    return np.where(same, shares, 0.0)


def _places(chosen: I64, shares: F64, n_networks: int) -> list[tuple[int, ...]]:
    """Indices of each child's parents with a share, negative for those in the hall."""
    numbers = np.where(chosen < n_networks, chosen, n_networks - 1 - chosen)
    return [tuple(row[used].tolist()) for row, used in zip(numbers, shares > 0, strict=True)]


def _with_hall_parents(
    parents: I64,
    counts: I64,
    n_networks: int,
    n_hall: int,
    *,
    chance: float,
    rng: np.random.Generator,
) -> I64:
    """The parents, each replaced by a member of the hall with some probability.

    Members have the indices after the networks, and are distinct for each child.
    """
    members = operators.choose_parents(np.minimum(counts, n_hall), n_hall, rng=rng)
    replaced = parents.copy()
    swap = rng.random(members.shape) < chance
    replaced[:, : members.shape[1]][swap] = n_networks + members[swap]
    return replaced


@dataclass(frozen=True, kw_only=True)
class NetworkKind(GenomeKind):
    """Networks with sigmoid units."""

    variation = NetworkVariation
    player_kind = "network"
    made_of: ClassVar[type[Networks]] = Networks
    first_deviation: ClassVar[float] = 0.5

    inputs: str = "features"
    """Observation of a network: "features", the 35 published inputs in raw chips;
    "features_scaled", the same inputs scaled; "features_opponents", these and the fold, call and
    raise frequencies of each opponent (75 inputs); "features_unit", the 35 inputs in bounded
    numbers of order one; "features_core", ten of them for small networks; "features_cash", fourteen
    for cash games."""

    hidden: tuple[int, ...] = (20,)
    """Number of units in each hidden layer."""

    init: str = "normal"
    """Initial weights: "normal" with standard deviation 0.5 (the thesis), "uniform" in -1..1 (the
    paper), or "zeros"; or a network by name or file (.npz). Optimizers that breed draw them for
    every network; other optimizers start from one network."""

    illegal_action: IllegalActionRule = "masked"
    """Handling of illegal actions: "masked" shares their probability among the legal ones; "call"
    plays a check or an (all-in) call, as the static players do."""

    raise_sizes: RaiseSizes = "standard"
    """Handling of published raise sizes below the minimum raise: "standard" raises by the minimum;
    "verbatim" calls if the size does not exceed the amount to call."""

    def __post_init__(self) -> None:
        count_inputs(self.inputs)
        self.interpretation  # noqa: B018  (checks the values)
        layers: object = self.hidden
        if isinstance(layers, list):  # TOML gives a list
            object.__setattr__(self, "hidden", layers := tuple(layers))
        if (
            not isinstance(layers, tuple)
            or not 1 <= len(layers) <= MAX_LAYERS - 2  # inputs and outputs are layers too
            or not all(isinstance(units, int) and units is not True for units in layers)
            or min(layers) < 1
        ):
            raise ValueError(
                "hidden must be the units of one to four hidden layers, whole numbers of at least "
                f"1; got {layers!r}"
            )
        if self.n_weights > _MOST_WEIGHTS:
            raise ValueError(
                f"a network may have at most {_MOST_WEIGHTS:,} weights; got hidden = "
                f"{list(self.hidden)}, which needs {self.n_weights:,}"
            )
        resolve_init(self, self.init)

    @cached_property
    def interpretation(self) -> agents.ActionInterpretation:
        """Interpretation of the outputs of networks."""
        return agents.ActionInterpretation(
            illegal_action=self.illegal_action, raise_sizes=self.raise_sizes
        )

    @cached_property
    def n_weights(self) -> int:
        """Number of weights of a network."""
        return count_weights(count_inputs(self.inputs), self.hidden)

    def genome_bytes(self, variation: Any) -> int:
        """Bytes of the weights of a network."""
        return 4 * self.n_weights

    def none(self) -> Networks:
        """An empty batch."""
        return self.made_of.none(len(self.hidden), self.inputs, self.interpretation)

    def first(self, n: int, variation: NetworkVariation, *, rng: np.random.Generator) -> Networks:
        """Random networks, or the initial network and its children."""
        if self.init in INITS:
            return self.of_numbers(self._first_weights((n, self.n_weights), rng))
        init = self.of_numbers(self._player()[np.newaxis])
        return Networks.join(init, variation.children(Parents(init, most=1), n - 1, rng=rng))

    def check_init(self) -> None:
        """Check that the initial network exists and has this shape."""
        if self.init not in INITS:
            self._player()

    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> Networks:
        """Networks from the arrays of ``to_arrays``."""
        weights = np.asarray(arrays["weights"], np.float32)
        hidden = np.asarray(arrays["hidden"], np.int64)
        return self.made_of(weights, hidden, self.inputs, self.interpretation)

    def first_numbers(self, seed: int) -> F32:
        """``(n_weights,)`` initial weights for numeric optimizers."""
        if self.init not in INITS:
            return self._player()
        rng = seeds.generator(seed, seeds.SEARCH_START)
        return self._first_weights((self.n_weights,), rng)

    def of_numbers(self, rows: F32) -> Networks:
        """Networks from ``(n, n_weights)`` weights."""
        return self.made_of.of_shape(rows, self.hidden, self.inputs, self.interpretation)

    def _first_weights(self, shape: tuple[int, ...], rng: np.random.Generator) -> F32:
        return first_weights(shape, init=self.init, rng=rng, deviation=self.first_deviation)

    def _player(self) -> F32:
        """Weights of the initial player.

        Raises:
            ValueError: The player is not a network of this shape.
        """
        try:
            player = agents.make_compiled(self.init)
        except ValueError as error:
            raise ValueError(f"init must be {', '.join(INITS)} or a network: {error}") from error
        if (
            not isinstance(player, self.made_of.player_class)
            or player.inputs != self.inputs
            or player.hidden != self.hidden
        ):
            raise ValueError(
                f"init must be a network with inputs {self.inputs!r} and hidden layers "
                f"{list(self.hidden)}; {self.init!r} is not"
            )
        return np.array(player.weights[: self.n_weights], np.float32)


@dataclass(frozen=True, eq=False)
class ArgmaxNetworks(Networks):
    """Argmax networks with the same inputs and equally many layers."""

    player_class = ArgmaxNetworkPlayer
    kind = ARGMAX_NETWORK


@dataclass(frozen=True, kw_only=True)
class ArgmaxNetworkKind(NetworkKind):
    """Networks of hyperbolic tangents that play the action of the largest output.

    The scale of the output weights has no effect; initial weights have standard deviation 1.
    """

    made_of = ArgmaxNetworks
    player_kind = "argmax-network"
    first_deviation = 1.0

    inputs: str = "features_core"
    """Observation of a network: "features_core", ten centred numbers with the cards on the largest
    scale, or any other observation of fixed size."""

    hidden: tuple[int, ...] = ARGMAX_HIDDEN
    """Number of units in each hidden layer."""

    illegal_action: IllegalActionRule = "call"
    """Handling of illegal actions: "call" plays a check or an (all-in) call, as the static players
    do; "masked" plays the legal action with the largest output."""


@dataclass(frozen=True, eq=False)
class PotSizedNetworks(ArgmaxNetworks):
    """Pot-sized networks with the same inputs and equally many layers."""

    player_class = PotSizedNetworkPlayer
    kind = POT_SIZED_NETWORK

    def with_random_bias(self, deviation: float, rng: np.random.Generator) -> agents.PlayerBatch:
        """The networks with a random bias; every second one uses the published raise sizes.

        With a hundred big blinds these range from the minimum raise to many pots.
        """
        biased = self._biased(deviation, rng)
        odd = replace(biased, weights=biased.weights[1::2], hidden=biased.hidden[1::2])
        published = ArgmaxNetworks(odd.weights, odd.hidden, odd.inputs, odd.interpretation)
        return agents.concat(biased[::2].pack(), published.pack())


@dataclass(frozen=True, kw_only=True)
class PotSizedNetworkKind(ArgmaxNetworkKind):
    """Argmax networks with raises of half the pot, the pot, and all-in."""

    made_of = PotSizedNetworks
    player_kind = "pot-sized-network"

    inputs: str = "features_cash"
    """Observation of a network: "features_cash", fourteen centred numbers about pot, position and
    raises, or any other observation of fixed size."""


def first_weights(
    shape: tuple[int, ...], *, init: str, rng: np.random.Generator, deviation: float = 0.5
) -> F32:
    """Initial weights, float32.

    Args:
        shape: Shape of the array.
        init: ``"normal"`` (mean 0; the thesis), ``"uniform"`` (between -1 and 1;
            the paper) or ``"zeros"``.
        rng: Random generator.
        deviation: Standard deviation of the normal distribution; 0.5 in the thesis.
    """
    if init == "normal":
        return rng.normal(0.0, deviation, shape).astype(np.float32)
    if init == "uniform":
        return rng.uniform(-1.0, 1.0, shape).astype(np.float32)
    return np.zeros(shape, np.float32)
