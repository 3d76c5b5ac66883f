"""Line-ups that report every decision to an estimator, those of external players included."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents.external.chips import ChipPlayer, Turn, describe_turn, is_legal, meaning_of, raise_of
from agents.external.episodes import Lineup
from agents.policy.compiled_player import Player
from agents.policy.dispatch import notify_estimator
from agents.variance_reduction.aivat_recorder import record_probabilities
from nlhe_env.assessment.estimators.estimator import Estimator
from nlhe_env.envs.aec import raw_env
from nlhe_env.jit.array_types import F64
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import ILLEGAL

_ENOUGH = 1e-6
"""Largest deviation of a sum of chances from 1."""


class ObservedLineup(Lineup):
    """A line-up that reports every decision to an estimator.

    An external player may report its action probabilities by a method ``chances(turn)``: ``turn``
    is the argument of a ``ChipPlayer``, the answer is a chance for every action that it might take,
    ``{FOLD: 0.2, CHECK_OR_CALL: 0.5, 300: 0.3}``. It is asked before it decides.
    """

    def __init__(self, env: raw_env, players: Mapping[str, Player], estimator: Estimator) -> None:
        super().__init__(env, players)
        self._estimator = estimator

    def action(self) -> int:
        """The id of the action that the player to act chooses."""
        env, agent = self._env, self._env.agent_selection
        explained_by = (
            None if agent in self.compiled else getattr(self.players[agent], "chances", None)
        )
        probabilities = None if explained_by is None else self._probabilities(agent, explained_by)
        action_id = super().action()
        action = meaning_of(env, action_id)
        if action == ILLEGAL:  # the environment reports it
            return action_id
        remaining = action, *self._seats.for_kernels, self._estimator
        _notify(env.game_record, env.tables, env.players, *remaining)
        if probabilities is not None:
            _note(env.game_record, env.tables, action, *probabilities, self._estimator.state)
        return action_id

    def _probabilities(
        self, agent: str, explained_by: Callable[[Any], Mapping[int, float]]
    ) -> tuple[F64, F64]:
        """Answer of a player: by three classes, the chances and the chips of a raise."""
        player = self.players[agent]
        turn = describe_turn(self._env, self.history if isinstance(player, ChipPlayer) else None)
        return three_classes(explained_by(turn), turn, getattr(player, "name", agent))


def three_classes(probabilities: Mapping[int, float], turn: Turn, name: str) -> tuple[F64, F64]:
    """Chances to fold, to call and to raise, and the chips that a raise puts in on average.

    Args:
        probabilities: A chance for every action.
        turn: The decision.
        name: Name of the player.

    Raises:
        ValueError: They are no chances of legal actions.
    """
    values = list(probabilities.values())
    wrong = [action for action in probabilities if not is_legal(turn, action)]
    if (
        wrong
        or any(not math.isfinite(value) or value < 0 for value in values)
        or abs(sum(values) - 1) > _ENOUGH
    ):
        raise ValueError(
            f"chances of {name} must be those of legal actions and make 1 together; got "
            f"{dict(probabilities)}" + (f", where {wrong} are not legal" if wrong else "")
        )
    chances, amount = np.zeros(3), 0.0
    bet = turn["seats"][turn["seat"]]["bet"]
    for action, chance in probabilities.items():
        chances[min(action, 2)] += chance
        if action >= 2:
            amount += chance * (raise_of(turn, action) - bet)
    chips = np.zeros(3)
    if chances[2] > 0:
        chips[2] = amount / chances[2]
    return chances / chances.sum(), chips


@kernel
def _notify(game, tables, players, action, field, strength_tables, work, estimator):
    notify_estimator(game[0], tables, players, action, field, strength_tables, work, estimator)


@kernel
def _note(game, tables, action, chances, chips, state):
    record_probabilities(tables[game[0].table], action, chances, chips, state)
