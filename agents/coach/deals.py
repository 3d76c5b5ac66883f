"""Deals of hidden cards: opponents' hands from their ranges, and the rest of the board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlhe_env.cards import N_CARDS
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.jit.array_types import F64, I64

_ROUNDS = 60
"""Rounds of rejection sampling for disjoint hands, before hands are drawn sequentially."""

_CARD_SETS = np.uint64(1) << HOLES.astype(np.uint64)
HOLE_MASKS = _CARD_SETS[:, 0] | _CARD_SETS[:, 1]
"""``(1326,)`` cards of every hand as bits."""


def draw_deals(
    known: Sequence[int],
    board: Sequence[int],
    ranges: Sequence[F64],
    count: int,
    rng: np.random.Generator,
) -> tuple[I64, I64]:
    """Draw deals of all cards hidden from a player.

    Args:
        known: The player's hole cards.
        board: Dealt cards of the board.
        ranges: For each opponent still in the hand ``(1326,)`` weights of its hands, in the order
            of ``HOLES``; impossible hands may have weights.
        count: Number of deals.
        rng: Source of the cards.

    Returns:
        ``(count, n_opponents, 2)`` hole cards and ``(count, 10)`` board cards, the last five for a
        second board. Hands have the joint distribution of the weights, given that no card is dealt
        twice.

    Raises:
        ValueError: An opponent has no possible hand.
    """
    seen = int(sum(1 << card for card in (*known, *board)))
    chances = [_possible(weights, seen) for weights in ranges]
    hands = _draw_hands(chances, count, rng)
    holes = HOLES[hands].reshape(count, len(ranges), 2)
    boards = np.empty((count, 10), np.int64)
    boards[:, : len(board)] = board
    order = rng.random((count, N_CARDS))
    order[:, [*known, *board]] = 2.0
    np.put_along_axis(order, holes.reshape(count, -1), 2.0, axis=1)
    boards[:, len(board) :] = np.argsort(order, axis=1)[:, : 10 - len(board)]
    return holes, boards


def _possible(weights: F64, seen: int) -> F64:
    """Probabilities of the hands without known cards."""
    chances = np.where(HOLE_MASKS & np.uint64(seen), 0.0, weights)
    total = chances.sum()
    if not total > 0:
        raise ValueError("an opponent has no possible hand: all weights are 0")
    return chances / total


def _draw_hands(chances: Sequence[F64], count: int, rng: np.random.Generator) -> I64:
    """``(count, n)`` disjoint hands."""
    drawn = np.empty((count, len(chances)), np.int64)
    done = 0
    for _ in range(_ROUNDS):
        some = [rng.choice(len(HOLES), count, p=each) for each in chances]
        rows = np.stack(some, axis=1) if some else np.empty((count, 0), np.int64)
        used, apart = np.zeros(count, np.uint64), np.ones(count, np.bool_)
        for column in rows.T:
            apart &= (used & HOLE_MASKS[column]) == 0
            used |= HOLE_MASKS[column]
        fitting = rows[apart][: count - done]
        drawn[done : done + len(fitting)] = fitting
        done += len(fitting)
        if done == count:
            return drawn
    for i in range(done, count):  # narrow ranges that nearly always collide
        drawn[i] = _draw_in_turn(chances, rng)
    return drawn


def _draw_in_turn(chances: Sequence[F64], rng: np.random.Generator) -> I64:
    """``(n,)`` hands drawn sequentially, each disjoint from the earlier ones."""
    hands = np.empty(len(chances), np.int64)
    used = np.uint64(0)
    for i in rng.permutation(len(chances)):
        left = np.where(HOLE_MASKS & used, 0.0, chances[i])
        if not left.any():  # all hands of the range are blocked: use any other
            left = np.where(HOLE_MASKS & used, 0.0, 1.0)
        hands[i] = rng.choice(len(HOLES), p=left / left.sum())
        used |= HOLE_MASKS[hands[i]]
    return hands
