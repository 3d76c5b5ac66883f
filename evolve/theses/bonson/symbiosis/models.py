"""Models of diversity, which decide the selection of teams.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), sections 4.3 and 5.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Measure = Literal["ncd", "hamming", "genotypic", "novelty", "euclidean", "entropy", "sharing"]
Compressor = Literal["bz2", "zlib"]


@dataclass(frozen=True)
class Model:
    """Settings of the selection of survivors.

    Attributes:
        measures: Diversity measures, used in turn in successive generations; empty for fitness
            alone.
        by_fitness: Whether fitness counts too.
        new_bids: Whether children mutate until their actions on a sample of inputs are unique.
    """

    measures: tuple[Measure, ...] = ()
    by_fitness: bool = True
    new_bids: bool = False


MODELS = {
    "no_div": Model(),
    "bid": Model(new_bids=True),
    "nov": Model(("novelty",)),
    "only_nov": Model(("novelty",), by_fitness=False),
    "ncd": Model(("ncd",)),
    "ncd_gen": Model(("ncd", "genotypic")),
    "ham": Model(("hamming",)),
    "ham_gen": Model(("hamming", "genotypic")),
    "gen": Model(("genotypic",)),
    "bid_ncd_gen": Model(("ncd", "genotypic"), new_bids=True),
    "euclidean": Model(("euclidean",)),
    "entropy": Model(("entropy",)),
    "sharing": Model(("sharing",)),
}
"""The nine models compared in the thesis, one more of its second group, and three with measures of
the published code."""

GROUPS: dict[str, tuple[str, ...]] = {
    "opponents": ("ncd_gen", "ncd_gen+B"),
    "degrees": ("no_div", "bid", "ncd_gen", "bid_ncd_gen"),
    "models": tuple(MODELS)[:9],
}
"""The models of the three groups of experiments; ``+B`` trains against Bayesian opponents too."""
