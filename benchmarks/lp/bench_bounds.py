"""Certified bounds of two releases where extreme rays are too many: chains of bits, and
certificates.

All bits are secret. Times are taken by pytest-benchmark, all in one run; each row of the table is
in its `extra_info`. Nothing here asserts a time.
"""

import json
from fractions import Fraction
from math import log

import pytest
from benchmarks.instances import bit_chain

from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.worst.at_ratios import bound_two
from pufferproof.lp.worst.certificates import worst_certificate
from pufferproof.verify import kernel

STAY = Fraction(3, 4)
BUDGET, PER_RECORD = Fraction(3, 2), Fraction(2)


def bounds(bits, seconds, stay=STAY, budget=BUDGET, per_record=PER_RECORD):
    columns = Columns(bit_chain(bits, stay))
    cone = columns.cone(budget, per_record)
    return columns, bound_two(columns, (cone, cone), seconds)


@pytest.mark.parametrize(
    ("bits", "seconds", "levels", "target"),
    [
        (3, 60, (STAY, BUDGET, PER_RECORD), "exact in seconds"),
        (4, 60, (STAY, BUDGET, PER_RECORD), "gap under 7% in 60 s"),
        (5, 20, (Fraction(9, 10), Fraction(2), Fraction(3, 2)), "gap under 1% in 120 s"),
        (5, 120, (STAY, BUDGET, PER_RECORD), "gap under 1% in 120 s"),
    ],
)
def test_bounds(benchmark, bits, seconds, levels, target):
    _, found = benchmark.pedantic(bounds, (bits, seconds, *levels), rounds=1)
    stay, budget, per_record = levels
    ratio = float((found.upper - found.lower) / found.lower)
    nats = log(found.upper / found.lower) / log(found.lower)
    benchmark.extra_info |= {
        "what": f"bounds, {bits}-bit chain that stays with {stay}, budgets log({budget}) twice, "
        f"per-record DP log({per_record}), at most {seconds} s (a part of `worst`)",
        "compared": f"{found.nodes} programs",
        "ratio": "exact" if found.exact else f"gap {ratio:.2%} of the ratio, {nats:.2%} of the nats",
        "target": target,
    }


def test_certificate_of_bounds(benchmark, tmp_path):
    columns, found = bounds(3, 60)
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(worst_certificate(columns, found, [BUDGET] * 2, PER_RECORD)), encoding="utf-8")
    checked = benchmark.pedantic(kernel.check, (str(path),), rounds=3).checked
    benchmark.extra_info |= {"what": "kernel, certificate of the 3-bit chain", "compared": f"{checked} identities"}
