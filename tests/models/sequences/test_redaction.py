"""Binary chains, influences, regions, and the published redaction mechanisms, against their
definitions.
"""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute.redaction import pointwise_influence, sequence_law, utility

from pufferproof import Level, ModelError
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.binary import BinaryChain, Budget, Regions, private_records, regions
from pufferproof.models.sequences.chain import Along
from pufferproof.models.sequences.redaction import LocalRedaction, most_conservative, quilt, three_regions

HALF = Fraction(1, 2)
STEPS = st.sampled_from([Fraction(k, 20) for k in range(1, 20)] + [Fraction(1, 97), Fraction(96, 97)])
ORDERED = [
    ("1/100", "4/5"),
    ("1/4", "1/2"),
    ("1/3", "2/3"),
    ("3/5", "4/5"),
    ("9/10", "19/20"),
    ("3/4", "1/3"),
    ("1/2", "1/2"),
]
CHAINS = pytest.mark.parametrize(("alpha", "beta"), ORDERED)


@CHAINS
@pytest.mark.parametrize("initial", ["stationary", ("1/3", "2/3")])
def test_a_binary_chain_is_a_view_of_its_markov_chain(alpha, beta, initial):
    chain = BinaryChain(alpha, beta, 7, initial)
    assert BinaryChain.of(chain.prior(), 7) == chain
    along = Along(chain.prior(), 7)
    assert chain.transition == along.power(1)
    assert [chain.power(distance) for distance in range(7)] == list(map(along.power, range(7)))
    assert [chain.law(record) for record in range(1, 8)] == list(map(along.law, range(1, 8)))


def test_only_a_chain_of_two_values_with_all_transitions_is_binary():
    third = ["1/3", "1/3", "1/3"]
    with pytest.raises(ModelError, match="a chain of 2 values, found 3"):
        BinaryChain.of(MarkovChain(third, [third] * 3), 2)
    with pytest.raises(ModelError, match="alpha: expected a probability strictly between 0 and 1"):
        BinaryChain.of(MarkovChain("stationary", [[1, 0], ["1/2", "1/2"]]), 2)


def matrix_product(a, b):
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in (0, 1)) for j in (0, 1)) for i in (0, 1))


@CHAINS
def test_powers_and_laws_are_those_of_the_matrix(alpha, beta):
    chain = BinaryChain(alpha, beta, 6, ("1/7", "6/7"))
    power = ((1, 0), (0, 1))
    for distance in range(6):
        assert chain.power(distance) == power
        assert chain.law(distance + 1) == tuple(
            sum(Fraction(w, 7) * power[i][j] for i, w in ((0, 1), (1, 6))) for j in (0, 1)
        )
        power = matrix_product(power, chain.transition)
    assert BinaryChain(alpha, beta, 6).law(4) == chain.stationary_law
    assert (
        tuple(sum(chain.stationary_law[i] * chain.transition[i][j] for i in (0, 1)) for j in (0, 1))
        == chain.stationary_law
    )


@CHAINS
def test_influences_are_those_of_the_definition_on_either_side(alpha, beta):
    chain = BinaryChain(alpha, beta, 5)
    for private in (1, 3, 5):
        for record in set(range(1, 6)) - {private}:
            for value in (0, 1):
                wanted = pointwise_influence(chain, private, record, value)
                assert chain.influence(value, abs(record - private)) == wanted
            assert chain.max_influence(abs(record - private)) == max(
                pointwise_influence(chain, private, record, value) for value in (0, 1)
            )
    assert chain.influence(0, 0) is None
    assert chain.max_influence(0) is None


def test_the_table_of_example_1():
    """massny2025, Table I: likelihood ratios 3/2 and 2."""
    chain = BinaryChain("1/4", "1/2", 2)
    assert (chain.influence(0, 1), chain.influence(1, 1)) == (Fraction(3, 2), 2)


@given(STEPS, STEPS)
def test_both_influences_decrease_and_the_common_value_has_the_smaller(alpha, beta):
    chain = BinaryChain(alpha, beta, 1)
    for distance in range(1, 12):
        low, high = (chain.influence(v, distance) for v in (chain.common_value, 1 - chain.common_value))
        assert low <= high
        for value in (0, 1):
            now, then = chain.influence(value, distance), chain.influence(value, distance + 1)
            assert now > then or (chain.eigenvalue == 0 and now == then == 1)


@given(STEPS, STEPS, st.integers(1, 9), st.data())
@examples(80)
def test_regions_are_those_of_the_definition_at_every_break(alpha, beta, length, data):
    chain, private = BinaryChain(alpha, beta, length), data.draw(st.integers(1, length))
    distance, value = data.draw(st.integers(1, 9)), data.draw(st.integers(0, 1))
    at = chain.influence(value, distance)
    beside = data.draw(st.sampled_from([at, at + Fraction(1, 10**9), max(Fraction(1), at - Fraction(1, 10**9))]))
    wanted = ([], [], [])
    for t in range(1, length + 1):
        pair = [chain.influence(v, abs(t - private)) for v in (0, 1)]
        wanted[2 if t != private and max(pair) <= beside else 1 if t != private and min(pair) <= beside else 0].append(
            t
        )
    assert regions(chain, private, Level.log(beside)) == Regions(*map(tuple, wanted))


def test_regions_at_irrational_levels():
    chain = BinaryChain("1/100", "4/5", 10)
    found = regions(chain, 1, Level.of_nats(1))
    assert [len(part) for part in found] == [1, 2, 7]
    assert regions(chain, 1, Budget(Level.of_nats(2), HALF)) == found
    assert regions(chain, 1, Level.log(1)) == Regions(tuple(range(1, 11)), (), ())


def test_a_budget_is_a_part_of_a_level():
    assert Budget(Level.log(4), HALF).compare(Fraction(2)) == 0
    assert (
        Budget(Level.log(2), Fraction(3, 2)).compare(Fraction(14142, 5000))
        < 0
        < Budget(Level.log(2), HALF).compare(HALF * 3)
    )
    assert Budget(Level.of_nats(3), Fraction(0)).compare(Fraction(1)) == 0
    assert Budget(Level.of_nats(3), Fraction(1, 3)).compare(Fraction(27182, 10000)) < 0
    with pytest.raises(ModelError, match="budget: expected a part of at least 0, found -1"):
        Budget(Level.log(2), Fraction(-1))


@given(
    st.lists(st.tuples(STEPS, STEPS), min_size=1, max_size=4),
    STEPS,
    STEPS,
    st.sampled_from(["stationary", ("1/3", "2/3")]),
)
@examples(30)
def test_utility_is_the_expected_fraction_of_kept_records(rows, alpha, beta, initial):
    chain, mechanism = BinaryChain(alpha, beta, len(rows), initial), LocalRedaction(rows)
    assert mechanism.utility(chain) == utility(chain, mechanism)


def test_the_utility_of_example_1_is_seven_twenty_fourths():
    chain = BinaryChain("1/4", "1/2", 2)
    mechanism = three_regions(chain, 1, Level.of_nats(HALF), Level.of_nats(HALF), "1/8")
    assert mechanism == LocalRedaction([[1, 1], ["1/8", 1]])
    assert mechanism.utility(chain) == Fraction(7, 24)


@CHAINS
def test_three_regions_has_the_published_utility_and_rows(alpha, beta):
    """massny2025, equations 1 to 3; with values exchanged where alpha > beta."""
    chain, private = BinaryChain(alpha, beta, 9), 4
    left, right = Level.log("5/4"), Level.log("21/20")
    before, after = regions(chain, private, left), regions(chain, private, right)
    medium = [t for t in before.medium if t < private] + [t for t in after.medium if t > private]
    small = [t for t in before.small if t < private] + [t for t in after.small if t > private]
    q = {t: Fraction(1, t + 1) for t in medium}
    mechanism = three_regions(chain, private, left, right, q)
    kept = max(chain.stationary_law) * sum(1 - q[t] for t in medium)
    assert mechanism.utility(chain) == (len(small) + kept) / 9
    for t in range(1, 10):
        row = mechanism.rows[t - 1]
        wanted = (0, 0) if t in small else (1, 1) if t not in medium else (1, q[t]) if chain.swapped else (q[t], 1)
        assert row == wanted
    assert chain.swapped == (Fraction(alpha) > Fraction(beta))


def test_q_is_given_for_exactly_the_medium_region():
    chain, level = BinaryChain("1/100", "4/5", 6), Level.of_nats(1)
    assert regions(chain, 1, level).medium == (2, 3)
    for q, message in [
        ({2: 1}, "q: expected a probability for record 3 of the medium region, found none"),
        ({2: 1, 3: 1, 4: 1}, "q: expected records of the medium region [2, 3], found 4"),
        ({2: 1, 3: "3/2"}, "q[3]: expected a probability, found 3/2"),
        ("-1/2", "q: expected a probability, found -1/2"),
        ("x", 'q: expected a number such as "3/4", "0.25" or 1, found "x"'),
    ]:
        with pytest.raises(ModelError) as error:
            three_regions(chain, 1, level, level, q)
        assert str(error.value) == message


def quilt_as_printed(chain, p, level):
    """Algorithm 1 line by line, for 1 <= p <= n/2."""
    n, rare = chain.length, 1 - chain.common_value

    def within(distance, part):
        return Budget(level, part).compare(chain.influence(rare, distance)) <= 0

    least = lambda part: next((d for d in range(1, 4 * n + 40) if within(d, part)), None)  # noqa: E731
    whole, half = least(Fraction(1)), least(HALF)
    if (
        p == 1
        or level.compare(chain.max_influence(n + 1 - p) * chain.max_influence(p - 1)) > 0
        or p + whole - 2 * half < 0
    ):
        left, right, branch = p - 1, n - p if whole is None else min(whole, n - p), "one-sided"
    else:
        left, right, branch = half, half, "two-sided"
    return branch, left, right


@given(STEPS, STEPS, st.integers(2, 12), st.data())
@examples(120)
def test_quilt_is_algorithm_1(alpha, beta, length, data):
    chain = BinaryChain(alpha, beta, length)
    private = data.draw(st.integers(1, length // 2))
    broken = [chain.max_influence(d) for d in (1, 2, length)]
    ratio = data.draw(
        st.sampled_from([Fraction(1), Fraction(11, 10), Fraction(3), Fraction(50), *broken, broken[0] * broken[2]])
    )
    level = Level.log(ratio)
    found = quilt(chain, private, level)
    assert (found.branch, found.left, found.right) == quilt_as_printed(chain, private, level)
    window = range(private - found.left, private + found.right + 1)
    assert found.mechanism == LocalRedaction.releasing([t for t in range(1, length + 1) if t not in window], length)
    mirror = quilt(chain, length + 1 - private, level)
    assert (mirror.left, mirror.right, mirror.mechanism) == (found.right, found.left, found.mechanism.mirrored())
    assert mirror.mirrored
    assert not found.mirrored


@given(STEPS, STEPS, st.integers(1, 14), st.data())
@examples(60)
def test_the_quilt_window_stays_inside_and_has_the_published_utility(alpha, beta, length, data):
    chain, private = BinaryChain(alpha, beta, length), data.draw(st.integers(1, length))
    found = quilt(chain, private, Level.log(data.draw(st.sampled_from([1, "21/20", "5/4", 2, 5, 30]))))
    assert found.left <= private - 1
    assert found.right <= length - private
    assert found.mechanism.utility(chain) == 1 - Fraction(found.left + found.right + 1, length)


def test_level_zero_redacts_everything_unless_records_are_independent():
    assert quilt(BinaryChain("1/4", "1/2", 6), 2, Level.log(1)).mechanism.released == ()
    assert quilt(BinaryChain("1/4", "3/4", 6), 2, Level.log(1)).mechanism.released == (4, 5, 6)
    assert quilt(BinaryChain("1/4", "1/2", 1), 1, Level.log(1)).mechanism.rows == ((1, 1),)


def test_the_most_conservative_mechanism_takes_the_larger_probability():
    one, other = LocalRedaction([[1, 1], ["1/2", 1]]), LocalRedaction([["1/3", 0], ["3/4", "1/2"]])
    assert most_conservative(one, other) == LocalRedaction([[1, 1], ["3/4", 1]])
    for bad in [(), (one, LocalRedaction([[1, 1]]))]:
        with pytest.raises(ModelError, match="expected mechanisms, all with the same number of records"):
            most_conservative(*bad)


def test_channel_is_the_product_of_the_records():
    mechanism = LocalRedaction([["1/3", 1], [0, "1/4"]])
    channel = mechanism.channel()
    assert channel.probability("01", "0*") == Fraction(2, 3) * Fraction(1, 4)
    assert channel.probability("10", "*0") == 1
    assert channel.probability("10", "*1") == 0
    assert mechanism.released == (1, 2)
    with pytest.raises(ModelError, match="expected at most 8 records to enumerate, found 9"):
        LocalRedaction([[1, 1]] * 9).channel()


def test_samples_have_the_frequencies_of_the_law():
    """Seed 1: 20,000 draws; each of 4 + 4 frequencies is within 0.02 except with probability
    below 8 * 2 exp(-16).
    """
    chain, random, draws = BinaryChain("1/4", "1/2", 2), Random(1), 20_000
    mechanism = LocalRedaction([["1/3", 1], ["1/8", "1/4"]])
    samples = [chain.sample(random) for _ in range(draws)]
    for values, weight in sequence_law(chain).items():
        assert abs(samples.count(values) / draws - weight) < 0.02
    outputs = [mechanism.sample((0, 1), random) for _ in range(draws)]
    for output in ("*1", "01", "**", "0*"):
        assert abs(outputs.count(output) / draws - mechanism.channel().probability("01", output)) < 0.02


def test_equal_rows_are_one_object():
    mechanism = LocalRedaction([["1/2", 1] for _ in range(1000)])
    assert len({id(row) for row in mechanism.rows}) == 1


def test_private_records_are_sorted_and_once():
    assert private_records([3, 1, 3], 3) == (1, 3)
    assert private_records(2, 3) == (2,)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BinaryChain(0, "1/2", 3), "alpha: expected a probability strictly between 0 and 1, found 0"),
        (lambda: BinaryChain("1/2", 1, 3), "beta: expected a probability strictly between 0 and 1, found 1"),
        (lambda: BinaryChain("1/2", "-1/2", 3), "beta: expected a probability strictly between 0 and 1, found -1/2"),
        (lambda: BinaryChain("1/2", "1/2", 0), "length: expected at least 1 record, found 0"),
        (
            lambda: BinaryChain("1/2", "1/2", 3, "any"),
            """initial: expected a sequence of numbers or "stationary", found 'any'""",
        ),
        (
            lambda: BinaryChain("1/2", "1/2", 3, ("1/2", "1/3")),
            "initial: sums to 5/6, expected 1 (normalize=True divides by the sum)",
        ),
        (lambda: LocalRedaction([]), "redaction: expected a row for every record, found none"),
        (lambda: LocalRedaction([[1, 1], ["1"]]), "redaction[2]: expected 2 probabilities, one per value, found ['1']"),
        (lambda: LocalRedaction([[1, 1], "11"]), "redaction[2]: expected 2 probabilities, one per value, found '11'"),
        (lambda: LocalRedaction([[1, "5/4"]]), "redaction[1]: expected a probability, found 5/4"),
        (lambda: LocalRedaction([[1, 1]]).sample((0, 1), Random(0)), "values: expected 1 values, found 2"),
        (lambda: private_records([], 3), "private: expected at least one record, found none"),
        (lambda: private_records(True, 3), "private: expected an integer or a sequence of integers, found True"),
        (
            lambda: regions(BinaryChain("1/4", "1/2", 3, (1, 0)), 1, Level.log(2)),
            "initial: expected a chain that starts in its stationary law",
        ),
    ],
)
def test_misuse_is_named(make, message):
    with pytest.raises(ModelError) as error:
        make()
    assert str(error.value) == message
