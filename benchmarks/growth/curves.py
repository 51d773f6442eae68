"""Cost against size: timed, fitted by least squares on logarithms, and drawn."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

FIGURE = Path(__file__).with_name("sizes.svg")
FITTED = 3  # the largest sizes, where what does not grow with them is small


@dataclass(frozen=True)
class Curve:
    """The least seconds of all rounds by size, of one computation, and what the size is."""

    name: str
    size: str
    points: tuple[tuple[int, float], ...]

    @property
    def exponent(self) -> float:
        """The slope of log seconds against log size over the three largest sizes."""
        chosen = self.points[-FITTED:]
        sizes, seconds = ([log(point[k]) for point in chosen] for k in (0, 1))
        return float(np.polyfit(sizes, seconds, 1)[0])

    @property
    def row(self) -> dict[str, Any]:
        """What the table says of it."""
        (least, _), (most, seconds) = self.points[0], self.points[-1]
        return {
            "name": self.name,
            "size": self.size,
            "range": f"{least:,} to {most:,}",
            "seconds": seconds,
            "exponent": self.exponent,
        }


def measured(
    name: str,
    size: str,
    sizes: Sequence[int],
    work: Callable[[int], Callable[[], Any]],
    rounds: int = 3,
) -> Curve:
    """Time what `work` prepares for each size, as often as there are rounds; preparing is not
    timed. The least time counts: what else the machine does would bend a curve.
    """
    points = []
    for each in sizes:
        times = []
        for _ in range(rounds):
            run = work(each)
            start = perf_counter()
            run()
            times.append(perf_counter() - start)
        points.append((each, min(times)))
    return Curve(name, size, tuple(points))


def draw(panels: dict[str, Iterable[Curve]]) -> None:
    """Draw a panel per subject, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "growth"
    import matplotlib.pyplot as plt
    from matplotlib.ticker import NullFormatter

    figure, grid = plt.subplots(2, -(-len(panels) // 2), figsize=(4 * len(panels) / 2, 8))
    for axis, (title, curves) in zip(grid.flat, panels.items()):
        for curve in curves:
            sizes, seconds = zip(*curve.points)
            label = f"{curve.name}: {round(curve.exponent, 1) + 0:.1f}"  # no -0.0
            axis.loglog(sizes, seconds, marker="o", markersize=3, label=label)
        axis.set(title=title, xlabel=", ".join(dict.fromkeys(curve.size for curve in curves)))
        for direction in (axis.xaxis, axis.yaxis):
            direction.set_minor_formatter(NullFormatter())
        axis.grid(alpha=0.3)
        axis.legend(fontsize="x-small", title="exponent", title_fontsize="x-small")
    for axis in grid[:, 0]:
        axis.set_ylabel("seconds")
    figure.tight_layout()
    figure.savefig(FIGURE, metadata={"Date": None})
