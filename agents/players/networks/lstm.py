"""Recurrent networks: two modules of LSTM blocks with peepholes, and a decision network.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), sections 3.3.1 and 4.1. The game module is fed at
every step of a hand and reset with each; the opponent module is reset with each session only.
Blocks are recurrent only within themselves; the genome holds initial cell states, and initial
outputs are 0.

Differences: five outputs, the weights of the sized actions, replace the single one; several
opponents count as one, the one that has put in the most.

Unless ``sees_cards``, the modules are fed with public numbers only, and the strength of the hand
goes directly to the decision network. The memory then does not depend on the player's cards, and
``policy_of_hands`` is exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.players.networks.dense_kernels import write_sums
from agents.players.networks.lstm_modules import (
    N_INPUTS,
    after_modules,
    count_cells,
    count_memory,
    count_scratch,
    forget,
    outputs_of,
    step_game,
    step_opponent,
    write_inputs,
)
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import ACTED, HAND_BEGINS, EventRecord
from agents.policy.kinds import Kind, finite_weights, make_sizes, register_kind
from agents.policy.spots import equity_of
from agents.policy.view import Parameters, View, offer_weights
from nlhe_env.arguments import LARGEST_SEED, number, whole_number
from nlhe_env.jit.array_types import F32, I64, Float, Int
from nlhe_env.jit.compilation import kernel, plain_or_compiled
from nlhe_env.numerics.portable_math import sigmoid32, tanh32
from nlhe_env.spaces.actions import N_SIZED

MOST_UNITS = 4096
_HIDDEN, _SEES_CARDS = 4, 5
"""Indices of further sizes, after those of the modules."""


class Shape(NamedTuple):
    """Sizes of a recurrent network; by default those of ASHE 1.0."""

    game_blocks: int = 10
    game_cell: int = 10
    """Length of the cell state and the output of a block."""
    opponent_blocks: int = 1
    opponent_cell: int = 50
    hidden: int = 75
    """Hidden units of the decision network."""
    sees_cards: int = 0
    """1: the modules are also fed with the strength of the hand, as published."""


ASHE_1_0 = Shape()


def count_weights(sizes: I64) -> int:
    """Length of the genome: game module, opponent module, decision network, initial cell states."""
    return int(_first_cells_begin(sizes) + count_cells(sizes))


def _count_scratch(sizes: I64) -> int:
    return max(count_scratch(sizes), int(sizes[_HIDDEN]) + N_SIZED)


# --- kernels -------------------------------------------------------------------------------------


@kernel
def lstm_on_event(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: feed both modules at the start of a hand and after every action."""
    sizes, weights = parameters.traits.sizes, parameters.weights
    forget(sizes, weights[_first_cells_begin(sizes) :], memory, event.what)
    if event.what == HAND_BEGINS or event.what == ACTED:
        strength: Float = 0.0
        if sizes[_SEES_CARDS]:
            strength = equity_of(view.table, view.seat, view.strength_tables)
        inputs, scratch = view.scratch[:N_INPUTS], view.scratch[N_INPUTS:]
        write_inputs(view.table, view.seat, strength, inputs)
        step_game(sizes, weights, inputs, memory, scratch)
        step_opponent(sizes, weights, inputs, memory, scratch)


@plain_or_compiled
def _first_cells_begin(sizes: I64) -> Int:
    """Offset of the initial cell states, at the end of the genome."""
    n_inputs = count_cells(sizes) + 1 - sizes[_SEES_CARDS]
    decision = (n_inputs + 1) * sizes[_HIDDEN] + (sizes[_HIDDEN] + 1) * N_SIZED
    return after_modules(sizes) + decision


@kernel
def lstm_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the five actions, weighted by the outputs of the decision network."""
    sizes, weights = parameters.traits.sizes, parameters.weights
    hidden = view.scratch[: sizes[_HIDDEN]]
    outputs = view.scratch[sizes[_HIDDEN] : sizes[_HIDDEN] + N_SIZED]
    first = after_modules(sizes)
    hidden[:] = np.float32(0.0)
    game, opponent = outputs_of(sizes, memory)
    write_sums(weights[first:], game, opponent, hidden, hidden)
    first += count_cells(sizes) * len(hidden)
    if not sizes[_SEES_CARDS]:
        strength = np.float32(equity_of(view.table, view.seat, view.strength_tables))
        for j in range(len(hidden)):
            hidden[j] += strength * weights[first + j]
        first += len(hidden)
    for j in range(len(hidden)):
        hidden[j] = tanh32(hidden[j] + weights[first + j])
    first += len(hidden)
    outputs[:] = np.float32(0.0)
    write_sums(weights[first:], hidden, hidden[:0], outputs, outputs)
    first += len(hidden) * N_SIZED
    for k in range(N_SIZED):
        outputs[k] = sigmoid32(outputs[k] + weights[first + k])
    offer_weights(view, outputs)


# --- players -------------------------------------------------------------------------------------


class RecurrentPlayer(CompiledPlayer):
    """A recurrent network with stochastic output.

    Args:
        weights: ``(n_weights,)`` genome, laid out as in ``count_weights``.
        shape: Sizes of the network.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.

    Raises:
        ValueError: The weights do not fit the shape or are not finite.
    """

    def __init__(
        self,
        weights: Any,
        *,
        shape: Shape = ASHE_1_0,
        name: str = "lstm",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        _check_shape(shape)
        genome = finite_weights(weights)
        super().__init__(name, LSTM, genome, "features", make_sizes(*shape), origin)

    @property
    def shape(self) -> Shape:
        """Sizes of the network."""
        return _shape_of(self.sizes)


def recurrent_player(
    game_blocks: int = 10,
    game_cell: int = 10,
    opponent_blocks: int = 1,
    opponent_cell: int = 50,
    hidden: int = 75,
    sees_cards: int = 0,
    seed: int = 0,
    spread: float = 0.5,
) -> RecurrentPlayer:
    """A recurrent network with random weights: ``spread`` times standard normal deviates."""
    whole_number("seed", seed, least=0, most=LARGEST_SEED)
    number("spread", spread, least=0.0)
    shape = Shape(game_blocks, game_cell, opponent_blocks, opponent_cell, hidden, sees_cards)
    _check_shape(shape)
    generator = np.random.default_rng(seed)
    weights = generator.normal(0.0, spread, count_weights(make_sizes(*shape)))
    return RecurrentPlayer(weights, shape=shape)


def _shape_of(sizes: I64) -> Shape:
    return Shape(*(int(n) for n in sizes[: len(Shape._fields)]))


def _check_shape(shape: Shape) -> None:
    if min(shape[:5]) < 1 or max(shape[:5]) > MOST_UNITS or shape.sees_cards not in (0, 1):
        raise ValueError(
            f"sizes must be from 1 to {MOST_UNITS}, and sees_cards 0 or 1; got {shape}"
        )


def _check_player(player: CompiledPlayer) -> None:
    _check_shape(_shape_of(player.sizes))


LSTM = register_kind(
    Kind(
        "lstm",
        lstm_policy,
        wants="table",
        on_event=lstm_on_event,
        memory=count_memory,
        scratch=_count_scratch,
        n_weights=count_weights,
        looks_up=True,
        checks_player=_check_player,
        player_class=RecurrentPlayer,
    )
)
