"""The law of a count on a Bayesian network, by variable elimination.

    G_v(z) = sum over x with x_i = v of prod_j P(x_j | parents of j) z^(d_j(x_j)),

polynomials with integer coefficients over a common denominator D, multiplied exactly by FLINT.
Records are eliminated one by one, next the one whose table is smallest, and record i is left. Those
that add nothing matter only where others depend on them.

Where coefficients are short, only the values D G_v(2^b) are computed (Kronecker substitution):
coefficients of D G_v are integers from 0 to D < 2^b, and so the digits of this value in base 2^b.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from math import prod
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
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
from pufferproof.verify.noise.laws.of_framework import Law
from pufferproof.verify.noise.laws.packing import Packing, law_of

if TYPE_CHECKING:
    from flint import fmpz_poly
    from numpy.typing import NDArray

MAX_PRODUCTS = 3_000_000  # of polynomials, for all secret records of one network
MAX_TERMS = 1_000_000_000  # those times the terms of a polynomial
MAX_BITS, _MOST_BITS = 10**11, 2 * 10**9  # of all products, and of the table that is left of one
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
        """Whether values at 2^b are faster: each coefficient takes b bits, and no integer of its
        own.
        """
        faster = self.terms * bits < self.bits + self.terms * _OF_TERM * _WORD
        return faster and self.largest * bits <= _MOST_BITS


def network_laws(framework: Framework, network: BayesianNetwork, packing: Packing) -> dict[tuple[int, int], Law]:
    """Return the law of the query given every secret (record, value); empty if it is impossible.

    Raises `TooLargeError` where elimination takes more than 3,000,000 products of polynomials, or
    these have too many terms or bits.
    """
    from flint import fmpz_poly

    records = framework.expect_records()
    wanted = sorted({record for record, _ in framework.places.values()})
    own, sizes = network.own(records), network.sizes(records)
    counts = _counts(own, packing)
    every = enumerate(own, 1)
    adds = {i: [0] * size for i, size in sizes.items()}  # as nodes that are no records do
    adds |= {i: [packing.adds(i)[value] for value in values] for i, values in every}
    adding = [_Size(one.scope, max(p.degree() for p in one.table), 0) for one in counts]
    integers: dict[int, tuple[NDArray[Any], int]] = {}  # tables in integers over one denominator
    laws: dict[tuple[int, int], Law] = {}
    for record in wanted:
        chosen = network.ancestors([record, *(other for one in counts for other in one.scope)])
        factors = network.factors(records, chosen)
        hidden = {other for factor in factors for other in factor.scope} - {record}
        order = elimination_order([factor.scope for factor in factors], hidden, sizes)
        _refuse_long(order, sizes, len(wanted), packing.terms)
        for factor in factors:
            if id(factor.table) not in integers:
                integers[id(factor.table)] = integers_in(factor.table)
        whole = [(one.scope, *integers[id(one.table)]) for one in factors]
        long = [_Size(scope, 0, common.bit_length()) for scope, _, common in whole]
        total = _refuse_large(order, [*long, *adding], sizes)
        tables = [Factor(scope, table) for scope, table, _ in whole]
        bits = -(-(prod(common for _, _, common in whole).bit_length()) // _WORD) * _WORD
        if total.substitutes(bits):
            left: Any = _at_power(order, tables, record, sizes, adds, bits)
        else:
            left = eliminated_in(order, [*tables, *counts], (record,), sizes)
        weights = dict(zip(own[record - 1], left))
        for place, value in framework.places.values():
            if place == record:
                law = fmpz_poly([1]) * weights.get(value, 0)
                laws[record, value] = law_of(law, packing, 0)
    return laws


def _refuse_long(order: Sequence[Step], sizes: Sizes, wanted: int, terms: int) -> None:
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
    if largest > _MOST_BITS or total > MAX_BITS:
        raise TooLargeError(
            f"variable elimination: a table of polynomials of {largest} bits, {total} in all; "
            f"expected at most {_MOST_BITS}, and {MAX_BITS} in all",
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
) -> "list[fmpz_poly]":
    """Return the polynomials of a record by their values at 2^bits, above all coefficients: what a
    value adds is a shift, once the tables of its record are one.
    """
    import numpy as np
    from flint import fmpz

    integer = np.frompyfunc(fmpz, 1, 1)
    bag = Bag(Factor(one.scope, integer(one.table)) for one in factors)
    for each, around in order:
        merged = multiplied(bag.take(each), (*around, each), sizes)
        bag.add(Factor(around, _shifted_sum(merged, adds[each], bits)))
    rest = multiplied(bag.rest(), (record,), sizes)
    return [_polynomial(_shifted_sum(rest[[i]], [n], bits).item(), bits) for i, n in enumerate(adds[record])]


def _shifted_sum(table: "NDArray[Any]", adds: Sequence[int], bits: int) -> "NDArray[Any]":
    """Return sum_v 2^(bits d(v)) T(.., v)."""
    import numpy as np

    parts = [table[..., i] << (bits * n) if n else table[..., i] for i, n in enumerate(adds)]
    return np.asarray(reduce(add, parts), dtype=object)


def _polynomial(value: Any, bits: int) -> "fmpz_poly":
    """Return the polynomial whose coefficients are the digits of an integer in base 2^bits."""
    from flint import fmpz_poly

    step, number = bits // 8, int(value)
    digits = number.to_bytes(number.bit_length() // 8 + 1, "little")
    starts = range(0, len(digits), step)
    return fmpz_poly([int.from_bytes(digits[i : i + step], "little") for i in starts])


def _counts(own: Sequence[Sequence[int]], packing: Packing) -> list[Factor]:
    """Return z to what every value adds, of all records with a value that adds something."""
    import numpy as np
    from flint import fmpz_poly

    factors = []
    for record, values in enumerate(own, 1):
        adds = packing.adds(record)
        if any(adds[value] for value in values):
            powers = np.empty(len(values), dtype=object)  # NumPy takes a polynomial for a sequence
            powers[:] = [fmpz_poly([1]).left_shift(adds[value]) for value in values]
            factors.append(Factor((record,), powers))
    return factors
