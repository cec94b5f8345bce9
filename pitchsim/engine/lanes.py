"""Eight numbers side by side: the kernels deal and play eight hands at once.

`Lanes` is eight int64. Compiled it is a vector of LLVM, which every processor runs with what it
has (one AVX-512 register, two of AVX2, four of SSE2) and which none needs; uncompiled, under
``NUMBA_DISABLE_JIT=1``, it is a numpy array of eight. The same source serves both: operators work
lane by lane, a plain number stands for the same number in each lane, a comparison gives 1 or 0,
and in the place of an `if` stands `where`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import intrinsic, overload, register_model
from numpy.typing import NDArray

WIDTH = 8

#: Eight int64 side by side; numpy's own types cannot say that a comparison gives lanes as well.
Lanes: TypeAlias = Any
#: Lanes, or a number that is the same in every lane.
Numbers: TypeAlias = Any

_INT = ir.IntType(64)
_VECTOR = ir.VectorType(_INT, WIDTH)


class _LanesType(types.Type):  # type: ignore[misc]
    """The type as numba's inference knows it."""


_lanes = _LanesType("Lanes")


@register_model(_LanesType)
class _LanesModel(PrimitiveModel):  # type: ignore[misc]
    """The type as LLVM knows it."""

    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, _VECTOR)


def _is_lanes(numba_type: Any) -> bool:
    return isinstance(numba_type, _LanesType)


def _as_vector(context: Any, builder: Any, value: Any, numba_type: Any) -> Any:
    """Give lanes as they are, and a plain number in every lane."""
    if _is_lanes(numba_type):
        return value
    number = context.cast(builder, value, numba_type, types.int64)
    empty = ir.Constant(_VECTOR, ir.Undefined)
    places = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    first = builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, empty, places)


def _operation(emit: Callable[..., Any], arguments: int, *, plain: bool = False) -> Any:
    """Make an intrinsic out of what emits the instructions for vectors.

    Applies where at least one argument is lanes, or, if `plain`, to plain numbers as well.
    """

    def typed(given: tuple[Any, ...]) -> Any:
        if not plain and not any(map(_is_lanes, given)):
            return None

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pairs = zip(values, signature.args, strict=True)
            return emit(builder, *(_as_vector(context, builder, v, t) for v, t in pairs))

        return _lanes(*given), generate

    if arguments == 1:
        return intrinsic(lambda _typing, x: typed((x,)))
    if arguments == 2:
        return intrinsic(lambda _typing, x, y: typed((x, y)))
    return intrinsic(lambda _typing, x, y, z: typed((x, y, z)))


def _unary(symbol: Any, emit: Callable[..., Any]) -> None:
    """Teach numba what an operator or a function of one does with lanes."""
    operation = _operation(emit, 1)
    overload(symbol)(lambda x: (lambda x: operation(x)) if _is_lanes(x) else None)


def _binary(symbol: Any, emit: Callable[..., Any]) -> None:
    """Teach numba what an operator or a function of two does where one at least is lanes."""
    operation = _operation(emit, 2)
    overload(symbol)(
        lambda x, y: (lambda x, y: operation(x, y)) if _is_lanes(x) or _is_lanes(y) else None
    )


def _comparison(sign: str) -> Callable[..., Any]:
    return lambda builder, x, y: builder.zext(builder.icmp_signed(sign, x, y), _VECTOR)


def _largest(builder: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.icmp_signed(">", x, y), x, y)


def _counting(name: str, *flags: Any) -> Callable[..., Any]:
    """Call an instruction that LLVM has for every width of vector."""
    signature = ir.FunctionType(_VECTOR, [_VECTOR, *(flag.type for flag in flags)])

    def emit(builder: Any, x: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, signature, f"{name}.v{WIDTH}i64")
        return builder.call(function, [x, *flags])

    return emit


def popcount(x: Lanes) -> Lanes:
    """Count the bits that are 1."""
    return np.bitwise_count(x).astype(np.int64)


def leading_zeros(x: Lanes) -> Lanes:
    """Count the zero bits above the highest 1; 64 where there is none."""
    for shift in (1, 2, 4, 8, 16, 32):
        x = x | x >> shift
    return 64 - popcount(x)


def shifted_down(x: Lanes, y: int) -> Lanes:
    """Shift right by `y` as if the numbers had no sign; `>>` is for those that are not negative."""
    return (x.view(np.uint64) >> np.uint64(y)).view(np.int64)


def larger(x: Lanes, y: Numbers) -> Lanes:
    """Give the larger of two."""
    return np.maximum(x, y)


def where(condition: Lanes, x: Numbers, y: Numbers) -> Lanes:
    """Give `x` in the lanes where the condition is not 0, and `y` in the others."""
    return np.where(condition != 0, x, y)


def any_of(x: Lanes) -> bool:
    """Say whether any lane is not 0."""
    return bool(np.any(x != 0))


def every(x: int | np.int64) -> Lanes:
    """Give a plain number in every lane."""
    return np.full(WIDTH, x, np.int64)


def load(rows: NDArray[np.int64], row: int) -> Lanes:
    """Read a row of int64[rows, 8], C-contiguous."""
    return rows[row].copy()


def store(rows: NDArray[np.int64], row: int, x: Lanes) -> None:
    """Write a row of int64[rows, 8], C-contiguous."""
    rows[row] = x


def look_up(table: NDArray[np.int64], row: int, places: Lanes) -> Lanes:
    """Give the numbers at some places of a row of a table, int64[rows, length], C-contiguous."""
    return table[row, places]


_UNARY: dict[Any, Callable[[Any, Any], Any]] = {
    operator.neg: lambda builder, x: builder.neg(x),
    operator.invert: lambda builder, x: builder.not_(x),
    popcount: _counting("llvm.ctpop"),
    leading_zeros: _counting("llvm.ctlz", ir.Constant(ir.IntType(1), 0)),
}
_BINARY: dict[Any, Callable[[Any, Any, Any], Any]] = {
    operator.and_: lambda builder, x, y: builder.and_(x, y),
    operator.or_: lambda builder, x, y: builder.or_(x, y),
    operator.xor: lambda builder, x, y: builder.xor(x, y),
    operator.add: lambda builder, x, y: builder.add(x, y),
    operator.sub: lambda builder, x, y: builder.sub(x, y),
    operator.mul: lambda builder, x, y: builder.mul(x, y),
    operator.mod: lambda builder, x, y: builder.urem(x, y),
    operator.lshift: lambda builder, x, y: builder.shl(x, y),
    operator.rshift: lambda builder, x, y: builder.lshr(x, y),
    operator.eq: _comparison("=="),
    operator.ne: _comparison("!="),
    operator.lt: _comparison("<"),
    operator.gt: _comparison(">"),
    operator.ge: _comparison(">="),
    shifted_down: lambda builder, x, y: builder.lshr(x, y),
    larger: _largest,
}
for _symbol, _emit_one in _UNARY.items():
    _unary(_symbol, _emit_one)
for _symbol, _emit_two in _BINARY.items():
    _binary(_symbol, _emit_two)


def _not_zero(builder: Any, x: Any) -> Any:
    return builder.icmp_signed("!=", x, ir.Constant(_VECTOR, None))


_where = _operation(lambda builder, c, x, y: builder.select(_not_zero(builder, c), x, y), 3)
_every = _operation(lambda _builder, x: x, 1, plain=True)


@intrinsic  # type: ignore[untyped-decorator]
def _any_of(_typing: Any, x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        bits = builder.bitcast(_not_zero(builder, values[0]), ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(WIDTH), 0))

    return types.boolean(x), generate


def _row_pointer(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    rows = context.make_array(signature.args[0])(context, builder, values[0])
    start = builder.mul(values[1], ir.Constant(_INT, WIDTH))
    return builder.bitcast(builder.gep(rows.data, [start]), _VECTOR.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def _load(_typing: Any, rows: Any, _row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(_row_pointer(context, builder, signature, values), align=8)

    return _lanes(rows, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _store(_typing: Any, rows: Any, _row: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        builder.store(values[2], _row_pointer(context, builder, signature, values), align=8)
        return context.get_dummy_value()

    return types.void(rows, types.int64, x), generate


@intrinsic  # type: ignore[untyped-decorator]
def _look_up(_typing: Any, table: Any, _row: Any, places: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, values[0])
        length = builder.extract_value(array.shape, 1)
        start = builder.gep(array.data, [builder.mul(values[1], length)])
        found = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(WIDTH):
            here = ir.Constant(ir.IntType(32), lane)
            place = builder.extract_element(values[2], here)
            found = builder.insert_element(found, builder.load(builder.gep(start, [place])), here)
        return found

    return _lanes(table, types.int64, places), generate


overload(look_up)(
    lambda table, row, places: lambda table, row, places: _look_up(table, row, places)
)
overload(where)(lambda condition, x, y: lambda condition, x, y: _where(condition, x, y))
overload(every)(lambda x: lambda x: _every(x))
overload(any_of)(lambda x: lambda x: _any_of(x))
overload(load)(lambda rows, row: lambda rows, row: _load(rows, row))
overload(store)(lambda rows, row, x: lambda rows, row, x: _store(rows, row, x))
