"""What a network, a team or a search saw and wanted when it decided, with names for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.compiled.chances import drawn_from
from agents.compiled.fields import WorkArrays
from agents.compiled.players import CompiledPlayer
from agents.compiled.teams.limit_teams import LimitTeamPlayer
from agents.compiled.teams.team_players import Bid, TeamPlayer, winner
from agents.compiled.vexbot import player as vexbot
from agents.compiled.vexbot_nolimit import player as vexbot_nolimit
from nlhe_env.game.description import Game
from nlhe_env.game.table import MAX_SEATS, NOBODY
from nlhe_env.machine.array_types import F32, F64, Bool
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

_SEARCHED = ("fold", "check or call", "bet or raise")
_SEARCHERS = {
    vexbot.VEXBOT: vexbot.expected_values,
    vexbot_nolimit.VEXBOT_NOLIMIT: vexbot_nolimit.expected_values,
}
"""Kinds that search, and what tells what they expected of these actions."""
_NO_INPUTS = np.zeros(0, np.float32)


class Insight(NamedTuple):
    """One decision of a player from the inside."""

    seat: int
    inputs: F32
    """Empty for players that search."""
    parts: tuple[Part, ...]
    """What the inputs mean."""
    names: tuple[str, ...]
    """Of the actions."""
    chances: F64
    """``(n,)`` of the actions."""
    legal: Bool
    """``(n,)`` whether they could be taken."""
    values: F32
    """``(n,)`` big blinds that a search expects to win in the hand, nan where nothing is known."""
    bids: tuple[Bid, ...] = ()
    """Of the programs of a team."""
    reads: tuple[str, ...] | None = None
    """Names of the inputs of programs, where each has its own."""


def thinks_aloud(player: object) -> bool:
    """Whether a player has inputs or expectations, and chances, that can be shown."""
    if isinstance(player, LimitTeamPlayer):
        return True
    return isinstance(player, CompiledPlayer) and (player.sees_inputs or player.kind in _SEARCHERS)


def read_insight(seat: int, player: CompiledPlayer, work: WorkArrays) -> Insight:
    """The decision that a player has just taken, from the scratch of its kernels."""
    if player.kind in _SEARCHERS:
        return _read_search(seat, work, _SEARCHERS[player.kind](work.scratch))
    mask, reads = work.choices[0]["mask"][:N_SIZED] == 1, None
    bids: list[Bid] = []
    if isinstance(player, LimitTeamPlayer):
        inputs, reads = player.inputs_in(work.memory[seat]), player.inputs_are
        parts = tuple(Part(name, i, 1, 10.0, "0 to 10") for i, name in enumerate(reads))
        bids = player.bids_in(work.memory[seat], mask)
    else:
        parts = find_observation(player.inputs).parts(Game(), 2)  # the same in all games
        inputs = work.inputs[: parts[-1].stop].copy()
        if isinstance(player, TeamPlayer):
            bids = player.bids(inputs, mask)
    return Insight(
        seat,
        inputs,
        parts,
        SIZED_NAMES,
        drawn_from(work),
        mask,
        np.full(N_SIZED, np.nan, np.float32),
        tuple(bids),
        reads,
    )


def _read_search(seat: int, work: WorkArrays, values: F32) -> Insight:
    choices = work.choices[0]
    n = int(choices["n"])
    # -1 to fold, 0 to call, above to raise.
    which = np.clip(choices["action"][:n], -1, 1) + 1
    chances = np.bincount(which, choices["chance"][:n], len(values)) / choices["total"]
    return Insight(seat, _NO_INPUTS, (), _SEARCHED, chances, ~np.isnan(values), values)


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
                "value": None if np.isnan(value) else round(float(value), 3),
            }
            for name, legal, chance, value in zip(
                insight.names, insight.legal, insight.chances, insight.values, strict=True
            )
        ],
        "bids": _describe_bids(insight),
    }


def _describe_bids(insight: Insight) -> list[dict[str, Any]]:
    """The bids of a team with the programs that made them, the highest first."""
    won = winner(insight.bids)
    order = sorted(range(len(insight.bids)), key=lambda i: (i != won, -insight.bids[i].bid))
    return [
        {
            "action": SIZED_NAMES[bid.program.action],
            "bid": bid.bid,
            "legal": bid.is_legal,
            "won": i == won,
            "lines": bid.program.lines(insight.reads, effective=True),
        }
        for i in order
        for bid in [insight.bids[i]]
    ]
