"""The paths of a program that was audited: the tree of its choices, and the witness as two runs
side by side.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any

from pufferproof.models.numbers.enclosures import dyadic, enclose
from pufferproof.models.numbers.text import JsonObject, brief_chance, chance, shown, text_of
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.answer import approx, given_secret, label_of, likeliest_of
from pufferproof.verify.programs.law import Law, Mass, ProgramPath
from pufferproof.verify.programs.mechanism import ProgramMechanism

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
