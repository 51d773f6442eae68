"""The page on the architecture: every command has a subject, every kind of mechanism its engines.
That what it names exists is tested with all texts.
"""

from pathlib import Path

from pufferproof.reports.commands import COMMANDS
from pufferproof.verify.audit.decide import largest_ratio

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_every_command_has_a_subject():
    table = PAGE.read_text(encoding="utf-8").partition("## Subjects and their rooms\n")[2]
    assert [name for name in COMMANDS if f"`{name}" not in table.partition("\n## ")[0]] == []


def test_every_kind_of_mechanism_has_its_engines():
    rest = PAGE.read_text(encoding="utf-8").partition("## Which engine answers which question\n")[2]
    rows = [line for line in rest.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    kinds = {kind.__name__ for kind in largest_ratio.registry} - {"object"}
    assert len(kinds) > 5
    assert [kind for kind in kinds if f"`{kind}`" not in "".join(rows)] == []
    assert {row.count("|") for row in rows} == {6}
