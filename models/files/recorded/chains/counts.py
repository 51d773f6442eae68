"""How often values followed one another, and the prior that these counts give.

A chain of order k has the last k values for its context. Of the first order it is a Markov chain;
of a higher one a hidden Markov model, whose hidden states are the contexts and show their last
value for certain.

This file also has recorded values in order.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from shlex import quote
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.labels import in_order
from pufferproof.models.files.recorded.sources.gathering import UNREAD, Reading
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.markov import MarkovChain, SeveralLawsError, frequencies
from pufferproof.models.priors.records import Records, preview
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

MAX_CONTEXTS = 256
Initial = Literal["stationary", "counted"]
Context = tuple[int, ...]
Step = tuple[int, int]
MAX_STATES = MAX_CONTEXTS


@dataclass(frozen=True)
class Recorded:
    """Sequences of states, each state a position in `states`; the groups that they are of, none if
    there are no groups; and what the times of the values say against them.

    `reading` says how they were read.
    """

    states: tuple[str, ...]
    sequences: tuple[tuple[int, ...], ...]
    groups: tuple[str, ...] = field(default=(), compare=False, repr=False)
    doubts: tuple[Doubt, ...] = field(default=(), compare=False, repr=False)
    reading: Reading = field(default=UNREAD, compare=False, repr=False)

    @classmethod
    def of_labels(
        cls,
        sequences: Iterable[Sequence[str]],
        states: Sequence[str] | None = None,
        groups: Sequence[str] = (),
        doubts: tuple[Doubt, ...] = (),
        reading: Reading = UNREAD,
    ) -> "Recorded":
        """Return sequences of labels as positions.

        >>> Recorded.of_labels(["aaa", "ab"])
        Recorded(states=('a', 'b'), sequences=((0, 0, 0), (0, 1)))

        Raises `ModelError` if a label is none of the `states` (by default those that occur), or
        there are not at least 2 states and at most 256.
        """
        given = [tuple(sequence) for sequence in sequences]
        occurring = {label for sequence in given for label in sequence}
        if not occurring:
            raise ModelError("expected recorded values, found none")
        names = in_order(occurring) if states is None else tuple(states)
        _expect_states(names, occurring)
        places = {name: place for place, name in enumerate(names)}
        found = tuple(tuple(map(places.__getitem__, each)) for each in given)
        return cls(names, found, tuple(groups), doubts, reading)

    def alone(self, place: int) -> "Recorded":
        """Return one of the sequences."""
        return Recorded(self.states, self.sequences[place : place + 1])

    def only(self, places: Sequence[int]) -> "Recorded":
        """Return some of the sequences, with what is known of their groups."""
        reading = self.reading
        later = frozenset(k for k, place in enumerate(places) if place in reading.later)
        members = tuple(reading.group(place) for place in places)
        names = tuple(self.groups[place] for place in places) if self.groups else ()
        own = tuple(self.sequences[place] for place in places)
        starts = tuple(reading.starts[place] for place in places) if reading.starts else ()
        unended = frozenset(k for k, place in enumerate(places) if place in reading.unended)
        kept = replace(reading, later=later, members=members, starts=starts, unended=unended)
        return Recorded(self.states, own, names, (), kept)

    @property
    def records(self) -> int:
        """How many values were recorded."""
        return sum(map(len, self.sequences))


def _expect_states(names: tuple[str, ...], occurring: set[str]) -> None:
    Records(1, names)  # which says what is wrong with names
    if unknown := in_order(occurring - set(names)):
        raise ModelError(f"expected one of {preview(names)}, found {shown(unknown[0])}", "states")
    if len(names) < 2:
        raise ModelError(
            f"expected at least two different values, found {preview(names)} alone (states names "
            "values that can occur and did not)"
        )
    if len(names) > MAX_STATES:
        raise ModelError(
            f"expected at most {MAX_STATES} different values, found {len(names)}: {preview(names)} "
            "(--classes 4 makes classes of about equal size, --classes 0.5,2 those between limits)"
        )


@dataclass(frozen=True)
class Counts:
    """`rows[c][y]` is how often value y followed `contexts[c]`, the last `order` values; `first`
    how often each value came first. Values that are `absorbing` are followed by themselves alone,
    and of the pairs in `never` the second value never follows the first.

    >>> counts = Counts.of(Recorded.of_labels(["aabab"]), 1)
    >>> counts.rows, counts.first
    (((1, 2), (1, 0)), (1, 0))
    """

    states: tuple[str, ...]
    order: int
    contexts: tuple[Context, ...]
    rows: tuple[tuple[int, ...], ...]
    first: tuple[int, ...]
    absorbing: frozenset[int] = frozenset()
    never: frozenset[Step] = frozenset()

    @classmethod
    def of(
        cls,
        recorded: Recorded,
        order: int,
        everywhere: bool = False,
        absorbing: Sequence[str] = (),
        never: Sequence[tuple[str, str]] = (),
    ) -> "Counts":
        """Count. Contexts of order 1 are all states; of a higher order those that something
        followed, or all, `everywhere`.

        Raises `ModelError` unless the order is at least 1 and something followed, nothing but
        itself follows an absorbing value, and no step occurred that never does.
        """
        if order < 1:
            raise ModelError(f"expected at least 1, found {shown(order)}", "order")
        longest = max(map(len, recorded.sequences))
        if longest <= order:
            raise ModelError(f"expected a sequence of more than {order} values, found at most {longest}", "order")
        steps: Counter[Context] = Counter()
        for values in recorded.sequences:
            steps.update(zip(*(values[start:] for start in range(order + 1))))
        size = len(recorded.states)
        every = order == 1 or everywhere
        if every and size**order > MAX_CONTEXTS:
            raise ModelError(f"expected at most {MAX_CONTEXTS} contexts, found {size}^{order}", "order")
        seen = {step[:-1] for step in steps}
        contexts = tuple(product(range(size), repeat=order)) if every else tuple(sorted(seen))
        rows = tuple(tuple(steps[(*context, y)] for y in range(size)) for context in contexts)
        later = recorded.reading.later
        begun_at = (values for k, values in enumerate(recorded.sequences) if k not in later)
        first = Counter(values[0] for values in begun_at if values)
        begun = tuple(first[y] for y in range(size))
        last = frozenset(_absorbing(recorded, absorbing))
        ruled_out = _never(recorded, never, last)
        return cls(recorded.states, order, contexts, rows, begun, last, ruled_out)

    @cached_property
    def free(self) -> tuple[tuple[int, ...], ...]:
        """The values that may follow each value: all, unless something was declared."""
        every = range(len(self.states))
        return tuple(
            (x,) if x in self.absorbing else tuple(y for y in every if (x, y) not in self.never) for x in every
        )

    @property
    def unseen(self) -> list[tuple[str, str]]:
        """The steps that never occurred, by their labels, from contexts that did."""
        return [
            (self.name(context), self.states[y])
            for context, row in zip(self.contexts, self.rows)
            for y, count in enumerate(row)
            if not count and any(row) and y in self.free[context[-1]]
            if len(self.free[context[-1]]) > 1
        ]

    @property
    def unfollowed(self) -> list[str]:
        """The contexts that nothing followed, but for those that one value alone can follow, by
        their labels.
        """
        return [
            self.name(context)
            for context, row in zip(self.contexts, self.rows)
            if not any(row) and len(self.free[context[-1]]) > 1
        ]

    def name(self, context: Context) -> str:
        """Return the label of a context."""
        return ", ".join(self.states[place] for place in context)

    def frequencies(self, smoothing: Fraction) -> tuple[tuple[Fraction, ...], ...]:
        """Return (n(c, y) + a) / (n(c) + k a), a row per context, for the k values y that may
        follow.

        Raises `ModelError` where nothing followed a context, and nothing is smoothed.
        """
        if not smoothing:
            self._expect_left()
        return tuple(self._row(context, row, smoothing) for context, row in zip(self.contexts, self.rows))

    def _row(self, context: Context, row: Sequence[int], added: Fraction) -> tuple[Fraction, ...]:
        free = self.free[context[-1]]
        if len(free) == 1:
            return tuple(Fraction(y in free) for y in range(len(self.states)))
        some = [Fraction(row[y]) for y in free]
        shares = dict(zip(free, frequencies(some, added, self.name(context))))
        return tuple(shares.get(y, Fraction(0)) for y in range(len(self.states)))

    def estimates(self, smoothing: Fraction) -> tuple[tuple[Fraction, ...] | None, ...]:
        """Return `frequencies` of every context, None if nothing follows it and nothing is
        smoothed.
        """
        return tuple(
            self._row(context, row, smoothing) if smoothing or any(row) or len(self.free[context[-1]]) == 1 else None
            for context, row in zip(self.contexts, self.rows)
        )

    def _expect_left(self) -> None:
        """Raise `ModelError` unless something follows every context that steps lead to."""
        rows_of = dict(zip(self.contexts, self.rows))
        led = {(*c[1:], y) for c, row in rows_of.items() for y, n in enumerate(row) if n}
        for context in sorted(led | set(rows_of)):
            if not any(rows_of.get(context, ())) and len(self.free[context[-1]]) > 1:
                name, last = self.name(context), self.states[context[-1]]
                once = sum(row[context[-1]] for row in self.rows) == 1
                total = "; if its row is a total, delete it" if once else ""
                raise ModelError(
                    f'nothing follows "{name}" in what was recorded: if nothing can follow it, as '
                    f"after a death, use --absorbing {quote(last)} (absorbing in a plan or in "
                    "Python); if recordings only end there, use smoothing (--smoothing 1), which "
                    f"invents the row{total}"
                )

    def prior(self, initial: Initial, smoothing: Fraction) -> MarkovChain | HiddenMarkovModel:
        """Return the prior of relative frequencies: stationary, or of order 1 with the law of the
        first records.

        Raises `ModelError` where it has several stationary laws.
        """
        rows = self.frequencies(smoothing)
        try:
            if self.order > 1:
                return self._hidden(rows, initial)
            if initial == "counted":
                if not any(self.first):
                    raise ModelError(
                        "no group has its first value, as something is missing there: expected one "
                        "that has, or a box of all first values (--confidence)",
                        "initial",
                    )
                first = [Fraction(count) for count in self.first]
                return MarkovChain(frequencies(first, smoothing, "initial"), rows)
            chain = MarkovChain("stationary", rows)
            chain.initial_law()
            return chain
        except SeveralLawsError as error:
            remedies = "smoothing" if self.order > 1 else 'smoothing, or initial "counted"'
            raise ModelError(f"{error.what} ({remedies})", error.where) from None

    def _hidden(self, rows: Sequence[Sequence[Fraction]], initial: Initial) -> HiddenMarkovModel:
        if initial != "stationary":
            raise ModelError('expected "stationary" above the first order', "initial")
        if len(self.contexts) > MAX_CONTEXTS:
            raise ModelError(f"expected at most {MAX_CONTEXTS} contexts, found {len(self.contexts)}", "order")
        places = {context: place for place, context in enumerate(self.contexts)}
        transition = [[Fraction(0)] * len(places) for _ in places]
        for context, row in zip(self.contexts, rows):
            for y, chance in enumerate(row):
                if chance:
                    transition[places[context]][places[(*context[1:], y)]] = chance
        shows = [[Fraction(context[-1] == y) for y in range(len(self.states))] for context in self.contexts]
        return HiddenMarkovModel("stationary", transition, shows)


def _absorbing(recorded: Recorded, names: Sequence[str]) -> list[int]:
    """Return the places of absorbing states, checking that nothing else follows them."""
    places = []
    for name in names:
        if name not in recorded.states:
            known = ", ".join(f'"{state}"' for state in recorded.states[:20])
            raise ModelError(f"expected one of {known}, found {shown(name)}", "absorbing")
        place = recorded.states.index(name)
        ended: int | None = None  # the group that was seen there last, also before what is missing
        for number, values in enumerate(recorded.sequences):
            group = recorded.reading.group(number)
            for k, value in enumerate(values, 1):
                if ended == group and value != place:
                    said = _followed(recorded, number, k, (place, value))
                    raise ModelError(f"{said}: expected a value that nothing else follows", "absorbing")
                ended = group if value == place else ended
        places.append(place)
    return places


def _followed(recorded: Recorded, number: int, k: int, step: Step) -> str:
    """Say which value followed which, and that it is the k-th of a sequence."""
    first, second = (recorded.states[value] for value in step)
    group = recorded.groups[number] if number < len(recorded.groups) else ""
    where = f"value {k}{f' of {shown(group)}' if group else ''}"
    return f'"{first}" is followed by "{second}" at {where}'


def _never(recorded: Recorded, pairs: Sequence[tuple[str, str]], absorbing: Collection[int]) -> frozenset[Step]:
    """Return the places of steps that never occur, checking that none did, and that something may
    follow every value.
    """
    found = set()
    for pair in pairs:
        for name in pair:
            if name not in recorded.states:
                known = preview(recorded.states)
                raise ModelError(f"expected one of {known}, found {shown(name)}", "never")
        left, right = map(recorded.states.index, pair)
        if left in absorbing:
            raise ModelError(f"{shown(pair[0])} is absorbing: nothing else follows it", "never")
        found.add((left, right))
    for number, values in enumerate(recorded.sequences):
        for k, step in enumerate(pairwise(values), 2):
            if step in found:
                said = _followed(recorded, number, k, step)
                raise ModelError(f"{said}: expected a step that never occurs", "never")
    for value in {left for left, _ in found}:
        free = [y for y in range(len(recorded.states)) if (value, y) not in found]
        name = recorded.states[value]
        if not free:
            raise ModelError(f"nothing may follow {shown(name)}: expected one value", "never")
        if free == [value]:
            raise ModelError(
                f"nothing else may follow {shown(name)}: expected --absorbing {quote(name)} "
                "(absorbing in a plan or in Python)",
                "never",
            )
    return frozenset(found)
