"""What the pages show as printed is printed: outputs of Python blocks and of commands.

Outputs that are not compared here are listed with the reason, or with the test that compares them.
"""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import shlex
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

import matplotlib.pyplot as plt
import pytest

from nlhe_env import console

ROOT = Path(__file__).parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TOOL = runpy.run_path(str(ROOT / "docs" / "run_tutorials.py"))

FENCE = re.compile(r"^```(?P<language>[\w{}]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(nlhe|pip|python|dask|make|import|from|def|card|envs)\b|player = |chat:|#!")
PACKAGES = {name: found[0] for group in console.GROUPS.values() for name, found in group.items()}
"""Packages of commands."""

TIME = re.compile(r"[\d,.]+ (s|ms|µs|hands/s|CPU seconds)\b")

ELSEWHERE = {
    ("external-bots.md", '> {"type":"hello"'): "tests/agents/external/test_external_bots.py",
    ("external-bots.md", '> {"type":"act"'): "tests/agents/external/test_http_players.py",
    ("chat-models.md", "Hand 1, river."): "tests/agents/external/test_turn_text.py",
    ("acpc.md", "$ nlhe acpc dealer"): "waits for a client in another terminal",
    ("acpc.md", "$ nlhe acpc client"): "waits for a dealer in another terminal",
    ("acpc.md", "old-best: +1322742"): "of two programs, one of which is timed",
    ("acpc.md", "# name/game/hands/seed"): "of two programs, shortened",
    ("metagame.md", "$ nlhe evaluate metagame RUN --game"): "of a run of 200 generations",
    ("metagame.md", "$ nlhe evaluate metagame RUN\n"): "of a run of 200 generations",
}
"""Outputs by page and beginning, and where they are compared, or why they are not."""


class Output(NamedTuple):
    """An output that a page shows."""

    page: Path
    text: str
    code: str | None
    """The Python block right before: it prints the output, or writes what the command reads."""

    @property
    def name(self) -> str:
        """Name of the test."""
        return f"{self.page.relative_to(ROOT)}: {self.text.splitlines()[0][:40]}"

    @property
    def is_session(self) -> bool:
        """Whether it shows commands with what they print."""
        return self.text.startswith("$ nlhe")

    @property
    def elsewhere(self) -> bool:
        """Whether it is in ``ELSEWHERE``."""
        return any(
            self.page.name == page and self.text.startswith(start) for page, start in ELSEWHERE
        )


def outputs(page: Path) -> list[Output]:
    """All outputs of a page: ``text`` blocks, sessions, and plain blocks that are no commands."""
    found, code = [], None
    end = 0
    text = page.read_text()
    for fence in FENCE.finditer(text):
        language, shown = fence["language"], fence["text"]
        is_next = not text[end : fence.start()].strip()
        if language == "text" or (not language and not COMMAND.match(shown)):
            found.append(Output(page, shown, code if is_next else None))
        code, end = (shown if language == "python" else None), fence.end()
    return found


ALL = [each for page in PAGES for each in outputs(page)]
SESSIONS = [each for each in ALL if each.is_session and not each.elsewhere]
PRINTED = [
    each
    for each in ALL
    if each.code is not None and not each.is_session and TUTORIALS not in each.page.parents
]
SLOW = {"coach.md", "league.md"}
"""Pages whose commands take long."""


def timeless(text: str) -> list[str]:
    """Lines without the times of a run."""
    return [TIME.sub("TIME", line.rstrip()) for line in text.strip("\n").splitlines()]


def test_every_output_of_the_pages_is_compared_or_listed():
    compared = {*PRINTED, *SESSIONS}
    left = [
        each.name
        for each in ALL
        if each not in compared
        and not each.elsewhere
        and (each.code is None or TUTORIALS not in each.page.parents)
    ]
    assert left == []
    assert all(
        any(each.page.name == page and each.text.startswith(start) for each in ALL)
        for page, start in ELSEWHERE
    )


@pytest.mark.parametrize("output", [pytest.param(each, id=each.name) for each in PRINTED])
def test_a_block_prints_its_output(output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(output.code, "documentation", "exec"), {"__name__": "__main__"})
    assert printed.getvalue().strip() == output.text.strip()


@pytest.mark.parametrize(
    "output",
    [
        pytest.param(each, id=each.name, marks=[pytest.mark.slow] * (each.page.name in SLOW))
        for each in SESSIONS
    ],
)
def test_a_command_prints_its_output(output, tmp_path, monkeypatch, capsys):
    """Of each command of a session; lines that the page leaves out are ``...``."""
    monkeypatch.chdir(tmp_path)
    if output.code is not None:
        exec(compile(output.code, "documentation", "exec"), {"__name__": "__main__"})
    for part in re.split(r"^\$ nlhe ", output.text.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        name, *arguments = shlex.split(line)
        capsys.readouterr()
        resolve_name(console._MAIN[PACKAGES[name]])([name, *arguments])
        said = capsys.readouterr()
        printed = timeless(said.err + said.out)
        for piece in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE):
            for line in filter(None, timeless(piece)):
                assert line in printed


@pytest.mark.slow
@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in TOOL["pages"]()])
def test_a_tutorial_prints_its_outputs(page, tmp_path, monkeypatch):
    """With the budget of the page, which takes up to some minutes."""
    if page.stem == "reinforcement-learning":
        pytest.skip("depends on the version of PyTorch")
    monkeypatch.chdir(tmp_path)
    plt.switch_backend("agg")
    text = page.read_text()
    written = TOOL["run_page"](text)
    plt.close("all")
    assert timeless(written) == timeless(text)
    for name in TOOL["pictures"](text):
        assert (tmp_path / name).stat().st_size > 1000, f"the page does not draw {name}"
