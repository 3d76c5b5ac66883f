"""The site has a list of its pages, and their text, for language models."""

from pathlib import Path

from sphinx.application import Sphinx

EXTENSIONS = Path(__file__).parents[2] / "docs" / "_extensions"


def test_pages_are_listed_in_order_with_their_first_sentences(tmp_path: Path) -> None:
    source, built = tmp_path / "source", tmp_path / "built"
    source.mkdir()
    (source / "index.md").write_text(
        "# Game\n\n![Cards](cards.png)\n\nA game\nof *cards*. More of it.\n\n"
        "```{toctree}\nb\na\n```\n"
    )
    (source / "cards.png").touch()
    (source / "a.md").write_text("# Last\n\n## Part\n")
    (source / "b.md").write_text("# First\n\nWhat is it? Something.\n")
    (source / "conf.py").write_text(
        f"import sys\nsys.path.insert(0, {str(EXTENSIONS)!r})\n"
        "extensions = ['myst_parser', 'llms_txt']\nhtml_baseurl = 'https://host/'\n"
    )
    app = Sphinx(source, source, built, tmp_path / "trees", "html", status=None, warning=None)
    app.build()
    assert (built / "llms.txt").read_text() == (
        "# Game\n\n> A game of cards.\n\n"
        "- [Game](https://host/index.html): A game of cards.\n"
        "- [First](https://host/b.html): What is it?\n"
        "- [Last](https://host/a.html)\n"
    )
    full = (built / "llms-full.txt").read_text()
    assert full.index("<!-- https://host/b.html -->\n\n# First\n") < full.index("# Last")
