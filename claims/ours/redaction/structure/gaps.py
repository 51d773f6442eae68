"""How far 3R, local and data-independent redaction are apart, counted in records: bounded in n, and
as large as can be.

Expected numbers of released records; P = [[1-a, a], [b, 1-b]], a <= b, lam = 1-a-b, R = e^eps, pi0
= b/(a+b). Source of the setting: massny2025, which compares fractions of n.
"""

from dataclasses import dataclass

import sympy
from sympy import Eq, Or

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    at_most,
    below,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.redaction.statements.optima import (
    GAP_BOUNDED,
    GAP_CONSTANT,
    HOW_MUCH,
    LARGEST_GAIN,
    NEVER_ALL,
    WHEN,
)
from pufferproof.claims.registry import Check, claim

R = letter("R", "e^eps", at_least(1))
a = letter("a", "P(X_(t+1) = 1 | X_t = 0)", above(0))
b = letter("b", "P(X_(t+1) = 0 | X_t = 1)", below(1))
N, M = letters(
    "N M", "expected numbers of records that a mechanism, and that a data-independent one releases"
)
n, p = letters("n p", "the number of records, and the index of the private one")
m = letter("m", "n - 1")
window = letter("window", "D*(eps/2)", at_least(1))
x, y = letters("x y", "the radii of the window to the left and to the right of p")
u, v = letters("u v", "the influences of the nearest released records, 0 if there are none")
half = letter("half", "eps/2", above(0))
Q = letter("Q", "the sum of 1 - q_t over the middle part")
c = letter("c", "the distance from which on all records are released")
D0 = letter("D0", "the first distance with i0(D) <= eps", at_least(1))
D1 = letter("D1", "the first distance with i1(D) <= eps")
U = letter("U", "a bound of c wherever as much is released as by the best DIM", at_least(1))
gain = letter("gain", "the supremum of pi0 Q - c + 1 over the mechanisms with c <= U")
sup1, sup2 = letters("sup1 sup2", "the supremum for m, and for m + 1")
other1, other2 = letters("other1 other2", "another of the three suprema for m, and for m + 1")
S = letter("S", "e^i1(m)")
L = letter("L", "lam^m", above(0), below(1))
h = letter("h", "K^m, the budget of a side as a ratio", at_least(4))
k = letter("k", "4^m", at_least(4))
own, least = letters("own least", "q^(records of a side), q^m")
slope = letter("slope", "the largest slope of a side")
q = letter(
    "q",
    "the probability that the value 0 of a record is redacted, the value 1 always is",
    above(0),
    at_most(1),
)
CHAIN = [a <= b]
HALF, QUARTER = sympy.Rational(1, 2), sympy.Rational(1, 4)
BOUNDED = "every kind of mechanism"


@claim(
    "redaction.gap-bounded",
    where="Utility in records",
    statement="a <= b, eps > 0: for all n and p no eps-private redaction mechanism, local or "
    "central, releases more than 2 (D*(eps/2) - 1) records more in expectation than the best "
    "DIM, or than the best 3R mechanism with eps_l = eps_r = eps/2. So all gaps between the "
    "suprema over DIMs, 3R, local and central mechanisms are bounded in n, and gaps of the "
    "utility are O(1/n).",
    says=GAP_BOUNDED,
)
def gap_bounded(check: Check) -> None:
    """Prove it with the symmetric window."""
    proved(
        check,
        BOUNDED,
        "all 0 < a <= b < 1, every eps > 0, n and p",
        _window,
        one_record_less=Edit("counting", put={2 * (window - 1): 2 * (window - 1) - 1}),
    )


def _window(proof: Proof) -> None:
    proof.cite("D*", "exists for eps/2 > 0", "massny2025.dstar-repaired")
    proof.inequality(
        "what the window leaks",
        "Radii x = min(window-1, p-1), y = min(window-1, n-p), window = D*(eps/2): u and v, the "
        "influences at x + 1 and y + 1 if there are such records, else 0, are at most eps/2 = half",
        u + v <= 2 * half,
        [Or(Eq(u, 0), u <= half), Or(Eq(v, 0), v <= half)],
    )
    proof.cite(
        "it is private",
        "eps >= u + v is enough. It is a DIM, and the 3R mechanism of the budgets eps/2 with q = 1",
        "massny2025.x-cor2-converse",
    )
    proof.cite("the others", "release n - 1 records at most", "redaction.central-own")
    proof.inequality(
        "counting",
        "N <= n - 1 released by any mechanism, M = n - x - y - 1 by the window",
        N - M <= 2 * (window - 1),
        [
            N <= n - 1,
            Eq(M, n - x - y - 1),
            x <= window - 1,
            y <= window - 1,
            x <= p - 1,
            y <= n - p,
        ],
    )


CONSTANT = "p = 1, lam > 0"


@claim(
    "redaction.gap-constant",
    where="Utility in records",
    statement="p = 1, a <= b, lam > 0, eps > 0: every eps-private local mechanism of the form of "
    "redaction.one-sided that releases at least as much in expectation as the best DIM, so "
    "every best one of this form, has c <= D1 + (b/a)(D1 - D0), a real number: it releases "
    "everything from the distance c on, c = n if it releases no record always. Once n - 1 is "
    "at least that number, the differences between the suprema over local, 3R and "
    "data-independent mechanisms do not depend on n.",
    says=GAP_CONSTANT,
)
def gap_constant(check: Check) -> None:
    """Prove that a later full release loses more than the middle part can win, and that the
    optimum then grows by 1 with n.
    """
    proved(
        check,
        CONSTANT,
        "all 0 < a <= b with a + b < 1, every eps > 0 and n",
        _does_not_depend,
        **{
            "c <= D1 + (b/a)(D1 - D0)/2": Edit("the full release", put={a: 2 * a}),
            "for smaller n too": Edit(
                "one record more",
                without=[Eq(sup1, gain + m), m >= U],
                given=[sup1 <= gain + m, m >= 0],
            ),
        },
    )


def _does_not_depend(proof: Proof) -> None:
    proof.cite("the best one", "(q_t, 1) from D0 on, (0,0) from c >= D1 on", "redaction.one-sided")
    proof.cite("D0 and D1", "exist for eps > 0", "massny2025.dstar-repaired")
    proof.cite("the best DIM", "releases all from D1 on, none before", "massny2025.thm2-onesided")
    _late(proof)
    _grows(proof)


def _late(proof: Proof) -> None:
    proof.inequality(
        "the full release",
        "m = n - 1; any mechanism of the form releases N = pi0 Q + m + 1 - c, Q the sum of 1 - "
        "q_t over the records from D0 to c - 1, if there are any; let N be at least what the best "
        "DIM releases, M = m + 1 - D1 or, if this is negative, nothing; c = m + 1 if nothing is "
        "released in full",
        a * (c - D1) <= b * (D1 - D0),
        [
            Eq(N * (a + b), b * Q + (a + b) * (m + 1 - c)),
            Or(Q <= c - D0, Q <= 0),
            M >= m + 1 - D1,
            N >= M,
            D1 >= D0,
            *CHAIN,
        ],
    )


def _grows(proof: Proof) -> None:
    proof.inequality(
        "one record more",
        "U bounds c wherever at least as much is released as by the best DIM. For m >= U the "
        "mechanisms with c <= U for m + 1 are those for m, with one more record released at the "
        "far end: nothing beyond c leaks. sup1, sup2 are the suprema for m and m + 1, gain that "
        "of pi0 Q - c + 1 over the mechanisms with c <= U; for small m only those with c <= m + 1",
        Eq(sup2, sup1 + 1),
        [Eq(sup1, gain + m), Eq(sup2, gain + m + 1), m >= U],
    )
    proof.cite(
        "beyond c",
        "full release does not raise the leakage, as c is released in full",
        "redaction.cut",
    )
    proof.inequality(
        "3R and DIM",
        "the same holds within the 3R mechanisms of each budget eps_r <= eps that release at "
        "least as much as the DIM, one of which is the DIM (q = 1, eps_r = eps), and c = D1 for "
        "the DIM: sup1, sup2 and other1, other2 are two of the three suprema",
        Eq(sup2 - other2, sup1 - other1),
        [Eq(sup2, sup1 + 1), Eq(other2, other1 + 1)],
    )


IFF, GAIN = "when", "how much"


@claim(
    "redaction.smallest-gain",
    where="Utility in records",
    statement="n = 1: every private mechanism releases nothing. n = 2, a <= b: some 3R mechanism "
    "releases strictly more in expectation than every DIM iff i0(1) <= eps < i1(1), so a < b "
    "and lam is not 0. For given a < b the gain of the best 3R mechanism, which exists for n = "
    "2, tends to b/(a+b) as eps tends to i1(1) from below and is always smaller; over all "
    "chains the supremum of these gains is 1 record, half of n, not attained.",
    says={
        "when": WHEN,
        "how much": HOW_MUCH,
    },
)
def smallest_gain(check: Check) -> None:
    """Read it off the closed form for two records."""
    scope, first = "all 0 < a <= b < 1 with a + b != 1, i0(1) <= eps < i1(1)", CASES[0]
    larger = Edit("positive, lam > 0", without=[first.low, first.high], given=R > 1)
    proved(check, IFF, "all 0 < a <= b < 1, every R >= 1", _when, for_a_larger_range=larger)
    less = Edit("below b/(a+b), lam > 0", put={N * (a + b) < b: 100 * N * (a + b) < 99 * b})
    proved(check, GAIN, scope, _how_much, **{"at most 99% of it": less})


def _when(proof: Proof) -> None:
    _both_forms(proof)
    proof.cite("n = 1", "X_p is never released", "redaction.central-own")
    proof.cite(
        "lam = 0",
        "both influences are 0, and a DIM releases the other record",
        "redaction.level-zero",
    )
    for case in CASES:
        _iff(proof, case)


def _how_much(proof: Proof) -> None:
    _both_forms(proof)
    for case in CASES:
        _gain(proof, case)


@dataclass(frozen=True)
class Case:
    """A sign of lam: R is at least e^i0(1), below e^i1(1); `scale` is the divisor s of 3R.

    What the gain lacks is b/(a+b) times `end`/s.
    """

    name: str
    sign: sympy.Rel
    low: sympy.Rel
    high: sympy.Rel
    scale: sympy.Expr
    end: sympy.Expr

    @property
    def given(self) -> list[sympy.Rel]:
        """What is known of N, the gain: N (a+b) s = b (R-1)."""
        tight = Eq(N * (a + b) * self.scale, b * (R - 1))
        return [*CHAIN, self.sign, R >= 1, self.low, self.high, tight]


CASES = [
    Case("lam > 0", a + b < 1, R * b >= 1 - a, R * a < 1 - b, R * (1 - a) - b, 1 - b - R * a),
    Case("lam < 0", a + b > 1, R * (1 - a) >= b, R * (1 - b) < a, R * b - 1 + a, a - R * (1 - b)),
]


def _both_forms(proof: Proof) -> None:
    proof.cite(
        "3R", "pi0 (R-1)/s in between, s = R(1-a) - b, or Rb - 1 + a", "redaction.two-records"
    )
    proof.cite("DIM", "0 below i1(1), 1 from there on", "massny2025.x-dim-leakage")


def _iff(proof: Proof, case: Case) -> None:
    proof.inequality(
        f"positive, {case.name}", "N (a+b) s = b (R-1), and a < b", (N > 0) & (a < b), case.given
    )


def _gain(proof: Proof, case: Case) -> None:
    proof.inequality(
        f"below b/(a+b), {case.name}",
        "N (a+b) s = b (R-1)",
        (N * (a + b) < b) & (b < a + b) & (case.scale > 0),
        case.given,
    )
    proof.identity(
        f"the difference, {case.name}",
        "tends to 0 as R tends to e^i1(1); 1 - b/(a+b) = a/(a+b) as a tends to 0",
        b / (a + b) - b * (R - 1) / ((a + b) * case.scale),
        b / (a + b) * case.end / case.scale,
    )


LARGEST, LESS = "arbitrarily close to n - 1", "never n - 1"


@claim(
    "redaction.largest-gain",
    where="Utility in records",
    statement="For every n >= 2 and p the number of records that a 3R mechanism releases in "
    "expectation beyond the best DIM of the same level has the supremum n - 1 over all a <= b, "
    "all eps and all 3R mechanisms; it is not attained, not even by the supremum over all "
    "local mechanisms for some a, b, eps. In nu it is (n-1)/n.",
    says={
        "arbitrarily close to n - 1": LARGEST_GAIN,
        "never n - 1": NEVER_ALL,
    },
)
def largest_gain(check: Check) -> None:
    """Prove it with rare ones: nearly all zeros are released where no DIM may release anything."""
    proved(
        check,
        LARGEST,
        "every n >= 2 and p",
        _nearly_all,
        **{
            "larger a": Edit(
                "the chain", without=Eq(4 * a * h**2 * k, 1), given=Eq(a * h**2 * k, 1)
            ),
            "all n - 1": Edit("the gain", put={m - 3 * m * q: m}),
        },
    )
    proved(
        check,
        LESS,
        "all 0 < a <= b < 1, every eps >= 0, n and p",
        _less,
        **{"n - 2 at most": Edit("cases", put={n: n - 1})},
    )


def _nearly_all(proof: Proof) -> None:
    _rare(proof)
    proof.cite(
        "lam^m >= 4^-m, slopes",
        "with r_t = (q, 1): the smallest slope on a side with m records is at least q^m, the "
        "largest at most (1-a)/b",
        "redaction.coupling-loss",
    )
    proof.cite("two sides", "largest and smallest slopes multiply", "redaction.joint-of-sides")
    proof.cite("DIMs", "a released record at distance D leaks i1(D) at least", "massny2025.cor3")
    proof.cite(
        "decreasing", "i1(D) >= i1(n-1) for D <= n - 1", "massny2025.prop1-decreasing-repaired"
    )
    _close(proof)


def _rare(proof: Proof) -> None:
    proof.inequality(
        "the chain",
        "m = n - 1, b = 1/2, h = K^m for an integer K >= 4, k = 4^m, 4 a h^2 k = 1, R = h^2, L = "
        "lam^m >= 1/k: budgets h for both sides. e^i0(1) = 2(1-a) <= h and e^i1(m) = (1 + (b/a) "
        "L)/(1 - L) > R: all records but p are in M, and no DIM releases a record",
        (S > h**2) & (2 * (1 - a) <= h) & (a <= QUARTER),
        [Eq(S * a * (1 - L), a + HALF * L), Eq(4 * a * h**2 * k, 1), L * k >= 1],
    )
    proof.inequality(
        "each side is within its budget",
        "q = 1/K, so q^m = 1/h: slopes are at least q^(records of the side) = own >= q^m and at "
        "most slope <= 2(1-a); as ratios at most h",
        (own * h >= 1) & (slope <= h),
        [Eq(least * h, 1), own >= least, slope <= 2 * (1 - a)],
    )


def _close(proof: Proof) -> None:
    proof.inequality(
        "the gain",
        "N = m pi0 (1 - q), pi0 = 1/(1 + 2a), a <= q: N >= m - 3 m q, and q = 1/K is as small as "
        "one likes",
        N >= m - 3 * m * q,
        [Eq(N * (1 + 2 * a), m * (1 - q)), a <= q, m >= 1],
    )


def _less(proof: Proof) -> None:
    proof.cite("X_p", "is never released", "redaction.central-own")
    proof.cite(
        "record by record",
        "at most the two-record optimum of P^D is released at distance D",
        "redaction.central-bound",
    )
    proof.cite("it is below 1", "where e^eps < e^i1(D)", "redaction.locality-two")
    proof.cite(
        "DIMs", "release a record if eps >= i1(D) for one of them", "massny2025.x-dim-leakage"
    )
    proof.inequality(
        "cases",
        "N is the number for any local mechanism, or their supremum, M for the best DIM: M >= 1, "
        "or every record is released with a probability of at most some number below 1",
        N - M < n - 1,
        [N <= n - 1, M >= 0, Or(M >= 1, N < n - 1), n >= 2],
    )
