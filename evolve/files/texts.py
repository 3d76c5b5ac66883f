"""Words for messages."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def nearest(word: str, words: Sequence[str]) -> str:
    """What was meant by a word, or what there is, to stand behind a message.

    >>> nearest("quik", ["quick", "small"])
    "; did you mean 'quick'?"
    """
    near = difflib.get_close_matches(word, words, n=1)
    return f"; did you mean {near[0]!r}?" if near else f" (there are: {', '.join(words)})"
