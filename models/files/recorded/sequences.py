"""Recorded values in order: one sequence, or one for every group, as positions in a list of states.

Groups are people, meters, days: what stands last in one is not followed by what stands first in
another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.labels import in_order, label_of
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import Records, preview

MAX_STATES = 50


@dataclass(frozen=True)
class Recorded:
    """Sequences of states, each state a position in `states`; the groups that they are of, none if
    there are no groups; and what the times of the values say against them.
    """

    states: tuple[str, ...]
    sequences: tuple[tuple[int, ...], ...]
    groups: tuple[str, ...] = field(default=(), compare=False, repr=False)
    doubts: tuple[Doubt, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(
        cls,
        values: Sequence[object],
        groups: Sequence[object] | None = None,
        states: Sequence[str] | None = None,
        doubts: tuple[Doubt, ...] = (),
    ) -> "Recorded":
        """Gather values by their groups, in the order in which they stand.

        >>> Recorded.of("aabab", groups=[1, 1, 2, 1, 2])
        Recorded(states=('a', 'b'), sequences=((0, 0, 0), (1, 1)))

        Raises `ModelError` where a value or group is missing, a value is none of the `states` (by
        default those that occur), or there are not at least 2 states and at most 50.
        """
        labels = _labelled(values, "data", states or ())
        members: dict[str, list[str]] = {"": labels} if groups is None else {}
        if groups is not None:
            if len(groups) != len(labels):
                raise ModelError(
                    f"expected {len(labels)} groups, one per value, found {len(groups)}", "group"
                )
            for label, name in zip(labels, _labelled(groups, "group", ())):
                members.setdefault(name, []).append(label)
        return cls.of_labels(members.values(), states, list(members), doubts)

    @classmethod
    def of_labels(
        cls,
        sequences: Iterable[Sequence[str]],
        states: Sequence[str] | None = None,
        groups: Sequence[str] = (),
        doubts: tuple[Doubt, ...] = (),
    ) -> "Recorded":
        """Return sequences of labels as positions. Raises `ModelError` as `of` does."""
        given = [tuple(sequence) for sequence in sequences]
        occurring = {label for sequence in given for label in sequence}
        if not occurring:
            raise ModelError("expected recorded values, found none")
        names = in_order(occurring) if states is None else tuple(states)
        _expect_states(names, occurring)
        places = {name: place for place, name in enumerate(names)}
        found = tuple(tuple(map(places.__getitem__, each)) for each in given)
        return cls(names, found, tuple(groups), doubts)

    @property
    def records(self) -> int:
        """How many values were recorded."""
        return sum(map(len, self.sequences))


def _labelled(values: Sequence[object], where: str, kept: Sequence[str]) -> list[str]:
    known: dict[object, str] = {}
    labels = []
    for place, value in enumerate(values):
        try:
            if not isinstance(value, str):
                labels.append(label_of(value, kept))
                continue
            if value not in known:
                known[value] = label_of(value, kept)
            labels.append(known[value])
        except ModelError as error:
            raise error.within(f"{where}[{place}]") from None
    return labels


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
            "(numbers are labels here: group them into classes first)"
        )
