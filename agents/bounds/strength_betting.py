"""The betting of heads-up limit against somebody who acts by the strength of the hand alone.

Of such an opponent every decision says in which interval its strength lies on this street. So what
is known at the beginning of a street is a *range*: the range of the street before, and an interval
there. Ways of betting that lead to the same range and the same pot go on alike, and are one, as in
``limit_betting``, whose programs are used here too.

Worths are sums over the opponent's hands, not means: at a decision of the opponent the parts of its
range are added up. The inputs of a street come in pairs: ``2 row`` is how many hands of a part of
a range the hero's hand can meet; ``2 row + 1`` is on the river how many of them it beats less how
many beat it, and before it the ``row``-th root of the next street.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from agents.bounds.limit_betting import (
    BEST,
    INPUT,
    MEAN,
    Program,
    StreetNodes,
    act,
    legal_actions,
    opening,
)
from agents.compiled.players import CompiledPlayer
from agents.compiled.rules.spots import percentiles
from agents.compiled.rules.styles import STYLE, thresholds_of
from nlhe_env.game.description import Game
from nlhe_env.game.table import FOLD, NOBODY, RIVER
from nlhe_env.machine.array_types import F32, F64, I64, Records
from nlhe_env.machine.compilation import kernel

EVERYTHING = (0.0, np.inf)


@dataclass
class _Street:
    """What is found of a street."""

    nodes: StreetNodes = field(default_factory=StreetNodes)
    ranges: dict[tuple[int, float, float], int] = field(default_factory=dict)
    """At its beginning: of the street before, and an interval there."""
    parts: dict[tuple[int, float, float], int] = field(default_factory=dict)
    """Those in which its betting ends the hand: a range of this street, and an interval."""


class StrengthBetting:
    """All betting of a hero against an opponent whose strength decides.

    Args:
        game: Heads-up fixed-limit with stacks that nobody can lose in a hand.
        opponent: One of the four styles.
        preflop: ``(169,)`` the strength of hole cards, by class; by default as styles see it.

    Attributes:
        preflop: The same.
        programs: Of the four streets; the roots of the first are the hero on the button and in the
            big blind.

    Raises:
        ValueError: The opponent is another player.
    """

    def __init__(
        self, game: Game, opponent: CompiledPlayer, preflop: F32 | F64 | None = None
    ) -> None:
        if opponent.kind != STYLE:
            raise ValueError(
                "the opponent must be tight-passive, tight-aggressive, loose-passive or "
                f"loose-aggressive, with any options; got {opponent.name}"
            )
        self.preflop = (percentiles()[:, 0] if preflop is None else preflop).astype(np.float64)
        self._weights = opponent.weights
        self._streets = [_Street() for _ in range(RIVER + 1)]
        self._roots = dict[tuple[int, int, int, int], int]()
        self._big_blind = game.big_blind
        tables = opening(game)
        self._streets[0].ranges[0, *EVERYTHING] = 0
        for hero in range(2):
            self._streets[0].nodes.root(self._grow(tables.copy(), hero, (0, *EVERYTHING)))
        self.programs: tuple[Program, ...] = tuple(each.nodes.program() for each in self._streets)

    def ranges(self, street: int) -> tuple[I64, F64]:
        """``(n,)`` the range of the street before, and ``(n, 2)`` the interval there."""
        return _columns(self._streets[street].ranges)

    def parts(self, street: int) -> tuple[I64, F64]:
        """``(n,)`` the range of a street, and ``(n, 2)`` the interval on it, by ``row``."""
        return _columns(self._streets[street].parts)

    def n_inputs(self, street: int) -> int:
        """Of the program of a street."""
        following = len(self.programs[street + 1].roots) if street < RIVER else 0
        return 2 * max(len(self._streets[street].parts), following)

    def _grow(self, table: Records, hero: int, part: tuple[int, float, float]) -> int:
        """The node of a decision, where a part of a range is left."""
        nodes = self._streets[int(table[0]["street"])].nodes
        fold, call, rise = legal_actions(table)
        if table[0]["actor"] == hero:
            ways = sorted({fold, call, rise})
            options = tuple((self._after(table, way, hero, part), 1.0) for way in ways)
            return nodes.node(BEST, 0.0, 0, options)
        range_, low, high = part
        plays, raises = _thresholds(self._weights, table)
        edges = np.clip((0.0, plays, raises, np.inf), low, high)
        if rise == call:
            edges[2] = edges[3]
        if fold == call:
            edges[1] = edges[0]
        ends = list(zip((fold, call, rise), edges, edges[1:], strict=False))
        return nodes.node(
            MEAN,
            0.0,
            0,
            tuple(
                (self._after(table, way, hero, (range_, float(first), float(last))), 1.0)
                for way, first, last in ends
                if first < last
            ),
        )

    def _after(self, table: Records, action: int, hero: int, part: tuple[int, float, float]) -> int:
        """The node of what follows an action, on the street of the action."""
        street = int(table[0]["street"])
        here = self._streets[street]
        after = table.copy()
        act(after, action)
        record = after[0]
        if record["actor"] != NOBODY:
            if record["street"] == street:
                return self._grow(after, hero, part)
            following = self._streets[street + 1]
            range_ = following.ranges.setdefault(part, len(following.ranges))
            begins = street + 1, int(record["hand_bet"][0]), range_, hero  # all that it depends on
            if begins not in self._roots:
                node = self._grow(after, hero, (range_, *EVERYTHING))
                self._roots[begins] = following.nodes.root(node)
            return here.nodes.node(INPUT, 1.0, 2 * self._roots[begins] + 1)
        stake = float(min(record["hand_bet"][:2])) / self._big_blind
        row = here.parts.setdefault(part, len(here.parts))
        if action == FOLD:
            return here.nodes.node(INPUT, -stake if table[0]["actor"] == hero else stake, 2 * row)
        return here.nodes.node(INPUT, stake, 2 * row + 1)


def _columns(found: dict[tuple[int, float, float], int]) -> tuple[I64, F64]:
    numbers = np.array([range_ for range_, *_ in found], np.int64)
    return numbers, np.array([interval for _, *interval in found], np.float64).reshape(-1, 2)


@kernel
def _thresholds_at(weights, tables):
    return thresholds_of(weights, tables[0])


def _thresholds(weights: F32, table: Records) -> tuple[float, float]:
    plays, raises = _thresholds_at(weights, table)
    return float(plays), float(raises)
