"""Income rates: winnings of hole-card classes without betting (Billings 2006, 2.5.1).

The roll-outs of the Alberta programs rank preflop hands by the number of players. Every player
calls one bet, five cards are dealt, and the best hand wins the pot. In iterated roll-outs, losing
hands of the previous generation are folded, so the others face better hands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nlhe_env.arguments import whole_number
from nlhe_env.cards import N_CARDS, RANKS
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.evaluator import rank_set
from nlhe_env.game.random_stream import EQUITY_DEALS, digit, draw, make_seed
from nlhe_env.jit.array_types import F64, I64, Bool, Float, Int, Truth
from nlhe_env.jit.compilation import kernel
from nlhe_env.system.cores import n_cores
from nlhe_env.system.threads import thread_map

MIN_PLAYERS = 2
MAX_PLAYERS = 10
MILLI = 1000
"""Rates are in thousandths of a bet."""
_CHUNK_GAMES = 1 << 14


def class_names() -> tuple[str, ...]:
    """Names of the 169 hole-card classes, such as ``"AKs"``, in the order of all preflop tables.

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
    """Income rates of the 169 hole-card classes, in the order of ``class_names``."""

    rates: F64
    """``(169,)`` mean win in thousandths of a bet; nan for classes never seen."""
    standard_errors: F64
    """``(169,)`` standard errors of the rates."""
    n_hands: I64
    """``(169,)`` number of hands of each class."""

    def __getitem__(self, name: str) -> float:
        """The rate of a class by its name, such as ``"AKs"``."""
        if name not in class_names():
            raise KeyError(
                f'a class of hole cards must be text such as "TT", "AKs" or "72o"; got {name!r}'
            )
        return float(self.rates[class_names().index(name)])


def income_rates(
    n_players: int, *, n_games: int = 1_000_000, seed: int | None = 0, threads: int | None = None
) -> IncomeRates:
    """Winnings per game of each hole-card class if all players call one bet to a showdown.

    The rate is ``1000 (n E - 1)``, where E is the share of the pot against n - 1 random hands.

    Args:
        n_players: 2 to 10.
        n_games: Number of random games; every player's hand in every game counts.
        seed: Seed of the deals; None for a random seed.
        threads: Number of threads, which does not affect the result; default: one per core.

    Raises:
        ValueError: An argument is out of range.

    >>> rates = income_rates(10, n_games=20_000)
    >>> rates["AA"] > rates["KK"] > 1000 > 0 > rates["72o"]
    True
    """
    n_games = whole_number("n_games", n_games, least=1)
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
    """Income rates among players who fold unprofitable hands.

    Generation 0 is ``income_rates``. Then a class is played if its last rate, plus normal noise
    that decays to zero, exceeds the rate of folding. The big blind always plays, and the small
    blind plays hands that lose less than its blind. Players in the hand bet ``bet``; the blinds of
    the others, one half and one bet, stay in the pot. Rates are for players without a blind. A
    folded class keeps its last rate until it is played again; it has no rate in the result.

    The thesis does not specify the bet size, the blinds and the noise. With two bets, ten players
    play nearly the 27 hands of its table 2.2, in a similar order.

    Args:
        n_players: 2 to 10. With two, the small blind takes the place of players without a blind.
        n_generations: Generations after the first.
        n_games: Games of each generation.
        n_final_games: Final games with the profitable hands.
        bet: Cost of playing in big blinds, at least 1.
        blinds: Play with blinds; without blinds, fewer and fewer hands are profitable.
        noise: Standard deviation of the noise in the first generation, in thousandths.
        seed: As in ``income_rates``.
        threads: As in ``income_rates``.

    Raises:
        ValueError: An argument is out of range.
    """
    if not bet >= 1 or not noise >= 0 or not math.isfinite(bet + noise):
        raise ValueError(f"bet must be 1 or more and noise 0 or more; got {bet!r} and {noise!r}")
    n_generations = whole_number("n_generations", n_generations, least=0)
    n_games = whole_number("n_games", n_games, least=1)
    n_final_games = whole_number("n_final_games", n_final_games, least=1)
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


class _Strategy(NamedTuple):
    """Played hands, and the cost of playing."""

    plays: Bool
    """``(169,)`` whether players without a blind play a class of hole cards."""
    plays_small: Bool
    """``(169,)`` whether the small blind does."""
    bet: Float
    blinds: Truth


class _Games:
    """Random games for one number of players, with winnings by hole-card class."""

    def __init__(self, n_players: int, seed: int | None, threads: int | None) -> None:
        if n_players not in range(MIN_PLAYERS, MAX_PLAYERS + 1):
            raise ValueError(f"n_players must be {MIN_PLAYERS}..{MAX_PLAYERS}; got {n_players!r}")
        self.n_players = int(n_players)
        self.seed = make_seed(seed)
        wanted = n_cores() if threads is None else threads
        self._n_threads = whole_number("threads", wanted, least=1)

    def play(
        self,
        generation: int,
        n_games: int,
        plays: Bool,
        plays_small: Bool,
        *,
        bet: float,
        blinds: bool,
    ) -> tuple[IncomeRates, IncomeRates]:
        """Rates of players without a blind, and of the small blind."""
        strategy = _Strategy(plays, plays_small, bet, blinds)

        def task(first: int) -> F64:
            sums = np.zeros((3, N_PREFLOP, 3))
            _play_games(
                np.uint64(self.seed),
                generation,
                first,
                min(first + _CHUNK_GAMES, n_games),
                self.n_players,
                strategy,
                np.empty(MAX_PLAYERS, np.int64),
                sums,
            )
            return sums

        # Sums are added in the order of the games, not of completion.
        chunks = range(0, n_games, _CHUNK_GAMES)
        sums = np.zeros((3, N_PREFLOP, 3))
        for part in thread_map(task, chunks, self._n_threads):
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
def _deal(seed: Int, generation: Int, game: Int, n_players: Int, holdings: I64) -> Int:
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
            place, word = digit(word, np.uint64(N_CARDS))
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
    seed: Int,
    generation: Int,
    first: Int,
    last: Int,
    n_players: Int,
    strategy: _Strategy,
    holdings: I64,
    sums: F64,
) -> None:
    """Play games ``first`` to ``last`` and add number, sum and squares of wins by class.

    With blinds, seat 0 has the small one and seat 1 the big one.
    """
    plays, plays_small, bet, blinds = strategy
    for game in range(first, last):
        board = _deal(seed, generation, game, n_players, holdings)
        n_best = 0
        best: Int = np.int64(-1)
        pot: Float = 0.0
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
            rank: Int = np.int64(-1)
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
