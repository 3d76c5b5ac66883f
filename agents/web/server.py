"""The web application: static files, a few requests, and one WebSocket per viewer.

Only the server's own pages can use it: the host must be known, and requests with side effects must
come from the same origin.

The number of connections and the time until their first request are limited. A server that accepts
every connection runs out of file descriptors and can then not even reject one. With a limit below
that, further connections get an error response and are closed. A connection without a complete
request is closed after a while, so that idle connections cannot block the server for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import ipaddress
import logging
import re
import secrets
import socket
import sys
import time
import weakref
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import segno
from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError

from agents.coach import known_players
from agents.web.addresses import ListenAddress
from agents.web.hands.explaining import advise, explain
from agents.web.hands.grids import player_range
from agents.web.hands.replays import MOST_BYTES
from agents.web.hands.sessions import seat_rates
from agents.web.hands.solving import solve_street
from agents.web.hub import Hub, running_tables
from agents.web.request_validation import whole_number
from agents.web.table.live_table import LiveTable
from agents.web.table.participants import Connection
from agents.web.table.positions import position_of
from agents.web.table.setup import FieldError
from nlhe_env.hand_history import Hand, write_hands
from nlhe_env.hand_history.streams import encoding_of
from nlhe_env.system.json_text import as_json, parse_json

STATIC = Path(__file__).parent / "static"

_SOCKETS = web.AppKey("sockets", set[Any])
_MOST_MESSAGE_BYTES = 16 * 1024
_MOST_MESSAGES_A_SECOND = 40
_LEAST_STATE_PAUSE_S = 0.03
_HEARTBEAT_S = 20.0
_KEEP_ALIVE_S = 75.0
_DOWNLOAD_S = 300.0
_NO_SUCH_FILE = {
    *(errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL),
    *(errno.EACCES, errno.EPERM, errno.EISDIR, errno.ELOOP, errno.ENXIO),
}
"""System errors for names that no served file can have."""
_TABLE_CLOSED, _TABLE_GONE, _NO_SESSION = 4410, 4404, 4401
"""Close codes of a WebSocket after which the page does not reconnect; each has its own message."""
_NOT_HERE = "not found"
_NO_MEMORY = "not enough memory"

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


_MOST_CONNECTIONS = 512
_PATIENCE_S = 20.0
_FULL = b"this server has too many connections; try again in a while\n"
_MOST_RECORDS = 10
_LOG_S = 60.0


HUB = web.AppKey("hub", Hub)
SESSION = re.compile(r"[A-Za-z0-9_-]{43}")
_UPLOAD_S = 60.0


def cookie_of(request: web.Request) -> str:
    """Name of the session cookie."""
    return f"nlhe-table-{request.url.port}"  # cookies do not distinguish ports


def session_of(request: web.Request) -> str:
    """Session of a request.

    Raises:
        ValueError: The request lacks the cookie set by the first page.
    """
    session = request.cookies.get(cookie_of(request), "")
    if not SESSION.fullmatch(session):
        raise ValueError("open the first page of this server first")
    return session


async def body_of(request: web.Request) -> bytes:
    """Body of a request, if it arrives in time."""
    async with asyncio.timeout(_UPLOAD_S):
        return await request.read()


async def _open_replay(request: web.Request) -> web.Response:
    session = session_of(request)
    content = await body_of(request)
    text = content.decode(encoding_of([content]), errors="replace")
    title = request.query.get("title", "")
    return web.json_response({"replay": await request.app[HUB].add_replay(text, title, session)})


async def _prepare_reader(request: web.Request) -> web.Response:
    session_of(request)
    await request.app[HUB].prepare_reader()
    return web.json_response({})


async def _replay(request: web.Request) -> web.Response:
    hub = request.app[HUB]
    replay = hub.replays[request.match_info["replay"]]
    return web.json_response(text=await hub.in_pool(lambda: as_json(replay.contents())))


async def _replay_hand(request: web.Request) -> web.Response:
    hub, hand = request.app[HUB], _number_of_hand(request)
    replay = hub.replays[request.match_info["replay"]]
    try:
        steps = await hub.in_pool(lambda: as_json(replay.steps(hand)))
    except IndexError:
        raise KeyError(hand) from None
    return web.json_response(text=steps)


def _number_of_hand(request: web.Request) -> int:
    hand = request.match_info["hand"]
    if not (hand.isascii() and hand.isdecimal() and len(hand) < 8):
        raise KeyError(hand)
    return int(hand)


def _hand(request: web.Request) -> Hand:
    """The hand of a request."""
    session_of(request)
    hands = request.app[HUB].replays[request.match_info["replay"]].hands
    number = _number_of_hand(request)
    if number >= len(hands):
        raise KeyError(number)
    return hands[number]


async def _explain(request: web.Request) -> web.Response:
    return web.json_response(await request.app[HUB].reviews.run(explain, _hand(request)))


async def _advise(request: web.Request) -> web.Response:
    hub, hand, player = request.app[HUB], _hand(request), request.query.get("player", "")
    advice = await hub.reviews.run(lambda: advise(hand, hub.catalogue.make(player)))
    return web.json_response(advice)


async def _range(request: web.Request) -> web.Response:
    hub, player = request.app[HUB], request.query.get("player", "")
    step = whole_number("step", request.query.get("step", ""), 0, 10_000)
    hand = _hand(request)
    grid = await hub.reviews.run(lambda: player_range(hand, hub.catalogue.make(player), step))
    return web.json_response(grid)


async def _solve(request: web.Request) -> web.Response:
    return await solution_of(request, _hand(request))


async def solution_of(request: web.Request, hand: Hand) -> web.Response:
    """Solution of the street named by a request."""
    street = request.query.get("street", "")
    return web.json_response(await request.app[HUB].spots.run(solve_street, hand, street))


async def _session(request: web.Request) -> web.Response:
    session_of(request)
    return web.json_response(await request.app[HUB].session(request.match_info["replay"]))


async def _coach(request: web.Request) -> web.Response:
    session_of(request)
    query, replay = request.query, request.match_info["replay"]
    first = whole_number("first", query.get("first", "0"), 0, 1_000_000)
    decisions = request.app[HUB].coach(
        replay, query.get("player", ""), query.get("model", ""), first
    )
    return web.json_response(await decisions)


async def _players_to_coach(request: web.Request) -> web.Response:
    session_of(request)
    hub = request.app[HUB]
    hands = hub.replays[request.match_info["replay"]].hands
    names = await hub.in_pool(lambda: list(known_players(hands)))
    return web.json_response({"players": names})


async def _write_hand(request: web.Request) -> web.Response:
    """One hand as a file, for links that contain it."""
    return web.Response(text=write_hands([_hand(request)]), content_type="text/plain")


async def _set_up(request: web.Request) -> web.Response:
    step = whole_number("step", request.query.get("step", ""), 0, 10_000)
    hand = _hand(request)
    return web.json_response(await request.app[HUB].in_pool(lambda: position_of(hand, step)))


_HAND = "/api/replays/{replay}/hands/{hand}"

REPLAY_ROUTES = (
    web.post("/api/replays", _open_replay),
    web.post("/api/replays/preparation", _prepare_reader),
    web.get("/api/replays/{replay}", _replay),
    web.get("/api/replays/{replay}/session", _session),
    web.get("/api/replays/{replay}/coach", _coach),
    web.get("/api/replays/{replay}/coach/players", _players_to_coach),
    web.get(_HAND, _replay_hand),
    web.get(f"{_HAND}/explanation", _explain),
    web.get(f"{_HAND}/advice", _advise),
    web.get(f"{_HAND}/range", _range),
    web.get(f"{_HAND}/solution", _solve),
    web.get(f"{_HAND}/hand.phhs", _write_hand),
    web.get(f"{_HAND}/position", _set_up),
)


def most_connections() -> int:
    """Maximum number of connections, leaving half of the file descriptors for bots and files."""
    if sys.platform == "win32":
        return _MOST_CONNECTIONS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_CONNECTIONS if soft < 0 else max(1, min(_MOST_CONNECTIONS, soft // 2))


class ConnectionLimiter:
    """Limiter of the number of connections.

    Args:
        server: The server for admitted connections.
        most: Maximum number of simultaneous connections.
        patience_s: Seconds until the first complete request.
    """

    def __init__(self, server: web.Server, most: int, patience_s: float = _PATIENCE_S) -> None:
        self._server = server
        self._most = most
        self._patience_s = patience_s
        self._admitted: weakref.WeakSet[asyncio.BaseTransport] = weakref.WeakSet()

    def __call__(self) -> asyncio.BaseProtocol:
        """Protocol for a new connection."""
        if len(self._server.connections) >= self._most:
            return _FullProtocol()
        protocol = self._server()
        asyncio.get_running_loop().call_later(self._patience_s, self._abort_if_silent, protocol)
        return protocol

    def admit(self, request: web.Request) -> None:
        """Note that a complete request has arrived."""
        if request.transport is not None:
            self._admitted.add(request.transport)

    def _abort_if_silent(self, protocol: Any) -> None:
        transport = protocol.transport
        if transport is not None and transport not in self._admitted:
            transport.abort()


class _FullProtocol(asyncio.Protocol):
    """Protocol that reports too many connections and closes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            transport.write(
                b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
                b"Retry-After: 10\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                % (len(_FULL), _FULL)
            )
            transport.close()


def quiet_logger() -> logging.Logger:
    """Rate-limited logger for errors in requests."""
    logger = logging.getLogger("agents.web")
    if not logger.filters:
        logger.addFilter(_RateLimit())
    return logger


class _RateLimit(logging.Filter):
    """Pass a few records per minute, and log that others were dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._minute, self._count = -1, 0

    def filter(self, record: logging.LogRecord) -> bool:
        malformed = (HttpProcessingError, web.RequestPayloadError)
        if record.exc_info and isinstance(record.exc_info[1], malformed):
            # The sender is at fault and has its answer; a traceback would tell nothing.
            record.msg, record.args = "a malformed request was refused", ()
            record.exc_info = record.exc_text = None
        minute = int(time.monotonic() / _LOG_S)
        self._minute, self._count = minute, self._count + 1 if minute == self._minute else 1
        if self._count == _MOST_RECORDS:
            record.msg, record.args = (
                "too many invalid requests: those in the rest of this minute are ignored",
                (),
            )
            record.exc_info = record.exc_text = None
        return self._count <= _MOST_RECORDS


@dataclass(frozen=True)
class ExtraPage:
    """A page that another command adds to the same application.

    Args:
        title: Title of the link on the first page.
        path: Path of the page, such as ``"/learning"``.
        add_routes: Called once with the application to add the routes under ``path``.
    """

    title: str
    path: str
    add_routes: Callable[[web.Application], None]


_PAGES = web.AppKey("pages", tuple[ExtraPage, ...])
_LIMITERS = web.AppKey("limiters", list[ConnectionLimiter])
_LISTENING = web.AppKey("listening", ListenAddress)
_RESTORING = web.AppKey("restoring", asyncio.Task[None])


def create_app(
    hub: Hub, *, extra_pages: Sequence[ExtraPage] = (), hosts: Sequence[str] = ()
) -> web.Application:
    """Create the web application.

    Args:
        hub: The tables and replays, closed with the application.
        extra_pages: Pages of other commands, linked from the first page.
        hosts: Host names of the server, besides ``localhost``, the machine's own name and IP
            addresses.
    """
    app = web.Application(
        middlewares=[_admit, _guard(frozenset(hosts)), _answer_errors], client_max_size=MOST_BYTES
    )
    app[HUB] = hub
    app[_PAGES] = tuple(extra_pages)
    app[_SOCKETS] = set()
    app[_LIMITERS] = []
    app[_LISTENING] = ListenAddress()
    app.add_routes(
        [
            web.get("/", _index),
            web.get("/api/lobby", _lobby),
            web.get("/api/tables", _tables),
            web.get("/api/preparation", _preparation),
            web.get("/api/invitation", _invitation),
            web.post("/api/games", _open_game),
            web.delete("/api/games/{game}", _close_game),
            web.get("/api/games/{game}/hands.phhs", _download),
            web.get("/api/games/{game}/invitation.svg", _invitation_code),
            web.get("/api/games/{game}/solution", _solve_last_hand),
            web.get("/api/games/{game}/rates", _rates),
            *REPLAY_ROUTES,
            web.get("/play/{game}", _socket),
            web.static("/static", STATIC),
        ]
    )
    for page in extra_pages:
        page.add_routes(app)
    app.on_response_prepare.append(_add_headers)
    app.on_startup.append(_start)
    app.on_shutdown.append(_close_sockets)
    app.on_cleanup.append(_close)
    return app


# --- access ---------------------------------------------------------------------------------------


@web.middleware
async def _admit(request: web.Request, handler: Handler) -> web.StreamResponse:
    for limiter in request.app[_LIMITERS]:
        limiter.admit(request)
    return await handler(request)


def _guard(hosts: frozenset[str]) -> Any:
    """Reject requests for a foreign host or from foreign pages."""
    known = {"localhost", socket.gethostname().lower(), *(host.lower() for host in hosts)}

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        # A foreign name that resolves to this machine must not give access (DNS rebinding).
        if not _is_known(request.host, known):
            raise web.HTTPForbidden(text="this server is not known by that name")
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            raise web.HTTPForbidden(text="requests must come from the pages of this server")
        return await handler(request)

    return guard


def _is_known(host: str, known: set[str]) -> bool:
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    name = name.strip("[]").lower()
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(name)
        return True
    return name in known


@web.middleware
async def _answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn errors into short JSON answers."""
    try:
        return await handler(request)
    except web.HTTPRequestEntityTooLarge:
        return _refusal(413, f"the upload is larger than {MOST_BYTES // 2**20} MiB")
    except TimeoutError:
        return _refusal(408, "the upload takes too long")
    except KeyError:
        return _refusal(404, _NOT_HERE)
    except (ConnectionResetError, web.RequestPayloadError):
        return _refusal(400, "the upload is incomplete or damaged")
    except OSError as error:
        if error.errno not in _NO_SUCH_FILE:
            raise
        return _refusal(404, _NOT_HERE)
    except MemoryError:
        return _refusal(503, _NO_MEMORY)
    except (ValueError, RuntimeError) as error:
        field = error.field if isinstance(error, FieldError) else None
        return _refusal(400, str(error), field)


def _refusal(status: int, text: str, field: str | None = None) -> web.Response:
    return web.json_response({"error": text, "field": field}, status=status)


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)
    response.headers.setdefault("Cache-Control", "no-cache")


# --- requests -------------------------------------------------------------------------------------


async def _index(request: web.Request) -> web.StreamResponse:
    return send_page(request, STATIC / "index.html")


def send_page(request: web.Request, file: Path) -> web.Response:
    """HTML page with the session cookie."""
    response = web.Response(body=file.read_bytes(), content_type="text/html", charset="utf-8")
    if not SESSION.fullmatch(request.cookies.get(cookie_of(request), "")):
        response.set_cookie(
            cookie_of(request),
            secrets.token_urlsafe(32),
            httponly=True,
            samesite="Strict",
            max_age=30 * 24 * 3600,
        )
    return response


async def _lobby(request: web.Request) -> web.Response:
    pages = [{"title": page.title, "path": page.path} for page in request.app[_PAGES]]
    return web.json_response({**request.app[HUB].lobby(), "pages": pages})


async def _tables(request: web.Request) -> web.Response:
    tables = request.app[HUB].tables.values()
    return web.json_response({"tables": running_tables(tables, session_of(request))})


async def _preparation(request: web.Request) -> web.Response:
    return web.json_response(request.app[HUB].preparation.view())


async def _invitation(request: web.Request) -> web.Response:
    return web.json_response(request.app[_LISTENING].invitation())


async def _invitation_code(request: web.Request) -> web.Response:
    """QR code of the link to a table, for phones."""
    game = request.match_info["game"]
    if game not in request.app[HUB].tables:
        raise KeyError(game)
    origin = request.app[_LISTENING].invitation()["origin"] or str(request.url.origin())
    code = segno.make(f"{origin}/#/game/{game}", error="m", micro=False)
    picture = io.BytesIO()
    code.save(picture, kind="svg", border=2, light="white", omitsize=True)
    return web.Response(body=picture.getvalue(), content_type="image/svg+xml")


async def _open_game(request: web.Request) -> web.Response:
    body = await body_of(request)
    if len(body) > _MOST_MESSAGE_BYTES:
        raise ValueError(f"a game is described in at most {_MOST_MESSAGE_BYTES // 1024} KiB")
    try:
        description = parse_json(body)
    except ValueError:
        raise ValueError("a game must be described in JSON") from None
    table = await request.app[HUB].open_table(description, session_of(request))
    return web.json_response({"game": table.name})


async def _close_game(request: web.Request) -> web.Response:
    await request.app[HUB].leave_table(request.match_info["game"], session_of(request))
    return web.json_response({})


async def _download(request: web.Request) -> web.StreamResponse:
    hub = request.app[HUB]
    table = hub.tables[request.match_info["game"]]
    response = web.StreamResponse(
        headers={
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Disposition": 'attachment; filename="hands.phhs"',
        }
    )
    try:
        async with (
            asyncio.timeout(_DOWNLOAD_S),
            contextlib.aclosing(hub.hand_file(table, session_of(request))) as parts,
        ):
            async for part in parts:
                if not response.prepared:
                    await response.prepare(request)
                await response.write(part)
    except TimeoutError:
        if request.transport is not None:
            request.transport.abort()  # a partial file must not look complete
        return response
    await response.prepare(request)
    await response.write_eof()
    return response


async def _solve_last_hand(request: web.Request) -> web.Response:
    table = request.app[HUB].tables[request.match_info["game"]]
    return await solution_of(request, table.last_hand(session_of(request)))


async def _rates(request: web.Request) -> web.Response:
    hub = request.app[HUB]
    hands = hub.tables[request.match_info["game"]].hands_seen_by(session_of(request))
    return web.json_response(await hub.reviews.run(lambda: seat_rates(list(hands))))


# --- the WebSocket --------------------------------------------------------------------------------


async def _socket(request: web.Request) -> web.StreamResponse:
    socket_ = web.WebSocketResponse(heartbeat=_HEARTBEAT_S, max_msg_size=_MOST_MESSAGE_BYTES)
    if not socket_.can_prepare(request):
        raise KeyError(request.path)
    await socket_.prepare(request)
    await request.app[HUB].restored.wait()
    table = request.app[HUB].tables.get(request.match_info["game"])
    session = request.cookies.get(cookie_of(request), "")
    # Scripts learn why a connection is closed, but not why it is refused.
    if table is None:
        await socket_.close(code=_TABLE_GONE)
        return socket_
    if not SESSION.fullmatch(session):
        await socket_.close(code=_NO_SESSION)
        return socket_
    connection = Connection(session)
    request.app[_SOCKETS].add(socket_)
    table.enter(connection)
    writer = asyncio.create_task(_write(socket_, table, connection))
    try:
        await _read(socket_, table, connection)
    finally:
        table.leave(connection)
        request.app[_SOCKETS].discard(socket_)
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await writer
    return socket_


async def _write(socket_: web.WebSocketResponse, table: LiveTable, connection: Connection) -> None:
    """Send new messages, skipping states that are too frequent for the connection."""
    while not socket_.closed:
        await connection.new.wait()
        connection.new.clear()
        if connection.ended:
            await socket_.close(code=_TABLE_CLOSED)
            return
        messages, connection.messages = connection.messages, []
        if connection.state_due:
            connection.state_due = False
            messages.append(table.view(connection.session))
        for message in messages:
            await socket_.send_json(message)
        await asyncio.sleep(_LEAST_STATE_PAUSE_S)


async def _read(socket_: web.WebSocketResponse, table: LiveTable, connection: Connection) -> None:
    loop = asyncio.get_running_loop()
    second, count = 0, 0
    async for message in socket_:
        now = int(loop.time())
        second, count = (second, count + 1) if now == second else (now, 1)
        content = None
        if count > _MOST_MESSAGES_A_SECOND:
            await socket_.close(code=WSCloseCode.POLICY_VIOLATION, message=b"too many messages")
            return
        try:
            if message.type != WSMsgType.TEXT:
                raise ValueError("messages must be text")
            try:
                content = parse_json(message.data)
            except ValueError:
                raise ValueError("a message must be JSON") from None
            if _is_repeated(table, connection, content):
                continue
            await table.handle(connection, content)
        except (ValueError, RuntimeError, MemoryError) as error:
            text = _NO_MEMORY if isinstance(error, MemoryError) else str(error)
            connection.send({"type": "refused", "number": _number(content), "text": text})
            connection.announce_state()


def _number(content: Any) -> Any:
    """Number that a page gave to a request; None without one."""
    return content.get("number") if isinstance(content, dict) else None


def _is_repeated(table: LiveTable, connection: Connection, content: Any) -> bool:
    """Acknowledge a numbered request; returns whether it needs no (further) handling."""
    number = _number(content)
    if number is None:
        return False
    is_new = table.received.is_new(connection.session, content.get("page"), number)
    connection.send({"type": "received", "number": number})
    return not is_new or content.get("type") == "ping"


# --- lifetime -------------------------------------------------------------------------------------


async def _start(app: web.Application) -> None:
    app[HUB].warm_up()
    app[_RESTORING] = asyncio.create_task(app[HUB].restore_tables())


async def _close_sockets(app: web.Application) -> None:
    sockets: set[Any] = app[_SOCKETS]
    for socket_ in list(sockets):
        await socket_.close(code=WSCloseCode.GOING_AWAY)


async def _close(app: web.Application) -> None:
    app[_RESTORING].cancel()
    await app[HUB].close()


async def serve(
    app: web.Application,
    host: str,
    port: int,
    *,
    ready: Callable[[ListenAddress], None],
    or_any: bool = False,
) -> None:
    """Serve until cancelled.

    Args:
        app: From ``create_app``.
        host: Address to listen on.
        port: Port to listen on; 0 for any free one.
        ready: Called once pages can be requested.
        or_any: Whether to take any free port if that one is taken.

    Raises:
        OSError: The port is taken, or the address does not belong to this machine.
    """
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=2.0,
        keepalive_timeout=_KEEP_ALIVE_S,
        logger=quiet_logger(),
    )
    await runner.setup()
    loop = asyncio.get_running_loop()
    listening: asyncio.Server | None = None
    try:
        if runner.server is None:
            raise RuntimeError("the application has not been set up")
        limiter = ConnectionLimiter(runner.server, most_connections())
        app[_LIMITERS].append(limiter)
        try:
            listening = await loop.create_server(limiter, host, port)
        except OSError:
            if not or_any:
                raise
            listening = await loop.create_server(limiter, host, 0)
        address = app[_LISTENING]
        address.host, address.port = host, listening.sockets[0].getsockname()[1]
        ready(address)
        await asyncio.Event().wait()
    finally:
        if listening is not None:
            listening.close()
        await runner.cleanup()
