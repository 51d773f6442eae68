"""Text for a terminal: labels can neither move the cursor nor forge a line, and lines that are too
long break between words.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from jinja2 import Environment

_LABEL = re.compile(r" +|- |[a-z]{9} |\S+(?: \S+){,2} {2,}")
_LAST_CELL = re.compile(r".*\S {2,}(?=\S)")
_WIDEST_LABEL, _NARROWEST_CELL = 28, 12
_WORDS = re.compile(r"\s*\S+")
_ARGUMENTS = re.compile(r"""\s*(?:[^\s"']|"[^"]*"?|'[^']*'?)+""")


def visible(text: str) -> str:
    """Replace what does not show or changes how its surroundings show: controls, direction
    marks, lone surrogates.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or category(sign) == "Zs" or sign == "\n" else "\ufffd" for sign in text)


def one_line(text: str) -> str:
    """Return text as one line of a terminal, so that a label can neither move the cursor nor
    add a line.
    """
    return visible(" ".join(text.splitlines()))


def label_text(label: str, length: int = 60) -> str:
    """Shorten a label for a narrow place, on one line."""
    shown = one_line(label)
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def wrapped(line: str, columns: int | None) -> list[str]:
    """Break a line between words if it is longer than `columns`. The rest stands below the last
    cell of a row, else below the text behind a label. A command goes on after a backslash, as a
    shell has it.

    >>> print(*wrapped("leakage   between 1 and 2 nats", 22), sep="\\n")
    leakage   between 1
              and 2 nats
    >>> print(*wrapped("next      pufferproof audit a.json b.json", 36), sep="\\n")
    next      pufferproof audit a.json \\
              b.json
    """
    if columns is None or cell_width(line) <= columns:
        return [line]
    # the rest of a line does not stand below all before its last cell if there is room, else not below a label or
    # the spaces that it begins with
    last = _LAST_CELL.match(line)
    if last and len(last[0]) <= columns - _NARROWEST_CELL:
        label = last[0]
    else:
        first = _LABEL.match(line)
        label = first[0] if first and len(first[0]) <= _WIDEST_LABEL else ""
    text, indent = line[len(label) :], " " * cell_width(label)
    command = text.startswith("pufferproof ")
    room = columns - len(indent) - 2 * command
    rows = [""]
    for word in (_ARGUMENTS if command else _WORDS).findall(text):
        if rows[-1] and cell_width(rows[-1] + word) > room:
            rows.append(word.lstrip())
        else:
            rows[-1] += word
    rows = [f"{row} \\" for row in rows[:-1]] + rows[-1:] if command else rows
    return [f"{label}{rows[0]}", *(f"{indent}{row}" for row in rows[1:])]


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


# Pages from templates: every text is escaped, and no sign hides or moves others.
#
# jinja2 is imported when a page is written.

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$#&])")


def rendered(template: str, context: Mapping[str, object]) -> str:
    """Fill a template; everything but our own plots and formulas is escaped in HTML."""
    return str(_environment().get_template(template).render(context))


def own_script() -> dict[str, object]:
    """Return our own script for a page, with the hash by which the page's policy lets it run,
    and nothing else.
    """
    from importlib.resources import files

    from markupsafe import Markup

    source = files("pufferproof.reports").joinpath("templates/proofs/filter.js")
    script = source.read_text(encoding="utf-8")
    return {"script": Markup(script), "script_hash": policy_hash(script)}


def policy_hash(text: str) -> str:
    """Return the hash by which a content security policy names a script or a style.

    >>> policy_hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def markdown(value: object) -> str:
    """Escape text for Markdown, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(str(value).split()))


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("pufferproof.reports"),
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        undefined=StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) or not isinstance(value, str) else visible(value),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["markdown"] = markdown
    return environment
