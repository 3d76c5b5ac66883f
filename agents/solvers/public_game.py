"""A game in the form that is solved, and what strategies are worth in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from agents.solvers.cards import Cards
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED, PublicTree
from agents.solvers.runouts import Runouts
from agents.solvers.terminals import TerminalBatches, write_fold_values
from agents.solvers.walk import AS_IS, BEST, Traversal, start, walk
from agents.solvers.workspace import NO_DISCOUNTS, GameTree, Strategies, Workspace
from nlhe_env.arguments import array, check_shares, whole_number
from nlhe_env.cards import N_CARDS
from nlhe_env.jit.array_types import F64, I64, AnyArray

PART = 2**16
"""Numbers of strategies that are looked at in one step, so that little more than they is held."""


@dataclass(frozen=True)
class PublicGame:
    """Game of two players: its public tree, their hands, and the precision of numbers.

    Strategies of both players are one array ``(rows, H)``: decisions have a row for each action, as
    ``tree.row`` and ``tree.branches`` say, and a column for each hand of who decides.
    """

    tree: PublicTree
    cards: Cards
    dtype: type[np.floating]
    """float64 for small games, float32 for hold'em."""

    @cached_property
    def batches(self) -> TerminalBatches:
        """Batches of terminal nodes that are valued together."""
        return TerminalBatches.of(self.tree)

    @cached_property
    def runouts(self) -> Runouts:
        """Outcomes where both players are all-in before the river."""
        return Runouts.of(self.tree, self.cards, self.dtype)

    @property
    def arrays(self) -> GameTree:
        """The game as walks take it."""
        return GameTree(self.tree, self.batches, self.cards, self.runouts)

    def space(self) -> Workspace:
        """Work arrays for walks."""
        return Workspace.of_game(self.tree, self.batches, self.cards, self.dtype)

    @property
    def deals_cards(self) -> bool:
        """Whether cards of hold'em are still to come."""
        return len(self.cards.order) > 0 and self.cards.order.shape[1] > 1

    def met(self, player: int) -> F64:
        """``(n,)``: weight of the other player's hands that each hand of a player can meet."""
        whole_number("player", player, least=0, most=1)
        met = np.zeros(int(self.cards.n_hands[player]))
        reach = self.cards.weights[1 - player]
        write_fold_values(self.cards, player, 0, reach, np.zeros(N_CARDS), met)
        return met

    @cached_property
    def weight(self) -> float:
        """Sum over all pairs of hands that the two can hold together."""
        met = self.met(0)
        return float(self.cards.weights[0, : len(met)] @ met)

    def reaches(self, strategy: AnyArray, node: int, tremble: float = 0.0) -> list[AnyArray]:
        """Reach probabilities of both players' hands at a node, by their own actions.

        Args:
            strategy: ``(rows, H)`` strategies of both, not checked.
            node: The node.
            tremble: In so many cases a player does what leads there whatever it holds.

        Returns:
            For each player ``(H,)``, 0 for hands with a card that has been dealt.
        """
        tree, cards = self.tree, self.cards
        reaches: list[AnyArray] = [cards.weights[p].astype(self.dtype) for p in range(2)]
        at = 0
        while at != node:
            parent, at = at, next(c for c in tree.children(at) if node < tree.end[c])
            if tree.kind[parent] == DECISION:
                chances = strategy[tree.row[parent] + tree.branch[at]]
                reaches[tree.actor[parent]] *= tremble + (1.0 - tremble) * chances
            elif (card := cards.new_card[tree.board[at]]) >= 0:
                for p in range(2):
                    reaches[p][(cards.cards[p] == card).any(axis=1)] = 0
        return reaches

    def rows_below(self, node: int) -> slice:
        """Rows of strategies that belong to the decisions from a node on."""
        here = slice(node, int(self.tree.end[node]))
        decides = self.tree.kind[here] == DECISION
        rows, counts = self.tree.row[here][decides], self.tree.branches[here][decides]
        return slice(int(rows[0]), int(rows[-1] + counts[-1])) if len(rows) else slice(0, 0)

    def subgame(self, node: int, reaches: Sequence[AnyArray]) -> PublicGame:
        """The game from a node on, of which ``rows_below`` are the rows.

        Args:
            node: Where it begins.
            reaches: For each player ``(H,)`` weights of its hands, such as ``reaches``.
        """
        tree, cards = self.tree, self.cards
        here = slice(node, int(tree.end[node]))
        kept = PublicTree(**{name: column[here].copy() for name, column in tree._asdict().items()})
        boards = np.unique(kept.board)  # that of the root first: boards are numbered as they come
        kept.end[:] -= node
        kept.depth[:] -= kept.depth[0]
        kept.branch[0] = 0
        kept.row[kept.kind == DECISION] -= self.rows_below(node).start
        kept.board[:] = np.searchsorted(boards, kept.board)
        for above in np.flatnonzero(kept.kind == CHANCE).tolist():
            dealt_at = kept.children(above)
            kept.step[dealt_at] = kept.board[dealt_at]
        new_card = cards.new_card[boards]
        new_card[0] = -1
        of_boards = {
            name: array_[:, boards]
            for name in ("meetings", "outcomes", "order", "group_end")
            if (array_ := getattr(cards, name)).shape[1] > 0
        }
        groups = cards.groups[boards] if len(cards.groups) else cards.groups
        weights = np.array(reaches, np.float64)
        dealt = cards._replace(
            weights=weights, new_card=new_card, chance=cards.chance[boards], groups=groups
        )
        return replace(self, tree=kept, cards=dealt._replace(**of_boards))

    def n_hands(self, node: int, player: int) -> int:
        """Number of hands a player may have, the same at every node."""
        return int(self.cards.n_hands[player])

    def earlier_hands(self, node: int, player: int, row: int) -> I64:
        """Hands stay what they are."""
        return np.arange(self.cards.n_hands[player])

    def payoffs(self, node: int) -> F64:
        """``(n, n)`` chips that player 0 wins at an end of a small game, times the chances."""
        tree, cards = self.tree, self.cards
        won, met = cards.outcomes[0, tree.board[node]], cards.meetings[0, tree.board[node]]
        if tree.kind[node] == FOLDED:
            won = met * (1 if tree.actor[node] == 1 else -1)
        # Who wins pays the rake; after a tie both pay half of it.
        found: F64 = won * tree.stake[node] - (won + met) * tree.rake[node] / 2
        return found

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and hands of strategies."""
        return self.tree.rows, int(self.cards.n_hands.max())

    def uniform(self) -> AnyArray:
        """The strategies with all actions equally likely."""
        return self.normalised(np.zeros(self.shape))

    def normalised(self, weights: AnyArray) -> AnyArray:
        """Strategies from weights of actions; where all are 0 all actions are equally likely.

        Args:
            weights: ``(rows, H)``, not negative.

        Raises:
            ValueError: They are no such array.
        """
        return self.normalise(array("weights", weights, self.shape, dtype=self.dtype, least=0))

    def normalise(self, weights: AnyArray) -> AnyArray:
        """``normalised``, of weights that are known to be right."""
        chances = np.empty(weights.shape, self.dtype)
        for rows, firsts, counts, _ in self._parts():
            here = weights[rows]
            total = np.repeat(np.add.reduceat(here, firsts), counts, axis=0)
            even = np.repeat(1.0 / counts, counts)[:, np.newaxis]
            chances[rows] = np.where(total > 0, here / np.where(total > 0, total, 1), even)
        return chances

    def checked(self, strategy: AnyArray) -> AnyArray:
        """Strategies of both players, contiguous and of the type of the game.

        Raises:
            ValueError: They are not ``(rows, H)`` finite numbers of at least 0, or the chances of
                the actions at a decision do not sum to 1 with each hand of its player.
        """
        found = array("strategy", strategy, self.shape, dtype=self.dtype, least=0)
        for rows, firsts, _, actors in self._parts():
            sums = np.add.reduceat(found[rows], firsts)
            for player in range(2):
                of_player = sums[actors == player, : self.cards.n_hands[player]]
                check_shares("strategy", of_player, "the chances of the actions at a decision")
        return found

    def _parts(self) -> Iterator[tuple[slice, I64, I64, I64]]:
        """Some decisions after the other.

        Yields:
            The rows of their actions; and for each decision the first of these rows, counted from
            the first of all, the number of actions, and who decides.
        """
        decisions = np.flatnonzero(self.tree.kind == DECISION)  # their rows follow each other
        actors, counts = self.tree.actor[decisions], self.tree.branches[decisions]
        starts = np.concatenate([[0], np.cumsum(counts)])
        most = max(1, PART // self.shape[1])
        first = 0
        while first < len(decisions):
            last = int(np.searchsorted(starts, starts[first] + most, side="right")) - 1
            last = max(first + 1, last)
            begin, end = int(starts[first]), int(starts[last])
            here = slice(first, last)
            yield slice(begin, end), starts[here] - begin, counts[here], actors[here]
            first = last

    def value(self, strategy: AnyArray, player: int = 0) -> float:
        """Chips a hand that a player wins when both follow their strategies.

        Raises:
            ValueError: The strategies are none, as ``checked`` says; so in what follows.
        """
        return self.mean(self.values(strategy, player, AS_IS), player)

    def best_response(self, strategy: AnyArray, player: int) -> float:
        """Chips a hand that a player wins with the best answer to the other's strategy."""
        return self.mean(self.values(strategy, player, BEST), player)

    def exploitability(self, strategy: AnyArray) -> float:
        """Half of what both players' best responses win more than they: 0 in equilibrium, in chips.

        Without a rake that is half of what best responses win together.
        """
        return self.exploitability_of(Strategies.of(self.checked(strategy), self.dtype))

    def exploitability_of(self, strategies: Strategies) -> float:
        """``exploitability`` of strategies as walks take them, which are not checked."""
        found = math.fsum(self.mean(self._values(strategies, p, BEST), p) for p in range(2))
        return (found + self.rake_of(strategies)) / 2

    def rake_of(self, strategies: Strategies) -> float:
        """Chips a hand that the house takes: what both players lose together."""
        if not self.tree.rake.any():
            return 0.0
        return -math.fsum(self.mean(self._values(strategies, p, AS_IS), p) for p in range(2))

    def values(self, strategy: AnyArray, player: int, mode: int) -> AnyArray:
        """``(n,)`` counterfactual values of the hands of a player at the root.

        Args:
            strategy: Strategies of both players.
            player: The player whose hands are valued, 0 or 1.
            mode: Mode of this player: ``walk.BEST`` or ``walk.AS_IS``.
        """
        whole_number("player", player, least=0, most=1)
        whole_number("mode", mode, least=BEST, most=AS_IS)
        return self._values(Strategies.of(self.checked(strategy), self.dtype), player, mode)

    def mean(self, values: AnyArray, player: int) -> float:
        """Chips a hand by what the hands of a player are worth, as ``values`` has it."""
        n = int(self.cards.n_hands[player])
        return float(self.cards.weights[player, :n] @ values[:n]) / self.weight

    def _values(self, strategies: Strategies, player: int, mode: int) -> AnyArray:
        space = self.space()
        none = np.zeros((0, 0), self.dtype)
        start(self.cards, player, space)
        traversal = Traversal(player, mode, NO_DISCOUNTS)
        walk(self.arrays, traversal, strategies, space, 0, none)
        return space.values[0, : int(self.cards.n_hands[player])]
