"""Sphinx builds the site from these pages: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

from nlhe_env import __version__

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "nlhe-env"
author = "the nlhe-env authors"
copyright = "2026, the nlhe-env authors"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "api_pages",
    "llms_txt",
    "notebooks",
    "whole_intervals",
]
exclude_patterns = ["_extensions", "_templates"]
templates_path = ["_templates"]

# Pages are Markdown that GitHub shows too, with its anchors of headings.
myst_heading_anchors = 4
smartquotes_action = "D"  # the dashes after the names of parameters, and nothing else

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

_ARRAYS = ("AnyArray", "Bool", "F32", "F64", "I8", "I32", "I64", "Records", "U8", "U16")
autodoc_type_aliases = {name: name for name in _ARRAYS} | {"npt.ArrayLike": "ArrayLike"}

# Every name in a signature must be documented, except those of other packages.
nitpick_ignore_regex = [
    (r"py:.*", r"(numpy|np|npt|gymnasium|pettingzoo|matplotlib)\..*"),
    (r"py:.*", r"(collections|concurrent|fractions|os|pathlib|sqlite3|types)\..*"),
    (r"py:.*", r".*\bPart|(.*\.)?(G|_Function)"),  # type variables
    (r"py:.*", r"(.*\.)?(\w+Record|Int|Float|Truth|Transitions|GameTree)"),  # types of kernels
    (r"py:.*", r"Straddle|AnteBy|Mode|Format"),  # choices that settings inherit from other modules
    (r"py:.*", r".*\.(GameRules|EventObserver|Register)"),  # described by who takes them
    (r"py:.*", r".*\.Annotated\[.*|.*OmitArgPrefixes.*|Fraction|Axes"),  # options; the library's
    (r"py:class", r".*\._ArgConfig|tyro\.MISSING_NONPROP|selection|evolve\.commands\..*"),
]

html_theme = "furo"
html_title = "nlhe-env"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/logo.svg"
html_logo = "_static/logo.svg"
pygments_dark_style = "github-dark"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6b4f", "color-brand-content": "#0b6b4f"},
    "dark_css_variables": {"color-brand-primary": "#5ccfa6", "color-brand-content": "#5ccfa6"},
}
