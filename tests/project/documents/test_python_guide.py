"""The guide to Python keeps its word: its sessions print what is shown, and every call in its
table runs.
"""

import doctest
import re
from pathlib import Path

import pytest

from pufferproof.reports.cli import COMMANDS

GUIDE = Path(__file__).parents[3] / "docs" / "reference" / "python.md"
TEXT = GUIDE.read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.*?) \| `(pp\..*?|list\(pp\..*?)` \| (.*?) ?\|$", TEXT, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def names():
    """The names that the sessions of the guide define, which must print what is shown."""
    test = doctest.DocTestParser().get_doctest(TEXT, {}, "python.md", str(GUIDE), 0)
    assert len(test.examples) > 10
    said = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(
        test, out=said.append, clear_globs=False
    )
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
