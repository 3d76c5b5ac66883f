"""The most that can be won of a player whose hand strength decides, in heads-up limit hold'em.

The public tree is walked with all hands of the player at once (M. Johanson, K. Waugh, M. Bowling,
M. Zinkevich, "Accelerating Best Response Calculation in Large Extensive Games", IJCAI 2011): below
a flop with every turn, river, hand and way to bet, exactly. Flops are drawn, in strata of their
classes by size.

The best response chooses before the flop what is best on average over all flops, of which a sample
says only so much. What it would win of the sample itself is too high on average (``at_most``); what
choices made on the other flops win on each is attainable, and too low (``at_least``).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from agents.bounds.blind_response import CLASSES
from agents.bounds.holdings import N_SCRATCH, Holdings, write_margins
from agents.bounds.limit_betting import BEST, INPUT, Program, run
from agents.bounds.range_sweeps import (
    BLOCKED,
    COLUMNS,
    Parts,
    Sweeps,
    add_rivers,
    write_inputs,
    write_strength,
)
from agents.bounds.strength_betting import StrengthBetting
from agents.compiled.players import CompiledPlayer
from agents.compiled.rules.spots import class_sizes
from agents.compiled.teams.hand_metrics import WEAK, classes_of, preflop_metrics
from nlhe_env.arguments import whole_number
from nlhe_env.equity.calculator.showdown_tables import showdown_tables
from nlhe_env.equity.calculator.spot import HOLE_SETS, HOLES, RANK_PAIRS
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.suits import N_FLOPS, N_PREFLOP, number_flops
from nlhe_env.evaluator.ranks import rank_sets
from nlhe_env.game.description import Game
from nlhe_env.machine.array_types import F32, F64, I64, AnyArray

_OPPOSING_PREFLOP = 1225
_OPPOSING_ON_FLOP = 1081
_OPPOSING_ON_TURN = 1035
_FLOPS_OF_TWO_HANDS = 17_296
_TURNS_OF_TWO_HANDS = 45
_RIVERS_OF_TWO_HANDS = 44
_LEAST_STACK, _MOST_STACK = 25, 1_000_000
"""Big blinds; nobody loses more than 24 in a hand."""


@dataclass(frozen=True)
class StrengthResponse:
    """The most that can be won of a player, from a sample of flops; in big blinds a hand."""

    at_least: float
    """What choices before the flop win on each flop that were made on the others."""
    at_most: float
    """What the best choices on this sample win of it."""
    error: float
    """Standard error of both, from how the flops differ."""
    flops: int

    @property
    def interval(self) -> tuple[float, float]:
        """Of the best response, with 95%."""
        return self.at_least - 1.96 * self.error, self.at_most + 1.96 * self.error

    def describe(self) -> str:
        """The values in one line."""
        low, high = self.interval
        return (
            f"{self.at_least:.4f} to {self.at_most:.4f} big blinds a hand, standard error "
            f"{self.error:.4f}: with 95% between {low:.4f} and {high:.4f} ({self.flops} flops)"
        )


def best_response_to_strength(
    opponent: CompiledPlayer,
    *,
    flops: int,
    stack: int = 200,
    seed: int = 1,
    matches: bool = False,
    balanced: bool = False,
    threads: int = 1,
    watch: Callable[[int], None] | None = None,
) -> StrengthResponse:
    """What the best response wins from a style in heads-up fixed-limit, on drawn flops.

    A big blind is a small bet, four bets are allowed on each street. With ``caution=0``, as the
    styles were published, a flop takes some seconds; else thresholds depend on the stack, many more
    ranges have to be told apart, and it takes ten times as long.

    Args:
        opponent: One of the four styles, with any options.
        flops: To draw, an even number.
        stack: Big blinds that both have at the beginning, which only ``caution`` asks for.
        seed: Of the flops.
        matches: Whether to play as ``agents.matches`` do: a street ends after two calls, and hole
            cards are as strong as hands of two cards are. It takes some times as long.
        balanced: Whether hole cards are dealt as in balanced matches: the nine pairs of strong,
            intermediate and weak ones equally often.
        threads: That share the flops; they do not change the result.
        watch: Told how many flops are done since it was told last.

    Raises:
        ValueError: It is another player, or ``flops`` or ``stack`` is out of range.
    """
    whole_number("flops", flops, least=4)
    if flops % 2:
        raise ValueError(f"flops must be even, as errors come from pairs of them; got {flops}")
    whole_number("stack", stack, least=_LEAST_STACK, most=_MOST_STACK)
    game = Game.cash(
        starting_stack=stack * 100, blinds=(50, 100), betting="fixed-limit", two_calls=matches
    )
    betting = StrengthBetting(game, opponent, preflop_metrics()[:, 0] if matches else None)
    weights = balancing_weights(betting.preflop) if balanced else None
    numbering = number_flops()
    drawn = draw_flops(numbering.sizes, flops, seed)

    def value(flop: int) -> F64:
        return value_flop(numbering.models[flop], numbering.hole_columns[flop], betting, weights)

    worths = []
    with ThreadPoolExecutor(threads) as executor:
        for worth in executor.map(value, drawn):
            worths.append(worth)
            if watch is not None:
                watch(1)
    return _estimate(np.stack(worths), betting, weights)


def balancing_weights(preflop: F64) -> F64:
    """``(3, 3)`` how much more often than dealt hole cards of two classes meet in balanced matches.

    >>> balancing_weights(preflop_metrics()[:, 0]).round(1).tolist()
    [[10.1, 3.5, 1.7], [3.5, 1.3, 0.6], [1.7, 0.6, 0.3]]
    """
    classes = np.eye(WEAK + 1)[classes_of(preflop)[CLASSES]]
    met = classes.T @ (HOLE_SETS[:, np.newaxis] & HOLE_SETS == 0) @ classes
    return np.asarray(met.mean() / met, np.float64)


def draw_flops(sizes: I64, flops: int, seed: int) -> list[int]:
    """Classes of flops: one from each of so many parts of equal size of all flops, in order."""
    places = (np.arange(flops) + np.random.default_rng(seed).random(flops)) / flops
    drawn: list[int] = np.searchsorted(sizes.cumsum(), places * sizes.sum(), "right").tolist()
    return drawn


def value_flop(
    model: AnyArray, columns: AnyArray, betting: StrengthBetting, weights: F64 | None = None
) -> F64:
    """What a flop is worth, summed over the hands of the hero in each class and the opponent's.

    Args:
        model: The flop.
        columns: ``(1326,)`` the same number for hands that are alike on it.
        betting: Against the opponent.
        weights: ``(3, 3)`` of the opponent's hands by the classes of both, the hero's first; all
            count alike by default.

    Returns:
        ``(n_roots, 169)`` of the roots of the flop.
    """
    flop = sum(card_bit(int(card)) for card in model)
    free = np.flatnonzero(HOLE_SETS & flop == 0)
    _, first, sizes = np.unique(columns[free], return_index=True, return_counts=True)
    if weights is None:
        return _value_hands(flop, free, first, sizes, np.ones(len(free), np.float32), betting)
    classes = classes_of(betting.preflop[CLASSES[free]])
    sums = np.zeros((len(betting.programs[1].roots), N_PREFLOP))
    for of_class, row in enumerate(weights.astype(np.float32)):
        own = classes[first] == of_class
        sums += _value_hands(flop, free, first[own], sizes[own], row[classes], betting)
    return sums


def _value_hands(
    flop: int, free: I64, first: I64, sizes: I64, weights: F32, betting: StrengthBetting
) -> F64:
    """What a flop is worth to some hands, summed by their classes.

    Args:
        flop: Its cards.
        free: ``(n,)`` holdings that it allows.
        first: Indices among these of the hands.
        sizes: How many are like each.
        weights: ``(n,)`` of the opponent's hands.
        betting: Against the opponent.
    """
    order = np.concatenate([first, np.setdiff1d(np.arange(len(free)), first)])
    in_order = free[order]
    holdings = Holdings(HOLES[in_order], HOLE_SETS[in_order], RANK_PAIRS[in_order])
    n_blocks = -(-len(first) // COLUMNS)
    before = betting.preflop[CLASSES[in_order]]
    reach = _ranges(betting, 1, weights[order][np.newaxis], before)
    street = _Street(betting, 1, n_blocks, len(in_order))
    strength = _strength(flop, holdings, _OPPOSING_ON_FLOP)
    after = _ranges(betting, 2, reach, strength)
    following = np.zeros((n_blocks, len(betting.programs[2].roots), COLUMNS))
    turn_street = _Street(betting, 2, n_blocks, len(in_order))
    for card in range(52):
        if card_bit(card) & flop == 0:
            _add_turn(flop | card_bit(card), after, holdings, betting, turn_street, following)
    street.prepare(reach, strength, holdings, following / _TURNS_OF_TWO_HANDS)
    worth = np.zeros((n_blocks, len(betting.programs[1].roots), COLUMNS))
    street.add(worth)
    by_hand = worth.transpose(1, 0, 2).reshape(worth.shape[1], -1)[:, : len(first)] * sizes
    sums = np.zeros((len(by_hand), N_PREFLOP))
    np.add.at(sums.T, CLASSES[in_order[: len(first)]], by_hand.T)
    return sums


class _Street:
    """The inputs of a street before the river, and its program."""

    def __init__(self, betting: StrengthBetting, street: int, n_blocks: int, n: int) -> None:
        self._parts = Parts(*betting.parts(street))
        self._program = betting.programs[street]
        self._sweeps = Sweeps.new(n)
        self._inputs = np.zeros((n_blocks, betting.n_inputs(street), COLUMNS))

    def prepare(self, reach: F32, strength: F64, holdings: Holdings, following: F64) -> None:
        """Writes the inputs.

        Args:
            reach: Of the ranges of the street.
            strength: On its board.
            holdings: Of both.
            following: ``(n_blocks, n_roots, COLUMNS)`` what the next street is worth.
        """
        nobody = np.zeros(0, np.int32)
        ranks = np.zeros(len(strength), np.int64)
        write_inputs(
            self._parts, reach, strength, ranks, nobody, holdings, self._sweeps, self._inputs
        )
        self._inputs[:, 1 : 2 * following.shape[1] : 2] = following

    def add(self, sums: F64) -> None:
        """Adds what the street is worth to ``(n_blocks, n_roots, COLUMNS)``."""
        values = np.zeros((len(self._program.kind), COLUMNS))
        for inputs, worth in zip(self._inputs, sums, strict=True):
            run(self._program, inputs, values)
            worth += values[self._program.roots]


def _add_turn(
    turn: int,
    reach: F32,
    holdings: Holdings,
    betting: StrengthBetting,
    street: _Street,
    sums: F64,
) -> None:
    """Add what a turn is worth: ``(n_blocks, n_roots, COLUMNS)``."""
    here = reach * (holdings.sets & turn == 0).astype(np.float32)
    strength = _strength(turn, holdings, _OPPOSING_ON_TURN)
    rivers = np.array([card for card in range(52) if card_bit(card) & turn == 0])
    river = np.zeros((len(sums), len(betting.programs[3].roots), COLUMNS))
    add_rivers(
        turn,
        rivers,
        Parts(*betting.parts(3)),
        _ranges(betting, 3, here, strength),
        holdings,
        showdown_tables(),
        betting.programs[3],
        Sweeps.new(len(holdings.sets)),
        np.zeros((len(sums), betting.n_inputs(3), COLUMNS)),
        river,
    )
    street.prepare(here, strength, holdings, river / _RIVERS_OF_TWO_HANDS)
    street.add(sums)


def _ranges(betting: StrengthBetting, street: int, reach: F32, strength: F64) -> F32:
    """``(n_ranges, n)`` the ranges of a street, from those of the one before and the strength."""
    parents, intervals = betting.ranges(street)
    inside = (intervals[:, :1] <= strength) & (strength < intervals[:, 1:])
    return reach[parents] * inside.astype(np.float32)


def _strength(board: int, holdings: Holdings, n_opposing: int) -> F64:
    """``(n,)`` HS on three or four cards."""
    n = len(holdings.sets)
    ranks = np.zeros(n, np.int64)
    rank_sets(holdings.sets | board, ranks)
    numbers = np.unique(ranks, return_inverse=True)[1].astype(np.int64)
    strength = np.where(holdings.sets & board == 0, 0.0, BLOCKED)
    margins = np.zeros(n, np.int64)
    write_margins(board, holdings, numbers, np.empty(N_SCRATCH + n, np.int32), margins)
    write_strength(margins, n_opposing, strength)
    return strength


def _estimate(
    worths: F64, betting: StrengthBetting, weights: F64 | None = None
) -> StrengthResponse:
    """From what every flop is worth by class, ``(flops, n_roots, 169)``."""
    sizes = class_sizes().astype(np.float64)
    scaled = worths * N_FLOPS / (_FLOPS_OF_TWO_HANDS * sizes)
    known = _met_before_flop(betting, weights)
    total = scaled.sum(axis=0)
    chances = sizes / sizes.sum() / _OPPOSING_PREFLOP

    def value(decided: F64, paid: F64) -> float:
        program = betting.programs[0]
        by_class = _respond(program, _inputs(known, decided), _inputs(known, paid))
        return float((by_class @ chances).mean())

    n = len(scaled)
    attained = np.array([value((total - one) / (n - 1), one) for one in scaled])
    pairs = attained[0::2] - attained[1::2]
    return StrengthResponse(
        at_least=float(attained.mean()),
        at_most=value(total / n, total / n),
        error=float(np.sqrt((pairs**2).sum()) / n),
        flops=n,
    )


def _met_before_flop(betting: StrengthBetting, weights: F64 | None = None) -> F64:
    """``(n_parts, 169)`` how many hands of the opponent a hand of each class meets, weighted."""
    _, intervals = betting.parts(0)
    strength = betting.preflop[CLASSES]
    inside = (intervals[:, :1] <= strength) & (strength < intervals[:, 1:])
    _, one_of_class = np.unique(CLASSES, return_index=True)
    meets = (HOLE_SETS[one_of_class][:, np.newaxis] & HOLE_SETS == 0).astype(np.float64)
    if weights is not None:
        classes = classes_of(betting.preflop)
        meets *= weights[classes[:, np.newaxis], classes[CLASSES]]
    met: F64 = inside.astype(np.float64) @ meets.T
    return met


def _inputs(met: F64, following: F64) -> F64:
    inputs = np.zeros((2 * max(len(met), len(following)), N_PREFLOP))
    inputs[0 : 2 * len(met) : 2] = met
    inputs[1 : 2 * len(following) : 2] = following
    return inputs


def _respond(program: Program, decided: F64, paid: F64) -> F64:
    """``(n_roots, 169)`` what choices that are best by some inputs come to by others."""
    seen = np.zeros((len(program.kind), N_PREFLOP))
    won = np.zeros_like(seen)
    for node, kind in enumerate(program.kind.tolist()):
        first = int(program.first[node])
        terms = program.terms[first : first + int(program.length[node])]
        if kind == INPUT:
            seen[node] = program.value[node] * decided[first]
            won[node] = program.value[node] * paid[first]
        elif kind == BEST:
            best = seen[terms].argmax(axis=0)[np.newaxis]
            seen[node] = np.take_along_axis(seen[terms], best, axis=0)[0]
            won[node] = np.take_along_axis(won[terms], best, axis=0)[0]
        else:
            seen[node], won[node] = seen[terms].sum(axis=0), won[terms].sum(axis=0)
    return won[program.roots]
