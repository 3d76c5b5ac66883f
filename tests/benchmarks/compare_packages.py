"""The README's table beside other packages for poker: rules, features and speed.

    python -m venv build/compare
    build/compare/bin/pip install . "rlcard==1.2.0" pygame open_spiel pokerkit pgx PyPokerEngine
    taskset -c 0 build/compare/bin/python tests/benchmarks/compare_packages.py --seconds 3

A cell is what a probe has seen, or whether the sources of the installed package have a public name
for it. Without the other packages only our column is printed.
"""

from __future__ import annotations

import ast
import datetime
import functools
import random
import re
import warnings
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import bench_batch
import bench_environment
import gymnasium
import pettingzoo
from harness import medians, options, rate
from rules_of_packages import (
    CLASSIC,
    HANDS,
    NONE,
    OURS,
    PROBES,
    all_ins,
    judged,
    minimum_raise,
    play_hand,
    short_all_in,
)

import nlhe_env

PACKAGES = {  # by name in the table: distributions, and modules that are searched for names
    OURS: ("nlhe-env", "nlhe_env agents evolve"),
    CLASSIC: ("pettingzoo rlcard", "pettingzoo.classic rlcard"),
    "OpenSpiel": ("open_spiel", "open_spiel.python"),
    "PokerKit": ("pokerkit", "pokerkit"),
    "pgx": ("pgx", "pgx"),
    "PyPokerEngine": ("PyPokerEngine", "pypokerengine"),
}
FEATURES = {  # a pattern of public names, and one of names that match but mean something else
    "Rising blinds": ("blind_?schedule|blind_structure", "-"),
    "Batches of tables": ("batch_?env|vector_?env", "-"),
    "Exploitability": ("exploitab", "-"),
    "Variance reduction": ("aivat|control_variate|variance_reduc", "-"),
    "Evolution of players": ("evolution|genome|crossover", r"\.mfg\."),
}
FOUND: dict[str, str] = {}  # public names by package and feature


@functools.cache
def public_names(package: str) -> list[str]:
    """All modules, classes, functions and imported packages of the sources, without tests."""
    names = []
    for module in PACKAGES[package][1].split():
        spec = find_spec(module)
        assert spec is not None
        folder = Path(next(iter(spec.submodule_search_locations or [])))
        for file in sorted(folder.rglob("*.py")):
            path = ".".join((module, *file.relative_to(folder).with_suffix("").parts))
            if "test" in path:
                continue
            names.append(path)
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name[0] != "_":
                    names.append(f"{path}:{node.name}")
                elif isinstance(node, ast.Import):
                    names += [f"{path}:import {alias.name}" for alias in node.names]
                elif isinstance(node, ast.ImportFrom):
                    names.append(f"{path}:import {node.module}")
    return names


def feature(package: str, row: str) -> str:
    """Whether a public name matches; for pgx, whether `jax.vmap` makes a batch of its games."""
    pattern, other = FEATURES[row]
    if (package, row) == ("pgx", "Batches of tables"):
        import jax
        import pgx

        keys = jax.random.split(jax.random.key(1), 8)
        states = jax.vmap(pgx.make("leduc_holdem").init)(keys)
        return judged(states.current_player.shape != (8,))
    found = [
        name
        for name in public_names(package)
        if re.search(pattern, re.split("[.:]", name)[-1], re.IGNORECASE)
        and not re.search(other, name)
        and ":import" not in name
    ]
    if package != OURS and found:
        FOUND[f"{package}, {row.lower()}"] = found[0]
    if (package, row) == ("OpenSpiel", "Batches of tables"):
        from open_spiel.python import vector_env

        if "do not execute in parallel" in (vector_env.SyncVectorEnv.__doc__ or ""):
            return "one by one"
    return judged(not found)


def interfaces(package: str) -> str:
    """Which of the two interfaces its environments have; "no" if no source imports either."""
    imported = [name for name in public_names(package) if ":import" in name]
    if not any(re.search("import (pettingzoo|gymnasium)", name) for name in imported):
        return "no"
    envs = {
        OURS: lambda: [nlhe_env.env(2), nlhe_env.NoLimitHoldemEnv(num_players=2)],
        CLASSIC: lambda: [PROBES["classic"](2)],
    }[package]()
    kinds = {"AEC": pettingzoo.AECEnv, "Gymnasium": gymnasium.Env}
    return ", ".join(k for k, base in kinds.items() if any(isinstance(env, base) for env in envs))


def no_limit_holdem(package: str) -> str:
    """Which games of pgx have hold'em in their names; the others play it below."""
    if package != "pgx":
        return "yes"
    import pgx

    games = [game for game in pgx.available_envs() if "holdem" in game or "poker" in game]
    FOUND["pgx, games of poker"] = ", ".join(games)
    return judged(not any("limit" in game or "texas" in game for game in games))


def speeds(packages: list[str], seconds: float, rounds: int) -> dict[str, str]:
    """Steps a CPU second of six players with 100 big blinds, a hand an episode, in turn."""
    works: dict[str, Callable[[], float]] = {}
    for name, make in bench_environment.contenders(6).items():
        package = {"nlhe_env, a hand an episode": OURS}.get(name, CLASSIC)
        if "classic" in name or package == OURS:
            env, generator = make(), random.Random(1)
            env.reset(seed=1)
            works[package] = functools.partial(bench_environment.play_episode, env, generator)
    batch = bench_batch.ours(6, "random", "cards", 1024)
    works["batch"] = batch
    if "OpenSpiel" in packages:
        spiel = bench_batch.open_spiel_engine(6, "random", observing=False)
        works["OpenSpiel"] = spiel
    for package in ("PokerKit", "PyPokerEngine"):
        if package in packages:
            works[package] = functools.partial(play_hand, HANDS[package], random.Random(1))
    measures = {name: functools.partial(rate, work, seconds) for name, work in works.items()}
    found = medians(measures, rounds)
    cells = {name: f"{float(f'{steps:.2g}'):,.0f}" for name, steps in found.items()}
    cells[OURS] += f"; {found['batch'] / 1e6:.1f} million in batches"
    return {package: cells.get(package, NONE) for package in packages}


ROWS: dict[str, Callable[[str], str]] = {
    "No-limit Texas hold'em": no_limit_holdem,
    "Unequal all-ins paid right": all_ins,
    "Minimum raise right": minimum_raise,
    "A short all-in does not reopen": short_all_in,
    "PettingZoo, Gymnasium": interfaces,
    **{row: functools.partial(feature, row=row) for row in FEATURES},
}


def column(package: str) -> list[str]:
    """The cells of a package, but for its speed."""
    rules = (all_ins, minimum_raise, short_all_in)
    return [NONE if package == "pgx" and ask in rules else ask(package) for ask in ROWS.values()]


def main() -> None:
    given = options(__doc__, seconds=3.0, rounds=3)
    warnings.simplefilter("ignore")
    installed = [
        name
        for name, (_, modules) in PACKAGES.items()
        if all(find_spec(module.partition(".")[0]) for module in modules.split())
    ]
    columns = {package: column(package) for package in installed}
    fast = speeds(installed, given.seconds, given.rounds)
    print("| feature | " + " | ".join(installed) + " |\n" + "| --- " * (len(installed) + 1) + "|")
    for row, *cells in zip(ROWS, *columns.values(), strict=True):
        print(f"| {row} | " + " | ".join(cells) + " |")
    print("| Steps per second | " + " | ".join(fast[package] for package in installed) + " |\n")
    for feature, name in FOUND.items():
        print(f"{feature}: {name}")
    if "PyPokerEngine" in installed:
        print(
            "PyPokerEngine, all-ins of equal stacks paid right:", all_ins("PyPokerEngine", (100,))
        )
    named = [name for package in installed for name in PACKAGES[package][0].split()]
    print(", ".join(f"{name} {version(name)}" for name in named), datetime.date.today())


if __name__ == "__main__":
    main()
