"""The counter-based random stream of the game.

Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011,
https://doi.org/10.1145/2063384.2063405). A block of 128 random bits is a pure function of a 128-bit
counter and a 64-bit key, so draws need no state: cards depend only on (seed, tournament, table,
hand), and decisions on (seed, tournament, player, hand, decision).

The key is the seed. The counter words are (domain and block, hand, table or player, tournament).
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from nlhe_env.jit.array_types import Float, Int
from nlhe_env.jit.compilation import kernel

# One stream for each purpose: the top four bits of the first counter word.
CARDS = 0
DECISIONS = 1
SEATING = 2
BUTTONS = 3
EQUITY_DEALS = 4
SIMULATIONS = 5
_DOMAIN_SHIFT = np.uint64(28)

_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_11 = np.uint64(11)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)
_TO_UNIT = 2.0**-53
_TO_UNIT_32 = 2.0**-32


@kernel
def philox(c0: Int, c1: Int, c2: Int, c3: Int, key: Int) -> tuple[Int, Int]:
    """Two random 64-bit words for the 32-bit counter words ``c0..c3`` and a 64-bit key.

    Every argument is uint64. The first word holds Philox outputs 0 (low half) and 1, the second
    outputs 2 and 3.
    """
    k0 = key & _LOW
    k1 = key >> _32
    for _ in range(10):
        product_0 = c0 * _MULTIPLIER_0
        product_1 = c2 * _MULTIPLIER_1
        c0 = (product_1 >> _32) ^ c1 ^ k0
        c1 = product_1 & _LOW
        c2 = (product_0 >> _32) ^ c3 ^ k1
        c3 = product_0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0 | (c1 << _32), c2 | (c3 << _32)


@kernel
def draw(
    seed: Int, domain: Int, block: Int, hand: Int, place: Int, tournament: Int
) -> tuple[Int, Int]:
    """Two random 64-bit words of one stream.

    Args:
        seed: The 64-bit key.
        domain: ``CARDS``, ``DECISIONS``, ``SEATING``, ``BUTTONS``, ``EQUITY_DEALS`` or
            ``SIMULATIONS``.
        block: Number of the block in the stream, below 2**28.
        hand: Number of the hand (round), below 2**32.
        place: Table or player, below 2**32.
        tournament: Number of the tournament (episode), below 2**32.
    """
    return philox(
        (np.uint64(domain) << _DOMAIN_SHIFT) | np.uint64(block),
        np.uint64(hand),
        np.uint64(place),
        np.uint64(tournament),
        np.uint64(seed),
    )


@kernel
def unit(word: Int) -> Float:
    """A float64 in [0, 1) from a 64-bit word."""
    return np.float64(word >> _11) * _TO_UNIT


@kernel
def decision_units(
    seed: Int, decision: Int, hand: Int, player: Int, tournament: Int
) -> tuple[Float, Float, Float]:
    """Three uniform numbers in [0, 1) for one decision of one player.

    The first two have 32 random bits, the third 53.
    """
    word_1, word_2 = draw(seed, DECISIONS, decision, hand, player, tournament)
    return (
        np.float64(word_1 & _LOW) * _TO_UNIT_32,
        np.float64(word_1 >> _32) * _TO_UNIT_32,
        unit(word_2),
    )


@kernel
def digit(word: Int, n: Int) -> tuple[Int, Int]:
    """A random integer in [0, n) from a random word, and the remaining word for the next draw.

    The word as a fraction is multiplied by ``n``: the integer part is the result, and the fraction
    remains (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer Generation", 2024). Four
    integers below 52 have a bias under 1e-12.
    """
    high = (word >> _32) * n
    low = (word & _LOW) * n
    whole = (high + (low >> _32)) >> _32
    return whole, word * n


def make_seed(seed: int | None) -> int:
    """A 64-bit seed: the given one, or fresh entropy.

    Raises:
        ValueError: ``seed`` is not an integer in 0 .. 2**64 - 1.
    """
    if seed is None:
        return secrets.randbits(64)
    value: Any = seed
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"seed must be an integer in 0 .. 2**64 - 1 or None; got {seed!r}")
    if not 0 <= int(value) < 2**64:
        raise ValueError(f"seed must be an integer in 0 .. 2**64 - 1 or None; got {seed!r}")
    return int(value)
