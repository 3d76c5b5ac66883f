"""Events for players with memory, the same in both backends.

==================  ============================================================================
``SESSION_BEGINS``  an episode, tournament or rotation of a block; the memory is all zeros
``HAND_BEGINS``     cards are dealt, blinds are posted
``ACTED``           a player has acted: ``seat``, ``street``, ``action``, ``chips`` put in by it,
                    and ``pot`` and ``to_call`` before it; the table is the one after it
``SHOWN``           the cards of ``seat`` have been shown; one event for each such seat
``HAND_ENDS``       the pots have been paid; the table shows what each player ``won``
==================  ============================================================================

All players at the table are notified, including those who have folded. For a hand without
decisions, ``HAND_BEGINS`` is sent when it ends.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from nlhe_env.jit.array_types import Record

SESSION_BEGINS, HAND_BEGINS, ACTED, SHOWN, HAND_ENDS = range(5)

EVENT = np.dtype(
    [
        ("what", np.int64),  # SESSION_BEGINS ... HAND_ENDS
        ("seat", np.int64),  # seat of the player who acted or showed, else NO_PLAYER
        ("street", np.int64),
        ("action", np.int64),  # FOLD, CHECK_OR_CALL or n >= 1, raise to n
        ("chips", np.int64),
        ("pot", np.int64),
        ("to_call", np.int64),
        ("hand_runs", np.int64),  # whether the current hand has been announced
    ],
    align=True,
)
EventRecord: TypeAlias = Record
"""A record of dtype ``EVENT``."""
