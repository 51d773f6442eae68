"""Labels are anybody's: on a terminal they can neither move the cursor nor forge a line."""

import json
from unicodedata import category


def visible(text: str) -> str:
    """Replace what does not show or changes how its surroundings show: controls, direction
    marks, lone surrogates.
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or category(sign) == "Zs" or sign == "\n" else "\ufffd"
        for sign in text
    )


def one_line(text: str) -> str:
    """Return text as one line of a terminal, so that a label can neither move the cursor nor
    add a line.
    """
    return visible(" ".join(text.splitlines()))


def in_quotes(label: str) -> str:
    """Quote a label as JSON does, and escape what does not show: its quotation marks cannot end it.

    >>> print(in_quotes('a", prior "b'))
    "a\\", prior \\"b"
    """
    quoted = json.dumps(label, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in quoted)


def label_text(label: str, length: int = 60) -> str:
    """Shorten a label for a narrow place, on one line."""
    shown = one_line(label)
    return shown if len(shown) <= length else shown[: length - 1] + "…"
