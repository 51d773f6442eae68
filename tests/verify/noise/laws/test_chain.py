"""Noisy sums, means and histograms along chains: the same as with every sequence written out."""

from fractions import Fraction
from random import Random

import pytest
from tests import seeds
from tests.verify.noise.sequences import sequence_noise_leakage

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel
from pufferproof.verify.noise.ratio.listed import noise_leakage


def random_row(random, size):
    weights = [random.choice([0, 1, 2, 5]) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def random_prior(random, size, count):
    kind = random.randrange(4)
    if kind == 0:
        return Product([random_row(random, size) for _ in range(count)])
    if kind == 3:
        hidden = random.randint(1, 3)
        moves = [random_row(random, hidden) for _ in range(hidden)]
        return HiddenMarkovModel(random_row(random, hidden), moves, [random_row(random, size) for _ in range(hidden)])
    transition = [random_row(random, size) for _ in range(size)]
    if kind == 1:
        transition = [[(p + Fraction(1, size)) / 2 for p in row] for row in transition]
        return MarkovChain("stationary", transition)
    return MarkovChain(random_row(random, size), transition)


def random_query(random, records):
    name = random.choice(["sum", "mean", "histogram"])
    segment = None
    if random.random() < 0.5:
        first = random.randint(1, records.count)
        segment = (first, random.randint(first, records.count))
    return RecordQuery(name, Noise.laplace(random.choice(["1", "1/2", "1/log(2)"])), records, segment)


@seeds(120)
def test_equal_to_enumeration(seed):
    random = Random(seed)
    alphabet = random.choice([("0", "1"), ("0", "1"), ("-1", "1/2", "3"), ("2", "2.0")])
    records = Records(random.randint(1, 4), alphabet)
    record = random.randint(1, records.count)
    left, right = random.sample(alphabet, 2)
    secrets = {"s": (record, left), "t": (record, right)}
    priors = {f"p{k}": random_prior(random, len(alphabet), records.count) for k in range(random.randint(1, 2))}
    releases = [random_query(random, records) for _ in range(random.randint(1, 2))]
    long = Framework.of_records(records, secrets, [("s", "t")], priors)
    framework = Framework.of_records(records, secrets, [("s", "t")], priors)
    if not any(framework.mass(prior, "s") and framework.mass(prior, "t") for prior in priors):
        with pytest.raises(ModelError, match="nothing to check"):
            sequence_noise_leakage(long, *releases)
        return
    listed = noise_leakage(framework, *[release.written_out() for release in releases])
    found = sequence_noise_leakage(long, *releases)
    assert found.leakage.as_json() == listed.leakage.as_json()
    assert found.scope == listed.scope
    assert found.witness == listed.witness


def test_hidden_states_count_as_work():
    records = Records(2000, ("0", "1"))
    model = HiddenMarkovModel([Fraction(1, 8)] * 8, [[Fraction(1, 8)] * 8] * 8, [["1/2", "1/2"]] * 8)
    framework = Framework.of_records(records, {"zero": (9, "0"), "one": (9, "1")}, "disjoint", {"theta": model})
    with pytest.raises(
        TooLargeError, match="2000 records times 2001 values of the query times 8 hidden states: expected"
    ):
        sequence_noise_leakage(framework, RecordQuery("sum", Noise.laplace(1), records))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda r: RecordQuery("sum", Noise.laplace(1), r, (0, 2)), "segment: expected 1 <= first <= last <= 3"),
        (lambda r: RecordQuery("sum", Noise.laplace(1), r, (3, 2)), "segment: expected 1 <= first <= last <= 3"),
        (lambda r: RecordQuery("median", Noise.laplace(1), r), "query: expected one of"),
        (lambda r: RecordQuery("mean", Noise.geometric("1/2"), r), "geometric noise needs integers, found 1/3"),
    ],
)
def test_bad_queries_are_refused(make, message):
    with pytest.raises(ModelError) as error:
        make(Records(3, ("0", "1")))
    assert message in str(error.value)


def test_polynomials_that_are_too_long_are_refused():
    records = Records(100_000, ("0", "1"))
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    framework = Framework.of_records(records, {"s": (5, "0"), "t": (5, "1")}, [("s", "t")], {"theta": chain})
    with pytest.raises(ModelError, match="100000 records times 100001 values"):
        sequence_noise_leakage(framework, RecordQuery("sum", Noise.laplace(10), records))
