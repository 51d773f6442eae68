"""Plots of an audit: the privacy profile, and what each output tells."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import log_approx
from pufferproof.models.numbers.text import at_least, chance, three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    named_rows,
    nats_approx,
    new_figure,
    styled,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import leakage_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.leakage.delta import privacy_profile_approx
from pufferproof.verify.leakage.laws import ConditionalLaws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_OUTPUTS = 40
NEAR = 1.2  # of the longest bar: up to where the level asked for is drawn
_MOST_NATS = 700.0  # e^700 is still a float
_MAX_WORK = 2_000_000_000  # float operations of one privacy profile


@dataclass(frozen=True)
class Profile:
    """The smallest deltas at levels from 0 to `last` nats; `flat` is what remains of delta at any
    level, `asked` the level asked for with its delta, if it is not beyond `last`.
    """

    epsilons: list[float]
    deltas: list[float]
    last: float
    flat: float
    asked: tuple[float, float] | None


def profile_of(audit: Audit) -> Profile:
    """Return the privacy profile as it is drawn. Raises `ModelError` over the convex hull of priors
    and for frameworks with too many pairs to draw.
    """
    if audit.framework.closure == "convex":
        raise ModelError(
            'no privacy profile over "closure": "convex": it is drawn for listed priors only',
            "closure",
        )
    points = _points(audit)
    last, flat = _last_epsilon(audit)
    epsilons = [last * index / (points - 1) for index in range(points)]
    deltas = _profile(audit, epsilons)
    level = None if audit.level is None else float(audit.level.enclosure().upper)
    asked = None if level is None or level > last else (level, _profile(audit, [level])[0])
    return Profile(epsilons, deltas, last, flat, asked)


def profile_plot(audit: Audit) -> "Figure":
    """Draw the privacy profile delta(epsilon), the exact leakage where it reaches 0, and the level
    asked for.

    With infinite leakage the profile flattens at a positive delta instead. Raises `ModelError` as
    `profile_of` does.
    """
    drawn = profile_of(audit)
    with styled():
        figure, axes = new_figure(3.6)
        label = "smallest delta at every epsilon"
        axes.plot(drawn.epsilons, drawn.deltas, color=FOR, linewidth=2, label=label)
        _mark_leakage(axes, audit, drawn.last, drawn.flat)
        if drawn.asked is not None:
            axes.axvline(drawn.asked[0], color=AGAINST, linewidth=1, linestyle=":")
            said = asked_text(audit, drawn.asked[1])
            how: dict[str, Any] = {"color": AGAINST, "clip_on": False, "zorder": 4, "label": said}
            axes.plot([drawn.asked[0]], [drawn.asked[1]], "D", **how)
        axes.set_xlim(0, drawn.last)
        axes.set_ylim(0, max(drawn.deltas) * 1.12 or 1)
        axes.set_xlabel("epsilon (nats)")
        axes.set_ylabel("delta")
        figure.legend(loc="outside upper left", frameon=False)
    return figure


@dataclass(frozen=True)
class OutputBars:
    """The outputs that are drawn with log P(y | s) / P(y | s'), of how many, and the length at
    which bars end.
    """

    bars: list[tuple[str, float | None]]
    count: int
    edge: float


def drawn_bars(audit: Audit) -> OutputBars:
    """Return what each output tells, of more than `MAX_OUTPUTS` those that tell most."""
    bars = output_bars(audit)
    shown = sorted(
        sorted(range(len(bars)), key=lambda index: -abs(bars[index][1] or 0))[:MAX_OUTPUTS]
    )
    chosen = [bars[index] for index in shown]
    return OutputBars(chosen, len(bars), _edge([value for _, value in chosen], audit))


def outputs_plot(audit: Audit) -> "Figure":
    """Draw what each output tells about the witness's pair under its prior: log P(y | s) / P(y |
    s'), a bar per output.

    A bar to the right speaks for s, to the left for s'; an infinite one is cut and marked. Of more
    than `MAX_OUTPUTS` outputs those with the longest bars are drawn.
    """
    drawn = drawn_bars(audit)
    chosen, edge = drawn.bars, drawn.edge
    with styled():
        figure, axes = new_figure(1.5 + 0.24 * len(chosen))
        for row, (name, value) in enumerate(chosen):
            _bar(axes, row, value, edge, is_witness(audit, name))
        named_rows(axes, [name for name, _ in chosen])
        if audit.level is not None:
            _level_lines(axes, float(audit.level.enclosure().upper), edge, str(audit.level))
        axes.axvline(0, color=INK, linewidth=0.8)
        room = edge * _room(value for _, value in chosen)
        axes.set_xlim(-room, room)
        axes.set_xlabel(sides_text(audit))
        axes.set_ylabel(
            "output"
            if len(chosen) == drawn.count
            else f"output (the {len(chosen)} of {drawn.count} that reveal most)"
        )
    return figure


def is_witness(audit: Audit, output: str) -> bool:
    """Whether an output is the one of the witness, of a mechanism that leaks something."""
    return output == audit.witness.output and audit.leakage.ratio != 1


def sides_text(audit: Audit) -> str:
    """Say which secret bars to the left and to the right speak for."""
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    return f'Nats: bars to the left favour "{right}", bars to the right "{left}"'


def profile_finding(audit: Audit) -> str:
    """Say from where on the smallest delta is 0."""
    leakage = audit.leakage
    if leakage.ratio == 1:
        return "Nothing leaks: delta is 0 at every epsilon."
    if leakage.infinite:
        return "Delta stays above 0 at every epsilon because an output rules out a secret."
    return f"Delta reaches 0 at {three(nats_approx(leakage))} nats, the exact leakage."


def outputs_finding(audit: Audit) -> str:
    """Say which output tells most of the witness's secrets, as a factor of their odds."""
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    if audit.leakage.ratio == 1:
        return f'No output distinguishes "{left}" from "{right}".'
    output = f'Output "{label_text(audit.witness.output, 28)}"'
    if audit.leakage.infinite:
        return f'{output} is possible given "{left}" and impossible given "{right}".'
    times = three(math.exp(min(nats_approx(audit.leakage), _MOST_NATS)))
    return (
        f'{output} reveals most: it multiplies the odds of "{left}" against "{right}" by {times}.'
    )


@dataclass(frozen=True)
class OutputLaw:
    """An output with its probability under either secret of a witness, and the odds of the secrets
    before it.
    """

    output: str
    above: Fraction
    below: Fraction
    odds: Fraction


def output_bars(audit: Audit) -> list[tuple[str, float | None]]:
    """Return every output with log P(y | s) / P(y | s') at the witness's prior and pair, None
    where it cannot occur.
    """
    return [(law.output, _log_ratio_approx(law.above, law.below)) for law in output_laws(audit)]


def output_laws(audit: Audit) -> list[OutputLaw]:
    """Return the probabilities of every output at the witness's prior and pair."""
    weights = (
        {audit.witness.prior: Fraction(1)}
        if isinstance(audit.witness.prior, str)
        else dict(audit.witness.prior)
    )
    framework = audit.framework
    channel = audit.channel.aligned(framework.databases, framework.support)
    laws = {
        name: ConditionalLaws(framework, channel, name)
        for name, weight in weights.items()
        if weight
    }
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
        OutputLaw(
            label, share(above, k) / totals[0], share(below, k) / totals[1], totals[0] / totals[1]
        )
        for k, label in enumerate(channel.outputs)
    ]


def _points(audit: Audit) -> int:
    """Return how many points of the profile to draw, fewer for large frameworks."""
    work = max(1, audit.scope.checked)
    points = min(401, _MAX_WORK // work, 20_000_000 // len(audit.channel.outputs))
    if points < 16:
        raise ModelError(f"too much to draw a privacy profile of: {work} ratios")
    return points


def _profile(audit: Audit, epsilons: Sequence[float]) -> list[float]:
    return [
        float(value) for value in privacy_profile_approx(audit.framework, audit.channel, epsilons)
    ]


def _last_epsilon(audit: Audit) -> tuple[float, float]:
    """Return how far to draw, and the delta that remains there for any epsilon."""
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    if not audit.leakage.infinite:
        return min(_MOST_NATS, 1.15 * max(nats_approx(audit.leakage), asked) or 1.0), 0.0
    grid = [0.0, *(0.05 * 1.35**step for step in range(31)), _MOST_NATS]
    deltas = _profile(audit, grid)
    flat = deltas[-1]
    settled = next(
        epsilon
        for epsilon, delta in zip(grid, deltas)
        if delta - flat <= 0.002 * (deltas[0] - flat)
    )
    return min(_MOST_NATS, 1.25 * max(settled, asked, 0.8)), flat


def _mark_leakage(axes: "Axes", audit: Audit, last: float, flat: float) -> None:
    if audit.leakage.infinite:
        axes.axhline(
            flat,
            color=MARK,
            linewidth=1,
            linestyle="--",
            label=f"leakage infinite: delta never falls below {at_least(flat, 4)}",
        )
    elif nats_approx(audit.leakage) <= last:
        said = f"exact leakage {leakage_text(audit.leakage)}"
        axes.plot(
            [nats_approx(audit.leakage)], [0], "o", color=MARK, clip_on=False, zorder=5, label=said
        )
    else:
        axes.plot([], [], " ", label=f"exact leakage {leakage_text(audit.leakage)}, further right")


def asked_text(audit: Audit, delta: float) -> str:
    """Say what the smallest delta is at the level asked for."""
    return f"level asked for, {label_text(str(audit.level), 28)}: delta {chance(delta, 4)}"


def _edge(values: Sequence[float | None], audit: Audit) -> float:
    """Return the longest finite bar, with room for the level asked for if it is near."""
    finite = [abs(value) for value in values if value is not None and math.isfinite(value)]
    longest = max(finite, default=0.0)
    asked = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    if longest < 1e-9:
        return asked if 0 < asked < 1e6 else 1.0
    return max(longest, asked) if asked < 3 * longest else longest


def _room(values: Iterable[float | None]) -> float:
    """Return the half width of the axis in longest bars: beside them stand their numbers."""
    left = (len(number_text(value)) for value in values if value is not None and value <= 0)
    return max(1.25, 1.1 + 0.04 * max(left, default=0))


def number_text(value: float) -> str:
    """Write what stands at the end of a bar."""
    return "∞" if math.isinf(value) else f"{abs(value):.3g}"


def _bar(axes: "Axes", row: int, value: float | None, edge: float, witness: bool) -> None:
    if value is None:
        axes.text(edge * 0.02, row, "never occurs", color=FAINT, va="center", fontsize=9)
        return
    side = 1 if value > 0 else -1
    color = FOR if side > 0 else AGAINST
    length = edge * 1.08 if math.isinf(value) else abs(value)
    axes.barh(row, side * length, height=0.66, color=color)
    if math.isinf(value):
        axes.plot([side * length], [row], ">" if side > 0 else "<", color=color, markersize=8)
    said = number_text(value) + ("  ★ witness" if witness else "")
    room = edge * (0.05 if math.isinf(value) else 0.02)
    axes.text(
        side * (length + room),
        row,
        said,
        va="center",
        ha="left" if side > 0 else "right",
        fontsize=9,
    )


def _level_lines(axes: "Axes", asked: float, edge: float, name: str) -> None:
    if 0 < asked <= edge * NEAR:
        for side in (-1, 1):
            axes.axvline(side * asked, color=MARK, linewidth=0.9, linestyle="--", zorder=0)
        axes.set_title(
            f"dashed: the level asked for, {label_text(name, 28)}", fontsize=10, color=MARK
        )


def _log_ratio_approx(left: Fraction, right: Fraction) -> float | None:
    if left == right == 0:
        return None
    if left == 0 or right == 0:
        return math.inf if left else -math.inf
    return log_approx(left / right)
