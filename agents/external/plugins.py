"""Players of other packages: entry points of the group ``nlhe_env.players``.

A package that has, in its ``pyproject.toml``::

    [project.entry-points."nlhe_env.players"]
    shark = "my_bots:Shark"

adds the name ``shark`` to ``agents.names()``; ``agents.make("shark:bite=0.9")`` calls
``my_bots.Shark(bite=0.9)``, a class or function that returns a player. The names of this package
cannot be taken.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from agents.external.player_factory import PlayerFactory
from nlhe_env.system.python_files import describe_error

GROUP = "nlhe_env.players"


def plugin_names() -> tuple[str, ...]:
    """Names provided by other packages, in alphabetical order."""
    return tuple(sorted(entry_points(group=GROUP).names))


def load_plugin(name: str) -> PlayerFactory:
    """Factory provided by another package under a name.

    Raises:
        RuntimeError: The package fails to load, the entry point is not callable, or several
            packages use the name.
    """
    # A package found twice on the path counts once.
    points = {point.value: point for point in entry_points(group=GROUP, name=name)}
    if len(points) > 1:
        listed = " and ".join(_package(point) for point in points.values())
        raise RuntimeError(f"the player {name!r} is provided by {listed}: uninstall all but one")
    (point,) = points.values()
    origin = f"the player {name!r} of {_package(point)}"
    try:
        make = point.load()
    except Exception as error:
        raise RuntimeError(f"{origin} cannot be made: {describe_error(error)}") from error
    if not callable(make):
        raise RuntimeError(f"{origin} must be a class or function that makes it; got {make!r}")
    return PlayerFactory(make, origin=origin)


def _package(point: EntryPoint) -> str:
    package = point.dist
    by = f"{package.name} {package.version}" if package is not None else "a package"
    return f"{by} ({point.name} = {point.value})"
