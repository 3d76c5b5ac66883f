"""Tables of a small game, played in step by a learner, and what its policy is worth exactly.

Learning algorithms are checked on Kuhn's poker and Leduc hold'em, where exploitability is exact,
before they play hold'em. ``GameTables`` has the calls of ``nlhe_env.BatchEnv``, so that one loop
trains in both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION, FOLDED
from nlhe_env.arguments import whole_number
from nlhe_env.game.table import FOLD
from nlhe_env.jit.array_types import F32, F64, I8, I64, AnyArray, Bool


class Turns(NamedTuple):
    """Output of ``GameTables.reset`` and ``step``, named as that of ``nlhe_env.BatchEnv``."""

    player: I64
    """``(n,)`` number of the player to act."""
    observation: F32
    """``(n, observation_size)`` of that player."""
    action_mask: I8
    """``(n, n_actions)`` 1 for the ids that are legal."""
    rewards: F64
    """``(n, 2)`` chips that each player won by the last step."""
    terminated: Bool
    """``(n,)`` whether the last step ended the hand. The next one has begun."""


class GameTables:
    """Many tables of a small game, advanced together.

    Action ids are 0 fold, 1 check or call, then the raises from the smallest. An observation has
    the player, the own hand, the board, and every action so far, all one-hot: nothing is forgotten.

    Args:
        game: A small game, such as ``leduc()``.
        num_tables: Number of tables.

    Attributes:
        n_actions: Action ids.
        observation_size: Numbers of an observation.
        public_size: Numbers at its end that both players know, first who acts.

    >>> from agents.solvers import kuhn
    >>> tables = GameTables(kuhn(), 4)
    >>> turns = tables.reset(seed=1)
    >>> tables.step(turns.action_mask.argmax(axis=1)).observation.shape
    (4, 12)

    Raises:
        ValueError: The game is one of hold'em, whose cards are not written out.
    """

    def __init__(self, game: PublicGame, num_tables: int = 1) -> None:
        if not game.cards.meetings.size:
            raise ValueError("game must be small, such as kuhn() or leduc(); got a hold'em game")
        self.game = game
        self.num_tables = whole_number("num_tables", num_tables, least=1)
        tree = game.tree
        self._is_decision: Bool = tree.kind == DECISION
        decisions = np.flatnonzero(self._is_decision)
        # The first branch of a decision that faces no bet is a check, with the id 1.
        facing = np.array([int(tree.step[node + 1]) == FOLD for node in decisions])
        self.n_actions = int((tree.branches[decisions] + ~facing).max())
        self._child = np.full((len(tree.kind), self.n_actions), -1, np.int64)
        for node, faces in zip(decisions.tolist(), facing.tolist(), strict=True):
            for i, child in enumerate(tree.children(node)):
                self._child[node, i + (not faces)] = child
        self._runouts = {
            int(node): np.array(tree.children(int(node)))
            for node in np.flatnonzero(tree.kind == CHANCE)
        }
        self._public = self._public_observations()
        self._n_hands = int(game.cards.n_hands[0])
        self.public_size = self._public.shape[1]
        self.observation_size = self._n_hands + self.public_size
        self._rng = np.random.default_rng(0)
        self._nodes: I64 = np.zeros(0, np.int64)
        self._hands: I64 = np.zeros((0, 2), np.int64)

    def _public_observations(self) -> F32:
        """``(nodes, ...)`` the player to act, the board, and the actions so far."""
        tree, n_boards = self.game.tree, int(self.game.tree.board.max()) + 1
        paths: list[list[int]] = [[] for _ in tree.kind]
        for node, children in enumerate(self._child):
            if node in self._runouts:
                for child in self._runouts[node]:
                    paths[child] = paths[node]
            for action in np.flatnonzero(children >= 0).tolist():
                paths[children[action]] = [*paths[node], action]
        longest = max(len(paths[node]) for node in np.flatnonzero(self._is_decision))
        seen = np.zeros((len(tree.kind), 2 + n_boards + longest * self.n_actions), np.float32)
        for at in np.flatnonzero(self._is_decision).tolist():
            seen[at, tree.actor[at]] = seen[at, 2 + tree.board[at]] = 1
            for i, action in enumerate(paths[at]):
                seen[at, 2 + n_boards + i * self.n_actions + action] = 1
        return seen

    # --- one state each --------------------------------------------------------------------------

    def deal(self, n: int, rng: np.random.Generator) -> tuple[I64, I64]:
        """``(n,)`` first nodes and ``(n, 2)`` hands of both players."""
        chances = self.game.cards.meetings[0, 0]
        drawn = rng.choice(chances.size, size=n, p=chances.ravel() / chances.sum())
        hands = np.stack(np.unravel_index(drawn, chances.shape), axis=1)
        return self._dealt(np.zeros(n, np.int64), hands, rng), hands

    def after(self, nodes: I64, hands: I64, actions: I64, rng: np.random.Generator) -> I64:
        """``(n,)`` nodes after an action at each, and after the cards that follow."""
        return self._dealt(self._child[nodes, actions], hands, rng)

    def _dealt(self, nodes: I64, hands: I64, rng: np.random.Generator) -> I64:
        tree, cards = self.game.tree, self.game.cards
        for chance, children in self._runouts.items():
            (here,) = np.nonzero(nodes == chance)
            if len(here):
                boards, (first, second) = tree.board[children], hands[here].T
                weights = cards.meetings[0][boards][:, first, second].T
                bounds = weights.cumsum(axis=1)
                u = rng.random((len(here), 1)) * bounds[:, -1:]
                nodes[here] = children[(bounds <= u).sum(axis=1)]
        return nodes

    def over(self, nodes: I64) -> Bool:
        """``(n,)`` whether hands have ended."""
        return np.asarray(~self._is_decision[nodes])

    def actors(self, nodes: I64) -> I64:
        """``(n,)`` players to act."""
        return np.asarray(self.game.tree.actor[nodes])

    def masks(self, nodes: I64) -> I8:
        """``(n, n_actions)`` 1 for legal ids."""
        return (self._child[nodes] >= 0).astype(np.int8)

    def observations(self, nodes: I64, own_hands: I64) -> F32:
        """``(n, observation_size)`` of the players to act with their hands."""
        own = np.eye(self._n_hands, dtype=np.float32)[own_hands]
        return np.concatenate([own, self._public[nodes]], axis=1)

    def winnings(self, nodes: I64, hands: I64) -> F64:
        """``(n, 2)`` chips that each player has won where hands have ended, else 0."""
        tree, cards = self.game.tree, self.game.cards
        sign = np.sign(cards.outcomes[0, tree.board[nodes], hands[:, 0], hands[:, 1]])
        folded = tree.kind[nodes] == FOLDED
        won = np.where(folded, np.where(tree.actor[nodes] == 1, 1.0, -1.0), sign)
        won = won * tree.stake[nodes] * self.over(nodes)
        return np.stack([won, -won], axis=1)

    # --- tables in step --------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Turns:
        """New hands at all tables; with a seed the same ones every time."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._nodes, self._hands = self.deal(self.num_tables, self._rng)
        return self._turns(np.zeros((self.num_tables, 2)), np.zeros(self.num_tables, bool))

    def step(self, actions: AnyArray) -> Turns:
        """One action at each table; hands that end are followed by new ones.

        Raises:
            ValueError: An action is not legal.
        """
        chosen = np.asarray(actions, np.int64)
        legal = self._child[self._nodes, chosen] >= 0
        if not legal.all():
            table = int(np.argmin(legal))
            raise ValueError(f"action {chosen[table]} at table {table} is not legal")
        self._nodes = self.after(self._nodes, self._hands, chosen, self._rng)
        over = self.over(self._nodes)
        won = self.winnings(self._nodes, self._hands)
        self._nodes[over], self._hands[over] = self.deal(int(over.sum()), self._rng)
        return self._turns(won, over)

    def _turns(self, rewards: F64, over: Bool) -> Turns:
        player = self.actors(self._nodes)
        own = self._hands[np.arange(self.num_tables), player]
        seen = self.observations(self._nodes, own)
        return Turns(player, seen, self.masks(self._nodes), rewards, over)

    # --- exact values ----------------------------------------------------------------------------

    def strategy(self, policy: Callable[[F32, I8], AnyArray]) -> AnyArray:
        """The strategies ``(rows, H)`` of a policy, for ``PublicGame.exploitability``.

        Args:
            policy: Gets observations ``(n, observation_size)`` and masks ``(n, n_actions)``,
                returns chances of the actions, which are scaled to sum to 1 over legal ones.
        """
        tree, decisions = self.game.tree, np.flatnonzero(self._is_decision)
        nodes = np.repeat(decisions, self._n_hands)
        own = np.tile(np.arange(self._n_hands), len(decisions))
        masks = self.masks(nodes)
        chances = np.asarray(policy(self.observations(nodes, own), masks), np.float64) * masks
        by_node = chances.reshape(len(decisions), self._n_hands, self.n_actions)
        weights = np.zeros(self.game.shape)
        for node, of_hands in zip(decisions.tolist(), by_node, strict=True):
            first, legal = int(tree.row[node]), self._child[node] >= 0
            weights[first : first + legal.sum(), : self._n_hands] = of_hands[:, legal].T
        return self.game.normalised(weights)
