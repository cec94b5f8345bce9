"""Sets of cards as the bits of one int64: the same as `bits.py`, for one hand alone."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from pitchsim.engine.jit import inner

_INT = ir.IntType(64)


def size(x: int) -> int:
    """Count the cards of a set."""
    return int(x).bit_count()


def zeros_above(x: int) -> int:
    """Count the zero bits above the highest 1 of a number that is not negative; 64 for 0."""
    return 64 - int(x).bit_length()


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


_size = _instruction("llvm.ctpop.i64")
_zeros_above = _instruction("llvm.ctlz.i64", ir.Constant(ir.IntType(1), 0))
overload(size)(lambda x: lambda x: _size(x))
overload(zeros_above)(lambda x: lambda x: _zeros_above(x))


@inner
def lowest_of(x: int) -> int:
    """Give the lowest card of a set (the empty set of the empty set)."""
    return x & -x


@inner
def highest_of(x: int) -> int:
    """Give the highest card of a set (the empty set of the empty set)."""
    return 1 << (63 - zeros_above(x)) if x else 0


@inner
def above_all(x: int) -> int:
    """Give every bit above the highest card of a set: all bits for the empty set."""
    return -1 << (64 - zeros_above(x)) if x else -1
