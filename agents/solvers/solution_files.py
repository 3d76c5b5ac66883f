"""Solutions on disk: one ``.npz`` file with the subgame and the strategies, without pickle.

``about`` is JSON: ``format``, ``iterations`` and the arguments of ``Subgame`` but for the ranges,
with the share and the cap of the rake.
``combos_0``, ``weights_0``, ``combos_1`` and ``weights_1`` are the ranges, as ``nlhe_env.Range``
has them, and ``strategy`` is ``(rows, hands)`` float32, as ``PublicGame`` says: a row for each
action of each decision in the order of the tree, a column for each hand of
``Subgame.hands(player)``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from agents.solvers.solution import Solution
from agents.solvers.subgames import Subgame
from nlhe_env.arguments import whole_number
from nlhe_env.equity.calculator.ranges import Range
from nlhe_env.game.rake import Rake
from nlhe_env.system.files import load_npz, replacing
from nlhe_env.system.json_text import Types, check_fields, parse_fields

_FORMAT = "nlhe-env solution 1"
_FIELDS: dict[str, Types] = {
    "board": str,
    "pot": int,
    "stack": (int, list),
    "bets": str,
    "raises": (str, type(None)),
    "big_blind": int,
    "betting": str,
    "max_bets": int,
    "line": list,
}


def save_solution(path: str | Path, spot: Subgame, solution: Solution) -> None:
    """Write a solution to a file, in one step: the file is whole or is not there.

    Args:
        path: Ends with ``.npz``.
        spot: Subgame that was solved.
        solution: Its solution.

    Raises:
        ValueError: The path ends otherwise, or the solution is none of the subgame.
    """
    target = Path(path)
    if target.suffix.lower() != ".npz":
        raise ValueError(f"a solution file must end with .npz; got {str(path)!r}")
    hands = [len(spot.hands(player)) for player in range(2)]
    if solution.game.cards.n_hands.tolist() != hands or solution.game.tree.rows != _rows(spot):
        raise ValueError("the solution must be for this subgame; it has different hands or actions")
    about = {"format": _FORMAT, "iterations": solution.iterations}
    about |= {name: getattr(spot, name) for name in _FIELDS}
    about["rake"] = None if spot.rake is None else [spot.rake.share, spot.rake.cap]
    ranges = {}
    for player, given in enumerate(spot.ranges):
        held = given if isinstance(given, Range) else Range.parse(given)
        ranges[f"combos_{player}"], ranges[f"weights_{player}"] = held.combos, held.weights
    with replacing(target, through=True) as file:
        np.savez_compressed(
            file,
            allow_pickle=False,
            about=np.array(json.dumps(about)),
            strategy=solution.strategy.astype(np.float32),
            **ranges,
        )


def load_solution(path: str | Path) -> tuple[Subgame, Solution]:
    """Read a solution that ``save_solution`` wrote.

    Returns:
        The subgame, its tree grown again, and the solution.

    Raises:
        ValueError: The file is not there, or no solution of this format.
    """
    try:
        file = load_npz(Path(path))
        about = parse_fields(str(file["about"]), {"format": str})
        if about["format"] != _FORMAT:
            raise ValueError(f"it is of format {about['format']!r}, not {_FORMAT!r}")
        check_fields(about, {**_FIELDS, "iterations": int, "rake": (list, type(None))})
        # JSON has lists where a subgame has tuples.
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value := about[name], list) else value
            for name in _FIELDS
        }
        rake = None
        if about["rake"] is not None:
            share, cap = about["rake"]
            rake = Rake(share=share, cap=cap)
        iterations = whole_number("iterations", about["iterations"], least=0)
        spot = Subgame(ranges=(_range(file, 0), _range(file, 1)), rake=rake, **given)
        # Before the tree is grown, which may take half of the memory.
        if file["strategy"].shape[:1] != (_rows(spot),):
            raise ValueError("the strategy is none of its subgame")
        return spot, Solution(spot.game(), file["strategy"], iterations)
    except FileNotFoundError:
        raise ValueError(f"there is no solution file {str(path)!r}") from None
    except (OSError, KeyError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is not a solution file, or is damaged: {error}") from None


def _range(file: dict[str, Any], player: int) -> Range:
    return Range(file[f"combos_{player}"], file[f"weights_{player}"])


def _rows(spot: Subgame) -> int:
    """Rows of strategies, from the size of the tree."""
    return spot.size().actions
