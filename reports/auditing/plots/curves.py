"""Plots that `audit --draw` names beside the privacy profile of listed outputs: what the witness's
pair of secrets tells, and the privacy profile of noise. Each says what it finds.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.enclosures import log_approx
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_most, chance, three
from pufferproof.reports.auditing.plots import NAMES
from pufferproof.reports.auditing.plots.listed import (
    OutputLaw,
    output_laws,
    outputs_finding,
    outputs_plot,
    profile_finding,
    profile_plot,
)
from pufferproof.reports.auditing.plots.marks import (
    Drawn,
    capped,
    errors_finding,
    level_text,
    loss_finding,
    mark_level,
    mark_promised,
)
from pufferproof.reports.auditing.plots.noise import NOISE_KINDS, WIDE, noise_drawn
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    named_rows,
    new_figure,
    plain_ticks,
    styled,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.leakage.trade_off import Corner, Region, advantage, trade_off
from pufferproof.verify.noise.integrals.delta.smallest import profile_approx
from pufferproof.verify.noise.laws.of_framework import QueryLaws
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.bounds import NoiseBounds
from pufferproof.verify.noise.ratio.partial import partial_delta

_MOST_ROWS, _MOST_TANGENTS = 40, 8
_FAR = Fraction(10) ** 200  # odds that are drawn
_POINTS, _LEAST, _MOST_NATS = 49, 1e-9, 64.0
_FEW_POINTS, _FAR_NATS = 25, 8.0  # of bounds


def drawn(audit: Audit, kind: str | None) -> Drawn:
    """Draw a plot of an audit by name, its privacy profile if there is none.

    Raises `ModelError` for noise that is too large, and unless noise is on one number, or Gaussian
    along a line, where that is asked for.
    """
    if kind == "paths":
        from pufferproof.reports.auditing.plots.paths import paths_plot

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
        return noise_drawn(audit, kind)
    if kind in ("outputs", "region"):
        raise ModelError("draws listed outputs, not noise", f"--draw {kind}")
    return _noise_profile(audit, query_laws(audit.framework, audit.mechanism))


def _profile(audit: Audit) -> Drawn:
    return Drawn(profile_plot(audit), profile_finding(audit))


def _loss(audit: Audit) -> Drawn:
    """Draw the distribution of log P(y | s) / P(y | s') under both secrets of the witness."""
    laws = output_laws(audit)
    finite = sorted({_loss_of(law) for law in laws if law.above and law.below})
    edge = 1.15 * max(map(abs, finite), default=1.0) or 1.0
    left, right = audit.witness.pair
    beyond = sum(float(law.above) for law in laws if _exceeds(law, audit.level))
    with styled():
        figure, axes = new_figure(3.6)
        for secret, color, side in ((left, FOR, 1), (right, AGAINST, -1)):
            masses: dict[float, float] = {}
            for law in laws:
                place = min(edge, max(-edge, _loss_of(law)))
                masses[place] = masses.get(place, 0.0) + float(law.above if side > 0 else law.below)
            axes.vlines(list(masses), 0, [side * mass for mass in masses.values()], color=color)
            label = f'under "{label_text(secret, 28)}"'
            heights = [side * mass for mass in masses.values()]
            axes.plot(list(masses), heights, "o", color=color, markersize=4, label=label)
        axes.axhline(0, color=INK, linewidth=0.8)
        mark_level(axes, audit, edge)
        infinite = any(not (law.above and law.below) for law in laws)
        axes.set_xlim(-1.05 * edge, 1.05 * edge)
        axes.set_xlabel("privacy loss (nats)" + (", the last places: infinite" if infinite else ""))
        axes.set_ylabel("probability, up and down")
        axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):.3g}")
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return Drawn(figure, loss_finding(audit, beyond))


def _trade_off(audit: Audit) -> Drawn:
    """Draw the least errors of tests of one secret of the witness against the other."""
    corners = trade_off((law.above, law.below) for law in output_laws(audit))
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    gained = float(advantage(corners))
    with styled():
        figure, axes = new_figure(4.2)
        axes.plot([0, 1], [1, 0], color=FAINT, linestyle=":", label="guessing")
        first = [float(x) for x, _ in corners]
        second = [float(y) for _, y in corners]
        axes.plot(first, second, "o-", color=FOR, markersize=3, label="the best tests")
        if audit.level is not None:
            mark_promised(axes, audit)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_xlabel(f'says "{left}" where "{right}" holds')
        axes.set_ylabel(f'says "{right}" where "{left}" holds')
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return Drawn(figure, errors_finding(audit, 1 - gained))


def _region(audit: Audit) -> Drawn:
    """Draw the region of the witness's pair and the lines that its corners stand for."""
    laws = tuple((law.above, law.below) for law in output_laws(audit))
    pair = audit.witness.pair
    left, right = (label_text(secret, 28) for secret in pair)
    region = Region("", pair, laws)
    corners = region.vertices()
    other = Region("", pair[::-1], tuple((q, p) for p, q in laws))
    with styled():
        figure, axes = new_figure(4.2)
        axes.fill(*_axes_of(corners), color=FOR, alpha=0.25, label="the region")
        axes.plot(*_axes_of([*corners, corners[0]]), "o-", color=FOR, markersize=3)
        for turns, color, back in ((region.corners, AGAINST, False), (other.corners, INK, True)):
            for turn in turns[-_MOST_TANGENTS:]:
                axes.plot(*_tangent(turn, back), color=color, linestyle="--", linewidth=0.9)
        axes.plot([], [], "--", color=AGAINST, label="its tangents")
        axes.plot([], [], "--", color=INK, label="in the other order")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_aspect("equal")
        axes.set_xlabel(f'probability of an event given "{left}"')
        axes.set_ylabel(f'of its complement given "{right}"')
        figure.legend(loc="outside upper left", frameon=False, ncols=3)
    gained = at_most(advantage(trade_off(laws)))
    said = f'No event is likelier given "{left}" than given "{right}" by more than {gained}'
    return Drawn(figure, f"{said}: the region has {len(corners)} vertices.")


def _axes_of(points: Sequence[tuple[Fraction, Fraction]]) -> list[list[float]]:
    return [[float(a) for a, _ in points], [float(b) for _, b in points]]


def _tangent(turn: Corner, back: bool) -> tuple[list[float], list[float]]:
    """Return two points of a + r b = 1 - delta, or with `back` of r a + b = 1 - delta."""
    far, near = [0.0, float(1 - turn.delta)], [float((1 - turn.delta) / turn.ratio), 0.0]
    return (near, far) if back else (far, near)


def _odds(audit: Audit) -> Drawn:
    """Draw the odds of the witness's secrets before and after every output."""
    laws = [law for law in output_laws(audit) if law.above or law.below]
    prior = _drawable(laws[0].odds)
    chosen = sorted(laws, key=lambda law: -abs(_loss_of(law)))[:_MOST_ROWS]
    chosen = [law for law in laws if law in chosen]
    finite = [abs(_loss_of(law)) for law in chosen if law.above and law.below]
    edge = math.exp(min(500.0, 1.2 * max(finite, default=1.0) or 1.0))
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    with styled():
        figure, axes = new_figure(1.5 + 0.24 * len(chosen))
        for row, law in enumerate(chosen):
            after = prior * min(edge, max(1 / edge, math.exp(capped(_loss_of(law)))))
            color = FOR if after >= prior else AGAINST
            axes.plot([prior, after], [row, row], color=color, linewidth=1.4)
            axes.plot([after], [row], _mark(law), color=color, markersize=6)
        axes.axvline(prior, color=INK, linewidth=0.8)
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
        named_rows(axes, [law.output for law in chosen])
        axes.set_xlabel(f'odds of "{left}" against "{right}":\nline before, mark after the output')
    if any(not law.below for law in laws):
        return Drawn(figure, f'An output rules "{right}" out, and leaves "{left}".')
    most = f"from {three(prior)} to {three(_most_odds(laws))} at most"
    return Drawn(figure, f'An output raises the odds of "{left}" against "{right}" {most}.')


def _outputs(audit: Audit) -> Drawn:
    """Draw what each output tells about the witness's secrets, beside the level."""
    return Drawn(outputs_plot(audit), outputs_finding(audit))


def _mark(law: OutputLaw) -> str:
    """Return a dot, or an arrow where an output makes one secret certain."""
    if law.above and law.below:
        return "o"
    return ">" if law.above else "<"


def _most_odds(laws: list[OutputLaw]) -> float:
    return _drawable(max(law.odds * law.above / law.below for law in laws))


def _drawable(odds: Fraction) -> float:
    """Return odds in floats, cut where these end."""
    return float(max(1 / _FAR, min(_FAR, odds)))


def _loss_of(law: OutputLaw) -> float:
    if not law.above or not law.below:
        return math.inf if law.above else -math.inf
    return log_approx(law.above / law.below)


def _exceeds(law: OutputLaw, level: Level | None) -> bool:
    return (level or Level("0")).sign(law.above, law.below) > 0


def _noise_profile(audit: Audit, laws: QueryLaws) -> Drawn:
    """Draw the smallest delta of noise by epsilon, on a log axis if it never ends."""
    endless = audit.leakage.infinite
    last = _last(audit, laws)
    levels = [Level.of_nats(Fraction(last) * k / (_POINTS - 1)) for k in range(_POINTS)]
    deltas = profile_approx(laws, levels)
    nats = [float(level.nats or 0) for level in levels]
    with styled():
        figure, axes = new_figure(3.6)
        axes.plot(nats, deltas, color=FOR, linewidth=2, label="smallest delta at every epsilon")
        if audit.level is not None and (asked := float(audit.level.enclosure().upper)) <= last:
            (delta,) = profile_approx(laws, [audit.level])
            said = f"level asked for, {level_text(audit)}: delta {chance(delta, 4)}"
            axes.plot([asked], [delta], "D", color=AGAINST, label=said, clip_on=False)
        if endless:
            axes.set_yscale("log")
            plain_ticks(axes.yaxis, max(deltas) > WIDE * min(deltas))
        else:
            axes.set_ylim(0, max(deltas) * 1.12 or 1)
        axes.set_xlim(0, last)
        axes.set_xlabel("epsilon (nats)")
        axes.set_ylabel("delta")
        figure.legend(loc="outside upper left", frameon=False)
    gone, least = three(float(audit.leakage.enclosure().upper)), chance(deltas[-1])
    end = f"{least} at {three(last)} nats, never to 0" if endless else f"0 at {gone} nats"
    return Drawn(figure, f"The smallest delta falls from {chance(deltas[0])} at level 0 to {end}.")


def _bounded_profile(audit: Audit, table: PartialTable) -> Drawn:
    """Draw the smallest delta of a table by epsilon, between its bounds."""
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    known = audit.leakage.upper
    far = _FAR_NATS if known is None else float(audit.leakage.enclosure().upper)
    last = max(1.15 * min(far, _FAR_NATS), 1.15 * min(asked, _MOST_NATS)) or 1.0
    levels = [Level.of_nats(Fraction(last) * k / (_FEW_POINTS - 1)) for k in range(_FEW_POINTS)]
    bounds = [partial_delta(audit.framework, table, level).bounds() for level in levels]
    nats = [float(level.nats or 0) for level in levels]
    lower, upper = ([float(ends[side]) for ends in bounds] for side in (0, 1))
    with styled():
        figure, axes = new_figure(3.6)
        axes.fill_between(nats, lower, upper, color=FOR, alpha=0.25, linewidth=0)
        axes.plot(nats, upper, color=FOR, linewidth=2, label="smallest delta: at most")
        axes.plot(nats, lower, color=INK, linewidth=1, linestyle="--", label="at least")
        if audit.level is not None and asked <= last:
            axes.axvline(
                asked, color=AGAINST, linestyle=":", label=f"level asked for, {level_text(audit)}"
            )
        axes.set_xlim(0, last)
        axes.set_ylim(0, max(upper) * 1.12 or 1)
        axes.set_xlabel("epsilon (nats)")
        axes.set_ylabel("delta")
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    end = f"at most {at_most(upper[-1])}" if upper[-1] else "0"
    start = at_most(upper[0])
    said = f"The smallest delta falls from at most {start} at level 0 to {end} at {three(last)}"
    return Drawn(figure, f"{said} nats.")


def _last(audit: Audit, laws: QueryLaws) -> float:
    """Return how far to draw: to the leakage, or until little is left."""
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    if not audit.leakage.infinite:
        return 1.15 * max(float(audit.leakage.enclosure().upper), asked) or 1.0
    last = 1.0
    while last < _MOST_NATS and profile_approx(laws, [Level.of_nats(Fraction(last))])[0] > _LEAST:
        last *= 2
    return max(last, 1.15 * asked)


KINDS: dict[str, Callable[[Audit], Drawn]] = dict(
    zip(NAMES, (_profile, _loss, _trade_off, _region, _odds, _outputs))
)
