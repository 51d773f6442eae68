"""Parallel composition on two segments of a chain: theorem III.1, with the two influences in the
places its proof puts them.

Ratios replace logarithms. The theorem as printed adds log G to eps_A and log F to eps_B; the proof
derives the opposite, which is what holds. Source: song2017, III-A and appendix A-A.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, at_least, letter
from pufferproof.claims.papers.song2017 import said
from pufferproof.claims.papers.song2017.mechanism.linked import AVERAGES
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
u = letter("u", "a function of x")
v = letter("v", "a function of y")
C = letter("C", "a number")


NOTATION = {
    "p": p.meaning,
    "u": u.meaning,
    "v": v.meaning,
    "C": C.meaning,
    "q": "weights, one for each y; elsewhere the law of X_1",
    "E": "the level of the pair",
}
Instance = tuple[Chain, Mechanism, Mechanism]


FINITE = "both influences finite"
ANY_INFLUENCE = "influences that may be infinite: eps_A + eps_B alone"


@claim(
    "song2017.x-averages",
    where="Appendices A-A and A-B, used in several steps",
    kind="lemma",
    says=AVERAGES,
)
def averages(check: Check) -> None:
    """Sum over y for one x, then over x: averages of two functions are as close as the functions
    are everywhere.
    """


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

    Independence: X_T2 is separated by X_T3 from the records after it: P(w|X_T3=x,X_T2=a) is
    P(w|X_T3=x) [song2017.x-separated]. By influence: over the first x, x_a <= F x_b; if F is
    infinite there is nothing to show. By the level of M_B: two possible values of X_T3 are a pair
    of secrets of M_B, within S as its definition says. Averages: of the likelihoods of w under both
    laws of X_T3 [song2017.x-averages]. The laws sum to 1: averages of likelihoods within S are
    within S.
    """
    name = "max and min over the x with P(X_T3=x) > 0"
    check.tried(name)


@claim(
    "song2017.III1-secrets-A",
    where="Appendix A-A",
    statement="For a secret pair at X_i, T1<=i<=T2, the joint ratio is at most "
    "min{e^(eps_A+e(X_T3|X_T2)), e^(eps_A+eps_B)}.",
    kind="proof step",
    says={"as printed": said_segments.SECRETS_A},
)
def secrets_a(check: Check) -> None:
    """Prove it: i = T2 is a product, i < T2 an average over X_T2.

    Kernel: u(x) <= K u(y) for possible values x, y of the end of the own segment, u(x) the chance
    of the other output given x: K = F and K = S (backwards, K = G and K = R)
    [song2017.III1-kernel]. Given the end: both outputs are independent, and so are the other output
    and X_i [song2017.x-markov]. The secret at the end: likelihoods of both outputs are products.
    Averages: The joint likelihoods are sums of P(own output, end=x|secret) u(x); the sums of the
    weights are the likelihoods of the own output [song2017.x-averages]. The secret elsewhere: if
    own_b = 0 then own_a = 0 and both_a = 0.
    """


@claim(
    "song2017.III1-secrets-B",
    where="Appendix A-A",
    statement="For a secret pair at X_i, T3<=i<=T4, the joint ratio is at most "
    "min{e^(eps_B+e(X_T2|X_T3)), e^(eps_A+eps_B)}.",
    kind="proof step",
    says={"as printed": said_segments.SECRETS_B},
)
def secrets_b(check: Check) -> None:
    """Prove it: a chain read backwards is a chain, whose step may depend on time, which the
    argument allows.

    As in song2017.III1-secrets-A.
    """


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
        "eps_A + min{eps_B, e(X_3|X_2)}, but the printed theorem has eps_A + "
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

    Q stationary, P reversible (every P with k = 2). P(X_T2=x|X_T3=y) = P(X_T2=x) P^d(x,y) /
    P(X_T3=y) is P^d(y,x), by detailed balance of powers: F = G, and the repaired bound is the
    printed one [song2017.thm-III1-repaired].

    Eps_A = eps_B. J <= R F and J <= R S for secrets of A [song2017.III1-secrets-A], J <= S G and J
    <= R S for those of B [song2017.III1-secrets-B]: the influences exchanged, which changes nothing
    if the levels are equal.
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
    name = "q stationary, P reversible (every P with k = 2)"
    check.tried(name)
    check.tried("eps_A = eps_B")


@claim(
    "song2017.thm-III1-repaired",
    where="Theorem III.1, repaired",
    statement="M_A eps_A-Pufferfish on X_T1..X_T2, M_B eps_B-Pufferfish on X_T3..X_T4: the pair is "
    "E-Pufferfish for all secrets of both, E = max{min{eps_A+eps_B, eps_A+e(X_T3|X_T2)}, "
    "min{eps_B+eps_A, eps_B+e(X_T2|X_T3)}}.",
    kind="repair of song2017.thm-III1",
    says={FINITE: said.PARALLEL, ANY_INFLUENCE: said.PARALLEL_LEVELS},
)
def theorem_repaired(check: Check) -> None:
    """Prove it with the influences where the proof has them.

    Secrets of A: J <= R F and J <= R S [song2017.III1-secrets-A]. Secrets of B: J <= S G and J <= R
    S [song2017.III1-secrets-B]. The larger of the two bounds: J is a ratio for a secret of A or of
    B; e_theta <= e_Theta for every theta.
    """
    check.stated(FINITE)
    check.stated(ANY_INFLUENCE)


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

    Correction max of both influences. Secrets of A: J <= R F [song2017.III1-secrets-A]. Secrets of
    B: J <= S G [song2017.III1-secrets-B]. The worse plus a correction: level = max(R, S),
    correction = max(F, G).

    E(X_T3|X_T2) does not grow with T3, nor e(X_T2|X_T3) as T2 falls. One kernel: given X_T3 the
    record after it does not depend on X_T2; a chain read backwards has the same property
    [song2017.x-separated]. Ratios do not grow: sums over the first values x of X_T3: the chances of
    a value of the farther record. F = e^e(X_T3|X_T2) is finite, else nothing is said.
    """
