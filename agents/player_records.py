"""Players of this package and their traits, read without importing any of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pkgutil import resolve_name
from typing import Any, Literal

from nlhe_env.game.description import Betting


@dataclass(frozen=True)
class PlayerRecord:
    """A player by name, with what a list of players shows.

    Args:
        name: Its name for ``agents.make``.
        does: What it does, in one line.
        make: ``"module:name"`` of the function that makes it, whose keyword arguments are its
            options; in ``agents.player_factories``, of one that returns the ``PlayerFactory`` for
            the name.
        seats: Number of players in its games; None for any number.
        betting: Its betting structure; None for all.
        observation: What it decides on: ``"table"`` for all that a player sees, ``"nothing"`` but
            the legal actions, or the name of an observation.
        memory: Whether earlier actions or hands, which its observation lacks, change its play.
        speed: ``"fast"``; ``"slow"``, about a hundred times slower; or ``"python"``, not compiled.
    """

    name: str
    does: str
    make: str
    seats: int | None = None
    betting: Betting | None = None
    observation: str = "table"
    memory: bool = False
    speed: Literal["fast", "slow", "python"] = "fast"

    @property
    def compiled(self) -> bool:
        """Whether it is compiled, and not Python."""
        return self.speed != "python"

    @property
    def plays_whole_tournaments(self) -> bool:
        """Whether it is compiled, fast, and knows every game."""
        return self.speed == "fast" and self.seats is None and self.betting is None

    @property
    def traits(self) -> str:
        """Its traits in words.

        >>> PLAYERS["vexbot"].traits
        'heads-up, fixed-limit; observation: table; memory; fast'
        """
        seats = "any number of players" if self.seats is None else "heads-up"
        betting = "" if self.betting is None else f", {self.betting}"
        memory = "memory" if self.memory else "no memory"
        return f"{seats}{betting}; observation: {self.observation}; {memory}; {self.speed}"

    def load(self) -> Any:
        """Function that makes the player, or its factory; imports its module."""
        found = resolve_name(self.make)
        return found(self.name) if self.make.startswith(_FACTORIES) else found


_FACTORIES = "agents.player_factories:"


def _player(module: str, name: str, function: str, does: str, **traits: Any) -> PlayerRecord:
    return PlayerRecord(name, does, f"agents.{module}:{function}", **traits)


_static = partial(_player, "players.rules.static", observation="nothing")
_rules = partial(_player, "players.rules.rule_players")
_made = partial(_player, "player_factories")
_limit = partial(_made, seats=2, betting="fixed-limit")
_no_limit = partial(_made, seats=2, betting="no-limit", memory=True)
_slow = partial(_made, memory=True, speed="slow")
_python = partial(_made, seats=2, observation="cards", speed="python")

# fmt: off
_PLAYERS = (
    _static("random", "random_player", "folds, calls or raises with probability 1/3 each"),
    _static("folder", "folder", "folds to any bet; otherwise checks"),
    _static("caller", "caller", "always calls or checks"),
    _static("raiser", "raiser", "always raises; calls if no raise is allowed"),
    _static("call-or-raise", "call_or_raise", "calls or raises with probability 1/2 each"),
    _player("players.topographies.topography_players", "old-start", "old_start",
            "an expert's action topography", observation="features"),
    _made("old-best", "shipped",
          "a topography evolved from that of OldStart", observation="features"),
    _made("old-scratch", "shipped",
          "a topography evolved from equal probabilities", observation="features"),
    _rules("tight-passive", "tight_passive", "plays the best 20% of hands, mostly calls"),
    _rules("tight-aggressive", "tight_aggressive", "plays the best 20% of hands, mostly raises"),
    _rules("loose-passive", "loose_passive", "plays 80% of hands, mostly calls"),
    _rules("loose-aggressive", "loose_aggressive", "plays 80% of hands, mostly raises"),
    _rules("pot-odds", "pot_odds_player",
           "compares its win chance with the pot odds and an equal share of the pot",
           observation="features"),
    _rules("formula", "formula_player",
           "effective hand strength, pot odds, semi-bluffs and bluffs"),
    _rules("push-or-fold", "push_or_fold_player",
           "folds or goes all-in with short stacks; otherwise tight-aggressive"),
    _rules("scared-limper", "scared_limper", "limps, then calls with the nuts only"),
    _made("hothead-maniac", "profile", "always raises half the pot or the pot"),
    _made("calling-machine", "profile", "always checks or calls"),
    _made("candid-statistician", "profile", "bets as much as its hand is worth"),
    _made("ashe-loose-aggressive", "profile", "bets and raises hard with a wide range"),
    _made("ashe-loose-passive", "profile", "calls with most hands, seldom raises"),
    _made("ashe-tight-passive", "profile", "calls with good hands, seldom raises"),
    _made("ashe-tight-aggressive", "profile", "raises good hands, bluffs a little"),
    _rules("early-scared-limper", "early_limper",
           "limps, then bets and calls with almost nothing but the nuts"),
    _made("early-hothead-maniac", "profile", "bets the pot and raises by two pots with any cards"),
    _rules("early-candid-statistician", "early_statistician",
           "bets a share of its stack that is a power of its equity"),
    _rules("random-gambler", "random_gambler_player",
           "switches every 50 hands between maniac, caller, limper and statistician", memory=True),
    _rules("half-a-pro", "half_a_pro_player",
           "tight-aggressive with floats, check-raises and barrels"),
    _rules("opponent-frequency", "opponent_frequency_player",
           "counts opponents' actions: bluffs folders, and value-bets thinly against callers",
           memory=True),
    _made("ashe-1.0", "shipped",
          "heads-up: an evolved network with memory that adapts to its opponent", memory=True),
    _made("ashe-1.0-tuned", "shipped",
          "ashe-1.0 by an evolution strategy that starts from a calling network", memory=True),
    _made("ashe-1.0-refined", "shipped",
          "ashe-1.0-tuned trained further, half of the time against statisticians", memory=True),
    _made("self-play-quick", "shipped",
          "tournaments of ten: an evolved network that has only played itself",
          observation="features_core"),
    _made("self-play-es", "shipped",
          "heads-up cash games: an evolved network that has only played itself",
          observation="features_cash"),
    _player("players.networks.lstm", "lstm", "recurrent_player",
            "a recurrent network with random weights", memory=True),
    # What can be won of them is measured in docs/results/exploitability.md and docs/solving.md.
    _made("equilibrium-limit", "blueprint",
          "near equilibrium in heads-up fixed-limit; the best known response wins"
          " 0.085 bb a hand", memory=True),
    _made("equilibrium-nolimit", "blueprint",
          "near equilibrium in a simplified heads-up no-limit, 10 to 200 big blinds;"
          " the best known response wins 2 bb a hand", memory=True),
    _limit("psopti-0", "psopti",
           "heads-up fixed-limit: calls before the flop, pseudo-optimal after it"),
    _limit("psopti-1", "psopti",
           "as psopti-0, but plays the equilibrium of the round before the flop"),
    _limit("psopti-2", "psopti",
           "pseudo-optimal on all streets, with a model for each pre-flop betting sequence"),
    _limit("vexbot", "vexbot",
           "heads-up fixed-limit: models its opponent and searches for the best response",
           memory=True),
    _limit("anti-poki", "vexbot",
           "heads-up fixed-limit: plays the best response to a fixed model of poki", memory=True),
    _limit("hobbybot", "vexbot", "as anti-poki, but slowly adapts to its opponent", memory=True),
    _limit("limit-team", "shipped",
           "heads-up fixed-limit: a team of evolved programs that bid for each decision",
           memory=True),
    _limit("limit-vote", "shipped",
           "heads-up fixed-limit: nine such teams, which vote", memory=True),
    _limit("limit-layers", "shipped",
           "heads-up fixed-limit: bidding programs select one of ten teams to play", memory=True),
    _no_limit("ashe-2.0", "shipped", "heads-up: estimates the value of every line of play"),
    _no_limit("ashe-2.0-tuned", "shipped",
              "ashe-2.0 after ten million hands of an evolution strategy"),
    _no_limit("ashe-2.1", "shipped",
              "small size: as ashe-2.0, with default trees and board clusters"),
    _no_limit("ashe-2.2", "shipped",
              "small size: as ashe-2.1, with look-ahead to the end of the hand"),
    _no_limit("ashe-2.3", "shipped", "small size: as ashe-2.2, with opponent ranges"),
    _slow("loki-1", "alberta",
          "the formula of Alberta: weights the possible hands of every opponent"),
    _slow("loki-2", "alberta",
          "simulates the rest of the hand with opponents' hands dealt by these weights"),
    _slow("poki", "alberta", "as loki-1, with a model of each opponent's actions"),
    _slow("poki-sim", "alberta", "as loki-2, with the best of three predictors"),
    _python("nlbot-1", "nlbot", "heads-up, in Python: remembers shown hands", memory=True),
    _python("nlbot-2", "nlbot", "as nlbot-1, without memory"),
    _python("nlbot-3", "nlbot", "remembers how often the opponent bets", memory=True),
    _python("nlbot-4", "nlbot", "remembers shown hands and bluffs", memory=True),
)
# fmt: on

PLAYERS = {record.name: record for record in _PLAYERS}
"""Records by name, in the order of lists."""

REMOTE = {"chat": _made("chat", "chat", "a chat model, called over the network", speed="python")}
"""Players that cannot be made by their names alone."""

KIND_MODULES = {
    "static": "agents.players.rules.static",
    "loki": "agents.players.poki.formula",
    "loki-2": "agents.players.poki.simulation",
    "pseudo-optimal": "agents.players.pseudo_optimal.player",
    "vexbot": "agents.players.vexbot.player",
}
"""Modules of the kinds that ``agents`` does not import, by name of the kind."""
