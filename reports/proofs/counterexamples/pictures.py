"""Pictures of a counterexample: what each output of a mechanism tells, privacy regions, curves."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.reports.auditing.plots.listed import output_bars, outputs_finding, outputs_plot
from pufferproof.reports.console.drawing import inline_svg
from pufferproof.reports.proofs.counterexamples.again import NUMBER, audited
from pufferproof.reports.proofs.regions import (
    curves_finding,
    curves_plot,
    region_corners,
    region_finding,
    region_plot,
)
from pufferproof.verify.audit import Audit

_MOST_DRAWN = 40  # outputs of a mechanism, outcomes of two distributions
_MOST_ITEMS = 24
_PMFS = (("P", "Q"), ("P0", "P1"))  # keys of two distributions over the same outcomes
_ROWS = {"first": "the first pair", "second": "the second pair", "rows": "the two rows"}
# keys of a pair of them, and what the picture calls the pair
_LINES = (
    ("R", "delta"),
    ("ratio", "delta"),
    ("slope", "shift"),
)  # keys of what is claimed of them: (e^epsilon, delta)
_PREFIX = "picture-prefix"
_POINTS = ("point", "between")


def pictures(evidence: JsonObject, prefix: str) -> list[dict[str, object]]:
    """Return the pictures of evidence: a caption that defines what is drawn, empty if the title
    does, and an SVG element whose label has the numbers, its ids with the prefix.
    """
    return [
        {"caption": caption, "svg": _safe(svg.replace(_PREFIX, prefix))}
        for caption, svg in _drawn(json.dumps(evidence))
    ]


@lru_cache(maxsize=256)
def _drawn(text: str) -> list[tuple[str, str]]:
    """Return captions and SVG elements of evidence, given as JSON: readings often share a
    counterexample.
    """
    evidence = json.loads(text)
    return [*_curve_pictures(evidence), *_region_pictures(evidence), *_audit_pictures(evidence)]


def _curve_pictures(evidence: JsonObject) -> list[tuple[str, str]]:
    """Draw the rows of `curves`, which have exact numbers: all others against the first."""
    rows = evidence.get("curves")
    if not isinstance(rows, Mapping) or len(rows) < 2:
        return []
    lengths = {len(row) if isinstance(row, list) else 0 for row in rows.values()}
    if len(lengths) > 1 or not 2 <= max(lengths) <= _MOST_DRAWN:
        return []
    numbers = {
        name: [number for number in map(_number, row) if number is not None]
        for name, row in rows.items()
    }
    if any(len(row) < len(rows[name]) for name, row in numbers.items()):
        return []
    (along, places), *curves = numbers.items()
    named = " and ".join(name for name, _ in curves)
    said = "; ".join(f"{name}: {', '.join(map(str, rows[name]))}" for name in rows)
    drawn = along, places, dict(curves)
    svg = inline_svg(curves_plot(*drawn), f"{_PREFIX}-curves", said, curves_finding(*drawn))
    return [(f"{named} against {along}", svg)]


def _number(value: Any) -> Fraction | None:
    """Return a number of plain data."""
    try:
        return Fraction(value)
    except (TypeError, ValueError, ZeroDivisionError):
        return None


def _audit_pictures(evidence: JsonObject) -> list[tuple[str, str]]:
    """Draw what each output of a mechanism tells about the pair that leaks most."""
    audit = _small(evidence)
    if audit is None or audit.leakage.ratio == 1:
        return []

    left, right = audit.witness.pair
    bars = ", ".join(
        f"{label} " + ("never occurs" if value is None else f"{value:.4g}")
        for label, value in output_bars(audit)
    )
    said = (
        f'What each output tells, in nats for "{left}" (positive) against "{right}" (negative): '
        f"{bars}."
    )
    drawn = inline_svg(outputs_plot(audit), f"{_PREFIX}-outputs", said, outputs_finding(audit))
    return [("", drawn)]


def _small(evidence: JsonObject) -> Audit | None:
    """Audit a framework and mechanism that are small enough to draw; a mixture is only near what
    leaks most.
    """
    found = audited(evidence, up_to_delta=False)
    if found is None or found.framework.closure != "list":
        return None
    sizes = (found.channel.outputs, found.framework.databases, found.framework.priors)
    return found if max(map(len, sizes)) <= _MOST_DRAWN else None


def _region_pictures(evidence: JsonObject) -> list[tuple[str, str]]:
    """Draw the privacy regions of two distributions, with what is claimed of them."""
    pairs = [
        (f"{one} and {two}", _pmfs([evidence.get(one), evidence.get(two)])) for one, two in _PMFS
    ]
    pairs += [(name, _pmfs(evidence.get(key))) for key, name in _ROWS.items()]
    drawn = [(name, rows) for name, rows in pairs if rows is not None]
    if not drawn:
        return []

    listed = evidence.get("slopes_and_shifts")
    stated = [_numbers(each) for each in listed] if isinstance(listed, list) else []
    stated += [_numbers([evidence.get(ratio), evidence.get(shift)]) for ratio, shift in _LINES]
    lines = [
        (each[0], each[1]) for each in stated if each is not None and len(each) == 2 and each[0] > 0
    ]
    points = [(key, _numbers(evidence.get(key))) for key in _POINTS]
    marked = {key: (at[0], at[1]) for key, at in points if at is not None and len(at) == 2}
    said = [f"Region of {name}: corners {_places(region_corners(*rows))}." for name, rows in drawn]
    said += [
        f"Lines of e^epsilon = {_brief(r)}, delta = {_brief(d)}: a + {_brief(r)} b = "
        f"{_brief(1 - d)}, and a and b exchanged."
        for r, d in lines
    ]
    said += [f"Marked, {key}: {_places([at])}." for key, at in marked.items()]
    caption = "Privacy region: the convex hull of (P(S), Q(not S)) over all events S"
    regions = {name: region_corners(*rows) for name, rows in drawn}
    figure, finding = region_plot(regions, lines[:6], marked), region_finding(regions, lines[:6])
    return [(caption, inline_svg(figure, f"{_PREFIX}-region", " ".join(said), finding))]


def _pmfs(value: object) -> tuple[list[Fraction], list[Fraction]] | None:
    """Read two distributions over the same outcomes, as lists or as mappings; None if the value
    is anything else.
    """
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


def _safe(svg: str) -> object:
    return Markup(svg)  # drawn here: labels were escaped by what wrote it
