"""``python -m evolve bound``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

import agents
from agents.bounds import (
    MENUS,
    N_FLOPS,
    LocalBestResponse,
    Menu,
    best_response_to_blind,
    best_response_to_strength,
)
from agents.commands.common import usage_errors
from evolve.commands.common import WorkersOption
from evolve.commands.report import Reporter
from evolve.evaluation.bounds import (
    ALL_HANDS,
    Bound,
    bound_by,
    bound_by_best,
    bound_locally,
    built_in_players,
    joint_confidence,
    largest,
    usual_menus,
)
from evolve.files.safe import write_json
from evolve.training.admission import check_players
from evolve.training.config import LARGEST_SEED, Config
from evolve.training.evolved_response import evolve_response, response_config
from evolve.training.run import Listener
from evolve.workers import parse_workers, prepare_game
from nlhe_env import Game
from nlhe_env.arguments import whole_number

BIG_BLIND = 100
_UNIT = "thousandths of a big blind a hand"


@dataclass(frozen=True, kw_only=True)
class BoundCommand:
    """How much can be won from a player? Lower bounds by local best responses and by evolution.

    A local best response knows the player's policy, keeps track of the hands that it may hold, and
    takes the action that is best if both check and call from then on. An evolved response is a
    network trained against the player. Both play duplicate hands for real, so that what they win
    can be won.
    """

    player: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PLAYER")]
    """A name that "python -m agents list" shows, or a file such as champion.npz."""

    betting: Literal["no-limit", "fixed-limit"] = "no-limit"
    """Heads-up no-limit or limit hold'em."""

    stack: Annotated[int, tyro.conf.arg(metavar="BB")] = 200
    """Stack of both players at the start of every hand, in big blinds."""

    session: Annotated[int, tyro.conf.arg(metavar="HANDS")] = 1
    """Hands of a session, in which players with memory can learn."""

    menu: Annotated[str | None, tyro.conf.arg(metavar="MENU")] = None
    """Of one local best response: "fold-call", "fcpa" (fold, call, pot, all-in), "56-bets", or
    raises in pots such as "0.5 1 inf"; default: several."""

    waits: tuple[Literal["preflop", "flop", "turn", "river"], ...] = ()
    """Streets on which it always checks or calls."""

    blocks: int = 10_000
    """Duplicate blocks of every bound: a session twice with the same cards, seats exchanged."""

    hands: int = ALL_HANDS
    """Of how many of its 1,326 hands the player is asked: fewer for players that think long."""

    train_hands: int = 2_000_000
    """Training hands of the evolved response; 0 for none."""

    exact: bool = False
    """Only the exact best response, in fixed-limit against who ignores the cards, in a minute or
    two of CPU time, or against the four styles, on drawn flops."""

    flops: int = 60
    """Flops drawn for "--exact" against a style; some seconds each."""

    seed: int = 1
    """Seed of cards, decisions and training."""

    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Where to write the bounds as JSON."""

    workers: WorkersOption = None

    def run(self, reporter: Reporter) -> None:
        """Plays, prints and writes the bounds."""
        with usage_errors():
            player = agents.make(self.player)
            game = Game.cash(
                starting_stack=self.stack * BIG_BLIND,
                blinds=(BIG_BLIND // 2, BIG_BLIND),
                betting=self.betting,
                num_hands=self.session,
                score="big_blinds",
            )
            menus = self._menus(game)
            self._check_values(menus)
            check_players({self.player: player}, game, seats=2)
            config = self._config(player, game)
            workers = parse_workers(self.workers)
        if self.exact:
            self._say_exactly(player, reporter)
            return
        prepare_game()
        bounds: list[Bound] = []
        with workers:
            if isinstance(player, agents.CompiledPlayer):
                with reporter.bar("blocks", self.blocks * len(menus)):
                    bounds += bound_locally(
                        player,
                        game,
                        menus,
                        blocks=self.blocks,
                        seed=self.seed,
                        workers=workers,
                        hands=self.hands,
                        on_progress=reporter.advance,
                    )
            else:
                reporter.say(
                    f"{self.player} decides in Python: it gives no action probabilities and is too "
                    "slow to train against. What the best of the built-in players wins:"
                )
                bounds.append(
                    bound_by_best(
                        built_in_players(game),
                        player,
                        game,
                        blocks=self.blocks,
                        seed=self.seed,
                        workers=workers,
                    )
                )
            if config is not None:
                with reporter.bar("hands", self.train_hands):
                    response = evolve_response(config, workers=workers, listener=_Hands(reporter))
                bounds.append(
                    bound_by(
                        response,
                        player,
                        game,
                        by=f"evolved in {self.train_hands:,} hands",
                        blocks=self.blocks,
                        seed=self.seed,
                        workers=workers,
                    )
                )
        show_bounds(self.player, bounds, reporter)
        if self.out is not None:
            write_json(self.out, {"player": self.player, "bounds": [asdict(b) for b in bounds]})
            reporter.say(f"Written: {self.out}")

    def _config(self, player: agents.Agent, game: Game) -> Config | None:
        """Of the training of a response, if there is to be one."""
        if not isinstance(player, agents.CompiledPlayer):
            return None
        config = response_config(self.player, game, hands=self.train_hands or 1, seed=self.seed)
        return config if self.train_hands else None

    def _check_values(self, menus: Sequence[Menu]) -> None:
        whole_number("blocks", self.blocks, least=2)
        whole_number("train_hands", self.train_hands, least=0)
        whole_number("seed", self.seed, least=0, most=LARGEST_SEED)
        for menu in menus:
            LocalBestResponse(menu, self.hands)

    def _menus(self, game: Game) -> tuple[Menu, ...]:
        if self.menu is None:
            if self.waits:
                raise ValueError("waits needs a menu, such as --menu fcpa")
            return usual_menus(game)
        sizes = self.menu if self.menu in MENUS else [float(size) for size in self.menu.split()]
        return (Menu.of(sizes, self.waits),)

    def _say_exactly(self, player: agents.Agent, reporter: Reporter) -> None:
        with usage_errors():
            if self.betting != "fixed-limit" or not isinstance(player, agents.CompiledPlayer):
                raise ValueError(
                    "exact best responses are for compiled players in fixed-limit: add "
                    "--betting fixed-limit"
                )
            if player.kind.name == "style":
                with reporter.bar("flops", self.flops):
                    found = best_response_to_strength(
                        player,
                        flops=self.flops,
                        stack=self.stack,
                        seed=self.seed,
                        watch=reporter.advance,
                    )
                reporter.say(f"{self.player} can be beaten for {found.describe()}.")
                return
            with reporter.bar("flops", N_FLOPS):
                response = best_response_to_blind(player, watch=reporter.advance)
        reporter.say(f"{self.player} can be beaten for exactly {response.describe()}.")


class _Hands(Listener):
    """Tells a bar how many hands have been played."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter, self._told = reporter, 0

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        hands = int(metrics["hands"])
        self._reporter.advance(hands - self._told)
        self._told = hands


def show_bounds(player: str, bounds: Sequence[Bound], reporter: Reporter) -> None:
    """Prints the bounds, and the one that says most."""
    if not bounds:
        return
    confidence = joint_confidence(bounds)
    rows = []
    for bound in bounds:
        low, high = bound.interval(confidence)
        rows.append(
            [bound.by, f"{bound.hands:,}", f"{bound.value:,.1f}", f"{low:,.1f} .. {high:,.1f}"]
        )
    reporter.show_table(("by", "hands", "won", "interval"), rows)
    best = largest(bounds)
    low, _ = best.interval(confidence)
    reporter.say(f"won: {_UNIT}; the intervals hold jointly at 95%")
    if low > 0:
        reporter.say(
            f"At least {low:,.0f} can be won from {player}, by {best.by}: {best.value:,.0f}."
        )
    else:
        reporter.say(
            f"No bound above zero was found for {player}; stronger methods may still beat it."
        )
