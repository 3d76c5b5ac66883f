"""The pot-odds player: a simple formula with the networks' inputs and actions.

It uses three of the 35 inputs (win chance, call and pot) and the number of opponents:

- e, the win chance; c = call / (call + pot), the pot odds; f = 1 / (opponents + 1), the fair share.
- It raises when ``e >= max(f, c) + margin * (1 - max(f, c))``: small in the lowest third of the
  interval from there to 1, large in the highest.
- Else it calls when ``e >= c + all_in_margin * (1 - c)``, checks when that is free, and folds
  otherwise.
"""

from __future__ import annotations

import numpy as np

from agents.players.topographies import cost
from agents.policy.kinds import Kind, register_kind
from agents.policy.view import Parameters, View, offer_legal
from nlhe_env.jit.array_types import F32, Int
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import FIRST_RAISE_ID
from nlhe_env.spaces.features import FEATURES

PARAMETERS = ("margin", "all_in_margin")

_FIRST_INPUT = {feature.name: feature.start for feature in FEATURES}
_OPPONENTS = _FIRST_INPUT["opponents"]
_WIN_CHANCE = _FIRST_INPUT["win_chance"]
_ROUNDING = 1e-6
"""Tolerance for float32 inputs, raw or scaled."""


@kernel
def pot_odds_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action of the formula."""
    wish = wished_action(parameters.weights, view.inputs)
    if wish > FIRST_RAISE_ID and not view.choices.mask[wish]:
        wish = np.int64(FIRST_RAISE_ID)  # the only raise in fixed-limit
    offer_legal(view, wish, 1.0)


@kernel
def wished_action(parameters: F32, inputs: F32) -> Int:
    """Action id for ``(35,)`` inputs, raw or scaled; it may be illegal."""
    opponents = np.float64(inputs[_OPPONENTS])
    if opponents < 0.95:  # scaled inputs count tenths of opponents
        opponents *= 10.0
    fair = 1.0 / (max(opponents, 1.0) + 1.0)
    price = cost(inputs)
    chance = np.float64(inputs[_WIN_CHANCE]) + _ROUNDING
    needed = max(fair, price)
    needed += np.float64(parameters[0]) * (1.0 - needed)
    if chance >= needed:
        share = 3.0 * (chance - needed) / (1.0 - needed) if needed < 1.0 else 2.0
        third: Int = np.int64(share)
        return 2 + min(third, 2)
    if price == 0.0 or chance >= price + np.float64(parameters[1]) * (1.0 - price):
        return 1
    return 0


POT_ODDS = register_kind(
    Kind(
        "pot-odds",
        pot_odds_policy,
        wants="inputs",
        n_weights=2,
        looks_up=True,
    )
)
