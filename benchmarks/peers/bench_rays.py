"""Extreme rays of a cone of channel columns beside pplpy, pycddlib and cddlib.

The cone is that of two budgets of log 2 on four bits, per-record DP log(3/2). pplpy and pycddlib
are optional (GPL) and only compared with; `cddexec_gmp` is a program of the system. Nothing here
asserts a time.
"""

import shutil
import subprocess
from fractions import Fraction

import numpy as np
import pytest
from benchmarks.instances import bit_chain
from benchmarks.peers.beside import beside, of_the_system, packaged, timed

from pufferproof.lp.cones.columns import Columns, primitive
from pufferproof.lp.cones.rays import extreme_rays, ordered_rows

WHAT = "extreme rays of a cone of 16 dimensions, 3,400 rays"
BITS, STAY = 4, Fraction(3, 4)


@pytest.fixture(scope="module")
def cone():
    return Columns(bit_chain(BITS, STAY)).cone(Fraction(2), Fraction(3, 2))


@pytest.fixture(scope="module")
def ours(cone):
    """How long ours take, and which they are: every peer is compared with these."""
    seconds, rays = timed(lambda: extreme_rays(cone))
    assert len(rays) == 3400
    return seconds, {tuple(ray) for ray in rays}


@pytest.fixture(scope="module")
def rows(cone):
    """The inequalities 0 <= row . u, after a constant of 0, as cddlib takes them."""
    units = [[int(x == y) for y in range(cone.dimension)] for x in range(cone.dimension)]
    return [[0, *map(int, row)] for row in (*units, *cone.inequalities)]


def test_rays_beside_ppl(benchmark, cone, ours):
    """The library alone, all rows at once."""
    ppl = pytest.importorskip("ppl", reason="make bench installs pplpy")

    def theirs():
        unknowns = [ppl.Variable(place) for place in range(cone.dimension)]
        system = ppl.Constraint_System()
        for unknown in unknowns:
            system.insert(unknown >= 0)
        for row in cone.inequalities:
            terms = (int(entry) * unknown for entry, unknown in zip(row, unknowns) if entry)
            system.insert(sum(terms, ppl.Linear_Expression(0)) >= 0)
        listed = ppl.C_Polyhedron(system).minimized_generators()
        rays = [line for line in listed if line.is_ray()]
        return [[int(ray.coefficient(unknown)) for unknown in unknowns] for ray in rays]

    others = benchmark.pedantic(theirs, rounds=1)
    assert {tuple(primitive(ray)) for ray in others} == ours[1]
    compared(benchmark, packaged("pplpy"), ours[0], "the same set of integer vectors")


def test_rays_beside_ppl_in_our_order(benchmark, cone, ours):
    """The same library, which is given a few of the rows at a time, in the order of ours."""
    pytest.importorskip("ppl", reason="make bench installs pplpy")
    asked = cone.dimension, ordered_rows(cone)
    others = benchmark.pedantic(listed, asked, rounds=1)
    assert {tuple(primitive(ray)) for ray in others} == ours[1]
    peer = f"{packaged('pplpy')}, rows in our order"
    compared(benchmark, peer, ours[0], "the same set of integer vectors")


def listed(dimension, rows, step=8):
    """List the rays, so many rows at a time."""
    import ppl

    unknowns = [ppl.Variable(place) for place in range(dimension)]
    held = ppl.C_Polyhedron(dimension, "universe")
    for unknown in unknowns:
        held.add_constraint(unknown >= 0)
    for start in range(0, len(rows), step):
        for row, equal in rows[start : start + step]:
            terms = (int(entry) * unknown for entry, unknown in zip(row, unknowns) if entry)
            value = sum(terms, ppl.Linear_Expression(0))
            held.add_constraint(value == 0 if equal else value >= 0)
        held.minimized_generators()
    rays = [line for line in held.minimized_generators() if line.is_ray()]
    return [[int(ray.coefficient(unknown)) for unknown in unknowns] for ray in rays]


def compared(benchmark, peer, seconds, answers):
    """Say what a peer found: the benchmark has timed it, not us."""
    beside(benchmark, WHAT, peer, benchmark.stats.stats.median, answers)
    benchmark.extra_info["seconds"] = seconds


def test_rays_beside_pycddlib(benchmark, ours, rows):
    cdd = pytest.importorskip("cdd", reason="make bench installs pycddlib")

    def theirs():
        matrix = cdd.matrix_from_array(rows, rep_type=cdd.RepType.INEQUALITY)
        return cdd.copy_generators(cdd.polyhedron_from_matrix(matrix)).array

    array = benchmark.pedantic(theirs, rounds=1)
    others = np.array([row[1:] for row in array if row[0] == 0])
    apart = unmatched(others, ours[1])
    assert (len(others), apart) == (len(ours[1]), 0)
    answers = f"{len(others):,} rays in floats, {apart} of them further than 1e-9 from one of ours"
    compared(benchmark, f"{packaged('pycddlib-standalone')} (floats)", ours[0], answers)


def unmatched(others, found):
    """How many rays in floats have no exact ray within 1e-9, both of largest entry 1."""
    exact = np.array([[entry / max(ray) for entry in ray] for ray in sorted(found)])
    scaled = others / others.max(axis=1, keepdims=True)
    return sum(np.abs(exact - row).max(axis=1).min() > 1e-9 for row in scaled)


def test_rays_beside_cddlib(benchmark, cone, ours, rows):
    """In exact arithmetic, with reading and writing them as text."""
    if shutil.which("cddexec_gmp") is None:
        pytest.skip("cddexec_gmp is not installed: libcdd-tools of Debian")
    lines = [" ".join(map(str, row)) for row in rows]
    size = f"{len(rows)} {cone.dimension + 1} rational"
    text = "\n".join(["H-representation", "begin", size, *lines, "end", ""])

    def theirs():
        command = ["cddexec_gmp", "--rep"]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True)

    said = benchmark.pedantic(theirs, rounds=1)
    listed = said.stdout.partition("begin")[2].partition("end")[0].splitlines()[2:]
    vectors = [[Fraction(word) for word in line.split()] for line in listed]
    others = {tuple(primitive(row[1:])) for row in vectors if row and row[0] == 0}
    assert others == ours[1]
    peer = f"cddlib {of_the_system('libcdd-tools')} (GMP)"
    compared(benchmark, peer, ours[0], "the same set of vectors")
