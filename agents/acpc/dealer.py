"""ACPC dealer for clients and our own players, with time limits and a log.

It behaves like the competition's dealer ("project_acpc_server", 2011-2017): responses to other
states are ignored, illegal actions become the nearest raise or a call, and a late or missing player
ends the match. Split pots are paid in whole chips, with odd chips by the rules; the competition's
log has fractions there. A match runs in one thread, as a sequence of requests with deadlines.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agents.acpc import protocol
from agents.acpc.connection import ConnectionLostError, LineProtocol, refusals_name
from agents.acpc.games import check_carried, game_name, is_limit
from agents.acpc.protocol import FinishedHand, MatchState, ProtocolAction, ProtocolError
from agents.acpc.table import Table, check_players
from agents.external.episodes import Lineup
from agents.external.player_lifecycle import take_seats
from agents.policy.compiled_player import Player
from nlhe_env.arguments import number, whole_number
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.hand_history import Hand, HandHistoryError, refuse_too_many, stream_hands

CLIENT = None
"""Stands for a seat that a client takes over TCP."""
_LONGEST_LIMIT = 1e6  # seconds; sockets cannot wait for ever


class Log(Protocol):
    """Destination of a log, such as a file of text."""

    def write(self, text: str, /) -> Any:
        """Take in some text."""

    def flush(self) -> Any:
        """Let it be read."""


class MatchError(RuntimeError):
    """A match ended early; the message names the player and the hand."""


@dataclass(frozen=True)
class TimeLimits:
    """Time limits of clients in seconds; the defaults are those of the competition's dealer.

    Args:
        response: For one action.
        hand: For all actions of a hand.
        per_hand: For the whole match, times the number of hands.
        start: Until all clients have connected and sent their version.

    Raises:
        ValueError: A limit is not a number of seconds above 0 and at most a million.
    """

    response: float = 600.0
    hand: float = 600.0
    per_hand: float = 7.0
    start: float = 600.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            number(f"the time limit {name}", value, least=0, most=_LONGEST_LIMIT, above=True)


@dataclass(frozen=True)
class MatchResult:
    """Result of a match, by seat."""

    hands: int
    totals: tuple[int, ...]
    """Chips won or lost."""
    names: tuple[str, ...]
    seconds: tuple[float, ...]
    """Seconds that the seat's client took to answer; 0 for our own players."""
    changed_actions: tuple[int, ...]
    """Actions of the seat's client that were not legal and were changed."""


@dataclass
class _Client:
    """A seat played over TCP."""

    connection: LineProtocol
    seconds: float = 0.0
    seconds_in_hand: float = 0.0
    changed_actions: int = 0


class Dealer:
    """Dealer of a match with a fixed number of hands.

    The ports open at construction; ``play`` waits for the clients and plays. Use it as a context
    manager to close all sockets.

    Args:
        game: The game, see ``competition_game``.
        hands: Number of hands.
        seats: For each seat a player, or ``CLIENT``. Cards depend only on seat, seed and hand
            number: the same seed with swapped seats gives a duplicate match.
        names: Names of the seats, for the log; all different.
        seed: Seed of the cards and of our players' random numbers; default: random.
        limits: Time limits.
        host: The address to listen on.
        ports: One port for all clients in order of connection, or one port per client; 0 is any
            free port.
        log: Destination of the log, written only after all clients have connected.
        observation: Observation of Python players, see ``nlhe_env.env``.
        on_warning: Callback for ignored responses and changed actions.

    Raises:
        ValueError: An argument is invalid, or a player does not support the game.
        OSError: A port is not available; its ``filename`` is host and port.
    """

    def __init__(
        self,
        game: Game,
        hands: int,
        seats: Sequence[Player | None],
        *,
        names: Sequence[str] | None = None,
        seed: int | None = None,
        limits: TimeLimits | None = None,
        host: str = "127.0.0.1",
        ports: Sequence[int] = (0,),
        log: Log | None = None,
        observation: str = "cards",
        on_warning: Callable[[str], None] | None = None,
    ) -> None:
        whole_number("the number of seats", len(seats), least=MIN_SEATS, most=MAX_SEATS)
        if hands < 1:
            raise ValueError(f"hands must be at least 1; got {hands}")
        check_carried(game)
        self.game = game
        self.hands = hands
        self.seed = make_seed(seed)
        self.limits = limits or TimeLimits()
        self.names = seat_names(seats) if names is None else _checked(names, len(seats))
        self._seats = tuple(seats)
        self._log = log
        self._warn = on_warning or (lambda text: None)
        self._clients: dict[int, _Client] = {}
        self._waiting = [seat for seat, player in enumerate(seats) if player is CLIENT]
        if len(ports) not in (1, len(self._waiting)):
            raise ValueError(
                f"expected one port, or one for each of the {len(self._waiting)} clients; got "
                f"{len(ports)}"
            )
        self._table = Table(game, len(seats), seed=self.seed, hands=hands, observation=observation)
        check_players(self._table, seats)
        self._listeners: list[socket.socket] = []
        try:
            for port in ports if self._waiting else ():
                self._listeners.append(_listen(host, port))
        except (OSError, ValueError):
            self.close()
            raise

    @property
    def ports(self) -> tuple[int, ...]:
        """The ports that are open for clients."""
        return tuple(listener.getsockname()[1] for listener in self._listeners)

    def close(self) -> None:
        """Close all sockets."""
        for listener in self._listeners:
            listener.close()
        for client in self._clients.values():
            client.connection.close()
        self._listeners, self._clients = [], {}

    def __enter__(self) -> Dealer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the match --------------------------------------------------------------------------------

    def play(self) -> MatchResult:
        """Wait for the clients, play the match and close the connections.

        Raises:
            MatchError: A client is missing, late, disconnected or has another version.
            IllegalActionError: One of our players chooses an illegal action.
            RuntimeError: One of our players refuses to play.
        """
        with self:
            return self._play()

    def _play(self) -> MatchResult:
        take_seats(self._seats)  # before clients wait for one that cannot play
        self._seat_clients()
        self._write_header()
        table = self._table
        own = {
            agent: player
            for agent, player in zip(table.env.possible_agents, self._seats, strict=True)
            if player is not CLIENT
        }
        lineup = Lineup(table.env, own)
        table.follow(own)
        totals = [0] * len(self._seats)
        while True:
            self._play_hand(table, lineup)
            assert table.net is not None
            for seat, chips in enumerate(table.net):
                totals[seat] += chips
            self._write(str(self._finished_hand(table)))
            self._announce_states(table)
            if table.hand_number + 1 == self.hands:
                break
            table.next_hand()
        self._send(table)
        self._write(protocol.format_score(totals, self.names))
        clients = [self._clients.get(seat) for seat in range(len(self._seats))]
        return MatchResult(
            self.hands,
            tuple(totals),
            self.names,
            tuple(client.seconds if client else 0.0 for client in clients),
            tuple(client.changed_actions if client else 0 for client in clients),
        )

    def _play_hand(self, table: Table, lineup: Lineup) -> None:
        for client in self._clients.values():
            client.seconds_in_hand = 0.0
        while (seat := table.actor) is not None:
            states = self._announce_states(table)
            if seat in self._clients:
                table.act(self._answer(table, seat, states[seat]))
            else:
                table.act(table.action_of(table.ask(lineup), self._player(seat, table)))

    def _announce_states(self, table: Table) -> dict[int, MatchState]:
        """Write the match state to every client; returns what was written to each."""
        states = {}
        for seat, client in self._clients.items():
            states[seat] = match_state(table, seat)
            client.connection.write(str(states[seat]))
        return states

    def _send(self, table: Table) -> None:
        """Send what was written: once for all that our own players have just done."""
        for seat, client in self._clients.items():
            try:
                client.connection.flush(self.limits.response)
            except (TimeoutError, ConnectionLostError) as error:
                raise self._failure(seat, table, error) from None

    def _answer(self, table: Table, seat: int, asked: MatchState) -> ProtocolAction:
        """The legal action that a client has chosen, or what its answer is changed to."""
        client = self._clients[seat]
        self._send(table)
        begun = time.monotonic()
        deadline = begun + min(
            self.limits.response,
            self.limits.hand - client.seconds_in_hand,
            self.limits.per_hand * self.hands - client.seconds,
        )
        question = str(asked)
        while True:
            try:
                line = client.connection.receive(deadline)
                if time.monotonic() > deadline:
                    raise TimeoutError
            except (TimeoutError, ConnectionLostError) as error:
                raise self._failure(seat, table, error) from None
            if not line.startswith(protocol.COMMENT_MARKS):
                try:
                    state, text = protocol.split_response(line)
                    if state == question or protocol.parse_match_state(state).asks_the_same_as(
                        asked
                    ):
                        break
                    problem = "is not for the state that was sent"
                except ProtocolError as error:
                    problem = f"is not understood ({error})"
                self._warn(f"{self._player(seat, table)}: a response {problem}; ignored")
        taken = time.monotonic() - begun
        client.seconds += taken
        client.seconds_in_hand += taken
        try:
            wish = protocol.parse_action(text)
        except ProtocolError as error:
            action = protocol.CALL
            self._count_change(seat, table, f"{error}; changed to a call")
        else:
            action = table.nearest_legal(wish)
            if action != wish and not (is_limit(self.game) and action.kind == wish.kind):
                self._count_change(seat, table, f"{wish} is not legal; changed to {action}")
        return action

    def _count_change(self, seat: int, table: Table, text: str) -> None:
        self._clients[seat].changed_actions += 1
        self._warn(f"{self._player(seat, table)}: {text}")

    def _player(self, seat: int, table: Table) -> str:
        return f"{self.names[seat]} (seat {seat + 1}) in hand {table.hand_number}"

    def _failure(self, seat: int, table: Table, error: Exception) -> MatchError:
        what = "ran out of time" if isinstance(error, TimeoutError) else str(error)
        return MatchError(f"{self._player(seat, table)}: {what}; the match is over")

    # --- clients ----------------------------------------------------------------------------------

    def _seat_clients(self) -> None:
        """Wait for one client for every free seat, and for their versions."""
        deadline = time.monotonic() + self.limits.start
        for i, seat in enumerate(self._waiting):
            listener = self._listeners[i if len(self._listeners) > 1 else 0]
            try:
                listener.settimeout(max(deadline - time.monotonic(), 1e-3))
                accepted, _ = listener.accept()
            except TimeoutError:
                raise MatchError(
                    f"no client connected for {self.names[seat]} (seat {seat + 1}) within "
                    f"{self.limits.start:g} seconds"
                ) from None
            self._clients[seat] = _Client(LineProtocol(accepted))
        for listener in self._listeners:
            listener.close()
        for seat, client in self._clients.items():
            player = f"{self.names[seat]} (seat {seat + 1})"
            try:
                protocol.check_version(client.connection.receive(deadline))
            except TimeoutError:
                raise MatchError(f"{player} did not send its version in time") from None
            except (ConnectionLostError, ProtocolError) as error:
                raise MatchError(f"{player}: {error}") from None

    # --- the log ----------------------------------------------------------------------------------

    def _write_header(self) -> None:
        limits = self.limits
        name = game_name(self.game, len(self._seats))
        self._write(f"# name/game/hands/seed match {name} {self.hands} {self.seed}")
        self._write(f"#--t_response {1000 * limits.response:.0f}")
        self._write(f"#--t_hand {1000 * limits.hand:.0f}")
        self._write(f"#--t_per_hand {1000 * limits.per_hand:.0f}")

    def _finished_hand(self, table: Table) -> FinishedHand:
        assert table.net is not None
        seats = [table.seat_at(position) for position in range(len(self._seats))]
        return FinishedHand(
            table.hand_number,
            table.betting,
            tuple(table.hole_cards(seat) for seat in seats),
            table.board,
            tuple(table.net[seat] for seat in seats),
            tuple(self.names[seat] for seat in seats),
        )

    def _write(self, line: str) -> None:
        if self._log is not None:
            self._log.write(line + "\n")
            self._log.flush()


def match_state(table: Table, seat: int) -> MatchState:
    """Match state that a seat's player receives: its own cards, and those shown at the end."""
    visible = [table.seat_at(position) for position in range(table.players)]
    return MatchState(
        table.position_of(seat),
        table.hand_number,
        table.betting,
        tuple(
            table.hole_cards(other) if other == seat or other in table.shown else ""
            for other in visible
        ),
        table.board,
    )


def seat_names(seats: Sequence[Player | None]) -> tuple[str, ...]:
    """Different names for all seats: of our own players, or ``client``, numbered if needed."""
    plain = [
        "client" if player is CLIENT else getattr(player, "name", type(player).__name__)
        for player in seats
    ]
    names: list[str] = []
    for name in plain:
        number = 1
        unique = name = "".join("-" if c in ":|/" or c.isspace() else c for c in name)
        while unique in names:
            number += 1
            unique = f"{name}-{number}"
        names.append(unique)
    return tuple(names)


def _checked(names: Sequence[str], players: int) -> tuple[str, ...]:
    if len(names) != players or len(set(names)) != players:
        raise ValueError(f"expected {players} different names; got {', '.join(names)}")
    return tuple(protocol.check_name(name) for name in names)


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65_535:
        raise ValueError(f"a port must be in 0 .. 65535; got {port}")
    with refusals_name(host, port):
        return socket.create_server((host, port))


def read_log(text: str, *, game: Game | None = None, most_hands: int | None = None) -> list[Hand]:
    """The hands of a log that ``Dealer`` wrote, or the competition's own dealer.

    Stacks and blinds are not in the lines of the hands; they are taken from the name of the game in
    the first comment, such as ``holdem.nolimit.2p.reverse_blinds.20000.50-100``. The competition
    left the chips out of its names (``holdem.nolimit.2p.reverse_blinds.game``): those are its usual
    ones, 50/100 with stacks of 20,000 in no-limit, blinds of 5/10 in limit.

    Args:
        text: Text of the log.
        game: Game that was played, if the log does not say it.
        most_hands: Refuse a log of more hands, before any is played; ``None`` for no limit.

    Raises:
        HandHistoryError: There is no such name, a line is damaged, or a hand is not possible.
    """
    lines = text.splitlines()
    refuse_too_many(sum(line.startswith("STATE:") for line in lines), most_hands)
    hands = []
    for hand in stream_hands(lines, format="acpc", game=game):
        if isinstance(hand, HandHistoryError):
            raise hand
        hands.append(hand)
    if not hands:
        raise HandHistoryError(1, "there is no hand in this log")
    return hands
