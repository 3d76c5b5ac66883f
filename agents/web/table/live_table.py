"""A shared table: its pace, the requests of its participants, and their views.

A table is independent of sockets. Each viewer is a ``Connection``, which is notified of changes and
requests the latest state: a slow connection skips missed states, and a new one starts with the full
state.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from agents.external.known_games import check_knows_game
from agents.external.player_lifecycle import close_all, take_seats
from agents.match.style import Style
from agents.policy.compiled_player import Player
from agents.web.catalogue import Catalogue
from agents.web.request_validation import whole_number
from agents.web.table import game as games
from agents.web.table.bots import bot_view
from agents.web.table.game import (
    HAND_OVER,
    PLAYER_TO_ACT,
    GameSnapshot,
    LiveGame,
    Refusal,
    name_seats,
    secret_seed,
)
from agents.web.table.hand_equity import send_equity
from agents.web.table.participants import Connection, Participants, Refused, shown_names
from agents.web.table.played_hands import PlayedHands
from agents.web.table.saving import SavedTable, TableSaver
from agents.web.table.setup import HERO, HUMAN, GameSetup
from agents.web.table.table_services import SERVICE_REQUESTS, TableServices
from agents.web.table.view import table_view
from nlhe_env.game.table import EMPTY, FOLDED, NO_PLAYER
from nlhe_env.hand_history import Hand
from nlhe_env.system.threads import Threads

_RESULT_FACTOR = 4.0  # duration of a result, in actions
_AUTO_DEAL_S = 4.0
_CLOSING_S = 1.5
_BURST_S = 0.04  # of play between two views at maximum speed


PACES = {"slow": 2.0, "normal": 0.9, "fast": 0.25, "max": 0.0}
"""Seconds before an action of a computer player."""


class Course:
    """Pace of a game, and whether it is paused."""

    def __init__(self) -> None:
        self.pace = "normal"
        self.paused = False
        """Whether a game stands still for those who watch it."""
        self.steps = 0
        """Steps to take at once, although the game is paused."""
        self.skip = False
        """Whether the hand is played to its end, or to a person's turn, at once."""
        self.deal = False
        """Whether the next hand is dealt at once."""
        self.auto_deal = False

    @property
    def seconds(self) -> float:
        """Seconds before an action of a computer player."""
        return PACES[self.pace]

    @property
    def is_urged(self) -> bool:
        """Whether a request requires continuing without delay."""
        return bool(self.steps or self.deal or self.skip)

    def begin_game(self) -> None:
        """Start a new game, which is not paused."""
        self.paused = self.skip = self.deal = False
        self.steps = 0

    def advance(self, phase: str) -> None:
        """Note that the game continues from a phase."""
        self.deal = False
        self.steps = max(0, self.steps - 1)
        if phase == HAND_OVER:
            self.skip = False

    def control(self, kind: str, message: Mapping[str, Any], phase: str, *, played: bool) -> None:
        """Handle a request about the course of the game.

        Args:
            kind: Type of the message.
            message: Message from the page.
            phase: Phase of the game.
            played: Whether people play in the game.

        Raises:
            Refused: The request cannot be granted or is unknown.
        """
        if kind in ("pause", "step") and played:
            raise Refused("a game with people cannot be paused")
        if kind == "next hand":
            self.deal, self.paused = phase == HAND_OVER, False
        elif kind == "pace":
            pace = message.get("pace")
            if not isinstance(pace, str) or pace not in PACES:
                raise Refused(f"a pace is one of {', '.join(PACES)}")
            self.pace = pace
        elif kind == "pause":
            self.paused = message.get("on") is True
        elif kind == "step":
            self.paused = True
            self.steps = 1
        elif kind == "skip":
            self.skip = phase == PLAYER_TO_ACT
        elif kind == "auto deal":
            self.auto_deal = message.get("on") is True
        else:
            raise Refused(f"there is no message of type {kind[:30]!r}")


class LiveTable:
    """A shared table.

    Args:
        name: Unguessable name, for links.
        setup: The game to play.
        players: Players by seat, ``None`` for people.
        names: Names by seat.
        creator: Session of the person who opened the table.
        pool: Threads for equities; the game has its own thread.
        saver: Writer of the table's file; None for an unsaved table.
    """

    def __init__(
        self,
        name: str,
        setup: GameSetup,
        catalogue: Catalogue,
        *,
        creator: str,
        pool: Executor,
        saver: TableSaver | None = None,
    ) -> None:
        self.name = name
        self._saver = saver
        self._restored_turn: int | None = None
        """The turn at which the game stood when it came back from a file."""
        self.setup = setup
        self.creator = creator
        self.opened = time.monotonic()
        """When the table was opened, or restored from a file."""
        self.participants = Participants(setup.humans)
        self.received = ReceivedRequests()
        self._services = TableServices(setup)
        self._catalogue = catalogue
        self._pool = pool
        self._thread = Threads(1)  # a slow player must not hold up other tables
        self._tasks: set[asyncio.Task[None]] = set()
        self._course = Course()
        self._acted_for: dict[str, int] | None = None
        """Seat and turn of the last decision that a person did not take in time."""
        self.waits = len(setup.humans) > 1
        """Whether the game waits for the other people."""
        self._lock = asyncio.Lock()
        self._wake = asyncio.Event()
        self._closed = False
        self._game: LiveGame | None = None
        self._next_seed = setup.seed
        described = ("" if name == HUMAN else catalogue.describe(name) for name in setup.seats)
        self._descriptions = list(described)
        self._task: asyncio.Task[None] | None = None
        self.state: GameSnapshot

    # --- lifetime ---------------------------------------------------------------------------------

    async def open(self, saved: SavedTable | None = None) -> None:
        """Deal the first hand, or restore the state after the last complete hand of a file.

        Raises:
            ValueError: A player of the setup does not exist or cannot play this game, or the saved
                state is invalid.
        """
        if saved is not None:
            # Cards of an unfinished first hand are not dealt again, as those of a later one.
            self._next_seed = saved.seed if saved.betting else secret_seed()
            self.waits = saved.waits
            self.participants.restore(saved.people)
        await self._new_game(saved)
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End the game and the playing programs."""
        self._closed = True
        self._wake.set()
        for connection in self.participants.connections:
            connection.end()
        game: LiveGame | None = None
        try:
            # A deciding player may finish if it does so soon.
            async with asyncio.timeout(_CLOSING_S), self._lock:
                game, self._game = self._game, None
                if game is not None:
                    await self._in_thread(game.close)
        except TimeoutError:
            game = game or self._game
            if game is not None:
                game.abandon()
        finally:
            self.end()

    def end(self) -> None:
        """Release the thread; play has ended."""
        self._closed = True
        self._wake.set()
        if self._task is not None:
            self._task.cancel()
        self._thread.finish()

    async def _new_game(self, saved: SavedTable | None = None) -> None:
        old = self._game
        async with self._lock:
            if old is not None and (self._game is not old or not self._can_restart()):
                return  # another person was first, or has sat down
            self._game = await self._in_thread(self._make_game, saved)
            self.state = self._game.state()
            if old is not None:
                await self._in_thread(old.close)
        # A game's seed is shown after its end, so the next must not be derivable from it.
        self._next_seed = secret_seed()
        self._course.begin_game()
        if saved is None:
            self.participants.begin_game()
        else:
            self._course.paused, self._restored_turn = True, self.state.turn
        self._services.begin_game()
        self._changed()

    def _make_game(self, saved: SavedTable | None) -> LiveGame:
        # Turn numbers continue across games, so that a late request cannot match another decision.
        turn = 0 if self._game is None else self._game.turn + 1
        seed, record = self._next_seed, None if self._saver is None else PlayedHands()
        with seated_players(self.setup, self._catalogue) as (players, names):
            game = LiveGame(self.setup, players, names, seed=seed, turn=turn, record=record)
            for seat, name in self.participants.names.items():
                game.rename(seat, name)
            if saved is not None:
                saved.lead(game)
        return game

    async def _in_thread(self, work: Any, *arguments: Any) -> Any:
        return await asyncio.wrap_future(self._thread.submit(partial(work, *arguments)))

    # --- game loop --------------------------------------------------------------------------------

    async def _run(self) -> None:
        while not self._closed:
            delay = self._delay()
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(delay):
                    await self._wake.wait()
                continue  # something changed: re-evaluate
            async with self._lock:
                game = self._game
                if self._closed or self._delay() is None or game is None:
                    continue
                try:
                    await self._in_thread(self._advance, game)
                except Exception as error:  # a stopped table must show the reason
                    game.stop(f"{type(error).__name__}: {error}")
                self._take_state(game)
            self._changed()
            await asyncio.sleep(0)

    def _delay(self) -> float | None:
        """Seconds until the game continues by itself; ``None`` while it waits for a person."""
        phase = self.state.phase
        if self.waits or phase in (games.GAME_OVER, games.FAILED):
            return None
        if self._decides() is not None:
            return self._patience()
        if self.participants.is_deserted():
            return None  # until a page is opened again
        course = self._course
        if phase == games.HUMAN_TO_ACT:
            return course.seconds
        if phase == games.HAND_OVER and self._is_watched():
            if course.deal:
                return 0.0
            return _AUTO_DEAL_S if course.auto_deal else None
        if course.is_urged:
            return 0.0
        if self._is_paused:
            return None
        return course.seconds * (_RESULT_FACTOR if phase == games.HAND_OVER else 1.0)

    def _patience(self) -> float | None:
        """Seconds until an absent or slow person checks or folds."""
        table = self.state.snapshot.table
        seat = int(table["actor"])
        limits = self.participants.patience(seat), self._services.patience(seat, int(table["hand"]))
        return min((limit for limit in limits if limit is not None), default=None)

    def _take_state(self, game: LiveGame) -> None:
        """Take the state of the game; it pauses when the last person goes out."""
        played = self._humans_playing()
        self.state = game.state()
        if played and not self._humans_playing():
            self._course.paused = True  # the result stays until a person goes on

    def _humans_playing(self) -> bool:
        return any(map(self.participants.is_taken, self.state.humans_left))

    @property
    def _is_paused(self) -> bool:
        """Whether spectators have paused the game, which playing people cannot do."""
        return self._course.paused and not self._humans_playing()

    def _is_watched(self) -> bool:
        """Whether a result stays until playing people continue."""
        return any(
            self.participants.is_taken(seat) and not self._services.sits_out(seat)
            for seat in self.state.humans_left
        )

    def _can_restart(self) -> bool:
        """Whether the game is over or all people are out."""
        if self.state.phase in (games.GAME_OVER, games.FAILED):
            return True
        return self.participants.any_seated() and not self._humans_playing()

    def _advance(self, game: LiveGame) -> None:
        """Advance the game when it is due; runs in the thread."""
        course = self._course
        course.advance(game.phase)
        if game.phase == games.HUMAN_TO_ACT:
            if self._services.decides_manually(game.actor, int(game.snapshot.table["hand"])):
                self._acted_for = {"seat": game.actor, "turn": game.turn}
            self._services.act_for(game)
            return
        game.advance()
        if course.skip:
            while course.skip and game.phase == games.PLAYER_TO_ACT:
                game.advance()
            course.skip = False
        if course.pace == "max" and not self._is_paused:
            end = time.monotonic() + _BURST_S
            while time.monotonic() < end and self._goes_on(game):
                game.advance()

    def _goes_on(self, game: LiveGame) -> bool:
        if game.phase == games.HAND_OVER:
            return not self._is_watched()
        return game.phase == games.PLAYER_TO_ACT

    def _changed(self) -> None:
        self._services.update(self.state, self._decides())
        if self._saver is not None and self._game is not None:
            people = self.participants.people()
            self._saver.save(self._thread, self._game, people, waits=self.waits)
        self._wake.set()
        for connection in self.participants.connections:
            connection.announce_state()

    def _decides(self) -> int | None:
        """Seat of the person that the game waits for."""
        if self.waits or self.state.phase != games.HUMAN_TO_ACT:
            return None
        seat = int(self.state.snapshot.table["actor"])
        return seat if self.participants.is_taken(seat) else None

    # --- people -----------------------------------------------------------------------------------

    def seat_of(self, session: str) -> int | None:
        """Seat of a session, if any."""
        return self.participants.seat_of(session)

    def enter(self, connection: Connection) -> None:
        """Add a connection."""
        self.participants.enter(connection)
        if self._services.chat.lines:
            lines = list(self._services.chat.lines)
            connection.send({"type": "chat", "lines": lines, "earlier": True})
        self._changed()

    def leave(self, connection: Connection) -> None:
        """Remove a connection, closed or lost; the seat stays taken."""
        self.participants.leave(connection)
        self._changed()

    def names_for(self, seat: int | None) -> list[str]:
        """Names of all seats as shown to a person in a seat (or in none)."""
        return shown_names(self.state.names, range(len(self.state.names)), seat)

    def sit(self, session: str, name: Any = None) -> int:
        """Take the first open seat for people; see ``Participants.sit`` for the errors."""
        table = self.state.snapshot.table
        out = [seat for seat in self.setup.humans if table["player"][seat] == NO_PLAYER]
        seat = self.participants.sit(session, name, out=out, hands_played=self.state.hands_played)
        if self._game is not None:
            self._game.rename(seat, self.participants.names[seat])
            self.state = self.state._replace(names=tuple(self._game.names))
        if self.participants.all_seated():
            self.waits = False
        self._changed()
        return seat

    def stand_up(self, session: str) -> None:
        """Open the seat of a person again."""
        seat = self.seat_of(session)
        if seat is not None:
            self.participants.stand_up(seat)
            self._services.clear(seat)  # else it would sit out for the next person
            self._changed()

    def _is_host(self, session: str) -> bool:
        """Whether a person sets the pace: who opened the table, or any player while it is away."""
        if session == self.creator:
            return True
        return self.seat_of(session) is not None and not self.participants.is_here(self.creator)

    async def handle(self, connection: Connection, message: Any) -> None:
        """Handle a request of a participant.

        Args:
            connection: Connection of the participant.
            message: Any JSON value.

        Raises:
            ValueError: The message is invalid or cannot be granted now; nothing changes.
        """
        if not isinstance(message, Mapping) or not isinstance(message.get("type"), str):
            raise Refused("a message must be an object with a type")
        kind = message["type"]
        session = connection.session
        if kind == "sit":
            self.sit(session, message.get("name"))
        elif kind in ("act", "leave", "equity", *SERVICE_REQUESTS):
            seat = self.seat_of(session)
            if seat is None:
                raise Refused("you are not seated at this table")
            if kind == "act":
                await self._act(seat, message)
            elif kind == "equity":
                self._start_equity(connection, seat)
            elif kind in SERVICE_REQUESTS:
                await self._ask_services(kind, seat, message)
            else:
                self.stand_up(session)
        elif self.seat_of(session) is None and session != self.creator:
            raise Refused("only seated players can do this")
        elif kind in ("pace", "auto deal") and not self._is_host(session):
            raise Refused("only the host sets the pace")
        else:
            await self._control(kind, message)

    async def _ask_services(self, kind: str, seat: int, message: Mapping[str, Any]) -> None:
        # Shown cards change the record of the last hand, which must not be another one by then.
        async with self._lock if kind == "show" else contextlib.nullcontext():
            if self._game is None:
                raise Refused("this table is closed")
            line = self._services.handle(kind, seat, message, self.state, self._game)
        if line is None:
            self._changed()
            return
        for connection in self.participants.connections:
            connection.send({"type": "chat", "lines": [line]})

    async def _act(self, seat: int, message: Mapping[str, Any]) -> None:
        turn = whole_number("turn", message.get("turn"), 0, 2**53)
        action = message.get("action")
        if not isinstance(action, str):
            raise Refused("an action is fold, call or raise")
        to = whole_number("to", message.get("to"), 1, 2**53) if action == "raise" else 0
        if self.waits:
            raise Refused("the game has not begun: seats are still open")
        async with self._lock:
            game = self._game
            if game is None:
                raise Refused("this table is closed")
            try:
                await self._in_thread(game.act, seat, turn, action, to)
            except Refusal as refusal:
                raise Refused(str(refusal)) from None
            finally:
                self._take_state(game)
        self._services.clear(seat)
        self._changed()

    async def _control(self, kind: str, message: Mapping[str, Any]) -> None:
        """Handle requests about the course of the game."""
        turn = self.state.turn
        if kind in ("next hand", "new game") and message.get("turn", turn) != turn:
            return  # sent before a lost connection; the game has continued since
        if kind == "start":
            self.waits = False
        elif kind == "new game":
            if not self._can_restart():
                raise Refused("the others are still playing")
            await self._new_game()
        else:
            self._course.control(kind, message, self.state.phase, played=self._humans_playing())
        self._changed()

    def _start_equity(self, connection: Connection, seat: int) -> None:
        """Start computing the equity of a person's hand against unknown hands."""
        if connection.equity_pending:
            raise Refused("the equity is already being computed")
        if self.waits:
            raise Refused("the game has not begun: seats are still open")
        table = self.state.snapshot.table
        if table["status"][seat] in (EMPTY, FOLDED):
            raise Refused("you are not in this hand")
        connection.equity_pending = True
        task = asyncio.create_task(send_equity(connection, table, seat, self._pool))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- views ------------------------------------------------------------------------------------

    def view(self, session: str) -> dict[str, Any]:
        """Plain values of everything that a person may see."""
        state, seat = self.state, self.seat_of(session)
        over = state.phase == games.GAME_OVER
        ended = over or state.phase == games.FAILED
        setup, names = self.setup, self.names_for(seat)
        table = table_view(state.snapshot, names, None if self.waits else seat)
        if self.waits:
            table["actor"] = None  # nobody can act before the start
        view: dict[str, Any] = {
            "type": "state",
            "game": self.name,
            "turn": state.turn,
            "phase": state.phase,
            "waits": self.waits,
            "viewer": seat,
            "controls": seat is not None or session == self.creator,
            "sets_pace": self._is_host(session),
            "table": table,
            "participants": {str(at): self.participants.seat_view(at) for at in setup.humans},
            "humans_playing": self._humans_playing(),
            "can_restart": self._can_restart(),
            "open_cards": state.snapshot.open_cards,
            "setup": {**setup.view(), "seed_chosen": state.seed == setup.seed},
            "pace": self._course.pace,
            "paused": self._is_paused,
            "auto_deal": self._course.auto_deal,
            "acted_for": self._acted_for,
            "places": {str(at): list(places) for at, places in state.places.items()},
            "net": list(state.net),
            "hands_played": state.hands_played,
            "level": state.level,
            "hands_to_next_level": state.hands_to_next_level,
            "summaries": list(state.summaries),
            "names": names,
            "descriptions": self._descriptions,
            "styles": [style_of(player) for player in state.snapshot.players],
            "error": state.error,
            "bots": {
                str(at): bot_view(report, state.snapshot, at, seat, over=ended)
                for at, report in state.bots.items()
            },
            "restored": state.turn == self._restored_turn,
            "not_saved": "" if self._saver is None else self._saver.error,
            "spectators": self.participants.spectators(),
            "services": self._services.view(seat, state, self._game),
        }
        if self._decides_now(seat, state):
            view["options"] = dict(state.options)
        if over:
            view["seed"] = str(state.seed)
        return view

    def _decides_now(self, seat: int | None, state: games.GameSnapshot) -> bool:
        """Whether it is the turn of the person in a seat, without automatic actions."""
        table = state.snapshot.table
        if self.waits or state.phase != games.HUMAN_TO_ACT:
            return False
        if seat is None or seat != int(table["actor"]):
            return False
        return self._services.decides_manually(seat, int(table["hand"]))

    def last_hand(self, session: str) -> Hand:
        """Latest finished hand, with the cards that a person has seen.

        Raises:
            ValueError: No hand has finished yet.
        """
        hand = next(self.hands_seen_by(session, last=1), None)
        if hand is None:
            raise ValueError("no hand of this game is over yet")
        return hand

    def hands_seen_by(self, session: str, *, last: int | None = None) -> Iterator[Hand]:
        """Finished hands, with the cards that a person has seen.

        The selection of hands and cards is fixed at once; hands are created lazily, in any thread.

        Args:
            session: Session of the person.
            last: Number of latest hands; None for all that are kept.
        """
        hands = [] if self._game is None else list(self._game.hands)[-(last or 0) :]
        seat, since = self.seat_of(session), self.participants.sits_since(session)

        def see(number: int, kept: tuple[Hand, bool]) -> Hand:
            hand, open_cards = kept
            seen = hand if open_cards else hand.seen_by(seat if number >= since else None)
            return replace(seen, players=tuple(shown_names(hand.players, hand.seats, seat, HERO)))

        return map(see, itertools.count(self.state.hands_played - len(hands)), hands)


_MOST_PAGES = 1000
_LONGEST_KEY = 40
_LARGEST_NUMBER = 2**53


class ReceivedRequests:
    """Latest request number of each page.

    A page numbers its requests and resends unacknowledged ones in order. A request is new if its
    number is larger than all earlier ones from its page.
    """

    def __init__(self) -> None:
        self._latest: OrderedDict[tuple[str, str], int] = OrderedDict()

    def is_new(self, session: str, page: Any, number: Any) -> bool:
        """Record a request; returns whether it is new.

        Args:
            session: Session of the page.
            page: Key chosen by the page.
            number: Number of the request, from 1.

        Raises:
            ValueError: A value is invalid.
        """
        if not isinstance(page, str) or len(page) > _LONGEST_KEY:
            raise Refused(f"the key of a page is text of at most {_LONGEST_KEY} letters")
        number = whole_number("the number of a request", number, 1, _LARGEST_NUMBER)
        key = session, page
        if number <= self._latest.get(key, 0):
            return False
        self._latest[key] = number
        self._latest.move_to_end(key)
        while len(self._latest) > _MOST_PAGES:
            self._latest.popitem(last=False)
        return True


@contextlib.contextmanager
def seated_players(
    setup: GameSetup, catalogue: Catalogue
) -> Iterator[tuple[list[Player | None], list[str]]]:
    """Players of a table by seat, None for people, and their names.

    They are closed if the context's block, which creates the game, raises an exception.

    Raises:
        ValueError: A player does not exist, or cannot play this game.
    """
    players: list[Player | None] = []
    with contextlib.ExitStack() as failed:
        failed.callback(close_all, players)
        for name in setup.seats:
            players.append(None if name == HUMAN else catalogue.make(name))  # noqa: PERF401
        take_seats(players)  # programs report their names here
        for player in players:
            if player is not None:
                check_knows_game(player, setup.game, len(setup.seats))
        yield players, name_seats(players, setup.seats, "Open seat")
        failed.pop_all()


def style_of(player: np.void) -> list[dict[str, Any]]:
    """Statistics of a player's style, from public counts only.

    Args:
        player: A record of dtype ``nlhe_env.game.player.PLAYER``.

    Returns:
        Rows of ``label``, ``value`` (as shown) and ``meaning``.
    """
    decisions = int(player["decisions"])
    style = Style.of(player["style_counts"])
    rows = [
        _measure(
            "VPIP", style.voluntarily_in_pot, "hands with chips put in voluntarily before the flop"
        ),
        _measure("PFR", style.preflop_raise, "hands with a raise before the flop"),
        _measure(
            "Aggression",
            style.aggression,
            "share of bets and raises among bets, raises and calls, after the flop",
        ),
        _measure(
            "Folds to a raise", style.fold_to_raise, "share of decisions facing a bet or raise"
        ),
        _measure("WTSD", style.showdown, "share of showdowns among hands that saw the flop"),
        _measure(
            "Mean bet", style.bet_over_pot, "mean size of bets and raises as a share of the pot"
        ),
        _row("Decisions", str(decisions), "taken in this game"),
    ]
    if decisions:
        folds, raises = int(player["folds"]), int(player["raises"])
        calls = decisions - folds - raises
        rows += [
            _row("Folds", _share(folds, decisions), "share of all decisions"),
            _row("Checks and calls", _share(calls, decisions), "share of all decisions"),
            _row("Bets and raises", _share(raises, decisions), "share of all decisions"),
            _row(
                "Aggressiveness",
                f"{float(player['long_term']):.2f}",
                "mean ratio of chips put in to chips to call; 1 is a call",
            ),
            _row(
                "Last 10 hands",
                f"{float(player['short_term']):.2f}",
                "aggressiveness in the last 10 hands",
            ),
        ]
    rows += [
        _row("Hands won", str(int(player["hands_won"])), "split pots included"),
        _row("Showdowns lost", str(int(player["showdowns_lost"])), "without a share of the pot"),
    ]
    return rows


def _row(label: str, value: str, meaning: str) -> dict[str, Any]:
    return {"label": label, "value": value, "meaning": meaning}


def _measure(label: str, value: float, meaning: str) -> dict[str, Any]:
    return _row(label, "\N{EN DASH}" if math.isnan(value) else f"{100 * value:.0f}%", meaning)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%"
