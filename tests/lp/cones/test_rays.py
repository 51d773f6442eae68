"""Extreme rays: against all choices of tight constraints, the closed form, and the Parma
Polyhedra Library.
"""

import importlib.util
import json
import random
import subprocess
import time
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute.rays import closed_form_rays

from pufferproof import ModelError
from pufferproof.lp.cones.columns import Cone, OrderedLaws, primitive
from pufferproof.lp.cones.complete import is_complete
from pufferproof.lp.cones.ppl_child import enumerated
from pufferproof.lp.cones.rays import TooManyRaysError, extreme_rays


def kernel_line(rows, size):
    """Return a vector that spans the kernel of `rows`, None unless the kernel is a line."""
    matrix, pivots = [[Fraction(entry) for entry in row] for row in rows], []
    for column in range(size):
        place = next((i for i in range(len(pivots), len(matrix)) if matrix[i][column]), None)
        if place is None:
            continue
        top = len(pivots)
        matrix[top], matrix[place] = matrix[place], matrix[top]
        matrix[top] = [entry / matrix[top][column] for entry in matrix[top]]
        for i, row in enumerate(matrix):
            if i != top and row[column]:
                matrix[i] = [a - row[column] * b for a, b in zip(row, matrix[top])]
        pivots.append(column)
    free = [column for column in range(size) if column not in pivots]
    if len(free) != 1:
        return None
    line = [Fraction(0)] * size
    line[free[0]] = Fraction(1)
    for i, column in enumerate(pivots):
        line[column] = -matrix[i][free[0]]
    return line


def brute_rays(cone):
    """Return every extreme ray: the lines on which enough constraints are tight, as far as they
    lie in the cone.
    """
    size = cone.dimension
    units = [tuple(int(x == y) for y in range(size)) for x in range(size)]
    found = set()
    rows = [*units, *cone.inequalities]
    for count in range(size):
        for tight in combinations(rows, count):
            line = kernel_line([*tight, *cone.equations], size)
            if line is not None:
                line = line if sum(line) > 0 else [-entry for entry in line]
                if cone.holds(line):
                    found.add(primitive(line))
    return tuple(sorted(found))


@st.composite
def cones(draw):
    size = draw(st.integers(1, 4))
    row = st.tuples(*[st.integers(-3, 3)] * size)
    return Cone(
        size, tuple(draw(st.lists(row, max_size=4))), tuple(draw(st.lists(row, max_size=1)))
    )


@given(cones())
@examples(150)
def test_double_description_agrees_with_all_choices_of_tight_constraints(cone):
    assert extreme_rays(cone, "own") == brute_rays(cone)


@given(cones(), st.randoms(use_true_random=False))
@examples(100)
def test_the_order_of_rows_and_databases_changes_nothing(cone, random):
    moved = random.sample(range(cone.dimension), cone.dimension)

    def mixed(rows):
        doubled = [tuple(2 * row[x] for x in moved) for row in (*rows, *rows[:1])]
        return tuple(random.sample(doubled, len(doubled)))

    found = extreme_rays(Cone(cone.dimension, mixed(cone.inequalities), mixed(cone.equations)))
    assert found == tuple(sorted(tuple(ray[x] for x in moved) for ray in extreme_rays(cone)))


@given(cones())
@examples(100)
def test_both_engines_agree(cone):
    pytest.importorskip("ppl", reason="pplpy is an optional extra")
    rows = [
        *((list(row), True) for row in cone.equations),
        *((list(row), False) for row in cone.inequalities),
    ]
    rays = [
        [int(entry, 16) for entry in ray] for ray in enumerated(cone.dimension, rows, 1000)["rays"]
    ]
    assert sorted(map(primitive, rays)) == [*extreme_rays(cone, "own")]


@pytest.mark.parametrize("power", [1, 700])
def test_both_engines_agree_where_numbers_are_long(power):
    """Up to 8,400 digits: more than Python converts to decimal text."""
    pytest.importorskip("ppl", reason="pplpy is an optional extra")
    cone = Cone(
        4,
        tuple(
            tuple(entry**power if entry > 0 else entry for entry in row)
            for row in long_cone().inequalities
        ),
    )
    assert extreme_rays(cone, "ppl") == extreme_rays(cone, "own")


def test_both_engines_keep_the_limit_of_rays():
    pytest.importorskip("ppl", reason="pplpy is an optional extra")
    with pytest.raises(TooManyRaysError, match="over 10 rays"):
        extreme_rays(all_ratios(6), "ppl", limit=10)


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Put a module `ppl` of some text where the process of the engine finds it, as if it were
    installed.
    """

    def installed(text):
        (tmp_path / "installed").mkdir()
        (tmp_path / "installed" / "ppl.py").write_text(text, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "installed"))
        monkeypatch.setattr("importlib.util.find_spec", lambda name: name)

    return installed


def test_a_library_that_does_not_end_is_stopped_in_time(library):
    library("import time\ntime.sleep(1000)")
    start = time.monotonic()
    with pytest.raises(TooManyRaysError, match="out of time, ppl was stopped"):
        extreme_rays(Cone(2, ()), "ppl", seconds=0.3)
    assert time.monotonic() - start < 500


def test_a_library_that_crashes_has_listed_nothing(library):
    library("import os\nos._exit(7)")
    with pytest.raises(TooManyRaysError, match="exit code 7"):
        extreme_rays(Cone(2, ()), "ppl")


@pytest.mark.parametrize(
    "said", ["", "[]", "1", '{"rays": [["z"]]}', '{"rays": 1}', "{}", "[" * 9999]
)
def test_a_library_that_answers_rubbish_has_listed_nothing(said, monkeypatch):
    done = SimpleNamespace(returncode=0, stdout=said)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    with pytest.raises(TooManyRaysError, match="ppl answered no list"):
        extreme_rays(Cone(2, ()), "ppl")


@given(cones(), st.randoms())
@examples(100)
def test_a_list_of_rays_is_complete_where_it_is_the_one_by_the_definition(cone, draw):
    rays = brute_rays(cone)
    others = [
        rays[1:],
        rays[:-1],
        draw.sample(rays, len(rays) // 2),
        [*rays, tuple(map(sum, zip(*rays)))],
        [tuple(entry + draw.randint(0, 1) for entry in ray) for ray in rays],
        [ray[::-1] for ray in rays],
        [ray[1:] for ray in rays],
        [tuple(2 * entry for entry in ray) for ray in rays],
        [*rays, *(tuple(2 * entry for entry in ray) for ray in rays[:1])],
    ]
    for said in (rays, *others):
        same = bool(rays) and sorted(map(tuple, said)) == [*rays]
        assert is_complete(cone, [*map(tuple, said)], extreme_rays) == same


WRONG = {
    "one is missing": lambda rays: rays[1:],
    "one is there twice, another not": lambda rays: [*rays[1:], rays[-1]],
    "one is another": lambda rays: [[entry + k for k, entry in enumerate(rays[0])], *rays[1:]],
    "one is negative": lambda rays: [[-entry for entry in rays[0]], *rays[1:]],
    "one is a sum": lambda rays: [*rays, [sum(column) for column in zip(*rays)]],
    "one is zero": lambda rays: [*rays, [0] * len(rays[0])],
    "one is short": lambda rays: [*rays, rays[0][1:]],
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_rays_of_a_library_are_no_rays(kind, monkeypatch):
    cone = all_ratios(4)
    true = extreme_rays(cone)
    said = [[format(entry, "x") for entry in ray] for ray in WRONG[kind]([*map(list, true)])]
    done = SimpleNamespace(returncode=0, stdout=json.dumps({"rays": said}))
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    with pytest.raises(TooManyRaysError, match="ppl listed other rays"):
        extreme_rays(cone, "ppl")
    done.stdout = '{"rays": []}'
    assert extreme_rays(cone, "ppl") == true


def test_a_library_that_cannot_be_imported_counts_as_missing(library):
    library("raise ImportError('no libppl')")
    with pytest.raises(ModelError, match="needs the package pplpy"):
        extreme_rays(Cone(2, ()), "ppl")


def test_no_file_of_the_working_directory_is_imported(library, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    for name in ("ppl", "json", "signal", "typing"):
        (tmp_path / "here" / f"{name}.py").write_text(
            "open('imported', 'w').close()\n", encoding="utf-8"
        )
    library("raise ImportError")
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(ModelError, match="needs the package pplpy"):
        extreme_rays(Cone(2, ()), "ppl")
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [
        "json.py",
        "ppl.py",
        "signal.py",
        "typing.py",
    ]


def long_cone():
    """Return a cone whose rays do not fit 64 bits."""
    generator = random.Random(5)
    rows = [tuple(generator.randint(-(10**12), 10**12) for _ in range(3)) for _ in range(4)]
    return Cone(4, tuple((*row, abs(sum(row)) + 1) for row in rows))


def test_numbers_beyond_64_bits_are_exact():
    found = extreme_rays(long_cone(), "own")
    assert found == brute_rays(long_cone())
    assert max(map(max, found)) > 2**64


def test_the_rays_of_the_orthant_are_the_unit_vectors():
    assert extreme_rays(Cone(3, ()), "own") == ((0, 0, 1), (0, 1, 0), (1, 0, 0))


def test_a_cone_of_the_origin_alone_has_no_rays():
    assert extreme_rays(Cone(2, ((-1, -1),)), "own") == ()


def test_the_cube_has_one_ray_for_every_three_proper_three_colourings():
    """Per-bit differential privacy at level log 2 on {0,1}^n, n = 2, 3, 4: 18 / 3, 114 / 3 and
    2,970 / 3 rays, all of them powers of 2. At most twice as many are held in between.
    """
    for bits, count in ((1, 2), (2, 6), (3, 38), (4, 990)):
        size = 1 << bits
        rows = [
            tuple(2 if z == y else -1 if z == x else 0 for z in range(size))
            for x in range(size)
            for y in range(size)
            if (x ^ y).bit_count() == 1
        ]
        found = extreme_rays(Cone(size, tuple(rows)), "own", limit=2 * count)
        assert len(found) == count
        assert all(entry & (entry - 1) == 0 for ray in found for entry in ray)


weights = st.lists(st.integers(0, 4), min_size=5, max_size=5)


@given(weights, weights, st.fractions(1, 5, max_denominator=6), st.booleans())
@examples(300)
def test_the_closed_form_of_one_pair_and_one_prior(mu, nu, ratio, one_sided):
    """Supports may overlap, be disjoint or leave databases out."""
    if not sum(mu) or not sum(nu):
        return
    forward = OrderedLaws(tuple(mu), tuple(nu), sum(mu), sum(nu), ())
    backward = OrderedLaws(tuple(nu), tuple(mu), sum(nu), sum(mu), ())
    laws = [forward] if one_sided else [forward, backward]
    rows = [
        primitive(
            [
                ratio * Fraction(n, each.nu_total) - Fraction(m, each.mu_total)
                for m, n in zip(each.mu, each.nu)
            ]
        )
        for each in laws
    ]
    cone = Cone(5, (), tuple(rows)) if ratio == 1 else Cone(5, tuple(rows))
    assert closed_form_rays(laws, ratio) == extreme_rays(cone, "own")


def all_ratios(size):
    """Return the cone of vectors whose entries are at most 3 times one another."""
    both = [(x, y) for x in range(size) for y in range(size) if x != y]
    return Cone(
        size,
        tuple(tuple(3 if z == y else -1 if z == x else 0 for z in range(size)) for x, y in both),
    )


def test_an_enumeration_that_is_stopped_says_so_and_returns_nothing():
    with pytest.raises(TooManyRaysError, match="over 10 rays"):
        extreme_rays(all_ratios(6), "own", limit=10)
    with pytest.raises(TooManyRaysError, match="out of time"):
        extreme_rays(all_ratios(6), "own", seconds=0)


def test_an_engine_that_is_unknown_or_not_installed_is_refused(monkeypatch):
    with pytest.raises(ModelError, match='expected "own" or "ppl", found \'cdd\''):
        extreme_rays(Cone(1, ()), "cdd")  # type: ignore[arg-type]
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"engine: .* needs the package pplpy"):
        extreme_rays(Cone(1, ()), "ppl")


def test_the_engine_of_the_project_is_the_one_that_is_asked(monkeypatch):
    monkeypatch.setattr("subprocess.run", lambda *_, **__: pytest.fail("a process was started"))
    assert len(extreme_rays(all_ratios(4))) == 14  # every vector of 1 and 3 but the constant ones
