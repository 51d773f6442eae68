"""Check a Pufferfish certificate, trusting nothing but this file and the Python interpreter.

A certificate carries a framework (databases, secrets, discriminative pairs, priors), mechanisms (exact row-stochastic
channels) and one claim about them. The kernel re-derives the claim in integer arithmetic and answers *accepted*, with
what it proved and how many inequalities it checked, or *refused*, with the reason. Given the files that the certificate
was made from, it reads them itself and refuses when they differ. It searches for nothing. `CERTIFICATES.md` has the
format, the numbered side conditions of every rule, and the proofs that the rules are sound.

    python verify/kernel.py [--json] CERTIFICATE [FRAMEWORK MECHANISM...]

Exit codes: 0 accepted; 1 refused; 2 misuse: wrong usage, an unreadable file, a certificate that is not JSON.
Notation: for a prior, an ordered pair of secrets (s, t) and outputs w,  a = P(w, s), p = P(s), b = P(w, t), q = P(t),
all up to a positive factor;  R = e^level.  P(w|s) <= R P(w|t)  is  a q <= R p b, asked whenever p > 0 and q > 0.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import comb, gcd, isqrt, lcm, prod
from typing import Any

MAX_BYTES, MAX_DIGITS = 64_000_000, 100_000  # of a file; characters of a number
MAX_SIZE = 1_000_000  # databases; pairs tried for "disjoint"; bits of a common denominator
MAX_ALPHABET, MAX_RELEASES = 100, 100  # values of a stationary law; mechanisms of a joint release
MAX_ENTRIES, MAX_CHECKS = 5_000_000, 100_000_000  # output tuples times databases of a joint release; inequalities
MAX_PRECISION = 17  # log2 of the bits of e^nats
NUMBER = re.compile(r"-?\d+(/\d+|(\.\d+)?([eE][+-]?\d{1,4})?)", re.ASCII)

Law = tuple[int, ...]  # coprime integers n_i >= 0; the probabilities are n_i / sum(n)
Mechanism = tuple[list[str], dict[str, Law]]  # outputs, row of each database
Point = tuple[int, int, int, int]  # a, p, b, q
Where = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]  # one prior or two to mix; ordered pair; outputs


class Refused(Exception):  # noqa: N818
    """The certificate does not prove its claim; the text is the reason, on one line."""


class NotJSON(ValueError):  # noqa: N818
    """The certificate is not a JSON text in UTF-8."""


class Numeral(str):
    """The text of a JSON number, so that it is never rounded and never taken for a label."""


@dataclass(frozen=True)
class Accepted:
    """What was proved, from how many inequalities, and whether the input files were "matched" or "not given"."""

    kind: str
    statement: str
    checked: int
    inputs: str


def check(certificate: str, framework: str | None = None, mechanisms: Sequence[str] = ()) -> Accepted:
    """Check the certificate at a path, and that the files at the other paths are what it speaks of.

    **Raises** Refused with the reason; OSError for an unreadable file; NotJSON.
    """
    top = Node(parse(read_bytes(certificate), "json", NotJSON), "certificate")
    part = top.fields("format kind framework mechanisms inputs claim")
    part["format"].index(["pufferproof-certificate/1"])
    kind = [*RULES][part["kind"].index([*RULES])]
    space = Framework(part["framework"].fields("databases secrets pairs priors closure"))
    channels = [space.mechanism(node.fields("outputs channel"), False) for node in part["mechanisms"].entries()]
    inputs = part["inputs"].fields("framework mechanisms normalized")
    hashes = [node.digest() for node in (inputs["framework"], *inputs["mechanisms"].entries())]
    divided = [node.of(bool) for node in inputs["normalized"].entries()]
    require(
        len(hashes) - 1 == len(divided) == len(channels), "inputs: expected entries for {} mechanisms", len(channels)
    )
    files = [framework or "", *mechanisms] if framework is not None or mechanisms else []
    require(len(files) in (0, len(hashes)), "expected a framework file and {} mechanism files", len(channels))
    compare_files(space, channels, [read_file(*pair) for pair in zip(files, hashes, strict=False)], divided)
    claim = Claim(space, channels, part["claim"].fields(RULES[kind][1]))
    outcome, checked = RULES[kind][0](claim)
    require(checked > 0, "no inequality was checked: no prior gives both secrets of a pair positive probability")
    what = "leakage" if claim.order == [0] else f"joint leakage of mechanisms {claim.order}"
    over = f"{len(space.priors)} priors" + " and all their mixtures" * space.convex
    rows = "".join(f"; rows of mechanism {i} divided by their sums" for i, flag in enumerate(divided) if flag)
    statement = f"{what} over {over}, {len(space.pairs)} pairs in both orders, is {outcome}{rows}"
    return Accepted(kind, statement, checked, "matched" if files else "not given")


class Claim:
    """A claim about the independent joint release of mechanisms, or about one mechanism released once."""

    def __init__(self, space: Framework, mechanisms: list[Mechanism], part: dict[str, Node]) -> None:
        self.space, self.outputs, self.part = space, [outputs for outputs, _ in mechanisms], part
        self.order = [entry.whole() for entry in part["releases"].entries()] if "releases" in part else [0]
        require(
            {*self.order} == {*range(len(mechanisms))}, "expected releases of each of {} mechanisms", len(mechanisms)
        )
        fine = 2 <= len(self.order) <= MAX_RELEASES or "releases" not in part
        require(fine, "releases: expected 2 to {}, found {}", MAX_RELEASES, len(self.order))
        tables = [[rows[x] for x in space.live] for _, rows in mechanisms]
        units = [common_denominator(map(sum, table)) for table in tables]
        scaled = [[rescaled(row, unit) for row in table] for table, unit in zip(tables, units, strict=True)]
        self.columns = [[*zip(*table, strict=True)] for table in scaled]  # per output, one entry per live database
        self.scale = prod(units[i] for i in self.order)
        self.delta = part["delta"].number() if "delta" in part else (0, 1)
        self.up_to = f" up to delta {show(part['delta'].value)}" if "delta" in part else ""
        require(0 <= self.delta[0] <= self.delta[1], "delta: expected a number from 0 to 1")

    def at_most(self) -> tuple[str, int]:
        """Rules leakage-at-most, joint-leakage-at-most, and delta-at-most, which adds up what exceeds the level."""
        level, checked, total = Level(self.part["level"]), 0, dict[Where, Point]()
        require(not (self.up_to and self.space.convex), "there is no rule for delta over mixtures of priors")
        for (priors, pair, outputs), one, two in self.sweep():
            over = level.exceeded_by_mixture(one, two) if len(priors) > 1 else level.exceeded(one)
            require(bool(self.up_to) or not over, EXCEEDED, level.name, (priors, pair, outputs), one)
            (a, p, b, q), (alpha, _, beta, _) = one, total.get((priors, pair, ()), (0, 0, 0, 0))
            total[priors, pair, ()] = (alpha + a * over, p, beta + b * over, q)
            checked += 1
        for where, point in total.items():
            require(not level.exceeded(point, self.delta), EXCEEDED, level.name + self.up_to, where, point)
        if self.up_to or self.part["attained"].value is None:
            return f"at most {level.name}{self.up_to}", len(total) if self.up_to else checked
        named = self.part["attained"].fields("prior pair outputs" if "releases" in self.part else "prior pair output")
        spot, (a, p, b, q) = self.point(named)
        equal = level.form == "log" and b > 0 and Fraction(a * q, p * b) == level.value
        require(equal, "{} is not attained at {}, with a, p, b, q = {}", level.name, spot, (a, p, b, q))
        return f"equal to {level.name}, attained at {show(spot)}", checked

    def witness(self) -> tuple[str, int]:
        """Rules leakage-witness, joint-leakage-witness and delta-witness."""
        spot, point = self.point(self.part)
        bound = self.part["level" if self.up_to else "exceeds"]
        if bound.value == "inf" and not self.up_to:
            found, name = point[0] > 0 and point[2] == 0, "infinite"
        else:
            level = Level(bound)
            found, name = level.exceeded(point, self.delta), f"more than {level.name}{self.up_to}"
        require(found, "not {} at {}, with a, p, b, q = {}", name, spot, point)
        return f"{name}, at {show(spot)}", 1

    def sweep(self) -> Iterator[tuple[Where, Point, Point]]:
        """Yield a, p, b, q for all outputs, ordered pairs and priors (twice) and, if convex, pairs of priors.

        From a mechanism that is released several times, one tuple per multiset of its outputs.
        """
        order, priors = sorted(self.order), self.space.priors
        blends: list[tuple[str, ...]] = [(name,) for name in priors]
        blends += combinations(priors, 2) if self.space.convex else []
        groups = [(len(outputs), order.count(i)) for i, outputs in enumerate(self.outputs)]
        tuples = prod(comb(size + n - 1, n) for size, n in groups)
        checks, entries = tuples * len(self.space.pairs) * 2 * len(blends), tuples * len(self.space.live)
        small = checks <= MAX_CHECKS and (len(order) == 1 or entries <= MAX_ENTRIES)
        require(small, "too large: {} inequalities, {} output tuples times databases", checks, entries)
        pairs = [pair for both in self.space.pairs for pair in permutations(both)]
        events = {(name, s): self.event(law, s) for name, law in priors.items() for s, _ in pairs}
        for parts in product(*(combinations_with_replacement(range(size), n) for size, n in groups)):
            outputs = [*chain(*parts)]
            column = self.column(order, outputs)
            found = {key: event(column) for key, event in events.items()}
            names = tuple(self.outputs[i][w] for i, w in zip(order, outputs, strict=True))
            for (s, t), blend in product(pairs, blends):
                one, two = [(*found[name, s], *found[name, t]) for name in (blend * 2)[:2]]
                if one[1] + two[1] > 0 and one[3] + two[3] > 0:
                    yield (blend, (s, t), names), one, two

    def column(self, order: Iterable[int], outputs: Iterable[int]) -> list[int]:
        """Return P(outputs | x) times `scale` for the live databases x; for delta, summed over the outputs."""
        picked = (self.columns[i][w] for i, w in zip(order, outputs, strict=True))
        return [sum(entries) if self.up_to else prod(entries) for entries in zip(*picked, strict=True)]

    def event(self, prior: dict[str, int], secret: str) -> Callable[[Sequence[int]], tuple[int, int]]:
        """Return the function that maps the column of w to a = P(w, s) and p = P(s), on one scale."""
        members = self.space.secrets[secret]
        masses = [(k, prior[x]) for k, x in enumerate(self.space.live) if x in prior and x in members]
        p = self.scale * sum(mass for _, mass in masses)
        return lambda column: (sum([mass * column[k] for k, mass in masses]), p)

    def point(self, part: dict[str, Node]) -> tuple[list[Any], Point]:
        """Return the named prior, ordered pair and outputs, and their a, p, b, q."""
        prior, pair = self.prior(part["prior"]), part["pair"].labels()
        require(tuple(sorted(pair)) in self.space.pairs, "pair {} is not a pair of the framework", pair)
        names = part["outputs"].entries() if "outputs" in part else [part["output"]]
        order = [0 for _ in part["outputs"].labels()] if self.up_to else self.order  # the labels are distinct
        require(len(names) == len(order) > 0, "expected {} outputs, found {}", len(order) or 1, len(names))
        outputs = [name.index(self.outputs[i]) for i, name in zip(order, names, strict=True)]
        (a, p), (b, q) = (self.event(prior, secret)(self.column(order, outputs)) for secret in pair)
        require(p > 0 and q > 0, "a secret of {} has probability 0 under the named prior", pair)
        return [part["prior"].value, pair, [name.value for name in names]], (a, p, b, q)

    def prior(self, node: Node) -> dict[str, int]:
        """Return a listed prior, or the mixture of listed priors when the closure is convex."""
        mixed, priors, mixture = isinstance(node.value, dict), self.space.priors, dict.fromkeys(self.space.live, 0)
        require(self.space.convex or not mixed, 'only the closure "convex" contains mixtures of priors')
        weights = node.fields("mixture")["mixture"].of(dict) if mixed else {node.of(str): "1"}
        require({*weights} <= {*priors}, "unknown prior among {}", [*weights])
        law = Node([*weights.values()], node.where).law()
        unit = common_denominator(sum(priors[name].values()) for name in weights)
        for name, weight in zip(weights, law, strict=True):
            for x, n in zip(priors[name], rescaled([*priors[name].values()], unit), strict=True):
                mixture[x] += weight * n
        return mixture


EXCEEDED = "{} is exceeded at {}, with a, p, b, q = {}"
RULES: dict[str, tuple[Callable[[Claim], tuple[str, int]], str]] = {
    "leakage-at-most": (Claim.at_most, "level attained"),
    "leakage-witness": (Claim.witness, "prior pair output exceeds"),
    "joint-leakage-at-most": (Claim.at_most, "releases level attained"),
    "joint-leakage-witness": (Claim.witness, "releases prior pair outputs exceeds"),
    "delta-at-most": (Claim.at_most, "level delta"),
    "delta-witness": (Claim.witness, "level delta prior pair outputs"),
}


class Level:
    """R = e^level >= 1: a rational, or e^nats for a rational nats > 0, which is irrational."""

    def __init__(self, node: Node) -> None:
        self.form = "log" if "log" in node.of(dict) else "nats"
        num, den = node.fields(self.form)[self.form].number()
        self.name = f"{self.form} {show(node.value[self.form])}"
        require(num >= (den if self.form == "log" else 0), "level {} is negative", self.name)
        self.value = Fraction(num, den)  # R itself, or the nats

    def exceeded(self, point: Point, delta: tuple[int, int] = (0, 1)) -> bool:
        """Decide a/p - R b/q > delta for p, q > 0."""
        (a, p, b, q), (num, den) = point, delta
        left, right = a * q * den - num * p * q, b * p * den  # is left > R right?
        return left > right and (right == 0 or not self.decide(lambda n, d: left * d <= n * right, left.bit_length()))

    def exceeded_by_mixture(self, one: Point, two: Point) -> bool:
        """Decide whether A Q > R P B for some combination of two points with weights >= 0."""
        (a, p, b, q), (aa, pp, bb, qq) = one, two

        def holds(num: int, den: int) -> bool:
            first, second = den * a * q - num * p * b, den * aa * qq - num * pp * bb
            cross = den * (a * qq + aa * q) - num * (p * bb + pp * b)
            return first <= 0 and second <= 0 and (cross <= 0 or cross * cross <= 4 * first * second)

        return not self.decide(holds, 4 * max(*one, *two).bit_length() + 16)

    def decide(self, holds: Callable[[int, int], bool], settled: int) -> bool:
        """Decide holds(R), for a condition that stays true when R grows and is constant from 2^settled on."""
        if self.form == "log" or self.value == 0:
            return holds(*(self.value or Fraction(1)).as_integer_ratio())
        if self.value >= settled:  # then R > 2^settled
            return holds(1 << settled, 1)
        for bits in (1 << k for k in range(6, MAX_PRECISION + 1)):
            low, high, unit = enclosure(self.value, bits)
            if holds(low, unit) == holds(high, unit):
                return holds(low, unit)
        raise Refused(f"undecided: comparing with {self.name} needs more than 2^{MAX_PRECISION} bits")


@cache
def enclosure(nats: Fraction, bits: int) -> tuple[int, int, int]:
    """Return low, high, unit with low <= unit e^nats <= high, of relative width about 2^-bits."""
    halvings = int(nats).bit_length() + isqrt(bits) + 2  # the series is summed at nats / 2^halvings < 1/4
    work = bits + 2 * halvings + 16
    x = (nats.numerator << work) // (nats.denominator << halvings)
    low = high = term_low = term_high = 1 << work
    n = 0
    while term_high > 1:
        n += 1
        term_low = (term_low * x >> work) // n
        term_high = -((-term_high * (x + 1) >> work) // n)
        low, high = low + term_low, high + term_high
    high += 1  # the rest of the series is less than its last term, which is at most 1
    for _ in range(halvings):
        low, high = low * low >> work, -(-high * high >> work)
    return low, high, 1 << work


class Framework:
    """Databases, secrets, pairs and priors. A file may describe by records what a certificate lists."""

    def __init__(self, top: dict[str, Node]) -> None:
        self.count, self.alphabet = 0, [""]
        names = self.records(top["records"]) if "records" in top else top["databases"].labels()
        self.databases = dict.fromkeys(names)
        require(
            0 < len(self.databases) == len(names) <= MAX_SIZE, "expected 1 to {} databases, all different", MAX_SIZE
        )
        self.secrets = {name: self.secret(node) for name, node in top["secrets"].children().items()}
        self.pairs = self.disjoint_pairs(top["pairs"])
        self.convex = "closure" in top and top["closure"].index(["list", "convex"]) == 1
        laws = {name: self.prior(node, "format" in top) for name, node in top["priors"].children().items()}
        self.priors = {name: {x: n for x, n in zip(names, law, strict=True) if n} for name, law in laws.items()}
        self.live = [x for x in names if any(x in prior for prior in self.priors.values())]
        require(len(self.live) > 0, "expected at least one prior")

    def records(self, node: Node) -> list[str]:
        part = node.fields("count alphabet")
        self.count, self.alphabet = part["count"].whole(), part["alphabet"].labels()
        size = len(self.alphabet) ** min(self.count, 20)  # 2^20 is over the limit
        require(0 < self.count <= MAX_SIZE and size <= MAX_SIZE, "records: expected 1 to {} databases", MAX_SIZE)
        comma = "," * any(len(value) != 1 for value in self.alphabet)
        return [comma.join(values) for values in product(self.alphabet, repeat=self.count)]

    def secret(self, node: Node) -> frozenset[str]:
        if isinstance(node.value, dict):
            part = node.fields("record value")
            i, wanted = part["record"].whole(), self.alphabet[part["value"].index(self.alphabet)]
            require(0 < i <= self.count, "{}: expected a record from 1 to {}", node.where, self.count)
            sequences = zip(self.databases, product(self.alphabet, repeat=self.count), strict=True)
            return frozenset(x for x, values in sequences if values[i - 1] == wanted)
        members = frozenset(node.labels())
        require(0 < len(members & self.databases.keys()) == len(members), "{}: expected known databases", node.where)
        return members

    def disjoint_pairs(self, node: Node) -> dict[tuple[str, ...], None]:
        """Return every unordered pair once, sorted."""
        every, secrets = node.value == "disjoint", self.secrets
        require(not every or comb(len(secrets), 2) <= MAX_SIZE, "pairs: over {} to try", MAX_SIZE)
        pairs: dict[tuple[str, ...], None] = {}
        for names in combinations(secrets, 2) if every else [entry.labels() for entry in node.entries()]:
            require(len(names) == 2 and {*names} <= {*secrets}, "pair {}: expected two known secrets", names)
            apart = secrets[names[0]].isdisjoint(secrets[names[1]])
            require(apart or every, "pair {}: the secrets have a database in common", names)
            if apart:
                pairs[tuple(sorted(names))] = None
        return pairs

    def prior(self, node: Node, in_file: bool) -> Law:
        """Read a table; in a file {"table": ...} or, with records, {"product": ...} or {"markov": ...}."""
        form, size = [*node.of(dict)] if in_file else ["table"], len(self.alphabet)
        known = form == ["table"] or (self.count > 0 and form in (["product"], ["markov"]))
        require(known, "{}: the kernel cannot re-read the form {}", node.where, form)
        inner = node.fields(form[0])[form[0]] if in_file else node
        if form == ["table"]:
            require(inner.of(dict).keys() <= self.databases.keys(), "{}: a database is unknown", node.where)
            return Node([inner.value.get(name, "0") for name in self.databases], node.where).law()
        part = inner.fields("initial transition") if form == ["markov"] else {"product": inner}
        rows = [entry.law(size) for entry in part.get("transition", inner).entries()]
        height = size if form == ["markov"] else self.count
        require(len(rows) == height, "{}: expected {} rows, found {}", node.where, height, len(rows))
        steps = [[row] for row in rows]
        if form == ["markov"]:
            start = stationary(rows) if part["initial"].value == "stationary" else part["initial"].law(size)
            unit = common_denominator(map(sum, rows))
            steps = [[start], *[[rescaled(row, unit) for row in rows]] * (self.count - 1)]
        weights: Law = (1,)
        for table in steps:  # the last value of prefix number i is i modulo the alphabet's size
            weights = tuple([w * n for i, w in enumerate(weights) for n in table[i % len(table)]])
        return rescaled(weights)

    def mechanism(self, part: dict[str, Node], divide: bool) -> Mechanism:
        """Read a channel, with a row for every database that some prior makes possible."""
        outputs, channel = part["outputs"].labels(), part["channel"].children()
        missing, unknown = sorted({*self.live} - {*channel}), sorted({*channel} - {*self.databases})
        require(not missing, "{}: no row for {}", part["channel"].where, missing)
        require(not unknown, "{}: a row for the unknown {}", part["channel"].where, unknown)
        return outputs, {x: node.law(len(outputs), divide) for x, node in channel.items()}


def stationary(moves: list[Law]) -> Law:
    """Solve x M = x, sum(x) = 1 by Gauss-Jordan elimination; the last equation of x M = x follows from the others."""
    size = len(moves)
    rows = [[Fraction(row[i], sum(row)) - (i == j) for j, row in enumerate(moves)] + [Fraction(0)] for i in range(size)]
    rows[-1] = [Fraction(1)] * (size + 1)
    for j in range(size):
        pivot = next((i for i in range(j, size) if rows[i][j] != 0), None)
        if pivot is None or size > MAX_ALPHABET:
            raise Refused(f"the stationary law is not unique, or of over {MAX_ALPHABET} values")
        rows[j], rows[pivot] = [x / rows[pivot][j] for x in rows[pivot]], rows[j]
        for i in {*range(size)} - {j}:
            rows[i] = [x - rows[i][j] * y for x, y in zip(rows[i], rows[j], strict=True)]
    unit = common_denominator(row[size].denominator for row in rows)
    return rescaled([int(row[size] * unit) for row in rows])


def rescaled(law: Sequence[int], total: int | None = None) -> Law:
    """Return the law with a multiple of its sum as its sum, or in lowest terms."""
    up, down = (total // sum(law), 1) if total is not None else (1, gcd(*law))
    return tuple([n * up // down for n in law])


def common_denominator(denominators: Iterable[int]) -> int:
    unit = 1
    for den in {*denominators}:
        unit = lcm(unit, den)
        require(unit.bit_length() <= MAX_SIZE, "a common denominator has over {} bits", MAX_SIZE)
    return unit


def compare_files(space: Framework, channels: list[Mechanism], files: list[Node], divided: list[bool]) -> None:
    """Refuse unless the framework file and the mechanism files, if any, have the content of the certificate."""
    for top in files[:1]:
        databases = "records" if "records" in top.of(dict) else "databases"
        part = top.fields(f"format {databases} secrets pairs priors", "closure")
        part["format"].index(["pufferproof-framework/1"])
        theirs = Framework(part)
        for what in ("databases", "secrets", "pairs", "priors", "convex"):
            require(
                getattr(theirs, what) == getattr(space, what), "{}: {} differ from the certificate's", top.where, what
            )
    for top, (outputs, rows), divide in zip(files[1:], channels, divided, strict=False):
        require("channel" in top.of(dict), "{}: the kernel cannot re-read the form {}", top.where, [*top.value])
        part = top.fields("format outputs channel")
        part["format"].index(["pufferproof-mechanism/1"])
        found = space.mechanism(part, divide)
        require(found[0] == outputs, "{}: outputs differ from the certificate's", top.where)
        for x, row in rows.items():
            require(found[1].get(x) == row, "{}: row {} differs from the certificate's", top.where, x)


def read_file(path: str, digest: str | None) -> Node:
    suffix, code = path.rpartition(".")[2].lower(), re.fullmatch(r"[\w.]+:[\w.]+", path)
    require(suffix != "npy" and code is None, "the kernel cannot re-read {}, only JSON, TOML and CSV", path)
    data = read_bytes(path)
    found = f"sha256:{hashlib.sha256(data).hexdigest()}"
    require(found == digest, "{} has {}, the certificate says {}", path, found, digest)
    return Node(parse(data, suffix, Refused), path)


def read_bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    require(len(data) <= MAX_BYTES, "{} has over {} bytes", path, MAX_BYTES)
    return data


def parse(data: bytes, suffix: str, fault: type[Exception]) -> Any:
    """Read CSV, TOML or, with any other suffix, JSON."""
    try:
        text = data.decode()
        if suffix == "csv":
            head, *rows = (row for row in csv.reader((line + "\n" for line in text.split("\n")), strict=True) if row)
            channel = unique([(x, row) for x, *row in rows])
            return {"format": "pufferproof-mechanism/1", "outputs": head[1:], "channel": channel}
        if suffix == "toml":
            text = json.dumps(tomllib.loads(text, parse_float=str))
        read: Any = Numeral
        return json.loads(text, parse_int=read, parse_float=read, parse_constant=read, object_pairs_hook=unique)
    except RecursionError:
        raise Refused("nested too deeply") from None
    except (ValueError, TypeError, csv.Error) as error:
        raise fault(f"cannot be parsed: {error}") from error


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    require(len(table) == len(pairs), "a key occurs twice among {}", sorted(key for key, _ in pairs))
    return table


class Node:
    """A value in a file, and where it stands, for the refusals."""

    def __init__(self, value: Any, where: str) -> None:
        self.value, self.where = value, where

    def of(self, kind: type) -> Any:
        """Return the value, which must be of exactly this type: a number is no string, and true no number."""
        found = type(self.value)
        require(found is kind, "{}: expected {}, found {}", self.where, kind.__name__, found.__name__)
        return self.value

    def children(self) -> dict[str, Node]:
        return {key: Node(value, f"{self.where}.{key}") for key, value in self.of(dict).items()}

    def fields(self, required: str, optional: str = "") -> dict[str, Node]:
        """Return the entries of an object that has exactly these keys."""
        keys = {*self.of(dict)}
        fine = {*required.split()} <= keys <= {*required.split(), *optional.split()}
        require(fine, "{}: expected the keys {}, found {}", self.where, required, sorted(keys))
        return self.children()

    def entries(self) -> list[Node]:
        return [Node(value, f"{self.where}[{i}]") for i, value in enumerate(self.of(list))]

    def labels(self) -> list[str]:
        names = [entry.of(str) for entry in self.entries()]
        require(len({*names}) == len(names), "{}: a label occurs twice in {}", self.where, names)
        return names

    def index(self, known: Sequence[str]) -> int:
        require(self.of(str) in known, "{}: expected one of {}, found {}", self.where, known, self.value)
        return known.index(self.value)

    def digest(self) -> Any:
        fine = self.value is None or re.fullmatch("sha256:[0-9a-f]{64}", self.of(str)) is not None
        require(fine, "{}: expected sha256: and 64 hexadecimal digits, found {}", self.where, self.value)
        return self.value

    def whole(self) -> int:
        fine = len(self.of(Numeral)) < 10 and self.value.isdigit()
        require(fine, "{}: expected an integer of 1 to 9 digits, found {}", self.where, self.value)
        return int(self.value)

    def number(self) -> tuple[int, int]:
        """Return numerator and denominator > 0. Decimal reads texts of any length exactly, which int does not."""
        text = self.value if isinstance(self.value, str) and len(self.value) <= MAX_DIGITS else ""
        above, _, below = text.partition("/")
        fine = NUMBER.fullmatch(text) is not None and (not below or Decimal(below) > 0)
        require(fine, "{}: expected a number of at most {} characters, found {}", self.where, MAX_DIGITS, text)
        num, den = Decimal(above).as_integer_ratio()
        return num, den * int(Decimal(below or 1))

    def law(self, width: int | None = None, divide: bool = False) -> Law:
        """Return non-negative numbers that sum to exactly 1, or are to be divided by their positive sum."""
        numbers = [entry.number() for entry in self.entries()]
        unit = common_denominator(den for _, den in numbers)
        law = [num * (unit // den) for num, den in numbers]
        require(width in (None, len(law)), "{}: expected {} numbers, found {}", self.where, width, len(law))
        require(all(num >= 0 for num in law), "{}: a probability is negative", self.where)
        fine = sum(law) == unit or (divide and sum(law) > 0)
        require(fine, "{}: sums to {}, not 1", self.where, Fraction(sum(law), unit))
        return rescaled(law)


def require(condition: bool, reason: str, *values: Any) -> None:
    """Refuse, showing the values, unless the condition holds."""
    if not condition:
        raise Refused(reason.format(*map(show, values)))


def show(value: Any) -> str:
    """Return one short line of ASCII."""
    try:
        return json.dumps(value, default=str)[:200]
    except ValueError:  # more digits than Python prints
        return "a long number"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    arguments = [*(sys.argv[1:] if argv is None else argv)]
    paths = [argument for argument in arguments if argument != "--json"]
    answer = {"accepted": False, "kind": None, "statement": None, "checked": 0, "inputs": "not given", "reason": None}
    try:
        if not paths or any(path.startswith("-") for path in paths):
            raise OSError("usage: kernel.py [--json] CERTIFICATE [FRAMEWORK MECHANISM...]")
        answer |= {"accepted": True, **vars(check(paths[0], paths[1] if paths[1:] else None, paths[2:]))}
    except Refused as error:
        answer["reason"] = str(error)
        print(f"refused: {error}", file=sys.stderr)
    except (OSError, NotJSON) as error:
        print(f"misuse: {error}", file=sys.stderr)
        return 2
    if "--json" in arguments:
        print(json.dumps(answer))
    elif answer["accepted"]:
        print(f"accepted: {answer['statement']}\n{answer['checked']} checked, input files {answer['inputs']}")
    return 0 if answer["accepted"] else 1


if __name__ == "__main__":
    sys.exit(main())
