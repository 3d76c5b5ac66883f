"""Whole results, from cards to trained players, are byte for byte what they were."""

import json
from pathlib import Path

import pytest
from golden_results import CASES

STORED = Path(__file__).parents[1] / "golden/results.json"
SLOW = (
    *("symbiotic teams", "the preset self-play-quick", "the preset sbb-nolimit", "a meta-game"),
    *("Poki", "a river", "a turn"),
)


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] * (case in SLOW)) for case in CASES]
)
def test_results_match_the_stored_digests(case, tmp_path, request, capsys):
    found = CASES[case](tmp_path)
    stored = json.loads(STORED.read_text())
    if request.config.getoption("--update-golden"):
        STORED.write_text(json.dumps({**stored, case: found}, indent=2) + "\n")
    else:
        assert found == stored[case]


def test_every_stored_result_has_a_case():
    assert json.loads(STORED.read_text()).keys() == CASES.keys()
