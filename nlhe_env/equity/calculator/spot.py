"""Validated input of the equity calculator: the players' ranges and the board."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from nlhe_env.cards import CARD_NAMES, N_CARDS, format_cards, parse_cards
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.equity.tables.suits import N_HOLES, hole_numbers, hole_pairs
from nlhe_env.jit.array_types import F64, I64, AnyArray

MIN_PLAYERS = 2
MAX_PLAYERS = 10

# Holdings are numbered C(a,2) + b for cards a > b.
HOLES = hole_pairs().astype(np.int64)
_CARD_SETS = np.array([1 << ((card & 3) << 4 | card >> 2) for card in range(N_CARDS)])
_CARD_BITS: list[int] = _CARD_SETS.tolist()
HOLE_SETS = _CARD_SETS[HOLES].sum(axis=1)
"""Holdings as sets of cards, as in ``cells.card_bit``."""
RANK_PAIRS = (HOLES[:, 0] >> 2) * ((HOLES[:, 0] >> 2) + 1) // 2 + (HOLES[:, 1] >> 2)
"""Numbers of the ranks of the holdings, as in ``cells.rank_pair``."""

IMPOSSIBLE = "these hands and ranges cannot be held at the same time"


class Spot(NamedTuple):
    """Possible holdings of every player, and the known cards."""

    holdings: tuple[I64, ...]
    """Numbers of each player's possible holdings, ascending."""
    weights: tuple[F64, ...]
    """Their weights."""
    board: tuple[int, ...]
    dead: tuple[int, ...]
    known: int
    """Board and dead cards as a set."""

    @classmethod
    def of(cls, players: Sequence[str | Range], board: str, dead: str) -> Spot:
        """Parse and check the arguments of ``equities``."""
        if isinstance(players, str) or not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
            n = 1 if isinstance(players, str) else len(players)
            raise ValueError(
                f"players must be {MIN_PLAYERS} to {MAX_PLAYERS} hands or ranges; got {n}"
            )
        board_cards = parse_cards(board)
        dead_cards = parse_cards(dead)
        if len(board_cards) not in (0, 3, 4, 5):
            raise ValueError(f"board must be 0, 3, 4 or 5 cards; got {board!r}")
        for card in dead_cards:
            if card in board_cards:
                raise ValueError(f"card {CARD_NAMES[card]} is both on the board and dead")
        n_needed = 2 * len(players) + 5 - len(board_cards)
        if n_needed > N_CARDS - len(board_cards) - len(dead_cards):
            raise ValueError(f"{n_needed} cards must be dealt, but {len(dead_cards)} are dead")
        known = set_of(board_cards + dead_cards)
        holdings = []
        weights = []
        for i, player in enumerate(players):
            held = player if isinstance(player, Range) else Range.parse(player)
            possible = HOLE_SETS[held.numbers] & known == 0
            holdings.append(held.numbers[possible])
            weights.append(held.weights[possible])
            if not len(holdings[i]):
                names = format_cards(board_cards + dead_cards)
                raise ValueError(
                    f'players[{i}], "{held}", is impossible: every holding contains one of {names}'
                )
        return cls(tuple(holdings), tuple(weights), board_cards, dead_cards, known)

    @property
    def n_players(self) -> int:
        """Players, 2 to 10."""
        return len(self.holdings)

    @property
    def n_to_come(self) -> int:
        """Number of future board cards."""
        return 5 - len(self.board)

    @property
    def n_boards(self) -> int:
        """Number of possible boards for each compatible combination of holdings."""
        n_known = len(self.board) + len(self.dead) + 2 * self.n_players
        return math.comb(N_CARDS - n_known, self.n_to_come)

    def is_any(self, player: int) -> bool:
        """Whether a player has any two cards, all equally likely."""
        weights = self.weights[player]
        n_known = len(self.board) + len(self.dead)
        return len(weights) == math.comb(N_CARDS - n_known, 2) and bool(
            (weights == weights[0]).all()
        )

    def free_cards(self) -> I64:
        """Possible board cards, as sets of one card."""
        taken = self.known
        for numbers in self.holdings:
            if len(numbers) == 1:
                taken |= int(HOLE_SETS[numbers[0]])
        free: I64 = _CARD_SETS[_CARD_SETS & taken == 0]
        return free

    def renamings(self) -> I64:
        """``(n, 4)`` renamings of suits that preserve this spot."""
        return _RENAMINGS[[self._unchanged(i) for i in range(len(_RENAMINGS))]]

    def _unchanged(self, renaming: int) -> bool:
        if not _keeps(renaming, self.board) or not _keeps(renaming, self.dead):
            return False
        renamed = renamed_holes()[renaming]
        for numbers, weights in zip(self.holdings, self.weights, strict=True):
            table = np.zeros(N_HOLES)
            table[numbers] = weights
            if not np.array_equal(table[renamed[numbers]], weights):
                return False
        return True

    def renamings_of_dead(self) -> I64:
        """Numbers of the renamings of suits that preserve the dead cards."""
        return np.array([i for i in range(len(_RENAMINGS)) if _keeps(i, self.dead)])

    def deals(self, most: int) -> I64 | None:
        """``(n, n_players)`` all compatible holdings, or None if there are more than ``most``.

        Raises:
            ValueError: There are no compatible holdings.
        """
        deals = np.zeros((1, 0), np.int64)
        taken = np.zeros(1, np.int64)
        # Small ranges first, so that conflicts appear before the list grows.
        order = sorted(range(self.n_players), key=lambda i: len(self.holdings[i]))
        for player in order:
            numbers = self.holdings[player]
            if len(taken) * len(numbers) > most:
                return None
            rows, columns = np.nonzero(taken[:, None] & HOLE_SETS[numbers] == 0)
            deals = np.column_stack([deals[rows], numbers[columns]])
            taken = taken[rows] | HOLE_SETS[numbers[columns]]
        if not len(deals):
            raise ValueError(IMPOSSIBLE)
        return np.ascontiguousarray(deals[:, np.argsort(order)])

    def deal_weights(self, deals: I64) -> F64:
        """``(n,)`` product of the weights of each deal's holdings."""
        weights = np.ones(len(deals))
        for player in range(self.n_players):
            places = np.searchsorted(self.holdings[player], deals[:, player])
            weights *= self.weights[player][places]
        return weights


_RENAMINGS = np.array(list(permutations(range(4))))


def set_of(cards: Iterable[int]) -> int:
    """Cards as a set."""
    return sum([_CARD_BITS[card] for card in cards])


def _keeps(renaming: int, cards: tuple[int, ...]) -> bool:
    return {card & ~3 | int(_RENAMINGS[renaming, card & 3]) for card in cards} == {*cards}


@functools.cache
def renamed_holes() -> AnyArray:
    """``(24, 1326)`` int64: number of each holding under each renaming of suits."""
    cards = HOLES & ~3 | np.stack([renaming[HOLES & 3] for renaming in _RENAMINGS])
    high, low = cards.max(axis=2), cards.min(axis=2)
    return np.ascontiguousarray(hole_numbers(high, low))
