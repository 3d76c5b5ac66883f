"""Runs of symbiotic evolution, killed between two files or in the middle of one."""

from __future__ import annotations

import filecmp
import os
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from children import can_fork, in_child

import agents
from agents.matches import make_matches
from evolve.files import safe
from evolve.symbiosis import SymbiosisSettings, train_teams
from evolve.workers import thread_workers

FILES = ("metrics.jsonl", "state.npz", "champion.npz", "settings.json")


def killed(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Resumed after a kill before or after every write: the same files as without."""
    if not can_fork():
        return
    settings = SymbiosisSettings.of_size("smoke", model="bid", generations=4, validate_every=2)
    library = make_matches(8000, seed=4)

    def train(path: Path) -> str:
        with thread_workers(1) as workers:
            train_teams(path, settings, library, workers=workers)
        return ""

    whole = folder / "whole"
    count = in_child(lambda: str(_counting(lambda: train(whole))), 300)
    if not count.isdecimal():
        yield "a run that is not killed", count
        return
    for write in range(int(count)):
        for moment in ("before", "after"):
            path = folder / f"{moment} {write}"
            ended = in_child(
                lambda w=write, m=moment, p=path: _killing(w, m, lambda: train(p)), 300
            )
            if "SIGKILL" not in ended:
                yield f"{moment} write {write}", f"it was not killed: {ended}"
                continue
            yield f"{moment} write {write}", in_child(lambda p=path: _resumed(train, p, whole), 300)


def _resumed(train: Callable[[Path], str], path: Path, whole: Path) -> str:
    train(path)
    names = [name for name in FILES if not (path / name).is_file()]
    if names:
        return f"{', '.join(names)} missing"
    names = [name for name in FILES if not filecmp.cmp(path / name, whole / name, shallow=False)]
    return f"{', '.join(names)} differ" if names else ""


def _counting(work: Callable[[], Any]) -> int:
    """How many files work writes."""
    count = 0

    def note(_: str) -> None:
        nonlocal count
        count += 1

    _around_writes(note, lambda _: None)
    work()
    return count


def _killing(write: int, moment: str, work: Callable[[], str]) -> str:
    """Work, killed before or after it writes its n-th file."""
    done = {"before": 0, "after": 0}

    def at(when: str) -> Callable[[str], None]:
        def come(_: str) -> None:
            if moment == when and done[when] == write:
                os.kill(os.getpid(), signal.SIGKILL)
            done[when] += 1

        return come

    _around_writes(at("before"), at("after"))
    return work()


def _around_writes(before: Callable[[str], None], after: Callable[[str], None]) -> None:
    """Call something before and after every file that a run writes, in this process from now on."""
    for owner, name in ((safe, "write_whole"), (safe, "append_line"), (agents, "save_player")):
        setattr(owner, name, _surrounded(getattr(owner, name), name, before, after))


def _surrounded(
    write: Callable[..., None],
    what: str,
    before: Callable[[str], None],
    after: Callable[[str], None],
) -> Callable[..., None]:
    def around(*given: Any, **options: Any) -> None:
        before(what)
        write(*given, **options)
        after(what)

    return around
