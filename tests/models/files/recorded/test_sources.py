"""Files as people have them: every kind that is read gives the same chain, others are refused by
name.
"""

import csv
import gzip
import io
import sys
import zipfile
from collections import Counter
from fractions import Fraction
from random import Random

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

import pufferproof as pp
from pufferproof.models.errors import PufferproofError
from pufferproof.models.files.recorded.sources import gathering as work
from pufferproof.models.files.recorded.sources import text as source
from pufferproof.models.files.recorded.sources.gathering import Asked, Classes, limit_text
from pufferproof.models.files.recorded.table import read_column

STATES = [*"aababbabaabbbaabab"] * 3
TABLE = pd.DataFrame({"t": range(len(STATES)), "state": STATES, "kWh": [0.5] * len(STATES)})
EXPECTED = pp.fit(STATES).counts


def text(separator=",", states=STATES):
    found = io.StringIO()
    writer = csv.writer(found, delimiter=separator, lineterminator="\n")
    writer.writerow(["t", "state", "kWh"])
    writer.writerows((k, state, "0.5") for k, state in enumerate(states))
    return found.getvalue()


TEXTS = {
    "semicolons": text(";").encode(),
    "tabs": text("\t").encode(),
    "bars": text("|").encode(),
    "windows lines": text().replace("\n", "\r\n").encode(),
    "a mark": text().encode("utf-8-sig"),
    "utf-16": text(";").encode("utf-16"),
    "utf-16 of the other end": b"\xfe\xff" + text().encode("utf-16-be"),
    "utf-32": text().encode("utf-32"),
    "gzip": gzip.compress(text().encode()),
    "gzip in two members": gzip.compress(text().encode()[:50]) + gzip.compress(text().encode()[50:]),
    "the line by which Excel is told": b"sep=;\r\n" + text(";").encode(),
    "a comment": b"# by hand\n" + text(";").encode(),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_text_of_every_kind_has_the_same_chain(tmp_path, kind):
    path = tmp_path / "data.csv"
    path.write_bytes(TEXTS[kind])
    assert pp.fit(path, "state").counts == EXPECTED
    assert pp.fit(path, "state", time="t").recorded.reading.timing.step == "1"


ODD = ["", "NA", "none", " a", '"a"', '"a\nb"', '"', 'a"b', "state", "a,b", "#REF!", "x\x0b", "day", "1.5"]
CELLS = st.sampled_from(["a", "b", "b", "a"] * 8 + ODD)
DAYS = st.sampled_from(["{}", "{}", "2026-01-{:02d}", "{:02d}/01/2026"])


@given(st.lists(st.tuples(st.sampled_from("ggghgg"), CELLS), max_size=25), DAYS, st.data())
@examples(100)
def test_rows_in_blocks_are_read_as_rows_one_by_one(tmp_path_factory, rows, day, data):
    """Every answer and every error: of rows that are never, sometimes and always taken together."""
    lines = [f"{group},{day.format(k)},{cell}" for k, (group, cell) in enumerate(rows, 1)]
    path = tmp_path_factory.mktemp("blocks") / "table.csv"
    path.write_text("\n".join(["home,day,state", *lines]))
    options = {
        "missing": data.draw(st.sampled_from(["refuse", "split"])),
        "na": data.draw(st.sampled_from([None, ["a"]])),
    }
    options["time"] = data.draw(st.sampled_from([None, "day"]))
    asked = Asked.of(data.draw(st.sampled_from(["state", None])), data.draw(st.sampled_from([None, "home"])), **options)

    def answer(size, taken=True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(source, "_BLOCK", size)
            if not taken:
                patch.setattr(work.RecordedRows, "take", lambda *_: False)
            try:
                found = read_column(path, asked).value
            except PufferproofError as error:
                return str(error)
            return found, found.groups, found.doubts, found.reading

    alone = answer(1, taken=False)
    assert [answer(size) for size in (1, 3, 8192)] == [alone] * 3


def test_what_is_no_utf_8_is_read_as_windows_1252_and_said(tmp_path):
    path = tmp_path / "data.csv"
    for letters, encoding in (("ü", "latin-1"), ("€", "cp1252")):
        path.write_bytes(text(states=[letters if x == "a" else x for x in STATES]).encode(encoding))
        found = pp.fit(path, "state")
        assert set(found.states) == {"b", letters}
        (note,) = found.recorded.reading.notes
        assert "Windows-1252" in note
    path.write_bytes(text(states=["ä" if x == "a" else x for x in STATES]).encode())
    assert pp.fit(path, "state").recorded.reading.notes == ()


def written_workbook(path, sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)


def test_a_workbook_has_the_same_chain(tmp_path):
    path = tmp_path / "data.xlsx"
    rows = [["t", "state", "kWh"], *([k, x, 0.5] for k, x in enumerate(STATES))]
    written_workbook(path, {"Sheet1": rows, "Sheet2": []})
    assert pp.fit(path, "state").counts == EXPECTED
    stamps = pd.date_range("2026-03-01", periods=len(STATES), freq="30min")
    times = [["t", "state"], *([t.to_pydatetime(), x] for t, x in zip(stamps, STATES))]
    written_workbook(path, {"Sheet1": times})
    assert pp.fit(path, "state", time="t").recorded.reading.timing.step == "0:30:00"


@pytest.mark.parametrize(
    ("sheets", "said"),
    [
        ({"a": [["state"], ["a"]], "b": [["state"]]}, 'one sheet with cells, found "a", "b"'),
        ({"a": []}, "one sheet with cells, found none"),
        ({"a": [["state"], ["a"], [], ["b"]]}, "row 3: is empty"),
        ({"a": [["state", "x"], ["a"], [None, "b"]]}, 'row 3: column "state": .* missing'),
        ({"a": [["state"], ["a"], ["#N/A"]]}, 'row 3: column "state": .* missing'),
        ({"a": [["day"], ["a"]]}, 'expected a column "state", found "day"'),
        ({"a": [["states"], ["a"]]}, 'found "states", did you mean "states"'),
        ({"a": [["A title"], [], ["state"], ["a"]]}, 'row 1: .* found "A title" .* in row 3'),
        ({"a": [["x"], [], ["y"]]}, 'expected a column "state", found "x"'),
    ],
)
def test_workbooks_that_are_unclear_are_refused(tmp_path, sheets, said):
    path = tmp_path / "data.xlsx"
    written_workbook(path, sheets)
    with pytest.raises(pp.ModelError, match=said):
        pp.fit(path, "state")


def test_sheets_are_named(tmp_path):
    path = tmp_path / "data.xlsx"
    written_workbook(path, {"a": [["state"], *map(list, STATES)], "b": [["=1+1"]]})
    assert pp.fit(path, "state", sheet="a").counts == EXPECTED
    with pytest.raises(pp.ModelError, match='one of "a", "b", found \'A\''):
        pp.fit(path, "state", sheet="A")
    with pytest.raises(pp.ModelError, match="sheet: needs Excel files"):
        read_column(__file__, Asked.of("state", sheet="a"))
    written_workbook(path, {"a": [["A title"], [], ["state"]]})
    with pytest.raises(pp.ModelError, match=r"row 2: is empty: .* a title, delete that"):
        pp.fit(path)


@pytest.mark.parametrize(("cells", "read"), [("B3:B4", False), ("A3:B3", False), ("A3:A4", True), ("C2:C9", True)])
def test_merged_cells_are_refused_where_they_are_read(tmp_path, cells, read):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["t", "state", "kWh"])
    for k, x in enumerate(STATES):
        book.active.append([k, x, 0.5])
    book.active.merge_cells(cells)
    path = tmp_path / "data.xlsx"
    book.save(path)
    if read:
        assert pp.fit(path, "state").counts == EXPECTED
    else:
        with pytest.raises(pp.ModelError, match=f"cells {cells} are merged"):
            pp.fit(path, "state")


def zipped(*names):
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as file:
        for name in names:
            file.writestr(name, "x")
    return found.getvalue()


def test_without_openpyxl_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    path = tmp_path / "data.xlsx"
    path.write_bytes(zipped("xl/workbook.xml"))
    with pytest.raises(pp.ModelError, match=r"is an Excel file: .*pufferproof\[excel\].* or CSV"):
        pp.fit(path, "state")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1", r"an old Excel file \(.xls\)"),
        ("a.xlsb", zipped("xl/workbook.bin"), "a binary Excel file"),
        ("a.ods", zipped("content.xml"), "an OpenDocument sheet"),
        ("a.zip", zipped("data.csv"), "is a zip file: unpack it"),
        ("a.zip", b"PK\x03\x04nothing", "expected a whole .xlsx file"),
        ("a.csv.bz2", b"BZh91", "compressed with bzip2"),
        ("a.csv.xz", b"\xfd7zXZ\x00", "compressed with xz"),
        ("a.csv.zst", b"\x28\xb5\x2f\xfdx", "compressed with zstd"),
        ("a.csv.gz", gzip.compress(text().encode())[:-20], "a whole gzip file, found its begin"),
        ("a.csv.gz", b"\x1f\x8bno", "expected a (whole )?gzip file"),
        ("a.feather", b"ARROW1\0\0", "an Arrow"),
        ("a.xml", b"<?xml version='1.0'?>", "is XML or HTML"),
        ("a.json", b'[{"state": "a"}]', "is JSON"),
        ("a.arff", b"@relation x", "is ARFF"),
        ("a.npy", b"\x93NUMPY", "a NumPy file"),
        ("a.csv", b"", "a header, found an empty line or nothing"),
        ("a.csv", text().encode("utf-16-le"), "zero byte .UTF-16 needs its byte order mark"),
        ("a.csv", b"state\n\x81\x00\xff", "expected CSV in UTF-8, found byte 0x81"),
        ("a.csv", b"state\n\x81", "expected CSV in UTF-8, found byte 0x81"),
        ("a.csv", b"a\nb\na\n", r'expected a column "state", found "a" \(its first line must name'),
        ("a.csv", b"state,x\nb,1\nstate,x\n", "line 3: .* found the header again"),
        ("a.csv", b"t;x\n1;2\n", 'expected a column "state", found "t", "x"'),
        ("a.csv", b"state,x\na,1\n\nb,2\n", "line 3: expected 2 cells, as the header has"),
        ("a.ts", b"0,1:a\n", "expected a .ts file"),
    ],
)
def test_other_files_are_refused_by_name(tmp_path, name, data, said):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(pp.ModelError, match=said) as error:
        pp.fit(path, "state")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<stata_dta><header><release>118</release>", "a Stata file .*: export it as CSV"),
        (b"\x73\x02\x01\x00\x05", "a Stata file"),
        (b"\x69\x01\x01\x00\x05", "a Stata file"),
        (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!0000", "a SAS file"),
        (b"\0" * 12 + b"\xc2\xea\x81\x60\xb3\x14", "a SAS file"),
        (b"$FL2@(#) SPSS DATA FILE", "an SPSS file"),
        (b"ASCII SPSS PORT FILE".ljust(80) + b"\r\n" + b"x" * 376 + b"SPSSPORT", "an SPSS file"),
        (b"SQLite format 3\0\x10", "a SQLite database: export the table as CSV"),
        (b"MATLAB 5.0 MAT-file, Platform: GLNXA64", "a MATLAB file"),
        (gzip.compress(b"RDX3\nX\n", mtime=0), "an R file"),
        (b'{"state": ["a"]}', "is JSON"),
        (b'\xef\xbb\xbf [{"state": "a"}]', "(?s)is JSON|expected"),
    ],
)
def test_files_of_other_programs_are_named_by_their_first_bytes(tmp_path, data, said):
    path = tmp_path / "data"
    path.write_bytes(data)
    with pytest.raises(pp.ModelError, match=said):
        pp.fit(path, "state")


PAIN = ["none", "none", "mild", "NA", "mild", "", "none", "Nile", "None", "mild"]


def test_texts_that_mean_missing_are_named(tmp_path):
    path = tmp_path / "pain.csv"
    path.write_text("t,pain\n" + "".join(f"{k},{x}\n" for k, x in enumerate(PAIN)), "utf-8")
    split = {"missing": "split", "smoothing": 1}
    for options in ({}, split):  # a word that may be a value is never dropped
        with pytest.raises(pp.ModelError, match=r"line 2: .* may mean .* --na \"none\" says"):
            pp.fit(path, "pain", **options)
    with pytest.raises(pp.ModelError, match=r"line 7: .* found '', which is missing"):
        pp.fit(path, "pain", na=[])
    with pytest.raises(pp.ModelError, match="na: expected a list of texts"):
        pp.fit(path, "pain", na="NA")
    found = pp.fit(path, "pain", na=[], **split)
    assert found.recorded.reading.absent == 1
    assert found.states == ("NA", "Nile", "None", "mild", "none")
    found = pp.fit(path, "pain", na=["NA", "None"], **split)
    assert (found.recorded.reading.absent, found.states) == (3, ("Nile", "mild", "none"))
    path.write_text("who,pain\nNA,a\nNA,b\nNA,a\nb,b\nb,a\n", "utf-8")
    with pytest.raises(pp.ModelError, match=r'column "who": .* missing unless --na "" says'):
        pp.fit(path, "pain", "who")
    assert [*map(len, pp.fit(path, "pain", "who", na=[]).recorded.sequences)] == [3, 2]


ERRORS = """#N/A #n/a #REF! #DIV/0! #NULL! #NAME? #SPILL! #CALC! #FIELD! #BUSY! #GETTING_DATA
#CONNECT! #BLOCKED! #UNKNOWN! #PYTHON! #ERROR! #BEZUG! #ÜBERLAUF! #NV #¿NOMBRE? #¡DIV/0! #N/D
Err:502 Err:522 ########"""


@pytest.mark.parametrize("error", [*ERRORS.split(), "#N/A Requesting Data..."])
def test_errors_of_spreadsheets_are_missing_and_never_values(tmp_path, error):
    path = tmp_path / "data.csv"
    path.write_text("x\n" + "\n".join(["a", "b", error, "a", "b", "a", "a"]), "utf-8")
    for na in (None, []):
        with pytest.raises(pp.ModelError, match=r"line 4: .* which is missing"):
            pp.fit(path, na=na)
        found = pp.fit(path, na=na, missing="split", smoothing=1)
        assert (found.states, found.recorded.reading.absent) == (("a", "b"), 1)


@pytest.mark.parametrize("label", ["#1", "#", "##", "#yes!", "#NO", "Err:5", "Error!", "why #A?"])
def test_labels_with_the_signs_of_errors_are_values(label):
    assert pp.fit([label, "a", label, label, "a", "a"]).states == tuple(sorted(["a", label]))


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("#x\nstart\na\nb\na\nb\n", True),
        ("# by hand\n# x\nstart\na\nb\na\nb\n", True),
        ("#t;x\n0;a\n1;b\n2;a\n3;b\n", True),
        ("#x\n# by hand\nstart\na\nb\na\nb\n", False),
        ("# by hand, in May\nstart\na\nb\na\nb\n", False),
        ("#\nstart\na\nb\na\nb\n", False),
    ],
)
def test_a_comment_that_may_be_the_header_is_not_skipped_unsaid(tmp_path, text, refused):
    path = tmp_path / "data.csv"
    path.write_text(text, "utf-8")
    time = text.partition("\n")[2].partition(";")[0] if ";" in text else None
    if refused:
        with pytest.raises(pp.ModelError, match=r"line \d: '#.*x' is skipped .* remove the #"):
            pp.fit(path, time=time)
    else:
        noted = pp.fit(path).recorded.reading.notes
        assert [note[:19] for note in noted] == ["line 2: '# by hand'"] * ("#x" in text)
    if time is None:
        found = pp.fit(path, "start")
        assert (found.recorded.records, found.recorded.reading.notes) == (4, ())
    path.write_text(text.replace("#x", "x").replace("# x", "x").replace("#t", "t"), "utf-8")
    if refused:
        assert {"a", "b"} <= {*pp.fit(path, "x").states}


def test_a_column_may_be_named_as_one_of_its_values(tmp_path):
    path = tmp_path / "bacteria.csv"
    path.write_text("y,week\n" + "y,0\nn,2\ny,4\nn,6\ny,8\n", "utf-8")
    found = pp.fit(path, "y")
    assert found.recorded.records == 5
    assert found.recorded.reading.notes == ('"y" at line 2 is a value of the column "y"',)
    path.write_text("y\nn\ny\nn\ny\n", "utf-8")
    assert pp.fit(path, "y").recorded.records == 4
    with pytest.raises(pp.ModelError, match=r'line 3, as if .* no header .*--column "y" reads'):
        pp.fit(path)


def test_files_that_unpack_to_far_more_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(work, "MAX_TABLE", 5_000)
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"state\n" + b"a\n" * 10_000))
    with pytest.raises(pp.ModelError, match="at most 5000 bytes once unpacked"):
        pp.fit(path, "state")
    path.write_bytes(zipped("xl/workbook.xml", *(f"xl/{k}" for k in range(6_000))))
    with pytest.raises(pp.ModelError, match="expected at most 5000 bytes"):
        pp.fit(path, "state")


def test_the_only_column_needs_no_name(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("state\n" + "\n".join(STATES) + "\n")
    assert pp.fit(path).counts == EXPECTED
    path.write_text(text(";").replace(";0.5", "").replace(";kWh", ""))
    assert pp.fit(path, time="t").counts == EXPECTED
    path.write_text("a;b,c\n1;2,3\n")
    with pytest.raises(pp.ModelError, match="expected --separator"):
        pp.fit(path)


# Series of sktime and aeon.

HEAD = "@problemName x\n@timeStamps {}\n@univariate {}\n@classLabel {}\n@data\n"


def series(tmp_path, lines, timed="false", label="true 1 2", univariate="true"):
    path = tmp_path / "data.ts"
    path.write_text("% by hand\n" + HEAD.format(timed, univariate, label) + "\n".join(lines) + "\n")
    return path


def test_series_are_groups(tmp_path):
    path = series(tmp_path, ["0,1,1:1", "1,1,0,1:2"])
    assert pp.fit(path).counts.rows == ((0, 2), (1, 2))
    assert [len(each) for each in pp.fit(path).recorded.sequences] == [3, 4]
    path = series(tmp_path, ["0,1,1:5,5,6", "1,1,0:5,6,6"], label="false", univariate="false")
    assert pp.fit(path, "dim_1").states == ("5", "6")
    with pytest.raises(pp.ModelError, match=r'one column .* found "dim_0", "dim_1"'):
        pp.fit(path)
    with pytest.raises(pp.ModelError, match='the group "case_id"'):
        pp.fit(path, "dim_1", "class_val")
    path = series(tmp_path, ["0,1,?,1,0:1"])
    with pytest.raises(pp.ModelError, match=r'line 7, reading 3: column "dim_0": .*missing'):
        pp.fit(path)
    assert pp.fit(path, missing="split").counts.rows == ((0, 1), (1, 0))


def test_series_with_times_have_their_steps(tmp_path):
    lines = [
        "(2007-01-01 00:00:00,0),(2007-01-01 00:01:00,1),(2007-01-01 00:02:00,1):1",
        "(2008-01-01 00:00:00,1),(2008-01-01 00:01:00,0),(2008-01-01 00:02:00,1):2",
    ]
    found = pp.fit(series(tmp_path, lines, "true"))
    assert (found.recorded.reading.timing.step, found.counts.rows) == ("0:01:00", ((0, 2), (1, 1)))
    numbers = ["(0,0),(1,1),(5,1):1", "(0,1),(1,0),(2,1):2"]
    with pytest.raises(pp.ModelError, match=r"reading 3: .* 5 follows 1, a step of 4"):
        pp.fit(series(tmp_path, numbers, "true"))
    found = pp.fit(series(tmp_path, numbers, "true"), missing="split", smoothing=1)
    assert [len(each) for each in found.recorded.sequences] == [2, 1, 3]
    with pytest.raises(pp.ModelError, match="expected rows in the order of time"):
        pp.fit(series(tmp_path, ["(0,0),(2,1),(1,1):1"], "true"))
    with pytest.raises(pp.ModelError, match=r"line 7: expected readings as \(time,value\)"):
        pp.fit(series(tmp_path, ["(2007-01-01 00:00:00,0),1:1"], "true"))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "expected series below @data, found none"),
        (["0,1:1", "0,1"], "line 8: expected 1 dimensions and a class, found 1 parts"),
        (["0,1:0:1", "0,1:0,1:1"], "line 7: expected dimensions with the same readings"),
    ],
)
def test_series_that_are_no_series_are_refused(tmp_path, lines, said):
    with pytest.raises(pp.ModelError, match=said):
        pp.fit(series(tmp_path, lines, univariate="false"), "dim_0")


# Classes.

NUMBERS = st.lists(st.integers(-30, 30).map(lambda k: str(Fraction(k, 4))), min_size=1, max_size=60)


@given(NUMBERS, st.integers(2, 5))
@examples(200)
def test_classes_of_about_equal_size_have_quantiles_for_limits(numbers, count):
    known = {x: Fraction(x) for x in numbers}
    ordered = sorted(map(Fraction, numbers))
    limits = [ordered[j * len(ordered) // count] for j in range(1, count)]
    good = all(a < b for a, b in zip([ordered[0], *limits], limits))
    if not good:
        with pytest.raises(pp.ModelError, match="about equal size"):
            Classes.of(count).among(Counter(numbers), known)
        return
    classes = Classes.of(count).among(Counter(numbers), known)
    assert list(classes.limits) == limits
    names = classes.by_label(known)
    for x in numbers:
        place = sum(limit <= Fraction(x) for limit in limits)
        assert names[x] == classes.names[place]


def test_classes_are_written_into_the_framework(tmp_path):
    random = Random(5)
    values = [round(random.gauss(1, 0.2), 3) for _ in range(300)]
    path = tmp_path / "data.csv"
    path.write_text("kWh\n" + "\n".join(f"{x:.3f}".replace(".", ",") for x in values))
    with pytest.raises(pp.ModelError, match=r"found 2 .--separator says what stands between"):
        pp.fit(path, classes=4)
    with pytest.raises(pp.ModelError, match="--decimal , reads decimal commas"):
        pp.fit(path, classes=4, separator=";")
    found = pp.fit(path, classes="0.8,1", decimal=",", length=3)
    assert found.states == ("below 0.8", "0.8 to 1", "from 1")
    assert found.counts == pp.fit(values, classes=["0.8", 1]).counts
    sizes = [sum(x < 0.8 for x in values), sum(0.8 <= x < 1 for x in values)]
    assert Counter(found.recorded.sequences[0]) == {0: sizes[0], 1: sizes[1], 2: 300 - sum(sizes)}
    found.save(tmp_path / "f.json")
    read = pp.read_framework(tmp_path / "f.json").value
    assert read.records.alphabet == found.states
    four = pp.fit(path, classes=4, decimal=",")
    assert all(73 <= sum(row) <= 76 for row in four.counts.rows)
    with pytest.raises(pp.ModelError, match=r"void the confidence: .* --classes 0\.\d+,"):
        pp.fit(path, classes=4, decimal=",", confidence="95%")
    with pytest.raises(pp.ModelError, match=r"expected numbers that make 4 classes .* 75% of 8"):
        pp.fit([0, 0, 0, 1, 0, 2, 0, 0], classes=4)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("1.234,5", "decimal comma and nothing between thousands"),
        ("1.5", "decimal comma and nothing between thousands"),
        ("1,5,2", "expected a number such as"),
        ("", "missing"),
    ],
)
def test_numbers_that_are_unclear_are_refused(tmp_path, cell, said):
    path = tmp_path / "data.csv"
    path.write_text(f"x;kWh\n1;0,5\n2;{cell}\n3;0,7\n")
    with pytest.raises(pp.ModelError, match=f'line 3: column "kWh": .*{said}'):
        pp.fit(path, "kWh", classes="0.6", decimal=",")


def test_labels_with_a_decimal_comma_are_numbers(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("x;kWh\n1;0,5\n2;10,5\n3;0,5\n4;9\n5;0,5\n6;9\n7;0,5\n")
    assert pp.fit(path, "kWh", decimal=",").states == ("0.5", "9", "10.5")
    assert limit_text(Fraction(1, 8)) == "0.125"
    assert read_column(path, Asked("x", classes=Classes.of("3,5"))).value.states[0] == "below 3"


def test_many_values_are_counted():
    """The electricity of the published quilts has 51 levels."""
    random = Random(2)
    values, at = [], 0
    for _ in range(3_000):
        at = min(max(at + random.choice([-2, -1, 0, 1, 2]), 0), 50)
        values.append(at)
    found = pp.fit(values, length=5, private=2)
    assert len(found.states) == len(set(values)) > 45
    assert sum(found.prior.initial_law()) == 1


def test_a_way_out_of_an_absorbing_value_is_seen_over_what_is_missing():
    values, people = ["dead", None, "alive", "alive", "alive", "dead", "dead"], [*"aaabbbb"]
    options = {"missing": "split", "absorbing": ["dead"]}
    with pytest.raises(pp.ModelError, match=r"\"alive\" at value 1 of 'a, part 2'"):
        pp.fit(values, group=people, **options)
    found = pp.fit(["dead", None, "dead", *values[3:]], group=people, **options)
    assert found.counts.rows == ((1, 1), (0, 1))
    with pytest.raises(pp.ModelError, match=r"'c': expected a value"):
        pp.fit(["dead", "alive", "alive", "dead"], group=[*"ccdd"], absorbing=["dead"])


@pytest.mark.parametrize("limits", ["0,5", " -1,25 "])
def test_limits_are_not_guessed_beside_decimal_commas(limits):
    with pytest.raises(pp.ModelError, match=r"classes: .* may be one limit or two"):
        Classes.of(limits, ",")
    assert len(Classes.of(limits).limits) == 2
    assert Classes.of("0.0,5.0", ",").limits == (0, 5)


def test_quantiles_of_the_data_are_not_proposed_as_fixed_limits():
    values = [3, 14, 15, 92, 65, 35, 89, 79]
    with pytest.raises(pp.ModelError, match=r"such as --classes 0\.5,2$"):
        pp.fit(values, classes=2, confidence="90%")


def test_a_number_is_no_header_unless_it_is_named(tmp_path):
    path = tmp_path / "data.csv"
    for name in ("0.81", "-3", "0,81"):
        path.write_text("\n".join([f'"{name}"', *map(str, range(8))]), encoding="utf-8")
        with pytest.raises(pp.ModelError, match=r"line 1: .*as if the file had no header"):
            pp.fit(path, classes=2)
        assert pp.fit(path, name, classes=2).recorded.records == 8
    path.write_text("kWh\n0,5\n0,7\n0,5\n", encoding="utf-8")
    with pytest.raises(pp.ModelError, match=r"found 2 \(--separator .*, --decimal , that numbers"):
        pp.fit(path)
    assert pp.fit(path, decimal=",").states == ("0.5", "0.7")


@pytest.mark.parametrize("smoothing", [0, 1])
def test_first_values_are_counted_where_some_are_known(smoothing):
    options = {"missing": "split", "initial": "counted", "smoothing": smoothing}
    with pytest.raises(pp.ModelError, match=r"initial: no group has its first value"):
        pp.fit([None, "a", "b", "a", "a"], **options)
    groups = [*"xxxxxy"]
    if smoothing:
        found = pp.fit([None, "a", "b", "a", "a", "b"], group=groups, **options)
        assert found.counts.first == (0, 1)


def test_points_that_may_separate_thousands_are_noted(tmp_path):
    path = tmp_path / "data.csv"
    for cells, noted in (
        (["998", "1.234", "12.001"], True),
        (["998", "1.5", "12.001"], False),
        (["0.998", "1.234", "12.001"], False),
        (["998", "2000", "12.001"], False),
    ):
        path.write_text("kWh\n" + "\n".join(cells * 9), "utf-8")
        (*notes,) = pp.fit(path, classes="5.0", smoothing=1).recorded.reading.notes
        told = ["1.234 is read as a decimal: if its point separates thousands, remove it"]
        assert notes == (told if noted else [])
