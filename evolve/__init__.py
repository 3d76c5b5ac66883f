"""Evolution of poker players: genomes, optimizers, opponents, runs, and evaluation.

``nlhe --help`` lists the commands. ``__init__.pyi`` lists the public names. Each is loaded from its
subpackage on first use, so a league does not load the training code.
"""

from __future__ import annotations

from typing import Any

from nlhe_env.extras import check_packages
from nlhe_env.system.public_names import attach_stub

_MOVED = {
    "evolve.genomes": (
        "ArgmaxNetworkKind",
        "Genomes",
        "NetworkKind",
        "Networks",
        "Parents",
        "PotSizedNetworkKind",
    ),
    "evolve.optimizers": (
        "CMAES",
        "DiagonalCMAES",
        "Genetic",
        "MAPElites",
        "OpenAIES",
        "OptimizerSettings",
        "optimizer_names",
        "option_names",
    ),
    "evolve.optimizers.novelty": ("novelty", "nsga2_rank", "update_novelty_archive"),
    "evolve.training.callbacks": ("BoundLog", "ParentLog", "TensorBoard"),
    "evolve.training.evolved_response": ("evolve_response", "response_config"),
}
"""Names that were here before 2.0.0, by their modules."""


_load, __dir__, __all__ = attach_stub(__name__, "agents.rooms:explain_missing", _MOVED)


def __getattr__(name: str) -> Any:
    try:
        return _load(name)
    except ImportError:
        check_packages("agents")  # another package may have its name
        raise
