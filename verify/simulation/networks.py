"""Long databases of a Bayesian network in which one record has one value, drawn by the exact law:
parents before children, the record of the secret and its ancestors anew until it has the value.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.verify.simulation.draws import WordStream
from pufferproof.verify.simulation.exact import RAREST, DrawnLaws

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

_BATCH = 1 << 22  # records that are held at once while waiting


class Forward:
    """A network whose records are drawn one after the other, each by its row of the table."""

    def __init__(self, network: BayesianNetwork, records: Records) -> None:
        self.network, self.records = network, records
        self.own, self.order = network.own(records), network.parents_first()
        tables = network.tables(records)
        self.parents = [above for above, _ in tables]
        self._steps = [
            DrawnLaws(table.reshape(-1, table.shape[-1]).tolist()) for _, table in tables
        ]

    def fill(self, drawn: "Counts", chosen: Sequence[int], words: WordStream) -> None:
        """Draw some records, each after its parents, into their columns: which of its own values
        each has.
        """
        import numpy as np

        for record in chosen:
            row = np.zeros(len(drawn), dtype=np.int64)
            for parent in self.parents[record - 1]:
                row = row * len(self.own[parent - 1]) + drawn[:, parent - 1]
            drawn[:, record - 1] = self._steps[record - 1].draw(row, words)

    def letters(self, drawn: "Counts") -> "Counts":
        """Return positions in the alphabet of what was drawn."""
        import numpy as np

        if {*self.own} == {tuple(range(len(self.own[0])))}:
            return drawn
        found = [np.array(values)[column] for values, column in zip(self.own, drawn.T)]
        return np.stack(found, axis=1)

    def ancestors(self, record: int) -> set[int]:
        """Return a record and all that it depends on."""
        known, left = {record}, [record]
        while left:
            new = set(self.parents[left.pop() - 1]) - known
            known |= new
            left += new
        return known


class NetworkSequences:
    """Databases of a network in which one record has one value, by position in the alphabet.

    >>> copied = BayesianNetwork(
    ...     {"1": [], "2": ["1"]},
    ...     {"1": {"": ["1/2", "1/2"]}, "2": {"0": ["1", "0"], "1": ["0", "1"]}},
    ... )
    >>> drawn = NetworkSequences(Forward(copied, Records(2, ("0", "1"))), 2, 1)
    >>> drawn.draw(3, WordStream(1)).tolist()
    [[1, 1], [1, 1], [1, 1]]
    """

    def __init__(self, forward: Forward, record: int, value: int) -> None:
        self._forward, self.record, self.value = forward, record, value
        self.chance_approx = float(forward.network.marginal(record, forward.records)[value])
        above = forward.ancestors(record)
        self._first = [each for each in forward.order if each in above]
        self._then = [each for each in forward.order if each not in above]

    def draw(self, size: int, words: WordStream) -> "Counts":
        """Return so many databases. Raises `ModelError` where the value is too rare to wait for."""
        import numpy as np

        if self.chance_approx < RAREST:
            raise ModelError(
                f"has probability {self.chance_approx:.2g}: expected at least {RAREST:g}, or few "
                "enough databases to list"
            )
        length, found, missing = self._forward.network.length, [], size
        while missing > 0:
            tries = int(missing / self.chance_approx * 1.1) + 16
            drawn = np.zeros((min(tries, max(16, _BATCH // length)), length), dtype=np.int64)
            self._forward.fill(drawn, self._first, words)
            place = self._forward.own[self.record - 1].index(self.value)
            kept = drawn[drawn[:, self.record - 1] == place][:missing]
            found.append(kept)
            missing -= len(kept)
        every = np.concatenate(found)
        self._forward.fill(every, self._then, words)
        return self._forward.letters(every)
