"""Noise of a plan from an object of a library, and `release` in Python."""

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pufferproof as pp
from pufferproof.lp.accounting.releases.plan import read_plan
from pufferproof.models.files.programs import Calls
from pufferproof.models.mechanisms.library import ASSUMED

dp: Any = pytest.importorskip("opendp.prelude")
RECORDS = pp.Records(8, ("0", "1"), people=3)
CHAIN = pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
SECRETS = {"x3=0": (3, "0"), "x3=1": (3, "1")}
FRAMEWORK = pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"theta": CHAIN})
MODULE = """
import functools
import itertools

import diffprivlib.mechanisms as dl
import opendp.prelude as dp

dp.enable_features("contrib", "honest-but-curious")
NUMBER = dp.atom_domain(T=int), dp.absolute_distance(T=int)


def noise(scale=4.0):
    return dp.m.make_laplace(*NUMBER, scale=scale)


made = noise()
listed = dp.m.make_laplace(dp.vector_domain(NUMBER[0]), dp.l1_distance(T=int), scale=4.0)
clamped = dp.m.make_geometric(*NUMBER, scale=4.0, bounds=(0, 5))
summed = dp.t.make_sum(dp.vector_domain(dp.atom_domain(bounds=(0, 1))), dp.symmetric_distance())
summed = summed >> noise()
hidden = noise() >> (lambda number: max(number, 0))
twice = dp.c.make_composition([noise(), noise()])
coin = dp.m.make_randomized_response_bool(0.75)


def needs(scale):
    return noise(scale)


def fails():
    raise ValueError("no budget")


number = 3
scales = itertools.count(4)
shared = dl.Geometric(epsilon=1 / 4, sensitivity=1)


def counted():
    return noise(float(next(scales)))


def counter():
    kept = [8.0]

    def halved():
        kept[0] /= 2
        return noise(kept[0])

    return halved


closure = counter()


def changed():
    shared.epsilon *= 2
    shared._scale *= 2
    return shared


def once(made=[]):
    made.append(noise())
    return made[0] if len(made) == 1 else 3


def seeded():
    return dl.Geometric(epsilon=1 / 4, sensitivity=1, random_state=7)


cached = functools.lru_cache(noise)
drawing = (noise() for _ in range(9))


class Kept:
    left = 4.0

    def __call__(self):
        self.left /= 2
        return noise(self.left)


kept = Kept()
"""
PLAN = """format = "pufferproof-release/1"
framework = "f.json"
budget = "1"

[[release]]
query = {query}
noise = {{ python = "{name}" }}
records = {{ every = 4, times = 2 }}
"""


@pytest.fixture(autouse=True)
def _contrib() -> None:
    dp.enable_features("contrib")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write a plan with the noise of a name of a module of its own; return its path."""
    module = f"release_{tmp_path.name.replace('-', '_')}"
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    (tmp_path / f"{module}.py").write_text(MODULE)
    chain = {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/4", "3/4"]]}
    document = {
        "format": "pufferproof-framework/1",
        "records": {"count": 8, "alphabet": ["0", "1"]},
        "people": 3,
        "secrets": {f"x3={v}": {"record": 3, "value": v} for v in "01"},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": chain}},
    }
    (tmp_path / "f.json").write_text(json.dumps(document))

    def written(name: str, query: str = '"sum"') -> str:
        path = tmp_path / "plan.toml"
        path.write_text(PLAN.format(name=f"{module}:{name}", query=query))
        return str(path)

    return written


def laplace(scale: float = 4.0) -> Any:
    return dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=scale)


def own(scale: str = "4", query: str = "sum") -> list[pp.RecordQuery]:
    noise, counted = pp.Noise.discrete_laplace(scale), "1" if query == "count" else None
    return [pp.RecordQuery(query, noise, RECORDS, ends, counted) for ends in ((1, 4), (5, 8))]


@pytest.mark.parametrize("name", ["made", "noise"])
def test_noise_of_an_object_is_that_of_the_numbers_written_out(plan: Any, name: str) -> None:
    found = pp.release(plan(name), trust_code=True)
    same = pp.release(FRAMEWORK, own(), "1")
    assert found.plan.queries == own()
    assert found.leakage == same.leakage
    assert found.as_json()["assumed"] == [ASSUMED]
    assert found.as_json() | {"source": None, "assumed": []} == same.as_json()
    assert "make_laplace of opendp" in str(found.source)


def test_counts_of_a_value_take_noise_of_an_object(plan: Any) -> None:
    found = pp.release(plan("made", '{ count = "1" }'), trust_code=True)
    assert found.plan.queries == own(query="count")


def test_code_of_a_plan_is_trusted_first(plan: Any) -> None:
    with pytest.raises(pp.ModelError, match="pass --trust-code"):
        pp.release(plan("made"))


def test_an_object_that_does_more_is_refused_by_name(plan: Any) -> None:
    for name, words in [
        ("listed", "takes a list of numbers"),
        ("clamped", "clamped noise is read for values within its bounds 0 and 5, found 12"),
        ("summed", "computes the number from its argument"),
        ("hidden", "changes its outputs by a function that is not known"),
        ("twice", "releases 2 numbers"),
        ("coin", "chooses one of its outputs"),
        ("needs", "a function without arguments that returns one: missing a required argument"),
        ("fails", "raised ValueError: no budget"),
        ("number", "cannot read builtins.int 3"),
        ("missing", "has no attribute 'missing'"),
        ("counted", "made an object with discrete_laplace noise of 5 when it was called again"),
        ("closure", "discrete_laplace noise of 2 when it was called again, after .* of 4"),
        ("changed", "when it was called again, after"),
        ("once", "cannot read builtins.int 3"),
        ("seeded", "random_state: expected noise without a seed"),
        ("cached", "cannot read functools._lru_cache_wrapper"),
        ("drawing", "cannot read builtins.generator"),
        ("kept", "cannot read"),
    ]:
        with pytest.raises(pp.ModelError, match=words) as error:
            read_plan(plan(name), Calls(True))
        assert f":{name}" in str(error.value)
        assert "release 1" in str(error.value)


def test_seeded_noise_of_one_release_is_none_of_two() -> None:
    dl: Any = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
    noise = dl.Geometric(epsilon=1 / 4, sensitivity=1, random_state=7)
    read = pp.as_mechanism(noise, RECORDS, "sum")
    assert pp.release(FRAMEWORK, read).as_json()["assumed"] == [ASSUMED]
    with pytest.raises(pp.ModelError, match="its draws can be repeated"):
        pp.release(FRAMEWORK, [read, read])


def test_noise_from_code_is_one_key() -> None:
    with pytest.raises(pp.ModelError, match="expected windows within 8 records"):
        pp.as_mechanism(laplace(), RECORDS, "sum", windows={"every": 4, "times": 3})
    with pytest.raises(pp.ModelError, match="found 'evry'"):
        pp.as_mechanism(laplace(), RECORDS, "sum", windows={"evry": 4})
    for triple in ([(1, 2, 3)], [(1, 2), ()]):
        with pytest.raises(pp.ModelError, match="expected pairs of a first and a last record"):
            pp.as_mechanism(laplace(), RECORDS, "sum", windows=triple)


def test_two_modules_of_one_name_are_not_mistaken(plan: Any, tmp_path: Path) -> None:
    path = plan("made")
    first = pp.release(path, trust_code=True)
    other = tmp_path / "other"
    other.mkdir()
    for each in tmp_path.glob("*.*"):
        (other / each.name).write_text(each.read_text().replace("scale=4.0", "scale=5.0"))
    second = pp.release(other / "plan.toml", trust_code=True)
    assert second.plan.queries == own("5")
    assert pp.release(path, trust_code=True).leakage == first.leakage


def test_a_module_that_was_edited_is_not_audited_as_it_was(plan: Any, tmp_path: Path) -> None:
    path = plan("made")
    pp.release(path, trust_code=True)
    (module,) = tmp_path.glob("release_*.py")
    module.write_text(MODULE.replace("scale=4.0", "scale=5.0"))
    with pytest.raises(pp.ModelError, match="was edited since Python loaded it"):
        pp.release(path, trust_code=True)


def test_windows_of_an_object_are_audited_together() -> None:
    windows = pp.as_mechanism(laplace(), FRAMEWORK, "sum", windows=[(1, 4), (5, 8)])
    assert len(windows.parts) == 2
    assert pp.audit(FRAMEWORK, windows).leakage == pp.audit(FRAMEWORK, own()).leakage
    found = pp.release(FRAMEWORK, windows, "1")
    assert found.leakage == pp.release(FRAMEWORK, own(), "1").leakage
    assert found.source == windows.audited


def test_a_smaller_scale_in_the_code_fails_the_test_with_the_factor(assert_release: Any) -> None:
    asked = {"every": 4, "times": 2}
    level = "1"
    assert_release(FRAMEWORK, pp.as_mechanism(laplace(4.0), FRAMEWORK, "sum", windows=asked), level)
    smaller = pp.as_mechanism(laplace(1.0), FRAMEWORK, "sum", windows=asked)
    with pytest.raises(AssertionError, match=r"multiply all scales by [\d.]+ to keep") as error:
        assert_release(FRAMEWORK, smaller, level)
    factor = Fraction(str(error.value).partition("scales by ")[2].partition(" ")[0])
    kept = [pp.Noise.discrete_laplace(factor * share) for share in (1, Fraction(999, 1000))]
    queries = [[pp.RecordQuery("sum", each, RECORDS, q.segment) for q in own()] for each in kept]
    answers = [pp.release(FRAMEWORK, each, level).verdict for each in queries]
    assert answers == [pp.Verdict.SATISFIES, pp.Verdict.VIOLATES]


def test_groups_of_queries_are_told_apart() -> None:
    first, second = own("4"), own("6")
    found = pp.release(FRAMEWORK, [first, second])
    assert len(found.as_json()["single"]) == 2
    assert found.leakage == pp.release(FRAMEWORK, [*first, *second]).leakage


@pytest.mark.parametrize(
    ("queries", "words"),
    [
        ([], "found none"),
        (pp.Noise.laplace(1), "expected noisy queries of records"),
        (pp.RecordQuery("sum", pp.Noise.laplace(1), pp.Records(3, "01")), "framework's records"),
    ],
)
def test_other_queries_are_refused(queries: Any, words: str) -> None:
    with pytest.raises(pp.ModelError, match=words):
        pp.release(FRAMEWORK, queries)


def test_a_plan_has_its_own_releases(plan: Any) -> None:
    with pytest.raises(pp.ModelError, match="a plan has its releases"):
        pp.release(plan("made"), own(), "1", trust_code=True)  # type: ignore[call-overload]
    assert pp.release(plan("made"), "2", trust_code=True).plan.budget == pp.Level("2")
