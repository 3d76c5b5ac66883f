"""Reconstructed training opponents of ASHE.

Source: Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
(PhD thesis, University of Texas at Austin, 2018), section 5.3.2 and table 5-3. The thesis describes
them in words; most numbers here are ours. They are meant for heads-up play: p is the equity against
one random hand, regardless of the number of opponents, and bets are fractions of the pot after
calling.

Seven of the eight share one rule with many parameters; the Scared Limper has its own rule. The
Hothead Maniac of chapter 4, which is fully specified except for its first bets, also uses the
shared rule; two more players of that chapter are in ``rules.aggression``.

Half-a-Pro is the tight-aggressive opponent with some professional moves: it floats, raises after a
check, controls the pot and bluffs on several streets, and calls raises on the river too tightly
(section 8.3.3). The Random Gambler plays, every 50 hands, as another of Hothead Maniac, Calling
Machine, Scared Limper and Candid Statistician, never the same twice in a row, as in table 5-7.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import HAND_BEGINS, EventRecord
from agents.policy.kinds import Kind, register_kind, whole_weight
from agents.policy.spots import N_PARAMETERS, check_or_fold, equity_against_one, raise_by
from agents.policy.view import Parameters, View, offer, offer_either, offer_raises
from nlhe_env.assessment.potential_kernels import board_set
from nlhe_env.cards import N_CARDS
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.evaluator import rank_set
from nlhe_env.game.betting import amount_to_call, is_unraised, winnable_pot
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import CHECK_OR_CALL, FLOP, PREFLOP, RIVER, TURN, TableRecord
from nlhe_env.jit.array_types import F32, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

BY_STRENGTH, ANYTHING_BETWEEN, ONE_OF_BOTH = range(3)
"""Choice of a bet size between minimum and maximum: by p, uniformly random, or either end."""

NEVER = 2.0
"""Threshold above any equity."""

# Of Half-a-Pro.
_VALUE = 0.62
_TRAP_FROM, _TRAP_CHANCE = 0.8, 0.3
_BARRELS = (0.0, 0.6, 0.5, 0.35)
"""Probability, by street, of betting without a hand after having the initiative."""
_BARREL = 0.5
_FLOAT_FROM, _FLOAT_TO, _FLOAT_CHANCE = 0.35, 0.5, 0.3
_RIVER_CALL = 0.93

MOST_GAMBLER_HANDS = 1_000_000
"""Maximum number of hands of the Random Gambler between two styles."""
_STYLES = ("hothead-maniac", "calling-machine", "candid-statistician", "scared-limper")
"""The four styles of the Random Gambler by number; the first three are profiles."""
_N_STYLES = len(_STYLES)
_STYLE, _HANDS, _MIX = range(3)
_MODULUS = 65_521  # the largest prime below 2^16: products with a card stay exact in float32


@dataclass(frozen=True)
class Profile:
    """Profile of an opponent; p is its equity, and probabilities and equities are in 0..1."""

    bet_from: float = NEVER
    """Minimum p for betting when no player has bet."""
    preflop_bet_from: float = -1.0
    """``bet_from`` before the flop; negative for the post-flop value."""
    bet_chance: float = 1.0
    bet_least: float = 0.5
    """Minimum bet in pots."""
    bet_most: float = 0.5
    sizing: float = BY_STRENGTH
    preflop_size: float = 0.0
    """Size of all pre-flop bets in pots; 0 for the post-flop sizes."""
    bluff_below: float = 0.0
    """p below which it makes the minimum bet with probability ``bluff_chance``."""
    bluff_chance: float = 0.0
    limp_from: float = 0.0
    """Minimum p for calling the big blind."""
    raise_from: float = NEVER
    raise_chance: float = 1.0
    raise_least: float = 1.0
    raise_most: float = 1.0
    call_from: float = 0.0
    call_rise: float = 0.0
    """Added to ``call_from`` on every street after the first."""
    call_margin: float = -1.0
    """Minimum excess of p over the pot odds for a call; -1 to ignore pot odds."""
    call_raise_chance: float = 0.0
    """Probability of raising with a calling hand below ``raise_from``."""
    weak_raise_chance: float = 0.0
    """Probability of raising with a hand too weak to call."""
    cheap_call_threshold: float = 0.0
    """Maximum price, as a share of the pot, at which it calls with any hand."""

    def row(self) -> tuple[float, ...]:
        """The parameters in kernel order."""
        return astuple(self)


PROFILES = {
    "hothead-maniac": Profile(
        bet_from=0.0, bet_most=1.0, sizing=ONE_OF_BOTH, raise_from=0.0, raise_least=0.5
    ),
    "early-hothead-maniac": Profile(
        bet_from=0.0, bet_least=1.0, bet_most=1.0, raise_from=0.0, raise_least=2.0, raise_most=2.0
    ),
    "calling-machine": Profile(),
    "candid-statistician": Profile(
        bet_from=0.6,
        bet_least=0.25,
        bet_most=1.0,
        limp_from=0.4,
        raise_from=0.85,
        raise_least=0.25,
        call_from=0.4,
    ),
    "ashe-loose-aggressive": Profile(
        bet_from=0.35,
        bet_chance=0.8,
        bet_most=1.0,
        sizing=ANYTHING_BETWEEN,
        bluff_below=0.35,
        bluff_chance=0.35,
        limp_from=0.35,
        raise_from=0.55,
        raise_chance=0.7,
        call_from=0.4,
        call_raise_chance=0.25,
        weak_raise_chance=0.1,
        cheap_call_threshold=0.25,
    ),
    "ashe-loose-passive": Profile(bet_from=0.9, raise_from=0.95, call_from=0.35),
    "ashe-tight-passive": Profile(
        bet_from=0.92,
        limp_from=0.4,
        raise_from=0.95,
        raise_least=0.5,
        raise_most=0.5,
        call_from=0.62,
        call_rise=0.03,
    ),
    "ashe-tight-aggressive": Profile(
        bet_from=0.62,
        preflop_bet_from=0.52,
        bet_most=1.0,
        preflop_size=1.0,
        bluff_below=0.45,
        bluff_chance=0.2,
        limp_from=NEVER,
        raise_from=0.85,
        call_from=0.5,
        call_margin=0.15,
        weak_raise_chance=0.05,
    ),
}
"""Profiles of the opponents that share the rule; the last one bluffs only after the flop."""

(
    _BET_FROM,
    _PREFLOP_BET_FROM,
    _BET_CHANCE,
    _BET_LEAST,
    _BET_MOST,
    _SIZING,
    _PREFLOP_SIZE,
    _BLUFF_BELOW,
    _BLUFF_CHANCE,
    _LIMP_FROM,
    _RAISE_FROM,
    _RAISE_CHANCE,
    _RAISE_LEAST,
    _RAISE_MOST,
    _CALL_FROM,
    _CALL_RISE,
    _CALL_MARGIN,
    _CALL_RAISE_CHANCE,
    _WEAK_RAISE_CHANCE,
    _CHEAP,
) = range(20)


@kernel
def profile_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the actions of a profile, by its equity and the price of a call."""
    weights, table, choices = parameters.weights, view.table, view.choices
    p = equity_against_one(table, view.strength_tables)
    if is_unraised(table):
        _open(weights, view, p)
        return
    if p >= weights[_RAISE_FROM]:
        first = np.float64(weights[_BET_FROM])  # raises grow with p like bets
        low = np.float64(weights[_RAISE_LEAST])
        high = np.float64(weights[_RAISE_MOST])
        chance = np.float64(weights[_RAISE_CHANCE])
        _offer_between(view, low, high, first, p, weights[_SIZING], chance)
        offer(view, CHECK_OR_CALL, 1.0 - chance)
        return
    to_call = amount_to_call(table)
    pot = winnable_pot(table, table.actor)
    needed = np.float64(weights[_CALL_FROM]) + table.street * np.float64(weights[_CALL_RISE])
    if weights[_CALL_MARGIN] > -1.0:
        needed = max(needed, to_call / (pot + to_call) + np.float64(weights[_CALL_MARGIN]))
    is_worth_calling = p >= needed
    chance = np.float64(
        weights[_CALL_RAISE_CHANCE] if is_worth_calling else weights[_WEAK_RAISE_CHANCE]
    )
    rise = raise_by(table, np.float64(weights[_RAISE_MOST]), choices.least, choices.most)
    offer(view, rise, chance)
    calls = is_worth_calling or to_call <= np.float64(weights[_CHEAP]) * pot
    offer(view, CHECK_OR_CALL if calls else check_or_fold(table), 1.0 - chance)


@kernel
def _open(weights: F32, view: View, p: Float) -> None:
    """Offer the actions when there is no bet, or only the blinds."""
    table, choices = view.table, view.choices
    first = np.float64(weights[_BET_FROM])
    preflop = table.street == PREFLOP
    if preflop and weights[_PREFLOP_BET_FROM] >= 0.0:
        first = np.float64(weights[_PREFLOP_BET_FROM])
    low = np.float64(weights[_BET_LEAST])
    bets = 0.0
    if p >= first:
        bets = np.float64(weights[_BET_CHANCE])
        if preflop and weights[_PREFLOP_SIZE] > 0.0:
            size = np.float64(weights[_PREFLOP_SIZE])
            offer(view, raise_by(table, size, choices.least, choices.most), bets)
        else:
            high = np.float64(weights[_BET_MOST])
            _offer_between(view, low, high, first, p, weights[_SIZING], bets)
    # A player that never limps does not bluff pre-flop: it raises or folds by its cards.
    if (not preflop or weights[_LIMP_FROM] <= 1.0) and p < weights[_BLUFF_BELOW]:
        # A hand in the betting range that is not bet may still be bet as a bluff.
        bluffs = max(np.float64(weights[_BLUFF_CHANCE]) - bets, 0.0)
        offer(view, raise_by(table, low, choices.least, choices.most), bluffs)
        bets += bluffs
    folds = preflop and p < weights[_LIMP_FROM]
    offer(view, check_or_fold(table) if folds else CHECK_OR_CALL, 1.0 - bets)


@kernel
def _offer_between(
    view: View, low: Float, high: Float, first: Float, p: Float, sizing: Float, chance: Float
) -> None:
    """Offer a raise of a size between ``low`` and ``high`` pots."""
    table, choices = view.table, view.choices
    if sizing == ANYTHING_BETWEEN:
        offer_raises(view, low, high, chance)
    elif sizing == ONE_OF_BOTH:
        small = raise_by(table, low, choices.least, choices.most)
        large = raise_by(table, low + (high - low), choices.least, choices.most)
        offer_either(view, small, large, 0.5, chance)
    else:
        place = max(p - first, 0.0) / (1.0 - first) if first < 1.0 else 1.0
        size = low + place * (high - low)
        offer(view, raise_by(table, size, choices.least, choices.most), chance)


@kernel
def scared_limper_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Limp pre-flop, call with the current nuts, check or fold everything else."""
    table = view.table
    calls = is_unraised(table) or (table.street != PREFLOP and is_unbeatable(table))
    offer(view, CHECK_OR_CALL if calls else check_or_fold(table), 1.0)


@kernel
def is_unbeatable(table: TableRecord) -> Truth:
    """Whether no holding beats the actor's on the current board."""
    seat = table.actor
    board = board_set(table.cards[2 * table.seats : 2 * table.seats + 5], table.board_cards)
    hole_0, hole_1 = hole_cards(table, seat)
    own = board | card_bit(hole_0) | card_bit(hole_1)
    own_rank = rank_set(own)
    for high in range(1, N_CARDS):
        if own & card_bit(high):
            continue
        with_high = board | card_bit(high)
        for low in range(high):
            if own & card_bit(low) == 0 and rank_set(with_high | card_bit(low)) > own_rank:
                return False
    return True


PROFILE = register_kind(
    Kind(
        "ashe-opponent",
        profile_policy,
        wants="table",
        answers="amounts",
        n_weights=N_PARAMETERS,
        looks_up=True,
    )
)
SCARED_LIMPER = register_kind(
    Kind(
        "scared-limper",
        scared_limper_policy,
        wants="table",
        answers="amounts",
        n_weights=N_PARAMETERS,
    )
)


@kernel
def _half_a_pro_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the moves of Half-a-Pro, or else those of the tight-aggressive opponent.

    The player with more raises on the previous street has the initiative, because raise counts do
    not show the last raiser.
    """
    table, choices = view.table, view.choices
    seat, street = table.actor, table.street
    if street == PREFLOP:
        profile_policy(parameters, memory, view)
        return
    p = equity_against_one(table, view.strength_tables)
    in_position = seat == table.button
    own, _ = _raises(table, street, seat)
    if is_unraised(table):
        had, they_had = _raises(table, street - 1, seat)
        floated = street == TURN and in_position and table.calls[FLOP, seat] > 0 and they_had > had
        bluffs = 0.0
        if p < _VALUE:
            bluffs = 1.0 if floated else _BARRELS[street] if had > they_had else 0.0
        if bluffs > 0.0:
            offer(view, raise_by(table, _BARREL, choices.least, choices.most), bluffs)
            offer(view, CHECK_OR_CALL, 1.0 - bluffs)
            return
        if p >= _TRAP_FROM and not in_position:
            # Some strong hands are checked for a check-raise; the others bet the pot.
            offer(view, CHECK_OR_CALL, _TRAP_CHANCE)
            offer(view, raise_by(table, 1.0, choices.least, choices.most), 1.0 - _TRAP_CHANCE)
            return
    elif street == RIVER and own > 0:
        offer(view, CHECK_OR_CALL if p >= _RIVER_CALL else check_or_fold(table), 1.0)
        return
    elif p >= _TRAP_FROM and own == 0 and table.calls[street, seat] > 0:
        offer(view, raise_by(table, 1.0, choices.least, choices.most), 1.0)
        return
    elif street == FLOP and in_position and own == 0 and _FLOAT_FROM <= p < _FLOAT_TO:
        offer(view, CHECK_OR_CALL, _FLOAT_CHANCE)
        offer(view, check_or_fold(table), 1.0 - _FLOAT_CHANCE)
        return
    profile_policy(parameters, memory, view)


@kernel
def _raises(table: TableRecord, street: Int, seat: Int) -> tuple[Int, Int]:
    """Number of bets and raises on a street, by a seat and by all others."""
    total = np.int64(0)
    for other in range(table.seats):
        total += table.raises[street, other]
    own = np.int64(table.raises[street, seat])
    return own, total - own


HALF_A_PRO = register_kind(
    Kind(
        "half-a-pro",
        _half_a_pro_policy,
        wants="table",
        answers="amounts",
        n_weights=N_PARAMETERS,
        looks_up=True,
    )
)


_N_NUMBERS = len(PROFILES[_STYLES[0]].row())


def gambler_tables() -> F32:
    """``(3, 20)`` parameters of the profiles."""
    return np.array([PROFILES[name].row() for name in _STYLES[:-1]], np.float32)


@kernel
def _gambler_on_event(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: count hands and hash their cards; change the style when due.

    Event handlers have no random numbers. The gambler derives its choice from the hole cards that
    it has been dealt since the last change; the first time, from those of the first hand.
    """
    if event.what != HAND_BEGINS:
        return
    table, seat = view.table, view.seat
    mix = np.int64(memory[_MIX])
    for k in range(2):
        mix = (mix * 113 + np.int64(table.cards[2 * seat + k]) + 1) % _MODULUS
    memory[_MIX] = np.float32(mix)
    hands = np.int64(memory[_HANDS])
    if hands == 0:
        memory[_STYLE] = np.float32(mix % _N_STYLES)
    elif hands % np.int64(parameters.weights[0]) == 0:
        step = 1 + mix % (_N_STYLES - 1)
        memory[_STYLE] = np.float32((np.int64(memory[_STYLE]) + step) % _N_STYLES)
    memory[_HANDS] += np.float32(1.0)


@kernel
def _gambler_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the actions of the current style."""
    style = np.int64(memory[_STYLE])
    if style == _N_STYLES - 1:
        scared_limper_policy(parameters, memory, view)
        return
    first = N_PARAMETERS + style * _N_NUMBERS
    numbers = parameters.weights[first : first + _N_NUMBERS]
    profile_policy(Parameters(parameters.traits, numbers), memory, view)


def _check_gambler(player: CompiledPlayer) -> None:
    whole_weight(player.weights, 0, MOST_GAMBLER_HANDS, 1)


RANDOM_GAMBLER = register_kind(
    Kind(
        "random-gambler",
        _gambler_policy,
        wants="table",
        answers="amounts",
        on_event=_gambler_on_event,
        memory=3,
        n_weights=N_PARAMETERS + (_N_STYLES - 1) * _N_NUMBERS,
        looks_up=True,
        checks_player=_check_gambler,
    )
)
