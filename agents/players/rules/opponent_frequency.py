"""A player that counts its opponents' actions and exploits their frequencies.

For each street it counts how often opponents check and bet when there is no bet, and how often they
fold, call and raise facing one. Counts begin with pseudo-counts of an average player. All opponents
of a session are counted together, so that the model is best heads-up.

- It bluffs opponents who fold: a bet of s pots is profitable with any hand if all fold with a
  probability above s / (1 + s).
- It value-bets thinner against opponents who call, and stronger hands against those who fold.
- Against opponents who seldom bet, its calls require more equity than the pot odds.

The rule is ours; every number is a parameter or a round value.
"""

from __future__ import annotations

import numpy as np

from agents.policy.events import ACTED, EventRecord
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import N_PARAMETERS, check_or_fold, equity_against_one, opponents, raise_by
from agents.policy.view import Parameters, View, offer
from nlhe_env.game.betting import amount_to_call, winnable_pot
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, PREFLOP
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel

PARAMETERS = ("size", "trust", "ramp")
"""Bet size in pots; trust in the observed frequencies, 0..1; gain in pots over which the bluffing
probability rises from 0 to 1."""

CHECKS, BETS, FOLDS, CALLS, RAISES = range(5)
N_COUNTS = 5
_IMAGINED = (1.5, 1.0, 1.0, 1.0, 0.5)
"""Pseudo-counts: an average opponent's actions in five decisions."""
_MUCH_BETTING = 0.6
"""Share of bets and raises among actions other than folds above which they are uninformative."""


@kernel
def count_opponent(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: count an action of an opponent."""
    if event.what != ACTED or event.seat == view.seat:
        return
    if event.action == FOLD:
        what = FOLDS
    elif event.action == CHECK_OR_CALL:
        what = CALLS if event.to_call > 0 else CHECKS
    else:
        what = RAISES if event.to_call > 0 else BETS
    memory[event.street * N_COUNTS + what] += np.float32(1.0)


@kernel
def frequencies(memory: F32, street: Int) -> tuple[Float, Float]:
    """Share of folds facing bets, and share of bets and raises among actions other than folds."""
    first = street * N_COUNTS
    checks = memory[first + CHECKS] + _IMAGINED[CHECKS]
    bets = memory[first + BETS] + _IMAGINED[BETS]
    folds = memory[first + FOLDS] + _IMAGINED[FOLDS]
    calls = memory[first + CALLS] + _IMAGINED[CALLS]
    raises = memory[first + RAISES] + _IMAGINED[RAISES]
    active = bets + raises
    return folds / (folds + calls + raises), active / (active + checks + calls)


@kernel
def frequency_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Value-bet, bluff, call, check or fold, by equity and the opponents' frequencies."""
    weights, table, choices = parameters.weights, view.table, view.choices
    size, trust = np.float64(weights[0]), np.float64(weights[1])
    p = equity_against_one(table, view.strength_tables) ** opponents(table)
    folds, active = frequencies(memory, table.street)
    fair = 1.0 / (opponents(table) + 1.0)
    rise = raise_by(table, size, choices.least, choices.most)
    to_call = amount_to_call(table)
    raised = table.bets - np.int64(table.street == PREFLOP)
    # The more opponents fold, the stronger their calling hands; each raise raises the threshold.
    value_from = fair + (1.0 - fair) * (0.1 + 0.4 * trust * max(folds - 0.2, 0.0) + 0.25 * raised)
    if p >= value_from:
        offer(view, rise, 1.0)
        return
    if to_call > 0:
        pot = winnable_pot(table, table.actor)
        # Blinds, and bets of players who always bet, carry no information: pot odds decide.
        doubt = 0.6 * trust * max(_MUCH_BETTING - active, 0.0) if raised > 0 else 0.0
        needed = to_call / (pot + to_call) + doubt
        if p >= needed:
            offer(view, CHECK_OR_CALL, 1.0)
            return
    bluff = 0.0
    if raised == 0:
        all_fold = folds ** opponents(table)
        gain = all_fold - (1.0 - all_fold) * size
        bluff = min(max(trust * gain / max(np.float64(weights[2]), 1e-6), 0.0), 1.0)
    offer(view, rise, bluff)
    offer(view, check_or_fold(table), 1.0 - bluff)


OPPONENT_FREQUENCY = register_kind(
    Kind(
        "opponent-frequency",
        frequency_policy,
        wants="table",
        answers="amounts",
        on_event=count_opponent,
        memory=4 * N_COUNTS,
        n_weights=N_PARAMETERS,
        looks_up=True,
    )
)
