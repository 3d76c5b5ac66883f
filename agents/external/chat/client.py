"""Requests for chat completions: retries, budgets and the log."""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from agents.external.chat.exchange_log import (
    ANSWERED,
    REFUSED_OPTION,
    Exchange,
    ExchangeLog,
    encode,
)
from agents.external.chat.report import Budget, ChatError, ChatReport
from agents.external.http_post import Endpoint, NoAnswer, Reply, seconds_to_wait
from nlhe_env.arguments import number, whole_number

DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second attempt, doubled for every further one, and their limit."""
_MOST_PATIENCE = 600.0
"""Maximum wait that a server may request, in seconds."""
_COMPLETIONS = "/chat/completions"
_TRANSIENT = (408, 409, 425, 429)
_REDIRECTS = range(300, 400)
_CHARACTERS_A_TOKEN = 3
"""Characters per token in texts of this game, for models with small vocabularies."""
_SHOWN = 300


class Access(NamedTuple):
    """Access to a server."""

    url: str
    key: str
    """Name of the environment variable with the key; ""  for the default."""
    timeout: float
    """Time limit for an answer in seconds."""
    retries: int
    """Number of retries of a request without an answer."""


class ChatClient:
    """Client for completions from a server.

    Args:
        access: Access to the server.
        fields: Fields of every request besides the messages.
        budget: Limits and prices.
        log: Log of the exchanges.
        report: Counters to update.

    Raises:
        ValueError: An option is invalid.
    """

    def __init__(
        self,
        access: Access,
        fields: dict[str, Any],
        budget: Budget,
        log: ExchangeLog,
        report: ChatReport,
    ) -> None:
        self._timeout = number("timeout", access.timeout, least=0.0, above=True)
        self._retries = whole_number("retries", access.retries, least=0)
        host = urlsplit(access.url).hostname
        # The default variable holds one company's secret, which other servers get only if it is
        # named.
        is_usual = host == urlsplit(DEFAULT_URL).hostname
        self._key = access.key or (DEFAULT_KEY if is_usual else "")
        self._endpoint = Endpoint(access.url, sends_key=bool(self._key))
        self._path = (self._endpoint.path.removesuffix(_COMPLETIONS) or "/v1") + _COMPLETIONS
        self._url = access.url
        self._fields = fields.copy()
        self._is_plain = False  # whether the server rejects response_format
        self._budget, self._log, self._report = budget, log, report

    def check_key(self) -> None:
        """Check that the key is available, if one is needed.

        Raises:
            ChatError: The environment variable is not set or is not a valid key.
        """
        if self._key:
            self._read_key()

    def _read_key(self) -> str:
        key = os.environ.get(self._key, "").strip()
        if not key:
            raise ChatError(
                f"the environment variable {self._key} must hold the key for {self._url}"
            )
        # Checked here, because the error message of the HTTP library would reveal it.
        if not (key.isascii() and key.isprintable()):
            raise ChatError(
                f"the environment variable {self._key} must hold a key on a single line of ASCII "
                "characters"
            )
        return key

    def complete(self, messages: list[dict[str, str]], response_format: dict[str, Any]) -> str:
        """Text of the model's answer.

        If a server rejects ``response_format``, or the name of the answer's token limit, later
        requests omit it.

        Raises:
            ChatError: There is no answer, or a budget is exhausted.
        """
        while True:
            request = {**self._fields, "messages": messages}
            if not self._is_plain:
                request["response_format"] = response_format
            exchange = self._exchange(request)
            if exchange.status == ANSWERED:
                return self._read(exchange)
            self._adapt(exchange)

    def _exchange(self, request: dict[str, Any]) -> Exchange:
        """Exchange for a request, from the log or the server."""
        self._budget.check(self._report)
        exchange = self._log.replayed(request)
        if exchange is None:
            exchange = self._ask(request)
        else:
            self._report.replayed += 1
        self._report.requests += 1
        self._report.seconds += exchange.seconds
        return exchange

    def _ask(self, request: dict[str, Any]) -> Exchange:
        """Exchange with the server, with retries."""
        key = self._read_key() if self._key else None
        wait = FIRST_WAIT
        for attempt in range(self._retries + 1):
            start = time.monotonic()
            reply, error = None, ""
            try:
                reply = self._endpoint.post(self._path, encode(request), key, self._timeout)
            except NoAnswer as failure:
                error = str(failure)
            seconds = round(time.monotonic() - start, 3)
            exchange = _to_exchange(request, self._url, reply, error, seconds, key)
            self._log.write(exchange)
            if exchange.status in (ANSWERED, *REFUSED_OPTION):
                return exchange
            problem = _problem(exchange)
            if reply is not None and reply.status in _REDIRECTS:
                raise ChatError(
                    f"{self._url} redirects to another address ({_host(reply.location)}), which is "
                    "refused, since the key and the cards are meant for this one only; give the "
                    "right url"
                )
            if reply is not None and not _is_transient(reply.status):
                raise ChatError(f"{self._url} refuses the request: {problem}")
            self._report.failures += 1
            asked_for = seconds_to_wait(reply.retry_after) if reply is not None else 0.0
            if asked_for > _MOST_PATIENCE:
                raise ChatError(f"{self._url} asks to wait for {asked_for:.0f} seconds: {problem}")
            if attempt < self._retries:
                time.sleep(max(wait, asked_for))
                wait = min(2 * wait, LONGEST_WAIT)
        raise ChatError(
            f"{self._url} has not answered {self._retries + 1} requests in a row; the last "
            f"problem: {problem}"
        )

    def _adapt(self, exchange: Exchange) -> None:
        """Omit request fields that the server may have rejected."""
        problem = _problem(exchange)
        if "max_tokens" in self._fields and "max_completion_tokens" in problem:
            self._fields["max_completion_tokens"] = self._fields.pop("max_tokens")
        elif not self._is_plain:
            self._is_plain = True
        else:
            raise ChatError(f"{self._url} refuses the request: {problem}")

    def _read(self, exchange: Exchange) -> str:
        """Text of an answer; counts its tokens."""
        text = exchange.text()
        usage = exchange.response.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        prompt = "".join(message["content"] for message in exchange.request["messages"])
        self._budget.add(
            self._report,
            _count(counts.get("prompt_tokens"), prompt),
            _count(counts.get("completion_tokens"), text),
        )
        return text


def _to_exchange(
    request: dict[str, Any],
    url: str,
    reply: Reply | None,
    error: str,
    seconds: float,
    key: str | None,
) -> Exchange:
    """Logged exchange, with the key removed in case the server repeated it."""
    if reply is None:
        return Exchange(request, url, 0, None, _without(error, key), seconds)
    text = _without(reply.body.decode("utf-8", errors="replace"), key)
    response: Any = text
    with contextlib.suppress(ValueError, RecursionError):
        # Again for the key in escaped form.
        plain = json.dumps(json.loads(text), ensure_ascii=False)
        response = json.loads(_without(plain, key and json.dumps(key)[1:-1]))
    exchange = Exchange(request, url, reply.status, response, "", seconds)
    if reply.status == ANSWERED:
        try:
            exchange.text()
        except (LookupError, TypeError):
            return exchange._replace(status=0, error="no chat completion")
    return exchange


def _count(given: Any, text: str) -> int:
    """Number of tokens as reported, otherwise estimated from the text."""
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return given
    return -(-len(text) // _CHARACTERS_A_TOKEN)


def _is_transient(status: int) -> bool:
    return status == ANSWERED or status in _TRANSIENT or status >= 500


def _problem(exchange: Exchange) -> str:
    """Description of a failure that is safe to print."""
    response = exchange.response
    text = response if isinstance(response, str) else json.dumps(response)
    words = f"{exchange.error}: {text}" if exchange.error and response else exchange.error or text
    shown = "".join(c if c.isprintable() else " " for c in words[:_SHOWN])
    return f"status {exchange.status}: {shown}" if exchange.status else shown


def _host(location: str) -> str:
    try:
        return urlsplit(location).hostname or "on the same server"
    except ValueError:
        return "of no meaning"


def _without(text: str, key: str | None) -> str:
    return text.replace(key, "[key]") if key else text
