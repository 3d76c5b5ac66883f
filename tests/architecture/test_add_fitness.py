"""A new fitness function is one file: here the place in the worse half of the tournaments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import agents
import evolve
import nlhe_env


@dataclass(frozen=True, kw_only=True)
class WorstHalf(evolve.FitnessSettings):
    part: float = 0.5

    def measure(self, tally):
        places = np.sort(tally.row_scores, axis=0)
        worst = places[int(len(places) * (1 - self.part)) :]
        return evolve.Fitness(worst.mean(axis=0), np.full(worst.shape[1], np.nan))


def test_a_new_fitness_measures_and_trains_in_the_common_run(tmp_path, registers):
    evolve.register_fitness("worst-half", WorstHalf)
    players = agents.pack_players([agents.make(name) for name in ("caller", "raiser", "random")])
    tally = agents.play(
        players, agents.Tournaments(20), nlhe_env.Game.tournament(), seed=1, rows=True
    )
    np.testing.assert_allclose(WorstHalf(part=1.0).measure(tally).values, tally.scores)
    assert (WorstHalf().measure(tally).values >= tally.scores).all()
    sizes = {"population": 12, "elites": 3, "tournaments": 8, "generations": 2, "hall_of_fame": 6}
    config = evolve.Config().with_values(fitness="worst-half", part=0.25, **sizes)
    folder = evolve.RunFolder.create(tmp_path, config)
    with evolve.thread_workers(1) as workers:
        evolve.train(folder, config, folder.restore(config, say=print), workers=workers)
    assert folder.load_config() == config
    assert len(folder.champions()) == 2
