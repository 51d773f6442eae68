"""What Gaussian noise leaks: when it is finite, and why values on a line are scalars.

N(w) = sum_v p_v c_v V_v with c_v = exp(-v^2 / 2 sigma^2) > 0 and V_v = exp(w v / sigma^2), D the
same with q_v.
"""

from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, above, letter, letters, proved
from pufferproof.claims.ours.noise.statements import gaussian as says
from pufferproof.claims.registry import Check, claim

N, D = letters("N D", "N(w) and D(w)")
beyond = letter("beyond", "p_v c_v of the value given s that lies beyond", above(0))
b = letter("b", "the sum of the q_v c_v", above(0))
V = letter("V", "V_v for the largest value v given s'", above(0))
growth = letter("growth", "exp(w g / sigma^2) for the gap g between both values")
m = letter("m", "any bound", above(0))
L, H = letters("L H", "V_v for the smallest and for the largest value", above(0))
M = letter("M", "V_v for a value in between")
term = letter("term", "p_v c_v of this value", above(0))
least = letter("least", "the smaller q_v c_v of both extremes", above(0))
P, Q, S = letters(
    "P Q S",
    "the sums of d_k^2/sigma_k, y_k d_k/sigma_k and y_k^2/sigma_k over the first coordinates",
)
d, y, sigma = letters("d y sigma", "d_k, w_k - v_k and sigma_k of the next coordinate")
tau = letter("tau", "the place of a value v + tau d on a line")
place = letter("place", "the output of tau that is wanted")
precision = letter("precision", "1/sigma_k", above(0))
BEYOND, WITHIN = "a value beyond all of the other secret", "the same extreme values"


@claim(
    "noise.gaussian-finite",
    where="Noise on queries",
    statement="Gaussian noise on a query with finitely many real values leaks a finite amount iff "
    "the query has the same smallest and the same largest value given either secret.",
    kind="theorem",
    says={BEYOND: says.FINITE, WITHIN: says.FINITE},
)
def gaussian_finite(check: Check) -> None:
    """Prove both directions: an extreme value dominates, and values in between are dominated."""
    gap = Edit("above any m", without=beyond * growth > m * b, given=growth >= 1)
    scope = "all laws, all sigma > 0: the ratio is unbounded"
    proved(check, BEYOND, scope, _unbounded, no_gap_between_the_values=gap)
    largest = Edit("between the extremes", put={L + H: H})
    scope = "all laws, all sigma > 0: the ratio is bounded"
    proved(check, WITHIN, scope, _bounded, only_the_largest_values_agree=largest)


def _unbounded(proof: Proof) -> None:
    proof.inequality(
        "above any m",
        "V = V_v for the largest value v given s', D <= b V for w >= 0, b the sum of the q c; a "
        "larger value given s has beyond V growth in N, growth = exp(w g / sigma^2) for the gap g "
        "between the two: it exceeds m b/beyond",
        N > m * D,
        [N >= beyond * V * growth, D <= b * V, D > 0, beyond * growth > m * b],
    )


def _bounded(proof: Proof) -> None:
    in_order = Or(And(L <= M, M <= H), And(H <= M, M <= L))
    proof.inequality(
        "between the extremes",
        "M = V_v for a value v between the smallest, L = V_l, and the largest, H = V_h: powers "
        "of one number, in order or in reverse",
        M <= L + H,
        [in_order],
    )
    proof.inequality(
        "one term",
        "term is its p c, and both of q c at the extremes are at least the least",
        least * term * M <= term * D,
        [M <= L + H, D >= least * (L + H)],
        for_any=[L, H],
    )
    proof.cite(
        "all terms", "N is their sum, at most m D with m the sum of term/least", "lemma.mediant"
    )


@claim(
    "noise.gaussian-line",
    where="Noise on queries",
    statement="If the values of a query lie on a line, v + tau d, Gaussian noise of variances "
    "sigma_k leaks exactly as Gaussian noise of variance 1/P on tau, P = sum_k d_k^2 / sigma_k.",
    kind="theorem",
    says=says.LINE,
)
def gaussian_line(check: Check) -> None:
    """Prove it by completing the square, coordinate after coordinate."""
    single = Edit("one more coordinate", put={P + d**2 / sigma: P})
    proved(
        check,
        "as stated",
        "all dimensions, all lines, all variances > 0",
        _line,
        the_variance_of_one_coordinate=single,
    )


def _line(proof: Proof) -> None:
    square = P * tau**2 - 2 * Q * tau + S
    proof.identity(
        "one more coordinate",
        "The exponent is -1/2 times P tau^2 - 2 Q tau + S: it starts from 0, and a coordinate "
        "with w - v = y adds "
        "(y - tau d)^2 / sigma",
        square + (y - tau * d) ** 2 / sigma,
        (P + d**2 / sigma) * tau**2 - 2 * (Q + y * d / sigma) * tau + S + y**2 / sigma,
    )
    proof.identity(
        "completing the square",
        "the output w acts as the output Q/P of the query tau; the rest is the same for all values",
        square,
        P * (tau - Q / P) ** 2 + S - Q**2 / P,
    )
    proof.induction(
        "every output of tau occurs",
        "at w = v + place d the coordinates have y = place d, hence Q = place P",
        base=(Eq(Q, place * P), [Eq(Q, 0), Eq(P, 0)]),
        step=(
            Eq(Q + place * d * d * precision, place * (P + d * d * precision)),
            [Eq(Q, place * P)],
        ),
    )
