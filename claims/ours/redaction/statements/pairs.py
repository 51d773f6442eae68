"""Statements on central mechanisms for any number of records: perfect privacy, the bound record by
record, pairs of databases.
"""

from itertools import product

from pufferproof.claims.language.instances.chains import Path, given_values
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most
from pufferproof.claims.language.instances.redaction import STAR
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.redaction.statements.central import (
    Central,
    Law,
    Shown,
    central_leakage,
    central_shows,
)

F = Fraction


def _spent(draws: Draws) -> F:
    return F(2) if draws.below(8) == 7 else ONE


def _transport(draws: Draws, law: Law, p: int, R: F) -> Central:
    """Draw a central mechanism that keeps R: f_uv and g_uv with the sums of both laws, nearest
    pairs first or in any order.
    """
    laws = given_values(law, p)
    f_left, g_right = (_filled(draws, laws[v], R) for v in (0, 1))
    g_left = {u: q - R * f_left[u] for u, q in laws[0].items()}
    f_right = {v: q - R * g_right[v] for v, q in laws[1].items()}
    sums: dict[Path, dict[Shown, F]] = {x: {} for x in law}
    for high, low, left, right in ((R, ONE, f_left, f_right), (ONE, R, g_left, g_right)):
        pairs = list(product(left, right))
        if draws.below(3):
            pairs.sort(key=lambda pair: sum(u != v for u, v in zip(*pair)))
        for u, v in pairs:
            weight = min(left[u], right[v])
            left[u], right[v] = left[u] - weight, right[v] - weight
            agree = [t for t, (x, y) in enumerate(zip(u, v), 1) if x == y]
            shown = tuple(agree if draws.below(4) else draws.several(agree))
            for x, part, q in ((u, high, laws[0][u]), (v, low, laws[1][v])):
                if weight:
                    sums[x][shown] = sums[x].get(shown, ZERO) + part * weight / q
    return sums


def _filled(draws: Draws, law: Law, R: F) -> dict[Path, F]:
    """Draw numbers of at most P(u)/R with the sum 1/(R + 1): in proportion, or the first or last
    ones as large as they can be.
    """
    order = draws.among([0, 1, -1])
    if not order:
        return {u: q / (R + 1) for u, q in law.items()}
    left, filled = 1 / (R + 1), {}
    for u in [*law][::order]:
        filled[u] = min(law[u] / R, left)
        left -= filled[u]
    return filled


KEPT = "the mechanism keeps eps"


def pairings(draws: Draws) -> Instance:
    """Any law of one to three bits under which X_p = 0 and X_p = 1 are possible, zeros often, a
    level of 1 or more, and a central mechanism that keeps it or, one time in eight, twice it.
    """
    n = 1 + draws.below(3)
    p = 1 + draws.below(n)
    paths = list(product((0, 1), repeat=n))
    weights = draws.law(len(paths), 2)
    law = {x: q for x, q in zip(paths, weights) if q}
    if len({x[p - 1] for x in law}) < 2:
        law = {x: F(1, len(paths)) for x in paths}
    R = draws.among([F(2), F(3, 2), ONE, F(5)])
    return {"law": law, "p": p, "R": R, "mechanism": _transport(draws, law, p, R * _spent(draws))}


Pairs = dict[tuple[Path, Path], list[F]]


def _pairs(law: Law, p: int, R: F, mechanism: Central) -> Pairs:
    """f and g of every pair of databases, from the outputs of a mechanism that keeps R: an output
    of likelihoods M, N is R x + y and x + R y, its databases bring s to M and t to N, the pair
    x s t/(M N) and y s t/(M N).
    """
    laws = given_values(law, p)
    brought: dict[Path, list[dict[Path, F]]] = {}
    for value in (0, 1):
        for x, weight in laws[value].items():
            for shown, chance in mechanism[x].items():
                y = tuple(v if t in shown else STAR for t, v in enumerate(x, 1))
                if chance:
                    brought.setdefault(y, [{}, {}])[value][x] = weight * chance
    pairs: Pairs = {}
    for left, right in brought.values():
        M, N = sum(left.values(), ZERO), sum(right.values(), ZERO)
        more = M if R == 1 else (R * M - N) / (R**2 - 1)
        less = ZERO if R == 1 else (R * N - M) / (R**2 - 1)
        for (u, s), (v, t) in product(left.items(), right.items()):
            pair = pairs.setdefault((u, v), [ZERO, ZERO])
            pair[0] += more * s * t / (M * N)
            pair[1] += less * s * t / (M * N)
    return pairs


def _marginals(law: Law, p: int, R: F, pairs: Pairs) -> bool:
    zero, one = (given_values(law, p)[v] for v in (0, 1))
    left = all(
        sum((R * f + g for (u, _), (f, g) in pairs.items() if u == x), ZERO) == q
        for x, q in zero.items()
    )
    right = all(
        sum((f + R * g for (_, v), (f, g) in pairs.items() if v == x), ZERO) == q
        for x, q in one.items()
    )
    return left and right and all(f >= 0 and g >= 0 for f, g in pairs.values())


def _worth(law: Law, p: int, R: F, pairs: Pairs) -> F:
    m0 = sum((q for x, q in law.items() if x[p - 1] == 0), ZERO)
    return sum(
        (
            sum(x == y for x, y in zip(u, v)) * ((m0 * R + 1 - m0) * f + (m0 + (1 - m0) * R) * g)
            for (u, v), (f, g) in pairs.items()
        ),
        ZERO,
    )


def _agreeing(law: Law, p: int, R: F, pairs: Pairs) -> Central:
    """The mechanism that shows for each pair all records in which it agrees."""
    zero, one = (given_values(law, p)[v] for v in (0, 1))
    sums: dict[Path, dict[Shown, F]] = {x: {} for x in law}
    for (u, v), (f, g) in pairs.items():
        shown = tuple(t for t, (x, y) in enumerate(zip(u, v), 1) if x == y)
        sums[u][shown] = sums[u].get(shown, ZERO) + (R * f + g) / zero[u]
        sums[v][shown] = sums[v].get(shown, ZERO) + (f + R * g) / one[v]
    return sums


def _paired(law: Law, p: int, R: F, mechanism: Central, share: F = ONE) -> bool:
    """Whether the outputs of a mechanism give f, g with these sums that are worth what it shows or
    more, and f, g give a mechanism that keeps R and shows what they are worth.
    """
    pairs = _pairs(law, p, R, mechanism)
    best, worth = _agreeing(law, p, R, pairs), _worth(law, p, R, pairs)
    return (
        _marginals(law, p, R, pairs)
        and central_shows(law, mechanism) <= share * worth
        and at_most(central_leakage(law, best, p), R)
        and central_shows(law, best) == worth
    )


CENTRAL_PAIRING = Statement(
    family=pairings,
    given={KEPT: lambda law, p, R, mechanism: at_most(central_leakage(law, mechanism, p), R)},
    holds=_paired,
    too_strong={"99/100 of the sum": {"share": ALMOST}},
    too_weak=[KEPT],
)
