"""Lower bounds on leakage as programs: what is released leaks its influence, quilts, the radius.

Laws of records and outputs are written out; leakage and influence are quotients of sums.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    LEVELS,
    any_chain,
    e1,
    pattern,
    place,
    redaction,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    Chain,
    Redaction,
    given,
    leakage,
    local,
    marginal,
    set_influence,
)

F = Fraction
MORE = F(101, 100)
REDACTED = "X_p is redacted"


def releases(draws: Draws) -> Instance:
    """A chain, with a > b half of the time, of one to three records, r_1..r_n, X_p redacted half
    of the time, a set Q of records, empty ones too, and values x_Q.
    """
    of, (n, p) = any_chain(draws, ordered=False), place(draws, 3)
    r = redaction(draws, n, p, hidden=draws.whether())
    Q = draws.several(range(1, n + 1))
    return {"of": of, "n": n, "p": p, "r": r, "Q": Q, "x_Q": "".join(draws.among("01") for _ in Q)}


def _pointwise(of: Chain, n: int, p: int, Q: Sequence[int], x_Q: str) -> F | None:
    """e^i(X_p ~> X_Q = x_Q)."""
    laws = [marginal(given(of, n, p, v), Q).get(x_Q, ZERO) for v in (0, 1)]
    return max(laws) / min(laws) if min(laws) else None


def _leaks(
    of: Chain, n: int, p: int, r: Redaction, Q: Sequence[int], x_Q: str, factor: F = ONE
) -> bool:
    influence = _pointwise(of, n, p, Q, x_Q)
    least = None if influence is None else factor * influence
    return at_most(least, leakage(of, n, p, local(r)))


def _possible(r: Redaction, Q: Sequence[int], x_Q: str, **_: object) -> bool:
    return all(r[t - 1][int(x)] < 1 for t, x in zip(Q, x_Q))


POSSIBLE = "x_Q is in supp(Y_Q)"
OUTSIDE = "p is not in Q"
IS_OUTSIDE = {OUTSIDE: lambda p, Q, **_: p not in Q}


def _joint(of: Chain, n: int, p: int, r: Redaction, value: int) -> dict[str, F]:
    """The law of x followed by y, given X_p = value."""
    return {
        x + y: weight * chance
        for x, weight in given(of, n, p, value).items()
        for y, chance in local(r)(x).items()
    }


def _rest(n: int, p: int, Q: Sequence[int]) -> list[int]:
    return [t for t in range(1, n + 1) if t != p and t not in Q]


def _outputs_given(
    n: int, p: int, joint: Mapping[str, F], Q: Sequence[int], x_Q: str
) -> dict[str, F]:
    """The law of Y_R given X_p and X_Q = x_Q."""
    both = marginal(joint, [*Q, *(n + t for t in _rest(n, p, Q))])
    mass = marginal(joint, Q)[x_Q]
    return {w[len(Q) :]: weight / mass for w, weight in both.items() if w[: len(Q)] == x_Q}


def _factors(of: Chain, n: int, p: int, r: Redaction, Q: Sequence[int], x_Q: str) -> bool:
    """The product for all y with y_Q = x_Q and y_p = *."""
    shows = ONE
    for t, x in zip(Q, x_Q):
        shows *= 1 - r[t - 1][int(x)]
    for v in (0, 1):
        joint = _joint(of, n, p, r, v)
        outputs = marginal(joint, range(n + 1, 2 * n + 1))
        rest = _outputs_given(n, p, joint, Q, x_Q)
        for y_R in product("01*", repeat=len(_rest(n, p, Q))):
            at = {p: "*", **dict(zip(Q, x_Q)), **dict(zip(_rest(n, p, Q), y_R))}
            y = "".join(at[t] for t in range(1, n + 1))
            expected = rest.get("".join(y_R), ZERO) * marginal(joint, Q)[x_Q] * shows
            if outputs.get(y, ZERO) != expected:
                return False
    return True


def _witness(
    of: Chain, n: int, p: int, r: Redaction, Q: Sequence[int], x_Q: str, factor: F = ONE
) -> bool:
    """For each x some y_R is possible and at least as likely as given 1 - x."""
    laws = [_outputs_given(n, p, _joint(of, n, p, r, v), Q, x_Q) for v in (0, 1)]
    return all(
        any(weight and weight >= factor * other.get(y, ZERO) for y, weight in law.items())
        for law, other in (laws, laws[::-1])
    )


def _logarithm(of: Chain, n: int, p: int, r: Redaction, Q: Sequence[int], x_Q: str) -> bool:
    """i <= Inf with equality for some x_Q, and Lk is at least i."""
    every = [_pointwise(of, n, p, Q, "".join(each)) for each in product("01", repeat=len(Q))]
    most = set_influence(of, n, p, Q)
    bounded = all(at_most(each, most) for each in every) and most in every
    return bounded and _leaks(of, n, p, r, Q, x_Q)


WITNESS = Statement(
    family=releases,
    given={POSSIBLE: _possible, **IS_OUTSIDE},
    holds=_witness,
    too_strong={"above 1": {"factor": MORE}},
    always="of two laws with equal sums neither is below the other everywhere",
)
STEPS = {
    "the factors, X_p redacted": Statement(
        family=releases,
        given={**IS_OUTSIDE, REDACTED: lambda r, p, **_: r[p - 1] == ALWAYS},
        holds=_factors,
        too_weak=[REDACTED],
    ),
    "some y in supp(Y) makes the Y_R ratio at least 1": WITNESS,
    "the conclusion with a logarithm, for released Q": Statement(
        family=releases,
        given={POSSIBLE: _possible, **IS_OUTSIDE},
        holds=lambda more_hundredth=False, **at: (
            _logarithm(**at) and (not more_hundredth or (_leaks(**at, factor=MORE)))
        ),
        too_strong={"more by a hundredth": {"more_hundredth": True}},
        too_weak=[POSSIBLE],
    ),
}


def _is_quilt(of: Chain, n: int, Q: Sequence[int], N: Sequence[int], R: Sequence[int]) -> bool:
    """Pr(x_R | x_Q, x_N) = Pr(x_R | x_Q) for all x; all x are possible."""
    law = {x: of.weight(x) for x in map("".join, product("01", repeat=n))}
    at_Q, at_QN, at_QR = (marginal(law, [*Q, *more]) for more in ([], N, R))

    def shown_at(x: str, records: Sequence[int]) -> str:
        return "".join(x[t - 1] for t in sorted(records))

    return all(
        weight * at_Q[shown_at(x, Q)] == at_QN[shown_at(x, [*Q, *N])] * at_QR[shown_at(x, [*Q, *R])]
        for x, weight in law.items()
    )


def quilts(draws: Draws) -> Instance:
    """A chain with a <= b of two to four records, tl < p or none, tr > p or none, not both none,
    the records between them and beyond.
    """
    of, (n, p) = any_chain(draws), place(draws, 4, shortest=2)
    left = draws.among([*range(1, p), None]) if p > 1 else None
    right = draws.among([*range(p + 1, n + 1), None]) if p < n else None
    Q = [each for each in (left, right) if each] or [n if p < n else 1]
    N = [
        t
        for t in range(1, n + 1)
        if max([q for q in Q if q < p], default=0) < t < min([q for q in Q if q > p], default=n + 1)
    ]
    R = [t for t in range(1, n + 1) if t not in [*Q, *N]]
    return {"of": of, "n": n, "p": p, "Q": Q, "N": N, "R": R}


NEAREST_QUILT = Statement(
    family=quilts,
    holds=lambda of, n, p, Q, N, R, record_quilt_left=False: (
        p in N and _is_quilt(of, n, (Q[1:] if record_quilt_left else Q), N, R)
    ),
    too_strong={"a record of the quilt left out": {"record_quilt_left": True}},
)


def patterns(draws: Draws) -> Instance:
    """A chain with a <= b of one to four records, a set of released records, X_p seldom among
    them, and a level R, often the sum of the influences of the nearest released records.
    """
    of, (n, p) = any_chain(draws), place(draws, 4)
    kept = [t for t in draws.several(range(1, n + 1)) if t != p or draws.below(4) == 3]
    exact = _right_side(of, n, p, kept) if p not in kept else F(2)
    Lk = leakage(of, n, p, local(pattern(n, kept))) or F(2)
    R = draws.among([exact, Lk, *LEVELS[:3]])
    return {"of": of, "n": n, "p": p, "kept": kept, "R": R}


def _windows(n: int, p: int, kept: Sequence[int]) -> tuple[list[int], list[int]]:
    """All D in 0..p-1, and in 0..n-p, with no released record in [p-D,p], in [p,p+D]."""
    left = [D for D in range(p) if not any(p - D <= j <= p for j in kept)]
    right = [D for D in range(n - p + 1) if not any(p <= j <= p + D for j in kept)]
    return left, right


def _radius(n: int, p: int, kept: Sequence[int]) -> tuple[int, int]:
    left, right = _windows(n, p, kept)
    return max(left), max(right)


def _right_side(of: Chain, n: int, p: int, kept: Sequence[int]) -> F:
    Dl, Dr = _radius(n, p, kept)
    return (e1(of, Dl + 1) if Dl < p - 1 else ONE) * (e1(of, Dr + 1) if Dr < n - p else ONE)


def _has_radius(n: int, p: int, kept: Sequence[int], **_: object) -> bool:
    left, right = _windows(n, p, kept)
    if not left or not right:
        return False
    Dl, Dr = max(left), max(right)
    ends = (Dl == p - 1 or p - Dl - 1 in kept) and (Dr == n - p or p + Dr + 1 in kept)
    return ends and left == [*range(Dl + 1)] and right == [*range(Dr + 1)]


SPAN = 30
"""Beyond the ends of any chain here, so that what holds of it holds of all larger distances."""


def _limited(p: int, kept: Sequence[int], least: int = -1, **_: object) -> bool:
    """Whether there is a largest D, which is at least `least`, with no released record in [p-D,p],
    and one in [p,p+D]: D = -1 if X_p is released.
    """
    distances = range(-1, SPAN + 1)
    left = [D for D in distances if not any(p - D <= j <= p for j in kept)]
    right = [D for D in distances if not any(p <= j <= p + D for j in kept)]
    return all(least <= max(each) < SPAN for each in (left, right))


IS_REDACTED = {REDACTED: lambda p, kept, **_: p not in kept}
RADIUS = Statement(
    family=patterns,
    given=IS_REDACTED,
    holds=lambda n, p, kept, nothing_released_on=False, **rest: (
        _has_radius(n=n, p=p, kept=kept, **rest)
        and (not nothing_released_on or (_radius(n, p, kept)[0] == p - 1))
    ),
    too_strong={"nothing released on the left": {"nothing_released_on": True}},
    too_weak=[REDACTED],
)
LIMITED = Statement(
    family=patterns,
    holds=_limited,
    too_strong={"both radii at least 1": {"least": 1}},
    degenerate=lambda n, p, kept, **_: not (any(j < p for j in kept) and any(j > p for j in kept)),
)
"""Nothing is released on a side: then no number is the largest, a boundary case."""
