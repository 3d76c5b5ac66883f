"""The public API of ``evolve``, with the modules that define it."""

from agents.match.playing import PlayTask as PlayTask
from agents.match.playing import play_all as play_all
from agents.match.playing import prepare_game as prepare_game
from agents.match.tally import compare as compare
from agents.match.workers.base import Workers as Workers
from agents.match.workers.base import WorkersError as WorkersError
from agents.match.workers.base import thread_workers as thread_workers
from agents.match.workers.chunks import run_chunks as run_chunks
from agents.match.workers.parsing import parse_workers as parse_workers
from agents.match.workers.processes import process_workers as process_workers
from agents.measure.duplicate import Evaluation as Evaluation
from agents.measure.duplicate import evaluate as evaluate
from agents.measure.exploitability_bounds import ExploitabilityBound as ExploitabilityBound
from agents.measure.exploitability_bounds import exploitability_by as exploitability_by
from agents.measure.exploitability_bounds import local_exploitability as local_exploitability
from agents.measure.leagues.league import (
    confidence_sequences as confidence_sequences,
)
from agents.measure.leagues.league import play_league as play_league
from agents.measure.leagues.league import play_until_resolved as play_until_resolved
from agents.measure.leagues.league import unresolved_pairs as unresolved_pairs
from agents.measure.leagues.league_matches import LeagueSettings as LeagueSettings
from agents.measure.leagues.league_store import LeagueStore as LeagueStore
from agents.measure.leagues.league_table import LeagueTable as LeagueTable
from agents.measure.recorded_hands import PlayerResults as PlayerResults
from agents.measure.recorded_hands import reduce_variance as reduce_variance
from agents.statistics.estimates import Sample as Sample
from agents.statistics.estimates import TTest as TTest
from agents.statistics.estimates import confidence_sequence as confidence_sequence
from agents.statistics.estimates import holm as holm
from agents.statistics.estimates import t_interval as t_interval
from evolve import seeds as seeds
from evolve.commands.main import main as main
from evolve.evaluation.behaviour.permutation_importance import (
    PermutationImportance as PermutationImportance,
)
from evolve.evaluation.behaviour.permutation_importance import (
    has_permutation_importance as has_permutation_importance,
)
from evolve.evaluation.behaviour.permutation_importance import (
    measure_permutation_importance as measure_permutation_importance,
)
from evolve.evaluation.behaviour.permutation_importance import (
    permutation_importance as permutation_importance,
)
from evolve.evaluation.behaviour.style_map import draw_style_map as draw_style_map
from evolve.evaluation.metagame import MetaGame as MetaGame
from evolve.evaluation.metagame import alpha_rank as alpha_rank
from evolve.evaluation.metagame import nash_weights as nash_weights
from evolve.evaluation.progress import measure_progress as measure_progress
from evolve.evaluation.progress import spread_generations as spread_generations
from evolve.files.safe import DamagedFileError as DamagedFileError
from evolve.files.safe import read_arrays as read_arrays
from evolve.files.safe import write_arrays as write_arrays
from evolve.genomes import ArrayGenomes as ArrayGenomes
from evolve.genomes import GenomeKind as GenomeKind
from evolve.genomes import Variation as Variation
from evolve.genomes import register_genomes as register_genomes
from evolve.opponents import OpponentSettings as OpponentSettings
from evolve.opponents import register_opponents as register_opponents
from evolve.opponents.behaviour_probes import BehaviourProbes as BehaviourProbes
from evolve.opponents.opponent_sampling import OpponentMix as OpponentMix
from evolve.opponents.opponent_sampling import Opponents as Opponents
from evolve.opponents.policies import OpponentPolicy as OpponentPolicy
from evolve.opponents.pool import OpponentPool as OpponentPool
from evolve.opponents.pool import PoolConfig as PoolConfig
from evolve.optimizers import AskTell as AskTell
from evolve.optimizers import CandidateScores as CandidateScores
from evolve.optimizers import Optimizer as Optimizer
from evolve.optimizers import make_optimizer as make_optimizer
from evolve.optimizers import register_optimizer as register_optimizer
from evolve.training.callbacks import Callbacks as Callbacks
from evolve.training.callbacks import scalars as scalars
from evolve.training.config import Config as Config
from evolve.training.config import register_schedule as register_schedule
from evolve.training.config_files import load_config as load_config
from evolve.training.config_files import load_preset as load_preset
from evolve.training.fitness import Fitness as Fitness
from evolve.training.fitness import FitnessSettings as FitnessSettings
from evolve.training.fitness import register_fitness as register_fitness
from evolve.training.folder import RunFolder as RunFolder
from evolve.training.objective import EvaluationResult as EvaluationResult
from evolve.training.objective import Objective as Objective
from evolve.training.run import RunCallback as RunCallback
from evolve.training.run import step_generation as step_generation
from evolve.training.run import train as train
from evolve.training.schedules import GenerationResults as GenerationResults
from evolve.training.schedules import ScheduleSettings as ScheduleSettings
from evolve.training.state import State as State
