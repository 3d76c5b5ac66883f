"""Costs of decisions on turn and river, in an equilibrium between two players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from agents.policy.hand_replay import HandReplay
from agents.solvers.resolving import hands_at
from agents.solvers.solution import SolvedDecision
from agents.solvers.street_solution import StreetSolution, solve_street_of
from agents.solvers.subgame_from_hand import StreetSubgame, event_name, find_street
from nlhe_env.game.rake import Rake
from nlhe_env.game.table import STREET_NAMES
from nlhe_env.hand_history import Hand

SOLVED_STREETS = ("turn", "river")
"""Solved streets."""

_SECONDS = 1.0
"""Estimated time of all iterations of a street, which limits the bet sizes."""


class EquilibriumValue(NamedTuple):
    """Value of an action in an equilibrium."""

    action: str
    value: float
    """Big blinds won from the street on, counting half of the initial pot as put in."""
    probability: float
    """Equilibrium probability with the player's hole cards."""


class EquilibriumCheck(NamedTuple):
    """A decision compared with an equilibrium from the start of its street on."""

    values: tuple[EquilibriumValue, ...]
    """Values of all actions, the best first."""
    cost: float
    """Loss of the taken action against the best one in big blinds."""
    exploitability: float
    """Exploitability of the solution in big blinds."""


def check_decisions(
    hand: Hand,
    place: int,
    replay: HandReplay,
    *,
    iterations: int,
    tremble: float,
    rake: Rake | None,
) -> dict[int, EquilibriumCheck]:
    """Decisions of a player on turn and river, compared with an equilibrium.

    Both players' ranges at the start of the street are those of the replay's model.

    Args:
        hand: The hand.
        place: Place of the player in the hand.
        replay: Replay of the whole hand.
        iterations: Largest number of iterations of each street.
        tremble: See ``HandReplay.reach``.
        rake: Rake of the game.

    Returns:
        Results by index of the action in the hand, without streets seen by more than two players
        and hands that the model never holds there.
    """
    checks: dict[int, EquilibriumCheck] = {}
    for street in SOLVED_STREETS:
        try:
            found = find_street(hand, street)
        except ValueError:  # nothing to solve on this street
            continue
        if place not in found.seats:
            continue
        number = STREET_NAMES.index(street)
        ranges = [hands_at(replay.reach(seat, number, tremble)) for seat in found.seats]
        first, second = ranges
        if first is None or second is None:
            continue
        try:
            solved = solve_street_of(
                hand,
                found,
                (first, second),
                seconds=_SECONDS,
                iterations=iterations,
                rake=rake,
            )
        except ValueError:  # too large
            continue
        checks.update(_of_street(hand, place, street, found, solved))
    return checks


def _of_street(
    hand: Hand, place: int, street: str, found: StreetSubgame, solved: StreetSolution
) -> Iterator[tuple[int, EquilibriumCheck]]:
    """The player's decisions on one street, with their numbers."""
    first = len(hand.actions) - len(found.events)
    steps: list[str | int] = []
    for number, event in enumerate(found.events, first):
        if event["street"] != street:
            return
        if event["seat"] == place:
            decision = solved.solution.at(*steps)
            own = solved.subgame.column(decision.player, hand.hole_cards[place])
            # Hands compatible with none of the other player's hands have no value.
            if own is not None and np.isfinite(decision.values[:, own]).all():
                yield number, _check(hand, event_name(event), decision, own, solved)
        steps.append(event.get("to", event["action"]))


def _check(
    hand: Hand, taken: str, decision: SolvedDecision, own: int, solved: StreetSolution
) -> EquilibriumCheck:
    values = decision.values[:, own] / hand.big_blind
    chances = decision.chances[:, own]
    order = np.argsort(-values, kind="stable").tolist()
    return EquilibriumCheck(
        tuple(
            EquilibriumValue(decision.actions[i], float(values[i]), float(chances[i]))
            for i in order
        ),
        cost=float(values.max() - values[decision.actions.index(taken)]),
        exploitability=solved.exploitability * solved.subgame.pot / hand.big_blind,
    )
