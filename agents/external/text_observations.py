"""PettingZoo wrapper with text observations, for language models."""

from __future__ import annotations

import string
from typing import Any

from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseWrapper

from agents.external.chips import describe_turn
from agents.external.hooks import HandFollower
from agents.external.turn_text import LONGEST_TEXT, rules_text, turn_text
from nlhe_env.envs.aec import raw_env


class TextObservations(BaseWrapper[str, dict[str, Any], Any]):
    """Wrapper that replaces the observation vector with the turn as text; the action mask remains.

    The text is that of chat players, see ``turn_text``. It is empty for an agent that is not to
    act.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``. With ``actions="chips"``, an action is the
            amount to raise to.
        rules: Whether every text begins with the rules.

    Raises:
        ValueError: ``env`` is not an environment of ``nlhe_env``.

    >>> import nlhe_env
    >>> env = TextObservations(nlhe_env.env(num_players=2, mode="cash", actions="chips"))
    >>> env.reset(seed=7)
    >>> env.last()[0]["observation"].splitlines()[0]
    'Hand 1, preflop. Blinds 10/20.'
    """

    def __init__(self, env: Any, *, rules: bool = False) -> None:
        super().__init__(env)
        game = env.unwrapped
        if not isinstance(game, raw_env):
            raise ValueError(f"TextObservations needs an environment of nlhe_env; got {env!r}")
        self._game = game
        self._rules = rules_text(game.game.betting, game.game.mode) + "\n\n" if rules else ""
        text = spaces.Text(LONGEST_TEXT, min_length=0, charset=string.printable)
        self._spaces = {
            agent: spaces.Dict(
                {"observation": text, "action_mask": env.observation_space(agent)["action_mask"]}
            )
            for agent in env.possible_agents
        }
        self._follower: HandFollower | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """``{"observation": Text, "action_mask": ...}``."""
        return self._spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The turn as text, and the action mask."""
        text = ""
        if agent == self._game.agent_selection and self._is_asked and self._follower is not None:
            text = self._rules + turn_text(describe_turn(self._game, self._follower.history))
        return {**(self.env.observe(agent) or {}), "observation": text}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See ``raw_env.reset``."""
        self.env.reset(seed=seed, options=options)
        self._follower = HandFollower(self._game, dict.fromkeys(self._game.possible_agents))
        self._look()

    def step(self, action: Any) -> None:
        """See ``raw_env.step``."""
        if self._is_asked and self._follower is not None:
            self._follower.before_step(action)
        self.env.step(action)
        self._look()

    @property
    def _is_asked(self) -> bool:
        """Whether an agent is to act and has not terminated."""
        game, agent = self._game, self._game.agent_selection
        return bool(game.agents) and not (game.terminations[agent] or game.truncations[agent])

    def _look(self) -> None:
        """Start the history of a new hand."""
        if self._is_asked and self._follower is not None:
            self._follower.before_decision()
