"""Joint leakage above a finite level: the engines agree, near misses are no finds, and the
command certifies its finds.
"""

import json
from fractions import Fraction
from functools import partial

import pytest
from tests import seeds
from tests.brute.frameworks import bits, one_pair, parities, random_framework, singletons, two_priors
from tests.reports.console.schemas import expect_valid

from pufferproof import ModelError
from pufferproof.counterexamples.collapse.above import LeakageAbove, search_leakage_above
from pufferproof.counterexamples.collapse.search import Impossible, NotFound
from pufferproof.lp.worst.composition import worst_composition
from pufferproof.models.files.writing import framework_document
from pufferproof.reports import cli
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.certificates.writing import certified_text

ENGINES = ["lp", "rays", "z3"]


def outcome(found):
    """Check what was found from the definitions, and return what was answered."""
    if isinstance(found, LeakageAbove):
        for mechanism, budget in zip(found.mechanisms, found.budgets, strict=True):
            assert budget.compare(audit(found.framework, mechanism).leakage.ratio) <= 0
        joint = compose(found.framework, found.mechanisms).joint.leakage
        assert joint == found.joint
        assert joint.infinite or found.level.compare(joint.ratio) > 0
        certified_text(found.certificate())
    return type(found)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("framework", "budgets", "worst"),
    [
        (one_pair("a", "b"), ["log(2)", "log(3)"], "6"),
        (one_pair("a", "b"), ["log(2)", "log(3/2)", "log(3/2)"], "9/2"),
        (singletons("abc"), ["log(3/2)", "log(2)"], "3"),
        (bits(2), ["0", "0"], "1"),
        (parities(3), ["0", "0"], "1"),
        (two_priors("1/5", "4/5"), ["log(1)", "log(3/2)"], None),
    ],
)
def test_the_worst_case_is_not_exceeded_and_anything_below_it_is(engine, framework, budgets, worst):
    if worst is None:
        worst = str(worst_composition(framework, budgets).joint.ratio)
    assert outcome(search_leakage_above(framework, budgets, f"log({worst})", engine=engine)) is Impossible
    if Fraction(worst) > 1:
        below = 1 + (Fraction(worst) - 1) * Fraction(999, 1000)
        assert outcome(search_leakage_above(framework, budgets, f"log({below})", engine=engine)) is LeakageAbove
    above = Fraction(worst) * Fraction(1000001, 1000000)
    assert outcome(search_leakage_above(framework, budgets, f"log({above})", engine=engine)) is Impossible


@seeds(16)
def test_the_engines_agree(seed):
    framework = random_framework(seed, 3)
    if framework is None:
        return
    for level in ("log(3/2)", "log(2)", "log(3)"):
        found = {
            outcome(search_leakage_above(framework, ["log(1)", "log(3/2)"], level, seconds=4, engine=engine))
            for engine in ENGINES
        } - {NotFound}
        assert len(found) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_decimals(engine):
    framework = one_pair("a", "b")
    for budgets, level, expected in [
        (["0.5", "0.5"], "0.9999999", LeakageAbove),
        (["0.5", "0.5"], "1.0000001", Impossible),
        (["0.5", "0.5"], "1", NotFound),  # equal, and only enclosed
        (["log(2)", "log(2)"], "1.3862943611", LeakageAbove),
        (["log(2)", "log(2)"], "1.3862943612", Impossible),
        (["0.1", "log(2)"], "log(2)", LeakageAbove),
    ]:
        assert outcome(search_leakage_above(framework, budgets, level, engine=engine)) is expected


@pytest.mark.parametrize("engine", ENGINES)
def test_a_collapse_exceeds_every_level(engine):
    found = search_leakage_above(one_pair("a", "bc"), ["0", "0"], "log(1000)", engine=engine)
    assert outcome(found) is LeakageAbove


@pytest.mark.parametrize("engine", ENGINES)
def test_the_fewest_releases_within_one_budget(engine):
    framework = one_pair("a", "b")
    for level, at_most, runs in [("log(5)", 4, 3), ("log(4)", 4, 3), ("log(3)", 2, 2), ("log(3/2)", 3, 2)]:
        found = search_leakage_above(framework, ["log(2)"], level, engine=engine, runs_limit=at_most)
        assert (outcome(found), found.runs, found.fewest) == (LeakageAbove, runs, level != "log(3/2)")
    found = search_leakage_above(framework, ["log(2)"], "log(8)", engine=engine, runs_limit=3)
    assert found == Impossible(3, engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_so_many_releases_that_time_runs_out_are_not_ruled_out(engine):
    found = search_leakage_above(bits(2), ["0"], "log(2)", seconds=0.5, engine=engine, runs_limit=10**9)
    assert isinstance(found, NotFound)
    assert "of at most 1000000000 releases were tried" in found.searched


@pytest.mark.parametrize(
    ("engine", "own", "level"), [("lp", "log(3/2)", None), ("rays", "log(3/2)", None), ("z3", "log(5/4)", "log(3)")]
)
def test_differential_privacy_on_top_leaks_less(engine, own, level):
    """At the worst case itself; z3, which takes seconds for that, between the two worst cases."""
    framework = bits(2)
    worst = worst_composition(framework, ["log(2)", "log(2)"], own).joint.ratio
    level = level or f"log({worst})"
    private = search_leakage_above(framework, ["log(2)"] * 2, level, engine=engine, per_record=own)
    assert outcome(private) is Impossible
    assert outcome(search_leakage_above(framework, ["log(2)"] * 2, level, engine=engine)) is LeakageAbove


def test_many_releases_are_certified_without_writing_out_their_joint_release():
    found = search_leakage_above(one_pair("a", "b"), ["log(2)"] * 24, f"log({2**24 - 1})")
    assert isinstance(found, LeakageAbove)
    assert found.joint.ratio == 2**24
    certified_text(found.certificate())


def test_misuse():
    for budgets, options, message in [
        ([], {}, "two budgets"),
        (["0"], {}, "two budgets"),
        (["0"], {"runs_limit": 1}, "at least 2"),
        (["0", "0"], {"runs_limit": 2}, "single budget"),
        (["0", "0"], {"engine": "own"}, "engine"),
        (["0", "901"], {}, "900 nats"),
    ]:
        with pytest.raises(ModelError, match=message):
            search_leakage_above(one_pair("a", "b"), budgets, "log(2)", **options)


@pytest.fixture
def run(run, save):
    save("f.json", framework_document(one_pair("a", "b")))
    save("p.json", framework_document(parities(3)))
    return partial(run, "collapse")


TWO = ("--budget", "log(2)", "--budget", "log(3)")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_command_writes_what_it_found(run, tmp_path, engine):
    code, out, err = run("f.json", "--out", "d", *TWO, "--above", "log(5)", "--engine", engine, "--json")
    answer = json.loads(out)
    expect_valid(answer, "collapse")
    assert (code, err, answer["found"], answer["runs"], answer["above"]) == (1, "", True, 2, "log(5)")
    assert answer["mechanisms"] == ["d/m1.json", "d/m2.json"]
    assert Fraction(answer["joint"]["ratio"]) > 5
    assert answer["witness"]["database"] is None
    assert cli._run(["check", answer["certificate"], "f.json", *answer["mechanisms"]]) == 0
    claim = json.loads((tmp_path / answer["certificate"]).read_text())["claim"]
    assert claim["exceeds"] == {"log": "5"}


def test_impossible_is_0_and_undecided_3_and_nothing_is_written(run, tmp_path):
    code, out, _ = run("f.json", "--out", "d", *TWO, "--above", "log(6)", "--json")
    answer = json.loads(out)
    expect_valid(answer, "collapse")
    assert (code, answer["found"], answer["searched"], answer["trust"]) == (0, False, "2 releases", ["EXACT"])
    out = run("f.json", "--out", "d", *TWO, "--above", "log(6)")[1]
    assert "impossible: 2 releases within the budgets leak at most log(6)" in out
    options = ("--budget", "0.5", "--budget", "0.5", "--above", "1")
    code, out, _ = run("f.json", "--out", "d", *options, "--json")
    expect_valid(json.loads(out), "collapse")
    assert (code, json.loads(out)["found"]) == (3, None)
    assert "above     undecided" in run("f.json", "--out", "d", *options)[1]
    options = ("--budget", "log(2)", "--budget", "log(2)", "--above", "log(3)", "--engine", "z3", "--seconds", "0.01")
    assert run("p.json", "--out", "d", *options)[0] == 3
    assert not (tmp_path / "d").exists()


def test_bad_input_is_one_line_and_writes_nothing(run, tmp_path):
    for options in [
        [],
        ["--budget", "log(2)"],
        ["--budget", "log(2)", "--runs-limit", "1"],
        [*TWO, "--runs-limit", "2"],
        [*TWO, "--shrink"],
        [*TWO, "--with", "m.json"],
        [*TWO, "--above", "log(1/2)"],
    ]:
        code, out, err = run("f.json", "--out", "d", "--above", "log(2)", *options)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert not (tmp_path / "d").exists()
