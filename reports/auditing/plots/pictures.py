"""What each output of an audit tells, and its privacy profile, as pictures of a page."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.text import at_least
from pufferproof.reports.auditing.plots.listed import (
    MAX_OUTPUTS,
    NEAR,
    asked_text,
    drawn_bars,
    is_witness,
    number_text,
    output_bars,
    outputs_finding,
    profile_finding,
    profile_of,
    sides_text,
)
from pufferproof.reports.console.drawing import nats_approx
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import leakage_text, prior_text
from pufferproof.reports.explaining.pages.picture import Bars, Curve, Curves, Picture, Row
from pufferproof.verify.audit import Audit

_POINTS = 101  # of a curve
_REACH = 30  # per cent of the width that the longest bar takes, to either side
_PAST = 1.08  # of the longest bar: where an infinite one is cut


def audit_pictures(audit: Audit) -> list[Picture]:
    """Return what each output tells, and the privacy profile; nothing where nothing leaks, or
    outputs are not listed.
    """
    if not audit.is_listed or audit.leakage.ratio == 1:
        return []
    return [*outputs_pictures(audit), *_where_defined(lambda: profile_picture(audit))]


def outputs_pictures(audit: Audit) -> list[Picture]:
    """Return what each output tells, of probabilities that are not rational to about 60 digits;
    nothing where nothing leaks, or outputs are not listed.
    """
    if isinstance(audit.mechanism, PowerTable):
        audit = replace(audit, mechanism=audit.mechanism.rounded_approx())
    if not audit.is_listed or audit.leakage.ratio == 1:
        return []
    return _where_defined(lambda: outputs_picture(audit))


def outputs_picture(audit: Audit) -> Bars:
    """Return what each output tells of the witness's pair: bars to both sides, infinite ones
    cut.
    """
    drawn = drawn_bars(audit)
    rows = [
        _two_sided(label_text(name, 30), value, drawn.edge, is_witness(audit, name))
        for name, value in drawn.bars
    ]
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    near = 0 < asked <= drawn.edge * NEAR
    lines = [50 + side * _REACH * asked / drawn.edge for side in (-1, 1)] if near else []
    below = f"{sides_text(audit)}." + " The star marks the output that reveals most." * any(
        "★" in row.text for row in rows
    )
    if near:
        below += f" Dashed lines mark the level asked for, {label_text(str(audit.level), 28)}."
    if len(rows) < drawn.count:
        below += f" These are the {len(rows)} outputs of {drawn.count} that reveal most."
    return Bars(outputs_finding(audit), _outputs_said(audit), rows, 50, lines, below)


def _two_sided(name: str, value: float | None, edge: float, witness: bool) -> Row:
    if value is None:
        return Row(name, 50, 0, "faint", "never occurs", 50)
    side = -1 if value < 0 else 1
    width = _REACH * min(abs(value) / edge, _PAST)
    start, text = min(50.0, 50 + side * width), number_text(value) + " ★" * witness
    colour = "for" if side > 0 else "against"
    return Row(name, start, width, colour, text, 50 + side * width, side < 0)


def profile_picture(audit: Audit) -> Curves:
    """Return the smallest delta at every level, where the leakage ends it, and the level asked for.

    Raises `ModelError` where no profile is drawn.
    """
    drawn = profile_of(audit)
    top, leakage = max(drawn.deltas) * 1.12 or 1.0, audit.leakage
    points = _thinned(drawn.epsilons, drawn.deltas)
    curves = [Curve("smallest delta at every epsilon", points, "for")]
    if drawn.asked is not None:
        asked, delta = drawn.asked
        curves.append(Curve("", [(asked, 0.0), (asked, top)], "against", "dotted"))
        curves.append(_point(asked_text(audit, delta), [(asked, delta)], "against"))
    if leakage.infinite:
        flat = f"infinite leakage: delta never falls below {at_least(drawn.flat, 4)}"
        curves.append(Curve(flat, [(0.0, drawn.flat), (drawn.last, drawn.flat)], "mark", "dashed"))
    else:
        beyond = nats_approx(leakage) > drawn.last
        said_leakage = f"exact leakage {leakage_text(leakage)}{', further right' * beyond}"
        curves.append(_point(said_leakage, [(nats_approx(leakage), 0.0)] * (not beyond), "mark"))
    below = "Delta (up) by epsilon in nats (across)."
    return Curves(profile_finding(audit), _profile_said(audit), curves, drawn.last, top, below)


def _point(name: str, at: list[tuple[float, float]], colour: str) -> Curve:
    return Curve(name, at, colour, line=False, marks=True)


def _thinned(xs: Sequence[float], ys: Sequence[float]) -> list[tuple[float, float]]:
    """Return points of a curve, no more than are seen, with the first and the last."""
    last = len(xs) - 1
    places = sorted({round(step * last / (_POINTS - 1)) for step in range(_POINTS)})
    return [(xs[place], ys[place]) for place in places]


def _where_defined(draw: "Callable[[], Picture]") -> list[Picture]:
    """Return a picture, none where it is not defined."""
    try:
        return [draw()]
    except ModelError:
        return []


def _outputs_said(audit: Audit) -> str:
    left, right = audit.witness.pair
    texts = [
        f'"{label_text(output)}" '
        + ("never occurs" if value is None else _nats_for(value, left, right))
        for output, value in output_bars(audit)[:MAX_OUTPUTS]
    ]
    what = f"What each output tells, {prior_text(audit.witness.prior)}"
    return f"{outputs_finding(audit)} {what}: {'; '.join(texts)}."


def _nats_for(value: float, left: str, right: str) -> str:
    if value == 0:
        return "tells nothing"
    size = "infinite" if math.isinf(value) else f"{abs(value):.3g} nats"
    return f'{size} for "{label_text(left if value > 0 else right)}"'


def _profile_said(audit: Audit) -> str:
    said = f"The smallest delta for every epsilon; exact leakage {leakage_text(audit.leakage)}"
    asked = "" if audit.level is None else f"; level asked for {audit.level}"
    return f"{profile_finding(audit)} {said}{asked}."
