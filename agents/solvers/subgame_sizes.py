"""Memory and time that solving a subgame needs, from the part of its tree with a card a street."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from agents.solvers.public_game import PART
from agents.solvers.public_tree import CHANCE, DECISION, Betting, grow
from agents.solvers.runouts import nodes_before_showdowns, runout_bytes
from agents.solvers.terminal_batches import TerminalBatches
from nlhe_env.cards import N_CARDS
from nlhe_env.numerics.float_lanes import LANES, in_whole_lanes

_MOST_NODES_OF_ONE_RUNOUT = 100_000

_SECONDS_OF_SWEEP, _SECONDS_OF_HAND, _SECONDS_OF_NUMBER = 1.8e-6, 1.6e-8, 1e-9
"""Time of an iteration, about, on one thread of 2025: for a sum over all hands at up to sixteen
terminal nodes, for each hand in it, and for one action with one hand."""
_SECONDS_OF_CARDS = 1.5e-3
"""Time of an iteration to share the work that follows the next card."""

_BYTES_OF_NODE = 200
"""While the tree grows; of the tree itself, and of the batches of its ends, about two thirds."""
_BYTES_OF_PART = 16
"""For each number of the part of a strategy that is looked at."""
_SPACES_OF_RIVER, _SPACES = 2, 18
"""For walks, of a ``Solver``."""


class SubgameSize(NamedTuple):
    """The size of a game to solve."""

    nodes: int
    actions: int
    """Actions of all decisions together."""
    bytes: int
    """Bytes that the game and its solution take at most, while it is made and solved."""
    numbers: int
    """Probabilities of an action with a hand that are to be found."""
    seconds: float
    """Approximate time of an iteration on one thread."""

    def __str__(self) -> str:
        return (
            f"{self.nodes:,} nodes, {self.actions:,} actions, {self.bytes / 2**20:,.0f} MiB, about "
            f"{self.seconds:.2g} s an iteration on one thread"
        )


def size_of(rules: Betting, n_cards: int, hands: Sequence[int]) -> SubgameSize:
    """The size of a subgame of hold'em.

    Args:
        rules: How the two bet.
        n_cards: Cards on the board, 3 to 5.
        hands: How many each player may hold.

    Raises:
        ValueError: Even the part with one card a street is too large.
    """
    tree = grow(rules, lambda board: (board + 1,), most=_MOST_NODES_OF_ONE_RUNOUT)
    boards = [1]  # for each number of cards; the tree has one board of each
    for lying in range(n_cards, 5):
        boards.append(boards[-1] * (N_CARDS - lying))
    copies = np.array(boards, np.int64)[tree.board]
    decides = tree.kind == DECISION
    nodes, rows = int(copies.sum()), int((copies * tree.branches)[decides].sum())
    batches = TerminalBatches.of(tree)
    tops = np.unique(batches.top[batches.top >= 0])
    times = 2 if len(batches.met_row) else 1
    sweeps = -times * (-batches.showdowns[tops] // LANES) - (-batches.folds[tops] // LANES)
    most = max(hands)
    columns = 4 * in_whole_lanes(most)  # bytes of a row of float32
    depths, branches = int(tree.depth.max()) + 1, int(tree.branches[decides].max(initial=1))
    space = 2 * depths * (1 + branches) + batches.most + 2 * LANES
    of_chance = int((tree.kind == CHANCE)[tree.board == 0].sum()) * (
        3 + boards[min(1, 5 - n_cards)]
    )
    # Where both are all-in on the turn, a matrix replaces the showdowns on all rivers.
    runouts = nodes_before_showdowns(tree)
    matrices = runout_bytes(boards[4 - n_cards], most) if len(runouts) else 0
    if matrices:
        sweeps[np.isin(tops, runouts + 1)] = 0
    # Orders of strength of two players, and where each strength ends.
    cards = sum(boards) * most * 6
    # Regrets, sums of strategies and the average strategy; work arrays.
    n_spaces = _SPACES_OF_RIVER if n_cards == 5 else _SPACES
    solving = (3 * rows + n_spaces * space + 2 * of_chance) * columns
    numbers = rows * most
    bytes_ = nodes * _BYTES_OF_NODE + cards + solving + matrices
    bytes_ += min(numbers, PART) * _BYTES_OF_PART
    sums = int((sweeps * copies[tops]).sum())
    seconds = sums * (_SECONDS_OF_SWEEP + most * _SECONDS_OF_HAND) + numbers * _SECONDS_OF_NUMBER
    if n_cards < 5:
        seconds += _SECONDS_OF_CARDS
    return SubgameSize(nodes, rows, bytes_, numbers, seconds)
