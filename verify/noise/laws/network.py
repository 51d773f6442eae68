"""The law of a count on a Bayesian network, by variable elimination.

    G_v(z) = sum over x with x_i = v of prod_j P(x_j | parents of j) z^(d_j(x_j)),

polynomials with integer coefficients over a common denominator, multiplied exactly by FLINT.
Records are eliminated one by one, next the one whose table is smallest, and record i is left. Those
that add nothing matter only where others depend on them.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork, integers_in
from pufferproof.models.priors.elimination import (
    Bag,
    Factor,
    Sizes,
    Step,
    eliminated_in,
    elimination_order,
    entries_of,
)
from pufferproof.verify.noise.laws.of_framework import Law
from pufferproof.verify.noise.laws.packing import Packing, law_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_PRODUCTS = 3_000_000  # of polynomials, for all secret records of one network
MAX_TERMS = 1_000_000_000  # those times the terms of a polynomial
MAX_BITS, _MOST_BITS = 10**11, 2 * 10**9  # of all products, and of the table that is left of one


class _Size(NamedTuple):
    """The largest degree of a table of polynomials, and the bits of its largest coefficient."""

    scope: tuple[int, ...]
    degree: int
    bits: int


def network_laws(
    framework: Framework, network: BayesianNetwork, packing: Packing
) -> dict[tuple[int, int], Law]:
    """Return the law of the query given every secret (record, value); empty if it is impossible.

    Raises `TooLargeError` where elimination takes more than 3,000,000 products of polynomials, or
    these have too many terms or bits.
    """
    from flint import fmpz_poly

    records = framework.expect_records()
    wanted = sorted({record for record, _ in framework.places.values()})
    own, sizes = network.own(records), network.sizes(records)
    counts = _counts(own, packing)
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
        _refuse_large(order, [*long, *adding], sizes)
        tables = [*(Factor(scope, table) for scope, table, _ in whole), *counts]
        weights = dict(zip(own[record - 1], eliminated_in(order, tables, (record,), sizes)))
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


def _refuse_large(order: Sequence[Step], tables: Iterable[_Size], sizes: Sizes) -> None:
    """Raise `TooLargeError` where polynomials of a table, or of all, have too many bits together:
    degrees and bits of coefficients add up in products.
    """
    bag, largest, total = Bag(tables), 0, 0
    for record, around in order:
        used = bag.take(record)
        merged = _Size(around, sum(part.degree for part in used), sum(part.bits for part in used))
        bag.add(merged)
        size = (merged.degree + 1) * (merged.bits + 1) * entries_of([(record, around)], sizes)
        largest, total = max(largest, size // sizes[record]), total + size
    if largest > _MOST_BITS or total > MAX_BITS:
        raise TooLargeError(
            f"variable elimination: a table of polynomials of {largest} bits, {total} in all; "
            f"expected at most {_MOST_BITS}, and {MAX_BITS} in all",
            "query",
        )


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
