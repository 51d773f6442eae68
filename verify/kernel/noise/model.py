"""Chains of records, noisy sums of them, and the files that say so: read for the rules of noise."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd
from typing import NamedTuple, TypeVar

from ..files import input_file
from ..reading import Node, counted, require, scaled, size, spend
from ..space import stationary

MOST_LENGTH = 1_000_000
MOST_BITS, FIRST_BITS = 1 << 14, 32
PARTS = "format kind framework mechanisms inputs claim"


class Chain(NamedTuple):
    start: list[int]  # over unit
    unit: int
    step: list[list[int]]  # over base
    base: int
    stationary: bool


class Noise(NamedTuple):
    """Of all releases together, per step of n: tau = ratio e^-nats, or a normal law."""

    kind: str
    ratio: Fraction
    nats: Fraction
    precision: Fraction  # 1 / variance, 0 unless normal
    releases: int  # numbers that are released


class Query(NamedTuple):
    """What a record of each value adds, the records that count, and the unit of n."""

    adds: list[int]
    first: int
    last: int
    least: Fraction  # of F, over the records of all people
    grain: Fraction
    counts: int = 1  # numbers that are released: of a histogram of more than two values, all

    def added(self, t: int) -> list[int]:
        return self.adds if self.first <= t <= self.last else [0] * len(self.adds)

    def covered(self, first: int, last: int) -> int:
        return max(0, min(last, self.last) - max(first, self.first) + 1)


class Model:
    """The framework and the queries of a certificate, or of its files."""

    def __init__(self, top: dict[str, Node], mechanisms: Sequence[dict[str, Node]]) -> None:
        part = top["records"].fields("count alphabet")
        self.count, self.alphabet = part["count"].whole(), part["alphabet"].labels()
        known = 0 < self.count <= MOST_LENGTH and len(self.alphabet) > 1
        require(known, "records: expected 1 to {} of two values or more", MOST_LENGTH)
        self.people = top["people"].whole() if "people" in top else 1
        require(self.people > 0, "people: expected 1 or more")
        self.place = {value: k for k, value in enumerate(self.alphabet)}
        self.secrets = {name: self.secret(node) for name, node in top["secrets"].children().items()}
        self.pairs = self.read_pairs(top["pairs"])
        self.priors = dict[str, Chain]()
        self.read_priors(top["priors"])
        closure = top["closure"].one_of(["list", "convex"]) if "closure" in top else "list"
        require(closure == "list" or len(self.priors) == 1, "closure: no rule for mixtures")
        require(mechanisms, "mechanisms: expected at least one")
        self.released = [self.query(part) for part in mechanisms]
        found = dict[tuple[int, int], tuple[Query, Noise]]()  # by segment
        for query, noise in self.released:
            ends = query.first, query.last
            alike = ends not in found or found[ends][0] == query
            require(alike, "mechanisms: expected one query, or disjoint segments")
            one_kind = noise.kind == self.released[0][1].kind
            require(one_kind, "mechanisms: expected noise of one kind")
            found[ends] = query, together(found[ends][1], noise) if ends in found else noise
        self.groups = [found[ends] for ends in sorted(found)]
        for (one, _), (two, _) in zip(self.groups, self.groups[1:]):
            require(one.last < two.first, "mechanisms: expected one query, or disjoint segments")
            require(len(self.alphabet) == 2, "no rule for segments of {} values", self.alphabet)
        self.query_, self.noise = self.groups[0]

    def read_priors(self, node: Node) -> None:
        self.priors = {name: self.chain(each) for name, each in node.children().items()}

    @property
    def over(self) -> str:
        """What the adversary may believe, in words."""
        return counted(len(self.priors), "prior")

    def same(self, other: Model) -> bool:
        return vars(self) == vars(other)

    def secret(self, node: Node) -> tuple[int, int]:
        part = node.fields("record value")
        record, value = part["record"].whole(), part["value"].one_of(self.place)
        require(0 < record <= self.count, "{}: no such record", node.where)
        return record, self.place[value]

    def read_pairs(self, node: Node) -> list[tuple[str, str]]:
        if node.value == "disjoint":
            same = dict[int, list[str]]()
            for name in sorted(self.secrets):
                same.setdefault(self.secrets[name][0], []).append(name)
            spend(sum(len(names) ** 2 for names in same.values()))
            two = [pair for names in same.values() for pair in combinations(names, 2)]
            return sorted((s, t) for s, t in two if self.apart(s, t))
        found = dict[tuple[str, str], None]()
        for entry in node.entries():
            names = entry.labels()
            known = len(names) == 2 and {*names} <= self.secrets.keys()
            require(known and self.apart(*names), "pair {}: expected disjoint secrets", names)
            s, t = sorted(names)
            found[s, t] = None
        return sorted(found)

    def apart(self, s: str, t: str) -> bool:
        one, two = self.secrets[s], self.secrets[t]
        return one[0] == two[0] and one[1] != two[1]

    def chain(self, node: Node) -> Chain:
        part = node.fields("markov")["markov"].fields("initial transition")
        width = len(self.alphabet)
        rows = [entry.law(width) for entry in part["transition"].entries(width)]
        fixed = part["initial"].value == "stationary"
        start = stationary(rows) if fixed else part["initial"].law(width)
        base, flat = scaled([x for row in rows for x in row])
        unit, first = scaled(start)
        step = [flat[k : k + width] for k in range(0, len(flat), width)]
        moved = [sum(a * row[y] for a, row in zip(first, step)) for y in range(width)]
        return Chain(first, unit, step, base, moved == [base * a for a in first])

    def query(self, part: dict[str, Node]) -> tuple[Query, Noise]:
        counted = isinstance(part["query"].value, dict)
        kind = "" if counted else part["query"].one_of(["sum", "mean", "histogram"])
        segment = part.get("segment")
        ends = [1, self.count]
        if segment is not None and segment.value is not None:
            ends = [entry.whole() for entry in segment.entries(2)]
        require(1 <= ends[0] <= ends[1] <= self.count, "segment: expected records of the sequence")
        length, numbers = self.people * (ends[1] - ends[0] + 1), len(self.alphabet)
        if counted:
            value = part["query"].fields("count")["count"].one_of(self.place)
            weights = [Fraction(value == each) for each in self.alphabet]
        elif kind == "histogram":
            weights = [Fraction(k) for k in range(numbers)]  # of two values: n and length - n
        else:
            weights = [Node(value, "alphabet").number() for value in self.alphabet]
            weights = [x / length for x in weights] if kind == "mean" else weights
        unit, whole = scaled(weights)
        least, grain = min(whole), gcd(*(x - min(whole) for x in whole)) or unit
        form = [*part["noise"].of(dict)]
        if form in (["geometric"], ["discrete_laplace"]):
            integers = least * length % unit == 0 and grain % unit == 0
            require(integers, "noise: {} needs integers", form)
            grain = unit
        step = Fraction(grain, unit)
        adds = [(x - least) // grain for x in whole]
        noise = noise_of(part["noise"], step)
        first, last = ends
        query = Query(adds, first, last, Fraction(least * length, unit), step)
        if kind == "histogram" and numbers > 2:
            return query._replace(counts=numbers), noise._replace(releases=numbers)
        return query, together(noise, noise) if kind == "histogram" else noise


Some = TypeVar("Some", bound=Model)


def noise_of(node: Node, step: Fraction) -> Noise:
    """Read noise, and what it is per step of n."""
    (kind,) = [*node.of(dict)] if len(node.of(dict)) == 1 else [""]
    one, zero = Fraction(1), Fraction(0)
    names = {"laplace": "scale", "discrete_laplace": "scale", "geometric": "ratio"}
    names |= {"gaussian": "sigma"}
    require(kind in names, "{}: unknown noise", node.where)
    inner = node.fields(kind)[kind].fields(names[kind])[names[kind]]
    text = inner.value if isinstance(inner.value, str) else ""
    if kind.endswith("laplace") and "/log(" in text and text.endswith(")"):
        top, _, ratio = text[:-1].partition("/log(")
        times, r = Node(top, node.where).number(), Node(ratio, node.where).number()
        power = step / times if times > 0 else zero
        whole = r > 1 and power > 0 and power.denominator == 1
        require(whole, "{}: no rule for the scale {}", node.where, text)
        spend(1, int(power) * size(r), int(power) * size(r))
        return Noise(kind, r ** -int(power), zero, zero, 1)
    value = inner.number()
    require(value > 0, "{}: expected a number above 0", inner.where)
    if kind == "geometric":
        require(value < 1, "{}: expected a ratio below 1", inner.where)
        return Noise(kind, value ** int(step), zero, zero, 1)
    if kind == "gaussian":
        return Noise(kind, one, zero, (step / value) ** 2, 1)
    return Noise(kind, one, step / value, zero, 1)


def together(one: Noise, two: Noise) -> Noise:
    """N9: releases of one query are one release with the product of their decays."""
    require(one.kind == two.kind, "mechanisms: expected noise of one kind")
    spend(2, size(one.ratio) + size(one.nats), size(two.ratio) + size(two.nats))
    ratio, nats = one.ratio * two.ratio, one.nats + two.nats
    return Noise(one.kind, ratio, nats, one.precision + two.precision, one.releases + two.releases)


def opened(top: Node, keys: str, paths: Sequence[str], reading: type[Some]) -> tuple[dict[str, Node], Some, str]:
    """Read a certificate, and compare it with the files it was made from."""
    part = top.fields(PARTS)
    claim, inputs = part["claim"].fields(keys), part["inputs"].fields("framework mechanisms")
    space = part["framework"].fields("records secrets pairs priors closure", "people")
    nodes = [node.fields("query segment noise") for node in part["mechanisms"].entries()]
    model = reading(space, nodes)
    hashes = [inputs["framework"].digest()]
    hashes += [node.digest() for node in inputs["mechanisms"].entries(len(nodes))]
    require(len(paths) in (0, len(hashes)), "expected a framework and {} mechanisms", len(nodes))
    forms = ["framework", *["mechanism"] * len(nodes)]
    files = [*map(input_file, paths, hashes, forms)]
    if files:
        theirs = files[0].fields("format records secrets pairs priors", "closure people")
        queries = [file.fields("format query noise", "segment") for file in files[1:]]
        require(model.same(reading(theirs, queries)), "files: their content is another")
    return claim, model, "matched" if files else "not given"


def precision(node: Node) -> int:
    bits = node.whole()
    require(FIRST_BITS <= bits <= MOST_BITS, "bits: expected {} to {}", FIRST_BITS, MOST_BITS)
    return bits


def width_of(node: Node) -> int | None:
    width = None if node.value is None else node.whole()
    require(width is None or width > 0, "width: expected a positive number of records, or null")
    return width


def named(claim: dict[str, Node], model: Model) -> tuple[str, tuple[int, int, int], list[str]]:
    prior, pair = claim["prior"].one_of(model.priors), claim["pair"].labels()
    known = len(pair) == 2 and tuple(sorted(pair)) in model.pairs
    require(known, "pair: {} is not one of the framework", pair)
    (record, v), (_, u) = (model.secrets[name] for name in pair)
    return prior, (record, v, u), pair


def about(model: Model) -> str:
    noise, numbers = model.noise, sum(noise.releases for _, noise in model.groups)
    sums = "one sum" if len(model.groups) == 1 else f"sums of {len(model.groups)} segments"
    sums = f"counts of {model.query_.counts} values" if model.query_.counts > 1 else sums
    people = "" if model.people == 1 else f" of each of {model.people} people"
    kind, records = noise.kind.replace("_", " "), counted(model.count, "record")
    pairs = counted(len(model.pairs), "pair")
    return (
        f"{counted(numbers, 'number')} with {kind} noise from {sums} over {records}{people}, "
        f"under {model.over} and for {pairs} of secrets in both orders,"
    )
