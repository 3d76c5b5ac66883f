"""Runs of duplicate blocks: learning, the same result however they are run, opponents, racing."""

import json
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
from interrupts import interruptible
from scipy import stats
from training_runs import BLOCKS, go_on

import agents
import nlhe_env
from evolve import seeds
from evolve.commands.main import main
from evolve.files.safe import read_arrays, read_lines
from evolve.opponents.opponent_sampling import OpponentMix, Opponents
from evolve.opponents.pool import OpponentPool
from evolve.training import block_schedule
from evolve.training.block_schedule import blocks_of_all
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback, learn_from, play_generation
from evolve.training.state import State
from nlhe_env.system.command_interrupts import interrupts_wait

POOL = BLOCKS.with_values(
    pool_share=0.5, population_share=0.3, named_share=0.2, priority="hard", pool_every=2
)


class InterruptingAt(RunCallback):
    """Interrupts a search at one kind of call after some generations."""

    def __init__(self, where: str, generations: int = 3) -> None:
        self._where = where
        self._left = generations

    def on_generation(self, metrics, timings) -> None:
        self._left -= 1
        self._called("on_generation")

    def on_games(self, count) -> None:
        self._called("on_games")

    def on_trial(self, trial) -> None:
        self._called("on_trial")

    def _called(self, where: str) -> None:
        if where == self._where and self._left <= 0:
            raise KeyboardInterrupt


def run_blocks(path: Path, config: Config, *, threads=1, listener=None) -> RunFolder:
    folder = RunFolder.at(path, config)
    go_on(folder, config, threads=threads, listener=listener)
    return folder


def results(folder: RunFolder) -> dict[str, bytes]:
    """Everything that equal searches have in common."""
    names = ["metrics.jsonl", "tests.jsonl", "champions.npz", "champion.npz", "config.toml"]
    found = {name: (folder.path / name).read_bytes() for name in names}
    newest = max((folder.path / "checkpoints").iterdir())
    return found | {newest.name: newest.read_bytes()}


TABLES = {"optimizer": "openai-es", "schedule": "tables", "table_size": 4, "rounds": 2}
SEARCHES = {
    "cma-es": BLOCKS,
    "pool": POOL,
    "racing": POOL.with_values(optimizer="genetic", racing_rounds=2),
    "openai-es": POOL.with_values(optimizer="openai-es", table_size=3, inputs="features_opponents"),
    "tables": POOL.with_values(**TABLES, seats_for_opponents=2),
    "self-play": BLOCKS.with_values(
        **TABLES,
        opponents="self-play",
        seats_for_opponents=1,
        card_sensitivity_gate=0.02,
        pool_every=2,
        init="normal",
        learning_rate=0.4,
        test_players=("caller",),
    ),
    "map-elites": BLOCKS.with_values(optimizer="map-elites"),
    "tournament": BLOCKS.with_values(
        optimizer="mutation", game="tournament", table_size=4, starting_stack=300
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("config", SEARCHES.values(), ids=SEARCHES)
def test_interrupted_searches_reach_the_same_result(tmp_path, monkeypatch, config):
    monkeypatch.setattr("evolve.training.run.CHECKPOINT_PAUSE", 0.0)
    whole = run_blocks(tmp_path / "whole", config, threads=2)
    for generations in (1, 3):
        with pytest.raises(KeyboardInterrupt):
            run_blocks(
                tmp_path / "parts", config, listener=InterruptingAt("on_generation", generations)
            )
    parts = run_blocks(tmp_path / "parts", config)
    assert results(whole) == results(parts)
    metrics = read_lines(whole.metrics_file)
    assert [line["generation"] for line in metrics] == [1, 2, 3, 4, 5, 6]
    assert metrics[-1]["hands"] == sum(line["generation_hands"] for line in metrics)
    assert whole.generations().tolist() == [0, 2, 4, 6]


def test_train_measures_the_progress_of_the_tested_generations(tmp_path):
    flags = (
        "--preset heads-up-genetic --population 8 --blocks 2 --generations 7 --hands 0 --workers 1 "
        "--test-blocks 2 --test-every 5 --test-players caller --named caller "
        "--progress-tournaments 4"
    )
    assert main(["train", *flags.split(), "--runs", str(tmp_path)]) == 0
    folder = RunFolder.latest(tmp_path)
    kept = folder.generations().tolist()
    assert kept == [0, 5, 7]
    assert json.loads(folder.progress_file.read_text())["generations"] == kept


def test_a_resumed_search_is_not_shorter_than_what_is_played(tmp_path, capsys):
    flags = "--preset heads-up-genetic --population 8 --blocks 2 --hands 2000 --test-blocks 0"
    more = "--named caller --workers 1 --progress-tournaments 0"
    assert main(["train", *flags.split(), *more.split(), "--runs", str(tmp_path)]) == 0
    folder = RunFolder.latest(tmp_path)
    played = folder.metrics()[-1]["hands"]
    assert played > 2000
    resume = ["train", "--workers", "1", "--resume", str(folder.path)]
    assert main([*resume, "--hands", "100"]) == 2
    assert f"hands must be at least {played}" in " ".join(capsys.readouterr().err.split())
    assert folder.load_config().hands == 2000
    assert main(resume) == 0  # as many as before


class Copying(RunCallback):
    """Copies the folder after every generation and test: what a kill there would leave behind."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.copies: list[Path] = []

    def on_generation(self, metrics, timings) -> None:
        copy = self._folder.with_name(f"{self._folder.name}-{len(self.copies)}")
        shutil.copytree(self._folder, copy)
        self.copies.append(copy)

    def on_trial(self, trial) -> None:
        if trial.generation:
            self.on_generation({}, {})


def test_killed_searches_reach_the_same_result(tmp_path, monkeypatch):
    config = POOL.with_values(optimizer="mutation", novelty=True)
    monkeypatch.setattr("evolve.training.run.CHECKPOINT_PAUSE", 0.0)
    listener = Copying(tmp_path / "whole")
    whole = run_blocks(tmp_path / "whole", config, listener=listener)
    assert len(listener.copies) == 6 + 3
    for copy in listener.copies[::2]:
        with (copy / "metrics.jsonl").open("ab") as file:
            file.write(b'{"generation": 9')  # a line that was not written to its end
        assert results(run_blocks(copy, config)) == results(whole)


@pytest.mark.parametrize(
    ("where", "finished", "tests"),
    [("on_generation", 3, 2), ("on_games", 3, 2), ("on_trial", 4, 3)],
)
def test_an_interrupt_loses_no_finished_generation(tmp_path, where, finished, tests):
    with pytest.raises(KeyboardInterrupt):
        run_blocks(tmp_path / "parts", BLOCKS, listener=InterruptingAt(where))
    folder = RunFolder.open(tmp_path / "parts")
    assert len(read_lines(folder.metrics_file)) == finished
    assert folder.restore(BLOCKS, say=print).generation == finished
    assert len(folder.trials()) == tests
    assert results(run_blocks(folder.path, BLOCKS)) == results(
        run_blocks(tmp_path / "whole", BLOCKS)
    )


@interruptible()
def test_ctrl_c_waits_for_short_work_to_finish():
    done = []

    def work() -> None:
        with interrupts_wait():
            signal.raise_signal(signal.SIGINT)
            done.append(True)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done
    with pytest.raises(KeyboardInterrupt):  # and comes at once again
        signal.raise_signal(signal.SIGINT)


def test_tiny_search_learns_to_beat_the_caller(tmp_path):
    config = BLOCKS.with_values(
        optimizer="openai-es",
        generations=0,
        num_hands=20,
        population=32,
        sigma=0.3,
        learning_rate=0.3,
        blocks=10,
        hands=200_000,
        starting_stack=800,
        named=("caller",),
        test_every=0,
        test_blocks=300,
    )
    folder = run_blocks(tmp_path / "run", config, threads=2)
    first, last = folder.trials()
    assert first["hands"] == 0
    assert last["hands"] >= config.hands
    gain = last["score"] - first["score"]
    assert gain > 5.0 * np.hypot(first["error"], last["error"])
    assert last["score"] > 5.0 * last["error"]
    # The file holds the very player that was tested.
    champion = folder.champion()
    np.testing.assert_array_equal(champion.weights, folder.champions().weights[-1])


def test_common_cards_reduce_the_error_of_differences():
    config = BLOCKS.with_values(blocks=300, num_hands=20)
    candidates = State.initial_state(config).optimizer.ask()[:2]
    pool = OpponentPool.empty(candidates, named=("old-best",))
    mix = OpponentMix(pool=0.0, population=0.0, named=1.0)
    opponents = Opponents.gather(pool, candidates[:0], mix)
    met = opponents.lineups(config.schedule.blocks, 1, seeds.generator(1, seeds.SEARCH_TEST))
    batch, schedule = blocks_of_all(candidates.pack(), opponents.batch, met)
    first, second = (
        agents.play(batch, schedule, config.make_game(), seed=seed, rows=True)
        .row_scores[:, 0]
        .reshape(2, -1)
        for seed in (1, 2)
    )
    common = np.var(first[0] - first[1])
    independent = np.var(first[0] - second[1])
    assert common < 0.7 * independent


def test_some_blocks_use_the_same_opponent_at_all_other_seats(workers):
    """The lineups that results are counted by are the lineups that are played."""
    config = BLOCKS.with_values(
        optimizer="openai-es",
        opponents="self-play",
        inputs="features_unit",
        card_sensitivity_gate=0.0,
        table_size=4,
        blocks=5,
        common_random_numbers=2,
        test_blocks=0,
    )
    seen = []

    def backend(batch, schedule, game, **rest):
        seen.append(schedule)
        return agents.play(batch, schedule, game, **rest)

    play_generation(State.initial_state(config), config, workers=workers, backend=backend)
    alike = {
        block: len(set(row[1:])) == 1
        for schedule in seen
        for row, block in zip(schedule.lineups.tolist(), schedule.blocks.tolist(), strict=True)
    }
    assert [alike[block] for block in range(5)] == [True, True, False, False, False]


def test_blocks_are_standardised_within_lineages_after_a_generation(monkeypatch, workers):
    config = BLOCKS.with_values(
        optimizer="openai-es",
        lineages=2,
        opponents="self-play",
        card_sensitivity_gate=0.0,
        standardised_after=1,
        test_blocks=0,
    )
    scores = []

    def scores_of(tally, n):
        scores.append(block_scores(tally, n))
        return scores[-1]

    block_scores = block_schedule.block_scores
    monkeypatch.setattr(block_schedule, "block_scores", scores_of)
    state = State.initial_state(config)
    candidates, first = play_generation(state, config, workers=workers)
    learn_from(state, config, candidates, first)
    _, second = play_generation(state, config, workers=workers)
    np.testing.assert_allclose(first.candidate_scores.fitness, scores[0].mean(axis=1))
    by_hand = [stats.zscore(one, axis=0).mean(axis=1) for one in np.split(scores[1], 2)]
    np.testing.assert_allclose(second.candidate_scores.fitness, np.concatenate(by_hand))
    per_block = block_schedule.score_per_block(config.make_game())
    assert second.line["mean_score"] == pytest.approx(scores[1].mean() * per_block)


def test_blocks_with_equal_scores_carry_no_information():
    alike = block_schedule.standard_scores(np.array([[7.0, 1.0], [7.0, 2.0]]))
    assert alike.tolist() == [[0.0, -1.0], [0.0, 1.0]]


def test_standardised_blocks_exclude_racing():
    with pytest.raises(ValueError, match="standardised_after must be 0 when candidates race"):
        BLOCKS.with_values(standardised_after=3, racing_rounds=1)


def test_loss_weights_count_better_candidates():
    batch = agents.pack_players([agents.make_compiled(name) for name in ("caller", "folder")])
    opponents = agents.pack_players([agents.make_compiled("folder")])
    both, schedule = blocks_of_all(batch, opponents, np.zeros((3, 1), np.int64))
    # The caller wins every block against a folder, and folders tie.
    for game in (nlhe_env.Game.cash(), nlhe_env.Game.tournament(starting_stack=300)):
        tally = agents.play(both, schedule, game, seed=1, rows=True)
        together, apart = np.zeros(2, np.int64), np.arange(2)
        assert (block_schedule._losses(tally, together, 1) == np.full((1, 3, 1), 0.75)).all()
        assert (block_schedule._losses(tally, apart, 2)[:, :, 0] == [[1.0] * 3, [0.5] * 3]).all()
        scores = block_schedule.block_scores(tally, 2)
        assert (scores[0] > scores[1]).all()


def test_the_pool_takes_earlier_players_within_its_limits(tmp_path):
    config = POOL.with_values(pool_every=1, pool_capacity=3)
    folder = run_blocks(tmp_path / "run", config)
    sizes = [line["pool"] for line in read_lines(folder.metrics_file)]
    assert sizes == [1, 2, 3, 3, 3, 3]
    assert read_arrays(folder.path / "pool.npz")["games"].sum() > 0


@pytest.mark.slow
def test_a_run_can_be_compared_measured_and_plotted(tmp_path, capsys):
    folder = run_blocks(tmp_path / "run", BLOCKS)
    path = str(folder.path)
    evaluate = ["evaluate", path, "--blocks", "2", "--players"]
    assert main([*evaluate, "caller", "generation-2"]) == 0
    lines = capsys.readouterr().out
    assert "this run was trained in cash games" in lines
    its_own_game = lines.split("  nlhe ")[1].splitlines()[0].split()
    assert main([*its_own_game, "--games", "400"]) == 0
    assert main(["evaluate", "progress", path, "--tournaments", "2"]) == 0
    assert main(["evaluate", "plot", path]) == 0
    assert main(["league", path, "caller", "--games", "1000"]) == 0
    assert (folder.path / "progress.png").exists()
    capsys.readouterr()
    assert main(["evaluate", "metagame", path, "--rounds", "2", "--champions", "3"]) == 0
    assert "3 players, 2 rounds" in capsys.readouterr().out
    (meta,) = json.loads((folder.path / "metagame.json").read_text())["sub_populations"]
    assert meta["players"] == ["0", "2", "6"]
    assert main([*evaluate, "generation-3"]) == 2
    assert "generations 0, 2, 4, 6; got 'generation-3'" in capsys.readouterr().err
    assert main(["train", "--resume", path]) == 0  # nothing is left to train


def test_a_search_may_only_be_extended_in_length(tmp_path):
    run_blocks(tmp_path / "run", BLOCKS)
    longer = run_blocks(tmp_path / "run", BLOCKS.with_values(generations=8))
    assert len(read_lines(longer.metrics_file)) == 8
    with pytest.raises(ValueError, match=r"blocks is 4 in the run and 5 now"):
        run_blocks(tmp_path / "run", BLOCKS.with_values(blocks=5))
