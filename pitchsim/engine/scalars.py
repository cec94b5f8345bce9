"""Sets of cards as the bits of one int64: for one hand alone, where `lanes.py` has eight.

`popcount`, `leading_zeros` and `shifted_down` then take a plain number too, and with them what is
made of them.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from pitchsim.engine.jit import inner
from pitchsim.engine.lanes import leading_zeros, popcount, shifted_down

_INT = ir.IntType(64)


def _instruction(name: str, *flags: Any) -> Any:
    """Make an intrinsic out of an instruction that LLVM has for numbers of 64 bits."""
    signature = ir.FunctionType(_INT, [_INT, *(flag.type for flag in flags)])

    @intrinsic  # type: ignore[untyped-decorator]
    def instruction(_typing: Any, x: Any) -> Any:
        def generate(context: Any, builder: Any, given: Any, values: Any) -> Any:
            number = context.cast(builder, values[0], given.args[0], types.int64)
            function = cgutils.get_or_insert_function(builder.module, signature, name)
            return builder.call(function, [number, *flags])

        return types.int64(x), generate

    return instruction


def _on_numbers(symbol: Any, instruction: Any) -> None:
    """Let a function of lanes take a plain number too."""
    overload(symbol)(lambda x: (lambda x: instruction(x)) if isinstance(x, types.Integer) else None)


_on_numbers(popcount, _instruction("llvm.ctpop.i64"))
_on_numbers(leading_zeros, _instruction("llvm.ctlz.i64", ir.Constant(ir.IntType(1), 0)))


overload(shifted_down)(
    lambda x, y: (
        (lambda x, y: x >> y & ((1 << (64 - y)) - 1)) if isinstance(x, types.Integer) else None
    )
)


@inner
def highest_of(x: int) -> int:
    """Give the highest card of a set (the empty set of the empty set)."""
    return 1 << (63 - leading_zeros(x)) if x else 0


@inner
def above_all(x: int) -> int:
    """Give every bit above the highest card of a set: all bits for the empty set."""
    return -1 << (64 - leading_zeros(x)) if x else -1
