"""The bench's ratings of a run's champions over training hands: its learning curve.

Anchors and cards of the bench never occur in training, so unlike results of champions against each
other, a rise is progress outside the run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import agents
from agents.measure.figures import BLUE, new_figure, save_figure
from agents.statistics.estimates import Z95
from evolve import seeds
from evolve.evaluation.progress import spread_generations
from evolve.files import safe as files
from evolve.training.folder import RunFolder


@dataclass(frozen=True)
class RatedChampion:
    """Rating and style of a champion on a suite of the bench.

    Attributes:
        generation: Its generation.
        hands: Training hands so far.
        rating: Rating; the random anchor has 0 and the strongest anchor 100.
        error: Standard error of the rating.
        vpip: Share of hands with chips put in voluntarily before the flop.
        pfr: Share of hands with a raise before the flop.
    """

    generation: int
    hands: int
    rating: float
    error: float
    vpip: float
    pfr: float


def rate_champions(
    folder: RunFolder,
    suite: str,
    *,
    most: int,
    hands: int,
    on_champion: Callable[[RatedChampion], None] | None = None,
) -> tuple[list[RatedChampion], agents.Scorecard]:
    """Rate kept champions of a run; of lineages, those of the selected one.

    Args:
        folder: The run.
        suite: Suite of the bench, such as ``"heads-up"``.
        most: Maximum number of champions, evenly spread over the generations.
        hands: Hands against each anchor, the same cards for all champions.
        on_champion: Called with each result.

    Returns:
        The ratings, and the scorecard of the last champion.

    Raises:
        ValueError: The run has several sub-populations or no champion, the suite does not exist or
            the champions cannot play it, or the hands are too few for a rating.
    """
    if folder.sub_populations > 1:
        raise ValueError("ratings need a run with one sub-population or with lineages")
    kept, champions = folder.generations(), folder.champions()
    played = {0: 0} | {line["generation"]: line["hands"] for line in folder.metrics()}
    seed = bench_seed(folder)
    found = []
    for i in spread_generations(len(kept), most) - 1:
        player = champions.player(int(i), name=f"generation-{kept[i]}")
        card = agents.bench(player, [suite], hands=hands, seed=seed, bound=False)
        result = card.suites[suite]
        if result.rating is None or result.rating_error is None:
            raise ValueError(f"hands must be enough for a rating; got {hands}")
        style = result.style
        found.append(
            RatedChampion(
                generation=int(kept[i]),
                hands=played[int(kept[i])],
                rating=result.rating,
                error=result.rating_error,
                vpip=style["voluntarily_in_pot"],
                pfr=style["preflop_raise"],
            )
        )
        if on_champion:
            on_champion(found[-1])
    return found, card


def bench_seed(folder: RunFolder) -> int:
    """Seed of the bench's cards for a run."""
    rng = seeds.generator(folder.load_config().seed, seeds.SEARCH_TEST, 2)
    return int(rng.integers(2**53))


def save_ratings(ratings: Sequence[RatedChampion], suite: str, path: Path) -> Path:
    """Write ratings as JSON."""
    files.write_json(path, {"suite": suite, "ratings": [asdict(one) for one in ratings]})
    return path


def draw_ratings(ratings: Sequence[RatedChampion], path: Path, *, title: str) -> Path:
    """Draw ratings with 95% intervals, and the style, over training hands.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    figure = new_figure(7.5, 5.5)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    hands = np.array([one.hands for one in ratings]) / 1e6
    above.errorbar(
        hands,
        [one.rating for one in ratings],
        yerr=[Z95 * one.error for one in ratings],
        fmt="o-",
        color=BLUE,
        capsize=2,
    )
    above.set_ylabel("rating (bars: 95% interval)")
    above.grid(alpha=0.3)
    for label, shares, look in (
        ("VPIP", [one.vpip for one in ratings], "o-"),
        ("PFR", [one.pfr for one in ratings], "s--"),
    ):
        below.plot(hands, 100 * np.array(shares), look, markersize=4, label=label)
    below.set(xlabel="training hands, millions", ylabel="% of hands", ylim=(0, 100))
    below.legend(fontsize=8)
    figure.suptitle(title, fontsize=10)
    return save_figure(figure, path)
