"""What releases over a sliding window leak, in lines for a terminal."""

from collections.abc import Iterator

from rich.table import Table as RichTable

from pufferproof.models.numbers.text import brief, rounded
from pufferproof.reports.console.labels import in_quotes
from pufferproof.reports.console.words import counted, leakage_text, rich_table
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.streams.leakage import StreamLeakage
from pufferproof.verify.sequences.streams.published import OneStep, Promise, Promised

_MOST_SHOWN = 12  # outputs of a witness, and corners


def stream_lines(found: StreamLeakage, alone: OneStep) -> list[str]:
    """Say what was found."""
    witness = found.witness
    outputs = ",".join(witness.outputs[:_MOST_SHOWN])
    more = "" if len(witness.outputs) <= _MOST_SHOWN else ",.."
    known = f" given {in_quotes(witness.given)}" if witness.given else ""
    where = "the windows" if witness.likelier == "windows" else "the scrubbed windows"
    lines = [
        f"leakage   {leakage_text(found.leakage)}  ({counted(len(found.steps), 'release')})",
        f"          most at outputs {outputs}{more}{known}, likelier on {where}",
        f"one step  {leakage_text(alone.largest)}",
        f"gamma     {leakage_text(alone.gamma)}",
        *_as_printed(alone),
        *_shortened(
            [
                f"          output {in_quotes(output)}: {leakage_text(gamma)}"
                for output, gamma in zip(alone.outputs, alone.gammas())
            ]
        ),
    ]
    corners = [
        f"corner    slope {brief(each.ratio)}, delta {brief(each.delta)}"
        + (f", given {in_quotes(given)}" if given else "")
        for given, every in zip(alone.given, alone.corners())
        for each in every
    ]
    return [*lines, *_shortened(corners)]


def _as_printed(alone: OneStep) -> list[str]:
    """Say the gamma of one direction that the paper takes, where it is a smaller one."""
    if alone.printed_gamma == alone.gamma:
        return []
    gamma = leakage_text(alone.printed_gamma)
    return [f"          as printed, of windows against scrubbed: {gamma}"]


def _shortened(lines: list[str]) -> list[str]:
    left = len(lines) - _MOST_SHOWN
    more = [f"          and {left} more, with --json"] if left > 0 else []
    return [*lines[:_MOST_SHOWN], *more]


def stream_view(found: StreamLeakage, promises: list[Promised], at_delta: bool) -> RichTable:
    """Return a table of what the first releases leak, and what is promised of them."""
    header = ["releases", "leakage (nats)", "Theorem 4", "holds", "repaired", "holds"]
    header += ["least at delta", "promised at delta"] if at_delta else []
    rows = []
    for t in _shown(len(found.steps)):
        said = promises[t - 1]
        rows.append([str(t), _short(found.steps[t - 1])])
        rows[-1] += [*_promise(said.printed), *_promise(said.repaired)]
        rows[-1] += [_level(said.exact), _level(said.best)] if at_delta else []
    return rich_table(header, rows, left=0)


def stream_notes(found: StreamLeakage, promises: list[Promised]) -> list[str]:
    """Say what Theorem 4 does not speak of."""
    notes = []
    if promises[0].printed is None:
        notes.append("note: Theorem 4 speaks of independent blocks: no bound is known for a chain")
    elif promises[0].repaired is None:
        notes.append(
            f'note: alternatives drawn "{found.stream.draws}": the repair of Theorem 4 speaks of '
            '"each-step"'
        )
    return notes


def _shown(steps: int) -> Iterator[int]:
    """Yield the steps that a table shows: the first ones, powers of two, and the last."""
    t = 1
    while t < steps:
        yield t
        t = t + 1 if t < 4 else 2 * t
    yield steps


def _promise(said: Promise | None) -> list[str]:
    if said is None:
        return ["-", "-"]
    shift = f", delta {brief(said.delta)}" if said.delta else ""
    return [_short(said.epsilon) + shift, {None: "-", True: "yes", False: "no"}[said.holds]]


def _short(leakage: Leakage) -> str:
    ends = leakage.enclosure()
    if leakage.infinite:
        return "infinite"
    low, high = rounded(ends.lower, 7), rounded(ends.upper, 7)
    if leakage.upper is None:
        return f"at least {low}"
    return low if low == high else f"{low} to {high}"


def _level(said: Leakage | None) -> str:
    return "-" if said is None else _short(said)
