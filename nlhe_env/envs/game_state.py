"""State of a running game: record arrays, steps between decisions, and observations.

This part of an environment is independent of agents, rewards and episodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from nlhe_env.envs import step_kernels as kernels
from nlhe_env.envs.checksums import SEAL, check_seal, seal
from nlhe_env.envs.decision_facts import N_ALL_FACTS
from nlhe_env.envs.reset_options import FirstHand
from nlhe_env.equity import load_tables
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game.description import Game
from nlhe_env.game.hand_result import new_numbers, seat_rows, write_hand
from nlhe_env.game.tournament import DRAWN, HAND_OVER, IN_ORDER
from nlhe_env.game.validity import check_replacement
from nlhe_env.jit.array_types import F32, AnyArray, Records
from nlhe_env.jit.compilation import direct_call
from nlhe_env.jit.compile_ahead import compile_ahead
from nlhe_env.spaces.actions import ActionEncoding
from nlhe_env.spaces.observation import Observation

_NO_TABLES = blank_tables()
_FLOAT32 = np.dtype(np.float32)  # an object that NumPy need not look up


class EventObserver(Protocol):
    """Observer of every game event, which advances the game instead of the environment."""

    def start(self, tables: Records) -> None:
        """Handle the start of a game at these tables, before the first deal."""

    def advance(self, *state: Any) -> int:
        """Move on to the next event, see ``step_kernels.advance``."""

    def step(self, *state: Any) -> int:
        """Take an action and move on, see ``step_kernels.step``."""

    def changing_arrays(self) -> list[AnyArray]:
        """The observer's own arrays, for saved games."""


class _ObservationWriter(NamedTuple):
    """Compiled observation writer and its strength tables."""

    observe: Callable[..., None]
    """``step_kernels.observe``."""
    address: int
    tables_address: int
    size: int
    strength_tables: Records
    """The records at ``tables_address``."""


class GameState:
    """Arrays of a running game, with compiled calls to change and observe them.

    Args:
        game: Rules and scoring.
        num_players: Number of players.
        encoding: Meaning of the action ids.
        mask_size: Number of action ids in the mask.
    """

    def __init__(
        self, game: Game, num_players: int, encoding: ActionEncoding, mask_size: int
    ) -> None:
        self.game = game
        self.num_players = num_players
        self.encoding = encoding
        self.fractions = encoding.fractions_array()
        """Pot fractions of the raises, in the format of kernels."""
        self.arrays = game.arrays(num_players)
        self.mask = np.zeros(mask_size, np.int8)
        """1 for the legal ids of the player to act."""
        self.facts = np.zeros(N_ALL_FACTS, np.int64)
        """Facts of the decision, see ``decision_facts``."""
        self.hand_numbers = new_numbers()
        """Result of the last paid hand, see ``hand_result``."""
        self.listener: EventObserver | None = None
        """Observer that advances the game in place of this object, or None."""
        self._for_listener = (*self.arrays, encoding.kind, self.fractions)
        self._writers: dict[str, _ObservationWriter] = {}  # created on first use
        self._locate()

    def _locate(self) -> None:
        """Store the array addresses for the kernels of each step."""
        self._locations = kernels.locate(
            self.arrays,
            self.encoding.kind,
            self.fractions,
            self.mask,
            self.facts,
            self.hand_numbers,
        )
        self._address: int = self._locations.ctypes.data
        self._move: Callable[[int, int], int] | None = None  # loaded on first use
        self._start_game: Callable[..., None] | None = None
        self.seat_rows = seat_rows(self.hand_numbers, self.game.seats(self.num_players))
        """``hand_numbers`` of every seat."""

    def __getstate__(self) -> dict[str, Any]:
        """State with the whole game: a pickled or copied environment continues identically."""
        # Without addresses and views, which are valid only for these arrays in this process.
        state = {**self.__dict__, "_writers": {}, SEAL: seal(self.arrays)}
        for name in ("_locations", "_address", "_move", "_start_game", "seat_rows"):
            del state[name]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_seal(state.pop(SEAL, None), state["arrays"])
        self.__dict__.update(state)
        self._locate()

    @property
    def table(self) -> np.void:
        """The record of the current table."""
        record: np.void = self.arrays.tables[self.arrays.game["table"][0]]
        return record

    # --- moving on --------------------------------------------------------------------------------

    def start(
        self,
        seed: int,
        episode: int,
        decisions: int | None,
        seating: int | None,
        first_hand: FirstHand,
    ) -> None:
        """Seat the players for a numbered episode; see ``raw_env.begin_episode``."""
        if decisions is None:
            decisions = episode
        if seating is None:
            seating = DRAWN if len(self.arrays.tables) > 1 else IN_ORDER
        compile_ahead("step")
        arguments = *self.arrays, np.uint64(seed), episode, decisions, seating
        if self._start_game is None:
            self._start_game = direct_call(kernels.start_game, *arguments)
        self._start_game(*arguments)
        first_hand.apply(self.arrays)
        if self.listener is not None:
            self.listener.start(self.arrays.tables)

    def advance(self) -> int:
        """Advance to the next event; for a decision, fill mask and facts."""
        if self.listener is None:
            return (self._move or self._load_move())(self._address, kernels.NO_ACTION)
        return self.with_hand(self.listener.advance(*self._for_listener, self.mask, self.facts))

    def do(self, number: int) -> int:
        """Execute an action by its id and advance; ``ILLEGAL`` if it is illegal."""
        if self.listener is None:
            return (self._move or self._load_move())(self._address, number)
        state = self._for_listener
        return self.with_hand(self.listener.step(*state, number, self.mask, self.facts))

    def _load_move(self) -> Callable[[int, int], int]:
        self._move = direct_call(kernels.move, 0, 0)
        return self._move

    def with_hand(self, event: int) -> int:
        """Return the event, after writing ``hand_numbers`` at the end of a hand."""
        if event == HAND_OVER:
            write_hand(self.arrays.game, self.arrays.tables, self.hand_numbers)
        return event

    def action_of(self, number: int) -> int:
        """Game action of an id at this decision, or ``ILLEGAL``."""
        game, tables, *_ = self.arrays
        return int(kernels.action_of(game, tables, self.encoding.kind, self.fractions, number))

    def put_table_back(self, record: np.void) -> bool:
        """Replace the record of the current table by an earlier one, if possible.

        Raises:
            ValueError: The record is invalid here.
        """
        game, tables, *_ = self.arrays
        most_chips = sum(self.game.stacks(self.num_players))
        check_replacement(record, game, tables, most_chips=most_chips)
        return bool(kernels.replace_table(game, tables, np.atleast_1d(record)))

    def changing_arrays(self) -> list[AnyArray]:
        """Mutable arrays as bytes, since NumPy copies structured records field by field."""
        records = [array.view(np.uint8) for array in self.arrays[:3]]
        return [*records, self.mask, self.facts, *self.memories()]

    def memories(self) -> tuple[AnyArray, ...]:
        """The observer's own arrays."""
        return () if self.listener is None else tuple(self.listener.changing_arrays())

    # --- looking ----------------------------------------------------------------------------------

    def vector(self, player: int, observation: Observation) -> F32:
        """``(size,)`` float32: current observation of a player, given by number."""
        writer = self._writers.get(observation.name) or self._observation_writer(observation)
        observe, address, tables_address, size, _ = writer
        out = np.empty(size, _FLOAT32)
        observe(self._address, player, address, tables_address, out)
        return out

    def _observation_writer(self, observation: Observation) -> _ObservationWriter:
        tables = np.asarray((load_tables() if observation.looks_up else _NO_TABLES).base)
        size = observation.size_in(self.game, self.num_players)
        observe = direct_call(kernels.observe, 0, 0, 0, 0, np.zeros(size, np.float32))
        writer = self._writers[observation.name] = _ObservationWriter(
            observe, observation.address, tables.ctypes.data, size, tables
        )
        return writer
