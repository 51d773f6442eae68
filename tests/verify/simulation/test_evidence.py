"""Evidence of an estimate: its program accepts it with plain Python, and refuses changes."""

import json
import subprocess
import sys
import zipfile
from fractions import Fraction
from math import exp, isclose

import pytest
from scipy.special import ndtr

from pufferproof.reports.auditing.samplers import bets
from pufferproof.verify.simulation.estimation.bets.claims import GdpClaim, ZcdpClaim

PAIR = {
    "format": "pufferproof-framework/1",
    "databases": ["in", "out"],
    "secrets": {"in": ["in"], "out": ["out"]},
    "pairs": [["in", "out"]],
    "priors": {"even": {"table": {"in": "1/2", "out": "1/2"}}},
}
CODE = """
def number(database, rng):
    return (database == "in") + rng.normal()

def many(database, size, rng):
    return (database == "in") + rng.normal(size=size)

def text(database, rng):
    return {"shown": bool(rng.random() < (0.8 if database == "in" else 0.2))}

def steps(database, rng):
    return (rng.laplace(size=3) + (database == "in")).cumsum()

def nothing(database, rng):
    return rng.random()
"""
RUNS = [
    "number --epsilon 1/2 --delta 1/10 --samples 20000",
    "number --gdp 1/2 --samples 20000",
    "number --zcdp 1/10 --samples 20000",
    "number --epsilon 1/2 --samples 20000",
    "many --independent-draws --epsilon 1/2 --delta 1/10 --samples 20000",
    "text --epsilon log(2) --samples 3000",
    "steps --samples 8000",
]


@pytest.fixture
def folder(run, tmp_path, monkeypatch):
    """Makes evidence, and returns the folder that it is unpacked in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pair.json").write_text(json.dumps(PAIR), "utf-8")
    (tmp_path / "drawn.py").write_text(CODE, "utf-8")

    def made(options):
        name, *others = options.split()
        code, _, err = run(
            "estimate",
            "pair.json",
            f"drawn:{name}",
            *others,
            "--trust-code",
            "--evidence",
            "all.zip",
        )
        assert code in (0, 1, 3), err
        with zipfile.ZipFile("all.zip") as pack:
            pack.extractall("all")
        return tmp_path / "all"

    return made


def checked(place):
    """The exit code of the program, and what it prints."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "check.py"],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def edited(place, name, change, known=True):
    """Change a file, and its hash in the list if that is `known` to who changes it."""
    import hashlib

    path, listed = place / name, place / "evidence.json"
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    if known and name != "evidence.json":
        document = json.loads(listed.read_text("utf-8"))
        document["files"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
        listed.write_text(json.dumps(document), "utf-8")


def document(**changes):
    """A change of the bets."""
    return lambda text: json.dumps(json.loads(text) | changes)


def fixed(**changes):
    """A change of what is fixed before the calls."""

    def change(text):
        known = json.loads(text)
        known["chosen"] |= changes
        return json.dumps(known)

    return change


@pytest.mark.parametrize("options", RUNS)
def test_evidence_is_accepted_by_plain_python(folder, options):
    place = folder(options)
    code, said = checked(place)
    assert (code, said.split(":")[0]) == (0, "accepted"), said
    lines = (place / "draws.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == json.loads((place / "evidence.json").read_text("utf-8"))["draws"] > 0


def swapped(text):
    """Exchange an output of the first secret and one of the second."""
    lines = [json.loads(line) for line in text.splitlines()]
    one = next(line for line in lines if line[2] == 0)
    other = next(line for line in lines if line[2] == 1)
    one[2:4], other[2:4] = other[2:4], one[2:4]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def better(text):
    """Give every output of the first secret that of one that had the event."""
    lines = [json.loads(line) for line in text.splitlines()]
    top = max(line[4] for line in lines)
    changed = [[*line[:4], top if line[2] == 0 else line[4]] for line in lines]
    return "".join(f"{json.dumps(line)}\n" for line in changed)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("draws.jsonl", swapped, "has other secrets than its coins"),
        ("draws.jsonl", better, "the event was seen"),
        ("draws.jsonl", lambda text: text.split("\n", 1)[1], "draw 1 is draw 2"),
        ("draws.jsonl", lambda text: text.rsplit("\n", 2)[0] + "\n", "draws are missing"),
        ("draws.jsonl", lambda text: text.replace('"in"', '"out"', 1), "has another database"),
        ("evidence.json", document(secret="0" * 32), "other secrets than its coins"),
        ("evidence.json", document(value="1/2"), "the bets have made"),
        ("evidence.json", fixed(confidence="1/2"), "the bets were changed"),
        ("evidence.json", fixed(events=[]), "refused"),
        ("evidence.json", document(level={"nats": "1/4"}), "against something else"),
        ("evidence.json", document(kind="gdp"), "against something else"),
        ("evidence.json", document(claimed="1/2"), "what is claimed is not violated"),
        ("evidence.json", document(seen=[1000, 0]), "the event was seen"),
    ],
)
def test_changed_evidence_is_refused(folder, name, change, said):
    place = folder(RUNS[0])
    edited(place, name, change)
    code, told = checked(place)
    assert code == 1
    assert told.startswith("refused: ")
    assert said in told


def test_bets_and_files_that_were_changed_are_refused(folder):
    place = folder(RUNS[0])
    known = (place / "evidence.json").read_text("utf-8")
    for key, number in (("part", "1"), ("stake", "-1"), ("tilt", "0")):
        changed = json.loads(known)
        changed["chosen"]["bets"][0][0][key] = number
        (place / "evidence.json").write_text(json.dumps(changed), "utf-8")
        assert "the bets were changed" in checked(place)[1]
    (place / "evidence.json").write_text(known, "utf-8")
    assert checked(place)[0] == 0
    edited(place, "framework.json", str.upper, known=False)
    assert "was changed" in checked(place)[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("nothing --samples 2000", "nothing was shown"),
        ("number --samples 2000 --resume run.json", "goes without --resume"),
        ("number --samples 50000000", "goes with at most 5,000,000 samples"),
    ],
)
def test_evidence_that_cannot_be_is_refused_before_a_zip_is_written(folder, options, said):
    with pytest.raises(AssertionError, match=said):
        folder(options)


@pytest.mark.parametrize("x", ["0", "1/3", "-7/2", "25", "-40"])
def test_the_program_encloses_the_exponential_function(x):
    low, high = bets.exponential(Fraction(x))
    assert low <= high <= low * (1 + Fraction(1, 2**60))
    assert isclose(float(low), exp(Fraction(x)), rel_tol=1e-12)


@pytest.mark.parametrize("x", ["0", "1/3", "-7/2", "5", "-11", "-13", "20"])
def test_the_program_bounds_the_normal_law(x):
    low, high = (bets.normal(Fraction(x), above) for above in (False, True))
    assert 0 <= low <= high <= 1 + Fraction(1, 2**90)
    assert high - low <= 2 * Fraction(1, 10**30)
    assert float(low) - 1e-15 <= ndtr(float(Fraction(x))) <= float(high) + 1e-15


@pytest.mark.parametrize("claim", [ZcdpClaim(Fraction(1, 4)), GdpClaim(Fraction(3, 4))])
@pytest.mark.parametrize("event", [(0.3, 0.1), (0.9, 0.5), (0.01, 0.002)])
def test_the_program_and_the_bound_have_the_same_inequalities(claim, event):
    place = claim.place(*event)
    known = claim.tangent(place, claim.value)
    said = {"kind": claim.kind, "value": str(claim.value)}
    rate, slack = bets.tangent(said, list(place))
    assert rate <= known.rate <= rate * (1 + Fraction(1, 2**60))
    assert abs(slack - known.slack) <= Fraction(1, 2**60)
