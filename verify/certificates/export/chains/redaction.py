"""Certificates of what a redaction of a chain of bits leaks about one record."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

from ..bounds import MOST, ComparedFraction, candidates
from ..layout import ExportedTheorem, listed
from ..leakage import level_of
from .walks import ANY, ChainSteps, ConeWalk, StepRow, TooCloseError, largest, least

KINDS = ("redaction-leakage",)
MODULES = ("Tables", "Released", "Redactions", "Redacted")
PRECISIONS = (64, 160, 400, 0)  # bits of rounded slopes; exact last
LONGEST = 5_000  # records
SYMBOLS = {"*": "None", "0": "Some false", "1": "Some true"}

Level = JsonObject


def theorem(certificate: dict[str, object]) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    return Leaking(certificate).theorem()


class Redaction:
    """A chain of bits with a private record, and rows, as integers."""

    def __init__(self, chain: JsonObject, private: int, runs: Sequence[Sequence[Any]]) -> None:
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

    def above(self, level: Level) -> tuple[str, int]:
        """Return hints that the level is not exceeded: a fraction below e^level, and bits."""

        def serving(walk: ConeWalk) -> Iterator[ComparedFraction]:
            cone = walk.cone(self.rows, [ANY] * len(self.rows), strict=False)
            ratio = largest(cone, walk.prior(self.rows))
            return (b for b in fractions(level, True) if ratio is not None and ratio <= b.fraction)

        return self.first(serving)

    def below(self, level: Level | None, output: str, strict: bool) -> tuple[str, int]:
        """Return hints that the output reaches the level, or more; None is infinite."""

        def serving(walk: ConeWalk) -> Iterator[ComparedFraction]:
            ratio = least(walk.cone(self.rows, output, strict=True), walk.prior(self.rows))
            if level is None:
                return iter([ComparedFraction(Fraction(1))] if ratio is None else [])
            return (
                b
                for b in fractions(level, False)
                if ratio is None or b.fraction < ratio or (b.fraction == ratio and not strict)
            )

        return self.first(serving)

    def first(self, serving: Callable[[ConeWalk], Iterator[ComparedFraction]]) -> tuple[str, int]:
        """Return the first bound that serves, and the bits of the slopes with which it does."""
        reason = TooCloseError("a level is too close to the leakage, or too large, to be exported")
        for bits in PRECISIONS:
            try:
                for found in serving(ConeWalk(self.steps, bits)):
                    return found.coq(), bits
            except TooCloseError as error:
                reason = error
        raise reason


class Leaking:
    """A certificate of a leakage."""

    def __init__(self, certificate: JsonObject) -> None:
        self.claim, private = certificate["claim"], int(certificate["private"])
        self.redaction = Redaction(certificate["chain"], private, certificate["redaction"])

    def theorem(self) -> ExportedTheorem:
        definitions = [chain_definition("c", self.redaction.steps), self.redaction.definition("r")]
        said, term = self.stated()
        return ExportedTheorem(MODULES, definitions, f"well_formed_redaction c r /\\ {said}", term)

    def stated(self) -> tuple[str, str]:
        """Return the statement, and the term that proves it."""
        relation, named = self.claim["relation"], self.claim["output"]
        if relation == "<=":
            hint, bits = self.redaction.above(self.claim["level"])
            level = level_of(self.claim["level"])
            return f"leaks_at_most c r {level}", f"redaction_most_of c r {level} {hint} {bits}"
        output = self.redaction.worst() if named is None else named
        shown = "None" if named is None else f"(Some {spread(output)})"
        if self.claim["level"] == "inf":
            _, bits = self.redaction.below(None, output, strict=False)
            term = f"redaction_everything_of c r {shown} {spread(output)} {bits}"
            return f"leaks_everything c r {shown}", term
        return self.reached(relation, shown, output)

    def reached(self, relation: str, shown: str, output: str) -> tuple[str, str]:
        """Return the statement that an output reaches a level, or more, and its proof."""
        given, level = self.claim["level"], level_of(self.claim["level"])
        hint, bits = self.redaction.below(given, output, strict=relation == ">")
        known = f"c r {shown} {spread(output)} {level}"
        if relation == ">":
            return f"leaks_more c r {shown} {level}", f"redaction_more_of {known} {hint} {bits}"
        statement = f"leaks_at_least c r {shown} {level}"
        if relation == ">=":
            return statement, f"redaction_least_of {known} {hint} {bits}"
        hint, more = self.redaction.above(given)
        exact = max(bits, more, key=PRECISIONS.index)
        both = f"leaks_at_most c r {level} /\\ {statement}"
        return both, f"redaction_equals_of {known} {hint} {exact}"


def fractions(level: Level, below: bool) -> Iterator[ComparedFraction]:
    """Yield fractions below or above e^level that Coq can compare with it."""
    if "log" in level:
        yield ComparedFraction(Fraction(level["log"]))
        return
    nats = Fraction(level["nats"])
    if nats > MOST:
        raise CertificateError(f"levels over {MOST} nats are not exported")
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


def row_of(zero: Any, one: Any) -> StepRow:
    a, b = Fraction(zero), Fraction(one)
    unit = math.lcm(a.denominator, b.denominator)
    return unit, int(a * unit), int(b * unit)


def spread(output: str) -> str:
    """Return an output as runs of equal symbols."""
    runs = ((len([*group]), SYMBOLS[symbol]) for symbol, group in groupby(output))
    return f"(spread {listed(f'({count}, {symbol})' for count, symbol in runs)})"
