"""A game at one table for people and computer players, independent of the web.

It steps the environment with the choices of people and of ``agents.Lineup``; no rules of poker are
implemented here. It advances by one visible event at a time and stops when a hand is paid, so that
all viewers can see the result.

``env.step`` continues to the next decision, possibly several hands later, but a table for people
stops when cards are shown: the environment keeps copies of its tables at the end of each hand.

``Game.cash`` resets all stacks before every hand, so that hands are comparable. In a home game
people keep their winnings, and may buy chips again: here each player's stack becomes the one to
reset to.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from agents.external.chips import chips_id_of
from agents.external.episodes import Lineup
from agents.external.hooks import HandFollower
from agents.external.player_lifecycle import close_all
from agents.policy.compiled_player import Player
from agents.web.table.bots import BotFaults, report_of
from agents.web.table.explanation_view import ExplainedDecision
from agents.web.table.played_hands import PlayedHands
from agents.web.table.positions import Position
from agents.web.table.setup import HUMAN, GameSetup
from agents.web.table.view import TableSnapshot, dealt_in, result_view
from nlhe_env.envs import decision_facts as at
from nlhe_env.envs.aec import raw_env
from nlhe_env.game.description import Game
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.hand_history import Hand, action_event, hand_of
from nlhe_env.jit.array_types import I8, Records
from nlhe_env.spaces.actions import CALL_ID, FOLD_ID

HUMAN_TO_ACT, PLAYER_TO_ACT, HAND_OVER, GAME_OVER, FAILED = (
    "human",
    "player",
    "hand over",
    "game over",
    "failed",
)
"""Phases of a game."""

_MOST_HANDS_KEPT = 5000
_MOST_SUMMARIES = 40


MOST_MASKED = 2**24
"""Maximum number of chips at a table for masks with an entry per amount."""


MOST_BOUGHT = 2**40
"""Maximum number of chips bought at a table, as many as a game may begin with."""


class Stacks:
    """Chips held and bought by each seat of a table.

    A player who has lost everything buys in again automatically; others with less than the buy-in
    may buy up to it.

    Args:
        stacks: Initial chips of every seat; the largest is the buy-in.
    """

    def __init__(self, stacks: Sequence[int]) -> None:
        self.buy_in = max(stacks)
        self.bought = list(stacks)
        """Chips that every seat has paid for so far."""
        self.rebuys: set[int] = set()
        """Seats that want to buy when the hand in play is paid; at a result, this is the next hand,
        which the environment has dealt already.
        """

    @property
    def too_many(self) -> bool:
        """Whether more chips have been bought than a game supports."""
        return sum(self.bought) > MOST_BOUGHT

    def carry(self, table: np.void, players: Records) -> None:
        """Start the next hand with the stacks after the last one.

        Args:
            table: Record of the table, whose hand has been paid.
            players: The players' records, whose initial stacks are set.
        """
        for seat in range(int(table["seats"])):
            player = int(table["player"][seat])
            if player == NO_PLAYER:
                continue
            stack = int(table["stack"][seat])
            if stack == 0 or (seat in self.rebuys and stack < self.buy_in):
                self.bought[seat] += self.buy_in - stack
                stack = self.buy_in
            players["entry_stack"][player] = stack
        self.rebuys.clear()


class HandRecords(NamedTuple):
    """Records of a hand just paid."""

    table: np.void
    """Copy of the table record: cards, pots and their winners, stacks after the hand."""
    players: Records
    """Copy of the players' records."""


class RecordingEnv(raw_env):
    """``raw_env`` with actions in chips that keeps a copy of every table at the end of its hand.

    Its memory does not grow with the chips in play, which are unlimited with carried stacks: it has
    no spaces, and the mask only covers fold and call. The game knows the range of raises, and
    players that need a full mask get one on demand.
    """

    finished: list[HandRecords]
    carried: Stacks | None = None
    """Stacks carried from hand to hand; None if they are reset."""

    def __init__(self, num_players: int, *, game: Game) -> None:
        super().__init__(num_players, game=game, actions="chips")
        self._n_actions = int(np.iinfo(np.int64).max)

    def _mask_size(self) -> int:
        return 2

    def _make_spaces(self) -> None:
        """Make no spaces, since their bounds would be arrays as long as the mask."""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """See ``raw_env.reset``."""
        self.finished = []
        super().reset(seed, options)

    def take_finished(self) -> list[HandRecords]:
        """Return the hands that have ended since the last call."""
        finished, self.finished = self.finished, []
        return finished

    def action_mask(self, agent: str) -> I8:
        """``(chips at the table + 1,)`` mask, see ``raw_env.action_mask``.

        Raises:
            ValueError: There are more than ``MOST_MASKED`` chips at the table.
        """
        table = self.table
        chips = int(table["stack"].sum() + table["pot"])
        if chips > MOST_MASKED:
            raise ValueError(
                f"a player that reads a mask of legal actions sits at tables of at most "
                f"{MOST_MASKED} chips; there are {chips}"
            )
        mask = np.zeros(self.encoding.size(chips), np.int8)
        out = self._is_out(agent)
        if agent == self.agent_selection and not out:
            mask[:2] = self.game_state.mask
            facts = self.game_state.facts
            least, most = facts[at.MIN_RAISE_TO], facts[at.MAX_RAISE_TO]
            if most:
                mask[chips_id_of(int(least)) : chips_id_of(int(most)) + 1] = 1
        else:
            mask[1] = out
        return mask

    def after_hand(self) -> None:
        """Keep a copy, and start the next hand with the carried stacks."""
        self.finished.append(HandRecords(self.table.copy(), self.players.copy()))
        if self.carried is not None:
            self.carried.carry(self.table, self.players)


def secret_seed() -> int:
    """A new unguessable seed."""
    return secrets.randbits(64)


class Refusal(Exception):  # noqa: N818  (not a fault)
    """An action cannot be taken now; the text is for the person who tried."""


class GameSnapshot(NamedTuple):
    """Immutable snapshot of a game at one moment."""

    snapshot: TableSnapshot
    phase: str
    turn: int
    names: tuple[str, ...]
    options: dict[str, int]
    """Choices of the seat to act: chips to call, minimum and maximum raise."""
    places: dict[int, tuple[int, int]]
    """First and last of the places shared by players who went out together, by seat."""
    humans_left: tuple[int, ...]
    net: tuple[int, ...]
    hands_played: int
    level: int
    hands_to_next_level: int
    """Hands until the next blind level; 0 on the last level."""
    summaries: tuple[dict[str, Any], ...]
    """Results of the latest hands, newest last."""
    seed: int
    error: str
    bots: dict[int, BotFaults]
    """Reports on the programs, by seat."""
    bought: tuple[int, ...] = ()
    """Chips bought by every seat, if stacks are carried."""


class LiveGame:
    """One game, from the first deal to the last.

    Args:
        setup: The game to play.
        players: Players by seat, ``None`` for people; closed with the game.
        names: Names by seat; persons may change theirs.
        seed: Seed of the cards; default: that of the setup, or a secret one.
        turn: Number of the first turn.
        record: Record of the finished hands, if they are saved.

    Raises:
        ValueError: The position of the setup is invalid.
    """

    def __init__(
        self,
        setup: GameSetup,
        players: Sequence[Player | None],
        names: Sequence[str],
        *,
        seed: int | None = None,
        turn: int = 0,
        record: PlayedHands | None = None,
    ) -> None:
        self.setup = setup
        self.record = record
        self.names = list(names)
        chosen = setup.seed if seed is None else seed
        self.seed = secret_seed() if chosen is None else chosen
        self._players = list(players)
        self._env = RecordingEnv(len(setup.seats), game=setup.game)
        self.stacks = Stacks(setup.stacks) if setup.carries else None
        """Stacks of a cash game in which they are carried from hand to hand."""
        self._env.carried = self.stacks
        agents = self._env.possible_agents
        self._by_agent: Mapping[str, Any] = dict(zip(agents, self._players, strict=True))
        self._lineup = Lineup(
            self._env, {agent: player for agent, player in self._by_agent.items() if player}
        )
        self.hands: deque[tuple[Hand, bool]] = deque(maxlen=_MOST_HANDS_KEPT)
        """The hands that are over, the newest last, and whether all cards may be shown."""
        self.hands_played = 0
        self.last_stacks: list[int] = []
        """Chips of every seat after the last hand that is over; empty before."""
        self._summaries: deque[dict[str, Any]] = deque(maxlen=_MOST_SUMMARIES)
        self.net = [0] * len(players)
        """Winnings of all players in all hands that are over."""
        self.turn = turn
        """Counter of all events; a request that names another turn comes too late."""
        self.error = ""
        self._queue: deque[HandRecords] = deque()
        self._rewards = dict.fromkeys(agents, 0.0)
        position = setup.position
        self._env.reset(seed=self.seed, options=position.options() if position else None)
        self._follower = HandFollower(self._env, self._by_agent)
        self._history: list[dict[str, Any]] = []
        self._explanations: list[ExplainedDecision] = []
        self._latest: dict[int, ExplainedDecision] = {}
        self._open_cards = False
        self._queue.extend(self._env.take_finished())
        self._let_leave()
        self.snapshot = self._next_deal()
        if position is not None:
            self._go_to(position)

    def catch_up(self, earlier: PlayedHands) -> None:
        """Replay earlier hands of this game to the end of the last, without querying players.

        Raises:
            ValueError: The hands do not belong to this game.
        """
        follower = self._follower
        self._follower = HandFollower(self._env, dict.fromkeys(self._by_agent))  # without hooks
        done = len(self._history)  # actions already taken by the position
        for number in range(len(earlier.betting)):
            if number > 0:
                self._deal()
            if self.stacks is not None:
                self.stacks.rebuys.update(earlier.rebuys.get(number, ()))
            actions = earlier.action_ids(number)[done:]
            seed = earlier.seed_after(number + 1, self.seed)
            for i, action_id in enumerate(actions, 1):
                if seed is not None and i == len(actions):  # the last step deals the next hand
                    self._env.game_record["seed"] = np.uint64(seed)
                self._step(action_id)
            if not self.snapshot.over:
                raise ValueError(f"the betting does not lead to the end of hand {number + 1}")
            done = 0
        self._follower = follower

    # --- events -----------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """Phase of the game: what it waits for."""
        if self.error:
            return FAILED
        if self.snapshot.over:
            return HAND_OVER if self._queue or self._env.agents else GAME_OVER
        return HUMAN_TO_ACT if self._players[self.actor] is None else PLAYER_TO_ACT

    @property
    def actor(self) -> int:
        """Seat to act."""
        return int(self.snapshot.table["actor"])

    def _options(self) -> dict[str, int]:
        """Choices of the seat to act: chips to call, minimum and maximum raise (0 for none)."""
        info = self._env.infos[self._env.agent_selection]
        return {name: info[name] for name in ("to_call", "min_raise_to", "max_raise_to")}

    def act(self, seat: int, turn: int, action: str, to: int = 0) -> None:
        """Take an action of the person in a seat.

        Args:
            seat: Seat of the person.
            turn: Number of the turn that the person saw.
            action: ``"fold"``, ``"call"`` (or check) or ``"raise"`` (or bet).
            to: Chips on this street after a raise.

        Raises:
            Refusal: It is not this person's turn, or the action is illegal; nothing changes.
        """
        if self.phase != HUMAN_TO_ACT or self.actor != seat:
            raise Refusal("it is not your turn")
        if turn != self.turn:
            raise Refusal("too late: the game has moved on")
        may = self._options()
        if action == "fold":
            if may["to_call"] == 0:
                raise Refusal("you can check: there is nothing to fold to")
            self._step(FOLD_ID)
        elif action == "call":
            self._step(CALL_ID)
        elif action == "raise":
            if may["max_raise_to"] == 0:
                raise Refusal("you cannot raise here")
            if not may["min_raise_to"] <= to <= may["max_raise_to"]:
                raise Refusal(
                    f"a raise must be to {may['min_raise_to']} to {may['max_raise_to']} chips; "
                    f"got {to}"
                )
            self._step(chips_id_of(to))
        else:
            raise Refusal("an action is fold, call or raise")

    def act_for_absent(self) -> None:
        """Check, or fold to a bet, for an absent person."""
        if self.phase == HUMAN_TO_ACT:
            self._step(FOLD_ID if self._options()["to_call"] > 0 else CALL_ID)

    def call_for_absent(self) -> None:
        """Check, or call any bet, as an automatic action."""
        if self.phase == HUMAN_TO_ACT:
            self._step(CALL_ID)

    def advance(self) -> None:
        """Take one action of a computer player, or deal the next hand; else do nothing.

        An exception from a player ends the game; ``error`` then has the reason.
        """
        phase = self.phase
        if phase == HAND_OVER:
            self._deal()
        elif phase == PLAYER_TO_ACT:
            seat = self.actor
            try:
                self._follower.before_decision()
                self._lineup.history = self._follower.history
                action_id = self._lineup.action()
                explanation = self._lineup.explanation()
                if explanation is not None:
                    self._explanations.append(ExplainedDecision(seat, explanation))
                    self._latest[seat] = self._explanations[-1]
                self._step(action_id)
            except Exception as error:
                self.stop(f"{self.names[seat]} failed: {type(error).__name__}: {error}")

    def show_cards(self, seat: int) -> None:
        """Show a player's cards of the hand just paid to all, also in its record."""
        self.snapshot.table["shown"][seat] = True
        hand, open_cards = self.hands[-1]
        shown = (old or at == seat for at, old in zip(hand.seats, hand.shown, strict=True))
        self.hands[-1] = replace(hand, shown=tuple(shown)), open_cards

    def _deal(self) -> None:
        self.turn += 1
        self.snapshot = self._next_deal()

    def rename(self, seat: int, name: str) -> None:
        """Set a person's name, with a number if it is taken."""
        taken_names = [other for at, other in enumerate(self.names) if at != seat]
        self.names[seat] = _free(name, taken_names)

    def stop(self, reason: str) -> None:
        """End the game early."""
        self.error = reason
        self.turn += 1

    def close(self) -> None:
        """End the playing programs."""
        close_all(self._players)

    def abandon(self) -> None:
        """End the programs at once, even while waiting for one of them."""
        for player in self._players:
            abandon = getattr(player, "abandon", None)
            if abandon is not None:
                abandon()

    def _step(self, action_id: int) -> None:
        follower, env = self._follower, self._env
        event = action_event(self.snapshot.table, action_id)
        follower.before_decision()
        follower.before_step(action_id)
        rebuys = () if self.stacks is None else tuple(self.stacks.rebuys)
        env.step(action_id)
        follower.after_step()
        self.turn += 1
        self._history.append(event)
        finished = env.take_finished()
        self._let_leave()
        if finished:
            self._finish(finished[0], rebuys)
            self._queue.extend(finished[1:])
            if self.stacks is not None and self.stacks.too_many:
                self.stop(f"more than {MOST_BOUGHT:,} chips have been bought")
        else:
            self.snapshot = self._take_snapshot(env.table.copy(), env.players.copy(), over=False)

    def _go_to(self, position: Position) -> None:
        """Take the actions leading to a position.

        Raises:
            ValueError: The position cannot be reached.
        """
        while True:
            action_id = position.next_action(self.snapshot.table, len(self._history))
            if action_id is None:
                return
            self._step(action_id)

    def _let_leave(self) -> None:
        """Take the final steps of agents that are out."""
        env = self._env
        while env.agents:
            agent = env.agent_selection
            self._rewards[agent] += env._cumulative_rewards[agent]
            if not (env.terminations[agent] or env.truncations[agent]):
                break
            self._follower.leave(agent, self._rewards[agent])
            env.step(None)

    def _next_deal(self) -> TableSnapshot:
        """The next hand as dealt; its end if no player has a decision in it."""
        self._history, self._explanations = [], []
        if self._queue:
            hand = self._queue.popleft()
            self._open_cards = not self._has_humans(hand.table)
            self._finish(hand)
            return self.snapshot
        table = self._env.table.copy()
        self._open_cards = not self._has_humans(table)
        return self._take_snapshot(table, self._env.players.copy(), over=False)

    def _finish(self, hand: HandRecords, rebuys: Sequence[int] = ()) -> None:
        if self.record is not None:
            self.record.add(self._history, rebuys)
        self.snapshot = self._take_snapshot(hand.table, hand.players, over=True)
        for seat in dealt_in(hand.table):
            self.net[seat] += int(hand.table["stack"][seat] - hand.table["starting_stack"][seat])
        level = None if self.setup.game.is_cash else self._level(hand.table)[0]
        written = hand_of(hand.table, self._history, self.names, level=level)
        self.hands.append((written, self._open_cards))
        self.hands_played += 1
        self.last_stacks = hand.table["stack"][: len(self._players)].tolist()
        result = result_view(self.snapshot, None)
        self._summaries.append({"hand": int(hand.table["hand"]), **_summary(result)})

    def _take_snapshot(self, table: Any, players: Records, *, over: bool) -> TableSnapshot:
        return TableSnapshot(
            table,
            players,
            tuple(self._history),
            over,
            self._open_cards,
            explanations=tuple(self._explanations),
            latest=tuple(self._latest.values()),
        )

    def _has_humans(self, table: Any) -> bool:
        """Whether a person was dealt in."""
        return any(self._players[seat] is None for seat in dealt_in(table))

    # --- state ------------------------------------------------------------------------------------

    def state(self) -> GameSnapshot:
        """Snapshot of the game."""
        table = self.snapshot.table
        level, hands_to_next = self._level(table)
        return GameSnapshot(
            snapshot=self.snapshot,
            phase=self.phase,
            turn=self.turn,
            names=tuple(self.names),
            options=self._options() if self.phase == HUMAN_TO_ACT else {},
            places=self._places(),
            humans_left=tuple(self._humans_left()),
            net=tuple(self.net),
            hands_played=self.hands_played,
            level=level,
            hands_to_next_level=hands_to_next,
            summaries=tuple(self._summaries),
            seed=self.seed,
            error=self.error,
            bots={
                seat: report
                for seat, player in enumerate(self._players)
                if (report := report_of(player)) is not None
            },
            bought=() if self.stacks is None else tuple(self.stacks.bought),
        )

    def _level(self, table: Any) -> tuple[int, int]:
        """Blind level of a hand, from 1, and the number of hands until the next one."""
        schedule, hand = self.setup.game.blinds, int(table["hand"])
        level = hand // schedule.hands_per_level
        if level >= len(schedule.levels) - 1:
            return len(schedule.levels), 0
        return level + 1, schedule.hands_per_level - hand % schedule.hands_per_level

    def _places(self) -> dict[int, tuple[int, int]]:
        """Places of the players who are out according to the snapshot; of all at the end."""
        if self.setup.game.is_cash:
            return {}
        is_over = self.phase == GAME_OVER
        table = self.snapshot.table
        at_table = {
            seat for seat in range(len(self._players)) if table["player"][seat] != NO_PLAYER
        }
        means = self._env.players["place"].tolist()  # players who share places have their mean
        return {
            seat: shared_places(place, means.count(place))
            for seat, place in enumerate(means)
            if place > 0
            and (
                is_over
                or seat not in at_table
                or (self.snapshot.over and table["stack"][seat] == 0)
            )
        }

    def _humans_left(self) -> list[int]:
        """Seats of people who still have chips, get new ones, or are in the hand."""
        table = self.snapshot.table
        return [
            seat
            for seat, player in enumerate(self._players)
            if player is None
            and table["player"][seat] != NO_PLAYER
            and (self.setup.game.is_cash or table["stack"][seat] > 0 or not self.snapshot.over)
        ]


def shared_places(mean: float, count: int) -> tuple[int, int]:
    """First and last of the places shared by ``count`` players, from the mean place.

    >>> shared_places(6.0, 9), shared_places(3.0, 1)
    ((2, 10), (3, 3))
    """
    half = (count - 1) / 2
    return round(mean - half), round(mean + half)


def name_seats(
    players: Sequence[Player | None], requested: Sequence[str], human: str = "You"
) -> list[str]:
    """Distinct names for all seats.

    Args:
        players: Players by seat, ``None`` for people.
        requested: Names from the page.
        human: Default name of people.
    """
    names: list[str] = []
    for player, name in zip(players, requested, strict=True):
        if player is None:
            base = human if name == HUMAN else name
        else:
            base = str(getattr(player, "name", name))[:40]
        names.append(_free(base, names))
    return names


def _free(name: str, taken: Sequence[str]) -> str:
    """The name, with a number if it is taken."""
    number, free = 2, name
    while free in taken:
        free = f"{name} {number}"
        number += 1
    return free


def _summary(result: Mapping[str, Any]) -> dict[str, Any]:
    """Winning seats of a hand with their chips, and their hands if shown."""
    return {
        "winners": [
            {
                "seat": int(seat),
                "won": won,
                "with": result["hands"].get(seat, {}).get("words", ""),
            }
            for seat, won in result["won"].items()
        ]
    }
