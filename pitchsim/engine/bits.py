"""Sets of cards as the bits of an int64: counting, finding and choosing among them.

All masks are non-negative int64 (at most 56 cards); uint64 never enters, for numba turns a mix
of the two into float64. The three instructions without a Python operator are LLVM intrinsics
behind `overload`, so that the same source runs uncompiled under ``NUMBA_DISABLE_JIT=1``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from pitchsim.engine.jit import inner


def popcount(x: int) -> int:
    """Count the cards of a set."""
    return int(x).bit_count()


def leading_zeros(x: int) -> int:
    """Count the zero bits above the highest card of a set; 64 for the empty set."""
    return 64 - int(x).bit_length()


def trailing_zeros(x: int) -> int:
    """Give the bit number of the lowest card of a set; 64 for the empty set."""
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


def _instruction(emit: Callable[[Any, Any], Any]) -> Any:
    """Make an int64 -> int64 intrinsic of one LLVM instruction."""

    @intrinsic  # type: ignore[untyped-decorator]
    def instruction(_typing: Any, _x: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return emit(builder, args[0])

        return types.int64(types.int64), generate

    return instruction


_DEFINED_AT_ZERO = ir.Constant(ir.IntType(1), 0)
_ctpop = _instruction(lambda builder, x: builder.ctpop(x))
_ctlz = _instruction(lambda builder, x: builder.ctlz(x, _DEFINED_AT_ZERO))
_cttz = _instruction(lambda builder, x: builder.cttz(x, _DEFINED_AT_ZERO))


# numba compares the names and the annotations of both signatures: lambdas have none.
overload(popcount)(lambda x: lambda x: _ctpop(x))  # noqa: ARG005
overload(leading_zeros)(lambda x: lambda x: _ctlz(x))  # noqa: ARG005
overload(trailing_zeros)(lambda x: lambda x: _cttz(x))  # noqa: ARG005


@inner
def lowest(x: int) -> int:
    """Give the lowest card of a set (the empty set of the empty set)."""
    return x & -x


@inner
def above(x: int) -> int:
    """Give every bit above the highest card of a set: all bits for the empty set."""
    return -1 << (64 - leading_zeros(x))


@inner
def highest(x: int) -> int:
    """Give the highest card of a set (the empty set of the empty set)."""
    return x & above(x >> 1)


@inner
def first(x: int, otherwise: int) -> int:
    """Give `x` unless it is empty: rules in order, the first that finds a card applies."""
    return x if x else otherwise


@inner
def when(condition: bool, x: int) -> int:
    """Give `x` if the condition holds, else the empty set: by a mask, without a branch."""
    return x & -int(condition)


@inner
def select(x: int, n: int) -> int:
    """Give the n-th card, counted from the lowest and from 0, of a set of at most six.

    All six candidates are made side by side and the three bits of `n` choose among them:
    no loop, no branch, and a third of the time of dropping the lowest card `n` times.
    """
    x1 = x & (x - 1)
    x2 = x1 & (x1 - 1)
    x3 = x2 & (x2 - 1)
    x4 = x3 & (x3 - 1)
    x5 = x4 & (x4 - 1)
    odd = n & 1
    chosen = x1 if odd else x
    third = x3 if odd else x2
    fifth = x5 if odd else x4
    chosen = third if n & 2 else chosen
    chosen = fifth if n & 4 else chosen
    return chosen & -chosen
