"""Hidden Markov mechanisms with parameters: probabilities are polynomials in named numbers, each of
which lies in a range.

Rows sum to 1 identically. Polynomials are read from text. Whether the mechanism keeps a level for
all values of its parameters is in `pufferproof.verify.sequences.words`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import quoted, shown, text_of
from pufferproof.models.sequences.hidden_mechanism import (
    HiddenMarkovMechanism,
    distinct_names,
    expect_length,
    named_states,
    rows_of,
)

if TYPE_CHECKING:
    from flint import fmpq_mpoly

MAX_PARAMETERS = 6
PolynomialRows = tuple[tuple["fmpq_mpoly", ...], ...]
Point = Mapping[str, Fraction]
MAX_DEGREE = 20
_LONGEST = 1_000  # characters of an expression
_DEEPEST = 50  # parentheses inside one another
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?)|([A-Za-z_][A-Za-z_0-9]*)|([-+*/^()]))")


class Polynomials:
    """The polynomials in some parameters, with rational coefficients.

    >>> ring = Polynomials(["p", "q"])
    >>> ring.value(ring.read("(1 - p)^2 / 2 + q"), {"p": Fraction(1, 3), "q": Fraction(0)})
    Fraction(2, 9)

    Raises `ModelError` unless parameters have names of letters, digits and `_`.
    """

    def __init__(self, names: Sequence[str]) -> None:
        from flint import Ordering, fmpq_mpoly_ctx

        for name in names:
            if not (name.isascii() and name.isidentifier()):
                raise ModelError(f"expected a name such as p or p_1, found {shown(name)}")
        self.names = tuple(names)
        self._ring = fmpq_mpoly_ctx.get(list(names) or ["unused"], Ordering.lex)

    def read(self, given: object) -> "fmpq_mpoly":
        """Return the polynomial of a number or a text. Raises `ModelError` unless it is one."""
        if not isinstance(given, str):
            return self.constant(exact(given))
        if len(given) > _LONGEST:
            raise ModelError(f"expected at most {_LONGEST} characters, found {len(given)}")
        read = _ExpressionReader(self, given)
        value = read.sum(0)
        if read.tokens or value.total_degree() > MAX_DEGREE:
            raise read.error()
        return value

    def constant(self, value: Fraction) -> "fmpq_mpoly":
        """Return a number as a polynomial."""
        from flint import fmpq

        return self._ring.constant(fmpq(value.numerator, value.denominator))

    def generator(self, name: str) -> "fmpq_mpoly":
        """Return a parameter. Raises `ModelError` unless it is one."""
        if name not in self.names:
            known = ", ".join(self.names) or "none"
            raise ModelError(f'unknown parameter "{name}", expected one of: {known}')
        return self._ring.gens()[self.names.index(name)]

    def value(self, polynomial: "fmpq_mpoly", point: Mapping[str, Fraction]) -> Fraction:
        """Return the exact value at a point."""
        from flint import fmpq

        numbers = [point[name] for name in self.names] or [Fraction(0)]
        value = polynomial(*(fmpq(number.numerator, number.denominator) for number in numbers))
        return Fraction(int(value.p), int(value.q))

    def on_unit_box(self, polynomial: "fmpq_mpoly", box: Sequence[tuple[Fraction, Fraction]]) -> "fmpq_mpoly":
        """Return the polynomial of t in [0, 1]^n that has its values at low + (high - low) t."""
        if not box:
            return polynomial
        gens = self._ring.gens()
        moved = [self.constant(low) + self.constant(high - low) * gen for (low, high), gen in zip(box, gens)]
        return polynomial.compose(*moved)


class _ExpressionReader:
    """Recursive descent over the tokens of a text, the next one last."""

    def __init__(self, ring: Polynomials, text: str) -> None:
        self.ring, self.text = ring, text
        self.tokens: list[str] = []
        place, stripped = 0, text.rstrip()
        while place < len(stripped):
            match = _TOKEN.match(stripped, place)
            if match is None:
                raise self.error()
            self.tokens.append(match[0].strip())
            place = match.end()
        self.tokens.reverse()

    def error(self) -> ModelError:
        return ModelError(
            f'expected a number, or a polynomial in parameters such as "(1 - p)/2" of degree at '
            f"most {MAX_DEGREE}, found {quoted(self.text)}"
        )

    def next(self, *expected: str) -> str:
        """Return the next token and go on where it is one of those, else ""."""
        return self.tokens.pop() if self.tokens and self.tokens[-1] in expected else ""

    def sum(self, depth: int) -> "fmpq_mpoly":
        value = self.product(depth)
        while sign := self.next("+", "-"):
            term = self.product(depth)
            value = value + term if sign == "+" else value - term
        return value

    def product(self, depth: int) -> "fmpq_mpoly":
        value: fmpq_mpoly = self.factor(depth)
        while sign := self.next("*", "/"):
            factor = self.factor(depth)
            if sign == "/" and (not factor.is_constant() or factor == 0):
                raise self.error()
            value = value * factor if sign == "*" else value / factor
        return value

    def factor(self, depth: int) -> Any:
        negative = False
        while self.next("-"):
            negative = not negative
        value = self.power(depth)
        return -value if negative else value

    def power(self, depth: int) -> "fmpq_mpoly":
        value = self.atom(depth)
        if not self.next("^"):
            return value
        exponent = self.tokens.pop() if self.tokens else ""
        if not exponent.isdigit() or int(exponent) * max(value.total_degree(), 1) > MAX_DEGREE:
            raise self.error()
        return value ** int(exponent)

    def atom(self, depth: int) -> "fmpq_mpoly":
        if self.next("("):
            if depth == _DEEPEST:
                raise self.error()
            value = self.sum(depth + 1)
            if not self.next(")"):
                raise self.error()
            return value
        token = self.tokens.pop() if self.tokens else ""
        if token[:1].isdigit():
            return self.ring.constant(exact(token))
        if not (token[:1].isalpha() or token[:1] == "_"):
            raise self.error()
        return self.ring.generator(token)


@dataclass(frozen=True, eq=False)
class ParametricMechanism:
    """A `HiddenMarkovMechanism` some of whose probabilities are polynomials in parameters.

    Args:
        initial, transition, emission, symbols, length, states: as there; a probability may be a
            text such as `"1 - p"` or `"p*(1 - q)/2"`.
        parameters: the least and the largest value of every parameter.

    >>> coin = ParametricMechanism(
    ...     {"a": {"h": 1}, "b": {"t": 1}},
    ...     {},
    ...     {"h": {"0": "p", "1": "1 - p"}, "t": {"0": "1 - p", "1": "p"}},
    ...     symbols=["0", "1"],
    ...     length=1,
    ...     parameters={"p": ("1/4", "3/4")},
    ... )
    >>> coin
    ParametricMechanism(p in [1/4, 3/4], 2 databases, 2 states, 2 symbols, words of length 1)
    >>> coin.at({"p": "1/3"}).probability("a", [0])
    Fraction(1, 3)

    Raises `ModelError` unless names are distinct and known, ranges are not empty, and every row
    sums to 1 whatever the parameters are.
    """

    taken_by: ClassVar = {"Channel": "at(values) has no parameters, and its channel() lists it"}

    parameters: tuple[tuple[str, Fraction, Fraction], ...]
    databases: tuple[str, ...]
    states: tuple[str, ...]
    symbols: tuple[str, ...]
    length: int
    ring: Polynomials = field(repr=False)
    start: PolynomialRows = field(repr=False)
    moves: PolynomialRows = field(repr=False)
    shows: PolynomialRows = field(repr=False)

    def __init__(
        self,
        initial: Mapping[str, object],
        transition: Mapping[str, object] | Sequence[object],
        emission: Mapping[str, object] | Sequence[object],
        symbols: Sequence[str],
        length: int,
        parameters: Mapping[str, Sequence[object]],
        states: Sequence[str] | None = None,
    ) -> None:
        initial = check_type(initial, Mapping[str, object], "initial")
        transition = check_type(transition, Mapping[str, object] | Sequence[object], "transition")
        emission = check_type(emission, Mapping[str, object] | Sequence[object], "emission")
        parameters = check_type(parameters, Mapping[str, Sequence[object]], "parameters")
        length = expect_length(length)
        if not 1 <= len(parameters) <= MAX_PARAMETERS:
            raise ModelError(f"expected 1 to {MAX_PARAMETERS}, found {len(parameters)}", "parameters")
        ranges = []
        for name, given in parameters.items():
            if isinstance(given, str) or len(given) != 2:
                raise ModelError(f"expected two numbers, found {shown(given)}", f"parameters.{name}")
            low, high = (exact(value) for value in given)
            if low > high:
                raise ModelError(
                    f"expected the least value first, found {text_of(low)} and {text_of(high)}", f"parameters.{name}"
                )
            ranges.append((name, low, high))
        names = named_states(states, emission)
        shown_names = distinct_names(symbols, "symbol")
        databases = distinct_names(tuple(initial), "database")
        ring = Polynomials(tuple(parameters))
        start = rows_of(initial, databases, names, "initial", None)
        moves = rows_of(transition, names, names, "transition", "stay")
        shows = rows_of(emission, names, shown_names, "emission", None)
        hold(
            self,
            parameters=tuple(ranges),
            databases=databases,
            states=names,
            symbols=shown_names,
            length=length,
            ring=ring,
            start=_identical(ring, start, "initial", databases),
            moves=_identical(ring, moves, "transition", names),
            shows=_identical(ring, shows, "emission", names),
        )

    def __repr__(self) -> str:
        ranges = (f"{name} in [{text_of(low)}, {text_of(high)}]" for name, low, high in self.parameters)
        sizes = (
            f"{len(self.databases)} databases, {len(self.states)} states, "
            f"{len(self.symbols)} symbols, words of length {self.length}"
        )
        return f"ParametricMechanism({', '.join(ranges)}, {sizes})"

    @property
    def box(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The ranges of the parameters, in order."""
        return tuple((low, high) for _, low, high in self.parameters)

    def at(self, values: Mapping[str, object]) -> HiddenMarkovMechanism:
        """Return the mechanism at a value of every parameter. Raises `ModelError` unless each lies
        in its range, and probabilities are none below 0 there.
        """
        values = check_type(values, Mapping[str, object], "values")
        point = {name: exact(value) for name, value in values.items()}
        if set(point) != set(self.ring.names):
            raise ModelError(f"expected values of {list(self.ring.names)}, found {list(point)}", "values")
        for name, low, high in self.parameters:
            if not low <= point[name] <= high:
                raise ModelError(
                    f"expected {text_of(low)} to {text_of(high)}, found {text_of(point[name])}", f"values.{name}"
                )
        try:
            return HiddenMarkovMechanism(
                dict(zip(self.databases, self._values(self.start, point))),
                self._values(self.moves, point),
                self._values(self.shows, point),
                self.symbols,
                self.length,
                self.states,
            )
        except ModelError as error:
            where = ", ".join(f"{name} = {text_of(value)}" for name, value in point.items())
            raise error.within(f"at {where}") from None

    def of_length(self, length: int) -> "ParametricMechanism":
        """Return the same model with words of another length, at least 0."""
        length = expect_length(length)
        other = object.__new__(ParametricMechanism)
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        hold(other, **(fields | {"length": length}))
        return other

    @property
    def writable(self) -> bool:
        """Never: it stands for many mechanisms."""
        return False

    @property
    def normalized(self) -> bool:
        """Never: rows sum to 1 identically."""
        return False

    def entries(self) -> list[tuple[str, "fmpq_mpoly"]]:
        """Return every probability that depends on parameters, with the place of its row."""
        places = (
            ("initial", self.databases, self.start),
            ("transition", self.states, self.moves),
            ("emission", self.states, self.shows),
        )
        return [
            (f"{where}.{name}", entry)
            for where, names, rows in places
            for name, row in zip(names, rows)
            for entry in row
            if not entry.is_constant()
        ]

    def _values(self, rows: PolynomialRows, point: Point) -> list[list[Fraction]]:
        return [[self.ring.value(entry, point) for entry in row] for row in rows]


def _identical(ring: Polynomials, rows: Sequence[Sequence[object]], where: str, names: Sequence[str]) -> PolynomialRows:
    """Read rows of polynomials. Raises `ModelError` unless each sums to 1 identically."""
    read, zeros = [], dict.fromkeys(ring.names, Fraction(0))
    for name, row in zip(names, rows):
        try:
            entries = tuple(ring.read(entry) for entry in row)
            total: Any = sum(entries, ring.constant(Fraction(0)))
            if total != 1:
                raise ModelError(f"sums to {total}, expected 1")
            if any(entry.is_constant() and ring.value(entry, zeros) < 0 for entry in entries):
                raise ModelError("expected probabilities, found a negative number")
        except ModelError as error:
            raise error.within(f"{where}.{name}") from None
        read.append(entries)
    return tuple(read)
