"""Upper bounds on scores in matches.

The ceiling of a match is the result of the best action sequence against a rule, in hindsight. The
mean ceiling is an upper bound on the score of any set of players, even if the best player is chosen
for each match.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from agents.theses.bonson.dealt.betting import BettingRule, UnfinishedMatch
from agents.theses.bonson.dealt.library import MatchLibrary
from agents.theses.bonson.programs.opponent_model import MOST
from nlhe_env.game.action_kinds import CALLS, FOLDS, RAISES
from nlhe_env.game.table import NO_PLAYER
from nlhe_env.jit.array_types import F64, I64


def ceilings(
    library: MatchLibrary,
    matches: I64,
    rule: tuple[float, float],
    *,
    betting: BettingRule = "two-calls",
) -> F64:
    """``(n,)`` best score of each match against a rule, in hindsight.

    Args:
        library: Library of the matches.
        matches: ``(n,)`` match numbers.
        rule: The opponent's thresholds for playing and raising.
        betting: Rule for the end of a round.
    """
    seats, deals = matches & 1, library.deals[matches >> 1]
    rows = np.arange(len(matches))
    strengths = deals["strength"][rows, 1 - seats]
    play, rise = map(np.float32, rule)
    answers = (strengths >= play).astype(np.int64) * (1 + (strengths >= rise))
    results = np.where(seats == 0, deals["result"], -deals["result"])
    cases, which = np.unique(
        np.column_stack([seats, results, answers]), axis=0, return_inverse=True
    )
    chips = [_best(betting, seat, result, remaining) for seat, result, *remaining in cases.tolist()]
    return np.asarray((np.array(chips)[which.ravel()] + MOST) / (2.0 * MOST))


def _best(betting: BettingRule, seat: int, result: int, answers: Sequence[int]) -> int:
    """Maximum win in a match in chips.

    Args:
        betting: Rule for the end of a round.
        seat: Seat of the player.
        result: Result at showdown: 1 for a win, -1 for a loss, 0 for a tie.
        answers: Answers of the opponent on each street.
    """
    best, levels = -int(MOST), {0}
    for street, answer in enumerate(answers):
        ends = _ends(betting, street, seat, answer)
        best = max([best, *(level + end for level in levels for end in ends.won)])
        best = max([best, *(-level - end for level in levels for end in ends.lost)])
        levels = {level + end for level in levels for end in ends.matched}
    return max([best, *(result * level for level in levels)])


class _Ends(NamedTuple):
    """Chips added by the possible ends of a street against a rule."""

    won: frozenset[int]
    """Chips of the opponent if it folds."""
    lost: frozenset[int]
    """Chips of the player if it folds."""
    matched: frozenset[int]
    """Chips of each player if the match continues."""


@functools.cache
def _ends(betting: BettingRule, street: int, seat: int, answer: int) -> _Ends:
    """All ends of a street; its betting does not depend on earlier chips.

    Args:
        betting: Rule for the end of a round.
        street: 0 to 3.
        seat: Seat of the player.
        answer: Answer of the opponent: 0 checks or folds, 1 checks or calls, 2 raises if legal.
    """
    first = UnfinishedMatch.first(betting)
    while first.street < street:
        first = first.after(CALLS)
    before = first.put_in(seat) if street else 0
    won, lost, matched = set[int](), set[int](), set[int]()
    left = [first]
    while left:
        here = left.pop()
        owed, raise_to = here.options()
        if here.actor == seat:
            actions = [FOLDS, CALLS, *([RAISES] if raise_to else [])]
        elif answer == 2 and raise_to:
            actions = [RAISES]
        else:
            actions = [CALLS if answer or not owed else FOLDS]
        for action in actions:
            if action == FOLDS:
                side = won if here.actor != seat else lost
                side.add(here.put_in(here.actor) - before)
                continue
            after = here.after(action)
            if after.actor != NO_PLAYER and after.street == street:
                left.append(after)
            else:
                matched.add(after.put_in(seat) - before)
    return _Ends(frozenset(won), frozenset(lost), frozenset(matched))
