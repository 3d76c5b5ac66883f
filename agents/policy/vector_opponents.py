"""Compiled players around the learners of many tables: they act until every learner is to act.

The loop of ``agents.policy.env_opponents`` for many games in one call: what the single environment
plays with the same seed comes out bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.dispatch import (
    act_and_notify,
    anybody_remembers,
    begin_hand,
    begin_session,
    end_hand,
)
from agents.policy.env_opponents import decide_in
from agents.policy.events import EVENT
from agents.policy.player_batch import PlayerArrays, WorkArrays, pack_players_of
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
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.spaces import actions


class VectorOpponents:
    """The opponents at many tables, the same at each.

    Args:
        line_ups: Players by number, None for the learner: one line-up, or one for every number
            that the learner may have.
        num_tables: At least 1.
        threads: Number of threads that share the tables.

    Raises:
        ValueError: A player is not compiled.
    """

    def __init__(
        self, line_ups: Sequence[Sequence[Any | None]], num_tables: int, threads: int
    ) -> None:
        for i, player in enumerate(p for p in line_ups[0] if p is not None):
            if not isinstance(player, CompiledPlayer):
                raise ValueError(
                    f"opponents must be compiled players to act at many tables in one call; got "
                    f"{player!r} as opponent {i}: seat it with "
                    'make_vec(..., vectorization_mode="sync")'
                )
        seats = len(line_ups[0])
        self._field = pack_players_of([player for line_up in line_ups for player in line_up])
        self._threads = min(threads, num_tables)
        self._scratch = [self._field.work_arrays(seats) for _ in range(self._threads)]
        n_memory = self._scratch[0].memory.shape[1]
        self._memory = np.zeros((num_tables, seats, n_memory), np.float32)
        self._events = np.zeros(num_tables, EVENT)
        self._load()

    def _load(self) -> None:
        self.strength_tables = self._field.strength_tables()
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        """State without what is good for one process only."""
        left_out = {"strength_tables", "_pool"}
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore with tables and threads of this process."""
        self.__dict__.update(state)
        self._load()

    def play(self, of: Learners) -> None:
        """Do at every table what is to be done, up to the learner's next turn or its end.

        Raises:
            ValueError: A player does not know this game.
        """
        self._field.check(of.tables[0])
        n = len(of.todo)
        field = self._field.arrays
        ends = [n * i // self._threads for i in range(self._threads + 1)]
        shares = [
            (ends[i], ends[i + 1], of, field, self._memory, self._events, scratch)
            for i, scratch in enumerate(self._scratch)
        ]
        if self._pool is None:
            _play(*shares[0])
        else:
            list(self._pool.map(_play, *zip(*shares, strict=True)))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


@kernel
def _play(first, last, of, field, memory, events, scratch):
    """``play`` for the tables from ``first`` up to ``last``."""
    seats = of.players.shape[1]
    notifies = anybody_remembers(field)
    for i in range(first, last):
        what = of.todo[i]
        if what == REST:
            continue
        start = np.int64(0)
        if len(field.traits) > seats:  # a line-up for every number of the learner
            start = of.learner[i] * seats
        seated = PlayerArrays(
            field.traits[start : start + seats], field.weights[start : start + seats]
        )
        work = WorkArrays(
            scratch.inputs,
            scratch.choices,
            events[i : i + 1],
            scratch.scratch,
            memory[i],
            scratch.no_fractions,
        )
        if what == ACT:
            of.out.since_action[i, of.learner[i]] = 0.0
            _act(i, of, of.action_ids[i], seated, work, notifies)
        else:
            if what == BEGIN:
                begin_episode(i, of)
            if notifies:
                begin_session(of.tables[i], seated, of.strength_tables, work)
        _play_to_learner(i, of, seated, work, notifies)


@inlined_kernel
def _act(i, of, action_id, seated, work, notifies):
    """Do an action of the player to act by its id."""
    game, tables = of.games[i], of.tables[i]
    settings = of.settings
    table = tables[game.table]
    action = actions.decode(game, table, settings.encoding, settings.fractions, action_id)
    act_and_notify(game, tables, of.players[i], action, seated, of.strength_tables, work, notifies)


@inlined_kernel
def _play_to_learner(i, of, seated, work, notifies):
    """Let the others act until it is the learner's turn, or its episode is over."""
    game, tables, players = of.games[i], of.tables[i], of.players[i]
    settings = of.settings
    while True:
        event = tournament.advance(game, tables, players, settings.levels)
        table = tables[game.table]
        if event != tournament.DECISION:
            if notifies and event == tournament.HAND_OVER:
                end_hand(table, seated, of.strength_tables, work)
            if take_in(i, event, of):
                return
            continue
        collect(i, of)
        if notifies:
            begin_hand(table, seated, of.strength_tables, work)
        if table.player[table.actor] == of.learner[i]:
            show_turn(i, of)
            return
        action_id = decide_in(
            of.games[i : i + 1],
            tables,
            players,
            settings.encoding,
            settings.fractions,
            seated,
            of.strength_tables,
            work,
        )
        _act(i, of, action_id, seated, work, notifies)
