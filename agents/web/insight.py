"""What a network saw and wanted when it decided, with names for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.compiled.chances import drawn_from
from agents.compiled.fields import WorkArrays
from agents.compiled.players import CompiledPlayer
from nlhe_env.game.description import Game
from nlhe_env.game.table import MAX_SEATS, NOBODY
from nlhe_env.machine.array_types import F32, F64, I8
from nlhe_env.spaces.actions import N_SIZED, SIZED_NAMES
from nlhe_env.spaces.observation import Part
from nlhe_env.spaces.observations import find_observation

_LABELS = {
    "pot": "pot it can win",
    "call": "chips to call",
    "opponents": "opponents in the hand",
    "win_chance": "win chance",
    "position": "hands until the button",
    "stacks": "stack",
    "long_term": "aggressiveness, whole game",
    "short_term": "aggressiveness, last 10 hands",
    "folds": "share of folds",
    "calls": "share of calls",
    "raises": "share of raises",
    "known": "how well known",
}


class Insight(NamedTuple):
    """One decision of a player with inputs from the inside."""

    seat: int
    inputs: F32
    parts: tuple[Part, ...]
    """What the inputs mean."""
    chances: F64
    """``(5,)`` of fold, call, small, medium and large raise."""
    mask: I8
    """``(5,)`` 1 where legal."""


def thinks_aloud(player: object) -> bool:
    """Whether a player has inputs and chances that can be shown."""
    return isinstance(player, CompiledPlayer) and player.sees_inputs


def read_insight(seat: int, player: CompiledPlayer, work: WorkArrays) -> Insight:
    """The decision that a player has just taken, from the scratch of its kernels."""
    parts = find_observation(player.inputs).parts(Game(), 2)  # the same in all games
    return Insight(
        seat,
        work.inputs[: parts[-1].stop].copy(),
        parts,
        drawn_from(work),
        work.choices[0]["mask"][:N_SIZED].copy(),
    )


def describe_insight(insight: Insight, table: np.void, names: Sequence[str]) -> dict[str, Any]:
    """An insight in plain values.

    Args:
        insight: Of a decision at this table.
        table: The record of the table.
        names: Of the players by number.
    """
    seats = int(table["seats"])
    around = [(insight.seat + i) % seats for i in range(seats)]
    clockwise = [
        names[int(table["player"][seat])] for seat in around if table["player"][seat] != NOBODY
    ]
    inputs = []
    for part in insight.parts:
        values = [round(float(value), 4) for value in insight.inputs[part.start : part.stop]]
        label = _LABELS.get(part.name, part.name)
        entry: dict[str, Any] = {"label": label, "values": values, "unit": part.meaning}
        if part.size == MAX_SEATS:
            entry["of"] = [*clockwise, *[""] * (part.size - len(clockwise))]
        inputs.append(entry)
    return {
        "seat": insight.seat,
        "name": names[int(table["player"][insight.seat])],
        "n_inputs": len(insight.inputs),
        "inputs": inputs,
        "actions": [
            {
                "name": name,
                "legal": bool(legal),
                "chance": float(chance),
            }
            for name, legal, chance in zip(SIZED_NAMES, insight.mask, insight.chances, strict=True)
        ],
    }
