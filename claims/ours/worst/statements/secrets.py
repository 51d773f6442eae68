"""Several pairs or priors: universal collapse, phase transitions, singletons, bits and parities."""

from collections.abc import Sequence
from functools import cache
from itertools import product

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.collapse import support
from pufferproof.claims.ours.worst.statements.cones import (
    LEVELS,
    Pair,
    both,
    column,
    inside,
    level,
    occurs,
    pairs,
    ratio,
    small,
    times,
    worst,
)

F = Fraction


def spread_laws(draws: Draws) -> Instance:
    """Two or three databases, one or two pairs of laws, in one order or both, of which those of the
    second secret are uniform on two or three databases in half of all cases; R = 2, 3 or 3/2.
    """
    size = 2 + draws.below(2)
    T = pairs(draws, size, 2)
    even = [[F(1, size)] * size, [HALF, HALF, *[ZERO] * (size - 2)]]
    if draws.whether():
        T = [(draws.law(size, 2), draws.among(even)) for _ in T]
    return {"T": T, "R": draws.among([F(2), F(3), F(3, 2)])}


def _all_collapse(T: Sequence[Pair], R: F, fewer: int = 0) -> bool:
    """Whether |supp nu| releases are infinite, for each (mu, nu) with supp mu outside supp nu."""
    return all(
        worst(T, [R] * max(1, len(support(nu)) - fewer), [(mu, nu)]) is None
        for mu, nu in T
        if not set(support(mu)) <= set(support(nu))
    )


SPREAD = "every law nu gives every database at most 1 - 1/R"
UNIVERSAL = Statement(
    family=spread_laws,
    given={SPREAD: lambda T, R: all(R * p <= R - 1 for _, nu in T for p in nu)},
    holds=_all_collapse,
    too_strong={"one release fewer": {"fewer": 1}},
    too_weak=[SPREAD],
)


def transitions(draws: Draws) -> Instance:
    """X in a, b1, b2, secrets a and not a in both orders; two to three probabilities of b1 given
    not a, from 0 to 1; R from 1 to 3, which is often the threshold; K = 2 or 3 releases.
    """
    unit = draws.among([3, 5, 2, 4])
    p = sorted({F(draws.below(unit + 1), unit) for _ in range(2 + draws.below(2))})
    if len(p) == 1:
        p = sorted({*p, F(1, 6)})
    R = draws.among([ONE, F(2), F(3, 2), F(4, 3), F(3)])
    return {"p": p, "R": R, "K": 2 + draws.below(2)}


def of_probabilities(p: Row) -> list[Pair]:
    """Return T for these probabilities of b1 given not a."""
    return both([([ONE, ZERO, ZERO], [ZERO, q, 1 - q]) for q in p])


def _over(p: Row, R: F) -> bool:
    """Whether R^2 is at least the larger quotient."""
    quotients = [(1 - p[0], 1 - p[-1]), (p[-1], p[0])]
    return all(low > 0 and R**2 * low >= high for high, low in quotients)


OVER, UNDER = "R^2 is at least the threshold", "R^2 is below the threshold"
ABOVE_THRESHOLD = Statement(
    family=transitions,
    given={OVER: lambda p, R, K: _over(p, R)},
    holds=lambda p, R, K, one_release=False: (
        worst(of_probabilities(p), ([R] if one_release else [R, R])) is None
    ),
    too_strong={"one release": {"one_release": True}},
    too_weak=[OVER],
)
BELOW_THRESHOLD = Statement(
    family=transitions,
    given={UNDER: lambda p, R, K: not _over(p, R)},
    holds=lambda p, R, K, no_more_than=False: (
        (worst(of_probabilities(p), [R] * K) is not None)
        and (
            not no_more_than
            or ((most := worst(of_probabilities(p), [R] * K)) is not None and most <= R**2)
        )
    ),
    too_strong={"no more than R^2": {"no_more_than": True}},
    too_weak=[UNDER],
)


def smaller(draws: Draws) -> Instance:
    """Probabilities 1/3 and 2/3 of b1 given not a, the levels 3/2 and a smaller one, K releases."""
    return {
        "p": [F(1, 3), F(2, 3)],
        "R": draws.among([F(4, 3), F(5, 4), F(7, 5), ONE]),
        "K": 1 + draws.below(4),
    }


def _removed(p: Row, R: F, K: int) -> bool:
    T = of_probabilities(p)
    return worst(T, [F(3, 2)] * 2) is None and worst(T, [R] * K) is not None


SMALLER_BUDGETS = Statement(
    family=smaller,
    holds=_removed,
    too_strong={"at 3/2 too": {"R": F(3, 2)}},
)


def points(draws: Draws) -> Instance:
    """One or two priors on two or three databases, the first with two possible ones or more, each
    possible database paired with its complement, in both orders in seven of eight cases, with a
    further pair in one of four; a vector u of small numbers, R the least level at which it lies in
    the cone or 2, K = 2 or 3.
    """
    size = 2 + draws.below(2)
    pi = draws.law(size, 3)
    if len(support(pi)) == 1:
        pi = [F(1, size)] * size
    T = [_point(pi, x) for x in support(pi)]
    whole = draws.below(8) < 7
    T = both(T) if whole else T
    if draws.below(4) == 3:
        T.append(([*pi], [F(1, len(support(pi))) if p else ZERO for p in pi]))
    u = column(draws, size)
    R = level(T, u) or F(2)
    return {"pi": pi, "T": T, "whole": whole, "u": u, "R": R, "K": 2 + draws.below(2)}


def _point(pi: Row, x: int) -> Pair:
    """The law given X = x, and given that it is not."""
    rest = 1 - pi[x]
    return (
        [ONE if z == x else ZERO for z in range(len(pi))],
        [p / rest if z != x else ZERO for z, p in enumerate(pi)],
    )


def _by_points(
    pi: Row, T: Sequence[Pair], u: Row, R: F, K: int, factor: F = ONE, **_: object
) -> bool:
    bounded = all(
        pi[y] * u[y] <= factor * R * (1 - pi[x]) * u[x]
        for x in support(pi)
        for y in support(pi)
        if x != y
    )
    return bounded and worst(T, [R] * K) is not None


BOTH_ORDERS, IN_CONE = "both orders of every pair", "u lies in C_R"
SINGLETONS = Statement(
    family=points,
    given={
        IN_CONE: lambda T, u, R, **_: inside(T, R, u),
        BOTH_ORDERS: lambda whole, **_: bool(whole),
    },
    holds=_by_points,
    too_strong={"99/100 of the bound": {"factor": ALMOST}},
    too_weak=[IN_CONE, BOTH_ORDERS],
)


def three_databases(draws: Draws) -> Instance:
    """A prior without zeros on a, b1, b2, R from 1 to 2, K = 2 or 3 releases."""
    return {"pi": draws.positive_law(3), "R": draws.among(LEVELS), "K": 2 + draws.below(2)}


def _restored(pi: Row, R: F, K: int, added: int = 3) -> bool:
    with_all = both([_point(pi, x) for x in range(added)])
    alone = both([_point(pi, 0)])
    return worst(alone, [R, R]) is None and worst(with_all, [R] * K) is not None


ALL_POSSIBLE = "all three have positive probability"
ADDING = Statement(
    family=three_databases,
    edges=[{"pi": [HALF, HALF, ZERO], "R": F(2), "K": 2}],
    given={ALL_POSSIBLE: lambda pi, R, K: all(pi)},
    holds=_restored,
    too_strong={"with the first secret alone": {"added": 1}},
    too_weak=[ALL_POSSIBLE],
)


def cubes(draws: Draws) -> Instance:
    """One to three bits, uniform; R from 1 to 3, often at the threshold, K = n or more releases; K
    columns of whole numbers, zeros and ties often, 1 - e_y among them.
    """
    n = draws.among([2, 1, 3])
    size = 2**n
    R = draws.among([F(4, 3), F(3, 2), F(5, 4), F(2), F(3), ONE])
    K = 1 + draws.below(2)
    columns = []
    for _ in range(K):
        y = draws.below(size)
        few = [F(x != y) for x in range(size)]
        near = [F(draws.among([4, 5, 3, 2])) for _ in range(size)]
        columns.append(few if draws.below(8) == 7 else near)
    return {"n": n, "R": R, "columns": columns}


@cache
def parity_pairs(n: int) -> list[Pair]:
    """Return T for all parities of uniform bits, in both orders."""
    whole = list(product((0, 1), repeat=n))
    share = F(2, len(whole))
    T: list[Pair] = []
    for S in whole[1:]:
        odd = [sum(a * b for a, b in zip(S, x)) % 2 for x in whole]
        T.append(([share * (1 - bit) for bit in odd], [share * bit for bit in odd]))
    return both(T)


def _far_below(n: int, R: F) -> bool:
    return bool(R * (2 ** (n - 1) - 1) < 2 ** (n - 1))


COLUMNS, LOW, HIGH = "the columns are within budget", "R is below the threshold", "n >= 2"
PARITIES_FINITE = Statement(
    family=cubes,
    given={
        COLUMNS: lambda n, R, columns: all(inside(parity_pairs(n), R, u) for u in columns),
        LOW: lambda n, R, columns: _far_below(n, R),
    },
    holds=lambda n, R, columns, no_more_than=False: (
        (ratio(parity_pairs(n), times(*columns)) is not None)
        and (
            not no_more_than
            or (
                (most := ratio(parity_pairs(n), times(*columns))) is not None
                and most <= R ** (len(columns) - 1)
            )
        )
    ),
    too_strong={"no more than the product of levels": {"no_more_than": True}},
)


def thresholds(draws: Draws) -> Instance:
    """One to three bits, uniform, and R from 1 to 3, often at the threshold, or just below it."""
    n = draws.among([2, 1, 3])
    return {"n": n, "R": draws.among([F(4, 3), F(2), ONE, F(3, 2), F(5, 4), F(3), F(199, 100)])}


def _complements(n: int, R: F, left_out: int = 0) -> bool:
    """Whether the columns 1 - e_y, y outside a class of a parity, are of mechanisms of level R and
    collapse.
    """
    T, size = parity_pairs(n), 2**n
    y = [x for x in range(size) if T[0][1][x]]
    columns = [[F(x != each) for x in range(size)] for each in y]
    kept = all(occurs(T, R, u, small(R, u)) for u in columns)
    return kept and ratio(T, times(*columns[left_out:])) is None


FAR = "R is at least the threshold"
PARITIES_COLLAPSE = Statement(
    family=thresholds,
    given={HIGH: lambda n, R: n >= 2, FAR: lambda n, R: not _far_below(n, R)},
    holds=_complements,
    too_strong={"with a mechanism less": {"left_out": 1}},
    too_weak=[FAR],
)
