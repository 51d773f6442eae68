"""What mechanisms leak, alone and released together, and by how much they exceed a level; also of
mechanisms of which only bounds of the probabilities are given.

Notation: for a prior, an ordered pair of secrets (s, t) and outputs w,  a = P(w, s), p = P(s),
b = P(w, t), q = P(t),  all up to a positive factor;  R = e^level.  P(w|s) <= R P(w|t)  is
a q <= R p b,  asked whenever p > 0 and q > 0.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from itertools import chain, combinations, combinations_with_replacement, islice, permutations, product
from math import comb, gcd, prod
from operator import add, mul
from typing import NamedTuple

from .level import Level, Point
from .reading import Accepted, Json, Node, multiple, require, scaled, show, size, spend
from .space import Opened, Row, integers, opened

MAX_RELEASES = 100  # mechanisms of a joint release
BLOCK = 2**27  # bits of the columns that are weighed at once

Labels = tuple[str, ...]
Where = tuple[Labels, Labels, Labels]  # priors to mix; pair; outputs
Masses = Sequence[int]  # P(w, s) of all events that are compared


def check(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Check a certificate of one of `RULES`, and the files it was made from if given."""
    (rule, keys), bounded = RULES[kind], "bounded" in kind
    whole = opened(top, keys, paths, *[("bounds", bounds)] * bounded)
    require(not (bounded and any(whole.divided)), "bounds cannot be divided by their sums")
    claim = Claim(whole, bounded)
    outcome, checked = rule(claim)
    text = "no prior gives both secrets of a pair positive probability"
    require(checked > 0, f"no inequality was checked: {text}")
    statement = f"the leakage of {claim.released} over {whole.space.over} is {outcome}{whole.rows}"
    return Accepted(kind, statement, checked, whole.inputs)


EXCEEDED = "{} is exceeded at {}, where a, p, b, q = {}"
NOT_THERE = "not {} at {}, with a, p, b, q = {}"


class Event(NamedTuple):
    """A secret under a prior: the places and masses of its databases, and P(s)."""

    masses: list[tuple[int, int]]
    p: int
    bits: tuple[int, int]

    def weigh(self, column: Sequence[int], outputs: int = 1) -> int:
        """Return P(w, s) from the column of w, or of outputs that are joined, each in its bytes."""
        spend(outputs * (1 + len(self.masses)), *self.bits)
        return sum([mass * column[k] for k, mass in self.masses])


class Claim:
    """A claim about the joint release of independent mechanisms, or about one released once; of
    `bounded` ones about all that are within the bounds.
    """

    def __init__(self, whole: Opened, bounded: bool) -> None:
        self.space, self.part, mechanisms = whole.space, whole.claim, whole.mechanisms
        self.outputs = [outputs for outputs, _ in mechanisms]
        self.order = self.releases(len(mechanisms))
        live, width = self.space.live, 1 + bounded
        tables = [on_one_scale(width * len(w), [rows[x] for x in live]) for w, rows in mechanisms]
        bits = [tables[i][0].bit_length() for i in self.order]
        # of a product of entries, and of its last factor
        self.bits = (sum(bits), max(bits) if len(bits) > 1 else 0)
        spend(len(bits), *self.bits)
        self.scale = prod(tables[i][0] for i in self.order)
        self.place = {x: k for k, x in enumerate(live)}
        # the columns of bounds from below come first, here those from above
        halves = [[columns[k::width] for k in range(width)] for _, columns in tables]
        self.sides = [[half[k] for half in halves] for k in reversed(range(width))]
        self.bounded = bounded
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

    @property
    def released(self) -> str:
        """The mechanisms of a joint release, which count from 1, in words."""
        within, any_of = " within the bounds" * self.bounded, "any " * self.bounded
        if "releases" not in self.part:
            return f"{any_of or 'the '}mechanism{within}"
        names = ", ".join(str(i + 1) for i in self.order)
        return f"{any_of}mechanisms {names}{within} together"

    def at_most(self) -> tuple[str, int]:
        """Rules leakage-at-most and joint-leakage-at-most, and those of bounds."""
        level, checked = Level(self.part["level"]), 0
        blends = self.blends()
        if self.space.convex:
            spend(32 * self.tuples() * len(self.space.pairs) * len(blends))
        asked = [(blend, *self.asked(blend)) for blend in blends]
        for outputs, above, below in self.masses():
            for blend, alike, count in asked:
                mixed = len(blend) > 1
                if alike and (mixed or level.exceeded(widest(alike, above, below))):
                    for where, one, two in self.points(blend, outputs, above, below):
                        over = level.exceeded_by_mixture(one, two) if mixed else level.exceeded(one)
                        require(not over, EXCEEDED, level.name, where, one)
                checked += count
        if self.bounded or self.part["attained"].value is None:
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
        """Rule delta-at-most, also of bounds: for every prior and pair, what exceeds the level adds
        up to delta.
        """
        level, total = Level(self.part["level"]), dict[Where, Point]()
        require(not self.space.convex, "there is no rule for delta over mixtures of priors")
        places = product(self.masses(), self.blends())
        points = (self.points(blend, *place) for place, blend in places)
        for (priors, pair, _), (a, p, b, q), _ in chain.from_iterable(points):
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

    def blends(self) -> list[Labels]:
        """Return each prior, and with the closure "convex" every two priors."""
        priors = self.space.priors
        return [*zip(priors), *(combinations(priors, 2) if self.space.convex else ())]

    def asked(self, blend: Labels) -> tuple[dict[int, list[int]], int]:
        """Return the places of the events of pairs that are compared, by their P(s), and the number
        of ordered pairs.
        """
        spend(2 * len(self.space.pairs))
        there = {s for s, held in self.space.secrets.items() if self.possible(blend, held)}
        pairs = [*filter(there.issuperset, self.space.pairs)]
        alike = dict[int, list[int]]()
        for key in product(blend, dict.fromkeys(chain.from_iterable(pairs))):
            place, p = self.places[key]
            alike.setdefault(p, []).append(place)
        return alike, 2 * len(pairs)

    def possible(self, blend: Labels, members: frozenset[str]) -> bool:
        return any(not members.isdisjoint(self.space.priors[k]) for k in blend)

    def sizes(self) -> list[tuple[int, int]]:
        """Return for each mechanism its outputs and its releases, of which the order is free."""
        return [(len(outputs), self.order.count(i)) for i, outputs in enumerate(self.outputs)]

    def tuples(self) -> int:
        return prod(comb(k + n - 1, n) for k, n in self.sizes())

    def masses(self) -> Iterator[tuple[Labels, Masses, Masses]]:
        """Yield all multisets of outputs, with P(w, s) for secrets of pairs and priors, twice: with
        bounds what it is at most, and what it is at least.

        Rows of many outputs are weighed as one integer each, in which every output has bytes of
        its own: sums that stay below 256^width do not reach the next output's.
        """
        order, events = sorted(self.order), self.compared
        largest = max([self.scale, *(event.p for event in events)])
        width = max(8, 1 + largest.bit_length() // 8)
        held = width * len(self.sides) * max(1, len(self.place), len(events))
        most = max(1, BLOCK // (8 * held))
        every = product(*(combinations_with_replacement(range(k), n) for k, n in self.sizes()))
        while block := [[*chain(*parts)] for parts in islice(every, most)]:
            sides = list[Iterator[Masses]]()
            for side in range(len(self.sides)):
                each = [self.column(order, w, side) for w in block]
                rows = [joined(column, width) for column in zip(*each)]
                weighed = (event.weigh(rows, len(block)) for event in events)
                sides.append(zip(*[apart(sums, width, len(block)) for sums in weighed]))
            for outputs, above in zip(block, sides[0]):
                labels = tuple(self.outputs[i][w] for i, w in zip(order, outputs))
                yield labels, above, next(sides[1]) if self.bounded else above

    @cached_property
    def paired(self) -> list[str]:
        """The secrets of pairs."""
        return [*dict.fromkeys(chain.from_iterable(self.space.pairs))]

    @cached_property
    def compared(self) -> list[Event]:
        """The events of the secrets of pairs, under each prior."""
        laws = self.space.priors.values()
        spend(8 * self.tuples() * max(1, len(self.paired) * len(laws)))
        return [event for prior in laws for event in self.events(prior, self.paired)]

    @cached_property
    def places(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Where the mass of a prior and a secret stands among all, and P(s)."""
        keys = product(self.space.priors, self.paired)
        return {key: (k, event.p) for k, (key, event) in enumerate(zip(keys, self.compared))}

    def points(self, blend: Labels, w: Labels, above: Masses, below: Masses) -> Iterator[tuple[Where, Point, Point]]:
        """Yield a, p, b, q for all ordered pairs: those of the one prior twice, or of the two."""
        spend(32 * len(self.space.pairs))

        def mass(masses: Masses, prior: str, secret: str) -> tuple[int, int]:
            place, p = self.places[prior, secret]
            return masses[place], p

        for s, t in chain.from_iterable(map(permutations, self.space.pairs)):
            one, two = [Point(*mass(above, k, s), *mass(below, k, t)) for k in (blend * 2)[:2]]
            if one.p + two.p > 0 and one.q + two.q > 0:
                yield (blend, (s, t), w), one, two

    def column(self, order: Sequence[int], outputs: Iterable[int], side: int = 0) -> list[int]:
        """Return P(outputs | x) times `scale` for the live x; for delta, summed over outputs. Of
        bounds what it is at most, and on the other side what it is at least.
        """
        spend(len(order) * (1 + len(self.space.live)), *self.bits)
        columns = (self.sides[side][i][w] for i, w in zip(order, outputs))
        together = add if self.up_to else mul
        return reduce(lambda one, two: [*map(together, one, two)], columns)

    def events(self, prior: dict[str, Fraction], secrets: Iterable[str]) -> Iterator[Event]:
        """Yield for each secret how to weigh columns, and P(s), on one scale per prior."""
        unit, parts = scaled(prior.values())
        weights = dict(zip(prior, parts))
        for secret in secrets:
            members = [x for x in self.space.secrets[secret] if x in weights]
            masses = [(self.place[x], weights[x]) for x in members]
            p = self.scale * sum(mass for _, mass in masses)
            yield Event(masses, p, (self.scale.bit_length(), unit.bit_length()))

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
        column = self.column(order, outputs)
        (a, p), (b, q) = ((event.weigh(column), event.p) for event in self.events(prior, pair))
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


def on_one_scale(width: int, rows: list[Row]) -> tuple[int, list[list[int]]]:
    """Return a common unit of rows, and the columns of their entries over it."""
    unit = multiple(row.unit for row in rows)
    for row in rows:
        spend(width, unit.bit_length(), row.unit.bit_length())
    times = [unit // row.unit for row in rows]
    whole = [[n * scale for n in row.parts] for row, scale in zip(rows, times)]
    return unit, [[parts[w] for parts in whole] for w in range(width)]


def bounds(node: Node, width: int, _: bool) -> Row:
    """Read two bounds of every probability of a law, that from below first."""
    pairs = [entry.entries(2) for entry in node.entries(width)]
    unit, parts = integers(Node([end.value for pair in pairs for end in pair], node.where))
    spend(3 * (1 + len(parts)), *[unit.bit_length()] * 2)
    lower, upper = parts[::2], parts[1::2]
    ordered = all(0 <= low <= high <= unit for low, high in zip(lower, upper))
    require(ordered, "{}: expected bounds from 0 to 1, the lower one first", node.where)
    holds = sum(lower) <= unit <= sum(upper)
    require(holds, "{}: no law is within the bounds: their sums are not around 1", node.where)
    common = gcd(unit, *parts)
    return Row(unit // common, [n // common for n in parts])


def widest(alike: dict[int, list[int]], above: Masses, below: Masses) -> Point:
    """Return the largest a / p and the smallest b / q of events by their P(s): all lie between."""
    (a, p), (b, q) = (0, 1), (1, 0)
    spend(2 * sum(map(len, alike.values())), *[max(alike).bit_length()] * 2)
    for whole, places in alike.items():
        most, least = max(above[k] for k in places), min(below[k] for k in places)
        if most * p >= a * whole:
            a, p = most, whole
        if least * q < b * whole:
            b, q = least, whole
    return Point(a, p, b, q)


def joined(numbers: Sequence[int], width: int) -> int:
    """Return non-negative integers below 256^width as one, each in bytes of its own."""
    if width == 8:
        return int.from_bytes(struct.pack(f"<{len(numbers)}Q", *numbers), "little")
    return int.from_bytes(b"".join(n.to_bytes(width, "little") for n in numbers), "little")


def apart(whole: int, width: int, count: int) -> Sequence[int]:
    data = whole.to_bytes(width * count, "little")
    if width == 8:
        return struct.unpack(f"<{count}Q", data)
    return [int.from_bytes(data[i : i + width], "little") for i in range(0, len(data), width)]


RULES: dict[str, tuple[Callable[[Claim], tuple[str, int]], str]] = {
    "leakage-at-most": (Claim.at_most, "level attained"),
    "leakage-witness": (Claim.witness, "prior pair output exceeds"),
    "joint-leakage-at-most": (Claim.at_most, "releases level attained"),
    "joint-leakage-witness": (Claim.witness, "releases prior pair outputs exceeds"),
    "delta-at-most": (Claim.delta_at_most, "level delta"),
    "bounded-leakage-at-most": (Claim.at_most, "level"),
    "joint-bounded-leakage-at-most": (Claim.at_most, "releases level"),
    "bounded-delta-at-most": (Claim.delta_at_most, "level delta"),
    "delta-witness": (Claim.delta_witness, "level delta prior pair outputs"),
}
