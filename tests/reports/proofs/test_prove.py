"""The runner of claims and the `prove` command: nothing false is proved, nothing true refuted,
edits re-prove what changed.
"""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from tests.claims.examination import named
from tests.reports.results import result, step

from pufferproof.claims import registry
from pufferproof.claims.language.printed import catalogue
from pufferproof.claims.registry import Check, examine, load_claims, load_extra
from pufferproof.claims.run import as_result, run_claims, workers
from pufferproof.claims.run.cache import Sources, fingerprint
from pufferproof.claims.run.meaning import meaning_of
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.reports.proofs import record, words
from pufferproof.reports.proofs.running import place_of, run_with_progress
from pufferproof.reports.proofs.words import lines

ROOT = Path(__file__).parents[3]
BIN = str(Path(sys.executable).parent / "pufferproof")
EXTRA = """
from fractions import Fraction

from pufferproof.claims.language import letters
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.language.statements import Statement
from pufferproof.claims.registry import Check, claim

a, b = letters("a b", "any number", real=True)


def pairs(draws):
    '''Two whole numbers from 0 to 8.'''
    return {"a": draws.below(9), "b": draws.below(9)}


def squares(argument, bound):
    argument.exhaust("squares", "n to 8", range(9), lambda n: n * n >= bound)


@claim("extra.means", where="here", statement=formula("2*a*b <= a**2 + b**2"))
def true(check: Check) -> None:
    check.formula()


@claim(
    "extra.tried",
    where="here",
    statement="2ab <= a^2 + b^2",
    says=Statement(
        pairs,
        holds=lambda a, b, factor=2: factor * a * b <= a**2 + b**2,
        too_strong={"a factor of 3": {"factor": 3}},
        always="a square is not negative",
    ),
)
def tried(check: Check) -> None:
    check.tried("as printed")


@claim("extra.checked", where="here", statement="squares are not negative", unsaid="test")
def checked(check: Check) -> None:
    with check.reading("as printed") as argument:
        squares(argument, 0)
    check.near_miss("at least 1", lambda argument: squares(argument, 1))


@claim("extra.weak", where="here", statement="2ab <= 2a^2 + 2b^2", unsaid="test")
def weak(check: Check) -> None:
    with check.reading("as printed", "all reals") as argument:
        argument.inequality("square", "weaker than it could be", a * b <= a**2 + b**2)
        argument.counterexample("try", "a = b = 1", {"a": 1, "b": 1}, lambda: 1 * 1 > 1 + 1)


@claim("extra.false", where="here", statement="3ab <= a^2 + b^2", unsaid="test")
def false(check: Check) -> None:
    with check.reading("as printed", "all reals") as argument:
        argument.inequality("square", "too strong", 3 * a * b <= a**2 + b**2)
        argument.exhaust("family", "small a = b", [Fraction(0)], lambda x: 3 * x * x <= 2 * x * x)


@claim("extra.false-formula", where="here", statement=formula("3*a*b <= a**2 + b**2"))
def false_formula(check: Check) -> None:
    check.formula()


@claim("extra.refuted", where="here", statement="3ab <= a^2 + b^2", repair="extra.means")
def refuted(check: Check) -> None:
    with check.reading("as printed", "all reals") as argument:
        argument.counterexample("one", "a = b = 1", {"a": 1, "b": 1}, lambda: 3 > 1 + 1)


@claim("extra.too-strong-an-argument", where="here", statement="proves too much", unsaid="test")
def careless(check: Check) -> None:
    with check.reading("as printed") as argument:
        squares(argument, 0)
    check.near_miss("the same argument", lambda argument: squares(argument, 0))


@claim("extra.vacuous", where="here", statement=formula("a <= b", "a > 0, a < 0"))
def vacuous(check: Check) -> None:
    check.formula()


@claim("extra.no-near-miss", where="here", statement="squares are not negative", unsaid="test")
def unguarded(check: Check) -> None:
    with check.reading("as printed") as argument:
        squares(argument, 0)


@claim("extra.undecided-near-miss", where="here", statement="squares, not negative", unsaid="test")
def undecided(check: Check) -> None:
    with check.reading("as printed") as argument:
        squares(argument, 0)
    check.near_miss("nothing in it", lambda argument: None)


@claim("extra.crash", where="here", statement="breaks", unsaid="test")
def crash(check: Check) -> None:
    raise RuntimeError("this claim is broken")
"""
EXPECTED = {
    "extra.means": "PROVED",
    "extra.tried": "TRIED",
    "extra.checked": "CHECKED",
    "extra.weak": "OPEN",
    "extra.false": "OPEN",
    "extra.false-formula": "OPEN",
    "extra.refuted": "REFUTED",
    "extra.too-strong-an-argument": "OPEN",
    "extra.vacuous": "OPEN",
    "extra.crash": "OPEN",
    "extra.no-near-miss": "OPEN",
    "extra.undecided-near-miss": "OPEN",
}


@pytest.fixture
def extra(tmp_path, monkeypatch):
    """A file of claims from outside, forgotten again afterwards, and a cache of its own."""
    path = tmp_path / "extra.py"
    path.write_text(EXTRA)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(registry, "_CLAIMS", dict(load_claims()))
    return path


@pytest.fixture
def here(monkeypatch):
    """Workers that are this process, for tests that are not about workers."""

    def opened_here(*_, **__):
        return opened(Sharing(jobs=1))

    monkeypatch.setattr(workers, "opened", opened_here)
    monkeypatch.setattr(workers, "_load", load_extra)


def test_no_false_claim_is_proved_and_no_true_one_refuted(extra, run):
    code, out, _ = run("prove", "extra", "--trust-code", "--claims", extra, "--json")
    claims = {claim["id"]: claim for claim in json.loads(out)["claims"]}
    assert code == 0
    assert {name: claim["verdict"] for name, claim in claims.items()} == EXPECTED
    assert claims["extra.refuted"]["counterexample"] == {"a": 1, "b": 1}
    assert claims["extra.refuted"]["repair"] == "extra.means"
    assert claims["extra.means"]["trust"] == ["KERNEL", "Z3", "CVC5"]
    keys = {
        "id",
        "verdict",
        "trust",
        "scope",
        "checked",
        "readings",
        "counterexample",
        "repair",
        "assumes",
        "statement",
        "paraphrase",
        "words_of_file",
    }
    keys |= {"refuted_by", "cached", "error", "theorems", "print", "grade"}
    assert all(set(claim) == keys for claim in claims.values())


@pytest.mark.usefixtures("here")
def test_results_are_cached_until_what_they_rest_on_changes(extra, monkeypatch):
    claim = load_claims([extra], trust_code=True)["extra.means"]
    first = run_claims([claim], extra=[str(extra)], trust_code=True, sharing=Sharing(jobs=1), timeout=20)
    assert [(result["error"], result["verdict"]) for result in first] == [(None, "PROVED")]
    monkeypatch.setattr(
        "pufferproof.claims.run.cached.examined", lambda claims, *_: iter(pytest.fail("again") if claims else ())
    )
    again = run_claims([claim], extra=[str(extra)], trust_code=True, sharing=Sharing(jobs=1), timeout=20)
    assert (first[0].pop("cached"), again[0].pop("cached")) == (False, True)
    assert again == first
    sources = Sources()
    before = fingerprint(claim, 20, sources)
    assert fingerprint(claim, 10, sources) != before
    extra.write_text(EXTRA + "\n# edited\n")
    assert fingerprint(claim, 20, sources) != before


def test_a_stored_result_stands_beside_no_other_words(extra, monkeypatch):
    """Also where no source changed: the file makes its statements of a variable here."""
    before = "2*a*b <= a**2 + b**2"
    for statement in (f'statement=formula("{before}")', f'says={{"it": formula("{before}")}}'):
        text = EXTRA.replace('statement=formula("2*a*b <= a**2 + b**2")', statement)
        extra.write_text("import os\n" + text.replace(f'"{before}"', 'os.environ["SAID"]'))
        monkeypatch.setenv("SAID", before)
        monkeypatch.setattr(registry, "_CLAIMS", {})
        claim = load_claims([extra], trust_code=True)["extra.means"]
        mark = fingerprint(claim, 20, Sources())
        assert fingerprint(claim, 20, Sources()) == mark
        monkeypatch.setenv("SAID", "3*a*b <= a**2 + b**2")
        monkeypatch.setattr(registry, "_CLAIMS", {})
        other = load_claims([extra], trust_code=True)["extra.means"]
        assert fingerprint(other, 20, Sources()) != mark


def test_a_helper_that_changed_is_read_again(tmp_path, monkeypatch):
    """In processes of their own, as a person would run it: what a result rests on is followed
    beyond literal imports.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "beside.py").write_text("BOUND = 0\n")
    (tmp_path / "base.py").write_text(
        "import sympy, beside\nfrom pufferproof.claims.registry import claim\nx = "
        "sympy.Symbol('x')\ndef squares(argument, bound):\n    argument.exhaust('s', 's', [0], "
        "lambda n: n >= bound)\n@claim('dynamic.base', where='w', statement='s', unsaid='test')\n"
        "def base(check):\n    "
        "with check.reading('r') as argument:\n        squares(argument, beside.BOUND)\n    "
        "check.near_miss('r: more', lambda argument: squares(argument, beside.BOUND + 1))\n"
    )
    found = []
    for bound in (0, 1):
        (tmp_path / "beside.py").write_text(f"BOUND = {bound}\n")
        command = [BIN, "prove", "dynamic", "--trust-code", "--claims", "base.py", "--json"]
        command += ["--jobs", "1"]
        places = os.pathsep.join([str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
        environment = {**os.environ, "PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        found.append({claim["id"]: claim["verdict"] for claim in json.loads(done.stdout)["claims"]})
    assert found == [{"dynamic.base": "CHECKED"}, {"dynamic.base": "OPEN"}]


@pytest.mark.parametrize("names", [("one", "two"), ("one", "one")])
def test_two_claims_of_one_id_are_refused(extra, run, tmp_path, names):
    text = "from pufferproof.claims.registry import claim\n"
    for name in names:
        text += f"@claim('twice.id', where='w', statement='s')\ndef {name}(check):\n    pass\n"
    (tmp_path / "twice.py").write_text(text)
    code, _, err = run("prove", "twice", "--trust-code", "--claims", tmp_path / "twice.py")
    assert code == 2
    assert "registered twice" in err


@pytest.mark.usefixtures("here")
def test_recorded_verdicts_are_compared(extra, run):
    known, own = record.recorded(), record.beside(str(extra))
    chosen = ("prove", "extra.means", "extra.refuted", "--trust-code", "--claims", extra)
    assert run(*chosen, "--check")[0] == 1
    assert run(*chosen, "--record")[0] == 0
    assert run(*chosen, "--check")[0] == 0
    assert (own.parent.name, record.recorded()) == ("extra.record", known)
    verdicts = json.loads(own.read_text())
    verdicts["extra.means"]["verdict"] = "REFUTED"
    own.write_text(json.dumps(verdicts))
    code, _, err = run("prove", "extra.means", "--trust-code", "--claims", extra, "--check")
    assert (code, err) == (1, "pufferproof: extra.means: PROVED, recorded REFUTED\n")


@pytest.mark.usefixtures("here")
def test_a_claim_whose_words_changed_since_they_were_recorded_is_open(extra, run):
    chosen = ("prove", "extra.tried", "extra.refuted", "--trust-code", "--claims", extra)
    assert run(*chosen, "--record")[0] == 0
    whole = EXTRA.replace('"2ab <= a^2 + b^2"', '"2ab < a^2 + b^2"')
    assert whole != EXTRA
    extra.write_text(whole, encoding="utf-8")
    code, out, err = run(*chosen, "--check")
    assert (code, err) == (1, "pufferproof: extra.tried: OPEN, recorded TRIED\n")
    assert "what it says is not what is recorded" in out
    assert run(*chosen, "--record")[0] == 0
    assert run(*chosen, "--check")[0] == 0


GUARDED = """
from pufferproof.claims.language.statements import Statement
from pufferproof.claims.registry import Check, claim


def numbers(draws):
    '''A whole number from 0 to 8.'''
    return {"x": draws.below(9)}


SAYS = Statement(
    numbers,
    holds=lambda x: x >= TRUE,
    too_strong={"more": lambda x: x >= SAID},
)


def squares(argument, bound):
    argument.exhaust("squares", "n to 8", range(9), lambda n: n * n >= bound)


@claim("guarded.false", where="here", statement="3ab <= a^2 + b^2", repair="guarded.true",
       unsaid={"weaker": "test"})
def false(check: Check) -> None:
    with check.reading("as printed") as argument:
        argument.counterexample("one", "a = b = 1", {"a": 1, "b": 1}, lambda: 3 > 1 + 1)
    with check.reading("weaker") as argument:
        squares(argument, 0)
    check.near_miss("weaker: more", lambda argument: squares(argument, MISSED))


@claim("guarded.true", where="here", statement="no number is negative", says=SAYS)
def true(check: Check) -> None:
    check.tried("as printed")
"""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, []),
        ({"MISSED": "0"}, ['guarded.false: the near miss "weaker: more" came out CHECKED']),
        ({"SAID": "0"}, ["guarded.true: OPEN, recorded TRIED"]),
        ({"TRUE": "3"}, ["guarded.true: REFUTED, recorded TRIED"]),  # the repair of the other
        ({"3 > 1 + 1": "3 > 3 + 1"}, ["guarded.false: OPEN, recorded REFUTED"]),
    ],
)
def test_near_misses_that_hold_and_readings_that_do_not_fail_the_check(tmp_path, monkeypatch, changed, said):
    """What `prove --check` sees of every claim, and no other test of them repeats."""
    text = GUARDED
    for old, new in ({"MISSED": "1", "SAID": "1", "TRUE": "0"} | changed).items():
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "guarded.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(registry, "_CLAIMS", dict(load_claims()))
    load_extra([tmp_path / "guarded.py"], trust_code=True)
    monkeypatch.setattr(record, "RECORD", tmp_path / "EXPECTED.json")
    expected = {
        "guarded.false": {"verdict": "REFUTED", "readings": ["REFUTED", "CHECKED"]},
        "guarded.true": {"verdict": "TRIED", "readings": ["TRIED"]},
    }
    results = [as_result(examine(name), 0.0) for name in expected]
    rest = {name: entry | expected[name] for name, entry in record.entries(results).items()}
    record.RECORD.write_text(json.dumps(rest), encoding="utf-8")
    found = record.differences(results)
    assert bool(found) is bool(said)
    assert all(line.startswith(each) for line, each in zip(found, said))


def test_another_counterexample_or_family_than_the_recorded_one_fails_the_check(tmp_path):
    at = tmp_path / "mine.record" / "EXPECTED.json"

    def found(n, checked):
        false = step("two", "counterexample", trust=("EXACT",), evidence={"n": n})
        family = step("all", "exhaust", trust=("EXACT",), checked=checked, detail=f"{checked}")
        return [result("lemma.mediant", ("as printed", [false]), ("a family", [family]))]

    record.record(found(2, 49), at)
    rests = r'lemma.mediant: readings rest on "{}" (\w+ ){{0,2}}[0-9a-f]{{16}}( \w+)?, recorded .*'
    assert record.differences(found(2, 49), at) == []
    for others, name in ((found(3, 49), "as printed"), (found(2, 48), "a family")):
        (line,) = record.differences(others, at)
        assert re.fullmatch(rests.format(name), line)
    entry = record.recorded(at)["lemma.mediant"]
    at.write_text(json.dumps({"lemma.mediant": entry | {"rests": entry["rests"][:1]}}))
    assert len(record.differences(found(2, 49), at)) == 1
    del entry["words"]
    at.write_text(json.dumps({"lemma.mediant": entry}))
    assert record.differences(found(2, 49), at) == ["lemma.mediant: its words are not recorded"]


MINE = """
from fractions import Fraction

import sympy

from pufferproof.claims.language.statements import Statement
from pufferproof.claims.registry import Check, claim

PAPER = {"title": "A paper of *ours*", "authors": "A. Author", "year": 2030}
a, b = sympy.symbols("a b")


def numbers(draws):
    \"\"\"A number n up to 5, a fraction and a law.\"\"\"
    return {"n": draws.below(6), "p": Fraction(draws.below(4), 3), "law": draws.law(2)}


SAYS = Statement(
    family=numbers,
    holds=lambda n, p, law: n + p * law[0] < 5,
    too_strong={"less": lambda n, p, law: n + p * law[0] < 1},
)


@claim("mine.small", where="Lemma 1", statement="n is less than 5", kind="lemma", says=SAYS)
def small(check: Check) -> None:
    with check.reading("as printed", "all n") as argument:
        argument.inequality("square", "weaker", a * b <= a**2 + b**2)
        SMALL


@claim("mine.means", where="Theorem 2", statement="3ab <= a^2 + b^2", kind="theorem")
def means(check: Check) -> None:
    with check.reading("as printed", "all reals") as argument:
        argument.inequality("square", "too strong", 3 * a * b <= a**2 + b**2, [a >= 0, b >= 0])
        MEANS
"""


def mine(path, small="", means=""):
    """Write the claims with lines pasted into their readings."""
    indented = [lines.replace("\n", "\n        ") for lines in (small, means)]
    path.write_text(MINE.replace("SMALL", indented[0]).replace("MEANS", indented[1]))
    return path


def pasted(out, name):
    """The lines that are offered for a claim."""
    block = out.partition(f" {name} ")[2].partition('to paste into the reading "as printed":\n')[2]
    lines = [line[11:] for line in block.splitlines()]
    return "\n".join(lines[: lines.index(")") + 1])


@pytest.mark.usefixtures("here")
def test_a_false_claim_of_a_file_offers_the_lines_of_its_counterexample(extra, run, tmp_path):
    first = mine(tmp_path / "mine.py")
    code, out, _ = run("prove", "--trust-code", "--claims", first)
    assert code == 0
    small, means = pasted(out, "mine.small"), pasted(out, "mine.means")
    _, cached, _ = run("prove", "--trust-code", "--claims", first)
    assert pasted(cached, "mine.means") == means
    assert small.startswith("instance = {'n': 5, 'p': Fraction(0, 1), 'law': [Fraction(1, 1)")
    registry._CLAIMS.clear()
    code, out, _ = run("prove", "--trust-code", "--claims", mine(tmp_path / "again.py", small, means), "--json")
    claims = {claim["id"]: claim for claim in json.loads(out)["claims"]}
    assert {name: each["verdict"] for name, each in claims.items()} == {
        "mine.small": "REFUTED",
        "mine.means": "REFUTED",
    }
    assert claims["mine.means"]["counterexample"] == {"a": "1", "b": "1"}
    assert claims["mine.small"]["counterexample"]["n"] == 5


PROGRAM = """
```python
from pufferproof.claims.language.statements import Draws, Fraction, Statement


def two(draws: Draws) -> dict[str, Fraction]:
    \"\"\"Two numbers.\"\"\"
    return {name: draws.among([-draws.rate([Fraction(1, 2)]), Fraction(0)]) for name in "xy"}


MEANS = Statement(
    family=two,
    holds=lambda x, y, factor=3: factor * x * y <= x**2 + y**2,
    too_strong={"a factor of 4": {"factor": 4}},
)
```

## draft.lem3 | Lemma 3 | lemma

Three times a product is at most the sum of the squares.

reading as stated :: MEANS
"""


@pytest.mark.usefixtures("here")
def test_the_lines_work_in_a_document_that_new_writes(extra, run, tmp_path, monkeypatch):
    """They are a reading of the claim, or fields of one."""
    monkeypatch.chdir(tmp_path)
    assert run("prove", "--new", "draft")[0] == 0
    text = (tmp_path / "draft.claims").read_text() + PROGRAM
    dropped = text.replace("0 <= c <= S*d", "c <= S*d")
    assert dropped != text
    (tmp_path / "draft.claims").write_text(dropped)
    code, out, _ = run("prove", "draft.thm1", "draft.lem3", "draft.claims", "--trust-code")
    assert (code, "OPEN " in out) == (0, True)
    after = out.partition('to paste into the claim, as the reading "as stated":\n')[2]
    fields = after.partition('to paste into the reading "as stated":\n')[2]
    reading = "\n".join(line[11:] for line in after.splitlines()[:4])
    mended = dropped.replace("why: With", f"{reading}\nwhy: With")
    mended += "".join(f"{line[11:]}\n" for line in fields.splitlines()[:3])
    (tmp_path / "draft.claims").write_text(mended)
    registry._CLAIMS.clear()
    code, out, _ = run("prove", "draft.claims", "--trust-code", "--json")
    claims = json.loads(out)["claims"]
    assert (code, {each["verdict"] for each in claims}) == (0, {"REFUTED"})
    assert [(*each["trust"], each["refuted_by"]) for each in claims] == [
        ("EXACT", "formula"),
        ("AUTHOR", "author"),
        ("EXACT", "program"),
    ]
    _, shown, _ = run("prove", "draft.thm1", "draft.claims", "--trust-code")
    assert "False: For all real R, S, a, b, c, d: if 0 <= a and" in shown
    assert run("prove", "--format", "draft.claims")[0] == 0
    laid = (tmp_path / "draft.claims").read_text()
    registry._CLAIMS.clear()
    code, again, _ = run("prove", "draft.claims", "--trust-code", "--json")
    assert [each["counterexample"] for each in json.loads(again)["claims"]] == [
        each["counterexample"] for each in claims
    ]
    assert "by: MEANS.fails({'x': -1/2, 'y': -1/2})" in laid


LINKED = """
linked MEAN: a mean
  index x: the databases
  given p[x] >= 0: a weight
  given f[x]: a value of the function
  given K: a bound
  near K: f
  if a bound: f <= K
  sum M over x: p*f -- the weighted sum
  sum N over x: p -- the weight in all
  so one more: M <= K*N along x by a bound
  then the mean: M <= K*N by one more

## draft.mean | Lemma 3

reading as stated :: MEAN
"""


@pytest.mark.usefixtures("here")
def test_a_lemma_of_a_document_is_exported_for_other_solvers(extra, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("prove", "--new", "draft")
    words = "export", "draft.thm1", "--smtlib", "q"
    code, _, err = run(*words)
    assert (code, "--claims FILE reads your own claims" in err) == (2, True)
    code, out, _ = run(*words, "--claims", "draft.claims")
    assert (code, out) == (0, "export: 1 query in q, each to be answered unsat\n")
    query = (tmp_path / "q" / "draft.thm1.1-1.smt2").read_text()
    assert "(check-sat)" in query
    with (tmp_path / "draft.claims").open("a") as document:
        document.write(LINKED)
    code, _, err = run("export", "draft.claims", "--smtlib", "all")
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith('pufferproof: not exported: draft.cor2, reading "as printed": it is false')
    names = ["draft.mean.1-1.smt2", "draft.mean.1-2.smt2", "draft.thm1.1-1.smt2"]
    assert sorted(each.name for each in (tmp_path / "all").iterdir()) == names
    assert (tmp_path / "all" / names[2]).read_text() == query
    assert run("export", "draft.nothing", "--smtlib", "q", "--claims", "draft.claims")[0] == 2
    assert run("export", "none.claims", "--smtlib", "p")[0] == 2
    assert run("export", "c.json", "--coq", "c.v", "--claims", "draft.claims")[0] == 2


@pytest.mark.usefixtures("here")
def test_the_letter_of_a_document_is_to_its_authors(extra, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("prove", "--new", "draft")
    code, out, _ = run("prove", "--letter", "draft", "draft.claims")
    assert code == 0
    assert "The title of the paper" in out.splitlines()[0]
    assert "Corollary 2" in out
    assert "**Letters.** R, S: e^ϵ₁, e^ϵ₂, for the levels of two releases; a, b: " in out
    text = (tmp_path / "draft.claims").read_text()
    (tmp_path / "other.claims").write_text(re.sub(r"paper:\n(  .*\n)+", "", text))
    registry._CLAIMS.clear()
    code, _, err = run("prove", "--letter", "draft", "other.claims")
    assert (code, 'names no paper: write "paper:" at its top' in err) == (2, True)


@pytest.mark.usefixtures("here")
def test_a_document_is_laid_out_in_one_way(extra, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "# A section\n\n## own.a | 1\n\nthen: (a*b)<=a ^ 2 + b^2\n"
    (tmp_path / "own.claims").write_text(text)
    (tmp_path / "other.txt").write_text("")
    code, out, _ = run("prove", "--format", "--check", "own.claims")
    assert (code, "+then: a*b <= a^2 + b^2" in out) == (1, True)
    assert (tmp_path / "own.claims").read_text() == text
    assert run("prove", "--format", ".")[0] == 2  # a pattern
    assert run("prove", "--format", "--claims", "other.txt")[0] == 2
    assert run("prove", "--format", "own.claims", "--json")[0] == 2
    code, out, _ = run("prove", "--format", "--claims", ".")
    assert (code, out) == (0, "layout    1 of 1 document written anew\n")
    assert run("prove", "--format", "--check", "own.claims")[0] == 0
    code, out, _ = run("prove", "--format", "--check")
    assert (code, out[:15]) == (0, "layout    0 of ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"# A\n\nA \xff\n", "own.claims:3: expected a text in UTF-8, found the byte 0xff"),
        (b"# A\n\nlet X = (1\n", "own.claims:3: expected an expression of Python"),
        (b"# A\n\nlet X = f(1 ,2)\n\n    then: a = b\n", "own.claims:3: expected an expression"),
        (b"# A\n\nProse.\n\n    then:  a = b\n", "own.claims: cannot be laid out: its layout"),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_layout_that_is_not_read_as_the_same_document_is_not_written(run, tmp_path, monkeypatch, data, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.claims").write_bytes(data)
    code, _, err = run("prove", "--format", "own.claims")
    assert (code, said in err) == (2, True)
    assert (tmp_path / "own.claims").read_bytes() == data


@pytest.mark.usefixtures("here")
def test_claims_of_the_package_and_those_with_a_counterexample_offer_nothing(extra, run):
    _, out, _ = run("prove", "extra.refuted", "--trust-code", "--claims", extra)
    assert "REFUTED" in out
    assert "to paste" not in out


@pytest.mark.usefixtures("here")
def test_the_letter_has_what_holds_what_does_not_and_how_to_check_it(extra, run, tmp_path):
    code, out, err = run("prove", "--letter", "mine", "--trust-code", "--claims", mine(tmp_path / "mine.py"))
    assert (code, err) == (0, "")
    assert out.startswith("# To the authors of “A paper of \\*ours\\*”\n")
    assert "## Theorems, lemmas and algorithms that are false as printed\n" in out
    assert "- “Lemma 1” is false as printed; nothing that relies on it is guaranteed.\n" in out
    assert "### 1. “Lemma 1” is false as printed\n" in out
    assert "The numbers are n = 5" in out
    assert "No repair is known to us." in out
    about = f"--claims {tmp_path / 'mine.py'} --trust-code --out report"
    assert f"\n    pufferproof prove mine.small {about}\n" in out
    assert "## What is open (1)\n\n- “Theorem 2”" in out
    assert f"pufferproof prove mine {about} --coq\n" in out


@pytest.mark.usefixtures("here")
def test_without_a_pattern_the_claims_of_a_file_are_examined(run, extra):
    code, out, _ = run("prove", "--trust-code", "--claims", extra, "--json")
    assert code == 0
    assert {result["id"].partition(".")[0] for result in json.loads(out)["claims"]} == {"extra"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "contains no claim; expected a function under @claim(..)"),
        ("import sys\nsys.exit(0)\n", "cannot be imported: it ends the program by sys.exit(0)"),
    ],
)
def test_a_file_without_claims_or_that_exits_is_refused(extra, run, text, said):
    extra.write_text(text)
    assert run("prove", "--trust-code", "--claims", extra) == (2, "", f"pufferproof: {extra}: {said}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("let X = f(1)\n\n```python\ndef f(x):\n    return x\n```\n", ':3: "f" is used above the'),
        ("use nosuch: b\n", ":3: cannot be imported: No module named 'nosuch'"),
        ("let N = 10**9\nlet X = 10**N\n", ":4: expected a power of at most 10000000 bits"),
        ("## own.a | L\n\nif: c > 1\nthen: c != 0\n", ":6: expected one relation (=, <, <="),
        (
            "## own.a | L\n\nIt.\n\ncause: so\nreading one\n  definition: a -- b\n",
            'expected "print: .." and "ours: .." beside what the paper prints; expected either',
        ),
        ("letters:\n  1 <= p <= 0: one\n", ':4: no number is in the domain of the letter "p"'),
    ],
)
@pytest.mark.usefixtures("here", "extra")
def test_what_goes_wrong_while_a_document_is_imported_names_its_line(run, tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.claims").write_text(f"# A\n\n{text}")
    code, _, err = run("prove", "own.claims", "--trust-code")
    assert (code, err.startswith("pufferproof: own.claims:"), said in err) == (2, True, True)


@pytest.mark.usefixtures("here")
def test_a_claim_that_exits_is_open_and_the_others_are_examined(extra, run):
    """A program that ends while a claim is examined would have shown no verdict, and code 0."""
    broken = 'raise RuntimeError("this claim is broken")'
    extra.write_text(EXTRA.replace(broken, "raise SystemExit(0)"))
    code, out, _ = run("prove", "--trust-code", "--claims", extra, "--json")
    found = {each["id"]: each for each in json.loads(out)["claims"]}
    assert (code, found.keys()) == (0, EXPECTED.keys())
    assert found["extra.crash"]["verdict"] == "OPEN"
    assert found["extra.crash"]["error"].startswith("SystemExit: ")


@pytest.mark.usefixtures("here")
def test_a_claim_that_fails_says_where_and_fails_the_check(extra, run, tmp_path, monkeypatch):
    """Also where OPEN is what was recorded: the place of the error is in the claim's file, and
    in what that called.
    """
    line = 1 + EXTRA.splitlines().index('    raise RuntimeError("this claim is broken")')
    monkeypatch.setattr(record, "RECORD", tmp_path / "EXPECTED.json")
    code, out, _ = run("prove", "extra.crash", "--trust-code", "--claims", extra, "--record")
    assert (code, f"error: RuntimeError: this claim is broken (at {extra}:{line})" in out) == (0, True)
    code, _, err = run("prove", "extra.crash", "--trust-code", "--claims", extra, "--check")
    said = f"pufferproof: extra.crash: not examined: RuntimeError: this claim is broken (at {extra}:{line})\n"
    assert (code, err) == (1, said)


def test_an_error_in_what_a_claim_calls_names_both_places(extra):
    load_claims([extra], trust_code=True)
    with pytest.raises(AttributeError) as raised:
        registry._CLAIMS["extra.means"].function(None)
    assert re.fullmatch(rf" \(at {re.escape(str(extra))}:[0-9]+\)", workers._place("extra.means", raised.value))
    with pytest.raises(ValueError) as raised:
        registry._CLAIMS["extra.means"].function(Check(registry._CLAIMS["extra.means"], "no number"))
    assert re.fullmatch(
        rf" \(at {re.escape(str(extra))}:[0-9]+, raised at verify/[a-z_/]+.py:[0-9]+\)",
        workers._place("extra.means", raised.value),
    )


def test_a_false_inequality_that_leaves_a_claim_open_shows_the_model(extra):
    load_claims([extra], trust_code=True)
    results = [as_result(examine(name), 0.1) for name in ("extra.false", "extra.refuted", "extra.weak")]
    shown = [line for line in lines(results) if line.strip().startswith("false in")]
    assert len(shown) == 1
    place, _, values = shown[0].strip().partition(": ")
    assert place == 'false in "as printed", step "square"'
    model = {name: Fraction(value) for name, value in (each.split(" = ") for each in values.split(", "))}
    assert 3 * model["a"] * model["b"] > model["a"] ** 2 + model["b"] ** 2


def test_an_instance_at_which_a_claim_is_not_false_is_named():
    step = {"name": "at two", "kind": "counterexample", "ok": False, "refuted": False}
    reading = {"name": "as printed", "steps": [{**step, "evidence": {}, "detail": ""}]}
    assert words._not_discharged({"readings": [reading]}) == [
        'the instance does not make it false in "as printed", step "at two"'
    ]


def test_an_interrupted_run_keeps_what_was_found(extra, monkeypatch):
    claims = [
        claim
        for name, claim in load_claims([extra], trust_code=True).items()
        if name in ("extra.means", "extra.refuted")
    ]

    def interrupted(*_arguments):
        yield {"id": "extra.means", "error": None, "verdict": "PROVED"}
        raise KeyboardInterrupt

    monkeypatch.setattr("pufferproof.claims.run.cached.examined", interrupted)
    results, partial = run_with_progress(
        claims, extra=[str(extra)], trust_code=True, sharing=Sharing(jobs=1), timeout=20, use_cache=False
    )
    assert ([result["id"] for result in results], partial) == (["extra.means"], True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prove", "no.such.claim"], 'no claim matches "no.such.claim"'),
        (["prove", "--claims", "absent.py"], "absent.py: no such file or folder of claims"),
        (["prove", "--letter", "nobody"], '"nobody": expected one of bai2026'),
        (["prove", "--letter", "general"], 'no claim is of a paper "general"'),
        (["prove", "--letter", "../x"], 'no claim is of a paper "../x"'),
        (["prove", "--letter", "bai2026", "--json"], "--letter: leave out PATTERN, --out"),
        (["prove", "bai2026", "--letter", "bai2026"], "--letter: leave out PATTERN"),
        (["prove", "lemma", "--jobs", "0"], "--jobs"),
        (["prove", "lemma", "--timeout", "-1"], "--timeout: expected 0.1 to 1000000 seconds, found -1"),
        (["prove", "lemma", "--timeout", "0"], "--timeout: expected 0.1 to 1000000 seconds, found 0"),
        (["prove", "lemma", "--timeout", "inf"], "--timeout: expected 0.1 to 1000000 seconds, found inf"),
        (["prove", "lemma", "--timeout", "nan"], "--timeout: expected 0.1 to 1000000 seconds, found nan"),
        (["prove", "lemma", "--timeout", "1e20"], "--timeout: expected 0.1 to 1000000 seconds, found 1e+20"),
    ],
)
def test_misuse_is_one_line(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert message in err


def test_a_file_that_cannot_be_imported_is_one_line(run, tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0\n")
    code, out, err = run("prove", "--trust-code", "--claims", tmp_path / "broken.py")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "division by zero" in err


HOLDING = ("PROVED", "DERIVED", "CHECKED", "TRIED")


def test_every_claim_names_the_file_and_the_line_of_its_proof():
    for name, claim in load_claims().items():
        if not claim.function.__module__.startswith("pufferproof.claims"):
            continue
        file, _, line = place_of(claim).rpartition(":")
        lines_of = (ROOT / file).read_text(encoding="utf-8").splitlines()
        near = "".join(lines_of[int(line) - 1 : int(line) + 2])
        assert any(each in near for each in (f"## {name} |", "@", "def ", "lambda", f'"{name}"')), (name, file, line)


def test_every_repair_is_a_claim_that_holds():
    """By the recorded verdicts, which `prove --check` compares with those found."""
    verdicts = record.recorded()
    repairs = {claim.repair for claim in load_claims().values() if claim.repair}
    found = {name: verdicts[name]["verdict"] for name in repairs}
    assert {name: verdict for name, verdict in found.items() if verdict not in HOLDING} == {}


def test_the_catalogues_name_what_has_a_verdict_and_what_has_not():
    known, listed = set(load_claims()), catalogue()
    assert set(listed) == {"bai2026", "massny2025", "song2017", "streaming_cw", "wang2016"}
    for paper, names in listed.items():
        assert len(names) == len(set(names))
        assert all(name.startswith(f"{paper}.") for name in names)
    for paper in ("song2017", "streaming_cw", "wang2016"):
        assert [name for name in listed[paper] if name not in known] == []


def test_every_claim_of_a_paper_is_in_its_catalogue_or_marked_as_our_own():
    listed = {name for names in catalogue().values() for name in names}
    papers = set(catalogue())
    own = [claim for claim in load_claims().values() if claim.paper in papers and claim.id not in listed]
    repairs = {claim.repair for claim in load_claims().values()}
    assert [
        claim.id for claim in own if claim.id not in repairs and not claim.id.partition(".")[2].startswith("x-")
    ] == []


def test_the_recorded_verdicts_are_of_the_claims_there_are():
    known = record.recorded()
    assert set(known) == set(load_claims())
    said = {name: record.words(claim_as_result(each)) for name, each in load_claims().items()}
    assert said == {name: entry["words"] for name, entry in known.items()}


def claim_as_result(claim):
    readings = [{"name": name, "statement": made(claim, name)} for name in named()[claim.id]]
    more = {"paraphrase": None, "readings": readings, "meaning": meaning_of(claim)}
    return {"statement": claim.statement, **more}


def made(claim, name):
    """Whether the words of a reading are made from what is decided."""
    says = claim.says.get(name)
    objects = (getattr(says, name, None) for name in ("proposition", "linked"))
    return claim.formula_of(name) is not None or any(each is not None for each in objects)


FREE_SCOPE = """
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.registry import claim

F = formula("x*y + 1 > x + y", given="x > 1, y > 1")
NEAR = formula("x*y > x + y", given="x > 1, y > 1")


@claim("mine.scope", where="Lemma 1", statement=F)
def scope(check):
    \"\"\"Both factors of (x - 1)*(y - 1) are above 0.\"\"\"
    with check.reading("every mechanism is private", "every mechanism") as proof:
        proof.formula("the formula", "", F)
    check.near_miss("near", lambda proof: proof.formula("near", "", NEAR))
"""


@pytest.mark.usefixtures("extra")
def test_the_scope_of_a_proved_formula_is_not_what_a_file_says(run, tmp_path):
    file = tmp_path / "free.py"
    file.write_text(FREE_SCOPE)
    code, out, _ = run("prove", "--trust-code", "--claims", str(file), "--no-cache", "--json")
    (claim,) = json.loads(out)["claims"]
    assert (code, claim["verdict"], claim["scope"]) == (0, "PROVED", "all real numbers")
    assert claim["readings"][0]["scope"] == "all real numbers"
    assert claim["readings"][0]["words_of_file"] == ["name"]
