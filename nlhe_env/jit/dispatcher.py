"""Dispatcher of kernels: Numba's, but with LLVM code for callers and separate entry points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import compiler, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import CPUDispatcher

from nlhe_env.jit.code_library import Entry, KernelCode, make_entry
from nlhe_env.jit.kernel_cache import KernelCache
from nlhe_env.system.compilation_progress import watched


class KernelDispatcher(CPUDispatcher):
    """A kernel, with LLVM code for its callers and machine code for calls from Python.

    Attributes:
        entries: Entry points by argument types.
    """

    def __init__(
        self,
        py_func: Callable[..., Any],
        locals: dict[str, Any] | None = None,
        targetoptions: dict[str, Any] | None = None,
        pipeline_class: type[Any] = compiler.Compiler,
    ) -> None:
        """Take the arguments of Numba's dispatchers, which unpickling passes again."""
        super().__init__(py_func, locals, targetoptions, pipeline_class)
        self._compiler = _KernelCompiler(
            py_func, self.targetdescr, self.targetoptions, self.locals, pipeline_class
        )
        self._cache: KernelCache = KernelCache(py_func)
        self.entries: dict[tuple[Any, ...], Entry] = {}
        self._is_called_by_kernel = False

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Types of the kernel for a call from another kernel.

        Integer literals in the call count as int64: Numba gives each literal its own type, for
        which the kernel would be compiled again.
        """
        with global_compiler_lock:  # a copy, so that no other thread sees the change
            self._is_called_by_kernel = True
            try:
                return super().get_call_template(
                    [_without_value(each) for each in args],
                    {name: _without_value(each) for name, each in kws.items()},
                )
            finally:
                self._is_called_by_kernel = False

    def add_overload(self, compiled: Any) -> None:
        """Register LLVM code, which has no function for Python."""
        self.overloads[tuple(compiled.signature.args)] = compiled

    @watched
    def compile(self, sig: Any) -> Any:
        """Compile the kernel for a signature, unless already compiled."""
        with global_compiler_lock:
            for_kernel, self._is_called_by_kernel = self._is_called_by_kernel, False
            if for_kernel:
                return super().compile(sig)
            arguments, _ = sigutils.normalize_signature(sig)
            if arguments not in self.entries:
                self.entries[arguments] = self._make_entry(sig, arguments)
            call = self.entries[arguments].call
            self._insert([each._code for each in arguments], call, False)
            return call

    def _make_entry(self, sig: Any, arguments: tuple[Any, ...]) -> Entry:
        entry = self._cache.load_entry(sig, self.targetctx)
        if entry is not None:
            self._cache_hits[sig] += 1
            return entry
        super().compile(sig)
        self._cache.begin_entry()
        compiled = self.overloads[arguments]
        entry = make_entry(self.targetctx, compiled, memory=self.targetoptions["_nrt"])
        self._cache.save_entry(sig, entry, compiled)
        return entry


def _without_value(argument: Any) -> Any:
    return types.unliteral(argument) if isinstance(argument, types.IntegerLiteral) else argument


class _Flags(compiler.Flags):
    """Numba's compilation flags with a fast comparison.

    They are part of a key that Numba looks up for every call in a kernel; its own comparison takes
    a tenth of the compilation time.
    """

    _HASH = hash(compiler.Flags())  # equal for all values

    def __hash__(self) -> int:
        return self._HASH

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Flags) and self._values == other._values:
            return True
        return bool(super().__eq__(other))


class _KernelCompiler(_FunctionCompiler):
    """Compiler of LLVM code only."""

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = _Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = True
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        context = self.targetdescr.target_context
        code = KernelCode(context.codegen(), self.py_func.__qualname__)
        compiled = compiler.compile_extra(
            self.targetdescr.typing_context,
            context,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=code,
            pipeline_class=self.pipeline_class,
        )
        code._ensure_finalized()
        # Callers look up the code by the Python wrapper.
        compiled = compiled._replace(entry_point=code)
        context.insert_user_function(code, compiled.fndesc, [code])
        return compiled
