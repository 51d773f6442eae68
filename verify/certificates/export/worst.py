"""Certificates of the worst joint leakage of two mechanisms within budgets.

Rows, splits and multipliers become integers: a row is a positive multiple of that of the
certificate, and the multipliers of a leaf are divided by these, over one unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pufferproof.models.numbers.text import JsonObject

from .layout import ExportedTheorem, listed, numbers, over_one_unit
from .leakage import framework_definitions, level_of

KINDS = ("worst-at-most",)
MODULES = ("Indices", "Tables", "Places", "Budgets", "WorstCase")

EntryPlace = tuple[int, int, int]  # prior, secret, secret
Law = list[int]


def theorem(certificate: dict[str, object]) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    return ExportedWorst(certificate).theorem()


class ExportedWorst:
    """A certificate, and the numbers by which Coq knows what it names."""

    def __init__(self, certificate: JsonObject) -> None:
        self.claim, self.framework = certificate["claim"], certificate["framework"]
        self.databases, self.secrets, self.priors = (
            {name: i for i, name in enumerate(self.framework[key])} for key in ("databases", "secrets", "priors")
        )
        priors = self.framework["priors"].values()
        laws = [[Fraction(law.get(x, 0)) for x in self.databases] for law in priors]
        self.laws = over_one_unit(laws)[1]
        self.members = [{*secret} for secret in self.framework["secrets"].values()]
        self.words: list[tuple[int, ...]] = []
        self.shape = ""
        if (records := self.claim["records"]) is not None:
            count, values = int(records["count"]), len(records["alphabet"])
            self.words = [*product(range(values), repeat=count)]
            self.shape = f"Sequences {count} {values}"

    def theorem(self) -> ExportedTheorem:
        level = level_of(self.claim["level"])
        budgets = f"{self.budget(0)} {self.budget(1)} {level}"
        known = [[self.row(k, row) for row in rows] for k, rows in enumerate(self.claim["rows"])]
        texts = " ".join(listed(text for text, _ in rows) for rows in known)
        scales = [[scale for _, scale in rows] for rows in known]
        trees = listed(self.trees(scales))
        statement = f"well_formed f [] /\\ worst_at_most f {budgets}"
        term = f"worst_of f {budgets} {texts} {trees}"
        if self.claim["attained"] is not None:
            statement += f" /\\ worst_at_least f {budgets}"
            term = f"worst_equals_of f {budgets} {texts} {trees} {self.attained()}"
        return ExportedTheorem(MODULES, framework_definitions(self.framework), statement, term)

    def budget(self, k: int) -> str:
        near = self.claim["per_record"][k]
        each = "None" if near is None else f"(Some ({self.shape}, {level_of(near)}))"
        return f"(Budget {level_of(self.claim['budgets'][k])} {each})"

    def spot(self, named: Sequence[str]) -> EntryPlace:
        prior, s, t = named
        return self.priors[prior], self.secrets[s], self.secrets[t]

    def mass(self, prior: int, secret: int) -> int:
        """Return the probability of a secret, over the unit of the priors."""
        members = self.members[secret]
        return sum(p for x, p in zip(self.databases, self.laws[prior]) if x in members)

    def row(self, k: int, row: JsonObject) -> tuple[str, int]:
        """Return a row as Coq derives it, and how many times the certificate's it is."""
        if "database" in row:
            return f"(Positive {numbers(self.unit(row['database'], 1))})", 1
        if "law" in row:
            prior, s, t = self.spot(row["law"])
            scale = ratio(self.claim["budgets"][k]).denominator
            scale *= self.mass(prior, s) * self.mass(prior, t)
            return f"(Law {prior} {s} {t})", scale
        x, y = (self.databases[name] for name in row["record"])
        path = [*self.path(x, y)]
        scale = ratio(self.claim["per_record"][k]).denominator ** len(path)
        return f"(Along {x} {listed(path)}%nat)", scale

    def unit(self, database: str, value: int) -> Law:
        return [value if x == database else 0 for x in self.databases]

    def path(self, x: int, y: int) -> Iterator[int]:
        """Yield databases behind x, each one record from the last one, up to y."""
        place = {word: i for i, word in enumerate(self.words)}
        word, end = self.words[x], self.words[y]
        for i, value in enumerate(end):
            if word[i] != value:
                word = (*word[:i], value, *word[i + 1 :])
                yield place[word]

    def trees(self, scales: list[list[int]]) -> Iterator[str]:
        """Yield the tree of every place."""
        for entry in self.claim["laws"]:
            for prior, s, t in dict.fromkeys(map(self.spot, entry["places"])):
                goal = ratio(self.claim["level"]).denominator
                goal *= self.mass(prior, s) * self.mass(prior, t)
                yield f"([({prior}, {s}, {t})]%nat, {self.tree(entry['tree'], scales, goal)})"

    def tree(self, node: JsonObject, scales: list[list[int]], goal: int) -> str:
        if "split" not in node:
            return self.leaf(node["multipliers"], scales, goal)
        part = node["split"]
        factor, k = Fraction(part["factor"]), int(part["release"])
        above = self.unit(part["above"], factor.denominator)
        below = self.unit(part["below"], factor.numerator)
        row = numbers(a - b for a, b in zip(above, below))
        inner = [[*scale, factor.denominator] if i == k else scale for i, scale in enumerate(scales)]
        sides = " ".join(self.tree(node[side], inner, goal) for side in ("above", "below"))
        return f"(Split {'false' if k else 'true'} {row} {sides})"

    def leaf(self, entries: list[Any], scales: list[list[int]], goal: int) -> str:
        products = [
            (int(i), int(j), Fraction(c) * goal / (scales[0][int(i)] * scales[1][int(j)])) for i, j, c in entries
        ]
        unit = math.lcm(*(c.denominator for _, _, c in products))
        written = (f"({i}%nat, {j}%nat, {int(c * unit)})" for i, j, c in products)
        return f"(Leaf {unit} {listed(written)})"

    def attained(self) -> str:
        """Return two mechanisms whose first outputs reach the level, and the place."""
        part = self.claim["attained"]
        prior, s, t = self.spot((part["prior"], *part["pair"]))
        columns = [self.column(k, column) for k, column in enumerate(part["columns"])]
        return f"{' '.join(columns)} (Listed {prior}) {s} {t} [0; 0]%nat"

    def column(self, k: int, given: JsonObject) -> str:
        """Return a mechanism that shows a multiple of a column, so small that what is left of 1
        is within the budget too.
        """
        _, (column,) = over_one_unit([[Fraction(given.get(x, 0)) for x in self.databases]])
        unit = max([1, *column, *map(math.ceil, self.needed(k, column))])
        rows = listed(numbers([p, unit - p]) for p in column)
        return f"(Build_mechanism 2 {unit} {rows})"

    def needed(self, k: int, column: Law) -> Iterator[Fraction]:
        """Yield how small the multiple has to be: what a level leaves to 1 is not exceeded."""
        budget, near = ratio(self.claim["budgets"][k]), self.claim["per_record"][k]
        for entry in self.claim["laws"]:
            for prior, s, t in map(self.spot, entry["places"]):
                slack = budget * self.mean(prior, t, column) - self.mean(prior, s, column)
                if budget > 1:
                    yield slack / (budget - 1)
        if near is not None and ratio(near) > 1:
            yield ratio(near) * max(column) / (ratio(near) - 1)

    def mean(self, prior: int, secret: int, column: Law) -> Fraction:
        members = self.members[secret]
        known = zip(self.databases, self.laws[prior], column)
        return Fraction(sum(p * c for x, p, c in known if x in members), self.mass(prior, secret))


def ratio(level: JsonObject) -> Fraction:
    return Fraction(level["log"])
