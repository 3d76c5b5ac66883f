"""Compiled code of kernels: LLVM code to link into other kernels, machine code for Python.

Numba generates machine code for every function that it compiles, including all its callees, and
generates these again in every caller. Most kernels are called only by other kernels. So here a
kernel is kept as LLVM code, neither optimized nor executed. Calls from Python or by address use an
entry point, in which a kernel and its callees are linked, optimized and translated once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.runtime import rtsys


class KernelCode(JITCodeLibrary):
    """LLVM code of one kernel, to be linked into its callers.

    Attributes:
        callees: Code of the kernels called.
        file: Path of the file with this code; empty if there is none.
        checksum: Checksum of that file.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.callees: tuple[KernelCode, ...] = ()
        self.file = ""
        self.checksum = b""
        self._closure: Any = None

    @classmethod
    def from_bitcode(
        cls, codegen: Any, name: str, bitcode: bytes, callees: tuple[KernelCode, ...]
    ) -> KernelCode:
        """Code from the cache on disk."""
        code = cls(codegen, name)
        code._final_module = llvm.parse_bitcode(bitcode)
        code.callees = callees
        code._finalized = True
        return code

    def bitcode(self) -> bytes:
        """This code without its callees, for ``from_bitcode``."""
        self._ensure_finalized()
        found: bytes = self._final_module.as_bitcode()
        return found

    def finalize(self) -> None:
        """Complete the code; nothing can be added afterwards."""
        self._raise_if_finalized()
        others = []
        for library in dict.fromkeys(self._linking_libraries):
            if isinstance(library, KernelCode):
                others.append(library)
            else:  # a function of Numba
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self.callees = tuple(others)
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"  # may be defined in several modules
        self._finalize_dynamic_globals()
        self._finalized = True

    def own_module(self) -> Any:
        """The LLVM module of this kernel, without its callees."""
        self._ensure_finalized()
        return self._final_module

    def add_llvm_module(self, module: Any) -> None:
        """Add code after simplification, which halves the code for the entry points."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()  # slower than a small function
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
        self._final_module.link_in(module)

    def get_pointer_to_function(self, name: str) -> int:
        """No address, because this code is not executed."""
        return 0

    def _get_module_for_linking(self) -> Any:
        """The kernel with its callees, for a caller that is not a kernel."""
        if self._closure is None:
            self._closure = self.own_module().clone()
            for code in _with_callees(self.callees):
                self._closure.link_in(code.own_module(), preserve=True)
        return self._closure


class EntryCode(JITCodeLibrary):
    """Machine code of a kernel, its callees and its Python wrapper."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link, optimize and translate."""
        kernels = [code for code in self._linking_libraries if isinstance(code, KernelCode)]
        self._linking_libraries = [
            library for library in self._linking_libraries if not isinstance(library, KernelCode)
        ]
        for code in _with_callees(kernels):
            self._reload_init.update(code._reload_init)
            self._final_module.link_in(code.own_module(), preserve=True)
        super().finalize()

    def symbols(self) -> list[str]:
        """Names of all symbols defined by the code."""
        module = self._final_module
        return [
            each.name
            for group in (module.functions, module.global_variables)
            for each in group
            if not each.is_declaration
        ]

    @classmethod
    def from_machine_code(
        cls, codegen: Any, name: str, machine_code: bytes, symbols: Iterable[str]
    ) -> EntryCode:
        """Code from the cache on disk."""
        entry = cls(codegen, name)
        entry.enable_object_caching()
        entry._set_compiled_object(machine_code)
        entry._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)
        return entry


class Entry(NamedTuple):
    """Entry point of a kernel for Python."""

    call: Callable[..., Any]
    code: EntryCode
    description: Any
    """Numba's description of the function."""
    signature: Any

    @property
    def address(self) -> int:
        """Address of the kernel, for ``function_pointers``."""
        return int(self.code.get_pointer_to_function(self.description.llvm_func_name))


def make_entry(context: Any, kernel: Any, *, memory: bool) -> Entry:
    """The entry point of a kernel, which runs without the GIL.

    Args:
        context: Numba's target context.
        kernel: Result of the kernel's compilation, whose library is a ``KernelCode``.
        memory: Whether the kernel can allocate memory, so that Python may own what it returns.
    """
    if memory:
        context = context.subtarget(enable_nrt=True)
    code = EntryCode(context.codegen(), kernel.library.name)
    code.enable_object_caching()
    description, environment = kernel.fndesc, kernel.environment
    with context.push_code_library(code):
        code.add_linking_library(kernel.library)
        if memory:
            code.add_linking_library(rtsys.library)
        context.create_cpython_wrapper(
            code, description, environment, call_helper=None, release_gil=True
        )
    call = context.get_executable(code, description, environment)
    return Entry(call, code, description, kernel.signature)


def _with_callees(kernels: Iterable[KernelCode]) -> list[KernelCode]:
    """Code of kernels and of all their direct and indirect callees, without duplicates.

    Every kernel comes after all its callers, because LLVM links only symbols already referenced.
    """
    seen: set[KernelCode] = set()
    callees_first: list[KernelCode] = []

    def visit(code: KernelCode) -> None:
        if code not in seen:
            seen.add(code)
            for callee in code.callees:
                visit(callee)
            callees_first.append(code)

    for code in kernels:
        visit(code)
    return callees_first[::-1]
