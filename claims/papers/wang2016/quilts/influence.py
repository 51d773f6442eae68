"""The influence bound of reversible chains: Lemmas A.2 and A.3, and Lemma 4.7.

Letters: P, Q entries of P^t, q a stationary probability, d = Delta_t^theta of one chain and D =
Delta_t of the class, with 0 <= d <= D < 1; m, n probabilities of X_{t+j}; H = (1+D)/(1-D), so that
h(t) = log H. Under Condition 4.6 throughout: section 4.3 prints it as an assumption about Theta,
and these lemmas speak of theta in Theta, of pi_Theta and g_Theta, unlike Lemma A.1, which speaks of
one chain. `irreversible` has what fails without it. Source: wang2016, section 4.3, appendices A.4,
A.6 and A.7.
"""

from fractions import Fraction

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.wang2016.chains.instances import (
    Matrix,
    above_decay,
    matrices,
    power,
    reversible,
)
from pufferproof.claims.papers.wang2016.chains.irreversible import backward_bound, forward_bound
from pufferproof.claims.registry import Check, claim
from pufferproof.models.priors.laws import stationary_law
from pufferproof.verify.proof.argument import Argument

P, Q, p, q, d, D, m, n, H, K, r, s, l, k, A, B = sympy.symbols("P Q p q d D m n H K r s l k A B")
CLASSES = (
    "every class that satisfies Condition 4.6, g = 1 - |lam|; all states, records and distances "
    "above the threshold"
)
CONDITION = "Condition 4.6, which section 4.3 assumes of every Theta that it speaks of"
BARE, POSSIBLE, LEFT_OUT = "Condition 4.6", "Pr(X_j=y) > 0", "a y with Pr(X_j=y) = 0 is left out"
ABOVE = "Delta_t < 1: distances strictly above the threshold"
BELOW = [d >= 0, d <= D, D < 1]
_BACK = [
    P >= (1 - D) * p,
    P <= (1 + D) * p,
    Q >= (1 - D) * q,
    Q <= (1 + D) * q,
    p > 0,
    q > 0,
    D >= 0,
    D < 1,
]
_LAWS = [m >= (1 - D) * p, m <= (1 + D) * p, n >= (1 - D) * q, n <= (1 + D) * q]


@claim(
    "wang2016.lemA2",
    where="Lemma A.2, proof A.6",
    statement="t > log(1/pi)/g, Delta_t = exp(-t g)/pi: for any j, theta, x, x' and y, "
    "(1-Delta_t)/(1+Delta_t) <= Pr(X_{t+j}=y|X_j=x,theta)/Pr(X_{t+j}=y|X_j=x',theta) <= "
    "(1+Delta_t)/(1-Delta_t). Uses 0 <= Delta_t^theta <= Delta_t <= 1.",
    kind="lemma",
    assumes=[CONDITION],
)
def forward(check: Check) -> None:
    """From the repaired Lemma A.1, for one chain and then for the class."""
    with check.reading(PRINTED, CLASSES) as argument:
        _forward(argument)
    check.near_miss(
        f"{PRINTED}: at most 1 + Delta_t", lambda argument: _forward(argument, tight=True)
    )
    check.near_miss(f"{PRINTED}: without reversibility", forward_bound)


def _forward(argument: Argument, tight: bool = False) -> None:
    prove_class(argument)
    argument.cite("powers", "(1 - d) q <= P^t(x,y) <= (1 + d) q, q = pi(y)", "wang2016.x-lemA1")
    below = 1 if tight else 1 - D
    argument.inequality(
        "the ratio",
        "P and Q are P^t(x,y) and P^t(x',y); for the lower bound x and x' change places",
        And(Q > 0, below * P <= (1 + D) * Q),
        [P >= (1 - d) * q, P <= (1 + d) * q, Q >= (1 - d) * q, Q <= (1 + d) * q, q > 0, *BELOW],
    )


def prove_class(argument: Argument) -> None:
    """Delta_t of one chain is at most that of the class, which is below 1 above the threshold."""
    argument.inequality(
        "one chain and the class",
        "s = exp(-t g_*) <= l = exp(-t g) as g_* >= g; k = pi_Theta <= r = pi_min",
        And(d >= 0, d <= D),
        [Eq(d * r, s), Eq(D * k, l), s > 0, s <= l, k > 0, k <= r],
    )
    argument.inequality(
        "above the threshold",
        "t > log(1/pi)/g says l = exp(-t g) < pi = k",
        D < 1,
        [Eq(D * k, l), l < k, k > 0],
    )


@claim(
    "wang2016.A7-bayes",
    where="Appendix A.7",
    statement="For t > log(1/pi)/g the backward ratio is "
    "P^t(y,x)Pr(X_{t+j}=x')/(P^t(y,x')Pr(X_{t+j}=x)); and (1-Delta_t^theta)pi(x) <= min_y "
    "P^t(y,x) <= Pr(X_{t+j}=x) <= max_y P^t(y,x) <= (1+Delta_t^theta)pi(x).",
    kind="lemma (proof step)",
    assumes=[BARE, POSSIBLE],
)
def bayes(check: Check) -> None:
    """Bayes' rule, and a mean between the least and the largest entry of a column."""
    with check.reading(PRINTED, CLASSES) as argument:
        _bayes(argument)
    check.near_miss(f"{PRINTED}: forward entries", lambda argument: _bayes(argument, forwards=True))


def _bayes(argument: Argument, forwards: bool = False) -> None:
    argument.identity(
        "Bayes' rule",
        "s = Pr(X_j=y) > 0; P = P^t(y,x), Q = P^t(y,x'); m, n = Pr(X_{t+j} = x), Pr(X_{t+j} = x'): "
        "Pr(X_j=y|X_{t+j}=x) = P s/m, and Q s/n for x'",
        "(P*s/m)/(Q*s/n)",
        "(Q*m)/(P*n)" if forwards else "(P*n)/(Q*m)",
    )
    argument.induction(
        "a mean of entries",
        "A is the sum of Pr(X_j=y) P^t(y,x) over the first y, B that of Pr(X_j=y); at the end B = "
        "1",
        base=(And(A >= l * B, A <= r * B), [Eq(A, s * P), Eq(B, s), P >= l, P <= r, s >= 0]),
        step=(
            And(A + s * P >= l * (B + s), A + s * P <= r * (B + s)),
            [A >= l * B, A <= r * B, P >= l, P <= r, s >= 0],
        ),
    )
    argument.cite(
        "the least and the largest entry",
        "l >= (1 - d) pi(x), r <= (1 + d) pi(x)",
        "wang2016.x-lemA1",
    )


@claim(
    "wang2016.lemA3",
    where="Lemma A.3, proof A.7",
    statement="t > log(1/pi)/g, Delta_t = exp(-t g)/pi: for any j > 0, theta, x, x' and y, "
    "((1-Delta_t)/(1+Delta_t))^2 <= Pr(X_j=y|X_{j+t}=x,theta)/Pr(X_j=y|X_{j+t}=x',theta) <= "
    "((1+Delta_t)/(1-Delta_t))^2.",
    kind="lemma",
    assumes=[CONDITION, LEFT_OUT],
)
def backward(check: Check) -> None:
    """Two ratios, each within (1+Delta)/(1-Delta) of that of stationary probabilities."""
    for name in ("initial law arbitrary", "initial law stationary"):
        with check.reading(name, CLASSES) as argument:
            _backward(argument)
        check.near_miss(f"{name}: without reversibility", backward_bound)


def _backward(argument: Argument) -> None:
    prove_class(argument)
    argument.cite(
        "the ratio",
        "P n/(Q m), with P, Q, m, n within 1 - d and 1 + d of pi(x) and pi(x')",
        "wang2016.A7-bayes",
        met={BARE: "Lemma A.3 assumes it", POSSIBLE: "other y are left out"},
    )
    argument.inequality(
        "for the class",
        "1 - d >= 1 - D, 1 + d <= 1 + D",
        And((1 - D) * q <= P, P <= (1 + D) * q),
        [(1 - d) * q <= P, P <= (1 + d) * q, q > 0, *BELOW],
    )
    argument.inequality(
        "the first quotient",
        "P/Q against p/q, p = pi(x), q = pi(x')",
        And(Q > 0, (1 - D) * P * q <= (1 + D) * Q * p),
        _BACK,
    )
    argument.inequality(
        "the second quotient",
        "n/m against q/p",
        And(m > 0, (1 - D) * n * p <= (1 + D) * m * q),
        [*_LAWS, p > 0, q > 0, D >= 0, D < 1],
    )
    argument.inequality(
        "both",
        "H = (1+D)/(1-D): r = P/Q <= H k and s = n/m <= H/k, k = p/q, so r s <= H^2",
        r * s <= H**2,
        [r <= H * k, s * k <= H, r >= 0, s >= 0, k > 0, H >= 1],
    )


@claim(
    "wang2016.x-lemA3-stationary",
    where="Lemma A.3, beyond",
    statement="If X_1 has the stationary law, exponent 1 is enough in Lemma A.3: for t > "
    "log(1/pi)/g all ratios Pr(X_j=y|X_{j+t}=x)/Pr(X_j=y|X_{j+t}=x') are at most "
    "(1+Delta_t)/(1-Delta_t), as the chain read backwards has the same transition matrix.",
    kind="lemma",
    assumes=[BARE],
)
def backward_stationary(check: Check) -> None:
    """Detailed balance turns the backward ratio into the forward one."""
    with check.reading("as stated", CLASSES) as argument:
        _reversed(argument)
    check.near_miss(
        "as stated: not reversible", lambda argument: _reversed(argument, balanced=False)
    )


def _reversed(argument: Argument, balanced: bool = True) -> None:
    argument.induction(
        "powers are in balance",
        "p = pi(x), q = pi(y), z a state of probability m. k and l sum P^t(x,z) P(z,y) and P(y,z) "
        "P^t(z,x) over the first z: with all of them they are P^(t+1)(x,y) and P^(t+1)(y,x). For "
        "the next z A = P^t(x,z) and B = P^t(z,x) are in balance, as t steps are, and so are P = "
        "P(z,y) and Q = P(y,z), as the chain is reversible",
        base=(Eq(p * k, q * l), [Eq(k, 0), Eq(l, 0)]),
        step=(
            Eq(p * (k + A * P), q * (l + Q * B)),
            [Eq(p * k, q * l), Eq(p * A, m * B), *([Eq(m * P, q * Q)] if balanced else []), m > 0],
        ),
    )
    argument.inequality(
        "backward entries",
        "Pr(X_j=y|X_{j+t}=x) = pi(y) P^t(y,x)/pi(x) = P^t(x,y)",
        Eq(q * Q / p, P),
        [Eq(p * P, q * Q), p > 0],
    )
    argument.cite(
        "forward ratios",
        "at most (1+Delta_t)/(1-Delta_t)",
        "wang2016.lemA2",
        met={CONDITION: "assumed here"},
    )


@claim(
    "wang2016.x-lemA3-exponent",
    where="Lemma A.3, beyond",
    statement="Exponent 1 is enough in Lemma A.3 for every initial law: for t > log(1/pi)/g all "
    "ratios Pr(X_j=y|X_{j+t}=x)/Pr(X_j=y|X_{j+t}=x') with Pr(X_j=y) > 0 are at most "
    "(1+Delta_t)/(1-Delta_t).",
    kind="conjecture",
    assumes=[BARE],
)
def exponent(check: Check) -> None:
    """True of all small chains; hill climbing in floats (up to five states, t up to 1,000) only
    came near to equality.
    """
    scope = (
        "irreducible, aperiodic, reversible chains of 2 states with entries in eighths and of 3 "
        "states in quarters, t <= 12 above the threshold, all initial laws"
    )
    with check.reading("as stated", scope) as argument:
        _exponent(argument, 1)
    check.near_miss("as stated: exponent 1/2", lambda argument: _exponent(argument, 2))


def _exponent(argument: Argument, power_of_ratio: int) -> None:
    found = [
        rows
        for states, parts in ((2, 8), (3, 4))
        for rows in matrices(states, parts)
        if reversible(rows)
    ]
    family = [
        (rows, t)
        for rows in found
        for t in range(1, 13)
        if above_decay(min(stationary_law(rows)), rows, t)
    ]
    argument.exhaust(
        "all starts",
        "the largest backward ratio R has (R-1)/(R+1) <= Delta_t; it is approached by laws near "
        "points",
        family,
        lambda at: not above_decay(_share(*at, power_of_ratio), *at),
    )


def _share(rows: Matrix, steps: int, exponent: int) -> Fraction:
    """pi_min (S-1)/(S+1), S the largest backward ratio over all initial laws to this power."""
    table, states = power(rows, steps), range(len(rows))
    largest = Fraction(1)
    for x in states:
        for other in states:
            quotients = [row[x] / row[other] for row in table]
            largest = max(largest, max(quotients) / min(quotients))
    ratio = largest**exponent
    return min(stationary_law(rows)) * (ratio - 1) / (ratio + 1)


@claim(
    "wang2016.A4-factor",
    where="Appendix A.4",
    statement="Pr(X_Q=x_Q|X_i=x)/Pr(X_Q=x_Q|X_i=x') = [ratio for X_{i+b}] [ratio for X_{i-a}]; "
    "log((1+Delta_t^theta)/(1-Delta_t^theta)) <= log((1+Delta_t)/(1-Delta_t)) = log((pi+exp(-g "
    "t))/(pi-exp(-g t))).",
    kind="lemma (proof step)",
    assumes=[ABOVE],
)
def factor(check: Check) -> None:
    """Both sides of X_i are independent given X_i; (1+D)/(1-D) grows with D."""
    with check.reading(PRINTED, CLASSES) as argument:
        _factor(argument)
    check.near_miss(
        f"{PRINTED}: also for Delta_t above 1", lambda argument: _factor(argument, wide=True)
    )


def _factor(argument: Argument, wide: bool = False) -> None:
    argument.cite(
        "given X_i", "the records before it and those after it are independent", "song2017.x-markov"
    )
    argument.inequality(
        "the ratio is a product",
        "A and B are Pr(X_{i-a}=y, X_{i+b}=z|X_i=x), and the same given x'; P and p those of y "
        "alone, Q and q those of z alone, p and q not 0",
        Eq(A / B, (P / p) * (Q / q)),
        [Eq(A, P * Q), Eq(B, p * q), p > 0, q > 0, P >= 0, Q >= 0],
    )
    argument.inequality(
        "growing",
        "d = Delta_t^theta <= D = Delta_t < 1, and log grows",
        (1 + d) / (1 - d) <= (1 + D) / (1 - D),
        [d >= 0, d <= D, *([sympy.Ne(D, 1), d < 1] if wide else [D < 1])],
    )
    argument.inequality(
        "with pi and exp(-g t)",
        "D = l/k, l = exp(-g t), k = pi",
        Eq((1 + D) / (1 - D), (k + l) / (k - l)),
        [Eq(D * k, l), k > 0, D < 1],
    )


@claim(
    "wang2016.lem-4.7",
    where="Lemma 4.7",
    statement="Under Condition 4.6, min(a,b) >= log(1/pi)/g, h(t) = log[(pi+exp(-g t))/(pi-exp(-g "
    "t))]: e({X_{i-a},X_{i+b}}|X_i) <= h(b)+2h(a); e({X_{i-a}}|X_i) <= 2h(a); e({X_{i+b}}|X_i) "
    "<= h(b); e({}|X_i) = 0.",
    kind="lemma",
    assumes=[
        "at the threshold itself h is log(c/0), read as infinite: for g algebraic and pi rational "
        "it is never met"
    ],
)
def lemma(check: Check) -> None:
    """Products of the ratios of Lemmas A.2 and A.3."""
    for name in ("initial law arbitrary", "initial law stationary"):
        with check.reading(
            name, f"{CLASSES}; for one-sided quilts the threshold is for the one distance"
        ) as argument:
            _lemma(argument)
        check.near_miss(f"{name}: without reversibility, {{X_{{i+b}}}}", forward_bound)


def _lemma(argument: Argument) -> None:
    argument.inequality(
        "above the threshold",
        "l = exp(-g t), k = pi: t >= log(1/pi)/g says l <= k. At l = k the bound is infinite; else "
        "D = Delta_t = l/k < 1",
        Or(Eq(l, k), D < 1),
        [Eq(D * k, l), l <= k, k > 0, l > 0],
    )
    condition = {CONDITION: "Lemma 4.7 assumes it"}
    argument.cite("quilts", "the three forms are quilts", "wang2016.lem-4.5")
    argument.cite(
        "the ratio",
        "is a product, and one-sided quilts have one factor",
        "wang2016.A4-factor",
        met_by={ABOVE: "above the threshold"},
    )
    argument.cite("the right side", "r <= H = e^h(b)", "wang2016.lemA2", met=condition)
    left_out = {
        LEFT_OUT: "max-influence compares possible values of the quilt: for others both "
        "probabilities are 0"
    }
    argument.cite(
        "the left side", "s <= K^2, K = e^h(a)", "wang2016.lemA3", met=condition | left_out
    )
    argument.inequality(
        "both sides",
        "logs of products are sums",
        And(r * s <= H * K**2, r <= H, s <= K**2),
        [r >= 0, s >= 0, r <= H, s <= K**2, H >= 1, K >= 1],
    )
    argument.inequality(
        "no quilt node",
        "the empty outcome has probability 1 under every value",
        Eq(p / q, 1),
        [Eq(p, 1), Eq(q, 1)],
    )
