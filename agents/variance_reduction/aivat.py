"""AIVAT in matches: its settings, checks and estimator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from agents.policy.dispatch import DECISION_HOOK
from agents.policy.player_batch import PlayerBatch
from agents.variance_reduction.aivat_recorder import record_decision
from agents.variance_reduction.value_functions import EQUITY, ValueFunction, as_value_function
from nlhe_env.arguments import whole_number
from nlhe_env.assessment.estimators.aivat import estimate_aivat
from nlhe_env.assessment.estimators.aivat_terms import AIVAT, MOST_HANDS
from nlhe_env.assessment.estimators.estimator import ESTIMATOR, Estimator
from nlhe_env.cards import N_CARDS
from nlhe_env.equity import load_tables
from nlhe_env.equity.all_in.shares import COUNTER, new_counter
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.game.table import MAX_SEATS, NO_PLAYER
from nlhe_env.jit.array_types import F64, I64


@dataclass(frozen=True)
class Aivat:
    """Settings of AIVAT; ``variance_reduction="aivat"`` of ``agents.play`` means the defaults.

    Args:
        value: The value function, its file, or ``"equity"``, which assumes no further betting.
        known: Numbers of the players with known action probabilities, in the order of ``play``; the
            variance of other players' choices remains. Default: all players that provide them.
        imagined: A known player whose result is averaged over ``hands`` possible hole cards.
        hands: Number of these hands, including the actual one.

    Raises:
        ValueError: An argument is out of range.
    """

    value: ValueFunction | str | Path = EQUITY
    known: Sequence[int] | None = None
    imagined: int | None = None
    hands: int = 16

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", as_value_function(self.value))
        if self.known is not None:
            known = tuple(whole_number("known", player, least=0) for player in self.known)
            object.__setattr__(self, "known", known)
        whole_number("hands", self.hands, least=2, most=MOST_HANDS)
        if self.imagined is not None:
            whole_number("imagined", self.imagined, least=0)
            if self.known is not None and self.imagined not in self.known:
                raise ValueError(
                    f"imagined must be one of the known players, {list(self.known)}; "
                    f"got {self.imagined}"
                )

    @property
    def value_function(self) -> ValueFunction:
        """The loaded value function."""
        return as_value_function(self.value)

    def check_batch(
        self, batch: PlayerBatch, *, is_one_table: bool, by_hand: Sequence[int] = ()
    ) -> None:
        """Check that the action probabilities of these players can be used.

        Args:
            batch: The players of the match.
            is_one_table: Whether all play at one table, once each.
            by_hand: Numbers of Python players that report their probabilities with every hand.

        Raises:
            ValueError: A player number is unknown, or other hole cards of a player cannot be
                evaluated.
        """
        named = [*(self.known or ()), *([] if self.imagined is None else [self.imagined])]
        if named and not is_one_table:
            raise ValueError(
                "known and imagined are indices of players at one table; leave them out for lineups"
            )
        for player in named:
            if player >= len(batch):
                raise ValueError(f"known players must be below {len(batch)} here; got {player}")
        if self.imagined is not None and self.imagined not in by_hand:
            kind = batch.kinds[batch.which[self.imagined]]
            if kind is None or kind.on_event is not None:
                why = (
                    "reports no action probabilities"
                    if kind is None
                    else "remembers its hole cards"
                )
                raise ValueError(
                    "imagined must be a compiled player without memory, or one with a method "
                    "chances_of_hands, which can be asked about other hole cards; player "
                    f"{self.imagined} {why}"
                )

    def estimator(self, n_players: int, *, fits: bool = False) -> Estimator:
        """The estimator with its state for one thread.

        Args:
            n_players: Players at the table.
            fits: Whether to collect data for fitting a value table.

        Raises:
            ValueError: There are more players than seats at a table.
        """
        if n_players > MAX_SEATS:
            raise ValueError(
                f'variance_reduction="aivat" is for one table of at most {MAX_SEATS} players; '
                f"got {n_players}"
            )
        state = np.concatenate([new_counter(), np.zeros(AIVAT.itemsize // 8, np.int64)])
        record = record_of(state)
        numbers = self.value_function.numbers
        record["value_function"] = self.value_function.address
        record["numbers"][: len(numbers)] = numbers
        for player in range(n_players) if self.known is None else self.known:
            record["knows"][player] = 1
        record["imagined"] = NO_PLAYER if self.imagined is None else self.imagined
        record["n_hands"] = 1 if self.imagined is None else self.hands
        record["strengths"], record["mean_strength"] = _strengths()
        record["fits"] = fits
        adjusted, sums = np.zeros(MAX_SEATS, np.int64), np.zeros(n_players, np.int64)
        decision_hook = DECISION_HOOK.address_of(record_decision)
        return Estimator(ESTIMATOR.address_of(estimate_aivat), state, adjusted, sums, decision_hook)


def record_of(state: I64) -> np.void:
    """Record of dtype ``AIVAT`` in an estimator's state."""
    found: np.void = state[COUNTER.itemsize // 8 :].view(AIVAT)[0]
    return found


@cache
def _strengths() -> tuple[F64, float]:
    """Pot shares of all hole classes against one other hand, and their mean over all hands."""
    shares = load_tables()["preflop_shares"][:, 0]
    classes = [preflop_class(high, low) for high in range(1, N_CARDS) for low in range(high)]
    return shares, float(shares[classes].mean())
