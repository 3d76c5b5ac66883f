"""A new schedule is one file: here duels of every candidate with the next one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import agents
import evolve


@dataclass(frozen=True, kw_only=True)
class Duels(evolve.ScheduleSettings):
    duels: int = 4

    def check_partners(self, config):
        super().check_partners(config)
        if config.game.table_size != 2:
            raise ValueError(f"duels need a table_size of 2; got {config.game.table_size}")

    def evaluate(self, generation):
        n, opponents = len(generation.candidates), generation.opponents
        pairs = np.column_stack([np.arange(n), np.roll(np.arange(n), -1)])
        tally = generation.backend(
            agents.concat(generation.candidates.pack(), opponents.batch),
            agents.LineupBlocks(pairs.repeat(self.duels, axis=0), np.arange(n * self.duels)),
            generation.game,
            seed=evolve.seeds.stream_seed(generation.seed, generation.number),
            rows=True,
        )
        won = tally.row_scores.reshape(n, self.duels, 2).mean(axis=1)
        scores = evolve.CandidateScores(won[:, 0] + np.roll(won[:, 1], 1), np.zeros((n, 1)))
        never = np.zeros(len(opponents.members))
        counts = {"hands": tally.hands, "decisions": tally.decisions}
        return evolve.GenerationResults(scores, never, never, **counts, line={}, best=0)


def test_a_new_schedule_trains_in_the_common_run_and_checks_its_partners(tmp_path, registers):
    evolve.register_schedule("duels", Duels)
    values = {"game": "cash", "opponents": "pool", "population": 6, "elites": 2, "hidden": (2,)}
    config = evolve.Config().with_values(schedule="duels", duels=2, generations=2, **values)
    with pytest.raises(ValueError, match="duels need a table_size of 2; got 3"):
        config.with_values(table_size=3)
    with pytest.raises(ValueError, match='opponents "hall" are ranked'):
        config.with_values(opponents="hall")
    folder = evolve.RunFolder.create(tmp_path, config)
    with evolve.thread_workers(1) as workers:
        evolve.train(folder, config, folder.restore(config, say=print), workers=workers)
    assert folder.load_config() == config
    # Each of six pairs plays two blocks of two games of twenty hands.
    assert [line["generation_hands"] for line in folder.metrics()] == [480, 480]
