"""The leakage of local redaction against full enumeration: either sign of the eigenvalue,
zeros, ones, every position.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute.redaction import INFINITE, largest_ratio, likelihoods, part

from pufferproof import Level, ModelError
from pufferproof.models.sequences.binary import BinaryChain, regions
from pufferproof.models.sequences.redaction import LocalRedaction, quilt, three_regions
from pufferproof.verify.sequences.redaction import sides as redaction_sides
from pufferproof.verify.sequences.redaction.leakage import NearRatio, redaction_leakage, redaction_leakages

STEPS = st.sampled_from([Fraction(k, 10) for k in range(1, 10)] + [Fraction(1, 97), Fraction(96, 97)])
PROBABILITIES = st.sampled_from(
    [Fraction(k, 4) for k in (0, 0, 1, 2, 3, 4, 4)] + [Fraction(1, 101), Fraction(100, 101)]
)
INITIALS = st.sampled_from(["stationary", "stationary", ("1/3", "2/3"), (1, 0), (0, 1)])


@st.composite
def instances(draw, longest=5):
    length = draw(st.integers(1, longest))
    private = draw(st.integers(1, length))
    initial = draw(INITIALS) if private > 1 else "stationary"
    alpha = draw(STEPS)
    beta = draw(st.one_of(STEPS, st.just(1 - alpha)))  # eigenvalue zero often
    rows = [[draw(PROBABILITIES), draw(PROBABILITIES)] for _ in range(length)]
    if draw(st.integers(0, 9)):
        rows[private - 1] = [1, 1]
    return BinaryChain(alpha, beta, length, initial), LocalRedaction(rows), private


def assert_witness(found, table):
    zero_or_one = table[found.output]
    above, below = zero_or_one[found.likelier], zero_or_one[1 - found.likelier]
    assert above > 0
    if found.leakage.infinite:
        assert below == 0
    else:
        assert above / below == found.leakage.ratio


@given(instances())
@examples(180)
def test_leakage_output_and_sides_are_those_of_full_enumeration(instance):
    chain, mechanism, private = instance
    found, table = (redaction_leakage(chain, mechanism, private), likelihoods(chain, mechanism, private))
    assert found.leakage.ratio == largest_ratio(table)
    assert found.leakage.infinite == (largest_ratio(table) is INFINITE) == found.revealed
    assert_witness(found, table)
    assert found.left.ratio == largest_ratio(part(table, slice(0, private)))
    assert found.right.ratio == largest_ratio(part(table, slice(private - 1, None)))


@given(instances(longest=6))
@examples(60)
def test_rounded_numbers_enclose_the_exact_leakage(instance):
    chain, mechanism, private = instance
    exact = redaction_leakage(chain, mechanism, private)
    rounded = redaction_leakage(chain, mechanism, private, precision=64)
    for one, other in ((exact.leakage, rounded.leakage), (exact.left, rounded.left), (exact.right, rounded.right)):
        assert one.infinite == other.infinite
        if not one.infinite:
            assert other.lower <= one.ratio <= other.upper


def test_the_published_example_has_its_leakage():
    """massny2025, Example 1: (1 + q) / (1/2 + 3q/2) of the all-redacted output at q = 1/8,
    below exp(1/2).
    """
    chain = BinaryChain("1/4", "1/2", 2)
    found = redaction_leakage(chain, LocalRedaction([[1, 1], ["1/8", 1]]), 1)
    assert found.leakage.ratio == Fraction(18, 11)
    assert Level.of_nats("1/2").compare(found.leakage.ratio) < 0
    assert (found.likelier, found.output) == (1, "**")


@pytest.mark.parametrize("row", [(0, 0), (1, 0), (0, 1), ("1/2", 1), (1, "99/100")])
def test_releasing_the_private_record_is_infinite_leakage_with_that_record_in_the_output(row):
    chain = BinaryChain("1/4", "1/2", 3)
    found = redaction_leakage(chain, LocalRedaction([[1, 1], row, [0, 0]]), 2)
    assert found.leakage.infinite
    assert found.left.infinite
    assert found.right.infinite
    assert found.revealed
    assert found.output[1] == str(found.likelier)
    law = likelihoods(chain, LocalRedaction([[1, 1], row, [0, 0]]), 2)[found.output]
    assert law[found.likelier] > 0 == law[1 - found.likelier]


def test_a_tie_is_likelier_under_0_and_words_name_both_values():
    found = redaction_leakage(BinaryChain("1/4", "1/2", 1), LocalRedaction([[1, 1]]), 1)
    assert (found.leakage.ratio, found.likelier) == (1, 0)
    assert "for X_1 = 0 against 1" in str(found)
    other = redaction_leakage(BinaryChain("1/4", "1/2", 1), LocalRedaction([[1, 0]]), 1)
    assert other.likelier == 1
    assert "for X_1 = 1 against 0" in str(other)


def test_a_product_of_rounded_ratios_has_both_slacks():
    half, third = Fraction(1, 2), Fraction(1, 3)
    product = NearRatio(Fraction(3), half).times(NearRatio(Fraction(5), third))
    assert (product.ratio, 1 + product.slack) == (15, (1 + half) * (1 + third))


def backward_extremes(chain, rows):
    """The extreme ratios of P(Y | X = 0) to P(Y | X = 1) right of a record, by another recursion:
    from the far end inwards.

    With t the ratio beyond a record, `*` there gives (P00 r0 t + P01 r1) / (P10 r0 t + P11 r1),
    monotone in t.
    """
    (p00, p01), (p10, p11) = chain.transition
    extremes = [Fraction(1)]
    for zero, one in reversed(rows):
        found = []
        if zero < 1:
            found.append(p00 / p10)
        if one < 1:
            found.append(p01 / p11)
        if zero or one:
            found += [(p00 * zero * t + p01 * one) / (p10 * zero * t + p11 * one) for t in extremes]
        extremes = [max(found), min(found)]
    return extremes[0], extremes[-1]


@given(STEPS, STEPS, st.lists(st.tuples(PROBABILITIES, PROBABILITIES), max_size=60), st.data())
@examples(60)
def test_long_chains_by_a_recursion_from_the_far_end(alpha, beta, rows, data):
    private = data.draw(st.integers(1, len(rows) + 1))
    rows.insert(private - 1, (Fraction(1), Fraction(1)))
    chain = BinaryChain(alpha, beta, len(rows))
    right = backward_extremes(chain, rows[private:])
    left = backward_extremes(chain, rows[: private - 1][::-1])
    found = redaction_leakage(chain, LocalRedaction(rows), private)
    assert found.leakage.ratio == max(left[0] * right[0], 1 / (left[1] * right[1]))
    assert found.left.ratio == max(left[0], 1 / left[1])


@given(STEPS, STEPS, st.lists(st.tuples(PROBABILITIES, PROBABILITIES), min_size=8, max_size=40), st.integers(64, 80))
@examples(60)
def test_rounding_after_a_few_records_encloses_and_is_exact_where_it_says_so(alpha, beta, rows, precision):
    chain, mechanism = BinaryChain(alpha, beta, len(rows) + 1), LocalRedaction([(1, 1), *rows])
    high, low = backward_extremes(chain, rows)
    found = redaction_leakage(chain, mechanism, 1, precision).leakage
    assert found.lower <= max(high, 1 / low) <= found.upper
    assert found.upper / found.lower - 1 < Fraction(len(rows) + 2**16, 2 ** (precision - 8))


def test_what_is_settled_before_rounding_is_exact_however_long_the_chain():
    """The nearest record has the largest ratio, P00 / P10; the other direction, never settled,
    is far below it.
    """
    found = redaction_leakage(
        BinaryChain("1/100", "4/5", 20_000), LocalRedaction([[1, 1]] + [["3/4", 1]] * 19_999), 1, 64
    )
    assert found.leakage.ratio == Fraction(99, 80)
    assert (found.likelier, found.output) == (0, "*0" + "*" * 19_998)


@pytest.mark.parametrize(("alpha", "beta"), [("1/1000", "3/1000"), ("9/10", "19/20"), ("1/100", "4/5")])
def test_the_stated_width_holds_for_ten_thousand_records(alpha, beta):
    count, private = 10_000, 5_000
    rows = [["99/100", 1]] * (private - 1) + [[1, 1]] + [[1, 1]] * (count - private - 1) + [[0, "1/2"]]
    found = redaction_leakage(BinaryChain(alpha, beta, count), LocalRedaction(rows), private, precision=96).leakage
    assert found.upper / found.lower - 1 < Fraction(count + 2**16, 2 ** (96 - 8))


def test_long_ratios_compare_exactly_by_their_leading_bits():
    base = 3**4000
    for above, below, wanted in [(base + 1, base, True), (base, base + 1, False), (base, base, False)]:
        assert redaction_sides.exceeds((above * 7, below * 5, None), (7, 5, None)) is wanted
    assert redaction_sides.exceeds((base, 1, None), (1, base, None))
    assert not redaction_sides.exceeds((base, base**3, None), (1, 1, None))


def test_every_private_record_is_answered_in_order():
    chain = BinaryChain("1/4", "1/2", 5)
    mechanism = LocalRedaction([[1, 1], [1, 1], ["1/2", 1], [1, 1], [1, 1]])
    found = redaction_leakages(chain, mechanism, [4, 1])
    assert [answer.private for answer in found] == [1, 4]
    assert [answer.leakage.ratio for answer in found] == [
        largest_ratio(likelihoods(chain, mechanism, private)) for private in (1, 4)
    ]


@given(STEPS, STEPS, st.integers(1, 5), st.data())
@examples(40)
def test_published_mechanisms_by_enumeration(alpha, beta, length, data):
    chain = BinaryChain(alpha, beta, length)
    private = data.draw(st.integers(1, length))
    level = Level.log(data.draw(st.sampled_from([1, "11/10", "3/2", 3, 20])))
    baseline = quilt(chain, private, level).mechanism
    found = redaction_leakage(chain, baseline, private).leakage.ratio
    assert found == largest_ratio(likelihoods(chain, baseline, private))
    assert level.compare(found) <= 0
    relaxed = three_regions(chain, private, level, level, 1)
    released = redaction_leakage(chain, relaxed, private)
    assert level.compare(released.left.ratio) <= 0
    assert level.compare(released.right.ratio) <= 0
    assert set(relaxed.released) == set(regions(chain, private, level).small)


@pytest.mark.parametrize(
    ("private", "rows", "initial", "precision", "message"),
    [
        (0, [[1, 1], [1, 1]], "stationary", None, "private: expected a record from 1 to 2, found 0"),
        (3, [[1, 1], [1, 1]], "stationary", None, "private: expected a record from 1 to 2, found 3"),
        (1, [[1, 1]], "stationary", None, "redaction: expected 2 rows, one per record, found 1"),
        (1, [[1, 1], [1, 1]], (0, 1), None, "private: nothing to check: a value of record 1 has probability 0"),
        (1, [[1, 1], [1, 1]], "stationary", 63, "precision: expected at least 64 bits, found 63"),
    ],
)
def test_misuse_is_named(private, rows, initial, precision, message):
    with pytest.raises(ModelError) as error:
        redaction_leakage(BinaryChain("1/4", "1/2", 2, initial), LocalRedaction(rows), private, precision)
    assert str(error.value) == message


def test_long_numbers_are_rounded_and_say_so(monkeypatch):
    chain = BinaryChain("1/1003", "3/1009", 60)
    mechanism = LocalRedaction([["1/2", 1]] * 29 + [[1, 1]] + [["1/2", 1]] * 30)
    exact = redaction_leakage(chain, mechanism, 30).leakage
    monkeypatch.setattr(redaction_sides, "_MAX_BITS_SHORT", 200)
    rounded = redaction_leakage(chain, mechanism, 30).leakage
    assert exact.ratio is not None
    assert rounded.ratio is None
    assert rounded.lower < exact.ratio < rounded.upper
    assert rounded.upper / rounded.lower - 1 < Fraction(1, 2**140)
    assert rounded.enclosure() == exact.enclosure()


def test_what_is_shown_of_a_first_record_that_does_not_matter_is_possible():
    for initial in [(1, 0), (0, 1), ("1/3", "2/3"), "stationary"]:
        for first in [(0, 1), (1, 0), (0, 0), (1, 1), (0, "1/2"), ("1/2", 0)]:
            chain = BinaryChain("1/4", "1/2", 3, initial)
            mechanism = LocalRedaction([first, [0, 0], [1, 1]])
            found = redaction_leakage(chain, mechanism, 3)
            assert likelihoods(chain, mechanism, 3)[found.output][found.likelier] > 0
