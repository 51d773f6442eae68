"""Plots of what noise on one number tells of the witness's pair of secrets: its privacy loss, the
errors of the best tests, and the odds after every output.

In floats: outputs are cut into cells, whose masses are differences of distribution functions.
Beyond the extreme values of Laplace and geometric noise a ratio is constant, and a cell unbounded.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.numbers.text import three
from pufferproof.reports.auditing.plots.marks import (
    Drawn,
    capped,
    errors_finding,
    level_text,
    loss_finding,
    mark_level,
    mark_promised,
)
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    new_figure,
    plain_ticks,
    styled,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw
from pufferproof.verify.noise.laws.of_framework import LawPair, varying
from pufferproof.verify.noise.normal.lines import on_a_line, scalar_laws
from pufferproof.verify.noise.queries import query_laws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

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
    mark: str | None

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
    pair = next(
        each
        for each in laws.pairs
        if (each.prior, each.pair) == (audit.witness.prior, audit.witness.pair)
    )
    fewer, chosen = varying(pair, laws.noises)
    first, second, shape = _on_a_number(fewer, chosen)
    edges = _edges(sorted({*first, *second}), shape)
    ends = np.array([-math.inf, *edges, math.inf])
    above, below = (_masses(law, shape, ends) for law in (first, second))
    # what lies beyond the last edges stands a little further out
    half = 0.5 if shape.kind == "integers" else (edges[-1] - edges[0]) / 8
    middles = ((a + b) / 2 for a, b in pairwise(edges))
    places = np.array([edges[0] - half, *middles, edges[-1] + half])
    kept = (above > _LEAST) & (below > _LEAST)
    if max(float(each[~kept].sum()) for each in (above, below)) > _SEEN:
        raise ModelError("values are too far apart to be drawn with so little noise", "--draw")
    mark = "o" if shape.kind == "integers" else None
    return Cells(places[kept], above[kept], below[kept], len(chosen) > 1, mark)


def _masses(law: dict[float, float], shape: "_Shape", ends: "Floats") -> "Floats":
    import numpy as np

    parts = [p * np.diff(shape.below(ends - v)) for v, p in law.items()]
    return np.asarray(np.sum(parts, axis=0))


@dataclass(frozen=True)
class _Shape:
    """The law of noise on a number: its kind, and a scale, a ratio or sigma."""

    kind: str
    size: float

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
        f"needs noise on one number, or Gaussian noise along a line: found {len(noises)} "
        "numbers that vary",
        "--draw",
    )


def _floats(law: ScalarLaw) -> dict[float, float]:
    return {float(v): float(p) for v, p in law.items()}


def _edges(values: Sequence[float], shape: _Shape) -> list[float]:
    low, high = values[0], values[-1]
    if shape.kind == "integers":
        return [v + 0.5 for v in range(int(low), int(high))] or [low + 0.5]
    if shape.kind == "gaussian":
        low, high = low - _REACH * shape.size, high + _REACH * shape.size
    return [low + (high - low) * k / _CELLS for k in range(_CELLS + 1)]


def _loss(audit: Audit, cells: Cells) -> Drawn:
    """Draw how likely losses are under both secrets, up and down."""
    import numpy as np

    left, right = audit.witness.pair
    losses = cells.losses
    seen = np.abs(losses[(cells.above > _SEEN) | (cells.below > _SEEN)])
    edge = float(seen.max()) * 1.05 or 1.0
    level = 0.0 if audit.level is None else float(audit.level.enclosure().upper)
    beyond = float(cells.above[losses > level + 1e-12].sum())
    bins = np.linspace(-edge, edge, _BINS + 1)
    with styled():
        figure, axes = new_figure(3.6)
        for secret, color, masses, side in (
            (left, FOR, cells.above, 1),
            (right, AGAINST, cells.below, -1),
        ):
            heights, _ = np.histogram(np.clip(losses, -edge, edge), bins, weights=masses)
            label = f'under "{label_text(secret, 28)}"'
            axes.stairs(side * heights, bins, fill=True, color=color, label=label)
        axes.axhline(0, color=INK, linewidth=0.8)
        mark_level(axes, audit, edge)
        axes.set_xlim(-1.05 * edge, 1.05 * edge)
        axes.set_xlabel(f"privacy loss (nats), in {_BINS} steps")
        axes.set_ylabel("probability, up and down")
        axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):.3g}")
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return Drawn(figure, loss_finding(audit, beyond))


def _trade_off(audit: Audit, cells: Cells) -> Drawn:
    """Draw the least errors of tests of one secret of the witness against the other."""
    import numpy as np

    order = np.argsort(-cells.losses, kind="stable")
    first = np.concatenate([[0.0], np.cumsum(cells.below[order])])
    second = np.maximum(0.0, 1 - np.concatenate([[0.0], np.cumsum(cells.above[order])]))
    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    with styled():
        figure, axes = new_figure(4.2)
        axes.plot([0, 1], [1, 0], color=FAINT, linestyle=":", label="guessing")
        axes.plot(first, second, color=FOR, linewidth=2, marker=cells.mark, label="the best tests")
        if audit.level is not None:
            mark_promised(axes, audit)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_xlabel(f'says "{left}" where "{right}" holds')
        axes.set_ylabel(f'says "{right}" where "{left}" holds')
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return Drawn(figure, errors_finding(audit, float((first + second).min())))


def _odds(audit: Audit, cells: Cells) -> Drawn:
    """Draw by how much every output multiplies the odds of the witness's secrets."""
    import numpy as np

    left, right = (label_text(secret, 28) for secret in audit.witness.pair)
    seen = (cells.above > _SEEN / 10) | (cells.below > _SEEN / 10)
    places, factors = cells.places[seen], np.exp(np.clip(cells.losses[seen], -700, 700))
    with styled():
        figure, axes = new_figure(3.6)
        axes.plot(places, factors, color=FOR, linewidth=2, marker=cells.mark)
        axes.axhline(1, color=INK, linewidth=0.8)
        if audit.level is not None:
            bar = math.exp(capped(float(audit.level.enclosure().upper)))
            for at, label in ((bar, f"level {level_text(audit)}"), (1 / bar, None)):
                axes.axhline(at, color=FAINT, linestyle=":", label=label)
            figure.legend(loc="outside upper left", frameon=False)
        axes.set_yscale("log")
        plain_ticks(axes.yaxis, float(factors.max() / factors.min()) > WIDE)
        axes.set_xlabel("output" if not cells.line else "output, along the line of the values")
        axes.set_ylabel(f'odds of "{left}" against "{right}", times')
    least, most = three(float(factors.min())), three(float(factors.max()))
    outputs = (
        "Outputs that are drawn multiply" if audit.leakage.infinite else "An output multiplies"
    )
    further = ", further out by more" if audit.leakage.infinite else ""
    said = f'{outputs} the odds of "{left}" against "{right}" by {least} to {most}{further}.'
    return Drawn(figure, said)


NOISE_KINDS: dict[str, Callable[[Audit, Cells], Drawn]] = {
    "loss": _loss,
    "trade-off": _trade_off,
    "odds": _odds,
}


def noise_drawn(audit: Audit, kind: str) -> Drawn:
    """Draw a plot of noise on one number by name."""
    return NOISE_KINDS[kind](audit, cells_of(audit))
