"""The page on the architecture: every command has a subject. That what it names exists is tested
with all texts.
"""

from pathlib import Path

from pufferproof.reports.commands import COMMANDS

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_every_command_has_a_subject():
    table = PAGE.read_text(encoding="utf-8").partition("## Subjects and their rooms\n")[2]
    assert [name for name in COMMANDS if f"`{name}" not in table.partition("\n## ")[0]] == []
