"""Decision hooks: kernels that are called after every decision, before the table changes.

Variance reduction methods normally see complete hands. One that needs more, such as the action
probabilities of a player, has a decision hook as well.
"""

from __future__ import annotations

import numpy as np

from agents.policy.events import EVENT
from agents.policy.player_batch import PlayerArrays, Seated, WorkArrays
from agents.policy.view import CHOICES, TRAITS
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import TABLE
from nlhe_env.jit.function_pointers import Signature

DECISION_HOOK = Signature(
    "a decision hook",
    None,
    player=0,
    table=np.zeros(1, TABLE)[0],
    players=np.zeros(1, PLAYER),
    seated=Seated(
        PlayerArrays(np.zeros(1, TRAITS), np.zeros((1, 1), np.float32)),
        blank_tables(),
        WorkArrays(
            np.zeros(1, np.float32),
            np.zeros(1, CHOICES),
            np.zeros(1, EVENT),
            np.zeros(1, np.float32),
            np.zeros((1, 1), np.float32),
            np.zeros(1),
        ),
    ),
    action=0,
    state=np.zeros(1, np.int64),
)
"""``record(player, table, players, seated, action, state)`` is called before a player's action is
taken; ``seated.work.choices`` holds the choices."""
