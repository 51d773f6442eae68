"""Certificates of redaction designs: what each leaks and releases, and that none releases more of
those that hide records whatever their values, of 3R mechanisms, or of all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject

from ..bounds import ComparedFraction
from ..layout import ExportedTheorem, listed
from ..leakage import level_of
from .central import Central, priced, stated
from .redaction import PRECISIONS, Level, Redaction, chain_definition, fractions, spread, steps_of
from .sides import ThreeR
from .walks import ALWAYS, ANY, Cone, ConeWalk, StepRow, TooCloseError, largest, least

KINDS = ("redaction-designs",)
MODULES = ("Tables", "Released", "Redactions", "Sides", "Designs", "Priced", "Sided", "Designed")
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


def theorem(certificate: JsonObject) -> ExportedTheorem:
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
    return ExportedTheorem(MODULES, definitions, statement, f"designs_of c {level_of(level)} {listed(known)}")


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
        return f"Steps (Known {hints.bits} {spread(output)} {hints.below.coq()} {unit} {self.reason(hints)})"

    def reason(self, hints: DesignHints) -> str:
        """Return what shows that no other mechanism releases more."""
        if self.upper is None:
            return "Nothing"
        if self.name == BLIND:
            return f"(Windows {hints.above.coq()})"
        if self.three_r:
            return self.three_r.reason()
        return f"(Paid {priced(self.redaction.steps, self.level, self.entry['proof'])})"

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
        found = [leaks(walk, n, shown, prior) for shown in windows]
        return min((x for x in found if x is not None), default=None)


def leaks(walk: ConeWalk, n: int, shown: set[int], prior: Cone) -> Fraction | None:
    """Return what a window leaks at least, over all that it may show; None if infinite."""
    rows = [SHOWN if i in shown else ALWAYS for i in range(n)]
    outputs = product(*("10" if i in shown else "*" for i in range(n)))
    found = [least(walk.cone(rows, output, strict=True), prior) for output in outputs]
    return None if None in found else max(x for x in found if x is not None)
