"""Heads-up hold'em from a flop, turn or river on: two ranges, a pot, stacks and bet sizes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.solvers.bet_sizes import BetSizes
from agents.solvers.cards import FollowingBoards, apart, holdem_cards
from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import Betting, grow
from agents.solvers.subgame_sizes import SubgameSize, size_of
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.cards import format_cards, parse_cards
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.game.rake import Rake
from nlhe_env.game.table import FIXED_LIMIT, NO_LIMIT
from nlhe_env.jit.array_types import F64, I64
from nlhe_env.system.cores import memory_size


@dataclass(frozen=True)
class Subgame:
    """The rest of a hand between two players with known ranges.

    Player 0 is out of position: it acts first on every street.

    Args:
        board: Three to five cards.
        ranges: Those of player 0 and player 1, as ``nlhe_env.Range`` reads them, or as such.
        pot: Chips in the middle, half from each player.
        stack: Chips that each has behind; two numbers if they differ.
        bets: Sizes of first bets: shares of the pot, all-in, separated by commas. A size below the
            smallest bet is the smallest bet.
        raises: Sizes of raises, also multiples of the bet, such as ``"2.5x"``; like bets if None.
            A size below the smallest raise is the smallest raise.
        big_blind: Chips of the smallest bet; in fixed-limit of a bet before the turn.
        betting: ``"no-limit"`` or ``"fixed-limit"``, in which sizes are given.
        max_bets: On a street of fixed-limit; 0 for no cap, as usual with two players.
        line: What was really done, from the start: 0 for a check or call, or the chips bet or
            raised to on the street. A size that the menu does not have is added there and nowhere
            else, on whatever cards come before it.
        rake: What the house takes when the hand ends, from all that both have put in, the pot at
            the start included; None for nothing.

    Raises:
        ValueError: The board, a range, a size or a number is impossible; the message says which.
    """

    board: str
    ranges: tuple[str | Range, str | Range]
    pot: int
    stack: int | tuple[int, int]
    bets: str = "50%, pot, all-in"
    raises: str | None = None
    big_blind: int = 1
    betting: str = "no-limit"
    max_bets: int = 0
    line: tuple[int, ...] = ()
    rake: Rake | None = None

    def __post_init__(self) -> None:
        if len(self.cards) not in (3, 4, 5):
            raise ValueError(f"board must be 3, 4 or 5 cards; got {self.board!r}")
        if not isinstance(self.ranges, (tuple, list)) or len(self.ranges) != 2:
            raise ValueError(f"ranges must be two, one for each player; got {self.ranges!r}")
        whole_number("pot", self.pot, least=1)
        whole_number("big_blind", self.big_blind, least=1)
        whole_number("max_bets", self.max_bets, least=0)
        for chips in self.line:
            whole_number("line", chips, least=0)
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise ValueError(f"rake must be a Rake, or None for no rake; got {self.rake!r}")
        one_of("betting", self.betting, ("no-limit", "fixed-limit"))
        if isinstance(self.stack, (tuple, list)) and len(self.stack) != 2:
            raise ValueError(
                f"stack must be one number, or two, one for each player; got {self.stack!r}"
            )
        for stack in self.stacks:
            whole_number("stack", stack, least=1)
        if self.betting == "no-limit":  # in which sizes are given
            BetSizes.of_bets(self.bets)
            BetSizes.of("" if self.raises is None else self.raises, "raises")
        for player in range(2):
            if not len(self.hands(player)):
                raise ValueError(
                    f"ranges[{player}] is impossible: every holding has a card of the board"
                )
        held = [(1 << self.hands(player)).sum(axis=1) for player in range(2)]
        if not (held[0][:, np.newaxis] & held[1] == 0).any():
            raise ValueError(
                "ranges can never meet: every holding of one shares a card with every holding of "
                f"the other; got {self.ranges[0]} and {self.ranges[1]}"
            )

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The codes of the board."""
        return parse_cards(self.board)

    @property
    def stacks(self) -> tuple[int, int]:
        """Chips behind of both players."""
        if isinstance(self.stack, (tuple, list)):
            first, second = self.stack
            return first, second
        return self.stack, self.stack

    @cached_property
    def _holdings(self) -> list[tuple[I64, F64]]:
        found = []
        for given in self.ranges:
            held = given if isinstance(given, Range) else Range.parse(given)
            combos = held.combos.astype(np.int64)
            possible = ~np.isin(combos, self.cards).any(axis=1)
            combos, weights = combos[possible], held.weights[possible]
            order = apart(combos)
            found.append((combos[order], weights[order]))
        return found

    def hands(self, player: int) -> I64:
        """``(n, 2)`` card codes of a player's holdings that the board allows."""
        return self._holdings[player][0]

    def hand_names(self, player: int) -> list[str]:
        """The holdings of a player as text."""
        return [format_cards(hand) for hand in self.hands(player).tolist()]

    def column(self, player: int, cards: str) -> int | None:
        """Which of a player's holdings these cards are; None if it is not one of them."""
        same = (np.sort(self.hands(player), axis=1) == sorted(parse_cards(cards))).all(axis=1)
        return int(np.flatnonzero(same)[0]) if same.any() else None

    def rules(self) -> Betting:
        """Betting rules of the two."""
        streets = 6 - len(self.cards)
        limit = self.betting == "fixed-limit"
        on_river = [self.big_blind * (2 if limit else 1)] * min(streets, 2)
        full_bets = (*[self.big_blind] * (streets - len(on_river)), *on_river)
        bets = raises = BetSizes()
        if not limit:
            bets = BetSizes.of_bets(self.bets)
            raises = bets if self.raises is None else BetSizes.of(self.raises, "raises")
        return Betting(
            stacks=self.stacks,
            full_bets=full_bets,
            pot=self.pot,
            structure=FIXED_LIMIT if limit else NO_LIMIT,
            max_bets=self.max_bets,
            bets=(bets,) * streets,
            raises=(raises,) * streets,
            line=tuple(self.line),
            rake=self.rake,
        )

    def size(self) -> SubgameSize:
        """Size of the tree and what solving it needs, found from one card a street.

        Raises:
            ValueError: Even this tree is too large.
        """
        return size_of(self.rules(), len(self.cards), [len(held) for held, _ in self._holdings])

    def game(self) -> PublicGame:
        """Game to be solved.

        Raises:
            ValueError: It would need more than half of this machine's memory.
        """
        size = self.size()
        if size.bytes > memory_size() // 2:
            raise ValueError(
                f"this is too large: {size}; take fewer bet sizes, smaller ranges or a later street"
            )
        boards = FollowingBoards.after(self.cards)
        tree = grow(self.rules(), lambda board: boards.following[board])
        hands, weights = zip(*self._holdings, strict=True)
        return PublicGame(tree, holdem_cards(hands, weights, boards), np.float32)
