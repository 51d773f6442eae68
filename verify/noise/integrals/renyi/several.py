"""The Renyi moment of noise on several numbers, between bounds as close as there is room for.

By products of quadratures (`products`). Where these take too many points, the moment is at most
what a coupling says, and at least that of some of the numbers alone, as leaving out
others is post-processing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from pufferproof.models.errors import SolverError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.level import Level
from pufferproof.verify.engines import Engine, ask
from pufferproof.verify.leakage.renyi import Bounds, Moment
from pufferproof.verify.noise.integrals.delta.coupling import Axis, Coupling, coupled_moment, of_noises
from pufferproof.verify.noise.integrals.renyi.products import product_moment
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, marginal

_FINEST = 40  # bits that floats reach
_COARSER = (20, 10, 4)  # bits to try where finer ones take too many points
_BITS = 128  # working precision of balls
FINEST = 384  # bits to which integrals are refined
Enclosing = Callable[[int], Bounds]  # at a working precision


@dataclass(frozen=True)
class Several(Moment):
    """The moment of an ordered pair of laws of several numbers; bounds may stay wide."""

    above: Law = field(repr=False, compare=False, kw_only=True)
    below: Law = field(repr=False, compare=False, kw_only=True)
    axes: Sequence[Axis] = field(repr=False, compare=False, kw_only=True)

    coarsest: ClassVar[int] = 10
    finest: ClassVar[int] = _FINEST

    def bounds(self, accuracy: int) -> Bounds:
        """Return rational bounds, of relative width at most 2^-accuracy where there is room for
        it, at most 2^-40.
        """
        asked = min(accuracy, _FINEST)
        if asked not in self._known:
            finest = (asked, *(coarse for coarse in _COARSER if coarse < asked))
            self._known[asked] = ask([*map(_by_products, finest), _far], self).expect()
        return self._known[asked]

    @cached_property
    def far(self) -> Bounds:
        """Bounds that no quadrature is needed for, or that of fewer numbers."""
        couplings = Coupling.some(self.above, self.below)
        upper = min(coupled_moment(coupling, self.axes, self.order, _BITS)[1] for coupling in couplings)
        return min(self._of_fewer(), upper), upper

    @cached_property
    def coupling(self) -> Coupling:
        return Coupling.near(self.above, self.below)

    def _of_fewer(self) -> Fraction:
        """Return a lower bound by some of the numbers: those that tell most, as many as can be."""
        alone = {k: self._of([k]) for k in range(len(self.axes))}
        chosen: list[int] = []
        best = Fraction(1)
        for k in sorted(alone, key=lambda k: -(alone[k] or 0)):
            lower = self._of([*chosen, k])
            if lower is None:
                break
            chosen.append(k)
            best = max(best, lower)
        return best

    def _of(self, kept: list[int]) -> Fraction | None:
        above, below = (marginal(law, kept) for law in (self.above, self.below))
        axes = [self.axes[k] for k in kept]
        fewer = Several(self.order, "", ("", ""), above=above, below=below, axes=axes)
        bounds = ask([_by_products(_COARSER[1])], fewer).answer
        return None if bounds is None else bounds[0]

    @cached_property
    def _known(self) -> dict[int, Bounds]:
        return {}


def _by_products(accuracy: int) -> Engine[Several, Bounds]:
    """Return the engine that encloses a moment by products of quadratures."""

    def products(of: Several) -> Bounds:
        return product_moment(of.above, of.below, of.axes, of.order, accuracy, of.coupling)

    return products


def _far(of: Several) -> Bounds:
    return of.far


def several_moment(pair: LawPair, noises: Sequence[Noise], order: Fraction) -> Moment:
    """Return the moment of noise on several numbers; of Gaussian noise in the flat of its values.

    >>> one, two = Fraction(1), Fraction(2)
    >>> pair = LawPair("theta", ("s", "t"), {(one, one): one}, {(two, two): one})
    >>> found = several_moment(pair, [Noise.laplace(1)] * 2, two)
    >>> f"{float(found.bounds(40)[0]):.10f}"  # ((2 e + e^-2) / 3)^2
    '3.4495619777'
    """
    above, below, axes = of_noises(pair, noises)
    if len(above) == len(below) == 1 or above == below:
        coupling = Coupling.near(above, below)
        nats = Fraction(0) if above == below else None
        return Integral(
            order, pair.prior, pair.pair, enclosing=lambda bits: coupled_moment(coupling, axes, order, bits), nats=nats
        )
    return Several(order, pair.prior, pair.pair, above=above, below=below, axes=axes)


@dataclass(frozen=True)
class Integral(Moment):
    """The moment of an ordered pair as `enclosing` bounds it; `nats` is the divergence where it
    is known to be a rational, `otherwise` has bounds where quadrature fails, which may stay wide.
    """

    enclosing: Enclosing = field(repr=False, compare=False, kw_only=True)
    nats: Fraction | None = field(default=None, kw_only=True)
    otherwise: Moment | None = field(default=None, repr=False, compare=False, kw_only=True)

    coarsest: ClassVar[int] = 12
    finest: ClassVar[int] = FINEST

    @cached_property
    def value(self) -> Fraction | None:
        """1 for equal laws, else no rational that is known."""
        return Fraction(1) if self.nats == 0 else None

    def bounds(self, accuracy: int) -> Bounds:
        """Return rational bounds, of relative width at most 2^-accuracy.

        Raises `SolverError` where quadrature does not reach that, and there is nothing else.
        """
        if self.otherwise is not None and self._failed:
            return self.otherwise.bounds(accuracy)
        if accuracy not in self._known:
            try:
                self._known[accuracy] = self._refined(accuracy)
            except SolverError:
                if self.otherwise is None:
                    raise
                self._failed.append(accuracy)
                return self.otherwise.bounds(accuracy)
        return self._known[accuracy]

    def _refined(self, accuracy: int) -> Bounds:
        bits = accuracy + 32
        for _ in range(6):
            lower, upper = self.enclosing(bits)
            if lower > 0 and (upper - lower) * 2**accuracy <= lower:
                return lower, upper
            bits += accuracy + 32
        raise SolverError("an integral of a Renyi divergence is not enclosed closely enough")

    @cached_property
    def _known(self) -> dict[int, Bounds]:
        return {}

    @cached_property
    def _failed(self) -> list[int]:
        return []

    def at(self, level: Level) -> int | None:
        """Return the sign of the divergence minus a level, or None if 384 bits do not tell."""
        if self.nats is None:
            return super().at(level)
        if level.nats is not None:
            return (self.nats > level.nats) - (self.nats < level.nats)
        return -Level.of_nats(self.nats).compare(level.ratio or Fraction(1))
