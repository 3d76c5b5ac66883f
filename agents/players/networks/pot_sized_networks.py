"""Pot-sized networks: argmax networks that raise by half the pot, the pot, or all-in.

The published bet sizes are random fractions of the stack, which suit tournaments with short stacks.
With a hundred big blinds, a small raise is anything from the minimum to more than the pot, three
times in ten far more, and an opening raise may risk thirty big blinds to win one and a half. Here
the three raises are deterministic sizes that are common in cash games. Evolved networks play the
action with the largest output; policies of reinforcement learning mix the actions.
"""

from __future__ import annotations

import numpy as np

from agents.players.networks import network
from agents.players.networks.argmax_networks import (
    ARGMAX_NETWORK,
    ArgmaxNetworkPlayer,
    forward_argmax,
)
from agents.players.networks.network import N_OUTPUTS, OUTPUT_SPACE
from agents.players.networks.networks import check_network
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import check_or_fold, raise_by
from agents.policy.view import ChoicesRecord, Parameters, View, offer
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, TableRecord
from nlhe_env.jit.array_types import F32, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import CALL_ID, FIRST_RAISE_ID, FOLD_ID

_HALF_POT, _POT = FIRST_RAISE_ID, FIRST_RAISE_ID + 1


@kernel
def pot_sized_policy(parameters: Parameters, memory: F32, view: View) -> None:
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
    offer(view, _action(best, table, choices), 1.0)


@kernel
def _action(k: Int, table: TableRecord, choices: ChoicesRecord) -> Int:
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
        pot_sized_policy,
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
def mixed_pot_sized_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the legal actions weighted by sigmoid outputs.

    They are the legal ids of the environment's ``actions=(0.5, 1.0)``: a raise of a pot fraction
    that is no less than all-in is left to all-in.
    """
    scratch, table, choices = view.scratch, view.table, view.choices
    outputs = scratch[:OUTPUT_SPACE]
    sizes = parameters.traits.sizes
    network.forward_any(parameters.weights, sizes, view.inputs, scratch[OUTPUT_SPACE:], outputs)
    for k in range(N_OUTPUTS):
        action = _action(k, table, choices)
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


MIXED_POT_SIZED_NETWORK = register_kind(
    Kind(
        "mixed-pot-sized-network",
        mixed_pot_sized_policy,
        wants="inputs",
        answers="amounts",
        scratch=network.count_scratch,
        n_weights=network.count_weights_of,
        checks_player=check_network,
        player_class=MixedPotSizedNetworkPlayer,
    )
)
