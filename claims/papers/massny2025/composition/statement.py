"""Composition over the two sides of the private record: influences and leakages add, or are at most
the sum.

Letters: l = lam^(p-tl), h = lam^(tr-p); E and F are e^i1 at these distances. Given X_p the two
sides are independent, so ratios multiply; the largest ones meet in one outcome if l and h have the
same sign. Source: massny2025, remark 1 and section IV-A.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    leakage,
    local,
    pointwise,
    released,
    set_influence,
)
from pufferproof.claims.papers.massny2025.influence.statement import ORDERED, a, b, l
from pufferproof.claims.papers.massny2025.lower.statement import ALL, THIRD
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

Instance = tuple[int, int, tuple[int, ...], tuple[int, ...]]
"""n, p, the set S and the released records."""
h, E, F, p, q, r, s, k, R = sympy.symbols("h E F p q r s k R")
NOTATION = {"S": "a set of records"}
EVEN, GENERAL = "max-influence, tr - tl even", "max-influence, any tl and tr"
EVEN_DIM, GENERAL_DIM = "a DIM, S = R_rel, tr - tl even", "a DIM, S = R_rel, any tl and tr"
SAME_SIGN = "max-influence, lam >= 0, any tl and tr"
BOTH_SIDES = "all 0 < a <= b < 1, every n, p and S"
NEGATIVE_CHAIN = chain("2/3", "3/4")


@cache
def _ratio(
    count: int, private: int, kept: tuple[int, ...], indices: tuple[int, ...] | None
) -> Fraction | None:
    return leakage(THIRD, count, private, local(released(count, kept)), indices)


def _sets(count: int) -> list[tuple[int, ...]]:
    return [each for size in range(count + 1) for each in combinations(range(1, count + 1), size)]


def _instances(largest: int, with_p: bool) -> Iterator[Instance]:
    """S is split by tl = max S n [1,p] < tr = min S n [p,n] with an even distance; X_p is
    redacted.
    """
    for count in range(1, largest + 1):
        for private in range(1, count + 1):
            for chosen in _sets(count):
                nearest = _nearest(private, chosen)
                if (
                    nearest is None
                    or (nearest[1] - nearest[0]) % 2
                    or (private in chosen and not with_p)
                ):
                    continue
                for kept in _sets(count):
                    if private not in kept:
                        yield count, private, chosen, kept


def _nearest(private: int, chosen: tuple[int, ...]) -> tuple[int, int] | None:
    left, right = [t for t in chosen if t <= private], [t for t in chosen if t >= private]
    if private in chosen:
        right = [t for t in chosen if t > private]
    return (max(left), min(right)) if left and right else None


def _additive(instance: Instance) -> bool:
    count, private, chosen, kept = instance
    left = tuple(t for t in chosen if t <= private)
    right = tuple(t for t in chosen if t not in left)
    whole, first, second = (
        _ratio(count, private, kept, indices) for indices in (None, left, right)
    )
    return whole == (None if first is None or second is None else first * second)


@claim(
    "massny2025.rem1",
    where="Remark 1",
    statement="S splits into S^(l) = S n [1,tl] and S^(r) = S n [tr,n], where tl and tr are in S, "
    "tl <= p <= tr. If tr-tl is even: Inf(X_p~>X_S) = Inf(X_p~>X_S^(l)) + Inf(X_p~>X_S^(r)), "
    "and for a DIM Lk(X_p->Y) = Lk(X_p->Y_S^(l)) + Lk(X_p->Y_S^(r)). For general tl, tr both "
    "hold with <=.",
    kind="remark",
    repair="massny2025.rem1-repaired",
)
def rem1(check: Check) -> None:
    """Refute the part on DIMs for a set S that leaves out released records; prove the rest."""
    with check.reading("a DIM, any S", "one counterexample") as argument:
        _refute(argument, with_p=True)
    with check.reading("a DIM, any S without p", "one counterexample") as argument:
        _refute(argument, with_p=False)
    _proved(check)


def _refute(argument: Argument, with_p: bool) -> None:
    found = argument.exhaust(
        "smallest failure",
        "a = b = 1/3, where influences at distances 1 and 2 differ; n, p, S by size, released "
        "records by number",
        _instances(5, with_p),
        _additive,
    )
    if found is not None:
        count, private, chosen, kept = found
        argument.counterexample(
            "a released record that S leaves out",
            "a = b = 1/3. The remark says that the leakage of Y is the sum of the leakages of its "
            "outputs in S left and right of p, for any S with tr-tl even. Y is the whole output: "
            "here a record that S leaves out is released and leaks more, so that neither = nor <= "
            "holds. It is true for S = R_rel",
            {
                "a": THIRD.a,
                "b": THIRD.b,
                "n": count,
                "p": private,
                "S": list(chosen),
                "R_rel": list(kept),
                "e^Lk": _ratio(count, private, kept, None),
                "e^Lk of the outputs at S": _ratio(count, private, kept, chosen),
            },
            lambda: not _additive(found),
        )


@claim(
    "massny2025.rem1-repaired",
    where="Remark 1, repaired",
    statement="Let S have records on both sides of p, tl = max S n [1,p] and tr = min S n [p,n]: "
    "Inf(X_p~>X_S) is at most the sum over the two sides, with equality if tr-tl is even or "
    "lam >= 0; and the same for the leakage of a DIM with S = R_rel the released records.",
    kind="repair of massny2025.rem1",
)
def rem1_repaired(check: Check) -> None:
    """Prove the influences from the closed forms and the leakages from Corollary 3."""
    _proved(check)
    with check.reading(SAME_SIGN, BOTH_SIDES) as argument:
        _add(argument, [l >= 0, h >= 0])
    check.near_miss(f"{SAME_SIGN}: lam < 0", _odd_fails)


def _proved(check: Check) -> None:
    with check.reading(EVEN, BOTH_SIDES) as argument:
        _even(argument)
    check.near_miss(f"{EVEN}: tr - tl odd", lambda argument: _add(argument, [l >= 0, h <= 0]))
    check.near_miss(f"{EVEN}: tr - tl odd, evaluated", _odd_fails)
    with check.reading(GENERAL, BOTH_SIDES) as argument:
        _at_most(argument)
    check.near_miss(
        f"{GENERAL}: the left side alone", lambda argument: _at_most(argument, half=True)
    )
    with check.reading(EVEN_DIM, BOTH_SIDES) as argument:
        _even(argument)
        _leakages(argument)
    check.near_miss(f"{EVEN_DIM}: tr - tl odd", lambda argument: _add(argument, [l >= 0, h <= 0]))
    with check.reading(GENERAL_DIM, BOTH_SIDES) as argument:
        _at_most(argument)
        _leakages(argument)
    check.near_miss(
        f"{GENERAL_DIM}: the left side alone", lambda argument: _at_most(argument, half=True)
    )


def _reduce(argument: Argument) -> None:
    argument.cite(
        "a quilt", "{tl, tr}, {tl} and {tr} are Markov quilts", "massny2025.x-nearest-quilt"
    )
    argument.inequality(
        "records behind the nearest",
        "Given X_tl and X_tr the other records of S, remote, do not depend on X_p: their "
        "probability k is a common factor, so Inf(X_p~>X_S) is that of {tl, tr}, and Inf of a side "
        "that of its nearest record. If p is in S both sides are infinite",
        sympy.Equivalent(k * p <= R * (k * q), p <= R * q),
        [k > 0, p > 0, q > 0, R >= 1],
    )


def _at_most(argument: Argument, half: bool = False) -> None:
    _reduce(argument)
    argument.cite(
        "independent sides", "given X_p the records on its two sides", "song2017.x-markov"
    )
    argument.inequality(
        "the two sides",
        "p, q are the probabilities of X_tl = x given X_p = v and 1 - v, r, s those of X_tr = z; "
        "independent given X_p, they multiply. E, F bound the ratios of the sides",
        p * r <= (E if half else E * F) * (q * s),
        [p <= E * q, r <= F * s, p > 0, q > 0, r > 0, s > 0, E >= 1, F >= 1],
    )


def _even(argument: Argument) -> None:
    j = sympy.Symbol("j")
    argument.inequality(
        "the same sign",
        "tr - tl even: l h = lam^(tr-tl) is the square of j = lam^((tr-tl)/2)",
        Or(And(l >= 0, h >= 0), And(l <= 0, h <= 0)),
        [Eq(l * h, j**2)],
    )
    _add(argument, [Or(And(l >= 0, h >= 0), And(l <= 0, h <= 0))])


def _add(argument: Argument, signs: list[sympy.Basic]) -> None:
    """At most the sum, and attained where both records are 1."""
    _at_most(argument)
    argument.cite(
        "closed form",
        "E and F are the ratios of the value 1 or their inverses",
        "massny2025.prop1-closed",
    )
    up, down = (a + b * l) * (a + b * h), a * (1 - l) * (a * (1 - h))
    argument.inequality(
        "attained",
        "The probabilities of X_tl = X_tr = 1 given X_p = 1 and 0 are (a + b l)(a + b h) and a (1 "
        "- l) a (1 - h), over the same number; one of their two ratios is E F",
        Or(Eq(up, E * F * down), Eq(down, E * F * up)),
        [
            *ORDERED,
            l < 1,
            l > -1,
            h < 1,
            h > -1,
            a + b * l > 0,
            a + b * h > 0,
            E >= 1,
            F >= 1,
            *signs,
            Implies(l >= 0, Eq(a + b * l, E * a * (1 - l))),
            Implies(l < 0, Eq(a * (1 - l), E * (a + b * l))),
            Implies(h >= 0, Eq(a + b * h, F * a * (1 - h))),
            Implies(h < 0, Eq(a * (1 - h), F * (a + b * h))),
        ],
    )


def _leakages(argument: Argument) -> None:
    argument.cite(
        "leakage is influence",
        "{tl, tr}, {tl} and {tr} are Markov quilts in R_rel with nothing released between: Lk of "
        "Y, of Y_S^(l) and of Y_S^(r), in which the other side is not seen, are their influences. "
        "If X_p is released both sides are infinite",
        "massny2025.cor3",
    )


def _odd_fails(argument: Argument) -> None:
    of = NEGATIVE_CHAIN
    argument.exhaust(
        "distances 1 and 2",
        "a = 2/3, b = 3/4, n = 4, p = 2, S = {1, 4}",
        [(4, 2)],
        lambda at: set_influence(of, *at, [1, 4]) == pointwise(of, 1, 1) * pointwise(of, 2, 1),
    )


@claim(
    "massny2025.lr-compose",
    where="Section IV-A",
    statement="For every 3R mechanism Lk(X_p->Y) <= Lk(X_p->Y^(l)) + Lk(X_p->Y^(r)).",
    kind="lemma",
)
def lr_compose(check: Check) -> None:
    """Prove it for every local mechanism with coordinates independent given X, any chain and
    any redaction of X_p.
    """
    for name in ("3R mechanisms", "any local mechanism"):
        with check.reading(name, ALL) as argument:
            _compose(argument)
        check.near_miss(
            f"{name}: the left side alone", lambda argument: _compose(argument, half=True)
        )


def _compose(argument: Argument, half: bool = False) -> None:
    argument.cite(
        "X_p released",
        "Y_p is in both Y^(l) and Y^(r): both sides are infinite",
        "massny2025.self-redaction",
    )
    argument.cite(
        "independent sides", "given X_p the records on its two sides", "song2017.x-markov"
    )
    argument.cite(
        "X_p redacted",
        "Given X_p the records on its two sides are independent, and each coordinate is processed "
        "by itself: the double sum for Pr(Y=y|X_p=v) is the product of a sum over the left and one "
        "over the right",
        "lemma.finite-sums",
    )
    argument.inequality(
        "ratios multiply",
        "p, q are the probabilities of y^(l) given X_p = v and 1 - v, r, s those of y^(r)",
        p * r <= (E if half else E * F) * (q * s),
        [p <= E * q, r <= F * s, p >= 0, q >= 0, r >= 0, s >= 0, E >= 1, F >= 1],
    )
