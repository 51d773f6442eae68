"""What is needed at run time has a permissive licence, or stands in a list with the reason."""

import runpy
from email.message import Message
from pathlib import Path
from types import SimpleNamespace

import pytest

TOOL = runpy.run_path(str(Path(__file__).parents[3] / "docs" / "site" / "dependencies.py"))


def package(**said):
    metadata = Message()
    for name, value in said.items():
        metadata[name.replace("_", "-")] = value
    return SimpleNamespace(metadata=metadata)


def test_nothing_that_is_needed_is_under_a_licence_in_the_way():
    base, needed = TOOL["closure"](), TOOL["closure"](TOOL["RUN_TIME"])
    assert {"numpy", "python-flint", "typer"} <= base.keys()
    assert {"z3-solver", "cvc5", "matplotlib"} <= needed.keys() - base.keys()
    assert not {"pplpy", "pandas", "hypothesis", "distributed"} & needed.keys()
    assert TOOL["wrong"](needed) == []
    assert needed.keys() >= TOOL["KNOWN"].keys()


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ({"License_Expression": "MIT"}, True),
        ({"License_Expression": "Apache-2.0 OR BSD-2-Clause"}, True),
        ({"Classifier": "License :: OSI Approved :: BSD License"}, True),
        ({"License": "MIT License\nCopyright"}, True),
        ({"License_Expression": "GPL-3.0-or-later"}, False),
        ({"License_Expression": "MIT AND LGPL-3.0-or-later"}, False),
        ({"Classifier": "License :: OSI Approved :: GNU General Public License v3 (GPLv3)"}, False),
        ({"License_Expression": "MPL-2.0"}, False),
        ({"License": "MITRE's own"}, False),
        ({}, False),
    ],
)
def test_a_licence_is_told_from_the_metadata(said, right):
    assert (TOOL["wrong"]({"one": package(**said)}) == []) is right


def test_the_table_names_all_and_who_needs_them():
    rows = [*TOOL["table"]()]
    assert any(row.startswith("| numpy | ") and row.endswith("| the package |") for row in rows)
    assert all(row.count("|") == 5 for row in rows[1:])
