"""What `fit` answers: a chain that was fitted to recorded data, and the framework that it is a
prior of.

The counts are in `chains`, boxes of matrices beside them are in `boxes`, and which priors hold
groups in `groups`.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from html import escape
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, extras
from pufferproof.models.files.reading import bytes_of
from pufferproof.models.files.recorded.boxes import (
    FIXED_RESTS_ON,
    LASTING_RESTS_ON,
    Start,
    confidence_box,
    fixed_recordings,
)
from pufferproof.models.files.recorded.chains import (
    Counts,
    Initial,
    Options,
    Recorded,
    StatedFramework,
    box_json,
    comparison_json,
    document,
    expect_fixed,
    reading_json,
    rendered,
    rows_json,
)
from pufferproof.models.files.recorded.doubts.comparison import (
    EVIDENCE,
    Comparison,
    Doubt,
    Likeness,
    doubts_of_groups,
    doubts_of_order,
    doubts_of_rows,
    doubts_of_smoothing,
)
from pufferproof.models.files.recorded.doubts.family import Evidence, Family
from pufferproof.models.files.recorded.groups import (
    Cost,
    Fitting,
    GroupChains,
    Kind,
    box_around,
    chains,
    chains_of,
    cost_approx,
    counts_of,
    doubts_of_estimates,
    doubts_of_invented,
    doubts_of_kinds,
    doubts_of_thin,
    groups_of,
    halves,
    invented,
    kinds,
    kinds_json,
    own_chain,
)
from pufferproof.models.files.recorded.sources.gathering import Asked, Classes, Missing
from pufferproof.models.files.recorded.table import recorded_of
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import FAINT, FOR, INK, Tabular, needed, new_figure, styled, titled
from pufferproof.models.numbers.text import JsonObject, chance, shown, text_of
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records, preview
from pufferproof.models.sequences.binary import BinaryChain, private_records
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

# A sequence of 0 and 1 as people record it: read from a file, counted, and the binary Markov chain that fits it best.
#
# alpha and beta are the relative frequencies of 01 and 10 steps, the maximum likelihood given the first record,
# exactly. That the sequence is such a chain at all is an assumption, which
# `pufferproof.models.files.recorded.doubts.order` tests.

_MOST_BYTES = 20_000_000


def read_sequence(path: str | Path) -> tuple[int, ...]:
    """Read a text or CSV file of 0 and 1, separated by white space, commas, semicolons, or nothing.

    Lines that start with `#` are left out. Raises `ModelError` naming the line unless all else is 0
    or 1.
    """
    try:
        text = bytes_of(path, _MOST_BYTES).decode("ascii", errors="replace")
    except ModelError as error:
        raise error.within(str(path)) from None
    values: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        digits = "".join(line.replace(",", " ").replace(";", " ").split())
        if wrong := next((letter for letter in digits if letter not in "01"), None):
            raise ModelError(f"expected only 0 and 1, found {shown(wrong)}", f"{path}: line {number}")
        values.extend(map(int, digits))
    if not values:
        raise ModelError("expected a sequence of 0 and 1, found none", str(path))
    return tuple(values)


@dataclass(frozen=True)
class StepCounts:
    """How often a value was followed by a value: `counts[x][y]` steps from x to y.

    >>> StepCounts.of([0, 0, 1, 0, 1, 1]).counts
    ((1, 2), (1, 1))
    """

    counts: tuple[tuple[int, int], tuple[int, int]]

    @classmethod
    def of(cls, values: Sequence[int]) -> "StepCounts":
        """Count the steps of a sequence."""
        steps = Counter(pairwise(values))
        return cls(((steps[0, 0], steps[0, 1]), (steps[1, 0], steps[1, 1])))

    def chain(self, length: int) -> BinaryChain:
        """Return the stationary chain of maximum likelihood given the first record.

        >>> chain = StepCounts.of([0, 0, 1, 0, 1, 1]).chain(6)
        >>> chain.alpha, chain.beta
        (Fraction(2, 3), Fraction(1, 2))

        Raises `ModelError` unless either value is followed by both.
        """
        for value, row in enumerate(self.counts):
            if 0 in row:
                said = f"{row[0]} times by 0, {row[1]} times by 1"
                raise ModelError(f"expected {value} to be followed by 0 and by 1, found it followed {said}", "sequence")
        (stay, leave), (back, remain) = self.counts
        return BinaryChain(Fraction(leave, stay + leave), Fraction(back, back + remain), length)


# The transitions of a fitted chain drawn: a row per context, darker where the next value is likelier.

_MOST_ROWS = 60
_WRITTEN = 12  # columns up to which probabilities are written into their cells
_LIGHT = 0.85  # text on darker cells is white


def transition_figure(
    counts: Counts, transition: Sequence[Sequence[Fraction] | None], box: IntervalChain | None
) -> "Figure":
    """Draw relative frequencies, and below each the interval of the box where there is one. A row
    that is not known, None, stays empty.
    """
    with extras:
        from matplotlib.colors import LinearSegmentedColormap

    empty = [math.nan] * len(counts.states)
    rows = [[float(p) for p in row] if row else empty for row in transition[:_MOST_ROWS]]
    names = [counts.name(context) for context in counts.contexts[:_MOST_ROWS]]
    with styled():
        figure, axes = new_figure(1.2 + (0.34 if box is None else 0.5) * len(rows))
        shades = LinearSegmentedColormap.from_list("seen", ["white", FOR])
        axes.imshow(rows, cmap=shades, vmin=0, vmax=1, aspect="auto")
        axes.set_yticks(range(len(rows)), [_short(name, 30) for name in names])
        axes.set_xticks(range(len(counts.states)), [_short(name, 12) for name in counts.states])
        axes.tick_params(length=0, top=True, bottom=False, labeltop=True, labelbottom=False)
        axes.set_ylabel("after")
        axes.set_xlabel("next value")
        axes.xaxis.set_label_position("top")
        for side in axes.spines.values():
            side.set_color(FAINT)
        if len(counts.states) <= _WRITTEN:
            for x, row in enumerate(rows):
                for y, share in enumerate(row):
                    colour = "white" if share > _LIGHT else INK
                    label = "unknown" if math.isnan(share) else _places(share, 3)
                    if box is not None:
                        label += f"\n{float(box.lower[x][y]):.3f} .. {float(box.upper[x][y]):.3f}"
                    axes.text(y, x, label, ha="center", va="center", color=colour)
        titled(figure, _finding(counts, transition))
    return figure


def _finding(counts: Counts, transition: Sequence[Sequence[Fraction] | None]) -> str:
    """Say which next value is likeliest, after what."""
    shares = [(share, x, y) for x, row in enumerate(transition) if row for y, share in enumerate(row)]
    if not shares:
        return "No transition is known."
    share, x, y = max(shares, key=lambda entry: entry[0])
    before, after = _short(counts.name(counts.contexts[x]), 30), _short(counts.states[y], 30)
    return f'"{after}" follows "{before}" with probability {chance(share)}, most surely.'


def _places(share: Fraction | float, digits: int) -> str:
    """Write a probability with so many digits behind the point; one below 1 is not written as 1.

    >>> _places(0.25, 3), _places(1.0, 3), _places(0.9999, 3)
    ('0.250', '1.000', '> 0.999')
    """
    text = f"{float(share):.{digits}f}"
    return f"> 0.{'9' * digits}" if share < 1 and float(text) == 1 else text


def _short(label: str, length: int) -> str:
    return label if len(label) <= length else f"{label[: length - 1]}…"


PRIOR = "fitted"
_MOST_PRIVATE = 10_000


def private_of(options: Options, count: int) -> tuple[int, ...]:
    """Return the records of so many whose values are secrets: all, unless said. Raises `ModelError`
    if all are too many.
    """
    private = options.private
    if private is None and count > _MOST_PRIVATE:
        raise ModelError(f"expected the private records, since all of {count} are more than {_MOST_PRIVATE}", "private")
    return private_records(range(1, count + 1) if private is None else private, count)


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
    def fitting(self) -> Fitting:
        """How chains are fitted, those of kinds of groups as well."""
        options = self.options
        return Fitting(options.order, options.smoothing, self.initial, options.absorbing, options.never)

    @cached_property
    def groups(self) -> list[Kind]:
        """The groups, each by itself."""
        return groups_of(self.recorded)

    @cached_property
    def kinds(self) -> list[Kind]:
        """The kinds of groups that have a chain of their own, none where they are pooled or in a
        box.
        """
        asked, thin = self.options.kinds, set[int]()
        if asked in ("pooled", "box"):
            return []
        found = kinds(self.recorded, asked, self.options.order)
        if asked == "each":
            thin = set(self.thin)
        own = [kind for place, kind in enumerate(found) if place not in thin]
        if not thin or (self.options.thin == "out" and own):
            return own
        name = f"all groups, for {len(thin)} with too few records"
        return [*own, Kind(name, tuple(self.thin), self.recorded)]

    @cached_property
    def thin(self) -> list[int]:
        """The places of groups without a chain of their own, as nothing follows some value."""
        return [place for place, group in enumerate(self.groups) if not own_chain(group, self.fitting)]

    @property
    def boxed(self) -> list[Kind]:
        """The groups that a box is around: all, or those with a chain of their own."""
        out = set(self.thin) if self.options.thin == "out" else set()
        return [group for place, group in enumerate(self.groups) if place not in out] or self.groups

    @cached_property
    def cost(self) -> Cost:
        """What one chain for all loses against a chain for each group."""
        return cost_approx(self.groups, self.options.order, len(self.states))

    @cached_property
    def inside(self) -> list[Cost]:
        """What the chain of each kind costs its groups."""
        members = [[self.groups[k] for k in kind.groups] for kind in self.kinds]
        return [cost_approx(groups, self.options.order, len(self.states)) for groups in members]

    @cached_property
    def transitions(self) -> list[tuple[Counts, tuple[tuple[Fraction, ...] | None, ...]]]:
        """The counts of every kind, and their relative frequencies."""
        counts = [counts_of(kind.recorded, self.fitting) for kind in self.kinds]
        return [(each, each.estimates(self.options.smoothing)) for each in counts]

    def of_groups(self, most: int) -> GroupChains | None:
        """Return the own chains of at most so many groups, by turns of those that one chain for all
        costs most and those whose values depend most on the last ones; None without groups.

        What a group leaks is decided by its own counts: they are not smoothed.
        """
        if self.likeness is None:
            return None
        turns = zip((place for place, _ in self.cost.by_distance), self.cost.by_dependence)
        places = list(dict.fromkeys(chain.from_iterable(turns)))
        return chains_of(self.groups, places, replace(self.fitting, smoothing=Fraction(0)), most)

    @property
    def differ(self) -> bool:
        """Whether the data are evidence, not weak, that groups are not alike."""
        return self.likeness is not None and self.likeness.comparison.judged < EVIDENCE

    @cached_property
    def priors(self) -> dict[str, MarkovChain | HiddenMarkovModel | IntervalChain]:
        """The priors of the framework, by name: the chain, the box, or one for every kind."""
        if self.kinds:
            return {**chains(self.kinds, self.fitting)}
        if self.options.kinds == "box" and self.box is not None:
            return {f"box around {len(self.boxed)} groups": self.box}
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
        names, counts = self.recorded.reading.names or self.recorded.groups, self.counts
        pooled = self.options.kinds in ("pooled", 1)
        departures = {}
        if pooled and not self.options.boxed:  # beside a box few departures are no doubt
            departures = {
                counts.name(context): sum(row)
                for context, row in zip(counts.contexts, counts.rows)
                if len(counts.free[context[-1]]) > 1
            }
        return (
            *(doubts_of_groups(self.likeness, names) if pooled else self._of_kinds()),
            *self.recorded.doubts,
            *doubts_of_order(self.test, self.options.order),
            *self.family.doubts(self.states, names),
            *doubts_of_rows(departures),
            *doubts_of_smoothing(self._smoothed),
        )

    def _of_kinds(self) -> list[Doubt]:
        """Return what speaks against kinds, or against a box around groups."""
        asked, way = self.options.kinds, self.options.thin
        thin: list[Doubt] = []  # of groups without a chain of their own
        if asked in ("each", "box") and (asked, way) != ("box", "pooled"):
            names = [self.groups[place].name for place in self.thin]
            thin = doubts_of_thin(names, len(self.groups), way == "out" and len(names) < len(self.groups))
        if asked == "box":
            around = doubts_of_estimates(self.boxed, self.fitting) if self.options.confidence is None else []
            return [*thin, *around]
        sorted_by: list[Doubt] = []
        if isinstance(asked, int):
            sorted_by = doubts_of_kinds(self.kinds, halves(self.groups, asked, self.options.order))
        return [*sorted_by, *thin, *doubts_of_invented(invented(self.kinds, self.fitting), len(self.kinds))]

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
            said.append(f"what follows {preview(smoothed)} is as smoothing says, which no data support")
        if not self.family.independence:
            said.append("groups are independent of one another, which is not tested: they share too few times")
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
            return box_around(self.boxed, self.fitting, self.options.confidence)
        if self.options.confidence is None:
            return None
        start: Start = "any" if self.initial == "any" else "stationary"
        counts = self.counts
        parts = [Counts.of(self.recorded.alone(k), 1).rows for k in self.fixed]
        return confidence_box(counts.rows, self.options.confidence, start, counts.free, recordings=parts)

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
        return FIXED_RESTS_ON if self.fixed else LASTING_RESTS_ON

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
        return private_of(self.options, self.records.count)

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
        return document(StatedFramework(self.records, self.secrets, self.priors))

    def text(self) -> str:
        """Return the framework file."""
        return rendered(StatedFramework(self.records, self.secrets, self.priors))

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
            "kinds": None if len(self.groups) < 2 else self._kinds_json(),
            "box": box_json(self.box, self.options.confidence, bool(self.fixed)),
        }

    def _kinds_json(self) -> JsonObject:
        """Return the groups and kinds of the file formats."""
        names, asked = [group.name for group in self.groups], self.options.kinds
        thin = None
        if asked in ("each", "box"):
            thin = {"way": self.options.thin, "groups": [names[place] for place in self.thin]}
        return {
            "asked": str(asked),
            "groups": len(names),
            "nats_per_step": f"{self.cost.per_step:.6g}",
            "farthest": [{"group": names[k], "nats_per_step": f"{nats:.6g}"} for k, nats in self.cost.farthest],
            "kinds": kinds_json(self.kinds, names, self.inside),
            "thin": thin,
        }

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

    def to_pandas(self) -> "DataFrame":
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
        counts = self.counts
        head = "".join(f"<th>{escape(value)}</th>" for value in counts.states)
        body = [
            f"<tr><th>{escape(counts.name(context))}</th>"
            + "".join(f'<td title="{p}">{_places(p, 4)}</td>' for p in row or ())
            + ("" if row else f'<td colspan="{len(counts.states)}">unknown</td>')
            + f"<td>{sum(counts.rows[x])}</td></tr>"
            for x, (context, row) in enumerate(zip(counts.contexts, self.transition))
        ]
        return f"<table><tr><th>after</th>{head}<th>seen</th></tr>{''.join(body)}</table>"


# The function `fit`: from recorded data, in Python or a file, to the chain above.


def fit(
    data: object,
    column: str | None = None,
    group: object = None,
    order: int = 1,
    smoothing: object = 0,
    confidence: object = None,
    initial: str | None = None,
    states: Sequence[str] | None = None,
    length: int | None = None,
    private: int | Sequence[int] | None = None,
    people: int = 1,
    time: object = None,
    absorbing: Sequence[object] = (),
    missing: Missing = "refuse",
    classes: object = None,
    separator: str | None = None,
    decimal: str = ".",
    stopping: str | None = None,
    kinds: str | int = "pooled",
    sheet: str | None = None,
    never: Sequence[Sequence[object]] = (),
    na: Sequence[str] | None = None,
    thin: str | None = None,
) -> Fit:
    """Fit a Markov chain to recorded data, by counting, exactly.

    Args:
        data: a Series, an array or a list of values in order; or a table of pandas, polars or
            pyarrow, or the path of a file (CSV, Excel, Parquet, .ts, also gzipped), and then the
            `column`, which may be left out if there is only one.
        group: a group for every value, or the name of a column: every group is a sequence.
        order: how many last values decide about the next one.
        smoothing: added to every count.
        confidence: such as "95%": `box` then has the matrices that are not ruled out.
        initial: the first record is "stationary" (default) or "counted"; in a box "any" (default)
            or "stationary".
        states: the values that can occur, in order; those that do if left out.
        length: of the framework's sequences; that of the longest sequence if left out.
        private: the records whose values are secrets, from 1; all if left out.
        people: how many independent people the framework has, each with this chain: those whose
            records are released, not the groups that were recorded.
        time: a time for every value, or the name of a column: times must go forward in equal steps.
            The times of a pandas index are read too.
        absorbing: values that nothing else follows, such as a death; the first record is then
            counted, if `initial` is left out.
        missing: "split" makes recordings of their own of what stands before and after missing
            values and gaps in the times, "refuse" (default) raises.
        classes: how many classes of about equal size numbers are put into, or the limits between
            classes, such as "0.5,2".
        separator: between the cells of text; left out it is what the header has.
        decimal: the mark before decimals in text, "." or ",".
        stopping: "fixed" (default) if the length of every recording was fixed without looking at
            its values; "any" widens the box so that it holds whenever a recording ended.
        kinds: "pooled", one chain for all groups; "each", a prior for each; a number, one for each
            of so many kinds, sorted by likelihood; "box", the smallest box around all.
        sheet: of an Excel workbook; left out it is the only one with cells.
        never: pairs of values of which the second never follows the first.
        na: the texts that mean missing beside empty cells; left out they are NA, N/A, NaN, NaT and
            null.
        thin: with `kinds` "each" or "box", what to do with groups in which nothing follows some
            value: "pooled" (default), so that the chain of all groups, or rows of others in the
            box, stand for them; or "out", which leaves them out. A doubt names them.

    >>> found = fit(["dry", "dry", "wet", "dry", "wet", "wet", "dry", "dry"], length=3)
    >>> found.prior
    MarkovChain('stationary', [['1/2', '1/2'], ['2/3', '1/3']])
    >>> found.framework
    Framework(8 databases, 6 secrets, 3 pairs, 1 prior)

    Raises `ModelError` where a value is missing, there are fewer than 2 different ones, or, without
    a confidence, nothing follows one of them and nothing is smoothed.
    """
    column = check_type(column, str | None, "column")
    order = check_type(order, int, "order")
    initial = check_type(initial, str | None, "initial")
    states = check_type(states, Sequence[str] | None, "states")
    length = check_type(length, int | None, "length")
    private = check_type(private, int | Sequence[int] | None, "private")
    people = check_type(people, int, "people")
    absorbing = check_type(absorbing, Sequence[object], "absorbing")
    never = check_type(never, Sequence[Sequence[object]], "never")
    na = check_type(na, Sequence[str] | None, "na")
    separator = check_type(separator, str | None, "separator")
    stopping = check_type(stopping, str | None, "stopping")
    sheet = check_type(sheet, str | None, "sheet")
    kinds = check_type(kinds, int | str, "kinds")
    options = Options.of(
        order,
        smoothing,
        confidence,
        initial,
        length,
        private,
        people,
        absorbing=absorbing,
        stopping=stopping,
        kinds=kinds,
        never=never,
        thin=check_type(thin, str | None, "thin"),
    )
    made = None if classes is None else Classes.of(classes, decimal)
    texts = {"separator": separator, "decimal": decimal, "missing": missing, "sheet": sheet}
    asked = Asked.of(column, states=states, classes=made, na=na, **texts)
    return Fit(recorded_of(data, asked, group, time), options)
