"""What claims do is written down without an engine: by value, the same in every process, and other
for a claim that does another thing.
"""

import json
import os
import subprocess
import sys

import pytest

from pufferproof.claims import registry
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run.steps.record import steps_of, written
from pufferproof.claims.run.texts import LONGEST, short, text_of
from pufferproof.verify.proof import argument

MINE = """
from fractions import Fraction

from pufferproof.claims.language import letters
from pufferproof.claims.language.edits import Edit
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.language.proof import proved
from pufferproof.claims.language.statements import Statement
from pufferproof.claims.registry import claim

a, b = letters("a b", "any number", real=True)


def pairs(draws):
    '''Two numbers from 0 to 3.'''
    return {"a": draws.below(4), "b": draws.below(4)}


@claim(
    "mine.order",
    where="Lemma 1",
    kind="lemma",
    statement="a <= b + 3",
    repair="mine.squares",
    says=Statement(
        pairs,
        given={"b is not 0": lambda a, b: b != 0},
        holds=lambda a, b, more=3: a <= b + more,
        too_strong={"by 1": {"more": 2}},
        edges=[{"a": 3, "b": 0}],
        always="numbers are at most 3",
    ),
)
def order(check):
    '''Both are at most 3.'''
    check.tried("as printed")


def squares(proof):
    most = Fraction(4)
    found = proof.exhaust("squares", "n to 8", range(9), lambda n: n * n <= most)
    if found is not None:
        proof.counterexample("three", "its square", {"n": found}, lambda: found**2 > 4, "n > 2")


@claim("mine.squares", where="here", statement="squares are at most 4", unsaid="it is a test")
def refuted(check):
    proved(check, "as printed", "n to 8", squares, small=Edit("squares", family=[0, 1, 2]))


@claim("mine.formula", where="here", statement=formula("a*a >= 0"))
def one(check):
    check.formula()
"""
ORDER = """\
where: Lemma 1
kind: lemma
statement: a <= b + 3
repair: mine.squares
letter a: any number |  | Letter('a', real=True)
letter b: any number |  | Letter('b', real=True)
says
  drawn: Two numbers from 0 to 3.
  given b is not 0
  too strong by 1: {'more': 2}
  edges: 1, 3ad9177f35c31b5f
  always: numbers are at most 3
"""
SQUARES = """\
reading as printed | n to 8 | steps
  unsaid: it is a test
  exhaust squares
    sentence: n to 8
    holds: function over [4/1]
    family: 9, 0fac64637bf25e07; it holds for the first 3, not the next
  counterexample three
    sentence: its square
    evidence: {"n": 3}
    violated: function over [3]
    it says: True
    formula: n > 2
near miss as printed: small
  edit at squares: family
  exhaust squares
"""


@pytest.fixture
def noted(monkeypatch, tmp_path):
    """What the claims of a file do, by their ids."""

    def of(text):
        monkeypatch.setattr(registry, "_CLAIMS", {})
        file = tmp_path / f"v{len([*tmp_path.iterdir()])}.py"
        file.write_text(text)
        registry.load_extra([file], trust_code=True)
        return {name: steps_of(each) for name, each in registry._CLAIMS.items()}

    return of


def test_a_statement_that_is_tried_is_written_with_what_it_says_of_instances(noted):
    lines = noted(MINE)["mine.order"]
    head = len(ORDER.splitlines())
    assert "\n".join(lines[:head]) + "\n" == ORDER
    drawn = [line.split()[0] for line in lines[head:-2]]
    assert drawn == [*["usual", "hard"] * 8, "edge"]
    assert lines[-3].endswith(": given 0 then 1 misses 0")
    said = {line.partition(": ")[2] for line in lines[head:-3]}
    assert said <= {f"given {met} then 1 misses 0" for met in (0, 1)}
    assert lines[-2:] == ["reading as printed |  | tried", "why: Both are at most 3."]


def test_steps_are_written_with_their_arguments_and_what_predicates_say(noted):
    assert SQUARES in "\n".join(noted(MINE)["mine.squares"])


def test_a_formula_is_written_with_its_near_misses_and_no_engine_is_asked(noted, monkeypatch):
    monkeypatch.delattr(argument, "decide_whole")
    lines = noted(MINE)["mine.formula"]
    assert "formula: GreaterThan(Mul(Symbol('a'), Symbol('a')), Integer(0))" in lines
    assert "reading as stated | all real numbers | formula" in lines
    assert sum(line.startswith("near miss as stated: ") for line in lines) == 1


@pytest.mark.parametrize(
    ("before", "after", "claim"),
    [
        ("a <= b + more", "a < b + more", "mine.order"),
        ("draws.below(4)}", "draws.below(3)}", "mine.order"),
        ("b != 0", "b != 1", "mine.order"),
        ('"more": 2', '"more": 1', "mine.order"),
        ("Both are", "They are", "mine.order"),
        ("range(9)", "range(8)", "mine.squares"),
        ("n * n <= most", "n * n < most", "mine.squares"),
        ("found**2 > 4", "found**2 > 9", "mine.squares"),
        ("[0, 1, 2]", "[0, 2, 1]", "mine.squares"),
        ('Edit("squares", f', 'Edit("squares", holds=bool, f', "mine.squares"),
        ("a*a >= 0", "a*a > 0", "mine.formula"),
    ],
)
def test_a_claim_that_does_another_thing_is_written_otherwise(noted, before, after, claim):
    first, second = noted(MINE), noted(MINE.replace(before, after, 1))
    assert MINE.count(before) >= 1
    assert [name for name in first if first[name] != second[name]] == [claim]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def squares(proof):", "\n\ndef squares(proof):"),
        ("lambda a, b: b != 0", "(lambda b, **_: not b == 0)"),
        ("squares(proof):", "goes_on(proof):"),
        ("n * n <= most", "most >= n**2"),
    ],
)
def test_names_places_and_code_are_not_written(noted, before, after):
    text = MINE.replace(before, after, 1)
    if "goes_on" in after:
        text = text.replace("squares, small", "goes_on, small")
    assert noted(text) == noted(MINE)


def test_a_claim_that_raises_is_written_with_what_it_did_before(noted):
    raising = MINE.replace("    check.tried", "    raise SystemExit(0)\n    check.tried")
    lines = noted(raising)["mine.order"]
    assert lines[-2:] == ["raises: SystemExit", "why: Both are at most 3."]


def test_values_are_written_by_what_they_are():
    def outer(inside):
        return lambda: inside

    assert text_of({"b": {3, 1}, "a": (True, None)}) == "{'b': {1, 3}, 'a': [True, None]}"
    assert text_of(outer(outer("x"))) == "function over [function over ['x']]"
    assert text_of([min, int, iter([]), json]) == "[built-in min, class int, iterator, module]"
    assert short("x" * LONGEST) == "x" * LONGEST
    assert short("x" * (LONGEST + 1)).startswith(f"{LONGEST + 1} characters ")


def command(folder, seed, *words):
    made = [sys.executable, "-m", "pufferproof", "prove", *words]
    told = os.environ | {"PYTHONHASHSEED": seed}
    return subprocess.run(made, cwd=folder, env=told, capture_output=True, text=True, check=False)


def test_every_process_writes_the_same_bytes(tmp_path):
    patterns = ["lemma", "streaming_cw"]
    for seed in ("1", "77"):
        done = command(tmp_path, seed, *patterns, "--steps", f"{seed}.json")
        assert (done.returncode, done.stderr) == (0, "")
    first, second = ((tmp_path / f"{seed}.json").read_bytes() for seed in ("1", "77"))
    assert first == second
    found = json.loads(first)
    assert [*found] == sorted(found)
    assert {name.partition(".")[0] for name in found} == {*patterns}
    claims = load_claims()
    some = "streaming_cw.thm4-repaired"
    assert json.loads(written([claims[some]])) == {some: found[some]}


BESIDE = "check,json,out r,record,timeout 3,jobs 1,new mine,summary,no-cache,letter bai2026"


@pytest.mark.parametrize("beside", BESIDE.split(","))
def test_it_goes_with_patterns_and_claims_alone(run, tmp_path, monkeypatch, beside):
    monkeypatch.chdir(tmp_path)
    said = "pufferproof: --steps: goes with PATTERN, --claims, --trust-code and --replace alone\n"
    assert run("prove", "lemma", "--steps", "s.json", *f"--{beside}".split()) == (2, "", said)
    assert not any(tmp_path.iterdir())


def test_a_file_is_replaced_where_that_is_said(run, tmp_path):
    path = tmp_path / "s.json"
    path.write_text("mine")
    code, _, said = run("prove", "lemma.mediant", "--steps", path)
    assert (code, path.read_text()) == (2, "mine")
    assert "exists already; --replace overwrites it" in said
    code, out, _ = run("prove", "lemma.mediant", "--steps", path, "--replace")
    assert (code, out) == (0, f"steps     {path}: written of 1 claim, no verdict\n")
    assert [*json.loads(path.read_text())] == ["lemma.mediant"]
