"""How far 3R, local and data-independent redaction are apart, counted in records: bounded in n, and
as large as can be.

Expected numbers of released records; P = [[1-a, a], [b, 1-b]], a <= b, lam = 1-a-b, R = e^eps, pi0
= b/(a+b). Source of the setting: massny2025, which compares fractions of n.
"""

import sympy
from sympy import Eq, Or

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

R, a, b, c, g, h, k, l, m, n, p, q, u, v, x, y = sympy.symbols("R a b c g h k l m n p q u v x y")
D, E, K, L, M, N, Q, S, U = sympy.symbols("D E K L M N Q S U")
CHAIN = [a > 0, a <= b, b < 1]
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
)
def gap_bounded(check: Check) -> None:
    """Prove it with the symmetric window."""
    with check.reading(BOUNDED, "all 0 < a <= b < 1, every eps > 0, n and p") as argument:
        _window(argument)
    check.near_miss(f"{BOUNDED}: one record less", lambda argument: _window(argument, less=1))


def _window(argument: Argument, less: int = 0) -> None:
    argument.cite("D*", "exists for eps/2 > 0", "massny2025.dstar-repaired")
    argument.inequality(
        "what the window leaks",
        "Radii x = min(h-1, p-1), y = min(h-1, n-p), h = D*(eps/2): u and v, the influences at x + "
        "1 and y + 1 if there are such records, else 0, are at most eps/2 = g",
        u + v <= 2 * g,
        [Or(Eq(u, 0), u <= g), Or(Eq(v, 0), v <= g), g > 0],
    )
    argument.cite(
        "it is private",
        "eps >= u + v is enough. It is a DIM, and the 3R mechanism of the budgets eps/2 with q = 1",
        "massny2025.x-cor2-converse",
    )
    argument.cite("the others", "release n - 1 records at most", "redaction.central-own")
    argument.inequality(
        "counting",
        "N <= n - 1 released by any mechanism, M = n - x - y - 1 by the window",
        N - M <= 2 * (h - 1) - less,
        [N <= n - 1, Eq(M, n - x - y - 1), x <= h - 1, y <= h - 1, x <= p - 1, y <= n - p, h >= 1],
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
)
def gap_constant(check: Check) -> None:
    """Prove that a later full release loses more than the middle part can win, and that the
    optimum then grows by 1 with n.
    """
    with check.reading(CONSTANT, "all 0 < a <= b with a + b < 1, every eps > 0 and n") as argument:
        argument.cite(
            "the best one", "(q_t, 1) from D0 on, (0,0) from c >= D1 on", "redaction.one-sided"
        )
        argument.cite("D0 and D1", "exist for eps > 0", "massny2025.dstar-repaired")
        argument.cite(
            "the best DIM", "releases all from D1 on, none before", "massny2025.thm2-onesided"
        )
        _late(argument)
        _grows(argument)
    check.near_miss(f"{CONSTANT}: c <= D1 + (b/a)(D1 - D0)/2", lambda argument: _late(argument, 2))
    check.near_miss(f"{CONSTANT}: for smaller n too", lambda argument: _grows(argument, small=True))


def _late(argument: Argument, part: int = 1) -> None:
    argument.inequality(
        "the full release",
        "m = n - 1; any mechanism of the form releases N = pi0 Q + m + 1 - c, Q the sum of 1 - q_t "
        "over the records from D0 to c - 1, if there are any; let N be at least what the best DIM "
        "releases, K = m + 1 - D1 or, if this is negative, nothing; c = m + 1 if nothing is "
        "released in full",
        part * a * (c - E) <= b * (E - D),
        [
            Eq(N * (a + b), b * Q + (a + b) * (m + 1 - c)),
            Or(Q <= c - D, Q <= 0),
            K >= m + 1 - E,
            N >= K,
            E >= D,
            D >= 1,
            *CHAIN,
        ],
    )


def _grows(argument: Argument, small: bool = False) -> None:
    argument.inequality(
        "one record more",
        "U bounds c wherever at least as much is released as by the best DIM. For m >= U the "
        "mechanisms with c <= U for m + 1 are those for m, with one more record released at the "
        "far end: nothing beyond c leaks. x, y are the suprema for m and m + 1, h that of pi0 Q - "
        "c + 1 over the mechanisms with c <= U; for small m only those with c <= m + 1",
        Eq(y, x + 1),
        [
            (x <= h + m) if small else Eq(x, h + m),
            Eq(y, h + m + 1),
            m >= (0 if small else U),
            U >= 1,
        ],
    )
    argument.cite(
        "beyond c",
        "full release does not raise the leakage, as c is released in full",
        "redaction.cut",
    )
    argument.inequality(
        "3R and DIM",
        "the same holds within the 3R mechanisms of each budget eps_r <= eps that release at least "
        "as much as the DIM, one of which is the DIM (q = 1, eps_r = eps), and c = D1 for the DIM: "
        "x, y and l, k are two of the three suprema",
        Eq(y - k, x - l),
        [Eq(y, x + 1), Eq(k, l + 1)],
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
)
def smallest_gain(check: Check) -> None:
    """Read it off the closed form for two records."""
    with check.reading(IFF, "all 0 < a <= b < 1, every R >= 1") as argument:
        _both_forms(argument)
        argument.cite("n = 1", "X_p is never released", "redaction.central-own")
        argument.cite(
            "lam = 0",
            "both influences are 0, and a DIM releases the other record",
            "redaction.level-zero",
        )
        for name, sign, scale, low, high in _cases():
            _iff(argument, name, sign, scale, (low, high))
    check.near_miss(
        f"{IFF}: for a larger range",
        lambda argument: _iff(argument, "lam > 0", a + b < 1, R * (1 - a) - b, (R > 1, R >= 1)),
    )
    with check.reading(
        GAIN, "all 0 < a <= b < 1 with a + b != 1, i0(1) <= eps < i1(1)"
    ) as argument:
        _both_forms(argument)
        for name, sign, scale, low, high in _cases():
            _gain(argument, name, sign, scale, (low, high))
    miss = _cases()[0]
    check.near_miss(
        f"{GAIN}: at most 99% of it",
        lambda argument: _gain(argument, *miss[:3], (miss[3], miss[4]), sympy.Rational(99, 100)),
    )


def _cases() -> list[tuple[str, sympy.Rel, sympy.Expr, sympy.Rel, sympy.Rel]]:
    return [
        ("lam > 0", a + b < 1, R * (1 - a) - b, R * b >= 1 - a, R * a < 1 - b),
        ("lam < 0", a + b > 1, R * b - 1 + a, R * (1 - a) >= b, R * (1 - b) < a),
    ]


def _both_forms(argument: Argument) -> None:
    argument.cite(
        "3R", "pi0 (R-1)/s in between, s = R(1-a) - b, or Rb - 1 + a", "redaction.two-records"
    )
    argument.cite("DIM", "0 below i1(1), 1 from there on", "massny2025.x-dim-leakage")


def _iff(
    argument: Argument,
    name: str,
    sign: sympy.Rel,
    scale: sympy.Expr,
    between: tuple[sympy.Rel, sympy.Rel],
) -> None:
    argument.inequality(
        f"positive, {name}",
        "N (a+b) s = b (R-1), and a < b",
        (N > 0) & (a < b),
        [*CHAIN, sign, R >= 1, *between, Eq(N * (a + b) * scale, b * (R - 1))],
    )


def _gain(
    argument: Argument,
    name: str,
    sign: sympy.Rel,
    scale: sympy.Expr,
    between: tuple[sympy.Rel, sympy.Rel],
    part: sympy.Rational | int = 1,
) -> None:
    argument.inequality(
        f"below b/(a+b), {name}",
        "N (a+b) s = b (R-1)",
        (N * (a + b) < part * b) & (b < a + b) & (scale > 0),
        [*CHAIN, sign, R >= 1, *between, Eq(N * (a + b) * scale, b * (R - 1))],
    )
    end = (1 - b - R * a) if name == "lam > 0" else (a - R * (1 - b))
    argument.identity(
        f"the difference, {name}",
        "tends to 0 as R tends to e^i1(1); 1 - b/(a+b) = a/(a+b) as a tends to 0",
        b / (a + b) - b * (R - 1) / ((a + b) * scale),
        b / (a + b) * end / scale,
    )


LARGEST, LESS = "arbitrarily close to n - 1", "never n - 1"


@claim(
    "redaction.largest-gain",
    where="Utility in records",
    statement="For every n >= 2 and p the number of records that a 3R mechanism releases in "
    "expectation beyond the best DIM of the same level has the supremum n - 1 over all a <= b, "
    "all eps and all 3R mechanisms; it is not attained, not even by the supremum over all "
    "local mechanisms for some a, b, eps. In nu it is (n-1)/n.",
)
def largest_gain(check: Check) -> None:
    """Prove it with rare ones: nearly all zeros are released where no DIM may release anything."""
    with check.reading(LARGEST, "every n >= 2 and p") as argument:
        _rare(argument)
        argument.cite(
            "lam^m >= 4^-m, slopes",
            "with r_t = (q, 1): the smallest slope on a side with m records is at least q^m, the "
            "largest at most (1-a)/b",
            "redaction.coupling-loss",
        )
        argument.cite(
            "two sides", "largest and smallest slopes multiply", "redaction.joint-of-sides"
        )
        argument.cite(
            "DIMs", "a released record at distance D leaks i1(D) at least", "massny2025.cor3"
        )
        argument.cite(
            "decreasing", "i1(D) >= i1(n-1) for D <= n - 1", "massny2025.prop1-decreasing-repaired"
        )
        _close(argument)
    check.near_miss(f"{LARGEST}: larger a", lambda argument: _rare(argument, more=True))
    check.near_miss(f"{LARGEST}: all n - 1", lambda argument: _close(argument, whole=True))
    with check.reading(LESS, "all 0 < a <= b < 1, every eps >= 0, n and p") as argument:
        _less(argument)
    check.near_miss(f"{LESS}: n - 2 at most", lambda argument: _less(argument, 1))


def _rare(argument: Argument, more: bool = False) -> None:
    argument.inequality(
        "the chain",
        "m = n - 1, b = 1/2, h = K^m for an integer K >= 4, k = 4^m, 4 a h^2 k = 1, R = h^2, L = "
        "lam^m >= 1/k: budgets h for both sides. e^i0(1) = 2(1-a) <= h and e^i1(m) = (1 + (b/a) "
        "L)/(1 - L) > R: all records but p are in M, and no DIM releases a record",
        (S > h**2) & (2 * (1 - a) <= h) & (a <= QUARTER),
        [
            Eq(S * a * (1 - L), a + HALF * L),
            Eq((1 if more else 4) * a * h**2 * k, 1),
            h >= 4,
            k >= 4,
            L * k >= 1,
            L > 0,
            L < 1,
            a > 0,
        ],
    )
    argument.inequality(
        "each side is within its budget",
        "q = 1/K, so q^m = 1/h: slopes are at least q^(records of the side) = x >= q^m and at most "
        "u <= 2(1-a); as ratios at most h",
        (x * h >= 1) & (u <= h),
        [Eq(y * h, 1), x >= y, u <= 2 * (1 - a), a > 0, h >= 4],
    )


def _close(argument: Argument, whole: bool = False) -> None:
    argument.inequality(
        "the gain",
        "N = m pi0 (1 - q), pi0 = 1/(1 + 2a), a <= q: N >= m - 3 m q, and q = 1/K is as small as "
        "one likes",
        N >= m - (0 if whole else 3 * m * q),
        [Eq(N * (1 + 2 * a), m * (1 - q)), a > 0, a <= q, q > 0, q <= 1, m >= 1],
    )


def _less(argument: Argument, less: int = 0) -> None:
    argument.cite("X_p", "is never released", "redaction.central-own")
    argument.cite(
        "record by record",
        "at most the two-record optimum of P^D is released at distance D",
        "redaction.central-bound",
    )
    argument.cite("it is below 1", "where e^eps < e^i1(D)", "redaction.locality-two")
    argument.cite(
        "DIMs", "release a record if eps >= i1(D) for one of them", "massny2025.x-dim-leakage"
    )
    argument.inequality(
        "cases",
        "N is the number for any local mechanism, or their supremum, M for the best DIM: M >= 1, "
        "or every record is released with a probability of at most some number below 1",
        N - M < n - 1 - less,
        [N <= n - 1, M >= 0, Or(M >= 1, N < n - 1), n >= 2],
    )
