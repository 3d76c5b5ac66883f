"""How the API reference reads docstrings, and the links to it from everywhere.

- Docstrings of attributes are prose: their colons separate no type. "Alias for field number 0",
  which named tuples say by themselves, is left out.
- Array types keep their names in signatures, also inside unions.
- Code in running text becomes a link where it names something in the API reference:
  ``nlhe_env.env``, ``BatchEnv`` and ``play_episode()`` do. A short name in small letters without
  parentheses could be an argument just as well: it does in docstrings, for what stands beside it in
  the module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

_BEFORE_NAPOLEON = 400
_ALIAS = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")
_OPTION = re.compile(
    r"~?[\w.]+\.Annotated\[([^,\[]+), (?:OmitArgPrefixes|~?tyro\..*?MISSING_NONPROP\))\]", re.DOTALL
)
_KERNEL = re.compile(r"CPUDispatcher\(<function (\w+)>\)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", keep_prose, priority=_BEFORE_NAPOLEON)
    app.connect("autodoc-process-signature", plain_signature)
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def keep_prose(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Napoleon takes "word: text" for a type and a text in the first line of an attribute only."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()
    elif what in {"attribute", "data", "property"}:
        lines[:0] = ["..", ""]  # an empty comment


def plain_signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, result: Any
) -> tuple[str | None, Any] | None:
    """``I64 | None`` instead of a stand-in for the alias; ``...`` for a default made anew.

    What belongs to the command line or to Numba alone is left out.
    """
    if signature is None:
        return None
    if what == "class" and signature == "(*args, **kwargs)":
        return "", None  # a protocol: nobody makes one
    signature = _ALIAS.sub(r"\1", signature).replace("<factory>", "...")
    signature = _KERNEL.sub(r"\1", _OPTION.sub(r"\1", signature))
    return signature, result and _ALIAS.sub(r"\1", result)


def link_names(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Link the names in one page."""
    objects = app.env.domains.python_domain.objects
    by_short_name: dict[str, set[str]] = {}
    for name, entry in objects.items():
        if not entry.aliased:
            by_short_name.setdefault(name.rpartition(".")[2], set()).add(name)

    for literal in list(doctree.findall(nodes.literal)):
        if isinstance(literal.parent, (nodes.reference, nodes.title)):
            continue
        text = literal.astext()
        name = full_name(text, set(objects), by_short_name) or neighbour(literal, text)
        if name in objects and objects[name].objtype != "attribute":
            entry = objects[name]
            content = literal.deepcopy()
            link = make_refnode(app.builder, page, entry.docname, entry.node_id, content, name)
            literal.replace_self(link)


def full_name(text: str, names: Set[str], by_short_name: Mapping[str, set[str]]) -> str | None:
    """The name that a piece of code stands for wherever it is, if there is exactly one."""
    name = text.removesuffix("()")
    if name in names:
        return name
    package, _, short = name.rpartition(".")
    if package not in (
        "",
        "nlhe_env",
        "agents",
        "evolve",
    ):  # what a face gives is at home elsewhere
        return None
    named_so = by_short_name.get(short, set())
    if package:
        return next(iter(named_so)) if len(named_so) == 1 else None
    is_clear = name[:1].isupper() or text.endswith("()")
    return next(iter(named_so)) if is_clear and len(named_so) == 1 else None


def neighbour(literal: nodes.literal, text: str) -> str | None:
    """The name as one in the module of the docstring, unless it is an argument there."""
    module = None
    parent = literal.parent
    while parent is not None:
        if isinstance(parent, addnodes.desc):
            for signature in parent.findall(addnodes.desc_signature):
                arguments = {node.astext() for node in signature.findall(addnodes.desc_sig_name)}
                if text in arguments or text == signature.get("fullname"):
                    return None
                module = signature.get("module")
                break
        parent = parent.parent
    return f"{module}.{text}" if module else None
