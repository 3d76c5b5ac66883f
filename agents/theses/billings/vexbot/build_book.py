"""Builds the books of Vexbot and of the anti-Poki Vexbots.

``python -m agents.theses.billings.vexbot.build_book FOLDER`` rebuilds the package's files in four
minutes. A book has the transitions of strength, and prior counts learned by a Vexbot without a
prior, exploring widely: against a near-equilibrium player, or against Poki.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.player_io import save_player
from agents.policy.session import Session
from agents.registry import make_compiled
from agents.theses.billings.poki.players import alberta_player
from agents.theses.billings.vexbot import VexbotPlayer
from agents.theses.billings.vexbot.records import MEMORY, N_CELLS, N_POINTS, PRIOR, add_to_points
from nlhe_env.cards import N_CARDS
from nlhe_env.equity import StrengthTables, load_tables
from nlhe_env.equity.tables.cells import preflop_class
from nlhe_env.equity.tables.lookup import StrengthTablesRecord, hand_equity
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.description import Game
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray, Records
from nlhe_env.jit.compilation import kernel

LEVELS = tuple(f"{what}_{level}" for what in ("ranks", "actions") for level in range(1, 5))
"""Fields with prior counts."""
_DEALS = 400_000
_HANDS = 400_000
_COUNTER_HANDS = 30_000
_WIDTH = 4.0
"""Width of miximix in small bets for exploration: all but clear mistakes are played."""
_FEWEST = 20
"""Minimum observations of a context with prior counts; others defer to coarser levels."""
_SEED = 2004


def make_prior(deals: int = _DEALS, hands: int = _HANDS) -> Records:
    """Book, ``(1,)`` of dtype ``PRIOR``.

    Args:
        deals: Number of deals for the transitions of strength.
        hands: Number of hands for the prior counts.
    """
    book = np.zeros(1, PRIOR)
    book["to_flop"], book["to_turn"], book["to_river"] = _moves(deals, load_tables())
    teacher = make_compiled("equilibrium-limit")
    fill_defaults(book, teacher, hands)
    return book


def make_counter_prior(book: Records, teacher: CompiledPlayer, hands: int) -> Records:
    """The same transitions, with prior counts learned from a given player.

    Args:
        book: ``(1,)`` of dtype ``PRIOR``.
        teacher: The opponent.
        hands: Number of hands for the prior counts.
    """
    book = book.copy()
    for level in LEVELS:
        book[level] = np.float32(0.0)
    fill_defaults(book, teacher, hands)
    return book


def fill_defaults(book: Records, teacher: CompiledPlayer, hands: int) -> None:
    """Fill the prior counts of a book by learning from a teacher.

    Args:
        book: ``(1,)`` of dtype ``PRIOR``.
        teacher: A compiled player.
        hands: Number of fixed-limit hands with deep stacks.
    """
    pupil = VexbotPlayer(book.view(np.uint8), defaults=0.0, width=_WIDTH)
    game = Game.cash(betting="fixed-limit", num_hands=hands)
    known = learn(pupil, teacher, game, seed=_SEED)
    for level in LEVELS:
        counts = known[level].astype(np.float64)
        mass = counts.sum(axis=1, keepdims=True)
        book[level] = np.where(mass >= _FEWEST, counts / np.maximum(mass, 1.0), 0.0)


def learn(player: VexbotPlayer, opponent: CompiledPlayer, game: Game, *, seed: int) -> np.void:
    """Memory of a Vexbot after a session.

    Args:
        player: A Vexbot.
        opponent: A compiled player.
        game: A heads-up cash game; the session has its number of hands.
        seed: Seed of the cards and of the players' randomness.
    """
    session = Session([player, opponent], game, seed=seed)
    session.play(game.hands_limit)
    known: np.void = session.memory[0].view(np.uint8)[: MEMORY.itemsize].view(MEMORY)[0]
    return known


def _moves(deals: int, tables: StrengthTables) -> tuple[F64, F64, F64]:
    """Transitions of strength to the flop, the turn and the river; rows sum to 1."""
    generator = np.random.default_rng(_SEED)
    cards = generator.permuted(np.tile(np.arange(N_CARDS), (deals, 1)), axis=1)[:, :7]
    counts = (np.zeros((n, N_POINTS), np.float32) for n in (N_PREFLOP, N_POINTS, N_POINTS))
    to_flop, to_turn, to_river = counts
    _count_moves(cards, tables, np.zeros((3, N_POINTS), np.float32), to_flop, to_turn, to_river)
    flop, turn, river = (_shares(each) for each in (to_flop, to_turn, to_river))
    return flop, turn, river


def _shares(counts: AnyArray) -> F64:
    """Rows normalised to 1; points without data map to themselves."""
    rows = counts.astype(np.float64)
    empty = np.flatnonzero(rows.sum(axis=1) == 0.0)
    rows[empty, np.minimum(empty, N_CELLS)] = 1.0
    shares: F64 = rows / rows.sum(axis=1, keepdims=True)
    return shares


@kernel
def _count_moves(
    cards: I64, tables: StrengthTablesRecord, points: F32, to_flop: F32, to_turn: F32, to_river: F32
) -> None:
    for deal in range(len(cards)):
        hole_0, hole_1, board = cards[deal, 0], cards[deal, 1], cards[deal, 2:]
        points[:] = np.float32(0.0)
        for street in range(3):
            strength = hand_equity(hole_0, hole_1, board, street + 3, 1, tables)
            add_to_points(points[street], strength, 1.0)
        starting = preflop_class(hole_0, hole_1)
        for i in range(N_POINTS):
            to_flop[starting, i] += points[0, i]
            for j in range(N_POINTS):
                to_turn[i, j] += points[0, i] * points[1, j]
                to_river[i, j] += points[1, i] * points[2, j]


def main(folder: str) -> None:
    """Write ``vexbot.npz`` and ``anti-poki.npz`` into a folder."""
    book = make_prior()
    origin = {"deals": _DEALS, "hands": _HANDS, "teacher": "equilibrium-limit"}
    save_player(Path(folder) / "vexbot.npz", VexbotPlayer(book.view(np.uint8), origin=origin))
    book = make_counter_prior(book, alberta_player("poki"), _COUNTER_HANDS)
    origin = {"hands": _COUNTER_HANDS, "teacher": "poki"}
    save_player(Path(folder) / "anti-poki.npz", VexbotPlayer(book.view(np.uint8), origin=origin))


if __name__ == "__main__":
    main(*sys.argv[1:])
