"""The paths of a program as a picture: of both databases of the witness, from left to right choice
by choice, each as high as it is probable; the paths to the output of the witness are dark.
"""

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import chance
from pufferproof.reports.console.drawing import AGAINST, FOR, INK, Axis, Panel, Plot
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.explaining.paths import Paths
from pufferproof.verify.audit import Audit
from pufferproof.verify.programs.law import ProgramPath

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PALE = 0.25
_LOW = 0.035  # of a line of words
_CHARACTERS = 58  # of a side, from left to right
Place = list[tuple[ProgramPath, list[str], float]]  # paths, their choices, their probabilities


def paths_plot(audit: Audit) -> Plot:
    """Draw the paths of the program of an audit. Raises `ModelError` of another mechanism."""
    if not audit.programs or audit.programs[0].program.form == "each":
        raise ModelError("draws the paths of a program, found another mechanism", "--draw paths")
    paths = Paths.of(audit, audit.programs[0])
    panels = []
    for side, colour in zip(paths.sides, (FOR, AGAINST)):
        every: Place = [
            (path, [choice.question for choice in path.choices], _float(path))
            for path in paths.law.paths[side.database]
        ]
        depth = 1 + max(len(steps) for _, steps, _ in every)
        title = f'"{label_text(side.database, 16)}", of "{label_text(side.secret, 16)}"'
        drawing = _Drawing(every, depth, paths.output, colour)
        panels.append(Panel([drawing], Axis(title, 0, depth, ticks="none"), Axis("probability", 1, 0)))
    masses = [
        sum(_float(path) for path in paths.law.paths[side.database] if path.output == paths.output)
        for side in paths.sides
    ]
    said = " and ".join(
        f'{chance(min(mass, 1.0))} on database "{label_text(side.database, 28)}"'
        for side, mass in zip(paths.sides, masses)
    )
    if paths.witness != paths.output:  # a number that is drawn
        said += f", and its density differs at {paths.witness.removeprefix(paths.output + ' at ')}"
    return Plot(f"Output {label_text(paths.output, 28)} has probability {said}.", panels, 4.2, beside=True)


@dataclass(frozen=True)
class _Drawing:
    """The parts of one side: choices from left to right, and outputs up to the right end."""

    every: Place
    depth: int
    output: str
    colour: str

    def draw(self, axes: "Axes") -> None:
        """Draw all paths."""
        self._below(axes, self.every, 0, 0.0)

    def _below(self, axes: "Axes", paths: Place, depth: int, top: float) -> None:
        """Draw paths that have made the same choices, from a height downwards."""
        groups: dict[str | None, Place] = {}
        for each in paths:
            steps = each[1]
            groups.setdefault(steps[depth] if depth < len(steps) else None, []).append(each)
        for step, below in groups.items():
            height = sum(mass for *_, mass in below)
            dark = {path.output for path, *_ in below} == {self.output}
            words = label_text(below[0][0].output, 16) if step is None else step
            width = self.depth - depth if step is None else 1
            middle, alpha = top + height / 2, 1 if dark else _PALE
            axes.barh(
                middle, width, height=height, left=depth, color=self.colour, alpha=alpha, edgecolor=INK, linewidth=0.4
            )
            most = max(6, _CHARACTERS * width // self.depth)
            lines = wrap(words, most, break_long_words=False)
            if height >= _LOW * len(lines) and max(map(len, lines), default=0) <= most:
                ink = "white" if dark else INK
                axes.text(depth + 0.05, middle, "\n".join(lines), va="center", fontsize=6, color=ink)
            if step is not None:
                self._below(axes, below, depth + 1, top)
            top += height


def _float(path: ProgramPath) -> float:
    return float(path.probability.ball())
