"""Options of ``reset`` for the first hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nlhe_env.arguments import one_of
from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.game.description import Game, GameArrays, read_stacks

_OPTIONS = ("button", "stacks", "hole_cards", "board", "second_board")
# PettingZoo's api_test passes this key to see that options are accepted.
_IGNORED = "options"


@dataclass(frozen=True)
class FirstHand:
    """Preset button, stacks and cards of the first hand; the seed determines the rest."""

    button: int | None = None
    stacks: tuple[int, ...] | None = None
    hole_cards: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Player's number -> two cards."""
    board: dict[int, int] = field(default_factory=dict)
    """Position in the deck -> card."""

    def apply(self, arrays: GameArrays) -> None:
        """Apply the options to a newly seated game."""
        table, players = arrays.tables[0], arrays.players
        if self.button is not None:
            table["button"] = self.button
        if self.stacks is not None:
            arrays.tables["stack"][players["table"], players["seat"]] = self.stacks
        for player, cards in self.hole_cards.items():
            first = 2 * players["seat"][player]
            table["cards"][first : first + 2] = cards
        for position, card in self.board.items():
            table["cards"][position] = card
        if self.hole_cards or self.board:
            table["preset_cards"] = 1


NOTHING = FirstHand()


def read_options(game: Game, options: Mapping[str, Any], number_of: Mapping[str, int]) -> FirstHand:
    """The checked options of a reset.

    Args:
        game: The game.
        options: See ``raw_env.reset``.
        number_of: Player number of each agent name.

    Raises:
        ValueError: An option is unknown or impossible; the message names it.
    """
    if not isinstance(options, Mapping):
        raise ValueError(
            f"options must be a dictionary of {', '.join(_OPTIONS)}, or None; got {options!r}"
        )
    given = {name: value for name, value in options.items() if name != _IGNORED}
    if not given:
        return NOTHING
    n = len(number_of)
    n_tables, seats = game.tables(n), game.seats(n)
    for name in given:
        one_of("a reset option", name, _OPTIONS)
        if name != "stacks" and n_tables > 1:
            raise ValueError(
                f"the reset option {name} needs a single table; this game has {n_tables}"
            )
    button = given.get("button")
    if button is not None and (isinstance(button, (bool, float)) or button not in range(seats)):
        raise ValueError(
            f"the reset option button must be a seat in 0 .. {seats - 1}; got {button!r}"
        )
    stacks = given.get("stacks")
    if stacks is not None:
        stacks = _read_stacks(stacks, n)
        most = sum(game.stacks(n))
        if sum(stacks) > most:
            raise ValueError(
                f"the reset option stacks must not total more than starting_stack ({most} chips), "
                f"which the spaces are made for; got {list(stacks)}"
            )
    if given.get("second_board") and game.boards < 2:
        raise ValueError("the reset option second_board needs a game with boards=2")
    return FirstHand(button, stacks, *_preset_cards(seats, given, number_of))


def _read_stacks(stacks: Any, n: int) -> tuple[int, ...]:
    """Chips of every player in the first hand."""
    name = "the reset option stacks"
    read = read_stacks(name, stacks)
    if not isinstance(read, tuple):
        return (read,) * n
    if len(read) != n:
        raise ValueError(f"{name} must be one number for each of the {n} players; got {stacks!r}")
    return read


def _preset_cards(
    seats: int, options: Mapping[str, Any], number_of: Mapping[str, int]
) -> tuple[dict[int, tuple[int, ...]], dict[int, int]]:
    """Hole cards by player and boards by position, in the format of ``FirstHand``."""
    in_hand: dict[int, tuple[int, ...]] = {}
    preset: dict[int, int] = {}
    used: dict[int, str] = {}

    def use(card: int, owner: str) -> None:
        if card in used:
            raise ValueError(
                f"card {CARD_NAMES[card]} is given twice: to {used[card]} and to {owner}"
            )
        used[card] = owner

    hole_cards = options.get("hole_cards", {})
    if not isinstance(hole_cards, Mapping):
        raise ValueError(
            f'the reset option hole_cards must look like {{"player_0": "AsKd"}}; got {hole_cards!r}'
        )
    for agent, text in hole_cards.items():
        number = number_of[one_of("an agent in hole_cards", agent, tuple(number_of))]
        cards = parse_cards(text)
        if len(cards) != 2:
            raise ValueError(f"hole cards must be two cards; got {text!r} for {agent}")
        for card in cards:
            use(card, agent)
        in_hand[number] = cards
    board = _board("board", options)
    for i, card in enumerate(board):
        use(card, "the board")
        preset[2 * seats + i] = card
    for i, card in enumerate(_board("second_board", options)):
        if card not in board[i : i + 1]:  # otherwise both boards share it
            use(card, "the second board")
            preset[2 * seats + 5 + i] = card
    return in_hand, preset


def _board(name: str, options: Mapping[str, Any]) -> tuple[int, ...]:
    cards = parse_cards(options.get(name, ""))
    if len(cards) > 5:
        raise ValueError(f"the {name} must be at most five cards; got {options[name]!r}")
    return cards
