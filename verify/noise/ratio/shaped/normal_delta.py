"""The delta of Gaussian noise that is clamped, shown from a threshold on, or of its own sigma for
every database: of the atoms, and of the number between them.

The sign of h = sum_i c_i phi_i, of normal densities of any values and variances, is told on cells
(`quadratics`), crossings within 2^-60; the integral over cells of positive sign is a sum of tails
of the normal law. What crossings have widens the bounds.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from flint import arb

from pufferproof.models.listing import Pair
from pufferproof.models.noise.tables.normal import NUMBER, mass
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.normal.quadratics import Cell, Terms, precise, signs
from pufferproof.verify.noise.ratio.densities import Peak
from pufferproof.verify.noise.ratio.shaped.normal import NormalLaws, not_negative, places

_TINY = Fraction(1, 1 << 100)
Bounds = tuple[Fraction, Fraction]


def density_delta(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> tuple[Bounds, tuple[str, ...]]:
    """Return bounds of the delta of an ordered pair, and the outputs that it counts."""
    with precise():
        parts = [*_of_cells(laws, prior, pair, level), *_of_numbers(laws, prior, pair, level)]
        total = sum((excess for _, excess, known in parts if known), arb(0))
        doubt = sum((excess for _, excess, known in parts if not known), arb(0))
        low, high = not_negative(total - doubt), _above(total + doubt)
    if not low and 0 < high < _TINY and _is_kept(laws, prior, pair, level):
        return (Fraction(0), Fraction(0)), ()
    return (low, high), tuple(dict.fromkeys(output for output, _, known in parts if known))


def _above(value: Any) -> Fraction:
    if value <= 0:
        return Fraction(0)
    return min(dyadic(value.upper()), Fraction(1))


Part = tuple[str, Any, bool]  # an output, its excess, and whether that is more than a bound


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


def _of_numbers(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> Iterator[Part]:
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


def _most(sums: Terms, cell: Cell) -> Any:
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


def _is_kept(laws: NormalLaws, prior: str, pair: Pair, level: Level) -> bool:
    """Whether no ratio of the pair is above e^epsilon."""
    return all(_is_within(peak, level) for _, peak in places(laws, prior, pair))


def _is_within(peak: Peak, level: Level) -> bool:
    if peak.above is not None and peak.below is not None:
        return not peak.infinite and (peak.above - times(level, peak.below)).sign() <= 0
    return peak.upper is not None and level.compare(peak.upper) <= 0
