"""Regions of records by influence, the drawn example, and the two footnotes.

Source: massny2025, section II, figure 2, footnotes.
"""

from fractions import Fraction
from functools import partial

import sympy
from sympy import And, Eq, Not, Or

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    below,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025 import NOTATION
from pufferproof.claims.papers.massny2025.composition.dependent import joint_ratio
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
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
from pufferproof.claims.papers.massny2025.setting import remark_statements, statements
from pufferproof.claims.registry import Check, claim

T = letter("T", "e^eps', the threshold", above(1))
E, F = letters("E F", "e^i(X_t=0), e^i(X_t=1)")
G, H = letters("G H", "e^i(X_t=0), e^i(X_t=1), of a farther record or with a, b exchanged")
left, right = letters("left right", "e^Lk of one side", at_least(1))
P, Q = letters("P Q", "probabilities of a value z given X_p = z and X_p = 1 - z")
leakage_ratio = letter("leakage_ratio", "e^Lk")
s = letter("s", "the probability with which the value 0 is released", above(0))
r = letter("r", "r_t(x) for one p", at_least(0), below(1))
most = letter("most", "the maximum of r_t(x) over p in A", between(0, 1))
more = letter("more", "the probability of redacting what is released")
a = letter("a", NOTATION["a"], above(0))
b = letter("b", NOTATION["b"], below(1))
h = letter("h", "lam^D", above(-1), below(1))
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
    says=statements.REGIONS,
)
def regions(check: Check) -> None:
    """Prove that every record lies in exactly one region, for a <= b."""
    unordered = Edit("exactly one region", without=E <= F)
    proved(check, IN_L, ALL, _split_with_p, **{"a > b": unordered})
    proved(check, IN_NONE, ALL, _split, **{"a > b": unordered})


def _split_with_p(proof: Proof) -> None:
    _split(proof)
    proof.inequality(
        "t = p",
        "P = 1 and Q = 0 are the probabilities of X_p = z given X_p = z and X_p = 1 - z: no T "
        "bounds their ratio, for either z. Both influences exceed eps': p is in L, and in no "
        "other region",
        P > T * Q,
        [Eq(P, 1), Eq(Q, 0)],
    )


def _split(proof: Proof) -> None:
    exactly = Or(
        And(LARGE, Not(MEDIUM), Not(SMALL)),
        And(Not(LARGE), MEDIUM, Not(SMALL)),
        And(Not(LARGE), Not(MEDIUM), SMALL),
    )
    proof.cite("order", "E <= F for a <= b", "massny2025.prop1-order")
    proof.inequality("exactly one region", "for t other than p", exactly, [E >= 1, F >= 1, E <= F])


@claim(
    "massny2025.x-regions-intervals",
    where="Section II, used silently",
    statement="For a + b != 1, L, M and S are intervals of |t-p|: a record nearer to p than one of "
    "L is in L, and one farther than one of S is in S. For a + b = 1 all records but p are in "
    "S.",
    kind="lemma",
    says=statements.INTERVALS,
)
def regions_are_intervals(check: Check) -> None:
    """Prove it from the monotonicity of both influences."""
    any_order = Edit("nearer and farther", without=[G < E, H < F], given=G <= H)
    proved(check, "as stated", ALL, _intervals, influences_of_any_order=any_order)


def _intervals(proof: Proof) -> None:
    proof.cite(
        "both decrease",
        "G < E and H < F for a farther record; 1 for all if a + b = 1",
        "massny2025.prop1-decreasing-repaired",
    )
    proof.inequality(
        "nearer and farther",
        "E, F at a distance, G, H at a larger one: in L if the farther is, in S if the nearer is",
        And(sympy.Implies(T < G, T < E), sympy.Implies(F <= T, H <= T)),
        [E <= F, G < E, H < F, E >= 1, G >= 1],
    )
    proof.inequality(
        "a + b = 1",
        "all influences are 0: E = F = 1",
        And(E <= F, F <= T),
        [Eq(E, 1), Eq(F, 1)],
    )


@claim(
    "massny2025.fig2",
    where="Figure 2",
    statement="a=1/4, b=1/2, eps' = eps/2: records with pointwise influence above eps' are always "
    "redacted (L); at most eps' may potentially be released (M); max-influence below eps' can "
    "always be released (S).",
    kind="example",
    says=statements.FIG2,
)
def fig2(check: Check) -> None:
    """Compute the drawn influences and prove what each region demands or allows, on its side at
    level eps'.
    """
    half = partial(_drawn, fraction="1/2")
    proved(check, DRAWN, "D = 1, 2, 3", _drawn, **{"lam = 1/2": half})
    twice = Edit("above the threshold", instead=leakage_ratio > T**2)
    proved(check, IN_LARGE, ALL, _must, **{"more than eps = 2 eps'": twice})
    room = s * T <= T - 1
    always = Edit("only X_t = 0, with probability s <= 1 - 1/T", without=room, given=Eq(s, 1))
    proved(check, IN_MEDIUM, ALL, _may, always=always)
    single = Edit("the budget", instead=left * right <= T)
    proved(check, IN_SMALL, ALL, _always, **{"eps' on both sides": single})


def _drawn(proof: Proof, fraction: str = "1/4") -> None:
    proof.cite(
        "closed form",
        "(1 + c lam^D)/(1 - lam^D), c = 1/2 for the value 0 and 2 for 1",
        "massny2025.prop1-closed",
    )
    drawn = {1: ("3/2", "2"), 2: ("11/10", "6/5"), 3: ("43/42", "22/21")}
    for distance, ratios in drawn.items():
        for value, ratio in enumerate(ratios):
            c = "1/2" if value == 0 else "2"
            proof.identity(
                f"e^i{value}({distance})",
                f"c = {c}",
                f"(1+c*lam**{distance})/(1-lam**{distance})",
                sympy.Rational(ratio),
                at={"c": c, "lam": fraction},
            )


def _must(proof: Proof) -> None:
    proof.cite(
        "lower bound",
        "e^Lk >= E for a value of influence log E that is released",
        "massny2025.lemma1",
    )
    proof.inequality(
        "above the threshold", "Lk > eps'", leakage_ratio > T, [leakage_ratio >= E, E > T]
    )


def _may(proof: Proof) -> None:
    zero, star = (s * P, s * Q), (1 - s * P, 1 - s * Q)
    ratios = (zero, zero[::-1], star, star[::-1])
    proof.inequality(
        "only X_t = 0, with probability s <= 1 - 1/T",
        "s is the probability that the value 0 is shown; all else is redacted. Y_t = 0 has the "
        "ratio E <= T; Y_t = * has probabilities 1 - s P and 1 - s Q, P, Q those of X_t = 0",
        And(s > 0, *(one <= T * other for one, other in ratios)),
        [
            s * T <= T - 1,
            P > 0,
            P < 1,
            Q > 0,
            Q < 1,
            P <= E * Q,
            Q <= E * P,
            E <= T,
        ],
    )


def _always(proof: Proof) -> None:
    proof.cite(
        "one side",
        "Lk is the max-influence of the nearest released record, at most eps'",
        "massny2025.cor3",
    )
    proof.cite("two sides", "add at most", "massny2025.lr-compose")
    proof.inequality(
        "the budget", "T^2 = e^eps", left * right <= T**2, [left <= T, right <= T], for_any=[T]
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
    says={SEPARATELY: remark_statements.SEPARATELY},
)
def fn1(check: Check) -> None:
    """Prove it for each record of A; refute it for A jointly."""
    _separately(check)
    proved(check, JOINTLY, "one counterexample", _ends)


def _separately(check: Check) -> None:
    least = Edit("redacting more is processing", without=most >= r, given=most <= r)
    scope = "all mechanisms, n and A"
    proved(check, SEPARATELY, scope, _post_processed, the_least_conservative_redaction=least)


def _ends(proof: Proof) -> None:
    mechanism = local(released(3, [2]))
    proof.counterexample(
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
    says=remark_statements.SEPARATELY,
)
def fn1_repaired(check: Check) -> None:
    """Prove the reading that holds."""
    _separately(check)


def _post_processed(proof: Proof) -> None:
    proof.inequality(
        "redacting more is processing",
        "a released x is redacted with the probability that its value tells: more = (most - r)/(1 "
        "- r). In all it is redacted with the probability most. For r = 1 nothing is released",
        And(more >= 0, more <= 1, Eq(r + (1 - r) * more, most)),
        [Eq(more * (1 - r), most - r), most >= r],
    )
    proof.cite(
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
    says={WEAK: remark_statements.LARGER_VALUE[WEAK]},
)
def fn2(check: Check) -> None:
    """Prove it with equality allowed, refute it strictly for a = b and lam = 0."""
    _weakly(check)
    proved(check, STRICT, "one counterexample", _ties)


@claim(
    "massny2025.fn2-repaired",
    where="footnote 2, repaired",
    statement="For a, b in (0, 1) and t other than p: i(X_t=1) >= i(X_t=0) if a <= b and i(X_t=1) "
    "<= i(X_t=0) if a > b, strictly iff a != b and a + b != 1.",
    kind="repair of massny2025.fn2",
    says=remark_statements.LARGER_VALUE,
)
def fn2_repaired(check: Check) -> None:
    """Prove both orders, and when they are strict."""
    _weakly(check)
    tie = Or(Eq(a, b), Eq(h, 0))
    zero = Edit("equal iff a = b or h = 0", put={tie: Eq(a, b)})
    name = "strict iff a != b and a + b != 1"
    proved(check, name, "all a, b in (0, 1)", _strict, **{"iff a != b": zero})


def _weakly(check: Check) -> None:
    scope = "all a, b in (0, 1)"
    proved(check, WEAK, scope, _weak, **{"a > b, the same order": _same_order})


def _ties(proof: Proof) -> None:
    _tie(proof, "equal parameters", "a = b: by symmetry the two influences are equal", THIRD)
    _tie(proof, "independent records", "a + b = 1: both influences are 0", chain("1/3", "2/3"))


def _tie(proof: Proof, name: str, sentence: str, of: Chain) -> None:
    zero, one = (pointwise(of, 1, value) for value in (0, 1))
    proof.counterexample(
        name,
        sentence,
        {"a": of.a, "b": of.b, "D": 1, "e^i(X_t=0)": zero, "e^i(X_t=1)": one},
        lambda: one <= zero,
        f"{influence(1, 1)} <= {influence(1, 0)}",
    )


def _weak(proof: Proof) -> None:
    prove_order(proof)
    proof.inequality(
        "a > b",
        "Exchanging the names of the values exchanges a and b, and the two influences: b < a gives "
        "the other order",
        E >= F,
        [E >= 1, F >= 1, Eq(G, F), Eq(H, E), G <= H],
    )


def _same_order(proof: Proof) -> None:
    proof.exhaust(
        "a > b",
        "from powers of the matrix",
        (of for of in chains(4, ordered=False) if of.a > of.b),
        lambda of: pointwise(of, 1, 1) >= pointwise(of, 1, 0),
    )


def _strict(proof: Proof) -> None:
    proof.cite(
        "closed form",
        "both ratios are (1 + c h)/(1 - h) or their inverses, h = lam^D",
        "massny2025.prop1-closed",
    )
    proof.cite("powers", "|h| < 1; h = 0 exactly if lam = 0", "massny2025.x-powers")
    proof.inequality(
        "equal iff a = b or h = 0",
        "(b + a h)/b and (a + b h)/a, over the same 1 - h",
        sympy.Equivalent(Eq((b + a * h) * a, (a + b * h) * b), Or(Eq(a, b), Eq(h, 0))),
        [b > 0],
        for_any=[b],
    )
