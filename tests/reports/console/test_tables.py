"""CSV files that are written: no cell runs in a spreadsheet, numbers stay numbers, and every
label can be read back.
"""

import csv
import io
import json
import re

from hypothesis import given
from hypothesis import strategies as st
from tests import TEXTS, examples

from pufferproof.reports.console.words import cell_text, csv_text

STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"]


def cells_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_no_cell_begins_like_a_formula_and_numbers_stay_numbers():
    for text in (start + rest for start in STARTS for rest in ("", "SUM(1)", "cmd|' /C calc'!A0", '"', ",", "1 ")):
        ((cell, _),) = cells_of(csv_text([text, "a"], []))
        assert cell == f"'{text}"
    numbers = ["-1", "-1/2", "-0.25", "-1e-3", "-2.5E+7", "-inf", "0", "12/7"]
    assert [cell_text(each) for each in numbers] == numbers
    texts = ["-1+1", "-1/2/3", "-", "-x", "--1", "-1e", "-infinity", "+1", "-1,5", "-\u0661"]
    assert [cell_text(each) for each in texts] == [f"'{each}" for each in texts]


@examples(40)
@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), max_size=4))
def test_every_label_can_be_read_back(rows):
    """By any reader of CSV and one leading quote less."""
    read = cells_of(csv_text(["a", "b"], rows))
    assert [[cell.removeprefix("'") for cell in row] for row in read[1:]] == rows


def test_the_table_of_an_audit_is_safe_and_complete(run, save):
    odd, bar = "=cmd|' /C calc'!A0", "a|b\\"
    framework = {
        "format": "pufferproof-framework/1",
        "databases": ["-1", "x"],
        "secrets": {"@SUM(1)": ["-1"], bar: ["x"]},
        "pairs": [["@SUM(1)", bar]],
        "priors": {"+p": {"table": {"-1": "1/2", "x": "1/2"}}},
    }
    rows = {"-1": ["3/4", "1/4"], "x": ["1/4", "3/4"]}
    save("f.json", framework)
    save("m.json", {"format": "pufferproof-mechanism/1", "outputs": [odd, "-7"], "channel": rows})
    code, out, _ = run("audit", "f.json", "m.json", "--csv", "t.csv", "--table", "--json")
    assert code == 0
    with open("t.csv", encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert not [cell for row in read for cell in row.values() if re.match(r"[=+@\t\r]|-(?![0-9]|inf)", cell)]
    for row, entry in zip(read, json.loads(out)["table"], strict=True):
        assert row["prior"].removeprefix("'") == entry["prior"]
        assert row["output"].removeprefix("'") == entry["output"]
        names = re.findall(r"((?:\\.|[^|\\])*)(?:\||$)", row["pair"].removeprefix("'"))[:2]
        assert [re.sub(r"\\(.)", r"\1", name) for name in names] == entry["pair"]
        assert row["epsilon_lower"] == entry["epsilon"]["lower"]
    assert {row["epsilon_lower"][0] for row in read} == {"-", "1"}
    assert {row["output"] for row in read} == {f"'{odd}", "-7"}


def test_curves_of_redaction_are_as_any_reader_reads_them(run, save):
    save("p.json", {"format": "pufferproof-mechanism/1", "redaction": [["1", "1"], ["1", "1"]]})
    chain = ["--alpha", "1/4", "--beta", "1/2", "--length", "2", "--private", "1", "--epsilon", "log(2)"]
    assert run("redact", *chain, "--strategy", "quilt", "--profile", "p.json", "--csv", "t.csv")[0] == 0
    with open("t.csv", encoding="utf-8", newline="") as file:
        text = file.read()
    read = cells_of(text)
    assert {len(row) for row in read} == {8}
    assert not [cell for row in read for cell in row if cell != cell_text(cell)]
    assert "\r" not in text
