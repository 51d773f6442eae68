"""Files: round trips, every form that is read, and one line for every way of being wrong."""

import json
import os
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from pufferproof import Channel, ModelError, read_framework, read_mechanism, strategies
from pufferproof.models.files.reading import parse_json
from pufferproof.models.files.shapes import PRIOR_FORMS
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.models.interface.outputs import write_all_atomically, write_atomically
from pufferproof.models.numbers.text import text_of_int
from pufferproof.models.priors.records import preview

FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b", "c"],
    "secrets": {"s": ["a"], "t": ["b", "c"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/4", "c": 0.25}}},
}
MECHANISM = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": {"a": ["1/2", "1/2"], "b": [1, 0], "c": ["0.25", "75e-2"]},
}
RECORDS = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["0", "1"]},
    "secrets": {"x1=0": {"record": 1, "value": "0"}, "x1=1": {"record": 1, "value": "1"}},
    "pairs": "disjoint",
    "priors": {"theta": {"markov": {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/5", "4/5"]]}}},
}


def to_json(document):
    """Write JSON with integers of any length, which Python's own writer refuses beyond 4,300
    digits.
    """
    if isinstance(document, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {to_json(value)}" for key, value in document.items()) + "}"
    if isinstance(document, list):
        return "[" + ", ".join(map(to_json, document)) + "]"
    return text_of_int(document) if type(document) is int else json.dumps(document)


def changed(document, path, value):
    """Return a copy with the value at a key path replaced (or, for ..., removed)."""
    copy = deepcopy(document)
    *way, last = path
    place = copy
    for key in way:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return copy


@pytest.fixture
def save(tmp_path):
    def write(content, name="input.json"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else to_json(content), encoding="utf-8")
        return str(path)

    return write


@given(strategies.frameworks())
def test_a_framework_survives_its_file(framework):
    from pufferproof.models.files.frameworks import framework_of
    from pufferproof.models.files.reading import validated
    from pufferproof.models.files.shapes import FrameworkFile

    document = parse_json(json.dumps(framework_document(framework)))
    again = framework_of(validated(FrameworkFile, document))
    assert again == framework
    assert hash(again) == hash(framework)


@given(strategies.instances())
def test_a_mechanism_survives_its_file(instance):
    _, channel = instance
    document = mechanism_document(channel)
    assert Channel.of(document["channel"], document["outputs"]) == channel


BAD_FRAMEWORKS = [
    (["priors", "theta", "table", "a"], "3/8", "priors.theta: sums to 7/8, expected 1"),
    (["priors", "theta", "table", "a"], "-1/2", "priors.theta: expected a probability, found -1/2"),
    (["priors", "theta", "table", "z"], "0", 'priors.theta: unknown database "z"'),
    (["priors", "theta", "table", "a"], "half", 'priors.theta.table.a: expected a number such as "3/4"'),
    (["priors", "theta", "table", "a"], True, "priors.theta.table.a: expected a number"),
    (["priors", "theta", "table", "a"], None, "priors.theta.table.a: expected a number"),
    (["priors", "theta", "table", "a"], "1e999999999", "expected a number"),
    (
        ["priors", "theta"],
        {"gaussian": {}},
        'priors.theta.gaussian: expected one of "kernel", "covariance", "ar1" and "network"',
    ),
    (["priors", "theta"], {"tabel": {}}, 'unknown key "tabel"'),
    (["priors", "theta"], {}, f"expected one of {preview(list(PRIOR_FORMS), 20)}, found none"),
    (
        ["priors", "theta"],
        {"product": [["1/2", "1/2"]]},
        "priors.theta: a product prior needs databases made of records",
    ),
    (["priors"], {}, "priors: expected at least one prior"),
    (["priors"], [], "priors: "),
    (["secrets", "s"], [], "secrets.s: expected at least one database, found none"),
    (["secrets", "s"], ["z"], 'secrets.s: unknown database "z"'),
    (["secrets", "s"], ["a", "a"], 'secrets.s: database "a" occurs twice'),
    (["secrets", "s"], ["a", "b"], 'pairs[0]: secrets "s" and "t" overlap in 1 database'),
    (["secrets", "s"], {"record": 1, "value": "a"}, "secrets.s: a secret of a record needs"),
    (["secrets", "s"], "a", "secrets.s: "),
    (["pairs"], [["s", "z"]], 'pairs[0]: unknown secret "z"'),
    (["pairs"], [["s", "s"]], 'pairs[0]: expected two different secrets, found "s" twice'),
    (["pairs"], [["s"]], "pairs[0]: "),
    (["pairs"], [], "pairs: expected at least one pair"),
    (["pairs"], "all", 'pairs: expected "disjoint", found "all"'),
    (["pairs"], ..., 'missing key "pairs"'),
    (["databases"], [], "databases: expected at least one database"),
    (["databases"], 10**5000, "databases: "),
    (["databases", 1], 10**5000, "databases[1]: "),
    (["closure"], 10**5000, 'closure: expected "list" or "convex", found a int with very long numbers'),
    (["databases"], ["a", "b", "b"], 'databases: database "b" occurs twice'),
    (["databases"], ["a", "b", 3], "databases[2]: "),
    (["databases"], ..., 'expected either "databases" or "records"'),
    (["records"], {"count": 1, "alphabet": ["a"]}, 'expected either "databases" or "records"'),
    (["format"], "pufferproof-framework/2", 'format: expected "pufferproof-framework/1"'),
    (["closure"], "hull", 'closure: expected "list" or "convex"'),
    (["extra"], 1, 'unknown key "extra"'),
]
BAD_RECORDS = [
    (["records", "count"], 0, "records.count: expected at least 1 record, found 0"),
    (["records", "count"], "3", "records.count: "),
    (
        ["records", "count"],
        10**5000,
        "records.count: expected at most 10000000 records, found a int with very long numbers",
    ),
    (["records"], {"count": 10**9, "alphabet": ["0"]}, "secrets.x1=1: value: expected one of"),
    (["secrets", "x1=0", "record"], 10**5000, "secrets.x1=0: record: expected a record from 1 to 2"),
    (["records", "alphabet"], ["0", "0"], "records.alphabet: values repeat"),
    (["records", "alphabet"], [], "records.alphabet: "),
    (["records", "alphabet"], ["a,b", "c"], "records.alphabet: a value may not contain"),
    (["secrets", "x1=0", "record"], 3, "secrets.x1=0: record: expected a record from 1 to 2, found 3"),
    (["secrets", "x1=0", "value"], "2", 'secrets.x1=0: value: expected one of "0", "1", found "2"'),
    (["priors", "theta", "markov", "transition"], [["1", "0"]], "priors.theta: transition: expected 2 rows"),
    (
        ["priors", "theta", "markov", "transition"],
        [["1", "0"], ["1/2", "1/4"]],
        "priors.theta: transition[1]: sums to 3/4",
    ),
    (["priors", "theta", "markov", "transition"], [["1", "0"], ["1/2", "1/4", "1/4"]], "priors.theta: "),
    (
        ["priors", "theta", "markov", "transition"],
        [["1", "0"], ["0", "1"]],
        'priors.theta: initial: "stationary" expects',
    ),
    (["priors", "theta", "markov", "initial"], "other", 'initial: expected "stationary" or "any", found "other"'),
    (["priors", "theta", "markov", "initial"], ["1"], "priors.theta: initial: expected 2 entries"),
    (["priors", "theta", "markov", "transition_lower"], [], 'expected "transition" or "transition_lower", found both'),
    (["priors", "theta"], {"product": [["1/2", "1/2"]]}, "priors.theta: expected 2 rows, one per record, found 1"),
]


def test_every_form_of_a_prior_is_documented():
    text = (Path(__file__).parents[3] / "docs" / "reference" / "formats.md").read_text()
    assert list(PRIOR_FORMS)[:3] == ["table", "product", "markov"]
    assert [form for form in PRIOR_FORMS if f'{{"{form}": ' not in text] == []


@pytest.mark.parametrize(("path", "value", "message"), BAD_FRAMEWORKS, ids=range(len(BAD_FRAMEWORKS)))
def test_a_bad_framework_is_refused(save, path, value, message):
    _refused(lambda name: read_framework(name), save(changed(FRAMEWORK, path, value)), message)


@pytest.mark.parametrize(("path", "value", "message"), BAD_RECORDS, ids=range(len(BAD_RECORDS)))
def test_a_bad_framework_of_records_is_refused(save, path, value, message):
    _refused(lambda name: read_framework(name), save(changed(RECORDS, path, value)), message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("%PDF-1.4", "is a PDF, expected JSON or TOML"),
        ("PK\x03\x04", "is a zip file, expected JSON or TOML"),
        ("{", "not valid JSON at line 1, column"),
        ("[1]", "expected a JSON object in { }, found a list"),
        ("3", "expected a JSON object in { }, found 3"),
        ('{"format": 1, "format": 2}', 'key "format" occurs twice'),
        ('{"a": NaN}', "expected a finite number, found NaN"),
        ('{"a": -Infinity}', "expected a finite number"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 20_000 + "}", "at most 10000 digits"),
        (b"\xff\xfe", "is text in UTF-16"),
        ('{"\\ud800": 1}', "found half of a surrogate pair"),
    ],
)
def test_what_is_no_json_is_refused(save, text, message):
    _refused(lambda name: read_framework(name), save(text), message)


BAD_MECHANISMS = [
    (["channel", "a"], ["1/2", "1/4"], 'channel row "a": sums to 3/4, expected 1'),
    (["channel", "a"], ["3/2", "-1/2"], 'channel row "a": expected non-negative entries'),
    (["channel", "a"], ["1"], 'channel row "a": expected 2 entries'),
    (["channel", "a"], ["x", "1"], "channel.a[0]: expected a number"),
    (["channel", "a"], ..., 'channel: no row for database "a", which has positive probability'),
    (["channel", "z"], ["1", "0"], 'channel: unknown database "z"'),
    (["outputs"], ["u", "u"], 'outputs: output "u" occurs twice'),
    (["outputs"], [], "outputs: expected at least one output"),
    (["noise"], {"laplace": {"scale": "1"}}, 'expected "query" and "noise" together, found "noise" alone'),
    (["query"], {}, 'expected "query" and "noise" together, found "query" alone'),
    (
        ["local"],
        [],
        'expected one of "channel", "local", "redaction", "query", "hidden_markov", "show", found "channel", "local"',
    ),
    (["channel"], ..., 'expected one of "channel", "local", "redaction", "query", "hidden_markov", "show", found none'),
    (["outputs"], ..., 'missing key "outputs"'),
    (["format"], "pufferproof-framework/1", "is a framework, expected a mechanism"),
    (["channels"], {}, 'unknown key "channels"'),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD_MECHANISMS)
def test_a_bad_mechanism_is_refused(save, path, value, message):
    framework = read_framework(save(FRAMEWORK, "framework.json")).value
    _refused(lambda name: read_mechanism(name, framework), save(changed(MECHANISM, path, value)), message)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.csv", "", "expected a header and a row per database"),
        ("m.csv", "database,u,v\na,1/2,1/2\na,1,0\n", 'database "a" occurs twice'),
        ("m.csv", "database,u,v\na,1/2\n", "expected 2 entries"),
        ("m.csv", "database,u,v\na,1/2,nan\n", "expected a number"),
        ("m.npy", b"not numpy", "expected a NumPy matrix"),
        ("m.toml", "format = ", "not valid TOML"),
        ("m.toml", 'format = "pufferproof-mechanism/1"\noutputs = ["u"]\nchannel = {a = [inf]}', "expected a number"),
    ],
)
def test_bad_files_of_other_forms_are_refused(save, name, content, message):
    framework = read_framework(save(FRAMEWORK, "framework.json")).value
    labels = save("a\nb\nc\n", "labels.txt") if name.endswith(".npy") else None
    _refused(lambda path: read_mechanism(path, framework, databases=labels), save(content, name), message)


def test_matrices_need_labels_of_the_right_number(save, tmp_path):
    framework = read_framework(save(FRAMEWORK, "framework.json")).value
    np.save(tmp_path / "m.npy", np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]]))
    path = str(tmp_path / "m.npy")
    _refused(lambda name: read_mechanism(name, framework), path, "expected --databases FILE")
    _refused(
        lambda name: read_mechanism(name, framework, databases=save("a\nb\n", "l")),
        path,
        "expected a matrix with 2 rows",
    )
    for bad in (np.array(["x"]), np.array([True]), np.array([1j]), np.array([[0.1, 0.9]] * 3)):
        np.save(tmp_path / "bad.npy", bad)
        with pytest.raises(ModelError):
            read_mechanism(tmp_path / "bad.npy", framework, databases=save("a\nb\nc\n", "l"))


def test_code_runs_only_when_trusted(save, tmp_path, monkeypatch):
    framework = read_framework(save(FRAMEWORK, "framework.json")).value
    monkeypatch.chdir(tmp_path)
    save("def rows(x):\n    return 3\n", "other.py")
    for trust, name, message in [
        (False, "other:rows", "pass --trust-code"),
        (True, "other:absent", "cannot be imported"),
        (True, "nowhere_at_all:rows", "cannot be imported"),
        (True, "other:rows", "expected a dict of output -> probability, found int"),
    ]:
        with pytest.raises(ModelError) as error:
            read_mechanism(name, framework, trust_code=trust)
        assert message in str(error.value)


def test_code_that_breaks_or_exits_is_an_error_and_never_a_verdict(save, tmp_path, monkeypatch):
    framework = read_framework(save(FRAMEWORK, "framework.json")).value
    monkeypatch.chdir(tmp_path)
    save("import sys\ndef leave(x):\n    sys.exit(0)\ndef fail(x):\n    return {}[x]\n", "behaves.py")
    save("import sys\nsys.exit(0)\n", "leaves.py")
    save("def f(:\n", "unparsable.py")
    cases = [
        ("behaves:leave", "SystemExit"),
        ("behaves:fail", "KeyError"),
        ("leaves:f", "SystemExit"),
        ("os:getcwd", "TypeError"),
    ]
    for name, message in [*cases, ("unparsable:f", "SyntaxError")]:
        with pytest.raises(ModelError, match=message):
            read_mechanism(name, framework, trust_code=True)


def test_a_damaged_matrix_is_one_error(save, tmp_path):
    framework = read_framework(save(FRAMEWORK, "framework.json")).value
    np.save(tmp_path / "m.npy", np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]]))
    whole = (tmp_path / "m.npy").read_bytes()
    labels = save("a\nb\nc\n", "labels.txt")
    header = whole.replace(b"(3, 2), }         ", b"(3, 99999999999999")
    damaged = [header, whole[:50], whole[:-3], b"", whole.replace(b"<f8", b"|O8")]
    for data in damaged:
        with pytest.raises(ModelError, match="expected"):
            read_mechanism(save(data, "bad.npy"), framework, databases=labels)


def test_all_files_are_written_or_none(tmp_path):
    (tmp_path / "old").write_text("old")
    for bad in (tmp_path / "absent" / "x", tmp_path):
        with pytest.raises(ModelError, match="cannot be written"):
            write_all_atomically({str(tmp_path / "old"): b"new", str(bad): b"x"})
        assert (tmp_path / "old").read_text() == "old"
        assert [path.name for path in tmp_path.iterdir()] == ["old"]
    (tmp_path / "link").symlink_to(tmp_path / "old")
    (tmp_path / "old").chmod(0o750)
    write_all_atomically({str(tmp_path / "link"): b"new"})
    assert (tmp_path / "old").stat().st_mode & 0o777 == 0o750  # it keeps its rights
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "old").read_text() == "new"
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelError, match="expected a regular file"):
        write_all_atomically({str(tmp_path / "pipe"): b"x"})


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "out.json"
    target.write_text("old")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def _refused(read, path, message):
    with pytest.raises(ModelError) as error:
        read(path)
    text = str(error.value)
    assert text.startswith(f"{path}: ")
    assert message in text


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        (["s"], 'pairs[0]: expected at least 2 items, found 1: ["s"]'),
        (["s", "t", "1", "s"], 'pairs[0]: expected at most 3 items, found 4: ["s", "t", "1", "s"]'),
    ],
)
def test_how_many_items_are_expected_is_said(save, pair, said):
    with pytest.raises(ModelError) as error:
        read_framework(save(FRAMEWORK | {"pairs": [pair]}))
    assert str(error.value).endswith(said)


def test_a_list_of_audits_says_which_option_divides(save, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(FRAMEWORK, "f.json")
    save(MECHANISM | {"channel": MECHANISM["channel"] | {"a": ["1/2", "1/4"]}}, "m.json")
    (tmp_path / "list.txt").write_text("f.json m.json")
    code, out, _ = run("audit-list", "list.txt")
    assert (code, "expected 1 (--normalize divides by the sum)" in out) == (2, True)


@pytest.mark.parametrize(
    ("key", "name", "said"),
    [
        ("priors", "prior", 'unknown key "prior", did you mean "priors"?'),
        ("secrets", "secretes", 'unknown key "secretes", did you mean "secrets"?'),
        ("format", "formate", 'unknown key "formate", did you mean "format"?'),
        ("pairs", "x", 'unknown key "x", expected "closure", "metric", "neighbours", "pairs", "people", "records"'),
    ],
)
def test_a_misspelt_key_is_asked_about(tmp_path, key, name, said):
    document = {name if each == key else each: value for each, value in FRAMEWORK.items()}
    (tmp_path / "f.json").write_text(json.dumps(document))
    with pytest.raises(ModelError) as error:
        read_framework(tmp_path / "f.json")
    assert str(error.value) == f"{tmp_path / 'f.json'}: {said}"
