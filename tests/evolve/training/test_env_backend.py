"""Training through the environment gives the results of compiled games, for all players."""

import numpy as np
import pytest

import agents
from agents.match.workers.base import thread_workers
from evolve.training import env_backend
from evolve.training.config_files import load_preset
from evolve.training.run import step_generation
from evolve.training.state import State

SHORT = {"hands": 0, "generations": 2, "progress_tournaments": 0, "test_blocks": 0}
QUICK = load_preset("quick").with_values(population=6, elites=2, tournaments=2, **SHORT)
TABLE = QUICK.with_values(table_size=4, starting_stack=200, inputs="features")
BLOCKS = {"population": 4, "blocks": 2, **SHORT}
RUNS = {
    "heads-up": load_preset("heads-up").with_values(**BLOCKS),
    "hall of fame": TABLE.with_values(fitness="mean_money", hall_of_fame=2),
    "features_opponents": TABLE.with_values(inputs="features_opponents"),
    "teams": QUICK.with_values(genomes="teams"),
    "topographies": QUICK.with_values(genomes="topographies"),
    "ashe": load_preset("ashe-1.0-smoke").with_values(num_hands=10, **{**SHORT, "population": 4}),
    "pot-sized-networks": load_preset("heads-up").with_values(
        genomes="pot-sized-networks", optimizer="cma-es-diagonal", **BLOCKS
    ),
    # At tables of six the few named players sit in several seats.
    "named": load_preset("six-max").with_values(
        named=("raiser", "old-best", "opponent-frequency", "lstm", "self-play-quick"), **BLOCKS
    ),
}


@pytest.mark.parametrize("run", RUNS)
def test_both_backends_give_the_same_run(run, workers):
    config, lines = RUNS[run], []
    for backend in (agents.play, env_backend.play):
        state = State.initial_state(config)
        for _ in range(2):
            state, line = step_generation(state, config, workers=workers, backend=backend)
            lines.append(line)
    assert lines[:2] == lines[2:]


def test_the_environment_backend_refuses_matches_dealt_beforehand():
    config = load_preset("sbb-smoke")
    state = State.initial_state(config)
    with thread_workers(1) as workers, pytest.raises(ValueError, match="cannot play"):
        step_generation(state, config, workers=workers, backend=env_backend.play)


def test_the_environment_backend_can_start_at_any_tournament():
    config = TABLE.with_values(table_size=3)
    batch = State.initial_state(config).optimizer.ask().pack()
    tournaments = agents.Tournaments(2, first=2)
    one, other = (
        play(batch, tournaments, config.make_game(), seed=5, rows=True)
        for play in (agents.play, env_backend.play)
    )
    assert (one.hands, one.decisions) == (other.hands, other.decisions)
    np.testing.assert_array_equal(one.totals, other.totals)
    np.testing.assert_array_equal(one.style_counts, other.style_counts)
    for mine, theirs in zip(one.rows, other.rows, strict=True):
        np.testing.assert_array_equal(mine, theirs)
