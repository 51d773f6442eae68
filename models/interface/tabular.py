"""Answers that have a table: as rows with exact numbers, as a table of pandas, and as bars.

pandas and matplotlib are imported when they are asked for.
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from pufferproof.models.errors import MissingPackageError, extras
from pufferproof.models.interface.drawing import FAINT, FOR, MARK, new_figure, styled, titled
from pufferproof.models.numbers.enclosures import Enclosure, enclose_log
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import JsonObject, outward, three

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_BARS = 40
_MOST_LETTERS = 36
_NUMBER = re.compile(r"(at least|≈) (\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")
_VERDICT = re.compile("SATISFIES|VIOLATES|UNDECIDED")
Entry = JsonObject


class Tabular:
    """Has `entries`, rows whose cells are texts and exact numbers; an infinite one is `math.inf`,
    one that is not there None.

    >>> class Squares(Tabular):
    ...     _named, _drawn, _axis = ("root",), ("square", "square"), "square"
    ...
    ...     def entries(self):
    ...         return [{"root": n, "square": Fraction(n * n)} for n in range(3)]
    ...
    ...     def __str__(self):
    ...         return "the largest square is 4"
    >>> Squares().to_pandas()["square"].tolist()
    [0.0, 1.0, 4.0]
    >>> Squares().plot().texts[0].get_text()
    'The largest square is 4.'
    """

    _named: ClassVar[tuple[str, ...]]  # columns that say what a bar is
    _drawn: ClassVar[tuple[str, str]] = ("lower", "upper")  # a bar, and how far it may go
    _axis: ClassVar[str] = "nats"

    def entries(self) -> list[Entry]:
        """Return the rows of the table."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Return the rows as a pandas table; fractions become floats.

        Raises `PufferproofError` unless pandas is installed.
        """
        entries = self.entries()
        table = needed("pandas", "to_pandas").DataFrame(entries)
        for column in table.columns:
            cells = [row[column] for row in entries]
            if any(isinstance(cell, Fraction | float) for cell in cells):
                table[column] = [_float_approx(cell) for cell in cells]
        return table

    def plot(self) -> "Figure":
        """Draw the table: a matplotlib figure with a bar for every row, of more than 40 rows for
        those with the longest ones. The title says the answer. What is known by bounds has a faint
        end.

        Raises `PufferproofError` unless matplotlib is installed.
        """
        needed("matplotlib", "plot")
        bars = [bar for bar in self._bars() if bar[1] is not None]
        longest = sorted(range(len(bars)), key=lambda place: -abs(bars[place][2]))[:_MOST_BARS]
        chosen = [bars[place] for place in sorted(longest)]
        more = f" ({len(chosen)} longest of {len(bars)})" if len(chosen) < len(bars) else ""
        with styled():
            figure, axes = new_figure(1.1 + 0.26 * len(chosen))
            _draw(axes, chosen)
            axes.set_xlabel(self._axis + more)
            titled(figure, self._finding())
        return figure

    def _finding(self) -> str:
        """Return the title of the plot: the answer in one sentence, its numbers with three digits.

        The sentence is the first part of the text of the answer; after a verdict, the first two.
        """
        parts = str(self).splitlines()[0].split("; ")
        said = "; ".join(parts[: 2 if _VERDICT.match(parts[0]) else 1])
        said = _NUMBER.sub(_with_three_digits, said)
        return f"{said[:1].upper()}{said[1:]}."

    def _bars(self) -> list[tuple[str, float | None, float]]:
        """Return what every bar is, and its ends."""
        low, high = self._drawn
        return [
            (
                ", ".join(str(row[name]) for name in self._named if row[name] is not None),
                _float_approx(row[low]),
                _float_approx(row[high]) or 0.0,
            )
            for row in self.entries()
        ]


def _with_three_digits(found: re.Match[str]) -> str:
    """Round a number; a lower bound is rounded down, so that it stays one."""
    how, number = found.groups()
    return f"{how} {outward(number, number, 3)[0] if how != '≈' else three(float(number))}"


def needed(package: str, call: str) -> Any:
    """Return a package of an extra. Raises `MissingPackageError` unless it is installed."""
    try:
        with extras:
            return import_module(package)
    except MissingPackageError as error:
        raise error.at(call) from None


def nats(known: Enclosure) -> Entry:
    """Return the cells of a number of nats."""
    return {"lower": _number(known.lower), "upper": _number(known.upper)}


def nats_of(lower: Fraction | None, upper: Fraction | None) -> Entry:
    """Return the cells of the logarithm of a ratio, or None if that is infinite."""
    low = math.inf if lower is None else _number(enclose_log(lower).lower)
    return {"lower": low, "upper": math.inf if upper is None else _number(enclose_log(upper).upper)}


def infinite_if_none(value: Fraction | None) -> Fraction | float:
    """Return a number, None being infinite."""
    return math.inf if value is None else value


def _number(text: str) -> Fraction | float:
    return float(text) if "inf" in text else exact(text)


def _float_approx(cell: Any) -> float | None:
    """Return the nearest float, infinite beyond them."""
    if cell is None:
        return None
    try:
        return float(cell)
    except OverflowError:
        return math.copysign(math.inf, cell)


def _draw(axes: "Axes", bars: Sequence[tuple[str, float | None, float]]) -> None:
    """Draw bars from the top down; infinite ones are cut a little beyond the longest finite one."""
    finite = [abs(end) for _, *ends in bars for end in ends if end and math.isfinite(end)]
    edge = 1.15 * max(finite, default=1.0)
    for place, (_, low, high) in enumerate(bars):
        start, end = (max(-edge, min(edge, each or 0.0)) for each in (low, high))
        axes.barh(place, end, color=FAINT, height=0.62, alpha=0.5)
        axes.barh(place, start, color=FOR, height=0.62)
        if math.isinf(high):
            axes.text(end, place, " ∞", color=MARK, va="center", ha="left" if end > 0 else "right")
    axes.set_yticks(range(len(bars)), [_short(name) for name, _, _ in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _short(name: str) -> str:
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= _MOST_LETTERS else f"{clean[: _MOST_LETTERS - 2]} .."
