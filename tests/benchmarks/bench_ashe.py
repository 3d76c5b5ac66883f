"""ASHE 1.0: steps of its network against bare arithmetic, hands a second, what could be won.

    python tests/benchmarks/bench_ashe.py            # speeds
    python tests/benchmarks/bench_ashe.py ceilings   # scripted responses to its opponents

The peak is measured as multiplications and additions in float32 of numbers that stay in registers,
as the network has them: separate, because fused ones would change the bits. CPU seconds of one
thread, medians of interleaved runs. The ceilings are 95 % intervals over blocks of 1,000 hands.
"""

from __future__ import annotations

import sys
import threading
import time
from functools import partial

import numpy as np
from harness import medians, seconds

import agents
import nlhe_env
from agents.players.networks.lstm_blocks import count_module_scratch, step_module
from agents.policy.kinds import Kind, make_sizes, register_kind
from agents.policy.spots import equity_against_one
from agents.policy.view import offer
from agents.theses.li.ashe1 import PUBLISHED_SHAPE, AshePlayer, aggression_of, count_genes
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
REPEATS, STEPS, LANES = 7, 2_000, 64
MULTIPLY_ADDS = 10 * 4 * 10 * 19 + 4 * 50 * 59 + 151 * 75 + 76
"""Of a step of both modules and a decision, biases counted."""


@kernel
def arithmetic(values, n):
    """``n`` rounds of a multiplication and an addition for each of the values."""
    for _ in range(n):
        for j in range(LANES):
            values[j] = values[j] * np.float32(0.999) + np.float32(0.001)


@kernel
def forward(sizes, weights, memory, inputs, scratch, n):
    """``n`` steps of both modules, each with a decision."""
    total = np.float32(0.0)
    for _ in range(n):
        step_module(weights, 10, 10, inputs, memory[:200], scratch)
        step_module(weights[7_900:], 1, 50, inputs, memory[200:], scratch)
        total += aggression_of(sizes, weights, memory, scratch[:75])
    return total


def speeds() -> None:
    """Steps of the network against the peak, and hands a second."""
    rng = np.random.default_rng(1)
    weights = rng.normal(0, 0.1, count_genes(PUBLISHED_SHAPE)).astype(np.float32)
    sizes, memory = make_sizes(*PUBLISHED_SHAPE), np.zeros(300, np.float32)
    scratch = np.zeros(count_module_scratch(10, 10) + 500, np.float32)
    inputs, values = rng.random(8).astype(np.float32), np.ones(LANES, np.float32)
    player = AshePlayer(weights)
    fields = {name: agents.pack_players([player, agents.make(name)]) for name in OPPONENTS}
    rounds = 2_000_000
    works = {
        "peak": (rounds * LANES / 1e9, lambda: arithmetic(values, rounds)),
        "network": (
            STEPS * MULTIPLY_ADDS / 1e9,
            lambda: forward(sizes, weights, memory, inputs, scratch, STEPS),
        ),
    }
    for name, batch in fields.items():
        works[name] = 2_000, partial(agents.play, batch, agents.Blocks(2), GAME, seed=1)
    measures = {
        name: lambda amount=amount, work=work: amount / seconds(work)
        for name, (amount, work) in works.items()
    }
    found = medians(measures, REPEATS)
    peak, network = found["peak"], found["network"]
    print(f"{'peak':28} {peak:9.2f} billion multiplications and additions per second")
    print(f"{'network':28} {network:9.2f}, {network / peak:.0%} of it")
    for name in fields:
        print(f"{name:28} {found[name]:9,.0f} hands per second")
    ratio = medians({"": lambda: two_threads(fields["calling-machine"])}, REPEATS)[""]
    print(f"{'two threads against one':28} {ratio:9.2f} times, wall time")


def two_threads(batch) -> float:
    """How many times as much two threads play as one, in the same time."""

    def work() -> None:
        agents.play(batch, agents.Blocks(10), GAME, seed=1)

    alone = seconds(work, time.perf_counter)
    both = [threading.Thread(target=work) for _ in range(2)]
    begun = time.perf_counter()
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    return 2 * alone / (time.perf_counter() - begun)


# --- what could be won ---------------------------------------------------------------------------


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


def ceilings() -> None:
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
    ceilings() if "ceilings" in sys.argv else speeds()
