"""What HiGHS proposes for a linear program, in floats: a basis, a point and multipliers. Nothing
here decides anything.

`lp/exact/program.py` confirms a basis in rationals, and asks again with enlarged residuals where
floats were too coarse.
"""

import os
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from pufferproof.lp.exact.linear import Program, Row
from pufferproof.models.errors import extras
from pufferproof.models.numbers.proportions import proposing

if TYPE_CHECKING:
    import numpy as np
    from highspy import HighsLp
    from numpy.typing import NDArray

# Solvers of HiGHS that print nothing and compute on one thread.
#
# From version 1.16 on, the first solver of a process prints two lines on standard output before any option can be set.
# They would stand in front of every answer.

_ALONE = threading.Lock()


def highs(**options: Any) -> Any:
    """Return a solver of HiGHS with these options."""
    with extras:
        import highspy

    with _ALONE:  # two threads that keep and restore standard output would lose it
        _greeted()
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in {"output_flag": False, "threads": 1, **options}.items():
        solver.setOptionValue(name, value)
    return solver


@cache
def _greeted() -> None:
    """Have HiGHS print what it prints once in a process, where nobody reads it."""
    with extras:
        import highspy

    with _unread():
        highspy.Highs()  # type: ignore[no-untyped-call]


@contextmanager
def _unread() -> Iterator[None]:
    """Drop what libraries write on descriptor 1 while the body runs."""
    kept = None
    with suppress(OSError):  # standard output is closed: nothing can be written there
        kept = os.dup(1)
    if kept is None:
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(nowhere)
        os.close(kept)


_FAR = 1e15  # in a refinement, where the numbers that matter are about 1


@dataclass(frozen=True)
class Proposal:
    """The float optimum of a program: its basic variables, active rows, values, and multipliers
    (>= 0 on "<=" rows).
    """

    columns: tuple[int, ...]
    active: tuple[int, ...]
    x: tuple[float, ...]
    dual: tuple[float, ...]


@proposing
def proposed(
    program: Program, seconds: float | None = None, lower: Sequence[Fraction] | None = None
) -> Proposal | None:
    """Return the float optimum of a program, None if HiGHS reports none.

    Args:
        lower: lower bounds of the variables that are not free, instead of 0; costs are then taken
            as they are, not scaled, and what is larger than matters is cut off.
    """
    with extras:
        import highspy

    solver = highs() if seconds is None else highs(time_limit=float(seconds))
    values = [_floats(row.coefficients.values()) for row in program.rows]
    tops = [_top(row, floats) for row, floats in zip(program.rows, values)]
    unit, size, most = Fraction(1), Fraction(1), _FAR
    if lower is None:
        # x in units of the largest bound: tolerances would take small bounds for 0.
        size = _largest(abs(Fraction(row.bound)) / top for row, top in zip(program.rows, tops))
        unit, most = _largest(_costs(program)), 1e300
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = program.variables, len(program.rows)
    _enter_columns(model, program, lower, unit, most)
    _enter_rows(model, program, values, tops, size, most)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    basis, solution = solver.getBasis(), solver.getSolution()
    basic = highspy.HighsBasisStatus.kBasic
    columns = tuple(j for j, status in enumerate(basis.col_status) if status == basic)
    active = tuple(i for i, status in enumerate(basis.row_status) if status != basic)
    dual = tuple(-y * float(unit / top) for y, top in zip(solution.row_dual, tops))
    point = tuple(x * _float(size) for x in solution.col_value)
    return Proposal(columns, active, point, dual)


def _costs(program: Program) -> list[Fraction]:
    """Return what HiGHS minimises."""
    return [-Fraction(program.objective.get(j, 0)) for j in range(program.variables)]


def _enter_columns(
    model: "HighsLp", program: Program, lower: Sequence[Fraction] | None, unit: Fraction, most: float
) -> None:
    """Enter costs, in units, and bounds of the variables; what is larger than `most` is cut off."""
    with extras:
        import highspy
    import numpy as np

    model.col_cost_ = np.clip([_over(cost, unit) for cost in _costs(program)], -most, most)
    free = np.isin(np.arange(program.variables), list(program.free))
    least = np.zeros(program.variables)
    if lower is not None:
        least = np.clip([_float(value) for value in lower], -most, most)
    model.col_lower_ = np.where(free, -highspy.kHighsInf, least)
    model.col_upper_ = np.full(program.variables, highspy.kHighsInf)


def _enter_rows(
    model: "HighsLp",
    program: Program,
    floats: "Sequence[NDArray[np.float64]]",
    tops: Sequence[Fraction],
    size: Fraction,
    most: float,
) -> None:
    """Enter every row in units of its largest coefficient, and variables in units of `size`."""
    with extras:
        import highspy
    import numpy as np

    starts, places, values = [0], list[int](), list[float]()
    below, above = list[float](), list[float]()
    for row, known, top in zip(program.rows, floats, tops):
        places += row.coefficients
        values += _all_over(row.coefficients.values(), known, top)
        starts.append(len(places))
        bound = _over(row.bound, top * size)
        below.append(-highspy.kHighsInf if row.sense == "<=" else bound)
        above.append(highspy.kHighsInf if row.sense == ">=" else bound)
    model.row_lower_, model.row_upper_ = (
        np.clip(side, -most, most, where=np.isfinite(side), out=np.array(side)) for side in (below, above)
    )
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.array(starts, dtype=np.int32)
    model.a_matrix_.index_ = np.array(places, dtype=np.int32)
    model.a_matrix_.value_ = np.array(values, dtype=np.float64)


def _largest(numbers: Iterable[Fraction | int]) -> Fraction:
    sizes = list(numbers)
    return Fraction(max(max(sizes, default=0), -min(sizes, default=0)) or 1)


def _floats(numbers: Collection[Fraction | int]) -> "NDArray[np.float64]":
    """Return all numbers in floats, 1e300 where they are too large."""
    import numpy as np

    try:
        return np.array([number.numerator / number.denominator for number in numbers])
    except OverflowError:
        return np.array([_float(number) for number in numbers])


def _top(row: Row, floats: "NDArray[np.float64]") -> Fraction:
    """Return the largest coefficient of a row, about exactly, or 1 if all are 0."""
    import numpy as np

    numbers = row.coefficients.values()
    if len(floats) and 0 < float(np.abs(floats).max()) < 1e300:
        return abs(Fraction(next(islice(numbers, int(np.abs(floats).argmax()), None))))
    return _largest(numbers)


def _all_over(numbers: Collection[Fraction | int], above: "NDArray[np.float64]", unit: Fraction) -> list[float]:
    """Return all numbers / unit as `_over` does, at once where none is too large."""
    import numpy as np

    below = _float(unit)
    if not 1e-150 < below < 1e150 or not (np.abs(above) < 1e150).all():
        return [_over(number, unit) for number in numbers]
    divided: list[float] = (above / below).tolist()
    return divided


def _over(number: Fraction | int, unit: Fraction) -> float:
    """Return number / unit, in floats if both are small enough to lose only last digits."""
    above, below = _float(number), _float(unit)
    return above / below if abs(above) < 1e150 and 1e-150 < below < 1e150 else _float(number / unit)


def _float(number: Fraction | int) -> float:
    try:
        return float(number)
    except OverflowError:  # only a proposal: the exact check decides
        return 1e300 if number > 0 else -1e300
