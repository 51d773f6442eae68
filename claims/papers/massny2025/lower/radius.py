"""The redaction radius, and the lower bound for deterministic redactions that it states.

Letters: Dl, Dr the radius, tl = p - Dl - 1 and tr = p + Dr + 1 the nearest released records, if
there are any. Source: massny2025, definition 5 and corollary 2.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    leakage,
    local,
    pointwise,
    released,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

Pattern = tuple[int, int, tuple[int, ...]]
"""n, p and the released records."""
PRINTED = "all j >= p-Dl, and all j <= p+Dr"
LIMITED = "j limited to [p-Dl, p] and [p, p+Dr]"
BOUNDED = "0 <= Dl <= p-1, 0 <= Dr <= n-p, j limited"
SPAN = 30


def patterns(largest: int) -> Iterator[Pattern]:
    """Yield all sets of released records, smallest n first, then p, then fewest records."""
    for count in range(1, largest + 1):
        for private in range(1, count + 1):
            for size in range(count + 1):
                for kept in combinations(range(1, count + 1), size):
                    yield count, private, kept


def has_largest(holds: Callable[[int], bool]) -> bool:
    """Say whether some integer satisfies it and not all large ones do, for properties that are
    constant beyond a span.
    """
    return any(holds(radius) for radius in range(-SPAN, SPAN + 1)) and not holds(SPAN)


def _printed(pattern: Pattern) -> bool:
    _, private, kept = pattern
    return has_largest(lambda radius: all(j < private - radius for j in kept)) and has_largest(
        lambda radius: all(j > private + radius for j in kept)
    )


def _limited(pattern: Pattern) -> bool:
    _, private, kept = pattern
    return has_largest(
        lambda radius: not any(private - radius <= j <= private for j in kept)
    ) and has_largest(lambda radius: not any(private <= j <= private + radius for j in kept))


@claim(
    "massny2025.radius",
    where="Definition 5",
    statement="Redaction radius (Dl,Dr) of a DIM: Dl is the largest integer with j not in R_rel "
    "for all j >= p-Dl; Dr the largest integer with j not in R_rel for all j <= p+Dr.",
    kind="definition",
    repair="massny2025.radius-repaired",
)
def radius(check: Check) -> None:
    """Refute that there is a largest integer, under both readings."""
    with check.reading(PRINTED, "one counterexample") as argument:
        _refute(argument, _printed)
        argument.counterexample(
            "what it gives otherwise",
            "n = 2, p = 1, X_2 released. The definition asks for the largest Dl with no released j "
            ">= p-Dl. It must pass over record 2, so that Dl = -2; but X_1 has nothing to its "
            "left, and Corollary 2 takes Dl = p-1 = 0",
            {"n": 2, "p": 1, "R_rel": [2], "Dl": -2, "p - 1": 0},
            lambda: max(d for d in range(-SPAN, SPAN) if 2 < 1 - d) == -2,
        )
    with check.reading(LIMITED, "one counterexample") as argument:
        _refute(argument, _limited)


def _refute(argument: Argument, defined: Callable[[Pattern], bool]) -> None:
    found = argument.exhaust(
        "smallest failure", "patterns by n, p and number of released records", patterns(8), defined
    )
    if found is not None:
        argument.counterexample(
            "every integer satisfies the condition",
            "The definition takes a largest integer. With nothing released on a side no j is in "
            "R_rel, every integer satisfies the condition, and there is no largest one",
            {"n": found[0], "p": found[1], "R_rel": list(found[2])},
            lambda: not defined(found),
        )


@claim(
    "massny2025.radius-repaired",
    where="Definition 5, repaired",
    statement="If X_p is redacted there are a unique largest Dl in 0..p-1 with [p-Dl,p] n R_rel "
    "empty and a unique largest Dr in 0..n-p with [p,p+Dr] n R_rel empty; if Dl < p-1 then "
    "p-Dl-1 is released, and if Dr < n-p then p+Dr+1 is.",
    kind="repair of massny2025.radius",
)
def radius_repaired(check: Check) -> None:
    """Prove it for one side; the other is its mirror image."""
    with check.reading(BOUNDED, "every n, p and pattern with X_p redacted") as argument:
        _largest(argument)
    check.near_miss(f"{BOUNDED}: X_p released", lambda argument: _largest(argument, hidden=False))


def _largest(argument: Argument, hidden: bool = True) -> None:
    D, g, h, e = sympy.symbols("D g h e")
    empty, after, stop, then = sympy.symbols("empty after stop then")
    state = Or(And(Eq(empty, 1), Eq(g, D)), And(Eq(empty, 0), g < D, Eq(stop, 1)))
    following = Or(And(Eq(after, 1), Eq(h, D + 1)), And(Eq(after, 0), h < D + 1, Eq(then, 1)))
    grown = Or(
        And(Eq(empty, 1), Eq(e, 1), Eq(after, 1), Eq(h, D + 1)),
        And(Eq(empty, 1), Eq(e, 0), Eq(after, 0), Eq(h, g), Eq(then, 1)),
        And(Eq(empty, 0), Eq(after, 0), Eq(h, g), Eq(then, stop)),
    )
    argument.induction(
        "the window grows",
        "empty = 1 if [p-D,p] has no released record, else 0; g is the largest D' <= D with an "
        "empty window, and stop = 1 if p-g-1 is released. Either the window of D is empty and g = "
        "D, or g < D and p-g-1 is released. For D = 0 the window is {p}. after, h and then are the "
        "same for D + 1: if the window of D is empty, p-D-1 = p-g-1 is redacted (e = 1) and h = D "
        "+ 1, or it is released (e = 0) and h = g; a window that is not empty stays so",
        base=(
            And(state, g >= 0),
            [Eq(D, 0), Eq(g, 0), Eq(empty, 1) if hidden else Or(Eq(empty, 0), Eq(empty, 1))],
        ),
        step=(And(following, h >= 0), [state, grown, g >= 0, D >= 0]),
    )
    argument.inequality("unique", "two largest ones bound each other", Eq(g, h), [g >= h, h >= g])


@claim(
    "massny2025.cor2",
    where="Corollary 2",
    statement="Let Dl+Dr be even or Dl=p-1. A mechanism with deterministic redactions and radius "
    "(Dl,Dr) is eps-private only if eps >= 1(Dl<p-1) i1(Dl+1) + 1(Dr<n-p) i1(Dr+1), where "
    "1(..) is 1 if the condition holds and 0 otherwise.",
    kind="corollary",
)
def cor2(check: Check) -> None:
    """Prove it, with the radius that exists (`massny2025.radius-repaired`); the bound is the
    leakage.
    """
    name = "the radius of massny2025.radius-repaired"
    with check.reading(name, "all a <= b, every n, p and pattern") as argument:
        _bound(argument)
    check.near_miss(f"{name}: Dl + Dr odd", lambda argument: _bound(argument, odd=True))
    check.near_miss(f"{name}: Dl + Dr odd, evaluated", _odd_fails)


@claim(
    "massny2025.x-cor2-converse",
    where="Corollary 2, converse",
    statement="With deterministic redactions that redact X_p and have the radius (Dl,Dr), of any "
    "parity, eps >= 1(Dl<p-1) i1(Dl+1) + 1(Dr<n-p) i1(Dr+1) is enough for eps-privacy, where "
    "1(..) is 1 if the condition holds and 0 otherwise.",
    kind="converse of massny2025.cor2",
)
def cor2_converse(check: Check) -> None:
    """Prove that the bound of Corollary 2 is enough."""
    with check.reading("as stated", "all a <= b, every n, p and pattern") as argument:
        _enough(argument)
    check.near_miss(
        "as stated: half the right side", lambda argument: _enough(argument, sympy.Rational(1, 2))
    )


def _enough(argument: Argument, share: sympy.Rational | int = 1) -> None:
    E, F, L, R = sympy.symbols("E F L R")
    argument.cite(
        "the nearest released records",
        "are at distances Dl + 1 and Dr + 1, where they exist",
        "massny2025.radius-repaired",
    )
    argument.cite("their quilt", "everything between it is redacted", "massny2025.x-nearest-quilt")
    argument.cite("leakage of a quilt", "Lk = Inf(X_p~>X_Q), Q those that exist", "massny2025.cor3")
    argument.cite("one at a distance", "Inf(X_p~>X_t) = i1(|p-t|)", "massny2025.prop1-closed")
    argument.cite(
        "both", "Inf(X_p~>X_Q) <= i1(Dl+1) + i1(Dr+1) for all distances", "massny2025.rem1-repaired"
    )
    argument.inequality(
        "the budget",
        "E, F are e^i1 of the records that exist, 1 for one that does not, L = e^Lk",
        L <= R,
        [L <= E * F, E >= 1, F >= 1, share * E * F <= R],
    )


def _bound(argument: Argument, odd: bool = False) -> None:
    E, F, L, j, Dl, Dr, tl, tr, p = sympy.symbols("E F L j Dl Dr tl tr p")
    argument.cite(
        "the nearest released records",
        "tl = p - Dl - 1 and tr = p + Dr + 1, where they exist",
        "massny2025.radius-repaired",
    )
    argument.cite("their quilt", "everything between it is redacted", "massny2025.x-nearest-quilt")
    argument.cite(
        "leakage of a quilt",
        "in R_rel with everything between redacted: Lk = Inf(X_p~>X_Q), Q those that exist",
        "massny2025.cor3",
    )
    argument.cite("one at a distance", "Inf(X_p~>X_t) = i1(|p-t|)", "massny2025.prop1-closed")
    argument.cite(
        "both, tr - tl even", "Inf(X_p~>X_Q) = i1(Dl+1) + i1(Dr+1)", "massny2025.rem1-repaired"
    )
    argument.inequality(
        "the parity",
        "Dl + Dr = 2 j gives tr - tl = 2 (j + 1)",
        Eq(tr - tl, 2 * (j + 1)),
        [Eq(tl, p - Dl - 1), Eq(tr, p + Dr + 1), Eq(Dl + Dr, 2 * j + (1 if odd else 0))],
    )
    argument.inequality(
        "cases",
        "E, F are e^i1 of the records that exist, 1 for one that does not: L = e^Lk is their "
        "product",
        Eq(L, E * F),
        [
            Or(
                Eq(L, E * F),
                And(Eq(L, E), Eq(F, 1)),
                And(Eq(L, F), Eq(E, 1)),
                And(Eq(L, 1), Eq(E, 1), Eq(F, 1)),
            ),
            E >= 1,
            F >= 1,
        ],
    )


def _odd_fails(argument: Argument) -> None:
    of = chain("2/3", "3/4")
    argument.exhaust(
        "lam < 0",
        "n = 4, p = 2, records 1 and 4 released: Dl + Dr = 1",
        [(4, 2)],
        lambda _: (
            (leakage(of, 4, 2, local(released(4, [1, 4]))) or 0)
            >= pointwise(of, 1, 1) * pointwise(of, 2, 1)
        ),
    )
