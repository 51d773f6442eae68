"""Queries with noise from files: audited and composed, on listed databases and along sequences;
bad ones refused by name.
"""

import json
from fractions import Fraction

import pytest
from tests.models.files.test_reading import FRAMEWORK, MECHANISM, changed
from tests.reports.console.schemas import expect_valid

from pufferproof import ModelError, Records, read_framework, read_mechanism
from pufferproof.models.files.question import read
from pufferproof.models.files.writing import query_document
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.verify.audit import audit

FORMAT = {"format": "pufferproof-mechanism/1"}
LAPLACE = {"laplace": {"scale": "1"}}
TABLE = {**FORMAT, "query": {"a": 0, "b": "1/2", "c": 0.5}, "noise": LAPLACE}
SUM = {**FORMAT, "query": "sum", "noise": LAPLACE}
BITS = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
}
MIXED = BITS | {
    "databases": ["a", "b", "c", "d"],
    "secrets": {"s": ["a", "b"], "t": ["c", "d"]},
    "priors": {
        "one": {"table": {"a": "1/4", "b": "1/4", "c": "1/4", "d": "1/4"}},
        "other": {"table": {"a": "1/8", "b": "1/4", "c": "1/2", "d": "1/8"}},
    },
    "closure": "convex",
}
BIT = {**FORMAT, "query": {"a": 0, "b": 1}, "noise": LAPLACE}
CHAIN = {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/5", "4/5"]]}
LONG = {
    "format": "pufferproof-framework/1",
    "records": {"count": 200, "alphabet": ["0", "1"]},
    "secrets": {"x90=0": {"record": 90, "value": "0"}, "x90=1": {"record": 90, "value": "1"}},
    "pairs": "disjoint",
    "priors": {"theta": {"markov": CHAIN}},
}


@pytest.fixture
def audited(save, run):
    def invoke(framework, mechanism, *options):
        code, out, _ = run("audit", save("f.json", framework), save("m.json", mechanism), "--json", *options)
        answer = json.loads(out)
        expect_valid(answer, "audit")
        return code, answer

    return invoke


@pytest.mark.parametrize(
    ("level", "code", "verdict"),
    [
        ("1", 0, "SATISFIES"),
        ("0.9999999999999999999999", 1, "VIOLATES"),
        ("1e9999", 0, "SATISFIES"),
        ("0", 1, "VIOLATES"),
        ("log(3)", 0, "SATISFIES"),
        ("log(271828/100000)", 1, "VIOLATES"),
    ],
)
def test_the_standard_audit(audited, level, code, verdict):
    found, answer = audited(BITS, BIT, "--epsilon", level)
    assert (found, answer["verdict"]) == (code, verdict)
    assert answer["leakage"]["ratio"] is None
    assert answer["witness"] == {"prior": "theta", "pair": ["s", "t"], "output": "0"}
    assert (answer["checked"], answer["excluded"], answer["trust"]) == (4, 0, ["EXACT", "INTERVAL"])


@pytest.mark.parametrize("query", ["sum", "mean", "histogram"])
@pytest.mark.parametrize("segment", [None, [1, 2], [2, 3]])
def test_sequences_agree_with_lists(save, query, segment):
    """A framework without its list of databases, and with one: closed priors or lists of
    databases as secrets ask for it.
    """
    short = changed(changed(LONG, ["records", "count"], 3), ["secrets"], {})
    named = {"zero": {"record": 2, "value": "0"}, "one": {"record": 2, "value": "1"}}
    listed = {"zero": ["000", "001", "100", "101"], "one": ["010", "011", "110", "111"]}
    mechanism = {**FORMAT, "query": query, "noise": LAPLACE} | ({} if segment is None else {"segment": segment})
    answers = []
    for secrets in (named, listed):
        files = save("f.json", changed(short, ["secrets"], secrets)), [save("m.json", mechanism)]
        noisy = read(*files)
        found = audit(noisy.framework.value, noisy.mechanisms[0].value, "1").as_json()
        assert {"claim": "noise.attained", "verdict": "PROVED"} in found.pop("rests_on")
        answers.append((noisy.framework.sha256, type(noisy.framework.value).__name__, found))
    assert answers[0][2] == answers[1][2]
    assert [name for _, name, _ in answers] == ["Framework", "Framework"]
    assert answers[1][0] == read_framework("f.json").sha256


def test_joint_leakage_exceeds_the_sum(save, run):
    """Two databases behind either secret: alone the sums agree, together they tell."""
    pairs = ["00", "11", "01", "10"]
    framework = BITS | {
        "databases": pairs,
        "secrets": {"equal": pairs[:2], "different": pairs[2:]},
        "pairs": [["equal", "different"]],
        "priors": {"theta": {"table": dict.fromkeys(pairs, "1/4")}},
    }
    save("f.json", framework)
    for k in (0, 1):
        save(f"m{k}.json", BIT | {"query": {label: int(label[k]) for label in pairs}})
    code, out, _ = run("compose", "f.json", "m0.json", "m1.json", "--json")
    answer = json.loads(out)
    assert (code, [each["ratio"] for each in answer["single"]], answer["additive"]) == (0, ["1", "1"], False)


BAD = [
    (["noise"], {"laplace": {"scale": "0"}}, "noise: laplace.scale: expected a scale above 0"),
    (["noise"], {"laplace": {"scale": "-1"}}, "noise: laplace.scale: expected a scale above 0"),
    (
        ["noise"],
        {"laplace": {"scale": "1/log(1)"}},
        "noise: laplace.scale: expected a scale c/log(r) with c > 0 and r > 1",
    ),
    (["noise"], {"laplace": {"scale": "log(2)"}}, "noise: laplace.scale: expected a number"),
    (["noise"], {"laplace": {"scale": True}}, "noise: laplace.scale: expected a number"),
    (["noise"], {"laplace": {"scale": None}}, "noise: laplace.scale: expected a number"),
    (["noise"], {"laplace": {}}, 'noise.laplace: missing key "scale"'),
    (["noise"], {"laplace": None}, 'expected an object after "laplace"'),
    (["noise"], {"laplace": {"scale": 1, "sigma": 1}}, 'noise.laplace: unknown key "sigma"'),
    (["noise"], {"discrete_laplace": {"scale": 0}}, "noise: discrete_laplace.scale: expected a scale above 0"),
    (["noise"], {"geometric": {"ratio": "1"}}, "noise: geometric.ratio: expected a ratio strictly between 0 and 1"),
    (["noise"], {"gaussian": {"sigma": "0"}}, "noise: gaussian.sigma: expected a standard deviation above 0"),
    (
        ["noise"],
        {"cauchy": {"scale": 1}},
        'noise: expected one of "laplace", "geometric", "discrete_laplace", "gaussian"',
    ),
    (["noise"], {}, "noise: expected one of"),
    (
        ["noise"],
        {"laplace": {"scale": "1/log(1" + "0" * 30 + ")"}},
        "noise: laplace.scale: expected a number of at most 18",
    ),
    (["noise"], ..., 'expected "query" and "noise" together, found "query" alone'),
    (["noise"], {"geometric": {"ratio": "1/2"}}, 'query: geometric noise needs integers, found 1/2 for "b"'),
    (["query"], ..., 'expected "query" and "noise" together, found "noise" alone'),
    (["query"], {}, "query: expected a value for every database, found none"),
    (["query"], {"a": 0, "b": 1}, 'query: no value for database "c", which has positive probability'),
    (["query", "z"], 1, 'query: unknown database "z"'),
    (["query", "a"], [0, 1], 'query: expected 2 numbers as before, found 1 for "b"'),
    (["query", "a"], [], "query.a: expected at least one number, found none"),
    (["query", "a"], "x", 'query.a: expected a number such as "3/4"'),
    (["query"], "median", 'query: expected "sum", "mean" or "histogram", found "median"'),
    (["query"], "sum", '"sum" needs a framework with "records"'),
    (["segment"], [1, 2], '"segment" needs a "query" that is one of'),
    (["outputs"], ["u"], 'a query with noise has numbers as outputs: leave out "outputs"'),
    (
        ["channel"],
        {"a": ["1"]},
        'expected one of "channel", "local", "redaction", "query", "hidden_markov", "show", found "channel", "query"',
    ),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD)
def test_bad_queries_are_refused(save, run, path, value, message):
    save("f.json", FRAMEWORK)
    save("m.json", changed(TABLE, path, value))
    code, out, err = run("audit", "f.json", "m.json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert "m.json: " in err or "noise: expected values" in err


@pytest.mark.parametrize(
    ("framework", "change", "message"),
    [
        (LONG, {"segment": [0, 5]}, "m.json: segment: expected 1 <= first <= last <= 200, found 0 to 5"),
        (LONG, {"segment": [7, 5]}, "m.json: segment: expected 1 <= first <= last"),
        (LONG, {"segment": [1, 201]}, "m.json: segment: expected 1 <= first <= last"),
        (LONG, {"segment": [1]}, "m.json: segment: "),
        (
            LONG,
            {"query": "mean", "noise": {"geometric": {"ratio": "1/2"}}},
            "m.json: query: geometric noise needs integers",
        ),
        (changed(LONG, ["records", "alphabet"], ["0", "1", "x"]), {}, 'm.json: records.alphabet: "sum" needs numbers'),
        (LONG, {"query": {"0" * 200: 1}}, "f.json: records: 2^200 databases"),
        (LONG | {"closure": "convex"}, {}, "f.json: closure: noise is audited against a list of priors"),
        (
            MIXED,
            {"query": {"a": 0, "b": 1, "c": 2, "d": 3}},
            'closure: expected "list", found "convex": noise is audited against a list of',
        ),
    ],
)
def test_what_does_not_fit_is_refused(save, run, framework, change, message):
    if framework["records" if "records" in framework else "databases"] != LONG["records"] and "records" in framework:
        row = ["1/3", "1/3", "1/3"]
        framework = changed(framework, ["priors", "theta", "markov"], {"initial": row, "transition": [row] * 3})
    save("f.json", framework)
    save("m.json", SUM | change)
    code, out, err = run("audit", "f.json", "m.json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--table"], "--table: needs mechanisms whose outputs are listed"),
        (["--csv", "t.csv"], "--csv: needs mechanisms"),
    ],
)
def test_options_for_lists_are_refused(save, run, tmp_path, options, message):
    save("f.json", BITS)
    save("m.json", BIT)
    code, out, err = run("audit", "f.json", "m.json", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.json", "m.json"]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--certificate", "the kernel has a rule for noise on Markov chains, found other priors"),
        ("--rate-certificate", "--rate-certificate: "),
        ("--plot", "--plot: "),
    ],
)
def test_compose_refuses_them_too(save, run, option, message):
    save("f.json", BITS)
    save("m.json", BIT)
    code, out, err = run("compose", "f.json", "m.json", "--runs", "2", option, "1.svg")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_noise_and_lists_are_not_mixed(save, run):
    save("f.json", FRAMEWORK)
    save("m.json", TABLE)
    save("k.json", MECHANISM)
    code, out, err = run("compose", "f.json", "m.json", "k.json")
    assert (code, out) == (2, "")
    assert "k.json: has no noise, and m.json has" in err
    save("g.json", TABLE | {"noise": {"gaussian": {"sigma": "1"}}})
    code, out, err = run("compose", "f.json", "m.json", "g.json")
    assert (code, err) == (0, "")
    assert "joint     infinite" in out


def test_other_commands_say_what_takes_noise(save, run):
    save("f.json", BITS)
    save("m.json", BIT)
    code, out, err = run("conditions", "f.json", "m.json")
    assert (code, out) == (2, "")
    said = "a query with noise has no list of outputs, which is needed here; "
    assert f"{said}audit, compose and reveal take it" in err
    assert run("reveal", "f.json", "m.json")[0] == 0


def short(alphabet, count, prior):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": alphabet},
        "secrets": {"s": {"record": 1, "value": alphabet[0]}, "t": {"record": 1, "value": alphabet[1]}},
        "pairs": [["s", "t"]],
        "priors": {"theta": prior},
    }


@pytest.mark.parametrize("alphabet", [["1/2", "3/2"], ["-1/2", "5/2"], ["0.25", "1.25"]])
@pytest.mark.parametrize("count", [2, 4])
def test_integers_are_asked_of_the_values_of_a_query_not_of_what_each_record_adds(audited, alphabet, count):
    """Sums of two halves, or four quarters, are integers: the leakage is that of the same
    values in a table.
    """
    from itertools import product

    noise = {"geometric": {"ratio": "1/2"}}
    sums = {",".join(x): str(sum(Fraction(value) for value in x)) for x in product(alphabet, repeat=count)}
    independent = {"product": [["1/3", "2/3"]] * count}
    if any("/" in value for value in sums.values()):
        with pytest.raises(ModelError, match="geometric noise needs integers"):
            RecordQuery("sum", Noise.geometric("1/2"), Records(count, tuple(alphabet)))
        return
    for prior in (independent, {"table": {x: f"1/{len(sums)}" for x in sums}}):
        framework = short(alphabet, count, prior)
        code, answer = audited(framework, {**FORMAT, "query": "sum", "noise": noise})
        assert code == 0
        assert answer["leakage"] == audited(framework, {**FORMAT, "query": sums, "noise": noise})[1]["leakage"]


@pytest.mark.parametrize("alphabet", [["", "1"], ["", "a", "bc"], ["a", ""]])
@pytest.mark.parametrize("segment", [None, [2, 3]])
def test_a_value_may_be_empty(audited, alphabet, segment):
    """Its histogram is that of any other alphabet of as many values."""
    from itertools import product

    plain = [str(place) for place in range(len(alphabet))]
    found = []
    for letters in (alphabet, plain):
        separator = "" if all(len(value) == 1 for value in letters) else ","
        labels = [separator.join(x) for x in product(letters, repeat=3)]
        weights = [1 + place % 5 for place in range(len(labels))]
        table = {label: f"{weight}/{sum(weights)}" for label, weight in zip(labels, weights)}
        query = {**FORMAT, "query": "histogram", "noise": {"geometric": {"ratio": "1/2"}}}
        query |= {} if segment is None else {"segment": segment}
        found.append(audited(short(letters, 3, {"table": table}), query)[1]["leakage"])
    assert found[0] == found[1]


def test_a_mechanism_counts_a_value(tmp_path):
    """Whatever the labels are; a table of one database is none, as two secrets have two."""
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": 3, "alphabet": ["off", "on"]},
        "secrets": {v: {"record": 2, "value": v} for v in ("off", "on")},
        "pairs": "disjoint",
        "priors": {"t": {"markov": {"initial": ["1/2", "1/2"], "transition": [["3/4", "1/4"]] * 2}}},
    }
    mechanism = {
        "format": "pufferproof-mechanism/1",
        "query": {"count": "on"},
        "noise": {"geometric": {"ratio": "1/2"}},
    }
    for name, content in (("f.json", framework), ("m.json", mechanism)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    space = read_framework(tmp_path / "f.json").value
    found = read_mechanism(tmp_path / "m.json", space).value
    assert (found.query, found.counted, found.digits) == ("count", "on", [[0, 1]])
    assert query_document(found) == mechanism
    mechanism["query"]["count"] = "away"
    (tmp_path / "m.json").write_text(json.dumps(mechanism), encoding="utf-8")
    with pytest.raises(ModelError, match="expected one of"):
        read_mechanism(tmp_path / "m.json", space)


def test_many_runs_of_a_long_chain(save, run, audited):
    """K runs of one query leak as one with a K-th of the scale, a histogram of two values as a
    sum with half of it.
    """
    quarter = audited(LONG, SUM | {"noise": {"laplace": {"scale": "15/4"}}})[1]["leakage"]
    save("m.json", SUM | {"noise": {"laplace": {"scale": "15"}}})
    code, out, _ = run("compose", "f.json", "m.json", "--runs", "4", "--json")
    assert (code, json.loads(out)["joint"]) == (0, quarter)
    assert audited(LONG, SUM | {"query": "histogram", "noise": {"laplace": {"scale": "15/2"}}})[1]["leakage"] == quarter


def test_segments_compose(save, run):
    """Segments on either side of the private record are independent given it, so that they add
    up; others do not.
    """
    save("f.json", changed(LONG, ["records", "count"], 120))
    for other, segment in ((True, [91, 99]), (False, [70, 79])):
        save("m.json", SUM | {"segment": [80, 90]})
        save("k.json", SUM | {"segment": segment, "noise": {"laplace": {"scale": "2"}}})
        code, out, _ = run("compose", "f.json", "m.json", "k.json", "--json")
        answer = json.loads(out)
        *single, joint = [float(each["epsilon"]["lower"]) for each in (*answer["single"], answer["joint"])]
        assert (code, answer["additive"]) == (0, True)
        assert max(single) < joint
        assert (abs(joint - sum(single)) < 1e-14) is other


def test_long_sequences(audited, save, run):
    code, answer = audited(LONG, SUM, "--epsilon", "3")
    assert (code, answer["verdict"]) == (1, "VIOLATES")
    code, part = audited(LONG, SUM | {"segment": [90, 90]}, "--epsilon", "1")
    assert (code, part["verdict"], part["witness"]["output"]) == (0, "SATISFIES", "0")
    assert audited(LONG, SUM | {"query": "histogram"})[1]["checked"] == 2 * 201
