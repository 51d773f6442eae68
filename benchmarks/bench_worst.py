"""Worst cases over all mechanisms: the closed form, extreme rays by three enumerators, and certified intervals.

Times are taken by pytest-benchmark, all in one run; what each row of the table says is in its `extra_info`. The enumerators
pplpy and pycddlib are optional (GPL) and only compared with. Nothing here asserts a time.
"""

from fractions import Fraction

import pytest
from instances import bit_chain, two_secrets

from pufferproof.lp.cones import Columns
from pufferproof.lp.rays import extreme_rays
from pufferproof.lp.worst_composition import worst_composition

DATABASES = 1024
STAY = Fraction(3, 4)


@pytest.fixture(scope="module")
def four_bits():
    return bit_chain(4, STAY)


@pytest.fixture(scope="module")
def cone(four_bits):
    return Columns(four_bits).cone(Fraction(2), Fraction(3, 2))


def test_closed_form(benchmark):
    framework = two_secrets(DATABASES)
    benchmark.extra_info |= {"what": "worst case, one pair and one prior, 1,024 databases", "target": "under 1 s"}
    found = benchmark.pedantic(worst_composition, (framework, ["log(2)", "log(2)"]), rounds=5)
    assert found.finite is False


def test_four_bits_by_rays(benchmark, four_bits):
    arguments = (four_bits, ["log(2)", "log(2)"], "log(3/2)")
    found = benchmark.pedantic(worst_composition, arguments, {"engine": "own"}, rounds=1)
    assert (found.method, found.lower) == ("extreme rays", Fraction(76136, 17833))
    benchmark.extra_info |= {
        "what": "worst case, 4-bit chain, budgets log 2 twice, per-record DP log(3/2)",
        "compared": f"{found.rays[0]:,} rays, all pairs",
        "target": "under 15 s",
    }


@pytest.mark.parametrize("engine", ["own", "ppl"])
def test_rays(benchmark, cone, engine):
    if engine == "ppl":
        pytest.importorskip("ppl", reason="pplpy is an optional extra")
    rays = benchmark.pedantic(extreme_rays, (cone, engine), rounds=3 if engine == "ppl" else 1)
    benchmark.extra_info |= {"what": f"extreme rays of that cone, {engine}", "compared": f"{len(rays):,} rays"}


def test_rays_by_cdd(benchmark, cone):
    cdd = pytest.importorskip("cdd.gmp", reason="pycddlib is not installed")
    units = [[int(x == y) for y in range(cone.dimension)] for x in range(cone.dimension)]
    rows = [[0, *row] for row in (*units, *cone.inequalities)]
    module = pytest.importorskip("cdd", reason="pycddlib is not installed")

    def enumerate_rays():
        matrix = cdd.matrix_from_array(rows, rep_type=module.RepType.INEQUALITY)
        return cdd.copy_generators(cdd.polyhedron_from_matrix(matrix)).array

    found = benchmark.pedantic(enumerate_rays, rounds=1)
    rays = [row for row in found if row[0] == 0]
    assert len(rays) == len(extreme_rays(cone))
    benchmark.extra_info |= {"what": "extreme rays of that cone, pycddlib (GMP)", "compared": f"{len(rays):,} rays"}


INTERVALS = [(4, "log(3/2)", "log(2)", 60, "gap under 7%"), (5, "log(2)", "log(3/2)", 60, "gap reported")]


@pytest.mark.parametrize(("bits", "budget", "side", "seconds", "target"), INTERVALS)
def test_interval(benchmark, bits, budget, side, seconds, target):
    arguments = (bit_chain(bits, STAY), [budget, budget], side)
    found = benchmark.pedantic(worst_composition, arguments, {"engine": "own", "seconds": seconds}, rounds=1)
    gap = "no upper bound" if found.upper is None else f"gap {float(found.upper / found.lower - 1):.2%}"
    benchmark.extra_info |= {
        "what": f"certified interval, {bits}-bit chain, budgets {budget} twice, per-record DP {side}",
        "compared": f"{seconds} s allowed",
        "ratio": gap,
        "target": target,
    }
