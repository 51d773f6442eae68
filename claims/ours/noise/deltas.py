"""What noise on a query leaves above a level R: between two values, and how often the sign
changes.

With c_n = p_n - R q_n and the density g of the noise, delta is the integral of the positive part of
h(w) = sum_n c_n g(w - n).
"""

from sympy import Eq, Equivalent

from pufferproof.claims.language import Edit, Proof, above, below, letter, letters, proved
from pufferproof.claims.ours.noise.statements import deltas as says
from pufferproof.claims.registry import Check, claim

t = letter("t", "the decay from one value to the next, e^(-rho)", above(0), below(1))
s = letter("s", "e^(-rho y), from t to 1", above(0))
rho = letter("rho", "the rate of the noise", above(0))
A = letter("A", "the sum of c_n t^(n - k - 1) over n > k", above(0))
B = letter("B", "the sum of c_n t^(k - n) over n <= k")
fall = letter("fall", "-B", above(0))
x, y = letters("x y", "sqrt(A), and sqrt(fall t)", above(0))
C = letter("C", "a larger A", above(0))
z = letter("z", "sqrt(C)", above(0))
u, v = letters("u v", "a smaller decay, and sqrt(fall u)", above(0))
r = letter("r", "sqrt(u/t)", above(0))
root = letter("root", "the place of s where h is 0", above(0))
total, term = letters("total term", "the sum so far of terms of one sign, and the next one")
n, m, turn = letters("n m turn", "two values, and a number between two of different signs")
d, e = letters("d e", "coefficients of e^(n w/sigma^2) and e^(m w/sigma^2), not 0")
zeros, inner = letters("zeros inner", "the numbers of zeros of a sum, and of its derivative")
changes = letter("changes", "the number of changes of sign of the derivative")

INTEGRAL, MONOTONE = "the integral", "rising and falling"
ALL = "all A and B, all decays in (0, 1)"


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
    """Prove it: h has at most one zero, and an antiderivative without integrals."""
    proved(
        check,
        INTEGRAL,
        ALL,
        _integral,
        the_root_once=Edit("one zero: the value", instead="x**2 - x*y + y**2"),
        a_zero_in_any_case=Edit("positive all along", without=fall <= A * t),
    )
    proved(
        check, MONOTONE, ALL, _monotone, in_a_larger_decay=Edit("a smaller decay", without=u <= t)
    )


def _integral(proof: Proof) -> None:
    proof.identity(
        "antiderivative",
        "At k + y, h is rho/2 times A t/s + B s with s = e^(-rho y), whose derivative is -rho s: "
        "twice h is the derivative of A t/s - B s",
        (-A * t / s**2 - B) * (-rho * s),
        rho * (A * t / s + B * s),
    )
    proof.identity(
        "from end to end",
        "from s = 1 at y = 0 to s = t at y = 1, where h is not negative; where A and B are not, it "
        "is not",
        (A * t / t - B * t) - (A * t - B),
        (A + B) * (1 - t),
    )
    _cases(proof)


def _cases(proof: Proof) -> None:
    """Prove what is left where A and B have different signs."""
    proof.inequality(
        "where it is positive",
        "For A > 0 > B = -fall: where s is small, so from one place to y = 1",
        Equivalent(A * t / s - fall * s > 0, fall * s**2 < A * t),
    )
    proof.inequality(
        "positive all along",
        "if fall <= A t: (A + B)(1 - t)",
        fall * s**2 <= A * t,
        [fall <= A * t, s <= 1],
    )
    proof.inequality(
        "positive nowhere",
        "if A <= fall t: 0",
        A * t <= fall * s**2,
        [A <= fall * t, t <= s],
    )
    proof.inequality(
        "one zero",
        "else, with A = x^2 and fall t = y^2, h is 0 at root = t x/y, which is between t and 1",
        (fall * root**2 - A * t <= 0) & (fall * root**2 - A * t >= 0) & (root > t) & (root < 1),
        [Eq(x**2, A), Eq(y**2, fall * t), Eq(root * y, t * x), A > fall * t, fall > A * t],
    )
    proof.identity(
        "one zero: the value",
        "of A t/s + fall s at s = t, less that at the root",
        "(x**2 + y**2) - (x**2*t/(t*x/y) + (y**2/t)*(t*x/y))",
        "(x - y)**2",
    )
    proof.identity(
        "A < 0 < B",
        "y and 1 - y, which are s and t/s, exchange A and B",
        "A*t/(t/s) + B*(t/s)",
        "B*t/s + A*s",
    )


def _monotone(proof: Proof) -> None:
    proof.inequality(
        "larger A or B",
        "A t/s + B s grows with both, and so does its positive part: A > 0, B of either sign",
        A * t / s + B * s <= C * t / s + B * s,
        [A <= C],
    )
    proof.inequality(
        "a smaller decay",
        "for A > 0 > B and one zero at both decays: (x - v)^2 with v^2 = fall u in place of y",
        (x - y) ** 2 <= (x - v) ** 2,
        [u <= t, Eq(y**2, fall * t), Eq(v**2, fall * u), Eq(x**2, A), A > fall * t],
    )
    proof.inequality(
        "without a zero",
        "(A + B)(1 - t) grows as t shrinks, as A + B is not negative",
        (A + B) * (1 - t) <= (A + B) * (1 - u),
        [u <= t, A + B >= 0],
    )
    proof.inequality(
        "where cases meet",
        "they agree: fall = A t, where y = x t, and A = fall t, where y = x",
        Eq((x - y) ** 2, (A - fall) * (1 - t)),
        [Eq(x**2, A), Eq(y, x * t), Eq(fall, A * t)],
    )


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
    """Prove it by induction on the number of changes: divide, differentiate, and use Rolle."""
    proved(
        check,
        "as stated",
        "all finite sets of real values, all coefficients, all sigma > 0",
        _zeros,
        a_place_beside_the_change=Edit("one change less", without=n < turn),
        two_zeros_more_than_the_derivative=Edit(
            "one more change: step", without=zeros <= inner + 1, given=zeros <= inner + 2
        ),
    )


def _zeros(proof: Proof) -> None:
    proof.summed(
        "no change",
        "h is a positive function times the sum of d_n e^(n w/sigma^2), d_n = c_n e^(-n^2/(2 "
        "sigma^2)) of the sign of c_n. Without a change of sign all terms are, say, positive",
        so_far=total > 0,
        adding={total: term},
        given=[term > 0],
    )
    proof.inequality(
        "one change less",
        "Divided by e^(turn w/sigma^2), which is not 0, the term of n has the derivative (n - "
        "turn)/sigma^2 times it. Let turn be between two neighbours n < m of different signs: "
        "those of the derivative agree",
        (n - turn) * d * ((m - turn) * e) > 0,
        [n < turn, turn < m, d * e < 0],
    )
    proof.inequality(
        "other changes stay",
        "n and m on the same side of turn: signs agree in the derivative iff they did",
        Equivalent((n - turn) * d * ((m - turn) * e) > 0, d * e > 0),
        [(n - turn) * (m - turn) > 0],
    )
    proof.assume(
        "Rolle",
        "between two zeros of a differentiable function its derivative has one: a function has at "
        "most one zero more than its derivative. No derivative here is 0 everywhere, as "
        "exponentials are independent and two coefficients remain",
        "Rolle 1691",
    )
    proof.induction(
        "one more change",
        "the derivative has one change less, so at most as many zeros as changes",
        base=(zeros <= changes, [Eq(zeros, 0), changes >= 0]),
        step=(zeros <= changes + 1, [inner <= changes, zeros <= inner + 1]),
    )
