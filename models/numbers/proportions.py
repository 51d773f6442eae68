"""Vectors of non-negative integers that stand for their proportions: of rationals, exactly, and
rounded down where they grow long, with the error counted; and what solvers in floats are good for.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import wraps
from math import ceil, gcd, isfinite, lcm
from typing import ParamSpec, SupportsFloat, TypeVar

from pufferproof.models.errors import SolverError, lacks

# What solvers are good for: floats that are no numbers, and errors of their own, are no answer.

_STEPS, _CLOSE = 100, 1e-14  # of a search for a root
_LARGEST = 1e100  # of what is scaled to about 1: far beyond, and far from an overflow
_OWN = ("z3", "cvxpy", "pyo3_runtime")  # libraries that raise errors of no common kind
_Asked = ParamSpec("_Asked")
_Found = TypeVar("_Found")


def are_numbers(found: Iterable[SupportsFloat]) -> bool:
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


Vector = tuple[int, ...]
_SHORT = 512  # bits: longer vectors have little in common


def integers(values: Sequence[Fraction]) -> Vector:
    """Return the least integers in the proportions of non-negative rationals.

    >>> integers([Fraction(1, 2), Fraction(1, 3), Fraction(0)])
    (3, 2, 0)
    """
    common = lcm(*(value.denominator for value in values))
    numbers = [value.numerator * (common // value.denominator) for value in values]
    factor = gcd(*numbers) or 1
    return tuple(number // factor for number in numbers)


def common_step(values: Iterable[Fraction]) -> Fraction:
    """Return the largest rational of which all these are multiples, 0 of zeros alone.

    >>> common_step([Fraction(1, 2), Fraction(-1, 3), Fraction(0)])
    Fraction(1, 6)
    """
    listed = [*values]
    common = lcm(*(value.denominator for value in listed))
    return Fraction(gcd(*(int(value * common) for value in listed)), common)


class Rounding:
    """How vectors are shortened: by common factors alone, or rounded down to `keep` bits with the
    error counted.

    Args:
        keep: bits of the least positive coordinate, None for exact vectors.
        tolerance: to how many bits vectors agree that are taken for one, or None if none are.

    `steps` says how often in a row that has happened; whoever shortens vectors counts.

    >>> rounding = Rounding(4)
    >>> rounding([1000, 0, 3000]), Rounding(None)([1000, 0, 3000])
    ((15, 0, 46), (1, 0, 3))
    >>> rounding.steps += 1
    >>> rounding.slack
    Fraction(9, 64)
    """

    def __init__(self, keep: int | None, tolerance: int | None = None) -> None:
        self.keep, self.tolerance = keep, tolerance
        self.steps = 0

    def __call__(self, vector: Sequence[int]) -> Vector:
        """Shorten a vector: by its common factor, or so that no entry changes by more than a
        factor 1 + 2^(1 - keep).
        """
        if self.keep is None:
            factor = gcd(*vector) if max(vector).bit_length() <= _SHORT else 1
            return tuple(vector) if factor <= 1 else tuple([entry // factor for entry in vector])
        shift = min([entry.bit_length() for entry in vector if entry], default=0) - self.keep
        return tuple(vector) if shift <= 0 else tuple([entry >> shift for entry in vector])

    @property
    def slack(self) -> Fraction:
        """A bound s of the relative error: true ratios are from r / (1 + s) to r (1 + s), r those
        that were found.

        Let u = 2^-(tolerance + 1), n = `steps`. In one step, up to a common factor, a coordinate
        that is kept is the true one divided by a factor from 1 to 1 + 2^(1 - keep): it is rounded
        down to `keep` bits or more. Then a vector that is left out has, twice at most, every
        coordinate within factors 1 - u and 1 + u of one that is kept, or of a combination of these
        (`pufferproof.verify.sequences.sides`). So two coordinates have a quotient that changes
        by a factor of at most

            (1 + 2^(1 - keep)) ((1 + u) / (1 - u))^2 <= e^t,  t = 2^(1 - keep) + 2^(2 - tolerance),

        since log((1 + u) / (1 - u)) <= 2 u / (1 - u^2) <= 4 u for u <= 1/2; t = 2^(1 - keep) where
        none are left out. Maps with entries that are not negative, and sums, leave factors of
        coordinates between the same bounds, so that after n steps the factor is at most e^(n t):
        the error compounds. With T = n t, e^T - 1 <= T + T^2 up to T = 1, as 1/2 + 1/6 + 1/24 + ..
        < 1, and < 3^ceil(T) - 1 beyond.
        """
        if self.keep is None:
            return Fraction(0)
        merged = 0 if self.tolerance is None else Fraction(4, 1 << self.tolerance)
        total = self.steps * (Fraction(2, 1 << self.keep) + merged)
        return total + total**2 if total <= 1 else Fraction(3 ** ceil(total) - 1)
