"""The loaders of published data sets: small files of the documented layouts, and what they say of
files that are absent or different.
"""

import gzip

import numpy as np
import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.files.populations.activities import DICTIONARY, METADATA, read_activities
from pufferproof.models.files.populations.check_ins import (
    CHECK_INS,
    VENUES,
    place_labels,
    read_check_ins,
)
from pufferproof.models.files.populations.days import read_days

LABELS = list(place_labels())
PLACES = {"v1": ("Tea Room", "JP"), "v2": ("Pub", "JP"), "v3": ("Car Wash", "TR")}
DAY = "Tue {} {:02} 10:00:00 +0000 {}"


def write_check_ins(folder, rows, venues=PLACES):
    (folder / VENUES).write_text(
        "".join(f"{v}\t35.0\t139.0\t{name}\t{land}\n" for v, (name, land) in venues.items())
    )
    (folder / CHECK_INS).write_text(
        "".join(f"{user}\t{venue}\t{time}\t540\n" for user, venue, time in rows)
    )


def test_check_ins_are_merged_ordered_and_cut_by_days(tmp_path):
    rows = [
        ("7", "v2", "Wed Apr 04 18:00:06 +0000 2012"),  # after the next line
        ("7", "v1", "Tue Apr 03 18:00:06 +0000 2012"),
        ("7", "v1", "Thu Apr 05 18:00:06 +0000 2012"),
        ("8", "v3", "Thu Apr 05 18:00:06 +0000 2012"),
        ("7", "v2", "Fri May 10 18:00:06 +0000 2013"),  # day 402
        ("7", "v1", "Sat May 11 18:00:06 +0000 2013"),
        ("8", "v3", "Mon May 13 18:00:06 +0000 2013"),
        ("7", "v1", "Sat Sep 14 18:00:06 +0000 2013"),  # day 529
    ]
    write_check_ins(tmp_path, rows)
    found = read_check_ins(tmp_path)
    coffee, bar, other = (LABELS.index(label) for label in ("Coffee Shop", "Bar", "other"))
    assert (found.name, found.source, len(found.labels)) == ("foursquare", "files", 78)
    assert found.queries == ("JP", "TR")
    assert (found.counts[0, bar], found.counts[0, coffee], found.counts.sum()) == (1, 1, 3)
    assert found.counts[1, other] == 1
    assert (found.steps[coffee, bar], found.steps[bar, coffee], found.steps.sum()) == (1, 1, 2)
    assert (found.usual[coffee], found.usual[other], found.length) == (2, 1, 2)


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        (CHECK_INS, "7\tv1\tTue Apr 03 18:00:06 +0000 2012", 'line 1: .*found 3: "offset" missing'),
        (
            CHECK_INS,
            "7\tv1\tc\t35\t139\tTue Apr\t1\t2",
            r"\(user, venue, UTC time, offset\), found 8",
        ),
        (
            CHECK_INS,
            "x\tv1\tTue Apr 03 18:00:06 +0000 2012\t1",
            'number in column "user", found .x',
        ),
        (CHECK_INS, "7\tv1\t2012-04-03\t1", 'in column "UTC time", found .2012-04-03'),
        (CHECK_INS, "7\tv9\tTue Apr 03 18:00:06 +0000 2012\t1", "a venue of .*POIs.txt, found .v9"),
        (CHECK_INS, "", "expected 4 columns|expected check-ins"),
        (VENUES, "v1\t35\t139\tTea Room", 'line 1: .*found 4: "country" missing'),
    ],
)
def test_check_ins_that_are_different_are_refused_by_line_and_column(tmp_path, name, line, message):
    write_check_ins(tmp_path, [("7", "v1", DAY.format("Apr", 3, 2012))])
    (tmp_path / name).write_text(f"{line}\n" if line else "")
    with pytest.raises(ModelError, match=message):
        read_check_ins(tmp_path)


def test_an_absent_file_says_what_was_expected(tmp_path):
    write_check_ins(tmp_path, [])
    (tmp_path / VENUES).unlink()
    with pytest.raises(ModelError, match=r"POIs.txt: cannot be read .*venue, latitude, longitude"):
        read_check_ins(tmp_path)


def participant(samples):
    return "time,x,y,z,annotation\n" + "".join(
        f'2016-11-13 {time},0.1,0.2,0.3,"{said}"\n' for time, said in samples
    )


def write_activities(folder, people, header="pid,age,sex", labels="label:WillettsMET2018"):
    rows = "".join(f"{pid},{age},F\n" for pid, (age, _) in people.items())
    (folder / METADATA).write_text(f"{header}\n{rows}")
    (folder / DICTIONARY).write_text(
        f'annotation,{labels}\n"7030 sleeping;MET 0.95",sleep\n"desk, sitting;MET 1.5",sitting\n'
    )
    for pid, (_, samples) in people.items():
        with gzip.open(folder / f"{pid}.csv.gz", "wt") as file:
            file.write(participant(samples))


SLEEP, DESK = "7030 sleeping;MET 0.95", "desk, sitting;MET 1.5"


def test_activities_are_one_label_per_window(tmp_path):
    samples = [
        ("02:18:00.000000", ""),  # not annotated
        ("02:19:00.000000", SLEEP),
        ("02:19:30.000000", DESK),  # the same window
        ("02:20:00.010000", DESK),
        ("02:31:00.010000", DESK),
    ]
    people = {f"P{n:03}": ("18-29", samples) for n in range(1, 11)}
    write_activities(tmp_path, people)
    found = read_activities(tmp_path)
    assert found.labels == ("sitting", "sleep")
    assert len(found.queries) == 8
    assert found.queries[0] == "18-29: P001"
    assert np.array_equal(found.counts, [[2, 1]] * 8)
    assert np.array_equal(found.steps, [[2, 0], [2, 0]])  # P009 and P010
    assert found.length == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"header": "pid,years,sex"},
            'metadata.csv: expected a column "age", found pid, years, sex',
        ),
        ({"labels": "label:Other"}, 'expected a column "label:WillettsMET2018", found annotation'),
    ],
)
def test_a_missing_column_is_named(tmp_path, change, message):
    write_activities(tmp_path, {"P001": ("18-29", [("02:19:00", SLEEP)])}, **change)
    with pytest.raises(ModelError, match=message):
        read_activities(tmp_path)


def test_files_of_participants_that_are_absent_or_different(tmp_path):
    write_activities(tmp_path, {"P001": ("18-29", [("02:19:00", SLEEP)])})
    path = tmp_path / "P001.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write("time,x,y,z\n")
    with pytest.raises(ModelError, match=r'P001.csv.gz: expected a column "annotation"'):
        read_activities(tmp_path)
    with gzip.open(path, "wt") as file:
        file.write(participant([("soon", SLEEP)]))
    with pytest.raises(ModelError, match='in column "time", found'):
        read_activities(tmp_path)
    path.write_text("no archive")
    with pytest.raises(ModelError, match=r"P001.csv.gz: cannot be read"):
        read_activities(tmp_path)
    path.unlink()
    with pytest.raises(ModelError, match=r"P001.csv.gz: cannot be read"):
        read_activities(tmp_path)


def test_days_are_months_of_the_last_year(tmp_path):
    path = tmp_path / "days.csv"
    path.write_text(
        "# said\ndate,weather\n2014-12-30,sun\n2014-12-31,rain\n2015-01-01,sun\n2015-02-01,rain\n"
    )
    found = read_days(path, "here")
    assert (found.labels, found.queries) == (("rain", "sun"), ("2015-01", "2015-02"))
    assert np.array_equal(found.counts, [[0, 1], [1, 0]])
    assert np.array_equal(found.steps, [[0, 0], [1, 0]])
    path.write_text("date,sky\n2014-12-30,sun\n")
    with pytest.raises(ModelError, match='expected a column "weather", found date, sky'):
        read_days(path, "here")
    path.write_text("date,weather\n2014-12-30,sun\n2014-12-31,rain\n")
    with pytest.raises(ModelError, match="expected days of at least two years"):
        read_days(path, "here")
