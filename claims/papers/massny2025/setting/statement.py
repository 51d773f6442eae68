"""The chain, its private index, redaction and the quantities of sections 2: definitions, and what
their remarks assert.

Letters: a, b of the chain; p the private index of n records. Definitions that say nothing have the
verdict DEFINITION. Source: massny2025, section II and definitions 1, 3 and 4, equation (8).
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

a, b, x, y, n, p, w, v, s, t, k = sympy.symbols("a b x y n p w v s t k")
ANY = [a > 0, a < 1, b > 0, b < 1]
NOTATION = {"S": "a set of records"}
PRINTED = "as printed"


@claim(
    "massny2025.chain",
    where="Section II",
    statement="P = [[1-a, a],[b, 1-b]], where 0 < a <= b < 1; all X_t have the stationary law: "
    "Pr(X_t=0) = b/(a+b), Pr(X_t=1) = a/(a+b).",
    kind="definition",
)
def chain(check: Check) -> None:
    """Prove that this law is stationary, and that records alike have no other."""
    with check.reading("X_1 stationary", "all a, b in (0, 1), every n") as argument:
        _stationary(argument)
    check.near_miss(
        "X_1 stationary: a and b swapped", lambda argument: _stationary(argument, swapped=True)
    )
    with check.reading(
        "X_1, ..., X_n identically distributed, n >= 2", "all a, b in (0, 1)"
    ) as argument:
        _only_law(argument)
    check.near_miss(
        "X_1, ..., X_n identically distributed, n >= 2: n = 1",
        lambda argument: _only_law(argument, alone=True),
    )


def _only_law(argument: Argument, alone: bool = False) -> None:
    argument.inequality(
        "the only law",
        "x and w are Pr(X_1=0) and Pr(X_1=1), y is Pr(X_2=0) = x (1 - a) + w b, which is x",
        And(Eq((a + b) * x, b), Eq((a + b) * w, a)),
        [Eq(x + w, 1), Eq(y, x * (1 - a) + w * b), *([] if alone else [Eq(y, x)]), *ANY],
    )


def _stationary(argument: Argument, swapped: bool = False) -> None:
    mass = a if swapped else b
    argument.induction(
        "one more record",
        "x = Pr(X_t=0); the next is x (1 - a) + (1 - x) b",
        base=(Eq((a + b) * x, mass), [Eq(x, mass / (a + b)), *ANY]),
        step=(Eq((a + b) * (x * (1 - a) + (1 - x) * b), mass), [Eq((a + b) * x, mass), *ANY]),
    )


@claim(
    "massny2025.reversible",
    where="Section II",
    statement="Pr(X_{t+1}=j | X_t=i) = Pr(X_t=j | X_{t+1}=i) for all i, j, t; hence both sides of "
    "p have the same transition law.",
    kind="remark",
)
def reversible(check: Check) -> None:
    """Prove detailed balance, and that a reversed sequence has the same probability."""
    with check.reading("one step", "all a, b in (0, 1)") as argument:
        _balance(argument)
    check.near_miss(
        "one step: from the uniform law", lambda argument: _balance(argument, uniform=True)
    )
    with check.reading("both sides of p", "all a, b in (0, 1), every n and p") as argument:
        _balance(argument)
        _reversed(argument)
    check.near_miss(
        "both sides of p: not in balance", lambda argument: _reversed(argument, balanced=False)
    )


def _balance(argument: Argument, uniform: bool = False) -> None:
    """z, o: the law of X_t, b/(a+b) and a/(a+b)."""
    z, o = ("(1/2)", "(1/2)") if uniform else ("(b/(a+b))", "(a/(a+b))")
    steps = [[f"{z}*(1-a)", f"{z}*a"], [f"{o}*b", f"{o}*(1-b)"]]
    for i, j, expected in ((0, 1, "a"), (1, 0, "b"), (0, 0, "1-a"), (1, 1, "1-b")):
        argument.identity(
            f"{i} to {j}",
            f"Pr(X_t={j} | X_(t+1)={i}) = Pr(X_t={j}) Pr(X_(t+1)={i} | X_t={j}) over the sum for "
            f"both values of X_t, which is Pr(X_(t+1)={i}); it is Pr(X_(t+1)={j} | X_t={i})",
            f"({steps[j][i]})/({steps[0][i]} + {steps[1][i]})",
            expected,
        )


def _reversed(argument: Argument, balanced: bool = True) -> None:
    f, g, q, r, P, Q = sympy.symbols("f g q r P Q")
    argument.induction(
        "one more record",
        "q and r are stationary probabilities of the values of X_t and X_{t+1}, f and g the "
        "probabilities of stepping from one to the other forwards and backwards, q f = r g. P is "
        "the product of steps from X_1 on, started with its stationary probability, and Q that of "
        "steps back from X_t to X_1: P = q Q. The next are P f and g Q",
        base=(Eq(P, q * Q), [Eq(P, q), Eq(Q, 1), q > 0]),
        step=(
            Eq(P * f, r * (g * Q)),
            [Eq(P, q * Q), *([Eq(q * f, r * g)] if balanced else []), q > 0, r > 0],
        ),
    )


@claim(
    "massny2025.wlog-p",
    where="Section II, Algorithm 1",
    statement="0 <= p <= n/2 may be assumed without loss of generality, since the elements can "
    "otherwise be re-indexed.",
    kind="remark",
    repair="massny2025.wlog-p-repaired",
)
def wlog_p(check: Check) -> None:
    """Refute it for the middle index of an odd number of records."""
    family = [(count, index) for count in range(1, 21) for index in range(1, count + 1)]

    def holds(instance: tuple[int, int]) -> bool:
        count, index = instance
        return 0 <= 2 * min(index, count + 1 - index) <= count

    with check.reading("re-indexing t as n + 1 - t", "one counterexample") as argument:
        argument.exhaust("smallest failure", "(n, p) with p in 1 .. n, by size", family, holds)
        argument.counterexample(
            "the middle",
            "n = 1, p = 1. Claimed: p <= n/2 without loss of generality. The only index stays "
            "where it is under re-indexing, and 1 > 1/2; so does p = (n+1)/2 for every odd n. p = "
            "0, which is allowed in print, is no index",
            {"n": 1, "p": 1, "n + 1 - p": 1},
            lambda: not holds((1, 1)),
        )
    with check.reading("n even", "all even n") as argument:
        _half(argument, sympy.Rational(1, 2))
    check.near_miss(
        "n even: p below n/2", lambda argument: _half(argument, sympy.Rational(1, 2), strict=True)
    )


@claim(
    "massny2025.wlog-p-repaired",
    where="Section II, repaired",
    statement="1 <= p <= (n+1)/2 may be assumed: t -> n + 1 - t maps indices to indices, the chain "
    "to itself, and every p > (n+1)/2 below it.",
    kind="repair of massny2025.wlog-p",
)
def wlog_p_repaired(check: Check) -> None:
    """Prove it from reversibility."""
    with check.reading(PRINTED, "every n and p") as argument:
        _half(argument, sympy.Integer(0))
    check.near_miss(
        f"{PRINTED}: p <= n/2", lambda argument: _half(argument, sympy.Integer(0), strict=True)
    )


def _half(argument: Argument, step: sympy.Expr, strict: bool = False) -> None:
    """Integers with n = 2 k or any n; `step` = 1/2: n = 2 k is even, and p <= k or p >= k + 1."""
    q = n + 1 - p
    whole = [Eq(n, 2 * k), Or(p <= k, p >= k + 1)] if step else []
    bound = n / 2 - (1 if strict else 0) if step else (n / 2 if strict else (n + 1) / 2)
    argument.cite(
        "the same chain", "A reversed sequence has the same probability", "massny2025.reversible"
    )
    argument.inequality(
        "one of the two indices",
        "p, or n + 1 - p after re-indexing, which is an index",
        And(q >= 1, q <= n, Or(p <= bound, q <= bound)),
        [p >= 1, p <= n, *whole],
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
            with check.reading(reading) as argument:
                argument.definition("definition", sentence)


for _name, (_where, _statement, _readings) in DEFINITIONS.items():
    _define(_name, _where, _statement, _readings)
