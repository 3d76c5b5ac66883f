"""Reader of PokerStars text and similar formats, such as GGPoker's.

Players who were not dealt in are omitted. Mucked hands that the text does not show remain unknown.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nlhe_env.cards import parse_cards
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.hand_history.errors import MOST_CHIPS, HandHistoryError
from nlhe_env.hand_history.form import check_form, tidy_cards
from nlhe_env.hand_history.record import CALL, FOLD, RAISE, Action, Hand
from nlhe_env.hand_history.replay import HandError, check_hand

# Quantifiers of amounts are possessive, so the time is linear in the length of a line.
_AMOUNT = r"[^\d\s(\[-]{0,3}(\d++(?:,\d++)*+(?:\.\d{1,2}+)?+)(?!\.?\d)"

# A room and a number, without a preceding colon, as after a player's name, or quotes.
_HEADER = re.compile(
    r"\s*(?P<room>(?:[\w.&'+-]+ ){1,4}?)(?:Zoom |Rush )?(?:Home Game )?(?:Hand|Game) #(\w+):"
)
_OTHER_FORM = re.compile(
    r"BetOnline|PayNoRake|ActionPoker|Gear Poker|Full ?Tilt ?Poker|Everleaf|Everest|Bovada|Bodog"
    r"|Ignition|Merge",
    re.IGNORECASE,
)
_STAKES = re.compile(rf"(?:\(|(?<![\d,]),|,(?= )) ?{_AMOUNT}/{_AMOUNT}(?!/)")
_LIMITS = r"No[- ]?Limit|Pot[- ]?Limit|Fixed[- ]?Limit|Limit|NL|PL|FL"
_HOLDEM = r"(?:Texas )?Hold(?:'|[ -])?em"
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u2032\u00b4`", "'"))
# The game is next to the stakes or the level; names of tournaments before it can be anything.
_GAME = re.compile(
    rf"(?:{_HOLDEM}[ -]*\(?({_LIMITS})|\b({_LIMITS}) {_HOLDEM}|\b(NL|PL|FL|L)HE)\)?,?\s*"
    r"(?:- (?:Match Round \w+, )?Level ?\w+\s*)?$",
    re.IGNORECASE,
)
_CAP = re.compile(rf"- ?{_AMOUNT} Cap\b|\bCap(?:ped)? (?=Hold|No|NL)", re.IGNORECASE)
_OTHER_HOLDEM = re.compile(
    r"(?:6\+|Short ?Deck|Split|Omaha|Fusion|Showtime|Unfold|Tempest) *$", re.IGNORECASE
)
_CHANGING = re.compile(r"Hold'?em.* Post-Flop", re.IGNORECASE)
_CLUB = re.compile(r"\{[^}]*\}")  # a home game's, of any name
_MONEY = re.compile(r"[^\d\s(,./]")
_THOUSANDS = re.compile(r"\d+|\d{1,3}(?:,\d{2,3})*,\d{3}")
_DECIMAL_COMMA = re.compile(r"\d,\d{1,2}(?!\d)")

_TOURNAMENT = re.compile(r"Tournament #\w+")

_MOST_DIGITS = 20  # and commas
_BETTING = {"n": "no-limit", "p": "pot-limit"}  # by the first letter; others are fixed-limit

_BUTTON = re.compile(r"Seat #(\d{1,4}) is the button")
_SIZE = re.compile(r"(?<!\d)(\d{1,2})[- ]max")
_SEAT = re.compile(rf"Seat (\d+): (.*) \({_AMOUNT} in chips")
_MOVE = re.compile(
    rf"(folds|checks|calls|bets|raises)(?: \[[^\]]*\])?(?: {_AMOUNT})?(?: to {_AMOUNT})?"
    r"(?: and is all-in)?"
)
_POST = re.compile(rf"([a-z& ]*?) ?{_AMOUNT}( and is all-in)?")
_DEAD = re.compile(r"missed blind|(?:a )?dead (?:small |big )?blind(?: of)?")
_STRADDLE = re.compile(rf"straddles? {_AMOUNT}(?: and is all-in)?", re.IGNORECASE)
_COLLECTS = re.compile(rf"collected {_AMOUNT}(?!\S)")
# Lines without effect on the game; cash-outs are paid by the room, not from the pot.
_NO_MOVE = re.compile(
    r"(?:doesn't show|sits out|is sitting out|Table deposit|Chooses to EV Cashout"
    r"|Pays Cashout|Receives Cashout|$)",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"(?:posts|folds|checks|calls|bets|raises|straddles?|mucks|sits out|is sitting out)\b"
)
_SHOWS = re.compile(r"shows \[")
_REMARK = re.compile(
    r"Uncalled bet|Cash Drop to Pot\b|.* (?:said, \"|joins the table|leaves the table|has timed out"
    r"|has returned|is (?:dis)?connected|was removed|will be allowed|re-buys|for eliminating"
    r"|finished the tournament|sits out$|is sitting out$)"
)
_ROOM_PAYS = re.compile(r"STP added", re.IGNORECASE)
_OTHERS = re.compile(rf"(.+?)(?:: \S| collected {_AMOUNT} from )")
_BOMB_POT = re.compile(r"\bbomb ?pot\b", re.IGNORECASE)
_TWO_CARDS = re.compile(r"[2-9TJQKA][cdhs] [2-9TJQKA][cdhs]", re.IGNORECASE)
_DEALT = re.compile(r" \[(\w\w \w\w)\]")
_STREET = re.compile(r"\*\*\* ([A-Z -]+) \*\*\*(.*)")
_CARDS = re.compile(r"\[([^\[\]]*)\]")
_TOTAL = re.compile(rf"Total pot {_AMOUNT}")
_FEES = re.compile(r"\| (Rake|Jackpot|Bingo|Fortune|Tax)([^|\d]{0,4})(\d[\d,]*+(?:\.\d{1,2})?)")
_SUMMARY_CARDS = re.compile(r"(?: \([^)]*\))* (?:showed|mucked) \[(\w\w \w\w)\]")
_CANNOT_BE_READ = {
    "a cap on the bets of a hand": re.compile(r"has reached the \S+ cap$"),
    "all-in insurance": re.compile(r"(?:get|pay)s? .*\binsurance\b", re.IGNORECASE),
}
_PAID_OTHERWISE = re.compile(
    r"cashed out the hand|Cash Drop|Receives Cashout|pays Cashout", re.IGNORECASE
)

_MOST_LETTERS = 1_000  # of a line, for patterns with quadratic time
_OPEN_CARDS = {"FLOP": 3, "TURN": 4, "RIVER": 5}
_NO_CARDS = ("HOLE CARDS", "PRE-FLOP", "PREFLOP", "SHOW DOWN", "SHOWDOWN")
_POSTS = "small blind, big blind, small & big blinds, missed blind, dead blind, straddle, the ante"


def read_hand(lines: list[str], first_line: int, check: bool) -> Hand | None:
    """Read the hand of the given lines.

    Args:
        lines: Lines of the hand, the header first.
        first_line: Number of the header.
        check: Play the hand by the rules.

    Returns:
        The hand; None for the lines before the first header.

    Raises:
        HandHistoryError: The hand is not Hold'em, damaged or impossible.
    """
    if not is_header(lines[0]):
        return None
    text = _Text(lines, first_line)
    try:
        hand, collected = text.read()
        check_form(hand)
        if check:
            hand = check_hand(hand, collected)
            if collected is not None:
                text.check_sums(hand)
        return hand
    except HandHistoryError:
        raise
    except HandError as error:
        line = first_line if error.action is None else text.action_lines[error.action]
        raise HandHistoryError(line, str(error)) from None
    except ValueError as error:
        raise HandHistoryError(text.line, str(error)) from None


class _Text:
    """State of reading a hand; all amounts are in hundredths."""

    def __init__(self, lines: list[str], first_line: int) -> None:
        self._lines = lines
        self.line = first_line
        self.action_lines: list[int] = []
        self._seats: dict[str, tuple[int, int]] = {}  # name: seat, chips
        self._live: dict[str, int] = {}
        self._dead: dict[str, int] = {}
        self._antes: dict[str, int] = {}
        self._acts: list[tuple[str, str, int, int]] = []  # name, kind, to, open cards
        self._dealt_in: set[str] = set()
        self._cards: dict[str, str] = {}
        self._shown: set[str] = set()
        self._board = self._second_board = ""
        self._is_run_twice = False
        self._mucked: dict[str, int] = {}  # name: line
        self._collected: dict[str, int] = {}
        self._longest_first: list[str] = []  # names, longer ones before their prefixes
        self._has_colons = False  # in names
        self._total_line = 0
        self._tax = 0
        self._fees: int | None = None
        self._total: int | None = None
        self._small_posted = self._big_posted = 0
        self._small = self._big = 0

    def read(self) -> tuple[Hand, tuple[int, ...] | None]:
        """The hand, and each player's chips from the pots, if recorded."""
        first_line = self.line
        for number, raw in enumerate(self._lines, first_line):
            if len(raw) > _MOST_LETTERS:
                self.line = number
                raise ValueError(
                    f"a line must have at most {_MOST_LETTERS} characters; got {len(raw)}"
                )
        header = _read_header(self._lines[0].strip())
        self._small, self._big = header.small, header.big
        button, size = 0, 0
        indent = ""
        in_summary = False
        for number, raw in enumerate(self._lines[1:], first_line + 1):
            self.line = number
            line = raw.removeprefix(indent).rstrip()
            if in_summary:
                self._summarise(line)
            elif line.startswith("*** SUMMARY ***") and self._player_of(line) is None:
                in_summary = True
            elif not button and line.lstrip().startswith("Table "):
                indent = raw[: len(raw) - len(raw.lstrip())]
                found = _BUTTON.search(line)
                if found is None:
                    raise ValueError("the button is not shown")
                button = int(found[1])
                seats = _SIZE.search(line)
                size = int(seats[1]) if seats else 0
            elif not self._is_seat(line) and line:
                self._read_line(line)
        self.line = first_line
        return self._hand(header, button, size)

    def check_sums(self, hand: Hand) -> None:
        """Compare the pots of a replayed hand with the text.

        Raises:
            ValueError: The betting is not over, or chips are missing or too many.
        """
        if hand.finishing_stacks is None:
            self._refuse_muck()
            raise ValueError("the pots are collected before the betting is over")
        got, total = sum(self._collected.values()), self._total
        rake = 100 // hand.unit * (hand.rake or 0)
        pots = got + rake
        if self._total_line:
            self.line = self._total_line
        if self._fees is not None:
            if rake not in (self._fees, self._fees - self._tax):  # taken from other money
                raise ValueError(
                    f"the pots hold {pots / 100:g}, but {got / 100:g} is collected and "
                    f"{self._fees / 100:g} taken as fees"
                )
        elif total is not None and total != pots:
            raise ValueError(f"the pots hold {pots / 100:g}, not {total / 100:g}")

    # --- lines ------------------------------------------------------------------------------------

    def _is_seat(self, line: str) -> bool:
        """Whether a line assigns a seat; there are none after the first post or action."""
        if self._dealt_in or not line.startswith("Seat "):
            return False
        found = _SEAT.match(line)
        if found is None:
            return False
        player = self._player_of(line)
        if player is not None and _DOES.match(player[1]):  # "Seat 2: posts ..." of a "Seat 2"
            return False
        if int(found[1]) <= MAX_SEATS:
            if found[2] in self._seats:
                raise ValueError(f"two players have the name {found[2]!r}")
            self._seats[found[2]] = int(found[1]), _cents(found[3])
            self._longest_first = sorted(self._seats, key=len, reverse=True)
            self._has_colons |= ":" in found[2]
        return True

    def _player_of(self, line: str) -> tuple[str, str] | None:
        """The player of a line, and the rest of the line.

        Names can look like anything, so they take precedence over all other patterns.
        """
        before, colon, after = line.partition(": ")
        if colon and before in self._seats and not self._has_colons and after[:9] != "collected":
            return before, after.lstrip()  # fast path for nearly all lines of players
        named = [(name, line[len(name) :]) for name in self._longest_first if line.startswith(name)]
        for name, remaining in named:
            if (remaining == ":" or remaining.startswith(": ")) and not _COLLECTS.match(
                remaining, 2
            ):
                return name, remaining[2:].lstrip()
        for what in (_COLLECTS, _SHOWS):  # rooms write them without a colon
            for name, remaining in named:
                if remaining.startswith(" ") and what.match(remaining, 1):
                    return name, remaining[1:]
        for name, remaining in named:
            if remaining.startswith(": "):
                return name, remaining[2:]
        return None

    def _read_line(self, line: str) -> None:
        player = self._player_of(line)
        if player is not None:
            self._act(*player)
        elif line.startswith("***"):
            self._street(line)
        elif line.startswith("Dealt to "):
            self._deal(line.removeprefix("Dealt to "))
        elif _REMARK.match(line):
            return
        elif line.startswith("Hand cancelled"):
            raise ValueError("the hand was cancelled")
        elif _ROOM_PAYS.match(line):
            raise ValueError(
                f"chips added to the pot by the poker room cannot be read: {line!r:.80}"
            )
        elif _BOMB_POT.search(line):
            raise ValueError(f"bomb pots cannot be read: {line!r:.80}")
        elif line.startswith("Seat "):
            raise ValueError(f"a seat that cannot be read: {line!r:.80}")
        elif found := _OTHERS.match(line):
            raise ValueError(f"{found[1]!r:.40} is not one of the players: {line!r:.80}")
        else:
            for name in self._longest_first:
                if line.startswith(name + " ") and _DOES.match(line, len(name) + 1):
                    raise ValueError(f"a colon is missing after {name!r}: {line!r:.80}")

    def _act(self, name: str, what: str) -> None:
        verb, _, remaining = what.partition(" ")
        if verb == "posts":
            self._post(name, remaining)
        elif verb == "shows":
            cards = _CARDS.search(remaining)
            if cards is not None and _TWO_CARDS.fullmatch(cards[1]):  # some show one
                self._cards[name] = cards[1].replace(" ", "")
                self._shown.add(name)
        elif verb == "mucks":
            self._mucked.setdefault(name, self.line)
        elif move := _MOVE.fullmatch(what):
            self._move(name, *move.groups())
        elif straddle := _STRADDLE.fullmatch(what):
            self._straddle(name, _cents(straddle[1]))
        elif collected := _COLLECTS.match(what):
            self._collected[name] = self._collected.get(name, 0) + _cents(collected[1])
        elif not _NO_MOVE.match(what):
            for rule, line in _CANNOT_BE_READ.items():
                if line.search(what):
                    raise ValueError(f"{rule} cannot be read: {what!r:.80}")
            raise ValueError(f"{name!r} does something unknown: {what!r:.60}")

    def _move(self, name: str, verb: str, by: str | None, to: str | None) -> None:
        self._refuse_muck()
        self._dealt_in.add(name)
        kind, amount = CALL, "0"
        if verb == "folds":
            kind = FOLD
        elif verb in ("bets", "raises"):
            kind, amount = RAISE, to or by or ""
            if not amount:
                raise ValueError(f"{name!r} {verb} an amount that cannot be read")
        self._acts.append((name, kind, _cents(amount), len(self._board) // 2))
        self.action_lines.append(self.line)

    def _refuse_muck(self) -> None:
        for name, line in self._mucked.items():
            self.line = line
            raise ValueError(f"{name!r} mucks before the betting is over")

    def _post(self, name: str, text: str) -> None:
        found = _POST.fullmatch(text)
        if found is None:
            raise ValueError(f"{name!r} posts something unknown: {text!r:.60}; known are {_POSTS}")
        what, chips, is_short = found[1], _cents(found[2]), found[3] is not None
        self._dealt_in.add(name)
        if what in ("the ante", "ante"):
            self._antes[name] = chips
        elif what in ("small & big blinds", "small & big blind"):
            self._dead[name] = max(chips - self._big, 0)
            self._live[name] = min(chips, self._big)
        elif what == "small blind":
            if self._small_posted:
                self._dead[name] = self._dead.get(name, 0) + chips
            else:
                self._small_posted = max(chips, self._small) if is_short else chips
                self._live[name] = self._small_posted
        elif _DEAD.fullmatch(what):
            self._dead[name] = self._dead.get(name, 0) + chips
        elif what == "big blind":
            self._live[name] = self._big if is_short else chips
            self._big_posted = max(self._big_posted, self._live[name])
        elif what in ("straddle", "button straddle"):
            self._straddle(name, chips)
        elif not what and chips == self._big:  # of a player who comes back
            self._live[name] = chips
        else:
            raise ValueError(f"{name!r} posts something unknown: {text!r:.60}; known are {_POSTS}")

    def _straddle(self, name: str, chips: int) -> None:
        """Handle a blind above the big blind; the chips are the player's total in blinds."""
        self._dealt_in.add(name)
        self._live[name] = chips

    def _street(self, line: str) -> None:
        found = _STREET.match(line)
        if found is None:
            raise ValueError(f"a street that cannot be read: {line!r:.80}")
        name = found[1].strip()
        run, _, what = name.partition(" ")
        if run in ("THIRD", "FOURTH"):
            raise ValueError("a board that is dealt more than twice cannot be read")
        if run in ("FIRST", "SECOND"):
            name = what
            self._is_run_twice = True
        if name in _NO_CARDS:
            return
        if name not in _OPEN_CARDS:
            raise ValueError(f"a street that is not known: {line!r:.80}")
        board = "".join("".join(_CARDS.findall(found[2])).split())
        if len(board) != 2 * _OPEN_CARDS[name]:
            raise ValueError(f"the {name.lower()} must show {_OPEN_CARDS[name]} cards")
        parse_cards(board)
        if run == "SECOND":
            self._second_board = board
        else:
            self._board = board

    def _deal(self, line: str) -> None:
        for name in self._longest_first:
            found = _DEALT.fullmatch(line, len(name)) if line.startswith(name) else None
            if found is not None:
                self._cards.setdefault(name, found[1].replace(" ", ""))
                return
        if line.endswith("]"):
            raise ValueError(f"cards that cannot be read or belong to no player: {line!r:.80}")

    def _summarise(self, line: str) -> None:
        if line.startswith("Total pot") and not self._total_line:
            self._total_line = self.line
            total = _TOTAL.match(line)
            self._total = _cents(total[1]) if total else None
            written = _FEES.findall(line)
            if any("-" in sign for _, sign, _ in written):
                raise ValueError(f"the rake must be at least 0; got {line!r:.80}")
            fees = [(name, _cents(fee)) for name, _, fee in written]
            self._fees = sum(fee for _, fee in fees) if fees else None
            self._tax = sum(fee for name, fee in fees if name == "Tax")
        elif line.startswith("Seat ") and "[" in line:
            for name, (seat, _) in self._seats.items():
                start = f"Seat {seat}: {name}"
                found = _SUMMARY_CARDS.match(line, len(start))
                if line.startswith(start) and found is not None:
                    self._cards.setdefault(name, found[1].replace(" ", ""))

    # --- the hand ---------------------------------------------------------------------------------

    def _hand(self, header: _Header, button: int, size: int) -> tuple[Hand, tuple[int, ...] | None]:
        if self._is_run_twice and len(self._second_board) != 10:
            raise ValueError("the hand was run twice, but it does not show two whole boards")
        if not button:
            raise ValueError("there is no table line with the button")
        count = max([size, button, *(seat for seat, _ in self._seats.values())])
        dealt_in = [name for name in self._seats if name in self._dealt_in]
        names = sorted(dealt_in, key=lambda name: (self._seats[name][0] - button - 1) % count)
        n = len(names)
        if not MIN_SEATS <= n <= MAX_SEATS:
            raise ValueError(f"a hand has 2 to 10 players; got {n}")
        if header.betting == "fixed-limit":
            self._small = self._small_posted or self._small
        elif self._big_posted and self._big_posted != self._big:  # the level has just changed
            self._small = min(self._live.values())
            self._big = self._big_posted
        self._post_nothing(names)
        if n == 2:  # the small blind has the button; some programs differ
            names.sort(key=lambda name: self._live.get(name, 0) < self._big)
        posted = [self._live.get(name, 0) for name in names]
        usual = [self._big, self._small] if n == 2 else [self._small, self._big, *[0] * (n - 2)]
        if not self._live and self._antes:
            raise ValueError(
                "antes are posted but no blinds, as in a bomb pot, which cannot be read"
            )
        if self._big not in posted and self._big_posted != self._big:
            raise ValueError(f"no player posts the big blind of {self._big / 100:g}")
        ante, dead = self._dead_chips(names)
        got = [self._collected.get(name, 0) for name in names]
        place = {name: i for i, name in enumerate(names)}
        actions = [Action(place[name], kind, to, cards) for name, kind, to, cards in self._acts]
        stacks = [self._seats[name][1] for name in names]
        small, big = self._small, self._big
        amounts = [*stacks, *posted, *dead, *got, ante, small, big, self._fees or 0]
        amounts += [action.to for action in actions]
        # A big blind has at least two chips: one of $1 is in cents.
        unit = 100 if big < 200 or any(amount % 100 for amount in amounts) else 1

        def chips(amount: int) -> int:
            return amount if unit == 100 else amount // 100

        if chips(sum(stacks)) > MOST_CHIPS:
            raise ValueError(f"at most {MOST_CHIPS} chips can be in play")
        all_is_rake = self._fees is not None and 0 < self._fees == self._total
        is_paid = (any(got) or all_is_rake) and not any(map(_PAID_OTHERWISE.search, self._lines))
        hand = Hand(
            stacks=tuple(map(chips, stacks)),
            hole_cards=tuple(tidy_cards(self._cards.get(name, "")) for name in names),
            board=tidy_cards(self._board),
            second_board=tidy_cards(self._second_board),
            actions=tuple(action._replace(to=chips(action.to)) for action in actions),
            small_blind=chips(small),
            big_blind=chips(big),
            ante=chips(ante),
            blinds=() if posted == usual else tuple(map(chips, posted)),
            dead=tuple(map(chips, dead)) if any(dead) else (),
            betting=header.betting,
            shown=tuple(name in self._shown for name in names),
            rake=chips(self._fees) if self._fees is not None else None if is_paid else 0,
            players=tuple(names),
            seats=tuple(self._seats[name][0] - 1 for name in names),
            seat_count=count,
            number=header.number,
            event=header.event,
            unit=unit,
        )
        return hand, tuple(map(chips, got)) if is_paid else None

    def _post_nothing(self, names: list[str]) -> None:
        """Handle missing blinds of players who were all-in by the ante."""
        small_at, big_at = (1, 0) if len(names) == 2 else (0, 1)
        missing = []
        if self._big not in self._live.values():
            missing.append((big_at, self._big))
        if not self._small_posted:
            missing.append((small_at, self._small))
        for at, blind in missing:
            name = names[at]
            if name not in self._live and self._antes.get(name, 0) >= self._seats[name][1]:
                self._live[name] = blind

    def _dead_chips(self, names: list[str]) -> tuple[int, list[int]]:
        """The common ante, and each player's dead chips."""
        ante = max(self._antes.values(), default=0)
        dead = [self._dead.get(name, 0) for name in names]
        if ante and len(self._antes) < len(names):  # one player pays for the table
            dead = [
                chips + self._antes.get(name, 0) for chips, name in zip(dead, names, strict=True)
            ]
            ante = 0
        return ante, dead


class _Header(NamedTuple):
    """Game and stakes from the first line of a hand."""

    number: int | None
    betting: str
    small: int
    """Blind in hundredths; it may be of another level than the posted one."""
    big: int
    event: str
    """Number of the tournament; empty in a cash game."""


def is_header(line: str) -> bool:
    """Whether a line begins a hand."""
    return " #" in line and _HEADER.match(line) is not None


def _cents(amount: str) -> int:
    """An amount in hundredths; rooms use commas between thousands."""
    whole, _, part = amount.partition(".")
    if not _THOUSANDS.fullmatch(whole):
        raise ValueError(_decimal_comma(amount))
    if len(whole) > _MOST_DIGITS:
        raise ValueError(f"at most {MOST_CHIPS} chips can be in play; got {amount:.30}")
    return 100 * int(whole.replace(",", "")) + int(part.ljust(2, "0") or 0)


def _read_header(line: str) -> _Header:
    """The game of a hand."""
    found = _HEADER.match(line)
    if found is None:
        raise ValueError(
            f"a hand must begin with the poker room and the hand's number; got {line!r:.80}"
        )
    room = found["room"].strip()
    if _OTHER_FORM.search(room):
        raise ValueError(f"{room} text has its own format, which cannot be read")
    text = _CLUB.sub("", line).translate(_APOSTROPHES)
    stakes = next(reversed(list(_STAKES.finditer(text))), None)
    if stakes is None and (comma := _DECIMAL_COMMA.search(text)):
        raise ValueError(_decimal_comma(comma[0]))
    if _CHANGING.search(text):
        raise ValueError(f"a limit that changes after the flop cannot be read; got {line!r:.80}")
    game = _GAME.search(text[: stakes.start()]) if stakes else None
    if stakes is None or game is None or _is_other_holdem(room, text[: game.start()]):
        raise ValueError(f"only Texas Hold'em can be read; got {line!r:.80}")
    small, big = _cents(stakes[1]), _cents(stakes[2])
    if cap := _CAP.search(text):
        raise ValueError(f"a game with a cap on the bets of a hand cannot be read; got {cap[0]!r}")
    betting = _BETTING.get((game[1] or game[2] or game[3])[0].lower(), "fixed-limit")
    if betting == "fixed-limit":  # the stakes are those of the bets
        small, big = small // 2, small
        if big % 100 == 0 and not _MONEY.search(stakes[0]):
            small -= small % 100  # there are no half chips
    digits = re.sub(r"\D", "", found[2])
    number = int(digits) if 0 < len(digits) <= 15 else None
    tournament = _TOURNAMENT.search(line)
    return _Header(number, betting, small, big, tournament[0] if tournament else "")


def _is_other_holdem(room: str, before: str) -> bool:
    """Whether the word before the game makes it another one.

    GGPoker has tournament names there, and other words for its other games.
    """
    is_name = room == "Poker" and "Tournament #" in before
    return not is_name and _OTHER_HOLDEM.search(before) is not None


def _decimal_comma(amount: str) -> str:
    return f"amounts must have a decimal point and commas between thousands; got {amount!r}"
