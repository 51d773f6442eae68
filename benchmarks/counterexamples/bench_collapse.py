"""Collapse: the three engines on 32 databases, Z3 beside its bare formula, and the smallest
mechanisms.

Times are taken by pytest-benchmark, all in one run; `table.py` turns them into ratios. Nothing here
asserts a time.
"""

from fractions import Fraction

import pytest

from pufferproof import Framework, MarkovChain, Records, Table, critical_ratio
from pufferproof.counterexamples.collapse.search import Collapse, Impossible, search_collapse
from pufferproof.counterexamples.shrink import STAGES, shrink_collapse
from pufferproof.lp.cones.columns import Columns

BITS = 5


def bits(count):
    """All bits of a chain with stay probability 3/4 secret."""
    stay = Fraction(3, 4)
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    chain = MarkovChain("stationary", [[stay, 1 - stay], [1 - stay, stay]])
    return Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"chain": chain})


@pytest.mark.parametrize("budget", ["log(1)", "log(2)"])
@pytest.mark.parametrize("engine", ["lp", "z3"])
def test_collapse_on_32_databases(benchmark, engine, budget):
    framework = bits(BITS)
    found = benchmark.pedantic(search_collapse, (framework, [budget]), {"engine": engine}, rounds=5, warmup_rounds=1)
    assert isinstance(found, Collapse)
    benchmark.extra_info |= {"what": f"collapse by `{engine}`, 32 databases, budget {budget}, found and audited"}
    benchmark.extra_info["target"] = "under 1 s" if engine == "z3" else ""


def test_collapse_by_rays_on_32_databases(benchmark):
    found = benchmark.pedantic(search_collapse, (bits(BITS), ["log(1)"]), {"engine": "rays"}, rounds=3)
    benchmark.extra_info["what"] = "collapse by `rays`, 32 databases, budget log(1), found and audited"
    assert isinstance(found, Collapse)


@pytest.mark.parametrize("engine", ["lp", "rays", "z3"])
def test_impossible_on_8_databases(benchmark, engine):
    """Three uniform bits with all parities secret: below log(4/3) nothing collapses."""
    labels = [format(x, "03b") for x in range(8)]
    secrets = {
        f"p{mask}={value}": [x for x in labels if bin(int(x, 2) & mask).count("1") % 2 == value]
        for mask in range(1, 8)
        for value in (0, 1)
    }
    pairs = [(f"p{mask}=0", f"p{mask}=1") for mask in range(1, 8)]
    framework = Framework(labels, secrets, pairs, {"uniform": Table(dict.fromkeys(labels, "1/8"))})
    found = benchmark.pedantic(search_collapse, (framework, ["log(5/4)"]), {"engine": engine}, rounds=3)
    assert isinstance(found, Impossible)
    benchmark.extra_info["what"] = f"collapse by `{engine}`, three bits and all parities, proved impossible"


def test_critical_budget(benchmark):
    found = benchmark.pedantic(critical_ratio, (Columns(bits(2)), 2), rounds=5)
    assert found.lower == 1
    benchmark.extra_info["what"] = "critical budget of two bits, to 1e-12"


def test_smallest_mechanisms(benchmark):
    found = search_collapse(bits(3), ["log(1)"])
    shrunk = benchmark.pedantic(shrink_collapse, (found, None), rounds=3)
    assert shrunk.proved == STAGES
    benchmark.extra_info["what"] = "smallest collapse of three bits, every stage proved"
