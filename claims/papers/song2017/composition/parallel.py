"""Parallel composition on two segments of a chain: theorem III.1, with the two influences in the
places its proof puts them.

Ratios replace logarithms: R and S are e^eps_A and e^eps_B, F = e^e(X_T3|X_T2) and G =
e^e(X_T2|X_T3). The theorem as printed adds G to eps_A and F to eps_B; the proof derives the
opposite, which is what holds. Source: song2017, III-A and appendix A-A.
"""

from fractions import Fraction
from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import proved
from pufferproof.claims.papers.song2017.mechanism.quilts import APART
from pufferproof.claims.papers.song2017.setting.chains import (
    Chain,
    Mechanism,
    audited,
    chain,
    influence,
    leakage,
    shows,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL = "all finite chains (any k, T, q, P, zeros included), any finite mechanisms, any Theta"
A, B, C, F, G, J, K, R, S, U, V, p, q, r, s, t, u, v = sympy.symbols(
    "A B C F G J K R S U V p q r s t u v"
)
a, b, f, g, h, j, k, x, y = sympy.symbols("a b f g h j k x y")
NOTATION = {
    "p": "weights, one for each x",
    "q": "weights, one for each y; elsewhere the law of X_1",
    "u": "a function of x",
    "v": "a function of y",
    "C": "a number",
    "E": "the level of the pair",
}
Instance = tuple[Chain, Mechanism, Mechanism]
LEVELS = [R >= 1, S >= 1, F >= 1, G >= 1]


@claim(
    "song2017.x-averages",
    where="Appendices A-A and A-B, used in several steps",
    statement="For finite sums and weights p, q >= 0: if u(x) <= C v(y) for all x and y with p(x) "
    "> 0 and q(y) > 0, then (sum_x p(x) u(x)) (sum_y q(y)) <= C (sum_x p(x)) (sum_y q(y) v(y)).",
    kind="lemma",
)
def averages(check: Check) -> None:
    """Prove that averages of two functions are as close as the functions are everywhere."""
    proved(
        check,
        "as stated",
        "all finite sums",
        _averages,
        a_smaller_constant=partial(_averages, less=True),
        signed_weights=partial(_averages, signed=True),
    )


def _averages(argument: Argument, less: bool = False, signed: bool = False) -> None:
    bound = C / 2 if less else C
    weights = [] if signed else [p >= 0]
    argument.induction(
        "one more x",
        "A and U are the sums of p u and p over the first x, y is fixed, v = v(y): A <= C U v",
        base=(A <= bound * U * v, [Eq(A, p * u), Eq(U, p), u <= C * v, *weights]),
        step=(A + p * u <= bound * (U + p) * v, [A <= C * U * v, u <= C * v, *weights]),
    )
    argument.induction(
        "one more y",
        "A and U are now the whole sums, B and V the sums of q v and q over the first y: A V <= C "
        "U B",
        base=(A * V <= C * U * B, [Eq(V, q), Eq(B, q * v), A <= C * U * v, q >= 0]),
        step=(A * (V + q) <= C * U * (B + q * v), [A * V <= C * U * B, A <= C * U * v, q >= 0]),
    )


@claim(
    "song2017.III1-kernel",
    where="Appendix A-A, around equation (9)",
    statement="P(M_B=w|X_T2=a)/P(M_B=w|X_T2=b) <= min{e^e(X_T3|X_T2), e^eps_B}; M_B and X_T2 are "
    "independent given X_T3, and max_x P(M_B=w|X_T3=x)/min_x P(M_B=w|X_T3=x) <= e^eps_B.",
    kind="proof step",
)
def kernel(check: Check) -> None:
    """Prove it for the values that X_T3 can have; for impossible ones, whose likelihoods
    nothing bounds, it would fail.
    """
    proved(
        check,
        "max and min over the x with P(X_T3=x) > 0",
        ALL,
        _kernel,
        half_the_influence=partial(_kernel, half=True),
        an_impossible_value=partial(_kernel, impossible=True),
    )
    check.near_miss(
        "max and min over the x with P(X_T3=x) > 0: all x in [k], evaluated",
        lambda argument: argument.exhaust(
            "X_t = 0 always, k = 2",
            "M_B shows X_T3: no pair of secrets is possible, its level is 0",
            [STILL],
            lambda of: (
                leakage(of, [3, 4], (shows((3, 4), 3, 2, SHOWN, "uv"), (3, 4))) == 1
                and SHOWN[0][0] <= SHOWN[1][0]
            ),
        ),
    )


STILL = chain("1 0", "1 0;0 1", 4)
SHOWN = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]


def _kernel(argument: Argument, half: bool = False, impossible: bool = False) -> None:
    """A and B are P(w|X_T2=a) and P(w|X_T2=b), p and q are P(X_T3=x|X_T2=a) and
    P(X_T3=x|X_T2=b).
    """
    argument.cite(
        "independence",
        "X_T2 is separated by X_T3 from the records after it: u = P(w|X_T3=x,X_T2=a) is "
        "P(w|X_T3=x)",
        "song2017.x-separated",
        met={APART: "T2 < T3, and the records after T3 are others"},
    )
    influence_ = F / 2 if half else F
    argument.induction(
        "by influence",
        "A and B sum p u and q u over the first x, p <= F q; if F is infinite there is nothing to "
        "show",
        base=(
            A <= influence_ * B,
            [Eq(A, p * u), Eq(B, q * u), p <= F * q, p >= 0, q >= 0, u >= 0, F >= 1],
        ),
        step=(
            A + p * u <= influence_ * (B + q * u),
            [A <= F * B, p <= F * q, p >= 0, q >= 0, u >= 0, F >= 1],
        ),
    )
    argument.inequality(
        "by the level of M_B",
        "u and v are the likelihoods of w given two values of X_T3 with the chances p, q > 0: a "
        "pair of secrets of M_B, within S as its definition with x and y for the joint chances "
        "says",
        u <= S * v,
        [
            Eq(u * p, x),
            Eq(v * q, y),
            *([] if impossible else [x * q <= S * y * p]),
            p > 0,
            q > 0,
            u >= 0,
            v >= 0,
            S >= 1,
        ],
    )
    argument.cite(
        "averages", "of u under both laws, and U, V the sums of the laws", "song2017.x-averages"
    )
    argument.inequality(
        "the laws sum to 1",
        "averages say A U <= S V B, U and V the sums of the two laws",
        A <= S * B,
        [A * U <= S * V * B, Eq(U, 1), Eq(V, 1)],
    )


@claim(
    "song2017.III1-secrets-A",
    where="Appendix A-A",
    statement="For a secret pair at X_i, T1<=i<=T2, the joint ratio is at most "
    "min{e^(eps_A+e(X_T3|X_T2)), e^(eps_A+eps_B)}.",
    kind="proof step",
)
def secrets_a(check: Check) -> None:
    """Prove it: i = T2 is a product, i < T2 an average over X_T2."""
    proved(check, "as printed", ALL, _segment, without_eps_A=partial(_segment, alone=True))


@claim(
    "song2017.III1-secrets-B",
    where="Appendix A-A",
    statement="For a secret pair at X_i, T3<=i<=T4, the joint ratio is at most "
    "min{e^(eps_B+e(X_T2|X_T3)), e^(eps_A+eps_B)}.",
    kind="proof step",
)
def secrets_b(check: Check) -> None:
    """Prove it: a chain read backwards is a chain, whose step may depend on time, which the
    argument allows.
    """
    proved(check, "as printed", ALL, _segment, without_eps_B=partial(_segment, alone=True))


def _segment(argument: Argument, alone: bool = False) -> None:
    """K bounds the kernel between the segments, R the mechanism of the secret's own segment."""
    argument.cite(
        "kernel",
        "u(x) <= K u(y) for possible values x, y of the end of the own segment, u(x) the chance of "
        "the other output given x: K = F and K = S (backwards, K = G and K = R)",
        "song2017.III1-kernel",
    )
    argument.cite(
        "given the end",
        "both outputs are independent, and so are the other output and X_i",
        "song2017.x-markov",
    )
    argument.inequality(
        "the secret at the end",
        "own likelihoods A, B and others u, v; j and k are those of both outputs",
        j <= K * R * k,
        [
            Eq(j, A * u),
            Eq(k, B * v),
            A <= R * B,
            u <= K * v,
            A >= 0,
            B >= 0,
            u >= 0,
            v >= 0,
            K >= 1,
            R >= 1,
        ],
    )
    argument.cite(
        "averages",
        "The joint likelihoods A and B are sums of P(own output, end=x|secret) u(x); U and V are "
        "the sums of the weights, the likelihoods of the own output",
        "song2017.x-averages",
    )
    argument.inequality(
        "the secret elsewhere",
        "A V <= K U B, U <= R V; if V = 0 then U = 0 and A = 0",
        A <= (K * B if alone else K * R * B),
        [A * V <= K * U * B, U <= R * V, A <= U, A >= 0, B >= 0, U >= 0, V >= 0, K >= 1, R >= 1],
    )


def of_printed(
    level_a: Fraction, level_b: Fraction, forward: Fraction, backward: Fraction
) -> Fraction:
    """e^E with E as printed: the influence of X_T3 on X_T2 beside eps_A."""
    return max(
        min(level_a * level_b, level_a * backward), min(level_a * level_b, level_b * forward)
    )


def levels(of: Chain, first: Mechanism, second: Mechanism) -> tuple[Fraction, Fraction, Fraction]:
    """Return the exact e^eps_A, e^eps_B and joint e^leakage for the segments 1..2 and 3..4; all
    must be finite.
    """
    found = (
        leakage(of, [1, 2], (first, (1, 2))),
        leakage(of, [3, 4], (second, (3, 4))),
        leakage(of, [1, 2, 3, 4], (first, (1, 2)), (second, (3, 4))),
    )
    a, b, joint = (ratio if ratio is not None else Fraction(0) for ratio in found)
    return a, b, joint


def _any_start() -> Instance:
    low, high = Fraction(1, 20), Fraction(19, 20)
    first = shows((1, 2), 2, 2, [[low, high], [high, low]], "ab")
    second = shows((3, 4), 3, 2, [[Fraction(1, 5), Fraction(4, 5)], [high, low]], "uv")
    return chain("3/4 1/4", "1/2 1/2;1/4 3/4", 4), first, second


def _stationary_start() -> Instance:
    low, high = Fraction(1, 30), Fraction(29, 30)
    first = shows((1, 2), 2, 3, [[high, low], [low, high], [low, high]], "ab")
    rare, often = Fraction(1, 25), Fraction(4, 5)
    second = shows((3, 4), 3, 3, [[rare, 1 - rare], [rare, 1 - rare], [often, 1 - often]], "uv")
    return chain("9/37 17/37 11/37", "1/6 1/3 1/2;1/3 1/2 1/6;1/6 1/2 1/3", 4), first, second


def _refute(argument: Argument, instance: Instance) -> None:
    of, first, second = instance
    level_a, level_b, joint = levels(of, first, second)
    forward, backward = influence(of, 2, [3]), influence(of, 3, [2])
    bound = of_printed(level_a, level_b, forward or Fraction(0), backward or Fraction(0))
    argument.counterexample(
        "flags on X_2 and X_3",
        f"Two flags on records 1, 2 and 3, 4 of a chain of four leak log({joint}) together, more "
        f"than the printed level log({bound}). X_2 says more about X_3 than X_3 about X_2, and "
        f"eps_A > eps_B: for secrets at X_2 the proof gets "
        "eps_A + min{eps_B, e(X_3|X_2)}, in the place of which the printed theorem has eps_A + "
        "min{eps_B, e(X_2|X_3)}",
        {
            "q": " ".join(map(str, of.start)),
            "P": "; ".join(" ".join(map(str, row)) for row in of.step),
            "e^eps_A": level_a,
            "e^eps_B": level_b,
            "e^e(X_3|X_2)": forward,
            "e^e(X_2|X_3)": backward,
            "e^E as printed": bound,
            "joint e^leakage": joint,
            **audited(of, [1, 2, 3, 4], f"log({bound})", (first, (1, 2)), (second, (3, 4))),
        },
        lambda: joint > bound > 1,
    )


@claim(
    "song2017.thm-III1",
    where="Theorem III.1",
    statement="M_A eps_A-Pufferfish on X_T1..X_T2, M_B eps_B-Pufferfish on X_T3..X_T4: the pair is "
    "E-Pufferfish for all secrets of both, E = max{min{eps_A+eps_B, eps_A+e(X_T2|X_T3)}, "
    "min{eps_B+eps_A, eps_B+e(X_T3|X_T2)}}.",
    repair="song2017.thm-III1-repaired",
)
def theorem(check: Check) -> None:
    """Refute it by two mechanisms on four records; for equal levels, or equal influences, it is
    right.
    """
    with check.reading(
        "any q", "one counterexample, from chains of two values, denominators up to 4, T = 4, flags"
    ) as argument:
        _refute(argument, _any_start())
    with check.reading(
        "q stationary",
        "one counterexample, from positive chains of three values in sixths, T = 4, flags",
    ) as it:
        _refute(it, _stationary_start())
    proved(
        check,
        "q stationary, P reversible (every P with k = 2)",
        ALL,
        _reversible,
        another_start=partial(_reversible, other=True),
    )
    proved(
        check,
        "eps_A = eps_B",
        ALL,
        partial(_theorem, equal=True),
        unequal_levels=partial(_theorem, printed=True),
    )


@claim(
    "song2017.thm-III1-repaired",
    where="Theorem III.1, repaired",
    statement="M_A eps_A-Pufferfish on X_T1..X_T2, M_B eps_B-Pufferfish on X_T3..X_T4: the pair is "
    "E-Pufferfish for all secrets of both, E = max{min{eps_A+eps_B, eps_A+e(X_T3|X_T2)}, "
    "min{eps_B+eps_A, eps_B+e(X_T2|X_T3)}}.",
    kind="repair of song2017.thm-III1",
)
def theorem_repaired(check: Check) -> None:
    """Prove it with the influences where the proof has them."""
    proved(check, "as stated", ALL, _theorem, influences_exchanged=partial(_theorem, printed=True))


def _theorem(argument: Argument, printed: bool = False, equal: bool = False) -> None:
    argument.cite("secrets of A", "J <= R F and J <= R S", "song2017.III1-secrets-A")
    argument.cite("secrets of B", "J <= S G and J <= R S", "song2017.III1-secrets-B")
    swapped = printed or equal
    first, second = (G, F) if swapped else (F, G)
    argument.inequality(
        "the larger of the two bounds",
        "J is a ratio for a secret of A or of B; e_theta <= e_Theta for every theta",
        Or(And(J <= R * S, J <= R * first), And(J <= R * S, J <= S * second)),
        [J <= R * S, Or(J <= R * F, J <= S * G), *LEVELS, *([Eq(R, S)] if equal else [])],
    )


def _reversible(argument: Argument, other: bool = False) -> None:
    """u, v are P^d(x,y), P^d(y,x) and p, q = pi(x), pi(y), d = T3 - T2."""
    argument.inequality(
        "two values are reversible",
        "f, u and v, g are the rows of P, p and q the stationary chances",
        Eq(p * u, q * v),
        [Eq(f + u, 1), Eq(v + g, 1), Eq(p, p * f + q * v)],
    )
    argument.induction(
        "detailed balance of powers",
        "A, B sum P^d(x,z) P(z,y) and P(y,z) P^d(z,x) over the first z; r = pi(z), s, t steps",
        base=(Eq(p * A, q * B), [Eq(A, u * s), Eq(B, t * v), Eq(p * u, r * v), Eq(r * s, q * t)]),
        step=(
            Eq(p * (A + u * s), q * (B + t * v)),
            [Eq(p * A, q * B), Eq(p * u, r * v), Eq(r * s, q * t)],
        ),
    )
    start = [Eq(r, p), Eq(s, q)] if not other else [r > 0, s > 0]
    argument.inequality(
        "the same kernel both ways",
        "P(X_T2=x|X_T3=y) = P(X_T2=x) u / P(X_T3=y), marginals r, s, is v: F = G",
        Eq(r * u, s * v),
        [Eq(p * u, q * v), *start, p > 0, q > 0],
    )
    argument.cite(
        "so the repaired bound is the printed one", "with F = G", "song2017.thm-III1-repaired"
    )


@claim(
    "song2017.III1-remark",
    where="Introduction; after Theorem III.1",
    statement="The guarantee of the pair is the worse of the two plus a correction that depends on "
    "the distance and the chain; compared with DP the extra terms are e(X_T2|X_T3) and "
    "e(X_T3|X_T2).",
    kind="remark",
)
def remark(check: Check) -> None:
    """Prove it with the larger influence as correction, which never grows with the distance for
    a given record.
    """
    proved(
        check,
        "correction max of both influences",
        ALL,
        _remark,
        correction_the_smaller_one=partial(_remark, smaller=True),
    )
    proved(
        check,
        "e(X_T3|X_T2) does not grow with T3, nor e(X_T2|X_T3) as T2 falls",
        "all finite chains",
        _farther,
        a_nearer_record=partial(_farther, nearer=True),
    )


def _remark(argument: Argument, smaller: bool = False) -> None:
    argument.cite("secrets of A", "J <= R F", "song2017.III1-secrets-A")
    argument.cite("secrets of B", "J <= S G", "song2017.III1-secrets-B")
    M, X = sympy.symbols("M X")
    larger = [X <= F, X <= G] if smaller else [X >= F, X >= G]
    argument.inequality(
        "the worse plus a correction",
        "M = max(R, S), X = max(F, G)",
        J <= M * X,
        [Or(J <= R * F, J <= S * G), M >= R, M >= S, *larger, X >= 1, *LEVELS],
    )


def _farther(argument: Argument, nearer: bool = False) -> None:
    argument.cite(
        "one kernel",
        "given X_T3 the record after it does not depend on X_T2; a chain read backwards has the "
        "same property",
        "song2017.x-separated",
        met={APART: "T2 < T3 < T3 + 1"},
    )
    terms = [p <= F * q, p >= 0, q >= 0, u >= 0, F >= 1, *([Eq(u, v)] if not nearer else [v >= 0])]
    argument.induction(
        "ratios do not grow",
        "p and q are the chances of a value of X_T3 given two values of X_T2, u the chance of y "
        "after it; A and B sum p u and q u over the first values: the chances of y at the farther "
        "record. F = e^e(X_T3|X_T2) is finite, else nothing is said",
        base=(A <= F * B, [Eq(A, p * u), Eq(B, q * v), *terms]),
        step=(A + p * u <= F * (B + q * v), [A <= F * B, *terms]),
    )
