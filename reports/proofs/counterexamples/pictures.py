"""Pictures of a counterexample: what each output of a mechanism tells, privacy regions, curves.

Numbers stay exact until they are drawn, and every picture says them in words as well.
"""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pufferproof.claims.language.refuting import NUMBER
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.reports.auditing.plots.listed import outputs_picture
from pufferproof.reports.console.drawing import AGAINST, FOR, INK, MARK, Axis, Curve, Panel, Plot
from pufferproof.reports.explaining.pages.picture import Picture
from pufferproof.reports.proofs.counterexamples.again import audited
from pufferproof.verify.audit import Audit

_MOST_DRAWN = 40  # outputs of a mechanism, outcomes of two distributions
_MOST_ITEMS = 24
_PMFS = (("P", "Q"), ("P0", "P1"))  # keys of two distributions over the same outcomes
_ROWS = {"first": "the first pair", "second": "the second pair", "rows": "the two rows"}
# keys of a pair of them, and what the picture calls the pair
_LINES = (("R", "delta"), ("ratio", "delta"), ("slope", "shift"))  # keys of what is claimed of them: (e^epsilon, delta)
_POINTS = ("point", "between")


def pictures(evidence: JsonObject) -> list[Picture]:
    """Return the pictures of evidence, for the page to draw: each says all of its numbers."""
    return _drawn(json.dumps(evidence))


@lru_cache(maxsize=256)
def _drawn(text: str) -> list[Picture]:
    """Return the pictures of evidence given as JSON, made once."""
    evidence = json.loads(text)
    return [*_curve_pictures(evidence), *_region_pictures(evidence), *_audit_bars(evidence)]


def _curve_pictures(evidence: JsonObject) -> list[Picture]:
    """Draw the rows of `curves`, which have exact numbers: all others against the first."""
    rows = evidence.get("curves")
    if not isinstance(rows, Mapping) or len(rows) < 2:
        return []
    lengths = {len(row) if isinstance(row, list) else 0 for row in rows.values()}
    if len(lengths) > 1 or not 2 <= max(lengths) <= _MOST_DRAWN:
        return []
    numbers = {name: [number for number in map(_number, row) if number is not None] for name, row in rows.items()}
    if any(len(row) < len(rows[name]) for name, row in numbers.items()):
        return []
    (along, places), *curves = numbers.items()
    said = "; ".join(f"{name}: {', '.join(map(str, rows[name]))}" for name in rows)
    return [curves_picture(along, places, dict(curves), said)]


def _number(value: Any) -> Fraction | None:
    """Return a number of plain data."""
    try:
        return Fraction(value)
    except (TypeError, ValueError, ZeroDivisionError):
        return None


def _audit_bars(evidence: JsonObject) -> list[Picture]:
    """Return what each output of a mechanism tells about the pair that leaks most."""
    audit = _small(evidence)
    if audit is None or audit.leakage.ratio == 1:
        return []
    return [outputs_picture(audit)]


def _small(evidence: JsonObject) -> Audit | None:
    """Audit a framework and mechanism that are small enough to draw."""
    audit_again = audited(evidence, up_to_delta=False)
    if audit_again is None or audit_again.framework.closure != "list":
        return None
    sizes = (audit_again.channel.outputs, audit_again.framework.databases, audit_again.framework.priors)
    return audit_again if max(map(len, sizes)) <= _MOST_DRAWN else None


def _region_pictures(evidence: JsonObject) -> list[Picture]:
    """Draw the privacy regions of two distributions, with what is claimed of them."""
    pairs = [(f"{one} and {two}", _pmfs([evidence.get(one), evidence.get(two)])) for one, two in _PMFS]
    pairs += [(name, _pmfs(evidence.get(key))) for key, name in _ROWS.items()]
    drawn = [(name, rows) for name, rows in pairs if rows is not None]
    if not drawn:
        return []

    listed = evidence.get("slopes_and_shifts")
    stated = [_numbers(each) for each in listed] if isinstance(listed, list) else []
    stated += [_numbers([evidence.get(ratio), evidence.get(shift)]) for ratio, shift in _LINES]
    lines = [(each[0], each[1]) for each in stated if each is not None and len(each) == 2 and each[0] > 0]
    points = [(key, _numbers(evidence.get(key))) for key in _POINTS]
    marked = {key: (at[0], at[1]) for key, at in points if at is not None and len(at) == 2}
    said = [f"Region of {name}: corners {_places(region_corners(*rows))}." for name, rows in drawn]
    said += [
        f"Lines of e^epsilon = {_brief(r)}, delta = {_brief(d)}: a + {_brief(r)} b = "
        f"{_brief(1 - d)}, and a and b exchanged."
        for r, d in lines
    ]
    said += [f"Marked, {key}: {_places([at])}." for key, at in marked.items()]
    regions = {name: region_corners(*rows) for name, rows in drawn}
    return [region_picture(regions, lines[:6], marked, " ".join(said))]


def _pmfs(value: object) -> tuple[list[Fraction], list[Fraction]] | None:
    """Read two distributions over one set of outcomes, or return None."""
    if not (isinstance(value, list) and len(value) == 2):
        return None
    one, two = value
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        if one.keys() != two.keys():
            return None
        one, two = list(one.values()), [two[key] for key in one]
    rows = _numbers(one), _numbers(two)
    if rows[0] is None or rows[1] is None or not 0 < len(rows[0]) == len(rows[1]) <= _MOST_DRAWN:
        return None
    fine = all(min(row) >= 0 and sum(row) == 1 for row in (rows[0], rows[1]))
    return (rows[0], rows[1]) if fine else None


def _numbers(value: object) -> list[Fraction] | None:
    """Read a list of exact numbers; None if the value is anything else."""
    if not isinstance(value, list) or not all(NUMBER.fullmatch(str(each)) for each in value):
        return None
    try:
        return [Fraction(str(each)) for each in value]
    except (ValueError, ZeroDivisionError):
        return None


def _places(points: Sequence[tuple[Fraction, Fraction]]) -> str:
    shown = ", ".join(f"({_brief(x)}, {_brief(y)})" for x, y in points[:_MOST_ITEMS])
    return shown + (f" and {len(points) - _MOST_ITEMS} more" if len(points) > _MOST_ITEMS else "")


def _brief(number: Fraction) -> str:
    return brief(number) if len(str(number)) > 24 else str(number)


def region_corners(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Return the corners of the convex hull of (P(S), Q(not S)) over all events S, exactly, from
    (0, 1) on.

    The lower boundary takes outcomes in by falling ratio Q / P, the upper one by rising.

    >>> [(str(x), str(y)) for x, y in region_corners([Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)])]
    [('0', '1'), ('1/2', '0'), ('1', '0'), ('1/2', '1')]
    """
    shares: dict[Fraction, tuple[Fraction, Fraction]] = {}  # outcomes with the same ratio lie on one edge
    for a, b in zip(p, q):
        if a + b > 0:
            x, y = shares.get(a / (a + b), (Fraction(0), Fraction(0)))
            shares[a / (a + b)] = (x + a, y + b)
    lower = [(Fraction(0), Fraction(1))]
    for _, (a, b) in sorted(shares.items()):
        lower.append((lower[-1][0] + a, lower[-1][1] - b))
    upper = [(1 - x, 1 - y) for x, y in lower]  # the events' complements
    return lower if len(shares) == 1 else lower[:-1] + upper[:-1]


def region_finding(
    regions: Mapping[str, Sequence[tuple[Fraction, Fraction]]], lines: Sequence[tuple[Fraction, Fraction]] = ()
) -> str:
    """Say whether a region crosses a line that is claimed of it, else how well the best test tells
    the two distributions of a region apart.

    >>> corners = region_corners([Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)])
    >>> region_finding({"P and Q": corners}, [(Fraction(3, 2), Fraction(0))])
    'The region of P and Q crosses the lines of e^epsilon = 3/2, delta = 0.'
    >>> region_finding({"P and Q": corners})
    'The errors of the best test of P and Q sum to 1/2.'
    """
    for name, corners in regions.items():
        for ratio, shift in lines:
            if any(min(a + ratio * b, ratio * a + b) < 1 - shift for a, b in corners):
                claimed = f"e^epsilon = {_short(ratio)}, delta = {_short(shift)}"
                return f"The region of {name} crosses the lines of {claimed}."
    if lines:
        return f"No region crosses a line that is claimed of {'it' if len(regions) == 1 else 'one'}."
    sums = {name: _short(min(a + b for a, b in corners)) for name, corners in regions.items()}
    parts = [f"of {name} sum to {least}" for name, least in sums.items()]
    return f"The errors of the best test {', '.join(parts)}."


def curves_finding(along: str, places: Sequence[Fraction], curves: Mapping[str, Sequence[Fraction]]) -> str:
    """Say where the first two curves differ most; of one curve, its lowest and highest value.

    >>> curves_finding("q", [0, 1], {"exact": [1, 2], "printed": [1, 3]})
    'At q = 1, exact is 2 and printed is 3.'
    >>> curves_finding("q", [0, 1], {"exact": [1, 2]})
    'From q = 0 to q = 1, exact runs from 1 to 2.'
    """
    (one, values), *others = curves.items()
    if not others:
        (low, start), (high, end) = min(zip(values, places)), max(zip(values, places))
        where = f"From {along} = {_short(start)} to {along} = {_short(end)}"
        return f"{where}, {one} runs from {_short(low)} to {_short(high)}."
    two, compared = others[0]
    gap, at, x, y = max((abs(x - y), at, x, y) for x, y, at in zip(values, compared, places))
    if not gap:
        return f"{one} and {two} are equal."
    return f"At {along} = {_short(at)}, {one} is {_short(x)} and {two} is {_short(y)}."


def region_picture(
    regions: Mapping[str, Sequence[tuple[Fraction, Fraction]]],
    lines: Sequence[tuple[Fraction, Fraction]],
    marked: Mapping[str, tuple[Fraction, Fraction]],
    said: str,
) -> Picture:
    """Return privacy regions, given by their corners, and the two lines of every (e^epsilon, delta)
    that is claimed of them.

    Points on or above both lines of a pair (R, delta) are those with a + R b >= 1 - delta and R a +
    b >= 1 - delta.
    """
    outlines = [
        Curve(f"region of {name}", *_floats([*corners, corners[0]]), colour)
        for (name, corners), colour in zip(regions.items(), (FOR, AGAINST, INK))
    ]
    claimed = [each for number, line in enumerate(lines) for each in _claimed_lines(*line, ("--", ":")[number % 2])]
    points = [Curve(name, *_floats([at]), INK, "o") for name, at in marked.items()]
    below = "Privacy region: the convex hull of (P(S), Q(not S)) over all events S. Q(not S) (up) by P(S) (across)."
    edge = float(max([Fraction(1), *(max(at) for at in marked.values())])) * 1.02
    panel = Panel([*outlines, *claimed, *points], Axis("", 0, edge), Axis("", 0, edge))
    return Picture(Plot(region_finding(regions, lines), [panel]), said, below)


def curves_picture(
    along: str, places: Sequence[Fraction], curves: Mapping[str, Sequence[Fraction]], said: str
) -> Picture:
    """Return exact values against the numbers that they belong to, a curve for each name."""
    styles = ((AGAINST, "o-"), (FOR, "o--"), (INK, "o:"))
    xs = [float(place) for place in places]
    drawn = [
        Curve(name, xs, [float(value) for value in values], colour, form)
        for (name, values), (colour, form) in zip(curves.items(), styles)
    ]
    across, up = _around(xs), _around([y for each in drawn for y in each.ys])
    panel = Panel(drawn, Axis("", *across), Axis("", *up))
    below = f"{' and '.join(curves)} (up) by {along} (across)."
    return Picture(Plot(curves_finding(along, places, curves), [panel]), said, below)


def _floats(points: Sequence[tuple[Fraction, Fraction]]) -> tuple[list[float], list[float]]:
    return [float(x) for x, _ in points], [float(y) for _, y in points]


def _around(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of an axis: those of the values, with some space around them.

    >>> _around([0.0, 100.0]), _around([3.0, 3.0])
    ((-4.0, 104.0), (2.0, 4.0))
    """
    low, high = min(values), max(values)
    space = (high - low) / 25 or max(1.0, abs(low) / 25)
    return low - space, high + space


def _claimed_lines(ratio: Fraction, shift: Fraction, form: str) -> list[Curve]:
    """Return a + R b = 1 - delta and R a + b = 1 - delta, one of them with a name."""
    said, height = f"e^epsilon = {_short(ratio)}, delta = {_short(shift)}", 1 - shift
    nothing = Fraction(0)
    return [
        Curve(said, *_floats([(nothing, height), (height / ratio, nothing)]), MARK, form),
        Curve("", *_floats([(nothing, height / ratio), (height, nothing)]), MARK, form),
    ]


def _short(number: Fraction) -> str:
    return str(number) if len(str(number)) <= 12 else f"{float(number):.4g}"
