"""Evolution of poker players: genomes, optimizers, opponents, runs, and evaluation.

``nlhe --help`` lists the commands. ``__init__.pyi`` lists the public names. Each is loaded from its
subpackage on first use, so a league does not load the training code.
"""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any


def _modules() -> dict[str, str]:
    """The module of every public name, from the stub for type checkers."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {name.name: str(node.module) for node in imports for name in node.names}


_MODULES = _modules()
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        # Imported here because players take time to load.
        raise import_module("agents.rooms").explain_missing(__name__, name)
    try:
        if _MODULES[name] == __name__:
            return import_module(f"{__name__}.{name}")
        return getattr(import_module(_MODULES[name]), name)
    except ImportError:
        import_module("nlhe_env.extras").check_packages(
            "agents"
        )  # another package may have its name
        raise


def __dir__() -> list[str]:
    return __all__
