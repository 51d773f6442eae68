"""Rows that are read at once have the integers of those that are read number by number; and an
array of integers is the channel of its rows, whatever their size.
"""

import re
from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import Channel, Framework, ModelError, Table, audit
from pufferproof.models.numbers.grammar import exact, integers_of, over_common

WHOLE = st.integers(0, 10**25) | st.sampled_from([0, 1, 2**63 - 1, 2**63, 2**64])
DIGITS = st.text("0123456789", min_size=1, max_size=24)
DECIMALS = st.builds("{}.{}".format, DIGITS, DIGITS)
ALIKE = st.integers(1, 22).flatmap(
    lambda k: st.lists(
        st.builds("{}.{}".format, DIGITS, st.text("0123456789", min_size=k, max_size=k)), min_size=1, max_size=40
    )
)
EXPONENTS = st.builds("{}{}{}".format, DIGITS | DECIMALS, st.sampled_from("eE"), st.integers(-40, 40))
TEXTS = DIGITS | DECIMALS | EXPONENTS | st.builds("{}/{}".format, DIGITS, st.integers(1, 99))
ROWS = (
    ALIKE
    | st.lists(DECIMALS, min_size=1, max_size=40)
    | st.lists(TEXTS, min_size=1, max_size=6)
    | st.lists(WHOLE | st.fractions(0, 9), min_size=1, max_size=6)
)
REFUSED = [
    "", "-0.5", "-1", "1/0", "+1", ".5", "1.", "1,2", "0.1,0.2", "1e", "1e99999", "nan", "inf",
    "0x1", "1_0", " 1", "1\n", "²", "٣", "1.5/2", True, None, float("nan"), float("inf"), -0.5,
]  # fmt: skip


def one_by_one(row):
    values = [exact(each) for each in row]
    common = lcm(*(value.denominator for value in values))
    return [int(value * common) for value in values], common


@examples(600)
@given(ROWS)
def test_a_row_read_at_once_has_the_integers_of_its_numbers(row):
    assert integers_of(row) == one_by_one(row)


def test_decimals_of_every_length_and_many_of_them():
    for places, length in product([1, 6, 17, 18, 19, 40, 999], [1, 31, 32, 33, 200]):
        row = [f"{k % 10}.{k * 7919 + 1:0{places}d}"[: places + 2] for k in range(length)]
        for each in (row, [*row, "3"], ["9" * 30 + row[0], *row]):
            assert integers_of(each) == one_by_one(each)


@pytest.mark.parametrize("others", [1, 40])
def test_what_is_no_probability_is_refused_in_one_line_that_names_its_place(others):
    outputs = [f"y{k}" for k in range(others + 1)]
    said = {}
    for refused in REFUSED:
        try:
            Channel.of({"a": ["0.25"] * others + [refused]}, outputs, normalize=True)
        except ModelError as error:
            said[refused] = str(error)
    assert [each for each in REFUSED if not re.fullmatch(r'channel row "a".+', said.get(each, ""))] == []


@pytest.mark.parametrize("normalize", [True, False])
@examples(300)
@given(
    st.sampled_from([np.int8, np.uint8, np.int32, np.int64, np.uint64]).flatmap(
        lambda kind: st.lists(
            st.lists(
                st.integers(int(np.iinfo(kind).min), int(np.iinfo(kind).max)) | st.integers(0, 3),
                min_size=3,
                max_size=3,
            ),
            min_size=1,
            max_size=3,
        ).map(lambda rows: np.array(rows, dtype=kind))
    )
)
def test_an_array_of_integers_is_the_channel_of_its_rows(normalize, matrix):
    labels = "abc"[: len(matrix)]
    makers = (
        lambda: Channel.from_array(matrix, labels, normalize=normalize),
        lambda: Channel.of(dict(zip(labels, matrix.tolist())), "012", normalize),
    )
    found, other = map(outcome, makers)
    assert found == other


def outcome(maker):
    """What a channel holds, or why there is none."""
    try:
        made = maker()
    except ModelError as error:
        return str(error)
    rows = [made.numerators_of(x) for x in range(len(made.databases))]
    return made.databases, made.outputs, rows, made.denominators, str(made.numerators.dtype)


@examples(200)
@given(st.lists(st.tuples(st.integers(1, 2**63 - 1), st.integers(1, 2**63 - 1)), min_size=1))
def test_fractions_of_numpy_integers_are_those_of_python(pairs):
    ours = [Fraction(above, below) for above, below in pairs]
    theirs = [Fraction(np.int64(above), np.int64(below)) for above, below in pairs]
    numerators, common = over_common(theirs)
    assert (numerators, common) == over_common(ours)
    assert {*map(type, numerators), type(common)} == {int}
    assert integers_of(theirs) == integers_of(ours)
    read = list(map(exact, theirs))
    assert read == ours
    assert {type(part) for each in read for part in each.as_integer_ratio()} == {int}


def test_an_audit_of_fractions_of_numpy_integers_overflows_nowhere():
    def asked(number):
        share = Fraction(number(1), number(2**62 - 57))
        table = Table({"a": share, "b": 1 - Fraction(1, 2**62 - 57)})
        rows = {"a": [share, 1 - share], "b": [1 - share, share], "c": ["1/2", "1/2"]}
        wide = Table({"a": share, "b": share, "c": 1 - Fraction(2, 2**62 - 57)})
        space = {"s": ["a", "b"], "t": ["c"]}
        framework = Framework("abc", space, [("s", "t")], {"two": wide})
        assert table.law(("a", "b"), None).weights[0] == 1
        return audit(framework, Channel.of(rows, "uv"), "log(2)").as_json()

    assert asked(np.int64) == asked(int)


def test_rows_of_fractions_and_integers_together():
    assert integers_of([1, Fraction(1, 6), Fraction(3, 4)]) == ([12, 2, 9], 12)
    assert integers_of([0.5, 0.5]) is None
    assert integers_of([True, False]) is None
