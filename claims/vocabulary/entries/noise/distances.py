"""The distance of two laws of a query, and the level of noise calibrated to it: Couplings.v."""

from collections.abc import Iterator
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW_OF, SET, Law, Secret, weight
from pufferproof.claims.vocabulary.entries.noise.queries import QUERIES, QUERY, SCALE, Query
from pufferproof.claims.vocabulary.terms import Log, entry

Atoms = dict[int, Fraction]


def atoms(f: Query, p: Law, s: Secret, factor: Fraction) -> Atoms:
    """Return the mass of each value of a query together with a secret, times a factor."""
    found: Atoms = {}
    for x in s:
        found[f[x]] = found.get(f[x], Fraction(0)) + p[x] * factor
    return found


def distance(one: Atoms, other: Atoms) -> int | None:
    """Return the largest distance that quantiles move, or None if a mass is below 0."""
    if min([*one.values(), *other.values()]) < 0:
        return None
    left, right = ([(v, law[v]) for v in sorted(law) if law[v]] for law in (one, other))
    found = 0
    while left and right:
        (v, a), (u, b) = left.pop(0), right.pop(0)
        moved, found = min(a, b), max(found, abs(v - u))
        left = [(v, a - moved), *left] if a > moved else left
        right = [(u, b - moved), *right] if b > moved else right
    return found


def _distances(f: Query, d: Any, pairs: Any, priors: Any) -> Iterator[tuple[Any, Any]]:
    for p in priors:
        for s, t in pairs:
            ps, pt = weight(p, s), weight(p, t)
            if ps > 0 and pt > 0:
                found = distance(atoms(f, p, s, pt), atoms(f, p, t, ps))
                yield d + 1 if found is None else found, d


DISTANCE = entry(
    "distance of laws",
    takes=(QUERY, "R", f"{SET} -> {SET} -> Prop", f"({LAW_OF}) -> Prop"),
    words="W_inf of the laws of [0] given s and given t is at most [1] for every p in [3] and every pair "
    "(s, t) in [2] with P_p(s) > 0 and P_p(t) > 0",
    tex=r"\forall p \in [3], (s, t) \in [2]:\ W_\infty(P_p([0] \mid s), P_p([0] \mid t)) \le [1]",
    coq="Couplings.distance_at_most [0] [1] [2] [3]",
    value=_distances,
    relation="<=",
    meaning="W_inf of two laws is at most d if a coupling of them moves no mass by more than d.",
)
ALONE = entry(
    "one query",
    takes=(QUERY, SCALE),
    gives=QUERIES,
    words="[0] with scale [1]",
    tex="{[0]}_{[1]}",
    coq="[([0], [1])]",
    value=lambda f, root: [(f, root)],
    precedence=0,
)
BY_SCALE = entry(
    "distance by scale",
    takes=("R", SCALE),
    gives="level",
    words="[0]/[1]",
    tex="[0] / [1]",
    coq="[0] / [1]",
    value=lambda d, root: Log(root ** (-2 * d)),
    precedence=40,
)
