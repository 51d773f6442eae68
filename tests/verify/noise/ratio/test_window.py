"""Bounds from the law of the records nearby: above the exact leakage, and equal to it where the
window holds every record.
"""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from tests import seeds
from tests.verify.noise.laws.test_chain import random_prior, random_query

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.decision import Decision
from pufferproof.verify.noise import largest
from pufferproof.verify.noise.laws import of_records
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio import window
from pufferproof.verify.noise.ratio.bounds import noise_bounds
from pufferproof.verify.noise.ratio.window import Around, with_windows

STICKY = [["9/10", "1/10"], ["1/5", "4/5"]]
NEAR = 1 + Fraction(1, 10**40)


def bits(count, record, prior, first="0", second="1"):
    records = Records(count, ("0", "1"))
    secrets = {"zero": (record, first), "one": (record, second)}
    return Framework.of_records(records, secrets, "disjoint", {"theta": prior})


@seeds(120)
def test_windows_of_every_width_are_above_the_exact_leakage(seed, monkeypatch):
    """Random chains, hidden ones and independent records, of one to seven records."""
    random = Random(seed)
    alphabet = random.choice([("0", "1"), ("0", "1"), ("-1", "1/2", "3")])
    records = Records(random.randint(1, 7 if len(alphabet) == 2 else 5), alphabet)
    record = random.randint(1, records.count)
    secrets = {f"x={value}": (record, value) for value in alphabet}
    prior = random_prior(random, len(alphabet), records.count)
    releases = [random_query(random, records) for _ in range(random.randint(1, 2))]
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": prior})
    try:
        exact = audit(framework, releases).leakage
    except ModelError:
        return
    around = Around(framework, "theta", releases)
    ((place, values),) = around.compared()
    for width in range(1, records.count + 1):
        found = around._window(place, values, width)
        with monkeypatch.context() as patch:
            patch.setattr(window, "_FEW_CELLS", 0)
            patch.setattr(window, "_FEW_LEFT", 10**6)
            assert (around._window(place, values, width) is None) == (found is None)
            if found is not None:
                filtered = around._window(place, values, width)
                assert found.upper <= filtered.upper * NEAR
                assert filtered.upper <= found.upper * NEAR
        assert found is None or exact.lower <= found.upper
    assert found.upper <= exact.upper * NEAR


@seeds(80)
def test_joint_releases_are_between_bounds_around_what_they_leak_exactly(seed, monkeypatch):
    """Of one to five records; what is said of their sum is not contradicted."""
    random = Random(seed)
    alphabet = random.choice([("0", "1"), ("-1", "1/2", "3")])
    records = Records(random.randint(1, 5 if len(alphabet) == 2 else 4), alphabet)
    record = random.randint(1, records.count)
    secrets = {f"x={value}": (record, value) for value in alphabet}
    prior = random_prior(random, len(alphabet), records.count)
    releases = [random_query(random, records) for _ in range(random.randint(1, 2))]
    framework, runs = Framework.of_records(records, secrets, "disjoint", {"theta": prior}), seed % 3
    try:
        exact = compose(framework, releases, runs + 1)
        assert compose(framework, releases, runs + 1) == exact
        monkeypatch.setattr(of_records, "MAX_WORK", 0)
        bounded = compose(framework, releases, runs + 1)
    except ModelError:
        return
    both = [(exact.joint, bounded.joint), *zip(exact.single, bounded.single, strict=True)]
    for one, other in both:
        assert other.leakage.lower <= one.leakage.upper * NEAR
        assert other.leakage.upper is None or one.leakage.lower <= other.leakage.upper * NEAR
    assert len(bounded.outputs) == len(bounded.releases)
    assert bounded.additive in (exact.additive, Decision.UNDECIDED)


def test_too_many_bits_are_refused_before_they_are_written():
    framework = bits(100_000, 50_000, MarkovChain("stationary", STICKY))
    far = RecordQuery("sum", Noise.laplace(20), framework.records, (1, 60))
    with pytest.raises(TooLargeError, match=r"expected at most [0-9]+ records, or fewer bits"):
        queries_leakage(framework, NoisyQueries((far,)))
    assert audit(framework, far).leakage.upper < 1 + Fraction(1, 10**12)


@pytest.mark.parametrize(("query", "bits_written", "digits"), [("sum", 33, 15), ("mean", 28, 8)])
def test_a_million_records_leak_as_a_thousand_do(query, bits_written, digits, monkeypatch):
    """To 15 digits, where noise is as large beside what a record adds."""
    monkeypatch.setattr(window, "MOST_BITS", 1 << bits_written)
    leakages, close = [], Fraction(1, 10**digits)
    for count in (1000, 10**6):
        framework = bits(count, count // 2, MarkovChain("stationary", STICKY))
        scale = Fraction(10, count) if query == "mean" else 10
        noisy = RecordQuery(query, Noise.laplace(scale), framework.records)
        leakages.append(audit(framework, noisy).leakage)
    short, long = leakages
    assert long.lower < long.upper < long.lower * (1 + close)
    assert short.upper / long.upper - 1 < close
    assert long.lower / short.lower - 1 < close


@pytest.mark.parametrize("segment", [(5, 12), (1, 12), (5, 20)])
def test_windows_that_are_shared_are_those_of_each_record_alone(segment, monkeypatch):
    """Also at the ends of a segment, and right beside them: those far away see it otherwise."""
    records = Records(20, ("0", "1"))
    secrets = {f"x{i}={v}": (i, v) for i in range(1, 21) for v in "01"}
    prior = MarkovChain("stationary", STICKY)
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": prior})
    around = Around(framework, "theta", [RecordQuery("sum", Noise.laplace(5), records, segment)])
    monkeypatch.setattr(window, "_WIDEST", 2)
    alone = {place: around.window(place, (0, 1), 1) for place in range(1, 21)}
    for place, other in combinations(alone, 2):
        if around.key(place, (0, 1)) == around.key(other, (0, 1)):
            assert alone[place].moved(other) == alone[other]
    assert len({around.key(place, (0, 1)) for place in alone}) < 20


def test_verdicts_and_what_is_said(save, run, monkeypatch):
    monkeypatch.setattr(window, "MOST_BITS", 1 << 28)
    monkeypatch.setattr(largest, "with_tilts", lambda framework, queries, bounds: bounds)
    save(
        "f.json",
        {
            "format": "pufferproof-framework/1",
            "records": {"count": 10**6, "alphabet": ["0", "1"]},
            "secrets": {v: {"record": 500_000, "value": v} for v in "01"},
            "pairs": "disjoint",
            "priors": {"theta": {"markov": {"initial": "stationary", "transition": STICKY}}},
        },
    )
    noise = {"laplace": {"scale": "10"}}
    save("m.json", {"format": "pufferproof-mechanism/1", "query": "sum", "noise": noise})
    for level, code in (("0.5864981", 1), ("0.586498111", 3), ("0.5864982", 0)):
        assert run("audit", "f.json", "m.json", "--epsilon", level)[0] == code
    out = run("audit", "f.json", "m.json")[1].splitlines()
    assert out[1].startswith('at most   record 500000, prior "theta", from the distribution of ')


def test_windows_do_not_decide_what_lies_between():
    """A chain that forgets slowly has a gap between its bounds, and a level in it is undecided."""
    slow = [["999/1000", "1/1000"], ["1/500", "499/500"]]
    framework = bits(10**6, 500_000, MarkovChain("stationary", slow))
    query = RecordQuery("sum", Noise.laplace(1000), framework.records)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window, "MOST_BITS", 1 << 24)
        known = noise_bounds(framework, query)
        found = with_windows(framework, [query], known)
    assert known.leakage.lower == found.leakage.lower
    assert found.leakage.upper <= known.leakage.upper
    between = (found.leakage.lower + found.leakage.upper) / 2
    assert found.compare(Level.log(between)) is None
