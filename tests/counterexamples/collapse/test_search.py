"""Collapse: what is found keeps its budgets and leaks everything, the engines agree, and
nothing undecided is a verdict.
"""

import json
from fractions import Fraction

import pytest
from tests import seeds
from tests.brute.frameworks import bits, one_pair, parities, random_framework, singletons, two_priors
from tests.reports.console.schemas import expect_valid

from pufferproof import Channel, Framework, Level, ModelError, Table, audit, read_framework, read_mechanism
from pufferproof.counterexamples.collapse.search import Collapse, Impossible, NotFound, search_collapse
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.certificates.writing import certified_text

ENGINES = ["lp", "rays", "z3"]


def checked(found, framework):
    """Re-derive everything a collapse says, from audits of the written-out joint release and by
    the kernel.
    """
    assert isinstance(found, Collapse)
    for mechanism, level in zip(found.mechanisms, found.budgets, strict=True):
        leakage = audit(framework, mechanism).leakage.ratio
        assert leakage is not None
        assert level.compare(leakage) <= 0
    assert compose(framework, found.releases).joint.leakage.infinite
    if not framework.one_sided:
        certified_text(found.certificate())
    return found.runs


def outcome(found, framework):
    return checked(found, framework) if isinstance(found, Collapse) else type(found)


@pytest.mark.parametrize(
    ("framework", "budgets", "expected"),
    [
        (one_pair("a", "bc"), ["log(1)"], 2),
        (one_pair("a", "b"), ["log(9)"], Impossible),
        (singletons("abc"), ["3"], Impossible),
        (bits(2), ["log(1)"], Impossible),
        (bits(2), ["0"] * 3, Impossible),
        (bits(2), ["0", "0.001"], 2),
        (bits(3), ["0"], 2),
        (bits(3), ["0", "0"], 2),
        (two_priors("1/5", "4/5"), ["log(2)"], 2),
        (two_priors("1/5", "4/5"), ["log(1999/1000)"], Impossible),
        (two_priors("1/5", "4/5"), ["0.6931471805"], Impossible),
        (two_priors("1/5", "4/5"), ["0.6931471806"], 2),
        (two_priors("1/5", "4/5"), ["log(5)", "log(1)"], Impossible),
        (two_priors("1/5", "4/5"), ["log(4)", "log(2)"], 2),
    ],
)
def test_collapse_by_every_engine(framework, budgets, expected):
    for engine in ENGINES:
        assert outcome(search_collapse(framework, budgets, engine=engine), framework) == expected


@seeds(96)
def test_the_engines_agree(seed):
    framework = random_framework(seed)
    if framework is None:
        return
    for budgets in (["log(1)"], ["log(2)"], ["0.3"], ["log(1)", "log(3/2)"]):
        found = {outcome(search_collapse(framework, budgets, engine=engine), framework) for engine in ENGINES}
        assert len(found) == 1
        assert NotFound not in found


@seeds(80)
def test_the_engines_agree_about_partners(seed):
    framework = random_framework(seed, 4)
    if framework is None or framework.one_sided:
        return
    labels = framework.databases
    rows = {x: [Fraction((seed + k) % 3, 2), 1 - Fraction((seed + k) % 3, 2)] for k, x in enumerate(labels)}
    given = Channel.of(rows, ["u", "v"])
    for limit in (None, 3):
        found = {
            outcome(search_collapse(framework, ["log(3/2)"], given, engine, limit), framework) for engine in ENGINES
        }
        assert len(found) == 1
        assert NotFound not in found


@pytest.mark.parametrize("engine", ["lp", "z3"])
def test_differential_privacy_on_top_prevents_collapse(engine):
    assert search_collapse(bits(2), ["log(4)"], engine=engine, per_record="log(2)") == Impossible(None, engine)


def test_reasons_of_an_impossibility_cover_every_pair_of_laws():
    framework = bits(2)
    found = search_collapse(framework, ["log(2)"], per_record="log(3)")
    for left, right in framework.pairs:
        for ordered in ((left, right), (right, left)):
            held = [{framework.databases[x] for x in framework.secrets[name]} for name in ordered]
            for x in held[0]:
                assert any(place == x and kappa.keys() <= held[1] for place, kappa in found.bounds)


def test_more_releases_than_the_limit_are_not_ruled_out():
    assert search_collapse(parities(3), ["log(4/3)"], runs_limit=3) == Impossible(3, "lp")
    found = search_collapse(parities(3), ["log(4/3)"])
    assert checked(found, parities(3)) == 4
    assert found.fewest


def test_a_partner_of_a_given_mechanism():
    framework = one_pair("a", "bc")
    given = Channel.of({"a": ["1/2", "1/2"], "b": ["1", "0"], "c": ["0", "1"]}, ["u", "v"])
    found = search_collapse(framework, ["0"], given)
    assert checked(found, framework) == 2
    assert len(found.mechanisms) == 1
    constant = Channel.of({"a": ["1"], "b": ["1"], "c": ["1"]}, ["u"])
    assert search_collapse(framework, ["0"], constant) == Impossible(2, "lp")
    assert checked(search_collapse(framework, ["0"], constant, runs_limit=3), framework) == 3


def test_a_given_mechanism_may_leave_out_databases_of_probability_zero_and_have_many_outputs():
    prior = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    framework = Framework("zabc", {"s": ["a", "z"], "t": ["b", "c"]}, [("s", "t")], {"theta": prior})
    names = [f"w{i}" for i in range(1000)]
    row = [Fraction(1, 1000)] * 1000
    last = [*row[:-2], Fraction(1, 500), Fraction(0)]
    given = Channel.of({"c": last, "a": row, "b": row}, names)
    found = search_collapse(framework, ["0"], given)
    assert found.outputs[0] == "w999"
    assert found.composition().joint.leakage.infinite
    certified_text(found.certificate())


@pytest.mark.parametrize(
    ("count", "ratio", "expected"), [(3, "5/4", 3), (4, "13/10", 4), (4, "5/4", None), (5, "3/2", 3)]
)
def test_collapse_numbers_above_two_agree(count, ratio, expected):
    """Priors that each favour one of several databases of the second secret by probability 1/2."""
    labels = "bcdefg"[:count]
    priors = {
        most: Table({"a": "1/2"} | {x: Fraction(1, 4) if x == most else Fraction(1, 4 * (count - 1)) for x in labels})
        for most in labels
    }
    framework = Framework(["a", *labels], {"s": ["a"], "t": list(labels)}, [("s", "t")], priors)
    for engine in ENGINES:
        found = outcome(search_collapse(framework, [f"log({ratio})"], engine=engine), framework)
        assert found == (expected or Impossible)


def test_a_given_mechanism_that_reveals_everything_collapses_with_anything():
    framework = one_pair("a", "b")
    given = Channel.of({"a": ["1", "0"], "b": ["0", "1"]}, ["u", "v"])
    assert checked(search_collapse(framework, ["0"], given), framework) == 2


@seeds(12)
def test_the_engines_agree_with_differential_privacy_on_top(seed):
    rows = [
        [Fraction(seed % 4, 4), 1 - Fraction(seed % 4, 4)],
        [Fraction(1, 1 + seed % 3), 1 - Fraction(1, 1 + seed % 3)],
    ]
    framework = bits(2, rows)
    if all(framework.mass("theta", name) == 0 for name in ("x1=0", "x2=0")):
        return
    for budget, record in (("log(2)", "log(3/2)"), ("0.5", "0"), ("0", "log(5)")):
        for engine in ENGINES:
            if any(framework.mass("theta", a) and framework.mass("theta", b) for a, b in framework.pairs):
                found = search_collapse(framework, [budget], engine=engine, per_record=record)
                assert found == Impossible(None, engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_stopped_search_says_so(engine):
    found = search_collapse(bits(4), ["log(2)"], engine=engine, seconds=1e-6)
    assert isinstance(found, NotFound)
    assert "16 databases" in found.searched


def test_one_sided_frameworks_collapse_without_certificate():
    prior = {"theta": Table({"a": "1/2", "b": "1/4", "c": "1/4"})}
    framework = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], prior, one_sided=True)
    assert checked(search_collapse(framework, ["0"]), framework) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(([],), "at least one budget"), ((["0"], None, "lp", 0), "at least 1"), ((["0"], None, "simplex"), "engine")],
)
def test_misuse(arguments, message):
    with pytest.raises(ModelError, match=message):
        search_collapse(one_pair("a", "bc"), *arguments)


@pytest.fixture
def run(run, save):
    save("f.json", framework_document(one_pair("a", "bc")))
    save("two.json", framework_document(bits(2)))
    given = Channel.of({"a": ["1/2", "1/2"], "b": ["1", "0"], "c": ["0", "1"]}, ["u", "v"])
    save("m.json", mechanism_document(given))
    return run


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("budgets", [[], ["--budget", "0.5"], ["--budget", "log(1)", "--budget", "log(3/2)"]])
def test_the_command_writes_what_it_found(run, engine, budgets):
    code, out, err = run("collapse", "f.json", "--out", "d", "--engine", engine, "--json", *budgets)
    answer = json.loads(out)
    expect_valid(answer, "collapse")
    assert (code, err, answer["found"], answer["runs"], answer["joint"]["ratio"]) == (1, "", True, 2, "inf")
    assert answer["mechanisms"] == ["d/m1.json", "d/m2.json"]
    framework = read_framework("f.json").value
    mechanisms = [read_mechanism(path, framework).value for path in answer["mechanisms"]]
    assert compose(framework, mechanisms).joint.leakage.infinite
    assert run("check", answer["certificate"], "f.json", *answer["mechanisms"])[0] == 0


def test_impossible_and_undecided_write_nothing(run, tmp_path):
    code, out, _ = run("collapse", "two.json", "--out", "d", "--json")
    assert (code, json.loads(out)["found"], json.loads(out)["searched"]) == (0, False, "any number of releases")
    expect_valid(json.loads(out), "collapse")
    bounds = {(bound["column"], *bound["at_most"].items()) for bound in json.loads(out)["bounds"]}
    assert bounds == {(x, (y, "1")) for x, y in (("00", "11"), ("11", "00"), ("01", "10"), ("10", "01"))}
    lines = run("collapse", "two.json", "--out", "d")[1].splitlines()
    assert "every output u of a mechanism within the budgets, u(x) being its probability for database x" in lines[1]
    assert "u(00) <= u(11)" in [line.strip() for line in lines]
    assert (
        "impossible: 1 release within the budgets has"
        in run("collapse", "f.json", "--out", "d", "--runs-limit", "1")[1]
    )
    code, out, _ = run("collapse", "two.json", "--out", "d", "--json", "--engine", "z3", "--seconds", "0.001")
    assert (code, json.loads(out)["found"]) == (3, None)
    expect_valid(json.loads(out), "collapse")
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(("budget", "least"), [("log(5/4)", "5/4"), ("log(40)", 40), ("5", 148), ("2000", None)])
def test_inequalities_that_exclude_collapse_are_those_of_the_whole_budget(budget, least):
    """Every database a secret: the promise is u(x) <= R u(y), and no smaller factor is true."""
    found = search_collapse(singletons("abc"), [budget])
    assert found.releases is None
    factors = {kappa for _, bound in found.bounds for kappa in bound.values()}
    if least is None:  # e^2000 is too long to read
        assert factors == set()
    elif budget == "5":
        assert all(148 < kappa < 150 for kappa in factors)
        assert factors
    else:
        assert factors == {Fraction(least)}


def test_a_partner_from_files(run):
    code, out, err = run("collapse", "f.json", "--with", "m.json", "--out", "d", "--json")
    answer = json.loads(out)
    expect_valid(answer, "collapse")
    assert (code, err, answer["runs"], answer["mechanisms"]) == (1, "", 2, ["d/m1.json"])
    assert answer["given"]["ratio"] == "1"
    assert run("check", answer["certificate"], "f.json", "m.json", "d/m1.json")[0] == 0


def test_a_given_mechanism_over_budget_is_said_first(run, tmp_path):
    (tmp_path / "m.json").write_text(
        json.dumps(mechanism_document(Channel.of({x: [p, q] for x, p, q in ("a11", "b10", "c10")}, ["u", "v"], True)))
    )
    _, _, err = run("collapse", "f.json", "--with", "m.json", "--out", "d", "--budget", "log(3/2)")
    assert "m.json alone leaks more than the budget log(3/2)" in err


def test_only_an_earlier_collapse_is_replaced(run, tmp_path):
    assert run("collapse", "f.json", "--out", "d")[0] == 1
    (tmp_path / "d" / "notes.txt").write_text("mine")
    assert run("collapse", "f.json", "--out", "d", "--with", "m.json")[0] == 1
    assert sorted(path.name for path in (tmp_path / "d").iterdir()) == [
        "certificate.json",
        "files.json",
        "m1.json",
        "notes.txt",
    ]
    (tmp_path / "d" / "m1.json").write_text("changed")
    code, out, err = run("collapse", "f.json", "--out", "d")
    assert (code, out) == (2, "")
    assert "d/m1.json" in err
    assert (tmp_path / "d" / "m1.json").read_text() == "changed"
    code, _, err = run("collapse", "f.json", "--with", "m.json", "--out", "m.json")
    assert code == 2
    assert "m.json" in err


def test_mechanisms_of_somebody_else_are_kept_beside_a_certificate_of_infinite_joint_leakage(run, tmp_path):
    """A joint release of one's own has a certificate like that of a collapse; its mechanisms
    are no collapse's.
    """
    assert run("collapse", "f.json", "--out", "d")[0] == 1
    (tmp_path / "own").mkdir()
    for name in ("m1.json", "m2.json"):
        (tmp_path / "own" / name).write_bytes((tmp_path / "d" / name).read_bytes())
    own = ["own/m1.json", "own/m2.json"]
    assert run("compose", "f.json", *own, "--certificate", "own/certificate.json")[0] == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "own").iterdir()}
    assert run("collapse", "f.json", "--out", "own")[0] == 2
    assert {path.name: path.read_bytes() for path in (tmp_path / "own").iterdir()} == before


def test_bad_input_is_one_line_and_writes_nothing(run, tmp_path):
    for arguments in [
        ["--budget", "log(1/2)"],
        ["--engine", "cplex"],
        ["--runs-limit", "0"],
        ["--runs-limit", "2", "--budget", "0", "--budget", "1"],
        ["--with", "m.json", "--runs-limit", "1"],
        ["--per-record-dp", "log(2)"],
        ["--with", "missing.json"],
    ]:
        code, out, err = run("collapse", "f.json", "--out", "d", *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert not (tmp_path / "d").exists()


def test_levels_of_hardly_any_nats_are_no_mistake():
    assert isinstance(search_collapse(bits(2), [Level.parse("1e-9999")]), NotFound)
    assert checked(search_collapse(bits(3), [Level.parse("1e-9999")]), bits(3)) == 2


def test_levels_of_many_nats_allow_no_further_zero_patterns():
    assert search_collapse(singletons("abc"), [Level.of_nats(90_000)]) == Impossible(None, "lp")
    assert checked(search_collapse(bits(2), [Level.of_nats(90_000)]), bits(2)) == 2


def test_shrinking_from_the_command_line(run):
    code, out, _ = run("collapse", "f.json", "--out", "d", "--shrink", "--json")
    answer = json.loads(out)
    expect_valid(answer, "collapse")
    assert (code, answer["smallest"]) == (1, ["outputs", "rows", "denominator", "sum", "entries"])
    assert read_mechanism("d/m1.json", read_framework("f.json").value).value.outputs == ("u", "v")
    assert run("check", answer["certificate"], "f.json", *answer["mechanisms"])[0] == 0
