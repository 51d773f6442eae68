"""Certificates of leakage: of one mechanism or of several together, at most, equal to or above a
level, over a list of priors or all mixtures; and the promise up to delta.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations

from pufferproof.models.numbers.text import JsonObject

from .bounds import bound, signed
from .layout import ExportedTheorem, listed, numbers, over_one_unit, table, tabled

KINDS = (
    *("leakage-at-most", "leakage-witness", "joint-leakage-at-most", "joint-leakage-witness"),
    *("delta-at-most", "delta-witness"),
)
FEW = 3  # secrets that are compared faster over one unit for all rows
MODULES = ("Indices", "Tables", "Places", "Released")


def theorem(certificate: dict[str, object]) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    return Exported(certificate).theorem()


class Exported:
    """A certificate and the numbers by which Coq knows what it names."""

    def __init__(self, certificate: JsonObject) -> None:
        self.certificate, self.claim = certificate, certificate["claim"]
        self.kind, self.framework = certificate["kind"], certificate["framework"]
        self.joint = "releases" in self.claim
        self.releases = [int(i) for i in self.claim.get("releases", [0])]
        self.mechanisms = certificate["mechanisms"]

    def theorem(self) -> ExportedTheorem:
        names = [f"m{i}" for i in range(len(self.mechanisms))]
        written = [
            mechanism_definitions(name, mechanism, self.framework["databases"])
            for name, mechanism in zip(names, self.mechanisms)
        ]
        definitions = [*framework_definitions(self.framework), *chain.from_iterable(written)]
        ms = listed(f"m{i}" for i in self.releases)
        released = f"(joint f {ms})" if self.joint else "(channel f m0)"
        statement, word, hints = self.stated(released)
        rule, what = self.rule(ms, large=len(written[0]) > 1)
        term = f"{word}_of_{rule} f {what} {hints}"
        statement = f"well_formed f {ms} /\\ {statement}"
        modules = (*MODULES, "Scaled") if rule == "table" else MODULES
        return ExportedTheorem(modules, definitions, statement, term)

    def rule(self, ms: str, large: bool) -> tuple[str, str]:
        """Return the word for the theorems of this form, and what they are about; those about a
        large table bring its rows to one unit per secret only, which pays with several secrets.
        """
        if self.joint:
            return "several", ms
        if large and self.framework["closure"] == "list" and len(self.framework["secrets"]) > FEW:
            return "table", f"{len(self.mechanisms[0]['outputs'])} r0"
        return "one", "m0"

    def stated(self, released: str) -> tuple[str, str, str]:
        """Return the statement, the theorem that proves it, and what else that is applied to."""
        if self.kind.startswith("delta"):
            return self.up_to_delta(released)
        if self.kind.endswith("witness"):
            return self.witness(released)
        hint = bound(self.certificate, "level").coq()
        level = level_of(self.claim["level"])
        if self.claim["attained"] is None:
            return f"leakage_at_most f {released} {level}", "at_most", f"{level} {hint}"
        place = self.place(self.claim["attained"])
        return f"leakage_equals f {released} {level}", "equals", f"{level} {hint} {place}"

    def witness(self, released: str) -> tuple[str, str, str]:
        place = self.place(self.claim)
        if self.claim["exceeds"] == "inf":
            return f"leakage_infinite f {released}", "infinite", place
        hint = bound(self.certificate, "exceeds").coq()
        level = level_of(self.claim["exceeds"])
        return f"leakage_above f {released} {level}", "above", f"{level} {hint} {place}"

    def up_to_delta(self, released: str) -> tuple[str, str, str]:
        hint, delta = bound(self.certificate, "level").coq(), Fraction(self.claim["delta"])
        level, limit = level_of(self.claim["level"]), f"{delta.numerator} {delta.denominator}"
        if self.kind == "delta-at-most":
            words = f"delta_at_most f {released} {level} {limit}"
            return words, "delta_at_most", f"{level} {hint} {limit}"
        words = f"delta_above f {released} {level} {limit}"
        return words, "delta_above", f"{level} {hint} {limit} {self.spot(self.claim)}"

    def spot(self, where: JsonObject) -> str:
        """Return prior and pair of a place."""
        prior, names = where["prior"], [*self.framework["secrets"]]
        i, j = (names.index(name) for name in where["pair"])
        return f"{chosen(self.framework, prior)} {i} {j}"

    def place(self, where: JsonObject) -> str:
        """Return prior, pair and outputs of a place."""
        shown = where["outputs"] if self.joint else [where["output"]]
        known = [self.mechanisms[i]["outputs"] for i in self.releases]
        outputs = [outputs.index(output) for outputs, output in zip(known, shown)]
        last = f"{listed(outputs)}%nat" if self.joint else f"{outputs[0]} eq_refl"
        return f"{self.spot(where)} {last}"


def level_of(level: JsonObject) -> str:
    (form, value), *_ = level.items()
    n, d = Fraction(value).as_integer_ratio()
    return f"({'Log' if form == 'log' else 'Nats'} {signed(n)} {d})"


def chosen(framework: JsonObject, prior: object) -> str:
    """Return a prior or a mixture of priors."""
    names = [*framework["priors"]]
    if framework["closure"] == "list":
        return f"(Listed {names.index(prior)})"
    weights = prior["mixture"] if isinstance(prior, dict) else {prior: "1"}
    unit, (row,) = over_one_unit([[Fraction(weights.get(name, 0)) for name in names]])
    return f"(Mixed {unit} {numbers(row)})"


def framework_definitions(framework: JsonObject) -> list[str]:
    """Return the framework as a table, after the table of its priors where that is long."""
    databases, secrets, priors = (framework[key] for key in ("databases", "secrets", "priors"))
    laws = [[Fraction(law.get(x, 0)) for x in databases] for law in priors.values()]
    part = tabled("p", laws, [*priors])
    held = [listed("true" if x in members else "false" for x in databases) for members in map(set, secrets.values())]
    pairs = "; ".join(f"({i}, {j})" for i, j in pair_numbers(framework))
    return [
        *part.definitions,
        "Definition f : framework := {|\n"
        f"  size := {len(databases)};\n"
        f"  secrets := {table(zip(held, secrets))};\n"
        f"  pairs := [{pairs}]%nat;\n"
        f"  prior_unit := {part.unit};\n"
        f"  priors := {part.rows};\n"
        f"  convex := {'true' if framework['closure'] == 'convex' else 'false'} |}}.",
    ]


def pair_numbers(framework: JsonObject) -> list[tuple[int, int]]:
    names = [*framework["secrets"]]
    place = {name: i for i, name in enumerate(names)}
    if framework["pairs"] != "disjoint":
        return [(place[s], place[t]) for s, t in framework["pairs"]]
    members = [set(secret) for secret in framework["secrets"].values()]
    return [(i, j) for i, j in combinations(range(len(names)), 2) if members[i].isdisjoint(members[j])]


def mechanism_definitions(name: str, mechanism: JsonObject, databases: Sequence[str]) -> list[str]:
    """Return a mechanism as a table, after that of its rows where it is long; a database without a
    row, which no prior makes possible, is given one.
    """
    outputs, channel = mechanism["outputs"], mechanism["channel"]
    any_row = ["1"] + ["0"] * (len(outputs) - 1)
    laws = [[Fraction(x) for x in channel.get(database, any_row)] for database in databases]
    part = tabled(f"r{name[1:]}", laws, databases)
    return [
        *part.definitions,
        f"Definition {name} : mechanism := {{|\n"
        f"  outputs := {len(outputs)};\n"
        f"  row_unit := {part.unit};\n"
        f"  rows := {part.rows} |}}.",
    ]
