"""Compiled players in the seats of an environment: ``agents.policy.dispatch`` for environments.

The environment notifies a listener of its events, so that players with memory observe the game
whichever code calls ``step``. Without such players there is no listener.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from agents.policy.dispatch import (
    act_and_notify,
    advance_and_notify,
    any_has_memory,
    begin_hand,
    begin_session,
    decide,
)
from agents.policy.player_batch import Seated, pack_players_of
from agents.policy.view import OUTSIDE
from nlhe_env import raw_env
from nlhe_env.envs.decision_facts import PLAYER
from nlhe_env.envs.step_kernels import show_decision
from nlhe_env.game import tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import NO_PLAYER, TableRecords
from nlhe_env.jit.array_types import F64, I8, I64, AnyArray, Int, Records, Truth
from nlhe_env.jit.compilation import direct_call, inlined_kernel, kernel
from nlhe_env.spaces import actions

if TYPE_CHECKING:
    from agents.policy.compiled_player import Player


class EnvOpponents:
    """The compiled players of an environment.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``.
        players: Players by agent name; those that are not compiled act outside.

    Raises:
        ValueError: A player does not support this game.
    """

    def __init__(self, env: raw_env, players: Mapping[str, Player]) -> None:
        self.players = dict(players)
        self._encoding = (env.encoding.kind, env.fractions)
        self.batch = pack_players_of([players.get(agent) for agent in env.possible_agents])
        self.batch.check(env.tables)
        self.work = self.batch.work_arrays()
        """View and choices of the compiled player that decided last, and all memory."""
        self._load()

    def _load(self) -> None:
        self.for_kernels = self.batch.seated(self.work)
        """The players, the tables they look at, and their scratch."""
        self._entries: dict[Callable[..., Int], Callable[..., int]] = {}  # compiled when needed
        self.listens = self.work.memory.shape[1] > 0

    def __getstate__(self) -> dict[str, Any]:
        """State without addresses, which are valid in this process only."""
        of_this_process = ("for_kernels", "_entries")
        return {name: value for name, value in self.__dict__.items() if name not in of_this_process}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore the state with addresses of this process."""
        self.__dict__.update(state)
        self._load()

    def sit_down(self, env: raw_env) -> None:
        """Listen to the environment from now on, if a player has an event handler.

        The memory of an earlier listener with the same players, as in a copy of an environment, is
        taken over. Otherwise a session begins.
        """
        before = env.listener
        if not self.listens or before is self:
            return
        env.listener = self
        if isinstance(before, EnvOpponents) and before.batch.is_same_as(self.batch):
            self.work = before.work
            self._load()
        else:
            self.start(env.tables)
            _join(env.game_record, env.tables, self.for_kernels)

    def action(self, env: raw_env) -> int:
        """Action id chosen by the player to act, which must be compiled.

        Raises:
            RuntimeError: The game is over.
        """
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            raise RuntimeError(f"the game is over: {agent} has nothing to decide")
        records = (env.game_record, env.tables, env.players)
        return self._call(decide_in, *records, *self._encoding, self.for_kernels)

    def play_on(self, arrays: GameArrays, mask: I8, facts: I64) -> int:
        """Let compiled players act until another player is to act, or a hand ends.

        Args:
            arrays: Arrays of the environment's game; a compiled player is to act.
            mask: Mask of legal actions, written as by ``nlhe_env.envs.step_kernels.step``.
            facts: Facts of the decision, written like ``mask``.

        Returns:
            The last event from ``nlhe_env.envs.step_kernels.step``.
        """
        return self._call(_play_on, arrays, *self._encoding, mask, facts, self.for_kernels)

    def _call(self, function: Callable[..., Int], *arguments: Any) -> int:
        """Result of a kernel that is called once per decision with arguments of fixed types."""
        entry = self._entries.get(function)
        if entry is None:
            entry = self._entries[function] = direct_call(function, *arguments)
        return int(entry(*arguments))

    # --- as the listener of an environment --------------------------------------------------------

    def start(self, tables: Records) -> None:
        """Begin a session at the tables of a started game."""
        begin_session(tables, self.for_kernels)

    def advance(self, *state: Any) -> int:
        """``step_kernels.advance``; notifies the players."""
        arrays = GameArrays(*state[:4])
        return self._call(_advance, arrays, *state[4:], self.for_kernels, True)

    def step(self, *state: Any) -> int:
        """``step_kernels.step``; notifies the players."""
        arrays = GameArrays(*state[:4])
        return self._call(_step, arrays, *state[4:], self.for_kernels)

    def changing_arrays(self) -> list[AnyArray]:
        """Arrays that change during a game."""
        return [self.work.memory, self.work.event]


@inlined_kernel
def decide_in(
    game: Records,
    tables: TableRecords,
    players: PlayerRecords,
    encoding: Int,
    fractions: F64,
    seated: Seated,
) -> Int:
    """Like ``decide``, with an id in any action encoding.

    In other encodings than the sized one, a raise is the nearest available amount to the drawn one.
    """
    action_id, action = decide(game[0], tables, players, seated)
    if encoding == actions.SIZED:
        return action_id
    return actions.nearest_id(tables[game[0].table], encoding, fractions, action)


@inlined_kernel
def act_by_id(
    arrays: GameArrays,
    encoding: Int,
    fractions: F64,
    action_id: Int,
    seated: Seated,
    notifies: Truth,
) -> Int:
    """Take the action with an id by ``act_and_notify``; returns it, or ``ILLEGAL``."""
    game, tables, players, _ = arrays
    action = actions.decode(game[0], tables[game[0].table], encoding, fractions, action_id)
    if action != actions.ILLEGAL:
        act_and_notify(game[0], tables, players, action, seated, notifies)
    return action


@inlined_kernel
def decide_and_act(
    arrays: GameArrays, encoding: Int, fractions: F64, seated: Seated, notifies: Truth
) -> None:
    """``decide_in`` for the player to act, then ``act_by_id``."""
    game, tables, players, _ = arrays
    action_id = decide_in(game, tables, players, encoding, fractions, seated)
    act_by_id(arrays, encoding, fractions, action_id, seated, notifies)


@kernel
def _join(game: Records, tables: TableRecords, seated: Seated) -> None:
    """Notify the players of a hand in progress."""
    table = tables[game[0].table]
    if table.actor != NO_PLAYER:
        begin_hand(table, seated)


@kernel
def _advance(
    arrays: GameArrays,
    encoding: Int,
    fractions: F64,
    mask: I8,
    facts: I64,
    seated: Seated,
    notifies: Truth,
) -> Int:
    """``step_kernels.advance``; notifies the players if ``notifies``."""
    event = advance_and_notify(arrays, seated, notifies)
    if event == tournament.DECISION:
        show_decision(arrays.tables[arrays.game[0].table], encoding, fractions, mask, facts)
    return event


@kernel
def _step(
    arrays: GameArrays,
    encoding: Int,
    fractions: F64,
    action_id: Int,
    mask: I8,
    facts: I64,
    seated: Seated,
) -> Int:
    """``step_kernels.step``; notifies the players."""
    if act_by_id(arrays, encoding, fractions, action_id, seated, True) == actions.ILLEGAL:
        return actions.ILLEGAL
    return _advance(arrays, encoding, fractions, mask, facts, seated, True)


@kernel
def _play_on(
    arrays: GameArrays, encoding: Int, fractions: F64, mask: I8, facts: I64, seated: Seated
) -> Int:
    """Let players act until an ``OUTSIDE`` player is to act or another event occurs."""
    notifies = any_has_memory(seated.batch)
    while True:
        decide_and_act(arrays, encoding, fractions, seated, notifies)
        event = _advance(arrays, encoding, fractions, mask, facts, seated, notifies)
        if event != tournament.DECISION:
            return event
        if seated.batch.traits[facts[PLAYER]].policy == OUTSIDE:
            return event
