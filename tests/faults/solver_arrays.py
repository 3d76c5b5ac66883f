"""Arrays that are no strategies, given to public functions of the solvers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from children import can_fork, in_child

from agents.solvers import Solution, kuhn, leduc, no_limit_leduc, small_game_aivat, state_values

ANSWERS = (ValueError, TypeError)


def wrong_arrays(good: np.ndarray) -> dict[str, Any]:
    """Values in the place of a strategy, all of them wrong."""
    half, nan, endless, negative, twice = (good.astype(float) for _ in range(5))
    half *= 0.5
    nan[0, 0] = np.nan
    endless[0, 0] = np.inf
    negative[:1] -= 2
    twice[-1] += 1
    return {
        "nothing": None,
        "a number": 0.5,
        "a text": "uniform",
        "no rows": good[:0],
        "a row less": good[:-1],
        "a row more": np.concatenate([good, good[:1]]),
        "a column less": good[:, :-1],
        "a column more": np.concatenate([good, good[:, :1]], axis=1),
        "no columns": good[:, :0],
        "turned": np.ascontiguousarray(good.T),
        "flat": good.ravel(),
        "three axes": good[np.newaxis],
        "NaN": nan,
        "infinity": endless,
        "negative chances": negative,
        "sums of a half": half,
        "a chance above 1": twice,
        "complex": good + 1j,
        "objects": np.full(good.shape, None),
        "texts": good.astype(str),
        "a list of unequal rows": [[0.5], [0.5, 0.5]],
    }


def strategies(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Refused by ValueError or TypeError; no number is returned, and no process dies."""
    if not can_fork():
        return
    for name, game in (
        ("kuhn", kuhn()),
        ("leduc", leduc()),
        ("no_limit_leduc", no_limit_leduc(20, 1)),
    ):
        good = game.uniform()
        functions: dict[str, Callable[[Any], Any]] = {
            "value": game.value,
            "exploitability": game.exploitability,
            "best_response": lambda given, game=game: game.best_response(given, 1),
            "Solution.exploitability": lambda given, game=game: (
                Solution(game, given, 1).exploitability
            ),
            "Solution.value": lambda given, game=game: Solution(game, given, 1).value,
            "state_values": lambda given, game=game: state_values(game, given),
            "small_luck": lambda given, game=game: small_game_aivat(game, given),
        }
        for function, ask in functions.items():
            ask(good)  # compiled code is loaded, and what is right is taken
            for what, given in wrong_arrays(good).items():
                yield f"{name} {function}: {what}", in_child(lambda a=ask, g=given: _asked(a, g))
        for what, player in {"2": 2, "-1": -1, "None": None, "0.5": 0.5, "a text": "0"}.items():
            ask = lambda given, game=game, good=good: game.best_response(good, given)  # noqa: E731
            yield f"{name} player {what}", in_child(lambda a=ask, g=player: _asked(a, g))


def _asked(ask: Callable[[Any], Any], given: Any) -> str:
    try:
        found = ask(given)
    except ANSWERS as error:
        return "" if len(str(error)) < 500 else "a message of more than 500 letters"
    return f"the answer is {str(found)[:60]}"
