"""Probability triples: chances of a holding to fold, call and raise (Billings 2006, 2.5.2.5).

What a player does on the whole becomes what it does with each of its holdings: if it folds three
hands of ten and raises two, these are mostly its weakest three and its strongest two.
"""

from __future__ import annotations

from nlhe_env.game.action_kinds import CALLS, FOLDS, RAISES
from nlhe_env.jit.array_types import F64, Float, Int, Truth
from nlhe_env.jit.compilation import kernel

_HALF_RAMP = 0.1
"""Half width of the ramp around a threshold, in shares of holdings."""
_REGARDLESS = 0.1
"""Share of decisions that do not follow the strength of the hand: bluffs, traps, slips."""


@kernel
def write_triple(place: Float, folds: Float, raises: Float, triple: F64) -> None:
    """Write the triple of the holding at a place among the player's, by its action frequencies.

    Averaged over all places it is again ``folds`` and ``raises``.

    Args:
        place: The share of the player's holdings that are weaker, 0..1.
        folds: How often the player folds here, 0..1.
        raises: How often it raises.
        triple: ``(3,)`` float64, written: chances to fold, call and raise.
    """
    fold = _above(folds - place, min(_HALF_RAMP, folds, 1.0 - folds))
    rise = _above(place - (1.0 - raises), min(_HALF_RAMP, raises, 1.0 - raises))
    fold = (1.0 - _REGARDLESS) * fold + _REGARDLESS * folds
    rise = (1.0 - _REGARDLESS) * rise + _REGARDLESS * raises
    # Ramps can overlap where a player hardly ever calls.
    total = max(fold + rise, 1.0)
    triple[FOLDS] = fold / total
    triple[RAISES] = rise / total
    triple[CALLS] = max(1.0 - triple[FOLDS] - triple[RAISES], 0.0)


@kernel
def _above(x: Float, half: Float) -> Float:
    """A chance that rises from 0 to 1 while ``x`` goes from minus to plus ``half``."""
    if half <= 0.0:
        return 1.0 if x > 0.0 else 0.0
    return min(max(0.5 + 0.5 * x / half, 0.0), 1.0)


@kernel
def forbid(triple: F64, to_call: Int, can_raise: Truth) -> None:
    """Move the chance of what is not possible: folds when checking is free, raises, to calls."""
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
    """Place of a holding among those that took the same action, for its place before.

    A player that has bet holds better hands than before, and still folds some of them to a raise:
    habits are shares of what a player holds when it acts. This is how many of the weaker holdings
    do the same beside how many do at all, as ``write_triple`` has it, but for ramps that overlap.

    Args:
        place: The share of the player's holdings that are weaker, 0..1.
        folds: How often the player folds where it acted, 0..1.
        raises: How often it raises.
        action_kind: Its action, ``CALLS`` or ``RAISES``.
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
    """The integral of ``_above`` up to ``x``."""
    if x >= half:
        return x
    return (x + half) * (x + half) / (4.0 * half) if x > -half else 0.0


@kernel
def draw_from(triple: F64, u: Float) -> Int:
    """The action that a number in [0, 1) picks: ``FOLDS``, ``CALLS`` or ``RAISES``."""
    if u < triple[FOLDS]:
        return FOLDS
    return RAISES if u >= 1.0 - triple[RAISES] else CALLS
