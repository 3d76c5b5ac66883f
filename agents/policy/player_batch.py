"""The players of a game, packed for kernels."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import numpy as np

from agents.policy.events import EVENT
from agents.policy.kinds import Kind
from agents.policy.view import CHOICES, MOST_SIZES, TRAITS
from nlhe_env.arguments import LARGEST_NUMBER, array
from nlhe_env.equity import StrengthTables, load_tables
from nlhe_env.equity.tables.lookup import StrengthTablesRecord
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.jit.array_types import F32, F64, I64, U8, Bool, Int, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.observation import Observation
from nlhe_env.spaces.observations import find_observation

if TYPE_CHECKING:
    from agents.policy.compiled_player import CompiledPlayer, Player


class PlayerArrays(NamedTuple):
    """The players as arrays for kernels, valid in one process."""

    traits: Records
    """``(n_players,)`` of dtype ``TRAITS``."""
    weights: F32
    """``(n_players, n_weights)`` weights, with rows of the largest length."""


class WorkArrays(NamedTuple):
    """Scratch of one thread, and the memories of the players of one game."""

    inputs: F32
    choices: Records
    """``(1,)`` of dtype ``CHOICES``: choices of the last decision."""
    event: Records
    """``(1,)`` of dtype ``EVENT``."""
    scratch: F32
    memory: F32
    """``(n_players, n)`` memories; n = 0 if no player has memory."""
    no_fractions: F64


class Seated(NamedTuple):
    """Players of a game for kernels: batch, strength tables, work arrays."""

    batch: PlayerArrays
    strength_tables: StrengthTablesRecord
    """``StrengthTables``, empty if no player needs them."""
    work: WorkArrays


@dataclass(frozen=True, eq=False)
class PlayerBatch:
    """Packed players of a game, in result order.

    Raises:
        ValueError: The arrays do not fit the kinds and number of players.
    """

    kinds: tuple[Kind | None, ...]
    """Kinds of the players; None for a player outside compiled code."""
    which: I64
    """``(n_players,)`` index of each player's kind."""
    observations: tuple[Observation, ...]
    """Observations used as players' inputs."""
    inputs: I64
    """``(n_players,)`` index of each player's observation."""
    sizes: I64
    weights: F32
    interpretation: I64
    """``(n_players,)`` codes of ``agents.policy.action_interpretation``."""
    books: Mapping[int, U8] = dataclass_field(default_factory=dict)
    """Lookup data by player number."""

    def __post_init__(self) -> None:
        n, most = len(self.which), max(len(self.observations), 1) - 1
        for name, shape, dtype, last in (
            ("which", (n,), np.int64, max(len(self.kinds), 1) - 1),
            ("inputs", (n,), np.int64, most),
            ("sizes", (n, MOST_SIZES), np.int64, LARGEST_NUMBER),
            ("interpretation", (n,), np.int64, LARGEST_NUMBER),
        ):
            kept = array(name, getattr(self, name), shape, dtype=dtype, least=0, most=last)
            object.__setattr__(self, name, kept)
        weights = np.ascontiguousarray(self.weights, np.float32)
        object.__setattr__(self, "weights", weights)
        needed = self._most("n_weights")
        if weights.ndim != 2 or len(weights) != n or weights.shape[1] < needed:
            raise ValueError(
                f"weights must be ({n}, n_weights) with n_weights of at least {needed}; got shape "
                f"{weights.shape}"
            )

    def __len__(self) -> int:
        return len(self.which)

    @functools.cached_property
    def arrays(self) -> PlayerArrays:
        """Arrays for kernels; compiles the kinds of the players."""
        traits = np.zeros(len(self), TRAITS)
        traits["sizes"] = self.sizes
        traits["interpretation"] = self.interpretation
        for i, kind in enumerate(self.kinds):
            if kind is not None:
                selected = self.which == i
                traits["policy"][selected] = kind.policy_address
                traits["listener"][selected] = kind.listener_address
                traits["wants"][selected] = kind.wants_code
                traits["names_amounts"][selected] = kind.answers == "amounts"
        for player, book in self.books.items():
            traits["book"][player] = book.ctypes.data
        late = np.array([kind is not None and kind.looks_up_late for kind in self.kinds])
        for i, observation in self._seen():
            sees, looks_up_late = self._sees(i), late[self.which]
            if (sees & looks_up_late).any():
                traits["observation"][sees & looks_up_late] = observation.late_address
            if (sees & ~looks_up_late).any():
                traits["observation"][sees & ~looks_up_late] = observation.address
        # Kinds are compiled for writable arrays.
        return PlayerArrays(traits, np.require(self.weights, requirements="W"))

    @functools.cached_property
    def strength_tables(self) -> StrengthTables:
        """Strength tables for kernels: ``load_tables()`` if a player needs them."""
        looks = [kind is not None and kind.looks_up for kind in self.kinds]
        looks += [observation.looks_up for _, observation in self._seen()]
        return load_tables() if any(looks) else blank_tables()

    def seated(self, work: WorkArrays) -> Seated:
        """Players for kernels, with the work arrays of a thread."""
        return Seated(self.arrays, self.strength_tables, work)

    def check(self, tables: Records) -> None:
        """Check that all players support the game of these tables.

        Raises:
            ValueError: A player does not; the message names the supported games.
        """
        for kind in filter(None, self.kinds):
            if tables["two_calls"].any() and kind.wants == "table" and not kind.two_calls:
                raise ValueError(
                    f"players of kind {kind.name!r} rely on a called raise ending the betting of a "
                    "street: they cannot play a game with two_calls"
                )
            if kind.checks is not None:
                kind.checks(tables)

    def _sees(self, i: int) -> Bool:
        """``(n_players,)`` whether each player uses an observation."""
        look = np.array([kind is not None and kind.wants == "inputs" for kind in self.kinds])
        sees: Bool = (self.inputs == i) & look[self.which]
        return sees

    def _seen(self) -> list[tuple[int, Observation]]:
        """Observations used by at least one player, with their numbers."""
        return [(i, seen) for i, seen in enumerate(self.observations) if self._sees(i).any()]

    def work_arrays(self, seats: int | None = None) -> WorkArrays:
        """New work arrays of a thread for these players.

        Args:
            seats: Number of participants; default: every player once.
        """
        inputs, scratch, memory = self._work_sizes
        return WorkArrays(
            np.zeros(inputs, np.float32),
            np.zeros(1, CHOICES),
            np.zeros(1, EVENT),
            np.zeros(scratch, np.float32),
            np.zeros((len(self) if seats is None else seats, memory), np.float32),
            np.zeros(0),
        )

    @functools.cached_property
    def _work_sizes(self) -> tuple[int, int, int]:
        """Maximum numbers of inputs, of scratch and of memory."""
        inputs = max((seen.size or 0 for seen in self.observations), default=0)
        return inputs, self._most("scratch"), self._most("memory")

    def is_same_as(self, other: PlayerBatch) -> bool:
        """Whether another batch has equal players, possibly from another process."""
        alike = (self.kinds, self.observations, self.books.keys()) == (
            other.kinds,
            other.observations,
            other.books.keys(),
        )
        return (
            alike
            and all(
                np.array_equal(book, other.books[player]) for player, book in self.books.items()
            )
            and all(
                np.array_equal(mine, theirs)
                for mine, theirs in (
                    (self.which, other.which),
                    (self.inputs, other.inputs),
                    (self.sizes, other.sizes),
                    (self.weights, other.weights),
                    (self.interpretation, other.interpretation),
                )
            )
        )

    def take(self, members: I64) -> PlayerBatch:
        """Batch of some of the players, given by their numbers."""
        return PlayerBatch(
            self.kinds,
            self.which[members],
            self.observations,
            self.inputs[members],
            self.sizes[members],
            self.weights[members],
            self.interpretation[members],
            {
                i: self.books[int(player)]
                for i, player in enumerate(members)
                if int(player) in self.books
            },
        )

    def _most(self, what: str) -> int:
        """Maximum over players of an amount given by their kinds."""
        most = 0
        for i, kind in enumerate(self.kinds):
            if kind is not None:
                for sizes in distinct_rows(self.sizes[self.which == i])[0]:
                    number = getattr(kind, what) or 0
                    most = max(most, number(sizes) if callable(number) else number)
        return most

    def __getstate__(self) -> dict[str, Any]:
        """State without addresses and tables, which are those of this process only."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def distinct_rows(rows: I64) -> tuple[I64, I64]:
    """Distinct rows of ``(n, m)`` numbers, in any order, and the ``(n,)`` index of each row.

    ``numpy.unique`` along an axis compares records field by field and takes seventy times as long:
    47 ms for 3,000 players, in every match.

    >>> distinct_rows(np.array([[1, 2], [1, 2]]))
    (array([[1, 2]]), array([0, 0]))
    """
    if rows.size == 0:
        return rows[:1], np.zeros(len(rows), np.int64)
    whole = np.dtype((np.void, rows.itemsize * rows.shape[1]))
    keys = np.ascontiguousarray(rows).view(whole).ravel()
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], which


def _is_compiled(player: Player | None) -> TypeGuard[CompiledPlayer]:
    return isinstance(getattr(player, "kind", None), Kind)


def pack_players(players: Sequence[Player]) -> PlayerBatch:
    """Pack players into a batch.

    Raises:
        ValueError: An object is not a compiled player.
    """
    for player in players:
        if not _is_compiled(player):
            raise ValueError(f"a compiled tournament needs compiled players; got {player!r}")
    return pack_players_of(players)


def pack_players_of(players: Sequence[Player | None]) -> PlayerBatch:
    """Batch in which players that are not compiled decide outside the kernels."""
    compiled = [player if _is_compiled(player) else None for player in players]
    found: list[Kind | None] = []
    which = np.zeros(len(compiled), np.int64)
    seen: list[Observation] = []
    inputs = np.zeros(len(compiled), np.int64)
    sizes = np.zeros((len(compiled), MOST_SIZES), np.int64)
    longest = max((len(player.weights) for player in compiled if player), default=0)
    weights = np.zeros((len(compiled), longest), np.float32)
    interpretation = np.zeros(len(compiled), np.int64)
    for i, player in enumerate(compiled):
        kind = player.kind if player else None
        if kind not in found:
            found.append(kind)
        which[i] = found.index(kind)
        if player:
            observation = find_observation(player.inputs)
            if observation not in seen:
                seen.append(observation)
            inputs[i] = seen.index(observation)
            sizes[i] = player.sizes
            weights[i, : len(player.weights)] = player.weights
            interpretation[i] = player.interpretation.code
    books = {i: each.book for i, each in enumerate(compiled) if each and each.book is not None}
    return PlayerBatch(
        tuple(found), which, tuple(seen), inputs, sizes, weights, interpretation, books
    )


def concat(*batches: PlayerBatch) -> PlayerBatch:
    """Concatenate player batches, in order."""
    if len(batches) == 1:
        return batches[0]
    found: list[Kind | None] = []
    seen: list[Observation] = []
    for batch in batches:
        found += [kind for kind in batch.kinds if kind not in found]
        seen += [each for each in batch.observations if each not in seen]
    longest = max((batch.weights.shape[1] for batch in batches), default=0)
    which = [
        np.array([found.index(kind) for kind in batch.kinds], np.int64)[batch.which]
        for batch in batches
    ]
    inputs = [
        np.array([seen.index(each) for each in batch.observations] or [0])[batch.inputs]
        for batch in batches
    ]
    firsts = np.cumsum([0, *map(len, batches)]).tolist()
    return PlayerBatch(
        tuple(found),
        np.concatenate(which),
        tuple(seen),
        np.concatenate(inputs),
        np.concatenate([batch.sizes for batch in batches]),
        np.concatenate([_padded(batch.weights, longest) for batch in batches]),
        np.concatenate([batch.interpretation for batch in batches]),
        {
            first + player: book
            for first, batch in zip(firsts, batches, strict=False)
            for player, book in batch.books.items()
        },
    )


def _padded(weights: F32, length: int) -> F32:
    """Genomes padded with zeros."""
    return np.pad(weights, ((0, 0), (0, length - weights.shape[1])))


def empty_arrays(batch: PlayerArrays, n_players: int) -> PlayerArrays:
    """Arrays for some players of a batch, to be filled by ``copy_player``."""
    arrays: tuple[Any, ...] = batch
    return PlayerArrays(*(np.empty((n_players, *each.shape[1:]), each.dtype) for each in arrays))


@kernel
def copy_player(batch: PlayerArrays, player: Int, seated: PlayerArrays, seat: Int) -> None:
    """Copy one player of a batch to a seat."""
    seated.traits[seat] = batch.traits[player]
    for i in range(batch.weights.shape[1]):
        seated.weights[seat, i] = batch.weights[player, i]
