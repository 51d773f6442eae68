"""The law of a count on a Bayesian network, by variable elimination.

    G_v(z) = sum over x with x_i = v of prod_j P(x_j | parents of j) z^(d_j(x_j)),

polynomials with integer coefficients over a common denominator, multiplied exactly by FLINT.
Records are eliminated one by one, next the one whose table is smallest, and record i is left. Those
that add nothing matter only where others depend on them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork, integers_in
from pufferproof.models.priors.elimination import (
    Factor,
    Sizes,
    Step,
    elimination_order,
    entries_of,
)
from pufferproof.verify.noise.laws.of_framework import Law
from pufferproof.verify.noise.laws.packing import Packing, law_of

if TYPE_CHECKING:
    from flint import fmpz_poly

MAX_PRODUCTS = 3_000_000  # of polynomials, for all secret records of one network
MAX_TERMS = 1_000_000_000  # those times the terms of a polynomial
MAX_BITS, _MOST_BITS = 10**11, 2 * 10**9  # of all products, and of the table that is left of one
Values = tuple[int, ...]


@dataclass(frozen=True)
class _PolynomialTable:
    """A polynomial for every combination of values of some records; where none is, it is 0."""

    scope: tuple[int, ...]
    table: Mapping[Values, "fmpz_poly"]
    degree: int = 0
    bits: int = 0  # of the largest coefficient


def network_laws(
    framework: Framework, network: BayesianNetwork, packing: Packing
) -> dict[tuple[int, int], Law]:
    """Return the law of the query given every secret (record, value); empty if it is impossible.

    Raises `TooLargeError` where elimination takes more than 3,000,000 products of polynomials, or
    these have too many terms or bits.
    """
    records = framework.expect_records()
    wanted = sorted({record for record, _ in framework.places.values()})
    own, sizes = network.own(records), network.sizes(records)
    counts = _counts(own, packing)
    known: dict[int, _PolynomialTable] = {}
    laws: dict[tuple[int, int], Law] = {}
    for record in wanted:
        factors = network.factors(records, network.ancestors([record, *counts]))
        hidden = {other for factor in factors for other in factor.scope} - {record}
        order = elimination_order([factor.scope for factor in factors], hidden, sizes)
        _refuse_long(order, sizes, len(wanted), packing.terms)
        for each in factors:
            if id(each.table) not in known:
                known[id(each.table)] = _in_integers(each)
        used = [replace(known[id(each.table)], scope=each.scope) for each in factors]
        used += [counts[each] for each in sorted(counts)]
        _refuse_large(order, used, sizes)
        weights = _eliminated(used, order, sizes)
        given = dict(zip(own[record - 1], weights))
        for held, value in framework.places.values():
            if held == record:
                law = given.get(value)
                laws[record, value] = {} if law is None else law_of(law, packing, 0)
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


def _refuse_large(order: Sequence[Step], factors: Sequence[_PolynomialTable], sizes: Sizes) -> None:
    """Raise `TooLargeError` where polynomials of a table, or of all, have too many bits together:
    degrees and bits of coefficients add up in products.
    """
    holding: dict[int, dict[int, tuple[int, int]]] = {}
    for number, factor in enumerate(factors):
        for record in factor.scope:
            holding.setdefault(record, {})[number] = factor.degree, factor.bits
    largest = total = 0
    for number, (record, around) in enumerate(order, len(factors)):
        used = holding.pop(record)
        degree, bits = map(sum, zip(*used.values()))
        size = (degree + 1) * (bits + 1) * entries_of([(record, around)], sizes)
        largest, total = max(largest, size // sizes[record]), total + size
        for other in around:
            left = {k: each for k, each in holding[other].items() if k not in used}
            holding[other] = left | {number: (degree, bits)}
    if largest > _MOST_BITS or total > MAX_BITS:
        raise TooLargeError(
            f"variable elimination: a table of polynomials of {largest} bits, {total} in all; "
            f"expected at most {_MOST_BITS}, and {MAX_BITS} in all",
            "query",
        )


def _counts(own: Sequence[Sequence[int]], packing: Packing) -> dict[int, _PolynomialTable]:
    """Return z to what every value adds, of all records with a value that adds something."""
    found = {}
    for record, values in enumerate(own, 1):
        adds = packing.adds(record)
        if any(adds[value] for value in values):
            powers = [_constant(1).left_shift(adds[value]) for value in values]
            table: dict[Values, fmpz_poly] = {(i,): each for i, each in enumerate(powers)}
            found[record] = _PolynomialTable((record,), table, max(adds[value] for value in values))
    return found


def _in_integers(factor: Factor) -> _PolynomialTable:
    """Return a table in integers: its entries that are not 0, times their common denominator."""
    numbers, common = integers_in(factor.table)
    entries = zip(product(*map(range, numbers.shape)), numbers.ravel().tolist())
    table = {values: _constant(entry) for values, entry in entries if entry}
    return _PolynomialTable(factor.scope, table, 0, common.bit_length())


def _eliminated(
    factors: Sequence[_PolynomialTable], order: Sequence[Step], sizes: Sizes
) -> list["fmpz_poly"]:
    """Return the weights of every value of the record that is left."""
    holding: dict[int, list[_PolynomialTable]] = {}
    for factor in factors:
        for record in factor.scope:
            holding.setdefault(record, []).append(factor)
    apart: list[_PolynomialTable] = []  # of records that nothing leads to the one that is left
    for record, around in order:
        used = holding.pop(record)
        merged = _summed(used, record, around, sizes)
        for one in around:
            holding[one] = [each for each in holding[one] if not _within(each, used)] + [merged]
        if not around:
            apart.append(merged)
    ((left, rest),) = holding.items()
    return [_product([*rest, *apart], {left: value}) for value in range(sizes[left])]


def _summed(
    used: list[_PolynomialTable], record: int, around: tuple[int, ...], sizes: Sizes
) -> _PolynomialTable:
    """Return the product of factors, summed over the values of a record."""
    table = {}
    own = range(sizes[record])
    for values in product(*(range(sizes[each]) for each in around)):
        held = dict(zip(around, values, strict=True))
        total = sum((_product(used, held | {record: value}) for value in own), _constant(0))
        if total:
            table[values] = total
    return _PolynomialTable(around, table)


def _product(factors: list[_PolynomialTable], held: Mapping[int, int]) -> "fmpz_poly":
    result = _constant(1)
    for factor in factors:
        entry = factor.table.get(tuple(held[record] for record in factor.scope))
        if entry is None:
            return _constant(0)
        result *= entry
    return result


def _constant(value: int) -> "fmpz_poly":
    from flint import fmpz_poly

    return fmpz_poly([value])


def _within(factor: _PolynomialTable, factors: list[_PolynomialTable]) -> bool:
    return any(factor is each for each in factors)
