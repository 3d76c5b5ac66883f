"""Argmax networks: deterministic players that take the action of their largest output.

A network with stochastic output needs large weights for near-deterministic decisions, and with
large weights small mutations no longer matter. An argmax network is deterministic with weights of
any size. As long as the norm of the weights is fixed (optimizer value ``weight_size``), mutations
of a given size move its decision boundaries as far late in training as early.

Hidden units are hyperbolic tangents, whose outputs are centred like their inputs. The layout of the
weights is that of ``agents.players.networks.network``.

Pot-sized networks raise by half the pot, the pot, or all-in. The published bet sizes are random
fractions of the stack, which suit tournaments with short stacks. With a hundred big blinds, a small
raise is anything from the minimum to more than the pot, three times in ten far more, and an opening
raise may risk thirty big blinds to win one and a half. The fixed sizes are common in cash games.
Evolved networks play the action with the largest output; policies of reinforcement learning mix the
actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from agents.players.networks import network
from agents.players.networks.layer import make_layer
from agents.players.networks.network import N_OUTPUTS, OUTPUT_SPACE, write_output_sums
from agents.players.networks.networks import check_network, checked_genome, hidden_units
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION, ActionInterpretation
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import check_or_fold, raise_by
from agents.policy.view import ChoicesRecord, Parameters, View, offer, offer_legal
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, TableRecord
from nlhe_env.jit.array_types import F32, I64, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.numerics.lane_math import store_lanes
from nlhe_env.numerics.portable_math import tanh32
from nlhe_env.spaces.actions import CALL_ID, FIRST_RAISE_ID, FOLD_ID

ARGMAX_HIDDEN = (4,)
"""Default hidden layers of argmax networks."""

# Faster kernels for the shapes used by the tournament and cash-game presets.
_core_to_hidden = make_layer(10, 4, 0)
_core_to_outputs = make_layer(4, N_OUTPUTS, 11 * 4)
_cash_to_hidden = make_layer(14, 8, 0)
_cash_to_outputs = make_layer(8, N_OUTPUTS, 15 * 8)

_HALF_POT, _POT = FIRST_RAISE_ID, FIRST_RAISE_ID + 1


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
        super().__init__(
            name, self.kind_name, genome, inputs, sizes, origin, interpretation, checked=True
        )

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


@kernel
def _pot_sized_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action with the largest output, legal or read as a check or call."""
    scratch = view.scratch
    outputs = scratch[:OUTPUT_SPACE]
    sizes = parameters.traits.sizes
    forward_argmax(parameters.weights, sizes, view.inputs, scratch[OUTPUT_SPACE:], outputs)
    table, choices = view.table, view.choices
    best = -1
    for k in range(N_OUTPUTS):
        legal: Truth = k == CALL_ID
        if k == FOLD_ID:
            legal = amount_to_call(table) > 0
        elif k > CALL_ID:
            legal = choices.most > 0
        if (legal or choices.calls_impossible) and (best < 0 or outputs[k] > outputs[best]):
            best = k
    offer(view, _pot_sized_action(best, table, choices), 1.0)


@kernel
def _pot_sized_action(k: Int, table: TableRecord, choices: ChoicesRecord) -> Int:
    """Game action for an output; check or call if it is illegal."""
    if k == FOLD_ID:
        return np.int64(check_or_fold(table))
    if k == CALL_ID or choices.most == 0:
        return np.int64(CHECK_OR_CALL)
    if k == _HALF_POT:
        return raise_by(table, 0.5, choices.least, choices.most)
    return raise_by(table, 1.0, choices.least, choices.most) if k == _POT else choices.most


class PotSizedNetworkPlayer(ArgmaxNetworkPlayer):
    """An argmax network that raises by half the pot, the pot, or all-in.

    Arguments and errors are those of ``ArgmaxNetworkPlayer``. In pot-limit games all-in is the pot.
    """

    kind_name = "pot-sized-network"


POT_SIZED_NETWORK = register_kind(
    Kind(
        "pot-sized-network",
        _pot_sized_policy,
        wants="inputs",
        answers="amounts",
        by_inputs=ARGMAX_NETWORK,
        scratch=network.count_scratch,
        n_weights=network.count_weights_of,
        checks_player=check_network,
        player_class=PotSizedNetworkPlayer,
    )
)


@kernel
def _mixed_pot_sized_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the legal actions weighted by sigmoid outputs.

    They are the legal ids of the environment's ``actions=(0.5, 1.0)``: a raise of a pot fraction
    that is no less than all-in is left to all-in.
    """
    scratch, table, choices = view.scratch, view.table, view.choices
    outputs = scratch[:OUTPUT_SPACE]
    sizes = parameters.traits.sizes
    network.forward_any(parameters.weights, sizes, view.inputs, scratch[OUTPUT_SPACE:], outputs)
    for k in range(N_OUTPUTS):
        action = _pot_sized_action(k, table, choices)
        legal: Truth = k == CALL_ID
        if k == FOLD_ID:
            legal = amount_to_call(table) > 0
        elif k > CALL_ID:
            legal = choices.most > 0 and (k == N_OUTPUTS - 1 or action < choices.most)
        if legal:
            offer(view, action, outputs[k])


class MixedPotSizedNetworkPlayer(PotSizedNetworkPlayer):
    """A network of sigmoids that mixes the actions of ``PotSizedNetworkPlayer`` by its outputs.

    Weights are laid out as those of ``NetworkPlayer``; illegal actions are left out. The player
    of a policy that was trained in an environment with ``actions=(0.5, 1.0)``.
    """

    kind_name = "mixed-pot-sized-network"


_MIXED_POT_SIZED_NETWORK = register_kind(
    Kind(
        "mixed-pot-sized-network",
        _mixed_pot_sized_policy,
        wants="inputs",
        answers="amounts",
        scratch=network.count_scratch,
        n_weights=network.count_weights_of,
        checks_player=check_network,
        player_class=MixedPotSizedNetworkPlayer,
    )
)
