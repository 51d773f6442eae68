"""Samples of Markov chains with k states, many sequences at a time: reversible chains, laws, counts
of states, Laplace noise.

Random numbers are the raw 64-bit words of NumPy's PCG64
(`pufferproof.verify.simulation.draws.WordStream`), so that the same seed gives the same sequences
on every machine; probabilities are rounded to multiples of 2^-64, noise as logarithms of floats
are. Nothing here decides anything: what it feeds are simulations. Sequences are not kept, only how
often each state occurs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import own_spectrum
from pufferproof.verify.simulation.draws import WordStream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]
    Floats = NDArray[np.float64]

_HEAVIEST, _MOST_TRIES = 1_000, 10_000
_BLOCK = 1 << 20  # words drawn at a time


@dataclass(frozen=True)
class Drawn:
    """A reversible chain that was drawn, its least stationary probability, and rational bounds
    of its eigengap.
    """

    chain: MarkovChain
    least: Fraction
    gap: tuple[Fraction, Fraction]


def drawn_reversible(words: WordStream, states: int, least: Fraction, gap: Fraction) -> Drawn:
    """Draw an irreducible, aperiodic and reversible chain with stationary probabilities and
    eigengap at least as given.

    Symmetric weights w(x, y), x <= y, are uniform on 1 .. 1000, P(x, y) = w(x, y) / w(x, .), so
    that w(x, .) is proportional to the stationary law; drawn again until both conditions hold,
    exactly and by a rigorous enclosure of the eigengap of wang2016. The initial law is uniform on
    the simplex: the spacings of k - 1 points.

    >>> drawn = drawn_reversible(WordStream(1), 3, Fraction(1, 5), Fraction(1, 2))
    >>> drawn.least >= Fraction(1, 5), drawn.gap[0] >= Fraction(1, 2)
    (True, True)

    Raises `ModelError` unless one is found in 10,000 tries.
    """
    for _ in range(_MOST_TRIES):
        weights = _weights(words, states)
        sums = [sum(row) for row in weights]
        if (smallest := Fraction(min(sums), sum(sums))) < least:
            continue
        transition = [[Fraction(weight, total) for weight in row] for row, total in zip(weights, sums)]
        bounds = _gap(transition)
        if bounds[0] >= gap:
            return Drawn(MarkovChain(_spacings(words, states), transition), smallest, bounds)
    raise ModelError(f"no chain of {states} states found in {_MOST_TRIES} tries", "gap")


def state_counts(chain: MarkovChain, length: int, runs: int, words: WordStream) -> "Counts":
    """Draw sequences X_1 .. X_T and return how often each state occurs: runs x k.

    >>> state_counts(MarkovChain([1, 0], [[0, 1], [1, 0]]), 5, 2, WordStream(1)).tolist()
    [[3, 2], [3, 2]]
    """
    import numpy as np

    size = len(chain.transition)
    limits = np.array([_limits(row) for row in chain.transition], dtype=np.uint64)
    start = np.array([_limits(chain.initial_law())], dtype=np.uint64)
    counts, rows = np.zeros((runs, size), dtype=np.int64), np.arange(runs)
    state = (words.draw(runs)[:, None] >= start).sum(axis=1)
    counts[rows, state] += 1
    block = max(1, _BLOCK // runs)
    for first in range(1, length, block):
        for drawn in words.draw(runs * min(block, length - first)).reshape(-1, runs):
            state = (drawn[:, None] >= limits[state]).sum(axis=1)
            counts[rows, state] += 1
    return counts


def laplace_noise(shape: Sequence[int], words: WordStream) -> "Floats":
    """Draw independent Laplace noise of scale 1: a sign from the lowest bit of a word, its size
    from the 53 highest.
    """
    import numpy as np

    drawn = words.draw(int(np.prod(shape))).reshape(tuple(shape))
    size = -np.log(((drawn >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53)
    noise: Floats = np.where(drawn & np.uint64(1), size, -size)
    return noise


def _weights(words: WordStream, states: int) -> list[list[int]]:
    weights = [[0] * states for _ in range(states)]
    for x in range(states):
        for y, word in enumerate(words.draw(states - x), x):
            weights[x][y] = weights[y][x] = int(word) % _HEAVIEST + 1
    return weights


def _spacings(words: WordStream, states: int) -> list[Fraction]:
    points = sorted(int(word) >> 32 for word in words.draw(states - 1))
    return [Fraction(high - low, 1 << 32) for low, high in pairwise([0, *points, 1 << 32])]


def _gap(transition: Sequence[Sequence[Fraction]]) -> tuple[Fraction, Fraction]:
    from flint import ctx

    with ctx.workprec(128):
        gap = own_spectrum(transition).gap()
        return dyadic(gap.lower()), dyadic(gap.upper())


def _limits(law: Sequence[Fraction]) -> list[int]:
    """Return P(X <= x) for every value x but the last, in units of 2^-64 and below 2^64."""
    return [min(int(total * 2**64), 2**64 - 1) for total in accumulate(law[:-1])]
