"""``nlhe solve``: equilibrium strategies for flops, turns and rivers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import tyro

from agents.commands.common import UsageError, usage_errors
from agents.commands.solve_boards import print_board_report, several_boards
from nlhe_env.arguments import number, one_of, whole_number
from nlhe_env.extras import install_command
from nlhe_env.game.rake import Rake
from nlhe_env.system.cores import n_cores
from nlhe_env.system.files import replacing

if TYPE_CHECKING:
    from agents.solvers import BoardSample, HandGrid, PublicGame, Solution, Subgame

_PERCENT = 100.0


@dataclass(frozen=True, kw_only=True)
class Solve:
    """Solve a heads-up hand from the flop, turn or river on.

    The first range acts first on every street. The output is the frequency and value of each action
    at one decision; --hands adds a row for each hole-card class, and --picture draws them. Values
    are a player's final chips minus its chips behind at the start. Ctrl-C shows the solution so
    far.

    With several boards, such as "10 rivers", the output is a table with a row for each board, and
    means over all boards. Ctrl-C keeps the boards that are finished.
    """

    board: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="BOARD")]
    """Three to five cards, such as AsKd7c2h9s; or several boards: "10 rivers", "25 turns" or
    "10 flops" to draw them as they are dealt to these ranges, a list with commas, or a file with
    one on each line."""

    first: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="RANGE")]
    """Range of the player who acts first, such as "22+, A2s+, KTs+, AJo+"; * is any hand."""

    second: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="RANGE")]
    """Range of the other player."""

    pot: Annotated[int, tyro.conf.arg(metavar="CHIPS")]
    """Chips in the pot, half from each player."""

    stack: Annotated[tuple[int, ...], tyro.conf.arg(metavar="CHIPS [CHIPS]")]
    """Chips behind: one number, or one for each player."""

    bets: str = "50%, pot, all-in"
    """Sizes of bets: shares of the pot, all-in."""

    raises: str | None = None
    """Sizes of raises, also multiples of the bet such as 2.5x; like bets if not given."""

    big_blind: Annotated[int, tyro.conf.arg(metavar="CHIPS")] = 1
    """The smallest bet; in fixed-limit a bet before the turn."""

    betting: Literal["no-limit", "fixed-limit"] = "no-limit"
    """Betting structure."""

    rake: Annotated[str, tyro.conf.arg(metavar="SHARE[/CAP]")] = ""
    """What the house takes of the pot, such as 5% or 5%/300, at most 300 chips."""

    at: Annotated[tuple[str, ...], tyro.conf.arg(metavar="STEP ...")] = ()
    """The decision to show, by what comes before: such as check "bet 50", or check check 2h."""

    iterations: Annotated[int, tyro.conf.arg(metavar="N")] = 1000
    """Most iterations to run."""

    target: Annotated[float, tyro.conf.arg(metavar="PERCENT")] = 0.3
    """Exploitability in percent of the pot at which to stop earlier."""

    method: Literal["cfr", "cfr+", "discounted"] = "discounted"
    """Variant of regret minimisation."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Number of threads, which share the work before the river, or several rivers; default: one
    for each core."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Seed for the boards that are drawn."""

    csv: Annotated[Path | None, tyro.conf.arg(metavar="FILE.csv")] = None
    """Write a row for each of several boards into this file."""

    hands: bool = False
    """Print a row for each class of hole cards."""

    picture: Annotated[Path | None, tyro.conf.arg(metavar="FILE.png")] = None
    """Draw the decision into this file; its suffix may be another. Needs the extra "plot"."""

    arrays: Annotated[Path | None, tyro.conf.arg(metavar="FILE.npz")] = None
    """Write the decision as NumPy arrays: cards, actions, probabilities, values, reach, and the
    other player's hands that each hand meets."""

    def run(self) -> None:
        """Solves and shows it."""
        from agents.solvers import HandGrid, Solution, draw_hand_grid

        with usage_errors():
            number("target", self.target, least=0)
            whole_number("iterations", self.iterations, least=1)
            self._check_files()
            boards = several_boards(self.board, (self.first, self.second), self.seed)
        if boards is not None:
            self._report_boards(boards)
            return
        if self.csv is not None:
            raise UsageError("--csv is for several boards; --arrays writes the solution of one")
        with usage_errors():
            spot = self._spot()
            size = spot.size()
            _print(f"{size}; at most {self.iterations:,} iterations")
            game = spot.game()
            Solution(game, game.uniform(), 0).at(*self.at)  # there is such a decision
            solution, interrupted = self._solve(game, spot.pot)
            decision = solution.at(*self.at)
        hands = spot.hands(decision.player)
        grid = HandGrid.of(decision, hands)
        for line in _report(spot, solution, grid, self.at, decision.player, self.hands):
            print(line)
        if self.picture is not None:
            where = "".join(f", {step}" for step in self.at)
            title = f"{spot.board}{where}: player {decision.player}, pot {spot.pot} at the start"
            draw_hand_grid(grid, self.picture, title=title)
        if self.arrays is not None:
            with replacing(self.arrays) as file:
                np.savez_compressed(
                    file,
                    player=decision.player,
                    cards=hands,
                    hands=np.array(spot.hand_names(decision.player)),
                    actions=np.array(decision.actions),
                    chances=decision.chances,
                    values=decision.values + spot.pot / 2,
                    reach=decision.reach,
                    met=decision.met,
                    exploitability=solution.exploitability,
                )
        if interrupted:
            raise KeyboardInterrupt

    def _solve(self, game: PublicGame, pot: int) -> tuple[Solution, bool]:
        """Solution, and whether it was interrupted; an interrupt before is raised."""
        from agents.solvers import Solution, Solver

        solver = Solver(game, self.method, threads=self._n_threads)
        interrupted = False
        try:
            solver.run_to(
                self.iterations,
                target=self.target * pot / _PERCENT,
                on_progress=lambda n, found: _print(
                    f"{n:,} iterations: exploitability {found / pot:.2%} of the pot"
                ),
            )
        except KeyboardInterrupt:
            if solver.iterations == 0:
                raise
            interrupted = True
            _print("interrupted: the solution so far follows")
        return Solution(game, solver.strategy, solver.iterations), interrupted

    def _report_boards(self, boards: BoardSample) -> None:
        for option, given in (
            ("--hands", self.hands),
            ("--picture", self.picture is not None),
            ("--arrays", self.arrays is not None),
        ):
            if given:
                raise UsageError(f"{option} is for one board; --csv writes a table of several")
        solving = {
            "steps": self.at,
            "target": self.target * self.pot / _PERCENT,
            "iterations": self.iterations,
            "method": self.method,
            "threads": self._n_threads,
        }
        with usage_errors():
            print_board_report(boards, self._rules(), solving, self.csv)

    @property
    def _n_threads(self) -> int:
        return n_cores() if self.threads is None else self.threads

    def _spot(self) -> Subgame:
        from agents.solvers import Subgame

        return Subgame(self.board, **self._rules())

    def _rules(self) -> dict[str, Any]:
        """Arguments of ``Subgame`` but for the board."""
        return {
            "ranges": (self.first, self.second),
            "pot": self.pot,
            "stack": self.stack[0] if len(self.stack) == 1 else self.stack,
            "bets": self.bets,
            "raises": self.raises,
            "big_blind": self.big_blind,
            "betting": self.betting,
            "rake": Rake.read(self.rake),
        }

    def _check_files(self) -> None:
        """Long before they are written.

        Raises:
            UsageError: A file cannot be written there, or Matplotlib is not installed.
            ValueError: The picture has a suffix that Matplotlib does not know.
        """
        for option, path in (
            ("--picture", self.picture),
            ("--arrays", self.arrays),
            ("--csv", self.csv),
        ):
            if path is not None and path.is_dir():
                raise UsageError(f"{option} {path} is a folder")
            if path is not None and not path.parent.is_dir():
                raise UsageError(f"{option} {path}: there is no folder {path.parent}")
        if self.picture is None:
            return
        if find_spec("matplotlib") is None:
            raise UsageError(f"pictures need Matplotlib: {install_command('plot')}")
        from agents.solvers.pictures import picture_formats

        one_of("the suffix of --picture", self.picture.suffix[1:].lower(), picture_formats())


def _report(
    spot: Subgame,
    solution: Solution,
    grid: HandGrid,
    steps: tuple[str, ...],
    player: int,
    hands: bool,
) -> Iterator[str]:
    """Lines that describe a decision."""
    half = spot.pot / 2
    share = solution.exploitability / spot.pot
    yield (
        f"{solution.iterations:,} iterations, exploitability {solution.exploitability:.4g} chips a "
        f"hand ({share:.2%} of the pot)"
    )
    first, second = solution.values
    house = f", the house {-first - second:.2f}" if spot.rake is not None else ""
    yield f"player 0 gets {half + first:.2f} chips, player 1 {half + second:.2f}{house}"
    yield ""
    yield f"player {player} " + (f"after {', '.join(steps)}" if steps else "at the start")
    width = max(len(action) for action in grid.actions)
    for action, frequency in zip(grid.actions, grid.frequencies, strict=True):
        yield f"  {action:<{width}}  {frequency:6.1%}"
    if not hands:
        return
    yield ""
    yield "hand  holdings   value  " + "  ".join(f"{a:>{max(len(a), 6)}}" for a in grid.actions)
    for row, column in np.ndindex(grid.weights.shape):
        if grid.weights[row, column] > 0:
            chances = grid.chances[:, row, column]
            yield (
                f"{grid.name(row, column):<4}  {grid.weights[row, column]:8.2f}  "
                f"{half + grid.values[row, column]:6.1f}  "
                + "  ".join(
                    f"{chance:>{max(len(a), 6)}.1%}"
                    for a, chance in zip(grid.actions, chances, strict=True)
                )
            )


def _print(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
