"""Public names of a package, each imported on first use, as SPEC 1 of Scientific Python describes.

``__init__.pyi`` lists the names with the modules that define them, for type checkers as well. (The
package ``lazy_loader`` has such a function too, but refuses names from other packages.)
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import Any


def attach_stub(
    package: str, explain: str = "", moved: Mapping[str, Sequence[str]] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package, from its ``__init__.pyi``.

    Args:
        package: The package's ``__name__``.
        explain: Function that makes the error for a name that the package does not have, as
            ``"module:name"``; it gets the package, the name and ``moved``.
        moved: Names that were in the package before, by their modules.

    >>> load, names, public = attach_stub("nlhe_env")
    >>> load("parse_cards")("As")
    (51,)
    >>> "parse_cards" in names() and "parse_cards" in public
    True
    """
    module = sys.modules[package]
    modules = _modules_of(Path(str(module.__file__)).with_suffix(".pyi"))

    def load(name: str) -> Any:
        if name not in modules:
            if not explain or name.startswith("__"):
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
            raise resolve_name(explain)(package, name, moved)
        home = import_module(modules[name])
        try:
            value = vars(home)[name]
        except KeyError:  # a module that is not imported yet
            value = import_module(f"{modules[name]}.{name}")
        setattr(module, name, value)  # so that this function is called once for a name
        return value

    return load, lambda: sorted(modules), sorted(modules)


def _modules_of(stub: Path) -> dict[str, str]:
    """The module of every name that a stub imports."""
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {name.name: str(node.module) for node in imports for name in node.names}
