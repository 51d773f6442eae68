"""Leakage of discrete Gaussian noise: infinite, a limit, or a certified enclosure.

As of Gaussian noise it is finite only if both secrets share the smallest and the largest value of
every number, and outputs far out have the ratio of the extreme ones. The supremum over integers is
at most that over all numbers (`leakage`); where this is not a limit, integers between two ends,
beyond which the ratio is monotone, are taken one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import lattice_of
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.leakage.largest import most_of
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness, nothing_to_check
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, distinct, varying
from pufferproof.verify.noise.normal.leakage import GaussianRatio, NormalMixtureRatio, limit_of
from pufferproof.verify.noise.normal.lines import GaussianBounds

_BITS = 320
_MOST_OUTPUTS = 20_000  # integers that are taken one by one


def largest_lattice_ratio(laws: QueryLaws) -> GaussianBounds:
    """Return the largest ratio of likelihoods over all ordered pairs.

    >>> from pufferproof.models.noise.additive import Noise
    >>> half, one = Fraction(1, 2), Fraction(1)
    >>> pair = LawPair("theta", ("s", "t"), {(0 * one,): half, (one,): half}, {(0 * one,): one})
    >>> laws = QueryLaws((Noise.discrete_gaussian(1),), (pair,), 0, ())
    >>> largest_lattice_ratio(laws).witness.output
    'inf'

    Of mixtures of several numbers whose extreme values agree no bound is known. Raises `ModelError`
    beside other noise, `TooLargeError` where more than 20,000 integers could reach the largest.
    """
    if not laws.pairs:
        raise nothing_to_check()
    sigmas = lattice_of(laws.noises) or []
    found = [(pair, _ratio(pair, sigmas, laws)) for pair in distinct(laws.pairs)]
    lower = [ratio.leakage.lower for _, ratio in found]
    scope = Scope(len(laws.pairs), laws.excluded, laws.never)
    infinite = next((entry for entry in found if entry[1].leakage.infinite), None)
    best = infinite or max(found, key=lambda entry: entry[1].leakage.lower or Fraction(0))
    upper = [ratio.leakage.upper for _, ratio in found]
    most = max(low for low in lower if low is not None) if infinite is None else None
    leakage = Leakage.of(None) if most is None else Leakage(most, most_of(upper))
    witness = Witness(best[0].prior, best[0].pair, best[1].output)
    return GaussianBounds(leakage, witness, scope, (), claims=laws.claims)


def _ratio(pair: LawPair, sigmas: Sequence[Fraction], laws: QueryLaws) -> GaussianRatio:
    """Return the ratio of an ordered pair; its output names every number."""
    start = [text_of(number) for number in min(pair.below)]
    for k, axis in enumerate(pair.axes):
        for extreme, side in ((axis[0], "-inf"), (axis[-1], "inf")):
            if all(value[k] != extreme for value in pair.below):
                start[k] = side
                return GaussianRatio(Leakage.of(None), ",".join(start))
    fewer, noises = varying(pair, laws.noises)
    if len(noises) > 1:
        if fewer.above == fewer.below:
            return GaussianRatio(Leakage.of(Fraction(1)), ",".join(start))
        return GaussianRatio(Leakage(Fraction(1), None), ",".join(start))  # no bound is known
    (k,) = [k for k, axis in enumerate(pair.axes) if len(axis) > 1] or [0]
    above, below = ({value[0]: p for value, p in law.items()} for law in (fewer.above, fewer.below))
    ratio = _of_one(above, below, sigmas[k])
    start[k] = ratio.output
    return replace(ratio, output=",".join(start))


def _of_one(above: dict[Fraction, Fraction], below: dict[Fraction, Fraction], sigma2: Fraction) -> GaussianRatio:
    from flint import ctx

    limit = limit_of(above, below)
    if limit is not None:
        return limit
    values = sorted({*above, *below})
    over, under = ([law.get(x, Fraction(0)) for x in values] for law in (above, below))
    ratio = NormalMixtureRatio(values, over, under, sigma2)
    left, right = ratio.ends()
    low, high = floor(values[0] + sigma2 * left), ceil(values[0] + sigma2 * right)
    if high - low > _MOST_OUTPUTS:
        raise TooLargeError(
            f"a supremum over {high - low} integers: expected at most {_MOST_OUTPUTS}, or a delta or an order", "noise"
        )
    limits = [(over[0] / under[0], "-inf"), (over[-1] / under[-1], "inf")]
    bounds = [(limit, limit, side) for limit, side in limits]
    with ctx.workprec(_BITS):
        for place in range(low, high + 1):
            value = ratio.at((place - values[0]) / sigma2).log.exp()
            bounds.append((dyadic(value.lower()), dyadic(value.upper()), str(place)))
    lower, _, output = max(bounds, key=lambda bound: bound[0])
    return GaussianRatio(Leakage(lower, max(upper for _, upper, _ in bounds)), output)
