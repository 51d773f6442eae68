"""Several releases of one query as a mixture of single ones: decays are fractions, and in the real
case powers of one fraction, so that integrals of exponentials are fractions.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
DECAYS = [F(1, 2), F(2, 3), F(1, 4)]


def releases(draws: Draws) -> Instance:
    """One to three releases with decays 1/2, 2/3 or 1/4 and outputs from 0 to 3, of the query n, or
    in one of eight cases one of 2n; noise a^|z|, or in one of eight cases a^(z^2).
    """
    k = 1 + draws.below(3)
    slopes = [1] * k
    if draws.below(8) == 7:
        slopes[draws.below(k)] = 2
    return {
        "decays": [draws.among(DECAYS) for _ in range(k)],
        "outputs": [draws.below(4) for _ in range(k)],
        "slopes": slopes,
        "squared": draws.below(8) == 7,
    }


def _mixture(
    decays: Row, outputs: Sequence[int], slopes: Sequence[int], squared: bool, more: F = ZERO
) -> bool:
    """Whether weights that are not negative give phi, and have the same total wherever outputs are
    moved: that of phi times (1 - a)/(1 + a). No other weights of finite total give phi.
    """

    def phi(n: int) -> F:
        far = [abs(w - c * n) for w, c in zip(outputs, slopes)]
        return prod((a ** (d * d if squared else d) for a, d in zip(decays, far)), start=ONE)

    a = prod(decays, start=ONE)
    a += more * (1 - a)
    low, high = min(outputs), max(outputs)
    weights = {
        x: ((1 + a * a) * phi(x) - a * phi(x + 1) - a * phi(x - 1)) / (1 - a * a)
        for x in range(low - 1, high + 2)
    }
    every = sum([phi(n) for n in range(low, high + 1)], (phi(low) + phi(high)) * a / (1 - a))
    return (
        min(weights.values()) >= 0
        and all(_mixed(weights, a, n) == phi(n) for n in range(low - 2, high + 3))
        and sum(weights.values(), ZERO) * (1 + a) == every * (1 - a)
    )


def _mixed(weights: Mapping[int, F], a: F, n: int) -> F:
    return sum([m * a ** abs(x - n) for x, m in weights.items()], ZERO)


ONE_QUERY = "all releases are of one query"
EXPONENTIAL = "the noise decays exponentially"
INTEGERS = Statement(
    family=releases,
    given={
        ONE_QUERY: lambda slopes, **_: set(slopes) == {1},
        EXPONENTIAL: lambda squared, **_: not squared,
    },
    holds=_mixture,
    too_strong={"with the decay (1 + a)/2": {"more": HALF}},
    too_weak=[ONE_QUERY, EXPONENTIAL],
)


def real_outputs(draws: Draws) -> Instance:
    """One to three releases with decays that are 1/2 or 2/3 to the powers 2 to 4, and outputs from
    0 to 4 in any unit.
    """
    k = 1 + draws.below(3)
    return {
        "t": draws.among(DECAYS[:2]),
        "rates": [2 + draws.below(3) for _ in range(k)],
        "outputs": [draws.below(5) for _ in range(k)],
    }


def _integral(t: F, rates: Sequence[int], outputs: Sequence[int], less: int = 0) -> bool:
    """Whether the density (rho^2 phi - phi'')/(2 rho), and masses where phi' falls, are not
    negative and give phi at integers; rho is R times log(1/t), or so many times less.
    """
    whole = sum(rates)
    R = whole - less

    def phi(x: int) -> F:
        return t ** sum(r * abs(w - x) for r, w in zip(rates, outputs))

    low, high = min(outputs), max(outputs)
    slopes = {x: sum(r if w <= x else -r for r, w in zip(rates, outputs)) for x in range(low, high)}

    def cell(x: int, n: int) -> F:
        """Integrate t^(R |y - n|) times the density over y from x to x + 1."""
        here, there = (t ** (R * abs(y - n)) * phi(y) for y in (x, x + 1))
        S = slopes[x] if n <= x else -slopes[x]
        fall = here - there if n <= x else there - here
        return F(R * R - S * S, 2 * R) * fall / (R + S) if R + S else ZERO

    def mixed(n: int) -> F:
        masses = [F(r, R) * phi(w) * t ** (R * abs(w - n)) for r, w in zip(rates, outputs)]
        return sum(masses, ZERO) + sum([cell(x, n) for x in range(low, high)], ZERO)

    steepest = max(whole, *(abs(S) for S in slopes.values()), 0)
    return steepest <= R and all(mixed(n) == phi(n) for n in range(low - 2, high + 3))


REALS = Statement(
    family=real_outputs,
    holds=_integral,
    too_strong={"with a larger decay": {"less": 1}},
    always="releases of one query are a mixture wherever their outputs are",
)


def questions(draws: Draws) -> Instance:
    """Two laws of a query with values from 0 to 2, zeros and ties often; one or two releases of it,
    in one of eight cases the second one of twice the query; a ratio R from 1/2 to 2.
    """
    k = 1 + draws.below(2)
    return {
        "p": draws.law(3, 2),
        "q": draws.law(3, 2),
        "decays": [draws.among(DECAYS) for _ in range(k)],
        "slopes": [1, 1 + (draws.below(8) == 7)][:k],
        "R": F(1 + draws.below(4), 2),
    }


def _excess(p: Row, q: Row, decays: Row, slopes: Sequence[int], R: F) -> F:
    """Sum the positive part of P(outputs | p) - R P(outputs | q) over all integers.

    Outputs below 0 have the likelihoods of 0 times a factor, and their sum is 1/(1 - a) times that
    at 0; so have those above all values.
    """
    axes = []
    for a, c in zip(decays, slopes):
        ends = {0: 1 / (1 - a), 2 * c: 1 / (1 - a)}
        axes.append(
            [
                [ends.get(w, ONE) * (1 - a) / (1 + a) * a ** abs(w - c * n) for n in range(3)]
                for w in range(2 * c + 1)
            ]
        )
    gaps = [x - R * y for x, y in zip(p, q)]
    total = ZERO
    for rows in product(*axes):
        total += max(
            ZERO, sum([g * prod((row[n] for row in rows), start=ONE) for n, g in enumerate(gaps)])
        )
    return total


def _hidden(
    p: Row, q: Row, decays: Row, slopes: Sequence[int], R: F, factor: F = ONE, more: F = ZERO
) -> bool:
    a = prod(decays, start=ONE)
    single = _excess(p, q, [a + more * (1 - a)], [1], R)
    return _excess(p, q, decays, slopes, R) <= factor * single


DELTAS = Statement(
    family=questions,
    given={ONE_QUERY: lambda slopes, **_: set(slopes) == {1}},
    holds=_hidden,
    too_strong={
        "99/100 of its delta": {"factor": ALMOST},
        "the delta of a larger decay": {"more": HALF},
    },
    too_weak=[ONE_QUERY],
)
