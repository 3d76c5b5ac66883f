"""State of a running game: record arrays, their accessors, and the steps between events.

The part of an environment that knows nothing of agents, rewards and episodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from nlhe_env.envs import step_kernels as kernels
from nlhe_env.envs.checksums import SEAL, check_seal, seal
from nlhe_env.envs.decision_facts import N_ALL_FACTS
from nlhe_env.envs.reset_options import FirstHand
from nlhe_env.equity import load_tables
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game import what_if
from nlhe_env.game.description import Game
from nlhe_env.game.tournament import DRAWN, IN_ORDER
from nlhe_env.game.validity import check_replacement
from nlhe_env.jit.array_types import F32, AnyArray, Records
from nlhe_env.spaces.actions import ActionEncoding
from nlhe_env.spaces.observation import Observation, Part
from nlhe_env.spaces.observations import find_observation

_NO_TABLES = blank_tables()


class EventObserver(Protocol):
    """Observer of every event of a game, which it advances in place of the environment."""

    def start(self, tables: Records) -> None:
        """Take note of a game started at these tables, before anything is dealt."""

    def advance(self, *state: Any) -> int:
        """Move on to the next event, see ``step_kernels.advance``."""

    def step(self, *state: Any) -> int:
        """Take an action and move on, see ``step_kernels.step``."""

    def changing_arrays(self) -> list[AnyArray]:
        """Arrays of its memory, for saved games."""


class _ObservationWriter(NamedTuple):
    """Compiled observation writer and the strength tables that it reads."""

    address: int
    size: int
    tables_address: int
    strength_tables: Records
    """The records at ``tables_address``."""


class GameState:
    """The state of a game and the ways to look at it.

    Args:
        game: The game that is played.
        num_players: Number of players.
        actions: Action encoding, as in ``nlhe_env.env``.
        observation: Name of the observation.

    Raises:
        ValueError: An argument is out of range.
    """

    def __init__(
        self, game: Game, num_players: int, actions: str | Iterable[float], observation: str
    ) -> None:
        self.game = game
        """The game that is played."""
        self.stacks = game.stacks(num_players)
        """Chips of every player at the start."""
        self.num_players = len(self.stacks)
        self.possible_agents = [f"player_{i}" for i in range(self.num_players)]
        self.encoding = ActionEncoding.of(actions)
        self.fractions = self.encoding.fractions_array()
        self.observation = find_observation(observation)
        """The observation of the agents."""
        self._arrays = game.arrays(self.num_players)
        self._mask = np.zeros(self.encoding.size(sum(self.stacks)), np.int8)
        self._facts = np.zeros(N_ALL_FACTS, np.int64)
        self._state = (*self._arrays, self.encoding.kind, self.fractions)  # as kernels take it
        self._sights: dict[str, _ObservationWriter] = {}  # made where they are needed
        self.listener: EventObserver | None = None
        """Observer that advances the game in place of the environment, if there is one."""

    def __getstate__(self) -> dict[str, Any]:
        """State with the whole game: a pickled or deep-copied environment plays on identically."""
        # Without observation writers: their addresses hold in one process only.
        return {**self.__dict__, "_sights": {}, SEAL: seal(self._arrays)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_seal(state.pop(SEAL, None), state["_arrays"])
        self.__dict__.update(state)

    # --- the records ------------------------------------------------------------------------------

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

    # --- moving on --------------------------------------------------------------------------------

    def _start(
        self,
        seed: int,
        episode: int,
        decisions: int | None,
        seating: int | None,
        first_hand: FirstHand,
    ) -> None:
        """Seat the players for a numbered episode."""
        if decisions is None:
            decisions = episode
        if seating is None:
            seating = DRAWN if len(self.tables) > 1 else IN_ORDER
        kernels.start_game(*self._arrays, np.uint64(seed), episode, decisions, seating)
        first_hand.apply(self._arrays)
        if self.listener is not None:
            self.listener.start(self.tables)

    def _advance(self) -> int:
        """Move on to the next event; for a decision, mask and facts are filled in."""
        advance = kernels.advance if self.listener is None else self.listener.advance
        event: int = advance(*self._state, self._mask, self._facts)
        return event

    def _do(self, number: int) -> int:
        """Do an action by its number and move on; ``ILLEGAL`` if it is not legal."""
        step = kernels.step if self.listener is None else self.listener.step
        event: int = step(*self._state, number, self._mask, self._facts)
        return event

    def _put_table_back(self, record: np.void) -> bool:
        """Whether the record of the table that plays could be replaced by an earlier one.

        Raises:
            ValueError: The record is not such a record.
        """
        game, tables, *_ = self._arrays
        check_replacement(record, game, tables, most_chips=sum(self.stacks))
        return bool(kernels.replace_table(*self._arrays[:2], np.atleast_1d(record)))

    def _changing_arrays(self) -> list[AnyArray]:
        """Arrays that a game changes, as bytes: NumPy copies structured records field by field."""
        records = [array.view(np.uint8) for array in self._arrays[:3]]
        observed = [] if self.listener is None else self.listener.changing_arrays()
        return [*records, self._mask, self._facts, *observed]

    # --- looking ----------------------------------------------------------------------------------

    @property
    def parts(self) -> tuple[Part, ...]:
        """Meaning of the numbers of the observation, in order."""
        return self.observation.parts(self.game, self.num_players)

    def vector(self, player: int, observation: Observation | None = None) -> F32:
        """Observation of a player now.

        Args:
            player: Number of the player.
            observation: Any observation; that of the environment if not given.

        Returns:
            ``(size,)`` float32, as the parts of the observation say.
        """
        seen = self.observation if observation is None else observation
        address, size, tables_address, _ = self._sights.get(seen.name) or self._observation_writer(
            seen
        )
        _, tables, players, _ = self._arrays
        out = np.empty(size, np.float32)
        kernels.observe(address, tables, players, player, tables_address, out)
        return out

    def _observation_writer(self, seen: Observation) -> _ObservationWriter:
        tables = np.asarray((load_tables() if seen.looks_up else _NO_TABLES).base)
        size = seen.size_in(self.game, self.num_players)
        writer = self._sights[seen.name] = _ObservationWriter(
            seen.address, size, tables.ctypes.data, tables
        )
        return writer

    def raise_range(self) -> tuple[int, int]:
        """The least and the most that the player to act may raise to; see ``what_if``."""
        return what_if.raise_range(self.table)

    def run_out(self, board: str = "") -> np.void:
        """A copy of the table with the whole board open; see ``what_if.run_out``."""
        return what_if.run_out(self.table, board)

    def showdown(self) -> Mapping[str, int]:
        """Chips that everyone would have if all showed their cards now; see ``what_if``."""
        table = self.table
        return {
            self.possible_agents[table["player"][seat]]: chips
            for seat, chips in what_if.showdown(table).items()
        }
