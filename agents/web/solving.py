"""What perfect play does on the turn or river of a hand that is over, for a page that asks.

Nobody knows with which hands players come to a street: both are taken to hold any two cards, each
as likely. So the answer tells nothing of cards that are face down.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.solvers import Solution, Solver, Subgame
from nlhe_env.cards import CARD_NAMES, format_cards, parse_cards
from nlhe_env.game.table import ACTIVE, NOBODY, STREET_NAMES
from nlhe_env.hand_history import Hand, play_hand
from nlhe_env.machine.array_types import I64

STREETS = {"turn": 4, "river": 5}
"""What may be asked for, and the cards that lie there."""

_SECONDS = 4.0
_MOST_BYTES = 2**28
_ITERATIONS = 60  # that must be possible in this time, or there are too many sizes
_MOST_ITERATIONS = 1000
_GOOD = 0.003  # of the pot
_ANY_HAND = "*"
_SIZES = ("50%, pot, all-in", "pot, all-in", "all-in")
"""Menus, the first that is small enough is taken; what was really bet is added."""


class _Street(NamedTuple):
    """A hand from the first decision of a street on."""

    table: np.void
    """Before the decision."""
    seats: tuple[int, int]
    """The two players, who acts first first: places in the arrays of the hand."""
    events: list[dict[str, Any]]
    bets: list[float]
    """Real bets as shares of the pot after calling, and the same of raises."""
    raises: list[float]


def solve_street(hand: Hand, street: str, *, seconds: float = _SECONDS) -> dict[str, Any]:
    """The solver's answer from a street on, along what was really done.

    Args:
        hand: That is over; only hole cards that it names are looked up in the answer.
        street: ``"turn"`` or ``"river"``.
        seconds: To stop after, and then tell how good the answer is.

    Returns:
        Plain values: ``street``, ``board``, ``pot``, ``stacks``, ``exploitability`` (a share of the
        pot), ``iterations``, and ``decisions``, each with ``name``, ``seat``, ``street``, ``cards``
        (or none) and ``actions``: ``name``, ``chance`` over all hands, ``own`` with these cards,
        ``taken``.

    Raises:
        ValueError: There is nothing to solve; the message says why.
    """
    if street not in STREETS:
        raise ValueError(f"a street is one of {', '.join(STREETS)}; got {street[:20]!r}")
    found = _find(hand, street)
    spot, menu = _spot(hand, found, street, seconds)
    game = spot.game()
    solver = Solver(game)
    solver.run(1)
    game.exploitability(solver.strategy)  # what must be compiled has its own time
    deadline = time.monotonic() + seconds
    while True:
        solver.run(max(4, solver.iterations // 2))
        exploitability = game.exploitability(solver.strategy) / spot.pot
        late = time.monotonic() > deadline or solver.iterations >= _MOST_ITERATIONS
        if late or exploitability <= _GOOD:
            break
    return {
        "street": street,
        "board": [CARD_NAMES[card] for card in spot.cards],
        "pot": spot.pot,
        "stacks": list(spot.stacks),
        "sizes": menu,
        "iterations": solver.iterations,
        "exploitability": exploitability,
        "decisions": list(_decisions(hand, found, spot, solver)),
    }


def _find(hand: Hand, street: str) -> _Street:
    """Where a street begins.

    Raises:
        ValueError: The hand did not come there with two players who could still bet.
    """
    if hand.betting == "pot-limit":
        raise ValueError("pot-limit hands cannot be solved yet")
    tables: list[np.void] = []
    events: list[dict[str, Any]] = []
    for step in play_hand(hand):
        if step.event is not None and STREET_NAMES.index(step.event["street"]) >= (
            STREET_NAMES.index(street)
        ):
            events.append(step.event)
        else:
            tables = []
        tables.append(step.table)
    table = tables[0]
    if not events or events[0]["street"] != street or table["actor"] == NOBODY:
        raise ValueError(f"nobody decided anything on the {street} of this hand")
    players = np.flatnonzero(table["status"] == ACTIVE).tolist()
    if int(table["unfolded"]) != 2 or len(players) != 2:
        raise ValueError(
            f"only two players can be solved; {int(table['unfolded'])} saw the {street}"
        )
    first = int(table["actor"])
    second = players[0] if players[1] == first else players[1]
    bets: list[float] = []
    raises: list[float] = []
    for before, event in zip(tables, events, strict=False):
        if "to" in event:
            current = int(before["current_bet"])
            to_call = current - int(before["street_bet"][event["seat"]])
            share = (event["to"] - current) / (int(before["pot"]) + to_call)
            (raises if current else bets).append(share)
    return _Street(table, (first, second), events, bets, raises)


def _spot(hand: Hand, found: _Street, street: str, seconds: float) -> tuple[Subgame, str]:
    """What is solved, with the richest menu that there is time for, and the menu.

    Raises:
        ValueError: Even the poorest takes too long.
    """
    board = parse_cards(hand.board)[: STREETS[street]]
    table = found.table
    for menu in _SIZES:
        spot = Subgame(
            format_cards(board),
            (_ANY_HAND, _ANY_HAND),
            pot=int(table["pot"]),
            stack=(int(table["stack"][found.seats[0]]), int(table["stack"][found.seats[1]])),
            bets=_with(menu, found.bets),
            raises=_with(menu, found.raises),
            big_blind=hand.big_blind,
            betting=hand.betting,
        )
        size = spot.size()
        if size.bytes <= _MOST_BYTES and size.seconds * _ITERATIONS <= seconds:
            return spot, menu
    raise ValueError(
        f"this is too large for the table ({size}): python -m agents solve has more time, and "
        "takes ranges"
    )


def _with(menu: str, shares: Sequence[float]) -> str:
    return ", ".join([menu, *(f"{100 * share:.8f}%" for share in sorted(set(shares)))])


def _decisions(
    hand: Hand, found: _Street, spot: Subgame, solver: Solver
) -> Iterator[dict[str, Any]]:
    """What the solver says to each decision that was taken."""
    solution = Solution(solver.game, solver.strategy, solver.iterations)
    steps: list[str | int] = []
    river = False
    for event in found.events:
        if event["street"] == "river" and len(spot.cards) == 4 and not river:
            river = True
            steps.append(hand.board[8:10])
        decision = solution.at(*steps)
        place = event["seat"]
        cards = hand.hole_cards[place]
        own = _column(cards, spot.hands(decision.player))
        taken = f"{event['action']}{' to' * (event['action'] == 'raise')} {event.get('to', '')}"
        yield {
            "seat": hand.seats[place],
            "name": hand.players[place],
            "street": event["street"],
            "cards": [cards[:2], cards[2:]] if own is not None else [],
            "actions": [
                {
                    "name": name,
                    "chance": float(share),
                    "own": None if own is None else float(decision.chances[i, own]),
                    "taken": name == taken.strip(),
                }
                for i, (name, share) in enumerate(
                    zip(decision.actions, decision.frequencies, strict=True)
                )
            ],
        }
        steps.append(event.get("to", event["action"]))


def _column(cards: str, hands: I64) -> int | None:
    """Which of some holdings these cards are."""
    if not cards:
        return None
    same = (np.sort(hands, axis=1) == sorted(parse_cards(cards))).all(axis=1)
    return int(np.flatnonzero(same)[0]) if same.any() else None
