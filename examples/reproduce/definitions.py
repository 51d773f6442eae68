"""Table 6 of bai2026 from frameworks: ten definitions of privacy, each built for small data, and
whether releases within its levels compose.

The paper prints secrets, pairs, class of priors, and "composition"; the data are ours: two records,
or one person's places at two times. Composition is decided of the framework: it holds if every law
leaves one table to each secret of a pair, as levels of pairs of tables add up, and it fails where
the worst two releases within log(2) leak more than log(4). Source: bai2026, Appendix A.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from pufferproof.examples.reproduce.schemas import DefinitionTable
from pufferproof.lp.worst.composition import WorstComposition, worst_composition
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.definitions.definition import Definition
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.reports.console.words import csv_text
from pufferproof.reports.explaining.init import definition_file

RESTS_ON = ("bai2026.table6-repaired", "worst.vertices")
NAME = "bai2026.table6"
BUDGET, SUM = "log(2)", Fraction(4)
_BITS, _PLACES = Records(2, ("0", "1")), Records(2, ("0", "1", "2"))
_CHAIN = {"chain": MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])}
_FAIR = {"fair": Product([["1/2", "1/2"], ["1/2", "1/2"]])}
_STEPS = [["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"], ["0", "1/2", "1/2"]]
_WALK = {"walk": MarkovChain("stationary", _STEPS)}
_ORDERED = [label for label in _PLACES.labels() if label[0] <= label[1]]
_LINE = [("0", "1"), ("1", "2")]


@dataclass(frozen=True)
class Row:
    """A row of the table: what is printed of its composition, and the definition on small data."""

    name: str
    printed: str
    data: str
    make: Callable[[], Definition]

    @cached_property
    def definition(self) -> Definition:
        """The definition, made once."""
        return self.make()

    @cached_property
    def framework(self) -> Framework:
        """The framework of the definition."""
        return Framework.of_definition(self.definition)

    @cached_property
    def worst(self) -> WorstComposition:
        """The most that two releases within log(2) leak together."""
        return worst_composition(self.framework, [BUDGET, BUDGET])

    @cached_property
    def tables(self) -> int:
        """The most tables that a law leaves to a secret of a pair, where both can be."""
        framework, most = self.framework, 0
        for law in framework.laws.values():
            support = set(law.support)
            for pair in framework.pairs:
                left = [len(support.intersection(framework.secrets[secret])) for secret in pair]
                most = max(most, *left) if all(left) else most
        return most

    @property
    def composes(self) -> str:
        """Yes, No, or undecided."""
        if self.tables == 1:
            return "Yes"
        lower = self.worst.lower
        return "No" if lower is None or lower > SUM else "undecided"


def rows() -> list[Row]:
    """Return the rows in the order of the table."""
    make, secrets = Definition, {"x1=0": (1, "0"), "x1=1": (1, "1")}
    pairs, chain = [("x1=0", "x1=1")], "two bits, equal with probability 3/4"
    ordered = "two places on a line of three, the second not before the first"
    return [
        Row("differential privacy", "Yes", "two bits", lambda: make.differential_privacy(_BITS)),
        Row("dependent DP", "Yes", "two bits, one block", lambda: make.dependent(_BITS, [[1, 2]])),
        Row("noiseless", "Yes", "two fair bits", lambda: make.noiseless(_BITS, _FAIR)),
        Row("Blowfish", "Yes", ordered, lambda: make.blowfish(_PLACES, _LINE, _ORDERED)),
        Row("Pufferfish", "No", chain, lambda: make.pufferfish(_BITS, secrets, pairs, _CHAIN)),
        Row("inferential", "No", chain, lambda: make.inferential(_BITS, _CHAIN)),
        Row(
            "conditional inference",
            "No",
            "two times on a line of three places, radius 1",
            lambda: make.conditional_inference(_PLACES, _WALK, 1),
        ),
        Row("partial knowledge DP", "No", chain, lambda: make.partial_knowledge(_BITS, _CHAIN, 1)),
        Row("Bayesian DP", "No", chain, lambda: make.bayesian(_BITS, _CHAIN)),
        Row("distribution DP", "No", chain, lambda: make.distribution(_BITS, _CHAIN)),
    ]


def table() -> DefinitionTable:
    """Return the table, every row from its framework."""
    found = [
        {
            "definition": row.name,
            "data": row.data,
            "secrets": len(row.definition.secrets),
            "pairs": len(row.definition.pairs),
            "laws": len(row.definition.priors),
            "tables": row.tables,
            "joint": row.worst.joint.as_json(),
            "composes": row.composes,
            "printed": row.printed,
        }
        for row in rows()
    ]
    agree = sum(each["composes"] == each["printed"] for each in found)
    answer: JsonObject = {"figure": NAME, "budget": BUDGET, "rows": found, "agree": agree}
    return DefinitionTable.model_validate(answer | {"files": []})


def lines(found: DefinitionTable) -> list[str]:
    """Render the table for a terminal."""
    header = ["definition", "secrets", "pairs", "laws", "tables", "two releases", "here", "printed"]
    cells = [
        [
            row.definition,
            *map(str, (row.secrets, row.pairs, row.laws, row.tables)),
            _ratio(row.joint.ratio),
            row.composes,
            row.printed,
        ]
        for row in found.rows
    ]
    widths = [max(map(len, column)) + 2 for column in zip(header, *cells)]
    drawn = ["".join(cell.ljust(width) for cell, width in zip(each, widths)).rstrip() for each in (header, *cells)]
    differ = [row.definition for row in found.rows if row.composes != row.printed]
    return [
        *drawn,
        "tables    the most that a law leaves to a secret: with one, a definition bounds pairs of tables and composes",
        f"releases  the most that two within {found.budget} leak together; above log(4): No",
        f"agree     {found.agree} of {len(found.rows)} rows; not {', '.join(differ)}",
    ]


def files(found: DefinitionTable, out: str) -> dict[str, bytes]:
    """Return the table as CSV, and the framework of every row."""
    names = ["definition", "data", "secrets", "pairs", "laws", "tables", "composes", "printed"]
    cells = [[*(getattr(row, name) for name in names), row.joint.ratio] for row in found.rows]
    start = Path(out)
    written = {str(start / f"{NAME}.csv"): csv_text([*names, "two_releases_ratio"], cells).encode()}
    for row in rows():
        place = start / "definitions" / f"{row.name.lower().replace(' ', '-')}.json"
        written[str(place)] = definition_file(row.definition)
    return written


def _ratio(ratio: str | None) -> str:
    if ratio is None:
        return "unknown"
    return "infinite" if ratio == "inf" else f"log({ratio})"
