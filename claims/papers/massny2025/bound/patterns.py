"""Data-independent patterns on small chains, exactly from the definitions: leakage, best windows,
D* and printed bounds.

Given the nearest released records at distances l and r left and right of p the others say nothing
more: a pattern is its two distances (None: nothing released on that side), and its ratio a maximum
over four outcomes of products of entries of P^l and P^r. Levels are ratios R = e^eps. Nothing here
uses the closed forms that are examined. Source: massny2025, theorem 2.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from math import lcm
from typing import NamedTuple

from pufferproof.claims.language.statements import Fraction
from pufferproof.claims.papers.massny2025.influence.in_numbers import leaked
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.models.errors import SolverError

Pattern = tuple[int | None, int | None]
"""Distances of the nearest released records left and right of p."""
LONGEST = 1000


class Instance(NamedTuple):
    """A chain with a <= b, its length, the private index and a level R."""

    of: Chain
    length: int
    private: int
    ratio: Fraction

    @property
    def evidence(self) -> dict[str, object]:
        """The instance as evidence of a counterexample."""
        of = self.of
        return {
            "a": of.a,
            "b": of.b,
            "lam": of.eigenvalue,
            "n": self.length,
            "p": self.private,
            "e^eps": self.ratio,
        }


@cache
def max_influence(of: Chain, distance: int) -> Fraction:
    """e^Inf(X_p ~> X_t) at distance |p - t| > 0."""
    return max(pointwise(of, distance, 0), pointwise(of, distance, 1))


@cache
def pattern_leakage(of: Chain, left: int | None, right: int | None) -> Fraction:
    """e^Lk of a pattern that redacts X_p, from the laws of its nearest released records given
    X_p.
    """
    nothing = [(Fraction(1), Fraction(1))]
    columns = [
        nothing if distance is None else list(zip(*of.power(distance), strict=True))
        for distance in (left, right)
    ]
    ratios = [first[0] * second[0] / (first[1] * second[1]) for first, second in product(*columns)]
    return max(max(ratio, 1 / ratio) for ratio in ratios)


@cache
def first_distance(of: Chain, ratio: Fraction, share: int = 1) -> int:
    """D*(eps / share): the least D >= 1 with Inf <= eps / share at distance D, however long the
    chain is. Powers of the matrix have one denominator, which ratios do not need.
    """
    if not (0 < of.a < 1 and 0 < of.b < 1):  # no chain: what the definition makes of it
        return next(d for d in range(1, LONGEST) if max_influence(of, d) ** share <= ratio)
    size = lcm(of.a.denominator, of.b.denominator)
    a, b = int(of.a * size), int(of.b * size)
    (p, q), (r, s) = (size - a, a), (b, size - b)
    equal = ratio >= 1 and p * s == q * r  # rows of P^D are equal only if det(P)^D = 0
    for distance in range(1, LONGEST if ratio > 1 or equal else 1):
        pairs = ((p, r), (r, p), (q, s), (s, q))
        if all(x**share * ratio.denominator <= ratio.numerator * y**share for x, y in pairs):
            return distance
        p, q = p * (size - a) + q * b, p * a + q * (size - b)
        r, s = r * (size - a) + s * b, r * a + s * (size - b)
    raise SolverError(f"the influence exceeds the level at each distance below {LONGEST}")


def redacted(count: int, private: int, pattern: Pattern) -> int:
    """The least number of redacted records: the window between the nearest released ones."""
    left, right = pattern
    return (
        (private if left is None else left) + (count - private + 1 if right is None else right) - 1
    )


def patterns(count: int, private: int) -> list[Pattern]:
    """All pairs of distances inside 1 .. n."""
    lefts: list[int | None] = [*range(1, private), None]
    rights: list[int | None] = [*range(1, count - private + 1), None]
    return list(product(lefts, rights))


def optimum(at: Instance) -> tuple[int, list[Pattern]]:
    """The least number of records that an eps-private pattern redacts, and all windows that attain
    it.

    Randomised data-independent mechanisms leak as much as the pattern that releases all of R_rel,
    and release fewer records.
    """
    possible = sorted(
        patterns(at.length, at.private),
        key=lambda pattern: redacted(at.length, at.private, pattern),
    )
    least = next(
        redacted(at.length, at.private, pattern)
        for pattern in possible
        if pattern_leakage(at.of, *pattern) <= at.ratio
    )
    attained = [
        pattern
        for pattern in possible
        if redacted(at.length, at.private, pattern) == least
        and pattern_leakage(at.of, *pattern) <= at.ratio
    ]
    return least, attained


def case(at: Instance) -> int:
    """The case of theorem 2: 0 for eps < Inf(X_p~>X_n), 2 for eps >= Inf(X_p~>X_1) +
    Inf(X_p~>X_n), 1 otherwise.
    """
    right, left = at.length - at.private, at.private - 1
    if not right or at.ratio < max_influence(at.of, right):
        return 0
    return 2 if left and at.ratio >= max_influence(at.of, left) * max_influence(at.of, right) else 1


def printed_bound(at: Instance, slack: int = 1) -> int:
    """The number of records that theorem 2 says are redacted: n, min{R1, 2 D*(eps/2) - slack}
    or R1.
    """
    which = case(at)
    if which == 0:
        return at.length
    one_sided = first_distance(at.of, at.ratio) + at.private - 1
    return (
        one_sided if which == 1 else min(one_sided, 2 * first_distance(at.of, at.ratio, 2) - slack)
    )


def levels(of: Chain, longest: int) -> list[Fraction]:
    """Breakpoints above 1: influences up to a distance, products of two of them, and leakages
    of two-sided patterns.
    """
    distances = range(1, longest + 1)
    single = {pointwise(of, d, z) for d in distances for z in (0, 1)}
    pairs = {pattern_leakage(of, l, r) for l in distances for r in distances}
    products = {max_influence(of, l) * max_influence(of, r) for l in distances for r in distances}
    return sorted(ratio for ratio in single | pairs | products if ratio > 1)


def instances(
    longest: int, denominators: int, sign: int | None = None, positions: str = "p <= n/2"
) -> Iterator[Instance]:
    """Yield instances by n, p, chain and level: breakpoints and, before, after and between
    them, other levels.
    """
    for count in range(1, longest + 1):
        for private in range(1, count + 1):
            if positions == "p <= n/2" and 2 * private > count:
                continue
            for of in chains(denominators):
                eigenvalue = of.eigenvalue
                if sign is None or (eigenvalue > 0) - (eigenvalue < 0) == sign:
                    yield from (Instance(of, count, private, ratio) for ratio in _around(of, count))


@cache
def _around(of: Chain, count: int) -> list[Fraction]:
    points = levels(of, max(count - 1, 1)) or [Fraction(1)]
    between = [(first + second) / 2 for first, second in pairwise(points)]
    return sorted({*points, *between, (1 + points[0]) / 2, points[-1] + 1} - {Fraction(1)})


def fewest(at: Instance) -> str:
    """Write in numbers which patterns with the fewest redacted records are private: no other one
    with as few.
    """
    least, attained = optimum(at)
    few = [each for each in patterns(at.length, at.private) if any(each)]
    return " and ".join(
        f"{leaked(*each)} {'<=' if each in attained else '>'} e_eps"
        for each in few
        if redacted(at.length, at.private, each) <= least
    )
