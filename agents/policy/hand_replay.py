"""Replay of an external hand through compiled players: memories and action probabilities."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.dispatch import (
    ask,
    begin_hand,
    begin_session,
    describe_action,
    notify_table,
)
from agents.policy.events import ACTED
from agents.policy.likelihood import Candidates, Likelihoods, write_chances_of_action
from agents.policy.player_batch import Seated, pack_players
from agents.policy.view import MOST_CHOICES
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game.player import PLAYER, PlayerRecords
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, TABLE, TableRecords
from nlhe_env.game.tournament import note_action
from nlhe_env.hand_history import Hand, play_hand
from nlhe_env.jit.array_types import F32, F64, I64, Int, Records
from nlhe_env.jit.compilation import kernel

_WORDS = {"fold": FOLD, "check": CHECK_OR_CALL, "call": CHECK_OR_CALL}


class DecisionSnapshot(NamedTuple):
    """State at a decision, before the action."""

    table: TableRecords
    """``(1,)`` table record."""
    players: PlayerRecords
    """``(n_players,)`` player records."""
    memory: F32
    """``(n_players, m)`` memories."""


class _Decision(NamedTuple):
    """A past decision."""

    table: Records
    """``(1,)`` table record before the action."""
    memory: F32
    """Memory of all players."""
    action: int


class HandReplay:
    """A hand up to a decision, with the same player in every seat.

    Args:
        player: The player, without memory of earlier hands.
        hand: A hand that ends at a decision.
        number: Number of the hand in its session.
        before_action: Callback at every decision, before players are notified of the action.

    Raises:
        HandError: The hand is invalid.
        ValueError: The player does not support the game.

    Attributes:
        index: Index of the last action in the hand, -1 before the first; in ``before_action``, of
            the coming one.
    """

    def __init__(
        self,
        player: CompiledPlayer,
        hand: Hand,
        *,
        number: int = 0,
        before_action: Callable[[HandReplay], None] | None = None,
    ) -> None:
        n = len(hand.stacks)
        self._batch = pack_players([player] * n)
        self._work = self._batch.work_arrays()
        self._seated = self._batch.seated(self._work)
        self._asking = Likelihoods.new()
        self._players = np.zeros(n, PLAYER)
        self._moments: list[_Decision] = []
        self._known: dict[int, F64] = {}  # action likelihoods of past decisions
        self._now = np.zeros(1, TABLE)
        for index, step in enumerate(play_hand(hand), -1):
            self.index = index
            before, table = self._now, np.array([step.table])
            table["hand"] = number
            if step.event is None:
                self._batch.check(table)
                begin_session(table, self._seated)
                _begin_hand(table, self._seated)
            elif step.event["seat"] == before[0]["actor"]:  # others are absent, and fold
                if before_action is not None:
                    before_action(self)
                action = int(step.event.get("to", _WORDS.get(step.event["action"], FOLD)))
                self._moments.append(_Decision(before, self._work.memory.copy(), action))
                _notify_action(before, table, action, self._players, self._seated)
            self._now = table

    @property
    def table(self) -> np.void:
        """Record of the table at the decision."""
        record: np.void = self._now[0]
        return record

    @property
    def seated(self) -> Seated:
        """The players for kernels, with their current memories."""
        return self._seated

    def snapshot(self) -> DecisionSnapshot:
        """Copies of the state at the decision."""
        return DecisionSnapshot(self._now.copy(), self._players.copy(), self._work.memory.copy())

    def choices(self) -> list[tuple[int, float]]:
        """Actions and weights of the player to act, for one that answers with amounts."""
        offered = self.offered()
        n = int(offered["n"])
        pairs = zip(offered["action"][:n].tolist(), offered["chance"][:n].tolist(), strict=True)
        return list(pairs) or [(CHECK_OR_CALL, 1.0)]

    def choices_of_hands(self) -> dict[int, F64]:
        """``(1326,)`` probabilities of every action that the player to act may take.

        See ``choices``; the hand of cards a > b is at C(a, 2) + b.
        """
        player = int(self.table["actor"])
        actions = np.zeros((N_HOLES, MOST_CHOICES), np.int64)
        chances = np.zeros((N_HOLES, MOST_CHOICES))
        now = self._now.copy()
        _write_choices(player, now, self._players, self._seated, HOLES, actions, chances)
        total = chances.sum(axis=1)
        actions[total == 0, 0], chances[total == 0, 0] = CHECK_OR_CALL, 1.0
        chances /= np.where(total > 0, total, 1.0)[:, np.newaxis]
        found: dict[int, F64] = {}
        for action in np.unique(actions[chances > 0]).tolist():
            found[action] = np.where(actions == action, chances, 0.0).sum(axis=1)
        return found

    def offered(self) -> np.void:
        """List of choices of the player to act, a record of dtype ``CHOICES``."""
        player = int(self.table["actor"])
        _ask(player, self._now, self._players, self._seated)
        record: np.void = self._work.choices[0]
        return record

    def chances(self, action: int) -> F64:
        """``(1326,)`` probabilities with which the player to act takes an action with each hand."""
        now = self._now.copy()
        return self._chances(_Decision(now, self._work.memory.copy(), action))

    def reach(self, place: int, street: int, tremble: float = 0.0) -> F64:
        """Reach probability of each hand of a player at a street, by its own actions.

        Args:
            place: Place of the player in the hand.
            street: The street; only decisions on earlier streets count.
            tremble: Probability of taking the observed action with any hand.

        Returns:
            ``(1326,)`` probabilities, with the hand of cards a > b at C(a, 2) + b.
        """
        reach = np.ones(N_HOLES)
        for i, moment in enumerate(self._moments):
            table = moment.table[0]
            if table["actor"] == place and table["street"] < street:
                if i not in self._known:
                    self._known[i] = self._chances(moment)
                reach *= tremble + (1.0 - tremble) * self._known[i]
        return reach

    def _chances(self, moment: _Decision) -> F64:
        """``(1326,)`` likelihoods of a past decision's action."""
        now = self._work.memory.copy()
        self._work.memory[:] = moment.memory
        chances = np.zeros(N_HOLES)
        _write_chances(
            int(moment.table[0]["actor"]),
            moment.table.copy(),
            self._players,
            moment.action,
            Candidates(HOLES, np.arange(N_HOLES)),
            self._seated,
            self._asking,
            chances,
        )
        self._work.memory[:] = now
        return chances


@kernel
def _begin_hand(tables: TableRecords, seated: Seated) -> None:
    begin_hand(tables[0], seated)


@kernel
def _notify_action(
    before: TableRecords, after: TableRecords, action: Int, players: PlayerRecords, seated: Seated
) -> None:
    """Notify the players of an action between two table states."""
    table, event = before[0], seated.work.event[0]
    note_action(table, players, action)
    describe_action(event, table, action)
    event.chips = table.stack[table.actor] - after[0].stack[table.actor]
    notify_table(ACTED, after[0], seated)


@kernel
def _ask(player: Int, tables: TableRecords, players: PlayerRecords, seated: Seated) -> None:
    ask(player, tables[0], players, seated)


@kernel
def _write_choices(
    player: Int,
    tables: TableRecords,
    players: PlayerRecords,
    seated: Seated,
    holes: I64,
    actions: I64,
    chances: F64,
) -> None:
    """Query the choices with every hand; the table's cards are overwritten."""
    table, choices = tables[0], seated.work.choices[0]
    seat = table.actor
    for hand in range(len(holes)):
        for i in range(2):
            table.cards[2 * seat + i] = holes[hand, i]
        table.strength_key[seat] = 0  # drop the cache for other cards
        ask(player, table, players, seated)
        for i in range(choices.n):
            actions[hand, i] = choices.action[i]
            chances[hand, i] = choices.chance[i]


@kernel
def _write_chances(
    player: Int,
    tables: TableRecords,
    players: PlayerRecords,
    action: Int,
    hands: Candidates,
    seated: Seated,
    likelihoods: Likelihoods,
    chances: F64,
) -> None:
    write_chances_of_action(player, tables[0], players, action, hands, seated, likelihoods, chances)
