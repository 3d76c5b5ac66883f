"""Messages for illegal actions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlhe_env.arguments import shown
from nlhe_env.envs.decision_facts import MAX_RAISE_TO, MIN_RAISE_TO, TO_CALL
from nlhe_env.jit.array_types import I8
from nlhe_env.spaces.actions import CHIPS, ActionEncoding


def explain_illegal(
    action: int, encoding: ActionEncoding, facts: Sequence[int], mask: I8, *, name: str, player: str
) -> str:
    """Message for an illegal action, with the legal actions and the given one.

    Args:
        action: The given action id.
        encoding: The action encoding.
        facts: Facts of the decision.
        mask: Mask of the decision; not used with actions in chips.
        name: Name of the argument.
        player: Name of the player to act.
    """
    to_call, least, most = facts[TO_CALL], facts[MIN_RAISE_TO], facts[MAX_RAISE_TO]
    if encoding.kind == CHIPS:
        legal = "0 (fold), 1 (check or call)" if to_call else "1 (check)"
        if most == 1:
            legal += ", 2 (all-in with the last chip)"
        elif most:
            legal += f", {least}..{most} (raise to)"
    else:
        ids = np.flatnonzero(mask).tolist()
        legal = ", ".join(f"{i} ({encoding.describe(i)})" for i in ids)
    return (
        f"{name} must be a legal id for {player}: {legal}; got {shown(action)}. "
        f"To call: {to_call}, legal raises: to {least}..{most}"
    )
