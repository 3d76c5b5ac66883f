"""Vexbot: a player that models one opponent and searches for the best response to it.

D. Billings, A. Davidson, T. Schauenberg, N. Burch, M. Bowling, R. Holte, J. Schaeffer, D. Szafron,
"Game-Tree Search with Adaptation in Stochastic Imperfect-Information Games", CG 2004; D. Billings,
"Algorithms and Assessment in Computer Poker", PhD thesis (University of Alberta, 2006), chapter 4.

Its event handler counts the opponent's actions and shown hands. From these it estimates, for every
betting sequence, the opponent's action probabilities and hands, using similar sequences where data
is scarce. Its own hand is evaluated exactly up to the next card, and by its strength beyond.

The sources describe fixed-limit, where it assumes deep stacks. In no-limit the same search branches
on size classes and uses groups of betting sequences instead of exact ones.
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
"""Options in limit and their defaults."""
COUNTER_SETTINGS = {**SETTINGS, "mixing": 0.9999, "defaults": 1e6}
"""Options of a player whose prior describes its opponent: it does not learn."""
SLOW_SETTINGS = {**SETTINGS, "mixing": 0.999, "defaults": 500.0}
"""Options of a player that starts from such a prior and learns slowly."""
NOLIMIT_SETTINGS = {**SETTINGS, "defaults": 5.0}
"""Options in no-limit and their defaults."""


class Variant(NamedTuple):
    """A Vexbot for one betting structure."""

    name: str
    """Name of the player kind."""
    betting: int
    """The betting structure of a table record."""
    refusal: str
    """Error message for tables of any other game."""
    memory: np.dtype[np.void]
    prior: np.dtype[np.void]
    search: np.dtype[np.void]
    """Dtypes of the memory, the prior and the search record."""
    policy: Callable[..., Any]
    on_event: Callable[..., Any]
    """Kernels of the player kind."""


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
    'betting="no-limit", or use "vexbot" for fixed-limit',
    nolimit_records.MEMORY,
    nolimit_records.PRIOR,
    nolimit_search.SEARCH,
    nolimit_policy.nolimit_policy,
    nolimit_policy.on_event,
)


class VexbotPlayer(CompiledPlayer):
    """A player that adapts to its opponent.

    Args:
        book: The prior: card transitions of hold'em, and statistics of a new opponent.
        variant: ``LIMIT`` or ``NOLIMIT``.
        decay: Factor, 0..1, of a context's old counts with every new observation; 1 forgets
            nothing, with 0.95 the last twenty observations make up 64%.
        mixing: A level of abstraction with n observations gets 1 - mixing^n of the weight left by
            finer levels, 0.01..0.9999: the higher, the more similar sequences count.
        defaults: Number of pseudo-observations from the prior in each context.
        width: Small bets (in no-limit: pots) below the best action at which an action is no longer
            played; closer actions are played more often (miximix). With 0 only the best is played
            (miximax).
        name: Name for tables and plots; default: that of the variant.
        origin: Origin.

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
        """Variant of the player: its betting structure."""
        return LIMIT if self.kind.name == LIMIT.name else NOLIMIT

    def expected_values(self, scratch: F32) -> F32:
        """``(3,)`` float32 values of folding, calling and the best raise in the last decision.

        They are in small bets, in no-limit in big blinds; nan for impossible actions.

        Args:
            scratch: Scratch of the player's last decision.
        """
        search = self.variant.search
        options = scratch[: n_numbers(search)].view(search)[0]["options"]
        values: F32 = np.array([*options[:FIRST_RAISE], options[FIRST_RAISE:].max()], np.float32)
        values[values == IMPOSSIBLE] = np.nan
        return values


def _check_tables(variant: Variant, tables: Records) -> None:
    """Check that Vexbots of a variant can play the game.

    Raises:
        ValueError: The game is unsuitable for the variant.
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
