"""The texts of the actions in a hand in PHH."""

from __future__ import annotations

from functools import lru_cache

from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.hand_history.record import RAISE

HOLE, BOARD, SHOW = "dh", "db", "sm"  # kinds of what is no action of betting


@lru_cache(maxsize=16384)  # the texts of a file are few
def parse_action(text: str) -> tuple[str, int, str, int]:
    """Kind, player, cards or amount, and the bits of the cards, of one of the actions.

    Raises:
        ValueError: It is none.
    """
    match text.split("#")[0].split():
        case ["d", "dh", player, cards]:
            return HOLE, _position(player), *_hole(cards)
        case ["d", "db", cards]:
            return BOARD, 0, cards, _bits(cards)
        case [player, "sm", *cards] if len(cards) < 2:
            seen = _hole(cards[0]) if cards and cards[0] != "-" else ("", 0)
            return SHOW, _position(player), *seen
        case [player, ("f" | "cc") as kind]:
            return kind, _position(player), "", 0
        case [player, "cbr", amount]:
            return RAISE, _position(player), amount, 0
        case _:
            raise ValueError(f"{text!r:.60} is not an action of Texas Hold'em")


def _position(player: str) -> int:
    position = _POSITIONS.get(player)
    if position is None:
        raise ValueError(f"a player must be p1 to p{MAX_SEATS}; got {player!r:.20}")
    return position


_POSITIONS = {f"p{position + 1}": position for position in range(MAX_SEATS)}


def _bits(text: str) -> int:
    """A bit for every card."""
    return sum(1 << card for card in parse_cards(text))


def deal(text: str, cards: int, out: int) -> int:
    """Take cards out of the deck; returns what is out then.

    Raises:
        ValueError: One is out already.
    """
    if out & cards:
        twice = next(card for card in parse_cards(text) if out >> card & 1)
        raise ValueError(f"the card {CARD_NAMES[twice]} is dealt twice")
    return out | cards


@lru_cache(maxsize=4096)
def _hole(text: str) -> tuple[str, int]:
    """Two cards and their bits, or nothing where they are not known."""
    if set(text) == {"?"}:
        return "", 0
    if "?" in text or len(parse_cards(text)) != 2:
        raise ValueError(f"hole cards must be two cards or ????; got {text!r:.20}")
    return text, _bits(text)


def same(seen: str, dealt: str) -> bool:
    """Whether the cards that are shown, if any, are those that were dealt."""
    return not seen or set(parse_cards(seen)) == set(parse_cards(dealt))
