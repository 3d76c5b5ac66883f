"""Factory of a player, and the options that it takes: ``option=value,option=value``."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agents.policy.compiled_player import Player
from nlhe_env.arguments import one_of
from nlhe_env.system.python_files import describe_error

MUST_BE_GIVEN = inspect.Parameter.empty
"""Stands for the default of an option that has none."""

_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class PlayerFactory:
    """A class or function that makes a player.

    Args:
        make: Function whose keyword arguments are the options of the player.
        does: Description of the player, in one line; by default the first line of its docstring.
        origin: Name of its source, in words, if it is not this package.
        known: The options and their defaults, if they are not the arguments of ``make``.
        name: Name of the player; by default its own.
    """

    make: Callable[..., Any]
    does: str = ""
    origin: str = ""
    known: Mapping[str, Any] | None = None
    name: str = ""

    @property
    def description(self) -> str:
        """Description of the player, in one line."""
        return self.does or (inspect.getdoc(self.make) or "").partition("\n")[0]

    def options(self) -> dict[str, Any]:
        """The options and their defaults, ``MUST_BE_GIVEN`` where there is none."""
        if self.known is not None:
            return dict(self.known)
        return {name: argument.default for name, argument in self._arguments().items()}

    def player(self, text: str | None = None) -> Player:
        """The player, with options as they are typed; they show in its name.

        Raises:
            ValueError: It has no such option, the value is not possible, or one is missing.
            RuntimeError: It is not ours and fails, or is no player.
        """
        values = self._read(text)
        player: Any = self._made_elsewhere(values) if self.origin else self.make(**values)
        if self.name or text is not None:
            name = self.name or getattr(player, "name", type(player).__name__)
            with contextlib.suppress(AttributeError):  # a name that it does not let us change
                player.name = name if text is None else f"{name}:{text}"
        made: Player = player
        return made

    def _made_elsewhere(self, values: dict[str, Any]) -> Player:
        try:
            player: Any = self.make(**values)
        except ValueError as error:
            if values:  # what was typed is not possible
                raise ValueError(f"{self.origin}: {error}") from error
            raise RuntimeError(f"{self.origin} cannot be made: {describe_error(error)}") from error
        except Exception as error:
            raise RuntimeError(f"{self.origin} cannot be made: {describe_error(error)}") from error
        if isinstance(player, type) or not isinstance(player, Player):
            raise RuntimeError(
                f"{self.origin} must be an object with act(observation, info); got {player!r}"
            )
        return player

    def _arguments(self) -> dict[str, inspect.Parameter]:
        try:
            arguments = inspect.signature(self.make).parameters
        except (TypeError, ValueError):  # written in C
            return {}
        by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        return {name: argument for name, argument in arguments.items() if argument.kind in by_name}

    def _read(self, text: str | None) -> dict[str, Any]:
        """The options in ``option=value,option=value``."""
        known = self.options()
        found: dict[str, Any] = {}
        if text is not None:
            if not known:
                raise ValueError("this player has no options")
            arguments = {} if self.known is not None else self._arguments()
            for part in text.split(","):
                key, equals, value = part.partition("=")
                if not equals:
                    raise ValueError(f'options must be "option=value,option=value"; got {text!r}')
                if one_of("an option", key, tuple(known)) in found:
                    raise ValueError(f"option {key} is given twice")
                kind = _kind(arguments.get(key), known[key])
                found[key] = _value(key, value, kind)
        missing = [key for key, value in known.items() if value is MUST_BE_GIVEN]
        for key in missing:
            if key not in found:
                player = f"{self.origin or 'this player'} needs the option {key}"
                raise ValueError(f'{player}: ":{key}=..." after its name')
        return found


def _kind(argument: inspect.Parameter | None, default: Any) -> str:
    """The type of an option, by its annotation, else by its default; "" if there is neither."""
    if argument is not None:
        annotation = argument.annotation
        name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        if name in ("bool", "int", "float", "str"):
            return name
    # A default of 1 may well be meant as a number that need not be whole.
    return {bool: "bool", float: "float", str: "str"}.get(type(default), "")


def _value(key: str, text: str, kind: str) -> Any:
    """A value as it was typed: of its type, or what it looks like."""
    if kind == "str":
        return text
    if kind in ("bool", ""):
        truth = _TRUTHS.get(text.lower())
        if truth is not None:
            return truth
        if kind == "bool":
            raise ValueError(f"{key} must be true or false; got {text!r}")
    if kind in ("int", ""):
        with contextlib.suppress(ValueError):
            return int(text)
        if kind == "int":
            raise ValueError(f"{key} must be a whole number; got {text!r}")
    with contextlib.suppress(ValueError):
        return float(text)
    if kind == "float":
        raise ValueError(f"{key} must be a number; got {text!r}")
    return text
