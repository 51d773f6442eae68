"""The chain, its private index, redaction and the quantities of sections 2: definitions, and what
their remarks assert.

Definitions that say nothing have the verdict DEFINITION. Source: massny2025, section II and
definitions 1, 3 and 4, equation (8).
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sympy import And, Eq, Or

from pufferproof.claims.language import (
    PRINTED,
    Edit,
    Proof,
    above,
    at_least,
    below,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025 import NOTATION as PAPER
from pufferproof.claims.papers.massny2025.setting import statements
from pufferproof.claims.registry import Check, claim

a = letter("a", PAPER["a"], above(0), below(1))
b = letter("b", PAPER["b"], above(0), below(1))
x, w = letters("x w", "Pr(X_t=0) and Pr(X_t=1) of a record, of the first one or of any")
y = letter("y", "Pr(X_2=0)")
q, r = letters("q r", "stationary probabilities of the values of X_t and X_{t+1}", above(0))
f, g = letters("f g", "probabilities of the step between them, forwards and backwards")
P = letter("P", "the probability of the first records, read from X_1 on")
Q = letter("Q", "the product of the steps back from X_t to X_1")
n = letter("n", PAPER["n"])
p = letter("p", PAPER["p"], at_least(1))
half = letter("half", "n/2 for an even n")
LAW = Eq((a + b) * x, b)
NEXT = x * (1 - a) + (1 - x) * b
"""Pr(X_{t+1}=0), with x = Pr(X_t=0)."""
LATER = n + 1 - p
"""The private index after re-indexing t as n + 1 - t."""
NOTATION = {"S": "a set of records"}


@claim(
    "massny2025.chain",
    where="Section II",
    statement="P = [[1-a, a],[b, 1-b]], where 0 < a <= b < 1; all X_t have the stationary law: "
    "Pr(X_t=0) = b/(a+b), Pr(X_t=1) = a/(a+b).",
    kind="definition",
    says=statements.CHAIN,
)
def chain(check: Check) -> None:
    """Prove that this law is stationary, and that records alike have no other."""
    scope = "all a, b in (0, 1), every n"
    swapped = Edit(
        "one more record: step",
        instead=Eq((a + b) * NEXT, a),
        without=LAW,
        given=Eq((a + b) * x, a),
    )
    proved(check, "X_1 stationary", scope, _stationary, a_and_b_swapped=swapped)
    alone = Edit("the only law", without=Eq(y, x))
    name = "X_1, ..., X_n identically distributed, n >= 2"
    proved(check, name, "all a, b in (0, 1)", _only_law, **{"n = 1": alone})


def _only_law(proof: Proof) -> None:
    proof.inequality(
        "the only law",
        "x and w are Pr(X_1=0) and Pr(X_1=1), y is Pr(X_2=0) = x (1 - a) + w b, which is x",
        And(Eq((a + b) * x, b), Eq((a + b) * w, a)),
        [Eq(x + w, 1), Eq(y, x * (1 - a) + w * b), Eq(y, x)],
    )


def _stationary(proof: Proof) -> None:
    proof.induction(
        "one more record",
        "x = Pr(X_t=0); the next is x (1 - a) + (1 - x) b",
        base=(LAW, [Eq(x, b / (a + b))]),
        step=(Eq((a + b) * NEXT, b), [LAW]),
    )


@claim(
    "massny2025.reversible",
    where="Section II",
    statement="Pr(X_{t+1}=j | X_t=i) = Pr(X_t=j | X_{t+1}=i) for all i, j, t; hence both sides of "
    "p have the same transition law.",
    kind="remark",
    says=statements.REVERSIBLE,
)
def reversible(check: Check) -> None:
    """Prove detailed balance, and that a reversed sequence has the same probability."""
    uniform = {"from the uniform law": partial(_balance, law=("(1/2)", "(1/2)"))}
    proved(check, "one step", "all a, b in (0, 1)", _balance, **uniform)
    scope = "all a, b in (0, 1), every n and p"
    unbalanced = Edit("one more record: step", without=Eq(q * f, r * g))
    proved(check, "both sides of p", scope, _reversed, not_in_balance=unbalanced)


STATIONARY = ("(b/(a+b))", "(a/(a+b))")


def _balance(proof: Proof, law: Sequence[str] = STATIONARY) -> None:
    zero, one = law
    steps = [[f"{zero}*(1-a)", f"{zero}*a"], [f"{one}*b", f"{one}*(1-b)"]]
    for i, j, expected in ((0, 1, "a"), (1, 0, "b"), (0, 0, "1-a"), (1, 1, "1-b")):
        proof.identity(
            f"{i} to {j}",
            f"Pr(X_t={j} | X_(t+1)={i}) = Pr(X_t={j}) Pr(X_(t+1)={i} | X_t={j}) over the sum for "
            f"both values of X_t, which is Pr(X_(t+1)={i}); it is Pr(X_(t+1)={j} | X_t={i})",
            f"({steps[j][i]})/({steps[0][i]} + {steps[1][i]})",
            expected,
        )


def _reversed(proof: Proof) -> None:
    _balance(proof)
    proof.induction(
        "one more record",
        "by balance q f = r g: P, started with its stationary probability, is q Q, and the next "
        "are P f and g Q",
        base=(Eq(P, q * Q), [Eq(P, q), Eq(Q, 1)]),
        step=(Eq(P * f, r * (g * Q)), [Eq(P, q * Q), Eq(q * f, r * g)]),
    )


@claim(
    "massny2025.wlog-p",
    where="Section II, Algorithm 1",
    statement="0 <= p <= n/2 may be assumed without loss of generality, since the elements can "
    "otherwise be re-indexed.",
    kind="remark",
    repair="massny2025.wlog-p-repaired",
    says={"": statements.REINDEXED_LITERALLY, "n even": statements.REINDEXED_EVEN},
)
def wlog_p(check: Check) -> None:
    """Refute it for the middle index of an odd number of records, by its trial."""
    with check.reading("re-indexing t as n + 1 - t", "one counterexample"):
        pass
    lower = Edit("one of the two indices", instead=_either(n / 2 - 1))
    proved(check, "n even", "all even n", _even, **{"p below n/2": lower})


@claim(
    "massny2025.wlog-p-repaired",
    where="Section II, repaired",
    statement="1 <= p <= (n+1)/2 may be assumed: t -> n + 1 - t maps indices to indices, the chain "
    "to itself, and every p > (n+1)/2 below it.",
    kind="repair of massny2025.wlog-p",
    says=statements.REINDEXED,
)
def wlog_p_repaired(check: Check) -> None:
    """Prove it from reversibility."""
    lower = Edit("one of the two indices", instead=_either(n / 2))
    proved(check, PRINTED, "every n and p", _half, **{"p <= n/2": lower})


def _even(proof: Proof) -> None:
    _same_chain(proof)
    integers = [Eq(n, 2 * half), Or(p <= half, p >= half + 1)]
    proof.inequality("one of the two indices", INDICES, _either(n / 2), [p <= n, *integers])


def _half(proof: Proof) -> None:
    _same_chain(proof)
    proof.inequality("one of the two indices", INDICES, _either((n + 1) / 2), [p <= n])


INDICES = "p, or n + 1 - p after re-indexing, which is an index"


def _either(bound: object) -> Any:
    """Say that n + 1 - p is an index, and p or it at most this number."""
    return And(LATER >= 1, LATER <= n, Or(p <= bound, LATER <= bound))


def _same_chain(proof: Proof) -> None:
    proof.cite(
        "the same chain", "A reversed sequence has the same probability", "massny2025.reversible"
    )


DEFINITIONS = {
    "sides": (
        "Section II",
        "t is left of p if t<=p, right if t>=p. Q^(l) = Q n [1,p], Q^(r) = Q n [p,n].",
        {PRINTED: "p lies on both sides; a set without p has its elements on exactly one"},
    ),
    "mech": (
        "Section II",
        "A local redaction mechanism maps x to Y in {0,1,*}^n with Y_t in {X_t, *} and "
        "Pr(Y_t=y|X=x) = Pr(Y_t=y|X_t=x_t). r_t(x) = Pr(Y_t=* | X_t=x).",
        {
            "coordinates independent given X": "P(Y=y|X=x) is the product of Pr(Y_t=y_t|X_t=x_t): "
            "what the derivations use",
            "only the condition for each coordinate": "coordinates may depend on each other given "
            "X, and then on X_p: see the claims massny2025.x-dependent-*",
        },
    ),
    "dim": (
        "Section III, appendices C-E",
        "A data-independent mechanism: redaction does not depend on record values.",
        {
            "(i) r_t(0) = r_t(1)": "for all t, any value in [0,1]",
            "(ii) deterministic": "r_t(0) = r_t(1) in {0,1}",
        },
    ),
    "leakage": (
        "Definition 1",
        "Lk(X_p -> Y) = log sup over y in supp(Y), x of Pr(Y=y|X_p=x)/Pr(Y=y|X_p=1-x); eps-private "
        "iff Lk <= eps; Lk of a sub-vector Y_A likewise.",
        {PRINTED: "a/0 with a > 0 is infinite; both orders of x are in it, so Lk >= 0"},
    ),
    "influence": (
        "Definition 3",
        "i(X_p ~> X_S=x_S) = log max over x of Pr(X_S=x_S|X_p=x)/Pr(X_S=x_S|X_p=1-x), S without p; "
        "Inf(X_p ~> X_S) = max over x_S; Inf(empty) = 0, Inf(X_p ~> X_p) = infinity.",
        {
            PRINTED: "never negative; both conventions are what the formula gives if it is read "
            "for all S"
        },
    ),
    "released": (
        "Equation (8)",
        "R_rel = {t in [n] : Pr(Y_t=*) < 1}.",
        {PRINTED: "t is in it iff r_t is not (1,1), as both values have positive probability"},
    ),
    "quilt": (
        "Definition 4",
        "Q is a Markov quilt for X_p if [n] splits into {Q, N, R} with p in N and "
        "Pr(X_R=x_R|X_Q=x_Q,X_N=x_N) = Pr(X_R=x_R|X_Q=x_Q) for all x.",
        {PRINTED: "Q or R may be empty: with Q and R empty it is trivial"},
    ),
}


def _define(name: str, where: str, statement: str, readings: dict[str, str]) -> None:
    @claim(f"massny2025.{name}", where=where, statement=statement, kind="definition")
    def define(check: Check) -> None:
        for reading, sentence in readings.items():
            proved(check, reading, "", partial(_said, sentence=sentence))


def _said(proof: Proof, sentence: str) -> None:
    proof.definition("definition", sentence)


for _name, (_where, _statement, _readings) in DEFINITIONS.items():
    _define(_name, _where, _statement, _readings)
