"""Noise so small beside its values that no ratio of likelihoods can be written: what it leaks in
nats.

Of one value each, x given s and y given s', the ratio of likelihoods is at most, and at the output
x equal to,

    prod_k t_k^-|x_k - y_k|,  t_k the decay of number k,

so that the leakage is the sum of |x_k - y_k| / scale_k, however large.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.models.numbers.enclosures import Enclosure, ball, dyadic, enclose, log_bounds
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import rounded, text_of
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness
from pufferproof.verify.noise.laws.of_framework import LawPair
from pufferproof.verify.noise.normal.lines import GaussianBounds

RESTS_ON = ("noise.attained",)
_BITS, _ACCURACY = 128, 96
_MOST_NATS = 1_000_000
_LEAST = Fraction(1 << 1_000_000)  # a ratio that every one of these is above


@dataclass(frozen=True, repr=False)
class FarLeakage(Leakage):
    """A leakage of more than 1,000,000 nats, between bounds in nats; as a ratio it has only a lower
    bound.
    """

    nats: tuple[Fraction, Fraction] = field(kw_only=True)

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if its bounds do not tell."""
        low, high = self.nats
        if level.nats is not None:
            asked = level.nats, level.nats
        else:
            ratio = level.ratio or Fraction(1)
            asked = (Fraction(0),) * 2 if ratio == 1 else log_bounds(ratio, _ACCURACY)
        if low == high == asked[0] == asked[1]:
            return 0
        if low > asked[1]:
            return 1
        return -1 if high < asked[0] else None

    def enclosure(self) -> Enclosure:
        """Return the leakage in nats as an enclosure."""
        return enclose(*self.nats)

    def __str__(self) -> str:
        return f"≈ {rounded(self.enclosure().lower, 7)} nats"


def far_ratio(decays: Sequence[Power], pairs: Sequence[LawPair], scope: Scope) -> GaussianBounds | None:
    """Return the largest ratio where every law has one value, if it is above e^1,000,000; else
    None.

    >>> one = Fraction(1)
    >>> pair = LawPair("theta", ("s", "t"), {(0 * one,): one}, {(one,): one})
    >>> found = far_ratio([Power.exp(-5_000_000 * one)], [pair], Scope(1, 0, ()))
    >>> str(found.leakage), found.witness.output
    ('≈ 5000000 nats', '0')
    """
    if not pairs or any(len(law) > 1 for pair in pairs for law in (pair.above, pair.below)):
        return None
    found = [(_nats(decays, pair), pair) for pair in pairs]
    low = max(bounds[0] for bounds, _ in found)
    if low <= _MOST_NATS:
        return None
    high = max(bounds[1] for bounds, _ in found)
    first = next(pair for bounds, pair in found if bounds[0] == low)
    output = ",".join(text_of(number) for number in next(iter(first.above)))
    leakage = FarLeakage(_LEAST, None, nats=(low, high))
    witness = Witness(first.prior, first.pair, output)
    return GaussianBounds(leakage, witness, scope, (), claims=RESTS_ON)


def _nats(decays: Sequence[Power], pair: LawPair) -> tuple[Fraction, Fraction]:
    from flint import arb, ctx

    (above,), (below,) = pair.above, pair.below
    total = Power()
    for decay, x, y in zip(decays, above, below):
        total = total.times(decay.to(-abs(x - y)))
    if not total.primes:
        return total.nats, total.nats
    with ctx.workprec(_BITS):
        value = ball(total.nats)
        for prime, exponent in total.primes:
            value += ball(exponent) * arb(prime).log()
        return dyadic(value.lower()), dyadic(value.upper())
