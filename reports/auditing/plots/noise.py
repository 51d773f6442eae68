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
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.text import three
from pufferproof.reports.auditing.plots.listed import capped, errors_plot, level_text, losses_plot
from pufferproof.reports.console.drawing import AGAINST, FOR, INK, Axis, Curve, Panel, Part, Plot, Rule
from pufferproof.reports.console.labels import label_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.noise.integrals.delta.one_number import ScalarLaw
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
    form = "o-" if shape.kind == "integers" else "-"
    return Cells(places[kept], above[kept], below[kept], len(chosen) > 1, form)


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
        f"needs noise on one number, or Gaussian noise along a line: found {len(noises)} numbers that vary", "--draw"
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
    """Return the least errors of tests of one secret of the witness against the other."""
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
