"""The PettingZoo AEC environment for No-Limit Texas Hold'em."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np
from gymnasium import spaces

from nlhe_env.arguments import action_id, one_of
from nlhe_env.envs.agent_cycle import AgentCycle, Seen
from nlhe_env.envs.checksums import checksum
from nlhe_env.envs.decision_facts import PLAYER, explain_illegal
from nlhe_env.envs.game_state import EventObserver, GameState
from nlhe_env.envs.info_dicts import INFO_KINDS, Info, InfoKind, turn_info, waiting_info
from nlhe_env.envs.reset_options import read_options
from nlhe_env.errors import IllegalActionError
from nlhe_env.game import what_if
from nlhe_env.game.description import Game, GameArrays, GameRules, read_game, takes_rules
from nlhe_env.game.hand_result import read_big_blind, read_hand
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.scoring import BY_PLACE, IN_CHIPS, SCORES, Score, hand_reward, place_reward
from nlhe_env.game.table import NO_PLAYER, STREET_NAMES
from nlhe_env.game.tournament import DECISION, HAND_OVER, ROUND_OVER
from nlhe_env.hand_history.record import Hand, hand_of
from nlhe_env.hand_history.recording import Record, check_recorded, hand_sink, note_action
from nlhe_env.jit.array_types import F32, I8, I64, U8, AnyArray, Records
from nlhe_env.render.scene import SIZE
from nlhe_env.render.view import AVAILABLE_MODES, RenderMode, TableView
from nlhe_env.spaces.actions import ILLEGAL, ActionEncoding
from nlhe_env.spaces.observation import Observation, Part
from nlhe_env.spaces.observations import find_observation


class TurnsOnly(int):
    """False value for ``is_parallelizable`` that raises an explanation when tested.

    PettingZoo's own message advises setting the key to True.
    """

    def __new__(cls) -> TurnsOnly:
        """The single value, 0."""
        return super().__new__(cls, 0)

    def __bool__(self) -> bool:
        """False.

        Raises:
            ValueError: An environment is being converted to a parallel one.
        """
        if sys._getframe(1).f_globals.get("__name__") == "pettingzoo.utils.conversions":
            raise ValueError(f"this environment cannot be converted to a parallel one: {REASON}")
        return False

    def __reduce__(self) -> tuple[type[TurnsOnly], tuple[()]]:
        return TurnsOnly, ()


class raw_env(AgentCycle):  # noqa: N801  (PettingZoo's name)
    """The environment without guard wrappers: illegal actions raise ``IllegalActionError``.

    See ``nlhe_env.env`` for the arguments.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as PettingZoo declares it)
        "render_modes": list(AVAILABLE_MODES),
        "name": "nlhe_no_limit_holdem_v0",
        "is_parallelizable": TurnsOnly(),
        "render_fps": 2,
    }

    @takes_rules
    def __init__(
        self,
        num_players: int = 6,
        *,
        game: Game | None = None,
        actions: Literal["chips", "sized"] | Iterable[float] = (0.5, 1.0),
        observation: str = "cards",
        reward: Score | None = None,
        infos: InfoKind = "flat",
        render_mode: RenderMode | None = None,
        render_size: Sequence[int] = SIZE,
        record: Record | None = None,
        **rules: Unpack[GameRules],
    ) -> None:
        self.game = read_game(game, reward, **rules)
        """The game of the environment."""
        self.stacks = self.game.stacks(num_players)
        """Chips of every player at the start."""
        self.num_players = len(self.stacks)
        self.possible_agents = [f"player_{i}" for i in range(self.num_players)]
        self.names: Sequence[str] = self.possible_agents
        """Names of the players in recorded hands."""
        self.encoding = ActionEncoding.of(actions)
        self.observation = find_observation(observation)
        """The observation of the agents."""
        self.game_state = GameState(self.game, self.num_players, self.encoding, self._mask_size())
        """The arrays of the game, and how they change."""
        self.fractions = self.game_state.fractions
        """Pot fractions of the raises, in the format of kernels."""
        self.recorder = None if record is None else HandRecorder(self.game, record)
        """Recorder of the hands; None without recording."""
        self.render_mode = render_mode
        self.renderer = TableView(
            render_mode, render_size, self.possible_agents, fps=self.metadata["render_fps"]
        )
        """View of the table for ``render_mode``."""
        self.info_kind = one_of("infos", infos, INFO_KINDS)
        self._score = SCORES.index(self.game.score)
        self._number_of = {agent: i for i, agent in enumerate(self.possible_agents)}
        self._n_actions = self._mask_size()
        self._has_reset = False
        self._make_spaces()

        self._shown = {self.observation.name: self.observation}
        self._seed: int | None = None
        self._episode = 0

    # --- the parts of the environment -------------------------------------------------------------

    @property
    def game_record(self) -> Records:
        """The record of the whole game, ``(1,)`` of dtype ``nlhe_env.game.tournament.GAME``."""
        return self.game_state.arrays.game

    @property
    def tables(self) -> Records:
        """All tables, ``(n_tables,)`` of dtype ``nlhe_env.game.table.TABLE``."""
        return self.game_state.arrays.tables

    @property
    def players(self) -> Records:
        """All players' records, ``(n_players,)`` of dtype ``nlhe_env.game.player.PLAYER``."""
        return self.game_state.arrays.players

    @property
    def table(self) -> np.void:
        """The record of the current table, with all cards; use ``.copy()`` to keep it."""
        return self.game_state.table

    @property
    def listener(self) -> EventObserver | None:
        """Observer that advances the game instead of the environment, or None."""
        return self.game_state.listener

    @listener.setter
    def listener(self, observer: EventObserver | None) -> None:
        self.game_state.listener = observer

    @property
    def record(self) -> Callable[[Hand], Any] | None:
        """Callback for every finished hand, or None."""
        return None if self.recorder is None else self.recorder.sink

    # --- spaces -----------------------------------------------------------------------------------

    def _mask_size(self) -> int:
        """Number of actions in the mask."""
        return self.encoding.size(sum(self.stacks))

    def _make_spaces(self) -> None:
        box = spaces.Box(*self.observation.bounds(self.game, self.num_players), dtype=np.float32)
        mask = spaces.Box(0, 1, (self._n_actions,), np.int8)
        both: dict[str, spaces.Space[Any]] = {"observation": box, "action_mask": mask}
        self.observation_spaces = {agent: spaces.Dict(both) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self._n_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of ``observe(agent)``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of action ids."""
        return self.action_spaces[agent]

    # --- the game ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new episode.

        Args:
            seed: Integer from 0 to 2**64 - 1, which determines cards, seats and buttons. Without a
                seed, the next episode of the last seed starts (at first, of a random seed).
            options: Options of the first hand: ``"button"`` (seat), ``"stacks"`` (list),
                ``"hole_cards"`` (``{"player_0": "AsKd"}``), ``"board"`` (text of up to five cards)
                and, with ``boards=2``, ``"second_board"`` (which may repeat the cards that both
                boards share).

        Raises:
            ValueError: The seed or an option is invalid.
        """
        if seed is not None or self._seed is None:
            self.begin_episode(make_seed(seed), options=options)
        else:
            self.begin_episode(self._seed, self._episode + 1, options=options)

    def begin_episode(
        self,
        seed: int,
        episode: int = 0,
        *,
        decisions: int | None = None,
        seating: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Start an episode by its number; subclasses override this method to change resets.

        Args:
            seed: See ``reset``.
            episode: Number of further resets after ``reset(seed)`` that lead to this episode.
            decisions: Number of the players' random streams under the seed; default: ``episode``.
            seating: See ``nlhe_env.game.tournament.start_game``; default: in order at a single
                table, random at several tables.
            options: See ``reset``.

        Raises:
            ValueError: An option is invalid.
        """
        first_hand = read_options(self.game, {} if options is None else options, self._number_of)
        self._seed, self._episode = seed, episode
        self.game_state.start(seed, episode, decisions, seating, first_hand)
        if self.recorder is not None:
            self.recorder.begin_hand()

        self._has_reset = True
        self._begin_cycle(self.possible_agents)
        self.infos = {agent: waiting_info(self.info_kind) for agent in self.agents}
        self._quiet_infos = self.infos.copy()
        self._last_hands: dict[str, I64] = {}  # their numbers
        self._places: dict[str, float] = {}
        self._final_looks: dict[str, dict[str, F32]] = {}  # by agent and observation
        self._follow(self.game_state.advance())

    def step(self, action: Any) -> None:
        """Execute the action of ``agent_selection``; ``None`` for an agent that is out.

        Args:
            action: An integer or a one-element integer array.

        Raises:
            IllegalActionError: The action is illegal; the state is unchanged.
            TypeError: It is not an integer, such as 1.0 or True; the state is unchanged.
            RuntimeError: The episode is over.
        """
        agent = self.agent_selection
        try:
            is_out = self.terminations[agent] or self.truncations[agent]
        except KeyError:
            raise RuntimeError("the episode is over; call reset()") from None
        if is_out:
            self._take_last_turn(agent, action)
            return
        number = action if type(action) is int else action_id(action)
        event = ILLEGAL
        if 0 <= number < self._n_actions:
            if self.recorder is not None:
                self.recorder.note(self.table, self.game_state.action_of(number))
            event = self.game_state.do(number)
        if event == ILLEGAL:
            facts, mask = self.game_state.facts.tolist(), self.game_state.mask
            why = explain_illegal(number, self.encoding, facts, mask, name="action", player=agent)
            raise IllegalActionError(why, "The state is unchanged")
        self._cumulative_rewards[agent] = 0
        self._follow(event)

    def play_on(self, act: Callable[[GameArrays, I8, I64], int]) -> None:
        """Let a kernel act instead of ``step``, any number of times, without recording.

        Args:
            act: Function of the game arrays, the mask and the decision facts. It acts, fills mask
                and facts like ``step_kernels.advance``, and returns the last event.
        """
        if self.recorder is not None:
            self.recorder.lose_track()
        state = self.game_state
        event = state.with_hand(act(state.arrays, state.mask, state.facts))
        if event == ILLEGAL:  # the caller's mistake; avoid an endless loop
            raise IllegalActionError(f"a kernel acted illegally at {self.table}")
        self._follow(event)

    def _follow(self, event: int) -> None:
        """Process events of an action, up to the next decision or the end of the episode."""
        if not self._rewards_are_zero:
            self._reset_rewards()
        agent = self.agent_selection
        self.infos[agent] = self._quiet_infos[agent]
        self._hands_over: list[I64] = []  # their numbers
        while event != DECISION:
            if event == HAND_OVER:
                self._take_in_hand()
            elif event == ROUND_OVER:
                self._take_in_places()
            else:
                self._end_episode()
                break
            event = self.game_state.advance()
        else:
            facts = self.game_state.facts.tolist()
            agent = self.possible_agents[facts[PLAYER]]
            self.agent_selection = agent
            if self.info_kind != "none":
                self.infos[agent] = turn_info(self.info_kind, facts, self._quiet_infos[agent])
            if self.render_mode == "human":
                self.renderer.render(self.table)
        if not self._rewards_are_zero:
            self._accumulate_rewards()
        if self._leaving:
            self._give_last_turns()

    def _take_in_hand(self) -> None:
        """Set rewards and infos of the players after a paid hand."""
        if self.render_mode == "human":
            self.renderer.render(self.table)
        self.after_hand()
        state = self.game_state
        numbers = state.hand_numbers.copy()
        self._hands_over.append(numbers)
        info, score = None, self._score
        if self.info_kind == "full":
            info = {"last_hand": read_hand(numbers, self.possible_agents)}
        for player, net, stack in state.seat_rows.tolist():
            if player == NO_PLAYER:
                continue
            agent = self.possible_agents[player]
            self.rewards[agent] += (
                net if score == IN_CHIPS else hand_reward(score, net, read_big_blind(numbers))
            )
            self._last_hands[agent] = numbers
            if info is not None:
                self.infos[agent] = self._quiet_infos[agent] = info
            if stack == 0 and not self.game.is_cash:
                # The seat is freed or taken before this player's last observation.
                self._final_looks[agent] = {
                    name: state.vector(player, seen) for name, seen in self._shown.items()
                }
        self._rewards_are_zero = False

    def after_hand(self) -> None:
        """Record a paid hand from its table, before the next hand."""
        if self.recorder is not None:
            self.recorder.end_hand(self.table, self.names)

    def _take_in_places(self) -> None:
        """Eliminate the players without chips after a round of a tournament."""
        for agent in list(self._final_looks):
            if agent in self.terminations and not self.terminations[agent]:
                self._finish(agent)

    def _finish(self, agent: str) -> None:
        """Terminate an agent after its elimination or victory."""
        place = float(self.players["place"][self._number_of[agent]])
        self.terminations[agent] = True
        self._leaving.append(agent)
        self._places[agent] = place
        if self.info_kind != "none":
            info = {**self._quiet_infos[agent], "place": place}
            self.infos[agent] = self._quiet_infos[agent] = info
        if self._score == BY_PLACE:
            self.rewards[agent] += place_reward(self._score, place, self.num_players)
            self._rewards_are_zero = False

    def _end_episode(self) -> None:
        """Finish the remaining agents: the winner, or all agents at the hand limit."""
        truncated = not self.game.is_cash and bool(self.game_record["live"][0] > 1)
        for agent in self.agents:
            if self.terminations[agent]:
                continue
            if self.game.is_cash:
                self.terminations[agent] = True
                self._leaving.append(agent)
            else:
                self._finish(agent)
                self.terminations[agent] = not truncated
                self.truncations[agent] = truncated

    # --- looking ----------------------------------------------------------------------------------

    @property
    def hands_over(self) -> list[Info]:
        """Results of the hands finished by the last action, in the format of ``last_hand``."""
        return [read_hand(numbers, self.possible_agents) for numbers in self._hands_over]

    def full_info(self, agent: str | None = None) -> Info:
        """The full info of an agent, as with ``infos="full"``.

        Args:
            agent: Default: the agent to act, even at its final step.
        """
        agent = agent or self.agent_selection
        numbers = self._last_hands.get(agent)
        last_hand = None if numbers is None else read_hand(numbers, self.possible_agents)
        waiting = waiting_info("full", last_hand, self._places.get(agent))
        if agent != self.possible_agents[self.game_state.facts[PLAYER]] or self._is_out(agent):
            return waiting
        return turn_info("full", self.game_state.facts.tolist(), waiting)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Descriptions of the observation's fields, in order."""
        return self.observation.parts(self.game, self.num_players)

    def vector(self, player: int, observation: Observation | None = None) -> F32:
        """``(size,)`` float32: current observation of a player, given by number.

        Args:
            player: Number of the player.
            observation: Any observation format; default: that of the environment.
        """
        return self.game_state.vector(player, observation or self.observation)

    def observe(self, agent: str) -> Seen:
        """``{"observation": float32 vector, "action_mask": int8 vector}`` of an agent."""
        if agent in self._final_looks:
            vector = self._final_looks[agent][self.observation.name]
        else:
            vector = self.game_state.vector(self._number_of[agent], self.observation)
        return {"observation": vector, "action_mask": self.action_mask(agent)}

    def also_show(self, observation: Observation) -> None:
        """Allow another observation format in ``observe_as``, from the next episode on."""
        self._shown[observation.name] = observation

    def observe_as(self, agent: str, observation: Observation) -> F32:
        """``(size,)`` float32: current observation of an agent, or its last one if it is out."""
        if agent in self._final_looks:
            return self._final_looks[agent][observation.name]
        return self.vector(self._number_of[agent], observation)

    def action_mask(self, agent: str) -> I8:
        """``(n_actions,)`` int8: 1 for the ids that are legal for an agent.

        The mask is all zeros for a waiting agent. For an agent that is out it allows action 1, so
        that sampling from the mask does not fail.
        """
        is_over = self.terminations.get(agent, True) or self.truncations[agent]
        if agent == self.agent_selection and not is_over:
            return self.game_state.mask.copy()
        mask = np.zeros(self._n_actions, np.int8)
        mask[1] = is_over
        return mask

    def raise_range(self) -> tuple[int, int]:
        """Smallest and largest legal raise-to amount of the player to act; see ``what_if``."""
        return what_if.raise_range(self.table)

    def run_out(self, board: str = "") -> np.void:
        """A copy of the table with the complete board; see ``what_if.run_out``."""
        return what_if.run_out(self.table, board)

    def showdown(self) -> Mapping[str, int]:
        """Chips of each player, by agent name, after an immediate showdown; see ``what_if``."""
        seats = self.table["player"]
        chips = what_if.showdown(self.table)
        return {self.possible_agents[seats[seat]]: chips[seat] for seat in chips}

    def render(self) -> str | U8 | None:
        """The current table, with all players' cards.

        Returns:
            With ``"ansi"`` several lines of text; with ``"rgb_array"`` the image, ``(height, width,
            3)`` uint8; with ``"human"`` None, since the window updates automatically.
        """
        return self.renderer.render(self.table)

    def close(self) -> None:
        """Close the window of ``render_mode="human"``."""
        self.renderer.close()

    def _repr_png_(self) -> bytes | None:
        """PNG of the table, which notebooks show."""
        return self.renderer.png(self.table) if self._has_reset else None

    def __repr__(self) -> str:
        situation = "over" if self._has_reset else "not reset yet"
        if self._has_reset and not self._is_over():
            table = self.table
            hand = f"table {table['number']}, hand {table['hand']}"
            situation = f"{hand}, {STREET_NAMES[table['street']]}, {self.agent_selection} to act"
        kind = f"nlhe_env.{type(self).__name__}"
        return f"<{kind}: {self.game.mode}, {self.num_players} players; {situation}>"

    def save(self) -> SavedGame:
        """Snapshot of the complete game, including rewards and infos, for ``restore``."""
        return SavedGame.of(self)

    def restore(self, saved: SavedGame) -> None:
        """Return to a saved game; it can be restored any number of times.

        Raises:
            ValueError: The snapshot is from another environment.
        """
        if not isinstance(saved, SavedGame):
            raise ValueError(f"restore() needs the result of save(); got {saved!r}")
        saved.put_back(self)

    def __copy__(self) -> raw_env:
        """A deep copy, since a partial copy of a game is useless."""
        return copy.deepcopy(self)

    def set_table(self, record: np.void) -> None:
        """Replace the current table by a copied record and continue from it.

        The record must have been taken at a decision, with the same players at the table as now.
        A table record does not contain pending rewards and the players' aggressiveness; ``save``
        and ``restore`` do.

        Raises:
            ValueError: The record is invalid here.
        """
        if all(self.terminations.values()) or not self.game_state.put_table_back(record):
            raise ValueError("the episode is over: there is no table to restore")
        if self.recorder is not None:
            self.recorder.lose_track()
        # The rewards of the last hand are still visible, but not added to any sum again.
        are_zero, self._rewards_are_zero = self._rewards_are_zero, True
        self._follow(self.game_state.advance())
        self._rewards_are_zero &= are_zero


REASON = (
    "poker is played in turns, and a parallel environment asks all agents at once, before they can "
    "see what the others have done: use env.agent_iter(), or "
    "pettingzoo.utils.conversions.turn_based_aec_to_parallel, where only the action of the agent "
    "to act counts"
)


class HandRecorder:
    """Recorder of the hands at one table.

    Args:
        game: The game.
        record: Target for its hands.

    Raises:
        ValueError: The target cannot represent hands of this game.
    """

    def __init__(self, game: Game, record: Record) -> None:
        check_recorded(game, record)
        self.sink = hand_sink(record)
        """Callback for every finished hand."""
        self.noted: tuple[dict[str, Any], ...] | None = ()
        """Actions of this hand so far; None if unknown."""

    def begin_hand(self) -> None:
        """Discard the actions of an unfinished hand."""
        self.noted = ()

    def lose_track(self) -> None:
        """Exclude this hand from recording, since some of its actions are unknown."""
        self.noted = None

    def note(self, table: np.void, action: int) -> None:
        """Record a game action before it is taken, if it is legal."""
        if self.noted is not None and action != ILLEGAL:
            self.noted = (*self.noted, note_action(table, action))

    def end_hand(self, table: np.void, names: Sequence[str]) -> None:
        """Deliver a paid hand from its table, before the next hand.

        Args:
            table: The record of the table.
            names: Names of the players by number.
        """
        if self.noted is not None:
            self.sink(hand_of(table, self.noted, names))
        self.begin_hand()


_CHANGING = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "_quiet_infos",
    "_last_hands",
    "_places",
    "_final_looks",
    "_hands_over",
    "_leaving",
    "_next_to_act",
    "_rewards_are_zero",
    "_seed",
    "_episode",
)
"""Attributes that change while ``raw_env`` plays, besides its arrays."""


@dataclass(frozen=True, eq=False)
class SavedGame:
    """Snapshot from ``env.unwrapped.save()``, for ``restore`` of the same environment."""

    owner: object
    """The game state of its environment, which no other environment has."""
    memories: tuple[AnyArray, ...]
    """Arrays of the observer when it was saved, which later play overwrites."""
    arrays: tuple[AnyArray, ...]
    attributes: Mapping[str, Any]
    noted: tuple[dict[str, Any], ...] | None
    """Actions of the hand so far, if hands are recorded; see ``HandRecorder``."""
    checksum: int

    @classmethod
    def of(cls, env: raw_env) -> SavedGame:
        """Copy the complete mutable state of an environment."""
        arrays = env.game_state.changing_arrays()
        return cls(
            owner=env.game_state,
            memories=env.game_state.memories(),
            arrays=tuple(array.copy() for array in arrays),
            attributes={name: _copy(getattr(env, name)) for name in _CHANGING},
            noted=None if env.recorder is None else env.recorder.noted,
            checksum=checksum(arrays),
        )

    def put_back(self, env: raw_env) -> None:
        """Restore the snapshot in its environment.

        Raises:
            ValueError: The snapshot is from another environment, was changed, or players with other
                memories have been seated since.
        """
        if self.owner is not env.game_state:
            raise ValueError("restore() needs the result of save() of the same environment")
        if checksum(self.arrays) != self.checksum:
            raise ValueError("this saved game has been changed since it was saved")
        memories = env.game_state.memories()
        if [id(memory) for memory in memories] != [id(memory) for memory in self.memories]:
            raise ValueError(
                "this game cannot be restored: players with other memories have been seated since "
                "it was saved"
            )
        for array, kept in zip(env.game_state.changing_arrays(), self.arrays, strict=True):
            array[:] = kept
        for name, value in self.attributes.items():
            setattr(env, name, _copy(value))
        if env.recorder is not None:
            env.recorder.noted = self.noted


def _copy(value: Any) -> Any:
    # One level is enough: the values inside are replaced in play, never changed.
    return value.copy() if isinstance(value, (dict, list)) else value
