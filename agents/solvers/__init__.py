"""Players found by calculation: exact equilibria of small games, and solvers for hold'em.

>>> round(equilibrium(kuhn()).value, 6)
-0.055556
"""

from __future__ import annotations

from agents.solvers.aivat_small_games import Spread, small_game_aivat, state_values
from agents.solvers.board_reports import (
    BoardReport,
    BoardResult,
    BoardSample,
    draw_boards,
    report_boards,
    weigh_boards,
)
from agents.solvers.exploitation import best_response, lock_decisions, lock_player, read_locks
from agents.solvers.gadget import Gadget
from agents.solvers.game_tables import GameTables
from agents.solvers.hand_grids import HandGrid, draw_hand_grid
from agents.solvers.icm import icm_equities
from agents.solvers.public_game import PublicGame
from agents.solvers.regret_minimisation import METHODS, Locked, Solver
from agents.solvers.resolving import RiverSolver
from agents.solvers.sequence_form import Equilibrium, best_plans, equilibrium
from agents.solvers.small_games import kuhn, leduc, no_limit_leduc
from agents.solvers.solution import Solution, SolvedDecision, solve
from agents.solvers.solution_files import load_solution, save_solution
from agents.solvers.subgames import Subgame, SubgameSize
from agents.solvers.turn_resolving import TurnSolver

__all__ = [
    "METHODS",
    "BoardReport",
    "BoardResult",
    "BoardSample",
    "Equilibrium",
    "Gadget",
    "GameTables",
    "HandGrid",
    "Locked",
    "PublicGame",
    "RiverSolver",
    "Solution",
    "SolvedDecision",
    "Solver",
    "Spread",
    "Subgame",
    "SubgameSize",
    "TurnSolver",
    "best_plans",
    "best_response",
    "draw_boards",
    "draw_hand_grid",
    "equilibrium",
    "icm_equities",
    "kuhn",
    "leduc",
    "load_solution",
    "lock_decisions",
    "lock_player",
    "no_limit_leduc",
    "read_locks",
    "report_boards",
    "save_solution",
    "small_game_aivat",
    "solve",
    "state_values",
    "weigh_boards",
]
