"""Names that no file can have, and files that are none, asked for at the web server."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp
import runs
from web_server import server

from agents.web.catalogue import Catalogue
from agents.web.hub import Hub
from evolve.dashboard.pages import PATH, runs_page
from evolve.dashboard.root import Champions, Root

MOST_S = 20.0
ROUTES = (
    "/{}",
    "/static/{}",
    "/static/js/{}.js",
    "/play/{}",
    "/api/games/{}/hands.phhs",
    "/api/games/{}/solution",
    "/api/replays/{}",
    "/api/replays/{}/session",
    "/api/replays/none/hands/{}",
    "/api/replays/none/hands/0/{}",
    PATH + "/static/{}",
    PATH + "/api/runs/{}",
    PATH + "/api/runs/{}/landmarks",
    PATH + "/api/runs/{}/comparison",
    PATH + "/api/runs/{}/metrics.csv",
    PATH + "/api/runs/piped/{}.csv",
)
NAMES = {
    "300 letters": "a" * 300,
    "3,000 letters": "a" * 3000,
    "20,000 letters": "a" * 20_000,
    "300 letters of two bytes": quote("é" * 300),
    "2,000 folders": "a/" * 2000,
    "a null byte": "%00",
    "dots": "%2e%2e/" * 50,
    "a lone surrogate": "%ed%a0%80",
    "3,000 digits": "9" * 3000,
}
MAKE = {
    "a pipe": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
    "an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path.name),
}


def asked(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Every name is answered by 4xx, and every run by its page, within seconds."""
    if not hasattr(os, "mkfifo"):
        return
    whole = runs.finished_run()
    all_runs = folder / "runs"
    shutil.copytree(whole, all_runs / "piped")
    files = sorted(p.relative_to(whole) for p in whole.iterdir() if p.is_file())
    root = Root(all_runs)
    logging.getLogger("agents.web").setLevel(logging.CRITICAL)  # lines that are too long for HTTP

    async def ask() -> list[tuple[str, str]]:
        tries = []
        hub = Hub(Catalogue(more=Champions(root), runs=all_runs))
        jar = aiohttp.CookieJar(unsafe=True)
        timeout = aiohttp.ClientTimeout(MOST_S)
        async with (
            server(hub, extra_pages=(runs_page(root),)) as url,
            aiohttp.ClientSession(cookie_jar=jar, timeout=timeout) as web,
        ):
            await (await web.get(url)).read()
            for route in ROUTES:
                for what, name in NAMES.items():
                    asked = web.get(aiohttp.client.URL(url + route.format(name), encoded=True))
                    tries.append((f"{route} {what}", await _status(asked, range(400, 500))))
            for what, make in MAKE.items():
                for file in files:
                    path = all_runs / "piped" / file
                    content = path.read_bytes()
                    path.unlink()
                    make(path)
                    there = range(200, 201) if file.name != "config.toml" else range(200, 500)
                    for page, wanted in (("", range(200, 201)), ("/piped", there)):
                        asked = web.get(f"{url}{PATH}/api/runs{page}")
                        answer = await _status(asked, wanted)
                        tries.append((f"{what} as {file}, {page or 'list'}", answer))
                    tries.append((f"{what} as {file}, a table", await _table(web, url)))
                    path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
                    path.write_bytes(content)
            tries.append(
                ("the first page afterwards", await _status(web.get(url), range(200, 201)))
            )
        return tries

    yield from _in_time(lambda: asyncio.run(ask()))


async def _status(asked: Any, wanted: range) -> str:
    try:
        async with asked as answer:
            await answer.read()
            return "" if answer.status in wanted else f"status {answer.status}"
    except TimeoutError:
        return f"no answer in {MOST_S:g} s"


async def _table(web: aiohttp.ClientSession, url: str) -> str:
    """A table with the champion that the file may belong to: opened, or refused."""
    seats = ["champion 1 of generation 2 of piped", "caller"]
    asked = web.post(f"{url}/api/games", json={"seats": seats})
    return await _status(asked, range(200, 500))


def _in_time(work: Any) -> list[tuple[str, str]]:
    """The result of work, or that the server did not end."""
    found: list[list[tuple[str, str]]] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(900)
    return found[0] if found else [("the end of the server", "it does not end")]
