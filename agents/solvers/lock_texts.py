"""Locked decisions as text: which hands take which actions after which steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from agents.solvers.exploitation import lock_decisions
from agents.solvers.public_game import PublicGame
from agents.solvers.regret_minimisation import Locked
from agents.solvers.solution import Solution
from agents.solvers.subgames import Subgame
from nlhe_env.arguments import one_of
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.jit.array_types import F64, I64

_FORM = "STEP, STEP: HANDS = ACTION 70%, ACTION 30%"
_LOCK = re.compile(r"([^:=]*):([^=]+)=([^=]+)")
_PART = re.compile(r"(.+?)(?:\s+([0-9.]+)\s*%)?")
_PERCENT = 100.0


def read_locks(spot: Subgame, game: PublicGame, texts: Iterable[str]) -> Locked:
    """Locked decisions from text, for ``Solver`` and ``solve``.

    Other hands of these decisions stay free. Later texts override earlier ones.

    Args:
        spot: The subgame.
        game: Its game.
        texts: Such as ``"check, bet 50: 22-66 = fold"``, ``": AA = check"`` for the first decision,
            or ``"check: KQ = bet 50 40%, check 60%"``.

    Raises:
        ValueError: A text has another form, or names a step, hand or action that does not exist.
    """
    uniform = Solution(game, game.uniform(), 0)
    given: dict[Sequence[str | int], F64] = {}
    for text in texts:
        parts = _LOCK.fullmatch(text)
        if parts is None:
            raise ValueError(f'a lock must look like "{_FORM}"; got {text!r}')
        steps = tuple(step for part in parts[1].split(",") if (step := part.strip()))
        decision = uniform.at(*steps)
        hands = spot.hands(decision.player)
        held = np.isin(_codes(hands), _codes(Range.parse(parts[2].strip()).combos))
        if not held.any():
            raise ValueError(
                f"player {decision.player}, who decides after {steps}, has none of the hands "
                f"{parts[2].strip()!r} in its range"
            )
        chances = given.setdefault(steps, np.full((len(decision.actions), len(hands)), np.nan))
        chances[:, held] = _shares(parts[3], decision.actions)[:, np.newaxis]
    return lock_decisions(game, given)


def _codes(combos: I64) -> I64:
    """``(n,)`` a number for each pair of cards, in any order."""
    low, high = np.sort(np.asarray(combos, np.int64), axis=1).T
    return 52 * high + low


def _shares(text: str, actions: tuple[str, ...]) -> F64:
    """``(actions,)`` probabilities from text such as ``"bet 50 40%, check 60%"``."""
    shares = np.zeros(len(actions))
    for part in text.split(","):
        found = _PART.fullmatch(part.strip())
        if found is None:
            raise ValueError(f'a lock must look like "{_FORM}"; got the actions {text.strip()!r}')
        action = one_of("an action of a lock", found[1], actions)
        shares[actions.index(action)] = _PERCENT if found[2] is None else float(found[2])
    if abs(shares.sum() - _PERCENT) > 1e-6:
        raise ValueError(
            f"the actions of a lock must sum to 100%; got {shares.sum():g}% in {text.strip()!r}"
        )
    return shares / _PERCENT
