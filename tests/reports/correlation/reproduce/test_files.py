"""The loaders of published data sets: small files of the documented layouts, and what they say of
files that are absent or different.
"""

import gzip
from random import Random

import numpy as np
import pytest

from pufferproof.examples.reproduce.populations.activities import DICTIONARY, METADATA, read_activities
from pufferproof.examples.reproduce.populations.check_in_files import CHECK_INS, VENUES
from pufferproof.examples.reproduce.populations.check_ins import place_labels, read_check_ins, read_cities
from pufferproof.examples.reproduce.populations.days import read_days
from pufferproof.examples.reproduce.populations.samples import window_labels
from pufferproof.models.errors import ModelError

LABELS = list(place_labels())
PLACES = {"v1": ("Tea Room", "JP"), "v2": ("Pub", "JP"), "v3": ("Car Wash", "TR")}
DAY = "Tue {} {:02} 10:00:00 +0000 {}"


def write_check_ins(folder, rows, venues=PLACES):
    (folder / VENUES).write_text("".join(f"{v}\t35.0\t139.0\t{name}\t{land}\n" for v, (name, land) in venues.items()))
    (folder / CHECK_INS).write_text("".join(f"{user}\t{venue}\t{time}\t540\n" for user, venue, time in rows))


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
        (CHECK_INS, "7\tv1\tc\t35\t139\tTue Apr\t1\t2", r"\(user, venue, UTC time, offset\), found 8"),
        (CHECK_INS, "x\tv1\tTue Apr 03 18:00:06 +0000 2012\t1", 'number in column "user", found .x'),
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


def visit(user, category, time):
    return f"{user}\tv\t4bf5\t{category}\t40.7\t-74.0\t-240\t{time}\n"


def test_check_ins_of_cities_have_people_of_their_own_and_four_fifths_to_fit(tmp_path):
    """The layout of New York and Tokyo: Latin-1, a mark or not, ends of lines of either kind."""
    days = [DAY.format("Apr", number, 2012) for number in (3, 4, 5, 6, 7)]
    new_york = "".join(visit(1, "Caf\xe9", day) for day in days)
    (tmp_path / "dataset_TSMC2014_NYC.txt").write_bytes(new_york.encode("latin-1"))
    tokyo = "\ufeff" + "".join(visit(1, "Caf\xe9", day) for day in days[2:]) + "\n"
    (tmp_path / "dataset_TSMC2014_TKY.txt").write_bytes(tokyo.replace("\n", "\r\n").encode())
    found = read_cities(tmp_path)
    cafe = LABELS.index("Cafe")
    assert (found.name, found.queries, found.length) == ("cities", ("NYC", "TKY"), 1)
    assert (found.counts[:, cafe].tolist(), found.counts.sum()) == ([1, 1], 2)
    assert (found.steps[cafe, cafe], found.steps.sum(), found.usual[cafe]) == (4, 4, 6)
    assert "8 check-ins of 2 people, days 1 to 4" in found.said[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\tv\tc\tBar\t40.7\t-74.0\t-240", 'line 2: .*found 7: "UTC time" missing'),
        ("1,v,c,Bar,40.7,-74.0,-240,now", r"line 2: expected 8 columns .*found 1"),
        (visit("userId", "Bar", DAY.format("Apr", 3, 2012)), 'line 2: .*"user", found .userId'),
        (visit(1, "Bar", "Tue Apr 31 10:00:00 +0000 2012"), 'line 2: .*"UTC time", found .Tue'),
        (visit(1, "Bar", "Tue Apr 03 25:00:00 +0000 2012"), 'line 2: .*"UTC time", found .Tue'),
        (visit(1, "Bar", "Tue Apr 03 10:00:00 +0900 2012"), 'line 2: .*"UTC time", found .Tue'),
    ],
)
def test_check_ins_of_cities_that_are_different_are_refused(tmp_path, line, message):
    path = tmp_path / "dataset_TSMC2014_NYC.txt"
    path.write_text(visit(1, "Bar", DAY.format("Apr", 3, 2012)) + line)
    with pytest.raises(ModelError, match=f"dataset_TSMC2014_NYC.txt: {message}"):
        read_cities(tmp_path)


def participant(samples):
    return "time,x,y,z,annotation\n" + "".join(f'2016-11-13 {time},0.1,0.2,0.3,"{said}"\n' for time, said in samples)


def write_activities(folder, people, header="pid,age,sex", labels="label:WillettsMET2018"):
    rows = "".join(f"{pid},{age},F\n" for pid, (age, _) in people.items())
    (folder / METADATA).write_text(f"{header}\n{rows}")
    (folder / DICTIONARY).write_text(
        f'annotation,{labels}\n"7030 sleeping;MET 0.95",sleep\n"desk, sitting;MET 1.5",sitting\n'
    )
    for pid, (_, samples) in people.items():
        (folder / f"{pid}.csv.gz").write_bytes(gzip.compress(participant(samples).encode()))


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
        ({"header": "pid,years,sex"}, 'metadata.csv: expected a column "age", found pid, years, sex'),
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
    path.write_bytes(gzip.compress(b"time,x,y,z\n"))
    with pytest.raises(ModelError, match=r'P001.csv.gz: expected a column "annotation"'):
        read_activities(tmp_path)
    path.write_bytes(gzip.compress(participant([("soon", SLEEP)]).encode()))
    with pytest.raises(ModelError, match='in column "time", found'):
        read_activities(tmp_path)
    path.write_text("no archive")
    with pytest.raises(ModelError, match=r"P001.csv.gz: cannot be read"):
        read_activities(tmp_path)
    path.unlink()
    with pytest.raises(ModelError, match=r"P001.csv.gz: cannot be read"):
        read_activities(tmp_path)


def written(path, text, newline="\n", mark=""):
    path.write_bytes(gzip.compress((mark + text).replace("\n", newline).encode()))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("last", [False, True])
def test_a_file_of_samples_is_skimmed_as_if_read_line_by_line(tmp_path, newline, mark, quoted, last):
    """Enough lines for many blocks, with stretches of one minute and stretches without label."""
    draw, lines, expected, window = Random(1), [], [], None
    for minute in range(18, 45):
        said = draw.choice([SLEEP, DESK, DESK, "", "nowhere in the dictionary"])
        for sample in range(draw.choice([1, 1100, 1500])):
            now = said if sample != 1000 else SLEEP
            time = f"2016-11-13 02:{minute}:{sample // 100:02}.000000"
            cells = [f'"{time}"' if quoted else time, "0.1", "0.2", "0.3"]
            cells.append(f'"{now}"' if "," in now or quoted else now)
            lines.append(",".join(cells if last else [*cells, "0"]))
            if now in (SLEEP, DESK) and window != minute // 5:
                window = minute // 5
                expected.append("sleep" if now == SLEEP else "sitting")
    head = "time,x,y,z,annotation" + ("" if last else ",more")
    path = tmp_path / "P001.csv.gz"
    written(path, "\n".join([head, *lines]) + draw.choice(["", "\n"]), newline, mark)
    assert window_labels(path, {SLEEP: "sleep", DESK: "sitting"}) == expected


def test_a_file_of_samples_that_ends_in_the_middle_or_has_no_known_annotation(tmp_path):
    path, merged = tmp_path / "P001.csv.gz", {SLEEP: "sleep"}
    samples = [(f"02:{n // 60:02}:{n % 60:02}.{n:06}", SLEEP) for n in range(3000)]
    whole = gzip.compress(participant(samples).encode())
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match=r"P001.csv.gz: the archive ends in the middle"):
        window_labels(path, merged)
    path.write_bytes(whole[:-8] + bytes(8))
    with pytest.raises(ModelError, match=r"P001.csv.gz: cannot be read"):
        window_labels(path, merged)
    written(path, participant([("02:18:00", "a ride")]))
    with pytest.raises(ModelError, match=r'P001.csv.gz: .*column "annotation", found .a ride'):
        window_labels(path, merged)
    written(path, "time,x,y,z,annotation\n")
    with pytest.raises(ModelError, match=r"P001.csv.gz: expected annotations .*found none"):
        window_labels(path, merged)
    written(path, "time,annotation\n" + "x" * 3_000_000)
    with pytest.raises(ModelError, match=r"P001.csv.gz: expected lines"):
        window_labels(path, merged)
    path.unlink()
    path.mkdir()
    with pytest.raises(ModelError, match=r"P001.csv.gz: cannot be read: Is a directory"):
        window_labels(path, merged)


def test_days_are_months_of_the_last_year(tmp_path):
    path = tmp_path / "days.csv"
    path.write_text("# said\ndate,weather\n2014-12-30,sun\n2014-12-31,rain\n2015-01-01,sun\n2015-02-01,rain\n")
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
