"""Kinds of compiled players: name, traits and kernels.

A new kind is a new file that creates and registers a ``Kind``. Its kernels are called by address,
so the game loops are independent of it; they are compiled on first use.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from agents.player_records import KIND_MODULES, find_kind_module
from agents.policy.events import EVENT
from agents.policy.view import CHOICES, MOST_SIZES, TRAITS, Parameters, View
from nlhe_env.arguments import one_of
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game.table import TABLE
from nlhe_env.jit.array_types import F32, I64, Records
from nlhe_env.jit.function_pointers import NO_FUNCTION, Signature

Wants = Literal["nothing", "inputs", "table"]
Answers = Literal["sizes", "amounts"]

_WANTS: tuple[Wants, ...] = ("nothing", "inputs", "table")

_PARAMETERS = Parameters(np.zeros(1, TRAITS)[0], np.zeros(1, np.float32))
_VIEW = View(
    np.zeros(1, TABLE)[0],
    0,
    np.zeros(1, np.float32),
    np.zeros(1, CHOICES)[0],
    blank_tables(),
    np.zeros(1, np.float32),
)
_MEMORY = np.zeros(1, np.float32)

POLICY = Signature("a policy", None, parameters=_PARAMETERS, memory=_MEMORY, view=_VIEW)
"""``policy(parameters, memory, view)`` offers choices, see ``agents.policy.view``. It must not
write to the memory."""

LISTENER = Signature(
    "an event kernel",
    None,
    parameters=_PARAMETERS,
    memory=_MEMORY,
    view=_VIEW,
    event=np.zeros(1, EVENT)[0],
)
"""``on_event(parameters, memory, view, event)`` updates the memory, see
``agents.policy.events``."""

Count = int | Callable[[I64], int]
"""A number, or a function of a player's sizes that returns it."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of compiled players.

    Args:
        name: Stable name, stored in files. A change of meaning requires a new name.
        policy: Kernel with the signature ``POLICY``.
        wants: Input of the policy: ``"nothing"`` but the legal actions, the player's ``"inputs"``,
            or the ``"table"``.
        answers: Ids of the sized encoding (``"sizes"``), or ``"amounts"``.
        on_event: Kernel with the signature ``LISTENER``, for a kind with memory.
        memory: Length of a player's memory in float32 numbers.
        scratch: Length of the kernels' scratch in float32 numbers.
        n_weights: Number of weights, if the kind determines it.
        looks_up: Whether the kind needs the exact strength tables.
        looks_up_late: Whether the policy looks up some inputs itself when they matter, by
            ``write_late`` of ``Observation``.
        checks: Called with the ``(n,)`` tables of a game; raises a ``ValueError`` if the kind does
            not support it. Default: all games are supported.
        checks_player: Called with every new player of the kind, after the generic checks; raises a
            ``ValueError`` for weights, sizes or a book that the kernels cannot read, since these
            check nothing.
        two_calls: Whether a kind that wants the table also supports games with ``two_calls``, where
            a call of a raise does not end a street.
        by_inputs: For a kind with inputs that answers with amounts: the kind with the same weights
            that answers with the corresponding sizes, for queries by inputs alone.
        player_class: Class of its players, a subclass of ``CompiledPlayer`` with ``restore`` for
            saved players; None for ``CompiledPlayer`` itself.
        explained_by: Module with a function ``explain`` for the kind's decisions, see
            ``agents.policy.explanations``.
    """

    name: str
    policy: Callable[..., Any]
    wants: Wants = "nothing"
    answers: Answers = "sizes"
    on_event: Callable[..., Any] | None = None
    memory: Count = 0
    scratch: Count = 0
    n_weights: Count | None = None
    looks_up: bool = False
    looks_up_late: bool = False
    checks: Callable[[Records], None] | None = None
    checks_player: Callable[[Any], None] | None = None
    two_calls: bool = False
    by_inputs: Kind | None = None
    player_class: type[Any] | None = None
    explained_by: str | None = None

    @property
    def policy_address(self) -> int:
        """Address of the policy for kernels; compiles it on first use."""
        return POLICY.address_of(self.policy)

    @property
    def listener_address(self) -> int:
        """Address of the event handler for kernels; ``NO_FUNCTION`` if there is none."""
        return NO_FUNCTION if self.on_event is None else LISTENER.address_of(self.on_event)

    @property
    def wants_code(self) -> int:
        """``wants`` for kernels: ``NOTHING``, ``INPUTS`` or ``TABLE_ITSELF``."""
        return _WANTS.index(self.wants)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name, because kernels and addresses belong to a process."""
        return _import_kind, (self.name, self.policy.__module__)

    def __deepcopy__(self, memo: Any) -> Kind:
        return self


NOTHING, INPUTS, TABLE_ITSELF = range(3)

_kinds: dict[str, Kind] = {}


def register_kind(kind: Kind) -> Kind:
    """Register a kind under its name, and return it.

    Raises:
        ValueError: A kind of another module has this name.
    """
    known = _kinds.get(kind.name)
    if known is not None and known.policy.__module__ != kind.policy.__module__:
        raise ValueError(
            f"a kind {kind.name!r} already exists, in {known.policy.__module__}; "
            f"{kind.policy.__module__} needs another name"
        )
    _kinds[kind.name] = kind
    return kind


def find_kind(name: str) -> Kind:
    """Find a kind by name; imports the module that registers it.

    Raises:
        ValueError: The name is unknown; the message lists the kinds.
    """
    module = None if name in _kinds else find_kind_module(name)
    if module is not None:
        importlib.import_module(module)
    return _kinds[one_of("a kind of player", name, sorted({*_kinds, *KIND_MODULES}))]


def count(number: Count, sizes: I64) -> int:
    """Value of a number that may depend on a player's sizes."""
    return number(sizes) if callable(number) else number


def make_sizes(*numbers: int) -> I64:
    """``(MOST_SIZES,)`` array of numbers, padded with zeros."""
    sizes = np.zeros(MOST_SIZES, np.int64)
    sizes[: len(numbers)] = numbers
    return sizes


def row(*numbers: float) -> F32:
    """Float32 weights from numbers."""
    return np.array(numbers, np.float32)


def finite_weights(weights: Any) -> F32:
    """Validated weights in the format of players.

    Raises:
        ValueError: The weights are not finite.
    """
    kept = np.ascontiguousarray(weights, np.float32)
    if not np.isfinite(kept).all():
        raise ValueError("weights must be finite numbers")
    return kept


MOST_WHOLE = 2**24
"""Largest whole number up to which float32 weights hold all."""


def whole_weight(weights: F32, place: int, most: int, least: int = 0) -> int:
    """A weight that kernels use as a count or an index.

    Raises:
        ValueError: It is missing, or not a whole number in ``least .. most``.
    """
    if not 0 <= place < len(weights):
        raise ValueError(f"there are only {len(weights)} weights")
    number = float(weights[place])
    if not (number.is_integer() and least <= number <= most):
        raise ValueError(
            f"weight {place} must be a whole number in {least} .. {most}; got {number:g}"
        )
    return int(number)


def _import_kind(name: str, module: str) -> Kind:
    if name not in _kinds:
        importlib.import_module(module)
    return find_kind(name)
