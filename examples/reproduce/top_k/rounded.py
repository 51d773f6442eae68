"""Influence curves of stationary chains of up to a few hundred states and records, in floats that
are rounded up: what a per-record budget may rest on where exact curves take too long.

With B(a) and F(c) the largest log-ratios of the record a before and c after X_i, T records, and
E(b) = min over a + c = b + 1 of B(a) + F(c),

    a*(b) = max over i, v, w of min(E(b), F(b + 1 - i) if b >= i, B(b + i - T) if b > T - i).

A quilt is the same for all v, w: the largest over them is then taken first, inside the minimum. The
exact curve is `pufferproof.verify.influence.curves.chains`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import relative_error
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.network import largest_quotients_approx

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("influence.blocks", "influence.boxes")
_ROUNDINGS = 16  # of quotients, logarithms and sums of two of them
_NEXT = 1 + 2.0**-50


@dataclass(frozen=True)
class Budget(Plain):
    """A level per record that keeps a level: `hidden` records and `influence`, in nats, say
    how; both floats, the level rounded down and the influence up.
    """

    _json = ("hidden", "influence")

    level: float
    hidden: int
    influence: float


class RoundedCurve:
    """a*(b) of all records and values of a stationary chain of T records, in nats, rounded up.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> curve = RoundedCurve(chain, 3)
    >>> [round(curve.value(b), 6) for b in (1, 2, 3)]  # log 9, log 3, 0
    [2.197225, 1.098612, 0.0]

    Args:
        chain: stationary.
        length: T, at least 1.
        common: whether one block serves all pairs of values, as a quilt does.

    Raises `ModelError` unless the chain starts from its stationary law, and floats reach.
    """

    def __init__(self, chain: MarkovChain, length: int, common: bool = False) -> None:
        self.laws = Along(chain, length, "float")
        if not self.laws.stationary:
            raise ModelError('expected "stationary", found another law', "initial")
        self.length, self.common = length, common
        self.forward = lru_cache(maxsize=None)(self._forward)
        self.backward = lru_cache(maxsize=None)(self._backward)
        self.value = lru_cache(maxsize=None)(self._value)

    def _value(self, hidden: int) -> float:
        """Return a*(b) for b = `hidden` records, 0 .. T (influence.blocks); infinite for 0."""
        import numpy as np

        if not 0 <= hidden <= self.length:
            raise ModelError(f"expected from 0 to {self.length} records, found {hidden}", "hidden")
        if hidden == 0:
            return float("inf")
        inner = self._inner(hidden)
        worst = max(float(np.max(self._of_record(inner, hidden, i))) for i in self._worst(hidden))
        return worst and float(worst + self._slack(hidden))

    def _worst(self, hidden: int) -> Iterator[int]:
        """Return the records that may be worst: one that no block of this size joins to an end,
        where there is one.
        """
        if 2 * hidden < self.length:
            yield hidden + 1
        else:
            yield from range(1, self.length + 1)

    def _of_record(self, inner: "Floats", hidden: int, record: int) -> "Floats":
        import numpy as np

        found, after = inner, self.length - record
        # influence.blocks: a block that would go beyond an end reaches it
        if hidden >= record:
            found = np.minimum(found, self._shown(self.forward, hidden + 1 - record, after))
        if hidden > after:
            found = np.minimum(found, self._shown(self.backward, hidden - after, record - 1))
        return found

    def _shown(self, side: "Callable[[int], Floats]", distance: int, there: int) -> "Floats":
        """Return the log-ratios of the nearest record shown on a side, 0 beyond its end."""
        import numpy as np

        return self._pooled(side(distance)) if distance <= there else np.zeros(1)

    def _inner(self, hidden: int) -> "Floats":
        """Return E(b) for all pairs of values, or the least over blocks of the largest of them."""
        import numpy as np

        blocks = [self._pooled(self.backward(a) + self.forward(hidden + 1 - a)) for a in range(1, hidden + 1)]
        least: Floats = np.minimum.reduce(blocks)
        return least

    def _pooled(self, logs: "Floats") -> "Floats":
        import numpy as np

        return np.max(logs, keepdims=True) if self.common else logs

    def _forward(self, distance: int) -> "Floats":
        """Return log max over y of P^c(v, y) / P^c(w, y), from row v to row w."""
        return self._logs(self.laws.power_matrix(distance).values)

    def _backward(self, distance: int) -> "Floats":
        """Return log max over x of P^a(x, v) m(w) / (P^a(x, w) m(v))."""
        law = self.laws.law_matrix(1).values[0]
        return self._logs((self.laws.power_matrix(distance).values / law).T)

    def _logs(self, matrix: "Floats") -> "Floats":
        import numpy as np

        return np.log(np.maximum(largest_quotients_approx(matrix), 1.0))

    def _slack(self, hidden: int) -> float:
        """Return more than what roundings can take from a sum of two log-ratios."""
        law = self.laws.law_matrix(1).roundings
        most = 4 * self.laws.power_matrix(hidden).roundings + 4 * law + _ROUNDINGS
        return 4 * float(relative_error(most)) + 2.0**-40


def largest_budget(curve: RoundedCurve, epsilon: Fraction) -> Budget:
    """Return the largest (epsilon - a*(b)) / b over b, rounded down: a level per record that keeps
    epsilon.

    b beyond epsilon over the best so far cannot be better, so that few points of the curve are
    needed. b = T, with a*(T) = 0, is group privacy: it is always possible.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> largest_budget(RoundedCurve(chain, 1000), Fraction(1)).hidden
    7

    Source: bai2026, section 6.2.
    """
    nats = _below(epsilon)
    best = Budget(nats / curve.length / _NEXT, curve.length, 0.0)
    hidden = 1
    while hidden < curve.length and nats / hidden > best.level:
        influence = curve.value(hidden)
        level = (nats - influence) / hidden / _NEXT
        if level > best.level:
            best = Budget(level, hidden, influence)
        hidden += 1
    return best


def _below(value: Fraction) -> float:
    """Return a float that is at most the value, and nearly it."""
    near = float(value)
    return near if Fraction(near) <= value else near / _NEXT
