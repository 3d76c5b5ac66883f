"""Equilibrium play on the turn or river of a hand that is over.

The ranges of the players on a street are unknown: both are taken to hold any two cards, each as
likely. So the answer reveals nothing of cards that are face down.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from agents.solvers import Solution, Solver, Subgame
from agents.solvers.subgame_from_hand import StreetSubgame, find_street
from nlhe_env.cards import CARD_NAMES
from nlhe_env.hand_history import Hand

STREETS = ("turn", "river")
"""Streets that may be solved."""

_SECONDS = 4.0
_MOST_BYTES = 2**28
_ITERATIONS = 60  # that must be possible in this time, or there are too many sizes
_MOST_ITERATIONS = 1000
_GOOD = 0.003  # of the pot
_ANY_HAND = "*"
_SIZES = ("50%, pot, all-in", "pot, all-in", "all-in")
"""Menus, the first that is small enough is taken; what was really bet is added."""


def solve_street(hand: Hand, street: str, *, seconds: float = _SECONDS) -> dict[str, Any]:
    """The solver's answer from a street on, along the actions taken.

    Args:
        hand: A hand that is over; only hole cards that it names are looked up in the answer.
        street: ``"turn"`` or ``"river"``.
        seconds: Time limit of the solver; the answer says how good it is.

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
    found = find_street(hand, street)
    spot, menu = _spot(hand, found, seconds)
    game = spot.game()
    solver = Solver(game)
    solver.run(1)
    solver.exploitability()  # what must be compiled has its own time
    deadline = time.monotonic() + seconds
    while True:
        solver.run(max(4, solver.iterations // 2))
        exploitability = solver.exploitability() / spot.pot
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


def _spot(hand: Hand, found: StreetSubgame, seconds: float) -> tuple[Subgame, str]:
    """The problem with the richest menu that there is time for, and the menu.

    Raises:
        ValueError: Even the poorest takes too long.
    """
    for menu in _SIZES:
        spot = found.spot(hand, (_ANY_HAND, _ANY_HAND), menu)
        size = spot.size()
        if size.bytes <= _MOST_BYTES and size.seconds * _ITERATIONS <= seconds:
            return spot, menu
    raise ValueError(
        f"this is too large for the table ({size}): python -m agents solve has more time, and "
        "takes ranges"
    )


def _decisions(
    hand: Hand, found: StreetSubgame, spot: Subgame, solver: Solver
) -> Iterator[dict[str, Any]]:
    """The solver's answer to each decision that was taken."""
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
        own = spot.column(decision.player, cards) if cards else None
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
