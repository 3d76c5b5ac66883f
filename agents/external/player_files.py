"""Players in files: ``my_bot.py:Careful`` is created by ``Careful()`` in ``my_bot.py``."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

from agents.external.player_factory import PlayerFactory
from nlhe_env.arguments import one_of
from nlhe_env.system.python_files import load_file


def load_player_file(path: str, name: str | None) -> PlayerFactory:
    """Factory of a player in a file.

    The file is run as a module, once for each version of its content. Its folder is appended to
    ``sys.path``, so that it can import its neighbours.

    Args:
        path: Path of the file.
        name: Name of a class or function in the file; ``None`` for its only class with ``act``.

    Raises:
        ValueError: The file or the name in it does not exist.
        RuntimeError: The file fails; the message names the line.
    """
    module = load_file(Path(path))
    classes = [name for name, value in _own(module).items() if _is_player_class(value)]
    if name is None:
        if len(classes) != 1:
            has = f"several players, {', '.join(classes)}" if classes else "no class with act"
            lines = "" if classes else f'; a program that speaks lines is "process:python {path}"'
            if not classes and any(hasattr(each, "decide") for each in _own(module).values()):
                lines = "; a class with decide must derive from agents.ChipPlayer"
            raise ValueError(f'{path} has {has}: name what makes the player, "{path}:NAME"{lines}')
        name = classes[0]
    elif not callable(getattr(module, name, None)):
        makers = [key for key, value in _own(module).items() if callable(value)]
        if not makers:
            raise ValueError(f"{path} has no class or function {name!r}; it defines none")
        one_of(f"a player of {path}", name, makers)
    return PlayerFactory(getattr(module, name), origin=f"the player {name} of {path}")


def _own(module: ModuleType) -> dict[str, Any]:
    """Objects defined by a module itself."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    }


def _is_player_class(value: Any) -> bool:
    return inspect.isclass(value) and hasattr(value, "act") and not inspect.isabstract(value)
