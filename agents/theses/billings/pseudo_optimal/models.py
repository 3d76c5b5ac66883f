"""Games solved by pseudo-optimal players: three-street models, and pre-flop hold'em."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.books.push_fold_equilibrium import MatchUps
from agents.solvers.cards import written_out
from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION, Betting, PublicTree, grow
from agents.theses.billings.pseudo_optimal.book import MOST_BETS, N_ACTIONS, n_codes
from agents.theses.billings.pseudo_optimal.bucket_game import BucketGame, next_street
from nlhe_env.game.betting import CALLS, FOLDS, RAISES
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD
from nlhe_env.jit.array_types import F64, I64, AnyArray

SMALL_BET = 2
"""Small bet in chips, such that the small blind is an integer."""
_STACKS = (1_000, 1_000)
"""Stack in chips, more than can be bet."""


def after_flop(pot: int, max_bets: int) -> PublicTree:
    """Flop, turn and river with an initial pot in small bets."""
    bets = (SMALL_BET, 2 * SMALL_BET, 2 * SMALL_BET)
    betting = Betting(_STACKS, bets, pot=pot * SMALL_BET, structure=FIXED_LIMIT, max_bets=max_bets)
    return grow(betting, next_street)


def merged_turn_and_river(pot: int, bet: int, max_bets: int) -> PublicTree:
    """Flop, then turn and river dealt together with one betting round.

    Args:
        pot: Initial pot in small bets.
        bet: Bet size of the merged street in small bets.
        max_bets: Maximum number of bets per street.
    """
    bets = (SMALL_BET, bet * SMALL_BET)
    betting = Betting(_STACKS, bets, pot=pot * SMALL_BET, structure=FIXED_LIMIT, max_bets=max_bets)
    return grow(betting, next_street)


def before_turn_ends() -> PublicTree:
    """Pre-flop, flop and turn, without betting on the river."""
    bets = (SMALL_BET, SMALL_BET, 2 * SMALL_BET)
    return grow(_with_blinds(bets), next_street)


def preflop_holdem() -> PublicGame:
    """Pre-flop hold'em: one betting round, then a full board without betting.

    See A. Selby, "Optimal Heads-Up Preflop Poker". Hands are the 169 hole-card classes; the button
    is player 1.
    """
    match_ups = MatchUps.load()
    tree = grow(_with_blinds((SMALL_BET,)), next_street)
    cards = written_out(
        match_ups.chances[np.newaxis], np.zeros((1, len(match_ups.chances)), np.int64)
    )
    won = match_ups.chances * (2 * match_ups.equities - 1)
    return PublicGame(
        tree, cards._replace(outcomes=np.stack([won, -won.T])[:, np.newaxis]), np.float64
    )


def _with_blinds(bets: tuple[int, ...]) -> Betting:
    blinds = (SMALL_BET // 2, SMALL_BET)
    return Betting(_STACKS, bets, blinds=blinds, structure=FIXED_LIMIT, max_bets=MOST_BETS)


class Lines(NamedTuple):
    """Betting history of a tree's nodes, in the numbering of book entries."""

    line: I64
    """Number of the betting line on earlier streets."""
    code: I64
    """Code of the betting on the street, see ``player.code_of_street``."""

    @classmethod
    def of(cls, tree: PublicTree, max_bets: int) -> Lines:
        """Lines of every node.

        Args:
            tree: The tree; a big blind counts as a bet.
            max_bets: Maximum number of bets per street.
        """
        n = len(tree.kind)
        line, calls, bets = (np.zeros(n, np.int64) for _ in range(3))
        path: list[int] = []
        for node in range(n):
            del path[int(tree.depth[node]) :]
            if not path:
                bets[node] = int(tree.pot[node] == 3 * SMALL_BET // 2)
            else:
                parent = path[-1]
                if tree.kind[parent] == CHANCE:
                    code = int(calls[parent] > 1) * (max_bets + 1) + bets[parent]
                    line[node] = line[parent] * n_codes(max_bets) + code
                else:
                    line[node] = line[parent]
                    calls[node] = calls[parent] + (tree.step[node] == CHECK_OR_CALL)
                    bets[node] = bets[parent] + (tree.step[node] > 0)
            path.append(node)
        decides = tree.kind == DECISION
        checked = np.where(decides, calls > 0, calls > 1)
        return cls(line, checked * (max_bets + 1) + bets)


def lay_out(game: BucketGame, strategies: list[AnyArray], max_bets: int) -> list[AnyArray]:
    """``(lines, codes, hands, 3)`` probabilities for each street, in book layout."""
    tree = game.tree
    lines = Lines.of(tree, max_bets)
    found = []
    for street, (part, strategy) in enumerate(zip(game.streets, strategies, strict=True)):
        n_lines = n_codes(max_bets) ** street
        laid = np.zeros((n_lines, n_codes(max_bets), game.hands[street], N_ACTIONS), np.float32)
        for group in part.decisions:
            for node, rows in zip(part.nodes[group.nodes], group.rows, strict=True):
                for row, child in zip(rows, tree.children(int(node)), strict=True):
                    at = (lines.line[node], lines.code[node], slice(None), _kind(tree, child))
                    laid[at] = strategy[row]
        found.append(laid)
    return found


def lay_out_preflop(tree: PublicTree, rows: F64) -> F64:
    """``(codes, hands, 3)`` pre-flop probabilities, from a strategy's pre-flop rows."""
    lines = Lines.of(tree, MOST_BETS)
    found = np.zeros((n_codes(MOST_BETS), rows.shape[1], N_ACTIONS))
    row = 0
    for node in np.flatnonzero((tree.kind == DECISION) & (tree.street == 0)).tolist():
        for child in tree.children(node):
            found[lines.code[node], :, _kind(tree, child)] = rows[row]
            row += 1
    return found


def _kind(tree: PublicTree, child: int) -> int:
    step = tree.step[child]
    return FOLDS if step == FOLD else CALLS if step == CHECK_OR_CALL else RAISES


def always_calling(n_hands: int) -> F64:
    """``(codes, hands, 3)`` probabilities of a player who always calls pre-flop."""
    found = np.zeros((n_codes(MOST_BETS), n_hands, N_ACTIONS))
    found[..., CALLS] = 1
    return found
