"""Statements on the programs for q of one side: the published one, and two that keep more of it.

Where exponents are weights, q are powers of 1/2, and numbers are compared with 2^s, s a fraction.
"""

from collections.abc import Callable, Sequence
from math import floor, lcm, prod

from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO
from pufferproof.claims.language.instances.redaction import (
    ORDERED,
    Bits,
    bits,
    is_ordered,
    pointwise,
    regions,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.redaction.statements.sides import (
    POSITIVE,
    RISING,
    SEVERAL,
    Chances,
    constraint,
    feasible,
    last_output,
    one_side,
    parts,
)

F = Fraction
POWERS = [ONE, HALF, F(1, 4), F(1, 8)]


def heights(of: Bits, n: int, R: F) -> list[F]:
    """Return e^f_k, f_k = budget - delta_k, for the records of M."""
    split = regions(of, n, 1, R, R)
    found = []
    for t, letter in enumerate(split, 1):
        if letter == "M":
            value = 1 if split[t : t + 1] == "S" else 0
            found.append(R / ((pointwise(of, t, value) or ONE) if t < n else ONE))
    return found


def program(draws: Draws) -> Instance:
    """A stationary chain of three to eight bits, mostly a <= b, often with few ones, lam > 0, p =
    1, and a budget at or above an influence.
    """
    of, n = bits(draws, "+"), 3 + draws.below(6)
    of = of[0] / draws.among([1, 1, 10, 100]), of[1]
    D = 1 + draws.below(n - 1)
    R = (pointwise(of, D, 0) or ONE) * draws.among([ONE, F(5, 4), F(101, 100), F(2), F(4)])
    return {"of": of, "n": n, "R": R, "part": F(draws.below(5), 4), "D": D}


def _root(x: F, power: int) -> F:
    """A fraction of at least x^(1/power), by at most 10^-6."""
    low, high = 0, 10**6
    while low < high:
        middle = (low + high) // 2
        if F(middle, 10**6) ** power >= x:
            high = middle
        else:
            low = middle + 1
    return F(low, 10**6)


def _candidate(f: Sequence[F], part: F) -> list[F] | None:
    """q_1 = .. = q_(N-1) a little above a share of the way from the two-value optimum to 1, q_N as
    small as the last constraint allows; None if it is not feasible.
    """
    N = len(f)
    start = max(_root(1 / f[k - 1], k) for k in range(1, N))
    first = start + part * (1 - start) / 2
    q = [first] * (N - 1) + [min(ONE, max(F(1, 10**9), 1 / (f[-1] * first ** (N - 1))))]
    return q if _allowed(f, q) else None


def _allowed(f: Sequence[F], q: Sequence[F]) -> bool:
    return all(f[k - 1] * prod(q[:k], start=ONE) >= 1 for k in range(1, len(f) + 1))


def _flat(f: Sequence[F]) -> bool:
    """f_N/N <= f_(N-1)/(N-1)."""
    return f[-1] ** (len(f) - 1) <= f[-2] ** len(f)


def _stated(f: Sequence[F], flat: bool) -> bool:
    """Whether the q stated is feasible: powers of roots are compared as powers."""
    N = len(f)
    last = N if flat else N - 1
    constraints = all(f[k - 1] ** last >= f[last - 1] ** k for k in range(1, last + 1))
    falls = flat or (f[-2] / f[-1]) ** (N - 1) * f[-2] < 1
    return constraints and falls


def _at_least(f: Sequence[F], q: Sequence[F], flat: bool) -> bool:
    """Whether the sum of q is at least that of the q stated."""
    N, total = len(f), sum(q, ZERO)
    if flat:
        return (total / N) ** N * f[-1] >= 1
    rest = total - f[-2] / f[-1]
    return rest > 0 and (rest / (N - 1)) ** (N - 1) * f[-2] >= 1


def _two_values(of: Bits, n: int, R: F, part: F, D: int, always: bool = False) -> bool:
    f = heights(of, n, R)
    N, flat, q = len(f), always or _flat(f), _candidate(f, part)
    slopes = all(f[k - 1] ** (k + 1) >= f[k] ** k for k in range(1, N - 1))
    constant = max(_root(1 / f[k - 1], k) for k in range(1, N + 1))
    others = [each for each in (q, [constant] * N) if each is not None]
    optimal = all(_at_least(f, each, flat) for each in others)
    return slopes and optimal and _stated(f, flat)


def _several(of: Bits, n: int, R: F, part: F, D: int) -> bool:
    return len(heights(of, n, R)) >= 2


TWO_VALUES = Statement(
    family=program,
    given={ORDERED: is_ordered, SEVERAL: _several},
    holds=_two_values,
    too_strong={"the constant, always": {"always": True}},
)


def _constant_best(of: Bits, n: int, R: F, part: F, D: int, first: bool = False) -> bool:
    """Whether one comparison says if no feasible q has a smaller sum than the best constant; and
    R >= e^(N i0(D)) does where S is empty.
    """
    f, split = heights(of, n, R), regions(of, n, 1, R, R)
    N = len(f)
    best = max(range(N), key=lambda k: _root(1 / f[k], k + 1))
    q = _candidate(f, part)

    def less(each: Sequence[F]) -> bool:
        return (sum(each, ZERO) / N) ** (best + 1) * f[best] < 1

    said = f[-1] <= f[0] ** N if first else _flat(f)
    better = any(less(each) for each in (_candidate(f, ZERO), q) if each is not None)
    close = (f[-1] ** (N - 1) / f[-2] ** N) < 1 + F(1, 10**4)
    end = "S" in split or (R >= (pointwise(of, n - 1, 0) or ONE) ** N) == said
    return end and (not better if said else better or close)


RELAXED_CONSTANT = Statement(
    family=program,
    given={ORDERED: is_ordered, SEVERAL: _several},
    holds=_constant_best,
    too_strong={
        "against the first slope instead": {"first": True},
    },
)
EMPTY = "S is empty"
CONSTANT_EMPTY = Statement(
    family=program,
    given={
        ORDERED: is_ordered,
        SEVERAL: _several,
        EMPTY: lambda of, n, R, **_: "S" not in regions(of, n, 1, R, R),
    },
    holds=lambda of, n, R, iff_budget=False, **rest: (
        _constant_best(of=of, n=n, R=R, **rest)
        and (
            not iff_budget
            or (
                (R >= (pointwise(of, n - 1, 0) or ONE) ** (len(heights(of, n, R)) - 1))
                == _flat(heights(of, n, R))
            )
        )
    ),
    too_strong={
        "iff budget >= (N - 1) i0(D)": {"iff_budget": True},
    },
)


def at_most_two_to(x: F, s: F) -> bool:
    """Return whether x <= 2^s: by squaring, exactly at the end."""
    power, times = x, 1
    while times < min(s.denominator, 50_000):
        exponent = floor(s * times)
        if power <= F(2) ** exponent:
            return True
        if power > F(2) ** (exponent + 1):
            return False
        power, times = power * power, 2 * times
    return x**s.denominator <= F(2) ** s.numerator


def by_halves(draws: Draws) -> Instance:
    """A chain, budget and M as for one side, with q and q' that are powers of 1/2, ones often."""
    drawn = one_side(draws, values=POWERS)
    near = draws.whether()
    base = {t: draws.among(POWERS) if near else ONE for t in drawn["q"]}
    return drawn | {"q": {t: draws.among(POWERS) for t in drawn["q"]}, "base": base}


def _weights(of: Bits, n: int, R: F, q: Chances) -> list[F]:
    """P(X_k = 0 | X_p = 0, last output at q)."""
    found = parts(of, n, R, q, 0)
    total = sum(found.values())
    return [sum((p for x, p in found.items() if not x[k]), ZERO) / total for k in range(len(q))]


def _halvings(q: F) -> int:
    return q.denominator.bit_length() - 1


def _spent(weights: Sequence[F], q: Chances, base: Chances) -> F:
    """- sum of w (log q - log q') in units of log 2."""
    return sum((w * (_halvings(q[t]) - _halvings(base[t])) for w, t in zip(weights, q)), ZERO)


WITH_BASE: dict[str, Callable[..., bool]] = {
    words: lambda base, each=each, **at: each(**at) for words, each in RISING.items()
}


def _weighted(of: Bits, n: int, R: F, q: Chances, base: Chances, share: F = ONE) -> bool:
    """Whether q keeps the budget if delta_N - sum of w_k log q_k <= budget, w in (0, 1)."""
    weights = _weights(of, n, R, dict.fromkeys(q, ONE))
    delta = R / heights(of, n, R)[-1]
    within = at_most_two_to(delta / R, -share * _spent(weights, q, dict.fromkeys(q, ONE)))
    return all(0 < w < 1 for w in weights) and (not within or feasible(of, n, R, q))


RARE: Instance = {
    "of": (F(1, 10**6), F(1, 60)),
    "n": 2,
    "R": F(629, 10),
    "q": {2: F(1, 64)},
    "base": {2: ONE},
}
"""A budget a little below the leakage, a weight near 1, and a record that is rarely 0 given 1."""
WEIGHTED = Statement(
    family=by_halves,
    edges=[RARE],
    given=WITH_BASE,
    holds=_weighted,
    too_strong={
        "half of each weight": {"share": HALF},
        "99/100 of each weight": {"share": ALMOST},
    },
    too_weak=[POSITIVE],
)
PUBLISHED = "the published constraints hold"


def _published(of: Bits, n: int, R: F, q: Chances, base: Chances) -> bool:
    return _allowed(heights(of, n, R), [*q.values()])


def _implied(of: Bits, n: int, R: F, q: Chances, base: Chances, slack: bool = False) -> bool:
    """Whether the weighted constraint holds, with slack unless all q = 1, and is convex."""
    ones = dict.fromkeys(q, ONE)
    spent = _spent(_weights(of, n, R, ones), q, ones)
    delta = R / heights(of, n, R)[-1]
    held = at_most_two_to(delta / R, -spent)
    strict = held and not at_most_two_to(R / delta, spent)
    return (strict or (held and q == ones and not slack)) and _bent(of, n, R, q, base) <= 0


def _bent(of: Bits, n: int, R: F, q: Chances, base: Chances) -> F:
    """How much the weighted constraint at the middle of log q and log q' is above the mean; both
    are squared first.
    """
    ones = dict.fromkeys(q, ONE)
    weights = _weights(of, n, R, ones)
    ends = [_spent(weights, {t: each[t] ** 2 for t in q}, ones) for each in (q, base)]
    return _spent(weights, {t: q[t] * base[t] for t in q}, ones) - sum(ends, ZERO) / 2


IMPLIED = Statement(
    family=by_halves,
    given=WITH_BASE | {PUBLISHED: _published},
    holds=_implied,
    too_strong={
        "with slack, always": {"slack": True},
    },
    too_weak=[PUBLISHED],
)


def _condensed(of: Bits, n: int, R: F, q: Chances, base: Chances, share: F = ONE) -> bool:
    """Whether q keeps the budget if the condensed constraint at q' holds, which at q = q' is the
    exact one.
    """
    weights = [share * w for w in _weights(of, n, R, base)]
    B, A = last_output(of, n, R, q, 1), last_output(of, n, R, base, 0)
    within = at_most_two_to(B / (A * R), -_spent(weights, q, base))
    exact = q != base or within == feasible(of, n, R, q) == constraint(of, n, R, q)
    return exact and (not within or feasible(of, n, R, q))


CONDENSED = Statement(
    family=by_halves,
    edges=[RARE],
    given=WITH_BASE,
    holds=_condensed,
    too_strong={
        "half of each v": {"share": HALF},
        "99/100 of each v": {"share": ALMOST},
    },
    too_weak=[POSITIVE],
)


def _convex(of: Bits, n: int, R: F, q: Chances, base: Chances, concave: bool = False) -> bool:
    """Whether log B at the middle of log q and log q' is at most the mean: the rest is linear.
    Both are squared first, so that the middle is q q'.
    """
    ends = [{t: each**2 for t, each in one.items()} for one in (q, base)]
    middle = last_output(of, n, R, {t: q[t] * base[t] for t in q}, 1)
    sides = prod(last_output(of, n, R, each, 1) for each in ends)
    return middle**2 >= sides if concave else middle**2 <= sides


CONDENSED_CONVEX = Statement(
    family=by_halves,
    given=WITH_BASE,
    holds=_convex,
    too_strong={"concave, too": {"concave": True}},
)


def weighted(draws: Draws) -> Instance:
    """One to three weights in (0, 1), a number mu, and another q: often that of the program with
    some entries lowered or raised; beside them a side of a chain of bits with its budget, as for
    one side, and q that the published program allows.
    """
    size = 1 + draws.below(3)
    w = [draws.rate([F(n, 5) for n in range(1, 5)]) for _ in range(size)]
    mu = draws.among([ONE, F(2), HALF, F(5, 2), F(5)])
    best = [min(ONE, mu * each) for each in w]
    moves = [ONE, HALF, F(9, 10), F(10, 9), F(2), F(4, 5)]
    other = [min(ONE, each * draws.among(moves)) for each in best]
    side = one_side(draws, "+")
    return {"w": w, "mu": mu, "q": other, "side": side | {"q": _allowed_chances(draws, **side)}}


def _allowed_chances(draws: Draws, of: Bits, n: int, R: F, q: Chances) -> Chances:
    """Choose one q_k after the other: as small as the published constraints allow, or larger."""
    f, so_far, found = heights(of, n, R), ONE, dict(q)
    for k, t in enumerate(q):
        least = max(1 / (each * so_far) for each in f[k:])
        found[t] = least + draws.among([ZERO, HALF, F(1, 10), F(3, 4), ONE]) * (1 - least)
        so_far *= found[t]
    return found


def _spends_less(w: Sequence[F], best: Sequence[F], q: Sequence[F]) -> bool:
    """Whether - sum of w log q is at most that of another q."""
    scale = lcm(*(v.denominator for v in w))
    left, right = (prod(x ** int(scale * v) for x, v in zip(each, w)) for each in (q, best))
    return left >= right


def _no_better(w: Sequence[F], mu: F, q: Sequence[F], constant: bool = False) -> bool:
    """Whether q spends more than min{1, mu w}, which is a constant in the near miss, or has at
    least its sum.
    """
    best = [min(ONE, mu * (w[0] if constant else each)) for each in w]
    return not _spends_less(w, best, q) or sum(q, ZERO) >= sum(best, ZERO)


def _below_published(
    of: Bits, n: int, R: F, q: Chances, unless: bool = True, share: F = ONE
) -> bool:
    """Whether some min{1, mu w} with a smaller sum than q, which the published program allows,
    satisfies the weighted constraint: so it is for all q of that program, the best one too, if and
    only if the optimum is below that of the published one.
    """
    f = heights(of, n, R)
    if not (f and 1 < R) or (unless and f[-1] == 1):
        return True
    weights = _weights(of, n, R, dict.fromkeys(q, ONE))
    best = _capped(weights, share * sum(q.values(), ZERO))
    return _exceeds_one([f[-1], *best], [ONE, *weights])


def _capped(w: Sequence[F], total: F) -> list[F]:
    """Return min{1, mu w} with the sum `total`."""
    for capped in range(len(w) + 1):
        ones = sorted(w, reverse=True)[:capped]
        rest = sum(w, ZERO) - sum(ones, ZERO)
        mu = (total - capped) / rest if rest else 1 / min(w)
        best = [min(ONE, mu * each) for each in w]
        if sum(best, ZERO) == total:
            return best
    return [ONE] * len(w)


def _exceeds_one(values: Sequence[F], exponents: Sequence[F]) -> bool:
    """Whether a product of powers exceeds 1: by whole powers below and above it, exactly last."""
    for scale in (2**4, 2**7, 2**10):
        powers = [(x, floor(e * scale)) for x, e in zip(values, exponents)]
        if prod(x ** (e + (x < 1)) for x, e in powers) > 1:
            return True
        if prod(x ** (e + (x > 1)) for x, e in powers) <= 1:
            return False
    scale = lcm(*(e.denominator for e in exponents))
    return prod(x ** int(e * scale) for x, e in zip(values, exponents)) > 1


WEIGHTED_OPTIMUM = Statement(
    family=weighted,
    given={words: lambda side, each=each, **_: each(**side) for words, each in RISING.items()},
    holds=lambda w, mu, q, side, constant=False, unless=True, share=ONE: (
        _no_better(w, mu, q, constant) and _below_published(**side, unless=unless, share=share)
    ),
    too_strong={
        "q_k = min{1, mu w_1}": {"constant": True},
        "below the published one, always": {"unless": False},
        "below 9/10 of the published one": {"share": F(9, 10)},
    },
)
