"""Compiled players in the seats of an environment: ``agents.policy.dispatch`` for environments.

The environment notifies a listener of its moves, so that players with memory learn what happens,
whichever code calls ``step``; without such players the environment moves by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.policy.compiled_player import Player
from agents.policy.dispatch import (
    act_and_notify,
    anybody_remembers,
    begin_hand,
    begin_session,
    decide,
    end_hand,
)
from agents.policy.player_batch import pack_players_of
from agents.policy.view import OUTSIDE
from nlhe_env import raw_env
from nlhe_env.envs import step_kernels as kernels
from nlhe_env.envs.decision_facts import PLAYER
from nlhe_env.game import tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.jit.array_types import I8, I64, AnyArray, Records
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.spaces import actions


class EnvOpponents:
    """The compiled players of an environment.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``.
        players: By agent name; those that are not compiled act outside.

    Raises:
        ValueError: A player does not know this game.
    """

    def __init__(self, env: raw_env, players: Mapping[str, Player]) -> None:
        self.players = dict(players)
        self._encoding = (env.encoding.kind, env.fractions)
        self.field = pack_players_of([players.get(agent) for agent in env.possible_agents])
        self.field.check(env.tables)
        self.work = self.field.work_arrays()
        """View and choices of the compiled player that decided last, and all memory."""
        self._load()

    def _load(self) -> None:
        self.for_kernels: tuple[Any, ...] = (
            self.field.arrays,
            self.field.strength_tables(),
            self.work,
        )
        """The players, the tables they look at, and their scratch."""
        self.listens = self.work.memory.shape[1] > 0

    def __getstate__(self) -> dict[str, Any]:
        """State without addresses, which are those of this process."""
        return {name: value for name, value in self.__dict__.items() if name != "for_kernels"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore with addresses of this process."""
        self.__dict__.update(state)
        self._load()

    def sit_down(self, env: raw_env) -> None:
        """Listen to the environment from now on, if a player has a listener.

        Seats of the same players that listened before, as in a copy of an environment, hand over
        what they remember. Else a session begins.
        """
        before = env.listener
        if not self.listens or before is self:
            return
        env.listener = self
        if isinstance(before, EnvOpponents) and before.field.is_same_as(self.field):
            self.work = before.work
            self._load()
        else:
            self.start(env.tables)
            _join(env.game_record, env.tables, *self.for_kernels)

    def action(self, env: raw_env) -> int:
        """The id that the player to act, a compiled one, chooses.

        Raises:
            RuntimeError: The game is over.
        """
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            raise RuntimeError(f"the game is over: {agent} has nothing to decide")
        records = (env.game_record, env.tables, env.players)
        return int(decide_in(*records, *self._encoding, *self.for_kernels))

    def play_on(self, arrays: GameArrays, mask: I8, facts: I64) -> int:
        """Let compiled players act until another player is to act, or a hand ends.

        Args:
            arrays: Arrays of the environment's game; a compiled player is to act.
            mask: Written as by ``nlhe_env.envs.step_kernels.step``.
            facts: See ``mask``.

        Returns:
            The event that ``nlhe_env.envs.step_kernels.step`` returned last.
        """
        return int(_play_on(*arrays, *self._encoding, mask, facts, *self.for_kernels))

    # --- as the listener of an environment --------------------------------------------------------

    def start(self, tables: Records) -> None:
        """A game has been started at these tables."""
        begin_session(tables, *self.for_kernels)

    def advance(self, *state: Any) -> int:
        """``step_kernels.advance``, and notify the players."""
        return int(_advance_and_notify(*state, *self.for_kernels))

    def step(self, *state: Any) -> int:
        """``step_kernels.step``, and notify the players."""
        return int(_step_and_notify(*state, *self.for_kernels))

    def changing_arrays(self) -> list[AnyArray]:
        """Arrays that a game changes."""
        return [self.work.memory, self.work.event]


@inlined_kernel
def decide_in(game, tables, players, encoding, fractions, field, strength_tables, work):
    """``decide`` for environments: the id in any action encoding.

    In other encodings than the sized one a raise goes to the legal amount nearest to the drawn one.
    """
    action_id, action = decide(game[0], tables, players, field, strength_tables, work)
    if encoding == actions.SIZED:
        return action_id
    return actions.nearest_id(tables[game[0].table], encoding, fractions, action)


@kernel
def _join(game, tables, field, strength_tables, work):
    """Notify of the hand that runs already."""
    table = tables[game[0].table]
    if table.actor != NO_PLAYER:
        begin_hand(table, field, strength_tables, work)


@kernel
def _advance_and_notify(
    game, tables, players, levels, encoding, fractions, mask, facts, field, strength_tables, work
):
    event = kernels.advance(game, tables, players, levels, encoding, fractions, mask, facts)
    if event == tournament.DECISION:
        begin_hand(tables[game[0].table], field, strength_tables, work)
    elif event == tournament.HAND_OVER:
        end_hand(tables[game[0].table], field, strength_tables, work)
    return event


@kernel
def _step_and_notify(
    game,
    tables,
    players,
    levels,
    encoding,
    fractions,
    action_id,
    mask,
    facts,
    field,
    strength_tables,
    work,
):
    action = actions.decode(game[0], tables[game[0].table], encoding, fractions, action_id)
    if action == actions.ILLEGAL:
        return actions.ILLEGAL
    act_and_notify(game[0], tables, players, action, field, strength_tables, work, True)
    return _advance_and_notify(
        game,
        tables,
        players,
        levels,
        encoding,
        fractions,
        mask,
        facts,
        field,
        strength_tables,
        work,
    )


@kernel
def _play_on(
    game,
    tables,
    players,
    levels,
    encoding,
    fractions,
    mask,
    facts,
    field,
    strength_tables,
    work,
):
    """Many ``decide_in`` and steps in one call from Python.

    Goes on until one that is ``OUTSIDE`` is to act or something else than a decision comes up;
    returns that event.
    """
    notifies = anybody_remembers(field)
    while True:
        action_id = decide_in(
            game, tables, players, encoding, fractions, field, strength_tables, work
        )
        if notifies:
            event = _step_and_notify(
                game,
                tables,
                players,
                levels,
                encoding,
                fractions,
                action_id,
                mask,
                facts,
                field,
                strength_tables,
                work,
            )
        else:
            event = kernels.step(
                game, tables, players, levels, encoding, fractions, action_id, mask, facts
            )
        if event != tournament.DECISION:
            return event
        if field.traits[facts[PLAYER]].policy == OUTSIDE:
            return event
