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
    """Treatment of an action that is not legal: ``"masked"``, it is left out and the others
    share its chance; ``"call"``, it is a check or a call, as with the static players: a fold with
    nothing to call checks, a raise that is not allowed calls, all-in if need be."""

    raise_sizes: RaiseSizes = "standard"
    """Treatment of a raise whose published size is less than the table's least raise:
    ``"standard"``, it is lifted to that; ``"verbatim"``, it is a call if it puts in no more than
    what is to be called, and else lifted."""

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
        """The readings with a code."""
        return cls(
            illegal_action="call" if code & CALLS_ILLEGAL else "masked",
            raise_sizes="verbatim" if code & VERBATIM_SIZES else "standard",
        )

    def as_dict(self) -> dict[str, str]:
        """The values by name."""
        return asdict(self)


DEFAULT_INTERPRETATION = ActionInterpretation()
"""The defaults."""
