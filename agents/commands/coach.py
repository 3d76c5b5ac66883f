"""``nlhe coach``: costs of a player's decisions in recorded hands."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from agents import registry
from agents.statistics.estimates import Z95
from nlhe_env.arguments import printable

if TYPE_CHECKING:
    from agents.coach import CoachedDecision
    from nlhe_env.hand_history import Hand


_MANY = 100
"""Fewest hands for a cost per hundred hands."""


@dataclass(frozen=True, kw_only=True)
class Coach:
    """List a player's decisions in recorded hands, the most expensive first.

    Each action of a decision is played out many times. The opponents' hidden cards come from the
    ranges that their actions imply under the model, and the model plays the rest of the hand in
    every seat. Costs are therefore relative to the model.
    """

    file: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
    """Hand history: PHH, PokerStars or GGPoker text, or an ACPC log."""

    player: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None
    """Name of the player; default: the owner of the file, who is dealt known cards."""

    model: Annotated[str, tyro.conf.arg(metavar="PLAYER")] = "formula"
    """Compiled player that models everyone at the table."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 400
    """Number of deals per action."""

    solver_iterations: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Maximum number of iterations to solve each heads-up turn and river; 0 to solve none."""

    top: Annotated[int, tyro.conf.arg(metavar="N")] = 20
    """Number of decisions to list."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Seed of the deals."""

    def run(self) -> None:
        """Read the hands, evaluate the decisions and print them."""
        from agents.coach import coach, known_players

        model = registry.make_compiled(self.model)
        hands = _read(self.file)
        known = known_players(hands)
        if not known:
            raise ValueError(f"{self.file}: no named player has known hole cards")
        player = self.player or _owner(self.file, known)
        found = []
        for decision in coach(
            hands,
            player,
            model,
            deals=self.deals,
            solver_iterations=self.solver_iterations,
            seed=self.seed,
        ):
            found.append(decision)
            _show_progress(decision.hand, len(hands))
        _clear_progress()
        if not found:
            raise ValueError(f"{player} has no decision with known cards in {self.file}")
        lines = _lines(found, known[player], player, self.model, self.top)
        print("\n".join(map(printable, lines)))


def _read(path: Path) -> list[Hand]:
    """All readable hands of a file; the number of others is reported on standard error."""
    from nlhe_env.hand_history import HandHistoryError, stream_hands

    hands: list[Hand] = []
    errors: list[HandHistoryError] = []
    for read in stream_hands(path):
        if isinstance(read, HandHistoryError):
            errors.append(read)
        else:
            hands.append(read)
    if not hands:
        raise ValueError(f"{path}: no hand can be read" + (f"; {errors[0]}" if errors else ""))
    if errors:
        words = f"{_count(len(errors), 'hand')} not read; the first: {errors[0]}"
        print(printable(words), file=sys.stderr)
    return hands


def _owner(path: Path, known: Iterable[str]) -> str:
    """The player whose cards are dealt most often in the text; else the first known one."""
    from nlhe_env.hand_history.streams import open_hands

    dealt = dict.fromkeys(known, 0)
    with open_hands(path) as lines:
        for line in lines:
            name = line.removeprefix("Dealt to ").rpartition(" [")[0]
            if line.startswith("Dealt to ") and name in dealt:
                dealt[name] += 1
    return max(dealt, key=lambda name: dealt[name])


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _lines(
    found: Sequence[CoachedDecision], n_hands: int, player: str, model: str, top: int
) -> list[str]:
    worst = sorted(found, key=lambda one: -one.cost)
    solved = [one.equilibrium for one in found if one.equilibrium is not None]
    total = math.fsum(one.cost for one in found)
    error = math.hypot(*(one.error for one in found))
    lines = [
        f"{player}: {_count(len(found), 'decision')} in {_count(n_hands, 'hand')} with known cards "
        f"cost {total:.1f} ± {Z95 * error:.1f} bb against {model}",
    ]
    if n_hands >= _MANY:
        rate, spread = _rate(found, n_hands)
        lines[0] += f", {rate:z.0f} ± {spread:.0f} bb/100"
    if solved:
        cost = math.fsum(one.cost for one in solved)
        gap = math.fsum(one.exploitability for one in solved)
        lines.append(
            f"{len(solved)} of them on solved turns and rivers cost {cost:.1f} ± {gap:.1f} bb "
            f"against equilibria for the ranges of {model}"
        )
    cost_name = "cost ± standard error (bb)"
    rows = [("hand", "street", "cards", "board", "taken", "better", cost_name, "equilibrium")]
    for one in worst[:top]:
        solved_street = one.equilibrium
        better = (
            f"{solved_street.values[0].action}, {solved_street.cost:.2f}"
            if solved_street is not None
            else ""
        )
        rows.append(
            (
                str(one.hand + 1),
                one.street,
                one.hole_cards,
                one.board,
                one.taken,
                one.best,
                f"{one.cost:.2f} ± {one.error:.2f}",
                better,
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines.append("")
    lines += ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return lines


def _rate(found: Sequence[CoachedDecision], n_hands: int) -> tuple[float, float]:
    """Cost in big blinds per 100 hands, and half of its 95% interval over hands."""
    by_hand: dict[int, float] = {}
    for one in found:
        by_hand[one.hand] = by_hand.get(one.hand, 0.0) + one.cost
    mean = math.fsum(by_hand.values()) / n_hands
    squares = math.fsum((cost - mean) ** 2 for cost in by_hand.values())
    squares += (n_hands - len(by_hand)) * mean**2  # hands without a decision cost nothing
    error = math.sqrt(squares / (n_hands - 1) / n_hands)
    return 100.0 * mean, 100.0 * Z95 * error


def _show_progress(hand: int, count: int) -> None:
    if sys.stderr.isatty():
        print(f"\rhand {hand + 1} of {count}", end="", file=sys.stderr, flush=True)


def _clear_progress() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
