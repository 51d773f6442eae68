"""The public API: its names, what its arguments may be, what it says of the others, and how its
answers show themselves.
"""

import ast
import html
import importlib
import inspect
import json
import pickle
import re
import rlcompleter
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.project.public_objects import (
    BINARY,
    CALLS,
    CHAIN,
    CHANNEL,
    COIN,
    FRAMEWORK,
    LISTED,
    LOCAL,
    LONG,
    LONG_LOCAL,
    LOSS,
    NOISE,
    QUERY,
    RECORD_QUERY,
    RECORDS,
    REDACTION,
    SECRETS,
    SEQUENCES,
    TABLE,
)

import pufferproof as pp
from pufferproof.lp.cones.columns import Columns
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.files.mechanisms import read_mechanism
from pufferproof.models.files.reading import Loaded
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.reports.auditing import words
from pufferproof.verify.leakage.ratio import LargestRatio
from pufferproof.verify.noise.ratio.listed import NoiseLeakage
from pufferproof.verify.sequences.leakage import LocalLeakage
from pufferproof.verify.simulation.estimation.samplers import Coins

READ = (Loaded(FRAMEWORK, "framework.json", "sha256:0"), Loaded(CHANNEL, "mechanism.json", "sha256:1"))
OTHERS = [
    FRAMEWORK,
    LONG,
    LONG_LOCAL,
    SEQUENCES,
    CHANNEL,
    LOCAL,
    RECORD_QUERY,
    QUERY,
    BINARY,
    REDACTION,
    CHAIN,
    TABLE,
    NOISE,
    LOSS,
    *READ,
    pp.Level("1"),
    None,
    True,
    0,
    -1,
    3,
    2.5,
    float("nan"),
    Fraction(1, 3),
    "",
    "x",
    "log(2)",
    "0.5",
    "-1",
    b"x",
    Path("x.json"),
    object(),
    pp.Framework,
    pp.Verdict.SATISFIES,
    [],
    [1],
    ["a"],
    ["log(2)", 0.5],
    [None],
    [[]],
    [["1/2"]],
    [CHANNEL],
    [CHANNEL, QUERY],
    [FRAMEWORK],
    (1, 2),
    (),
    {},
    {"a": "1/2"},
    {"a": CHANNEL},
    {"theta": {"a": 1}},
    {1, 2},
    range(3),
    np.array([0.5, 0.5]),
    np.eye(2),
    np.float64(0.5),
    np.int64(2),
]


def target(name):
    head, _, method = name.partition(".")
    made = {"Observer": (FRAMEWORK, CHANNEL), "Accountant": (SEQUENCES,)}
    found = getattr(pp, head)
    if head in made and method and method != "load":
        found = found(*made[head])
    return getattr(found, method) if method else found


def called(name, arguments):
    function = target(name)
    several = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.VAR_POSITIONAL]
    if several:
        given = arguments[several[0]]
        found = function(*given) if isinstance(given, list | tuple) else function(given)
    else:
        found = function(**arguments)
    return list(found) if inspect.isgenerator(found) else found


def test_the_names_are_the_public_ones_in_tab_completion_too():
    assert dir(pp) == sorted(pp.__all__) == sorted(pp._HOME)
    offered = {
        match.removeprefix("pp.").rstrip("()") for match in rlcompleter.Completer({"pp": pp}).attr_matches("pp.")
    }
    assert offered == set(pp.__all__)
    everything = {}
    exec("from pufferproof import *", everything)
    assert set(everything) - {"__builtins__"} == set(pp.__all__)
    assert all(everything[name] is getattr(pp, name) for name in pp.__all__)


def test_type_checkers_see_the_same_names():
    tree = ast.parse(Path(pp.__file__).read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    *imports, names = guarded.body
    seen = {alias.asname or alias.name: node.module for node in imports for alias in node.names}
    assert seen == {name: f"pufferproof.{home.partition(':')[0]}" for name, home in pp._HOME.items()}
    assert ast.literal_eval(names.value) == [*pp._HOME]


_OF_OTHER_QUESTIONS = (  # answers as JSON, plots, plans of releases, and noise that is rounded
    "reports.schemas",
    "reports.console.drawing",
    "models.files.shapes.plans",
    "models.priors.continuous.network",
    "models.noise.tables.shaped",
)


def test_an_audit_of_two_tables_imports_only_what_it_needs():
    place, rooms = "pufferproof.models.interface.sweeps", ("noise", "sequences", "kernel")
    others = [f"{place}.", "concurrent.", "multiprocessing.", "rich", "numpy", "flint", "tomllib"]
    others += [f"pufferproof.{each}" for each in _OF_OTHER_QUESTIONS]
    others += [f"pufferproof.verify.{room}" for room in rooms]
    script = (
        "import sys; from pufferproof.reports.cli import main\n"
        "try: main()\n"
        "except SystemExit: print([name for name in sys.modules if "
        f"name.startswith({tuple(others)})])"
    )
    folder = Path(pp.__file__).parents[2] / "examples" / "correlated" / "smart-meter"
    files = [str(folder / name) for name in ("framework.json", "mechanism-response.json")]
    done = subprocess.run(
        [sys.executable, "-c", script, "audit", *files, "--epsilon", "log(3)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("VIOLATES log(3)")
    assert done.stdout.endswith(f"\n['{place}.opening']\n")


def test_what_is_said_of_a_kind_names_a_class_that_there_is():
    for name in words.KINDS:
        module, _, kind = name.partition(":")
        assert issubclass(getattr(importlib.import_module(f"pufferproof.verify.{module}"), kind), LargestRatio)


def test_an_audit_of_a_table_enters_no_room_of_noise_and_makes_no_arrays():
    script = (
        "import sys; from pufferproof import Channel, Framework, Table, audit; "
        "space = Framework('ab', {'s': ['a'], 't': ['b']}, [('s', 't')], "
        "{'theta': Table({'a': '1/2', 'b': '1/2'})}); "
        "print(audit(space, Channel.of({'a': ['3/4', '1/4'], 'b': [0, 1]}, 'uv'), 1)); "
        "print([name for name in sys.modules if name in ('numpy', 'flint', 'pydantic') or "
        "name.startswith(('pufferproof.verify.noise', 'pufferproof.verify.sequences'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("VIOLATES 1; leakage inf")
    assert done.stdout.endswith("\n[]\n")


@pytest.mark.parametrize("option", ["--json", "--table"])
def test_what_an_audit_leaves_out_is_there_where_it_is_asked_for(option):
    folder = Path(pp.__file__).parents[2] / "examples" / "correlated" / "smart-meter"
    files = [str(folder / name) for name in ("framework.json", "mechanism-response.json")]
    command = [sys.executable, "-m", "pufferproof", "audit", *files, option]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ("│ meter" if option == "--table" else '"ratio": "702/31"') in done.stdout


def test_a_composition_of_objects_loads_no_reader_of_files():
    script = (
        "import sys; from pufferproof import Channel, Framework, Table, audit, compose; "
        "space = Framework('ab', {'s': ['a'], 't': ['b']}, [('s', 't')], "
        "{'theta': Table({'a': '1/2', 'b': '1/2'})}); "
        "channel = Channel.of({'a': ['3/4', '1/4'], 'b': ['1/4', '3/4']}, 'uv'); "
        "str(compose(space, [channel], 2)), str(audit(space, channel, 'log(3)')); "
        "print([name for name in ('numpy', 'pydantic', 'rich', 'typer') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_public_name_says_what_it_is_with_an_example():
    assert [name for name in pp.__all__ if ">>>" not in (inspect.getdoc(getattr(pp, name)) or "")] == []


def test_every_public_function_and_constructor_is_called_here():
    classes = {name for name in pp.__all__ if inspect.isclass(getattr(pp, name))}
    made_elsewhere = {
        "Audit",
        "Channel",
        "Composition",
        "CertificateError",
        "Definition",
        "Fit",
        "ModelError",
        "PufferproofError",
        "Verdict",
    }
    made_elsewhere |= {"assert_release", "read_framework", "read_mechanism", "read_stream"}
    alternatives = {
        f"{name}.{method}"
        for name in classes - {"Audit", "Verdict"}
        for method, value in vars(getattr(pp, name)).items()
        if isinstance(value, classmethod)
    }
    built_from_what_is_known = {"Channel.of_integers"}
    assert set(pp.__all__) - made_elsewhere <= set(CALLS)
    assert alternatives - built_from_what_is_known <= set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_arguments_of_another_kind_are_named(name, tmp_path, monkeypatch):
    """Never an error of our own code: each is one line that says the argument, what was
    expected, what was found.
    """
    monkeypatch.chdir(tmp_path)  # a text may be the name of a file that is written
    said = [complaint(name, CALLS[name] | {argument: other}) for argument in CALLS[name] for other in OTHERS]
    assert any(said)
    assert all("\n" not in text for text in said)


def complaint(name, arguments):
    """Return what a call says against its arguments, nothing if it takes them; any other error
    is the test's.
    """
    try:
        called(name, arguments)
    except pp.PufferproofError as error:
        return str(error)
    except AssertionError as error:
        if name.startswith("assert_") and str(error).startswith("VIOLATES"):
            return ""
        raise
    return ""


def levels_of(name):
    """Return the parameters of a public function that take a level, and those that take several."""
    found = {}
    for parameter in inspect.signature(target(name)).parameters.values():
        text = str(parameter.annotation)
        if re.search(r"LevelLike|\bLevel \| str \| int \| float \| fractions.Fraction", text):
            found[parameter.name] = "Sequence" in text
        else:
            assert "Level" not in text, (name, parameter.name, "expected LevelLike")
    return found


TAKING_LEVELS = {name: levels_of(name) for name in CALLS if not name.startswith("Level") and levels_of(name)}
SILENT = pp.Channel.of({x: ["1/2", "1/2"] for x in "abc"}, ["u", "v"])
QUIET = pp.mix(["1/2", "1/2"], [CHANNEL, SILENT])
KEEPING_HALF_A_NAT = {
    "assert_composes": {"mechanisms": [QUIET]},
    "assert_pufferfish": {"mechanism": QUIET},
    "assert_translates": {"levels": ["0.01"]},
}
SAME = ("0.5", 0.5, Fraction(1, 2), pp.Level("0.5"), np.float64(0.5))


def test_the_functions_that_take_levels_are_known():
    assert len(TAKING_LEVELS) >= 17
    assert {"worst_partner", "smallest_delta", "optimal_mechanism", "markov_quilt", "three_regions"} <= set(
        TAKING_LEVELS
    )
    assert {"redaction_designs", "critical_ratio", "check_nfc", "collapse", "assert_pufferfish"} <= set(TAKING_LEVELS)


@pytest.mark.parametrize("name", TAKING_LEVELS)
def test_a_level_is_text_or_a_number_everywhere(name, monkeypatch):
    monkeypatch.setattr(Coins, "new", lambda: Coins("coins of a test"))  # no luck of new ones
    for argument, several in TAKING_LEVELS[name].items():
        if argument == "per_record":
            continue
        arguments = {key: value for key, value in CALLS[name].items() if key != "delta"}
        arguments |= KEEPING_HALF_A_NAT.get(name, {})
        answers = {str(called(name, arguments | {argument: [level] if several else level})) for level in SAME}
        assert len(answers) == 1
        for wrong in ("log(1/2)", "1e", "-1", -1, [None] if several else [1]):
            with pytest.raises(pp.ModelError, match=f"^{argument}"):
                called(name, arguments | {argument: [wrong] if several and not isinstance(wrong, list) else wrong})


def test_a_level_per_record_is_text_too():
    framework, budget = LISTED, "log(2)"
    mechanism = LOCAL.channel()
    assert pp.worst_partner(framework, mechanism, budget, per_record="log(2)").per_record == pp.Level("log(2)")
    assert pp.worst_composition(framework, [budget], per_record="log(2)").per_record == pp.Level("log(2)")
    assert "impossible" in str(pp.collapse(framework, budget, per_record="log(2)"))
    assert pp.critical_ratio(framework, 2, per_record="log(2)") is None
    assert pp.critical_ratio(Columns(framework), 2, per_record=pp.Level("log(2)")) is None
    with pytest.raises(pp.ModelError, match=r'^per_record: expected a level such as "log\(2\)"'):
        pp.critical_ratio(framework, 2, per_record="0.5")


def test_one_text_is_no_sequence_of_budgets():
    with pytest.raises(pp.ModelError, match=r'^budgets: expected a sequence of levels such as \["log\(2\)", "0.5"\]'):
        pp.worst_composition(FRAMEWORK, "log(2)")
    assert str(pp.collapse(FRAMEWORK, "log(1)")) == str(pp.collapse(FRAMEWORK, ["log(1)"]))
    assert pp.check_nfc(FRAMEWORK, CHANNEL, "log(3)").levels == pp.check_nfc(FRAMEWORK, [CHANNEL], ["log(3)"]).levels


def test_levels_are_made_of_what_they_show():
    assert pp.Level("log(3)") == pp.Level.log(3) == pp.Level(ratio=Fraction(3))
    assert pp.Level(2) == pp.Level("2") == pp.Level(nats=Fraction(2))
    for level in (pp.Level("log(9/5)"), pp.Level("0.25"), pp.Level(0)):
        assert eval(repr(level), {"Level": pp.Level}) == level == pickle.loads(pickle.dumps(level))
    for arguments in ({}, {"level": "1", "ratio": Fraction(2)}, {"ratio": Fraction(2), "nats": Fraction(1)}):
        with pytest.raises(pp.ModelError):
            pp.Level(**arguments)


def test_constructors_take_what_they_show():
    assert pp.Noise("laplace", "1") == pp.Noise.laplace(1)
    assert pp.Noise("gaussian", "1/2") == pp.Noise.gaussian("0.5")
    for noise in (pp.Noise("geometric", "1/3"), pp.Noise("discrete_laplace", "1/log(2)")):
        assert eval(repr(noise), {"Noise": pp.Noise}) == noise == pickle.loads(pickle.dumps(noise))
    mechanism = pp.LocalMechanism(("0", "1"), ("0", "1"), [COIN, COIN])
    assert mechanism == pp.LocalMechanism.of("01", "01", [COIN, COIN]) == pickle.loads(pickle.dumps(mechanism))
    assert mechanism.records[0][0] == (Fraction(3, 4), Fraction(1, 4))
    assert eval(repr(REDACTION), {"LocalRedaction": pp.LocalRedaction}) == REDACTION
    assert eval(repr(BINARY), {"BinaryChain": pp.BinaryChain}) == BINARY
    assert pp.Channel.from_array([["3/4", "1/4"], ["1/4", "3/4"]], ["a", "b"]).probability("a", "0") == Fraction(3, 4)


def test_integers_of_numpy_do_not_overflow():
    runs = np.int64(100)
    assert pp.repeat(CHANNEL, runs) == pp.repeat(CHANNEL, 100)
    assert pp.repeated_leakage(FRAMEWORK, CHANNEL, runs) == pp.repeated_leakage(FRAMEWORK, CHANNEL, 100)


@pytest.mark.parametrize(
    ("framework", "mechanism", "kind", "same"),
    [
        (FRAMEWORK, CHANNEL, LargestRatio, None),
        (FRAMEWORK, QUERY, NoiseLeakage, None),
        (FRAMEWORK, [QUERY, QUERY], NoiseLeakage, None),
        (SEQUENCES, RECORD_QUERY, NoiseLeakage, None),
        (LONG, LONG_LOCAL, LocalLeakage, None),
        (LISTED, RECORD_QUERY, NoiseLeakage, (SEQUENCES, RECORD_QUERY)),
        (LISTED, LOCAL, LargestRatio, (SEQUENCES, LOCAL)),
        (LISTED, REDACTION, LargestRatio, (SEQUENCES, REDACTION)),
        (SEQUENCES, REDACTION, LargestRatio, (SEQUENCES, pp.LocalMechanism.redacting("01", REDACTION.rows))),
    ],
)
def test_audit_takes_every_framework_and_mechanism(framework, mechanism, kind, same):
    answer = pp.audit(framework, mechanism, "log(3)")
    assert (type(answer), type(answer.largest)) == (pp.Audit, kind)
    read = pp.audit(Loaded(framework, "f", ""), Loaded(mechanism, "m", ""), "log(3)")
    assert str(read) == str(answer)
    if same is not None:
        other = pp.audit(*same, "log(3)")
        assert (other.verdict, other.leakage) == (answer.verdict, answer.leakage)
    if answer.verdict is pp.Verdict.SATISFIES:
        pp.assert_pufferfish(framework, mechanism, "log(3)")
    else:
        with pytest.raises(AssertionError, match="VIOLATES log"):
            pp.assert_pufferfish(framework, mechanism, "log(3)")


@pytest.mark.parametrize("mechanism", [CHANNEL, LOCAL, REDACTION, QUERY, [QUERY, QUERY], READ[1]])
@pytest.mark.parametrize("framework", [FRAMEWORK, SEQUENCES, READ[0]])
def test_the_framework_comes_first(framework, mechanism):
    message = "^framework: expected the framework first and the mechanism second, found the other"
    for call in (pp.audit, pp.assert_pufferfish):
        with pytest.raises(pp.ModelError, match=message):
            call(mechanism, framework, "log(3)")
    with pytest.raises(pp.ModelError, match=message):
        pp.compose([mechanism], framework)


def test_the_fixture_takes_every_mechanism(assert_pufferfish):
    assert_pufferfish(FRAMEWORK, QUERY, "log(3)")
    assert_pufferfish(Loaded(FRAMEWORK, "f", ""), Loaded(CHANNEL, "m", ""), "log(3)")
    with pytest.raises(AssertionError, match="VIOLATES"):
        assert_pufferfish(SEQUENCES, LOCAL, epsilon="log(3)")
    with pytest.raises(pp.ModelError, match="epsilon: expected a level"):
        assert_pufferfish(FRAMEWORK, CHANNEL, None)
    with pytest.raises(pp.ModelError, match="framework: expected the framework first"):
        assert_pufferfish(CHANNEL, FRAMEWORK, "log(3)")


@pytest.mark.parametrize(
    ("framework", "mechanisms", "kind"),
    [
        (FRAMEWORK, [CHANNEL, CHANNEL], LargestRatio),
        (LISTED, [LOCAL, REDACTION], LargestRatio),
        (FRAMEWORK, [QUERY, QUERY], NoiseLeakage),
        (SEQUENCES, [RECORD_QUERY], NoiseLeakage),
        (SEQUENCES, [LOCAL, REDACTION], LargestRatio),
        (LONG, [LONG_LOCAL, LONG_LOCAL], LocalLeakage),
        (Loaded(FRAMEWORK, "f", ""), (Loaded(CHANNEL, "m", ""),), LargestRatio),
    ],
)
def test_compose_takes_every_framework_and_mechanism(framework, mechanisms, kind):
    together = pp.compose(framework, mechanisms)
    assert (type(together), type(together.joint.largest)) == (pp.Composition, kind)
    assert len(together.single) == len(together.outputs) == len(mechanisms)


@pytest.mark.parametrize("framework", [FRAMEWORK, LISTED, SEQUENCES, BINARY, CHAIN])
def test_a_framework_and_a_mechanism_go_together_or_are_refused(framework):
    wider = pp.LocalMechanism("01", "ab", [COIN] * 2)
    mechanisms = [CHANNEL, LOCAL, LOCAL.channel(), REDACTION, RECORD_QUERY, QUERY, wider]
    said = [
        complaint("audit", {"framework": framework, "mechanism": mechanism})
        for mechanism in (*mechanisms, [QUERY, RECORD_QUERY])
    ]
    said += [
        complaint("compose", {"framework": framework, "mechanisms": list(pair)})
        for pair in product(mechanisms, repeat=2)
    ]
    no_framework = framework in (BINARY, CHAIN)
    assert all(said) if no_framework else any(said) and not all(said)


def test_what_is_read_from_files_may_be_passed_on(tmp_path):
    (tmp_path / "f.json").write_text(json.dumps(framework_document(FRAMEWORK)))
    (tmp_path / "m.json").write_text(json.dumps(mechanism_document(CHANNEL)))
    framework = read_framework(tmp_path / "f.json")
    mechanism = read_mechanism(tmp_path / "m.json", framework)
    assert str(pp.audit(framework, mechanism, "log(2)")) == str(pp.audit(FRAMEWORK, CHANNEL, "log(2)"))
    assert (
        pp.worst_partner(framework, mechanism, "log(2)").joint == pp.worst_partner(FRAMEWORK, CHANNEL, "log(2)").joint
    )
    assert CHANNEL.beside(mechanism) == CHANNEL.beside(CHANNEL)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pp.audit(SEQUENCES, CHANNEL), 'channel: unknown database "a", expected one of'),
        (
            lambda: pp.audit(FRAMEWORK, LOCAL),
            "framework: a mechanism given record by record needs a framework of records",
        ),
        (
            lambda: pp.audit("f.json", CHANNEL),
            "framework: expected a Framework, found 'f.json' (read_framework reads a file)",
        ),
        (
            lambda: pp.audit(FRAMEWORK, {"a": ["1/2"]}),
            "mechanism: expected a Channel, a LocalMechanism, a HiddenMarkovMechanism, a "
            "ParametricMechanism, a LocalRedaction, an AdditiveNoise, a RecordQuery or a sequence, "
            "each an AdditiveNoise or a RecordQuery, found a dict: {'a': "
            "['1/2']} (Channel.of makes one of rows)",
        ),
        (lambda: pp.compose(FRAMEWORK, [CHANNEL, QUERY]), "mechanisms: expected all with noise or none, found both"),
        (
            lambda: pp.worst_partner(FRAMEWORK, RECORD_QUERY, "log(2)"),
            "mechanism: expected a Channel, found RecordQuery(query='sum', noise=Noise('laplace', "
            "'1'), rec... (audit, assert_pufferfish and compose take queries with noise)",
        ),
        (
            lambda: pp.collapse(LONG, "log(2)"),
            "records: 2^1000 databases: expected at most 1000000 of at most 10000 records to enumerate",
        ),
        (
            lambda: CHANNEL.beside(LOCAL),
            "others: expected a Channel, found LocalMechanism(3 records, values '0', '1', "
            "outputs '0', '1') (its channel() lists it)",
        ),
        (lambda: pp.compose(SEQUENCES, []), "mechanisms: expected at least one mechanism, found none"),
        (lambda: pp.critical_ratio(FRAMEWORK, "2"), "runs: expected an integer, found '2'"),
        (lambda: pp.Channel.of(np.eye(2)), "rows: expected a mapping such as a dict, found a ndarray"),
        (lambda: pp.Framework(["a", 1], {}, [], {}), "databases[1]: expected text, found an int: 1"),
        (
            lambda: pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, "all", {"theta": TABLE}),
            "pairs: expected a sequence, each a sequence of texts or \"disjoint\", found 'all'",
        ),
        (
            lambda: pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": {"a": "1/2"}}),
            "priors.theta: expected a Prior, found a dict: {'a': '1/2'} (Table(...) makes one of probabilities)",
        ),
        (
            lambda: pp.optimal_mechanism(FRAMEWORK, "1", {"a": [0]}),
            "loss: expected a Loss, found a dict: {'a': [0]} (Loss.of(outputs, table) makes one)",
        ),
        (
            lambda: pp.Noise("uniform", 1),
            'kind: expected "laplace", "geometric", "discrete_laplace", "gaussian" or '
            "\"discrete_gaussian\", found 'uniform'",
        ),
        (lambda: pp.LocalMechanism("01", "01", [[["1/2", "1/3"], ["0", "1"]]]), "local[0][0]: sums to 5/6, expected 1"),
        (
            lambda: pp.Channel(("a",), ("u",), [[1]], (1,)),
            "channel: expected Channel.of for rows, or Channel.from_array for a matrix",
        ),
        (lambda: CHANNEL.probability("z", "u"), 'channel: unknown database "z", expected one of "a", "b", "c"'),
        (lambda: CHANNEL.probability("a", "z"), 'channel: unknown output "z", expected one of "u", "v"'),
        (lambda: pp.Level([1]), 'expected a level such as "log(2)", "0.5" or 0.5, found [1]'),
    ],
)
def test_the_right_call_is_named(call, message):
    with pytest.raises(pp.ModelError) as error:
        call()
    assert str(error.value).startswith(message)


MISSES = [0.9, 0.1]  # floats, which sum to 1 + 2^-55
IDENTITY = [[1, 0], [0, 1]]
DIVIDED = {
    "Table": lambda n: pp.Table(dict(zip("ab", MISSES)), n).law(("a", "b"), None),
    "Product": lambda n: pp.Product([MISSES], n).law((), pp.Records(1, ("0", "1"))),
    "MarkovChain": lambda n: pp.Framework.of_records(
        RECORDS, SECRETS, "disjoint", {"theta": pp.MarkovChain(MISSES, IDENTITY, n)}
    ),
    "MarkovChain.from_array": lambda n: pp.MarkovChain.from_array([MISSES] * 2, normalize=n),
    "BinaryChain": lambda n: pp.BinaryChain("1/4", "1/2", 3, MISSES, n),
    "HiddenMarkovMechanism": lambda n: pp.HiddenMarkovMechanism({"a": MISSES}, IDENTITY, IDENTITY, "uv", 2, None, n),
    "ChangingChain": lambda n: pp.ChangingChain(MISSES, [IDENTITY], n).law((), pp.Records(2, ("0", "1"))),
    "HiddenMarkovModel": lambda n: pp.HiddenMarkovModel(MISSES, IDENTITY, IDENTITY, n),
    "BayesianNetwork": lambda n: pp.BayesianNetwork({"1": []}, {"1": {"": MISSES}}, n).law(
        (), pp.Records(1, ("0", "1"))
    ),
    "Channel.of": lambda n: pp.Channel.of({"a": MISSES}, ["u", "v"], n),
    "Channel.from_array": lambda n: pp.Channel.from_array([MISSES], ["a"], normalize=n),
    "LocalMechanism": lambda n: pp.LocalMechanism("01", "01", [[MISSES, MISSES]], n),
    "mix": lambda n: pp.mix(MISSES, [CHANNEL, CHANNEL], n),
}


@pytest.mark.parametrize("name", DIVIDED)
def test_floats_that_miss_1_name_the_remedy_and_are_divided_with_it(name):
    said = r"sums to 1 \+ 2.8e-17, expected 1 \(normalize=True divides by the sum\)$"
    with pytest.raises(pp.ModelError, match=said):
        DIVIDED[name](False)
    assert DIVIDED[name](True)


ANSWERS = {
    'audit(FRAMEWORK, CHANNEL, "log(2)")': "VIOLATES log(2); leakage log(17/6) ≈ 1.041454 nats, at "
    "output 'v' for 't' against",
    'audit(FRAMEWORK, CHANNEL, "log(2)", "1/8")': "VIOLATES log(2), delta 1/8; smallest delta 5/24; leakage",
    'audit(FRAMEWORK, QUERY, "log(2)")': "VIOLATES log(2); leakage ≈ 0.7809298 nats, at output '1' "
    "for 't' against 's', prior",
    'audit(SEQUENCES, LOCAL, "log(9)")': "SATISFIES log(9); leakage log(",
    "compose(FRAMEWORK, [CHANNEL, CHANNEL])": "joint leakage log(145/18) ≈ 2.086362 nats of 2 releases, more than",
    "compose(FRAMEWORK, [QUERY], 2)": "joint leakage ≈",
    "compose(SEQUENCES, [LOCAL], 2)": "joint leakage log(",
    "composition_rate(FRAMEWORK, CHANNEL)": "rate log(3) ≈ 1.098612 nats a run, by outputs 'v' at "
    "database 'b' of 't' against",
    'check_nfc(FRAMEWORK, CHANNEL, "log(2)")': "NfC FAILS at log(2), at database 'a' of 's' against 't', prior 'theta'",
    'composition_conditions(FRAMEWORK, CHANNEL, "log(3)")': "met at log(3): the weakest that "
    "composes is nfc; smallest levels",
    'collapse(FRAMEWORK, "log(1)")': "2 releases within log(1), log(1) leak everything, the "
    "fewest: outputs 'w1', 'w2' are",
    'collapse(FRAMEWORK, "log(1)", runs_limit=1)': "proved impossible for 1 release within the budget, engine 'lp'",
    'worst_composition(FRAMEWORK, ["log(2)"])': "worst joint leakage log(2) ≈ 0.6931472 nats of 1 "
    "release within log(2), for",
    'worst_partner(FRAMEWORK, CHANNEL, "log(2)")': "joint leakage log(6) ≈ 1.791759 nats with the "
    "worst partner within log(2),",
    "critical_ratio(FRAMEWORK, 2)": "2 releases can leak everything at every budget, even 0",
    'optimal_mechanism(FRAMEWORK, "0.5", LOSS)': "least expected loss ≈ 0.3775407 within 0.5, the worst prior",
    'markov_quilt(CHAIN, 100, "log(8)")': "scale 3/log(72/25) ≈ 2.836101; quilt of record 4: records 2 and 6, 3 nearby",
    "wasserstein_mechanism(FRAMEWORK, QUERY, 2)": "scale 1/2; distance 1, for 's' against 't', prior 'theta'",
    'max_influence(CHAIN, 100, 50, 30, 30, "enclosed")': "≈ 1",
    "influence_curve(SEQUENCES)[1]": "b = 1: 1.098612 nats",
    "redaction_leakage(BINARY, REDACTION, 1)": "leakage log(11/10) ≈ 0.09531018 nats about record "
    "1, at output '**0' for X_1",
    'redaction_designs(BINARY, 1, "log(3/2)", ["3r-exact"])[0]': "3r-exact: utility ",
    'smallest_delta(FRAMEWORK, CHANNEL, "0.1")': "delta ≈ 0.4320406 at 0.1, for 't' against 's', "
    "prior 'theta', outputs 'v'",
    "repeated_leakage(FRAMEWORK, CHANNEL, 3)[0]": "log(1241/54) ≈ 3.134689 nats",
    'Observer(FRAMEWORK, CHANNEL).database("a")': "revealed after infinitely many runs on average, "
    "by run 10 with probability",
    "simulate_redaction(BINARY, REDACTION, 1, 50, 1)": "no doubts in 50 runs: released ",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_show_verdict_leakage_and_witness_and_notebooks_a_part_a_line(name):
    found = eval(f"pp.{name}")
    assert str(found).startswith(ANSWERS[name])
    assert repr(found) == f"<{type(found).__name__}: {found}>"
    assert "Fraction(" not in repr(found)
    assert re.search(r"\d{16}", repr(found)) is None
    assert len(repr(found)) < 400
    if isinstance(found, tuple):  # bounds of one number, shown as text
        return
    shown = re.sub(r"<svg.*</svg>", "", found._repr_html_())
    shown = re.sub(r"</?div>|<br>|</?strong>|<span [^>]*>[✓✗?] |</span>", "", shown)
    assert "<" not in shown
    said = html.unescape(shown)
    assert said.replace(" ", "") == re.sub(r"; |\s", "", str(found))


def test_labels_are_no_markup_in_a_notebook():
    labels = {f"<b>{x}": ["1/2", "1/2"] if x == "s" else ["1", "0"] for x in "st"}
    framework = pp.Framework(
        list(labels), {x: [f"<b>{x}"] for x in "st"}, [("s", "t")], {"<i>": pp.Table(dict.fromkeys(labels, "1/2"))}
    )
    shown = pp.audit(framework, pp.Channel.of(labels, ["<u>", "v"]), "1")._repr_html_()
    assert re.search(r"<(?!/?(strong|br|div|span|svg|title|text|rect|line)\b)", shown) is None
    assert "✗ VIOLATES</span> <strong>1</strong><br>leakage infinite" in shown


@pytest.mark.parametrize("name", CALLS)
def test_nothing_public_shows_long_fractions(name):
    found = called(name, CALLS[name])
    for each in found if isinstance(found, list | tuple) else [found]:
        if not isinstance(each, Fraction | str | int):
            assert "Fraction(" not in repr(each)
            assert len(repr(each)) < 400
