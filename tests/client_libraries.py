"""Training libraries that may be missing, and warn about many things that are not ours."""

import importlib
import warnings

import pytest


def need(*modules: str) -> None:
    """Skip the file that calls it unless a library is there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in modules:
            try:
                importlib.import_module(module)
            except ImportError as error:
                reason = f"{module} is not installed ({error})"
                pytest.skip(reason, allow_module_level=True)
