"""Two runs of the Markov Quilt Mechanism on far segments as programs: theorem III.3 and its steps.

Quilts are searched inside the own segment, by estimates E(a,b), E(a,.), E(.,b) that depend on
distances alone. X_j has the active quilt {X_(j-a), X_(j+b)}, X_i borrows its distances.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import lcm
from typing import Any

from pufferproof.claims.language.instances.chains import (
    Path,
    given_values,
    influence,
    marginal,
    sequences,
)
from pufferproof.claims.language.instances.laws import (
    ALMOST,
    ONE,
    ZERO,
    at_most,
    entries,
    largest_ratio,
    push,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.song2017.statements.bounds import (
    CHAINS,
    Matrix,
    estimate_of,
    stationary,
)
from pufferproof.claims.papers.song2017.statements.noise import (
    Estimate,
    Law,
    Run,
    leaks,
    least_score,
    needed,
    outputs,
    weighed,
)
from pufferproof.claims.papers.song2017.statements.quilts import Sides, apart, nodes

F = Fraction
Layout = tuple[int, int, int, int]
SEGMENTS = "T1 <= j-a and j+b <= T2"
GAP = "T3-T2 >= max{T2-T1, T4-T3}"


def indices(draws: Draws) -> Instance:
    """T1 < T2 < T3 < T4 <= T with segments of two to six records, i and j in X^A and distances a, b
    from 1 to 5: inside the segment of X_j five times in six, the gap long enough as often.
    """
    T1 = 1 + draws.below(3)
    T2 = T1 + 2 + draws.below(4)
    longest = T2 - T1
    length = 1 + draws.below(longest)
    far = draws.below(6) < 5
    T3 = T2 + (longest + draws.below(3) if far else 1 + draws.below(longest))
    j, i = T1 + 1 + draws.below(longest - 1), T1 + draws.below(longest + 1)
    own = draws.below(6) < 5
    a = 1 + draws.below(j - T1 if own else 5)
    b = 1 + draws.below(T2 - j if own else 5)
    T4 = T3 + length
    ends = {"T1": T1, "T2": T2, "T3": T3, "T4": T4, "T": T4 + draws.below(2)}
    return ends | {"i": i, "j": j, "a": a, "b": b}


def _own(T1: int, T2: int, j: int, a: int, b: int, **_: int) -> bool:
    return j - a >= T1 and j + b <= T2


def _gap(T1: int, T2: int, T3: int, T4: int, **_: int) -> bool:
    return T3 - T2 >= max(T2 - T1, T4 - T3)


def _apart_enough(T1: int, T2: int, T3: int, T4: int) -> bool:
    return T3 - T2 >= max(T2 - T1, T4 - T3) - 1


TOO_NEAR = {"T1": 1, "T2": 5, "T3": 6, "T4": 7, "T": 7, "i": 5, "j": 2, "a": 1, "b": 3}
"""X_(i+b) would lie beyond the last record."""
GIVEN: dict[str, Callable[..., bool]] = {SEGMENTS: _own, GAP: _gap}


def _cases(first: int, T2: int, i: int, a: int, b: int) -> list[bool]:
    left, right = i - a >= first, i + b <= T2
    return [left and right, left and not right, not left and right]


def _borrowed(first: int, i: int, a: int, b: int) -> Sides:
    return (a, b) if i - a >= first else (None, b)


def _three_cases(literal: bool, n: Mapping[str, int], last: int = 3) -> bool:
    """Whether exactly one case holds, and N, Q and R are as listed and make a quilt."""
    first = 1 if literal else n["T1"]
    at = {each: n[each] for each in ("T2", "i", "a", "b")}
    left, right = _borrowed(first, n["i"], n["a"], n["b"])
    Q = nodes(n["i"], left, right)
    low, high = (n["i"] - left if left else first - 1), n["i"] + n["b"]
    records = set(range(first, n["T2"] + 1)) | Q
    near = {k for k in records if low < k < high}
    R = {k for k in records if k < low or k > high}
    return (
        sum(_cases(first, **at)[:last]) == 1
        and all(1 <= k <= n["T"] for k in Q)
        and near | Q | R == records
        and n["i"] in near
        and apart(n["i"], Q, R)
    )


def _cases_from(literal: bool) -> Statement:
    return Statement(
        family=indices,
        edges=[TOO_NEAR],
        given=GIVEN,
        holds=lambda last=3, **n: _three_cases(literal, n, last=last),
        too_strong={"cases 1 and 2 alone": {"last": 2}},
        too_weak=[SEGMENTS, GAP],
    )


CASES, CASES_FROM_T1 = _cases_from(True), _cases_from(False)


def estimated_indices(draws: Draws) -> Instance:
    """T1 < T2 < T3 < T4 <= T with segments of two to six records, i and j in X^A and distances a, b
    from 1 to 5: inside the segment of X_j five times in six, the gap long enough as often; the
    terms x of a and y of b (e to them), rho = e^(1/sigma_max) and R = e^eps, so that sigma_max is
    at least the score of X_j or, one time in six, less.
    """
    drawn = indices(draws)
    x, y, rho = (draws.among([F(2), ONE, F(3, 2)]) for _ in range(3))
    R = rho ** (drawn["a"] + drawn["b"] - 1) * x * y
    return drawn | {"x": x, "y": y, "rho": rho, "R": R * draws.among([ONE] * 5 + [F(1, 2)])}


def _near(first: int, last: int, i: int, quilt: Sides) -> int:
    """card(X_N) by counting; the right node is there."""
    left, right = quilt
    ends = (i - left if left else first - 1), (i + right if right else last + 1)
    return sum(ends[0] < k < ends[1] for k in range(-9, 40))


def _scores(x: F, y: F, rho: F, R: F, n: Mapping[str, int], same: bool = False) -> bool:
    """Same number and estimate in cases 1 and 2, no larger ones in case 3, a scale that is enough;
    for both first indices.
    """
    for first in (1, n["T1"]):
        left, right = _borrowed(first, n["i"], n["a"], n["b"])
        of_j = _near(first, n["T2"], n["j"], (n["a"], n["b"])), x * y
        of_i = _near(first, n["T2"], n["i"], (left, right)), (x if left else ONE) * y
        if of_i != of_j if left or same else of_i[0] > of_j[0] or of_i[1] > of_j[1]:
            return False
        if rho ** of_i[0] * of_i[1] > R:
            return False
    return True


SCORE = "sigma_max >= sigma_j"
SCORES = Statement(
    family=estimated_indices,
    given={
        **GIVEN,
        SCORE: lambda a, b, x, y, rho, R, **_: rho ** (a + b - 1) * x * y <= R,
    },
    holds=lambda x, y, rho, R, same=False, **n: _scores(x, y, rho, R, n, same=same),
    too_strong={"the same in case 3": {"same": True}},
    too_weak=[SCORE],
)


def _sets(n: Mapping[str, int]) -> bool:
    """X_mid is disjoint from X^B and separates it from X^A; the mirror image too."""
    T1, T2, T3, T4 = (n[each] for each in ("T1", "T2", "T3", "T4"))
    low, high = n["i"] - n["a"], n["i"] + n["b"]
    RuQ = {k for k in range(1, T2 + 1) if k <= low or k >= high} | {high}
    mid, out = {k for k in RuQ if k > n["i"]}, {k for k in RuQ if k < n["i"]}
    bob = range(T3, T4 + 1)
    listed = mid == {high, *range(high, T2 + 1)} and out == set(range(1, max(low, 0) + 1))
    return (
        listed
        and not mid & {*bob}
        and all(k in mid or any(k < s < far for s in mid) for k in range(T1, T2 + 1) for far in bob)
    )


SETS = Statement(
    family=indices,
    edges=[TOO_NEAR],
    given=GIVEN,
    holds=lambda mid=False, **n: (
        (_sets(n) and _sets(_mirror(n))) and (not mid or (n["i"] + n["b"] >= n["T2"]))
    ),
    too_strong={"X_mid is X_(i+b)": {"mid": True}},
    too_weak=[SEGMENTS, GAP],
)


def _mirror(n: Mapping[str, int]) -> dict[str, int]:
    """Return the indices with X^A and X^B of the lengths of either exchanged, read backwards: X_i
    and X_j are in X^B.
    """
    length, gap = n["T2"] - n["T1"], n["T3"] - n["T2"]
    T1 = n["T"] + 1 - n["T4"]
    shift = T1 - n["T1"]
    return {
        **n,
        **{"T1": T1, "T2": T1 + length, "T3": T1 + length + gap, "T4": T1 + length + gap + length},
        **{"i": n["i"] + shift, "j": n["j"] + shift},
    }


WEAK = [CHAINS[0], *(((F(x, 8), F(8 - x, 8)), (F(y, 8), F(8 - y, 8))) for x, y in ((5, 4), (3, 5)))]
STRONG: Matrix = ((F(15, 16), F(1, 16)), (F(1, 16), F(15, 16)))
"""No quilt but the empty one is active in a short segment."""
NO_RETURN: Matrix = tuple(
    tuple(map(F, row.split())) for row in ("2/5 3/5 0", "1/4 3/4 0", "1/3 2/3 0")
)
"""The third value never returns."""
NOT_REVERSIBLE: Matrix = tuple(
    tuple(F(x, 6) for x in row) for row in ((3, 2, 1), (1, 3, 2), (2, 1, 3))
)
LAYOUTS: list[Layout] = [(1, 3, 4, 6), (1, 3, 5, 7)]
OVERLAPPING: Layout = (1, 3, 2, 4)
ENOUGH = "T3-T2 >= max{T2-T1, T4-T3} - 1"
QUERIES = ("sum", "middle")


def _value(name: str, x: Path) -> int:
    """The sum or the middle record, where every value above 0 counts as 1."""
    return sum(map(bool, x)) if name == "sum" else int(x[len(x) // 2] > 0)


def far_segments(draws: Draws) -> Instance:
    """A chain of two values with weak steps, independent bits among them, or, one time in four, one
    that seldom changes; X_1 stationary or not, two segments of three records with no or one record
    between them, or, one time in six, two of them shared, and for either the sum or the middle
    record as F, and rho 3/2 to 8. Estimates are the largest influences at any place, or these times
    3/2.
    """
    P = draws.among([*WEAK, STRONG])
    pi = stationary(P)
    return {
        "P": P,
        "q": draws.among([pi, (F(1, 4), F(3, 4)), pi]),
        "layout": draws.among([*LAYOUTS, *LAYOUTS, LAYOUTS[0], OVERLAPPING]),
        "queries": (draws.among(QUERIES), draws.among(QUERIES)),
        "scales": (draws.among([F(8), F(3, 2)]), draws.among([F(8), F(3, 2), F(4)])),
        "more": draws.among([ONE, F(3, 2)]),
    }


@cache
def _law(q: tuple[F, ...], P: Matrix, T: int) -> Law:
    return sequences(q, P, T)


@cache
def by_distance(q: tuple[F, ...], P: Matrix, T: int) -> dict[Sides, F]:
    """E(a,b) for distances up to 2: the largest influence over all records that have the nodes, and
    no less than E(a,.) and E(.,b).
    """
    law, found = _law(q, P, T), dict[Sides, F]()
    forms: list[Sides] = [(1, None), (None, 1), (2, None), (None, 2), (1, 1)]
    for a, b in forms:
        records = range(1 + (a or 0), T + 1 - (b or 0))
        at = [influence(law, i, sorted(nodes(i, a, b))) or ONE for i in records]
        found[a, b] = max([*at, found.get((a, None), ONE), found.get((None, b), ONE)])
    return found | {(None, None): ONE}


def _estimates(instance: Mapping[str, Any]) -> Estimate:
    E = by_distance(instance["q"], instance["P"], instance["layout"][3])
    return lambda law, i, quilt: E[quilt] * instance["more"] if quilt != (None, None) else ONE


def _level(instance: Mapping[str, Any], own: int, length: int = 3) -> F:
    """e to the level of one run, on a segment of some length."""
    return needed([{}], length, instance["scales"][own], _estimates(instance))


def _two_sided(instance: Mapping[str, Any], length: int = 3) -> bool:
    """Whether some record of either segment has an active quilt with two nodes."""
    return all(
        any(
            None
            not in least_score({}, length, j, _level(instance, own, length), _estimates(instance))
            for j in range(1, length + 1)
        )
        for own in (0, 1)
    )


@cache
def _pair(
    q: tuple[F, ...],
    P: Matrix,
    layout: Layout,
    queries: tuple[str, str],
    scales: tuple[F, F],
) -> F:
    """The largest ratio of both outputs for the secrets of both segments."""
    T1, T2, T3, T4 = layout
    law = marginal(_law(q, P, T4), [*range(T1, T2 + 1), *range(T3, T4 + 1)])
    tables = [
        {x: _value(name, x[part]) for x in law}
        for name, part in zip(queries, (slice(0, 3), slice(3, 6)))
    ]
    return leaks([law], 6, list(zip(tables, scales)))


def _far(instance: Mapping[str, Any], least: Any = max, factor: F = ONE) -> bool:
    names = ("q", "P", "layout", "queries", "scales")
    bound = least(_level(instance, own) for own in (0, 1))
    return bool(_pair(*(instance[each] for each in names)) <= factor * bound)


ACTIVE = "some X_i in X^A and X_j in X^B have two-sided active quilts"
FAR_ENOUGH: dict[str, Callable[..., bool]] = {
    ACTIVE: lambda **instance: _two_sided(instance),
    ENOUGH: lambda layout, **_: _apart_enough(*layout),
}
BY_DISTANCE = Statement(
    family=far_segments,
    given=FAR_ENOUGH,
    holds=lambda factor=ONE, **instance: _far(instance, factor=factor),
    too_strong={
        "99/100 of it": {"factor": ALMOST},
    },
    too_weak=[ACTIVE, ENOUGH],
    edges=[
        {
            "P": NO_RETURN,
            "q": q,
            "layout": LAYOUTS[0],
            "queries": QUERIES[:1] * 2,
            "scales": (F(8), F(8)),
            "more": ONE,
        }
        for q in (stationary(NO_RETURN), (ZERO, ZERO, ONE))
    ],
)


def placed_chain(draws: Draws) -> Instance:
    """A chain of two values, X_1 with its stationary law three times in four, six or seven records
    and distances a and b from 1 to 3.
    """
    P = draws.among(CHAINS[:-2])
    pi = stationary(P)
    return {
        "P": P,
        "q": draws.among([pi, pi, pi, (F(1, 4), F(3, 4))]),
        "T": 6 + draws.below(2),
        "a": 1 + draws.below(3),
        "b": 1 + draws.below(2),
    }


@cache
def _at(q: tuple[F, ...], P: Matrix, T: int, i: int, a: int | None, b: int | None) -> F | None:
    return influence(_law(q, P, T), i, sorted(nodes(i, a, b)))


def _such_numbers(q: tuple[F, ...], P: Matrix, T: int, a: int, b: int) -> bool:
    """Whether the influence is the same at every place, and one side has no more than both."""
    forms: list[Sides] = [(a, b), (a, None), (None, b)]
    found = [
        {_at(q, P, T, i, left, right) for i in range(1 + (left or 0), T + 1 - (right or 0))}
        for left, right in forms
    ]
    return all(len(each) == 1 for each in found) and all(
        at_most(one, both) for both in found[0] for one in found[1] | found[2]
    )


START = "X_1 has a stationary law"
STATIONARY_NUMBERS = Statement(
    family=placed_chain,
    given={START: lambda q, P, T, a, b: q == stationary(P)},
    holds=lambda q, P, T, a, b, one_side_has=False: (
        _such_numbers(q, P, T, a, b)
        and (not one_side_has or (_at(q, P, T, 4, a, None) != _at(q, P, T, 4, a, b)))
    ),
    too_strong={
        "one side has less": {"one_side_has": True},
    },
    too_weak=[START],
    edges=[
        {"P": P, "q": stationary(P), "T": 6, "a": 1, "b": 2} for P in (NO_RETURN, NOT_REVERSIBLE)
    ],
)


def _bobs(law: Law, mid: Sequence[int], run: Run) -> dict[Path, list[F]]:
    """The densities of Bob's outputs given every value of X_mid."""
    given: dict[Path, dict[Path, F]] = {}
    for x, p in law.items():
        given.setdefault(tuple(x[k - 1] for k in mid), {})[x] = p
    return {
        key: [each / sum(part.values()) for each in _densities(part, run)]
        for key, part in given.items()
    }


def _densities(law: Law, run: Run) -> list[F]:
    """The densities of the outputs of one run, up to a factor that all have."""
    values: dict[Path, F] = push(law, lambda x: (run[0][x],))
    return [weighed(values, [run], w) for w in outputs([run[0]])]


@cache
def _protects(
    q: tuple[F, ...],
    P: Matrix,
    layout: Layout,
    queries: tuple[str, str],
    scales: tuple[F, F],
    with_bob: bool,
) -> F | None:
    """The largest ratio of densities of Alice's output and RuQ of a borrowed quilt with a = b = 1
    for a record of X^A; with Bob's density given X_mid as a factor.
    """
    T1, T2, T3, T4 = layout
    law = _law(q, P, T4)
    A, B = (
        {x: _value(name, x[first - 1 : last]) for x in law}
        for name, (first, last) in zip(queries, ((T1, T2), (T3, T4)))
    )
    worst: list[F | None] = []
    for i in range(T1, T2 + 1):
        RuQ = [k for k in range(1, max(T2, i + 1) + 1) if k != i]
        shown = entries([k - 1 for k in RuQ])
        right = [place for place, k in enumerate(RuQ) if k > i]
        bobs = _bobs(law, [k for k in RuQ if k > i], (B, scales[1])) if with_bob else {}
        found = []
        for each in given_values(law, i).values():
            row: dict[Any, F] = {}
            parts: dict[Path, dict[Path, F]] = {}
            for x, p in each.items():
                parts.setdefault(shown(x), {})[x] = p
            for key, part in parts.items():
                bob = bobs.get(tuple(key[place] for place in right), [ONE])
                for w, own in enumerate(_densities(part, (A, scales[0]))):
                    row |= {(key, w, n): own * u for n, u in enumerate(bob)}
            found.append(row)
        worst.append(largest_ratio(found))
    return None if None in worst else max(each for each in worst if each is not None)


def _protected(instance: Mapping[str, Any], with_bob: bool, factor: F = ONE) -> bool:
    names = ("q", "P", "layout", "queries", "scales")
    found = _protects(*(instance[each] for each in names), with_bob)
    return at_most(found, factor * _level(instance, 0))


def _protection(with_bob: bool) -> Statement:
    return Statement(
        family=far_segments,
        given=FAR_ENOUGH,
        holds=lambda factor=ONE, **instance: _protected(instance, with_bob, factor=factor),
        too_strong={
            "99/100 of it": {"factor": ALMOST},
        },
        too_weak=[ACTIVE],
    )


PROTECTION, RATIO = _protection(False), _protection(True)


ENDS: list[Layout] = [(1, 5, 9, 13), (1, 5, 10, 14), (1, 5, 9, 13), (1, 5, 2, 6)]
"""Segments with so much between them as the theorem asks for, or more; the last ones overlap."""


def approximate_segments(draws: Draws) -> Instance:
    """An irreducible aperiodic chain of two values with a threshold below 2, or, one time in four,
    one that seldom changes; any law of X_1, two segments of five records with three or four between
    them, or, one time in four, two that share four records; their sums or middle records, and rho
    from 2 to 1000, or 11/10. Records between are summed out.
    """
    P = draws.among([CHAINS[0], *WEAK[1:], STRONG])
    scales = (draws.among([F(1000), F(64), F(2)]), draws.among([F(1000), F(64)]))
    return {
        "P": P,
        "q": draws.among([(F(1, 2), F(1, 2)), (F(1, 10), F(9, 10))]),
        "layout": draws.among(ENDS),
        "queries": (draws.among(QUERIES), draws.among(QUERIES)),
        "scales": (F(11, 10), F(11, 10)) if P == STRONG else scales,
    }


def _jump(P: Matrix, steps: int) -> Matrix:
    found: Matrix = ((ONE, ZERO), (ZERO, ONE))
    for _ in range(steps):
        found = tuple(
            tuple(sum((row[z] * P[z][y] for z in (0, 1)), ZERO) for y in (0, 1)) for row in found
        )
    return found


def _paths(q: tuple[F, ...], P: Matrix, layout: Layout) -> Iterator[tuple[Path, F]]:
    """Yield the records of both segments, from X_T1 on, with those between left out; q is the law
    of X_T1.
    """
    T1, T2, T3, T4 = layout
    if T3 <= T2:
        yield from sequences(q, P, T4 - T1 + 1).items()
        return
    jump = _jump(P, T3 - T2)
    first = sequences(q, P, T2 - T1 + 1)
    second = [sequences([F(x == 0), F(x == 1)], P, T4 - T3 + 1) for x in (0, 1)]
    for left, p in first.items():
        for x in (0, 1):
            for right, r in second[x].items():
                yield (*left, *right), p * jump[left[-1]][x] * r


@cache
def _joint_values(
    q: tuple[F, ...], P: Matrix, layout: Layout, queries: tuple[str, str]
) -> dict[tuple[int, int], dict[tuple[int, int], F]]:
    """For the records of both segments and their values the masses of both sums or middle
    records.
    """
    T1, T2, T3, T4 = layout
    found: dict[tuple[int, int], dict[tuple[int, int], F]] = {}
    for path, mass in _paths(q, P, layout):
        first, second = path[: T2 - T1 + 1], path[-(T4 - T3 + 1) :]
        value = _value(queries[0], first), _value(queries[1], second)
        for at, bit in enumerate(path):
            of = found.setdefault((at, bit), {})
            of[value] = of.get(value, ZERO) + mass
    return found


@cache
def _approximate_pair(
    q: tuple[F, ...],
    P: Matrix,
    layout: Layout,
    queries: tuple[str, str],
    scales: tuple[F, F],
) -> F:
    """The largest ratio of both outputs for the secrets of both segments."""
    worst = ONE
    found = _joint_values(q, P, layout, queries)
    grids = [range(6) if name == "sum" else range(2) for name in queries]
    near = [
        [scale.numerator ** (5 - apart) * scale.denominator**apart for apart in range(6)]
        for scale in scales
    ]  # times a number
    common = lcm(*(p.denominator for of in found.values() for p in of.values()))
    for at in {at for at, _ in found}:
        laws, totals = [], []
        for bit in (0, 1):
            of = [(f, g, int(p * common)) for (f, g), p in found[at, bit].items()]
            totals.append(sum(p for _, _, p in of))
            laws.append(
                [
                    sum([p * near[0][abs(u - f)] * near[1][abs(v - g)] for f, g, p in of])
                    for u, v in product(*grids)
                ]
            )
        ratios = [F(p * totals[1], q * totals[0]) for p, q in zip(*laws)]
        worst = max(worst, *ratios, 1 / min(ratios))
    return worst


@cache
def _approximate_level(P: Matrix, rho: F, length: int) -> tuple[F, bool]:
    """e to the level of MQMApprox on a segment, from above, and whether some record has an active
    quilt with two nodes.
    """
    estimate = estimate_of(P)
    R = needed([{}], length, rho, estimate)
    records = range(1, length + 1)
    return R, any(None not in least_score({}, length, j, R, estimate) for j in records)


def _approximate_levels(P: Matrix, layout: Layout, scales: tuple[F, F]) -> list[tuple[F, bool]]:
    lengths = layout[1] - layout[0] + 1, layout[3] - layout[2] + 1
    return [_approximate_level(P, rho, length) for rho, length in zip(scales, lengths)]


APPROXIMATE = Statement(
    family=approximate_segments,
    given={
        ACTIVE: lambda P, layout, scales, **_: all(
            active for _, active in _approximate_levels(P, layout, scales)
        ),
        GAP: lambda layout, **_: _gap(*layout),
    },
    holds=lambda P, q, layout, queries, scales, sigma_max=False: (
        _approximate_pair(q, P, layout, queries, scales)
        <= max(scales if sigma_max else (R for R, _ in _approximate_levels(P, layout, scales)))
    ),
    too_strong={"1/sigma_max": {"sigma_max": True}},
    too_weak=[ACTIVE],
)


def frozen(draws: Draws) -> Instance:
    """Seven bits, X_1, X_2, X_3, X_6 and X_7 independent and fair, X_3 = X_4 = X_5, or, one time in
    four, X_5 independent too; rho = e^eps from 3/2 to 5.
    """
    again = draws.below(4) == 3
    law = {
        x: F(1, 64 if again else 32)
        for x in product((0, 1), repeat=7)
        if x[2] == x[3] and (again or x[3] == x[4])
    }
    return {"law": law, "rho": draws.among([F(2), F(3), F(3, 2), F(5)])}


@cache
def _frozen(law: tuple[tuple[Path, F], ...], rho: F) -> tuple[Any, ...]:
    """Both levels, the active quilts of X_2 and X_6, and what the pair leaks."""
    whole = dict(law)
    segments = [marginal(whole, each) for each in ((1, 2, 3), (5, 6, 7))]
    runs = [({x: sum(x[part]) for x in whole}, rho) for part in (slice(0, 3), slice(4, 7))]
    return (
        [needed([each], 3, rho) for each in segments],
        [least_score(each, 3, 2, rho) for each in segments],
        leaks([whole], 7, runs),
    )


SAME_BITS = "X_3 = X_4 = X_5"
FROZEN = Statement(
    family=frozen,
    given={SAME_BITS: lambda law, rho: all(x[2] == x[3] == x[4] for x in law)},
    holds=lambda law, rho: _frozen(tuple(law.items()), rho) == ([rho] * 2, [(1, 1)] * 2, rho**2),
    too_weak=[SAME_BITS],
)
