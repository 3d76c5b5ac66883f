"""How good a hand is now and later: potential, odds, income rates, board texture, results."""

from __future__ import annotations

from nlhe_env.assessment.hand_potential import Potential, hand_strength, potential
from nlhe_env.assessment.income_rates import (
    IncomeRates,
    class_names,
    income_rates,
    iterated_income_rates,
)
from nlhe_env.assessment.luck.all_in import all_in_nets
from nlhe_env.assessment.luck.baseline import Baseline
from nlhe_env.assessment.luck.hand_luck import HandLuck, StreetLuck, hand_luck
from nlhe_env.assessment.odds import (
    bluff_share,
    fold_share,
    implied_odds,
    net_equity,
    pot_odds,
    showdown_odds,
)
from nlhe_env.assessment.pair_odds import higher_pair_chance, higher_pair_counts
from nlhe_env.assessment.texture import (
    BoardTexture,
    board_clusters,
    board_features,
    board_texture,
    draw_chance,
)

__all__ = [
    "Baseline",
    "BoardTexture",
    "HandLuck",
    "IncomeRates",
    "Potential",
    "StreetLuck",
    "all_in_nets",
    "bluff_share",
    "board_clusters",
    "board_features",
    "board_texture",
    "class_names",
    "draw_chance",
    "fold_share",
    "hand_luck",
    "hand_strength",
    "higher_pair_chance",
    "higher_pair_counts",
    "implied_odds",
    "income_rates",
    "iterated_income_rates",
    "net_equity",
    "pot_odds",
    "potential",
    "showdown_odds",
]
