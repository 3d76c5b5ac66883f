"""Adapter for players that declare their own observation and action encoding.

A player may have the attributes ``observation``, the name of an observation, and ``actions``, with
values as for ``nlhe_env.env``; a list or array must contain a float. In an environment with other
values, the player still gets its own observation and mask, and its answer is translated: a raise
becomes the nearest one with an id in the environment.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from agents.external.chips import id_of, whole_or_illegal
from agents.policy.compiled_player import Player
from nlhe_env.arguments import shown
from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.step_kernels import action_of
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.table import TableRecords
from nlhe_env.jit.array_types import F64, I8, Int, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import actions
from nlhe_env.spaces.actions import ILLEGAL, SIZED, ActionEncoding
from nlhe_env.spaces.observations import find_observation


class SpaceAdapter:
    """Adapter between a player's observation and action encoding and the environment's.

    Args:
        env: The environment.
        observation: Name of the player's observation; ``None`` for the environment's.
        encoding: The player's action encoding; ``None`` for the environment's.

    Raises:
        ValueError: The observation is unknown, or the environment draws the amounts itself.
    """

    def __init__(
        self, env: raw_env, observation: str | None, encoding: ActionEncoding | None
    ) -> None:
        self._env = env
        self._observation = None if observation is None else find_observation(observation)
        self._encoding = encoding or env.encoding
        if env.encoding.kind == SIZED and self._encoding != env.encoding:
            raise ValueError(
                'the environment has actions="sized" and draws the amounts itself; the player '
                "names them: use actions in chips or pot fractions"
            )
        self._fractions = self._encoding.fractions_array()
        self._mask = np.zeros(self._encoding.size(sum(env.stacks)), np.int8)

    @classmethod
    def of(cls, player: Player, env: raw_env) -> SpaceAdapter | None:
        """Adapter of a player; ``None`` if it declares nothing different from the environment.

        Raises:
            ValueError: The player's values are invalid in this environment.
        """
        observation = getattr(player, "observation", getattr(player, "inputs", None))
        if not isinstance(observation, str) or observation == env.observation.name:
            observation = None
        encoding = _wished_encoding(getattr(player, "actions", None))
        if observation is None and encoding in (None, env.encoding):
            return None
        return cls(env, observation, encoding)

    def ask(self, player: Player) -> int:
        """Environment's id of the action chosen by the player to act.

        Raises:
            IllegalActionError: The chosen action is illegal.
        """
        env, encoding = self._env, self._encoding
        agent = env.agent_selection
        number = env.possible_agents.index(agent)
        _write_mask(env.game_record, env.tables, encoding.kind, self._fractions, self._mask)
        seen = {
            "observation": env.vector(number, self._observation),
            "action_mask": self._mask.copy(),
        }
        chosen: Any = player.act(seen, env.full_info())
        action: Int
        action, number = ILLEGAL, whole_or_illegal(chosen)
        if 0 <= number < len(self._mask):
            action = action_of(env.game_record, env.tables, encoding.kind, self._fractions, number)
        if action == ILLEGAL:
            legal = ", ".join(map(str, np.flatnonzero(self._mask)[:20]))
            raise IllegalActionError(
                f"{getattr(player, 'name', agent)} returned {shown(chosen)}; expected one of the "
                f"ids {legal}"
            )
        return int(id_of(env.game_record, env.tables, env.encoding.kind, env.fractions, action))


def _wished_encoding(wished: Any) -> ActionEncoding | None:
    """Encoding declared by a player's attribute ``actions``; ``None`` if it declares none."""
    if not isinstance(wished, (str, tuple)):
        # A list of integers, or an empty one, may be the player's record of its chosen ids.
        if not isinstance(wished, Collection):
            return None
        if not any(isinstance(each, (float, np.floating)) for each in wished):
            return None
    return ActionEncoding.of(wished)


@kernel
def _write_mask(
    game: Records, tables: TableRecords, encoding: Int, fractions: F64, mask: I8
) -> None:
    """Write the mask of the player to act."""
    actions.write_mask(tables[game[0].table], encoding, fractions, mask)
