"""Iterated roll-outs of pre-flop hold'em, beside its equilibrium.

Billings (PhD thesis, University of Alberta, 2006, section 2.5.1.2): in one generation after another
games are played in which every hand takes the action that has won most so far, plus noise that
decays to zero. The thesis says that the decisions agree well with the equilibrium. It does not say
how the rates of generations are combined: here they are averaged. The showdown of a deal counts by
the exact equity of both classes of hole cards, not by one board.

``python -m agents.books.pseudo_optimal.iterated_roll_outs`` prints a row for runs of several
lengths, in half a minute.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from agents.books.pseudo_optimal.models import SMALL_BET, preflop_holdem
from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import DECISION, FOLDED, PublicTree
from agents.solvers.regret_minimisation import Solver
from nlhe_env.arguments import whole_number
from nlhe_env.game.table import CHECK_OR_CALL
from nlhe_env.jit.array_types import F64

NEAR_THRESHOLD = 0.1
"""Small bets: the thesis says that decisions that differ are usually this near to each other."""


class RollOuts(NamedTuple):
    """What iterated roll-outs of pre-flop hold'em find."""

    rates: F64
    """``(rows, 169)`` small bets a hand that each action wins, rows as in the game's strategies."""
    strategy: F64
    """``(rows, 169)`` 1 for the action of a decision that wins most, else 0."""


class Agreement(NamedTuple):
    """How far the decisions of roll-outs are those of an equilibrium."""

    decisions: int
    """Decisions with a class of hole cards that play by the equilibrium comes to."""
    same: int
    """Those where the action that wins most is the most likely one of the equilibrium."""
    losses: F64
    """``(decisions - same,)`` small bets that the other decisions lose against the equilibrium."""


def roll_out_repeatedly(
    game: PublicGame,
    *,
    n_generations: int = 100,
    n_games: int = 50_000,
    noise: float = 0.1,
    seed: int = 0,
) -> RollOuts:
    """Iterated roll-outs, first of players who always call.

    Args:
        game: Pre-flop hold'em, as ``models.preflop_holdem`` makes it.
        n_generations: Generations, 1 or more; the thesis has 10.
        n_games: Games of each, 1 or more.
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
    """Small bets a hand that each action wins if both players go on by a strategy.

    Args:
        game: Pre-flop hold'em.
        strategy: ``(rows, 169)`` of both players.
        deals: ``(169, 169)`` how often the first player holds the row and the second the column.

    Returns:
        ``(rows, 169)``; nan where no deal comes to a decision with a class of hole cards.
    """
    tree = game.tree
    chances, outcomes = game.cards.meetings[0, 0], game.cards.outcomes[0, 0]
    won = np.divide(outcomes, chances, out=np.zeros_like(chances), where=chances > 0)
    reach = _reach(tree, strategy)
    values = np.zeros((len(tree.kind), *won.shape))  # chips that the first player wins
    found = np.full(strategy.shape, np.nan)
    for node in range(len(tree.kind) - 1, -1, -1):
        actor = int(tree.actor[node])
        if tree.kind[node] != DECISION:
            sign = 1 if actor == 1 else -1  # at a fold, the player who folded
            values[node] = tree.stake[node] * (sign if tree.kind[node] == FOLDED else won)
            continue
        row = int(tree.row[node])
        # Axes: own hand, the other player's.
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
        found: What roll-outs found.
        equilibrium: ``(rows, 169)`` strategies of both players.
        least: Least probability with which a player's own actions in equilibrium lead to a
            decision that counts.
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
    """The strategy that takes the action of the highest rate."""
    found = np.zeros_like(rates)
    for node in np.flatnonzero(tree.kind == DECISION).tolist():
        rows = slice(int(tree.row[node]), int(tree.row[node] + tree.branches[node]))
        np.put_along_axis(found[rows], rates[rows].argmax(axis=0)[np.newaxis], 1.0, axis=0)
    return found


def _always_call(tree: PublicTree, n_hands: int) -> F64:
    """The strategy that always calls."""
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
    print(f"| equilibrium | {won:+.3f} | {gap:.6f} | | |")
    for n_generations in (10, 100, 1_000):
        for seed in range(3):
            found = roll_out_repeatedly(game, n_generations=n_generations, seed=seed)
            won, gap = (
                measure(found.strategy) / SMALL_BET for measure in (game.value, game.exploitability)
            )
            decisions, same, losses = compare(game, found, equilibrium)
            share = f"{same} of {decisions}"
            print(f"| {n_generations} | {won:+.3f} | {gap:.3f} | {share} | {losses.max():.3f} |")


if __name__ == "__main__":
    main()
