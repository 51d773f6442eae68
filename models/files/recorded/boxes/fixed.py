"""Intervals of a transition probability, from recordings whose lengths were fixed beforehand.

Let y follow x in k of n departures from x, p = P(x, y). The interval of Clopper and Pearson leaves
out every p with

    t = P(B >= k) < r / 2    or    P(B <= k) < r / 2,    B binomial with n trials.

Here n is random. In a recording of a fixed length the interval still misses with probability at
most r. Several recordings have t_1, .., t_g, and Fisher's product c = t_1 .. t_g is as small with
probability at most c (1 + .. + (-log c)^(g-1) / (g-1)!). Lengths alone decide which recordings are
looked at.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import exp, inf, lgamma, log, pi, sqrt
from typing import Any

from pufferproof.models.files.recorded.boxes.lasting import STEPS
from pufferproof.models.numbers.enclosures import least

RESTS_ON = ("general.fixed-length",)
MOST_RECORDINGS = 16
_NEAR = 2  # steps around an end that floats propose
_WIDEST = 60.0  # standard deviations
Run = tuple[int, int]  # successes and failures of a recording


def fixed_interval(runs: Sequence[Run], risk: Fraction) -> tuple[Fraction, Fraction]:
    """Return the interval for probability `risk` of missing, its ends rounded outward to six
    decimals.

    Every number outside is decided by Arb balls; what these do not tell apart stays inside.

    Args: runs: successes and failures of every recording, none of them left out for its counts.

    >>> fixed_interval([(3, 97)], Fraction(1, 20))
    (Fraction(6229, 1000000), Fraction(85177, 1000000))
    >>> fixed_interval([(0, 0)], Fraction(1, 20))
    (Fraction(0, 1), Fraction(1, 1))
    """
    other = [(failures, successes) for successes, failures in runs]
    return Fraction(_below(runs, risk), STEPS), 1 - Fraction(_below(other, risk), STEPS)


def _below(runs: Sequence[Run], risk: Fraction) -> int:
    """Return the largest place of a multiple of 1 / STEPS that is surely below the interval."""
    if not any(successes for successes, _ in runs):
        return 0

    def inside(place: int) -> bool:
        return place > 0 and not _outside(runs, risk / 2, place)

    guess = _guess_approx(runs, float(risk) / 2)
    low, high = max(0, guess - _NEAR), min(STEPS, guess + _NEAR)
    if inside(low) or not inside(high):
        low, high = 0, STEPS
    return least(inside, (low, high))[0]


def _outside(runs: Sequence[Run], half: Fraction, place: int) -> bool:
    """Whether p = place / STEPS is surely too small for so many successes."""
    from flint import arb, ctx, fmpq

    with ctx.workprec(96 + 2 * max(map(sum, runs)).bit_length()):
        product = arb(1)
        for successes, failures in runs:
            if successes:  # P(B >= k) = I_p(k, n - k + 1)
                point = arb(fmpq(place, STEPS))
                product *= point.beta_lower(arb(successes), arb(failures + 1), 1)
        # the chance rises in the product, so that its upper end will do
        top = product.upper()
        return bool(_chance(top, len(runs)) < arb(fmpq(half.numerator, half.denominator)))


def _chance(product: Any, count: int) -> Any:
    """Return c sum_j (-log c)^j / j!, j < count, of a product c."""
    if count == 1:
        return product
    term = whole = product
    depth = -product.log()
    for j in range(1, count):
        term = term * depth / j
        whole = whole + term
    return whole


def _guess_approx(runs: Sequence[Run], half: float) -> int:
    """Return about the place of the lower end, in floats."""
    from flint import arb, ctx

    def inside(place: int) -> bool:
        with ctx.workprec(64):
            chances = [arb(place / STEPS).beta_lower(arb(k), arb(m + 1), 1) for k, m in runs if k]
            depth = -float(sum((chance.log() for chance in chances), arb(0)))
        return _log_chance_approx(depth, len(runs)) >= log(half)  # no number is never inside

    return least(lambda place: place > 0 and inside(place), (0, STEPS))[0]


def _log_chance_approx(depth: float, count: int) -> float:
    """Return log sum_j e^-d d^j / j!, j < count, of a depth d = -log c, in floats."""
    if not 0 < depth < inf:
        return -depth
    terms = [j * log(depth) - lgamma(j + 1) - depth for j in range(count)]
    top = max(terms)
    return top + log(sum(exp(term - top) for term in terms))


def chosen(steps: Sequence[int], states: int, risk: Fraction) -> tuple[int, ...]:
    """Return the recordings whose intervals of a fixed length are expected to be closest, or
    nothing if lasting intervals of all together are: by their numbers of steps alone.

    Of the longest j, normal counts would give an interval z / sqrt(steps), z as Fisher's product
    or the mixture of Krichevsky and Trofimov asks for.

    >>> chosen([1000], 3, Fraction(1, 100)), chosen([4] * 600, 3, Fraction(1, 100))
    ((0,), ())
    """
    order = sorted((k for k, count in enumerate(steps) if count), key=lambda k: -steps[k])
    total = sum(steps)
    deep = log(1 / risk) + log(max(1.0, pi * total / states / 2)) / 2
    best, kept = sqrt(2 * deep / total) if total else inf, 0
    for count in range(1, min(len(order), MOST_RECORDINGS) + 1):
        some = [steps[k] for k in order[:count]]
        width = _deviations_approx(some, float(risk) / 2) / sqrt(sum(some))
        if width < best:
            best, kept = width, count
    return tuple(sorted(order[:kept]))


def _deviations_approx(steps: Sequence[int], half: float) -> float:
    """Return how many standard deviations off all counts are left out, in floats."""
    from flint import arb

    total = sum(steps)
    shares = [sqrt(count / total / 2) for count in steps]

    def out(z: float) -> bool:
        logs = [float((arb(z * share).erfc() / 2).log()) for share in shares]
        return _log_chance_approx(-sum(logs), len(steps)) < log(half)

    low, high = 0.0, _WIDEST
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if out(middle) else (middle, high)
    return high
