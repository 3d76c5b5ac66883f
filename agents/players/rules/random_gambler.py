"""The Random Gambler, which switches between four styles.

Source: Li (PhD thesis, University of Texas at Austin, 2018), section 5.3.2: every 50 hands it plays
as another of Hothead Maniac, Calling Machine, Scared Limper and Candid Statistician, never the same
twice in a row, as in table 5-7.

Event handlers have no random numbers. The gambler derives its choice from the hole cards that it
has been dealt since the last change; the first time, from those of the first hand.
"""

from __future__ import annotations

import numpy as np

from agents.players.rules.ashe_opponents import PROFILES, profile_policy, scared_limper_policy
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import HAND_BEGINS, EventRecord
from agents.policy.kinds import Kind, register_kind, whole_weight
from agents.policy.spots import N_PARAMETERS
from agents.policy.view import Parameters, View
from nlhe_env.jit.array_types import F32
from nlhe_env.jit.compilation import kernel

PARAMETERS = ("every",)
MOST_HANDS = 1_000_000
"""Maximum number of hands between two styles."""
"""Number of hands per style."""
STYLES = ("hothead-maniac", "calling-machine", "candid-statistician", "scared-limper")
"""The four styles by number; the first three are profiles."""
_N_STYLES = len(STYLES)
_N_NUMBERS = len(PROFILES[STYLES[0]].row())
_STYLE, _HANDS, _MIX = range(3)
_MODULUS = 65_521  # the largest prime below 2^16: products with a card stay exact in float32


def style_tables() -> F32:
    """``(3, 20)`` parameters of the profiles."""
    return np.array([PROFILES[name].row() for name in STYLES[:-1]], np.float32)


@kernel
def gambler_on_event(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> None:
    """Event handler: count hands and hash their cards; change the style when due."""
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
def gambler_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the actions of the current style."""
    style = np.int64(memory[_STYLE])
    if style == _N_STYLES - 1:
        scared_limper_policy(parameters, memory, view)
        return
    first = N_PARAMETERS + style * _N_NUMBERS
    numbers = parameters.weights[first : first + _N_NUMBERS]
    profile_policy(Parameters(parameters.traits, numbers), memory, view)


def _check_player(player: CompiledPlayer) -> None:
    whole_weight(player.weights, 0, MOST_HANDS, 1)


RANDOM_GAMBLER = register_kind(
    Kind(
        "random-gambler",
        gambler_policy,
        wants="table",
        answers="amounts",
        on_event=gambler_on_event,
        memory=3,
        n_weights=N_PARAMETERS + (_N_STYLES - 1) * _N_NUMBERS,
        looks_up=True,
        checks_player=_check_player,
    )
)
