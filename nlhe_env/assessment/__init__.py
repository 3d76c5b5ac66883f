"""Assessment of hands and results: potential, odds, income rates, board texture, estimators."""

from __future__ import annotations

from nlhe_env.assessment.estimators.all_in import all_in_ev
from nlhe_env.assessment.estimators.divat_baseline import Baseline
from nlhe_env.assessment.estimators.hand_divat import HandDivat, StreetDivat, hand_divat
from nlhe_env.assessment.hand_potential import Potential, hand_strength, potential
from nlhe_env.assessment.income_rates import (
    IncomeRates,
    class_names,
    income_rates,
    iterated_income_rates,
)
from nlhe_env.assessment.odds import (
    higher_pair_counts,
    higher_pair_probability,
    implied_odds,
    net_equity,
    optimal_bluff_ratio,
    pot_odds,
    required_fold_equity,
    showdown_odds,
)
from nlhe_env.assessment.texture import (
    BoardTexture,
    board_clusters,
    board_features,
    board_texture,
    draw_probability,
)

__all__ = [
    "Baseline",
    "BoardTexture",
    "HandDivat",
    "IncomeRates",
    "Potential",
    "StreetDivat",
    "all_in_ev",
    "board_clusters",
    "board_features",
    "board_texture",
    "class_names",
    "draw_probability",
    "hand_divat",
    "hand_strength",
    "higher_pair_counts",
    "higher_pair_probability",
    "implied_odds",
    "income_rates",
    "iterated_income_rates",
    "net_equity",
    "optimal_bluff_ratio",
    "pot_odds",
    "potential",
    "required_fold_equity",
    "showdown_odds",
]
