"""Hanging, flooding and failing clients and bots do not affect the tables."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("aiohttp")

from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage
from aiohttp.web import RequestPayloadError
from interrupts import interruptible
from web_tables import at_table, look, until

from agents.web import hub as hubs
from agents.web import server
from agents.web.catalogue import Catalogue
from agents.web.hands import reading
from agents.web.hands.reading import HandReader
from agents.web.hands.replays import Replay
from agents.web.hub import Hub
from agents.web.server import ConnectionLimiter, create_app, quiet_logger
from agents.web.table.game import GAME_OVER
from agents.web.table.live_table import LiveTable
from agents.web.table.participants import Refused

FAULTY_BOT = Path(__file__).parents[2] / "faulty_bot.py"
HAND = """\
[{}]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "p2 f"]
"""
MANY_HANDS = "".join(HAND.format(i) for i in range(2000))


def hanging(folder: Path) -> str:
    """A bot that never answers."""
    return f"process:{shlex.join([sys.executable, str(FAULTY_BOT), 'hang', str(folder)])}"


async def hangs(table: LiveTable) -> None:
    """Wait until the bot in the first seat has been asked, and does not answer."""
    async with asyncio.timeout(60):
        while not table._game._players[0].report.decisions:
            await asyncio.sleep(0.01)


def are_gone(folder: Path) -> bool:
    """Whether the bots that have written their process ids there have ended."""
    pids = [int(path.name) for path in folder.iterdir()]
    assert pids
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            return False
    return True


class QuietHub(Hub):
    def warm_up(self) -> None:
        """The tests warm up by themselves."""


def run_with_hub(play, catalogue=None) -> None:
    async def run() -> None:
        hub = QuietHub(catalogue or Catalogue())
        try:
            await play(hub)
        finally:
            await hub.close()

    asyncio.run(run())


# --- files of strangers ---------------------------------------------------------------------------


@pytest.fixture
def reader():
    reader = HandReader(most_s=600)  # also beside other work
    yield reader
    reader.close()


def test_a_file_is_read_in_another_process_and_errors_name_the_line(reader):
    replay = reader.read(MANY_HANDS, "all of them")
    assert (replay.title, len(replay.hands)) == ("all of them", 2000)
    assert replay.steps(7)["steps"]
    with pytest.raises(ValueError, match=r"line 2: only Texas Hold'em"):
        reader.read(HAND.format(1).replace("NT", "PO"), "")


def test_a_reader_that_is_prepared_is_the_one_that_reads(reader):
    reader.prepare()
    process = reader._process
    assert process.is_alive()
    reader.prepare()
    assert len(reader.read(HAND.format(1), "").hands) == 1
    assert reader._process is process


def test_a_slow_file_ends_its_reader_but_not_the_next_one(reader):
    reader.read(HAND.format(1), "")
    reader._most_s = 0.05
    with pytest.raises(ValueError, match=r"takes more than 0\.05 s"):
        reader.read(MANY_HANDS, "")
    reader._most_s = 600
    assert len(reader.read(HAND.format(1), "").hands) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_a_file_that_takes_too_much_memory_is_refused():
    reader = HandReader(most_s=600, most_bytes=4 * 2**20)
    try:
        with pytest.raises(ValueError, match=r"too much memory|crashes the program"):
            reader.read("x = [" + "[], " * 900_000 + "]", "")
        assert len(reader.read(HAND.format(1), "").hands) == 1
    finally:
        reader.close()


@pytest.mark.slow
def test_a_reader_that_is_killed_or_ending_is_started_again(reader, monkeypatch):
    reader.read(HAND.format(1), "")
    os.kill(reader._process.pid, signal.SIGTERM)
    reader._process.join()
    assert len(reader.read(HAND.format(1), "").hands) == 1
    reader._process.kill()
    reader._process.join()
    monkeypatch.setattr(reader._process, "is_alive", lambda: True)  # as long as it is ending
    assert len(reader.read(HAND.format(1), "").hands) == 1


def test_a_hand_of_endless_raises_is_refused():
    raises = ", ".join(f'"p{2 - i % 2} cbr {2 * i}"' for i in range(2, 600))
    text = HAND.format(1).replace("[50, 100]", "[1, 2]").replace("min_bet = 100", "min_bet = 2")
    text = text.replace("1000", "5000").replace('"p2 f"', raises)
    with pytest.raises(ValueError, match="at most 500 actions can be replayed; hand 1 of"):
        Replay(text, "")


def test_the_queue_of_files_is_limited(monkeypatch):
    monkeypatch.setattr(reading.HandReader, "read", lambda *_: time.sleep(0.2))

    async def play(hub):
        tasks = [asyncio.ensure_future(hub.add_replay("", "")) for _ in range(20)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(result, Refused) for result in results) == 12

    run_with_hub(play)


def test_the_uploads_of_one_visitor_replace_only_their_own():
    async def play(hub):
        replay = Replay(HAND.format(1), "")
        hosts = hub.keep_replay(replay)
        first = hub.keep_replay(replay, "ann")
        flood = [hub.keep_replay(replay, "eve") for _ in range(300)]
        others = [hub.keep_replay(replay, f"guest {i}") for i in range(10)]
        assert {hosts, first, *others} <= hub.replays.keys()
        assert len(hub.replays) == 1 + hubs._MOST_REPLAYS
        assert [name for name in flood if name in hub.replays] == flood[-5:]

    run_with_hub(play)


def test_malformed_requests_are_reported_without_a_traceback(caplog):
    logger = quiet_logger()
    with caplog.at_level("ERROR", logger.name):
        for error in (BadHttpMessage("no host"), RequestPayloadError("junk"), ValueError("ours")):
            try:
                raise error
            except Exception:
                logger.exception("Error handling request")
    ours = [record.exc_info is not None for record in caplog.records]
    assert ours == [False, False, True]
    assert "a malformed request was refused" in caplog.text


# --- many tables ----------------------------------------------------------------------------------


def test_new_games_replace_idle_tables(monkeypatch):
    monkeypatch.setattr(hubs, "_MOST_TABLES", 4)

    async def play(hub):
        description = {"seats": ["caller", "folder"], "seed": 1}
        for _ in range(3):
            await asyncio.gather(*(hub.open_table(description, "ann") for _ in range(4)))
            assert len(hub.tables) <= 4
        results = await asyncio.gather(
            *(hub.open_table(description, "ann") for _ in range(9)), return_exceptions=True
        )
        assert {type(result) for result in results} <= {hubs.LiveTable, Refused}
        assert len(hub.tables) <= 4

    run_with_hub(play)


def test_bots_that_hang_do_not_hold_up_other_tables(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.web.table.live_table._BURST_S", 0.0)  # one action at a time
    bot = hanging(tmp_path)
    description = {"seats": ["caller", "raiser"], "mode": "cash", "num_hands": 60}

    async def play(hub):
        for _ in range(6):
            await hangs(await hub.open_table({"seats": [bot, "caller"]}, "ann"))
        table = await hub.open_table(description, "bob")
        await table.handle(await look(table, "bob"), {"type": "pace", "pace": "max"})
        await until(table, lambda state: state.phase == GAME_OVER, seconds=300)
        await hub.close()
        assert are_gone(tmp_path)

    run_with_hub(play, Catalogue([bot]))


def test_closing_a_room_with_a_hanging_bot_leaves_no_process(tmp_path):
    bot = hanging(tmp_path)
    at_table(hangs, bot, "caller", catalogue=Catalogue([bot]))
    assert are_gone(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
@interruptible()
def test_control_c_ends_a_server_whose_bots_hang(tmp_path):
    bot = hanging(tmp_path)
    script = f"""
import asyncio, sys
from agents import ProcessPlayer
from agents.web.catalogue import Catalogue
from agents.web.hub import Hub
from agents.web.server import create_app, serve
ProcessPlayer.__init__.__kwdefaults__["seconds_per_decision"] = 600.0
async def run():
    hub = Hub(Catalogue([{bot!r}]))
    hub.warm_up = lambda: None
    for _ in range(4):
        table = await hub.open_table({{"seats": [{bot!r}, "caller"]}}, "ann")
        while not table._game._players[0].report.decisions:
            await asyncio.sleep(0.01)
    await serve(create_app(hub), "127.0.0.1", 0, ready=lambda _: print("ready", flush=True))
try:
    asyncio.run(run())
except KeyboardInterrupt:
    pass
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        try:
            assert server.stdout.readline().strip() == b"ready"
            server.send_signal(signal.SIGINT)
            _, errors = server.communicate(timeout=240)
        finally:
            server.kill()
    assert server.returncode == 0, errors.decode()
    assert b"Traceback" not in errors, errors.decode()
    assert are_gone(tmp_path)


# --- connections ----------------------------------------------------------------------------------


def with_limiter(play, **options) -> None:
    async def run() -> None:
        app = create_app(QuietHub(Catalogue()))
        runner = web.AppRunner(app, access_log=None, logger=quiet_logger(), shutdown_timeout=0.1)
        await runner.setup()
        limiter = ConnectionLimiter(runner.server, **options)
        app[next(key for key in app if "limiters" in str(key))].append(limiter)
        server = await asyncio.get_running_loop().create_server(limiter, "127.0.0.1", 0)
        try:
            await play(server.sockets[0].getsockname()[1])
        finally:
            server.close()
            await runner.cleanup()

    asyncio.run(run())


REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Client:
    """A connection that need not speak HTTP."""

    @classmethod
    async def connect(cls, port: int) -> Client:
        client = cls()
        client.reader, client.writer = await asyncio.open_connection("127.0.0.1", port)
        return client

    async def ask(self, text: bytes = REQUEST) -> bytes:
        """The first line of the answer."""
        self.writer.write(text)
        async with asyncio.timeout(60):
            return await self.reader.readline()

    async def wait_for_end(self) -> None:
        async with asyncio.timeout(30):
            with contextlib.suppress(ConnectionError):
                while await self.reader.read(1000):
                    pass

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


def test_an_excess_connection_is_refused_until_another_ends():
    async def play(port):
        clients = [await Client.connect(port) for _ in range(4)]
        answers = [await client.ask() for client in clients]
        assert [int(line.split()[1]) for line in answers] == [200, 200, 200, 503]
        answer = b""
        async with asyncio.timeout(60):
            while b" 200 " not in answer:  # until the server has seen that one has closed
                await clients[0].close()
                clients[0] = await Client.connect(port)
                answer = await clients[0].ask()
        for client in clients:
            await client.close()

    with_limiter(play, most=3)


def test_silent_connections_are_closed_and_others_kept():
    async def play(port):
        polite = await Client.connect(port)
        assert b" 200 " in await polite.ask()
        silent, dribbling = [await Client.connect(port) for _ in range(2)]
        dribbling.writer.write(REQUEST[:20])
        for client in (silent, dribbling):
            await client.wait_for_end()
        await polite.ask()
        assert not polite.reader.at_eof()
        for client in (polite, silent, dribbling):
            await client.close()

    with_limiter(play, most=8, patience_s=2.0)


def test_a_flood_of_nonsense_does_not_fill_the_log(caplog, monkeypatch):
    # All of it comes in one minute, which is not that of another test.
    monkeypatch.setattr(server, "time", SimpleNamespace(monotonic=lambda: 1e12))

    async def play(port):
        for _ in range(60):
            client = await Client.connect(port)
            await client.ask(b"GET / HTTP/9.9\r\nnonsense\r\n\r\n")
            await client.close()

    with_limiter(play, most=100)
    records = [record for record in caplog.records if record.name == "agents.web"]
    assert 0 < len(records) <= 10
    assert re.search("ignored", records[-1].getMessage())
