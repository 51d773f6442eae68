"""The slow kernel: whether the statement of a certificate is true, from its framework and its
mechanisms alone, by definitions and enumeration, and nothing that the kernel has.

    python -m tests.kernel.slow.judging CERTIFICATE

`true`, `false` or `not judged`. What proves a claim (cells, cuts, widths, betas, bits) is not
looked at. Where a claim is about all chains of a class, all multipliers or all mechanisms, examples
are tried, and what they do not refute is not judged.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.kernel.slow import mathematics, runs
from tests.kernel.slow.classes import class_at_most, class_more
from tests.kernel.slow.deltas import delta_at_most, delta_more
from tests.kernel.slow.finite import FINITE
from tests.kernel.slow.numbers import Unjudged, Wrong
from tests.kernel.slow.records import leaks_at_most, leaks_more
from tests.kernel.slow.redaction import designs, leakage

LONGEST = 20_000  # bytes of a certificate that is judged

JUDGES: dict[str, Callable[[Any], bool]] = {
    **FINITE,
    "nfc": runs.nfc,
    "nfc-violation": runs.nfc_violation,
    "rate": runs.rate,
    "lp-optimum": mathematics.program,
    "polynomial-inequality": mathematics.polynomials,
    "farkas": mathematics.farkas,
    "exp-enclosure": mathematics.enclosure,
    "redaction-leakage": leakage,
    "redaction-designs": designs,
    "noise-leakage-at-most": leaks_at_most,
    "noise-leakage-witness": leaks_more,
    "noise-delta-at-most": delta_at_most,
    "noise-delta-witness": delta_more,
    "noise-class-at-most": class_at_most,
    "noise-class-witness": class_more,
}


def judged(certificate: Any) -> bool | None:
    """Say whether a statement is true, None if that is not judged."""
    judge = JUDGES.get(certificate["kind"])
    try:
        return judge(certificate) if judge else None
    except Unjudged:
        return None
    except Wrong:
        return False


def of_file(data: bytes) -> bool | None:
    """Judge a file, if it is short."""
    return judged(json.loads(data, parse_float=str)) if len(data) <= LONGEST else None


if __name__ == "__main__":
    print({True: "true", False: "false", None: "not judged"}[of_file(Path(sys.argv[1]).read_bytes())])
