"""Certificates that enclose e^q or log r, with hints that Coq judges as those of levels in nats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject

from .bounds import signed
from .layout import ExportedTheorem

KINDS = ("exp-enclosure",)
MODULES = ("Exponentials",)
PRECISIONS = (64, 160, 400, 1000)  # bits after the point
PARTS = {"lower": "at_least", "upper": "at_most"}
THEOREMS = {("lower",): "above", ("upper",): "below", ("lower", "upper"): "between"}
MOST = 4096  # bits of a numerator or denominator


@dataclass(frozen=True)
class Looked:
    """As much of an exponent as is needed, halvings, and bits."""

    part: Fraction = Fraction(0)
    halvings: int = 0
    bits: int = 1

    def coq(self) -> str:
        n, d = self.part.as_integer_ratio()
        return f"(Looked {n} {d} {self.halvings} {self.bits})"


def theorem(certificate: JsonObject) -> ExportedTheorem:
    """Return the theorem of a certificate that the kernel has accepted."""
    claim = certificate["claim"]
    log = "log_of" in claim
    value, word = Fraction(claim["log_of" if log else "exponent"]), "log" if log else "exp"
    sides = tuple(side for side in ("lower", "upper") if claim[side] is not None)
    limits = [Fraction(claim[side]) for side in sides]
    if any(max(map(int.bit_length, x.as_integer_ratio())) > MOST for x in [value, *limits]):
        raise CertificateError(f"numbers of over {MOST} bits are not exported in bounds of e^q")
    said = [f"{word}_{PARTS[side]} {pair(value)} {pair(limit)}" for side, limit in zip(sides, limits)]
    hints = []
    for side, limit in zip(sides, limits):
        exponent, bound = (limit, value) if log else (value, limit)
        hints.append(looked(exponent, bound, above=log != (side == "lower")).coq())
    term = " ".join([f"{word}_{THEOREMS[sides]}_of", *map(pair, [value, *limits]), *hints])
    return ExportedTheorem(MODULES, [], " /\\ ".join(said), term)


def pair(x: Fraction) -> str:
    return f"{signed(x.numerator)} {x.denominator}"


def looked(exponent: Fraction, bound: Fraction, above: bool) -> Looked:
    """Return how Coq finds that e^exponent is at least the bound, or at most it.

    Raises `CertificateError` if none of the precisions that are tried serves.
    """
    if bound <= 0 or exponent == 0:
        return Looked()
    up = exponent > 0
    number = bound if up else 1 / bound
    for tried in precisions(abs(exponent), number):
        if serves(tried, abs(exponent), number, above == up):
            return tried
    raise CertificateError("e^q or log r is too close to a bound to be exported")


def precisions(exponent: Fraction, number: Fraction) -> Iterator[Looked]:
    """Yield hints; more of an exponent than the logarithm of the number is not needed."""
    part = min(exponent, Fraction(number.numerator.bit_length() + 1))
    whole = 2 * int(part) + 2
    for precision in PRECISIONS:
        halvings = precision + 2 * whole.bit_length()
        yield Looked(part, halvings, precision + halvings + whole)


def serves(hint: Looked, exponent: Fraction, number: Fraction, above: bool) -> bool:
    """Whether Coq finds that e^exponent is at least the number, or at most it."""
    unit = 1 << hint.bits
    if above:
        x, y = hint.part.as_integer_ratio()
        half = y << hint.halvings
        z = (half + x) * unit // half
        for _ in range(hint.halvings):
            z = z * z // unit
        return number * unit <= z
    n, d = exponent.as_integer_ratio()
    half = d << hint.halvings
    if hint.part < exponent or n >= half:
        return False
    z = half * unit // (half - n) + 1
    for _ in range(hint.halvings):
        z = z * z // unit + 1
    return z <= number * unit
