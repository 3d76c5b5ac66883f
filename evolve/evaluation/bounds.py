"""How much can be won of a player: lower bounds by play, in thousandths of a big blind a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import agents
from agents.bounds import LocalBestResponse, Menu
from evolve.evaluation.statistics import CONFIDENCE, t_interval
from evolve.workers import Play, Workers, play_all
from nlhe_env import Game
from nlhe_env.arguments import whole_number

WAITING = ("preflop", "flop")
ALL_HANDS = 1326
_FIRST_TRIAL = 50
"""Hands of every player, in pairs, in the first round of a selection."""
USUAL_MENUS = (
    Menu.of("fold-call"),
    Menu.of("fcpa"),
    Menu.of("fcpa", WAITING),
    Menu.of("56-bets", WAITING),
)
"""Of no-limit. In fixed-limit there is one raise, and the last does the same as the one before."""


@dataclass(frozen=True)
class Bound:
    """What somebody won of a player in duplicate blocks.

    Attributes:
        by: Who won it.
        value: Thousandths of a big blind a hand.
        error: Its standard error.
        blocks: Duplicate blocks played.
        hands: Hands played in them.
    """

    by: str
    value: float
    error: float
    blocks: int
    hands: int

    @classmethod
    def of(cls, by: str, tally: agents.Tally, responder: int) -> Bound:
        """From a tally that is counted in big blinds."""
        in_hands = 1000 * tally.count / tally.hands
        value, error = tally.scores[responder], tally.errors[responder]
        return cls(by, float(value * in_hands), float(error * in_hands), tally.count, tally.hands)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Bounds of the value."""
        return t_interval(self.value, self.error, self.blocks - 1, confidence)


def usual_menus(game: Game) -> tuple[Menu, ...]:
    """The menus that are tried in a game when nobody says which."""
    return USUAL_MENUS[:-1] if game.betting == "fixed-limit" else USUAL_MENUS


def bound_locally(
    player: agents.Agent,
    game: Game,
    menus: Sequence[Menu],
    *,
    blocks: int,
    seed: int,
    workers: Workers,
    hands: int = ALL_HANDS,
    on_progress: Callable[[int], None] | None = None,
) -> list[Bound]:
    """What local best responses win of a player.

    Args:
        player: A compiled player.
        game: A cash game, scored in big blinds.
        menus: Of the local best responses, one bound for each.
        blocks: Duplicate blocks of each; all play the same cards.
        seed: Of cards and the player's own randomness.
        workers: Who plays; their number does not change the result.
        hands: Of how many of its hands the player is asked, see ``LocalBestResponse``.
        on_progress: Called with the number of blocks that a chunk has finished.

    Raises:
        ValueError: The player is not compiled, or the game is not as described.
    """
    _check(game, blocks)
    plays = [
        Play([player], agents.Blocks(blocks), game, seed, play=LocalBestResponse(menu, hands))
        for menu in menus
    ]
    tallies = play_all(workers, plays, on_progress=on_progress)
    return [
        Bound.of(f"local best response, {menu.name}", tally, 1)
        for menu, tally in zip(menus, tallies, strict=True)
    ]


def bound_by(
    responder: agents.Agent,
    player: agents.Agent,
    game: Game,
    *,
    by: str,
    blocks: int,
    seed: int,
    workers: Workers,
) -> Bound:
    """What another player wins of a player, such as one that was trained against it.

    Args:
        responder: Who wins.
        player: Who loses.
        game: A cash game, scored in big blinds.
        by: What the responder is called.
        blocks: Duplicate blocks.
        seed: Of cards and decisions.
        workers: Who plays.

    Raises:
        ValueError: The game is not as described.
    """
    _check(game, blocks)
    play = Play([player, responder], agents.Blocks(blocks), game, seed)
    return Bound.of(by, play_all(workers, [play])[0], 1)


def bound_by_best(
    responders: Mapping[str, agents.Agent],
    player: agents.Agent,
    game: Game,
    *,
    blocks: int,
    seed: int,
    workers: Workers,
) -> Bound:
    """What the best of some players wins of a player, whoever it is: it may decide in Python.

    All play some blocks, the better half twice as many, until one is left, which then plays on
    other cards.

    Args:
        responders: Players by name.
        player: Who loses.
        game: A cash game, scored in big blinds.
        blocks: Duplicate blocks of the best.
        seed: Of cards and decisions.
        workers: Who plays.

    Raises:
        ValueError: The game is not as described, or nobody responds.
    """
    _check(game, blocks)
    if not responders:
        raise ValueError("responders must be at least one player; got none")
    left = list(responders)
    first, trial = blocks, max(2, _FIRST_TRIAL // game.hands_limit)
    while len(left) > 1:
        schedule = agents.Blocks(trial, first)
        plays = [Play([player, responders[name]], schedule, game, seed) for name in left]
        won = {
            name: tally.scores[1]
            for name, tally in zip(left, play_all(workers, plays), strict=True)
        }
        left = sorted(left, key=won.__getitem__, reverse=True)[: (len(left) + 1) // 2]
        first, trial = first + trial, 2 * trial
    by = f"{left[0]}, the best of {len(responders)} players"
    return bound_by(
        responders[left[0]], player, game, by=by, blocks=blocks, seed=seed, workers=workers
    )


def built_in_players(game: Game) -> dict[str, agents.CompiledPlayer]:
    """The compiled players of the package that know the game."""
    found = {}
    for name in agents.names(compiled=True):
        player = agents.make_compiled(name)
        try:
            agents.pack([player]).check(game.arrays(2).tables)
        except ValueError:
            continue
        found[name] = player
    return found


def largest(bounds: Sequence[Bound]) -> Bound:
    """The bound that says most: whose interval begins highest, all holding together.

    With n bounds each interval has to miss n times as seldom (Bonferroni).
    """
    confidence = joint_confidence(bounds)
    return max(bounds, key=lambda bound: bound.interval(confidence)[0])


def joint_confidence(bounds: Sequence[Bound]) -> float:
    """Of each interval, so that all hold together with the usual confidence."""
    return 1.0 - (1.0 - CONFIDENCE) / len(bounds)


def _check(game: Game, blocks: int) -> None:
    whole_number("blocks", blocks, least=2)
    if game.score != "big_blinds" or not game.is_cash:
        raise ValueError(f'bounds need a cash game with score="big_blinds"; got {game}')
