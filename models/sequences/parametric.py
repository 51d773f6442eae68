"""Hidden Markov mechanisms with parameters: probabilities are polynomials in named numbers, each of
which lies in a range.

Rows sum to 1 identically. Whether the mechanism keeps a level for all values of its parameters is
in `pufferproof.verify.sequences.parameters`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.sequences.expressions import Polynomials
from pufferproof.models.sequences.hidden_mechanism import (
    HiddenMarkovMechanism,
    distinct_names,
    expect_length,
    named_states,
    rows_of,
)

MAX_PARAMETERS = 6
PolynomialRows = tuple[tuple[Any, ...], ...]
Point = Mapping[str, Fraction]


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
        ranges = _ranges(parameters)
        names = named_states(states, emission)
        shown_names = distinct_names(symbols, "symbol")
        databases = distinct_names(tuple(initial), "database")
        ring = Polynomials(tuple(parameters))
        start = rows_of(initial, databases, names, "initial", None)
        moves = rows_of(transition, names, names, "transition", "stay")
        shows = rows_of(emission, names, shown_names, "emission", None)
        hold(
            self,
            parameters=ranges,
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
        ranges = (
            f"{name} in [{text_of(low)}, {text_of(high)}]" for name, low, high in self.parameters
        )
        sizes = (
            f"{len(self.databases)} databases, {len(self.states)} states, "
            f"{len(self.symbols)} symbols, words of length {self.length}"
        )
        return f"ParametricMechanism({', '.join(ranges)}, {sizes})"

    @property
    def box(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The ranges of the parameters, in order."""
        return tuple((low, high) for _, low, high in self.parameters)

    def at(self, values: Mapping[str, Any]) -> HiddenMarkovMechanism:
        """Return the mechanism at a value of every parameter. Raises `ModelError` unless each lies
        in its range, and probabilities are none below 0 there.
        """
        values = check_type(values, Mapping[str, Any], "values")
        point = {name: exact(value) for name, value in values.items()}
        if set(point) != set(self.ring.names):
            raise ModelError(
                f"expected values of {list(self.ring.names)}, found {list(point)}", "values"
            )
        for name, low, high in self.parameters:
            if not low <= point[name] <= high:
                raise ModelError(
                    f"expected {text_of(low)} to {text_of(high)}, found {text_of(point[name])}",
                    f"values.{name}",
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

    def entries(self) -> list[tuple[str, Any]]:
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


def _ranges(
    parameters: Mapping[str, Sequence[object]],
) -> tuple[tuple[str, Fraction, Fraction], ...]:
    if not 1 <= len(parameters) <= MAX_PARAMETERS:
        raise ModelError(f"expected 1 to {MAX_PARAMETERS}, found {len(parameters)}", "parameters")
    ranges = []
    for name, given in parameters.items():
        if isinstance(given, str) or len(given) != 2:
            raise ModelError(f"expected two numbers, found {shown(given)}", f"parameters.{name}")
        low, high = (exact(value) for value in given)
        if low > high:
            raise ModelError(
                f"expected the least value first, found {text_of(low)} and {text_of(high)}",
                f"parameters.{name}",
            )
        ranges.append((name, low, high))
    return tuple(ranges)


def _identical(
    ring: Polynomials, rows: Sequence[Sequence[object]], where: str, names: Sequence[str]
) -> PolynomialRows:
    """Read rows of polynomials. Raises `ModelError` unless each sums to 1 identically."""
    read = []
    for name, row in zip(names, rows):
        try:
            entries = tuple(ring.read(entry) for entry in row)
            total: Any = sum(entries, ring.constant(Fraction(0)))
            if total != 1:
                raise ModelError(f"sums to {total}, expected 1")
            if any(
                entry.is_constant() and ring.value(entry, _zeros(ring)) < 0 for entry in entries
            ):
                raise ModelError("expected probabilities, found a negative number")
        except ModelError as error:
            raise error.within(f"{where}.{name}") from None
        read.append(entries)
    return tuple(read)


def _zeros(ring: Polynomials) -> Point:
    return dict.fromkeys(ring.names, Fraction(0))
