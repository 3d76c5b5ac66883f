"""The page for users of PettingZoo's classic environment shows the results of its probes."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_page_shows_the_results_of_the_probes():
    script = runpy.run_path(str(DOCS / "rule_probes.py"))
    page = (DOCS / "from-pettingzoo-classic.md").read_text()
    for probe in script["PROBES"]:
        assert f"| {probe.question} | {probe.right} | {probe.ours()} |" in page
