"""Players behind an address: one HTTP request a decision, with the messages of programs."""

from __future__ import annotations

from typing import Any

from agents.external.chips import Turn
from agents.external.http_post import (
    Credentials,
    Endpoint,
    LateAnswer,
    NoAnswer,
    shown_host,
    text_without_secrets,
    without_secrets,
)
from agents.external.process.bot_player import BotPlayer
from agents.external.process.messages import (
    PROTOCOL,
    read_action,
    read_games,
    read_name,
    read_object,
    shown,
    to_line,
)
from agents.external.process.report import GONE, LATE, UNREADABLE, BotFault
from nlhe_env.arguments import number, whole_number

_ANSWERED = 200
_REDIRECTS = range(300, 400)
OPTIONS_BESIDE_PLAY = ("key", "header", "seconds_to_start", "seconds_per_decision", "forfeit_after")
"""Options that do not change its play."""


class HttpPlayer(BotPlayer):
    """Agent behind an address, asked as in ``docs/external-bots.md``.

    Every decision is a POST request with the message ``act``, which the server answers with an
    ``action``. When the player takes its seat, the server gets a ``hello``, and the player is
    rejected without a ``ready``. After that the server cannot stop the game: without a valid answer
    in time the player checks, or folds to a bet, and gets a strike in ``report``. Redirects are
    refused.

    Args:
        url: Address, such as ``"http://127.0.0.1:8080/act"``.
        key: Name of the environment variable with a key, sent as ``Authorization: Bearer``.
        header: Another header and the environment variable with its value, as ``NAME=VARIABLE``.
        seconds_per_decision: Time limit for an answer (wall time).
        seconds_to_start: Time limit for the ``ready``.
        forfeit_after: Number of consecutive decisions without a valid answer before it forfeits:
            the server is no longer asked, and the seat checks or folds.

    Raises:
        ValueError: The address is invalid or contains a secret, a key would be sent to another
            machine without encryption, or a limit is out of range.

    A player plays one game at a time: use several players for games in several threads.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str = "",
        header: str = "",
        seconds_per_decision: float = 2.0,
        seconds_to_start: float = 10.0,
        forfeit_after: int = 10,
    ) -> None:
        self._endpoint = Endpoint(url, sends_key=bool(key or header))
        self._credentials = Credentials(key, header, self._endpoint.shown)
        number("seconds_per_decision", seconds_per_decision, least=0.0, above=True)
        number("seconds_to_start", seconds_to_start, least=0.0, above=True)
        whole_number("forfeit_after", forfeit_after, least=1)
        self.seconds_per_decision, self.seconds_to_start = seconds_per_decision, seconds_to_start
        super().__init__(self._endpoint.shown, forfeit_after)
        self._has_answered = False

    @property
    def identity(self) -> str:
        """Identity among other players: the address."""
        return f"{self._endpoint.shown}{self._endpoint.path}{self._endpoint.query}"

    def take_seat(self) -> None:
        """Check before the first game that the server answers ``ready`` to a ``hello``.

        Raises:
            RuntimeError: It does not, the player has forfeited, or its key is not available.
        """
        if self._report.forfeited:
            raise RuntimeError(f"the player at {self.name} has forfeited: make a new player")
        if self._has_answered:
            return
        hello = {"protocol": PROTOCOL, "seconds_per_decision": self.seconds_per_decision}
        try:
            ready = self._post("hello", hello, self.seconds_to_start)
            name = read_name(ready)
        except BotFault as fault:
            self._report.add(fault)
            raise RuntimeError(
                f"{self._endpoint.shown} has no player: {fault.detail}; expected the answer "
                '{"type": "ready"} to the first request'
            ) from None
        self._has_answered = True
        self.known_seats, self.known_betting = read_games(ready)
        self._report.name = name or self._report.name

    def abandon(self) -> None:
        """Forfeit, while another thread may wait for the answer."""
        self._report.forfeited = True

    def __repr__(self) -> str:
        return f"HttpPlayer({self._endpoint.shown!r})"

    def _ask(self, turn: Turn) -> int:
        message = {"id": self._report.decisions, **turn}
        return read_action(read_object(self._post("act", message, self.seconds_per_decision)), turn)

    def _post(self, kind: str, fields: dict[str, Any], seconds: float) -> bytes:
        """The answer to a message, without secrets that the server repeats."""
        endpoint, secrets = self._endpoint, self._credentials.secrets()
        path = (endpoint.path or "/") + endpoint.query
        try:
            reply = endpoint.post(path, to_line(kind, fields), self._credentials.headers(), seconds)
        except NoAnswer as failure:
            reason = LATE if isinstance(failure, LateAnswer) else GONE
            raise BotFault(reason, without_secrets(str(failure), secrets)) from None
        if reply.status in _REDIRECTS:
            host = without_secrets(shown_host(reply.location), secrets)
            raise BotFault(UNREADABLE, f"a redirect to another address ({host}), which is refused")
        text = text_without_secrets(reply.body, secrets)
        if reply.status != _ANSWERED:
            raise BotFault(UNREADABLE, f"status {reply.status}: {shown(text)}")
        return text.encode(errors="replace")  # JSON may escape half of a surrogate pair
