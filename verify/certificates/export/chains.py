"""Chains of bits for Coq: the slopes of outputs along a chain, in cones of integers, and certificates of
what a redaction of a chain leaks about one record.

A ray is u : v, a cone all between two of them. The steps are those of `Cones.v` and `Redacted.v`,
with the same integers, so that hints are known to serve before they are written.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import groupby

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.certificates.export.layout import ExportedTheorem, listed
from pufferproof.verify.certificates.export.levels import MOST_NATS, ComparedFraction, candidates
from pufferproof.verify.certificates.export.tables import level_of
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

LARGEST = 60_000_000  # squares of the bits of all slopes together: about ten seconds of Coq

Ray = tuple[int, int]
Cone = tuple[Ray, Ray]
# a unit, and how many of it hide a record that is 0, and one that is 1
StepRow = tuple[int, int, int]
Matrix = tuple[Ray, Ray]
ALWAYS: StepRow = (1, 1, 1)
ANY = "*01"
ONES: Cone = ((1, 1), (1, 1))


class TooCloseError(CertificateError):
    """Slopes are not known well enough at a precision, or take Coq too long."""


@dataclass(frozen=True)
class ChainSteps:
    """A chain: a unit, how many of it leave 0 and leave 1, the law of its first record up to a
    factor, and how many records stand before the private one.
    """

    unit: int
    leave: int
    back: int
    first: Ray
    before: int

    def moves(self, factors: Ray, forwards: bool) -> Matrix:
        """Return a step along the chain, or back, after values were multiplied with factors."""
        s, t = factors
        off, on = (self.back, self.leave) if forwards else (self.leave, self.back)
        return (s * (self.unit - self.leave), t * off), (s * on, t * (self.unit - self.back))


class ConeWalk:
    """Cones of a chain, exact with 0 bits."""

    def __init__(self, steps: ChainSteps, bits: int) -> None:
        self.steps, self.bits, self.spent = steps, bits, 0

    def cone(self, rows: Sequence[StepRow], symbols: Iterable[str], strict: bool) -> Cone:
        """Return the slopes, given the private value, of all outputs with these symbols."""
        both, before = [*zip(rows, symbols)], self.steps.before
        near = (self.steps.first, self.steps.first)
        for row, shown in both[:before]:
            near = self.moved(near, [self.steps.moves(f, True) for f in factors(row, shown)], strict)
        far = ONES
        for row, shown in reversed(both[before + 1 :]):
            far = self.moved(far, [self.steps.moves(f, False) for f in factors(row, shown)], strict)
        (a, b), (c, d) = near
        (e, f), (g, h) = far
        row, shown = both[before]
        own = [((s, 0), (0, t)) for s, t in factors(row, shown)]
        return self.moved(((a * e, b * f), (c * g, d * h)), own, strict)

    def prior(self, rows: Sequence[StepRow]) -> Cone:
        """Return the slope P(private value is 0) : P(it is 1)."""
        return self.cone([ALWAYS] * len(rows), "*" * len(rows), strict=True)

    def moved(self, cone: Cone, matrices: Sequence[Matrix], strict: bool) -> Cone:
        images = [(a * u + b * v, c * u + d * v) for (a, b), (c, d) in matrices for u, v in cone]
        self.spent += max(n.bit_length() for ray in images for n in ray) ** 2
        if self.spent > LARGEST or (strict and not all(map(any, images))):
            raise TooCloseError("the slopes of outputs are too long to be exported")
        known = [*filter(any, images)] or [(1, 1)]
        low = reduce(lambda r, s: r if r[0] * s[1] <= r[1] * s[0] else s, known)
        high = reduce(lambda r, s: s if r[0] * s[1] <= r[1] * s[0] else r, known)
        return self.short(low, above=False), self.short(high, above=True)

    def short(self, ray: Ray, above: bool) -> Ray:
        u, v = ray
        if u == v or not u or not v:
            return int(u > 0), int(v > 0)
        if self.bits == 0:
            g = math.gcd(u, v)
            return u // g, v // g
        k = min(u, v).bit_length() - self.bits
        if k <= self.bits:
            return ray
        return (-(-u >> k), v >> k) if above else (u >> k, -(-v >> k))


def factors(row: StepRow, symbols: str) -> list[Ray]:
    """Return what symbols multiply the values 0 and 1 with."""
    unit, zero, one = row
    known = {"*": (zero, one), "0": (unit - zero, 0), "1": (0, unit - one)}
    return [known[symbol] for symbol in symbols]


def largest(cone: Cone, prior: Cone) -> Fraction | None:
    """Return the largest ratio of outputs, either way round, or None if it may be infinite."""
    ((a, b), (c, d)), ((e, f), (g, h)) = cone, prior
    if d * e <= 0 or a * h <= 0:
        return None
    return max(Fraction(c * f, d * e), Fraction(b * g, a * h))


def least(cone: Cone, prior: Cone) -> Fraction | None:
    """Return the ratio that one output reaches at least, or None if it is infinite."""
    ((a, b), (c, d)), ((e, f), (g, h)) = cone, prior
    parts = [(x, y) for x, y in ((a * h, b * g), (d * e, c * f)) if x > 0]
    if any(y == 0 for _, y in parts):
        return None
    return max((Fraction(x, y) for x, y in parts), default=Fraction(0))


# What a redaction leaks --------------------------------------------------------------------------

REDACTION_KINDS = ("redaction-leakage",)
REDACTION_MODULES = ("Tables", "Released", "Redactions", "Redacted")
PRECISIONS = (64, 160, 400, 0)  # bits of rounded slopes; exact last
LONGEST = 5_000  # records
SYMBOLS = {"*": "None", "0": "Some false", "1": "Some true"}

Level = JsonObject


class Redaction:
    """A chain of bits with a private record, and rows, as integers."""

    def __init__(self, chain: JsonObject, private: int, runs: Sequence[Sequence[str]]) -> None:
        self.chain, self.private, self.runs = chain, private, runs
        if int(chain["length"]) > LONGEST:
            raise CertificateError(f"chains of over {LONGEST} records are not exported")
        self.steps = steps_of(chain, private)
        self.rows = [row_of(*pair) for count, *pair in runs for _ in range(int(count))]

    def definition(self, name: str) -> str:
        known = ((int(count), *row_of(*pair)) for count, *pair in self.runs)
        written = (f"({count}, Row {unit} {zero} {one})" for count, unit, zero, one in known)
        return f"Definition {name} : runs := {listed(written)}."

    def worst(self) -> str:
        """Return an output that reaches the leakage, as far as it is known."""
        given = self.chain
        start = given["initial"]
        law = start if start == "stationary" else [*map(str, start)]
        chain = BinaryChain(str(given["alpha"]), str(given["beta"]), int(given["length"]), law)
        pairs = [[Fraction(x) for x in pair] for count, *pair in self.runs for _ in range(int(count))]
        return redaction_leakage(chain, LocalRedaction(pairs), self.private).output

    def hints(self, level: Level | None, output: str | None, strict: bool = False) -> tuple[str, int]:
        """Return a fraction beside e^level, and the bits of slopes, as hints that the output reaches
        the level, or more; that no output exceeds it, without one. None is infinite.
        """
        reason = TooCloseError("a level is too close to the leakage, or too large, to be exported")
        for bits in PRECISIONS:
            walk = ConeWalk(self.steps, bits)
            try:
                cone = walk.cone(self.rows, [ANY] * len(self.rows) if output is None else output, output is not None)
                ratio = (largest if output is None else least)(cone, walk.prior(self.rows))
                if level is None:
                    if ratio is None:
                        return ComparedFraction(Fraction(1)).coq(), bits
                    continue
                for bound in fractions(level, output is None):
                    if output is None:
                        serves = ratio is not None and ratio <= bound.fraction
                    else:
                        serves = ratio is None or bound.fraction < ratio or (bound.fraction == ratio and not strict)
                    if serves:
                        return bound.coq(), bits
            except TooCloseError as error:
                reason = error
        raise reason


def redaction_theorem(certificate: JsonObject) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    claim = certificate["claim"]
    redaction = Redaction(certificate["chain"], int(certificate["private"]), certificate["redaction"])
    relation, given, output = claim["relation"], claim["level"], claim["output"]
    shown = "None" if output is None else f"(Some {spread(output)})"
    if relation != "<=" and output is None:
        output = redaction.worst()
    if given == "inf":
        _, bits = redaction.hints(None, output)
        said = f"leaks_everything c r {shown}"
        term = f"redaction_everything_of c r {shown} {spread(output)} {bits}"
    elif relation == "<=":
        (hint, bits), level = redaction.hints(given, None), level_of(given)
        said, term = f"leaks_at_most c r {level}", f"redaction_most_of c r {level} {hint} {bits}"
    else:
        (hint, bits), level = redaction.hints(given, output, strict=relation == ">"), level_of(given)
        known = f"c r {shown} {spread(output)} {level}"
        said, term = f"leaks_at_least c r {shown} {level}", f"redaction_least_of {known} {hint} {bits}"
        if relation == ">":
            said, term = f"leaks_more c r {shown} {level}", f"redaction_more_of {known} {hint} {bits}"
        elif relation == "=":
            hint, more = redaction.hints(given, None)
            said = f"leaks_at_most c r {level} /\\ {said}"
            term = f"redaction_equals_of {known} {hint} {max(bits, more, key=PRECISIONS.index)}"
    definitions = [chain_definition("c", redaction.steps), redaction.definition("r")]
    return ExportedTheorem(REDACTION_MODULES, definitions, f"well_formed_redaction c r /\\ {said}", term)


def fractions(level: Level, below: bool) -> Iterator[ComparedFraction]:
    """Yield fractions below or above e^level that Coq can compare with it."""
    if "log" in level:
        yield ComparedFraction(Fraction(level["log"]))
        return
    nats = Fraction(level["nats"])
    if nats > MOST_NATS:
        raise CertificateError(f"levels over {MOST_NATS} nats are not exported")
    if nats == 0:
        yield ComparedFraction(Fraction(1))
        return
    yield from candidates(nats, below)


def chain_definition(name: str, steps: ChainSteps) -> str:
    first = f"first_zero := {steps.first[0]}; first_one := {steps.first[1]};"
    return (
        f"Definition {name} : chain := {{|\n"
        f"  step_unit := {steps.unit}; leave := {steps.leave}; back := {steps.back};\n"
        f"  {first}\n"
        f"  private := {steps.before + 1} |}}."
    )


def steps_of(chain: JsonObject, private: int) -> ChainSteps:
    """Return a chain as integers."""
    alpha, beta = Fraction(chain["alpha"]), Fraction(chain["beta"])
    unit = math.lcm(alpha.denominator, beta.denominator)
    start = chain["initial"]
    zero, one = (beta, alpha) if start == "stationary" else map(Fraction, start)
    u, v = integers([zero, one])
    return ChainSteps(unit, int(alpha * unit), int(beta * unit), (u, v), private - 1)


def row_of(zero: str, one: str) -> StepRow:
    a, b = Fraction(zero), Fraction(one)
    unit = math.lcm(a.denominator, b.denominator)
    return unit, int(a * unit), int(b * unit)


def spread(output: str) -> str:
    """Return an output as runs of equal symbols."""
    runs = ((len([*group]), SYMBOLS[symbol]) for symbol, group in groupby(output))
    return f"(spread {listed(f'({count}, {symbol})' for count, symbol in runs)})"
