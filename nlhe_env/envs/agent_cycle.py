"""PettingZoo's agent-environment cycle: turns, rewards and terminations of any game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, overload

from pettingzoo import AECEnv

from nlhe_env.envs.info_dicts import Info

Seen = dict[str, Any]
"""The observation vector and the action mask of an agent."""


class AgentCycle(AECEnv[str, Seen, Any]):
    """Base class of turn-based environments; an agent that is out has one final step.

    Subclasses set ``agent_selection``, ``rewards``, ``terminations``, ``truncations`` and ``infos``
    in their ``step``.
    """

    def _begin_cycle(self, agents: Iterable[str]) -> None:
        """Start with these agents, with zero rewards and no terminations."""
        self.agents: list[str] = [*agents]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self._leaving: list[str] = []  # agents that are out and wait for their last turn
        self._next_to_act = ""
        self._rewards_are_zero = True
        self.agent_selection = self.agents[0]

    @overload
    def last(self, observe: Literal[True] = True) -> tuple[Seen, float, bool, bool, Info]: ...

    @overload
    def last(self, observe: bool) -> tuple[Seen | None, float, bool, bool, Info]: ...

    def last(self, observe: bool = True) -> tuple[Seen | None, float, bool, bool, Info]:
        """Observation, reward, termination, truncation and info of ``agent_selection``.

        The reward is the total since the agent's last action.
        """
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def abort(self, offender: str, reward: float) -> None:
        """End the episode for all agents, with a final reward for one of them."""
        self.rewards = dict.fromkeys(self.agents, 0)
        self.rewards[offender] = reward
        self._cumulative_rewards[offender] = 0
        self._accumulate_rewards()
        self._rewards_are_zero = False
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._leaving = self.agents[:]
        self._give_last_turns()

    def _reset_rewards(self) -> None:
        """Set the rewards of the last step to zero."""
        if not self._rewards_are_zero:
            self._clear_rewards()
            self._rewards_are_zero = True

    def _give_last_turns(self) -> None:
        """Insert the final steps of agents that are out before the next decision."""
        self._next_to_act = self.agent_selection
        self.agent_selection = self._leaving[0]

    def _take_last_turn(self, agent: str, action: Any) -> None:
        """Execute the final step of an agent that is out, and remove the agent."""
        if action is not None:
            raise ValueError(f"{agent} is out of the game: its only action is None; got {action!r}")
        for belongings in (
            self.rewards,
            self._cumulative_rewards,
            self.terminations,
            self.truncations,
            self.infos,
        ):
            del belongings[agent]
        self.agents.remove(agent)
        self._leaving.remove(agent)
        self._reset_rewards()
        if self._leaving:
            self.agent_selection = self._leaving[0]
        elif self.agents:
            self.agent_selection = self._next_to_act

    def _is_out(self, agent: str) -> bool:
        """Whether an agent is out or already removed."""
        return self.terminations.get(agent, True) or self.truncations[agent]

    def _is_over(self) -> bool:
        """Whether all remaining agents are out."""
        return all(self.terminations.values()) or all(self.truncations.values())


class _SetByReset:
    """Attribute set by ``reset``; earlier access raises an explanatory error.

    A ``__getattr__`` of the class would slow down every attribute access.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        raise AttributeError(
            f"{self._name} cannot be accessed before reset: call reset() before last() and step()"
        )


for _name in ("agents", "rewards", "terminations", "truncations", "infos", "agent_selection"):
    setattr(AgentCycle, _name, _SetByReset(_name))
