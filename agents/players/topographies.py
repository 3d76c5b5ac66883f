"""Action topographies: players with policies that are maps over hand strength and cost.

A topography gives the probabilities of the five actions on a 20 x 20 grid. Evolution adds random
hills to it. The idea is that of Beattie, Nicolai, Gerhard and Hilderman ("Pattern Classification in
No-Limit Poker: A Head-Start Evolutionary Approach", Canadian AI 2007), as far as Nicolai's thesis
(University of Regina, 2008) describes it. Neither gives numbers: every number here, including the
head start, is a reconstruction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from agents.policy.view import Parameters, View, offer_weights
from nlhe_env.arguments import one_of
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.jit.array_types import F32, F64, Float, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import N_SIZED
from nlhe_env.spaces.features import FEATURE_VECTORS, FEATURES

GRID = 20
SHAPE = (GRID, GRID, N_SIZED)
"""Strength, cost, action: fold, call, small, medium, large raise."""
N_WEIGHTS = GRID * GRID * N_SIZED

LEAST_PROBABILITY = 0.001
"""Minimum probability of an action after adding a hill, before normalisation."""

_UNDERSTOOD = tuple(observation.name for observation in FEATURE_VECTORS)
_FIRST_INPUT = {feature.name: feature.start for feature in FEATURES}
_POT = _FIRST_INPUT["pot"]
_CALL = _FIRST_INPUT["call"]
_WIN_CHANCE = _FIRST_INPUT["win_chance"]
_LONG_TERM = _FIRST_INPUT["long_term"]

# --- the decision --------------------------------------------------------------------------------


@kernel
def skewed_strength(inputs: F32) -> Float:
    """Win chance in 0..1, skewed by the opponents' aggressiveness, from ``(35,)`` inputs.

    A win chance counts for more against habitual raisers and for less against habitual folders: by
    a tenth of their mean long-term aggressiveness beyond 1, at most 0.2.

    The mean is over the opponents at the table that have ever put in chips voluntarily. The inputs
    show no more: players without decisions also have aggressiveness 0, and folds in this hand are
    not among the inputs.
    """
    total = 0.0
    opponents = 0
    for i in range(_LONG_TERM + 1, _LONG_TERM + MAX_SEATS):
        if inputs[i] > 0.0:
            total += np.float64(inputs[i])
            opponents += 1
    strength = np.float64(inputs[_WIN_CHANCE])
    if opponents > 0:
        strength += min(max(0.1 * (total / opponents - 1.0), -0.2), 0.2)
    return min(max(strength, 0.0), 1.0)


@kernel
def cost(inputs: F32) -> Float:
    """Cost in 0..1: chips to call over these plus the winnable pot, from ``(35,)`` inputs.

    Raw and scaled inputs give the same cost. A free check costs 0.
    """
    to_call = np.float64(inputs[_CALL])
    return to_call / (to_call + np.float64(inputs[_POT])) if to_call > 0.0 else 0.0


@kernel
def nearest(x: Float) -> Int:
    """Nearest grid line to a number in 0..1; line i is at i / 19."""
    # Half is rounded up, with a tolerance for float32 inputs, so that raw and scaled inputs select
    # the same cell.
    line: Int = np.int64(x * (GRID - 1) + 0.5 + 1e-6)
    return min(max(line, 0), GRID - 1)


@kernel
def cell_of(inputs: F32) -> Int:
    """Offset in a flat topography of the five probabilities of the nearest cell."""
    return (nearest(skewed_strength(inputs)) * GRID + nearest(cost(inputs))) * N_SIZED


@kernel
def topography_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the five actions with the probabilities of the nearest cell."""
    cell = cell_of(view.inputs)
    offer_weights(view, parameters.weights[cell : cell + N_SIZED])


# --- making topographies -------------------------------------------------------------------------


class Hill(NamedTuple):
    """Change of one action's probability around a point of the grid."""

    strength: float
    """Strength at the centre, 0..1."""
    cost: float
    """Cost at the centre, 0..1."""
    radius: float
    action: int
    height: float
    """Negative for a hollow."""


def even() -> F32:
    """Uniform topography, for evolution from scratch."""
    return np.full(SHAPE, 1.0 / N_SIZED, np.float32)


def head_start() -> F32:
    """The topography of ``expert`` on the grid."""
    lines = np.linspace(0.0, 1.0, GRID)
    return expert(lines[:, np.newaxis], lines[np.newaxis, :]).astype(np.float32)


def expert(strength: F64 | float, cost: F64 | float) -> F64:
    """Expert policy: folds hands weaker than their price, raises much stronger ones.

    The stronger the hand, the larger the raises.

    Args:
        strength: Skewed win chances, 0..1.
        cost: Costs, 0..1, with a shape that broadcasts with ``strength``.

    Returns:
        ``(..., 5)`` probabilities of fold, call, small, medium and large raise.

    >>> expert(0.9, 0.0).round(3)  # check a little, raise much
    array([0.   , 0.008, 0.198, 0.298, 0.496])
    """
    s, c = np.broadcast_arrays(np.asarray(strength, np.float64), np.asarray(cost, np.float64))
    fold = np.where(c > 0.0, _logistic(-12.0 * (s - c)), 0.0)
    rise = _logistic(12.0 * (s - np.maximum(0.5, c + 0.2)))
    sizes = np.select(
        [s[..., np.newaxis] < 0.7, s[..., np.newaxis] < 0.85],
        [np.array([0.5, 0.3, 0.2]), np.array([0.3, 0.4, 0.3])],
        np.array([0.2, 0.3, 0.5]),
    )
    passive = np.stack([fold, (1.0 - fold) * (1.0 - rise)], axis=-1)
    raises = ((1.0 - fold) * rise)[..., np.newaxis] * sizes
    probabilities: F64 = np.concatenate([passive, raises], axis=-1)
    return probabilities


def with_hill(topography: F64 | F32, hill: Hill) -> F64:
    """Topography after adding a hill and normalising every cell.

    Args:
        topography: ``(20, 20, 5)`` probabilities; not modified.
        hill: The hill.
    """
    lines = np.linspace(0.0, 1.0, GRID)
    squares = (lines[:, np.newaxis] - hill.strength) ** 2 + (lines - hill.cost) ** 2
    changed = topography.astype(np.float64)
    changed[:, :, hill.action] += hill.height * np.exp(-squares / (2.0 * hill.radius**2))
    changed = np.maximum(changed, LEAST_PROBABILITY)
    result: F64 = changed / changed.sum(axis=-1, keepdims=True)
    return result


def random_hill(rng: np.random.Generator) -> Hill:
    """Random hill with radius 0.05 to 0.3 and height -0.5 to 0.5."""
    return Hill(
        strength=rng.random(),
        cost=rng.random(),
        radius=rng.uniform(0.05, 0.3),
        action=int(rng.integers(N_SIZED)),
        height=rng.uniform(-0.5, 0.5),
    )


def _logistic(x: F64) -> F64:
    values: F64 = 1.0 / (1.0 + np.exp(-x))
    return values


class TopographyPlayer(CompiledPlayer):
    """A player with an action topography; decisions do not depend on the choice of inputs.

    Args:
        topography: ``(20, 20, 5)`` probabilities over strength, cost and action, possibly
            flattened.
        inputs: ``"features"``, ``"features_scaled"`` or ``"features_opponents"``: the observation;
            only the 35 shared numbers are used.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.

    Raises:
        ValueError: The topography has another shape, a cell is not a distribution, or the inputs
            are unsuitable.
    """

    def __init__(
        self,
        topography: Any,
        *,
        inputs: str = "features",
        name: str = "topography",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights = np.ascontiguousarray(topography, np.float32)
        if weights.shape not in (SHAPE, (N_WEIGHTS,)):
            raise ValueError(f"a topography must be of shape {SHAPE} or flat; got {weights.shape}")
        super().__init__(name, _TOPOGRAPHY, weights.ravel(), inputs, origin=origin)

    @property
    def topography(self) -> F32:
        """``(20, 20, 5)`` probabilities over strength, cost and action."""
        return self.weights.reshape(SHAPE)


def _check_player(player: CompiledPlayer) -> None:
    one_of("inputs", player.inputs, _UNDERSTOOD)
    sums, least = player.weights.reshape(SHAPE).sum(axis=-1), player.weights.min()
    if least < 0.0 or not np.allclose(sums, 1.0, rtol=0.0, atol=1e-5):
        raise ValueError(
            "every cell of a topography must hold five probabilities that sum to 1; got sums from "
            f"{sums.min()} to {sums.max()} and a minimum of {least}"
        )


_TOPOGRAPHY = register_kind(
    Kind(
        "topography",
        topography_policy,
        wants="inputs",
        n_weights=N_WEIGHTS,
        looks_up=True,
        checks_player=_check_player,
        player_class=TopographyPlayer,
    )
)


def old_start() -> TopographyPlayer:
    """The head start, without evolution: one of the three dynamic players of Nicolai's thesis.

    They are reconstructions. The thesis (section 5.1.1) compares with three players of the paper,
    whose code and data are lost: results against these are comparable with published ones in
    direction only. The other two, OldBest and OldScratch, are saved players.
    """
    return TopographyPlayer(head_start(), name="old-start")
