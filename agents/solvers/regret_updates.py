"""Updates and back-ups at a decision, for all hands of its player, as kernels.

The arrays are those of ``Workspace`` and ``Strategies``: whole lanes of hands.
"""

from __future__ import annotations

from nlhe_env.jit.compilation import inlined_kernel
from nlhe_env.numerics.float_lanes import LANES, at_least, everywhere, load, store, where_above

_NOTHING = 1e-30
"""Weights that sum up to less count as none: their inverse could overflow."""


@inlined_kernel
def regret_matching(tree, node, weights, chances, first):
    """Regret matching: probabilities as the positive weights; uniform where there are none.

    Args:
        tree: ``PublicTree``.
        node: A decision.
        weights: Those of ``Strategies``.
        chances: Rows ``first`` and following are written, one for each action.
        first: Row.
    """
    row, n_actions = tree.row[node], tree.branches[node]
    even = everywhere(chances, 1.0 / n_actions)
    for h in range(0, chances.shape[1], LANES):
        total = everywhere(chances, 0)
        for action in range(n_actions):
            total = total + at_least(load(weights, row + action, h), 0)
        share = 1.0 / total  # of no use where the total is 0: ``even`` is taken there
        for action in range(n_actions):
            chance = at_least(load(weights, row + action, h), 0) * share
            store(chances, first + action, h, where_above(total, _NOTHING, chance, even))


@inlined_kernel
def multiply_reach(reach, row, chances, chance_row, target, target_row):
    """Write the reach probabilities of a player after an action."""
    for h in range(0, reach.shape[1], LANES):
        after = load(reach, row, h) * load(chances, chance_row, h)
        store(target, target_row, h, after)


@inlined_kernel
def sum_child_values(values, first, n_actions, row):
    """Back up a decision of the other player, whose reach is a factor of the values already."""
    for h in range(0, values.shape[1], LANES):
        value = load(values, first, h)
        for action in range(1, n_actions):
            value = value + load(values, first + action, h)
        store(values, row, h, value)


@inlined_kernel
def max_child_value(values, first, n_actions, row):
    """Back up an own decision by a best response: the largest value of an action."""
    for h in range(0, values.shape[1], LANES):
        value = load(values, first, h)
        for action in range(1, n_actions):
            another = load(values, first + action, h)
            value = where_above(another - value, 0, another, value)
        store(values, row, h, value)


@inlined_kernel
def expected_value(values, first, chances, first_chance, n_actions, row):
    """Back up an own decision that follows its strategy: the expected value of an action."""
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
    """Update regrets and average strategy at an own decision, whose value is ``values[row]``.

    Args:
        values: Counterfactual values, those of the actions from row ``first`` on.
        first: Row.
        chances: Probabilities of the actions, from row ``first_chance`` on.
        first_chance: Row.
        n_actions: Number of actions.
        row: Row of the decision's own value in ``values``.
        reach: ``(2-d array, row)`` own reach probabilities.
        discounts: ``RegretDiscounts``.
        strategies: ``(Strategies, row)`` of the first action there.
    """
    own_reach, reach_row = reach
    (weights, totals), first_weight = strategies
    positive_discount = everywhere(values, discounts.positive_discount)
    negative_discount = everywhere(values, discounts.negative_discount)
    weight = everywhere(values, discounts.weight)
    for h in range(0, values.shape[1], LANES):
        value = load(values, row, h)
        share = load(own_reach, reach_row, h) * weight
        for action in range(n_actions):
            # Discount the regret so far by its sign, then add that of this iteration.
            past = load(weights, first_weight + action, h)
            positive = at_least(past, 0)
            kept = positive * positive_discount + (past - positive) * negative_discount
            gain = load(values, first + action, h) - value
            store(weights, first_weight + action, h, kept + gain)
            # The average strategy weights this one by the own reach probability.
            total = load(totals, first_weight + action, h)
            total = total + share * load(chances, first_chance + action, h)
            store(totals, first_weight + action, h, total)
