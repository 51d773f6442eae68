"""Redaction that sees all records at once, any number of records: perfect privacy, a bound at every
level.

Expected numbers of released records; P = [[1-a, a], [b, 1-b]], lam = 1-a-b, R = e^eps. For perfect
privacy (eps = 0) the optimum is a maximal coupling of the chains that start from X_p = 0 and X_p =
1. Source of the setting: massny2025.
"""

from fractions import Fraction

import sympy
from sympy import Eq

from pufferproof.claims.language import (
    Proof,
    letter,
    proved,
)
from pufferproof.claims.ours.redaction.statements.pairs import (
    CENTRAL_BOUND,
    CENTRAL_PAIRING,
    PERFECT_FEW,
    PERFECT_REACHED,
    PERFECT_UPPER,
)
from pufferproof.claims.ours.redaction.structure.central import two_record_optimum
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chain, given
from pufferproof.claims.registry import Check, claim

bound = letter("bound", "the bound of this number")
NOTATION = {
    "u": "the values of all records but X_p, where X_p = 0",
    "v": "the values of all records but X_p, where X_p = 1",
    "d": "d(u,v) is the number of records in which u and v differ",
    "f": "f_uv, of pairs of u and v, is a part of an output whose likelihoods given X_p = 0 and 1 "
    "are in proportion R : 1",
    "g": "g_uv, of pairs of u and v, is a part of an output whose likelihoods given X_p = 0 and 1 "
    "are in proportion 1 : R",
}
UPPER, REACHED, FEW = "no mechanism releases more", "attained", "all but a bounded number"


@claim(
    "redaction.central-perfect",
    where="Central redaction",
    statement="eps = 0: the best central mechanism, which chooses the set of released records "
    "given all of them, releases the sum over t other than p of 1 - |lam|^|t-p| records in "
    "expectation, all but at most 1 + 2|lam|/(1-|lam|), for every n; a local mechanism "
    "releases nothing unless lam = 0. So the cost of locality is not bounded as n grows.",
    says={
        "no mechanism releases more": PERFECT_UPPER,
        "attained": PERFECT_REACHED,
        "all but a bounded number": PERFECT_FEW,
    },
)
def central_perfect(check: Check) -> None:
    """Prove the bound record by record, and attain it by redacting until two coupled chains
    have met.

    No mechanism releases more. Powers: P(X_t=0|X_p=0) - P(X_t=0|X_p=1) = lam^D at distance D, on
    both sides [massny2025.prop1-power]. Both sides: have the same transition law
    [massny2025.reversible]. One record: zero0, zero1 = P(X_t=0|X_p=0), P(X_t=0|X_p=1), l = zero0 -
    zero1 = lam^D. At eps = 0 record t is released and 0 with the same probability A given both
    values of X_p, released and 1 with B. Sum: the expected number is the sum over the records; X_p
    is never released [redaction.central-own].

    Attained. Shares: Both rows of P contain the shares m_0, m_1 = zero, one. Going away from p, a
    record is joined if the one before is; else, if it has the value v and the one before the value
    u, with chance m_v / P(u, v), in [0, 1]. Joined records are released, the others redacted. Not
    joined: 1 - m_0 - m_1 = |lam|. The first joined record: W, V: probabilities that no record up to
    a distance is joined, given X_p = 0 and 1. The next one is joined with value v with W m_v,
    whatever the values before; beyond it the released records follow the chain from v. So outputs
    have equal probabilities. Record at distance D: is released with probability 1 - |lam|^D; h =
    |lam|. Two sides: Given X_p the records and coins of the sides are independent: probabilities
    left0, right0 and left1, right1 of outputs of the sides multiply.

    All but a bounded number. Local mechanisms: release nothing for lam not 0, everything for lam =
    0 [redaction.level-zero]. One side: S is the sum of |lam|^D so far, power the last power, h =
    |lam|: (1-h) S = h (1 - power) <= h. Both sides and X_p: redacted is the number of redacted
    records: 1 + S on one side + T on the other.
    """
    check.tried(UPPER)
    check.tried(REACHED)
    check.tried(FEW)


SUM = "every level"


@claim(
    "redaction.central-bound",
    where="Central redaction",
    statement="For every eps, n and p, a <= b, no eps-private central mechanism releases more in "
    "expectation than the sum over t other than p of the two-record optimum of the chain "
    "P^|t-p|, which is that of redaction.central-two, and 1 for lam = 0; with equality at eps "
    "= 0.",
    says=CENTRAL_BOUND,
)
def central_bound(check: Check) -> None:
    """Prove that what is shown of one record is a central mechanism for two records.

    Processing: Y_t alone leaks at most what Y leaks [lemma.data-processing]. Two records: (X_p,
    X_t) is a chain with the transition law P^|t-p| [redaction.central-two]. Eps = 0: the sum of 1 -
    |lam|^D is attained [redaction.central-perfect]. Signs: |l| <= |lam|, and l >= 0 if lam >= 0
    [massny2025.x-powers]. Its entries: a_D = a (1-l)/(a+b), b_D = b (1-l)/(a+b), l = lam^D
    [massny2025.prop1-power]. It is of the same kind: a <= b (exchange the values otherwise) gives 0
    < a_D = far_a <= b_D = far_b < 1; weights b/(a+b) are the same. For l = 0 the bound is 1. Sum:
    so_far is the expected number so far, allowed the sum of the bounds; number <= bound those of
    the next record.
    """
    check.tried(SUM)


PAIRS, OPTIMUM = "a sum over pairs", Fraction(49, 27)


@claim(
    "redaction.central-pairing",
    where="Central redaction",
    statement="For every law of n bits, with probabilities m_0, m_1 > 0 of X_p = 0 and X_p = 1, "
    "the best central mechanism is a transport between the laws of u = (X_t : t not p) given "
    "X_p = 0 and given X_p = 1: the expected number of records that it releases is the largest "
    "sum of (n - 1 - d(u,v)) ((m_0 R + m_1) f_uv + (m_0 + m_1 R) g_uv) over f, g >= 0 with "
    "sum_v (R f_uv + g_uv) = P(u|X_p=0) and sum_u (f_uv + R g_uv) = P(v|X_p=1); u and v differ "
    "in d(u,v) records.",
    says=CENTRAL_PAIRING,
)
def central_pairing(check: Check) -> None:
    """Prove that the likelihoods of an output split into pairs with the extreme ratios R and
    1/R.

    Two ratios: M, N are the probabilities of an output given X_p = 0, 1: they are R x + y and x + R
    y with x = (R M - N)/(R^2 - 1), y = (R N - M)/(R^2 - 1) >= 0; for R = 1, M = N = x and y = 0. R
    = 1: x = M, y = 0. Pairs: the databases u, v that show this output contribute s to M and t to N:
    f = x s t/(M N), g = y s t/(M N). Summed over v: t becomes N. X_p: is never shown, since m_0 and
    m_1 are positive [redaction.central-own]. At most: An output shows q records, X_p is not one of
    them, and in all of them u and v agree, so that q + d <= n - 1. w is the probability of a pair
    with this output; U, V2 sum q w and (n - 1 - d) w so far, over all outputs and their pairs.
    Attained: Show for each pair all records in which it agrees: the likelihoods u, v of f are in
    proportion R : 1, those of g 1 : R; an output collects pairs, and sums keep both inequalities.
    Worth: m = m_0: an output with M = R x + y and N = x + R y has the probability m_0 M + m_1 N, of
    which x and y bring these.
    """
    check.tried(PAIRS)


@claim(
    "redaction.central-bound-tight",
    where="Central redaction",
    statement="The bound redaction.central-bound, a sum over the records, is attained for every "
    "eps.",
    repair="redaction.central-bound",
)
def central_bound_tight(check: Check) -> None:
    """Refute it for three records, the least number, at a = b = 1/3, R = 3/2, p = 1."""
    proved(check, "as stated", "one counterexample", _less_than_the_sum)


def _less_than_the_sum(proof: Proof) -> None:
    of, level = chain("1/3", "1/3"), Fraction(3, 2)
    program = _program(proof, of, level)
    bound = [
        two_record_optimum(Chain(rows[0][1], rows[1][0]), level) for rows in map(of.power, (1, 2))
    ]
    proof.counterexample(
        "less than the sum",
        "a = b = 1/3, n = 3, p = 1, e^eps = 3/2: the bound is 5/6 for X_2 and 1 for X_3, but "
        "no central mechanism releases more than 49/27 records in expectation, which is less "
        "than 11/6: the bound is not attained. At eps = 0 it is",
        {"a": of.a, "b": of.b, "R": level, "optimum": OPTIMUM, "bound": sum(bound)},
        lambda: program and sum(bound) > OPTIMUM,
    )


def _program(proof: Proof, of: Chain, level: Fraction) -> bool:
    """Prove that no central mechanism releases more: X_1 is never shown, as 0 and 1 are possible,
    and what remains is linear in the chances with which sets of the other records are shown.
    """
    laws = [given(of, 3, 1, value) for value in (0, 1)]
    chances = {
        (database, shown): sympy.Symbol(f"r_{database}_{''.join(map(str, shown))}")
        for law in laws
        for database in law
        for shown in ((), (1,), (2,), (1, 2))
    }
    likelihoods: list[dict[object, sympy.Expr]] = [{}, {}]
    for law, sums in zip(laws, likelihoods):
        for (database, shown), chance in chances.items():
            if database in law:
                output = tuple((place, database[place]) for place in shown)
                sums[output] = sums.get(output, 0) + _exact(law[database]) * chance
    outputs = dict.fromkeys([*likelihoods[0], *likelihoods[1]])
    pairs = [tuple(sums.get(each, sympy.S.Zero) for sums in likelihoods) for each in outputs]
    worth = sum(len(output) * (one + other) / 2 for output, (one, other) in zip(outputs, pairs))
    databases = dict.fromkeys(database for database, _ in chances)
    sure = [Eq(sum(r for (x, _), r in chances.items() if x == each), 1) for each in databases]
    return proof.inequality(
        "the optimum",
        "r_x_S is the chance that the set S of records is shown at the database x; outputs keep "
        "the level in both orders, and each value of X_1 has probability 1/2",
        worth <= _exact(OPTIMUM),
        [
            *sure,
            *(chance >= 0 for chance in chances.values()),
            *(one <= _exact(level) * other for each in pairs for one, other in (each, each[::-1])),
        ],
    )


def _exact(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)
