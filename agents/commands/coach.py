"""``nlhe coach``: costs of a player's decisions in recorded hands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from agents import registry
from agents.commands.common import UsageError, usage_errors

if TYPE_CHECKING:
    from agents.coach import CoachedDecision
    from nlhe_env.hand_history import Hand


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
    """Name of the player; default: the player whose cards are shown most often."""

    model: Annotated[str, tyro.conf.arg(metavar="PLAYER")] = "formula"
    """Compiled player that models everyone at the table."""

    deals: Annotated[int, tyro.conf.arg(metavar="N")] = 400
    """Number of deals per action."""

    solver_seconds: Annotated[float, tyro.conf.arg(metavar="SECONDS")] = 0.0
    """Time limit for solving each heads-up turn and river; 0 to solve none."""

    top: Annotated[int, tyro.conf.arg(metavar="N")] = 20
    """Number of decisions to list."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Seed of the deals."""

    def run(self) -> None:
        """Read the hands, evaluate the decisions and print them."""
        from agents.coach import coach, known_players

        with usage_errors():
            model = registry.make_compiled(self.model)
            hands = _read(self.file)
            known = known_players(hands)
            if not known:
                raise ValueError(f"{self.file}: no named player has known hole cards")
            player = self.player or next(iter(known))
            found = []
            for decision in coach(
                hands,
                player,
                model,
                deals=self.deals,
                solver_seconds=self.solver_seconds,
                seed=self.seed,
            ):
                found.append(decision)
                _show_progress(decision.hand, len(hands))
        _clear_progress()
        if not found:
            raise UsageError(f"{player} has no decision with known cards in {self.file}")
        print("\n".join(_lines(found, known[player], player, self.model, self.top)))


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
        print(f"{len(errors)} hands cannot be read; the first: {errors[0]}", file=sys.stderr)
    return hands


def _lines(
    found: Sequence[CoachedDecision], n_hands: int, player: str, model: str, top: int
) -> list[str]:
    worst = sorted(found, key=lambda one: -one.cost)
    solved = [one for one in found if one.equilibrium is not None]
    total = sum(one.cost for one in found)
    lines = [
        f"{player}: {len(found)} decisions in {n_hands} hands with known cards cost "
        f"{100.0 * total / n_hands:.0f} bb/100 against {model}",
    ]
    if solved:
        cost = sum(one.equilibrium.cost for one in solved if one.equilibrium is not None)
        lines.append(
            f"{len(solved)} of them on solved turns and rivers cost {cost:.1f} bb "
            f"against equilibria for the ranges of {model}"
        )
    rows = [("hand", "street", "cards", "board", "taken", "better", "cost (bb)", "equilibrium")]
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


def _show_progress(hand: int, count: int) -> None:
    if sys.stderr.isatty():
        print(f"\rhand {hand + 1} of {count}", end="", file=sys.stderr, flush=True)


def _clear_progress() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
