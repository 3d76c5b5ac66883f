"""Heads-up hold'em from a flop, turn or river on: two ranges, a pot, stacks and bet sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from agents.solvers.bet_sizes import BetSizes
from agents.solvers.cards import FollowingBoards, apart, holdem_cards
from agents.solvers.public_game import PART, PublicGame
from agents.solvers.public_tree import CHANCE, DECISION, Betting, grow
from agents.solvers.runouts import nodes_before_showdowns, runout_bytes
from agents.solvers.terminals import TerminalBatches
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.cards import N_CARDS, format_cards, parse_cards
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.game.rake import Rake
from nlhe_env.game.table import FIXED_LIMIT, NO_LIMIT
from nlhe_env.jit.array_types import F64, I64
from nlhe_env.numerics.float_lanes import LANES, in_whole_lanes
from nlhe_env.system.cores import memory_size

_MOST_NODES_OF_ONE_RUNOUT = 100_000

_SECONDS_OF_SWEEP, _SECONDS_OF_HAND, _SECONDS_OF_NUMBER = 1.8e-6, 1.6e-8, 1e-9
"""Time of an iteration, about, on one thread of 2025: for a sum over all hands at up to sixteen
terminal nodes, for each hand in it, and for one action with one hand."""
_SECONDS_OF_CARDS = 1.5e-3
"""Time of an iteration to share the work that follows the next card."""

_BYTES_OF_NODE = 200
"""While the tree grows; of the tree itself, and of the batches of its ends, about two thirds."""
_BYTES_OF_PART = 16
"""For each number of the part of a strategy that is looked at."""
_SPACES_OF_RIVER, _SPACES = 2, 18
"""For walks, of a ``Solver``."""


class SubgameSize(NamedTuple):
    """The size of a game to solve."""

    nodes: int
    actions: int
    """Actions of all decisions together."""
    bytes: int
    """Bytes that the game and its solution take at most, while it is made and solved."""
    numbers: int
    """Probabilities of an action with a hand that are to be found."""
    seconds: float
    """Approximate time of an iteration on one thread."""

    def __str__(self) -> str:
        return (
            f"{self.nodes:,} nodes, {self.actions:,} actions, {self.bytes / 2**20:,.0f} MiB, about "
            f"{self.seconds:.2g} s an iteration on one thread"
        )


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
        checked: dict[str, Any] = {
            "pot": whole_number("pot", self.pot, least=1),
            "big_blind": whole_number("big_blind", self.big_blind, least=1),
            "max_bets": whole_number("max_bets", self.max_bets, least=0),
            "line": tuple(whole_number("line", chips, least=0) for chips in self.line),
        }
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise ValueError(f"rake must be a Rake, or None for no rake; got {self.rake!r}")
        one_of("betting", self.betting, ("no-limit", "fixed-limit"))
        if isinstance(self.stack, (tuple, list)) and len(self.stack) != 2:
            raise ValueError(
                f"stack must be one number, or two, one for each player; got {self.stack!r}"
            )
        first, second = (whole_number("stack", chips, least=1) for chips in self.stacks)
        checked["stack"] = (first, second) if isinstance(self.stack, (tuple, list)) else first
        for name, value in checked.items():
            object.__setattr__(self, name, value)
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
        return _size_of(self.rules(), len(self.cards), [len(held) for held, _ in self._holdings])

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


def _size_of(rules: Betting, n_cards: int, hands: Sequence[int]) -> SubgameSize:
    """The size of a subgame of hold'em.

    Args:
        rules: How the two bet.
        n_cards: Cards on the board, 3 to 5.
        hands: How many each player may hold.
    """
    tree = grow(rules, lambda board: (board + 1,), most=_MOST_NODES_OF_ONE_RUNOUT)
    boards = [1]  # for each number of cards; the tree has one board of each
    for lying in range(n_cards, 5):
        boards.append(boards[-1] * (N_CARDS - lying))
    copies = np.array(boards, np.int64)[tree.board]
    decides = tree.kind == DECISION
    nodes, rows = int(copies.sum()), int((copies * tree.branches)[decides].sum())
    batches = TerminalBatches.of(tree)
    tops = np.unique(batches.top[batches.top >= 0])
    times = 2 if len(batches.met_row) else 1
    sweeps = -times * (-batches.showdowns[tops] // LANES) - (-batches.folds[tops] // LANES)
    most = max(hands)
    columns = 4 * in_whole_lanes(most)  # bytes of a row of float32
    depths, branches = int(tree.depth.max()) + 1, int(tree.branches[decides].max(initial=1))
    space = 2 * depths * (1 + branches) + batches.most + 2 * LANES
    of_chance = int((tree.kind == CHANCE)[tree.board == 0].sum()) * (
        3 + boards[min(1, 5 - n_cards)]
    )
    # Where both are all-in on the turn, a matrix replaces the showdowns on all rivers.
    runouts = nodes_before_showdowns(tree)
    matrices = runout_bytes(boards[4 - n_cards], most) if len(runouts) else 0
    if matrices:
        sweeps[np.isin(tops, runouts + 1)] = 0
    # Orders of strength of two players, and where each strength ends.
    cards = sum(boards) * most * 6
    # Regrets, sums of strategies and the average strategy; work arrays.
    n_spaces = _SPACES_OF_RIVER if n_cards == 5 else _SPACES
    solving = (3 * rows + n_spaces * space + 2 * of_chance) * columns
    numbers = rows * most
    bytes_ = nodes * _BYTES_OF_NODE + cards + solving + matrices
    bytes_ += min(numbers, PART) * _BYTES_OF_PART
    sums = int((sweeps * copies[tops]).sum())
    seconds = sums * (_SECONDS_OF_SWEEP + most * _SECONDS_OF_HAND) + numbers * _SECONDS_OF_NUMBER
    if n_cards < 5:
        seconds += _SECONDS_OF_CARDS
    return SubgameSize(nodes, rows, bytes_, numbers, seconds)
