"""The framework and the mechanisms that a certificate speaks of, and the files they came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, gcd, prod
from typing import NamedTuple, cast

from .files import input_file
from .reading import Json, Node, Numeral, counted, multiple, require, scaled, size, spend

MAX_SIZE = 1_000_000  # databases; pairs tried for "disjoint"
MAX_ALPHABET = 100  # values of a stationary law
UNREAD = "{}: the kernel cannot re-read the form {}: leave the files out, and it checks what the certificate says"
SHORT = re.compile(r"(?:[0-9]{1,18}+(?:/[1-9][0-9]{0,17}+)?+\n)++")  # numbers, each in a line


class Row(NamedTuple):
    """The law of a database's output: probabilities as integers without a common factor."""

    unit: int
    parts: list[int]


Mechanism = tuple[list[str], dict[str, Row]]  # outputs, and the row of each database
Form = tuple[str, Callable[[Node, int, bool], Row]]  # the key of rows, and how one is read


class Framework:
    """Databases, secrets, pairs and priors. A file may describe by records what others list."""

    def __init__(self, top: dict[str, Node]) -> None:
        self.count, self.alphabet = 0, [""]
        names = self.records(top["records"]) if "records" in top else top["databases"].labels()
        self.databases = dict.fromkeys(names)
        known = 0 < len(self.databases) == len(names) <= MAX_SIZE
        require(known, "expected 1 to {} different databases", MAX_SIZE)
        spend(2 * len(names) * len(top["priors"].of(dict)))
        self.secrets = {name: self.secret(node) for name, node in top["secrets"].children().items()}
        self.pairs = self.disjoint_pairs(top["pairs"])
        closure = top["closure"].one_of(["list", "convex"]) if "closure" in top else "list"
        self.convex = closure == "convex"
        priors, in_file = top["priors"].children(), "format" in top
        laws = {name: self.prior(node, in_file) for name, node in priors.items()}
        self.priors = {k: {x: n for x, n in zip(names, law) if n != 0} for k, law in laws.items()}
        self.live = [x for x in names if any(x in prior for prior in self.priors.values())]

    @property
    def over(self) -> str:
        """What a statement speaks of, in words."""
        mixtures = ", their mixtures," * self.convex
        pairs = f"{counted(len(self.pairs), 'pair')} of secrets in both orders"
        return f"{counted(len(self.priors), 'prior')}{mixtures} and {pairs}"

    def records(self, node: Node) -> list[str]:
        """Return the databases of so many records with values of an alphabet."""
        self.count, self.alphabet = recorded(node)
        return sequences(self.count, self.alphabet)

    def secret(self, node: Node) -> frozenset[str]:
        """Return the databases of a secret, which are listed or have a value of a record."""
        if isinstance(node.value, dict):
            part = node.fields("record value")
            i, value = part["record"].whole(), part["value"].one_of(self.alphabet)
            text = "{}: expected a record from 1 to {}"
            require(0 < i <= self.count, text, node.where, self.count)
            spend(len(self.databases), 8 * self.count)
            databases = zip(self.databases, product(self.alphabet, repeat=self.count))
            return frozenset(x for x, values in databases if values[i - 1] == value)
        members = frozenset(node.labels())
        known = 0 < len(members & self.databases.keys()) == len(members)
        require(known, "{}: expected known databases", node.where)
        return members

    def disjoint_pairs(self, node: Node) -> dict[tuple[str, ...], None]:
        """Return the listed pairs, or all, of secrets without a database in common."""
        every, secrets = node.value == "disjoint", self.secrets
        few = not every or comb(len(secrets), 2) <= MAX_SIZE
        require(few, "pairs: over {} to try", MAX_SIZE)
        held = sum(map(len, secrets.values()))
        spend(held)
        if every and held == len(frozenset().union(*secrets.values())):  # no two share a database
            spend(2 * comb(len(secrets), 2))
            return dict.fromkeys(combinations(sorted(secrets), 2))
        listed = (tuple(entry.labels()) for entry in ([] if every else node.entries()))
        pairs = dict[tuple[str, ...], None]()
        for names in combinations(secrets, 2) if every else listed:
            known = len(names) == 2 and {*names} <= secrets.keys()
            require(known, "pair {}: expected two known secrets", names)
            spend(1 + min(len(secrets[name]) for name in names) // 2)
            apart = secrets[names[0]].isdisjoint(secrets[names[1]])
            require(apart or every, "pair {}: the secrets have a database in common", names)
            pairs |= {tuple(sorted(names)): None} if apart else {}
        return pairs

    def prior(self, node: Node, in_file: bool) -> list[Fraction]:
        """Read a table; in a file {"table"} or, with records, {"product"} or {"markov"}."""
        form = [*node.of(dict)] if in_file else ["table"]
        known = form == ["table"] or (self.count > 0 and form in (["product"], ["markov"]))
        require(known, UNREAD, node.where, form)
        inner = node.fields(form[0])[form[0]] if in_file else node
        if form == ["table"]:
            return self.table(inner)
        weights, width = [Fraction(1)], len(self.alphabet)
        for step in self.markov(inner) if form == ["markov"] else self.factors(inner):
            factors = [n for row in step for n in row]
            spend(len(weights) * width, *[768 + max(map(size, each)) for each in (weights, factors)])
            # the last value of prefix number i is i modulo the alphabet's size
            weights = [w * n for i, w in enumerate(weights) for n in step[i % len(step)]]
        return weights

    def table(self, node: Node) -> list[Fraction]:
        """Read the probability of each database, 0 if it is left out."""
        values = node.of(dict)
        require(values.keys() <= self.databases.keys(), "{}: a database is unknown", node.where)
        law = dict(zip(values, Node([*values.values()], node.where).law()))
        return [law.get(name, Fraction(0)) for name in self.databases]

    def factors(self, node: Node) -> list[list[list[Fraction]]]:
        """Read the laws of independent records: one row for each step."""
        return [[row] for row in self.rows(node, self.count)]

    def markov(self, node: Node) -> list[list[list[Fraction]]]:
        """Read a Markov chain: the law of the first record, and a row for each value before."""
        part, width = node.fields("initial transition"), len(self.alphabet)
        rows = self.rows(part["transition"], width)
        initial = part["initial"]
        start = stationary(rows) if initial.value == "stationary" else initial.law(width)
        return [[start], *[rows] * (self.count - 1)]

    def rows(self, node: Node, height: int) -> list[list[Fraction]]:
        rows = [entry.law(len(self.alphabet)) for entry in node.entries()]
        text = "{}: expected {} rows, found {}"
        require(len(rows) == height, text, node.where, height, len(rows))
        return rows

    def mechanism(self, part: dict[str, Node], divide: bool, form: Form) -> Mechanism:
        """Read outputs, and the row of each database that some prior makes possible."""
        (key, read), outputs = form, part["outputs"].labels()
        where, rows = part[key].where, part[key].children()
        spend(1 + len(self.databases))
        wrong = sorted(({*self.live} - {*rows}) | ({*rows} - {*self.databases}))
        require(not wrong, "{}: rows missing or of unknown databases: {}", where, wrong)
        return outputs, {x: read(node, len(outputs), divide) for x, node in rows.items()}


def row(node: Node, width: int, divide: bool) -> Row:
    """Read a law, of numbers that sum to exactly 1 or that their sum is to divide."""
    unit, parts = integers(node)
    spend(1 + len(parts), *[unit.bit_length()] * 2)
    unit = (divide and sum(parts)) or unit
    node.sums_to_one(unit, parts, width)
    common = gcd(unit, *parts)
    return Row(unit // common, [n // common for n in parts] if common != 1 else parts)


def integers(node: Node) -> tuple[int, list[int]]:
    """Read a list of numbers as integers over one unit, those of few digits all at once."""
    values = cast("list[str]", node.of(list))
    text = "\n".join(values) if {*map(type, values)} <= {str, Numeral} else ""
    if not (text.count("\n") + 1 == len(values) and SHORT.fullmatch(text + "\n")):
        return scaled(entry.number() for entry in node.entries())
    bits = 4 * max(map(len, values))
    spend(len(values), bits, bits)
    pieces = [value.partition("/") for value in values]
    below = {end: int(end or 1) for end in {end for _, _, end in pieces}}
    unit = multiple(below.values())
    spend(len(values), unit.bit_length(), 768)
    times = {end: unit // den for end, den in below.items()}
    return unit, [int(n) * times[end] for n, _, end in pieces]


def recorded(node: Node) -> tuple[int, list[str]]:
    """Read how many records there are, and the values that each may have."""
    part = node.fields("count alphabet")
    count, alphabet = part["count"].whole(), part["alphabet"].labels()
    total = len(alphabet) ** min(count, 20)  # 2^20 is over the limit
    few = 0 < count <= MAX_SIZE and total <= MAX_SIZE
    require(few, "records: expected 1 to {} databases", MAX_SIZE)
    spend(total, 32 * count * max(map(len, alphabet), default=0))
    return count, alphabet


def sequences(count: int, alphabet: list[str]) -> list[str]:
    comma = "," * any(len(value) != 1 for value in alphabet)
    return [comma.join(values) for values in product(alphabet, repeat=count)]


def stationary(moves: list[list[Fraction]]) -> list[Fraction]:
    """Solve x M = x, sum(x) = 1 by Gauss-Jordan elimination.

    The last equation of x M = x is left out: it follows from the others.
    """
    n, zero, one = len(moves), Fraction(0), Fraction(1)
    require(n <= MAX_ALPHABET, "the stationary law is of over {} values", MAX_ALPHABET)
    rows = [[row[i] - (i == j) for j, row in enumerate(moves)] + [zero] for i in range(n - 1)]
    rows.append([one] * (n + 1))
    for j in range(n):
        pivot = next((i for i in range(j, n) if rows[i][j] != 0), n)
        require(pivot < n, "the stationary law is not unique")
        spend(n * n, *[768 + 2 * max(size(x) for row in rows for x in row)] * 2)
        rows[pivot], rows[j] = rows[j], [x / rows[pivot][j] for x in rows[pivot]]
        for i in {*range(n)} - {j}:
            rows[i] = [x - rows[i][j] * y for x, y in zip(rows[i], rows[j])]
    return [row[n] for row in rows]


@dataclass(frozen=True)
class Opened:
    """The parts of a certificate, compared with the files it was made from if these are given."""

    claim: dict[str, Node]
    space: Framework
    mechanisms: list[Mechanism]
    divided: list[bool]
    inputs: str  # "matched" or "not given"

    @property
    def rows(self) -> str:
        """What was done to rows of the files, in words."""
        divided = [i for i, flag in enumerate(self.divided) if flag]
        return "".join(f"; rows of mechanism {i + 1} divided by their sums" for i in divided)


def opened(top: Node, keys: str, paths: Sequence[str], form: Form = ("channel", row)) -> Opened:
    """Read a certificate with a framework and mechanisms, whose claim has these keys."""
    part = top.fields("format kind framework mechanisms inputs claim")
    claim = part["claim"].fields(keys)
    space = Framework(part["framework"].fields("databases secrets pairs priors closure"))
    nodes = [node.fields(f"outputs {form[0]}") for node in part["mechanisms"].entries()]
    mechanisms = [space.mechanism(node, False, form) for node in nodes]
    inputs, count = part["inputs"].fields("framework mechanisms normalized"), len(mechanisms)
    hashes = [node.digest() for node in [inputs["framework"], *inputs["mechanisms"].entries()]]
    divided = [node.of(bool) for node in inputs["normalized"].entries()]
    require(len(hashes) - 1 == len(divided) == count, "inputs: expected {} mechanisms", count)
    text = "expected a framework file and {} mechanism files"
    require(len(paths) in (0, len(hashes)), text, count)
    files = [*map(input_file, paths, hashes, ["framework", *["mechanism"] * count])]
    compare_framework(space, files[:1])
    compare_mechanisms(space, mechanisms, files, divided, form)
    return Opened(claim, space, mechanisms, divided, "matched" if files else "not given")


def compare_framework(space: Framework, files: list[Node]) -> None:
    """Refuse unless the framework file, if any, has the content of the certificate."""
    for top in files:
        databases = "records" if "records" in top.of(dict) else "databases"
        if "neighbours" in top.of(dict):
            theirs = Framework(neighbouring(top, databases))
        else:
            theirs = Framework(top.fields(f"format {databases} secrets pairs priors", "closure"))
        parts = ("databases", "secrets", "pairs", "priors", "convex")
        differ = [name for name in parts if getattr(theirs, name) != getattr(space, name)]
        require(not differ, "{}: {} differ from the certificate's", top.where, differ)


def neighbouring(top: Node, databases: str) -> dict[str, Node]:
    """Write out a file of neighbours: every database is a secret, and pairs are at most so many
    changes apart. A change adds or removes a record, or substitutes a value.
    """
    part = top.fields(f"format {databases} neighbours", "priors closure")
    node = part["neighbours"]
    said = node if isinstance(node.value, dict) else Node({"relation": node.value}, node.where)
    inner = said.fields("relation", "changes")
    grows = inner["relation"].one_of(["add-remove", "substitute"]) == "add-remove"
    changes = inner["changes"].whole() if "changes" in inner else 1
    if databases == "records":
        count, alphabet = recorded(part["records"])
        lengths = range(count + 1) if grows else [count]
        rows = [row for n in lengths for row in product(alphabet, repeat=n)]
        names = [name for n in lengths for name in sequences(n, alphabet)]
    else:
        names = part["databases"].labels()
        comma = any("," in name for name in names)
        rows = [tuple(name.split(",") if comma and name else name) for name in names]
        count = max(map(len, rows))
        alphabet = sorted({value for row in rows for value in row})
    require(0 < changes <= count, "{}: expected 1 to {} changes", node.where, count)
    place, pairs = {row: i for i, row in enumerate(rows)}, []
    for i, row in enumerate(rows):
        reached, last = {row}, {row}
        for _ in range(changes):
            spend(len(last) * (count + 1) * len(alphabet), 64 * count)
            last = {y for x in last for y in changed(x, alphabet, grows)} - reached
            reached |= last
        pairs += [(i, j) for j in sorted(place.get(y, -1) for y in reached) if j > i]
    each: Json = {"each": {"table": {name: f"1/{len(names)}" for name in names}}}
    whole = databases == "records" and not grows  # of databases that have all records
    listed: dict[str, Json] = {
        "format": part["format"].value,
        **({"records": part["records"].value} if whole else {"databases": [*names]}),
        "secrets": {name: [name] for name in names},
        "pairs": [[names[i], names[j]] for i, j in pairs],
        "priors": part["priors"].value if "priors" in part else each,
        "closure": part["closure"].value if "closure" in part else "list",
    }
    return {key: Node(value, f"{top.where}.{key}") for key, value in listed.items()}


def changed(row: tuple[str, ...], alphabet: list[str], grows: bool) -> set[tuple[str, ...]]:
    """Return the sequences one change away from a sequence."""
    places = range(len(row))
    if not grows:
        return {(*row[:i], value, *row[i + 1 :]) for i in places for value in alphabet}
    fewer = {(*row[:i], *row[i + 1 :]) for i in places}
    return fewer | {(*row[:i], x, *row[i:]) for i in range(len(row) + 1) for x in alphabet}


def compare_mechanisms(
    space: Framework, mechanisms: list[Mechanism], files: list[Node], flags: list[bool], form: Form
) -> None:
    """Refuse unless the mechanism files, if any, have the content of the certificate."""
    for top, (outputs, rows), divide in zip(files[1:], mechanisms, flags):
        forms = {*top.of(dict)}
        if form[0] == "channel" and forms & {"local", "redaction"}:
            labels, row_of = sequence_rows(top, files[0], divide)
        else:
            require(form[0] in forms, UNREAD, top.where, [*top.of(dict)])
            part = top.fields(f"format outputs {form[0]}")
            labels, listed = space.mechanism(part, divide, form)
            row_of = listed.get
        require(labels == outputs, "{}: outputs differ from the certificate's", top.where)
        differ = [x for x, row in rows.items() if row_of(x) != row]
        require(not differ, "{}: rows {} differ from the certificate's", top.where, differ)


def sequence_rows(top: Node, framework: Node, divide: bool) -> tuple[list[str], Callable[[str], Row | None]]:
    """Return the outputs of a file with a channel for every record, and what gives a database its
    row, None if it does not have all records:

        P(y_1 .. y_n | x_1 .. x_n) = prod_t C_t(y_t | x_t).
    """
    require("records" in framework.of(dict), "{}: expected records in the framework", top.where)
    count, alphabet = recorded(framework.children()["records"])
    symbols, channels = record_channels(top, count, alphabet, divide)
    width = len(symbols) ** min(count, 20)
    require(width <= MAX_SIZE, "{}: expected at most {} outputs", top.where, MAX_SIZE)
    spend(width, 32 * count * max(map(len, symbols), default=0))
    outputs = Node([*sequences(count, symbols)], f"{top.where}.outputs").labels()
    places = product(range(len(alphabet)), repeat=count)
    values = dict(zip(sequences(count, alphabet), places))

    def row_of(x: str) -> Row | None:
        laws = [channel[value] for channel, value in zip(channels, values.get(x, ()))]
        bits = [law.unit.bit_length() for law in laws]
        spend(2 * width + count, sum(bits), max(bits, default=0))
        parts = [1]
        for law in laws:  # no common factor, as the laws have none
            parts = [head * n for head in parts for n in law.parts]
        return Row(prod(law.unit for law in laws), parts) if x in values else None

    return outputs, row_of


def record_channels(top: Node, count: int, alphabet: list[str], divide: bool) -> tuple[list[str], list[list[Row]]]:
    """Return what a record may show, and for every record the row of each value, in the order of
    the alphabet. `redaction` gives the probability that the record shows "*" instead of its value.
    """
    if "local" in top.of(dict):
        part = top.fields("format outputs local")
        symbols, records = part["outputs"].labels(), part["local"].entries(count)
        laws = [[row(law, len(symbols), divide) for law in record.entries(len(alphabet))] for record in records]
        return symbols, laws
    part = top.fields("format redaction", "outputs")
    symbols = [*alphabet, "*"]
    named = part["outputs"].labels() if "outputs" in part else symbols
    require(named == symbols, "{}: expected the outputs {}", top.where, symbols)
    return symbols, [
        [redacted(chance, i, len(alphabet)) for i, chance in enumerate(record.entries(len(alphabet)))]
        for record in part["redaction"].entries(count)
    ]


def redacted(chance: Node, value: int, width: int) -> Row:
    """Return the law of a record that shows "*" with a probability, and otherwise its value."""
    hidden = chance.number()
    require(0 <= hidden <= 1, "{}: expected a probability", chance.where)
    parts = [0] * width + [hidden.numerator]
    parts[value] = hidden.denominator - hidden.numerator
    return Row(hidden.denominator, parts)
