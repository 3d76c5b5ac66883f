"""Players of other packages: entry points of the group ``nlhe_env.players``.

A package that has, in its ``pyproject.toml``::

    [project.entry-points."nlhe_env.players"]
    shark = "my_bots:Shark"

adds the name ``shark`` to ``agents.names()``; ``agents.make("shark")`` calls ``my_bots.Shark()``,
a class or function that returns a player. The names of this package cannot be taken.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from agents.compiled.players import Agent

GROUP = "nlhe_env.players"


def plugin_names() -> tuple[str, ...]:
    """The names that other packages have given, in alphabetical order."""
    return tuple(sorted(entry_points(group=GROUP).names))


def make_plugin(name: str) -> Agent:
    """The player that another package has given this name.

    Raises:
        RuntimeError: The package fails to load or to make it, makes something that is no player, or
            is not the only one with this name.
    """
    # A package that is installed twice on the path is still one.
    points = {point.value: point for point in entry_points(group=GROUP, name=name)}
    if len(points) > 1:
        listed = " and ".join(_origin(point) for point in points.values())
        raise RuntimeError(f"the player {name!r} is given by {listed}: uninstall one of them")
    (point,) = points.values()
    try:
        player = point.load()()
    except Exception as error:
        raise RuntimeError(
            f"the player {name!r} of {_origin(point)} cannot be made: "
            f"{type(error).__name__}: {error}"
        ) from error
    if isinstance(player, type) or not isinstance(player, Agent):
        raise RuntimeError(
            f"the player {name!r} of {_origin(point)} must be an object with "
            f"act(observation, info); got {player!r}"
        )
    return player


def _origin(point: EntryPoint) -> str:
    package = point.dist
    by = f"{package.name} {package.version}" if package is not None else "a package"
    return f"{by} ({point.name} = {point.value})"
