"""Other packages: their versions, missing extras, and packages with a conflicting name."""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

_NAME = "nlhe-env"
_FOR_DEVELOPERS = re.compile(r"""extra == ["'](dev|docs)["']""")


def install_command(extra: str) -> str:
    """Command that adds an extra from the origin of this installation.

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
    """The versions of all packages that this one can use and that are installed, by name."""
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


def check_agents() -> None:
    """Make sure that ``agents`` is the package that comes with nlhe-env, without importing it.

    Raises:
        ImportError: It is missing, or another package of this name is found in its place.
    """
    found = find_spec("agents")
    if found is None:
        raise ImportError("agents, which comes with nlhe-env, is missing: install nlhe-env anew")
    face = Path(found.origin) if found.has_location and found.origin else None
    if face is None or "nlhe_env" not in face.read_text(encoding="utf-8", errors="replace"):
        raise ImportError(
            f"{found.origin or 'the folder agents'} has the name of the package agents that comes "
            "with nlhe-env, but is another one (openai-agents installs one, too): give each an "
            "environment of its own, or start elsewhere"
        )


def _from_folder(folder: Path, extra: str, option: str = "") -> str:
    return f"pip install {option}'{'.' if folder == Path.cwd() else folder}[{extra}]'"
