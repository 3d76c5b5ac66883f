"""What a package index shows: the README with absolute links, and the addresses of the project.

Hatchling calls it while it builds; ``address`` in pyproject.toml is where the repository is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)]*)\)\n*")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)]*)\)")


def site(address: str) -> str:
    """Address of the pages that GitHub hosts for a repository; empty for other hosts."""
    found = re.fullmatch(r"https://github\.com/([^/]+)/([^/]+)", address)
    return f"https://{found[1].lower()}.github.io/{found[2]}/" if found else ""


def urls(address: str, version: str) -> dict[str, str]:
    """Addresses of the project by their usual names; none without an address."""
    if not address:
        return {}
    found = {
        "Repository": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
    }
    pages = site(address)
    return {"Documentation": pages, **found} if pages else found


def readme(text: str, address: str, version: str) -> str:
    """The README for an index: files of the repository are linked at the tag of the version.

    Without an address, pictures are left out and links become plain words.
    """
    if not address:
        return LINK.sub(r"\1", PICTURE.sub("", text))
    text = PICTURE.sub(rf"![\1]({address}/raw/v{version}/\2)\n\n", text)
    return LINK.sub(rf"[\1]({address}/blob/v{version}/\2)", text)


class IndexPage(MetadataHookInterface):
    """Hatchling's hook for fields that depend on the address of the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README and the addresses."""
        address = self.config["address"].rstrip("/")
        source = Path(self.root, "nlhe_env", "_version.py").read_text(encoding="utf-8")
        version = re.search(r'__version__ = "(.+)"', source)[1]
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": readme(text, address, version),
        }
        metadata["urls"] = urls(address, version)
