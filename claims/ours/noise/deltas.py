"""What noise on a query leaves above a level R: between two values, and how often the sign
changes.

With c_n = p_n - R q_n and the density g of the noise, delta is the integral of the positive part of
h(w) = sum_n c_n g(w - n).
"""

from pufferproof.claims.ours.noise.statements import deltas as says
from pufferproof.claims.registry import Check, claim

NOTATION = {"n": "a value of the query, by which sums are taken"}

INTEGRAL, MONOTONE = "the integral", "rising and falling"


@claim(
    "noise.delta-step",
    where="Noise on queries",
    statement="Laplace noise of rate rho and density g; at the output w the function h is sum_n c_n"
    " g(w - n); k and k + 1 are neighbouring values in some unit, t = e^(-rho), A = "
    "sum_(n > k) c_n t^(n-k-1) and B = sum_(n <= k) c_n t^(k-n). Twice the integral of "
    "the positive part of h from k to k + 1 is (A + B)(1 - t) if -min(A, B) <= t max(A, "
    "B), else 0 if max(A, B) <= -t min(A, B), else (sqrt(a) - sqrt(b t))^2 for a = max(A,"
    " B) and b = -min(A, B). It never falls when A or B grows, nor when t shrinks.",
    kind="lemma",
    says={INTEGRAL: says.STEP, MONOTONE: says.MONOTONE},
)
def delta_step(check: Check) -> None:
    """Prove it: h has at most one zero, and an antiderivative without integrals.

    The integral. At k + y, h is rho/2 times A t/s + B s with s = e^(-rho y): twice h is the
    derivative of A t/s - B s, from s = 1 at y = 0 to s = t at y = 1. For A > 0 > B = -fall h is
    positive where s is small: all along if fall <= A t, with (A + B)(1 - t); nowhere if A <= fall
    t; else, with A = x^2 and fall t = y^2, from the root t x/y on, where A t/s + fall s is 2 x y:
    [lemma.delta-root]. A < 0 < B: y and 1 - y exchange A and B.

    Rising and falling. A t/s + B s grows with both, and so does its positive part. With a smaller
    decay (x - v)^2 has v^2 = fall u instead of y; (A + B)(1 - t) grows as t shrinks. Where cases
    meet (y = x t, y = x) they agree.
    """


@claim(
    "noise.sign-changes",
    where="Noise on queries",
    statement="Gaussian noise of density g on a query with finitely many real values; at the output"
    " w the function h is sum_n c_n g(w - n). Unless all c_n are 0, h has at most as many"
    " real zeros as the c_n, in the order of values and zeros left out, have changes of "
    "sign.",
    kind="lemma",
    says=says.ZEROS,
)
def sign_changes(check: Check) -> None:
    """Prove it by induction on the number of changes: divide, differentiate, and use Rolle.

    No change: h is a positive function times the sum of d_n e^(n w/sigma^2), d_n = c_n e^(-n^2/(2
    sigma^2)) of the sign of c_n. Without a change of sign all terms are, say, positive. One change
    less: Divided by e^(turn w/sigma^2), which is not 0, the term of n has the derivative (n -
    turn)/sigma^2 times it. Let turn be between two neighbours n < m of different signs: those of
    the derivative agree. Other changes stay: n and m on the same side of turn: signs agree in the
    derivative iff they did. Rolle: between two zeros of a differentiable function its derivative
    has one: a function has at most one zero more than its derivative. No derivative here is 0
    everywhere, as exponentials are independent and two coefficients remain. One more change: the
    derivative has one change less, so at most as many zeros as changes.
    """
