"""The worst ratio over all mechanisms of given per-record levels where databases are listed: one
linear program for each ordered pair of laws.

    maximise <mu, u> subject to <nu, u> = 1, u >= 0,
    u_x <= R_j u_y for databases x, y that differ in record j alone.

The column that reaches it is that of an output of a mechanism: with t small enough, t u and 1 - t u
both keep the levels. Which databases count as neighbours depends on the domain: all sequences of
values ("product"), or only those that some prior allows ("possible"), where two databases without a
path between them are not bound together, and the ratio may be infinite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pufferproof.lp.cones.columns import Columns, OrderedLaws
from pufferproof.lp.exact.linear import Program, Row, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.levels import RecordLevels
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework

RESTS_ON = ("worst.columns",)
Domain = Literal["product", "possible"]
MOST = 1_024  # databases of a program
_ONE = Fraction(1)


@dataclass(frozen=True)
class Neighbours:
    """Two databases of a program that differ in one record: u_x <= ratio u_y."""

    x: int
    y: int
    ratio: Fraction


@dataclass(frozen=True)
class WorstColumn:
    """The largest ratio over all columns, None for infinite, the laws at which it is reached, and a
    column over `databases`, labels of the domain, that reaches it.
    """

    ratio: Fraction | None
    laws: OrderedLaws
    databases: tuple[str, ...]
    column: tuple[Fraction, ...]
    neighbours: tuple[Neighbours, ...]

    def mechanism(self) -> Channel:
        """Return a mechanism of the levels with outputs "w", of this column, and "v"."""
        largest = max(self.column)
        limits = [
            (near.ratio - 1) / slope
            for near in self.neighbours
            if (slope := near.ratio * self.column[near.y] - self.column[near.x]) > 0
        ]
        scale = min([limit for limit in limits if limit > 0] + [_ONE / largest])
        rows = {label: [scale * entry, 1 - scale * entry] for label, entry in zip(self.databases, self.column)}
        return Channel.of(rows, ["w", "v"])


def worst_column(
    framework: Framework, levels: RecordLevels, domain: Domain = "product", patient: bool = True
) -> WorstColumn:
    """Return the largest Pufferfish ratio of mechanisms of per-record levels, exactly.

    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    >>> framework = Framework.of_records(Records(2, ("0", "1")), secrets, [("x1=0", "x1=1")], {"theta": chain})
    >>> worst = worst_column(framework, RecordLevels.uniform(2, ["log(2)"]))
    >>> worst.ratio
    Fraction(14, 5)

    Raises `ModelError` unless databases are made of records, at most 1,024 of them, priors are a
    list, and e to every level is rational; `NotConfirmedError` if floats propose no optimum that is
    one exactly, unless `patient`: exact arithmetic alone may then take hours.
    """
    records = framework.expect_records()
    if records.count != levels.count:
        raise ModelError(f"expected {records.count} levels, one per record, found {levels.count}", "levels")
    columns = Columns(framework)
    size = len(framework.databases)
    chosen = list(range(size)) if domain == "product" else sorted(framework.support)
    if len(chosen) > MOST:
        raise ModelError(f"expected at most {MOST} databases for a linear program, found {len(chosen)}", "records")
    neighbours = tuple(_neighbours(framework, levels, chosen))
    place = {x: index for index, x in enumerate(chosen)}
    at = [place[x] for x in columns.databases]
    best: WorstColumn | None = None
    labels = tuple(framework.databases[x] for x in chosen)
    for laws in columns.laws:
        ratio, column = _largest(laws, at, neighbours, len(chosen), patient)
        if best is None or _above(ratio, best.ratio):
            best = WorstColumn(ratio, laws, labels, column, neighbours)
    if best is None:
        raise SolverError("expected at least one pair of laws, found none")
    return best


def _above(one: Fraction | None, other: Fraction | None) -> bool:
    return other is not None and (one is None or one > other)


def _largest(
    laws: OrderedLaws, at: Sequence[int], neighbours: Sequence[Neighbours], size: int, patient: bool
) -> tuple[Fraction | None, tuple[Fraction, ...]]:
    """Return the largest <mu, u> / <nu, u> and its column, or a direction of growth."""
    above = {at[x]: Fraction(w, laws.mu_total) for x, w in enumerate(laws.mu) if w}
    below = {at[x]: Fraction(w, laws.nu_total) for x, w in enumerate(laws.nu) if w}
    rows = [Row({near.x: 1, near.y: -near.ratio}, "<=") for near in neighbours]
    solution = solve_exact(Program(above, [*rows, Row(below, "=", 1)], size), patient=patient)
    if solution.status is Status.UNBOUNDED and solution.ray is not None:
        return None, solution.ray
    if solution.status is not Status.OPTIMAL or solution.value is None:
        raise SolverError(f"expected an optimum, found a program that is {solution.status.value}")
    return solution.value, solution.x


def _neighbours(framework: Framework, levels: RecordLevels, chosen: Sequence[int]) -> Iterator[Neighbours]:
    """List the ordered pairs of databases that differ in one record, by place in `chosen`."""
    records = framework.expect_records()
    base, place = len(records.alphabet), {x: index for index, x in enumerate(chosen)}
    for record in range(1, records.count + 1):
        ratio = levels.at(record).exact
        if ratio is None:
            raise ModelError('expected a level such as "log(3)", whose e^level is rational', "levels")
        weight = base ** (records.count - record)
        for x in chosen:
            digit = x // weight % base
            others = (x + (other - digit) * weight for other in range(base) if other != digit)
            yield from (Neighbours(place[x], place[y], ratio) for y in others if y in place)
