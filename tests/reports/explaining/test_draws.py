"""Evidence of a program: all its files are in it, `check.py --draw` repeats its draws with these
alone, and a table that is not the law of the program is refused.
"""

import json
import shutil
import subprocess
import sys
import zipfile
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.models.noise.additive import Noise
from pufferproof.verify.programs.agreement.cells import at_least
from pufferproof.verify.programs.repeating import BELOW

CHAIN = {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/10", "9/10"]]}
FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["0", "1"]},
    "secrets": {"no": {"record": 1, "value": "0"}, "yes": {"record": 1, "value": "1"}},
    "pairs": [["no", "yes"]],
    "priors": {"chain": {"markov": CHAIN}},
}
FILES = {
    "vendor_of_draws/__init__.py": "from .noise import flipped\n",
    "vendor_of_draws/noise.py": """\
import numpy as np

from vendor_of_draws import tools


def flipped(bit, keep):
    return bit if np.random.random() < keep else tools.other(bit)
""",
    "vendor_of_draws/tools.py": 'def other(bit):\n    return {"0": "1", "1": "0"}[bit]\n',
    "wrapper_of_draws.py": """\
import random

import numpy as np

from vendor_of_draws import flipped


def text(database, rng, keep=0.75):
    return flipped(database[0], keep)


def numbers(database, rng):
    return {"first": database[0] ^ (rng.random() < 0.25), "both": [random.random() < 0.5, None]}


def array(database, rng):
    return int(database[0]) if rng.choice(3, p=[0.5, 0.25, 0.25]) else rng.integers(2) / 3


def count(database, rng):
    return database.count("1") + rng.laplace(scale=2)


def counts(database, rng):
    own = np.array([database.count("0"), database.count("1")])
    return own + rng.laplace(scale=2, size=2)


def above(database, rng):
    return bool(int(database[0]) + rng.laplace() > 0.5)


def clipped(database, rng):
    return float(np.clip(int(database[0]) + rng.laplace(), 0, 1))


class Survey:
    def __init__(self, rng):
        self.rng = rng

    def release(self, database):
        return flipped(database[0], 0.75)
""",
}
VENDOR = [name for name in FILES if name.startswith("vendor")]
CASES = {
    "text": ["--with", "keep=2/3"],
    "numbers": ["--records", "list"],
    "array": ["--records", "array"],
    "count": [],
    "counts": [],
    "above": ["--epsilon", "1/2"],
    "clipped": ["--epsilon", "1/2"],
    "Survey": ["--runs", "2"],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folders of evidence of all programs, made by the command."""
    place = tmp_path_factory.mktemp("evidence")
    for name, text in FILES.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)
    (place / "f.json").write_text(json.dumps(FRAMEWORK))

    def make(name):
        if not (place / name).exists():
            words = ["audit", "f.json", f"wrapper_of_draws:{name}", "--trust-code", *CASES[name]]
            command = [sys.executable, "-m", "pufferproof", *words, "--out", name]
            done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
            assert done.returncode in (0, 1), done.stderr
        return place / name

    return make


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made("text"), tmp_path / "folder")


def drawn(folder, *words, options=("-I",)):
    command = [sys.executable, *options, "check.py", "--draw", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", CASES)
def test_draws_of_every_kind_of_program_are_repeated(made, name):
    done = drawn(made(name))
    assert done.returncode == 0, done.stdout
    assert f"draws of wrapper_of_draws:{name} agree with it, called as {name}(" in done.stdout
    assert drawn(made(name), "7").returncode == 0
    document = json.loads((made(name) / "draws.json").read_text())
    (program,) = document["programs"]
    assert {*document["files"]} == {"wrapper_of_draws.py", *VENDOR}
    assert {*document["packages"]} == {"Python", "numpy"}
    assert program["draws"] * len(program["databases"]) > 9_000


def test_the_answer_says_what_would_run_and_what_did(folder, run):
    code, out, _ = run("check", folder, "--json")
    answer = json.loads(out)
    expect_valid(answer, "check-zip")
    assert code == 0
    assert answer["programs"] == json.loads(drawn(folder, "--json").stdout)["programs"]
    assert {*answer["programs"]} == {"wrapper_of_draws.py", *VENDOR}
    assert "programs, not run: " in run("check", folder)[1]
    said = drawn(folder).stdout
    assert said.startswith("this runs code of the sender: draw.py, wrapper_of_draws.py")
    page = (folder / "index.html").read_text()
    assert "vendor_of_draws/noise.py" in page
    assert "7  return bit if np.random.random() &lt; keep else tools.other(bit)" in page


def replaced(folder, name, change, listed=True):
    """Change a file of a folder of evidence, and its hash in the lists."""
    import hashlib

    before = (folder / name).read_bytes()
    after = change(before.decode()).encode()
    assert after != before
    (folder / name).write_bytes(after)
    if listed:
        one, two = (hashlib.sha256(each).hexdigest() for each in (before, after))
        for each in {"draws.json", "checks.json"} - {name}:
            if one in (text := (folder / each).read_text()):
                replaced(folder, each, lambda _, text=text: text.replace(one, two), each[0] == "d")


@pytest.mark.parametrize("name", ["wrapper_of_draws.py", *VENDOR, "draws.json", "draw.py"])
def test_a_file_that_is_swapped_is_refused(folder, name, run):
    replaced(folder, name, lambda text: text + "\n", listed=False)
    assert f"{name} was changed" in drawn(folder).stdout
    assert drawn(folder).returncode == run("check", folder)[0] == 1


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("vendor_of_draws/noise.py", ("< keep", "< keep - 0.1"), "its probability in the table is"),
        ("vendor_of_draws/tools.py", ('"0": "1"', '"0": "2"'), "drew '2' on database"),
        ("vendor_of_draws/tools.py", ("return", "return 1 / 0,"), "raised ZeroDivisionError"),
        ("draws.json", ('"0": 1', '"0": 2'), "gives other counts than draws.json has"),
    ],
)
def test_a_swap_whose_hashes_were_changed_as_well_is_refused(folder, name, change, said):
    replaced(folder, name, lambda text: text.replace(*change))
    done = drawn(folder)
    assert done.returncode == 1
    assert f"NOT THE LAW of wrapper_of_draws:text: {said}" in done.stdout or said in done.stdout


def test_outputs_that_are_joined_in_the_table_are_refused(folder):
    """A sender who maps all outputs to one would hide what they tell."""
    replaced(folder, "draws.json", lambda text: text.replace('"0"\n    ]', '"1"\n    ]'))
    done = drawn(folder)
    assert done.returncode == 1
    assert "has outputs that are one in the table" in done.stdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"programs": []}, "mechanism.json: draws NOT REPEATED: draws.json has no program for it"),
        ({"draws": 1}, "has 1 draws of a database: expected 1000 or more"),
        ({"databases": {}}, "has other databases than the table asks for"),
    ],
)
def test_a_list_that_shows_nothing_is_no_acceptance(folder, change, said):
    def edited(text):
        document = json.loads(text)
        if "programs" in change:
            return json.dumps(document | change)
        return json.dumps(document | {"programs": [document["programs"][0] | change]})

    replaced(folder, "draws.json", edited)
    done = drawn(folder)
    assert done.returncode == 3
    assert said in done.stdout


@pytest.mark.parametrize("kind", BELOW)
@pytest.mark.parametrize("z", [Fraction(-7, 2), Fraction(-1), Fraction(0), Fraction(1, 3), 2])
def test_noise_below_a_number_is_as_enclosed(kind, z):
    noise = getattr(Noise, kind)(Fraction(1, 2))
    assert BELOW[kind](float(z), 0.5) == pytest.approx(1 - float(at_least(noise, z).mid()))


def test_no_draws_is_no_acceptance(folder):
    done = drawn(folder, options=("-I", "-S"))
    assert done.returncode == 3
    assert "draws NOT REPEATED: No module named 'numpy'" in done.stdout
    replaced(folder, "draws.json", lambda text: text.replace('"version": "', '"version": "0.', 2))
    done = drawn(folder)
    assert done.returncode == 3
    assert "NOT THE SAME: numpy is" in done.stdout
    assert "draws of wrapper_of_draws:text agree with it" in done.stdout


def test_a_package_that_is_missing_is_no_acceptance(folder):
    """Where the packages are as they were, the code that cannot be imported is another one."""
    replaced(folder, "vendor_of_draws/tools.py", lambda text: f"import no_such_package\n{text}")
    assert drawn(folder).returncode == 1
    replaced(folder, "draws.json", lambda text: text.replace('"numpy"', '"no-such-package"'))
    done = drawn(folder)
    assert done.returncode == 3
    assert "no-such-package" in done.stdout
    assert "draws NOT REPEATED: wrapper_of_draws:text cannot be imported" in done.stdout


def test_a_wrong_law_is_refused_by_whom_has_numpy(made, tmp_path):
    """As if probabilities of outputs had been dropped: the certificate is about another table."""
    folder = shutil.copytree(made("array"), tmp_path / "folder")
    replaced(folder, "wrapper_of_draws.py", lambda text: text.replace("[0.5, 0.25", "[0.25, 0.5"))
    done = drawn(folder)
    assert done.returncode == 1
    assert "NOT THE LAW of wrapper_of_draws:array" in done.stdout


def test_the_zip_has_what_the_folder_has(made, run, monkeypatch):
    place = made("text").parent
    monkeypatch.chdir(place)
    words = ["f.json", "wrapper_of_draws:text", "--trust-code", "--with", "keep=2/3"]
    assert run("audit", *words, "--evidence", "e.zip", "--replace")[0] == 0
    with zipfile.ZipFile(place / "e.zip") as pack:
        assert {*VENDOR, "draw.py", "draws.json"} <= {*pack.namelist()}
    assert run("compose", *words, "--runs", "2", "--evidence", "c.zip", "--replace")[0] == 0
    with zipfile.ZipFile(place / "c.zip") as pack:
        pack.extractall(place / "composed")
    assert drawn(place / "composed").returncode == 0
