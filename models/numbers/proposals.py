"""What solvers are good for: floats that are no numbers, and errors of their own, are no answer."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from math import isfinite
from typing import Any, ParamSpec, TypeVar

from pufferproof.models.errors import SolverError, lacks

_STEPS, _CLOSE = 100, 1e-14  # of a search for a root
_LARGEST = 1e100  # of what is scaled to about 1: far beyond, and far from an overflow
_OWN = ("z3", "cvxpy", "pyo3_runtime")  # libraries that raise errors of no common kind
_Asked = ParamSpec("_Asked")
_Found = TypeVar("_Found")


def are_numbers(found: Iterable[Any]) -> bool:
    """Whether all values that a solver found are numbers that arithmetic can go on with.

    >>> are_numbers([0.5, -2]), are_numbers([float("nan")]), are_numbers([1e300])
    (True, False, False)
    """
    return all(isfinite(value) and abs(value) < _LARGEST for value in map(float, found))


@contextmanager
def solving(solver: str, kind: type[SolverError] = SolverError) -> Iterator[None]:
    """Raise an error of the package, of some kind, instead of one that a solver raises; a
    `SolverError` where it has not enough memory, which is not for others to go on with.

    >>> with solving("HiGHS"):
    ...     raise RuntimeError("full")
    Traceback (most recent call last):
    pufferproof.models.errors.SolverError: HiGHS broke, and nothing is decided: RuntimeError: full
    """
    try:
        yield
    except MemoryError as error:
        raise SolverError(f"{solver}: expected a program that fits in memory, {lacks(error)}") from error
    except BaseException as error:  # a panic of Rust is no Exception
        if not _is_of_solver(error):
            raise
        said = f"{solver} broke, and nothing is decided: {type(error).__name__}: {error}"
        raise kind(said) from error


def proposing(ask: Callable[_Asked, _Found]) -> Callable[_Asked, _Found | None]:
    """Return a function that has None instead of what a solver is asked for where it breaks: a
    proposal that is not there.

    >>> proposing(float)("1.5"), proposing(float)("rubbish")
    (1.5, None)
    """

    @wraps(ask)
    def asked(*arguments: _Asked.args, **options: _Asked.kwargs) -> _Found | None:
        try:
            return ask(*arguments, **options)
        except BaseException as error:
            if not _is_of_solver(error):
                raise
            return None

    return asked


def root_approx(function: Callable[[float], float], low: float, high: float) -> float | None:
    """Return about where a continuous function is 0, or None if both ends have values of one sign.

    By regula falsi, where the value of an end that stays is halved (the Illinois rule).

    >>> round(root_approx(lambda x: x * x - 2, 0, 2), 12)
    1.414213562373
    """
    below, above = function(low), function(high)
    if not below:
        return low
    if not below * above < 0:
        return None if above else high
    close = _CLOSE * max(abs(low), abs(high))
    for _ in range(_STEPS):
        middle = high - above * (high - low) / (above - below)
        step, value = abs(middle - high), function(middle)
        if value * above < 0:
            low, below = high, above
        else:
            below /= 2
        high, above = middle, value
        if not value or step <= close:
            break
    return high


def _is_of_solver(error: BaseException) -> bool:
    kinds = RuntimeError, ValueError, ArithmeticError
    return isinstance(error, kinds) or type(error).__module__.partition(".")[0] in _OWN
