"""Limits on connections: their number, and the time until their first request.

A server that accepts every connection runs out of file descriptors and can then not even reject
one. With a limit below that, further connections get an error response and are closed. A connection
without a complete request is closed after a while, so that idle connections cannot block the server
for ever.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
import weakref
from typing import Any

from aiohttp import web

_MOST_CONNECTIONS = 512
_PATIENCE_S = 20.0
_FULL = b"this server has too many connections; try again in a while\n"
_MOST_RECORDS = 10
_LOG_S = 60.0


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
        minute = int(time.monotonic() / _LOG_S)
        self._minute, self._count = minute, self._count + 1 if minute == self._minute else 1
        if self._count == _MOST_RECORDS:
            record.msg, record.args = (
                "too many invalid requests: those in the rest of this minute are ignored",
                (),
            )
            record.exc_info = record.exc_text = None
        return self._count <= _MOST_RECORDS
