"""What is installed with the project; as a program, commands where no extra is installed.

    python tests/installed.py LINES

Each line is a list of words, a command of ``nlhe`` or an example with its arguments; LINES are a
JSON list of them. Prints a JSON list with their exit codes, output, errors and the files that they
leave in this folder.
"""

import contextlib
import io
import json
import os
import re
import runpy
import sys
from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pkgutil import resolve_name
from typing import Any

PROJECT = "nlhe-env"


@cache
def modules(*extras: str) -> set[str]:
    """Outermost modules of the project with some extras, and of what it requires."""
    wanted = _distributions(*extras)
    return {
        module
        for module, names in packages_distributions().items()
        if wanted & set(map(_normal, names))
    }


def _distributions(*extras: str) -> set[str]:
    """Names of all that pip installs for the project, as far as it is installed."""
    from packaging.requirements import Requirement

    waiting = [(PROJECT, ("", *extras))]
    found: set[tuple[str, str]] = set()
    while waiting:
        name, chosen = waiting.pop()
        new = [extra for extra in chosen if (name, extra) not in found]
        found |= {(name, extra) for extra in new}
        try:
            requirements = [Requirement(text) for text in requires(name) or ()] if new else ()
        except PackageNotFoundError:
            continue
        waiting += [
            (_normal(each.name), ("", *each.extras))
            for each in requirements
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in new)
        ]
    return {name for name, _ in found}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _hide_extras() -> None:
    """Make the modules of all other packages impossible to import, and to find."""
    hidden = set(packages_distributions()) - modules()

    class Finder(PathFinder):
        @classmethod
        def find_spec(cls, name: str, path: Any = None, target: Any = None) -> Any:
            return (
                None if name.partition(".")[0] in hidden else super().find_spec(name, path, target)
            )

    sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
    for module in [name for name in sys.modules if name.partition(".")[0] in hidden]:
        del sys.modules[module]


def _run(name: str, arguments: list[str]) -> dict[str, Any]:
    from nlhe_env.console import GROUPS

    out, err, code = io.StringIO(), io.StringIO(), None
    before = set(os.listdir())
    sys.argv = [name, *arguments]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if name.endswith(".py"):
                sys.path.insert(0, os.path.dirname(os.path.abspath(name)))  # as a script
                runpy.run_path(name, run_name="__main__")
            else:
                packages = {name: each[0] for one in GROUPS.values() for name, each in one.items()}
                code = resolve_name(f"{packages[name]}.commands.main:main")([name, *arguments])
        except SystemExit as end:
            code = end.code
            if isinstance(code, str):
                print(code, file=sys.stderr)
    files = sorted(set(os.listdir()) - before)
    return {"code": code, "out": out.getvalue(), "err": err.getvalue(), "files": files}


if __name__ == "__main__":
    _hide_extras()
    print(json.dumps([_run(name, arguments) for name, *arguments in json.loads(sys.argv[1])]))
