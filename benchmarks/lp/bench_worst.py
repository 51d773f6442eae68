"""Worst cases over all mechanisms: the closed form, and certified bounds.

Times are taken by pytest-benchmark, all in one run; what each row of the table says is in its
`extra_info`. pplpy is optional (GPL). Nothing here asserts a time.
"""

from fractions import Fraction
from pathlib import Path
from time import perf_counter

import pytest
from benchmarks.instances import bit_chain, two_secrets

from pufferproof import Level, read_framework, worst_composition
from pufferproof.verify.decision import Decision

DATABASES = 1024
STAY = Fraction(3, 4)
METER = Path(__file__).parents[2] / "examples" / "correlated" / "smart-meter" / "framework.json"


@pytest.fixture(scope="module")
def four_bits():
    return bit_chain(4, STAY)


def test_closed_form(benchmark):
    framework = two_secrets(DATABASES)
    benchmark.extra_info |= {"what": "worst case, one pair and one prior, 1,024 databases", "target": "under 1 s"}
    found = benchmark.pedantic(worst_composition, (framework, ["log(2)", "log(2)"]), rounds=5)
    assert found.finite is Decision.FAILS


@pytest.mark.parametrize(
    ("instance", "per_record", "target"),
    [("4-bit chain", Fraction(3, 2), "under 0.5 s"), ("smart meter of README", Fraction(2), "under 2 s")],
)
def test_worst_case_of_bits(benchmark, four_bits, instance, per_record, target):
    framework = four_bits if "chain" in instance else read_framework(METER).value
    arguments = (framework, ["log(2)", "log(2)"], Level.log(per_record))
    found = benchmark.pedantic(worst_composition, arguments, rounds=3, warmup_rounds=1)
    assert found.method == "bounds"
    assert found.lower == found.upper
    benchmark.extra_info |= {
        "what": f"worst case, {instance}, budgets log 2 twice, per-record DP {Level.log(per_record)}",
        "compared": "bounds that meet",
        "target": target,
    }


def test_limit(benchmark):
    """Five bits, which take minutes: the answer comes when its time is up, and is an interval."""
    limit, framework = 5.0, bit_chain(5, STAY)
    asked = framework, ["log(3/2)"] * 2, "log(2)", limit
    start = perf_counter()  # the limit is one of the clock on the wall
    found = benchmark.pedantic(worst_composition, asked, rounds=1)
    seconds = perf_counter() - start
    benchmark.extra_info |= {
        "seconds": seconds,
        "what": f"worst case, 5-bit chain, limit of {limit:.0f} s",
        "compared": f"reaches {float(found.lower):.4f}",
        "ratio": f"{seconds / limit:.2f} x the limit",
        "target": "at most 1.1 x",
    }
