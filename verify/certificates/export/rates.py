"""Certificates about many runs: the necessary condition for composition (NfC), its violation, and
rates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pufferproof.models.numbers.text import JsonObject

from .layout import ExportedTheorem, listed, numbers, over_one_unit
from .leakage import framework_definitions, level_of, mechanism_definitions
from .logarithms import LogarithmSum, hints, level_terms, weighing

KINDS = ("nfc", "nfc-violation", "rate")
MODULES = (*("Indices", "Tables", "Rates", "Logarithms", "Games", "Composing", "Separated"), "Repeated")

Rows = list[list[int]]
Law = list[int]


def theorem(certificate: dict[str, object]) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    return Runs(certificate).theorem()


class Runs:
    """A certificate, and its tables as integers."""

    def __init__(self, certificate: JsonObject) -> None:
        self.claim, self.kind = certificate["claim"], certificate["kind"]
        self.framework, self.mechanisms = certificate["framework"], certificate["mechanisms"]
        self.place = {x: i for i, x in enumerate(self.framework["databases"])}
        self.rows = [self.table(mechanism) for mechanism in self.mechanisms]

    def table(self, mechanism: JsonObject) -> Rows:
        """Return the rows of a mechanism over one unit."""
        empty = ["1"] + ["0"] * (len(mechanism["outputs"]) - 1)
        channel = mechanism["channel"]
        laws = [[Fraction(p) for p in channel.get(x, empty)] for x in self.place]
        return over_one_unit(laws)[1]

    def theorem(self) -> ExportedTheorem:
        definitions = framework_definitions(self.framework)
        for i, mechanism in enumerate(self.mechanisms):
            definitions += mechanism_definitions(f"m{i}", mechanism, [*self.place])
        made = {"nfc": self.nfc, "nfc-violation": self.violation, "rate": self.rate}
        statement, term = made[self.kind]()
        ms = listed(f"m{i}" for i in range(len(self.mechanisms)))
        return ExportedTheorem(MODULES, definitions, f"well_formed f {ms} /\\ {statement}", term)

    def nfc(self) -> tuple[str, str]:
        levels = self.claim["levels"]
        parts, (betas, sums) = self.parts(levels), self.betas(levels)
        statement = f"nfc_holds f {parts} /\\ levels_add_up f {parts}"
        return statement, f"nfc_of f {hints(sums).coq()} {parts} {betas}"

    def violation(self) -> tuple[str, str]:
        levels = self.claim["levels"]
        parts, (counts, sums) = self.parts(levels), self.alpha(levels, strict=True)
        statement = f"nfc_fails_at f {parts} {self.where()} /\\ ~ levels_add_up f {parts}"
        known = f"{hints(sums).coq()} {parts} {listed(map(numbers, counts))}"
        return statement, f"violation_of f {known} {self.where()}"

    def rate(self) -> tuple[str, str]:
        if self.claim["lower"] == "inf":
            ((counts,), _) = self.alpha([], strict=True)
            return "rate_infinite f m0", f"rate_infinite_of f m0 {numbers(counts)} {self.where()}"
        lower, upper = level_of(self.claim["lower"]), level_of(self.claim["upper"])
        betas, above = self.betas([self.claim["upper"]])
        (counts,), below = self.alpha([self.claim["lower"]], strict=False)
        known = f"{hints([*above, *below]).coq()} m0 {lower} {upper} {betas} {numbers(counts)}"
        statement = f"rate_at_least f m0 {lower} /\\ rate_at_most f m0 {upper}"
        return statement, f"rate_of f {known} {self.where()}"

    def parts(self, levels: Sequence[dict[str, object]]) -> str:
        return listed(f"(m{i}, {level_of(level)})" for i, level in enumerate(levels))

    def where(self) -> str:
        """Return the numbers of two priors, two secrets and a database."""
        priors, secrets = [*self.framework["priors"]], [*self.framework["secrets"]]
        named = self.claim["prior"]
        k, m = map(priors.index, named if isinstance(named, list) else [named, named])
        i, j = map(secrets.index, self.claim["pair"])
        return f"{k} {m} {i} {j} {self.place[self.claim['database']]}"

    def betas(self, levels: Sequence[JsonObject]) -> tuple[str, list[LogarithmSum]]:
        """Return the weights of databases, and the sums that they are to keep."""
        written, sums = [], list[LogarithmSum]()
        for entry in self.claim["betas"]:
            law = [Fraction(entry["beta"].get(y, 0)) for y in self.place]
            unit, (row,) = over_one_unit([law])
            written.append(weighing(self.place[entry["database"]], unit, row))
            sums += self.kept(self.place[entry["database"]], unit, row, levels)
        return listed(written), sums

    def kept(self, x: int, unit: int, row: Law, levels: Sequence[Any]) -> Iterator[LogarithmSum]:
        """Yield what a weighing is to keep: at every output, the mechanism at its level."""
        for rows, level in zip(self.rows, levels):
            spent, constant = level_terms(level, unit)
            for w, a in enumerate(rows[x]):
                if a > 0:
                    others = [(-n, rows[y][w]) for y, n in enumerate(row) if n]
                    terms = [(unit, a), *others, *((-n, q) for n, q in spent)]
                    yield LogarithmSum(terms, constant, strict=False)

    def alpha(self, levels: Sequence[Any], strict: bool) -> tuple[Rows, list[LogarithmSum]]:
        """Return how often outputs are shown, and the sums that set all databases apart; without
        levels there are none.
        """
        alpha = zip(self.claim["alpha"], self.mechanisms)
        laws = [[Fraction(part.get(w, 0)) for w in m["outputs"]] for part, m in alpha]
        counts, sums = over_one_unit(laws)[1], list[LogarithmSum]()
        x = self.place[self.claim["database"]]
        for y in self.others() if levels else []:
            shown = [
                (n, rows[x][w], rows[y][w]) for row, rows in zip(counts, self.rows) for w, n in enumerate(row) if n
            ]
            if all(b > 0 for _, _, b in shown):
                terms = [part for n, a, b in shown for part in ((-n, a), (n, b))]
                spent = [level_terms(level, sum(row)) for level, row in zip(levels, counts)]
                terms += [term for part, _ in spent for term in part]
                sums.append(LogarithmSum(terms, -sum((c for _, c in spent), Fraction(0)), strict))
        return counts, sums

    def others(self) -> list[int]:
        """Return the databases that are set apart from the one that is named."""
        named, secret = self.claim["prior"], self.claim["pair"][1]
        law = self.framework["priors"][named[1] if isinstance(named, list) else named]
        members = {*self.framework["secrets"][secret]}
        return [i for x, i in self.place.items() if x in members and Fraction(law.get(x, 0)) > 0]
