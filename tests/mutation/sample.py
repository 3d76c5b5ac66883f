"""A test of the tests: a fixed sample of small faults in the code, and whether tests notice them.

    python tests/mutation/sample.py --results FILE [--count 200] [--seed 0] [--only PACKAGE]
                                    [--minutes M] [--quick] [--again]

Half of the sample is of ``nlhe_env/game``, a quarter each of ``agents/match`` and
``evolve/optimizers``. A larger ``--count`` with the same seed extends the sample. Each mutant is
put into a copy of the repository in a temporary folder, and the tests that belong to its package
run there until the first one fails, quick ones first: then it is killed. Those that survive either
show a test that is missing, or are equivalent to the code.

Results are appended to FILE, one line of JSON for each mutant; a second call goes on where the
first one ended. ``--again`` repeats those that were not killed, after tests were added. Half a
minute to three minutes of one core each: most is compilation, since a fault in a kernel changes
all that call it. Kernels lie in a cache in the temporary folder, and those of a mutant are removed
after it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from mutants import Mutant, mutants_of

from nlhe_env.system.files import cache_folder

ROOT = Path(__file__).parents[2]
COPIED = ("agents", "evolve", "nlhe_env", "tests", "docs", "examples", "pyproject.toml")
MOST_MEMORY = 12 << 30  # bytes of a process: a fault may fill a list for ever


@dataclass(frozen=True)
class Step:
    """Tests that run in one process.

    Attributes:
        tests: Arguments of pytest, the quickest first.
        compiled: Whether kernels are compiled; as plain Python they start sooner.
    """

    tests: tuple[str, ...]
    compiled: bool = True


@dataclass(frozen=True)
class Package:
    """A package, its part of the sample, and its tests."""

    share: float
    steps: tuple[Step, ...]


def _in(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/test_{name}.py" for name in names)


_GAME = "tests/nlhe_env/game"
_WITHOUT_SLOW = " and ".join(
    f"not {name}"
    for name in (
        "callers_among",
        "equally_likely",
        "evaluations",
        "every_legal_id",
        "metrics",
        "places_sum",
        "published_size",
        "random_fields",
        "static_players",
        "style_is_measured",
        "told_anew",
        "two_positions",
        "uniform",
        "whole_tournaments",
    )
)
"""Tests that take long as plain Python, or learn nothing that others do not."""
PACKAGES = {
    "nlhe_env/game": Package(
        0.5,
        (
            Step(
                (
                    *_in(_GAME, "blinds", "rule_books", "betting", "rules", "description"),
                    *_in("tests/nlhe_env/envs", "golden"),
                    *_in(_GAME, "table_options", "what_if", "two_calls", "random_stream"),
                    *_in(_GAME, "validity", "game_properties", "betting_structures", "tournament"),
                    "nlhe_env/game",
                    "-k",
                    _WITHOUT_SLOW,
                ),
                compiled=False,
            ),
            Step(
                (
                    *_in("tests/agents/match", "style"),
                    *_in(_GAME, "against_pokerkit"),
                    "-k",
                    _WITHOUT_SLOW,
                ),
                compiled=False,
            ),
            Step(_in(_GAME, "random_stream", "game_properties", "betting_structures")),
        ),
    ),
    "agents/match": Package(
        0.25,
        (
            Step(
                (
                    *_in(
                        "tests/agents/match",
                        "tally",
                        "fitting",
                        "playing",
                        "cash",
                        "style",
                    ),
                    *_in("tests/agents/match", "play_in_environment"),
                    "agents/match",
                )
            ),
            Step(
                (
                    *_in("tests/evolve/theses/li", "adaptation"),
                    *_in("tests/agents/variance_reduction", "methods", "aivat"),
                )
            ),
        ),
    ),
    "evolve/optimizers": Package(
        0.25,
        (
            Step(
                (
                    *_in("tests/evolve/optimizers", "elitist", "novelty", "optimizers"),
                    *_in("tests/evolve/optimizers", "novelty_search", "map_elites", "cma_es"),
                    "evolve/optimizers",
                )
            ),
            Step(
                (*_in("tests/evolve/genomes", "breeding"), *_in("tests/evolve", "golden_results"))
            ),
        ),
    ),
}


def sample(count: int, seed: int, only: str | None) -> list[tuple[str, Mutant]]:
    """The packages and mutants of the sample, mixed."""
    found = []
    for name, package in PACKAGES.items():
        files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / name).glob("*.py"))
        all_of_it = [mutant for file in files for mutant in mutants_of(file, ROOT)]
        random.Random(f"{seed} {name}").shuffle(all_of_it)
        n = round(count * package.share)
        found += [((i + 0.5) / n, name, mutant) for i, mutant in enumerate(all_of_it[:n])]
    found.sort(key=lambda one: one[:2])
    return [(name, mutant) for _, name, mutant in found if only in (None, name)]


class Scratch:
    """A copy of the repository in which tests run, and its cache of kernels."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.cache = folder / "tree", folder / "cache"
        self.tree.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                skipped = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / name, self.tree / name, ignore=skipped)
            else:
                shutil.copy(ROOT / name, self.tree / name)
        # Bytecode that is found by the content of its source: no mutant meets that of another.
        compile_all = ("-m", "compileall", "-q", "--invalidation-mode", "checked-hash", ".")
        subprocess.run([sys.executable, *compile_all], cwd=self.tree, check=True)
        with contextlib.suppress(OSError):  # other processes use it: what is missing is compiled
            shutil.copytree(cache_folder(), self.cache, dirs_exist_ok=True)
        self._kept: set[Path] = set()
        self._limits_s: dict[Step, float] = {}

    def limit_s(self, step: Step) -> float:
        """Time for a step with a fault: more than it takes without, and room for compilation."""
        if step not in self._limits_s:
            began = time.monotonic()
            outcome, test = self.run(step, 3600)
            if outcome != "survived":
                sys.exit(f"tests fail without a fault: {test}")
            taken_s = time.monotonic() - began
            self._limits_s[step] = 60 + 3 * taken_s + 600 * step.compiled
            self._kept = set(self.cache.rglob("*"))
        return self._limits_s[step]

    def clean(self) -> None:
        """Remove what tests have left behind."""
        shutil.rmtree(self.tree / ".hypothesis", ignore_errors=True)
        for path in self.cache.rglob("*"):
            if path not in self._kept and path.is_file():
                path.unlink()

    def run(self, step: Step, limit_s: float) -> tuple[str, str]:
        """The outcome of a step, and what failed first."""
        command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")
        options = ("-p", "no:xdist", "--hypothesis-seed=0", "--tb=no", "--assert=plain")
        environment = {
            **os.environ,
            "NLHE_ENV_CACHE": str(self.cache),
            "NUMBA_DISABLE_JIT": "0" if step.compiled else "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(self.tree),
        }
        process = subprocess.Popen(
            [*command, *options, *step.tests],
            cwd=self.tree,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=_be_modest,
        )
        try:
            output, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "timed out", " ".join(step.tests)
        if process.returncode == 0:
            return "survived", ""
        failed = re.search(r"^(?:FAILED|ERROR) (.*)$", output, re.MULTILINE)
        return "killed", failed[1] if failed else output.strip()[-200:]


def _be_modest() -> None:
    os.nice(19 - os.nice(0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def try_mutant(scratch: Scratch, steps: Sequence[Step], mutant: Mutant) -> tuple[str, str]:
    """Whether a mutant is killed, has survived or timed out, and by which test."""
    file = scratch.tree / mutant.file
    source = file.read_bytes()
    for step in steps:
        limit_s = scratch.limit_s(step)
        file.write_bytes(mutant.applied_to(source))
        try:
            outcome, test = scratch.run(step, limit_s)
        finally:
            file.write_bytes(source)
            scratch.clean()
        if outcome != "survived":
            return outcome, test
    return "survived", ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, required=True, help="file of results, JSON lines")
    parser.add_argument("--count", type=int, default=200, help="mutants of all packages")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample")
    parser.add_argument("--only", choices=PACKAGES, help="one package of the sample")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no other after")
    parser.add_argument("--quick", action="store_true", help="only the first of the test runs")
    parser.add_argument("--again", action="store_true", help="repeat those not killed so far")
    chosen = parser.parse_args()
    end = time.monotonic() + 60 * chosen.minutes
    mutants = sample(chosen.count, chosen.seed, chosen.only)
    lines = chosen.results.read_text().splitlines() if chosen.results.exists() else []
    results: dict[str, dict[str, Any]] = {one["mutant"]: one for one in map(json.loads, lines)}
    left = [
        (name, mutant)
        for name, mutant in mutants
        if mutant.name not in results
        or (chosen.again and results[mutant.name]["outcome"] != "killed")
    ]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        scratch = Scratch(Path(folder))
        for name, mutant in left:
            if time.monotonic() > end:
                break
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            steps = PACKAGES[name].steps[: 1 if chosen.quick else None]
            outcome, test = try_mutant(scratch, steps, mutant)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            one = {
                "mutant": mutant.name,
                "package": name,
                "outcome": outcome,
                "test": test,
                "cpu_s": round(cpu_s, 1),
            }
            results[mutant.name] = one
            with chosen.results.open("a") as opened:
                opened.write(json.dumps(one) + "\n")
            print(f"{outcome:9} {cpu_s:5.0f} s  {mutant.name}", flush=True)
    counts = Counter((name, results[m.name]["outcome"]) for name, m in mutants if m.name in results)
    for (name, outcome), n in sorted(counts.items()):
        print(f"{name:20} {outcome:10} {n:4}")


if __name__ == "__main__":
    main()
