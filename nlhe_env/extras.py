"""How to add an extra to this installation, for messages about packages that are missing."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

_NAME = "nlhe-env"


def install_command(extra: str) -> str:
    """The command that adds an extra, from where this installation came from.

    Args:
        extra: Such as ``"web"``.
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


def _from_folder(folder: Path, extra: str, option: str = "") -> str:
    return f"pip install {option}'{'.' if folder == Path.cwd() else folder}[{extra}]'"
