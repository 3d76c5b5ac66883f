"""The game of a run, as a section of its configuration."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Literal

from nlhe_env import BlindSchedule, Game, Rake
from nlhe_env.arguments import whole_number
from nlhe_env.game.table import MAX_SEATS

Betting = Literal["no-limit", "pot-limit", "fixed-limit"]
AnteBy = Literal["everyone", "big blind"]
Straddle = Literal["none", "under the gun", "button"]

_BLINDS = re.compile(r"(\d+)/(\d+)(?:/(\d+))?")


@dataclass(frozen=True, kw_only=True)
class GameSettings(ABC):
    """Game that is played, in values of a configuration."""

    table_size: int
    starting_stack: int
    blinds: str
    betting: Betting = "no-limit"
    """Betting structure."""
    ante_by: AnteBy = "everyone"
    """Payer of the ante: everyone one, or the big blind one for the whole table."""
    straddle: Straddle = "none"
    """Player that puts in two big blinds before the deal."""
    boards: int = 1
    """2: run it twice, two boards when no player can bet any more."""

    def __post_init__(self) -> None:
        whole_number("table_size", self.table_size, least=2, most=MAX_SEATS)
        self.make()  # checks the blinds, and that the stack can be played with

    @abstractmethod
    def make(self) -> Game:
        """The game."""

    def _values(self) -> dict[str, Any]:
        """Values that the game of any mode is made of."""
        blinds = replace(blind_schedule(self.blinds), ante_by=self.ante_by)
        names = "starting_stack", "betting", "straddle"
        same = {name: getattr(self, name) for name in names}
        return {"blinds": blinds, "runs": self.boards, **same}


@dataclass(frozen=True, kw_only=True)
class TournamentSettings(GameSettings):
    """Tournaments, until one player has all chips; the score is the place."""

    table_size: int = 10
    """Seats at a table, 2 to 10."""

    starting_stack: int = 1000
    """Chips of a player at the start."""

    blinds: str = "pokerstars"
    """The published rising schedule ("pokerstars"), or fixed blinds SB/BB or SB/BB/ANTE."""

    def make(self) -> Game:
        """The game."""
        return Game.tournament(table_size=self.table_size, **self._values())


@dataclass(frozen=True, kw_only=True)
class CashSettings(GameSettings):
    """Sessions of a cash game, stacks put back before every hand; the score is chips won."""

    table_size: int = 2
    """Seats at the table, 2 to 10."""

    starting_stack: int = 10_000
    """Chips of a player at the start of every hand."""

    blinds: str = "50/100"
    """Fixed blinds SB/BB or SB/BB/ANTE."""

    num_hands: int = 20
    """Hands that players stay together and may learn about each other."""

    rake: str = ""
    """Rake of the pots, such as 5% or, at most 300 chips a hand, 5%/300."""

    def __post_init__(self) -> None:
        whole_number("num_hands", self.num_hands, least=1)
        super().__post_init__()

    def make(self) -> Game:
        """The game."""
        rake = Rake.read(self.rake)
        game = Game.cash(num_hands=self.num_hands, rake=rake, **self._values())
        return replace(game, table_size=self.table_size)


GAMES: dict[str, type[GameSettings]] = {"tournament": TournamentSettings, "cash": CashSettings}
"""The values of every mode by its name."""


def blind_schedule(text: str) -> BlindSchedule:
    """The blinds that a configuration names.

    Raises:
        ValueError: ``text`` is neither ``"pokerstars"`` nor ``"SB/BB"`` nor ``"SB/BB/ANTE"``.
    """
    if text == "pokerstars":
        return BlindSchedule.pokerstars()
    amounts = _BLINDS.fullmatch(text) if isinstance(text, str) else None
    if amounts is None:
        raise ValueError(
            'blinds must be "pokerstars", or fixed blinds as "SB/BB" or "SB/BB/ANTE" in chips; '
            f"got {text!r}"
        )
    try:
        return BlindSchedule.of(tuple(int(amount) for amount in amounts.groups() if amount))
    except ValueError as error:
        raise ValueError(f"blinds {text!r}: {error}") from error
