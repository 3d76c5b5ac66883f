"""The Gymnasium environment: one learner at a table of built-in or given opponents."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any, Literal, Self, get_args

import gymnasium
import numpy as np

from nlhe_env.arguments import action_id, check_names, one_of
from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.opponents import LineUp, provider
from nlhe_env.envs.order_enforcing import illegal_action_reward
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.description import Mode
from nlhe_env.jit.array_types import F32, U8, Bool
from nlhe_env.render.view import AVAILABLE_MODES, RenderMode

RANDOM = "random"
IllegalAction = Literal["penalty", "call", "raise"]
ILLEGAL_ACTIONS: tuple[IllegalAction, ...] = get_args(IllegalAction)

_CHECK_OR_CALL = 1  # the id in every encoding; always legal

StepResult = tuple[F32, float, bool, bool, dict[str, Any]]


class NoLimitHoldemEnv(gymnasium.Env[F32, Any]):
    """No-Limit Texas Hold'em for one learner as a Gymnasium environment.

    =================  ===========================================================================
    Creation           ``gymnasium.make("nlhe/NoLimitHoldem-v0", opponents=["caller", "random"])``
    Action space       ``Discrete``, see ``actions`` of ``nlhe_env.env``
    Observation space  ``Box``, float32, see ``observation`` of ``nlhe_env.env``
    Info               ``action_mask`` (int8) and the plain facts of the learner's turn
    Reward             what the learner won or lost since its last action
    Episode            a hand of a cash game, unless ``mode`` and ``num_hands`` say otherwise
    =================  ===========================================================================

    The opponents act inside ``reset`` and ``step``, until the learner is to act or is done. The sum
    of the rewards of an episode is what the learner won in it: what happened before its first
    action counts towards the reward of that action. When the episode ends without asking the
    learner (all others folded to its big blind), one step is left: the mask allows only a check,
    any action counts as one, and the step returns the reward and ends the episode.

    Args:
        opponents: A list of players, or one that takes every seat but the learner's. A player is a
            name of ``agents.names()``, the path of a saved player, or an object with
            ``act(observation, info)``. Compiled players look at the table itself; other objects get
            the observation (a dictionary with the mask) and the info of their own turn, in the
            kind of observation that the learner has.
        num_players: Learner included. Follows from a list of opponents; 6 with a single one.
        learner: The agent that learns, such as ``"player_0"``; the others take the other seats in
            order. ``"random"``: drawn anew for every episode.
        illegal_action: ``"penalty"``: an illegal action ends the episode and costs what it costs in
            ``nlhe_env.env``, the stack at the start of the hand (-1 with ``reward="place"``).
            ``"call"``: it counts as a check or call. ``"raise"``: ``IllegalActionError``, with the
            state untouched. In the first two cases the info says ``illegal_action``.
        mode: As in ``nlhe_env.env``, but a cash game when not given: its hands are independent of
            each other, so that an episode of one hand leaves no reward to later ones.
        render_mode: ``"ansi"``: ``render()`` returns text; ``"rgb_array"``: a picture;
            ``"human"``: a window shows every decision and the end of every hand.
        **arguments: All others of ``nlhe_env.env``.

    Raises:
        ValueError: An argument is out of range, or an opponent is no player.

    >>> env = NoLimitHoldemEnv(["caller", "random"], blinds=(10, 20))
    >>> observation, info = env.reset(seed=7)
    >>> info["to_call"], info["action_mask"]
    (20, array([1, 1, 1, 1, 1], dtype=int8))

    Version history: v0, the first.
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
        known = {**signature(raw_env).parameters, **signature(NoLimitHoldemEnv).parameters}
        check_names(type(self).__name__, arguments, known)
        game = arguments.get("game")
        if mode is None and game is None:
            mode = "cash"
        if mode is not None and game is not None and mode != game.mode:
            raise ValueError(f"mode must be that of the game, {game.mode!r}; got {mode!r}")
        if mode is not None:
            arguments["mode"] = mode
        players = _count(opponents, num_players)
        self.aec_env = raw_env(players, render_mode=render_mode, **arguments)
        """The PettingZoo environment inside, with all players' cards."""
        names = self.aec_env.possible_agents
        self._draws_learner = one_of("learner", learner, (*names, RANDOM)) == RANDOM
        self.learner = names[0] if self._draws_learner else learner
        """The agent that learns in this episode."""
        self.opponents = _resolve(opponents, self.aec_env.num_players - 1)
        self._lineups: dict[str, LineUp] = {}  # for every agent that the learner has been
        self.render_mode = render_mode
        self.observation_space = self.aec_env.observation_space(names[0])["observation"]  # type: ignore[index]
        self.action_space = self.aec_env.action_space(names[0])

        self._is_over = True
        self._is_asked = False  # whether the learner has something to decide
        self._owed = 0.0  # reward from before its first action
        self._mask = np.zeros(0, np.int8)
        self._last_hand: Any = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[F32, dict[str, Any]]:
        """Start a new episode and play up to the learner's first turn.

        Args:
            seed: The same seed gives the same episodes from here on, if opponents that are not
                compiled are deterministic. Without one the next episode of the last seed begins.
            options: Options of the first hand, see ``nlhe_env.raw_env.reset``.

        Returns:
            Observation and info of the learner.
        """
        super().reset(seed=seed)
        self._is_over = True  # until all went well
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
        """Take the learner's action and play up to its next turn.

        Args:
            action: A whole number, or an array of a single one.

        Returns:
            Observation, reward, terminated (the learner is out or has won, or all hands are
            played), truncated (a tournament has reached its limit of hands), info.

        Raises:
            IllegalActionError: The action is illegal and ``illegal_action="raise"``.
            TypeError: The action is no whole number, such as 1.0 or True; nothing has changed.
            RuntimeError: The episode is over, or has not begun.
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
        """Do the learner's action; the problem if it was illegal and is not to be raised."""
        try:
            self.aec_env.step(action)
        except IllegalActionError as error:
            if self.illegal_action == "raise":
                raise
            if self.illegal_action == "call":
                self.aec_env.step(_CHECK_OR_CALL)
            return error.problem  # what becomes of the state is not up to the game
        return None

    def _play_to_learner(self) -> None:
        """Let the others act until it is the learner's turn, which may be its last."""
        game = self.aec_env
        lineup = self._seated()
        while (agent := game.agent_selection) != self.learner:
            if game.terminations[agent] or game.truncations[agent]:
                game.step(None)
            elif agent in lineup.compiled and not self._shows_every_action:
                game.play_on(lineup.play_on)
            else:
                game.step(lineup.action())

    @property
    def _shows_every_action(self) -> bool:
        """Whether every action of the opponents is needed: for a window or recorded hands."""
        return self.render_mode == "human" or self.aec_env.record is not None

    def _seated(self) -> LineUp:
        """The opponents around the learner of this episode."""
        if self.learner not in self._lineups:
            seats = zip(
                self.aec_env.possible_agents, self.players_around(self.learner), strict=True
            )
            players = {agent: player for agent, player in seats if player is not None}
            self._lineups[self.learner] = provider().line_up(self.aec_env, players)
        lineup = self._lineups[self.learner]
        lineup.sit_down()
        return lineup

    @property
    def possible_learners(self) -> list[str]:
        """The agents that can be the learner of an episode."""
        return self.aec_env.possible_agents[:] if self._draws_learner else [self.learner]

    def players_around(self, learner: str) -> list[Any]:
        """The players by agent number when this agent learns; None in its own place."""
        players = list(self.opponents)
        players.insert(self.aec_env.possible_agents.index(learner), None)
        return players

    def _turn(self) -> StepResult:
        """Values of ``aec_env.last()`` in Gymnasium's form; a hand's result comes only once."""
        seen, reward, terminated, truncated, facts = self.aec_env.last()
        observation: F32 = seen["observation"]
        self._mask = seen["action_mask"]
        info = {"action_mask": self._mask, **facts}
        hand = info.get("last_hand")
        if hand is self._last_hand:
            info.pop("last_hand", None)
        self._last_hand = hand
        if terminated or truncated:
            observation = observation.copy()  # the game keeps the last look of those who are out
        return observation, float(reward), terminated, truncated, info

    def action_masks(self) -> Bool:
        """``(n_actions,)`` True where legal; sb3-contrib's ``MaskablePPO`` asks for it."""
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
        """A copy that shares nothing; half a game would be of no use."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """State with the whole episode: a pickled or copied environment plays on identically."""
        return {**self.__dict__, "_lineups": {}}  # made again where needed


def _is_list(opponents: Any) -> bool:
    return isinstance(opponents, Sequence) and not isinstance(opponents, str)


def _count(opponents: Any, num_players: int | None) -> int:
    """Players at the table, the learner included."""
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
    """A player for every seat but the learner's."""
    if isinstance(opponents, Mapping):
        raise ValueError(f"opponents must be a list, or one player; got {opponents!r}")
    as_player = provider().as_player
    if _is_list(opponents):
        return [as_player(opponent) for opponent in opponents]
    return [as_player(opponents)] * count
