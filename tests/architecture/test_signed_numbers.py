"""A result that rounds to nothing has no sign: ``+0.00`` or ``0.00``, never ``-0.00``."""

import re

import pytest
from package_layout import PACKAGES, ROOT

WITH_ITS_SIGN = re.compile(r"\{[^{}\n]*:\+[0-9,]*\.[^{}\n]*[f%]\}|\{[^{}\n]*\{sign\}\.")
"""Formats of numbers with their sign, but without the ``z`` that Python has for this."""


@pytest.mark.parametrize("folder", [*PACKAGES, "examples"])
def test_formats_with_a_sign_have_none_for_zero(folder):
    found = {
        str(path.relative_to(ROOT)): formats
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (formats := WITH_ITS_SIGN.findall(path.read_text(encoding="utf-8")))
    }
    assert found == {}
