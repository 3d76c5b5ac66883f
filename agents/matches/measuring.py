"""What can be said of rules in matches: the best ones, their actions, and the limit of all play.

The ceiling of a match is what the best of all sequences of actions would have won of a rule, whose
cards and answers are known in hindsight. Its mean limits what the best of any number of players
reaches, match by match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from agents.compiled.teams.opponent_model import CALLED, FOLDED, MOST, RAISED
from agents.matches.library import MatchLibrary
from agents.matches.players import MatchPlayer, rule_action, rule_match_player
from agents.matches.playing import (
    BIG_BLIND,
    MOST_BETS,
    SMALL_BLIND,
    BettingRule,
    play_matches,
    scores_of,
)
from nlhe_env.arguments import whole_number
from nlhe_env.game.table import PREFLOP, RIVER
from nlhe_env.machine.array_types import F64, I64
from nlhe_env.machine.compilation import kernel

_UNIT = 10  # chips; after the first round both have put in a multiple of it
_LEVELS = int(MOST) // _UNIT + 1
_STATE = 6  # numbers of a state of the betting
_DEPTH = 64


class Tuned(NamedTuple):
    """What ``tune_rule`` finds."""

    play: float
    rise: float
    score: float
    """Mean score of these thresholds."""
    error: float
    """Its standard error."""
    scores: F64
    """``(steps + 1, steps + 1)`` of all thresholds, nan below the diagonal."""


def tune_rule(
    library: MatchLibrary,
    matches: I64,
    opponent: MatchPlayer,
    *,
    steps: int = 10,
    betting: BettingRule = "two-calls",
) -> Tuned:
    """The thresholds of a rule that win most of an opponent, on a grid (table 4.5 of the thesis).

    Args:
        library: Where the matches are.
        matches: ``(n,)`` numbers, the same for all rules.
        opponent: Whom they play.
        steps: Of the grid between 0 and 1.
        betting: When a round ends.
    """
    whole_number("steps", steps, least=1)
    scores = np.full((steps + 1, steps + 1), np.nan)
    best = 0.0, 0.0, -1.0, 0.0
    for i in range(steps + 1):
        for j in range(i, steps + 1):
            rule = rule_match_player(i / steps, j / steps)
            results = scores_of(
                play_matches(library, matches, rule, opponent, betting=betting).outcomes
            )
            scores[i, j] = results.mean()
            if scores[i, j] > best[2]:
                error = float(results.std() / np.sqrt(len(results)))
                best = i / steps, j / steps, float(scores[i, j]), error
    return Tuned(*best, scores)


def action_shares(
    library: MatchLibrary,
    matches: I64,
    player: MatchPlayer,
    opponents: Sequence[MatchPlayer],
    *,
    betting: BettingRule = "two-calls",
) -> F64:
    """``(3,)`` shares of folds, calls and raises, as means over opponents (table 4.4)."""
    shares = []
    for opponent in opponents:
        outcomes = play_matches(library, matches, player, opponent, betting=betting).outcomes
        counts = np.array([outcomes[name].sum() for name in ("folds", "calls", "raises")])
        shares.append(counts / counts.sum())
    return np.asarray(np.mean(shares, axis=0))


def ceilings(
    library: MatchLibrary,
    matches: I64,
    rule: tuple[float, float],
    *,
    betting: BettingRule = "two-calls",
) -> F64:
    """``(n,)`` best score of each match against a rule, in hindsight.

    Args:
        library: Where the matches are.
        matches: ``(n,)`` numbers.
        rule: Thresholds of the opponent, to play and to raise.
        betting: When a round ends.
    """
    chips = np.zeros(len(matches), np.int64)
    stack, reached = np.zeros((_DEPTH, _STATE), np.int64), np.zeros((5, _LEVELS), np.int8)
    _search(library.deals, matches, *rule, betting == "two-calls", stack, reached, chips)
    return np.asarray((chips + MOST) / (2.0 * MOST))


@kernel
def _search(deals, matches, play, rise, two_calls, stack, reached, chips):
    for i in range(len(matches)):
        seat = matches[i] & 1
        deal = deals[matches[i] >> 1]
        best = np.int64(-MOST)
        reached[:] = 0
        reached[0, 0] = 1
        for street in range(4):
            strength = deal.strength[1 - seat, street]
            for level in range(_LEVELS):
                if reached[street, level]:
                    own = level * _UNIT
                    best = max(
                        best,
                        _search_street(
                            street, own, seat, strength, play, rise, two_calls, stack, reached
                        ),
                    )
        result = deal.result if seat == 0 else -deal.result
        for level in range(_LEVELS):
            if reached[RIVER + 1, level]:
                best = max(best, result * level * _UNIT)
        chips[i] = best


@kernel
def _push(stack, n, own, other, bets, actor, calls, acted):
    stack[n, 0] = own
    stack[n, 1] = other
    stack[n, 2] = bets
    stack[n, 3] = actor
    stack[n, 4] = calls
    stack[n, 5] = acted
    return n + 1


@kernel
def _search_street(street, put_in, seat, strength, play, rise, two_calls, stack, reached):
    """The best end of a match on this street; marks with which bets the next one can begin."""
    best, bet = np.int64(-MOST), BIG_BLIND << (street >> 1)
    own, other = put_in, put_in
    if street == PREFLOP:
        own = SMALL_BLIND if seat == 0 else BIG_BLIND
        other = SMALL_BLIND + BIG_BLIND - own
    first = seat if street == PREFLOP else 1 - seat
    n = _push(stack, 0, own, other, np.int64(street == PREFLOP), first, 0, 0)
    while n > 0:
        n -= 1
        own, other, bets = stack[n, 0], stack[n, 1], stack[n, 2]
        actor, calls, acted = stack[n, 3], stack[n, 4], stack[n, 5]
        owed = other - own if actor == 0 else own - other
        answer = rule_action(play, rise, strength, owed)
        if answer == RAISED and bets == MOST_BETS:
            answer = CALLED
        for action in range(3):
            if (actor == 1 and action != answer) or (action == RAISED and bets == MOST_BETS):
                continue
            if action == FOLDED:
                best = max(best, -own if actor == 0 else other)
                continue
            moved = owed + (bet if action == RAISED else 0)
            next_own, next_other = own, other
            if actor == 0:
                next_own += moved
            else:
                next_other += moved
            next_calls = 0 if action == RAISED else calls + 1
            ends = next_calls == 2 or (action == CALLED and acted >= 1 and not two_calls)
            if ends:
                reached[street + 1, next_own // _UNIT] = 1
            else:
                next_bets = bets + np.int64(action == RAISED)
                n = _push(
                    stack, n, next_own, next_other, next_bets, 1 - actor, next_calls, acted + 1
                )
    return best
