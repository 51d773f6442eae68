"""Times of recorded rows: what goes back or has gaps is refused, or said."""

import re
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import numpy as np
import pandas as pd
import pytest

import pufferproof as pp
from pufferproof.models.files.recorded.sources.gathering import Asked
from pufferproof.models.files.recorded.table import read_column

BEGIN = datetime.fromisoformat("2026-03-29 00:00:00+01:00")
STATES = [*"aababbabbaabbbaabab"] * 6


def berlin(count):
    """Return half-hours over the change to summer time, with offsets."""
    found = pd.date_range("2026-03-29", periods=count, freq="30min", tz="Europe/Berlin")
    return [str(each) for each in found]


def written(folder, times, states=STATES, more=()):
    columns = [times, states, *([more] if more else [])]
    rows = [["t", "state", "who"][: len(columns)], *zip(*columns)]
    lines = [",".join(map(str, row)) for row in rows]
    path = folder / "data.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def months(day):
    return [f"{2000 + k // 12}-{k % 12 + 1:02d}-{day:02d}" for k in range(len(STATES))]


EQUAL = [
    berlin(len(STATES)),
    [str(k) for k in range(len(STATES))],
    [f"{k / 4}" for k in range(len(STATES))],
    [str(2000 + k) for k in range(len(STATES))],
    months(1),
    months(15),
    [str(each.date()) for each in pd.date_range("2020-01-31", periods=len(STATES), freq="ME")],
    # midnights in Berlin, 23 hours apart at the change
    list(map(str, pd.date_range("2026-03-20", periods=len(STATES), freq="D", tz="Europe/Berlin"))),
    [(BEGIN + timedelta(hours=k)).isoformat() for k in range(len(STATES))],
]


@pytest.mark.parametrize("times", EQUAL)
def test_equal_steps_are_taken(tmp_path, times):
    path = written(tmp_path, times)
    found = read_column(path, Asked("state", time="t")).value
    assert found.sequences == read_column(path, Asked("state")).value.sequences
    assert (found.doubts, read_column(path, Asked("state")).value.doubts) == ((), ())
    assert pp.fit(STATES, time=times).counts == pp.fit(path, "state").counts


@pytest.mark.parametrize("minutes", [30, 60])
def test_a_step_that_is_missing_is_not_hidden_by_the_change_to_winter_time(tmp_path, minutes):
    """On the clock of the wall 3:00+01:00 would be the next step after 2:00+02:00."""
    begin, freq = "2026-10-25 00:00", f"{minutes}min"
    zone = pd.date_range(begin, periods=len(STATES) + 1, freq=freq, tz="Europe/Berlin")
    every = [str(each) for each in zone]
    lost = every.index("2026-10-25 02:00:00+01:00")
    hole = [each for k, each in enumerate(every) if not lost <= k < lost + 60 // minutes]
    path = written(tmp_path, hole, STATES[: len(hole)])
    with pytest.raises(pp.ModelError, match=r"03:00:00\+01:00 follows 2026-10-25 02:"):
        read_column(path, Asked("state", time="t"))
    (doubt,) = read_column(path, Asked("state")).value.doubts
    assert "03:00:00+01:00 follows 2026-10-25 02:" in doubt.says


def swapped(times):
    return [*times[:6], times[7], times[6], *times[8:]]


def shuffled(times):
    pairs = list(zip(times, STATES))
    Random(2).shuffle(pairs)
    return [time for time, _ in pairs]


@pytest.mark.parametrize("change", [swapped, shuffled, lambda times: times[::-1]])
def test_rows_that_are_out_of_order_are_refused_asked_or_not(tmp_path, change):
    path = written(tmp_path, change(berlin(len(STATES))))
    for options in ({"time": "t"}, {}, {"confidence": "90%"}):
        with pytest.raises(pp.ModelError, match=r'line \d+: column "t": .* below') as error:
            pp.fit(path, "state", **options)
        assert "expected rows in the order of time" in str(error.value)


def test_a_gap_is_refused_with_a_named_column_and_a_doubt_without(tmp_path):
    times = berlin(len(STATES) + 48)
    path = written(tmp_path, times[:40] + times[88:])
    with pytest.raises(pp.ModelError, match='line 42: column "t": 2026-03-30 21:'):
        pp.fit(path, "state", time="t")
    (doubt,) = (each for each in pp.fit(path, "state").doubts if each.about == "gaps")
    assert '1 of 113 steps of time in column "t" are not 30 minutes: at line 42' in str(doubt)
    assert "a step of 1 day, 0:30:00" in str(doubt)
    assert str(doubt) in str(pp.fit(path, "state"))
    parts = ["before"] * 40 + ["after"] * (len(STATES) - 40)
    path = written(tmp_path, times[:40] + times[88:], more=parts)
    assert pp.fit(path, "state", group="who", time="t").recorded.doubts == ()


def test_a_column_that_is_not_the_time_of_rows_is_let_be(tmp_path):
    """A day beside the time, a date that never changes, and one that is missing somewhere."""
    times = berlin(len(STATES))
    days = [time[:10] for time in times]
    table = pd.DataFrame({"day": days, "t": times, "state": STATES, "made": "2020-01-01"})
    table["other"] = ["2026-01-01", None, *["2020-01-01"] * (len(STATES) - 2)]
    path = tmp_path / "data.csv"
    table.to_csv(path, index=False)
    assert pp.fit(path, "state").recorded.doubts == ()
    assert pp.fit(table, "state").recorded.doubts == ()
    assert pp.fit(path, "state", time="t").recorded.doubts == ()
    born = table.assign(t=times[::-1])
    born.to_csv(path, index=False)
    (doubt,) = pp.fit(path, "state").recorded.doubts  # the days go forward
    assert 'rows have the time of the row above in column "day"' in doubt.says


def test_dates_that_begin_late_are_no_doubt_beside_times_that_are_whole(tmp_path):
    days = [str(day.date()) for day in pd.date_range("2026-01-01", periods=len(STATES))]
    path = tmp_path / "data.csv"
    for whole, other in (("t", days), ("week", range(0, 2 * len(STATES), 2))):
        table = pd.DataFrame({"left": [None] * 9 + days[9:], whole: other, "state": STATES})
        table.to_csv(path, index=False)
        assert pp.fit(path, "state").recorded.doubts == ()
        table.drop(columns=whole).to_csv(path, index=False)
        (doubt,) = pp.fit(path, "state").recorded.doubts
        assert 'column "left" looks like times, but line 2: expected a time' in doubt.says
        back = table.drop(columns=whole).assign(left=[None] * 9 + days[:8:-1])
        back.to_csv(path, index=False)
        with pytest.raises(pp.ModelError, match=r'line 12: column "left": .* order of time'):
            pp.fit(path, "state")


@pytest.mark.parametrize("empty", [None, pd.NaT])
def test_an_index_of_times_that_begins_late_is_refused(empty):
    days = [empty, *pd.date_range("2026-01-02", periods=len(STATES) - 1)]
    for index in (pd.Index(days, dtype=object), pd.Index(days)):
        with pytest.raises(pp.ModelError, match=r"data\[0\]: index: .* missing"):
            pp.fit(pd.Series(STATES, index=index))


ORDERS = ["%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d.%m.%Y %H:%M"]


@pytest.mark.parametrize("form", ORDERS)
def test_the_order_of_dates_is_looked_at_however_they_are_written(tmp_path, form):
    times = [day.strftime(form) for day in pd.date_range("2026-01-01", periods=len(STATES))]
    path = written(tmp_path, times)
    found = pp.fit(path, "state")
    assert (found.recorded.reading.timing.step, found.recorded.doubts) == ("1 day", ())
    assert pp.fit(path, "state", time="t").counts == found.counts
    for options in ({}, {"time": "t"}):
        with pytest.raises(pp.ModelError, match="expected rows in the order of time"):
            pp.fit(written(tmp_path, shuffled(times)), "state", **options)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: ["", *t[1:]], r"line 2: expected a time, found ''"),
        (lambda t: ["NA", "-", *t[2:]], r"line 2: expected a time, found 'NA'"),
        (lambda t: [*t[:9], "", *t[10:]], r"line 11: expected a value, found '', which is mis"),
        (lambda t: [*t[:9], "Summe", *t[10:]], r"line 11: expected an ISO date"),
        (lambda t: [*t[:9], f"{t[9]}T00:00Z", *t[10:]], r"line 11: expected offsets"),
        (lambda t: [f"{day[8:]}-Jan-2026" for day in t], r"'01-Jan-2026' is not read"),
        (lambda t: [f"01/{day[8:]}/2026 10:00 PM" for day in t], r"'01/01/2026 10:00 PM' is not"),
        (lambda t: [f"{k // 12 + 1}/{k % 12 + 1}/2026" for k in range(len(t))], "a day above 12"),
    ],
)
def test_a_column_of_times_that_cannot_be_read_is_a_doubt(tmp_path, change, said):
    days = [str(day.date()) for day in pd.date_range("2026-01-01", periods=len(STATES))]
    found = pp.fit(written(tmp_path, change(days)), "state")
    (doubt,) = found.recorded.doubts
    assert 'nothing tells whether rows are in the order of time: column "t"' in doubt.says
    assert re.search(said, doubt.says)
    assert doubt.about == "gaps"


@pytest.mark.parametrize("form", ORDERS)
def test_disorder_above_a_cell_that_is_no_time_is_refused(tmp_path, form):
    times = [day.strftime(form) for day in pd.date_range("2026-01-01", periods=len(STATES))]
    path = written(tmp_path, [*shuffled(times)[:-1], ""])
    with pytest.raises(pp.ModelError, match=r"order of time .*leave the column out of the data"):
        pp.fit(path, "state")


def test_rows_with_the_time_of_the_row_above_are_a_doubt(tmp_path):
    times = [time for time in berlin(len(STATES) // 2) for _ in "ab"]
    people = ["ab"[k % 2] for k in range(len(STATES))]
    path = written(tmp_path, times, more=people)
    for missing in ("refuse", "split"):
        found = pp.fit(path, "state", missing=missing)
        assert "57 of 113 rows have the time of the row above" in found.recorded.doubts[0].says
        assert len(found.recorded.sequences) == 1
    assert pp.fit(path, "state", group="who").recorded.doubts == ()


def test_other_indices_of_pandas_are_times_too():
    index = pd.date_range("2026-01-01", periods=len(STATES), freq="h")
    for other in (
        index.to_period("h"),
        index - index[0],
        pd.Index([str(each) for each in index]),
        pd.Index([each.isoformat() for each in index]),
        pd.Index([each.to_pydatetime() for each in index], dtype=object),
    ):
        series = pd.Series(STATES, index=other)
        assert pp.fit(series).recorded.reading.timing.others == 0
        for broken in (series.sample(frac=1, random_state=1), series[::-1]):
            with pytest.raises(pp.ModelError, match=r"index: .* order of time"):
                pp.fit(broken)
    several = pd.MultiIndex.from_arrays([people := ["p"] * len(STATES), index])
    with pytest.raises(pp.ModelError, match=r"index: has times beside .* reset_index"):
        pp.fit(pd.Series(STATES, index=several))
    assert pp.fit(pd.Series(STATES, index=people)).counts == pp.fit(STATES).counts


def test_numbers_that_were_rounded_are_explained():
    days = [46000 + k / 24 for k in range(len(STATES))]
    with pytest.raises(pp.ModelError, match="numbers that were rounded differ a little"):
        pp.fit(STATES, time=days)


def test_the_index_of_pandas_is_a_time():
    index = pd.date_range("2026-03-29", periods=len(STATES), freq="30min", tz="Europe/Berlin")
    series = pd.Series(STATES, index=index)
    table = pd.DataFrame({"state": STATES}, index=index)
    assert pp.fit(series).counts == pp.fit(table, "state").counts == pp.fit(STATES).counts
    for broken, said in (
        (series.sample(frac=1, random_state=1), r"index: .* order of time"),
        (series.drop(series.index[30:40]), r"data\[30\]: index: .* expected steps of 30 minutes"),
    ):
        with pytest.raises(pp.ModelError, match=said):
            pp.fit(broken)
        with pytest.raises(pp.ModelError, match=said):
            pp.fit(broken.to_frame("state"), "state")
        assert pp.fit(broken.tolist())
    columns = table.reset_index(names="t")
    assert pp.fit(columns, "state", time="t").recorded.doubts == ()
    with pytest.raises(pp.ModelError, match='row 2: column "t": '):
        pp.fit(columns[::-1], "state")


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (["10/03/2025 00:30"], 'column "t": expected a day above 12'),
        (["2026-01-01", ""], "line 3: column \"t\": expected a value, found ''"),
        (["2026-01-01", "NaT"], "line 3: .* missing"),
        (["2026-01-01", "7"], 'line 3: column "t": expected numbers alone, or dates alone'),
        (["2026-01-01", "2026-01-02T00:00Z"], "line 3: .* offsets from UTC in all times, or in"),
        (["2026-02-30"], "line 2: .* expected an ISO date"),
        (["2026-01-01"] * 9, 'line 3: column "t": 2026-01-01 stands in two rows'),
        (["1", "2", "2", "3"], 'line 4: column "t": 2 stands in two rows: .*remove rows that were'),
        (["1e5000", "2e5000", "4e5000"], r"line 4: .* a step of ~?[0-9.e+]{1,40}"),
        (["1", "2", "4"], 'line 4: column "t": 4 follows 2, a step of 2: expected steps of 1'),
        (["1", "2", "1e9999999"], 'line 4: column "t": expected an ISO date'),
        (["2", "1"], 'line 3: column "t": 1 stands below 2'),
        (["2026-10-25T02:30", "2026-10-25T02:00"], "line 3: .*below"),
    ],
)
def test_times_that_cannot_be_are_refused_by_line(tmp_path, times, said):
    path = written(tmp_path, times, STATES)
    with pytest.raises(pp.ModelError, match=said) as error:
        pp.fit(path, "state", time="t", smoothing=1, states=["a", "b"])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"time": ["2026-01-01"]}, "time: expected 114 times, one per value, found 1"),
        ({"time": "t"}, "time: expected a sequence of values"),
        ({"time": [None] * 114}, r"data\[0\]: time: expected a value, found None"),
    ],
)
def test_times_of_a_list_are_one_for_each_value(options, said):
    with pytest.raises(pp.ModelError, match=said):
        pp.fit(STATES, **options)


def test_parquet_has_times_too(tmp_path):
    pytest.importorskip("pyarrow")
    table = pd.DataFrame({"t": pd.to_datetime(berlin(len(STATES)), utc=True), "state": STATES})
    path = tmp_path / "data.parquet"
    table.to_parquet(path)
    assert pp.fit(path, "state", time="t").counts == pp.fit(path, "state").counts
    for changed in (table, table.assign(t=table["t"].astype(str))):
        changed[::-1].to_parquet(path)
        for options in ({}, {"time": "t"}):
            with pytest.raises(pp.ModelError, match=r'row 2: column "t": .* order of time'):
                pp.fit(path, "state", **options)


# What is missing.


def counted(parts):
    """Count the steps of parts by walking along each."""
    found = {}
    for part in parts:
        for one, two in pairwise(part):
            found[one, two] = found.get((one, two), 0) + 1
    return found


@pytest.mark.parametrize("group", [None, "who"])
def test_split_makes_recordings_of_what_is_whole(tmp_path, group):
    """Against a walk along every part, with random rows lost and random values missing."""
    random = Random(4)
    for _ in range(20):
        times, states, who, parts, part = [], [], [], [], []
        for person in "ab" if group else "a":
            for time, state in zip(berlin(40), random.choices("xy", k=40)):
                fate = random.random()
                if fate < 0.9:
                    part.append(state)
                if fate < 0.95:  # in the file, perhaps without a value
                    times.append(time)
                    who.append(person)
                    states.append(state if fate < 0.9 else "")
                if fate >= 0.9:
                    parts, part = [*parts, part], []
            parts, part = [*parts, part], []
        path = written(tmp_path, times, states, who if group else ())
        found = pp.fit(path, "state", group=group, time="t", missing="split", smoothing=1)
        steps = counted(parts)
        assert found.counts.rows == tuple(tuple(steps.get((one, two), 0) for two in "xy") for one in "xy")
        assert found.recorded.records == sum(map(len, parts))
        assert found.recorded.reading.absent == states.count("")
        whole = [x or None for x in states]
        table = pd.DataFrame({"t": times, "state": whole, "who": who})
        options = {"group": group, "time": "t", "missing": "split", "smoothing": 1}
        assert pp.fit(table, "state", **options).counts == found.counts
        lists = {"group": who if group else None, "time": times}
        assert pp.fit(whole, **(options | lists)).counts == found.counts
        if not group:
            index = pd.DatetimeIndex(pd.to_datetime(times, utc=True))
            series = pd.Series(whole, index=index)
            assert pp.fit(series, missing="split", smoothing=1).counts == found.counts


def test_only_what_begins_a_group_is_counted_as_first(tmp_path):
    times = berlin(len(STATES) + 10)
    path = written(tmp_path, times[:50] + times[60:])  # b follows the gap
    found = pp.fit(path, "state", time="t", missing="split", initial="counted", length=3, private=1)
    assert len(found.recorded.sequences) == 2
    assert found.counts.first == (1, 0)
    assert "whether a value is missing does not depend" in found.assumed[-1]
    assert found.recorded.doubts == ()


def test_a_gap_is_split_by_a_column_that_is_not_named_too(tmp_path):
    times = berlin(len(STATES) + 48)
    path = written(tmp_path, times[:40] + times[88:])
    found = pp.fit(path, "state", missing="split")
    assert [len(each) for each in found.recorded.sequences] == [40, len(STATES) - 40]
    assert found.recorded.doubts == ()
    assert found.recorded.reading.timing.others == 1


def test_times_without_a_usual_step_are_not_split(tmp_path):
    times = [str(k * k) for k in range(len(STATES))]
    path = written(tmp_path, times)
    with pytest.raises(pp.ModelError, match=r"found 112 of 113 that are not 1 .*without --time"):
        pp.fit(path, "state", time="t", missing="split")


@pytest.mark.parametrize("missing", ["refuse", "split"])
@pytest.mark.parametrize("minutes", [15, 30, 60])
def test_local_times_that_come_twice_are_refused_and_explained(tmp_path, minutes, missing):
    zone = pd.date_range("2026-10-25", periods=20, freq=f"{minutes}min", tz="Europe/Berlin")
    path = written(tmp_path, list(map(str, zone.tz_localize(None))), STATES[:20])
    with pytest.raises(pp.ModelError, match="come twice at the end of summer time: write offsets"):
        pp.fit(path, "state", time="t", missing=missing)


def test_local_times_that_are_left_out_are_refused_and_explained(tmp_path):
    zone = pd.date_range("2026-03-29", periods=20, freq="30min", tz="Europe/Berlin")
    path = written(tmp_path, list(map(str, zone.tz_localize(None))), STATES[:20])
    with pytest.raises(pp.ModelError, match=r"line 6: .*no gap if offsets from UTC are written"):
        pp.fit(path, "state", time="t")
    assert len(pp.fit(path, "state", time="t", missing="split").recorded.sequences) == 2
    path = written(tmp_path, list(map(str, zone)), STATES[:20])
    assert pp.fit(path, "state", time="t").recorded.reading.timing.others == 0
    path = written(tmp_path, list(map(str, zone.tz_convert("UTC"))), STATES[:20])
    assert pp.fit(path, "state", time="t").recorded.reading.timing.others == 0


def test_milliseconds_that_look_like_a_date_are_numbers(tmp_path):
    step = 30 * 60 * 1000  # 1712011231234 is 12:34 on 12 January 1712 by ISO, with 3 between
    times = [str(1_712_011_231_234 + k * step) for k in range(20)]
    path = written(tmp_path, times, STATES[:20])
    assert pp.fit(path, "state", time="t").recorded.reading.timing.step == "1800000"
    days = [f"202603{day:02}" for day in range(1, 21)]
    path = written(tmp_path, days, STATES[:20])
    assert pp.fit(path, "state", time="t").recorded.reading.timing.step == "1 day"


def test_gaps_are_those_of_groups_of_any_type():
    times, states = [0, 1, 5, 6, 7, 11], [*"ababab"]
    groups = list(np.array([0.1] * 3 + [0.2] * 3, dtype=np.float32))
    table = pd.DataFrame({"s": states, "g": pd.Series(groups, dtype=object), "t": times})
    options = {"missing": "split", "smoothing": 1}
    for found in (
        pp.fit(states, group=groups, time=times, **options),
        pp.fit(table, "s", group="g", time="t", **options),
    ):
        assert list(map(len, found.recorded.sequences)) == [2, 1, 2, 1]


def test_dates_with_dots_have_the_day_first_and_slashes_are_refused():
    days = [f"{day:02}.{month:02}.2026 06:30" for month, day in ((1, 30), (1, 31), (2, 1), (2, 2))]
    timing = pp.fit([0, 1, 0, 0], time=days).recorded.reading.timing
    assert (timing.step, timing.others) == ("1 day", 0)
    for text, said in (("01/02/2026", "day or month first"), ("31.02.2026", "expected an ISO")):
        with pytest.raises(pp.ModelError, match=said):
            pp.fit([0, 1, 0, 0], time=[text] * 4)


@pytest.mark.parametrize(("form", "first"), [("%d/%m/%Y", "day"), ("%m/%d/%Y", "month")])
def test_a_day_above_12_tells_the_order_of_dates_with_slashes(tmp_path, form, first):
    path = tmp_path / "data.csv"
    days = pd.date_range("2026-01-01", periods=60)
    lines = [f"{day.strftime(form)},{'ab'[k % 3 == 0]}" for k, day in enumerate(days)]
    path.write_text("\n".join(["t,state", *lines]), "utf-8")
    timing = pp.fit(path, "state", time="t").recorded.reading.timing
    assert (timing.where, timing.step) == (f'column "t", {first} first', "1 day")
    assert (timing.span.days, timing.others) == (1, 0)
    path.write_text("\n".join(["t,state", *lines[:12]]), "utf-8")
    with pytest.raises(pp.ModelError, match='column "t": expected a day above 12'):
        pp.fit(path, "state", time="t")
    path.write_text("\n".join(["t,state", "13/01/2026,a", "01/14/2026,b"]), "utf-8")
    with pytest.raises(pp.ModelError, match=r"line 3: .* day first: .* found '01/14/2026'"):
        pp.fit(path, "state", time="t")
    path.write_text("\n".join(["t,state", *lines[:20], *lines[21:]]), "utf-8")
    with pytest.raises(pp.ModelError, match="a step of 2 days: expected steps of 1 day"):
        pp.fit(path, "state", time="t")
