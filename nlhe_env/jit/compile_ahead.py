"""Compilation side by side: the kernels of a program, compiled by processes on all cores.

Numba compiles under one lock, kernel after kernel, while the other cores of the machine wait. But
which kernels a program will need is known: ``compile_ahead.json`` lists them with the types of
their arguments. So when a program finds the first of its kernels missing on disk, other processes
compile the rest of its list. A kernel is compiled by one process at a time, and the others wait for
its file (``KernelCache.claim``), so that none is compiled twice.

An outdated list costs time only: kernels that are not on it are compiled when they are called.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numba
from numba.core import types as numba_types

from nlhe_env.jit.compilation import USES_INTERNALS
from nlhe_env.system.compilation_progress import SharedCompilation, share_next_compilation
from nlhe_env.system.cores import n_cores

if TYPE_CHECKING:
    from nlhe_env.jit.dispatcher import KernelDispatcher

Program = Literal["step", "play", "train", "bench"]
"""What needs kernels: an environment's first step, a match, ``nlhe train`` or ``nlhe bench``."""

types: Any = numba_types
KERNEL_LIST = Path(__file__).with_suffix(".json")

_announced: list[Program] = []
"""Programs of this process for which helpers were or will be started."""
_PACKAGES = Path(__file__).parents[2]


class ListedKernel(NamedTuple):
    """A kernel of the list.

    Attributes:
        name: Its module and its name there, as ``module:name``.
        arguments: Descriptions of the types of its arguments.
        is_entry: Whether it is called from Python or by address, and so needs machine code.
        programs: The programs that need it.
    """

    name: str
    arguments: list[Any]
    is_entry: bool
    programs: list[Program]


def compile_ahead(program: Program) -> None:
    """Compile this program's kernels on all cores, once one of them is missing on disk."""
    order = get_args(Program)  # a step is a part of a match, and this of training and the bench
    if program in _announced or numba.config.DISABLE_JIT or not USES_INTERNALS:
        return
    if any(order.index(each) > order.index(program) for each in _announced):
        return
    _announced.append(program)
    share_next_compilation(lambda: _start_helpers(program))


def _start_helpers(program: Program) -> SharedCompilation | None:
    from nlhe_env.jit.kernel_cache import n_stored  # of Numba's internals

    n_helpers = min(n_cores() - 1, 8)
    if n_helpers < 1 or os.name != "posix" or not sys.executable:
        return None
    code = "import sys; sys.path.insert(0, sys.argv[1]); from nlhe_env.jit import compile_ahead; "
    arguments = [str(_PACKAGES), program, str(os.getpid())]
    command = [sys.executable, "-c", code + "compile_ahead.help_program()", *arguments]
    for _ in range(n_helpers):
        # Where no process can be started, this one compiles alone.
        with contextlib.suppress(OSError):
            helper = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            threading.Thread(target=helper.wait, daemon=True).start()
    n_before = n_stored()
    n_kernels = sum(program in each.programs for each in read_list())
    return SharedCompilation(n_kernels, 1 + n_helpers, lambda: n_stored() - n_before)


def help_program() -> None:
    """Compile the kernels of a program, as long as that runs; the command of the helpers."""
    from nlhe_env.jit.kernel_cache import take_place

    program, parent = sys.argv[2], int(sys.argv[3])
    if not take_place(n_cores() - 1):  # many processes may have asked for help
        return
    with contextlib.suppress(KeyboardInterrupt):
        for listed in read_list():
            if program not in listed.programs:
                continue
            if os.getppid() != parent:
                break
            # A list that no longer fits the code must not disturb the program.
            with contextlib.suppress(Exception):
                dispatcher = find_kernel(listed.name)
                signature = tuple(map(type_of, listed.arguments))
                dispatcher.compile_for_others(signature, is_entry=listed.is_entry)


def read_list() -> list[ListedKernel]:
    """All kernels of the list, in the order in which helpers compile them."""
    content = json.loads(KERNEL_LIST.read_text())
    kinds = content["types"]
    return [
        ListedKernel(name, [kinds[i] for i in arguments], is_entry, programs)
        for name, arguments, is_entry, programs in content["kernels"]
    ]


def find_kernel(name: str) -> KernelDispatcher:
    """The kernel with a name of the form ``module:name``."""
    module, _, attribute = name.partition(":")
    found: KernelDispatcher = getattr(importlib.import_module(module), attribute)
    return found


def type_of(description: Any) -> Any:
    """Numba's type from its description in the list; see ``description_of``."""
    if isinstance(description, str):
        if ":" in description:  # a type of ours, or a record by the name of its dtype
            named = _attribute(description)
            return named if isinstance(named, types.Type) else numba.from_dtype(named)
        return getattr(types, description)
    if "literal" in description:
        return types.literal(description["literal"])
    if "shape" in description:  # a field of a record
        return types.NestedArray(type_of(description["array"]), tuple(description["shape"]))
    if "array" in description:
        return types.Array(
            type_of(description["array"]),
            description["dimensions"],
            description["layout"],
            readonly=description.get("readonly", False),
            aligned=description.get("aligned", True),
        )
    if "type" in description:
        made_from = description["of"]
        return _attribute(description["type"])(
            *(each if isinstance(each, int) else type_of(each) for each in made_from)
        )
    members = [type_of(each) for each in description["members"]]
    if "class" in description:
        named = _attribute(description["class"])
        if members and all(each == members[0] for each in members):
            return types.NamedUniTuple(members[0], len(members), named)
        return types.NamedTuple(members, named)
    return types.Tuple(members)


def description_of(kind: Any, names: dict[Any, str]) -> Any:
    """Description of a Numba type as JSON, from which ``type_of`` makes it again.

    Args:
        kind: The type.
        names: ``module:name`` of the dtypes of records and of our own types.

    Raises:
        ValueError: There is no description of such types.
    """
    if kind in names:
        return names[kind]
    if hasattr(kind, "constructor_arguments"):  # ours
        made_from = kind.constructor_arguments
        return {
            "type": f"{type(kind).__module__}:{type(kind).__qualname__}",
            "of": [e if isinstance(e, int) else description_of(e, names) for e in made_from],
        }
    if isinstance(kind, types.BooleanLiteral):
        return {"literal": kind.literal_value}
    if isinstance(kind, types.NestedArray):
        return {"array": description_of(kind.dtype, names), "shape": list(kind.shape)}
    if isinstance(kind, types.Array):
        found = {
            "array": description_of(kind.dtype, names),
            "dimensions": kind.ndim,
            "layout": kind.layout,
        }
        return (
            found
            | ({} if kind.mutable else {"readonly": True})
            | ({} if kind.aligned else {"aligned": False})
        )
    if isinstance(kind, types.BaseTuple):
        members = {"members": [description_of(each, names) for each in kind]}
        if isinstance(kind, types.BaseNamedTuple):
            named = kind.instance_class
            return {"class": f"{named.__module__}:{named.__qualname__}"} | members
        return members
    if isinstance(kind, types.Number | types.Boolean | types.NoneType) and hasattr(
        types, kind.name
    ):
        return kind.name
    raise ValueError(f"no description of the type {kind}")


def _attribute(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)
