"""In-memory snapshot of a complete game, for search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nlhe_env.envs.checksums import checksum
from nlhe_env.jit.array_types import AnyArray

if TYPE_CHECKING:
    from nlhe_env.envs.aec import raw_env

_CHANGING = (
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
)
"""Attributes that change while ``raw_env`` plays, besides its arrays."""


@dataclass(frozen=True, eq=False)
class SavedGame:
    """Snapshot from ``env.unwrapped.save()``, for ``restore`` of the same environment."""

    owner: int
    arrays: tuple[AnyArray, ...]
    attributes: Mapping[str, Any]
    noted: tuple[dict[str, Any], ...] | None
    """Actions of the hand so far, if hands are recorded; see ``HandRecorder``."""
    checksum: int

    @classmethod
    def of(cls, env: raw_env) -> SavedGame:
        """Copy the complete mutable state of an environment."""
        arrays = env.game_state.changing_arrays()
        return cls(
            owner=id(env),
            arrays=tuple(array.copy() for array in arrays),
            attributes={name: _copy(getattr(env, name)) for name in _CHANGING},
            noted=None if env.recorder is None else env.recorder.noted,
            checksum=checksum(arrays),
        )

    def put_back(self, env: raw_env) -> None:
        """Restore the snapshot in its environment.

        Raises:
            ValueError: The snapshot is from another environment, or was changed.
        """
        if self.owner != id(env):
            raise ValueError("restore() needs the result of save() of the same environment")
        if checksum(self.arrays) != self.checksum:
            raise ValueError("this saved game has been changed since it was saved")
        for array, kept in zip(env.game_state.changing_arrays(), self.arrays, strict=True):
            array[:] = kept
        for name, value in self.attributes.items():
            setattr(env, name, _copy(value))
        if env.recorder is not None:
            env.recorder.noted = self.noted


def _copy(value: Any) -> Any:
    # One level is enough: the values inside are replaced in play, never changed.
    return value.copy() if isinstance(value, (dict, list)) else value
