"""A window bounds the delta of a noisy query, and the ends of a query tell an infinite leakage."""

from fractions import Fraction

import pytest

import pufferproof as pp
from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.records import Records
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness
from pufferproof.verify.noise.classes.bounds import EndRatio
from pufferproof.verify.noise.integrals.delta.smallest import DeltaQuestion, by_largest_ratio, enclosure_of, noise_delta
from pufferproof.verify.noise.largest import unbounded
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.bounds import noise_bounds
from pufferproof.verify.noise.ratio.window import Around, DeltaWindows

STICKY = [["9/10", "1/10"], ["1/5", "4/5"]]
CHAINS = {
    "stationary": pp.MarkovChain("stationary", STICKY),
    "from a value": pp.MarkovChain(["1", "0"], STICKY),
    "never back": pp.MarkovChain(["1/2", "1/2"], [["1/2", "1/2"], ["0", "1"]]),
    "in turn": pp.MarkovChain(["1/3", "2/3"], [["0", "1"], ["1", "0"]]),
    "independent": pp.Product([["1/3", "2/3"]] * 7),
    "hidden": pp.HiddenMarkovModel("stationary", STICKY, [["3/4", "1/4"], ["1/8", "7/8"]]),
}
NOISES = {"laplace": Noise.laplace(2), "geometric": Noise.geometric("3/5"), "gaussian": Noise.gaussian("3/2")}


def framework_of(prior, record=4, count=7):
    secrets = {f"x={value}": (record, value) for value in "01"}
    return pp.Framework.of_records(Records(count, ("0", "1")), secrets, [("x=0", "x=1")], {"theta": prior})


def exact(framework, mechanism, level):
    """The delta by the laws of all records."""
    laws = query_laws(framework, mechanism)
    return [enclosure_of(pair, laws.noises, level)(256) for pair in laws.pairs]


def bounds(framework, mechanism, level, width):
    around = {name: Around(framework, name, list(mechanism.queries)) for name in framework.priors}
    found = DeltaWindows(around, framework, width).pairs()
    return [
        sum(enclosure_of(part, (mechanism.queries[0].noise,), level)(256).upper for _, part in parts)
        for _, _, parts in found
    ]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("name", CHAINS)
def test_a_window_bounds_the_delta_and_all_records_give_it(name, noise):
    framework = framework_of(CHAINS[name])
    for segment in (None, (3, 6), (6, 7)):
        query = RecordQuery("sum", NOISES[noise], framework.records, segment)
        mechanism = NoisyQueries((query,))
        for level in (Level("0"), Level("0.1"), Level.log(2)):
            pairs = exact(framework, mechanism, level)
            truth = max(region.lower for region in pairs)
            for width in (1, 2, 3):
                assert max(bounds(framework, mechanism, level, width)) >= truth
            if name == "independent":
                continue
            whole = max(bounds(framework, mechanism, level, 7))
            assert 0 <= whole - truth <= Fraction(1, 10**15) + truth / 10**12


def test_a_long_sum_keeps_a_delta_by_a_window():
    framework = framework_of(CHAINS["stationary"], 5_000, 10**6)
    mechanism = NoisyQueries((RecordQuery("sum", Noise.gaussian(4), framework.records),))
    found = pp.audit(framework, mechanism, "1", delta="1/100000")
    assert found.verdict.value == "SATISFIES"
    assert found.leakage.infinite
    assert "CITED(noise.window-delta)" in found.trust
    closer = pp.audit(framework, mechanism, "1", delta="1/10000000")
    assert closer.verdict.value == "UNDECIDED"


@pytest.mark.parametrize("level", ["0.5", "1"])
def test_a_delta_by_the_largest_ratio_names_what_that_rests_on_once(level):
    framework = framework_of(CHAINS["stationary"])
    mechanism = NoisyQueries((RecordQuery("sum", Noise.laplace(2), framework.records),))
    between = Leakage(Fraction(2), Fraction(4))
    witness, scope = Witness("theta", ("x=0", "x=1"), "0"), Scope(2, 0, ())
    in_words = EndRatio(between, witness, scope)
    delta = by_largest_ratio(DeltaQuestion(framework, mechanism, Level(level), in_words))
    assert delta.trust(in_words) == ("INTERVAL", "PROSE")
    bounds = noise_bounds(framework, *mechanism.queries)
    delta = by_largest_ratio(DeltaQuestion(framework, mechanism, Level(level), bounds))
    cited = bounds.theorems.trust
    assert cited
    assert delta.trust(bounds) == ("INTERVAL", *cited)


def test_a_delta_that_no_window_bounds_is_refused():
    start = pp.MarkovChain(["1", "0"], STICKY)  # far from its start, its laws are long fractions
    framework = framework_of(start, 50_000, 10**6)
    mechanism = NoisyQueries((RecordQuery("sum", Noise.gaussian(4), framework.records),))
    with pytest.raises(TooLargeError):
        pp.audit(framework, mechanism, "1", delta="1/100")


def test_the_delta_of_a_long_histogram_is_bounded_by_its_largest_ratio():
    framework = framework_of(CHAINS["stationary"])
    mechanism = NoisyQueries((RecordQuery("histogram", Noise.laplace(2), framework.records),))
    audit = pp.audit(framework, mechanism)
    for level in (Level("0"), Level("0.1"), Level.log(2)):
        bound = by_largest_ratio(DeltaQuestion(framework, mechanism, level, audit.largest))
        exact = noise_delta(framework, mechanism, level, audit.largest)
        assert exact.bounds()[0] <= bound.bounds()[1] < 1
    records = Records(40, ("0", "1", "2", "3"))
    rows = [["1/2" if x == y else "1/6" for y in range(4)] for x in range(4)]
    prior = pp.MarkovChain("stationary", rows)
    long = pp.Framework.of_records(records, {"s": (20, "0"), "t": (20, "3")}, [("s", "t")], {"theta": prior})
    query = RecordQuery("histogram", Noise.laplace(8), records)
    found = pp.audit(long, query, Level("1/2"), delta="3/5")
    assert found.verdict.value == "SATISFIES"
    assert "worst.tilts" in found.rests_on
    assert pp.audit(long, query, Level("1/10"), delta="0").verdict.value == "UNDECIDED"


@pytest.mark.parametrize("name", ["stationary", "from a value", "never back", "in turn"])
def test_the_ends_of_a_query_tell_an_infinite_leakage(name):
    for record in (1, 3, 7):
        for segment in (None, (1, 2), (4, 6), (7, 7)):
            for weights in ("01", ("0", "-1"), ("2", "5")):
                records = Records(7, tuple(weights))
                places = {f"x={v}": (record, v) for v in records.alphabet}
                own = pp.Framework.of_records(records, places, [tuple(places)], {"theta": CHAINS[name]})
                query = RecordQuery("sum", Noise.gaussian(1), records, segment)
                mechanism = NoisyQueries((query,))
                try:
                    pairs = query_laws(own, mechanism).pairs
                except pp.ModelError:
                    continue
                if not pairs:
                    with pytest.raises(pp.ModelError):
                        unbounded(own, mechanism)
                    continue
                apart = any(side(pair.above) != side(pair.below) for pair in pairs for side in (min, max))
                assert (unbounded(own, mechanism) is not None) == apart


def test_the_delta_of_a_short_sum_is_not_bounded_by_a_window():
    framework = framework_of(CHAINS["stationary"])
    mechanism = NoisyQueries((RecordQuery("sum", Noise.laplace(2), framework.records),))
    largest = pp.audit(framework, mechanism).largest
    assert noise_delta(framework, mechanism, Level("0.1"), largest).bounds()[0] > 0
