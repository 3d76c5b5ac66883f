"""Shape of an ASHE 2 player: sizes, level, and the layout of its weights.

The weights are the genes of the opponent estimator and the showdown estimator, then the default
trees, if any. The levels are the versions of the thesis: Li, *Opponent Modeling and Exploitation in
Poker Using Evolved Recurrent Neural Networks* (University of Texas at Austin, 2018), chapters 5 to
8.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.players.networks.lstm_blocks import count_block_weights
from agents.theses.li import tree
from nlhe_env.jit.array_types import I64, Int
from nlhe_env.jit.compilation import kernel

PLAIN, TEXTURED, RECURSIVE, RANGED, PRIVILEGED = range(5)
"""Levels. 2.0 counts action sequences; 2.1 also distinguishes boards and has default trees; 2.2
looks ahead in the trees and estimates the opponent's next action; 2.3 estimates the opponent's
range. In training, 2.3 may be given the winner of the showdown."""
LEVELS = ("2.0", "2.1", "2.2", "2.3", "2.3, privileged")
BLOCKS, CELL, HIDDEN, TRUST, NODES, LEVEL, DEFAULT_NODES, BOARDS = range(8)
"""Indices into the sizes of a player."""
OPPONENT, SHOWDOWN = range(2)
"""Estimators, in the order of the genes."""
N_INPUTS = 11
"""Inputs of an estimator, except the estimator of actions."""
N_ACTION_INPUTS = 19
N_ANSWERS = 9
"""Number of outputs of an estimator of actions or ranges; others have one."""
MOST_UNITS = 4096
MOST_NODES = 100_000
MOST_BOARDS = 1000


class ModelShape(NamedTuple):
    """Sizes of the estimators and trees of ASHE 2; by default as published for 2.0."""

    blocks: int = 50
    """LSTM blocks of each estimator."""
    cell: int = 10
    """Length of the cell state of each block."""
    hidden: int = 50
    """Hidden units of the network above the blocks."""
    min_node_visits: int = 10
    """Minimum number of visits before a node is used."""
    nodes: int = 4096
    """Capacity of both trees together, in nodes."""
    level: int = PLAIN
    """0 to 3 for ASHE 2.0 to 2.3; 4 for 2.3 with known showdown winners, for training only."""
    default_nodes: int = 0
    """Capacity of the default trees, in nodes; 0 for none."""
    boards: int = 0
    """Number of sampled boards for the look-ahead, from level 2 on (published: 100)."""

    @property
    def parts(self) -> tuple[int, int]:
        """Number of genes of the opponent estimator and of the showdown estimator."""
        sizes = self.blocks, self.cell, self.hidden
        acts = (N_ACTION_INPUTS, N_ANSWERS) if self.level >= RECURSIVE else (N_INPUTS, 1)
        return (
            count_estimator(*sizes, *acts),
            count_estimator(*sizes, N_INPUTS, N_ANSWERS if self.level >= RANGED else 1),
        )

    @property
    def default_numbers(self) -> int:
        """Length of the default trees, which follow the genes."""
        return tree.count_numbers(self.default_nodes) if self.default_nodes else 0


def shape_of(sizes: I64) -> ModelShape:
    """Shape of a player with these sizes."""
    return ModelShape(*(int(n) for n in sizes[: len(ModelShape._fields)]))


def count_estimator(
    blocks: int, cell: int, hidden: int, n_inputs: int = N_INPUTS, n_answers: int = 1
) -> int:
    """Number of genes of an estimator: module, network above it and initial cell states.

    >>> count_estimator(50, 10, 50)  # 45,500 and 25,101 and 500
    71101
    """
    n = blocks * cell
    above = (n + 1) * hidden + (hidden + 1) * n_answers
    return blocks * count_block_weights(n_inputs, cell) + above + n


def check_model_shape(shape: ModelShape) -> None:
    """Check that a shape is valid.

    Raises:
        ValueError: A size is out of range, or sizes contradict the level.
    """
    if not (
        min(shape[:3]) >= 1
        and max(shape[:3]) <= MOST_UNITS
        and shape.min_node_visits >= 0
        and tree.ROOTS <= shape.nodes <= MOST_NODES
    ):
        raise ValueError(
            f"sizes must be from 1 to {MOST_UNITS}, min_node_visits at least 0, nodes from "
            f"{tree.ROOTS} to {MOST_NODES}; got {shape}"
        )
    if not 0 <= shape.level < len(LEVELS):
        raise ValueError(f"level must be 0 to {len(LEVELS) - 1}; got {shape.level}")
    allowed = shape.default_nodes == 0 or (
        shape.level >= TEXTURED and tree.ROOTS <= shape.default_nodes <= MOST_NODES
    )
    if not allowed:
        raise ValueError(
            f"default_nodes must be 0 or, from level {TEXTURED} on, {tree.ROOTS} to {MOST_NODES}; "
            f"got {shape.default_nodes} with level {shape.level}"
        )
    least = 1 if shape.level >= RECURSIVE else 0
    if not least <= shape.boards <= MOST_BOARDS:
        raise ValueError(
            f"boards must be {least} to {MOST_BOARDS} with level {shape.level}; got {shape.boards}"
        )


@kernel
def count_inputs(sizes: I64, which: Int) -> Int:
    """Number of inputs of an estimator."""
    return N_ACTION_INPUTS if which == OPPONENT and sizes[LEVEL] >= RECURSIVE else N_INPUTS


@kernel
def count_answers(sizes: I64, which: Int) -> Int:
    """Number of outputs of an estimator."""
    level = RECURSIVE if which == OPPONENT else RANGED
    return N_ANSWERS if sizes[LEVEL] >= level else 1


@kernel
def places_of(sizes: I64, which: Int) -> tuple[Int, Int, Int]:
    """Offsets in an estimator: network above the module, initial cell states, end."""
    cell, n, hidden = sizes[CELL], sizes[BLOCKS] * sizes[CELL], sizes[HIDDEN]
    above = sizes[BLOCKS] * count_block_weights(count_inputs(sizes, which), cell)
    first_cells = above + (n + 1) * hidden + (hidden + 1) * count_answers(sizes, which)
    return above, first_cells, first_cells + n


@kernel
def begin_of(sizes: I64, which: Int) -> Int:
    """Offset of an estimator in the weights."""
    if which == OPPONENT:
        return np.int64(0)
    _, _, end = places_of(sizes, OPPONENT)
    return end


@kernel
def default_begin(sizes: I64) -> Int:
    """Offset of the default trees in the weights."""
    _, _, end = places_of(sizes, SHOWDOWN)
    return begin_of(sizes, SHOWDOWN) + end
