"""Max-influence as programs: a quotient of sums, of one quilt and of several."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations, pairwise, product
from operator import mul
from typing import Any

from pufferproof.claims.language.instances.chains import Path, chain, influence, marginal, sequences
from pufferproof.claims.language.instances.frameworks import rows
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, times
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.song2017.statements.quilts import (
    Sides,
    joined,
    joint_quilt,
    near,
    nodes,
    one_quilt,
    several_quilts,
)

F = Fraction
Law = Mapping[Path, F]


def _seen(law: Law, T: int, i: int, quilt: Sides, more: int = 0) -> F | None:
    """e to the influence on X_i of X_Q and of all records that are not near, or near too, from the
    first `more` on.
    """
    nearby = sorted(near(T, i, *quilt) - {i})
    RuQ = [k for k in range(1, T + 1) if k not in near(T, i, *quilt)]
    return influence(law, i, [*RuQ, *nearby[:more]])


REMOTE_RATIO = Statement(
    family=one_quilt,
    holds=lambda law, T, i, quilt, with_record_near=False: at_most(
        (_seen(law, T, i, quilt, 1) if with_record_near else _seen(law, T, i, quilt)),
        influence(law, i, sorted(nodes(i, *quilt))),
    ),
    too_strong={"with a record that is near": {"with_record_near": True}},
)


def three_nodes(draws: Draws) -> Instance:
    """The law of three nodes X_1, X_2 = X_A and X_3 = X_B of a network, with two or three values,
    zeros and rows that repeat: X_2 depends on X_1, and X_3 on X_2, or at times on X_1 too.
    """
    size = 2 + draws.below(8) // 7
    first, second = draws.law(size), rows(draws, size, 2)
    past = draws.below(4) == 3
    kernels = [rows(draws, 2, 2)]
    kernels += [rows(draws, 2, 2) if past else kernels[0] for _ in range(size - 1)]
    law = {
        (x, y, z): p * second[x][y] * kernels[x][y][z]
        for x, p in enumerate(first)
        for y, z in product(range(2), repeat=2)
    }
    return {"law": {x: p for x, p in law.items() if p}}


def independent(law: Law) -> bool:
    """Whether X_1 and X_2 are."""
    both, one, two = marginal(law, [1, 2]), marginal(law, [1]), marginal(law, [2])
    return all(both.get((*x, *y), ZERO) == one[x] * two[y] for x, y in product(one, two))


def _through(law: Law) -> bool:
    """Whether X_3 depends on X_1 through X_2 alone."""
    whole, pairs = marginal(law, [1, 2, 3]), marginal(law, [2, 3])
    return all(
        whole.get((x, y, z), ZERO) * marginal(law, [2])[(y,)] == p * pairs.get((y, z), ZERO)
        for (x, y), p in marginal(law, [1, 2]).items()
        for z in range(2)
    )


NO_INFLUENCE = "e(X_2|X_1) = 0"
ZERO_IS_INDEPENDENT = Statement(
    family=three_nodes,
    given={NO_INFLUENCE: lambda law: influence(law, 1, [2]) == 1},
    holds=lambda law, up_level_log=False: (
        independent(law)
        and (
            not up_level_log or (independent(law) and not at_most(influence(law, 1, [2, 3]), F(2)))
        )
    ),
    too_strong={"up to a level of log 2": {"up_level_log": True}},
    too_weak=[NO_INFLUENCE],
)
THROUGH = "X_3 depends on X_1 through X_2 alone"
PROCESSED = Statement(
    family=three_nodes,
    given={THROUGH: _through},
    holds=lambda law, factor=ONE: at_most(
        influence(law, 1, [3]), times(factor, influence(law, 1, [2]))
    ),
    too_strong={"99/100 of it": {"factor": ALMOST}},
    too_weak=[THROUGH],
)


def chain_and_quilt(draws: Draws) -> Instance:
    """Start and transition of a chain of two or three values, one to four records of it, a record i
    and the distances of a quilt.
    """
    start, step = chain(draws, states=2 + draws.below(8) // 7)
    T = 1 + draws.below(4 if len(start) == 2 else 3)
    i = 1 + draws.below(T)
    lefts, rights = [None, *range(1, i)], [None, *range(1, T - i + 1)]
    quilt = draws.among(list(product(lefts, rights)))
    return {"q": start, "P": step, "T": T, "i": i, "quilt": quilt}


@lru_cache(maxsize=512)
def powers(P: tuple[tuple[F, ...], ...], n: int) -> list[list[F]]:
    """Return P^n."""
    size = range(len(P))
    if n == 0:
        return [[F(x == y) for y in size] for x in size]
    columns = [*zip(*P)]
    return [[sum(map(mul, row, each), ZERO) for each in columns] for row in powers(P, n - 1)]


def by_powers(q: Any, P: Any, i: int, a: int | None, b: int | None, shift: int = 0) -> F | None:
    """e^e_theta from powers of P and the laws of X_(i-a) and X_i, without listing sequences."""
    size, power = range(len(P)), partial(powers, tuple(map(tuple, P)))
    upto = power(i - 1)
    now = [sum((q[z] * upto[z][v] for z in size), ZERO) for v in size]
    possible = [v for v in size if now[v]]
    left: dict[int, list[F]] = {v: [ONE] for v in possible}
    right = dict(left)
    if a is not None:
        first, steps = power(i - a - 1), power(a)
        before = [sum((q[z] * first[z][x] for z in size), ZERO) for x in size]
        left = {v: [before[x] * steps[x][v] / now[v] for x in size] for v in possible}
    if b is not None:
        right = {v: power(b + shift)[v] for v in possible}
    laws = [[x * y for x, y in product(left[v], right[v])] for v in possible]
    largest = least = ONE
    for p, s in combinations(laws, 2):
        for x, y in zip(p, s):
            if x and y:
                quotient = x / y
                largest, least = max(largest, quotient), min(least, quotient)
            elif x or y:
                return None
    return max(largest, 1 / least)


def _same(q: Any, P: Any, T: int, i: int, quilt: Sides, shift: int = 0) -> bool:
    found = influence(sequences(q, P, T), i, sorted(nodes(i, *quilt)))
    return by_powers(q, P, i, *quilt, shift) == found


COMPUTED = Statement(
    family=chain_and_quilt, holds=_same, too_strong={"with one step more": {"shift": 1}}
)


def _each(law: Law, i: int, quilts: Sequence[Sides]) -> list[F | None]:
    return [influence(law, i, sorted(nodes(i, *each))) for each in quilts]


def _sum_of_all(law: Law, T: int, i: int, quilts: Sequence[Sides]) -> bool:
    joint = influence(law, i, sorted(nodes(i, *joined(quilts))))
    return at_most(joint, times(*_each(law, i, quilts)))


SUM_OF_INFLUENCES = Statement(
    family=several_quilts,
    holds=lambda law, T, i, quilts, first_quilt_alone=False, farthest_nodes=False: (
        _sum_of_all(law, T, i, quilts)
        and (
            not first_quilt_alone
            or (
                at_most(
                    influence(law, i, sorted(nodes(i, *joined(quilts)))),
                    times(*_each(law, i, quilts[:1])),
                )
            )
        )
        and (
            not farthest_nodes
            or (
                at_most(
                    times(*_each(law, i, quilts)),
                    influence(law, i, sorted(nodes(i, *joined(quilts, max)))),
                )
            )
        )
    ),
    too_strong={
        "of the first quilt alone": {"first_quilt_alone": True},
        "of the farthest nodes": {"farthest_nodes": True},
    },
    always="the joint quilt keeps of all laws no more than its parts",
)
SAME_ARGUMENT = Statement(
    family=several_quilts,
    holds=lambda law, T, i, quilts, without_last_run=False: (
        (joint_quilt(law, T, i, quilts) and _sum_of_all(law, T, i, quilts))
        and (
            not without_last_run
            or (
                at_most(
                    influence(law, i, sorted(nodes(i, *joined(quilts)))),
                    times(*_each(law, i, quilts[:-1])),
                )
            )
        )
    ),
    too_strong={"without the last run": {"without_last_run": True}},
)


def two_quilts(draws: Draws) -> Instance:
    """The law of three to five records of a chain of two values, or of three of one of three
    values, a record i inside it and two quilts of it. No node counts as farther than any, and three
    times in four one quilt is nearer on the left and the other one on the right. (At an end the
    joint quilt is always one of the two.)
    """
    start, step = chain(draws, states=2 + draws.below(8) // 7)
    T = 3 + draws.below(3 if len(start) == 2 else 1)
    i = 2 + draws.below(T - 2)
    lefts = sorted(draws.below(i) for _ in range(2))
    rights = sorted((draws.below(T - i + 1) for _ in range(2)), reverse=draws.below(4) < 3)
    quilts = [
        (i - left if left else None, T - i + 1 - right if right else None)
        for left, right in zip(lefts, rights)
    ]
    return {"law": sequences(start, step, T), "T": T, "i": i, "quilts": quilts}


def _display(law: Law, i: int, quilts: Sequence[Sides], left: Any, right: Any = min) -> bool:
    """The two inequalities, with the nearest or the farthest left node and the nearest right one;
    the influence of a node that is not there is 0.
    """
    a = left([a for a, _ in quilts if a is not None], default=None)
    b = right([b for _, b in quilts if b is not None], default=None)
    both = times(*(influence(law, i, sorted(nodes(i, *each))) for each in ((a, None), (None, b))))
    last = influence(law, i, sorted(nodes(i, a, b)))
    return at_most(both, times(*_each(law, i, quilts))) and at_most(last, both)


NEITHER = "X_Q is none of the two quilts"


def _neither(quilts: Sequence[Sides], **_: object) -> bool:
    return joined(quilts) not in quilts


POSITIONS = Statement(
    family=two_quilts,
    given={NEITHER: _neither},
    holds=lambda law, T, i, quilts, equality_at_end=False: (
        (_display(law, i, quilts, min))
        and (
            not equality_at_end
            or (
                influence(law, i, sorted(nodes(i, *joined(quilts))))
                == times(*_each(law, i, quilts))
            )
        )
    ),
    too_strong={"equality at the end": {"equality_at_end": True}},
    too_weak=[NEITHER],
)
DISTANCES = Statement(
    family=two_quilts,
    given={NEITHER: _neither},
    holds=lambda law, T, i, quilts, at_least_influence=False: (
        (_display(law, i, quilts, max))
        and (
            not at_least_influence
            or (
                at_most(
                    influence(law, i, sorted(nodes(i, *joined(quilts)))),
                    influence(law, i, sorted(nodes(i, joined(quilts, max)[0], joined(quilts)[1]))),
                )
            )
        )
    ),
    too_strong={"and at least the influence of X_Q": {"at_least_influence": True}},
    too_weak=[NEITHER],
)


def _some_are_enough(law: Law, i: int, quilts: Sequence[Sides], number: int) -> bool:
    joint = influence(law, i, sorted(nodes(i, *joined(quilts))))
    each = _each(law, i, quilts)
    return any(at_most(joint, times(*some)) for some in combinations(each, min(number, len(each))))


TWO_ARE_ENOUGH = Statement(
    family=several_quilts,
    holds=lambda law, T, i, quilts, number=2: _some_are_enough(law, i, quilts, number),
    too_strong={"one": {"number": 1}},
    always="the joint quilt has nodes of two quilts at most",
)


def _dropped(law: Law, i: int, quilts: Sequence[Sides]) -> list[F]:
    """The product of the influences over that of the joint quilt, after each run."""
    counts = range(1, len(quilts) + 1)
    products = [times(*_each(law, i, quilts[:n])) for n in counts]
    joint = [influence(law, i, sorted(nodes(i, *joined(quilts[:n])))) for n in counts]
    return [p / q for p, q in zip(products, joint) if p is not None and q is not None]


FINITE = "all influences are finite"
NEVER_SHRINKS = Statement(
    family=several_quilts,
    given={FINITE: lambda law, T, i, quilts: None not in _each(law, i, quilts)},
    holds=lambda law, T, i, quilts, strictly=False: all(
        (p <= q and not (strictly and p == q)) for p, q in pairwise(_dropped(law, i, quilts))
    ),
    too_strong={"it grows": {"strictly": True}},
    always="each run adds a factor of at least 1, whatever the law",
)


def farther_records(draws: Draws) -> Instance:
    """The law of two to five records of a chain of two values, or up to four of three, T2 < T3, and
    T2' <= T2, T3' >= T3.
    """
    start, step = chain(draws, states=2 + draws.below(4) // 3)
    length = 2 + draws.below(4 if len(start) == 2 else 3)
    T2 = 1 + draws.below(length - 1)
    T3 = T2 + 1 + draws.below(length - T2)
    return {
        "law": sequences(start, step, length),
        "T2": T2,
        "T3": T3,
        "earlier": T2 - draws.below(T2),
        "later": T3 + draws.below(length - T3 + 1),
    }


def _farther(law: Law, T2: int, T3: int, earlier: int, later: int, factor: F = ONE) -> bool:
    return at_most(
        influence(law, T2, [later]), times(factor, influence(law, T2, [T3]))
    ) and at_most(influence(law, T3, [earlier]), times(factor, influence(law, T3, [T2])))


FARTHER = Statement(
    family=farther_records, holds=_farther, too_strong={"99/100 of it": {"factor": ALMOST}}
)
