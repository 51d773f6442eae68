"""What refutes a reading, and what CHECKED speaks of: never what a file says of itself."""

import pytest

from pufferproof.claims import registry
from pufferproof.claims.document.module import module_of
from pufferproof.claims.run.results import as_result
from pufferproof.reports.proofs import prove, words
from pufferproof.reports.proofs.pages import claim_views
from pufferproof.verify.proof.smt import Effort

HEAD = """# Statements

use models.framework: Framework
use models.channel: Channel
use models.priors.tables: Table
use general.said: POST_PROCESSING

let EVEN = Table({'a': 1/2, 'b': 1/2})
let SPACE = Framework(['a', 'b'], {'s': ['a'], 't': ['b']}, [('s', 't')], {'even': EVEN})
let COIN = Channel.of({'a': [3/4, 1/4], 'b': [1/4, 3/4]}, ['u', 'v'])
let LAPLACE = {'laplace': {'scale': '1'}}
let NOISE = {'format': 'pufferproof-mechanism/1', 'query': {'a': '0', 'b': '1'}, 'noise': LAPLACE}

family numbers: Numbers from -3 to 3.
  n = below(7) - 3
  give: n

program SQUARE over numbers
  holds (f=0): n ** 2 >= f
  not by one: f = 1

program CUBE over numbers
  holds (f=0): n ** 3 >= f
  not by one: f = 1

family laws: A law of two values, and a whole number from 0 to 20.
  give: n = below(21); p = law(2)

program WHOLE over laws
  holds (f=1): n ** 2 >= f * n and sum(p) <= f and len(p) == 2 * f
  not half: f = 1/2
"""
FALSE = """
## refuting.x | Theorem 1

What the file says.

reading as stated{says}
  false: an instance -- it is false there
  at: {at}
  by: {by}
"""
OTHER = "framework != mechanism"
MECHANISM = "framework = SPACE; mechanism = {}; epsilon = '{}'"


def examined(text, tmp_path, monkeypatch):
    file = tmp_path / "refuting.claims"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(registry, "theorems_of", lambda *_: ())
    try:
        registry.load_extra([file])
        check = registry.examine("refuting.x", effort=Effort(20))
        return check, as_result(check, 0.0)
    finally:
        registry._CLAIMS.pop("refuting.x", None)


@pytest.mark.parametrize(
    ("says", "at", "by", "judge", "said"),
    [
        ("", "n = 1", "n == 1", "author", ""),
        ("", "n = 1", "n == 2", None, ""),
        (" :: CUBE", "n = -1; cube = -1", "n == -1", "program", ""),
        (" :: CUBE", "n = 1", "n == 1", None, "its statement holds there"),
        (" :: CUBE", "m = -1", "m == -1", None, "needs the entries n"),
        (" :: SQUARE", "n = -1", "n == -1", None, "its statement holds there"),
        (" :: WHOLE", "n = 1/2; p = [0, 1]", "n > 0", None, "draws no such instance: n is"),
        (" :: WHOLE", "n = 1; p = [1/2, 1]", "n > 0", None, "no such instance: the sum of p"),
        (" :: WHOLE", "n = 1; p = [1]", "n > 0", None, "no such instance: the length of p"),
        (" :: POST_PROCESSING", "n = 1", "n == 1", None, "needs the entries"),
        ("", MECHANISM.format("COIN", "log(3)"), OTHER, None, "SATISFIES log(3)"),
        ("", MECHANISM.format("COIN", "log(2)"), OTHER, "audit", ""),
        ("", MECHANISM.format("COIN", "log(2)"), "framework == mechanism", None, ""),
        ("", MECHANISM.format("NOISE", "1"), OTHER, None, "SATISFIES 1"),
        ("", MECHANISM.format("NOISE", "0.9"), OTHER, "audit", ""),
        ("", "framework = SPACE; mechanism = COIN", OTHER, "author", ""),
        ("", "framework = 'x'; mechanism = 'y'; epsilon = '1'", OTHER, "author", ""),
    ],
)
def test_a_reading_is_refuted_by_its_statement_an_audit_or_its_author(says, at, by, judge, said, tmp_path, monkeypatch):
    text = HEAD + FALSE.format(says=says, at=at, by=by)
    check, result = examined(text, tmp_path, monkeypatch)
    (step,) = check.readings[0].steps
    assert said in step.detail
    if check.readings[0].trial is not None and check.readings[0].trial.failed is not None:
        assert result["verdict"] == "REFUTED"  # by its trial, whatever the file says
        return
    assert (step.ok, result["refuted_by"]) == (judge is not None, judge)
    assert result["verdict"] == ("OPEN" if judge is None else "REFUTED")
    assert (result["counterexample"] is None) == (judge is None)


def test_what_the_author_says_counts_apart(tmp_path, monkeypatch):
    _, result = examined(HEAD + FALSE.format(says="", at="n = 1", by="n == 1"), tmp_path, monkeypatch)
    result |= {"source": "", "print": None, "symbols": {}}
    (view,) = claim_views([result])
    assert result["trust"] == ["AUTHOR"]
    assert view["badge"]["basis"] == "by the author's expression"
    assert "from the definitions" not in view["said"]
    assert words.tally([result]) == ["refuting: 1 REFUTED by the author's expression"]
    assert prove.summary(result, {})["readings"][0]["refuted_by"] == "author"


@pytest.mark.parametrize(
    ("mechanism", "level", "said"),
    [
        ("COIN", "log(2)", "VIOLATES log(2), leakage log(3) ≈ 1.098612 nats"),
        ("NOISE", "0.9", "VIOLATES 0.9, leakage ≈ 1 nats"),
        ("COIN", "log(2)'; delta = '1/8", "VIOLATES log(2) with delta 1/8, leakage log(3) ≈ 1.098612 nats"),
    ],
)
def test_what_an_audit_says_stands_beside_the_verdict(mechanism, level, said, tmp_path, monkeypatch):
    text = HEAD + FALSE.format(says="", at=MECHANISM.format(mechanism, level), by=OTHER)
    _, result = examined(text, tmp_path, monkeypatch)
    result |= {"source": "", "print": None, "symbols": {}}
    (view,) = claim_views([result])
    assert view["badge"]["basis"] == f"by an audit: {said}"
    assert view["badge"]["style"] == "refuted by-audit"
    assert words.lines([result])[0] == f"REFUTED    refuting.x  (EXACT) by an audit: {said}"
    assert words.tally([result]) == ["refuting: 1 REFUTED"]


FAMILY = """
## refuting.x | Theorem 1

The square of a number is at most nine times the number.

unsaid: each is looked at
reading as stated | {words}
  every: all -- n^2 <= 9 n
  of: {of}
  holds: lambda n: n ** 2 <= 9 * n
  near eight times: lambda n: n ** 2 <= 8 * n and n < 2
"""


@pytest.mark.parametrize(
    ("of", "words", "scope"),
    [
        ("range(10)", "every whole number", "10 members: 0 .. 9; “every whole number”"),
        ("[2]", "all ” frameworks", '1 member: 2; “all " frameworks”'),
        ("[1/2, 7/3]", "two", "2 members: 1/2 .. 7/3; “two”"),
    ],
)
def test_the_scope_of_checked_is_made_from_the_family(of, words, scope, tmp_path, monkeypatch):
    _, result = examined(HEAD + FAMILY.format(of=of, words=words), tmp_path, monkeypatch)
    assert (result["verdict"], result["scope"]) == ("CHECKED", scope)
    assert result["readings"][0]["scope"] == scope


LINKED = """# Definitions

linked ARGUMENT: every mechanism
  given a > 0: the level of the first
  given b > 0: the level of the second
  given c > 0: the slack
  near c: a
  if slack: c <= 1
  let joint = {joint} -- the level of both
  then they add up: {then} by let joint, slack
"""


@pytest.mark.parametrize(
    ("joint", "then"),
    [
        ("a + b - (1 - c)*a*b", "joint <= a + b"),
        ("(a + b)*c", "joint <= a + b"),
        ("a*c + b*c", "joint - a <= b"),
        ("min(a + b, c)", "a + b >= joint"),
    ],
)
def test_a_definition_that_says_the_conclusion_is_refused(joint, then):
    text = LINKED.format(joint=joint, then=then)
    code = compile(module_of(text, "refuting.claims"), "refuting.claims", "exec")
    with pytest.raises(Exception, match='"joint" says the conclusion in other letters'):
        exec(code, {"__name__": "refuting", "__file__": "refuting.claims"})
