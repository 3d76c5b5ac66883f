"""What the tests of the table in the browser have in common."""

from __future__ import annotations

import pytest

from agents import ProcessPlayer


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait for programs is so long that no test can take it for a game in progress.

    Beside other work a program may also take its time without being at fault.
    """
    limits = ProcessPlayer.__init__.__kwdefaults__
    for name in ("seconds_per_decision", "seconds_to_start"):
        monkeypatch.setitem(limits, name, 600.0)
