"""Keeps a mean and its error on one line: narrow tables would break ``2.97 ± 0.14`` at the sign."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("doctree-read", keep_whole)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def keep_whole(app: Sphinx, doctree: nodes.document) -> None:
    """Spaces around the sign become spaces at which no line breaks."""
    for text in list(doctree.findall(nodes.Text)):
        if " ± " in text:
            text.parent.replace(text, nodes.Text(text.replace(" ± ", "\u00a0±\u00a0")))
