"""``nlhe solve blueprint``."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from agents.books.blueprint.abstraction import DEPTHS, Abstraction
from agents.books.blueprint.training import Training, make_player
from agents.policy.player_io import save_player
from nlhe_env.arguments import whole_number
from nlhe_env.system.command_interrupts import last_words
from nlhe_env.system.command_line import check_output_file

_NAMES = {"limit": "EquilibriumLimit", "no-limit": "EquilibriumNoLimit"}
_BETWEEN_LINES_S = 1.0
_BETWEEN_CHECKPOINTS_S = 60.0


@dataclass(frozen=True, kw_only=True)
class TrainBlueprint:
    """Solve all of heads-up hold'em by sampling regret minimisation, and write a player.

    Repeat the command to continue an interrupted training, with an identical result.
    """

    game: Annotated[Literal["limit", "no-limit"], tyro.conf.Positional]
    """Fixed-limit with four bets per street, or no-limit."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE.npz")] = None
    """File for the player; default: the name of the game. Checkpoints are stored beside it."""

    iterations: Annotated[int, tyro.conf.arg(metavar="N")] = 30_000_000
    """Iterations for each stack depth; each one deals once and traverses the tree once per player.
    Stacks below 200 big blinds get half as many."""

    stacks: Annotated[str, tyro.conf.arg(metavar="N[,N...]")] = ",".join(map(str, DEPTHS))
    """Starting stacks in big blinds, for no-limit; in play, the nearest one is used."""

    seed: Annotated[int, tyro.conf.arg(metavar="N")] = 1
    """Seed of all random numbers."""

    def run(self) -> None:
        """Train, and write the player."""
        target = self.out or Path(f"equilibrium-{self.game}.npz")
        whole_number("iterations", self.iterations, least=1)
        whole_number("seed", self.seed, least=0)
        if target.suffix != ".npz":
            raise ValueError(f"a player file must end with .npz; got {str(target)!r}")
        check_output_file(target)
        abstractions = self._abstractions()
        files = [_checkpoint(target, abstraction) for abstraction in abstractions]
        trainings = [
            Training(abstraction, seed=self.seed, checkpoint=file)
            for abstraction, file in zip(abstractions, files, strict=True)
        ]
        with last_words("Training since the last checkpoint is lost."):
            for training in trainings:
                part = 1 if training.abstraction.is_deepest else 2
                _Line(training, -(-self.iterations // part)).train()
            save_player(target, make_player(trainings, _NAMES[self.game]))
        for file in files:
            file.unlink()
        print(f'{target}: load the player with agents.make("{target}")')

    def _abstractions(self) -> list[Abstraction]:
        if self.game == "limit":
            return [Abstraction.limit()]
        try:
            depths = [int(part) for part in self.stacks.split(",")]
        except ValueError:
            raise ValueError(f"stacks must look like 200,20; got {self.stacks!r}") from None
        return [Abstraction.no_limit(depth) for depth in depths]


def _checkpoint(target: Path, abstraction: Abstraction) -> Path:
    return target.with_name(f"{target.stem}-{abstraction.name}.checkpoint.npz")


class _Line:
    """A training with a progress line."""

    def __init__(self, training: Training, iterations: int) -> None:
        self._training = training
        self._iterations = iterations
        self._begun = self._reported = self._saved = time.monotonic()
        self._first = training.iterations

    def train(self) -> None:
        """Train to the end."""
        self._training.run(self._iterations, self._look)
        self._print(time.monotonic())
        print(file=sys.stderr)

    def _look(self, training: Training) -> None:
        now = time.monotonic()
        if now - self._reported >= _BETWEEN_LINES_S:
            self._reported = now
            self._print(now)
        if now - self._saved >= _BETWEEN_CHECKPOINTS_S:
            self._saved = now
            training.save()

    def _print(self, now: float) -> None:
        done = self._training.iterations
        speed = (done - self._first) / max(now - self._begun, 1e-3)
        left = (self._iterations - done) / speed if speed > 0 else 0.0
        words = (
            f"{self._training.abstraction.name}: {done:,} of {self._iterations:,} iterations, "
            f"{speed:,.0f} a second, {left / 60:.0f} min left"
        )
        print(f"\r{words:<78}", end="", file=sys.stderr, flush=True)
