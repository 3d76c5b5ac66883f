"""Vexbot: a player that models one opponent and searches for the best response to it.

D. Billings, A. Davidson, T. Schauenberg, N. Burch, M. Bowling, R. Holte, J. Schaeffer, D. Szafron,
"Game-Tree Search with Adaptation in Stochastic Imperfect-Information Games", CG 2004; D. Billings,
"Algorithms and Assessment in Computer Poker", PhD thesis (University of Alberta, 2006), chapter 4.

Its event handler counts the opponent's actions and shown hands. From these it estimates, for every
betting sequence, the opponent's action probabilities and hands, using similar sequences where data
is scarce. Its own hand is evaluated exactly up to the next card, and by its strength beyond.

It plays fixed-limit, as in the sources, and assumes deep stacks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Explanation
from agents.policy.kinds import Kind, register_kind, row
from agents.theses.billings.vexbot.policy import on_event, policy
from agents.theses.billings.vexbot.records import N_MEMORY, N_WEIGHTS, PRIOR
from agents.theses.billings.vexbot.search import IMPOSSIBLE, N_SCRATCH, SEARCH
from nlhe_env.arguments import number
from nlhe_env.game.table import FIXED_LIMIT
from nlhe_env.jit.array_types import F32, U8, Records

_NAME = "vexbot"
SETTINGS = {"decay": 1.0, "mixing": 0.98, "defaults": 2.0, "width": 0.0}
"""Options and their defaults."""
COUNTER_SETTINGS = {**SETTINGS, "mixing": 0.9999, "defaults": 1e6}
"""Options of a player whose prior describes its opponent: it does not learn."""
SLOW_SETTINGS = {**SETTINGS, "mixing": 0.999, "defaults": 500.0}
"""Options of a player that starts from such a prior and learns slowly."""
_NAMES = ("fold", "check or call", "bet or raise")


class VexbotPlayer(CompiledPlayer):
    """A player that adapts to its opponent.

    Args:
        book: The prior: card transitions of hold'em, and statistics of a new opponent.
        decay: Factor, 0..1, of a context's old counts with every new observation; 1 forgets
            nothing, with 0.95 the last twenty observations make up 64%.
        mixing: A level of abstraction with n observations gets 1 - mixing^n of the weight left by
            finer levels, 0.01..0.9999: the higher, the more similar sequences count.
        defaults: Number of pseudo-observations from the prior in each context.
        width: Small bets below the best action at which an action is no longer played; closer
            actions are played more often (miximix). With 0 only the best is played (miximax).
        name: Name for tables and plots.
        origin: Origin.

    Raises:
        ValueError: A number is outside its range.
    """

    book: U8

    def __init__(
        self,
        book: U8,
        *,
        decay: float = SETTINGS["decay"],
        mixing: float = SETTINGS["mixing"],
        defaults: float = SETTINGS["defaults"],
        width: float = SETTINGS["width"],
        name: str = _NAME,
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights = row(
            number("decay", decay, least=0, most=1),
            math.log(number("mixing", mixing, least=0.01, most=0.9999)),
            number("defaults", defaults, least=0, most=1e6),
            number("width", width, least=0, most=100),
        )
        super().__init__(name, _NAME, weights, book=book, origin=origin)

    def expected_values(self, scratch: F32) -> F32:
        """``(3,)`` float32 values of folding, calling and raising in the last decision.

        They are in small bets; nan for impossible actions.

        Args:
            scratch: Scratch of the player's last decision.
        """
        options: F32 = scratch[:N_SCRATCH].view(SEARCH)[0]["options"]
        return np.where(options == IMPOSSIBLE, np.float32(np.nan), options)


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    assert isinstance(player, VexbotPlayer)
    values = player.expected_values(context.work.scratch)
    choices = context.work.choices[0]
    n = int(choices["n"])
    # -1 for fold, 0 for call, positive for raises.
    which = np.clip(choices["action"][:n], -1, 1) + 1
    chances = np.bincount(which, choices["chance"][:n], len(values)) / choices["total"]
    return Explanation(_NAMES, chances, ~np.isnan(values), values)


def _check_tables(tables: Records) -> None:
    """Check that a Vexbot can play the game.

    Raises:
        ValueError: It cannot.
    """
    if tables[0]["seats"] != 2 or tables[0]["betting"] != FIXED_LIMIT:
        raise ValueError(
            "Vexbot plays heads-up fixed-limit only: seat two players in a game with "
            'betting="fixed-limit"'
        )


def _check_player(player: CompiledPlayer) -> None:
    size = PRIOR.itemsize
    if player.book is None or len(player.book) != size:
        given = "none" if player.book is None else str(len(player.book))
        raise ValueError(f"book must be {size} bytes; got {given}")


register_kind(
    Kind(
        _NAME,
        policy,
        wants="table",
        answers="amounts",
        on_event=on_event,
        memory=N_MEMORY,
        scratch=N_SCRATCH,
        n_weights=N_WEIGHTS,
        checks_player=_check_player,
        looks_up=True,
        checks=_check_tables,
        player_class=VexbotPlayer,
        explained_by="agents.theses.billings.vexbot.player",
    )
)
