"""Section 4: the three mechanisms that collapse, with their revealing times from the definition.

A run of times is followed by its candidates: the databases that allow all outputs so far.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import product

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Secret,
    held,
    leakage,
)
from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.vocabulary.entries.composition.collapses import (
    expected_runs,
    possible,
    shown,
)

F = Fraction


def kinds(draws: Draws) -> Instance:
    """Two to four kinds of runs with positive probabilities, ties often; or one kind, which is
    certain.
    """
    size = 1 + (draws.below(8) + 2) // 3
    return {"q": draws.positive_law(size, 3), "k": 2 + draws.below(5)}


def kinds_in_short_runs(draws: Draws) -> Instance:
    """Two to four kinds of runs with positive probabilities, or one that is certain; k, 2 to 4."""
    return kinds(draws) | {"k": 2 + draws.below(3)}


def _runs_of(q: Sequence[F], k: int) -> F:
    """P(N = k), by listing all sequences of k runs."""
    found = ZERO
    for kinds_ in product(range(len(q)), repeat=k):
        if kinds_[-1] != kinds_[0] and len(set(kinds_[:-1])) == 1:
            found += reduce(lambda p, kind: p * q[kind], kinds_, ONE)
    return found


TWO_KINDS_LAW = Statement(
    family=kinds_in_short_runs,
    given={"0 < q_D < 1": lambda q, k: all(0 < p < 1 for p in q)},
    holds=lambda q, k, one_run_later=False: (
        _runs_of(q, k) == sum((p ** (k if one_run_later else k - 1) * (1 - p) for p in q), ZERO)
    ),
    too_strong={"one run later": {"one_run_later": True}},
)


def _wait(q: Sequence[F]) -> F | None:
    """E N: the runs until all single kinds are excluded, the database 0 having all of them."""
    size = len(q)
    M = [list(q), *([F(w == kind) for w in range(size)] for kind in range(size))]
    return expected_runs(M, 0, frozenset(range(size + 1)), shown(0))


TWO_KINDS_MEAN = Statement(
    family=kinds,
    given={"0 < q_D < 1": lambda q, k: all(0 < p < 1 for p in q)},
    holds=lambda q, k, first_run_not=False, larger_bound_all=False: (
        (_wait(q) == 1 + sum((p / (1 - p) for p in q), ZERO))
        and (not first_run_not or (_wait(q) == sum((p / (1 - p) for p in q), ZERO)))
        and (not larger_bound_all or (_wait(q) == 1 + 1 / (1 - max(q))))
    ),
    too_strong={
        "the first run not counted": {"first_run_not": True},
        "the larger bound for all kinds": {"larger_bound_all": True},
    },
    always="an equation of rational functions of q",
)


def pairs(draws: Draws) -> Instance:
    """A prior with zeros and ties on two to five databases, s1, its complement s2, the mechanism of
    Example 1, and an input x of positive probability.
    """
    size = draws.among([4, 4, 5, 3, 2])
    s = frozenset(x for x in range(size) if x % 2 == 0)
    if draws.below(4) == 3:
        s = frozenset(draws.several(range(size)))
    t = frozenset(range(size)) - s
    prior = draws.law(size, 3) if draws.whether() else draws.positive_law(size, 3)
    x = draws.among(sorted(possible(prior)))
    return {"prior": prior, "s": s, "t": t, "x": x}


def pair_mechanism(prior: Prior, s: Secret, t: Secret) -> list[list[F]]:
    """Return the mechanism of Example 1: its outputs are all (D1, D2), D1 of s and D2 of t."""
    found = []
    for x in range(len(prior)):
        decoys, row = held(prior, t if x in s else s), []
        for pair in product(sorted(s), sorted(t)):
            own, decoy = pair if x in s else pair[::-1]
            row.append(prior[decoy] / decoys if x == own and decoys else ZERO)
        found.append(row)
    return found


TWO_EACH = "each secret has two databases of positive probability"


def two_each(prior: Prior, s: Secret, t: Secret, **_: object) -> bool:
    """Whether each of two secrets has at least two possible databases."""
    return all(len(possible(prior) & each) >= 2 for each in (s, t))


def _told_by_two(prior: Prior, s: Secret, t: Secret) -> bool:
    """Whether two runs can have outputs that are possible given one secret and not the other."""
    M = pair_mechanism(prior, s, t)
    of_s, of_t = ([x for x in each if prior[x]] for each in (s, t))
    return any(
        any(M[x][w] and M[x][z] for x in of_s) and not any(M[y][w] and M[y][z] for y in of_t)
        for w, z in product(range(len(M[0])), repeat=2)
    )


def _leaks(prior: Prior, s: Secret, t: Secret) -> F | None:
    return leakage([prior], [(s, t)], pair_mechanism(prior, s, t))


COLLAPSE = Statement(
    family=pairs,
    given={TWO_EACH: two_each},
    holds=lambda prior, s, t, x, infinite_one=False: (
        (_leaks(prior, s, t) == 1 and _told_by_two(prior, s, t))
        and (not infinite_one or (_leaks(prior, s, t) is None))
    ),
    too_strong={"infinite in one": {"infinite_one": True}},
    too_weak=[TWO_EACH],
)
