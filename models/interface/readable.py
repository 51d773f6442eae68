"""What computations answer: an object whose text is a line or two for a person, instead of the
fields that it has. Notebooks show the verdict as a badge, the text, and one picture of bars. An
answer that is kept has the seal of its user.

>>> class Sum(Readable):
...     def __str__(self) -> str:
...         return "2 + 2 = 4"
>>> Sum(), Sum()._repr_html_()
(<Sum: 2 + 2 = 4>, '<div><strong>2 + 2 = 4</strong></div>')
"""

import hashlib
import hmac
import os
import secrets
import tempfile
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from html import escape
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.text import brief, rounded, shown

# Seals: an HMAC with a key of the user's own, so that what a command kept earlier is taken again without being
# computed only if this user kept it.
#
# Whoever can read the key can write what is taken. The key lies in the user's state folder, and is made at first use;
# without a home there is none.

_KEY_BYTES = 32


def folder_of(variable: str, default: str) -> Path:
    """Return this program's folder for files of one kind. Raises `RuntimeError` without a home."""
    return Path(os.environ.get(variable) or Path.home() / default) / "pufferproof"


def seal(key: bytes, name: str, payload: bytes) -> str:
    """Return the seal of what is kept under a name."""
    text = name.encode(errors="replace") + b"\n" + payload
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def is_sealed(key: bytes, name: str, payload: bytes, found: object) -> bool:
    """Whether a seal is that of what is kept under a name."""
    expected = seal(key, name, payload)
    return hmac.compare_digest(expected.encode(), str(found).encode(errors="replace"))


def user_key() -> bytes:
    """Return the user's key, and make one if there is none.

    Raises `OSError` or `RuntimeError` unless it can be read or made.
    """
    path = folder_of("XDG_STATE_HOME", ".local/state") / "cache-key"
    with suppress(FileNotFoundError):
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
        path.unlink()  # half a key, of a disk that was full
    path.parent.mkdir(parents=True, exist_ok=True)
    # a file that nobody else can read
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(_KEY_BYTES))
        with suppress(FileExistsError):  # another run was faster
            os.link(temporary, path)
    finally:
        os.unlink(temporary)
    return path.read_bytes()


def key_for(trusted: bool) -> bytes:
    """Return the user's key, with which answers of `--resume` are sealed.

    Raises `ModelError` if there is none, unless the file is trusted: then it needs no key.
    """
    try:
        return user_key()
    except (OSError, RuntimeError) as error:
        if trusted:
            return b""
        said = "expected a folder for the key that seals answers, XDG_STATE_HOME or a home"
        raise ModelError(f"{said}: {error}", "--resume") from None


_DIGITS = 7
_LISTED = 4
_BADGES = {  # a sign, its colour, and the colour behind it: as on the pages of reports
    "SATISFIES": ("✓", "#0a5c33", "#e4f4ea"),
    "VIOLATES": ("✗", "#8f1717", "#fdeaea"),
    "UNDECIDED": ("?", "#3c4149", "#eef0f3"),
}
_WIDTH, _NAMES, _ROW, _TOP = 560, 150, 22, 20  # of a picture, in pixels
_MOST_ROWS, _MOST_COLUMNS, _TALL = 12, 400, 90
_LETTERS = 22


class Readable:
    """Shows itself by its text. A dataclass that is one says `repr=False`."""

    @abstractmethod
    def __str__(self) -> str:
        """Say the answer, for a person."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        """Show the answer in a notebook: a verdict as a badge, the text with a part of it a line,
        the first one bold, and the picture.
        """
        first, *others = [part for line in str(self).splitlines() for part in line.split("; ")]
        word, _, rest = first.partition(" ")
        head = f"<strong>{escape(first)}</strong>"
        if word in _BADGES:
            sign, ink, back = _BADGES[word]
            style = f"color:{ink};background:{back};border:1.5px solid {ink};border-radius:1em"
            badge = f'<span style="{style};padding:0 .6em;font-weight:bold">{sign} {word}</span>'
            head = f"{badge} <strong>{escape(rest)}</strong>"
        return f"<div>{'<br>'.join([head, *map(escape, others)])}{self._picture()}</div>"

    def _picture(self) -> str:
        """Return a picture of the answer as HTML, from numbers that are known already; nothing if
        there is nothing to compare.
        """
        return ""


def between(lower: Fraction, upper: Fraction) -> str:
    """Write what is known of a number: exactly where it is short, else the digits that its bounds
    share, else both.

    >>> between(Fraction(1, 3), Fraction(1, 3)), between(Fraction(1, 3), Fraction(1, 2))
    ('1/3', 'between 0.3333333 and 0.5')
    """
    if lower == upper and "~" not in brief(lower):
        return brief(lower)
    ends = enclose(lower, upper)
    low, high = rounded(ends.lower, _DIGITS), rounded(ends.upper, _DIGITS)
    return f"≈ {low}" if low == high else f"between {low} and {high}"


def listed(labels: Sequence[str], quote: bool = True) -> str:
    """Name the first few of some labels, each shortened: `'u', 'v' and 3 more`."""
    names = ", ".join(shown(label) if quote else label for label in labels[:_LISTED])
    return names + (f" and {len(labels) - _LISTED} more" if len(labels) > _LISTED else "")


class Bar(NamedTuple):
    """A number of nats with its name."""

    name: str
    known: Enclosure


def bars(rows: Sequence[Bar], level: Bar | None = None) -> str:
    """Draw numbers of nats as bars of an SVG, with a level as a dashed line: below one another with
    their names and values, more than a dozen as columns side by side. What is known by bounds has a
    pale end.
    """
    ends = [(each.known.lower, each.known.upper) for each in (*rows, *filter(None, [level]))]
    finite = [end for pair in ends for end in map(float, pair) if isfinite(end)]
    edge = max(finite, default=0.0) * 1.05 or 1.0
    shares = [[min(float(end) / edge, 1.0) for end in pair] for pair in ends]
    draw = _rows if len(rows) <= _MOST_ROWS else _columns
    height, parts = draw(rows[:_MOST_COLUMNS], shares, level)
    said = ", ".join(f"{each.name}: {_nats(each.known)}" for each in rows[:_MOST_ROWS])
    return (
        f'<svg role="img" width="{_WIDTH}" viewBox="0 0 {_WIDTH} {height}" '
        'style="display:block;max-width:100%;margin-top:.5em;font:12px sans-serif">'
        f"<title>{escape(said)}</title>{''.join(parts)}</svg>"
    )


def _nats(known: Enclosure) -> str:
    low, high = (end if end == "inf" else rounded(end, 3) for end in (known.lower, known.upper))
    if high == "inf":
        return "infinite" if low == "inf" else f"at least {low}"
    return low if low == high else f"{low} to {high}"


def _short(name: str) -> str:
    return escape(name if len(name) <= _LETTERS else f"{name[: _LETTERS - 2]} ..")


def _rows(rows: Sequence[Bar], shares: Sequence[Sequence[float]], level: Bar | None) -> tuple[int, list[str]]:
    """Return the height of bars below one another, and what is drawn."""
    wide, parts, top = _WIDTH - _NAMES - 90, [], 4 if level is None else _TOP
    for place, (each, (low, high)) in enumerate(zip(rows, shares)):
        y = top + place * _ROW
        parts.append(
            f'<text x="{_NAMES - 8}" y="{y + 13}" text-anchor="end" fill="currentColor">'
            f"{_short(each.name)}</text>"
            + _rectangle(_NAMES, y + 2, wide * high, 14, "#8a8f98")
            + _rectangle(_NAMES, y + 2, wide * low, 14, "#1f6fb2")
            + f'<text x="{_NAMES + wide * high + 6:.1f}" y="{y + 13}" fill="currentColor">'
            f"{_nats(each.known)}</text>"
        )
    height = top + len(rows) * _ROW + 4
    if level is not None:
        x = _NAMES + wide * shares[-1][1]
        parts.append(_dashed((x, 16, x, height), (x, 11), "middle", level))
    return height, parts


def _columns(rows: Sequence[Bar], shares: Sequence[Sequence[float]], level: Bar | None) -> tuple[int, list[str]]:
    """Return the height of columns side by side, and what is drawn; the first and the last have
    their names below.
    """
    step, bottom, parts = _WIDTH / len(rows), _TOP + _TALL, []
    for place, (low, high) in enumerate(shares[: len(rows)]):
        for share, colour in ((high, "#8a8f98"), (low, "#1f6fb2")):
            top = bottom - _TALL * share
            parts.append(_rectangle(place * step, top, 0.8 * step, bottom - top, colour))
    ends = ((0, "start", rows[0]), (_WIDTH, "end", rows[-1]))
    for x, anchor, each in ends:
        parts.append(
            f'<text x="{x}" y="{bottom + 14}" text-anchor="{anchor}" fill="currentColor">{_short(each.name)}</text>'
        )
    if level is not None:
        y = bottom - _TALL * shares[-1][1]
        parts.append(_dashed((0, y, _WIDTH, y), (0, y - 4), "start", level))
    return bottom + 20, parts


def _rectangle(x: float, y: float, width: float, height: float, colour: str) -> str:
    faint = ' opacity="0.5"' if colour == "#8a8f98" else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"{faint}/>'


def _dashed(ends: tuple[float, float, float, float], at: tuple[float, float], anchor: str, level: Bar) -> str:
    """Draw a level as a dashed line with its name."""
    x, y, other_x, other_y = ends
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{other_x:.1f}" y2="{other_y:.1f}" '
        'stroke="#c2410c" stroke-width="1.5" stroke-dasharray="5 3"/>'
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}" fill="currentColor">{escape(level.name)}</text>'
    )
