"""What `fit` answers: a chain that was fitted to recorded data, and the framework that it is a
prior of.

The counts are `chains/counts.py`, boxes of matrices beside them are in `boxes`, and which priors
hold groups in `groups`.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.boxes import box as boxes
from pufferproof.models.files.recorded.boxes.box import (
    Start,
    confidence_box,
    fixed_recordings,
)
from pufferproof.models.files.recorded.chains.counts import Counts, Initial, Recorded
from pufferproof.models.files.recorded.chains.document import (
    StatedFramework,
    box_json,
    comparison_json,
    document,
    reading_json,
    rendered,
    rows_json,
)
from pufferproof.models.files.recorded.chains.drawing import html_table, transition_figure
from pufferproof.models.files.recorded.chains.options import Options, expect_fixed
from pufferproof.models.files.recorded.doubts.comparison import EVIDENCE, Comparison, Doubt
from pufferproof.models.files.recorded.doubts.family import Evidence, Family
from pufferproof.models.files.recorded.doubts.saying import (
    Likeness,
    doubts_of_groups,
    doubts_of_order,
    doubts_of_rows,
    doubts_of_smoothing,
)
from pufferproof.models.files.recorded.groups.around import box_around
from pufferproof.models.files.recorded.groups.grouped import Grouped
from pufferproof.models.files.recorded.groups.kinds import (
    Fitting,
    GroupChains,
    Kind,
    kinds,
)
from pufferproof.models.files.recorded.groups.sorting import Cost
from pufferproof.models.framework import Framework
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Tabular, needed
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records, preview
from pufferproof.models.sequences.binary import private_records
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PRIOR = "fitted"
_MOST_PRIVATE = 10_000


@dataclass(frozen=True, repr=False)
class Fit(Readable, Tabular):
    """A chain fitted to recorded data.

    `counts` has the steps, `transition` their relative frequencies, exactly, a row per context (the
    last values, as many as the order), `prior` the chain, `box` the matrices that are not ruled out
    at the `confidence`, or None, `framework` the framework of the box, or of the chain without one.
    `doubts` says what in the data speaks against the chain; `test` compares its order with the next
    one, and `likeness` the groups with one another.

    A box needs no frequencies. Beside it a row of `transition` is None if nothing follows that
    value, and `prior` raises `ModelError` if the frequencies make no chain.

    >>> from pufferproof import fit
    >>> found = fit([0, 0, 1, 0, 1, 1, 0, 0], confidence="50%")
    >>> found.prior
    MarkovChain('stationary', [['1/2', '1/2'], ['2/3', '1/3']])
    >>> [float(entry) for entry in (*found.box.lower[0], *found.box.upper[0])]
    [0.16162, 0.16162, 0.83838, 0.83838]
    """

    recorded: Recorded
    options: Options
    counts: Counts = field(init=False)
    transition: tuple[tuple[Fraction, ...] | None, ...] = field(init=False)

    def __post_init__(self) -> None:
        smoothing, order = self.options.smoothing, self.options.order
        expect_fixed(self.recorded.reading.classes, self.options.confidence)
        last, never = self.options.absorbing, self.options.never
        counts = Counts.of(self.recorded, order, smoothing > 0, last, never)
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "transition", counts.estimates(smoothing))
        if self.options.confidence is None or self.options.kinds != "pooled":
            _ = self.priors
        _ = self.private

    @cached_property
    def prior(self) -> MarkovChain | HiddenMarkovModel:
        """The chain of the relative frequencies. Raises `ModelError` if they make none."""
        initial: Initial = "counted" if self.initial == "counted" else "stationary"
        return self.counts.prior(initial, self.options.smoothing)

    @cached_property
    def grouped(self) -> Grouped:
        """The groups, and the kinds that they are sorted into."""
        options = self.options
        declared = options.absorbing, options.never
        fitting = Fitting(options.order, options.smoothing, self.initial, *declared)
        return Grouped(self.recorded, options.kinds, fitting, options.thin)

    @property
    def groups(self) -> list[Kind]:
        """The groups, each by itself."""
        return self.grouped.groups

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of groups that have a chain of their own, none where they are pooled or in a
        box.
        """
        return self.grouped.kinds

    @property
    def cost(self) -> Cost:
        """What one chain for all loses against a chain for each group."""
        return self.grouped.cost

    @property
    def inside(self) -> list[Cost]:
        """What the chain of each kind costs its groups."""
        return self.grouped.inside

    def of_groups(self, most: int) -> GroupChains | None:
        """Return the own chains of the groups, of those that one chain for all costs most, at most
        so many; None without groups.
        """
        return None if self.likeness is None else self.grouped.costliest(most)

    @property
    def differ(self) -> bool:
        """Whether the data are evidence, not weak, that groups are not alike."""
        return self.likeness is not None and self.likeness.comparison.judged < EVIDENCE

    @cached_property
    def priors(self) -> dict[str, MarkovChain | HiddenMarkovModel | IntervalChain]:
        """The priors of the framework, by name: the chain, the box, or one for every kind."""
        if self.kinds:
            return {**self.grouped.chains()}
        if self.options.kinds == "box" and self.box is not None:
            return {f"box around {len(self.grouped.boxed)} groups": self.box}
        return {PRIOR: self.box or self.prior}

    @property
    def states(self) -> tuple[str, ...]:
        """The values."""
        return self.recorded.states

    @cached_property
    def family(self) -> Family:
        """All tests of what the chain assumes. Parts of a recording that something is missing
        between are of one group.
        """
        recorded, reading = self.recorded, self.recorded.reading
        members = [reading.group(place) for place in range(len(recorded.sequences))]
        last = {group: place for place, group in enumerate(members)}
        evidence = Evidence(
            recorded.sequences,
            members,
            self.options.order,
            tuple(place for place in last.values() if place not in reading.unended),
            reading.starts,
            () if reading.timing is None else reading.timing.periods,
            sorted(self.counts.absorbing),
        )
        return Family(evidence)

    @property
    def test(self) -> Comparison:
        """Pearson's chi-square of a chain of the next order against this one."""
        return self.family.tests["order"]

    @property
    def likeness(self) -> Likeness | None:
        """Pearson's chi-square of groups with chains of their own against this one, None without
        groups.
        """
        return self.family.likeness

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What in the data speaks against the chain, none if nothing does."""
        order = self.options.order
        names = self.recorded.reading.names or self.recorded.groups
        return (
            *self._of_groups,
            *self.recorded.doubts,
            *doubts_of_order(self.test, order),
            *self.family.doubts(self.states, names),
            *self._of_rows,
            *doubts_of_smoothing(self._smoothed),
        )

    @property
    def _of_rows(self) -> list[Doubt]:
        """A doubt about rows that are estimated from few departures, none beside a box."""
        if self.options.boxed or self.options.kinds not in ("pooled", 1):
            return []
        left = {
            self.counts.name(context): sum(row)
            for context, row in zip(self.counts.contexts, self.counts.rows)
            if len(self.counts.free[context[-1]]) > 1
        }
        return doubts_of_rows(left)

    @property
    def _of_groups(self) -> list[Doubt]:
        asked = self.options.kinds
        if asked in ("pooled", 1):
            names = self.recorded.reading.names or self.recorded.groups
            return doubts_of_groups(self.likeness, names)
        return self.grouped.doubts(estimated=self.options.confidence is None)

    @property
    def assumed(self) -> list[str]:
        """What the framework assumes of the records, in words."""
        chain = f"the records are a chain of order {self.options.order}"
        if self.options.kinds == "box":
            chain += " of the box"
        elif self.kinds:
            chain += f", that of one of the {len(self.kinds)} priors"
        return [f"{chain}: what other commands compute is true of the chain", *self.beside]

    @property
    def beside(self) -> list[str]:
        """What is assumed beside the chain: what was declared, and what no data support."""
        said = []
        if self.options.kinds == "box" and self.options.confidence is None:
            said.append("the true chain of a group is in the box, which is around estimates alone")
        if self.fixed:
            said.append("the length of a recording was fixed without looking at its values")
        if self.options.absorbing:
            said.append(f"nothing else follows {preview(self.options.absorbing)}, as was declared")
        if self.options.never:
            steps = [f'"{left}" to "{right}"' for left, right in self.options.never]
            said.append(f"steps that never occur, as was declared: {', '.join(steps)}")
        if self.recorded.reading.later:
            said.append("whether a value is missing does not depend on what it would have been")
        if smoothed := self._smoothed:
            said.append(
                f"what follows {preview(smoothed)} is as smoothing says, which no data support"
            )
        if not self.family.independence:
            said.append(
                "groups are independent of one another, which is not tested: they share too few "
                "times"
            )
        return said

    @property
    def _smoothed(self) -> list[str]:
        """The contexts whose row comes from smoothing alone."""
        return self.counts.unfollowed if self.options.smoothing and self.box is None else []

    @cached_property
    def box(self) -> IntervalChain | None:
        """The matrices that are not ruled out, where a confidence was asked for."""
        if self.options.kinds == "box":
            _ = kinds(self.recorded, 1, 1)
            return box_around(self.grouped.boxed, self.grouped.fitting, self.options.confidence)
        if self.options.confidence is None:
            return None
        start: Start = "any" if self.initial == "any" else "stationary"
        counts = self.counts
        parts = [Counts.of(self.recorded.alone(k), 1).rows for k in self.fixed]
        return confidence_box(
            counts.rows, self.options.confidence, start, counts.free, recordings=parts
        )

    @cached_property
    def fixed(self) -> tuple[int, ...]:
        """The recordings, from 0, of which the intervals of the box are, as their lengths were
        fixed beforehand; none if intervals hold whenever a recording ended.

        Pieces between missing values and gaps may end because of what was recorded.
        """
        confidence, recorded = self.options.confidence, self.recorded
        if confidence is None or self.options.stopping == "any" or recorded.reading.later:
            return ()
        if self.options.kinds == "box":
            return ()
        return fixed_recordings(recorded.sequences, confidence, self.counts.free)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the box rests on; without one counts say all."""
        if self.box is None or self.options.confidence is None:
            return ()
        return boxes.FIXED_RESTS_ON if self.fixed else boxes.LASTING_RESTS_ON

    @property
    def initial(self) -> str:
        """The law of the first record in the framework that is written."""
        law = "counted" if self.options.absorbing else "stationary"
        return self.options.initial or ("any" if self.options.boxed else law)

    @property
    def records(self) -> Records:
        """The records of the framework: as many as the longest sequence has, unless said."""
        longest = max(map(len, self.recorded.sequences))
        count = longest if self.options.length is None else self.options.length
        return Records(count, self.states, self.options.people)

    @cached_property
    def private(self) -> tuple[int, ...]:
        """The records whose values are secrets: all, unless said."""
        count, private = self.records.count, self.options.private
        if private is None and count > _MOST_PRIVATE:
            raise ModelError(
                f"expected the private records, since all of {count} are more than {_MOST_PRIVATE}",
                "private",
            )
        return private_records(range(1, count + 1) if private is None else private, count)

    @property
    def secrets(self) -> dict[str, tuple[int, str]]:
        """Every value of every private record."""
        return {f"x{t}={v}": (t, v) for t in self.private for v in self.states}

    @cached_property
    def framework(self) -> Framework:
        """The framework of the fitted chain, or of the box where a confidence was asked for, as the
        file has it: nobody shall learn the value of a private record.
        """
        return Framework(self.records, self.secrets, "disjoint", self.priors)

    def document(self) -> JsonObject:
        """Return the framework as JSON: of the box, where a confidence was asked for."""
        return document(self._stated())

    def text(self) -> str:
        """Return the framework file."""
        return rendered(self._stated())

    def save(self, path: str | Path) -> None:
        """Write the framework file, as the command does."""
        write_atomically(path, self.text())

    def as_json(self) -> JsonObject:
        """Return what was counted, and what follows from it."""
        return {
            "records": self.recorded.records,
            "sequences": len(self.recorded.sequences),
            "states": list(self.states),
            "order": self.options.order,
            "contexts": [[self.states[y] for y in context] for context in self.counts.contexts],
            "counts": [list(row) for row in self.counts.rows],
            "transition": [row and rows_json([row])[0] for row in self.transition],
            "initial": self.initial,
            "smoothing": text_of(self.options.smoothing),
            "absorbing": list(self.options.absorbing),
            "never": [list(step) for step in self.options.never],
            **reading_json(self.recorded.reading),
            "assumed": self.assumed,
            "never_seen": [list(step) for step in self.counts.unseen],
            "length": self.records.count,
            "people": self.records.people,
            "private": list(self.private),
            "test": comparison_json(self.test),
            "groups": None if self.likeness is None else comparison_json(self.likeness.comparison),
            "doubts": [doubt.as_json() for doubt in self.doubts],
            "kinds": self.grouped.as_json(),
            "box": box_json(self.box, self.options.confidence, bool(self.fixed)),
        }

    def _stated(self) -> StatedFramework:
        return StatedFramework(self.records, self.secrets, self.priors)

    def entries(self) -> list[JsonObject]:
        """Return a row per context and next value: the count, the frequency, and the interval."""
        box = self.box
        return [
            {
                "after": self.counts.name(context),
                "next": value,
                "count": self.counts.rows[x][y],
                "probability": None if row is None else row[y],
                "lower": None if box is None else box.lower[x][y],
                "upper": None if box is None else box.upper[x][y],
            }
            for x, (context, row) in enumerate(zip(self.counts.contexts, self.transition))
            for y, value in enumerate(self.states)
        ]

    def to_pandas(self) -> Any:
        """Return these rows as a pandas table; fractions become floats. Needs pandas."""
        table = super().to_pandas()
        return table if self.box is not None else table.drop(columns=["lower", "upper"])

    def plot(self) -> "Figure":
        """Draw the transitions: a matplotlib figure."""
        needed("matplotlib", "plot")
        return transition_figure(self.counts, self.transition, self.box)

    def __str__(self) -> str:
        count = len(self.recorded.sequences)
        several = f" in {count} sequences" if count > 1 else ""
        order = self.options.order
        against = ""
        if self.test.degrees:
            against = f"; {self.test.p_text}: {self.test.against(f'order {order}')}"
        others = "".join(f"; {doubt}" for doubt in self.doubts if doubt.about != "order")
        return (
            f"chain of order {order} on {len(self.states)} values, from "
            f"{self.recorded.records} records{several}{against}{others}"
        )

    def _picture(self) -> str:
        """Show the transitions as a table."""
        return html_table(self.counts, self.transition)
