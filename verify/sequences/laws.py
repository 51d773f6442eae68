"""The laws of the records of a Markov chain one by one, and what they say of the records beyond
some distance.

X_t has the law start P^(t - 1), along one walk for every precision: exact, or enclosed.
"""

from fractions import Fraction
from typing import cast

from pufferproof.models.numbers.proportions import Vector, integers
from pufferproof.models.sequences.arithmetic import Rigorous
from pufferproof.models.sequences.chain import MAX_SEQUENCE, Along, Chain
from pufferproof.verify.sequences.sides import WindowStart

Bounds = tuple[Fraction | None, Fraction | None]  # of a ratio; None is infinite
MAX_BITS = 30_000  # of exact integers


class Laws:
    """The laws of the records of a Markov chain."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.size = len(chain.start)
        self._start = integers(chain.start)
        step = integers([entry for row in chain.step for entry in row])
        self._bits = max(step).bit_length() + self.size.bit_length()
        self._walks: dict[int | None, Along] = {}
        self._known: dict[tuple[int, int | None], tuple[Vector, Fraction]] = {}

    def law(self, record: int, keep: int | None) -> tuple[Vector, Fraction]:
        """Return P(X_t = x) as integers up to a factor, and their relative error."""
        if self.chain.stationary or record == 1:
            return self._start, Fraction(0)
        if (record, keep) not in self._known:
            walk = self._walk(keep)
            arithmetic = cast("Rigorous", walk.arithmetic)
            self._known[record, keep] = arithmetic.proportions(walk.law_matrix(record))
        return self._known[record, keep]

    def bits(self, record: int) -> int:
        """Return how long exact integers of a law are, at most."""
        steps = 0 if self.chain.stationary else record - 1
        return steps * self._bits + max(self._start).bit_length()

    def support(self, record: int) -> tuple[int, ...]:
        """Return the values of positive probability."""
        return tuple(self._walk(None).possible(record))

    def ratio(self, record: int, a: int, b: int, keep: int) -> Bounds:
        """Return bounds of P(X_t = a) / P(X_t = b), equal where integers stay short."""
        vector, slack = self.law(record, None if self.bits(record) <= MAX_BITS else keep)
        value = Fraction(vector[a], vector[b])
        return value / (1 + slack), value * (1 + slack)

    def _walk(self, keep: int | None) -> Along:
        if keep not in self._walks:
            self._walks[keep] = (
                self.chain.along(MAX_SEQUENCE) if keep is None else self.chain.along(MAX_SEQUENCE, "enclosed", keep)
            )
        return self._walks[keep]


def before(laws: Laws, private: int) -> WindowStart:
    """Return what is known of the records left of X_p, beyond the d nearest: the law of X_(p-d)."""
    return WindowStart(
        lambda window, keep: laws.law(private - window, keep),
        lambda window: laws.bits(private - window),
        lambda window: laws.support(private - window),
        laws.law(1, None)[0] if laws.chain.stationary else None,
    )


def after(size: int) -> WindowStart:
    """Return what is known beyond the d nearest records right of X_p: all ones."""
    ones = (1,) * size
    return WindowStart(lambda window, keep: (ones, Fraction(0)), lambda window: 1, lambda window: range(size), ones)
