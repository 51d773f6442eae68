"""People in groups, each with a sequence of labels, cut into a part to fit a chain to and a part to
ask about.

A query is one table of counts: how often each label occurs in the sequences of a country, of a
participant, of a month. It sees every record of its people once, so that a record that changes its
label takes one from one count and adds one to another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Labels = NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Population:
    """What an experiment on top-K queries needs of its people.

    Args:
        name: of the data set.
        source: "files", "drawn" or "shipped".
        labels: the k states.
        queries: a name per query.
        counts: queries x k, how often each label occurs in the part that is asked about.
        steps: k x k, how often a label is followed by a label in the part to fit to.
        usual: k, how often each label occurs there.
        length: T, the most records that one person has in the part that is asked about.
        said: what was decided where nothing is published, a sentence each.

    Raises `ModelError` unless there are at least two labels, a query and a record.
    """

    name: str
    source: str
    labels: tuple[str, ...]
    queries: tuple[str, ...]
    counts: "Counts"
    steps: "Counts"
    usual: "Counts"
    length: int
    said: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.labels) < 2:
            raise ModelError(f"expected at least 2 labels, found {len(self.labels)}", self.name)
        if not self.queries or self.length < 1:
            raise ModelError("expected records to ask about, found none", self.name)
        if not self.steps.any():
            raise ModelError("expected steps to fit a chain to, found none", self.name)


@dataclass(frozen=True)
class Recorded:
    """One person's labels, as numbers, in the group that a query asks about."""

    group: str
    values: "Sequence[int] | Labels"


def gathered(
    name: str,
    source: str,
    labels: Sequence[str],
    fit: Iterable[Recorded],
    asked: Iterable[Recorded],
    said: Sequence[str],
) -> Population:
    """Return the population whose chain is fitted to `fit`, and whose groups in `asked` are the
    queries, sorted by name.
    """
    import numpy as np

    size, tables, length = len(labels), dict[str, "Counts"](), 0
    steps, usual = np.zeros((size, size), dtype=np.int64), np.zeros(size, dtype=np.int64)
    for person in fit:
        values = np.asarray(person.values, dtype=np.int64)
        np.add.at(steps, (values[:-1], values[1:]), 1)
        usual += np.bincount(values, minlength=size)
    for person in asked:
        row = tables.setdefault(person.group, np.zeros(size, dtype=np.int64))
        row += np.bincount(np.asarray(person.values, dtype=np.int64), minlength=size)
        length = max(length, len(person.values))
    queries = tuple(sorted(tables))
    counts = np.array([tables[query] for query in queries]).reshape(len(queries), size)
    return Population(name, source, tuple(labels), queries, counts, steps, usual, length, tuple(said))
