"""Income rates: winnings of each class of hole cards without betting (Billings 2006, chapter 2).

The roll-outs of the Alberta programs rank hands before the flop by the number of players. Every
player calls one bet, five cards are dealt, the best hand takes the pot. In iterated roll-outs,
hands that lost in the generation before are folded, so that the others meet better hands.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from nlhe_env.cards import RANKS
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.evaluator import rank_set
from nlhe_env.game.random_stream import EQUITY_DEALS, digit, draw, make_seed
from nlhe_env.jit.array_types import F64, I64, AnyArray
from nlhe_env.jit.compilation import kernel
from nlhe_env.system.cores import n_cores

MIN_PLAYERS = 2
MAX_PLAYERS = 10
MILLI = 1000
"""Rates are in thousandths of a bet."""
_CHUNK_GAMES = 1 << 14


def class_names() -> tuple[str, ...]:
    """The 169 classes of hole cards in the order of all preflop tables, such as ``"AKs"``.

    >>> names = class_names()
    >>> names[0], names[13], names[1], names[168]
    ('22', '32s', '32o', 'AA')
    """
    return tuple(
        RANKS[a] + RANKS[b] + "s" if a > b else RANKS[b] + RANKS[a] + ("o" if a < b else "")
        for a in range(13)
        for b in range(13)
    )


@dataclass(frozen=True, eq=False)
class IncomeRates:
    """Rates of the 169 classes of hole cards, in the order of ``class_names``."""

    rates: F64
    """``(169,)`` mean win in thousandths of a bet; nan for classes never seen."""
    standard_errors: F64
    """``(169,)`` of the rates."""
    n_hands: I64
    """``(169,)`` hands seen of each class."""

    def __getitem__(self, name: str) -> float:
        """The rate of a class by its name, such as ``"AKs"``."""
        if name not in class_names():
            raise KeyError(f'a class of hole cards is such as "TT", "AKs" or "72o"; got {name!r}')
        return float(self.rates[class_names().index(name)])


def income_rates(
    n_players: int, *, n_games: int = 1_000_000, seed: int | None = 0, threads: int | None = None
) -> IncomeRates:
    """Winnings a game of each class of hole cards if all call one bet and see a showdown.

    It is ``1000 (n E - 1)`` with E the share of the pot against n - 1 players with any two cards.

    Args:
        n_players: 2 to 10.
        n_games: Games to draw; every player's hand of every game counts.
        seed: Seed of the deals; None for other deals every time.
        threads: As many as there are cores by default; the result does not depend on it.

    Raises:
        ValueError: An argument is out of range.

    >>> rates = income_rates(10, n_games=20_000)
    >>> rates["AA"] > rates["KK"] > 1000 > 0 > rates["72o"]
    True
    """
    games = _Games(n_players, seed, threads)
    return games.play(0, n_games, _EVERY_CLASS, _EVERY_CLASS, bet=1.0, blinds=False)[0]


def iterated_income_rates(
    n_players: int,
    *,
    n_generations: int = 10,
    n_games: int = 50_000,
    n_final_games: int = 500_000,
    bet: float = 2.0,
    blinds: bool = True,
    noise: float = 100.0,
    seed: int | None = 0,
    threads: int | None = None,
) -> IncomeRates:
    """Income rates among players who fold the hands that do not pay.

    Generation 0 is ``income_rates``. Then a class is played if its last rate, with a normal
    disturbance that shrinks to nothing, is above that of folding. The big blind always plays, the
    small blind if its hand loses less than the blind it leaves behind. Players in the hand put in
    ``bet``; the blinds of the others, one half and one bet, stay in the pot. Rates are those of
    players without a blind. A class that they fold keeps its last rate until it is played again;
    in the result it has none.

    The thesis leaves the size of the bet, the blinds and the disturbance open. With two bets, ten
    players end up with nearly the 27 hands of its table 2.2, in much the same order.

    Args:
        n_players: 2 to 10. With two, the small blind takes the place of players without a blind.
        n_generations: Generations after the first.
        n_games: Games of each generation.
        n_final_games: Games played at the end with the hands then profitable.
        bet: Price of playing, in units of the big blind, at least 1.
        blinds: Whether there are blinds; without any, fewer and fewer hands pay.
        noise: Standard deviation of the disturbance in the first generation, in thousandths.
        seed: As in ``income_rates``.
        threads: As in ``income_rates``.

    Raises:
        ValueError: An argument is out of range.
    """
    if not bet >= 1 or not noise >= 0 or not math.isfinite(bet + noise):
        raise ValueError(f"bet must be 1 or more and noise 0 or more; got {bet!r} and {noise!r}")
    games = _Games(n_players, seed, threads)
    disturbance = np.random.default_rng(games.seed)
    found, _ = games.play(0, n_games, _EVERY_CLASS, _EVERY_CLASS, bet=1.0, blinds=False)
    rates = small_rates = np.nan_to_num(found.rates)
    for generation in range(1, n_generations + 2):
        is_last = generation == n_generations + 1
        size = 0.0 if is_last else noise * (1 - (generation - 1) / n_generations)
        shift = size * disturbance.standard_normal(N_PREFLOP)
        plays = rates + shift > 0
        plays_small = small_rates + shift > (-MILLI / 2 if blinds else 0)
        n = n_final_games if is_last else n_games
        found, small = games.play(generation, n, plays, plays_small, bet=bet, blinds=blinds)
        rates = np.where(found.n_hands > 0, found.rates, rates)
        small_rates = np.where(small.n_hands > 0, small.rates, small_rates)
    if blinds and n_players == 2:
        return small
    return found


_EVERY_CLASS = np.ones(N_PREFLOP, np.bool_)
# Rows of the sums by position; the big blind comes after the small one.
_ORDINARY = 0
_SMALL_BLIND = 1


class _Games:
    """Draws games of one number of players and adds up what classes of hole cards win."""

    def __init__(self, n_players: int, seed: int | None, threads: int | None) -> None:
        if n_players not in range(MIN_PLAYERS, MAX_PLAYERS + 1):
            raise ValueError(f"n_players must be {MIN_PLAYERS}..{MAX_PLAYERS}; got {n_players!r}")
        if threads is not None and threads < 1:
            raise ValueError(f"threads must be 1 or more, or None; got {threads!r}")
        self.n_players = int(n_players)
        self.seed = make_seed(seed)
        self._n_threads = threads or n_cores()

    def play(
        self,
        generation: int,
        n_games: int,
        plays: AnyArray,
        plays_small: AnyArray,
        *,
        bet: float,
        blinds: bool,
    ) -> tuple[IncomeRates, IncomeRates]:
        """Rates of players without a blind, and of the small blind."""
        if n_games < 1:
            raise ValueError(f"the number of games must be 1 or more; got {n_games!r}")

        def task(first: int) -> F64:
            sums = np.zeros((3, N_PREFLOP, 3))
            _play_games(
                np.uint64(self.seed),
                generation,
                first,
                min(first + _CHUNK_GAMES, n_games),
                self.n_players,
                plays,
                plays_small,
                bet,
                blinds,
                np.empty(MAX_PLAYERS, np.int64),
                sums,
            )
            return sums

        # Sums are added in the order of the games, not in that of completion.
        chunks = range(0, n_games, _CHUNK_GAMES)
        sums = np.zeros((3, N_PREFLOP, 3))
        if self._n_threads == 1 or len(chunks) == 1:
            for first in chunks:
                sums += task(first)
        else:
            with ThreadPoolExecutor(self._n_threads) as executor:
                for part in executor.map(task, chunks):
                    sums += part
        return _rates(sums[_ORDINARY]), _rates(sums[_SMALL_BLIND])


def _rates(sums: F64) -> IncomeRates:
    n, total, squares = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / n
        variance = np.maximum(squares / n - mean**2, 0)
        errors = np.sqrt(variance / (n - 1))
    return IncomeRates(MILLI * mean, MILLI * errors, n.astype(np.int64))


@kernel
def _deal(seed, generation, game, n_players, holdings):
    """Write two cards of each player, the first one times 64 and the second; returns the board."""
    n_cards = 2 * n_players + 5
    taken = np.int64(0)
    board = np.int64(0)
    earlier = np.int64(0)
    block = 0
    n_dealt = 0
    while n_dealt < n_cards:
        word, second = draw(seed, EQUITY_DEALS, block, game & 0xFFFFFFFF, game >> 32, generation)
        block += 1
        for i in range(8):
            if i == 4:
                word = second
            place, word = digit(word, np.uint64(52))
            card = np.int64(place)
            if n_dealt == n_cards or card_bit(card) & taken:
                continue
            taken |= card_bit(card)
            if n_dealt >= 2 * n_players:
                board |= card_bit(card)
            elif n_dealt & 1:
                holdings[n_dealt >> 1] = earlier << 6 | card
            else:
                earlier = card
            n_dealt += 1
    return board


@kernel
def _play_games(
    seed, generation, first, last, n_players, plays, plays_small, bet, blinds, holdings, sums
):
    """Play games ``first`` to ``last`` and add number, sum and squares of wins by class.

    With blinds, seat 0 has the small one and seat 1 the big one.
    """
    for game in range(first, last):
        board = _deal(seed, generation, game, n_players, holdings)
        n_best = 0
        best = np.int64(-1)
        pot = 0.0
        for seat in range(n_players):
            a = holdings[seat] >> 6
            b = holdings[seat] & 63
            hole_class = preflop_class(a, b)
            left_behind = 0.0
            if blinds and seat == 0:
                is_in = plays_small[hole_class]
                left_behind = 0.5
            elif blinds and seat == 1:
                is_in = True
            else:
                is_in = plays[hole_class]
            pot += bet if is_in else left_behind
            rank = np.int64(-1)
            if is_in:
                rank = rank_set(board | card_bit(a) | card_bit(b))
                if rank > best:
                    best = rank
                    n_best = 1
                elif rank == best:
                    n_best += 1
            holdings[seat] = rank << 8 | hole_class
        for seat in range(n_players):
            rank = holdings[seat] >> 8
            if rank < 0:
                continue
            net = (pot / n_best if rank == best else 0.0) - bet
            role = _SMALL_BLIND + seat if blinds and seat < 2 else _ORDINARY
            row = sums[role, holdings[seat] & 255]
            row[0] += 1.0
            row[1] += net
            row[2] += net * net
