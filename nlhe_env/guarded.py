"""The environment that ``nlhe_env.env`` gives: mistakes of its caller are caught."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo.utils.env import AECIterable, AECIterator
from pettingzoo.utils.env_logger import EnvLogger

from nlhe_env.aec import Observation, raw_env
from nlhe_env.errors import IllegalActionError


class GuardedEnv(raw_env):
    """The environment as ``env()`` gives it: an illegal action ends the episode, order is enforced.

    PettingZoo's stock wrappers do the same; built in, the checks cost next to nothing.
    """

    _has_updated = False

    def __getattr__(self, name: str) -> Any:
        if name in {"agents", "rewards", "terminations", "truncations", "infos", "agent_selection"}:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        self._has_updated = True
        super().reset(seed, options)

    def step(self, action: int | None) -> None:
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        try:
            super().step(action)
        except IllegalActionError as error:
            EnvLogger.warn(f"[ILLEGAL ACTION] {error}. The episode ends")
            self._end_with_penalty()

    def _end_with_penalty(self) -> None:
        offender = self.agent_selection
        self.rewards = dict.fromkeys(self.agents, 0)
        self.rewards[offender] = self._penalty(offender)
        self._cumulative_rewards[offender] = 0
        self._accumulate_rewards()
        self._rewards_are_zero = False
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def _penalty(self, offender: str) -> float:
        """The stack that the offender began the hand with, or the last place."""
        if self.reward_kind == "place":
            return -1.0
        table = self.table
        seat = self._arrays.players["seat"][self._number_of[offender]]
        chips = -int(table["starting_stack"][seat])
        return chips / int(table["big_blind"]) if self.reward_kind == "big_blinds" else chips

    def observe(self, agent: str) -> Observation:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def render(self) -> str | None:
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:  # type: ignore[type-arg]
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _OrderedIterable(self, max_iter)


class _OrderedIterable(AECIterable):  # type: ignore[type-arg]
    def __iter__(self) -> AECIterator:  # type: ignore[type-arg]
        return _OrderedIterator(self.env, self.max_iter)


class _OrderedIterator(AECIterator):  # type: ignore[type-arg]
    def __next__(self) -> str:
        agent: str = super().__next__()
        if not self.env._has_updated:
            raise RuntimeError("call step() or reset() in every turn of a loop over agent_iter()")
        self.env._has_updated = False
        return agent
