"""The probability that independent draws lie in a region of half-spaces, exactly.

Where a draw shares half-spaces with one other draw only, it is integrated out between lines:
f_y(y) times the integral of f_x from the largest lower to the smallest upper line in y. What is
left then are circles, sums of three draws and the like: their draws are eliminated one by one, with
a case for each largest lower and smallest upper bound (a polyhedron is cut as in Fourier-Motzkin
elimination). Functions are numbered, and what was computed once is kept for other paths and
databases.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import product
from operator import mul
from typing import Any

from flint import fmpq

from pufferproof.models.numbers.pieces import End, ExponentialPolynomial, Line, Piecewise, summed
from pufferproof.verify.programs.regions.region import (
    HalfSpace,
    Quotients,
    TooManyError,
    bounds,
    draws_of,
    feasible,
    half_space,
    race,
    tightest,
)

_MOST_CELLS = 20_000  # of one elimination
_ONE = ExponentialPolynomial.constant(fmpq(1))
Form = list[Any]  # coefficients of all variables, and the constant, as flint.fmpq


class Integrals:
    """Numbered functions, and what is known of them: what all paths of a program share.

    >>> from fractions import Fraction
    >>> known = Integrals()
    >>> noise = known.density(("laplace", 1), lambda: Piecewise.laplace(Fraction(1)))
    >>> ahead = half_space({0: fmpq(1), 1: fmpq(-1)}, fmpq(0))
    >>> known.mass((noise, noise), frozenset([ahead])).value()  # P(X > Y)
    Fraction(1, 2)
    """

    def __init__(self) -> None:
        self.work = 0  # terms that were integrated and half-spaces that were looked at, as a count
        self.functions: list[Piecewise] = []
        self._numbers: dict[Hashable, int] = {}
        self._totals: dict[Hashable, ExponentialPolynomial] = {}
        self._densities: dict[Hashable, Piecewise] = {}
        self._races: dict[frozenset[HalfSpace], Quotients] = {}
        self._floats: dict[Hashable, float] = {}
        self._possible: dict[frozenset[HalfSpace], bool] = {}

    def density(self, name: Hashable, make: Callable[[], Piecewise]) -> int:
        """Return the number of a function, made if its name is new."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.functions)
            self.functions.append(function := make())
            self.work += 1 + sum(len(f.terms) for _, _, f in function.segments)
        return number

    def possible(self, region: frozenset[HalfSpace]) -> bool:
        """Whether a region is not empty, remembered. Raises `TooManyError` as `feasible`."""
        answer = self._possible.get(region)
        if answer is None:
            self.work += 1 + len(region)
            answer = self._possible[region] = feasible(region)
        return answer

    def total(self, number: int, low: End, high: End) -> ExponentialPolynomial:
        """Return the integral of a function between two ends."""
        name = ("total", number, _pair(low), _pair(high))
        if name not in self._totals:
            self._totals[name] = found = self.functions[number].clipped(low, high).mass()
            self.work += 1 + len(found.terms)
        return self._totals[name]

    def approx(self, number: int, low: End, high: End) -> float:
        """Return the integral of a function between two ends, to about nine digits."""
        name = (number, _pair(low), _pair(high))
        if name not in self._floats:
            self._floats[name] = self.total(number, low, high).approx()
        return self._floats[name]

    def mass(self, densities: tuple[int, ...], region: frozenset[HalfSpace]) -> ExponentialPolynomial:
        """Return the probability of a region whose draws are 0, 1, .. with these densities.

        Raises `TooManyError` if an elimination is too long.
        """
        name = ("region", densities, region)
        if name not in self._totals:
            self._totals[name] = _Elimination(self, densities, region).mass()
        return self._totals[name]

    def race(self, region: frozenset[HalfSpace]) -> Quotients:
        """Return the probability of a region of Gumbel draws 0, 1, ..

        Raises `TooManyError` if it has too many cases.
        """
        if region not in self._races:
            self._races[region] = found = race(region)
            self.work += 1 + len(region) + len(found.parts)
        return self._races[region]

    def density_of(self, densities: tuple[int, ...], region: frozenset[HalfSpace], form: tuple[Any, ...]) -> Piecewise:
        """Return y -> the density of a linear form at y, where the draws 0, 1, .. lie in a region.
        The form is ((draw, coefficient), .., (None, constant)), in it some draw.
        """
        name = ("density", densities, region, tuple((v, _pair(c)) for v, c in form))
        if name not in self._densities:
            elimination = _Elimination(self, densities, region, form)
            self._densities[name] = elimination.density()
        return self._densities[name]

    def product(self, numbers: Sequence[int]) -> int:
        """Return the number of a product of functions."""
        ordered = sorted(numbers)
        whole = ordered[0]
        for count in range(2, len(ordered) + 1):
            left, right = whole, ordered[count - 1]
            name = ("product", *ordered[:count])
            whole = self.density(name, partial(mul, self.functions[left], self.functions[right]))
        return whole

    def between(self, number: int, lowers: list[Line], uppers: list[Line]) -> int:
        """Return the number of y -> the integral of a function between lines in y."""
        name = ("between", number, _pairs(lowers), _pairs(uppers))
        return self.density(name, lambda: self.functions[number].between(lowers, uppers))


class _Elimination:
    """One region: its draws, the functions that each of them has as factors, and half-spaces."""

    def __init__(
        self, known: Integrals, densities: tuple[int, ...], region: frozenset[HalfSpace], form: tuple[Any, ...] = ()
    ) -> None:
        self.known = known
        self.region = sorted(tightest(region))
        self.parts = {v: c for v, c in form if v is not None}  # of draws that are kept
        self.constant = dict(form).get(None, fmpq(0))
        self.factors = {v: [densities[v]] for v in {*draws_of(self.region), *self.parts}}
        self.whole = _ONE

    def mass(self) -> ExponentialPolynomial:
        while self.factors:
            leaf, other = self._leaf()
            if leaf is None:
                return self.whole * self._circles()
            self._remove(leaf, other)
        return self.whole

    def density(self) -> Piecewise:
        """Return the density of the form."""
        while len(self.factors) > len(self.parts):
            leaf, other = self._leaf()
            if leaf is None:
                break
            self._remove(leaf, other)
        if len(self.factors) > 1:
            return self._density_by_cells().scaled(self.whole)
        ((draw, slope),) = self.parts.items()
        sides: tuple[list[Any], list[Any]] = ([], [])
        for half in self.region:
            own = half.direction[0][1]
            sides[own < 0].append(-half.constant / own)
        function = self.known.functions[self.known.product(self.factors[draw])]
        low, high = max(sides[0], default=None), min(sides[1], default=None)
        return function.clipped(low, high).moved(slope, self.constant).scaled(self.whole)

    def _density_by_cells(self) -> Piecewise:
        names = {v: place for place, v in enumerate(sorted(self.factors))}
        densities = [self.known.functions[self.known.product(self.factors[v])] for v in names]
        form = [self.parts.get(v, fmpq(0)) for v in names]
        region = [half.renamed(names) for half in self.region]
        return density_by_cells(region, densities, [*form, self.constant], self.known)

    def _leaf(self) -> tuple[int | None, int | None]:
        """Return a draw with at most one neighbour, and the neighbour."""
        neighbours: dict[int, set[int]] = {v: set() for v in self.factors}
        for half in self.region:
            for v, _ in half.direction:
                neighbours[v].update(u for u, _ in half.direction)
        free = neighbours.keys() - self.parts.keys()
        leaf = min(free, key=lambda v: (len(neighbours[v]), v))
        others = neighbours[leaf] - {leaf}
        if len(others) > 1:
            return None, None
        return leaf, next(iter(others), None)

    def _remove(self, leaf: int, other: int | None) -> None:
        """Integrate a draw out between the lines that bound it."""
        sides: tuple[list[Line], list[Line]] = ([], [])
        for half in self.region:
            own, rest = dict(half.direction), half.constant
            if leaf in own:
                slope = fmpq(-own.get(other, 0), own[leaf]) if other is not None else fmpq(0)
                sides[own[leaf] < 0].append((slope, -rest / own[leaf]))
        self.region = [half for half in self.region if all(v != leaf for v, _ in half.direction)]
        number = self.known.product(self.factors.pop(leaf))
        lowers, uppers = sides
        if other is None:
            low = max((b for _, b in lowers), default=None)
            high = min((b for _, b in uppers), default=None)
            self.whole *= self.known.total(number, low, high)
        else:
            self.factors[other].append(self.known.between(number, lowers, uppers))

    def _circles(self) -> ExponentialPolynomial:
        names = {v: place for place, v in enumerate(sorted(self.factors))}
        densities = [self.known.functions[self.known.product(self.factors[v])] for v in names]
        region = [half.renamed(names) for half in self.region]
        return mass_by_cells(region, densities, self.known)


def mass_by_cells(
    region: Sequence[HalfSpace], densities: Sequence[Piecewise], known: Integrals | None = None
) -> ExponentialPolynomial:
    """Return the integral of a product of densities, one for each draw 0, 1, .., over a region; the
    work is counted in `known`, if given.

    >>> from fractions import Fraction
    >>> noise = Piecewise.laplace(Fraction(1))
    >>> circle = [half_space({v: fmpq(-1), (v + 1) % 3: fmpq(1)}, fmpq(1)) for v in range(3)]
    >>> round(mass_by_cells(circle, [noise] * 3).approx(), 9)  # 1 - 9/4 e^-1 + 3/4 e^-2 - 1/4 e^-3
    0.261325953

    Raises `TooManyError` for more than 20,000 cells.
    """
    variables = len(densities)
    whole = ExponentialPolynomial(0, {})
    start = ExponentialPolynomial.constant(fmpq(1), variables)
    budget = [_MOST_CELLS]
    for _, value in _cells(list(region), start, frozenset(range(variables)), densities, budget):
        whole += value.narrowed()
    if known is not None:
        known.work += variables * (_MOST_CELLS - budget[0])
    return whole


def density_by_cells(
    region: Sequence[HalfSpace], densities: Sequence[Piecewise], form: Form, known: Integrals | None = None
) -> Piecewise:
    """Return y -> the density of a linear form at y, where draws with these densities lie in a
    region.

    The first draw in the form is replaced: x_v = (y - c - sum_u a_u x_u) / a_v.

    >>> from fractions import Fraction
    >>> noise, one = Piecewise.gamma(1, Fraction(1)), fmpq(1)
    >>> total = density_by_cells([], [noise, noise], [one, one, fmpq(0)])  # y e^-y
    >>> total.clipped(None, one).total() == Piecewise.gamma(2, Fraction(1)).clipped(None, one).total()
    True

    The work is counted in `known`, if given. Raises `TooManyError` for more than 20,000 cells.
    """
    variables = len(densities)
    root = next(v for v in range(variables) if form[v])
    inverse = [-c / form[root] for c in form]
    inverse[root] = 1 / form[root]
    changed = [_replaced(half, root, inverse) for half in region]
    others, segments, budget = frozenset(range(variables)) - {root}, [], [_MOST_CELLS]
    for low, high, f in densities[root].segments:
        ends = [_replaced(half, root, inverse) for half in bounds(root, low, high)]
        start = _lifted(f, root, variables).at(root, inverse).scaled(1 / abs(form[root]))
        for cell, value in _cells([*changed, *ends], start, others, densities, budget):
            own = [(half.direction[0][1], half.constant) for half in cell]
            bottom = max((-c / d for d, c in own if d > 0), default=None)
            top = min((-c / d for d, c in own if d < 0), default=None)
            segments.append((bottom, top, _alone(value, root)))
    if known is not None:
        known.work += variables * (_MOST_CELLS - budget[0])
    return summed(segments)


def _replaced(half: HalfSpace, root: int, inverse: Form) -> HalfSpace:
    """Put a form for a draw in a half-space."""
    parts, constant = {v: fmpq(d) for v, d in half.direction}, half.constant
    own = parts.pop(root, fmpq(0))
    for v, c in enumerate(inverse[:-1]):
        parts[v] = parts.get(v, fmpq(0)) + own * c
    return half_space({v: c for v, c in parts.items() if c}, constant + own * inverse[-1])


def _alone(value: ExponentialPolynomial, root: int) -> ExponentialPolynomial:
    """Return a function that sees one variable only as a function of that."""
    m = value.variables
    terms: dict[tuple[int, ...], Any] = {}
    for key, q in value.terms.items():
        terms[key[root], key[m + root], key[-1]] = q
    return ExponentialPolynomial(1, terms, value.unit)


def _cells(
    region: list[HalfSpace],
    terms: ExponentialPolynomial,
    left: frozenset[int],
    densities: Sequence[Piecewise],
    budget: list[int],
) -> Iterator[tuple[list[HalfSpace], ExponentialPolynomial]]:
    """Return what the cells of a region add to an integral over the draws that are left, with the
    half-spaces of the draws that are not.
    """
    if not left:
        yield region, terms
        return
    draw = min(left, key=lambda v: (_faces(region, v), v))
    for low, high, f in densities[draw].segments:
        inner = tightest([*region, *bounds(draw, low, high)])
        if not feasible(inner):
            continue
        integral = (terms * _lifted(f, draw, len(densities))).antiderivative(draw)
        for cell, bottom, top in _cases(inner, draw, len(densities)):
            budget[0] -= 1
            if budget[0] < 0:
                raise TooManyError
            if cell is not None and feasible(cell):
                value = _at(integral, draw, top, 1) - _at(integral, draw, bottom, -1)
                if value.terms:
                    yield from _cells(cell, value, left - {draw}, densities, budget)


def _faces(region: Sequence[HalfSpace], draw: int) -> int:
    """Return how many pairs of bounds a draw has."""
    signs = [d > 0 for half in region for v, d in half.direction if v == draw]
    return (signs.count(True) + 1) * (signs.count(False) + 1)


def _lifted(f: ExponentialPolynomial, draw: int, variables: int) -> ExponentialPolynomial:
    """Return a function of one variable as one of several, of which it sees a draw."""
    terms = {}
    for (n, k, r), q in f.terms.items():
        key = [0] * (2 * variables + 1)
        key[draw], key[variables + draw], key[-1] = n, k, r
        terms[tuple(key)] = q
    return ExponentialPolynomial(variables, terms, f.unit)


def _cases(
    region: Sequence[HalfSpace], draw: int, variables: int
) -> Iterator[tuple[list[HalfSpace] | None, Form | None, Form | None]]:
    """Return the region where a lower bound is the largest and an upper one the smallest, for each
    of them: None for one that is empty.
    """
    sides: tuple[list[Form | None], list[Form | None]] = ([], [])
    rest = []
    for half in region:
        own = dict(half.direction)
        if draw in own:
            form = [fmpq(-own.get(v, 0), own[draw]) for v in range(variables)]
            form[draw] = fmpq(0)
            sides[own[draw] < 0].append([*form, -half.constant / own[draw]])
        else:
            rest.append(half)
    for bottom, top in product(sides[0] or [None], sides[1] or [None]):
        pairs = [(bottom, low) for low in sides[0] if low is not bottom]
        pairs += [(high, top) for high in sides[1] if high is not top]
        yield _ordered(rest, [*pairs, (top, bottom)]), bottom, top


def _ordered(rest: list[HalfSpace], pairs: Sequence[tuple[Form | None, Form | None]]) -> list[HalfSpace] | None:
    """Add to half-spaces that the first form of each pair is larger; None if that is never so."""
    region = list(rest)
    for larger, smaller in pairs:
        if larger is None or smaller is None:
            continue
        parts = {v: a - b for v, (a, b) in enumerate(zip(larger[:-1], smaller)) if a != b}
        constant = larger[-1] - smaller[-1]
        if parts:
            region.append(half_space(parts, constant))
        elif constant <= 0:
            return None
    return tightest(region)


def _at(integral: ExponentialPolynomial, draw: int, form: Form | None, sign: int) -> ExponentialPolynomial:
    return integral.limit(draw, sign) if form is None else integral.at(draw, form)


def _pair(value: End) -> tuple[int, int] | None:
    return None if value is None else (int(value.p), int(value.q))


def _pairs(lines: Sequence[Line]) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted((int(a.p), int(a.q), int(b.p), int(b.q)) for a, b in lines))
