"""What pages show is what runs: notebooks, the sessions of a guide, and pictures."""

import copy
import doctest
import importlib.util
import json
import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pufferproof.reports.commands import COMMANDS

# Notebooks print what they show, and every picture says in words what one sees.


DOCS = Path(__file__).parents[3] / "docs"
RUNNER = runpy.run_path(str(DOCS / "site" / "notebooks.py"))
BOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def test_notebooks_show_what_their_cells_do():
    assert len(BOOKS) >= 3
    for book in BOOKS:
        notebook = json.loads(book.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for cell, shown in zip(code, RUNNER["executed"](notebook, draw=False)):
            assert ("alt" in cell["metadata"]) == (shown.picture is not None)
            kept = copy.deepcopy(cell["outputs"])
            for output in kept:  # pictures differ between versions of what draws them
                if "image/png" in output.get("data", ()):
                    output["data"]["image/png"] = ""
            assert kept == RUNNER["outputs"](shown), book.name


def test_a_notebook_shows_answers_as_html():
    assert any('"text/html"' in book.read_text(encoding="utf-8") for book in BOOKS)


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
                        "outputs": RUNNER["outputs"](RUNNER["Shown"]("1\n", picture="Zg==")),
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


# The guide to Python keeps its word: its sessions print what is shown, and every call in its table
# runs.


GUIDE = Path(__file__).parents[3] / "docs" / "reference" / "python.md"
TEXT = GUIDE.read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.*?) \| `(pp\..*?|list\(pp\..*?)` \| (.*?) ?\|$", TEXT, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def names():
    """The names that the sessions of the guide define, which must print what is shown."""
    test = doctest.DocTestParser().get_doctest(TEXT, {}, "python.md", str(GUIDE), 0)
    assert len(test.examples) > 10
    said = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append, clear_globs=False)
    assert said == []
    return test.globs


@pytest.mark.parametrize("call", [call for _, call, _ in ROWS])
def test_the_calls_of_the_table_run(names, call):
    found = eval(call, dict(names))
    assert found is not None
    assert "Fraction(" not in repr(found)


def test_every_command_is_in_the_table_or_named_as_a_command_only():
    tabled = {cell.strip("`").split()[0] for cell, _, _ in ROWS if cell.strip()}
    (alone,) = re.findall(r"^(`check`.*?) are commands only", TEXT, flags=re.MULTILINE | re.DOTALL)
    assert tabled | set(re.findall(r"`(\w+)`", alone)) == set(COMMANDS)


def test_the_test_of_the_guide_passes(names):
    from pufferproof import assert_pufferfish

    (code,) = re.findall(r"^```python\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
    scope = dict(names)
    exec(code, scope)
    scope["test_the_release_is_private"](assert_pufferfish)


# The pictures of the pages on concepts are those that are drawn now, and say what they show.


@pytest.fixture(scope="module")
def drawn():
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "site" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: draw() for name, draw in module.PICTURES.items()}


def test_the_numbers_in_pictures_are_computed(drawn):
    for name, picture in drawn.items():
        assert (DOCS / "concepts" / name).read_text(encoding="utf-8") == picture, name


def test_a_picture_says_its_finding_and_follows_light_and_dark(drawn):
    for picture in drawn.values():
        root = ElementTree.fromstring(picture)
        assert len(root.find("{*}title").text) > 40
        assert "prefers-color-scheme: dark" in root.find("{*}style").text
        assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_the_pages_show_every_picture_with_a_text(drawn):
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "concepts").glob("*.md"))
    for name in drawn:
        text, _, _ = pages.rpartition(f"]({name})")
        assert len(text.rpartition("![")[2]) > 30
