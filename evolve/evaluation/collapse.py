"""Detection of collapsed players, which take the same action in nearly every hand.

Training results alone may not show a collapse. Training rarely recovers from it, because most
mutants play and score alike, so selection has no effect.
"""

from __future__ import annotations

from agents.match.style import Style

HARDLY_EVER = 0.01
"""Share of hands or decisions below which an action counts as never taken."""
NEARLY_ALWAYS = 0.9
"""Share of hands above which a player counts as raising all of them. In the rest even such a player
cannot raise, because the others are all-in or it has too few chips."""


def collapse_of(style: Style) -> str:
    """Sentence about the behaviour of a collapsed player; empty for other players.

    Args:
        style: Style of the player, from some hundred hands or more.

    >>> nan = float("nan")
    >>> collapse_of(Style(1.0, 0.977, 0.93, 0.0, 0.97, 3.2))
    'raises before the flop in 98% of hands and hardly ever folds to a raise'
    >>> collapse_of(Style(0.001, 0.0, nan, 1.0, nan, nan))
    'folds nearly everything: it enters 0.1% of hands'
    >>> collapse_of(Style(0.85, 0.8, 0.7, 0.1, 0.5, 0.6))
    ''
    """
    if style.voluntarily_in_pot <= HARDLY_EVER:
        return f"folds nearly everything: it enters {style.voluntarily_in_pot:.1%} of hands"
    # A statistic without opportunities is nan, which compares as False.
    if style.fold_to_raise > HARDLY_EVER:
        return ""
    if style.preflop_raise >= NEARLY_ALWAYS:
        raised = f"{style.preflop_raise:.0%}"
        return f"raises before the flop in {raised} of hands and hardly ever folds to a raise"
    if style.preflop_raise <= HARDLY_EVER and not style.aggression > HARDLY_EVER:
        return "calls everything: it hardly ever raises, or folds to a raise"
    return ""


def warning(style: Style) -> str:
    """Warning about a run with a collapsed champion; empty for other runs.

    Args:
        style: Style of the champion, see ``collapse_of``.
    """
    does = collapse_of(style)
    if not does:
        return ""
    return (
        f"Warning: training has collapsed. The champion {does}. Most mutants of such a player play "
        "alike and win alike, so more generations hardly change it. Train again with another seed, "
        "with more lineages, or against other opponents."
    )
