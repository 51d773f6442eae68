"""Parallel composition on two segments of a chain: theorem III.1, with the two influences in the
places its proof puts them.

Ratios replace logarithms. The theorem as printed adds log G to eps_A and log F to eps_B; the proof
derives the opposite, which is what holds. Source: song2017, III-A and appendix A-A.
"""

from fractions import Fraction

from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
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
from pufferproof.claims.papers.song2017.statements import influence as said_influence
from pufferproof.claims.papers.song2017.statements import segments as said_segments
from pufferproof.claims.registry import Check, claim

p = letter("p", "weights, one for each x", at_least(0))
q = letter("q", "weights, one for each y", at_least(0))
u = letter("u", "a function of x")
v = letter("v", "a function of y")
C = letter("C", "a number")
A, U = letters("A U", "the sums of p u and p over the first x")
B, V = letters("B V", "the sums of q v and q over the first y")

R, S = letters("R S", "e^eps_A, e^eps_B", at_least(1))
F, G = letters("F G", "e^e(X_T3|X_T2), e^e(X_T2|X_T3)", at_least(1))
K = letter("K", "a bound of the kernel between the segments", at_least(1))
J = letter("J", "a ratio of both outputs for a secret of A or of B")
level, correction = letters("level correction", "the larger of R and S, the larger of F and G")
w_a, w_b = letters("w_a w_b", "P(M_B=w|X_T2=a), P(M_B=w|X_T2=b), sums over the first x")
law_a, law_b = letters("law_a law_b", "the sums of the two laws of X_T3")
x_a, x_b = letters("x_a x_b", "P(X_T3=x|X_T2=a), P(X_T3=x|X_T2=b)", at_least(0))
chance_x, chance_y = letters("chance_x chance_y", "P(X_T3=x), P(X_T3=y)", above(0))
w_x, w_y = letters("w_x w_y", "P(M_B=w|X_T3=x), P(M_B=w|X_T3=y)", at_least(0))
joint_x, joint_y = letters("joint_x joint_y", "P(M_B=w,X_T3=x), P(M_B=w,X_T3=y)")
far_a, far_b = letters("far_a far_b", "chances of a value of the farther record given X_T2=a, b")
after_a, after_b = letters(
    "after_a after_b", "the chance of this value given X_T3=x and X_T2=a, b", at_least(0)
)

own_a, own_b = letters("own_a own_b", "likelihoods of the own output given a secret", at_least(0))
other_a, other_b = letters("other_a other_b", "likelihoods of the other output", at_least(0))
both_a, both_b = letters("both_a both_b", "likelihoods of both outputs", at_least(0))

pi_x, pi_y, pi_z = letters("pi_x pi_y pi_z", "chances of values under the stationary law")
stay_x, stay_y = letters("stay_x stay_y", "P(x,x), P(y,y)")
go, back = letters("go back", "P^d(x,y), P^d(y,x)")
x_to_z, z_to_x = letters("x_to_z z_to_x", "P^d(x,z), P^d(z,x)")
z_to_y, y_to_z = letters("z_to_y y_to_z", "P(z,y), P(y,z)")
go_on, back_on = letters("go_on back_on", "P^(d+1)(x,y), P^(d+1)(y,x), sums over the first z")
now_x, then_y = letters("now_x then_y", "P(X_T2=x), P(X_T3=y)")

ALL = "all finite chains (any k, T, q, P, zeros included), any finite mechanisms, any Theta"
NOTATION = {
    "p": p.meaning,
    "u": u.meaning,
    "v": v.meaning,
    "C": C.meaning,
    "q": "weights, one for each y; elsewhere the law of X_1",
    "E": "the level of the pair",
}
Instance = tuple[Chain, Mechanism, Mechanism]


@claim(
    "song2017.x-averages",
    where="Appendices A-A and A-B, used in several steps",
    statement="For finite sums and weights p, q >= 0: if u(x) <= C v(y) for all x and y with p(x) "
    "> 0 and q(y) > 0, then (sum_x p(x) u(x)) (sum_y q(y)) <= C (sum_x p(x)) (sum_y q(y) v(y)).",
    kind="lemma",
    says=said_segments.AVERAGES,
)
def averages(check: Check) -> None:
    """Prove that averages of two functions are as close as the functions are everywhere."""
    proved(
        check,
        "as stated",
        "all finite sums",
        _averages,
        a_smaller_constant=Edit("one more x", put={C: C / 2}),
        signed_weights=Edit("one more x", without=p >= 0),
    )


def _averages(proof: Proof) -> None:
    proof.summed(
        "one more x",
        "y is fixed, v = v(y): A <= C U v",
        so_far=A <= C * U * v,
        adding={A: p * u, U: p},
        given=[u <= C * v],
    )
    proof.summed(
        "one more y",
        "A and U are now the whole sums: A V <= C U B",
        so_far=A * V <= C * U * B,
        adding={V: q, B: q * v},
        given=[A <= C * U * v],
    )


@claim(
    "song2017.III1-kernel",
    where="Appendix A-A, around equation (9)",
    statement="P(M_B=w|X_T2=a)/P(M_B=w|X_T2=b) <= min{e^e(X_T3|X_T2), e^eps_B}; M_B and X_T2 are "
    "independent given X_T3, and max_x P(M_B=w|X_T3=x)/min_x P(M_B=w|X_T3=x) <= e^eps_B.",
    kind="proof step",
    says=said_segments.KERNEL,
)
def kernel(check: Check) -> None:
    """Prove it for the values that X_T3 can have; for impossible ones, whose likelihoods
    nothing bounds, it would fail.
    """
    name = "max and min over the x with P(X_T3=x) > 0"
    proved(
        check,
        name,
        ALL,
        _kernel,
        half_the_influence=Edit("by influence", put={F: F / 2}),
        an_impossible_value=Edit(
            "by the level of M_B", without=joint_x * chance_y <= S * joint_y * chance_x
        ),
    )
    check.near_miss(
        f"{name}: all x in [k], evaluated",
        lambda proof: proof.exhaust(
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


def _kernel(proof: Proof) -> None:
    proof.cite(
        "independence",
        "X_T2 is separated by X_T3 from the records after it: P(w|X_T3=x,X_T2=a) is P(w|X_T3=x)",
        "song2017.x-separated",
        met={APART: "T2 < T3, and the records after T3 are others"},
    )
    proof.summed(
        "by influence",
        "over the first x, x_a <= F x_b; if F is infinite there is nothing to show",
        so_far=w_a <= F * w_b,
        adding={w_a: x_a * w_x, w_b: x_b * w_x},
        given=[x_a <= F * x_b],
    )
    proof.inequality(
        "by the level of M_B",
        "two possible values of X_T3 are a pair of secrets of M_B, within S as its definition says",
        w_x <= S * w_y,
        [
            Eq(w_x * chance_x, joint_x),
            Eq(w_y * chance_y, joint_y),
            joint_x * chance_y <= S * joint_y * chance_x,
        ],
    )
    proof.cite("averages", "of the likelihoods of w under both laws of X_T3", "song2017.x-averages")
    proof.inequality(
        "the laws sum to 1",
        "averages of likelihoods within S are within S",
        w_a <= S * w_b,
        [w_a * law_a <= S * law_b * w_b, Eq(law_a, 1), Eq(law_b, 1)],
        for_any=[S],
    )


LEVEL_LEFT_OUT = Edit("the secret elsewhere", instead=both_a <= K * both_b)


@claim(
    "song2017.III1-secrets-A",
    where="Appendix A-A",
    statement="For a secret pair at X_i, T1<=i<=T2, the joint ratio is at most "
    "min{e^(eps_A+e(X_T3|X_T2)), e^(eps_A+eps_B)}.",
    kind="proof step",
    says=said_segments.SECRETS_A,
)
def secrets_a(check: Check) -> None:
    """Prove it: i = T2 is a product, i < T2 an average over X_T2."""
    proved(check, "as printed", ALL, _segment, without_eps_A=LEVEL_LEFT_OUT)


@claim(
    "song2017.III1-secrets-B",
    where="Appendix A-A",
    statement="For a secret pair at X_i, T3<=i<=T4, the joint ratio is at most "
    "min{e^(eps_B+e(X_T2|X_T3)), e^(eps_A+eps_B)}.",
    kind="proof step",
    says=said_segments.SECRETS_B,
)
def secrets_b(check: Check) -> None:
    """Prove it: a chain read backwards is a chain, whose step may depend on time, which the
    argument allows.
    """
    proved(check, "as printed", ALL, _segment, without_eps_B=LEVEL_LEFT_OUT)


def _segment(proof: Proof) -> None:
    """R bounds the mechanism of the secret's own segment."""
    proof.cite(
        "kernel",
        "u(x) <= K u(y) for possible values x, y of the end of the own segment, u(x) the chance of "
        "the other output given x: K = F and K = S (backwards, K = G and K = R)",
        "song2017.III1-kernel",
    )
    proof.cite(
        "given the end",
        "both outputs are independent, and so are the other output and X_i",
        "song2017.x-markov",
    )
    proof.inequality(
        "the secret at the end",
        "likelihoods of both outputs are products",
        both_a <= K * R * both_b,
        [
            Eq(both_a, own_a * other_a),
            Eq(both_b, own_b * other_b),
            own_a <= R * own_b,
            other_a <= K * other_b,
        ],
        for_any=[both_a, both_b],
    )
    proof.cite(
        "averages",
        "The joint likelihoods are sums of P(own output, end=x|secret) u(x); the sums of the "
        "weights are the likelihoods of the own output",
        "song2017.x-averages",
    )
    proof.inequality(
        "the secret elsewhere",
        "if own_b = 0 then own_a = 0 and both_a = 0",
        both_a <= K * R * both_b,
        [both_a * own_b <= K * own_a * both_b, own_a <= R * own_b, both_a <= own_a],
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


def _refute(proof: Proof, instance: Instance) -> None:
    of, first, second = instance
    level_a, level_b, joint = levels(of, first, second)
    forward, backward = influence(of, 2, [3]), influence(of, 3, [2])
    bound = of_printed(level_a, level_b, forward or Fraction(0), backward or Fraction(0))
    proof.counterexample(
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
    says={
        "q stationary, P reversible (every P with k = 2)": said_segments.REVERSIBLE,
        "eps_A = eps_B": said_segments.EQUAL_LEVELS,
    },
)
def theorem(check: Check) -> None:
    """Refute it by two mechanisms on four records; for equal levels, or equal influences, it is
    right.
    """
    with check.reading(
        "any q", "one counterexample, from chains of two values, denominators up to 4, T = 4, flags"
    ) as proof:
        _refute(proof, _any_start())
    with check.reading(
        "q stationary",
        "one counterexample, from positive chains of three values in sixths, T = 4, flags",
    ) as it:
        _refute(it, _stationary_start())
    start = Edit(
        "the same kernel both ways",
        without=[Eq(now_x, pi_x), Eq(then_y, pi_y)],
        given=[now_x > 0, then_y > 0],
    )
    name = "q stationary, P reversible (every P with k = 2)"
    proved(check, name, ALL, _reversible, another_start=start)
    unequal = Edit("the larger of the two bounds", without=Eq(R, S))
    proved(check, "eps_A = eps_B", ALL, _equal_levels, unequal_levels=unequal)


@claim(
    "song2017.thm-III1-repaired",
    where="Theorem III.1, repaired",
    statement="M_A eps_A-Pufferfish on X_T1..X_T2, M_B eps_B-Pufferfish on X_T3..X_T4: the pair is "
    "E-Pufferfish for all secrets of both, E = max{min{eps_A+eps_B, eps_A+e(X_T3|X_T2)}, "
    "min{eps_B+eps_A, eps_B+e(X_T2|X_T3)}}.",
    kind="repair of song2017.thm-III1",
    says=said_segments.TWO_SEGMENTS,
)
def theorem_repaired(check: Check) -> None:
    """Prove it with the influences where the proof has them."""
    exchanged = Edit("the larger of the two bounds", instead=EXCHANGED)
    proved(check, "as stated", ALL, _theorem, influences_exchanged=exchanged)


EXCHANGED = Or(And(J <= R * S, J <= R * G), And(J <= R * S, J <= S * F))


def _theorem(proof: Proof) -> None:
    _both_secrets(proof)
    proof.inequality(
        "the larger of the two bounds",
        "J is a ratio for a secret of A or of B; e_theta <= e_Theta for every theta",
        Or(And(J <= R * S, J <= R * F), And(J <= R * S, J <= S * G)),
        [J <= R * S, Or(J <= R * F, J <= S * G)],
    )


def _equal_levels(proof: Proof) -> None:
    _both_secrets(proof)
    proof.inequality(
        "the larger of the two bounds",
        "as printed, with the influences exchanged, which changes nothing if the levels are equal",
        EXCHANGED,
        [J <= R * S, Or(J <= R * F, J <= S * G), Eq(R, S)],
    )


def _both_secrets(proof: Proof) -> None:
    proof.cite("secrets of A", "J <= R F and J <= R S", "song2017.III1-secrets-A")
    proof.cite("secrets of B", "J <= S G and J <= R S", "song2017.III1-secrets-B")


def _reversible(proof: Proof) -> None:
    """d = T3 - T2; of two values, d = 1."""
    proof.inequality(
        "two values are reversible",
        "stay_x, go and back, stay_y are the rows of P",
        Eq(pi_x * go, pi_y * back),
        [Eq(stay_x + go, 1), Eq(back + stay_y, 1), Eq(pi_x, pi_x * stay_x + pi_y * back)],
    )
    proof.summed(
        "detailed balance of powers",
        "paths of d + 1 steps, by the value z before the last one, or after the first one",
        so_far=Eq(pi_x * go_on, pi_y * back_on),
        adding={go_on: x_to_z * z_to_y, back_on: y_to_z * z_to_x},
        given=[Eq(pi_x * x_to_z, pi_z * z_to_x), Eq(pi_z * z_to_y, pi_y * y_to_z)],
    )
    proof.inequality(
        "the same kernel both ways",
        "P(X_T2=x|X_T3=y) = P(X_T2=x) P^d(x,y) / P(X_T3=y) is P^d(y,x): F = G",
        Eq(now_x * go, then_y * back),
        [
            Eq(pi_x * go, pi_y * back),
            Eq(now_x, pi_x),
            Eq(then_y, pi_y),
            pi_x > 0,
            pi_y > 0,
        ],
    )
    proof.cite(
        "so the repaired bound is the printed one", "with F = G", "song2017.thm-III1-repaired"
    )


@claim(
    "song2017.III1-remark",
    where="Introduction; after Theorem III.1",
    statement="The guarantee of the pair is the worse of the two plus a correction that depends on "
    "the distance and the chain; compared with DP the extra terms are e(X_T2|X_T3) and "
    "e(X_T3|X_T2).",
    kind="remark",
    says={
        "correction max of both influences": said_segments.CORRECTION,
        "e(X_T3|X_T2) does not grow with T3, nor e(X_T2|X_T3) as T2 falls": said_influence.FARTHER,
    },
)
def remark(check: Check) -> None:
    """Prove it with the larger influence as correction, which never grows with the distance for
    a given record.
    """
    smaller = Edit(
        "the worse plus a correction",
        without=[correction >= F, correction >= G],
        given=[correction <= F, correction <= G],
    )
    proved(
        check,
        "correction max of both influences",
        ALL,
        _remark,
        correction_the_smaller_one=smaller,
    )
    nearer = Edit("ratios do not grow", without=Eq(after_a, after_b), given=after_b >= 0)
    proved(
        check,
        "e(X_T3|X_T2) does not grow with T3, nor e(X_T2|X_T3) as T2 falls",
        "all finite chains",
        _farther,
        a_nearer_record=nearer,
    )


def _remark(proof: Proof) -> None:
    proof.cite("secrets of A", "J <= R F", "song2017.III1-secrets-A")
    proof.cite("secrets of B", "J <= S G", "song2017.III1-secrets-B")
    proof.inequality(
        "the worse plus a correction",
        "level = max(R, S), correction = max(F, G)",
        J <= level * correction,
        [
            Or(J <= R * F, J <= S * G),
            level >= R,
            level >= S,
            correction >= F,
            correction >= G,
            correction >= 1,
        ],
    )


def _farther(proof: Proof) -> None:
    proof.cite(
        "one kernel",
        "given X_T3 the record after it does not depend on X_T2; a chain read backwards has the "
        "same property",
        "song2017.x-separated",
        met={APART: "T2 < T3 < T3 + 1"},
    )
    proof.summed(
        "ratios do not grow",
        "sums over the first values x of X_T3: the chances of a value of the farther record. "
        "F = e^e(X_T3|X_T2) is finite, else nothing is said",
        so_far=far_a <= F * far_b,
        adding={far_a: x_a * after_a, far_b: x_b * after_b},
        given=[x_a <= F * x_b, Eq(after_a, after_b)],
        for_any=[after_b],
    )
