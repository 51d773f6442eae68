"""Audits of classes of chains: no chain of the class leaks more than the bound, and what is said to
be leaked is leaked by one of them.
"""

import json
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.reports.console.schemas import expect_valid

import pufferproof as pp
from pufferproof.models.files.question import read
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.reports import cli
from pufferproof.reports.auditing.certificates import audit_evidence
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness
from pufferproof.verify.noise.classes.bounds import ClassBounds, class_bounds
from pufferproof.verify.noise.classes.rows import bound as rows_bound
from pufferproof.verify.noise.classes.rows.bound import tree_bound

TWO = [["7/10", "1/10"], ["1/10", "7/10"]], [["9/10", "3/10"], ["3/10", "9/10"]]
THREE = (
    [["3/5", "1/10", "1/10"], ["1/10", "3/5", "1/10"], ["1/10", "1/10", "3/5"]],
    [["4/5", "3/10", "3/10"], ["3/10", "4/5", "3/10"], ["3/10", "3/10", "4/5"]],
)
BOXES = {
    (initial, len(bounds[0])): pp.IntervalChain(initial, *bounds)
    for initial in ("any", "stationary")
    for bounds in (TWO, THREE)
}


@pytest.fixture(scope="module", autouse=True)
def little_effort():
    """Bound less closely than the least effort does, and sooner."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows_bound, "WORK", 4_000_000)
        yield


def framework(prior, length=3, record=2):
    states = prior.states if isinstance(prior, pp.IntervalChain) else len(prior.transition)
    records = pp.Records(length, tuple("012"[:states]))
    secrets = {f"x={value}": (record, value) for value in records.alphabet}
    return pp.Framework(records, secrets, "disjoint", {"theta": prior})


@cache
def mechanisms(states, length=3):
    values, records = "012"[:states], pp.Records(length, tuple("012"[:states]))
    even = Fraction(1, 2 * (states - 1))
    rows = [[Fraction(1, 2) if x == y else even for y in range(states)] for x in range(states)]
    if states == 2:
        rows = [["3/4", "1/4"], ["1/3", "2/3"]]
    local = pp.LocalMechanism(values, values, [rows] * length)
    noise = pp.Noise("laplace", 3)
    return {
        "local": local,
        "channel": local.channel(),
        "sum": pp.RecordQuery("sum", noise, records),
        "part": pp.RecordQuery("histogram", noise, records, (1, 2)),
        "table": pp.AdditiveNoise.of_records("sum", records, noise),
        "two": [
            pp.RecordQuery("sum", noise, records),
            pp.AdditiveNoise.of_records("sum", records, pp.Noise("geometric", "1/2")),
        ],
        "redaction": pp.LocalMechanism.redacting(values, [["1/2"] * states] * length),
    }


@st.composite
def chains(draw, box):
    """A chain of the class: its rows and its first law are drawn."""
    rows = []
    for low, high in zip(box.lower, box.upper):
        row, rest = list(low), 1 - sum(low)
        for x in draw(st.permutations(range(box.states))):
            added = min(rest, high[x] - low[x]) * draw(st.fractions(0, 1, max_denominator=3))
            row[x], rest = row[x] + added, rest - added
        for x in range(box.states):
            added = min(rest, high[x] - row[x])
            row[x], rest = row[x] + added, rest - added
        rows.append(row)
    assert box.holds(rows)
    if box.initial == "stationary":
        return pp.MarkovChain("stationary", rows)
    weights = draw(st.lists(st.integers(1, 9), min_size=box.states, max_size=box.states))
    return pp.MarkovChain([Fraction(w, sum(weights)) for w in weights], rows)


@cache
def audited(key, name):
    return pp.audit(framework(BOXES[key]), mechanisms(key[1])[name])


@cache
def released(key, name):
    return pp.compose(framework(BOXES[key]), [mechanisms(key[1])[name]], 2)


def near(one, other):
    """Whether two lower bounds are as close as enclosures are, or both infinite."""
    return one == other or abs(one / other - 1) < Fraction(1, 2**60)


ALONE = [(key, name) for key in BOXES for name in mechanisms(key[1])]
TWICE = [(key, name) for key in BOXES for name in ("local", "channel", "sum")]


@pytest.mark.parametrize("key", BOXES)
@examples(12)
@given(st.data())
def test_no_chain_of_the_class_leaks_more_than_the_bound(key, data):
    box = BOXES[key]
    member = framework(data.draw(chains(box)))
    name = data.draw(st.sampled_from(sorted(mechanisms(box.states))))
    bound, leaked = (audited(key, name).leakage, pp.audit(member, mechanisms(box.states)[name]).leakage)
    if bound.upper is not None:
        assert leaked.lower <= bound.upper
    assert (bound.lower is None) <= (bound.upper is None)


def of_values(cases, states):
    return pytest.mark.parametrize(("key", "name"), [(key, name) for key, name in cases if key[1] == states])


@of_values(ALONE, 2)
def test_what_is_leaked_is_leaked_under_the_chain_of_the_witness(key, name):
    expect_witness(key, name)


@of_values(ALONE, 3)
def test_so_is_what_is_leaked_of_three_values(key, name):
    expect_witness(key, name)


def expect_witness(key, name):
    answer = audited(key, name)
    prior = answer.framework.priors[answer.witness.prior]
    assert BOXES[key].holds(prior.transition)
    alone = pp.audit(framework(prior), mechanisms(key[1])[name])
    assert near(alone.leakage.lower, answer.leakage.lower)


def test_a_level_is_decided_or_the_interval_is_said():
    of, local = framework(BOXES["any", 2]), mechanisms(2)["local"]
    ends = pp.audit(of, local).leakage
    low, high = ends.lower, ends.upper
    assert 1 < low < high
    for level, verdict in [
        (pp.Level.log(high), "SATISFIES"),
        (pp.Level.log((low + high) / 2), "UNDECIDED"),
        (pp.Level.log(low), "UNDECIDED"),
        (pp.Level.log((1 + low) / 2), "VIOLATES"),
    ]:
        assert pp.audit(of, local, level).verdict.value == verdict


def test_a_chain_beside_the_class_counts():
    steep = pp.MarkovChain("stationary", [["99/100", "1/100"], ["1/100", "99/100"]])
    of = framework(BOXES["any", 2])
    both = pp.Framework(
        of.records,
        dict.fromkeys(["a"], (2, "0")) | {"b": (2, "1")},
        "disjoint",
        {"theta": BOXES["any", 2], "steep": steep},
    )
    local = mechanisms(2)["local"]
    alone = pp.audit(framework(steep), local).leakage.ratio
    assert pp.audit(both, local).leakage.lower >= alone
    assert pp.audit(both, local, pp.Level.log(alone * Fraction(9, 10))).verdict.value == "VIOLATES"


def test_long_sequences_have_a_quilt_and_gaussian_noise_has_no_bound():
    of = framework(BOXES["any", 2], 300, 150)
    count = pp.RecordQuery("sum", pp.Noise("laplace", 8), of.records)
    answer = pp.audit(of, count, "6")
    assert answer.verdict.value == "SATISFIES"
    joint = class_bounds(of, NoisyQueries((count,)), answer.largest)
    assert None not in (joint.account.left, joint.account.right)
    assert joint.account.bound.upper > answer.leakage.upper
    gaussian = pp.RecordQuery("sum", pp.Noise("gaussian", 40), of.records)
    assert pp.audit(of, gaussian, "1").verdict.value == "VIOLATES"  # as for every chain


@pytest.mark.parametrize("key", [("any", 2), ("stationary", 3)])
def test_trees_come_close_to_what_chains_leak_and_never_below_it(key):
    answer = pp.audit(framework(BOXES[key]), mechanisms(key[1])["channel"])
    accounts = max(each.bound.upper for each in answer.largest.accounts)
    assert answer.leakage.lower <= answer.leakage.upper == answer.largest.trees.upper < accounts
    assert answer.leakage.upper < answer.leakage.lower * Fraction(6, 5)


def test_a_box_of_one_matrix_has_the_leakage_of_its_chain():
    chain = pp.MarkovChain(["1/3", "2/3"], [["7/10", "3/10"], ["1/5", "4/5"]])
    box = pp.IntervalChain(chain.initial, chain.transition, chain.transition)
    channel = mechanisms(2)["channel"]
    exact = pp.audit(framework(chain), channel).leakage.ratio
    found = tree_bound(framework(box), channel, exact)
    assert exact <= found.upper <= exact * (1 + Fraction(1, 2**25))


@pytest.mark.parametrize(("key", "name"), TWICE)
@examples(4)
@given(st.data())
def test_no_chain_of_the_class_leaks_more_in_two_releases_than_the_bound(key, name, data):
    box, mechanism = BOXES[key], mechanisms(key[1])[name]
    member = pp.compose(framework(data.draw(chains(box))), [mechanism], 2)
    together = released(key, name)
    for bound, leaked in ((together.joint, member.joint), (together.single[0], member.single[0])):
        assert leaked.leakage.lower <= bound.leakage.upper


@of_values(TWICE, 2)
def test_what_is_leaked_together_is_leaked_under_a_chain_of_the_class(key, name):
    expect_joint_witness(key, name)


@of_values(TWICE, 3)
def test_so_is_what_is_leaked_together_of_three_values(key, name):
    expect_joint_witness(key, name)


def expect_joint_witness(key, name):
    joint, mechanism = released(key, name).joint, mechanisms(key[1])[name]
    prior = joint.framework.priors[joint.witness.prior]
    assert BOXES[key].holds(prior.transition)
    alone = pp.compose(framework(prior), [mechanism], 2)
    assert near(alone.joint.leakage.lower, joint.leakage.lower)


def test_bounds_say_whether_releases_compose_as_far_as_they_tell():
    def bounds(lower, upper):
        leakage = Leakage(*(None if end is None else Fraction(end) for end in (lower, upper)))
        return ClassBounds(leakage, Witness("theta", ("a", "b"), "u"), Scope(1, 0, ()), ())

    one = bounds(2, 3)
    for joint, said in [
        (bounds(2, 4), Decision.HOLDS),
        (bounds(2, 5), Decision.UNDECIDED),
        (bounds(2, None), Decision.UNDECIDED),
        (bounds(10, None), Decision.FAILS),
        (bounds(None, None), Decision.FAILS),
    ]:
        assert joint.additive([one], 2) is said
    assert bounds(None, None).additive([bounds(2, None)], 2) is Decision.UNDECIDED
    assert bounds(9, None).additive([bounds(None, None)], 2) is Decision.HOLDS


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda of, m: pp.audit(of, m, renyi=2), "renyi: classes of chains are bounded"),
        (lambda of, m: of.laws, "priors.theta: not supported: a box of priors is only for audit"),
    ],
)
def test_what_needs_one_law_says_what_to_do(call, message):
    with pytest.raises(pp.ModelError) as error:
        call(framework(BOXES["any", 2]), mechanisms(2)["channel"])
    assert str(error.value).startswith(message)


def test_a_framework_with_a_class_is_one(tmp_path):
    of = framework(BOXES["any", 2])
    assert of == framework(BOXES["any", 2]) != framework(BOXES["stationary", 2])
    assert repr(of) == "Framework(8 databases, 2 secrets, 1 pair, 1 prior)"
    with pytest.raises(pp.ModelError, match="closure: classes of chains are bounded for closure"):
        pp.Framework(of.records, {"a": (1, "0"), "b": (1, "1")}, "disjoint", of.priors, "convex")
    with pytest.raises(pp.ModelError, match=r"priors\.theta: transition_lower: expected 3 rows"):
        pp.Framework(pp.Records(2, tuple("012")), {"a": (1, "0"), "b": (1, "1")}, "disjoint", of.priors)


FILES = {
    "channel": {"outputs": ["u", "v"]},
    "local": {"outputs": ["0", "1"], "local": [[["3/4", "1/4"], ["1/3", "2/3"]]] * 3},
    "noise": {"query": "sum", "noise": {"laplace": {"scale": "3"}}},
    "table": {"noise": {"laplace": {"scale": "3"}}},
}


QUILTS = ["CITED(general.quilt-account)", "CITED(song2017.x-any-quilt)"]
TRUST = {"channel": ["PROSE"], "local": ["PROSE"], "noise": ["CITED(classes.extremes)"], "table": ["PROSE"]}


@pytest.mark.parametrize("name", FILES)
def test_the_command_answers_as_python_does(tmp_path, capsys, name):
    labels = framework(BOXES["any", 2]).records.labels()
    mechanism = {"format": "pufferproof-mechanism/1", **FILES[name]}
    if name == "channel":
        mechanism["channel"] = {x: ["2/3", "1/3"] if "1" in x else ["1/3", "2/3"] for x in labels}
    if name == "table":
        mechanism["query"] = {x: str(x.count("1")) for x in labels}
    prior = {"initial": "any", "transition_lower": TWO[0], "transition_upper": TWO[1]}
    described = {
        "format": "pufferproof-framework/1",
        "records": {"count": 3, "alphabet": ["0", "1"]},
        "secrets": {f"x={v}": {"record": 2, "value": v} for v in "01"},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": prior}},
    }
    paths = [tmp_path / "f.json", tmp_path / "m.json"]
    for path, document in zip(paths, (described, mechanism)):
        path.write_text(json.dumps(document))
    files_read = read(paths[0], [paths[1]])
    python = pp.audit(files_read.framework, files_read.mechanisms[0], "3")
    assert cli._run(["audit", *map(str, paths), "--epsilon", "3", "--json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    expect_valid(told, "audit")
    assert told["leakage"] == python.leakage.as_json()
    assert told["verdict"] == python.verdict.value == "SATISFIES"
    assert told["trust"] == ["INTERVAL", *TRUST[name]]
    assert ("classes, which are bounded" in err) == (name != "noise")
    assert cli._run(["audit", *map(str, paths), "--epsilon", "3"]) == 0
    assert ("between " if name == "noise" else "at most   ") in capsys.readouterr().out
    single, file = "needs single laws: classes of chains are bounded only", tmp_path / "c"
    for option in (["--plot", f"{file}.svg"], ["--profile"]):
        assert cli._run(["audit", *map(str, paths), "--epsilon", "3", *option]) == 2
        assert f"{option[0]}: {single}" in capsys.readouterr().err
    asked = ["audit", *map(str, paths), "--epsilon", "3", "--certificate", str(file)]
    assert cli._run(asked) == (0 if name == "noise" else 2)
    why = {"noise": "", "table": "found a table"}.get(name, f"--certificate: {single}")
    assert why in capsys.readouterr().err
    assert [path.name for path in tmp_path.glob("c*")] == ["c"] * (name == "noise")
    if name == "noise":
        assert json.loads(file.read_text()) == audit_evidence(files_read, python)
        file.unlink()
        assert cli._run(["audit", *map(str, paths), "--certificate", str(file), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["trust"] == ["INTERVAL", *TRUST[name]]  # which the certificate is not as close as
    else:
        with pytest.raises(pp.CertificateError, match=r"the kernel has (a|no) rule for"):
            audit_evidence(files_read, python)
    if name != "channel":
        assert cli._run(["audit", *map(str, paths), "--table"]) == 2
    files, claims = [*map(str, paths), str(paths[1])], ["--epsilon", "3", "--epsilon", "1"]
    kept = pp.audit(files_read.framework, python.mechanism, "1").kept
    between = {Decision.HOLDS: 0, Decision.FAILS: 1, Decision.UNDECIDED: 3}[kept]
    capsys.readouterr()
    assert cli._run(["compose", *files, *claims, "--json"]) == between
    told = json.loads(capsys.readouterr().out)
    expect_valid(told, "compose")
    joint = pp.compose(files_read.framework, [python.mechanism] * 2).joint
    assert told["joint"] == joint.leakage.as_json()
    assert told["claimed"][0]["verdict"] == "SATISFIES"
    assert cli._run(["compose", *files]) == 0
    assert ("between " if name == "noise" else "at most   ") in capsys.readouterr().out
    asked = ["compose", *files, "--certificate", str(file), "--replace"]
    assert cli._run(asked) == (0 if name == "noise" else 2)


@pytest.mark.parametrize("initial", ["any", "stationary", ["1/2", "1/4", "1/4"]])
@pytest.mark.parametrize(("length", "record"), [(4, 2), (3, None)])
def test_noise_for_a_box_of_three_values_keeps_the_level_under_its_chains(initial, length, record):
    box = pp.IntervalChain(initial, *THREE)
    records = None if record is None else [record]
    found = pp.markov_quilt_of_class(box, length, "1", records)
    for chain in box.members(2).values():
        for place in range(1, length + 1) if record is None else [record]:
            of = framework(chain, length, place)
            # the sum of 0, 1, 2 changes by at most 2 with one record
            noise = pp.Noise("laplace", 2 * found.scale.upper)
            count = pp.RecordQuery("sum", noise, of.records)
            assert pp.audit(of, count, "1").verdict.value == "SATISFIES"


def test_noise_for_inner_records_is_that_of_each_of_them():
    box = BOXES["stationary", 3]
    inner = [pp.markov_quilt_of_class(box, 100, "9", [i]).scale.upper for i in (40, 60)]
    assert len(set(inner)) == 1
    assert pp.markov_quilt_of_class(box, 100, "9", [40, 60]).scale.upper == inner[0]


def test_secrets_that_are_both_possible_only_inside_the_box_are_compared():
    rows = [["0", "0"], ["1/2", "1/2"]], [["1", "1"], ["1/2", "1/2"]]
    of = framework(pp.IntervalChain(["1", "0"], *rows), 2)
    last = {"0": {"u": "3/4", "v": "1/4"}, "1": {"u": "1/4", "v": "3/4"}}
    reports = pp.Channel.of({x: last[x[1]] for x in ("00", "01", "10", "11")})
    answer = pp.audit(of, reports, "log(3)")
    assert (answer.kept, answer.leakage.ratio) == (Decision.HOLDS, 3)
    assert pp.worst_partner(of, reports, "log(2)").joint.lower == 6
    assert pp.compose(of, [reports], 2).joint.leakage.ratio == 9


@pytest.mark.parametrize("first", ["class", "chain"])
def test_a_prior_that_is_called_like_a_chain_of_a_class_is_audited(first):
    even, name = [["1/2", "1/2"]] * 2, "theta: 1/2 1/2, 1/2 1/2"
    still = pp.MarkovChain(["1/2", "1/2"], [["99/100", "1/100"], ["1/100", "99/100"]])
    priors = {"theta": pp.IntervalChain("any", even, even), name: still}
    if first == "chain":
        priors = dict(reversed(priors.items()))
    secrets = {f"x={value}": (1, value) for value in "01"}
    of = pp.Framework(pp.Records(2, ("0", "1")), secrets, "disjoint", priors)
    last = {"0": {"u": "3/4", "v": "1/4"}, "1": {"u": "1/4", "v": "3/4"}}
    reports = pp.Channel.of({x: last[x[1]] for x in ("00", "01", "10", "11")})
    answer = pp.audit(of, reports, "log(2)")
    assert (answer.kept, answer.witness.prior) == (Decision.FAILS, name)
    assert answer.leakage.ratio == Fraction(149, 51)
