"""CSV tables: labels are anybody's, and a spreadsheet runs a cell that begins like a formula.

A cell that is no number and begins with one of `= + - @`, their full-width forms, a tab or an end
of line has a `'` in front, which spreadsheets do not run; so has one that begins with `'`, so that
one leading `'` is taken away to read any label back.
"""

import re
from collections.abc import Iterable, Sequence

_RISKY = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'")
_NUMBER = re.compile(r"-?([0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]+)?)|inf)")
_QUOTED = re.compile(r'[",;\t\r\n]')


def csv_text(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as CSV, with a comma between cells and a line feed after each row."""
    return "".join(",".join(map(_field, row)) + "\n" for row in (header, *rows))


def cell_text(cell: object) -> str:
    """Return what a cell holds, so that no spreadsheet runs it; numbers stay numbers, `-1/2` and
    `-inf` too.

    >>> cell_text("=1+1"), cell_text("-1"), cell_text("-a"), cell_text("'a"), cell_text("a")
    ("'=1+1", '-1', "'-a", "''a", 'a')
    """
    text = str(cell)
    return f"'{text}" if text.startswith(_RISKY) and not _NUMBER.fullmatch(text) else text


def _field(cell: object) -> str:
    text = cell_text(cell)
    inside = text.replace('"', '""')
    return f'"{inside}"' if _QUOTED.search(text) else text
