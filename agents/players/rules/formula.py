"""The formula player: effective hand strength against thresholds and pot odds.

After Billings, *Algorithms and Assessment in Computer Poker* (PhD thesis, University of Alberta,
2006), chapter 2: hand strength and potential, the betting rule and game-theoretic bluffs of the
Alberta programs Loki and Poki. The thesis leaves the numbers out; they are ours, as is the step to
no-limit: what must be called is compared with the pot, whatever the bet.
"""

from __future__ import annotations

import numpy as np

from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import AFTER_PERCENTILES, check_or_fold, opponents, percentile, raise_by
from agents.policy.view import Parameters, View, offer, offer_either
from nlhe_env.assessment.potential_kernels import SCRATCH, potential
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import CHECK_OR_CALL, PREFLOP, RIVER, TableRecord
from nlhe_env.jit.array_types import F32, Float
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.features import winnable_pot

PARAMETERS = (
    "bet_threshold",
    "raise_threshold",
    "reraise_threshold",
    "ramp",
    "size",
    "semi_bluff",
    "bluff",
)
"""EHS that bets, raises, re-raises half of the time; width of the ramp around each; raises in
pots; chance to semi-bluff; how much of the game-theoretic share of river bluffs it makes."""

_SCRATCH = SCRATCH.itemsize // np.dtype(np.float32).itemsize


@kernel
def assess(table: TableRecord, weights: F32, scratch: F32) -> tuple[Float, Float]:
    """Strength against all opponents, and the chance to come from behind with the next card.

    Before the flop the share of weaker holdings stands for HS, without potential.
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
    """Bets and raises with a chance that rises with the hand; else calls, bluffs or gives up."""
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
        # Where strengths are spread evenly, a bet of b into p folds b / (p + b) of the hands
        # (Billings 2006, 5.3.3); a draw needs the direct odds.
        pays = effective * pot >= to_call or positive * (pot + to_call) >= to_call
        offer(view, CHECK_OR_CALL if pays else check_or_fold(table), remaining)
        return
    bluffs = size / (1.0 + 2.0 * size)  # their share of all bets
    share = 0.0
    if table.street == RIVER:
        # The weakest hands, so many that of the bets this share are bluffs.
        weakest = (1.0 - threshold) * bluffs / (1.0 - bluffs) * np.float64(weights[6])
        if opponents(table) == 1 and strength < weakest:
            share = 1.0
    elif positive >= bluffs:
        share = np.float64(weights[5])
    offer_either(view, rise, CHECK_OR_CALL, share, remaining)


@kernel
def _ramp(x: Float, width: Float) -> Float:
    """A chance that rises from 0 to 1 over ``width`` around 0."""
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
