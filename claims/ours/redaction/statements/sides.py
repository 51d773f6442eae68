"""Statements on 3R mechanisms of one side, p = 1, by their exact leakage.

Most instances have a level that is the leakage of the mechanism drawn, so that constraints are
equalities; optimal means that no small exchange of two neighbours is feasible and shows more.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import pairwise

from pufferproof.claims.language.instances.chains import Path, given_values
from pufferproof.claims.language.instances.laws import (
    ALMOST,
    HALF,
    ONE,
    ZERO,
    at_most,
    entries,
    push,
)
from pufferproof.claims.language.instances.redaction import (
    ORDERED,
    Bits,
    bits,
    is_ordered,
    leakage,
    pointwise,
    regions,
    stationary,
    stepped,
    three_regions,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
LITTLE = F(1, 10**7)
SOME = [HALF, ONE, F(1, 4), F(3, 4), F(1, 8), ONE, F(9, 10)]
Chances = Mapping[int, F]
MOSTLY = "+++++++-"  # signs of the eigenvalue, for statements that say it is above 0


@cache
def side_law(of: Bits, n: int) -> dict[Path, F]:
    """Return the law of n records."""
    return stationary(of, n)


@cache
def side_given(of: Bits, n: int) -> dict[int, dict[Path, F]]:
    """Return the laws of n records given X_1."""
    return given_values(side_law(of, n), 1)


def medium(of: Bits, n: int, R: F) -> list[int]:
    """Return the records of M."""
    return [t for t, letter in enumerate(regions(of, n, 1, R, R), 1) if letter == "M"]


def feasible(of: Bits, n: int, R: F, q: Chances) -> bool:
    """Whether the 3R mechanism keeps its budget."""
    rows = three_regions(regions(of, n, 1, R, R), q)
    return at_most(leakage(side_law(of, n), rows, [1]), R)


def one_side(draws: Draws, signs: str = MOSTLY, values: list[F] | None = None) -> Instance:
    """A stationary chain of two to five bits, mostly a <= b and lam > 0, p = 1, a budget and one q
    for each record of M: drawn for a stretch of records, with the budget that this mechanism needs,
    or an influence, or half more; other records of M have q = 1.
    """
    of, n = bits(draws, signs), 2 + draws.below(4)
    first = 2 + draws.below(n - 1)
    last = min(n, first + draws.below(3))
    chances = {t: draws.among(values or SOME) for t in range(first, last + 1)}
    split = "L" * (first - 1) + "M" * (last - first + 1) + "S" * (n - last)
    least = leakage(side_law(of, n), three_regions(split, chances), [1]) or ONE
    budgets = [least, least, least, pointwise(of, first - 1, 0) or ONE]
    R = draws.among([*budgets, pointwise(of, last, 1) or ONE, least * F(5, 4)])
    return {"of": of, "n": n, "R": R, "q": {t: chances.get(t, ONE) for t in medium(of, n, R)}}


def last_output(of: Bits, n: int, R: F, q: Chances, value: int) -> F:
    """Return P(last output | X_1 = value)."""
    return sum(parts(of, n, R, q, value).values(), ZERO)


def parts(of: Bits, n: int, R: F, q: Chances, value: int) -> dict[Path, F]:
    """Its parts by the values of the records of M."""
    parts: dict[Path, F] = {}
    for key, p in _by_medium(of, n, R, (*q,), value).items():
        for t, v in zip(q, key):
            if not v:
                p *= q[t]
        parts[key] = p
    return parts


@lru_cache(maxsize=64)  # of one instance, with many q
def _by_medium(of: Bits, n: int, R: F, records: Path, value: int) -> dict[Path, F]:
    """Return how likely values of some records are, beside what is shown, given X_1."""
    split = regions(of, n, 1, R, R)
    until = split.index("S") + 1 if "S" in split else n
    law = side_given(of, until)[value].items()
    values = entries([t - 1 for t in records])
    return push({x: p for x, p in law if "S" not in split or x[-1]}, values)


SOME_MEDIUM = "M is not empty, eps > 0"


def _some(of: Bits, n: int, R: F, q: Chances, **_: object) -> bool:
    return bool(q) and R > 1


def constraint(of: Bits, n: int, R: F, q: Chances, share: F = ONE) -> bool:
    return R * last_output(of, n, R, q, 0) >= share * last_output(of, n, R, q, 1)


def with_zeros(draws: Draws) -> Instance:
    """A stationary chain of two to five bits, mostly a <= b and lam > 0, p = 1, a budget and one q
    for each record of M, 0 often: drawn for a stretch of records, with the budget that this
    mechanism needs, or an influence, or half more; other records of M have q = 1.
    """
    drawn = one_side(draws)
    return drawn | {
        "q": {t: ZERO if draws.below(4) == 3 else each for t, each in drawn["q"].items()}
    }


MEDIUM: dict[str, Callable[..., bool]] = {ORDERED: is_ordered, SOME_MEDIUM: _some}
POSITIVE = "lam > 0"
RISING = MEDIUM | {POSITIVE: lambda of, **_: sum(of) < 1}
ONE_CONSTRAINT = Statement(
    family=with_zeros,
    given=RISING,
    holds=lambda of, n, R, q, with_budget=False, always_kept=False: (
        (feasible(of, n, R, q) == constraint(of, n, R, q))
        and (not with_budget or (feasible(of, n, R, q) == constraint(of, n, R, q, F(101, 100))))
        and (not always_kept or (feasible(of, n, R, q)))
    ),
    too_strong={
        "with 101/100 of e^-budget": {"with_budget": True},
        "always kept": {"always_kept": True},
    },
    too_weak=[POSITIVE],
)
FEASIBLE = "q is feasible"
POSITIVE_Q = Statement(
    family=with_zeros,
    given=RISING | {FEASIBLE: feasible},
    holds=lambda of, n, R, q, at_least=False: (
        (min(q.values()) > 0) and (not at_least or (min(q.values()) >= F(1, 4)))
    ),
    too_strong={"at least 1/4": {"at_least": True}},
    too_weak=[FEASIBLE],
)


def _solved(of: Bits, n: int, R: F, q: Chances, t: int) -> F | None:
    """The least q_t that the last output allows, the others as they are."""
    over = [
        last_output(of, n, R, {**q, t: at}, 1) - R * last_output(of, n, R, {**q, t: at}, 0)
        for at in (ZERO, ONE)
    ]
    least = over[0] / (over[0] - over[1]) if over[0] > 0 >= over[1] else None
    return least if least is not None and 0 < least <= 1 else None


def improved(of: Bits, n: int, R: F, q: Chances) -> bool:
    """Return whether some q_t alone, or q of one record a little more or less and that of a
    neighbour as small as it can be, is feasible and has a smaller sum.
    """
    total, records = sum(q.values()), [*q]
    for t in records:
        for step in (ZERO, LITTLE, -LITTLE):
            for other in records:
                if abs(other - t) > 1 or not 0 < q[t] + step <= 1 or (other == t) != (not step):
                    continue
                moved = {**q, t: q[t] + step}
                least = _solved(of, n, R, moved, other)
                if least is not None and sum({**moved, other: least}.values()) < total:
                    return feasible(of, n, R, {**moved, other: least})
    return False


def _falling(q: Chances, ones: bool = True) -> bool:
    """Whether q is 1 up to some record, perhaps for none, and strictly decreasing behind it."""
    values = [*q.values()]
    return all(y < x or (ones and x == y == 1) for x, y in pairwise(values)) and (
        ones or values[0] < 1
    )


def _tight(of: Bits, n: int, R: F, q: Chances) -> bool:
    return R * last_output(of, n, R, q, 0) == last_output(of, n, R, q, 1)


def _shape(of: Bits, n: int, R: F, q: Chances, ones: bool = True) -> bool:
    return (_falling(q, ones) and _tight(of, n, R, q)) or improved(of, n, R, q)


EXACT_SHAPE = Statement(
    family=one_side,
    given=RISING | {FEASIBLE: feasible},
    holds=_shape,
    too_strong={"strictly decreasing from the first record on": {"ones": False}},
    too_weak=[FEASIBLE, POSITIVE],
)


def constants(draws: Draws) -> Instance:
    """A chain as for one side, two or three records with the same q, and the budget that this
    mechanism needs, so that no smaller constant is feasible.
    """
    of, n = bits(draws, "+"), 3 + draws.below(3)
    first = 2 + draws.below(n - 2)
    last = min(n, first + 1 + draws.below(2))
    chances = dict.fromkeys(range(first, last + 1), draws.among([ONE, *SOME]))
    split = "L" * (first - 1) + "M" * (last - first + 1) + "S" * (n - last)
    R = leakage(side_law(of, n), three_regions(split, chances), [1]) or ONE
    return {"of": of, "n": n, "R": R, "q": dict.fromkeys(medium(of, n, R), chances[first])}


def _constant(of: Bits, n: int, R: F, q: Chances, never: bool = False) -> bool:
    """Whether the best constant can be improved unless q = 1 is the only feasible choice, which is
    so iff i1 of the first record of S is the budget.
    """
    split = regions(of, n, 1, R, R)
    only = "S" in split and pointwise(of, split.index("S"), 1) == R
    less = {t: c - LITTLE for t, c in q.items()}
    alone = all(not feasible(of, n, R, {**dict.fromkeys(q, ONE), t: 1 - LITTLE}) for t in q)
    best = not feasible(of, n, R, less)
    return alone == only and (not best or improved(of, n, R, q) == (never or not only))


SEVERAL = "|M| >= 2"
EXACT_CONSTANT = Statement(
    family=constants,
    given={SEVERAL: lambda of, n, R, q: len(q) >= 2 and R > 1, FEASIBLE: feasible},
    holds=_constant,
    too_strong={"never": {"never": True}},
)


def single(draws: Draws) -> Instance:
    """A chain and budget as for one side, with either sign of the eigenvalue; q is also the bound,
    or a little less.
    """
    drawn = one_side(draws, "--+")
    if len(drawn["q"]) == 1:
        (t,) = drawn["q"]
        bound = _bound(drawn["of"], drawn["n"], drawn["R"], t)
        q = draws.among([drawn["q"][t], bound, bound * ALMOST])
        drawn["q"] = {t: min(ONE, max(ZERO, q))}
    return drawn


def _bound(of: Bits, n: int, R: F, t: int, factor: bool = True) -> F:
    """Return w (1 - B - E (1 - A))/(E A - B)."""
    a, b = of
    zero = [row[0] for row in stepped(of, t - 1)]
    A, B = max(zero), min(zero)
    w = max(b / (1 - a), (1 - b) / a) if "S" in regions(of, n, 1, R, R) and factor else ONE
    return w * (1 - B - R * (1 - A)) / (R * A - B)


def _single(of: Bits, n: int, R: F, q: Chances, factor: bool = True) -> bool:
    (t,) = q
    return feasible(of, n, R, q) == (q[t] >= _bound(of, n, R, t, factor))


EXACT_SINGLE = Statement(
    family=single,
    given={"|M| = 1": lambda of, n, R, q: len(q) == 1 and R > 1},
    holds=_single,
    too_strong={"w = 1": {"factor": False}},
)
