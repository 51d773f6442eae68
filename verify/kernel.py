"""Check a Pufferfish certificate, trusting nothing but this file and the Python interpreter.

A certificate carries a framework (databases, secrets, discriminative pairs, priors), mechanisms
(exact row-stochastic channels) and one claim, which the kernel derives again in exact arithmetic;
it says what it proved and from how many inequalities, or why it refused. Given the files that the
certificate was made from, it reads them itself and refuses when they differ. `CERTIFICATES.md` has
the format, the side conditions of every rule and the proofs of soundness.

    python verify/kernel.py [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM...]

Exit codes: 0 accepted; 1 refused; 2 no answer: misuse (wrong usage, an unreadable file, a
certificate that is not JSON), more work or memory than there is, or an acceptance that cannot be
written. Notation: for a prior, an ordered pair of secrets (s, t) and outputs w,  a = P(w, s), p =
P(s), b = P(w, t), q = P(t), all up to a positive factor;  R = e^level.  P(w|s) <= R P(w|t)  is  a q
<= R p b, asked whenever p > 0 and q > 0.
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
from math import comb, isqrt, lcm, prod
from typing import Any

USAGE = "kernel.py [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM...]"
MAX_WORK, MAX_BYTES = (
    4_000_000_000_000,
    16_000_000,
)  # bit operations; bytes of a file, more if more work is allowed
MAX_DIGITS, MAX_PRECISION = 100_000, 17  # characters of a number; log2 of the bits of e^nats
MAX_SIZE = 1_000_000  # databases; pairs tried for "disjoint"
MAX_ALPHABET, MAX_RELEASES = 100, 100  # values of a stationary law; mechanisms of a joint release
DOTTED = re.compile(
    r"""(\.[ \t]*("([^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)[ \t]*){8}"""
)  # TOML keys whose reading takes long
NUMBER = re.compile(r"-?\d+(/\d+|(\.\d+)?([eE][+-]?\d{1,4})?)", re.ASCII)

Mechanism = tuple[list[str], dict[str, list[Fraction]]]  # outputs, and the row of each database
Point = tuple[int, int, int, int]  # a, p, b, q
Where = tuple[
    tuple[str, ...], tuple[str, ...], tuple[str, ...]
]  # one prior or two to mix; ordered pair; outputs


class Refused(Exception):  # noqa: N818
    """The certificate does not prove its claim; the text is the reason, on one line."""


class TooLarge(Refused):
    """Not decided: more work is needed than is allowed."""


class NotJSON(ValueError):  # noqa: N818
    """The certificate is not a JSON text in UTF-8."""


class Numeral(str):
    """The text of a JSON number, so that it is never rounded and never taken for a label."""

    __slots__ = ()


class Work:
    """The bit operations of a check, counted before they are done: time and memory are in
    proportion to them.
    """

    done, limit = 0, MAX_WORK

    def begin(self, limit: int) -> None:
        self.done, self.limit = 0, limit
        enclosure.cache_clear()  # what a check counts does not depend on those before it

    def spend(self, times: int, a: int = 0, b: int = 0) -> None:
        """Count products, quotients, common factors or comparisons of numbers of a and b bits,
        256 bits more for each.
        """
        self.done += times * (a + 256) * (b + 256)
        fine = self.done <= self.limit
        require(
            fine,
            "too large: over {} bit operations, more than --work {}",
            self.done,
            self.limit,
            fault=TooLarge,
        )


WORK = Work()
spend = WORK.spend


@dataclass(frozen=True)
class Accepted:
    """What was proved, from how many inequalities, and whether the input files were "matched"
    or "not given".
    """

    kind: str
    statement: str
    checked: int
    inputs: str


def check(
    certificate: str, framework: str | None = None, mechanisms: Sequence[str] = (), work: int = 0
) -> Accepted:
    """Check a certificate, and the files it was made from if given. Raises `Refused`, `NotJSON`
    or `OSError`.
    """
    WORK.begin(work or MAX_WORK)
    part = read_file(certificate, None, "certificate").fields(
        "format kind framework mechanisms inputs claim"
    )
    kind = part["kind"].one_of([*RULES])
    rule, claimed = RULES[kind][0], part["claim"].fields(RULES[kind][1])
    space = Framework(part["framework"].fields("databases secrets pairs priors closure"))
    channels = [
        space.mechanism(node.fields("outputs channel"), False)
        for node in part["mechanisms"].entries()
    ]
    inputs = part["inputs"].fields("framework mechanisms normalized")
    hashes = [node.digest() for node in [inputs["framework"], *inputs["mechanisms"].entries()]]
    divided = [node.of(bool) for node in inputs["normalized"].entries()]
    require(
        len(hashes) - 1 == len(divided) == len(channels),
        "inputs: expected {} mechanisms",
        len(channels),
    )
    files = [framework or "", *mechanisms] if framework is not None or mechanisms else []
    require(
        len(files) in (0, len(hashes)),
        "expected a framework file and {} mechanism files",
        len(channels),
    )
    forms = ["framework"] + ["mechanism"] * len(channels)
    compare_files(space, channels, [*map(read_file, files, hashes, forms)], divided)
    claim = Claim(space, channels, claimed)
    outcome, checked = rule(claim)
    require(
        checked > 0,
        "no inequality was checked: no prior gives both secrets of a pair positive probability",
    )
    over = (
        f"{len(space.priors)} priors{' and their mixtures' * space.convex}, {len(space.pairs)} "
        f"pairs in both orders"
    )
    rows = "".join(
        f"; rows of mechanism {i} divided by their sums" for i, flag in enumerate(divided) if flag
    )
    statement = f"leakage of mechanisms {claim.order} over {over} is {outcome}{rows}"
    return Accepted(kind, statement, checked, "matched" if files else "not given")


class Claim:
    """A claim about the independent joint release of mechanisms, or about one mechanism
    released once.
    """

    def __init__(
        self, space: Framework, mechanisms: list[Mechanism], part: dict[str, Node]
    ) -> None:
        self.space, self.outputs, self.part = space, [outputs for outputs, _ in mechanisms], part
        self.order = (
            [entry.whole() for entry in part["releases"].entries()] if "releases" in part else [0]
        )
        require(
            {*self.order} == {*range(len(mechanisms))},
            "expected releases of all {} mechanisms",
            len(mechanisms),
        )
        fine = "releases" not in part or 2 <= len(self.order) <= MAX_RELEASES
        require(fine, "expected 2 to {} releases", MAX_RELEASES)
        tables = [scaled(chain(*(rows[x] for x in space.live))) for _, rows in mechanisms]
        bits = [tables[i][0].bit_length() for i in self.order]
        self.bits = (
            sum(bits),
            max(bits) if len(bits) > 1 else 0,
        )  # of a product of entries, and of its last factor
        spend(len(bits), *self.bits)
        self.scale = prod(tables[i][0] for i in self.order)
        self.place = {x: k for k, x in enumerate(space.live)}
        self.columns = [
            [table[w :: len(o)] for w in range(len(o))]
            for o, (_, table) in zip(self.outputs, tables)
        ]
        self.delta = part["delta"].number() if "delta" in part else Fraction(0)
        self.up_to = f" up to delta {show(self.delta)}" if "delta" in part else ""
        require(0 <= self.delta <= 1, "delta: expected a number from 0 to 1")

    def at_most(self) -> tuple[str, int]:
        """Rules leakage-at-most, joint-leakage-at-most, and delta-at-most, which adds up what
        exceeds the level.
        """
        level, checked, broken = (
            Level(self.part["level"]),
            0,
            "{} is exceeded at {}, where a, p, b, q = {}",
        )
        total: dict[Where, Point] = {}
        require(
            not (self.up_to and self.space.convex),
            "there is no rule for delta over mixtures of priors",
        )
        for (priors, pair, outputs), one, two in self.sweep():
            over = level.exceeded_by_mixture(one, two) if len(priors) > 1 else level.exceeded(one)
            require(
                not over or "delta" in self.part, broken, level.name, (priors, pair, outputs), one
            )
            (a, p, b, q), (alpha, _, beta, _) = one, total.get((priors, pair, ()), (0, 0, 0, 0))
            total[priors, pair, ()] = (alpha + a * over, p, beta + b * over, q)
            checked += 1
        for where, point in total.items():
            require(
                not level.exceeded(point, self.delta), broken, level.name + self.up_to, where, point
            )
        if self.up_to or self.part["attained"].value is None:
            return f"at most {level.name}{self.up_to}", len(total) if self.up_to else checked
        named = self.part["attained"].fields("prior pair output" + "s" * ("releases" in self.part))
        spot, (a, p, b, q) = self.point(named)
        num, den = level.value.as_integer_ratio()
        equal = level.form == "log" and b > 0 and a * q * den == num * p * b
        require(
            equal, "{} is not attained at {}, with a, p, b, q = {}", level.name, spot, (a, p, b, q)
        )
        return f"equal to {level.name}, attained at {show(spot)}", checked

    def witness(self) -> tuple[str, int]:
        """Rules leakage-witness, joint-leakage-witness and delta-witness."""
        (spot, point), bound = (
            self.point(self.part),
            self.part["level" if self.up_to else "exceeds"],
        )
        found, name = point[0] > 0 and point[2] == 0, "infinite"
        if self.up_to or bound.value != "inf":
            level = Level(bound)
            found, name = level.exceeded(point, self.delta), f"more than {level.name}{self.up_to}"
        require(found, "not {} at {}, with a, p, b, q = {}", name, spot, point)
        return f"{name}, at {show(spot)}", 1

    def sweep(self) -> Iterator[tuple[Where, Point, Point]]:
        """Yield a, p, b, q for all multisets of outputs, ordered pairs and priors (twice) or
        pairs of priors (convex).
        """
        order, priors = sorted(self.order), self.space.priors
        sizes = [(len(outputs), order.count(i)) for i, outputs in enumerate(self.outputs)]
        tuples = prod(comb(size + n - 1, n) for size, n in sizes)
        mixed = comb(len(priors), 2) if self.space.convex else 0
        spend(32 * tuples * max(1, len(self.space.pairs) * (len(priors) + mixed)))  # in both orders
        blends = [*zip(priors), *(combinations(priors, 2) if mixed else ())]
        pairs = [pair for both in self.space.pairs for pair in permutations(both)]
        events = {
            (name, s): self.event(prior, s) for name, prior in priors.items() for s, _ in pairs
        }
        for parts in product(*(combinations_with_replacement(range(size), n) for size, n in sizes)):
            outputs = [*chain(*parts)]
            column = self.column(order, outputs)
            found = {key: event(column) for key, event in events.items()}
            names = tuple(self.outputs[i][w] for i, w in zip(order, outputs))
            for (s, t), blend in product(pairs, blends):
                one, two = [(*found[name, s], *found[name, t]) for name in (blend * 2)[:2]]
                if one[1] + two[1] > 0 and one[3] + two[3] > 0:
                    yield (blend, (s, t), names), one, two

    def column(self, order: Sequence[int], outputs: Iterable[int]) -> list[int]:
        """Return P(outputs | x) times `scale` for the live databases x; for delta, summed over
        the outputs.
        """
        spend(len(order) * (1 + len(self.space.live)), *self.bits)
        picked = (self.columns[i][w] for i, w in zip(order, outputs))
        return [sum(entries) if self.up_to else prod(entries) for entries in zip(*picked)]

    def event(
        self, prior: dict[str, Fraction], secret: str
    ) -> Callable[[Sequence[int]], tuple[int, int]]:
        """Return the function that maps the column of w to a = P(w, s) and p = P(s), on one
        scale per prior.
        """
        members, (unit, parts), bits = (
            self.space.secrets[secret],
            scaled(prior.values()),
            self.scale.bit_length(),
        )
        masses = [(self.place[x], mass) for x, mass in zip(prior, parts) if x in members]
        p = self.scale * sum(mass for _, mass in masses)

        def weigh(column: Sequence[int]) -> tuple[int, int]:
            spend(1 + len(masses), bits, unit.bit_length())
            return sum([mass * column[k] for k, mass in masses]), p

        return weigh

    def point(self, part: dict[str, Node]) -> tuple[list[Any], Point]:
        """Return the named prior, ordered pair and outputs, and their a, p, b, q."""
        prior, pair = self.prior(part["prior"]), part["pair"].labels()
        require(
            tuple(sorted(pair)) in self.space.pairs, "pair {} is not a pair of the framework", pair
        )
        names = part["outputs"].entries() if "outputs" in part else [part["output"]]
        order = (
            [0 for _ in part["outputs"].labels()] if self.up_to else self.order
        )  # the labels are distinct
        require(
            len(names) == len(order) > 0,
            "expected {} outputs, found {}",
            len(order) or 1,
            len(names),
        )
        outputs = [
            self.outputs[i].index(name.one_of(self.outputs[i])) for i, name in zip(order, names)
        ]
        (a, p), (b, q) = (self.event(prior, secret)(self.column(order, outputs)) for secret in pair)
        require(p > 0 and q > 0, "a secret of {} has probability 0 under the named prior", pair)
        return [part["prior"].value, pair, [name.value for name in names]], (a, p, b, q)

    def prior(self, node: Node) -> dict[str, Fraction]:
        """Return a listed prior, or the mixture of listed priors when the closure is convex."""
        mixed, mixture = isinstance(node.value, dict), dict.fromkeys(self.space.live, Fraction(0))
        require(
            self.space.convex or not mixed, 'only the closure "convex" contains mixtures of priors'
        )
        weights = node.fields("mixture")["mixture"].of(dict) if mixed else {node.of(str): "1"}
        require({*weights} <= {*self.space.priors}, "unknown prior among {}", [*weights])
        for name, weight in zip(weights, Node([*weights.values()], node.where).law()):
            for x, probability in self.space.priors[name].items():
                spend(1, *[768 + size(mixture[x]) + size(weight) + size(probability)] * 2)
                mixture[x] += weight * probability
        return mixture


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
        self.value = node.fields(self.form)[self.form].number()  # R itself, or the nats
        self.name, self.bits = f"{self.form}({show(self.value)})", size(self.value)
        require(self.value >= (1 if self.form == "log" else 0), "level {} is negative", self.name)

    def exceeded(self, point: Point, delta: Fraction = Fraction(0)) -> bool:
        """Decide a/p - R b/q > delta for p, q > 0."""
        (a, p, b, q), (num, den), long = point, delta.as_integer_ratio(), max(point).bit_length()
        spend(1, 2 * long + size(delta), long + 3 * size(delta) + 2 * self.bits)
        left, right = a * q * den - num * p * q, b * p * den  # is left > R right?
        return left > right and (
            right == 0 or not self.decide(lambda n, d: left * d <= n * right, left.bit_length())
        )

    def exceeded_by_mixture(self, one: Point, two: Point) -> bool:
        """Decide whether A Q > R P B for some combination of two points with weights >= 0."""
        (a, p, b, q), (aa, pp, bb, qq), long = one, two, max(*one, *two).bit_length()
        spend(2, 3 * long + 2 * self.bits, 3 * long + 2 * self.bits)

        def holds(num: int, den: int) -> bool:
            first, second = den * a * q - num * p * b, den * aa * qq - num * pp * bb
            cross = den * (a * qq + aa * q) - num * (p * bb + pp * b)
            return (
                first <= 0 and second <= 0 and (cross <= 0 or cross * cross <= 4 * first * second)
            )

        return not self.decide(holds, 4 * long + 16)

    def decide(self, holds: Callable[[int, int], bool], settled: int) -> bool:
        """Decide holds(R), for a condition that stays true when R grows and is constant from
        2^settled on.
        """
        if self.form == "log" or self.value == 0:
            return holds(*(self.value or Fraction(1)).as_integer_ratio())
        spend(5, 2 * settled, 2 * settled)
        if self.value >= settled:  # then R > 2^settled
            return holds(1 << settled, 1)
        for low, high, unit in (enclosure(self.value, 1 << k) for k in range(6, MAX_PRECISION + 1)):
            spend(5, settled + high.bit_length(), settled + high.bit_length())
            if holds(low, unit) == holds(high, unit):
                return holds(low, unit)
        raise Refused(
            f"undecided: comparing with {self.name} needs more than 2^{MAX_PRECISION} bits"
        )


@cache
def enclosure(nats: Fraction, bits: int) -> tuple[int, int, int]:
    """Return low, high, unit with low <= unit e^nats <= high, of relative width about 2^-bits."""
    halvings = (
        int(nats).bit_length() + isqrt(bits) + 2
    )  # the series is summed at nats / 2^halvings < 1/4
    work = bits + 2 * halvings + 16
    spend(1, work + size(nats), work + size(nats))
    spend(
        2 * isqrt(bits) + 8 * halvings, work, 32 * isqrt(work)
    )  # products of long numbers, by Karatsuba's method
    n, x = 0, (nats.numerator << work) // (nats.denominator << halvings)
    low = high = term_low = term_high = 1 << work
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
    """Databases, secrets, pairs and priors. A file may describe by records what a certificate
    lists.
    """

    def __init__(self, top: dict[str, Node]) -> None:
        self.count, self.alphabet = 0, [""]
        names = self.records(top["records"]) if "records" in top else top["databases"].labels()
        self.databases = dict.fromkeys(names)
        require(
            0 < len(self.databases) == len(names) <= MAX_SIZE,
            "expected 1 to {} different databases",
            MAX_SIZE,
        )
        spend(2 * len(names) * len(top["priors"].of(dict)))
        self.secrets = {name: self.secret(node) for name, node in top["secrets"].children().items()}
        self.pairs = self.disjoint_pairs(top["pairs"])
        self.convex = "closure" in top and top["closure"].one_of(["list", "convex"]) == "convex"
        laws = {
            name: self.prior(node, "format" in top)
            for name, node in top["priors"].children().items()
        }
        self.priors = {
            name: {x: n for x, n in zip(names, law) if n != 0} for name, law in laws.items()
        }
        self.live = [x for x in names if any(x in prior for prior in self.priors.values())]

    def records(self, node: Node) -> list[str]:
        part = node.fields("count alphabet")
        self.count, self.alphabet = part["count"].whole(), part["alphabet"].labels()
        size = len(self.alphabet) ** min(self.count, 20)  # 2^20 is over the limit
        require(
            0 < self.count <= MAX_SIZE and size <= MAX_SIZE,
            "records: expected 1 to {} databases",
            MAX_SIZE,
        )
        spend(size, 32 * self.count * max(map(len, self.alphabet), default=0))
        comma = "," * any(len(value) != 1 for value in self.alphabet)
        return [comma.join(values) for values in product(self.alphabet, repeat=self.count)]

    def secret(self, node: Node) -> frozenset[str]:
        if isinstance(node.value, dict):
            part = node.fields("record value")
            i, wanted = part["record"].whole(), part["value"].one_of(self.alphabet)
            require(
                0 < i <= self.count, "{}: expected a record from 1 to {}", node.where, self.count
            )
            spend(len(self.databases), 8 * self.count)
            sequences = zip(self.databases, product(self.alphabet, repeat=self.count))
            return frozenset(x for x, values in sequences if values[i - 1] == wanted)
        members = frozenset(node.labels())
        require(
            0 < len(members & self.databases.keys()) == len(members),
            "{}: expected known databases",
            node.where,
        )
        return members

    def disjoint_pairs(self, node: Node) -> dict[tuple[str, ...], None]:
        every, secrets, pairs = (
            node.value == "disjoint",
            self.secrets,
            dict[tuple[str, ...], None](),
        )
        require(not every or comb(len(secrets), 2) <= MAX_SIZE, "pairs: over {} to try", MAX_SIZE)
        for names in (
            combinations(secrets, 2) if every else [entry.labels() for entry in node.entries()]
        ):
            require(
                len(names) == 2 and {*names} <= secrets.keys(),
                "pair {}: expected two known secrets",
                names,
            )
            spend(1 + min(len(secrets[name]) for name in names) // 2)
            apart = secrets[names[0]].isdisjoint(secrets[names[1]])
            require(apart or every, "pair {}: the secrets have a database in common", names)
            pairs |= {tuple(sorted(names)): None} if apart else {}
        return pairs

    def prior(self, node: Node, in_file: bool) -> list[Fraction]:
        """Read a table; in a file {"table": ...} or, with records, {"product": ...} or
        {"markov": ...}.
        """
        form, width = [*node.of(dict)] if in_file else ["table"], len(self.alphabet)
        known = form == ["table"] or (self.count > 0 and form in (["product"], ["markov"]))
        require(known, "{}: the kernel cannot re-read the form {}", node.where, form)
        inner = node.fields(form[0])[form[0]] if in_file else node
        if form == ["table"]:
            require(
                inner.of(dict).keys() <= self.databases.keys(),
                "{}: a database is unknown",
                node.where,
            )
            found = dict(zip(inner.value, Node([*inner.value.values()], node.where).law()))
            return [found.get(name, Fraction(0)) for name in self.databases]
        part = inner.fields("initial transition") if form == ["markov"] else {"product": inner}
        rows = [entry.law(width) for entry in part.get("transition", inner).entries()]
        height = width if form == ["markov"] else self.count
        require(
            len(rows) == height, "{}: expected {} rows, found {}", node.where, height, len(rows)
        )
        steps, weights = [[row] for row in rows], [Fraction(1)]
        if form == ["markov"]:
            start = (
                stationary(rows)
                if part["initial"].value == "stationary"
                else part["initial"].law(width)
            )
            steps = [[start], *[rows] * (self.count - 1)]
        for table in steps:  # the last value of prefix number i is i modulo the alphabet's size
            factors = [n for row in table for n in row]
            spend(
                len(weights) * width, 768 + max(map(size, weights)), 768 + max(map(size, factors))
            )
            weights = [w * n for i, w in enumerate(weights) for n in table[i % len(table)]]
        return weights

    def mechanism(self, part: dict[str, Node], divide: bool) -> Mechanism:
        outputs, channel = part["outputs"].labels(), part["channel"].children()
        spend(1 + len(self.databases))
        wrong = sorted(({*self.live} - {*channel}) | ({*channel} - {*self.databases}))
        require(
            not wrong, "{}: rows missing or of unknown databases: {}", part["channel"].where, wrong
        )
        return outputs, {x: node.law(len(outputs), divide) for x, node in channel.items()}


def stationary(moves: list[list[Fraction]]) -> list[Fraction]:
    """Solve x M = x, sum(x) = 1 by Gauss-Jordan elimination; the last equation of x M = x
    follows from the others.
    """
    n, zero, one = len(moves), Fraction(0), Fraction(1)
    require(n <= MAX_ALPHABET, "the stationary law is of over {} values", MAX_ALPHABET)
    rows = [[row[i] - (i == j) for j, row in enumerate(moves)] + [zero] for i in range(n - 1)] + [
        [one] * (n + 1)
    ]
    for j in range(n):
        pivot = next((i for i in range(j, n) if rows[i][j] != 0), n)
        require(pivot < n, "the stationary law is not unique")
        spend(n * n, *[768 + 2 * max(size(x) for row in rows for x in row)] * 2)
        rows[pivot], rows[j] = rows[j], [x / rows[pivot][j] for x in rows[pivot]]
        for i in {*range(n)} - {j}:
            rows[i] = [x - rows[i][j] * y for x, y in zip(rows[i], rows[j])]
    return [row[n] for row in rows]


def size(x: Fraction) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()


def scaled(numbers: Iterable[Fraction]) -> tuple[int, list[int]]:
    """Return a common denominator and the numerators over it."""
    unit, fractions = 1, [*numbers]
    for den in {x.denominator for x in fractions}:
        spend(1, unit.bit_length(), den.bit_length())
        unit = lcm(unit, den)
    spend(len(fractions), unit.bit_length(), 768)
    spend(1, unit.bit_length(), sum(map(size, fractions)))
    return unit, [x.numerator * (unit // x.denominator) for x in fractions]


def compare_files(
    space: Framework, channels: list[Mechanism], files: list[Node], divided: list[bool]
) -> None:
    """Refuse unless the framework file and the mechanism files, if any, have the content of the
    certificate.
    """
    for top in files[:1]:
        databases = "records" if "records" in top.of(dict) else "databases"
        theirs = Framework(top.fields(f"format {databases} secrets pairs priors", "closure"))
        parts = ("databases", "secrets", "pairs", "priors", "convex")
        differ = [name for name in parts if getattr(theirs, name) != getattr(space, name)]
        require(not differ, "{}: {} differ from the certificate's", top.where, differ)
    for top, (outputs, rows), divide in zip(files[1:], channels, divided):
        require(
            "channel" in top.of(dict),
            "{}: the kernel cannot re-read the form {}",
            top.where,
            [*top.value],
        )
        found = space.mechanism(top.fields("format outputs channel"), divide)
        require(found[0] == outputs, "{}: outputs differ from the certificate's", top.where)
        differ = [x for x, row in rows.items() if found[1].get(x) != row]
        require(not differ, "{}: rows {} differ from the certificate's", top.where, differ)


def read_file(path: str, digest: str | None, form: str) -> Node:
    """Read a certificate, which is JSON, or one of its input files: CSV, TOML or JSON, with the
    stated SHA-256.
    """
    given, suffix, code = (
        form != "certificate",
        path.rpartition(".")[2].lower(),
        re.fullmatch(r"[\w.]+:[\w.]+", path),
    )
    require(
        not given or (suffix != "npy" and code is None),
        "cannot re-read {}, only JSON, TOML and CSV",
        path,
    )
    most = MAX_BYTES * max(1, WORK.limit // MAX_WORK)
    with open(path, "rb") as file:  # in pieces: never room for more than there is
        pieces = zip(range(1 + most // 2**20), iter(lambda: file.read(2**20), b""))
        data = b"".join(piece for _, piece in pieces)
    fine = len(data) <= most
    require(
        fine,
        "{} has over {} bytes: no more are read with --work {}",
        path,
        most,
        WORK.limit,
        fault=TooLarge,
    )
    spend(1, (4096 if suffix == "toml" else 32) * len(data))
    spend(16 * sum(map(data.count, b"\n,[{")))  # as many as there are values
    found = f"sha256:{hashlib.sha256(data).hexdigest()}"
    require(not given or found == digest, "{} has {}, the certificate says {}", path, found, digest)
    try:
        text = data.decode("utf-8-sig" if given else "utf-8")
        read: Any = dict.fromkeys(
            ("parse_int", "parse_float", "parse_constant"), Numeral
        )  # nothing takes a NaN
        if given and suffix == "csv":
            head, *rows = (
                row
                for row in csv.reader((line + "\n" for line in text.split("\n")), strict=True)
                if row
            )
            table = unique([(x, row) for x, *row in rows])
            value: Any = {
                "format": "pufferproof-mechanism/1",
                "outputs": head[1:],
                "channel": table,
            }
        else:
            if given and suffix == "toml":
                require(not DOTTED.search(text), "{}: a key of over 8 parts", path)
                text = json.dumps(tomllib.loads(text, parse_float=str))
            value = json.loads(text, object_pairs_hook=unique, **read)
    except (ValueError, TypeError, csv.Error, RecursionError) as error:
        fault = (
            Refused if given or isinstance(error, RecursionError) else NotJSON
        )  # nested too deeply
        raise fault(f"cannot be parsed: {error}") from error
    node = Node(value, f"{form} {path}" if given else form)
    require(
        node.of(dict).get("format") == f"pufferproof-{form}/1", "{}: unknown format", node.where
    )
    return node


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(
        len(dict(pairs)) == len(pairs), "a key occurs twice among {}", [key for key, _ in pairs]
    )
    return dict(pairs)


@dataclass(slots=True)
class Node:  # a value in a file, and where it stands, for the refusals
    value: Any
    where: str

    def of(self, kind: type) -> Any:
        """Return the value, which must be of exactly this type: a number is no string, and true
        no number.
        """
        found = type(self.value)
        require(
            found is kind, "{}: expected {}, found {}", self.where, kind.__name__, found.__name__
        )
        return self.value

    def children(self) -> dict[str, Node]:
        return {
            key: Node(value, f"{self.where}.{key[:50]}") for key, value in self.of(dict).items()
        }

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

    def one_of(self, known: Sequence[str]) -> Any:
        spend(1 + len(known) // 2)
        require(
            self.of(str) in known, "{}: expected one of {}, found {}", self.where, known, self.value
        )
        return self.value

    def digest(self) -> Any:
        known = self.value is None or re.fullmatch("sha256:[0-9a-f]{64}", self.of(str))
        require(
            known,
            '{}: expected "sha256:" and 64 hexadecimal digits, found {}',
            self.where,
            self.value,
        )
        return self.value

    def whole(self) -> int:
        require(
            re.fullmatch("[0-9]{1,9}", self.of(Numeral)),
            "{}: {} is not of 1 to 9 digits",
            self.where,
            self.value,
        )
        return int(self.value)

    def number(self) -> Fraction:
        """Read a number of the grammar. Decimal reads texts of any length, which int does not."""
        text = self.value if isinstance(self.value, str) and len(self.value) <= MAX_DIGITS else ""
        found, (above, _, below) = NUMBER.fullmatch(text), text.partition("/")
        bits = 4 * (len(text) + abs(int(found[3][1:] if found and found[3] else 0))) + 1500
        spend(1, bits, bits)
        fine = found and (not below or Decimal(below) > 0)
        require(
            fine,
            "{}: expected a number of at most {} characters, found {}",
            self.where,
            MAX_DIGITS,
            text,
        )
        return Fraction(Decimal(above)) / int(Decimal(below)) if below else Fraction(Decimal(above))

    def law(self, width: int | None = None, divide: bool = False) -> list[Fraction]:
        """Read non-negative numbers that sum to exactly 1, or are to be divided by their
        positive sum.
        """
        numbers = [entry.number() for entry in self.entries()]
        unit, parts = scaled(numbers)
        spend(1 + divide * len(parts), *[unit.bit_length()] * 2)
        total = Fraction(sum(parts), unit)
        require(
            width in (None, len(parts)),
            "{}: expected {} numbers, found {}",
            self.where,
            width,
            len(parts),
        )
        require(all(n >= 0 for n in parts), "{}: a probability is negative", self.where)
        require(total == 1 or (divide and total > 0), "{}: sums to {}, not 1", self.where, total)
        return [number / total for number in numbers] if divide else numbers


def require(condition: object, reason: str, *values: Any, fault: type[Refused] = Refused) -> None:
    if not condition:
        raise fault(reason.format(*map(show, values)))


def show(value: Any) -> str:
    try:
        text = str(value) if isinstance(value, Fraction) else json.dumps(value, default=str)
    except ValueError:  # more digits than Python prints
        return "a very long number"
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text)} characters)"


def say(stream: str, text: str) -> bool:
    """Write a line, and say whether it was written: the stream may be closed, which is None, or
    full.
    """
    try:
        getattr(sys, stream).write(text + "\n")
        getattr(sys, stream).flush()
    except (AttributeError, OSError, ValueError):
        setattr(sys, stream, None)  # or the interpreter would write it again at its end
        return False
    return True


def main(argv: Sequence[str] | None = None, judge: Any = check, usage: str = USAGE) -> int:
    """Run the command line; the result is the exit code."""
    words, work, verdict = [*(sys.argv[1:] if argv is None else argv)], str(MAX_WORK), "accepted"
    answer: dict[str, Any] = {
        "accepted": False,
        "kind": None,
        "statement": None,
        "checked": 0,
        "inputs": "not given",
    }
    answer["reason"], as_json = None, "--json" in words
    try:
        if "--work" in words[:-1]:
            work = words.pop(words.index("--work") + 1)
            words.remove("--work")
        paths = [word for word in words if word != "--json"]
        if (
            not paths
            or any(path.startswith("-") for path in paths)
            or not re.fullmatch("[1-9][0-9]{0,30}", work)
        ):
            raise OSError(f"usage: {usage}")
        answer |= vars(judge(paths[0], paths[1] if paths[1:] else None, paths[2:], int(work))) | {
            "accepted": True
        }
    except MemoryError:
        verdict, answer["reason"] = "no answer", "not enough memory"
    except Exception as error:  # one of the kernel's own, too: it accepts nothing
        verdict = (
            "no answer"
            if isinstance(error, TooLarge)
            else "refused"
            if isinstance(error, Refused)
            else "misuse"
        )
        answer["reason"] = (
            str(error) if isinstance(error, Refused | OSError | NotJSON) else repr(error)
        )
    if verdict != "accepted":
        say("stderr", f"{verdict}: {answer['reason']}")
    code = {"accepted": 0, "refused": 1}.get(verdict, 2)
    text = (
        f"accepted: {answer['statement']}\n{answer['checked']} checked, input files "
        f"{answer['inputs']}"
    )
    if (code == 0 or (code == 1 and as_json)) and not say(
        "stdout", json.dumps(answer) if as_json else text
    ):
        say("stderr", "no answer: it cannot be written to standard output")
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
