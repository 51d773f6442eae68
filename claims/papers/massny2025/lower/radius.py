"""The redaction radius, and the lower bound for deterministic redactions that it states.

Source: massny2025, definition 5 and corollary 2.
"""

from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, at_least, edited, letter, letters, proved
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    leakage,
    local,
    pointwise,
    released,
)
from pufferproof.claims.papers.massny2025.lower import statements
from pufferproof.claims.registry import Check, claim

D = letter("D", "the length of a window [p-D,p]")
empty, after = letters(
    "empty after", "1 if the window of D, of D + 1 has no released record, else 0"
)
g, h = letters("g h", "the largest lengths <= D, <= D + 1 of an empty window")
stop, then = letters("stop then", "1 if p-g-1, p-h-1 is released")
e = letter("e", "1 if p-D-1 is redacted, 0 if it is released")
E, F = letters("E F", "e^i1 of the released records at tl, tr; 1 without one", at_least(1))
L = letter("L", "e^Lk")
R = letter("R", "e^eps")
p = letter("p", NOTATION["p"])
Dl = letter("Dl", NOTATION["Dl"])
Dr = letter("Dr", NOTATION["Dr"])
tl, tr = letters("tl tr", "p - Dl - 1, p + Dr + 1: the nearest released records")
j = letter("j", "half of Dl + Dr")

LIMITED = "j limited to [p-Dl, p] and [p, p+Dr]"
BOUNDED = "0 <= Dl <= p-1, 0 <= Dr <= n-p, j limited"


@claim(
    "massny2025.radius",
    where="Definition 5",
    statement="Redaction radius (Dl,Dr) of a DIM: Dl is the largest integer with j not in R_rel "
    "for all j >= p-Dl; Dr the largest integer with j not in R_rel for all j <= p+Dr.",
    kind="definition",
    repair="massny2025.radius-repaired",
    says=statements.LIMITED,
)
def radius(check: Check) -> None:
    """Refute that there is a largest integer where a whole side is redacted, by its trial."""
    with check.reading(LIMITED, "one counterexample"):
        pass


@claim(
    "massny2025.radius-repaired",
    where="Definition 5, repaired",
    statement="If X_p is redacted there are a unique largest Dl in 0..p-1 with [p-Dl,p] n R_rel "
    "empty and a unique largest Dr in 0..n-p with [p,p+Dr] n R_rel empty; if Dl < p-1 then "
    "p-Dl-1 is released, and if Dr < n-p then p+Dr+1 is.",
    kind="repair of massny2025.radius",
    says=statements.RADIUS,
)
def radius_repaired(check: Check) -> None:
    """Prove it for one side; the other is its mirror image."""
    either = Or(Eq(empty, 0), Eq(empty, 1))
    shown = Edit("the window grows: base", without=Eq(empty, 1), given=either)
    proved(check, BOUNDED, "every n, p and pattern with X_p redacted", _largest)
    check.near_miss(f"{BOUNDED}: X_p released", edited(_largest, shown))


def _largest(proof: Proof) -> None:
    state = Or(And(Eq(empty, 1), Eq(g, D)), And(Eq(empty, 0), g < D, Eq(stop, 1)))
    following = Or(And(Eq(after, 1), Eq(h, D + 1)), And(Eq(after, 0), h < D + 1, Eq(then, 1)))
    grown = Or(
        And(Eq(empty, 1), Eq(e, 1), Eq(after, 1), Eq(h, D + 1)),
        And(Eq(empty, 1), Eq(e, 0), Eq(after, 0), Eq(h, g), Eq(then, 1)),
        And(Eq(empty, 0), Eq(after, 0), Eq(h, g), Eq(then, stop)),
    )
    proof.induction(
        "the window grows",
        "Either the window of D is empty and g = D, or g < D and p-g-1 is released. For D = 0 the "
        "window is {p}. For D + 1: if the window of D is empty, p-D-1 = p-g-1 is redacted (e = 1) "
        "and h = D + 1, or it is released (e = 0) and h = g; a window that is not empty stays so",
        base=(
            And(state, g >= 0),
            [Eq(D, 0), Eq(g, 0), Eq(empty, 1)],
        ),
        step=(And(following, h >= 0), [state, grown, g >= 0, D >= 0]),
    )
    proof.inequality("unique", "two largest ones bound each other", Eq(g, h), [g >= h, h >= g])


@claim(
    "massny2025.cor2",
    where="Corollary 2",
    statement="Let Dl+Dr be even or Dl=p-1. A mechanism with deterministic redactions and radius "
    "(Dl,Dr) is eps-private only if eps >= 1(Dl<p-1) i1(Dl+1) + 1(Dr<n-p) i1(Dr+1), where "
    "1(..) is 1 if the condition holds and 0 otherwise.",
    kind="corollary",
    says=statements.COR2,
)
def cor2(check: Check) -> None:
    """Prove it, with the radius that exists (`massny2025.radius-repaired`); the bound is the
    leakage.
    """
    name = "the radius of massny2025.radius-repaired"
    odd = Edit("the parity", without=Eq(Dl + Dr, 2 * j), given=Eq(Dl + Dr, 2 * j + 1))
    near_misses = {"Dl + Dr odd": odd}
    scope = "all a <= b, every n, p and pattern"
    proved(check, name, scope, _bound, **near_misses, **{"Dl + Dr odd, evaluated": _odd_fails})


@claim(
    "massny2025.x-cor2-converse",
    where="Corollary 2, converse",
    statement="With deterministic redactions that redact X_p and have the radius (Dl,Dr), of any "
    "parity, eps >= 1(Dl<p-1) i1(Dl+1) + 1(Dr<n-p) i1(Dr+1) is enough for eps-privacy, where "
    "1(..) is 1 if the condition holds and 0 otherwise.",
    kind="converse of massny2025.cor2",
    says=statements.CONVERSE,
)
def cor2_converse(check: Check) -> None:
    """Prove that the bound of Corollary 2 is enough."""
    half = Edit("the budget", without=E * F <= R, given=E * F / 2 <= R)
    scope = "all a <= b, every n, p and pattern"
    proved(check, "as stated", scope, _enough, half_the_right_side=half)


def _enough(proof: Proof) -> None:
    proof.cite(
        "the nearest released records",
        "are at distances Dl + 1 and Dr + 1, where they exist",
        "massny2025.radius-repaired",
    )
    proof.cite("their quilt", "everything between it is redacted", "massny2025.x-nearest-quilt")
    proof.cite("leakage of a quilt", "Lk = Inf(X_p~>X_Q), Q those that exist", "massny2025.cor3")
    proof.cite("one at a distance", "Inf(X_p~>X_t) = i1(|p-t|)", "massny2025.prop1-closed")
    proof.cite(
        "both", "Inf(X_p~>X_Q) <= i1(Dl+1) + i1(Dr+1) for all distances", "massny2025.rem1-repaired"
    )
    proof.inequality(
        "the budget",
        "L is at most the product of both",
        L <= R,
        [L <= E * F, E * F <= R],
    )


def _bound(proof: Proof) -> None:
    proof.cite(
        "the nearest released records",
        "tl = p - Dl - 1 and tr = p + Dr + 1, where they exist",
        "massny2025.radius-repaired",
    )
    proof.cite("their quilt", "everything between it is redacted", "massny2025.x-nearest-quilt")
    proof.cite(
        "leakage of a quilt",
        "in R_rel with everything between redacted: Lk = Inf(X_p~>X_Q), Q those that exist",
        "massny2025.cor3",
    )
    proof.cite("one at a distance", "Inf(X_p~>X_t) = i1(|p-t|)", "massny2025.prop1-closed")
    proof.cite(
        "both, tr - tl even", "Inf(X_p~>X_Q) = i1(Dl+1) + i1(Dr+1)", "massny2025.rem1-repaired"
    )
    proof.inequality(
        "the parity",
        "Dl + Dr = 2 j gives tr - tl = 2 (j + 1)",
        Eq(tr - tl, 2 * (j + 1)),
        [Eq(tl, p - Dl - 1), Eq(tr, p + Dr + 1), Eq(Dl + Dr, 2 * j)],
    )
    proof.inequality(
        "cases",
        "L is the product of those that exist",
        Eq(L, E * F),
        [
            Or(
                Eq(L, E * F),
                And(Eq(L, E), Eq(F, 1)),
                And(Eq(L, F), Eq(E, 1)),
                And(Eq(L, 1), Eq(E, 1), Eq(F, 1)),
            )
        ],
    )


def _odd_fails(proof: Proof) -> None:
    of = chain("2/3", "3/4")
    proof.exhaust(
        "lam < 0",
        "n = 4, p = 2, records 1 and 4 released: Dl + Dr = 1",
        [(4, 2)],
        lambda _: (
            (leakage(of, 4, 2, local(released(4, [1, 4]))) or 0)
            >= pointwise(of, 1, 1) * pointwise(of, 2, 1)
        ),
    )
