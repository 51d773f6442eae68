"""The setting as programs: the law of the chain, regions by influence, privacy of several records,
other definitions of privacy, utility. Laws of all records and outputs are written out.
"""

from collections.abc import Sequence
from itertools import product

from pufferproof.claims.language.instances.chains import sequences
from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    IS_ORDERED,
    LEVELS,
    ORDERED,
    any_chain,
    place,
    redaction,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    Redaction,
    chain,
    given,
    leakage,
    local,
    pointwise,
)
from pufferproof.claims.papers.massny2025.influence.instances import marginal as shown_law

F = Fraction
STATIONARY = "X_1 has the stationary law"


def started_chains(draws: Draws) -> Instance:
    """A chain with any a, b in (0, 1) of up to four records, and the law of X_1: the stationary
    one most often, else any.
    """
    of = any_chain(draws, ordered=False)
    law = [of.b / (of.a + of.b), of.a / (of.a + of.b)]
    start = draws.among([law, law, law, draws.law(2)])
    return {"of": of, "start": start, "n": 1 + draws.below(4)}


def _is_stationary(of: Chain, start: Sequence[F], n: int) -> bool:
    return [*start] == [of.b / (of.a + of.b), of.a / (of.a + of.b)]


def _same_reversed(of: Chain, start: Sequence[F], n: int) -> bool:
    """The reversed sequence has the same law; so X_{p-D} given X_p has that of X_{p+D}."""
    law = sequences(start, of.step, n)
    return law == {x[::-1]: p for x, p in law.items()}


def private_indices(draws: Draws) -> Instance:
    """A chain with any a, b in (0, 1) of up to four records, the law of X_1, the stationary one
    often, and an index p.
    """
    return (drawn := started_chains(draws)) | {"p": 1 + draws.below(drawn["n"])}


def _reindexed(of: Chain, start: Sequence[F], n: int, p: int, bound: F) -> bool:
    """Re-indexing maps indices to indices and the chain to itself; p or its image is small."""
    images = [n + 1 - t for t in range(1, n + 1)]
    small = p <= bound or n + 1 - p <= bound
    return sorted(images) == [*range(1, n + 1)] and small and _same_reversed(of, start, n)


EVEN = "n is even"
REINDEXED_EVEN = Statement(
    family=private_indices,
    given={EVEN: lambda n, **_: n % 2 == 0, STATIONARY: lambda p, **at: _is_stationary(**at)},
    holds=lambda n, less=0, **at: _reindexed(n=n, bound=(F(n, 2) - less), **at),
    too_strong={"p below n/2": {"less": HALF}},
    too_weak=[EVEN, STATIONARY],
)
REINDEXED_LITERALLY = Statement(
    family=private_indices,
    given={STATIONARY: lambda p, **at: _is_stationary(**at)},
    holds=lambda n, less=0, **at: _reindexed(n=n, bound=(F(n, 2) - less), **at),
    too_strong={"p below n/2": {"less": HALF}},
    degenerate=lambda n, p, **_: 2 * p == n + 1,
)
"""The middle of an odd number of records stays where it is: a boundary case."""
REINDEXED = Statement(
    family=private_indices,
    given={STATIONARY: lambda p, **at: _is_stationary(**at)},
    holds=lambda n, other=False, **at: _reindexed(n=n, bound=F((n if other else n + 1), 2), **at),
    too_strong={"p <= n/2": {"other": True}},
    too_weak=[STATIONARY],
)


def thresholds(draws: Draws) -> Instance:
    """A chain, with a > b half of the time, up to five records, and T = e^eps', often an
    influence that occurs.
    """
    of, (n, p) = any_chain(draws, ordered=False), place(draws, 5)
    influence = pointwise(of, 1 + draws.below(4), draws.below(2))
    return {"of": of, "n": n, "p": p, "T": draws.among([influence, *LEVELS[:5]])}


def _influences(of: Chain, p: int, t: int) -> tuple[F | None, F | None]:
    """e^i(X_t=0) and e^i(X_t=1); None is infinite."""
    if t == p:
        return None, None
    return pointwise(of, abs(t - p), 0), pointwise(of, abs(t - p), 1)


def _regions(of: Chain, p: int, t: int, T: F) -> str:
    """All regions in which a record is."""
    zero, one = _influences(of, p, t)
    ordered, low, high = at_most(zero, one), at_most(zero, T), at_most(one, T)
    member = {"L": not low and ordered, "M": low and not high, "S": ordered and high}
    return "".join(region for region, holds in member.items() if holds)


def _split(of: Chain, n: int, p: int, T: F, private: bool) -> list[str]:
    return [_regions(of, p, t, T) for t in range(1, n + 1) if private or t != p]


REGIONS = {
    "t = p in L, as its influence is infinite": Statement(
        family=thresholds,
        given=IS_ORDERED,
        holds=lambda of, n, p, T, none_them_empty=False: (
            (
                all(len(each) == 1 for each in _split(of, n, p, T, private=True))
                and _regions(of, p, p, T) == "L"
            )
            and (not none_them_empty or (set(_split(of, n, p, T, True)) == {*"LMS"}))
        ),
        too_strong={"none of them empty": {"none_them_empty": True}},
        too_weak=[ORDERED],
    ),
    "t = p in no region: the other records are split": Statement(
        family=thresholds,
        given=IS_ORDERED,
        holds=lambda of, n, p, T, none_them_empty=False: (
            (all(len(each) == 1 for each in _split(of, n, p, T, False)))
            and (not none_them_empty or (set(_split(of, n, p, T, False)) == {*"LMS"}))
        ),
        too_strong={"none of them empty": {"none_them_empty": True}},
        too_weak=[ORDERED],
    ),
}


def _intervals(of: Chain, n: int, p: int, T: F, inner: str = "L", outer: str = "S") -> bool:
    near = sorted(range(1, n + 1), key=lambda t: abs(t - p))
    split = [(abs(t - p), _regions(of, p, t, T)) for t in near if t != p]
    if of.eigenvalue == 0:
        return all(region == "S" for _, region in split)
    return all(
        (here == inner or there != inner) and (there == outer or here != outer)
        for (D, here), (later, there) in product(split, repeat=2)
        if D < later
    )


INTERVALS = Statement(
    family=thresholds,
    given=IS_ORDERED,
    holds=_intervals,
    too_strong={
        "what is nearer than one of M is in M": {"inner": "M"},
        "what is farther than one of M is in M": {"outer": "M"},
    },
)


def drawn_values(draws: Draws) -> Instance:
    """The chain of the figure with two to four records, X_p and another record t, a value z."""
    n, p = place(draws, 4, shortest=2)
    t = draws.among([t for t in range(1, n + 1) if t != p])
    return {"n": n, "p": p, "t": t, "z": draws.below(2)}


FIGURE = chain("1/4", "1/2")
DRAWN_VALUES = {1: (F(3, 2), F(2)), 2: (F(11, 10), F(6, 5)), 3: (F(43, 42), F(22, 21))}


def _drawn(n: int, p: int, t: int, z: int) -> bool:
    laws = [shown_law(given(FIGURE, n, p, value), [t])[str(z)] for value in (0, 1)]
    return max(laws) / min(laws) == DRAWN_VALUES[abs(p - t)][z]


def redactions_and_thresholds(draws: Draws) -> Instance:
    """A chain with a <= b of two or three records, r_1..r_n with X_p redacted, a record t other
    than p, a value z, and T = e^eps', often an influence that occurs.
    """
    of, (n, p) = any_chain(draws), place(draws, 3, shortest=2)
    t = draws.among([t for t in range(1, n + 1) if t != p])
    T = draws.among([pointwise(of, 1 + draws.below(3), draws.below(2)), *LEVELS[:6]])
    r = redaction(draws, n, p)
    return {"of": of, "n": n, "p": p, "r": r, "t": t, "z": draws.below(2), "T": max(T, F(101, 100))}


ABOVE, RELEASED = "i(X_t=z) > eps'", "z is in supp(Y_t)"
IN_M = "t is in M"


def _one_value(t: int, p: int, n: int, s: F) -> Redaction:
    """Release the value 0 of one record with probability s, nothing else."""
    return [(1 - s, ONE) if u == t else (ONE, ONE) for u in range(1, n + 1)]


def _all_of(of: Chain, n: int, p: int, T: F, regions: str = "S") -> Redaction:
    kept = [_regions(of, p, t, T) in [*regions] for t in range(1, n + 1)]
    return [(ZERO, ZERO) if each else (ONE, ONE) for each in kept]


def _keeps_sides(of: Chain, n: int, p: int, r: Redaction, T: F, whole: F) -> bool:
    sides = [range(1, p + 1), range(p, n + 1)]
    apart = all(at_most(leakage(of, n, p, local(r), each), T) for each in sides)
    return apart and at_most(leakage(of, n, p, local(r)), whole)


FIG2 = {
    "the drawn values, |t-p| <= 3": Statement(
        family=drawn_values,
        holds=lambda n, p, t, z, values_exchanged=False: (
            _drawn(n, p, t, z)
            and (
                not values_exchanged
                or (
                    _drawn(n, p, t, z)
                    and DRAWN_VALUES[abs(p - t)][0] == DRAWN_VALUES[abs(p - t)][1]
                )
            )
        ),
        too_strong={"the values exchanged": {"values_exchanged": True}},
    ),
    "L: a value of influence above eps' that is released leaks more than eps'": Statement(
        family=redactions_and_thresholds,
        given={
            ABOVE: lambda of, p, t, z, T, **_: pointwise(of, abs(t - p), z) > T,
            RELEASED: lambda r, t, z, **_: r[t - 1][z] < 1,
        },
        holds=lambda of, n, p, r, T, more_than_eps=False, **_: (
            not at_most(leakage(of, n, p, local(r)), (T * T if more_than_eps else T))
        ),
        too_strong={"more than eps = 2 eps'": {"more_than_eps": True}},
        too_weak=[ABOVE, RELEASED],
    ),
    "M: the value 0 can be released with positive probability": Statement(
        family=redactions_and_thresholds,
        given={IN_M: lambda of, p, t, T, **_: _regions(of, p, t, T) == "M"},
        holds=lambda of, n, p, t, T, always=False, **_: at_most(
            leakage(of, n, p, local(_one_value(t, p, n, (ONE if always else 1 - 1 / T)))), T
        ),
        too_strong={"always": {"always": True}},
        too_weak=[IN_M],
    ),
    "S: releasing all of S and nothing else keeps eps' on each side, eps on both": Statement(
        family=redactions_and_thresholds,
        holds=lambda of, n, p, T, eps_on_both=False, other=False, **_: _keeps_sides(
            of,
            n,
            p,
            (_all_of(of, n, p, T, "SM") if other else _all_of(of, n, p, T)),
            T,
            (T if eps_on_both else T * T),
        ),
        too_strong={"eps' on both": {"eps_on_both": True}, "M too": {"other": True}},
    ),
}
