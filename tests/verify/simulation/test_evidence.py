"""Evidence of an estimate: its program accepts it with plain Python, and refuses changes."""

import decimal
import json
import subprocess
import sys
import zipfile
from fractions import Fraction
from math import exp, isclose

import pytest
from scipy.special import ndtr

from pufferproof.reports.auditing.samplers import bets
from pufferproof.verify.simulation.estimation.bets import GdpClaim, ZcdpClaim

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
        code, _, err = run("estimate", "pair.json", f"drawn:{name}", *others, "--trust-code", "--evidence", "all.zip")
        assert code in (0, 1, 3), err
        with zipfile.ZipFile("all.zip") as pack:
            pack.extractall("all")
        return tmp_path / "all"

    return made


def checked(place):
    """The exit code of the program, and what it prints."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "check.py"], cwd=place, capture_output=True, text=True, check=False
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
    """A change of what was not fixed."""
    return lambda text: json.dumps(json.loads(text) | changes)


def fixed(**changes):
    """A change of what is fixed before the calls."""

    def change(text):
        known = json.loads(text)
        known["fixed"] |= changes
        return json.dumps(known)

    return change


@pytest.mark.parametrize("options", RUNS)
def test_evidence_is_accepted_by_plain_python(folder, options):
    place = folder(options)
    code, said = checked(place)
    assert (code, said.split(":")[0]) == (0, "accepted"), said
    assert said.split(": ")[1].split(";")[0] in (place / "README.txt").read_text("utf-8")


def test_all_draws_are_in_the_evidence(folder):
    place = folder("steps --samples 8000")
    names = "draws.jsonl", "selection.jsonl"
    listed = sum(len((place / name).read_text("utf-8").splitlines()) for name in names)
    assert 8000 - 2 * 8000 // 64 <= listed < 8000  # the others show whether the seed repeats them


def lines_of(change):
    """A change of the list of lines."""

    def changed(text):
        lines = text.splitlines(keepends=True)
        change(lines)
        return "".join(lines)

    return changed


@lines_of
def swapped(lines):
    """Exchange a call with the first secret and one with the second."""
    places = [next(x for x, line in enumerate(lines) if line.startswith(f"[{c}")) for c in (0, 1)]
    one, other = places
    lines[one], lines[other] = lines[other], lines[one]


OTHER = "has another coin: calls or bets were changed"


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("draws.jsonl", swapped, OTHER),
        ("draws.jsonl", lines_of(lambda lines: lines.pop(0)), OTHER),
        ("draws.jsonl", lines_of(lambda lines: lines.pop(len(lines) // 2)), OTHER),
        ("draws.jsonl", lines_of(lambda lines: lines.pop()), "calls were removed"),
        ("draws.jsonl", lines_of(lambda lines: lines.insert(5, lines[5])), OTHER),
        ("draws.jsonl", lambda text: text.replace('"in"', '"out"', 1), "has another database"),
        ("draws.jsonl", lambda text: text.replace("[1,", "[0,"), OTHER),
        ("draws.jsonl", lambda text: text[:-9], "refused"),
        ("evidence.json", document(secret="0" * 32), OTHER),
        ("evidence.json", document(value="1/2"), "the bets have made"),
        ("evidence.json", document(value="1/20"), "README.txt says otherwise"),
        ("evidence.json", document(claimed={"value": "1/2"}), "README.txt says otherwise"),
        ("evidence.json", document(claimed={"value": "1/20"}), "README.txt says otherwise"),
        ("evidence.json", document(best=64), "the bets have made"),
        ("evidence.json", document(event=7), "refused: IndexError"),
        ("evidence.json", document(files={}), "was changed, added or removed"),
        ("evidence.json", fixed(confidence="1/2"), OTHER),
        ("evidence.json", fixed(confidence="99/100"), OTHER),
        ("evidence.json", fixed(events=[]), "refused"),
        ("evidence.json", fixed(pair=["in", "in"]), OTHER),
        ("evidence.json", fixed(databases=[["x"], ["x"]]), "has another"),
        ("evidence.json", fixed(databases=None), OTHER),
        ("evidence.json", fixed(asked={"kind": "delta", "level": {"nats": "1/4"}}), OTHER),
        ("evidence.json", fixed(asked={"kind": "gdp", "level": None}), OTHER),
        ("evidence.json", lambda text: text[: len(text) // 2], "refused"),
        ("evidence.json", lambda text: "[]", "refused"),
        ("selection.jsonl", lines_of(lambda lines: lines.pop()), "'selection.jsonl' was changed"),
        ("framework.json", str.upper, "'framework.json' was changed"),
        ("README.txt", lambda text: text.replace("0.1", "0.2"), "README.txt says otherwise"),
        ("README.txt", lambda text: text.replace("19/20", "999/1000"), "says otherwise"),
    ],
)
def test_changed_evidence_is_refused(folder, run, name, change, said):
    place = folder(RUNS[0])
    edited(place, name, change)
    code, told = checked(place)
    assert code == 1
    assert told.startswith("refused: ")
    assert said in told
    assert told.count("\n") == 1
    with zipfile.ZipFile("forged.zip", "w") as pack:
        for path in sorted(place.iterdir()):
            pack.write(path, path.name)
    code, out, _ = run("check", "forged.zip", "--json")
    assert code == 1
    assert json.loads(out)["accepted"] is False
    assert told == f"refused: {json.loads(out)['reason']}\n"


def test_a_sender_who_changes_the_program_is_found_out(folder, run):
    place = folder(RUNS[0])
    code, out, _ = run("check", "all.zip", "--json")
    assert (code, json.loads(out)["accepted"], json.loads(out)["same_program"]) == (0, True, True)
    edited(place, "draws.jsonl", swapped)
    edited(place, "check.py", lambda text: 'print("accepted: all")\n')
    assert checked(place) == (0, "accepted: all\n")
    with zipfile.ZipFile("forged.zip", "w") as pack:
        for path in place.iterdir():
            pack.write(path, path.name)
    code, out, _ = run("check", "forged.zip", "--json")
    assert (code, json.loads(out)["same_program"]) == (1, False)
    assert OTHER in json.loads(out)["reason"]


def test_other_files_and_damaged_zips_are_refused(folder, run, tmp_path):
    place = folder(RUNS[0])
    whole = (tmp_path / "all.zip").read_bytes()
    for end in (100, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.zip").write_bytes(whole[:end])
        code, out, err = run("check", "cut.zip")
        assert (code, out, err.count("\n")) == (2, "", 1)
    (place / "more.txt").write_text("accepted: all", "utf-8")
    assert checked(place) == (1, "refused: 'more.txt' was changed, added or removed\n")
    assert run("check", str(place))[:2] == checked(place)
    (place / "more.txt").unlink()
    draws, selection = (place / f"{name}.jsonl" for name in ("draws", "selection"))
    kept = draws.read_text("utf-8")
    draws.write_text(selection.read_text("utf-8"), "utf-8")
    selection.write_text(kept, "utf-8")
    assert "'draws.jsonl' was changed" in checked(place)[1]
    selection.unlink()
    draws.write_text(kept, "utf-8")
    assert "'selection.jsonl' was changed, added or removed" in checked(place)[1]


def test_bets_and_files_that_were_changed_are_refused(folder):
    place = folder(RUNS[0])
    known = (place / "evidence.json").read_text("utf-8")
    for key, number in (("part", "1"), ("stake", "-1"), ("tilt", "0")):
        changed = json.loads(known)
        changed["fixed"]["bets"][0][0][key] = number
        (place / "evidence.json").write_text(json.dumps(changed), "utf-8")
        assert OTHER in checked(place)[1]
    (place / "evidence.json").write_text(known, "utf-8")
    assert checked(place)[0] == 0
    edited(place, "framework.json", str.upper, known=False)
    assert "was changed" in checked(place)[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("nothing --samples 2000", "nothing was shown"),
        ("number --samples 2000 --resume run.json", "cannot be combined with --resume"),
        ("number --samples 50000000", "takes at most 5,000,000 samples"),
    ],
)
def test_evidence_that_cannot_be_is_refused_before_a_zip_is_written(folder, options, said):
    with pytest.raises(AssertionError, match=said):
        folder(options)


@pytest.fixture
def digits():
    """The numbers that the program computes with."""
    with decimal.localcontext(bets.DIGITS):
        yield


def test_the_program_bounds_the_exponential_function(digits):
    for x in ["0", "1/3", "-7/2", "25", "-40", "600"]:
        from flint import arb, ctx, fmpq

        with ctx.workprec(1000):
            true = arb(fmpq(*Fraction(x).as_integer_ratio())).exp()
            made = bets.above({"nats": x})
            gap = arb(fmpq(made.numerator, made.denominator)) / true - 1
            assert 0 < gap < 2e-60
        assert isclose(float(made), exp(Fraction(x)), rel_tol=1e-12)


def test_the_program_has_the_normal_law(digits):
    for x in ["0", "1/3", "-7/2", "5", "-11", "-13", "19", "-20", "21", "-50"]:
        from flint import arb, ctx, fmpq

        with ctx.workprec(1000):
            true = (-arb(fmpq(*Fraction(x).as_integer_ratio())) / arb(2).sqrt()).erfc() / 2
            made = bets.normal(Fraction(x))
            assert abs(arb(fmpq(made.numerator, made.denominator)) - true) < arb("1e-60")
        assert isclose(float(made), ndtr(float(Fraction(x))), rel_tol=1e-9, abs_tol=1e-60)


def test_the_program_and_the_bound_have_the_same_inequalities(digits):
    for claim in [ZcdpClaim(Fraction(1, 4)), GdpClaim(Fraction(3, 4))]:
        for event in [(0.3, 0.1), (0.9, 0.5), (0.01, 0.002)]:
            place = claim.place(*event)
            known = claim.tangent(place, claim.value)
            rate, slack = bets.tangent({"kind": claim.kind}, claim.value, list(place))
            assert rate <= known.rate <= rate * (1 + Fraction(1, 2**60))
            assert abs(slack - known.slack) <= Fraction(1, 2**60)


@pytest.mark.parametrize(("a", "b"), [(0, 0), (30, 4), (700, 90), (5, 9)])
@pytest.mark.parametrize("prior", [(1, 1), (9, 2)])
def test_the_program_and_the_bound_bet_alike_on_coins(digits, a, b, prior):
    """Against the integral of the bets over q, by quadrature."""
    from scipy.integrate import quad
    from scipy.stats import beta

    fixed, ratio = {"asked": {"kind": "leakage"}, "bets": [], "expected": [prior]}, Fraction(5, 2)
    made = bets.wealth(fixed, 0, ratio, [a, 0, b, 0])
    rho = float(ratio / (1 + ratio))

    def bet(q):
        mixed = (beta.pdf(q, 1, 1) + beta.pdf(q, *prior)) / 2
        return mixed * (q / rho) ** a * ((1 - q) / (1 - rho)) ** b

    near = min(max(a / max(a + b, 1), rho), 1.0)
    expected = sum(quad(bet, *ends, epsabs=0)[0] for ends in ((rho, near), (near, 1)))
    assert isclose(float(made), expected, rel_tol=1e-6)
