"""Factory of a player with options of the form ``option=value,option=value``."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from agents.policy.compiled_player import Player
from nlhe_env.arguments import one_of, shown
from nlhe_env.system.python_files import describe_error

MUST_BE_GIVEN = inspect.Parameter.empty
"""Placeholder for the default of a required option."""

_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class PlayerFactory:
    """A class or function that creates a player.

    Args:
        make: Function whose keyword arguments are the options of the player.
        does: One-line description of the player; default: the first line of its docstring.
        origin: Name of its source, if it is not this package.
        known: Options and their defaults, if they differ from the arguments of ``make``.
        name: Name of the player; default: its own name.
        beside_play: Options that do not change its play, and stay out of its name.
    """

    make: Callable[..., Any]
    does: str = ""
    origin: str = ""
    known: Mapping[str, Any] | None = None
    name: str = ""
    beside_play: Collection[str] = ()

    @property
    def description(self) -> str:
        """One-line description of the player."""
        return self.does or (inspect.getdoc(self.make) or "").partition("\n")[0]

    def options(self) -> dict[str, Any]:
        """Options and their defaults, ``MUST_BE_GIVEN`` for required ones."""
        if self.known is not None:
            return dict(self.known)
        return {name: argument.default for name, argument in self._arguments().items()}

    def player(self, text: str | None = None) -> Player:
        """Create the player with options as text, which become part of its name.

        Raises:
            ValueError: An option is unknown or missing, or a value is invalid.
            RuntimeError: A factory from elsewhere fails or returns no player.
        """
        values = self.read(text)
        player: Any = self._made_elsewhere(values) if self.origin else self.make(**values)
        if self.name or text is not None:
            name = self.name or getattr(player, "name", type(player).__name__)
            with contextlib.suppress(AttributeError):  # the name is read-only
                options = "" if text is None else self.options_of_play(text)
                player.name = f"{name}:{options}" if options else name
        made: Player = player
        return made

    def options_of_play(self, text: str) -> str:
        """The options in a text that change the player's play."""
        parts = text.split(",")
        return ",".join(each for each in parts if each.partition("=")[0] not in self.beside_play)

    def _made_elsewhere(self, values: dict[str, Any]) -> Player:
        try:
            player: Any = self.make(**values)
        except ValueError as error:
            if values:  # the typed options are invalid
                raise ValueError(f"{self.origin}: {error}") from error
            raise RuntimeError(f"{self.origin} cannot be made: {describe_error(error)}") from error
        except Exception as error:
            raise RuntimeError(f"{self.origin} cannot be made: {describe_error(error)}") from error
        if isinstance(player, type) or not isinstance(player, Player):
            has_decide = callable(getattr(player, "decide", None))
            raise RuntimeError(
                f"{self.origin} is {shown(player)}; expected an object with act(observation, info)"
                + (". It has decide: derive its class from agents.ChipPlayer" * has_decide)
            )
        return player

    def _arguments(self) -> dict[str, inspect.Parameter]:
        try:
            arguments = inspect.signature(self.make).parameters
        except (TypeError, ValueError):  # implemented in C
            return {}
        by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        return {name: argument for name, argument in arguments.items() if argument.kind in by_name}

    def read(self, text: str | None) -> dict[str, Any]:
        """Parse options of the form ``option=value,option=value``.

        Raises:
            ValueError: An option is unknown or missing, or a value is invalid.
        """
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
                raise ValueError(f'{player}: add ":{key}=..." to its name')
        return found


def _kind(argument: inspect.Parameter | None, default: Any) -> str:
    """Type of an option from its annotation, else from its default; "" if there is neither."""
    if argument is not None:
        annotation = argument.annotation
        name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        if name in ("bool", "int", "float", "str"):
            return name
    # A default of 1 may stand for a real number.
    return {bool: "bool", float: "float", str: "str"}.get(type(default), "")


def _value(key: str, text: str, kind: str) -> Any:
    """Value of typed text, by the option's type or else by its form."""
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
