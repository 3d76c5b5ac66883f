"""The estimators of ASHE 2.0: who wins a showdown, and whether the opponent folds to a raise.

Source: Li (PhD thesis, University of Texas at Austin, 2018), section 5.1.2 and table 5-1. Each is a
module of LSTM blocks, reset with every hand, under a network with one hidden layer and one output
in 0..1. Both see what the node of the tree tells that the hand has come to, and the state of the
hand; the estimator of showdowns sees the strength of the own hand too, that of folds the texture of
the board.

Readings: the draws of a board are two numbers, the chances that any hand makes a flush and a
straight. Until a node has been passed ``trust_after`` times, its features are those of a node
without hands.
"""

from __future__ import annotations

import numpy as np

from agents.compiled.ashe.tree import COUNT, FOLDS, HEAD, NODE, SHOWDOWNS, STRENGTH, UNKNOWN
from agents.compiled.lstm_blocks import add_links, count_block_weights
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.assessment.texture_kernels import TEXTURES, rank_set, suitedness
from nlhe_env.machine.bits import popcount
from nlhe_env.machine.compilation import kernel
from nlhe_env.machine.portable_math import sigmoid32, tanh32
from nlhe_env.machine.record_pointers import record_pointer

N_INPUTS = 11
"""Of both. Showdowns: frequency of the node, share of folds, of showdowns, strength shown, street
(four), strength of the own hand, chips put in by the opponent and the player, by the stack. Folds:
frequency, share of folds, chance of a flush, of a straight, pairs; street, and both chips."""
_PRIOR, _ENOUGH = 0.85, 5.0
_textures_at = record_pointer(TEXTURES)


def count_estimator(blocks: int, cell: int, hidden: int) -> int:
    """Genes of an estimator: the module, the network above it, the first cells.

    >>> count_estimator(50, 10, 50)  # 45,500 and 25,101 and 500
    71101
    """
    n = blocks * cell
    return blocks * count_block_weights(N_INPUTS, cell) + (n + 2) * hidden + 1 + n


@kernel
def trusted(memory, node, trust_after):
    """Whether a node has been passed often enough to be believed."""
    return node != UNKNOWN and memory[HEAD + node * NODE + COUNT] > trust_after


@kernel
def shown_strength(mean, showdowns):
    """The strength to expect: below a few showdowns mixed with what is usual."""
    if showdowns > _ENOUGH:
        return np.float64(mean)
    return (_PRIOR * (_ENOUGH - showdowns) + mean * showdowns) / _ENOUGH


@kernel
def write_node(memory, node, trust_after, win_inputs, fold_inputs):
    """Write what a node tells: four numbers for showdowns, two for folds."""
    count, folds, showdowns, mean = 0.0, 0.0, 0.0, 0.0
    if trusted(memory, node, trust_after):
        at = HEAD + node * NODE
        count = np.float64(memory[at + COUNT])
        folds = np.float64(memory[at + FOLDS])
        showdowns = np.float64(memory[at + SHOWDOWNS])
        mean = np.float64(memory[at + STRENGTH])
    frequency = sigmoid32(np.float32(count / 10.0))
    fold_rate = np.float32((folds + 1.0) / (count + 3.0))
    win_inputs[0] = fold_inputs[0] = frequency
    win_inputs[1] = fold_inputs[1] = fold_rate
    win_inputs[2] = np.float32((showdowns + 1.0) / (count + 3.0))
    win_inputs[3] = np.float32(shown_strength(mean, showdowns))


@kernel
def write_state(table, strength, own, opponent, win_inputs):
    """Write the state of the hand for the estimator of showdowns: the last seven numbers.

    Args:
        table: A table record.
        strength: Of the own hand.
        own: What the player has put in, by the stack.
        opponent: What the opponent has put in, by the stack.
        win_inputs: ``(11,)`` float32, its last seven filled.
    """
    for street in range(4):
        win_inputs[4 + street] = np.float32(table.street == street)
    win_inputs[8] = np.float32(strength)
    win_inputs[9] = np.float32(opponent)
    win_inputs[10] = np.float32(own)


@kernel
def _write_board(board, n_board, textures, fold_inputs):
    """Write the draws and the pairs of a board."""
    cards = board_set(board, n_board)
    ranks = rank_set(cards)
    fold_inputs[2] = np.float32(suitedness(cards, n_board, textures))
    fold_inputs[3] = np.float32(textures.straight[n_board, ranks])
    fold_inputs[4] = np.float32(min(1.0, 0.5 * (n_board - popcount(ranks))))


@kernel
def write_fold_state(table, own, opponent, book, fold_inputs):
    """The same for the estimator of folds: the last nine numbers; ``book`` holds textures."""
    board = table.cards[2 * table.seats : 2 * table.seats + 5]
    _write_board(board, table.board_cards, _textures_at(book), fold_inputs)
    for street in range(4):
        fold_inputs[5 + street] = np.float32(table.street == street)
    fold_inputs[9] = np.float32(opponent)
    fold_inputs[10] = np.float32(own)


@kernel
def estimate(links, outputs, hidden):
    """The network above a module: a chance.

    Args:
        links: Float32 weights: of every output of the module to the hidden units, their biases,
            their links to the output, its bias; maybe more.
        outputs: ``(n,)`` float32 outputs of the module.
        hidden: Scratch for the hidden units.
    """
    n = len(hidden)
    biases = links[len(outputs) * n :]
    for j in range(n):
        hidden[j] = biases[j]
    add_links(links, outputs, hidden)
    above = biases[n:]
    total = above[n]
    for j in range(n):
        total += tanh32(hidden[j]) * above[j]
    return sigmoid32(total)
