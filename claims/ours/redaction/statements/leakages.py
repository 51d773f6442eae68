"""Statements on leakages: messages and events of one side, both sides together, several private
records.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from math import prod

from pufferproof.claims.language.instances.chains import Path, marginal
from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO, at_most, given
from pufferproof.claims.language.instances.redaction import (
    CHANCES,
    HIDDEN,
    ORDERED,
    SHOWN,
    Bits,
    bits,
    is_ordered,
    leakage,
    local,
    pointwise,
    quotients,
    shows,
    stationary,
    symbols,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Step = Sequence[Sequence[F]]
Pair = tuple[F, F]


def several_steps(draws: Draws) -> Instance:
    """One to three steps of a chain of bits, which often differ, with probabilities in (0, 1) and
    determinants of either sign and 0, and for each record a row of up to three symbols for each
    value, with zeros; they are the records behind a record, near ones first. One time in eight an
    entry of a step is 0.
    """
    number = 1 + draws.below(3)
    steps: list[Step] = []
    while len(steps) < number:
        law = draws.law if draws.below(8) == 7 else draws.positive_law
        steps.append(steps[-1] if steps and draws.whether() else [law(2, 3), law(2, 3)])
    size = 1 + draws.below(3)
    return {"steps": steps, "shown": [draws.rows(2, size, 3) for _ in range(number)]}


def _behind(steps: Sequence[Step], shown: Sequence[Rows]) -> list[Pair]:
    """P(y | X = 0), P(y | X = 1) for every output y of the records behind X, all paths summed."""
    pairs = []
    for y in product(range(len(shown[0][0])) if shown else (), repeat=len(steps)):
        pair = []
        for start in (0, 1):
            total = ZERO
            for path in product((0, 1), repeat=len(steps)):
                total += prod(
                    step[u][v] * rows[v][symbol]
                    for step, rows, symbol, (u, v) in zip(steps, shown, y, pairwise((start, *path)))
                )
            pair.append(total)
        pairs.append((pair[0], pair[1]))
    return pairs


def _ratios(pairs: Sequence[Pair]) -> list[F]:
    return [one / other for one, other in pairs if one and other]


def _passed(steps: Sequence[Step], shown: Sequence[Rows], signed: bool = False) -> bool:
    """Whether both extremes at a record are images of the extremes at the next one, under its
    symbols; `signed`: in the same order.
    """
    extremes = [ONE]
    for place in range(len(steps) - 1, -1, -1):
        step, rows = steps[place], shown[place]
        every = _ratios(_behind(steps[place:], shown[place:]))
        images = [
            [(step[u][0] * rows[0][s] * ratio + step[u][1] * rows[1][s]) for u in (0, 1)]
            for s in range(len(rows[0]))
            if rows[0][s] or rows[1][s]
            for ratio in ([max(extremes)] if signed else extremes)
        ]
        found = _ratios([(one, other) for one, other in images])
        if not found or max(found) != max(every) or (not signed and min(found) != min(every)):
            return False
        extremes = [min(every), max(every)]
    return True


POSITIVE = "every transition probability is in (0, 1)"
MESSAGES = Statement(
    family=several_steps,
    given={
        POSITIVE: lambda steps, shown: all(p > 0 for step in steps for row in step for p in row)
    },
    holds=_passed,
    too_strong={
        "the largest is the image of the largest for lam < 0, too": {"signed": True},
    },
)


def one_side(draws: Draws) -> Instance:
    """The step of a chain of two or three values with zeros, one to three records of a side with
    the probabilities r_d(z) that they are redacted, and two values of X_p.
    """
    size, number = 2 + draws.below(2), 1 + draws.below(3)
    step = draws.rows(size, size, 3)
    hidden = [[draws.among(CHANCES) for _ in range(size)] for _ in range(number)]
    x = draws.below(size)
    return {"step": step, "hidden": hidden, "x": x, "z": (x + 1 + draws.below(size - 1)) % size}


def _outputs(step: Step, hidden: Rows, x: int) -> dict[tuple[int, ...], F]:
    """P(y | X_p = x) for every output y of the side, -1 for *."""
    law: dict[tuple[int, tuple[int, ...]], F] = {(x, ()): ONE}
    for row in hidden:
        following: dict[tuple[int, tuple[int, ...]], F] = {}
        for (u, y), p in law.items():
            for v, q in enumerate(step[u]):
                for symbol, chance in ((-1, row[v]), (v, 1 - row[v])):
                    key = (v, (*y, symbol))
                    following[key] = following.get(key, ZERO) + p * q * chance
        law = following
    found: dict[tuple[int, ...], F] = {}
    for (_, y), p in law.items():
        found[y] = found.get(y, ZERO) + p
    return found


def _events(step: Step, hidden: Rows, x: int, reset: bool = False) -> list[F]:
    """The probabilities of the events (d, z) and of nothing, by M_1 = P, M_(d+1) = M_d diag(r_d)
    P.
    """
    row, found, size = list(step[x]), [], len(step)
    for d, chances in enumerate(hidden):
        found += [row[z] * (1 - chances[z]) for z in range(size)]
        kept = [row[z] * (ONE if reset else chances[z]) for z in range(size)]
        if d == len(hidden) - 1:
            found.append(sum(kept, ZERO))
        row = [sum((kept[u] * step[u][z] for u in range(size)), ZERO) for z in range(size)]
    return found


def _quotients(left: Sequence[F], right: Sequence[F]) -> set[F | None]:
    return {p / q if q else None for p, q in zip(left, right) if p or q}


def _same(step: Step, hidden: Rows, x: int, z: int, reset: bool = False) -> bool:
    one, other = _outputs(step, hidden, x), _outputs(step, hidden, z)
    keys = [*one, *(y for y in other if y not in one)]
    outputs = _quotients(*([law.get(y, ZERO) for y in keys] for law in (one, other)))
    return outputs == _quotients(_events(step, hidden, x, reset), _events(step, hidden, z, reset))


EVENTS = Statement(
    family=one_side,
    holds=_same,
    too_strong={
        "without the factors r_d": {"reset": True},
    },
    always="both sides are sums over the same paths, an identity of their entries",
)


def mechanism(draws: Draws) -> Instance:
    """A stationary chain of one to four bits with any eigenvalue, a and b in any order, a private
    record and a local mechanism that redacts it.
    """
    of, n = bits(draws, ordered=False), 1 + draws.below(4)
    p = 1 + draws.below(n)
    return {"of": of, "p": p, "rows": local(draws, n, [p])}


def _sides(of: Bits, p: int, rows: Rows) -> tuple[list[F], list[F], list[F]]:
    """The largest ratios toward X_p = 0 and 1 of the left side, the right one, and all."""
    law, n = stationary(of, len(rows)), len(rows)
    found = []
    for seen in (range(1, p), range(p + 1, n + 1), range(1, n + 1)):
        ratios = quotients(law, rows, [p], seen)
        found.append([ratios[(x,), (1 - x,)] or ONE for x in (0, 1)])
    return found[0], found[1], found[2]


def _joint(of: Bits, p: int, rows: Rows) -> bool:
    left, right, both = _sides(of, p, rows)
    whole, most = max(both), max(left) * max(right)
    together = any(left[x] == max(left) and right[x] == max(right) for x in (0, 1))
    return (
        whole == max(left[0] * right[0], left[1] * right[1])
        and max(*left, *right) <= whole <= most
        and (whole == most) == together
        and (whole**2 > most or most == 1)
    )


def _whole(of: Bits, p: int, rows: Rows) -> tuple[F, F]:
    """e^Lk, and e^(Lk_l + Lk_r)."""
    left, right, both = _sides(of, p, rows)
    return max(both), max(left) * max(right)


JOINT_OF_SIDES = Statement(
    family=mechanism,
    holds=lambda of, p, rows, always_sum_both=False, at_least_sum=False: (
        _joint(of, p, rows)
        and (not always_sum_both or (len({*_whole(of, p, rows)}) == 1))
        and (not at_least_sum or (_whole(of, p, rows)[0] ** 10 >= _whole(of, p, rows)[1] ** 9))
    ),
    too_strong={
        "always the sum of both": {"always_sum_both": True},
        "at least 9/10 of the sum": {"at_least_sum": True},
    },
)


def far_sides(draws: Draws) -> Instance:
    """A stationary chain of three to five bits, mostly a <= b, seldom an eigenvalue of 0, a
    distance D of 1 or 2, a private record inside and a local mechanism that redacts all records
    nearer than D; often opposite values are shown on both sides with small probabilities.
    """
    of, D = bits(draws, "+-+-+-0"), draws.among([1, 1, 2])
    p = D + 1
    n = 2 * D + 1 + draws.below(2 if D == 1 else 1)
    rows = [HIDDEN if abs(t - p) < D else symbols(draws) for t in range(1, n + 1)]
    if draws.whether():
        r = 1 - F(1, draws.among([10, 1000, 100000]))
        one, other = ([r, ONE], [ONE, r]) if sum(of) < 1 else ([r, ONE], [r, ONE])
        rows = [HIDDEN for _ in range(n)]
        rows[p - D - 1], rows[p + D - 1] = [*one], [*other]
    return {"of": of, "p": p, "D": D, "rows": rows}


def _gap(of: Bits, p: int, D: int, rows: Rows, share: F = ONE) -> bool:
    whole, most = _whole(of, p, rows)
    limit = pointwise(of, D, 0) or ONE
    return most / whole < 1 + share * (limit - 1)


REMEMBERS = "lam != 0"
JOINT_GAP = Statement(
    family=far_sides,
    given={ORDERED: is_ordered, REMEMBERS: lambda of, **_: sum(of) != 1},
    holds=_gap,
    too_strong={f"{x} of e^i0(D) - 1": {"share": x} for x in (F(9, 10), F(99, 100))},
    too_weak=[REMEMBERS],
)


def nearly(draws: Draws) -> Instance:
    """A stationary chain of bits, mostly a <= b, an eigenvalue other than 0, D of 1 or 2, and a
    share of e^i0(D) - 1 below 1.
    """
    of, D = bits(draws, "+-"), 1 + draws.below(2)
    return {"of": of, "D": D, "share": draws.among([HALF, F(9, 10), F(99, 100), F(999, 1000), ONE])}


def _comes_near(of: Bits, D: int, share: F) -> bool:
    """Whether the gap is above the share for one value shown on either side with a probability
    of 10^-9.
    """
    p, r = D + 1, 1 - F(1, 10**9)
    shown = [[r, ONE], [ONE, r]]
    for one, other in product(shown, repeat=2):
        rows = [HIDDEN for _ in range(2 * D + 1)]
        rows[p - D - 1], rows[p + D - 1] = one, other
        if not _gap(of, p, D, rows, share):
            return True
    return False


BELOW_ONE = "the share is below 1"
GAP_ATTAINED = Statement(
    family=nearly,
    given={ORDERED: is_ordered, BELOW_ONE: lambda of, D, share: share < 1},
    holds=_comes_near,
    too_weak=[ORDERED, BELOW_ONE],
)


def independent(draws: Draws) -> Instance:
    """A stationary chain of three to five bits, mostly a <= b, any eigenvalue, a private record
    inside it, and a data-independent mechanism that redacts it.
    """
    of, n = bits(draws, "+--0"), 3 + draws.below(3)
    p = 2 + draws.below(n - 2)
    chances = [ONE if t == p else draws.among([ONE, ZERO, HALF]) for t in range(1, n + 1)]
    return {"of": of, "p": p, "chances": chances}


def _nearest(p: int, chances: Sequence[F]) -> tuple[int, int] | None:
    left = [p - t for t in range(1, p) if chances[t - 1] < 1]
    right = [t - p for t in range(p + 1, len(chances) + 1) if chances[t - 1] < 1]
    return (min(left), min(right)) if left and right else None


def _gap_dim(of: Bits, p: int, chances: Sequence[F], always: bool = False) -> bool:
    near = _nearest(p, chances)
    if near is None:
        return False
    whole, most = _whole(of, p, [[r, r] for r in chances])
    gap = min((pointwise(of, D, 1) or ONE) / (pointwise(of, D, 0) or ONE) for D in near)
    odd = sum(of) > 1 and sum(near) % 2
    return most / whole == (gap if odd or always else 1)


BOTH_SIDES = "records on both sides are released"
JOINT_GAP_DIM = Statement(
    family=independent,
    given={
        ORDERED: is_ordered,
        BOTH_SIDES: lambda of, p, chances: _nearest(p, chances) is not None,
    },
    holds=_gap_dim,
    too_strong={
        "for every sign of lam": {"always": True},
    },
    too_weak=[ORDERED],
)


def any_levels(draws: Draws) -> Instance:
    """A level e^eps above 1, seldom 1, and a number K, from 2 to 1,000."""
    R = draws.among([F(2), F(5), F(3, 2), F(11, 10), F(101, 100), ONE])
    return {"R": R, "K": F(draws.among([2, 5, 10, 50, 1000]))}


def _unbounded(R: F, K: F, whatever: bool = False) -> bool:
    """Whether at b = e^-eps and a small a the mechanism (e^-eps, 1) of X_2, which is 3R for either
    of X_1, X_3, keeps eps for each and has a ratio above K.
    """
    b = 1 / R
    a = b / 5 if whatever else min((1 - b) ** 2 / (4 * K * R), b / 5)
    law, rows = stationary((a, b), 3), [HIDDEN, [b, ONE], HIDDEN]
    zero, one = pointwise((a, b), 1, 0), pointwise((a, b), 2, 1)
    medium = zero is not None and one is not None and zero <= R < one
    ratio = quotients(law, rows, [1, 3]).get(((0, 0), (1, 1)), ONE)
    each = all(at_most(leakage(law, rows, [p]), R) for p in (1, 3))
    return medium and each and (ratio is None or ratio > K)


ABOVE_0 = "eps > 0"
JOINT_UNBOUNDED = Statement(
    family=any_levels,
    given={ABOVE_0: lambda R, K: bool(R > 1)},
    holds=_unbounded,
    too_strong={"at a = b/5, whatever K": {"whatever": True}},
    too_weak=[ABOVE_0],
)


def intervals(draws: Draws) -> Instance:
    """A stationary chain of one to four bits, any eigenvalue, an interval A of private records, or
    one time in eight two records with one between, a local mechanism that redacts A.
    """
    of, n = bits(draws, ordered=False), 1 + draws.below(4)
    i = 1 + draws.below(n)
    j = i + draws.below(n + 1 - i)
    A = [i, i + 2] if draws.below(8) == 7 and i + 2 <= n else [*range(i, j + 1)]
    return {"of": of, "A": A, "rows": local(draws, n, A)}


GAPPED = {"of": (F(1, 20), HALF), "A": [1, 3], "rows": [HIDDEN, [HALF, ONE], HIDDEN]}


def _interval(of: Bits, A: Sequence[int], rows: Rows, doubled: bool = True) -> bool:
    law, n = stationary(of, len(rows)), len(rows)
    alone = max(leakage(law, rows, [p]) or ONE for p in A)
    whole = leakage(law, rows, A)
    single = len(A) == 1 or A[0] == 1 or A[-1] == n
    return at_most(whole, alone if single or not doubled else alone**2)


UNBROKEN = "A is an interval"
JOINT_INTERVAL = Statement(
    family=intervals,
    edges=[GAPPED],
    given={UNBROKEN: lambda of, A, rows: A[-1] - A[0] == len(A) - 1},
    holds=_interval,
    too_strong={"eps": {"doubled": False}},
    too_weak=[UNBROKEN],
)


def multiples(draws: Draws) -> Instance:
    """A multiple c = u/v from 1 to 2, often below 2."""
    v = 1 + draws.below(5)
    return {"u": 2 * v - draws.among([0, 1, 1, 1]), "v": v}


def _exceeded(u: int, v: int, far: int = 0) -> bool:
    """Whether releasing records 1 and 4 of a chain with a = b and a small eigenvalue leaks more
    than c eps about X_2, X_3, where eps is the level about each.
    """
    a = (1 - F(1, 4 * v)) / 2
    law, rows = stationary((a, a), 4), [SHOWN, HIDDEN, HIDDEN, HIDDEN if far else SHOWN]
    level, other, whole = (leakage(law, rows, A) for A in ([2], [3], [2, 3]))
    return level == other and whole is not None and whole**v > (level or ONE) ** u


SMALLER = "c < 2"
NO_SMALLER_MULTIPLE = Statement(
    family=multiples,
    given={SMALLER: lambda u, v: u < 2 * v},
    holds=_exceeded,
    too_strong={"with record 1 alone": {"far": 1}},
    too_weak=[SMALLER],
)


def between(draws: Draws) -> Instance:
    """A stationary chain of bits with any eigenvalue, a and b in any order, records i < k < j."""
    i = 1 + draws.below(2)
    k = i + 1 + draws.below(2)
    return {"of": bits(draws, ordered=False), "i": i, "k": k, "j": k + 1 + draws.below(2)}


def _factor(of: Bits, i: int, j: int) -> F:
    a, b = of
    power = (1 - a - b) ** (j - i)
    return (1 + b / a * power) / (1 + a / b * power)


def _at_least(of: Bits, i: int, k: int, j: int, unsigned: bool = False) -> bool:
    law = stationary(of, j)
    shown: Mapping[Path, F] = {}
    ratios = []
    for t in (i, j):
        zero, one = (
            marginal(given(law, lambda x, t=t, v=v: x[t - 1] == v) or shown, [k]).get((0,), ZERO)  # type: ignore[misc]
            for v in (0, 1)
        )
        ratios.append(max(zero / one, one / zero) if unsigned else zero / one)
    whole = leakage(law, [SHOWN if t == k else HIDDEN for t in range(1, j + 1)], [i, j])
    return whole is None or whole >= prod(ratios) * _factor(of, i, j)


RECORD_BETWEEN = Statement(
    family=between,
    holds=_at_least,
    edges=[{"of": (F(5, 6), HALF), "i": 1, "k": 3, "j": 4}],
    too_strong={
        "with e^i0 in place of the quotients": {"unsigned": True},
    },
)


def _factor_grows(of: Bits, i: int, k: int, j: int) -> bool:
    """The factor is at least 1, above 1 iff a < b, and above any K for small a: here 1/a."""
    factor = _factor(of, i, j)
    small = of[1] * F(1, 10**9), of[1]
    return factor >= 1 and (factor > 1) == (of[0] < of[1]) and _factor(small, i, j) > 1000


IN_ORDER, MEMORY = "a <= b", "lam > 0"
FACTOR = Statement(
    family=between,
    given={
        IN_ORDER: lambda of, i, k, j: of[0] <= of[1],
        MEMORY: lambda of, i, k, j: sum(of) < 1,
    },
    holds=lambda of, i, k, j, above=False, at_most_=False: (
        _factor_grows(of, i, k, j)
        and (not above or (_factor(of, i, j) > 1))
        and (not at_most_ or (_factor((of[0] / 10**6, of[1]), i, j) <= 1000))
    ),
    too_strong={
        "above 1": {"above": True},
        "at most 1000": {"at_most_": True},
    },
    too_weak=[IN_ORDER, MEMORY],
)


def exchanged(draws: Draws) -> Instance:
    """A stationary chain of one to four bits with any eigenvalue, a and b in any order, a private
    record, redacted at seven of eight, and a local mechanism.
    """
    drawn = mechanism(draws)
    if draws.below(8) == 7:
        drawn["rows"][drawn["p"] - 1] = symbols(draws)
    return drawn


def _both(of: Bits, p: int, rows: Rows) -> tuple[F | None, F]:
    return leakage(stationary(of, len(rows)), rows, [p]), shows(of, rows)


EXCHANGED_VALUES = Statement(
    family=exchanged,
    holds=lambda of, p, rows, with_as_they=False, with_redactions_as=False: (
        _both(of, p, rows)
        == _both(
            (of if with_as_they else of[::-1]),
            p,
            (rows if with_redactions_as else [row[::-1] for row in rows]),
        )
    ),
    too_strong={
        "with a and b as they are": {"with_as_they": True},
        "with redactions as they are": {"with_redactions_as": True},
    },
)
EXCHANGED_ORDER = Statement(
    family=exchanged,
    holds=lambda of, p, rows, with_redactions_as=False: (
        _both(of, p, rows)
        == _both(of, len(rows) + 1 - p, (rows if with_redactions_as else rows[::-1]))
    ),
    too_strong={
        "with redactions as they are": {"with_redactions_as": True},
    },
)


def _level_one(of: Bits, p: int, rows: Rows) -> bool:
    return leakage(stationary(of, len(rows)), rows, [p]) == 1


NOTHING_LEAKS, MEMORYLESS, CORRELATED = "eps = 0", "lam = 0", "lam != 0"
LEVEL_ZERO = Statement(
    family=exchanged,
    given={
        NOTHING_LEAKS: _level_one,
        CORRELATED: lambda of, p, rows: sum(of) != 1,
    },
    holds=lambda of, p, rows: all([*row] == HIDDEN for row in rows),
    too_weak=[NOTHING_LEAKS, CORRELATED],
)
FREE = Statement(
    family=exchanged,
    given={
        MEMORYLESS: lambda of, p, rows: sum(of) == 1,
        "X_p is redacted": lambda of, p, rows: [*rows[p - 1]] == HIDDEN,
    },
    holds=lambda of, p, rows: (
        _level_one(of, p, rows)
        and _level_one(of, p, [HIDDEN if t == p else SHOWN for t in range(1, len(rows) + 1)])
    ),
    too_weak=[MEMORYLESS, "X_p is redacted"],
)
