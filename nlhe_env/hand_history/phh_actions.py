"""Parser of the actions of a hand in PHH: dealt cards, shown cards and bets."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from nlhe_env.cards import N_CARDS, format_cards
from nlhe_env.game.table import MAX_SEATS
from nlhe_env.hand_history.form import BOARD_SIZES, card_bits, deal, tidy_cards
from nlhe_env.hand_history.record import CALL, FOLD, RAISE, Action

HOLE, BOARD, SHOW, NOTE = "dh", "db", "sm", "#"  # kinds of non-betting actions

_LONG = 200  # letters of a text that rarely repeats
_BETS = (CALL, FOLD, RAISE)
_AS_DEALT = "-"  # shown, and already recorded


@lru_cache(maxsize=16384)  # a file has few distinct texts
def parse_action(text: str) -> tuple[str, int, str, int]:
    """Kind, player, cards or amount, and bits of the cards of an action.

    Partly known hole cards have empty text, and the bit of the known card.

    Raises:
        ValueError: The text is not an action.
    """
    match text.partition("#")[0].split():
        case ["d", "dh", player, cards]:
            return HOLE, _position(player), *_hole(cards)
        case ["d", "db", cards]:
            return BOARD, 0, tidy_cards(cards), card_bits(cards)
        case [player, "sm"]:
            return SHOW, _position(player), "", 0
        case [player, "sm", "-"]:
            return SHOW, _position(player), _AS_DEALT, 0
        case [player, "sm", cards]:
            return SHOW, _position(player), *_hole(cards)
        case [player, ("f" | "cc") as kind]:
            return kind, _position(player), "", 0
        case [player, "cbr", amount]:
            return RAISE, _position(player), amount, 0
        case []:  # a comment alone
            return NOTE, 0, "", 0
        case _:
            raise ValueError(f"{text!r:.60} is not an action of Texas Hold'em")


def _position(player: str) -> int:
    position = _POSITIONS.get(player)
    if position is None:
        raise ValueError(f"a player must be p1 to p{MAX_SEATS}; got {player!r:.20}")
    return position


_POSITIONS = {f"p{position + 1}": position for position in range(MAX_SEATS)}


@lru_cache(maxsize=4096)
def _hole(text: str) -> tuple[str, int]:
    """Two cards and their bits; empty text unless both are known."""
    if set(text) == {"?"}:
        return "", 0
    cards = [card for card in (text[:2], text[2:]) if card != "??"]
    known = tidy_cards("".join(cards))
    if len(text) != 4:
        raise ValueError(f"hole cards must be two cards, As?? or ????; got {text!r:.20}")
    return (known if len(cards) == 2 else ""), card_bits(known)


class Actions:
    """Cards dealt, actions and cards shown in a hand, collected one by one.

    Args:
        n: Number of players.
        chips: Function that turns a text into chips; None if it is not an amount.

    Attributes:
        hole_cards: See ``record.Hand``.
        shown: See ``record.Hand``.
        board: See ``record.Hand``.
        actions: See ``record.Hand``.
        numbers: Numbers of these actions among all entries.
    """

    def __init__(self, n: int, chips: Callable[[str], int | None]) -> None:
        self._n, self._chips = n, chips
        self.hole_cards, self.shown = [""] * n, [False] * n
        self.board = ""
        self.actions: list[Action] = []
        self.numbers: list[int] = []
        self._dealt = [False] * n
        self._held = [0] * n  # bits of the known cards
        self._out = 0  # bits of the dealt cards
        self._board_cards = 0

    def note(self, number: int, text: Any) -> None:
        """Take the next entry.

        Raises:
            ValueError: The entry is not an action, or is impossible now.
        """
        text = str(text)
        parse = parse_action if len(text) < _LONG else parse_action.__wrapped__  # not to be kept
        kind, position, what, cards = parse(text)
        if position >= self._n:
            raise ValueError(f"a player must be p1 to p{self._n}; got 'p{position + 1}'")
        if kind in _BETS:
            to = 0
            if kind == RAISE:
                to = self._chips(what) or 0
                if to < 1:
                    raise ValueError(f"{what!r:.30} is not an amount")
            self.actions.append(Action(position, kind, to, self._board_cards))
            self.numbers.append(number)
        elif kind == HOLE:
            if self._dealt[position] or self.actions:
                raise ValueError(f"p{position + 1} already has cards")
            self._dealt[position] = True
            if cards:
                self._hold(position, what, cards)
        elif kind == BOARD:
            self._out = deal(cards, self._out)
            self.board += what
            self._board_cards = len(self.board) // 2
            if self._board_cards not in BOARD_SIZES:
                raise ValueError("the board must be dealt as flop, turn and river")
        elif kind == SHOW:
            if cards and cards != self._held[position]:
                self._hold(position, what, cards)
            self.shown[position] = bool(what and self.hole_cards[position])

    def _hold(self, position: int, what: str, cards: int) -> None:
        """Record a player's cards."""
        known = self._held[position] | cards
        if known.bit_count() > 2:
            held = self.hole_cards[position] or _names(self._held[position])
            raise ValueError(f"p{position + 1} was dealt {held}, not {what or _names(cards)}")
        self._out = deal(cards & ~self._held[position], self._out)
        self._held[position] = known
        if known.bit_count() == 2 and not self.hole_cards[position]:
            self.hole_cards[position] = what or _names(known)

    @property
    def missing(self) -> int | None:
        """The first player without dealt cards; None if all have cards."""
        return None if all(self._dealt) else self._dealt.index(False)


def _names(cards: int) -> str:
    return format_cards([card for card in range(N_CARDS) if cards >> card & 1])
