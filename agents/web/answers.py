"""Long JSON answers, serialised without blocking other threads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def as_json(value: Mapping[str, Any]) -> str:
    """JSON text of an object.

    ``json.dumps`` blocks all other Python threads; here it serialises one member, or one element of
    a list, at a time.

    >>> as_json({"title": "x", "hands": [1, {"pot": None}]})
    '{"title": "x", "hands": [1, {"pot": null}]}'
    """
    members = (f"{json.dumps(name)}: {_text(member)}" for name, member in value.items())
    return f"{{{', '.join(members)}}}"


def _text(member: Any) -> str:
    if isinstance(member, dict) and all(isinstance(name, str) for name in member):
        return as_json(member)
    if isinstance(member, list):
        return f"[{', '.join([json.dumps(element) for element in member])}]"
    return json.dumps(member)
