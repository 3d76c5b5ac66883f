"""ACPC client: one of our players at another program's dealer.

The reported betting is replayed in our environment with the cards known to the player. Any player
therefore decides there as usual, and remembers its opponents from hand to hand.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass

from agents.acpc import protocol
from agents.acpc.connection import ConnectionLostError, LineProtocol, refusals_name
from agents.acpc.dealer import MatchError
from agents.acpc.games import check_carried, game_name
from agents.acpc.protocol import MatchState, ProtocolError
from agents.acpc.table import Table, check_player, check_players
from agents.external.episodes import Lineup
from agents.external.player_lifecycle import take_seats
from agents.policy.compiled_player import Player
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed

_PATIENCE_S = 600.0


@dataclass(frozen=True)
class ClientResult:
    """Result of a match from a client's view."""

    hands: int
    """Played to their end."""
    net: int
    """Chips won or lost in them."""


class MatchReplay:
    """Replay of a match from one seat, which answers when our player has to act.

    Args:
        player: The player.
        game: The game, see ``competition_game``; the protocol does not contain it.
        seed: Seed of the player's random numbers; default: random.
        observation: Observation of a Python player, see ``nlhe_env.env``. Its actions are in chips.

    Raises:
        ValueError: The protocol or the player does not support the game.
    """

    def __init__(
        self,
        player: Player,
        game: Game,
        *,
        seed: int | None = None,
        observation: str = "cards",
    ) -> None:
        check_carried(game)
        check_player(player, game, observation)
        self._player = player
        self._game = game
        self._seed = make_seed(seed)
        self._observation = observation
        self._table: Table | None = None
        self._lineup: Lineup | None = None
        self._seat = 0
        self.hands = 0
        self.net = 0

    @property
    def in_hand(self) -> bool:
        """Whether a hand has begun that is not over."""
        return self._table is not None and self._table.net is None

    @property
    def to_call(self) -> int:
        """Chips that the player to act needs to call."""
        return 0 if self._table is None else self._table.to_call

    @property
    def put_in_earlier(self) -> int:
        """Chips that the player to act has put in on earlier streets of this hand."""
        return 0 if self._table is None else self._table.put_in_earlier()

    def take_in(self, state: MatchState) -> protocol.ProtocolAction | None:
        """Follow the dealer to a match state.

        Returns:
            The player's action if it is to act, else None.

        Raises:
            ProtocolError: The state does not follow from the last one by the rules of the game.
            ValueError: The player does not know the game with so many seats.
            IllegalActionError: The player's action is not legal.
        """
        table = self._begin(state) if self._table is None else self._table
        if table.net is not None and state.hand_number == table.hand_number + 1:
            table.next_hand()
        self._check(table, state)
        new = state.betting[len(table.betting) :]
        try:
            table.lay_cards(state.hole_cards, state.board)
            for street in protocol.parse_betting(new):
                for action in street:
                    if table.net is not None:
                        raise ProtocolError(f"{action} comes after the end of the hand: {state}")
                    table.act(action)
        except IllegalActionError as error:
            raise ProtocolError(f"{self._other_game(table)}: {state}: {error}") from None
        if table.betting != state.betting:
            raise ProtocolError(
                f"{self._other_game(table)}: by its rules the betting would be {table.betting} "
                f"now; got {state}"
            )
        if table.net is not None:
            if new:
                self.hands += 1
                self.net += table.net[self._seat]
            return None
        if table.actor != self._seat:
            return None
        assert self._lineup is not None
        return table.action_of(table.ask(self._lineup), f"our player after {state}")

    def _other_game(self, table: Table) -> str:
        name = game_name(self._game, table.players)
        return f"the dealer plays a different game from {name}"

    def _begin(self, state: MatchState) -> Table:
        """Begin at the first state of a match, which may have begun without us."""
        self._table = Table(
            self._game,
            len(state.hole_cards),
            seed=self._seed,
            first_hand=state.hand_number,
            observation=self._observation,
        )
        self._seat = self._table.seat_at(state.position)
        check_players(
            self._table,
            [self._player if seat == self._seat else None for seat in range(self._table.players)],
        )
        agent = self._table.env.possible_agents[self._seat]
        self._lineup = Lineup(self._table.env, {agent: self._player})
        self._table.follow({agent: self._player})
        return self._table

    def _check(self, table: Table, state: MatchState) -> None:
        if state.hand_number != table.hand_number:
            raise ProtocolError(
                f"expected hand {table.hand_number} to continue or the next one to begin; got "
                f"{state}"
            )
        if len(state.hole_cards) != table.players:
            raise ProtocolError(f"the number of players has changed: {state}")
        position = table.position_of(self._seat)
        if state.position != position:
            raise ProtocolError(
                f"seats must rotate by one each hand, so our position must now be {position}; got "
                f"{state}"
            )
        if not state.betting.startswith(table.betting):
            raise ProtocolError(f"{state} does not follow from the betting {table.betting}")


def play_match(
    player: Player,
    host: str,
    port: int,
    game: Game,
    *,
    seed: int | None = None,
    observation: str = "cards",
    patience_s: float = _PATIENCE_S,
) -> ClientResult:
    """Play a match at a dealer's table until the dealer closes the connection.

    Args:
        player: The player.
        host: Host of the dealer.
        port: Port of the dealer.
        game: The dealer's game, see ``MatchReplay``.
        seed: See ``MatchReplay``.
        observation: See ``MatchReplay``.
        patience_s: Timeout in seconds for the connection and for every line.

    Raises:
        OSError: There is no dealer; its ``filename`` is host and port.
        ValueError: The player does not support the game.
        MatchError: The dealer times out, closes the connection during a hand, or plays another
            game.
        IllegalActionError: The player's action is not legal.
        RuntimeError: The player refuses to play, such as a program that does not start.
    """
    take_seats([player])  # before the dealer waits for it
    replay = MatchReplay(player, game, seed=seed, observation=observation)
    with refusals_name(host, port, "no dealer answers"):
        connected = socket.create_connection((host, port), patience_s)
    with LineProtocol(connected) as connection:
        try:
            connection.write(protocol.VERSION_LINE)
            connection.flush(patience_s)
            while True:
                line = connection.receive(time.monotonic() + patience_s)
                if not line or line.startswith(protocol.COMMENT_MARKS):
                    continue
                state = protocol.parse_match_state(line)
                action = replay.take_in(state)
                if action is not None:
                    connection.write(f"{line}:{action}")
                    connection.flush(patience_s)
        except TimeoutError:
            raise MatchError(f"the dealer sent nothing for {patience_s:g} seconds") from None
        except ProtocolError as error:
            raise MatchError(str(error)) from error
        except ConnectionLostError as error:
            if replay.in_hand or replay.hands == 0:
                raise MatchError(f"the dealer {error} before the hand was over") from None
    return ClientResult(replay.hands, replay.net)
