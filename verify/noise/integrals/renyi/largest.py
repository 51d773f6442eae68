"""The largest Renyi divergence of queries with noise, for an order alpha > 1.

    e^((alpha - 1) epsilon) = max over theta, (s, s') of
        integral over outputs w of f(w | s, theta)^alpha f(w | s', theta)^(1 - alpha),

a sum where outputs are integers: beyond the extreme values ratios are constant, so that it is that
of noise which is cut off there, and rational for integer orders where ratios of geometric noise
are. Else integrals are enclosed (`scalar`), and refined until they decide; of several
numbers (`several`) as closely as there is room for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import ceil, floor, isqrt

from flint import acb, acb_poly, arb, ctx

from pufferproof.models.errors import ModelError, SolverError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Number
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import Noise, lattice_of
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.enclosures import Enclosure, ball, dyadic, log_approx
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import common_step
from pufferproof.models.numbers.text import at_least
from pufferproof.verify.decision import united
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.leakage.renyi import Bounds, Moment, Renyi, largest_of, moment_sum, order_of
from pufferproof.verify.noise.integrals.delta.one_number import OutputGrid, ScalarLaw, falling, rising
from pufferproof.verify.noise.integrals.renyi.several import Enclosing, Integral, several_moment
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, distinct, varying
from pufferproof.verify.noise.normal.lines import RESTS_ON as LINES_REST_ON
from pufferproof.verify.noise.normal.lines import on_a_line, scalar_laws
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.partial import Mixtures, TableLaws

# The largest Renyi divergence of tables of exponential sums, for an order alpha > 1: enclosed; of tables of which
# something is left, from below.
#
#     e^((alpha - 1) epsilon) = max over theta, (s, s') of  sum over y of p^alpha q^(1 - alpha),
#
# with p, q the probabilities of y given two secrets. If p, q are what is listed, and l_q is left of the second, then
#
#     sum over listed y of p^alpha (q + l_q)^(1 - alpha)
#
# is at most that, since p^alpha q^(1 - alpha) rises in p and falls in q. There is no upper bound: outputs that are not
# listed may be possible given one secret alone.

Terms = Callable[[], list[tuple[arb, arb]]]  # balls of p and q at the working precision


@dataclass(frozen=True, repr=False)
class RenyiAtLeast(Renyi):
    """A Renyi divergence that is known from below."""

    def enclosure(self) -> Enclosure:
        """Return the lower bound in nats, and no upper one."""
        return Enclosure(super().enclosure().lower, "inf")

    @property
    def moment(self) -> None:
        """None: only a bound of it is known."""
        return

    def compare(self, level: Level) -> int | None:
        """Return 1 if the divergence is more than a level, None if that is not known."""
        return 1 if super().compare(level) == 1 else None

    def text(self) -> str:
        """Write the bound for a person."""
        if self.infinite:
            return "infinite"
        return f"at least {at_least(self.enclosure().lower, 7)} nats, no upper bound is known"


def table_renyi(framework: Framework, table: PowerTable | PartialTable, alpha: Number) -> Renyi:
    """Return the largest Renyi divergence of order alpha of a table, over listed priors and ordered
    pairs; a lower bound of it if something of the table is left.

    Raises `ModelError` for outputs with numbers that are drawn, unless every possible database has
    a row, priors are a list, and there is something to check.
    """
    order = order_of(alpha)
    if isinstance(table, PowerTable):
        return largest_of(order, list(_of_table(framework, table, order)))
    if isinstance(table, NormalTable) and not table.rounded:
        raise ModelError(
            "needs Gaussian noise that is rounded, found a number that is clamped, hidden, or "
            "has a sigma of its own for every database (a delta is decided for it)",
            "renyi",
        )
    if table.densities:
        raise ModelError(
            "needs listed outputs and noise on a query, found numbers that are drawn on some "
            "paths alone (a delta is decided for them)",
            "renyi",
        )
    some = any(rest.terms for rest in table.left)
    moments = list(_of_partial(Mixtures(framework, table), order))
    return largest_of(order, moments, RenyiAtLeast if some else Renyi)


def _of_table(framework: Framework, table: PowerTable, order: Fraction) -> Iterator[Moment]:
    laws, outputs = TableLaws(framework, table), range(len(table.outputs))
    for prior in framework.priors:
        for pair in ordered_pairs(framework, prior):
            above = [y for y in outputs if laws.possible(prior, pair[0], y)]

            def balls(prior: str = prior, pair: Pair = pair, above: Sequence[int] = above) -> list[tuple[arb, arb]]:
                laws.forget()  # what was enclosed less closely
                return [(laws.ball(prior, pair[0], y), laws.ball(prior, pair[1], y)) for y in above]

            infinite = any(not laws.possible(prior, pair[1], y) for y in above)
            yield _moment(order, prior, pair, balls, infinite, alike(laws, prior, pair))


def alike(laws: TableLaws, prior: str, pair: Pair) -> bool:
    """Whether two laws are the same by their forms; False if these are too long."""
    outputs = range(len(laws.table.outputs))
    if any(not laws.ball(prior, pair[0], y).overlaps(laws.ball(prior, pair[1], y)) for y in outputs):
        return False
    with suppress(TooLargeError):
        return all(first == second for first, second in (laws.exact(prior, pair, y) for y in outputs))
    return False


def _of_partial(laws: Mixtures, order: Fraction) -> Iterator[Moment]:
    for prior, pair in laws.pairs():
        *above, _ = laws.given(prior, pair[0])
        *below, left = laws.given(prior, pair[1])
        never = [laws.impossible(prior, pair[1], output) for output in laws.table.outputs]
        rows = zip(above, below, never)
        both = [(p, ExponentialSum([]) if no else q + left) for p, q, no in rows if p.terms]

        def balls(both: Sequence[tuple[ExponentialSum, ExponentialSum]] = both) -> list[tuple[arb, arb]]:
            whole = laws.whole.ball()
            return [(p.ball() / whole, q.ball() / whole) for p, q in both]

        infinite = any(not q.terms for _, q in both)
        yield _moment(order, prior, pair, balls, infinite, above == below and not left.terms)


def _moment(order: Fraction, prior: str, pair: Pair, balls: Terms, infinite: bool, alike: bool) -> Moment:
    if infinite:
        return Moment(order, prior, pair, ((Fraction(1), Fraction(0)),))

    def enclosing(bits: int) -> Bounds:
        with ctx.workprec(bits):
            total = moment_sum(((p, p / q) for p, q in balls()), order)
            return max(dyadic(total.lower()), Fraction(0)), dyadic(total.upper())

    nats = Fraction(0) if alike else None
    return Integral(order, prior, pair, enclosing=enclosing, nats=nats)


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
    moments = [moment_of(pair, laws.noises, order) for pair in distinct(laws.pairs)]
    lattice = lattice_of(laws.noises) is not None
    on_lines = not lattice and len(laws.noises) > 1 and any(noise.variance is not None for noise in laws.noises)
    claims = united(laws.claims, LINES_REST_ON if on_lines else ())
    return largest_of(order, moments, claims=claims)


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
    sigmas, fewer, order = lattice_of(question.noises), question.fewer, question.order
    if sigmas is None:
        return None
    if len(fewer.above) == 1 == len(fewer.below):
        (above,), (below,) = fewer.above, fewer.below
        moves = [x - y for x, y in zip(above, below)]
        nats = sum((order * d * d / (2 * v) for d, v in zip(moves, sigmas)), Fraction(0))
        exactly = all((order * d).denominator == 1 for d in moves)
        enclosing = partial(lattice_shift_moment, moves, sigmas, order)
        return _integral(question.pair, order, enclosing, nats if exactly else None)
    if len(sigmas) > 1:
        raise TooLargeError(
            "an order of several numbers with discrete Gaussian noise under a prior that mixes "
            "their values is not supported: expected one number",
            "query",
        )
    laws = fewer.scalars
    enclosing = partial(lattice_moment, *laws, sigmas[0], order)
    return _integral(question.pair, order, enclosing, Fraction(0) if laws[0] == laws[1] else None)


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
    laws, (decay,) = fewer.scalars, question.decays
    enclosing = partial(laplace_moment, *laws, decay, order)
    return _integral(question.pair, order, enclosing, Fraction(0) if laws[0] == laws[1] else None)


def of_several(question: MomentQuestion) -> Moment:
    """Bound the moment of several numbers."""
    return several_moment(question.fewer, question.noises, question.order)


def line_moment(pair: LawPair, above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction) -> Integral:
    """Return the moment of Gaussian noise on a number."""
    enclosing = partial(gaussian_moment, above, below, variance, order)
    return _integral(pair, order, enclosing, single_divergence(above, below, variance, order))


def _grid_moment(grid: OutputGrid, order: Fraction) -> Moment:
    """Return the moment of noise on integers: rational terms where decays are rational."""
    pair = grid.pair
    if (terms := grid.terms()) is not None:
        return Moment(order, pair.prior, pair.pair, terms)

    def enclosing(bits: int) -> Bounds:
        with ctx.workprec(bits):
            total = moment_sum(((p, p / q) for p, q in grid.balls()), order)
            return dyadic(total.lower()), dyadic(total.upper())

    return _integral(pair, order, enclosing, Fraction(0) if pair.above == pair.below else None)


def _integral(pair: LawPair, order: Fraction, enclosing: Enclosing, nats: Fraction | None) -> Integral:
    return Integral(order, pair.prior, pair.pair, enclosing=enclosing, nats=nats)


# Scalar -------------------------------------------------------------------------------------------
#
# The Renyi moment of Gaussian, discrete Gaussian or Laplace noise on one number.
#
# For Gaussian noise with y = w - v_0, u = e^(y step / v) and values v_0 + j step, the densities
# are a normal density times polynomials in u with coefficients p_j e^(-(j step)^2 / 2v). Arb
# encloses the integral of f (f/g)^(alpha-1), analytic near the real line, between two ends. Beyond
# them, f is at most the density about its extreme value a, and g at least q times that about its
# own, b: there the integral is at most
#
#     q^(1-alpha) e^(alpha (alpha-1) (a-b)^2 / 2v) P(Z > B - alpha a - (1-alpha) b), Z normal.
#
# For a single value each the divergence is alpha (a-b)^2 / 2v. Of discrete Gaussian noise the
# moment is a sum over integers, with the same bound beyond two ends, Z discrete. For a single value
# each, with d = a - b, completing the square gives
#
#     sum over w of P(w - a)^alpha P(w - b)^(1-alpha)
#         = exp(alpha (alpha-1) d^2 / 2v) Theta(alpha d) / Theta(0),
#
# so that the divergence is at most alpha d^2 / 2v, which it is where alpha d is an integer
# (Canonne, Kamath and Steinke 2020, proposition 5). Several numbers multiply.

_MOST_OUTPUTS = 100_000  # integers of a sum
_MOST_NATS = 100_000  # of a divergence: beyond it noise hides nothing
_DENSE = 50  # as many coefficients of a polynomial may stand for one that is not 0
_NONE = Fraction(0)


def single_divergence(above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction) -> Fraction | None:
    """Return the divergence in nats where both laws have one value, 0 of equal ones, else None."""
    if above == below:
        return Fraction(0)
    if len(above) > 1 or len(below) > 1:
        return None
    (left,), (right,) = above, below
    return order * (left - right) ** 2 / (2 * variance)


def gaussian_moment(above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction, bits: int) -> Bounds:
    """Return bounds of the moment of an ordered pair, at a working precision.

    >>> one = Fraction(1)
    >>> bounds = gaussian_moment({0 * one: one}, {one: one}, one, 2 * one, 96)
    >>> f"{float(bounds[0]):.12f}"  # e
    '2.718281828459'

    Raises `ModelError` where the divergence could exceed 100,000 nats, `SolverError` where Arb
    finds no enclosure, for hundreds of values.
    """
    with ctx.workprec(bits):
        scale = ball(2 * variance).sqrt()
        integrand = _Integrand(above, below, variance, order)
        tails = [_AxisTail(above, below, variance, order, side) for side in (-1, 1)]
        low, high = (tail.end(bits) for tail in tails)
        tolerance = arb(2) ** (24 - bits)
        whole = acb.integral(
            integrand.at,
            acb(ball(low - integrand.first)),
            acb(ball(high - integrand.first)),
            rel_tol=tolerance,
            abs_tol=tolerance,
        ).real
        if not whole.is_finite():
            raise SolverError("an integral of a Renyi divergence is not enclosed")
        rest = [tail.factor * (ball(tail.distance(end)) / scale).erfc() / 2 for tail, end in zip(tails, (low, high))]
        return _with_rest(whole, rest)


def lattice_moment(above: ScalarLaw, below: ScalarLaw, sigma2: Fraction, order: Fraction, bits: int) -> Bounds:
    """Return bounds of the moment of discrete Gaussian noise, at a working precision.

    Raises `ModelError` as `gaussian_moment` does, `TooLargeError` with more than 100,000 outputs.
    """
    law = LatticeGaussian(sigma2)
    tails = [_AxisTail(above, below, sigma2, order, side) for side in (-1, 1)]
    low, high = floor(tails[0].end(bits)), ceil(tails[1].end(bits))
    if high - low > _MOST_OUTPUTS:
        raise TooLargeError(
            f"a sum of {high - low} outputs: expected at most {_MOST_OUTPUTS}, or one value each", "noise"
        )

    def weights(mixed: ScalarLaw) -> list[arb]:
        parts = [(value, ball(p)) for value, p in mixed.items()]
        return [sum((p * law.weight(place - value) for value, p in parts), ball(0)) for place in range(low, high + 1)]

    with ctx.workprec(bits):
        ratios = ((p, p / q) for p, q in zip(weights(above), weights(below)))
        whole = moment_sum(ratios, order) / law.theta()
        # a tail from the distance on, rounded down
        rest = [tail.factor * law.tail(floor(tail.distance(end)) + 1) for tail, end in zip(tails, (low, high))]
        return _with_rest(whole, rest)


def lattice_shift_moment(moves: Sequence[Fraction], sigmas: Sequence[Fraction], order: Fraction, bits: int) -> Bounds:
    """Return bounds of the moment of discrete Gaussian noise on numbers of one value each, which differ by `moves`."""
    excess = order * (order - 1)
    nats = sum((excess * d * d / (2 * v) for d, v in zip(moves, sigmas)), Fraction(0))
    _refuse_tiny_noise(nats)
    with ctx.workprec(bits):
        total = ball(nats).exp()
        for d, sigma2 in zip(moves, sigmas):
            law = LatticeGaussian(sigma2)
            total *= law.theta(order * d) / law.theta()
        return _with_rest(total, [])


def _with_rest(whole: arb, rest: Sequence[arb]) -> Bounds:
    """Return bounds of a moment, which is at least 1, given what lies beyond two ends at most."""
    upper = whole + sum(rest, ball(0))
    return max(dyadic(whole.lower()), Fraction(1)), dyadic(upper.upper())


def _refuse_tiny_noise(nats: Fraction) -> None:
    if nats > _MOST_NATS:
        raise ModelError("expected values closer to each other, or a larger sigma", "noise")


class _AxisTail:
    """What lies beyond an end, on one side."""

    def __init__(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction, side: int) -> None:
        extreme = max if side > 0 else min
        self.side, self.variance, self.order = side, variance, order
        a, b = extreme(above), extreme(below)
        self.share = below[b]
        self.middle = order * a + (1 - order) * b
        self.nats = order * (order - 1) * (a - b) ** 2 / (2 * variance)
        _refuse_tiny_noise(self.nats)
        self.last = extreme(a, b, self.middle)

    def end(self, bits: int) -> Fraction:
        """Return an end beyond which there is less than 2^-bits."""
        nats = self.nats - (self.order - 1) * Fraction(log_approx(self.share)) + bits
        return self.last + Fraction(self.side * (isqrt(ceil(8192 * nats * self.variance) - 1) + 2), 64)

    def distance(self, end: Fraction | int) -> Fraction:
        """Return how far an end is from the middle of what bounds the integrand there."""
        return self.side * (end - self.middle)

    @property
    def factor(self) -> arb:
        """q^(1-alpha) e^(alpha (alpha-1) (a-b)^2 / 2v), the factor of the tail."""
        return (ball(self.nats) - ball(self.order - 1) * ball(self.share).log()).exp()


class _Integrand:
    """f (f/g)^(alpha-1) as a function of the distance from the smallest value."""

    def __init__(self, above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction) -> None:
        values = sorted({*above, *below})
        self.first = values[0]
        self.variance, self.excess = variance, order - 1
        self.half = ball(1 / (2 * variance))
        self.scale = 1 / (2 * arb.pi() * ball(variance)).sqrt()
        self.step = common_step(v - self.first for v in values) or Fraction(1)
        self.laws = [self._law(law) for law in (above, below)]

    def _law(self, law: ScalarLaw) -> acb_poly | dict[int, arb]:
        terms = {
            int((v - self.first) / self.step): ball(p) * ball(-((v - self.first) ** 2) / (2 * self.variance)).exp()
            for v, p in law.items()
        }
        degree = max(terms)
        if degree > _DENSE * len(terms):
            return terms
        return acb_poly([terms.get(j, 0) for j in range(degree + 1)])

    def at(self, place: acb, analytic: bool) -> acb:
        """Return the integrand at a complex ball."""
        rise = place * ball(self.step / self.variance)
        unit = rise.exp()
        above, below = (self._sum(law, unit, rise) for law in self.laws)
        ratio = above / below
        if self.excess.denominator == 1:
            power = ratio ** int(self.excess)
        else:
            power = (ratio.log(analytic=analytic) * ball(self.excess)).exp()
        return above * power * (-place * place * self.half).exp() * self.scale

    @staticmethod
    def _sum(law: acb_poly | dict[int, arb], unit: acb, rise: acb) -> acb:
        if isinstance(law, dict):
            return sum((weight * (rise * j).exp() for j, weight in law.items()), acb(0))
        return law(unit)


def laplace_moment(above: ScalarLaw, below: ScalarLaw, decay: Power, order: Fraction, bits: int) -> Bounds:
    """Return bounds of the moment of an ordered pair, at a working precision.

    Between two neighbouring values both densities are sums of a rising and a falling exponential,

        f = (rate / 2) (A e^(-rate (L - y)) + B e^(-rate y)),

    y the distance from the left one and L that between them, so that the integral of f
    (f/g)^(alpha-1) over y is one of a function that is analytic near the real line: Arb encloses
    it. Beyond the extreme values the ratio is constant, and the integral is half of A^alpha C^(1 -
    alpha).

    >>> one = Fraction(1)
    >>> bounds = laplace_moment({0 * one: one}, {one: one}, Power.exp(-one), 2 * one, 96)
    >>> f"{float(bounds[0]):.12f}"  # (2 e + e^-2) / 3
    '1.857299646718'
    """
    with ctx.workprec(bits):
        values = sorted({*above, *below})
        gaps = [high - low for low, high in pairwise(values)]
        falls = [decay.to(gap).ball() for gap in gaps]
        weights = [[ball(law.get(v, _NONE)) for v in values] for law in (above, below)]
        up = [rising(row, falls) for row in weights]
        down = [falling(row, falls) for row in weights]
        excess, rate = ball(order - 1), -decay.ball().log()
        outer = [(up[0][0], up[0][0] / up[1][0]), (down[0][-1], down[0][-1] / down[1][-1])]
        total = moment_sum(outer, order) / 2
        tolerance = arb(2) ** (24 - bits)
        for place, gap in enumerate(gaps):
            ends = [(up[law][place + 1] * falls[place], down[law][place]) for law in (0, 1)]
            piece = _RenyiPiece(ends, rate, excess)
            total += piece.integral(ball(gap), tolerance)
        return dyadic(total.lower()), dyadic(total.upper())


class _RenyiPiece:
    """The integrand between two neighbouring values: per law the coefficients of e^(rate y) and e^(-rate y)."""

    def __init__(self, ends: list[tuple[arb, arb]], rate: arb, excess: arb) -> None:
        self.ends, self.rate, self.excess = ends, rate, excess

    def integral(self, length: arb, tolerance: arb) -> arb:
        """Enclose the integral."""
        integral = acb.integral(self._at, acb(0), acb(length), rel_tol=tolerance, abs_tol=tolerance).real
        return integral * self.rate / 2

    def _at(self, place: acb, analytic: bool) -> acb:
        (up, down), (rise, fall) = self.ends
        step = (place * self.rate).exp()
        square = step * step
        above, below = up * square + down, rise * square + fall
        return above / step * ((above / below).log(analytic=analytic) * self.excess).exp()
