"""The PettingZoo environment: No-Limit Texas Hold'em, hand after hand, table after table."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from operator import index as as_index
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from nlhe_env.arguments import one_of
from nlhe_env.cards import CARD_NAMES, format_cards
from nlhe_env.envs import step_kernels as kernels
from nlhe_env.envs import what_if
from nlhe_env.envs.game_argument import read_game
from nlhe_env.envs.reset_options import read_options
from nlhe_env.envs.saved_game import SavedGame, restore, save
from nlhe_env.equity import load_tables
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.betting import USUAL_MAX_BETS
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import Game
from nlhe_env.game.hand_result import new_numbers, read_hand, write_hand
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.table import NOBODY, STREET_NAMES, TABLE
from nlhe_env.game.tournament import DECISION, DRAWN, HAND_OVER, IN_ORDER, ROUND_OVER, place_reward
from nlhe_env.machine.array_types import F32, Records
from nlhe_env.render.text import render_table
from nlhe_env.spaces.actions import CHIPS, ILLEGAL, ActionEncoding
from nlhe_env.spaces.cards_observation import OBSERVATIONS, cards_bound, features_bound
from nlhe_env.spaces.features import KINDS

Observation = dict[str, Any]

_RENDER_MODES = ("ansi", "human")


class raw_env(AECEnv[str, Observation, Any]):  # noqa: N801  (PettingZoo's name)
    """The environment without guards: an illegal action raises ``IllegalActionError``.

    See ``nlhe_env.env`` for the arguments.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as PettingZoo declares it)
        "render_modes": list(_RENDER_MODES),
        "name": "nlhe_no_limit_holdem_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        num_players: int = 6,
        *,
        game: Game | None = None,
        table_size: int = 10,
        starting_stack: int | Sequence[int] = 1000,
        blinds: BlindSchedule | Sequence[int] | None = None,
        mode: str = "tournament",
        num_hands: int | None = None,
        actions: str | Iterable[float] = (0.5, 1.0),
        observation: str = "cards",
        reward: str = "chips",
        betting: str = "no-limit",
        max_bets: int | None = USUAL_MAX_BETS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = read_game(
            game,
            table_size=table_size,
            starting_stack=starting_stack,
            blinds=blinds,
            mode=mode,
            num_hands=num_hands,
            betting=betting,
            max_bets=max_bets,
            reward=reward,
        )
        """What is played."""
        self.encoding = ActionEncoding.of(actions)
        self.observation_kind = one_of("observation", observation, OBSERVATIONS)
        if render_mode is not None:
            one_of("render_mode", render_mode, _RENDER_MODES)
        self.render_mode = render_mode

        self.stacks = self.game.stacks(num_players)
        """Chips of every player at the start."""
        self.num_players = len(self.stacks)
        self.possible_agents = [f"player_{i}" for i in range(num_players)]
        self._number_of = {agent: i for i, agent in enumerate(self.possible_agents)}
        self._arrays = self.game.arrays(self.num_players)
        self._kind = self.encoding.kind
        self.fractions = self.encoding.fractions_array()
        total_chips = sum(self.stacks)
        self._n_actions = self.encoding.size(total_chips)
        self._mask = np.zeros(self._n_actions, np.int8)
        self._facts = np.zeros(kernels.N_FACTS, np.int64)
        self._hand_numbers = new_numbers()
        self._strength_tables: Any = None
        self._features_kind = KINDS.get(self.observation_kind, -1)  # unused with "cards"
        self._make_spaces()

        self._seed: int | None = None
        self._episode = 0
        self._has_reset = False

    # --- spaces -----------------------------------------------------------------------------------

    def _make_spaces(self) -> None:
        if self.observation_kind == "cards":
            high = cards_bound(self.game, self.num_players)
        else:
            high = features_bound(self.stacks, self.observation_kind)
        self._observation_size = len(high)
        box = spaces.Box(np.zeros_like(high), high, dtype=np.float32)
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
            options: For the first hand: ``"button"`` (seat), ``"stacks"`` (a list),
                ``"hole_cards"`` (``{"player_0": "AsKd"}``), ``"board"`` (text, also the first
                cards of one).

        Raises:
            ValueError: The seed or an option is not possible.
        """
        first_hand = read_options(self.game, options or {}, self._number_of)
        if seed is not None or self._seed is None:
            self._seed = make_seed(seed)
            self._episode = 0
        else:
            self._episode += 1
        seating = DRAWN if len(self.tables) > 1 else IN_ORDER
        kernels.start_game(*self._arrays, np.uint64(self._seed), self._episode, seating)
        first_hand.apply(self._arrays)

        self._has_reset = True
        self.agents: list[str] = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._quiet_infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._final_vectors: dict[str, F32] = {}
        self._leaving: list[str] = []  # agents that are out and wait for their last turn
        self._next_to_act = ""
        self._rewards_are_zero = True
        self._board_shown = (NOBODY, NOBODY, 0)
        self._board_text = ""
        self.agent_selection = self.agents[0]
        self._follow(
            kernels.advance(*self._arrays, self._kind, self.fractions, self._mask, self._facts)
        )

    def step(self, action: Any) -> None:
        """Do the action of ``agent_selection``; for an agent that is out, ``None``.

        Raises:
            IllegalActionError: The action is not legal now; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        try:
            number = as_index(action)
        except TypeError:  # no whole number
            number = ILLEGAL
        event = ILLEGAL
        if 0 <= number < self._n_actions:
            event = kernels.step(
                *self._arrays, self._kind, self.fractions, number, self._mask, self._facts
            )
        if event == ILLEGAL:
            raise IllegalActionError(self._explain_illegal(action))
        if not self._rewards_are_zero:
            self._clear_rewards()
            self._rewards_are_zero = True
        self._cumulative_rewards[agent] = 0
        self.infos[agent] = self._quiet_infos[agent]
        self._follow(event)

    def _follow(self, event: int) -> None:
        """Take in what happened, up to the next decision or the end."""
        self.hands_over: list[dict[str, Any]] = []  # results of the hands that have just ended
        while event != DECISION:
            if event == HAND_OVER:
                self._take_in_hand()
            elif event == ROUND_OVER:
                self._take_in_places()
            else:
                self._end_episode()
                break
            event = kernels.advance(
                *self._arrays, self._kind, self.fractions, self._mask, self._facts
            )
        else:
            facts = self._facts.tolist()
            agent = self.possible_agents[facts[kernels.PLAYER]]
            self.agent_selection = agent
            self.infos[agent] = self._info(facts, agent)
        if not self._rewards_are_zero:
            self._accumulate_rewards()
        if self._leaving:
            self._let_leave()

    def _let_leave(self) -> None:
        """Give the next turns to those who are out; then the player to act goes on."""
        self._next_to_act = self.agent_selection
        self.agent_selection = self._leaving[0]

    def _leave(self, agent: str, action: Any) -> None:
        """The last turn of an agent that is out."""
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

    def _info(self, facts: list[int], agent: str) -> dict[str, Any]:
        """What the player to act is told, in plain values."""
        board = (facts[kernels.TABLE_NUMBER], facts[kernels.HAND], facts[kernels.BOARD_CARDS])
        if board != self._board_shown:
            self._board_shown = board
            first = kernels.FIRST_BOARD_CARD
            self._board_text = format_cards(facts[first : first + board[2]])
        return {
            "street": STREET_NAMES[facts[kernels.STREET]],
            "pot": facts[kernels.POT],
            "to_call": facts[kernels.TO_CALL],
            "min_raise_to": facts[kernels.MIN_RAISE_TO],
            "max_raise_to": facts[kernels.MAX_RAISE_TO],
            "hand_number": board[1],
            "decision": facts[kernels.DECISION_NUMBER],
            "table": board[0],
            "button": facts[kernels.BUTTON],
            "big_blind": facts[kernels.BIG_BLIND],
            "board": self._board_text,
            "hole_cards": CARD_NAMES[facts[kernels.HOLE_CARD_0]]
            + CARD_NAMES[facts[kernels.HOLE_CARD_1]],
            **self._quiet_infos[agent],
        }

    def _take_in_hand(self) -> None:
        """A hand has been paid: rewards, and what every player at the table now knows."""
        write_hand(self._arrays.game, self._arrays.tables, self._hand_numbers)
        public, big_blind, seats = read_hand(self._hand_numbers, self.possible_agents)
        result = {"last_hand": public}
        self.hands_over.append(public)
        for player, net, stack in seats:
            agent = self.possible_agents[player]
            if self.game.score == "chips":
                self.rewards[agent] += net
            elif self.game.score == "big_blinds":
                self.rewards[agent] += net / big_blind
            self._quiet_infos[agent] = result
            self.infos[agent] = result
            if stack == 0 and not self.game.is_cash:
                # The seat is freed or taken before this player is asked for the last time.
                self._final_vectors[agent] = self._vector(agent)
        self._rewards_are_zero = False

    def _take_in_places(self) -> None:
        """A round of a tournament is over: those without chips are out."""
        for agent in list(self._final_vectors):
            if agent in self.terminations and not self.terminations[agent]:
                self._finish(agent)

    def _finish(self, agent: str) -> None:
        """The agent is out of the game, or has won it."""
        place = float(self._arrays.players["place"][self._number_of[agent]])
        self.terminations[agent] = True
        self._leaving.append(agent)
        result = {**self._quiet_infos[agent], "place": place}
        self.infos[agent] = self._quiet_infos[agent] = result
        if self.game.score == "place":
            self.rewards[agent] += place_reward(place, self.num_players)
            self._rewards_are_zero = False

    def _end_episode(self) -> None:
        """Everybody still in is done: the winner, or all at a limit of hands."""
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

    def _explain_illegal(self, action: Any) -> str:
        legal = np.flatnonzero(self._mask)
        info = self.infos[self.agent_selection]
        if self._kind == CHIPS:
            ids = "0 (fold), 1 (check or call)" if self._mask[0] else "1 (check)"
            if info["max_raise_to"]:
                ids += f", {info['min_raise_to']}..{info['max_raise_to']} (raise to)"
        else:
            ids = ", ".join(f"{i} ({self.encoding.describe(int(i))})" for i in legal)
        return (
            f"action must be a legal id for {self.agent_selection}: {ids}; got {action!r}. "
            f"To call: {info['to_call']}, legal raises: to {info['min_raise_to']}.."
            f"{info['max_raise_to']}. The state is unchanged"
        )

    # --- looking ----------------------------------------------------------------------------------

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
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

    def observe(self, agent: str) -> Observation:
        """``{"observation": float32 vector, "action_mask": int8 vector}`` of an agent.

        The mask is all zeros for an agent that is not to act; for one that is out it allows 1, so
        that a policy that samples from it does not fail.
        """
        vector = self._final_vectors.get(agent) if self._final_vectors else None
        if vector is None:
            vector = self._vector(agent)
        if self.terminations[agent] or self.truncations[agent]:
            mask = np.zeros(self._n_actions, np.int8)
            mask[1] = 1
        elif agent == self.agent_selection:
            mask = self._mask.copy()
        else:
            mask = np.zeros(self._n_actions, np.int8)
        return {"observation": vector, "action_mask": mask}

    def _vector(self, agent: str) -> F32:
        vector = np.empty(self._observation_size, np.float32)
        _, tables, players, _ = self._arrays
        number = self._number_of[agent]
        if self.observation_kind == "cards":
            kernels.observe_cards(tables, players, number, vector)
            return vector
        if self._strength_tables is None:
            self._strength_tables = load_tables()
        kernels.observe_features(
            tables, players, number, self._features_kind, self._strength_tables, vector
        )
        return vector

    def render(self) -> str | None:
        """The table that plays as text: returned (``"ansi"``) or printed (``"human"``)."""
        if self.render_mode is None:
            raise RuntimeError('render() needs a render_mode, such as env(render_mode="ansi")')
        text = render_table(self.table, self.possible_agents)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing to release."""

    def save(self) -> SavedGame:
        """The whole game as it stands, rewards and infos included, for ``restore``."""
        return save(self)

    def restore(self, saved: SavedGame) -> None:
        """Go back to a saved game and play on from there, as often as wanted."""
        restore(self, saved)

    def __copy__(self) -> raw_env:
        """A copy that shares nothing; half a game would be of no use."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """The whole game: a pickled or deep-copied environment plays on identically."""
        return {**self.__dict__, "_strength_tables": None}  # large, and loaded where needed

    # --- the state in hand ------------------------------------------------------------------------

    @property
    def game_record(self) -> Records:
        """The record of the whole game, ``(1,)`` of dtype ``nlhe_env.game.tournament.GAME``."""
        return self._arrays.game

    @property
    def tables(self) -> Records:
        """All tables, ``(n_tables,)`` of dtype ``nlhe_env.game.table.TABLE``."""
        return self._arrays.tables

    @property
    def players(self) -> Records:
        """All players' records, ``(n_players,)`` of dtype ``nlhe_env.game.player.PLAYER``."""
        return self._arrays.players

    @property
    def table(self) -> np.void:
        """The record of the table that plays, all cards included; ``.copy()`` keeps it."""
        record: np.void = self._arrays.tables[self._arrays.game["table"][0]]
        return record

    def raise_range(self) -> tuple[int, int]:
        """The least and the most that the player to act may raise to; see ``what_if``."""
        return what_if.raise_range(self.table)

    def run_out(self, board: str = "") -> np.void:
        """A copy of the table with the whole board open; see ``what_if.run_out``."""
        return what_if.run_out(self.table, board)

    def showdown(self) -> dict[str, int]:
        """Chips that everyone would have if all showed their cards now; see ``what_if``."""
        table = self.table
        return {
            self.possible_agents[table["player"][seat]]: chips
            for seat, chips in what_if.showdown(table).items()
        }

    def set_table(self, record: np.void) -> None:
        """Put a copied table record back and play on from there.

        The record must have been taken while somebody was to act, with the same players at the
        table as now. Rewards not collected yet and the players' aggressiveness are not part of a
        table: ``save`` and ``restore`` keep them too.

        Raises:
            ValueError: It is no such record.
        """
        if not isinstance(record, np.void) or record.dtype != TABLE:
            raise ValueError("record must be a copy of env.unwrapped.table")
        current = self.table
        if record["number"] != current["number"] or (record["player"] != current["player"]).any():
            raise ValueError("record must be of the table that plays, with the same players")
        if record["actor"] == NOBODY:
            raise ValueError("record must be of a hand in which somebody is to act")
        finished = all(self.terminations.values())
        if finished or not kernels.replace_table(*self._arrays[:2], np.atleast_1d(record)):
            raise ValueError("the episode is over: no table plays that could be put back")
        self._board_shown = (NOBODY, NOBODY, 0)
        self.infos[self.agent_selection] = self._quiet_infos[self.agent_selection]
        self._follow(
            kernels.advance(*self._arrays, self._kind, self.fractions, self._mask, self._facts)
        )
