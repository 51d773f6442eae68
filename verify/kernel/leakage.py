"""What mechanisms leak, alone and released together, and by how much they exceed a level.

Notation: for a prior, an ordered pair of secrets (s, t) and outputs w,  a = P(w, s), p = P(s),
b = P(w, t), q = P(t),  all up to a positive factor;  R = e^level.  P(w|s) <= R P(w|t)  is
a q <= R p b,  asked whenever p > 0 and q > 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import comb, prod

from .level import Level, Point
from .reading import Accepted, Json, Node, require, scaled, show, size, spend
from .space import Opened, opened

MAX_RELEASES = 100  # mechanisms of a joint release

Where = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]  # priors to mix; pair; outputs
Event = Callable[[Sequence[int]], tuple[int, int]]  # from the column of w to P(w, s) and P(s)


def check(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Check a certificate of one of `RULES`, and the files it was made from if given."""
    rule, keys = RULES[kind]
    whole = opened(top, keys, paths)
    claim = Claim(whole)
    outcome, checked = rule(claim)
    text = "no prior gives both secrets of a pair positive probability"
    require(checked > 0, f"no inequality was checked: {text}")
    statement = f"leakage of mechanisms {claim.order} over {whole.over} is {outcome}{whole.rows}"
    return Accepted(kind, statement, checked, whole.inputs)


EXCEEDED = "{} is exceeded at {}, where a, p, b, q = {}"
NOT_THERE = "not {} at {}, with a, p, b, q = {}"


class Claim:
    """A claim about the joint release of independent mechanisms, or about one released once."""

    def __init__(self, whole: Opened) -> None:
        self.space, self.part, mechanisms = whole.space, whole.claim, whole.mechanisms
        self.outputs = [outputs for outputs, _ in mechanisms]
        self.order = self.releases(len(mechanisms))
        live = self.space.live
        tables = [scaled(chain(*(rows[x] for x in live))) for _, rows in mechanisms]
        bits = [tables[i][0].bit_length() for i in self.order]
        # of a product of entries, and of its last factor
        self.bits = (sum(bits), max(bits) if len(bits) > 1 else 0)
        spend(len(bits), *self.bits)
        self.scale = prod(tables[i][0] for i in self.order)
        self.place = {x: k for k, x in enumerate(live)}
        counts = map(len, self.outputs)
        self.columns = [[t[w::n] for w in range(n)] for n, (_, t) in zip(counts, tables)]
        limited = "delta" in self.part
        self.delta = self.part["delta"].number() if limited else Fraction(0)
        self.up_to = f" up to delta {show(self.delta)}" * limited
        require(0 <= self.delta <= 1, "delta: expected a number from 0 to 1")

    def releases(self, count: int) -> list[int]:
        """Return which mechanism each release is of."""
        joint = "releases" in self.part
        order = [node.whole() for node in self.part["releases"].entries()] if joint else [0]
        require({*order} == {*range(count)}, "expected releases of all {} mechanisms", count)
        few = not joint or 2 <= len(order) <= MAX_RELEASES
        require(few, "expected 2 to {} releases", MAX_RELEASES)
        return order

    def at_most(self) -> tuple[str, int]:
        """Rules leakage-at-most and joint-leakage-at-most."""
        level, checked = Level(self.part["level"]), 0
        for (priors, pair, outputs), one, two in self.sweep():
            mixed = len(priors) > 1
            over = level.exceeded_by_mixture(one, two) if mixed else level.exceeded(one)
            require(not over, EXCEEDED, level.name, (priors, pair, outputs), one)
            checked += 1
        if self.part["attained"].value is None:
            return f"at most {level.name}", checked
        return f"equal to {level.name}, attained at {show(self.attained(level))}", checked

    def attained(self, level: Level) -> list[Json]:
        """Return the place where the claim says that the level is attained, if it is there."""
        keys = "prior pair output" + "s" * ("releases" in self.part)
        spot, point = self.point(self.part["attained"].fields(keys))
        (a, p, b, q), (num, den) = point, level.value.as_integer_ratio()
        equal = level.form == "log" and b > 0 and a * q * den == num * p * b
        text = "{} is not attained at {}, with a, p, b, q = {}"
        require(equal, text, level.name, spot, point)
        return spot

    def delta_at_most(self) -> tuple[str, int]:
        """Rule delta-at-most: for every prior and pair, what exceeds the level adds up to delta."""
        level, total = Level(self.part["level"]), dict[Where, Point]()
        require(not self.space.convex, "there is no rule for delta over mixtures of priors")
        for (priors, pair, _), (a, p, b, q), _ in self.sweep():
            over = level.exceeded(Point(a, p, b, q))
            where: Where = (priors, pair, ())
            sums = total.get(where, Point(0, p, 0, q))
            total[where] = Point(sums.a + a * over, p, sums.b + b * over, q)
        for where, point in total.items():
            over = level.exceeded(point, self.delta)
            require(not over, EXCEEDED, level.name + self.up_to, where, point)
        return f"at most {level.name}{self.up_to}", len(total)

    def witness(self) -> tuple[str, int]:
        """Rules leakage-witness and joint-leakage-witness."""
        (spot, point), bound = self.point(self.part), self.part["exceeds"]
        if bound.value == "inf":
            infinite = point.a > 0 and point.b == 0
            require(infinite, NOT_THERE, "infinite", spot, point)
            return f"infinite, at {show(spot)}", 1
        return self.more(Level(bound), spot, point), 1

    def delta_witness(self) -> tuple[str, int]:
        """Rule delta-witness."""
        spot, point = self.point(self.part)
        return self.more(Level(self.part["level"]), spot, point), 1

    def more(self, level: Level, spot: list[Json], point: Point) -> str:
        """Say that a point exceeds the level and delta, if it does."""
        name = f"more than {level.name}{self.up_to}"
        require(level.exceeded(point, self.delta), NOT_THERE, name, spot, point)
        return f"{name}, at {show(spot)}"

    def sweep(self) -> Iterator[tuple[Where, Point, Point]]:
        """Yield a, p, b, q for all multisets of outputs, ordered pairs, and priors.

        A prior comes twice, and with the closure "convex" every two priors come as well.
        """
        order, priors = sorted(self.order), self.space.priors
        sizes = [(len(outputs), order.count(i)) for i, outputs in enumerate(self.outputs)]
        tuples = prod(comb(k + n - 1, n) for k, n in sizes)
        mixed = comb(len(priors), 2) if self.space.convex else 0
        spend(32 * tuples * max(1, len(self.space.pairs) * (len(priors) + mixed)))  # in both orders
        blends = [*zip(priors), *(combinations(priors, 2) if mixed else ())]
        pairs = [pair for both in self.space.pairs for pair in permutations(both)]
        events = {
            (name, s): self.event(prior, s) for name, prior in priors.items() for s, _ in pairs
        }
        for parts in product(*(combinations_with_replacement(range(k), n) for k, n in sizes)):
            outputs = [*chain(*parts)]
            column = self.column(order, outputs)
            masses = {key: event(column) for key, event in events.items()}
            names = tuple(self.outputs[i][w] for i, w in zip(order, outputs))
            for (s, t), blend in product(pairs, blends):
                one, two = [Point(*masses[k, s], *masses[k, t]) for k in (blend * 2)[:2]]
                if one.p + two.p > 0 and one.q + two.q > 0:
                    yield (blend, (s, t), names), one, two

    def column(self, order: Sequence[int], outputs: Iterable[int]) -> list[int]:
        """Return P(outputs | x) times `scale` for the live x; for delta, summed over outputs."""
        spend(len(order) * (1 + len(self.space.live)), *self.bits)
        columns = (self.columns[i][w] for i, w in zip(order, outputs))
        return [sum(entries) if self.up_to else prod(entries) for entries in zip(*columns)]

    def event(self, prior: dict[str, Fraction], secret: str) -> Event:
        """Return the function from the column of w to P(w, s) and P(s), on one scale per prior."""
        members, bits = self.space.secrets[secret], self.scale.bit_length()
        unit, parts = scaled(prior.values())
        masses = [(self.place[x], mass) for x, mass in zip(prior, parts) if x in members]
        p = self.scale * sum(mass for _, mass in masses)

        def weigh(column: Sequence[int]) -> tuple[int, int]:
            spend(1 + len(masses), bits, unit.bit_length())
            return sum([mass * column[k] for k, mass in masses]), p

        return weigh

    def point(self, part: dict[str, Node]) -> tuple[list[Json], Point]:
        """Return the named prior, ordered pair and outputs, and their a, p, b, q."""
        prior, pair = self.prior(part["prior"]), part["pair"].labels()
        known = tuple(sorted(pair)) in self.space.pairs
        require(known, "pair {} is not a pair of the framework", pair)
        names = part["outputs"].entries() if "outputs" in part else [part["output"]]
        # for delta they are outputs of one mechanism, whose labels are distinct
        order = [0 for _ in part["outputs"].labels()] if self.up_to else self.order
        text = "expected {} outputs, found {}"
        require(len(names) == len(order) > 0, text, len(order) or 1, len(names))
        labels = [name.one_of(self.outputs[i]) for i, name in zip(order, names)]
        outputs = [self.outputs[i].index(label) for i, label in zip(order, labels)]
        columns = ((secret, self.column(order, outputs)) for secret in pair)
        (a, p), (b, q) = (self.event(prior, secret)(column) for secret, column in columns)
        impossible = "a secret of {} has probability 0 under the named prior"
        require(p > 0 and q > 0, impossible, pair)
        return [part["prior"].value, [*pair], [*labels]], Point(a, p, b, q)

    def prior(self, node: Node) -> dict[str, Fraction]:
        """Return a listed prior, or the mixture of listed priors when the closure is convex."""
        mixed, mixture = isinstance(node.value, dict), dict.fromkeys(self.space.live, Fraction(0))
        closed = self.space.convex or not mixed
        require(closed, 'only the closure "convex" contains mixtures of priors')
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
    "delta-at-most": (Claim.delta_at_most, "level delta"),
    "delta-witness": (Claim.delta_witness, "level delta prior pair outputs"),
}
