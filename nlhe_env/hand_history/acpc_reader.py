"""Reader of match logs of the Annual Computer Poker Competition.

A line is a hand: ``STATE:number:betting:cards:chips won:names``, optionally followed by ``#`` and a
time. DeepStack's freezeouts have two more fields after the number, stacks and blinds.

Source: ACPC, "Protocol Specification", version 2.0.0 (2010); the definitions of its games come with
the competition's dealer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache, partial

from nlhe_env.game.betting import CALLS, FOLDS, RAISES
from nlhe_env.game.description import Game
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.hand_history import rules
from nlhe_env.hand_history.batches import Row
from nlhe_env.hand_history.errors import MOST_CHIPS, HandHistoryError
from nlhe_env.hand_history.form import check_form, tidy_cards
from nlhe_env.hand_history.hand_builder import HandDraft
from nlhe_env.hand_history.record import Hand, unusual_cap
from nlhe_env.hand_history.replay import check_hand, take_in_turn

# Names of games in the competition and elsewhere; the competition's names omit the chips.
_GAME = re.compile(
    r"holdem\.(limit|nolimit)\.(\d{1,2})p(?:\.reverse_blinds)?"
    r"(?:(?:\.(\d{1,9}))?\.(\d{1,9})-(\d{1,9})|\.game)"
)
_BETTING = re.compile(r"(?:[fc]|r\d{0,15}|/)*")
_ACTION = re.compile(r"([fcr])(\d*)")
_KINDS = {"f": FOLDS, "c": CALLS, "r": RAISES}
_CHIPS = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?")
_WHOLE = re.compile(r"[0-9]{1,15}")
_BOARD_CARDS = (0, 3, 4, 5)
_LIMIT_STACK = 1000  # big blinds; no player is ever all-in
_LONGEST_LINE = 2000

# Stack, small and big blind of the competition's games.
_COMPETITION = {"nolimit": (20_000, 50, 100), "limit": (_LIMIT_STACK * 10, 5, 10)}


def is_log_line(line: str) -> bool:
    """Whether a line belongs to a log."""
    return line.startswith("STATE:") or (line.startswith("#") and _GAME.search(line) is not None)


def read_lines(
    numbered: Iterable[tuple[int, str]], game: Game | None, *, check: bool
) -> Iterator[HandDraft | HandHistoryError]:
    """The hands of numbered lines; see ``nlhe_env.hand_history.stream_hands``."""
    header: re.Match[str] | None = None
    for number, line in numbered:
        if line.startswith("#"):
            header = _GAME.search(line) or header
        elif line.startswith("STATE:"):
            try:
                hand, rows = _read(line[:_LONGEST_LINE], game, header)
                check_form(hand)
            except ValueError as error:
                yield HandHistoryError(number, str(error))
            else:
                yield HandDraft(hand, partial(_play, hand, rows, number, check), rows)


def _play(hand: Hand, rows: tuple[Row, ...], number: int, check: bool) -> Hand:
    """The hand of a line, replayed alone."""
    try:
        hand = take_in_turn(hand, rows)
        return check_hand(hand) if check else hand
    except ValueError as error:
        raise HandHistoryError(number, str(error)) from None


def _read(
    line: str, game: Game | None, header: re.Match[str] | None
) -> tuple[Hand, tuple[Row, ...]]:
    """A hand without its actions, and its actions as rows."""
    fields = line.partition("#")[0].strip().split(":")
    stacks_and_blinds = fields[2:4] if len(fields) == 8 else []
    if len(fields) not in (6, 8):
        raise ValueError(
            "a logged hand must have the form STATE:hand:betting:cards:chips:names; got "
            f"{line.strip()!r:.120}"
        )
    betting, cards, chips, all_names = fields[-4:]
    if re.fullmatch(r"\d{1,15}", fields[1]) is None:
        raise ValueError(f"the number of a hand must be a whole number; got {fields[1]!r:.30}")
    names = tuple(all_names.split("|"))
    n = len(names)
    if not MIN_SEATS <= n <= MAX_SEATS:
        raise ValueError(f"a hand has 2 to 10 players; got {n}")
    holes, *streets = cards.split("/")
    hole_cards = tuple(holes.split("|"))
    net: list[int | Fraction | None] = [_chips(part) for part in chips.split("|")]
    if len(hole_cards) != n or len(net) != n or None in net:
        raise ValueError(
            "cards, chips (plain numbers) and names must be equal in number; "
            f"got {line.strip()!r:.120}"
        )
    hole_cards = tuple(map(tidy_cards, hole_cards))
    board = tidy_cards("".join(streets))
    if any(len(cards) not in (0, 4) for cards in hole_cards):
        raise ValueError("hole cards must be two cards")
    if any(not -MOST_CHIPS <= part <= MOST_CHIPS for part in net if part is not None):
        raise ValueError("a player wins or loses more chips than are in play")
    if stacks_and_blinds:
        stacks, small, big = _written_setup(n, *stacks_and_blinds)
        is_limit = False
    else:
        stacks, small, big, is_limit = _setup(n, betting, game, header)
    if len(stacks) != n or sum(stacks) > MOST_CHIPS:
        raise ValueError(f"stacks must be {n} numbers, at most {MOST_CHIPS} chips together")
    whole = all(part is not None and part.denominator == 1 for part in net)
    unit = 1 if whole else 100  # some write halves for split pots
    finishing = [(stack + (part or 0)) * unit for stack, part in zip(stacks, net, strict=True)]
    is_exact = whole or all(chips.denominator == 1 for chips in finishing)
    hand = Hand(
        stacks=tuple(stack * unit for stack in stacks),
        hole_cards=hole_cards,
        board=board,
        actions=(),
        small_blind=small * unit,
        big_blind=big * unit,
        betting="fixed-limit" if is_limit else "no-limit",
        max_bets=unusual_cap(game.max_bets) if game is not None and is_limit else 0,
        shown=(False,) * n,
        finishing_stacks=tuple(map(int, finishing)) if is_exact else None,
        players=names,
        seats=tuple(range(n)),
        seat_count=n,
        number=int(fields[1]) + 1,
        unit=unit,
    )
    return hand, _actions(betting, unit)


def _chips(text: str) -> int | Fraction | None:
    """An amount, or None; some logs have halves for split pots."""
    if text.isdecimal() and len(text) < 16:
        return int(text)
    if _CHIPS.fullmatch(text) is None:
        return None
    return Fraction(text) if "." in text else int(text)


def _written_setup(n: int, stacks: str, blinds: str) -> tuple[tuple[int, ...], int, int]:
    """Stacks, small and big blind from a line that has them."""
    amounts = [part.split("|") for part in (stacks, blinds)]
    if any(len(part) != n or not all(map(_WHOLE.fullmatch, part)) for part in amounts):
        raise ValueError(
            f"stacks and blinds must be {n} whole numbers each, one per player; got {stacks!r:.60} "
            f"and {blinds!r:.60}"
        )
    chips, posted = (tuple(map(int, part)) for part in amounts)
    small, big = sorted(posted) if n == 2 else posted[:2]
    if not small <= big or any(posted[2:]):
        raise ValueError(
            f"blinds must be a small and a big blind, for the first two players; got {blinds!r:.60}"
        )
    return chips, small, big


def _setup(
    n: int, betting: str, game: Game | None, header: re.Match[str] | None
) -> tuple[tuple[int, ...], int, int, bool]:
    """Stacks, small and big blind, and whether it is fixed-limit."""
    if game is not None:
        small, big, _ = game.blinds.at(0)
        return game.stacks(n), small, big, game.betting == "fixed-limit"
    if header is None:
        raise ValueError(
            "stacks and blinds are not known: a comment before the first hand must name the game, "
            "as in # name/game/hands/seed match holdem.nolimit.2p.reverse_blinds.20000.50-100 100 "
            "1, or the game must be given (game=...)"
        )
    if int(header[2]) != n:
        raise ValueError(f"the game has {header[2]} players, but this hand has {n}")
    stack, small, big = _COMPETITION[header[1]]
    if header[5] is not None:
        small, big = int(header[4]), int(header[5])
        stack = int(header[3]) if header[3] else _LIMIT_STACK * big
    if small > big:
        raise ValueError(f"the small blind is larger than the big blind in {header[0]}")
    if n * stack > MOST_CHIPS:
        raise ValueError(f"at most {MOST_CHIPS} chips can be in play; got {header[0]}")
    return (stack,) * n, small, big, header[1] == "limit"


@lru_cache(maxsize=4096)  # in fixed-limit the same betting recurs often
def _actions(betting: str, unit: int) -> tuple[Row, ...]:
    """The actions in the format of ``rules``."""
    if _BETTING.fullmatch(betting) is None:
        good = _BETTING.match(betting)
        raise ValueError(
            "betting must consist of f, c, r or r<chips>, with / between streets; got "
            f"{betting[good.end() if good else 0 :]!r:.40}"
        )
    streets = betting.split("/")
    if len(streets) > len(_BOARD_CARDS):
        raise ValueError(f"betting has at most 4 streets; got {betting!r:.120}")
    return tuple(
        (rules.IN_TURN, _KINDS[kind], int(amount) * unit if amount else rules.MOST, open_cards)
        for text, open_cards in zip(streets, _BOARD_CARDS, strict=False)
        for kind, amount in _ACTION.findall(text)
    )
