"""Composition over the two sides of the private record: influences and leakages add, or are at most
the sum.

Given X_p the two sides are independent, so ratios multiply; the largest ones meet in one outcome if
lam^(p-tl) and lam^(tr-p) have the same sign. Source: massny2025, remark 1 and section IV-A.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from typing import NamedTuple

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.composition import statements
from pufferproof.claims.papers.massny2025.influence.in_numbers import leaked
from pufferproof.claims.papers.massny2025.influence.instances import leakage, local, released
from pufferproof.claims.papers.massny2025.lower.statement import THIRD
from pufferproof.claims.papers.massny2025.said import sides
from pufferproof.claims.registry import Check, claim

NOTATION = {"S": "a set of records"}
EVEN, GENERAL = "max-influence, tr - tl even", "max-influence, any tl and tr"
EVEN_DIM, GENERAL_DIM = "a DIM, S = R_rel, tr - tl even", "a DIM, S = R_rel, any tl and tr"
SAME_SIGN = "max-influence, lam >= 0, any tl and tr"


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

    As in massny2025.rem1-repaired.
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
            "Take a = b = 1/3. The remark says that the leakage of Y is the sum of the leakages "
            "of its outputs in S left and right of p, for any S with tr-tl even. Y is the whole "
            "output: here a record that S leaves out is released and leaks more, so that neither "
            "= nor <= holds. It is true for S = R_rel",
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
    """Prove the influences from the closed forms and the leakages from Corollary 3.

    Max-influence, lam >= 0, any tl and tr. {tl, tr}, {tl} and {tr} are Markov quilts
    [massny2025.x-nearest-quilt]: given X_tl and X_tr the other records of S do not depend on X_p,
    so that Inf(X_p~>X_S) is that of {tl, tr}, and Inf of a side that of its nearest record; both
    are infinite if p is in S. Given X_p the two sides are independent [song2017.x-markov]:
    probabilities multiply. E and F are the ratios of the value 1 or their inverses
    [massny2025.prop1-closed]. The probabilities of X_tl = X_tr = 1 given X_p = 1 and 0 are (a + b
    g)(a + b h) and a (1 - g) a (1 - h), over the same number: one of their two ratios is E F.

    Max-influence, tr - tl even. As above, since g h = lam^(tr-tl) is a square.

    Max-influence, any tl and tr. At most the product, as above.

    A DIM, S = R_rel, tr - tl even. {tl, tr}, {tl} and {tr} are quilts in R_rel with nothing
    released between: the leakages of Y and of its sides are their influences [massny2025.cor3]. If
    X_p is released both sides are infinite.

    A DIM, S = R_rel, any tl and tr. Likewise.
    """
    _proved(check)
    check.tried(SAME_SIGN)


def _proved(check: Check) -> None:
    check.tried(EVEN)
    check.tried(GENERAL)
    check.tried(EVEN_DIM)
    check.tried(GENERAL_DIM)


@claim(
    "massny2025.lr-compose",
    where="Section IV-A",
    kind="lemma",
    says=sides.COMPOSE,
)
def lr_compose(check: Check) -> None:
    """Prove it for every local mechanism; that X_p is redacted follows from the levels."""
    check.stated("any local mechanism, 3R mechanisms too")
