"""Explanations of compiled players' decisions: inputs, estimates and action values.

A kind can name a module (``Kind.explained_by``) with a function ``explain(player, context)`` that
returns an ``Explanation``. It is called right after the decision, while the kernels' scratch memory
still has the intermediate values. For players with feature vectors and sized actions,
``explain_inputs`` is used instead.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from agents.policy.action_probabilities import drawn_from
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.player_batch import Seated, WorkArrays
from nlhe_env.game.description import Game
from nlhe_env.jit.array_types import F32, F64, Bool, Records
from nlhe_env.spaces.actions import N_SIZED, SIZED_NAMES
from nlhe_env.spaces.features import look_up_late
from nlhe_env.spaces.observation import Part
from nlhe_env.spaces.observations import find_observation

_NO_NUMBERS = np.zeros(0, np.float32)


class Estimate(NamedTuple):
    """A labelled estimate of a player."""

    label: str
    value: float
    unit: str = ""
    """``"share"`` for a probability or share, ``"chips"``, or an empty string."""


class Vote(NamedTuple):
    """Vote of a program, or of a team of programs."""

    label: str
    """Subject of the vote, or its voter."""
    program: Any
    """The program that made the bid; None without a bid."""
    bid: float
    is_legal: bool
    won: bool
    """Whether the bid decided, or the team voted for the chosen action."""


class Ballot(NamedTuple):
    """A vote with its candidates."""

    votes: tuple[Vote, ...]
    title: str = ""


class Explanation(NamedTuple):
    """Explanation of a player's decision."""

    names: tuple[str, ...]
    """Names of the actions."""
    chances: F64
    """``(n,)`` probabilities of the actions."""
    legal: Bool | None = None
    """``(n,)`` whether each action was legal; None if all were."""
    values: F32 | None = None
    """``(n,)`` expected win in the hand by action in big blinds, nan if unknown; None for players
    without expectations."""
    inputs: F32 = _NO_NUMBERS
    """Input vector of the player."""
    parts: tuple[Part, ...] = ()
    """Meaning of the inputs."""
    ballots: tuple[Ballot, ...] = ()
    """Bids of a team's programs, and votes of teams."""
    reads: tuple[str, ...] | None = None
    """Names of the program inputs, if they are individual."""
    ranges: Mapping[int, F32] = MappingProxyType({})
    """By seat: ``(1326,)`` estimated weights of the holdings; the hand of cards a > b is at C(a, 2)
    + b."""
    estimates: tuple[Estimate, ...] = ()
    """Estimates about the hand, including the player's own cards."""
    learnt: Mapping[int, tuple[Estimate, ...]] = MappingProxyType({})
    """By seat: estimates about the others from public information, independent of the player's
    cards."""


class DecisionContext(NamedTuple):
    """Context of the last decision, for its explanation."""

    player: int
    """Number of the player in the batch."""
    tables: Records
    """``(1,)`` record of its table before the action."""
    seated: Seated
    """All players; the scratch still holds the decision's values."""

    @property
    def work(self) -> WorkArrays:
        """Scratch with the decision's values, and the memory of all players."""
        return self.seated.work

    @property
    def seat(self) -> int:
        """Seat of the player."""
        return int(self.tables[0]["actor"])

    @property
    def memory(self) -> F32:
        """Memory of the player."""
        row: F32 = self.work.memory[self.player]
        return row


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation | None:
    """Explanation of a player's decision; None if its kind has none."""
    if player.kind.explained_by is not None:
        explanation: Explanation | None = importlib.import_module(player.kind.explained_by).explain(
            player, context
        )
        return explanation
    return explain_inputs(player, context) if player.sees_inputs else None


def explain_inputs(player: CompiledPlayer, context: DecisionContext, **more: Any) -> Explanation:
    """Explanation by inputs and probabilities, for a player that answers with sizes.

    Args:
        player: The player that made the decision.
        context: Context of the decision.
        more: Further or replaced fields of ``Explanation``.
    """
    fields: dict[str, Any] = {"legal": context.work.choices[0]["mask"][:N_SIZED] == 1, **more}
    if "parts" not in more:
        observation = find_observation(player.inputs)
        parts = observation.parts(Game(), 2)  # the same in all games
        inputs = context.work.inputs[: parts[-1].stop].copy()
        if observation.write_late is not None:
            look_up_late(context.tables[0], context.seat, context.seated.strength_tables, inputs)
        fields |= {"parts": parts, "inputs": inputs}
    return Explanation(SIZED_NAMES, drawn_from(context.work), **fields)
