"""A player that asks a chat model for every decision.

Within a session it remembers nothing, statistics or the hands. A session is an episode: a
tournament or a cash game. Nothing is remembered beyond it, because the games of a duplicate block
have the same cards.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from agents.external.chat.answers import (
    ANSWER_KINDS,
    CUT_OFF,
    AnswerError,
    AnswerKind,
    Distribution,
    instructions,
    read_answer,
    response_format,
)
from agents.external.chat.client import DEFAULT_URL, Access, ChatClient
from agents.external.chat.exchange_log import ExchangeLog
from agents.external.chat.report import Budget, ChatError, ChatReport
from agents.external.chips import CHECK_OR_CALL, FOLD, ChipPlayer, Turn
from agents.external.invalid_decisions import MOST_IN_A_ROW
from agents.external.turn_text import action_text, events_by_street, rules_text, spaced, turn_text
from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.system.files import read_regular
from nlhe_env.system.json_text import parse_json

_LONGEST_ECHO = 2_000
"""Maximum number of characters of a wrong answer that are quoted in the correction."""
_LONGEST_EXAMPLE = 80
"""Maximum number of characters of a wrong answer in reports."""
_NO_TEXT = "(no text)"
"""Quotation of an empty answer, since some servers refuse empty messages."""
OPTIONS_BESIDE_PLAY = (
    *("url", "key", "header", "timeout", "retries", "max_requests", "max_tokens", "budget"),
    *("price_in", "price_out", "price_cached", "log", "replay"),
)
"""Options that do not change its play."""
_OWN_FIELDS = ("messages", "response_format", "stream", "n")


MemoryKind = Literal["none", "statistics", "transcript"]
MEMORY_KINDS: tuple[MemoryKind, ...] = get_args(MemoryKind)

MOST_HANDS = 20
"""Maximum number of hands in a transcript."""
MOST_CHARACTERS = 12_000
"""Maximum length of a transcript in characters, which allows fewer long hands."""

_STATISTICS = (
    "Opponents in the hands of this session so far (aggression: bets and raises, of bets, raises "
    "and calls after the flop):"
)

Hand = Mapping[str, Any]
"""A hand in the form of ``on_hand_end``."""


class Memory:
    """Memory of one player in one session.

    Args:
        kind: Kind of memory.
        player: Name of the player in the game.
    """

    def __init__(self, kind: MemoryKind, player: str) -> None:
        self._kind, self._player = kind, player
        self._counts: dict[str, _Counts] = {}
        self._hands: deque[tuple[str, int, Hand]] = deque(maxlen=MOST_HANDS)

    def add(self, hole_cards: str, big_blind: int, hand: Hand) -> None:
        """Add a finished hand.

        Args:
            hole_cards: The player's hole cards.
            big_blind: The big blind in chips.
            hand: The hand.
        """
        if self._kind == "statistics":
            for name in hand["net"]:
                self._counts.setdefault(name, _Counts()).add(name, hand)
        elif self._kind == "transcript":
            self._hands.append((hole_cards, big_blind, hand))

    def text(self, turn: Turn) -> str:
        """Memory as text, with current seats; empty if there is none."""
        seats = {
            seat["player"]: f"seat {number}"
            for number, seat in enumerate(turn["seats"])
            if seat is not None
        }
        seats[self._player] = "you"
        lines = self._statistics(seats) if self._kind == "statistics" else self._transcript(seats)
        return "\n".join(lines)

    def _statistics(self, seats: Mapping[str, str]) -> list[str]:
        lines = [
            f"{seats[name]}: {counts.text()}"
            for name, counts in self._counts.items()
            if name in seats and name != self._player and counts.hands
        ]
        return [_STATISTICS, *lines] if lines else []

    def _transcript(self, seats: Mapping[str, str]) -> list[str]:
        lines: list[str] = []
        length = 0
        for cards, big_blind, hand in reversed(self._hands):
            line = _hand_line(cards, big_blind, hand, seats)
            length += len(line)
            if length > MOST_CHARACTERS:
                break
            lines.append(line)
        return ["The last hands of this session:", *reversed(lines)] if lines else []


class _Counts:
    """Action counts of a player, as defined in ``agents.match.style``."""

    def __init__(self) -> None:
        self.hands = self.entered = self.raised = self.flops = self.showdowns = 0
        self.bets = self.calls = self.faced = self.folds = 0

    def add(self, player: str, hand: Hand) -> None:
        """Count a hand in which the player was dealt in."""
        preflop = set()
        for street, events in events_by_street(hand["history"]):
            is_raised = False
            for event, _ in events:
                action = event["action"]
                if event["player"] == player:
                    self.faced += is_raised
                    self.folds += is_raised and action == "fold"
                    if street == "preflop":
                        preflop.add(action)
                    else:
                        self.bets += action == "raise"
                        self.calls += action == "call"
                is_raised = is_raised or action == "raise"
        self.hands += bool(preflop)
        self.entered += bool(preflop & {"call", "raise"})
        self.raised += "raise" in preflop
        if hand["board"] and "fold" not in preflop:
            self.flops += 1
            self.showdowns += player in hand["shown"]

    def text(self) -> str:
        """Statistics as text."""
        shares = (
            ("VPIP", self.entered, self.hands),
            ("PFR", self.raised, self.hands),
            ("aggression", self.bets, self.bets + self.calls),
            ("folds to raises", self.folds, self.faced),
            ("showdowns of flops seen", self.showdowns, self.flops),
        )
        known = [f"{name} {count / total:.0%} of {total}" for name, count, total in shares if total]
        return f"{self.hands} hands, {', '.join(known)}"


def _hand_line(hole_cards: str, big_blind: int, hand: Hand, seats: Mapping[str, str]) -> str:
    """A hand in one line."""

    def called(name: str) -> str:
        return seats.get(name, "a player who left")

    def actions(events: Sequence[Any]) -> str:
        return ", ".join(
            f"{called(event['player'])} {_action(event, opens, seats, big_blind)}"
            for event, opens in events
        )

    parts = [f"hand {hand['hand_number'] + 1}: you held {spaced(hole_cards)}"]
    parts += [
        f"{street}: {actions(events)}" for street, events in events_by_street(hand["history"])
    ]
    if hand["board"]:
        parts.append(f"board {spaced(hand['board'])}")
    shown = hand["shown"]
    if shown:
        cards = ", ".join(f"{called(name)} {spaced(cards)}" for name, cards in shown.items())
        parts.append(f"shown: {cards}")
    results = ", ".join(f"{called(name)} {net:+d}" for name, net in hand["net"].items() if net)
    return "; ".join([*parts, f"result: {results}"])


def _action(event: Hand, opens: bool, seats: Mapping[str, str], big_blind: int) -> str:
    own = seats.get(event["player"]) == "you"
    return action_text(event, opens=opens, own=own, big_blind=big_blind)


class _Session:
    """State of one player in one episode."""

    def __init__(self, info: Mapping[str, Any], memory: MemoryKind) -> None:
        self.seed = int(info["seed"])
        self.rules = rules_text(info["betting"], info["mode"])
        self.memory = Memory(memory, info["player"])


class ChatPlayer(ChipPlayer):
    """A chat model, asked through the protocol of OpenAI's chat completions.

    The model gets the rules and the turn as text, never the name of a player. After an unreadable
    or illegal answer, one correction is requested; then the player checks, or folds facing a bet.
    Ten such decisions in a row stop the match with a ``ChatError``. So does a server that does not
    answer, or an exhausted budget, because a network must not decide hands.

    Args:
        model: Name of the model on the server.
        url: Address of the server; ``/chat/completions`` is appended, after ``/v1`` if there is no
            path, and before a query.
        key: Name of the environment variable with the key. By default ``OPENAI_API_KEY`` for
            OpenAI's server, and none for others. The key is read with every request, and is
            neither kept nor written.
        header: A further header with a key, as ``NAME=VARIABLE``: the value is read from the
            environment variable like a key, such as ``api-key=AZURE_OPENAI_API_KEY``.
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
        price_out: Price of a million tokens of answers, reasoning included.
        price_cached: Price of a million tokens of prompts that the server had cached; default:
            ``price_in``.
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
        header: str = "",
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
        price_cached: float | None = None,
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
        self.identity = json.dumps([fields, answer, memory, reasoning, self._advice])
        """Identity among other players: everything that its play depends on."""
        self._client = ChatClient(
            Access(url, key, timeout, retries, header),
            fields,
            Budget(max_requests, max_tokens, budget, price_in, price_out, price_cached),
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
        report = self.report
        for _ in range(2):
            text, finish_reason = self._client.complete(messages, form)
            try:
                chances = read_answer(text, turn, self._answer, finish_reason=finish_reason)
            except AnswerError as error:
                reason, words = error.reason, str(error)
                report.illegal += 1
                report.cut_off += reason == CUT_OFF
                problem = f"Your answer does not count: {words}. Answer again, in the same form."
                quoted = text[:_LONGEST_ECHO] if text.strip() else _NO_TEXT
                messages = [
                    *messages,
                    {"role": "assistant", "content": quoted},
                    {"role": "user", "content": problem},
                ]
            else:
                report.invalid.in_a_row = 0
                return chances
        example = f"the answer {text[:_LONGEST_EXAMPLE]!r}, but " if text.strip() else ""
        report.invalid.add(reason, f"{example}{words}")
        if report.invalid.in_a_row >= MOST_IN_A_ROW:
            raise ChatError(report.invalid.why_stopped(self.name))
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
        return read_regular(Path(file)).decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{option}={file} cannot be read: {error}") from None


def _read_fields(file: str) -> dict[str, Any]:
    """Further fields of requests, from a JSON file."""
    text = _read_text("extra", file)
    if not text:
        return {}
    try:
        fields = parse_json(text)
    except ValueError as error:
        raise ValueError(f"extra={file} is not JSON: {error}") from None
    if not isinstance(fields, dict) or any(field in fields for field in _OWN_FIELDS):
        raise ValueError(
            f"extra={file} must be a JSON object without {', '.join(_OWN_FIELDS)}; got {fields!r}"
        )
    return fields
