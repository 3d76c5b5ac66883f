"""The pages for language models (https://llmstxt.org): ``llms.txt`` and ``llms-full.txt``.

The first lists all pages in the order of the navigation, each with its first sentence. The second
has the Markdown that they are written in, without the API reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def in_order(env: BuildEnvironment, page: str) -> Iterator[str]:
    """A page and those that its navigation leads to."""
    yield page
    for child in env.toctree_includes.get(page, []):
        yield from in_order(env, child)


def first_sentence(doctree: nodes.document) -> str:
    """First sentence of the first paragraph; empty if there is none."""
    for paragraph in doctree.findall(nodes.paragraph):
        words = "".join(paragraph.findall(nodes.Text))  # without the words for pictures
        if text := " ".join(words.split()):
            return re.split(r"(?<=[.:?]) ", text)[0]
    return ""


def write(app: Sphinx, failure: Exception | None) -> None:
    """Write both files beside the pages."""
    if failure or app.builder.format != "html":
        return
    root = app.config.root_doc
    titles, about = app.env.titles, first_sentence(app.env.get_doctree(root))
    listed, texts = [f"# {titles[root].astext()}", "", f"> {about}", ""], []
    for page in dict.fromkeys(in_order(app.env, root)):
        address = app.config.html_baseurl + app.builder.get_target_uri(page)
        title, sentence = titles[page].astext(), first_sentence(app.env.get_doctree(page))
        listed.append(f"- [{title}]({address})" + (f": {sentence}" if sentence else ""))
        source = Path(app.env.doc2path(page))
        if source.suffix == ".md":
            texts.append(f"<!-- {address} -->\n\n{source.read_text(encoding='utf-8').strip()}\n")
    Path(app.outdir, "llms.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")
    Path(app.outdir, "llms-full.txt").write_text("\n".join(texts), encoding="utf-8")
