"""Scales c / (epsilon - e), Lipschitz constants, the Wasserstein mechanism and smallest scales,
against their definitions.
"""

from fractions import Fraction
from itertools import product
from math import isclose, log
from random import Random

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.distance import line_distance, vector_distance
from pufferproof.models.noise.records import RecordQuery, lipschitz_of_records, lipschitz_of_table
from pufferproof.models.noise.scale import quotient
from pufferproof.models.noise.wasserstein import wasserstein_mechanism
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.quilts.exact import markov_quilt
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, table_laws
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.ratio.listed import largest_ratio, noise_leakage
from pufferproof.verify.noise.scale.calibration import LaplaceLevel, leakage_at, smallest_scale

ANY = Noise.laplace(1)
WIDTH = Fraction(1, 10**10)


@pytest.mark.parametrize("level", ["1", "1/3", "7/2"])
def test_scales_are_quotients(level):
    epsilon = Fraction(level)
    for ratio in (Fraction(1), Fraction(6, 5), Fraction(13, 10)):
        found = quotient(Fraction(7, 2), Level.of_nats(epsilon), Bounds(ratio, ratio))
        assert found.lower <= found.upper <= found.lower * (1 + Fraction(1, 2**60))
        assert isclose(found.lower, 3.5 / (float(epsilon) - log(ratio)), rel_tol=1e-12)
    wide = quotient(Fraction(1), Level.of_nats(epsilon), Bounds(Fraction(1), Fraction(6, 5)))
    assert wide.lower == 1 / epsilon < wide.upper


def test_scales_at_the_level_itself_are_infinite():
    for ratio in (2, 3):
        assert quotient(Fraction(1), Level.log(2), Bounds(Fraction(ratio), Fraction(ratio))).infinite
    assert quotient(Fraction(1), Level.log(2), Bounds(None, None)).infinite
    half_known = quotient(Fraction(1), Level.log(2), Bounds(Fraction(3, 2), Fraction(3)))
    assert half_known.infinite
    assert isclose(half_known.lower, 1 / log(4 / 3))
    assert quotient(Fraction(0), Level.log(1)).text == "0"
    assert quotient(Fraction(1), Level.log(1)).infinite


def test_written_scales_are_read_back_as_noise():
    found = quotient(Fraction(3, 2), Level.log(6), Bounds(Fraction(3, 2), Fraction(3, 2)))
    assert found.text == "3/2/log(4)"
    assert Noise.laplace(found.text).decay.to(Fraction(3, 2)).split()[0] == Fraction(1, 4)


def brute_lipschitz(values, records):
    rows = list(product(records.alphabet, repeat=records.count))
    vectors = dict(zip(rows, values.values()))
    return max(
        sum(abs(a - b) for a, b in zip(vectors[x], vectors[y]))
        for x, y in product(rows, repeat=2)
        if sum(a != b for a, b in zip(x, y)) <= 1
    )


@pytest.mark.parametrize("alphabet", [("0", "1"), ("-1", "1/2", "4")])
def test_lipschitz_constants(alphabet):
    random, records = Random(1), Records(3, alphabet)
    for query in ("sum", "mean", "histogram"):
        table = AdditiveNoise.of_records(query, records, ANY)
        expected = brute_lipschitz(table.values, records)
        assert lipschitz_of_table(table, records) == lipschitz_of_records(RecordQuery(query, ANY, records)) == expected
    for size in (1, 2):
        values = {label: [random.randint(0, 9) for _ in range(size)] for label in records.labels()}
        table = AdditiveNoise(values, ANY)
        assert lipschitz_of_table(table, records) == brute_lipschitz(table.values, records)


def test_wasserstein_is_the_largest_distance_over_priors_and_pairs():
    random, labels = Random(2), "abcdef"
    for size in (1, 2, 3):
        weights = [[random.randint(1, 5) for _ in labels] for _ in range(2)]
        priors = {
            f"p{n}": Table({x: Fraction(w, sum(row)) for x, w in zip(labels, row)}) for n, row in enumerate(weights)
        }
        secrets = {"s": ["a", "b"], "t": ["c", "d"], "u": ["e", "f"]}
        framework = Framework(labels, secrets, "disjoint", priors)
        query = AdditiveNoise({x: [random.randint(0, 4) for _ in range(size)] for x in labels}, ANY)
        found = wasserstein_mechanism(framework, query, Level.of_nats(3))
        distances = {
            (prior, pair): vector_distance(*(query.law(framework, prior, name) for name in pair))
            for prior in priors
            for pair in framework.pairs
        }
        assert found.distance == max(distances.values()) == distances[found.prior, found.pair]
        assert (found.scale.lower, found.compared) == (found.distance / 3, 6)
        noisy = AdditiveNoise(query.values, Noise.laplace(found.scale.upper))
        assert noise_leakage(framework, noisy).compare(Level.of_nats(3)) <= 0


def test_histograms_of_two_values_are_on_a_line():
    records = Records(4, ("0", "1"))
    chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/3", "2/3"]])
    framework = Framework.of_records(records, {"s": (2, "0"), "t": (2, "1")}, "disjoint", {"theta": chain})
    total, both = (AdditiveNoise.of_records(name, records, ANY) for name in ("sum", "histogram"))
    laws = [[query.law(framework, "theta", name) for name in "st"] for query in (total, both)]
    line = line_distance(*({vector[0]: p for vector, p in law.items()} for law in laws[0]))
    assert wasserstein_mechanism(framework, both, Level.of_nats(1)).distance == vector_distance(*laws[1]) == 2 * line


def test_impossible_pairs_are_left_out():
    framework = Framework("ab", {"s": ["a"], "t": ["b"]}, "disjoint", {"theta": Table({"a": 1})})
    with pytest.raises(ModelError, match="nothing to compare"):
        wasserstein_mechanism(framework, AdditiveNoise({"a": 0, "b": 1}, ANY), Level.of_nats(1))


def test_no_scale_is_enough_where_nothing_is_checked():
    framework = Framework("ab", {"s": ["a"], "t": ["b"]}, "disjoint", {"theta": Table({"a": 1})})
    laws = table_laws(framework, [AdditiveNoise({"a": 0, "b": 1}, ANY)])
    with pytest.raises(ModelError, match="nothing to check"):
        smallest_scale(laws, Level.of_nats(1))


def coin(p, q):
    theta = Table({"a": "1/4", "b": "1/4", "c": p, "d": q})
    return Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, "disjoint", {"theta": theta})


def test_no_noise_is_needed_for_what_leaks_little():
    values = {"a": 0, "b": 1, "c": 0, "d": 1}
    for framework, level, expected in ((coin("1/4", "1/4"), "log(1)", 1), (coin("1/8", "3/8"), "log(2)", 2)):
        laws = table_laws(framework, [AdditiveNoise(values, ANY)])
        assert leakage_at(laws, Fraction(0)).ratio == expected
        assert smallest_scale(laws, Level.parse(level)) == (0, 0)


def test_smallest_scale_of_a_bit_is_the_textbook_one():
    laws = table_laws(coin("1/4", "1/4"), [AdditiveNoise({"a": 0, "b": 0, "c": 1, "d": 1}, ANY)])
    assert leakage_at(laws, Fraction(0)).infinite
    for start in (Fraction(1, 1000), Fraction(1), Fraction(1000)):
        low, high = smallest_scale(laws, Level.of_nats(2), start)
        assert low < Fraction(1, 2) <= high <= low * (1 + WIDTH)


def compared(laws, scale, level):
    """The sign of the leakage minus the level, by the exact leakage itself: the slow way to
    answer `exceeds`.
    """
    return largest_ratio([Noise.laplace(scale)] * len(laws.noises), laws.pairs).compare(level)


def bisected(laws, level, low, high):
    """The least scale by exact leakages alone, from a scale that exceeds the level and one that
    does not.
    """
    while high - low > WIDTH * low:
        middle = (low + high) / 2
        low, high = (middle, high) if compared(laws, middle, level) > 0 else (low, middle)
    return low, high


def random_laws(seed):
    """Two secrets and a third under two priors, of a query with one or two coordinates."""
    random, labels = Random(seed), "abcdef"
    weights = [[random.randint(1, 9) for _ in labels] for _ in range(2)]
    priors = {f"p{n}": Table({x: Fraction(w, sum(row)) for x, w in zip(labels, row)}) for n, row in enumerate(weights)}
    framework = Framework(labels, {"s": ["a", "b"], "t": ["c", "d"], "u": ["e", "f"]}, "disjoint", priors)
    values = {
        x: [Fraction(random.randint(-6, 6), random.choice((1, 2, 3))) for _ in range(1 + seed % 2)] for x in labels
    }
    return table_laws(framework, [AdditiveNoise(values, ANY)])


def chain_laws(
    query, count=6, alphabet=("0", "1"), step=((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 5), Fraction(4, 5)))
):
    records = Records(count, alphabet)
    secrets = {f"x{t}={v}": (t, v) for t in (1, count // 2) for v in alphabet}
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": MarkovChain("stationary", step)})
    return sequence_laws(framework, [RecordQuery(query, ANY, records)])


THIRDS = [["1/2", "1/4", "1/4"], ["1/3", "1/2", "1/6"], ["1/5", "1/5", "3/5"]]
LAWS = {
    **{f"table {seed}": random_laws(seed) for seed in range(4)},
    "sum": chain_laws("sum", 9),
    "mean": chain_laws("mean"),
    "histogram": chain_laws("histogram"),
    "three values": chain_laws("histogram", 3, ("a", "b", "c"), THIRDS),
}


@pytest.mark.parametrize("level", ["log(2)", "1/2", "0.001"])
@pytest.mark.parametrize("laws", LAWS.values(), ids=LAWS)
def test_the_lower_end_breaks_the_level_and_the_upper_end_keeps_it(laws, level):
    level = Level.of_nats(Fraction(1, 2)) if level == "1/2" else Level.parse(level)
    low, high = smallest_scale(laws, level)
    assert 0 < low < high <= low * (1 + WIDTH)
    assert (compared(laws, low, level), compared(laws, high, level)) == (1, -1)


@pytest.mark.parametrize("laws", [LAWS["table 1"], LAWS["sum"]], ids=["table", "sum"])
def test_smallest_scale_is_that_of_bisection_by_exact_leakages(laws):
    level = Level.of_nats(Fraction(1, 2))
    found = smallest_scale(laws, level, Fraction(3))
    low, high = bisected(laws, level, found[0] / 2, 2 * found[1])
    assert max(low, found[0]) < min(high, found[1])


def test_exceeding_a_level_is_a_leakage_above_it():
    for laws in LAWS.values():
        random = Random(5)
        for _ in range(6):
            level = Level.log(Fraction(random.randint(11, 40), 10))
            scale = Fraction(random.randint(1, 80), random.randint(1, 20))
            assert LaplaceLevel(laws, level).exceeds(scale) == (compared(laws, scale, level) > 0)


def test_a_level_that_is_reached_exactly_is_not_exceeded():
    for values, reached in (({"a": 0, "b": 0, "c": 1, "d": 1}, 2), ({"a": 0, "b": 0, "c": [3], "d": [3]}, 6)):
        laws = table_laws(coin("1/4", "1/4"), [AdditiveNoise({x: values[x] for x in "abcd"}, ANY)])
        half, tiny = Fraction(1, 2), Fraction(1, 10**300)
        for level, expected in ((reached, False), (reached - tiny, True), (reached + tiny, False)):
            assert LaplaceLevel(laws, Level.of_nats(level)).exceeds(half) == expected
    whole = QueryLaws(
        (ANY,), (LawPair("theta", ("s", "t"), {(Fraction(0),): Fraction(1)}, {(Fraction(0),): Fraction(1)}),), 0, ()
    )
    assert not LaplaceLevel(whole, Level.log(1)).exceeds(half)
    assert not LaplaceLevel(whole, Level.of_nats(tiny)).exceeds(half)


@pytest.mark.parametrize("guess", [None, "1/100000", "1/10", "0.50000001", "0.4999999999", "1/2", "7", "1000000"])
def test_a_wrong_guess_costs_comparisons_and_changes_no_answer(monkeypatch, guess):
    laws = table_laws(coin("1/4", "1/4"), [AdditiveNoise({"a": 0, "b": 0, "c": 1, "d": 1}, ANY)])
    wrong = None if guess is None else exact(guess)
    monkeypatch.setattr(LaplaceLevel, "guess", lambda *_: wrong)
    low, high = smallest_scale(laws, Level.of_nats(2), Fraction(40))
    assert low < Fraction(1, 2) <= high <= low * (1 + WIDTH)


def test_numbers_beyond_floats_have_a_smallest_scale():
    huge = Fraction(10) ** 400
    laws = table_laws(coin("1/4", "1/4"), [AdditiveNoise({"a": 0, "b": 0, "c": huge, "d": huge}, ANY)])
    assert LaplaceLevel(laws, Level.of_nats(2)).guess(huge, lambda width: None) is None
    low, high = smallest_scale(laws, Level.of_nats(2), huge)
    assert low < huge / 2 <= high <= low * (1 + WIDTH)


def test_no_noise_keeps_level_zero():
    with pytest.raises(ModelError, match="level: expected a level above 0"):
        smallest_scale(chain_laws("sum"), Level.log(1))


@pytest.mark.parametrize("start", ["stationary", ["1", "0", "0"]])
@pytest.mark.parametrize("query", ["sum", "histogram"])
def test_markov_quilt_noise_keeps_the_level_for_every_record(start, query):
    chain = MarkovChain(start, [["1/2", "1/4", "1/4"], ["1/3", "1/2", "1/6"], ["1/5", "1/5", "3/5"]])
    records = Records(5, ("0", "1", "3"))
    secrets = {f"x{t}={v}": (t, v) for t in range(1, 6) for v in records.alphabet}
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    constant = lipschitz_of_records(RecordQuery(query, ANY, records))
    for epsilon in ("1", "3", "6"):
        scale = markov_quilt(chain, 5, Level.parse(epsilon), lipschitz=constant).scale
        release = AdditiveNoise.of_records(query, records, Noise.laplace(scale.upper))
        assert noise_leakage(framework, release).compare(Level.parse(epsilon)) <= 0
