"""The largest Renyi divergence of queries with noise, for an order alpha > 1.

    e^((alpha - 1) epsilon) = max over theta, (s, s') of
        integral over outputs w of f(w | s, theta)^alpha f(w | s', theta)^(1 - alpha),

a sum where outputs are integers: beyond the extreme values ratios are constant, so that it is that
of noise which is cut off there, and rational for integer orders where ratios of geometric noise
are. Else integrals are enclosed (`scalar`), and refined until they decide; of several
numbers (`several`) as closely as there is room for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pufferproof.models.framework import Framework
from pufferproof.models.interface.arguments import Number
from pufferproof.models.noise.additive import Noise, lattice_of
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.verify.decision import united
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.leakage.renyi import Bounds, Moment, Renyi, order_of
from pufferproof.verify.noise.integrals.delta.integers import OutputGrid
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw
from pufferproof.verify.noise.integrals.renyi.lattice import lattice_moment
from pufferproof.verify.noise.integrals.renyi.scalar import (
    gaussian_moment,
    laplace_moment,
    single_divergence,
)
from pufferproof.verify.noise.integrals.renyi.several import Integral, several_moment
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, distinct, varying
from pufferproof.verify.noise.normal.lines import RESTS_ON as LINES_REST_ON
from pufferproof.verify.noise.normal.lines import on_a_line, scalar_laws
from pufferproof.verify.noise.queries import query_laws

_STEPS = (16, 96)  # bits at which pairs that cannot be the largest are left out


def noise_renyi(framework: Framework, mechanism: NoisyQueries, alpha: Number) -> Renyi:
    """Return the largest Renyi divergence of order alpha of queries with noise, over listed priors
    and ordered pairs.

    Args:
        framework: what must be protected.
        mechanism: any numbers with any noise: exact or closely enclosed for one number, for
            Gaussian noise on a line and for 200,000 integer outputs, else between bounds.
        alpha: the order, as `renyi_divergence` takes it.

    Raises `ModelError` where Gaussian noise is too small for its values.
    """
    return largest_renyi(query_laws(framework, mechanism), order_of(alpha))


def largest_renyi(laws: QueryLaws, order: Fraction) -> Renyi:
    """Return the largest Renyi divergence of the laws of a query, the noise in them."""
    if not laws.pairs:
        raise nothing_to_check()
    moments = [moment_of(pair, laws.noises, order) for pair in distinct(laws.pairs)]
    for accuracy in _STEPS:
        if len(moments) == 1:
            break
        bounds = [moment.bounds(accuracy) for moment in moments]
        floor = max(lower for lower, _ in bounds)
        moments = [kept for kept, (_, upper) in zip(moments, bounds) if upper >= floor]
    lattice = lattice_of(laws.noises) is not None
    on_lines = (
        not lattice
        and len(laws.noises) > 1
        and any(noise.variance is not None for noise in laws.noises)
    )
    claims = united(laws.claims, LINES_REST_ON if on_lines else ())
    return Renyi(order, tuple(moments), claims=claims)


def moment_of(pair: LawPair, noises: Sequence[Noise], order: Fraction) -> Moment:
    """Return the moment of an ordered pair, coordinates that never vary left out."""
    question = MomentQuestion(pair, *varying(pair, noises), order)
    engines = on_lattice, on_integers, on_one_line, of_one_number, of_several
    return ask(engines, question).expect()


@dataclass(frozen=True)
class MomentQuestion:
    """The moment of an ordered pair: `fewer` has the coordinates that vary, with their noise."""

    pair: LawPair
    fewer: LawPair
    noises: Sequence[Noise]
    order: Fraction

    @property
    def decays(self) -> list[Power]:
        """The decays of noise that has one."""
        return [noise.decay for noise in self.noises if noise.decay is not None]


def on_lattice(question: MomentQuestion) -> Moment | None:
    """Sum over outputs of discrete Gaussian noise, in closed form of single values."""
    sigmas = lattice_of(question.noises)
    if sigmas is None:
        return None
    return lattice_moment(question.pair, question.fewer, sigmas, question.order)


def on_integers(question: MomentQuestion) -> Moment | None:
    """Sum over all outputs, which are integers."""
    if not all(noise.on_integers for noise in question.noises):
        return None
    return _grid_moment(OutputGrid(question.fewer, question.decays), question.order)


def on_one_line(question: MomentQuestion) -> Moment | None:
    """Enclose the integral along the line on which all values with Gaussian noise lie."""
    fewer, noises, order = question.fewer, question.noises, question.order
    if question.decays or not on_a_line(fewer):
        return None
    moment = line_moment(question.pair, *scalar_laws(fewer, noises), order)
    return replace(moment, otherwise=several_moment(fewer, noises, order))


def of_one_number(question: MomentQuestion) -> Moment | None:
    """Enclose the integral over the outputs of one number with Laplace noise."""
    fewer, order = question.fewer, question.order
    if len(question.noises) > 1 or question.noises[0].on_integers:
        return None
    above, below = ({value[0]: p for value, p in law.items()} for law in (fewer.above, fewer.below))
    (decay,) = question.decays

    def enclosing(bits: int) -> Bounds:
        return laplace_moment(above, below, decay, order, bits)

    nats = Fraction(0) if above == below else None
    pair = question.pair
    return Integral(order, pair.prior, pair.pair, (), enclosing=enclosing, nats=nats)


def of_several(question: MomentQuestion) -> Moment:
    """Bound the moment of several numbers."""
    return several_moment(question.fewer, question.noises, question.order)


def line_moment(
    pair: LawPair, above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction
) -> Integral:
    """Return the moment of Gaussian noise on a number."""

    def enclosing(bits: int) -> Bounds:
        return gaussian_moment(above, below, variance, order, bits)

    nats = single_divergence(above, below, variance, order)
    return Integral(order, pair.prior, pair.pair, (), enclosing=enclosing, nats=nats)


def _grid_moment(grid: OutputGrid, order: Fraction) -> Moment:
    """Return the moment of noise on integers: rational terms where decays are rational."""
    pair = grid.pair
    if (terms := grid.terms()) is not None:
        return Moment(order, pair.prior, pair.pair, terms)

    def enclosing(bits: int) -> Bounds:
        from flint import arb, ctx

        with ctx.workprec(bits):
            total, excess = arb(0), ball(order - 1)
            for above, below in grid.balls():
                total += above * ((above / below).log() * excess).exp()
            return dyadic(total.lower()), dyadic(total.upper())

    nats = Fraction(0) if pair.above == pair.below else None
    return Integral(order, pair.prior, pair.pair, (), enclosing=enclosing, nats=nats)
