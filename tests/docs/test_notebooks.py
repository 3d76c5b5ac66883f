"""The notebooks run, with a small budget, and hold the outputs and pictures of a full run."""

import json
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PAGES = EXAMPLES.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
LARGEST = 1_000_000  # bytes


def code_cells(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def tagged(path, tag):
    return [cell for cell in code_cells(path) if tag in cell["metadata"].get("tags", [])]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_begins_with_its_installation(path):
    (install,) = tagged(path, "install")
    assert install == code_cells(path)[0]
    assert "".join(install["source"]) == "%pip install --quiet 'nlhe-env[plot,render]'"
    assert len(tagged(path, "budget")) == 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_holds_outputs_and_pictures(path):
    assert path.stat().st_size < LARGEST
    outputs = [output for cell in code_cells(path) for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert any(output["output_type"] == "stream" for output in outputs)
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert kinds & {"image/png", "text/html"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_has_a_page_of_the_site(path):
    page = (PAGES / f"{path.stem.replace('_', '-')}.md").read_text(encoding="utf-8")
    assert f"```{{notebook}} ../../examples/{path.name}\n" in page
    title = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"])
    assert page.partition("\n")[0].lower() == title.partition("\n")[0].lower().replace(
        "# ", "# notebook: "
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_page_shows_cells_and_outputs_in_order(path):
    parts = runpy.run_path(str(PAGES.parent / "_extensions" / "notebooks.py"))["parts"]
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    shown = "\n\n".join(part for cell in cells for part in parts(cell))
    assert "%pip" not in shown
    assert not shown.startswith("# ")
    for cell in cells[2:]:
        source = "".join(cell["source"])
        assert source in shown
        for output in cell.get("outputs", ()):
            told = "".join(output.get("text", output.get("data", {}).get("image/png", "")))
            assert told.strip().replace("\n", "") in shown.replace("\n", "")
    pictures = sum(
        "image/png" in output.get("data", {})
        for cell in cells
        for output in cell.get("outputs", ())
    )
    assert shown.count("](data:image/png;base64,") == pictures


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    pytest.importorskip("nbclient", reason="nbclient is not installed: pip install '.[dev]'")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed: pip install '.[dev]'")
    pytest.importorskip("pygame", reason="pygame-ce is not installed: pip install '.[render]'")
    script = runpy.run_path(str(EXAMPLES.parent / "docs" / "run_notebooks.py"))
    done = script["run_notebook"](path, tmp_path, small=True)
    stored = [cell["source"] for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]
    assert [cell.source for cell in done.cells] == ["".join(source) for source in stored]
