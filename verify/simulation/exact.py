"""Databases drawn given a secret, by the exact law, whether they are listed or long sequences.

A draw is a uniform number in [0, 1), known to some bits at first and to 64 more where these do not
settle between which cumulated probabilities it falls. So no probability is rounded; what is trusted
is that the bits of NumPy's PCG64 are uniform and independent. A sequence in which a record has a
value is drawn from its first record on, anew until that record has the value.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.simulation.draws import WordStream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

_CELLS = 1 << 16
RAREST = 1e-4  # probability of a value that is waited for
_BATCH = 1 << 22  # records that are held at once while waiting


class ExactLaw:
    """A law: integer weights over their sum."""

    def __init__(self, weights: Sequence[int]) -> None:
        self.ends = list(accumulate(weights))
        self.total = self.ends[-1]

    @classmethod
    def of(cls, probabilities: Sequence[Fraction]) -> "ExactLaw":
        """Return the law with these probabilities."""
        common = lcm(*(p.denominator for p in probabilities))
        return cls([int(p * common) for p in probabilities])

    def place(self, value: int, bits: int) -> int:
        """Return the outcome of all numbers that begin with these bits, -1 if there are several:
        the first whose cumulated weight exceeds them.
        """
        place = bisect_right(self.ends, value * self.total >> bits)
        return place if (value + 1) * self.total <= self.ends[place] << bits else -1

    def refined(self, value: int, bits: int, words: WordStream) -> int:
        """Return the outcome of a number of which the first bits are known, drawing more."""
        while (place := self.place(value, bits)) < 0:
            value, bits = value << 64 | int(words.draw(1)[0]), bits + 64
        return place


class Conditional:
    """The law of a listed database given a secret, by integer weights.

    >>> Conditional([1, 0, 3]).draw(8, WordStream(1)).sum()
    np.int64(8)
    """

    def __init__(self, weights: Sequence[int]) -> None:
        import numpy as np

        self.law = law = ExactLaw(weights)
        self._owners: Counts | None = None
        if len(weights) > 1:  # of a cell, the outcome that all of its numbers have, -1 if none
            self._owners = np.full(_CELLS, -1, dtype=np.int64)
            for place, (start, end) in enumerate(pairwise([0, *law.ends])):
                inside = slice(-(-start * _CELLS // law.total), end * _CELLS // law.total)
                self._owners[inside] = place

    def draw(self, draws: int, words: WordStream) -> "Counts":
        """Return how often each database comes in independent draws."""
        import numpy as np

        if self._owners is None:
            return np.array([draws], dtype=np.int64)
        bits = words.draw(-(-draws // 4)).view(np.uint16)[:draws]
        seen = np.bincount(bits, minlength=_CELLS)
        settled = self._owners >= 0
        counts = np.zeros(len(self.law.ends), dtype=np.int64)
        np.add.at(counts, self._owners[settled], seen[settled])
        for cell in np.flatnonzero(~settled & (seen > 0)).tolist():
            for _ in range(int(seen[cell])):
                counts[self.law.refined(cell, 16, words)] += 1
        return counts


class DrawnLaws:
    """Laws on the same outcomes, one of which is drawn from per entry.

    >>> import numpy as np
    >>> DrawnLaws([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]).draw(
    ...     np.array([0, 1, 0]), WordStream(1)
    ... ).tolist()
    [0, 1, 0]
    """

    def __init__(self, rows: Sequence[Sequence[Fraction]]) -> None:
        import numpy as np

        self._laws = [ExactLaw.of(row) for row in rows]
        ends = [[(end << 64, law.total) for end in law.ends[:-1]] for law in self._laws]
        floors = [[min(end // total, 2**64 - 1) for end, total in row] for row in ends]
        self._floors = np.array(floors, dtype=np.uint64).reshape(len(rows), -1)

    def draw(self, rows: "Counts", words: WordStream) -> "Counts":
        """Return an outcome per entry of `rows`, by the law that it names."""
        import numpy as np

        drawn, floors = words.draw(len(rows)), self._floors[rows]
        outcomes: Counts = (drawn[:, None] > floors).sum(axis=1)
        for entry in np.flatnonzero((drawn[:, None] == floors).any(axis=1)).tolist():
            law = self._laws[int(rows[entry])]
            outcomes[entry] = law.refined(int(drawn[entry]), 64, words)
        return outcomes


class Sequences:
    """Long sequences of a prior in which one record has one value, by position in the alphabet.

    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> chain = Chain.of_markov(MarkovChain(["1/2", "1/2"], [["0", "1"], ["1", "0"]]))
    >>> Sequences(chain, 5, 3, 1).draw(2, WordStream(1)).tolist()
    [[1, 0, 1, 0, 1], [1, 0, 1, 0, 1]]
    """

    def __init__(self, chain: Chain, length: int, record: int, value: int) -> None:
        import numpy as np

        self.length, self.record, self.value = length, record, value
        if chain.rows is not None:
            self._start, self._steps = None, [DrawnLaws([row]) for row in chain.rows]
            self._shown = None
            self.chance_approx = float(chain.rows[record - 1][value])
            return
        self._start, self._steps = DrawnLaws([chain.start]), [DrawnLaws(chain.step)]
        self._shown = None if chain.emission is None else DrawnLaws(chain.emission)
        step = np.array(chain.step, dtype=float)
        law = np.array(chain.start, dtype=float) @ np.linalg.matrix_power(step, record - 1)
        if chain.emission is not None:
            law = law @ np.array(chain.emission, dtype=float)
        self.chance_approx = float(law[value])  # 0 only where it is impossible

    def draw(self, size: int, words: WordStream) -> "Counts":
        """Return so many sequences. Raises `ModelError` where the value is too rare to wait for."""
        import numpy as np

        if self.chance_approx < RAREST:
            raise ModelError(
                f"has probability {self.chance_approx:.2g}: expected at least {RAREST:g}, or few "
                "enough databases to list"
            )
        found: list[tuple[Counts, Counts]] = []
        missing = size
        while missing > 0:
            tries = int(missing / self.chance_approx * 1.1) + 16
            state = np.zeros(min(tries, max(16, _BATCH // self.length)), dtype=np.int64)
            shown = np.zeros((len(state), self.record), dtype=np.int64)
            for place in range(self.record):  # up to the record of the secret
                state = self._moved(place, state, words)
                shown[:, place] = self._seen(state, words)
            kept = np.flatnonzero(shown[:, -1] == self.value)[:missing]
            found.append((shown[kept], state[kept]))
            missing -= len(kept)
        before, state = (np.concatenate(parts) for parts in zip(*found))
        after = np.zeros((len(before), self.length - self.record), dtype=np.int64)
        for place in range(self.record, self.length):
            state = self._moved(place, state, words)
            after[:, place - self.record] = self._seen(state, words)
        return np.concatenate([before, after], axis=1)

    def _moved(self, place: int, state: "Counts", words: WordStream) -> "Counts":
        if self._start is None:
            return self._steps[place].draw(state * 0, words)
        return (self._steps[0] if place else self._start).draw(state, words)

    def _seen(self, state: "Counts", words: WordStream) -> "Counts":
        return state if self._shown is None else self._shown.draw(state, words)
