"""Vexbot: a player that learns how one opponent plays, and searches for what pays most against it.

D. Billings, A. Davidson, T. Schauenberg, N. Burch, M. Bowling, R. Holte, J. Schaeffer, D. Szafron,
"Game-Tree Search with Adaptation in Stochastic Imperfect-Information Games", CG 2004; D. Billings,
"Algorithms and Assessment in Computer Poker", PhD thesis (University of Alberta, 2006), chapter 4.

Its event handler counts the opponent's actions and hands shown. After every betting sequence it
knows how often the opponent folds, calls and raises there, and what it held; where it has seen
little, similar sequences are used. Its own hand is evaluated exactly up to the next card, and by
its strength beyond.

The sources build it for fixed-limit, where it assumes deep stacks. Where bets have any size the
same search branches on classes of sizes, and goes by groups of betting sequences, not exact ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from agents.players.vexbot import (
    limit_policy,
    limit_records,
    limit_search,
    nolimit_policy,
    nolimit_records,
    nolimit_search,
)
from agents.players.vexbot.miximax import IMPOSSIBLE
from agents.players.vexbot.records import FIRST_RAISE, N_WEIGHTS, n_numbers
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind, row
from nlhe_env.arguments import number
from nlhe_env.game.table import FIXED_LIMIT, NO_LIMIT
from nlhe_env.jit.array_types import F32, U8, Records

SETTINGS = {"decay": 1.0, "mixing": 0.98, "defaults": 2.0, "width": 0.0}
"""The options in limit and their defaults."""
COUNTER_SETTINGS = {**SETTINGS, "mixing": 0.9999, "defaults": 1e6}
"""Options of one whose prior is of the opponent that it is made against: it learns no more."""
SLOW_SETTINGS = {**SETTINGS, "mixing": 0.999, "defaults": 500.0}
"""Options of one that begins the same way, and learns slowly."""
NOLIMIT_SETTINGS = {**SETTINGS, "defaults": 5.0}
"""The options in no-limit and their defaults."""


class Variant(NamedTuple):
    """A Vexbot for one betting structure."""

    name: str
    """Name of its kind."""
    betting: int
    """The betting structure of a table record."""
    refusal: str
    """What is said about tables of any other game."""
    memory: np.dtype[np.void]
    prior: np.dtype[np.void]
    search: np.dtype[np.void]
    """Dtypes of its memory, its prior and its scratch."""
    policy: Callable[..., Any]
    on_event: Callable[..., Any]
    """Its kernels."""


LIMIT = Variant(
    "vexbot",
    FIXED_LIMIT,
    'Vexbot plays heads-up fixed-limit only: seat two players in a game with betting="fixed-limit"',
    limit_records.MEMORY,
    limit_records.PRIOR,
    limit_search.SEARCH,
    limit_policy.limit_policy,
    limit_policy.on_event,
)
NOLIMIT = Variant(
    "vexbot-nolimit",
    NO_LIMIT,
    "this Vexbot plays heads-up no-limit only: seat two players in a game with "
    'betting="no-limit", or take "vexbot" for fixed-limit',
    nolimit_records.MEMORY,
    nolimit_records.PRIOR,
    nolimit_search.SEARCH,
    nolimit_policy.nolimit_policy,
    nolimit_policy.on_event,
)


class VexbotPlayer(CompiledPlayer):
    """A player that adapts to its opponent.

    Args:
        book: Its prior: hold'em, and the statistics of a new opponent.
        variant: ``LIMIT`` or ``NOLIMIT``, the game that it is made for.
        decay: Share of the counts of a context that is left whenever something is added there,
            0..1; 1 forgets nothing, with 0.95 the last twenty make up 64 %.
        mixing: With n observations a level of abstraction gets 1 - mixing^n of what finer levels
            leave, 0.01..0.9999: the higher, the more it trusts similar sequences.
        defaults: Observations that the default data of each context count for; 0 for none.
        width: Small bets (in no-limit: pots) below the best action from which on an action is not
            played; those between are played the more, the closer they come (miximix). With 0 it
            plays the best one (miximax).
        name: For tables and plots, by default that of the variant.
        origin: Provenance.

    Raises:
        ValueError: A number is outside its range.
    """

    book: U8

    def __init__(
        self,
        book: U8,
        variant: Variant = LIMIT,
        *,
        decay: float = SETTINGS["decay"],
        mixing: float = SETTINGS["mixing"],
        defaults: float = SETTINGS["defaults"],
        width: float = SETTINGS["width"],
        name: str | None = None,
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights = row(
            number("decay", decay, least=0, most=1),
            math.log(number("mixing", mixing, least=0.01, most=0.9999)),
            number("defaults", defaults, least=0, most=1e6),
            number("width", width, least=0, most=100),
        )
        name = variant.name if name is None else name
        super().__init__(name, variant.name, weights, book=book, origin=origin)

    @property
    def variant(self) -> Variant:
        """What it is made for."""
        return LIMIT if self.kind.name == LIMIT.name else NOLIMIT

    def expected_values(self, scratch: F32) -> F32:
        """``(3,)`` values of folding, calling and the best raise in the last decision.

        In small bets, in no-limit in big blinds; nan for what could not be done.

        Args:
            scratch: Scratch of the work arrays in which such a player decided last.
        """
        search = self.variant.search
        options = scratch[: n_numbers(search)].view(search)[0]["options"]
        values: F32 = np.array([*options[:FIRST_RAISE], options[FIRST_RAISE:].max()], np.float32)
        values[values == IMPOSSIBLE] = np.nan
        return values


def _check_tables(variant: Variant, tables: Records) -> None:
    """Check that such players can play the game.

    Raises:
        ValueError: It is another one.
    """
    if tables[0]["seats"] != 2 or tables[0]["betting"] != variant.betting:
        raise ValueError(variant.refusal)


def _check_player(variant: Variant, player: CompiledPlayer) -> None:
    size = variant.prior.itemsize
    if player.book is None or len(player.book) != size:
        given = "none" if player.book is None else str(len(player.book))
        raise ValueError(f"book must be {size} bytes; got {given}")


for _variant in (LIMIT, NOLIMIT):
    register_kind(
        Kind(
            _variant.name,
            _variant.policy,
            wants="table",
            answers="amounts",
            on_event=_variant.on_event,
            memory=n_numbers(_variant.memory),
            scratch=n_numbers(_variant.search),
            n_weights=N_WEIGHTS,
            checks_player=partial(_check_player, _variant),
            looks_up=True,
            checks=partial(_check_tables, _variant),
            player_class=VexbotPlayer,
            explained_by="agents.players.vexbot.explanation",
        )
    )
