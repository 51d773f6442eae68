"""What a reading is that a linked argument shows, at first and from the cache."""

import json

import pytest
from sympy import Eq

from pufferproof.claims import registry
from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.registry import Check
from pufferproof.claims.replay import checked_again
from pufferproof.claims.run.cached import KEPT
from pufferproof.claims.run.results import as_result
from pufferproof.verify.proof.argument import ClaimVerdict

p = letter("p", "a weight", at_least(0))
f = letter("f", "a value of the function")
K = letter("K", "a bound")
M, N = letters("M N", "a weighted sum")


def _mean(less: int = 0) -> Linked:
    mean = Linked("a mean", {"x": "the databases"}, {p: "x", f: "x", K: ""}, near={K: K})
    mean.given("a bound", f <= K)
    mean.sum(M, "x", p * f)
    mean.sum(N, "x", p)
    mean.along("one more", "x", M <= K * N, "a bound")
    return mean.conclude("the mean", M <= K * N - less, "one more")


@pytest.fixture
def examined(monkeypatch):
    """Examine a claim that a linked argument is to show."""
    monkeypatch.setattr(registry, "theorems_of", lambda *_: ())

    def run(argument: object) -> Check:
        registry._CLAIMS.pop("linked.mean", None)

        @registry.claim("linked.mean", where="here", statement="a mean", says=argument)
        def mean(check: Check) -> None:
            """Prove it."""
            check.linked("as printed")

        return registry.examine("linked.mean", 20.0)

    yield run
    registry._CLAIMS.pop("linked.mean", None)


def test_a_reading_is_derived_whose_links_hold_and_whose_program_held(examined):
    check = examined(_mean())
    assert check.weakness is None
    assert check.verdict is ClaimVerdict.DERIVED
    assert "For every x, let p[x] (a weight) be a nonnegative real number" in check.statement
    assert "Here M is the sum over x of p[x]*f[x]" in check.statement
    assert check.readings[0].trial.met >= 1000


def test_a_statement_without_hypotheses_needs_no_instance_at_which_it_is_false(examined):
    sums = Linked("a factor", {"x": "the databases"}, {p: "x", K: ""})
    sums.sum(M, "x", K * p)
    sums.sum(N, "x", p)
    sums.along("one more", "x", Eq(M, K * N))
    check = examined(sums.conclude("the factor", Eq(2 * M, 2 * K * N), "one more"))
    assert (check.verdict, check.weakness) == (ClaimVerdict.DERIVED, None)


def test_a_false_conclusion_is_refuted_by_its_program(examined):
    assert examined(_mean(less=1)).verdict is ClaimVerdict.REFUTED


def test_the_cache_gives_the_verdict_again(examined):
    check = examined(_mean())
    result = json.loads(json.dumps(as_result(check, 1.0)))
    facts = result["readings"][0]["argument"]["facts"]
    assert [each["name"] for each in facts] == ["a bound", "one more", "the mean"]
    assert result["readings"][0]["argument"]["asked"][0]["query"]
    entry = {
        key: [{part: each[part] for part in KEPT} for each in result[key]]
        for key in ("readings", "near_misses")
    }
    assert checked_again(check.claim, entry, 20.0).verdict is ClaimVerdict.DERIVED


def test_what_is_no_linked_argument_is_open(examined):
    from pufferproof.claims.language.statements import Draws, Statement

    def numbers(draws: Draws) -> dict[str, int]:
        """A number from 0 to 9."""
        return {"n": draws.below(10)}

    says = Statement(
        family=numbers,
        holds=lambda n, less=0: n - less >= 0,
        too_strong={"less": {"less": 1}},
        broken=[{"n": -1}],
    )
    check = examined(says)
    assert check.verdict is ClaimVerdict.OPEN
    assert "it needs a linked argument" in str(check.weakness)


def test_a_statement_whose_hypotheses_are_hardly_met_is_open(examined):
    rare = Linked("a rare case", {}, {K: "", f: ""})
    rare.given("one number", Eq(7 * K, 3 + f, evaluate=False))
    rare.given("another", Eq(f, 5 * K + 1, evaluate=False))
    check = examined(rare.conclude("so", Eq(K, 2), "one number", "another"))
    assert check.verdict is ClaimVerdict.OPEN
    assert "the hypotheses hold at" in str(check.weakness)
