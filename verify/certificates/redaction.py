"""Certificates of what a redaction mechanism leaks about one record of a binary chain, as
the kernel checks them.

Nothing is searched here: the kernel derives the leakage again from the certificate. See
CERTIFICATES.md.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.models.sequences.binary import BinaryChain, Pair, private_records
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.certificates.writing import FORMAT, Inputs, level_json
from pufferproof.verify.sequences.redaction.leakage import RedactionLeakage, redaction_leakage

PRECISION = 256  # bits of slopes where exact integers would grow too long
_MOST_EXACT = 2_000_000_000  # bits of exact slopes, all together, that are worth it


def leakage_certificate(
    chain: BinaryChain,
    mechanism: LocalRedaction,
    private: int,
    level: Level | None = None,
    inputs: Inputs | None = None,
) -> dict[str, object]:
    """Return a certificate of the leakage about X_p: with a level that it holds or is exceeded,
    else what it equals.

    Args:
        inputs: the SHA-256 of a framework file and of one mechanism file, which the kernel then
            reads again.

    >>> mechanism = LocalRedaction([["1", "1"], ["1/8", "1"]])
    >>> leakage_certificate(BinaryChain("1/4", "1/2", 2), mechanism, 1)["claim"]
    {'relation': '=', 'level': {'log': '18/11'}, 'output': '**'}

    Raises `CertificateError` where the leakage is known as an enclosure only and no level is given,
    or the level lies in it.
    """
    (private,) = private_records(private, chain.length)
    largest = redaction_leakage(chain, mechanism, private)
    given = inputs if inputs is not None else Inputs()
    return {
        "format": FORMAT,
        "kind": "redaction-leakage",
        "chain": chain_json(chain),
        "private": private,
        "redaction": runs_json(mechanism.rows),
        "precision": precision(chain, mechanism.rows),
        "inputs": {"framework": given.framework, "mechanism": given.mechanisms[0]},
        "claim": _claim(largest, level),
    }


def _claim(largest: RedactionLeakage, level: Level | None) -> dict[str, object]:
    lower, upper = largest.leakage.lower, largest.leakage.upper
    if level is None and lower is not None and lower != upper:
        raise CertificateError("the leakage is known as an enclosure: ask for a level to get a certificate")
    if level is None:
        equal = "inf" if lower is None else level_json(Level.log(lower))
        return {"relation": "=", "level": equal, "output": largest.output}
    if lower is None or level.compare(lower) > 0:
        return {"relation": ">", "level": level_json(level), "output": largest.output}
    if upper is None or level.compare(upper) > 0:
        raise CertificateError(f"the leakage is not known precisely enough to compare it with {level}")
    return {"relation": "<=", "level": level_json(level), "output": None}


def chain_json(chain: BinaryChain) -> dict[str, object]:
    """Return a chain as certificates have it."""
    start = chain.initial
    return {
        "alpha": text_of(chain.alpha),
        "beta": text_of(chain.beta),
        "length": chain.length,
        "initial": start if start == "stationary" else [text_of(value) for value in start],
    }


def runs_json(rows: Iterable[Sequence[Fraction]]) -> list[list[object]]:
    """Return rows as runs [count, numbers] of equal ones.

    >>> runs_json([(Fraction(1),), (Fraction(1),), (Fraction(1, 2),)])
    [[2, '1'], [1, '1/2']]
    """
    return [[sum(1 for _ in group), *map(text_of, row)] for row, group in groupby(map(tuple, rows))]


def precision(chain: BinaryChain, rows: Sequence[Pair]) -> int | None:
    """Return None if exact slopes stay short enough for the kernel, else the number of bits
    to keep.
    """
    step = (chain.alpha.denominator * chain.beta.denominator).bit_length()
    bits = total = 0
    for zero, one in rows:
        bits = 0 if zero < 1 and one < 1 else bits + step + (zero.denominator * one.denominator).bit_length()
        total += bits
    return None if 4 * total <= _MOST_EXACT else PRECISION
