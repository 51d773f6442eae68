"""What floats of a solver are good for: nothing, where they are no numbers."""

from collections.abc import Iterable
from math import isfinite
from typing import Any

_LARGEST = 1e100  # of what is scaled to about 1: far beyond, and far from an overflow


def are_numbers(found: Iterable[Any]) -> bool:
    """Whether all values that a solver found are numbers that arithmetic can go on with.

    >>> are_numbers([0.5, -2]), are_numbers([float("nan")]), are_numbers([1e300])
    (True, False, False)
    """
    return all(isfinite(value) and abs(value) < _LARGEST for value in map(float, found))
