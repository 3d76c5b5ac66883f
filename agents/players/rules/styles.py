"""The four playing styles: tight or loose, passive or aggressive.

A style has two thresholds on hand strength, one for playing and one for raising. Source: Bonson,
*Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie University, 2016), section
4.2.4 and table 4.3, for heads-up limit. The extensions to no-limit and to more opponents are ours,
see ``strength_of`` and ``all_in_margin``.
"""

from __future__ import annotations

import numpy as np

from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import (
    AFTER_PERCENTILES,
    check_or_fold,
    opponents,
    percentile,
    raise_by,
    strength_now,
)
from agents.policy.view import Parameters, View, offer
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, PREFLOP, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel

PARAMETERS = ("threshold", "raise_threshold", "size", "all_in_margin")
"""Thresholds for playing and raising, raise size in pots, margin for costly calls."""

STYLES = {
    "tight-passive": (0.8, 0.95),
    "tight-aggressive": (0.8, 0.85),
    "loose-passive": (0.2, 0.8),
    "loose-aggressive": (0.2, 0.4),
}
"""``threshold`` and ``raise_threshold``, table 4.3."""


@kernel
def strength_of(table: TableRecord, parameters: F32) -> Float:
    """Strength in 0..1; 0.8 is the threshold of the best fifth.

    Before the flop it is the share of weaker holdings against this number of opponents, later HS to
    the power of this number (Billings 2006, 2.5.2.1).
    """
    if table.street == PREFLOP:
        return percentile(table, parameters)
    return strength_now(table) ** opponents(table)


@kernel
def thresholds_of(parameters: F32, table: TableRecord) -> tuple[Float, Float]:
    """Thresholds for playing and raising at the current decision.

    Both move towards 1 in proportion to the share of the stack that a call costs, by the fraction
    ``all_in_margin`` for the whole stack; with a margin of 0 the rule is as published.
    """
    risk = np.float64(parameters[3]) * amount_to_call(table) / table.stack[table.actor]
    threshold = np.float64(parameters[0])
    raise_threshold = np.float64(parameters[1])
    return (
        threshold + (1.0 - threshold) * risk,
        raise_threshold + (1.0 - raise_threshold) * risk,
    )


@kernel
def play_style(parameters: F32, table: TableRecord, least: Int, most: Int) -> Int:
    """Action of a style."""
    strength = strength_of(table, parameters)
    threshold, raise_threshold = thresholds_of(parameters, table)
    if strength < threshold:
        return check_or_fold(table)
    if strength < raise_threshold:
        return CHECK_OR_CALL
    return raise_by(table, np.float64(parameters[2]), least, most)


@kernel
def style_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action of a style."""
    choices = view.choices
    action = play_style(parameters.weights, view.table, choices.least, choices.most)
    offer(view, action, 1.0)


STYLE = register_kind(
    Kind(
        "style",
        style_policy,
        wants="table",
        answers="amounts",
        n_weights=AFTER_PERCENTILES,
        two_calls=True,
    )
)
