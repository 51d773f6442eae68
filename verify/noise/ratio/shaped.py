"""What Gaussian noise leaks that is rounded, clamped, shown from a threshold on, or has a sigma of
its own for every database.

Outputs are cells, whose probabilities are enclosed, and numbers between two ends, compared by their
densities (`quadratics`): where these have one term each, the largest ratio is exact, that of two
normal forms. Towards infinity the term of the largest sigma, then of the extreme value, decides
whether there is a bound. Of rounded numbers all likely outputs are listed; the ratio of others is
at most that of the densities between the same ends, and far out the limit is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from flint import arb

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.noise.tables.normal import NUMBER, NormalTable, mass
from pufferproof.models.noise.tables.powers import row_of
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.noise.normal.quadratics import NEAR, Cell, End, Place, Quadratic, Terms, bumps, precise, signs
from pufferproof.verify.noise.ratio.densities import Peak

_MOST_BITS = 1_500_000  # of a ratio that is written out
_NOTHING, _WHOLE = ExponentialSum([]), ExponentialSum([(1, ONE)])


class NormalLaws:
    """The laws of a table given secrets."""

    def __init__(self, framework: Framework, table: NormalTable) -> None:
        if framework.closure == "convex":
            raise ModelError(
                "mixtures of priors are audited for whole laws of rational probabilities, found "
                'others: expected "list"',
                "closure",
            )
        self.framework, self.table = framework, table
        self.rows = {x: row_of(table, framework.databases[x]) for x in framework.support}
        self._masses: dict[tuple[str, str, str], ExponentialSum] = {}
        self._factors: dict[Fraction, arb] = {}

    def pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield every prior and ordered pair of secrets that are possible under it."""
        for prior in self.framework.priors:
            for pair in ordered_pairs(self.framework, prior):
                yield prior, pair

    def _weights(self, prior: str, secret: str) -> Iterator[tuple[int, Fraction]]:
        law, mass = self.framework.laws[prior], self.framework.mass(prior, secret)
        for x in self.framework.secrets[secret]:
            if law.weights[x]:
                yield self.rows[x], Fraction(law.weights[x], mass)

    def of(self, prior: str, secret: str) -> dict[Place, Fraction]:
        """Return the weight of every value and sigma^2; the rest has no number."""
        found: dict[Place, Fraction] = {}
        for row, weight in self._weights(prior, secret):
            law = self.table.laws[row]
            if law is not None:
                found[law] = found.get(law, Fraction(0)) + weight
        return found

    def mass(self, prior: str, secret: str, output: str) -> ExponentialSum:
        """Return the exact probability of a cell."""
        key = prior, secret, output
        if key not in self._masses:
            total = _NOTHING
            for row, weight in self._weights(prior, secret):
                total = total + self.table.mass(row, output).scaled(weight)
            self._masses[key] = total
        return self._masses[key]

    def factor(self, variance: Fraction) -> arb:
        """Enclose what a density is multiplied by, but for sqrt(2 pi) of continuous noise."""
        if variance not in self._factors:
            whole = LatticeGaussian(variance).theta() if self.table.on_integers else ball(variance).sqrt()
            self._factors[variance] = 1 / whole
        return self._factors[variance]


def places(laws: NormalLaws, prior: str, pair: Pair) -> Iterator[tuple[str, Peak]]:
    """Yield outputs and their ratios, or bounds of them, that may be the largest of a pair.

    Every number that is not listed is in an interval of which a bound is yielded.
    """
    for output in laws.table.cells:
        peak = _of_cell(*(laws.mass(prior, secret, output) for secret in pair))
        if peak is not None:
            yield output, peak
    p, q = (laws.of(prior, secret) for secret in pair)
    if p:
        for low, high in laws.table.gaps:
            yield from _of_numbers(laws, p, q, low, high)


def _of_cell(above: ExponentialSum, below: ExponentialSum) -> Peak | None:
    if not above.terms:
        return None
    if not below.terms:
        return Peak("", _WHOLE, _NOTHING)
    if above == below:
        return Peak("", _WHOLE, _WHOLE)
    with precise():
        return enclosed("", above.ball() / below.ball())


def enclosed(place: str, ratio: arb) -> Peak:
    """Return bounds of a ratio; one that is too large to write out has no upper one."""
    with precise():
        if not ratio < arb(2) ** _MOST_BITS:
            return Peak(place, lower=Fraction(1 << _MOST_BITS))
        upper = dyadic(ratio.upper())
        return Peak(place, lower=not_negative(ratio), upper=upper)


def not_negative(value: arb) -> Fraction:
    """Return a lower bound of a ball: 0 if it is negative or tiny."""
    return dyadic(value.lower()) if value.lower() > arb(2) ** -_MOST_BITS else Fraction(0)


_INFINITE = (_WHOLE, _NOTHING)


def _of_numbers(
    laws: NormalLaws, p: dict[Place, Fraction], q: dict[Place, Fraction], low: End, high: End
) -> Iterator[tuple[str, Peak]]:
    """Yield the ratios of densities in a gap that may be the largest."""
    exact = not laws.table.rounded

    def named(peak: Peak) -> tuple[str, Peak]:
        return (f"{NUMBER} at {peak.place}" if exact else peak.place), peak

    if not q:
        yield (NUMBER if exact else "inf"), Peak("", *_INFINITE)
        return
    scale = p[next(iter(p))] / q.get(next(iter(p)), Fraction(1))
    if p.keys() == q.keys() and all(p[each] == scale * q[each] for each in p):
        inside = next((end for end in (low, high) if end is not None), Fraction(0))
        yield named(Peak(text_of(inside), _WHOLE.scaled(scale), _WHOLE))
        return
    with precise():
        above, below = Terms(p, laws.factor), Terms(q, laws.factor)
        if len(p) == len(q) == 1:
            yield from map(named, _of_single(laws, above, below, low, high))
            return
        bounds = []
        for side, near, end in ((-1, high, low), (1, low, high)):
            far = side * max(side * terms.far(side) for terms in (above, below))
            start = far if near is None else side * max(side * far, side * near)
            if end is None or side * end > side * start:
                yield from map(named, _beyond(laws, above, below, start, end, side))
                bounds.append(start)
            else:
                bounds.append(end)
            if end is not None and exact:
                yield named(_value(laws, p, q, end))
        left, right = bounds
        if left < right:
            for place, inside_ball, around in bumps(above, below, left, right):
                peak = enclosed(rounded_place(place), around)
                lower = not_negative(inside_ball) if inside_ball.is_finite() else Fraction(0)
                yield named(Peak(peak.place, lower=lower if exact else Fraction(0), upper=peak.upper))


def _of_single(laws: NormalLaws, above: Terms, below: Terms, low: End, high: End) -> Iterator[Peak]:
    """Yield the largest ratio of two laws of one term each: exactly, of a density."""
    (p,), (q,) = above.of, below.of
    log = Quadratic.between(p, q)
    where = log.highest(low, high)
    if where is None:
        yield Peak("inf" if log.grows(high, 1) else "-inf", *_INFINITE)
    elif laws.table.rounded:
        bound = enclosed(rounded_place(where), _ratio(laws, above, below, p, q, where))
        yield Peak(bound.place, upper=bound.upper)
    else:
        yield _value(laws, above.of, below.of, where)


def _ratio(laws: NormalLaws, above: Terms, below: Terms, p: Place, q: Place, where: Fraction) -> arb:
    """Enclose the ratio of a term of each of two sums."""
    log = Quadratic.between(p, q)
    size = ball(above.of[p] / below.of[q]) * laws.factor(p[1]) / laws.factor(q[1])
    return size * ball(log.at(where)).exp()


def _beyond(laws: NormalLaws, above: Terms, below: Terms, start: Fraction, end: End, side: int) -> Iterator[Peak]:
    """Yield bounds of the ratio from a number on: that of the extreme terms, beside which all
    others together are at most 2^-90.
    """
    p, q = above.extreme(side), below.extreme(side)
    log = Quadratic.between(p, q)
    where = log.highest(*((start, end) if side > 0 else (end, start)))
    if where is None:
        yield Peak("inf" if side > 0 else "-inf", *_INFINITE)
        return
    ratio = _ratio(laws, above, below, p, q, where)
    rest = 1 + arb(2) ** -NEAR
    ends = [enclosed("", each) for each in (ratio / rest, ratio * rest)]
    place, lower = rounded_place(where), ends[0].lower
    if p == q and end is None:
        place, lower = ("inf" if side > 0 else "-inf"), above.of[p] / below.of[q]
    elif laws.table.rounded:
        lower = Fraction(0)
    yield Peak(place, lower=lower, upper=ends[1].upper)


def _value(laws: NormalLaws, p: Mapping[Place, Fraction], q: Mapping[Place, Fraction], y: Fraction) -> Peak:
    """Return the ratio of densities at a number: exactly if its digits are not too many."""
    base = max(q, key=lambda each: Quadratic.between(each, next(iter(q))).at(y))
    above, below = Terms(p, laws.factor), Terms(q, laws.factor)
    ratio = above.beside(base, y, y) / below.beside(base, y, y)
    if not (arb(2) ** -_MOST_BITS < ratio and ratio < arb(2) ** _MOST_BITS):
        return enclosed(rounded_place(y), ratio)
    try:
        return Peak(text_of(y), _sum(p, base, y), _sum(q, base, y))
    except ModelError:  # a sigma^2 whose square root has no normal form
        return enclosed(rounded_place(y), ratio)


def _sum(terms: Mapping[Place, Fraction], base: Place, y: Fraction) -> ExponentialSum:
    """Return a density at a number, divided by that of another law, in normal form."""
    return ExponentialSum(
        (weight, Power.exp(Quadratic.between(place, base).at(y)).times(Power.of(1 / place[1], Fraction(1, 2))))
        for place, weight in terms.items()
    )


def rounded_place(y: Fraction) -> str:
    """Return a number as text, of few digits."""
    return text_of(y) if y.denominator < 1_000 else f"{float(y):.9g}"


# The delta of Gaussian noise that is clamped, shown from a threshold on, or of its own sigma for every database: of
# the atoms, and of the number between them.
#
# The sign of h = sum_i c_i phi_i, of normal densities of any values and variances, is told on cells (`quadratics`),
# crossings within 2^-60; the integral over cells of positive sign is a sum of tails of the normal law. What crossings
# have widens the bounds.

_TINY = Fraction(1, 1 << 100)
Bounds = tuple[Fraction, Fraction]


def density_delta(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> tuple[Bounds, tuple[str, ...]]:
    """Return bounds of the delta of an ordered pair, and the outputs that it counts."""
    with precise():
        parts = [*_of_cells(laws, prior, pair, level), *_delta_parts_of_numbers(laws, prior, pair, level)]
        total = sum((excess for _, excess, known in parts if known), arb(0))
        doubt = sum((excess for _, excess, known in parts if not known), arb(0))
        whole = total + doubt
        high = Fraction(0) if whole <= 0 else min(dyadic(whole.upper()), Fraction(1))
        low = not_negative(total - doubt)
    # Whether no ratio of the pair is above e^epsilon
    if not low and 0 < high < _TINY and all(_is_within(peak, level) for _, peak in places(laws, prior, pair)):
        return (Fraction(0), Fraction(0)), ()
    return (low, high), tuple(dict.fromkeys(output for output, _, known in parts if known))


Part = tuple[str, arb, bool]  # an output, its excess, and whether that is more than a bound


def _of_cells(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> Iterator[Part]:
    for output in laws.table.cells:
        p, q = (laws.mass(prior, secret, output) for secret in pair)
        if not (p - times(level, q)).terms:  # equal by form
            continue
        excess = p.ball() - level.ball() * q.ball()
        if excess > 0:
            yield output, excess, True
        elif not excess <= 0:
            yield output, abs(excess), False


def times(level: Level, value: ExponentialSum) -> ExponentialSum:
    """Return e^epsilon times a probability."""
    if level.ratio is not None:
        return value.scaled(level.ratio)
    return value.scaled(Fraction(1), Power.exp(level.nats or Fraction(0)))


def _delta_parts_of_numbers(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> Iterator[Part]:
    one, other = (laws.of(prior, secret) for secret in pair)
    none, weights = Fraction(0), {}
    for place in {**one, **other}:
        p, q = one.get(place, none), other.get(place, none)
        if level.sign(p, q):
            weights[place] = ball(p) - level.ball() * ball(q)
    sums = Terms(weights, laws.factor)
    for low, high in laws.table.gaps:
        for cell in _merged(signs(sums, low, high)):
            if cell.sign > 0:
                ends = cell.low, cell.high
                excess = arb(0)
                for place, weight in weights.items():
                    excess += weight * mass(place, NUMBER, ends, False).ball()
                yield NUMBER, excess, True
            elif not cell.sign:
                yield NUMBER, _most(sums, cell), False


def _most(sums: Terms, cell: Cell) -> arb:
    """Enclose a bound of the integral of a sum over a bounded cell."""
    if cell.low is None or cell.high is None:
        raise TypeError("expected a bounded cell")
    middle = (cell.low + cell.high) / 2
    place = min(sums.of, key=lambda each: abs(each[0] - middle))
    value, variance = place
    distance = max(cell.low - value, value - cell.high, Fraction(0))
    density = ball(-distance * distance / (2 * variance)).exp() / (2 * arb.pi()).sqrt()
    return ball(cell.high - cell.low) * density * abs(sums.beside(place, cell.low, cell.high))


def _merged(cells: Iterable[Cell]) -> Iterator[Cell]:
    """Yield neighbours of one known sign put together."""
    last: Cell | None = None
    for cell in cells:
        if last is not None and last.sign == cell.sign != 0:
            last = Cell(last.low, cell.high, cell.sign)
            continue
        if last is not None:
            yield last
        last = cell
    if last is not None:
        yield last


def _is_within(peak: Peak, level: Level) -> bool:
    if peak.above is not None and peak.below is not None:
        return not peak.infinite and (peak.above - times(level, peak.below)).sign() <= 0
    return peak.upper is not None and level.compare(peak.upper) <= 0
