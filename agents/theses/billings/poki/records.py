"""Layouts of the Alberta players: weights, memory and scratch.

Weights begin as for every rule, with ``spots.N_PARAMETERS`` numbers and the shares of weaker
holdings before the flop; income rates and an average player's action frequencies follow. The memory
has a fixed size for any number of seats.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from agents.policy.kinds import whole_weight
from agents.policy.spots import AFTER_PERCENTILES, N_PERCENTILES
from nlhe_env.assessment.potential_kernels import SCRATCH
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game.table import MAX_SEATS, TABLE
from nlhe_env.jit.array_types import F32, Record
from nlhe_env.jit.compilation import kernel

N_CONTEXTS = 12
"""Streets times bets faced: none, one, more. See ``action_frequencies.context_of``."""
N_INPUTS = 19
N_HIDDEN = 4
N_NETWORK = N_INPUTS * N_HIDDEN + 3 * (N_HIDDEN + 1)
N_PREDICTORS = 3
N_SIZES = 5
"""Classes of raises in no-limit, see ``action_frequencies.size_class``."""
N_BINS = 128
"""Number of strength cells in 0..1."""
N_REFERENCES = 32
"""Reference holdings that represent a player's range on simulated boards."""
N_DRAWN = 8 * N_REFERENCES
"""Reference holdings drawn per decision; each deal uses the next ``N_REFERENCES``."""
MOST_ACTS = 16
"""Maximum number of a player's actions recorded per simulated deal."""
MOST_OPTIONS = 5
"""Maximum number of actions compared by a simulation."""

PARAMETERS = (
    "style",
    "bet",
    "raises",
    "reraise",
    "ramp",
    "size",
    "bluff",
    "all_in_margin",
    "model",
    "trials",
    "trap",
    "preflop",
)
(STYLE, BET, RAISE, RERAISE, RAMP, SIZE, BLUFF, CAUTION, MODEL, TRIALS, TRAP, PREFLOP_RULE) = range(
    len(PARAMETERS)
)

MOST_TRIALS = 100_000
"""Maximum number of simulated deals per decision."""

INCOME = AFTER_PERCENTILES
"""Offset of ``(169, 9)`` income rates in thousandths of a bet, by class and opponents."""
FREQUENCIES = INCOME + N_PERCENTILES
"""Offset of an average player's ``(12, 3)`` frequencies of folds, calls and raises."""
N_WEIGHTS = FREQUENCIES + 3 * N_CONTEXTS

MEMORY = np.dtype(
    [
        ("street", np.int32),  # of ``strength``, plus 1; 0 for none
        ("context", np.int32),  # of the next decision
        ("can_raise", np.int32),  # whether a raise is legal at the next decision
        ("last", np.int32),  # last action kind on this street: FOLDS .. RAISES, plus 1; 0 none
        ("last_street", np.int32),  # of ``last``
        ("player", np.int32, (MAX_SEATS,)),  # player in each seat, plus 1
        ("inputs", np.float32, (N_INPUTS,)),  # network inputs of the next decision
        ("strength", np.float32, (N_HOLES,)),  # of all holdings on this street
        ("weights", np.float32, (MAX_SEATS, N_HOLES)),  # likelihoods of holdings, largest 1
        ("shares", np.float32, (MAX_SEATS, N_BINS)),  # of weaker holdings, by cell, at
        # the start of the street; unused before the flop
        ("counts", np.float32, (MAX_SEATS, N_CONTEXTS, 3)),  # decaying counts of action kinds
        ("sizes", np.float32, (MAX_SEATS, N_SIZES)),  # decaying counts of raise classes
        ("network", np.float32, (MAX_SEATS, N_NETWORK)),
        ("surprise", np.float32, (MAX_SEATS, N_PREDICTORS)),  # decaying mean for each predictor
    ]
)
"""Four-byte fields only, because memory rows are aligned to four bytes."""
MemoryRecord: TypeAlias = Record
"""A record of dtype ``MEMORY``."""

ACT = np.dtype(
    [
        ("street", np.int64),
        ("folds", np.float64),  # fold frequency of the player there
        ("raises", np.float64),
        ("action_kind", np.int64),
        ("to_call", np.int64),
        ("can_raise", np.int64),
    ]
)
"""Recorded action of a player in a simulated deal."""

WORK = np.dtype(
    [
        ("potential", SCRATCH),
        ("keys", np.int64, (N_HOLES,)),
        ("strength", np.float32, (N_HOLES,)),
        ("chances", np.float64, (N_HOLES,)),
        ("cells", np.float64, (N_BINS,)),
        ("triple", np.float64, (3,)),
        ("own_triple", np.float64, (3,)),
        ("frequencies", np.float64, (3,)),
        ("guess", np.float64, (3,)),
        ("hidden", np.float64, (N_HIDDEN,)),
        # Used by simulations only.
        ("inputs", np.float32, (N_INPUTS,)),
        ("key", np.int64),
        ("hand", np.int64),
        ("spot", np.int64),
        ("block", np.int64),  # block of random numbers
        ("left", np.int64),  # random numbers left in the block
        ("units", np.float64, (4,)),
        ("holes", np.int64, (N_HOLES,)),  # as sets of cards
        ("high", np.int64, (N_HOLES,)),  # the cards of each
        ("low", np.int64, (N_HOLES,)),
        ("sums", np.float64, (MAX_SEATS, N_HOLES)),  # running sums of weights
        ("shares", np.float64, (MAX_SEATS, N_BINS)),
        ("references", np.int64, (MAX_SEATS, N_DRAWN)),
        ("first_reference", np.int64),  # first reference of the deal
        ("number", np.int64, (MAX_SEATS,)),  # number of the holding dealt to each seat
        ("dealt", np.int8, (2 * MAX_SEATS + 5,)),
        ("placed", np.int64, (4,)),  # whether ``place`` is known on a street
        ("place", np.float64, (4, MAX_SEATS)),  # percentile of each hand among the references
        ("own_habit", np.float64, (3,)),  # frequencies at the first action
        ("n_acts", np.int64, (MAX_SEATS,)),  # number of recorded actions in the deal
        ("acts", ACT, (MAX_SEATS, MOST_ACTS)),
        ("last", np.int64),  # last action kind on the street, -1 for none
        ("ranks", np.int64, (MAX_SEATS,)),
        ("options", np.int64, (MOST_OPTIONS,)),
        ("value", np.float64, (MOST_OPTIONS,)),  # values in one deal
        ("values", np.float64, (MOST_OPTIONS,)),
        ("n_options", np.int64),  # number of compared actions; 0 without a simulation
        ("n_deals", np.int64),
        ("squares", np.float64, (MOST_OPTIONS, MOST_OPTIONS)),  # sums of squared differences
        ("table", TABLE),
    ],
    align=True,
)
WorkRecord: TypeAlias = Record
"""A record of dtype ``WORK``."""

_FLOATS = np.dtype(np.float32).itemsize
N_MEMORY = MEMORY.itemsize // _FLOATS
N_SCRATCH = WORK.itemsize // _FLOATS


@kernel
def memory_of(memory: F32) -> MemoryRecord:
    """A row of memory as a record of dtype ``MEMORY``."""
    return memory[:N_MEMORY].view(MEMORY)[0]


@kernel
def work_of(scratch: F32) -> WorkRecord:
    """Scratch as a record of dtype ``WORK``."""
    return scratch[:N_SCRATCH].view(WORK)[0]


def check_settings(player: Any) -> None:
    """Check the weights of a player that are an index or a count.

    Raises:
        ValueError: They are not those of ``PokiSettings``.
    """
    whole_weight(player.weights, MODEL, N_PREDICTORS)  # the last one takes the best
    whole_weight(player.weights, TRIALS, MOST_TRIALS, 1)
