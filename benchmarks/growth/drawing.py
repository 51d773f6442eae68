"""A panel for every curve, by the exponent: time against size, both axes logarithmic."""

from benchmarks.growth.measuring import SIZES, Curve
from benchmarks.growth.subjects import SUBJECTS

ACROSS = 5
FIGURE = SIZES.with_suffix(".svg")


def draw(curves: dict[str, Curve]) -> None:
    """Draw all curves, the flattest first, under a title that counts them."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams |= {"svg.hashsalt": "growth", "font.size": 9}
    import matplotlib.pyplot as plt

    order = sorted(SUBJECTS, key=lambda subject: curves[subject.name].exponent)
    down = -(-len(order) // ACROSS)
    figure, grid = plt.subplots(down, ACROSS, figsize=(2.5 * ACROSS, 2 * down), sharey=True)
    for axis, subject in zip(grid.flat, order):
        curve = curves[subject.name]
        _panel(axis, curve, "#0072b2" if round(curve.exponent, 1) <= 2 else "#d55e00")
        what = subject.what.replace("`", "")
        axis.set_title(f"{subject.command}\n{what}", fontsize=8, loc="left")
        axis.set_xlabel(subject.grows, fontsize=8, labelpad=1)
    for axis in list(grid.flat)[len(order) :]:
        axis.axis("off")
    for axis in grid[:, 0]:
        axis.set_ylabel("seconds", fontsize=8)
    few = sum(round(curve.exponent, 1) <= 2 for curve in curves.values())
    figure.suptitle(
        f"The cost of {few} of {len(order)} questions grows at most with the square of their size "
        "(blue; the number in a panel is its exponent)",
        fontsize=13,
    )
    figure.tight_layout(rect=(0, 0, 1, 0.985))
    figure.savefig(FIGURE, metadata={"Date": None})


def _panel(axis, curve: Curve, colour: str) -> None:
    sizes, seconds, _ = zip(*curve.points)
    axis.loglog(sizes, seconds, marker="o", markersize=3, color=colour)
    axis.minorticks_off()
    axis.tick_params(labelsize=7)
    axis.set_ylim(1e-3, 30)
    middle = (sizes[0] * sizes[-1]) ** 0.5
    width = max((sizes[-1] / sizes[0]) ** 0.5, 10)  # two decades at least, so that slopes compare
    axis.set_xlim(middle / width / 1.3, middle * width * 1.3)
    axis.grid(alpha=0.3)
    axis.text(0.04, 0.86, f"{round(curve.exponent, 1) + 0:.1f}", transform=axis.transAxes, color=colour)
