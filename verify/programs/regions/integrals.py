"""The probability that independent draws lie in a region of half-spaces, exactly.

Where a draw shares half-spaces with one other draw only, it is integrated out between lines:
f_y(y) times the integral of f_x from the largest lower to the smallest upper line in y. What is
left then are circles, sums of three draws and the like: their draws are eliminated one by one, with
a case for each largest lower and smallest upper bound (a polyhedron is cut as in Fourier-Motzkin
elimination). Functions are numbered, and what was computed once is kept for other paths and
databases.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from operator import mul
from typing import Any

from flint import fmpq

from pufferproof.models.numbers.pieces import (
    End,
    ExponentialPolynomial,
    Line,
    Piecewise,
    fraction,
    highest,
    lowest,
    summed,
)
from pufferproof.verify.programs.regions.normal import Normals, StandardNormal
from pufferproof.verify.programs.regions.region import (
    GUMBEL,
    HalfSpace,
    Leads,
    Quotients,
    StandardGumbel,
    TooManyError,
    bounds,
    draws_of,
    ends_of,
    feasible,
    half_space,
    is_race,
    lead,
    leads_of,
    race,
    tightest,
)

_MOST_CELLS = 20_000  # of one elimination
_ONE = ExponentialPolynomial.constant(fmpq(1))
Form = list[fmpq]  # coefficients of all variables, and the constant
Terms = tuple[tuple[Any, fmpq], ...]  # (draw, coefficient), .., and (None, constant)


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

    def density_of(self, densities: tuple[int, ...], region: frozenset[HalfSpace], form: Terms) -> Piecewise:
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
        lines = (tuple(sorted((_pair(a), _pair(b)) for a, b in side)) for side in (lowers, uppers))
        return self.density(("between", number, *lines), lambda: self.functions[number].between(lowers, uppers))


class _Elimination:
    """One region: its draws, the functions that each of them has as factors, and half-spaces."""

    def __init__(
        self, known: Integrals, densities: tuple[int, ...], region: frozenset[HalfSpace], form: Terms = ()
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
                names = {v: place for place, v in enumerate(sorted(self.factors))}
                densities = [self.known.functions[self.known.product(self.factors[v])] for v in names]
                region = [half.renamed(names) for half in self.region]
                return self.whole * mass_by_cells(region, densities, self.known)
            self._remove(leaf, other)
        return self.whole

    def density(self) -> Piecewise:
        while len(self.factors) > len(self.parts):
            leaf, other = self._leaf()
            if leaf is None:
                break
            self._remove(leaf, other)
        if len(self.factors) > 1:
            names = {v: place for place, v in enumerate(sorted(self.factors))}
            densities = [self.known.functions[self.known.product(self.factors[v])] for v in names]
            form = [self.parts.get(v, fmpq(0)) for v in names]
            region = [half.renamed(names) for half in self.region]
            return density_by_cells(region, densities, [*form, self.constant], self.known).scaled(self.whole)
        ((draw, slope),) = self.parts.items()
        sides: tuple[list[fmpq], list[fmpq]] = ([], [])
        for half in self.region:
            own = half.direction[0][1]
            sides[own < 0].append(-half.constant / own)
        function = self.known.functions[self.known.product(self.factors[draw])]
        low, high = max(sides[0], default=None), min(sides[1], default=None)
        return function.clipped(low, high).moved(slope, self.constant).scaled(self.whole)

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
            m = value.variables
            terms: dict[tuple[int, ...], fmpq] = {}
            for key, q in value.terms.items():
                terms[key[root], key[m + root], key[-1]] = q
            segments.append((bottom, top, ExponentialPolynomial(1, terms, value.unit)))
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
                above = integral.limit(draw, 1) if top is None else integral.at(draw, top)
                value = above - (integral.limit(draw, -1) if bottom is None else integral.at(draw, bottom))
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


def _pair(value: End) -> tuple[int, int] | None:
    return None if value is None else (int(value.p), int(value.q))


# What a path knows of its continuous draws: the half-spaces of the sides that it took.
#
# A draw that is compared with numbers only has an interval of its own. Draws that are compared with each other,
# directly or through others, form a group; groups are independent of each other.

_UNIT = Piecewise.gamma(1, Fraction(1)).segments[0][2]


_ALONE = "it compares Gumbel noise with a number, of which the probability is a double exponential"
_PAIR = 2
_TINY = 1e-300  # of an order of search


@dataclass(frozen=True, eq=False)
class Group:
    """Draws that were compared with each other, and the half-spaces that they lie in."""

    draws: frozenset[int]
    halves: tuple[HalfSpace, ...]

    @cached_property
    def leads(self) -> Leads | None:
        """By how much draws are ahead of each other, or None if that is not all that is known."""
        return leads_of(self.halves) if all(map(is_race, self.halves)) else None


class Conditions:
    """The continuous draws of a run, and what is known of them. Questions about regions raise
    `TooManyError` where an elimination is too long.
    """

    def __init__(self, known: Integrals) -> None:
        self._known = known
        self.densities: list[int] = []
        self._names: list[str] = []
        self._ends: list[tuple[End, End]] = []
        self._groups: dict[int, Group] = {}  # by draw
        self.spent: set[int] = set()  # draws that are not to be looked at again
        self.gaps: dict[int, tuple[HalfSpace, HalfSpace]] = {}  # in one of which a draw is not
        self.normals = Normals(set())
        self.racing: set[int] = set()  # Gumbel draws

    def draw(self, name: Hashable, words: str, make: Callable[[], Piecewise]) -> int:
        """Return the number of a new draw with a density, which is made if its name is new."""
        number = self._known.density(name, make)
        self.densities.append(number)
        self._names.append(words)
        self._ends.append(self._known.functions[number].support)
        if isinstance(self._known.functions[number], StandardNormal):
            self.normals.draws.add(len(self.densities) - 1)
        return len(self.densities) - 1

    def gumbel(self) -> int:
        draw = self.draw(GUMBEL, "Gumbel", StandardGumbel)
        self.racing.add(draw)
        return draw

    def unlike(self, half: HalfSpace) -> str | None:
        """Return why a half-space has no probability here, or None: Gumbel draws are compared with
        each other only.
        """
        racing = [d for v, d in half.direction if v in self.racing]
        if not racing or (len(racing) == len(half.direction) and is_race(half)):
            return None
        if len(half.direction) == 1:
            return f"{_ALONE}: compare noisy scores with each other"
        if len(racing) < len(half.direction):
            return "it compares Gumbel noise with noise of another kind"
        if len(racing) == _PAIR and racing[0] * racing[1] < 0:
            return "it compares Gumbel noise of different scales"
        return "it compares sums of Gumbel noise: compare two draws of one scale"

    def fresh(self, draw: int) -> bool:
        """Whether nothing is known of a draw."""
        apart = not any(draw in known for known in (self._groups, self.spent, self.gaps))
        return apart and self._ends[draw] == self._known.functions[self.densities[draw]].support

    def splits(self, halves: tuple[HalfSpace, HalfSpace]) -> bool:
        """Whether a draw of which nothing is known may be on either side of two numbers, and
        between them.
        """
        v, _ = halves[0].direction[0]
        alone = self.fresh(v) and v not in self.racing and not self.normals.has(halves[0])
        return alone and all(no and yes for no, yes in map(self.possible, halves))

    def is_uniform(self, draw: int, slope: fmpq, shift: fmpq) -> bool:
        """Whether slope X + shift is uniform between 0 and 1, given what is known of X."""
        low, high = self._ends[draw]
        (_, _, density), *others = self._known.functions[self.densities[draw]].segments
        if draw in self.gaps or draw in self._groups or draw in self.spent:
            return False
        if others or None in (low, high):
            return False
        ends = sorted((slope * low + shift, slope * high + shift))
        return density.value() is not None and ends[0] == 0 and ends[1] == 1

    def is_exponential(self, draw: int, slope: fmpq, shift: fmpq) -> bool:
        """Whether slope X + shift is exponential of scale 1, and nothing else is known of X."""
        if draw in self.racing or not self.fresh(draw) or slope < 0 or shift:
            return False
        segments = self._known.functions[self.densities[draw]].moved(slope, shift).segments
        (low, high, density), *others = segments
        return not others and (low, high) == (0, None) and not (density - _UNIT).terms

    def bounded(self, draw: int) -> bool:
        return None not in self._known.functions[self.densities[draw]].support

    def apart(self, draw: int) -> bool:
        """Whether a draw is one of which intervals are known, and not of a normal law."""
        elsewhere = (self._groups, self.spent, self.racing, self.normals.draws)
        return not any(draw in each for each in elsewhere)

    def between_approx(self, draw: int, ends: tuple[End, End]) -> float:
        """Return about how probable it is that a draw is between two numbers, 0 if it cannot be."""
        low, high = highest(self._ends[draw][0], ends[0]), lowest(self._ends[draw][1], ends[1])
        if low is not None and high is not None and low >= high:
            return 0.0
        return max(self._known.approx(self.densities[draw], low, high), _TINY)

    def possible(self, half: HalfSpace) -> tuple[bool, bool]:
        """Return whether a form can be negative, and positive."""
        if self.normals.has(half):
            return self.normals.possible(half)
        low, high = self._range(half)
        if (low is not None and low >= 0) or (high is not None and high <= 0):
            return low is None or low < 0, high is None or high > 0
        apart = [v for v, _ in half.direction if v not in self._groups]
        if len(apart) == len(half.direction):
            return True, True
        if (sides := self._of_difference(half)) is not None:
            return sides
        ends = {e for v in apart for e in self._reach(v, half)}
        return (  # a draw that is unbounded makes any value possible
            "low" in ends or self._feasible(half.opposite()),
            "high" in ends or self._feasible(half),
        )

    def _range(self, half: HalfSpace) -> tuple[End, End]:
        """Return an interval that has all values of a form in it: each draw by itself."""
        low: fmpq | None = half.constant
        high: fmpq | None = half.constant
        for v, d in half.direction:
            ends = self._ends[v] if d > 0 else self._ends[v][::-1]
            low = None if low is None or ends[0] is None else low + d * ends[0]
            high = None if high is None or ends[1] is None else high + d * ends[1]
        return low, high

    def _of_difference(self, half: HalfSpace) -> tuple[bool, bool] | None:
        """Return the possible sides of a difference, None if more than differences is known."""
        group = self._groups.get(half.direction[0][0])
        if group is None or group.leads is None or not is_race(half):
            return None
        u, v = ends_of(half)
        alone = v in group.draws and all(self._ends[x] == (None, None) for x in group.draws)
        if not alone:
            return None
        least, most = lead(group.leads, u, v), lead(group.leads, v, u)
        cut = -half.constant
        return least is None or least < cut, most is None or most + cut < 0

    def _reach(self, v: int, half: HalfSpace) -> set[str]:
        """Return the sides on which a draw alone makes a form unbounded."""
        ends = self._ends[v] if dict(half.direction)[v] > 0 else self._ends[v][::-1]
        return {side for side, end in zip(("low", "high"), ends) if end is None}

    def _feasible(self, half: HalfSpace) -> bool:
        found = [half]
        for group in self._around(half):
            found += group.halves
        draws = sorted({v for h in found for v, _ in h.direction})
        found += [b for v in draws for b in bounds(v, *self._ends[v])]
        names = {v: i for i, v in enumerate(draws)}
        return self._known.possible(frozenset(h.renamed(names) for h in found))

    def _around(self, half: HalfSpace) -> list[Group]:
        groups = {id(g): g for v, _ in half.direction if (g := self._groups.get(v))}
        return list(groups.values())

    def share_approx(self, half: HalfSpace) -> float:
        """Return how probable a half-space is: of a draw that is compared with numbers only, to a
        few digits, else 1/2.
        """
        if self.normals.has(half):
            return self.normals.share_approx(half)
        if len(half.direction) > 1 or half.direction[0][0] in self._groups:
            return 0.5
        v, d = half.direction[0]
        cut = -half.constant / d
        whole, below = (self._known.approx(self.densities[v], self._ends[v][0], end) for end in (self._ends[v][1], cut))
        share = below / whole if whole > 0 else 0.5
        share = min(max(share, 1e-9), 1 - 1e-9)
        return share if d < 0 else 1 - share

    def event(self, half: HalfSpace) -> Fraction | None:
        """Return the probability of a half-space of one draw if it is rational, else None."""
        v, d = half.direction[0]
        cut, (low, high) = -half.constant / d, self._ends[v]
        ends = (highest(low, cut), high) if d > 0 else (low, lowest(high, cut))
        return self._known.total(self.densities[v], *ends).value()

    def restrict(self, half: HalfSpace) -> None:
        """Keep the half-space of the side that was taken."""
        if self.normals.has(half):
            self.normals.restrict(half)
            return
        if len(half.direction) == 1:
            v, d = half.direction[0]
            cut = -half.constant / d
            low, high = self._ends[v]
            self._ends[v] = (highest(low, cut), high) if d > 0 else (low, lowest(high, cut))
            return
        around = self._around(half)
        draws = frozenset(v for v, _ in half.direction).union(*(group.draws for group in around))
        halves = (half, *(each for group in around for each in group.halves))
        self._groups.update(dict.fromkeys(draws, Group(draws, halves)))

    def copy(self) -> "Conditions":
        copied = Conditions(self._known)
        copied.densities, copied._names = self.densities, self._names
        copied._ends, copied._groups = list(self._ends), dict(self._groups)
        copied.normals = self.normals.copy()
        copied.spent, copied.racing, copied.gaps = self.spent, self.racing, self.gaps
        return copied

    def race(self) -> Quotients:
        groups = {id(g): g for v, g in self._groups.items() if v in self.racing}
        whole = Quotients.of(_ONE)
        for group in groups.values():
            names = {v: i for i, v in enumerate(sorted(group.draws))}
            whole *= self._known.race(frozenset(half.renamed(names) for half in group.halves))
        return whole

    def mass(self) -> ExponentialPolynomial:
        return self._mass(frozenset()) * self.normals.mass()

    def _mass(self, without: Set[int]) -> ExponentialPolynomial:
        """Return the probability of the half-spaces that have none of some draws."""
        whole = _ONE
        for v, number in enumerate(self.densities):
            alone = v not in self._groups and v not in without
            if alone and self._ends[v] != self._known.functions[self.densities[v]].support:
                whole *= self._known.total(number, *self._ends[v])
        for v, halves in self.gaps.items():
            inside = sorted(-half.constant / half.direction[0][1] for half in halves)
            whole *= _ONE - self._known.total(self.densities[v], *inside)
        groups = {id(g): g for v, g in self._groups.items() if v not in self.racing}
        for group in groups.values():
            if not group.draws & without:
                whole *= self._of_group(group)
        return whole

    def density(self, form: Terms) -> Piecewise:
        """Return y -> the density of a linear form at y, times the probability of all half-spaces
        that have nothing to do with it.
        """
        own = [v for v, _ in form if v is not None]
        groups = {id(g): g for v in own if (g := self._groups.get(v))}
        inside = set(own).union(*(group.draws for group in groups.values()))
        names = {v: i for i, v in enumerate(sorted(inside))}
        halves = [half for group in groups.values() for half in group.halves]
        halves += [b for v in names for b in bounds(v, *self._ends[v])]
        region = frozenset(half.renamed(names) for half in halves)
        parts = tuple((v if v is None else names[v], c) for v, c in form)
        densities = tuple(self.densities[v] for v in names)
        return self._known.density_of(densities, region, parts).scaled(self._mass(inside))

    def _of_group(self, group: Group) -> ExponentialPolynomial:
        names = {v: i for i, v in enumerate(sorted(group.draws))}
        halves = [*group.halves, *(b for v in names for b in bounds(v, *self._ends[v]))]
        region = frozenset(half.renamed(names) for half in halves)
        return self._known.mass(tuple(self.densities[v] for v in names), region)

    def words(self, half: HalfSpace, answer: int) -> str:
        """Return a half-space, or its other side, as text."""
        form = ""
        for v, d in sorted(half.direction, key=lambda term: term[1] < 0):
            name = self._names[v]
            if same := self._names[:v].count(name):  # draws of one law are numbered
                name += f" #{same + 1}"
            form += f" {'+' if d > 0 else '-'} {'' if abs(d) == 1 else f'{abs(d)} '}{name}"
        return f"{form.removeprefix(' + ').strip()} {'>' if answer else '<'} {fraction(-half.constant)}"
