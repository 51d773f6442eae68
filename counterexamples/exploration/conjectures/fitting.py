"""Closed forms through exact values: all polynomials c_0, .., c_d of small degrees with

    c_0(p) + c_1(p) v(p) + .. + c_d(p) v(p)^d = 0

at every member p are the kernel of a matrix of rationals. The shapes with the fewest terms come
first. A shape is tried only where there are strictly more members than terms, and where every
parameter that is in it, the others fixed, has strictly more values than terms: else polynomials
pass through any values, and nothing is said. An equation with two roots needs more than three
values of every parameter that has several, since which root it is may change from one to the next.
Whether a form holds of other members is not said here
either: `trying` finds out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product
from math import comb, gcd, lcm, prod
from typing import TYPE_CHECKING

from pufferproof.counterexamples.exploration.conjectures.quantities import Parameters, Relation, Value
from pufferproof.models.errors import ModelError, extras
from pufferproof.models.listing import counted

if TYPE_CHECKING:
    from sympy import Basic

MOST_TERMS = 150
_POWERS: dict[int, list[tuple[int, ...]]] = {1: [(0, 1)], 2: [(0, 1), (0, 2), (0, 1, 2)]}  # of the value, in a form
_PRIME = 2**61 - 1  # below it a kernel is looked for first, quickly
Known = Sequence[tuple[Parameters, Value]]
Exponents = tuple[int, ...]


@dataclass(frozen=True)
class Polynomial:
    """A polynomial with integer coefficients in variables by name."""

    names: tuple[str, ...]
    terms: Mapping[Exponents, int]

    def at(self, place: Parameters) -> Fraction:
        """Return its value."""
        total = Fraction(0)
        for powers, factor in self.terms.items():
            total += factor * prod(place[name] ** power for name, power in zip(self.names, powers))
        return total

    def __str__(self) -> str:
        with extras:
            import sympy

        letters = [sympy.Symbol(name) for name in self.names]
        return str(sympy.factor(_expression(self, letters)))


@dataclass(frozen=True)
class Formula:
    """A closed form of a quantity, by its coefficients from c_0 on."""

    quantity: str
    coefficients: tuple[Polynomial, ...]

    @property
    def unknowns(self) -> int:
        """How many terms it has."""
        return sum(len(coefficient.terms) for coefficient in self.coefficients)

    def holds(self, place: Parameters, value: Value) -> bool | None:
        """Whether a finite value is a root at a place, or None if every coefficient is 0."""
        values = [coefficient.at(place) for coefficient in self.coefficients]
        if not any(values):
            return None
        return all(sum(c * p for c, p in zip(values, row)) == 0 for row in rows_of(value))

    def __str__(self) -> str:
        """Return the formula as a relation that `Relation.of` reads."""
        first, *others = self.coefficients
        used = [place for place, other in enumerate(others) if other.terms]
        names = [self.quantity, f"{self.quantity}_squared"]
        if len(used) == 1:
            # -above / below, what both share left out, with integers alone
            with extras:
                import sympy

            letters = [sympy.Symbol(name) for name in first.names]
            shown = sympy.factor(sympy.cancel(-_expression(first, letters) / _expression(others[used[0]], letters)))
            numerator, denominator = sympy.fraction(shown)
            if denominator == 1:
                quotient = str(numerator)
            else:
                quotient = f"({numerator})/({denominator})"
            return f"{names[used[0]]} == {quotient}"
        terms = [f"({other})*{name}" for other, name in zip(others, names)]
        return " + ".join([*reversed(terms), f"({first})"]) + " == 0"


def rows_of(value: Value) -> list[list[Fraction]]:
    """Return the powers 1, v, v^2 of a finite value, as coordinates over the rationals: one row
    for a rational value, and of a square root a second one for its multiples.
    """
    if value.value is not None:
        return [[value.value**power for power in range(3)]]
    if value.square is None:
        raise ValueError("an infinite value has no powers")
    zero, one = Fraction(0), Fraction(1)
    return [[one, zero, value.square], [zero, one, zero]]


def _expression(polynomial: Polynomial, letters: "list[Basic]") -> "Basic":
    with extras:
        import sympy

    return sympy.Add(
        *(
            factor * sympy.Mul(*(letter**power for letter, power in zip(letters, powers)))
            for powers, factor in polynomial.terms.items()
        )
    )


@dataclass(frozen=True)
class Shape:
    """The terms of every coefficient."""

    terms: tuple[tuple[Exponents, ...], ...]

    @property
    def unknowns(self) -> int:
        """How many terms there are."""
        return sum(map(len, self.terms))

    def numbered(self) -> Iterator[tuple[int, Exponents]]:
        """Yield every term with the power of the value that it stands before."""
        for power, terms in enumerate(self.terms):
            yield from ((power, exponents) for exponents in terms)


def fitted(known: Known, quantity: str, degree: int, algebraic: int) -> Formula | None:
    """Return the closed form with the fewest terms that all members satisfy, None if there is none.

    Args:
        known: members with finite values.
        degree: the largest total degree of coefficients.
        algebraic: the largest degree in the value, 1 or 2.

    Raises `ModelError` where there are too few members for a constant.
    """
    names = tuple(known[0][0]) if known else ()
    values = [len({place[name] for place, _ in known}) for name in names]
    every = [_tried(known, values, degree, powers) for powers in _POWERS[algebraic]]
    equations = _Equations(known)
    for shape in chain.from_iterable(every):
        formula = _of_shape(known, equations, quantity, shape)
        if formula is not None:
            return formula
    if not any(every):
        found_members = counted(len(known), "member")
        raise ModelError(f"a fit takes more members than it has terms, found {found_members}")
    return None


def shapes(values: Sequence[int], degree: int, powers: Sequence[int]) -> list[Shape]:
    """Return the shapes with some powers of the value, those with the fewest terms first.

    Args: values: how many every parameter has.
    """
    if len(powers) > 2 and any(1 < many <= len(powers) for many in values):
        return []
    highest = [max(0, (many - 1) // len(powers) - 1) for many in values]
    levels = [_monomials(highest, each) for each in range(degree + 1)]
    every = {_shape(powers, terms) for terms in product(levels, repeat=len(powers))}
    small = [shape for shape in every if shape.unknowns <= MOST_TERMS]
    return sorted(small, key=lambda shape: (shape.unknowns, shape.terms))


@dataclass(frozen=True)
class Attempt:
    """Which forms were tried, of those with some powers of the value: the largest degree, in all
    and in every parameter with several values, and the most terms; None if none was tried.

    All forms of the degree asked for take `values` of some parameters that have fewer, and
    `members` if there are fewer, and have up to `every` terms.
    """

    powers: tuple[int, ...]
    degree: int | None
    degrees: Mapping[str, int]
    terms: int
    values: Mapping[str, int]
    members: int | None
    every: int

    @property
    def complete(self) -> bool:
        """Whether all forms of the degree asked for were tried."""
        return not self.values and self.members is None and self.every <= MOST_TERMS


def attempts(known: Known, degree: int, algebraic: int) -> list[Attempt]:
    """Return which forms `fitted` tries, one after the other; arguments as there."""
    names = tuple(known[0][0]) if known else ()
    return [_attempt(known, names, degree, powers) for powers in _POWERS[algebraic]]


def _attempt(known: Known, names: tuple[str, ...], degree: int, powers: tuple[int, ...]) -> Attempt:
    many = [len({place[name] for place, _ in known}) for name in names]
    shapes_tried = _tried(known, many, degree, powers)
    terms = {each for shape in shapes_tried for _, each in shape.numbered()}
    several = [at for at, values in enumerate(many) if values > 1]
    degrees = {names[at]: max((term[at] for term in terms), default=0) for at in several}
    # strictly more than the terms that have a parameter in them, see `shapes`
    wanted = len(powers) * (degree + 1) + 1 if degree or len(powers) > 2 else 0
    every = len(powers) * comb(degree + len(several), degree)
    return Attempt(
        powers,
        max(map(sum, terms), default=None),
        degrees,
        max((shape.unknowns for shape in shapes_tried), default=0),
        {names[at]: wanted for at in several if many[at] < wanted},
        every + 1 if len(known) <= every else None,
        every,
    )


def _tried(known: Known, values: Sequence[int], degree: int, powers: Sequence[int]) -> list[Shape]:
    """Return the shapes that have fewer terms than there are members."""
    return [shape for shape in shapes(values, degree, powers) if shape.unknowns < len(known)]


def _shape(powers: Sequence[int], terms: Sequence[tuple[Exponents, ...]]) -> Shape:
    coefficients = dict(zip(powers, terms))
    return Shape(tuple(coefficients.get(power, ()) for power in range(max(powers) + 1)))


def _monomials(highest: Sequence[int], degree: int) -> tuple[Exponents, ...]:
    every = product(*(range(min(most, degree) + 1) for most in highest))
    return tuple(powers for powers in every if sum(powers) <= degree)


class _Equations:
    """The equations of members; columns of terms are kept, since shapes share them."""

    def __init__(self, known: Known) -> None:
        self.rows = [(list(place.values()), powers) for place, value in known for powers in rows_of(value)]
        self._columns: dict[tuple[int, Exponents], list[Fraction]] = {}
        self._modular: dict[tuple[int, Exponents], list[int]] = {}

    def column(self, power: int, exponents: Exponents) -> list[Fraction]:
        """Return what stands before the unknown of a term, in every equation."""
        if (power, exponents) not in self._columns:
            self._columns[power, exponents] = [powers[power] * _monomial(at, exponents) for at, powers in self.rows]
        return self._columns[power, exponents]

    def kernel(self, shape: Shape) -> list[list[int]]:
        """Return a basis of what solves all equations, in integers without a common divisor."""
        from flint import fmpz_mat, nmod_mat

        terms = list(shape.numbered())
        modular = [self._column_modular(*term) for term in terms]
        if nmod_mat([list(row) for row in zip(*modular)], _PRIME).rank() == len(terms):
            return []  # then the rank is full over the rationals, too
        rows = [_integers(row) for row in zip(*(self.column(*term) for term in terms))]
        basis, many = fmpz_mat(rows).nullspace()
        vectors = [[int(basis[i, j]) for i in range(len(terms))] for j in range(many)]
        return [[entry // gcd(*vector) for entry in vector] for vector in vectors]

    def _column_modular(self, power: int, exponents: Exponents) -> list[int]:
        if (power, exponents) not in self._modular:
            self._modular[power, exponents] = [
                each.numerator * pow(each.denominator, -1, _PRIME) % _PRIME for each in self.column(power, exponents)
            ]
        return self._modular[power, exponents]


def _of_shape(known: Known, equations: _Equations, quantity: str, shape: Shape) -> Formula | None:
    names = tuple(known[0][0])
    for vector in equations.kernel(shape):
        formula = Formula(quantity, tuple(_split(vector, names, shape)))
        if all(formula.holds(place, value) for place, value in known):
            return formula
    return None


def _integers(row: Sequence[Fraction]) -> list[int]:
    common = lcm(*(entry.denominator for entry in row))
    return [int(entry * common) for entry in row]


def _monomial(at: Sequence[Fraction], exponents: Exponents) -> Fraction:
    product_of_powers = Fraction(1)
    for value, power in zip(at, exponents):
        product_of_powers *= value**power
    return product_of_powers


def _split(vector: list[int], names: tuple[str, ...], shape: Shape) -> Iterator[Polynomial]:
    start = 0
    for terms in shape.terms:
        part: Mapping[Exponents, int] = dict(zip(terms, vector[start : start + len(terms)]))
        start += len(terms)
        yield Polynomial(names, {powers: factor for powers, factor in part.items() if factor})


# Two closed forms of one quantity, of which the larger holds everywhere, or the smaller.
#
# Worst cases are maxima, so that one form seldom holds of a whole family. Each form is fitted to a part of the
# members: the first to those within a range of each parameter, some eighths of its values from either end, larger
# parts first; the second to all at which the first does not hold. What is found is a relation that holds at every
# member; the place where one form takes over from the other need not be known, or be a value of one parameter.

_MOST_PARTS = 300  # that are tried for the first form
_EIGHTHS = ((0, 8), *((0, end) for end in range(1, 8)), *((start, 8) for start in range(1, 8)))


@dataclass(frozen=True)
class Pieces:
    """A relation between the quantity and two forms, and how many terms these have together."""

    relation: Relation
    unknowns: int


def in_two_pieces(known: Known, quantity: str, degree: int, algebraic: int) -> Pieces | None:
    """Return two forms whose larger or smaller one holds at all members, None if none is found.

    Args: as `fitted`.
    """
    seen: set[str] = set()
    for part in _parts(known):
        first = _form(part, quantity, degree, algebraic)
        if first is None or str(first) in seen:
            continue
        seen.add(str(first))
        rest = [each for each in known if first.holds(*each) is not True]
        second = _form(rest, quantity, degree, algebraic)
        pieces = None if second is None else _together(known, quantity, first, second)
        if pieces is not None:
            return pieces
    return None


def _parts(known: Known) -> Iterator[Known]:
    """Yield members within a range of each parameter, larger parts first, but not all."""
    names = list(known[0][0]) if known else []
    values = {name: sorted({place[name] for place, _ in known}) for name in names}
    parts = {}
    for cuts in product(_EIGHTHS, repeat=len(names)):
        allowed = {
            name: set(values[name][len(values[name]) * a // 8 : -(-len(values[name]) * b // 8)])
            for name, (a, b) in zip(names, cuts)
        }
        places = tuple(at for at, (place, _) in enumerate(known) if all(place[n] in allowed[n] for n in names))
        if len(places) < len(known):
            parts[places] = [known[at] for at in places]
    yield from sorted(parts.values(), key=len, reverse=True)[:_MOST_PARTS]


def _form(part: Known, quantity: str, degree: int, algebraic: int) -> Formula | None:
    """Return a form of some members, or None if there is none or they are too few to tell."""
    try:
        return fitted(part, quantity, degree, algebraic)
    except ModelError:
        return None


def _together(known: Known, quantity: str, first: Formula, second: Formula) -> Pieces | None:
    one, other = (Relation.of(str(each), quantity) for each in (first, second))
    if one.left != other.left or one.left not in (quantity, f"{quantity}_squared"):
        return None  # a form that is an equation of the second degree has no value to compare
    for word in ("max", "min"):
        both = Relation(one.left, "==", f"{word}({one.right}, {other.right})", quantity)
        said = [both.holds(*each) for each in known]
        if False not in said and True in said:
            return Pieces(both, first.unknowns + second.unknowns)
    return None
