"""Factories of rule players for no-limit, with their parameters.

They choose exact raise sizes, in fractions of the pot or all-in. Each kind is described in its
module: ``styles``, ``formula``, ``push_or_fold``, ``ashe_opponents``, ``aggression``;
``pot_odds`` uses the networks' inputs and actions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace

import numpy as np

from agents.players.rules import (
    aggression,
    ashe_opponents,
    formula,
    opponent_frequency,
    pot_odds,
    push_or_fold,
    styles,
)
from agents.players.rules.ashe_opponents import PROFILES
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind
from agents.policy.spots import N_PARAMETERS, percentiles
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F32

_SHARE = (0.0, 1.0)
_SIZE = (0.05, 20.0)
_OR_NEVER = (0.0, ashe_opponents.NEVER)


class RulePlayer(CompiledPlayer):
    """A player that follows a rule.

    ``act`` needs ``observation="cards"``, and ``actions="chips"`` to play exactly as in compiled
    games. With ``"sized"`` actions it picks the nearest size.

    Args:
        name: Name for tables and plots.
        kind: Kind of the rule.
        parameters: Parameters of the rule by name, in kernel order.
        tables: Lookup tables of the rule.
    """

    def __init__(
        self, name: str, kind: Kind, parameters: Mapping[str, float], tables: tuple[F32, ...] = ()
    ) -> None:
        row = np.zeros(N_PARAMETERS, np.float32)
        row[: len(parameters)] = list(parameters.values())
        super().__init__(name, kind, np.concatenate([row, *(table.ravel() for table in tables)]))
        self.parameters = dict(parameters)
        """The numbers of the rule by name."""


# --- factories: the arguments are the options of ``agents.make`` ---------------------------------


def _style(
    name: str, usual_threshold: float, usual_raise_threshold: float
) -> Callable[..., RulePlayer]:
    """Factory of a style with its usual thresholds."""

    def make(
        threshold: float = usual_threshold,
        raise_threshold: float = usual_raise_threshold,
        size: float = 0.75,
        all_in_margin: float = 0.5,
    ) -> RulePlayer:
        values = (threshold, raise_threshold, size, all_in_margin)
        ranges = (_SHARE, _SHARE, _SIZE, _SHARE)
        numbers = _checked(styles.PARAMETERS, values, ranges)
        if threshold > raise_threshold:
            raise ValueError(
                f"threshold must be at most raise_threshold, {raise_threshold}; got {threshold}"
            )
        return RulePlayer(name, styles.STYLE, numbers, (percentiles(),))

    return make


tight_passive = _style("tight-passive", 0.8, 0.95)
"""Plays the best fifth of its hands, and calls with most of them."""
tight_aggressive = _style("tight-aggressive", 0.8, 0.85)
"""Plays the best fifth of its hands, and raises with most of them."""
loose_passive = _style("loose-passive", 0.2, 0.8)
"""Plays four out of five hands, and calls with most of them."""
loose_aggressive = _style("loose-aggressive", 0.2, 0.4)
"""Plays four out of five hands, and raises with most of them."""


def pot_odds_player(margin: float = 0.2, all_in_margin: float = 0.0) -> CompiledPlayer:
    """Calls with a win chance above the pot odds, raises with one well above its fair share."""
    numbers = _checked(pot_odds.PARAMETERS, (margin, all_in_margin), (_SHARE, _SHARE))
    row = np.array(list(numbers.values()), np.float32)
    return CompiledPlayer("pot-odds", pot_odds.POT_ODDS, row)


def formula_player(
    bet_threshold: float = 0.5,
    raise_threshold: float = 0.65,
    reraise_threshold: float = 0.85,
    ramp: float = 0.1,
    size: float = 0.75,
    semi_bluff: float = 0.5,
    bluff: float = 1.0,
) -> RulePlayer:
    """Bets by effective hand strength, calls by pot odds, bluffs at the game-theoretic rate."""
    numbers = _checked(
        formula.PARAMETERS,
        (bet_threshold, raise_threshold, reraise_threshold, ramp, size, semi_bluff, bluff),
        (_SHARE, _SHARE, _SHARE, _SHARE, _SIZE, _SHARE, (0.0, 4.0)),
    )
    return RulePlayer("formula", formula.FORMULA, numbers, (percentiles(),))


def push_or_fold_player(
    below: float = 12.0,
    opponent_share: float = 0.8,
    threshold: float = 0.8,
    raise_threshold: float = 0.85,
    size: float = 0.75,
    all_in_margin: float = 0.5,
) -> RulePlayer:
    """Folds or goes all-in when short, by the heads-up equilibrium; else tight-aggressive."""
    numbers = _checked(
        push_or_fold.PARAMETERS,
        (threshold, raise_threshold, size, all_in_margin, below, opponent_share),
        (_SHARE, _SHARE, _SIZE, _SHARE, (0.0, float(push_or_fold.MOST_BIG_BLINDS)), (0.0, 4.0)),
    )
    tables = (percentiles(), push_or_fold.load_rows())
    return RulePlayer("push-or-fold", push_or_fold.PUSH_OR_FOLD, numbers, tables)


def opponent_frequency_player(
    size: float = 0.75, trust: float = 1.0, ramp: float = 0.25
) -> RulePlayer:
    """Counts opponents' actions, bluffs those who fold and value-bets thinly against callers."""
    numbers = _checked(
        opponent_frequency.PARAMETERS, (size, trust, ramp), (_SIZE, _SHARE, (0.0, 4.0))
    )
    return RulePlayer("opponent-frequency", opponent_frequency.OPPONENT_FREQUENCY, numbers)


def scared_limper() -> RulePlayer:
    """Limps, then calls with the nuts only."""
    return RulePlayer("scared-limper", ashe_opponents.SCARED_LIMPER, {})


def early_statistician(power: int = 7) -> RulePlayer:
    """Puts in a share of its stack equal to this power of its equity."""
    return _by_aggression("early-candid-statistician", power, limps=0)


def early_limper(power: int = 50) -> RulePlayer:
    """Limps, then puts in a share of its stack that is near 0 except with the best hands."""
    return _by_aggression("early-scared-limper", power, limps=1)


def _by_aggression(name: str, power: int, limps: int) -> RulePlayer:
    whole_number("power", power, least=1, most=aggression.MOST_POWER)
    numbers = dict(zip(aggression.PARAMETERS, (power, limps), strict=True))
    return RulePlayer(name, aggression.AGGRESSION, numbers)


def random_gambler_player(every: int = 50) -> RulePlayer:
    """Switches between four styles every few dozen hands."""
    whole_number("every", every, least=1, most=ashe_opponents.MOST_GAMBLER_HANDS)
    tables = (ashe_opponents.gambler_tables(),)
    return RulePlayer("random-gambler", ashe_opponents.RANDOM_GAMBLER, {"every": every}, tables)


def half_a_pro_player() -> RulePlayer:
    """Tight-aggressive with floats, check-raises and bluffs on several streets."""
    numbers = profile_options("ashe-tight-aggressive")
    return RulePlayer("half-a-pro", ashe_opponents.HALF_A_PRO, numbers)


def profile_options(profile: str) -> dict[str, float]:
    """Options of ``profile_player`` with a profile's values."""
    return asdict(PROFILES[profile])


def profile_player(profile: str, **options: float) -> RulePlayer:
    """One of ASHE's profile opponents, optionally with other parameters.

    Args:
        profile: A key of ``ashe_opponents.PROFILES``.
        **options: Fields of ``ashe_opponents.Profile``.
    """
    changed = replace(PROFILES[profile], **options)
    if changed.sizing not in (0, 1, 2):
        raise ValueError(f"sizing must be 0, 1 or 2; got {changed.sizing!r}")
    ranges = {
        "preflop_bet_from": (-1.0, ashe_opponents.NEVER),
        "call_margin": (-1.0, 1.0),
        "bet_least": _SIZE,
        "bet_most": _SIZE,
        "raise_least": _SIZE,
        "raise_most": _SIZE,
        "preflop_size": (0.0, 20.0),
        "cheap_call_threshold": (0.0, 20.0),
        **dict.fromkeys((key for key in asdict(changed) if key.endswith("_chance")), _SHARE),
    }
    values = asdict(changed)
    numbers = _checked(
        tuple(values),
        tuple(values.values()),
        tuple(ranges.get(key, _OR_NEVER) for key in values),
    )
    return RulePlayer(profile, ashe_opponents.PROFILE, numbers)


def _checked(
    names: tuple[str, ...], values: tuple[float, ...], ranges: tuple[tuple[float, float], ...]
) -> dict[str, float]:
    """Validated parameters by name."""
    for name, value, (least, most) in zip(names, values, ranges, strict=True):
        if not (math.isfinite(value) and least <= value <= most):
            raise ValueError(f"{name} must be in {least:g} .. {most:g}; got {value!r}")
    return dict(zip(names, values, strict=True))
