"""Plots of an audit of listed outputs: its privacy profile, and what the outputs tell about the
witness's pair of secrets. Pages have the first two as pictures.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.enclosures import log_approx
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_least, at_most, chance, three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    Axis,
    Bar,
    Bars,
    Curve,
    Panel,
    Part,
    Plot,
    Rule,
    nats_approx,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import leakage_text, level_nats, prior_text
from pufferproof.reports.explaining.picture import Picture
from pufferproof.verify.audit import Audit
from pufferproof.verify.leakage.delta import Region, advantage, privacy_profile_approx, trade_off
from pufferproof.verify.leakage.laws import ConditionalLaws
from pufferproof.verify.noise.integrals.delta.one_number import ScalarLaw
from pufferproof.verify.noise.laws.of_framework import LawPair, varying
from pufferproof.verify.noise.normal.lines import on_a_line, scalar_laws
from pufferproof.verify.noise.queries import query_laws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MAX_OUTPUTS = 40
_NEAR = 1.2  # of the longest bar: up to where the level asked for is drawn
_MOST_NATS = 700.0  # e^700 is still a float
_MAX_WORK, _POINTS = 2_000_000_000, 101  # float operations of one privacy profile; its points
_MOST_TANGENTS = 8
_FAR = Fraction(10) ** 200  # odds that are drawn


# The privacy profile ------------------------------------------------------------------------------


def profile_plot(audit: Audit) -> Plot:
    """Return the privacy profile delta(epsilon), the exact leakage where it reaches 0, and the
    level asked for. With infinite leakage the profile flattens at a positive delta instead.

    Raises `ModelError` over the convex hull of priors and for frameworks with too many pairs.
    """
    if audit.framework.closure == "convex":
        raise ModelError('no privacy profile over "closure": "convex": it is drawn for listed priors only', "closure")
    leakage, work = audit.leakage, max(1, audit.scope.checked)
    points = min(_POINTS, _MAX_WORK // work, 20_000_000 // len(audit.channel.outputs))  # fewer for large frameworks
    if points < 16:
        raise ModelError(f"too much to draw a privacy profile of: {work} ratios")
    last, flat = _last_epsilon(audit)
    epsilons = [last * index / (points - 1) for index in range(points)]
    deltas = _profile(audit, epsilons)
    parts: list[Part] = [Curve("smallest delta at every epsilon", epsilons, deltas, width=2)]
    exact = f"exact leakage {leakage_text(leakage)}"
    if leakage.infinite:
        said = f"infinite leakage: delta never falls below {at_least(flat, 4)}"
        parts.append(Rule(said, flat, MARK, "--", level=True))
    elif nats_approx(leakage) <= last:
        parts.append(Curve(exact, [nats_approx(leakage)], [0], MARK, "o", size=6))
    else:
        parts.append(Curve(f"{exact}, further right", [], [], MARK, "o"))
    level = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    if audit.level is not None and level <= last:
        parts += asked_parts(audit, level, _profile(audit, [level])[0])
    finding = f"Delta reaches 0 at {three(nats_approx(leakage))} nats, the exact leakage."
    if leakage.ratio == 1:
        finding = "Nothing leaks: delta is 0 at every epsilon."
    if leakage.infinite:
        finding = "Delta stays above 0 at every epsilon because an output rules out a secret."
    return Plot(finding, [profile_panel(parts, last, deltas)])


def profile_panel(parts: Sequence[Part], last: float, deltas: Sequence[float]) -> Panel:
    """Return a privacy profile up to a number of nats."""
    up = Axis("delta", 0, max(deltas) * 1.12 or 1)
    return Panel(parts, Axis("epsilon (nats)", 0, last), up)


def asked_parts(audit: Audit, level: float, delta: float) -> list[Part]:
    """Return the level asked for, and the smallest delta there."""
    said = f"level asked for, {level_text(audit)}: delta {chance(delta, 4)}"
    point = Curve(said, [level], [delta], AGAINST, "D", size=6)
    return [Rule("", level, AGAINST), point]


def _profile(audit: Audit, epsilons: Sequence[float]) -> list[float]:
    return [float(value) for value in privacy_profile_approx(audit.framework, audit.channel, epsilons)]


def _last_epsilon(audit: Audit) -> tuple[float, float]:
    """Return how far to draw, and the delta that remains there for any epsilon."""
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    if not audit.leakage.infinite:
        return min(_MOST_NATS, 1.15 * max(nats_approx(audit.leakage), asked) or 1.0), 0.0
    grid = [0.0, *(0.05 * 1.35**step for step in range(31)), _MOST_NATS]
    deltas = _profile(audit, grid)
    flat = deltas[-1]
    settled = next(epsilon for epsilon, delta in zip(grid, deltas) if delta - flat <= 0.002 * (deltas[0] - flat))
    return min(_MOST_NATS, 1.25 * max(settled, asked, 0.8)), flat


# What each output tells ---------------------------------------------------------------------------


@dataclass(frozen=True)
class OutputLaw:
    """An output with its probability under either secret of a witness, and the odds of the secrets
    before it.
    """

    output: str
    above: Fraction
    below: Fraction
    odds: Fraction

    @cached_property
    def loss(self) -> float | None:
        """log P(y | s) / P(y | s'), or None if the output cannot occur."""
        if not self.above or not self.below:
            sign = (self.above > 0) - (self.below > 0)
            return sign * math.inf if sign else None
        return log_approx(self.above / self.below)


def output_laws(audit: Audit) -> list[OutputLaw]:
    """Return the probabilities of every output at the witness's prior and pair."""
    weights = {audit.witness.prior: Fraction(1)} if isinstance(audit.witness.prior, str) else dict(audit.witness.prior)
    framework = audit.framework
    channel = audit.channel.aligned(framework.databases, framework.support)
    laws = {name: ConditionalLaws(framework, channel, name) for name, weight in weights.items() if weight}
    mass = {
        (name, s): weight * Fraction(framework.mass(name, s), framework.laws[name].total)
        for name, weight in weights.items()
        for s in audit.witness.pair
    }
    totals = [sum((mass[name, s] for name in laws), Fraction(0)) for s in audit.witness.pair]

    def share(secret: str, output: int) -> Fraction:
        parts = (
            mass[name, secret] * Fraction(*law.exact(secret, output))
            for name, law in laws.items()
            if mass[name, secret]
        )
        return sum(parts, Fraction(0))

    above, below = audit.witness.pair
    return [
        OutputLaw(label, share(above, k) / totals[0], share(below, k) / totals[1], totals[0] / totals[1])
        for k, label in enumerate(channel.outputs)
    ]


def outputs_plot(audit: Audit) -> Plot:
    """Return what each output tells about the witness's pair under its prior: log P(y | s) / P(y |
    s'), a bar per output.

    A bar to the right speaks for s, to the left for s'; an infinite one is cut and marked. Of more
    than 40 outputs those with the longest bars are drawn.
    """
    laws = output_laws(audit)
    longest = sorted(range(len(laws)), key=lambda place: -abs(laws[place].loss or 0))
    chosen = [laws[place] for place in sorted(longest[:_MAX_OUTPUTS])]
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    rows = []
    for law in chosen:
        name, value = label_text(law.output, 30), law.loss
        if value is None:
            rows.append(Bar(name, 0, 0, FAINT, "never occurs"))
            continue
        star = " ★" * (law.output == audit.witness.output and audit.leakage.ratio != 1)
        size = "∞" if math.isinf(value) else f"{abs(value):.3g}"
        rows.append(Bar(name, value, value, AGAINST if value < 0 else FOR, size + star))
    bars = Bars(rows, True, _edge(chosen, asked))
    near = 0 < asked <= bars.longest * _NEAR
    name = f"level asked for, {level_text(audit)}"
    rules = [Rule(name if side > 0 else "", side * asked, MARK, "--") for side in (-1, 1)]
    along = f'Nats: bars to the left favour "{right}", bars to the right "{left}".'
    along += "\nThe star marks the output that reveals most." * (audit.leakage.ratio != 1)
    few = f" (the {len(chosen)} of {len(laws)} that reveal most)" * (len(chosen) < len(laws))
    panel = Panel([*(rules if near else []), bars], Axis(along), Axis(f"output{few}"))
    return Plot(outputs_finding(audit), [panel], 1.7 + 0.24 * len(chosen))


def _edge(laws: Sequence[OutputLaw], asked: float) -> float:
    """Return the longest finite bar, with room for the level asked for if it is near."""
    losses = [abs(law.loss) for law in laws if law.loss is not None]
    longest = max(filter(math.isfinite, losses), default=0.0)
    if longest < 1e-9:
        return asked if 0 < asked < 1e6 else 1.0
    return max(longest, asked) if asked < 3 * longest else longest


def outputs_finding(audit: Audit) -> str:
    """Say which output tells most of the witness's secrets, as a factor of their odds."""
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    if audit.leakage.ratio == 1:
        return f'No output distinguishes "{left}" from "{right}".'
    output = f'Output "{label_text(audit.witness.output, 28)}"'
    if audit.leakage.infinite:
        return f'{output} is possible given "{left}" and impossible given "{right}".'
    times = three(math.exp(min(nats_approx(audit.leakage), _MOST_NATS)))
    return f'{output} reveals most: it multiplies the odds of "{left}" against "{right}" by {times}.'


def loss_plot(audit: Audit) -> Plot:
    """Return the distribution of log P(y | s) / P(y | s') under both secrets of the witness."""
    laws = output_laws(audit)
    finite = [abs(law.loss) for law in laws if law.above and law.below and law.loss]
    edge = 1.15 * max(finite, default=1.0)
    beyond = sum(float(law.above) for law in laws if ((audit.level or Level("0")).sign(law.above, law.below) > 0))
    parts = [
        part
        for secret, colour, side in zip(audit.witness.pair, (FOR, AGAINST), (1, -1))
        for part in _stems(laws, secret, colour, side, edge)
    ]
    infinite = any(law.loss is not None and math.isinf(law.loss) for law in laws)
    along = "privacy loss (nats)" + ", the last places: infinite" * infinite
    return losses_plot(audit, parts, edge, along, beyond)


def _stems(laws: Sequence[OutputLaw], secret: str, colour: str, side: int, edge: float) -> list[Curve]:
    """Return the probabilities of losses under a secret, upwards or downwards."""
    masses: dict[float, float] = {}
    for law in laws:
        if law.loss is not None:
            place = min(edge, max(-edge, law.loss))
            mass = float(law.above if side > 0 else law.below)
            masses[place] = masses.get(place, 0.0) + side * mass
    stems = [(place, end) for place, mass in masses.items() for end in (0, mass, math.nan)]
    name = f'under "{label_text(secret, 28)}"'
    return [
        Curve("", [x for x, _ in stems], [y for _, y in stems], colour),
        Curve(name, list(masses), list(masses.values()), colour, "o", size=4),
    ]


def losses_plot(audit: Audit, parts: Sequence[Part], edge: float, along: str, beyond: float) -> Plot:
    """Return a distribution of losses up to an edge, the level asked for, and how likely the loss
    exceeds it given the first secret of the witness.
    """
    level, rules = "0", [Rule("", 0, INK, "-", level=True)]
    if audit.level is not None:
        level, asked = label_text(level_nats(audit.level), 28), float(audit.level.enclosure().upper)
        if asked <= edge:
            rules.append(Rule(f"level {level_text(audit)}", asked))
    up = Axis("probability, up and down", ticks="sizes")
    panel = Panel([*parts, *rules], Axis(along, -1.05 * edge, 1.05 * edge), up)
    left = label_text(audit.witness.pair[0], 28)
    said = f"exceeds {level} with probability {chance(beyond)}"
    return Plot(f'The privacy loss {said} given "{left}".', [panel], columns=2)


def trade_off_plot(audit: Audit) -> Plot:
    """Return the least errors of tests of one secret of the witness against the other."""
    corners = trade_off((law.above, law.below) for law in output_laws(audit))
    best = Curve("the best tests", *_axes_of(corners), form="o-")
    return errors_plot(audit, best, 1 - float(advantage(corners)))


def errors_plot(audit: Audit, best: Curve, errors: float) -> Plot:
    """Return the errors of the best tests, those of guessing, and what the level promises at
    least, with a delta or not.
    """
    parts = [Curve("guessing", [0, 1], [1, 0], FAINT, ":"), best]
    if audit.level is not None:
        factor = math.exp(-capped(float(audit.level.enclosure().upper)))
        delta = float(audit.delta_bound or 0)
        xs = [index / 200 for index in range(201)]
        # max(0, 1 - delta - e^epsilon x, e^-epsilon (1 - delta - x))
        least = [max(0.0, 1 - delta - x / factor, factor * (1 - delta - x)) for x in xs]
        more = "" if audit.delta_bound is None else f", delta {chance(delta, 4)}"
        parts.append(Curve(f"promised: {level_text(audit)}{more}", xs, least, AGAINST, "--"))
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    along, up = (Axis(f'says "{one}" where "{other}" holds', 0, 1) for one, other in ((left, right), (right, left)))
    said = f"its two errors sum to {chance(errors)}, those of guessing to 1"
    finding = f'The best test of "{left}" against "{right}": {said}.'
    return Plot(finding, [Panel(parts, along, up)], 4.2, columns=2)


def region_plot(audit: Audit) -> Plot:
    """Return the region of the witness's pair and the lines that its corners stand for."""
    laws = tuple((law.above, law.below) for law in output_laws(audit))
    pair = audit.witness.pair
    left, right = (label_text(secret, 28) for secret in pair)
    region = Region("", pair, laws)
    corners = region.vertices()
    outline = _axes_of([*corners, corners[0]])
    parts = [Curve("the region", *outline, filled=0.25), Curve("", *outline, form="o-")]
    other = Region("", pair[::-1], tuple((q, p) for p, q in laws))
    for turns, colour, back in ((region.corners, AGAINST, False), (other.corners, INK, True)):
        name = "in the other order" if back else "its tangents"
        for turn in turns[-_MOST_TANGENTS:]:  # two points of a + r b = 1 - delta, or `back` of r a + b = 1 - delta
            far, near = [0.0, float(1 - turn.delta)], [float((1 - turn.delta) / turn.ratio), 0.0]
            line = (near, far) if back else (far, near)
            parts.append(Curve(name, *line, colour, "--", width=0.9))
    along = Axis(f'probability of an event given "{left}"', 0, 1)
    panel = Panel(parts, along, Axis(f'of its complement given "{right}"', 0, 1))
    gained = at_most(advantage(trade_off(laws)))
    said = f'No event is likelier given "{left}" than given "{right}" by more than {gained}'
    finding = f"{said}: the region has {len(corners)} vertices."
    return Plot(finding, [panel], 6.2, columns=3)


def _axes_of(points: Sequence[tuple[Fraction, Fraction]]) -> tuple[list[float], list[float]]:
    return [float(a) for a, _ in points], [float(b) for _, b in points]


def odds_plot(audit: Audit) -> Plot:
    """Return the odds of the witness's secrets before and after every output."""
    laws = [law for law in output_laws(audit) if law.loss is not None]
    prior = _drawable(laws[0].odds)
    ranked = sorted(range(len(laws)), key=lambda place: -abs(laws[place].loss or 0))
    chosen = [laws[place] for place in sorted(ranked[:_MAX_OUTPUTS])]
    losses = [law.loss or 0.0 for law in chosen]
    finite = [abs(loss) for loss in losses if math.isfinite(loss)]
    edge = min(500.0, 1.2 * max(finite, default=1.0) or 1.0)
    parts: list[Part] = [Rule("", prior, INK, "-")]
    for row, loss in enumerate(losses):
        after = prior * math.exp(max(-edge, min(edge, loss)))
        colour = FOR if loss >= 0 else AGAINST
        mark = "o" if math.isfinite(loss) else "<>"[loss > 0]  # one secret is certain
        parts.append(Curve("", [prior, after], [row, row], colour))
        parts.append(Curve("", [after], [row], colour, mark, size=6))
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    along = f'odds of "{left}" against "{right}":\nline before, mark after the output'
    names = [law.output for law in chosen]
    panel = Panel(parts, Axis(along, scale="log"), Axis(names=names))
    return Plot(_odds_finding(laws, prior, left, right), [panel], 1.5 + 0.24 * len(chosen))


def _odds_finding(laws: Sequence[OutputLaw], prior: float, left: str, right: str) -> str:
    if any(not law.below for law in laws):
        return f'An output rules "{right}" out, and leaves "{left}".'
    largest = _drawable(max(law.odds * law.above / law.below for law in laws))
    most = f"from {three(prior)} to {three(largest)} at most"
    return f'An output raises the odds of "{left}" against "{right}" {most}.'


def _drawable(odds: Fraction) -> float:
    """Return odds in floats, cut where these end."""
    return float(max(1 / _FAR, min(_FAR, odds)))


def level_text(audit: Audit) -> str:
    """Write the level asked for, not too long."""
    return label_text(str(audit.level), 28)


def capped(nats: float) -> float:
    """Return nats whose exponential is a float."""
    return max(-_MOST_NATS, min(_MOST_NATS, nats))


# Pictures of a page -------------------------------------------------------------------------------


def audit_pictures(audit: Audit) -> list[Picture]:
    """Return what each output tells, and the privacy profile; nothing where nothing leaks, or
    outputs are not listed.
    """
    if not audit.is_listed or audit.leakage.ratio == 1:
        return []
    pictures = outputs_pictures(audit)
    with suppress(ModelError):  # where it is not defined
        plot = profile_plot(audit)
        said = f"The smallest delta for every epsilon; exact leakage {leakage_text(audit.leakage)}"
        asked = "" if audit.level is None else f"; level asked for {audit.level}"
        below = "Delta (up) by epsilon in nats (across)."
        pictures.append(Picture(plot, f"{plot.finding} {said}{asked}.", below))
    return pictures


def outputs_pictures(audit: Audit) -> list[Picture]:
    """Return what each output tells, of probabilities that are not rational to about 60 digits;
    nothing where nothing leaks, or outputs are not listed.
    """
    if isinstance(audit.mechanism, PowerTable):
        audit = replace(audit, mechanism=audit.mechanism.rounded_approx())
    if not audit.is_listed or audit.leakage.ratio == 1:
        return []
    with suppress(ModelError):  # where it is not defined
        return [outputs_picture(audit)]
    return []


def outputs_picture(audit: Audit) -> Picture:
    """Return what each output tells of the witness's pair."""
    plot = outputs_plot(audit)
    panel = plot.panels[0]
    below = panel.x.label
    if len(panel.parts) > 1:
        below += f" Dashed lines mark the level asked for, {level_text(audit)}."
    if panel.y.label != "output":
        below += f" These are {panel.y.label.removeprefix('output (').removesuffix(')')}."
    left, right = audit.witness.pair
    texts = []
    for law in output_laws(audit)[:_MAX_OUTPUTS]:
        tells = "never occurs" if law.loss is None else "tells nothing"
        if law.loss:
            size = "infinite" if math.isinf(law.loss) else f"{abs(law.loss):.3g} nats"
            tells = f'{size} for "{label_text(left if law.loss > 0 else right)}"'
        texts.append(f'"{label_text(law.output)}" {tells}')
    what = f"What each output tells, {prior_text(audit.witness.prior)}"
    return Picture(plot, f"{plot.finding} {what}: {'; '.join(texts)}.", below)


# Plots of what noise on one number tells of the witness's pair of secrets: its privacy loss, the errors of the best
# tests, and the odds after every output.
#
# In floats: outputs are cut into cells, whose masses are differences of distribution functions. Beyond the extreme
# values of Laplace and geometric noise a ratio is constant, and a cell unbounded.

_CELLS, _BINS = 4_000, 80
_REACH = 9.0  # standard deviations
WIDE = 1_000.0  # a range of odds of which powers of ten alone are labelled
_SEEN = 1e-7  # the probability of a cell whose loss is drawn
_LEAST = 1e-300  # a probability whose logarithm is taken


@dataclass(frozen=True)
class Cells:
    """Cells of outputs in increasing order: where they are, their masses given either secret, and
    the loss, the logarithm of the ratio.
    """

    places: "Floats"
    above: "Floats"
    below: "Floats"
    line: bool
    form: str

    @property
    def losses(self) -> "Floats":
        """The losses in nats."""
        import numpy as np

        return np.log(self.above) - np.log(self.below)


def cells_of(audit: Audit) -> Cells:
    """Return the cells of the witness's pair. Raises `ModelError` unless noise is on one number, or
    Gaussian and the values lie on a line; and where losses are too large for floats.
    """
    import numpy as np

    if not isinstance(audit.mechanism, NoisyQueries):
        raise TypeError("expected queries with noise")
    laws = query_laws(audit.framework, audit.mechanism)
    pair = next(each for each in laws.pairs if (each.prior, each.pair) == (audit.witness.prior, audit.witness.pair))
    fewer, chosen = varying(pair, laws.noises)
    first, second, shape = _on_a_number(fewer, chosen)
    edges = shape.edges(sorted({*first, *second}))
    ends = np.array([-math.inf, *edges, math.inf])
    above, below = (
        np.asarray(np.sum([p * np.diff(shape.below(ends - v)) for v, p in law.items()], axis=0))
        for law in (first, second)
    )
    # what lies beyond the last edges stands a little further out
    half = 0.5 if shape.kind == "integers" else (edges[-1] - edges[0]) / 8
    middles = ((a + b) / 2 for a, b in pairwise(edges))
    places = np.array([edges[0] - half, *middles, edges[-1] + half])
    kept = (above > _LEAST) & (below > _LEAST)
    if max(float(each[~kept].sum()) for each in (above, below)) > _SEEN:
        raise ModelError("values are too far apart to be drawn with so little noise", "--draw")
    form = "o-" if shape.kind == "integers" else "-"
    return Cells(places[kept], above[kept], below[kept], len(chosen) > 1, form)


@dataclass(frozen=True)
class _Shape:
    """The law of noise on a number: its kind, and a scale, a ratio or sigma."""

    kind: str
    size: float

    def edges(self, values: Sequence[float]) -> list[float]:
        """Return the edges of cells around values."""
        low, high = values[0], values[-1]
        if self.kind == "integers":
            return [v + 0.5 for v in range(int(low), int(high))] or [low + 0.5]
        if self.kind == "gaussian":
            low, high = low - _REACH * self.size, high + _REACH * self.size
        return [low + (high - low) * k / _CELLS for k in range(_CELLS + 1)]

    def below(self, distances: "Floats") -> "Floats":
        """Return the probability of less than some distances from the value."""
        import numpy as np

        if self.kind == "gaussian":
            roots = [math.erfc(-x / self.size / math.sqrt(2)) / 2 for x in distances.tolist()]
            return np.array(roots)
        tails = np.exp(-np.abs(distances) * self.size)
        if self.kind == "laplace":
            return np.where(distances < 0, tails / 2, 1 - tails / 2)
        steps = np.ceil(np.abs(distances)) * self.size  # edges lie between integers
        share = np.exp(-steps) / (1 + math.exp(-self.size))
        return np.where(distances < 0, share, 1 - share)


Numbers = tuple[dict[float, float], dict[float, float], _Shape]


def _on_a_number(pair: LawPair, noises: Sequence[Noise]) -> Numbers:
    noise = noises[0]
    if len(noises) == 1:
        first, second = ({v[0]: p for v, p in law.items()} for law in (pair.above, pair.below))
        if noise.decay is not None:
            rate = -float(noise.decay.ball().log().mid())
            shape = _Shape("integers" if noise.on_integers else "laplace", rate)
        else:
            shape = _Shape("gaussian", math.sqrt(float(noise.variance or 1)))
        return _floats(first), _floats(second), shape
    if all(each.variance is not None for each in noises) and on_a_line(pair):
        first, second, variance = scalar_laws(pair, noises)
        return _floats(first), _floats(second), _Shape("gaussian", math.sqrt(float(variance)))
    raise ModelError(
        f"needs noise on one number, or Gaussian noise along a line: found {len(noises)} numbers that vary", "--draw"
    )


def _floats(law: ScalarLaw) -> dict[float, float]:
    return {float(v): float(p) for v, p in law.items()}


def _loss(audit: Audit, cells: Cells) -> Plot:
    """Return how likely losses are under both secrets, up and down."""
    import numpy as np

    losses = cells.losses
    seen = np.abs(losses[(cells.above > _SEEN) | (cells.below > _SEEN)])
    edge = float(seen.max()) * 1.05 or 1.0
    level = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    beyond = float(cells.above[losses > level + 1e-12].sum())
    bins = np.linspace(-edge, edge, _BINS + 1)
    corners = [-edge, *np.repeat(bins, 2).tolist()[1:-1], edge]
    parts: list[Part] = []
    masses = (cells.above, -cells.below)
    for secret, colour, weights in zip(audit.witness.pair, (FOR, AGAINST), masses):
        heights, _ = np.histogram(np.clip(losses, -edge, edge), bins, weights=weights)
        name = f'under "{label_text(secret, 28)}"'
        steps = [0.0, *np.repeat(heights, 2).tolist(), 0.0]
        parts.append(Curve(name, corners, steps, colour, filled=1.0))
    along = f"privacy loss (nats), in {_BINS} steps"
    return losses_plot(audit, parts, edge, along, beyond)


def _trade_off(audit: Audit, cells: Cells) -> Plot:
    import numpy as np

    order = np.argsort(-cells.losses, kind="stable")
    first = np.concatenate([[0.0], np.cumsum(cells.below[order])])
    second = np.maximum(0.0, 1 - np.concatenate([[0.0], np.cumsum(cells.above[order])]))
    best = Curve("the best tests", first.tolist(), second.tolist(), form=cells.form, width=2)
    return errors_plot(audit, best, float((first + second).min()))


def _odds(audit: Audit, cells: Cells) -> Plot:
    """Return by how much every output multiplies the odds of the witness's secrets."""
    import numpy as np

    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    seen = (cells.above > _SEEN / 10) | (cells.below > _SEEN / 10)
    factors = np.exp(np.clip(cells.losses[seen], -700, 700)).tolist()
    parts: list[Part] = [
        Curve("", cells.places[seen].tolist(), factors, form=cells.form, width=2),
        Rule("", 1, INK, "-", level=True),
    ]
    if audit.level is not None:
        bar = math.exp(capped(float(audit.level.enclosure().upper)))
        parts.append(Rule(f"level {level_text(audit)}", bar, level=True))
        parts.append(Rule("", 1 / bar, level=True))
    ticks = "powers" if max(factors) / min(factors) > WIDE else ""
    along = Axis("output, along the line of the values" if cells.line else "output")
    up = Axis(f'odds of "{left}" against "{right}", times', scale="log", ticks=ticks)
    said, further = "An output multiplies", ""
    if audit.leakage.infinite:
        said, further = "Outputs that are drawn multiply", ", further out by more"
    least, most = three(min(factors)), three(max(factors))
    said += f' the odds of "{left}" against "{right}" by {least} to {most}{further}.'
    return Plot(said, [Panel(parts, along, up)])


NOISE_KINDS: dict[str, Callable[[Audit, Cells], Plot]] = {"loss": _loss, "trade-off": _trade_off, "odds": _odds}


def noise_plot(audit: Audit, kind: str) -> Plot:
    """Draw a plot of noise on one number by name."""
    return NOISE_KINDS[kind](audit, cells_of(audit))
