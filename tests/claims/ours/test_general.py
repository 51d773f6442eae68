"""The lemmas and general laws, and claims on normal records."""

from fractions import Fraction
from math import exp

import pytest
from tests.brute import definitions as brute
from tests.claims.examination import examined

from pufferproof import audit
from pufferproof.claims.registry import Check, load_claims

# The lemmas and general laws: what must be settled, near misses, and counterexamples judged by a
# second program.
#
# The verdicts themselves are recorded elsewhere, by the engine. Here: nothing is open, every proof
# has a near miss that fails, and every refutation is re-evaluated from the definitions in `brute`,
# which shares no code with the claims.


CLAIMS = [name for name in load_claims() if name.startswith(("lemma.", "general."))]


def counterexamples(check: Check):
    return [reading.evidence for reading in check.readings if reading.evidence]


@pytest.mark.claims
@pytest.mark.parametrize("name", CLAIMS)
def test_counterexamples_can_be_audited_and_brute_force_agrees_on_the_violation(name: str) -> None:
    for evidence in counterexamples(examined(name)):
        framework, mechanism = evidence["framework"], evidence["mechanism"]
        found = audit(framework, mechanism, epsilon=evidence["epsilon"])
        assert found.verdict.value == "VIOLATES"
        if framework.closure == "list":
            expected, _ = brute.leakage(framework, mechanism)
            assert found.leakage.ratio == expected


@pytest.mark.claims
def test_group_privacy_fails_without_the_tables_on_the_way() -> None:
    for evidence in counterexamples(examined("general.group-privacy")):
        rows = {
            x: [evidence["mechanism"].probability(x, y) for y in "uv"]
            for x in evidence["tables of U"]
        }
        level = Fraction({"log(1)": 1, "log(2)": 2}[evidence["epsilon for one entry"]])
        pairs = [(x, z, sum(a != b for a, b in zip(x, z))) for x in rows for z in rows]
        assert all(a <= level * b for x, z, k in pairs if k == 1 for a, b in zip(rows[x], rows[z]))
        assert any(
            a > level**k * b for x, z, k in pairs if k >= 1 for a, b in zip(rows[x], rows[z])
        )


@pytest.mark.claims
def test_one_order_of_pairs_bounds_the_odds_on_one_side_only() -> None:
    (evidence,) = counterexamples(examined("general.bayes-form-one-order"))
    ratios = list(
        brute.ratios(
            evidence["framework"], evidence["mechanism"], {"s": Fraction(1, 2), "t": Fraction(1, 2)}
        )
    )
    assert all(a <= evidence["e^epsilon"] * b for pair, _, a, b in ratios if pair == ("s", "t"))
    assert any(a > evidence["e^epsilon"] * b for pair, _, a, b in ratios if pair == ("t", "s"))


# Why claims on normal records need what they ask for, by densities of our own.


def _normal(z, mean):
    return exp(-((z - mean) ** 2) / 2)


def test_under_a_mixture_of_two_normal_laws_the_ratio_of_two_values_falls_and_rises():
    ratios = [
        (_normal(z, 1) + _normal(z, -2)) / (_normal(z, 0) + _normal(z, 0)) for z in (-3, 0, 3)
    ]
    assert ratios[0] > ratios[1] < ratios[2]


def test_between_windows_that_interleave_the_ratio_falls_and_rises():
    ratios = [(_normal(z, -2) + _normal(z, 2)) / _normal(z, 0) for z in (-3, 0, 3)]
    assert ratios[0] > ratios[1] < ratios[2]
