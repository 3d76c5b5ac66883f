"""What Loki and Poki tell of a decision: the weight table of each opponent, and their habits."""

from __future__ import annotations

import numpy as np

from agents.compiled.consulting import options_of
from agents.compiled.minds import Asked, Estimate, Mind
from agents.compiled.players import CompiledPlayer
from agents.compiled.poki.records import MEMORY, N_CONTEXTS, N_MEMORY
from nlhe_env.game.table import ACTIVE, ALL_IN, EMPTY

_FACING = ("no bet", "a bet", "more than a bet")
_DEEDS = ("folds", "checks or calls", "bets or raises")


def tell(player: CompiledPlayer, asked: Asked) -> Mind:
    """See ``agents.compiled.minds``."""
    memory, table = asked.memory[:N_MEMORY].view(MEMORY)[0], asked.tables[0]
    others = [seat for seat in range(int(table["seats"])) if seat != asked.seat]
    options = options_of(player, table, asked.work.choices[0])
    return Mind(
        tuple(option.words for option in options),
        np.array([option.chance for option in options]),
        ranges={
            seat: memory["weights"][seat].copy()
            for seat in others
            if table["status"][seat] in (ACTIVE, ALL_IN)
        },
        learnt={
            seat: _habits(memory["counts"][seat])
            for seat in others
            if table["status"][seat] != EMPTY
        },
    )


def _habits(counts: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> tuple[Estimate, ...]:
    """What a player does facing nothing, a bet and more, over all streets."""
    by_facing = counts.reshape(N_CONTEXTS // len(_FACING), len(_FACING), len(_DEEDS)).sum(axis=0)
    found = [Estimate("Decisions that it remembers", round(float(counts.sum())))]
    for facing, deeds in zip(_FACING, by_facing, strict=True):
        total = float(deeds.sum())
        for deed, count in zip(_DEEDS, deeds, strict=True):
            if total > 0.0 and (facing != _FACING[0] or deed != _DEEDS[0]):
                found.append(Estimate(f"Facing {facing}, {deed}", float(count) / total, "share"))
    return tuple(found)
