"""Matches with Slumbot, Eric Jackson's strong heads-up no-limit bot, over its public API.

``POST /api/new_hand`` and ``/api/act`` send a JSON object with a ``token``, which names the
session, and ``incr``, an action: ``k`` (check), ``c`` (call), ``f`` (fold) or ``b200`` (bet or
raise to 200 on this street). The answers have all actions of the hand with ``/`` between streets,
our position (0: big blind), our cards and the board; when the hand is over, ``winnings`` and the
other's cards.

The hands are those of the Annual Computer Poker Competition: 50/100 with 20,000 chips, which every
hand begins with. They are replayed as the states of its protocol, so that the rules are checked and
the player decides as at any other table.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.acpc.client import MatchReplay
from agents.acpc.dealer import MatchError, read_log
from agents.acpc.games import competition_game
from agents.acpc.protocol import (
    N_STREETS,
    FinishedHand,
    MatchState,
    ProtocolAction,
    ProtocolError,
    parse_match_state,
)
from agents.external.http_post import MOST_PATIENCE, Endpoint, NoAnswer, seconds_to_wait
from agents.external.player_lifecycle import take_seats
from agents.policy.compiled_player import Player
from nlhe_env.arguments import number, whole_number
from nlhe_env.hand_history import Record, hand_sink
from nlhe_env.hand_history.form import LONGEST_NAME
from nlhe_env.system.json_text import parse_json

URL = "https://slumbot.com/slumbot"
_BIG_BLIND = 100
_BUSY = (429, 503)
"""Statuses of a server that has not looked at the request."""
_ATTEMPTS = 5
_ACTION = re.compile("[kcf]|b(?P<amount>[0-9]{1,9})")
_MOST_ACTIONS = 1_000  # of a hand: one that never ends is refused


@dataclass(frozen=True)
class SlumbotResult:
    """Result of a match with Slumbot."""

    hands: int
    net: int
    """Chips that the player won or lost."""
    baseline: int | None
    """Chips that Slumbot's own baseline says the cards were worth; None where it says nothing."""

    @property
    def bb_per_100(self) -> float:
        """Big blinds won in 100 hands."""
        return 100 * self.net / (_BIG_BLIND * self.hands) if self.hands else 0.0


def play_slumbot(
    player: Player,
    hands: int,
    *,
    url: str = URL,
    seed: int | None = None,
    record: Record | None = None,
    timeout: float = 60.0,
    observation: str = "cards",
) -> SlumbotResult:
    """Play hands against Slumbot.

    Args:
        player: The player.
        hands: Number of hands.
        url: Base address of the server's API.
        seed: Seed of the player's random numbers; default: random.
        record: Destination of finished hands, see ``agents.play``; it also gets the hands of a
            match that stops early.
        timeout: Timeout of a request in seconds.
        observation: See ``MatchReplay``.

    Raises:
        ValueError: An argument is invalid, or the player does not support the game.
        MatchError: The server does not answer, rejects an action, or uses other rules.
        IllegalActionError: The player's action is illegal.
        RuntimeError: The player refuses to play.
    """
    whole_number("hands", hands, least=1)
    number("timeout", timeout, least=0.0, above=True)
    server = _Server(url, timeout)
    sink = None if record is None else hand_sink(record)
    take_seats([player])
    game = competition_game()
    replay: MatchReplay | None = None
    expected = -1
    net, baseline = 0, 0
    has_baseline = True
    for number_of_hand in range(hands):
        answer = server.new_hand()
        position = _position(answer)
        if replay is None or position != expected:
            # Positions are expected to alternate; where they do not, another session begins.
            replay = MatchReplay(player, game, seed=seed, observation=observation)
        expected = 1 - position
        answer = _play_hand(server, replay, answer, number_of_hand)
        won = _whole(answer, "winnings")
        net += won
        has_baseline = has_baseline and answer.get("baseline_winnings") is not None
        baseline += _whole(answer, "baseline_winnings") if has_baseline else 0
        if sink is not None:
            name = getattr(player, "name", type(player).__name__)
            sink(_history(answer, number_of_hand, name[:LONGEST_NAME]))
    return SlumbotResult(hands, net, baseline if has_baseline else None)


def _play_hand(
    server: _Server, replay: MatchReplay, answer: dict[str, Any], number_of_hand: int
) -> dict[str, Any]:
    """Play a hand that has begun to its end; returns the last answer."""
    before = replay.net
    for _ in range(_MOST_ACTIONS):
        is_over = answer.get("winnings") is not None
        try:
            action = replay.take_in(match_state(answer, number_of_hand))
        except ProtocolError as error:
            raise MatchError(f"Slumbot's hand does not follow our rules: {error}") from error
        if is_over:
            if replay.in_hand or replay.net - before != _whole(answer, "winnings"):
                raise MatchError(
                    f"Slumbot reports {answer['winnings']} chips, but the rules give "
                    f"{replay.net - before}: {answer['action']}"
                )
            return answer
        if action is None:
            raise MatchError(f"Slumbot is waiting, but it is not our turn: {answer['action']!r}")
        answer = server.act(_increment(action, replay))
    raise MatchError(f"a Slumbot hand does not end: {answer['action'][:100]}...")


def match_state(answer: Mapping[str, Any], hand_number: int) -> MatchState:
    """The state of the competition's protocol that an answer of Slumbot's stands for.

    Args:
        answer: The answer.
        hand_number: Number of the hand.

    Raises:
        ProtocolError: It is none.

    >>> match_state({"action": "b200c/k", "client_pos": 1, "hole_cards": ["Ac", "9d"],
    ...     "board": ["2c", "3d", "Th"]}, 7)  # doctest: +ELLIPSIS
    MatchState(position=1, hand_number=7, betting='r200c/c', hole_cards=('', 'Ac9d'), ...)
    """
    is_over = answer.get("winnings") is not None
    betting = _betting(_text(answer, "action"), is_over)
    position = _position(answer)
    cards = ["", ""]
    cards[position] = _cards(answer, "hole_cards")
    if is_over and answer.get("bot_hole_cards"):
        cards[1 - position] = _cards(answer, "bot_hole_cards")
    board = _cards(answer, "board")
    groups = (board[:6], board[6:8], board[8:10])[: betting.count("/")]
    return parse_match_state(
        f"MATCHSTATE:{position}:{hand_number}:{betting}:" + "/".join(["|".join(cards), *groups])
    )


def _betting(action: str, is_over: bool) -> str:
    """Slumbot's actions in the words of the competition, whose raises count the whole hand."""
    streets = action.rstrip("/").split("/") if is_over else action.split("/")
    earlier, found = 0, []
    for number_of_street, street in enumerate(streets):
        highest = 0 if number_of_street else _BIG_BLIND
        words = []
        for each in _split(street):
            if each["amount"]:
                highest = int(each["amount"])
                words.append(f"r{earlier + highest}")
            else:
                words.append("f" if each[0] == "f" else "c")
        earlier += highest
        found.append("".join(words))
    if is_over and not found[-1].endswith("f"):
        found += [""] * (N_STREETS - len(found))  # all-in: the board has run out
    return "/".join(found)


def _split(street: str) -> list[re.Match[str]]:
    """The actions of a street."""
    found = list(_ACTION.finditer(street))
    if "".join(each[0] for each in found) != street:
        raise ProtocolError(
            f"Slumbot's actions must look like k, c, f and b200; got {street[:100]!r}"
        )
    return found


def _increment(action: ProtocolAction, replay: MatchReplay) -> str:
    """An action of ours in Slumbot's words."""
    if action.total is not None:
        return f"b{action.total - replay.put_in_earlier}"
    return "f" if action.kind == "f" else "c" if replay.to_call > 0 else "k"


def _history(answer: Mapping[str, Any], hand_number: int, name: str) -> Any:
    """The hand as it is recorded."""
    state = match_state(answer, hand_number)
    won = _whole(answer, "winnings")
    net = [-won, -won]
    net[state.position] = won
    names = ["Slumbot", "Slumbot"]
    names[state.position] = "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
    line = FinishedHand(
        hand_number, state.betting, state.hole_cards, state.board, tuple(net), tuple(names)
    )
    (hand,) = read_log(str(line), game=competition_game())
    return hand


class _Server:
    """Requests to the API of a session."""

    def __init__(self, url: str, timeout: float) -> None:
        self._endpoint = Endpoint(url, sends_key=False)
        self._timeout = timeout
        self._token: str | None = None

    def new_hand(self) -> dict[str, Any]:
        """The first answer of a hand."""
        return self._post("/api/new_hand", {})

    def act(self, increment: str) -> dict[str, Any]:
        """The answer to an action."""
        return self._post("/api/act", {"incr": increment})

    def _post(self, path: str, fields: dict[str, str]) -> dict[str, Any]:
        """The answer to a request, which is never sent again once it may have been understood."""
        token = {} if self._token is None else {"token": self._token}
        body = json.dumps({**token, **fields}).encode()
        for attempt in range(_ATTEMPTS):
            try:
                reply = self._endpoint.post(self._endpoint.path + path, body, {}, self._timeout)
            except NoAnswer as error:
                raise MatchError(f"Slumbot does not answer: {error}") from None
            if reply.status not in _BUSY or attempt == _ATTEMPTS - 1:
                break
            asked_for = seconds_to_wait(reply.retry_after)
            if asked_for > MOST_PATIENCE:
                raise MatchError(f"Slumbot asks to wait for {asked_for:.0f} seconds")
            time.sleep(max(2.0**attempt, asked_for))
        try:
            answer = parse_json(reply.body)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or reply.status != 200 or "error_msg" in answer:
            shown = ascii(reply.body[:300].decode("utf-8", errors="replace"))
            raise MatchError(f"Slumbot rejected {fields or 'a new hand'}: {reply.status} {shown}")
        token_given = answer.get("token")
        if isinstance(token_given, str):
            self._token = token_given
        return answer


def _text(answer: Mapping[str, Any], field: str) -> str:
    value = answer.get(field)
    if not isinstance(value, str):
        raise ProtocolError(f"Slumbot's answer must have the text {field}; got {value!r}")
    return value


def _whole(answer: Mapping[str, Any], field: str) -> int:
    value = answer.get(field)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MatchError(f"Slumbot's answer must have the number {field}; got {value!r}")
    return value


def _position(answer: Mapping[str, Any]) -> int:
    position = _whole(answer, "client_pos")
    if position not in (0, 1):
        raise MatchError(f"Slumbot's client_pos must be 0 or 1; got {position}")
    return position


def _cards(answer: Mapping[str, Any], field: str) -> str:
    cards = answer.get(field)
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise ProtocolError(f"Slumbot's answer must have the cards {field}; got {cards!r}")
    return "".join(cards)
