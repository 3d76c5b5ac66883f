"""The push-or-fold player, which folds or goes all-in before the flop with short stacks.

Heads-up it plays the push-or-fold equilibrium, see ``agents.books.push_fold_equilibrium``. With
more players it follows a rule of thumb: the equilibrium's share of hands is divided by the number
of possible callers to the power of ``opponent_share``. With deep stacks and after the flop it plays
the tight-aggressive style.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np

from agents.players.rules.styles import play_style, strength_of
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import AFTER_PERCENTILES, check_or_fold, hole_class, is_in_hand
from agents.policy.view import Parameters, View, offer
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.betting import amount_to_call, winnable_pot
from nlhe_env.game.table import BY_BIG_BLIND, CHECK_OR_CALL, EMPTY, PREFLOP, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int
from nlhe_env.jit.compilation import kernel

PARAMETERS = ("threshold", "raise_threshold", "size", "all_in_margin", "below", "opponent_share")
"""Parameters of the tight-aggressive style, largest short stack in big blinds, exponent."""

MOST_BIG_BLINDS = 20
"""Largest stack, in big blinds, with a shipped equilibrium; the smallest is 1."""

TABLES = np.dtype(
    [
        # By stack in big blinds, from 1, and class of hole cards: the equilibrium's all-in
        # probability, and the share of holdings for which all-in is more profitable.
        ("push", np.float32, (MOST_BIG_BLINDS, N_PREFLOP)),
        ("better_pushes", np.float32, (MOST_BIG_BLINDS, N_PREFLOP)),
        # The same for calls of an all-in.
        ("call", np.float32, (MOST_BIG_BLINDS, N_PREFLOP)),
        ("better_calls", np.float32, (MOST_BIG_BLINDS, N_PREFLOP)),
        # Shares of holdings that go all-in and that call.
        ("pushed", np.float32, (MOST_BIG_BLINDS,)),
        ("called", np.float32, (MOST_BIG_BLINDS,)),
    ]
)
"""Layout of the tables, all float32 so that they fit in a player's weights."""

FILE = Path(__file__).parents[2] / "data" / "push-or-fold.npz"
_PUSH, _BETTER_PUSHES, _CALL, _BETTER_CALLS, _PUSHED, _CALLED = (
    AFTER_PERCENTILES + TABLES.fields[name][1] // 4  # type: ignore[index]
    for name in TABLES.names or ()
)
_BELOW, _CROWD = 4, 5
_BLINDS = 1.5  # pot of the equilibrium in big blinds


@functools.cache
def load_rows() -> F32:
    """Tables as one flat float32 array."""
    with np.load(FILE, allow_pickle=False) as file:
        record = np.zeros(1, TABLES)
        for name in TABLES.names or ():
            record[name] = file[name]
    return record.view(np.float32).ravel()


@kernel
def push_or_fold_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the style when deep; when short, all-in or fold, mixed for some hands."""
    weights, table, choices = parameters.weights, view.table, view.choices
    stack = effective_stack(table)
    if stack > weights[_BELOW]:
        offer(view, play_style(weights, table, choices.least, choices.most), 1.0)
        return
    if table.street != PREFLOP:
        offer(view, _after_flop(weights, table, choices.most), 1.0)
        return
    rounded: Int = np.int64(stack + 0.5)
    place = min(max(rounded, 1), MOST_BIG_BLINDS) - 1
    entry = place * N_PREFLOP + hole_class(table)
    raiser = _first_raiser(table)
    if raiser < 0:
        rivals = max(table.unfolded - 1, 1)
        chance = weights[_PUSH + entry]
        better = weights[_BETTER_PUSHES + entry]
        share = weights[_PUSHED + place]
    else:
        # The raiser faced all players behind it, and the caller must beat every player in the pot.
        rivals = _behind(table, raiser) * _entrants(table)
        chance = weights[_CALL + entry]
        better = weights[_BETTER_CALLS + entry]
        share = weights[_CALLED + place]
    plays: Float = np.float64(chance)
    if rivals != 1:
        opponent_share = np.float64(rivals) ** np.float64(weights[_CROWD])
        plays = 1.0 if better < share / opponent_share else 0.0
    offer(view, _all_in(choices.most), plays)
    offer(view, check_or_fold(table), 1.0 - plays)


@kernel
def effective_stack(table: TableRecord) -> Float:
    """Effective stack of the actor relative to the pot, in the equilibrium's big blinds.

    Antes make it smaller. Without antes, and with a small blind of half the big blind, the unit is
    the actual big blind.
    """
    seat = table.actor
    most = np.int64(0)
    dealt_in = 0
    for other in range(table.seats):
        dealt_in += table.status[other] != EMPTY
        if other != seat and is_in_hand(table, other):
            most = max(most, table.stack[other] + table.hand_bet[other])
    own = table.stack[seat] + table.hand_bet[seat]
    antes = table.dead_ante if table.ante_by == BY_BIG_BLIND else dealt_in * table.ante
    dead = table.small_blind + table.big_blind + antes
    return min(own, most) * _BLINDS / dead


@kernel
def _all_in(most: Int) -> Int:
    """The largest raise, or a call (of an all-in) if none is legal."""
    return most if most > 0 else CHECK_OR_CALL


@kernel
def _after_flop(parameters: F32, table: TableRecord, most: Int) -> Int:
    """All-in with enough strength for the pot odds, else check or fold."""
    strength = strength_of(table, parameters)
    to_call = amount_to_call(table)
    pot = winnable_pot(table, table.actor)
    if strength >= 0.5 and strength * pot >= to_call:
        return _all_in(most)
    return check_or_fold(table)


@kernel
def _first_raiser(table: TableRecord) -> Int:
    """Seat of the opponent with the largest pre-flop raise; -1 if none has raised."""
    raiser = -1
    for seat in range(table.seats):
        if seat == table.actor or not is_in_hand(table, seat) or table.raises[PREFLOP, seat] == 0:
            continue
        if raiser < 0 or table.street_bet[seat] > table.street_bet[raiser]:
            raiser = seat
    return raiser


@kernel
def _behind(table: TableRecord, raiser: Int) -> Int:
    """Number of players that act after a seat pre-flop; at least 1."""
    dealt_in = 0
    for other in range(table.seats):
        dealt_in += table.status[other] != EMPTY
    # The big blind acts last: two seats after the button, heads-up one.
    blinds_left = 1 if dealt_in == 2 else 2
    seat: Int = table.button
    while blinds_left > 0:
        seat = _next_dealt_in(table, seat)
        blinds_left -= 1
    count = 0
    while raiser != seat:
        raiser = _next_dealt_in(table, raiser)
        count += 1
    return max(count, 1)


@kernel
def _next_dealt_in(table: TableRecord, seat: Int) -> Int:
    """Next seat clockwise that was dealt in."""
    for _ in range(table.seats):
        seat += 1
        if seat == table.seats:
            seat = 0
        if table.status[seat] != EMPTY:
            break
    return seat


@kernel
def _entrants(table: TableRecord) -> Int:
    """Number of opponents in the pot with more than the blinds; at least 1."""
    count = 0
    for seat in range(table.seats):
        if seat != table.actor and is_in_hand(table, seat):
            count += table.street_bet[seat] > table.big_blind
    return max(count, 1)


PUSH_OR_FOLD = register_kind(
    Kind(
        "push-or-fold",
        push_or_fold_policy,
        wants="table",
        answers="amounts",
        n_weights=AFTER_PERCENTILES + TABLES.itemsize // 4,
    )
)
