"""The trusted kernel: check a certificate, trusting nothing but this folder and the interpreter.

    python verify/kernel [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM...]

A certificate carries everything it speaks of and one claim, which the kernel derives again in
exact arithmetic: it says what it proved and from how many facts, or why it refused. Given the files
that the certificate was made from, it reads them itself and refuses when they differ.
`CERTIFICATES.md` has the format, the side conditions of every rule and the proofs of soundness.

Read `reading`, `files` and this file first, which every rule stands on; then `level` (e^level) and
`space` (frameworks, mechanisms) where the rule uses them, and the rule:

    leakage    what mechanisms leak, alone and together    rates    how leakage grows with runs
    optima     linear programs, worst cases                algebra  pure mathematics
    redaction  what a redaction of a binary chain leaks    designs  what no redaction exceeds
    noise      what noise on a sum of records leaks
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import algebra, designs, leakage, noise, optima, rates
from .designs import redaction
from .files import MAX_BYTES as MAX_BYTES
from .files import certificate_in, contents
from .files import longest as longest
from .level import enclosure
from .reading import MAX_WORK as MAX_WORK
from .reading import WORK, Node
from .reading import Accepted as Accepted
from .reading import NotJSON as NotJSON
from .reading import Refused as Refused
from .reading import TooLarge as TooLarge

KINDS: dict[str, Callable[[str, Node, Sequence[str]], Accepted]] = {
    **dict.fromkeys(leakage.RULES, leakage.check),
    **dict.fromkeys(rates.RULES, rates.check),
    **dict.fromkeys(optima.RULES, optima.check),
    **dict.fromkeys(algebra.RULES, algebra.check),
    **dict.fromkeys(redaction.RULES, redaction.check),
    **dict.fromkeys(designs.RULES, designs.check),
    **dict.fromkeys(noise.RULES, noise.check),
}


def check(certificate: str, framework: str | None = None, mechanisms: Sequence[str] = (), work: int = 0) -> Accepted:
    """Check a certificate, and the files it was made from if given.

    Raises `Refused`, `TooLarge` where more bit operations are needed than `work` (0: the default)
    allows, `NotJSON` or `OSError`.
    """
    begin(work)
    given = framework is not None or len(mechanisms) > 0
    paths = [framework or "", *mechanisms] if given else []
    return judged(certificate, contents(certificate), paths)


def check_bytes(data: bytes, work: int = 0) -> Accepted:
    """Check the content of a certificate file. Raises as `check` does."""
    begin(work)
    return judged("the certificate", data, [])


def begin(work: int) -> None:
    """Count from nothing: what a check counts does not depend on those before it."""
    WORK.begin(work)
    for cached in (enclosure, rates.logarithm, rates.artanh):
        cached.cache_clear()


def judged(path: str, data: bytes, paths: Sequence[str]) -> Accepted:
    """Apply the rule of the certificate's kind."""
    top = certificate_in(path, data)
    kind = Node(top.of(dict).get("kind"), f"{top.where}.kind").one_of([*KINDS])
    return KINDS[kind](kind, top, paths)
