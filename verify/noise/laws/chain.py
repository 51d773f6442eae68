"""The law of a count along a chain, by dynamic programming over its records.

    G_v(z) = z^(d_i(v)) A_i(v) B_i(v) / m_i(v),

A of the records before and B of those after, polynomials with integer coefficients over a power of
the common denominator, multiplied exactly by FLINT. Sequences are never enumerated.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pufferproof.models.framework import Framework
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.priors.structure import integer_rows
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.noise.laws.of_framework import Law
from pufferproof.verify.noise.laws.packing import Packing, law_of

if TYPE_CHECKING:
    from flint import fmpz_poly

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

    def given(self, before: Sequence["fmpz_poly"], after: Sequence["fmpz_poly"], value: int) -> "fmpz_poly":
        """Return A_i B_i of one value of record i, summed over the hidden states that show it."""
        if self.shows is None:
            return before[value] * after[value]
        return _sum([a * b for a, b in zip(before, after)], [row[value] for row in self.shows])

    def anyone(self, before: Sequence["fmpz_poly"], after: Sequence["fmpz_poly"], record: int) -> "fmpz_poly":
        """Return what the records of one person add, whatever the value of one of them is."""
        adds = self.packing.adds(record)
        every = [self.given(before, after, x).left_shift(add) for x, add in enumerate(adds)]
        return _sum(every, [1] * len(every))

    def forward(self, wanted: Sequence[int]) -> Iterator[tuple[int, list["fmpz_poly"]]]:
        """Yield A_t for the wanted records, in increasing order."""
        now, chosen = self.first(), set(wanted)
        for record in range(1, wanted[-1] + 1):
            if record in chosen:
                yield record, now
            if record < wanted[-1]:
                now = self.pushed(now, record)

    def backward(self, wanted: Sequence[int]) -> Iterator[tuple[int, list["fmpz_poly"]]]:
        """Yield B_t for the wanted records, in decreasing order."""
        from flint import fmpz_poly

        now, chosen = [fmpz_poly([1])] * self.size, set(wanted)
        for record in range(self.length, wanted[0] - 1, -1):
            if record in chosen:
                yield record, now
            now = self.pulled(now, record)

    def pulled(self, now: Sequence["fmpz_poly"], record: int) -> list["fmpz_poly"]:
        """Return B_(t-1) from B_t, t being the record."""
        shifted = self._shifted(now, record)
        if self.rows is not None:
            return [_sum(shifted, integers(self.rows[record - 1]))] * self.size
        return [_sum(shifted, row) for row in self.step]

    def first(self) -> list["fmpz_poly"]:
        """Return A_1."""
        from flint import fmpz_poly

        return [fmpz_poly([weight]) for weight in (self.start if self.rows is None else integers(self.rows[0]))]

    def pushed(self, now: Sequence["fmpz_poly"], record: int) -> list["fmpz_poly"]:
        """Return A_(t+1) from A_t, t being the record."""
        shifted = self._shifted(now, record)
        if self.rows is not None:
            total = _sum(shifted, [1] * self.size)
            return [total * weight for weight in integers(self.rows[record])]
        return [_sum(shifted, [row[y] for row in self.step]) for y in range(self.size)]

    def _shifted(self, now: Sequence["fmpz_poly"], record: int) -> list["fmpz_poly"]:
        adds = self.packing.adds(record)
        if self.shows is None:
            return [polynomial.left_shift(add) for polynomial, add in zip(now, adds)]
        return [_sum([term.left_shift(add) for add in adds], row) for term, row in zip(now, self.shows)]


def _sum(polynomials: Sequence["fmpz_poly"], weights: Sequence[int]) -> "fmpz_poly":
    from flint import fmpz_poly

    total = fmpz_poly([])
    for polynomial, weight in zip(polynomials, weights):
        if weight:
            total += polynomial * weight
    return total
