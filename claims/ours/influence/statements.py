"""Influences along chains as programs: laws of all records written out, and powers of kernels."""

from collections.abc import Mapping, Sequence
from typing import Any

from pufferproof.claims.language.instances.chains import (
    chain,
    given_values,
    influence,
    marginal,
    sequences,
)
from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, subsets, times
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Matrix = Sequence[Sequence[F]]
Bound = F | None


def power(P: Matrix, d: int) -> list[list[F]]:
    """Return P^d."""
    size = len(P)
    result = [[F(x == y) for y in range(size)] for x in range(size)]
    for _ in range(d):
        result = [
            [sum((p * P[z][y] for z, p in enumerate(row) if p), ZERO) for y in range(size)]
            for row in result
        ]
    return result


def largest(quotients: Sequence[tuple[F, F]]) -> Bound:
    """Return the largest of quotients, 0/0 left out, or None if one is infinite."""
    best = ZERO
    for above, below in quotients:
        if above and not below:
            return None
        best = max(best, above / below) if below else best
    return best


def directed(law: Any, i: int, others: Sequence[int], v: int, w: int) -> Bound:
    """Return the largest P(X_Q = q | X_i = v)/P(X_Q = q | X_i = w)."""
    laws = given_values({x: p for x, p in law.items() if x[i - 1] in (v, w)}, i)
    p, q = (marginal(laws[each], others) for each in (v, w))
    return largest([(weight, q.get(x, ZERO)) for x, weight in p.items()])


def _forward(P: Matrix, b: int, v: int, w: int) -> Bound:
    Q = power(P, b)
    return largest(list(zip(Q[v], Q[w])))


def _any(P: Matrix, i: int, a: int, b: int, v: int, w: int) -> Bound:
    """The supremum over all laws of X_1, by its formula."""
    Q, first, before = power(P, a), power(P, i - 1), power(P, i - a - 1)
    reached = [x for x in range(len(P)) if any(row[x] for row in before)]
    back = largest([(Q[x][v], Q[x][w]) for x in reached])
    return times(back, largest([(row[w], row[v]) for row in first]), _forward(P, b, v, w))


def boxes(draws: Draws) -> Instance:
    """The law of three or four records of a chain, a record i, and three distances to each side
    that do not decrease, where a missing record is the farthest; e^epsilon, 2 to 9.
    """
    start, P = chain(draws, states=2 + draws.below(2))
    T = 5 - len(start) + draws.below(2)
    i = 1 + draws.below(T)
    left = sorted(1 + draws.below(i) for _ in range(3))
    right = sorted(1 + draws.below(T - i + 1) for _ in range(3))
    law, R = sequences(start, P, T), F(draws.among([2, 3, 9]))
    return {"law": law, "i": i, "T": T, "left": left, "right": right, "R": R}


def _at(law: Mapping[tuple[int, ...], F], i: int, T: int, a: int, b: int) -> Bound:
    return influence(law, i, [j for j in (i - a, i + b) if 1 <= j <= T])


def _boxed(
    law: Mapping[tuple[int, ...], F],
    i: int,
    T: int,
    left: Sequence[int],
    right: Sequence[int],
    R: F,
    equal: bool = False,
    size: int = 0,
) -> bool:
    """Whether e falls with both distances, and the quilt in the middle, if its e is below epsilon,
    has no better score than the size of the near corner with the e of the far one.
    """
    near, middle, far = (_at(law, i, T, a, b) for a, b in zip(left, right))
    if equal:
        return near == far
    if not (at_most(far, middle) and at_most(middle, near)):
        return False
    hidden = [a + b - 1 for a, b in zip(left, right)]
    # m/(log R - log e) >= n/(log R - log e') where (R/e')^m >= (R/e)^n
    if middle is None or far is None or middle >= R:
        return True
    return bool((R / far) ** hidden[1] >= (R / middle) ** hidden[size])


BOXES = Statement(
    family=boxes,
    holds=_boxed,
    too_strong={"equality": {"equal": True}, "the size of the far corner": {"size": 2}},
)


def far_laws(draws: Draws) -> Instance:
    """A stochastic matrix Q on two or three values, y, numbers pi > 0 with the equation for y, the
    set C of all values from which Q leads to y, or some of them; a law m with zeros.
    """
    size = 2 + draws.below(2)
    Q = draws.rows(size, size, 2)
    y = draws.below(size)
    to_y = [x for x in range(size) if Q[x][y]]
    C = to_y if draws.below(4) < 3 else draws.several(to_y)
    pi = [F(1 + draws.below(4), 2) for _ in range(size)]
    rest = sum((pi[x] * Q[x][y] for x in C if x != y), ZERO)
    stay = Q[y][y] if y in C else ZERO
    pi[y] = rest / (1 - stay) if stay < 1 else pi[y]
    return {"Q": Q, "y": y, "C": C, "pi": pi, "m": draws.law(size, 3)}


def _between(Q: Matrix, y: int, C: Sequence[int], pi: Row, m: Row, factor: F = ONE) -> bool:
    value = sum((p * row[y] for p, row in zip(m, Q)), ZERO) / pi[y]
    ratios = [m[x] / pi[x] for x in C]
    return bool(min(ratios) <= value <= factor * max(ratios))


SOLVED = "the sum of pi(x) Q(x, y) over C is pi(y), and pi is positive there"
ONLY_C = "only values in C lead to y from m"
FAR_LAWS = Statement(
    family=far_laws,
    given={
        SOLVED: lambda Q, y, C, pi, m: (
            bool(C) and pi[y] > 0 and sum((pi[x] * Q[x][y] for x in C), ZERO) == pi[y]
        ),
        ONLY_C: lambda Q, y, C, pi, m: all(x in C or not (m[x] * Q[x][y]) for x in range(len(m))),
    },
    holds=_between,
    too_strong={"99/100 of the largest": {"factor": ALMOST}},
    too_weak=[ONLY_C],
)


def contrasts(draws: Draws) -> Instance:
    """A matrix P on two or three values, d = 1 or 2, y, two values, and bounds of the masses of
    rows on sets, exact or a quarter off; R the largest quotient, or half more.
    """
    size = 2 + draws.below(2)
    P = [draws.law(size, 3) for _ in range(size)]
    return {
        "P": P,
        "d": 1 + draws.below(2),
        "y": draws.below(size),
        "v": draws.below(size),
        "w": draws.below(size),
        "off": F(draws.below(2), 4),
        "more": F(draws.below(2), 2),
    }


def _contrast(
    P: Matrix, d: int, y: int, v: int, w: int, off: F, more: F, factor: F = ONE, least: bool = False
) -> bool:
    column = [row[y] for row in power(P, d)]
    R = max(column) / min(column) + more
    following = power(P, d + 1)
    A, B = (
        [sum((P[value][z] for z in S), ZERO) for S in subsets(range(len(P)))] for value in (v, w)
    )
    above, below = [min(ONE, each + off) for each in A], [max(ZERO, each - off) for each in B]
    both = list(zip(above, below))
    largest_ = max((1 + (R - 1) * p) / (1 + (R - 1) * q) for p, q in both)
    D = max(p - q for p, q in both)
    bound = ONE if least else factor * largest_
    return following[v][y] <= bound * following[w][y] and largest_ <= 1 + (R - 1) * D


POSITIVE_COLUMN = "P^d(., y) > 0"
CONTRAST = Statement(
    family=contrasts,
    given={POSITIVE_COLUMN: lambda P, d, y, **_: all(row[y] for row in power(P, d))},
    holds=_contrast,
    too_strong={"99/100 of the bound": {"factor": ALMOST}, "1": {"least": True}},
)


def two_values(draws: Draws) -> Instance:
    """p, r in sixths from 0 to 1, or in twelfths to a half, and larger ones; v, w; distances a, b
    from 1 to 3; i > a.
    """
    whole = draws.among([6, 12])
    numbers = [F(draws.below(7), whole) for _ in range(4)]
    a = 1 + draws.below(3)
    v = draws.below(2)
    return {
        "p": sorted(numbers[:2]),
        "r": sorted(numbers[2:]),
        "v": v,
        "a": a,
        "b": 1 + draws.below(3),
        "i": a + 1 + draws.below(2),
    }


def _matrix(p: F, r: F) -> list[list[F]]:
    return [[1 - p, p], [r, 1 - r]]


def ratio_at(p: F, r: F, v: int, d: int) -> Bound:
    """Return F(v, w; d)."""
    return _forward(_matrix(p, r), d, v, 1 - v)


def _quotients(p: Row, r: Row, v: int, a: int, odd: bool = True, **_: object) -> bool:
    """Whether F(v, w; d) is the quotient at y = v, at y = w if c < 0 and d is odd; 1 if c = 0."""
    c, Q = 1 - p[0] - r[0], power(_matrix(p[0], r[0]), a)
    y = 1 - v if c < 0 and a % 2 and odd else v
    found = ratio_at(p[0], r[0], v, a)
    return found == largest([(Q[v][y], Q[1 - v][y])]) and (c != 0 or found == 1)


CHANGES = "p, r > 0"


def _changes(p: Row, r: Row, **_: object) -> bool:
    return bool(p[0] and r[0])


QUOTIENTS = Statement(
    family=two_values,
    given={CHANGES: _changes},
    holds=_quotients,
    too_strong={"always at v": {"odd": False}},
    too_weak=[CHANGES],
)


def _influences(p: Row, r: Row, v: int, a: int, b: int, i: int, turned: bool = True) -> bool:
    """Whether the formulas hold from the stationary law, for all laws and without a left record:
    not where there are two such laws, or one at which v or w is impossible.
    """
    P, w = _matrix(p[0], r[0]), 1 - v
    if not (p[0] and r[0]):
        return False
    start = [r[0] / (p[0] + r[0]), p[0] / (p[0] + r[0])]
    law = sequences(start, P, i + b)
    at = {d: ratio_at(p[0], r[0], v, d) for d in (a, b)}
    past = ratio_at(p[0], r[0], w if turned else v, i - 1)
    return (
        directed(law, i, [i - a, i + b], v, w) == times(at[a], at[b])
        and _any(P, i, a, b, v, w) == times(at[a], past, at[b])
        and directed(law, i, [i + b], v, w) == at[b]
    )


INFLUENCES = Statement(
    family=two_values,
    given={CHANGES: _changes},
    holds=_influences,
    too_strong={"F(v, w; i-1) on the left": {"turned": False}},
    too_weak=[CHANGES],
)


def _monotone(p: Row, r: Row, v: int, d: int, falls: bool) -> bool:
    """Whether F does not rise, or does not fall, from the smaller p or r to the larger one."""
    near, *far = (ratio_at(x, y, v, d) for x, y in ((p[0], r[0]), (p[1], r[0]), (p[0], r[1])))
    return all(at_most(each, near) if falls else at_most(near, each) for each in far)


def _sign(positive: bool) -> Any:
    """Whether c is not negative, or not positive, over the box."""
    if positive:
        return lambda p, r, **_: bool(p[1] + r[1] <= 1)
    return lambda p, r, **_: bool(p[0] + r[0] >= 1)


def _reading(positive: bool, distances: Sequence[int]) -> Statement:
    words = "c >= 0 over the box" if positive else "c <= 0 over the box"
    return Statement(
        family=two_values,
        given={CHANGES: _changes, words: _sign(positive)},
        holds=lambda p, r, v, a, other_way=False, **_: all(
            _monotone(p, r, v, d, (not positive if other_way else positive)) for d in distances
        ),
        too_strong={"the other way": {"other_way": True}},
        too_weak=[words],
    )


POSITIVE, EVEN, ODD = _reading(True, (1, 2, 3)), _reading(False, (2, 4)), _reading(False, (1, 3))
