"""Branch and bound: the largest influence over a box of transition matrices, between rigorous
bounds.

Every part is a box and one product f of quotients of probabilities. Its upper bound is the less of
two: the quotient of bounds; and, c being a matrix in the box and g the derivatives of log f by the
entries, bounded over the box,

    f(P) <= f(c) e^D <= f(c) / (1 - D),
        D = max of sum g(x, u) (P(x, u) - c(x, u)) over the box, where D < 1.

Mass moves where derivatives say so; parts that become one matrix that way are valued exactly. Lower
bounds are values of f at matrices of the box.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, product
from math import lcm, prod
from typing import NamedTuple

from pufferproof.models.priors.chains import Row, Rows, tight
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.box.contrast import (
    BITS,
    MOST_STATES,
    ONE,
    Atom,
    AtomBounds,
    BoxPowers,
    BoxQuilt,
    ConditionalQuotient,
    Contrast,
    PointPowers,
    Transition,
    Trees,
    ceiling_of,
    extreme,
    floor_of,
    interior,
)
from pufferproof.verify.influence.chain import is_narrow

RESTS_ON = ("influence.contrast", "influence.any-start")
EntryPlace = tuple[int, int]
Slopes = dict[EntryPlace, tuple[int, int]]
_EXACT_BITS = 1 << 16  # of the numbers at one matrix


class RowPair(NamedTuple):
    """P^d(u, y) over P^d(u', y) for any d >= 1, y: None stands for any row."""

    distance: int
    column: int
    above: int | None
    below: int | None


class Product(NamedTuple):
    """A product of probabilities over another one."""

    above: tuple[Atom, ...]
    below: tuple[Atom, ...]
    rows: tuple[RowPair, ...]

    @classmethod
    def of(cls, quotients: Sequence[ConditionalQuotient]) -> "Product":
        """Return the product of quotients in lowest terms: what is above and below cancels."""
        # (d, y, u, u') for which the product of all P^d(u, y) / P^d(u', y) bounds that of the quotients: X_(i+b) is
        # one. For X_(i-a) = x: m_i averages rows of P^a, so that P^a(x, v) / m_i(v) is at most the largest
        # P^a(x, v) / P^a(z, v), and m_i(w) / P^a(x, w) the largest P^a(z, w) / P^a(x, w).
        rows: list[RowPair] = []
        for top, bottom, _ in quotients:
            if not (isinstance(top, Transition) and isinstance(bottom, Transition)):
                break
            if top.start == bottom.start:
                rows.append(RowPair(top.distance, top.end, top.start, None))
                rows.append(RowPair(bottom.distance, bottom.end, None, top.start))
                break
            rows.append(RowPair(top.distance, top.end, top.start, bottom.start))
        above = Counter(quotient.above for quotient in quotients)
        below = Counter(quotient.below for quotient in quotients)
        return cls(tuple((above - below).elements()), tuple((below - above).elements()), tuple(rows))

    def bounded(self, powers: BoxPowers) -> tuple[list[AtomBounds], list[AtomBounds]]:
        """Return bounds of what is above and below over a box."""
        return [atom.bounded(powers) for atom in self.above], [atom.bounded(powers) for atom in self.below]


class Part(NamedTuple):
    """A product over a part of the box, ordered by its bound: the largest first, and those without
    a bound (`bounded` is -1) before them.
    """

    bounded: int
    less_bound: Fraction
    order: int
    product: Product
    lower: Rows
    upper: Rows
    split: EntryPlace | None


@dataclass
class LargestProduct:
    """The state of one search: the best value found, the parts that may hold a larger one, and
    how many are left to try.

    Where the derivative by P(x, u) is at least those by all other free entries of the row, mass
    moves there without loss: P(x, u) is at its largest; likewise at its least. Lower bounds: f is
    continuous where its probabilities are positive, and counts near each such matrix, if it does
    anywhere inside the whole box, so that its values are at most the supremum.
    """

    effort: int
    lower: Fraction = Fraction(1)  # a value that is known, at least 1
    patience: int = 64  # boxes tried for an exact answer once bounds are narrow
    closed: Fraction | None = Fraction(1)
    parts: list[Part] = field(default_factory=list)
    order: "count[int]" = field(default_factory=count)

    def largest(self, quilt: BoxQuilt) -> Bounds:
        """Return bounds of the supremum; the upper one is None if none was found."""
        self._start(quilt)
        while self.parts and self.effort > 0:
            bounds = self._bounds()
            if bounds.upper is not None and is_narrow(bounds):
                self.patience -= 1
                if bounds.upper == bounds.lower or self.patience < 0:
                    break
            part = heappop(self.parts)
            lower, upper = part.lower, part.upper
            if part.split is None:
                self._try(part.product, lower, upper)
                continue
            x, u = part.split
            middle = (lower[x][u] + upper[x][u]) / 2
            for least, most in ((lower[x][u], middle), (middle, upper[x][u])):
                row = tight((*lower[x][:u], least, *lower[x][u + 1 :]), (*upper[x][:u], most, *upper[x][u + 1 :]))
                self._try(part.product, (*lower[:x], row[0], *lower[x + 1 :]), (*upper[:x], row[1], *upper[x + 1 :]))
        return self._bounds()

    def _bounds(self) -> Bounds:
        first = self.parts[0] if self.parts else None
        if self.closed is None or (first is not None and first.bounded):
            return Bounds(self.lower, None)
        most = Fraction(1) if first is None else -first.less_bound
        return Bounds(self.lower, max(self.lower, self.closed, most))

    def _start(self, quilt: BoxQuilt) -> None:
        box, generic = quilt.box, interior(quilt.box)
        powers = BoxPowers(box.lower, box.upper)
        products: dict[Product, None] = {}
        for v, w in quilt.pairs(generic):
            factors = [
                [
                    each
                    for each in factor
                    if each.present.order(generic) is not None and each.above.order(generic) is not None
                ]
                for factor in quilt.factors(v, w)
            ]
            products |= dict.fromkeys(map(Product.of, product(*factors)))
        known = {
            atom: atom.bounded(powers) for atom in {atom for each in products for side in each[:2] for atom in side}
        }
        contrast = Contrast(powers)
        for each in products:
            above, below = ([known[atom] for atom in side] for side in each[:2])
            self._push(_bound(each, above, below, contrast), each, box.lower, box.upper, None)

    def _push(
        self, bound: Fraction | None, chosen: Product, lower: Rows, upper: Rows, split: EntryPlace | None
    ) -> None:
        if bound is None or bound > self.lower:
            key = (-1, Fraction(0)) if bound is None else (0, -bound)
            heappush(self.parts, Part(*key, next(self.order), chosen, lower, upper, split))

    def _try(self, chosen: Product, lower: Rows, upper: Rows) -> None:
        """Bound one part, and keep it if it may hold more than the best value."""
        self.effort -= 1
        while True:
            if lower == upper:
                return self._value(chosen, lower)
            powers = BoxPowers(lower, upper)
            above, below = chosen.bounded(powers)
            bound = _bound(chosen, above, below, Contrast(powers))
            if any(atom.lower == 0 for atom in (*above, *below)):
                widths = {(x, u): upper[x][u] - lower[x][u] for x, u in powers.free}
                return self._push(bound, chosen, lower, upper, max(widths, key=widths.__getitem__))
            if bound is None or bound <= self.lower:
                return None
            slopes = _log_slopes(above, below, powers.free)
            rows = [_row_out(x, low, high, slopes) for x, (low, high) in enumerate(zip(lower, upper))]
            smaller = tuple(row[0] for row in rows), tuple(row[1] for row in rows)
            if smaller == (lower, upper):
                break
            lower, upper = smaller
        middle = _middle(lower, upper)
        here = _enclosed(chosen, middle)
        self.lower = max(self.lower, here.lower or self.lower)
        rise = _rise(lower, upper, middle, slopes, powers)
        if rise < ONE and here.upper is not None:
            bound = min(bound, here.upper * Fraction(ONE, ONE - rise))

        def gain(place: EntryPlace) -> Fraction:
            x, u = place
            low, high = slopes[place]
            row = [sum(slopes[x, other]) for other in range(len(lower)) if (x, other) in slopes]
            tilt = abs(low + high - sum(row) // len(row))
            return (tilt + high - low) * (upper[x][u] - lower[x][u])

        return self._push(bound, chosen, lower, upper, max(powers.free, key=gain))

    def _value(self, chosen: Product, point: Rows) -> None:
        """Take in the value at one matrix, bounds of it if it is long, and nothing where it is 0/0."""
        bits = lcm(*(p.denominator for row in point for p in row)).bit_length()
        atoms = (*chosen.above, *chosen.below)
        if bits * max(1 if isinstance(atom, Trees) else atom.distance for atom in atoms) > _EXACT_BITS:
            bounds = _enclosed(chosen, point)
        else:
            power = PointPowers(point).power
            above, below = (prod((atom.value(power) for atom in side), start=Fraction(1)) for side in chosen[:2])
            if not above and not below:
                return
            bounds = Bounds(above / below, above / below) if below else Bounds(Fraction(0), None)
        if bounds.lower is not None:
            self.lower = max(self.lower, bounds.lower)
            known = self.closed is not None and bounds.upper is not None
            self.closed = max(self.closed, bounds.upper) if known else None  # type: ignore[type-var]


def _quotient(above: Sequence[AtomBounds], below: Sequence[AtomBounds]) -> Fraction | None:
    """Return the largest quotient that bounds allow, None if there is none."""
    bottom = prod(atom.lower for atom in below)
    return Fraction(prod(atom.upper for atom in above), bottom) if bottom else None


def _bound(
    chosen: Product, above: Sequence[AtomBounds], below: Sequence[AtomBounds], contrast: Contrast
) -> Fraction | None:
    """Return the less of the quotient of bounds and of what the contrast of rows allows."""
    bound = _quotient(above, below)
    if len(contrast.states) > MOST_STATES:
        return bound
    ratios = [contrast.most(*rows) for rows in chosen.rows]
    if None in ratios:
        return bound
    allowed = Fraction(prod(ratio for ratio in ratios if ratio is not None), ONE ** len(ratios))
    return allowed if bound is None else min(bound, allowed)


def _log_slopes(above: Sequence[AtomBounds], below: Sequence[AtomBounds], free: Sequence[EntryPlace]) -> Slopes:
    """Return bounds of the derivatives of log f, as integers over 2^192."""
    slopes = {}
    for place in free:
        low = high = 0
        for sign, atoms in ((1, above), (-1, below)):
            for atom in atoms:
                least, most = atom.slopes[place]
                bounds = (least << BITS) // atom.upper, -((-most << BITS) // atom.lower)
                low, high = low + sign * bounds[sign < 0], high + sign * bounds[sign > 0]
        slopes[place] = (low, high)
    return slopes


def _row_out(x: int, lower: Row, upper: Row, slopes: Slopes) -> tuple[Row, Row]:
    free = [u for u in range(len(lower)) if lower[u] < upper[u]]
    while len(free) > 1:
        for u in free:
            low, high = slopes[x, u]
            others = [slopes[x, other] for other in free if other != u]
            if low >= max(most for _, most in others):
                lower = (*lower[:u], upper[u], *lower[u + 1 :])
                break
            if high <= min(least for least, _ in others):
                upper = (*upper[:u], lower[u], *upper[u + 1 :])
                break
        else:
            break
        lower, upper = tight(lower, upper)
        free = [u for u in range(len(lower)) if lower[u] < upper[u]]
    return lower, upper


def _middle(lower: Rows, upper: Rows) -> Rows:
    """Return a matrix in the box, equally far along from lower to upper in a row."""
    rows: list[Row] = []
    for low, high in zip(lower, upper):
        span = sum(high, -sum(low, Fraction(0)))
        part = (1 - sum(low, Fraction(0))) / span if span else Fraction(0)
        rows.append(tuple(a + part * (b - a) for a, b in zip(low, high)))
    return tuple(rows)


def _rise(lower: Rows, upper: Rows, middle: Rows, slopes: Slopes, powers: BoxPowers) -> int:
    """Return an upper bound of D, as an integer over 2^192, at least 0."""
    total = 0
    for x in range(len(lower)):
        centres = [sum(slopes.get((x, u), (0, 0))) >> 1 for u in range(len(lower))]
        total += extreme(powers.step.lower[x], powers.step.upper[x], centres, most=True)
        for u, centre in enumerate(centres):
            start = middle[x][u]
            total -= centre * (floor_of(start) if centre >= 0 else ceiling_of(start))
            if (x, u) in slopes:
                low, high = slopes[x, u]
                reach = max(ceiling_of(upper[x][u] - start), ceiling_of(start - lower[x][u]))
                total += max(high - centre, centre - low) * reach
    return max(-(-total >> BITS), 0)


def _enclosed(chosen: Product, point: Rows) -> Bounds:
    """Return bounds of the value at one matrix, the upper one None if there is none."""
    above, below = chosen.bounded(BoxPowers(point, point))
    bottom = prod(atom.upper for atom in below)
    least = Fraction(prod(atom.lower for atom in above), bottom) if bottom else Fraction(0)
    return Bounds(least, _quotient(above, below))
