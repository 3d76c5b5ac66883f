"""Betting tree of a whole game with a few bet sizes, for kernels and players."""

from __future__ import annotations

import numpy as np

from agents.players.blueprint.book import ACTION, CALLS, FOLDS, NODE, BettingTree
from agents.solvers.public_tree import CHANCE, DECISION, SHOWDOWN, Betting, PublicTree, grow
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD

AT_SHOWDOWN = -1
"""Placeholder for the player who folded, at showdowns."""
_THE_RAISE = 1.0
"""Nominal size of the only raise in fixed-limit."""


def betting_tree(rules: Betting, unit: float = 1.0) -> BettingTree:
    """Betting tree of a game, without its chance nodes.

    Args:
        rules: Betting rules, with the same stack for both.
        unit: Unit of stakes and pots in chips, such as a big blind.

    Raises:
        ValueError: The tree has too many nodes.
    """
    public = grow(rules, lambda board: (0,))
    kept = public.kind != CHANCE
    number = np.cumsum(kept) - 1
    nodes = np.zeros(int(kept.sum()), NODE)
    actions = np.zeros(public.rows, ACTION)
    nodes["actor"] = np.where(public.kind == SHOWDOWN, AT_SHOWDOWN, public.actor)[kept]
    nodes["street"] = public.street[kept]
    nodes["pot"] = public.pot[kept] / unit
    nodes["stake"] = public.stake[kept] / unit
    decides = public.kind == DECISION
    nodes["count"] = np.where(decides, public.branches, 0)[kept]
    nodes["first"] = np.where(decides, public.row, 0)[kept]
    all_chips = sum(rules.stacks) + rules.pot
    for node in np.flatnonzero(decides):
        children = public.children(int(node))
        first = int(public.row[node])
        for action, child in zip(actions[first : first + len(children)], children, strict=True):
            action["size"], action["all_in"] = _step(public, int(node), child, rules, all_chips)
            action["child"] = number[_after_chance(public, child)]
    nodes["row"] = _rows(nodes)
    return BettingTree(nodes, actions)


def _after_chance(public: PublicTree, node: int) -> int:
    """The node itself, or the first node after its chance nodes."""
    while public.kind[node] == CHANCE:
        node += 1
    return node


def _step(
    public: PublicTree, node: int, child: int, rules: Betting, all_chips: float
) -> tuple[float, bool]:
    """Action that leads to a child: the size as in ``ACTION``, and whether it is all-in."""
    step = public.step[child]
    if step in (FOLD, CHECK_OR_CALL):
        return (FOLDS if step == FOLD else CALLS), False
    if rules.structure == FIXED_LIMIT:
        return _THE_RAISE, False
    pot = public.pot[node]
    to_call = public.pot[_call_of(public, node)] - pot
    raised_by = public.pot[child] - pot - to_call
    all_in = public.pot[_call_of(public, child)] == all_chips
    return raised_by / (pot + to_call), bool(all_in)


def _call_of(public: PublicTree, node: int) -> int:
    """Child of a decision after a check or call."""
    return next(c for c in public.children(node) if public.step[c] == CHECK_OR_CALL)


def _rows(nodes: np.ndarray) -> np.ndarray:
    """Row of every node's first action; on each street a player's rows are consecutive."""
    rows = np.zeros(len(nodes), np.int32)
    for street in np.unique(nodes["street"]):
        selected = np.flatnonzero((nodes["street"] == street) & (nodes["count"] > 0))
        selected = selected[np.argsort(nodes["actor"][selected], kind="stable")]
        counts = nodes["count"][selected].astype(np.int64)
        rows[selected] = np.cumsum(counts) - counts
    return rows
