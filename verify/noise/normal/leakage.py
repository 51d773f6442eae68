"""Leakage of Gaussian noise on a query with finitely many real values: infinite, rational, or a
certified enclosure.

It is finite iff both secrets share their smallest and their largest value. Never above the largest
quotient of probabilities of a value, it equals that where an extreme value attains it: a rational
supremum that no output reaches. Else the supremum is enclosed
(`pufferproof.verify.noise.normal.supremum`). A comparison with a level is refined; if it does not
end it is undecided.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.normal.supremum import NormalMixtureRatio, Supremum

RESTS_ON = ("noise.gaussian-finite", "noise.law")
MOST_VALUES, MOST_NATS = 400, 100_000
_FIRST_BITS, _MOST_BITS = 320, 2560
Law = dict[Fraction, Fraction]


@dataclass(frozen=True)
class GaussianRatio:
    """The supremum of a ratio of densities, and where: an output (as a float, to show), or a
    limit, "inf" or "-inf".
    """

    leakage: Leakage
    output: str


def gaussian_ratio(above: Law, below: Law, variance: Fraction) -> GaussianRatio:
    """Return the largest ratio of the densities of F + Z given two secrets, in this order.

    As the output w -> inf the largest value of either support decides: with P(F = x | s) = p and
    P(F = x | s') = q for it, the ratio of densities tends to p/q, to infinity if only s has it;
    likewise for the smallest (noise.gaussian-finite). It is never above max p/q over the values
    (mediants).

    >>> half = Fraction(1, 2)
    >>> largest = gaussian_ratio(
    ...     {Fraction(0): half, Fraction(1): half},
    ...     {Fraction(0): 3 * half / 2, Fraction(1): half / 2},
    ...     half,
    ... )
    >>> largest.leakage.ratio, largest.output
    (Fraction(2, 1), 'inf')

    Raises `ModelError` where an enclosure is needed and there are more than 400 values, or they lie
    farther apart than about 400 sigma; `SolverError` where the search for it grows too large.
    """
    values = sorted({*above, *below})
    for extreme, side in ((values[0], "-inf"), (values[-1], "inf")):
        if extreme not in below:
            return GaussianRatio(Leakage.of(None), side)
    if all(x in below for x in above):
        bound = max(p / below[x] for x, p in above.items())
        for extreme, side in ((values[0], "-inf"), (values[-1], "inf")):
            if extreme in above and above[extreme] / below[extreme] == bound:
                return GaussianRatio(Leakage.of(bound), side)
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        supremum = _enclosed(above, below, variance, bits)
        if supremum.lower == supremum.upper or (
            _narrow(supremum) and not supremum.output.endswith("inf")
        ):
            break
        bits *= 2
    return GaussianRatio(Leakage(supremum.lower, supremum.upper), supremum.output)


def compare(
    largest: GaussianRatio, again: "Sequence[tuple[Law, Law, Fraction]]", level: Level
) -> int | None:
    """Return the sign of the leakage minus epsilon, None if 2,560 bits do not tell.

    `again` lists the laws and variances whose largest ratio `found` is, to be enclosed more
    narrowly.
    """
    if largest.leakage.infinite:
        return 1
    if largest.leakage.ratio is not None:
        return level.compare(largest.leakage.ratio)
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        ends = [_enclosed(above, below, variance, bits) for above, below, variance in again]
        low_sign = level.compare(max(each.lower for each in ends))
        high_sign = level.compare(max(each.upper for each in ends))
        if low_sign == high_sign:
            return low_sign
        bits *= 2
    return None


def _enclosed(above: Law, below: Law, variance: Fraction, bits: int) -> Supremum:
    values = sorted({*above, *below})
    if len(values) > MOST_VALUES:
        raise ModelError(
            f"expected at most {MOST_VALUES} values of the query for gaussian noise, found "
            f"{len(values)}",
            "query",
        )
    if (values[-1] - values[0]) ** 2 > 2 * variance * MOST_NATS:
        raise ModelError("expected values closer to each other, or a larger sigma", "noise")
    numerators, denominators = ([law.get(x, Fraction(0)) for x in values] for law in (above, below))
    return NormalMixtureRatio(values, numerators, denominators, variance).supremum(bits)


def _narrow(supremum: Supremum) -> bool:
    """Whether bounds have logarithms with a relative width of at most 2^-60."""
    if supremum.lower <= 1:
        return False
    low, high = log_bounds(supremum.lower, 72)[0], log_bounds(supremum.upper, 72)[1]
    return high - low <= low / (1 << 60)
