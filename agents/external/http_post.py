"""HTTP requests to a server, bounded in time and size and never redirected, and their keys."""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import re
import socket
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from nlhe_env._version import __version__
from nlhe_env.arguments import printable
from nlhe_env.system.json_text import parse_json

MOST_BYTES = 2**20
"""Maximum length of an answer in bytes."""
MOST_PATIENCE = 600.0
"""Maximum wait that a server may request, in seconds."""
_SECRET = re.compile(r"key|token|secret|pass|auth|sig|cred|^code$", re.IGNORECASE)
"""Names of parameters of an address that hold secrets."""
_OWN_HEADERS = ("host", "content-type", "content-length", "connection", "transfer-encoding")


class NoAnswer(Exception):  # noqa: N818  (never leaves the package)
    """A server gave no complete answer."""


class LateAnswer(NoAnswer):
    """A server gave no complete answer in time."""


class MissingKeyError(RuntimeError):
    """An environment variable does not hold the key that a server needs."""


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
            (parts.hostname or "").encode("idna")
            (parts.path + parts.query).encode("ascii")
        except ValueError:
            raise ValueError(
                "url must be an address with a possible host and port, and a path in ASCII (%C3%A4 "
                "for ä)"
            ) from None
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
            LateAnswer: The answer is late.
            NoAnswer: The answer is incomplete or too long, or there is none.
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
                # Into an array, because read() takes a negative length of a chunk for no limit.
                content = bytearray(MOST_BYTES + 1)
                size = response.readinto(content)
                is_whole = not response.length
            finally:
                timer.cancel()
        except (OSError, HTTPException, ValueError) as error:
            if isinstance(error, TimeoutError) or time.monotonic() >= deadline:
                raise LateAnswer(f"no answer within {seconds:g} seconds") from None
            raise NoAnswer(printable(f"{type(error).__name__}: {error}")) from None
        finally:
            connection.close()
        if size > MOST_BYTES:
            raise NoAnswer(f"an answer of more than {MOST_BYTES} bytes")
        if not is_whole:
            if time.monotonic() >= deadline:
                raise LateAnswer(f"no answer within {seconds:g} seconds")
            raise NoAnswer("an answer that ends before its length")
        return Reply(
            response.status,
            response.getheader("Retry-After"),
            response.getheader("Location", ""),
            bytes(content[:size]),
        )


class Credentials:
    """Keys of a server, read from environment variables for every request.

    Args:
        key: Name of the variable with the key, sent as ``Authorization: Bearer``; ``""`` for none.
        header: Another header and the variable with its value, as ``NAME=VARIABLE``; ``""`` for
            none.
        server: Address of the server for messages.
    """

    def __init__(self, key: str, header: str, server: str) -> None:
        # A key in its place must not be shown.
        if not re.fullmatch(r"\w*", key, re.ASCII):
            raise ValueError("key must be the name of an environment variable, not the key itself")
        name, _, variable = header.partition("=")
        is_named = re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", name) and name.lower() not in _OWN_HEADERS
        if header and not (is_named and re.fullmatch(r"\w+", variable, re.ASCII)):
            raise ValueError(
                "header must be NAME=VARIABLE, a header and the environment variable with its "
                "value, such as api-key=AZURE_OPENAI_API_KEY"
            )
        self._key, self._header, self._header_variable = key, name, variable
        self._server = server

    def headers(self) -> dict[str, str]:
        """Headers with secrets.

        Raises:
            MissingKeyError: An environment variable is not set or is not a valid key.
        """
        headers: dict[str, str] = {}
        if self._key:
            headers["Authorization"] = f"Bearer {self._secret('key', self._key)}"
        if self._header:
            headers[self._header] = self._secret("header", self._header_variable)
        return headers

    def secrets(self) -> list[str]:
        """Values that are never logged or shown.

        Raises:
            MissingKeyError: An environment variable is not set or is not a valid key.
        """
        variables = [("key", self._key), ("header", self._header_variable)]
        return [self._secret(option, variable) for option, variable in variables if variable]

    def _secret(self, option: str, variable: str) -> str:
        secret = os.environ.get(variable, "").strip()
        # A name in lower case may be the key itself.
        name = variable if variable.isupper() else f"named by {option}="
        if not secret:
            raise MissingKeyError(
                f"the environment variable {name} must hold the key for {self._server}"
            )
        # Checked here, because the error message of the HTTP library would reveal it.
        if not (secret.isascii() and secret.isprintable()):
            raise MissingKeyError(
                f"the environment variable {name} must hold a key on a single line of ASCII "
                "characters"
            )
        return secret


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """The text without secrets, also in other case, as servers write hosts.

    >>> without_secrets("Bearer sk-1", ["sk-1"])
    'Bearer [key]'
    """
    for secret in secrets:
        text = re.sub(re.escape(secret), "[key]", text, flags=re.IGNORECASE)
    return text


def text_without_secrets(body: bytes, secrets: Sequence[str]) -> str:
    """Text of an answer without secrets, also of those that JSON escapes."""
    text = without_secrets(body.decode("utf-8", errors="replace"), secrets)
    with contextlib.suppress(ValueError):
        plain = json.dumps(parse_json(text, finite=False), ensure_ascii=False)
        return without_secrets(plain, [json.dumps(secret)[1:-1] for secret in secrets])
    return text


def shown_host(location: str) -> str:
    """Host of an address, such as that of a redirect, for messages."""
    try:
        return urlsplit(location).hostname or "on the same server"
    except ValueError:
        return "of no meaning"


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
