"""Mechanisms of which outputs are listed as far as they can be: some of an output is a number with
a density, and of some probability it is not known at which outputs it is.

    P(output y | database x) = (entries[x][y] + something in [0, left[x]]) / totals[x],
    sum over y of entries[x][y] + left[x] = totals[x]

An output with a number in it is one label; `densities` has, for every database, the density of the
number times the total, whose integral is the entry. A program that draws until something happens is
listed in part: what is left may be at listed outputs or at others, but not at those that are
`impossible` given the database. What such a table leaks, and its
delta, are in `pufferproof.verify.noise.ratio.partial`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from operator import add
from typing import TYPE_CHECKING, ClassVar

from pufferproof.models.channel import joined
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Quotient
from pufferproof.models.numbers.text import about, text_of

if TYPE_CHECKING:
    from pufferproof.models.numbers.pieces import Piecewise

MAX_TERMS = 100_000  # of all entries of a table together
_UNLIKELY = (80, 60, 40, 30, 20, 12)  # bits of a probability
_LAWS = "takes whole laws of rational probabilities, found numbers that are drawn, or paths left"


@dataclass(frozen=True, eq=False)
class PartialTable:
    """A mechanism whose rows may have a part that is `left`, and outputs with `densities`; entries
    and parts are exponential sums. Without `totals` all of them are 1.

    >>> from fractions import Fraction
    >>> from pufferproof.models.numbers.exponential_sums import ONE
    >>> half = ExponentialSum([(Fraction(1, 2), ONE)])
    >>> PartialTable(("0", "1"), ("u",), ((half,), (half,)), (half, half))
    PartialTable(2 databases, 1 outputs, some of it left)
    """

    taken_by: ClassVar = {
        "Channel": f"{_LAWS}: audit and compose take it",
        "PowerTable": f"{_LAWS}: audit and compose take it",
    }
    unnamed: ClassVar = True

    databases: tuple[str, ...]
    outputs: tuple[str, ...]
    entries: tuple[tuple[ExponentialSum, ...], ...] = field(repr=False)
    left: tuple[ExponentialSum, ...] = field(repr=False)
    densities: Mapping[str, "tuple[Piecewise, ...]"] = field(default_factory=dict, repr=False)
    parts_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    totals: tuple[ExponentialSum, ...] = field(default=(), repr=False)
    impossible: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)

    def probability_approx(self, database: str, output: str) -> float:
        """Return the listed part of P(output | database) as a float."""
        return self._share_approx(self.databases.index(database), self.outputs.index(output))

    def _share_approx(self, row: int, place: int) -> float:
        return float(self.entries[row][place].ball() / self.total(row).ball())

    def total(self, row: int) -> ExponentialSum:
        """Return what the entries of a row and its part that is left sum to."""
        return self.totals[row] if self.totals else ExponentialSum([(1, ONE)])

    def beside(self, *others: "PartialTable") -> "PartialTable":
        """Return the joint release of this mechanism and independent others on the same database:
        what is left of it is what some release has left.

        >>> from fractions import Fraction
        >>> from pufferproof.models.numbers.exponential_sums import ONE
        >>> third, rest = (ExponentialSum([(Fraction(k, 3), ONE)]) for k in (1, 2))
        >>> once = PartialTable(("x",), ("u",), ((third,),), (rest,))
        >>> twice = once.beside(once)
        >>> twice.outputs, twice.entries[0][0].rational, twice.left[0].rational
        (('u,u',), Fraction(1, 9), Fraction(8, 9))

        Raises `ModelError` unless all have the same databases, and at most one has numbers that are
        drawn, `TooLargeError` where it is long.
        """
        if others:
            for table in (self, *others):
                table.expect_joint()
        return reduce(_together, others, self)

    def expect_joint(self) -> None:
        """Raise `ModelError` unless the table can be released beside others."""

    @property
    def _left(self) -> bool:
        return any(each.terms for each in self.left)

    def listing(self, least: float) -> "PartialTable":
        """Return the table without the outputs that are less likely than that given every database:
        what they have is left.
        """
        chosen = [
            place
            for place, output in enumerate(self.outputs)
            if output in self.densities
            or any(self._share_approx(row, place) >= least for row in range(len(self.entries)))
        ]
        dropped = sorted(set(range(len(self.outputs))) - set(chosen))
        left = tuple(reduce(add, (row[place] for place in dropped), rest) for row, rest in zip(self.entries, self.left))
        outputs = tuple(self.outputs[place] for place in chosen)
        entries = tuple(tuple(row[place] for place in chosen) for row in self.entries)
        return replace(self, outputs=outputs, entries=entries, left=left)

    def parts(self, output: str) -> tuple[str, ...]:
        """Return what every release showed, given an output of a joint one."""
        return self.parts_of.get(output, (output,))

    def __repr__(self) -> str:
        rows, outputs = len(self.databases), len(self.outputs)
        more = [", with numbers"] * bool(self.densities)
        more += [", some of it left"] * self._left
        return f"PartialTable({rows} databases, {outputs} outputs{''.join(more)})"


def _together(one: PartialTable, other: PartialTable) -> PartialTable:
    if set(one.databases) != set(other.databases):
        raise ModelError("expected mechanisms on the same databases")
    if one.densities and other.densities:
        raise ModelError(
            "both release numbers that are drawn: expected at most one such mechanism, released "
            "once; noise on a query of the records is composed any number of times",
            "mechanisms",
        )
    one, other = _shortened(one, other)
    pairs = list(product(one.outputs, other.outputs))
    outputs = joined(pairs)
    order = [other.databases.index(label) for label in one.databases]
    entries = tuple(
        tuple(a * b for a, b in product(row, other.entries[place])) for row, place in zip(one.entries, order)
    )
    both = list(enumerate(order))
    left = tuple(
        one.left[row] * other.total(place) + (one.total(row) - one.left[row]) * other.left[place] for row, place in both
    )
    totals = tuple(one.total(row) * other.total(place) for row, place in both)
    shown = {output: (*one.parts(first), *other.parts(second)) for output, (first, second) in zip(outputs, pairs)}
    densities = {
        output: tuple(_beside(one, other, row, place, pair) for row, place in both)
        for output, pair in zip(outputs, pairs)
        if pair[0] in one.densities or pair[1] in other.densities
    }
    nobody: frozenset[str] = frozenset()
    impossible = {
        output: one.impossible.get(first, nobody) | other.impossible.get(second, nobody)
        for output, (first, second) in zip(outputs, pairs)
        if first in one.impossible or second in other.impossible
    }
    return PartialTable(one.databases, outputs, entries, left, densities, shown, totals, impossible)


def _shortened(one: PartialTable, other: PartialTable) -> tuple[PartialTable, PartialTable]:
    """Return two tables whose joint release is short enough: what is unlikely in a table of which
    something is left is left as well. Raises `TooLargeError` where that does not do.
    """
    tables = one, other
    for bits in (0, *_UNLIKELY):
        least = 2.0**-bits if bits else 0.0
        short = [each.listing(least) if each._left else each for each in tables]
        terms = prod(sum(len(entry.terms) for row in table.entries for entry in row) for table in short) // len(
            one.databases
        )
        if terms <= MAX_TERMS:
            return short[0], short[1]
    raise TooLargeError(
        f"a joint release with some {about(terms)} terms: expected at most {MAX_TERMS} of fewer runs", "mechanisms"
    )


def _beside(one: PartialTable, other: PartialTable, row: int, place: int, pair: tuple[str, str]) -> "Piecewise":
    """Return the density of the number in a joint output: that of one, times the probability of the
    output of the other.
    """
    from pufferproof.models.numbers.pieces import ExponentialPolynomial

    first, second = pair
    if first in one.densities:
        density = one.densities[first][row]
        factor = other.entries[place][other.outputs.index(second)]
    else:
        density = other.densities[second][place]
        factor = one.entries[row][one.outputs.index(first)]
    return density.scaled(ExponentialPolynomial.of_sum(factor)) if factor.terms else type(density)(())


# Rational bounds of the probabilities of a table, for certificates that a level is kept.
#
#     low <= P(w | x) <= high    for every database x and output w
#
# Bounds are what a checker without real numbers can read of an irrational law. What a table has not listed is one more
# output, from 0 on; it may stand for several. Nothing computes a leakage from bounds: see
# `pufferproof.verify.certificates.bounding`.

Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class BoundsTable:
    """Bounds of every probability, in the order of the outputs."""

    outputs: tuple[str, ...]
    rows: Mapping[str, tuple[Ends, ...]] = field(repr=False)

    @classmethod
    def of(cls, table: PartialTable, databases: Sequence[str], bits: int) -> "BoundsTable":
        """Return bounds of the law of a table, of so many bits; rational probabilities are exact.

        Raises `ModelError` if outputs have numbers that are drawn: an interval of numbers has no
        bound of its ratios.
        """
        from flint import ctx

        if table.densities:
            raise ModelError("some outputs are numbers that are drawn, with a density", "mechanism")
        indices = [table.databases.index(label) for label in databases]
        partly = any(table.left[row].terms for row in indices)
        with ctx.workprec(bits):
            rows = {}
            for label, row in zip(databases, indices):
                # what is left may belong to any output that is possible
                total, left = table.total(row), table.left[row]
                nobody: frozenset[str] = frozenset()
                ends = [
                    _ends(mass, ExponentialSum([]) if label in table.impossible.get(w, nobody) else left, total)
                    for w, mass in zip(table.outputs, table.entries[row])
                ]
                rows[label] = (*ends, *[_ends(ExponentialSum([]), left, total)] * partly)
        rest = "other outputs"
        while rest in table.outputs:
            rest += " "
        return cls(table.outputs + (rest,) * partly, rows)

    def as_json(self) -> dict[str, object]:
        """Return outputs and bounds as mechanism files and certificates have them."""
        bounds = {label: [[text_of(low), text_of(high)] for low, high in row] for label, row in self.rows.items()}
        return {"outputs": list(self.outputs), "bounds": bounds}


def _ends(mass: ExponentialSum, left: ExponentialSum, total: ExponentialSum) -> Ends:
    """Return bounds of what is between mass / total and (mass + left) / total."""
    exact = Quotient(mass, total).rational if not left.terms else None
    if exact is not None:
        return exact, exact
    low = dyadic((mass.ball() / total.ball()).lower()) if mass.terms else Fraction(0)
    high = dyadic(((mass + left).ball() / total.ball()).upper())
    return max(low, Fraction(0)), min(high, Fraction(1))
