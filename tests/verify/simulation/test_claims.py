"""Bounds of delta, rho and mu of samplers are right as often as they say, and near exact ones."""

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr
from tests.verify.simulation.fixed import claimed

import pufferproof as pp
from pufferproof.models.errors import ModelError
from pufferproof.verify.simulation.estimation.bets import (
    DeltaClaim,
    GdpClaim,
    ZcdpClaim,
    claim_of,
    counted,
    placed,
    reaches,
    value_approx,
)

RISK = Fraction(1, 20)
TWO = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": pp.Table({"a": "1/2", "b": "1/2"})})
EVENTS = [(0.3, 0.1), (0.03, 0.003), (0.9, 0.5), (0.999, 0.6), (0.5, 0.49)]
CLAIMS = {
    "delta": DeltaClaim(pp.Level("1/4"), Fraction(1, 10)),
    "even": DeltaClaim(pp.Level("0"), Fraction(1, 10)),
    "zcdp": ZcdpClaim(Fraction(1, 10)),
    "gdp": GdpClaim(Fraction(1, 2)),
}


def gauss(database, size, rng):
    return (database == "a") + rng.normal(0, 1, size)


def renyi(p, q, alpha):
    """The divergence of an event's two probabilities."""
    return math.log(p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)) / (alpha - 1)


def keeps(claim, p, q):
    """Whether an event keeps a claim, by the definition."""
    value = float(claim.value)
    if claim.kind == "delta":
        return p <= math.exp(float(claim.level.enclosure().lower)) * q + value
    if claim.kind == "gdp":
        return p <= ndtr(value + _quantile(q))
    return all(renyi(p, q, 1 + k / 50) <= value * (1 + k / 50) for k in range(1, 3000))


def _quantile(q):
    from scipy.special import ndtri

    return ndtri(q)


GRID = [k / 40 for k in range(1, 40)]


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("event", EVENTS)
def test_tangents_hold_for_every_event_that_keeps_the_claim(name, event):
    claim = CLAIMS[name]
    tangent = claim.tangent(claim.place(*event), claim.value)
    close = claim.tangent_approx(claim.place(*event), float(claim.value))
    assert close == pytest.approx((float(tangent.rate), float(tangent.slack)), rel=1e-6, abs=1e-9)
    kept = [pair for pair in itertools.product(GRID, repeat=2) if keeps(claim, *pair)]
    assert len(kept) > 500
    for p, q in kept:
        assert p <= float(tangent.rate) * q + float(tangent.slack) + 1e-12


def test_the_tangent_through_an_event_of_the_claim_is_tight():
    for kind in ["zcdp", "gdp"]:
        for event in EVENTS[:3]:
            value = float(CLAIMS[kind].shown_approx(*event))
            claim = type(CLAIMS[kind])(Fraction(value))
            tangent = claim.tangent(claim.place(*event), claim.value)
            assert event[0] == pytest.approx(float(tangent.rate) * event[1] + float(tangent.slack), abs=1e-6)


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("event", EVENTS)
def test_bets_do_not_grow_on_average_if_the_claim_holds(name, event):
    claim = CLAIMS[name]
    bets = placed(claim, event, 400, 2000, RISK)
    assert 0 < sum(bet.part for bet in bets) <= 1
    for bet in bets:
        tangent = claim.tangent(bet.place, claim.value)
        factors = bet.factors(tangent)
        if min(factors) <= 0:
            continue
        for q in (Fraction(k, 16) for k in range(17)):
            p = min(Fraction(1), tangent.rate * q + tangent.slack)
            mean = p * factors[0] + (1 - p) * factors[1] + q * factors[2] + (1 - q) * factors[3]
            assert mean <= 2


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_refuted_falls_in_the_value_and_lost_calls_gain_nothing(name):
    claim = CLAIMS[name]
    bets = placed(claim, (0.4, 0.1), 400, 2000, RISK)
    counts = counted((420, 100), (1000, 1000), 0)
    bound = value_approx(claim, bets, counts, RISK)
    exact = [reaches(claim, bets, Fraction(bound) * Fraction(k, 10), counts, 1 / RISK) for k in range(1, 16)]
    assert exact == [True] * 9 + [exact[9]] + [False] * 5
    for more in itertools.product((0, 1), repeat=2):
        known = counted((420 + more[0], 100 + more[1]), (1001, 1001), 0)
        assert value_approx(claim, bets, (*counts[:4], 2), RISK) <= value_approx(claim, bets, known, RISK)


@pytest.mark.parametrize(
    ("claim", "event"),
    [
        (DeltaClaim(pp.Level("1"), Fraction("0.12")), (0.12 + math.e * 0.05, 0.05)),
        (DeltaClaim(pp.Level("1"), Fraction("0.01")), (0.01, 0.0)),
        (GdpClaim(Fraction(1)), (float(ndtr(0.0)), float(ndtr(-1.0)))),
        (ZcdpClaim(Fraction(1, 4)), None),
    ],
)
def test_claims_that_just_hold_are_refuted_no_more_often_than_stated(claim, event):
    """60 runs of 4,000 calls, a look at every doubling: more than 10 refutations have probability
    below 1/1000 if each has 1/20.
    """
    p, q = event or _tight(claim, 0.1)
    rng = np.random.default_rng(7)
    wrong = 0
    for _ in range(60):
        shares = rng.binomial(1000, p) / 1000, rng.binomial(1000, q) / 1000
        bets = placed(claim, shares, 1000, 4000, RISK)
        counts, size = np.zeros(5, dtype=int), 64
        while counts.sum() < 4000:
            first = rng.binomial(size, 0.5)
            one, other = rng.binomial(first, p), rng.binomial(size - first, q)
            counts += np.array([one, first - one, other, size - first - other, 0])
            size = int(counts.sum())
            if value_approx(claim, bets, tuple(map(int, counts)), RISK) >= float(claim.value):
                wrong += 1
                break
    assert wrong <= 10


def _tight(claim, q):
    """The largest probability beside q with which an event keeps a claim."""
    return max(k / 1e4 for k in range(1, 10_000) if claim.shown_approx(k / 1e4, q) <= claim.value), q


# Samplers


@pytest.mark.parametrize(
    ("claims", "exact", "least"),
    [
        ({"epsilon": "1", "delta": "0.5"}, float(ndtr(-0.5) - math.e * ndtr(-1.5)), 0.8),
        ({"gdp": "2"}, 1.0, 0.9),
        ({"zcdp": "1"}, 0.5, 0.4),
    ],
)
def test_bounds_of_gaussian_noise_are_below_what_is_exact_and_near(claims, exact, least):
    found = claimed(TWO, gauss, independent_draws=True, samples=100_000, seed=3, **claims)
    assert least * exact < float(found.value) < exact
    assert found.verdict.value == "UNDECIDED"
    assert found.ratio == 1


@pytest.mark.parametrize("claims", [{"epsilon": "1", "delta": "0.1"}, {"gdp": "0.8"}, {"zcdp": "1/5"}])
def test_claims_that_are_too_small_are_refuted(claims):
    found = claimed(TWO, gauss, independent_draws=True, samples=60_000, seed=3, **claims)
    assert found.verdict.value == "VIOLATES"
    assert found.stopped == "violated"
    assert found.value >= found.claim.value


@pytest.mark.parametrize("claims", [{"epsilon": "1", "delta": "0.127"}, {"gdp": "1"}, {"zcdp": "1/2"}])
def test_claims_that_hold_stay_undecided(claims):
    verdicts = {
        claimed(TWO, gauss, independent_draws=True, samples=20_000, seed=seed, **claims).verdict for seed in range(10)
    }
    assert {verdict.value for verdict in verdicts} == {"UNDECIDED"}


def test_a_run_against_a_claim_is_resumed_and_not_against_another(tmp_path):
    path = str(tmp_path / "run.json")
    claims = {"epsilon": "1", "delta": "0.5", "independent_draws": True, "resume": path}
    first = claimed(TWO, gauss, samples=4000, **claims)
    more = claimed(TWO, gauss, samples=40_000, **claims)
    assert more.value >= first.value
    assert more.samples == 40_000
    with pytest.raises(ModelError, match="is about another run"):
        claimed(TWO, gauss, samples=4000, **claims | {"delta": "0.4"})
    document = json.loads((tmp_path / "run.json").read_text("utf-8"))
    document["bets"][0] *= 2
    (tmp_path / "run.json").write_text(json.dumps(document), "utf-8")
    with pytest.raises(ModelError, match="parts of at most 1"):
        claimed(TWO, gauss, samples=50_000, trust_store=True, **claims)


def test_what_cannot_be_claimed_is_refused():
    for claims, said in [
        ((None, "0.1", None, None), "delta: needs epsilon as well"),
        ((None, None, "1", "1"), "zcdp: goes alone"),
        ((pp.Level("1"), None, "1", None), "zcdp: goes alone"),
        ((pp.Level("1"), "2", None, None), "delta: expected a probability, found 2"),
        ((None, None, "-1", None), "zcdp: expected a number from 0"),
        ((None, None, None, "x"), "gdp: expected a number"),
    ]:
        with pytest.raises(ModelError, match=said):
            claim_of(*claims)
