"""The law of a count on a Bayesian network, by variable elimination.

    G_v(z) = sum over x with x_i = v of prod_j P(x_j | parents of j) z^(d_j(x_j)),

polynomials with integer coefficients over a common denominator, multiplied exactly by FLINT.
Records are eliminated one by one, next the one with the fewest neighbours, and record i is left.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork, elimination_order
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.laws import Law
from pufferproof.verify.noise.records.packing import Packing, law_of

if TYPE_CHECKING:
    from flint import fmpz_poly

MAX_PRODUCTS = 3_000_000  # of polynomials, for all secret records of one network
MAX_TERMS = 1_000_000_000  # those times the terms of a polynomial
Values = tuple[int, ...]


@dataclass(frozen=True)
class _Factor:
    """A polynomial for every combination of values of some records; where none is, it is 0."""

    scope: tuple[int, ...]
    table: Mapping[Values, "fmpz_poly"]


def network_laws(
    framework: Framework, network: BayesianNetwork, packing: Packing
) -> dict[tuple[int, int], Law]:
    """Return the law of the query given every secret (record, value); empty if it is impossible.

    Raises `TooLargeError` where elimination takes more than 3,000,000 products of polynomials, or
    these have too many terms.
    """
    records = framework.expect_records()
    wanted = sorted({record for record, _ in framework.places.values()})
    every = range(1, network.length + 1)
    scopes = [(record, *above) for record, above in zip(every, network.parents)]
    laws: dict[tuple[int, int], Law] = {}
    for record in wanted:
        order = elimination_order(scopes, {*every} - {record})
        _refuse_long(order, len(records.alphabet), len(wanted), packing.terms)
        weights = _eliminated(_factors(network, records, packing), order, len(records.alphabet))
        for held, value in framework.places.values():
            if held == record:
                laws[record, value] = law_of(weights[value], packing, 0)
    return laws


def _refuse_long(
    order: list[tuple[int, tuple[int, ...]]], size: int, wanted: int, terms: int
) -> None:
    products = sum(size ** (len(around) + 1) for _, around in order) * wanted
    if products > MAX_PRODUCTS or products * terms > MAX_TERMS:
        widest = max(len(around) for _, around in order) + 1
        raise TooLargeError(
            f"variable elimination for {wanted} secret records, up to {widest} records together: "
            f"{products} products of polynomials with up to {terms} terms, expected at most "
            f"{MAX_PRODUCTS}, and {MAX_TERMS} with their terms",
            "query",
        )


def _factors(network: BayesianNetwork, records: Records, packing: Packing) -> list[_Factor]:
    """Return the table of every record, in integers, times z to what its value adds."""
    from flint import fmpz_poly

    factors = []
    for record, (above, table) in enumerate(network.tables(records), 1):
        adds, entries = packing.adds(record), {}
        common = lcm(*(entry.denominator for entry in table.ravel().tolist()))
        for values in product(range(len(records.alphabet)), repeat=len(above) + 1):
            entry: Fraction = table[values]
            if entry:
                whole = fmpz_poly([entry.numerator * (common // entry.denominator)])
                entries[values] = whole.left_shift(adds[values[-1]])
        factors.append(_Factor((*above, record), entries))
    return factors


def _eliminated(
    factors: list[_Factor], order: list[tuple[int, tuple[int, ...]]], size: int
) -> list["fmpz_poly"]:
    """Return the weights of every value of the record that is left."""
    holding: dict[int, list[_Factor]] = {}
    for factor in factors:
        for record in factor.scope:
            holding.setdefault(record, []).append(factor)
    apart: list[_Factor] = []  # of records that nothing leads to the one that is left
    for record, around in order:
        used = holding.pop(record)
        merged = _summed(used, record, around, size)
        for one in around:
            holding[one] = [each for each in holding[one] if not _within(each, used)] + [merged]
        if not around:
            apart.append(merged)
    ((left, rest),) = holding.items()
    return [_product([*rest, *apart], {left: value}) for value in range(size)]


def _summed(used: list[_Factor], record: int, around: tuple[int, ...], size: int) -> _Factor:
    """Return the product of factors, summed over the values of a record."""
    table = {}
    for values in product(range(size), repeat=len(around)):
        held = dict(zip(around, values, strict=True))
        total = sum((_product(used, held | {record: value}) for value in range(size)), _constant(0))
        if total:
            table[values] = total
    return _Factor(around, table)


def _product(factors: list[_Factor], held: Mapping[int, int]) -> "fmpz_poly":
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


def _within(factor: _Factor, factors: list[_Factor]) -> bool:
    return any(factor is each for each in factors)
