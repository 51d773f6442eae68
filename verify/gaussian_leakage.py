"""Leakage of Gaussian noise on a query with finitely many real values: infinite, rational, or a certified enclosure.

With values x_j = x_0 + g k_j, P(F = x_j | s) = p_j, P(F = x_j | s') = q_j, and v = exp((w - x_0) g / sigma^2) at output w,

    f(w | s) / f(w | s') = N(v) / D(v),  N = sum_j p_j c_j v^k_j,  D = sum_j q_j c_j v^k_j,  c_j = exp(-(g k_j)^2 / 2 sigma^2)

As w -> inf the largest value of either support decides: the ratio tends to p/q there, to infinity if only s has it; likewise
for the smallest. So the leakage is finite iff both secrets share their smallest and their largest value. Never above
max_j p_j / q_j (mediants), it equals that where an extreme value attains it: a rational supremum that no output reaches. Else
the critical points of N / D are isolated by Arb, the positive roots of

    N' D - N D' = sum over j > l of (k_j - k_l) (p_j q_l - p_l q_j) c_j c_l v^(k_j + k_l - 1),

and the largest value there, or a limit, is enclosed. A comparison with a level is refined; if it does not end it is undecided.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.level import Level
from pufferproof.models.numbers import dyadic, log_bounds
from pufferproof.verify.leakage import Leakage

if TYPE_CHECKING:
    from flint import arb

MOST_VALUES, MOST_STEPS, MOST_NATS = 60, 600, 100_000
_BITS, _MOST_BITS = 256, 4096
Law = dict[Fraction, Fraction]


@dataclass(frozen=True)
class GaussianRatio:
    """The supremum of N / D, and where: an output (as a float, to show), or "inf", "-inf" for a limit that is not reached."""

    leakage: Leakage
    output: str


def gaussian_ratio(above: Law, below: Law, variance: Fraction) -> GaussianRatio:
    """Return the largest ratio of the densities of F + Z given two secrets, in this order.

    >>> half = Fraction(1, 2)
    >>> found = gaussian_ratio({Fraction(0): half, Fraction(1): half}, {Fraction(0): 3 * half / 2, Fraction(1): half / 2}, half)
    >>> found.leakage.ratio, found.output
    (Fraction(2, 1), 'inf')

    Raises `ModelError` where critical points are needed and there are more than 60 values, or 600 steps of their grid, or they
    lie farther apart than about 400 sigma; `SolverError` where the critical points are not isolated at 4,096 bits.
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
    return _inside(_quotient(values, above, below, variance))


def _quotient(values: Sequence[Fraction], above: Law, below: Law, variance: Fraction) -> "_Quotient":
    if len(values) > MOST_VALUES:
        raise ModelError(
            f"expected at most {MOST_VALUES} values of the query for gaussian noise, found {len(values)}", "query"
        )
    quotient = _Quotient(values, above, below, variance)
    if quotient.exponents[-1] > MOST_STEPS:
        raise ModelError(
            f"expected values within {MOST_STEPS} steps of their grid for gaussian noise, found {quotient.exponents[-1]}",
            "query",
        )
    if (values[-1] - values[0]) ** 2 > 2 * variance * MOST_NATS:
        raise ModelError("expected values closer to each other, or a larger sigma", "noise")
    return quotient


def compare(found: GaussianRatio, again: "Sequence[tuple[Law, Law, Fraction]]", level: Level) -> int | None:
    """Return the sign of the leakage minus epsilon, None if 4,096 bits do not tell.

    `again` lists the laws and variances whose largest ratio `found` is, to be enclosed more narrowly.
    """
    if found.leakage.infinite:
        return 1
    if found.leakage.ratio is not None:
        return level.compare(found.leakage.ratio)
    bits = _BITS
    while bits <= _MOST_BITS:
        ends = [_enclosed(above, below, variance, bits) for above, below, variance in again]
        lower, upper = max(low for low, _ in ends), max(high for _, high in ends)
        low_sign, high_sign = level.compare(lower), level.compare(upper)
        if low_sign == high_sign:
            return low_sign
        bits *= 2
    return None


class _Quotient:
    """N and D as exponents with exact weights, and the logarithm of c_j."""

    def __init__(self, values: Sequence[Fraction], above: Law, below: Law, variance: Fraction) -> None:
        common = lcm(*((x - values[0]).denominator for x in values))
        steps = [int((x - values[0]) * common) for x in values]
        unit = gcd(*steps) or 1
        self.first, self.grain, self.variance = values[0], Fraction(unit, common), variance
        self.exponents = [step // unit for step in steps]
        self.above = [above.get(x, Fraction(0)) for x in values]
        self.below = [below.get(x, Fraction(0)) for x in values]

    def limits(self) -> list[tuple[Fraction, str]]:
        """Return the limits of the ratio as w -> -inf and w -> inf."""
        return [(self.above[0] / self.below[0], "-inf"), (self.above[-1] / self.below[-1], "inf")]

    def polynomials(self) -> tuple[Any, Any, Any]:
        """Return N, D and the slope without powers of v before it, enclosed at the present working precision."""
        from flint import arb, arb_poly

        scales = [self._scale(k) for k in self.exponents]
        top, bottom = ([arb(0)] * (self.exponents[-1] + 1) for _ in range(2))
        for k, p, q, scale in zip(self.exponents, self.above, self.below, scales):
            top[k], bottom[k] = _ball(p) * scale, _ball(q) * scale
        slope: dict[int, Any] = {}
        rows = list(zip(self.exponents, self.above, self.below, scales))
        for (j, p_j, q_j, low), (k, p_k, q_k, high) in combinations(rows, 2):
            if weight := (k - j) * (p_k * q_j - p_j * q_k):  # exact: what vanishes is left out
                slope[k + j] = slope.get(k + j, arb(0)) + _ball(weight) * low * high
        first = min(slope, default=0)
        inner = [slope.get(power, arb(0)) for power in range(first, max(slope, default=0) + 1)]
        return arb_poly(top), arb_poly(bottom), arb_poly(inner)

    def _scale(self, k: int) -> "arb":
        return _ball(-((self.grain * k) ** 2) / (2 * self.variance)).exp()

    def output(self, v: "arb") -> str:
        """Return the output w at a root v, in a few digits."""
        shift = float(v.log().mid()) * float(self.variance / self.grain)
        return f"{float(self.first) + shift:.6g}"


def _inside(quotient: _Quotient) -> GaussianRatio:
    bits = _BITS
    while bits <= _MOST_BITS:
        lower, upper, output = _at_bits(quotient, bits)
        if lower > 1:
            low, high = log_bounds(lower, 72)[0], log_bounds(upper, 72)[1]
            if high - low <= low / (1 << 60):
                return GaussianRatio(Leakage(lower, upper), output)
        elif upper <= 1:  # this order has no ratio above 1
            return GaussianRatio(Leakage(lower, upper), output)
        bits *= 2
    raise SolverError("the largest ratio under gaussian noise is not isolated at 4,096 bits")


def _enclosed(above: Law, below: Law, variance: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    return _at_bits(_Quotient(sorted({*above, *below}), above, below, variance), bits)[:2]


def _at_bits(quotient: _Quotient, bits: int) -> tuple[Fraction, Fraction, str]:
    """Return bounds of the supremum, and where it is."""
    from flint import ctx

    with ctx.workprec(bits):
        top, bottom, slope = quotient.polynomials()
        best = [(limit, limit, side) for limit, side in quotient.limits()]
        for root in _positive_roots(slope, bits):
            ratio = top(root) / bottom(root)
            if ratio.is_finite():
                best.append((dyadic(ratio.lower()), dyadic(ratio.upper()), quotient.output(root)))
            else:
                raise SolverError("a critical point of the density ratio is not enclosed")
    lower = max(low for low, _, _ in best)
    upper = max(high for _, high, _ in best)
    return lower, upper, next(output for low, _, output in best if low == lower)


def _positive_roots(slope: Any, bits: int) -> list["arb"]:
    """Enclose every positive root of a polynomial with balls as coefficients, its first and last ones not 0; none is missed.

    A root that may be real counts: one too many is harmless, as any value of the ratio is at most the supremum.
    """
    from flint import acb_poly, arb

    if slope.degree() < 1:
        return []
    try:
        roots = acb_poly(slope).roots(tol=arb(2) ** (-bits // 2), maxprec=2 * bits)
    except ValueError:
        raise SolverError("the critical points of the density ratio are not isolated") from None
    maybe = [root.real for root in roots if root.imag.contains(0) and not root.real < 0]
    if any(not root > 0 for root in maybe):
        raise SolverError("a critical point of the density ratio is not told from 0")
    return maybe


def _ball(value: Fraction) -> "arb":
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))
