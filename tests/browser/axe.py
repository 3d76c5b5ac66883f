"""axe-core looks at a page: the rules of WCAG 2.2 A and AA, and what counts as good practice."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest


def violations(page: Any) -> list[str]:
    """Violations that axe finds on a page, one line for every rule and place."""
    pytest.importorskip("axe_playwright_python")
    script = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    page.evaluate(script)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]
