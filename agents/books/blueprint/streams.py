"""Random number kernels for sampling: one stream for each purpose and number."""

from __future__ import annotations

import numpy as np

from nlhe_env.game.random_stream import unit
from nlhe_env.jit.array_types import Float, Int
from nlhe_env.jit.compilation import inlined_kernel, kernel

CARDS, WALKS = range(2)
"""Purposes: deals, and actions of the other player."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@inlined_kernel
def mix(word: Int) -> Int:
    """SplitMix64's output function: 64 random bits of a counter times the golden ratio."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@kernel
def start_stream(seed: Int, purpose: Int, number: Int) -> Int:
    """Initial state, for ``next_unit``, of the stream with a purpose and number."""
    return mix(mix(np.uint64(seed) + _GOLDEN * np.uint64(purpose)) ^ (np.uint64(number) * _GOLDEN))


@inlined_kernel
def next_unit(state: Int) -> tuple[Int, Float]:
    """Next state of a stream, and a number in [0, 1)."""
    state += _GOLDEN
    return state, unit(mix(state))
