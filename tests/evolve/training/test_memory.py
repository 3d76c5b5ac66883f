"""Sizes that exceed memory are refused before anything is allocated."""

import tracemalloc

import pytest
from training_runs import evolve

from evolve.training import state
from evolve.training.config import Config
from evolve.training.config_files import load_preset
from evolve.training.state import State, check_memory

HUGE = 10**12


@pytest.mark.parametrize(
    ("preset", "values", "key"),
    [
        ("quick", {"population": HUGE}, "population"),
        ("quick", {"tournaments": HUGE, "fitness": "sharing"}, "tournaments"),
        ("quick", {"hall_of_fame": HUGE, "generations": 0, "hands": 9}, "hall_of_fame"),
        ("quick", {"genomes": "teams", "population": HUGE}, "population"),
        ("old-scratch", {"population": HUGE}, "population"),
        ("ashe-1.0", {"population": HUGE}, "population"),
        ("self-play-quick", {"population": HUGE}, "population"),
        ("self-play-quick", {"rounds": HUGE}, "rounds"),
        ("self-play-quick", {"selection_rounds": HUGE}, "selection_rounds"),
        ("self-play-quick", {"random_players": HUGE}, "random_players"),
        ("self-play-quick", {"test_blocks": HUGE}, "test_blocks"),
        ("self-play-heads-up", {"blocks": HUGE}, "blocks"),
        ("self-play-heads-up", {"selection_opponents": HUGE}, "selection_opponents"),
        ("self-play-heads-up", {"biased_players": HUGE}, "biased_players"),
        ("sbb-smoke", {"population": HUGE}, "population"),
        ("heads-up", {"optimizer": "cma-es", "hidden": (20_000,)}, "optimizer"),
    ],
)
def test_excessive_sizes_are_refused_with_the_memory_they_need(preset, values, key):
    start = load_preset(preset)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="the run needs at least ") as refused:
            State.initial_state(start.with_values(**values))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert f"{key} is too large for this machine, which has " in str(refused.value)
    assert peak < 200e6


def test_the_command_refuses_them_before_a_folder_is_made(tmp_path, capsys):
    flags = ["--preset", "quick", "--population", str(HUGE), "--runs", str(tmp_path)]
    assert evolve("train", *flags) == 2
    assert "population is too large for this machine, which has " in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_message_gives_the_memory_of_each_part(monkeypatch):
    monkeypatch.setattr(state, "memory_size", lambda: 16 * 10**9)
    config = Config().with_values(population=10**9, progress_tournaments=0)
    with pytest.raises(ValueError, match="16 GB of memory: with 1000000000 the run needs at least"):
        State.initial_state(config)
    # 825 weights of 4 bytes and a result of 8 each.
    with pytest.raises(ValueError, match=r"at least 3\.3 TB$"):
        check_memory(config, config.values())


@pytest.mark.parametrize(
    "preset", ["quick", "hof-2-pop", "self-play-ten-seat", "self-play-heads-up", "ashe-1.0"]
)
def test_shipped_presets_are_far_below_a_gigabyte(monkeypatch, preset):
    monkeypatch.setattr(state, "memory_size", lambda: 10**9)
    config = load_preset(preset)
    check_memory(config, config.values())


@pytest.mark.parametrize("key", ["hall_of_fame", "tournaments", "progress_tournaments"])
def test_parts_without_memory_are_not_counted(monkeypatch, key):
    """A hall that never fills, and tournaments that are summed up as they are played."""
    monkeypatch.setattr(state, "memory_size", lambda: 10**9)
    config = load_preset("quick").with_values(**{key: 10**12})
    check_memory(config, config.values())
