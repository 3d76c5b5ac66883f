"""Argmax networks: deterministic players that take the action of their largest output.

A network with stochastic output needs large weights for near-deterministic decisions, and with
large weights small mutations no longer matter. An argmax network is deterministic with weights of
any size. As long as the norm of the weights is fixed (optimizer value ``weight_size``), mutations
of a given size move its decision boundaries as far late in training as early.

Hidden units are hyperbolic tangents, whose outputs are centred like their inputs. The layout of the
weights is that of ``agents.players.networks.network``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from agents.players.networks import network
from agents.players.networks.layer import make_layer
from agents.players.networks.network import N_OUTPUTS, OUTPUT_SPACE, write_output_sums
from agents.players.networks.networks import check_network, checked_genome, hidden_units
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION, ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from agents.policy.view import Parameters, View, offer_legal
from nlhe_env.jit.array_types import F32, I64, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.lane_math import store_lanes
from nlhe_env.numerics.portable_math import tanh32

ARGMAX_HIDDEN = (4,)
"""Default hidden layers of argmax networks."""

# Faster kernels for the shapes used by the tournament and cash-game presets.
_core_to_hidden = make_layer(10, 4, 0)
_core_to_outputs = make_layer(4, N_OUTPUTS, 11 * 4)
_cash_to_hidden = make_layer(14, 8, 0)
_cash_to_outputs = make_layer(8, N_OUTPUTS, 15 * 8)


@inlined_kernel
def forward_argmax(weights: F32, sizes: I64, inputs: F32, units: F32, outputs: F32) -> None:
    """Forward pass: hyperbolic tangents in hidden layers, linear outputs.

    Args:
        weights: Float32 genome; trailing numbers are ignored.
        sizes: Units of every layer, with optional trailing zeros.
        inputs: ``(sizes[0],)`` float32.
        units: ``(2 * w,)`` float32 scratch for hidden layers of up to ``w`` units.
        outputs: ``(8,)`` float32, its first five filled.
    """
    if _is_of_shape(sizes, 14, 8):
        (sums,) = _cash_to_hidden(weights, inputs)
        (sums,) = _cash_to_outputs(weights, (tanh32(sums),))
        store_lanes(outputs, sums)
    elif _is_of_shape(sizes, 10, 4):
        (totals,) = _core_to_hidden(weights, inputs)
        (sums,) = _core_to_outputs(weights, (tanh32(totals),))
        store_lanes(outputs, sums)
    else:
        forward_argmax_any(weights, sizes, inputs, units, outputs)


@inlined_kernel
def _is_of_shape(sizes: I64, n_inputs: Int, n_hidden: Int) -> Truth:
    """Whether ``sizes`` describe one hidden layer with these numbers of inputs and units."""
    return sizes[0] == n_inputs and sizes[1] == n_hidden and sizes[3] == 0


@kernel
def forward_argmax_any(weights: F32, sizes: I64, inputs: F32, units: F32, outputs: F32) -> None:
    """Like ``forward_argmax`` for any shape; the results are equal bit for bit."""
    write_output_sums(weights, sizes, inputs, units, outputs, True)


@kernel
def argmax_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action with the largest output, legal or read as a check or call."""
    scratch = view.scratch
    outputs = scratch[:OUTPUT_SPACE]
    sizes = parameters.traits.sizes
    forward_argmax(parameters.weights, sizes, view.inputs, scratch[OUTPUT_SPACE:], outputs)
    choices = view.choices
    best = -1
    for k in range(N_OUTPUTS):
        if (choices.mask[k] or choices.calls_impossible) and (
            best < 0 or outputs[k] > outputs[best]
        ):
            best = k
    offer_legal(view, best, 1.0)


class ArgmaxNetworkPlayer(CompiledPlayer):
    """A network that takes the action of its largest output.

    Args:
        weights: ``(n_weights,)`` genome, laid out as in ``agents.players.networks.network``; 69
            weights by default.
        inputs: Observation that the network was trained on, of fixed size.
        hidden: Units of one to four hidden layers.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.
        interpretation: Interpretation of illegal actions; ``"masked"`` takes the largest legal
            output.

    Raises:
        ValueError: The weights have another shape or are not finite.
    """

    kind_name: ClassVar[str] = "argmax-network"

    def __init__(
        self,
        weights: Any,
        *,
        inputs: str = "features_core",
        hidden: Sequence[int] = ARGMAX_HIDDEN,
        name: str = "argmax network",
        origin: Mapping[str, Any] | None = None,
        interpretation: ActionInterpretation = DEFAULT_INTERPRETATION,
    ) -> None:
        genome, sizes = checked_genome(weights, inputs, hidden)
        super().__init__(name, self.kind_name, genome, inputs, sizes, origin, interpretation)

    @property
    def hidden(self) -> tuple[int, ...]:
        """Units of the hidden layers."""
        return hidden_units(self.sizes)


ARGMAX_NETWORK = register_kind(
    Kind(
        "argmax-network",
        argmax_policy,
        wants="inputs",
        scratch=network.count_scratch,
        n_weights=network.count_weights_of,
        checks_player=check_network,
        player_class=ArgmaxNetworkPlayer,
    )
)
