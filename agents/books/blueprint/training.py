"""Resumable training of blueprints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from agents.books.blueprint.abstraction import Abstraction
from agents.books.blueprint.holdem_cards import HoldemCards
from agents.books.blueprint.sampling import SampledSolver
from agents.players.blueprint.book import BookSection, write_book
from agents.players.blueprint.player import BlueprintPlayer
from nlhe_env.equity import load_tables
from nlhe_env.jit.array_types import F64, U8
from nlhe_env.system.files import load_npz, replacing

Progress = Callable[["Training"], None]

AT_ONCE = 50_000
"""Iterations between checks of the clock: about half a second."""
_WEIGHTS = 32
"""Resolution of stored probabilities."""
_RARE = 0.03
"""Actions with lower probability are sampling noise and are removed (S. Ganzfried, T. Sandholm, K.
Waugh, "Strategy Purification and Thresholding", AAMAS 2012)."""


class Training:
    """Training of one blueprint for one stack depth.

    Args:
        abstraction: Abstraction of the game.
        seed: Seed of the cards and walks.
        checkpoint: File for ``save``; training resumes from its contents, if any.

    Raises:
        ValueError: The checkpoint is damaged or belongs to another training.
    """

    def __init__(
        self, abstraction: Abstraction, *, seed: int = 0, checkpoint: Path | None = None
    ) -> None:
        self.abstraction = abstraction
        self._checkpoint = checkpoint
        self._about = json.dumps({"seed": seed, **abstraction.as_dict()}, sort_keys=True)
        self.cards = HoldemCards(abstraction.buckets(), load_tables(), seed=seed)
        self.solver = SampledSolver(abstraction.tree(), self.cards, seed=seed)
        if checkpoint is not None and checkpoint.exists():
            self._load(checkpoint)

    @property
    def iterations(self) -> int:
        """Number of iterations so far."""
        return self.solver.iterations

    def run(self, iterations: int, progress: Progress = lambda training: None) -> None:
        """Train until the total number of iterations is reached.

        An interrupt ends training cleanly and saves the state.
        """
        # Work runs in a thread, so that an interrupt of the main thread cannot stop it midway.
        with self._saving(), ThreadPoolExecutor(1) as worker:
            while self.iterations < iterations:
                count = min(AT_ONCE, iterations - self.iterations)
                worker.submit(self.solver.run, count).result()
                progress(self)

    def section(self) -> BookSection:
        """Section of a book with the learned strategy."""
        return BookSection(
            self.abstraction.code,
            0.0 if self.abstraction.is_limit else float(self.abstraction.stack),
            self.solver.tree,
            self.cards.buckets,
            tuple(as_weights(chances) for chances in self.solver.chances()),
        )

    def save(self) -> None:
        """Write the checkpoint, if one was named."""
        if self._checkpoint is None:
            return
        self._checkpoint.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self._checkpoint) as file:
            np.savez(
                file,
                allow_pickle=False,
                about=np.array(self._about),
                iterations=np.array(self.iterations),
                **self.solver.sums._asdict(),
            )

    @contextmanager
    def _saving(self) -> Iterator[None]:
        try:
            yield
        finally:
            self.save()

    def _load(self, checkpoint: Path) -> None:
        found = load_npz(checkpoint)
        if str(found["about"]) != self._about:
            raise ValueError(
                f"{checkpoint} is the checkpoint of a different training run ({found['about']}); "
                "remove it or choose another file"
            )
        self.solver.iterations = int(found["iterations"])
        for name, sums in self.solver.sums._asdict().items():
            sums[:] = found[name]


def as_weights(chances: F64) -> U8:
    """Probabilities as the weights of a book."""
    kept = np.where(chances < _RARE, 0, chances)
    weights: U8 = np.rint(kept * _WEIGHTS).astype(np.uint8)
    return weights


def make_player(trainings: Sequence[Training], name: str) -> BlueprintPlayer:
    """Player with the strategies of several trainings."""
    origin = {
        "made by": "nlhe solve blueprint",
        "trainings": [
            {**training.abstraction.as_dict(), "iterations": training.iterations}
            for training in trainings
        ],
    }
    book = write_book([training.section() for training in trainings])
    return BlueprintPlayer(book, name, origin)
