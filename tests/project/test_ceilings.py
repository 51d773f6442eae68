"""The ceiling: how much code a floor may have, how tangled a function, how long a file, as
`budget.toml` beside this file says. What it lists as too much may only shrink.
"""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from radon.complexity import add_inner_blocks, cc_visit_ast
from tests.project.test_house import code

ROOT = Path(__file__).parents[2]
BUDGET = tomllib.loads(Path(__file__).with_name("budget.toml").read_text(encoding="utf-8"))
FLOORS = tuple(BUDGET["lines"])
CORE = tuple(floor for floor in FLOORS if floor != "claims")
APART = ("verify/kernel/",)  # which is read from end to end, file by file
MOST_BRANCHES = 15
LEAST_LINES, MOST_LINES = 100, 900  # of a file


class File(NamedTuple):
    lines: int
    code: int  # lines that are neither empty, nor a comment, nor a docstring
    branches: dict[str, int]  # the cyclomatic complexity of each function
    head: str


def code_lines(text, tree):
    """The number of lines with code: a docstring, or a text that stands alone, is none."""
    texts = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    words = {line for node in texts for line in range(node.lineno, node.end_lineno + 1)}
    return sum(
        number not in words and bool(line.strip()) and not line.lstrip().startswith("#")
        for number, line in enumerate(text.splitlines(), 1)
    )


def measured(text):
    tree = ast.parse(text)
    blocks = add_inner_blocks(cc_visit_ast(tree))
    functions = [each for each in blocks if each.letter in "FM"]
    return File(
        len(text.splitlines()),
        code_lines(text, tree),
        {each.fullname: each.complexity for each in functions},
        ast.get_docstring(tree) or "",
    )


@cache
def files():
    """What is measured of every file of the floors."""
    return {name: measured(text) for name, text in code().items()}


def of_core():
    return {
        name: file
        for name, file in files().items()
        if name.partition("/")[0] in CORE and not name.startswith(APART) and not name.endswith("/__init__.py")
    }


@pytest.mark.parametrize("floor", FLOORS)
def test_no_floor_has_more_code_than_its_budget(floor):
    raised = [each for each in BUDGET.get("raised", ()) if each["floor"] == floor]
    most = BUDGET["lines"][floor] + sum(each["by"] for each in raised)
    found = sum(file.code for name, file in files().items() if name.startswith(f"{floor}/"))
    assert found <= most, (
        f"{floor} has {found} lines of code, {found - most} too many: take away what is replaced, "
        "or add to `raised` in budget.toml the words of CHANGELOG that say what was gained"
    )


def test_the_changelog_names_what_every_raise_was_for():
    told = re.sub(r"\s+", " ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    for each in BUDGET.get("raised", ()):
        assert each["by"] > 0, each
        assert each["for"] in told, each


def test_no_function_is_tangled_but_those_listed():
    found = {
        f"{name}:{function}": number
        for name, file in files().items()
        for function, number in file.branches.items()
        if number > MOST_BRANCHES
    }
    assert found == BUDGET["tangled"], "write it simpler; the list only shrinks"


def test_files_are_neither_scraps_nor_books_but_those_listed():
    found = {name: file.lines for name, file in of_core().items() if not LEAST_LINES <= file.lines <= MOST_LINES}
    short = sorted(name for name, lines in found.items() if lines < LEAST_LINES)
    long = sorted(name for name, lines in found.items() if lines > MOST_LINES)
    assert (short, long) == (BUDGET["files"]["short"], BUDGET["files"]["long"]), (
        "join what is one subject, part what is two; the lists only shrink"
    )


def test_no_file_is_about_two_subjects_but_those_listed():
    found = sorted(name for name, file in files().items() if "This file also" in file.head)
    assert found == BUDGET["files"]["two"], "the list only shrinks"


def test_what_is_measured():
    head = '"""Head.\n\nMore."""\n\n# a comment\n'
    text = head + 'def f(x):\n    """Text."""\n    return [1 if y else 2 for y in x]\n'
    file = measured(text)
    assert (file.lines, file.code, file.head) == (8, 2, "Head.\n\nMore.")
    assert file.branches == {"f": 3}
