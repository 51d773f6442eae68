"""Regions of records by influence, the drawn example, and the two footnotes.

T = e^eps' is the threshold, E and F the ratios e^i(X_t=0) and e^i(X_t=1). Source: massny2025,
section II, figure 2, footnotes.
"""

from fractions import Fraction

import sympy
from sympy import And, Eq, Not, Or

from pufferproof.claims.papers.massny2025.composition.dependent import joint_ratio
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    audited,
    chain,
    chains,
    leakage,
    local,
    pointwise,
    released,
)
from pufferproof.claims.papers.massny2025.influence.statement import ALL, prove_order
from pufferproof.claims.papers.massny2025.lower.statement import THIRD
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

E, F, G, H, T, R, P, Q, s, k, p, q = sympy.symbols("E F G H T R P Q s k p q")
LARGE, MEDIUM, SMALL = And(T < E, E <= F), And(E <= T, T < F), And(E <= F, F <= T)
IN_L, IN_NONE = (
    "t = p in L, as its influence is infinite",
    "t = p in no region: the other records are split",
)


DRAWN = "the drawn values, |t-p| <= 3"
IN_LARGE = "L: a value of influence above eps' that is released leaks more than eps'"
IN_MEDIUM = "M: the value 0 can be released with positive probability"
IN_SMALL = "S: releasing all of S and nothing else keeps eps' on each side, eps on both"


@claim(
    "massny2025.regions",
    where="Section II",
    statement="For 0<eps'<=eps: L = {t : eps' < i(X_t=0) <= i(X_t=1)}, M = {t : i(X_t=0) <= eps' < "
    "i(X_t=1)}, S = {t : i(X_t=0) <= i(X_t=1) <= eps'} split the records into three, possibly "
    "empty, sets.",
    kind="definition",
)
def regions(check: Check) -> None:
    """Prove that every record lies in exactly one region, for a <= b."""
    with check.reading(IN_L, ALL) as argument:
        _split(argument, True)
        argument.inequality(
            "t = p",
            "P = 1 and Q = 0 are the probabilities of X_p = z given X_p = z and X_p = 1 - z: no T "
            "bounds their ratio, for either z. Both influences exceed eps': p is in L, and in no "
            "other region",
            P > T * Q,
            [Eq(P, 1), Eq(Q, 0), T > 1],
        )
    check.near_miss(f"{IN_L}: a > b", lambda argument: _split(argument, False))
    with check.reading(IN_NONE, ALL) as argument:
        _split(argument, True)
    check.near_miss(f"{IN_NONE}: a > b", lambda argument: _split(argument, False))


def _split(argument: Argument, ordered: bool) -> None:
    exactly = Or(
        And(LARGE, Not(MEDIUM), Not(SMALL)),
        And(Not(LARGE), MEDIUM, Not(SMALL)),
        And(Not(LARGE), Not(MEDIUM), SMALL),
    )
    if ordered:
        argument.cite("order", "E <= F for a <= b", "massny2025.prop1-order")
    argument.inequality(
        "exactly one region",
        "for t other than p",
        exactly,
        [E >= 1, F >= 1, T > 1, *([E <= F] if ordered else [])],
    )


@claim(
    "massny2025.x-regions-intervals",
    where="Section II, used silently",
    statement="For a + b != 1, L, M and S are intervals of |t-p|: a record nearer to p than one of "
    "L is in L, and one farther than one of S is in S. For a + b = 1 all records but p are in "
    "S.",
    kind="lemma",
)
def regions_are_intervals(check: Check) -> None:
    """Prove it from the monotonicity of both influences."""
    name = "as stated"
    with check.reading(name, ALL) as argument:
        _intervals(argument, [G < E, H < F])
    check.near_miss(
        f"{name}: influences of any order", lambda argument: _intervals(argument, [G <= H])
    )


def _intervals(argument: Argument, farther: list[sympy.Basic]) -> None:
    argument.cite(
        "both decrease",
        "G < E and H < F for a farther record; 1 for all if a + b = 1",
        "massny2025.prop1-decreasing-repaired",
    )
    argument.inequality(
        "nearer and farther",
        "E, F at a distance, G, H at a larger one: in L if the farther is, in S if the nearer is",
        And(sympy.Implies(T < G, T < E), sympy.Implies(F <= T, H <= T)),
        [E <= F, *farther, E >= 1, G >= 1, T > 1],
    )
    argument.inequality(
        "a + b = 1",
        "all influences are 0: E = F = 1",
        And(E <= F, F <= T),
        [Eq(E, 1), Eq(F, 1), T > 1],
    )


@claim(
    "massny2025.fig2",
    where="Figure 2",
    statement="a=1/4, b=1/2, eps' = eps/2: records with pointwise influence above eps' are always "
    "redacted (L); at most eps' may potentially be released (M); max-influence below eps' can "
    "always be released (S).",
    kind="example",
)
def fig2(check: Check) -> None:
    """Compute the drawn influences and prove what each region demands or allows, on its side at
    level eps'.
    """
    with check.reading(DRAWN, "D = 1, 2, 3") as argument:
        _drawn(argument)
    check.near_miss(f"{DRAWN}: lam = 1/2", lambda argument: _drawn(argument, "1/2"))
    with check.reading(IN_LARGE, ALL) as argument:
        _must(argument)
    check.near_miss(f"{IN_LARGE}: more than eps = 2 eps'", lambda argument: _must(argument, 2))
    with check.reading(IN_MEDIUM, ALL) as argument:
        _may(argument)
    check.near_miss(f"{IN_MEDIUM}: always", lambda argument: _may(argument, always=True))
    with check.reading(IN_SMALL, ALL) as argument:
        _always(argument)
    check.near_miss(f"{IN_SMALL}: eps' on both sides", lambda argument: _always(argument, 1))


def _drawn(argument: Argument, fraction: str = "1/4") -> None:
    argument.cite(
        "closed form",
        "(1 + c lam^D)/(1 - lam^D), c = 1/2 for the value 0 and 2 for 1",
        "massny2025.prop1-closed",
    )
    drawn = {1: ("3/2", "2"), 2: ("11/10", "6/5"), 3: ("43/42", "22/21")}
    for distance, ratios in drawn.items():
        for value, ratio in enumerate(ratios):
            c = "1/2" if value == 0 else "2"
            argument.identity(
                f"e^i{value}({distance})",
                f"c = {c}",
                f"(1+c*lam**{distance})/(1-lam**{distance})",
                sympy.Rational(ratio),
                at={"c": c, "lam": fraction},
            )


def _must(argument: Argument, exponent: int = 1) -> None:
    argument.cite(
        "lower bound",
        "e^Lk >= E for a value of influence log E that is released",
        "massny2025.lemma1",
    )
    argument.inequality("above the threshold", "Lk > eps'", R > T**exponent, [R >= E, E > T, T > 1])


def _may(argument: Argument, always: bool = False) -> None:
    share = [Eq(s, 1)] if always else [s * T <= T - 1]
    argument.inequality(
        "only X_t = 0, with probability s <= 1 - 1/T",
        "All else redacted. Y_t = 0 has the ratio E <= T; Y_t = * has probabilities 1 - s P and 1 "
        "- s Q, P, Q those of X_t = 0",
        And(
            s > 0,
            s * P <= T * s * Q,
            s * Q <= T * s * P,
            1 - s * P <= T * (1 - s * Q),
            1 - s * Q <= T * (1 - s * P),
        ),
        [s > 0, *share, P > 0, P < 1, Q > 0, Q < 1, P <= E * Q, Q <= E * P, E <= T, T > 1],
    )


def _always(argument: Argument, sides: int = 2) -> None:
    argument.cite(
        "one side",
        "Lk is the max-influence of the nearest released record, at most eps'",
        "massny2025.cor3",
    )
    argument.cite("two sides", "add at most", "massny2025.lr-compose")
    argument.inequality(
        "the budget", "T^2 = e^eps", E * F <= T**sides, [E >= 1, F >= 1, E <= T, F <= T]
    )


SEPARATELY, JOINTLY = "each X_p, p in A, at level eps", "X_A jointly at level eps"


@claim(
    "massny2025.fn1",
    where="footnote 1",
    statement="For a private set A: build the mechanism for each p in A separately and use at each "
    "record the most conservative redaction, r_t(x) = max over p in A. Then privacy is "
    "preserved for several records.",
    kind="remark",
    repair="massny2025.fn1-repaired",
)
def fn1(check: Check) -> None:
    """Prove it for each record of A; refute it for A jointly."""
    with check.reading(SEPARATELY, "all mechanisms, n and A") as argument:
        _post_processed(argument)
    check.near_miss(
        f"{SEPARATELY}: the least conservative redaction",
        lambda argument: _post_processed(argument, least=True),
    )
    with check.reading(JOINTLY, "one counterexample") as argument:
        mechanism = local(released(3, [2]))
        argument.counterexample(
            "the ends of three records",
            "a = b = 1/3, n = 3, A = {1, 3}, eps = log 2. Read as: X_A is protected jointly at "
            "eps. For p = 1 and for p = 3 record 2 has influence log 2 and may be released. But "
            "the output of record 2 has the ratio 4 between X_A = 00 and X_A = 11. It is true for "
            "each X_p alone",
            {
                **audited(THIRD, 3, (1, 3), mechanism, "log(2)"),
                "ratio for X_1": Fraction(2),
                "ratio for X_A": Fraction(4),
            },
            lambda: (
                [leakage(THIRD, 3, index, mechanism) for index in (1, 3)] == [2, 2]
                and joint_ratio(THIRD, 3, (1, 3), mechanism) == 4
            ),
        )


@claim(
    "massny2025.fn1-repaired",
    where="footnote 1, repaired",
    statement="Let A be a set of records and for each p in A let a local mechanism with redaction "
    "probabilities r_t(x), which depend on p, be eps_p-private for X_p. The mechanism with the "
    "largest of these r_t(x) over p in A, for each t and x, is eps_p-private for X_p, for each "
    "p in A.",
    kind="repair of massny2025.fn1",
)
def fn1_repaired(check: Check) -> None:
    """Prove the reading that holds."""
    with check.reading(SEPARATELY, "all mechanisms, n and A") as argument:
        _post_processed(argument)
    check.near_miss(
        f"{SEPARATELY}: the least conservative redaction",
        lambda argument: _post_processed(argument, least=True),
    )


def _post_processed(argument: Argument, least: bool = False) -> None:
    r, m, z = sympy.symbols("r m z")
    argument.inequality(
        "redacting more is processing",
        "r = r_t(x) for one p, m the maximum over A. A released x is redacted with probability z = "
        "(m - r)/(1 - r), which its value tells; in all it is redacted with probability m. For r = "
        "1 nothing is released",
        And(z >= 0, z <= 1, Eq(r + (1 - r) * z, m)),
        [Eq(z * (1 - r), m - r), m <= r if least else m >= r, r >= 0, r < 1, m <= 1, m >= 0],
    )
    argument.cite(
        "processing",
        "of each coordinate does not raise the leakage about X_p",
        "lemma.data-processing",
    )


STRICT, WEAK = "strictly larger", "at least as large"


@claim(
    "massny2025.fn2",
    where="footnote 2",
    statement="If a<=b the pointwise influence of X_t=1 is always larger than that of X_t=0; if "
    "a>b the opposite.",
    kind="remark",
    repair="massny2025.fn2-repaired",
)
def fn2(check: Check) -> None:
    """Refute it for a = b and lam = 0, prove it with equality allowed."""
    with check.reading(STRICT, "one counterexample") as argument:
        _tie(argument, "equal parameters", "a = b: by symmetry the two influences are equal", THIRD)
        _tie(
            argument, "independent records", "a + b = 1: both influences are 0", chain("1/3", "2/3")
        )
    with check.reading(WEAK, "all a, b in (0, 1)") as argument:
        _weak(argument)
    check.near_miss(f"{WEAK}: a > b, the same order", _same_order)


@claim(
    "massny2025.fn2-repaired",
    where="footnote 2, repaired",
    statement="For a, b in (0, 1) and t other than p: i(X_t=1) >= i(X_t=0) if a <= b and i(X_t=1) "
    "<= i(X_t=0) if a > b, strictly iff a != b and a + b != 1.",
    kind="repair of massny2025.fn2",
)
def fn2_repaired(check: Check) -> None:
    """Prove both orders, and when they are strict."""
    with check.reading(WEAK, "all a, b in (0, 1)") as argument:
        _weak(argument)
    check.near_miss(f"{WEAK}: a > b, the same order", _same_order)
    with check.reading("strict iff a != b and a + b != 1", "all a, b in (0, 1)") as argument:
        _strict(argument)
    check.near_miss(
        "strict iff a != b and a + b != 1: iff a != b",
        lambda argument: _strict(argument, zero=True),
    )


def _tie(argument: Argument, name: str, sentence: str, of: Chain) -> None:
    zero, one = (pointwise(of, 1, value) for value in (0, 1))
    argument.counterexample(
        name,
        sentence,
        {"a": of.a, "b": of.b, "D": 1, "e^i(X_t=0)": zero, "e^i(X_t=1)": one},
        lambda: one <= zero,
    )


def _weak(argument: Argument) -> None:
    prove_order(argument)
    argument.inequality(
        "a > b",
        "Exchanging the names of the values exchanges a and b, and the two influences: b < a gives "
        "the other order",
        E >= F,
        [E >= 1, F >= 1, Eq(G, F), Eq(H, E), G <= H],
    )


def _same_order(argument: Argument) -> None:
    argument.exhaust(
        "a > b",
        "from powers of the matrix",
        (of for of in chains(4, ordered=False) if of.a > of.b),
        lambda of: pointwise(of, 1, 1) >= pointwise(of, 1, 0),
    )


def _strict(argument: Argument, zero: bool = False) -> None:
    a, b, h = sympy.symbols("a b h")
    argument.cite(
        "closed form",
        "both ratios are (1 + c h)/(1 - h) or their inverses, h = lam^D",
        "massny2025.prop1-closed",
    )
    argument.cite("powers", "|h| < 1; h = 0 exactly if lam = 0", "massny2025.x-powers")
    argument.inequality(
        "equal iff a = b or h = 0",
        "(b + a h)/b and (a + b h)/a, over the same 1 - h",
        sympy.Equivalent(
            Eq((b + a * h) * a, (a + b * h) * b), Eq(a, b) if zero else Or(Eq(a, b), Eq(h, 0))
        ),
        [a > 0, b > 0, h > -1, h < 1],
    )
