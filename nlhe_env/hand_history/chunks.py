"""Splitting of files of hands into hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nlhe_env.hand_history.errors import HandHistoryError

_MOST_LINES = 5_000  # of one hand


def chunks(
    numbered: Iterable[tuple[int, str]], starts: Callable[[str], bool]
) -> Iterator[tuple[int, list[str]] | HandHistoryError]:
    """The lines of each hand, with the number of the first; an error for a hand of far too many.

    Args:
        numbered: Lines and their numbers.
        starts: Whether a line begins a hand.
    """
    first_line = 1
    chunk: list[str] = []
    too_long = False
    for number, line in numbered:
        if starts(line):
            if chunk and not too_long:
                yield first_line, chunk
            first_line, chunk, too_long = number, [], False
        if too_long:
            continue
        chunk.append(line)
        if len(chunk) > _MOST_LINES:
            yield HandHistoryError(first_line, f"a hand has at most {_MOST_LINES} lines")
            too_long = True
    if chunk and not too_long:
        yield first_line, chunk
