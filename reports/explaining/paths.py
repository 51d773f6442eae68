"""The paths of a program that was audited: the tree of its choices, the witness as two runs side by
side, and a picture of both its databases.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import dyadic, enclose
from pufferproof.models.numbers.text import JsonObject, brief_chance, chance, shown, text_of
from pufferproof.reports.console.drawing import AGAINST, FOR, INK, Axis, Panel, Plot
from pufferproof.reports.console.labels import label_text
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.answer import approx, given_secret, label_of, likeliest_of
from pufferproof.verify.programs.law import Law, Mass, ProgramPath
from pufferproof.verify.programs.mechanism import ProgramMechanism

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINES = 40  # of a tree that are shown
_DIGITS = 6
_BELOW_ONE = 1 - Fraction(1, 2**64)


@dataclass(frozen=True)
class Side:
    """One side of a witness: a secret, the database of it that makes the output likeliest, with its
    probability given the secret, and the likeliest path to the output, None if there is none.
    """

    secret: str
    database: str
    given: Fraction
    path: ProgramPath | None


@dataclass(frozen=True)
class Paths:
    """The paths of a program, and what is to be seen of them at the witness of an audit."""

    law: Law
    output: str
    sides: tuple[Side, ...]
    witness: str

    @classmethod
    def of(cls, audit: Audit, program: ProgramMechanism) -> "Paths":
        """Return the paths of the only program of an audit."""
        witness, law = audit.witness, program.law
        output, sides = label_of(audit, law), []
        for secret in witness.pair:
            weights = given_secret(audit, secret)
            likeliest = likeliest_of(weights, law, output)
            ways = [path for path in law.paths[likeliest] if path.output == output]
            path = max(ways, key=lambda way: approx(way.probability), default=None)
            sides.append(Side(secret, likeliest, weights[likeliest], path))
        return cls(law, output, tuple(sides), witness.output)

    def as_json(self) -> JsonObject:
        """Return the objects of the file formats: every path, and the two runs."""
        every = [
            {"database": database, **_path_json(path)}
            for database in self.law.databases
            for path in self.law.paths[database]
        ]
        runs = [
            {
                "secret": side.secret,
                "database": side.database,
                "given": text_of(side.given),
                "path": None if side.path is None else _path_json(side.path),
            }
            for side in self.sides
        ]
        return {"paths": every, "runs": runs}

    def lines(self) -> list[str]:
        """Render the trees of the two databases of the witness, and the two runs."""
        shown_ = dict.fromkeys(side.database for side in self.sides)
        lines: list[str] = []
        for database in shown_:
            count = len(self.law.paths[database])
            head = f'database "{database}", {count} path{"" if count == 1 else "s"}'
            lines += [f"{'' if lines else 'paths':<10}{head}"]
            lines += [f"            {line}" for line in tree_lines(self.law.paths[database])]
        columns = [_column(side, self.witness) for side in self.sides]
        height = max(map(len, columns))
        padded = [[*column, *[""] * (height - len(column))] for column in columns]
        width = max(map(len, padded[0]))
        runs = [f"{left:<{width}}  |  {right}".rstrip() for left, right in zip(*padded)]
        return lines + [f"{'' if k else 'runs':<10}{line}" for k, line in enumerate(runs)]


def _column(side: Side, output: str) -> list[str]:
    given = brief_chance(side.given) if side.given != 1 else "1"
    head = [f'given "{side.secret}"', f'database "{side.database}", probability {given}']
    if side.path is None:
        return [*head, f"no path to output {shown(output)}"]
    steps = [f"{each.where}  {each.question}" for each in side.path.choices]
    ends = f"output {shown(output)}, path of probability {probability_text(side.path.probability)}"
    return [*head, *steps, ends]


def tree_lines(paths: Sequence[ProgramPath], most: int = _LINES) -> list[str]:
    """Render the choices of paths as a tree, a branch a line, each with its probability, and an
    output where a path ends.
    """
    steps = [[f"{choice.where}  {choice.question}" for choice in path.choices] for path in paths]
    lines = list(_branches([*zip(paths, steps)], 0))
    if len(lines) > most:
        lines = [*lines[:most], f".. and {len(lines) - most} more lines (--json has all paths)"]
    return lines


def _branches(paths: list[tuple[ProgramPath, list[str]]], depth: int) -> Iterator[str]:
    groups: dict[str | None, list[tuple[ProgramPath, list[str]]]] = {}
    for path, steps in paths:
        key = steps[depth] if depth < len(steps) else None
        groups.setdefault(key, []).append((path, steps))
    for step, below in groups.items():
        total: Any = reduce(add, (path.probability for path, _ in below))
        ends = len(below) == 1 and len(below[0][1]) <= depth + 1
        output = f"  -> {shown(below[0][0].output)}" if ends else ""
        words = "  " * depth + (step or "no choice")
        yield f"{words}  {probability_text(total)}{output}"
        if not ends:
            yield from _branches(below, depth + 1)


def probability_text(mass: Mass) -> str:
    """Write a probability: exactly where it is rational and short, else some digits; one below 1 is
    never written as 1.
    """
    if mass.rational is not None:
        return brief_chance(mass.rational, 12)
    text = chance(min(dyadic(mass.ball().mid()), _BELOW_ONE), _DIGITS)  # irrational, and so below 1
    return text if text.startswith("above") else f"≈ {text}"


def _path_json(path: ProgramPath) -> JsonObject:
    ends, value = enclose(*path.probability.bounds()), path.probability.rational
    ratio = None if value is None else text_of(value)
    probability_json = {"ratio": ratio, "lower": ends.lower, "upper": ends.upper}
    return {
        "output": path.output,
        "probability": probability_json,
        "choices": [{"at": each.where, "went": each.question} for each in path.choices],
    }


# Picture ------------------------------------------------------------------------------------------
#
# From left to right choice by choice, each as high as it is probable; the paths to the output of the witness are dark.

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
