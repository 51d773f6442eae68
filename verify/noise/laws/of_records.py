"""Laws of noisy sums, means and histograms of records given every secret, without a list of
sequences: along chains by dynamic programming, on Bayesian networks by variable elimination.

With z^d the weight of a record that adds the integer d, both find the generating function of what a
query counts given the value of a record, as a polynomial with integer coefficients. Several
coordinates and releases are digits of one exponent (`packing`). What noise makes of these laws is
in `pufferproof.verify.noise.ratio.listed`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import isqrt, lcm, prod
from numbers import Rational
from operator import add
from typing import TYPE_CHECKING, NamedTuple, SupportsInt, cast

from flint import fmpq, fmpz, fmpz_poly

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import Vector
from pufferproof.models.noise.records import Query, RecordQuery
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.priors.bayesian_network import (
    Bag,
    BayesianNetwork,
    Factor,
    Sizes,
    Step,
    eliminated_in,
    elimination_order,
    entries_of,
    integers_in,
    multiplied,
)
from pufferproof.models.priors.markov import integer_rows
from pufferproof.models.sequences.chain import Chain, SequencePrior
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, QueryLaws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What several built-in queries count, packed into one exponent: the digits of an integer, and the law of all of them
# from a polynomial in it.


@dataclass(frozen=True)
class Packing:
    """The counted coordinates of all releases as digits of one integer."""

    releases: Sequence[RecordQuery]
    bases: tuple[int, ...]  # one per counted coordinate: one more than it can reach
    known: dict[int, Vector] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, releases: Sequence[RecordQuery]) -> "Packing":
        """Choose the bases."""
        return cls(releases, tuple(1 + release.size * max(digit) for release in releases for digit in release.digits))

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


def law_of(weights: fmpz_poly, packing: Packing, shift: int) -> Law:
    """Return the law of the releases from weights of exponents, `shift` added to each; empty where all are 0."""
    coefficients = {exponent: c for exponent, c in enumerate(weights.coeffs()) if c}
    total = sum(coefficients.values(), fmpz(0))
    reduced = {exponent: fmpq(c, total) for exponent, c in coefficients.items()}
    return {
        packing.known_vector(exponent + shift): Fraction(cast("Rational", _Reduced(int(q.p), int(q.q))))
        for exponent, q in reduced.items()
    }


class _Reduced(NamedTuple):
    """A rational in lowest terms: `Fraction` takes one as it is, and so need not repeat what FLINT does faster."""

    numerator: int
    denominator: int


Rational.register(_Reduced)


# The law of a count along a chain, by dynamic programming over its records.
#
#     G_v(z) = z^(d_i(v)) A_i(v) B_i(v) / m_i(v),
#
# A of the records before and B of those after, polynomials with integer coefficients over a power of the common
# denominator, multiplied exactly by FLINT. Sequences are never enumerated.

RESTS_ON = ("song2017.x-markov",)


def chain_laws(framework: Framework, chain: Chain, packing: Packing, people: int = 1) -> dict[tuple[int, int], Law]:
    """Return the law of the query given every secret (record, value) of person 1; empty if it is
    impossible. The records of other people are independent, with the same chain.
    """
    wanted = sorted({record for record, _ in framework.places.values()})
    numbers = ChainPolynomials(chain, framework.expect_records().count, packing)
    after = dict(numbers.backward(wanted))
    laws: dict[tuple[int, int], Law] = {}
    others: fmpz_poly | int | None = 1 if people == 1 else None
    for record, before in numbers.forward(wanted):
        if others is None:
            others = numbers.anyone(before, after[record], record) ** (people - 1)
        for place, value in framework.places.values():
            if place == record:
                weights = numbers.given(before, after[record], value) * others
                laws[record, value] = law_of(weights, packing, packing.adds(record)[value])
    return laws


class ChainPolynomials:
    """Forward and backward polynomials of a chain, up to common factors that laws do not depend on.

    A_(t+1)(y) = sum_x A_t(x) z^(d_t(x)) P(x, y), A_1 the law of X_1, and B_t(x) = sum_y P(x, y)
    z^(d_(t+1)(y)) B_(t+1)(y), B_T = 1. In a hidden Markov model x and y are hidden states,
    z^(d_t(x)) is the sum over the values v that x shows of E(x, v) z^(d_t(v)), and

        G_v(z) = z^(d_i(v)) sum_x A_i(x) E(x, v) B_i(x) / m_i(v).

    There is one for every value of a record, or for every hidden state: then `shows` has what it
    shows.
    """

    def __init__(self, chain: Chain, length: int, packing: Packing) -> None:
        self.length, self.packing = length, packing
        self.rows = chain.rows
        self.size = len(packing.releases[0].records.alphabet if chain.rows is not None else chain.step)
        self.shows = None if chain.emission is None else integer_rows(chain.emission)[0]
        if chain.rows is None:
            self.step, _ = integer_rows(chain.step)
            self.start = integers(chain.start)

    def given(self, before: Sequence[fmpz_poly], after: Sequence[fmpz_poly], value: int) -> fmpz_poly:
        """Return A_i B_i of one value of record i, summed over the hidden states that show it."""
        if self.shows is None:
            return before[value] * after[value]
        return _sum([a * b for a, b in zip(before, after)], [row[value] for row in self.shows])

    def anyone(self, before: Sequence[fmpz_poly], after: Sequence[fmpz_poly], record: int) -> fmpz_poly:
        """Return what the records of one person add, whatever the value of one of them is."""
        adds = self.packing.adds(record)
        every = [self.given(before, after, x).left_shift(add) for x, add in enumerate(adds)]
        return _sum(every, [1] * len(every))

    def forward(self, wanted: Sequence[int]) -> Iterator[tuple[int, list[fmpz_poly]]]:
        """Yield A_t for the wanted records, in increasing order."""
        now, chosen = self.first(), set(wanted)
        for record in range(1, wanted[-1] + 1):
            if record in chosen:
                yield record, now
            if record < wanted[-1]:
                now = self.pushed(now, record)

    def backward(self, wanted: Sequence[int]) -> Iterator[tuple[int, list[fmpz_poly]]]:
        """Yield B_t for the wanted records, in decreasing order."""
        now, chosen = [fmpz_poly([1])] * self.size, set(wanted)
        for record in range(self.length, wanted[0] - 1, -1):
            if record in chosen:
                yield record, now
            now = self.pulled(now, record)

    def pulled(self, now: Sequence[fmpz_poly], record: int) -> list[fmpz_poly]:
        """Return B_(t-1) from B_t, t being the record."""
        shifted = self._shifted(now, record)
        if self.rows is not None:
            return [_sum(shifted, integers(self.rows[record - 1]))] * self.size
        return [_sum(shifted, row) for row in self.step]

    def first(self) -> list[fmpz_poly]:
        """Return A_1."""
        return [fmpz_poly([weight]) for weight in (self.start if self.rows is None else integers(self.rows[0]))]

    def pushed(self, now: Sequence[fmpz_poly], record: int) -> list[fmpz_poly]:
        """Return A_(t+1) from A_t, t being the record."""
        shifted = self._shifted(now, record)
        if self.rows is not None:
            total = _sum(shifted, [1] * self.size)
            return [total * weight for weight in integers(self.rows[record])]
        return [_sum(shifted, [row[y] for row in self.step]) for y in range(self.size)]

    def _shifted(self, now: Sequence[fmpz_poly], record: int) -> list[fmpz_poly]:
        adds = self.packing.adds(record)
        if self.shows is None:
            return [polynomial.left_shift(add) for polynomial, add in zip(now, adds)]
        return [_sum([term.left_shift(add) for add in adds], row) for term, row in zip(now, self.shows)]


def _sum(polynomials: Sequence[fmpz_poly], weights: Sequence[int]) -> fmpz_poly:
    total = fmpz_poly([])
    for polynomial, weight in zip(polynomials, weights):
        if weight:
            total += polynomial * weight
    return total


# The law of a count on a Bayesian network, by variable elimination.
#
#     G_v(z) = sum over x with x_i = v of prod_j P(x_j | parents of j) z^(d_j(x_j)),
#
# polynomials with integer coefficients over a common denominator D, multiplied exactly by FLINT. Records are
# eliminated one by one, next the one whose table is smallest, and record i is left. Those that add nothing matter only
# where others depend on them.
#
# Where coefficients are short, only the values D G_v(2^b) are computed (Kronecker substitution): coefficients of D G_v
# are integers from 0 to D < 2^b, and so the digits of this value in base 2^b.

MAX_PRODUCTS = 3_000_000  # of polynomials, for all secret records of one network
MAX_TERMS = 1_000_000_000  # those times the terms of a polynomial
MAX_BITS, _MOST_NETWORK_BITS = 10**11, 2 * 10**9  # of all products, and of the table that is left of one
_WORD = 64  # bits
_OF_TERM = 20  # words that are multiplied in the time that one more integer takes


class _Size(NamedTuple):
    """The largest degree of a table of polynomials, and the bits of its largest coefficient."""

    scope: tuple[int, ...]
    degree: int
    bits: int


class _Sum(NamedTuple):
    """How many coefficients all tables have, their bits, and how many of a table that is left."""

    terms: int
    bits: int
    largest: int

    def substitutes(self, bits: int) -> bool:
        """Whether values at 2^b are faster: each coefficient takes b bits, and no integer of its own."""
        faster = self.terms * bits < self.bits + self.terms * _OF_TERM * _WORD
        return faster and self.largest * bits <= _MOST_NETWORK_BITS


def network_laws(framework: Framework, network: BayesianNetwork, packing: Packing) -> dict[tuple[int, int], Law]:
    """Return the law of the query given every secret (record, value); empty if it is impossible.

    Raises `TooLargeError` where elimination takes more than 3,000,000 products of polynomials, or
    these have too many terms or bits.
    """
    records = framework.expect_records()
    wanted = sorted({record for record, _ in framework.places.values()})
    own, sizes = network.own(records), network.sizes(records)
    counts = _counts(own, packing)
    every = enumerate(own, 1)
    adds = {i: [0] * size for i, size in sizes.items()}  # as nodes that are no records do
    adds |= {i: [packing.adds(i)[value] for value in values] for i, values in every}
    adding = [_Size(one.scope, max(p.degree() for p in one.table), 0) for one in counts]
    integers: dict[int, tuple[NDArray[np.object_], int]] = {}  # tables in integers over one denominator
    laws: dict[tuple[int, int], Law] = {}
    for record in wanted:
        chosen = network.ancestors([record, *(other for one in counts for other in one.scope)])
        factors = network.factors(records, chosen)
        hidden = {other for factor in factors for other in factor.scope} - {record}
        order = elimination_order([factor.scope for factor in factors], hidden, sizes)
        _refuse_long_network(order, sizes, len(wanted), packing.terms)
        for factor in factors:
            if id(factor.table) not in integers:
                integers[id(factor.table)] = integers_in(factor.table)
        whole = [(one.scope, *integers[id(one.table)]) for one in factors]
        long = [_Size(scope, 0, common.bit_length()) for scope, _, common in whole]
        total = _refuse_large(order, [*long, *adding], sizes)
        tables = [Factor(scope, table) for scope, table, _ in whole]
        bits = -(-(prod(common for _, _, common in whole).bit_length()) // _WORD) * _WORD
        if total.substitutes(bits):
            left: Iterable[fmpz_poly] = _at_power(order, tables, record, sizes, adds, bits)
        else:
            left = eliminated_in(order, [*tables, *counts], (record,), sizes)
        weights = dict(zip(own[record - 1], left))
        for place, value in framework.places.values():
            if place == record:
                law = fmpz_poly([1]) * weights.get(value, 0)
                laws[record, value] = law_of(law, packing, 0)
    return laws


def _refuse_long_network(order: Sequence[Step], sizes: Sizes, wanted: int, terms: int) -> None:
    products = entries_of(order, sizes) * wanted
    if products > MAX_PRODUCTS or products * terms > MAX_TERMS:
        widest = max(len(around) for _, around in order) + 1
        raise TooLargeError(
            f"variable elimination for {wanted} secret records, up to {widest} records together: "
            f"{products} products of polynomials with up to {terms} terms, expected at most "
            f"{MAX_PRODUCTS}, and {MAX_TERMS} with their terms",
            "query",
        )


def _refuse_large(order: Sequence[Step], tables: Iterable[_Size], sizes: Sizes) -> _Sum:
    """Return how large all tables are. Raises `TooLargeError` where polynomials of a table, or of
    all, have too many bits together: degrees and bits of coefficients add up in products.
    """
    bag, largest, total, terms, most = Bag(tables), 0, 0, 0, 0
    for record, around in order:
        used = bag.take(record)
        merged = _Size(around, sum(part.degree for part in used), sum(part.bits for part in used))
        bag.add(merged)
        count = (merged.degree + 1) * entries_of([(record, around)], sizes)
        size = count * (merged.bits + 1)
        largest, total = max(largest, size // sizes[record]), total + size
        most, terms = max(most, count // sizes[record]), terms + count
    if largest > _MOST_NETWORK_BITS or total > MAX_BITS:
        raise TooLargeError(
            f"variable elimination: a table of polynomials of {largest} bits, {total} in all; "
            f"expected at most {_MOST_NETWORK_BITS}, and {MAX_BITS} in all",
            "query",
        )
    return _Sum(terms, total, most)


def _at_power(
    order: Sequence[Step],
    factors: Sequence[Factor],
    record: int,
    sizes: Sizes,
    adds: Mapping[int, Sequence[int]],
    bits: int,
) -> list[fmpz_poly]:
    """Return the polynomials of a record by their values at 2^bits, above all coefficients: what a
    value adds is a shift, once the tables of its record are one.
    """
    import numpy as np

    integer = np.frompyfunc(fmpz, 1, 1)
    bag = Bag(Factor(one.scope, integer(one.table)) for one in factors)
    for each, around in order:
        merged = multiplied(bag.take(each), (*around, each), sizes)
        bag.add(Factor(around, _shifted_sum(merged, adds[each], bits)))
    rest = multiplied(bag.rest(), (record,), sizes)
    return [_polynomial(_shifted_sum(rest[[i]], [n], bits).item(), bits) for i, n in enumerate(adds[record])]


def _shifted_sum(table: "NDArray[np.object_]", adds: Sequence[int], bits: int) -> "NDArray[np.object_]":
    """Return sum_v 2^(bits d(v)) T(.., v)."""
    import numpy as np

    parts = [table[..., i] << (bits * n) if n else table[..., i] for i, n in enumerate(adds)]
    return np.asarray(reduce(add, parts), dtype=object)


def _polynomial(value: SupportsInt, bits: int) -> fmpz_poly:
    """Return the polynomial whose coefficients are the digits of an integer in base 2^bits."""
    step, number = bits // 8, int(value)
    digits = number.to_bytes(number.bit_length() // 8 + 1, "little")
    starts = range(0, len(digits), step)
    return fmpz_poly([int.from_bytes(digits[i : i + step], "little") for i in starts])


def _counts(own: Sequence[Sequence[int]], packing: Packing) -> list[Factor]:
    """Return z to what every value adds, of all records with a value that adds something."""
    import numpy as np

    factors = []
    for record, values in enumerate(own, 1):
        adds = packing.adds(record)
        if any(adds[value] for value in values):
            powers = np.empty(len(values), dtype=object)  # NumPy takes a polynomial for a sequence
            powers[:] = [fmpz_poly([1]).left_shift(adds[value]) for value in values]
            factors.append(Factor((record,), powers))
    return factors


MAX_WORK = 30_000_000  # records times terms of a polynomial
_MOST_BITS = 10**12  # that are written, as every record makes coefficients longer


def sequence_laws(framework: Framework, releases: Sequence[RecordQuery]) -> QueryLaws:
    """Return the joint laws of independent noisy queries of one sequence, or of those of several
    people, given every secret.

    Raises `ModelError` unless all queries are about these records, `TooLargeError` unless
    polynomials are short enough.
    """
    for release in releases:
        release.expect_of(framework.records)
    framework, people = framework.alone, framework.people
    distinct = list({release.asked: release for release in releases}.values())
    packing = Packing.of(distinct)
    chains = _chains(framework)
    _refuse_long(framework, chains, packing)
    noises = tuple(release.noise for release in releases for _ in range(release.dimension))
    pairs: list[LawPair] = []
    excluded, seen = 0, set()
    for prior in framework.priors:
        if prior in chains:
            given = chain_laws(framework, chains[prior], packing, people)
        elif people > 1:
            raise TooLargeError("several people, each with a network: too many values", "query")
        else:
            given = network_laws(framework, framework.networks[prior], packing)
        laws = {place: _repeated(law, distinct, releases) for place, law in given.items()}
        for pair in framework.pairs:
            above, below = (laws[framework.places[name]] for name in pair)
            if not (above and below):
                excluded += 1
                continue
            seen.add(pair)
            pairs.append(LawPair(prior, pair, above, below))
            pairs.append(LawPair(prior, (pair[1], pair[0]), below, above))
    never: tuple[Pair, ...] = tuple(pair for pair in framework.pairs if pair not in seen)
    claims = RESTS_ON if chains else ()
    return QueryLaws(noises, tuple(pairs), excluded, never, claims)


def _chains(framework: Framework) -> Mapping[str, Chain]:
    """Return the numbers of every prior along the records, of all that are no network."""
    if framework.along_records:
        return framework.chains
    return {
        name: Chain.of(prior, framework.expect_records())
        for name, prior in framework.priors.items()
        if isinstance(prior, SequencePrior)
    }


def _refuse_long(framework: Framework, chains: Mapping[str, Chain], packing: Packing) -> None:
    """Raise `TooLargeError` where polynomials are too long: of every record, and of every
    hidden state where there are some.
    """
    count, hidden = (framework.expect_records().count, [c.start for c in chains.values() if c.emission is not None])
    states = max(map(len, hidden), default=1)
    if count * packing.terms * states > MAX_WORK:
        size = f"{count} records times {packing.terms} values of the query"
        times = f" times {states} hidden states" if states > 1 else ""
        raise TooLargeError(f"{size}{times}: expected at most {MAX_WORK}", "query")
    bits = max((bits_of(chain) for chain in chains.values()), default=0)
    if count * count * packing.terms * states * bits > _MOST_BITS:
        size = f"{count} records, {packing.terms} values of the query, probabilities of {bits} bits"
        most = isqrt(_MOST_BITS // (packing.terms * states * bits))
        raise TooLargeError(f"{size}: expected at most {most} records, or fewer bits", "query")


def bits_of(chain: Chain) -> int:
    """Return by how many bits every record makes coefficients longer."""
    rows = chain.step if chain.rows is None else chain.rows
    return max(lcm(*(p.denominator for p in row)).bit_length() for row in rows)


def _repeated(law: Law, distinct: Sequence[RecordQuery], releases: Sequence[RecordQuery]) -> Law:
    """Return the law of all releases, given that of the distinct queries among them: equal ones have equal values."""
    if len(distinct) == len(releases):
        return law
    starts, places = 0, {}
    for query in distinct:
        places[query.asked] = slice(starts, starts + query.dimension)
        starts += query.dimension
    chosen = [places[release.asked] for release in releases]
    return {tuple(x for part in chosen for x in vector[part]): p for vector, p in law.items()}


# Disjoint segments whose records of two values are counted with noise.

Segment = tuple[int, int]  # the first record and the last


def segments_of(framework: Framework, queries: Sequence[Query]) -> tuple[Segment, ...] | None:
    """Return the segments of queries, in order, or None unless they are disjoint, count records of
    a chain of two values, and have noise with a decay.
    """
    if not framework.along_records or framework.classes:
        return None
    if len(framework.expect_records().alphabet) != 2:
        return None
    if any(chain.rows is not None or chain.emission is not None for chain in framework.chains.values()):
        return None
    if not all(isinstance(query, RecordQuery) and query.noise.decay for query in queries):
        return None
    along = [query for query in queries if isinstance(query, RecordQuery)]
    if any(query.of is not None for query in along):
        return None
    segments = sorted({query.ends for query in along})
    if any(one[1] >= two[0] for one, two in pairwise(segments)):
        return None
    return tuple(segments)
