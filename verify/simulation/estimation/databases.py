"""Databases drawn given a secret, by the exact law: how often each comes in so many draws.

A draw is a uniform number in [0, 1), known to 16 bits at first and to 64 more where these do not
settle between which cumulated probabilities it falls. So no probability is rounded; what is trusted
is that the bits of NumPy's PCG64 are uniform and independent.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from pufferproof.verify.simulation.draws import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

_CELLS = 1 << 16


class Conditional:
    """The law of the database given a secret: integer weights over their sum.

    >>> Conditional([1, 0, 3]).draw(8, Words(1)).sum()
    np.int64(8)
    """

    def __init__(self, weights: Sequence[int]) -> None:
        import numpy as np

        self._ends = list(accumulate(weights))
        self._total = self._ends[-1]
        owners = [self._place(cell, 16) for cell in range(_CELLS)] if len(weights) > 1 else None
        self._owners = None if owners is None else np.array(owners, dtype=np.int64)

    def draw(self, draws: int, words: Words) -> "Counts":
        """Return how often each database comes in independent draws."""
        import numpy as np

        if self._owners is None:
            return np.array([draws], dtype=np.int64)
        bits = words.draw(-(-draws // 4)).view(np.uint16)[:draws]
        seen = np.bincount(bits, minlength=_CELLS)
        settled = self._owners >= 0
        counts = np.zeros(len(self._ends), dtype=np.int64)
        np.add.at(counts, self._owners[settled], seen[settled])
        for cell in np.flatnonzero(~settled & (seen > 0)).tolist():
            for _ in range(int(seen[cell])):
                counts[self._refined(cell, words)] += 1
        return counts

    def _refined(self, cell: int, words: Words) -> int:
        """Return the database of a number of which the first 16 bits are known."""
        bits, value, place = 16, cell, -1
        while place < 0:
            value, bits = value << 64 | int(words.draw(1)[0]), bits + 64
            place = self._place(value, bits)
        return place

    def _place(self, value: int, bits: int) -> int:
        """Return the database of all numbers that begin with these bits, -1 if there are several:
        the first whose cumulated weight exceeds them.
        """
        place = bisect_right(self._ends, value * self._total >> bits)
        return place if (value + 1) * self._total <= self._ends[place] << bits else -1
