"""Snapshot of a whole game in memory, to be restored later: search needs it at every node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlhe_env.envs.checksums import checksum
from nlhe_env.jit.array_types import AnyArray

CHANGING = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "_quiet_infos",
    "_last_hands",
    "_places",
    "_final_looks",
    "_hands_over",
    "_leaving",
    "_next_to_act",
    "_rewards_are_zero",
    "_seed",
    "_episode",
    "_noted",
)
"""Attributes that change while ``raw_env`` plays, besides its arrays."""


@dataclass(frozen=True, eq=False)
class SavedGame:
    """Snapshot from ``env.unwrapped.save()``, for ``restore`` of the same environment."""

    owner: int
    arrays: tuple[AnyArray, ...]
    attributes: Mapping[str, Any]
    checksum: int

    @classmethod
    def of(
        cls, owner: object, arrays: Sequence[AnyArray], attributes: Mapping[str, Any]
    ) -> SavedGame:
        """Copies of all that changes while an environment plays.

        Args:
            owner: The environment.
            arrays: Arrays of the game.
            attributes: Python attributes to keep besides them.
        """
        kept = {name: _copy(value) for name, value in attributes.items()}
        return cls(id(owner), tuple(array.copy() for array in arrays), kept, checksum(arrays))

    def put_back(self, owner: object, arrays: Sequence[AnyArray]) -> dict[str, Any]:
        """Write the arrays back; returns the attributes to set.

        Raises:
            ValueError: It was saved by another environment, or has been changed since.
        """
        if self.owner != id(owner):
            raise ValueError("restore() takes what save() of the same environment gave")
        if checksum(self.arrays) != self.checksum:
            raise ValueError("this saved game has been changed since it was saved")
        for array, kept in zip(arrays, self.arrays, strict=True):
            array[:] = kept
        return {name: _copy(value) for name, value in self.attributes.items()}


def _copy(value: Any) -> Any:
    # One level is enough: the values inside are replaced in play, never changed.
    return value.copy() if isinstance(value, (dict, list)) else value
