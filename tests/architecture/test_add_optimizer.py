"""A new optimizer is one file: here a hill climber that keeps the best so far."""

from __future__ import annotations

import numpy as np

from evolve import (
    AskTell,
    Config,
    RunFolder,
    make_optimizer,
    register_optimizer,
    thread_workers,
    train,
)


class Climb(AskTell):
    """Noise around one point, which moves to the best candidate."""

    def __init__(self, init, *, population, sigma, seed, patience: int = 10) -> None:
        super().__init__(init, population=population, sigma=sigma, seed=seed)
        self.patience, self.point = patience, self.init

    def recommend(self):
        return self.point

    def _sample(self, rng):
        size = self.sigma * 0.5 ** (self.generation // self.patience)
        noise = size * rng.standard_normal((self.population - 1, self.n_parameters))
        return np.vstack([self.point, self.point + noise])

    def _learn(self, candidates, fitness, behaviour):
        self.point = candidates[np.argmax(fitness)]

    def _arrays(self):
        return {"point": self.point}

    def _put(self, arrays):
        self.point = arrays["point"].astype(np.float32)


def test_a_new_optimizer_is_made_by_name_and_trains_players(tmp_path, registers):
    register_optimizer("climb", Climb)
    climb = make_optimizer("climb", np.ones(3), population=20, sigma=0.5, seed=1)
    for _ in range(60):
        climb.tell(-np.square(climb.ask()).sum(axis=1))
    assert np.abs(climb.recommend()).max() < 0.1
    values = {"optimizer": "climb", "population": 6, "patience": 3, "generations": 3}
    games = {"game": "cash", "schedule": "blocks", "opponents": "pool", "blocks": 4}
    config = Config().with_values(**values, **games)
    folder = RunFolder.create(tmp_path, config)
    with thread_workers(1) as workers:
        train(folder, config, folder.restore(config, say=print), workers=workers)
    assert folder.load_config() == config
    assert folder.champion().weights.shape == (825,)
