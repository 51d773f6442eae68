"""Gaussian noise on queries as programs: at outputs where the exponentials are powers of rationals,
likelihoods are fractions.

Noise of variance sigma has e^(-1/(2 sigma)) = root, a rational number. For whole values v and an
output w with e^(w/sigma) = z the likelihood of w is, up to a factor that is the same for all laws,
the sum of p_v root^(v^2) z^v; every z > 0 is an output.
"""

from collections.abc import Mapping, Sequence
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
    too_strong={
        "finite for the same largest value": {"finite_same_largest": True},
    },
)


def lines(draws: Draws) -> Instance:
    """Two laws of tau from 0 to 2, zeros and ties often; one or two coordinates v_k + tau d_k,
    whole numbers with some d_k other than 0, variances 1/a_k for a_k = 1 or 2 in a common unit.
    """
    size = 1 + draws.below(2)
    d = [draws.among([1, -1, 2, 0]) for _ in range(size)]
    return {
        "p": dict(enumerate(draws.law(3, 2))),
        "q": dict(enumerate(draws.law(3, 2))),
        "v": [draws.below(2) for _ in range(size)],
        "d": d if any(d) else [1, *d[1:]],
        "a": [1 + draws.below(2) for _ in range(size)],
    }


def _alike(
    p: Values, q: Values, v: Sequence[int], d: Sequence[int], a: Sequence[int], counted: int = 2
) -> bool:
    """Whether outputs -1 to 2 of all coordinates have the ratios of one query tau with variance
    1/P, and reach all those of its outputs 0, 1 and 2.

    In the common unit P = sum_k a_k d_k^2 is a whole number, and noise of variance 1 has the root
    2^-P, so that all exponents are whole.
    """
    P = sum(x * y * y for x, y in list(zip(a, d))[:counted])
    outputs = [*product(range(-1, 3), repeat=len(v))]
    outputs += [tuple(x + place * y for x, y in zip(v, d)) for place in range(3)]
    return P > 0 and all(_one_output(w, p, q, v, d, a, P) for w in outputs)


def _one_output(
    w: Sequence[int],
    p: Values,
    q: Values,
    v: Sequence[int],
    d: Sequence[int],
    a: Sequence[int],
    P: int,
) -> bool:
    Q = sum(x * (out - start) * y for x, out, start, y in zip(a, w, v, d))
    every, alone = [], []
    for law in (p, q):
        exponents = {
            tau: sum(x * (out - s - tau * y) ** 2 for x, out, s, y in zip(a, w, v, d))
            for tau in law
        }
        every.append(sum((n / F(2) ** (P * exponents[tau]) for tau, n in law.items()), ZERO))
        alone.append(sum((n / F(2) ** ((Q - P * tau) ** 2) for tau, n in law.items()), ZERO))
    return bool(every[0] * alone[1] == every[1] * alone[0])


LINE = Statement(
    family=lines,
    holds=_alike,
    too_strong={
        "the variance of the first coordinate": {"counted": 1},
    },
)
