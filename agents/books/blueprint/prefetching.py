"""Memory prefetching for kernels."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from nlhe_env.jit.array_types import Int

if numba.config.DISABLE_JIT:

    def prefetch(address: Int) -> None:
        """No-op in plain Python."""

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def prefetch(typingctx: Any, address: Any) -> Any:
        """Prefetch the cache line at an address."""

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            to_read, into_all_caches, as_data = 0, 3, 1
            how = [number(value) for value in (to_read, into_all_caches, as_data)]
            builder.call(fetch, [builder.inttoptr(args[0], byte), *how])
            return context.get_dummy_value()

        return types.void(address), generate
