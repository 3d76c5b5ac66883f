"""All tables and replays of one server, under unguessable names."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from agents.measure.bench.rating import measured_ratings
from agents.measure.bench.suites import SUITES
from agents.web.catalogue import Catalogue
from agents.web.hands.coached import coach_some
from agents.web.hands.reading import HandReader
from agents.web.hands.replays import Replay
from agents.web.hands.sessions import SessionProgress
from agents.web.hands.writing import HandWriter
from agents.web.table.game import (
    FAILED,
    GAME_OVER,
    HUMAN_TO_ACT,
    GameSnapshot,
    LiveGame,
    name_seats,
)
from agents.web.table.hand_equity import hand_equity
from agents.web.table.live_table import LiveTable
from agents.web.table.participants import Refused
from agents.web.table.saving import SavedTable, TableFolder, TableSaver
from agents.web.table.setup import GameSetup
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import PAGE_OPTIONS, Game
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.system.compilation_progress import kernels_compiled
from nlhe_env.system.threads import Threads

_MOST_TABLES = 64
_MOST_REPLAYS = 16
_IDLE_S = 12 * 3600.0
_THREADS = 4  # for equities and replays; every table has its own thread
_MOST_FILES = 8  # waiting to be read
_MOST_SPOTS = 4  # waiting to be solved
_MOST_REVIEWS = 16  # of hands and sessions, waiting
_CLOSING_S = 4.0

_LOG = logging.getLogger(__name__)


_Result = TypeVar("_Result")


Stage = tuple[str, Callable[[], object]]
"""Display name of a stage, and the function that loads its code."""


def running_tables(tables: Iterable[LiveTable], session: str) -> list[dict[str, Any]]:
    """Tables that a visitor may see: the visitor's own first, then the newest.

    Tables for several people are in all lists; others only in that of the person who opened them.

    Args:
        tables: All tables of the server, oldest first.
        session: Session of the visitor.
    """
    shown = [
        _describe(table, session)
        for table in tables
        if table.creator == session
        or table.seat_of(session) is not None
        or len(table.setup.humans) > 1
    ]
    shown.reverse()
    return sorted(shown, key=lambda entry: (not entry["own"], entry["over"]))


def _describe(table: LiveTable, session: str) -> dict[str, Any]:
    state, seat = table.state, table.seat_of(session)
    over = state.phase in (GAME_OVER, FAILED)
    return {
        "game": table.name,
        "own": seat is not None,
        "can_close": table.creator == session,
        "names": table.names_for(seat),
        "mode": table.setup.game.mode,
        "opened_s": round(time.monotonic() - table.opened),
        "stack": None if seat is None else stack_of(state, seat),
        "place": None if seat is None else state.places.get(seat),
        "hand": int(state.snapshot.table["hand"]) + 1,
        "open_seats": 0
        if over
        else sum(not table.participants.is_taken(at) for at in table.setup.humans),
        "own_turn": not over and "options" in table.view(session),
        "waits": table.waits,
        "over": over,
    }


def stack_of(state: GameSnapshot, seat: int) -> int:
    """Chips behind a seat; 0 for a player who is out."""
    table = state.snapshot.table
    return 0 if table["player"][seat] == NO_PLAYER else int(table["stack"][seat])


class Preparation:
    """Work before a server's first game; other threads may query its progress.

    Args:
        stages: The stages, in order.
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = stages
        self._done = 0
        self._began: float | None = None
        self._kernels_before = 0
        self._finished = threading.Event()

    def run(self) -> None:
        """Do the work; the game repeats a stage that fails."""
        self._kernels_before, self._began = kernels_compiled(), time.monotonic()
        try:
            for _, load in self._stages:
                load()
                self._done += 1
        finally:
            self._finished.set()

    def wait(self) -> None:
        """Wait for the end of the work, if it has started."""
        if self._began is not None:
            self._finished.wait()

    def view(self) -> dict[str, Any]:
        """Plain values for pages.

        Returns:
            ``ready``, and until then ``done`` of ``stages``, ``doing``, the number of compiled
            ``kernels``, and ``seconds`` since the start.
        """
        if self._began is None or self._finished.is_set():
            return {"ready": True}
        return {
            "ready": False,
            "done": self._done,
            "stages": len(self._stages),
            "doing": self._stages[min(self._done, len(self._stages) - 1)][0],
            "kernels": kernels_compiled() - self._kernels_before,
            "seconds": round(time.monotonic() - self._began),
        }


def _play_against(*names: str) -> None:
    """Play a few hands against a person who checks and folds."""
    catalogue = Catalogue()
    seats = ("human", *names)
    players = [None, *map(catalogue.make, names)]
    setup = GameSetup(seats, Game.cash(num_hands=3), seed=1)
    game = LiveGame(setup, players, name_seats(players, seats))
    while game.phase != GAME_OVER:
        if game.phase == HUMAN_TO_ACT:
            game.act_for_absent()
        else:
            game.advance()


def _count_equities() -> None:
    for board in ((), (0, 17, 30)):
        for opponents in (1, 2):
            hand_equity("AsKs", board, opponents)


FIRST_GAME: tuple[Stage, ...] = (
    ("the rules", lambda: _play_against("caller")),
    ("rule players", lambda: _play_against("tight-aggressive")),
    ("formula players", lambda: _play_against("formula")),
    ("networks", lambda: _play_against("old-best")),
    ("equity calculation", _count_equities),
)
"""Stages needed by most first games."""


def warm_up() -> None:
    """Load the compiled code of a first game."""
    Preparation(FIRST_GAME).run()


class WorkQueue:
    """A thread for one kind of work.

    Args:
        most: Maximum number of waiting requests.
        busy: Message for further requests.
    """

    def __init__(self, most: int, busy: str) -> None:
        self._thread = Threads(1)
        self._most = most
        self._busy = busy
        self._waiting = 0

    async def run(self, work: Callable[..., _Result], *arguments: Any) -> _Result:
        """Result of the work, after waiting for its turn.

        Raises:
            Refused: Too many requests are waiting.
        """
        if self._waiting >= self._most:
            raise Refused(self._busy)
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._thread.submit(partial(work, *arguments)))
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Close the queue: finish the waiting work, without blocking the caller."""
        self._thread.finish()


class Hub:
    """The tables and replays of a server.

    Args:
        catalogue: Players that can be seated.
        folder: Folder for saved tables; None to keep them in memory only.
    """

    def __init__(self, catalogue: Catalogue, *, folder: TableFolder | None = None) -> None:
        self.catalogue = catalogue
        self._folder = folder
        self.restored = asyncio.Event()
        """Set when the tables of the folder are there again."""
        self.tables: dict[str, LiveTable] = {}
        self.replays: dict[str, Replay] = {}
        self._uploads: dict[str, str] = {}
        """Sessions of the visitors by the names of their replays, the oldest first."""
        self._sessions: WeakKeyDictionary[Replay, SessionProgress] = WeakKeyDictionary()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="hub")
        self._reader = HandReader()
        self._writer = HandWriter()
        busy = "too many {}; try again later"
        self._files = WorkQueue(_MOST_FILES, busy.format("files are being read"))
        self.spots = WorkQueue(_MOST_SPOTS, busy.format("hands are being solved"))
        """Solutions of streets."""
        self.reviews = WorkQueue(_MOST_REVIEWS, busy.format("hands are being explained"))
        """Explanations of hands, ranges, and results of sessions."""
        self._tables_opening = 0
        self.preparation = Preparation(FIRST_GAME)

    def warm_up(self) -> None:
        """Load the compiled code in the background, so that the first hand is dealt at once."""
        self._pool.submit(self.preparation.run)

    async def restore_tables(self) -> None:
        """Restore the newest tables of the folder; each one that fails is named in the log."""
        try:
            if self._folder is not None:
                await self.in_pool(self.preparation.wait)
                for path in self._folder.files()[-_MOST_TABLES:]:
                    try:
                        await self._restore(path)
                    except Exception as error:  # a file may hold anything, and hides no other
                        words = f"{type(error).__name__}: {error}"
                        _LOG.warning("The table of %s cannot be opened again: %s", path, words)
        finally:
            self.restored.set()

    async def _restore(self, path: Path) -> None:
        saved = SavedTable.read(path)
        await self._open(saved.name, saved.creator, dict(saved.game), saved)

    async def open_table(self, description: Any, session: str) -> LiveTable:
        """Open a table as a page requests it; its opener sits in the first seat for people.

        Args:
            description: As ``GameSetup.read`` takes it, and ``name`` of the person.
            session: Session of the person.

        Raises:
            ValueError: The description is invalid.
        """
        description = dict(description) if isinstance(description, dict) else description
        person = description.pop("name", None) if isinstance(description, dict) else None
        GameSetup.read(description)  # reject invalid requests without waiting
        await self.in_pool(self.preparation.wait)  # avoid compiling the same code twice
        await self._close_idle_tables()
        table = await self._open(secrets.token_urlsafe(12), session, description)
        if table.setup.humans:
            try:
                table.sit(session, person)
            except ValueError:
                await self._remove_table(table.name)
                raise
        return table

    async def _open(
        self, name: str, creator: str, description: Any, saved: SavedTable | None = None
    ) -> LiveTable:
        setup = GameSetup.read(description)
        saver = None
        if self._folder is not None and setup.humans:
            saver = TableSaver(self._folder, SavedTable(name, creator, description))
        table = LiveTable(
            name, setup, self.catalogue, creator=creator, pool=self._pool, saver=saver
        )
        self._tables_opening += 1
        try:
            await table.open(saved)
        except BaseException:
            table.end()
            raise
        finally:
            self._tables_opening -= 1
        self.tables[name] = table
        return table

    async def _close_idle_tables(self) -> None:
        """Close tables without viewers: old ones, and the oldest if there are too many."""
        now = time.monotonic()
        idle = sorted(
            (table.participants.idle_since, name)
            for name, table in self.tables.items()
            if not table.participants.connections
        )
        for since, name in idle:
            if now - since > _IDLE_S or self._is_full():
                await self._close_table(name)
        if self._is_full():
            raise Refused(f"there are {_MOST_TABLES} tables already; close one of them")

    def _is_full(self) -> bool:
        return len(self.tables) + self._tables_opening >= _MOST_TABLES

    async def leave_table(self, name: str, session: str) -> None:
        """Close a table for the person who opened it; a guest leaves the seat.

        Raises:
            KeyError: The table does not exist.
            Refused: The person neither opened it nor has a seat.
        """
        table = self.tables[name]
        if table.creator == session:
            await self._remove_table(name)
        elif table.seat_of(session) is not None:
            table.stand_up(session)
        else:
            raise Refused("only the person who opened a table can close it")

    async def _remove_table(self, name: str) -> None:
        """Close a table for good."""
        await self._close_table(name)
        if self._folder is not None:
            self._folder.remove(name)

    async def _close_table(self, name: str) -> None:
        table = self.tables.pop(name, None)
        if table is not None:  # otherwise another new table has closed it already
            await table.close()

    async def add_replay(self, text: str, title: str, session: str = "") -> str:
        """Store the hands of a visitor's file and return the replay's name.

        Raises:
            ValueError: The text is not a hand history; the message names the line.
        """
        return self.keep_replay(await self._files.run(self._reader.read, text, title), session)

    async def prepare_reader(self) -> None:
        """Get ready to read a file that a visitor is about to choose.

        Raises:
            Refused: Too many files wait already.
        """
        await self._files.run(self._reader.prepare)

    def keep_replay(self, replay: Replay, session: str = "") -> str:
        """Store a replay and return its name.

        If there are too many, the visitor with the most loses the oldest of them.

        Args:
            replay: The replay.
            session: Session of the visitor; "" for the host's own, which stays.
        """
        name = secrets.token_urlsafe(12)
        self.replays[name] = replay
        if session:
            self._uploads[name] = session
        while len(self._uploads) > _MOST_REPLAYS:
            counts = Counter(self._uploads.values())
            most = max(counts.values())
            oldest = next(each for each, owner in self._uploads.items() if counts[owner] == most)
            del self._uploads[oldest], self.replays[oldest]
        return name

    def hand_file(self, table: LiveTable, session: str) -> AsyncGenerator[bytes, None]:
        """Parts of a file with the hands of a table that a person has seen.

        Raises:
            Refused: Too many files are being written already.
        """
        return self._writer.parts(table.hands_seen_by(session))

    async def in_pool(self, work: Callable[[], _Result]) -> _Result:
        """Result of short work, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def session(self, name: str) -> dict[str, Any]:
        """Winnings of all players in the hands of a replay, see ``SessionProgress.advance``.

        Raises:
            KeyError: The replay does not exist.
        """
        replay = self.replays[name]
        if replay not in self._sessions:
            self._sessions[replay] = SessionProgress(replay.hands)
        try:
            return await self.reviews.run(self._sessions[replay].advance)
        except Exception:
            self._sessions.pop(replay, None)  # a broken count begins anew
            raise

    async def coach(self, name: str, player: str, model: str, first: int) -> dict[str, Any]:
        """Decisions of a player in the next hands of a replay, see ``coached.coach_some``.

        Raises:
            KeyError: The replay does not exist.
            ValueError: The player or model is unknown; the message says why.
        """
        hands = self.replays[name].hands
        return await self.reviews.run(
            lambda: coach_some(hands, player, self.catalogue.make(model), first)
        )

    def lobby(self) -> dict[str, Any]:
        """Data of the first page."""
        schedule = BlindSchedule.pokerstars()
        return {
            "offered": list(self.catalogue.offered()),
            "players": list(self.catalogue.built_in),
            "heads_up": self.catalogue.heads_up,
            "compiled": self.catalogue.compiled,
            "options": self.catalogue.options,
            "descriptions": self.catalogue.descriptions(),
            "game_options": {
                name: {
                    "label": option.metadata["label"],
                    "choices": list(option.metadata["choices"].items()),
                }
                for name, option in PAGE_OPTIONS.items()
            },
            "ratings": {name: measured_ratings(suite) for name, suite in SUITES.items()},
            "suites": {name: suite.about for name, suite in SUITES.items()},
            "schedule": [list(level) for level in schedule.levels],
            "hands_per_level": schedule.hands_per_level,
        }

    async def close(self) -> None:
        """End all games and the programs that play in them."""
        self._reader.close()
        for queue in (self._files, self.spots, self.reviews, self._writer):
            queue.close()
        tables, self.tables = list(self.tables.values()), {}
        if tables:
            await asyncio.wait(
                [asyncio.ensure_future(table.close()) for table in tables], timeout=_CLOSING_S
            )
        self._pool.shutdown(wait=False, cancel_futures=True)
