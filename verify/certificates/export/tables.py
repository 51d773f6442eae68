"""Certificates about frameworks and mechanisms as tables: what one mechanism or several together leak,
over a list of priors or all mixtures, and the promise up to delta; then the necessary condition for
many runs to compose (NfC), its violation, and rates; and the worst joint leakage within budgets.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations, product

from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.certificates.export.layout import (
    ExportedTheorem,
    listed,
    numbers,
    over_one_unit,
    signed,
    table,
    tabled,
)
from pufferproof.verify.certificates.export.levels import LogarithmSum, bound, hints, level_terms

LEAKAGE_KINDS = (
    *("leakage-at-most", "leakage-witness", "joint-leakage-at-most", "joint-leakage-witness"),
    *("delta-at-most", "delta-witness"),
)
FEW = 3  # secrets that are compared faster over one unit for all rows
LEAKAGE_MODULES = ("Indices", "Tables", "Places", "Released")


class ExportedLeakage:
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
        rule, what = ("several", ms) if self.joint else ("one", "m0")
        large = len(written[0]) > 1 and self.framework["closure"] == "list"
        if large and not self.joint and len(self.framework["secrets"]) > FEW:
            # rows of a large table are brought to one unit per secret only, which pays with several secrets
            rule, what = "table", f"{len(self.mechanisms[0]['outputs'])} r0"
        term = f"{word}_of_{rule} f {what} {hints}"
        statement = f"well_formed f {ms} /\\ {statement}"
        modules = (*LEAKAGE_MODULES, "Scaled") if rule == "table" else LEAKAGE_MODULES
        return ExportedTheorem(modules, definitions, statement, term)

    def stated(self, released: str) -> tuple[str, str, str]:
        """Return the statement, the theorem that proves it, and what else that is applied to."""
        if self.kind.endswith("leakage-witness"):
            place = self.place(self.claim)
            if self.claim["exceeds"] == "inf":
                return f"leakage_infinite f {released}", "infinite", place
            hint, level = bound(self.certificate, "exceeds").coq(), level_of(self.claim["exceeds"])
            return f"leakage_above f {released} {level}", "above", f"{level} {hint} {place}"
        hint, level = bound(self.certificate, "level").coq(), level_of(self.claim["level"])
        if self.kind.startswith("delta"):
            delta = Fraction(self.claim["delta"])
            limit = f"{delta.numerator} {delta.denominator}"
            if self.kind == "delta-at-most":
                statement = f"delta_at_most f {released} {level} {limit}"
                return statement, "delta_at_most", f"{level} {hint} {limit}"
            statement = f"delta_above f {released} {level} {limit}"
            return statement, "delta_above", f"{level} {hint} {limit} {self.spot(self.claim)}"
        if self.claim["attained"] is None:
            return f"leakage_at_most f {released} {level}", "at_most", f"{level} {hint}"
        place = self.place(self.claim["attained"])
        return f"leakage_equals f {released} {level}", "equals", f"{level} {hint} {place}"

    def spot(self, where: JsonObject) -> str:
        """Return the prior or the mixture of priors, and the pair of a place."""
        prior, secrets, priors = where["prior"], [*self.framework["secrets"]], [*self.framework["priors"]]
        i, j = map(secrets.index, where["pair"])
        if self.framework["closure"] == "list":
            return f"(Listed {priors.index(prior)}) {i} {j}"
        weights = prior["mixture"] if isinstance(prior, dict) else {prior: "1"}
        unit, (row,) = over_one_unit([[Fraction(weights.get(name, 0)) for name in priors]])
        return f"(Mixed {unit} {numbers(row)}) {i} {j}"

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


def framework_definitions(framework: JsonObject) -> list[str]:
    """Return the framework as a table, after the table of its priors where that is long."""
    databases, secrets, priors = (framework[key] for key in ("databases", "secrets", "priors"))
    laws = [[Fraction(law.get(x, 0)) for x in databases] for law in priors.values()]
    part = tabled("p", laws, [*priors])
    members = [*map(set, secrets.values())]
    held = [listed("true" if x in secret else "false" for x in databases) for secret in members]
    if framework["pairs"] == "disjoint":
        pairs = [(i, j) for i, j in combinations(range(len(secrets)), 2) if members[i].isdisjoint(members[j])]
    else:
        place = {name: i for i, name in enumerate(secrets)}
        pairs = [(place[s], place[t]) for s, t in framework["pairs"]]
    return [
        *part.definitions,
        "Definition f : framework := {|\n"
        f"  size := {len(databases)};\n"
        f"  secrets := {table(zip(held, secrets))};\n"
        f"  pairs := {listed(f'({i}, {j})' for i, j in pairs)}%nat;\n"
        f"  prior_unit := {part.unit};\n"
        f"  priors := {part.rows};\n"
        f"  convex := {'true' if framework['closure'] == 'convex' else 'false'} |}}.",
    ]


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


# Many runs --------------------------------------------------------------------------------------

RATE_KINDS = ("nfc", "nfc-violation", "rate")
RATE_MODULES = (*("Indices", "Tables", "Rates", "Logarithms", "Games", "Composing", "Separated"), "Repeated")

Rows = list[list[int]]
Law = list[int]


class Runs:
    """A certificate, and its tables as integers."""

    def __init__(self, certificate: JsonObject) -> None:
        self.claim, self.kind = certificate["claim"], certificate["kind"]
        self.framework, self.mechanisms = certificate["framework"], certificate["mechanisms"]
        self.place = {x: i for i, x in enumerate(self.framework["databases"])}
        self.rows: list[Rows] = []  # of every mechanism, over one unit
        for mechanism in self.mechanisms:
            any_row = ["1"] + ["0"] * (len(mechanism["outputs"]) - 1)
            laws = [[Fraction(p) for p in mechanism["channel"].get(x, any_row)] for x in self.place]
            self.rows.append(over_one_unit(laws)[1])

    def theorem(self) -> ExportedTheorem:
        definitions = framework_definitions(self.framework)
        for i, mechanism in enumerate(self.mechanisms):
            definitions += mechanism_definitions(f"m{i}", mechanism, [*self.place])
        statement, term = self.rate() if self.kind == "rate" else self.condition()
        ms = listed(f"m{i}" for i in range(len(self.mechanisms)))
        return ExportedTheorem(RATE_MODULES, definitions, f"well_formed f {ms} /\\ {statement}", term)

    def condition(self) -> tuple[str, str]:
        """Return that NfC holds, or its violation, and the term that proves it."""
        levels = self.claim["levels"]
        parts = listed(f"(m{i}, {level_of(level)})" for i, level in enumerate(levels))
        if self.kind == "nfc":
            betas, sums = self.betas(levels)
            statement = f"nfc_holds f {parts} /\\ levels_add_up f {parts}"
            return statement, f"nfc_of f {hints(sums).coq()} {parts} {betas}"
        counts, sums = self.alpha(levels, strict=True)
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
            x = self.place[entry["database"]]
            written.append(f"(Weighing {x} {unit} {numbers(row)})")
            # what a weighing is to keep: at every output, the mechanism at its level
            for rows, level in zip(self.rows, levels):
                spent, constant = level_terms(level, unit)
                for w, a in enumerate(rows[x]):
                    if a > 0:
                        others = [(-n, rows[y][w]) for y, n in enumerate(row) if n]
                        terms = [(unit, a), *others, *((-n, q) for n, q in spent)]
                        sums.append(LogarithmSum(terms, constant, strict=False))
        return listed(written), sums

    def alpha(self, levels: Sequence[JsonObject], strict: bool) -> tuple[Rows, list[LogarithmSum]]:
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


# Worst cases ------------------------------------------------------------------------------------

WORST_KINDS = ("worst-at-most",)
WORST_MODULES = ("Indices", "Tables", "Places", "Budgets", "WorstCase")

EntryPlace = tuple[int, int, int]  # prior, secret, secret


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
        budgets = ""
        for budget, near in zip(self.claim["budgets"], self.claim["per_record"], strict=True):
            each = "None" if near is None else f"(Some ({self.shape}, {level_of(near)}))"
            budgets += f"(Budget {level_of(budget)} {each}) "
        budgets += level
        known = [[self.row(k, row) for row in rows] for k, rows in enumerate(self.claim["rows"])]
        texts = " ".join(listed(text for text, _ in rows) for rows in known)
        scales = [[scale for _, scale in rows] for rows in known]
        trees = []
        for entry in self.claim["laws"]:
            for prior, s, t in dict.fromkeys(map(self.spot, entry["places"])):
                goal = ratio(self.claim["level"]).denominator * self.mass(prior, s) * self.mass(prior, t)
                trees.append(f"([({prior}, {s}, {t})]%nat, {self.tree(entry['tree'], scales, goal)})")
        statement = f"well_formed f [] /\\ worst_at_most f {budgets}"
        term = f"worst_of f {budgets} {texts} {listed(trees)}"
        if self.claim["attained"] is not None:
            statement += f" /\\ worst_at_least f {budgets}"
            term = f"worst_equals_of f {budgets} {texts} {listed(trees)} {self.attained()}"
        return ExportedTheorem(WORST_MODULES, framework_definitions(self.framework), statement, term)

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
            return f"(Positive {numbers([int(x == row['database']) for x in self.databases])})", 1
        if "law" in row:
            prior, s, t = self.spot(row["law"])
            scale = ratio(self.claim["budgets"][k]).denominator
            scale *= self.mass(prior, s) * self.mass(prior, t)
            return f"(Law {prior} {s} {t})", scale
        x, y = (self.databases[name] for name in row["record"])
        # databases behind x, each one record from the last one, up to y
        place, path = {word: i for i, word in enumerate(self.words)}, []
        word = self.words[x]
        for i, value in enumerate(self.words[y]):
            if word[i] != value:
                word = (*word[:i], value, *word[i + 1 :])
                path.append(place[word])
        scale = ratio(self.claim["per_record"][k]).denominator ** len(path)
        return f"(Along {x} {listed(path)}%nat)", scale

    def tree(self, node: JsonObject, scales: list[list[int]], goal: int) -> str:
        if "split" not in node:
            products = [
                (int(i), int(j), Fraction(c) * goal / (scales[0][int(i)] * scales[1][int(j)]))
                for i, j, c in node["multipliers"]
            ]
            unit = math.lcm(*(c.denominator for _, _, c in products))
            written = (f"({i}%nat, {j}%nat, {int(c * unit)})" for i, j, c in products)
            return f"(Leaf {unit} {listed(written)})"
        part = node["split"]
        factor, k = Fraction(part["factor"]), int(part["release"])
        more, less = ({part["above"]: factor.denominator}, {part["below"]: factor.numerator})
        row = numbers(more.get(x, 0) - less.get(x, 0) for x in self.databases)
        inner = [[*scale, factor.denominator] if i == k else scale for i, scale in enumerate(scales)]
        sides = " ".join(self.tree(node[side], inner, goal) for side in ("above", "below"))
        return f"(Split {'false' if k else 'true'} {row} {sides})"

    def attained(self) -> str:
        """Return two mechanisms whose first outputs reach the level, and the place."""
        part = self.claim["attained"]
        prior, s, t = self.spot((part["prior"], *part["pair"]))
        mechanisms = []
        for k, given in enumerate(part["columns"]):
            _, (column,) = over_one_unit([[Fraction(given.get(x, 0)) for x in self.databases]])
            # a multiple of the column is shown, so small that what is left of 1 is within the budget too
            needed, budget, near = [Fraction(1)], ratio(self.claim["budgets"][k]), self.claim["per_record"][k]
            places = [place for entry in self.claim["laws"] for place in map(self.spot, entry["places"])]
            for law, one, other in places if budget > 1 else []:
                slack = budget * self.mean(law, other, column) - self.mean(law, one, column)
                needed.append(slack / (budget - 1))
            if near is not None and ratio(near) > 1:
                needed.append(ratio(near) * max(column) / (ratio(near) - 1))
            unit = max([*column, *map(math.ceil, needed)])
            mechanisms.append(f"(Build_mechanism 2 {unit} {listed(numbers([p, unit - p]) for p in column)})")
        return f"{' '.join(mechanisms)} (Listed {prior}) {s} {t} [0; 0]%nat"

    def mean(self, prior: int, secret: int, column: Law) -> Fraction:
        members = self.members[secret]
        known = zip(self.databases, self.laws[prior], column)
        return Fraction(sum(p * c for x, p, c in known if x in members), self.mass(prior, secret))


def ratio(level: JsonObject) -> Fraction:
    return Fraction(level["log"])
