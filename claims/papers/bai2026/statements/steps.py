"""The proof of Theorem 5.2 step by step: vectors w with the entry 1 at the left database, the
number 0, and -beta_l at the others, all rational.
"""

from collections.abc import Mapping, Sequence
from math import ceil, prod
from typing import Any

from pufferproof.claims.language.instances.laws import ONE, ZERO, dot
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.bai2026.statements.constraints import powers, satisfied, weights

F = Fraction
Vector = Sequence[F]


def _w(beta: Mapping[int, F], size: int) -> list[F]:
    return [ONE, *(-beta.get(l, ZERO) for l in range(1, size))]


def vectors(draws: Draws) -> Instance:
    """A vector of two to four numbers from -3 to 3, weights with sum 1, rarely 2, and a constant
    c.
    """
    size = 2 + draws.below(3)
    v = [F(draws.below(7) - 3) for _ in range(size)]
    beta = weights(draws, range(1, size))
    twice = 1 + draws.below(8) // 7
    return {
        "v": v,
        "beta": {l: twice * b for l, b in beta.items()},
        "c": draws.among([ONE, F(2), F(-1, 2)]),
    }


SUM = "the weights have sum 1"
SHIFTS = Statement(
    family=vectors,
    given={SUM: lambda v, beta, c: sum(beta.values()) == 1},
    holds=lambda v, beta, c, factor=False: (
        (
            sum(_w(beta, len(v))) == 0
            and dot(v, _w(beta, len(v))) == dot([each - c for each in v], _w(beta, len(v)))
        )
        and (not factor or (dot(v, _w(beta, len(v))) == c * dot(v, _w(beta, len(v)))))
    ),
    too_strong={"a factor too": {"factor": True}},
    too_weak=[SUM],
)


def separated(draws: Draws) -> Instance:
    """Weights of a first constraint, two or three of them positive, and of none to two others; a
    vector of numbers from -6 to 0 which often breaks the first one alone; epsilon from 0 to 1.
    """
    size = 3 + draws.below(2)
    first = draws.positive_law(2 + draws.below(size - 2), 2)
    beta = dict(enumerate(first, 1))
    others = [weights(draws, range(1, size)) for _ in range(draws.below(3))]
    v = [-F(draws.below(3)), *(-F(draws.below(7)) for _ in range(size - 1))]
    eps = draws.among([ONE, F(1, 2), F(1, 4), ZERO])
    return {"beta": beta, "others": others, "v": v, "eps": eps}


def _breaks_first(
    beta: Mapping[int, F], others: Sequence[Mapping[int, F]], v: Vector, eps: F
) -> bool:
    size = len(v)
    return dot(v, _w(beta, size)) > eps and all(dot(v, _w(b, size)) <= eps for b in others)


def _tight_points(
    beta: Mapping[int, F], others: Sequence[Mapping[int, F]], v: Vector, eps: F, far: bool = False
) -> bool:
    """Whether k v - (1 - k), which is tight for the first constraint, and a step from it along
    which that stays tight, are as step 1 says; the step is as small as needed, or 1 if `far`.
    """
    size = len(v)
    w, rest = _w(beta, size), [_w(b, size) for b in others]
    constant = [-ONE] * size
    if not all(dot(constant, each) < eps for each in (w, *rest)):
        return False
    k = eps / dot(v, w)
    star = [k * each - (1 - k) for each in v]
    h = [beta[1], ONE, *[ZERO] * (size - 2)]
    slack = min([*(eps - dot(star, each) for each in rest), *(-each for each in star)])
    steep = max(abs(each) for each in (*h, *(dot(h, each) for each in rest)))
    d = ONE if far else slack / (steep + 1)
    step = [a + d * b for a, b in zip(star, h)]
    both = (star, step)
    parallel = all(a * q == b * p for a, p in zip(*both) for b, q in zip(*both))
    return (
        all(dot(each, w) == eps and max(each) <= 0 for each in both)
        and all(dot(each, other) < eps for each in both for other in rest)
        and star[1] - step[1] != star[2] - step[2]
        and not parallel
    )


WITNESS, POSITIVE = "v breaks the first constraint alone", "epsilon > 0"
TIGHT_POINTS = Statement(
    family=separated,
    given={WITNESS: _breaks_first, POSITIVE: lambda beta, others, v, eps: eps > 0},
    holds=_tight_points,
    too_strong={"with a step of 1": {"far": True}},
    too_weak=[POSITIVE],
)


def tight_columns(draws: Draws) -> Instance:
    """Weights of a first constraint and of none or one other, E from 1 to 4, and two columns of
    positive numbers, the second one often a multiple of the first: powers, so that the entry of the
    left database makes the first constraint tight, or rarely half or twice of this.
    """
    size = 3
    beta = weights(draws, range(1, size))
    others = [weights(draws, range(1, size)) for _ in range(draws.below(2))]
    E = draws.among([F(2), F(3, 2), F(4), ONE])
    N, exponents = powers(beta)
    columns: list[list[F]] = []
    for _ in range(2):
        roots = [draws.among([ONE, F(2), F(1, 2), F(3)]) for _ in range(size - 1)]
        if columns and draws.below(3) == 2:
            columns.append([2 * each for each in columns[0]])
            continue
        left = E * prod((roots[l - 1] ** k for l, k in exponents.items()), start=ONE)
        column = [left, *(root**N for root in roots)]
        loose = draws.among([ONE] * 15 + [F(1, 2), F(2)])
        columns.append([column[0] * loose, *column[1:]])
    return {"beta": beta, "others": others, "E": E, "columns": columns}


def _tight(column: Vector, beta: Mapping[int, F], E: F) -> bool:
    N, exponents = powers(beta)
    right = E**N * prod((column[l] ** k for l, k in exponents.items()), start=ONE)
    return column[0] ** N == right


def _both_tight(beta: Mapping[int, F], others: object, E: F, columns: Sequence[Vector]) -> bool:
    return all(_tight(column, beta, E) for column in columns)


def _others_hold(
    beta: object, others: Sequence[Mapping[int, F]], E: F, columns: Sequence[Vector]
) -> bool:
    return all(satisfied(column[0], column, b, E) for column in columns for b in others)


def _four_outputs(
    beta: Mapping[int, F],
    others: Sequence[Mapping[int, F]],
    E: F,
    columns: Sequence[Vector],
    large: bool = True,
) -> bool:
    """Whether the columns divided by a large number, and their complements to 1/2, are a mechanism
    that satisfies all constraints, and the first one with equality at two outputs.
    """
    top = max(each for column in columns for each in column)
    scale = 4 * top + (ceil(4 * E / (E - 1)) * top if large and E > 1 else 0)
    outputs = []
    for column in columns:
        small = [each / scale for each in column]
        outputs += [small, [F(1, 2) - each for each in small]]
    rows_ = list(zip(*outputs))
    return (
        all(sum(row) == 1 and min(row) > 0 for row in rows_)
        and all(satisfied(out[0], out, b, E) for out in outputs for b in (beta, *others))
        and all(_tight(out, beta, E) for out in outputs[::2])
    )


TIGHT, OTHERS = "both columns are tight for the first constraint", "and satisfy the others"
ABOVE_ONE = "epsilon > 0"
FOUR_OUTPUTS = Statement(
    family=tight_columns,
    given={
        TIGHT: _both_tight,
        OTHERS: _others_hold,
        ABOVE_ONE: lambda beta, others, E, columns: E > 1,
    },
    holds=_four_outputs,
    too_strong={"for any c": {"large": False}},
    too_weak=[TIGHT, OTHERS, ABOVE_ONE],
)


def _normalised(columns: Any) -> list[list[F]]:
    """x_i = P(i, 0)/P(t1, 0) and y_i = P(i, 2)/P(t1, 2)."""
    return [[each / column[0] for each in column] for column in columns]


def _sides(beta: Any, columns: object, sums: bool) -> F:
    """e^(2 N times a side of (3)): of x + y, or of 2 sqrt(x y)."""
    x, y = _normalised(columns)
    N, exponents = powers(beta)
    values = [(a + b) ** 2 if sums else 4 * a * b for a, b in zip(x, y)]
    return values[0] ** N / prod((values[l] ** k for l, k in exponents.items()), start=ONE)


LAST_LINE = Statement(
    family=tight_columns,
    given={TIGHT: _both_tight},
    holds=lambda beta, others, E, columns, sums=False: (
        _sides(beta, columns, sums=sums) == E ** (2 * powers(beta)[0])
    ),
    too_strong={"of x + y too": {"sums": True}},
    too_weak=[TIGHT],
)


def _merged(columns: object) -> list[F]:
    """Output 1 after A, in multiples of r."""
    return [a + b for a, b in zip(*_normalised(columns))]


def _reversed(beta: Mapping[int, F], columns: Sequence[Sequence[F]], E: F) -> bool:
    """Whether (3) holds with <=, equal iff x_i = y_i wherever w_i is not 0, and output 1 satisfies
    its constraint.
    """
    left, right = (_sides(beta, columns, sums) for sums in (True, False))
    x, y = _normalised(columns)
    alike = all(x[l] == y[l] for l, weight in beta.items() if weight)
    out = _merged(columns)
    return left <= right and (left == right) == alike and satisfied(out[0], out, beta, E)


REVERSED = Statement(
    family=tight_columns,
    given={TIGHT: _both_tight},
    holds=lambda beta, others, E, columns, strictly=False, as_printed=False: (
        (_reversed(beta, columns, E))
        and (not strictly or (_sides(beta, columns, sums=True) < _sides(beta, columns, sums=False)))
        and (
            not as_printed
            or (_sides(beta, columns, sums=True) >= _sides(beta, columns, sums=False))
        )
    ),
    too_strong={"strictly": {"strictly": True}, "as printed": {"as_printed": True}},
    too_weak=[TIGHT],
)
