"""ASHE 2.0 to 2.3: players that maximise utility from statistics of betting sequences.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), chapters 5 to 8. Pattern recognition trees
(``ashe.tree``) collect statistics over the session; two estimators (``ashe.estimators``) turn these
and the state of the hand (``ashe.features``) into probabilities. Versions 2.0 and 2.1 maximise
utility as if a call led straight to the showdown (``ashe.one_step``), 2.2 and 2.3 look ahead to the
end of the hand (``ashe.look_ahead``). Heads-up only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, finite_weights, make_sizes, register_kind
from agents.theses.li.event_handler import (
    ashe_on_session_event,
    count_memory,
    count_scratch_numbers,
)
from agents.theses.li.look_ahead import count_ahead, decide_by_looking_ahead
from agents.theses.li.one_step import decide_at_once
from agents.theses.li.shape import LEVELS, RECURSIVE, ModelShape, check_model_shape, shape_of
from agents.theses.li.tree import check_trees
from nlhe_env.assessment.texture import texture_tables
from nlhe_env.game.table import NO_LIMIT
from nlhe_env.jit.array_types import I64, U8, Records


def _count_weights(sizes: I64) -> int:
    shape = shape_of(sizes)
    return sum(shape.parts) + shape.default_numbers


def _check_tables(tables: Records) -> None:
    if (tables["seats"] != 2).any() or (tables["betting"] != NO_LIMIT).any():
        raise ValueError('ASHE 2 plays heads-up with betting="no-limit" only')


@functools.cache
def _book() -> U8:
    """The board textures as bytes."""
    return np.frombuffer(texture_tables().tobytes(), np.uint8)


class ModelPlayer(CompiledPlayer):
    """ASHE 2.0 to 2.3.

    Args:
        weights: ``(n,)`` genome: the opponent estimator, then the showdown estimator, each with the
            weights of its module and of the network above it and its initial cell states; then the
            default trees, if the shape has any.
        shape: Its sizes and version.
        name: Name for tables and plots.
        origin: Origin as plain values, such as experiment and generation.

    Raises:
        ValueError: The weights do not fit the shape or are not finite.
    """

    def __init__(
        self,
        weights: Any,
        *,
        shape: ModelShape | None = None,
        name: str = "ashe-2",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        shape = shape or ModelShape()
        check_model_shape(shape)
        genome = finite_weights(weights)
        kind = ASHE_2_AHEAD if shape.level >= RECURSIVE else ASHE_2
        sizes = make_sizes(*shape)
        super().__init__(name, kind, genome, "features", sizes, origin, book=_book())

    @classmethod
    def restore(cls, **saved: Any) -> Self:
        """See ``CompiledPlayer``; the board textures come with the package and are not saved."""
        return super().restore(**{**saved, "book": _book()})

    @property
    def shape(self) -> ModelShape:
        """Sizes and version of the player."""
        return shape_of(self.sizes)

    @property
    def version(self) -> str:
        """Version of the thesis, such as ``"2.0"``."""
        return LEVELS[self.shape.level]


def _check_player(player: CompiledPlayer) -> None:
    shape = shape_of(player.sizes)
    check_model_shape(shape)
    if shape.default_nodes:
        check_trees(player.weights[-shape.default_numbers :], shape.default_nodes)
    if player.book is None or len(player.book) != len(_book()):
        raise ValueError("the book of an ASHE 2 player must be the book of board textures")


def _kind(name: str, policy: Callable[..., Any], count: Callable[[ModelShape], int]) -> Kind:
    """Player kind with a decision rule and its scratch size."""
    return register_kind(
        Kind(
            name,
            policy,
            wants="table",
            answers="amounts",
            on_event=ashe_on_session_event,
            memory=count_memory,
            scratch=lambda sizes: count(shape_of(sizes)),
            n_weights=_count_weights,
            looks_up=True,
            checks=_check_tables,
            checks_player=_check_player,
            player_class=ModelPlayer,
            explained_by="agents.theses.li.explain",
        )
    )


ASHE_2 = _kind("ashe-2", decide_at_once, count_scratch_numbers)
ASHE_2_AHEAD = _kind("ashe-2-ahead", decide_by_looking_ahead, count_ahead)
