"""Files that take far more than their length are bad input: refused by name, in one line and in
bounded memory; good files that look like them are read.
"""

import json
import re
import resource
import tomllib
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.kernel import toml
from tests.models.files.fuzz.units import used

from pufferproof.counterexamples.exploration.family import read_family
from pufferproof.models.errors import ModelError
from pufferproof.models.files import reading
from pufferproof.models.files.reading import document_of, in_file, read_levels, read_shape
from pufferproof.models.files.shapes import FrameworkFile, MechanismFile, Shape
from pufferproof.reports import cli
from pufferproof.reports.auditing.lists import lines_of
from pufferproof.reports.console.staging import stated_files
from pufferproof.reports.proofs.record import recorded
from pufferproof.verify.kernel import files

FORM = 'format = "pufferproof-framework/1"\n'
WORDS = ("a", "1", '"a.b"', "'.'", '"\\""', '""', "-")
TEXTS = ('"""a.b"""', "'''\n.'''", '"x.y"', "'z'", "[0.5, 1]", "# a.b\n", "true", "{a.b = 1}")


@contextmanager
def room(most):
    """Let the body have so many bytes more than this process has."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used() + most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


@pytest.mark.parametrize("name", [*toml.LONG, *toml.MANY])
def test_toml_that_takes_far_more_than_its_length_is_refused(name, tmp_path):
    text = (toml.LONG | toml.MANY)[name]()
    path = tmp_path / "f.toml"
    path.write_text(FORM + text)
    with room(1 << 30), pytest.raises(ModelError) as error:
        read_shape(path, FrameworkFile)
    said = str(error.value)
    assert said.startswith(f"{path}: ")
    assert "too little memory" not in said
    assert ("keys of at most 8 parts" in said) == (name in toml.LONG)


@pytest.mark.parametrize("name", toml.DOTS)
def test_dots_that_are_not_in_long_keys_are_read(name):
    text = toml.DOTS[name]
    assert document_of("f.toml", text.encode()) == tomllib.loads(text, parse_float=str)


@examples(300)
@given(st.data())
def test_keys_are_refused_exactly_where_they_have_over_eight_parts(data):
    """Whatever strings, comments and values stand around them."""
    lines, longest = [], 0
    for number in range(data.draw(st.integers(1, 6))):
        parts = data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=10))
        value = data.draw(st.sampled_from(TEXTS))
        mark = data.draw(st.sampled_from((".", " . ", ".\t")))
        key = mark.join([f"k{number}", *parts])
        lines.append(f"{value}" if value[0] == "#" else f"{key} = {value}")
        longest = max(longest, 0 if value[0] == "#" else 1 + len(parts))
    text = "\n".join(lines)
    if longest > 8:
        with pytest.raises(ModelError, match="at most 8 parts"):
            document_of("f.toml", text.encode())
    else:
        assert document_of("f.toml", text.encode()) == tomllib.loads(text, parse_float=str)


def test_the_kernel_takes_toml_apart_as_the_package_does():
    assert files.PIECES.pattern == reading.PIECES.pattern
    assert files.PIECES.flags == reading.PIECES.flags


def test_toml_is_read_by_the_bounded_readers_alone():
    """Files are read by `document_of`, and the kernel has a reader of its own."""
    here = Path(reading.__file__).parents[2]
    floors = ("models", "verify", "lp", "counterexamples", "claims", "reports", "examples")
    found = {
        path.relative_to(here).as_posix()
        for floor in floors
        for path in (here / floor).rglob("*.py")
        if not path.is_relative_to(here / "reports" / "out")  # kernels beside pages
        if "import tomllib" in path.read_text(encoding="utf-8")
    }
    assert found == {"models/files/reading.py", "verify/kernel/files.py"}


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("levels.json", read_levels),
        ("record.json", recorded),
        ("files.json", lambda path: stated_files(path.parent, "f/1")),
        ("f.json", lambda path: read_shape(path, FrameworkFile)),
        ("f.csv", lambda path: read_shape(path, FrameworkFile)),
        ("family.json", lambda path: read_family(str(path))),
        ("list.jsonl", lambda path: lines_of(str(path))),
    ],
)
@pytest.mark.parametrize("text", ["[" * 100_000, '{"x":' * 100_000, "[1" + "0" * 99_999 + "]"])
def test_every_reader_of_json_refuses_what_is_nested_deeply_or_very_long(name, read, text, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    if name == "files.json":  # which no report has written so
        assert read(path) == {}
    elif name == "list.jsonl":
        assert read(path)[0].error
    else:
        with pytest.raises(ModelError, match=re.escape(f"{path}: ")) as error:
            read(path)
        assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#" * 16_000_001, "at most 16000000 characters of TOML, found 16000001: write it as JSON"),
        (f"x = 1\ny = {'9' * 100_001}", "words of at most 100000 .* longer one at line 2"),
        (f"x = 0x{'F' * 15_000_000}", "words of at most 100000 characters"),
        (f"x = 1.{'5' * 15_000_000}", "words of at most 100000 characters"),
        (f"x = 1_{'5_' * 7_000_000}5", "words of at most 100000 characters"),
        (f"x = {'9' * 5_000}", "a number in TOML has at most 4300 digits: write it as text"),
    ],
)
def test_what_is_too_long_in_toml_says_what_to_do(text, said):
    with room(1 << 30), pytest.raises(ModelError, match=said):
        document_of("f.toml", text.encode())


def test_what_python_cannot_go_through_is_bad_input():
    def deeper():
        return deeper()

    with pytest.raises(ModelError, match=r"^f.json: nested too deeply"), in_file("f.json"):
        deeper()


BAD = [  # every command that reads TOML, the bad file instead of each that it reads
    "audit BAD good.json",
    "audit good.json BAD",
    "audit-list list.txt",
    "compose BAD good.json",
    "reveal BAD bad.toml --runs 2",
    "partner BAD good.json --budget log(2) --out p.json",
    "worst BAD --budget log(2)",
    "conditions BAD good.json",
    "collapse BAD --budget log(2) --out found",
    "critical BAD",
    "optimal BAD --epsilon 1 --loss good.json --out o.json",
    "optimal good.json --epsilon 1 --loss BAD --out o.json",
    "redact --alpha 1/4 --beta 1/2 --length 9 --private 5 --epsilon 1 --profile BAD",
    "influence BAD --record 1",
    "calibrate BAD --mechanism markov-quilt --query sum --epsilon 1",
    "translate BAD --per-record-dp 1",
    "explore BAD",
    "explore good.json --formula BAD",
    "estimate BAD cat --trust-code",
    "report folder --out out",
]


@pytest.mark.parametrize("words", BAD)
@pytest.mark.parametrize("name", ["a dotted key", "a header and lines", "nested inline tables"])
def test_every_command_refuses_toml_that_takes_far_more_than_its_length(words, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = FORM + (toml.LONG | toml.MANY)[name]()
    (tmp_path / "folder" / "one").mkdir(parents=True)
    for place in ("bad.toml", "folder/one/example.toml"):
        (tmp_path / place).write_text(text)
    (tmp_path / "list.txt").write_text("bad.toml good.json\n")
    good = {"format": "pufferproof-framework/1", "databases": ["a", "b"], "pairs": "disjoint"}
    good |= {"secrets": {"s": ["a"], "t": ["b"]}, "priors": {"p": {"table": {"a": 1}}}}
    (tmp_path / "good.json").write_text(json.dumps(good))
    with room(1 << 30):
        code = cli._run(words.replace("BAD", "bad.toml").split())
    out, err = capsys.readouterr()
    said = out if "audit-list" in words else err
    assert (code, len(said.splitlines())) == (2, 1)
    assert "bad.toml: " in said or "example.toml: " in said
    assert "keys of at most 8 parts" in said or "nested too deeply" in said


@pytest.mark.parametrize("words", [*BAD[:2], *BAD[3:-1], "release BAD", "export BAD"])
def test_every_command_refuses_a_device_that_never_ends(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    good = {"format": "pufferproof-framework/1", "databases": ["a", "b"], "pairs": "disjoint"}
    good |= {"secrets": {"s": ["a"], "t": ["b"]}, "priors": {"p": {"table": {"a": 1}}}}
    (tmp_path / "good.json").write_text(json.dumps(good))
    words += " --coq a.v" * words.startswith("export")
    with room(1 << 30):
        code = cli._run(re.sub("BAD|bad.toml", "/dev/zero", words).split())
    out, err = capsys.readouterr()
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "/dev/zero" in err


@pytest.mark.parametrize("words", ["audit-list BAD", "audit-list list.txt", "release p.toml"])
def test_devices_that_a_list_or_a_plan_names_are_refused(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.txt").write_text("/dev/zero /dev/zero\n")
    (tmp_path / "link").symlink_to("/dev/zero")
    plan = 'format = "pufferproof-release/1"\nframework = "link"\n[[release]]\nquery = "sum"\n'
    (tmp_path / "p.toml").write_text(plan + "noise = { laplace = { scale = 1 } }\n")
    with room(1 << 30):
        assert cli._run(words.replace("BAD", "/dev/zero").split()) == 2
    out, err = capsys.readouterr()
    assert len((out + err).splitlines()) == 1


MANY = 200_000
GOOD = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": "disjoint",
    "priors": {"p": {"table": {"a": 1}}},
}
CHANNEL = {"format": "pufferproof-mechanism/1", "outputs": ["u"]}


def named(value):
    return dict.fromkeys(map(str, range(MANY)), value)


WRONG = {  # so many mistakes, of which the first is told
    "a label": (lambda: GOOD | {"databases": [1] * MANY}, "databases[0]: expected text in quot"),
    "empty": (lambda: GOOD | {"databases": [[]] * MANY}, "databases[0]: expected text in"),
    "a secret": (lambda: GOOD | {"secrets": named(1)}, "secrets.0: "),
    "a member": (lambda: GOOD | {"secrets": {"s": [1] * MANY}}, "secrets.s[0]: expected text"),
    "a pair": (lambda: GOOD | {"pairs": [["s"]] * MANY}, "pairs[0]: expected at least 2 items"),
    "a prior": (lambda: GOOD | {"priors": named(1)}, "priors.0: expected one of"),
    "a key": (lambda: GOOD | named(1), 'unknown key "0"'),
    "a weight": (lambda: GOOD | {"priors": {"p": {"table": named({})}}}, "priors.p.table.0: "),
    "a row": (lambda: GOOD | {"priors": {"p": {"product": [1] * MANY}}}, "priors.p.product[0]: "),
    "a cell": (lambda: CHANNEL | {"channel": {"a": [{}] * MANY}}, "channel.a[0]: expected a num"),
    "a table": (lambda: CHANNEL | {"channel": named([{}])}, "channel.0[0]: expected a number"),
    "an output": (lambda: CHANNEL | {"outputs": [1] * MANY, "channel": {}}, "outputs[0]: "),
}


@pytest.mark.parametrize("name", WRONG)
def test_of_many_mistakes_the_first_is_told(name, tmp_path):
    """Each error of pydantic takes a kB."""
    make, said = WRONG[name]
    document = make()
    shape = MechanismFile if "outputs" in document else FrameworkFile
    (tmp_path / "f.json").write_text(json.dumps(document))
    del document
    with room(100_000_000), pytest.raises(ModelError) as error:
        read_shape(tmp_path / "f.json", shape)
    assert f"f.json: {said}" in str(error.value)
    assert len(str(error.value)) < 600


def parts_of(schema):
    """Yield the schemas of lists and objects inside a schema of pydantic's core."""
    if isinstance(schema, dict):
        if schema.get("type") in ("list", "dict"):
            yield schema
        for key, part in schema.items():
            if key not in ("metadata", "default"):
                yield from parts_of(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from parts_of(part)


def test_every_list_and_object_of_a_file_ends_at_its_first_mistake():
    every, rest = [], [Shape]
    while rest:
        shape = rest.pop()
        rest += shape.__subclasses__()
        every.append(shape)
    for shape in every[1:]:
        shape.model_rebuild()
        for part in parts_of(shape.__pydantic_core_schema__):
            assert part["fail_fast"]
    assert len(every) > 40


UNBOUNDED = re.compile(r"\.read_bytes\(\)|\.read_text\(|file\.read\(\)")
OURS = {  # what the package itself wrote or ships, and files whose size is known before
    "claims/document/finder.py",  # what compiles documents
    "claims/run/cache.py",
    "claims/language",
    "claims/papers/bai2026/experiments/setting/cells.py",
    "claims/papers/bai2026/experiments/setting/sizes.py",
    "claims/run/spare.py",
    "claims/vocabulary/coq",
    "models/interface",
    "reports/auditing/check.py",  # what the kernel has accepted
    "reports/auditing/reproving.py",
    "reports/auditing/samplers/bets.py",  # runs where the evidence was unpacked
    "reports/auditing/samplers/evidence.py",
    "reports/composition/accounting.py",
    "reports/composition/worst.py",
    "reports/console/outputs.py",  # a file as long as what would be written
    "reports/console/staging.py",
    "reports/console/labels.py",
    "reports/explaining",
    "verify/decision.py",
    "reports/page",
    "reports/proofs",
    "verify/certificates/formal",
    "verify/proof/smt.py",  # a line of the kernel of the system
}


def test_files_that_people_name_are_read_up_to_a_limit():
    """`bytes_of` and `bytes_inside` ask for one; who reads without them is listed."""
    here = Path(reading.__file__).parents[2]
    floors = ("models", "verify", "lp", "counterexamples", "claims", "reports")
    found = {
        path.relative_to(here)
        for floor in floors
        for path in (here / floor).rglob("*.py")
        if not path.is_relative_to(here / "reports" / "out")
        if UNBOUNDED.search(path.read_text(encoding="utf-8"))
    }
    listed = {each for each in found if not {each.as_posix(), *map(str, each.parents)} & OURS}
    assert not listed


MISTAKES = {  # of words: a framework, a mechanism
    "audit M F": "M: is a mechanism, expected a framework: FRAMEWORK comes first",
    "audit F F": "F: is a framework, expected a mechanism: FRAMEWORK comes first",
    "check F": "F: is a framework, not a certificate",
    "check M": "M: is a mechanism, not a certificate",
    "audit F M --epsilom 1": "--epsilom: no such option, did you mean --epsilon?",
    "audit F M --eps 1": "--eps: no such option, did you mean --epsilon?",
    "audit F M -epsilon 1": "-epsilon: no such option, did you mean --epsilon?",
    "audit F M --trust_code": "--trust_code: no such option, did you mean --trust-code?",
    "audit F M --level 1": "--level: no such option; see `pufferproof audit --help`",
    "audti F M": '"audti" is no command, did you mean "audit"?',
    "audit F M M": 'unexpected "M"; see `pufferproof audit --help`',
    "audit F M --epsilon": "--epsilon: expected a value after it",
    "audit F": "missing MECHANISM: mechanism file",
    "audit F M --effort x": '--effort: expected a whole number, found "x"',
    "audit F M --output-format jsn": 'found "jsn", did you mean "json"?',
    "calibrate F --query sum --epsilon 1 --mechanism markov-quit": 'mean "markov-quilt"?',
    "schema framwork": 'unknown schema "framwork", did you mean "framework"?',
    "reproduce wang2016.figure3": 'did you mean "wang2016.figure2"?',
    "check empty": "empty: is empty",
    "check pdf": "pdf: is a PDF, not a certificate",
    "audit pdf M": "pdf: is a PDF, expected JSON or TOML",
    "audit comma.json M": "column 10: remove the comma after the last entry",
    "audit python.json M": "column 2: texts stand in double quotation marks",
    "audit f.yaml M": "f.yaml: is YAML, expected JSON or TOML",
    "audit bare M": 'priors.theta: expected {"markov": {..}} around "initial", "transition"',
    "audit F bare.csv": "expected commas, semicolons, tabs or bars between cells, found the one",
    "audit never M": "never: pairs: nothing to check: under every prior, each pair has a secret of "
    'probability 0, such as "t"',
}


@pytest.mark.parametrize("words", MISTAKES)
def test_common_mistakes_say_what_was_meant(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    half = CHANNEL | {"outputs": ["u", "v"], "channel": {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"]}}
    bare = GOOD | {"priors": {"theta": {"initial": ["1"], "transition": [["1"]]}}}
    for name, document in (("F", GOOD), ("never", GOOD), ("M", half), ("bare", bare)):
        (tmp_path / name).write_text(json.dumps(document))
    texts = {"comma.json": '{"a": 1, }', "python.json": "{'a': 1}", "f.yaml": "format: 1"}
    texts |= {"empty": "", "pdf": "%PDF-1.4", "bare.csv": "x\na\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert cli._run(words.split()) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert MISTAKES[words] in err
