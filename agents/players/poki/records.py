"""Layouts of the Alberta players: weights, memory and scratch.

Weights begin as those of every rule, ``spots.N_PARAMETERS`` numbers and the shares of weaker
holdings before the flop; then come income rates and the habits of an average player. Memory is the
same for two seats as for ten and never grows.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from agents.policy.spots import AFTER_PERCENTILES, N_PERCENTILES
from nlhe_env.assessment.potential_kernels import SCRATCH
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game.table import MAX_SEATS, TABLE
from nlhe_env.jit.array_types import F32, Record
from nlhe_env.jit.compilation import kernel

N_CONTEXTS = 12
"""Streets times what is faced: no bet, one, more. See ``habits.context_of``."""
N_INPUTS = 19
N_HIDDEN = 4
N_NETWORK = N_INPUTS * N_HIDDEN + 3 * (N_HIDDEN + 1)
N_PREDICTORS = 3
N_SIZES = 5
"""Classes of raises in no-limit, see ``habits.size_class``."""
N_BINS = 128
"""Cells of strength in 0..1 in which holdings are sorted."""
N_REFERENCES = 32
"""Holdings that stand for all of a player's on boards that a simulation deals."""
N_DRAWN = 8 * N_REFERENCES
"""Such holdings drawn for a decision, of which each deal takes the next ones."""
MOST_ACTS = 16
"""Actions of a player in one deal that a simulation takes account of."""
MOST_OPTIONS = 5
"""Actions that a simulation compares."""

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

INCOME = AFTER_PERCENTILES
"""Offset of ``(169, 9)`` income rates in thousandths of a bet, by class and opponents."""
FREQUENCIES = INCOME + N_PERCENTILES
"""Offset of ``(12, 3)`` chances of an average player to fold, call and raise."""
N_WEIGHTS = FREQUENCIES + 3 * N_CONTEXTS

MEMORY = np.dtype(
    [
        ("street", np.int32),  # of ``strength``, plus 1; 0 for none
        ("context", np.int32),  # of the decision to come
        ("can_raise", np.int32),  # whether a raise is legal then
        ("last", np.int32),  # last action kind on this street: FOLDS .. RAISES, plus 1; 0 none
        ("last_street", np.int32),  # of ``last``
        ("player", np.int32, (MAX_SEATS,)),  # who sits there, plus 1
        ("inputs", np.float32, (N_INPUTS,)),  # what the network sees of the decision to come
        ("strength", np.float32, (N_HOLES,)),  # of all holdings on this street
        ("weights", np.float32, (MAX_SEATS, N_HOLES)),  # likelihoods of holdings, largest 1
        ("shares", np.float32, (MAX_SEATS, N_BINS)),  # of these that were weaker, by strength, when
        # the street began; before the flop none
        ("counts", np.float32, (MAX_SEATS, N_CONTEXTS, 3)),  # action kinds, older ones fade
        ("sizes", np.float32, (MAX_SEATS, N_SIZES)),  # of raises, older ones fade
        ("network", np.float32, (MAX_SEATS, N_NETWORK)),
        ("surprise", np.float32, (MAX_SEATS, N_PREDICTORS)),  # of each predictor, fading mean
    ]
)
"""Only numbers of four bytes: rows of memory begin at any multiple of four."""
MemoryRecord: TypeAlias = Record
"""A record of dtype ``MEMORY``."""

ACT = np.dtype(
    [
        ("street", np.int64),
        ("folds", np.float64),  # how often the player folds there
        ("raises", np.float64),
        ("action_kind", np.int64),
        ("to_call", np.int64),
        ("can_raise", np.int64),
    ]
)
"""Actions of a player in a deal of a simulation."""

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
        # Of simulations; those that only play by the formula leave them alone.
        ("inputs", np.float32, (N_INPUTS,)),
        ("key", np.int64),
        ("hand", np.int64),
        ("spot", np.int64),
        ("block", np.int64),  # of random numbers
        ("left", np.int64),  # of these
        ("units", np.float64, (4,)),
        ("holes", np.int64, (N_HOLES,)),  # as sets of cards
        ("high", np.int64, (N_HOLES,)),  # the cards of each
        ("low", np.int64, (N_HOLES,)),
        ("sums", np.float64, (MAX_SEATS, N_HOLES)),  # running sums of weights
        ("shares", np.float64, (MAX_SEATS, N_BINS)),
        ("references", np.int64, (MAX_SEATS, N_DRAWN)),
        ("first_reference", np.int64),  # of the deal
        ("number", np.int64, (MAX_SEATS,)),  # of the holding dealt to a seat
        ("dealt", np.int8, (2 * MAX_SEATS + 5,)),
        ("placed", np.int64, (4,)),  # whether ``place`` is known on a street
        ("place", np.float64, (4, MAX_SEATS)),  # of each hand among the references
        ("own_habit", np.float64, (3,)),  # of the first action
        ("n_acts", np.int64, (MAX_SEATS,)),  # what has been done in the deal
        ("acts", ACT, (MAX_SEATS, MOST_ACTS)),
        ("last", np.int64),  # what was done last on the street, -1 for nothing
        ("ranks", np.int64, (MAX_SEATS,)),
        ("options", np.int64, (MOST_OPTIONS,)),
        ("value", np.float64, (MOST_OPTIONS,)),  # of one deal
        ("values", np.float64, (MOST_OPTIONS,)),
        ("n_options", np.int64),  # that were compared; 0 where nothing was simulated
        ("n_deals", np.int64),
        ("squares", np.float64, (MOST_OPTIONS, MOST_OPTIONS)),  # of differences
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
