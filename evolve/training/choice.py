"""The choice among lineages: which of several players of one run is the one to use.

Champions of a run have nothing to be measured by but each other. Among themselves alone the wildest
comes first; so they meet at tables where the opponents of training have seats too, in self-play
networks that have learned nothing. All tables of a round have the same cards, and every champion
has every seat once. A lineage that enters next to no hands is passed over: who folds everything
comes in well among the wild, and has nothing to learn from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import agents
from evolve import seeds
from evolve.training.block_schedule import score_per_block
from evolve.training.config import Config
from evolve.training.schedules import Generation
from evolve.training.state import State
from evolve.training.table_schedule import TableSchedule
from evolve.workers import Workers


@dataclass(frozen=True)
class Choice:
    """The results of the champions of all lineages.

    Attributes:
        generation: After which.
        lineage: Index of the one that is chosen.
        scores: Of all: mean places, or big blinds won in 100 hands.
        errors: Their standard errors, without what all who had the same cards share.
        vpip: Share of hands that each entered.
        hands: Played for the choice, which are no part of training.
    """

    generation: int
    lineage: int
    scores: tuple[float, ...]
    errors: tuple[float, ...]
    vpip: tuple[float, ...]
    hands: int

    def as_dict(self) -> dict[str, Any]:
        """The values by name, for JSON."""
        return asdict(self)


def choose_lineage(
    state: State,
    config: Config,
    *,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
) -> Choice | None:
    """Lets the players of all lineages meet, and says which did best.

    Args:
        state: After some generation; it is left as it is.
        config: Of a run with several lineages.
        workers: Who plays; their number does not change the result.
        on_progress: Called with numbers of finished games.

    Returns:
        None where nobody else is there to fill the table.
    """
    players = [state.present(i) for i in range(len(state.champions))]
    champions, game = type(players[0]).join(*players), config.make_game()
    opponents = state.opponents.meet(champions, state.optimizer, state.generation + 1)
    if opponents is None:
        return None
    own = 1
    if isinstance(config.schedule, TableSchedule):
        own = min(len(champions), game.table_size - config.schedule.seats_for_opponents)
    meeting = TableSchedule(
        rounds=config.choice.choice_rounds, seats_for_opponents=game.table_size - own
    )
    generation = Generation(
        number=state.generation,
        seed=seeds.stream_seed(config.seed, seeds.CHOICE),
        game=game,
        candidates=champions,
        optimizer=state.optimizer,
        opponents=opponents,
        halls=(),
        counts_wins=False,
        fitness=config.fitness,
        workers=workers,
        door=agents.play,
        on_progress=on_progress,
    )
    tables = meeting.play(generation, [slice(0, len(champions))])
    means, errors = tables.means(len(champions))
    counts = tables.tally.style_counts[: len(champions)]
    vpip = [agents.Style.of(one).voluntarily_in_pot or 0.0 for one in counts]
    per_block = score_per_block(game)
    return Choice(
        generation=state.generation,
        lineage=best_of(means.tolist(), vpip, least_vpip=config.choice.choice_least_vpip),
        scores=tuple(float(game.sign * mean * per_block) for mean in means),
        errors=tuple(float(error * per_block) for error in errors),
        vpip=tuple(vpip),
        hands=tables.tally.hands,
    )


def best_of(means: list[float], vpip: list[float], *, least_vpip: float) -> int:
    """The index of the largest mean among those who enter hands, or among all if none does.

    >>> best_of([3.0, 5.0, 4.0], [0.2, 0.0, 0.1], least_vpip=0.05)
    2
    >>> best_of([3.0, 5.0], [0.0, 0.0], least_vpip=0.05)
    1
    """
    allowed = [i for i, entered in enumerate(vpip) if entered >= least_vpip] or range(len(means))
    return max(allowed, key=lambda i: means[i])
