"""Playing style in the measures of poker trackers, from action counts.

Tallies contain action counts (``style_counts``). Unless noted, the measures are defined as in
PokerTracker and Hold'em Manager:

======================  ============================================================================
``voluntarily_in_pot``  VPIP: hands in which the player put chips in before the flop by a call or a
                        raise, of the hands with a decision before the flop. Blinds, antes and the
                        check of the big blind do not count, and walks are no hands.
``preflop_raise``       PFR: hands in which the player raised before the flop, of the same hands.
``aggression``          After the flop: bets and raises, of bets, raises and calls. That is
                        ``f / (1 + f)`` of the trackers' aggression factor ``f`` (bets and raises
                        over calls), which has no upper end. Their aggression frequency also counts
                        folds below the line.
``fold_to_raise``       Folds, of the decisions against a bet or raise on the same street, on all
                        streets. Blinds are no bets.
``showdown``            WTSD: hands shown down, of the hands in which the player saw the flop.
                        Players who are all-in see it too.
``bet_over_pot``        Mean size of bets and raises on all streets: chips beyond the call over the
                        pot after calling. 1 is a bet of the size of the pot.
======================  ============================================================================

All except the last are shares from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from agents.match.playing import play
from agents.match.schedules import Blocks, Schedule, Tournaments
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.player_batch import pack_players
from nlhe_env.arguments import array
from nlhe_env.equity import StrengthTables
from nlhe_env.game import style_counts as index
from nlhe_env.game.description import Game
from nlhe_env.game.style_counts import N_STYLE_COUNTS, POT_UNITS
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.jit.array_types import F64, I64

STYLE_STATS = (
    "voluntarily_in_pot",
    "preflop_raise",
    "aggression",
    "fold_to_raise",
    "showdown",
    "bet_over_pot",
)
"""The measures, in the order of their arrays."""

_ABOVE = [
    index.ENTERED,
    index.RAISED_PREFLOP,
    index.BETS,
    index.FOLDS_FACED,
    index.SHOWDOWNS,
    index.BET_OVER_POT,
]
_BELOW = [
    index.PREFLOP_HANDS,
    index.PREFLOP_HANDS,
    index.BETS,
    index.FACED,
    index.FLOPS,
    index.SIZED,
]
_AGGRESSION = STYLE_STATS.index("aggression")
_BET = STYLE_STATS.index("bet_over_pot")


@dataclass(frozen=True)
class Style:
    """Style measures of one player; nan without data."""

    voluntarily_in_pot: float
    preflop_raise: float
    aggression: float
    fold_to_raise: float
    showdown: float
    bet_over_pot: float

    @classmethod
    def of(cls, style_counts: I64) -> Style:
        """Style from action counts.

        Args:
            style_counts: ``(N_STYLE_COUNTS,)`` counts of a player, or ``(n, N_STYLE_COUNTS)``
                counts that are summed.
        """
        counts = np.atleast_2d(style_counts).sum(axis=0, keepdims=True)
        return cls(*style_stats(counts)[0].tolist())

    def as_dict(self) -> dict[str, float | None]:
        """Measures by name, for JSON; None without data."""
        values = zip(STYLE_STATS, astuple(self), strict=True)
        return {name: value if np.isfinite(value) else None for name, value in values}


def style_stats(style_counts: I64) -> F64:
    """Style measures of players.

    Args:
        style_counts: ``(n, N_STYLE_COUNTS)`` counts.

    Returns:
        ``(n, 6)`` in the order of ``STYLE_STATS``; nan without data.

    Raises:
        ValueError: The array has the wrong shape.
    """
    above, occasions = _sums(style_counts)
    found = np.full(above.shape, np.nan)
    np.divide(above, occasions, out=found, where=occasions > 0)
    found[:, _BET] /= POT_UNITS
    return found


def standard_errors(style_counts: I64) -> F64:
    """Standard errors of ``style_stats``, as if occasions were independent of each other.

    This is only approximately true, since a hand has several decisions and a tournament has stages:
    the errors are lower bounds.

    Returns:
        ``(n, 6)``; nan without data, and for ``bet_over_pot``, whose variance is not counted.
    """
    shares = style_stats(style_counts)
    occasions = _sums(style_counts)[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        errors: F64 = np.sqrt(shares * np.maximum(1.0 - shares, 0.0) / occasions)
    errors[:, _BET] = np.nan
    return errors


def behaviour_descriptors(style_counts: I64, *, neutral: float = 0.5) -> F64:
    """Behaviour of players as points in the unit cube, for distances and archives.

    A mean bet of ``b`` pots becomes ``b / (1 + b)``, and a measure without data becomes
    ``neutral``.

    Args:
        style_counts: ``(n, N_STYLE_COUNTS)`` counts.
        neutral: Value of measures without data, 0 to 1.

    Returns:
        ``(n, 6)`` in the order of ``STYLE_STATS``, from 0 to 1.

    >>> behaviour_descriptors(np.zeros((1, N_STYLE_COUNTS), np.int64))
    array([[0.5, 0.5, 0.5, 0.5, 0.5, 0.5]])
    """
    found = style_stats(style_counts)
    found[:, _BET] /= 1.0 + found[:, _BET]
    found[np.isnan(found)] = neutral
    return found


def measure_style(
    player: CompiledPlayer,
    opponents: Sequence[CompiledPlayer],
    *,
    game: Game | None = None,
    seed: int = 1,
    count: int = 100,
    tables: StrengthTables | None = None,
) -> Style:
    """Measure the style of a player against given opponents.

    Args:
        player: The player to measure.
        opponents: At least one opponent. Up to nine opponents play duplicate blocks, more play
            multi-table tournaments.
        game: The game; default: tournaments.
        seed: Seed of cards, seats and the players' random numbers.
        count: Number of blocks or multi-table tournaments.
        tables: ``load_tables()``; loaded if needed.

    Raises:
        ValueError: A player is not compiled, or there is no opponent.

    >>> import agents
    >>> measure_style(agents.make("folder"), [agents.make("caller")] * 2, count=1).fold_to_raise
    nan
    """
    if not opponents:
        raise ValueError("style is measured in play: give at least one opponent")
    batch = pack_players([player, *opponents])
    one_table = len(batch) <= MAX_SEATS
    schedule: Schedule = Blocks(count) if one_table else Tournaments(count)
    tally = play(batch, schedule, game or Game.tournament(), seed=seed, tables=tables)
    return Style.of(tally.style_counts[0])


def _sums(style_counts: I64) -> tuple[I64, I64]:
    """Numerators and denominators of the measures, ``(n, 6)`` each."""
    style_counts = array(
        "style_counts", style_counts, (None, N_STYLE_COUNTS), dtype=np.int64, least=0
    )
    occasions = style_counts[:, _BELOW]
    occasions[:, _AGGRESSION] += style_counts[:, index.CALLS]
    return style_counts[:, _ABOVE], occasions
