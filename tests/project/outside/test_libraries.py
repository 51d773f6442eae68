"""The guide to other libraries and its examples keep their word, where the libraries are
installed.
"""

import doctest
import importlib
import re
import subprocess
import sys
from math import exp, isclose
from pathlib import Path

import pytest

import pufferproof as pp
from pufferproof.examples.libraries import constructors, coverage, days

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "guides" / "libraries.md"
PAGE = ROOT / coverage.PAGE
FOUND = {
    "opendp": {"the count of a year": ("VIOLATES", 4.154271)},
    "diffprivlib": {
        "randomised response, independent days": ("SATISFIES", 1.0),
        "randomised response, spells": ("VIOLATES", 3.310747),
        "the clamped count, independent days": ("SATISFIES", 1.0),
        "the clamped count, spells": ("VIOLATES", 3.310747),
        "Gaussian noise, independent days": ("SATISFIES", float("inf")),
        "Gaussian noise, spells": ("VIOLATES", float("inf")),
        "the usual state, independent days": ("SATISFIES", 0.7026391),
        "the usual state, spells": ("VIOLATES", 2.009787),
    },
    "scipy": {"the number of reports": (None, float("inf")), "the noisy count": ("VIOLATES", 3.310747)},
    "pandas": {"the clinic's notes": (None, 2.527623)},
    "hmmlearn": {"the count of a hundred days": ("VIOLATES", 3.416183)},
    "pgmpy": {"the count of a family": ("VIOLATES", 1.576813)},
}


@pytest.mark.parametrize("library", FOUND)
def test_examples_find_what_they_say(library):
    pytest.importorskip(library, exc_type=ImportError)
    example = importlib.import_module(f"pufferproof.examples.libraries.with_{library}")
    answers = example.answers()
    assert set(answers) == set(FOUND[library])
    for name, answer in answers.items():
        verdict, nats = FOUND[library][name]
        assert (answer.verdict and answer.verdict.value) == verdict
        assert isclose(float(answer.leakage.enclosure().lower), nats, rel_tol=1e-6)
        assert bool(answer.source) == (library not in ("hmmlearn", "pgmpy"))
    assert days.told("said", answers).count("\n") == len(answers)


@pytest.mark.parametrize("library", constructors.LIBRARIES)
def test_the_page_of_constructors_is_what_the_script_gives(library):
    pytest.importorskip(library, exc_type=ImportError)
    written = coverage.sections(PAGE.read_text(encoding="utf-8"))[library].split("\n")
    found = coverage.table(library).split("\n")
    if written[0] != found[0]:
        pytest.skip(f"the page is of {written[0]}, installed is {found[0]}")
    assert [line for line in found if line not in written] == []
    assert written[:3] == found[:3]
    assert not any("no arguments are known" in line for line in found)


def test_a_library_that_is_not_installed_keeps_its_table():
    before = PAGE.read_text(encoding="utf-8")
    assert coverage.page(before, {}) == before


def test_the_count_of_spells_leaks_what_the_chain_gives():
    """One end of the diary by hand: weights e^-(5 - count) along the chain, from day 3 outwards."""
    decay = exp(-1)
    after = {"1": 1.0, "0": 1.0}
    steps = {"0": {"0": 0.9, "1": 0.1}, "1": {"0": 0.2, "1": 0.8}}  # reversible: both directions
    for _ in range(2):
        after = {x: sum(p * (1 if y == "1" else decay) * after[y] for y, p in row.items()) for x, row in steps.items()}
    ratio = (after["1"] / (decay * after["0"])) * after["1"] / after["0"]
    framework = days.diary(5, 3)
    count = pp.RecordQuery("sum", pp.Noise.laplace(1), framework.expect_records())
    found = float(pp.audit(framework, count).leakage.enclosure().lower)
    assert isclose(exp(found), ratio, rel_tol=1e-12)


def modules_of_the_guide():
    """The Python modules that the guide shows, each after its name."""
    named = r"`(\w+)\.py`(?:(?!```).)*```python\n(.*?)^```$"
    found = re.findall(named, GUIDE.read_text(), flags=re.MULTILINE | re.DOTALL)
    ours = ["weekly", "test_weekly"]  # run as a terminal of the guide
    assert [name for name, _ in found] == [*ours, "count", "reports", "others", "beliefs"]
    return dict(found)


def run(folder, *words):
    return subprocess.run([sys.executable, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)


def test_the_module_of_the_guide_is_a_mechanism_for_commands(tmp_path):
    (tmp_path / "reports.py").write_text(modules_of_the_guide()["reports"])
    meter = ROOT / "examples" / "correlated" / "smart-meter" / "framework-dp.json"
    done = run(tmp_path, "-m", "pufferproof", "audit", meter, "reports:reports", "--trust-code")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("leakage   infinite")


def test_the_object_of_the_guide_is_a_mechanism_for_commands(tmp_path):
    pytest.importorskip("opendp", exc_type=ImportError)
    (tmp_path / "count.py").write_text(modules_of_the_guide()["count"])
    meter = ROOT / "examples" / "correlated" / "smart-meter" / "framework-dp.json"
    asked = ("audit", meter, "count:noisy", "--trust-code", "--epsilon", "1")
    done = run(tmp_path, "-m", "pufferproof", *asked)
    assert (done.returncode, done.stderr) == (0, "")
    assert "claimed 1 at d_in=1 (one record changed), leaks" in done.stdout


# each coin tells 3 of its own day, and 2 of the first by each of the three others: 3 * 2^3
OTHERS = {"opendp_coins": "24", "diffprivlib_count": "5488/729", "numpy_table": "863/140", "pandas_notes": "1187/260"}
ASKED = """
import beliefs, others
import pufferproof as pp
from pufferproof.reports import cli
space = pp.read_framework("beliefs.json").value
for name in %r:
    channel = pp.Channel.of({x: getattr(others, name)(x) for x in space.databases})
    print(pp.audit(space, channel).leakage.ratio)
words = "audit beliefs.json others:opendp_coins --trust-code --epsilon log(3)"
print(*sorted(space.priors), cli._run(words.split()))
"""


def test_modules_of_other_libraries_are_mechanisms_and_priors_for_commands(tmp_path):
    for library in ("opendp", "diffprivlib", "pandas", "hmmlearn", "pgmpy"):
        pytest.importorskip(library, exc_type=ImportError)
    code = modules_of_the_guide()
    for name in ("others", "beliefs"):
        (tmp_path / f"{name}.py").write_text(code[name])
    done = run(tmp_path, "-c", ASKED % (list(OTHERS),))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:4] == list(OTHERS.values())
    assert lines[4] == "VIOLATES log(3)"
    assert lines[-1] == "family virus 1"


def test_the_guide_prints_what_it_shows():
    for library in ("opendp", "diffprivlib", "pandas"):
        pytest.importorskip(library, exc_type=ImportError)
    text = GUIDE.read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, "libraries.md", str(GUIDE), 0)
    assert len(test.examples) > 15
    said = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert said == []
