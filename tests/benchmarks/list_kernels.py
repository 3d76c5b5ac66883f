"""Write the list of kernels that are compiled ahead: ``nlhe_env/jit/compile_ahead.json``.

    python tests/benchmarks/list_kernels.py [--check]

Each program of ``compile_ahead`` runs in a process with an empty cache and without helpers, and
the kernels that it compiles are written down. Takes some minutes. With ``--check`` nothing is
written; the share of the compiled kernels that the list has is printed for every program.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import sigutils, types

from nlhe_env.jit import compile_ahead, kernel_cache
from nlhe_env.jit.compile_ahead import (
    KERNEL_LIST,
    description_of,
    find_kernel,
    read_list,
    type_of,
)

CHECKOUT = Path(__file__).parents[2]
RECORD = "kernels.json"
ENTRIES_LAST = 1000


class Row(NamedTuple):
    """A recorded kernel; ``depth`` is 1 for kernels that call no other."""

    name: str
    arguments: list[Any]
    is_entry: bool
    depth: int


PROGRAMS = {
    "step": """
        import nlhe_env

        env = nlhe_env.env()
        env.reset(seed=7)
        observation, *_ = env.last()
        env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
    """,
    "play": """
        import agents
        import nlhe_env

        players = [agents.make(name) for name in ("folder", "caller", "formula", "old-best")]
        agents.play(players, agents.Blocks(20), nlhe_env.Game.tournament(), seed=1)
        agents.play(players, agents.Blocks(20), nlhe_env.Game.cash(), seed=1)
    """,
    "train": """
        from evolve.commands.main import main

        main(["train", "--preset", "quick", "--generations", "3"])
        main(["train", "--preset", "self-play-quick", "--generations", "3"])
    """,
    "bench": """
        from agents.commands.main import main

        main(["bench", "pot-odds", "--hands", "200", "--seed", "1"])
    """,
}


class Recorder:
    """Kernels compiled in this process: names, types of arguments, and depth of their callees."""

    def __init__(self) -> None:
        self.kernels: dict[tuple[str, str, bool], tuple[Any, int]] = {}
        self._depths: dict[Any, int] = {}

    def install(self) -> None:
        """Record all that the cache stores from now on."""
        cache: Any = kernel_cache.KernelCache
        save_code, save_entry = cache.save_overload, cache.save_entry

        def record_code(this: Any, sig: Any, compiled: Any) -> None:
            code = compiled.library
            below = (self._depths.get(callee, 0) for callee in code.callees)
            self._depths[code] = 1 + max(below, default=0)
            self._record(this._function, sig, self._depths[code], is_entry=False)
            save_code(this, sig, compiled)

        def record_entry(this: Any, sig: Any, entry: Any, compiled: Any) -> None:
            self._record(this._function, sig, ENTRIES_LAST, is_entry=True)
            save_entry(this, sig, entry, compiled)

        cache.save_overload, cache.save_entry = record_code, record_entry

    def _record(self, function: Any, sig: Any, depth: int, *, is_entry: bool) -> None:
        arguments, _ = sigutils.normalize_signature(sig)
        name = f"{function.__module__}:{function.__qualname__}"
        self.kernels[name, str(arguments), is_entry] = (arguments, depth)

    def rows(self) -> list[Row]:
        """The recorded kernels that can be described, in the order of their compilation."""
        names = type_names()
        rows = []
        for (name, _, is_entry), (arguments, depth) in self.kernels.items():
            try:
                described = [description_of(each, names) for each in arguments]
                find_kernel(name)
            except (ValueError, KeyError, AttributeError) as error:
                print(f"left out: {name}: {error!r:.90}", file=sys.stderr)
                continue
            if tuple(map(type_of, described)) != tuple(arguments):
                print(f"left out: {name}: no description of {arguments}", file=sys.stderr)
                continue
            rows.append(Row(name, described, is_entry, depth))
        return rows


def type_names() -> dict[Any, str]:
    """``module:name`` of each record and type of ours in the imported modules, the shortest one."""
    found: dict[Any, str] = {}
    for name in sorted(sys.modules, key=len):
        if _is_ours(name):
            for attribute, value in vars(sys.modules[name]).items():
                if isinstance(value, np.dtype) and value.fields:
                    value = numba.from_dtype(value)
                elif not isinstance(value, types.Type) or not _is_ours(type(value).__module__):
                    continue
                found.setdefault(value, f"{name}:{attribute}")
    return found


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("nlhe_env", "agents", "evolve")


def run_recorded(program: str) -> list[Row]:
    """Kernels that a program compiles with an empty cache, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, __file__, "--record", program],
            env=os.environ | {"NLHE_ENV_CACHE": folder, "PYTHONPATH": str(CHECKOUT)},
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return [Row(*each) for each in json.loads(Path(folder, RECORD).read_text())]


def record(program: str) -> None:
    """Run a program in this process and write its kernels to ``RECORD``."""
    recorder = Recorder()
    recorder.install()
    compile_ahead.n_cores = lambda: 1  # no other processes
    lines = [line.removeprefix(" " * 8) for line in PROGRAMS[program].splitlines()]
    exec(compile("\n".join(lines), "<program>", "exec"), {"__name__": "__main__"})
    Path(RECORD).write_text(json.dumps(recorder.rows()))


def write(programs: dict[str, list[Row]]) -> None:
    """Write the list: callees first, and in reverse of the order in which a program needs them.

    So the other processes begin at the end that the program reaches last.
    """
    needed_by: dict[str, list[str]] = {}
    rows: dict[str, Row] = {}
    for program, found in programs.items():
        for row in found:
            key = json.dumps(row[:3])
            rows[key] = row
            needed_by.setdefault(key, []).append(program)
    kinds: dict[str, int] = {}
    lines = []
    backwards = list(rows)[::-1]
    for key in sorted(backwards, key=lambda key: rows[key].depth):
        row = rows[key]
        arguments = [kinds.setdefault(json.dumps(each), len(kinds)) for each in row.arguments]
        lines.append(json.dumps([row.name, arguments, row.is_entry, needed_by[key]]))
    kinds_text, kernels_text = ",\n".join(kinds), ",\n".join(lines)
    text = f'{{"types": [\n{kinds_text}\n],\n"kernels": [\n{kernels_text}\n]}}\n'
    KERNEL_LIST.write_text(text, "utf-8")


def check(program: str, found: list[Row]) -> None:
    """Print how many of the compiled kernels the list has for a program."""
    listed = [each for each in read_list() if program in each.programs]
    known = {json.dumps(each[:3]) for each in listed}
    n_known = sum(json.dumps(row[:3]) in known for row in found)
    print(f"{program}: {n_known} of {len(found)} kernels are listed; {len(listed)} on the list")


def main() -> None:
    """Write or check the list, or record one program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("--record", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.record:
        record(options.record)
        return
    with ThreadPoolExecutor() as pool:  # each waits for a process
        programs = dict(zip(PROGRAMS, pool.map(run_recorded, PROGRAMS), strict=True))
    for program, found in programs.items():
        check(program, found)
    if not options.check:
        write(programs)


if __name__ == "__main__":
    main()
