"""Dispatcher of kernels: Numba's, but with LLVM code for callers and separate entry points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import compiler, sigutils, typed_passes, untyped_passes
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import CPUDispatcher

from nlhe_env.jit.code_library import Entry, KernelCode, make_entry
from nlhe_env.jit.kernel_cache import KernelCache
from nlhe_env.system.compilation_progress import watched

_UNNEEDED_PASSES = {
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.AnnotateTypes,
    typed_passes.DumpParforDiagnostics,
}
"""Passes for inner functions, array expressions and reports."""


class _KernelPasses(compiler.Compiler):
    """Numba's passes; without memory, those that change nothing are left out.

    They take an eighth of the time of compiling to LLVM code, which stays the same.
    """

    def define_pipelines(self) -> Any:
        (whole,) = super().define_pipelines()
        if self.state.flags.nrt:
            return [whole]
        passes = PassManager("kernel")
        done = set(_UNNEEDED_PASSES)  # the others need no repetition: nothing was inlined
        for each, description in whole.passes:
            if each not in done:
                passes.add_pass(each, description)
                done.add(each)
        passes.finalize()
        return [passes]


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
        pipeline_class: type[Any] = _KernelPasses,
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
            arguments, _ = sigutils.normalize_signature(sig)
            if for_kernel:
                return self._compile_code(sig, arguments)
            if arguments not in self.entries:
                self.entries[arguments] = self._make_entry(sig, arguments)
            call = self.entries[arguments].call
            self._insert([each._code for each in arguments], call, False)
            return call

    @watched
    def compile_for_others(self, sig: tuple[Any, ...], *, is_entry: bool) -> None:
        """Compile the kernel for the cache on disk, unless another process has or does it.

        Args:
            sig: Types of the arguments.
            is_entry: Whether to generate machine code as well.
        """
        kind = "entry" if is_entry else "code"
        with global_compiler_lock, self._cache.claim(sig, self._codegen, kind, wait=False) as ours:
            if ours and is_entry:
                self._make_entry(sig, sig)
            elif ours:
                self._compile_code(sig, sig)

    @property
    def _codegen(self) -> Any:
        return self.targetctx.codegen()

    def _compile_code(self, sig: Any, arguments: tuple[Any, ...]) -> Any:
        if arguments in self.overloads:
            return self.overloads[arguments].entry_point
        with self._cache.claim(sig, self._codegen, "code"):
            return super().compile(sig)

    def _make_entry(self, sig: Any, arguments: tuple[Any, ...]) -> Entry:
        entry = self._cache.load_entry(sig, self.targetctx)
        if entry is None:
            self._compile_code(sig, arguments)
            with self._cache.claim(sig, self._codegen, "entry") as ours:
                if not ours:  # another process has generated it in the meantime
                    entry = self._cache.load_entry(sig, self.targetctx)
                if entry is None:
                    return self._generate_entry(sig, arguments)
        self._cache_hits[sig] += 1
        return entry

    def _generate_entry(self, sig: Any, arguments: tuple[Any, ...]) -> Entry:
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
