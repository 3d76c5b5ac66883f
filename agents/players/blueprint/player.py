"""Players that follow a blueprint: the strategy of a smaller game solved beforehand.

At a table that the book does not cover, such as one with three players, and while it is lost (see
``following``), such a player goes by its equity against any hands and the price of a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.players.blueprint.book import (
    ACTION,
    FOLDS,
    NODE,
    Section,
    action_at,
    byte_at,
    check_book,
    edges_at,
    node_at,
    read_book,
)
from agents.players.blueprint.card_buckets import card_bucket
from agents.players.blueprint.following import (
    LOST,
    N_MEMORY,
    follow_hand,
    place_to_decide,
    remembered_section,
)
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import check_or_fold, equity_against_one, opponents, raise_by
from agents.policy.view import offer
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL
from nlhe_env.jit.array_types import F32, U8
from nlhe_env.jit.compilation import kernel

_NODE_BYTES, _ACTION_BYTES = NODE.itemsize, ACTION.itemsize
_DOUBT = 0.1
"""Margin of equity over the price of a call: opponents are not known to play any hand."""


@kernel
def blueprint_policy(parameters, memory, view):
    """Offer the strategy of the book for the bucket of the hand."""
    book, table = parameters.traits.book, view.table
    place = place_to_decide(book, memory, table)
    if place == LOST:
        _go_by_equity(view)
        return
    section = remembered_section(book, memory)
    node = node_at(book + section.nodes + place * _NODE_BYTES)
    seat, street = table.actor, table.street
    bucket = card_bucket(
        np.int64(table.cards[2 * seat]),
        np.int64(table.cards[2 * seat + 1]),
        table.cards[2 * table.seats : 2 * table.seats + 5],
        street,
        section.main[street],
        section.within[street],
        edges_at(book + section.edges[street]).values,
        view.strength_tables,
    )
    chances = book + section.chances[street] + bucket * section.rows[street] + node.row
    for i in range(node.count):
        action = action_at(book + section.actions + (node.first + i) * _ACTION_BYTES)
        chance = np.float64(byte_at(chances + i).value)
        offer(view, _at_table(view, action), chance)


@kernel
def _at_table(view, action):
    """Action of the game for an action of the tree; pot and stacks may differ from the tree's."""
    table, choices = view.table, view.choices
    if action.size == FOLDS:
        return check_or_fold(table)
    if action.size > 0.0 and choices.most > 0:
        if action.all_in:
            return choices.most
        return raise_by(table, np.float64(action.size), choices.least, choices.most)
    return np.int64(CHECK_OR_CALL)


@kernel
def _go_by_equity(view):
    """Bet half the pot with more than a fair share, call what pays, give up the rest."""
    table, choices = view.table, view.choices
    rivals = opponents(table)
    equity = equity_against_one(table, view.strength_tables) ** rivals
    fair = 1.0 / (rivals + 1.0)
    to_call = amount_to_call(table)
    price = to_call / (table.pot + to_call) if to_call > 0 else 0.0
    if equity > max(fair, price) + 2.0 * _DOUBT:
        offer(view, raise_by(table, 0.5, choices.least, choices.most), 1.0)
    elif equity >= price + _DOUBT:
        offer(view, np.int64(CHECK_OR_CALL), 1.0)
    else:
        offer(view, check_or_fold(table), 1.0)


class BlueprintPlayer(CompiledPlayer):
    """A player that looks up its actions in a book.

    Args:
        book: As ``write_book`` writes it.
        name: For tables and plots.
        origin: Where the book comes from.

    Raises:
        ValueError: It is no book, or damaged.
    """

    book: U8

    def __init__(
        self, book: U8, name: str = "Blueprint", origin: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(name, BLUEPRINT, book=book, origin=origin)

    @property
    def sections(self) -> list[Section]:
        """Sections of the book, one for each depth of stacks."""
        return read_book(self.book)


def _check_player(player: CompiledPlayer) -> None:
    check_book(player.book)


def _restore(weights: F32, book: U8, name: str, origin: Any, **_: Any) -> BlueprintPlayer:
    return BlueprintPlayer(book, name, origin)


BLUEPRINT = register_kind(
    Kind(
        "blueprint",
        blueprint_policy,
        wants="table",
        answers="amounts",
        on_event=follow_hand,
        memory=N_MEMORY,
        looks_up=True,
        checks_player=_check_player,
        restore=_restore,
    )
)
