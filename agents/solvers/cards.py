"""Which private hands two players may hold, and who wins with them on which board, for solvers.

Two forms stand behind the same arrays. In games of a few hands (Kuhn, Leduc) the chance of every
pair of hands and board is written out. In hold'em hands are sorted by strength on every board, and
cards that both players cannot hold are counted out of running sums (M. Johanson, K. Waugh,
M. Bowling, M. Zinkevich, "Accelerating Best Response Calculation in Large Extensive Games", IJCAI
2011, section 3.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.evaluator.batch import evaluate
from nlhe_env.jit.array_types import F64, I64, U8, U16

NO_TWIN = -1


class Cards(NamedTuple):
    """Cards of a game, as kernels need them.

    ``p`` is a player, ``h`` one of its hands, ``b`` a board.
    """

    n_hands: I64
    """``(2,)``."""
    weights: F64
    """``(2, H)`` how likely each hand is before cards of the other player count."""
    meetings: F64
    """``(2, B, H, H)`` chance of own hand, other hand and board; no boards in hold'em."""
    outcomes: F64
    """``meetings`` times 1 where the own hand wins, 0 for a tie, -1 where the other does."""
    cards: U8
    """``(2, H, 2)`` the cards of a hand in hold'em."""
    twins: I64
    """``(2, H)`` the same hand among those of the other player, ``NO_TWIN`` if it is not there."""
    order: U16
    """``(2, B, H)`` the hands that a board allows in the order of their strength."""
    groups: I64
    """``(B,)`` different strengths on a board."""
    group_end: U16
    """``(2, B, G)`` where, in the order, the hands of the next strength begin."""
    new_card: I64
    """``(B,)`` the card that came last on a board, -1 for none."""
    chance: F64
    """``(B,)`` chance of a board, given the one before it and two hands that allow it."""


def written_out(chances: F64, strengths: I64) -> Cards:
    """The cards of a small game in which both players may hold the same hands.

    Args:
        chances: ``(B, H, H)`` chance of the first player's hand, the second's and the board; of a
            board that more cards follow, whatever follows.
        strengths: ``(B, H)`` who wins on each board, higher is better.
    """
    n_boards, n_hands, _ = chances.shape
    wins = np.sign(strengths[:, :, np.newaxis] - strengths[:, np.newaxis, :]).astype(np.float64)
    meetings = np.stack([chances, chances.transpose(0, 2, 1)])
    outcomes = meetings * wins
    none = np.zeros((2, 0, 0), np.uint16)
    return Cards(
        n_hands=np.array([n_hands, n_hands]),
        weights=np.ones((2, n_hands)),
        meetings=meetings,
        outcomes=outcomes,
        cards=np.zeros((2, 0, 2), np.uint8),
        twins=np.zeros((2, 0), np.int64),
        order=none,
        groups=np.zeros(0, np.int64),
        group_end=none,
        new_card=np.full(n_boards, -1, np.int64),
        chance=np.ones(n_boards),
    )


class FollowingBoards(NamedTuple):
    """The boards that may follow one board, itself the first."""

    cards: list[tuple[int, ...]]
    following: list[list[int]]
    """For each board, the numbers of those with one card more."""
    new_card: I64
    chance: F64

    @classmethod
    def after(cls, board: tuple[int, ...]) -> FollowingBoards:
        """All that may follow a board of three to five cards."""
        cards = [board]
        following: list[list[int]] = []
        for lying in cards:  # the list grows while it is gone through
            following.append([])
            if len(lying) == 5:
                continue
            for card in range(N_CARDS):
                if card not in lying:
                    following[-1].append(len(cards))
                    cards.append((*lying, card))
        lengths = np.array([len(lying) for lying in cards])
        # Two hands are held; what they hold cannot come.
        chance = 1.0 / (N_CARDS - 4 - (lengths - 1.0))
        new_card = np.array([-1, *(lying[-1] for lying in cards[1:])], np.int64)
        return cls(cards, following, new_card, chance)


def holdem_cards(hands: Sequence[I64], weights: Sequence[F64], boards: FollowingBoards) -> Cards:
    """The cards of two ranges on some boards.

    Args:
        hands: For each player ``(n, 2)`` card codes that the first board allows.
        weights: For each player ``(n,)``.
        boards: All boards that may lie.
    """
    most = max(len(held) for held in hands)
    n_boards = len(boards.cards)
    order = np.zeros((2, n_boards, most), np.uint16)
    ends: list[list[I64]] = []
    for board, lying in enumerate(boards.cards):
        ends.append([])
        if len(lying) < 5:
            continue
        possible = [np.flatnonzero(~np.isin(held, lying).any(axis=1)) for held in hands]
        strengths = [
            evaluate(np.column_stack([held[i], np.tile(lying, (len(i), 1))]))
            for held, i in zip(hands, possible, strict=True)
        ]
        for player, strength in enumerate(strengths):
            # Hands of the same strength stay as they were: few neighbours share a card.
            order[player, board, : len(strength)] = possible[player][
                np.argsort(strength, kind="stable")
            ]
        levels = np.unique(np.concatenate(strengths))
        ends[-1] = [np.searchsorted(np.sort(of), levels, side="right") for of in strengths]
    groups = np.array([len(of_board[0]) if of_board else 0 for of_board in ends])
    group_end = np.zeros((2, n_boards, int(groups.max())), np.uint16)
    for board, of_board in enumerate(ends):
        for player, of_player in enumerate(of_board):
            group_end[player, board, : len(of_player)] = of_player

    cards = np.zeros((2, most, 2), np.uint8)
    weight = np.zeros((2, most))
    twins = np.full((2, most), NO_TWIN, np.int64)
    numbers = [held.max(axis=1) * N_CARDS + held.min(axis=1) for held in hands]
    for player in range(2):
        n = len(hands[player])
        cards[player, :n] = hands[player]
        weight[player, :n] = weights[player]
        place = {int(number): i for i, number in enumerate(numbers[1 - player])}
        twins[player, :n] = [place.get(int(number), NO_TWIN) for number in numbers[player]]
    return Cards(
        n_hands=np.array([len(hands[0]), len(hands[1])]),
        weights=weight,
        meetings=np.zeros((2, 0, 0, 0)),
        outcomes=np.zeros((2, 0, 0, 0)),
        cards=cards,
        twins=twins,
        order=order,
        groups=groups,
        group_end=group_end,
        new_card=boards.new_card,
        chance=boards.chance,
    )


def apart(hands: I64) -> I64:
    """``(n,)`` an order of hands in which neighbours rarely share a card.

    Sums a card then seldom wait for each other. The rounds of a round-robin tournament of 52 cards
    are such an order.
    """
    low, high = np.sort(hands, axis=1).T
    last = N_CARDS - 1
    rounds = np.where(high == last, low, (low + high) * (N_CARDS // 2) % last)
    order: I64 = np.argsort(rounds, kind="stable")
    return order
