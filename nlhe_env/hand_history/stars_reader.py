"""Text of PokerStars and of rooms that write like it, such as GGPoker, to hands.

Who sat at the table and was not dealt in is left out. Cards are those that the text shows; hands
that are mucked without being shown stay unknown.
"""

from __future__ import annotations

import re

from nlhe_env.cards import parse_cards
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.hand_history.errors import MOST_CHIPS, HandHistoryError
from nlhe_env.hand_history.form import check_form, tidy_cards
from nlhe_env.hand_history.record import CALL, FOLD, RAISE, Action, Hand
from nlhe_env.hand_history.replay import HandError, check_hand

# Amounts give back nothing of what they have matched, and are looked for at the first digit of a
# number alone: so no line takes longer than its length.
_AMOUNT = r"[^\d\s(\[-]{0,3}(\d[\d,]*+(?:\.\d{1,2}+)?+)(?!\.?\d)"
_HEADER = re.compile(
    r"\s*(?:PokerStars|Run It Once Poker|Poker)(?: Zoom| Home Game)? (?:Hand|Game) #(\w+):"
)
_STAKES = re.compile(rf"(?:\(|(?<![\d,]),|,(?= )) ?{_AMOUNT}/{_AMOUNT}")
_GAME = re.compile(
    r"Hold'?em (No Limit|Pot Limit|Fixed Limit|Limit)|(Limit) Hold'?em", re.IGNORECASE
)
_MONEY = re.compile(r"[^\d\s(,./]")
_OTHER_GAME = re.compile(r"6\+|Short ?Deck|Split Hold|Omaha|Fusion|Showtime", re.IGNORECASE)
_BUTTON = re.compile(r"Seat #(\d{1,4}) is the button")
_SIZE = re.compile(r"(?<!\d)(\d{1,2})[- ]max")
_SEAT = re.compile(rf"Seat (\d+): (.*) \({_AMOUNT} in chips")
_ACT = re.compile(r"(.*): (posts|folds|checks|calls|bets|raises|shows|mucks)\b(.*)")
_TWO_CARDS = re.compile(r"[2-9TJQKA][cdhs] [2-9TJQKA][cdhs]", re.IGNORECASE)
_DEALT = re.compile(r"Dealt to (.*?) \[(\w\w \w\w)\]")
_STREET = re.compile(r"\*\*\* ([A-Z ]+) \*\*\*(.*)")
_CARDS = re.compile(r"\[([^\[\]]*)\]")
_COLLECTED = re.compile(rf"(.*?):? collected {_AMOUNT}")
_TOTAL = re.compile(rf"Total pot {_AMOUNT}")
_FEES = re.compile(r"\| (?:Rake|Jackpot|Bingo|Fortune|Tax)([^|\d]{0,4})(\d[\d,]*+(?:\.\d{1,2})?)")
_SUMMARY_CARDS = re.compile(r"Seat (\d+): .*?(?:showed|mucked) \[(\w\w \w\w)\]")
_PAID_OTHERWISE = re.compile(
    r"cashed out the hand|Cash Drop|Receives Cashout|pays Cashout", re.IGNORECASE
)
_TO = re.compile(rf"to {_AMOUNT}")
_FIRST = re.compile(rf"(?<![\d,-]){_AMOUNT}")

_BETTING = {
    "no limit": "no-limit",
    "pot limit": "pot-limit",
    "limit": "fixed-limit",
    "fixed limit": "fixed-limit",
}
_MOST_DIGITS = 15
_OPEN_CARDS = {"FLOP": 3, "TURN": 4, "RIVER": 5}


def is_header(line: str) -> bool:
    """Whether a line begins a hand."""
    return _HEADER.match(line) is not None


def read_hand(lines: list[str], first_line: int, check: bool) -> Hand | None:
    """One hand.

    Args:
        lines: Of the hand, the header first.
        first_line: Number of the header.
        check: Play it by the rules.

    Returns:
        The hand; None where the lines are those before the first header.

    Raises:
        HandHistoryError: It is not Hold'em, damaged, or not possible.
    """
    if not is_header(lines[0]):
        return None
    text = _Text(lines, first_line)
    try:
        hand, collected = text.read()
        check_form(hand)
        return check_hand(hand, collected) if check else hand
    except HandHistoryError:
        raise
    except HandError as error:
        line = first_line if error.action is None else text.action_lines[error.action]
        raise HandHistoryError(line, str(error)) from None
    except ValueError as error:
        raise HandHistoryError(text.line, str(error)) from None


def _cents(amount: str) -> int:
    """An amount in hundredths; rooms put commas between thousands."""
    whole, _, part = amount.replace(",", "").partition(".")
    if len(whole) > _MOST_DIGITS:
        raise ValueError(f"at most {MOST_CHIPS} chips can be in play; got {amount:.30}")
    return 100 * int(whole) + int(part.ljust(2, "0") or 0)


class _Text:
    """The text of a hand while it is read; all amounts are in hundredths."""

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
        self._board = ""
        self._collected: dict[str, int] = {}
        self._fees: int | None = None
        self._total: int | None = None
        self._small_posted = self._big_posted = 0
        self._small = self._big = 0

    def read(self) -> tuple[Hand, tuple[int, ...] | None]:
        """The hand, and what everybody got out of the pots, where that is written."""
        header = self._lines[0].strip()
        betting = self._read_header(header)
        button, size = 0, 0
        first_line = self.line
        in_summary = False
        for number, raw in enumerate(self._lines[1:], first_line + 1):
            self.line = number
            line = raw.strip()
            if in_summary:
                self._summarise(line)
            elif line.startswith("*** SUMMARY"):
                in_summary = True
            elif line.startswith("Seat "):
                self._sit_down(line)
            elif line.startswith("Table ") and not button:
                found = _BUTTON.search(line)
                if found is None:
                    raise ValueError("the button is not written down")
                button = int(found[1])
                seats = _SIZE.search(line)
                size = int(seats[1]) if seats else 0
            else:
                self._read_line(line)
        self.line = first_line
        return self._hand(header, betting, button, size)

    def _read_header(self, header: str) -> str:
        if _OTHER_GAME.search(header):
            raise ValueError(f"only Texas Hold'em can be read; got {header!r:.80}")
        game = _GAME.search(header)
        stakes = _STAKES.search(header, game.end() if game else 0)
        if game is None or stakes is None:
            raise ValueError(f"only Texas Hold'em can be read; got {header!r:.80}")
        self._small, self._big = _cents(stakes[1]), _cents(stakes[2])
        betting = _BETTING[(game[1] or game[2]).lower()]
        if betting == "fixed-limit":  # the stakes are those of the bets
            self._big = self._small
            self._small = self._big // 2
            if self._big % 100 == 0 and not _MONEY.search(stakes[0]):
                self._small -= self._small % 100  # there are no half chips
        return betting

    def _read_line(self, line: str) -> None:
        if line.startswith("***"):
            pattern, handle = _STREET, self._street
        elif line.startswith("Dealt to"):
            pattern, handle = _DEALT, self._deal
        elif " collected " in line:
            pattern, handle = _COLLECTED, self._collect
        elif ": " in line:
            pattern, handle = _ACT, self._act
        elif line.startswith("Hand cancelled"):
            raise ValueError("the hand was cancelled")
        else:
            return
        found = pattern.match(line)
        if found is not None:
            handle(found)

    # --- lines ------------------------------------------------------------------------------------

    def _sit_down(self, line: str) -> None:
        found = _SEAT.match(line)
        if found is not None and not self._acts and int(found[1]) <= MAX_SEATS:
            self._seats[found[2]] = int(found[1]), _cents(found[3])

    def _act(self, found: re.Match[str]) -> None:
        name, verb, rest = found[1], found[2], found[3]
        if name not in self._seats:
            return
        if verb == "posts":
            self._post(name, rest.strip())
        elif verb == "shows":
            cards = _CARDS.search(rest)
            if cards is not None and _TWO_CARDS.fullmatch(cards[1]):  # some show one
                self._cards[name] = cards[1].replace(" ", "")
                self._shown.add(name)
        elif verb != "mucks":
            self._dealt_in.add(name)
            kind, to = CALL, 0
            if verb == "folds":
                kind = FOLD
            elif verb in ("bets", "raises"):
                amount = (_TO if " to " in rest else _FIRST).search(rest)
                if amount is None:
                    raise ValueError(f"{name} {verb} an amount that cannot be read")
                kind, to = RAISE, _cents(amount[1])
            self._acts.append((name, kind, to, len(self._board) // 2))
            self.action_lines.append(self.line)

    def _post(self, name: str, what: str) -> None:
        amount = _FIRST.search(what)
        if amount is None:
            raise ValueError(f"{name} posts an amount that cannot be read")
        chips = _cents(amount[1])
        self._dealt_in.add(name)
        is_short = "all-in" in what
        if what.startswith(("the ante", "ante")):
            self._antes[name] = chips
        elif what.startswith("small & big"):
            self._dead[name] = max(chips - self._big, 0)
            self._live[name] = min(chips, self._big)
        elif what.startswith("small blind"):
            if self._small_posted:
                self._dead[name] = chips
            else:
                self._small_posted = max(chips, self._small) if is_short else chips
                self._live[name] = self._small_posted
        elif "dead" in what:
            self._dead[name] = chips
        elif what.startswith("big blind"):
            self._live[name] = self._big if is_short else chips
            self._big_posted = max(self._big_posted, self._live[name])
        else:  # a straddle, or the big blind of somebody who comes back
            self._live[name] = self._live.get(name, 0) + chips

    def _street(self, found: re.Match[str]) -> None:
        name = found[1].strip()
        if name.startswith(("FIRST ", "SECOND ", "THIRD ")):
            raise ValueError("the board was dealt more than once (run it twice)")
        if name not in _OPEN_CARDS:
            return
        self._board = "".join("".join(_CARDS.findall(found[2])).split())
        if len(self._board) != 2 * _OPEN_CARDS[name]:
            raise ValueError(f"the {name.lower()} must show {_OPEN_CARDS[name]} cards")
        parse_cards(self._board)

    def _deal(self, found: re.Match[str]) -> None:
        self._cards.setdefault(found[1], found[2].replace(" ", ""))

    def _collect(self, found: re.Match[str]) -> None:
        if found[1] in self._seats:
            self._collected[found[1]] = self._collected.get(found[1], 0) + _cents(found[2])

    def _summarise(self, line: str) -> None:
        if line.startswith("Total pot"):
            total = _TOTAL.match(line)
            self._total = _cents(total[1]) if total else None
            fees = _FEES.findall(line)
            if any("-" in sign for sign, _ in fees):
                raise ValueError(f"the rake must be at least 0; got {line!r:.80}")
            self._fees = sum(_cents(fee) for _, fee in fees) if fees else None
        elif line.startswith("Seat "):
            found = _SUMMARY_CARDS.match(line)
            if found is not None:
                for name, (seat, _) in self._seats.items():
                    if seat == int(found[1]):
                        self._cards.setdefault(name, found[2].replace(" ", ""))

    # --- the hand ---------------------------------------------------------------------------------

    def _hand(
        self, header: str, betting: str, button: int, size: int
    ) -> tuple[Hand, tuple[int, ...] | None]:
        if not button:
            raise ValueError("there is no line of the table with the button")
        count = max([size, button, *(seat for seat, _ in self._seats.values())])
        dealt_in = [name for name in self._seats if name in self._dealt_in]
        names = sorted(dealt_in, key=lambda name: (self._seats[name][0] - button - 1) % count)
        n = len(names)
        if not MIN_SEATS <= n <= MAX_SEATS:
            raise ValueError(f"a hand has 2 to 10 players; got {n}")
        if betting == "fixed-limit":
            self._small = self._small_posted or self._small
        elif self._big_posted and self._big_posted != self._big:  # the level has just changed
            self._small = min(self._live.values())
            self._big = self._big_posted
        self._post_nothing(names)
        if n == 2:  # the small blind has the button; some programs wrote otherwise
            names.sort(key=lambda name: self._live.get(name, 0) < self._big)
        posted = [self._live.get(name, 0) for name in names]
        usual = [self._big, self._small] if n == 2 else [self._small, self._big, *[0] * (n - 2)]
        if self._big not in posted:
            raise ValueError(f"nobody posts the big blind of {self._big / 100:g}")
        ante, dead = self._dead_chips(names)
        got = [self._collected.get(name, 0) for name in names]
        place = {name: i for i, name in enumerate(names)}
        actions = [Action(place[name], kind, to, cards) for name, kind, to, cards in self._acts]
        stacks = [self._seats[name][1] for name in names]
        small, big = self._small, self._big
        amounts = [*stacks, *posted, *dead, *got, ante, small, big, self._fees or 0]
        amounts += [action.to for action in actions]
        unit = 100 if any(amount % 100 for amount in amounts) else 1

        def chips(amount: int) -> int:
            return amount if unit == 100 else amount // 100

        if chips(sum(stacks)) > MOST_CHIPS:
            raise ValueError(f"at most {MOST_CHIPS} chips can be in play")
        all_is_rake = self._fees is not None and 0 < self._fees == self._total
        is_paid = (any(got) or all_is_rake) and not any(map(_PAID_OTHERWISE.search, self._lines))
        digits = re.sub(r"\D", "", _HEADER.match(header)[1])  # type: ignore[index]
        hand = Hand(
            stacks=tuple(map(chips, stacks)),
            hole_cards=tuple(tidy_cards(self._cards.get(name, "")) for name in names),
            board=tidy_cards(self._board),
            actions=tuple(action._replace(to=chips(action.to)) for action in actions),
            small_blind=chips(small),
            big_blind=chips(big),
            ante=chips(ante),
            blinds=() if posted == usual else tuple(map(chips, posted)),
            dead=tuple(map(chips, dead)) if any(dead) else (),
            betting=betting,
            shown=tuple(name in self._shown for name in names),
            rake=chips(self._fees) if self._fees is not None else None,
            players=tuple(names),
            seats=tuple(self._seats[name][0] - 1 for name in names),
            seat_count=count,
            number=int(digits) if 0 < len(digits) <= 15 else None,
            unit=unit,
        )
        return hand, tuple(map(chips, got)) if is_paid else None

    def _post_nothing(self, names: list[str]) -> None:
        """Blinds of which nothing is written, since the ante was all that their players had."""
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
        """The ante of everybody, and the dead chips of each."""
        ante = max(self._antes.values(), default=0)
        dead = [self._dead.get(name, 0) for name in names]
        if ante and len(self._antes) < len(names):  # somebody pays it for the table
            dead = [
                chips + self._antes.get(name, 0) for chips, name in zip(dead, names, strict=True)
            ]
            ante = 0
        return ante, dead
