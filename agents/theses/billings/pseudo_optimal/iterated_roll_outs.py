"""Iterated roll-outs of pre-flop hold'em, compared with its equilibrium.

Billings (PhD thesis, University of Alberta, 2006, section 2.5.1.2): in each of several generations,
every hand takes the action with the best rate so far plus noise that decays to zero. According to
the thesis, the decisions agree well with the equilibrium. It does not specify how the rates of
generations are combined; here they are averaged. Showdowns use the exact equities of both hole-card
classes instead of a single board.

``python -m agents.theses.billings.pseudo_optimal.iterated_roll_outs`` prints a row for each of
several run lengths in half a minute.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import DECISION, FOLDED, PublicTree
from agents.solvers.regret_minimisation import Solver
from agents.theses.billings.pseudo_optimal.models import SMALL_BET, preflop_holdem
from nlhe_env.arguments import whole_number
from nlhe_env.game.table import CHECK_OR_CALL
from nlhe_env.jit.array_types import F64

NEAR_THRESHOLD = 0.1
"""Usual difference in value of deviating decisions in small bets, according to the thesis."""


class RollOuts(NamedTuple):
    """Result of iterated roll-outs of pre-flop hold'em."""

    rates: F64
    """``(rows, 169)`` values of the actions in small bets per hand, with the rows of strategies."""
    strategy: F64
    """``(rows, 169)`` 1 for the best action of a decision, else 0."""


class Agreement(NamedTuple):
    """Agreement between the decisions of roll-outs and those of an equilibrium."""

    decisions: int
    """Number of pairs of a decision and a hole-card class reached in equilibrium."""
    same: int
    """Number of these where the best action is the equilibrium's most likely one."""
    losses: F64
    """``(decisions - same,)`` losses of the other decisions against the equilibrium in small
    bets."""


def roll_out_repeatedly(
    game: PublicGame,
    *,
    n_generations: int = 100,
    n_games: int = 50_000,
    noise: float = 0.1,
    seed: int = 0,
) -> RollOuts:
    """Iterated roll-outs, starting with players who always call.

    Args:
        game: Pre-flop hold'em from ``models.preflop_holdem``.
        n_generations: Number of generations, at least 1; the thesis has 10.
        n_games: Games per generation, at least 1.
        noise: Standard deviation of the noise after the first generation, in small bets.
        seed: Seed of the deals and the noise.

    Raises:
        ValueError: A number is out of range.
    """
    whole_number("n_generations", n_generations, least=1)
    whole_number("n_games", n_games, least=1)
    if not 0 <= noise < math.inf:
        raise ValueError(f"noise must be a finite number of at least 0; got {noise!r}")
    generator = np.random.default_rng(seed)
    chances = game.cards.meetings[0, 0]
    rates = np.zeros(game.shape)
    played = np.zeros(game.shape)
    strategy = _always_call(game.tree, game.shape[1])
    for generation in range(n_generations):
        counts = generator.multinomial(n_games, chances.ravel() / chances.sum())
        found = action_values(game, strategy, counts.reshape(chances.shape).astype(np.float64))
        is_known = np.isfinite(found)
        played += is_known
        rates += np.where(is_known, found - rates, 0) / np.maximum(played, 1)
        decay = 1 - (generation + 1) / n_generations
        disturbance = noise * decay * generator.standard_normal(rates.shape)
        strategy = _best(game.tree, rates + disturbance)
    return RollOuts(rates, strategy)


def action_values(game: PublicGame, strategy: F64, deals: F64) -> F64:
    """Action values in small bets per hand if both players then follow a strategy.

    Args:
        game: Pre-flop hold'em.
        strategy: ``(rows, 169)`` probabilities of both players' actions.
        deals: ``(169, 169)`` counts of the first player's class (row) and the second's (column).

    Returns:
        ``(rows, 169)`` values; nan where no deal reaches the decision with the class.
    """
    tree = game.tree
    chances, outcomes = game.cards.meetings[0, 0], game.cards.outcomes[0, 0]
    won = np.divide(outcomes, chances, out=np.zeros_like(chances), where=chances > 0)
    reach = _reach(tree, strategy)
    values = np.zeros((len(tree.kind), *won.shape))  # chips won by the first player
    found = np.full(strategy.shape, np.nan)
    for node in range(len(tree.kind) - 1, -1, -1):
        actor = int(tree.actor[node])
        if tree.kind[node] != DECISION:
            sign = 1 if actor == 1 else -1  # at a fold, the player who folded
            values[node] = tree.stake[node] * (sign if tree.kind[node] == FOLDED else won)
            continue
        row = int(tree.row[node])
        # Axes: the player's hand, the other player's hand.
        met = (deals if actor == 0 else deals.T) * reach[node, 1 - actor]
        total = met.sum(axis=1)
        for i, child in enumerate(tree.children(node)):
            own = values[child] if actor == 0 else -values[child].T
            sums = (met * own).sum(axis=1)
            np.divide(sums, total * SMALL_BET, out=found[row + i], where=total > 0)
            taken = strategy[row + i]
            values[node] += values[child] * (taken[:, np.newaxis] if actor == 0 else taken)
    return found


def compare(game: PublicGame, found: RollOuts, equilibrium: F64, least: float = 0.01) -> Agreement:
    """Compare decisions with those of an equilibrium.

    Args:
        game: Pre-flop hold'em.
        found: Result of roll-outs.
        equilibrium: ``(rows, 169)`` strategies of both players.
        least: Minimum equilibrium probability of a player's own actions leading to a compared
            decision.
    """
    tree = game.tree
    against = action_values(game, equilibrium, game.cards.meetings[0, 0])
    reach = _reach(tree, equilibrium)
    decisions, losses = 0, []
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        rows = slice(int(tree.row[node]), int(tree.row[node] + tree.branches[node]))
        counts = reach[node, tree.actor[node]] >= least
        chosen = found.strategy[rows].argmax(axis=0)
        differs = counts & (chosen != equilibrium[rows].argmax(axis=0))
        decisions += int(counts.sum())
        taken = np.take_along_axis(against[rows], chosen[np.newaxis], axis=0)[0]
        losses.append((against[rows].max(axis=0) - taken)[differs])
    all_losses = np.concatenate(losses)
    return Agreement(decisions, decisions - len(all_losses), all_losses)


def _reach(tree: PublicTree, strategy: F64) -> F64:
    """``(nodes, 2, 169)`` reach probabilities of both players' hands."""
    reach = np.ones((len(tree.kind), 2, strategy.shape[1]))
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        for i, child in enumerate(tree.children(node)):
            reach[child] = reach[node]
            reach[child, tree.actor[node]] *= strategy[tree.row[node] + i]
    return reach


def _best(tree: PublicTree, rates: F64) -> F64:
    """Strategy that takes the action with the highest rate."""
    found = np.zeros_like(rates)
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        rows = slice(int(tree.row[node]), int(tree.row[node] + tree.branches[node]))
        np.put_along_axis(found[rows], rates[rows].argmax(axis=0)[np.newaxis], 1.0, axis=0)
    return found


def _always_call(tree: PublicTree, n_hands: int) -> F64:
    """Strategy that always calls."""
    found = np.zeros((tree.rows, n_hands))
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        for i, child in enumerate(tree.children(node)):
            found[tree.row[node] + i] = tree.step[child] == CHECK_OR_CALL
    return found


def main() -> None:
    """Print the rows."""
    game = preflop_holdem()
    solver = Solver(game, "cfr+")
    solver.run(2_000)
    equilibrium = solver.strategy
    won, gap = game.value(equilibrium) / SMALL_BET, game.exploitability(equilibrium) / SMALL_BET
    print(f"| equilibrium | {won:+z.3f} | {gap:.6f} | | |")
    for n_generations in (10, 100, 1_000):
        for seed in range(3):
            found = roll_out_repeatedly(game, n_generations=n_generations, seed=seed)
            won, gap = (
                measure(found.strategy) / SMALL_BET for measure in (game.value, game.exploitability)
            )
            decisions, same, losses = compare(game, found, equilibrium)
            share = f"{same} of {decisions}"
            print(f"| {n_generations} | {won:+z.3f} | {gap:.3f} | {share} | {losses.max():.3f} |")


if __name__ == "__main__":
    main()
