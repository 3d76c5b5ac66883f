"""Game of a run, as a section of the configuration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any

from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.game.blinds import AnteBy
from nlhe_env.game.description import Betting, Straddle
from nlhe_env.game.table import MAX_SEATS


@dataclass(frozen=True, kw_only=True)
class GameSettings(ABC):
    """Game settings in a configuration."""

    table_size: int
    starting_stack: int
    blinds: str
    betting: Betting = "no-limit"
    """Betting structure."""
    ante_by: AnteBy = "everyone"
    """Payer of the ante: everyone, or the big blind for the whole table."""
    straddle: Straddle = "none"
    """Player who posts a straddle of two big blinds before the deal."""
    boards: int = 1
    """2 to run it twice: two boards once no player can bet any more."""

    def __post_init__(self) -> None:
        whole_number("table_size", self.table_size, least=2, most=MAX_SEATS)
        self.make()  # checks the blinds and the stack

    @abstractmethod
    def make(self) -> Game:
        """The game."""

    def _values(self) -> dict[str, Any]:
        """Arguments common to the games of all modes."""
        names = (f.name for f in fields(GameSettings))
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, kw_only=True)
class TournamentSettings(GameSettings):
    """Tournaments, until one player has all chips; the score is the place."""

    table_size: int = 10
    """Seats per table, 2 to 10."""

    starting_stack: int = 1000
    """Starting stack in chips."""

    blinds: str = "pokerstars"
    """The published rising schedule ("pokerstars"), or fixed blinds SB/BB or SB/BB/ANTE."""

    def make(self) -> Game:
        """The game."""
        return Game.read("tournament", **self._values())


@dataclass(frozen=True, kw_only=True)
class CashSettings(GameSettings):
    """Cash-game sessions, with stacks reset before every hand; the score is chips won."""

    table_size: int = 2
    """Seats per table, 2 to 10."""

    starting_stack: int = 10_000
    """Starting stack of every hand, in chips."""

    blinds: str = "50/100"
    """Fixed blinds SB/BB or SB/BB/ANTE."""

    num_hands: int = 20
    """Hands per session, within which players may learn about each other."""

    two_calls: bool = False
    """Heads-up only: a betting round ends after two consecutive calls or checks, so that a player
    whose raise is called acts again."""

    rake: str = ""
    """Rake of the pots, such as 5%, or 5%/300 for at most 300 chips per hand."""

    def __post_init__(self) -> None:
        whole_number("num_hands", self.num_hands, least=1)
        super().__post_init__()

    def make(self) -> Game:
        """The game."""
        return Game.read(
            "cash",
            num_hands=self.num_hands,
            rake=self.rake,
            two_calls=self.two_calls,
            **self._values(),
        )


GAMES: dict[str, type[GameSettings]] = {"tournament": TournamentSettings, "cash": CashSettings}
"""Settings class of every mode by name."""
