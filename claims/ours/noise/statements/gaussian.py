"""Gaussian noise on queries as programs: at outputs where the exponentials are powers of rationals,
likelihoods are fractions.

Noise of variance sigma has e^(-1/(2 sigma)) = root, a rational number. For whole values v and an
output w with e^(w/sigma) = z the likelihood of w is, up to a factor that is the same for all laws,
the sum of p_v root^(v^2) z^v; every z > 0 is an output.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.laws import ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Values = Mapping[int, F]
FAR = F(2) ** 100
ROOTS = [F(1, 2), F(2, 3), F(9, 10)]


def two_laws(draws: Draws) -> Instance:
    """Two laws of a query with whole values from -1 to 2, zeros and ties often, and the root of the
    noise; outputs are e^(w/sigma) = 2^100 and 2^200, and their inverses.
    """
    laws: list[dict[int, F]] = [
        {v - 1: p for v, p in enumerate(draws.law(4, 2)) if p} for _ in range(2)
    ]
    if draws.below(3) == 2:
        laws[1] = dict(zip(laws[0], draws.positive_law(len(laws[0]), 3)))
    return {"p": laws[0], "q": laws[1], "root": draws.among(ROOTS)}


def _likelihood(law: Values, root: F, z: F) -> F:
    return sum((p * root ** (v * v) * z**v for v, p in law.items()), ZERO)


def _bounded(p: Values, q: Values, root: F) -> bool:
    """Whether twice as far out no ratio is 1,000 times as large, in either order."""
    for (above, below), z in product(((p, q), (q, p)), (FAR, 1 / FAR)):
        near, far = (_likelihood(above, root, x) / _likelihood(below, root, x) for x in (z, z * z))
        if far > 1000 * near:
            return False
    return True


def _same(p: Values, q: Values, *ends: Any) -> bool:
    return all(end(p) == end(q) for end in ends)


FINITE = Statement(
    family=two_laws,
    holds=lambda p, q, root, finite_same_largest=False: (
        _bounded(p, q, root) == (_same(p, q, max) if finite_same_largest else _same(p, q, min, max))
    ),
    too_strong={"finite for the same largest value": {"finite_same_largest": True}},
)
