"""Plots that `audit --draw` names, and the privacy profiles of noise and of tables that are known
in part. Each says what it finds.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import between
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, chance, three
from pufferproof.reports.auditing.plots import NAMES
from pufferproof.reports.auditing.plots.listed import (
    NOISE_KINDS,
    WIDE,
    asked_parts,
    level_text,
    loss_plot,
    noise_plot,
    odds_plot,
    outputs_plot,
    profile_panel,
    profile_plot,
    region_plot,
    trade_off_plot,
)
from pufferproof.reports.console.drawing import AGAINST, INK, Axis, Curve, Panel, Part, Plot, Rule, strip
from pufferproof.verify.audit import Audit
from pufferproof.verify.leakage.delta import Delta, delta_of
from pufferproof.verify.noise.integrals.delta.smallest import NoiseDelta, noise_delta, profile_approx
from pufferproof.verify.noise.laws.of_framework import QueryLaws
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.bounds import NoiseBounds
from pufferproof.verify.noise.ratio.partial import PartialDelta, partial_delta

# The privacy profile as a table: the smallest delta at levels from 0 to 10 nats, and at the level asked for.

_LEVELS = ("0", "0.01", "0.1", "0.2", "0.5", "1", "2", "5", "10")


@dataclass(frozen=True)
class ProfilePoint:
    """A level and the smallest delta there."""

    level: Level
    delta: Delta | NoiseDelta | PartialDelta

    def as_json(self) -> JsonObject:
        """Return the entry of the answer."""
        return {"level": self.level.enclosure().as_json(), "delta": self.delta.as_json()}


def profile_points(audit: Audit) -> list[ProfilePoint]:
    """Return the profile of listed outputs, or of queries with noise.

    Raises `ModelError` over the convex hull of priors, and where a delta of noise is not computed.
    """
    if audit.framework.closure == "convex":
        raise ModelError('needs listed priors, found "closure": "convex"', "--profile")
    if isinstance(audit.largest, NoiseBounds):
        raise ModelError(f"not computed: {audit.largest.reason}", "--profile")
    levels = [Level(text) for text in _LEVELS]
    if audit.level is not None and audit.level not in levels:
        levels = sorted([*levels, audit.level], key=lambda level: float(level.enclosure().upper))
    points = []
    for level in levels:
        delta: Delta | NoiseDelta | PartialDelta
        if isinstance(audit.mechanism, PowerTable | PartialTable):
            delta = partial_delta(audit.framework, audit.mechanism, level)
        elif isinstance(audit.mechanism, NoisyQueries):
            delta = noise_delta(audit.framework, audit.mechanism, level, audit.largest)
        else:
            delta = delta_of(audit.framework, audit.channel, level)
        points.append(ProfilePoint(level, delta))
    return points


def profile_lines(points: Iterable[ProfilePoint]) -> Iterator[str]:
    """Yield a line per level."""
    head = "profile"
    for point in points:
        level = "0" if point.level.ratio == 1 else str(point.level)
        yield f"{head:9} {level:10}  delta {between(*point.delta.bounds())}"
        head = ""


_POINTS, _LEAST, _MOST_NATS = 49, 1e-9, 64.0
_FEW_POINTS, _FAR_NATS = 25, 8.0  # of bounds
_LISTED = (profile_plot, loss_plot, trade_off_plot, region_plot, odds_plot, outputs_plot)
KINDS: dict[str, Callable[[Audit], Plot]] = dict(zip(NAMES, _LISTED))


def drawn(audit: Audit, kind: str | None) -> Plot:
    """Draw a plot of an audit by name, its privacy profile if there is none.

    Raises `ModelError` for noise that is too large, and unless noise is on one number, or Gaussian
    along a line, where that is asked for.
    """
    if kind == "paths":
        from pufferproof.reports.explaining.paths import paths_plot

        return paths_plot(audit)
    if isinstance(audit.mechanism, PowerTable):  # plots are in floats
        audit = replace(audit, mechanism=audit.mechanism.rounded_approx())
    if isinstance(audit.mechanism, PartialTable):
        if kind not in (None, "profile"):
            raise ModelError(
                "draws outputs that are all listed, found some that are not, or numbers that "
                "are drawn: --draw profile draws bounds",
                f"--draw {kind}",
            )
        return _bounded_profile(audit, audit.mechanism)
    if not isinstance(audit.mechanism, NoisyQueries):
        return KINDS[kind or "profile"](audit)
    if isinstance(audit.largest, NoiseBounds):
        raise ModelError(f"no {kind or 'profile'}: {audit.largest.reason}", "--plot")
    if kind in NOISE_KINDS:
        return noise_plot(audit, kind)
    if kind in ("outputs", "region"):
        raise ModelError("draws listed outputs, not noise", f"--draw {kind}")
    return _noise_profile(audit, query_laws(audit.framework, audit.mechanism))


def _noise_profile(audit: Audit, laws: QueryLaws) -> Plot:
    """Return the smallest delta of noise by epsilon, on a log axis if it never ends."""
    wanted = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    if audit.leakage.infinite:  # until little is left
        last = 1.0
        while last < _MOST_NATS and profile_approx(laws, [Level.of_nats(Fraction(last))])[0] > _LEAST:
            last *= 2
        last = max(last, 1.15 * wanted)
    else:
        last = 1.15 * max(float(audit.leakage.enclosure().upper), wanted) or 1.0
    levels = [Level.of_nats(Fraction(last) * k / (_POINTS - 1)) for k in range(_POINTS)]
    deltas = profile_approx(laws, levels)
    nats = [float(level.nats or 0) for level in levels]
    parts: list[Part] = [Curve("smallest delta at every epsilon", nats, deltas, width=2)]
    if audit.level is not None and wanted <= last:
        parts += asked_parts(audit, wanted, profile_approx(laws, [audit.level])[0])
    panel = profile_panel(parts, last, deltas)
    end = f"0 at {three(float(audit.leakage.enclosure().upper))} nats"
    if audit.leakage.infinite:
        end = f"{chance(deltas[-1])} at {three(last)} nats, never to 0"
        ticks = "powers" if max(deltas) > WIDE * min(deltas) else ""
        panel = Panel(parts, panel.x, Axis("delta", scale="log", ticks=ticks))
    said = f"The smallest delta falls from {chance(deltas[0])} at level 0 to {end}."
    return Plot(said, [panel])


def _bounded_profile(audit: Audit, table: PartialTable) -> Plot:
    """Return the smallest delta of a table by epsilon, between its bounds."""
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    known = audit.leakage.upper
    far = _FAR_NATS if known is None else float(audit.leakage.enclosure().upper)
    last = max(1.15 * min(far, _FAR_NATS), 1.15 * min(asked, _MOST_NATS)) or 1.0
    levels = [Level.of_nats(Fraction(last) * k / (_FEW_POINTS - 1)) for k in range(_FEW_POINTS)]
    bounds = [partial_delta(audit.framework, table, level).bounds() for level in levels]
    nats = [float(level.nats or 0) for level in levels]
    lower, upper = ([float(ends[side]) for ends in bounds] for side in (0, 1))
    parts: list[Part] = [
        strip("", nats, lower, upper),
        Curve("smallest delta: at most", nats, upper, width=2),
        Curve("at least", nats, lower, INK, "--", width=1),
    ]
    if audit.level is not None and asked <= last:
        parts.append(Rule(f"level asked for, {level_text(audit)}", asked, AGAINST))
    end = f"at most {at_most(upper[-1])}" if upper[-1] else "0"
    start = at_most(upper[0])
    said = f"The smallest delta falls from at most {start} at level 0 to {end} at {three(last)}"
    return Plot(f"{said} nats.", [profile_panel(parts, last, upper)], columns=2)
