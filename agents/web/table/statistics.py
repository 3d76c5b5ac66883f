"""Playing statistics of a table's players, from their records."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.match.style import Style


def style_of(player: np.void) -> list[dict[str, Any]]:
    """Statistics of a player's style, from public counts only.

    Args:
        player: A record of dtype ``nlhe_env.game.player.PLAYER``.

    Returns:
        Rows of ``label``, ``value`` (as shown) and ``meaning``.
    """
    decisions = int(player["decisions"])
    style = Style.of(player["style_counts"])
    rows = [
        _measure(
            "VPIP", style.voluntarily_in_pot, "hands with chips put in voluntarily before the flop"
        ),
        _measure("PFR", style.preflop_raise, "hands with a raise before the flop"),
        _measure(
            "Aggression",
            style.aggression,
            "share of bets and raises among bets, raises and calls, after the flop",
        ),
        _measure(
            "Folds to a raise", style.fold_to_raise, "share of decisions facing a bet or raise"
        ),
        _measure("WTSD", style.showdown, "share of showdowns among hands that saw the flop"),
        _measure(
            "Mean bet", style.bet_over_pot, "mean size of bets and raises as a share of the pot"
        ),
        _row("Decisions", str(decisions), "taken in this game"),
    ]
    if decisions:
        folds, raises = int(player["folds"]), int(player["raises"])
        calls = decisions - folds - raises
        rows += [
            _row("Folds", _share(folds, decisions), "share of all decisions"),
            _row("Checks and calls", _share(calls, decisions), "share of all decisions"),
            _row("Bets and raises", _share(raises, decisions), "share of all decisions"),
            _row(
                "Aggressiveness",
                f"{float(player['long_term']):.2f}",
                "mean ratio of chips put in to chips to call; 1 is a call",
            ),
            _row(
                "Last 10 hands",
                f"{float(player['short_term']):.2f}",
                "aggressiveness in the last 10 hands",
            ),
        ]
    rows += [
        _row("Hands won", str(int(player["hands_won"])), "split pots included"),
        _row("Showdowns lost", str(int(player["showdowns_lost"])), "without a share of the pot"),
    ]
    return rows


def _row(label: str, value: str, meaning: str) -> dict[str, Any]:
    return {"label": label, "value": value, "meaning": meaning}


def _measure(label: str, value: float, meaning: str) -> dict[str, Any]:
    return _row(label, "\N{EN DASH}" if math.isnan(value) else f"{100 * value:.0f}%", meaning)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%"
