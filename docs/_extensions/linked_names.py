"""Code in running text becomes a link where it is the name of something in the API reference.

``nlhe_env.env``, ``agents.names()`` and ``BatchEnv`` link; a short name in small letters could be an
argument just as well and does not.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def link_names(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link the names in one page."""
    objects = app.env.domains.python_domain.objects
    by_short_name: dict[str, set[str]] = {}
    for name in objects:
        by_short_name.setdefault(name.rpartition(".")[2], set()).add(name)

    for literal in list(doctree.findall(nodes.literal)):
        if isinstance(literal.parent, (nodes.reference, nodes.title)):
            continue
        text = literal.astext().removesuffix("()")
        name = text
        if text not in objects:
            same_name = by_short_name.get(text, set())
            if not text[:1].isupper() or len(same_name) != 1:
                continue
            (name,) = same_name
        entry = objects[name]
        if "." not in text and not text[:1].isupper():
            continue  # a module such as "agents"
        content = literal.deepcopy()
        link = make_refnode(app.builder, page, entry.docname, entry.node_id, content, name)
        literal.replace_self(link)
