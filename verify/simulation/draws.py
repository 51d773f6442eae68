"""Samples of a binary Markov chain and of what a redaction mechanism shows of it, many runs at a
time.

Random numbers are the raw 64-bit words of NumPy's PCG64 for the seed, so that the same seed gives
the same runs on every machine; probabilities are rounded to multiples of 2^-64, which is all that
is not exact. An output matters only through its nearest released records on either side of p
(`pufferproof.verify.sequences.redaction.sides`), so that runs are counted by these.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.int8]
    Mask = NDArray[np.bool_]
    Codes = NDArray[np.int64]
    Sampler = Callable[[Values, "WordStream"], Mask]

Shown = tuple[tuple[int, int], ...]
"""An event: (record, value) of the nearest released records, those to the left of p and to the
right, or p itself.
"""


class WordStream:
    """A stream of random 64-bit words, the same for the same seed; a sequence of integers seeds
    a stream of its own.
    """

    def __init__(self, seed: int | Sequence[int]) -> None:
        from numpy.random import PCG64

        self._generator = PCG64(seed)

    def draw(self, count: int) -> "NDArray[np.uint64]":
        """Return that many words."""
        words: NDArray[np.uint64] = self._generator.random_raw(count)
        return words

    def below(self, probabilities: "list[Fraction]", columns: "Codes") -> "Mask":
        """Draw one event per entry of `columns`, of probability probabilities[entry]."""
        import numpy as np

        words = self.draw(columns.size).reshape(columns.shape)
        limits = np.array([min(int(p * 2**64), 2**64 - 1) for p in probabilities], dtype=np.uint64)
        certain = np.array([p == 1 for p in probabilities])
        events: Mask = (words < limits[columns]) | certain[columns]
        return events


def sampled_chains(
    chain: BinaryChain, runs: int, words: WordStream, private: int = 1, value: int | None = None
) -> "Values":
    """Draw X_1 .. X_n `runs` times, given X_p = value where one is given; the chain is stationary,
    hence reversible.

    Returns: runs x n, 0 and 1.
    """
    import numpy as np

    chain.expect_stationary()
    values = np.zeros((runs, chain.length), dtype=np.int8)
    start = chain.stationary_law[1] if value is None else Fraction(value)
    values[:, private - 1] = words.below([start], np.zeros(runs, dtype=np.int64))
    to_one = [row[1] for row in chain.transition]
    for record in range(private, chain.length):
        values[:, record] = words.below(to_one, values[:, record - 1].astype(np.int64))
    for record in range(private - 2, -1, -1):
        values[:, record] = words.below(to_one, values[:, record + 1].astype(np.int64))
    return values


def sampler_of(mechanism: LocalRedaction) -> "Sampler":
    """Return the mechanism as a function from values (runs x n) to which records are released."""
    table = sorted({entry for row in mechanism.rows for entry in row})
    place = {entry: index for index, entry in enumerate(table)}
    indices = [[place[row[0]], place[row[1]]] for row in mechanism.rows]

    def released(values: "Values", words: WordStream) -> "Mask":
        import numpy as np

        chosen = np.array(indices, dtype=np.int64)
        columns = chosen[np.arange(values.shape[1]), values.astype(np.int64)]
        return ~words.below(table, columns)

    return released


def nearest_released(values: "Values", released: "Mask", private: int) -> "Codes":
    """Return one code per run for its nearest released records: see `code_of`."""
    import numpy as np

    left = _nearest(values[:, : private - 1][:, ::-1], released[:, : private - 1][:, ::-1])
    right = _nearest(values[:, private:], released[:, private:])
    own = -1 - values[:, private - 1].astype(np.int64)
    codes: Codes = np.where(released[:, private - 1], own, left * _base(values.shape[1]) + right)
    return codes


def code_of(event: Shown, private: int, length: int) -> int:
    """Return an event's code: 2 D - 1 + value per side, 0 for none, -1 - value for p."""
    left = right = 0
    for record, value in event:
        if record == private:
            return -1 - value
        if record < private:
            left = 2 * (private - record) - 1 + value
        else:
            right = 2 * (record - private) - 1 + value
    return left * _base(length) + right


def event_of(code: int, private: int, length: int) -> Shown:
    """Return the event of a code."""
    if code < 0:
        return ((private, -1 - code),)
    left, right = divmod(code, _base(length))
    before = ((private - (left + 1) // 2, (left + 1) % 2),) if left else ()
    after = ((private + (right + 1) // 2, (right + 1) % 2),) if right else ()
    return (*before, *after)


def _base(length: int) -> int:
    return 2 * length + 2


def _nearest(values: "Values", released: "Mask") -> "Codes":
    """Return 2 D - 1 + value of the first released record of every row, 0 where there is none."""
    import numpy as np

    if not values.shape[1]:
        return np.zeros(len(values), dtype=np.int64)
    first = released.argmax(axis=1)
    rows = np.arange(len(values))
    codes: Codes = np.where(released[rows, first], 2 * first + 1 + values[rows, first].astype(np.int64), 0)
    return codes
