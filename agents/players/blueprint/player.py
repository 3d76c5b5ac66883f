"""Players that follow a blueprint: the precomputed strategy of a smaller game.

A rule on equity and pot odds decides at tables that the book does not cover (such as three-handed
ones), while the player is lost (see ``following``), and facing a raise, for the share with which it
is read as a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.players.blueprint.book import (
    ACTION,
    FOLDS,
    NODE,
    ActionRecord,
    BookSection,
    SectionRecord,
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
    betting_is_over,
    follow_hand,
    readings_to_decide,
    remembered_section,
)
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from agents.policy.spots import check_or_fold, equity_against_one, opponents, raise_by
from agents.policy.view import Parameters, View, offer
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import CHECK_OR_CALL
from nlhe_env.jit.array_types import F32, U8, Float, Int
from nlhe_env.jit.compilation import kernel

_NODE_BYTES, _ACTION_BYTES = NODE.itemsize, ACTION.itemsize
_DOUBT = 0.1
"""Margin of equity over pot odds, because opponents do not play all hands."""


@kernel
def blueprint_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the book's strategy for the hand's bucket.

    If the betting has two readings, the actions of both nodes are offered, weighted by their
    shares.
    """
    book, table = parameters.traits.book, view.table
    readings = readings_to_decide(book, memory, table)
    if readings.first == LOST:
        _go_by_equity(view, 1.0)
        return
    section = remembered_section(book, memory)
    street = table.street
    hole_0, hole_1 = hole_cards(table, table.actor)
    bucket = card_bucket(
        hole_0,
        hole_1,
        table.cards[2 * table.seats : 2 * table.seats + 5],
        street,
        section.main[street],
        section.within[street],
        edges_at(book + section.edges[street]).values,
        view.strength_tables,
    )
    _offer_node(book, section, readings.first, bucket, 1.0 - readings.share, view)
    if readings.second != LOST:
        _offer_node(book, section, readings.second, bucket, readings.share, view)


@kernel
def _offer_node(
    book: Int, section: SectionRecord, place: Int, bucket: Int, share: Float, view: View
) -> None:
    """Offer the actions of a node, scaled by a share."""
    node = node_at(book + section.nodes + place * _NODE_BYTES)
    street = view.table.street
    if betting_is_over(node, street):
        # The book has no answer to a raise that it reads as a call.
        _go_by_equity(view, share)
        return
    chances = book + section.chances[street] + bucket * section.rows[street] + node.row
    total = 0.0
    for i in range(node.count):
        total += np.float64(byte_at(chances + i).value)
    if total == 0.0:
        return
    for i in range(node.count):
        action = action_at(book + section.actions + (node.first + i) * _ACTION_BYTES)
        chance = np.float64(byte_at(chances + i).value)
        offer(view, _at_table(view, action), share * chance / total)


@kernel
def _at_table(view: View, action: ActionRecord) -> Int:
    """Game action for a tree action; pot and stacks may differ from the tree's."""
    table, choices = view.table, view.choices
    if action.size == FOLDS:
        return check_or_fold(table)
    if action.size > 0.0 and choices.most > 0:
        if action.all_in:
            return choices.most
        return raise_by(table, np.float64(action.size), choices.least, choices.most)
    return np.int64(CHECK_OR_CALL)


@kernel
def _go_by_equity(view: View, share: Float) -> None:
    """Bet half the pot above the fair share, call by pot odds, else check or fold.

    The action is offered with weight ``share``.
    """
    table, choices = view.table, view.choices
    rivals = opponents(table)
    equity = equity_against_one(table, view.strength_tables) ** rivals
    fair = 1.0 / (rivals + 1.0)
    to_call = amount_to_call(table)
    price = to_call / (table.pot + to_call) if to_call > 0 else 0.0
    if equity > max(fair, price) + 2.0 * _DOUBT:
        offer(view, raise_by(table, 0.5, choices.least, choices.most), share)
    elif equity >= price + _DOUBT:
        offer(view, np.int64(CHECK_OR_CALL), share)
    else:
        offer(view, check_or_fold(table), share)


class BlueprintPlayer(CompiledPlayer):
    """A player that follows the strategy of a book.

    Args:
        book: Bytes of ``write_book``.
        name: Name for tables and plots.
        origin: Origin of the book.

    Raises:
        ValueError: The bytes are not a book, or are damaged.
    """

    book: U8

    def __init__(
        self, book: U8, name: str = "blueprint", origin: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(name, BLUEPRINT, book=book, origin=origin)

    @property
    def sections(self) -> list[BookSection]:
        """Sections of the book, one for each stack depth."""
        return read_book(self.book)


def _check_player(player: CompiledPlayer) -> None:
    check_book(player.book)


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
        player_class=BlueprintPlayer,
    )
)
