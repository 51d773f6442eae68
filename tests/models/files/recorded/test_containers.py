"""What a container states of itself is compared with what it holds: the same table has the same
rows in every kind of file, whatever its sizes say, and small files end soon.
"""

import gzip
import io
import re
import resource
import struct
import time
import zipfile
from random import Random

import numpy as np
import pandas as pd
import pytest
from tests import seeds
from tests.models.files.test_bombs import room

import pufferproof as pp
from pufferproof.models.files.mechanisms import from_table
from pufferproof.models.files.recorded.sources.gathering import Asked, Work
from pufferproof.models.files.recorded.sources.opening import rows_of
from pufferproof.models.files.recorded.sources.workbook import _expect_workbook
from pufferproof.models.files.recorded.table import read_column, recorded_of

pytest.importorskip("openpyxl")

DIMENSION = re.compile(rb'<dimension ref="[^"]*" ?/>')
TEXTS = ["a", "b", "none", "yes", "ü", "1.50", "a b", 'say "x"', "<&>", "A1"]
OTHERS = ["p1", "p2", "Zoë"]


def drawn(random):
    """Draw a table, whose values are texts, whole numbers or numbers, some of them missing."""
    count = random.randint(2, 40)
    pool = random.choice([TEXTS, [*range(-3, 12)], [0.25, 0.1 + 0.2, 1e-7, 3.5, -2.75], [True, False]])
    few = random.sample(pool, min(len(pool), random.randint(2, 4)))
    values = [random.choice(few) for _ in range(count)]
    if isinstance(few[0], str):
        values = [None if random.random() < 0.1 else value for value in values]
    values[:2] = few[:2]
    columns = {"value": values}
    if random.random() < 0.5:
        columns["who"] = [random.choice(OTHERS) for _ in range(count)]
    columns["note"] = [random.choice(["m", "n, m", 7]) for _ in range(count)]
    names = random.sample([*columns], len(columns))
    return pd.DataFrame({name: pd.Series(columns[name], dtype=object) for name in names})


def with_dimension(path, written):
    """Write a copy of a workbook whose sheet states another dimension, or none."""
    found = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(found, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                data, count = DIMENSION.subn(written, data)
                assert count == 1
            new.writestr(name, data)
    path.write_bytes(found.getvalue())
    return path


def files(table, folder, random):
    """Write a table as files of every kind, each with its reader in pandas."""
    text = {"keep_default_na": False, "na_values": [""], "dtype": object}
    table.to_csv(folder / "t.csv", index=False)
    yield folder / "t.csv", pd.read_csv(folder / "t.csv", **text)
    data = (folder / "t.csv").read_bytes()
    at = random.randrange(len(data))
    (folder / "t.csv.gz").write_bytes(gzip.compress(data[:at]) + gzip.compress(data[at:]))
    yield folder / "t.csv.gz", pd.read_csv(folder / "t.csv.gz", **text)
    rows, columns = random.randint(1, len(table) + 1), random.randint(1, table.shape[1])
    near = f'<dimension ref="A1:{"ABC"[columns - 1]}{rows}"/>'.encode()
    far, first = b'<dimension ref="A1:XFD1048576"/>', b'<dimension ref="A1"/>'
    table.to_excel(folder / "t.xlsx", index=False)
    path = with_dimension(folder / "t.xlsx", random.choice([near, near, first, far, b""]))
    yield path, pd.read_excel(path, keep_default_na=False, na_values=[""], dtype=object)
    same = table.astype({"note": "string"})
    same.to_parquet(folder / "t.parquet")
    yield folder / "t.parquet", pd.read_parquet(folder / "t.parquet")


@seeds(200)
def test_the_same_table_has_the_same_rows_through_pandas_and_here(tmp_path, seed):
    random = Random(seed)
    for _ in range(4):
        table = drawn(random)
        group = "who" if "who" in table else None
        asked = Asked.of("value", group, missing="split", na=())
        for path, through_pandas in files(table, tmp_path, random):
            read = read_column(path, asked).value
            known = recorded_of(through_pandas, asked, group)
            assert (read.sequences, read.states) == (known.sequences, known.states), path
            assert read.reading.absent == known.reading.absent == table["value"].isna().sum()
            assert len([*rows_of(path, asked)]) == len(through_pandas) == len(table), path


WEEKS = [0, 2, 4, 6, 11]
FIRST = ["a date", "a late date", "a text", "a late text", "weeks", "late weeks", "no week"]


def timed(random, kind):
    """Draw a table of people whose column of times is of this kind, and jumps or runs back."""
    people = [f"p{who}" for who in range(8) for _ in WEEKS]
    back = random.random() < 0.5
    order = [0, 2, 5, 4, 11] if back else WEEKS
    weeks = order * 8
    days = [f"2026-{week // 4 + 1:02}-{week % 4 * 7 + 1:02}" for week in weeks]
    dates = [pd.Timestamp(day) for day in days]
    column = {"date": dates, "text": days}.get(kind.split()[-1], weeks)
    column = [None, None, *column[2:]] if "late" in kind else column
    column = [week if week else None for week in column] if kind == "no week" else column
    values = [random.choice("ab") for _ in people]
    dtype = object if kind.endswith("text") else None
    name = "week" if "week" in kind else "day"
    table = {name: pd.Series(column, dtype=dtype), "x": values, "who": people}
    table["note"] = [None, "", "-", *["n 1-2-3"] * (len(people) - 3)]
    return pd.DataFrame({key: table[key] for key in random.sample([*table], len(table))})


@pytest.mark.parametrize("kind", FIRST)
@seeds(4)
def test_the_same_columns_of_times_raise_the_same_doubts_in_every_container(tmp_path, kind, seed):
    """Wherever the first cells of the column are missing, and whatever its type."""
    table = timed(Random(seed), kind)
    for name, write in (("csv", "to_csv"), ("xlsx", "to_excel"), ("parquet", "to_parquet")):
        getattr(table, write)(tmp_path / f"t.{name}", index=False)
    answers = []
    for data in (table, *(tmp_path / f"t.{name}" for name in ("csv", "xlsx", "parquet"))):
        try:
            found = pp.fit(data, "x", group="who", smoothing=1, length=3).recorded.doubts
            said = [d.says for d in found if d.about in ("times", "gaps", "ids")]
        except pp.ModelError as error:
            said = [str(error)]
        assert said
        text = re.sub(r"^.*t[.]\w+: |(line|row) \d+|[.]0\b| 00:00:00", "", "".join(said))
        answers.append(re.sub("''|nan|NaT", "None", text))
    assert len(set(answers)) == 1, answers


# What headers count.


def written(lines, head=""):
    body = f"@problemName x\n@timestamps false\n@classLabel false\n{head}@data\n"
    return (body + "\n".join(lines) + "\n").encode()


def stated(data, length=None, checksum=None):
    """Return a gzip file whose end states another length or checksum."""
    packed = gzip.compress(data)
    known = struct.unpack("<LL", packed[-8:])
    end = (checksum or known[0], known[1] if length is None else length)
    return packed[:-8] + struct.pack("<LL", *end)


CSV = b"x\n" + b"0\n1\n1\n" * 9
DISAGREE = {
    "length of gzip": ("t.csv.gz", stated(CSV, 12), "states 12 bytes, found 56"),
    "checksum of gzip": ("t.csv.gz", stated(CSV, checksum=5), "states the checksum 00000005, "),
    "a first member": ("t.csv.gz", stated(CSV, 12) + gzip.compress(b""), "incorrect length"),
    "readings": (
        "t.ts",
        written(["0,1,1", "0,1"], "@equalLength true\n@seriesLength 3\n"),
        "line 8, .*|line 8: expected 3 readings, as the header states, found 2",
    ),
    "dimensions": ("t.ts", written(["0,1:1,0"], "@dimensions 3\n"), "3 dimensions, .* found 2"),
    "one dimension": ("t.ts", written(["0,1:1,0"], "@univariate true\n"), "1 dim.* found 2"),
}


@pytest.mark.parametrize("kind", DISAGREE)
def test_what_disagrees_with_its_header_is_refused(tmp_path, kind):
    name, data, said = DISAGREE[kind]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(pp.ModelError, match=said):
        pp.fit(tmp_path / name, "x" if "csv" in name else "dim_0")


def test_headers_that_agree_are_read(tmp_path):
    path = tmp_path / "t.ts"
    for head in (
        "@univariate true\n@equalLength true\n@seriesLength 3\n",
        "@dimension 1\n@equalLength false\n@seriesLength 9\n",
        "@seriesLength many\n",
    ):
        path.write_bytes(written(["0,1,1", "0,1,0"], head))
        assert pp.fit(path, "dim_0").recorded.records == 6
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(CSV) + b"\0" * 100)
    assert pp.fit(tmp_path / "t.csv.gz", "x").recorded.records == 27


def test_parquet_that_states_another_number_of_rows_is_refused(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    pd.DataFrame({"x": [0, 1, 1, 0, 1]}).to_parquet(path)
    batches = parquet.ParquetFile.iter_batches
    monkeypatch.setattr(
        parquet.ParquetFile,
        "iter_batches",
        lambda file, *args, **options: (part[:-1] for part in batches(file, *args, **options)),
    )
    with pytest.raises(pp.ModelError, match="expected 5 rows, as the file states, found 4"):
        pp.fit(path, "x")


@pytest.mark.parametrize("change", [lambda data: data[:-8], lambda data: data + data, b"\0".join])
def test_a_matrix_has_as_many_numbers_as_its_header_states(tmp_path, change):
    file = io.BytesIO()
    np.save(file, np.eye(2))
    data = change([file.getvalue(), b""]) if change == b"\0".join else change(file.getvalue())
    path = tmp_path / "m.npy"
    path.write_bytes(data)
    labels = tmp_path / "labels.txt"
    labels.write_text("a\nb\n")
    with pytest.raises(pp.ModelError, match=r"expected 32 bytes .* states for \[2, 2\], found"):
        from_table(str(path), None, False, labels, None)


def sheet(rows, after="", strings="", name="xl/worksheets/sheet1.xml", book=""):
    """Return a workbook of one sheet with this XML of rows."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packed = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{packed}/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}.sharedStrings+xml"/>'
        "</Types>",
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="r1"/></sheets>'
        f"{book}</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{packed}/relationships">'
        f'<Relationship Id="r1" Type="{links}/worksheet" Target="/{name}"/></Relationships>',
        name: f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData>{after}</worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{strings}</sst>',
    }
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as file:
        for part, text in parts.items():
            file.writestr(part, text)
    return found.getvalue()


def row(number, *cells):
    inside = "".join(f'<c r="{place}"><v>{value}</v></c>' for place, value in cells)
    return f'<row r="{number}">{inside}</row>'


NAME = '<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row>'
ROWS = NAME + "".join(row(k, (f"A{k}", k // 2 % 2)) for k in range(2, 22))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (row(3, ("A3", 1)), "ascending order .* found row 3 behind row 21"),
        (row(22, ("A23", 1)), "row 22: .* found another in row 23, column 1"),
        (row(22, ("A22", 1), ("A22", 0)), "row 22: expected each cell once"),
        (row(22, ("XFE22", 1)), "in columns A to XFD"),
        (row(24, ("A24", 1)), "row 22: is empty"),
        (row(1_048_577, ("A1048577", 1)), "from 1 to 1048576, found row 1048577"),
    ],
)
def test_rows_of_a_sheet_are_where_they_say(tmp_path, more, said):
    path = tmp_path / "t.xlsx"
    path.write_bytes(sheet(ROWS + more))
    with pytest.raises(pp.ModelError, match=said):
        pp.fit(path, "x")
    path.write_bytes(sheet(ROWS + row(22, ("A22", 1), ("C22", 5))))
    assert pp.fit(path, "x").recorded.records == 21
    with pytest.raises(pp.ModelError, match='found "x", ""'):
        pp.fit(path)


def formula(place, value, kind="str"):
    return f'<c r="{place}" t="{kind}"><f>IF(1,"a","")</f>{value}</c>'


@pytest.mark.parametrize("place", ["A1", "C1", "A9", "C9", "A22", "B22", "D40"])
@pytest.mark.parametrize("missing", ["refuse", "split"])
def test_a_formula_without_a_saved_value_is_refused_wherever_it_stands(tmp_path, place, missing):
    path, number = tmp_path / "t.xlsx", int(place[1:])
    rows = {1: NAME} | {k: row(k, (f"A{k}", k // 2 % 2)) for k in range(2, 22)}
    others = rows.get(number, "<row></row>").partition("<c ")[2].partition("</row>")[0]
    beside = f"<c {others}" if others and place[0] != "A" else ""

    def written(cell, book=""):
        cells = rows | {number: f'<row r="{number}">{beside}{cell}</row>'}
        path.write_bytes(sheet("".join(cells.values()), book=book))

    said = f"row {number}: column {place[0]} has a formula without a saved value: open"
    for cell in (formula(place, ""), formula(place, "", "n"), formula(place, "<v></v>", "n")):
        written(cell)
        with pytest.raises(pp.ModelError, match=said):
            pp.fit(path, "x", missing=missing)
    written(formula(place, "<v>x</v>"), '<calcPr fullCalcOnLoad="1"/>')  # has yet to be calculated
    with pytest.raises(pp.ModelError, match=said):
        pp.fit(path, "x", missing=missing)


def test_saved_values_of_formulas_are_read_and_empty_texts_are_empty_cells(tmp_path):
    path = tmp_path / "t.xlsx"
    more = "".join(f'<row r="{k}">{formula(f"A{k}", "<v>a</v>")}</row>' for k in range(22, 32))
    path.write_bytes(sheet(f'{ROWS}{more}<row r="32">{formula("A32", "<v></v>")}</row>'))
    found = pp.fit(path, "x", smoothing=1)
    assert (found.recorded.records, found.states) == (30, ("0", "1", "a"))


def test_a_zip_whose_checksum_is_another_is_refused(tmp_path):
    data = bytearray(sheet(ROWS))
    places = [found.start() for found in re.finditer(b"PK\1\2", data)]
    at = next(k for k in places if data[k + 46 :].startswith(b"xl/worksheets/sheet1.xml"))
    data[at + 16] ^= 1
    path = tmp_path / "t.xlsx"
    path.write_bytes(data)
    with pytest.raises(pp.ModelError, match=r"expected a whole \.xlsx file: Bad CRC-32"):
        pp.fit(path, "x")


# Work.

BOMBS = {
    "a cell in the last row": lambda: sheet(ROWS + row(1_048_576, ("A1048576", 1))),
    "a cell in the last corner": lambda: sheet(ROWS + row(1_048_576, ("XFD1048576", 1))),
    "a row far below": lambda: sheet(ROWS + row(2 * 10**9, ("A2000000000", 1))),
    "merged cells in a comment": lambda: sheet(ROWS + row(30, ("A30", 1)), f"<!-- {'<mergeCell ' * 200_000} -->"),
    "strings": lambda: sheet(ROWS, strings="<si><t>a</t></si>" * 4_000_000),
    "a long string": lambda: sheet(ROWS, strings=f"<si><t>{'a' * 150_000_000}</t></si>"),
    "cells": lambda: sheet(ROWS + '<row r="22">' + "<c/>" * 5_000_000 + "</row>"),
    "formats": lambda: sheet(ROWS, "<conditionalFormatting/>" * 5_000_000),
    "members": lambda: gzip.compress(b"") * 300_000,
    "zeros": lambda: gzip.compress(b"x\n" + bytes(150_000_000)),
    "rows": lambda: gzip.compress(b"x\n" + b"0\n1\n" * 30_000_000),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_small_files_that_unpack_to_much_work_are_refused_soon(tmp_path, kind):
    path = tmp_path / "bomb"
    path.write_bytes(BOMBS[kind]())
    used = resource.getrusage(resource.RUSAGE_SELF)
    start = used.ru_utime + used.ru_stime
    with room(500_000_000), pytest.raises(pp.ModelError) as error:
        pp.fit(path, "x")
    used = resource.getrusage(resource.RUSAGE_SELF)
    assert used.ru_utime + used.ru_stime - start < 15  # of a busy machine
    assert "\n" not in str(error.value)
    assert "memory" not in str(error.value)


def test_a_sheet_with_all_its_rows_is_within_the_work_that_it_may_make():
    """Also one whose strings all differ."""
    random = Random(1)
    count = 20_000
    texts = [f"2026-{random.randrange(10**6):06}" for _ in range(count)]
    strings = "".join(f"<si><t>{text}</t></si>" for text in texts)
    rows = "".join(
        f'<row r="{k}"><c r="A{k}" t="s"><v>{k - 1}</v></c><c r="B{k}"><v>{k % 2}</v></c></row>'
        for k in range(1, count + 1)
    )
    size = len(sheet(rows, strings=strings))
    one, whole = Work(size), Work(size * 1_048_576 // count)
    _expect_workbook(sheet(rows, strings=strings), one)
    whole.take(one.spent * 1_048_576 // count, "elements")


def test_merged_cells_are_those_of_the_sheet(tmp_path):
    path = tmp_path / "t.xlsx"
    merged = '<mergeCells count="1"><mergeCell ref="A3:A4"/></mergeCells>'
    path.write_bytes(sheet(ROWS, merged))
    with pytest.raises(pp.ModelError, match="cells A3:A4 are merged"):
        pp.fit(path, "x")
    path.write_bytes(sheet(ROWS, f"<!-- {merged} -->"))
    assert pp.fit(path, "x").recorded.records == 20


def test_colons_of_times_take_time_in_proportion(tmp_path):
    path = tmp_path / "t.ts"
    path.write_bytes(b"@timestamps true\n@classLabel false\n@data\n" + b"1:" * 400_000 + b"1\n")
    start = time.process_time()
    with pytest.raises(pp.ModelError):
        pp.fit(path, "dim_0")
    assert time.process_time() - start < 15
