"""One flipped bit in the metrics of a run: no command continues from it unnoticed."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import runs

from evolve.dashboard.root import Root


def flipped(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Resumed: refused with a sentence, or the same metrics as ever. Watched: shown, or named."""
    whole = runs.finished_run()
    longer = folder / "longer"
    shutil.copytree(whole, longer)
    code, said = runs.run("train", "--resume", str(longer), "--generations", "5")
    if code:
        yield "a run that is not damaged", said[-200:]
        return
    wanted = (longer / "metrics.jsonl").read_bytes()
    content = (whole / "metrics.jsonl").read_bytes()
    for i in range(40):
        copy = folder / "copy"
        shutil.copytree(whole, copy)
        changed = bytearray(content)
        at, bit = generator.randrange(len(content)), generator.randrange(8)
        changed[at] ^= 1 << bit
        (copy / "metrics.jsonl").write_bytes(changed)
        yield f"watch {i}", _watched(copy)
        yield f"resume {i}, byte {at}, bit {bit}", _resumed(copy, wanted)
        shutil.rmtree(copy)


def _watched(path: Path) -> str:
    try:
        run = Root(path).run(path.name)
        json.dumps([run.updates(), run.summary(), run.comparison()], allow_nan=False)
        run.table_csv("metrics")
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _resumed(path: Path, wanted: bytes) -> str:
    try:
        code, said = runs.run("train", "--resume", str(path), "--generations", "5")
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if code:
        return "" if "metrics.jsonl" in said else f"code {code}: {said[-200:]}"
    return (
        "" if (path / "metrics.jsonl").read_bytes() == wanted else "it went on from other metrics"
    )
