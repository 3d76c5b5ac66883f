"""The three dynamic benchmark players: OldStart, OldBest and OldScratch.

They are reconstructions. Nicolai's thesis (University of Regina, 2008, section 5.1.1) compares with
three players of Beattie, Nicolai, Gerhard and Hilderman (Canadian AI 2007), whose code and data are
lost; these are based on a description without numbers (see
``agents.players.topographies.policy_map``). Results against them are comparable with published ones
in direction only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.players.topographies.policy_map import N_WEIGHTS, SHAPE, head_start, topography_policy
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from nlhe_env.arguments import one_of
from nlhe_env.jit.array_types import F32
from nlhe_env.spaces.features import FEATURE_VECTORS

_UNDERSTOOD = tuple(observation.name for observation in FEATURE_VECTORS)


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
        super().__init__(name, TOPOGRAPHY, weights.ravel(), inputs, origin=origin)

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


TOPOGRAPHY = register_kind(
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
    """The head start, without evolution."""
    return TopographyPlayer(head_start(), name="old-start")
