"""Runs of the evolution: damaged, killed, interrupted, resumed twice."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from interrupts import interruptible

from evolve import seeds  # noqa: F401  (loads evolve before a run is timed)
from evolve.commands.main import main

FLAGS = (
    *("--preset", "quick", "--generations", "4", "--population", "10", "--elites", "3"),
    *("--hall-of-fame", "4", "--tournaments", "2", "--table-size", "5"),
    *("--progress-champions", "3", "--progress-tournaments", "2"),
)
READERS = (
    ("train", "--resume", "RUN"),
    ("evaluate", "plot", "RUN"),
    ("evaluate", "RUN", "--blocks", "20"),
    ("evaluate", "RUN/champion.npz", "--blocks", "20"),
)


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command; exceptions propagate."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, said.getvalue()


@functools.cache
def finished_run() -> Path:
    """A small finished run, made once."""
    runs = Path(tempfile.mkdtemp())
    code, said = run("train", *FLAGS, "--runs", str(runs))
    if code:
        raise RuntimeError(said)
    (path,) = runs.iterdir()
    run("evaluate", str(path), "--blocks", "20")
    return path


def damaged(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Every command that reads the file works, or gives a one-sentence error."""
    whole = finished_run()
    for file in sorted(path for path in whole.rglob("*") if path.is_file()):
        for how in ("flip", "flip", "cut", "empty", "other"):
            copy = folder / "run"
            shutil.copytree(whole, copy)
            target = copy / file.relative_to(whole)
            content = bytearray(target.read_bytes())
            if how == "flip" and content:
                content[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
            elif how == "cut":
                content = content[: generator.randrange(len(content) + 1)]
            elif how == "other":
                content = bytearray(generator.choice((b"{}\n", b"[1]\n", b"x = 1\n", b"\xff\x00")))
            target.write_bytes(b"" if how == "empty" else content)
            command = [word.replace("RUN", str(copy)) for word in generator.choice(READERS)]
            what = f"{how} {target.relative_to(copy)}, {command[0]}"
            try:
                code, said = run(*command)
                difference = "" if code in (0, 1, 2) and "Traceback" not in said else said[-200:]
            except Exception as error:
                difference = f"{type(error).__name__}: {error}"
            yield what, difference
            shutil.rmtree(copy)


@interruptible()
def _start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "evolve", "train", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _champion(runs: Path) -> bytes:
    (path,) = runs.iterdir()
    return (path / "champions.npz").read_bytes()


def killed(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Killed and resumed until it is finished: the same champions as without."""
    straight = (finished_run() / "champions.npz").read_bytes()
    for i in range(2):
        runs, kills = folder / f"killed {i}", 0
        resumed: tuple[str, ...] = FLAGS
        while True:
            process = _start(*resumed, "--runs", str(runs))
            try:
                process.communicate(timeout=generator.uniform(4.0, 20.0))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
            if list(runs.glob("*/config.toml")):
                resumed = ("--resume", "latest")
        same = _champion(runs) == straight
        yield f"{kills} kills", "" if same else "other champions"


def resumed_twice(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """The second process gets an error, and the first one's run is unchanged."""
    longer = (*FLAGS, "--generations", "4000")
    first = _start(*longer, "--runs", str(folder))
    while not list(folder.glob("*/metrics.jsonl")):
        time.sleep(0.1)
    for i in range(3):
        second = _start("--resume", "latest", "--runs", str(folder))
        _, said = second.communicate()
        refused = second.returncode == 1 and "is in use by process" in said
        yield f"second {i}", "" if refused else f"code {second.returncode}: {said[-200:]}"
    first.send_signal(signal.SIGINT)
    first.communicate()
    lines = next(folder.glob("*/metrics.jsonl")).read_text().splitlines()
    numbers = [line.partition('"generation": ')[2].partition(",")[0] for line in lines]
    in_order = numbers == [str(i + 1) for i in range(len(numbers))]
    yield "metrics", "" if in_order else "generations repeat or are missing"


def interrupted_twice(
    generator: random.Random, number: int, folder: Path
) -> Iterator[tuple[str, str]]:
    """No traceback, exit code 130, and how to go on once there is a run."""
    if os.name != "posix":
        return
    for i in range(8):
        runs = folder / f"interrupted {i}"
        process = _start(*FLAGS, "--generations", "4000", "--runs", str(runs))
        time.sleep(generator.uniform(1.5, 7.0))
        begun = bool(list(runs.glob("*/metrics.jsonl")))
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(generator.choice((0.0, 0.01, 0.1, 0.3)))
        said = "".join(process.communicate())
        # Before our first line and after our last one Python lets the signal end the program, which
        # a shell reports as 130 too.
        difference = ""
        if process.returncode not in (130, -signal.SIGINT):
            difference = f"code {process.returncode}"
        if "Traceback" in said:
            difference += said[-300:]
        if begun and "--resume" not in said:
            difference += " no word of how to go on"
        yield f"interrupt {i}", difference
