"""Couplings of two laws of a query, and what they bound."""

from collections.abc import Mapping, Sequence
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, renyi
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.noise.statements.queries import one_query

F = Fraction
Masses = list[tuple[Any, Any, F]]


def coupled(draws: Draws) -> Instance:
    """Two laws of a query with up to three values, noise of any kind on three outputs, mostly
    without zeros; a coupling, or seldom one of the first law with itself; alpha = 2 or 3 and K from
    0 to 2.
    """
    drawn = one_query(draws)
    p, q = drawn["p"], drawn["q"]
    noise = {v: draws.positive_law(3, 4) for v in {**p, **q}}
    if draws.below(6) == 5:
        noise = {v: draws.law(3, 4) for v in noise}
    g = _matched(draws, p, p if draws.below(4) == 3 else q)
    return {
        "p": p,
        "q": q,
        "g": g,
        "noise": noise,
        "alpha": 2 + draws.below(2),
        "K": F(draws.below(5), 2),
    }


def _matched(draws: Draws, p: Mapping[tuple[F, ...], F], q: Mapping[tuple[F, ...], F]) -> Masses:
    """Fill a table with these sums, from a corner, in some order."""
    left, right = dict(p), dict(q)
    g = []
    while left and right:
        v, u = draws.among(sorted(left)), draws.among(sorted(right))
        mass = min(left[v], right[u])
        g.append((v, u, mass))
        for law, value in ((left, v), (right, u)):
            law[value] -= mass
            if not law[value]:
                del law[value]
    return g


def _couples(p: Mapping[tuple[F, ...], F], q: Mapping[tuple[F, ...], F], g: Masses) -> bool:
    return all(
        sum((mass for *ends, mass in g if ends[side] == v), ZERO) == law.get(v, ZERO)
        for side, law in enumerate((p, q))
        for v in {**p, **q}
    )


def _excess(p: Sequence[F], q: Sequence[F], K: F) -> F:
    return sum((max(a - K * b, ZERO) for a, b in zip(p, q)), ZERO)


def _averaged(instance: Any, moment: F = ONE, delta: F = ONE) -> bool:
    noise, g, alpha, K = (instance[name] for name in ("noise", "g", "alpha", "K"))
    N, D = (
        [sum((x * noise[v][w] for v, x in instance[law].items()), ZERO) for w in range(3)]
        for law in "pq"
    )
    pairs = [(renyi(noise[v], noise[u], alpha), mass) for v, u, mass in g]
    whole = renyi(N, D, alpha)
    if all(each is not None for each, _ in pairs):
        bound = sum((each * mass for each, mass in pairs if each is not None), ZERO)
        if whole is None or whole > moment * bound:
            return False
    most = sum((_excess(noise[v], noise[u], K) * mass for v, u, mass in g), ZERO)
    return _excess(N, D, K) <= delta * most


COUPLES = "g is a coupling of both laws"
COUPLING = Statement(
    family=coupled,
    given={COUPLES: lambda **instance: _couples(instance["p"], instance["q"], instance["g"])},
    holds=lambda moment=ONE, delta=ONE, **instance: _averaged(instance, moment=moment, delta=delta),
    too_strong={
        "99/100 of the moment": {"moment": ALMOST},
        "99/100 of the delta": {"delta": ALMOST},
    },
    too_weak=[COUPLES],
)
