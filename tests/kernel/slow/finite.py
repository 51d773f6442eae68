"""What mechanisms with finitely many outputs leak, by the definitions."""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from math import prod
from typing import Any

from flint import fmpq
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
    positive,
    sign,
)

MOST = 30_000  # likelihoods
SHARES = [fmpq(k, 12) for k in range(1, 12)]  # of one of several priors that are mixed
Prior = dict[str, fmpq]


class Statement:
    """A framework, mechanisms that are released, and one claim."""

    def __init__(self, certificate: Any) -> None:
        space, self.claim = certificate["framework"], certificate["claim"]
        self.databases, self.convex = space["databases"], space["closure"] == "convex"
        expect(len({*self.databases}) == len(self.databases) > 0)
        self.priors = {name: self.law_of(each) for name, each in space["priors"].items()}
        self.secrets = {name: {*held} for name, held in space["secrets"].items()}
        expect(all(held and held <= {*self.databases} for held in self.secrets.values()))
        self.pairs = [*self.read_pairs(space["pairs"])]
        self.outputs = [each["outputs"] for each in certificate["mechanisms"]]
        self.rows = [self.channel(each) for each in certificate["mechanisms"]]
        self.releases = [*map(integer, self.claim.get("releases", [0]))]
        expect({*self.releases} == {*range(len(self.rows))})
        sizes = [len(self.outputs[i]) for i in self.releases]
        if prod(sizes) * len(self.pairs) * len(self.priors) * len(self.databases) > 8 * MOST:
            raise Unjudged

    def law_of(self, given: Any) -> Prior:
        expect(given.keys() <= {*self.databases})
        return dict(zip(given, law([*given.values()])))

    def read_pairs(self, given: Any) -> Iterator[tuple[str, str]]:
        every = combinations(self.secrets, 2) if given == "disjoint" else given
        for s, t in every:
            apart = not self.secrets[s] & self.secrets[t]
            expect(apart or given == "disjoint")
            if apart:
                yield s, t
                yield t, s

    def channel(self, given: Any) -> dict[str, dict[str, fmpq]]:
        outputs, rows = given["outputs"], given["channel"]
        possible = {x for prior in self.priors.values() for x, p in prior.items() if p != 0}
        expect(len({*outputs}) == len(outputs) > 0)
        expect(possible <= rows.keys() <= {*self.databases})
        return {x: dict(zip(outputs, law(row, len(outputs)))) for x, row in rows.items()}

    # --- probabilities ---

    def both(self, prior: Prior, secret: str, shown: tuple[str, ...]) -> tuple[fmpq, fmpq]:
        """P(outputs, secret) and P(secret)."""
        held = {x: p for x, p in prior.items() if p != 0 and x in self.secrets[secret]}
        parts = [self.rows[i] for i in self.releases]
        terms = [p * prod((c[x][w] for c, w in zip(parts, shown)), start=fmpq(1)) for x, p in held.items()]
        return sum(terms, fmpq(0)), sum(held.values(), fmpq(0))

    def least(self, prior: Prior, secret: str, shown: tuple[str, ...]) -> tuple[fmpq, fmpq]:
        """The same, where bounds leave P(outputs, secret) open as little as it can be."""
        return self.both(prior, secret, shown)

    def every_output(self) -> Iterator[tuple[str, ...]]:
        return product(*(self.outputs[i] for i in self.releases))

    def mixture(self, weights: Any) -> Prior:
        shares = dict(zip(weights, law([*weights.values()])))
        expect(self.convex and shares.keys() <= self.priors.keys())
        return mixed([(share, self.priors[name]) for name, share in shares.items()])

    def place(self, stated: Any) -> tuple[fmpq, fmpq]:
        """Likelihoods given both secrets at the place that a claim names."""
        prior, (s, t) = stated["prior"], stated["pair"]
        known = self.priors[prior] if isinstance(prior, str) else self.mixture(prior["mixture"])
        shown = tuple(stated["outputs"] if "outputs" in stated else [stated["output"]])
        expect((s, t) in self.pairs and len(shown) == len(self.releases))
        expect(all(w in self.outputs[i] for i, w in zip(self.releases, shown)))
        (a, p), (b, q) = self.both(known, s, shown), self.both(known, t, shown)
        expect(p != 0 and q != 0)
        return a / p, b / q

    # --- statements ---

    def at_most(self) -> bool:
        level, attained = Level(self.claim["level"]), self.claim.get("attained")
        if attained is not None:
            a, b = self.place(attained)
            expect(level.form == "log" and b != 0 and a == level.value * b)
        expect(self.convex or any(p != 0 and q != 0 for _, p, _, q in self.points()))
        if not decided(lambda: none_of(over(level, *each) for each in self.points())):
            return False
        return not self.convex or decided(lambda: none_of(self.mixtures(level)))

    def points(self) -> Iterator[tuple[fmpq, fmpq, fmpq, fmpq]]:
        for prior, (s, t) in product(self.priors.values(), self.pairs):
            for shown in self.every_output():
                yield *self.both(prior, s, shown), *self.least(prior, t, shown)

    def mixtures(self, level: Level) -> Iterator[bool | None]:
        """Whether a mixture of two priors exceeds the level: a quadratic in the share of one. And
        whether some mixtures of three do.
        """
        for (one, two), (s, t) in product(combinations(self.priors.values(), 2), self.pairs):
            for w in self.every_output():
                (a, p), (b, q) = self.both(one, s, w), self.least(one, t, w)
                (aa, pp), (bb, qq) = self.both(two, s, w), self.least(two, t, w)
                yield exceeded(level, (a, p, b, q), (aa, pp, bb, qq))
        for three in combinations(self.priors.values(), 3):
            for x, y in product(SHARES, repeat=2):
                if x + y < 1:
                    prior = mixed([*zip((x, y, 1 - x - y), three)])
                    for (s, t), w in product(self.pairs, self.every_output()):
                        yield over(level, *self.both(prior, s, w), *self.least(prior, t, w))

    def witness(self) -> bool:
        a, b = self.place(self.claim)
        if self.claim["exceeds"] == "inf":
            return a > 0 == b
        level = Level(self.claim["exceeds"])
        return decided(lambda: more(level.sign(a, b)))

    def delta_at_most(self) -> bool:
        level, delta = Level(self.claim["level"]), number(self.claim["delta"])
        expect(0 <= delta <= 1 and not self.convex and len(self.rows) == 1)
        whole = [*product(self.priors.values(), self.pairs)]
        ends = [(self.both(p, s, w), self.both(p, t, w)) for p, (s, t) in whole for w in self.every_output()]
        expect(any(a[1] != 0 and b[1] != 0 for a, b in ends))
        return decided(lambda: none_of(self.above(*each, level, delta) for each in whole))

    def above(self, prior: Prior, pair: tuple[str, str], level: Level, delta: fmpq) -> bool | None:
        """Whether delta is more than so much."""
        total: Number = fmpq(0)
        for shown in self.every_output():
            (a, p), (b, q) = (self.both(prior, secret, shown) for secret in pair)
            if p == 0 or q == 0:
                return False
            total += positive(level.excess(a / p, b / q))
        return more(sign(total - delta))

    def delta_witness(self) -> bool:
        level, delta, shown = (Level(self.claim["level"]), number(self.claim["delta"]), self.claim["outputs"])
        expect(0 <= delta <= 1 and len({*shown}) == len(shown) > 0)
        both = [self.place(self.claim | {"outputs": [w]}) for w in shown]
        a, b = (sum(side, fmpq(0)) for side in zip(*both))
        return decided(lambda: more(sign(level.excess(a - delta, b))))


class Bounded(Statement):
    """The same of every law within bounds. Given x a set of outputs has at most

        min(sum of their U, 1 - sum of the others' L),

    which some law within the bounds reaches, and at least max(sum of L, 1 - sum of the others' U).
    Laws given the databases of two disjoint secrets are chosen one by one.
    """

    def channel(self, given: Any) -> dict[str, dict[str, fmpq]]:
        outputs, rows = given["outputs"], given["bounds"]
        possible = {x for prior in self.priors.values() for x, p in prior.items() if p != 0}
        expect(len({*outputs}) == len(outputs) > 0)
        expect(possible <= rows.keys() <= {*self.databases})
        return {x: dict(zip(outputs, self.ends(row, len(outputs)))) for x, row in rows.items()}

    def ends(self, row: Any, count: int) -> list[tuple[fmpq, fmpq]]:
        ends = [(number(low), number(high)) for low, high in row]
        expect(len(ends) == count and all(0 <= low <= high <= 1 for low, high in ends))
        expect(sum(low for low, _ in ends) <= 1 <= sum(high for _, high in ends))
        return ends

    def extreme(self, x: str, release: int, shown: set[str], side: int) -> fmpq:
        """The least or the largest probability of a set of outputs of one release."""
        row = self.rows[release][x]
        inside = sum((row[w][side] for w in shown), fmpq(0))
        outside = 1 - sum((ends[1 - side] for w, ends in row.items() if w not in shown), fmpq(0))
        return min(inside, outside) if side else max(inside, outside)

    def mean(self, prior: Prior, secret: str, shown: Any, side: int) -> tuple[fmpq, fmpq]:
        held = {x: p for x, p in prior.items() if p != 0 and x in self.secrets[secret]}
        terms = [p * prod((self.extreme(x, *each, side) for each in shown), start=fmpq(1)) for x, p in held.items()]
        return sum(terms, fmpq(0)), sum(held.values(), fmpq(0))

    def both(self, prior: Prior, secret: str, shown: tuple[str, ...]) -> tuple[fmpq, fmpq]:
        return self.mean(prior, secret, [(i, {w}) for i, w in zip(self.releases, shown)], 1)

    def least(self, prior: Prior, secret: str, shown: tuple[str, ...]) -> tuple[fmpq, fmpq]:
        return self.mean(prior, secret, [(i, {w}) for i, w in zip(self.releases, shown)], 0)

    def above(self, prior: Prior, pair: tuple[str, str], level: Level, delta: fmpq) -> bool | None:
        """Whether a set of outputs has more than delta beyond the level under some law."""
        (outputs,), (s, t) = self.outputs, pair
        answers = []
        for chosen in product((False, True), repeat=len(outputs)):
            shown = [(0, {w for w, taken in zip(outputs, chosen) if taken})]
            (a, p), (b, q) = self.mean(prior, s, shown, 1), self.mean(prior, t, shown, 0)
            if p == 0 or q == 0:
                return False
            answers.append(more(sign(level.excess(a / p, b / q) - delta)))
        return True if True in answers else None if None in answers else False


def over(level: Level, a: fmpq, p: fmpq, b: fmpq, q: fmpq) -> bool | None:
    return False if p == 0 or q == 0 else more(level.sign(a * q, b * p))


def exceeded(level: Level, one: tuple[fmpq, ...], two: tuple[fmpq, ...]) -> bool | None:
    """Whether A Q > R P B at some share x of the first and 1 - x of the second prior."""

    def at(x: Number) -> Number:
        a, p, b, q = (x * y + (1 - x) * z for y, z in zip(one, two))
        return level.excess(a * q, p * b)

    first, last = at(fmpq(1)), at(fmpq(0))
    bend = 2 * (first + last) - 4 * at(fmpq(1, 2))  # the coefficient of x^2
    if sign(bend) is None:
        return None
    if bend < 0:
        top = -(first - last - bend) / (2 * bend)
        if top > 0 and top < 1:
            return more(sign(at(top)))
    signs = [sign(first), sign(last)]
    return True if 1 in signs else None if None in signs else False


def mixed(parts: list[tuple[fmpq, Prior]]) -> Prior:
    found: Prior = {}
    for share, prior in parts:
        for x, p in prior.items():
            found[x] = found.get(x, fmpq(0)) + share * p
    return found


FINITE: dict[str, Callable[[Any], bool]] = {
    "leakage-at-most": lambda each: Statement(each).at_most(),
    "leakage-witness": lambda each: Statement(each).witness(),
    "joint-leakage-at-most": lambda each: Statement(each).at_most(),
    "joint-leakage-witness": lambda each: Statement(each).witness(),
    "delta-at-most": lambda each: Statement(each).delta_at_most(),
    "delta-witness": lambda each: Statement(each).delta_witness(),
    "bounded-leakage-at-most": lambda each: Bounded(each).at_most(),
    "joint-bounded-leakage-at-most": lambda each: Bounded(each).at_most(),
    "bounded-delta-at-most": lambda each: Bounded(each).delta_at_most(),
}
