"""The published field of nine at duplicate tables, in many orders around the table.

Duplicate tables move everybody on by one seat, so that all keep their neighbours; the mean place
depends on who sits behind whom. Here every group of revolutions has an order of its own, and the
standard error is that between orders.

Usage: python tests/benchmarks/bench_player_field.py CHAMPION.npz [--orders 40] [--revolutions 250]
       [--topographies FOLDER]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import agents
from nlhe_env.equity import load_tables

STATIC = ("random", "raiser", "folder", "caller", "call-or-raise")
DYNAMIC = ("old-best", "old-scratch", "old-start")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("champion", type=Path, help="player file, as runs make it")
    parser.add_argument("--orders", type=int, default=40)
    parser.add_argument("--revolutions", type=int, default=250, help="of each order")
    parser.add_argument("--topographies", type=Path, help="folder with other evolved topographies")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    files = {"champion": str(options.champion)}
    if options.topographies:
        for name in ("old-best", "old-scratch"):
            files[name] = str(options.topographies / f"{name}.npz")
    names = ("champion", *STATIC, *DYNAMIC)
    players = [agents.make(files.get(name, name)) for name in names]
    tables = load_tables()
    rng = np.random.default_rng(options.seed)
    means = np.empty((options.orders, len(names)))
    for i in range(options.orders):
        order = rng.permutation(len(names))
        results = agents.play_revolutions(
            agents.pack([players[k] for k in order]),
            structure=agents.Structure(),
            seed=options.seed,
            first=i * options.revolutions,
            count=options.revolutions,
            tables=tables,
        )
        means[i, order] = results.places.mean(axis=0)

    errors = means.std(axis=0, ddof=1) / options.orders**0.5
    print(f"{options.orders} orders, {options.revolutions} revolutions each")
    for k in np.argsort(means.mean(axis=0)):
        print(f"{names[k]:>14} {means[:, k].mean():.3f} +- {errors[k]:.3f}")
    gap = means[:, names.index("old-best")] - means[:, names.index("old-scratch")]
    print(
        f"old-best minus old-scratch {gap.mean():+.3f} +- {gap.std(ddof=1) / len(gap) ** 0.5:.3f}"
    )


if __name__ == "__main__":
    main()
