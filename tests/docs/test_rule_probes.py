"""The page for those who come from PettingZoo's classic environment tells what its probes see."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_page_tells_what_the_probes_see_here():
    script = runpy.run_path(str(DOCS / "rule_probes.py"))
    page = (DOCS / "from-pettingzoo-classic.md").read_text()
    for probe in script["PROBES"]:
        assert f"| {probe.question} | {probe.right} | {probe.ours()} |" in page
