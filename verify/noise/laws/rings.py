"""What matrices of a pass are made of: numbers that are added and multiplied, without a minus.

`BALLS` are enclosures (Arb), for weights of an output. `GREATEST` is (max, +): a sum of products
over paths is then the greatest sum along one of them, and what is 0 a path that is impossible.
Tables that are summed over (`pufferproof.models.priors.bayesian_network.Bag`) take any such numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import matmul, mul
from typing import Any, NamedTuple

Rows = Sequence[Sequence[Any]]


class Ring(NamedTuple):
    """How matrices are made of rows and multiplied, and the neutral numbers of both operations."""

    matrix: Callable[[Rows], Any]
    times: Callable[[Any, Any], Any]
    zero: Any
    one: Any


@dataclass(frozen=True, slots=True)
class Greatest:
    """A number of (max, +), None for minus infinity.

    >>> Greatest(2) * Greatest(3) + Greatest(4)
    Greatest(value=5)
    >>> Greatest(2) * Greatest(None) + Greatest(4)
    Greatest(value=4)
    """

    value: int | None

    def __add__(self, other: "Greatest") -> "Greatest":
        if self.value is None or other.value is None:
            return other if self.value is None else self
        return max(self, other, key=lambda each: each.value or 0)

    def __mul__(self, other: "Greatest") -> "Greatest":
        if self.value is None or other.value is None:
            return Greatest(None)
        return Greatest(self.value + other.value)


def _balls(rows: Rows) -> Any:
    from flint import arb_mat

    return arb_mat([list(row) for row in rows])


def _objects(rows: Rows) -> Any:
    import numpy as np

    return np.array(rows, dtype=object)


BALLS = Ring(_balls, mul, 0, 1)
GREATEST = Ring(_objects, matmul, Greatest(None), Greatest(0))
