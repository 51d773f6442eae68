"""Plots of an audit: the privacy profile, what each output tells, a joint release beside its parts;
and privacy regions.

Plots show rounded numbers and decide nothing. matplotlib is imported by the functions that draw;
the same input gives the same bytes (no dates, fixed identifiers). Colours are the constants below:
`inline_svg` hands them to a page's style sheet.
"""

import io
import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import leakage_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.composition import Composition
from pufferproof.verify.leakage.delta import privacy_profile_approx
from pufferproof.verify.leakage.laws import ConditionalLaws
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.revealing import RevealingRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

INK, FAINT, FOR, AGAINST, MARK = "#1a1c20", "#8a8f98", "#1f6fb2", "#b8560f", "#a3195b"
MAX_OUTPUTS, MAX_CURVES = 40, 8
FORMATS = (".svg", ".png", ".pdf")
_WIDTH = 6.4  # inches
_MOST_NATS = 700.0  # e^700 is still a float
_MAX_WORK = 2_000_000_000  # float operations of one privacy profile
_STYLES = {
    INK: "currentColor",
    FAINT: "var(--faint)",
    FOR: "var(--for)",
    AGAINST: "var(--against)",
    MARK: "var(--mark)",
}
_NO_DATE: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None},
}


def profile_plot(found: Audit) -> "Figure":
    """Draw the privacy profile delta(epsilon), the exact leakage where it reaches 0, and the level
    asked for.

    With infinite leakage the profile flattens at a positive delta instead. Raises `ModelError` over
    the convex hull of priors and for frameworks with too many pairs to draw.
    """
    if found.framework.closure == "convex":
        raise ModelError(
            'no privacy profile over "closure": "convex": it is drawn for listed priors only',
            "closure",
        )
    points = _points(found)
    last, flat = _last_epsilon(found)
    epsilons = [last * index / (points - 1) for index in range(points)]
    deltas = _profile(found, epsilons)
    with styled():
        figure, axes = new_figure(3.6)
        axes.plot(epsilons, deltas, color=FOR, linewidth=2, label="smallest delta at every epsilon")
        _mark_leakage(axes, found, last, flat)
        _mark_level(axes, found, last)
        axes.set_xlim(0, last)
        axes.set_ylim(0, max(deltas) * 1.12 or 1)
        axes.set_xlabel("epsilon (nats)")
        axes.set_ylabel("delta")
        figure.legend(loc="outside upper left", frameon=False)
    return figure


def outputs_plot(found: Audit) -> "Figure":
    """Draw what each output tells about the witness's pair under its prior: log P(y | s) / P(y |
    s'), a bar per output.

    A bar to the right speaks for s, to the left for s'; an infinite one is cut and marked. Of more
    than `MAX_OUTPUTS` outputs those with the longest bars are drawn.
    """
    bars = output_bars(found)
    shown = sorted(
        sorted(range(len(bars)), key=lambda index: -abs(bars[index][1] or 0))[:MAX_OUTPUTS]
    )
    chosen = [bars[index] for index in shown]
    edge = _edge([value for _, value in chosen], found)
    with styled():
        figure, axes = new_figure(1.5 + 0.24 * len(chosen))
        for row, (name, value) in enumerate(chosen):
            _bar(axes, row, value, edge, name == found.witness.output and found.leakage.ratio != 1)
        _rows(axes, [name for name, _ in chosen])
        if found.level is not None:
            _level_lines(axes, float(found.level.enclosure().upper), edge, str(found.level))
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_xlim(-edge * 1.25, edge * 1.25)
        left, right = (label_text(secret, 28) for secret in found.witness.pair)
        axes.set_xlabel(f'nats: left speaks for "{right}", right for "{left}"')
        axes.set_ylabel(
            "output"
            if len(chosen) == len(bars)
            else f"output ({len(chosen)} most telling of {len(bars)})"
        )
    return figure


def composition_plot(found: Composition, names: Sequence[str] = ()) -> "Figure":
    """Draw the leakage of every mechanism alone, their sum, and the joint leakage; infinite
    ones are cut and marked.
    """
    numbered = [f"mechanism {index + 1}" for index in range(len(found.single))]
    alone = [nats_approx(single.leakage) for single in found.single]
    rows = [
        (f"{name}, alone" + f" ({found.runs} runs)" * (found.runs > 1), value, FOR)
        for name, value in zip(
            [name or other for name, other in zip_longest(names, numbered)], alone
        )
    ]
    total = sum(value for _, value, _ in rows) * found.runs
    rows += [
        ("sum of the single ones", total, FAINT),
        ("joint", nats_approx(found.joint.leakage), MARK),
    ]
    edge = max([value for _, value, _ in rows if math.isfinite(value)] + [1e-9]) or 1.0
    edge = edge if edge > 1e-6 else 1.0
    with styled():
        figure, axes = new_figure(1.1 + 0.34 * len(rows))
        for row, (_, value, color) in enumerate(rows):
            _magnitude(axes, row, value, edge, color)
        if math.isfinite(total):
            axes.axvline(total, color=INK, linewidth=1, linestyle="--")
        _rows(axes, [name for name, _, _ in rows])
        axes.set_xlim(0, edge * 1.3)
        axes.set_xlabel("leakage (nats)")
    return figure


def revealing_plot(rows: Sequence[RevealingRow]) -> "Figure":
    """Draw the probability that a secret, or the database, is certain at or before run k; curves
    that coincide are one.

    Of more than `MAX_CURVES` different curves the first ones are drawn.
    """
    from matplotlib.ticker import MaxNLocator

    names: dict[tuple[Fraction, ...], list[str]] = {}
    for row in rows:
        what = "database" if row.goal == "database" else "secret"
        names.setdefault(row.law.curve, []).append(
            f"{what}, given {label_text(row.given, 18)}, {label_text(row.prior, 14)}"
        )
    with styled():
        figure, axes = new_figure(3.6)
        for number, (curve, said) in enumerate(list(names.items())[:MAX_CURVES]):
            more = f" and {len(said) - 1} more" if len(said) > 1 else ""
            line = ("-", "--", ":", "-.")[number // 4 % 4]
            color = (FOR, AGAINST, MARK, FAINT)[number % 4]
            axes.plot(
                [float(value) for value in curve],
                line,
                color=color,
                marker="o",
                markersize=4,
                label=said[0] + more,
            )
        axes.set_ylim(-0.02, 1.02)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(
            "runs" if len(names) <= MAX_CURVES else f"runs ({MAX_CURVES} of {len(names)} curves)"
        )
        axes.set_ylabel("probability of being certain")
        figure.legend(loc="outside upper left", frameon=False)
    return figure


def region_corners(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Return the corners of the convex hull of (P(S), Q(not S)) over all events S, exactly, from
    (0, 1) on.

    The lower boundary takes outcomes in by falling ratio Q / P, the upper one by rising.

    >>> [(str(x), str(y)) for x, y in region_corners([Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)])]
    [('0', '1'), ('1/2', '0'), ('1', '0'), ('1/2', '1')]
    """
    shares: dict[
        Fraction, tuple[Fraction, Fraction]
    ] = {}  # outcomes with the same ratio lie on one edge
    for a, b in zip(p, q):
        if a + b > 0:
            x, y = shares.get(a / (a + b), (Fraction(0), Fraction(0)))
            shares[a / (a + b)] = (x + a, y + b)
    lower = [(Fraction(0), Fraction(1))]
    for _, (a, b) in sorted(shares.items()):
        lower.append((lower[-1][0] + a, lower[-1][1] - b))
    upper = [(1 - x, 1 - y) for x, y in lower]  # the events' complements
    return lower if len(shares) == 1 else lower[:-1] + upper[:-1]


def region_plot(
    regions: Mapping[str, Sequence[tuple[Fraction, Fraction]]],
    lines: Sequence[tuple[Fraction, Fraction]] = (),
    points: Mapping[str, tuple[Fraction, Fraction]] | None = None,
) -> "Figure":
    """Draw privacy regions, given by their corners, and the two lines of every (e^epsilon, delta)
    that is claimed of them.

    Points on or above both lines of a pair (R, delta) are those with a + R b >= 1 - delta and R a +
    b >= 1 - delta.
    """
    marked = points or {}
    edge = max([1.0, *(float(max(at)) for at in marked.values())]) + 0.05
    with styled():
        figure = _empty(3.9)
        axes = figure.add_axes(
            (0.11, 0.13, 0.51, 0.837)
        )  # a square; its labels to the left and below, its legend to the right
        for (name, corners), color in zip(regions.items(), (FOR, AGAINST, FAINT)):
            xs, ys = ([float(at[side]) for at in [*corners, corners[0]]] for side in (0, 1))
            axes.fill(xs, ys, color=color, alpha=0.2, linewidth=0)
            axes.plot(xs, ys, color=color, linewidth=2, label=f"region of {name}")
        for number, (ratio, shift) in enumerate(lines):
            said = f"e^epsilon = {_short(ratio)},\ndelta = {_short(shift)}"
            r, height = float(ratio), float(1 - shift)
            for xs, ys in (([0, height], [height / r, 0]), ([0, height / r], [height, 0])):
                axes.plot(
                    xs,
                    ys,
                    color=MARK,
                    linewidth=1.3,
                    linestyle=("--", ":", "-.")[number % 3],
                    label=said,
                )
                said = "_the other order"
        for name, at in marked.items():
            axes.plot(
                [float(at[0])], [float(at[1])], "D", color=INK, clip_on=False, zorder=5, label=name
            )
        axes.set_xlim(-0.05, edge)
        axes.set_ylim(-0.05, edge)
        axes.set_xlabel("a = P(S)")
        axes.set_ylabel("b = Q(not S)")
        figure.legend(loc="upper left", bbox_to_anchor=(0.63, 0.98), frameon=False)
    return figure


def output_bars(found: Audit) -> list[tuple[str, float | None]]:
    """Return every output with log P(y | s) / P(y | s') at the witness's prior and pair, None
    where it cannot occur.
    """
    weights = (
        {found.witness.prior: Fraction(1)}
        if isinstance(found.witness.prior, str)
        else dict(found.witness.prior)
    )
    framework = found.framework
    channel = found.channel.aligned(framework.databases, framework.support)
    laws = {
        name: ConditionalLaws(framework, channel, name)
        for name, weight in weights.items()
        if weight
    }
    mass = {
        (name, s): weight * Fraction(framework.mass(name, s), framework.laws[name].total)
        for name, weight in weights.items()
        for s in found.witness.pair
    }
    bars: list[tuple[str, float | None]] = []
    for output, label in enumerate(channel.outputs):
        left, right = (
            sum(
                mass[name, s] * Fraction(*law.exact(s, output))
                for name, law in laws.items()
                if mass[name, s]
            )
            / sum(mass[name, s] for name in laws)
            for s in found.witness.pair
        )
        bars.append((label, _log_ratio_approx(Fraction(left), Fraction(right))))
    return bars


def nats_approx(leakage: Leakage) -> float:
    """Return a leakage in nats as the nearest float, infinity included."""
    return float(leakage.enclosure().upper)


def rendered(figure: "Figure", path: str | Path) -> bytes:
    """Return a figure as .svg, .png or .pdf, by the suffix of `path`. Raises `ModelError` for
    another suffix.
    """
    return _rendered(figure, plot_format(path))


def plot_format(path: str | Path) -> str:
    """Return the suffix of a plot file. Raises `ModelError` unless it is one of `FORMATS`."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ModelError(
            f"expected a plot file ending in {', '.join(FORMATS)}, found {suffix or 'none'!r}",
            str(path),
        )
    return suffix


def inline_svg(figure: "Figure", prefix: str, description: str) -> str:
    """Return a figure as an SVG element for an HTML page: no external names, ids of its own,
    colours from the page's style.
    """
    text = _rendered(figure, ".svg", transparent=True).decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    head, body = text[: text.index(">") + 1], text[text.index(">") + 1 :]
    box = re.search(r'viewBox="[^"]*"', head)
    for color, style in _STYLES.items():
        body = body.replace(color, style)
    body = re.sub(r'\bid="', f'id="{prefix}-', body)
    body = body.replace("url(#", f"url(#{prefix}-").replace('xlink:href="#', f'href="#{prefix}-')
    return f'<svg {box[0] if box else ""} role="img" aria-label="{escape(description)}">{body}'


def _rendered(figure: "Figure", suffix: str, transparent: bool = False) -> bytes:
    stream = io.BytesIO()
    with styled(), warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # glyphs that the drawing font lacks are the viewer's to show
        figure.savefig(
            stream, format=suffix[1:], dpi=160, metadata=_NO_DATE[suffix], transparent=transparent
        )
    return stream.getvalue()


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of all plots: one font, ids that do not change, no frame on the right and
    above, names as they are.

    No text is read as a formula, since names are anybody's; axes whose ticks would be formulas have
    `plain_ticks`.
    """
    import matplotlib

    settings: Any = {
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "svg.hashsalt": "pufferproof",
        "svg.fonttype": "none",
        "text.color": INK,
        "axes.edgecolor": FAINT,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "text.usetex": False,
        "text.parse_math": False,
    }
    with matplotlib.rc_context(settings):
        yield


def plain_ticks(axis: "Axis") -> None:
    """Label the ticks of a logarithmic axis with numbers: powers of ten, and two and five times
    these.
    """
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(
        FuncFormatter(lambda value, _: f"{value:g}" if f"{abs(value):e}"[0] in "25" else "")
    )


def _empty(height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(_WIDTH, height))


def new_figure(height: float) -> "tuple[Figure, Axes]":
    """Return an empty figure of the usual width and this height in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    return figure, figure.add_subplot()


def _points(found: Audit) -> int:
    """Return how many points of the profile to draw, fewer for large frameworks."""
    work = max(1, found.scope.checked)
    points = min(401, _MAX_WORK // work, 20_000_000 // len(found.channel.outputs))
    if points < 16:
        raise ModelError(f"too much to draw a privacy profile of: {work} ratios")
    return points


def _profile(found: Audit, epsilons: Sequence[float]) -> list[float]:
    return [
        float(value) for value in privacy_profile_approx(found.framework, found.channel, epsilons)
    ]


def _last_epsilon(found: Audit) -> tuple[float, float]:
    """Return how far to draw, and the delta that remains there for any epsilon (0 when the
    leakage is finite).
    """
    asked = 0.0 if found.level is None else float(found.level.enclosure().upper)
    if not found.leakage.infinite:
        return min(_MOST_NATS, 1.15 * max(nats_approx(found.leakage), asked) or 1.0), 0.0
    grid = [0.0, *(0.05 * 1.35**step for step in range(31)), _MOST_NATS]
    deltas = _profile(found, grid)
    flat = deltas[-1]
    settled = next(
        epsilon
        for epsilon, delta in zip(grid, deltas)
        if delta - flat <= 0.002 * (deltas[0] - flat)
    )
    return min(_MOST_NATS, 1.25 * max(settled, asked, 0.8)), flat


def _mark_leakage(axes: "Axes", found: Audit, last: float, flat: float) -> None:
    if found.leakage.infinite:
        axes.axhline(
            flat,
            color=MARK,
            linewidth=1,
            linestyle="--",
            label=f"leakage infinite: delta never falls below {flat:.4g}",
        )
    elif nats_approx(found.leakage) <= last:
        said = f"exact leakage {leakage_text(found.leakage)}"
        axes.plot(
            [nats_approx(found.leakage)], [0], "o", color=MARK, clip_on=False, zorder=5, label=said
        )
    else:
        axes.plot([], [], " ", label=f"exact leakage {leakage_text(found.leakage)}, further right")


def _mark_level(axes: "Axes", found: Audit, last: float) -> None:
    if found.level is None:
        return
    asked = float(found.level.enclosure().upper)
    if asked <= last:
        delta = _profile(found, [asked])[0]
        said = f"level asked for, {label_text(str(found.level), 28)}: delta {delta:.4g}"
        axes.axvline(asked, color=AGAINST, linewidth=1, linestyle=":")
        axes.plot([asked], [delta], "D", color=AGAINST, clip_on=False, zorder=4, label=said)


def _edge(values: Sequence[float | None], found: Audit) -> float:
    """Return the length of the longest finite bar, with room for the level asked for where it
    is near.
    """
    finite = [abs(value) for value in values if value is not None and math.isfinite(value)]
    longest = max(finite, default=0.0)
    asked = 0.0 if found.level is None else float(found.level.enclosure().upper)
    if longest < 1e-9:
        return asked if 0 < asked < 1e6 else 1.0
    return max(longest, asked) if asked < 3 * longest else longest


def _bar(axes: "Axes", row: int, value: float | None, edge: float, is_witness: bool) -> None:
    if value is None:
        axes.text(edge * 0.02, row, "never occurs", color=FAINT, va="center", fontsize=9)
        return
    side = 1 if value > 0 else -1
    color = FOR if side > 0 else AGAINST
    length = edge * 1.08 if math.isinf(value) else abs(value)
    axes.barh(row, side * length, height=0.66, color=color)
    if math.isinf(value):
        axes.plot([side * length], [row], ">" if side > 0 else "<", color=color, markersize=8)
    number = "∞" if math.isinf(value) else f"{abs(value):.3g}"
    said = number + ("  ★ witness" if is_witness else "")
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
    if 0 < asked <= edge * 1.2:
        for side in (-1, 1):
            axes.axvline(side * asked, color=MARK, linewidth=0.9, linestyle="--", zorder=0)
        axes.set_title(
            f"dashed: the level asked for, {label_text(name, 28)}", fontsize=10, color=MARK
        )


def _magnitude(axes: "Axes", row: int, value: float, edge: float, color: str) -> None:
    length = edge * 1.12 if math.isinf(value) else value
    axes.barh(row, length, height=0.62, color=color)
    if math.isinf(value):
        axes.plot([length], [row], ">", color=color, markersize=9)
    number = "infinite" if math.isinf(value) else f"{value:.4g}"
    axes.text(
        length + edge * (0.04 if math.isinf(value) else 0.012), row, number, va="center", ha="left"
    )


def _short(number: Fraction) -> str:
    return str(number) if len(str(number)) <= 12 else f"{float(number):.4g}"


def _rows(axes: "Axes", names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), [label_text(name, 30) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _log_ratio_approx(left: Fraction, right: Fraction) -> float | None:
    if left == 0 or right == 0:
        return None if left == right else math.inf if left else -math.inf
    ratio = left / right
    return math.log(ratio.numerator) - math.log(ratio.denominator)
