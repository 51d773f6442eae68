"""How Coq compares fractions with e^level, and sums of logarithms with their bounds.

1 + y <= e^y <= 1 / (1 - y) for y = level / 2^h, and h squarings rounded down or up. Hints are found
here with the integers of Coq, so that what is written is what Coq accepts.
"""

import copy
import decimal
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify import kernel
from pufferproof.verify.certificates.export.layout import listed, signed
from pufferproof.verify.certificates.writing import WORK

LEVEL_BITS = (64, 160, 400)  # bits after the point
MOST_NATS = 10**9
PARTS = (64, 512, 4096)  # as much of a large level as is looked at
QUICK = 512  # bits of products of powers that are compared in any case
MOST_BITS = 1 << 14  # and where logarithms are too close
LOGARITHM_BITS = (40, 80, 160)  # bits of a logarithm after the point

Terms = Sequence[tuple[int, int]]  # n, q for n log q


@dataclass(frozen=True)
class ComparedFraction:
    """A fraction, and how Coq compares it with e^level: `part` of a level, halvings, bits."""

    fraction: Fraction
    part: Fraction = Fraction(0)
    halvings: int = 0
    bits: int = 1

    def coq(self) -> str:
        n, d = self.fraction.as_integer_ratio()
        x, y = self.part.as_integer_ratio()
        return f"(Bound {signed(n)} {d} {signed(x)} {y} {self.halvings} {self.bits})"


def bound(certificate: JsonObject, key: str) -> ComparedFraction:
    """Return a bound of the level at `key` of the claim with which the statement still follows: the
    kernel accepts the certificate with the logarithm of the bound instead of the level.

    Raises `CertificateError` if none of those tried serves.
    """
    level = certificate["claim"][key]
    if "log" in level:
        return ComparedFraction(Fraction(level["log"]))
    if Fraction(level["nats"]) > MOST_NATS:
        raise CertificateError(f"levels over {MOST_NATS} nats are not exported")
    below = certificate["kind"].endswith("at-most")
    for tried in candidates(Fraction(level["nats"]), below):
        changed = copy.deepcopy(certificate)
        changed["claim"][key] = {"log": str(tried.fraction)}
        with suppress(kernel.Refused):
            kernel.check_bytes(json.dumps(changed).encode(), WORK)
            return tried
    raise CertificateError("e^level is too close to a ratio, or too large, to be exported")


def candidates(nats: Fraction, below: bool) -> Iterator[ComparedFraction]:
    """Yield fractions below or above e^nats, with hints of how Coq compares them: so many bits after
    the point, or a few less.
    """
    if nats == 0 and below:
        yield ComparedFraction(Fraction(1), Fraction(0), 0, 1)
    for precision in LEVEL_BITS:
        for most in PARTS if below else [PARTS[-1]]:
            if below or nats <= most:
                part = min(nats, Fraction(most))
                whole = 2 * int(part) + 2
                halvings = precision + 2 * whole.bit_length()
                bits = precision + halvings + whole
                z = coq_power(part, halvings, bits, below)
                scaled = z << precision
                near = Fraction(scaled >> bits if below else -(-scaled >> bits), 1 << precision)
                yield ComparedFraction(near, part, halvings, bits)
            if nats <= most:
                break


def coq_power(exponent: Fraction, halvings: int, bits: int, below: bool) -> int:
    """Return e^exponent times 2^bits, rounded down or up, as Coq finds it.

    1 + y <= e^y <= 1 / (1 - y) for y = exponent / 2^halvings, and so many squarings.
    """
    x, y = exponent.as_integer_ratio()
    half, rest = y << halvings, 0 if below else 1
    z = ((half + x) << bits) // half if below else (half << bits) // (half - x) + 1
    for _ in range(halvings):
        z = (z * z >> bits) + rest
    return z


@dataclass(frozen=True)
class LogarithmSum:
    """The statement that a sum of n log q is at most a bound, or less than it."""

    terms: Terms
    bound: Fraction
    strict: bool

    def bits(self) -> int:
        return sum(abs(n) * q.bit_length() for n, q in self.terms)

    def by_powers(self, limit: int) -> bool:
        return self.bound == 0 and self.bits() < limit

    def by_table(self, scale: int, table: Mapping[int, tuple[int, int]]) -> bool:
        """Whether upper bounds of the logarithms decide it."""
        parts = ((n, table[q][n > 0]) for n, q in self.terms if n and q > 1)
        most, bound = sum(n * log for n, log in parts), self.bound * scale
        return most < bound or (most == bound and not self.strict)


@dataclass(frozen=True)
class LogarithmHints:
    """Below which size powers are compared, and enclosures of logarithms for the rest."""

    limit: int = QUICK
    scale: int = 1
    halvings: int = 0
    bits: int = 1
    table: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    def coq(self) -> str:
        entries = [f"({q}, ({low}, {high}))" for q, (low, high) in self.table.items()]
        return f"(Logarithms {self.limit} {self.scale} {self.halvings} {self.bits} {listed(entries)})"


def hints(sums: Iterable[LogarithmSum]) -> LogarithmHints:
    """Return hints with which Coq accepts all sums.

    Raises `CertificateError` if some are too close to their bounds for those that are tried.
    """
    left = [one for one in sums if not one.by_powers(QUICK)]
    if not left:
        return LogarithmHints()
    values = sorted({q for one in left for n, q in one.terms if n and q > 1})
    for precision in LOGARITHM_BITS:
        tried = enclosed(values, precision)
        close = [one for one in left if not one.by_table(tried.scale, tried.table)]
        largest = max((one.bits() for one in close), default=0)
        if largest < MOST_BITS and not any(one.bound for one in close):
            limit = max(QUICK, largest + 1)
            needed = {q for s in left if not s.by_powers(limit) for n, q in s.terms if n}
            table = {q: bounds for q, bounds in tried.table.items() if q in needed}
            return LogarithmHints(limit, tried.scale, tried.halvings, tried.bits, table)
    raise CertificateError("sums of logarithms are too close to their bounds to be exported")


def enclosed(values: Sequence[int], precision: int) -> LogarithmHints:
    """Return enclosures of the logarithms of integers over 1, with so many bits."""
    longest = max((q.bit_length() for q in values), default=1)
    halvings = precision + 2 * longest.bit_length() + 2
    bits, scale = precision + halvings + 8, 1 << precision
    digits = decimal.Context(prec=precision // 3 + longest + 20)
    table = {}
    for q in values:
        log = digits.multiply(digits.ln(decimal.Decimal(q)), decimal.Decimal(scale))
        middle = int(log.to_integral_value(decimal.ROUND_FLOOR))
        table[q] = (max(0, middle - 2), middle + 3)
    hint = LogarithmHints(QUICK, scale, halvings, bits, table)
    for q, (low, high) in table.items():  # whether Coq finds that e^(low / scale) <= q <= e^(high / scale)
        least = coq_power(Fraction(low, scale), halvings, bits, below=False)
        most = coq_power(Fraction(high, scale), halvings, bits, below=True)
        if not least <= q << bits <= most:
            raise CertificateError("logarithms of numbers as long as these are not exported")
    return hint


def level_terms(level: Mapping[str, object], n: int) -> tuple[list[tuple[int, int]], Fraction]:
    """Return n times a level as terms and a constant."""
    ((form, value),) = level.items()
    x = Fraction(str(value))
    if form == "nats":
        return [], n * x
    return [(n, x.numerator), (-n, x.denominator)], Fraction(0)
