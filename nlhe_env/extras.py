"""Optional dependencies: versions, missing extras, and conflicting package names."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

_NAME = "nlhe-env"
_PACKAGES = ("agents", "evolve")
_RIVALS = {"agents": "openai-agents"}
"""Other distributions that install a package of the same name."""
_FOR_DEVELOPERS = re.compile(r"""extra == ["'](dev|docs)["']""")


class MissingExtraError(ImportError):
    """A library of an extra is not installed; the message has the command that installs it."""


@contextmanager
def needs_extra(extra: str, purpose: str) -> Iterator[None]:
    """Context of imports from the libraries of an extra.

    Args:
        extra: Name of the extra, such as ``"web"``.
        purpose: What needs it, as the beginning of the message.

    Raises:
        MissingExtraError: A library is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("", __package__, *_PACKAGES):
            raise
        raise MissingExtraError(f"{purpose} needs {name}: {install_command(extra)}") from error


def install_command(extra: str) -> str:
    """Command to install an extra from the origin of this installation.

    Args:
        extra: Name of the extra, such as ``"web"``.
    """
    try:
        record = distribution(_NAME).read_text("direct_url.json")
    except PackageNotFoundError:  # not installed: these are the sources themselves
        return _from_folder(Path(__file__).parents[1], extra)
    if record is None:  # from a package index
        return f"pip install '{_NAME}[{extra}]'"
    origin = json.loads(record)
    url = origin["url"]
    if "dir_info" in origin:
        option = "-e " if origin["dir_info"].get("editable") else ""
        return _from_folder(Path(unquote(urlsplit(url).path)), extra, option)
    if "vcs_info" in origin:
        url = f"{origin['vcs_info']['vcs']}+{url}@{origin['vcs_info']['commit_id']}"
    return f"pip install '{_NAME}[{extra}] @ {url}'"


def package_versions() -> dict[str, str]:
    """Versions of all installed dependencies, by name."""
    try:
        needed = requires(_NAME) or []
    except PackageNotFoundError:  # the sources, not installed
        needed = ["numpy", "numba", "scipy"]
    versions = {}
    for requirement in needed:
        name = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
        if _FOR_DEVELOPERS.search(requirement):
            continue
        try:
            versions[name] = version(name)
        except PackageNotFoundError:  # of an extra
            continue
    return dict(sorted(versions.items()))


def check_packages(*names: str) -> None:
    """Check that packages are those of nlhe-env, without importing them.

    Args:
        *names: ``"agents"`` or ``"evolve"``.

    Raises:
        ImportError: One is missing, or another package has its name.
    """
    for name in names:
        found = find_spec(name)
        if found is None:
            raise ImportError(f"{name}, which comes with nlhe-env, is missing: reinstall nlhe-env")
        face = Path(found.origin) if found.has_location and found.origin else None
        if face is None or not _is_ours(face):
            raise ImportError(_conflict(found.origin or f"the folder {name}", name))


def warn_of_overwritten_packages() -> None:
    """Warn where another package has overwritten ``agents`` or ``evolve``, or was overwritten."""
    for name in _PACKAGES:
        face = Path(__file__).parents[1] / name / "__init__.py"
        if face.is_file() and not _is_ours(face):
            warnings.warn(_conflict(str(face), name), stacklevel=3)
        elif name in _RIVALS and _is_installed(_RIVALS[name]):
            warnings.warn(
                f"{_RIVALS[name]} is installed here too, and has a package {name} as nlhe-env has: "
                "the one installed last overwrites the other. Install nlhe-env in an environment "
                f"of its own, and {_RIVALS[name]} again in this one",
                stacklevel=3,
            )


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _is_ours(face: Path) -> bool:
    return "nlhe_env" in face.read_text(encoding="utf-8", errors="replace")


def _conflict(found: str, name: str) -> str:
    return (
        f"{found} has the name of the package {name} of nlhe-env, but belongs to another project "
        "(openai-agents, for example, has a package agents): install nlhe-env in an environment of "
        "its own, or start Python in another folder"
    )


def _from_folder(folder: Path, extra: str, option: str = "") -> str:
    return f"pip install {option}'{'.' if folder == Path.cwd() else folder}[{extra}]'"
