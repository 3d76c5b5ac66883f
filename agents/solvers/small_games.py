"""Kuhn's poker and Leduc hold'em, with limits and without: small enough to be solved exactly."""

from __future__ import annotations

import numpy as np

from agents.solvers.bet_sizes import BetSizes
from agents.solvers.cards import Cards, written_out
from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import Betting, grow
from nlhe_env.arguments import whole_number
from nlhe_env.game.table import FIXED_LIMIT


def kuhn(ranks: int = 3) -> PublicGame:
    """One card each, an ante of 1, one bet of 1 (H. W. Kuhn, "Simplified Two-Person Poker", 1950).

    Args:
        ranks: Cards in the deck, all different.
    """
    n = whole_number("ranks", ranks, least=2, most=1000)
    chances = (1 - np.eye(n))[np.newaxis] / (n * (n - 1))
    betting = Betting(stacks=(2, 2), full_bets=(1,), ante=1, structure=FIXED_LIMIT, max_bets=1)
    cards = written_out(chances, np.arange(n)[np.newaxis])
    return PublicGame(grow(betting, lambda board: ()), cards, np.float64)


def leduc(ranks: int = 3, suits: int = 2) -> PublicGame:
    """Limit Leduc hold'em: ante 1, bets of 2 and 4, two a street (Southey et al., UAI 2005).

    Hands are ranks; suits do not count in this game.

    Args:
        ranks: Number of ranks of the deck.
        suits: Cards of each rank.
    """
    betting = Betting(stacks=(13, 13), full_bets=(2, 4), ante=1, structure=FIXED_LIMIT, max_bets=2)
    return _leduc(betting, ranks, suits)


def no_limit_leduc(
    stack: int, ante: int, sizes: str = "pot, all-in", ranks: int = 3, suits: int = 2
) -> PublicGame:
    """Leduc hold'em without limits: the smallest bet is the ante.

    Args:
        stack: Chips of each player before the antes.
        ante: Chips.
        sizes: Sizes of bets and raises, as in ``Subgame``.
        ranks: Number of ranks of the deck.
        suits: Cards of each rank.
    """
    ante = whole_number("ante", ante, least=1)
    stack = whole_number("stack", stack, least=ante + 1)
    menu = (BetSizes.of_bets(sizes, "sizes"),) * 2
    betting = Betting(
        stacks=(stack, stack), full_bets=(ante, ante), ante=ante, bets=menu, raises=menu
    )
    return _leduc(betting, ranks, suits)


def _leduc(betting: Betting, ranks: int, suits: int) -> PublicGame:
    n = whole_number("ranks", ranks, least=2, most=100)
    whole_number("suits", suits, least=2, most=100)
    tree = grow(betting, lambda board: range(1, n + 1))
    return PublicGame(tree, _leduc_cards(n, suits), np.float64)


def _leduc_cards(ranks: int, suits: int) -> Cards:
    """A rank in each hand and one on the board; board 0 is none."""
    left = np.full(ranks, float(suits))
    same = np.eye(ranks)
    of_both = left[:, np.newaxis] * (left - same)
    on_board = left[:, np.newaxis, np.newaxis]  # axes: board, first hand, second hand
    of_all = of_both * (on_board - same[:, :, np.newaxis] - same[:, np.newaxis])
    n = ranks * suits
    chances = np.concatenate(
        [of_both[np.newaxis] / (n * (n - 1)), of_all / (n * (n - 1) * (n - 2))]
    )
    paired = np.arange(ranks) + ranks * same
    return written_out(chances, np.concatenate([np.zeros((1, ranks)), paired]).astype(np.int64))
