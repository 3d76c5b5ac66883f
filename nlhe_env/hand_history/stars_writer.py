"""Writer of PokerStars text, which many programs read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from nlhe_env.evaluator import describe
from nlhe_env.game.table import FOLDED
from nlhe_env.hand_history.record import Hand
from nlhe_env.hand_history.replay import HandError, Step, check_hand, play_hand

_GAMES = {"no-limit": "No Limit", "pot-limit": "Pot Limit", "fixed-limit": "Limit"}
_STREETS = (("FLOP", 3), ("TURN", 4), ("RIVER", 5))
_NO_TEXT = re.compile(r"[^\S ]|[\x00-\x1f\x7f-\x9f]")  # line ends, tabs and the like
_FOLDED = ("before Flop", "on the Flop", "on the Turn", "on the River")


def write_pokerstars(hands: Iterable[Hand], *, date: str = "2000/01/01 0:00:00 ET") -> str:
    """Write hands as PokerStars text.

    Amounts in cents are written in dollars, others in chips. All known cards are written; use
    ``Hand.seen_by`` to hide cards.

    Args:
        hands: Hands with one board and the usual cap on bets.
        date: Date of the hands.

    Raises:
        ValueError: A hand is invalid, or has two boards, unknown stacks or an unusual cap.
    """
    return "\n\n\n".join([_Writer(hand).text(number, date) for number, hand in enumerate(hands, 1)])


class _Writer:
    """Text of one hand."""

    def __init__(self, hand: Hand) -> None:
        if hand.second_board:
            raise ValueError("a hand with two boards cannot be written as PokerStars text")
        if any(hand.unknown_stacks):
            raise ValueError("a hand with unknown stacks cannot be written as PokerStars text")
        self._hand = hand
        self._steps: list[Step] = list(play_hand(hand))
        if hand.max_bets:
            _check_usual(hand)
        self._names = _names(hand)
        self._put = [0] * len(hand.stacks)  # chips in the pot so far
        self._board = [hand.board[i : i + 2] for i in range(0, len(hand.board), 2)]

    @property
    def _last(self) -> np.void:
        return self._steps[-1].table

    def text(self, number: int, date: str) -> str:
        hand = self._hand
        button = hand.seats[-1] + 1
        limits = hand.small_blind, hand.big_blind
        if hand.betting == "fixed-limit":
            limits = hand.big_blind, 2 * hand.big_blind
        stakes = "/".join(map(self._chips, limits)) + (" USD" if hand.unit == 100 else "")
        lines = [
            f"PokerStars Hand #{hand.number or number}:  Hold'em {_GAMES[hand.betting]} "
            f"({stakes}) - {date}",
            f"Table 'nlhe_env' {hand.seat_count}-max Seat #{button} is the button",
        ]
        for seat, name, stack in sorted(zip(hand.seats, self._names, hand.stacks, strict=True)):
            lines.append(f"Seat {seat + 1}: {name} ({self._chips(stack)} in chips)")
        lines += self._posts()
        lines.append("*** HOLE CARDS ***")
        for name, cards in zip(self._names, hand.hole_cards, strict=True):
            if cards:
                lines.append(f"Dealt to {name} [{cards[:2]} {cards[2:]}]")
        lines += self._play()
        lines += self._summary()
        return "\n".join(lines) + "\n"

    def _chips(self, chips: int) -> str:
        if self._hand.unit != 100:
            return str(chips)
        return f"${chips // 100}" + (f".{chips % 100:02}" if chips % 100 else "")

    def _posts(self) -> Iterator[str]:
        hand = self._hand
        n = len(hand.stacks)
        dead = hand.dead or (0,) * n
        for i in range(n):
            chips = dead[i] if _is_ante(hand, i) else 0
            if hand.ante or chips:
                yield from self._post(i, "posts the ante", hand.ante + chips)
        small_at, big_at = (1, 0) if n == 2 else (0, 1)
        for i in (small_at, big_at, *range(2, n)):
            live = hand.posted[i]
            missed = 0 if _is_ante(hand, i) else dead[i]
            if i == small_at and 0 < live < hand.big_blind:
                yield from self._post(i, "posts small blind", live)
            elif live > hand.big_blind:
                yield from self._straddle(i, small_at, big_at, live)
            elif live and missed:
                yield from self._post(i, "posts small & big blinds", live + missed)
            elif live:
                yield from self._post(i, "posts big blind", live)
            elif missed:
                yield from self._post(i, "posts dead blind", missed)

    def _post(self, i: int, what: str, chips: int) -> Iterator[str]:
        paid = min(chips, self._hand.stacks[i] - self._put[i])
        if paid:  # players all-in by the ante have no line
            yield f"{self._names[i]}: {what} {self._pay(i, paid)}"

    def _straddle(self, i: int, small_at: int, big_at: int, live: int) -> Iterator[str]:
        """Line of a straddle; the amount includes an earlier blind of the player."""
        blind = {small_at: self._hand.small_blind, big_at: self._hand.big_blind}.get(i, 0)
        if not blind or self._hand.stacks[i] - self._put[i] <= blind:
            yield from self._post(i, "posts straddle", live)
            return
        role = "small" if i == small_at else "big"
        yield from self._post(i, f"posts {role} blind", blind)
        remaining = min(live - blind, self._hand.stacks[i] - self._put[i])
        paid = self._pay(i, remaining).removeprefix(self._chips(remaining))
        yield f"{self._names[i]}: posts straddle {self._chips(blind + remaining)}{paid}"

    def _pay(self, i: int, chips: int) -> str:
        """An amount bet by a player, marked if all-in."""
        self._put[i] += chips
        all_in = " and is all-in" if chips and self._put[i] == self._hand.stacks[i] else ""
        return self._chips(chips) + all_in

    def _play(self) -> Iterator[str]:
        n_open = 0
        before = self._steps[0].table
        for i, step in enumerate(self._steps[1:]):
            if step.event is not None:
                n_board = self._hand.actions[i].board_cards
                yield from self._open(n_open, n_board)
                n_open = n_board
                yield self._act(step.event, int(before["current_bet"]))
            before = step.table
        for i, put in enumerate(self._put):
            returned = put - int(self._last["hand_bet"][i])
            if returned > 0 and self._last["pots"] + self._last["unfolded"] > 0:
                yield f"Uncalled bet ({self._chips(returned)}) returned to {self._names[i]}"
        yield from self._open(n_open, len(self._board))
        claims = self._claims() if self._last["showdown"] else []
        if claims:
            yield "*** SHOW DOWN ***"
        for i, (cards, shown) in enumerate(
            zip(self._hand.hole_cards, self._hand.shown, strict=True)
        ):
            if shown and cards:
                what = f" ({describe(cards + self._hand.board).words})" if i in claims else ""
                yield f"{self._names[i]}: shows [{cards[:2]} {cards[2:]}]{what}"
            elif i in claims:
                yield f"{self._names[i]}: mucks hand"
        for i, chips in enumerate(self._collected()):
            if chips:
                yield f"{self._names[i]} collected {self._chips(chips)} from pot"

    def _open(self, n_open: int, n_cards: int) -> Iterator[str]:
        for name, count in _STREETS:
            if n_open < count <= n_cards:
                new = " ".join(self._board[3 if count > 3 else 0 : count][-1 if count > 3 else 0 :])
                old = " ".join(self._board[: count - 1]) if count > 3 else ""
                yield f"*** {name} *** " + (f"[{old}] [{new}]" if old else f"[{new}]")

    def _act(self, event: dict[str, object], current_bet: int) -> str:
        i, word, chips = int(str(event["seat"])), event["action"], int(str(event["chips"]))
        name = self._names[i]
        if word in ("fold", "check"):
            return f"{name}: {word}s"
        if word == "raise":
            to = int(str(event["to"]))
            paid = self._pay(i, chips).removeprefix(self._chips(chips))
            return f"{name}: raises {self._chips(to - current_bet)} to {self._chips(to)}{paid}"
        return f"{name}: {word}s {self._pay(i, chips)}"

    def _claims(self) -> list[int]:
        statuses = self._last["status"][: len(self._names)]
        return [i for i, status in enumerate(statuses) if status != FOLDED]

    def _collected(self) -> list[int]:
        """Chips collected by each player from the pots.

        With a known rake and unknown final stacks, as after a cash-out, it is not told who did.
        """
        won: list[int] = self._last["won"][: len(self._names)].tolist()
        is_open = self._hand.finishing_stacks is None and self._hand.rake is not None
        return [0] * len(won) if is_open else won

    def _summary(self) -> Iterator[str]:
        hand, collected = self._hand, self._collected()
        rake = hand.rake or 0
        yield "*** SUMMARY ***"
        pots = int(self._last["won"].sum()) + rake
        yield f"Total pot {self._chips(pots)} | Rake {self._chips(rake)}"
        if self._board:
            yield f"Board [{' '.join(self._board)}]"
        folds = {
            step.event["seat"]: step.event["street"]
            for step in self._steps
            if step.event and step.event["action"] == "fold"
        }
        streets = ("preflop", "flop", "turn", "river")
        n = len(self._names)
        roles = {n - 1: " (button)", (1 if n == 2 else 0): " (small blind)"}
        roles[0 if n == 2 else 1] = " (big blind)"
        if n == 2:
            roles[1] = " (button) (small blind)"
        for seat, i in sorted((seat, i) for i, seat in enumerate(hand.seats)):
            player = f"Seat {seat + 1}: {self._names[i]}{roles.get(i, '')}"
            cards = hand.hole_cards[i]
            if i in folds:
                yield f"{player} folded {_FOLDED[streets.index(folds[i])]}"
            elif hand.shown[i] and cards:
                how = f" and won ({self._chips(collected[i])})" if collected[i] else " and lost"
                how = how if any(collected) else ""
                yield f"{player} showed [{cards[:2]} {cards[2:]}]{how}"
            elif collected[i]:
                yield f"{player} collected ({self._chips(collected[i])})"
            else:
                yield f"{player} mucked"


def _check_usual(hand: Hand) -> None:
    """Check that a hand with an unusual cap is possible under the usual one, as readers expect."""
    try:
        check_hand(replace(hand, max_bets=0))
    except HandError as error:
        raise ValueError(
            f"a hand of max_bets={hand.max_bets} with more bets on a street than usual cannot be "
            "written as PokerStars text"
        ) from error


def _is_ante(hand: Hand, i: int) -> bool:
    """Whether the dead chips of a player are an ante paid by the big blind."""
    at = 0 if len(hand.stacks) == 2 else 1
    return i == at and bool(hand.dead) and sum(hand.dead) == hand.dead[at]


def _names(hand: Hand) -> list[str]:
    """Names valid in the text: single-line, non-empty and distinct."""
    names: list[str] = []
    for i, name in enumerate(hand.players, 1):
        plain = _NO_TEXT.sub(" ", name) or f"p{i}"
        while plain in names:
            plain += f" {i}"
        names.append(plain)
    return names
