"""Networks as a genome kind: inputs, hidden layers and initial weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import agents
from agents.players.networks.network import MAX_LAYERS, count_inputs, count_weights
from agents.policy.action_interpretation import IllegalActionRule, RaiseSizes
from evolve import seeds
from evolve.genomes.base import GenomeKind, Parents, resolve_init
from evolve.genomes.network_variation import NetworkVariation
from evolve.genomes.networks import Networks
from nlhe_env.jit.array_types import F32, AnyArray

INITS = ("normal", "uniform", "zeros")
_MOST_WEIGHTS = 1_000_000


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

    @property
    def interpretation(self) -> agents.ActionInterpretation:
        """Interpretation of the outputs of networks."""
        return agents.ActionInterpretation(
            illegal_action=self.illegal_action, raise_sizes=self.raise_sizes
        )

    @property
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
