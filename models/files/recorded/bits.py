"""A sequence of 0 and 1 as people record it: read from a file, counted, and the binary Markov chain
that fits it best.

alpha and beta are the relative frequencies of 01 and 10 steps, the maximum likelihood given the
first record, exactly. That the sequence is such a chain at all is an assumption, which
`pufferproof.models.files.recorded.doubts.order` tests.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import bytes_of
from pufferproof.models.numbers.text import shown
from pufferproof.models.sequences.binary import BinaryChain

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
