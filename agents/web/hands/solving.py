"""Equilibrium play on the turn or river of a finished hand.

The players' ranges on the street are unknown and taken as uniform, so that the answer reveals
nothing about hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.solvers.hand_grids import HandGrid
from agents.solvers.subgame_from_hand import (
    StreetSolution,
    StreetSubgame,
    event_name,
    find_street,
    solve_street_of,
)
from agents.web.hands.grids import grid_view
from nlhe_env.cards import CARD_NAMES
from nlhe_env.hand_history import Hand

STREETS = ("turn", "river")
"""Solvable streets."""

_SECONDS = 4.0
_ANY_HAND = "*"


def solve_street(hand: Hand, street: str, *, seconds: float = _SECONDS) -> dict[str, Any]:
    """Solution from a street on, along the actions taken.

    Args:
        hand: A finished hand; only its known hole cards are evaluated.
        street: ``"turn"`` or ``"river"``.
        seconds: Estimated time of the solver; the answer includes its exploitability.

    Returns:
        Plain values: ``street``, ``board``, ``pot``, ``stacks``, ``exploitability`` (a share of the
        pot), ``iterations``, and ``decisions``, each with ``name``, ``seat``, ``street``, ``cards``
        (if known), ``grid`` (see ``grid_view``) and ``actions``: ``name``, ``probability`` over all
        hands, ``own_probability`` with these cards, ``taken``.

    Raises:
        ValueError: There is nothing to solve; the message says why.
    """
    if street not in STREETS:
        raise ValueError(f"a street is one of {', '.join(STREETS)}; got {street[:20]!r}")
    found = find_street(hand, street)
    solved = solve_street_of(hand, found, (_ANY_HAND, _ANY_HAND), seconds=seconds)
    spot = solved.subgame
    return {
        "street": street,
        "board": [CARD_NAMES[card] for card in spot.cards],
        "pot": spot.pot,
        "stacks": list(spot.stacks),
        "sizes": solved.menu,
        "iterations": solved.solution.iterations,
        "exploitability": solved.exploitability,
        "decisions": list(_decisions(hand, found, solved)),
    }


def _decisions(
    hand: Hand, found: StreetSubgame, solved: StreetSolution
) -> Iterator[dict[str, Any]]:
    """Solution for each decision of the hand."""
    spot = solved.subgame
    steps: list[str | int] = []
    river = False
    for event in found.events:
        if event["street"] == "river" and len(spot.cards) == 4 and not river:
            river = True
            steps.append(hand.board[8:10])
        decision = solved.solution.at(*steps)
        player = event["seat"]
        cards = hand.hole_cards[player]
        own = spot.column(decision.player, cards) if cards else None
        taken = event_name(event)
        grid = HandGrid.of(decision, spot.hands(decision.player))
        yield {
            "seat": hand.seats[player],
            "name": hand.players[player],
            "street": event["street"],
            "cards": [cards[:2], cards[2:]] if own is not None else [],
            "grid": grid_view(grid),
            "actions": [
                {
                    "name": name,
                    "probability": float(share),
                    "own_probability": None if own is None else float(decision.chances[i, own]),
                    "taken": name == taken,
                }
                for i, (name, share) in enumerate(
                    zip(decision.actions, decision.frequencies, strict=True)
                )
            ],
        }
        steps.append(event.get("to", event["action"]))
