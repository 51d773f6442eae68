"""A sequence of 0 and 1 as people record it: read from a file, counted, and the binary Markov chain
that fits it best.

alpha and beta are the relative frequencies of 01 and 10 steps, the maximum likelihood given the
first record, exactly. That the sequence is such a chain at all is an assumption: `first_order_test`
asks whether two steps back tell more than one.
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
            raise ModelError(
                f"expected only 0 and 1, found {shown(wrong)}", f"{path}: line {number}"
            )
        values.extend(map(int, digits))
    if not values:
        raise ModelError("expected a sequence of 0 and 1, found none", str(path))
    return tuple(values)


@dataclass(frozen=True)
class Steps:
    """How often a value was followed by a value: `counts[x][y]` steps from x to y.

    >>> Steps.of([0, 0, 1, 0, 1, 1]).counts
    ((1, 2), (1, 1))
    """

    counts: tuple[tuple[int, int], tuple[int, int]]

    @classmethod
    def of(cls, values: Sequence[int]) -> "Steps":
        """Count the steps of a sequence."""
        steps = Counter(pairwise(values))
        return cls(((steps[0, 0], steps[0, 1]), (steps[1, 0], steps[1, 1])))

    def chain(self, length: int) -> BinaryChain:
        """Return the stationary chain of maximum likelihood given the first record.

        >>> chain = Steps.of([0, 0, 1, 0, 1, 1]).chain(6)
        >>> chain.alpha, chain.beta
        (Fraction(2, 3), Fraction(1, 2))

        Raises `ModelError` unless either value is followed by both.
        """
        for value, row in enumerate(self.counts):
            if 0 in row:
                said = f"{row[0]} times by 0, {row[1]} times by 1"
                raise ModelError(
                    f"expected {value} to be followed by 0 and by 1, found it followed {said}",
                    "sequence",
                )
        (stay, leave), (back, remain) = self.counts
        return BinaryChain(Fraction(leave, stay + leave), Fraction(back, back + remain), length)


@dataclass(frozen=True)
class OrderTest:
    """Pearson's chi-square of a second-order chain against a first-order one, and its p-value
    (rounded).
    """

    statistic: Fraction
    degrees: int
    p_value: float


def first_order_test(values: Sequence[int]) -> OrderTest:
    """Compare how often x y is followed by z with what the steps y z alone let expect.

        statistic = sum over x, y, z of (n(xyz) - e)^2 / e,   e = n(xy.) n(.yz) / n(.y.)

    Under a first-order chain it is asymptotically chi-square, with one degree of freedom for every
    y that is preceded by both values and followed by both. A small p-value speaks against the
    chain; a large one proves nothing.
    """
    triples = Counter(zip(values, values[1:], values[2:]))
    statistic, degrees = Fraction(0), 0
    for y in (0, 1):
        before = [triples[x, y, 0] + triples[x, y, 1] for x in (0, 1)]
        after = [triples[0, y, z] + triples[1, y, z] for z in (0, 1)]
        if 0 in before or 0 in after:
            continue
        degrees += 1
        for x in (0, 1):
            for z in (0, 1):
                expected = Fraction(before[x] * after[z], sum(before))
                statistic += (triples[x, y, z] - expected) ** 2 / expected
    if not degrees:
        return OrderTest(statistic, 0, 1.0)
    from scipy.stats import chi2

    return OrderTest(statistic, degrees, float(chi2.sf(float(statistic), degrees)))
