"""New opponents are one file: here the best candidate of the generation before."""

from __future__ import annotations

from dataclasses import dataclass

import agents
import evolve


@dataclass(frozen=True, kw_only=True)
class Predecessor(evolve.OpponentSettings):
    first: str = "caller"

    ranked = False

    def make(self, kind, n_groups, *, seats, seed):
        return TheBest(kind, self.first)


class TheBest(evolve.OpponentPolicy):
    def __init__(self, kind, first):
        self.kind, self.best = kind, kind.none()
        self.first = agents.pack_players([agents.make_compiled(first)])

    def select(self, candidates, optimizer, generation):
        return evolve.Opponents.all_players(self.best.pack() if len(self.best) else self.first)

    def learn(self, results, optimizer, generation):
        best = results.candidate_scores.champion(slice(0, len(results.candidates)))
        self.best = results.candidates[best : best + 1]

    def state(self):
        return self.best.to_arrays()

    def restore(self, state):
        self.best = self.kind.from_arrays(state)


def test_new_opponents_train_in_the_common_run_and_continue(tmp_path, registers):
    evolve.register_opponents("predecessor", Predecessor)
    values = {"game": "cash", "schedule": "blocks", "blocks": 4, "optimizer": "cma-es-diagonal"}
    config = evolve.Config().with_values(
        opponents="predecessor", first="raiser", population=6, hidden=(2,), generations=2, **values
    )
    folder = evolve.RunFolder.create(tmp_path, config)
    with evolve.thread_workers(1) as workers:
        evolve.train(folder, config, folder.restore(config, say=print), workers=workers)
        longer = config.with_values(generations=3)
        state = folder.restore(longer, say=print)
        assert len(state.opponents.best) == 1
        evolve.train(folder, longer, state, workers=workers)
    assert folder.load_config() == config
    assert [line["generation"] for line in folder.metrics()] == [1, 2, 3]
