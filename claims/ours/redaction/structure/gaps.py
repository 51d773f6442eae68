"""How far 3R, local and data-independent redaction are apart, counted in records: bounded in n, and
as large as can be.

Expected numbers of released records; P = [[1-a, a], [b, 1-b]], a <= b, lam = 1-a-b, R = e^eps, pi0
= b/(a+b). Source of the setting: massny2025, which compares fractions of n.
"""

from pufferproof.claims.ours.redaction.statements.optima import (
    GAP_BOUNDED,
    GAP_CONSTANT,
    HOW_MUCH,
    LARGEST_GAIN,
    NEVER_ALL,
    WHEN,
)
from pufferproof.claims.registry import Check, claim

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
    """Prove it with the symmetric window.

    D*: exists for eps/2 > 0 [massny2025.dstar-repaired]. What the window leaks: Radii x =
    min(window-1, p-1), y = min(window-1, n-p), window = D*(eps/2): u and v, the influences at x + 1
    and y + 1 if there are such records, else 0, are at most eps/2 = half. It is private: eps >= u +
    v is enough. It is a DIM, and the 3R mechanism of the budgets eps/2 with q = 1
    [massny2025.x-cor2-converse]. The others: release n - 1 records at most [redaction.central-own].
    Counting: N <= n - 1 released by any mechanism, M = n - x - y - 1 by the window.
    """
    check.tried(BOUNDED)


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

    The best one: (q_t, 1) from D0 on, (0,0) from c >= D1 on [redaction.one-sided]. D0 and D1: exist
    for eps > 0 [massny2025.dstar-repaired]. The best DIM: releases all from D1 on, none before
    [massny2025.thm2-onesided]. The full release: m = n - 1; any mechanism of the form releases N =
    pi0 Q + m + 1 - c, Q the sum of 1 - q_t over the records from D0 to c - 1, if there are any; let
    N be at least what the best DIM releases, M = m + 1 - D1 or, if this is negative, nothing; c = m
    + 1 if nothing is released in full. One record more: U bounds c wherever at least as much is
    released as by the best DIM. For m >= U the mechanisms with c <= U for m + 1 are those for m,
    with one more record released at the far end: nothing beyond c leaks. sup1, sup2 are the suprema
    for m and m + 1, gain that of pi0 Q - c + 1 over the mechanisms with c <= U; for small m only
    those with c <= m + 1. Beyond c: full release does not raise the leakage, as c is released in
    full [redaction.cut]. 3R and DIM: the same holds within the 3R mechanisms of each budget eps_r
    <= eps that release at least as much as the DIM, one of which is the DIM (q = 1, eps_r = eps),
    and c = D1 for the DIM: sup1, sup2 and other1, other2 are two of the three suprema.
    """
    check.tried(CONSTANT)


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
    """Read it off the closed form for two records.

    When. 3R: pi0 (R-1)/s in between, s = R(1-a) - b, or Rb - 1 + a [redaction.two-records]. DIM: 0
    below i1(1), 1 from there on [massny2025.x-dim-leakage]. N = 1: X_p is never released
    [redaction.central-own]. Lam = 0: both influences are 0, and a DIM releases the other record
    [redaction.level-zero]. Positive, lam > 0: N (a+b) s = b (R-1), and a < b. Positive, lam < 0: N
    (a+b) s = b (R-1), and a < b.

    How much. 3R: pi0 (R-1)/s in between, s = R(1-a) - b, or Rb - 1 + a [redaction.two-records].
    DIM: 0 below i1(1), 1 from there on [massny2025.x-dim-leakage]. Below b/(a+b), lam > 0: N (a+b)
    s = b (R-1). The difference, lam > 0: tends to 0 as R tends to e^i1(1); 1 - b/(a+b) = a/(a+b) as
    a tends to 0. Below b/(a+b), lam < 0: N (a+b) s = b (R-1). The difference, lam < 0: tends to 0
    as R tends to e^i1(1); 1 - b/(a+b) = a/(a+b) as a tends to 0.
    """
    check.tried(IFF)
    check.tried(GAIN)


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
    """Prove it with rare ones: nearly all zeros are released where no DIM may release anything.

    Arbitrarily close to n - 1. The chain: m = n - 1, b = 1/2, h = K^m for an integer K >= 4, k =
    4^m, 4 a h^2 k = 1, R = h^2, L = lam^m >= 1/k: budgets h for both sides. e^i0(1) = 2(1-a) <= h
    and e^i1(m) = (1 + (b/a) L)/(1 - L) > R: all records but p are in M, and no DIM releases a
    record. Each side is within its budget: q = 1/K, so q^m = 1/h: slopes are at least q^(records of
    the side) = own >= q^m and at most slope <= 2(1-a); as ratios at most h. Lam^m >= 4^-m, slopes:
    with r_t = (q, 1): the smallest slope on a side with m records is at least q^m, the largest at
    most (1-a)/b [redaction.coupling-loss]. Two sides: largest and smallest slopes multiply
    [redaction.joint-of-sides]. DIMs: a released record at distance D leaks i1(D) at least
    [massny2025.cor3]. Decreasing: i1(D) >= i1(n-1) for D <= n - 1
    [massny2025.prop1-decreasing-repaired]. The gain: N = m pi0 (1 - q), pi0 = 1/(1 + 2a), a <= q: N
    >= m - 3 m q, and q = 1/K is as small as one likes.

    Never n - 1. X_p: is never released [redaction.central-own]. Record by record: at most the
    two-record optimum of P^D is released at distance D [redaction.central-bound]. It is below 1:
    where e^eps < e^i1(D) [redaction.locality-two]. DIMs: release a record if eps >= i1(D) for one
    of them [massny2025.x-dim-leakage]. Cases: N is the number for any local mechanism, or their
    supremum, M for the best DIM: M >= 1, or every record is released with a probability of at most
    some number below 1.
    """
    check.tried(LARGEST)
    check.tried(LESS)
