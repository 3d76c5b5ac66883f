"""Requests for chat completions: retries, budgets and the log."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from agents.external.chat.exchange_log import (
    ANSWERED,
    Completion,
    Exchange,
    ExchangeLog,
    encode,
)
from agents.external.chat.refusals import Part, invalid_text, refused_part
from agents.external.chat.report import Budget, ChatError, ChatReport
from agents.external.http_post import (
    MOST_PATIENCE,
    Credentials,
    Endpoint,
    MissingKeyError,
    NoAnswer,
    Reply,
    seconds_to_wait,
    shown_host,
    text_without_secrets,
    without_secrets,
)
from nlhe_env.arguments import number, printable, whole_number
from nlhe_env.system.json_text import parse_json

DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second attempt, doubled for every further one, and their limit."""
_COMPLETIONS = "/chat/completions"
_TRANSIENT = (408, 409, 425, 429)
_REDIRECTS = range(300, 400)
_CHARACTERS_A_TOKEN = 3
"""Characters per token in texts of this game, for models with small vocabularies."""
_MOST_TOKENS = 10**9
"""Tokens of a request that a server can have counted."""
_PARTS = ("prompt", "completion")
_SHOWN = 300
"""Characters of a server's text in a message."""


class Access(NamedTuple):
    """Access to a server."""

    url: str
    key: str
    """Name of the environment variable with the key; ""  for the default."""
    timeout: float
    """Time limit for an answer in seconds."""
    retries: int
    """Number of retries of a request without an answer."""
    header: str = ""
    """A header and the environment variable with its value, as NAME=VARIABLE; "" for none."""


class ChatClient:
    """Client for completions from a server.

    Args:
        access: Access to the server.
        fields: Fields of every request besides the messages.
        budget: Limits and prices.
        log: Log of the exchanges.
        report: Counters to update.
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
        host = shown_host(access.url)
        # The default variable holds one company's secret, which other servers get only if it is
        # named.
        is_usual = host == urlsplit(DEFAULT_URL).hostname
        key = access.key or (DEFAULT_KEY if is_usual else "")
        self._endpoint = Endpoint(access.url, sends_key=bool(key or access.header))
        path = (self._endpoint.path.removesuffix(_COMPLETIONS) or "/v1") + _COMPLETIONS
        self._path = path + self._endpoint.query
        self._url = self._endpoint.shown
        self._credentials = Credentials(key, access.header, self._url)
        self._fields = fields.copy()
        # What the server rejected so far.
        self._refused: set[Part] = set()
        self._budget, self._log, self._report = budget, log, report

    def check_key(self) -> None:
        """Check that the key is available, if one is needed.

        Raises:
            ChatError: The environment variable is not set or is not a valid key.
        """
        self._keys()

    def _keys(self) -> tuple[dict[str, str], list[str]]:
        """Headers with secrets, and the secrets."""
        try:
            return self._credentials.headers(), self._credentials.secrets()
        except MissingKeyError as error:
            raise ChatError(str(error)) from None

    def complete(
        self, messages: list[dict[str, str]], response_format: dict[str, Any]
    ) -> Completion:
        """The model's answer.

        If a server rejects the system message, the schema or the name of the answer's token limit,
        later requests have the rules in the first user message, ``json_object`` or no
        ``response_format``, and the other name.

        Raises:
            ChatError: There is no answer, or a budget is exhausted.
        """
        while True:
            exchange = self._exchange(self._request(messages, response_format))
            if exchange.status == ANSWERED:
                return self._read(exchange)
            text = invalid_text(exchange.status, exchange.response)
            if text is not None:
                return Completion(text, "json_validate_failed")
            self._adapt(exchange)

    def _request(
        self, messages: list[dict[str, str]], response_format: dict[str, Any]
    ) -> dict[str, Any]:
        """Body of a request without the parts that the server rejects."""
        if "system message" in self._refused:
            rules, turn, *later = messages
            turn = {**turn, "content": f"{rules['content']}\n\n{turn['content']}"}
            messages = [turn, *later]
        request = {**self._fields, "messages": messages}
        if "schema" not in self._refused:
            request["response_format"] = response_format
        elif "JSON mode" not in self._refused:
            request["response_format"] = {"type": "json_object"}
        return request

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
        headers, secrets = self._keys()
        wait = FIRST_WAIT
        for attempt in range(self._retries + 1):
            start = time.monotonic()
            reply, error = None, ""
            try:
                reply = self._endpoint.post(self._path, encode(request), headers, self._timeout)
            except NoAnswer as failure:
                error = str(failure)
            seconds = round(time.monotonic() - start, 3)
            exchange = _to_exchange(request, self._url, reply, error, seconds, secrets)
            self._log.write(exchange)
            if exchange.is_usable:
                return exchange
            problem = _problem(exchange)
            if reply is not None and reply.status in _REDIRECTS:
                host = without_secrets(shown_host(reply.location), secrets)
                raise ChatError(
                    f"{self._url} redirects to another address ({host}), which is refused, since "
                    "the key and the cards are meant for this one only; give the right url"
                )
            if reply is not None and not _is_transient(reply.status):
                raise ChatError(f"{self._url} refuses the request: {problem}")
            self._report.failures += 1
            asked_for = seconds_to_wait(reply.retry_after) if reply is not None else 0.0
            if asked_for > MOST_PATIENCE:
                raise ChatError(f"{self._url} asks to wait for {asked_for:.0f} seconds: {problem}")
            if attempt < self._retries:
                time.sleep(max(wait, asked_for))
                wait = min(2 * wait, LONGEST_WAIT)
        raise ChatError(
            f"{self._retries + 1} requests in a row to {self._url} have failed; the last error: "
            f"{problem}"
        )

    def _adapt(self, exchange: Exchange) -> None:
        """Replace the part of the request that the server has rejected."""
        part = refused_part(exchange.status, exchange.response, exchange.request)
        if part is None:
            raise ChatError(f"{self._url} refuses the request: {_problem(exchange)}")
        if part == "token limit":
            self._fields["max_completion_tokens"] = self._fields.pop("max_tokens")
        self._refused.add(part)

    def _read(self, exchange: Exchange) -> Completion:
        """An answer; counts its tokens."""
        completion = exchange.completion()
        prompt = "".join(message["content"] for message in exchange.request["messages"])
        usage = exchange.response.get("usage")
        self._budget.add(self._report, *_tokens(usage, prompt, completion.text))
        return completion


def _to_exchange(
    request: dict[str, Any],
    url: str,
    reply: Reply | None,
    error: str,
    seconds: float,
    secrets: Sequence[str],
) -> Exchange:
    """Logged exchange, with the secrets removed in case the server repeated them."""
    if reply is None:
        return Exchange(request, url, 0, None, without_secrets(error, secrets), seconds)
    response: Any = text_without_secrets(reply.body, secrets)
    with contextlib.suppress(ValueError):
        response = parse_json(response, finite=False)
    exchange = Exchange(request, url, reply.status, response, "", seconds)
    if reply.status == ANSWERED:
        try:
            exchange.completion()
        except (AttributeError, LookupError, TypeError):
            return exchange._replace(status=0, error="no chat completion")
    return exchange


def _tokens(usage: Any, prompt: str, answer: str) -> tuple[int, int, int]:
    """Numbers of prompt, answer and cached prompt tokens.

    Some servers count reasoning in the total only, so that the answer has what is left of it.
    Numbers that the server does not report are estimated from the texts.
    """
    counts = usage if isinstance(usage, dict) else {}
    total = _count(counts.get("total_tokens"))
    tokens_in, tokens_out = (_count(counts.get(f"{part}_tokens")) for part in _PARTS)
    if tokens_in is None:
        tokens_in = -(-len(prompt) // _CHARACTERS_A_TOKEN)
        tokens_in = tokens_in if total is None else min(tokens_in, total)
    if tokens_out is None and total is None:
        tokens_out = -(-len(answer) // _CHARACTERS_A_TOKEN)
    tokens_out = max(tokens_out or 0, (total or 0) - tokens_in)
    details = counts.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    cached = counts.get("prompt_cache_hit_tokens") if cached is None else cached  # DeepSeek
    return tokens_in, tokens_out, min(_count(cached) or 0, tokens_in)


def _count(given: Any) -> int | None:
    """Number of tokens as reported, if it is possible."""
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    with contextlib.suppress(ValueError):
        return whole_number("tokens", given, least=0, most=_MOST_TOKENS)
    return None


def _is_transient(status: int) -> bool:
    return status == ANSWERED or status in _TRANSIENT or status >= 500


def _problem(exchange: Exchange) -> str:
    """Description of a failure that is safe to print."""
    response = exchange.response
    text = response if isinstance(response, str) else json.dumps(response)
    words = f"{exchange.error}: {text}" if exchange.error and response else exchange.error or text
    shown = printable(words[:_SHOWN])
    return f"status {exchange.status}: {shown}" if exchange.status else shown
