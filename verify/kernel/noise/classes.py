"""Classes of Markov chains, what is in them, and which chain of one a witness is about.

A class is a box: bounds of every number of the matrix, and the law of the first record, "any" or
"stationary". Or all chains of two values with bounds of the stationary law and of the eigengap.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ..reading import Node, cost, counted, require, show, size, spend
from ..space import stationary
from .model import Chain, Model, opened

Row = list[Fraction]
Span = tuple[Fraction, Fraction]
Cell = dict[str, Span]  # by parameter


class Class(NamedTuple):
    """A box of chains, or with `least` and `gap` those of a stationary law and an eigengap."""

    start: str | tuple[Fraction, ...]
    low: list[Row]
    high: list[Row]
    least: Fraction = Fraction(0)
    gap: Fraction = Fraction(0)
    changes: bool = False  # every step has a matrix of its own

    def holds(self, chain: Chain) -> bool:
        """NK4: whether a chain is one of the class."""
        rows = [[Fraction(x, chain.base) for x in row] for row in chain.step]
        law = [Fraction(x, chain.unit) for x in chain.start]
        if self.start == "stationary" and law != stationary(rows):
            return False
        if not isinstance(self.start, str) and law != [*self.start]:
            return False
        if self.gap > 0:
            a, b = rows[0][1], rows[1][0]
            return min(law) >= self.least and abs(1 - a - b) <= 1 - self.gap
        spans = zip(self.low, rows, self.high)
        return all(low <= x <= high for own in spans for low, x, high in zip(*own))

    @property
    def bits(self) -> int:
        """The size of the largest number."""
        start = [] if isinstance(self.start, str) else self.start
        rows = [x for row in (*self.low, *self.high) for x in row]
        return max(map(size, [*rows, *start, self.least, self.gap]))

    @property
    def whole(self) -> Cell:
        """The parameters of the class and their bounds: one cell."""
        if self.gap > 0:
            return {"p": (self.least, 1 - self.least)}
        cell = {"a": (self.low[0][1], self.high[0][1]), "b": (self.low[1][0], self.high[1][0])}
        if self.start == "stationary":
            return cell
        zero, one = Fraction(0), Fraction(1)
        return cell | {"s": (zero, one) if isinstance(self.start, str) else (self.start[1],) * 2}

    @property
    def turns(self) -> bool:
        """Whether some chain of the class has a + b > 1."""
        if self.gap > 0:
            return self.gap < 1
        return self.high[0][1] + self.high[1][0] > 1

    def possible(self, record: int) -> bool:
        """Whether under some chain of the class both values of a record are possible."""
        if self.gap > 0:
            return True
        if self.start == "stationary":
            return self.high[0][1] > 0 and self.high[1][0] > 0
        start = [1, 1] if isinstance(self.start, str) else self.start
        return self.reached([x for x in (0, 1) if start[x] > 0], record)

    def reached(self, values: list[int], record: int) -> bool:
        """Whether both values can be reached from some, after as many steps as come before."""
        # what can be reached is one of three sets, so that it repeats every 6 steps at the latest
        for _ in range(min(record - 1, 6 + (record - 1) % 6)):
            values = [y for y in (0, 1) if any(self.high[x][y] > 0 for x in values)]
        return len(values) == 2


class Classes(Model):
    """A framework whose priors are classes of chains."""

    def read_priors(self, node: Node) -> None:
        self.priors = {}
        self.classes = {name: self.class_of(each) for name, each in node.children().items()}

    @property
    def over(self) -> str:
        return counted(len(self.classes), "class", "es") + " of chains"

    def class_of(self, node: Node) -> Class:
        inner, width = node.fields("markov")["markov"], len(self.alphabet)
        if "eigengap" in inner.of(dict):
            return self.mixing(inner)
        single = "transition" in inner.of(dict)
        names = ("transition",) if single else ("transition_lower", "transition_upper")
        part = inner.fields(" ".join(["initial", *names]), "class")
        start, kind = part["initial"], part.get("class", Node("homogeneous", node.where))
        changes = kind.one_of(["homogeneous", "time-varying"]) == "time-varying"
        stays = start.value == "stationary"
        require(not (changes and stays), "{}: stationary chains do not change", node.where)
        anyhow = start.value in ("any", "stationary")
        law = start.of(str) if anyhow else tuple(start.law(width))
        low, high = self.matrix(part[names[0]]), self.matrix(part[names[-1]])
        rows = [tight(*own, node.where) for own in zip(low, high)]
        lows, highs = ([row[k] for row in rows] for k in (0, 1))
        return Class(law, lows, highs, changes=changes)

    def mixing(self, node: Node) -> Class:
        part = node.fields("initial pi_min eigengap", "reversible")
        part["initial"].one_of(["stationary"])
        if "reversible" in part:
            part["reversible"].of(bool)
        least, gap = part["pi_min"].number(), part["eigengap"].number()
        known = 0 < least <= Fraction(1, len(self.alphabet)) and 0 < gap <= 1
        require(known, "{}: expected pi_min and eigengap above 0, and as large as can be", node.where)
        require(len(self.alphabet) == 2, "no rule for classes of {} values", self.alphabet)
        return Class("stationary", [], [], least, gap)

    def matrix(self, node: Node) -> list[Row]:
        width = len(self.alphabet)
        rows = [entry.entries(width) for entry in node.entries(width)]
        return [[x.number() for x in row] for row in rows]


def tight(low: Row, high: Row, where: str) -> tuple[Row, Row]:
    """Return the bounds that rows within bounds attain."""
    spend(4 * len(low), *[sum(map(cost, [*low, *high]))] * 2)
    known = all(0 <= x <= y <= 1 for x, y in zip(low, high)) and sum(low) <= 1 <= sum(high)
    require(known, "{}: expected bounds from 0 to 1, in order, of a row that sums to 1", where)
    least, most = sum(low), sum(high)
    below = [max(x, 1 - (most - y)) for x, y in zip(low, high)]
    return below, [min(y, 1 - (least - x)) for x, y in zip(low, high)]


def member(top: Node, paths: Sequence[str]) -> tuple[dict[str, Node], Classes, str]:
    """NV1: read a witness, with the chain that it is about in the place of its class."""
    keys = "prior pair output member exceeds bits"
    claim, model, inputs = opened(top, keys, paths, Classes)
    name = claim["prior"].one_of(model.classes)
    found = Node({"markov": claim["member"].value}, claim["member"].where)
    chain = model.chain(found)
    width = len(model.alphabet)
    spend(4 * width**2, 768 + chain.base.bit_length(), 768 + model.classes[name].bits)
    require(model.classes[name].holds(chain), "member: is not of the class {}", show(name))
    model.priors = {name: chain}
    return claim, model, inputs
