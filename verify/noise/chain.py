"""Exact leakage of noisy sums, means and histograms along a chain, by dynamic programming over its
records.

With z^d the weight of a record that adds the integer d, the generating function of what a query
counts given X_i = v is

    G_v(z) = z^(d_i(v)) A_i(v) B_i(v) / m_i(v),

A of the records before and B of those after, polynomials with integer coefficients over a power of
the common denominator, multiplied exactly by FLINT. Several coordinates and releases are digits of
one exponent. What noise makes of these laws is in `pufferproof.verify.noise.leakage`. Sequences are
never enumerated.

Derived: song2017.x-markov.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, NamedTuple, cast

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import Vector
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.priors.structure import integer_rows
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.noise.laws import Law, LawPair, QueryLaws

if TYPE_CHECKING:
    from flint import fmpq, fmpz_poly

MAX_WORK = 30_000_000  # records times terms of a polynomial


def sequence_laws(framework: Framework, releases: Sequence[RecordQuery]) -> QueryLaws:
    """Return the joint laws of independent noisy queries of one sequence given every secret.

    Raises `ModelError` unless all queries are about these records, `TooLargeError` unless
    polynomials are short enough.
    """
    for release in releases:
        if release.records != framework.records:
            raise ModelError(
                "expected a query of the framework's records, found another space", "query"
            )
    distinct = list({(release.query, release.segment): release for release in releases}.values())
    packing = _Packing.of(distinct)
    _refuse_long(framework, packing)
    noises = tuple(release.noise for release in releases for _ in range(release.dimension))
    pairs: list[LawPair] = []
    excluded, seen = 0, set()
    for prior, chain in framework.chains.items():
        laws = {
            place: _repeated(law, distinct, releases)
            for place, law in _laws(framework, chain, packing).items()
        }
        for pair in framework.pairs:
            above, below = (laws[framework.places[name]] for name in pair)
            if not (above and below):
                excluded += 1
                continue
            seen.add(pair)
            pairs.append(LawPair(prior, pair, above, below))
            pairs.append(LawPair(prior, (pair[1], pair[0]), below, above))
    never: tuple[Pair, ...] = tuple(pair for pair in framework.pairs if pair not in seen)
    return QueryLaws(noises, tuple(pairs), excluded, never)


def _refuse_long(framework: Framework, packing: "_Packing") -> None:
    """Raise `TooLargeError` where polynomials are too long: of every record, and of every
    hidden state where there are some.
    """
    count, hidden = (
        framework.expect_records().count,
        [c.start for c in framework.chains.values() if c.emission is not None],
    )
    states = max(map(len, hidden), default=1)
    if count * packing.terms * states > MAX_WORK:
        size = f"{count} records times {packing.terms} values of the query"
        times = f" times {states} hidden states" if states > 1 else ""
        raise TooLargeError(f"{size}{times}: expected at most {MAX_WORK}", "query")


def _repeated(law: Law, distinct: Sequence[RecordQuery], releases: Sequence[RecordQuery]) -> Law:
    """Return the law of all releases, given that of the distinct queries among them: equal ones
    have equal values.
    """
    if len(distinct) == len(releases):
        return law
    starts, places = 0, {}
    for query in distinct:
        places[query.query, query.segment] = slice(starts, starts + query.dimension)
        starts += query.dimension
    chosen = [places[release.query, release.segment] for release in releases]
    return {tuple(x for part in chosen for x in vector[part]): p for vector, p in law.items()}


@dataclass(frozen=True)
class _Packing:
    """The counted coordinates of all releases as digits of one integer."""

    releases: Sequence[RecordQuery]
    bases: tuple[int, ...]  # one per counted coordinate: one more than it can reach
    known: dict[int, Vector] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, releases: Sequence[RecordQuery]) -> "_Packing":
        """Choose the bases."""
        return cls(
            releases,
            tuple(
                1 + release.size * max(digit) for release in releases for digit in release.digits
            ),
        )

    @property
    def terms(self) -> int:
        """An upper bound of the number of terms of a polynomial."""
        total = 1
        for base in self.bases:
            total *= base
        return total

    def adds(self, record: int) -> list[int]:
        """Return the exponent that a record adds, for each of its values."""
        size = len(self.releases[0].records.alphabet)
        exponents, unit, bases = [0] * size, 1, iter(self.bases)
        for release in self.releases:
            for digit in release.digits:
                if release.covers(record):
                    exponents = [old + unit * new for old, new in zip(exponents, digit)]
                unit *= next(bases)
        return exponents

    def known_vector(self, exponent: int) -> Vector:
        """Return the values of all releases from an exponent, once found for all records."""
        if exponent not in self.known:
            self.known[exponent] = self.vector(exponent)
        return self.known[exponent]

    def vector(self, exponent: int) -> Vector:
        """Return the values of all releases from an exponent."""
        digits = []
        for base in self.bases:
            exponent, digit = divmod(exponent, base)
            digits.append(digit)
        values: list[Fraction] = []
        for release in self.releases:
            count = len(release.digits)
            values.extend(release.vector(digits[:count]))
            digits = digits[count:]
        return tuple(values)


def _laws(framework: Framework, chain: Chain, packing: _Packing) -> dict[tuple[int, int], Law]:
    """Return the law of the query given every secret (record, value); empty if it is impossible."""
    wanted = sorted({record for record, _ in framework.places.values()})
    numbers = _Numbers(chain, framework.expect_records().count, packing)
    after = dict(numbers.backward(wanted))
    laws: dict[tuple[int, int], Law] = {}
    for record, before in numbers.forward(wanted):
        for held, value in framework.places.values():
            if held == record:
                weights = numbers.given(before, after[record], value)
                laws[record, value] = _law(weights, packing, packing.adds(record)[value])
    return laws


def _law(weights: "fmpz_poly", packing: _Packing, shift: int) -> Law:
    from flint import fmpq, fmpz

    coefficients = {exponent: c for exponent, c in enumerate(weights.coeffs()) if c}
    total = sum(coefficients.values(), fmpz(0))
    reduced = {exponent: fmpq(c, total) for exponent, c in coefficients.items()}
    return {packing.known_vector(exponent + shift): _fraction(q) for exponent, q in reduced.items()}


class _Reduced(NamedTuple):
    """A rational in lowest terms: `Fraction` takes one as it is, and so need not repeat what
    FLINT does faster.
    """

    numerator: int
    denominator: int


Rational.register(_Reduced)


def _fraction(value: "fmpq") -> Fraction:
    return Fraction(cast("Rational", _Reduced(int(value.p), int(value.q))))


class _Numbers:
    """Forward and backward polynomials of a chain, up to common factors that laws do not depend on.

    A_(t+1)(y) = sum_x A_t(x) z^(d_t(x)) P(x, y), A_1 the law of X_1, and B_t(x) = sum_y P(x, y)
    z^(d_(t+1)(y)) B_(t+1)(y), B_T = 1. In a hidden Markov model x and y are hidden states,
    z^(d_t(x)) is the sum over the values v that x shows of E(x, v) z^(d_t(v)), and

        G_v(z) = z^(d_i(v)) sum_x A_i(x) E(x, v) B_i(x) / m_i(v).

    There is one for every value of a record, or for every hidden state: then `shows` has what it
    shows.
    """

    def __init__(self, chain: Chain, length: int, packing: _Packing) -> None:
        self.length, self.packing = length, packing
        self.rows = chain.rows
        self.size = len(
            packing.releases[0].records.alphabet if chain.rows is not None else chain.step
        )
        self.shows = None if chain.emission is None else integer_rows(chain.emission)[0]
        if chain.rows is None:
            self.step, _ = integer_rows(chain.step)
            self.start = integers(chain.start)

    def given(
        self, before: Sequence["fmpz_poly"], after: Sequence["fmpz_poly"], value: int
    ) -> "fmpz_poly":
        """Return A_i B_i of one value of record i, summed over the hidden states that show it."""
        if self.shows is None:
            return before[value] * after[value]
        return _sum([a * b for a, b in zip(before, after)], [row[value] for row in self.shows])

    def forward(self, wanted: Sequence[int]) -> Iterator[tuple[int, list["fmpz_poly"]]]:
        """Yield A_t for the wanted records, in increasing order."""
        now, chosen = self._first(), set(wanted)
        for record in range(1, wanted[-1] + 1):
            if record in chosen:
                yield record, now
            if record < wanted[-1]:
                now = self._pushed(now, record)

    def backward(self, wanted: Sequence[int]) -> Iterator[tuple[int, list["fmpz_poly"]]]:
        """Yield B_t for the wanted records, in decreasing order."""
        from flint import fmpz_poly

        now, chosen = [fmpz_poly([1])] * self.size, set(wanted)
        for record in range(self.length, wanted[0] - 1, -1):
            if record in chosen:
                yield record, now
            shifted = self._shifted(now, record)
            if self.rows is not None:
                now = [_sum(shifted, integers(self.rows[record - 1]))] * self.size
            else:
                now = [_sum(shifted, row) for row in self.step]

    def _first(self) -> list["fmpz_poly"]:
        from flint import fmpz_poly

        return [
            fmpz_poly([weight])
            for weight in (self.start if self.rows is None else integers(self.rows[0]))
        ]

    def _pushed(self, now: list["fmpz_poly"], record: int) -> list["fmpz_poly"]:
        shifted = self._shifted(now, record)
        if self.rows is not None:
            total = _sum(shifted, [1] * self.size)
            return [total * weight for weight in integers(self.rows[record])]
        return [_sum(shifted, [row[y] for row in self.step]) for y in range(self.size)]

    def _shifted(self, now: Sequence["fmpz_poly"], record: int) -> list["fmpz_poly"]:
        adds = self.packing.adds(record)
        if self.shows is None:
            return [polynomial.left_shift(add) for polynomial, add in zip(now, adds)]
        return [
            _sum([each.left_shift(add) for add in adds], row) for each, row in zip(now, self.shows)
        ]


def _sum(polynomials: Sequence["fmpz_poly"], weights: Sequence[int]) -> "fmpz_poly":
    from flint import fmpz_poly

    total = fmpz_poly([])
    for polynomial, weight in zip(polynomials, weights):
        if weight:
            total += polynomial * weight
    return total
