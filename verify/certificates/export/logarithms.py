"""Sums of logarithms as Coq finds their signs: powers of integers, or a table of enclosures.

Coq checks each enclosure of log q itself, by halving and squaring as for levels in nats. Hints are
found here with the same integers, so that what is written is what Coq accepts.
"""

from __future__ import annotations

import decimal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.models.errors import CertificateError

from .bounds import signed
from .layout import listed

QUICK = 512  # bits of products of powers that are compared in any case
MOST = 1 << 14  # and where logarithms are too close
PRECISIONS = (40, 80, 160)  # bits of a logarithm after the point

Terms = Sequence[tuple[int, int]]  # n, q for n log q


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
    left = [each for each in sums if not each.by_powers(QUICK)]
    if not left:
        return LogarithmHints()
    values = sorted({q for each in left for n, q in each.terms if n and q > 1})
    for precision in PRECISIONS:
        tried = enclosed(values, precision)
        close = [each for each in left if not each.by_table(tried.scale, tried.table)]
        largest = max((each.bits() for each in close), default=0)
        if largest < MOST and not any(each.bound for each in close):
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
    if not all(is_enclosed(q, *bounds, hint) for q, bounds in table.items()):
        raise CertificateError("logarithms of numbers as long as these are not exported")
    return hint


def is_enclosed(q: int, low: int, high: int, hint: LogarithmHints) -> bool:
    """Whether Coq finds that e^(low / scale) <= q <= e^(high / scale)."""
    unit, half = 1 << hint.bits, hint.scale << hint.halvings
    above, below = half * unit // (half - low) + 1, (half + high) * unit // half
    for _ in range(hint.halvings):
        above, below = above * above // unit + 1, below * below // unit
    return above <= q * unit <= below


def level_terms(level: Mapping[str, object], n: int) -> tuple[list[tuple[int, int]], Fraction]:
    """Return n times a level as terms and a constant."""
    ((form, value),) = level.items()
    x = Fraction(str(value))
    if form == "nats":
        return [], n * x
    return [(n, x.numerator), (-n, x.denominator)], Fraction(0)


def weighing(database: int, unit: int, row: Sequence[int]) -> str:
    """Return weights of databases for a database, as Coq has them."""
    return f"(Weighing {database} {unit} [{'; '.join(map(signed, row))}])"
