"""The chain, its private index, redaction and the quantities of sections 2: definitions, and what
their remarks assert.

Definitions that say nothing have the verdict DEFINITION. Source: massny2025, section II and
definitions 1, 3 and 4, equation (8).
"""

from functools import partial

from pufferproof.claims.language import PRINTED, Proof, proved
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.papers.massny2025.setting import backwards, statements
from pufferproof.claims.papers.massny2025.setting.linked import STATIONARY
from pufferproof.claims.registry import Check, claim

NOTATION = {"S": "a set of records", "u_0": "Pr(X_1=0)", "u_1": "Pr(X_1=1)"}


@claim(
    "massny2025.chain",
    where="Section II",
    statement="P = [[1-a, a],[b, 1-b]], where 0 < a <= b < 1; all X_t have the stationary law: "
    "Pr(X_t=0) = b/(a+b), Pr(X_t=1) = a/(a+b).",
    kind="definition",
    says={
        "X_1 stationary": STATIONARY,
        "X_1, ..., X_n identically distributed, n >= 2": formula(
            "u_0*(a + b) = b", given="u_0*(1 - a) + u_1*b = u_0, u_0 + u_1 = 1"
        ),
    },
)
def chain(check: Check) -> None:
    """Prove that this law is stationary, and that records alike have no other: Pr(X_2=0) is
    u_0 (1 - a) + u_1 b, which is Pr(X_1=0) if X_1 and X_2 are alike.
    """


@claim(
    "massny2025.reversible",
    where="Section II",
    statement="Pr(X_{t+1}=j | X_t=i) = Pr(X_t=j | X_{t+1}=i) for all i, j, t; hence both sides of "
    "p have the same transition law.",
    kind="remark",
    says={"one step": backwards.ONE_STEP, "both sides of p": backwards.SEQUENCE},
)
def reversible(check: Check) -> None:
    """Prove detailed balance, and that a reversed sequence has the same probability, so that the
    records before p have the law of those after it. A formula of it is [lemma.reversible-stay].
    """


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
    """Refute it for the middle index of an odd number of records, by its trial.

    The same chain: A reversed sequence has the same probability [massny2025.reversible]. One of the
    two indices: p, or n + 1 - p after re-indexing, which is an index.
    """
    with check.reading("re-indexing t as n + 1 - t", "one counterexample"):
        pass
    check.tried("n even")


@claim(
    "massny2025.wlog-p-repaired",
    where="Section II, repaired",
    statement="1 <= p <= (n+1)/2 may be assumed: t -> n + 1 - t maps indices to indices, the chain "
    "to itself, and every p > (n+1)/2 below it.",
    kind="repair of massny2025.wlog-p",
    says={PRINTED: statements.REINDEXED},
)
def wlog_p_repaired(check: Check) -> None:
    """Prove it from reversibility.

    As in massny2025.wlog-p.
    """


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
