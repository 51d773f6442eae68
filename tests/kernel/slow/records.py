"""Noise on queries of the records of Markov chains, by enumeration of all sequences of records."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise, permutations, product
from math import prod
from typing import Any

from flint import arb, fmpq
from tests.kernel.slow.numbers import (
    Level,
    Number,
    Unjudged,
    decided,
    expect,
    integer,
    law,
    more,
    none_of,
    number,
    stationary,
)

SEQUENCES, PLACES = 300, 30_000  # of one person's records; outputs times values of the queries
Vector = tuple[fmpq, ...]  # all numbers that are released, before noise
Law = dict[Vector, fmpq]
Sequence = tuple[int, ...]
Outputs = list[Vector]


class Noise:
    """The density at a distance, over that at 0."""

    def __init__(self, stated: Any) -> None:
        ((self.kind, body),) = stated.items()
        ((name, given),) = body.items()
        names = {"laplace": "scale", "discrete_laplace": "scale"}
        expect(name == (names | {"geometric": "ratio", "gaussian": "sigma"}).get(self.kind))
        top, _, base = str(given).removesuffix(")").partition("/log(")
        self.given, self.base = number(top), number(base) if base else None
        expect(self.given > 0 and (self.base is None or self.base > 1))
        expect(self.base is None or (self.kind in names and str(given).endswith(")")))
        expect(self.kind != "geometric" or self.given < 1)
        self.on_integers = self.kind in ("geometric", "discrete_laplace")

    @property
    def rate(self) -> Number:
        """The nats by which the density falls at a distance of 1."""
        if self.kind == "geometric":
            return -arb(self.given).log()
        return 1 / self.given if self.base is None else arb(self.base).log() / self.given

    def fall(self, distance: fmpq) -> Number:
        if distance == 0:
            return fmpq(1)
        if self.kind == "geometric":
            expect(distance.q == 1)
            return self.given ** int(distance.p)
        if self.kind == "gaussian":
            return (-arb((distance / self.given) ** 2 / 2)).exp()
        power = distance / self.given
        if self.base is not None and power.q == 1 and power.p < 1000:
            return (1 / self.base) ** int(power.p)
        return (-distance * arb(self.rate)).exp()


class Records:
    """The records of people, their secrets, and what is released of them."""

    def __init__(self, certificate: Any, places: int = PLACES) -> None:
        self.places, space = places, certificate["framework"]
        self.count, self.alphabet = (space["records"][key] for key in ("count", "alphabet"))
        self.count, self.people = integer(self.count), integer(space.get("people", 1))
        size = len(self.alphabet)
        expect(size == len({*self.alphabet}) > 1 and self.count > 0 and self.people > 0)
        if self.count > 12 or size**self.count > SEQUENCES or self.people > 6:
            raise Unjudged
        expect(space.get("closure", "list") == "list" or len(space["priors"]) == 1)
        self.every = [*product(range(size), repeat=self.count)]
        self.secrets = {
            name: (integer(each["record"]) - 1, self.alphabet.index(each["value"]))
            for name, each in space["secrets"].items()
        }
        expect(all(0 <= record < self.count for record, _ in self.secrets.values()))
        self.pairs = [*self.read_pairs(space["pairs"])]
        self.priors = space["priors"]
        self.mechanisms, self.noises = certificate["mechanisms"], list[Noise]()
        self.ends = [self.segment(each) for each in self.mechanisms]
        expect(self.mechanisms)
        for each, ends in zip(self.mechanisms, self.ends):
            numbers = self.numbers(each, ends, self.every[0])
            self.noises += [Noise(each["noise"])] * len(numbers)
        expect(len({each.kind for each in self.noises}) == 1)
        whole = [self.released(each) for each in self.every] if self.noises[0].on_integers else []
        expect(all(n.q == 1 for numbers in whole for n in numbers))

    def read_pairs(self, given: Any) -> Iterator[tuple[str, str]]:
        listed = permutations(self.secrets, 2) if given == "disjoint" else given
        for s, t in listed:
            (i, v), (j, u) = self.secrets[s], self.secrets[t]
            apart = i == j and v != u
            expect(apart or given == "disjoint")
            if apart:
                yield s, t
                yield t, s

    def segment(self, mechanism: Any) -> tuple[int, int]:
        first, last = mechanism["segment"] or (1, self.count)
        expect(1 <= integer(first) <= integer(last) <= self.count)
        return integer(first), integer(last)

    def numbers(self, mechanism: Any, ends: tuple[int, int], sequence: Sequence) -> Vector:
        """What the records of one person add to the numbers that a mechanism releases."""
        query, (first, last) = mechanism["query"], ends
        shown = sequence[first - 1 : last]
        if query == "histogram":
            return tuple(fmpq(shown.count(value)) for value in range(len(self.alphabet)))
        if isinstance(query, dict):
            return (fmpq(shown.count(self.alphabet.index(query["count"]))),)
        expect(query in ("sum", "mean"))
        total = sum((number(self.alphabet[value]) for value in shown), fmpq(0))
        return (total / (len(shown) * self.people) if query == "mean" else total,)

    def released(self, sequence: Sequence) -> Vector:
        parts = zip(self.mechanisms, self.ends)
        return tuple(n for each, ends in parts for n in self.numbers(each, ends, sequence))

    # --- laws ---

    def chain(self, prior: Any) -> dict[Sequence, fmpq]:
        """The law of the records of one person: `transitions` has a matrix for every step."""
        given, size = prior["markov"], len(self.alphabet)
        several = given.get("transitions") or [given["transition"]] * max(1, self.count - 1)
        steps = [[law(row, size) for row in rows] for rows in several]
        expect(all(len(rows) == size for rows in steps) and len(given) == 2)
        first = given["initial"]
        start = stationary(steps[0]) if first == "stationary" else law(first, size)
        weights = dict[Sequence, fmpq]()
        for each in self.every:
            moves = zip(steps, pairwise(each))
            weights[each] = start[each[0]] * prod((rows[x][y] for rows, (x, y) in moves), start=fmpq(1))
        return {each: p for each, p in weights.items() if p != 0}

    def laws(self, prior: Any) -> dict[str, Law]:
        """The law of the numbers given each possible secret."""
        chain = self.chain(prior)
        others = {tuple(fmpq(0) for _ in self.noises): fmpq(1)}
        for _ in range(self.people - 1):
            others = added(others, self.of_numbers(chain))
            if len(others) > self.places:
                raise Unjudged
        found = {}
        for secret, (record, value) in self.secrets.items():
            given = {each: p for each, p in chain.items() if each[record] == value}
            if mass := sum(given.values(), fmpq(0)):
                own = self.of_numbers({each: p / mass for each, p in given.items()})
                found[secret] = added(own, others)
        return found

    def of_numbers(self, chain: dict[Sequence, fmpq]) -> Law:
        found: Law = defaultdict(lambda: fmpq(0))
        for each, p in chain.items():
            found[self.released(each)] += p
        return found

    def axes(self) -> list[list[fmpq]]:
        """The values of every number, over the records of all people."""
        one = [sorted({*column}) for column in zip(*map(self.released, self.every))]
        found = one
        for _ in range(self.people - 1):
            found = [sorted({x + y for x in a for y in b}) for a, b in zip(found, one)]
        if prod(map(len, found)) * len({*map(self.released, self.every)}) > self.places:
            raise Unjudged
        return found

    def densities(self, given: Law, axes: list[list[fmpq]]) -> dict[Vector, Number]:
        """The density of every output, up to a factor: one number after the other."""
        now: dict[Any, Number] = {((), vector): p for vector, p in given.items()}
        for axis, noise in zip(axes, self.noises):
            later: dict[Any, Number] = defaultdict(lambda: fmpq(0))
            falls: dict[fmpq, Number] = {}
            for (done, (n, *rest)), p in now.items():
                for w in axis:
                    if (far := abs(w - n)) not in falls:
                        falls[far] = noise.fall(far)
                    later[(*done, w), tuple(rest)] += p * falls[far]
            now = later
        return {done: total for (done, _), total in now.items()}

    def output(self, stated: Any) -> list[list[fmpq]]:
        """An output that a witness names: every release of a segment shows the same."""
        groups = sorted({*self.ends})
        texts = stated if len(groups) > 1 else [stated]
        expect(isinstance(texts, list) and len(texts) == len(groups))
        shown = dict(zip(groups, texts))
        found = list[list[fmpq]]()
        for mechanism, ends in zip(self.mechanisms, self.ends):
            text = shown[ends]
            if mechanism["query"] == "histogram" and len(self.alphabet) == 2:
                length = self.people * (ends[1] - ends[0] + 1)
                found += [[length - number(text)], [number(text)]]
            else:
                found += [[number(each)] for each in (text if isinstance(text, list) else [text])]
        expect(len(found) == len(self.noises))
        return found


def added(one: Law, two: Law) -> Law:
    """The law of the sum of two independent vectors."""
    found: Law = defaultdict(lambda: fmpq(0))
    for (x, p), (y, q) in product(one.items(), two.items()):
        found[tuple(a + b for a, b in zip(x, y))] += p * q
    return dict(found)


def leaks_at_most(certificate: Any) -> bool:
    """No output between the least and the largest numbers is more than R times as likely: along
    each number ratios are largest at values of the query.
    """
    records, level = Records(certificate), Level(certificate["claim"]["level"])
    asked = asked_of(records)
    return decided(lambda: none_of(more(level.sign(a, b)) for a, b in likelihoods(records, asked)))


def asked_of(records: Records) -> list[tuple[Law, Law]]:
    """The laws given both secrets of each pair, under each prior that makes both possible."""
    expect(records.noises[0].kind != "gaussian")
    laws = [records.laws(prior) for prior in records.priors.values()]
    found = [(own[s], own[t]) for own in laws for s, t in records.pairs if own.keys() >= {s, t}]
    expect(found)
    return found


def likelihoods(records: Records, asked: list[tuple[Law, Law]]) -> Iterator[tuple[Number, Number]]:
    """The densities of every output given both secrets, up to a factor."""
    axes, known = records.axes(), dict[int, dict[Vector, Number]]()
    for pair in asked:
        for each in pair:
            if id(each) not in known:
                known[id(each)] = records.densities(each, axes)
        above, below = (known[id(each)] for each in pair)
        yield from ((a, below[w]) for w, a in above.items())


def leaks_more(certificate: Any) -> bool:
    """The output of a witness is more than R times as likely."""
    claim, records = certificate["claim"], Records(certificate)
    laws = records.laws(records.priors[claim["prior"]])
    return shown_by(records, laws, claim)


def shown_by(records: Records, laws: dict[str, Law], claim: Any) -> bool:
    (s, t), level = claim["pair"], Level(claim["exceeds"])
    expect((s, t) in records.pairs and laws.keys() >= {s, t})
    expect(records.noises[0].kind != "gaussian")
    place = records.output(claim["output"])

    def holds() -> bool | None:
        ((a,), (b,)) = (records.densities(laws[x], place).values() for x in (s, t))
        return more(level.sign(a, b))

    return decided(holds)
