"""Small Markov chains, mechanisms on segments of them and what they leak, evaluated exactly from
the definitions.

A chain is X_1 .. X_T with values 0 .. k-1, written as a string of digits; records count from 1.
Ratios are e^influence and e^leakage, None for infinite. Conventions: 0/0 is left out, c/0 with c >
0 is infinite, values v with P(X_i = v) = 0 are left out, a supremum over nothing is 0 (ratio 1).
Everything is enumerated: nothing here uses the formulas that are examined. Source: song2017,
definitions II.1 and II.2.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import prod

from pufferproof.claims.papers.massny2025.influence.instances import largest_ratio, marginal
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

Rows = tuple[tuple[Fraction, ...], ...]
Ratio = Fraction | None
Segment = tuple[int, int]
Mechanism = Mapping[str, Mapping[str, Fraction]]
"""The law of the output for each string of values of a segment."""


@dataclass(frozen=True)
class Chain:
    """theta = (q, P) and the number T of records."""

    start: tuple[Fraction, ...]
    step: Rows
    length: int

    @property
    def states(self) -> int:
        """k."""
        return len(self.step)

    def law(self) -> dict[str, Fraction]:
        """P(X = x) for every x of positive probability."""
        return _law(self)

    def given(self, record: int, value: int) -> dict[str, Fraction] | None:
        """P(X = x | X_i = v), None if X_i = v is impossible."""
        part = {x: p for x, p in self.law().items() if int(x[record - 1]) == value}
        total = sum(part.values(), Fraction(0))
        return {x: p / total for x, p in part.items()} if total else None

    def laws_of(self, record: int) -> list[dict[str, Fraction]]:
        """P(X = x | X_i = v) for every possible v."""
        laws = [self.given(record, value) for value in range(self.states)]
        return [law for law in laws if law is not None]


def chain(start: str, step: str, length: int) -> Chain:
    """Return a chain from fractions separated by spaces, rows of P by semicolons."""
    return Chain(_row(start), tuple(_row(row) for row in step.split(";")), length)


def _row(text: str) -> tuple[Fraction, ...]:
    return tuple(Fraction(entry) for entry in text.split())


@cache
def _law(of: Chain) -> dict[str, Fraction]:
    law = dict[str, Fraction]()
    for values in product(range(of.states), repeat=of.length):
        p = of.start[values[0]] * prod(
            (of.step[x][y] for x, y in pairwise(values)), start=Fraction(1)
        )
        if p:
            law["".join(map(str, values))] = p
    return law


def worst(laws: Iterable[Mapping[str, Fraction]]) -> Ratio:
    """Return the largest ratio between any two of these laws, over outcomes and both orders."""
    best = Fraction(1)
    for left, right in combinations(list(laws), 2):
        ratio = largest_ratio(left, right)
        if ratio is None:
            return None
        best = max(best, ratio)
    return best


def influence(of: Chain, record: int, others: Iterable[int]) -> Ratio:
    """e^e_theta(X_A | X_i), A = `others`."""
    kept = list(others)
    return worst(marginal(law, kept) for law in of.laws_of(record))


def output_law(
    law: Mapping[str, Fraction], *releases: tuple[Mechanism, Segment]
) -> dict[str, Fraction]:
    """The law of (M_1, M_2, ..), each of a segment and with coins of its own, for databases of
    a given law.
    """
    outputs = dict[str, Fraction]()
    for x, p in law.items():
        rows = [mechanism[x[first - 1 : last]].items() for mechanism, (first, last) in releases]
        for row in product(*rows):
            if chance := prod((weight for _, weight in row), start=p):
                key = "".join(output for output, _ in row)
                outputs[key] = outputs.get(key, Fraction(0)) + chance
    return outputs


def leakage(of: Chain, records: Iterable[int], *releases: tuple[Mechanism, Segment]) -> Ratio:
    """e^leakage of releases together, for all pairs of values of any one of these records."""
    best: Ratio = Fraction(1)
    for record in records:
        ratio = worst(output_law(law, *releases) for law in of.laws_of(record))
        if ratio is None or best is None:
            return None
        best = max(best, ratio)
    return best


def shows(
    segment: Segment, record: int, states: int, table: Sequence[Sequence[Fraction]], names: str
) -> Mechanism:
    """Return the mechanism on a segment that sees one of its records only: a row of chances of
    each output per value.
    """
    first, last = segment
    words = map("".join, product("0123456789"[:states], repeat=last - first + 1))
    return {word: dict(zip(names, table[int(word[record - first])])) for word in words}


def audited(
    of: Chain, records: Iterable[int], epsilon: str, *releases: tuple[Mechanism, Segment]
) -> dict[str, object]:
    """Return a framework, joint mechanism and level from which a report writes files to audit."""
    databases = [
        "".join(map(str, values)) for values in product(range(of.states), repeat=of.length)
    ]
    law = of.law()
    secrets = {
        f"x{i}={v}": [x for x in databases if int(x[i - 1]) == v]
        for i in records
        for v in range(of.states)
    }
    pairs = [
        (f"x{i}={v}", f"x{i}={w}")
        for i in sorted({int(name[1:].split("=")[0]) for name in secrets})
        for v, w in combinations(range(of.states), 2)
    ]
    prior = Table({x: law.get(x, Fraction(0)) for x in databases})
    rows = {x: output_law({x: Fraction(1)}, *releases) for x in databases}
    outputs = sorted({y for row in rows.values() for y in row})
    return {
        "framework": Framework(tuple(databases), secrets, pairs, {"theta": prior}),
        "mechanism": Channel.of(
            {x: [row.get(y, Fraction(0)) for y in outputs] for x, row in rows.items()}, outputs
        ),
        "epsilon": epsilon,
    }


def steps(states: int, largest: int, zeros: bool = True) -> Iterator[Rows]:
    """Yield all transition matrices whose entries have denominators up to a bound, smallest
    first.
    """
    rows = laws(states, largest, zeros)
    yield from product(rows, repeat=states)


def laws(states: int, largest: int, zeros: bool = True) -> list[tuple[Fraction, ...]]:
    """Return all laws on k values with entries of a common denominator up to a bound."""
    found = dict.fromkeys(
        tuple(Fraction(n, whole) for n in numbers)
        for whole in range(1, largest + 1)
        for numbers in product(range(0 if zeros else 1, whole + 1), repeat=states)
        if sum(numbers) == whole
    )
    return list(found)


def chains(
    states: int, largest: int, lengths: Iterable[int], zeros: bool = True
) -> Iterator[Chain]:
    """Yield all chains with entries of small denominators, zeros included unless told."""
    for length in lengths:
        for step in steps(states, largest, zeros):
            for start in laws(states, largest, zeros):
                yield Chain(start, step, length)
