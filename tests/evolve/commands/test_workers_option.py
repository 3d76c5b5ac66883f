"""The option ``--workers``."""

from __future__ import annotations

import re
import sys

import pytest

from agents.match.workers import dask_cluster
from agents.match.workers.base import WorkersError
from agents.match.workers.parsing import parse_workers
from evolve.commands import train as train_command
from evolve.commands.main import main
from nlhe_env.extras import MissingExtraError
from nlhe_env.system.cores import n_cores


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("3", "ThreadWorkers", 3),
        ("threads://3", "ThreadWorkers", 3),
        ("processes://3", "ProcessWorkers", 3),
        (None, "ThreadWorkers", n_cores()),
        ("processes://", "ProcessWorkers", n_cores()),
    ],
)
def test_the_option_names_workers(text, kind, count):
    with parse_workers(text) as workers:
        assert (type(workers).__name__, workers.count) == (kind, count)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "many",
            "workers must be N or threads://N, processes://N, or dask://HOST:PORT; got 'many'",
        ),
        ("ray://host:1", "workers must be N"),
        ("dask://host", "workers must be N"),
        ("threads://x", "workers must be N"),
        ("-1", "threads must be at least 1; got -1"),
        ("processes://0", "processes must be at least 1; got 0"),
    ],
)
def test_other_texts_are_refused(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_workers(text)


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "agents.match.workers.dask_cluster")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[dask\]'"):
        parse_workers("dask://127.0.0.1:1")


def test_an_unresponsive_scheduler_is_reported(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(dask_cluster, "_ANSWER_S", 0.2)
    monkeypatch.chdir(tmp_path)
    assert main(["train", "--workers", "dask://127.0.0.1:1"]) == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


def test_a_run_that_lost_its_workers_says_how_to_resume(monkeypatch, capsys, tmp_path):
    def gone(*_, **__):
        raise WorkersError("the workers are gone")

    monkeypatch.setattr(train_command, "train", gone)
    assert main(["train", "--runs", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "the workers are gone; no generation was finished yet." in said
    assert f"--resume {tmp_path}" in said
