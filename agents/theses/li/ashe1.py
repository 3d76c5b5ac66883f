"""ASHE 1.0: a recurrent network that sizes its bets by its memory of the hand and the opponent.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), section 4.1. A game module of LSTM blocks is
reset with every hand, an opponent module with every session. Both see the same eight numbers
(``lstm_modules.write_inputs``), including the strength of the player's hand, at the start of a hand
and after every action. A network with one hidden layer maps their outputs to an aggression in
-1..1, which ``rules.aggression`` turns into an action.

Readings: strength is the equity against one random hand, with ties counted as one half. An action
that ends a street is seen together with the next street's cards. All units are hyperbolic tangents.
The genome holds the weights of the game module, the opponent module and the decision network (links
of every input to the hidden units, their biases, links to the output, its bias), then the initial
cell states of both modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.players.networks.dense_kernels import write_sums
from agents.players.networks.lstm_blocks import tanh_all
from agents.players.networks.lstm_modules import (
    N_INPUTS,
    after_modules,
    count_cells,
    count_memory,
    count_scratch,
    forget,
    forget_opponent,
    outputs_of,
    step_game,
    step_opponent,
    write_inputs,
)
from agents.players.rules.aggression import act_by_aggression
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import ACTED, HAND_BEGINS, EventRecord
from agents.policy.kinds import Kind, finite_weights, make_sizes, register_kind
from agents.policy.spots import equity_of
from agents.policy.view import Parameters, View, offer
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.jit.array_types import F32, I64, Float, Int
from nlhe_env.jit.compilation import kernel, plain_or_compiled
from nlhe_env.numerics.portable_math import tanh32

MOST_UNITS = 4096
_HIDDEN, _ADJUSTED, _SPARSE = range(4, 7)
"""Indices of further sizes, after those of the modules."""


class AsheShape(NamedTuple):
    """Sizes and options of an ASHE 1.0 network; by default as published."""

    game_blocks: int = 10
    game_cell: int = 10
    """Length of the cell state and the output of a block."""
    opponent_blocks: int = 1
    opponent_cell: int = 50
    hidden: int = 75
    """Hidden units of the decision network."""
    adjusted: int = 0
    """1: raises are 0.5, 1, 1.5 or 2 pots or all-in, with none below a quarter of the pot, as used
    against strong opponents."""
    sparse: int = 0
    """1: the modules are fed only before the player's own decisions and at the end of hands, which
    is cheaper."""

    @property
    def cells(self) -> int:
        """Total length of the cell states, which is the decision network's number of inputs."""
        return self.game_blocks * self.game_cell + self.opponent_blocks * self.opponent_cell


PUBLISHED_SHAPE = AsheShape()


def count_genes(shape: AsheShape) -> int:
    """Length of a genome.

    >>> count_genes(AsheShape())  # modules 7,900 and 11,950, decision 11,401, first cells 150
    31401
    """
    return _count_weights(make_sizes(*shape))


def _shape_of(sizes: I64) -> AsheShape:
    return AsheShape(*(int(n) for n in sizes[: len(AsheShape._fields)]))


def _count_weights(sizes: I64) -> int:
    return int(_first_cells_begin(sizes) + count_cells(sizes))


def _count_scratch(sizes: I64) -> int:
    return max(count_scratch(sizes), int(sizes[_HIDDEN]))


@kernel
def ashe_on_event(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: reset and step the modules."""
    sizes, weights = parameters.traits.sizes, parameters.weights
    forget(sizes, weights[_first_cells_begin(sizes) :], memory, event.what)
    table = view.table
    if event.what not in (HAND_BEGINS, ACTED):
        return
    is_over = table.actor == NO_PLAYER
    if sizes[_SPARSE] and not is_over and table.actor != view.seat:
        return
    strength = equity_of(table, view.seat, view.strength_tables)
    inputs, scratch = view.scratch[:N_INPUTS], view.scratch[N_INPUTS:]
    write_inputs(table, view.seat, strength, inputs)
    # The game module is reset after the last action anyway.
    if not is_over:
        step_game(sizes, weights, inputs, memory, scratch)
    step_opponent(sizes, weights, inputs, memory, scratch)


@plain_or_compiled
def _first_cells_begin(sizes: I64) -> Int:
    """Offset of the initial cell states, at the end of the genome."""
    return after_modules(sizes) + (count_cells(sizes) + 2) * sizes[_HIDDEN] + 1


@kernel
def forget_player(sizes: I64, weights: F32, memory: F32) -> None:
    """Reset the memory for a new opponent."""
    forget_opponent(sizes, weights[_first_cells_begin(sizes) :], memory)


@kernel
def aggression_of(sizes: I64, weights: F32, memory: F32, hidden: F32) -> Float:
    """Aggression in -1..1: the share of its stack that a player is willing to put in.

    Args:
        sizes: The numbers of an ``AsheShape``.
        weights: Its genome.
        memory: Its memory.
        hidden: Scratch for the hidden units.
    """
    n = len(hidden)
    links = weights[after_modules(sizes) :]
    biases = links[count_cells(sizes) * n :]
    game, opponent = outputs_of(sizes, memory)
    write_sums(links, game, opponent, biases[:n], hidden)
    tanh_all(hidden)
    output = biases[n : 2 * n + 1]
    total = output[n]
    for j in range(n):
        total += hidden[j] * output[j]
    return tanh32(total)


@kernel
def ashe_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action for the network's aggression."""
    sizes = parameters.traits.sizes
    hidden = view.scratch[: sizes[_HIDDEN]]
    aggression = np.float64(aggression_of(sizes, parameters.weights, memory, hidden))
    offer(view, act_by_aggression(view, aggression, sizes[_ADJUSTED] == 1), 1.0)


class AshePlayer(CompiledPlayer):
    """ASHE 1.0.

    Args:
        weights: ``(n,)`` genome, as long as ``count_genes(shape)``.
        shape: Its sizes and options.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.

    Raises:
        ValueError: The weights do not fit the shape or are not finite.
    """

    def __init__(
        self,
        weights: Any,
        *,
        shape: AsheShape = PUBLISHED_SHAPE,
        name: str = "ashe",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        check_shape(shape)
        genome = finite_weights(weights)
        super().__init__(name, ASHE_1, genome, "features", make_sizes(*shape), origin)

    @property
    def shape(self) -> AsheShape:
        """Sizes and options of the network."""
        return _shape_of(self.sizes)


def check_shape(shape: AsheShape) -> None:
    """Check that a shape is valid.

    Raises:
        ValueError: A size or option is out of range.
    """
    if min(shape[:5]) < 1 or max(shape[:5]) > MOST_UNITS or not set(shape[5:]) <= {0, 1}:
        raise ValueError(
            f"sizes must be from 1 to {MOST_UNITS}, adjusted and sparse 0 or 1; got {shape}"
        )


def _check_player(player: CompiledPlayer) -> None:
    check_shape(_shape_of(player.sizes))


ASHE_1 = register_kind(
    Kind(
        "ashe-1",
        ashe_policy,
        wants="table",
        answers="amounts",
        on_event=ashe_on_event,
        memory=count_memory,
        scratch=_count_scratch,
        n_weights=_count_weights,
        looks_up=True,
        checks_player=_check_player,
        player_class=AshePlayer,
        explained_by="agents.theses.li.explain",
    )
)
