"""Whether influences are convex in the distance: for lam >= 0 they are, for lam < 0 in general not.

i_c is convex at D + 1 iff e(D) e(D+2) >= e(D+1)^2 with e = e^i_c. For lam < 0 this is false for i1
at some even D and for i0 at some odd D; it holds at the other parities, for a = b, and along even
and along odd distances. Source: massny2025, proposition 1 and appendix F.
"""

from collections.abc import Sequence
from functools import partial

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.claims.papers.massny2025.said import curves
from pufferproof.claims.registry import Check, claim

DISTANCES = range(1, 4)
POSITIVE = "lam >= 0, i0 and i1"


def convex_at(of: Chain, value: int, distance: int) -> bool:
    """Say whether e(D) e(D+2) >= e(D+1)^2, from powers of the matrix."""
    first, second, third = (pointwise(of, distance + step, value) for step in range(3))
    return first * third >= second**2


@claim(
    "massny2025.prop1-convex",
    where="Proposition 1",
    statement="The sequences i0(D) and i1(D), D = 1, 2, ..., are convex: g(D) g(D+2) >= g(D+1)^2 "
    "with g = exp(i0) and with g = exp(i1).",
    kind="proposition",
    repair="massny2025.prop1-convex-repaired",
    says={POSITIVE: curves.CONVEX_UP},
)
def prop1_convex(check: Check) -> None:
    """Refute both for lam < 0, prove both for lam >= 0: (1 + c l)/(1 - l) at three powers l."""
    for name, values in (
        ("both sequences, every sign of lam", (0, 1)),
        ("i0, lam < 0", (0,)),
        ("i1, lam < 0", (1,)),
    ):
        proved(check, name, "one counterexample", partial(refute_convexity, values=values))
    check.stated(POSITIVE)


def refute_convexity(proof: Proof, values: Sequence[int]) -> None:
    """Refute convexity of e^i_value by a chain with smallest denominators."""

    def failure(of: Chain) -> tuple[int, int] | None:
        return next(((v, d) for d in DISTANCES for v in values if not convex_at(of, v, d)), None)

    found = proof.exhaust(
        "smallest failure",
        f"chains with lam < 0 by denominators, D <= {DISTANCES[-1]}, from powers of P; for lam >= "
        f"0 none fails",
        (of for of in chains(16) if of.eigenvalue < 0),
        lambda of: failure(of) is None,
    )
    where = None if found is None else failure(found)
    if found is not None and where is not None:
        value, distance = where
        ratios = {
            f"e^i{value}({distance + k})": pointwise(found, distance + k, value) for k in range(3)
        }
        proof.counterexample(
            "three distances",
            "The proposition says that the sequences i0(D) and i1(D) are convex. This chain has "
            "lam < 0. For the listed value of X_t and the distances D, D+1, D+2 the middle "
            "influence exceeds the mean of the outer two: e(D) e(D+2) < e(D+1)^2",
            {
                "a": found.a,
                "b": found.b,
                "lam": found.eigenvalue,
                "value of X_t": value,
                "D": distance,
                **ratios,
            },
            lambda: not convex_at(found, value, distance),
            f"{influence(distance, value)} * {influence(distance + 2, value)} < "
            f"{influence(distance + 1, value)}^2",
        )


ODD, EVEN = "i1, every odd D", "i0, every even D"
EQUAL, BY_TWO = "a = b", "along even and along odd distances"
WHERE_0 = "lam < 0: i0 is convex at an odd D if and only if k(a/b, D) >= 0"
WHERE_1 = "lam < 0: i1 is convex at an even D if and only if k(b/a, D) >= 0"


@claim(
    "massny2025.prop1-convex-repaired",
    where="Proposition 1, repaired",
    kind="repair of massny2025.prop1-convex",
    says={
        POSITIVE: curves.CONVEX_UP,
        ODD: curves.CONVEX_ODD,
        EVEN: curves.CONVEX_EVEN,
        EQUAL: curves.CONVEX_EQUAL,
        BY_TWO: curves.BY_TWO,
        WHERE_0: curves.CONVEX_WHERE_0,
        WHERE_1: curves.CONVEX_WHERE_1,
    },
)
def prop1_convex_repaired(check: Check) -> None:
    """Prove convexity wherever it holds for all parameters, and for lam < 0 at which of the other
    distances it holds.

    There e^(i(D) + i(D+2)) - e^(2 i(D+1)), multiplied by the denominators of the closed forms, is
    |lam|^D (1 + x) k(x, D), with x = a/b for i0 and b/a for i1.
    """
    for name in (POSITIVE, ODD, EVEN, EQUAL, BY_TWO, WHERE_0, WHERE_1):
        check.stated(name)
