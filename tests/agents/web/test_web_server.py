"""The web application: access, refusals, and that no request breaks a game."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import threading
from collections.abc import Awaitable, Callable

import pytest
from web_tables import cards_in, chips_in, text_of_hands

pytest.importorskip("aiohttp")

import aiohttp
import segno
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from agents.web.catalogue import Catalogue
from agents.web.hub import Hub
from agents.web.server import HUB, ExtraPage, create_app
from agents.web.table.game import GAME_OVER
from agents.web.table.live_table import LiveTable
from nlhe_env.hand_history import Hand

Play = Callable[[TestClient], Awaitable[None]]
GAME = {"seats": ["human", "caller"], "seed": 1, "name": "Ann"}


class QuietHub(Hub):
    def warm_up(self) -> None:
        """The tests warm up by themselves."""


def with_client(play: Play, **options) -> None:
    """Run the application and ask it."""

    async def run() -> None:
        app = create_app(QuietHub(Catalogue()), **options)
        jar = aiohttp.CookieJar(unsafe=True)  # of addresses without a name
        async with TestClient(TestServer(app), cookie_jar=jar) as client:
            await (await client.get("/")).read()
            await play(client)

    asyncio.run(run())


async def open_game(client: TestClient, **changes) -> str:
    answer = await client.post("/api/games", json={**GAME, **changes})
    assert answer.status == 200, await answer.text()
    return (await answer.json())["game"]


async def next_state(socket) -> dict:
    async with asyncio.timeout(120):
        while True:
            message = await socket.receive_json()
            if message["type"] == "state":
                return message


def test_the_link_to_a_table_is_also_a_qr_code():
    async def play(client):
        game = await open_game(client)
        answer = await client.get(f"/api/games/{game}/invitation.svg")
        assert answer.content_type == "image/svg+xml"
        link = f"{client.make_url('/').origin()}/#/game/{game}"
        picture = io.BytesIO()
        segno.make(link, error="m", micro=False).save(
            picture, kind="svg", border=2, light="white", omitsize=True
        )
        assert await answer.read() == picture.getvalue()
        assert (await client.get("/api/games/nowhere/invitation.svg")).status == 404

    with_client(play)


def test_every_response_has_a_strict_policy_and_no_other_host():
    async def play(client):
        for path in ("/", "/static/js/main.js", "/api/lobby", "/static/css/base.css"):
            answer = await client.get(path)
            assert answer.status == 200
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert "http" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        cookie = (await client.get("/", headers={"Cookie": ""})).headers.get("Set-Cookie", "")
        assert not cookie or ("HttpOnly" in cookie and "SameSite=Strict" in cookie)

    with_client(play)


def test_cross_origin_requests_and_foreign_hosts_are_refused():
    async def play(client):
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "file://"):
            answer = await client.post("/api/games", json=GAME, headers={"Origin": origin})
            assert answer.status == 403
            game = await open_game(client)
            with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
                await client.ws_connect(f"/play/{game}", headers={"Origin": origin})
            assert caught.value.status == 403
        for host in ("evil.example", "evil.example:8765", "localhost.evil.example"):
            assert (await client.get("/", headers={"Host": host})).status == 403
        own = f"http://{client.host}:{client.port}"
        answer = await client.post("/api/games", json=GAME, headers={"Origin": own})
        assert answer.status == 200

    with_client(play)


LONG = "a" * 3000


@pytest.mark.parametrize(
    "path",
    [
        f"/static/{LONG}",
        f"/static/js/{LONG}.js",
        "/static/" + "a/" * 2000,
        f"/static/{'é' * 300}",
        "/static/%00",
        "/static/js/main.js/more",
        "/static/js",
        f"/api/replays/{LONG}",
        f"/api/replays/none/hands/{'9' * 3000}",
        f"/api/games/{LONG}/hands.phhs",
        f"/play/{LONG}",
        f"/{LONG}",
    ],
)
def test_an_impossible_file_name_is_not_found(path):
    async def play(client):
        answer = await client.get(path)
        assert 400 <= answer.status < 500, answer.status
        assert (await client.get("/api/lobby")).status == 200

    with_client(play)


def test_a_game_description_has_a_size_limit():
    async def play(client):
        answer = await client.post("/api/games", json={**GAME, LONG * 10: 1})
        assert answer.status == 400
        assert (await answer.json())["error"] == "a game is described in at most 16 KiB"

    with_client(play)


def test_a_slow_download_does_not_block_other_requests(monkeypatch):
    going, may_go_on = threading.Event(), threading.Event()
    see = Hand.seen_by

    def slowly(hand, seat):
        going.set()
        assert may_go_on.wait(60)
        return see(hand, seat)

    async def play(client):
        game, table = await _played(client)
        monkeypatch.setattr(Hand, "seen_by", slowly)
        downloads = [
            asyncio.create_task(client.get(f"/api/games/{game}/hands.phhs")) for _ in range(12)
        ]
        while not going.is_set():
            await asyncio.sleep(0.01)
        assert (await client.get("/api/lobby")).status == 200
        may_go_on.set()
        for answer in await asyncio.gather(*downloads):
            assert answer.status == 200
            assert answer.content_type == "text/plain"
            assert await answer.text() == text_of_hands(table, "")

    with_client(play)


async def _played(client) -> tuple[str, LiveTable]:
    """A table of which 130 hands are kept."""
    game = await open_game(client, mode="cash", num_hands=1)
    table = client.app[HUB].tables[game]
    while table.state.phase != GAME_OVER:
        table._game.act_for_absent()
        table._game.advance()
        table.state = table._game.state()
    table._game.hands.extend(list(table._game.hands) * 129)
    return game, table


def test_downloads_beyond_the_limit_are_refused(monkeypatch):
    monkeypatch.setattr("agents.web.hands.writing._MOST_AT_ONCE", 0)

    async def play(client):
        game, _ = await _played(client)
        answer = await client.get(f"/api/games/{game}/hands.phhs")
        assert answer.status == 400
        assert "many hand files" in (await answer.json())["error"]

    with_client(play)


def test_an_unread_download_ends(monkeypatch):
    monkeypatch.setattr("agents.web.server._DOWNLOAD_S", 5.0)

    async def play(client):
        game, table = await _played(client)
        hand, open_cards = table._game.hands[0]
        hand = dataclasses.replace(hand, event="long" * 1000)
        table._game.hands.extend([(hand, open_cards)] * 5000)  # 20 MB, more than sockets hold
        reader, writer = await asyncio.open_connection(client.host, client.port, limit=1024)
        cookies = client.session.cookie_jar.filter_cookies(client.make_url("/"))
        cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
        head = f"GET /api/games/{game}/hands.phhs HTTP/1.1\r\nHost: {client.host}:{client.port}\r\n"
        writer.write(f"{head}Cookie: {cookie}\r\n\r\n".encode())
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        async with asyncio.timeout(60):
            while client.app[HUB]._writer._writing:
                await asyncio.sleep(0.1)
        writer.close()

    with_client(play)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/static//etc/passwd",
        "/static/",
        "/play/none",
        "/api/games/none/hands.phhs",
        "/api/games/none/rates",
        "/api/games/none/solution?street=river",
        "/api/replays/none",
        "/api/replays/none/hands/0",
        "/api/replays/none/hands/0/solution?street=river",
        "/api/replays/none/hands/-1",
        "/nothing",
    ],
)
def test_missing_pages_are_not_found(path):
    async def play(client):
        answer = await client.get(path)
        assert answer.status in (403, 404)
        assert "def " not in await answer.text()

    with_client(play)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"seats": ["human", "process:touch /tmp/x"]}',
        '{"seats": ["human", "../../x.npz"]}',
        '{"seats": ["human", "caller"], "name": 5}',
        '{"seats": ["human", "caller"], "starting_stack": 1e999}',
        '{"seats": ["human", "nlbot-1", "caller"]}',
    ],
)
def test_invalid_games_are_refused_with_a_reason(body):
    async def play(client):
        answer = await client.post("/api/games", data=body)
        assert answer.status == 400
        assert (await answer.json())["error"]

    with_client(play)


def test_games_without_enough_memory_are_refused_with_a_reason(monkeypatch):
    def make(catalogue, name):
        raise MemoryError

    async def play(client):
        with monkeypatch.context() as patch:
            patch.setattr(Catalogue, "make", make)
            answer = await client.post("/api/games", json=GAME)
            assert answer.status == 503
            assert await answer.json() == {
                "error": "not enough memory",
                "field": None,
            }
        game = await open_game(client, seats=["caller", "folder"], num_hands=1, mode="cash")
        async with client.ws_connect(f"/play/{game}") as socket:
            await socket.send_json({"type": "pace", "pace": "max"})
            while (await next_state(socket))["phase"] != "game over":
                pass
            monkeypatch.setattr(Catalogue, "make", make)
            await socket.send_json({"type": "new game"})
            async with asyncio.timeout(60):
                while (message := await socket.receive_json())["type"] != "refused":
                    pass
            assert message["text"] == "not enough memory"

    with_client(play)


def test_requests_without_the_cookie_are_refused():
    async def play(client):
        client.session.cookie_jar.clear()
        answer = await client.post("/api/games", json=GAME)
        assert answer.status == 400

    with_client(play)


def test_unfinished_and_damaged_uploads_are_refused_without_a_traceback(caplog):
    async def play(client):
        junk = {"Content-Encoding": "gzip"}
        answer = await client.post("/api/games", data=b"junk", headers=junk)
        assert answer.status == 400
        assert (await answer.json())["error"] == "the upload is incomplete or damaged"
        _, writer = await asyncio.open_connection(client.host, client.port)
        writer.write(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc")
        await writer.drain()
        writer.close()
        await asyncio.sleep(0.2)

    with_client(play)
    assert "Error handling request" not in caplog.text


def test_hostile_messages_are_answered_and_change_nothing():
    async def play(client):
        game = await open_game(client)
        async with client.ws_connect(f"/play/{game}") as socket:
            before = await next_state(socket)
            for text in ("", "{", "[]", "5", '"act"', "[" * 10_000, "NaN", '{"type": {}}'):
                await socket.send_str(text)
                async with asyncio.timeout(60):
                    while (await socket.receive_json())["type"] != "refused":
                        pass
            for message in (
                {"type": "act", "turn": before["turn"] + 5, "action": "call"},
                {"type": "act", "turn": "x", "action": "call"},
                {"type": "act", "turn": before["turn"], "action": "raise", "to": 10**30},
                {"type": "nothing"},
            ):
                await socket.send_json(message)
                async with asyncio.timeout(60):
                    while (await socket.receive_json())["type"] != "refused":
                        pass
            after = await next_state(socket)
            assert chips_in(after) == 2000
            assert after["table"]["hand"] == before["table"]["hand"]

    with_client(play)


def test_oversized_messages_and_floods_close_only_the_connection(monkeypatch):
    monkeypatch.setattr("agents.web.server._MOST_MESSAGES_A_SECOND", 3)  # by the slowest machine

    async def play(client):
        game = await open_game(client)
        async with client.ws_connect(f"/play/{game}") as socket:
            await socket.send_str("x" * 100_000)
            async with asyncio.timeout(60):
                async for _ in socket:
                    pass
            assert socket.closed
        async with client.ws_connect(f"/play/{game}") as socket:
            for _ in range(200):
                await socket.send_json({"type": "pause", "on": True})
            async with asyncio.timeout(60):
                async for _ in socket:
                    pass
            assert socket.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION
        async with client.ws_connect(f"/play/{game}") as socket:
            assert (await next_state(socket))["viewer"] == 0

    with_client(play)


def test_a_second_connection_continues_and_a_stranger_watches():
    async def play(client):
        game = await open_game(client)
        async with client.ws_connect(f"/play/{game}") as socket:
            state = await next_state(socket)
            own = state["table"]["seats"][0]["cards"]
            while "options" not in state:
                state = await next_state(socket)
            await socket.send_json({"type": "act", "turn": state["turn"], "action": "call"})
        async with client.ws_connect(f"/play/{game}") as socket:
            again = await next_state(socket)
            assert again["table"]["seats"][0]["cards"] == own
            assert again["turn"] > state["turn"]
        client.session.cookie_jar.clear()
        await (await client.get("/")).read()
        async with client.ws_connect(f"/play/{game}") as socket:
            stranger = await next_state(socket)
            assert stranger["viewer"] is None
            assert not cards_in(stranger) & set(own)
            await socket.send_json({"type": "act", "turn": stranger["turn"], "action": "fold"})
            async with asyncio.timeout(60):
                while True:
                    message = await socket.receive_json()
                    if message["type"] == "refused":
                        assert "not seated" in message["text"]
                        break

    with_client(play)


def test_files_without_hands_are_refused_with_a_reason():
    async def play(client):
        for body, status, words in (
            (b"\xff\xfe", 400, "line 1"),
            (b"nothing", 400, "line 1"),
            (b"x = 1", 400, "line 1"),
            (b"x" * (17 * 2**20), 413, "larger than 16 MiB"),
        ):
            answer = await client.post("/api/replays", data=io.BytesIO(body))
            assert answer.status == status, body[:9]
            assert words in (await answer.json())["error"]

    with_client(play)


def test_another_command_can_add_its_page():
    async def hello(_: web.Request) -> web.Response:
        return web.Response(text="learning")

    page = ExtraPage(
        "Learning", "/learning", lambda app: app.router.add_get("/learning", hello) and None
    )

    async def play(client):
        lobby = await (await client.get("/api/lobby")).json()
        assert lobby["pages"] == [{"title": "Learning", "path": "/learning"}]
        answer = await client.get("/learning")
        assert await answer.text() == "learning"
        assert "Content-Security-Policy" in answer.headers

    with_client(play, extra_pages=[page])


def test_the_page_names_no_other_host():
    from agents.web.server import STATIC

    allowed = ("http://www.w3.org/2000/svg", "http://${")
    for path in STATIC.rglob("*.*"):
        text = path.read_text("utf-8")
        for name in allowed:
            text = text.replace(name, "")
        assert "://" not in text.replace("${scheme}://${location.host}", ""), path
