"""Open half-spaces of draws, and whether some of them have a point in common.

    half-space: sum_v d_v x_v + c > 0,    d coprime integers, c rational

Independent draws with densities hit a region of finitely many open half-spaces with positive
probability iff it is not empty, and a boundary with probability 0. Emptiness is decided by
Fourier-Motzkin elimination: of each two half-spaces that bound a draw from two sides, the sum
without the draw. Parallel half-spaces are reduced to the tightest at every step.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import gcd, lcm
from typing import Any, NamedTuple

from flint import fmpq

from pufferproof.models.numbers.pieces import End

_MOST = 4000  # half-spaces in an elimination
Direction = tuple[tuple[int, int], ...]


class TooManyError(Exception):
    """An elimination has more half-spaces or cells than a limit."""


class HalfSpace(NamedTuple):
    """sum d_v x_v + above / below > 0 as ((v, d_v), ..), the constant in lowest terms.

    >>> half_space({0: fmpq(2), 1: fmpq(-4)}, fmpq(3))
    HalfSpace(direction=((0, 1), (1, -2)), above=3, below=2)
    """

    direction: Direction
    above: int
    below: int

    @property
    def constant(self) -> Any:
        """The constant as `flint.fmpq`."""
        return fmpq(self.above, self.below)

    def opposite(self) -> "HalfSpace":
        """Return the other side of the boundary."""
        return HalfSpace(tuple((v, -d) for v, d in self.direction), -self.above, self.below)

    def renamed(self, names: Mapping[int, int]) -> "HalfSpace":
        """Return the half-space with other numbers of draws, in their order."""
        return HalfSpace(tuple(sorted((names[v], d) for v, d in self.direction)), self.above, self.below)


def half_space(parts: Mapping[int, Any], constant: Any) -> HalfSpace:
    """Return sum parts[v] x_v + constant > 0 in normal form; some part is not 0."""
    if len(parts) == 1:
        ((v, only),) = parts.items()
        rest = constant / abs(only)
        return HalfSpace(((v, 1 if only > 0 else -1),), int(rest.p), int(rest.q))
    scale = lcm(*(int(c.q) for c in parts.values()))
    whole = {v: int((c * scale).p) for v, c in parts.items()}
    common = gcd(*whole.values())
    rest = constant * scale / common
    direction = tuple(sorted((v, d // common) for v, d in whole.items()))
    return HalfSpace(direction, int(rest.p), int(rest.q))


def bounds(draw: int, low: End, high: End) -> list[HalfSpace]:
    """Return low < x < high as half-spaces, of ends that are finite."""
    above = [] if low is None else [HalfSpace(((draw, 1),), -int(low.p), int(low.q))]
    below = [] if high is None else [HalfSpace(((draw, -1),), int(high.p), int(high.q))]
    return above + below


def feasible(region: Iterable[HalfSpace]) -> bool:
    """Whether open half-spaces have a point in common.

    >>> below = half_space({0: fmpq(1), 1: fmpq(-1)}, fmpq(0))
    >>> feasible([below, below.opposite()]), feasible([below, *bounds(0, None, fmpq(0))])
    (False, True)

    Raises `TooManyError` if the elimination needs more than 4,000 half-spaces.
    """
    start: dict[Direction, Any] = {}
    for half in region:
        _tighten(start, half.direction, half.constant)
    tight: dict[Direction, Any] | None = start
    while tight:
        draw = _cheapest(tight)
        tight = _without(draw, tight)
    return tight is not None


def _tighten(tight: dict[Direction, Any], direction: Direction, constant: object) -> None:
    if direction not in tight or constant < tight[direction]:
        tight[direction] = constant


def _cheapest(tight: Mapping[Direction, Any]) -> int:
    """Return the draw whose elimination adds fewest half-spaces."""
    counts: dict[int, list[int]] = {}
    for direction in tight:
        for v, d in direction:
            counts.setdefault(v, [0, 0])[d > 0] += 1
    cost = {v: down * up - down - up for v, (down, up) in counts.items()}
    return min(cost, key=lambda v: (cost[v], v))


def _without(draw: int, tight: Mapping[Direction, Any]) -> dict[Direction, Any] | None:
    """Return the projection along a draw, or None if a constant shows that it is empty."""
    rest: dict[Direction, Any] = {}
    sides: tuple[list[Any], list[Any]] = ([], [])
    for direction, constant in tight.items():
        own = next((d for v, d in direction if v == draw), 0)
        if own:
            sides[own > 0].append((abs(own), dict(direction), constant))
        else:
            _tighten(rest, direction, constant)
    if len(rest) + len(sides[0]) * len(sides[1]) > _MOST:
        raise TooManyError
    for a, down, c in sides[0]:
        for b, up, d in sides[1]:
            parts = {v: a * up.get(v, 0) + b * down.get(v, 0) for v in {**down, **up}}
            constant, left = b * c + a * d, sorted((v, x) for v, x in parts.items() if x)
            if not left and constant <= 0:
                return None
            if left:
                common = gcd(*(x for _, x in left))
                _tighten(rest, tuple((v, x // common) for v, x in left), constant / common)
    return rest


def tightest(region: Iterable[HalfSpace]) -> list[HalfSpace]:
    """Return one half-space for each direction, the tightest."""
    found: dict[Direction, HalfSpace] = {}
    for half in region:
        other = found.get(half.direction)
        if other is None or half.above * other.below < other.above * half.below:
            found[half.direction] = half
    return list(found.values())


def draws_of(region: Sequence[HalfSpace]) -> list[int]:
    """Return the draws in half-spaces, in ascending order."""
    return sorted({v for half in region for v, _ in half.direction})
