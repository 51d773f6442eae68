"""Composition over the two sides of the private record: influences and leakages add, or are at most
the sum.

Given X_p the two sides are independent, so ratios multiply; the largest ones meet in one outcome if
lam^(p-tl) and lam^(tr-p) have the same sign. Source: massny2025, remark 1 and section IV-A.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from typing import Any, NamedTuple

import sympy
from sympy import And, Eq, Implies, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, below, letter, letters, proved
from pufferproof.claims.papers.massny2025 import NOTATION as PAPER
from pufferproof.claims.papers.massny2025.composition import statements
from pufferproof.claims.papers.massny2025.influence.in_numbers import leaked
from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    leakage,
    local,
    pointwise,
    released,
    set_influence,
)
from pufferproof.claims.papers.massny2025.lower.statement import ALL, THIRD
from pufferproof.claims.registry import Check, claim

a = letter("a", PAPER["a"], above(0))
b = letter("b", PAPER["b"], below(1))
g, h = letters("g h", "lam^(p-tl), lam^(tr-p)")
root = letter("root", "lam^((tr-tl)/2)")
E, F = letters("E F", "bounds of the ratios left and right of p: e^i1 at p-tl, tr-p", at_least(1))
x, y = letters("x y", "probabilities of what is seen left of p, given v and 1 - v", at_least(0))
z, w = letters("z w", "probabilities of what is seen right of p, given v and 1 - v", at_least(0))
k = letter("k", "the probability of the remote records, given those of the quilt", above(0))
R = letter("R", "a bound of ratios", at_least(1))
SIGNS = Or(And(g >= 0, h >= 0), And(g <= 0, h <= 0))
LEFT_ALONE = x * z <= E * (y * w)
"""The ratio of both sides is at most that of the left one: false."""
NOTATION = {"S": "a set of records"}
EVEN, GENERAL = "max-influence, tr - tl even", "max-influence, any tl and tr"
EVEN_DIM, GENERAL_DIM = "a DIM, S = R_rel, tr - tl even", "a DIM, S = R_rel, any tl and tr"
SAME_SIGN = "max-influence, lam >= 0, any tl and tr"
BOTH_SIDES = "all 0 < a <= b < 1, every n, p and S"
NEGATIVE_CHAIN = chain("2/3", "3/4")


class Instance(NamedTuple):
    """n, p, the set S and the released records."""

    length: int
    private: int
    records: tuple[int, ...]
    shown: tuple[int, ...]


@cache
def _ratio(
    count: int, private: int, shown: tuple[int, ...], indices: tuple[int, ...] | None
) -> Fraction | None:
    return leakage(THIRD, count, private, local(released(count, shown)), indices)


def _sets(count: int) -> list[tuple[int, ...]]:
    return [each for size in range(count + 1) for each in combinations(range(1, count + 1), size)]


def _instances(largest: int, with_p: bool) -> Iterator[Instance]:
    """S is split by tl = max S n [1,p] < tr = min S n [p,n] with an even distance; X_p is
    redacted.
    """
    for count in range(1, largest + 1):
        for private in range(1, count + 1):
            for records in _sets(count):
                if _even_distance(private, records) and (with_p or private not in records):
                    for shown in _sets(count):
                        if private not in shown:
                            yield Instance(count, private, records, shown)


def _even_distance(private: int, records: tuple[int, ...]) -> bool:
    nearest = _nearest(private, records)
    return nearest is not None and (nearest[1] - nearest[0]) % 2 == 0


def _nearest(private: int, records: tuple[int, ...]) -> tuple[int, int] | None:
    left, right = [t for t in records if t <= private], [t for t in records if t >= private]
    if private in records:
        right = [t for t in records if t > private]
    return (max(left), min(right)) if left and right else None


def _additive(instance: Instance) -> bool:
    count, private, records, shown = instance
    left = tuple(t for t in records if t <= private)
    right = tuple(t for t in records if t not in left)
    whole, first, second = (
        _ratio(count, private, shown, indices) for indices in (None, left, right)
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
    says=statements.SIDES,
)
def rem1(check: Check) -> None:
    """Prove it, S being all released records of a DIM; refute it for a set S that leaves out
    released records.
    """
    _proved(check)
    for name, with_p in (("a DIM, any S", True), ("a DIM, any S without p", False)):
        proved(check, name, "one counterexample", partial(_refute, with_p=with_p))


def _sides_in_numbers(private: int, records: Sequence[int], shown: Sequence[int]) -> str:
    """Write that e^Lk of all that is released is not the product over the outputs at S."""

    def sides(indices: Sequence[int]) -> list[int | None]:
        found = ([private - t for t in indices if t < private], [t - private for t in indices])
        return [min((d for d in side if d > 0), default=None) for side in found]

    left, right = sides([t for t in shown if t in records])
    return f"{leaked(*sides(shown))} != {leaked(left, None)} * {leaked(None, right)}"


def _refute(proof: Proof, with_p: bool) -> None:
    found = proof.exhaust(
        "smallest failure",
        "a = b = 1/3, where influences at distances 1 and 2 differ; n, p, S by size, released "
        "records by number",
        _instances(5, with_p),
        _additive,
    )
    if found is not None:
        count, private, records, shown = found
        proof.counterexample(
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
                "S": list(records),
                "R_rel": list(shown),
                "e^Lk": _ratio(count, private, shown, None),
                "e^Lk of the outputs at S": _ratio(count, private, shown, records),
            },
            lambda: not _additive(found),
            _sides_in_numbers(private, records, shown),
        )


@claim(
    "massny2025.rem1-repaired",
    where="Remark 1, repaired",
    statement="Let S have records on both sides of p, tl = max S n [1,p] and tr = min S n [p,n]: "
    "Inf(X_p~>X_S) is at most the sum over the two sides, with equality if tr-tl is even or "
    "lam >= 0; and the same for the leakage of a DIM with S = R_rel the released records.",
    kind="repair of massny2025.rem1",
    says=statements.SIDES_OF_ONE_SIGN,
)
def rem1_repaired(check: Check) -> None:
    """Prove the influences from the closed forms and the leakages from Corollary 3."""
    _proved(check)
    same = partial(_add, sign=[g >= 0, h >= 0])
    proved(check, SAME_SIGN, BOTH_SIDES, same, **{"lam < 0": _odd_fails})


def _proved(check: Check) -> None:
    odd = Edit("attained", without=SIGNS, given=[g >= 0, h <= 0])
    left = Edit("the two sides", instead=LEFT_ALONE)
    proved(check, EVEN, BOTH_SIDES, _even, **{"tr - tl odd": odd})
    check.near_miss(f"{EVEN}: tr - tl odd, evaluated", _odd_fails)
    proved(check, GENERAL, BOTH_SIDES, _at_most, the_left_side_alone=left)
    proved(check, EVEN_DIM, BOTH_SIDES, _even_leakages, **{"tr - tl odd": odd})
    proved(check, GENERAL_DIM, BOTH_SIDES, _at_most_leakages, the_left_side_alone=left)


def _reduce(proof: Proof) -> None:
    proof.cite("a quilt", "{tl, tr}, {tl} and {tr} are Markov quilts", "massny2025.x-nearest-quilt")
    proof.inequality(
        "records behind the nearest",
        "Given X_tl and X_tr the other records of S, remote, do not depend on X_p: their "
        "probability k is a common factor, so Inf(X_p~>X_S) is that of {tl, tr}, and Inf of a side "
        "that of its nearest record. If p is in S both sides are infinite",
        sympy.Equivalent(k * x <= R * (k * y), x <= R * y),
        [x > 0, y > 0],
    )


def _at_most(proof: Proof) -> None:
    _reduce(proof)
    proof.cite("independent sides", "given X_p the records on its two sides", "song2017.x-markov")
    proof.inequality(
        "the two sides",
        "given X_p = v, or 1 - v, the values of X_tl and X_tr are independent: their probabilities "
        "multiply",
        x * z <= E * F * (y * w),
        [x <= E * y, z <= F * w, x > 0, y > 0, z > 0, w > 0],
    )


def _even(proof: Proof) -> None:
    proof.inequality(
        "the same sign",
        "tr - tl even: g h = lam^(tr-tl) is a square",
        SIGNS,
        [Eq(g * h, root**2)],
    )
    _add(proof, [SIGNS])


def _add(proof: Proof, sign: Sequence[object]) -> None:
    """At most the sum, and attained where both records are 1."""
    _at_most(proof)
    proof.cite(
        "closed form",
        "E and F are the ratios of the value 1 or their inverses",
        "massny2025.prop1-closed",
    )
    up, down = (a + b * g) * (a + b * h), a * (1 - g) * (a * (1 - h))
    proof.inequality(
        "attained",
        "The probabilities of X_tl = X_tr = 1 given X_p = 1 and 0 are (a + b g)(a + b h) and a (1 "
        "- g) a (1 - h), over the same number; one of their two ratios is E F",
        Or(Eq(up, E * F * down), Eq(down, E * F * up)),
        [a <= b, *_largest(g, E), *_largest(h, F), *sign],
    )


def _largest(power: Any, ratio: Any) -> list[Any]:
    """What is known of the ratio e^i1 at a distance: a + b l over a (1 - l), or the inverse."""
    one, zero = a + b * power, a * (1 - power)
    return [
        power < 1,
        power > -1,
        one > 0,
        Implies(power >= 0, Eq(one, ratio * zero)),
        Implies(power < 0, Eq(zero, ratio * one)),
    ]


def _even_leakages(proof: Proof) -> None:
    _even(proof)
    _leakages(proof)


def _at_most_leakages(proof: Proof) -> None:
    _at_most(proof)
    _leakages(proof)


def _leakages(proof: Proof) -> None:
    proof.cite(
        "leakage is influence",
        "{tl, tr}, {tl} and {tr} are Markov quilts in R_rel with nothing released between: Lk of "
        "Y, of Y_S^(l) and of Y_S^(r), in which the other side is not seen, are their influences. "
        "If X_p is released both sides are infinite",
        "massny2025.cor3",
    )


def _odd_fails(proof: Proof) -> None:
    of = NEGATIVE_CHAIN
    proof.exhaust(
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
    says=statements.COMPOSITION,
)
def lr_compose(check: Check) -> None:
    """Prove it for every local mechanism with coordinates independent given X, any chain and
    any redaction of X_p.
    """
    left = Edit("ratios multiply", instead=LEFT_ALONE)
    for name in ("3R mechanisms", "any local mechanism"):
        proved(check, name, ALL, _compose, the_left_side_alone=left)


def _compose(proof: Proof) -> None:
    proof.cite(
        "X_p released",
        "Y_p is in both Y^(l) and Y^(r): both sides are infinite",
        "massny2025.self-redaction",
    )
    proof.cite("independent sides", "given X_p the records on its two sides", "song2017.x-markov")
    proof.cite(
        "X_p redacted",
        "Given X_p the records on its two sides are independent, and each coordinate is processed "
        "by itself: the double sum for Pr(Y=y|X_p=v) is the product of a sum over the left and one "
        "over the right",
        "lemma.finite-sums",
    )
    proof.inequality(
        "ratios multiply",
        "given X_p = v, or 1 - v, the probabilities of y^(l) and y^(r) multiply",
        x * z <= E * F * (y * w),
        [x <= E * y, z <= F * w],
    )
