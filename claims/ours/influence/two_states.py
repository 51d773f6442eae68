"""Influences along chains of two values: monotone in both probabilities of a change."""

from pufferproof.claims.ours.influence import statements as says
from pufferproof.claims.registry import Check, claim

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
    statement="Let there be two values v and w, and p, r > 0. From the stationary law the "
    "largest ratio of {X_(i-a), X_(i+b)} given v and given w is F(v, w; a) F(v, w; b), its "
    "supremum over all laws of X_1 is F(v, w; a) F(w, v; i-1) F(v, w; b), without a record on "
    "the left F(v, w; b). For d >= 1 each F(v, w; d) does not rise in p nor in r where c >= 0, "
    "does not fall in p nor in r where c <= 0, and is 1 where c = 0; it may be infinite. So "
    "over a box of p and r, both positive, each is largest where p and r are least, if c >= 0 "
    "there, or where both are largest, if c <= 0 there.",
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

    The two quotients. P^d(0, 0) (p + r) = r + p L, L = c^d of any sign, and so on. L >= 0: y = 0:
    F(0, 1; d) = (1 + L p/r)/(1 - L), as P(0, 0) P(1, 1) >= P(0, 1) P(1, 0). L <= 0: y = 1: F(0, 1;
    d) = (1 + M)/(1 - M r/p), M = -L, infinite where p = M r.

    Influences. From any law the factors P^a(x, v)/P^a(x, w), P^(i-1)(z, w)/P^(i-1)(z, v) and P^b(v,
    y)/P^b(w, y), each at its largest; from the stationary law pi(w)/pi(v) for the second
    [influence.any-start]. pi(x) P^a(x, v) = pi(v) P^a(v, x): with m_i = pi nothing of pi is left,
    and from any law pi cancels between the two factors.

    C >= 0. (1 + L p/r)/(1 - L) falls as r grows and L falls [lemma.few-to-many]. Its slope in p
    [lemma.two-states-in-p] has the sign of c (1 - L) - d (1 - c) = (1 - c)(c + .. + c^d - d).

    C <= 0, even distances. It rises with p [lemma.few-to-many]. Its slope in r
    [lemma.two-states-in-r] has the sign of r (1 + m) d/m - p (1 - L), r = 1 + m - p >= m, not
    negative as 1 - m^d <= d (1 - m).

    C <= 0, odd distances. (1 + M)/(1 - M r/p) rises with r, where it is finite. Its slope in p
    [lemma.two-states-odd] has the sign of p (1 + m) d/m - r (1 + M), p = 1 + m - r >= m and M <= m.
    """
