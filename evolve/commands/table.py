"""``nlhe evaluate table``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from agents.commands.common import usage_errors
from evolve.commands.report import Reporter, show_rankings
from evolve.evaluation.rankings import rank_table


@dataclass(frozen=True, kw_only=True)
class EvaluateTable:
    """Add intervals to a published table of results, by an assumed standard deviation of a hand."""

    table: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE.csv")]
    """CSV file with the columns name, bb_per_100 and hands, one line per player; a column
    standard_error with the published errors replaces --sd."""

    sd: Annotated[float, tyro.conf.arg(metavar="BB")] = 9.0
    """Standard deviation of a hand in big blinds: 9 for people at six to nine seats, 4 to 15 for
    language models; default: 9."""

    table_size: Annotated[int | None, tyro.conf.arg(metavar="SEATS")] = None
    """Seats of the tables at which the players met; default: they did not meet each other."""

    def run(self, reporter: Reporter) -> None:
        """Prints the ranking."""
        with usage_errors():
            ranking = rank_table(self.table, sd=self.sd, table_size=self.table_size)
        show_rankings({"bb/100": ranking}, reporter, unit="big blinds in 100 hands", games="hands")
