"""Text in the PHH format, version 0.0.2, to hands.

No-limit and fixed-limit Texas Hold'em (``NT`` and ``FT``) can be read, with any antes, straddles
and blinds. Of files by other programs the fields ``winnings`` (chips got out of the pots) and
losers who muck (``p1 sm ????``, or nothing at all) are understood too.
"""

from __future__ import annotations

import re
import reprlib
import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cached_property, partial
from typing import Any

from nlhe_env.cards import parse_cards
from nlhe_env.game.description import BETTING
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.hand_history.drafts import Draft
from nlhe_env.hand_history.errors import MOST_CHIPS, HandHistoryError, refuse_too_many
from nlhe_env.hand_history.phh_actions import BOARD, HOLE, SHOW, deal, parse_action, same
from nlhe_env.hand_history.record import RAISE, Action, Hand
from nlhe_env.hand_history.replay import HandError, check_hand

_BOARD_SIZES = (0, 3, 4, 5)
_MOST_FIELDS = 100  # of a hand; the format names about forty
_LARGEST_NUMBER = 2**53
_MOST_DECIMALS = 6
_MOST_DIGITS = 15
_WHOLE = {int}

# The TOML reader keeps every beginning of a dotted key, so that one of 20,000 parts takes 1.6 GB.
_DEEP_KEY = re.compile(
    r"""
    (?: ^ | (?<=[\s\[{,]) )
    (?: (?: [\w-]++ | "(?:[^"\\\n]|\\.)*+" | '[^'\n]*+' ) [ \t]*+ \. [ \t]*+ ){6}
    """,
    re.VERBOSE | re.MULTILINE,
)
_HEADER = re.compile(r"""[ \t]*+\[[ \t]*+["']?+([^"'\]]*+)""")


def read_hands(text: str, *, check: bool = True, most_hands: int | None = None) -> list[Hand]:
    """The hands of a ``.phh`` or ``.phhs`` file.

    Args:
        text: Of the file.
        check: Play every hand by the rules, and refuse those that are not possible.
        most_hands: Refuse a file of more hands, before any is played; ``None`` for no limit.

    Raises:
        HandHistoryError: The text is not of this format, or a hand is not possible; the message
            names the line.
    """
    where = _Lines(text)
    tables = read_tables(text)
    refuse_too_many(len(tables), most_hands)
    hands = []
    for key, table in tables.items():
        hands.append(_Reader(key, table, lambda: where).read(check=check))
    return hands


def read_table(
    table: Mapping[str, Any], text: str, *, first_line: int = 1, check: bool = True
) -> Draft | Hand:
    """One hand of a file; a draft if it is still to be checked.

    Args:
        table: The fields of the hand.
        text: In which they are written, nothing else.
        first_line: Of this text in the file.
        check: As in ``read_hands``.

    Raises:
        HandHistoryError: The hand is not possible.
    """
    reader = _Reader("", table, lambda: _Lines(text, first_line))
    hand = reader.read(check=False)
    if not check:
        return hand
    if reader.has_winnings:  # of which more follows than that the hand is possible
        return reader.check(hand)
    return Draft(hand, partial(reader.check, hand))


def read_tables(text: str) -> dict[str, Mapping[str, Any]]:
    """What the file says of each hand, by the key of the hand.

    Raises:
        HandHistoryError: It is not TOML, or certainly no hand history.
    """
    deep = _DEEP_KEY.search(text)
    if deep is not None:
        line = text.count("\n", 0, deep.start()) + 1
        raise HandHistoryError(line, "this is not a hand history: a key has too many parts")
    # Parsing takes long for what is not a hand at all; these counts take none.
    named = len(re.findall(r"""^[ \t]*+["']?variant""", text, re.MULTILINE))
    headers = len(re.findall(r"^[ \t]*+\[", text, re.MULTILINE))
    if text.count("=") > _MOST_FIELDS * (1 + named) or headers > _MOST_FIELDS + 2 * named:
        raise HandHistoryError(
            1, "this is not a hand history: most of it does not belong to a hand"
        )
    try:
        found = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at[1]) if at else text.count("\n") + 1
        raise HandHistoryError(line, f"this is not TOML: {error}") from None
    except RecursionError:
        raise HandHistoryError(1, "this is not a hand history: it is nested too deeply") from None
    except (ValueError, ArithmeticError) as error:
        raise HandHistoryError(1, f"a number in it cannot be read: {error}") from None
    if "variant" in found or not any(isinstance(value, dict) for value in found.values()):
        return {"": found}
    return {key: value for key, value in found.items() if isinstance(value, dict)}


class _Lines:
    """Where in a text the fields of its hands are."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        self._lines = text.splitlines()
        self._before = first_line - 1
        self._start = {"": 1}
        for number, line in enumerate(self._lines, 1):
            header = _HEADER.match(line)
            if header and "=" not in line:
                self._start.setdefault(header[1].rstrip(), number)

    def hand(self, key: str) -> int:
        return self._start.get(key, 1) + self._before

    def field(self, key: str, name: str) -> int:
        return self._field(key, name) + self._before

    def _field(self, key: str, name: str) -> int:
        first = self._start.get(key, 1)
        for number in range(first, len(self._lines) + 1):
            line = self._lines[number - 1]
            if re.match(rf"""\s*["']?{re.escape(name)}["']?\s*=""", line):
                return number
            if number > first and line.lstrip().startswith("[") and "=" not in line and key:
                break
        return first

    def action(self, key: str, i: int) -> int:
        """The line of the i-th text after ``actions =``."""
        first = self._field(key, "actions")
        seen = -1
        for number in range(first, len(self._lines) + 1):
            seen += len(re.findall(r"""'[^']*'|"[^"]*\"""", self._lines[number - 1]))
            if seen >= i:
                return number + self._before
        return first + self._before


class _Reader:
    """One hand of a file."""

    def __init__(self, key: str, table: Mapping[str, Any], where: Callable[[], _Lines]) -> None:
        self._key, self._table, self._find_lines = key, table, where
        self._unit = 1
        self._action_numbers: list[int] = []  # of the betting actions among all
        self._winnings: tuple[int, ...] | None = None

    @property
    def has_winnings(self) -> bool:
        """Whether the hand tells what everybody got out of the pots, and not what all had then."""
        return self._winnings is not None

    @cached_property
    def _where(self) -> _Lines:
        return self._find_lines()  # only where something is wrong

    def read(self, *, check: bool) -> Hand:
        """The hand, played by the rules if it is to be checked.

        Raises:
            HandHistoryError: It is not possible.
        """
        try:
            hand = self.hand()
        except HandHistoryError:
            raise
        except ValueError as error:  # such as a number of more digits than Python reads
            raise HandHistoryError(self._where.hand(self._key), str(error)) from None
        return self.check(hand) if check else hand

    def _refuse(self, name: str, problem: str) -> HandHistoryError:
        return HandHistoryError(self._where.field(self._key, name), problem)

    def _field(self, name: str, kind: type, default: Any = ...) -> Any:
        value = self._table.get(name, default)
        if type(value) is kind:
            return value
        if value is ...:
            raise HandHistoryError(self._where.hand(self._key), f"the hand has no field {name}")
        if value is not default and (
            not isinstance(value, kind) or (kind is int and isinstance(value, bool))
        ):
            raise self._refuse(name, f"{name} must be of type {kind.__name__}; got {_shown(value)}")
        return value

    def _number(self, name: str, least: int, default: int | None) -> Any:
        """A whole number that is neither chips nor a seat."""
        value = self._field(name, int, default)
        if value is not default and not least <= value <= _LARGEST_NUMBER:
            raise self._refuse(name, f"{name} must be {least} to {_LARGEST_NUMBER}")
        return value

    def hand(self) -> Hand:
        """The hand, its form checked."""
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
        stacks = self._amounts("starting_stacks", raw_stacks, n, least=1)
        if sum(stacks) > MOST_CHIPS:
            raise self._refuse("starting_stacks", f"at most {MOST_CHIPS} chips can be in play")
        max_bets = 0
        if variant == "NT":
            big = self._bet("min_bet")
        else:
            big = self._bet("small_bet")
            max_bets = self._number("_max_bets", 1, 0)
            self._must_be("big_bet", 2 * big, "two small bets")
        small, blinds = self._blinds(n, big)
        ante, dead = self._antes(n, stacks)
        hole_cards, board, actions, shown = self._read_actions(n)
        finishing = self._field("finishing_stacks", list, None)
        players = self._field("players", list, None) or []
        if not all(isinstance(name, str) and len(name) <= 100 for name in players):
            raise self._refuse("players", "players must be names of at most 100 letters")
        seats, seat_count = self._seats(n)
        finishing = finishing and self._amounts("finishing_stacks", finishing, n, least=0)
        winnings = None if finishing else self._field("winnings", list, None)
        if winnings:
            self._winnings = self._amounts("winnings", winnings, n, least=0)
        return Hand(
            stacks=stacks,
            hole_cards=hole_cards,
            board=board,
            second_board=self._second_board(board),
            actions=actions,
            small_blind=small,
            big_blind=big,
            ante=ante,
            blinds=blinds,
            dead=dead,
            betting=betting,
            max_bets=max_bets,
            shown=shown,
            finishing_stacks=finishing,
            rake=None if winnings else self._rake(finishing, stacks),
            players=tuple((*players, *(f"p{i + 1}" for i in range(len(players), n)))[:n]),
            seats=seats,
            seat_count=seat_count,
            number=self._number("hand", 0, None),
            level=self._number("level", 0, None),
            unit=self._unit if self._unit != 1 else self._number("_unit", 1, 1),
        )

    def check(self, hand: Hand) -> Hand:
        """Play the hand.

        Raises:
            HandHistoryError: It is not possible.
        """
        try:
            return check_hand(hand, self._winnings)
        except HandError as error:
            if error.action is None:
                line = self._where.hand(self._key)
            else:
                line = self._where.action(self._key, self._action_numbers[error.action])
            raise HandHistoryError(line, str(error)) from None
        except ValueError as error:
            raise HandHistoryError(self._where.hand(self._key), str(error)) from None

    # --- amounts ------------------------------------------------------------------------------

    def _find_unit(self) -> int:
        """100 where any amount is not whole: cents."""
        amounts = [
            *self._table.get("starting_stacks", []),
            *self._field("blinds_or_straddles", list),
            *self._field("antes", list),
            *(self._field("finishing_stacks", list, None) or []),
            *(self._field("winnings", list, None) or []),
        ]
        actions = " ".join(map(str, self._field("actions", list)))
        if "." in actions:
            amounts += re.findall(r"cbr\s+([\d.]+)", actions)
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
        """An amount in chips; ``None`` if it is none."""
        if isinstance(value, str) and value.isdecimal() and len(value) <= _MOST_DIGITS:
            value = int(value)
        if type(value) is int:
            return value * self._unit if abs(value) <= MOST_CHIPS else None
        if isinstance(value, bool) or not isinstance(value, (int, Decimal, str)):
            return None
        if isinstance(value, str) and not re.fullmatch(r"\d{1,15}(\.\d{1,6})?", value):
            return None
        number = Decimal(value)
        # Compared before it is calculated with: 1e999999999 would overflow, or fill the memory.
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

    def _must_be(self, name: str, amount: int, what: str) -> None:
        if self._chips(self._table.get(name)) != amount:
            raise self._refuse(
                name, f"{name} must be {what}, {amount}; got {_shown(self._table.get(name))}"
            )

    def _bet(self, name: str) -> int:
        """The size of the big blind, as the field of a bet tells it."""
        big = self._chips(self._table.get(name))
        if big is None or big < 2:
            raise self._refuse(
                name,
                f"{name} must be the big blind, at least 2 chips; "
                f"got {_shown(self._table.get(name))}",
            )
        return big

    def _blinds(self, n: int, big: int) -> tuple[int, tuple[int, ...]]:
        """The small blind, and what everybody posts where that is not the usual."""
        values = self._field("blinds_or_straddles", list)
        blinds = self._amounts("blinds_or_straddles", values, n, least=0)
        usual = blinds[0] <= big == blinds[1] and not any(blinds[2:])
        if not any(chips >= big for chips in blinds):
            raise self._refuse(
                "blinds_or_straddles",
                f"somebody must post a big blind of {big}; got {_shown(values)}",
            )
        small = blinds[0] if blinds[0] <= big else 0
        if n == 2:
            blinds = blinds[::-1]
        return small, () if usual else blinds

    def _antes(self, n: int, stacks: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """The ante of everybody, or what each puts in where that is not the same."""
        antes = self._amounts("antes", self._field("antes", list), n, least=0)
        if len(set(antes)) > 1:
            every = self._chips(self._table.get("_ante", 0))
            if every is None or not 0 <= every <= min(antes):
                raise self._refuse("_ante", "_ante must be the part of antes that everybody pays")
            return every, tuple(chips - every for chips in antes)
        trimmed = self._field("ante_trimming_status", bool, False)
        if min(stacks) < antes[0] and not trimmed:
            raise self._refuse(
                "antes",
                "who cannot pay the ante plays for a part of the pot here: this hand needs "
                "ante_trimming_status = true",
            )
        return antes[0], ()

    def _second_board(self, board: str) -> str:
        second = self._field("_second_board", str, "")
        if second:
            cards = parse_cards(second)
            if len(cards) != 5 or len(board) != 10:
                raise self._refuse("_second_board", "both boards must have five cards")
        return str(second)

    def _rake(self, finishing: tuple[int, ...] | None, stacks: tuple[int, ...]) -> int:
        """Chips that are missing at the end."""
        if finishing is None:
            return 0
        rake = sum(stacks) - sum(finishing)
        if rake < 0:
            raise self._refuse("finishing_stacks", "there are more chips at the end than before")
        return rake

    def _seats(self, n: int) -> tuple[tuple[int, ...], int]:
        seats = self._field("seats", list, None) or list(range(1, n + 1))
        whole = set(map(type, seats)) == _WHOLE and 1 <= min(seats) <= max(seats) <= MAX_SEATS
        if not whole or len(seats) != n or len(set(seats)) != n:
            raise self._refuse("seats", f"seats must be {n} different numbers from 1 to 10")
        count = self._field("seat_count", int, max(seats))
        if not max(seats) <= count <= MAX_SEATS:
            raise self._refuse("seat_count", f"seat_count must be {max(seats)} to 10; got {count}")
        return tuple(seat - 1 for seat in seats), count

    # --- actions ------------------------------------------------------------------------------

    def _read_actions(
        self, n: int
    ) -> tuple[tuple[str, ...], str, tuple[Action, ...], tuple[bool, ...]]:
        hole_cards = [""] * n
        dealt = [False] * n
        shown = [False] * n
        board = ""
        board_cards = 0
        actions: list[Action] = []
        out = 0  # of the deck, a bit for every card
        for i, text in enumerate(self._field("actions", list)):
            try:
                kind, position, what, cards = parse_action(str(text))
                if position >= n:
                    raise ValueError(f"a player must be p1 to p{n}; got 'p{position + 1}'")
                if kind == HOLE:
                    if dealt[position] or actions:
                        raise ValueError(f"p{position + 1} has cards already")
                    dealt[position] = True
                    hole_cards[position] = what
                    out = deal(what, cards, out)
                elif kind == BOARD:
                    board += what
                    out = deal(what, cards, out)
                    board_cards = len(board) // 2
                    if board_cards not in _BOARD_SIZES:
                        raise ValueError("the board comes as flop, turn and river")
                elif kind == SHOW:
                    if not hole_cards[position]:
                        hole_cards[position] = what
                        out = deal(what, cards, out)
                    elif what != hole_cards[position] and not same(what, hole_cards[position]):
                        raise ValueError(
                            f"p{position + 1} was dealt {hole_cards[position]}, not {what}"
                        )
                    shown[position] = bool(what)
                else:
                    to = 0
                    if kind == RAISE:
                        chips = self._chips(what)
                        if chips is None or chips < 1:
                            raise ValueError(f"{what!r:.30} is not an amount")
                        to = chips
                    actions.append(Action(position, kind, to, board_cards))
                    self._action_numbers.append(i)
            except ValueError as error:
                line = self._where.action(self._key, i)
                raise HandHistoryError(line, str(error)) from None
        if not all(dealt):
            raise self._refuse("actions", f"p{dealt.index(False) + 1} gets no hole cards")
        return tuple(hole_cards), board, tuple(actions), tuple(shown)


def _shown(value: Any) -> str:
    """A value of the file in a message, cut where it is long."""
    try:
        return f"{reprlib.repr(value):.60}"
    except ValueError:  # a number of very many digits
        return "a number that is far too large"
