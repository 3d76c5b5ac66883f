"""JSON Lines log of every exchange with a chat model, and replays from it.

A line has ``request`` (the body sent), ``sha256`` (of its bytes), ``url``, ``status``, ``response``
(the body received, as JSON or text), ``error`` if there was no answer, and ``seconds``, but never
the key.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict, deque
from pathlib import Path
from typing import Any, NamedTuple

from agents.external.chat.report import ChatError

ANSWERED = 200
REFUSED_OPTION = (400, 422)
"""Statuses after which a match can continue: the server did not know a part of the request."""


class Exchange(NamedTuple):
    """A request and its response."""

    request: dict[str, Any]
    url: str
    status: int
    """HTTP status; 0 without a response."""
    response: Any
    error: str
    seconds: float

    def line(self) -> str:
        """Line of the file."""
        fields = {"sha256": digest(self.request), **self._asdict()}
        return json.dumps(fields) + "\n"

    def text(self) -> str:
        """Text of a completion; empty if the model gave none.

        Raises:
            LookupError, TypeError: The response is not a completion.
        """
        content = self.response["choices"][0]["message"]["content"]
        if not isinstance(content, (str, type(None))):
            raise TypeError
        return content or ""


def encode(request: dict[str, Any]) -> bytes:
    """Body of a request."""
    return json.dumps(request).encode()


def digest(request: dict[str, Any]) -> str:
    """Key of a request: the hash of its body."""
    return hashlib.sha256(encode(request)).hexdigest()


class ExchangeLog:
    """Log file for exchanges, and file with answers to replay.

    Equal requests get the answers in their original order. Failed requests in the file are skipped,
    since they concern the network and not the match.

    Args:
        log: File to append to; "" for none.
        replay: File to take answers from; "" for none.

    Raises:
        ValueError: A file cannot be read or has another format.
    """

    def __init__(self, log: str, replay: str) -> None:
        self._log, self._replay = log, replay
        self._copies = bool(log and replay) and Path(log).resolve() != Path(replay).resolve()
        self._answers: dict[str, deque[Exchange]] = defaultdict(deque)
        if log:
            try:
                _end_last_line(Path(log))
            except OSError as error:
                raise ValueError(f"log={log} cannot be written: {error.strerror}") from None
        if replay:
            for exchange in _read(Path(replay)):
                if exchange.status in (ANSWERED, *REFUSED_OPTION):
                    self._answers[digest(exchange.request)].append(exchange)

    def replayed(self, request: dict[str, Any]) -> Exchange | None:
        """Replayed answer to a request; None if the server must be asked.

        Raises:
            ChatError: The file has no answer, and there is no log for new ones.
        """
        if not self._replay:
            return None
        name = digest(request)
        if answers := self._answers[name]:
            exchange = answers.popleft()
            if self._copies:
                self.write(exchange)
            return exchange
        if self._log:
            return None
        asked = str(request["messages"][-1]["content"])[:300]
        raise ChatError(
            f"{self._replay} has no (unused) answer to the request {name}: the match, the player's "
            "options or the version of nlhe_env differ from when it was written. Give log= as well "
            f"to ask the server for what is missing. The request: {asked!r}"
        )

    def write(self, exchange: Exchange) -> None:
        """Append an exchange to the log, if there is one."""
        if self._log:
            with Path(self._log).open("a", encoding="utf-8") as file:
                file.write(exchange.line())


def _read(path: Path) -> list[Exchange]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"replay={path} cannot be read: {error}") from None
    exchanges = []
    # Text after the last newline is from an interrupted write.
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            fields = json.loads(line)
            exchange = Exchange(**{name: fields[name] for name in Exchange._fields})
            if digest(exchange.request) != fields["sha256"]:
                raise ValueError("the hash of the request does not match")
            if exchange.status == ANSWERED:
                exchange.text()
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(
                f"replay={path}, line {number} is not an exchange: {error!r}"
            ) from None
        exchanges.append(exchange)
    return exchanges


def _end_last_line(path: Path) -> None:
    """Create the file if needed, and remove an incomplete last line."""
    with path.open("ab+") as file:
        file.seek(0)
        whole = file.read().rfind(b"\n") + 1
        file.truncate(whole)
