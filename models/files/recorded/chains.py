"""Recorded values in order, how often they followed one another, and the prior that these counts
give.

A chain of order k has the last k values for its context. Of the first order it is a Markov chain;
of a higher one a hidden Markov model, whose hidden states are the contexts and show their last
value for certain.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from shlex import quote
from typing import Literal

from pufferproof.models.errors import ModelError, within
from pufferproof.models.files.recorded.bits import in_order, label_of
from pufferproof.models.files.recorded.boxes import Stopping
from pufferproof.models.files.recorded.doubts.comparison import Comparison, Doubt
from pufferproof.models.files.recorded.sources.gathering import UNREAD, Classes, Reading, limit_text
from pufferproof.models.numbers.grammar import confidence_of
from pufferproof.models.numbers.text import JsonObject, shown, text_of
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain, SeveralLawsError, frequencies, non_negative
from pufferproof.models.priors.records import MAX_PEOPLE, Records, preview
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel

# The framework file of a fitted chain, with every number exact.

Rows = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class StatedFramework:
    """What a framework file says: records, secrets, and priors or classes of chains by name."""

    records: Records
    secrets: Mapping[str, tuple[int, str]]
    priors: Mapping[str, MarkovChain | HiddenMarkovModel | IntervalChain]


def document(stated: StatedFramework) -> JsonObject:
    """Return the JSON document."""
    priors: JsonObject = {}
    for name, prior in stated.priors.items():
        if isinstance(prior, IntervalChain):
            ends = {"transition_lower": rows_json(prior.lower), "transition_upper": rows_json(prior.upper)}
            priors[name] = {"markov": {"initial": prior.initial, **ends}}
        elif isinstance(prior, HiddenMarkovModel):
            hidden = {"initial": prior.hidden.initial, "transition": rows_json(prior.hidden.transition)}
            priors[name] = {"hidden_markov": hidden | {"emission": rows_json(prior.emission)}}
        else:
            start = prior.initial if isinstance(prior.initial, str) else rows_json([prior.initial])[0]
            priors[name] = {"markov": {"initial": start, "transition": rows_json(prior.transition)}}
    return {
        "format": "pufferproof-framework/1",
        **({"people": stated.records.people} if stated.records.people > 1 else {}),
        "records": {"count": stated.records.count, "alphabet": list(stated.records.alphabet)},
        "secrets": {name: {"record": record, "value": value} for name, (record, value) in stated.secrets.items()},
        "pairs": "disjoint",
        "priors": priors,
    }


def rendered(stated: StatedFramework) -> str:
    """Return the document as text, a secret and a row of the prior on a line each."""
    text = document(stated)
    secrets = _lines(f"{_text(name)}: {_text(secret)}" for name, secret in text["secrets"].items())
    priors = []
    for name, prior in text["priors"].items():
        ((form, body),) = prior.items()
        parts = [
            f"{_text(key)}: {_text(value) if key == 'initial' else f'[{_lines(map(_text, value))}]'}"
            for key, value in body.items()
        ]
        priors.append(f'{_text(name)}: {{"{form}": {{{", ".join(parts)}}}}}')
    people = f'"people": {text["people"]}, ' if "people" in text else ""
    separator = ",\n  "
    return (
        f'{{"format": "{text["format"]}",\n {people}"records": {_text(text["records"])},\n'
        f' "secrets": {{{secrets}}},\n "pairs": "disjoint",\n'
        f' "priors": {{{separator.join(priors)}}}}}\n'
    )


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(items: Iterable[str]) -> str:
    return ",".join(f"\n  {item}" for item in items)


def rows_json(rows: Rows) -> list[list[str]]:
    """Return rows of rationals as exact text."""
    return [[text_of(entry) for entry in row] for row in rows]


def reading_json(reading: Reading) -> JsonObject:
    """Return how values were read."""
    timing, classes = reading.timing, reading.classes
    return {
        "read": reading.told,
        "time": timing
        and {
            "column": timing.where,
            "step": timing.step,
            "first": timing.first,
            "last": timing.last,
            "gaps": timing.others,
        },
        "missing": reading.absent,
        "classes": classes
        and {"limits": [limit_text(limit) for limit in classes.limits], "quantiles": classes.count is not None},
    }


def comparison_json(test: Comparison) -> JsonObject:
    """Return a comparison, rounded."""
    return {
        "statistic": f"{float(test.statistic):.12g}",
        "degrees": test.degrees,
        "p_value": f"{test.p_value:.6g}",
        "corrected": f"{test.judged:.6g}",
        "cells": test.cells,
        "rare": test.rare,
        "draws": test.draws,
    }


def box_json(box: IntervalChain | None, confidence: Fraction | None, fixed: bool) -> JsonObject | None:
    """Return a box and what is claimed of it, or None if there is none."""
    if box is None:
        return None
    return {
        "confidence": None if confidence is None else text_of(confidence),
        "trust": None if confidence is None else f"SAMPLING({text_of(1 - confidence)})",
        "stopping": "fixed" if fixed else "any",
        "initial": box.initial,
        "lower": rows_json(box.lower),
        "upper": rows_json(box.upper),
    }


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
        occurring = set[str]().union(*given)
        if not occurring:
            raise ModelError("expected recorded values, found none")
        names = in_order(occurring) if states is None else tuple(states)
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
        rows_of = dict(zip(self.contexts, self.rows))
        reached = {(*c[1:], y) for c, row in rows_of.items() for y, count in enumerate(row) if count}
        for context in () if smoothing else sorted(reached | set(rows_of)):
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
        return tuple(self._row(context, row, smoothing) for context, row in zip(self.contexts, self.rows))

    def estimates(self, smoothing: Fraction) -> tuple[tuple[Fraction, ...] | None, ...]:
        """Return `frequencies` of every context, None if nothing follows it and nothing is
        smoothed.
        """
        return tuple(
            self._row(context, row, smoothing) if smoothing or any(row) or len(self.free[context[-1]]) == 1 else None
            for context, row in zip(self.contexts, self.rows)
        )

    def _row(self, context: Context, row: Sequence[int], added: Fraction) -> tuple[Fraction, ...]:
        free = self.free[context[-1]]
        if len(free) == 1:
            return tuple(Fraction(y in free) for y in range(len(self.states)))
        some = [Fraction(row[y]) for y in free]
        shares = dict(zip(free, frequencies(some, added, self.name(context))))
        return tuple(shares.get(y, Fraction(0)) for y in range(len(self.states)))

    def prior(self, initial: Initial, smoothing: Fraction) -> MarkovChain | HiddenMarkovModel:
        """Return the prior of relative frequencies: stationary, or of order 1 with the law of the
        first records.

        Raises `ModelError` where it has several stationary laws.
        """
        rows = self.frequencies(smoothing)
        try:
            if self.order > 1:
                if initial != "stationary":
                    raise ModelError('expected "stationary" above the first order', "initial")
                return self._hidden(rows)
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

    def _hidden(self, rows: Rows) -> HiddenMarkovModel:
        """Return the stationary chain of contexts, each of which shows its last value."""
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


# How a chain is fitted to recorded data, and what its framework protects.

Thin = Literal["pooled", "out"]
_WAYS = ("pooled", "each", "box")


@dataclass(frozen=True)
class Options:
    """How a chain is fitted, and what its framework protects."""

    order: int = 1
    smoothing: Fraction = Fraction(0)
    confidence: Fraction | None = None
    initial: str | None = None
    length: int | None = None
    private: tuple[int, ...] | None = None
    people: int = 1
    absorbing: tuple[str, ...] = ()
    stopping: Stopping = "fixed"
    kinds: str | int = "pooled"
    never: tuple[tuple[str, str], ...] = ()
    thin: Thin = "pooled"

    @classmethod
    def of(
        cls,
        order: int,
        smoothing: object,
        confidence: object,
        initial: str | None,
        length: int | None,
        private: int | Sequence[int] | None,
        people: int = 1,
        absorbing: Sequence[object] = (),
        stopping: str | None = None,
        kinds: object = "pooled",
        never: Sequence[Sequence[object]] = (),
        thin: str | None = None,
    ) -> "Options":
        """Read options. Raises `ModelError`, naming one, unless they fit together."""
        if order < 1:
            raise ModelError(f"expected at least 1, found {shown(order)}", "order")
        share = None if confidence is None else confidence_of(confidence)
        if share is not None and order > 1:
            raise ModelError(f"a box is of chains of the first order: expected order 1, found {order}", "confidence")
        if stopping is not None and share is None:
            raise ModelError("needs confidence", "stopping")
        if stopping not in (None, "fixed", "any"):
            raise ModelError(f'expected "fixed" or "any", found {shown(stopping)}', "stopping")
        way = kinds_of(kinds)
        if way != "pooled":
            _expect_kinds(way, order, share, stopping, people)
        if thin is not None and way not in ("each", "box"):
            raise ModelError("needs kinds each or box", "thin")
        if thin not in (None, "pooled", "out"):
            raise ModelError(f'expected "pooled" or "out", found {shown(thin)}', "thin")
        few: Thin = "out" if thin == "out" else "pooled"
        boxed = share is not None or way == "box"
        last = _absorbing_values(absorbing, order)
        _expect_initial(initial, boxed, bool(last))
        if length is not None and length < 1:
            raise ModelError(f"expected at least 1 record, found {length}", "length")
        if not 1 <= people <= MAX_PEOPLE:
            raise ModelError(f"expected 1 to {MAX_PEOPLE}, found {shown(people)}", "people")
        some = (private,) if isinstance(private, int) else private
        added = non_negative(smoothing, "smoothing")
        chosen = None if some is None else tuple(some)
        ended: Stopping = "any" if stopping == "any" else "fixed"
        steps = _excluded_steps(never, order)
        return cls(order, added, share, initial, length, chosen, people, last, ended, way, steps, few)

    @property
    def boxed(self) -> bool:
        """Whether the framework has a box of chains."""
        return self.confidence is not None or self.kinds == "box"


def _absorbing_values(given: Sequence[object], order: int) -> tuple[str, ...]:
    """Read absorbing values. Raises `ModelError` above the first order."""
    with within("absorbing"):
        last = tuple(dict.fromkeys(map(label_of, given)))
    if last and order > 1:
        raise ModelError(f"needs order 1, found order {order}", "absorbing")
    return last


def _excluded_steps(given: Sequence[Sequence[object]], order: int) -> tuple[tuple[str, str], ...]:
    """Read steps that never occur. Raises `ModelError` above the first order."""
    steps = []
    for step in given:
        if isinstance(step, str) or len(step) != 2:
            found = ", ".join(map(shown, step)) or "none"
            raise ModelError(f"expected two values, FROM and TO, found {found}", "never")
        with within("never"):
            left, right = map(label_of, step)
        steps.append((left, right))
    if steps and order > 1:
        raise ModelError(f"needs order 1, found order {order}", "never")
    return tuple(dict.fromkeys(steps))


def _expect_initial(initial: str | None, boxed: bool, absorbing: bool) -> None:
    """Raise `ModelError` unless a box, or a chain, may begin so."""
    allowed = ("any", "stationary") if boxed else ("stationary", "counted")
    if initial is not None and initial not in allowed:
        beside = "in a box" if boxed else "without confidence"
        raise ModelError(f'expected "{allowed[0]}" or "{allowed[1]}" {beside}, found {shown(initial)}', "initial")
    if absorbing and initial == "stationary":
        raise ModelError(
            f'expected "{"any" if boxed else "counted"}" beside absorbing values: in the long run nothing else is left',
            "initial",
        )


def _expect_kinds(way: str | int, order: int, share: Fraction | None, stopping: str | None, people: int) -> None:
    """Raise `ModelError` where kinds of groups do not go with other options."""
    if way == "box" and order > 1:
        raise ModelError(f"a box needs chains of order 1, found order {order}", "kinds")
    if way != "box" and share is not None:
        raise ModelError("a box of each kind is not supported: expected kinds pooled or box", "confidence")
    if stopping == "fixed":
        raise ModelError("a box around groups holds whenever recordings ended", "stopping")
    if people > 1:
        raise ModelError(
            "leave people out with kinds: records of independent other people can only hide more", "people"
        )


def kinds_of(given: object) -> str | int:
    """Read the option `kinds`: "pooled", "each", "box", or how many.

    >>> kinds_of("each"), kinds_of("3"), kinds_of(3)
    ('each', 3, 3)

    Raises `ModelError` for anything else.
    """
    if given in _WAYS:
        return str(given)
    text = str(given) if isinstance(given, int | str) and not isinstance(given, bool) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text) >= 1):
        raise ModelError(f'expected "pooled", "each", "box", or a number of kinds, found {shown(given)}', "kinds")
    return int(text)


def expect_fixed(classes: Classes | None, confidence: Fraction | None) -> None:
    """Raise `ModelError` for a box beside classes whose limits come from the same data."""
    if confidence is not None and classes is not None and classes.count is not None:
        raise ModelError(
            "limits that are quantiles of the same data void the confidence: expected limits that "
            "were fixed beforehand, such as --classes 0.5,2",
            "classes",
        )
