"""A server as users start it, and a Chromium to look at it.

Skipped where Playwright or a Chromium is missing; ``NLHE_CHROMIUM`` names another one.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from interrupts import interruptible

from agents.web.hub import warm_up
from browser.table_page import PATIENCE_S

ROOT = Path(__file__).parents[2]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 800}
HERE = f"{Path(__file__).parent}{os.sep}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that fails is run once more: a busy machine can make a browser miss anything."""
    for item in items:
        if str(item.path).startswith(HERE):
            item.add_marker(pytest.mark.flaky(reruns=1))


PROGRAMS = {
    "dead": "raise SystemExit('no weights found')",
    "crashing": """
import sys
input()
print('{"type": "ready", "name": "Crashing"}', flush=True)
for line in sys.stdin:
    if '"type":"act"' in line:
        raise RuntimeError("I did not think of this")
""",
}
BOTS = {
    **{f"{name} bot.py": text for name, text in PROGRAMS.items()},
    "my_bot.py": """
class Careful:
    def __init__(self, bet_from=0.5):
        self.bet_from = bet_from

    def act(self, observation, info):
        return 1
""",
}


class Server:
    """``nlhe play`` in a folder, which can be started again at its address.

    Args:
        folder: Where it runs.
        players: Its further arguments.
    """

    def __init__(self, folder: Path, *players: str) -> None:
        self._folder = folder
        self._players = players
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def start(self) -> None:
        """Start it, at the port that it had before."""
        with interruptible():
            process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "agents", "play", "--no-browser"),
                    *("--port", str(self._port), *self._players),
                ],
                cwd=self._folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stderr=subprocess.PIPE,
                text=True,
            )
        self._process = process
        assert process.stderr is not None
        found = None
        for line in process.stderr:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                break
        assert found, "the server did not start"
        self.address, self._port = found[0], int(found[1])

    def stop(self) -> None:
        """End it by Ctrl-C."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, rest
        assert rest.endswith("The table is closed.\n"), rest


@contextlib.contextmanager
def serving(folder: Path, *players: str) -> Iterator[Server]:
    """A server that runs in a folder."""
    warm_up()  # compiles what is not compiled yet, which may take longer than a page may wait
    server = Server(folder, *players)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """``nlhe play``; yields its address, then ends it by Ctrl-C."""
    pytest.importorskip("aiohttp")
    folder = tmp_path_factory.mktemp("server")
    for name, text in BOTS.items():
        (folder / name).write_text(text)
    bots = ["my_bot.py", *(f"process:{sys.executable} '{name} bot.py'" for name in PROGRAMS)]
    with serving(folder, *bots) as running:
        yield running.address


def chromium_path() -> str | None:
    """Where a Chromium is, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("NLHE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="module")  # while it runs, no other event loop can
def chromium() -> Iterator[Any]:
    """A headless Chromium."""
    api = pytest.importorskip("playwright.sync_api")
    path = chromium_path()
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any, server: str) -> Iterator[Callable[..., Any]]:
    """Opens pages, each in a browser of its own; at the end nothing may have gone wrong."""
    contexts = []
    problems: list[str] = []

    def open_one(*, size: dict[str, int] = DESKTOP, path: str = "", expected: str = "") -> Any:
        context = chromium.new_context(viewport=size, reduced_motion="reduce")
        contexts.append(context)
        watch(context, expected)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        page.goto(path or server)
        return page

    def watch(context: Any, expected: str) -> None:
        def on_request(request: Any) -> None:
            if not request.url.startswith((server, server.replace("http", "ws", 1), "blob:")):
                problems.append(f"request to another host: {request.url}")

        def on_page(page: Any) -> None:
            page.on("pageerror", lambda error: problems.append(f"page error: {error}"))
            page.on("console", on_message)

        def on_message(message: Any) -> None:
            if message.type not in ("error", "warning") or (expected and expected in message.text):
                return
            problems.append(f"console: {message.text} at {message.location['url']}")

        context.on("request", on_request)
        context.on("page", on_page)

    yield open_one
    for context in contexts:
        context.close()
    assert problems == []
