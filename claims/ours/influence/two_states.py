"""Influences along chains of two values: monotone in both probabilities of a change."""

from pufferproof.claims.ours.influence import statements as says
from pufferproof.claims.registry import Check, claim

POWERS, FORMULA = "the two quotients", "influences"
POSITIVE, EVEN, ODD = "c >= 0", "c <= 0, even distances", "c <= 0, odd distances"
NOTATION = {
    "p, r": "P(0, 1) and P(1, 0) of a chain of two values, p > 0 and r > 0",
    "c": "1 - p - r",
    "pi": "the stationary law: pi(0) = r/(p + r), pi(1) = p/(p + r)",
    "d": "a distance",
    "F(v, w; d)": "the largest P^d(v, y)/P^d(w, y) over y",
}


@claim(
    "influence.two-states",
    where="influence along chains of two values",
    statement="Two values, p, r > 0, v other than w. From the stationary law the largest ratio of "
    "{X_(i-a), X_(i+b)} given v and given w is F(v, w; a) F(v, w; b), its supremum over all laws "
    "of X_1 is F(v, w; a) F(w, v; i-1) F(v, w; b), without a record on the left F(v, w; b). For d "
    ">= 1 each F(v, w; d) does not rise in p nor in r where c >= 0, does not fall in p nor in r "
    "where c <= 0, and is 1 where c = 0; it may be infinite. So over a box of p and r, both "
    "positive, each is largest where p and r are least, if c >= 0 there, or where both are "
    "largest, if c <= 0 there.",
    kind="theorem",
    says={
        "the two quotients": says.QUOTIENTS,
        "influences": says.INFLUENCES,
        "c >= 0": says.POSITIVE,
        "c <= 0, even distances": says.EVEN,
        "c <= 0, odd distances": says.ODD,
    },
)
def two_states(check: Check) -> None:
    """Prove the formulas from reversibility, and the slopes by signs of polynomials.

    The two quotients. Powers: P^d(0, 0) (p + r) = r + p c^d, L = c^d of any sign; so P^d(0, 1) (p +
    r) = p (1 - L), and with 0 and 1 exchanged P^d(1, 1) (p + r) = p + r L, P^d(1, 0) (p + r) = r (1
    - L). L >= 0: y = 0: F(0, 1; d) = (1 + L p/r)/(1 - L): P(0, 0) P(1, 1) >= P(0, 1) P(1, 0), times
    (p + r)^2. L <= 0: y = 1: F(0, 1; d) = (1 + M)/(1 - M r/p), M = -L, infinite where p = M r: the
    same is negative.

    Influences. From any law: the factors P^a(x, v)/P^a(x, w), P^(i-1)(z, w)/P^(i-1)(z, v) and
    P^b(v, y)/P^b(w, y), each at its largest; from the stationary law pi(w)/pi(v) for the second
    [influence.any-start]. Reversible: pi(0) P(0, 1) = pi(1) P(1, 0), so that pi(x) P^a(x, v) =
    pi(v) P^a(v, x). Stationary: P^a(x, v) = pi(v) P^a(v, x)/pi(x): with m_i = pi nothing of pi is
    left. Any law: pi cancels between the two factors: F(v, w; a) F(w, v; i - 1).

    C >= 0. In r: (1 + L p/r)/(1 - L) falls as r grows from few to many, L from upper to lower. The
    derivative by p: L = c^d has the derivative -d L/c: times (1 - L)^2. The slope in p: its sign is
    that of c (1 - L) - d (1 - c) = (1 - c) (c + .. + c^d - d).

    C <= 0, even distances. In p: (1 + L p/r)/(1 - L), L = m^d, rises as p grows from few to many, L
    from lower to upper. The derivative by r: m^d has the derivative d L/m: times (1 - L)^2, with p
    = 1 + m - r. Powers: 1 - m^d <= d (1 - m). The sign of the slope in r: r (1 + m) d/m - p (1 - L)
    is not negative, as r = 1 + m - p >= m.

    C <= 0, odd distances. In r: (1 + M)/(1 - M r/p) rises as r grows from few to many, M from lower
    to upper, where it is finite. The derivative by p: m^d has the derivative d M/m: times (1 - M
    r/p)^2, with r = 1 + m - p. The sign of the slope in p: p (1 + m) d/m - r (1 + M) is not
    negative, as p = 1 + m - r >= m and M <= m.

    Engines prove its formulas [lemma.two-states-in-p], [lemma.two-states-in-r],
    [lemma.two-states-odd], [lemma.few-to-many].
    """
    check.tried(POWERS)
    check.tried(FORMULA)
    check.tried(POSITIVE)
    check.tried(EVEN)
    check.tried(ODD)
