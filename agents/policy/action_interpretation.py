"""Interpretation of ambiguous choices of published players.

In Nicolai's thesis (University of Regina, 2008) a static player's fold with nothing to call is a
check; networks are not specified. Its bet sizes (figure 4.7) are at least the amount to call, not
the minimum raise. Both interpretations affect a network's play: with masked illegal actions, a
network that folds 99% of the time *raises* about half of the time when checking is free.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, get_args

from nlhe_env.arguments import one_of

IllegalActionRule = Literal["masked", "call"]
RaiseSizes = Literal["standard", "verbatim"]

CALLS_ILLEGAL, VERBATIM_SIZES = 1, 2
"""Bits of a code, for kernels."""


@dataclass(frozen=True, kw_only=True)
class ActionInterpretation:
    """Interpretation of the choices of a player with sized actions.

    Raises:
        ValueError: A value is unknown.
    """

    illegal_action: IllegalActionRule = "masked"
    """Treatment of an illegal action: ``"masked"`` removes it and gives its probability to the
    others; ``"call"`` turns it into a check or call, as for the static players: a fold with nothing
    to call checks, and an illegal raise calls, all-in if necessary."""

    raise_sizes: RaiseSizes = "standard"
    """Treatment of a raise whose published size is below the minimum raise: ``"standard"`` lifts it
    to the minimum; ``"verbatim"`` makes it a call if it does not exceed the amount to call, and
    otherwise lifts it."""

    def __post_init__(self) -> None:
        one_of("illegal_action", self.illegal_action, get_args(IllegalActionRule))
        one_of("raise_sizes", self.raise_sizes, get_args(RaiseSizes))

    @property
    def code(self) -> int:
        """Interpretation as bits, 0 for the defaults."""
        calls = CALLS_ILLEGAL if self.illegal_action == "call" else 0
        return calls | (VERBATIM_SIZES if self.raise_sizes == "verbatim" else 0)

    @classmethod
    def of_code(cls, code: int) -> ActionInterpretation:
        """Interpretation with a code."""
        return cls(
            illegal_action="call" if code & CALLS_ILLEGAL else "masked",
            raise_sizes="verbatim" if code & VERBATIM_SIZES else "standard",
        )

    def as_dict(self) -> dict[str, str]:
        """The values by name."""
        return asdict(self)


DEFAULT_INTERPRETATION = ActionInterpretation()
"""The defaults."""
