"""Linked arguments of documents: the same as those of Python, read as they are written, and refused
where a letter, an index or a fact means nothing, or two things.
"""

import json

import pytest
from tests.claims.examination import names_of, refusal
from tests.claims.judging import shown

from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import write
from pufferproof.claims.language.letters import Letter, at_least
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.language.linked.plain import plain
from pufferproof.claims.registry import load_claims

TITLE = "# Weighted sums\n\n"
MEAN = """linked MEAN: a mean
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
  why: Add them up.
"""
TWICE = """linked TWICE: a fact at the second value
  index x: the values
  index y: x
  given f[x], p[x] >= 0: a number for each value
  given K: a bound
  let g = f at y -- the same at y
  let q = p at y -- the weight at y
  if a bound: f <= K*p
  so there: again a bound at y
  then both: f + g <= K*(p + q) by a bound, there
"""
SQUARES = """linked SQUARES: squares of a place
  index j: the steps
  given K: where it starts
  given e[j]: a step
  given f: a factor
  chain M over j: K, then M + e -- the place
  let N = M before each -- the place before this step
  let g = f*K^2 -- the square at the start
  let T = f*N^2 -- the square before this step
  let U = f*(N + e)^2 -- the square after this step
  let B = f*M^2 -- the square at the end
  moving M before N: B = g, T, U
  sum d over j: U - T -- how much squares rise
  so rises: d = B - g along j
  then the rise: 2*d = 2*B - 2*g by rises
"""
TEXTS = [f"{TITLE}{each}" for each in (MEAN, TWICE, SQUARES)]


def arguments(text):
    """The arguments of a document."""
    return {name: each for name, each in names_of(text).items() if isinstance(each, Linked)}


@pytest.mark.parametrize("text", TEXTS)
def test_an_argument_is_shown_and_written_as_it_is_read(text):
    assert write(read(text)) == text
    for each in arguments(text).values():
        shown(each)


def test_an_argument_is_what_the_same_calls_make():
    p = Letter("p", "a weight", [at_least(0)], real=True)
    f = Letter("f", "a value of the function", real=True)
    bound, total = Letter("K", "a bound", real=True), Letter("M", "the weighted sum", real=True)
    weight = Letter("N", "the weight in all", real=True)
    one = Linked("a mean", {"x": "the databases"}, {p: "x", f: "x", bound: ""}, near={bound: f})
    one.given("a bound", f <= bound)
    one.sum(total, "x", p * f)
    one.sum(weight, "x", p)
    one.along("one more", "x", total <= bound * weight, "a bound")
    one.conclude("the mean", total <= bound * weight, "one more")
    made = arguments(f"{TITLE}{MEAN}")["MEAN"]
    assert plain(made) == plain(one)
    for each in ("about", "indices", "letters", "definitions", "near", "spare", "facts", "then"):
        assert getattr(made, each) == getattr(one, each), each


def test_letters_are_those_of_their_argument_alone():
    other = MEAN.replace("MEAN", "OTHER").replace("a weight\n", "another thing\n")
    made = arguments(f"{TITLE}{MEAN}\n{other}")
    assert made["MEAN"].letters != made["OTHER"].letters
    assert "p" not in {each.name for each in load_claims()["wang2016.def-maxinf"].letters.values()}


def test_an_argument_of_a_document_of_your_own_is_derived(run, tmp_path):
    own = tmp_path / "own.claims"
    claim = "## own.mean | Lemma 1 | lemma\n\nreading as stated :: {}\nwhy: Add.\n"
    own.write_text(f"{TITLE}{MEAN}\n{claim.format('MEAN')}", "utf-8")
    code, out, _ = run("prove", "--claims", own, "--no-cache", "--json")
    assert (code, json.loads(out)["claims"][0]["verdict"]) == (0, "DERIVED")
    less = MEAN.replace("K*N by", "K*N - 1 by")
    own.write_text(f"{TITLE}{less}\n{claim.format('MEAN')}", "utf-8")
    _, out, _ = run("prove", "--claims", own, "--no-cache", "--json")
    assert json.loads(out)["claims"][0]["verdict"] == "REFUTED"
    own.write_text(f"{TITLE}{MEAN.replace('f <= K', 'f <= k')}", "utf-8")
    code, out, err = run("prove", "--claims", own)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert 'own.claims:9: "k" is no letter above' in err


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("f <= K", "f <= k", 9, '"k" is no letter above'),
        ("near K: f", "near K: M + q", 8, '"q" is no letter above'),
        ("near K", "near Q", 8, '"Q" is no letter above'),
        ("p*f --", "p*N --", 10, '"N" is no letter above'),
        ("p*f --", "p*M --", 10, '"M" is defined by itself'),
        ("by a bound", "by a bond", 12, 'which no line above says (did you mean "a bound"?)'),
        ("by a bound", "by one more", 12, "which no line above says"),
        ("by a bound", "by a bound,", 12, "which no line above says"),
        ("by a bound", "by a bound, a bound", 12, "names a fact twice"),
        ("by one more", "by let M", 13, "which no line above says"),
        (" by a bound", "", 9, 'nothing uses "a bound": name it in a line below, or leave it out'),
        ("K: a bound", "K: a bound\n  given L: no", 8, 'nothing uses the letter "L"'),
        ("sum N over x: p --", "let K = 3 --", 11, '"K" has a meaning already, of line 7'),
        ("sum N", "sum p", 11, '"p" has a meaning already, of line 5'),
        ("given f[x]", "given p[x]", 6, '"p" has a meaning already, of line 5'),
        ("sum N", "sum max", 11, '"max" is a function: take another letter'),
        ("so one more", "so a bound", 12, '"a bound" is said already, on line 9'),
        ("over x: p*f", "over y: p*f", 10, '"y" is no index: write "index y: '),
        ("K*N along x", "K*N along p", 12, '"p" is no index'),
        ("K*N along x", "K*N at M", 12, "M is no largest and no least term"),
        ("f[x]", "f[z]", 6, '"z" is no index'),
        ("f[x]", "f[f]", 6, '"f" is no index'),
        ("f <= K", "f", 9, "expected a formula, such as x <= y"),
        ("p*f --", "p <= f --", 10, "expected a number or a letter"),
        ("f <= K", "f <= K; p = 1", 9, "expected one formula, found 2"),
        ("f <= K", "-f^2 <= K", 9, "a minus before a power is read in two ways"),
        ("f <= K", "f <= root(K)", 9, "expected one of abs(x), exp(x), max(x, ..), min(x, ..)"),
        ("f <= K", "f <= abs(K, p)", 9, 'found "abs" of 2'),
        (" -- the weighted sum", "", 10, 'expected what "M" stands for'),
        ("given K: a bound", "given K real: a bound", 7, 'expected "given p[x], K >= 0: what it'),
        ("given K: a bound", "given K: one; two", 7, 'expected a name for the letter "K"'),
        ("p[x] >= 0", "p[x] >= K", 5, "expected letters and bounds by numbers"),
        ("p[x] >= 0", "5 <= p[x] <= 0", 5, 'no number is in the domain of the letter "p"'),
        ("along x by a bound", "along x by a bound by it", 12, '"a bound by it", which no line'),
        ("M <= K*N along x by a bound", "MEAN with p", 12, "uses the argument itself"),
        ("M <= K*N along x by a bound", "MORE with p", 12, 'name "MORE" has no meaning here'),
        ("then the mean: M <= K*N by", "then the mean: term of M by", 13, 'expected "then NAME: '),
        ("M <= K*N along x by", "M = N as double sums by", 12, "rests on no facts"),
        ("M <= K*N along x by a bound", "again a bound at x", 12, "no second value of an index"),
        ("then the mean", "so the mean", 3, 'expected "then NAME: FORMULA by FACTS" as the last'),
        ("  sum N", "  given L: more\n  sum N", 11, '"given" comes too late'),
        ("by one more\n", "by one more\n  index y: y\n", 14, '"index" comes too late'),
        ("by one more\n  why: Add", "by one more\n  why: a\n  so why: Add", 15, "comes too late"),
        ("  sum N", "  sun N", 11, "expected one of index, given, near"),
        ("  near K: f", "  near K: f\n  near K: p", 9, '"near K" once, found it on lines 8'),
        ("  near K: f", "  spare K: a\n  spare K: b", 9, 'expected "spare K" once'),
        ("  given K", "  index x: y\n  given K", 7, '"index" comes too late'),
        ("  given p", "  index x: y\n  given p", 5, 'expected "index x" once, found it on lines 4'),
        ("by one more\n", "by one more\n  why: a\n", 15, 'expected "why" once'),
        ("p[x]", "p[x,x]", 5, 'expected index "x" of "p" once'),
        ("x: p*f", "x: p^2*f/p", 10, "divides by p, which cancels"),
        ("linked MEAN: a mean", "linked MEAN", 3, 'expected "linked NAME: ABOUT"'),
        ("linked MEAN", "let MEAN = 3\n\nlinked MEAN", 5, '"MEAN" has a meaning already'),
        ("linked MEAN", "linked sum", 3, '"sum" has a meaning in Python'),
    ],
)
def test_what_is_wrong_in_an_argument_names_its_line(old, new, line, said):
    assert old in MEAN
    why = refusal(f"{TITLE}{MEAN.replace(old, new, 1)}")
    assert said in why
    assert why.startswith(f":{line}: ")
