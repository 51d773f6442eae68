"""What product weights tell of a record of a network: E[w | X_i = v] for its values v, enclosed.

All other records are summed out, of tables of floats whose errors are bounded: with f the computed
entries of a table and F the true ones, scaled by one power of two so that f is at most 1,

    |F - f| <= rel f + abs.

Nothing is subtracted. A product of m tables has at most the sum of all rel and m roundings, and
twice the sum of all abs; a sum of n entries has n roundings more and n times abs. What underflows
is in abs. Two ends of a query need no more than this (`pufferproof.verify.noise.ratio.bounds`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, ldexp
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.elimination import (
    Bag,
    Factor,
    Sizes,
    Step,
    elimination_order,
    entries_of,
    multiplied,
)
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_ENTRIES = 1 << 24  # of a table
MOST_WORK = 1 << 27  # entries of all tables, for all records
_UNIT, _TINY = 2.0**-53, 2.0**-1074
_SLACK = 1 + 2.0**-16  # more than what the sums of errors themselves are rounded by
_WIDE, _FAR = 2.0**-20, 2.0**-10  # of rel and abs, beyond which these bounds do not hold
Ends = tuple[Fraction, Fraction]


def told_of_values(
    network: BayesianNetwork,
    records: Records,
    record: int,
    weights: "Sequence[Sequence[arb]]",
    values: Sequence[int],
    most: int = MOST_WORK,
) -> tuple[dict[int, Ends], int] | None:
    """Return bounds of E[w | X_i = v] for some values, by position in the alphabet, all up to one
    factor, and how many entries all tables had; `weights` are those of every record and letter.
    None if floats do not tell.

    Raises `TooLargeError`, before any arithmetic, if tables have more than 2^24 entries, or all
    more than `most`.
    """
    own = network.own(records)
    unary = {
        person: [weights[person - 1][value] for value in values]
        for person, values in enumerate(own, 1)
        if any(weights[person - 1][value] != 1 for value in values)
    }
    weighed = _EliminationQuestion(network, records, record, unary)
    plain = _EliminationQuestion(network, records, record, {})
    if (work := weighed.work + plain.work) > most:
        raise TooLargeError(f"{work} entries of tables of floats: expected at most {most}")
    try:
        weighed_ends, law = weighed.answer(), plain.answer()
    except _LostError:
        return None
    odds = {}
    for value in values:
        place = own[record - 1].index(value)
        (low, high), (least, greatest) = weighed_ends[place], law[place]
        if low <= 0 or least <= 0:
            return None
        odds[value] = low / greatest, high / least
    return odds, work


class _LostError(ArithmeticError):
    """Errors that are too large to go on with."""


class _EliminationQuestion:
    """The sum over all records but one, of the tables that it and the weights depend on."""

    def __init__(
        self,
        network: BayesianNetwork,
        records: Records,
        record: int,
        unary: "Mapping[int, Sequence[arb]]",
    ) -> None:
        self.record, self.unary = record, unary
        self.floats: dict[int, Floats] = network.__dict__.setdefault("_floats", {})
        self.sizes: Sizes = network.sizes(records)
        self.factors = network.factors(records, network.ancestors([record, *unary]))
        scopes = [factor.scope for factor in self.factors]
        hidden = {person for scope in scopes for person in scope} - {record}
        self.order: list[Step] = elimination_order(scopes, hidden, self.sizes, MOST_ENTRIES)
        self.work = entries_of(self.order, self.sizes)

    def answer(self) -> list[Ends]:
        """Return bounds of the sum for every value of the record."""
        bag = Bag(_ProductTable.of(factor, self.floats) for factor in self.factors)
        for record, row in self.unary.items():
            bag.add(_ProductTable.of_weights(record, row))
        for record, around in self.order:
            product = _product(bag.take(record), (*around, record), self.sizes)
            bag.add(product.summed(around))
        return _product(bag.rest(), (self.record,), self.sizes).ends()


@dataclass(frozen=True)
class _ProductTable(Factor):
    """Computed entries of at most 1, and bounds of their errors: see the head."""

    rel: float
    abs: float

    @classmethod
    def of(cls, factor: Factor, floats: "dict[int, Floats]") -> "_ProductTable":
        """Return a table of probabilities, each rounded once; `floats` has those of a network."""
        if (key := id(factor.table)) not in floats:
            floats[key] = factor.table.astype(float)
        return cls(factor.scope, floats[key], _UNIT, _TINY)

    @classmethod
    def of_weights(cls, record: int, weights: "Sequence[arb]") -> "_ProductTable":
        """Return weights of the values of a record over the largest, from enclosures."""
        import numpy as np

        largest = max(dyadic(weight.upper()) for weight in weights)
        low = [dyadic(weight.lower()) / largest for weight in weights]
        high = [dyadic(weight.upper()) / largest for weight in weights]
        rel = max((float(b / a) - 1 for a, b in zip(low, high) if a > 0), default=0.0) + 4 * _UNIT
        spread = _TINY if min(low) > 0 else 2 * _FAR
        return cls((record,), np.array([float(b) for b in high]), rel, spread)

    def summed(self, around: tuple[int, ...]) -> "_ProductTable":
        """Return the table summed over its last record, scaled so that entries are at most 1."""
        count = self.table.shape[-1]
        table = self.table.sum(axis=-1)
        return _scaled(around, table, self.rel + count * _UNIT, self.abs * count)

    def ends(self) -> list[Ends]:
        """Return bounds of the true entries."""
        rel, spread = Fraction(self.rel), Fraction(self.abs)
        entries = [Fraction(entry) for entry in self.table.tolist()]
        return [(entry * (1 - rel) - spread, entry * (1 + rel) + spread) for entry in entries]


def _scaled(scope: tuple[int, ...], table: "Floats", rel: float, spread: float) -> _ProductTable:
    import numpy as np

    top = float(table.max())
    power = frexp(top)[1] if top else 0
    scaled = np.ldexp(table, -power)
    if not spread < ldexp(_FAR, power):
        raise _LostError
    return _checked(scope, scaled, rel * _SLACK, ldexp(spread, -power) * _SLACK + _TINY)


def _checked(scope: tuple[int, ...], table: "Floats", rel: float, spread: float) -> _ProductTable:
    """Return a table. Raises `_LostError` unless its errors are small."""
    if not (rel < _WIDE and spread < _FAR):
        raise _LostError
    return _ProductTable(scope, table, rel, spread)


def _product(
    factors: Sequence[_ProductTable], scope: tuple[int, ...], sizes: Sizes
) -> _ProductTable:
    """Return the product of tables, with an axis for each record of a scope."""
    result = multiplied(factors, scope, sizes)
    rel = (sum(factor.rel for factor in factors) + len(factors) * _UNIT) * _SLACK
    spread = (2 * sum(factor.abs for factor in factors) + len(factors) * _TINY) * _SLACK
    return _checked(scope, result, rel, spread)
