"""Certificates of redaction designs for Coq: what each leaks and releases, and that none releases more of
those that hide records whatever their values, of 3R mechanisms, or of all.

Designs that may see all records are given by tables; prices show that no mechanism releases more than
a design, whatever it sees. Of 3R designs with one probability on each side there are the regions, and
below which probability a side tells too much: with the integers of `Sided.v`, so that hints are known
to serve before they are written.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product, takewhile

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.certificates.export.chains import (
    ALWAYS,
    ANY,
    PRECISIONS,
    SYMBOLS,
    ChainSteps,
    Cone,
    ConeWalk,
    Level,
    Ray,
    Redaction,
    StepRow,
    TooCloseError,
    chain_definition,
    fractions,
    largest,
    least,
    spread,
    steps_of,
)
from pufferproof.verify.certificates.export.layout import ExportedTheorem, listed, signed, table
from pufferproof.verify.certificates.export.levels import ComparedFraction
from pufferproof.verify.certificates.export.tables import level_of

DESIGN_KINDS = ("redaction-designs",)
DESIGN_MODULES = ("Tables", "Released", "Redactions", "Sides", "Designs", "Priced", "Sided", "Designed")
SHOWN: StepRow = (1, 0, 0)
BLIND = "data-independent"
CLASSES = {BLIND: "Blind", "local-optimal": "Anything"}  # of which no mechanism releases more
STEADY = ("3r-constant", "3r-exact")  # 3R mechanisms, with one probability on each side
MOST = 40_000  # records of all windows together


@dataclass(frozen=True)
class DesignHints:
    """How Coq checks a design: bits of slopes, and fractions beside e^level."""

    bits: int
    below: ComparedFraction
    above: ComparedFraction


def design_theorem(certificate: JsonObject) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    level, chain = certificate["claim"]["level"], certificate["chain"]
    private, entries = int(certificate["private"]), certificate["claim"]["designs"]
    definitions = [chain_definition("c", steps_of(chain, private))]
    known = []
    for i, entry in enumerate(entries):
        kind = Central if entry["name"] == "central-lp" else ExportedDesign
        design = kind(chain, private, level, entry)
        definitions += design.definitions(i)
        known.append(f"(d{i}, {design.known()})")
    statement = f"are_designs c {level_of(level)} {listed(f'd{i}' for i in range(len(entries)))}"
    return ExportedTheorem(DESIGN_MODULES, definitions, statement, f"designs_of c {level_of(level)} {listed(known)}")


class ExportedDesign:
    """A mechanism, and what is said of it."""

    def __init__(self, chain: JsonObject, private: int, level: Level, entry: JsonObject) -> None:
        self.name, upper = entry["name"], entry["utility"]["upper"]
        if upper is not None and self.name == "3r-relaxed":
            raise CertificateError(
                "3r-relaxed: that no mechanism within the published constraints releases more "
                "rests on the inequality of means, about which there is no theorem in Coq yet; "
                "such a bound is not exported"
            )
        self.redaction = Redaction(chain, private, entry["redaction"])
        self.level, self.entry = level, entry
        self.low, self.high = map(Fraction, entry["leakage"])
        self.upper = None if upper is None else Fraction(upper)
        self.three_r: ThreeR | None = None
        if upper is not None and self.name in STEADY:
            length = len(self.redaction.rows)
            self.three_r = ThreeR(self.redaction.steps, length, level, entry)

    def definitions(self, i: int) -> Iterator[str]:
        yield self.redaction.definition(f"r{i}")
        others = self.three_r.name() if self.three_r else CLASSES.get(self.name, "")
        yield stated(i, f"ByValue r{i}", self.entry, others)

    def known(self) -> str:
        """Return what Coq is told to check the design."""
        output, unit = self.redaction.worst(), math.lcm(*(row[0] for row in self.redaction.rows))
        hints = self.hints(output)
        reason = "Nothing"  # what shows that no other mechanism releases more
        if self.three_r:
            reason = self.three_r.reason()
        elif self.upper is not None and self.name == BLIND:
            reason = f"(Windows {hints.above.coq()})"
        elif self.upper is not None:
            reason = f"(Paid {priced(self.redaction.steps, self.level, self.entry['proof'])})"
        return f"Steps (Known {hints.bits} {spread(output)} {hints.below.coq()} {unit} {reason})"

    def hints(self, output: str) -> DesignHints:
        """Return hints with which Coq accepts the design."""
        reason = TooCloseError("a leakage is too close to a level or a bound to be exported")
        for bits in PRECISIONS:
            try:
                found = self.serving(ConeWalk(self.redaction.steps, bits), output)
            except TooCloseError as error:
                reason, found = error, None
            if found:
                return found
        raise reason

    def serving(self, walk: ConeWalk, output: str) -> DesignHints | None:
        """Return hints with slopes of so many bits, None if these are too few."""
        rows = self.redaction.rows
        prior = walk.prior(rows)
        most = largest(walk.cone(rows, [ANY] * len(rows), strict=False), prior)
        reached = least(walk.cone(rows, output, strict=True), prior)
        if most is None or most > self.high or (reached is not None and reached < self.low):
            return None
        below = next((b for b in fractions(self.level, True) if most <= b.fraction), None)
        above: ComparedFraction | None = ComparedFraction(Fraction(1))
        if self.upper is not None and self.name == BLIND:
            exceeded = self.exceeded(walk, prior, self.upper)
            candidates = fractions(self.level, False)
            above = next((b for b in candidates if exceeded is None or b.fraction < exceeded), None)
        return None if below is None or above is None else DesignHints(walk.bits, below, above)

    def exceeded(self, walk: ConeWalk, prior: Cone, upper: Fraction) -> Fraction | None:
        """Return what all windows leak more than that would release more; None if infinite."""
        n, p = len(self.redaction.rows), self.redaction.steps.before
        most = n - math.floor(n * upper)
        sides = product(range(1, min(p + 1, most) + 1), range(1, min(n - p, most) + 1))
        windows = [{p - a, p + b} & {*range(n)} for a, b in sides if a + b <= most]
        if len(windows) * n > MOST:
            raise CertificateError("data-independent: too many windows are to be compared in Coq")
        exceeded = []
        for shown in windows:  # what a window leaks at least, over all that it may show, unless that is infinite
            rows = [SHOWN if i in shown else ALWAYS for i in range(n)]
            outputs = product(*("10" if i in shown else "*" for i in range(n)))
            ratios = [least(walk.cone(rows, output, strict=True), prior) for output in outputs]
            finite = [ratio for ratio in ratios if ratio is not None]
            if len(finite) == len(ratios):
                exceeded.append(max(finite))
        return min(exceeded, default=None)


# Tables and prices -------------------------------------------------------------------------------


class Central:
    """A mechanism by a table of outputs for each sequence, and what is said of it."""

    def __init__(self, chain: JsonObject, private: int, level: Level, entry: JsonObject) -> None:
        self.steps, self.length = steps_of(chain, private), int(chain["length"])
        self.level, self.entry = level, entry
        self.rows = {x: {y: Fraction(p) for y, p in row.items()} for x, row in entry["redaction"].items()}

    def definitions(self, i: int) -> Iterator[str]:
        shares = [p for row in self.rows.values() for p in row.values()]
        unit = math.lcm(*(p.denominator for p in shares))
        lines = []
        for x, row in self.rows.items():
            bits = listed("true" if value == "1" else "false" for value in x)
            outputs = listed(f"({listed(SYMBOLS[symbol] for symbol in y)}, {int(p * unit)})" for y, p in row.items())
            lines.append((f"({bits}, {outputs})", x))
        yield (f"Definition a{i} : answers := {{|\n  answer_unit := {unit};\n  answer_rows := {table(lines)} |}}.")
        yield stated(i, f"ByAll {self.length}%nat a{i}", self.entry, "Anything")

    def known(self) -> str:
        """Return what Coq is told to check the design."""
        worst, prices = self.worst(), "None"
        below = next((b for b in fractions(self.level, True) if worst <= b.fraction), None)
        if below is None:
            raise TooCloseError("a leakage is too close to the level to be exported")
        if self.entry["utility"]["upper"] is not None:
            prices = f"(Some {priced(self.steps, self.level, self.entry['proof'])})"
        return f"Counted {below.coq()} {prices}"

    def worst(self) -> Fraction:
        """Return the largest ratio of an output, either way round, of what can be."""
        unit, moves = self.steps.unit, (self.steps.leave, self.steps.back)
        likely: dict[str, list[Fraction]] = {}
        for x, row in self.rows.items():
            weight = self.steps.first[int(x[0])]  # the probability of a sequence, up to a factor
            for a, b in pairwise(map(int, x)):
                weight *= moves[a] if a != b else unit - moves[a]
            for y, share in row.items():
                likely.setdefault(y, [Fraction(0)] * 2)[int(x[self.steps.before])] += weight * share
        zero, one = self.steps.first
        pairs = [(u * one, v * zero) for u, v in likely.values() if u or v]
        if any(u == 0 or v == 0 for u, v in pairs):
            raise CertificateError("a design of infinite leakage is not exported")
        return max(max(u / v, v / u) for u, v in pairs)


def stated(i: int, mechanism: str, entry: JsonObject, others: str) -> str:
    """Return the definition of a design: its mechanism, and what is said of it."""
    (low, high), utility = map(Fraction, entry["leakage"]), entry["utility"]
    best = utility["upper"]
    more = "None" if best is None else f"Some ({others}, {pair(Fraction(best))})"
    return (
        f"Definition d{i} : design := {{|\n"
        f"  redacted := {mechanism};\n"
        f"  at_least := {pair(low)};\n"
        f"  at_most := {pair(high)};\n"
        f"  utility := {pair(Fraction(utility['lower']))};\n"
        f"  no_more := {more} |}}."
    )


def priced(steps: ChainSteps, level: Level, proof: JsonObject) -> str:
    """Return the ratio and the prices of a proof as integers, in a tree of sequences."""
    ratio = Fraction(proof["ratio"])
    beside = (b for b in fractions(level, False) if "log" in level or b.fraction <= ratio)
    bound: ComparedFraction | None = next(beside, None)
    if bound is None:
        raise TooCloseError("the ratio of prices is too close to e^level to be exported")
    prices = {x: Fraction(price) * sum(steps.first) for x, price in proof["prices"].items()}
    unit = math.lcm(*(price.denominator for price in prices.values()))
    length = len(next(iter(prices)))
    words = map("".join, product("01", repeat=length))
    leaves = [f"(Leaf {signed(int(prices[word] * unit))})" for word in words]
    while len(leaves) > 1:
        leaves = [f"(Fork {a} {b})" for a, b in zip(leaves[::2], leaves[1::2])]
    return f"(Priced {replace(bound, fraction=ratio).coq()} {unit} {leaves[0]})"


def pair(x: Fraction) -> str:
    return f"({x.numerator}, {x.denominator}%positive)"


# 3R designs --------------------------------------------------------------------------------------

ROOT_BITS = (64, 160, 400)  # bits of a square root
UNITS: tuple[Ray, Ray] = ((1, 0), (0, 1))


@dataclass(frozen=True)
class ExportedSide:
    """How many records are always hidden, sometimes and never, the nearest first; a number of the
    proof that the probability in between is at least.
    """

    near: int
    medium: int
    beyond: int
    least: Fraction


class ThreeR:
    """Mechanisms that follow the regions of a chain and a level."""

    def __init__(self, steps: ChainSteps, length: int, level: Level, entry: JsonObject) -> None:
        self.steps, self.entry = steps, entry
        self.common = int(steps.leave > steps.back)
        ends = steps.before in (0, length - 1)
        self.lows = [*budgets(level, True, ends)]
        self.highs = [*budgets(level, False, ends)]
        lengths = {"left": steps.before, "right": length - steps.before - 1}
        # at each distance how much more likely the common value is, and the rare one
        self.told: list[tuple[Ray, Ray]] = []
        common, rare = UNITS[self.common], UNITS[1 - self.common]
        for _ in range(max(lengths.values())):
            common, rare = self.nearer(common), self.nearer(rare)
            self.told.append(((max(common), min(common)), (max(rare), min(rare))))
        self.sides = []
        for key, side in lengths.items():
            known = self.told[:side]
            near = len([*takewhile(lambda told: self.exceeds(told[0]), known)])
            within = len([*takewhile(lambda told: any(map(self.exceeds, told)), known)])
            self.sides.append(ExportedSide(near, within - near, side - within, Fraction(entry["proof"][key])))
        if entry["name"] == "3r-exact" and any(side.medium > 1 for side in self.sides):
            raise CertificateError(
                "3r-exact: with two medium records or more on a side, that no mechanism releases "
                "more rests on chords of a convex function, about which there is no theorem in Coq "
                "yet; such a bound is not exported"
            )

    def name(self) -> str:
        """Return the class as it is stated."""
        same = "true" if self.entry["name"] == "3r-constant" else "false"
        sides = " ".join(f"(Side {s.near} {s.medium} {s.beyond})" for s in self.sides)
        return f"ThreeR {'true' if self.common else 'false'} {same} {sides}"

    def reason(self) -> str:
        """Return what shows that none of them releases more."""
        inner, outer = self.ratios(inside=True), self.ratios(inside=False)
        low = next((low for low in self.lows if all(at_most_ratio(x, low.fraction) for x in inner)), None)
        if low is None:
            raise TooCloseError("a region ends too close to a budget to be exported")
        for high in self.highs:
            if all(not at_most_ratio(x, high.fraction) for x in outer):
                told = [self.told_of(side, high.fraction) for side in self.sides]
                if None not in told:
                    least = (f"(Least {pair(s.least)} {b})" for s, b in zip(self.sides, told))
                    return f"(Kept {low.coq()} {high.coq()} {' '.join(least)})"
        raise TooCloseError("a side is too close to its budget to be exported")

    def nearer(self, v: Ray) -> Ray:
        unit, leave, back = self.steps.unit, self.steps.leave, self.steps.back
        return leave * v[1] + (unit - leave) * v[0], (unit - back) * v[1] + back * v[0]

    def exceeds(self, told: Ray) -> bool:
        """Decide whether a ratio exceeds the budget of a side."""
        if any(at_most_ratio(told, low.fraction) for low in self.lows):
            return False
        if any(not at_most_ratio(told, high.fraction) for high in self.highs):
            return True
        raise TooCloseError("a region ends too close to a budget to be exported")

    def ratios(self, inside: bool) -> list[Ray]:
        """Return the ratios that are within the budget, or those that exceed it."""
        return [ratio for told in self.told for ratio in told if self.exceeds(ratio) != inside]

    def told_of(self, side: ExportedSide, high: Fraction) -> str | None:
        """Return the private value of which a side tells too much below its least probability."""
        if side.medium == 0 or side.least <= 0:
            return "false"
        # how likely stars in the medium region are, after each value of its first record, if rare
        # values are shown beyond it
        y, x = side.least.as_integer_ratio()
        stars = self.nearer(UNITS[1 - self.common]) if side.beyond else (1, 1)
        for k in range(side.medium):
            stars = self.nearer(stars) if k else stars
            stars = (x * stars[0], y * stars[1]) if self.common else (y * stars[0], x * stars[1])
        only = UNITS[self.common]
        for _ in range(side.near + 1):
            only, stars = self.nearer(only), self.nearer(stars)
        n, d = high.as_integer_ratio()
        for b, word in enumerate(("false", "true")):
            if only[b] * d < n * only[1 - b] and n * stars[1 - b] <= stars[b] * d:
                return word
        return None


def budgets(level: Level, below: bool, whole: bool) -> Iterator[ComparedFraction]:
    """Yield fractions beside the budget of a side, e^level or its square root."""
    for bound in fractions(level, below):
        if whole:
            yield bound
            continue
        n, d = bound.fraction.as_integer_ratio()
        for bits in ROOT_BITS:
            root = math.isqrt((n << 2 * bits) * d)
            near = Fraction(root + (not below and root**2 < (n << 2 * bits) * d), d << bits)
            yield replace(bound, fraction=near)


def at_most_ratio(ratio: Ray, bound: Fraction) -> bool:
    return ratio[0] * bound.denominator <= ratio[1] * bound.numerator
