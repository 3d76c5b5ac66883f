"""The formula player: effective hand strength against thresholds and pot odds.

After Billings, *Algorithms and Assessment in Computer Poker* (PhD thesis, University of Alberta,
2006), chapter 2: hand strength and potential, the betting rule and game-theoretic bluffs of the
Alberta programs Loki and Poki. The thesis omits the numbers; they are ours, as is the extension to
no-limit, where the price of a call is compared with the pot.
"""

from __future__ import annotations

import numpy as np

from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import AFTER_PERCENTILES, check_or_fold, opponents, percentile, raise_by
from agents.policy.view import Parameters, View, offer, offer_either
from nlhe_env.assessment.potential_kernels import SCRATCH, potential
from nlhe_env.game.betting import amount_to_call, winnable_pot
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import CHECK_OR_CALL, PREFLOP, RIVER, TableRecord
from nlhe_env.jit.array_types import F32, Float
from nlhe_env.jit.compilation import kernel

PARAMETERS = (
    "bet_threshold",
    "raise_threshold",
    "reraise_threshold",
    "ramp",
    "size",
    "semi_bluff",
    "bluff",
)
"""EHS at which it bets, raises and re-raises half of the time; width of the ramp around each; raise
size in pots; semi-bluff probability; share of the game-theoretic river bluffs."""

_SCRATCH = SCRATCH.itemsize // np.dtype(np.float32).itemsize


@kernel
def assess(table: TableRecord, weights: F32, scratch: F32) -> tuple[Float, Float]:
    """Strength against all opponents, and probability of drawing ahead with the next card.

    Before the flop, HS is the share of weaker holdings, and potential is 0.
    """
    n = opponents(table)
    if table.street == PREFLOP:
        return percentile(table, weights) ** n, 0.0
    hole_0, hole_1 = hole_cards(table, table.actor)
    look_ahead = 0 if table.street == RIVER else 1
    strength, positive, _ = potential(
        hole_0,
        hole_1,
        table.cards[2 * table.seats : 2 * table.seats + 5],
        table.board_cards,
        look_ahead,
        None,
        scratch[:_SCRATCH].view(SCRATCH)[0],
    )
    return strength**n, positive


@kernel
def formula_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Bet or raise with a probability that rises with EHS; else call, bluff, check or fold."""
    weights, table, choices = parameters.weights, view.table, view.choices
    to_call = amount_to_call(table)
    strength, positive = assess(table, weights, view.scratch)
    effective = strength + (1.0 - strength) * positive
    size = np.float64(weights[4])
    rise = raise_by(table, size, choices.least, choices.most)

    raises = table.bets - np.int64(table.street == PREFLOP)
    threshold = np.float64(weights[min(raises, 2)])
    chance = _ramp(effective - threshold, np.float64(weights[3]))
    offer(view, rise, chance)
    remaining = 1.0 - chance
    if to_call > 0:
        pot = winnable_pot(table, table.actor)
        # With uniform strengths, a bet of b into p makes b / (p + b) of the hands fold (Billings
        # 2006, 5.3.3); a draw needs the direct odds.
        pays = effective * pot >= to_call or positive * (pot + to_call) >= to_call
        offer(view, CHECK_OR_CALL if pays else check_or_fold(table), remaining)
        return
    bluffs = size / (1.0 + 2.0 * size)  # share of bluffs among bets
    share = 0.0
    if table.street == RIVER:
        # The weakest hands bluff, as many as this share of bets requires.
        weakest = (1.0 - threshold) * bluffs / (1.0 - bluffs) * np.float64(weights[6])
        if opponents(table) == 1 and strength < weakest:
            share = 1.0
    elif positive >= bluffs:
        share = np.float64(weights[5])
    offer_either(view, rise, CHECK_OR_CALL, share, remaining)


@kernel
def _ramp(x: Float, width: Float) -> Float:
    """Linear ramp from 0 to 1 over ``width`` around 0."""
    if width <= 0.0:
        return 1.0 if x >= 0.0 else 0.0
    return min(max(x / width + 0.5, 0.0), 1.0)


FORMULA = register_kind(
    Kind(
        "formula",
        formula_policy,
        wants="table",
        answers="amounts",
        n_weights=AFTER_PERCENTILES,
        scratch=_SCRATCH,
    )
)
