"""A time in a cell, and the step between two.

Times are ISO 8601 dates and times, dates with dots such as 29.03.2026, dates with slashes, of which
the reader says whether the day is first, or numbers. A step has a length in real time (offsets from
UTC are counted), on the clock of the wall (days over a change to summer time), and in months of the
calendar. A change of offset as long as a step may hide that one is missing: it is none then.
"""

import re
from calendar import monthrange
from contextlib import suppress
from datetime import datetime, timedelta
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.labels import label_of, number_of
from pufferproof.models.numbers.text import brief, shown

Moment = datetime | Fraction | int
Step = timedelta | Fraction | int | None  # an int counts months, None is no whole number of them

SHORT = timedelta(days=27)  # what is shorter is no month
SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})( \d\d:\d\d(?::\d\d)?)?", re.ASCII)
_LIKE = re.compile(r"\d{1,4}([/. -])(\d{1,2}|[^\W\d_]{3,9})\1\d{2,4}\b.*", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})/(\d\d)/(\d\d)( \d\d:\d\d(?::\d\d)?)?", re.ASCII)
_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})( \d\d:\d\d(?::\d\d)?)?", re.ASCII)
_SLASHES = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}")
_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d)", re.ASCII)
_HOUR = timedelta(hours=1)
_FEW_DIGITS = 18  # of an integer, which is read as it is
_LONGEST_DATE = 8  # digits alone, as in 20260329; more are a number, such as of milliseconds


def may_be_time(cell: object) -> bool:
    """Return whether a cell is a date, or looks like one that cannot be read."""
    return looks_like_time(cell) or (isinstance(cell, str) and bool(_LIKE.fullmatch(cell)))


def looks_like_time(cell: object) -> bool:
    """Return whether a cell is a date, with a time or without, and no number."""
    if isinstance(cell, str):
        if not any(mark in cell[:8] for mark in "-./"):
            return False
        try:
            return isinstance(moment_of(cell, ".")[1], datetime)
        except ModelError:
            return False
    return hasattr(cell, "isoformat") and hasattr(cell, "year")


def moment_of(cell: object, decimal: str, slashes: str | None = None) -> tuple[str, Moment]:
    """Return a cell as text, and as a time. Raises `ModelError` unless it is one."""
    text = cell if isinstance(cell, str) else label_of(cell)
    if len(text) < _LONGEST_DATE and text.isascii() and text.isdecimal():
        return text, int(text)
    if dotted := _DOTS.fullmatch(text):  # where dates have dots, the day is first
        day, month, year, clock = dotted.groups("")
        with suppress(ValueError):
            return text, datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}{clock}")
    if _YEAR_FIRST.fullmatch(text):
        with suppress(ValueError):
            return text, datetime.fromisoformat(text.replace("/", "-"))
    if slashes and (slashed := SLASHED.fullmatch(text)):
        one, two, year, clock = slashed.groups("")
        day, month = (one, two) if slashes == "day" else (two, one)
        with suppress(ValueError):
            return text, datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}{clock}")
    if len(text) <= _LONGEST_DATE or not text.isdecimal():
        try:
            return text, datetime.fromisoformat(text)
        except ValueError:
            pass
    if text.isascii() and text.isdecimal() and len(text) <= _FEW_DIGITS:
        return text, int(text)
    try:
        return label_of(text), number_of(text, decimal)
    except ModelError as error:
        if "missing" in error.what:
            raise
        which = " (day or month first?)" if _SLASHES.match(text) else ""
        raise ModelError(
            'expected an ISO date and time such as "2026-03-29 01:30:00+01:00", or a number, found '
            f"{shown(text)}{which}"
        ) from None


def span_of(one: Moment, two: Moment) -> timedelta | Fraction | int:
    """Return the time between two moments. Raises `ModelError` unless they are of one kind."""
    if isinstance(one, Fraction | int) and isinstance(two, Fraction | int):
        return two - one
    if isinstance(one, datetime) and isinstance(two, datetime):
        if (one.tzinfo is None) == (two.tzinfo is None):
            return two - one
        raise ModelError("expected offsets from UTC in all times, or in none")
    raise ModelError("expected numbers alone, or dates alone")


def steps_of(one: Moment, two: Moment, span: timedelta | Fraction | int) -> list[tuple[str, Step]]:
    """Return the step in real time, and of dates on the clock of the wall and in months."""
    real: tuple[str, Step] = ("real", Fraction(span) if isinstance(span, int) else span)
    if not (isinstance(one, datetime) and isinstance(two, datetime)):
        return [real]
    aware = one.tzinfo is not None
    a, b = (one.replace(tzinfo=None), two.replace(tzinfo=None)) if aware else (one, two)
    wall = b - a
    clear = wall if abs(two - one - wall) < wall else None
    return [real, *([("wall", clear)] if aware else []), ("months", _months(a, b, wall))]


def _months(a: datetime, b: datetime, wall: timedelta) -> int | None:
    """Return the number of months between the same days, or ends of months; None else."""
    if wall < SHORT or a.time() != b.time():
        return None
    ends = (day.day == monthrange(day.year, day.month)[1] for day in (a, b))
    return 12 * (b.year - a.year) + b.month - a.month if a.day == b.day or all(ends) else None


def is_hour(span: timedelta | Fraction) -> bool:
    """Return whether a span is what clocks change by: at most an hour, forward or back."""
    return isinstance(span, timedelta) and timedelta(0) < abs(span) <= _HOUR


def step_text(step: Step) -> str:
    """Say a step as files have it: `0:30:00`, `1 day`, `1 month`, `2`."""
    if isinstance(step, timedelta):
        sign = "-" if step < timedelta(0) else ""
        return sign + str(abs(step)).removesuffix(", 0:00:00")
    if isinstance(step, Fraction):
        return brief(step)
    return f"{step} month{'s' * (step != 1)}"


def step_words(step: Step | str) -> str:
    """Say a step to a reader.

    >>> step_words("0:30:00"), step_words(timedelta(hours=1)), step_words("1 day, 0:30:00")
    ('30 minutes', '1 hour', '1 day, 0:30:00')
    """
    text = step if isinstance(step, str) else step_text(step)
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        return text
    hours, minutes, seconds = map(int, clock.groups())
    if seconds:
        number, unit = (hours * 60 + minutes) * 60 + seconds, "second"
    else:
        number, unit = (hours * 60 + minutes, "minute") if minutes else (hours, "hour")
    return f"{number} {unit}{'s' * (number != 1)}"
