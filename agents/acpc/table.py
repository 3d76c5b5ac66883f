"""A table of the competition: the environment in the words of the protocol.

Dealer and client both play on one. The dealer's deck is the environment's; a client lays the cards
that it is shown into the deck before it replays the betting, so that its player sees exactly what
it would see at a table of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agents.acpc.games import is_limit
from agents.acpc.protocol import CALL, FOLD, N_STREETS, ProtocolAction
from agents.external import hooks
from agents.external.chips import ChipPlayer, chips_id_of, whole_or_illegal
from agents.external.episodes import Lineup
from agents.external.hooks import HandFollower
from agents.external.known_games import check_knows_game
from agents.external.space_adapter import SpaceAdapter
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import pack_players_of
from nlhe_env.arguments import shown, whole_number
from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.envs.aec import raw_env
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.description import Game
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.spaces.actions import ILLEGAL

_ENDLESS = 10**9


def check_players(table: Table, players: Sequence[Player | None]) -> None:
    """Accept the players of a table.

    Args:
        table: Where they are to play.
        players: By seat; ``None`` for those of others.

    Raises:
        ValueError: One does not know the game; the message says what it knows.
    """
    pack_players_of(players).check(table.env.tables)
    for player in players:
        if player is not None and not isinstance(player, CompiledPlayer):
            env = table.env
            check_knows_game(player, env.game, len(players), env.observation.name)
        if player is not None and not isinstance(player, (CompiledPlayer, ChipPlayer)):
            SpaceAdapter.of(player, table.env)


def check_player(player: Player, game: Game, observation: str) -> None:
    """Accept a player for a match with any number of seats, as a dealer will announce it.

    Args:
        player: The player.
        game: What.
        observation: Observation of the player if it is not compiled.

    Raises:
        ValueError: It does not know the game, however many play; the message says what it knows.
    """
    problem: ValueError | None = None
    for seats in range(MIN_SEATS, MAX_SEATS + 1):
        table = Table(game, seats, seed=0, observation=observation)
        try:
            check_players(table, [player, *[None] * (seats - 1)])
        except ValueError as error:
            problem = problem or error
        else:
            return
    if problem is not None:
        raise problem


class Table:
    """Hand after hand of a game.

    Args:
        game: Game that is played, see ``competition_game``.
        players: 2 to 10.
        seed: Seed of the cards and of compiled players' own randomness.
        hands: How many are played; no end by default.
        first_hand: Number of the first; the seats have rotated so often before it.
        observation: Observation of players that are not compiled; see ``nlhe_env.env``.

    Raises:
        ValueError: An argument is not possible.
    """

    def __init__(
        self,
        game: Game,
        players: int = 2,
        *,
        seed: int | None = None,
        hands: int = _ENDLESS,
        first_hand: int = 0,
        observation: str = "cards",
    ) -> None:
        self.game = game
        whole_number("players", players, least=MIN_SEATS, most=MAX_SEATS)
        self.players = players
        self.env = raw_env(
            players, game=replace(game, num_hands=hands), actions="chips", observation=observation
        )
        self._follower: HandFollower | None = None
        self.hand_number = self._first_hand = first_hand
        button = (players - 1 + first_hand) % players
        self.env.reset(seed=seed, options={"button": button})
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._betting: list[str] = []
        self._street = 0
        self.net: tuple[int, ...] | None = None
        """By seat, once the hand is over."""
        self.shown: frozenset[int] = frozenset()
        """Seats whose cards were shown down."""
        self._deck: list[int] = self.env.table["cards"].tolist()
        self._laid: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def next_hand(self) -> None:
        """Go on after a hand that is over."""
        if self.net is None:
            raise RuntimeError(f"hand {self.hand_number} is not over")
        self.hand_number += 1
        self._begin_hand()

    def follow(self, players: Mapping[str, Any]) -> None:
        """From now on, notify players of hands; see ``agents.external.hooks``.

        Args:
            players: By agent name; those who play elsewhere need not be there.
        """
        seated = {agent: players.get(agent) for agent in self.env.possible_agents}
        self._follower = hooks.follow(self.env, seated)

    # --- who and what -----------------------------------------------------------------------------

    def seat_at(self, position: int) -> int:
        """The seat in a position of this hand."""
        return (position + self.hand_number) % self.players

    def position_of(self, seat: int) -> int:
        """The position of a seat in this hand."""
        return (seat - self.hand_number) % self.players

    @property
    def actor(self) -> int | None:
        """The seat to act; None when the hand is over."""
        return None if self.net is not None else int(self.env.table["actor"])

    @property
    def betting(self) -> str:
        """All actions of the hand, with / between streets."""
        return "".join(self._betting)

    @property
    def board(self) -> tuple[str, ...]:
        """The cards of every street reached after the first."""
        first = 2 * self.players
        flop, turn, river = (
            format_cards(self._deck[first + i : first + j]) for i, j in ((0, 3), (3, 4), (4, 5))
        )
        return (flop, turn, river)[: self._street]

    def hole_cards(self, seat: int) -> str:
        """Hole cards of a seat."""
        return format_cards(self._deck[2 * seat : 2 * seat + 2])

    @property
    def to_call(self) -> int:
        """Chips that the player to act needs to call."""
        return int(self._info()["to_call"])

    def put_in_earlier(self) -> int:
        """Chips that the player to act has put in on earlier streets of this hand."""
        table = self.env.table
        seat = table["actor"]
        return int(table["hand_bet"][seat] - table["street_bet"][seat])

    # --- playing ----------------------------------------------------------------------------------

    def nearest_legal(self, action: ProtocolAction) -> ProtocolAction:
        """Action that the competition's dealer makes of an action.

        A raise that is too small or too large goes to the nearest legal one; without a legal one,
        or without a number in no-limit, it becomes a call. So does a fold when checking is free.
        """
        info = self._info()
        if action.kind == "f" and info["to_call"] > 0:
            return FOLD
        if action.kind != "r" or info["max_raise_to"] == 0:
            return CALL
        if is_limit(self.game):
            return ProtocolAction("r")
        if action.total is None:
            return CALL
        earlier = self.put_in_earlier()
        least, most = info["min_raise_to"] + earlier, info["max_raise_to"] + earlier
        return ProtocolAction("r", min(max(action.total, least), most))

    def action_of(self, action_id: Any, player: str = "a player") -> ProtocolAction:
        """The action that an id of ``actions="chips"`` means for the player to act.

        Args:
            action_id: Answer of one of our own players, whatever it is.
            player: For the message.

        Raises:
            IllegalActionError: It is no id that is legal now.
        """
        number = self._legal_id(action_id, player)
        if number in (0, 1):
            return CALL if number == 1 else FOLD
        if is_limit(self.game):
            return ProtocolAction("r")
        raise_to = 1 if number == 2 and self._info()["max_raise_to"] == 1 else number
        return ProtocolAction("r", raise_to + self.put_in_earlier())

    def _legal_id(self, action_id: Any, player: str) -> int:
        info = self._info()
        least, most = info["min_raise_to"], info["max_raise_to"]
        number = whole_or_illegal(action_id)
        if number == 1 or (number == 0 and info["to_call"] > 0):
            return number
        if most > 0 and chips_id_of(least) <= number <= chips_id_of(most):
            return number
        legal = "0 (fold), 1 (call)" if info["to_call"] > 0 else "1 (check)"
        if most > 0:
            legal += f", {chips_id_of(least)} .. {chips_id_of(most)} (raise to)"
        raise IllegalActionError(
            f"{player}: an action must be one of {legal}; got {shown(action_id)}"
        )

    def ask(self, lineup: Lineup) -> Any:
        """Answer of the player to act, one of the lineup."""
        if self._follower is not None:
            self._follower.before_decision()
            lineup.history = self._follower.history
        return lineup.answer()

    def act(self, action: ProtocolAction) -> None:
        """Do an action of the player to act.

        Raises:
            IllegalActionError: It is not legal; nothing has changed.
        """
        seat = int(self.env.table["actor"])
        if action.kind != "r":
            self._step(0 if action.kind == "f" else 1)
        elif is_limit(self.game):
            self._step(chips_id_of(self._info()["max_raise_to"]))
        else:
            raise_to = (action.total or 0) - self.put_in_earlier()
            info = self._info()
            is_legal = info["min_raise_to"] <= raise_to <= info["max_raise_to"]
            self._step(chips_id_of(raise_to) if is_legal else ILLEGAL)
        self._betting.append(str(action))
        result = self.env.full_info(self.env.possible_agents[seat]).get("last_hand")
        if result is not None and result["hand_number"] == self.hand_number - self._first_hand:
            self._finish(result)
        else:
            self._go_to(int(self.env.table["street"]))

    def _step(self, action_id: int) -> None:
        """Do an action, with the hooks around it."""
        if self._follower is None:
            self.env.step(action_id)
            return
        self._follower.before_decision()
        self._follower.before_step(action_id)
        self.env.step(action_id)
        self._follower.after_step()

    def _go_to(self, street: int) -> None:
        self._betting.append("/" * (street - self._street))
        self._street = street

    def _finish(self, result: dict[str, Any]) -> None:
        agents = self.env.possible_agents
        self.net = tuple(result["net"][agent] for agent in agents)
        self.shown = frozenset(agents.index(agent) for agent in result["shown"])
        if self.shown:
            self._go_to(N_STREETS - 1)  # after an all-in the board runs out

    def _info(self) -> dict[str, Any]:
        return self.env.infos[self.env.agent_selection]

    def lay_cards(self, hole_cards: tuple[str, ...], board: tuple[str, ...]) -> None:
        """Put known cards where the deck has others; for a client, before it replays.

        Args:
            hole_cards: By position; empty where they are not known.
            board: By street.
        """
        if (hole_cards, board) == self._laid:
            return
        self._laid = (hole_cards, board)
        places: list[int] = []
        for position, cards in enumerate(hole_cards):
            if cards:
                seat = self.seat_at(position)
                places += (2 * seat, 2 * seat + 1)
        first = 2 * self.players
        places += range(first, first + sum(map(len, board)) // 2)
        for place, card in zip(places, parse_cards("".join((*hole_cards, *board))), strict=True):
            other = self._deck.index(card)
            self._deck[place], self._deck[other] = card, self._deck[place]
        record = np.atleast_1d(self.env.table).copy()
        record["cards"] = self._deck
        record["strength_key"] = 0
        self.env.set_table(record[0])
