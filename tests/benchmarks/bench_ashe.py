"""The most that could be won from the opponents of ASHE 1.0, by scripted responses to them.

    python tests/benchmarks/bench_ashe.py

The ceilings are 95 % intervals over blocks of 1,000 hands.
"""

from __future__ import annotations

import numpy as np

import agents
import nlhe_env
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import equity_against_one
from agents.policy.view import offer
from evolve.theses.li.measurements import measure_actions
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, PREFLOP, RIVER
from nlhe_env.jit.compilation import kernel

STACK = 20_000
GAME = nlhe_env.Game.cash(starting_stack=STACK, blinds=(50, 100), num_hands=500)
OPPONENTS = (
    "early-scared-limper",
    "calling-machine",
    "early-hothead-maniac",
    "early-candid-statistician",
)


@kernel
def patient_policy(parameters, memory, view):
    """Check and call to the river; there all-in with the better half, else call by the odds."""
    table = view.table
    to_call = amount_to_call(table)
    if table.street < RIVER:
        offer(view, CHECK_OR_CALL, 1.0)
        return
    p = equity_against_one(table, view.strength_tables)
    if p > 0.5:
        offer(view, view.choices.most or CHECK_OR_CALL, 1.0)
    else:
        calls = to_call == 0 or p > to_call / (to_call + table.pot)
        offer(view, CHECK_OR_CALL if calls else FOLD, 1.0)


@kernel
def bully_policy(parameters, memory, view):
    """Raise before the flop, whatever the cards, and fold to any reraise."""
    table, choices = view.table, view.choices
    raised = table.bets > np.int64(table.street == PREFLOP)
    if raised or choices.least == 0:
        offer(view, FOLD if amount_to_call(table) else CHECK_OR_CALL, 1.0)
    else:
        offer(view, choices.least, 1.0)


DEEP = 13_500
"""Chips left behind with which it still pays to call on the way."""
POWER = 7.0
"""Of its equity, by which the statistician bets a share of its stack."""


@kernel
def listener_policy(parameters, memory, view):
    """Raise size-revealing bets by more than the hand is worth, so that the opponent folds.

    Calls on the way to the river let more be bet. The better hand raises by no more than is called.
    """
    table, choices = view.table, view.choices
    seat = table.actor
    to_call, theirs = amount_to_call(table), table.street_bet[1 - seat]
    bet_above_blind = theirs - (table.big_blind if table.street == PREFLOP else 0)
    if to_call == 0 or bet_above_blind <= 0:
        takes = table.street == RIVER and choices.least > 0
        offer(view, choices.least if takes else CHECK_OR_CALL, 1.0)
        return
    if table.street < RIVER and table.stack[seat] - to_call >= DEEP:
        offer(view, CHECK_OR_CALL, 1.0)
        return
    p = equity_against_one(table, view.strength_tables)
    better = p**POWER * STACK > bet_above_blind
    too_much = theirs + bet_above_blind + table.big_blind
    if better and table.street == RIVER:
        last = table.stack[seat] + table.street_bet[seat] <= theirs + bet_above_blind
        offer(view, (choices.most if last else choices.least) or CHECK_OR_CALL, 1.0)
    elif choices.most >= too_much:
        offer(view, too_much, 1.0)
    else:
        offer(view, (choices.most or CHECK_OR_CALL) if better else FOLD, 1.0)


PATIENT = register_kind(
    Kind("bench-patient", patient_policy, wants="table", answers="amounts", looks_up=True)
)
BULLY = register_kind(Kind("bench-bully", bully_policy, wants="table", answers="amounts"))
LISTENER = register_kind(
    Kind("bench-listener", listener_policy, wants="table", answers="amounts", looks_up=True)
)


def main() -> None:
    """The winnings of scripted responses against the opponents, mBB a hand, and how."""
    for kind, name in zip((BULLY, PATIENT, PATIENT, LISTENER), OPPONENTS, strict=True):
        players = [agents.CompiledPlayer(kind.name, kind), agents.make(name)]
        tally = agents.play(players, agents.Blocks(60), GAME, seed=3, variance_reduction="all-in")
        unit = 1000 / (GAME.big_blind * 2 * GAME.num_hands)
        error = 1.96 * tally.errors[0] * unit
        won = f"{tally.scores[0] * unit:9,.0f} ± {error:,.0f}"
        print(f"{name:28} {won} thousandths of a big blind per hand", end="")
        actions = measure_actions(*players, GAME, seed=11)
        print(
            f", raises {actions.raise_frequency[PREFLOP]:.1%} before the flop,"
            f" folds {actions.fold_frequency:.1%}"
        )


if __name__ == "__main__":
    main()
