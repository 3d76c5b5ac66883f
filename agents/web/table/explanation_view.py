"""Explanations of decisions as plain values with labels for a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.policy.explanations import Ballot, Estimate, Explanation
from agents.solvers.hand_grids import holding_grid
from nlhe_env.game.table import MAX_SEATS, NO_PLAYER
from nlhe_env.jit.array_types import F32

_LABELS = {
    "pot": "winnable pot",
    "call": "amount to call",
    "opponents": "opponents in the hand",
    "win_chance": "win chance",
    "position": "hands until the button",
    "stacks": "stack",
    "long_term": "aggressiveness, whole game",
    "short_term": "aggressiveness, last 10 hands",
    "folds": "share of folds",
    "calls": "share of calls",
    "raises": "share of raises",
    "known": "data on the player",
}


class ExplainedDecision(NamedTuple):
    """A player's decision with its explanation."""

    seat: int
    explanation: Explanation


def describe_explanation(
    explained: ExplainedDecision, table: np.void, names: Sequence[str]
) -> dict[str, Any]:
    """Explained decision as plain values.

    Args:
        explained: A decision at this table.
        table: Record of the table.
        names: Names of the players by number.
    """
    seats = int(table["seats"])
    around = [(explained.seat + i) % seats for i in range(seats)]
    clockwise = [
        names[int(table["player"][seat])] for seat in around if table["player"][seat] != NO_PLAYER
    ]
    explanation, inputs = explained.explanation, []
    for part in explanation.parts:
        values = [round(float(value), 4) for value in explanation.inputs[part.start : part.stop]]
        label = _LABELS.get(part.name, part.name)
        entry: dict[str, Any] = {"label": label, "values": values, "unit": part.meaning}
        if part.size in (MAX_SEATS, MAX_SEATS - 1):  # all players, or the others
            around_here = clockwise[MAX_SEATS - part.size :]
            entry["players"] = [*around_here, *[""] * (part.size - len(around_here))]
        inputs.append(entry)
    return {
        "seat": explained.seat,
        "name": names[int(table["player"][explained.seat])],
        "n_inputs": len(explanation.inputs),
        "inputs": inputs,
        "actions": [
            {
                "name": name,
                "legal": True if explanation.legal is None else bool(explanation.legal[i]),
                "probability": float(explanation.chances[i]),
                "value": None
                if explanation.values is None or np.isnan(explanation.values[i])
                else round(float(explanation.values[i]), 3),
            }
            for i, name in enumerate(explanation.names)
        ],
        "ballots": [_describe_ballot(ballot, explanation.reads) for ballot in explanation.ballots],
        "estimates": describe_estimates(explanation.estimates),
        "ranges": [
            {"seat": seat, "name": names[int(table["player"][seat])], **_describe_range(weights)}
            for seat, weights in explanation.ranges.items()
        ],
    }


def describe_estimates(estimates: Sequence[Estimate]) -> list[dict[str, Any]]:
    """Estimates as plain values."""
    return [{**estimate._asdict(), "value": round(estimate.value, 4)} for estimate in estimates]


def describe_opponent_models(
    explanations: Sequence[ExplainedDecision], table: np.void, names: Sequence[str]
) -> list[dict[str, Any]]:
    """Players' opponent models, learned from public events, as plain values.

    Args:
        explanations: The latest explained decision of each player.
        table: Record of the table.
        names: Names of the players by number.
    """
    return [
        {
            "name": names[int(table["player"][explained.seat])],
            "opponent": names[int(table["player"][seat])],
            "estimates": describe_estimates(estimates),
        }
        for explained in explanations
        for seat, estimates in explained.explanation.learnt.items()
        if table["player"][explained.seat] != NO_PLAYER and table["player"][seat] != NO_PLAYER
    ]


def _describe_range(weights: F32) -> dict[str, Any]:
    """Weights of the 169 classes, with maximum 1, and the remaining share of all holdings."""
    grid = holding_grid(weights)
    most = max(float(grid.max()), float(np.finfo(np.float32).tiny))
    return {
        "grid": [[round(float(cell) / most, 3) for cell in row] for row in grid],
        "share": float(weights.mean() / max(float(weights.max()), 1e-30)),
    }


def _describe_ballot(ballot: Ballot, names: Sequence[str] | None) -> dict[str, Any]:
    """Votes with their programs, the winning ones first, then by bid."""
    votes = [
        {
            "label": vote.label,
            "bid": vote.bid,
            "legal": vote.is_legal,
            "won": vote.won,
            "lines": [] if vote.program is None else vote.program.lines(names, effective=True),
        }
        for vote in sorted(ballot.votes, key=lambda vote: (not vote.won, -vote.bid))
    ]
    return {"title": ballot.title, "votes": votes}
