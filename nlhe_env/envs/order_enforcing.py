"""The environment ``nlhe_env.env``, with checks of call order and actions.

PettingZoo's wrappers do the same at about 55 microseconds per step, several times the cost of a
step in this environment. Built in, the checks are nearly free.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from pettingzoo.utils.env import AECIterable, AECIterator

from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.agent_cycle import Seen
from nlhe_env.errors import IllegalActionError
from nlhe_env.game import scoring
from nlhe_env.jit.array_types import U8


class env(raw_env):  # noqa: N801  (PettingZoo's name for it)
    """No-Limit Texas Hold'em as a PettingZoo AEC environment.

    ===========  ==================================================================================
    Creation     ``nlhe_env.env()``, or ``pettingzoo.make("aec", "nlhe/NoLimitHoldem-v0")``
    Agents       ``player_0`` ... ``player_{n-1}``, in fixed seats (random at several tables)
    Actions      ``Discrete``, see ``actions`` below
    Observation  ``{"observation": float32 vector, "action_mask": int8 vector}``
    Reward       at the end of every hand, see ``reward`` below
    Episode      a tournament until one player has all chips, or some hands of a cash game
    ===========  ==================================================================================

    As with PettingZoo's wrapper, an illegal action ends the episode with a penalty: the player's
    stack at the start of the hand, or -1 with ``reward="place"``. Calls in the wrong order raise
    errors. In ``raw_env`` an illegal action raises ``IllegalActionError`` and leaves the state
    unchanged.

    Args:
        num_players: 2 or more. More than ``table_size`` players start a multi-table tournament.
        game: A ``Game``, which replaces ``reward`` (its ``score``) and ``rules``. Options that
            contradict it are errors.
        actions: Pot fractions such as ``(0.5, 1.0)``: 0 fold, 1 check or call, one raise per
            fraction of the pot after calling, and finally all-in. ``"chips"``: 0 fold, 1 check or
            call, n >= 2 raise to n. ``"sized"``: fold, call, small, medium or large raise, with the
            amount from the published bet-size rule. The mask excludes illegal and duplicate sizes.
        observation: ``"cards"``: all information available to a player
            (``nlhe_env.spaces.cards_observation``). ``"features"``: the 35 published inputs in raw
            chips; ``"features_scaled"``: the same, scaled; ``"features_opponents"``: with 40 action
            statistics of all players (``nlhe_env.spaces.features``). ``"features_unit"``: the same
            information in bounded inputs of order one (``nlhe_env.spaces.unit_features``).
            ``"features_core"``: ten numbers for small networks (``nlhe_env.spaces.core_features``).
            ``"features_cash"``: fourteen for cash games (``nlhe_env.spaces.cash_features``).
        reward: ``"chips"`` (the default without ``game``): net chips of the hand;
            ``"big_blinds"``: the same in big blinds of that hand; ``"place"`` (tournaments): once
            per player at the end, from 1 for first place to -1 for last place, with shared means
            for joint eliminations.
        infos: ``"flat"``: the facts of the turn as numbers, with the same keys for all agents and
            zeros for waiting agents, so that training libraries can stack them. ``"full"``: these
            facts with street, board and cards as text, and the result of the last hand; empty for
            agents that wait in their first hand. ``"none"``: empty and slightly faster.
        render_mode: ``"ansi"``: ``render()`` returns text; ``"rgb_array"``: an image; ``"human"``:
            a window shows every decision and the end of every hand.
        render_size: Width and height of the image or window in pixels.
        record: Target for finished hands: the path of a ``.phhs`` file (appended), a function, or a
            list (see ``nlhe_env.hand_history``).
        **rules: The fields of ``Game`` except its score, with the same defaults: ``mode``,
            ``starting_stack``, ``blinds``, ``betting`` and all others that ``Game`` describes.

    Raises:
        ValueError: An argument is out of range; the message gives its name and the allowed values.

    >>> poker = env(num_players=3, mode="cash")
    >>> poker.reset(seed=7)
    >>> observation, reward, termination, truncation, info = poker.last()
    >>> info["to_call"], info["min_raise_to"], info["max_raise_to"]
    (20, 40, 2000)

    Version history: v0, initial version.
    """

    _has_updated = False

    def begin_episode(
        self,
        seed: int,
        episode: int = 0,
        *,
        decisions: int | None = None,
        seating: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Start an episode by its number; see ``raw_env.begin_episode``."""
        self._has_updated = True
        super().begin_episode(seed, episode, decisions=decisions, seating=seating, options=options)

    def step(self, action: Any) -> None:
        """Execute the action of ``agent_selection``, or end the episode if it is illegal."""
        if not self._has_reset:
            raise RuntimeError("reset() must be called before step()")
        self._has_updated = True
        if not self.agents:
            warnings.warn("step() after the end of the episode; call reset()", stacklevel=2)
            return
        try:
            raw_env.step(self, action)  # each ``super()`` would take 3% of a step
        except IllegalActionError as error:
            warnings.warn(f"illegal action, the episode ends: {error.problem}", stacklevel=2)
            self.abort(self.agent_selection, illegal_action_reward(self, self.agent_selection))

    def render(self) -> str | U8 | None:
        """See ``raw_env.render``."""
        if not self._has_reset:
            raise RuntimeError("reset() must be called before render()")
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Seen, Any]:
        """Iterate over the agents to act; each iteration must call ``step()``."""
        if not self._has_reset:
            raise RuntimeError("reset() must be called before agent_iter()")
        return _Turns(self, max_iter)


class _SetByReset:
    """Attribute that ``observe`` needs: a check in every call would take 3% of a step."""

    def __get__(self, instance: object, owner: type) -> Any:
        raise RuntimeError("reset() must be called before observe()")


env._final_looks = _SetByReset()  # type: ignore[assignment]


def illegal_action_reward(game: raw_env, offender: str) -> float:
    """Penalty for an agent's illegal action, which ends the episode."""
    seat = game.players["seat"][game.possible_agents.index(offender)]
    return scoring.illegal_action_reward(game.game.score, game.table, seat)


class _Turns(AECIterable[str, Seen, Any]):
    def __iter__(self) -> _TurnIterator:
        return _TurnIterator(self.env, self.max_iter)


class _TurnIterator(AECIterator[str, Seen, Any]):
    def __next__(self) -> str:
        env = self.env
        if not env.agents or self.iters_til_term <= 0:
            raise StopIteration
        self.iters_til_term -= 1
        if not env._has_updated:
            raise RuntimeError("call step() or reset() in every turn of a loop over agent_iter()")
        env._has_updated = False
        agent: str = env.agent_selection
        return agent
