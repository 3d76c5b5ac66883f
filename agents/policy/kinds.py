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
"""``policy(parameters, memory, view)`` offers choices, see ``agents.policy.view``. It reads the
memory, and does not write it."""

LISTENER = Signature(
    "an event kernel",
    None,
    parameters=_PARAMETERS,
    memory=_MEMORY,
    view=_VIEW,
    event=np.zeros(1, EVENT)[0],
)
"""Changes the memory: ``(parameters, memory, view, event)``, see ``agents.policy.events``."""

Count = int | Callable[[I64], int]
"""A number, or what gives it for the sizes of a player."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of compiled players.

    Args:
        name: Stable name, stored in files. A change of meaning requires a new name.
        policy: Kernel of the signature ``POLICY``.
        wants: Input of the policy: ``"nothing"`` except the legal actions, the ``"inputs"`` of the
            player, or the ``"table"``.
        answers: Ids of the sized encoding (``"sizes"``), or ``"amounts"``.
        on_event: Kernel of the signature ``LISTENER``, for a kind with memory.
        memory: Float32 numbers of memory that a player has.
        scratch: Float32 numbers of scratch that the kernels work in.
        n_weights: Weights that a player has, where the kind says.
        looks_up: Whether the exact strength tables are needed.
        looks_up_late: Whether the policy takes inputs of which some have not been looked up, and
            does so where they matter: ``write_late`` of ``Observation``.
        checks: Called with the ``(n,)`` tables of a game to be played; raises a ``ValueError`` if
            the kind does not know such games. By default it knows all.
        checks_player: Called with every new player of the kind, whose weights and sizes are finite
            and as many as the kind says; raises a ``ValueError`` if they or its book are none that
            the kernels can read, which look no further.
        two_calls: Whether a kind that wants the table may play games of ``two_calls`` too, where a
            call of a raise does not end a street.
        by_inputs: For a kind that answers with amounts and wants inputs: the kind that names the
            sizes which these amounts stand for, of the same weights, where inputs are all there is.
        player_class: Class of its players, a subclass of ``CompiledPlayer``, whose ``restore``
            makes them of saved ones; None for ``CompiledPlayer`` itself.
        explained_by: Module whose ``explain`` says what such a player believes, see
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
        """For kernels; compiles the policy if it has not been needed yet."""
        return POLICY.address_of(self.policy)

    @property
    def listener_address(self) -> int:
        """For kernels; ``NO_FUNCTION`` if there is no listener."""
        return NO_FUNCTION if self.on_event is None else LISTENER.address_of(self.on_event)

    @property
    def wants_code(self) -> int:
        """``wants`` for kernels: ``NOTHING``, ``INPUTS`` or ``TABLE_ITSELF``."""
        return _WANTS.index(self.wants)

    def __reduce__(self) -> tuple[Any, ...]:
        """By name: another process has kernels, and addresses, of its own."""
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
            f"there is a kind {kind.name!r} already, in {known.policy.__module__}; "
            f"{kind.policy.__module__} needs another name"
        )
    _kinds[kind.name] = kind
    return kind


def find_kind(name: str) -> Kind:
    """Find a kind by name.

    Raises:
        ValueError: The name is unknown; the message lists the kinds.
    """
    return _kinds[one_of("a kind of player", name, tuple(_kinds))]


def count(number: Count, sizes: I64) -> int:
    """A number that may depend on the sizes of a player."""
    return number(sizes) if callable(number) else number


def make_sizes(*numbers: int) -> I64:
    """``(MOST_SIZES,)`` of these numbers, zeros after them."""
    sizes = np.zeros(MOST_SIZES, np.int64)
    sizes[: len(numbers)] = numbers
    return sizes


def row(*numbers: float) -> F32:
    """Weights of these numbers."""
    return np.array(numbers, np.float32)


def finite_weights(weights: Any) -> F32:
    """Weights as players keep them.

    Raises:
        ValueError: They are not finite.
    """
    kept = np.ascontiguousarray(weights, np.float32)
    if not np.isfinite(kept).all():
        raise ValueError("weights must be finite numbers")
    return kept


def _import_kind(name: str, module: str) -> Kind:
    if name not in _kinds:
        importlib.import_module(module)
    return find_kind(name)
