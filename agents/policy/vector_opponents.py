"""Compiled opponents at many tables, acting until every learner is to act.

It is the loop of ``agents.policy.env_opponents`` for many games per call; games are identical to
those of single environments with the same seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.dispatch import advance_and_notify, any_has_memory, begin_session
from agents.policy.env_opponents import act_by_id, decide_and_act
from agents.policy.events import EVENT
from agents.policy.player_batch import PlayerArrays, Seated, WorkArrays, pack_players_of
from nlhe_env.envs.learner_kernels import (
    ACT,
    BEGIN,
    REST,
    Learners,
    begin_episode,
    collect,
    show_turn,
    take_in,
)
from nlhe_env.game import tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.jit.array_types import F32, I64, Int, Records, Truth
from nlhe_env.jit.atomics import fetch_add
from nlhe_env.jit.compilation import direct_call, inlined_kernel, kernel
from nlhe_env.system.threads import Threads


class VectorOpponents:
    """Opponents at many tables, the same at each.

    Args:
        lineups: Players by number, with None for the learner: one lineup, or one for every possible
            learner number.
        num_tables: Number of tables, at least 1.
        threads: Number of threads that share the tables.

    Raises:
        ValueError: A player is not compiled.
    """

    def __init__(
        self, lineups: Sequence[Sequence[Any | None]], num_tables: int, threads: int
    ) -> None:
        for i, player in enumerate(p for p in lineups[0] if p is not None):
            if not isinstance(player, CompiledPlayer):
                raise ValueError(
                    f"opponents must be compiled players to act at many tables in one call; got "
                    f"{player!r} as opponent {i}: seat it with "
                    'make_vec(..., vectorization_mode="sync")'
                )
        seats = len(lineups[0])
        self._batch = pack_players_of([player for lineup in lineups for player in lineup])
        self._threads = min(threads, num_tables)
        self._scratch = [self._batch.work_arrays(seats) for _ in range(self._threads)]
        n_memory = self._scratch[0].memory.shape[1]
        self._memory = np.zeros((num_tables, seats, n_memory), np.float32)
        self._events = np.zeros(num_tables, EVENT)
        self._load()

    def _load(self) -> None:
        self.strength_tables = self._batch.strength_tables
        self._team = Threads(self._threads - 1)
        self._entry: Callable[..., None] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """State without tables, threads and machine code, which are valid in this process only."""
        left_out = {"strength_tables", "_team", "_entry"}
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore the state with tables and threads of this process."""
        self.__dict__.update(state)
        self._load()

    def play(self, of: Learners) -> None:
        """Play every table up to the learner's next turn or the end of its episode.

        Raises:
            ValueError: A player does not support this game.
        """
        self._batch.check(of.tables[0])
        n = len(of.todo)
        given = of, self._batch.arrays, self._memory, self._events
        free = self._scratch.copy()
        if self._threads == 1:
            self._entry = self._entry or direct_call(_play, 0, n, *given, free[0])
            self._entry(0, n, *given, free[0])
            return
        entry = self._entry or direct_call(_play_shared, np.zeros(1, np.int64), 0, *given, free[0])
        self._entry = entry
        self._team.share(lambda counter, span: entry(counter, span, *given, free.pop()), n)

    def close(self) -> None:
        """Shut down the threads."""
        self._team.close()


@kernel
def _play_shared(
    counter: I64,
    span: Int,
    of: Learners,
    batch: PlayerArrays,
    memory: F32,
    events: Records,
    scratch: WorkArrays,
) -> None:
    """``_play`` for the tables that this thread takes from a counter, ``span`` at a time."""
    n = len(of.todo)
    while True:
        first = fetch_add(counter, span)
        if first >= n:
            return
        _play(first, min(first + span, n), of, batch, memory, events, scratch)


@kernel
def _play(
    first: Int,
    last: Int,
    of: Learners,
    batch: PlayerArrays,
    memory: F32,
    events: Records,
    scratch: WorkArrays,
) -> None:
    """``play`` for tables ``first`` to ``last - 1``."""
    seats = of.players.shape[1]
    notifies, settings = any_has_memory(batch), of.settings
    for i in range(first, last):
        what = of.todo[i]
        if what == REST:
            continue
        start = np.int64(0)
        if len(batch.traits) > seats:  # one lineup per learner number
            start = of.learner[i] * seats
        here = PlayerArrays(
            batch.traits[start : start + seats], batch.weights[start : start + seats]
        )
        work = WorkArrays(
            scratch.inputs,
            scratch.choices,
            events[i : i + 1],
            scratch.scratch,
            memory[i],
            scratch.no_fractions,
        )
        seated = Seated(here, of.strength_tables, work)
        arrays = GameArrays(of.games[i : i + 1], of.tables[i], of.players[i], settings.levels)
        if what == ACT:
            of.out.since_action[i, of.learner[i]] = 0.0
            action_id = of.action_ids[i]
            act_by_id(arrays, settings.encoding, settings.fractions, action_id, seated, notifies)
        else:
            if what == BEGIN:
                begin_episode(i, of)
            if notifies:
                begin_session(of.tables[i], seated)
        _play_to_learner(i, of, arrays, seated, notifies)


@inlined_kernel
def _play_to_learner(
    i: Int, of: Learners, arrays: GameArrays, seated: Seated, notifies: Truth
) -> None:
    """Let the opponents act until the learner's turn or the end of its episode."""
    settings = of.settings
    while True:
        event = advance_and_notify(arrays, seated, notifies)
        if event != tournament.DECISION:
            if take_in(i, event, of):
                return
            continue
        collect(i, of)
        table = arrays.tables[arrays.game[0].table]
        if table.player[table.actor] == of.learner[i]:
            show_turn(i, of)
            return
        decide_and_act(arrays, settings.encoding, settings.fractions, seated, notifies)
