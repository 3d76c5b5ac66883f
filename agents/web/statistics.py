"""How the players at a table have played so far, from their records."""

from __future__ import annotations

from typing import Any

import numpy as np


def style_of(player: np.void) -> list[dict[str, Any]]:
    """What is known of a player's style: public counts only.

    Args:
        player: A record of dtype ``nlhe_env.aggression.PLAYER``.

    Returns:
        Rows of ``label``, ``value`` (as shown) and ``meaning``.
    """
    decisions = int(player["decisions"])
    rows: list[dict[str, Any]] = [_row("Decisions", str(decisions), "taken in this game")]
    if decisions:
        folds, raises = int(player["folds"]), int(player["raises"])
        calls = decisions - folds - raises
        rows += [
            _row("Folds", _share(folds, decisions), "of all decisions"),
            _row("Checks and calls", _share(calls, decisions), "of all decisions"),
            _row("Bets and raises", _share(raises, decisions), "of all decisions"),
            _row(
                "Aggressiveness",
                f"{float(player['long_term']):.2f}",
                "mean chips put in over chips to call; 1 is a call",
            ),
            _row("Last 10 hands", f"{float(player['short_term']):.2f}", "the same, of late"),
        ]
    rows += [
        _row("Hands won", str(int(player["hands_won"])), "with a share of a pot"),
        _row("Showdowns lost", str(int(player["showdowns_lost"])), "without a share"),
    ]
    return rows


def _row(label: str, value: str, meaning: str) -> dict[str, Any]:
    return {"label": label, "value": value, "meaning": meaning}


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%"
