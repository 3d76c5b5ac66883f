"""How often two generations of a training run change from one file of the packages to another."""

from __future__ import annotations

import sys
import threading
from itertools import pairwise
from pathlib import Path

import nlhe_env
from agents.match import playing
from agents.match.workers.base import thread_workers
from evolve.training.config import Config
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.run import train

MOST_CALLS, MOST_CHANGES = 2500, 600
ROOT = Path(nlhe_env.__file__).parents[1]
PACKAGES = tuple(f"{ROOT / name}/" for name in ("nlhe_env", "agents", "evolve"))


def run_two_generations(path: Path, config: Config) -> None:
    """From the new folder of a run to its last checkpoint."""
    folder = RunFolder.at(path, config)
    state = folder.restore(config, say=print)
    with thread_workers(1) as workers:
        train(folder, config, state, workers=workers)


def test_few_calls_lead_from_one_file_to_another(tmp_path, monkeypatch):
    """Functions of the packages that are called, in order, by all threads; no generators."""
    monkeypatch.setattr(playing, "_POLL_S", 3600.0)  # reports of progress depend on the time
    config = load_preset("quick").with_values(generations=2)
    run_two_generations(tmp_path / "first", config)  # compiles the kernels
    files = []

    def profile(frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGES) and code.co_name[0] != "<":
            files.append(code.co_filename)

    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        run_two_generations(tmp_path / "second", config)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    changes = sum(before != after for before, after in pairwise(files))
    assert len(files) <= MOST_CALLS
    assert changes <= MOST_CHANGES, f"{changes} changes of file in {len(files)} calls"
