"""HTTP requests to a server, bounded in time and size and never redirected."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
import threading
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from nlhe_env._version import __version__

MOST_BYTES = 2**20
"""Maximum length of an answer in bytes."""
_SECRET = re.compile(r"key|token|secret|pass|auth|sig|cred|^code$", re.IGNORECASE)
"""Names of parameters of an address that hold secrets."""


class NoAnswer(Exception):  # noqa: N818  (never leaves the package)
    """A server gave no complete answer."""


class Reply(NamedTuple):
    """Answer of a server."""

    status: int
    retry_after: str | None
    location: str
    body: bytes


class Endpoint:
    """Address of a server.

    Args:
        url: Address, such as ``"http://127.0.0.1:8080/v1"``.
        sends_key: Whether a key is sent to the server.

    Raises:
        ValueError: The address is invalid or contains a secret, or the key would be sent to another
            machine without encryption.
    """

    def __init__(self, url: str, *, sends_key: bool) -> None:
        try:
            parts = urlsplit(url)
            parts.port  # noqa: B018 - a wrong one raises
        except ValueError:
            raise ValueError("url must be an address with a possible host and port") from None
        if parts.username is not None or parts.password is not None:
            raise ValueError(
                "url must not contain a user or password: options are shown and stored"
            )
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError('url must be an address, "http://..." or "https://..."')
        has_secret = any(_SECRET.search(name) for name, _ in parse_qsl(parts.query, True))
        if has_secret or parts.fragment:
            raise ValueError(
                "url must not contain a secret or #: options are shown and stored; give the name "
                "of an environment variable by key= or header="
            )
        self.host, self.port = parts.hostname, parts.port
        self.shown = f"{parts.scheme}://{parts.netloc}"
        """Address for messages and logs, without its path, which may hold a secret."""
        self.path = parts.path.rstrip("/")
        self.query = f"?{parts.query}" if parts.query else ""
        """Query with its question mark; empty if there is none."""
        self._is_secure = parts.scheme == "https"
        if sends_key and not self._is_secure and not _is_loopback(self.host):
            raise ValueError(f"a key is sent to another machine over https only; got {self.shown}")

    def post(self, path: str, body: bytes, headers: Mapping[str, str], seconds: float) -> Reply:
        """Send a request and read its answer.

        Args:
            path: Path on the server.
            body: JSON text of the request.
            headers: Further headers, such as those with keys.
            seconds: Time limit for the whole exchange (wall time).

        Raises:
            NoAnswer: The answer is late, incomplete or too long.
        """
        headers = {
            **headers,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"nlhe-env/{__version__}",
            "Connection": "close",
        }
        connect = HTTPSConnection if self._is_secure else HTTPConnection
        connection = connect(self.host, self.port, timeout=seconds)
        deadline = time.monotonic() + seconds
        try:
            connection.connect()
            # A socket's time-out restarts with every byte.
            timer = threading.Timer(deadline - time.monotonic(), _shut_down, [connection.sock])
            timer.daemon = True
            timer.start()
            try:
                connection.request("POST", path, body, headers)
                response = connection.getresponse()
                content = response.read(MOST_BYTES + 1)
                is_whole = not response.length
            finally:
                timer.cancel()
        except (OSError, HTTPException) as error:
            if isinstance(error, TimeoutError) or time.monotonic() >= deadline:
                raise NoAnswer(f"no answer within {seconds:g} seconds") from None
            raise NoAnswer(f"{type(error).__name__}: {error}") from None
        finally:
            connection.close()
        if len(content) > MOST_BYTES:
            raise NoAnswer(f"an answer of more than {MOST_BYTES} bytes")
        if not is_whole:
            late = time.monotonic() >= deadline
            raise NoAnswer(
                f"no whole answer within {seconds:g} seconds"
                if late
                else "an answer that ends before its length"
            )
        return Reply(
            response.status,
            response.getheader("Retry-After"),
            response.getheader("Location", ""),
            content,
        )


def seconds_to_wait(retry_after: str | None) -> float:
    """Seconds requested by a ``Retry-After`` header; 0 if there is no valid value.

    >>> seconds_to_wait("2"), seconds_to_wait("soon"), seconds_to_wait(None)
    (2.0, 0.0, 0.0)
    """
    if retry_after is None:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after.strip()[:9])
    with contextlib.suppress(ValueError, OverflowError):
        return max(parsedate_to_datetime(retry_after).timestamp() - time.time(), 0.0)
    return 0.0


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _shut_down(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        # Shut down the plain socket: doing so on the encrypted one would break the reader's state.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
