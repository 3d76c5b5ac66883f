"""Solution of a solver, to be read decision by decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION
from agents.solvers.regret_minimisation import Locked, Solver
from agents.solvers.terminals import write_fold_values
from agents.solvers.walk import AS_IS, Traversal, walk
from agents.solvers.workspace import NO_DISCOUNTS, Strategies
from nlhe_env.cards import CARD_NAMES, N_CARDS
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.jit.array_types import F64, AnyArray

_ROUNDING = 1e-12
"""Share of all hands that may be left in a sum of hands that cancel out."""


@dataclass(frozen=True)
class SolvedDecision:
    """One decision of a solved game, with all hands that may be held there."""

    player: int
    """Player to act, 0 or 1."""
    actions: tuple[str, ...]
    """Names such as ``"check"``, ``"bet 500"``, ``"fold"``, ``"call"``, ``"raise to 2000"``."""
    chances: F64
    """``(actions, hands)``: of each action with each hand."""
    values: F64
    """``(actions, hands)``: chips that the player wins with the action in the whole game. Half of
    the pot at the start counts as put in by each, so that folding at once costs that; not a number
    for hands that meet none of the other player's."""
    reach: F64
    """``(hands,)``: chance that the player gets here with each hand, by its own actions."""
    met: F64
    """``(hands,)``: the other player's hands that each hand may meet here, by their chances; 0 for
    hands that meet none."""

    @property
    def weights(self) -> F64:
        """``(hands,)``: how often each hand is held here, by the reach of both, up to a factor."""
        return self.reach * self.met

    @property
    def frequencies(self) -> F64:
        """``(actions,)``: how often each action is taken, over all pairs of hands that reach it.

        Where none does, all hands count alike.
        """
        weights = self.weights if self.weights.any() else np.ones_like(self.reach)
        taken = self.chances @ weights
        shares: F64 = taken / taken.sum()
        return shares


class Solution:
    """Strategies of both players of a game.

    Args:
        game: Game that was solved.
        strategy: ``(rows, H)``, as ``PublicGame`` says.
        iterations: Number of iterations done.

    Raises:
        ValueError: The strategies are none of this game.
    """

    def __init__(self, game: PublicGame, strategy: AnyArray, iterations: int) -> None:
        self.game = game
        self.strategy = game.checked(strategy)
        self.iterations = iterations

    @cached_property
    def exploitability(self) -> float:
        """Half of what best responses to both players win more than they do, in chips a hand."""
        return self.game.exploitability(self.strategy)

    @cached_property
    def value(self) -> float:
        """Chips a hand that player 0 wins, half of the pot at the start counted as its own."""
        return self.game.value(self.strategy)

    @cached_property
    def values(self) -> tuple[float, float]:
        """Chips a hand that each player wins, half of the pot at the start counted as its own.

        Each comes from an evaluation of that player's hands. They sum to 0, or to minus the mean
        rake, up to the rounding of the game's type.
        """
        return self.value, self.game.value(self.strategy, 1)

    def at(self, *steps: str | int) -> SolvedDecision:
        """The decision after some steps.

        Args:
            *steps: From the start: ``"fold"``, ``"check"``, ``"call"``, chips that are bet or
                raised to, and the next card of the board, such as ``"Ah"``.

        Raises:
            ValueError: A step does not exist there, or no player decides after the last.
        """
        node = self.node(*steps)
        if self.game.tree.kind[node] != DECISION:
            what = "a card comes" if self.game.tree.kind[node] == CHANCE else "the hand is over"
            raise ValueError(f"no player makes a decision after {steps}: {what}")
        return self._decision(node)

    def node(self, *steps: str | int) -> int:
        """The node that some steps lead to, as ``at`` takes them."""
        node = 0
        for i, step in enumerate(steps):
            children = self.game.tree.children(node)
            names = [self._name(child, node) for child in children]
            wished = [self._is(child, node, step) for child in children]
            if not any(wished):
                raise ValueError(f"steps[{i}] must be one of {', '.join(names)}; got {step!r}")
            node = children[wished.index(True)]
        return node

    def _name(self, node: int, parent: int) -> str:
        tree = self.game.tree
        step = int(tree.step[node])
        if tree.kind[parent] == CHANCE:
            card = int(self.game.cards.new_card[step])
            return CARD_NAMES[card] if card >= 0 else str(step)
        faces_bet = tree.step[parent + 1] == FOLD  # folding comes first where it is possible
        if step == FOLD:
            return "fold"
        if step == CHECK_OR_CALL:
            return "call" if faces_bet else "check"
        return f"raise to {step}" if faces_bet else f"bet {step}"

    def _is(self, node: int, parent: int, step: str | int) -> bool:
        if isinstance(step, str):
            return self._name(node, parent) == step
        tree = self.game.tree
        return bool(tree.kind[parent] != CHANCE and tree.step[node] == step > 0)

    def _decision(self, node: int) -> SolvedDecision:
        tree, cards = self.game.tree, self.game.cards
        player = int(tree.actor[node])
        reaches = self.game.reaches(self.strategy, node)
        n = int(cards.n_hands[player])
        met = np.zeros(n)
        other = reaches[1 - player].astype(np.float64)
        write_fold_values(cards, player, tree.board[node], other, np.zeros(N_CARDS), met)
        met[met <= _ROUNDING * other.sum()] = 0
        children = tree.children(node)
        values = [self._value(child, player, reaches) for child in children]
        rows = slice(int(tree.row[node]), int(tree.row[node] + tree.branches[node]))
        possible = (met > 0) & (reaches[player][:n] > 0)
        per_hand = np.full((len(children), n), np.nan)
        np.divide(np.array(values, np.float64), met, out=per_hand, where=possible)
        return SolvedDecision(
            player,
            tuple(self._name(child, node) for child in children),
            self.strategy[rows, :n].astype(np.float64),
            per_hand,
            reaches[player][:n].astype(np.float64),
            met,
        )

    def _value(self, child: int, player: int, reaches: list[AnyArray]) -> AnyArray:
        """``(n,)`` counterfactual values of an action."""
        game = self.game
        space = game.space()
        for row, reach in ((space.own[0], reaches[player]), (space.other[0], reaches[1 - player])):
            row[: len(reach)] = reach
        none = np.zeros((0, 0), game.dtype)
        strategies = Strategies.of(self.strategy, game.dtype)
        traversal = Traversal(player, AS_IS, NO_DISCOUNTS)
        walk(game.arrays, traversal, strategies, space, child, none)
        return space.values[0, : int(game.cards.n_hands[player])]


def solve(
    game: PublicGame,
    *,
    method: str = "discounted",
    iterations: int = 1000,
    target: float = 0.0,
    threads: int = 1,
    locked: Locked | None = None,
    on_progress: Callable[[int, float], None] | None = None,
) -> Solution:
    """Find an equilibrium by regret minimisation.

    What an interrupt is to leave behind is kept by a ``Solver``: ``run_to`` does the same.

    Args:
        game: A game such as ``leduc()`` or ``Subgame(...).game()``.
        method: ``"cfr"``, ``"cfr+"`` or ``"discounted"``.
        iterations: The most to play.
        target: Exploitability in chips at which to stop earlier.
        threads: Threads that share what follows the next card of the board.
        locked: Decisions that stay as they are, such as ``lock_decisions``; the solution is then
            that of the game without them, and what best responses win counts them as free.
        on_progress: Called now and then with the number of iterations and the exploitability.

    Raises:
        ValueError: An argument is out of range.
    """
    solver = Solver(game, method, threads=threads, locked=locked)
    solver.run_to(iterations, target=target, on_progress=on_progress)
    return Solution(game, solver.strategy, solver.iterations)
