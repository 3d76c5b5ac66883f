"""What walks do at a decision, with all hands of its player, as kernels.

The arrays are those of ``Workspace`` and ``Strategies``: whole lanes of hands.
"""

from __future__ import annotations

from nlhe_env.jit.compilation import inlined_kernel
from nlhe_env.numerics.float_lanes import LANES, at_least, everywhere, load, store, where_above

_NOTHING = 1e-30
"""Weights that sum up to less say nothing: their inverse could not be written down."""


@inlined_kernel
def regret_matching(tree, node, weights, chances, first):
    """Chances of actions as their positive weights; without any, all are as likely.

    Args:
        tree: ``PublicTree``.
        node: A decision.
        weights: Of ``Strategies``.
        chances: Rows ``first`` and following are written, one for each action.
        first: Row.
    """
    row, n_actions = tree.row[node], tree.branches[node]
    even = everywhere(chances, 1.0 / n_actions)
    for h in range(0, chances.shape[1], LANES):
        total = everywhere(chances, 0)
        for action in range(n_actions):
            total = total + at_least(load(weights, row + action, h), 0)
        share = 1.0 / total
        for action in range(n_actions):
            chance = at_least(load(weights, row + action, h), 0) * share
            store(chances, first + action, h, where_above(total, _NOTHING, chance, even))


@inlined_kernel
def multiply_reach(reach, row, chances, chance_row, target, target_row):
    """With what chance a player comes to where an action leads."""
    for h in range(0, reach.shape[1], LANES):
        come = load(reach, row, h) * load(chances, chance_row, h)
        store(target, target_row, h, come)


@inlined_kernel
def sum_child_values(values, first, n_actions, row):
    """The value of a decision of the other player, whose chances are in those of its actions."""
    for h in range(0, values.shape[1], LANES):
        value = load(values, first, h)
        for action in range(1, n_actions):
            value = value + load(values, first + action, h)
        store(values, row, h, value)


@inlined_kernel
def max_child_value(values, first, n_actions, row):
    """The value of an own decision that is taken as well as possible."""
    for h in range(0, values.shape[1], LANES):
        value = load(values, first, h)
        for action in range(1, n_actions):
            another = load(values, first + action, h)
            value = where_above(another - value, 0, another, value)
        store(values, row, h, value)


@inlined_kernel
def expected_value(values, first, chances, first_chance, n_actions, row):
    """The value of an own decision that follows its chances."""
    for h in range(0, values.shape[1], LANES):
        value = everywhere(values, 0)
        for action in range(n_actions):
            value = value + load(values, first + action, h) * load(
                chances, first_chance + action, h
            )
        store(values, row, h, value)


@inlined_kernel
def update_regrets(
    values, first, chances, first_chance, n_actions, row, reach, discounts, strategies
):
    """Change an own decision that was worth the mixed ``values[row]``.

    Args:
        values: Of the actions from row ``first`` on.
        first: Row.
        chances: With which the actions were taken, from row ``first_chance`` on.
        first_chance: Row.
        n_actions: Of the decision.
        row: Of what the decision was worth, in ``values``.
        reach: ``(2-d array, row)`` the chance to come here.
        discounts: ``RegretDiscounts``.
        strategies: ``(Strategies, row)`` of the first action there.
    """
    come, come_row = reach
    (weights, totals), first_weight = strategies
    positive_discount = everywhere(values, discounts.positive_discount)
    negative_discount = everywhere(values, discounts.negative_discount)
    weight = everywhere(values, discounts.weight)
    for h in range(0, values.shape[1], LANES):
        value = load(values, row, h)
        share = load(come, come_row, h) * weight
        for action in range(n_actions):
            past = load(weights, first_weight + action, h)
            positive = at_least(past, 0)
            kept = positive * positive_discount + (past - positive) * negative_discount
            gain = load(values, first + action, h) - value
            store(weights, first_weight + action, h, kept + gain)
            total = load(totals, first_weight + action, h)
            total = total + share * load(chances, first_chance + action, h)
            store(totals, first_weight + action, h, total)
