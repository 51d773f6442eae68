"""Renyi divergences as promises about Gaussian noise: what it has, and what a coupling bounds.

A coupling of two laws that moves mass by d with probability g(d) bounds the moment of the noise,

    e^((alpha - 1) D) <= sum over d of g(d) e^(alpha (alpha - 1) d^2 / 2 sigma^2),

as f^alpha g^(1 - alpha) is jointly convex in both densities. On a line the coupling of quantiles
makes the sum least, the cost being convex in d. It is at most what W_inf alone gives.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log, log1p, sqrt
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import ball, log_approx
from pufferproof.models.numbers.level import Level
from pufferproof.verify.leakage.renyi import Moment
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw
from pufferproof.verify.noise.integrals.renyi.largest import line_moment
from pufferproof.verify.noise.laws.of_framework import LawPair

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("noise.coupling",)
_BITS = (64, 192, 640)
_GUESS = 48
_PAIR = LawPair("", ("", ""), {}, {})


@dataclass(frozen=True)
class Divergence:
    """A Renyi divergence of an order, at most a level above 0."""

    level: Level
    order: Fraction

    def __post_init__(self) -> None:
        if self.level.ratio == 1:
            raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "epsilon")

    @property
    def start(self) -> float:
        """The sigma that is enough for two values at distance 1."""
        return sqrt(float(self.order) / (2 * self.nats_approx))

    @property
    def nats_approx(self) -> float:
        """The level in nats."""
        return float(self.level.enclosure().upper)

    def bare(self, above: ScalarLaw, below: ScalarLaw) -> bool:
        """Say whether the laws themselves have at most that divergence."""
        terms = tuple((p, below.get(v, Fraction(0))) for v, p in above.items())
        sign = Moment(self.order, "", ("", ""), terms).at(self.level)
        return sign is not None and sign <= 0

    def broken(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> bool | None:
        """Say whether noise of a variance has a larger one."""
        sign = line_moment(_PAIR, above, below, variance, self.order).at(self.level)
        return None if sign is None else sign > 0

    def excess_approx(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> float:
        """Return the logarithm of the divergence over the level."""
        moment = line_moment(_PAIR, above, below, variance, self.order)
        if moment.nats is not None:
            nats = float(moment.nats)
        else:
            lower, upper = moment.bounds(_GUESS)
            nats = _log_approx((lower + upper) / 2) / float(self.order - 1)
        return log(nats / self.nats_approx) if nats > 0 else -inf


@dataclass(frozen=True)
class Transport(Divergence):
    """The bound by the coupling of quantiles, at most a level above 0."""

    def bare(self, above: ScalarLaw, below: ScalarLaw) -> bool:
        """Say whether no mass moves."""
        return above == below

    def broken(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> bool | None:
        """Say whether the bound for noise of a variance is larger."""
        from flint import ctx

        for bits in _BITS:
            with ctx.workprec(bits):
                bar = (self.level.ball().log() * ball(self.order - 1)).exp()
                total = self._sum(above, below, variance)
                if total > bar or total <= bar:
                    return bool(total > bar)
        return None

    def excess_approx(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> float:
        """Return the logarithm of the bound over the level."""
        from flint import ctx

        with ctx.workprec(_BITS[0]):
            nats = float(self._sum(above, below, variance).log().mid()) / float(self.order - 1)
        return log(nats / self.nats_approx) if nats > 0 else -inf

    def _sum(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction) -> "arb":
        from flint import arb

        factor = self.order * (self.order - 1) / (2 * variance)
        moved = quantile_coupling(above, below)
        return sum((ball(p) * ball(factor * d * d).exp() for d, p in moved), arb(0))


def quantile_coupling(above: ScalarLaw, below: ScalarLaw) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield how far quantiles move, and how much mass does.

    >>> one, half = Fraction(1), Fraction(1, 2)
    >>> moved = quantile_coupling({0 * one: half, 4 * one: half}, {one: one})
    >>> [(int(d), str(p)) for d, p in moved]
    [(1, '1/2'), (-3, '1/2')]
    """
    left, right = sorted(above.items()), sorted(below.items())
    (x, p), (y, q) = left.pop(0), right.pop(0)
    while True:
        mass = min(p, q)
        yield y - x, mass
        p, q = p - mass, q - mass
        if not (p or left) or not (q or right):
            return
        if not p:
            x, p = left.pop(0)
        if not q:
            y, q = right.pop(0)


def _log_approx(moment: Fraction) -> float:
    if moment < 2:
        return log1p(float(moment - 1))
    return log_approx(moment)
