"""No mountain: more records never make an answer about a chain much cheaper, counted in calls and not in seconds."""

import sys

import pytest

from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.audit import audit
from pufferproof.verify.noise.largest import NoiseQuestion, one_by_bounds
from pufferproof.verify.noise.ratio.blocks.joint import blocks_leakage

SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
TWO = [["9/10", "1/10"], ["1/5", "4/5"]]
STICKY = [["99/100", "1/100"], ["1/50", "49/50"]]
THREE = [["4/5", "3/20", "1/20"], ["1/5", "7/10", "1/10"], ["1/10", "1/5", "7/10"]]
KINDS = {
    "count": (TWO, "sum", Noise.laplace(10)),
    "slow chain": (STICKY, "sum", Noise.laplace(100)),
    "histogram of two values": (TWO, "histogram", Noise.laplace(10)),
    "sum of three values": (THREE, "sum", Noise.laplace(10)),
    "histogram of three values": (THREE, "histogram", Noise.laplace(9)),
    "geometric noise": (THREE, "histogram", Noise.geometric("9/10")),
}


def question(rows, query, noise, count):
    records = Records(count, ("0", "1", "2")[: len(rows)])
    places = {value: ((count + 1) // 2, value) for value in records.alphabet[:2]}
    framework = Framework.of_records(records, places, "disjoint", {"p": MarkovChain("stationary", rows)})
    return framework, RecordQuery(query, noise, records)


def calls(work):
    """Return how many calls of Python and C work makes: the same in every run."""
    counted = 0

    def count(*event):
        nonlocal counted
        counted += event[1] in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("kind", KINDS)
def test_more_records_are_not_far_cheaper(kind):
    """At most eight times the calls of any larger size."""
    rows, query, noise = KINDS[kind]
    audit(*question(rows, query, noise, 5), "1")  # what a process computes once
    spent = [calls(lambda n=n: audit(*question(rows, query, noise, n), "1")) for n in SIZES]
    assert [n for k, n in enumerate(SIZES) if spent[k] > 8 * min(spent[k:])] == []


@pytest.mark.parametrize("count", [59, 64])
def test_a_histogram_by_bounds_agrees_with_its_law(count):
    framework, query = question(THREE, "histogram", Noise.laplace(9), count)
    asked = NoiseQuestion(framework, NoisyQueries((query,)), Level("1"))
    bounds, blocks = one_by_bounds(asked), blocks_leakage(framework, [query])
    assert bounds.meets
    assert "worst.tilts" in bounds.rests_on(None)
    assert max(bounds.leakage.lower, blocks.leakage.lower) <= min(bounds.leakage.upper, blocks.leakage.upper)
    assert audit(framework, query, "1").leakage == bounds.leakage


def test_a_sum_by_bounds_has_the_digits_of_the_exact_answer(monkeypatch):
    framework, query = question(THREE, "sum", Noise.laplace(10), 200)
    exact = audit(framework, query)
    monkeypatch.setattr("pufferproof.verify.noise.largest._SOON", 10**6)
    found = audit(framework, query)
    assert "bounds that agree to seventeen digits" in found.largest.reason
    assert max(exact.leakage.lower, found.leakage.lower) <= min(exact.leakage.upper, found.leakage.upper)
    ends = [(each.leakage.enclosure().lower[:18], each.leakage.enclosure().upper[:18]) for each in (exact, found)]
    assert ends[0] == ends[1]


def test_a_level_between_bounds_that_meet_is_decided_by_the_exact_law(monkeypatch):
    framework, query = question(THREE, "sum", Noise.laplace(10), 60)
    monkeypatch.setattr("pufferproof.verify.noise.largest._SOON", 1)
    bounds = audit(framework, query).leakage
    between = Level.log((bounds.lower + bounds.upper) / 2)
    assert type(audit(framework, query, between).largest).__name__ == "NoiseLeakage"


def test_an_exact_ratio_stays_exact(monkeypatch):
    framework, query = question(THREE, "sum", Noise.geometric("9/10"), 60)
    monkeypatch.setattr("pufferproof.verify.noise.largest._SOON", 1)
    assert audit(framework, query).leakage.ratio is not None
