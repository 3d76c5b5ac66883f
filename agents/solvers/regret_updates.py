"""Updates and back-ups at a decision, for all hands of its player, as kernels.

The arrays are those of ``Workspace`` and ``Strategies``: whole lanes of hands.
"""

from __future__ import annotations

from agents.solvers.public_tree import PublicTree
from agents.solvers.workspace import ActionRows, RegretDiscounts, Strategies
from nlhe_env.jit.array_types import AnyArray, Int
from nlhe_env.jit.compilation import inlined_kernel
from nlhe_env.numerics.float_lanes import LANES, at_least, everywhere, load, store, where_above

_NOTHING = 1e-30
"""Weights that sum up to less count as none: their inverse could overflow."""


@inlined_kernel
def regret_matching(
    tree: PublicTree, node: Int, weights: AnyArray, chances: AnyArray, first: Int
) -> None:
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
    # Hands are independent: LANES of the columns at a time. Rows of ``weights`` from ``row`` on,
    # (n_actions, H), are regrets; afterwards a hand's ``chances`` sum to 1 over the actions.
    for h in range(0, chances.shape[1], LANES):
        total = everywhere(chances, 0)
        for action in range(n_actions):
            total = total + at_least(load(weights, row + action, h), 0)
        share = 1.0 / total  # of no use where the total is 0: ``even`` is taken there
        for action in range(n_actions):
            chance = at_least(load(weights, row + action, h), 0) * share
            store(chances, first + action, h, where_above(total, _NOTHING, chance, even))


@inlined_kernel
def multiply_reach(
    reach: AnyArray, row: Int, chances: AnyArray, chance_row: Int, target: AnyArray, target_row: Int
) -> None:
    """Write the reach probabilities of a player after an action."""
    # Reach probabilities, (H,), go down: a hand's is the product of its chances on the path.
    for h in range(0, reach.shape[1], LANES):
        after = load(reach, row, h) * load(chances, chance_row, h)
        store(target, target_row, h, after)


@inlined_kernel
def sum_child_values(values: AnyArray, first: Int, n_actions: Int, row: Int) -> None:
    """Back up a decision of the other player, whose reach is a factor of the values already."""
    # Counterfactual values go up: rows ``first`` and following are those of the children,
    # (n_actions, H), and row ``row``, (H,), that of the decision; so in the two kernels below.
    for h in range(0, values.shape[1], LANES):
        value = load(values, first, h)
        for action in range(1, n_actions):
            value = value + load(values, first + action, h)
        store(values, row, h, value)


@inlined_kernel
def max_child_value(values: AnyArray, first: Int, n_actions: Int, row: Int) -> None:
    """Back up an own decision by a best response: the largest value of an action."""
    for h in range(0, values.shape[1], LANES):
        value = load(values, first, h)
        for action in range(1, n_actions):
            another = load(values, first + action, h)
            value = where_above(another - value, 0, another, value)
        store(values, row, h, value)


@inlined_kernel
def expected_value(
    values: AnyArray, first: Int, chances: AnyArray, first_chance: Int, n_actions: Int, row: Int
) -> None:
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
    action_values: ActionRows,
    action_chances: ActionRows,
    n_actions: Int,
    row: Int,
    reach: ActionRows,
    discounts: RegretDiscounts,
    strategies: tuple[Strategies, Int],
) -> None:
    """Update regrets and average strategy at an own decision.

    Args:
        action_values: Counterfactual values of the actions.
        action_chances: Probabilities of the actions.
        n_actions: Number of actions.
        row: Row of the decision's own value, in the array of ``action_values``.
        reach: Own reach probabilities, one row.
        discounts: Discounts of this iteration.
        strategies: Strategies, and their row of the first action.
    """
    values, first = action_values
    chances, first_chance = action_chances
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
            old_regret = load(weights, first_weight + action, h)
            positive = at_least(old_regret, 0)
            kept = positive * positive_discount + (old_regret - positive) * negative_discount
            gain = load(values, first + action, h) - value
            store(weights, first_weight + action, h, kept + gain)
            # The average strategy weights this one by the own reach probability.
            total = load(totals, first_weight + action, h)
            total = total + share * load(chances, first_chance + action, h)
            store(totals, first_weight + action, h, total)
