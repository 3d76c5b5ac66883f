"""Probability triples: fold, call and raise probabilities of a holding (Billings 2006, 2.5.2.5).

A player's overall action frequencies are distributed over its holdings: if it folds 30% and raises
20% of its hands, these are mostly the weakest 30% and the strongest 20%.
"""

from __future__ import annotations

from nlhe_env.game.betting import CALLS, FOLDS, RAISES
from nlhe_env.jit.array_types import F64, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

_HALF_RAMP = 0.1
"""Half-width of the ramp around a threshold, as a share of holdings."""
_REGARDLESS = 0.1
"""Share of decisions that do not depend on hand strength: bluffs, traps, errors."""


@kernel
def write_triple(place: Float, folds: Float, raises: Float, triple: F64) -> None:
    """Write the triple of a holding at a percentile of its player's range.

    Its average over all percentiles gives back ``folds`` and ``raises``.

    Args:
        place: Percentile: the share of weaker holdings in the player's range, 0..1.
        folds: Fold frequency of the player here, 0..1.
        raises: Raise frequency of the player, 0..1.
        triple: ``(3,)`` float64, written: fold, call and raise probabilities.
    """
    fold = _above(folds - place, min(_HALF_RAMP, folds, 1.0 - folds))
    rise = _above(place - (1.0 - raises), min(_HALF_RAMP, raises, 1.0 - raises))
    fold = (1.0 - _REGARDLESS) * fold + _REGARDLESS * folds
    rise = (1.0 - _REGARDLESS) * rise + _REGARDLESS * raises
    # Ramps can overlap if a player hardly ever calls.
    total = max(fold + rise, 1.0)
    triple[FOLDS] = fold / total
    triple[RAISES] = rise / total
    triple[CALLS] = max(1.0 - triple[FOLDS] - triple[RAISES], 0.0)


@kernel
def _above(x: Float, half: Float) -> Float:
    """Linear ramp from 0 at ``-half`` to 1 at ``half``."""
    if half <= 0.0:
        return 1.0 if x > 0.0 else 0.0
    return min(max(0.5 + 0.5 * x / half, 0.0), 1.0)


@kernel
def forbid(triple: F64, to_call: Int, can_raise: Truth) -> None:
    """Move the probability of illegal raises, and of folds when checking is free, to calls."""
    if to_call == 0:
        triple[CALLS] += triple[FOLDS]
        triple[FOLDS] = 0.0
    if not can_raise:
        triple[CALLS] += triple[RAISES]
        triple[RAISES] = 0.0


@kernel
def place_after(
    place: Float, folds: Float, raises: Float, action_kind: Int, to_call: Int, can_raise: Int
) -> Float:
    """Percentile of a holding after an action, within the range that took the same action.

    Frequencies are shares of the range at each action: a player that has bet has a stronger range
    than before, and still folds some of it to a raise. The result is the share of weaker holdings
    among all that take this action under ``write_triple``, ignoring overlapping ramps.

    Args:
        place: Percentile: the share of weaker holdings in the player's range, 0..1.
        folds: Fold frequency of the player at the action, 0..1.
        raises: Raise frequency of the player, 0..1.
        action_kind: The action kind, ``CALLS`` or ``RAISES``.
        to_call: Chips to call; no hand folds when this is 0.
        can_raise: Whether a raise was possible.
    """
    half = min(_HALF_RAMP, raises, 1.0 - raises)
    risen = (1.0 - _REGARDLESS) * _area_above(place - (1.0 - raises), half)
    risen += _REGARDLESS * raises * place
    if action_kind == RAISES:
        return min(max(risen / raises, 0.0), 1.0) if raises > 0.0 else place
    all_: Float
    weaker, all_ = place, 1.0
    if can_raise:
        weaker -= risen
        all_ -= raises
    if to_call > 0:
        stayed = _area_above(folds - place, min(_HALF_RAMP, folds, 1.0 - folds))
        weaker -= (1.0 - _REGARDLESS) * (folds - stayed) + _REGARDLESS * folds * place
        all_ -= folds
    return min(max(weaker / all_, 0.0), 1.0) if all_ > 0.0 else place


@kernel
def _area_above(x: Float, half: Float) -> Float:
    """Integral of ``_above`` up to ``x``."""
    if x >= half:
        return x
    return (x + half) * (x + half) / (4.0 * half) if x > -half else 0.0


@kernel
def draw_from(triple: F64, u: Float) -> Int:
    """Action selected by ``u`` in [0, 1): ``FOLDS``, ``CALLS`` or ``RAISES``."""
    if u < triple[FOLDS]:
        return FOLDS
    return RAISES if u >= 1.0 - triple[RAISES] else CALLS
