"""The lines of the Annual Computer Poker Competition: match states, responses and log lines.

Source: ACPC, "Protocol Specification", version 2.0.0 (2010), for Texas Hold'em with 2 to 10
players. Everything here is text in, values out, and back; no socket and no rule of the game.

Positions count from the small blind: 0 is the first seat left of the button, the last is the
button. Heads-up the button posts the small blind ("reverse blinds"), so 0 is the big blind and 1
the button. In no-limit the number of a raise is all chips that the player has put into the pot
during the hand, blinds and earlier streets included.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nlhe_env.cards import parse_cards
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS

VERSION_LINE = "VERSION:2.0.0"
COMMENT_MARKS = ("#", ";")
N_STREETS = 4

_NUMBER = re.compile("[0-9]{1,15}")
_ACTION = re.compile("([fcr])([0-9]{0,15})")
_VERSION = re.compile(r"VERSION:([0-9]+)\.([0-9]+)\.([0-9]+)")
_CARDS_DEALT = (0, 3, 1, 1)  # on each street
_SHOWN_LENGTH = 120  # of a bad line in a message
_LONGEST = 600  # message


class ProtocolError(ValueError):
    """A line that does not follow the protocol, or does not fit the match.

    Args:
        text: What is wrong; cut if it quotes too much of a line.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")


class ProtocolAction(NamedTuple):
    """Fold, call (or check) or raise (or bet)."""

    kind: str
    """``"f"``, ``"c"`` or ``"r"``."""
    total: int | None = None
    """Chips put in during the whole hand after a no-limit raise."""

    def __str__(self) -> str:
        return self.kind if self.total is None else f"{self.kind}{self.total}"


FOLD = ProtocolAction("f")
CALL = ProtocolAction("c")


@dataclass(frozen=True, slots=True)
class MatchState:
    """State of a match as the dealer sends it to one player, the text after ``MATCHSTATE:``."""

    position: int
    """Position of the player who receives it."""
    hand_number: int
    """From 0."""
    betting: str
    """Such as ``"cr300c/cc/"``: the actions of every street reached so far."""
    hole_cards: tuple[str, ...]
    """By position; empty where they are not known."""
    board: tuple[str, ...]
    """The cards of every street reached after the first, such as ``("2c3dKh", "Ts")``."""

    def __str__(self) -> str:
        return f"MATCHSTATE:{self.position}:{self.hand_number}:{self.betting}:" + format_cards(
            self.hole_cards, self.board
        )

    def asks_the_same_as(self, other: MatchState) -> bool:
        """Whether both are the same for the player who is asked; others' cards do not count."""
        return (
            self.position == other.position
            and self.hand_number == other.hand_number
            and self.betting == other.betting
            and self.board == other.board
            and self.hole_cards[self.position] == other.hole_cards[self.position]
        )


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """One line of a log, the text after ``STATE:``; everything by position."""

    hand_number: int
    betting: str
    hole_cards: tuple[str, ...]
    board: tuple[str, ...]
    net: tuple[float, ...]
    """Chips won or lost; some programs write fractions for split pots."""
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"STATE:{self.hand_number}:{self.betting}:{format_cards(self.hole_cards, self.board)}:"
            f"{'|'.join(map(format_chips, self.net))}:{'|'.join(self.names)}"
        )


# --- betting --------------------------------------------------------------------------------------


def parse_betting(text: str) -> tuple[tuple[ProtocolAction, ...], ...]:
    """The actions of each street reached.

    Raises:
        ProtocolError: A character is none of the format, or there are more than four streets.

    >>> [[str(action) for action in street] for street in parse_betting("cr300c/f")]
    [['c', 'r300', 'c'], ['f']]
    """
    streets = []
    for street in text.split("/"):
        actions = []
        at = 0
        while at < len(street):
            match = _ACTION.match(street, at)
            if match is None or (match[1] != "r" and match[2]):
                raise ProtocolError(
                    "betting must consist of f, c, r or r<chips>, with / between streets; got "
                    f"{street[at:][:_SHOWN_LENGTH]!r} in {_short(text)}"
                )
            actions.append(ProtocolAction(match[1], int(match[2]) if match[2] else None))
            at = match.end()
        streets.append(tuple(actions))
    if len(streets) > N_STREETS:
        raise ProtocolError(f"betting has at most {N_STREETS} streets; got {_short(text)}")
    return tuple(streets)


# --- match states ---------------------------------------------------------------------------------


def parse_match_state(line: str) -> MatchState:
    """The match state of a line.

    Raises:
        ProtocolError: The line is no match state, or contradicts itself; the message says where.

    >>> parse_match_state("MATCHSTATE:1:30:cc/:|JdTc/2c8dQh").board
    ('2c8dQh',)
    """
    fields = line.strip().split(":")
    if fields[0] != "MATCHSTATE" or len(fields) != 5:
        raise ProtocolError(
            "a match state must have the form MATCHSTATE:position:hand:betting:cards; got "
            f"{_short(line)}"
        )
    position = _number("position", fields[1], line)
    hand_number = _number("hand number", fields[2], line)
    hole_cards, board = _parse_cards(fields[4], fields[3], line)
    if position >= len(hole_cards):
        raise ProtocolError(
            f"position must be in 0 .. {len(hole_cards) - 1}, since there are cards for "
            f"{len(hole_cards)} players; got {_short(line)}"
        )
    if not hole_cards[position]:
        raise ProtocolError(f"the cards of position {position} are missing in {_short(line)}")
    return MatchState(position, hand_number, fields[3], hole_cards, board)


def format_cards(hole_cards: Sequence[str], board: Sequence[str]) -> str:
    """The last field of a match state.

    >>> format_cards(["", "JdTc"], ["2c8dQh", "As"])
    '|JdTc/2c8dQh/As'
    """
    return "/".join(["|".join(hole_cards), *board])


def _parse_cards(text: str, betting: str, line: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hole cards by position and the board by street; ``betting`` is checked along with them."""
    streets = len(parse_betting(betting))
    holes, *board = text.split("/")
    hole_cards = tuple(holes.split("|"))
    if not MIN_SEATS <= len(hole_cards) <= MAX_SEATS:
        raise ProtocolError(
            f"there must be cards for {MIN_SEATS} to {MAX_SEATS} players, separated by |; got "
            f"{_short(line)}"
        )
    if len(board) != streets - 1:
        raise ProtocolError(
            f"betting that has reached street {streets} needs {streets - 1} groups of board "
            f"cards, each after a /; got {_short(line)}"
        )
    try:
        parse_cards(text.replace("|", "").replace("/", ""))
    except ValueError as error:
        raise ProtocolError(f"{error}; in {_short(line)}") from None
    for cards in hole_cards:
        if len(cards) not in (0, 4):
            raise ProtocolError(f"hole cards must be two cards; got {cards!r} in {_short(line)}")
    for cards, count in zip(board, _CARDS_DEALT[1:], strict=False):
        if len(cards) != 2 * count:
            raise ProtocolError(
                f"flop, turn and river must be 3, 1 and 1 cards; got {cards!r} in {_short(line)}"
            )
    return hole_cards, tuple(board)


# --- from the player to the dealer ----------------------------------------------------------------


def check_version(line: str) -> None:
    """Accept the first line of a player.

    Raises:
        ProtocolError: It is no version line, or not of version 2.0.
    """
    match = _VERSION.match(line)
    if match is None:
        raise ProtocolError(f"the first line must be {VERSION_LINE}; got {_short(line)}")
    if match[1] != "2" or match[2] != "0":
        raise ProtocolError(f"only version 2.0 of the protocol is supported; got {_short(line)}")


def split_response(line: str) -> tuple[str, str]:
    """The match state that a player answers, and the text of its action.

    Raises:
        ProtocolError: There is no action behind the state.
    """
    state, colon, action = line.strip().rpartition(":")
    if not colon or state.count(":") != 4:
        raise ProtocolError(
            "a response must be the match state, a colon and the action; got " + _short(line)
        )
    return state, action


def parse_action(text: str) -> ProtocolAction:
    """The action at the end of a response.

    Raises:
        ProtocolError: It is neither f, c, r nor r<chips>.
    """
    match = _ACTION.fullmatch(text)
    if match is None or (match[1] != "r" and match[2]):
        raise ProtocolError(f"an action must be f, c, r or r<chips>; got {_short(text)}")
    return ProtocolAction(match[1], int(match[2]) if match[2] else None)


# --- logs -----------------------------------------------------------------------------------------


def parse_finished_hand(line: str) -> FinishedHand:
    """The hand of a ``STATE:`` line.

    Raises:
        ProtocolError: The line is none, or contradicts itself.
    """
    fields = line.strip().split(":")
    if fields[0] != "STATE" or len(fields) != 6:
        raise ProtocolError(
            "a logged hand must have the form STATE:hand:betting:cards:chips:names; got "
            f"{_short(line)}"
        )
    hand_number = _number("hand number", fields[1], line)
    hole_cards, board = _parse_cards(fields[3], fields[2], line)
    try:
        net = tuple(map(float, fields[4].split("|")))
    except ValueError:
        raise ProtocolError(f"chips must be numbers with | between; got {_short(line)}") from None
    names = tuple(fields[5].split("|"))
    if not len(net) == len(names) == len(hole_cards):
        raise ProtocolError(f"cards, chips and names must be equal in number; got {_short(line)}")
    return FinishedHand(hand_number, fields[2], hole_cards, board, net, names)


def format_score(totals: Sequence[float], names: Sequence[str]) -> str:
    """The last line of a log, in the order of the seats.

    >>> format_score([150, -150], ["Alice", "Bob"])
    'SCORE:150|-150:Alice|Bob'
    """
    return f"SCORE:{'|'.join(map(format_chips, totals))}:{'|'.join(names)}"


def format_chips(chips: float) -> str:
    """Chips with at most six decimals and no zeros at the end.

    >>> format_chips(-33.5), format_chips(200)
    ('-33.5', '200')
    """
    return str(chips) if isinstance(chips, int) else f"{chips:.6f}".rstrip("0").rstrip(".")


def check_name(name: str) -> str:
    """A player's name that may stand in a log.

    Raises:
        ProtocolError: It is empty or contains blanks, ``:``, ``|`` or ``/``.
    """
    if not name or re.search(r"[\s:|/]", name):
        raise ProtocolError(f"a name must not be empty or contain blanks, : | or /; got {name!r}")
    return name


def _number(what: str, text: str, line: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ProtocolError(
            f"{what} must be a whole number of at most 15 digits; got {_short(line)}"
        )
    return int(text)


def _short(text: str) -> str:
    """A text quoted, cut if it is long."""
    text = text.rstrip("\r\n")
    return repr(text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "...")
