"""A new kind of genome is one file: here players with constant actions, one byte each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import agents
import evolve

NAMES = ("folder", "caller", "raiser", "random")


class Habits(evolve.ArrayGenomes):
    def pack(self):
        return agents.pack_players([agents.make_compiled(NAMES[i]) for i in self.rows])

    def player(self, i, *, name, origin=None):
        return agents.make_compiled(NAMES[self.rows[i]])


@dataclass(frozen=True, kw_only=True)
class Change(evolve.Variation):
    change: float = 0.2

    def children(self, parents, n, *, rng):
        drawn = Habits.join(*(parents.draw_one(rng) for _ in range(n))).rows
        return Habits(np.where(rng.random(n) < self.change, rng.integers(4, size=n), drawn))


@dataclass(frozen=True, kw_only=True)
class HabitKind(evolve.GenomeKind):
    variation = Change

    def none(self):
        return Habits(np.empty(0, np.int64))

    def first(self, n, variation, *, rng):
        return Habits(rng.integers(4, size=n))

    def from_arrays(self, arrays):
        return Habits(arrays["rows"])


def test_a_new_kind_of_genome_trains_in_the_common_run(tmp_path, registers):
    evolve.register_genomes("habits", HabitKind)
    sizes = {"population": 12, "elites": 3, "tournaments": 8, "generations": 4, "hall_of_fame": 6}
    config = evolve.Config().with_values(genomes="habits", change=0.1, table_size=6, **sizes)
    folder = evolve.RunFolder.create(tmp_path, config)
    with evolve.thread_workers(1) as workers:
        evolve.train(folder, config, folder.restore(config, say=print), workers=workers)
    assert evolve.RunFolder.open(folder.path).load_config() == config
    assert len(folder.champions()) == 4
    assert folder.champion().name.lower() in NAMES
