"""Designs that may see all records, given by tables; and prices, by which no mechanism releases
more than a design, whatever it sees.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject

from ..bounds import ComparedFraction, signed
from ..layout import listed, table
from .redaction import SYMBOLS, Level, fractions, steps_of
from .walks import ChainSteps, TooCloseError


class Central:
    """A mechanism by a table of outputs for each sequence, and what is said of it."""

    def __init__(self, chain: JsonObject, private: int, level: Level, entry: JsonObject) -> None:
        self.steps, self.length = steps_of(chain, private), int(chain["length"])
        self.level, self.entry = level, entry
        self.rows = {x: {y: Fraction(p) for y, p in row.items()} for x, row in entry["redaction"].items()}

    def definitions(self, i: int) -> Iterator[str]:
        shares = [p for row in self.rows.values() for p in row.values()]
        unit = math.lcm(*(p.denominator for p in shares))
        lines = [(f"({word(x)}, {outputs(row, unit)})", x) for x, row in self.rows.items()]
        yield (f"Definition a{i} : answers := {{|\n  answer_unit := {unit};\n  answer_rows := {table(lines)} |}}.")
        yield stated(i, f"ByAll {self.length}%nat a{i}", self.entry, "Anything")

    def known(self) -> str:
        """Return what Coq is told to check the design."""
        worst, prices = self.worst(), "None"
        below = next((b for b in fractions(self.level, True) if worst <= b.fraction), None)
        if below is None:
            raise TooCloseError("a leakage is too close to the level to be exported")
        if self.entry["utility"]["upper"] is not None:
            prices = f"(Some {priced(self.steps, self.level, self.entry['proof'])})"
        return f"Counted {below.coq()} {prices}"

    def worst(self) -> Fraction:
        """Return the largest ratio of an output, either way round, of what can be."""
        likely: dict[str, list[Fraction]] = {}
        for x, row in self.rows.items():
            b = int(x[self.steps.before])
            for y, share in row.items():
                likely.setdefault(y, [Fraction(0)] * 2)[b] += self.weight(x) * share
        zero, one = self.steps.first
        pairs = [(u * one, v * zero) for u, v in likely.values() if u or v]
        if any(u == 0 or v == 0 for u, v in pairs):
            raise CertificateError("a design of infinite leakage is not exported")
        return max(max(u / v, v / u) for u, v in pairs)

    def weight(self, x: str) -> int:
        """Return the probability of a sequence, up to a factor."""
        unit, moves = self.steps.unit, (self.steps.leave, self.steps.back)
        total = self.steps.first[int(x[0])]
        for a, b in pairwise(x):
            total *= moves[int(a)] if a != b else unit - moves[int(a)]
        return total


def stated(i: int, mechanism: str, entry: JsonObject, others: str) -> str:
    """Return the definition of a design: its mechanism, and what is said of it."""
    (low, high), utility = map(Fraction, entry["leakage"]), entry["utility"]
    best = utility["upper"]
    more = "None" if best is None else f"Some ({others}, {pair(Fraction(best))})"
    return (
        f"Definition d{i} : design := {{|\n"
        f"  redacted := {mechanism};\n"
        f"  at_least := {pair(low)};\n"
        f"  at_most := {pair(high)};\n"
        f"  utility := {pair(Fraction(utility['lower']))};\n"
        f"  no_more := {more} |}}."
    )


def priced(steps: ChainSteps, level: Level, proof: JsonObject) -> str:
    """Return the ratio and the prices of a proof as integers, in a tree of sequences."""
    ratio = Fraction(proof["ratio"])
    beside = (b for b in fractions(level, False) if "log" in level or b.fraction <= ratio)
    bound: ComparedFraction | None = next(beside, None)
    if bound is None:
        raise TooCloseError("the ratio of prices is too close to e^level to be exported")
    prices = {x: Fraction(price) * sum(steps.first) for x, price in proof["prices"].items()}
    unit = math.lcm(*(price.denominator for price in prices.values()))
    length = len(next(iter(prices)))
    leaves = [f"(Leaf {signed(int(prices[x] * unit))})" for x in words(length)]
    while len(leaves) > 1:
        leaves = [f"(Fork {a} {b})" for a, b in zip(leaves[::2], leaves[1::2])]
    return f"(Priced {replace(bound, fraction=ratio).coq()} {unit} {leaves[0]})"


def words(length: int) -> Iterator[str]:
    return ("".join(values) for values in product("01", repeat=length))


def word(values: Sequence[str]) -> str:
    return listed("true" if value == "1" else "false" for value in values)


def outputs(row: dict[str, Fraction], unit: int) -> str:
    return listed(f"({listed(SYMBOLS[symbol] for symbol in y)}, {int(p * unit)})" for y, p in row.items())


def pair(x: Fraction) -> str:
    return f"({x.numerator}, {x.denominator}%positive)"
