"""Value of ``is_parallelizable`` with an explanation for turn-based play."""

from __future__ import annotations

import sys

REASON = (
    "poker is played in turns, and a parallel environment asks all agents at once, before they can "
    "see what the others have done: use env.agent_iter(), or "
    "pettingzoo.utils.conversions.turn_based_aec_to_parallel, where only the action of the agent "
    "to act counts"
)


class TurnsOnly(int):
    """False value for ``is_parallelizable`` that raises an explanation when tested.

    PettingZoo's own message advises setting the key to True.
    """

    def __new__(cls) -> TurnsOnly:
        """The single value, 0."""
        return super().__new__(cls, 0)

    def __bool__(self) -> bool:
        """False.

        Raises:
            ValueError: An environment is being converted to a parallel one.
        """
        if sys._getframe(1).f_globals.get("__name__") == "pettingzoo.utils.conversions":
            raise ValueError(f"this environment cannot be converted to a parallel one: {REASON}")
        return False

    def __reduce__(self) -> tuple[type[TurnsOnly], tuple[()]]:
        return TurnsOnly, ()
