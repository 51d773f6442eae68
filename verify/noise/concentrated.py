"""Zero-concentrated privacy: the smallest rho with D_alpha <= rho alpha for all orders alpha > 1,
enclosed, over listed priors and ordered pairs.

    rho = sup over alpha > 1 of K(alpha) / (alpha (alpha - 1)),  K = (alpha - 1) D_alpha

K is convex with K(1) = 0, so that it lies below its chords: on (1, 1 + h] the quotient is at most
D_(1 + h), from T on at most D_inf / T. Intervals are halved until bounds are close.

Gaussian noise of the shift d has D_alpha = alpha d^2 / (2 sigma^2), and discrete Gaussian noise at
most that, with equality at alpha = 2. Source: Bun and Steinke, TCC 2016; Canonne, Kamath and
Steinke, NeurIPS 2020.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import ceil
from operator import add
from typing import Literal

from flint import arb, ctx

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, ball, dyadic, enclose
from pufferproof.models.numbers.exponential_sums import ExponentialSum
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import JsonObject, brief, rounded, text_of
from pufferproof.verify.leakage.laws import ConditionalLaws, ordered_pairs
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.noise.integrals.renyi.largest import alike
from pufferproof.verify.noise.laws.of_framework import LawPair, distinct
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.partial import TableLaws

# The smallest number at which a definition of privacy holds, between bounds, and where it is reached.

NAMES = {"zcdp": ("rho", "zCDP"), "gdp": ("mu", "GDP")}


def claimed_of(value: object) -> Fraction:
    """Read a number that is claimed. Raises `ModelError` unless it is at least 0."""
    number = exact(value)
    if number < 0:
        raise ModelError(f"expected a number of at least 0, found {brief(number)}")
    return number


@dataclass(frozen=True, repr=False)
class Smallest(Readable):
    """The smallest rho ("zcdp") or mu ("gdp"), infinite where both bounds are None; of mu the
    square where that is a known rational. `claimed` is what it was compared with.
    """

    kind: Literal["zcdp", "gdp"]
    lower: Fraction | None
    upper: Fraction | None
    prior: str
    pair: Pair
    square: Fraction | None = None
    claimed: Fraction | None = None

    @property
    def names(self) -> tuple[str, str]:
        """Its letter, and the name of the definition."""
        return NAMES[self.kind]

    @property
    def infinite(self) -> bool:
        """Whether no number is enough."""
        return self.lower is None

    def larger(self, other: "Smallest") -> "Smallest":
        """Return the larger of two, the first where they are not told apart."""
        if self.lower is None or self.upper is None:
            return self
        if other.lower is None or other.upper is None:
            return other
        first, second = (self, other) if self.lower >= other.lower else (other, self)
        uppers = [each.upper for each in (first, second) if each.upper is not None]
        return replace(first, upper=max(uppers))

    def against(self, claimed: object) -> "Smallest":
        """Return the same beside a number that was claimed. Raises `ModelError` unless it is one of at least 0."""
        try:
            return replace(self, claimed=claimed_of(claimed))
        except ModelError as error:
            raise error.within(self.kind) from None

    @property
    def asked(self) -> str:
        """What was claimed, such as 1/2-zCDP."""
        return f"{'' if self.claimed is None else brief(self.claimed)}-{NAMES[self.kind][1]}"

    @property
    def sign(self) -> int | None:
        """The sign of the number minus what was claimed, None if its bounds do not tell."""
        if self.claimed is None or self.lower is None or self.upper is None:
            return None if self.claimed is None else 1
        if self.square is not None:
            squared = self.claimed**2
            return (self.square > squared) - (self.square < squared)
        if self.lower > self.claimed:
            return 1
        if self.upper > self.claimed:
            return None
        return -1 if self.upper < self.claimed else 0

    @property
    def ratio(self) -> Fraction | None:
        """The number where it is a known rational."""
        return self.lower if self.lower == self.upper else None

    def enclosure(self) -> Enclosure:
        """Return the number as an enclosure."""
        if self.lower is None or self.upper is None:
            return INFINITE
        return enclose(self.lower, self.upper)

    def as_json(self) -> JsonObject:
        """Return `{"ratio", "lower", "upper", "claimed", "witness"}`."""
        known = None if self.ratio is None else text_of(self.ratio)
        return {
            "ratio": "inf" if self.infinite else known,
            **self.enclosure().as_json(),
            "claimed": None if self.claimed is None else text_of(self.claimed),
            "witness": {"prior": self.prior, "pair": list(self.pair)},
        }

    def text(self) -> str:
        """Write the number for a person."""
        if self.infinite:
            return "infinite"
        if self.ratio is not None and len(text_of(self.ratio)) < 20:
            return text_of(self.ratio)
        ends = self.enclosure()
        low, high = (rounded(end, 7) for end in (ends.lower, ends.upper))
        return f"≈ {low}" if low == high else f"between {low} and {high}"

    def __str__(self) -> str:
        above, below = self.pair
        symbol, name = NAMES[self.kind]
        return f"{name} {symbol} {self.text()}, for {above!r} against {below!r}"


_BITS = 256
_NEAR = Fraction(1, 2**44)  # of orders that are close to 1
_CLOSE = Fraction(1, 2**40)  # of the width of rho, relative
_MOST_STEPS = 5_000

Number = Callable[[arb], arb]


@dataclass(frozen=True)
class Curve:
    """K of an ordered pair by the order, its slope at 1, and the largest loss D_inf; `constant` is
    added to rho, by Gaussian noise. An `infinite` one is infinite at every order.
    """

    prior: str
    pair: Pair
    log_moment: Number | None = None
    slope: Callable[[], arb] = field(default=lambda: arb(0))
    largest: Callable[[], arb] = field(default=lambda: arb(0))
    constant: Fraction = Fraction(0)
    infinite: bool = False


def smallest_rho(framework: Framework, form: object) -> Smallest:
    """Return the smallest rho of zero-concentrated differential privacy, over listed priors and
    ordered pairs, of listed outputs and of noise on a query that every secret determines.

    >>> from pufferproof import Channel, Framework
    >>> framework = Framework(["a", "b"], neighbours="substitute")
    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> smallest_rho(framework, coin).text()
    '≈ 0.5493061'

    Raises `ModelError` for other mechanisms, mixtures of priors, and where there is nothing to
    check.
    """
    with ctx.workprec(_BITS):
        curves = list(curves_of(framework, form))
        if not curves:
            raise nothing_to_check()
        best: Smallest | None = None
        for curve in curves:
            floor = Fraction(0) if best is None else best.lower or Fraction(0)
            # rho of a curve, or bounds that are below the floor
            at = curve.prior, curve.pair
            if curve.infinite:
                found = Smallest("zcdp", None, None, *at)
            elif curve.log_moment is None or (largest := dyadic(curve.largest().upper())) <= 0:
                found = Smallest("zcdp", curve.constant, curve.constant, *at)
            else:
                search = _Search(curve.log_moment, largest, max(dyadic(curve.slope().lower()), Fraction(0)))
                lower, upper = search.bounds(floor - curve.constant)
                found = Smallest("zcdp", lower + curve.constant, upper + curve.constant, *at)
            if found.infinite:
                return found
            best = found if best is None else best.larger(found)
        assert best is not None
        return best


def curves_of(framework: Framework, form: object) -> Iterator[Curve]:
    """Yield the curve of every prior and ordered pair."""
    if framework.closure == "convex":
        raise ModelError('needs listed priors, found "closure": "convex"', "zcdp")
    if isinstance(form, NoisyQueries):
        laws = query_laws(framework, form)
        for law_pair in distinct(laws.pairs):
            yield _of_shift(law_pair, list(zip(gaps_of(law_pair, "zcdp"), laws.noises)))
    else:
        for prior, pair, sides in sides_of(framework, form, "zcdp"):
            yield _of_outputs(prior, pair, sides)


Sides = list[tuple[arb, arb, bool, bool]]  # P, Q, and whether they are above 0


def sides_of(framework: Framework, form: object, argument: str) -> Iterator[tuple[str, Pair, Sides]]:
    """Yield the probabilities of all outputs given the two secrets of every ordered pair, none
    where both laws are the same.
    """
    if isinstance(form, Channel):
        channel = form.aligned(framework.databases, framework.support)
        for prior in framework.priors:
            laws = ConditionalLaws(framework, channel, prior)
            for pair in ordered_pairs(framework, prior):
                (first, one), (second, two) = (laws.exact_row(secret) for secret in pair)
                differ = any(p * two != q * one for p, q in zip(first, second))
                found: Sides = [
                    (ball(Fraction(p, one)), ball(Fraction(q, two)), p > 0, q > 0)
                    for p, q in zip(first, second)
                    if differ and (p or q)
                ]
                yield prior, pair, found
    elif isinstance(form, PowerTable):
        table = TableLaws(framework, form)
        for prior in framework.priors:
            for pair in ordered_pairs(framework, prior):
                sides: Sides = []
                same = alike(table, prior, pair)
                for y in range(0 if same else len(form.outputs)):
                    above, below = (table.possible(prior, secret, y) for secret in pair)
                    p, q = (table.ball(prior, secret, y) for secret in pair)
                    if above or below:
                        sides.append((p, q, above, below))
                yield prior, pair, sides
    else:
        raise ModelError(
            "needs listed outputs and noise on queries, found outputs that are not listed, "
            "numbers that are drawn, or sequences that are not listed",
            argument,
        )


def _of_outputs(prior: str, pair: Pair, sides: Sides) -> Curve:
    if not sides:
        return Curve(prior, pair)
    if any(above and not below for *_, above, below in sides):
        return Curve(prior, pair, infinite=True)
    losses = [(p, (p / q).log()) for p, q, above, _ in sides if above]

    def log_moment(order: arb) -> arb:
        return reduce(add, (p * ((order - 1) * loss).exp() for p, loss in losses), arb(0)).log()

    def slope() -> arb:
        return reduce(add, (p * loss for p, loss in losses), arb(0))

    def largest() -> arb:
        return reduce(lambda one, other: one.max(other), (loss for _, loss in losses))

    return Curve(prior, pair, log_moment, slope, largest)


def gaps_of(pair: LawPair, argument: str) -> list[Fraction]:
    """Return by how much the values of a query differ between two secrets. Raises `ModelError`
    unless either determines it.
    """
    if len(pair.above) > 1 or len(pair.below) > 1:
        raise ModelError(
            f"needs queries that a secret determines, found several values given a secret "
            f'under "{pair.prior}": --renyi ALPHA bounds single orders',
            argument,
        )
    (above,), (below,) = pair.above, pair.below
    return [abs(a - b) for a, b in zip(above, below)]


def _of_shift(pair: LawPair, parts: list[tuple[Fraction, Noise]]) -> Curve:
    """Return the curve of noise on numbers that differ by so much, each on its own."""
    constant, curves = Fraction(0), []
    moved = [(gap, noise) for gap, noise in parts if gap]
    for gap, noise in moved:
        if noise.kind in ("gaussian", "discrete_gaussian"):
            constant += gap * gap / (2 * square_of(noise))
        elif noise.kind == "laplace":
            curves.append(_laplace(_loss(noise, gap)))
        elif noise.kind in ("geometric", "discrete_laplace"):
            curves.append(_geometric(_loss(noise, Fraction(1)), int(gap)))
        else:
            raise ModelError(f"no rule for {noise.kind} noise", "zcdp")
    kinds = {noise.kind for _, noise in moved}
    if "discrete_gaussian" in kinds and len(kinds) > 1:
        raise ModelError("discrete Gaussian noise cannot be combined with other kinds", "zcdp")
    if not curves:
        return Curve(pair.prior, pair.pair, constant=constant)

    def log_moment(order: arb) -> arb:
        return reduce(add, (each[0](order) for each in curves), arb(0))

    slope, largest = (reduce(add, (each[k] for each in curves), arb(0)) for k in (1, 2))
    return Curve(pair.prior, pair.pair, log_moment, lambda: slope, lambda: largest, constant)


def square_of(noise: Noise) -> Fraction:
    """Return sigma^2 of Gaussian noise, on real numbers or integers."""
    square = noise.sigma2 if noise.sigma2 is not None else noise.variance
    assert square is not None
    return square


def _loss(noise: Noise, gap: Fraction) -> arb:
    """Return -gap log(decay)."""
    assert noise.decay is not None
    return -ball(gap) * ExponentialSum([(1, noise.decay)]).ball().log()


_Parts = tuple[Number, arb, arb]  # K, its slope at 1, the largest loss


def _laplace(t: arb) -> _Parts:
    """M = alpha / (2 alpha - 1) e^((alpha - 1) t) + (alpha - 1) / (2 alpha - 1) e^(-alpha t)."""

    def log_moment(order: arb) -> arb:
        below = 2 * order - 1
        rising = order / below * ((order - 1) * t).exp()
        return (rising + (order - 1) / below * (-order * t).exp()).log()

    return log_moment, t + (-t).exp() - 1, t


def _geometric(rate: arb, d: int) -> _Parts:
    """Sum a^(alpha |z| + (1 - alpha) |z - d|) (1 - a) / (1 + a) over z < 1, 0 < z < d, z >= d, with a = e^-rate."""
    a = (-rate).exp()

    def log_moment(order: arb) -> arb:
        outer = (rate * (order - 1) * d).exp() / (1 - a)
        ratio = (-rate * (2 * order - 1)).exp()
        inner = ratio * (1 - ratio ** (d - 1)) / (1 - ratio) * (rate * (order - 1) * d).exp()
        return ((outer + inner + (-rate * order * d).exp() / (1 - a)) * (1 - a) / (1 + a)).log()

    slope = rate * (d + 2 * (a ** (d + 1) - a) / (1 - a * a))
    return log_moment, slope, rate * d


@dataclass
class _Search:
    """Bounds of the largest K(alpha) / (alpha (alpha - 1)), ever closer."""

    log_moment: Number
    largest: Fraction
    best: Fraction  # that is reached, or approached at order 1

    def bounds(self, floor: Fraction) -> tuple[Fraction, Fraction]:
        """Return both, as close as the floor needs."""
        near = 1 + _NEAR
        values = {near: self.value(near), Fraction(2): self.value(Fraction(2))}
        tail = Fraction(max(2, ceil(self.largest / self.best) if self.best else 2**20))
        orders, order = [near], near
        while order < tail:
            order = min(1 + 2 * (order - 1), tail)
            orders.append(order)
        values |= {order: self.value(order) for order in orders}
        ends = max(values[near] / _NEAR, self.largest / tail)
        queue = [self.interval(a, b, values) for a, b in pairwise(orders)]
        heapify(queue)
        for _ in range(_MOST_STEPS):
            upper = max(ends, -queue[0][0] if queue else ends)
            if upper <= self.best * (1 + _CLOSE) or upper <= ends or upper < floor:
                return self.best, upper
            _, a, b = heappop(queue)
            middle = (a + b) / 2
            values[middle] = self.value(middle)
            heappush(queue, self.interval(a, middle, values))
            heappush(queue, self.interval(middle, b, values))
        return self.best, max(ends, -queue[0][0])

    def value(self, order: Fraction) -> Fraction:
        """Return an upper bound of K at an order, and keep the lower one of the quotient."""
        found = self.log_moment(ball(order))
        if not found.is_finite():
            raise SolverError("a Renyi divergence is not enclosed")
        self.best = max(self.best, dyadic(found.lower()) / (order * (order - 1)))
        return max(dyadic(found.upper()), Fraction(0))

    def interval(
        self, a: Fraction, b: Fraction, values: dict[Fraction, Fraction]
    ) -> tuple[Fraction, Fraction, Fraction]:
        """Return an upper bound of the quotient between two orders, negative, and these."""
        slope = (values[b] - values[a]) / (b - a)
        return -_largest_quotient(values[a] - slope * a, slope, a, b), a, b


def _largest_quotient(p: Fraction, q: Fraction, a: Fraction, b: Fraction) -> Fraction:
    """Bound (p + q x) / (x (x - 1)) on [a, b], a > 1, where p + q x >= 0: at its ends, and where
    q x^2 + 2 p x - p = 0.
    """
    ends = max((p + q * x) / (x * (x - 1)) for x in (a, b))
    inside = ball(p * p + p * q)
    if q == 0 or inside < 0:
        return ends
    crude = max(p + q * x for x in (a, b)) / (a * (a - 1))
    if not inside > 0:
        return crude
    for sign in (-1, 1):
        root = (-ball(p) + sign * inside.sqrt()) / ball(q)
        if root < ball(a) or root > ball(b):
            continue
        value = (ball(p) + ball(q) * root) / (root * (root - 1))
        ends = max(ends, dyadic(value.upper()) if value.is_finite() else crude)
    return ends


# Gaussian differential privacy: the smallest mu whose trade-off function lies nowhere above that of a mechanism, over
# listed priors and ordered pairs.
#
#     G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu)
#
# The trade-off function of listed outputs is piecewise linear, and its vertices are the errors of the tests that
# reject the outputs of largest Q / P. G_mu is convex: where it is at most f at the two vertices of a segment it is so
# between them. Hence
#
#     mu = max over vertices of  Phi^-1(1 - alpha) - Phi^-1(beta),
#
# infinite where f(0) < 1 or f is 0 before 1. Gaussian noise has mu = |d / sigma|. Source: Dong, Roth and Su, Gaussian
# differential privacy, JRSS B 2022.

_MU_BITS, _MOST_BITS = 512, 2**16


def smallest_mu(framework: Framework, form: object) -> Smallest:
    """Return the smallest mu of Gaussian differential privacy, over listed priors and ordered
    pairs, of listed outputs and of Gaussian noise on a query that every secret determines.

    >>> from pufferproof import Channel, Framework
    >>> framework = Framework(["a", "b"], neighbours="substitute")
    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> smallest_mu(framework, coin).text()
    '≈ 1.34898'

    Raises `ModelError` for other mechanisms, mixtures of priors, and where there is nothing to
    check.
    """
    if framework.closure == "convex":
        raise ModelError('needs listed priors, found "closure": "convex"', "gdp")
    if isinstance(form, NoisyQueries):
        with ctx.workprec(_MU_BITS):
            laws, found = query_laws(framework, form), []
            for pair in distinct(laws.pairs):
                square = Fraction(0)
                for gap, noise in zip(gaps_of(pair, "gdp"), laws.noises):
                    if gap and noise.kind != "gaussian":
                        raise ModelError(f"needs listed outputs and Gaussian noise, found {noise.kind} noise", "gdp")
                    square += gap * gap / square_of(noise) if gap else 0
                mu = ball(square).sqrt() if square else arb(0)
                bounds = dyadic(mu.lower()), dyadic(mu.upper())
                found.append(Smallest("gdp", *bounds, pair.prior, pair.pair, square=square))
    else:
        found = _of_listed(framework, form)
    if not found:
        raise nothing_to_check()
    best = found[0]
    for each in found[1:]:
        best = best.larger(each)
    return best


def _of_listed(framework: Framework, form: object, bits: int = _MU_BITS) -> list[Smallest]:
    """Return the smallest mu of every prior and ordered pair, with twice as many bits until the
    ratios of outputs are told apart, and mu is known closely.
    """
    # The exact laws of a channel under each prior, none of another mechanism
    if not isinstance(form, Channel):
        laws = {}
    else:
        channel = form.aligned(framework.databases, framework.support)
        laws = {prior: ConditionalLaws(framework, channel, prior) for prior in framework.priors}
    with ctx.workprec(bits):
        found = [
            _smallest_mu_of_outputs(prior, pair, sides, _different(laws.get(prior), pair))
            for prior, pair, sides in sides_of(framework, form, "gdp")
        ]
    together = [each for each in found if each is not None]
    if len(together) == len(found) and (bits >= _MOST_BITS or all(map(_is_close, together))):
        return together
    if bits >= _MOST_BITS:
        raise ModelError(f"likelihood ratios are not told apart by {bits} bits", "gdp")
    return _of_listed(framework, form, 2 * bits)


def _is_close(mu: Smallest) -> bool:
    """Whether the ends of mu agree to twelve digits."""
    if mu.lower is None or mu.upper is None:
        return True
    return (mu.upper - mu.lower) * 10**12 <= mu.upper


def _different(laws: ConditionalLaws | None, pair: Pair) -> int | None:
    """Return how many likelihood ratios of outputs there are, exactly; None if they are not known
    to be rational numbers.
    """
    if laws is None:
        return None
    (first, _), (second, _) = (laws.exact_row(secret) for secret in pair)
    return len({Fraction(q, p) for p, q in zip(first, second) if p})


@dataclass
class _Block:
    """Outputs whose ratios Q / P are not told apart: their probabilities, and bounds of the ratios."""

    p: arb
    q: arb
    least: Fraction
    most: Fraction

    def joined(self, other: "_Block") -> "_Block":
        return _Block(self.p + other.p, self.q + other.q, min(self.least, other.least), max(self.most, other.most))

    @property
    def bend(self) -> Fraction:
        """How far at most the trade-off function lies below the chord over the block."""
        return dyadic(self.q.upper()) * (self.most / self.least - 1)


def _smallest_mu_of_outputs(prior: str, pair: Pair, sides: Sides, different: int | None) -> Smallest | None:
    """Return the smallest mu of an ordered pair, None if ratios are not told apart, of which
    there are so many `different` ones.
    """
    if any(above != below for *_, above, below in sides):
        return Smallest("gdp", None, None, prior, pair)
    blocks: list[_Block] = []
    for block in sorted(map(_block, sides), key=lambda each: each.most, reverse=True):
        if blocks and blocks[-1].least <= block.most:
            blocks[-1] = blocks[-1].joined(block)
        else:
            blocks.append(block)
    if sides and len(blocks) < (different or min(2, len(sides))):
        return None
    # f is at most so far below the chords between the vertices
    bends = (block.bend for block in blocks)
    bend = Fraction(0) if different is not None else sum(bends, Fraction(0))
    lower, upper = Fraction(0), Fraction(0)
    for place in range(1, len(blocks)):
        alpha = _sum([block.p for block in blocks[:place]])
        beta = _sum([block.q for block in blocks[place:]])
        if not beta > ball(bend):
            return None
        least = -_quantile(alpha) - _quantile(beta)
        most = -_quantile(alpha) - _quantile(beta - ball(bend))
        if not (least.is_finite() and most.is_finite()):
            return None
        lower, upper = max(lower, dyadic(least.lower())), max(upper, dyadic(most.upper()))
    return Smallest("gdp", lower, upper, prior, pair)


def _block(side: tuple[arb, arb, bool, bool]) -> _Block:
    p, q, _, _ = side
    ratio = q / p
    return _Block(p, q, dyadic(ratio.lower()), dyadic(ratio.upper()))


def _sum(parts: list[arb]) -> arb:
    total = arb(0)
    for part in parts:
        total += part
    return total


def _quantile(share: arb) -> arb:
    """Return the standard normal quantile."""
    if share < arb(0.5):
        return -arb(2).sqrt() * (2 * share).erfcinv()
    return arb(2).sqrt() * (2 * share - 1).erfinv()
