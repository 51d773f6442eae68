"""Check a certificate of redaction designs, trusting this file, `kernel_redaction.py` and
`kernel.py` beside it, and Python.

A certificate carries a stationary binary chain, one private record, a level, and mechanisms: what
each leaks and releases, and a bound of what any mechanism of its class releases within the level;
see `CERTIFICATES.md`. Leakages, utilities, regions and bounds are derived again from the chain,
with integers that are exact or rounded outward. There is no search and no solver.

    python verify/kernel_designs.py [--json] [--work N] CERTIFICATE

Exit codes: 0 accepted; 1 refused; 2 no answer (misuse, too much work, a statement that cannot be
written): see `kernel.py`. Notation: that of `kernel_redaction.py`; the influence of a value at a
distance is the larger of its slope and the inverse.
"""

from __future__ import annotations

import importlib.util
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, count, islice, pairwise, product, repeat
from math import ceil, floor, prod
from pathlib import Path
from typing import Any

MAX_CENTRAL, MAX_DESIGNS = 10, 20  # records of a chain that is enumerated; designs of a certificate

Slope = tuple[int, int]
Both = tuple[Slope, Slope]
Row = tuple[int, int, int]
Lines = list[tuple[int, int]]
FINEST, GRAIN, UNIT = (
    33,
    1 << 96,
    1 << 160,
)  # bits of how close points are; units of points, and of lower bounds
RELEASED: Row = (1, 0, 0)
NOTHING: Both = ((1, 1), (1, 1))  # bounds of the slope of what is not shown


def load_beside() -> Any:
    """Return `kernel_redaction.py` from the folder of this file, as a module of its own."""
    place = Path(__file__).with_name("kernel_redaction.py")
    spec = importlib.util.spec_from_file_location("kernel_beside_designs", place)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


redaction = load_beside()
kernel, REDACTED = redaction.kernel, redaction.REDACTED
Refused, NotJSON, require, show = kernel.Refused, kernel.NotJSON, kernel.require, kernel.show
MAX_WORK, WORK, spend = kernel.MAX_WORK, kernel.WORK, kernel.spend
exceeds, reaches, extreme, times, over = (
    getattr(redaction, name) for name in ("exceeds", "reaches", "extreme", "times", "over")
)


def check(
    certificate: str, framework: str | None = None, mechanisms: Sequence[str] = (), work: int = 0
) -> Any:
    """Check a certificate. Raises `Refused`, `NotJSON` or `OSError`."""
    WORK.begin(work or MAX_WORK)
    part = kernel.read_file(certificate, None, "certificate").fields(
        "format kind chain private claim"
    )
    kind = part["kind"].one_of([*RULES])
    require(
        framework is None and not mechanisms,
        "the kind {} speaks of no files, but some are given",
        kind,
    )
    chain = redaction.Chain(part["chain"], part["private"])
    require(chain.stationary, "initial: designs are of stationary chains")
    claim = part["claim"].fields("level designs")
    level, nodes = kernel.Level(claim["level"]), claim["designs"].entries()
    require(0 < len(nodes) <= MAX_DESIGNS, "designs: expected from 1 to {}", MAX_DESIGNS)
    found = "; ".join([design(chain, level, node) for node in nodes])
    statement = f"about {chain.name()}, within {level.name}: {found}"
    return kernel.Accepted(kind, statement, len(nodes) * chain.length, "not given")


def design(chain: Any, level: Any, node: Any) -> str:
    """Check what one mechanism leaks and releases, and what no mechanism of its class can
    exceed.
    """
    part = node.fields("name precision redaction leakage utility proof")
    numbers = redaction.Arithmetic(part["precision"])
    name, utility = part["name"].one_of([*CLASSES]), part["utility"].fields("lower upper")
    rows: list[Row] = []
    if name == "central-lp":
        above, released = central(chain, part["redaction"])
        below = above
    else:
        rows, none = redaction.profile(part["redaction"], chain.length), [None] * chain.length
        below, above = (numbers.total(chain, rows, none, wide) for wide in (False, True))
        released = expected(chain, rows)
    require(not exceeds(level, above), "{} may leak more than {}", name, level.name)
    bounds = [entry.number() for entry in part["leakage"].entries()]
    require(len(bounds) == 2, "{}: expected two bounds of e^leakage", part["leakage"].where)
    low, high = (bound.as_integer_ratio() for bound in bounds)
    fine = below[0] * low[1] >= low[0] * below[1] and above[0] * high[1] <= high[0] * above[1]
    require(fine, "{}: e^leakage is not shown to be from {} to {}", name, *bounds)
    require(released == utility["lower"].number(), "{}: the utility is {}", name, released)
    leaks = " to ".join(f"log({show(bound)})" for bound in dict.fromkeys(bounds))
    text = f"the mechanism given as {name} has leakage {leaks} and utility {show(released)}"
    if utility["upper"].value is None:
        require(part["proof"].value is None, "{}: a proof of nothing", part["proof"].where)
        return f"{text}, not claimed to be the best"
    most, (rule, words) = utility["upper"].number(), CLASSES[name]
    require(rule is not None, "{}: there is no rule for an upper bound", name)
    require(released <= most, "{}: the upper bound is below the utility", name)
    rule(Design(chain, rows, numbers, level, most * chain.length, part["proof"]))
    return f"{text}, and no {words} has more than {show(most)}"


def expected(chain: Any, rows: list[Row]) -> Fraction:
    """Return the expected fraction of released records of a stationary chain."""
    counts: dict[Row, int] = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    for row in counts:
        spend_product(size(chain.alpha) + size(chain.beta) + 2 * row[0].bit_length())
    redacted = [
        Fraction(n, unit) * (chain.beta * zero + chain.alpha * one)
        for (unit, zero, one), n in counts.items()
    ]
    share: Fraction = added(redacted) / (chain.alpha + chain.beta) / chain.length
    return 1 - share


def added(values: Iterable[Fraction]) -> Fraction:
    """Return a sum, and refuse where its denominator grows long over and over."""
    total = Fraction(0)
    for value in values:
        spend_product(size(total) + size(value))
        total += value
    return total


def spend_product(bits: int) -> None:
    """Count a product, a sum, a common factor or a comparison of two fractions that have so
    many bits together.
    """
    spend(1, 768 + bits, 768 + bits)


def size(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


class Design:
    """A mechanism within a level, and what no mechanism of its class is to exceed; values are
    exchanged if alpha > beta.
    """

    def __init__(
        self, chain: Any, rows: list[Row], numbers: Any, level: Any, most: Fraction, proof: Any
    ) -> None:
        turned = chain.alpha > chain.beta
        self.given, self.chain, self.numbers, self.level = (
            chain,
            chain.turned() if turned else chain,
            numbers,
            level,
        )
        self.rows = [(unit, one, zero) for unit, zero, one in rows] if turned else rows
        self.falls = (
            chain.alpha + chain.beta > 1
        )  # the map of slopes, as the eigenvalue is negative
        self.most, self.proof = most, proof  # released records; the numbers that show it
        self.power = 1 if chain.private in (1, chain.length) else 2  # of e^budget that is e^level
        self.slopes: list[
            tuple[Both, Both]
        ] = []  # bounds of those of values 0 and 1, at distance 1, 2, ..
        self.first = self.small = 0  # the least distances of the medium and of the small region

    def windows(self) -> None:
        """Class data-independent: every window that redacts fewer records leaks more than the
        level.
        """
        require(self.proof.value is None, "data-independent: the proof needs no numbers")
        require(
            all(zero == one for _, zero, one in self.rows),
            "data-independent: some r_t(0) is not r_t(1)",
        )
        p, n = self.chain.private, self.chain.length
        sums = n - int(
            self.most
        )  # at most this are the nearest released distances together, if more are released
        slopes = [(NOTHING, NOTHING), *islice(self.values(), max(0, min(sums, n) - 1))]
        for left in range(max(1, sums - (n - p + 1)), min(p, sums - 1) + 1):
            pairs = product(slopes[left % p], slopes[(sums - left) % (n - p + 1)])
            bounds = (extreme((times(one[1], two[1]), times(one[0], two[0]))) for one, two in pairs)
            fine = any(exceeds(self.level, bound) for bound in bounds)
            require(fine, "data-independent: distances {} and {} may do", left, sums - left)

    def values(self) -> Iterator[tuple[Both, Both]]:
        """Yield bounds of the slopes at distance 1, 2, .. of a record with value 0, and with
        value 1.
        """
        zero: Both = ((1, 0), (1, 0))
        one: Both = ((0, 1), (0, 1))
        forth = self.chain.forth
        while True:
            zero, one = (self.numbers.moved(forth, both, True) for both in (zero, one))
            yield zero, one

    def keeps(self, ratio: Slope) -> bool:
        """Decide ratio <= e^budget for the budget of a side."""
        spend_product(ratio[0].bit_length() + ratio[1].bit_length())
        return not exceeds(self.level, (ratio[0] ** self.power, ratio[1] ** self.power))

    def reached(self, ratio: Slope) -> bool:
        """Decide ratio >= e^budget for the budget of a side."""
        spend_product(ratio[0].bit_length() + ratio[1].bit_length())
        return bool(reaches(self.level, (ratio[0] ** self.power, ratio[1] ** self.power)))

    def within(self, both: Both) -> bool:
        """Decide whether the influence of a slope between these bounds is within the budget of
        a side.
        """
        if self.keeps(extreme(both)):
            return True
        require(not self.keeps(extreme(both[::-1])), "undecided: the precision is too low")
        return False

    def regions(self) -> None:
        """Find the regions: medium from the first common value within the budget on, small
        where both values are.
        """
        longest = max(self.chain.private - 1, self.chain.length - self.chain.private)
        self.first = self.small = longest + 1
        for distance, pair in enumerate(islice(self.values(), longest), 1):
            self.slopes.append(pair)
            common, rare = map(self.within, pair)
            self.first = min(self.first, distance) if common else self.first
            require(
                common == (self.first <= distance),
                "the regions at distance {} are no intervals",
                distance,
            )
            if common and rare:  # and so beyond, where less is learnt
                self.small = distance
                break

    def sides(self) -> Iterator[tuple[list[Row], int, list[Fraction], Any]]:
        """Yield for the left and the right of p: its rows, nearest first, how many are not
        small, q, and its proof.
        """
        self.regions()
        p, proofs = self.chain.private, self.proof.fields("left right")
        for rows, proof in (
            (self.rows[: p - 1][::-1], proofs["left"]),
            (self.rows[p:], proofs["right"]),
        ):
            first, near = (min(distance - 1, len(rows)) for distance in (self.first, self.small))
            medium = rows[first:near]
            fine = all(row == REDACTED for row in rows[:first]) and all(
                row == RELEASED for row in rows[near:]
            )
            fine = fine and all(one == unit for unit, _, one in medium)
            require(fine, "the mechanism does not follow the regions")
            yield rows, near, [Fraction(zero, unit) for unit, zero, _ in medium], proof

    def not_above(self, sides: Sequence[tuple[int, int, Fraction]]) -> None:
        """Check the bound for both sides: how many are released and medium, and what the q add
        up to at least.
        """
        common = self.chain.beta / (self.chain.alpha + self.chain.beta)
        total = sum(
            (released + (medium - least) * common for released, medium, least in sides), Fraction(0)
        )
        require(total <= self.most, "up to {} released records are not excluded", total)

    def relaxed(self) -> None:
        """Class 3r-relaxed: q keeps the published constraints, and y shows how small a sum of
        such q can be.
        """
        found = []
        for rows, near, q, proof in self.sides():
            y = [
                number
                for times_, (number,) in redaction.runs(proof, 1, len(q))
                for number in [number] * times_
            ]
            chosen, bound = (1, 1), (1, 1)
            for distance, above, below, then in zip(
                count(near - len(q) + 2), q, y, [*y[1:], Fraction(0)]
            ):
                delta = (
                    self.slopes[distance - 1][distance > near] if distance <= len(rows) else NOTHING
                )
                chosen = self.numbers.short(times(chosen, above.as_integer_ratio()), False)
                require(
                    self.keeps(over(extreme(delta), chosen)),
                    "the constraint before distance {} is broken",
                    distance,
                )
                bound = self.numbers.short(times(bound, below.as_integer_ratio()), True)
                require(below >= then >= 0, "{}: the numbers grow or are negative", proof.where)
                fine = below == then or self.reached(over(extreme(delta[::-1]), bound))
                require(
                    fine, "{}: the product before distance {} is too large", proof.where, distance
                )
            found.append((len(rows) - near, len(q), added(y)))
        self.not_above(found)

    def constant(self) -> None:
        """Class 3r-constant: each side has one q, and the proof has for each a q below which it
        leaks too much.
        """
        found = []
        for rows, near, q, proof in self.sides():
            require(len({*q}) < 2, "q is not constant")
            require(self.keeps(extreme(self.side(rows, True))), "a side leaks more than its budget")
            found.append(
                (len(rows) - near, len(q), len(q) * self.too_small(rows, near, len(q), proof))
            )
        self.not_above(found)

    def exact(self) -> None:
        """Class 3r-exact: as 3r-constant for a side with at most one medium record, else a
        chain of lower bounds.
        """
        found = []
        for rows, near, q, proof in self.sides():
            require(self.keeps(extreme(self.side(rows, True))), "a side leaks more than its budget")
            if len(q) < 2:
                least = self.too_small(rows, near, len(q), proof) * len(q)
            else:
                least = self.chained(near - len(q) + 1, len(rows) > near, q, proof)
            found.append((len(rows) - near, len(q), least))
        self.not_above(found)

    def chained(self, first: int, shown: bool, q: list[Fraction], proof: Any) -> Fraction:
        """Return a lower bound of the sum of q, the least slope of the first medium record
        being at least that of the proof.
        """
        require(not self.falls, "there is no rule for two medium records and a negative eigenvalue")
        least: Fraction = proof.number()
        require(0 <= least < 1, "{}: expected a slope from 0 to 1", proof.where)
        both: Both = (least.as_integer_ratio(), least.as_integer_ratio())
        forth = self.chain.forth
        for _ in range(first):
            both = self.numbers.moved(forth, both, True)
        require(self.reached(both[1][::-1]), "{}: the slope may be below {}", proof.where, least)
        bound = Bound(self.chain.alpha, self.chain.beta)
        end = bound.g(Fraction(0)) if shown else Fraction(1)
        bottoms = [*accumulate(q[1:], lambda s, _: bound.back(s), initial=least)]
        center, top = q[-1] * end, end  # of the slope at the last medium record
        lines, reach = [(floor(UNIT / end), 0)] * 2, [end]
        for now, bottom in zip(q[-2::-1], bottoms[::-1]):
            lines, reach = bound.lines(bound.grid(bottom, center, top), lines, reach)
            center, top = now * bound.g(center), coarse(bound.g(top))
        return Fraction(bound.least(lines, least), UNIT)

    def too_small(self, rows: list[Row], near: int, size: int, proof: Any) -> Fraction:
        """Check that a side does not keep its budget for any q below the one of the proof, and
        return that.
        """
        least: Fraction = proof.number()
        require(
            size < 2 or not self.falls,
            "there is no rule for two medium records and a negative eigenvalue",
        )
        if least != 0:
            lowered = [
                *rows[: near - size],
                *[redaction.row_of(least, Fraction(1))] * size,
                *rows[near:],
            ]
            low, high = self.side(lowered, False)
            reached = self.reached(high if self.falls and near % 2 else low[::-1])
            require(reached, "{}: q may be below {}", proof.where, least)
        return least

    def side(self, rows: list[Row], wide: bool) -> Both:
        """Return bounds of the extreme slopes that one side, its rows given nearest first,
        shows of p.
        """
        both: Both = self.numbers.side(rows[::-1], self.chain.forth, (1, 1), repeat(None), wide)
        return both

    def anything(self) -> None:
        """Class of all redaction mechanisms of a short chain: prices of sequences that pay for
        what two of them can share.
        """
        part = self.proof.fields("ratio prices")
        e, n, p = part["ratio"].number(), self.given.length, self.given.private
        law, mass = (
            sequences(self.given),
            [Fraction(k, sum(self.given.initial)) for k in self.given.initial],
        )
        require(reaches(self.level, e.as_integer_ratio()), "ratio: {} is below e^level", e)
        prices = {x: node.number() for x, node in part["prices"].children().items()}
        require({*prices} == {*law}, "prices: expected one for every sequence of {} values", n)
        for (x, s), (z, t) in product(
            *([item for item in prices.items() if item[0][p - 1] == value] for value in "01")
        ):
            spend_product(size(s) + size(t) + size(e) + size(mass[0]) + size(mass[1]))
            shared = sum(map(str.__eq__, x, z))
            fine = e * s + t >= shared * (mass[0] * e + mass[1]) and s + e * t >= shared * (
                mass[0] + mass[1] * e
            )
            require(
                fine, "prices: those of {} and {} do not pay for {} shared records", x, z, shared
            )
        total = added((weight / mass[int(x[p - 1])] * prices[x] for x, weight in law.items()))
        require(total <= self.most, "up to {} released records are not excluded", total)


class Bound:
    """Lower bounds of the sum of q from one medium record on, as functions of the least slope
    there.

    q_k = s_k f(s_(k+1)) with f = 1 / g, which falls and is convex: above tangents. V_k(s) is the
    least s f(s') + V_(k+1)(s') over s' with g(s') >= s. Bounded below by lines on every interval of
    s', it is on an interval of s above the least of the lines that are possible there, hence above
    its chord; and tangent and chord together are least at an end of an interval.
    """

    def __init__(self, alpha: Fraction, beta: Fraction) -> None:
        self.alpha, self.beta = alpha, beta

    def g(self, s: Fraction) -> Fraction:
        """Return the slope s moved by one record."""
        spend_product(size(self.alpha) + size(self.beta) + size(s))
        return ((1 - self.alpha) * s + self.alpha) / (self.beta * s + 1 - self.beta)

    def back(self, s: Fraction) -> Fraction:
        """Return at most the slope of 0 or more that is moved to s by one record, if there is
        one, else 0; s < 1.
        """
        return coarse(
            max(Fraction(0), (s * (1 - self.beta) - self.alpha) / (1 - self.alpha - self.beta * s)),
            floor,
        )

    def grid(self, bottom: Fraction, center: Fraction, top: Fraction) -> list[Fraction]:
        """Return points from the bottom to the top, close to each other near the center."""
        require(bottom < top, "the slopes of a medium record have no room")
        offsets = [top * Fraction(5**i, 4**i << FINEST) for i in range(4 * FINEST)]
        near = (
            coarse(center + sign * offset) for offset in [Fraction(0), *offsets] for sign in (1, -1)
        )
        return sorted({bottom, top, *(min(max(x, bottom), top) for x in near)})

    def lines(
        self, points: list[Fraction], beyond: Lines, reach: list[Fraction]
    ) -> tuple[Lines, list[Fraction]]:
        """Return for each interval two lines (t, w), one of which is below x f(s) + V(s) for all s
        in it, and the largest x.

        These are for the slope x of the next record, x <= g(s) as q <= 1; `beyond` and `reach` are
        those for this record.
        """
        found: Lines = []
        for x, y in pairwise(points):
            possible = beyond[2 * bisect_left(reach, x) :]
            middle = (x + y) / 2
            below = (1 - self.alpha) * middle + self.alpha
            slope, value = (self.alpha + self.beta - 1) / below**2, 1 / self.g(middle)
            for end in (x, y):
                found.append(
                    (floor((value + slope * (end - middle)) * UNIT), self.least(possible, end))
                )
        return found, [self.g(y) for y in points[1:]]

    def least(self, lines: Lines, s: Fraction) -> int:
        """Return the least s t + w over the lines."""
        spend(1 + len(lines), UNIT.bit_length(), size(s))
        a, b = s.as_integer_ratio()
        return min([a * t + b * w for t, w in lines]) // b


def coarse(value: Fraction, rounded: Any = ceil) -> Fraction:
    """Return a short fraction that is close to a value, not below it or, rounded by `floor`,
    not above it.
    """
    return Fraction(rounded(value * GRAIN), GRAIN)


def sequences(chain: Any) -> dict[str, Fraction]:
    """Return the law of all sequences of values of a stationary chain that is short enough to
    enumerate.
    """
    require(
        chain.length <= MAX_CENTRAL,
        "too large: a chain of over {} records is not enumerated",
        MAX_CENTRAL,
    )
    spend_product((size(chain.alpha) + size(chain.beta)) << chain.length)
    steps = {"00": 1 - chain.alpha, "01": chain.alpha, "10": chain.beta, "11": 1 - chain.beta}
    start = [Fraction(n, sum(chain.initial)) for n in chain.initial]
    words = ("".join(values) for values in product("01", repeat=chain.length))
    return {x: prod((steps[a + b] for a, b in pairwise(x)), start=start[int(x[0])]) for x in words}


def central(chain: Any, node: Any) -> tuple[Slope, Fraction]:
    """Return e^leakage and the utility of a mechanism that sees all records, {sequence:
    {output: probability}}.
    """
    law, rows, released = sequences(chain), node.children(), Fraction(0)
    require({*rows} == {*law}, "{}: expected all sequences of {} values", node.where, chain.length)
    likelihoods: dict[str, list[Fraction]] = {}
    for x, row in rows.items():
        outputs, z = row.children(), int(x[chain.private - 1])
        for y, weight in zip(outputs, kernel.Node([*row.value.values()], row.where).law()):
            fine = len(y) == len(x) and all(symbol in ("*", value) for symbol, value in zip(y, x))
            require(fine, "{}: {} shows something else", row.where, y)
            pair = likelihoods.setdefault(y, [Fraction(0), Fraction(0)])
            pair[z] = added((pair[z], law[x] * weight / chain.initial[z]))
            released = added((released, law[x] * weight * (len(y) - y.count("*"))))
    worst: Slope = (1, 1)
    for pair in likelihoods.values():
        u, v = kernel.scaled(pair)[1]
        ratio = extreme(((u, v), (u, v))) if u or v else worst
        worst = ratio if ratio[0] * worst[1] > worst[0] * ratio[1] else worst
    return worst, released / chain.length


ANY = "redaction mechanism, even one that sees all records,"
CLASSES: dict[str, tuple[Any, str]] = {
    "data-independent": (Design.windows, "mechanism that redacts each record whatever its value"),
    "quilt": (None, ""),
    "3r-relaxed": (
        Design.relaxed,
        "3R mechanism of equal budgets within the published constraints",
    ),
    "3r-constant": (
        Design.constant,
        "3R mechanism with one q on each side, both within equal budgets,",
    ),
    "3r-exact": (Design.exact, "3R mechanism with both sides within equal budgets"),
    "3r-split": (None, ""),
    "local-optimal": (Design.anything, ANY),
    "central-lp": (Design.anything, ANY),
}
RULES = {"redaction-designs"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    code: int = kernel.main(argv, check, "kernel_designs.py [--json] [--work N] CERTIFICATE")
    return code


if __name__ == "__main__":
    sys.exit(main())
