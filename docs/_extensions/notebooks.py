"""A notebook with its stored outputs on a page: ``{notebook} ../../examples/first_steps.ipynb``.

Nothing is run: ``docs/run_notebooks.py`` stores the outputs. The notebook's title, which the page
has too, and the cell that installs the package on a hosted service are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

_FENCE = "`" * 8  # longer than any in a cell


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_directive("notebook", Notebook)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Notebook(SphinxDirective):
    """The cells of a notebook, whose path is relative to the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The content of the page."""
        relative, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(relative)
        cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join(part for cell in cells for part in parts(cell))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def parts(cell: dict[str, Any]) -> Iterator[str]:
    """A cell and its outputs in Markdown."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source.partition("\n")[2] if source.startswith("# ") else source
    elif "install" not in cell["metadata"].get("tags", []):
        yield block("python", source)
        for output in cell["outputs"]:
            yield shown(output)


def shown(output: dict[str, Any]) -> str:
    """An output in Markdown: the richest of its forms."""
    data = {kind: "".join(lines) for kind, lines in output.get("data", {}).items()}
    if "text/html" in data:
        return block("{raw} html", f'<div class="table-wrapper">{data["text/html"]}</div>')
    if "image/png" in data:
        picture = data["image/png"].replace("\n", "")
        return f"![Picture that this code draws](data:image/png;base64,{picture})"
    return block("text", "".join(output.get("text", data.get("text/plain", ""))).rstrip())


def block(kind: str, text: str) -> str:
    """A block of code, or of what it prints."""
    return f"{_FENCE}{kind}\n{text}\n{_FENCE}"
