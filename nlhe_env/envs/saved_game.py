"""A whole game kept in memory, to be put back later: search needs it at every node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nlhe_env.machine.array_types import AnyArray

# What an environment keeps in Python besides its arrays.
_PYTHON_STATE = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "_quiet_infos",
    "_final_vectors",
    "_leaving",
    "_next_to_act",
    "_rewards_are_zero",
    "_board_shown",
    "_board_text",
    "_seed",
    "_episode",
)


@dataclass(frozen=True, eq=False)
class SavedGame:
    """What ``env.unwrapped.save()`` keeps; only ``restore`` of the same environment reads it."""

    owner: int
    arrays: tuple[AnyArray, ...]
    python: dict[str, Any]


def save(env: Any) -> SavedGame:
    """Everything that changes while an environment plays."""
    python = {name: _copy(getattr(env, name)) for name in _PYTHON_STATE}
    return SavedGame(id(env), tuple(part.copy() for part in _parts(env)), python)


def restore(env: Any, saved: SavedGame) -> None:
    """Put a saved game back.

    Raises:
        ValueError: It was saved by another environment.
    """
    if not isinstance(saved, SavedGame) or saved.owner != id(env):
        raise ValueError("restore() takes what save() of the same environment gave")
    for part, kept in zip(_parts(env), saved.arrays, strict=True):
        part[:] = kept
    for name, value in saved.python.items():
        setattr(env, name, _copy(value))


def _parts(env: Any) -> list[AnyArray]:
    """The arrays as bytes: NumPy copies structured records field by field, which takes longer."""
    records = [array.view(np.uint8) for array in (env.game_record, env.tables, env.players)]
    return [*records, env._mask, env._facts]


def _copy(value: Any) -> Any:
    # One level is enough: the values inside are replaced in play, never changed.
    return value.copy() if isinstance(value, (dict, list)) else value
