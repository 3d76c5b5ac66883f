"""Status of a run, from its files alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Stage = Literal["waiting", "running", "quiet", "finished", "unreadable"]
"""No generation yet; running; silent for longer than usual; finished; no configuration."""

_LEAST_PATIENCE_S = 30.0
_PATIENCE = 5.0
_RECENT = 20


@dataclass(frozen=True)
class Status:
    """Status of a run.

    Attributes:
        stage: See ``Stage``.
        generation: Number of finished generations.
        generations: Limit of generations; None if the run is limited by hands.
        hands: Training hands so far; None if the run is not limited by hands.
        most_hands: Limit of training hands; None if the run is limited by generations.
        share: Finished share of the run, 0 to 1.
        seconds_left: Seconds left at the speed of the last generations; None if unknown or
            finished.
        silent_s: Seconds since the last change of a file.
    """

    stage: Stage
    generation: int
    generations: int | None
    hands: int | None
    most_hands: int | None
    share: float
    seconds_left: float | None
    silent_s: float


def describe_status(
    config: Mapping[str, Any] | None,
    metrics: Sequence[Mapping[str, Any]],
    timings: Sequence[Mapping[str, Any]],
    *,
    silent_s: float,
) -> Status:
    """The status of a run.

    Args:
        config: Its configuration; None if that cannot be read.
        metrics: Its lines of metrics.
        timings: Its lines of timings.
        silent_s: Seconds since the last change of a file.
    """
    config_ = config or {}
    generation = len(metrics)
    generations = _limit(config_.get("generations"))
    most_hands = _limit(config_.get("hands"))
    hands = int(metrics[-1].get("hands") or 0) if metrics and most_hands else 0
    shares = [generation / generations if generations else 0.0]
    shares.append(hands / most_hands if most_hands else 0.0)
    share = min(1.0, max(shares))
    seconds = [float(line.get("seconds") or 0.0) for line in timings[-_RECENT:]]
    stage: Stage
    if config is None:
        stage = "unreadable"
    elif share >= 1.0:
        stage = "finished"
    elif silent_s > max(_LEAST_PATIENCE_S, _PATIENCE * max(seconds, default=0.0)):
        stage = "quiet"
    else:
        stage = "running" if generation else "waiting"
    left = None
    if stage == "running" and seconds:
        mean_seconds = float(np.mean(seconds))
        waits = [(generations - generation) * mean_seconds] if generations else []
        recent = hands - int(metrics[-1 - _RECENT].get("hands") or 0) if generation > _RECENT else 0
        per_generation = recent / _RECENT if recent > 0 else hands / generation
        if most_hands and per_generation > 0:
            # Whole generations are played, the last one too.
            waits.append(math.ceil((most_hands - hands) / per_generation) * mean_seconds)
        left = min(waits, default=None)
    return Status(
        stage=stage,
        generation=generation,
        generations=generations,
        hands=hands if most_hands else None,
        most_hands=most_hands,
        share=share,
        seconds_left=left,
        silent_s=silent_s,
    )


def _limit(value: Any) -> int | None:
    """A limit of a configuration: 0 stands for none."""
    return value if isinstance(value, int) and value > 0 else None
