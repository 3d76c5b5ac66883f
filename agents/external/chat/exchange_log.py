"""Every exchange with a chat model in a file of JSON lines, and replays from it.

A line has ``request`` (the body that was sent), ``sha256`` (of its bytes), ``url``, ``status``,
``response`` (the body that came, as JSON or text), ``error`` where there was no answer, and
``seconds``. The key is in none of them.
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
"""Statuses of answers that a match may go on with: the request had something unknown."""


class Exchange(NamedTuple):
    """A request and what came back."""

    request: dict[str, Any]
    url: str
    status: int
    """0 where nothing came back."""
    response: Any
    error: str
    seconds: float

    def line(self) -> str:
        """The line of the file."""
        fields = {"sha256": digest(self.request), **self._asdict()}
        return json.dumps(fields) + "\n"

    def text(self) -> str:
        """Text of a completion; empty where the model has given none.

        Raises:
            LookupError, TypeError: The response is no completion.
        """
        content = self.response["choices"][0]["message"]["content"]
        if not isinstance(content, (str, type(None))):
            raise TypeError
        return content or ""


def encode(request: dict[str, Any]) -> bytes:
    """The body of a request."""
    return json.dumps(request).encode()


def digest(request: dict[str, Any]) -> str:
    """Name of a request: the hash of its body."""
    return hashlib.sha256(encode(request)).hexdigest()


class ExchangeLog:
    """A file that exchanges are written to, and one that answers are taken from.

    Equal requests get the answers in the order in which they were given. Failed requests in the
    file are passed over: they say something about the network, and nothing about the match.

    Args:
        log: File to append to; "" for none.
        replay: File to take answers from; "" for none.

    Raises:
        ValueError: A file cannot be read, or is no such log.
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
        """The answer to a request from the file; None where the server is to be asked.

        Raises:
            ChatError: The file lacks it, and there is no log for new answers.
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
            f"{self._replay} has no answer (any more) to the request {name}: the match, the "
            "options of the player or the version of nlhe_env are other than when it was written. "
            f"With log= as well, the server is asked for what is missing. The request: {asked!r}"
        )

    def write(self, exchange: Exchange) -> None:
        """Append an exchange, if there is a file for it."""
        if self._log:
            with Path(self._log).open("a", encoding="utf-8") as file:
                file.write(exchange.line())


def _read(path: Path) -> list[Exchange]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"replay={path} cannot be read: {error}") from None
    exchanges = []
    # What follows the last end of a line was being written when something stopped the program.
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            fields = json.loads(line)
            exchange = Exchange(**{name: fields[name] for name in Exchange._fields})
            if digest(exchange.request) != fields["sha256"]:
                raise ValueError("the hash of the request is another")
            if exchange.status == ANSWERED:
                exchange.text()
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"replay={path}, line {number} is no exchange: {error!r}") from None
        exchanges.append(exchange)
    return exchanges


def _end_last_line(path: Path) -> None:
    """Make the file; a line that was being written when the program stopped is cut off."""
    with path.open("ab+") as file:
        file.seek(0)
        whole = file.read().rfind(b"\n") + 1
        file.truncate(whole)
