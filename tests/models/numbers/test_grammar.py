"""Numbers and levels: the grammar, exact comparisons, outward rounding."""

import json
import pickle
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import Level, ModelError
from pufferproof.models.files.writing import indented
from pufferproof.models.numbers.enclosures import enclose, enclose_log
from pufferproof.models.numbers.grammar import exact, parse_number
from pufferproof.models.numbers.text import (
    at_least,
    at_most,
    brief_chance,
    chance,
    int_of,
    text_of,
    text_of_int,
    texts_of_ratios,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("007", 7),
        ("3/4", Fraction(3, 4)),
        ("-3/4", Fraction(-3, 4)),
        ("0.25", Fraction(1, 4)),
        ("1e3", 1000),
        ("1E-3", Fraction(1, 1000)),
        ("2.5e+1", 25),
        ("6/8", Fraction(3, 4)),
        ("1e9999", Fraction(10**9999)),
        ("1e-9999", Fraction(1, 10**9999)),
    ],
)
def test_the_grammar_is_read_exactly(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 1",
        "1 ",
        "+1",
        ".5",
        "5.",
        "1/0",
        "1/-2",
        "1e",
        "1e99999",
        "1e999999999",
        "0x1",
        "1_000",
        "nan",
        "inf",
        "NaN",
        "Infinity",
        "1/2/3",
        "1/2e3",
        "1.5/2",
        "\u0661",
        "\u00bd",
        "1,5",
        "--1",
        "9" * 10_001,
        "1\n",
    ],
)
def test_everything_else_is_refused(text):
    with pytest.raises(ModelError):
        parse_number(text)


@pytest.mark.parametrize("value", [True, None, [], {}, float("nan"), float("inf"), 1j, object()])
def test_values_that_are_no_numbers_are_refused(value):
    with pytest.raises(ModelError):
        exact(value)


@given(st.integers(-(10**9000), 10**9000))
def test_integers_of_any_length_survive_writing_and_reading(value):
    assert int_of(text_of_int(abs(value))) == abs(value)
    assert parse_number(text_of(Fraction(value, 7))) == Fraction(value, 7)


@given(st.fractions(min_value=Fraction(1, 10**9)).filter(lambda ratio: ratio > 0))
def test_a_logarithm_is_enclosed_within_one_part_in_10_to_the_14(ratio):
    enclosure = enclose_log(ratio)
    lower, upper = Fraction(enclosure.lower), Fraction(enclosure.upper)
    assert lower <= upper
    assert upper - lower <= abs(lower) * Fraction(1, 10**14)
    if ratio != 1:
        assert Level.of_nats(abs(lower)).compare(max(ratio, 1 / ratio)) == (1 if lower > 0 else -1)
        assert Level.of_nats(abs(upper)).compare(max(ratio, 1 / ratio)) == (-1 if lower > 0 else 1)


@pytest.mark.parametrize("power", [30, 100, 400, 3000])
def test_logarithms_next_to_one_keep_their_relative_width(power):
    enclosure = enclose_log(1 + Fraction(1, 10**power))
    lower, upper = Fraction(enclosure.lower), Fraction(enclosure.upper)
    assert 0 < lower < Fraction(1, 10**power) < upper * (1 + Fraction(1, 10**power))
    assert upper - lower <= lower * Fraction(1, 10**14)


@given(st.fractions(), st.fractions(min_value=0))
def test_rational_bounds_are_rounded_outward(lower, width):
    enclosure = enclose(lower, lower + width)
    assert Fraction(enclosure.lower) <= lower <= lower + width <= Fraction(enclosure.upper)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("log(2)", "log(2)"),
        ("log(6/4)", "log(3/2)"),
        ("log(1/1)", "log(1)"),
        ("0", "0"),
        ("0.0", "0"),
        ("0.5", "0.5"),
        ("10", "10"),
        ("1e-3", "0.001"),
        ("1/5", "0.2"),
        ("1/3", "1/3"),
        ("1 nat", "1"),
        ("0.5 nats", "0.5"),
        ("ln(3)", "log(3)"),
        ("ln(9/6) nats", "log(3/2)"),
        ("log 3", "log(3)"),
        ("ln 3", "log(3)"),
        ("log( 3 / 2 )", "log(3/2)"),
    ],
)
def test_levels_are_read(text, shown):
    assert str(Level.parse(text)) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "log(0)",
        "log(1/2)",
        "log(1/0)",
        "log(1.5)",
        "log(-2)",
        "log2",
        "log 3/2",
        "1/0",
        "nat",
        "1 nat nat",
        "1,5",
        "-1",
        "-0.5",
        "nan",
        "inf",
        "log(2))",
        "e",
        "log()",
        "1e99999",
    ],
)
def test_what_is_no_level_is_refused(text):
    with pytest.raises(ModelError, match="expected a level"):
        Level.parse(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        *[("1,5", "1.5"), ("150%", "1.5"), ("12.5 %", "0.125"), ("log 3/2", "log(3/2)")],
        *[("Log(3)", "log(3)"), ("log(3", "log(3)"), ("ln3", "log(3)"), ("log(1.5)", "log(3/2)")],
        *[("log2(3)", "log(3)"), ("1 bit", "log(2)"), ("3 bits", "log(8)")],  # a bit is log(2)
        *[(".5", "0.5"), ("+1", "1"), (" 2", "2")],
    ],
)
def test_what_is_nearly_a_level_is_asked_about(text, meant):
    with pytest.raises(ModelError, match=re.escape(f', did you mean "{meant}"?')):
        Level.parse(text)
    assert str(Level.parse(meant)) == meant


@pytest.mark.parametrize(
    ("text", "hint"),
    [("1,5", ', did you mean "1.5"?'), ("-1,5", ', did you mean "-1.5"?'),
     ("5%", ', did you mean "0.05"?'), ("5,", ""), ("1,000,000", ""), ("x%", "")],
)  # fmt: skip
def test_what_is_nearly_a_number_is_asked_about(text, hint):
    with pytest.raises(ModelError) as error:
        exact(text)
    assert str(error.value).endswith(f'found "{text}"{hint}')


@pytest.mark.parametrize(
    ("text", "ending"),
    [("-0", '"-0"'), ("--epsilon=1", '"--epsilon=1"'), ("-0.1", "(a level is at least 0)"),
     ("-log(2)", "(a level is at least 0)"), ("log(2/0)", "(nothing is divided by 0)")],
)  # fmt: skip
def test_only_levels_below_0_are_said_to_be(text, ending):
    with pytest.raises(ModelError) as error:
        Level.parse(text)
    assert str(error.value).endswith(ending)


def test_level_0_is_printed_as_it_is_written():
    zero, log = Level("0"), Level("log(1)")
    assert (str(zero), repr(zero), str(log)) == ("0", "Level('0')", "log(1)")
    assert zero == log == Level.of_nats(0) == Level(0)
    assert hash(zero) == hash(log)
    assert pickle.loads(pickle.dumps(zero)) == log


def test_every_rational_is_decided_against_a_decimal_level():
    level = Level.parse("1")
    for digits in (1, 10, 40, 200):
        lower, upper = level.bounds(4 * digits)
        assert (level.compare(lower), level.compare(upper)) == (-1, 1)
        assert (level.sign(lower * 7, Fraction(7)), level.sign(-upper, Fraction(-1))) == (-1, -1)


@pytest.mark.parametrize(
    ("epsilon", "ratio", "sign"),
    [
        ("1e9999", Fraction(10**4000), -1),
        ("1e-9999", 1 + Fraction(1, 10**9998), 1),
        ("1e-9999", 1, -1),
        ("23.02585092994", 10**10, 1),
    ],
)
def test_extreme_levels_are_decided(epsilon, ratio, sign):
    assert Level.parse(epsilon).compare(Fraction(ratio)) == sign


def test_equality_with_a_logarithmic_level_is_exact():
    ratio = Fraction(10**50 + 1, 10**50)
    assert Level.log(ratio).compare(ratio) == 0
    assert Level.log(ratio).compare(ratio + Fraction(1, 10**400)) == 1


@examples(300)
@given(st.lists(st.integers(-50, 10**30), max_size=8), st.integers(1, 10**30))
def test_ratios_to_one_number_are_written_as_one_by_one(above, below):
    expected, known = [text_of(Fraction(each, below)) for each in above], dict[int, str]()
    assert texts_of_ratios(above, below) == expected
    for _ in range(2):
        assert texts_of_ratios(above, below, known) == expected
    assert known == dict(zip(above, expected))


def test_texts_that_are_known_are_dropped_when_they_are_many():
    known = {}
    for start in (0, 20_000, 40_000):
        numbers = range(start, start + 20_000)
        texts = texts_of_ratios(numbers, 60_000, known)
        assert texts == [text_of(Fraction(each, 60_000)) for each in numbers]
        assert len(known) == 20_000


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(st.text(max_size=3), max_size=4)
        | st.dictionaries(st.text(max_size=3) | st.integers(0, 9), inner, max_size=4)
    ),
    max_leaves=12,
)


@examples(300)
@given(JSON_VALUES)
def test_documents_are_written_as_the_library_of_python_writes_them(value):
    assert indented(value) == json.dumps(value, ensure_ascii=False, indent=1)


@given(st.fractions(min_value=0, max_value=10**6), st.integers(1, 12))
def test_written_bounds_stay_bounds(number, digits):
    low, high = at_least(number, digits), at_most(number, digits)
    assert Fraction(low) <= number <= Fraction(high)
    assert (low == high) == (Fraction(low) == number)


def test_a_probability_below_1_is_never_written_as_1():
    shares = [1 - Fraction(1, 10**k) for k in range(1, 30)]
    assert "1" not in {chance(share, digits) for share in shares for digits in (1, 3, 6)}
    assert not any(brief_chance(share).endswith("1") for share in (1 - Fraction(1, 10**30), *shares))
    assert (chance(Fraction(1)), chance(Fraction(0)), chance(Fraction(1, 10**9))) == ("1", "0", "1E-9")
