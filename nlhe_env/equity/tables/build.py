"""Builds the exact strength tables on all cores, in parts that can be stored.

``build_river`` and ``build_flop`` compute the numbers. A part is a range of rows filled by one
thread; the result does not depend on the number of threads or on the stored parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from nlhe_env.equity.tables.build_flop import (
    FlopCells,
    FlopClasses,
    RiverCells,
    fill_flops,
    preflop_averages,
)
from nlhe_env.equity.tables.build_river import fill_river_rows, river_boards, row_starts
from nlhe_env.equity.tables.cells import binomials, set_numbers
from nlhe_env.equity.tables.lookup import N_OTHER_HOLDINGS, StrengthTables
from nlhe_env.equity.tables.parts import PartsFolder
from nlhe_env.equity.tables.suits import (
    MAX_OPPONENTS,
    N_PREFLOP,
    FlopNumbering,
    hole_pairs,
    number_flops,
)
from nlhe_env.jit.array_types import F64, AnyArray
from nlhe_env.system.cores import n_cores
from nlhe_env.system.threads import Threads

N_RIVER_PARTS = 32
N_FLOP_PARTS = 96
_RIVER_SHARE = 0.15
"""Approximate share of the river in the work."""

Progress = Callable[[float], None]
"""Callback with the finished share of the work, 0 to 1."""


def win_powers() -> F64:
    """``(10, 991)``: probability ``(k / 990) ** n`` against n opponents if k holdings do not win.

    Repeated multiplication, because the last bit of ``pow`` depends on the C library.
    """
    powers = np.ones((MAX_OPPONENTS + 1, N_OTHER_HOLDINGS + 1))
    for n in range(1, MAX_OPPONENTS + 1):
        powers[n] = powers[n - 1] * (np.arange(N_OTHER_HOLDINGS + 1) / N_OTHER_HOLDINGS)
    return powers


def fill_tables(
    tables: StrengthTables, parts: PartsFolder, *, n_threads: int | None, progress: Progress
) -> None:
    """Fill all tables of a record, except version and checksums.

    Args:
        tables: A record of dtype ``TABLES``.
        parts: Store of finished parts, also from an earlier, interrupted call.
        n_threads: Number of threads; default: one per core.
        progress: Callback for the progress.
    """
    numbering = number_flops()
    tables["flops"] = numbering.flops
    tables["hole_columns"] = numbering.hole_columns
    tables["set_numbers"] = set_numbers()
    tables["binomials"] = binomials()
    tables["powers"] = win_powers()
    # After an interrupt, running parts are finished and stored, and no others are started.
    with Threads(n_threads or n_cores()) as threads:
        _fill_river(tables, parts, threads, lambda done: progress(_RIVER_SHARE * done))
        totals = _fill_flops(
            numbering,
            tables,
            parts,
            threads,
            lambda done: progress(_RIVER_SHARE + (1 - _RIVER_SHARE) * done),
        )
    tables["preflop"], tables["preflop_shares"] = preflop_averages(totals)


def _fill_river(
    tables: StrengthTables, parts: PartsFolder, threads: Threads, progress: Progress
) -> None:
    boards = river_boards()
    starts = row_starts(boards)
    river, beaten = tables["river"], tables["river_beaten"]
    tasks: list[Callable[[], None]] = []
    for i, first, last in _chunks(len(boards), N_RIVER_PARTS):
        cells = slice(starts[first], starts[last])
        tasks.append(
            partial(
                _fill_part,
                parts,
                f"river-{i}",
                {"river": river[cells], "beaten": beaten[cells]},
                fill_river_rows,
                (boards, starts, first, last, river, beaten),
            )
        )
    _run(tasks, threads, progress)


def _fill_flops(
    numbering: FlopNumbering,
    tables: StrengthTables,
    parts: PartsFolder,
    threads: Threads,
    progress: Progress,
) -> F64:
    """Fill the flop tables; returns the sums for each preflop class (``fill_flops``)."""
    first_cells = numbering.first_cells()
    classes = FlopClasses(numbering.models, numbering.sizes, numbering.hole_columns, first_cells)
    river_cells = RiverCells(
        tables["river"], tables["river_beaten"], tables["set_numbers"], tables["binomials"]
    )
    totals = np.empty((N_FLOP_PARTS, 2, N_PREFLOP, MAX_OPPONENTS))
    tasks: list[Callable[[], None]] = []
    for i, first, last in _chunks(len(numbering.models), N_FLOP_PARTS):
        part = slice(first_cells[first], first_cells[last])
        cells = FlopCells(tables["flop"][part], tables["flop_shares"][part], totals[i])
        tasks.append(
            partial(
                _fill_part,
                parts,
                f"flop-{i}",
                cells._asdict(),
                fill_flops,
                (classes, hole_pairs(), first, last, river_cells, cells),
            )
        )
    _run(tasks, threads, progress)
    sums: F64 = totals.sum(axis=0)
    return sums


def _fill_part(
    parts: PartsFolder,
    name: str,
    arrays: Mapping[str, AnyArray],
    fill: Callable[..., None],
    arguments: tuple[object, ...],
) -> None:
    """Fill the arrays of a part, unless stored."""
    if not parts.read(name, arrays):
        fill(*arguments)
        parts.write(name, arrays)


def _chunks(n: int, n_chunks: int) -> Iterator[tuple[int, int, int]]:
    """Number, first and last + 1 of ranges that cover 0 to n."""
    for i in range(n_chunks):
        yield i, n * i // n_chunks, n * (i + 1) // n_chunks


def _run(tasks: list[Callable[[], None]], threads: Threads, progress: Progress) -> None:
    for n_done, _ in enumerate(threads.map(lambda task: task(), tasks), 1):
        progress(n_done / len(tasks))
