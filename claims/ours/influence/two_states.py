"""Influences along chains of two values: monotone in both probabilities of a change."""

from sympy import Eq

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.influence import statements as says
from pufferproof.claims.registry import Check, claim

p = letter("p", "P(0, 1)", above(0), between(0, 1))
r = letter("r", "P(1, 0)", above(0), between(0, 1))
c = letter("c", "1 - p - r, the other eigenvalue, where it is not negative", between(0, 1))
m = letter("m", "p + r - 1, where it is positive", above(0), between(0, 1))
d = letter("d", "the distance of both records", at_least(1))
entry = letter("entry", "P^d(0, 0)")
L, M = letters("L M", "c^d, also m^d where d is even; and m^d where d is odd", between(0, 1))
lower, upper = letters("lower upper", "L or M at less and at more changes", between(0, 1))
few, many = letters("few many", "p or r with less and with more changes", above(0), between(0, 1))
still = letter("still", "the other one of p and r, which stays", above(0), between(0, 1))
slope = letter("slope", "the derivative of L or M by p or r")
to_v, to_w = letters("to_v to_w", "P^a(v, x) and P^a(w, x)", above(0))
past_v, past_w = letters("past_v past_w", "P^(i-1)(v, z) and P^(i-1)(w, z)", above(0))
pi_v, pi_w = letters("pi_v pi_w", "pi(v) and pi(w)", above(0))
pi_x, pi_z = letters("pi_x pi_z", "pi(x) and pi(z)", above(0))

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
    """Prove the formulas from reversibility, and the slopes by signs of polynomials."""
    scope = "all p and r in (0, 1], all distances"
    half = Edit("powers: step", put={entry: entry / 2})
    proved(check, POWERS, scope, _powers, half_an_entry=half)
    turned = Edit("any law", instead="(to_v/to_w)*(past_v/past_w)")
    proved(check, FORMULA, scope, _formulas, values_exchanged_on_the_left=turned)
    slower = Edit("the slope in p", put={d * (1 - c): d * (1 - c) / 2})
    proved(check, POSITIVE, scope, _positive, half_the_slope=slower)
    below = Edit("the sign of the slope in r", without=r >= m)
    proved(check, EVEN, scope, _even, r_below_m=below)
    below = Edit("the sign of the slope in p", without=p >= m)
    proved(check, ODD, scope, _odd, p_below_m=below)


def _powers(proof: Proof) -> None:
    proof.induction(
        "powers",
        "P^d(0, 0) (p + r) = r + p c^d, L = c^d of any sign; so P^d(0, 1) (p + r) = p (1 - L), and "
        "with 0 and 1 exchanged P^d(1, 1) (p + r) = p + r L, P^d(1, 0) (p + r) = r (1 - L)",
        base=(Eq(entry * (p + r), r + p * L), [Eq(entry, 1 - p), Eq(L, 1 - p - r)]),
        step=(
            Eq((entry * (1 - p) + (1 - entry) * r) * (p + r), r + p * L * (1 - p - r)),
            [Eq(entry * (p + r), r + p * L)],
        ),
        for_any=[L],
    )
    proof.inequality(
        "L >= 0: y = 0",
        "F(0, 1; d) = (1 + L p/r)/(1 - L): P(0, 0) P(1, 1) >= P(0, 1) P(1, 0), times (p + r)^2",
        (r + p * L) * (p + r * L) >= p * r * (1 - L) ** 2,
    )
    proof.inequality(
        "L <= 0: y = 1",
        "F(0, 1; d) = (1 + M)/(1 - M r/p), M = -L, infinite where p = M r: the same is negative",
        (r - p * M) * (p - r * M) <= p * r * (1 + M) ** 2,
    )


def _formulas(proof: Proof) -> None:
    proof.cite(
        "from any law",
        "the factors P^a(x, v)/P^a(x, w), P^(i-1)(z, w)/P^(i-1)(z, v) and P^b(v, y)/P^b(w, y), "
        "each at its largest; from the stationary law pi(w)/pi(v) for the second",
        "influence.any-start",
    )
    proof.inequality(
        "reversible",
        "pi(0) P(0, 1) = pi(1) P(1, 0), so that pi(x) P^a(x, v) = pi(v) P^a(v, x)",
        Eq(pi_v * p, pi_w * r),
        [Eq(pi_v * (p + r), r), Eq(pi_w * (p + r), p)],
    )
    proof.identity(
        "stationary",
        "P^a(x, v) = pi(v) P^a(v, x)/pi(x): with m_i = pi nothing of pi is left",
        "(pi_v*to_v/pi_x)/(pi_w*to_w/pi_x)*(pi_w/pi_v)",
        "to_v/to_w",
    )
    proof.identity(
        "any law",
        "pi cancels between the two factors: F(v, w; a) F(w, v; i - 1)",
        "(pi_v*to_v/pi_x)/(pi_w*to_w/pi_x)*(pi_w*past_w/pi_z)/(pi_v*past_v/pi_z)",
        "(to_v/to_w)*(past_w/past_v)",
    )


def _positive(proof: Proof) -> None:
    proof.inequality(
        "in r",
        "(1 + L p/r)/(1 - L) falls as r grows from few to many, L from upper to lower",
        few * (many + lower * still) * (1 - upper) <= many * (few + upper * still) * (1 - lower),
        [few <= many, lower <= upper],
    )
    proof.identity(
        "the derivative by p",
        "L = c^d has the derivative -d L/c: times (1 - L)^2",
        "(L/r - (d*L/c)*(1 - c - r)/r)*(1 - L) - (1 + L*(1 - c - r)/r)*(d*L/c)",
        "L/(r*c)*(c*(1 - L) - d*(1 - c))",
    )
    proof.induction(
        "the slope in p",
        "its sign is that of c (1 - L) - d (1 - c) = (1 - c) (c + .. + c^d - d)",
        base=(c * (1 - L) <= d * (1 - c), [Eq(d, 1), Eq(L, c)]),
        step=(c * (1 - c * L) <= (d + 1) * (1 - c), [c * (1 - L) <= d * (1 - c)]),
    )


def _even(proof: Proof) -> None:
    proof.inequality(
        "in p",
        "(1 + L p/r)/(1 - L), L = m^d, rises as p grows from few to many, L from lower to upper",
        (still + lower * few) * (1 - upper) <= (still + upper * many) * (1 - lower),
        [few <= many, lower <= upper],
    )
    proof.identity(
        "the derivative by r",
        "m^d has the derivative d L/m: times (1 - L)^2, with p = 1 + m - r",
        "((1 + m - r)/r*(d*L/m) - L*(1 + m - r)/r**2)*(1 - L) + (1 + L*(1 + m - r)/r)*(d*L/m)",
        "L/r**2*(r*(1 + m)*d/m - (1 + m - r)*(1 - L))",
    )
    proof.induction(
        "powers",
        "1 - m^d <= d (1 - m)",
        base=(1 - L <= d * (1 - m), [Eq(d, 1), Eq(L, m)]),
        step=(1 - m * L <= (d + 1) * (1 - m), [1 - L <= d * (1 - m)]),
    )
    proof.inequality(
        "the sign of the slope in r",
        "r (1 + m) d/m - p (1 - L) is not negative, as r = 1 + m - p >= m",
        r * (1 + m) * d >= m * p * (1 - L),
        [r >= m, 1 - L <= d * (1 - m)],
    )


def _odd(proof: Proof) -> None:
    proof.inequality(
        "in r",
        "(1 + M)/(1 - M r/p) rises as r grows from few to many, M from lower to upper, where it "
        "is finite",
        (1 + lower) * (still - upper * many) <= (1 + upper) * (still - lower * few),
        [few <= many, lower <= upper, upper * many < still],
    )
    proof.identity(
        "the derivative by p",
        "m^d has the derivative d M/m: times (1 - M r/p)^2, with r = 1 + m - p",
        "(d*M/m)*(1 - M*(1 + m - p)/p) + (1 + M)*((d*M/m)*(1 + m - p)/p - M*(1 + m - p)/p**2)",
        "M/p**2*(p*(1 + m)*d/m - (1 + m - p)*(1 + M))",
    )
    proof.inequality(
        "the sign of the slope in p",
        "p (1 + m) d/m - r (1 + M) is not negative, as p = 1 + m - r >= m and M <= m",
        p * (1 + m) * d >= m * r * (1 + M),
        [p >= m, M <= m],
    )
