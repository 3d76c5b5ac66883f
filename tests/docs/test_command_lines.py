"""Command lines in pages and messages are accepted by the commands."""

import ast
import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.commands.main import COMMANDS as OF_AGENTS
from evolve.commands.main import COMMANDS as OF_EVOLVE
from evolve.training.config import Config
from evolve.training.config_files import to_toml
from nlhe_env.__main__ import COMMANDS as OF_CARDS
from nlhe_env.system.command_help import parse_command

ROOT = Path(__file__).parents[2]
COMMANDS: dict[str, Any] = {**OF_CARDS, **OF_AGENTS, **OF_EVOLVE}
FENCE = re.compile(r"^```(?!python)[a-z]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
IN_LINE = re.compile(r"`(nlhe [^`]+)`")
IN_TEXT = re.compile(r"(?<![\w/.-])nlhe ((?:[a-z]+)(?: [^\n;&|`\"()<>]+)?)")


def lines_of_page(text: str) -> Iterator[str]:
    """Commands in the blocks of a page, with continued lines joined, and in its sentences."""
    for block in FENCE.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            yield from re.findall(r"^(?:\$ )?(nlhe [^#|<>&;]+)", line)
    for line in IN_LINE.findall(FENCE.sub("", text)):
        yield " ".join(line.split())


def lines_of_source(file: Path) -> Iterator[str]:
    """Commands in the messages and docstrings of a module, with X for each inserted value."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "X" for part in node.values]
            text = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        for found in IN_TEXT.findall(text):
            if found.split()[0] in {name.split()[0] for name in COMMANDS}:
                yield "nlhe " + found


def all_lines() -> list[str]:
    """The commands in all pages and modules."""
    found: set[str] = set()
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        found.update(lines_of_page(page.read_text(encoding="utf-8")))
    for folder in ("nlhe_env", "agents", "evolve", "examples"):
        for file in (ROOT / folder).rglob("*.py"):
            found.update(lines_of_source(file))
    return sorted(found)


def problem(line: str) -> str:
    """What a command says against a line; empty if it takes it."""
    words = [word for word in shlex.split(line)[1:] if word not in ("...", "SLOW")]
    if " ".join(words) in {name[: len(" ".join(words))] for name in COMMANDS}:
        return ""  # a command or a group alone, in a sentence
    if re.search(r"--(fitness|optimizer|genomes|inputs) .*\.py:", line):
        return ""  # it needs its file: see test_extending
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            parse_command(COMMANDS, words, prog="nlhe", description="")
        return ""
    except SystemExit as end:
        wrong = said.getvalue() if end.code else ""
    except ValueError as error:
        wrong = str(error)
    # An option in a sentence, or before an inserted value, is known if only its value is missing.
    has_no_value = words[-1].startswith("--") and re.search("Missing value|expected one", wrong)
    return "" if has_no_value else wrong


@pytest.mark.slow
def test_commands_take_the_lines_of_pages_and_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("RUN", "X", "runs/one"):  # what the lines call a run
        run = tmp_path / folder
        run.mkdir(parents=True)
        (run / "config.toml").write_text(to_toml(Config()))
    lines = all_lines()
    assert len(lines) > 100
    assert problem("nlhe train --config mine.toml")
    known = {
        "--preset PRESET": "--preset quick",
        "--preset X": "--preset RUN/config.toml",
        "nlhe study X": "nlhe study",  # its options
        "--preset ocean --fitness bites": "--preset quick",  # of a package that a page describes
        "evaluate hands --by event": "evaluate hands HANDS --by event",  # in a sentence
        "--seed N": "--seed 1",
    }
    wrong = {}
    for line in lines:
        given = line
        for shown, value in known.items():
            given = given.replace(shown, value)
        if words := problem(given):
            wrong[line] = words
    assert wrong == {}
