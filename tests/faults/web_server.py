"""The table in the browser, under files, connections and bots that mean no good. Loopback only."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shlex
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import hand_files

from agents.web.catalogue import Catalogue
from agents.web.hub import Hub
from agents.web.server import create_app, most_connections, serve
from agents.web.table.game import GAME_OVER

BOT = Path(__file__).parents[1] / "faulty_bot.py"


@asynccontextmanager
async def server(hub: Hub, **options: Any) -> AsyncIterator[str]:
    """The address of a server that runs meanwhile."""
    started: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    app = create_app(hub, **options)
    task = asyncio.create_task(
        serve(app, "127.0.0.1", 0, ready=lambda address: started.set_result(address.port))
    )
    try:
        yield f"http://127.0.0.1:{await started}"
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def uploads(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Every hostile file is refused with a sentence, while the first page is answered at once."""

    async def send() -> list[tuple[str, str]]:
        tries = []
        jar = aiohttp.CookieJar(unsafe=True)
        async with server(Hub(Catalogue())) as url, aiohttp.ClientSession(cookie_jar=jar) as web:
            await (await web.get(url)).read()
            answer = await web.post(f"{url}/api/replays", data=hand_files.HAND)
            tries.append(("a good file", "" if answer.status == 200 else await answer.text()))
            for name, text in hand_files.hostile_files(500_000).items():
                upload = asyncio.create_task(web.post(f"{url}/api/replays", data=text))
                slowest = 0.0
                while not upload.done():
                    start = time.monotonic()
                    await (await web.get(f"{url}/api/lobby")).read()
                    slowest = max(slowest, time.monotonic() - start)
                status = (await upload).status
                difference = "" if status == 400 else f"status {status}"
                if slowest > 1.0:
                    difference += f" the first page took {slowest:.1f} s meanwhile"
                tries.append((name, difference))
        return tries

    yield from asyncio.run(send())


def flood(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Connections past the limit are refused; those before it are answered."""

    async def come() -> list[tuple[str, str]]:
        tries, open_ones = [], []
        request = b"GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n\r\n"
        most = most_connections()
        async with server(Hub(Catalogue())) as url:
            port = int(url.rpartition(":")[2])
            for i in range(min(most + 40, 700)):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                open_ones.append(writer)
                writer.write(request)
                with contextlib.suppress(ConnectionError):
                    line = await asyncio.wait_for(reader.readline(), 20)
                    wanted = b" 200 " if i < most else b" 503 "
                    tries.append((f"connection {i}", "" if wanted in line else repr(line)))
            for writer in open_ones:
                writer.close()
            await asyncio.sleep(0.5)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            line = await reader.readline()
            tries.append(("after the flood", "" if b" 200 " in line else repr(line)))
            writer.close()
        return tries

    yield from asyncio.run(come())


def hanging_bots(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Other games continue, and closing the server does not wait for the bots."""
    bot = f"process:{shlex.join([sys.executable, str(BOT), 'hang', str(folder)])}"
    description = {"seats": ["caller", "raiser"], "mode": "cash", "num_hands": 100}

    async def play() -> list[tuple[str, str]]:
        hub = Hub(Catalogue([bot]))

        async def seconds_of_a_game() -> float:
            start = time.monotonic()
            table = await hub.open_table(description, "ann")
            await table._control("pace", {"pace": "max"})
            while table.state.phase != GAME_OVER:
                await asyncio.sleep(0.01)
            return time.monotonic() - start

        await seconds_of_a_game()  # loads what must be compiled
        alone = await seconds_of_a_game()
        for _ in range(8):
            await hub.open_table({"seats": [bot, "caller"]}, "bob")
        beside = await seconds_of_a_game()
        start = time.monotonic()
        await hub.close()
        closing = time.monotonic() - start
        slow = f"{alone:.1f} s alone, {beside:.1f} s beside" if beside > 4 * alone + 1 else ""
        return [
            ("a game beside eight that hang", slow),
            ("closing", "" if closing < 5 else f"{closing:.1f} s"),
        ]

    yield from asyncio.run(play())
