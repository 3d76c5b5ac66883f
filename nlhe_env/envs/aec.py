"""The PettingZoo environment: No-Limit Texas Hold'em, hand after hand, table after table."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from nlhe_env.arguments import action_id, one_of, reject_unknown_kwargs
from nlhe_env.envs import decision_facts as at
from nlhe_env.envs.game_argument import read_game
from nlhe_env.envs.illegal_actions import explain_illegal
from nlhe_env.envs.info_dicts import INFO_KINDS, Info, InfoKind, turn_info, waiting_info
from nlhe_env.envs.renderer import RenderedGame
from nlhe_env.envs.reset_options import read_options
from nlhe_env.envs.saved_game import CHANGING, SavedGame
from nlhe_env.envs.turns_only import TurnsOnly
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import Betting, Game, GameArrays, Mode, Score, Straddle
from nlhe_env.game.hand_result import new_numbers, read_hand, read_seats, write_hand
from nlhe_env.game.rake import Rake
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.table import STREET_NAMES
from nlhe_env.game.tournament import DECISION, HAND_OVER, ROUND_OVER, place_reward
from nlhe_env.hand_history.recording import Record
from nlhe_env.jit.array_types import F32, I8, I64
from nlhe_env.render.view import AVAILABLE_MODES, SIZE, RenderMode
from nlhe_env.spaces.actions import ILLEGAL
from nlhe_env.spaces.observation import Observation

Seen = dict[str, Any]
"""The observation vector and the action mask of an agent."""


class raw_env(RenderedGame, AECEnv[str, Seen, Any]):  # noqa: N801  (PettingZoo's name)
    """The environment without guards: an illegal action raises ``IllegalActionError``.

    See ``nlhe_env.env`` for the arguments.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as PettingZoo declares it)
        "render_modes": list(AVAILABLE_MODES),
        "name": "nlhe_no_limit_holdem_v0",
        "is_parallelizable": TurnsOnly(),
        "render_fps": 2,
    }

    @reject_unknown_kwargs
    def __init__(
        self,
        num_players: int = 6,
        *,
        game: Game | None = None,
        table_size: int = 10,
        starting_stack: int | Sequence[int] | None = None,
        blinds: BlindSchedule | Sequence[int] | None = None,
        mode: Mode = "tournament",
        num_hands: int | None = None,
        actions: Literal["chips", "sized"] | Iterable[float] = (0.5, 1.0),
        observation: str = "cards",
        reward: Score = "chips",
        betting: Betting = "no-limit",
        max_bets: int | None = USUAL_MAX_BETS,
        straddle: Straddle = "none",
        rake: Rake | None = None,
        runs: int = 1,
        infos: InfoKind = "flat",
        render_mode: RenderMode | None = None,
        render_size: Sequence[int] = SIZE,
        record: Record | None = None,
    ) -> None:
        described = read_game(
            game,
            table_size=table_size,
            starting_stack=starting_stack,
            blinds=blinds,
            mode=mode,
            num_hands=num_hands,
            betting=betting,
            max_bets=max_bets,
            straddle=straddle,
            rake=rake,
            runs=runs,
            reward=reward,
        )
        super().__init__(
            described,
            num_players,
            actions,
            observation,
            record,
            render_mode=render_mode,
            render_size=render_size,
            fps=self.metadata["render_fps"],
        )
        self.info_kind = one_of("infos", infos, INFO_KINDS)
        self._number_of = {agent: i for i, agent in enumerate(self.possible_agents)}
        self._n_actions = len(self._mask)
        self._hand_numbers = new_numbers()
        self._make_spaces()

        self._shown = {self.observation.name: self.observation}
        self._seed: int | None = None
        self._episode = 0

    # --- spaces -----------------------------------------------------------------------------------

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
        """The ids of the actions."""
        return self.action_spaces[agent]

    # --- the game ---------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new episode.

        Args:
            seed: Whole number from 0 to 2**64 - 1: the same seed gives the same cards, seats and
                buttons. Without one the next episode of the last seed begins (of a random seed,
                the first time).
            options: Options of the first hand: ``"button"`` (seat), ``"stacks"`` (list),
                ``"hole_cards"`` (``{"player_0": "AsKd"}``), ``"board"`` (text, also the first
                cards of one), ``"second_board"`` with ``runs=2`` (the same; cards that both
                boards share may stand in both).

        Raises:
            ValueError: The seed or an option is not possible.
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
        """Start an episode by its number; subclasses that change resets change this.

        Args:
            seed: See ``reset``.
            episode: The episode that this many further resets after ``reset(seed)`` begin.
            decisions: Number of the players' own randomness under the seed; default: ``episode``.
            seating: See ``nlhe_env.game.tournament.start_game``; default: in order at a single
                table, drawn for several.
            options: See ``reset``.

        Raises:
            ValueError: An option is not possible.
        """
        first_hand = read_options(self.game, options or {}, self._number_of)
        self._seed, self._episode = seed, episode
        self._start(seed, episode, decisions, seating, first_hand)

        self._has_reset = True
        self.agents: list[str] = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: waiting_info(self.info_kind) for agent in self.agents}
        self._quiet_infos = self.infos.copy()
        self._last_hands: dict[str, I64] = {}  # their numbers
        self._places: dict[str, float] = {}
        self._final_looks: dict[str, dict[str, F32]] = {}  # by agent and observation
        self._leaving: list[str] = []  # agents that are out and wait for their last turn
        self._next_to_act = ""
        self._rewards_are_zero = True
        self.agent_selection = self.agents[0]
        self._follow(self._advance())

    def step(self, action: Any) -> None:
        """Take the action of ``agent_selection``; for an agent that is out, ``None``.

        Args:
            action: A whole number, or an array of a single one.

        Raises:
            IllegalActionError: The action is not legal now; nothing has changed.
            TypeError: It is no whole number, such as 1.0 or True; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        number = action_id(action)
        event = ILLEGAL
        if 0 <= number < self._n_actions:
            event = self._do(number)
        if event == ILLEGAL:
            facts = self._facts.tolist()
            why = explain_illegal(
                number, self.encoding, facts, self._mask, name="action", player=agent
            )
            raise IllegalActionError(why, "The state is unchanged")
        self._clear_turn(agent)
        self._cumulative_rewards[agent] = 0
        self._follow(event)

    def play_on(self, act: Callable[[GameArrays, I8, I64], int]) -> None:
        """Let a kernel act in place of ``step``, any number of times, unrecorded.

        Args:
            act: Called with the arrays of the game, the mask and the facts of the decision. It
                acts, fills both as ``step_kernels.advance`` does, and returns the last event.
        """
        self._noted = None
        event = act(self._arrays, self._mask, self._facts)
        if event == ILLEGAL:  # a mistake of the caller; do not go round in circles
            raise IllegalActionError(f"a kernel acted illegally at {self.table}")
        self._clear_turn(self.agent_selection)
        self._follow(event)

    def _clear_turn(self, agent: str) -> None:
        """Reset the rewards, and the info of an agent that has acted."""
        if not self._rewards_are_zero:
            self._clear_rewards()
            self._rewards_are_zero = True
        self.infos[agent] = self._quiet_infos[agent]

    def abort(self, offender: str, reward: float) -> None:
        """End the episode for all agents; one gets a last reward, the others nothing."""
        self.rewards = dict.fromkeys(self.agents, 0)
        self.rewards[offender] = reward
        self._cumulative_rewards[offender] = 0
        self._accumulate_rewards()
        self._rewards_are_zero = False
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._leaving = self.agents[:]
        self._let_leave()

    def _follow(self, event: int) -> None:
        """Process events up to the next decision or the end of the episode."""
        self._hands_over: list[I64] = []  # their numbers
        while event != DECISION:
            if event == HAND_OVER:
                self._take_in_hand()
            elif event == ROUND_OVER:
                self._take_in_places()
            else:
                self._end_episode()
                break
            event = self._advance()
        else:
            agent = self.possible_agents[self._facts[at.PLAYER]]
            self.agent_selection = agent
            if self.info_kind != "none":
                facts = self._facts.tolist()
                self.infos[agent] = turn_info(self.info_kind, facts, self._quiet_infos[agent])
            if self.render_mode == "human":
                self._view.render(self.table)
        if not self._rewards_are_zero:
            self._accumulate_rewards()
        if self._leaving:
            self._let_leave()

    def _let_leave(self) -> None:
        """Give the next turns to those who are out; then the player to act goes on."""
        self._next_to_act = self.agent_selection
        self.agent_selection = self._leaving[0]

    def _leave(self, agent: str, action: Any) -> None:
        """Take the last turn of an agent that is out, and remove the agent."""
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
        if not self._rewards_are_zero:
            self._clear_rewards()
            self._rewards_are_zero = True
        if self._leaving:
            self.agent_selection = self._leaving[0]
        elif self.agents:
            self.agent_selection = self._next_to_act

    def _take_in_hand(self) -> None:
        """Set the rewards and infos of the players of a hand that has been paid."""
        if self.render_mode == "human":
            self._view.render(self.table)
        self.after_hand()
        write_hand(self._arrays.game, self._arrays.tables, self._hand_numbers)
        numbers = self._hand_numbers.copy()
        self._hands_over.append(numbers)
        big_blind, seats = read_seats(numbers)
        info = None
        if self.info_kind == "full":
            info = {"last_hand": read_hand(numbers, self.possible_agents)}
        for player, net, stack in seats:
            agent = self.possible_agents[player]
            if self.game.score == "chips":
                self.rewards[agent] += net
            elif self.game.score == "big_blinds":
                self.rewards[agent] += net / big_blind
            self._last_hands[agent] = numbers
            if info is not None:
                self.infos[agent] = self._quiet_infos[agent] = info
            if stack == 0 and not self.game.is_cash:
                # The seat is freed or taken before this player is asked for the last time.
                self._final_looks[agent] = {
                    name: self.vector(player, seen) for name, seen in self._shown.items()
                }
        self._rewards_are_zero = False

    def _take_in_places(self) -> None:
        """Eliminate the players without chips after a round of a tournament."""
        for agent in list(self._final_looks):
            if agent in self.terminations and not self.terminations[agent]:
                self._finish(agent)

    def _finish(self, agent: str) -> None:
        """Terminate an agent that is out of the game, or has won it."""
        place = float(self._arrays.players["place"][self._number_of[agent]])
        self.terminations[agent] = True
        self._leaving.append(agent)
        self._places[agent] = place
        if self.info_kind != "none":
            info = {**self._quiet_infos[agent], "place": place}
            self.infos[agent] = self._quiet_infos[agent] = info
        if self.game.score == "place":
            self.rewards[agent] += place_reward(place, self.num_players)
            self._rewards_are_zero = False

    def _end_episode(self) -> None:
        """Finish the agents still in: the winner, or all at a limit of hands."""
        truncated = not self.game.is_cash and bool(self._arrays.game["live"][0] > 1)
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
        """Results of the hands that ended with the last action, in the form of ``last_hand``."""
        return [read_hand(numbers, self.possible_agents) for numbers in self._hands_over]

    def full_info(self, agent: str | None = None) -> Info:
        """The info of an agent as ``infos="full"`` gives it, whatever ``infos`` is here.

        Args:
            agent: By default the agent whose turn it is, which may be its last.
        """
        agent = agent or self.agent_selection
        numbers = self._last_hands.get(agent)
        last_hand = None if numbers is None else read_hand(numbers, self.possible_agents)
        waiting = waiting_info("full", last_hand, self._places.get(agent))
        if agent != self.possible_agents[self._facts[at.PLAYER]] or self._is_out(agent):
            return waiting
        return turn_info("full", self._facts.tolist(), waiting)

    @overload
    def last(self, observe: Literal[True] = True) -> tuple[Seen, float, bool, bool, Info]: ...

    @overload
    def last(self, observe: bool) -> tuple[Seen | None, float, bool, bool, Info]: ...

    def last(self, observe: bool = True) -> tuple[Seen | None, float, bool, bool, Info]:
        """Observation, reward, termination, truncation and info of ``agent_selection``.

        The reward is the sum since the agent's last action.
        """
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Seen:
        """``{"observation": float32 vector, "action_mask": int8 vector}`` of an agent."""
        vector = self.observe_as(agent, self.observation)
        return {"observation": vector, "action_mask": self.action_mask(agent)}

    def also_show(self, observation: Observation) -> None:
        """From the next episode on, ``observe_as`` may ask for another observation."""
        self._shown[observation.name] = observation

    def observe_as(self, agent: str, observation: Observation) -> F32:
        """``(size,)`` float32: what an agent sees now, or saw last if it is out."""
        if agent in self._final_looks:
            return self._final_looks[agent][observation.name]
        return self.vector(self._number_of[agent], observation)

    def action_mask(self, agent: str) -> I8:
        """``(n_actions,)`` int8: 1 for the ids that are legal for an agent.

        All zeros for an agent whose turn it is not; action 1 is allowed for one that is out or has
        left, so that a policy that samples from the mask does not fail.
        """
        out = self._is_out(agent)
        if agent == self.agent_selection and not out:
            return self._mask.copy()
        mask = np.zeros(self._n_actions, np.int8)
        mask[1] = out
        return mask

    def _is_out(self, agent: str) -> bool:
        """Whether an agent acts no more, or has left already."""
        return self.terminations.get(agent, True) or self.truncations[agent]

    def __repr__(self) -> str:
        game = f"{self.game.mode}, {self.num_players} players"
        return f"<nlhe_env.{type(self).__name__}: {game}; {self._situation()}>"

    def _situation(self) -> str:
        """State of the episode in a few words, for ``repr``."""
        if not self._has_reset:
            return "not reset yet"
        if all(self.terminations.values()) or all(self.truncations.values()):
            return "over"
        table = self.table
        return (
            f"table {table['number']}, hand {table['hand']}, {STREET_NAMES[table['street']]}, "
            f"{self.agent_selection} to act"
        )

    def save(self) -> SavedGame:
        """The whole game as it stands, rewards and infos included, for ``restore``."""
        attributes = {name: getattr(self, name) for name in CHANGING}
        return SavedGame.of(self, self._changing_arrays(), attributes)

    def restore(self, saved: SavedGame) -> None:
        """Return to a saved game and play on from there, any number of times.

        Raises:
            ValueError: It was saved by another environment.
        """
        if not isinstance(saved, SavedGame):
            raise ValueError(f"restore() takes what save() gave; got {saved!r}")
        for name, value in saved.put_back(self, self._changing_arrays()).items():
            setattr(self, name, value)

    def __copy__(self) -> raw_env:
        """A copy that shares nothing; half a game would be of no use."""
        return copy.deepcopy(self)

    def set_table(self, record: np.void) -> None:
        """Put a copied table record back and play on from there.

        The record must have been taken at a decision, with the same players at the table as now.
        Rewards not collected yet and the players' aggressiveness are not part of a
        table: ``save`` and ``restore`` keep them too.

        Raises:
            ValueError: The record is not such a record.
        """
        if all(self.terminations.values()) or not self._put_table_back(record):
            raise ValueError("the episode is over: no table plays that could be put back")
        self.infos[self.agent_selection] = self._quiet_infos[self.agent_selection]
        # The rewards of the last hand still show, but are not added to any sum again.
        are_zero, self._rewards_are_zero = self._rewards_are_zero, True
        self._follow(self._advance())
        self._rewards_are_zero &= are_zero
