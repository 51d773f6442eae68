"""Fitting a chain: counts by hand, orders above the first, what the framework is, and data that are
refused.
"""

import math
import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency
from tests import examples

import pufferproof as pp
from pufferproof.models.files.recorded.chains import MAX_STATES, Recorded
from pufferproof.models.files.recorded.doubts.order import order_test
from pufferproof.models.files.recorded.sources import gathering as asked
from pufferproof.models.files.recorded.sources import gathering as work
from pufferproof.models.files.recorded.sources.gathering import Asked
from pufferproof.models.files.recorded.table import read_column

DAYS = ["dry", "dry", "wet", "dry", "wet", "wet", "dry", "dry"]
COIN = pp.LocalMechanism("ab", "ab", [[["3/4", "1/4"], ["1/4", "3/4"]]] * 4)
WORDS = st.lists(st.lists(st.sampled_from("abc"), max_size=12), min_size=1, max_size=4)


def counted(sequences, order):
    """Count by walking along every sequence, window by window."""
    steps = {}
    for values in sequences:
        for place in range(order, len(values)):
            context = tuple(values[place - order : place])
            steps.setdefault(context, Counter())[values[place]] += 1
    return steps


@given(WORDS, st.integers(1, 3), st.fractions(Fraction(1, 9), 3))
@examples(60)
def test_transitions_are_smoothed_relative_frequencies(sequences, order, added):
    steps = counted(sequences, order)
    flat = [value for values in sequences for value in values]
    groups = [number for number, values in enumerate(sequences) for _ in values]
    if len(set(flat)) < 2 or not steps:
        with pytest.raises(pp.ModelError):
            pp.fit(flat, group=groups, order=order, smoothing=added)
        return
    found = pp.fit(flat, group=groups, order=order, smoothing=added)
    size = len(found.states)
    assert len(found.counts.contexts) == size**order
    for context, row in zip(found.counts.contexts, found.transition):
        seen = steps.get(tuple(found.states[y] for y in context), Counter())
        for state, chance in zip(found.states, row):
            assert chance == (seen[state] + added) / (seen.total() + size * added)


def test_a_chain_of_the_second_order_has_the_law_of_its_definition():
    """Exactly P(x y z) = P(x y) P(z | x y), the pairs being stationary, against every word."""
    found = pp.fit([*"aabbabaabbbaabab"], order=2, length=4)
    after = dict(zip(found.counts.contexts, found.transition))
    pairs = [(x, y) for x in (0, 1) for y in (0, 1)]
    matrix = [[after[p][q[1]] if p[1] == q[0] else Fraction(0) for q in pairs] for p in pairs]
    stationary = dict(zip(pairs, pp.MarkovChain("stationary", matrix).initial_law()))
    records = pp.Records(4, ("a", "b"))
    law = found.prior.law(records.labels(), records)
    for index, word in enumerate(product((0, 1), repeat=4)):
        # the first record has one before it, which is summed out
        expected = sum(
            stationary[x, word[0]] * math.prod(after[a, b][c] for a, b, c in zip((x, *word), word, word[1:]))
            for x in (0, 1)
        )
        assert Fraction(law.weights[index], law.total) == expected
    assert pp.audit(found.framework, pp.LocalMechanism("ab", "ab", [[["3/4", "1/4"], ["1/4", "3/4"]]] * 4))


def test_what_is_written_is_read_as_the_same_framework(tmp_path):
    """Of every kind of prior: a chain, counted or stationary, and one of a higher order."""
    path = tmp_path / "f.json"
    data = [*"aabbabaabbbaabab"]
    for options in ({}, {"initial": "counted", "smoothing": 1}, {"order": 2}, {"order": 3}):
        found = pp.fit(data, length=4, private=2, **options)
        found.save(path)
        read = pp.read_framework(path).value
        assert dict(read.laws) == dict(found.framework.laws)
        assert str(pp.audit(read, COIN)) == str(pp.audit(found.framework, COIN))


@pytest.mark.parametrize(
    "data",
    [
        DAYS,
        tuple(DAYS),
        np.array(DAYS),
        pd.Series(DAYS),
        pd.Series(DAYS, index=range(7, -1, -1)),
        pd.Series(DAYS, dtype="category"),
    ],
)
def test_data_are_lists_arrays_and_series(data):
    assert pp.fit(data).prior == pp.fit(DAYS).prior


def test_data_are_tables_too(tmp_path):
    table = pd.DataFrame({"day": range(8), "weather": DAYS, "town": [*"aabbaabb"]})
    expected = pp.fit(DAYS, group=[*"aabbaabb"], smoothing=1)
    assert pp.fit(table, "weather", "town", smoothing=1).counts == expected.counts
    table.to_csv(tmp_path / "t.csv", index=False)
    read = pp.fit(str(tmp_path / "t.csv"), "weather", "town", smoothing=1)
    assert read.counts == expected.counts
    with pytest.raises(pp.ModelError, match='expected a column "rain", found "day", "weather"'):
        pp.fit(table, "rain")
    with pytest.raises(pp.ModelError, match=r'expected one column .*"day", "weather", "town"'):
        pp.fit(table)
    assert pp.fit(table[["weather", "town"]], group="town", smoothing=1).counts == expected.counts
    with pytest.raises(pp.ModelError, match="group: expected the name of a column of the table"):
        pp.fit(table, "weather", [*"aabbaabb"])


def test_an_answer_shows_its_table():
    found = pp.fit(DAYS, confidence="90%")
    table = found.to_pandas()
    assert list(table.columns) == ["after", "next", "count", "probability", "lower", "upper"]
    assert table["count"].sum() == len(DAYS) - 1
    assert (table["lower"] <= table["probability"]).all()
    assert list(pp.fit(DAYS).to_pandas().columns) == ["after", "next", "count", "probability"]
    assert "<th>dry</th>" in found._repr_html_()
    attack = pp.fit(["<b>", "x", "<b>", "<b>", "x"], smoothing=1)
    assert "<b>" not in attack._repr_html_()
    assert found.plot().axes


def test_the_test_of_the_order_is_that_of_contingency_tables():
    random = np.random.default_rng(1)
    values = random.integers(0, 3, 800).tolist()
    for order in (1, 2):
        windows = Counter(zip(*(values[k:] for k in range(order + 2))))
        statistic = degrees = 0
        for y in product(range(3), repeat=order):
            table = np.array([[windows[x, *y, z] for z in range(3)] for x in range(3)])
            table = table[table.any(1)][:, table.any(0)]
            found = chi2_contingency(table, correction=False)
            statistic, degrees = statistic + found.statistic, degrees + found.dof
        test = order_test([values], order)
        assert float(test.statistic) == pytest.approx(statistic)
        assert test.degrees == degrees
        close = 0.05 if test.draws else 1e-6
        assert test.p_value == pytest.approx(chi2.sf(statistic, degrees), abs=close)
        assert bool(test.draws) == (order == 2)


# What is refused.

REFUSED = [
    ({"data": []}, "expected recorded values, found none"),
    ({"data": ["a"] * 5}, 'at least two different values, found "a" alone'),
    ({"data": ["a", None, "b"]}, r"data\[1\]: expected a value, found None, which is missing"),
    ({"data": [1.0, float("nan")]}, r"data\[1\]: expected a value, found nan, which is missing"),
    ({"data": pd.Series(["a", pd.NA, "b"])}, r"data\[1\]: .* which is missing"),
    ({"data": pd.Series(pd.to_datetime(["2020-01-01", None]))}, r"data\[1\]: .* missing"),
    ({"data": np.array([1.0, np.nan])}, r"data\[1\]: .* missing"),
    ({"data": ["a", "NA", "b"]}, r"data\[1\]: expected a value, found 'NA', which is missing"),
    ({"data": [1, float("inf")]}, r"data\[1\]: expected a label or a finite number"),
    ({"data": ["a", ["b"]]}, r"data\[1\]: expected text or a number"),
    ({"data": ["a", "b\0"]}, "printable"),
    ({"data": ["a", "b "]}, r"data\[1\]: expected a label without spaces around it, found 'b '"),
    ({"data": {"a": 1}}, "data: expected a sequence of values, a Series or a table"),
    ({"data": list(range(MAX_STATES + 1))}, f"expected at most {MAX_STATES} different values"),
    ({"data": ["a"]}, "at least two"),
    ({"data": "ab", "group": [1, 2]}, "expected a sequence of more than 1 values"),
    ({"data": "abab", "group": [1]}, "group: expected 4 groups, one per value, found 1"),
    ({"data": "abab", "group": [1, 1, None, 2]}, r"group\[2\]: expected a value, found None"),
    ({"data": "aab"}, 'nothing follows "b" in what was recorded: .* smoothing'),
    ({"data": "aabab", "order": 2, "states": ["a", "b"]}, None),
    ({"data": "aaabb", "order": 2}, 'nothing follows "b, b" in what was recorded'),
    ({"data": "abab", "states": ["a", "c"]}, r"states: expected one of \"a\", \"c\", found 'b'"),
    ({"data": "abab", "states": ["a", "b", "c"]}, 'nothing follows "c"'),
    ({"data": "abab", "states": ["a", "a", "b"]}, "values repeat"),
    ({"data": ["a,b", "c", "a,b"]}, 'may not contain ","'),
    ({"data": "aabb", "group": [1, 1, 2, 2]}, "one recurrent class, found several .*smoothing"),
    ({"data": DAYS, "order": 0}, "order: expected at least 1, found 0"),
    ({"data": DAYS, "order": 8}, "order: expected a sequence of more than 8 values, found at most"),
    ({"data": DAYS, "order": 9**9}, "order"),
    ({"data": "abcabca", "order": 6, "smoothing": 1}, r"at most 256 contexts, found 3\^6"),
    ({"data": DAYS, "smoothing": -1}, "smoothing: expected a number of at least 0, found -1"),
    ({"data": DAYS, "smoothing": "x"}, "smoothing: expected a number"),
    ({"data": DAYS, "confidence": "95"}, r'confidence: .* \(did you mean "95%"'),
    ({"data": DAYS, "confidence": 1}, "confidence: expected a share between 0 and 1"),
    ({"data": DAYS, "confidence": "95%", "order": 2}, "confidence: a box is of chains"),
    ({"data": DAYS, "initial": "any"}, 'initial: expected "stationary" or "counted" without'),
    ({"data": DAYS, "initial": "counted", "confidence": "95%"}, 'initial: expected "any" or'),
    ({"data": DAYS, "initial": "counted", "order": 2}, 'initial: expected "stationary" above'),
    ({"data": DAYS, "length": 0}, "length: expected at least 1 record, found 0"),
    ({"data": DAYS, "private": 9}, "private: expected a record from 1 to 8, found 9"),
    ({"data": DAYS, "private": []}, "private: expected at least one record"),
    ({"data": DAYS, "length": 10**6}, "private: expected the private records, since all of"),
    ({"data": DAYS, "column": "x"}, "column: is for files and tables"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED)
def test_what_cannot_be_fitted_is_refused_with_a_remedy(arguments, said):
    data = arguments["data"]
    call = arguments | {"data": [*data] if isinstance(data, str) else data}
    if said is None:
        assert pp.fit(**call)
        return
    with pytest.raises(pp.ModelError, match=said) as error:
        pp.fit(**call)
    assert "\n" not in str(error.value)


CSV = [
    ("", "expected CSV with a header"),
    ("\n\n", "expected CSV with a header"),
    ("# only\n", "expected CSV with a header"),
    ("day,w\n", "expected rows below the header, found none"),
    ("day,weather\n1,a\n", 'expected a column "w", found "day", "weather"'),
    ("w,w\na,b\n", 'expected one column "w", found several'),
    ("day,w\n1,a\n2\n", "line 3: expected 2 cells, as the header has, found 1"),
    ("day,w\n1,a\n2,b,c\n", "line 3: expected 2 cells, as the header has, found 3"),
    ("day,w\n1,a\n\n2,b\n", "line 3: expected 2 cells, as the header has, found an empty line"),
    ("day,w\n1,a\n2,\n3,b\n", "line 3: column \"w\": expected a value, found '', which is missing"),
    ("# a\nday,w\n1,a\n2,NaN\n", "line 4: column \"w\": expected a value, found 'NaN'"),
    ('day,w\n"1\n1",a\n2,null\n', 'line 4: column "w"'),
    ("day,w\n1,a\n2,a\n", 'column "w": expected at least two different values, found "a" alone'),
    ('day,w\n1,"a\n', "expected CSV"),
]


@pytest.mark.parametrize(("text", "said"), CSV)
def test_a_csv_that_is_not_whole_is_refused_by_line(tmp_path, text, said):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(pp.ModelError, match=said) as error:
        pp.fit(path, "w")
    assert str(error.value).startswith(f"{path}: ")


def test_a_csv_is_utf_8(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes("w\nö\nä\nö\n".encode("utf-8-sig"))
    assert pp.fit(path, "w").states == ("ä", "ö")
    path.write_bytes(b"w\r\na\r\nb\r\na\r\n\r\n")
    assert pp.fit(path, "w").counts.rows == ((0, 1), (1, 0))
    with pytest.raises(pp.ModelError, match="cannot be read: No such file"):
        pp.fit(tmp_path / "none.csv", "w")


def test_without_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "data.parquet").write_bytes(b"PAR1")
    with pytest.raises(pp.ModelError, match=r"is a Parquet file: .*parquet\]\".*, or CSV"):
        pp.fit(tmp_path / "data.parquet", "w")


def test_rows_and_bytes_of_parquet_are_known_before_they_are_read(tmp_path, monkeypatch):
    """Equal cells take no room in a file."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "data.parquet"
    parquet.write_table(pa.table({"w": [*"ab"] * 50_000}), path)
    assert read_column(path, Asked("w")).value.states == ("a", "b")
    monkeypatch.setattr(asked, "MAX_ROWS", 99_999)
    with pytest.raises(pp.ModelError, match="expected at most 99999 rows, found 100000"):
        read_column(path, Asked("w"))
    parquet.write_table(pa.table({"w": ["ab" * 5_000, "c"]}), path, compression="zstd")
    assert path.stat().st_size < 5_000
    monkeypatch.setattr(work, "MAX_TABLE", 5_000)
    with pytest.raises(pp.ModelError, match="expected at most 5000 bytes once unpacked"):
        read_column(path, Asked("w"))


@pytest.mark.parametrize("lines", [3, 4])
def test_rows_of_csv_are_limited_too(tmp_path, monkeypatch, lines):
    monkeypatch.setattr(asked, "MAX_ROWS", 3)
    (tmp_path / "data.csv").write_text("w\n" + "a\nb\n" * (lines // 2) + "a\n" * (lines % 2))
    if lines == 4:
        with pytest.raises(pp.ModelError, match="at most 3 rows"):
            read_column(tmp_path / "data.csv", Asked("w"))
    else:
        assert sum(map(len, read_column(tmp_path / "data.csv", Asked("w")).value.sequences)) == 3


def test_parquet_is_read_as_csv_is(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "data.parquet"
    columns = {"w": [1, 2, 1, 1], "g": ["a", "a", "b", "b"], "x": [[1], [2], [3], [4]]}
    parquet.write_table(pa.table(columns), path)
    assert read_column(path, Asked("w", "g")).value == Recorded.of_labels(["12", "11"])
    for column, said in (
        ("none", 'expected a column "none", found "w", "g", "x"'),
        ("x", 'row 1: column "x": expected text or a number'),
    ):
        with pytest.raises(pp.ModelError, match=said):
            pp.fit(path, column)
    parquet.write_table(pa.table({"w": pa.array(["a", None, "b"])}), path)
    with pytest.raises(pp.ModelError, match='row 2: column "w": expected a value, found None'):
        pp.fit(path, "w")
    parquet.write_table(pa.table({"w": pa.array(["a", "b", "a"]).dictionary_encode()}), path)
    assert pp.fit(path, "w").states == ("a", "b")
    parquet.write_table(pa.table({"w": pa.array(["a" * 10**6, "b"] * 1000)}), path)
    with pytest.raises(pp.ModelError, match='row 1: column "w": expected a label of at most'):
        pp.fit(path, "w")
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(pp.ModelError, match="expected a Parquet file"):
        pp.fit(path, "w")


# Chains of counts and arrays.


def test_counts_and_arrays_make_chains():
    assert pp.MarkovChain.of_counts(np.array([[3, 1], [0, 2]])).transition[0][0] == Fraction(3, 4)
    assert pp.MarkovChain.of_counts(pd.crosstab(pd.Series([*"aabb"]), pd.Series([*"abab"])))
    floats = pd.DataFrame([[0.9, 0.1], [0.2, 0.8]], index=["a", "b"], columns=["a", "b"])
    chain = pp.MarkovChain.from_array(floats, initial=np.array([0.3, 0.7]), normalize=True)
    assert [sum(row) for row in chain.transition] == [1, 1]
    assert sum(chain.initial_law()) == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: pp.MarkovChain.of_counts([[1, 2]]), r"counts\[0\]: expected 1 entries"),
        (lambda: pp.MarkovChain.of_counts([]), "counts: expected at least one row"),
        (lambda: pp.MarkovChain.of_counts([[1, -1], [1, 1]]), r"counts\[0\]: expected a count"),
        (lambda: pp.MarkovChain.of_counts([[1, 0.5], [1, 1]]), r"expected a count, found 1/2"),
        (
            lambda: pp.MarkovChain.of_counts([[1, 1], [0, 0]]),
            r"counts\[1\]: all counts are 0: .* that of the value itself",
        ),
        (lambda: pp.MarkovChain.of_counts([[1, 1]] * 2, smoothing=-1), "smoothing: expected"),
        (lambda: pp.MarkovChain.of_counts([[1, float("nan")]] * 2), r"counts\[0\]: expected a finite"),
        (lambda: pp.MarkovChain.from_array([[0.5, 0.5]]), r"matrix\[0\]: expected 1 entries"),
        (
            lambda: pp.MarkovChain.from_array(np.array([[0.9, 0.1], [0.2, 0.8]])),
            r"transition\[0\]: sums to 1 \+ 2.8e-17, expected 1 \(normalize=True divides",
        ),
        (lambda: pp.MarkovChain.from_array(np.array([[np.nan, 1], [0, 1]])), "expected a finite"),
        (lambda: pp.MarkovChain.from_array([[1, 0], [0, 1]], [1]), "initial: expected 2 entries"),
        (lambda: pp.MarkovChain.from_array([[1, 0], [0, 1]]), "one recurrent class"),
    ],
)
def test_what_is_no_chain_is_refused_with_a_remedy(call, said):
    with pytest.raises(pp.ModelError, match=said):
        call()


@pytest.mark.parametrize(("several", "initial"), [(False, "any"), (True, "stationary")])
def test_boxes_of_a_rare_state_are_never_refused_and_hold_the_chain_as_often_as_stated(several, initial):
    """150 recordings of 60 values of P(0, 1) = 1/1000, most of them without a 1, whole or in groups
    of 20. If a box at 50 % missed half the time, more than 100 of 150 would miss with probability
    P(Bin(150, 1/2) > 100) < 2 10^-5. The seed is fixed.
    """
    rows = ((Fraction(999, 1000), Fraction(1, 1000)), (Fraction(1, 2), Fraction(1, 2)))
    random, missed, unknown = Random(5), 0, 0
    for _ in range(150):
        values, state = [], random.randrange(2)
        for _ in range(60):
            values.append("01"[state])
            state = random.choices((0, 1), [float(p) for p in rows[state]])[0]
        group = [place // 20 for place in range(60)] if several else None
        found = pp.fit(values, group=group, states=["0", "1"], confidence="50%", initial=initial)
        missed += not found.box.holds(rows)
        for row, counts, lower, upper in zip(found.transition, found.counts.rows, found.box.lower, found.box.upper):
            assert (row is None) == (not any(counts))
            if row is None:
                unknown += 1
                assert (lower, upper) == ((0, 0), (1, 1))
    assert unknown > 30
    assert missed <= 100


def test_what_a_box_does_not_need_is_said_to_be_unknown():
    """A state that nothing follows, and one that never occurred; without a box both are errors."""
    for data in ("aab", "aaaa", "bbaa"):
        found = pp.fit(list(data), states=["a", "b"], confidence="95%")
        smoothed = pp.fit(list(data), states=["a", "b"], confidence="95%", smoothing=1)
        assert found.box == smoothed.box
        assert found.text() == smoothed.text()
    found = pp.fit(list("aab"), confidence="95%")
    assert found.transition == ((Fraction(1, 2), Fraction(1, 2)), None)
    assert found.as_json()["transition"] == [["1/2", "1/2"], None]
    assert [row["probability"] for row in found.entries()] == [Fraction(1, 2), Fraction(1, 2), None, None]
    assert "unknown" in found._repr_html_()
    assert "unknown" in {text.get_text().split("\n")[0] for text in found.plot().axes[0].texts}
    with pytest.raises(pp.ModelError, match='nothing follows "b"'):
        _ = found.prior


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_tables_of_every_library_are_read_alike(library):
    pytest.importorskip(library)
    days = [f"2026-01-0{day}" for day in range(1, 9)]
    cells = {"t": days, "state": ["a", "a", "b", "a", "b", "b", "a", "a"]}
    table: object
    if library == "polars":
        import polars

        table = polars.DataFrame(cells)
    elif library == "pyarrow":
        import pyarrow

        table = pyarrow.table(cells)
    else:
        table = pd.DataFrame(cells)
    found = pp.fit(table, "state", time="t")
    assert found.counts == pp.fit(cells["state"]).counts
    assert found.recorded.reading.timing.step == "1 day"
    assert pp.fit(table["state"]).counts == found.counts


def test_lazy_tables_are_refused():
    polars = pytest.importorskip("polars")
    with pytest.raises(pp.ModelError, match=r"found a lazy one: collect\(\) it"):
        pp.fit(polars.LazyFrame({"state": ["a", "b"]}), "state")


@pytest.mark.parametrize(
    ("values", "same"),
    [
        (["Yes", "yes", "no"], '"Yes", "yes"'),
        (["1", "2", "1.0"], '"1", "1.0"'),
        ([0.0, 1.0, -0.0], '"-0.0", "0.0"'),
        (["B\u00fcro", "Bu\u0308ro", "aus"], '"Bu\u0308ro", "B\u00fcro"'),
        (["a  b", "a b", "c"], '"a  b", "a b"'),
    ],
)
def test_values_that_look_alike_are_noted(values, same):
    """They stay different: only those who recorded them know."""
    found = pp.fit(values * 9)
    (note,) = found.recorded.reading.notes
    assert note == f"{same} are different values here; write them alike if they mean the same"
    assert len(found.states) == 3
    assert pp.fit(values * 9, states=list(found.states)).recorded.reading.notes == ()
    assert pp.fit([*"abc"] * 9).recorded.reading.notes == ()
