"""What the published coupling of regions and budgets costs: releasing in full from D1 on is not
always best.

In the 3R family the medium region of a side with budget eps' ends where the rare value's influence
falls to eps'. Here c is the distance from which a mechanism releases everything, D0 and D1 the
first distances with i0(D) <= eps and i1(D) <= eps, M = [D0, D1) the medium region. P = [[1-a, a],
[b, 1-b]], a <= b, R = e^eps. Source of the setting: massny2025, section IV.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import sympy
from sympy import Eq, Or

from pufferproof.claims.language import Proof, at_least, letter, letters, proved
from pufferproof.claims.ours.redaction.statements.optima import (
    COUPLED_TWO,
    COUPLING_LOSS,
    COUPLING_SHARP,
)
from pufferproof.claims.ours.redaction.structure.best import (
    N,
    q,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    NEVER,
    Chain,
    chain,
    leakage,
    local,
    pointwise,
)
from pufferproof.claims.registry import Check, claim

s = letter("s", "the budget of a side as a ratio")
t = letter("t", "the budget of the other side as a ratio", at_least(1))
r = letter("r", "the probability q of another record")
u, v = letters("u v", "likelihoods of an output beyond a record given its values 0 and 1")
left, right = letters("left right", "expected numbers of the left and of the right record")
ONE = Fraction(1)


def utility(of: Chain, rows: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Expected number of released records."""
    return sum((of.b * (1 - zero) + of.a * (1 - one) for zero, one in rows), Fraction(0)) / (
        of.a + of.b
    )


@claim(
    "redaction.published-coupling",
    where="Optimal local redaction",
    statement="With the regions of each side tied to its budget, as published, no eps-private "
    "local mechanism releases more records in expectation than the supremum over the 3R "
    "mechanisms, whatever their budgets eps_l + eps_r <= eps.",
    repair="redaction.coupling-loss",
    says={
        "n <= 2": COUPLED_TWO,
    },
)
def published_coupling(check: Check) -> None:
    """Refute it for n = 3, the least length, at either kind of position; n = 2 is
    redaction.two-records.

    N = 2: the best one is a 3R mechanism; for n = 1 X_p is all there is [redaction.two-records]. At
    most: (x, y) = (zero, one) are P(*|X_p=0), P(*|X_p=1) for r = (q, 1); the expected number N =
    pi0 (1 - q). Attained: q with equality: it lies in (0, 1), and the output 0 and the reverse
    ratio of * keep R: it is the 3R mechanism with its best q.
    """
    proved(check, "p = 1, n = 3, any eps_r <= eps", "one counterexample", _late)
    for name, of in [("lam > 0", chain("1/4", "1/3")), ("lam < 0", chain("2/3", "3/4"))]:
        proved(
            check,
            f"p = 2, n = 3, any eps_l + eps_r <= eps, {name}",
            "one counterexample",
            partial(_uneven, of=of),
        )
    name = "n <= 2"
    check.tried(name)


def _late(proof: Proof) -> None:
    of, level = chain("1/12", "2/3"), Fraction(9, 5)
    rows = [ALWAYS, (Fraction(3, 8), ONE), (Fraction(1, 7), ONE)]
    best, bounded = Fraction(5, 4), _one_side(proof)

    def beaten() -> bool:
        """Say whether the influences are as used and the mechanism is private and releases more
        than every 3R mechanism.
        """
        used = (pointwise(of, 1, 0), pointwise(of, 2, 1)) == (
            Fraction(11, 8),
            Fraction(8, 5),
        ) and pointwise(of, 1, 1) > level
        kept = leakage(of, 3, 1, local(rows))
        return bounded and used and kept is not None and kept <= level and utility(of, rows) > best

    proof.counterexample(
        "release in full later",
        "a = 1/12, b = 2/3, n = 3, p = 1, e^eps = 9/5: releasing zeros of X_2 and X_3 with "
        "probability 5/8 and 6/7, and ones never, is eps-private and releases 83/63 records in "
        "expectation. Every 3R mechanism releases at most 5/4: where its budget reaches e^i1(2) = "
        "8/5 it must always release X_3. So the claim is false; thresholds apart from budgets help",
        {
            "a": of.a,
            "b": of.b,
            "R": level,
            "r": rows,
            "expected": utility(of, rows),
            "3R, at most": best,
        },
        beaten,
        f"{_released(len(rows))} = expected > {best}",
    )


def _one_side(proof: Proof) -> bool:
    low, high, top = (sympy.Rational(*each) for each in ((11, 8), (8, 5), (9, 5)))
    partial = (
        (s >= low)
        & (s < high)
        & Eq(9 * N, 8 * (2 - q - r))
        & (4 * (2 * q * u + v) <= s * (11 * q * u + v))
    )
    full = (s >= high) & Eq(9 * N, 8 * (1 - q) + 9) & (8 * q + 16 <= s * (11 * q + 4))
    return proof.inequality(
        "every 3R mechanism, with any part s <= R of the budget",
        "s < 11/8: record 2 is in L, N <= 1. s < 8/5: both in M, the output ** has the likelihoods "
        "(11 q u + v)/12, (2 q u + v)/3, where u = (11 r + 1)/12, v = (2 r + 1)/3. Else record 3 "
        "is in S, with its value 1 at * in record 2: (11 q/12) (1/12) + (1/12) (1/3) and (2q/3) "
        "(1/12) + (1/3) (1/3)",
        N <= sympy.Rational(5, 4),
        [
            s <= top,
            q >= 0,
            q <= 1,
            r >= 0,
            r <= 1,
            Eq(12 * u, 11 * r + 1),
            Eq(3 * v, 2 * r + 1),
            Or((s < low) & (N <= 1), partial, full),
        ],
    )


def _uneven(proof: Proof, of: Chain) -> None:
    level, budget, other = Fraction(81, 16), Fraction(9, 4), Fraction(243, 128)
    rows = [(Fraction(59, 335), ONE), ALWAYS, NEVER]
    best, bounded = _sides(proof, of)

    def beaten() -> bool:
        """Say whether the influences are as used and the mechanism is private and releases more
        than every 3R mechanism.
        """
        kept = leakage(of, 3, 2, local(rows))
        used = (
            pointwise(of, 1, 0) == budget and pointwise(of, 1, 1) == Fraction(8, 3) == level / other
        )
        return bounded and used and kept is not None and kept <= level and utility(of, rows) > best

    proof.counterexample(
        "one side in full, the other in part",
        "n = 3, p = 2, e^eps = 81/16, e^i0(1) = 9/4, e^i1(1) = 8/3: always releasing X_3, and "
        "zeros of X_1 with probability 276/335, is eps-private and releases more records in "
        "expectation than every 3R mechanism, whose budgets give 8/3 to the side of X_3 and leave "
        "243/128, less than 9/4, to X_1. So the claim is false; thresholds apart from budgets help",
        {
            "a": of.a,
            "b": of.b,
            "R": level,
            "r": rows,
            "expected": utility(of, rows),
            "3R, at most": best,
        },
        beaten,
        f"{_released(len(rows))} = expected > {best}",
    )


def _sides(proof: Proof, of: Chain) -> tuple[Fraction, bool]:
    """Bound every 3R mechanism; * on a side has the likelihoods (3q+1)/4, (q+2)/3 for lam > 0,
    exchanged for lam < 0.
    """
    common = of.b / (of.a + of.b)
    best = max(ONE, 2 * common * Fraction(12, 13))
    weight, most = (sympy.Rational(each.numerator, each.denominator) for each in (common, best))
    low, high = sympy.Rational(9, 4), sympy.Rational(8, 3)
    bounded = proof.inequality(
        "every 3R mechanism",
        "Budgets s, t >= 1 as ratios, s t <= R. N = left + right, the expected numbers of a left "
        "and a right record: 1 in S, pi0 (1 - q) in M, 0 in L, where the output * of a side, of "
        "likelihoods (3q+1)/4 and (q+2)/3, in this order for lam > 0, keeps its budget",
        N <= most,
        [
            s >= 1,
            s * t <= sympy.Rational(81, 16),
            Eq(N, left + right),
            *(
                Or(
                    (budget >= high) & Eq(gain, 1),
                    (budget < low) & Eq(gain, 0),
                    (budget >= low)
                    & (budget < high)
                    & (p >= 0)
                    & (p <= 1)
                    & Eq(gain, weight * (1 - p))
                    & (4 * (p + 2) <= budget * (9 * p + 3)),
                )
                for budget, gain, p in [(s, left, q), (t, right, r)]
            ),
        ],
    )
    return best, bounded


LOSS, SHARP = "at most |M| b/(a+b)", "no smaller multiple of |M|"


@claim(
    "redaction.coupling-loss",
    where="Optimal local redaction",
    statement="p = 1, a <= b, lam > 0: no eps-private local mechanism releases more than |M| "
    "b/(a+b) records more in expectation than the best 3R mechanism with eps_r = eps, for "
    "every n and eps, so fewer than |M| more if M is not empty; for every k >= 1 there are "
    "chains with |M| = k, n = k + 2 where the difference is as close to k as one likes.",
    kind="repair of redaction.published-coupling",
    says={
        "at most |M| b/(a+b)": COUPLING_LOSS,
        "no smaller multiple of |M|": COUPLING_SHARP,
    },
)
def coupling_loss(check: Check) -> None:
    """Prove the bound by counting, and attain it as a -> 0 at R = e^i1(D1).

    At most |M| b/(a+b). The best one: (q_t, 1) from D0 on, (0,0) from c >= D1 on
    [redaction.one-sided]. 3R with q = 1: is the DIM that releases all from D1 on: it leaks i1(D1)
    <= eps [massny2025.x-dim-leakage]. Counting: m = n - 1 records. N = pi0 Q + m + 1 - c for the
    best mechanism, Q <= c - D0 the sum of 1 - q_t; K >= m + 1 - D1 for 3R with D1 <= m; without
    full release c = m + 1; for D1 > m the two families agree. With medium = |M| = D1 - D0.

    No smaller multiple of |M|. Q = 1 at R = e^i1(D1): u, v are the likelihoods of an output beyond
    with u/v < 1 (1 released at D1, all nearer records *), u1, v1 those with q = 1: once one q is
    below 1 the ratio v1/u1 = e^i1(D1) is exceeded, and steps with lam > 0 keep u v1 < v u1. R =
    e^i1(m): with m = k + 1 = D1: S is record n alone, 3R has q = 1 and releases 1 record
    [redaction.one-sided]. Smallest slopes: r_t = (q, 1) on all m records. u, v are the likelihoods
    of an output beyond given 0 and 1, all_q = q^(records beyond): u >= all_q v. (x, y) after record
    and step: the output * (w = q u) or 0 (y without v). Largest slopes: after any step of the
    chain: at most e^i0(1) = (1-a)/b. The chain: b = 1/2 and a = 1/(2 (4K)^m), K >= 2 an integer, q
    = 1/K; h = K^m, k = 4^m. lam = 1/2 - a >= 1/4. Lam^m >= 4^-m: power = lam^m, written k power >=
    1 with k = 4^m. R is large: R = e^i1(m) = (1 + (b/a) power)/(1 - power) >= K^m = q^-m, and K^m
    >= 2 >= e^i0(1): the mechanism is private, D0 = 1 and D1 = m. The difference: N = m pi0 (1 - q),
    pi0 = 1/(1 + 2a), a <= q: N - 1 >= m - 1 - 3 m q, and q = 1/K is as small as one likes.
    """
    check.tried(LOSS)
    check.tried(SHARP)


def _released(count: int) -> str:
    """Write the expected number of released records in numbers of the evidence."""
    terms = [f"b*(1 - entry(r, {t}, 0)) + a*(1 - entry(r, {t}, 1))" for t in range(count)]
    return f"({' + '.join(terms)})/(a + b)"
