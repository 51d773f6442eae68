"""Notebooks print what they show, and every picture says in words what one sees."""

import json
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
RUNNER = runpy.run_path(str(DOCS / "site" / "notebooks.py"))
BOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def test_notebooks_print_what_they_show():
    assert len(BOOKS) >= 3
    for book in BOOKS:
        notebook = json.loads(book.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for cell, (text, picture) in zip(code, RUNNER["executed"](notebook, draw=False)):
            printed = ["".join(each["text"]) for each in cell["outputs"] if "text" in each]
            assert "".join(printed) == text, book.name
            assert ("alt" in cell["metadata"]) == (picture is not None)
            assert any("data" in each for each in cell["outputs"]) == (picture is not None)


def test_a_notebook_becomes_a_page(tmp_path):
    (tmp_path / "a.ipynb").write_text(
        json.dumps(
            {
                "cells": [
                    {"cell_type": "markdown", "source": ["# A\n", "b"]},
                    {
                        "cell_type": "code",
                        "metadata": {"alt": "two bars"},
                        "source": ["print(1)\n", "f"],
                        "outputs": RUNNER["outputs"]("1\n", "Zg=="),
                    },
                ]
            }
        )
    )
    assert RUNNER["page"](tmp_path / "a.ipynb") == (
        "# A\nb\n\n```python\nprint(1)\nf\n```\n\n```text\n1\n```\n\n![two bars](a-1.png)\n",
        {"a-1.png": b"f"},
    )


def test_a_cell_that_fails_is_seen():
    cell = {"cell_type": "code", "source": ["1 / 0"]}
    with pytest.raises(ZeroDivisionError):
        RUNNER["executed"]({"cells": [cell]})
