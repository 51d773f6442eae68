"""Fractions beside e^level, which Coq finds on the right side of it by the same integers.

1 + y <= e^y <= 1 / (1 - y) for y = level / 2^h, and h squarings rounded down or up. A fraction
serves if the kernel accepts the certificate with the logarithm of it instead of the level.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import WORK

PRECISIONS = (64, 160, 400)  # bits after the point
MOST = 10**9  # nats
PARTS = (64, 512, 4096)  # as much of a large level as is looked at


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


def signed(n: int) -> str:
    """Return an integer as Coq reads it as an argument."""
    return str(n) if n >= 0 else f"({n})"


def bound(certificate: JsonObject, key: str) -> ComparedFraction:
    """Return a bound of the level at `key` of the claim with which the statement still follows.

    Raises `CertificateError` if none of those tried serves.
    """
    level = certificate["claim"][key]
    if "log" in level:
        return ComparedFraction(Fraction(level["log"]))
    if Fraction(level["nats"]) > MOST:
        raise CertificateError(f"levels over {MOST} nats are not exported")
    below = certificate["kind"].endswith("at-most")
    for tried in candidates(Fraction(level["nats"]), below):
        if _serves(certificate, key, tried.fraction):
            return tried
    raise CertificateError("e^level is too close to a ratio, or too large, to be exported")


def candidates(nats: Fraction, below: bool) -> Iterator[ComparedFraction]:
    """Yield fractions below or above e^nats, with hints of how Coq compares them."""
    if nats == 0 and below:
        yield ComparedFraction(Fraction(1), Fraction(0), 0, 1)
    for precision in PRECISIONS:
        for most in PARTS if below else [PARTS[-1]]:
            if below or nats <= most:
                yield _enclosed(min(nats, Fraction(most)), precision, below)
            if nats <= most:
                break


def _enclosed(nats: Fraction, precision: int, below: bool) -> ComparedFraction:
    """Return a bound of e^nats with so many bits after the point, or a few less."""
    whole = 2 * int(nats) + 2
    halvings = precision + 2 * whole.bit_length()
    bits = precision + halvings + whole
    unit, (x, y) = 1 << bits, nats.as_integer_ratio()
    half = y << halvings
    if below:
        z = (half + x) * unit // half
        for _ in range(halvings):
            z = z * z // unit
        near = Fraction((z << precision) // unit, 1 << precision)
    else:
        z = half * unit // (half - x) + 1
        for _ in range(halvings):
            z = z * z // unit + 1
        near = Fraction(-((-z << precision) // unit), 1 << precision)
    return ComparedFraction(near, nats, halvings, bits)


def _serves(certificate: JsonObject, key: str, fraction: Fraction) -> bool:
    changed = copy.deepcopy(certificate)
    changed["claim"][key] = {"log": str(fraction)}
    try:
        kernel.check_bytes(json.dumps(changed).encode(), WORK)
    except kernel.Refused:
        return False
    return True
