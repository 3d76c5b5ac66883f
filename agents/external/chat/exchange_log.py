"""JSON Lines log of every exchange with a chat model, and replays from it.

A line has ``request`` (the body sent), ``sha256`` (of its bytes), ``url``, ``status``, ``response``
(the body received, as JSON or text), ``error`` if there was no answer, and ``seconds``, but never
the key.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict, deque
from pathlib import Path
from typing import Any, NamedTuple

from agents.external.chat.refusals import may_continue
from agents.external.chat.report import ChatError
from nlhe_env.arguments import number
from nlhe_env.system.files import open_regular, read_regular
from nlhe_env.system.json_text import parse_json

ANSWERED = 200
_BEGINNING = b'{"sha256": "'
"""Beginning of every line, by which an interrupted first one is known."""


class Completion(NamedTuple):
    """Answer of a model."""

    text: str
    """Its text; empty if the model gave none."""
    finish_reason: str
    """Why the model stopped; empty if unknown."""


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

    def completion(self) -> Completion:
        """The model's answer.

        Raises:
            AttributeError, LookupError, TypeError: The response is not a completion.
        """
        choice = self.response["choices"][0]
        content = choice["message"].get("content")  # without the key as with null
        if isinstance(content, list):
            content = "".join(_text_of(part) for part in content)
        if not isinstance(content, (str, type(None))):
            raise TypeError
        return Completion(content or "", str(choice.get("finish_reason") or ""))

    @property
    def is_usable(self) -> bool:
        """Whether the match went on after it: an answer, or a refusal that has a remedy."""
        return self.status == ANSWERED or may_continue(self.status, self.response, self.request)


def _text_of(part: Any) -> str:
    """Text of a part of an answer; thoughts and other parts have none."""
    return str(part["text"]) if part.get("type") in ("text", "output_text") else ""


def encode(request: dict[str, Any]) -> bytes:
    """Body of a request."""
    return json.dumps(request).encode()


def digest(request: dict[str, Any]) -> str:
    """Key of a request: the hash of its body."""
    return hashlib.sha256(encode(request)).hexdigest()


class ExchangeLog:
    """Log file for exchanges, and file with answers to replay.

    Equal requests get the answers in their original order. Failed requests in the file are skipped,
    since they concern the network and not the match, and so are refusals that stopped the match.

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
            except ValueError as error:
                raise ValueError(
                    f"log={log} is another file, and stays as it is: its first line is not an "
                    f"exchange: {error}"
                ) from None
        if replay:
            for exchange in _read(Path(replay)):
                if exchange.is_usable:
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
            "the game, the seed, the players' names, the player's options or the version of "
            f"nlhe_env differ from when {self._replay} was written, or it ends here: it has no "
            "(unused) answer to the next request. Give log= as well to ask the server for what "
            f"is missing. The request: {asked!r} ({name})"
        )

    def write(self, exchange: Exchange) -> None:
        """Append an exchange to the log, if there is one."""
        if self._log:
            with Path(self._log).open("a", encoding="utf-8") as file:
                file.write(exchange.line())


def _read(path: Path) -> list[Exchange]:
    try:
        text = read_regular(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"replay={path} cannot be read: {error}") from None
    exchanges = []
    # Text after the last newline is from an interrupted write.
    for at, line in enumerate(text.split("\n")[:-1], 1):
        try:
            exchanges.append(_parse(line))
        except ValueError as error:
            raise ValueError(f"replay={path}, line {at} is not an exchange: {error}") from None
    return exchanges


def _parse(line: str) -> Exchange:
    """Exchange of a line."""
    try:
        fields = parse_json(line, finite=False)
        exchange = Exchange(**{name: fields[name] for name in Exchange._fields})
        if digest(exchange.request) != fields["sha256"]:
            raise ValueError("the hash of the request does not match")
        number("seconds", exchange.seconds, least=0.0)
        if exchange.status == ANSWERED:
            exchange.completion()
        else:  # which looks into the request
            may_continue(exchange.status, exchange.response, exchange.request)
    except (AttributeError, LookupError, TypeError) as error:
        raise ValueError(repr(error)) from None
    return exchange


def _end_last_line(path: Path) -> None:
    """Create the file if needed, for this user only, and remove an incomplete last line.

    Raises:
        OSError: It cannot be written, or is not a regular file.
        ValueError: It is not a log, and stays as it is.
    """
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    with open_regular(path) as file:
        content = file.read()
    first, end, _ = content.partition(b"\n")
    if end:
        _parse(first.decode())
    elif not first.startswith(_BEGINNING[: len(first)]):
        raise ValueError("it does not begin like one")
    os.truncate(path, content.rfind(b"\n") + 1)
