"""Mechanisms with listed outputs whose probabilities are not rational: quotients of exponential
sums, such as e / (1 + e).

    P(output y | database x) = entries[x][y] / totals[x],    totals[x] = sum over y of entries[x][y]

Rows sum to 1 by their form. Where every quotient is rational the mechanism is a `Channel`, and
`table_of` returns that. What a table leaks is in `pufferproof.verify.noise.ratio.partial`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from operator import mul
from typing import ClassVar

from pufferproof.models.channel import Channel, joined
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.tables.partial import MAX_TERMS, PartialTable
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Quotient, added
from pufferproof.models.numbers.text import about
from pufferproof.models.priors.records import preview

_DRAWN, _LEAST = 200, Fraction(1, 1 << 900)  # bits, and a probability that is drawn
Rows = Mapping[str, Mapping[str, ExponentialSum]]


class Law(dict[str, ExponentialSum]):
    """Weights of a row that add up to 1 by a theorem, where the sum of their forms does not show
    it.
    """


def total_of(row: Mapping[str, ExponentialSum]) -> ExponentialSum:
    """Return the sum of the weights of a row."""
    return ExponentialSum([(1, ONE)]) if isinstance(row, Law) else added(row.values())


@dataclass(frozen=True, eq=False)
class PowerTable:
    """A mechanism with finitely many outputs, whose probabilities are quotients of exponential
    sums.

    Build one with `table_of`. `parts_of` has what every release of a joint one showed.
    """

    taken_by: ClassVar = {"Channel": "its probabilities are not rational: audit and compose take it"}
    unnamed: ClassVar = True

    databases: tuple[str, ...]
    outputs: tuple[str, ...]
    entries: tuple[tuple[ExponentialSum, ...], ...] = field(repr=False)
    totals: tuple[ExponentialSum, ...] = field(repr=False)
    parts_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of_channel(cls, channel: Channel) -> "PowerTable":
        """Return a channel in this form."""
        entries = tuple(
            tuple(ExponentialSum([(number, ONE)]) for number in channel.numerators_of(row))
            for row in range(len(channel.databases))
        )
        totals = tuple(ExponentialSum([(number, ONE)]) for number in channel.denominators)
        return cls(channel.databases, channel.outputs, entries, totals)

    def simplified(self) -> "Channel | PowerTable":
        """Return a channel if all probabilities are rational."""
        rational = [[Quotient(entry, total).rational for entry in row] for row, total in zip(self.entries, self.totals)]
        if all(value is not None for row in rational for value in row):
            return Channel.of(dict(zip(self.databases, rational)), self.outputs)
        return self

    def probability_approx(self, database: str, output: str) -> float:
        """Return P(output | database) as a float."""
        row = self.databases.index(database)
        entry = self.entries[row][self.outputs.index(output)]
        return float(entry.ball() / self.totals[row].ball())

    def rounded_approx(self) -> Channel:
        """Return a channel whose entries are these to about 60 digits, for plots: 0 where they are,
        and nowhere else.
        """
        from flint import ctx

        rows: dict[str, list[Fraction]] = {}
        with ctx.workprec(_DRAWN):
            for database, entries, total in zip(self.databases, self.entries, self.totals):
                balls = [each.ball() / total.ball() if each.terms else None for each in entries]
                rows[database] = [Fraction(0) if each is None else max(dyadic(each.mid()), _LEAST) for each in balls]
        return Channel.of(rows, self.outputs, normalize=True)

    def beside(self, *others: "PowerTable") -> "PowerTable":
        """Return the joint release of this mechanism and independent others on the same database.

        Raises `ModelError` unless all have the same databases, `TooLargeError` where it is long.
        """
        return reduce(_together, others, self)

    def parts(self, output: str) -> tuple[str, ...]:
        """Return what every release showed, given an output of a joint one."""
        return self.parts_of.get(output, (output,))

    def __repr__(self) -> str:
        return f"PowerTable({len(self.databases)} databases, {len(self.outputs)} outputs)"


def table_of(rows: Rows, outputs: Sequence[str] | None = None) -> Channel | PowerTable:
    """Return the mechanism whose probabilities are proportional to the entries of every row: a
    channel where all are rational.

    >>> from pufferproof.models.numbers.exponential_sums import Power
    >>> one, e = (ExponentialSum([(1, Power.exp(Fraction(k)))]) for k in (0, 1))
    >>> table_of({"0": {"0": e, "1": one}, "1": {"0": one, "1": e}})
    PowerTable(2 databases, 2 outputs)
    >>> table_of({"0": {"0": e, "1": e}}).probability("0", "1")
    Fraction(1, 2)

    Raises `ModelError` unless entries are at least 0 and a row has a positive one.
    """
    if not rows:
        raise ModelError("expected a row for every database, found none", "mechanism")
    names = tuple(outputs or dict.fromkeys(output for row in rows.values() for output in row))
    nothing = ExponentialSum([])
    entries = [tuple(row.get(name, nothing) for name in names) for row in rows.values()]
    for label, row in zip(rows, entries):
        if any(entry.sign() < 0 for entry in row):
            raise ModelError("a probability is negative", f'row "{label}"')
        if not any(entry.terms for entry in row):
            raise ModelError("expected an output of positive probability", f'row "{label}"')
    totals = tuple(
        total_of(row) if row.keys() <= set(names) else added(listed) for row, listed in zip(rows.values(), entries)
    )
    return PowerTable(tuple(rows), names, tuple(entries), totals).simplified()


def _together(one: PowerTable, other: PowerTable) -> PowerTable:
    if set(one.databases) != set(other.databases):
        raise ModelError("expected mechanisms on the same databases")
    terms = prod(sum(len(entry.terms) for row in table.entries for entry in row) for table in (one, other)) // len(
        one.databases
    )
    if terms > MAX_TERMS:
        raise TooLargeError(
            f"a joint release with some {about(terms)} terms: expected at most {MAX_TERMS}", "mechanisms"
        )
    pairs = list(product(one.outputs, other.outputs))
    outputs = joined(pairs)
    order = [other.databases.index(label) for label in one.databases]
    entries = tuple(
        tuple(mul(*both) for both in product(row, other.entries[place])) for row, place in zip(one.entries, order)
    )
    totals = tuple(total * other.totals[place] for total, place in zip(one.totals, order))
    shown = {output: (*one.parts(left), *other.parts(right)) for output, (left, right) in zip(outputs, pairs)}
    return PowerTable(one.databases, outputs, entries, totals, shown)


def row_of(table: PowerTable | PartialTable, database: str) -> int:
    """Return the index of a database's row. Raises `ModelError` unless it has one."""
    try:
        return table.databases.index(database)
    except ValueError:
        raise ModelError(
            f'no row for database "{database}", which has positive probability; rows are for '
            f"{preview(table.databases)}",
            "mechanism",
        ) from None
