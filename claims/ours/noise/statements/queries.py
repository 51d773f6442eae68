"""Noise on queries as programs: rational decays, so that likelihoods are fractions at multiples of
one half, which are the outputs that are tried beside the values of the query.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Value = tuple[F, ...]
Values = Mapping[Any, F]


def likelihood(law: Values, w: Value, roots: Row) -> F:
    """Return the likelihood of an output, without the constant; roots are those of the decays."""
    total = ZERO
    for v, p in law.items():
        weight = p
        for root, x, y in zip(roots, v, w):
            weight *= _decayed(root, x, y)
        total += weight
    return total


@lru_cache(maxsize=5000)
def _decayed(root: F, x: F, y: F) -> F:
    """The decay at the distance of two numbers: few of these occur, again and again."""
    return root ** int(2 * abs(x - y))


def leak(p: Values, q: Values, roots: Row, outputs: list[tuple[F, ...]]) -> F:
    """Return the largest ratio of likelihoods at some outputs, in both orders."""
    best = ONE
    for w in outputs:
        a, b = likelihood(p, w, roots), likelihood(q, w, roots)
        best = max(best, a / b, b / a)
    return best


def halves(p: Values, q: Values, unit: F = HALF) -> list[Value]:
    """Return all outputs on a grid, beyond the values of the query by one on each side."""
    axes = []
    for each in zip(*(v for law in (p, q) for v in law)):
        steps = int((max(each) - min(each) + 2) / unit)
        axes.append([min(each) - 1 + n * unit for n in range(steps + 1)])
    return list(product(*axes))


def law_on(draws: Draws, places: Sequence[Value]) -> dict[Value, F]:
    """Draw a law on some places, zeros and ties often."""
    law: dict[Value, F] = {}
    for place, p in zip(places, draws.law(len(places), 2)):
        if p:
            law[place] = law.get(place, ZERO) + p
    return law


ROOTS = [F(1, 2), F(2, 3), F(1, 4)]


def repeated(draws: Draws) -> Instance:
    """Two laws of a query with up to three values from 0 to 2, the root of the decay, K = 1 or 2,
    or 3 for two values.
    """
    few = [(F(draws.below(3)),) for _ in range(1 + draws.below(3))]
    p, q = law_on(draws, few), law_on(draws, few)
    most = 3 if len(few) == 2 else 2
    return {"p": p, "q": q, "root": draws.among(ROOTS), "K": 1 + draws.below(most)}


def _copies(law: Values, K: int) -> dict[Value, F]:
    return {v * K: p for v, p in law.items()}


def _runs(p: Values, q: Values, root: F, K: int, less: int = 0) -> bool:
    """Whether K releases leak as one with the decay t^K."""
    joint = _copies(p, K), _copies(q, K)
    once = leak(p, q, [root ** (K - less)], halves(p, q))
    return leak(*joint, [root] * K, halves(*joint)) == once


RUNS = Statement(
    family=repeated,
    holds=_runs,
    too_strong={
        "K - 1 releases": {"less": 1},
        "at most two releases count": lambda **instance: {"less": max(0, instance["K"] - 2)},
    },
)


def _histogram(p: Values, q: Values, root: F, K: int, power: int = 2) -> bool:
    """Whether the counts of two values among two records leak as one of them with scale b/2."""
    both = ({(v[0], 2 - v[0]): x for v, x in law.items()} for law in (p, q))
    first, second = both
    whole = leak(first, second, [root, root], halves(first, second))
    return whole == leak(p, q, [root**power], halves(p, q))


HISTOGRAM = Statement(
    family=repeated, holds=_histogram, too_strong={"with the scale b": {"power": 1}}
)
