"""Published mechanisms: hand-worked values, laws, levels judged by the definition, and the
exact size of published mistakes.
"""

from fractions import Fraction
from itertools import combinations, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import Channel, Framework, ModelError, Product, Records, Table, audit
from pufferproof.examples.builders.mechanisms.geometric import range_restricted_geometric, truncated_geometric
from pufferproof.examples.builders.mechanisms.laplace import discretised_laplace, renormalised_laplace
from pufferproof.examples.builders.mechanisms.noisy_max import noisy_max, noisy_max_value
from pufferproof.examples.builders.mechanisms.randomized_response import randomized_response, record_randomized_response
from pufferproof.examples.builders.mechanisms.sparse_vector import (
    chen,
    lee_clifton,
    roth_notes,
    sparse_vector,
    stoddard,
)
from pufferproof.examples.builders.mechanisms.tails import OneSided, TwoSided, sum_of_products
from pufferproof.models.mechanisms.collapse import bits_collapse, four_outputs_collapse, pair_collapse
from pufferproof.models.mechanisms.exponential import exponential_mechanism

INFINITE = float("inf")
RATIOS = st.fractions(min_value=Fraction(11, 10), max_value=6, max_denominator=12)


def worst_ratio(channel: Channel, neighbours):
    """Return max of P(y | x) / P(y | x') over outputs and neighbouring x, x' in both orders:
    the definition of e^epsilon.
    """
    worst = Fraction(0)
    for left, right in combinations(channel.databases, 2):
        if neighbours(left, right):
            for y in channel.outputs:
                a, b = channel.probability(left, y), channel.probability(right, y)
                if bool(a) != bool(b):
                    return INFINITE
                worst = max(worst, a / b, b / a) if a else worst
    return worst


def consecutive(left, right):
    return abs(int(left) - int(right)) == 1


def one_record(left, right):
    return sum(a != b for a, b in zip(left, right)) == 1


def anyone(left, right):
    return True


def answers(queries):
    return {"".join(map(str, bits)): bits for bits in product((0, 1), repeat=queries)}


def counts(largest):
    return {str(value): value for value in range(largest + 1)}


# Tails


def two_sided_mass(z, ratio):
    return (ratio - 1) / (ratio + 1) * ratio ** -abs(z)


@given(RATIOS, RATIOS, st.lists(st.integers(-3, 3), min_size=2, max_size=4))
@examples(40)
def test_the_sum_over_all_integers_is_approached_from_below_by_partial_sums(first, second, centers):
    factors = [TwoSided(first).mass(centers[0]), *(TwoSided(second).at_least(center) for center in centers[1:])]
    exact, reach = sum_of_products(factors), 12
    partial = sum(prod(factor.at(x) for factor in factors) for x in range(-reach, reach + 1))
    beyond = 1 - sum(two_sided_mass(x - centers[0], first) for x in range(-reach, reach + 1))
    assert 0 <= exact - partial <= beyond


def test_a_sum_that_does_not_vanish_at_infinity_is_refused():
    with pytest.raises(ModelError, match="vanishes at infinity"):
        sum_of_products([TwoSided(2).at_least(0)])


# Randomized response


@given(RATIOS, st.integers(2, 5))
def test_randomized_response_is_tight(ratio, size):
    assert worst_ratio(randomized_response("abcde"[:size], ratio), anyone) == ratio


@given(RATIOS)
@examples(20)
def test_randomized_response_on_records_is_tight_per_record_and_multiplies_over_records(ratio):
    channel = record_randomized_response(Records(3, ("0", "1")), ratio)
    assert worst_ratio(channel, one_record) == ratio
    assert worst_ratio(channel, anyone) == ratio**3


# Geometric


def test_the_truncated_geometric_mechanism_by_hand():
    channel = truncated_geometric(2, 2)
    rows = {x: [channel.probability(x, y) for y in channel.outputs] for x in channel.databases}
    assert rows["0"] == [Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)]
    assert rows["1"] == [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]


@given(RATIOS, st.integers(1, 7))
def test_the_truncated_geometric_mechanism_is_tight(ratio, largest):
    assert worst_ratio(truncated_geometric(largest, ratio), consecutive) == ratio


@given(RATIOS, st.integers(-3, 3), st.integers(1, 5))
@examples(40)
def test_clamping_an_answer_outside_the_range_puts_the_rest_of_the_mass_on_the_ends(ratio, value, width):
    channel = range_restricted_geometric({"x": value}, ratio, 0, width)
    inner = [two_sided_mass(k - value, ratio) for k in range(1, width)]
    assert [channel.probability("x", str(k)) for k in range(1, width)] == inner
    below = sum(two_sided_mass(k - value, ratio) for k in range(-20, 1))
    assert 0 < channel.probability("x", "0") - below < ratio**-16


# Exponential


@given(st.integers(2, 5), st.dictionaries(st.sampled_from("xyz"), st.tuples(*[st.integers(0, 1)] * 3), min_size=2))
@examples(40)
def test_the_exponential_mechanism_keeps_twice_the_sensitivity(ratio, scores):
    channel = exponential_mechanism({label: dict(zip("abc", row)) for label, row in scores.items()}, ratio)
    assert worst_ratio(channel, anyone) <= ratio**2


def test_the_exponential_mechanism_with_half_integer_scores():
    channel = exponential_mechanism({"x": {"a": "1/2", "b": "-1/2"}}, "9/4")
    assert channel.probability("x", "a") == Fraction(9, 13)  # 3/2 against 2/3


# Laplace


def test_the_rounded_laplace_masses_sum_to_one_and_are_symmetric():
    channel = discretised_laplace({"x": 0}, 4, -3, 3)
    row = [channel.probability("x", str(k)) for k in range(-3, 4)]
    tail = Fraction(3, 64) * Fraction(1, 4) / Fraction(3, 4)  # 3/256 + 3/1024 + ...
    assert row[3:] == [Fraction(1, 2), Fraction(3, 16), Fraction(3, 64), tail]
    assert row == row[::-1]


@given(st.fractions(min_value=Fraction(8, 7), max_value=4, max_denominator=7), st.integers(2, 6))
@examples(40)
def test_clamped_laplace_noise_is_tight_from_three_counts_on(root, largest):
    assert worst_ratio(discretised_laplace(counts(largest), root**2, 0, largest), consecutive) == root**2


@given(st.fractions(min_value=Fraction(8, 7), max_value=4, max_denominator=7), st.integers(4, 8))
@examples(40)
def test_redrawing_laplace_noise_breaks_the_level_and_stays_below_twice_it(root, largest):
    found = worst_ratio(renormalised_laplace(counts(largest), root**2, 0, largest), consecutive)
    assert root**2 < found <= root**4


def test_redrawing_breaks_the_level_only_in_ranges_of_five_values_or_more():
    found = {n: worst_ratio(renormalised_laplace(counts(n), 4, 0, n), consecutive) for n in (2, 3, 4)}
    assert found == {2: Fraction(47, 14), 3: 4, 4: Fraction(992, 239)}


# Noisy max


@pytest.mark.parametrize("kind", [TwoSided, OneSided])
def test_the_noisy_maximum_agrees_with_partial_sums_over_all_noises(kind):
    reach, noise = 9, kind(3)
    values = (0, 1, 0)
    channel = noisy_max({"x": values}, noise)
    partial = dict.fromkeys("123", Fraction(0))
    for shown in product(range(-reach, reach + 1), repeat=3):
        winner = str(shown.index(max(shown)) + 1)
        partial[winner] += prod(noise.mass(value).at(v) for value, v in zip(values, shown))
    missing = 1 - sum(partial.values())
    assert 0 < missing < Fraction(1, 1000)
    assert all(0 <= channel.probability("x", i) - partial[i] <= missing for i in "123")


@pytest.mark.parametrize("queries", [1, 2, 3, 4])
@given(ratio=RATIOS)
@examples(10)
def test_the_index_keeps_two_noises_and_one_when_all_answers_grow(queries, ratio):
    def all_grow(left, right):
        return all(a <= b for a, b in zip(left, right))

    for channel in (noisy_max(answers(queries), TwoSided(ratio)), noisy_max(answers(queries), OneSided(ratio))):
        assert worst_ratio(channel, anyone) <= ratio**2
        assert worst_ratio(channel, all_grow) <= ratio


@pytest.mark.parametrize("queries", [1, 2, 3, 4])
def test_the_largest_answer_costs_one_noise_per_query_and_with_one_sided_noise_everything(queries):
    assert worst_ratio(noisy_max_value(answers(queries), TwoSided(2), 0, 3), anyone) == 2**queries
    assert worst_ratio(noisy_max_value(answers(queries), OneSided(2), 0, 3), anyone) == INFINITE


def test_exact_levels_of_noisy_max_on_three_queries():
    found = [
        worst_ratio(channel, anyone)
        for channel in (noisy_max(answers(3), TwoSided(2)), noisy_max(answers(3), OneSided(2)))
    ]
    assert found == [Fraction(82, 25), 4]


# Sparse vector


def partial_sparse_vector(values, threshold, first, second, cutoff, reach):
    """Enumerate threshold and query noises up to `reach`, following the algorithm step by step."""
    found = {}
    for noises in product(range(-reach, reach + 1), repeat=len(values) + 1):
        shown, above = "", 0
        for value, noise in zip(values, noises[1:]):
            if value + noise >= threshold + noises[0]:
                shown, above = shown + "+", above + 1
                if above == cutoff:
                    break
            else:
                shown += "-"
        weight = two_sided_mass(noises[0], first) * prod(two_sided_mass(z, second) for z in noises[1:])
        found[shown] = found.get(shown, Fraction(0)) + weight
    return found


@pytest.mark.parametrize("cutoff", [1, 2])
def test_the_sparse_vector_agrees_with_partial_sums_over_all_noises(cutoff):
    first, second = Fraction(3), Fraction(4)
    channel = sparse_vector({"x": (0, 1)}, 1, first, second, cutoff)
    partial = partial_sparse_vector((0, 1), 1, first, second, cutoff, 8)
    missing = 1 - sum(partial.values())
    assert set(partial) == set(channel.outputs)
    assert 0 < missing < Fraction(1, 1000)
    assert all(0 <= channel.probability("x", y) - partial[y] <= missing for y in channel.outputs)


@pytest.mark.parametrize("cutoff", [1, 2])
@pytest.mark.parametrize("threshold", [0, 1, 3])
@given(first=RATIOS, second=RATIOS)
@examples(8)
def test_the_correct_sparse_vector_keeps_its_level(cutoff, threshold, first, second):
    channel = sparse_vector(answers(3), threshold, first, second, cutoff)
    assert worst_ratio(channel, anyone) <= first * second ** (2 * cutoff)


def test_the_correct_sparse_vector_keeps_log_16_at_both_cutoffs():
    assert worst_ratio(sparse_vector(answers(4), 1, 4, 2, 1), anyone) == Fraction(208096, 23011)
    twice = sparse_vector(answers(4), 1, Fraction(256, 81), Fraction(3, 2), 2)
    assert worst_ratio(twice, anyone) == Fraction(194901, 45776)


def test_lee_and_clifton_break_their_level_and_keep_the_corrected_one():
    for cutoff in (1, 2):
        found = worst_ratio(lee_clifton(answers(4), 1, 2, cutoff), anyone)
        assert 2**4 < found <= 2 ** (1 + 6 * cutoff)


def test_stoddard_leaks_without_bound_on_two_queries():
    channel = stoddard({"D": (0, 1), "E": (1, 0)}, 1, 4)
    assert channel.probability("D", "-+") > 0 == channel.probability("E", "-+")
    assert worst_ratio(stoddard(answers(2), 0, 100), anyone) == INFINITE


def test_chen_leaks_more_with_every_query():
    found = [worst_ratio(chen(answers(queries), 1, 4), anyone) for queries in (1, 2, 3, 4)]
    assert found == sorted(found)
    assert found[2] > 16


def test_released_values_merge_into_the_answer_above():
    queries = {"x": (0, 2, 1)}
    shown = roth_notes(queries, 1, 3, 2, -1, 3)
    plain = sparse_vector(queries, 1, 9, 3, 2)
    merged = {}
    for output in shown.outputs:
        signs = output.replace("=-1", "+")
        for value in "0123":
            signs = signs.replace(f"={value}", "+")
        merged[signs] = merged.get(signs, 0) + shown.probability("x", output)
    assert merged == {y: plain.probability("x", y) for y in plain.outputs}


# Collapse


def ratio_of(framework, *channels):
    found = audit(framework, channels[0].beside(*channels[1:])).leakage
    return INFINITE if found.infinite else found.ratio


def fair_bits(count):
    records = Records(count, ("0", "1"))
    secrets = {f"x{t}={v}": (t, v) for t in range(1, count + 1) for v in "01"}
    pairs = [(f"x{t}=0", f"x{t}=1") for t in range(1, count + 1)]
    return Framework.of_records(records, secrets, pairs, {"fair": Product([["1/2", "1/2"]] * count)})


@given(st.lists(st.integers(1, 9), min_size=4, max_size=6), st.integers(2, 4))
@examples(40)
def test_a_database_beside_a_decoy_leaks_nothing_once_and_everything_twice(weights, size):
    labels = [f"d{index}" for index in range(len(weights))]
    size = min(size, len(labels) - 2)
    theta = Table({label: Fraction(weight, sum(weights)) for label, weight in zip(labels, weights)})
    secrets = {"s": labels[:size], "t": labels[size:]}
    framework = Framework(labels, secrets, [("s", "t")], {"theta": theta})
    channel = pair_collapse(framework)
    assert ratio_of(framework, channel) == 1
    assert ratio_of(framework, channel, channel) == INFINITE
    masses = dict(zip(labels, weights))
    first, second = (sum(masses[label] for label in held) for held in secrets.values())
    for s, t in product(secrets["s"], secrets["t"]):  # P(D1, D2 | s) = theta(D1 | s) theta(D2 | t)
        given_s = sum(Fraction(masses[x], first) * channel.probability(x, f"{s}|{t}") for x in secrets["s"])
        assert given_s == Fraction(masses[s] * masses[t], first * second)


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_differences_or_a_parity_leak_nothing_once_and_everything_twice(count):
    framework = fair_bits(count)
    channel = bits_collapse(framework)
    assert ratio_of(framework, channel) == 1
    assert ratio_of(framework, channel, channel) == INFINITE
    labels = framework.databases
    joint = channel.beside(channel)
    for y in joint.outputs:
        if "A" in y and "B" in y:  # a difference and a parity are possible for one database at most
            assert sum(joint.probability(x, y) > 0 for x in labels) <= 1


def printed_bound(lt, ut, lf, uf):
    ratios = [ut / lf, lt / uf, (1 - ut) / uf, (1 - lt) / lf]
    ratios += [lt / (1 - lf), ut / (1 - uf), (1 - ut) / (1 - lf), (1 - lt) / (1 - uf)]
    return max(max(ratio, 1 / ratio) for ratio in ratios)


INTERVALS = st.lists(st.fractions(min_value="1/12", max_value="11/12", max_denominator=12), min_size=4, max_size=4)


@given(INTERVALS)
@examples(40)
def test_four_outputs_leak_the_printed_bound_once_and_everything_twice(ends):
    (lt, ut), (lf, uf) = sorted(ends[:2]), sorted(ends[2:])
    priors = {
        f"{u} {f}": Table({"a": u / 2, "b": (1 - u) / 2, "c": f / 2, "d": (1 - f) / 2})
        for u, f in product((lt, ut), (lf, uf))
    }
    framework = Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], priors)
    channel = four_outputs_collapse(framework, {"a"}, {"c"})
    assert ratio_of(framework, channel) == printed_bound(lt, ut, lf, uf)
    assert ratio_of(framework, channel, channel) == INFINITE


# Misuse

QUARTERS = Table(dict.fromkeys("abcd", "1/4"))
HALVES = {"s": ["a", "b"], "t": ["c", "d"]}
PLAIN = Framework("abcd", HALVES, [("s", "t")], {"theta": QUARTERS})
TWO_PRIORS = Framework("abcd", HALVES, [("s", "t")], {"theta": QUARTERS, "eta": QUARTERS})
PARTIAL = Framework("abcd", {"s": ["a", "b"], "t": ["c"]}, [("s", "t")], {"theta": QUARTERS})
SINGLE = Framework("abc", {"s": ["a", "b"], "t": ["c"]}, [("s", "t")], {"theta": Table(dict.fromkeys("abc", "1/3"))})
THREE = Framework("abc", {label: [label] for label in "abc"}, "disjoint", {"theta": Table(dict.fromkeys("abc", "1/3"))})
WHOLE = Framework.of_records(
    Records(3, ("0", "1")), {"s": ["000"], "t": ["111"]}, [("s", "t")], {"fair": Product([["1/2", "1/2"]] * 3)}
)
LOADED = Framework.of_records(
    Records(3, ("0", "1")), {"s": (1, "0"), "t": (1, "1")}, [("s", "t")], {"unfair": Product([["1/3", "2/3"]] * 3)}
)


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: randomized_response(["a"], 2), "values: expected at least two distinct values, found ['a']"),
        (lambda: randomized_response("ab", 1), "ratio: expected a ratio e^epsilon above 1, found 1"),
        (lambda: randomized_response("ab", "x"), 'ratio: expected a number such as "3/4", "0.25" or 1, found "x"'),
        (lambda: truncated_geometric(0, 2), "count: expected at least 1, found 0"),
        (lambda: range_restricted_geometric({"a": 0.5}, 2, 0, 1), 'query["a"]: expected an integer, found 0.5'),
        (lambda: range_restricted_geometric({}, 2, 0, 1), "query: expected a value for every database, found none"),
        (lambda: range_restricted_geometric({"a": 0}, 2, 1, 1), "most: expected a number above 1, found 1"),
        (lambda: discretised_laplace({"a": 0}, 2, 0, 1), "ratio: expected the square of a rational, found 2"),
        (
            lambda: exponential_mechanism({"x": {"a": "1/3"}}, 4),
            'scores["x"]["a"]: expected an integer or half-integer score, found 1/3',
        ),
        (
            lambda: exponential_mechanism({"x": {"a": 1}, "y": {"b": 1}}, 4),
            "scores[\"y\"]: expected scores for ['a'], found ['b']",
        ),
        (lambda: exponential_mechanism({}, 4), "scores: expected scores for every database, found none"),
        (
            lambda: noisy_max({"x": [0, 1], "y": [0]}, TwoSided(2)),
            'queries["y"]: expected 2 answers, as for the first database, found 1',
        ),
        (lambda: noisy_max({"x": []}, TwoSided(2)), 'queries["x"]: expected at least one answer, found 0'),
        (lambda: noisy_max({}, TwoSided(2)), "queries: expected answers for every database, found none"),
        (lambda: sparse_vector({"x": [0]}, 0, 2, 2, 0), "cutoff: expected an integer of at least 1, found 0"),
        (lambda: roth_notes({"x": [5]}, 0, 2, 1, 0, 1), 'queries["x"]: expected answers from 0 to 1, found [5]'),
        (lambda: pair_collapse(TWO_PRIORS), "priors: expected one prior, found 2"),
        (lambda: pair_collapse(THREE), "pairs: expected one pair of secrets, found 3"),
        (
            lambda: pair_collapse(PARTIAL),
            "pairs: expected a pair that holds every database of positive probability, found ['d'] in neither secret",
        ),
        (lambda: pair_collapse(SINGLE), "secrets.t: expected at least two databases of positive probability, found 1"),
        (lambda: bits_collapse(PLAIN), "records: expected databases made of records, found databases without"),
        (lambda: bits_collapse(fair_bits(2)), "records.count: expected at least 3 records, found 2"),
        (lambda: bits_collapse(LOADED), "priors.unfair: expected fair bits, found unequal probabilities"),
        (lambda: bits_collapse(WHOLE), "secrets.s: expected a secret that fixes one record, found 1 databases"),
        (lambda: four_outputs_collapse(PLAIN, {"c"}, {"d"}), 'core: expected databases of the secret "s", found "c"'),
        (
            lambda: four_outputs_collapse(PLAIN, {"a", "b"}, {"c"}),
            'priors.theta: expected a probability strictly between 0 and 1 given "s", found weight 2 of 2',
        ),
    ],
)
def test_misuse_says_what_was_expected_and_found(attempt, message):
    with pytest.raises(ModelError) as caught:
        attempt()
    assert str(caught.value) == message
