"""All tables and replays of one server, under names that cannot be guessed."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from agents.web.catalogue import Catalogue
from agents.web.chances import win_chance
from agents.web.game import GAME_OVER, HUMAN_TO_ACT, Game, name_seats
from agents.web.people import Refused
from agents.web.replays import Replay
from agents.web.room import Room
from agents.web.setup import GameSetup
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import BETTING

_MOST_ROOMS = 64
_MOST_REPLAYS = 16
_IDLE_S = 3600.0
_THREADS = 4


class Hub:
    """The tables and replays of a server.

    Args:
        catalogue: Who can be seated.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.rooms: dict[str, Room] = {}
        self.replays: OrderedDict[str, Replay] = OrderedDict()
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="table")

    def warm_up(self) -> None:
        """Load the compiled code in the background, so that the first hand is dealt at once."""
        self._pool.submit(warm_up)

    async def open_room(self, wish: Any, session: str) -> Room:
        """A new table as a page wishes it; who opens it sits in the first seat for people.

        Args:
            wish: As ``GameSetup.read`` takes it, and ``name`` of the person.
            session: Of the person.

        Raises:
            ValueError: It is not possible.
        """
        wish = dict(wish) if isinstance(wish, dict) else wish
        person = wish.pop("name", None) if isinstance(wish, dict) else None
        setup = GameSetup.read(wish)
        await self._make_room()
        name = secrets.token_urlsafe(12)
        room = Room(name, setup, self.catalogue, creator=session, pool=self._pool)
        await room.open()
        self.rooms[name] = room
        if setup.humans:
            try:
                room.sit(session, person)
            except ValueError:
                await self._close_room(name)
                raise
        return room

    async def _make_room(self) -> None:
        """Close tables that nobody looks at: old ones, and the oldest where there are too many."""
        now = time.monotonic()
        idle = sorted(
            (room.people.idle_since, name)
            for name, room in self.rooms.items()
            if not room.people.connections
        )
        for since, name in idle:
            if now - since > _IDLE_S or len(self.rooms) >= _MOST_ROOMS:
                await self._close_room(name)
        if len(self.rooms) >= _MOST_ROOMS:
            raise Refused(f"there are {_MOST_ROOMS} tables already; close one of them")

    async def _close_room(self, name: str) -> None:
        await self.rooms.pop(name).close()

    async def add_replay(self, text: str, title: str) -> str:
        """Keep the hands of a file and return their name.

        Raises:
            ValueError: It is no hand history; the message names the line.
        """
        loop = asyncio.get_running_loop()
        replay = await loop.run_in_executor(self._pool, Replay, text, title)
        return self.keep_replay(replay)

    def keep_replay(self, replay: Replay) -> str:
        """Keep a replay and return its name."""
        name = secrets.token_urlsafe(12)
        self.replays[name] = replay
        while len(self.replays) > _MOST_REPLAYS:
            self.replays.popitem(last=False)
        return name

    async def replay_steps(self, name: str, index: int) -> dict[str, Any]:
        """The moments of a hand of a replay.

        Raises:
            KeyError: There is no such replay.
            IndexError: It has no such hand.
        """
        replay = self.replays[name]
        return await asyncio.get_running_loop().run_in_executor(self._pool, replay.steps, index)

    def lobby(self) -> dict[str, Any]:
        """What the first page needs."""
        schedule = BlindSchedule.pokerstars()
        return {
            "offered": list(self.catalogue.offered()),
            "players": list(self.catalogue.built_in),
            "options": self.catalogue.options,
            "betting": list(BETTING),
            "schedule": [list(level) for level in schedule.levels],
            "hands_per_level": schedule.hands_per_level,
        }

    async def close(self) -> None:
        """End all games and the programs that play in them."""
        for name in list(self.rooms):
            with contextlib.suppress(Exception):
                await self._close_room(name)
        self._pool.shutdown(wait=False, cancel_futures=True)


def warm_up() -> None:
    """Play a few hands and count a chance: what a first game will need is then loaded."""
    catalogue = Catalogue()
    seats = ("human", "old-best", "tight-aggressive", "formula")
    setup = GameSetup(seats, mode="cash", hands=3, seed=1)
    players = [None, *(catalogue.make(name) for name in seats[1:])]
    game = Game(setup, players, name_seats(players, seats))
    while game.phase != GAME_OVER:
        if game.phase == HUMAN_TO_ACT:
            game.act_for_absent()
        else:
            game.advance()
    for board in ((), (0, 17, 30)):
        for opponents in (1, 2):
            win_chance("AsKs", board, opponents)
