"""A new kind of genome is one file: here players that always do the same, one byte each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import agents
from evolve.genomes import GENOMES, ArrayGenomes, GenomeKind, Variation, register_genomes
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from evolve.training.run import train
from evolve.workers import thread_workers

NAMES = ("folder", "caller", "raiser", "random")


class Habits(ArrayGenomes):
    def pack(self):
        return agents.pack([agents.make_compiled(NAMES[i]) for i in self.rows])

    def player(self, i, *, name, origin=None):
        return agents.make_compiled(NAMES[self.rows[i]])


@dataclass(frozen=True, kw_only=True)
class Change(Variation):
    change: float = 0.2

    def children(self, parents, n, *, rng):
        drawn = Habits.join(*(parents.draw_one(rng) for _ in range(n))).rows
        return Habits(np.where(rng.random(n) < self.change, rng.integers(4, size=n), drawn))


@dataclass(frozen=True, kw_only=True)
class HabitKind(GenomeKind):
    variation = Change

    def none(self):
        return Habits(np.empty(0, np.int64))

    def first(self, n, variation, *, rng):
        return Habits(rng.integers(4, size=n))

    def from_arrays(self, arrays):
        return Habits(arrays["rows"])


def test_a_new_kind_of_genome_trains_by_the_common_run(tmp_path, monkeypatch):
    monkeypatch.setitem(GENOMES, "habits", HabitKind)
    register_genomes("habits", HabitKind)
    sizes = {"population": 12, "elites": 3, "tournaments": 8, "generations": 4, "hall_of_fame": 6}
    config = Config().with_values(genomes="habits", change=0.1, table_size=6, **sizes)
    folder = RunFolder.create(tmp_path, config)
    with thread_workers(1) as workers:
        train(folder, config, folder.restore(config, say=print), workers=workers)
    assert RunFolder.open(folder.path).load_config() == config
    assert len(folder.champions()) == 4
    assert folder.champion().name.lower() in NAMES
