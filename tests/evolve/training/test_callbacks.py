"""Run callbacks: what they log beside a run, and that they do not change it."""

import json
import signal
from types import SimpleNamespace

import pytest
from interrupts import interruptible

import evolve
from evolve.training import callbacks, plots, run
from evolve.training.callbacks import BoundLog, ParentLog, TensorBoard
from evolve.training.plots import ancestors, draw_run
from nlhe_env.errors import DamagedFileError

SMALL = {"population": 10, "tournaments": 4, "progress_tournaments": 0, "generations": 4}
HEADS_UP = {"population": 6, "blocks": 2, "generations": 3, "hands": 0, "test_blocks": 10}


def start(path, preset="quick", **values):
    config = evolve.load_preset(preset).with_values(**values)
    return evolve.RunFolder.create(path, config), config


def train(folder, config, make_callback):
    with evolve.thread_workers(1) as workers:
        state = folder.restore(config, say=print)
        evolve.train(folder, config, state, workers=workers, listener=make_callback(workers))


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("preset", ["quick", "neat-small"])
def test_parents_of_every_candidate_are_logged_and_the_log_resumes(tmp_path, preset):
    values = SMALL | ({"elites": 3, "hall_of_fame": 3} if preset == "quick" else {})
    whole, config = start(tmp_path / "whole", preset, **values)
    parts, _ = start(tmp_path / "parts", preset, **values)
    train(whole, config, lambda workers: ParentLog(whole.parents_file))
    train(parts, config.with_values(generations=2), lambda _: ParentLog(parts.parents_file))
    # As if a generation more had been logged, and then the process killed.
    with parts.parents_file.open("a") as file:
        file.write(json.dumps({"generation": 3, "groups": []}) + "\n")
    train(parts, config, lambda workers: ParentLog(parts.parents_file))
    assert parts.parents_file.read_bytes() == whole.parents_file.read_bytes()
    assert parts.metrics_file.read_bytes() == whole.metrics_file.read_bytes()
    logged = lines(whole.parents_file)
    assert [line["generation"] for line in logged] == [1, 2, 3, 4]
    for line in logged:
        (group,) = line["groups"]
        assert sorted(group["ranks"]) == list(range(10))
        assert len(group["parents"]) == 10
        known = [parent for parents in group["parents"] for parent in parents]
        assert all(0 <= parent < 10 for parent in known)
        assert bool(known) == (line["generation"] > 1)
    if preset == "quick":  # the elites survive, and are the only parents
        for line in logged[1:]:
            parents = line["groups"][0]["parents"]
            assert parents[:3] == [[0], [1], [2]]
            assert {parent for each in parents for parent in each} <= {0, 1, 2}


def test_ancestors_are_followed_from_the_best_candidate_back(tmp_path):
    folder, config = start(tmp_path, **SMALL, elites=3, hall_of_fame=3)
    train(folder, config, lambda workers: ParentLog(folder.parents_file))
    edges = ancestors(lines(folder.parents_file))
    last = [parent for parent, child in edges if child == (4, 0)]
    group = lines(folder.parents_file)[-1]["groups"][0]
    best = group["parents"][group["ranks"].index(0)]
    assert [parent.rank for parent in last] == sorted(best)
    assert {parent.generation for parent, _ in edges} == {1, 2, 3}
    pytest.importorskip("matplotlib")
    assert draw_run(folder).stat().st_size > 0


@pytest.mark.parametrize("again", [False, True])
def test_a_run_with_a_gap_in_its_log_of_parents_is_drawn(tmp_path, monkeypatch, again):
    folder, config = start(tmp_path, **SMALL, elites=3, hall_of_fame=3)
    for until, logged in ((2, True), (3, False), (4, again)):
        now = config.with_values(generations=until)
        train(
            folder, now, lambda _, logged=logged: ParentLog(folder.parents_file) if logged else None
        )
    log = lines(folder.parents_file)
    assert [line["generation"] for line in log] == ([1, 2, 4] if again else [1, 2])
    assert {child.generation for _, child in ancestors(log)} == (set() if again else {2})
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(plots, "_draw_ancestors", lambda axes, edges: drawn.append(edges))
    assert draw_run(folder).stat().st_size > 0
    assert not drawn  # what is logged does not lead to the last generation


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("metrics", {"generation": 1, "best_place": 1}, "KeyError"),
        ("metrics", {"generation": 1, "best_place": 1, "players": 2}, "KeyError"),
        ("metrics", 5, "TypeError"),
        ("tests", {"x": 1}, "KeyError"),
        ("bounds", {"hands": 1, "bound": "x", "error": 1}, "cannot be drawn"),
        ("parents", {"groups": 1}, "KeyError"),
    ],
)
def test_a_run_with_other_logs_is_named(tmp_path, name, line, message):
    pytest.importorskip("matplotlib")
    folder, _ = start(tmp_path, **SMALL)
    folder.metrics_file.write_text('{"generation": 1}\n')
    (folder.path / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises((DamagedFileError, ValueError), match=f"{folder.path}.*{message}"):
        draw_run(folder)


def test_a_local_best_response_is_logged_and_drawn_and_changes_nothing(tmp_path):
    folder, config = start(tmp_path / "a", "heads-up", **HEADS_UP)
    plain, _ = start(tmp_path / "b", "heads-up", **HEADS_UP)
    train(folder, config, lambda workers: BoundLog(folder.bounds_file, workers, every=2, blocks=10))
    train(plain, config, lambda workers: None)
    assert plain.metrics_file.read_bytes() == folder.metrics_file.read_bytes()
    logged = lines(folder.bounds_file)
    assert [line["generation"] for line in logged] == [2, 3]  # the last one always
    assert all(line["error"] > 0 for line in logged)
    assert [line["hands"] for line in logged] == [m["hands"] for m in folder.metrics()[1:]]
    pytest.importorskip("matplotlib")
    assert draw_run(folder).stat().st_size > 0


@pytest.mark.parametrize("call", [2, 3])
def test_an_interrupted_bound_is_measured_after_all(tmp_path, monkeypatch, call):
    whole, config = start(tmp_path / "whole", "heads-up", **HEADS_UP)
    parts, _ = start(tmp_path / "parts", "heads-up", **HEADS_UP)

    def log(folder):
        return lambda workers: BoundLog(folder.bounds_file, workers, every=1, blocks=2)

    train(whole, config, log(whole))
    left, measure = call, callbacks.local_exploitability

    def interrupted(*arguments, **options):
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt
        return measure(*arguments, **options)

    monkeypatch.setattr(callbacks, "local_exploitability", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(parts, config, log(parts))
    assert parts.newest_saved() == call
    train(parts, config, log(parts))
    assert parts.bounds_file.read_bytes() == whole.bounds_file.read_bytes()


@interruptible()
def test_an_interrupt_at_the_end_of_a_generation_leaves_no_gap(tmp_path, monkeypatch):
    whole, config = start(tmp_path / "whole", **SMALL, elites=3)
    parts, _ = start(tmp_path / "parts", **SMALL, elites=3)
    train(whole, config, lambda workers: ParentLog(whole.parents_file))
    learn = run.learn_from

    def learn_from(state, *others):
        if state.generation == 1:
            signal.raise_signal(signal.SIGINT)
        return learn(state, *others)

    monkeypatch.setattr(run, "learn_from", learn_from)
    with pytest.raises(KeyboardInterrupt):
        train(parts, config, lambda workers: ParentLog(parts.parents_file))
    assert parts.newest_saved() == 2
    train(parts, config, lambda workers: ParentLog(parts.parents_file))
    assert parts.parents_file.read_bytes() == whole.parents_file.read_bytes()


def test_logs_that_a_run_cannot_have_are_refused(tmp_path):
    folder, config = start(tmp_path / "a", "heads-up", **HEADS_UP)
    with pytest.raises(ValueError, match="needs an optimizer that breeds"):
        train(folder, config, lambda workers: ParentLog(folder.parents_file))
    folder, config = start(tmp_path / "b", **SMALL)
    with pytest.raises(ValueError, match="needs a cash game with a table_size of 2"):
        train(folder, config, lambda workers: BoundLog(folder.bounds_file, workers))


def test_tensorboard_gets_all_numbers(tmp_path):
    pytest.importorskip("tensorboard", reason="tensorboard is not installed")
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    folder, config = start(tmp_path, "heads-up", **HEADS_UP)
    train(folder, config, lambda workers: TensorBoard(tmp_path / "events"))
    events = EventAccumulator(str(tmp_path / "events"))
    events.Reload()
    shown = [(event.step, event.value) for event in events.Scalars("metrics/mean_score")]
    expected = [(line["hands"], line["mean_score"]) for line in folder.metrics()]
    assert [step for step, _ in shown] == [hands for hands, _ in expected]
    assert [v for _, v in shown] == pytest.approx([score for _, score in expected], rel=1e-5)
    assert len(events.Scalars("tests/score")) == len(folder.trials())


@pytest.mark.parametrize("kept", [0, 1])
def test_tensorboard_shows_a_generation_once_after_a_crash(tmp_path, kept):
    pytest.importorskip("tensorboard", reason="tensorboard is not installed")
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    def log(first):
        board = TensorBoard(tmp_path)
        tests = [0] if first else []
        board.on_start(
            evolve.Config(), SimpleNamespace(generation=first, hands=100 * first, tests=tests)
        )
        for generation in range(first + 1, 4):
            board.on_generation({"generation": generation, "hands": 100 * generation}, {})

    log(0)
    log(kept)
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    shown = [(event.step, event.value) for event in events.Scalars("metrics/generation")]
    assert shown == [(100, 1), (200, 2), (300, 3)]


def test_several_callbacks_are_called_in_order():
    called = []

    class Note(evolve.RunCallback):
        def __init__(self, name):
            self.name = name

        def on_games(self, count):
            called.append((self.name, count))

    evolve.Callbacks(Note("a"), Note("b")).on_games(3)
    assert called == [("a", 3), ("b", 3)]
