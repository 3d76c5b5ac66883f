"""Reader of hands in the PHH format, version 0.0.2.

The reader supports no-limit and fixed-limit Texas Hold'em (``NT`` and ``FT``) with any antes,
straddles and blinds. From other programs it also accepts the field ``winnings`` (chips collected
from the pots) and mucking losers (``p1 sm ????``, or no entry).

Hands of a file are read separately: a line such as ``[1]`` begins a hand. So a damaged hand does
not affect others, and numbers may repeat, as in concatenated files.

The fields of a hand are TOML, read line by line if possible. Files of many hands have only simple
lines: a name and a number, a string, or a list of either. These are read here, as JSON, several
times as fast as by a full TOML parser, which reads the whole hand if any line is not simple. Simple
lines have the same meaning in both. All quantifiers are possessive (``*+``), so the time is linear
in the length of a line.
"""

from __future__ import annotations

import io
import json
import re
import reprlib
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import time
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, NamedTuple

from nlhe_env.cards import N_CARDS, format_cards
from nlhe_env.game.description import BETTING
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.hand_history.errors import MOST_CHIPS, HandHistoryError, refuse_too_many
from nlhe_env.hand_history.form import (
    BOARD_SIZES,
    LARGEST_NUMBER,
    card_bits,
    check_form,
    deal,
    tidy_cards,
)
from nlhe_env.hand_history.hand_builder import HandDraft, Read, batches, chunks
from nlhe_env.hand_history.record import CALL, FOLD, RAISE, Action, Hand
from nlhe_env.hand_history.replay import HandError, check_hand
from nlhe_env.system.toml_text import DEEP_KEY

_MOST_DECIMALS = 6
_AMOUNT = re.compile(r"[0-9]{1,15}+(?:\.[0-9]{1,6}+)?")
_RAISED_TO = re.compile(r"cbr\s++([0-9.]++)")
_WHOLE = {int}
_INFINITE = Decimal("inf")  # an unknown stack
_UNKNOWN_STACK = 100  # big blinds of a player whose stack is not known, or as many as are needed


HOLE, BOARD, SHOW, NOTE = "dh", "db", "sm", "#"  # kinds of non-betting actions

_BETS = (CALL, FOLD, RAISE)
_AS_DEALT = "-"  # shown, and already recorded


_MOST_FIELDS = 100  # of a hand; the format has about forty

_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
_NOT_SIMPLE = ("null", "NaN", "Infinity", "{", "\\")  # what differs between JSON and TOML
_decode = json.JSONDecoder(parse_float=Decimal, parse_constant=Decimal).decode


def read_fields(lines: Sequence[str], first_line: int = 1) -> dict[str, Any]:
    """Fields of a hand as in TOML, with floats as ``Decimal``.

    Args:
        lines: Lines of one hand without its header, each without its end.
        first_line: Number of the first line.

    Raises:
        HandHistoryError: The lines are not TOML, or cannot be a hand history.
    """
    fields: dict[str, Any] = {}
    for line in lines:
        found = (_read_line if len(line) < _LONG else simple_line)(line)
        if found is None or found[0] in fields:
            return _parse("\n".join(lines), first_line)
        if found[0]:
            fields[found[0]] = found[1]
    return fields


def simple_line(line: str) -> tuple[str, Any] | None:
    """Name and value of a line; an empty name for a line without content, None if not simple."""
    if not line or (line[0] == "#" and line.isprintable()):
        return "", None
    name, _, text = line.partition(" = ")
    if not (name.isascii() and name.isidentifier() and text.isprintable()):
        return None
    if _TIME.fullmatch(text):
        return name, time.fromisoformat(text)
    if text.count("[") > 1 or any(each in text for each in _NOT_SIMPLE):
        return None
    quoted = text if '"' in text else text.replace("'", '"')
    try:
        return name, _decode(quoted if '"' in quoted else text.replace("inf", "Infinity"))
    except (ValueError, ArithmeticError):
        value, comment, _ = text.partition("#")
        return simple_line(f"{name} = {value}") if comment else None


_read_line = lru_cache(maxsize=4096)(simple_line)
_LONG = 200  # characters of a line that rarely repeats


def _parse(text: str, first_line: int) -> dict[str, Any]:
    """The fields, by a full TOML parser."""
    deep = DEEP_KEY.search(text)
    if deep is not None:
        line = text.count("\n", 0, deep.start()) + first_line
        raise HandHistoryError(line, "this is not a hand history: a key has too many parts")
    # Parsing is slow for texts that are not hands; these counts are fast.
    named = len(re.findall(r"""^[ \t]*+["']?variant""", text, re.MULTILINE))
    tables = len(re.findall(r"^[ \t]*+\[", text, re.MULTILINE))
    if text.count("=") > _MOST_FIELDS * (1 + min(named, 1)) or tables > _MOST_FIELDS:
        raise HandHistoryError(
            first_line, "this is not a hand history: most of it does not belong to a hand"
        )
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at[1]) - 1 if at else text.count("\n")
        problem = re.sub(r"at line \d+, ", "at ", str(error))  # its line numbers start at this hand
        raise HandHistoryError(line + first_line, f"this is not TOML: {problem}") from None
    except RecursionError:
        problem = "this is not a hand history: it is nested too deeply"
        raise HandHistoryError(first_line, problem) from None
    except (ValueError, ArithmeticError) as error:
        raise HandHistoryError(first_line, f"a number in it cannot be read: {error}") from None


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


def read_hands(text: str, *, check: bool = True, most_hands: int | None = None) -> list[Hand]:
    """Read the hands of a ``.phh`` or ``.phhs`` text by the rules of ``stream_hands``.

    Args:
        text: Text of the file.
        check: Replay every hand, and reject impossible hands.
        most_hands: Maximum number of hands, checked before any replay; ``None`` for no limit.

    Raises:
        HandHistoryError: The text has another format, or a hand is invalid; the message names the
            line.
    """
    found = list(sections(enumerate(io.StringIO(text, newline=None), 1)))
    refuse_too_many(len(found), most_hands)
    if not found:
        raise HandHistoryError(1, "there is no hand in this text")
    hands = []
    for batch in batches(_read_all(found, check), check=check):
        for hand in batch.reads():
            if isinstance(hand, HandHistoryError):
                raise hand
            hands.append(hand)
    return hands


def read_lines(numbered: Iterable[tuple[int, str]], *, check: bool) -> Iterator[HandDraft | Read]:
    """The hands of numbered lines; see ``nlhe_env.hand_history.stream_hands``."""
    return _read_all(sections(numbered), check)


def _read_all(
    found: Iterable[HandSection | HandHistoryError], check: bool
) -> Iterator[HandDraft | Read]:
    for section in found:
        if isinstance(section, HandHistoryError):
            yield section
            continue
        try:
            yield _read_section(section, check)
        except HandHistoryError as error:
            yield error


def _read_section(section: HandSection, check: bool) -> HandDraft | Hand:
    """A hand, or a draft if it must still be checked."""
    reader = _Reader(read_fields(section.lines, section.first_line), section)
    try:
        hand = reader.hand()
        check_form(hand)
    except HandHistoryError:
        raise
    except ValueError as error:  # such as a number with too many digits for Python
        raise HandHistoryError(section.first_line, str(error)) from None
    if not check:
        return hand
    if reader.has_winnings:  # stacks and rake follow from them
        return reader.check(hand)
    return HandDraft(hand, partial(reader.check, hand))


class _Reader:
    """One hand of a file."""

    def __init__(self, table: Mapping[str, Any], section: HandSection) -> None:
        self._table, self._section = table, section
        self._unit = 1
        self._action_numbers: list[int] = []  # of the betting actions among all actions
        self._winnings: tuple[int, ...] | None = None

    @property
    def has_winnings(self) -> bool:
        """Whether the hand has chips collected from the pots instead of final stacks."""
        return self._winnings is not None

    def _refuse(self, name: str, problem: str) -> HandHistoryError:
        return HandHistoryError(self._section.field(name), problem)

    def _field(self, name: str, kind: type, default: Any = ...) -> Any:
        value = self._table.get(name, default)
        if type(value) is kind:
            return value
        if value is ...:
            raise HandHistoryError(self._section.first_line, f"the hand has no field {name}")
        if value is not default and (
            not isinstance(value, kind) or (kind is int and isinstance(value, bool))
        ):
            raise self._refuse(name, f"{name} must be of type {kind.__name__}; got {_shown(value)}")
        return value

    def _number(self, name: str, least: int, default: int | None) -> Any:
        """An integer that is neither chips nor a seat."""
        value = self._field(name, int, default)
        if value is not default and not least <= value <= LARGEST_NUMBER:
            raise self._refuse(name, f"{name} must be {least} to {LARGEST_NUMBER}")
        return value

    def _number_or_text(self, name: str) -> int | None:
        """A number; None for a name instead."""
        return None if isinstance(self._table.get(name), str) else self._number(name, 0, None)

    def hand(self) -> Hand:
        """The hand, with checked fields."""
        variant = self._field("variant", str)
        if variant not in ("NT", "FT"):
            raise self._refuse(
                "variant",
                "only Texas Hold'em can be read, no-limit (NT) or fixed-limit (FT); "
                f"got {variant!r:.20}",
            )
        betting = "fixed-limit" if variant == "FT" else self._field("_betting", str, "no-limit")
        if betting not in BETTING:
            raise self._refuse("_betting", f"_betting must be one of {', '.join(BETTING)}")
        raw_stacks = self._field("starting_stacks", list)
        n = len(raw_stacks)
        if not MIN_SEATS <= n <= MAX_SEATS:
            raise self._refuse("starting_stacks", f"a hand has 2 to 10 players; got {n}")
        self._unit = self._find_unit()
        unknown = tuple([stack == _INFINITE for stack in raw_stacks])
        known = [stack for stack in raw_stacks if stack != _INFINITE]
        stacks = self._amounts("starting_stacks", known, len(known), least=1)
        max_bets = 0
        if variant == "NT":
            big = self._bet("min_bet")
        else:
            big = self._bet("small_bet")
            max_bets = self._number("_max_bets", 1, 0)
            self._check_big_bet(2 * big)
        small, blinds, missed = self._blinds(n, big)
        ante, dead = self._antes(n, stacks)
        if any(missed):
            dead = tuple(map(sum, zip(dead or missed, missed if dead else (0,) * n, strict=True)))
        noted = self._actions(n)
        players = self._field("players", list, None) or []
        seats, seat_count = self._seats(n)
        finishing, rake = self._results(n, stacks)
        hand = Hand(
            stacks=stacks,
            hole_cards=tuple(noted.hole_cards),
            board=noted.board,
            second_board=self._second_board(noted.board),
            actions=tuple(noted.actions),
            small_blind=small,
            big_blind=big,
            ante=ante,
            blinds=blinds,
            dead=dead,
            betting=betting,
            max_bets=max_bets,
            shown=tuple(noted.shown),
            finishing_stacks=finishing,
            rake=rake,
            players=tuple((*players, *(f"p{i + 1}" for i in range(len(players), n)))[:n]),
            seats=seats,
            seat_count=seat_count,
            number=self._number_or_text("hand"),
            event=str(self._table.get("event", "")),
            level=self._number_or_text("level"),
            unit=self._unit if self._unit != 1 else self._number("_unit", 1, 1),
        )
        return _with_unknown_stacks(hand, unknown) if any(unknown) else hand

    def check(self, hand: Hand) -> Hand:
        """Play the hand.

        Raises:
            HandHistoryError: The hand is not possible.
        """
        try:
            return check_hand(hand, self._winnings)
        except HandError as error:
            line = self._section.first_line
            if error.action is not None:
                line = self._section.action(self._action_numbers[error.action])
            raise HandHistoryError(line, str(error)) from None
        except ValueError as error:
            raise HandHistoryError(self._section.first_line, str(error)) from None

    # --- amounts ------------------------------------------------------------------------------

    def _find_unit(self) -> int:
        """100 if any amount is fractional, or the big blind is 1 (both cents), else 1."""
        if self._table.get("min_bet", self._table.get("small_bet")) == 1:
            return 100  # a big blind has at least two chips
        amounts = [
            *self._table.get("starting_stacks", []),
            *self._field("blinds_or_straddles", list),
            *self._field("antes", list),
            *(self._field("finishing_stacks", list, None) or []),
            *(self._field("winnings", list, None) or []),
        ]
        actions = " ".join(map(str, self._field("actions", list)))
        if "." in actions:
            amounts += _RAISED_TO.findall(actions)
        if set(map(type, amounts)) == _WHOLE:
            return 1
        for amount in amounts:
            if isinstance(amount, (Decimal, str)):
                try:
                    number = Decimal(amount)
                except ArithmeticError:
                    continue
                if number.is_finite() and number != number.to_integral_value():
                    return 100
        return 1

    def _chips(self, value: Any) -> int | None:
        """An amount in chips; ``None`` if the value is not one."""
        if isinstance(value, str):
            if _AMOUNT.fullmatch(value) is None:
                return None
            value = Decimal(value) if "." in value else int(value)
        if type(value) is int:
            return value * self._unit if abs(value) <= MOST_CHIPS else None
        if not isinstance(value, Decimal):
            return None
        number = value
        # Compared before any arithmetic: 1e999999999 would overflow, or fill the memory.
        if not number.is_finite() or not -MOST_CHIPS <= number <= MOST_CHIPS:
            return None
        if number and number.adjusted() < -_MOST_DECIMALS:
            return None
        number *= self._unit
        return int(number) if number == number.to_integral_value() else None

    def _amounts(self, name: str, values: list[Any], n: int, *, least: int) -> tuple[int, ...]:
        are_whole = len(values) == n and set(map(type, values)) == _WHOLE
        if are_whole and least <= min(values) and max(values) <= MOST_CHIPS:
            unit = self._unit
            return tuple(values) if unit == 1 else tuple([value * unit for value in values])
        chips = [self._chips(value) for value in values]
        if len(chips) != n or any(amount is None or amount < least for amount in chips):
            raise self._refuse(name, f"{name} must be {n} amounts of at least {least}")
        return tuple(amount for amount in chips if amount is not None)

    def _check_big_bet(self, amount: int) -> None:
        given = self._table.get("big_bet")
        if self._chips(given) != amount:
            raise self._refuse(
                "big_bet", f"big_bet must be two small bets, {amount}; got {_shown(given)}"
            )

    def _bet(self, name: str) -> int:
        """The big blind, from the field of the smallest bet."""
        big = self._chips(self._table.get(name))
        if big is None or big < 2:
            raise self._refuse(
                name,
                f"{name} must be the big blind, at least 2 chips; "
                f"got {_shown(self._table.get(name))}",
            )
        return big

    def _blinds(self, n: int, big: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """Small blind, blinds by player if unusual, and dead chips.

        Other programs write posts of returning players as negative amounts: the big blind is a bet,
        a missed small blind is dead.
        """
        values = self._field("blinds_or_straddles", list)
        blinds = self._amounts("blinds_or_straddles", values, n, least=-MOST_CHIPS)
        if min(blinds[:2]) < 0:
            problem = f"the first two players must post at least 0; got {_shown(values)}"
            raise self._refuse("blinds_or_straddles", problem)
        posted = tuple([chips if chips >= 0 else big * (-chips >= big) for chips in blinds])
        missed = tuple(
            [0 if chips >= 0 else -chips - bet for chips, bet in zip(blinds, posted, strict=True)]
        )
        if n == 2 and posted[1] < min(big, posted[0]):
            raise self._refuse(
                "blinds_or_straddles",
                "heads-up, the small blind of the button comes first, then the big blind; got "
                f"{_shown(values)}",
            )
        if not any(chips >= big for chips in posted):
            raise self._refuse(
                "blinds_or_straddles",
                f"a player must post a big blind of {big}; got {_shown(values)}",
            )
        small = posted[0] if posted[0] <= big else 0
        if "_small_blind" in self._table:  # which no player has posted
            small = self._amounts("_small_blind", [self._table["_small_blind"]], 1, least=0)[0]
            if small > big:
                raise self._refuse("_small_blind", f"_small_blind must be at most {big}")
        usual = (posted[0], posted[1]) == (small, big) and not any(posted[2:])
        if n == 2:
            posted = posted[::-1]
        return small, () if usual else posted, missed

    def _antes(self, n: int, stacks: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """The common ante, and the extra chips of each player if antes differ."""
        antes = self._amounts("antes", self._field("antes", list), n, least=0)
        if n == 2:
            antes = antes[::-1]  # as the blinds: PHH turns both around by itself
        if len(set(antes)) > 1:
            every = self._chips(self._table.get("_ante", 0))
            if every is None or not 0 <= every <= min(antes):
                raise self._refuse("_ante", "_ante must be the part of antes that all players pay")
            return every, tuple(chips - every for chips in antes)
        trimmed = self._field("ante_trimming_status", bool, False)
        if min(stacks, default=antes[0]) < antes[0] and not trimmed:
            raise self._refuse(
                "antes",
                "a player who cannot pay the whole ante plays for part of the pot here: this hand "
                "needs ante_trimming_status = true",
            )
        return antes[0], ()

    def _second_board(self, board: str) -> str:
        second = self._field("_second_board", str, "")
        if second:
            second = tidy_cards(second)
            if len(second) != 10 or len(board) != 10:
                raise self._refuse("_second_board", "both boards must have five cards")
        return str(second)

    def _results(
        self, n: int, stacks: tuple[int, ...]
    ) -> tuple[tuple[int, ...] | None, int | None]:
        """Final stacks and rake, if recorded; winnings are stored separately."""
        finishing = self._field("finishing_stacks", list, None)
        if finishing and len(stacks) == n and _INFINITE not in finishing:
            after = self._amounts("finishing_stacks", finishing, n, least=0)
            rake = sum(stacks) - sum(after)
            if rake < 0:
                problem = "there are more chips at the end than before"
                raise self._refuse("finishing_stacks", problem)
            return after, rake
        written = self._table.get("_rake")
        taken = None if written is None else self._amounts("_rake", [written], 1, least=0)[0]
        winnings = self._field("winnings", list, None)
        amounts = self._amounts("winnings", winnings, n, least=0) if winnings else ()
        # Files without results have zeros.
        if any(amounts) or (amounts and taken):
            self._winnings = amounts
        return None, taken

    def _seats(self, n: int) -> tuple[tuple[int, ...], int]:
        seats = self._field("seats", list, None) or list(range(1, n + 1))
        whole = set(map(type, seats)) == _WHOLE and 1 <= min(seats) <= max(seats) <= MAX_SEATS
        if not whole or len(seats) != n or len(set(seats)) != n:
            raise self._refuse("seats", f"seats must be {n} different numbers from 1 to 10")
        count = self._field("seat_count", int, max(seats))
        if not max(seats) <= count <= MAX_SEATS:
            raise self._refuse("seat_count", f"seat_count must be {max(seats)} to 10; got {count}")
        return tuple(seat - 1 for seat in seats), count

    def _actions(self, n: int) -> Actions:
        noted = Actions(n, self._chips)
        for i, text in enumerate(self._field("actions", list)):
            try:
                noted.note(i, text)
            except ValueError as error:
                raise HandHistoryError(self._section.action(i), str(error)) from None
        if noted.missing is not None:
            raise self._refuse("actions", f"p{noted.missing + 1} gets no hole cards")
        self._action_numbers = noted.numbers
        return noted


def _with_unknown_stacks(hand: Hand, unknown: tuple[bool, ...]) -> Hand:
    """The hand with sufficient stacks for players with unknown stacks."""
    raised: dict[int, int] = {}
    for action in hand.actions:
        raised[action.board_cards] = max(action.to, raised.get(action.board_cards, 0))
    put_in = hand.ante + max(hand.dead, default=0) + max(hand.posted) + sum(raised.values())
    deep = max(_UNKNOWN_STACK * hand.big_blind, put_in + hand.big_blind)
    known = iter(hand.stacks)
    stacks = tuple(deep if is_unknown else next(known) for is_unknown in unknown)
    return replace(hand, stacks=stacks, unknown_stacks=unknown)


def _shown(value: Any) -> str:
    """A value of the file for a message, shortened if long."""
    try:
        return f"{reprlib.repr(value):.60}"
    except ValueError:  # a number with very many digits
        return "a number that is far too large"


_HEADER = re.compile(r"[ \t]*+\[[^\[\]=,]*+\][ \t]*+(?:#.*)?")
_VARIANT = re.compile(r"""[ \t]*+["']?variant["']?[ \t]*+=""")
_TEXT = re.compile(r"""'[^']*+'|"[^"]*+\"""")


class HandSection(NamedTuple):
    """Lines of one hand of a file."""

    first_line: int
    """Number of the first line."""
    lines: Sequence[str]
    """Lines without the header, each without its end."""

    def field(self, name: str) -> int:
        """Line of a field, or the first line if there is none."""
        pattern = re.compile(rf"""\s*+["']?{re.escape(name)}["']?\s*+=""")
        for number, line in enumerate(self.lines, self.first_line):
            if pattern.match(line):
                return number
        return self.first_line

    def action(self, i: int) -> int:
        """Line of the i-th string after ``actions =``."""
        first = self.field("actions")
        seen = -1
        for number, line in enumerate(self.lines[first - self.first_line :], first):
            seen += len(_TEXT.findall(line))
            if seen >= i:
                return number
        return first


def starts_hand(line: str) -> bool:
    """Whether a line is the header of a hand."""
    return line.lstrip(" \t")[:1] == "[" and _HEADER.fullmatch(line.rstrip("\r\n")) is not None


def sections(numbered: Iterable[tuple[int, str]]) -> Iterator[HandSection | HandHistoryError]:
    """Hands of numbered lines, with an error for a hand of too many lines.

    Text before the first header is a hand if it names a variant or nothing follows.
    """
    before: HandSection | None = None
    for chunk in chunks(numbered, starts_hand):
        if isinstance(chunk, HandHistoryError):
            yield chunk
            continue
        first_line, raw = chunk
        lines = [line.rstrip("\r\n") for line in raw]
        if starts_hand(lines[0]):
            before = None
            yield HandSection(first_line + 1, lines[1:])
        elif any(map(_VARIANT.match, lines)):
            yield HandSection(first_line, lines)
        elif not all(_says_nothing(line) for line in lines):
            before = HandSection(first_line, lines)
    if before is not None:
        yield before


def _says_nothing(line: str) -> bool:
    return line.lstrip(" \t")[:1] in ("", "#")
