"""Run the tutorials and write what they print and draw into the documentation.

A tutorial is a page of ``docs/tutorials``. Its ``python`` blocks run in order in one namespace, in
an empty folder:

- The first block sets the budget (``HANDS = 20_000``) and does nothing else. A comment below it,
  ``<!-- tests: HANDS = 400 -->``, gives the values with which the tests run the page.
- A block that prints is followed by a ``text`` block with its output, which is written here. After
  ``<!-- output not shown -->`` there is none.
- A picture that the page shows from ``docs/images/tutorials`` is saved by its code under the same
  name.

Usage: python docs/run_tutorials.py [PAGE ...] [--small]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shutil
import tempfile
import time
from pathlib import Path

DOCS = Path(__file__).parent
TUTORIALS = DOCS / "tutorials"
PICTURES = DOCS / "images" / "tutorials"

_BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```\n"
    r"(?P<silent>\s*<!-- output not shown -->\n)?"
    r"(?P<output>\s*^```text\n.*?^```\n)?",
    re.MULTILINE | re.DOTALL,
)
_SMALL = re.compile(r"^<!-- tests: (.*?) -->$", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r"!\[[^\]]*\]\(\.\./images/tutorials/([\w.-]+)\)")


def pages() -> list[Path]:
    """The tutorials: every page of the folder with code to run."""
    return [page for page in sorted(TUTORIALS.glob("*.md")) if _BLOCK.search(page.read_text())]


def find_page(name: str) -> Path:
    """The page of a tutorial by its name, ``evolve`` or ``evolve.md``, or by its path.

    Raises:
        ValueError: There is none; the message names those that there are.
    """
    for path in (Path(name), TUTORIALS / name, TUTORIALS / f"{name}.md"):
        if path.is_file():
            return path.resolve()
    known = ", ".join(page.stem for page in pages())
    raise ValueError(f"there is no tutorial {name!r}; there are {known}")


def pictures(text: str) -> list[str]:
    """The file names of the pictures that a page shows."""
    return _PICTURE.findall(text)


def run_page(text: str, *, small: bool = False) -> str:
    """Run a page in the working folder and return it with the outputs of this run.

    Args:
        text: The page.
        small: Whether to run with the budget of the tests.

    Raises:
        ValueError: The page does not say the budget of the tests, or it names a variable that is
            not in the first block.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}
    is_first = True

    def run(block: re.Match[str]) -> str:
        nonlocal is_first
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block["code"], "tutorial", "exec"), namespace)
        if is_first and small:
            namespace.update(_small_budget(text, namespace))
        is_first = False
        page = f"```python\n{block['code']}```\n" + (block["silent"] or "")
        lines = [line.rstrip() for line in printed.getvalue().rstrip().splitlines()]
        if block["silent"] or not lines:
            return page
        return page + "\n```text\n" + "\n".join(lines) + "\n```\n"

    return _BLOCK.sub(run, text)


def _small_budget(text: str, full: dict[str, object]) -> dict[str, object]:
    """The values of the comment below the first block."""
    comment = _SMALL.search(text)
    if comment is None:
        raise ValueError("the page has no comment <!-- tests: NAME = VALUE --> with a small budget")
    budget: dict[str, object] = {}
    exec(comment[1], {}, budget)
    unknown = sorted(set(budget) - set(full))
    if unknown:
        raise ValueError(f"the first block of the page does not set {', '.join(unknown)}")
    return budget


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="name or path; default: all")
    parser.add_argument("--small", action="store_true", help="try the small budget, write nothing")
    options = parser.parse_args()
    try:
        chosen = [find_page(name) for name in options.pages]
    except ValueError as error:
        parser.error(str(error))
    os.environ.setdefault("MPLBACKEND", "agg")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for page in chosen or pages():
        text = page.read_text()
        start = time.process_time(), time.perf_counter()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            written = run_page(text, small=options.small)
            for name in pictures(text):
                if not options.small:
                    shutil.copyfile(name, PICTURES / name)
        if not options.small:
            page.write_text(written)
        cpu, wall = time.process_time() - start[0], time.perf_counter() - start[1]
        print(f"{page.name}: {cpu:.1f} s of processor time, {wall:.1f} s")


if __name__ == "__main__":
    main()
