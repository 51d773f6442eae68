"""Figure 2 of "Composition Theorem for streaming CW-privacy" (streaming_cw): which blocks databases
share, which of them own one, and whether outputs are independent given what is shared.

The paper draws blocks and prints no numbers. Outputs here are of the mechanism below, on blocks of
one law; how far they are from independent is the largest ratio of the law of all outputs and the
product of theirs, given the shared blocks and given the later blocks of the last window. Verdicts
are those recorded of the four remarks (streaming_cw.fig2).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import resources
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pufferproof.claims.document.reader import read
from pufferproof.examples.reproduce.schemas import WindowsFigure
from pufferproof.models.errors import extras
from pufferproof.reports.console.drawing import FAINT, FOR, INK, panels, plot_files
from pufferproof.reports.console.words import csv_text
from pufferproof.reports.redaction.table import leakage_text
from pufferproof.verify.decision import recorded_readings
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME = "streaming_cw.figure2"
LAW = (Fraction(3, 4), Fraction(1, 4))
ROWS = {  # the mechanism of examples/streams/biased.json: P(first output | two blocks)
    (0, 0): Fraction(1, 2),
    (0, 1): Fraction(1),
    (1, 0): Fraction(1, 3),
    (1, 1): Fraction(1, 4),
}
_EACH = "alternatives drawn for each window on its own"


@dataclass(frozen=True)
class Panel:
    """One of the four drawings: databases of two blocks, what it remarks, and the readings."""

    number: int
    remark: str
    databases: tuple[tuple[str, str], ...]
    readings: tuple[str, ...]

    @cached_property
    def shared(self) -> tuple[str, ...]:
        """The blocks of more than one database."""
        times = Counter(block for each in self.databases for block in each)
        return tuple(block for block, many in times.items() if many > 1)

    @property
    def owning(self) -> tuple[int, ...]:
        """The databases that own a block, from 1."""
        return tuple(k for k, each in enumerate(self.databases, 1) if set(each) - set(self.shared))

    def dependence(self, known: Sequence[str]) -> Leakage:
        """Return how far outputs are from independent given some blocks, the largest over values:
        0/0 is none.
        """
        blocks = list(dict.fromkeys(block for each in self.databases for block in each))
        largest: Fraction | None = Fraction(1)
        for given in product((0, 1), repeat=len(known)):
            fixed = dict(zip(known, given))
            joint = _joint(self.databases, [b for b in blocks if b not in fixed], fixed)
            largest = _largest(largest, _apart(joint))
        return Leakage.of(largest)

    @property
    def later(self) -> tuple[str, ...]:
        """The later block of the last window."""
        return self.databases[-1][1:]


PANELS = (
    Panel(
        1,
        "two windows: good independence, as each owns a block",
        (("b1", "b2"), ("b2", "b3")),
        (f"(1) two windows, {_EACH}", "(1) two windows, one common coin"),
    ),
    Panel(
        2,
        "three windows: none to use, as X_2 shares both its blocks",
        (("b1", "b2"), ("b2", "b3"), ("b3", "b4")),
        (
            "(2) a window between two others owns no block, B >= 2",
            "(2) three outputs are not independent given the blocks that windows share",
        ),
    ),
    Panel(
        3,
        "differential privacy: a query is shared, noise is not",
        (("noise1", "query"), ("noise2", "query"), ("noise3", "query")),
        ("(3) shared query, own noise",),
    ),
    Panel(
        4,
        "it works as long as each database owns a block",
        (("own1", "b"), ("own2", "b"), ("own3", "b")),
        (
            f"(4) Lemma 1 holds while each window owns a block, {_EACH}",
            "(4) Lemma 1 holds while each window owns a block, one common coin",
        ),
    ),
)


def _joint(
    databases: Sequence[tuple[str, str]], free: Sequence[str], fixed: dict[str, int]
) -> dict[tuple[int, ...], Fraction]:
    """Return the law of all outputs given the fixed blocks."""
    law: dict[tuple[int, ...], Fraction] = {}
    for values in product((0, 1), repeat=len(free)):
        at = fixed | dict(zip(free, values))
        chance = prod((LAW[value] for value in values), start=Fraction(1))
        first = [ROWS[at[one], at[other]] for one, other in databases]
        for outputs in product((0, 1), repeat=len(databases)):
            shown = prod((1 - p if y else p for y, p in zip(outputs, first)), start=chance)
            law[outputs] = law.get(outputs, Fraction(0)) + shown
    return law


def _apart(joint: dict[tuple[int, ...], Fraction]) -> Fraction | None:
    """Return the largest ratio of a joint law and the product of its marginals, either way."""
    largest: Fraction | None = Fraction(1)
    for outputs, both in joint.items():
        alone = [sum((p for other, p in joint.items() if other[k] == y), Fraction(0)) for k, y in enumerate(outputs)]
        product_of = prod(alone, start=Fraction(1))
        if both and product_of:
            largest = _largest(largest, max(both / product_of, product_of / both))
        elif both or product_of:
            largest = None
    return largest


def _largest(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else max(one, other)


def windows() -> WindowsFigure:
    """Return what the four drawings show."""
    known = _recorded("streaming_cw.fig2")
    panels = [
        {
            "panel": each.number,
            "remark": each.remark,
            "databases": each.databases,
            "shared": each.shared,
            "owning": each.owning,
            "given_shared": each.dependence(each.shared).as_json(),
            "given_later": each.dependence(each.later).as_json(),
            "readings": {reading: known[reading] for reading in each.readings},
        }
        for each in PANELS
    ]
    return WindowsFigure.model_validate({"figure": NAME, "panels": panels, "files": []})


def _recorded(claim: str) -> dict[str, str]:
    """Return the recorded verdicts on the readings of a claim, by the names of its document."""
    package = resources.files("pufferproof.claims.papers.streaming_cw.lemmas")
    document = read(package.joinpath("figure2.claims").read_text("utf-8"))
    (found,) = (each for each in document.claims if each.id == claim)
    names = [each.name for each in found.readings]
    return dict(zip(names, recorded_readings(claim), strict=True))


def lines(figure: WindowsFigure) -> list[str]:
    """Render them for a terminal."""
    said = []
    for panel, each in zip(figure.panels, PANELS):
        databases = ", ".join(f"X_{k} = {' '.join(b)}" for k, b in enumerate(each.databases, 1))
        own = ", ".join(f"X_{k}" for k in each.owning)
        given = f"given {', '.join(each.shared)}"
        apart = each.dependence(each.shared)
        later = each.dependence(each.later)
        said += [
            f"({each.number})       {each.remark}",
            f"          {databases}; {own} own a block",
            f"          outputs {_independent(apart)} {given}, {_independent(later)} given {', '.join(each.later)}",
            *(f"          {verdict:<8} {reading}" for reading, verdict in panel.readings.items()),
        ]
    return said


def _independent(apart: Leakage) -> str:
    return "independent" if apart.ratio == 1 else f"apart by {leakage_text(apart)}"


def files(out: str) -> dict[str, bytes]:
    """Return the drawings, and what they show as CSV."""
    header = ["panel", "database", "blocks", "owns_a_block"]
    rows = [
        [str(each.number), str(k), " ".join(blocks), "yes" if k in each.owning else "no"]
        for each in PANELS
        for k, blocks in enumerate(each.databases, 1)
    ]
    start = str(Path(out) / NAME)
    drawn = plot_files(picture(), start, _finding())
    return {f"{start}.csv": csv_text(header, rows).encode()} | drawn


def _finding() -> str:
    """Say which databases own no block."""
    none = [
        f"X_{k} of ({each.number})"
        for each in PANELS
        for k in range(1, len(each.databases) + 1)
        if k not in each.owning
    ]
    return f"Every database owns a block but {' and '.join(none)}."


def picture() -> "Figure":
    """Draw the four panels: shared blocks filled, those of one database empty."""
    with panels(2, 2, (7.4, 4.4)) as (figure, [above, below]):
        for axes, panel in zip([*above, *below], PANELS):
            _draw(axes, panel)
    return figure


def _draw(axes: "Axes", panel: Panel) -> None:
    """Draw the databases of a panel one below the other, blocks in columns."""
    with extras:
        from matplotlib.patches import Rectangle

    blocks = list(dict.fromkeys(block for each in panel.databases for block in each))
    for row, each in enumerate(panel.databases):
        for block in each:
            place, shared = (blocks.index(block), -row), block in panel.shared
            fill: dict[str, Any] = {"facecolor": FOR if shared else "none"}
            axes.add_patch(Rectangle(place, 1, 0.7, edgecolor=INK, alpha=0.55, **fill))
            axes.text(place[0] + 0.5, place[1] + 0.35, block, ha="center", va="center")
        axes.text(-0.15, 0.35 - row, f"X_{row + 1}", ha="right", va="center", color=FAINT)
    axes.set_xlim(-0.6, len(blocks) + 0.1)
    axes.set_ylim(-len(panel.databases) + 0.8, 1)
    axes.set_axis_off()
    axes.set_title(f"({panel.number}) {_wrapped(panel.remark)}", fontsize=8.5, loc="left")


def _wrapped(remark: str) -> str:
    head, colon, tail = remark.partition(": ")
    return f"{head}{colon.strip()}\n{tail}" if colon else remark
