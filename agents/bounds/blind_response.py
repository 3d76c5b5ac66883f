"""The best response to who ignores the cards, in heads-up limit hold'em, to the last digit.

The opponent's hand stays as likely as any other, whatever it does, so that the hero decides alone:
backward induction over its hand, the board and the betting, exact and complete. The 22,100 flops
fall into 1,755 classes by renaming suits, the hero's hands on each into those that a renaming that
keeps the flop turns into each other. On each of the boards that follow, one sweep says for every
hand how many others it beats less how many beat it (``holdings.write_margins``), one whole number
from -990 to 990; what the river is worth is tabulated by it for every way of betting that leads
there. From there back the betting of a street is a short program for all hands at once.

The values agree with those of Johanson, Waugh, Bowling and Zinkevich ("Accelerating Best Response
Calculation in Large Extensive Games", IJCAI 2011): 1,163.4758 thousandths of a big blind a hand
against a player who always calls, 3,697.6929 against one who always raises, 2,406.5509 against one
who does either half of the time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from agents.bounds.holdings import (
    N_OPPOSING,
    N_SCRATCH,
    Holdings,
    write_margins,
    write_ranks,
)
from agents.bounds.limit_betting import Blind, LimitBetting, Program, run
from agents.compiled.chances import policy_of_hands
from agents.compiled.fields import pack
from agents.compiled.players import CompiledPlayer
from agents.compiled.rules.spots import class_sizes
from nlhe_env.arguments import number, whole_number
from nlhe_env.equity.calculator.showdown_tables import showdown_tables
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES
from nlhe_env.equity.tables.cells import card_bit, preflop_class
from nlhe_env.equity.tables.suits import N_FLOP_CLASSES, N_PREFLOP, number_flops
from nlhe_env.game.description import Game
from nlhe_env.machine.array_types import F64, I64, AnyArray, Records
from nlhe_env.machine.compilation import allocating_kernel, kernel

N_FLOPS = N_FLOP_CLASSES
"""Flops, those that differ in the names of suits counted once."""

_LANES = 8
_BLOCKED = 2 * N_OPPOSING + 1
"""The row of hands that a board does not allow, after those of all margins."""
_TURNS = 49
_TURNS_OF_HAND = 47
_RIVERS_OF_HAND = 46
_DEEP = 40
"""Big blinds that nobody loses in a hand of fixed-limit: four bets on every street take 24."""


@dataclass(frozen=True)
class BlindResponse:
    """The most that can be won from an opponent who ignores the cards, in big blinds a hand."""

    value: float
    """The mean of both seats."""
    on_button: float
    in_big_blind: float
    flops: int
    """Classes of flops counted; 1,755 are all there are."""

    def describe(self) -> str:
        """The values in one line."""
        return (
            f"{self.value:.9f} big blinds a hand (on the button {self.on_button:.9f}, in the big "
            f"blind {self.in_big_blind:.9f})"
        )


def best_response_to_blind(
    opponent: CompiledPlayer | Sequence[float],
    *,
    flops: Sequence[int] | None = None,
    threads: int = 1,
    watch: Callable[[int], None] | None = None,
) -> BlindResponse:
    """What the best response wins from an opponent who ignores the cards, in heads-up fixed-limit.

    All flops together take one or two minutes of CPU time. A big blind is a small bet, four bets
    are allowed on each street.

    Args:
        opponent: Its chances to fold, call and raise, which must sum to 1; where it cannot fold it
            checks, where it cannot raise it calls. Or a player, that is asked.
        flops: Numbers of classes of flops to count only, 0 to 1,754; default: all.
        threads: That share the flops; they do not change the result.
        watch: Called with the number of classes of flops done since its last call.

    Raises:
        ValueError: The chances are none, or the player looks at its cards.

    >>> always_folds = best_response_to_blind((1, 0, 0), flops=[0])
    >>> always_folds.value, always_folds.on_button
    (0.75, 1.0)
    """
    game = Game.cash(starting_stack=_DEEP * 100, blinds=(50, 100), betting="fixed-limit")
    asked = _asked(opponent, game) if isinstance(opponent, CompiledPlayer) else _fixed(opponent)
    programs = LimitBetting(game, asked).programs
    numbering = number_flops()
    chosen = range(N_FLOPS) if flops is None else flops
    numbers = [whole_number("flops", flop, least=0, most=N_FLOPS - 1) for flop in chosen]
    rivers, which = table_of_rivers(programs[3])

    def value(flop: int) -> tuple[F64, F64]:
        model, columns = numbering.models[flop], numbering.hole_columns[flop]
        sums, weights = value_flop(model, columns, rivers, which, programs)
        return sums * numbering.sizes[flop], weights * numbering.sizes[flop]

    totals = np.zeros((len(programs[1].roots), N_PREFLOP))
    counts = np.zeros(N_PREFLOP)
    with ThreadPoolExecutor(threads) as executor:
        for sums, weights in executor.map(value, numbers):
            totals += sums
            counts += weights
            if watch is not None:
                watch(1)
    worth = _run(programs[0], totals / np.maximum(counts, 1.0))
    sizes = class_sizes().astype(np.float64)
    button, blind = (float(row @ sizes / sizes.sum()) for row in worth[[0, -1]])
    return BlindResponse((button + blind) / 2, button, blind, len(numbers))


def table_of_rivers(program: Program) -> tuple[F64, I64]:
    """What the river is worth by margin, for every way to bet that leads there.

    Returns:
        ``(n_lanes, n_margins + 1, 8)`` values; and ``(n_roots,)`` which of them the roots of the
        program are: several ways may come to the same.
    """
    margins = np.arange(-N_OPPOSING, N_OPPOSING + 1) / N_OPPOSING
    rivers, which = np.unique(_run(program, margins[np.newaxis]), axis=0, return_inverse=True)
    lanes = np.zeros((-(-len(rivers) // _LANES), _BLOCKED + 1, _LANES))
    for i, river in enumerate(rivers):
        lanes[i // _LANES, :_BLOCKED, i % _LANES] = river
    return lanes, which.ravel()


def _run(program: Program, inputs: F64) -> F64:
    """``(n_roots, n)`` what a street is worth with every hand, by what follows it."""
    values = np.empty((len(program.kind), inputs.shape[1]))
    run(program, np.ascontiguousarray(inputs), values)
    return values[program.roots]


def value_flop(
    model: AnyArray, columns: AnyArray, rivers: F64, which: I64, programs: Sequence[Program]
) -> tuple[F64, F64]:
    """What a flop is worth, summed over the hands of every class.

    Args:
        model: The flop.
        columns: ``(1326,)`` the same number for hands that are alike on it.
        rivers: ``(n_lanes, n_margins + 1, 8)`` what ways to the river are worth, by margin.
        which: ``(n_roots,)`` which of these the roots of the river are.
        programs: Of the four streets.

    Returns:
        ``(n_roots, 169)`` sums, of the roots of the flop, and ``(169,)`` how many hands there were.
    """
    flop = sum(card_bit(int(card)) for card in model)
    holdings = Holdings.without(flop)
    alike = columns[HOLE_SETS & flop == 0]
    _, first, sizes = np.unique(alike, return_index=True, return_counts=True)
    turns = np.array([card for card in range(52) if card_bit(card) & flop == 0], np.int64)
    boards = np.zeros((_TURNS, _TURNS), np.int64)
    margins = np.zeros((_TURNS * (_TURNS - 1) // 2, len(first)), np.uint16)
    _deal(flop, turns, holdings, first, showdown_tables(), boards, margins)
    means = np.zeros((_TURNS, len(rivers) * _LANES, len(first)))
    _average(boards, margins, rivers, means)
    on_flop = np.zeros((len(programs[2].roots), len(first)))
    for i, card in enumerate(turns.tolist()):
        free = holdings.sets[first] & card_bit(card) == 0
        on_flop[:, free] += _run(programs[2], means[i, which][:, free] / _RIVERS_OF_HAND)
    worth = _run(programs[1], on_flop / _TURNS_OF_HAND) * sizes
    classes = CLASSES[HOLE_SETS & flop == 0][first]
    sums = np.zeros((len(worth), N_PREFLOP))
    np.add.at(sums.T, classes, worth.T)
    return sums, np.bincount(classes, sizes, N_PREFLOP).astype(np.float64)


CLASSES = np.array([preflop_class(int(a), int(b)) for a, b in HOLES], np.int64)
"""``(1326,)`` of each holding."""


@allocating_kernel
def _deal(flop, turns, holdings, chosen, tables, boards, margins):
    """Play some hands on every board that begins with a flop.

    Args:
        flop: Three cards as a set.
        turns: ``(49,)`` the other cards.
        holdings: ``Holdings`` that the flop allows.
        chosen: ``(n,)`` numbers of those that are asked for.
        tables: ``ShowdownTables``.
        boards: ``(49, 49)`` number of the board of two of these cards, is written.
        margins: ``(1176, n)`` rows of ``rivers`` for every board and hand, is written.
    """
    n = len(holdings.sets)
    ranks = np.empty(n, np.int64)
    found = np.empty(n, np.int64)
    scratch = np.empty(N_SCRATCH + n, np.int32)
    n_boards = 0
    for i in range(len(turns)):
        for j in range(i):
            board = flop | card_bit(turns[i]) | card_bit(turns[j])
            write_ranks(board, holdings.sets, holdings.columns, tables, ranks)
            write_margins(board, holdings, ranks, scratch, found)
            for k in range(len(chosen)):
                h = chosen[k]
                free = holdings.sets[h] & board == 0
                margins[n_boards, k] = found[h] + N_OPPOSING if free else _BLOCKED
            boards[i, j] = boards[j, i] = n_boards
            n_boards += 1


@kernel
def _average(boards, margins, rivers, sums):
    """Add up what the rivers after every turn are worth.

    Eight ways to the river at a time are added in registers.

    Args:
        boards: ``(49, 49)`` of ``_deal``.
        margins: ``(1176, n)`` of ``_deal``.
        rivers: ``(n_lanes, n_margins, 8)`` what every way to the river is worth.
        sums: ``(49, 8 n_lanes, n)`` is written.
    """
    for lanes in range(len(rivers)):
        worth = rivers[lanes]
        for turn in range(len(boards)):
            for k in range(margins.shape[1]):
                a0, a1, a2, a3, a4, a5, a6, a7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
                for river in range(len(boards)):
                    if river != turn:
                        row = margins[boards[turn, river], k]
                        a0 += worth[row, 0]
                        a1 += worth[row, 1]
                        a2 += worth[row, 2]
                        a3 += worth[row, 3]
                        a4 += worth[row, 4]
                        a5 += worth[row, 5]
                        a6 += worth[row, 6]
                        a7 += worth[row, 7]
                first = lanes * _LANES
                sums[turn, first, k] = a0
                sums[turn, first + 1, k] = a1
                sums[turn, first + 2, k] = a2
                sums[turn, first + 3, k] = a3
                sums[turn, first + 4, k] = a4
                sums[turn, first + 5, k] = a5
                sums[turn, first + 6, k] = a6
                sums[turn, first + 7, k] = a7


def _fixed(chances: Sequence[float]) -> Blind:
    """Somebody who acts with the same chances everywhere."""
    fold, call, rise = (number("opponent", chance, least=0, most=1) for chance in chances)
    if abs(fold + call + rise - 1.0) > 1e-9:
        raise ValueError(f"opponent's chances must sum to 1; got {tuple(chances)}")
    return lambda table: (fold, call, rise)


def _asked(player: CompiledPlayer, game: Game) -> Blind:
    """What a player does, which must be the same with all cards."""
    field = pack([player, player])
    if field.work_arrays().memory.size:
        raise ValueError(f"{player.name} has memory: what it does depends on more than the betting")
    players: Records = game.arrays(2).players

    def chances(table: Records) -> tuple[float, float, float]:
        seen = []
        for board in itertools.islice(itertools.combinations(range(51, -1, -7), 5), 3):
            asked = table.copy()
            asked["cards"][0, 4:9] = board
            who = int(asked["player"][0, asked["actor"][0]])
            by_hand = policy_of_hands(field, who, asked[0], players, field.work_arrays())
            seen.append(by_hand[by_hand.sum(axis=1) > 0])
        together = np.concatenate(seen)
        if np.ptp(together, axis=0).max() > 1e-12:
            raise ValueError(
                f"{player.name} looks at its cards; only for players who ignore them is the best "
                "response known exactly"
            )
        fold, call, *rises = together[0].tolist()
        return fold, call, sum(rises)

    return chances
