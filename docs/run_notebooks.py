"""Run the notebooks of ``examples`` and store their outputs and pictures in them.

The cell tagged ``install`` is left out: it is for a hosted notebook. The cell tagged ``budget``
sets the size of the work; the notebook's metadata have, under ``tests``, the code that the tests
run instead of it.

Usage: python docs/run_notebooks.py [NOTEBOOK ...]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[1] / "examples"


def notebooks() -> list[Path]:
    """All notebooks."""
    return sorted(EXAMPLES.glob("*.ipynb"))


def run_notebook(path: Path, folder: Path, *, small: bool = False) -> Any:
    """The notebook with the outputs of this run.

    Args:
        path: The notebook; its file is left as it is.
        folder: Working folder of its code.
        small: Whether to run with the budget of the tests.

    Raises:
        nbclient.exceptions.CellExecutionError: A cell fails.
    """
    notebook = nbformat.read(path, as_version=4)
    stored = {cell.id: cell.source for cell in notebook.cells}
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if "install" in tags:
            cell.source = ""
        if "budget" in tags and small:
            cell.source = notebook.metadata["tests"]
    client = NotebookClient(
        notebook, timeout=None, resources={"metadata": {"path": str(folder)}}, record_timing=False
    )
    client.execute()
    for cell in notebook.cells:
        cell.source = stored[cell.id]
    # The version of the machine that ran it says nothing to readers.
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def main() -> None:
    """Runs the notebooks that are named, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    for path in parser.parse_args().notebooks or notebooks():
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(run_notebook(path, Path(folder)), path)
        print(path)


if __name__ == "__main__":
    main()
