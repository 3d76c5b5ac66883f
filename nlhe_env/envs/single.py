"""The Gymnasium environment: a single agent at a table of opponents."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any, Literal, Self, get_args

import gymnasium
import numpy as np

from nlhe_env.arguments import action_id, check_names, one_of
from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.opponents import SeatedOpponents, provider
from nlhe_env.envs.order_enforcing import illegal_action_reward
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.description import Mode, show_options
from nlhe_env.jit.array_types import F32, U8, Bool
from nlhe_env.render.view import AVAILABLE_MODES, RenderMode

RANDOM = "random"
IllegalAction = Literal["penalty", "call", "raise"]
ILLEGAL_ACTIONS: tuple[IllegalAction, ...] = get_args(IllegalAction)

_CHECK_OR_CALL = 1  # id in every encoding; always legal

StepResult = tuple[F32, float, bool, bool, dict[str, Any]]


class NoLimitHoldemEnv(gymnasium.Env[F32, Any]):
    """Single-agent Gymnasium environment for No-Limit Texas Hold'em.

    =================  ===========================================================================
    Creation           ``gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller", "random"])``
    Action space       ``Discrete``, see ``actions`` of ``nlhe_env.env``
    Observation space  ``Box``, float32, see ``observation`` of ``nlhe_env.env``
    Info               ``action_mask`` (int8) and the plain facts of the learner's turn
    Reward             the learner's result since its last action
    Episode            one cash-game hand, or as set by ``mode`` and ``num_hands``
    =================  ===========================================================================

    Opponents act inside ``reset`` and ``step``, until the learner has to act or is done. The
    rewards of an episode sum to the learner's result; results before its first action are credited
    to that action. If an episode ends without a decision of the learner (all others folded to its
    big blind), one step remains: the mask allows only a check, any action counts as a check, and
    the step returns the reward and ends the episode.

    Args:
        opponents: A list of players, or one player for all opponent seats. A player is a name from
            ``agents.names()``, the path of a saved player, or an object with ``act(observation,
            info)``. Compiled players read the table directly. Objects get an observation dictionary
            with mask, in the learner's format, and the info of their turn.
        num_players: Number of players, including the learner; derived from a list of opponents,
            otherwise 6.
        learner: The learning agent, such as ``"player_0"``; opponents take the other seats in
            order. ``"random"`` chooses a new agent in every episode.
        illegal_action: ``"penalty"`` ends the episode with the penalty of ``nlhe_env.env``, the
            stack at the start of the hand (-1 with ``reward="place"``). ``"call"`` treats it as a
            check or call. ``"raise"`` raises ``IllegalActionError`` and leaves the state unchanged.
            In the first two cases the info contains ``illegal_action``.
        mode: As in ``nlhe_env.env``; default: ``"cash"``, in which one-hand episodes are
            independent.
        render_mode: ``"ansi"``: ``render()`` returns text; ``"rgb_array"``: an image; ``"human"``:
            a window shows every decision and the end of every hand.
        **arguments: All other arguments of ``nlhe_env.env``.

    Raises:
        ValueError: An argument is out of range, or an opponent is not a player.

    >>> env = NoLimitHoldemEnv(["caller", "random"], blinds=(10, 20))
    >>> observation, info = env.reset(seed=7)
    >>> info["to_call"], info["action_mask"]
    (20, array([1, 1, 1, 1, 1], dtype=int8))

    Version history: v0, initial version.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as Gymnasium declares it)
        "render_modes": list(AVAILABLE_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        opponents: Any = "random",
        *,
        num_players: int | None = None,
        learner: str = "player_0",
        illegal_action: IllegalAction = "penalty",
        mode: Mode | None = None,
        render_mode: RenderMode | None = None,
        **arguments: Any,
    ) -> None:
        self.illegal_action = one_of("illegal_action", illegal_action, ILLEGAL_ACTIONS)
        check_names(type(self).__name__, arguments, signature(NoLimitHoldemEnv).parameters)
        if mode is None and arguments.get("game") is None:
            mode = "cash"
        if mode is not None:
            arguments["mode"] = mode
        players = _count(opponents, num_players)
        self.aec_env = raw_env(players, render_mode=render_mode, **arguments)
        """The wrapped PettingZoo environment, with all players' cards."""
        names = self.aec_env.possible_agents
        self._draws_learner = one_of("learner", learner, (*names, RANDOM)) == RANDOM
        self.learner = names[0] if self._draws_learner else learner
        """The agent that learns in this episode."""
        self.opponents = _resolve(opponents, self.aec_env.num_players - 1)
        self._lineups: dict[str, SeatedOpponents] = {}  # by learner agent
        self.render_mode = render_mode
        # Every action of the opponents is needed for a window or recorded hands.
        self._shows_every_action = render_mode == "human" or self.aec_env.recorder is not None
        self.observation_space = self.aec_env.observation_space(names[0])["observation"]  # type: ignore[index]
        self.action_space = self.aec_env.action_space(names[0])

        self._is_over = True
        self._is_asked = False  # whether the learner has a decision
        self._owed = 0.0  # reward from before its first action
        self._mask = np.zeros(0, np.int8)
        self._last_hand: Any = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[F32, dict[str, Any]]:
        """Start a new episode and play up to the learner's first turn.

        Args:
            seed: The seed determines this and all further episodes, if Python opponents are
                deterministic. Without a seed, the next episode of the last seed starts.
            options: Options of the first hand, see ``nlhe_env.raw_env.reset``.

        Returns:
            Observation and info of the learner.
        """
        super().reset(seed=seed)
        self._is_over = True  # until the reset succeeds
        if self._draws_learner:
            names = self.aec_env.possible_agents
            self.learner = names[self.np_random.integers(len(names))]
        self.aec_env.reset(seed=seed, options=options)
        self._last_hand = None
        self._play_to_learner()
        observation, self._owed, terminated, truncated, info = self._turn()
        self._is_asked = not (terminated or truncated)
        self._is_over = False
        return observation, info

    def step(self, action: Any) -> StepResult:
        """Execute the learner's action and play up to its next turn.

        Args:
            action: An integer or a one-element integer array.

        Returns:
            Observation, reward, terminated (elimination, victory, or all hands played), truncated
            (hand limit of a tournament), info.

        Raises:
            IllegalActionError: The action is illegal and ``illegal_action="raise"``.
            TypeError: The action is not an integer, such as 1.0 or True; the state is unchanged.
            RuntimeError: The episode is over or not started, or an opponent has failed in it.
        """
        if self._is_over:
            raise RuntimeError("no episode is in progress; call reset()")
        number = action_id(action)
        illegal = self._act(number) if self._is_asked else None
        if illegal and self.illegal_action == "penalty":
            observation, _, terminated, truncated, info = self._turn()
            reward = illegal_action_reward(self.aec_env, self.learner)
            terminated = True
        else:
            self._is_over = True  # for good if an opponent fails
            self._play_to_learner()
            observation, reward, terminated, truncated, info = self._turn()
        if illegal:
            info["illegal_action"] = illegal
        if self._is_asked:
            reward += self._owed
            self._owed = 0.0
        self._is_over = terminated or truncated
        return observation, reward, terminated, truncated, info

    def _act(self, action: int) -> str | None:
        """Execute the learner's action; returns the problem of an illegal action, unless raised."""
        try:
            self.aec_env.step(action)
        except IllegalActionError as error:
            if self.illegal_action == "raise":
                raise
            if self.illegal_action == "call":
                self.aec_env.step(_CHECK_OR_CALL)
            return error.problem  # the caller decides about the state
        return None

    def _play_to_learner(self) -> None:
        """Let the opponents act until the learner's next turn or final step."""
        game = self.aec_env
        lineup = self._seated()
        while (agent := game.agent_selection) != self.learner:
            if game.terminations[agent] or game.truncations[agent]:
                game.step(None)
            elif agent in lineup.compiled and not self._shows_every_action:
                game.play_on(lineup.play_on)
            else:
                game.step(lineup.action())

    def _seated(self) -> SeatedOpponents:
        """The opponents around the learner of this episode."""
        if self.learner not in self._lineups:
            seats = zip(
                self.aec_env.possible_agents, self.players_around(self.learner), strict=True
            )
            players = {agent: player for agent, player in seats if player is not None}
            self._lineups[self.learner] = provider().lineup(self.aec_env, players)
        lineup = self._lineups[self.learner]
        lineup.sit_down()
        return lineup

    @property
    def possible_learners(self) -> list[str]:
        """The agents that can be chosen as the learner."""
        return self.aec_env.possible_agents[:] if self._draws_learner else [self.learner]

    def players_around(self, learner: str) -> list[Any]:
        """Players by agent number for this learner; None at the learner's own number."""
        players = list(self.opponents)
        players.insert(self.aec_env.possible_agents.index(learner), None)
        return players

    def _turn(self) -> StepResult:
        """``aec_env.last()`` in Gymnasium's format; each hand's result is returned only once."""
        seen, reward, terminated, truncated, facts = self.aec_env.last()
        observation: F32 = seen["observation"]
        self._mask = seen["action_mask"]
        info = {"action_mask": self._mask, **facts}
        hand = info.get("last_hand")
        if hand is self._last_hand:
            info.pop("last_hand", None)
        self._last_hand = hand
        if terminated or truncated:
            observation = observation.copy()  # the game keeps it for eliminated players
        return observation, float(reward), terminated, truncated, info

    def action_masks(self) -> Bool:
        """``(n_actions,)`` True where legal; the interface of sb3-contrib's ``MaskablePPO``."""
        return self._mask.astype(np.bool_)

    def render(self) -> str | U8 | None:
        """The table, with all players' cards; see ``nlhe_env.raw_env.render``."""
        return self.aec_env.render()

    def close(self) -> None:
        """Close the window of ``render_mode="human"``."""
        self.aec_env.close()

    def __repr__(self) -> str:
        return f"<nlhe_env.NoLimitHoldemEnv: {self.learner} learns in {self.aec_env!r}>"

    def _repr_png_(self) -> bytes | None:
        return self.aec_env._repr_png_()

    def __copy__(self) -> Self:
        """A deep copy, since a partial copy of a game is useless."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """State with the whole episode: a pickled or copied environment continues identically."""
        return {**self.__dict__, "_lineups": {}}  # recreated when needed


show_options(NoLimitHoldemEnv.__init__, signature(raw_env).parameters.values())


def _is_list(opponents: Any) -> bool:
    return isinstance(opponents, Sequence) and not isinstance(opponents, str)


def _count(opponents: Any, num_players: int | None) -> int:
    """Number of players at the table, including the learner."""
    if not _is_list(opponents):
        return 6 if num_players is None else num_players
    count = len(opponents) + 1
    if count == 1:
        raise ValueError("opponents must name at least one player; got an empty list")
    if num_players not in (None, count):
        raise ValueError(
            f"num_players must be {count}, the learner and {count - 1} opponents, or not be given; "
            f"got {num_players!r}"
        )
    return count


def _resolve(opponents: Any, count: int) -> list[Any]:
    """Opponents for all seats except the learner's."""
    if isinstance(opponents, Mapping):
        raise ValueError(f"opponents must be a list, or one player; got {opponents!r}")
    as_player = provider().as_player
    if _is_list(opponents):
        return [as_player(opponent) for opponent in opponents]
    return [as_player(opponents)] * count
