"""Lower bounds from samples are right as often as they say, and near what is exact."""

import itertools
import json
import math
import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from flint import arb, ctx
from tests.verify.simulation.fixed import estimate

import pufferproof as pp
from pufferproof.examples.builders.mechanisms import geometric, noisy_max, randomized_response, sparse_vector
from pufferproof.examples.builders.mechanisms.tails import TwoSided
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.simulation.draws import WordStream
from pufferproof.verify.simulation.estimation.bets import _log_beta_tail_approx, share_at_least
from pufferproof.verify.simulation.estimation.outputs import Form, LabelEvent, NumberEvent, Score, event_of, outputs_of
from pufferproof.verify.simulation.estimation.samplers import Coins
from pufferproof.verify.simulation.exact import DrawnLaws, Sequences

TWO = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": pp.Table({"a": "1/2", "b": "1/2"})})
CHAIN = pp.MarkovChain(["1/2", "1/2"], [["9/10", "1/10"], ["1/5", "4/5"]])
CHAINED = pp.Framework.of_records(
    pp.Records(4, ("0", "1")),
    {"x2=0": (2, "0"), "x2=1": (2, "1"), "x4=0": (4, "0"), "x4=1": (4, "1")},
    [("x2=0", "x2=1"), ("x4=0", "x4=1")],
    {"theta": CHAIN, "even": pp.Product([["1/2", "1/2"]] * 4)},
)


def mass(n, k, p):
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def drawn_from(channel):
    """A sampler of a channel; it draws what `rng.choice` draws, in a fifth of the time."""
    outputs = np.array(channel.outputs)
    sums = np.cumsum(channel.floats_approx, axis=1)
    upto = dict(zip(channel.databases, sums / sums[:, -1:]))

    def sampler(database, size, rng):
        return outputs[upto[database].searchsorted(rng.random(size), side="right")]

    return sampler


# Validity


def wealth(share, seen, prior):
    """What 1 has become when half of it is bet by Beta(1, 1) and half by Beta(A, B): the mean of
    (q / share)^a ((1 - q) / (1 - share))^b where q >= share, by polynomials.
    """
    return sum(_mean_of_bets(share, seen, each) for each in ((1, 1), prior)) / 2


def _mean_of_bets(share, seen, prior):
    (a, b), (first, second) = seen, prior
    n, m = a + first - 1, b + second - 1
    inside = sum(comb(m, k) * (-1) ** k * (1 - share ** (n + k + 1)) / (n + k + 1) for k in range(m + 1))
    scale = (first + second - 1) * comb(first + second - 2, first - 1)
    return scale * inside / (share**a * (1 - share) ** b)


def test_wealth_does_not_grow_on_average_and_falls_in_the_share():
    for prior in [(1, 1), (3, 1), (1, 4)]:
        for share in [Fraction(1, 2), Fraction(2, 3), Fraction(9, 10)]:
            assert wealth(share, (0, 0), prior) <= 1
            for seen in product(range(6), repeat=2):
                won, lost = (wealth(share, (seen[0] + x, seen[1] + 1 - x), prior) for x in (1, 0))
                for chance in (Fraction(0), share / 2, share):
                    assert chance * won + (1 - chance) * lost <= wealth(share, seen, prior)
                larger = wealth((share + 1) / 2, seen, prior)
                assert larger <= max(1, wealth(share, seen, prior))


def test_lost_calls_make_the_wealth_no_larger_than_whatever_they_gave():
    for prior in [(1, 1), (3, 1), (1, 4)]:
        for share in [Fraction(1, 2), Fraction(4, 5)]:
            for a, b, lost in product(range(0, 9, 2), range(0, 5, 2), range(5)):
                least = wealth(share, (a, b + lost), prior)
                for x in range(lost + 1):
                    for y in range(lost + 1 - x):
                        assert least <= wealth(share, (a + x, b + y), prior)


@pytest.mark.parametrize("risk", [Fraction(1, 20), Fraction(1, 2)])
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(3, 4)])
def test_the_bound_at_any_time_is_too_large_no_more_often_than_stated_exactly(share, risk):
    """All paths of twelve coins, against whoever stops as soon as the bound is too large."""
    alive, wrong = {(0, 0): Fraction(1)}, Fraction(0)
    for _ in range(12):
        after = Counter()
        for (a, b), weight in alive.items():
            after[a + 1, b] += weight * share
            after[a, b + 1] += weight * (1 - share)
        alive = {}
        for seen, weight in after.items():
            if share_at_least(seen, (2, 1), risk) > share:
                wrong += weight
            else:
                alive[seen] = weight
    assert wrong <= risk


def test_a_clopper_pearson_bound_at_a_number_that_the_sampler_chooses_is_wrong_too_often():
    """Why bets: a sampler with a memory stops giving the event after lucky coins."""
    risk, alive, wrong = Fraction(1, 20), {(0, 0): Fraction(1)}, Fraction(0)
    for _ in range(60):
        after = Counter()
        for (a, b), weight in alive.items():
            after[a + 1, b] += weight / 2
            after[a, b + 1] += weight / 2
        alive = {}
        for (a, b), weight in after.items():
            # Clopper and Pearson's bound is above 1/2
            if sum(comb(a + b, k) for k in range(a, a + b + 1)) <= risk * 2 ** (a + b):
                wrong += weight
            else:
                alive[a, b] = weight
    assert wrong > 2 * risk


def test_coins_are_fair_and_new_and_do_not_depend_on_how_many_are_tossed_at_once():
    coins = Coins("a secret")
    every = coins.tosses(100_000, "bets", 0)
    assert np.mean(every) == pytest.approx(0.5, abs=0.01)
    assert len({each.tobytes() for each in every.reshape(100, 1000)}) == 100
    for before, size in ((0, 13), (7, 505), (511, 2), (512, 512), (1000, 3000), (700, 0)):
        assert coins.tosses(size, "bets", before).tolist() == every[before:][:size].tolist()
    assert (coins.tosses(1000, "others", 0) != every[:1000]).mean() > 0.4


def _swings(period):
    """A sampler whose law changes with the number of the call, and ignores the database."""
    calls = iter(range(10**9))
    return lambda database, rng: bool(rng.random() < 0.5 + 0.4 * math.sin(2 * math.pi * next(calls) / period))


def _flips(every):
    calls = iter(range(10**9))
    return lambda database, rng: next(calls) // every % 2


def _remembers():
    """Gives the database of the call before: nothing about its own."""
    before = ["a"]

    def sampler(database):
        before.append(database)
        return before[-2]

    return sampler


def _repeats(times):
    """Draws once for several calls."""
    kept = []

    def sampler(database, rng):
        if not kept:
            kept.extend([rng.random()] * times)
        return kept.pop()

    return sampler


def _budget(calls):
    """Randomised response at log(3) that stops to answer after so many calls."""
    left = iter(range(calls))

    def sampler(database, rng):
        told = database if rng.random() < 0.75 else "ab".replace(database, "")
        return told if next(left, None) is not None else "none"

    return sampler


def _one_draw_repeated(database, size, rng):
    """Draws of one call that are all the same."""
    return np.full(size, rng.random())


def _counts_size(database, size, rng):
    """A law that depends on how many are asked for at once."""
    return np.arange(size) + size


def _lucky():
    """Gives the event until it has come more often with "a", and then never again."""
    balance = [0]

    def sampler(database):
        if balance[0] > 2:
            return "no"
        balance[0] += 1 if database == "a" else -1
        return "yes"

    return sampler


BLIND = {
    "a law that swings, 2,000 calls": lambda: _swings(2000),
    "a law that swings, 9,000 calls": lambda: _swings(9000),
    "a law that flips at every call": lambda: _flips(1),
    "a law that flips after 400 calls": lambda: _flips(400),
    "the database before": _remembers,
    "one draw for 50 calls": lambda: _repeats(50),
    "one draw for all of a call": lambda: _one_draw_repeated,
    "a law that depends on the size": lambda: _counts_size,
    "an event until it was lucky": _lucky,
}


@pytest.mark.parametrize("name", BLIND)
def test_samplers_with_drift_or_a_memory_that_leak_nothing_show_nothing(name):
    """Each is wrong with probability at most 1/5 in each of ten runs: more than five wrong runs
    have probability at most 0.7 %, and none of these seeds has more than one.
    """
    found = [estimate(TWO, BLIND[name](), samples=4000, seed=k, confidence="80%") for k in range(10)]
    assert sum(each.ratio > 1 for each in found) <= 1


def test_a_budget_that_is_used_up_shows_no_more_than_the_truth_and_warns():
    found = [estimate(TWO, _budget(9000), samples=20_000, seed=seed) for seed in range(5)]
    assert all(0.8 < float(each.lower.upper) < math.log(3) for each in found)
    assert all(each.drift for each in found)
    assert "drift" in str(found[0])
    assert not any(estimate(TWO, noisy_a, samples=20_000, seed=seed).drift for seed in range(5))


def noisy_a(database, size, rng):
    return (database == "a") + rng.laplace(size=size)


def test_randomised_response_keeps_its_power():
    channel = KNOWN["randomised response"][1]
    found = [estimate(TWO, drawn_from(channel), samples=20_000, seed=seed) for seed in range(9)]
    assert sum(float(each.lower.lower) >= 0.9 for each in found) > 6
    assert all(each.ratio <= 3 for each in found)


def test_draws_are_asked_for_one_by_one_unless_they_are_independent():
    sizes, orders = {False: set(), True: set()}, {False: [], True: []}
    for independent in (False, True):

        def sampler(database, size, rng, independent=independent):
            sizes[independent].add(size)
            orders[independent].append(database)
            return rng.random(size)

        estimate(TWO, sampler, samples=2000, independent_draws=independent)
    assert sizes[False] == {1}
    assert max(sizes[True]) > 100
    assert len(orders[False]) == 2000
    changes = sum(one != other for one, other in itertools.pairwise(orders[False]))
    assert 900 < changes < 1100


def test_identical_worlds_give_a_positive_bound_in_at_most_the_stated_share_of_runs():
    samplers = [
        lambda database, size, rng: rng.laplace(size=size),
        lambda database, size, rng: rng.integers(0, 50, size=size),
        lambda database, size, rng: rng.random((size, 2)),
    ]
    runs = 25
    for sampler in samplers:
        found = [estimate(TWO, sampler, samples=4000, seed=seed, confidence="80%") for seed in range(runs)]
        assert sum(each.ratio > 1 for each in found) <= runs / 5
        assert all((each.witness is None) == (each.ratio == 1) for each in found)


def test_worlds_that_differ_in_databases_alone_show_nothing():
    def blind(database, size, rng):
        return rng.integers(0, 3, size=size)

    assert estimate(CHAINED, blind, "0.01", samples=20_000).verdict is pp.Verdict.UNDECIDED


# Power, beside exact leakages

COUNT = {x: x.count("1") for x in CHAINED.databases}
QUERIES = {"a": (1, 1, 0), "b": (0, 0, 1)}
KNOWN = {
    "randomised response": (TWO, randomized_response.randomized_response(["a", "b"], 3)),
    "local response": (CHAINED, randomized_response.record_randomized_response(pp.Records(4, ("0", "1")), 3)),
    "geometric": (CHAINED, geometric.range_restricted_geometric(COUNT, 2, 0, 4)),
    "noisy max": (TWO, noisy_max.noisy_max(QUERIES, TwoSided(2))),
    "noisy max with its value": (TWO, noisy_max.noisy_max_value(QUERIES, TwoSided(2), -1, 2)),
    "sparse vector": (TWO, sparse_vector.sparse_vector(QUERIES, 1, 2, 2, 1)),
    "sparse vector of Lee and Clifton": (TWO, sparse_vector.lee_clifton(QUERIES, 1, 2, 1)),
    "sparse vector of Stoddard": (TWO, sparse_vector.stoddard(QUERIES, 1, 2)),
    "sparse vector of Chen": (TWO, sparse_vector.chen(QUERIES, 1, 2)),
}


@pytest.mark.parametrize("name", KNOWN)
def test_bounds_of_known_mechanisms_are_near_their_exact_leakage_and_below(name):
    framework, channel = KNOWN[name]
    exact = pp.audit(framework, channel).leakage
    found = estimate(framework, drawn_from(channel), samples=100_000, seed=3)
    if exact.ratio is None or exact.infinite:
        assert found.ratio > 1000
        return
    assert found.ratio <= exact.ratio
    assert math.log(found.ratio) >= 0.8 * math.log(exact.ratio)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_laplace_noise_is_near_its_level(scale):
    def noisy(database, size, rng):
        return (database == "a") + rng.laplace(scale=scale, size=size)

    found = estimate(TWO, noisy, samples=100_000, seed=3)
    assert 0.8 / scale <= float(found.lower.upper) <= 1 / scale


def test_a_vector_is_seen_as_a_whole():
    """Laplace noise of scale 3 on three coordinates of which each differs by 1: level 1."""

    def noisy(database, size, rng):
        return (database == "a") * np.array([1, -1, 1, 0]) + rng.laplace(scale=3, size=(size, 4))

    found = estimate(TWO, noisy, samples=100_000, seed=3)
    assert 0.8 <= float(found.lower.upper) <= 1
    assert isinstance(found.witness.event.feature, Score)


def test_the_best_of_many_pairs_is_found():
    """One of 30 databases is told apart by outputs that come once in 20 times."""
    names = [f"d{place}" for place in range(30)]
    law = pp.Table(dict.fromkeys(names, "1/30"))
    many = pp.Framework(names, {x: [x] for x in names}, "disjoint", {"theta": law})

    def tells(database, size, rng):
        return rng.integers(0, 50, size) + 50 * (database == "d7") * (rng.random(size) < 0.05)

    found = estimate(many, tells, samples=100_000, seed=1)
    assert found.ratio > 30
    assert found.witness.pair[0] == "d7"


def test_correlation_is_seen_under_a_chain():
    """A count with noise of level 1 per record leaks more about a record of a chain than 1."""

    def noisy(database, size, rng):
        return database.count("1") + rng.laplace(size=size)

    query = pp.RecordQuery("sum", pp.Noise("laplace", 1), CHAINED.records)
    exact = float(pp.audit(CHAINED, query).leakage.enclosure().upper)
    found = estimate(CHAINED, noisy, "1", samples=400_000, seed=1)
    assert found.verdict is pp.Verdict.VIOLATES
    assert 1 < float(found.lower.lower) <= exact
    assert found.witness.prior == "theta"


def test_python_functions_and_arrays_are_drawn_alike():
    def one(database, rng):
        return database if rng.random() < 0.75 else "ab".replace(database, "")

    def none_or_number(database, rng):
        return None if rng.random() < (0.75 if database == "a" else 0.25) else rng.random()

    def rows(database, size, rng):
        lies = rng.random(size) < 0.25
        return np.stack([lies ^ (database == "a"), np.full(size, True)]).T

    for sampler in (one, none_or_number, rows):
        found = estimate(TWO, sampler, samples=20_000, seed=2)
        assert 0.9 < float(found.lower.upper) <= math.log(3)


# Databases, events, outputs


class Every:
    """Random words that are every 16-bit number once, and then a word of choice."""

    def __init__(self, word):
        self.word = word

    def draw(self, count):
        if count > 1:
            return np.arange(1 << 16, dtype=np.uint16).view(np.uint64)
        return np.array([self.word], dtype=np.uint64)


@pytest.mark.parametrize(
    "prior",
    [
        CHAIN,
        pp.Product([["1/2", "1/2"], ["1/5", "4/5"], ["0", "1"], ["1/3", "2/3"]]),
        pp.HiddenMarkovModel(["1/2", "1/2"], [["9/10", "1/10"], ["1/5", "4/5"]], [["1", "0"], ["1/4", "3/4"]]),
    ],
)
def test_sequences_have_their_law_given_a_record(prior):
    records, runs = pp.Records(4, ("0", "1")), 40_000
    law = prior.law(records.labels(), records)
    drawn = Sequences(Chain.of(prior, records), 4, 2, 1).draw(runs, WordStream(3))
    counts = Counter("".join(map(str, row)) for row in drawn.tolist())
    held = {x: w for x, w in zip(records.labels(), law.weights) if x[1] == "1"}
    assert set(counts) <= {x for x, weight in held.items() if weight}
    for label, weight in held.items():
        expected = Fraction(weight, sum(held.values()))
        assert abs(counts[label] / runs - expected) <= 5 * math.sqrt(expected / runs)


@pytest.mark.parametrize("word", [0, 2**63, 2**64 - 1])
def test_steps_look_closer_where_64_bits_do_not_settle(word):
    rows = [[Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 2), Fraction(1, 2)]]
    limit = (1 << 128) // 3 - ((1 << 64) // 3 << 64)
    first = Scripted([(1 << 64) // 3, word])
    assert DrawnLaws(rows).draw(np.array([0]), first).tolist() == [int(word > limit)]
    assert DrawnLaws(rows).draw(np.array([1]), Scripted([2**63])).tolist() == [1]
    assert DrawnLaws(rows).draw(np.array([1]), Scripted([2**63 - 1])).tolist() == [0]


class Scripted:
    """Random words that are known."""

    def __init__(self, words):
        self.words = iter(words)

    def draw(self, count):
        return np.array([next(self.words) for _ in range(count)], dtype=np.uint64)


def test_long_sequences_are_drawn_and_not_listed():
    def noisy(database, rng):
        return database.count("1") + rng.laplace()

    records = pp.Records(200, ("0", "1"))
    secrets = {f"x{i}={v}": (i, v) for i in (1, 100) for v in "01"}
    long = pp.Framework.of_records(records, secrets, "disjoint", {"theta": CHAIN})
    exact = pp.audit(long, pp.RecordQuery("sum", pp.Noise("laplace", 1), records)).leakage
    found = estimate(long, noisy, samples=12_000, seed=2)
    assert 0 < float(found.lower.lower) < float(exact.enclosure().upper)
    assert found == estimate(long, noisy, samples=12_000, seed=2)


def test_a_value_that_is_too_rare_to_wait_for_is_named():
    rare = pp.MarkovChain(["999999/1000000", "1/1000000"], [["1", "0"], ["0", "1"]])
    secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    records = pp.Records(100, ("0", "1"))
    framework = pp.Framework.of_records(records, secrets, "disjoint", {"theta": rare})
    with pytest.raises(pp.ModelError, match=r'secrets\.x2=1, prior "theta": has probability 1e-06'):
        estimate(framework, lambda database: 1, samples=100)
    never = pp.MarkovChain(["1", "0"], [["1", "0"], ["0", "1"]])
    framework = pp.Framework.of_records(records, secrets, "disjoint", {"theta": never})
    with pytest.raises(pp.ModelError, match="nothing to check"):
        estimate(framework, lambda database: 1, samples=100)


@pytest.mark.parametrize(
    "event",
    [
        LabelEvent(frozenset("ab")),
        LabelEvent(frozenset("a"), True),
        NumberEvent(((-math.inf, 0.1), (2.0, 3.0))),
        NumberEvent(((1.0, math.inf),), "coordinate 1"),
        NumberEvent(
            ((0.1, math.inf),),
            Score(((Form(((1, 1.0),)), (0.5,), (0.0, 1.5)), (Form(((3, 2.0), (1, 0.1))), (), (2.0,)))),
        ),
    ],
)
def test_events_are_kept_as_they_are(event):
    assert event_of(json.loads(json.dumps(event.as_json()))) == event
    assert str(event).startswith("the ")


def test_rows_of_integers_are_labels_and_rows_of_fractions_vectors():
    rows = outputs_of(np.array([[1, 0], [0, 1], [1, 0]]))
    assert rows.counts == {"(1,0)": 2, "(0,1)": 1}
    assert outputs_of([(1, 0), (0, 1), (1, 0)]) == rows
    assert outputs_of([(1, 0.5), (0, 1)]).values.tolist() == [[1, 0.5], [0, 1]]
    assert outputs_of([(1, "x", 2.7)]).counts == {"(1,x,2)": 1}
    assert outputs_of(np.array([[2**62, -(2**62)], [0, 1]])).count == 2


def test_integers_that_floats_do_not_have_stay_labels():
    rows = [(2**53 + 1 + k, k) for k in range(600)]
    assert outputs_of(rows).counts == {f"({x},{y})": 1 for x, y in rows}
    assert outputs_of(np.array(rows)) == outputs_of(rows)
    large = np.array([[2**64 - 1, 2**64 - 2]] * 3, dtype=np.uint64)
    assert outputs_of(large).counts == {f"({2**64 - 1},{2**64 - 2})": 3}
    small = np.array([[127, -128], [-128, 127]] * 2, dtype=np.int8)
    assert outputs_of(small).counts == {"(127,-128)": 2, "(-128,127)": 2}
    wide = np.array([[0, 2**40], [1, -(2**40)]] * 2)
    assert outputs_of(wide).counts == {f"(0,{2**40})": 2, f"(1,{-(2**40)})": 2}
    true = np.array([[True, False]] * 3)
    assert outputs_of(true).counts == {"(True,False)": 3}


@pytest.mark.parametrize("seed", [0, 8, 14])
def test_a_single_cell_that_was_lucky_is_not_chosen(seed):
    def noisy(database, size, rng):
        return (database == "a") + rng.laplace(size=size)

    assert float(estimate(TWO, noisy, samples=80_000, seed=seed).lower.lower) > 0.9


def test_a_score_of_lists_of_integers_is_learned():
    def bits(database, size, rng):
        even = np.where(np.arange(16) < 4, 0.75 if database == "a" else 0.25, 0.5)
        return (rng.random((size, 16)) < even).astype(int)

    found = estimate(TWO, bits, samples=20_000, seed=1)
    assert re.search("the (score|sum) of", str(found))
    assert 3 < float(found.lower.lower) < math.log(81)


@pytest.mark.parametrize("text", ["", '{"format": "pufferproof-est', None])
def test_a_file_of_a_run_that_cannot_be_read_is_named(tmp_path, text):
    path = tmp_path / "run.json"
    if text is None:
        path.mkdir()
    else:
        path.write_text(text)
    with pytest.raises(pp.ModelError, match=re.escape(f"{path}: ")):
        estimate(TWO, lambda database: 1, samples=100, resume=str(path))


def test_proposed_tails_of_beta_laws_agree_with_balls():
    for first in [1, 2, 3, 40, 700]:
        for second in [1, 2, 5, 60, 900]:
            for at in [1e-9, 1 / 64, 1 / 3, 1 / 2, 0.999]:
                with ctx.workprec(4000):
                    tail = arb(at).beta_lower(arb(first), arb(second), True).log()
                assert _log_beta_tail_approx(first, second, at) == pytest.approx(float(tail), rel=1e-10, abs=1e-10)
