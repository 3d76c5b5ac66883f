"""A player that asks a chat model for every decision."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agents.external.chat.answers import (
    ANSWER_KINDS,
    AnswerError,
    AnswerKind,
    Distribution,
    instructions,
    read_answer,
    response_format,
)
from agents.external.chat.client import DEFAULT_URL, Access, ChatClient
from agents.external.chat.exchange_log import ExchangeLog
from agents.external.chat.memory import MEMORY_KINDS, Memory, MemoryKind
from agents.external.chat.report import Budget, ChatReport
from agents.external.chips import CHECK_OR_CALL, FOLD, ChipPlayer, Turn
from agents.external.turn_text import rules_text, turn_text
from nlhe_env.arguments import number, one_of, whole_number

_LONGEST_ECHO = 2_000
"""Maximum number of characters of a wrong answer that are quoted in the correction."""
_OWN_FIELDS = ("messages", "response_format", "stream", "n")


class _Session:
    """State of one player in one episode."""

    def __init__(self, info: Mapping[str, Any], memory: MemoryKind) -> None:
        self.seed = int(info["seed"])
        self.rules = rules_text(info["betting"], info["mode"])
        self.memory = Memory(memory, info["player"])


class ChatPlayer(ChipPlayer):
    """A chat model, asked through the protocol of OpenAI's chat completions.

    The model gets the rules and the turn as text, never the name of a player. After an unreadable
    or illegal answer, one correction is requested; then the player checks, or folds facing a bet. A
    server that does not answer, or an exhausted budget, stops the match with a ``ChatError``,
    because a network must not decide hands.

    Args:
        model: Name of the model on the server.
        url: Address of the server; ``/chat/completions`` is appended, after ``/v1`` if there is no
            path.
        key: Name of the environment variable with the key. By default ``OPENAI_API_KEY`` for
            OpenAI's server, and none for others. The key is read with every request, and is
            neither kept nor written.
        answer: ``"action"``, or ``"distribution"``: action probabilities, from which the player
            samples with random numbers from the game's seed and which variance reduction uses.
        memory: Content added to every turn: ``"none"``; ``"statistics"`` of its opponents in this
            session; or a ``"transcript"`` of the last hands of this session.
        reasoning: Whether an answer begins with a few words of reasoning.
        temperature: Sampling temperature; default: the server's.
        answer_tokens: Token limit of one answer.
        timeout: Time limit for an answer in seconds.
        retries: Number of retries of a request without an answer, with doubling waits.
        max_requests: Maximum number of requests over all games; then a ``BudgetError`` stops the
            match.
        max_tokens: Maximum number of tokens, in and out, over all games.
        budget: Maximum cost over all games.
        price_in: Price of a million tokens of prompts.
        price_out: Price of a million tokens of answers.
        advice: Text file to add to the rules, such as a strategy.
        extra: JSON file with further fields of every request, such as ``{"top_p": 0.9}``.
        log: File to which every exchange is appended.
        replay: Log file from which answers are taken instead of the server; with ``log`` as well,
            the server is asked for missing answers.
        name: Name for tables and plots.

    Raises:
        ValueError: An option is invalid, or a file cannot be read.

    A player plays one game at a time: use several players for games in several threads.
    """

    def __init__(
        self,
        model: str,
        *,
        url: str = DEFAULT_URL,
        key: str = "",
        answer: AnswerKind = "action",
        memory: MemoryKind = "none",
        reasoning: bool = False,
        temperature: float | None = None,
        answer_tokens: int = 4096,
        timeout: float = 120.0,
        retries: int = 4,
        max_requests: int | None = None,
        max_tokens: int | None = None,
        budget: float | None = None,
        price_in: float = 0.0,
        price_out: float = 0.0,
        advice: str = "",
        extra: str = "",
        log: str = "",
        replay: str = "",
        name: str = "",
    ) -> None:
        if not isinstance(model, str) or not model:
            raise ValueError(f"model must be the name of a model; got {model!r}")
        self._answer = one_of("answer", answer, ANSWER_KINDS)
        self._memory = one_of("memory", memory, MEMORY_KINDS)
        self._reasoning = reasoning
        whole_number("answer_tokens", answer_tokens, least=1)
        fields: dict[str, Any] = {"model": model, "max_tokens": answer_tokens}
        if temperature is not None:
            fields["temperature"] = number("temperature", temperature, least=0.0)
        fields |= _read_fields(extra)
        self._advice = _read_text("advice", advice)
        self.report = ChatReport(name or f"chat:{model}")
        """Counters over all games so far."""
        self.identity = json.dumps([url, fields, answer, memory, reasoning, self._advice])
        """Identity among other players: everything that its play depends on."""
        self._client = ChatClient(
            Access(url, key, timeout, retries),
            fields,
            Budget(max_requests, max_tokens, budget, price_in, price_out),
            ExchangeLog(log, replay),
            self.report,
        )
        self._is_replay = bool(replay and not log)
        self._sessions: dict[str, _Session] = {}
        self._hands: dict[tuple[int, int], tuple[str, str, int]] = {}
        """Player, hole cards and big blind of hands in progress, by table and seat."""
        self._asked: tuple[Turn, Distribution] | None = None

    @property
    def name(self) -> str:
        """Name for tables and plots."""
        return self.report.name

    @name.setter
    def name(self, name: str) -> None:
        self.report.name = name

    def __repr__(self) -> str:
        return f"ChatPlayer({self.name!r})"

    # --- the game ---------------------------------------------------------------------------------

    def take_seat(self) -> None:
        """Check that the key is available, if one is needed.

        Raises:
            ChatError: The environment variable is not set.
        """
        if not self._is_replay:
            self._client.check_key()

    def decide(self, turn: Turn) -> int:
        """The model's action, or one sampled from its probabilities.

        Raises:
            ChatError: The server does not answer, or a budget is exhausted.
        """
        chances = self._distribution(turn)
        self._asked = None
        drawn = _uniform(self._session(turn).seed, turn)
        for action, chance in chances.items():
            drawn -= chance
            if drawn < 0:
                return action
        return action  # float probabilities may sum to slightly less than 1

    @property
    def chances(self) -> Callable[[Turn], Distribution] | None:
        """Function that returns the action probabilities of a turn; None without probabilities."""
        return self._distribution if self._answer == "distribution" else None

    def on_episode_start(self, info: Mapping[str, Any]) -> None:
        """Begin a session; see ``agents.external.hooks`` for the info."""
        self._sessions[info["player"]] = _Session(info, self._memory)

    def on_hand_start(self, info: Mapping[str, Any]) -> None:
        """Store the hole cards."""
        player = info["seats"][info["seat"]]["player"]
        held = (player, info["hole_cards"], info["big_blind"])
        self._hands[info["table"], info["seat"]] = held

    def on_hand_end(self, info: Mapping[str, Any]) -> None:
        """Add the hand to the memory."""
        player, hole_cards, big_blind = self._hands.pop((info["table"], info["seat"]))
        self._sessions[player].memory.add(hole_cards, big_blind, info)

    # --- the model --------------------------------------------------------------------------------

    def _session(self, turn: Turn) -> _Session:
        """Session of the player to act; an empty one if no hook announced it."""
        player = turn["seats"][turn["seat"]]["player"]
        if player not in self._sessions:
            unknown = {"player": player, "seed": 0, "betting": "no-limit", "mode": "cash"}
            self.on_episode_start(unknown)
        return self._sessions[player]

    def _distribution(self, turn: Turn) -> Distribution:
        """Action probabilities; the model is queried once per turn."""
        if self._asked is None or self._asked[0] != turn:
            self.report.decisions += 1
            self._asked = (turn, self._ask(turn))
        return self._asked[1]

    def _ask(self, turn: Turn) -> Distribution:
        messages = self._messages(turn)
        form = response_format(turn, self._answer, reasoning=self._reasoning)
        for _ in range(2):
            text = self._client.complete(messages, form)
            try:
                return read_answer(text, turn, self._answer)
            except AnswerError as error:
                self.report.illegal += 1
                problem = f"This answer does not count: {error}. Answer again, in the same form."
                messages = [
                    *messages,
                    {"role": "assistant", "content": text[:_LONGEST_ECHO]},
                    {"role": "user", "content": problem},
                ]
        self.report.failed += 1
        return {FOLD if turn["to_call"] > 0 else CHECK_OR_CALL: 1.0}

    def _messages(self, turn: Turn) -> list[dict[str, str]]:
        view = turn_text(turn)
        session = self._session(turn)
        # The constant part comes first, because servers cache prompt prefixes.
        rules = [session.rules, self._advice, instructions(self._answer, reasoning=self._reasoning)]
        asked = [session.memory.text(turn), view]
        return [
            {"role": "system", "content": "\n\n".join(part for part in rules if part)},
            {"role": "user", "content": "\n\n".join(part for part in asked if part)},
        ]


def _uniform(seed: int, turn: Turn) -> float:
    """Uniform random number in [0, 1), derived from the seed and the decision."""
    decision = f"{seed} {turn['table']} {turn['hand_number']} {turn['decision']}"
    drawn = hashlib.blake2b(decision.encode(), digest_size=8).digest()
    return float((int.from_bytes(drawn, "big") >> 11) / 2**53)


def _read_text(option: str, file: str) -> str:
    if not file:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{option}={file} cannot be read: {error}") from None


def _read_fields(file: str) -> dict[str, Any]:
    """Further fields of requests, from a JSON file."""
    text = _read_text("extra", file)
    if not text:
        return {}
    try:
        fields = json.loads(text)
    except ValueError as error:
        raise ValueError(f"extra={file} is not JSON: {error}") from None
    if not isinstance(fields, dict) or any(field in fields for field in _OWN_FIELDS):
        raise ValueError(
            f"extra={file} must be a JSON object without {', '.join(_OWN_FIELDS)}; got {fields!r}"
        )
    return fields
